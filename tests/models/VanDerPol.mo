model VanDerPol "Relaxation oscillations, mu = 1000; end values from the IVP test set"
  parameter Real mu = 1000;
  Real x(start = 2, fixed = true);
  Real y(start = 0, fixed = true, nominal = 1e-3);
equation
  der(x) = y;
  der(y) = mu*(1 - x^2)*y - x;
end VanDerPol;
