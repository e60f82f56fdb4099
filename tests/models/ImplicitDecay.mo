model ImplicitDecay "A rate given implicitly: y^3 + y = x, der(x) = -y"
  Real x(start = 10, fixed = true);
  Real y(start = 2);
  Real t "time from y: the equation integrates to 3*(2^2 - y^2)/2 + log(2/y)";
equation
  der(x) = -y;
  y^3 + y = x;
  t = 3*(4 - y^2)/2 + log(2/y);
  annotation(experiment(StopTime = 5));
end ImplicitDecay;
