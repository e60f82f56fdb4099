model Pendulum "A pendulum in Cartesian coordinates, released horizontally"
  parameter Real L = 1;
  Real x(start = 1);
  Real y(start = 0, fixed = true);
  Real vx;
  Real vy(start = 0, fixed = true);
  Real T;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = T*x;
  der(vy) = T*y - 9.81;
  x^2 + y^2 = L^2;
end Pendulum;
