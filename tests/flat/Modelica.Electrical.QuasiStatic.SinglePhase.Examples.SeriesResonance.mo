operator record Complex
  Real re;
  Real im;
end Complex;

function 'Complex.\'*\'.multiply'
  input Complex c1;
  input Complex c2;
  output Complex c3;
algorithm
  c3 := 'Complex.\'constructor\'.fromReal'(c1.re*c2.re - c1.im*c2.im, c1.re*c2.im + c1.im*c2.re);
  annotation(Inline = true, smoothOrder = 100);
end 'Complex.\'*\'.multiply';

function 'Complex.\'+\''
  input Complex c1;
  input Complex c2;
  output Complex c3;
algorithm
  c3 := 'Complex.\'constructor\'.fromReal'(c1.re + c2.re, c1.im + c2.im);
  annotation(Inline = true, smoothOrder = 100);
end 'Complex.\'+\'';

function 'Complex.\'-\'.subtract'
  input Complex c1;
  input Complex c2;
  output Complex c3;
algorithm
  c3 := 'Complex.\'constructor\'.fromReal'(c1.re - c2.re, c1.im - c2.im);
  annotation(Inline = true, smoothOrder = 100);
end 'Complex.\'-\'.subtract';

function 'Complex.\'constructor\'.fromReal'
  input Real re;
  input Real im = 0;
  output Complex result = Complex(re, im);
  annotation(Inline = true);
end 'Complex.\'constructor\'.fromReal';

function 'Modelica.ComplexMath.abs'
  input Complex c;
  output Real result;
algorithm
  result := sqrt(c.re^2 + c.im^2);
  annotation(Inline = true);
end 'Modelica.ComplexMath.abs';

function 'Modelica.ComplexMath.arg'
  input Complex c;
  input Real phi0 = 0;
  output Real phi;
algorithm
  phi := 'Modelica.Math.atan3'(c.im, c.re, phi0);
  annotation(Inline = true);
end 'Modelica.ComplexMath.arg';

function 'Modelica.ComplexMath.conj'
  input Complex c1;
  output Complex c2;
algorithm
  c2 := 'Complex.\'constructor\'.fromReal'(c1.re, -c1.im);
  annotation(Inline = true);
end 'Modelica.ComplexMath.conj';

function 'Modelica.ComplexMath.imag'
  input Complex c;
  output Real r;
algorithm
  r := c.im;
  annotation(Inline = true);
end 'Modelica.ComplexMath.imag';

function 'Modelica.ComplexMath.real'
  input Complex c;
  output Real r;
algorithm
  r := c.re;
  annotation(Inline = true);
end 'Modelica.ComplexMath.real';

function 'Modelica.Math.atan2'
  input Real u1;
  input Real u2;
  output Real y;
algorithm
  y := atan2(u1, u2);
  annotation(Inline = true);
end 'Modelica.Math.atan2';

function 'Modelica.Math.atan3'
  input Real u1;
  input Real u2;
  input Real y0 = 0;
  output Real y;
protected
  Real pi2 = 2*3.141592653589793;
  Real w;
algorithm
  w := 'Modelica.Math.atan2'(u1, u2);
  if y0 == 0 then
    y := w;
  else
    y := w + pi2*integer((3.141592653589793 + y0 - w)/pi2);
  end if;
end 'Modelica.Math.atan3';

