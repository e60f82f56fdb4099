model SampledLevel "The level of a tank, held by a controller that ticks"
  Real level(start = 0, fixed = true);
  Real inflow = hold(u);
  Real seen = sample(level, Clock(1, 10)) "Just before the tick";
  Real e = 1 - seen;
  Real x(start = 0) = previous(x) + interval()*e "What is left, summed up";
  Real u(start = 0) = 3*e + 2*x;
equation
  der(level) = inflow - level;
  annotation(experiment(StopTime = 4));
end SampledLevel;
