model StickSlip "Two masses and a clutch that holds up to its largest torque"
  parameter Real J1 = 1;
  parameter Real J2 = 2;
  parameter Real largest = 3;
  Real w1(start = 0, fixed = true);
  Real w2(start = 0, fixed = true);
  Real tau;
  Real slip = w1 - w2;
  Boolean stuck(start = true, fixed = true);
  Integer direction(start = 1, fixed = true);
equation
  J1*der(w1) = 8*sin(2*time) - tau;
  J2*der(w2) = tau - 0.5*w2;
  if stuck then
    slip = 0;
  else
    tau = if pre(direction) > 0 then largest else -largest;
  end if;
  when not pre(stuck) and pre(direction)*slip < 0 then
    stuck = true;
  elsewhen abs(tau) > largest then
    stuck = false;
  end when;
  when pre(stuck) and tau > largest then
    direction = 1;
  elsewhen pre(stuck) and tau < -largest then
    direction = -1;
  end when;
end StickSlip;
