type 'Modelica.Utilities.Types.FileType' = enumeration(NoFile, RegularFile, Directory, SpecialFile);

pure function 'Modelica.Math.FastFourierTransform.Internal.rawRealFFT'
  input Real[:] u;
  output Integer info;
  output Real[div(size(u, 1), 2) + 1] amplitudes;
  output Real[div(size(u, 1), 2) + 1] phases;
protected
  Real[3*size(u, 1) + 2*(div(size(u, 1), 2) + 1)] work;
  external "C" info = ModelicaFFT_kiss_fftr(u, size(u, 1), work, size(work, 1), amplitudes, phases) annotation(Library = "ModelicaExternalC", Include = "#include \"ModelicaFFT.h\"");
end 'Modelica.Math.FastFourierTransform.Internal.rawRealFFT';

function 'Modelica.Math.FastFourierTransform.realFFT'
  input Real[:] u;
  input Integer nfi;
  output Integer info;
  output Real[nfi] amplitudes;
  output Real[nfi] phases;
protected
  Integer nu = size(u, 1);
  Integer nf = div(size(u, 1), 2) + 1;
  Real u_DC;
  Real[size(u, 1)] u2;
  Real[div(size(u, 1), 2) + 1] A;
  Real[div(size(u, 1), 2) + 1] Phi;
  Real Aeps;
algorithm
  assert(nfi > 0 and nfi <= div(size(u, 1), 2) + 1, "Argument nfi is out of range");
  u_DC := sum(u)/nu;
  u2 := u - fill(u_DC, nu);
  (info, A, Phi) := 'Modelica.Math.FastFourierTransform.Internal.rawRealFFT'(u2);
  amplitudes := A[1:nfi];
  phases := {'Modelica.Units.Conversions.to_deg'((Phi[1:nfi])[i]) for i in 1:size(Phi[1:nfi], 1)};
  Aeps := 0.0001*max(amplitudes);
  amplitudes[1] := u_DC;
  phases[1] := 0.0;
  for i in 2:nfi loop
    if amplitudes[i] < Aeps then
      phases[i] := 0.0;
    end if;
  end for;
end 'Modelica.Math.FastFourierTransform.realFFT';

function 'Modelica.Math.FastFourierTransform.realFFTwriteToFile'
  input Real t_computed;
  input String fileName;
  input Real f_max;
  input Real[:] amplitudes;
  input Real[:] phases = fill(0.0, 0);
  input String format = "4";
  output Boolean success;
protected
  Integer nA = size(amplitudes, 1);
  Real[3*size(amplitudes, 1), if size(phases, 1) == 0 then 2 else 3] fA;
  Real f;
algorithm
  assert(size(phases, 1) == 0 or size(phases, 1) == size(amplitudes, 1), "Input vector phases has the wrong size");
  'Modelica.Utilities.Files.removeFile'(fileName);
  if size(phases, 1) == size(amplitudes, 1) then
    for i in 1:nA loop
      f := f_max*(i - 1)/(nA - 1);
      fA[1 + 3*(i - 1):1 + 3*(i - 1) + 2, :] := {{f, 0, 0}, {f, amplitudes[i], phases[i]}, {f, 0, 0}};
    end for;
  else
    for i in 1:nA loop
      f := f_max*(i - 1)/(nA - 1);
      fA[1 + 3*(i - 1):1 + 3*(i - 1) + 2, :] := {{f, 0}, {f, amplitudes[i]}, {f, 0}};
    end for;
  end if;
  success := 'Modelica.Utilities.Streams.writeRealMatrix'(fileName, "FFT", fA, false, format);
  if success then
    'Modelica.Utilities.Streams.print'("... FFT result computed at time = " + String(t_computed) + " s stored on file: " + 'Modelica.Utilities.Files.fullPathName'(fileName), "");
  end if;
end 'Modelica.Math.FastFourierTransform.realFFTwriteToFile';

function 'Modelica.Math.cos'
  input Real u;
  output Real y;
algorithm
  y := cos(u);
  annotation(Inline = true);
end 'Modelica.Math.cos';

function 'Modelica.Math.sin'
  input Real u;
  output Real y;
algorithm
  y := sin(u);
  annotation(Inline = true);
end 'Modelica.Math.sin';

function 'Modelica.Units.Conversions.to_deg'
  input Real radian;
  output Real degree;
algorithm
  degree := 180.0/3.141592653589793*radian;
  annotation(Inline = true);
end 'Modelica.Units.Conversions.to_deg';

impure function 'Modelica.Utilities.Files.fullPathName'
  input String name;
  output String fullName;
  external "C" fullName = ModelicaInternal_fullPathName(name) annotation(Library = "ModelicaExternalC", Include = "#include \"ModelicaInternal.h\"");
end 'Modelica.Utilities.Files.fullPathName';

impure function 'Modelica.Utilities.Files.removeFile'
  input String fileName;
protected
  'Modelica.Utilities.Types.FileType' fileType = 'Modelica.Utilities.Internal.FileSystem.stat'(fileName);
