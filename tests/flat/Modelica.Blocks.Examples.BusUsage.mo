function 'Modelica.Math.sin'
  input Real u;
  output Real y;
algorithm
  y := sin(u);
  annotation(Inline = true);
end 'Modelica.Math.sin';

model 'Modelica.Blocks.Examples.BusUsage' "Demonstrates the usage of a signal bus"
  parameter Integer 'integerStep.height' = 1 "Height of step";
  Integer 'integerStep.y' "Connector of Integer output signal";
  parameter Integer 'integerStep.offset' = 2 "Offset of output signal y";
  parameter Real 'integerStep.startTime'(unit = "s", quantity = "Time") = 0.5 "Output y = offset for time < startTime";
  parameter Real 'booleanStep.startTime'(unit = "s", quantity = "Time") = 0.5 "Time instant of step start";
  parameter Boolean 'booleanStep.startValue' = false "Output before startTime";
  Boolean 'booleanStep.y' "Connector of Boolean output signal";
  parameter Real 'sine.amplitude' = 1 "Amplitude of sine wave";
  parameter Real 'sine.f'(start = 1, unit = "Hz", quantity = "Frequency") = 1 "Frequency of sine wave";
  parameter Real 'sine.phase'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 0 "Phase of sine wave";
  parameter Boolean 'sine.continuous' = false "Make output continuous by starting at offset + amplitude*sin(phase)" annotation(Evaluate = true);
  Real 'sine.y' "Connector of Real output signal";
  parameter Real 'sine.offset' = 0 "Offset of output signal y";
  parameter Real 'sine.startTime'(unit = "s", quantity = "Time") = 0 "Output y = offset for time < startTime";
  Real 'part.subControlBus.myRealSignal';
  Boolean 'part.subControlBus.myBooleanSignal';
  Real 'part.realExpression.y' = time "Value of Real output";
  Boolean 'part.booleanExpression.y' = time >= 0.5 "Value of Boolean output";
  parameter Real 'gain.k'(start = 1) = 1 "Gain value multiplied with input signal";
  Real 'gain.u' "Input signal connector";
  Real 'gain.y' "Output signal connector";
protected
  Real 'controlBus.realSignal1'(unit = "rad/s", quantity = "AngularVelocity") "First Real signal (angular velocity)";
  Integer 'controlBus.integerSignal' "Integer signal";
  Boolean 'controlBus.booleanSignal' "Boolean signal";
  Real 'controlBus.subControlBus.myRealSignal';
  Boolean 'controlBus.subControlBus.myBooleanSignal';
equation
  'integerStep.y' = 'integerStep.offset' + (if time < 'integerStep.startTime' then 0 else 'integerStep.height');
  'booleanStep.y' = if time >= 'booleanStep.startTime' then not 'booleanStep.startValue' else 'booleanStep.startValue';
  'sine.y' = 'sine.offset' + (if time < 'sine.startTime' then 0 else 'sine.amplitude'*'Modelica.Math.sin'(2*3.141592653589793*'sine.f'*(time - 'sine.startTime') + 'sine.phase'));
  'gain.y' = 'gain.k'*'gain.u';
  'part.realExpression.y' = 'part.subControlBus.myRealSignal';
  'part.booleanExpression.y' = 'part.subControlBus.myBooleanSignal';
  'sine.y' = 'controlBus.realSignal1';
  'controlBus.realSignal1' = 'gain.u';
  'booleanStep.y' = 'controlBus.booleanSignal';
  'integerStep.y' = 'controlBus.integerSignal';
  'part.subControlBus.myRealSignal' = 'controlBus.subControlBus.myRealSignal';
  'part.subControlBus.myBooleanSignal' = 'controlBus.subControlBus.myBooleanSignal';
  annotation(experiment(StopTime = 2.0), __rhei(paths = true));
end 'Modelica.Blocks.Examples.BusUsage';
