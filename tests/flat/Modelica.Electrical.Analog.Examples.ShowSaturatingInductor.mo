function 'Modelica.Math.atan'
  input Real u;
  output Real y;
algorithm
  y := atan(u);
  annotation(Inline = true);
end 'Modelica.Math.atan';

function 'Modelica.Math.sin'
  input Real u;
  output Real y;
algorithm
  y := sin(u);
  annotation(Inline = true);
end 'Modelica.Math.sin';

model 'Modelica.Electrical.Analog.Examples.ShowSaturatingInductor' "Simple demo to show behaviour of SaturatingInductor component"
  parameter Real Lzer(unit = "H", quantity = "Inductance") = 2 "Inductance near current=0";
  parameter Real Lnom(unit = "H", quantity = "Inductance") = 1 "Nominal inductance at Nominal current";
  parameter Real Inom(unit = "A", quantity = "ElectricCurrent") = 1 "Nominal current";
  parameter Real Linf(unit = "H", quantity = "Inductance") = 0.5 "Inductance at large currents";
  parameter Real U(unit = "V", quantity = "ElectricPotential") = 1.25 "Source voltage (peak)";
  parameter Real f(unit = "Hz", quantity = "Frequency") = 1/(2*3.141592653589793) "Source frequency";
  parameter Real phase(unit = "rad", displayUnit = "deg", quantity = "Angle") = 3.141592653589793/2 "Source voltage phase shift";
  parameter Real 'SineVoltage1.V'(start = 1, unit = "V", quantity = "ElectricPotential") = U "Amplitude of sine wave";
  parameter Real 'SineVoltage1.phase'(unit = "rad", displayUnit = "deg", quantity = "Angle") = phase "Phase of sine wave";
  parameter Real 'SineVoltage1.f'(start = 1, unit = "Hz", quantity = "Frequency") = f "Frequency of sine wave";
  Real 'SineVoltage1.v'(unit = "V", quantity = "ElectricPotential") "Voltage drop of the two pins (= p.v - n.v)";
  Real 'SineVoltage1.p.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'SineVoltage1.p.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'SineVoltage1.n.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'SineVoltage1.n.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'SineVoltage1.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing from pin p to pin n";
  parameter Real 'SineVoltage1.signalSource.amplitude' = 'SineVoltage1.V' "Amplitude of sine wave";
  parameter Real 'SineVoltage1.signalSource.f'(start = 1, unit = "Hz", quantity = "Frequency") = 'SineVoltage1.f' "Frequency of sine wave";
  parameter Real 'SineVoltage1.signalSource.phase'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 'SineVoltage1.phase' "Phase of sine wave";
  parameter Boolean 'SineVoltage1.signalSource.continuous' = false "Make output continuous by starting at offset + amplitude*sin(phase)" annotation(Evaluate = true);
  Real 'SineVoltage1.signalSource.y' "Connector of Real output signal";
  parameter Real 'SineVoltage1.signalSource.offset' = 'SineVoltage1.offset' "Offset of output signal y";
  parameter Real 'SineVoltage1.signalSource.startTime'(unit = "s", quantity = "Time") = 'SineVoltage1.startTime' "Output y = offset for time < startTime";
  parameter Real 'SineVoltage1.offset'(unit = "V", quantity = "ElectricPotential") = 0 "Voltage offset";
  parameter Real 'SineVoltage1.startTime'(unit = "s", quantity = "Time") = 0 "Time offset";
  Real 'Ground1.p.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'Ground1.p.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'SaturatingInductance1.v'(unit = "V", quantity = "ElectricPotential") "Voltage drop of the two pins (= p.v - n.v)";
  Real 'SaturatingInductance1.p.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'SaturatingInductance1.p.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'SaturatingInductance1.n.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'SaturatingInductance1.n.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'SaturatingInductance1.i'(start = 0, fixed = true, unit = "A", quantity = "ElectricCurrent") "Current flowing from pin p to pin n";
  parameter Real 'SaturatingInductance1.Inom'(start = 1, unit = "A", quantity = "ElectricCurrent") = Inom "Nominal current";
  parameter Real 'SaturatingInductance1.Lnom'(start = 1, unit = "H", quantity = "Inductance") = Lnom "Nominal inductance at Nominal current";
  parameter Real 'SaturatingInductance1.Lzer'(start = 2*'SaturatingInductance1.Lnom', unit = "H", quantity = "Inductance") = Lzer "Inductance near current=0";
  parameter Real 'SaturatingInductance1.Linf'(start = 'SaturatingInductance1.Lnom'/2, unit = "H", quantity = "Inductance") = Linf "Inductance at large currents";
  Real 'SaturatingInductance1.Lact'(start = 'SaturatingInductance1.Lzer', unit = "H", quantity = "Inductance") "Present inductance";
  Real 'SaturatingInductance1.Psi'(unit = "Wb", quantity = "MagneticFlux") "Present flux";
protected
  parameter Real 'SaturatingInductance1.Ipar'(start = 'SaturatingInductance1.Inom'/10, fixed = false, unit = "A", quantity = "ElectricCurrent");
