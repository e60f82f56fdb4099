model ChainWithLosses "Chain, with switches that conduct a little while they are open"
  parameter Integer n = 50;
  parameter Real small = 1e-4 "Conductance of an open switch";
  parameter Real L[n] = {0.1 + 0.01*k for k in 1:n};
  parameter Real R[n] = {0.5 + 0.03*k for k in 1:n};
  Real p[n](start = {sin(k) for k in 1:n}, each fixed = true);
  Real i[n];
  Real v[n + 1];
  Real total = sum(p);
  Boolean open[n - 1](each start = false, each fixed = true);
  Integer seed(start = 12345, fixed = true);
  Integer thrown(start = 1, fixed = true);
equation
  v[1] = 0;
  v[n + 1] = 0;
  for k in 1:n loop
    p[k] = L[k]*i[k];
    der(p[k]) = v[k] - v[k + 1] - R[k]*i[k];
  end for;
  when sample(0.001, 0.001) then
    seed = mod(1103*pre(seed) + 12345, 1048576);
    thrown = mod(div(seed, 64), n - 1) + 1;
  end when;
  for k in 1:n - 1 loop
    when sample(0.001, 0.001) then
      open[k] = if k == thrown then not pre(open[k]) else pre(open[k]);
    end when;
    if open[k] then
      i[k] - i[k + 1] = small*v[k + 1];
    else
      v[k + 1] = 0;
    end if;
  end for;
end ChainWithLosses;
