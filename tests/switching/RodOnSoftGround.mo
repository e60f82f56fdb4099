model RodOnSoftGround "The rod that lands on two contacts, where they give way: dampers that only push"
  parameter Real m = 1;
  parameter Real l = 1;
  parameter Real J = m*l^2/12;
  parameter Real g = 9.81;
  parameter Real small = 1e-3 "Speed at which the ground gives way, by force";
  Real y(start = 1, fixed = true);
  Real phi(start = 0.2, fixed = true);
  Real vy(start = 0, fixed = true);
  Real w(start = 0, fixed = true);
  Real left = y - l/2*sin(phi);
  Real right = y + l/2*sin(phi);
  Real Fleft = if left <= 0 then noEvent(max(0, l/2*cos(phi)*w - vy))/small else 0;
  Real Fright = if right <= 0 then noEvent(max(0, -l/2*cos(phi)*w - vy))/small else 0;
equation
  der(y) = vy;
  der(phi) = w;
  m*der(vy) = Fleft + Fright - m*g;
  J*der(w) = (Fright - Fleft)*l/2*cos(phi);
end RodOnSoftGround;
