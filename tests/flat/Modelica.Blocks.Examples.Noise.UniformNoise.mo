function 'Modelica.Math.Distributions.Uniform.quantile'
  input Real u;
  output Real y;
  input Real y_min = 0;
  input Real y_max = 1;
algorithm
  y := u*(y_max - y_min) + y_min;
  annotation(Inline = true);
end 'Modelica.Math.Distributions.Uniform.quantile';

function 'Modelica.Math.Random.Generators.Xorshift128plus.initialState'
  input Integer localSeed;
  input Integer globalSeed;
  output Integer[4] state;
algorithm
  state := 'Modelica.Math.Random.Utilities.initialStateWithXorshift64star'(localSeed, globalSeed, size(state, 1));
  annotation(Inline = true);
end 'Modelica.Math.Random.Generators.Xorshift128plus.initialState';

pure function 'Modelica.Math.Random.Generators.Xorshift128plus.random'
  input Integer[4] stateIn;
  output Real result;
  output Integer[4] stateOut;
  external "C" ModelicaRandom_xorshift128plus(stateIn, stateOut, result) annotation(Library = "ModelicaExternalC", Include = "#include \"ModelicaRandom.h\"");
end 'Modelica.Math.Random.Generators.Xorshift128plus.random';

function 'Modelica.Math.Random.Generators.Xorshift64star.initialState'
  input Integer localSeed;
  input Integer globalSeed;
  output Integer[2] state;
protected
  Real r;
  Integer p = 10;
algorithm
  if localSeed == 0 and globalSeed == 0 then
    state := {126247697, globalSeed};
  else
    state := {localSeed, globalSeed};
  end if;
  for i in 1:p loop
    (r, state) := 'Modelica.Math.Random.Generators.Xorshift64star.random'(state);
  end for;
end 'Modelica.Math.Random.Generators.Xorshift64star.initialState';

pure function 'Modelica.Math.Random.Generators.Xorshift64star.random'
  input Integer[2] stateIn;
  output Real result;
  output Integer[2] stateOut;
  external "C" ModelicaRandom_xorshift64star(stateIn, stateOut, result) annotation(Library = "ModelicaExternalC", Include = "#include \"ModelicaRandom.h\"");
end 'Modelica.Math.Random.Generators.Xorshift64star.random';

impure function 'Modelica.Math.Random.Utilities.automaticGlobalSeed'
  output Integer seed;
  external "C" seed = ModelicaRandom_automaticGlobalSeed(0.0) annotation(Library = "ModelicaExternalC", Include = "#include \"ModelicaRandom.h\"");
end 'Modelica.Math.Random.Utilities.automaticGlobalSeed';

function 'Modelica.Math.Random.Utilities.automaticLocalSeed'
  input String path;
  output Integer seed;
algorithm
  seed := 'Modelica.Utilities.Strings.hashString'(path);
end 'Modelica.Math.Random.Utilities.automaticLocalSeed';

function 'Modelica.Math.Random.Utilities.initialStateWithXorshift64star'
  input Integer localSeed;
  input Integer globalSeed;
  input Integer nState;
  output Integer[nState] state;
protected
  Real r;
  Integer[2] aux;
  Integer nStateEven;
algorithm
  aux := 'Modelica.Math.Random.Generators.Xorshift64star.initialState'(localSeed, globalSeed);
  if nState >= 2 then
    state[1:2] := aux;
  else
    state[1] := aux[1];
  end if;
  nStateEven := 2*div(nState, 2);
  for i in 3:2:nStateEven loop
    (r, aux) := 'Modelica.Math.Random.Generators.Xorshift64star.random'(state[i - 2:i - 1]);
    state[i:i + 1] := aux;
  end for;
  if nState >= 3 and nState <> nStateEven then
    (r, aux) := 'Modelica.Math.Random.Generators.Xorshift64star.random'(state[nState - 2:nState - 1]);
    state[nState] := aux[1];
  end if;
end 'Modelica.Math.Random.Utilities.initialStateWithXorshift64star';

function 'Modelica.Math.Random.Utilities.initializeImpureRandom'
  input Integer seed;
  output Integer id;
protected
  Integer localSeed = 715827883;
  Integer[33] rngState;
algorithm
  rngState := 'Modelica.Math.Random.Utilities.initialStateWithXorshift64star'(localSeed, seed, size(rngState, 1));
  id := localSeed;
  'Modelica.Math.Random.Utilities.initializeImpureRandom.setInternalState'(rngState, id);
end 'Modelica.Math.Random.Utilities.initializeImpureRandom';

