model ViscousStickSlip "StickSlip, with a clutch that creeps while it holds"
  parameter Real J1 = 1;
  parameter Real J2 = 2;
  parameter Real largest = 3;
  parameter Real small = 1e-3 "Slip at which the torque is largest";
  Real w1(start = 0, fixed = true);
  Real w2(start = 0, fixed = true);
  Real tau;
  Real slip = w1 - w2;
equation
  J1*der(w1) = 8*sin(2*time) - tau;
  J2*der(w2) = tau - 0.5*w2;
  tau = largest*max(-1, min(1, slip/small));
end ViscousStickSlip;
