model BouncingBall "A ball that loses a fifth of its speed in each bounce, and comes to rest"
  parameter Real g = 9.81;
  parameter Real e = 0.8;
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Boolean flying(start = true, fixed = true);
equation
  der(h) = v;
  der(v) = if flying then -g else 0;
  when h <= 0 then
    flying = abs(pre(v)) > 0.5;
    reinit(v, if flying then -e*pre(v) else 0);
  end when;
  annotation(experiment(StopTime = 4));
end BouncingBall;