impure function 'Modelica.Math.Random.Utilities.initializeImpureRandom.setInternalState'
  input Integer[33] rngState;
  input Integer id;
  external "C" ModelicaRandom_setInternalState_xorshift1024star(rngState, size(rngState, 1), id) annotation(Library = "ModelicaExternalC", Include = "#include \"ModelicaRandom.h\"");
end 'Modelica.Math.Random.Utilities.initializeImpureRandom.setInternalState';

pure function 'Modelica.Utilities.Strings.hashString'
  input String string;
  output Integer hash;
  external "C" hash = ModelicaStrings_hashString(string) annotation(Library = "ModelicaExternalC", Include = "#include \"ModelicaStrings.h\"");
end 'Modelica.Utilities.Strings.hashString';

model 'Modelica.Blocks.Examples.Noise.UniformNoise' "Demonstrates the most simple usage of the UniformNoise block"
  output Real uniformNoise2_y = 'uniformNoise2.y';
  parameter Boolean 'globalSeed.enableNoise' = true "= true, if noise blocks generate noise as output; = false, if they generate a constant output";
  parameter Boolean 'globalSeed.useAutomaticSeed' = false "= true, choose a seed by system time and process id; = false, use fixedSeed";
  parameter Integer 'globalSeed.fixedSeed' = 67867967 "Fixed global seed for random number generators (if useAutomaticSeed = false)";
  parameter Integer 'globalSeed.seed'(fixed = false) "Actually used global seed";
  parameter Integer 'globalSeed.id_impure'(fixed = false) "ID for impure random number generators Modelica.Math.Random.Utilities.impureXXX";
  Real 'uniformNoise1.y' "Connector of Real output signal";
  parameter Real 'uniformNoise1.samplePeriod'(start = 0.01, unit = "s", quantity = "Time") = 0.02 "Period for sampling the raw random numbers";
  parameter Boolean 'uniformNoise1.enableNoise' = 'globalSeed.enableNoise' "= true: y = noise, otherwise y = y_off";
  parameter Real 'uniformNoise1.y_off' = 0.0 "Sets y = y_off if enableNoise=false (or time<startTime, see below)";
  parameter Boolean 'uniformNoise1.useGlobalSeed' = true "= true: use global seed, otherwise ignore it";
  parameter Boolean 'uniformNoise1.useAutomaticLocalSeed' = true "= true: use automatic local seed, otherwise use fixedLocalSeed";
  parameter Integer 'uniformNoise1.fixedLocalSeed' = 1 "Local seed (any Integer number)";
  parameter Real 'uniformNoise1.startTime'(unit = "s", quantity = "Time") = 0.0 "Start time for sampling the raw random numbers";
  parameter Integer 'uniformNoise1.localSeed'(fixed = false) "The actual localSeed";
protected
  parameter Integer 'uniformNoise1.actualGlobalSeed' = if 'uniformNoise1.useGlobalSeed' then 'globalSeed.seed' else 0 "The global seed, which is actually used";
  parameter Boolean 'uniformNoise1.generateNoise' = 'uniformNoise1.enableNoise' and 'globalSeed.enableNoise' "= true, if noise shall be generated, otherwise no noise";
  Integer[4] 'uniformNoise1.state' "Internal state of random number generator";
  discrete Real 'uniformNoise1.r' "Random number according to the desired distribution";
  discrete Real 'uniformNoise1.r_raw' "Uniform random number in the range (0,1]";
public
  parameter Real 'uniformNoise1.y_min'(start = 0) = -1 "Lower limit of y";
  parameter Real 'uniformNoise1.y_max'(start = 1) = 3 "Upper limit of y";
  Real 'uniformNoise2.y' "Connector of Real output signal";
  parameter Real 'uniformNoise2.samplePeriod'(start = 0.01, unit = "s", quantity = "Time") = 0.02 "Period for sampling the raw random numbers";
  parameter Boolean 'uniformNoise2.enableNoise' = 'globalSeed.enableNoise' "= true: y = noise, otherwise y = y_off";
  parameter Real 'uniformNoise2.y_off' = 0.0 "Sets y = y_off if enableNoise=false (or time<startTime, see below)";
  parameter Boolean 'uniformNoise2.useGlobalSeed' = true "= true: use global seed, otherwise ignore it";
  parameter Boolean 'uniformNoise2.useAutomaticLocalSeed' = false "= true: use automatic local seed, otherwise use fixedLocalSeed";
  parameter Integer 'uniformNoise2.fixedLocalSeed' = 10 "Local seed (any Integer number)";
  parameter Real 'uniformNoise2.startTime'(unit = "s", quantity = "Time") = 0.0 "Start time for sampling the raw random numbers";
  parameter Integer 'uniformNoise2.localSeed'(fixed = false) "The actual localSeed";