public
  Real 'Inductance1.v'(unit = "V", quantity = "ElectricPotential") "Voltage drop of the two pins (= p.v - n.v)";
  Real 'Inductance1.p.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'Inductance1.p.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'Inductance1.n.v'(unit = "V", quantity = "ElectricPotential") "Potential at the pin";
  Real 'Inductance1.n.i'(unit = "A", quantity = "ElectricCurrent") "Current flowing into the pin";
  Real 'Inductance1.i'(start = 0, fixed = true, unit = "A", quantity = "ElectricCurrent") "Current flowing from pin p to pin n";
  parameter Real 'Inductance1.L'(start = 1, unit = "H", quantity = "Inductance") = Lnom "Inductance";
initial equation
  ('SaturatingInductance1.Lnom' - 'SaturatingInductance1.Linf')/('SaturatingInductance1.Lzer' - 'SaturatingInductance1.Linf') = 'SaturatingInductance1.Ipar'/'SaturatingInductance1.Inom'*(3.141592653589793/2 - 'Modelica.Math.atan'('SaturatingInductance1.Ipar'/'SaturatingInductance1.Inom'));
equation
  'SineVoltage1.signalSource.y' = 'SineVoltage1.signalSource.offset' + (if time < 'SineVoltage1.signalSource.startTime' then 0 else 'SineVoltage1.signalSource.amplitude'*'Modelica.Math.sin'(2*3.141592653589793*'SineVoltage1.signalSource.f'*(time - 'SineVoltage1.signalSource.startTime') + 'SineVoltage1.signalSource.phase'));
  'SineVoltage1.v' = 'SineVoltage1.p.v' - 'SineVoltage1.n.v';
  0 = 'SineVoltage1.p.i' + 'SineVoltage1.n.i';
  'SineVoltage1.i' = 'SineVoltage1.p.i';
  'SineVoltage1.v' = 'SineVoltage1.signalSource.y';
  'Ground1.p.v' = 0;
  'SaturatingInductance1.v' = 'SaturatingInductance1.p.v' - 'SaturatingInductance1.n.v';
  0 = 'SaturatingInductance1.p.i' + 'SaturatingInductance1.n.i';
  'SaturatingInductance1.i' = 'SaturatingInductance1.p.i';
  assert('SaturatingInductance1.Lzer' > 'SaturatingInductance1.Lnom'*(1 + 2.220446049250313e-16), "Lzer (= " + String('SaturatingInductance1.Lzer') + ") has to be > Lnom (= " + String('SaturatingInductance1.Lnom') + ")");
  assert('SaturatingInductance1.Linf' < 'SaturatingInductance1.Lnom'*(1 - 2.220446049250313e-16), "Linf (= " + String('SaturatingInductance1.Linf') + ") has to be < Lnom (= " + String('SaturatingInductance1.Lnom') + ")");
  'SaturatingInductance1.Lact' = 'SaturatingInductance1.Linf' + ('SaturatingInductance1.Lzer' - 'SaturatingInductance1.Linf')*(if noEvent(abs('SaturatingInductance1.i')/'SaturatingInductance1.Ipar' < 2.2250738585072014e-308) then 1 else 'Modelica.Math.atan'('SaturatingInductance1.i'/'SaturatingInductance1.Ipar')/('SaturatingInductance1.i'/'SaturatingInductance1.Ipar'));
  'SaturatingInductance1.Psi' = 'SaturatingInductance1.Linf'*'SaturatingInductance1.i' + ('SaturatingInductance1.Lzer' - 'SaturatingInductance1.Linf')*'SaturatingInductance1.Ipar'*'Modelica.Math.atan'('SaturatingInductance1.i'/'SaturatingInductance1.Ipar');
  'SaturatingInductance1.v' = der('SaturatingInductance1.Psi');
  'Inductance1.v' = 'Inductance1.p.v' - 'Inductance1.n.v';
  0 = 'Inductance1.p.i' + 'Inductance1.n.i';
  'Inductance1.i' = 'Inductance1.p.i';
  'Inductance1.L'*der('Inductance1.i') = 'Inductance1.v';
  'SineVoltage1.n.v' = 'Ground1.p.v';
  'Ground1.p.v' = 'SaturatingInductance1.n.v';
  'SaturatingInductance1.n.v' = 'Inductance1.n.v';
  'SaturatingInductance1.p.v' = 'SineVoltage1.p.v';
  'SineVoltage1.p.v' = 'Inductance1.p.v';
  'SineVoltage1.n.i' + 'Ground1.p.i' + 'SaturatingInductance1.n.i' + 'Inductance1.n.i' = 0.0;
  'SaturatingInductance1.p.i' + 'SineVoltage1.p.i' + 'Inductance1.p.i' = 0.0;
  annotation(experiment(StopTime = 6.2832, Interval = 0.01), __rhei(paths = true));
end 'Modelica.Electrical.Analog.Examples.ShowSaturatingInductor';
