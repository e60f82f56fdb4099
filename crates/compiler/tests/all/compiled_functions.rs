//! Functions that stay calls run as machine code, or are given back to the interpreter: to the same bits either way.

use crate::workshop::{Settings, compile, run};

/// Runs a model both ways, which [`run`] compares, and returns the last value of `y`.
fn last_y(text: &str) -> f64 {
    let (done, _) = compile(text);
    let model = done.model.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    let settings = Settings { stop: Some(2.0), ..Settings::default() };
    let (outcome, rows) = run(&model, &settings, (0..=20).map(|i| f64::from(i) * 0.1).collect());
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    rows.value_at("y", 2.0).expect("there is a y")
}

fn with_function(function: &str, equation: &str) -> String {
    format!(
        "model M\n{function}\n  Real x(start = 1.5, fixed = true);\n  Real y;\nequation\n  der(x) = -0.3*y;\n  {equation}\nend M;\n"
    )
}

#[test]
fn loops_that_end_by_themselves() {
    let root = "  function root
    input Real a;
    output Real r;
  protected
    Integer n = 0;
  algorithm
    r := 1;
    while abs(r*r - a) > 1e-12*a and n < 100 loop
      r := 0.5*(r + a/r);
      n := n + 1;
    end while;
  end root;";
    let y = last_y(&with_function(root, "y = root(1 + x*x);"));
    assert!(y > 1.0 && y < 2.0);
}

#[test]
fn arrays_live_on_the_stack() {
    let sorted = "  function middle
    input Real a[5];
    output Real m;
  protected
    Real s[5];
    Real t;
    Boolean moved;
  algorithm
    s := a;
    moved := true;
    while moved loop
      moved := false;
      for i in 1:size(s, 1) - 1 loop
        if s[i] > s[i + 1] then
          t := s[i];
          s[i] := s[i + 1];
          s[i + 1] := t;
          moved := true;
        end if;
      end for;
    end while;
    m := s[3];
  end middle;";
    let y = last_y(&with_function(sorted, "y = middle({x, 0.2, sin(time), 0.9 - time, 2*x});"));
    assert!(y.is_finite());
}

#[test]
fn whole_numbers_and_early_ends() {
    let steps = "  function steps
    input Real a;
    output Real rest;
  protected
    Integer n;
    Integer i;
  algorithm
    i := integer(10*a) + 3;
    n := 0;
    rest := a;
    while i <> 1 loop
      if n > 50 then
        return;
      end if;
      i := if mod(i, 2) == 0 then div(i, 2) else 3*i + 1;
      n := n + 1;
      rest := rest + rem(i, 7)/max(i, 2)^2 - sign(rest)*floor(rest)/8;
    end while;
  end steps;";
    let y = last_y(&with_function(steps, "y = steps(noEvent(abs(x)) + 0.5);"));
    assert!(y.is_finite());
}

#[test]
fn functions_that_call_functions() {
    let calls = "  function slope
    input Real a;
    input Real k[2];
    output Real s = k[1]*a + k[2];
  algorithm
    if a > 1 then
      s := s^2;
    end if;
  end slope;
  function walk
    input Real a;
    output Real b;
  protected
    Real h;
  algorithm
    b := a;
    h := 0.5;
    while h > 1e-6 loop
      b := b - h*slope(b, {0.5, -h})/(1 + b*b);
      h := h/2;
    end while;
  end walk;";
    let y = last_y(&with_function(calls, "y = walk(x) + log(2 + x^2);"));
    assert!(y.is_finite());
}

/// The exact bound of a recursion is the interpreter's matter.
#[test]
fn recursion_is_given_to_the_interpreter() {
    let recursive = "  function euclid
    input Real a;
    input Real b;
    output Real g;
  algorithm
    if b < 1e-3 then
      g := a;
    else
      g := euclid(b, mod(a, b));
    end if;
  end euclid;";
    let y = last_y(&with_function(recursive, "y = euclid(3 + x, 1.25);"));
    assert!(y > 0.0);
}

/// The interpreter reports missing values: the place and the reason are the same.
#[test]
fn faults_are_those_of_the_interpreter() {
    let faulty = "  function pick
    input Real a;
    output Real b;
  protected
    Real table[3] = {1, 2, 4};
    Integer i = 1;
  algorithm
    while table[i] < a loop
      i := i + 1;
    end while;
    b := table[i];
  end pick;";
    let (done, _) = compile(&with_function(faulty, "y = pick(4.2 - x);"));
    let model = done.model.expect("it is a model");
    let settings = Settings { stop: Some(10.0), ..Settings::default() };
    let (outcome, _) = run(&model, &settings, vec![0.0, 10.0]);
    let said: Vec<&str> = outcome.diagnostics.iter().map(|said| said.message.as_str()).collect();
    assert!(said[0].starts_with("subscript 4 is outside 1:3"), "{said:?}");
}

const MEDIUM: &str = "  record State
    Real p;
    Real T;
    Real[2] X;
  end State;
  type Region = enumeration(liquid, vapour);
  record Properties
    State state;
    Real d;
    Region region;
  end Properties;";

