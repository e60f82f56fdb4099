type 'Modelica.Blocks.Types.LimiterHomotopy' = enumeration(NoHomotopy, Linear, UpperLimit, LowerLimit);

function 'Modelica.Math.sin'
  input Real u;
  output Real y;
algorithm
  y := sin(u);
  annotation(Inline = true);
end 'Modelica.Math.sin';

model 'Modelica.Electrical.PowerConverters.Examples.ACDC.Rectifier1Pulse.Thyristor1Pulse_R' "One pulse rectifier with resistive load and constant firing angle"
  parameter Real Vrms(unit = "V", quantity = "ElectricPotential") = 110 "RMS supply voltage";
  parameter Real f(unit = "Hz", quantity = "Frequency") = 50 "Frequency";
  Real 'voltagesensor.p.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'voltagesensor.p.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'voltagesensor.n.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'voltagesensor.n.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'voltagesensor.v'(unit = "V") "Voltage between pin p and n (= p.v - n.v) as output signal";
  parameter Real 'sinevoltage.V'(start = 1, unit = "V", quantity = "ElectricPotential") = sqrt(2)*Vrms "Amplitude of sine wave";
  parameter Real 'sinevoltage.phase'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 0 "Phase of sine wave";
  parameter Real 'sinevoltage.f'(start = 1, unit = "Hz", quantity = "Frequency") = f "Frequency of sine wave";
  Real 'sinevoltage.v'(unit = "V", quantity = "ElectricPotential") "Voltage drop of the two pins (= p.v - n.v)";
  Real 'sinevoltage.p.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'sinevoltage.p.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'sinevoltage.n.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'sinevoltage.n.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'sinevoltage.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing from pin p to pin n";
  parameter Real 'sinevoltage.signalSource.amplitude' = 'sinevoltage.V' "Amplitude of sine wave";
  parameter Real 'sinevoltage.signalSource.f'(start = 1, unit = "Hz", quantity = "Frequency") = 'sinevoltage.f' "Frequency of sine wave";
  parameter Real 'sinevoltage.signalSource.phase'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 'sinevoltage.phase' "Phase of sine wave";
  parameter Boolean 'sinevoltage.signalSource.continuous' = false "Make output continuous by starting at offset + amplitude*sin(phase)" annotation(Evaluate = true);
  Real 'sinevoltage.signalSource.y' "Connector of Real output signal";
  parameter Real 'sinevoltage.signalSource.offset' = 'sinevoltage.offset' "Offset of output signal y";
  parameter Real 'sinevoltage.signalSource.startTime'(unit = "s", quantity = "Time") = 'sinevoltage.startTime' "Output y = offset for time < startTime";
  parameter Real 'sinevoltage.offset'(unit = "V", quantity = "ElectricPotential") = 0 "Voltage offset";
  parameter Real 'sinevoltage.startTime'(unit = "s", quantity = "Time") = 0 "Time offset";
  Real 'ground.p.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'ground.p.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'currentSensor.p.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'currentSensor.p.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'currentSensor.n.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'currentSensor.n.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'currentSensor.i'(unit = "A") "Current in the branch from p to n as output signal";
  Real 'meanVoltage.u' "Connector of Real input signal";
  Real 'meanVoltage.y' "Connector of Real output signal";
  parameter Real 'meanVoltage.f'(start = 50, unit = "Hz", quantity = "Frequency") = f "Base frequency";
  parameter Real 'meanVoltage.x0' = 0 "Start value of integrator state";
  parameter Real 'meanVoltage.y0' = 0 "Start value of output";
  parameter Boolean 'meanVoltage.yGreaterOrEqualZero' = false "= true, if output y is guaranteed to be >= 0 for the exact solution" annotation(Evaluate = true);
protected
  parameter Real 'meanVoltage.t0'(fixed = false, unit = "s", quantity = "Time") "Start time of simulation";
  Real 'meanVoltage.x' "Integrator state";
  discrete Real 'meanVoltage.y_last' "Last sampled mean value";
