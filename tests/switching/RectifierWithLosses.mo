model RectifierWithLosses "Rectifier, with diodes that are not ideal"
  parameter Real Vm = 325 "Of each source";
  parameter Real f = 50;
  parameter Real Ls = 1e-3 "Of each source";
  parameter Real Ld = 50e-3 "Of the load";
  parameter Real Rd = 10;
  parameter Real small = 1e-4 "Resistance of a diode that conducts, conductance of one that does not";
  constant Real pi = 3.141592653589793;
  Real vs[3];
  Real i[3](each start = 0);
  Real v[3] "Of the nodes of the bridge";
  Real vp;
  Real vN;
  Real iu[3] "Through the upper diodes";
  Real il[3] "Through the lower diodes";
  Real id(start = 0, fixed = true);
equation
  for k in 1:3 loop
    vs[k] = Vm*sin(2*pi*f*time - 2*pi/3*(k - 1));
    Ls*der(i[k]) = vs[k] + vN - v[k];
    i[k] = iu[k] - il[k];
    iu[k] = noEvent(if v[k] > vp then (v[k] - vp)/small else (v[k] - vp)*small);
    il[k] = noEvent(if v[k] < 0 then -v[k]/small else -v[k]*small);
  end for;
  i[1] + i[2] + i[3] = 0;
  iu[1] + iu[2] + iu[3] = id;
  Ld*der(id) = vp - Rd*id;
end RectifierWithLosses;
