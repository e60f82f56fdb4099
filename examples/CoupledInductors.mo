package FluxSums "Inductors in a row: each needs to know only the sums of flux and inductance that it is coupled to"

  record Sums "What lies on one side of a component, as far as it is coupled"
    Real p(unit = "Wb") "Flux";
    Real L(unit = "H") "Inductance";
    Real v(unit = "V") "Voltage at its far end, less what resistors take on the way";
  end Sums;

  connector Left "The left side of a component"
    input Sums toRight;
    output Sums toLeft;
  end Left;

  connector Right "The right side of a component"
    output Sums toRight;
    input Sums toLeft;
  end Right;

  model Inductor "Takes its share of the flux of all that it is coupled to, and of what drives them"
    parameter Real L(unit = "H");
    parameter Real R(unit = "Ohm") = 0;
    Left left;
    Right right;
    Real p(unit = "Wb", start = 0, fixed = true) "Flux";
    Real i(unit = "A") = p/L "Current";
    Real share = L/(left.toRight.L + L + right.toLeft.L);
  protected
    parameter Real small = 1e-9*L "Less than any inductance";
    discrete Real toTheLeft(start = 0, fixed = true) "The inductances there at the last event";
    discrete Real toTheRight(start = 0, fixed = true);
  equation
    right.toRight.p = left.toRight.p + p;
    right.toRight.L = left.toRight.L + L;
    right.toRight.v = left.toRight.v - R*i;
    left.toLeft.p = right.toLeft.p + p;
    left.toLeft.L = right.toLeft.L + L;
    left.toLeft.v = right.toLeft.v + R*i;
    // on the manifold: the rule of the jump holds for the derivatives, too
    der(p) = share*(left.toRight.v - R*i - right.toLeft.v);
    // in a row, what one is coupled to is known by how much there is of it on either side
    when {abs(left.toRight.L - pre(toTheLeft)) > small, abs(right.toLeft.L - pre(toTheRight)) > small} then
      toTheLeft = left.toRight.L;
      toTheRight = right.toLeft.L;
      reinit(p, share*(left.toRight.p + p + right.toLeft.p));
    end when;
  end Inductor;

  partial model Node "Closed, it is held at a voltage and parts what is on its sides; open, it couples them"
    Left left;
    Right right;
    Real v(unit = "V") "Of the node";
  protected
    Boolean open;
    Real held(unit = "V") "The voltage while it is closed";
  equation
    right.toRight.p = if open then left.toRight.p else 0;
    right.toRight.L = if open then left.toRight.L else 0;
    right.toRight.v = if open then left.toRight.v else held;
    left.toLeft.p = if open then right.toLeft.p else 0;
    left.toLeft.L = if open then right.toLeft.L else 0;
    left.toLeft.v = if open then right.toLeft.v else held;
    // an open node is where the inductances divide the voltage between both far ends
    v = if open then
      (right.toLeft.L*left.toRight.v + left.toRight.L*right.toLeft.v)/(left.toRight.L + right.toLeft.L)
      else held;
  end Node;

  model Switch "Between a node and a voltage"
    extends Node;
    parameter Real V(unit = "V") = 0;
    input Boolean isOpen;
  equation
    open = isOpen;
    held = V;
  end Switch;

  type Connection = enumeration(high "To the supply", low "To ground", tri "To nothing");

  model Bridge "Two switches, of which one at most is closed"
    extends Node;
    parameter Real V(unit = "V") "Of the supply";
    input Connection state;
  equation
    open = state == Connection.tri;
    held = if state == Connection.high then V else 0;
  end Bridge;

  model Begin "The left end of a row, at a voltage"
    parameter Real V(unit = "V") = 0;
    Right right;
  equation
    right.toRight.p = 0;
    right.toRight.L = 0;
    right.toRight.v = V;
  end Begin;

  model End "The right end of a row, at a voltage"
    parameter Real V(unit = "V") = 0;
    Left left;
  equation
    left.toLeft.p = 0;
    left.toLeft.L = 0;
    left.toLeft.v = V;
  end End;

  model Two "Two inductors that share their current while the switch between them is open"
    Begin supply(V = 10);
    Inductor first(L = 1, R = 1);
    Switch switch(isOpen = time >= 1 and time < 2);
    Inductor second(L = 2, R = 1);
    End back(V = 10);
  equation
    connect(supply.right, first.left);
    connect(first.right, switch.left);
    connect(switch.right, second.left);
    connect(second.right, back.left);
    annotation(experiment(StopTime = 3, Tolerance = 1e-9));
  end Two;

  model Ring "Six inductors between bridges, the last one connected to the first"
    constant Integer n = 6;
    constant Connection H = Connection.high;
    constant Connection L = Connection.low;
    constant Connection T = Connection.tri;
    parameter Connection table[:, n] = [
      H, H, L, L, H, L;
      H, T, L, L, H, L;
      H, T, L, T, H, L;
      H, L, L, T, H, L] "States of the bridges, one row after the other";
    parameter Real period(unit = "s") = 0.01 "From one row to the next";
    Inductor inductor[n](each L = 0.01, each R = 0.5);
    Bridge bridge[n](each V = 24, state = table[row, :]);
    Integer row = 1 + sum(if time >= k*period then 1 else 0 for k in 1:size(table, 1) - 1);
  equation
    for k in 1:n loop
      connect(bridge[k].right, inductor[k].left);
      connect(inductor[k].right, bridge[mod(k, n) + 1].left);
    end for;
    annotation(experiment(StopTime = 0.04, Tolerance = 1e-9));
  end Ring;

  partial model Row "Any number of inductors, with a switch to ground between each and the next"
    parameter Integer n;
    parameter Real L[n](each unit = "H");
    parameter Real R[n](each unit = "Ohm") = zeros(n);
    parameter Real p0[n](each unit = "Wb") = zeros(n) "Fluxes at the start";
    input Boolean isOpen[n - 1];
    Begin begin;
    Inductor inductor[n](L = L, R = R, p(start = p0));
    Switch switch[n - 1](isOpen = isOpen);
    End finish;
  equation
    connect(begin.right, inductor[1].left);
    for k in 1:n - 1 loop
      connect(inductor[k].right, switch[k].left);
      connect(switch[k].right, inductor[k + 1].left);
    end for;
    connect(inductor[n].right, finish.left);
  end Row;

end FluxSums;

model CoupledInductors "Five inductors in a row: the switches between them open one after the other, and close again"
  extends FluxSums.Row(n = 5, L = {0.1, 0.2, 0.3, 0.4, 0.5}, R = fill(0.1, n), p0 = {1, -2, 3, 0.5, 4},
    isOpen = {time >= 0.2*k and time < 1.2 for k in 1:n - 1});
  annotation(experiment(StopTime = 2, Tolerance = 1e-9));
end CoupledInductors;