algorithm
  if fileType == 'Modelica.Utilities.Types.FileType'.RegularFile then
    'Modelica.Utilities.Streams.close'(fileName);
    'Modelica.Utilities.Internal.FileSystem.removeFile'(fileName);
  elseif fileType == 'Modelica.Utilities.Types.FileType'.Directory then
    'Modelica.Utilities.Streams.error'("File \"" + fileName + "\" should be removed.
" + "This is not possible, because it is a directory");
  elseif fileType == 'Modelica.Utilities.Types.FileType'.SpecialFile then
    'Modelica.Utilities.Streams.error'("File \"" + fileName + "\" should be removed.
" + "This is not possible, because it is a special file (pipe, device, etc.)");
  end if;
end 'Modelica.Utilities.Files.removeFile';

impure function 'Modelica.Utilities.Internal.FileSystem.removeFile'
  input String fileName;
  external "C" ModelicaInternal_removeFile(fileName) annotation(Library = "ModelicaExternalC", Include = "#include \"ModelicaInternal.h\"");
end 'Modelica.Utilities.Internal.FileSystem.removeFile';

impure function 'Modelica.Utilities.Internal.FileSystem.stat'
  input String name;
  output 'Modelica.Utilities.Types.FileType' fileType;
  external "C" fileType = ModelicaInternal_stat(name) annotation(Library = "ModelicaExternalC", Include = "#include \"ModelicaInternal.h\"");
end 'Modelica.Utilities.Internal.FileSystem.stat';

impure function 'Modelica.Utilities.Streams.close'
  input String fileName;
  external "C" ModelicaStreams_closeFile(fileName) annotation(Library = "ModelicaExternalC", Include = "#include \"ModelicaInternal.h\"");
end 'Modelica.Utilities.Streams.close';

function 'Modelica.Utilities.Streams.error'
  input String string;
algorithm
  assert(false, string, AssertionLevel.error);
end 'Modelica.Utilities.Streams.error';

impure function 'Modelica.Utilities.Streams.print'
  input String string = "";
  input String fileName = "";
  external "C" ModelicaInternal_print(string, fileName) annotation(Library = "ModelicaExternalC", Include = "#include \"ModelicaInternal.h\"");
end 'Modelica.Utilities.Streams.print';

impure function 'Modelica.Utilities.Streams.writeRealMatrix'
  input String fileName;
  input String matrixName;
  input Real[:, :] matrix;
  input Boolean append = false;
  input String format = "4";
  output Boolean success;
  external "C" success = ModelicaIO_writeRealMatrix(fileName, matrixName, matrix, size(matrix, 1), size(matrix, 2), append, format) annotation(Library = {"ModelicaIO", "ModelicaMatIO", "zlib"}, Include = "#include \"ModelicaIO.h\"");
end 'Modelica.Utilities.Streams.writeRealMatrix';

model 'Modelica.Math.FastFourierTransform.Examples.RealFFT1' "Example demonstrating the use of an FFT calculation during simulation (and storing both amplitudes and phases on file)"
  parameter Real f_max(unit = "Hz", quantity = "Frequency") = 4 "Maximum frequency of interest" annotation(Evaluate = true);
  parameter Real f_resolution(unit = "Hz", quantity = "Frequency") = 0.2 "Frequency resolution" annotation(Evaluate = true);
  parameter Real f1(unit = "Hz", quantity = "Frequency") = 2 "Frequency of sine";
  parameter Real f2(unit = "Hz", quantity = "Frequency") = 3 "Frequency of cosine";
  parameter String FFT_resultFileName = "RealFFT1_resultFFT.mat" "File where FFT will be stored as [f,A,Phi], with f in [Hz] and A the amplitudes and Phi the phases in [rad]";
  parameter Integer nfi = 21 "Number of frequency points of the interested frequency range (only up to f_max)" annotation(Evaluate = true);
  parameter Real[21] fi(each fixed = false, each unit = "Hz", each quantity = "Frequency") "FFT frequencies of interested frequency points";
  Real y(start = 0, fixed = true) "Signal from which FFT is computed";
  output Real[21] Ai(each start = 0, each fixed = true) "FFT amplitudes of interested frequency points";
  output Real[21] Phii(each start = 0, each fixed = true) "FFT phases of interested frequency points";
  output Integer info(start = 0, fixed = true) "Information flag from FFT computation; = 0: FFT successfully computed";
protected
  parameter Integer ns = 200 annotation(Evaluate = true);
  parameter Real f_max_FFT(unit = "Hz", quantity = "Frequency") = f_resolution*div(ns, 2) "Maximum frequency used by FFT";
  parameter Integer nf = 101 "Number of frequency points" annotation(Evaluate = true);
  parameter Real Ts(unit = "s", quantity = "Time") = 1/(2*f_max_FFT) "Sample period";
  parameter Real T(unit = "s", quantity = "Time") = (ns - 1)*Ts "Simulation time for one FFT calculation";
  Integer iTick(start = 0, fixed = true);
  Real[200] y_buf(start = vector([6.5; fill(0, ns - 1)]), each fixed = true);
initial equation
  for i in 1:nfi loop
    fi[i] = (i - 1)*f_resolution;
  end for;
algorithm
  when sample(0, Ts) then
    iTick := pre(iTick) + 1;
    y := 5 + 3*'Modelica.Math.sin'(2*3.141592653589793*f1*time) + 1.5*'Modelica.Math.cos'(2*3.141592653589793*f2*time);
    if iTick >= 1 and iTick <= ns then
      y_buf[iTick] := y;
    end if;
    if iTick == ns then
      (info, Ai, Phii) := 'Modelica.Math.FastFourierTransform.realFFT'(y_buf, nfi);
      'Modelica.Math.FastFourierTransform.realFFTwriteToFile'(time, FFT_resultFileName, f_max, Ai, Phii, "4");
    end if;
  end when;
  annotation(experiment(StopTime = 6.0));
end 'Modelica.Math.FastFourierTransform.Examples.RealFFT1';
