model LogisticGrowth "Verhulst: N = K/(1 + (K/N0 - 1) exp(-r t))"
  parameter Real K = 100;
  parameter Real N0 = 4;
  parameter Real r = 0.5;
  Real N(start = N0, fixed = true);
equation
  der(N) = r*N*(1 - N/K);
end LogisticGrowth;
