model HeatRod "A rod in 19 cells with cold ends, started in its slowest mode, which decays at the rate 4 c sin(pi/40)^2"
  constant Real pi = 3.141592653589793;
  parameter Real c = 400 "Conduction over capacity";
  Real T[19](start = sin((1:19)*pi/20), each fixed = true);
equation
  der(T[1]) = c*(T[2] - 2*T[1]);
  der(T[2:18]) = c*(T[1:17] - 2*T[2:18] + T[3:19]);
  der(T[19]) = c*(T[18] - 2*T[19]);
end HeatRod;