/// Records in and out, of records and of arrays of records, in part only and passed on.
#[test]
fn records_are_their_fields() {
    let text = format!(
        "{MEDIUM}
  function state
    input Real p;
    input Real T;
    output State s;
  algorithm
    s.p := p;
    s.T := T; // X is left to whoever wants it
  end state;
  function properties
    input State s;
    output Properties q;
  protected
    Real d;
    Integer n = 0;
  algorithm
    d := s.p/(287*s.T);
    while abs(d - 0.1*s.p/(s.T + d)) > 1e-9 and n < 30 loop
      d := 0.1*s.p/(s.T + d);
      n := n + 1;
    end while;
    q.state := s;
    q.d := d + s.X[1];
    q.region := if d > 20 then Region.vapour else Region.liquid;
  end properties;
  function mixed
    input Real p[3];
    output Real m;
  protected
    Properties q[3];
    Integer best = 1;
  algorithm
    for i in 1:3 loop
      q[i] := properties(state(1e5*p[i], 280 + i));
      if q[i].d > q[best].d then
        best := i;
      end if;
    end for;
    m := q[best].d*q[best].state.T/300 + (if q[best].region == Region.vapour then 1 else 0);
  end mixed;"
    );
    let y = last_y(&with_function(&text, "y = mixed({1 + 0.1*x, 2 - x, 1.5})/20;"));
    assert!(y > 0.0, "{y}");
}

/// Messages lost in machine code are the same as ever: the assert of a function that another one calls.
#[test]
fn broken_asserts_of_functions_say_what_they_say() {
    let text = format!(
        "{MEDIUM}
  function checked
    input State s;
    output Real d;
  protected
    Integer n = 0;
  algorithm
    assert(s.p > 1.3, \"the pressure is too low\");
    d := s.T;
    while d > s.p and n < 10 loop
      d := d/2;
      n := n + 1;
    end while;
  end checked;
  function called
    input Real p;
    output Real d;
  algorithm
    d := checked(State(p, 300, {{0, 1}}));
  end called;"
    );
    let (done, _) = compile(&with_function(&text, "y = 0.1*called(x);"));
    let model = done.model.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    let settings = Settings { stop: Some(10.0), ..Settings::default() };
    let (outcome, _) = run(&model, &settings, vec![0.0, 10.0]);
    let said: Vec<&str> = outcome.diagnostics.iter().map(|said| said.message.as_str()).collect();
    assert!(said.iter().any(|said| said.contains("the pressure is too low")), "{said:?}");
}

/// A function as an argument, handed on, with inputs given on the way: what is called is known before the run.
#[test]
fn functions_as_arguments() {
    let text = "  partial function Scalar
    input Real u;
    output Real y;
  end Scalar;
  function cubic
    extends Scalar;
    input Real k[2];
    input Real shift;
  algorithm
    y := (u - shift)^3 + k[1]*u - k[2];
  end cubic;
  function zero
    input Scalar f;
    input Real low;
    input Real high;
    output Real u;
  protected
    Real a = low;
    Real b = high;
  algorithm
    if f(a)*f(b) > 0 then
      Modelica_error(\"no zero between \" + String(low) + \" and \" + String(high));
    end if;
    while b - a > 1e-11 loop
      u := (a + b)/2;
      if f(a)*f(u) <= 0 then
        b := u;
      else
        a := u;
      end if;
    end while;
    u := (a + b)/2;
  end zero;
  function Modelica_error
    input String text;
  algorithm
    assert(false, text);
  end Modelica_error;
  function root
    input Real x;
    output Real y;
  algorithm
    y := zero(function cubic(k = {2, x}, shift = 0.5), -4, 4);
  end root;";
    let y = last_y(&with_function(text, "y = root(x) + zero(function cubic(k = {1, x}, shift = 0), -3, 3);"));
    assert!(y > 0.0, "{y}");
    // what is for the interpreter to say
    let (done, _) = compile(&with_function(text, "y = root(x + 100*time);"));
    let model = done.model.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    let settings = Settings { stop: Some(2.0), ..Settings::default() };
    let (outcome, _) = run(&model, &settings, vec![0.0, 2.0]);
    let said: Vec<&str> = outcome.diagnostics.iter().map(|said| said.message.as_str()).collect();
    assert!(said.iter().any(|said| said.contains("no zero between")), "{said:?}");
}

/// Sizes that follow from others, parts of matrices, arrays element by element.
#[test]
fn arrays_of_sizes_that_follow() {
    let text = "  function interval
    input Real x;
    input Real grid[:];
    output Integer i;
  protected
    Integer n = scalar(size(grid));
  algorithm
    i := 1;
    while i < n - 1 and grid[i + 1] < x loop
      i := i + 1;
    end while;
  end interval;
  function series
    input Real x;
    output Real y;
  protected
    Real c[:] = {0.5, -0.25, 0.125};
    Real m[3, 2];
    Real t[2, 3];
  algorithm
    m[:, 1] := c;
    m[:, 2] := {x^k for k in 1:3};
    t := transpose(m);
    y := 0;
    while y < 0.1 loop
      y := y + 0.1 + abs(t[1, interval(x, c)] + sum(m[:, 2]) + fill(x, 2)*t[:, 3])/100;
    end while;
  end series;";
    let y = last_y(&with_function(text, "y = series(x);"));
    assert!(y > 0.0, "{y}");
}