public
  Real 'rootMeanSquareVoltage.u' "Connector of Real input signal";
  Real 'rootMeanSquareVoltage.y' "Connector of Real output signal";
  parameter Real 'rootMeanSquareVoltage.f'(start = 50, unit = "Hz", quantity = "Frequency") = f "Base frequency";
  parameter Real 'rootMeanSquareVoltage.x0' = 0 "Start value of integrator state";
  parameter Real 'rootMeanSquareVoltage.y0'(min = 0) = 0 "Start value of output";
  parameter Integer 'rootMeanSquareVoltage.product.significantDigits'(min = 1) = 3 "Number of significant digits to be shown in dynamic diagram layer for y";
  parameter Integer 'rootMeanSquareVoltage.product.nu'(min = 0) = 2 "Number of input connections" annotation(Evaluate = true);
  Real[2] 'rootMeanSquareVoltage.product.u';
  Real 'rootMeanSquareVoltage.product.y';
  Real 'rootMeanSquareVoltage.mean.u' "Connector of Real input signal";
  Real 'rootMeanSquareVoltage.mean.y' "Connector of Real output signal";
  parameter Real 'rootMeanSquareVoltage.mean.f'(start = 50, unit = "Hz", quantity = "Frequency") = 'rootMeanSquareVoltage.f' "Base frequency";
  parameter Real 'rootMeanSquareVoltage.mean.x0' = 'rootMeanSquareVoltage.x0' "Start value of integrator state";
  parameter Real 'rootMeanSquareVoltage.mean.y0' = 'rootMeanSquareVoltage.y0'^2 "Start value of output";
  parameter Boolean 'rootMeanSquareVoltage.mean.yGreaterOrEqualZero' = true "= true, if output y is guaranteed to be >= 0 for the exact solution" annotation(Evaluate = true);
protected
  parameter Real 'rootMeanSquareVoltage.mean.t0'(fixed = false, unit = "s", quantity = "Time") "Start time of simulation";
  Real 'rootMeanSquareVoltage.mean.x' "Integrator state";
  discrete Real 'rootMeanSquareVoltage.mean.y_last' "Last sampled mean value";
public
  Real 'rootMeanSquareVoltage.sqrt1.u' "Connector of Real input signal";
  Real 'rootMeanSquareVoltage.sqrt1.y' "Connector of Real output signal";
  Real 'meanCurrent.u' "Connector of Real input signal";
  Real 'meanCurrent.y' "Connector of Real output signal";
  parameter Real 'meanCurrent.f'(start = 50, unit = "Hz", quantity = "Frequency") = f "Base frequency";
  parameter Real 'meanCurrent.x0' = 0 "Start value of integrator state";
  parameter Real 'meanCurrent.y0' = 0 "Start value of output";
  parameter Boolean 'meanCurrent.yGreaterOrEqualZero' = false "= true, if output y is guaranteed to be >= 0 for the exact solution" annotation(Evaluate = true);
protected
  parameter Real 'meanCurrent.t0'(fixed = false, unit = "s", quantity = "Time") "Start time of simulation";
  Real 'meanCurrent.x' "Integrator state";
  discrete Real 'meanCurrent.y_last' "Last sampled mean value";
