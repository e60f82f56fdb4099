model Oregonator "The reaction of Belousov and Zhabotinsky (Field and Noyes 1974); end values from the IVP test set"
  Real y[3](start = {1, 2, 3}, each fixed = true);
equation
  der(y[1]) = 77.27*(y[2] + y[1]*(1 - 8.375e-6*y[1] - y[2]));
  der(y[2]) = (y[3] - (1 + y[1])*y[2])/77.27;
  der(y[3]) = 0.161*(y[1] - y[3]);
end Oregonator;
