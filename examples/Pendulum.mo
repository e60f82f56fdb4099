model Pendulum "A pendulum that is pushed over the top and comes to rest"
  parameter Real length(unit = "m") = 1;
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real damping(unit = "1/s") = 0.35;
  parameter Real speed0(unit = "rad/s") = 9 "How hard it is pushed";
  Real angle(unit = "rad", start = 0, fixed = true) "From hanging straight down; 2 pi is one turn";
  Real speed(unit = "rad/s", start = speed0, fixed = true);
equation
  der(angle) = speed;
  der(speed) = -g/length*sin(angle) - damping*speed;
  annotation(experiment(StopTime = 20));
end Pendulum;