public
  parameter Real 'pulse2.f'(unit = "Hz", quantity = "Frequency") = f "Frequency";
  parameter Boolean 'pulse2.useConstantFiringAngle' = true "Use constant firing angle instead of signal input" annotation(Evaluate = true);
  parameter Real 'pulse2.constantFiringAngle'(unit = "rad", displayUnit = "deg", quantity = "Angle") = constantFiringAngle "Firing angle";
  parameter Real 'pulse2.firingAngleMax'(min = 0, max = 3.141592653589793, unit = "rad", displayUnit = "deg", quantity = "Angle") = 3.141592653589793 "Maximum firing angle";
  parameter Boolean 'pulse2.useFilter' = false "Enable use of filter" annotation(Evaluate = true);
  parameter Real 'pulse2.fCut'(unit = "Hz", quantity = "Frequency") = 2*'pulse2.f' "Cut off frequency of filter";
  parameter Real 'pulse2.vStart'(unit = "V", quantity = "ElectricPotential") = 0 "Start voltage of filter output";
  parameter Integer 'pulse2.twoPulse.m'(min = 1) = 1 "Number of phases" annotation(Evaluate = true);
  parameter Boolean 'pulse2.twoPulse.useConstantFiringAngle' = true "Use constant firing angle instead of signal input" annotation(Evaluate = true);
  parameter Real 'pulse2.twoPulse.constantFiringAngle'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 'pulse2.constantFiringAngle' "Firing angle";
  parameter Boolean 'pulse2.twoPulse.useFilter' = false "Enable use of filter" annotation(Evaluate = true);
  parameter Real 'pulse2.twoPulse.f'(unit = "Hz", quantity = "Frequency") = 'pulse2.f' "Frequency";
  parameter Real 'pulse2.twoPulse.fCut'(unit = "Hz", quantity = "Frequency") = 'pulse2.fCut' "Cut off frequency of filter";
  parameter Real[1] 'pulse2.twoPulse.vStart'(each unit = "V", each quantity = "ElectricPotential") = fill('pulse2.vStart', 1) "Start voltage of filter output";
  parameter Real 'pulse2.twoPulse.firingAngleMax'(min = 0, max = 3.141592653589793, unit = "rad", displayUnit = "deg", quantity = "Angle") = 'pulse2.firingAngleMax' "Maximum firing angle";
  parameter Real 'pulse2.twoPulse.firingAngleMin'(min = 0, max = 3.141592653589793, unit = "rad", displayUnit = "deg", quantity = "Angle") = 0 "Minimum firing angle";
  parameter Real 'pulse2.twoPulse.constantconstantFiringAngle.k'(start = 1) = 'pulse2.twoPulse.constantFiringAngle' "Constant output value";
  Real 'pulse2.twoPulse.constantconstantFiringAngle.y' "Connector of Real output signal";
  parameter Real[1] 'pulse2.twoPulse.positiveThreshold[:].threshold' = zeros('pulse2.twoPulse.m') "Comparison with respect to threshold";
  Real[1] 'pulse2.twoPulse.positiveThreshold[:].u' "Connector of Real input signal";
  Boolean[1] 'pulse2.twoPulse.positiveThreshold[:].y' "Connector of Boolean output signal";
  parameter Real[1] 'pulse2.twoPulse.negativeThreshold[:].threshold' = zeros('pulse2.twoPulse.m') "Comparison with respect to threshold";
  Real[1] 'pulse2.twoPulse.negativeThreshold[:].u' "Connector of Real input signal";
  Boolean[1] 'pulse2.twoPulse.negativeThreshold[:].y' "Connector of Boolean output signal";
  Boolean[1] 'pulse2.twoPulse.timerPositive[:].u' "Connector of Boolean input signal";
  Real[1] 'pulse2.twoPulse.timerPositive[:].y' "Connector of Real output signal";
protected
  discrete Real[1] 'pulse2.twoPulse.timerPositive[:].entryTime'(each unit = "s", each quantity = "Time") "Time instant when u became true";
public
  Boolean[1] 'pulse2.twoPulse.timerNegative[:].u' "Connector of Boolean input signal";
  Real[1] 'pulse2.twoPulse.timerNegative[:].y' "Connector of Real output signal";
protected
  discrete Real[1] 'pulse2.twoPulse.timerNegative[:].entryTime'(each unit = "s", each quantity = "Time") "Time instant when u became true";
