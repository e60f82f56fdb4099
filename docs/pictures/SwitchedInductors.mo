model SwitchedInductors "Two inductors that share their current while the switch between them is open"
  parameter Real L1 = 1;
  parameter Real L2 = 2;
  parameter Real R = 1;
  parameter Real V = 10;
  Real p1(start = 0, fixed = true) "Flux";
  Real p2(start = 0, fixed = true);
  Real i1 "Current";
  Real i2;
  Real v "Of the node between them, towards its supply";
  Boolean closed = time < 1 or time >= 2;
equation
  der(p1) = V - R*i1 - v;
  der(p2) = v - R*i2 - V;
  p1 = L1*i1;
  p2 = L2*i2;
  if closed then
    v = 0;
  else
    i1 = i2;
  end if;
  annotation(experiment(StopTime = 3));
end SwitchedInductors;
