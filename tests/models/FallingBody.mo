model FallingBody "A fall with quadratic drag: speed = vt tanh(g t/vt)"
  parameter Real g = 9.81;
  parameter Real m = 80;
  parameter Real k = 0.25 "Drag is k speed^2";
  parameter Real vt = sqrt(m*g/k) "The speed that is never reached";
  Real depth(start = 0, fixed = true);
  Real speed(start = 0, fixed = true);
  Real drag;
equation
  der(depth) = speed;
  m*der(speed) = m*g - drag;
  drag = k*speed*abs(speed);
end FallingBody;