public
  Real[1] 'pulse2.twoPulse.greaterPositive[:].u1' "Connector of first Real input signal";
  Real[1] 'pulse2.twoPulse.greaterPositive[:].u2' "Connector of second Real input signal";
  Boolean[1] 'pulse2.twoPulse.greaterPositive[:].y' "Connector of Boolean output signal";
  Real[1] 'pulse2.twoPulse.greaterNegative[:].u1' "Connector of first Real input signal";
  Real[1] 'pulse2.twoPulse.greaterNegative[:].u2' "Connector of second Real input signal";
  Boolean[1] 'pulse2.twoPulse.greaterNegative[:].y' "Connector of Boolean output signal";
  Boolean[1] 'pulse2.twoPulse.fire_p';
  Boolean[1] 'pulse2.twoPulse.fire_n';
  parameter Real 'pulse2.twoPulse.gain.k'(start = 1) = 0.3183098861837907 "Gain value multiplied with input signal" annotation(Evaluate = true);
  Real 'pulse2.twoPulse.gain.u' "Input signal connector";
  Real 'pulse2.twoPulse.gain.y' "Output signal connector";
  parameter Integer 'pulse2.twoPulse.replicator.nout' = 1 "Number of outputs" annotation(Evaluate = true);
  Real 'pulse2.twoPulse.replicator.u' "Connector of Real input signal";
  Real[1] 'pulse2.twoPulse.replicator.y' "Connector of Real output signals";
  parameter Real 'pulse2.twoPulse.limiter.uMax'(start = 1) = min('pulse2.twoPulse.firingAngleMax', 3.141592653589793) "Upper limits of input signals";
  parameter Real 'pulse2.twoPulse.limiter.uMin' = max('pulse2.twoPulse.firingAngleMin', 0) "Lower limits of input signals";
  parameter Boolean 'pulse2.twoPulse.limiter.strict' = false "= true, if strict limits with noEvent(..)" annotation(Evaluate = true);
  parameter 'Modelica.Blocks.Types.LimiterHomotopy' 'pulse2.twoPulse.limiter.homotopyType' = 'Modelica.Blocks.Types.LimiterHomotopy'.Linear "Simplified model for homotopy-based initialization" annotation(Evaluate = true);
  Real 'pulse2.twoPulse.limiter.u' "Connector of Real input signal";
  Real 'pulse2.twoPulse.limiter.y' "Connector of Real output signal";
protected
  Real 'pulse2.twoPulse.limiter.simplifiedExpr' "Simplified expression for homotopy-based initialization";
public
  Real[1] 'pulse2.twoPulse.v'(each unit = "V") "Voltages";
  Real[1] 'pulse2.twoPulse.realPassThrough[:].u' "Connector of Real input signal";
  Real[1] 'pulse2.twoPulse.realPassThrough[:].y' "Connector of Real output signal";
  parameter Real[1] 'pulse2.twoPulse.gainPositive[:].k'(start = {1 for i in 1:1}) = fill(2*'pulse2.twoPulse.f', 1) "Gain value multiplied with input signal";
  Real[1] 'pulse2.twoPulse.gainPositive[:].u' "Input signal connector";
  Real[1] 'pulse2.twoPulse.gainPositive[:].y' "Output signal connector";
  parameter Real[1] 'pulse2.twoPulse.gainNegative[:].k'(start = {1 for i in 1:1}) = fill(2*'pulse2.twoPulse.f', 1) "Gain value multiplied with input signal";
  Real[1] 'pulse2.twoPulse.gainNegative[:].u' "Input signal connector";
  Real[1] 'pulse2.twoPulse.gainNegative[:].y' "Output signal connector";
  Real 'pulse2.ac_p.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'pulse2.ac_p.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'pulse2.ac_n.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'pulse2.ac_n.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'pulse2.voltageSensor.p.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'pulse2.voltageSensor.p.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'pulse2.voltageSensor.n.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'pulse2.voltageSensor.n.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'pulse2.voltageSensor.v'(unit = "V") "Voltage between pin p and n (= p.v - n.v) as output signal";
  Boolean 'pulse2.fire_p';
  Boolean 'pulse2.fire_n';
  Real 'idealthyristor.v'(unit = "V", quantity = "ElectricPotential") "Voltage drop of the two pins (= p.v - n.v)";
  Real 'idealthyristor.p.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'idealthyristor.p.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'idealthyristor.n.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'idealthyristor.n.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'idealthyristor.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing from pin p to pin n";
  parameter Real 'idealthyristor.Ron'(min = 0, unit = "Ohm", quantity = "Resistance") = 1e-5 "Forward state-on differential resistance (closed resistance)";
  parameter Real 'idealthyristor.Goff'(min = 0, unit = "S", quantity = "Conductance") = 1e-5 "Backward state-off conductance (opened conductance)";
  parameter Real 'idealthyristor.Vknee'(min = 0, unit = "V", quantity = "ElectricPotential") = 0 "Forward threshold voltage";
  parameter Boolean 'idealthyristor.useHeatPort' = false "= true, if heatPort is enabled" annotation(Evaluate = true);
  parameter Real 'idealthyristor.T'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") = 293.15 "Fixed device temperature if useHeatPort = false";
  Real 'idealthyristor.LossPower'(unit = "W", quantity = "Power") "Loss power leaving component via heatPort";
  Real 'idealthyristor.T_heatPort'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Temperature of heatPort";
  Boolean 'idealthyristor.off'(start = true, fixed = true) "Switching state";
