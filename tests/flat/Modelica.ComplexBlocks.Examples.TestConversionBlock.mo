operator record Complex
  Real re;
  Real im;
end Complex;

function 'Complex.\'constructor\'.fromReal'
  input Real re;
  input Real im = 0;
  output Complex result = Complex(re, im);
  annotation(Inline = true);
end 'Complex.\'constructor\'.fromReal';

model 'Modelica.ComplexBlocks.Examples.TestConversionBlock' "Test the conversion blocks"
  parameter Real 'len.height' = 1 "Height of ramp";
  parameter Real 'len.duration'(start = 2, min = 0.0, unit = "s", quantity = "Time") = 1 "Duration of ramp (= 0.0 gives a Step)";
  Real 'len.y' "Connector of Real output signal";
  parameter Real 'len.offset' = 1e-6 "Offset of output signal y";
  parameter Real 'len.startTime'(unit = "s", quantity = "Time") = 0 "Output y = offset for time < startTime";
  parameter Real 'phi.height' = 4*3.141592653589793 "Height of ramp";
  parameter Real 'phi.duration'(start = 2, min = 0.0, unit = "s", quantity = "Time") = 1 "Duration of ramp (= 0.0 gives a Step)";
  Real 'phi.y' "Connector of Real output signal";
  parameter Real 'phi.offset' = 0 "Offset of output signal y";
  parameter Real 'phi.startTime'(unit = "s", quantity = "Time") = 0 "Output y = offset for time < startTime";
  Real 'polarToComplex.y.re' "Real part of complex number";
  Real 'polarToComplex.y.im' "Imaginary part of complex number";
  Real 'polarToComplex.len';
  Real 'polarToComplex.phi'(unit = "rad");
  Real 'complexToReal.re';
  Real 'complexToReal.im';
  Real 'complexToReal.u.re' "Real part of complex number";
  Real 'complexToReal.u.im' "Imaginary part of complex number";
  parameter Boolean 'complexToReal.useConjugateInput' = false "If true, input is processed conjugate complex";
equation
  'len.y' = 'len.offset' + (if time < 'len.startTime' then 0 else if time < 'len.startTime' + 'len.duration' then (time - 'len.startTime')*'len.height'/'len.duration' else 'len.height');
  'phi.y' = 'phi.offset' + (if time < 'phi.startTime' then 0 else if time < 'phi.startTime' + 'phi.duration' then (time - 'phi.startTime')*'phi.height'/'phi.duration' else 'phi.height');
  Complex('polarToComplex.y.re', 'polarToComplex.y.im') = 'Complex.\'constructor\'.fromReal'('polarToComplex.len'*cos('polarToComplex.phi'), 'polarToComplex.len'*sin('polarToComplex.phi'));
  'complexToReal.re' = 'complexToReal.u.re';
  'complexToReal.im' = if 'complexToReal.useConjugateInput' then -'complexToReal.u.im' else 'complexToReal.u.im';
  'phi.y' = 'polarToComplex.phi';
  'len.y' = 'polarToComplex.len';
  'polarToComplex.y.re' = 'complexToReal.u.re';
  'polarToComplex.y.im' = 'complexToReal.u.im';
  annotation(experiment(StopTime = 1.01, Interval = 0.001), __rhei(paths = true));
end 'Modelica.ComplexBlocks.Examples.TestConversionBlock';
