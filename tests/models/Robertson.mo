model Robertson "Three substances, rates over nine decades (Robertson 1966); values at t = 40 from Hairer and Wanner"
  Real y[3](start = {1, 0, 0}, each fixed = true, nominal = {1, 1e-5, 1});
equation
  der(y[1]) = -0.04*y[1] + 1e4*y[2]*y[3];
  der(y[2]) = 0.04*y[1] - 1e4*y[2]*y[3] - 3e7*y[2]^2;
  der(y[3]) = 3e7*y[2]^2;
end Robertson;
