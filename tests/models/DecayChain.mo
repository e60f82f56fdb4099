model DecayChain "A decays to B, B to C (Bateman 1910)"
  parameter Real ka = 2;
  parameter Real kb = 0.5;
  Real A(start = 1, fixed = true);
  Real B(start = 0, fixed = true);
  Real C;
equation
  der(A) = -ka*A;
  der(B) = ka*A - kb*B;
  A + B + C = 1;
end DecayChain;
