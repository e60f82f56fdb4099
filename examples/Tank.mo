model Tank "A tank that runs empty through a hole in its bottom, and is filled by a pulsing pump"
  parameter Real area(unit = "m2") = 0.5 "Cross-section of the tank";
  parameter Real hole(unit = "m2") = 0.004 "Cross-section of the hole";
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real pump(unit = "m3/s") = 0.012 "What the pump delivers on average";
  parameter Real period(unit = "s") = 60;
  constant Real pi = 3.141592653589793;
  Real level(unit = "m", start = 2, fixed = true) "Height of the water";
  Real inflow(unit = "m3/s");
  Real outflow(unit = "m3/s");
equation
  area*der(level) = inflow - outflow;
  inflow = pump*(1 + sin(2*pi*time/period));
  outflow = hole*sqrt(2*g*level) "Torricelli";
  annotation(experiment(StopTime = 600));
end Tank;