protected
  Real 'idealthyristor.s'(start = 0, unit = "1") "Auxiliary variable for actual position on the ideal diode characteristic";
  constant Real 'idealthyristor.unitVoltage'(unit = "V", quantity = "ElectricPotential") = 1;
  constant Real 'idealthyristor.unitCurrent'(unit = "A", quantity = "ElectricCurrent") = 1;
public
  Boolean 'idealthyristor.fire';
  parameter Real constantFiringAngle(unit = "rad", displayUnit = "deg", quantity = "Angle") = 30*3.141592653589793/180 "Firing angle";
  parameter Real R(unit = "Ohm", quantity = "Resistance") = 20 "Load resistance";
  parameter Real 'resistor.R'(start = 1, unit = "Ohm", quantity = "Resistance") = R "Resistance at temperature T_ref";
  parameter Real 'resistor.T_ref'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") = 300.15 "Reference temperature";
  parameter Real 'resistor.alpha'(unit = "1/K", quantity = "LinearTemperatureCoefficient") = 0 "Temperature coefficient of resistance (R_actual = R*(1 + alpha*(T_heatPort - T_ref))";
  Real 'resistor.v'(unit = "V", quantity = "ElectricPotential") "Voltage drop of the two pins (= p.v - n.v)";
  Real 'resistor.p.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'resistor.p.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'resistor.n.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'resistor.n.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'resistor.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing from pin p to pin n";
  parameter Boolean 'resistor.useHeatPort' = false "= true, if heatPort is enabled" annotation(Evaluate = true);
  parameter Real 'resistor.T'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") = 'resistor.T_ref' "Fixed device temperature if useHeatPort = false";
  Real 'resistor.LossPower'(unit = "W", quantity = "Power") "Loss power leaving component via heatPort";
  Real 'resistor.T_heatPort'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Temperature of heatPort";
  Real 'resistor.R_actual'(unit = "Ohm", quantity = "Resistance") "Actual resistance = R*(1 + alpha*(T_heatPort - T_ref))";
initial equation
  'meanVoltage.t0' = time;
  'meanVoltage.x' = 'meanVoltage.x0';
  'meanVoltage.y_last' = 'meanVoltage.y0';
  'rootMeanSquareVoltage.mean.t0' = time;
  'rootMeanSquareVoltage.mean.x' = 'rootMeanSquareVoltage.mean.x0';
  'rootMeanSquareVoltage.mean.y_last' = 'rootMeanSquareVoltage.mean.y0';
  'meanCurrent.t0' = time;
  'meanCurrent.x' = 'meanCurrent.x0';
  'meanCurrent.y_last' = 'meanCurrent.y0';
  for i in 1:1 loop
    pre('pulse2.twoPulse.timerPositive[:].entryTime'[i]) = 0;
  end for;
  for i in 1:1 loop
    pre('pulse2.twoPulse.timerNegative[:].entryTime'[i]) = 0;
  end for;
