model GivingRope "SlackRope, with a rope that gives way: a damper that only pulls"
  parameter Real L = 1;
  parameter Real g = 9.81;
  parameter Real small = 1e-3 "Speed at which it gives way, by force";
  Real x(start = 0.3, fixed = true);
  Real y(start = -0.4, fixed = true);
  Real vx(start = 4.5, fixed = true);
  Real vy(start = 6, fixed = true);
  Real r = sqrt(x^2 + y^2);
  Real away = (x*vx + y*vy)/r "Speed along the rope";
  Real F;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x/r;
  der(vy) = -F*y/r - g;
  F = if r >= L then noEvent(max(0, away))/small else 0;
end GivingRope;
