model HarmonicOscillator "A mass on a spring: x = cos(2 t)"
  parameter Real omega = 2;
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -omega^2*x;
end HarmonicOscillator;
