model Crane "A load on a rigid rope below a trolley that rolls freely; the load in Cartesian coordinates"
  parameter Real mt(min = 1) = 4 "trolley";
  parameter Real ml(min = 1) = 1 "load";
  parameter Real L = 2 "rope";
  parameter Real g = 9.81;
  Real s(start = 0, fixed = true) "trolley";
  Real v(start = 0, fixed = true);
  Real x(start = 1.2, fixed = true) "load";
  Real y(start = -1.6);
  Real vx(start = 0, fixed = true);
  Real vy;
  Real F "force in the rope, per length";
  Real energy = mt*v^2/2 + ml*(vx^2 + vy^2)/2 + ml*g*(y + L);
  Real residual = (x - s)^2 + y^2 - L^2;
  Real residual_of_speeds = (x - s)*(vx - v) + y*vy;
equation
  der(s) = v;
  der(x) = vx;
  der(y) = vy;
  mt*der(v) = F*(x - s);
  ml*der(vx) = -F*(x - s);
  ml*der(vy) = -F*y - ml*g;
  (x - s)^2 + y^2 = L^2;
end Crane;
