model HeatRod "A copper rod, held hot at one end and insulated elsewhere: one equation for all its cells"
  parameter Integer n = 20 "How many cells the rod is cut into";
  parameter Real length(unit = "m") = 1;
  parameter Real diffusivity(unit = "m2/s") = 1.1e-4 "Of copper";
  parameter Real hot(unit = "degC") = 100 "The end that is held hot";
  parameter Real dx(unit = "m") = length/n;
  Real T[n](each unit = "degC", each start = 20, each fixed = true) "Temperature of each cell";
  Real q[n + 1](each unit = "K.m/s") "What flows between the cells, and into the first and last";
equation
  q[1] = diffusivity*(hot - T[1])/(dx/2);
  q[2:n] = diffusivity*(T[1:n - 1] - T[2:n])/dx;
  q[n + 1:n + 1] = zeros(1) "Insulated";
  dx*der(T) = q[1:n] - q[2:n + 1];
  annotation(experiment(StopTime = 10000));
end HeatRod;
