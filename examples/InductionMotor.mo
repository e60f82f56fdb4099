package MotorParts "The windings of an induction motor: a ring of inductors between bridges"

  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;

  type Connection = enumeration(high "To the supply", low "To ground", tri "To nothing");

  model Winding
    parameter Real L(unit = "H");
    parameter Real R(unit = "Ohm");
    Pin a;
    Pin b;
    Real p(unit = "Wb", start = 0, fixed = true) "Flux";
    Real i(unit = "A") "Current, from a to b";
  equation
    a.i = i;
    b.i = -i;
    p = L*i;
    der(p) = a.v - b.v - R*i;
  end Winding;

  model Bridge "Two ideal switches: one to the supply, one to ground"
    parameter Real V(unit = "V") "Of the supply";
    input Connection state;
    Pin pin;
  equation
    if state == Connection.tri then
      pin.i = 0;
    else
      pin.v = if state == Connection.high then V else 0;
    end if;
  end Bridge;

  model DiodeBridge "With a diode beside each switch, which conducts where the other direction would be blocked"
    parameter Real V(unit = "V") "Of the supply";
    input Connection state;
    Pin pin;
    Boolean upper(start = false, fixed = true) "The diode to the supply conducts";
    Boolean lower(start = false, fixed = true) "The diode from ground conducts";
  equation
    upper = state == Connection.tri and (if pre(upper) then pin.i >= 0 else pin.v > V);
    lower = state == Connection.tri and (if pre(lower) then pin.i <= 0 else pin.v < 0);
    if state == Connection.high or upper then
      pin.v = V;
    elseif state == Connection.low or lower then
      pin.v = 0;
    else
      pin.i = 0;
    end if;
  end DiodeBridge;

  partial model Ring "Winding k lies between the bridges k and k + 1"
    constant Integer n = 6;
    constant Connection H = Connection.high;
    constant Connection O = Connection.low;
    constant Connection T = Connection.tri;
    parameter Real V(unit = "V") = 24;
    parameter Real L[n](each unit = "H") = fill(0.01, n);
    parameter Real R[n](each unit = "Ohm") = fill(0.5, n);
    parameter Connection table[:, n] = [
      H, H, O, O, H, O;
      H, T, O, O, H, O;
      H, T, O, T, H, O;
      H, O, O, T, H, O] "States of the bridges, one row after the other";
    parameter Real period(unit = "s") = 0.01 "From one row to the next";
    replaceable model AnyBridge = Bridge;
    Integer row = 1 + sum(if time >= k*period then 1 else 0 for k in 1:size(table, 1) - 1);
    Winding winding[n](L = L, R = R);
    AnyBridge bridge[n](each V = V, state = table[row, :]);
  equation
    for k in 1:n loop
      connect(bridge[k].pin, winding[k].a);
      connect(winding[k].b, bridge[mod(k, n) + 1].pin);
    end for;
    annotation(experiment(StopTime = 0.04, Tolerance = 1e-9));
  end Ring;

end MotorParts;

model InductionMotorWithoutDiodes "Where a bridge opens, its currents jump to a common one"
  extends MotorParts.Ring;
end InductionMotorWithoutDiodes;

model InductionMotor "Where a bridge opens, a diode conducts until both currents are the same, and nothing jumps"
  extends MotorParts.Ring(redeclare model AnyBridge = MotorParts.DiodeBridge);
end InductionMotor;
