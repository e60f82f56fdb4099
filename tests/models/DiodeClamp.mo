model DiodeClamp "A diode on a resistor: one nonlinear equation in every step"
  parameter Real R(unit = "Ohm") = 100;
  parameter Real Is(unit = "A") = 1e-9 "saturation current";
  parameter Real Ut(unit = "V") = 0.025 "thermal voltage";
  Real u(unit = "V") = 5*sin(time) "source";
  Real i(unit = "A", nominal = 1e-3);
  Real v(unit = "V", start = 0.5);
  Real residual = u - R*i - v;
equation
  u = R*i + v;
  i = Is*(exp(v/Ut) - 1);
  annotation(experiment(StopTime = 6));
end DiodeClamp;
