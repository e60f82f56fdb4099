model LotkaVolterra "Prey x and predators y; x - log(x) + y - log(y) is conserved"
  Real x(start = 2, fixed = true);
  Real y(start = 1, fixed = true);
equation
  der(x) = x*(1 - y);
  der(y) = y*(x - 1);
end LotkaVolterra;
