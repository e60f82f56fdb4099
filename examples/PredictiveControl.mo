model PredictiveControl "Two tanks one below the other, and a controller that tries what it is about to do on a model of them"
  model Tanks
    input Real inflow(unit = "m/s") "Of the upper one, for its area";
    parameter Real p = 1 "Off from what it is thought to be";
    Real upper(unit = "m") "Level";
    Real lower(unit = "m") "Level";
  equation
    der(upper) = inflow - 0.1*p*sqrt(max(upper, 0));
    der(lower) = 0.1*p*sqrt(max(upper, 0)) - 0.1*sqrt(max(lower, 0));
  end Tanks;

  function ahead "Levels after n steps with this inflow, and how far the lower one was off on the way"
    input Real start[2];
    input Real inflow;
    input Real wanted;
    input Real h;
    input Integer n;
    output Real levels[2];
    output Real off;
  algorithm
    levels := start;
    off := 0;
    for i in 1:n loop
      levels := levels + h*{inflow - 0.1*sqrt(max(levels[1], 0)), 0.1*sqrt(max(levels[1], 0)) - 0.1*sqrt(max(levels[2], 0))};
      off := off + h*(levels[2] - wanted)^2;
    end for;
  end ahead;

  function offOf "How far off alone"
    input Real start[2];
    input Real inflow;
    input Real wanted;
    input Real h;
    input Integer n;
    output Real off;
  protected
    Real levels[2];
  algorithm
    (levels, off) := ahead(start, inflow, wanted, h, n);
  end offOf;

  function best "The inflow that does best, within what the pump can do: by golden section"
    input Real start[2];
    input Real most;
    input Real wanted;
    input Real h;
    input Integer n;
    output Real inflow;
  protected
    constant Real golden = (sqrt(5) - 1)/2;
    Real a = 0;
    Real b = most;
    Real c;
    Real d;
  algorithm
    for i in 1:30 loop
      c := b - golden*(b - a);
      d := a + golden*(b - a);
      if offOf(start, c, wanted, h, n) < offOf(start, d, wanted, h, n) then
        b := d;
      else
        a := c;
      end if;
    end for;
    inflow := (a + b)/2;
  end best;

  parameter Real most(unit = "m/s") = 0.15 "What the pump can do";
  constant Integer n = 15 "Ticks that are looked ahead";
  constant Integer m = 5 "Ticks after which it is seen what came of it";
  Tanks plant(p = 1.1, inflow = hold(u), upper(start = 0.2, fixed = true), lower(start = 0.2, fixed = true));
  Tanks inside(inflow = u, upper = reinit(sample(plant.upper, ticks)), lower = reinit(sample(plant.lower, ticks)));
  Clock ticks = Clock(1);
  Real wanted = if time < 100 then 0.8 else 0.4;
  Real asked = sample(wanted, ticks);
  Real u(start = 0) "Inflow";
  Real foreseen[2](each start = 0.2) "Levels, m ticks from now";
  Real kept[m](each start = 0.2) "The lower one of them, as it was foreseen at the last ticks";
  Real lower = plant.lower;
  Real thought = hold(kept[m]) "What the lower level would be now, as it was thought m ticks ago";
equation
  u = best({inside.upper, inside.lower}, most, asked, interval(), n);
  foreseen = ahead({inside.upper, inside.lower}, u, asked, interval(), m);
  kept[1] = previous(foreseen[2]);
  for i in 2:m loop
    kept[i] = previous(kept[i - 1]);
  end for;
  annotation(experiment(StopTime = 200, Interval = 0.2));
end PredictiveControl;
