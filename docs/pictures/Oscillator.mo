model Oscillator "A harmonic oscillator beside its exact solution"
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real exact = cos(time);
equation
  der(x) = v;
  der(v) = -x;
  annotation(experiment(StopTime = 20));
end Oscillator;
