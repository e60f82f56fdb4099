type 'Modelica.Clocked.Types.Resolution' = enumeration(y, d, h, m, s, ms, us, ns);

function 'Modelica.Math.sin'
  input Real u;
  output Real y;
algorithm
  y := sin(u);
  annotation(Inline = true);
end 'Modelica.Math.sin';

model 'Modelica.Clocked.Examples.Elementary.RealSignals.Sample1' "Example of a Sample block for Real signals"
  parameter Real 'sine.amplitude' = 1 "Amplitude of sine wave";
  parameter Real 'sine.f'(start = 1, unit = "Hz", quantity = "Frequency") = 2 "Frequency of sine wave";
  parameter Real 'sine.phase'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 0 "Phase of sine wave";
  parameter Boolean 'sine.continuous' = false "Make output continuous by starting at offset + amplitude*sin(phase)" annotation(Evaluate = true);
  Real 'sine.y' "Connector of Real output signal";
  parameter Real 'sine.offset' = 0.1 "Offset of output signal y";
  parameter Real 'sine.startTime'(unit = "s", quantity = "Time") = 0 "Output y = offset for time < startTime";
  Real 'sample1.u' "Connector of continuous-time, Real input signal";
  Real 'sample1.y' "Connector of clocked, Real output signal";
  Real 'assignClock.u' "Connector of clocked, Real input signal";
  Real 'assignClock.y' "Connector of clocked, Real output signal";
  Clock 'assignClock.clock';
  parameter Integer 'periodicClock.factor'(min = 0) = 20 "Sample factor with respect to resolution" annotation(Evaluate = true);
  parameter 'Modelica.Clocked.Types.Resolution' 'periodicClock.resolution' = 'Modelica.Clocked.Types.Resolution'.ms "Clock resolution" annotation(Evaluate = true);
  parameter Boolean 'periodicClock.useSolver' = false "= true, if solverMethod shall be explicitly defined" annotation(Evaluate = true);
  parameter String 'periodicClock.solverMethod' = "ExplicitEuler" "Integration method used for discretized continuous-time partitions";
  Clock 'periodicClock.y';
protected
  constant Integer[8] 'periodicClock.conversionTable' = {31536000, 86400, 3600, 60, 1, 1000, 1000000, 1000000000} "Table to convert from Resolution to Integer clock resolution";
  parameter Integer 'periodicClock.resolutionFactor' = 1000 annotation(Evaluate = true);
  Clock 'periodicClock.c';
equation
  'sine.y' = 'sine.offset' + (if time < 'sine.startTime' then 0 else 'sine.amplitude'*'Modelica.Math.sin'(2*3.141592653589793*'sine.f'*(time - 'sine.startTime') + 'sine.phase'));
  'sample1.y' = sample('sample1.u');
  when 'assignClock.clock' then
    'assignClock.y' = 'assignClock.u';
  end when;
  'periodicClock.c' = Clock('periodicClock.factor', 'periodicClock.resolutionFactor');
  'periodicClock.y' = 'periodicClock.c';
  'sine.y' = 'sample1.u';
  'sample1.y' = 'assignClock.u';
  'periodicClock.y' = 'assignClock.clock';
  annotation(experiment(StopTime = 0.2), __rhei(paths = true));
end 'Modelica.Clocked.Examples.Elementary.RealSignals.Sample1';