protected
  parameter Integer 'uniformNoise2.actualGlobalSeed' = if 'uniformNoise2.useGlobalSeed' then 'globalSeed.seed' else 0 "The global seed, which is actually used";
  parameter Boolean 'uniformNoise2.generateNoise' = 'uniformNoise2.enableNoise' and 'globalSeed.enableNoise' "= true, if noise shall be generated, otherwise no noise";
  Integer[4] 'uniformNoise2.state' "Internal state of random number generator";
  discrete Real 'uniformNoise2.r' "Random number according to the desired distribution";
  discrete Real 'uniformNoise2.r_raw' "Uniform random number in the range (0,1]";
public
  parameter Real 'uniformNoise2.y_min'(start = 0) = -1 "Lower limit of y";
  parameter Real 'uniformNoise2.y_max'(start = 1) = 3 "Upper limit of y";
initial equation
  'globalSeed.seed' = if 'globalSeed.useAutomaticSeed' then 'Modelica.Math.Random.Utilities.automaticGlobalSeed'() else 'globalSeed.fixedSeed';
  'globalSeed.id_impure' = 'Modelica.Math.Random.Utilities.initializeImpureRandom'('globalSeed.seed');
  'uniformNoise1.localSeed' = if 'uniformNoise1.useAutomaticLocalSeed' then 'Modelica.Math.Random.Utilities.automaticLocalSeed'("UniformNoise.uniformNoise1") else 'uniformNoise1.fixedLocalSeed';
  pre('uniformNoise1.state') = 'Modelica.Math.Random.Generators.Xorshift128plus.initialState'('uniformNoise1.localSeed', 'uniformNoise1.actualGlobalSeed');
  'uniformNoise1.r_raw' = 'Modelica.Math.Random.Generators.Xorshift128plus.random'(pre('uniformNoise1.state'));
  'uniformNoise1.r' = 'Modelica.Math.Distributions.Uniform.quantile'('uniformNoise1.r_raw', 'uniformNoise1.y_min', 'uniformNoise1.y_max');
  'uniformNoise2.localSeed' = if 'uniformNoise2.useAutomaticLocalSeed' then 'Modelica.Math.Random.Utilities.automaticLocalSeed'("UniformNoise.uniformNoise2") else 'uniformNoise2.fixedLocalSeed';
  pre('uniformNoise2.state') = 'Modelica.Math.Random.Generators.Xorshift128plus.initialState'('uniformNoise2.localSeed', 'uniformNoise2.actualGlobalSeed');
  'uniformNoise2.r_raw' = 'Modelica.Math.Random.Generators.Xorshift128plus.random'(pre('uniformNoise2.state'));
  'uniformNoise2.r' = 'Modelica.Math.Distributions.Uniform.quantile'('uniformNoise2.r_raw', 'uniformNoise2.y_min', 'uniformNoise2.y_max');
equation
  when 'uniformNoise1.generateNoise' and sample('uniformNoise1.startTime', 'uniformNoise1.samplePeriod') then
    ('uniformNoise1.r_raw', 'uniformNoise1.state') = 'Modelica.Math.Random.Generators.Xorshift128plus.random'(pre('uniformNoise1.state'));
  end when;
  'uniformNoise1.y' = if not 'uniformNoise1.generateNoise' or time < 'uniformNoise1.startTime' then 'uniformNoise1.y_off' else 'uniformNoise1.r';
  when 'uniformNoise1.generateNoise' and sample('uniformNoise1.startTime', 'uniformNoise1.samplePeriod') then
    'uniformNoise1.r' = 'Modelica.Math.Distributions.Uniform.quantile'('uniformNoise1.r_raw', 'uniformNoise1.y_min', 'uniformNoise1.y_max');
  end when;
  when 'uniformNoise2.generateNoise' and sample('uniformNoise2.startTime', 'uniformNoise2.samplePeriod') then
    ('uniformNoise2.r_raw', 'uniformNoise2.state') = 'Modelica.Math.Random.Generators.Xorshift128plus.random'(pre('uniformNoise2.state'));
  end when;
  'uniformNoise2.y' = if not 'uniformNoise2.generateNoise' or time < 'uniformNoise2.startTime' then 'uniformNoise2.y_off' else 'uniformNoise2.r';
  when 'uniformNoise2.generateNoise' and sample('uniformNoise2.startTime', 'uniformNoise2.samplePeriod') then
    'uniformNoise2.r' = 'Modelica.Math.Distributions.Uniform.quantile'('uniformNoise2.r_raw', 'uniformNoise2.y_min', 'uniformNoise2.y_max');
  end when;
  annotation(experiment(StopTime = 2.0), __rhei(paths = true));
end 'Modelica.Blocks.Examples.Noise.UniformNoise';
