model Rectifier "Six ideal diodes between three sources with inductance and a load with inductance"
  parameter Real Vm = 325 "Of each source";
  parameter Real f = 50;
  parameter Real Ls = 1e-3 "Of each source";
  parameter Real Ld = 50e-3 "Of the load";
  parameter Real Rd = 10;
  constant Real Ron = 0 "Of a diode that conducts";
  constant Real Goff = 0 "Of one that does not";
  constant Real pi = 3.141592653589793;
  Real vs[3];
  Real i[3](each start = 0);
  Real v[3] "Of the nodes of the bridge";
  Real vp;
  Real vN;
  Real iu[3] "Through the upper diodes";
  Real il[3] "Through the lower diodes";
  Real id(start = 0, fixed = true);
  Real su[3](each start = -1);
  Real sl[3](each start = -1);
  Boolean offu[3](each start = true);
  Boolean offl[3](each start = true);
equation
  for k in 1:3 loop
    vs[k] = Vm*sin(2*pi*f*time - 2*pi/3*(k - 1));
    Ls*der(i[k]) = vs[k] + vN - v[k];
    i[k] = iu[k] - il[k];
    offu[k] = su[k] < 0;
    v[k] - vp = if offu[k] then su[k] else Ron*su[k];
    iu[k] = if offu[k] then Goff*su[k] else su[k];
    offl[k] = sl[k] < 0;
    -v[k] = if offl[k] then sl[k] else Ron*sl[k];
    il[k] = if offl[k] then Goff*sl[k] else sl[k];
  end for;
  i[1] + i[2] + i[3] = 0;
  iu[1] + iu[2] + iu[3] = id;
  Ld*der(id) = vp - Rd*id;
end Rectifier;
