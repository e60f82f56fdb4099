model LowPass "Resistor and capacitor behind a sine source, solved by hand"
  parameter Real R = 1e3;
  parameter Real C = 1e-6;
  parameter Real omega = 500;
  parameter Real tau = R*C;
  Real source;
  Real current(nominal = 1e-3);
  Real v(start = 0, fixed = true);
equation
  source = sin(omega*time);
  R*current = source - v;
  C*der(v) = current;
end LowPass;
