model SliderCrank "A crank that drives a slider through a rod: a closed loop of angles and a position"
  parameter Real r = 1 "crank";
  parameter Real l = 3 "rod";
  parameter Real J = 1 "of the crank";
  parameter Real Jr = 0.2 "of the rod";
  parameter Real m = 0.5 "slider";
  Real phi(start = 0.3, fixed = true) "crank";
  Real psi(start = -0.1) "rod";
  Real s(start = 4) "slider";
  Real w(start = 3, fixed = true);
  Real wr;
  Real v;
  Real f1;
  Real f2;
  Real energy = J*w^2/2 + Jr*wr^2/2 + m*v^2/2;
  Real residual = abs(r*cos(phi) + l*cos(psi) - s) + abs(r*sin(phi) + l*sin(psi));
  Real residual_of_speeds = abs(-r*sin(phi)*w - l*sin(psi)*wr - v) + abs(r*cos(phi)*w + l*cos(psi)*wr);
equation
  der(phi) = w;
  der(psi) = wr;
  der(s) = v;
  J*der(w) = -f1*r*sin(phi) + f2*r*cos(phi);
  Jr*der(wr) = -f1*l*sin(psi) + f2*l*cos(psi);
  m*der(v) = -f1;
  r*cos(phi) + l*cos(psi) = s;
  r*sin(phi) + l*sin(psi) = 0;
end SliderCrank;