model 'Modelica.Electrical.QuasiStatic.SinglePhase.Examples.SeriesResonance' "Series resonance circuit"
  output Real I_abs(unit = "A", quantity = "ElectricCurrent") = 'complexToPolar.len' "Current";
  output Real I_arg(unit = "rad", displayUnit = "deg", quantity = "Angle") = 'complexToPolar.phi' "Current phase";
  parameter Real 'V.k'(start = 1) = 1 "Constant output value";
  Real 'V.y' "Connector of Real output signal";
  parameter Real 'phi.k'(start = 1) = 0 "Constant output value";
  Real 'phi.y' "Connector of Real output signal";
  parameter Real 'f.height' = 2 "Height of ramp";
  parameter Real 'f.duration'(start = 2, min = 0.0, unit = "s", quantity = "Time") = 1 "Duration of ramp (= 0.0 gives a Step)";
  Real 'f.y' "Connector of Real output signal";
  parameter Real 'f.offset' = 1e-6 "Offset of output signal y";
  parameter Real 'f.startTime'(unit = "s", quantity = "Time") = 0 "Output y = offset for time < startTime";
  Real 'voltageSource.pin_p.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex electric potential";
  Real 'voltageSource.pin_p.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex electric potential";
  Real 'voltageSource.pin_p.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'voltageSource.pin_p.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'voltageSource.pin_p.reference.gamma'(unit = "rad", displayUnit = "deg", quantity = "Angle");
  Real 'voltageSource.pin_n.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex electric potential";
  Real 'voltageSource.pin_n.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex electric potential";
  Real 'voltageSource.pin_n.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'voltageSource.pin_n.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'voltageSource.pin_n.reference.gamma'(unit = "rad", displayUnit = "deg", quantity = "Angle");
  Real 'voltageSource.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex voltage";
  Real 'voltageSource.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex voltage";
  Real 'voltageSource.abs_v'(unit = "V", quantity = "ElectricPotential") = 'Modelica.ComplexMath.abs'(Complex('voltageSource.v.re', 'voltageSource.v.im')) "Magnitude of complex voltage";
  Real 'voltageSource.arg_v'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 'Modelica.ComplexMath.arg'(Complex('voltageSource.v.re', 'voltageSource.v.im'), 0) "Argument of complex voltage";
  Real 'voltageSource.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'voltageSource.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'voltageSource.abs_i'(unit = "A", quantity = "ElectricCurrent") = 'Modelica.ComplexMath.abs'(Complex('voltageSource.i.re', 'voltageSource.i.im')) "Magnitude of complex current";
  Real 'voltageSource.arg_i'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 'Modelica.ComplexMath.arg'(Complex('voltageSource.i.re', 'voltageSource.i.im'), 0) "Argument of complex current";
  Real 'voltageSource.P'(unit = "W", quantity = "Power") = 'Modelica.ComplexMath.real'('Complex.\'*\'.multiply'(Complex('voltageSource.v.re', 'voltageSource.v.im'), 'Modelica.ComplexMath.conj'(Complex('voltageSource.i.re', 'voltageSource.i.im')))) "Active power";
  Real 'voltageSource.Q'(unit = "var", quantity = "Power") = 'Modelica.ComplexMath.imag'('Complex.\'*\'.multiply'(Complex('voltageSource.v.re', 'voltageSource.v.im'), 'Modelica.ComplexMath.conj'(Complex('voltageSource.i.re', 'voltageSource.i.im')))) "Reactive power";
  Real 'voltageSource.S'(unit = "V.A", quantity = "Power") = 'Modelica.ComplexMath.abs'('Complex.\'*\'.multiply'(Complex('voltageSource.v.re', 'voltageSource.v.im'), 'Modelica.ComplexMath.conj'(Complex('voltageSource.i.re', 'voltageSource.i.im')))) "Magnitude of complex apparent power";
  Real 'voltageSource.pf' = cos('Modelica.ComplexMath.arg'('Complex.\'constructor\'.fromReal'('voltageSource.P', 'voltageSource.Q'), 0)) "Power factor";
  Real 'voltageSource.omega'(unit = "rad/s", quantity = "AngularVelocity") "Angular velocity of reference frame";
  Real 'voltageSource.gamma'(start = 0, fixed = true, unit = "rad", displayUnit = "deg", quantity = "Angle") = 'voltageSource.pin_p.reference.gamma';
  Real 'voltageSource.f'(unit = "Hz");
  Real 'voltageSource.V.re' "Real part of complex number";
  Real 'voltageSource.V.im' "Imaginary part of complex number";
  Real 'ground.pin.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex electric potential";
  Real 'ground.pin.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex electric potential";
  Real 'ground.pin.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'ground.pin.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'ground.pin.reference.gamma'(unit = "rad", displayUnit = "deg", quantity = "Angle");
  Real 'resistor.pin_p.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex electric potential";
  Real 'resistor.pin_p.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex electric potential";
  Real 'resistor.pin_p.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'resistor.pin_p.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'resistor.pin_p.reference.gamma'(unit = "rad", displayUnit = "deg", quantity = "Angle");
  Real 'resistor.pin_n.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex electric potential";
  Real 'resistor.pin_n.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex electric potential";
  Real 'resistor.pin_n.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'resistor.pin_n.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'resistor.pin_n.reference.gamma'(unit = "rad", displayUnit = "deg", quantity = "Angle");
  Real 'resistor.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex voltage";
  Real 'resistor.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex voltage";
  Real 'resistor.abs_v'(unit = "V", quantity = "ElectricPotential") = 'Modelica.ComplexMath.abs'(Complex('resistor.v.re', 'resistor.v.im')) "Magnitude of complex voltage";
  Real 'resistor.arg_v'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 'Modelica.ComplexMath.arg'(Complex('resistor.v.re', 'resistor.v.im'), 0) "Argument of complex voltage";
  Real 'resistor.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'resistor.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'resistor.abs_i'(unit = "A", quantity = "ElectricCurrent") = 'Modelica.ComplexMath.abs'(Complex('resistor.i.re', 'resistor.i.im')) "Magnitude of complex current";
  Real 'resistor.arg_i'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 'Modelica.ComplexMath.arg'(Complex('resistor.i.re', 'resistor.i.im'), 0) "Argument of complex current";
  Real 'resistor.P'(unit = "W", quantity = "Power") = 'Modelica.ComplexMath.real'('Complex.\'*\'.multiply'(Complex('resistor.v.re', 'resistor.v.im'), 'Modelica.ComplexMath.conj'(Complex('resistor.i.re', 'resistor.i.im')))) "Active power";
  Real 'resistor.Q'(unit = "var", quantity = "Power") = 'Modelica.ComplexMath.imag'('Complex.\'*\'.multiply'(Complex('resistor.v.re', 'resistor.v.im'), 'Modelica.ComplexMath.conj'(Complex('resistor.i.re', 'resistor.i.im')))) "Reactive power";
  Real 'resistor.S'(unit = "V.A", quantity = "Power") = 'Modelica.ComplexMath.abs'('Complex.\'*\'.multiply'(Complex('resistor.v.re', 'resistor.v.im'), 'Modelica.ComplexMath.conj'(Complex('resistor.i.re', 'resistor.i.im')))) "Magnitude of complex apparent power";
  Real 'resistor.pf' = cos('Modelica.ComplexMath.arg'('Complex.\'constructor\'.fromReal'('resistor.P', 'resistor.Q'), 0)) "Power factor";
  Real 'resistor.omega'(unit = "rad/s", quantity = "AngularVelocity") "Angular velocity of reference frame";
  parameter Real 'resistor.R_ref'(start = 1, unit = "Ohm", quantity = "Resistance") = 0.1 "Reference resistance at T_ref";
  parameter Real 'resistor.T_ref'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") = 293.15 "Reference temperature";
  parameter Real 'resistor.alpha_ref'(unit = "1/K", quantity = "LinearTemperatureCoefficient") = 0 "Temperature coefficient of resistance (R_actual = R_ref*(1 + alpha_ref*(heatPort.T - T_ref))";
  parameter Boolean 'resistor.useHeatPort' = false "= true, if heatPort is enabled" annotation(Evaluate = true);
  parameter Real 'resistor.T'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") = 'resistor.T_ref' "Fixed device temperature if useHeatPort = false";
  Real 'resistor.LossPower'(unit = "W", quantity = "Power") "Loss power leaving component via heatPort";
  Real 'resistor.T_heatPort'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Temperature of heatPort";
  Real 'resistor.R_actual'(unit = "Ohm", quantity = "Resistance") "Resistance = R_ref*(1 + alpha_ref*(heatPort.T - T_ref))";
  Real 'inductor.pin_p.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex electric potential";
  Real 'inductor.pin_p.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex electric potential";
  Real 'inductor.pin_p.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'inductor.pin_p.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'inductor.pin_p.reference.gamma'(unit = "rad", displayUnit = "deg", quantity = "Angle");
  Real 'inductor.pin_n.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex electric potential";
  Real 'inductor.pin_n.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex electric potential";
  Real 'inductor.pin_n.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'inductor.pin_n.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'inductor.pin_n.reference.gamma'(unit = "rad", displayUnit = "deg", quantity = "Angle");
  Real 'inductor.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex voltage";
  Real 'inductor.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex voltage";
  Real 'inductor.abs_v'(unit = "V", quantity = "ElectricPotential") = 'Modelica.ComplexMath.abs'(Complex('inductor.v.re', 'inductor.v.im')) "Magnitude of complex voltage";
  Real 'inductor.arg_v'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 'Modelica.ComplexMath.arg'(Complex('inductor.v.re', 'inductor.v.im'), 0) "Argument of complex voltage";
  Real 'inductor.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'inductor.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'inductor.abs_i'(unit = "A", quantity = "ElectricCurrent") = 'Modelica.ComplexMath.abs'(Complex('inductor.i.re', 'inductor.i.im')) "Magnitude of complex current";
  Real 'inductor.arg_i'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 'Modelica.ComplexMath.arg'(Complex('inductor.i.re', 'inductor.i.im'), 0) "Argument of complex current";
  Real 'inductor.P'(unit = "W", quantity = "Power") = 'Modelica.ComplexMath.real'('Complex.\'*\'.multiply'(Complex('inductor.v.re', 'inductor.v.im'), 'Modelica.ComplexMath.conj'(Complex('inductor.i.re', 'inductor.i.im')))) "Active power";
  Real 'inductor.Q'(unit = "var", quantity = "Power") = 'Modelica.ComplexMath.imag'('Complex.\'*\'.multiply'(Complex('inductor.v.re', 'inductor.v.im'), 'Modelica.ComplexMath.conj'(Complex('inductor.i.re', 'inductor.i.im')))) "Reactive power";
  Real 'inductor.S'(unit = "V.A", quantity = "Power") = 'Modelica.ComplexMath.abs'('Complex.\'*\'.multiply'(Complex('inductor.v.re', 'inductor.v.im'), 'Modelica.ComplexMath.conj'(Complex('inductor.i.re', 'inductor.i.im')))) "Magnitude of complex apparent power";
  Real 'inductor.pf' = cos('Modelica.ComplexMath.arg'('Complex.\'constructor\'.fromReal'('inductor.P', 'inductor.Q'), 0)) "Power factor";
  Real 'inductor.omega'(unit = "rad/s", quantity = "AngularVelocity") "Angular velocity of reference frame";
  parameter Real 'inductor.L'(start = 1, unit = "H", quantity = "Inductance") = 1/(2*3.141592653589793) "Inductance";
  Real 'capacitor.pin_p.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex electric potential";
  Real 'capacitor.pin_p.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex electric potential";
  Real 'capacitor.pin_p.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'capacitor.pin_p.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'capacitor.pin_p.reference.gamma'(unit = "rad", displayUnit = "deg", quantity = "Angle");
  Real 'capacitor.pin_n.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex electric potential";
  Real 'capacitor.pin_n.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex electric potential";
  Real 'capacitor.pin_n.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'capacitor.pin_n.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'capacitor.pin_n.reference.gamma'(unit = "rad", displayUnit = "deg", quantity = "Angle");
  Real 'capacitor.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex voltage";
  Real 'capacitor.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex voltage";
  Real 'capacitor.abs_v'(unit = "V", quantity = "ElectricPotential") = 'Modelica.ComplexMath.abs'(Complex('capacitor.v.re', 'capacitor.v.im')) "Magnitude of complex voltage";
  Real 'capacitor.arg_v'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 'Modelica.ComplexMath.arg'(Complex('capacitor.v.re', 'capacitor.v.im'), 0) "Argument of complex voltage";
  Real 'capacitor.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'capacitor.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'capacitor.abs_i'(unit = "A", quantity = "ElectricCurrent") = 'Modelica.ComplexMath.abs'(Complex('capacitor.i.re', 'capacitor.i.im')) "Magnitude of complex current";
  Real 'capacitor.arg_i'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 'Modelica.ComplexMath.arg'(Complex('capacitor.i.re', 'capacitor.i.im'), 0) "Argument of complex current";
  Real 'capacitor.P'(unit = "W", quantity = "Power") = 'Modelica.ComplexMath.real'('Complex.\'*\'.multiply'(Complex('capacitor.v.re', 'capacitor.v.im'), 'Modelica.ComplexMath.conj'(Complex('capacitor.i.re', 'capacitor.i.im')))) "Active power";
  Real 'capacitor.Q'(unit = "var", quantity = "Power") = 'Modelica.ComplexMath.imag'('Complex.\'*\'.multiply'(Complex('capacitor.v.re', 'capacitor.v.im'), 'Modelica.ComplexMath.conj'(Complex('capacitor.i.re', 'capacitor.i.im')))) "Reactive power";
  Real 'capacitor.S'(unit = "V.A", quantity = "Power") = 'Modelica.ComplexMath.abs'('Complex.\'*\'.multiply'(Complex('capacitor.v.re', 'capacitor.v.im'), 'Modelica.ComplexMath.conj'(Complex('capacitor.i.re', 'capacitor.i.im')))) "Magnitude of complex apparent power";
  Real 'capacitor.pf' = cos('Modelica.ComplexMath.arg'('Complex.\'constructor\'.fromReal'('capacitor.P', 'capacitor.Q'), 0)) "Power factor";
  Real 'capacitor.omega'(unit = "rad/s", quantity = "AngularVelocity") "Angular velocity of reference frame";
  parameter Real 'capacitor.C'(start = 1, min = 0, unit = "F", quantity = "Capacitance") = 1/(2*3.141592653589793) "Capacitance";
  Real 'currentSensor.omega'(unit = "rad/s", quantity = "AngularVelocity") "Angular velocity of reference frame";
  Real 'currentSensor.pin_p.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex electric potential";
  Real 'currentSensor.pin_p.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex electric potential";
  Real 'currentSensor.pin_p.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'currentSensor.pin_p.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'currentSensor.pin_p.reference.gamma'(unit = "rad", displayUnit = "deg", quantity = "Angle");
  Real 'currentSensor.pin_n.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex electric potential";
  Real 'currentSensor.pin_n.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex electric potential";
  Real 'currentSensor.pin_n.i.re'(unit = "A", quantity = "ElectricCurrent") "Real part of complex current";
  Real 'currentSensor.pin_n.i.im'(unit = "A", quantity = "ElectricCurrent") "Imaginary part of complex current";
  Real 'currentSensor.pin_n.reference.gamma'(unit = "rad", displayUnit = "deg", quantity = "Angle");
  Real 'currentSensor.i.re'(unit = "A") "Real part of complex number";
  Real 'currentSensor.i.im'(unit = "A") "Imaginary part of complex number";
  Real 'currentSensor.abs_i'(unit = "A", quantity = "ElectricCurrent") = 'Modelica.ComplexMath.abs'(Complex('currentSensor.i.re', 'currentSensor.i.im')) "Magnitude of complex current";
  Real 'currentSensor.arg_i'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 'Modelica.ComplexMath.arg'(Complex('currentSensor.i.re', 'currentSensor.i.im'), 0) "Argument of complex current";
  Real 'currentSensor.v.re'(unit = "V", quantity = "ElectricPotential") "Imaginary part of complex voltage";
  Real 'currentSensor.v.im'(unit = "V", quantity = "ElectricPotential") "Real part of complex voltage";
  Real 'polarToComplex.y.re' "Real part of complex number";
  Real 'polarToComplex.y.im' "Imaginary part of complex number";
  Real 'polarToComplex.len';
  Real 'polarToComplex.phi'(unit = "rad");
  Real 'complexToPolar.len';
  Real 'complexToPolar.phi'(unit = "rad");
  Real 'complexToPolar.u.re' "Real part of complex number";
  Real 'complexToPolar.u.im' "Imaginary part of complex number";
  parameter Boolean 'complexToPolar.useConjugateInput' = false "If true, input is processed conjugate complex";