equation
  'voltagesensor.p.i' = 0;
  'voltagesensor.n.i' = 0;
  'voltagesensor.v' = 'voltagesensor.p.v' - 'voltagesensor.n.v';
  'sinevoltage.signalSource.y' = 'sinevoltage.signalSource.offset' + (if time < 'sinevoltage.signalSource.startTime' then 0 else 'sinevoltage.signalSource.amplitude'*'Modelica.Math.sin'(2*3.141592653589793*'sinevoltage.signalSource.f'*(time - 'sinevoltage.signalSource.startTime') + 'sinevoltage.signalSource.phase'));
  'sinevoltage.v' = 'sinevoltage.p.v' - 'sinevoltage.n.v';
  0 = 'sinevoltage.p.i' + 'sinevoltage.n.i';
  'sinevoltage.i' = 'sinevoltage.p.i';
  'sinevoltage.v' = 'sinevoltage.signalSource.y';
  'ground.p.v' = 0;
  'currentSensor.p.v' = 'currentSensor.n.v';
  'currentSensor.p.i' = 'currentSensor.i';
  'currentSensor.n.i' = -'currentSensor.i';
  der('meanVoltage.x') = 'meanVoltage.u';
  when sample('meanVoltage.t0' + 1/'meanVoltage.f', 1/'meanVoltage.f') then
    'meanVoltage.y_last' = 'meanVoltage.f'*pre('meanVoltage.x');
    reinit('meanVoltage.x', 0);
  end when;
  'meanVoltage.y' = 'meanVoltage.y_last';
  'rootMeanSquareVoltage.product.y' = product('rootMeanSquareVoltage.product.u');
  der('rootMeanSquareVoltage.mean.x') = 'rootMeanSquareVoltage.mean.u';
  when sample('rootMeanSquareVoltage.mean.t0' + 1/'rootMeanSquareVoltage.mean.f', 1/'rootMeanSquareVoltage.mean.f') then
    'rootMeanSquareVoltage.mean.y_last' = max(0.0, 'rootMeanSquareVoltage.mean.f'*pre('rootMeanSquareVoltage.mean.x'));
    reinit('rootMeanSquareVoltage.mean.x', 0);
  end when;
  'rootMeanSquareVoltage.mean.y' = 'rootMeanSquareVoltage.mean.y_last';
  'rootMeanSquareVoltage.sqrt1.y' = sqrt('rootMeanSquareVoltage.sqrt1.u');
  der('meanCurrent.x') = 'meanCurrent.u';
  when sample('meanCurrent.t0' + 1/'meanCurrent.f', 1/'meanCurrent.f') then
    'meanCurrent.y_last' = 'meanCurrent.f'*pre('meanCurrent.x');
    reinit('meanCurrent.x', 0);
  end when;
  'meanCurrent.y' = 'meanCurrent.y_last';
  'pulse2.twoPulse.constantconstantFiringAngle.y' = 'pulse2.twoPulse.constantconstantFiringAngle.k';
  for i in 1:1 loop
    'pulse2.twoPulse.positiveThreshold[:].y'[i] = 'pulse2.twoPulse.positiveThreshold[:].u'[i] > 'pulse2.twoPulse.positiveThreshold[:].threshold'[i];
  end for;
  for i in 1:1 loop
    'pulse2.twoPulse.negativeThreshold[:].y'[i] = 'pulse2.twoPulse.negativeThreshold[:].u'[i] < 'pulse2.twoPulse.negativeThreshold[:].threshold'[i];
  end for;
  for i in 1:1 loop
    when 'pulse2.twoPulse.timerPositive[:].u'[i] then
      'pulse2.twoPulse.timerPositive[:].entryTime'[i] = time;
    end when;
  end for;
  for i in 1:1 loop
    'pulse2.twoPulse.timerPositive[:].y'[i] = if 'pulse2.twoPulse.timerPositive[:].u'[i] then time - 'pulse2.twoPulse.timerPositive[:].entryTime'[i] else 0.0;
  end for;
  for i in 1:1 loop
    when 'pulse2.twoPulse.timerNegative[:].u'[i] then
      'pulse2.twoPulse.timerNegative[:].entryTime'[i] = time;
    end when;
  end for;
  for i in 1:1 loop
    'pulse2.twoPulse.timerNegative[:].y'[i] = if 'pulse2.twoPulse.timerNegative[:].u'[i] then time - 'pulse2.twoPulse.timerNegative[:].entryTime'[i] else 0.0;
  end for;
  for i in 1:1 loop
    'pulse2.twoPulse.greaterPositive[:].y'[i] = 'pulse2.twoPulse.greaterPositive[:].u1'[i] > 'pulse2.twoPulse.greaterPositive[:].u2'[i];
  end for;
  for i in 1:1 loop
    'pulse2.twoPulse.greaterNegative[:].y'[i] = 'pulse2.twoPulse.greaterNegative[:].u1'[i] > 'pulse2.twoPulse.greaterNegative[:].u2'[i];
  end for;
  'pulse2.twoPulse.gain.y' = 'pulse2.twoPulse.gain.k'*'pulse2.twoPulse.gain.u';
  'pulse2.twoPulse.replicator.y' = fill('pulse2.twoPulse.replicator.u', 'pulse2.twoPulse.replicator.nout');
  assert('pulse2.twoPulse.limiter.uMax' >= 'pulse2.twoPulse.limiter.uMin', "Limiter: Limits must be consistent. However, uMax (=" + String('pulse2.twoPulse.limiter.uMax') + ") < uMin (=" + String('pulse2.twoPulse.limiter.uMin') + ")");
  'pulse2.twoPulse.limiter.simplifiedExpr' = 'pulse2.twoPulse.limiter.u';
  'pulse2.twoPulse.limiter.y' = homotopy(smooth(0, if 'pulse2.twoPulse.limiter.u' > 'pulse2.twoPulse.limiter.uMax' then 'pulse2.twoPulse.limiter.uMax' else if 'pulse2.twoPulse.limiter.u' < 'pulse2.twoPulse.limiter.uMin' then 'pulse2.twoPulse.limiter.uMin' else 'pulse2.twoPulse.limiter.u'), 'pulse2.twoPulse.limiter.simplifiedExpr');
  for i in 1:1 loop
    'pulse2.twoPulse.realPassThrough[:].y'[i] = 'pulse2.twoPulse.realPassThrough[:].u'[i];
  end for;
  for i in 1:1 loop
    'pulse2.twoPulse.gainPositive[:].y'[i] = 'pulse2.twoPulse.gainPositive[:].k'[i]*'pulse2.twoPulse.gainPositive[:].u'[i];
  end for;
  for i in 1:1 loop
    'pulse2.twoPulse.gainNegative[:].y'[i] = 'pulse2.twoPulse.gainNegative[:].k'[i]*'pulse2.twoPulse.gainNegative[:].u'[i];
  end for;
  assert('pulse2.twoPulse.firingAngleMax' > 'pulse2.twoPulse.firingAngleMin', "Signal2mPulse: firingAngleMax has to be greater than firingAngleMin");
  'pulse2.voltageSensor.p.i' = 0;
  'pulse2.voltageSensor.n.i' = 0;
  'pulse2.voltageSensor.v' = 'pulse2.voltageSensor.p.v' - 'pulse2.voltageSensor.n.v';
  'idealthyristor.v' = 'idealthyristor.p.v' - 'idealthyristor.n.v';
  0 = 'idealthyristor.p.i' + 'idealthyristor.n.i';
  'idealthyristor.i' = 'idealthyristor.p.i';
  'idealthyristor.T_heatPort' = 'idealthyristor.T';
  'idealthyristor.v' = 'idealthyristor.s'*'idealthyristor.unitCurrent'*(if 'idealthyristor.off' then 1 else 'idealthyristor.Ron') + 'idealthyristor.Vknee';
  'idealthyristor.i' = 'idealthyristor.s'*'idealthyristor.unitVoltage'*(if 'idealthyristor.off' then 'idealthyristor.Goff' else 1) + 'idealthyristor.Goff'*'idealthyristor.Vknee';
  'idealthyristor.LossPower' = 'idealthyristor.v'*'idealthyristor.i';
  'idealthyristor.off' = 'idealthyristor.s' < 0 or pre('idealthyristor.off') and not 'idealthyristor.fire';
  'resistor.v' = 'resistor.p.v' - 'resistor.n.v';
  0 = 'resistor.p.i' + 'resistor.n.i';
  'resistor.i' = 'resistor.p.i';
  'resistor.T_heatPort' = 'resistor.T';
  assert(1 + 'resistor.alpha'*('resistor.T_heatPort' - 'resistor.T_ref') >= 2.220446049250313e-16, "Temperature outside scope of model!");
  'resistor.R_actual' = 'resistor.R'*(1 + 'resistor.alpha'*('resistor.T_heatPort' - 'resistor.T_ref'));
  'resistor.v' = 'resistor.R_actual'*'resistor.i';
  'resistor.LossPower' = 'resistor.v'*'resistor.i';
  'rootMeanSquareVoltage.product.y' = 'rootMeanSquareVoltage.mean.u';
  'rootMeanSquareVoltage.mean.y' = 'rootMeanSquareVoltage.sqrt1.u';
  'rootMeanSquareVoltage.sqrt1.y' = 'rootMeanSquareVoltage.y';
  'rootMeanSquareVoltage.u' = 'rootMeanSquareVoltage.product.u'[1];
  'rootMeanSquareVoltage.product.u'[1] = 'rootMeanSquareVoltage.product.u'[2];
  'pulse2.twoPulse.positiveThreshold[:].y' = 'pulse2.twoPulse.timerPositive[:].u';
  'pulse2.twoPulse.negativeThreshold[:].y' = 'pulse2.twoPulse.timerNegative[:].u';
  'pulse2.twoPulse.greaterPositive[:].y' = 'pulse2.twoPulse.fire_p';
  'pulse2.twoPulse.greaterNegative[:].y' = 'pulse2.twoPulse.fire_n';
  'pulse2.twoPulse.gain.y' = 'pulse2.twoPulse.replicator.u';
  'pulse2.twoPulse.replicator.y' = 'pulse2.twoPulse.greaterPositive[:].u2';
  'pulse2.twoPulse.greaterPositive[:].u2' = 'pulse2.twoPulse.greaterNegative[:].u2';
  'pulse2.twoPulse.limiter.y' = 'pulse2.twoPulse.gain.u';
  'pulse2.twoPulse.constantconstantFiringAngle.y' = 'pulse2.twoPulse.limiter.u';
  'pulse2.twoPulse.realPassThrough[:].u' = 'pulse2.twoPulse.v';
  'pulse2.twoPulse.realPassThrough[:].y' = 'pulse2.twoPulse.positiveThreshold[:].u';
  'pulse2.twoPulse.positiveThreshold[:].u' = 'pulse2.twoPulse.negativeThreshold[:].u';
  'pulse2.twoPulse.timerPositive[:].y' = 'pulse2.twoPulse.gainPositive[:].u';
  'pulse2.twoPulse.gainPositive[:].y' = 'pulse2.twoPulse.greaterPositive[:].u1';
  'pulse2.twoPulse.gainNegative[:].y' = 'pulse2.twoPulse.greaterNegative[:].u1';
  'pulse2.twoPulse.timerNegative[:].y' = 'pulse2.twoPulse.gainNegative[:].u';
  'pulse2.voltageSensor.v' = 'pulse2.twoPulse.v'[1];
  'pulse2.voltageSensor.p.v' = 'pulse2.ac_p.v';
  'pulse2.voltageSensor.n.v' = 'pulse2.ac_n.v';
  'pulse2.twoPulse.fire_n'[1] = 'pulse2.fire_n';
  'pulse2.twoPulse.fire_p'[1] = 'pulse2.fire_p';
  'meanCurrent.u' = 'currentSensor.i';
  'ground.p.v' = 'sinevoltage.n.v';
  'sinevoltage.n.v' = 'currentSensor.n.v';
  'currentSensor.n.v' = 'pulse2.ac_n.v';
  'voltagesensor.v' = 'meanVoltage.u';
  'meanVoltage.u' = 'rootMeanSquareVoltage.u';
  'sinevoltage.p.v' = 'idealthyristor.p.v';
  'idealthyristor.p.v' = 'pulse2.ac_p.v';
  'pulse2.fire_p' = 'idealthyristor.fire';
  'voltagesensor.n.v' = 'currentSensor.p.v';
  'currentSensor.p.v' = 'resistor.n.v';
  'idealthyristor.n.v' = 'voltagesensor.p.v';
  'voltagesensor.p.v' = 'resistor.p.v';
  'pulse2.voltageSensor.p.i' - 'pulse2.ac_p.i' = 0.0;
  'pulse2.voltageSensor.n.i' - 'pulse2.ac_n.i' = 0.0;
  'ground.p.i' + 'sinevoltage.n.i' + 'currentSensor.n.i' + 'pulse2.ac_n.i' = 0.0;
  'sinevoltage.p.i' + 'idealthyristor.p.i' + 'pulse2.ac_p.i' = 0.0;
  'voltagesensor.n.i' + 'currentSensor.p.i' + 'resistor.n.i' = 0.0;
  'idealthyristor.n.i' + 'voltagesensor.p.i' + 'resistor.p.i' = 0.0;
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-6, Interval = 0.0002), __rhei(paths = true));
end 'Modelica.Electrical.PowerConverters.Examples.ACDC.Rectifier1Pulse.Thyristor1Pulse_R';
