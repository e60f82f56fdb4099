model BentSpring "A force with two slopes, balanced"
  Real x(start = 1, fixed = true) "position";
  Real y(start = 0, fixed = true) "speed";
  Real a(start = 37) "ten times the force";
  Real s "the force with its bends";
equation
  der(x) = y;
  der(y) = -0.1*a - 0.4*y;
  s = noEvent(if a < -1 then a/4 - 0.75 elseif a > 1 then a/4 + 0.75 else a);
  balance(a) = 10*x - s;
  annotation(experiment(StopTime = 20));
end BentSpring;
