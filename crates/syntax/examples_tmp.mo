model A "x"
  Real x(start=1) = 3;
  parameter Integer n[3] = {i for i in 1:3};
equation
  der(x) = -x + n[end]*2^3;
  connect(a.b[1], c);
end A;
