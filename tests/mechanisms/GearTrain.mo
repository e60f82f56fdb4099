model GearTrain "Five wheels in mesh, rigid teeth, a spring at the last one"
  parameter Integer n = 5;
  parameter Real ratio[n - 1] = {-2, -0.5, -3, -0.25};
  parameter Real J[n] = {0.1, 0.4, 0.2, 1, 0.3};
  parameter Real c = 40;
  Real phi[n];
  Real w[n];
  Real tau[n - 1] "between the wheels";
  Real energy = sum(J[i]*w[i]^2/2 for i in 1:n) + c*phi[n]^2/2;
  Real residual = sum(abs(phi[i] - ratio[i]*phi[i + 1]) for i in 1:n - 1);
  Real residual_of_speeds = sum(abs(w[i] - ratio[i]*w[i + 1]) for i in 1:n - 1);
equation
  der(phi) = w;
  J[1]*der(w[1]) = -tau[1];
  for i in 2:n - 1 loop
    J[i]*der(w[i]) = ratio[i - 1]*tau[i - 1] - tau[i];
  end for;
  J[n]*der(w[n]) = ratio[n - 1]*tau[n - 1] - c*phi[n];
  for i in 1:n - 1 loop
    phi[i] = ratio[i]*phi[i + 1];
  end for;
initial equation
  phi[n] = 0.5;
  w[n] = 0;
end GearTrain;
