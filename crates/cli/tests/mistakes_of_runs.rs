//! Runs that end early or have something to say, and the text that a person sees.

mod said;

use expect_test::expect;
use said::{simulate, simulate_with};

#[test]
fn a_ball_that_bounces_for_ever() {
    simulate(
        "a_ball_that_bounces_for_ever",
        "\
model Ball
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
  Boolean far = x > 0.1;
equation
  der(x) = 1;
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
  annotation(experiment(StopTime = 3));
end Ball;
",
        1,
        expect![[r#"
            error[zeno]: events accumulate at t = 1.354515805: what `(h <= 0)` compares is thrown back from its border by less than 1e-9, too little to be told from rest, and no condition of the model keeps it there
              --> a_ball_that_bounces_for_ever.mo:10:8
               |
            10 |   when h <= 0 then
               |        ^^^^^^ this condition
               |
               = note: give it a state of rest: a condition that ends the motion where it is slow, or one that becomes true while this one holds, such as `h <= 0 and v <= 0`
        "#]],
    );
}

#[test]
fn a_relay_without_hysteresis() {
    simulate(
        "a_relay_without_hysteresis",
        "\
model Relay
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  annotation(experiment(StopTime = 3));
end Relay;
",
        1,
        expect![[r#"
            error[zeno]: `(x > 0)` cannot be left to either side from t = 1 on: whether it holds or not, the equations lead back to where it switches (a sliding mode)
             --> a_relay_without_hysteresis.mo:4:15
              |
            4 |   der(x) = if x > 0 then -1 else 1;
              |               ^^^^^ this condition
              |
              = note: a hysteresis (with `pre`), or a third mode in which it stays at the border, lets time go on
        "#]],
    );
}

#[test]
fn an_event_without_end() {
    simulate(
        "an_event_without_end",
        "\
model Blinking
  Boolean late = time >= 1;
  Boolean on(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  on = if late then not pre(on) else false;
  n = if late then pre(n) + 1 else 0;
  annotation(experiment(StopTime = 2));
end Blinking;
",
        1,
        expect![[r#"
            error[event-without-end]: the event at t = 1 does not come to rest: `on` and `n` change each time the equations are evaluated
             --> an_event_without_end.mo:3:11
              |
            3 |   Boolean on(start = false, fixed = true);
              |           ^^ `on`
            4 |   Integer n(start = 0, fixed = true);
              |           - `n`
              |
              = note: a value that depends on its own `pre` must come to rest (`b = not pre(b)` never does); in a `when` it changes once
        "#]],
    );
}

#[test]
fn a_condition_that_contradicts_itself() {
    simulate(
        "a_condition_that_contradicts_itself",
        "\
model Contradiction
  Real x;
  Real y;
  Boolean high = x > 1;
equation
  x + y = 2*time;
  x - y = if high then -1 else 0;
  annotation(experiment(StopTime = 2));
end Contradiction;
",
        1,
        expect![[r#"
            error[conditions-unsettled]: no value of `(x > 1)` fits the equations at t = 1: each one that is tried leads to another
             --> a_condition_that_contradicts_itself.mo:4:18
              |
            4 |   Boolean high = x > 1;
              |                  ^^^^^ this condition
              |
              = note: a condition decides here about what it is itself computed from; a hysteresis (with `pre`) may be missing
        "#]],
    );
}

#[test]
fn an_assertion_fails_during_the_run() {
    simulate(
        "an_assertion_fails_during_the_run",
        "\
model Tank
  Real level(start = 1, fixed = true);
equation
  der(level) = 1;
  assert(level < 2, \"the tank runs over: level = \" + String(level));
  annotation(experiment(StopTime = 3));
end Tank;
",
        1,
        expect![[r#"
            error[assert-failed]: an assertion of the model does not hold at t = 1: the tank runs over: level = 2
             --> an_assertion_fails_during_the_run.mo:5:3
              |
            5 |   assert(level < 2, "the tank runs over: level = " + String(level));
              |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ asserted here
        "#]],
    );
}

#[test]
fn an_assertion_warns_and_the_run_goes_on() {
    simulate(
        "an_assertion_warns_and_the_run_goes_on",
        "\
model Tank
  Real level(start = 1, fixed = true);
equation
  der(level) = 1;
  assert(level < 2, \"the tank runs over: level = \" + String(level), AssertionLevel.warning);
  annotation(experiment(StopTime = 3));
end Tank;
",
        0,
        expect![[r#"
            warning[assert-warning]: an assertion of the model does not hold at t = 1: the tank runs over: level = 2
             --> an_assertion_warns_and_the_run_goes_on.mo:5:3
              |
            5 |   assert(level < 2, "the tank runs over: level = " + String(level), AssertionLevel.warning);
              |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ asserted here
        "#]],
    );
}

#[test]
fn the_model_ends_the_run() {
    simulate(
        "the_model_ends_the_run",
        "\
model Full
  Real level(start = 0, fixed = true);
equation
  der(level) = 1;
  when level >= 0.5 then
    terminate(\"half full\");
  end when;
end Full;
",
        0,
        expect![[r#"
            note[terminated]: the model ends the run at t = 0.5: half full
             --> the_model_ends_the_run.mo:6:5
              |
            6 |     terminate("half full");
              |     ^^^^^^^^^^^^^^^^^^^^^^ `terminate` here
        "#]],
    );
}

#[test]
fn a_whole_number_that_no_equation_gives() {
    simulate(
        "a_whole_number_that_no_equation_gives",
        "\
model Implicit
  Integer n(start = 0);
equation
  n*n = if time > 0.5 then 4 else 1;
end Implicit;
",
        1,
        expect![[r#"
            error[discrete-not-explicit]: this equation for `n` cannot be solved: it does not say `n = …`
             --> a_whole_number_that_no_equation_gives.mo:4:3
              |
            4 |   n*n = if time > 0.5 then 4 else 1;
              |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ n*n = if (time > 0.5) then 4 else 1
        "#]],
    );
}

#[test]
fn nothing_determines_a_variable_at_the_start() {
    simulate(
        "nothing_determines_a_variable_at_the_start",
        "\
model Free
  Real y;
  Real x(start = 0, fixed = true);
equation
  der(x) = y;
  0 = if initial() then 0 else y - 2;
end Free;
",
        1,
        expect![[r#"
            error[initial-not-determined]: nothing determines `y` and `der(x)` at the start
             --> nothing_determines_a_variable_at_the_start.mo:2:8
              |
            2 |   Real y;
              |        ^ `y`
            3 |   Real x(start = 0, fixed = true);
              |        - `der(x)`
              |
              = note: add an initial equation
        "#]],
    );
}

#[test]
fn a_loop_without_a_solution_after_an_event() {
    simulate(
        "a_loop_without_a_solution_after_an_event",
        "\
model Valve
  Boolean open = time >= 0.5;
  Real q(start = 1);
equation
  q^2 + q = if open then -3 else 2;
end Valve;
",
        1,
        expect![[r#"
            error[loop-no-solution]: no solution is found for `q` at t = 0.5: after 20 iterations the marked equation is still off by 1.227e8
             --> a_loop_without_a_solution_after_an_event.mo:5:3
              |
            5 |   q^2 + q = if open then -3 else 2;
              |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ in this equation
              |
              = note: the search began with `q` from 1 (nominal 1)
              = note: better `start` values, or `nominal` values of the right size, may help
        "#]],
    );
}

#[test]
fn a_division_by_zero_at_an_event() {
    simulate(
        "a_division_by_zero_at_an_event",
        "\
model Switch
  Real x(start = 1, fixed = true);
  discrete Real period(start = 1, fixed = true);
  Integer n(start = 2, fixed = true);
equation
  der(x) = -x;
  when sample(0.1, 0.1) then
    n = pre(n) - 1;
    period = 1/pre(n);
  end when;
end Switch;
",
        1,
        expect![[r#"
            error[evaluation-failed]: division of 1 by 0 at t = 0.3: `1/pre(n)` in the computation of `period` has no value
             --> a_division_by_zero_at_an_event.mo:9:5
              |
            9 |     period = 1/pre(n);
              |     ^^^^^^^^^^^^^^^^^ in this equation
              |
              = note: it depends on `pre(n)`
        "#]],
    );
}

#[test]
fn too_many_initial_conditions() {
    simulate(
        "too_many_initial_conditions",
        "\
model M
  Real x(start = 1, fixed = true);
initial equation
  der(x) = 0;
equation
  der(x) = -x;
end M;
",
        1,
        expect![[r#"
            note[redundant-initial]: there are more initial conditions than the model leaves free: `der(x) = 0` and `x(fixed=true)`
             --> too_many_initial_conditions.mo:4:3
              |
            2 |   Real x(start = 1, fixed = true);
              |        - x = 1
            3 | initial equation
            4 |   der(x) = 0;
              |   ^^^^^^^^^^ der(x) = 0
              |
              = note: one of them must follow from the others, or the run does not start
            error[inconsistent-initial]: these initial conditions contradict each other: `der(x) = 0`, `x(fixed=true)`; with `der(x) = -x`, and without the last one, its sides are 0 and 1
             --> too_many_initial_conditions.mo:2:8
              |
            2 |   Real x(start = 1, fixed = true);
              |        ^ declared here
            3 | initial equation
            4 |   der(x) = 0;
              |   ---------- in this equation
            5 | equation
            6 |   der(x) = -x;
              |   ----------- in this equation
              |
              = note: take one of them away, or its `fixed = true`
        "#]],
    );
}

#[test]
fn ticks_that_come_too_often() {
    simulate(
        "ticks_that_come_too_often",
        "\
model Ticks
  Integer n(start = 0, fixed = true);
equation
  when sample(0, 1e-13) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end Ticks;
",
        1,
        expect![[r#"
            error[zeno]: events follow each other without progress at t = 1.0001e-9
             |
             = note: no condition switches: a `sample`, or a time that a `when` sets itself, comes too often for this run
        "#]],
    );
}

#[test]
fn a_sample_without_an_interval() {
    simulate(
        "a_sample_without_an_interval",
        "\
model Sampled
  parameter Real every = 0;
  Integer n(start = 0, fixed = true);
equation
  when sample(0, every) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end Sampled;
",
        1,
        expect![[r#"
            error[sample-interval]: the interval of this `sample` is 0: it must be greater than zero
             --> a_sample_without_an_interval.mo:5:8
              |
            5 |   when sample(0, every) then
              |        ^^^^^^^^^^^^^^^^ this `sample`
        "#]],
    );
}

#[test]
fn a_delay_longer_than_its_maximum() {
    simulate(
        "a_delay_longer_than_its_maximum",
        "\
model Late
  Real x(start = 0, fixed = true);
  Real y = delay(x, 0.1 + time, 0.5);
equation
  der(x) = 1;
  annotation(experiment(StopTime = 1));
end Late;
",
        1,
        expect![[r#"
            error[delay-time]: the time of this `delay` is longer than its maximum at t = 0.400625: it is 0.5006250000000001
             --> a_delay_longer_than_its_maximum.mo:3:12
              |
            3 |   Real y = delay(x, 0.1 + time, 0.5);
              |            ^^^^^^^^^^^^^^^^^^^^^^^^^ this `delay`
        "#]],
    );
}

#[test]
fn a_profile_that_ends_before_the_pipe() {
    simulate(
        "a_profile_that_ends_before_the_pipe",
        "\
model Pipe
  parameter Real last = 0.9;
  Real x(start = 0, fixed = true);
  Real out;
equation
  der(x) = 1;
  (, out) = spatialDistribution(0, 0, x, true, {0, last}, {1, 1});
  annotation(experiment(StopTime = 1));
end Pipe;
",
        1,
        expect![[r#"
            error[initial-points]: `initialPoints` of this `spatialDistribution` must go from 0 to 1, none less than the one before
             --> a_profile_that_ends_before_the_pipe.mo:7:13
              |
            7 |   (, out) = spatialDistribution(0, 0, x, true, {0, last}, {1, 1});
              |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this `spatialDistribution`
        "#]],
    );
}

#[test]
fn a_reinit_of_what_is_no_state() {
    simulate(
        "a_reinit_of_what_is_no_state",
        "\
model Set
  Real x(start = 1, fixed = true);
  Real y = sin(time);
equation
  der(x) = -x;
  when time > 0.5 then
    reinit(y, 4);
  end when;
  annotation(experiment(StopTime = 1));
end Set;
",
        1,
        expect![[r#"
            error[reinit-target-not-state]: `y` must be a state, as `reinit` sets it, but `y = sin(time)` already determines it
             --> a_reinit_of_what_is_no_state.mo:3:8
              |
            3 |   Real y = sin(time);
              |        ^ y = sin(time)
        "#]],
    );
}

#[test]
fn friction_that_chatters() {
    simulate(
        "friction_that_chatters",
        "\
model Slider
  Real v(start = 1, fixed = true);
  Real x(start = 0, fixed = true);
  Real friction;
equation
  der(x) = v;
  der(v) = -friction;
  friction = 2*sign(v);
  annotation(experiment(StopTime = 3));
end Slider;
",
        1,
        expect![[r#"
            error[chattering]: `v` chatters from t = 0.4998163328 on and is stuck at t = 0.500000711: its derivative jumps between 2 and -2 from step to step, as `sign(v)` switches without an event
             --> friction_that_chatters.mo:8:3
              |
            8 |   friction = 2*sign(v);
              |   ^^^^^^^^^^^^^^^^^^^^ in this equation
              |
              = note: write a steep but continuous function, such as `tanh(v/v0)` with a small `v0` for `sign(v)`, or a mode of rest that is left by a condition of its own, as dry friction is
        "#]],
    );
}

#[test]
fn a_switch_in_no_event_that_chatters() {
    simulate(
        "a_switch_in_no_event_that_chatters",
        "\
model Heater
  Real T(start = 19, fixed = true);
equation
  der(T) = if noEvent(T < 20) then 1 else -1;
  annotation(experiment(StopTime = 1000));
end Heater;
",
        1,
        expect![[r#"
            error[chattering]: `T` chatters from t = 0.95 on and is stuck at t = 1.000022129: its derivative jumps between 1 and -1 from step to step, as `T < 20` switches without an event
             --> a_switch_in_no_event_that_chatters.mo:4:3
              |
            4 |   der(T) = if noEvent(T < 20) then 1 else -1;
              |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ in this equation
              |
              = note: without `noEvent` the switch is an event; where both sides lead back to it, a hysteresis (with `pre`), a mode of rest, or a steep but continuous function is needed
        "#]],
    );
}

#[test]
fn crossings_that_cannot_be_proven() {
    let text = "\
model Unproven
  function f
    input Real x;
    output Real y = x;
  algorithm
    while y > 1 loop
      y := y/2;
    end while;
  end f;
  Real x(start = 1, fixed = true);
  Real y;
  Real late = delay(x, 0.1);
equation
  der(x) = -x;
  y + exp(y) = x;
  when y > 0.2 then
    assert(y > 0, \"positive\");
  end when;
  when late > f(x) then
    assert(x > 0, \"positive\");
  end when;
  when x > 0.5 then
    assert(x > 0, \"positive\");
  end when;
  when f(3*x) > 0.7 then
    assert(x > 0, \"positive\");
  end when;
  annotation(experiment(StopTime = 1));
end Unproven;
";
    simulate_with(
        "crossings_that_cannot_be_proven",
        text,
        &["--events", "proven"],
        0,
        expect![[r#"
        warning[relation-not-enclosed]: crossings of `(y > 0.2)` are not proven: what it compares depends on unknowns of an algebraic loop, and is only looked at at points, three in each step and four in each output interval
          --> crossings_that_cannot_be_proven.mo:16:8
           |
        16 |   when y > 0.2 then
           |        ^^^^^^^ compared here
        warning[relation-not-enclosed]: crossings of `(late > Unproven.f(x))` are not proven: what it compares depends on the result of a function that stays a call, and is only looked at at points, three in each step and four in each output interval
          --> crossings_that_cannot_be_proven.mo:19:8
           |
        19 |   when late > f(x) then
           |        ^^^^^^^^^^^ compared here
        warning[relation-not-enclosed]: crossings of `(Unproven.f(3*x) > 0.7)` are not proven: what it compares depends on the result of a function that stays a call, and is only looked at at points, three in each step and four in each output interval
          --> crossings_that_cannot_be_proven.mo:25:8
           |
        25 |   when f(3*x) > 0.7 then
           |        ^^^^^^^^^^^^ compared here
    "#]],
    );
}

#[test]
fn crossings_that_are_too_much_work() {
    let text = "\
model Ripple
  Real x(start = 0, fixed = true);
  Boolean high = sin(1e8*x) > 1;
  Boolean early = sin(1e8*time) > 1;
equation
  der(x) = 1;
end Ripple;
";
    simulate_with(
        "crossings_that_are_too_much_work",
        text,
        &["--events", "proven"],
        0,
        expect![[r#"
            warning[event-search-too-long]: crossings of `(sin(1e8*time) > 1)` may be missed: bounds of what it compares tell too little for the work they take, and what comes and goes within a thousandth of the output interval is not looked for
             --> crossings_that_are_too_much_work.mo:4:19
              |
            4 |   Boolean early = sin(1e8*time) > 1;
              |                   ^^^^^^^^^^^^^^^^^ compared here
            warning[event-search-too-long]: crossings of `(sin(1e8*x) > 1)` may be missed: bounds of what it compares tell too little for the work they take, and it is looked at at points instead, three in each step and four in each output interval
             --> crossings_that_are_too_much_work.mo:3:18
              |
            3 |   Boolean high = sin(1e8*x) > 1;
              |                  ^^^^^^^^^^^^^^ compared here
        "#]],
    );
}

#[test]
fn a_root_of_a_negative_number_at_an_event() {
    simulate(
        "a_root_of_a_negative_number_at_an_event",
        "\
model Root
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = -1 + u;
  when x < 0.5 then
    u = sqrt(x - 1);
  end when;
  annotation(experiment(StopTime = 1));
end Root;
",
        1,
        expect![[r#"
            error[evaluation-failed]: sqrt of -0.5000000000000002 at t = 0.5: `sqrt(x - 1)` in the computation of `u` has no value
             --> a_root_of_a_negative_number_at_an_event.mo:7:5
              |
            7 |     u = sqrt(x - 1);
              |     ^^^^^^^^^^^^^^^ in this equation
              |
              = note: it depends on `x`
        "#]],
    );
}

#[test]
fn an_assertion_in_a_when_fails() {
    simulate(
        "an_assertion_in_a_when_fails",
        "\
model Checked
  Integer n(start = 0, fixed = true);
equation
  when sample(0, 0.25) then
    n = pre(n) + 1;
    assert(n < 3, \"n is \" + String(n) + \" at the tick\");
  end when;
  annotation(experiment(StopTime = 1));
end Checked;
",
        1,
        expect![[r#"
            error[assert-failed]: an assertion of the model does not hold at t = 0.5: n is 3 at the tick
             --> an_assertion_in_a_when_fails.mo:6:5
              |
            6 |     assert(n < 3, "n is " + String(n) + " at the tick");
              |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ asserted here
        "#]],
    );
}

#[test]
fn an_assert_of_a_function_in_a_component() {
    simulate(
        "an_assert_of_a_function_in_a_component",
        "\
model Plant
  function check
    input Real x;
  algorithm
    assert(x < 0.5, \"the tank is too full: \" + String(x, format = \".2f\"));
  end check;
  model Tank
    parameter Real inflow;
    Real level(start = 0, fixed = true);
  equation
    der(level) = inflow;
    check(level);
  end Tank;
  Tank tank[2](inflow = {0.1, 1});
end Plant;
",
        1,
        expect![[r#"
            error[assert-failed]: an assertion of the function `Plant.check` does not hold at t = 0.5: the tank is too full: 0.50
              --> an_assert_of_a_function_in_a_component.mo:5:5
               |
             5 |     assert(x < 0.5, "the tank is too full: " + String(x, format = ".2f"));
               |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ asserted here
            ...
            12 |     check(level);
               |     ------------ called here
               |
               = note: in the component `tank[2]`
        "#]],
    );
}

#[test]
fn an_assert_of_a_function_that_stays_a_call() {
    simulate(
        "an_assert_of_a_function_that_stays_a_call",
        "\
model M
  function halved
    input Real x;
    output Real y;
  algorithm
    y := x;
    while y > 0.3 loop
      y := y/2;
    end while;
    assert(x < 0.5, \"too large\");
  end halved;
  model Part
    Real x = time;
    Real y = halved(x);
  end Part;
  Part part;
end M;
",
        1,
        expect![[r#"
            error[assert-failed]: an assertion of the function `M.halved` does not hold at t = 0.5: too large
              --> an_assert_of_a_function_that_stays_a_call.mo:10:5
               |
            10 |     assert(x < 0.5, "too large");
               |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ asserted here
            ...
            14 |     Real y = halved(x);
               |          - in this equation
               |
               = note: `part.y` is computed there
        "#]],
    );
}

#[test]
fn a_function_that_is_called_for_its_effect_warns() {
    simulate(
        "a_function_that_is_called_for_its_effect_warns",
        "\
model M
  impure function check
    input Real x;
    input String what;
  protected
    Real rest = x;
  algorithm
    while rest > 0 loop
      rest := rest - 1;
    end while;
    assert(x < 2, what + \" is \" + String(x), AssertionLevel.warning);
  end check;
  Integer n(start = 0, fixed = true);
equation
  when sample(0, 0.25) then
    n = pre(n) + 1;
    check(n, \"n\");
  end when;
end M;
",
        0,
        expect![[r#"
            warning[assert-warning]: an assertion of the function `M.check` does not hold at t = 0.25: n is 2
              --> a_function_that_is_called_for_its_effect_warns.mo:11:5
               |
            11 |     assert(x < 2, what + " is " + String(x), AssertionLevel.warning);
               |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ asserted here
            ...
            17 |     check(n, "n");
               |     ------------- called here
        "#]],
    );
}

#[test]
fn external_code_that_is_not_at_hand_is_not_called() {
    simulate(
        "external_code_that_is_not_at_hand_is_not_called",
        "\
model M
  impure function beep
    external \"C\" beep();
  end beep;
initial equation
  beep();
end M;
",
        0,
        expect![[r#"
            note[effect-ignored]: `M.beep` is not called: the code `beep` is not at hand
             --> external_code_that_is_not_at_hand_is_not_called.mo:6:3
              |
            6 |   beep();
              |   ^^^^^^ called here
        "#]],
    );
}

#[test]
fn warnings_of_a_start_that_fails() {
    simulate(
        "warnings_of_a_start_that_fails",
        "\
model M
  parameter Real p(min = 0) = -1;
  Real x = p;
equation
  assert(x > -2, \"far below\", AssertionLevel.warning);
  assert(x > 0, \"below\", AssertionLevel.warning);
  assert(x > -0.5, \"too far below\");
end M;
",
        1,
        expect![[r#"
            warning[assert-warning]: an assertion of the model does not hold at t = 0: below
             --> warnings_of_a_start_that_fails.mo:6:3
              |
            6 |   assert(x > 0, "below", AssertionLevel.warning);
              |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ asserted here
            error[assert-failed]: an assertion of the model does not hold at t = 0: too far below
             --> warnings_of_a_start_that_fails.mo:7:3
              |
            7 |   assert(x > -0.5, "too far below");
              |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ asserted here
        "#]],
    );
}

#[test]
fn variables_that_leave_their_ranges() {
    simulate(
        "variables_that_leave_their_ranges",
        "\
model M
  parameter Real efficiency(min = 0, max = 1) = 1.5;
  model Tank
    Real level(min = lowest) = 1 - 2*time;
    parameter Real lowest = 0;
  end Tank;
  Tank a;
  Tank b(lowest = 0.5);
  Tank c(level(max = 0.75));
end M;
",
        0,
        expect![[r#"
            warning[out-of-bounds]: `efficiency` is 1.5, above its `max` of 1
             --> variables_that_leave_their_ranges.mo:2:44
              |
            2 |   parameter Real efficiency(min = 0, max = 1) = 1.5;
              |                                            ^ `max` of `efficiency`
            warning[out-of-bounds]: `c.level` is 1 at t = 0, above its `max` of 0.75
             --> variables_that_leave_their_ranges.mo:9:22
              |
            9 |   Tank c(level(max = 0.75));
              |                      ^^^^ `max` of `c.level`
            warning[out-of-bounds]: `b.level` is below its `min` of 0.5 from t = 0.2500005001 on: it is -1 at t = 1
             --> variables_that_leave_their_ranges.mo:4:22
              |
            4 |     Real level(min = lowest) = 1 - 2*time;
              |                      ^^^^^^ `min` of `b.level`
              |
              = note: the same holds of `a.level`; `-v` lists each
        "#]],
    );
}

#[test]
fn an_assert_of_a_function_says_why_a_parameter_has_no_value() {
    simulate(
        "an_assert_of_a_function_says_why_a_parameter_has_no_value",
        "\
model M
  function root
    input Real x;
    output Real y;
  algorithm
    assert(x >= 0, \"there is no root of \" + String(x));
    y := sqrt(x);
  end root;
  parameter Real p = -1;
  parameter Real q = root(p);
  Real x = q*time;
end M;
",
        1,
        expect![[r#"
            error[assert-failed]: an assertion of the function `M.root` does not hold at t = 0: there is no root of -1
              --> an_assert_of_a_function_says_why_a_parameter_has_no_value.mo:6:5
               |
             6 |     assert(x >= 0, "there is no root of " + String(x));
               |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ asserted here
            ...
            10 |   parameter Real q = root(p);
               |                      ------- called here
        "#]],
    );
}
