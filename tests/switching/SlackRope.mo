model SlackRope "A ball on a rope that is taut, slack, and taut again"
  parameter Real L = 1;
  parameter Real g = 9.81;
  Real x(start = 0.3, fixed = true);
  Real y(start = -0.4, fixed = true);
  Real vx(start = 4.5, fixed = true);
  Real vy(start = 6, fixed = true);
  Real T "Pull of the rope, negative inwards";
  Real E = 0.5*(vx^2 + vy^2) + g*y;
  Boolean taut(start = false, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = T*x;
  der(vy) = T*y - g;
  if taut then
    x^2 + y^2 = L^2;
  else
    T = 0;
  end if;
  when x^2 + y^2 >= L^2 then
    taut = true;
  elsewhen pre(taut) and T > 0 then
    taut = false;
  end when;
end SlackRope;
