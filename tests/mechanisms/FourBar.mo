model FourBar "Two points of mass 1 on three rods between two pivots; nothing says what its states are"
  constant Real g = 9.81;
  parameter Real a = 0.9, b = 2, c = 1.7, d = 2.4 "crank, coupler, rocker, and between the pivots";
  Real x1(start = 0.5), y1(start = 0.7);
  Real x2(start = 2.4), y2(start = 1.6);
  Real vx1, vy1, vx2, vy2;
  Real f1, f2, f3 "tensions, per length";
  Real energy = 0.5*(vx1^2 + vy1^2 + vx2^2 + vy2^2) + g*(y1 + y2);
  Real residual = max({abs(x1^2 + y1^2 - a^2), abs((x2 - x1)^2 + (y2 - y1)^2 - b^2), abs((x2 - d)^2 + y2^2 - c^2)});
  Real residual_of_speeds = max({abs(x1*vx1 + y1*vy1), abs((x2 - x1)*(vx2 - vx1) + (y2 - y1)*(vy2 - vy1)), abs((x2 - d)*vx2 + y2*vy2)});
equation
  der(x1) = vx1;
  der(y1) = vy1;
  der(x2) = vx2;
  der(y2) = vy2;
  der(vx1) = -f1*x1 + f2*(x2 - x1);
  der(vy1) = -f1*y1 + f2*(y2 - y1) - g;
  der(vx2) = -f2*(x2 - x1) - f3*(x2 - d);
  der(vy2) = -f2*(y2 - y1) - f3*y2 - g;
  x1^2 + y1^2 = a^2;
  (x2 - x1)^2 + (y2 - y1)^2 = b^2;
  (x2 - d)^2 + y2^2 = c^2;
end FourBar;
