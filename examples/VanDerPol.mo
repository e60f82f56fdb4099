model VanDerPol "An oscillator that creeps, then jumps: stiff where mu is large"
  parameter Real mu = 100 "How sharp the jumps are";
  Real x(start = 2, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = mu*(1 - x^2)*y - x;
  annotation(experiment(StopTime = 400));
end VanDerPol;