equation
  'V.y' = 'V.k';
  'phi.y' = 'phi.k';
  'f.y' = 'f.offset' + (if time < 'f.startTime' then 0 else if time < 'f.startTime' + 'f.duration' then (time - 'f.startTime')*'f.height'/'f.duration' else 'f.height');
  'voltageSource.pin_p.reference.gamma' = 'voltageSource.pin_n.reference.gamma';
  'voltageSource.omega' = der('voltageSource.pin_p.reference.gamma');
  Complex('voltageSource.v.re', 'voltageSource.v.im') = 'Complex.\'-\'.subtract'(Complex('voltageSource.pin_p.v.re', 'voltageSource.pin_p.v.im'), Complex('voltageSource.pin_n.v.re', 'voltageSource.pin_n.v.im'));
  Complex('voltageSource.i.re', 'voltageSource.i.im') = Complex('voltageSource.pin_p.i.re', 'voltageSource.pin_p.i.im');
  'Complex.\'+\''(Complex('voltageSource.pin_p.i.re', 'voltageSource.pin_p.i.im'), Complex('voltageSource.pin_n.i.re', 'voltageSource.pin_n.i.im')) = 'Complex.\'constructor\'.fromReal'(0, 0);
  'voltageSource.omega' = 2*3.141592653589793*'voltageSource.f';
  Complex('voltageSource.v.re', 'voltageSource.v.im') = Complex('voltageSource.V.re', 'voltageSource.V.im');
  Complex('ground.pin.v.re', 'ground.pin.v.im') = 'Complex.\'constructor\'.fromReal'(0, 0);
  'resistor.pin_p.reference.gamma' = 'resistor.pin_n.reference.gamma';
  'resistor.omega' = der('resistor.pin_p.reference.gamma');
  Complex('resistor.v.re', 'resistor.v.im') = 'Complex.\'-\'.subtract'(Complex('resistor.pin_p.v.re', 'resistor.pin_p.v.im'), Complex('resistor.pin_n.v.re', 'resistor.pin_n.v.im'));
  Complex('resistor.i.re', 'resistor.i.im') = Complex('resistor.pin_p.i.re', 'resistor.pin_p.i.im');
  'Complex.\'+\''(Complex('resistor.pin_p.i.re', 'resistor.pin_p.i.im'), Complex('resistor.pin_n.i.re', 'resistor.pin_n.i.im')) = 'Complex.\'constructor\'.fromReal'(0, 0);
  'resistor.T_heatPort' = 'resistor.T';
  assert(1 + 'resistor.alpha_ref'*('resistor.T_heatPort' - 'resistor.T_ref') >= 2.220446049250313e-16, "Temperature outside scope of model!");
  'resistor.R_actual' = 'resistor.R_ref'*(1 + 'resistor.alpha_ref'*('resistor.T_heatPort' - 'resistor.T_ref'));
  Complex('resistor.v.re', 'resistor.v.im') = 'Complex.\'*\'.multiply'('Complex.\'constructor\'.fromReal'('resistor.R_actual', 0), Complex('resistor.i.re', 'resistor.i.im'));
  'resistor.LossPower' = 'Modelica.ComplexMath.real'('Complex.\'*\'.multiply'(Complex('resistor.v.re', 'resistor.v.im'), 'Modelica.ComplexMath.conj'(Complex('resistor.i.re', 'resistor.i.im'))));
  'inductor.pin_p.reference.gamma' = 'inductor.pin_n.reference.gamma';
  'inductor.omega' = der('inductor.pin_p.reference.gamma');
  Complex('inductor.v.re', 'inductor.v.im') = 'Complex.\'-\'.subtract'(Complex('inductor.pin_p.v.re', 'inductor.pin_p.v.im'), Complex('inductor.pin_n.v.re', 'inductor.pin_n.v.im'));
  Complex('inductor.i.re', 'inductor.i.im') = Complex('inductor.pin_p.i.re', 'inductor.pin_p.i.im');
  'Complex.\'+\''(Complex('inductor.pin_p.i.re', 'inductor.pin_p.i.im'), Complex('inductor.pin_n.i.re', 'inductor.pin_n.i.im')) = 'Complex.\'constructor\'.fromReal'(0, 0);
  Complex('inductor.v.re', 'inductor.v.im') = 'Complex.\'*\'.multiply'('Complex.\'*\'.multiply'('Complex.\'*\'.multiply'(Complex(0.0, 1.0), 'Complex.\'constructor\'.fromReal'('inductor.omega', 0)), 'Complex.\'constructor\'.fromReal'('inductor.L', 0)), Complex('inductor.i.re', 'inductor.i.im'));
  'capacitor.pin_p.reference.gamma' = 'capacitor.pin_n.reference.gamma';
  'capacitor.omega' = der('capacitor.pin_p.reference.gamma');
  Complex('capacitor.v.re', 'capacitor.v.im') = 'Complex.\'-\'.subtract'(Complex('capacitor.pin_p.v.re', 'capacitor.pin_p.v.im'), Complex('capacitor.pin_n.v.re', 'capacitor.pin_n.v.im'));
  Complex('capacitor.i.re', 'capacitor.i.im') = Complex('capacitor.pin_p.i.re', 'capacitor.pin_p.i.im');
  'Complex.\'+\''(Complex('capacitor.pin_p.i.re', 'capacitor.pin_p.i.im'), Complex('capacitor.pin_n.i.re', 'capacitor.pin_n.i.im')) = 'Complex.\'constructor\'.fromReal'(0, 0);
  Complex('capacitor.i.re', 'capacitor.i.im') = 'Complex.\'*\'.multiply'('Complex.\'*\'.multiply'('Complex.\'*\'.multiply'(Complex(0.0, 1.0), 'Complex.\'constructor\'.fromReal'('capacitor.omega', 0)), 'Complex.\'constructor\'.fromReal'('capacitor.C', 0)), Complex('capacitor.v.re', 'capacitor.v.im'));
  'currentSensor.pin_p.reference.gamma' = 'currentSensor.pin_n.reference.gamma';
  'currentSensor.omega' = der('currentSensor.pin_p.reference.gamma');
  'Complex.\'constructor\'.fromReal'(0, 0) = 'Complex.\'+\''(Complex('currentSensor.pin_p.i.re', 'currentSensor.pin_p.i.im'), Complex('currentSensor.pin_n.i.re', 'currentSensor.pin_n.i.im'));
  Complex('currentSensor.i.re', 'currentSensor.i.im') = Complex('currentSensor.pin_p.i.re', 'currentSensor.pin_p.i.im');
  Complex('currentSensor.v.re', 'currentSensor.v.im') = 'Complex.\'-\'.subtract'(Complex('currentSensor.pin_p.v.re', 'currentSensor.pin_p.v.im'), Complex('currentSensor.pin_n.v.re', 'currentSensor.pin_n.v.im'));
  Complex('currentSensor.v.re', 'currentSensor.v.im') = 'Complex.\'constructor\'.fromReal'(0, 0);
  Complex('polarToComplex.y.re', 'polarToComplex.y.im') = 'Complex.\'constructor\'.fromReal'('polarToComplex.len'*cos('polarToComplex.phi'), 'polarToComplex.len'*sin('polarToComplex.phi'));
  'complexToPolar.len' = sqrt('complexToPolar.u.re'^2 + 'complexToPolar.u.im'^2);
  'complexToPolar.phi' = if 'complexToPolar.useConjugateInput' then 'Modelica.Math.atan2'(-'complexToPolar.u.im', 'complexToPolar.u.re') else 'Modelica.Math.atan2'('complexToPolar.u.im', 'complexToPolar.u.re');
  'f.y' = 'voltageSource.f';
  'polarToComplex.y.re' = 'voltageSource.V.re';
  'polarToComplex.y.im' = 'voltageSource.V.im';
  'ground.pin.v.re' = 'voltageSource.pin_n.v.re';
  'voltageSource.pin_n.v.re' = 'capacitor.pin_n.v.re';
  'ground.pin.v.im' = 'voltageSource.pin_n.v.im';
  'voltageSource.pin_n.v.im' = 'capacitor.pin_n.v.im';
  'voltageSource.pin_p.v.re' = 'currentSensor.pin_p.v.re';
  'voltageSource.pin_p.v.im' = 'currentSensor.pin_p.v.im';
  'currentSensor.pin_n.v.re' = 'resistor.pin_p.v.re';
  'currentSensor.pin_n.v.im' = 'resistor.pin_p.v.im';
  'resistor.pin_n.v.re' = 'inductor.pin_p.v.re';
  'resistor.pin_n.v.im' = 'inductor.pin_p.v.im';
  'inductor.pin_n.v.re' = 'capacitor.pin_p.v.re';
  'inductor.pin_n.v.im' = 'capacitor.pin_p.v.im';
  'phi.y' = 'polarToComplex.phi';
  'V.y' = 'polarToComplex.len';
  'currentSensor.i.re' = 'complexToPolar.u.re';
  'currentSensor.i.im' = 'complexToPolar.u.im';
  'ground.pin.i.re' + 'voltageSource.pin_n.i.re' + 'capacitor.pin_n.i.re' = 0.0;
  'ground.pin.i.im' + 'voltageSource.pin_n.i.im' + 'capacitor.pin_n.i.im' = 0.0;
  'voltageSource.pin_p.i.re' + 'currentSensor.pin_p.i.re' = 0.0;
  'voltageSource.pin_p.i.im' + 'currentSensor.pin_p.i.im' = 0.0;
  'currentSensor.pin_n.i.re' + 'resistor.pin_p.i.re' = 0.0;
  'currentSensor.pin_n.i.im' + 'resistor.pin_p.i.im' = 0.0;
  'resistor.pin_n.i.re' + 'inductor.pin_p.i.re' = 0.0;
  'resistor.pin_n.i.im' + 'inductor.pin_p.i.im' = 0.0;
  'inductor.pin_n.i.re' + 'capacitor.pin_p.i.re' = 0.0;
  'inductor.pin_n.i.im' + 'capacitor.pin_p.i.im' = 0.0;
  'ground.pin.reference.gamma' = 'voltageSource.pin_n.reference.gamma';
  'voltageSource.pin_p.reference.gamma' = 'currentSensor.pin_p.reference.gamma';
  'currentSensor.pin_n.reference.gamma' = 'resistor.pin_p.reference.gamma';
  'resistor.pin_n.reference.gamma' = 'inductor.pin_p.reference.gamma';
  'inductor.pin_n.reference.gamma' = 'capacitor.pin_p.reference.gamma';
  annotation(experiment(StopTime = 1.0, Interval = 0.001), __rhei(paths = true));
end 'Modelica.Electrical.QuasiStatic.SinglePhase.Examples.SeriesResonance';
