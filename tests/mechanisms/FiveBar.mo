model FiveBar "Three points of mass 1 on four rods between two pivots; nothing says what its states are"
  constant Real g = 9.81;
  parameter Real a = 1, b = 1.7, c = 1.4, e = 1.3, d = 2.6 "rods from left to right, and between the pivots";
  Real x1(start = 0.6), y1(start = 0.8);
  Real x2(start = 2.0), y2(start = 1.8);
  Real x3(start = 3.2), y3(start = 1.1);
  Real vx1, vy1, vx2, vy2, vx3, vy3;
  Real f1, f2, f3, f4 "tensions, per length";
  Real energy = 0.5*(vx1^2 + vy1^2 + vx2^2 + vy2^2 + vx3^2 + vy3^2) + g*(y1 + y2 + y3);
  Real residual = max({abs(x1^2 + y1^2 - a^2), abs((x2 - x1)^2 + (y2 - y1)^2 - b^2), abs((x3 - x2)^2 + (y3 - y2)^2 - c^2), abs((x3 - d)^2 + y3^2 - e^2)});
  Real residual_of_speeds = max({abs(x1*vx1 + y1*vy1), abs((x2 - x1)*(vx2 - vx1) + (y2 - y1)*(vy2 - vy1)), abs((x3 - x2)*(vx3 - vx2) + (y3 - y2)*(vy3 - vy2)), abs((x3 - d)*vx3 + y3*vy3)});
equation
  der(x1) = vx1;
  der(y1) = vy1;
  der(x2) = vx2;
  der(y2) = vy2;
  der(x3) = vx3;
  der(y3) = vy3;
  der(vx1) = -f1*x1 + f2*(x2 - x1);
  der(vy1) = -f1*y1 + f2*(y2 - y1) - g;
  der(vx2) = -f2*(x2 - x1) + f3*(x3 - x2);
  der(vy2) = -f2*(y2 - y1) + f3*(y3 - y2) - g;
  der(vx3) = -f3*(x3 - x2) - f4*(x3 - d);
  der(vy3) = -f3*(y3 - y2) - f4*y3 - g;
  x1^2 + y1^2 = a^2;
  (x2 - x1)^2 + (y2 - y1)^2 = b^2;
  (x3 - x2)^2 + (y3 - y2)^2 = c^2;
  (x3 - d)^2 + y3^2 = e^2;
end FiveBar;
