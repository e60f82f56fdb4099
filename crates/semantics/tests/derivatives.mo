package Of "Functions whose derivatives are compared with central differences"
  record State
    Real p;
    Real T[2];
    Integer phase;
  end State;

  function elementary
    input Real x, y;
    output Real r = sin(x)*exp(-y) + tan(x/4) + log(x + y)/sqrt(y) + atan(x*y) - log10(x) + cosh(x) - sinh(y)*tanh(x);
  end elementary;

  function inverse
    input Real x, y;
    output Real r = asin(x/4) + acos(y/4) + atan2(x, y) + cos(x*y);
  end inverse;

  function powers
    input Real x, y;
    input Integer n;
    output Real r = x^y + x^3 + x^n + y^0.5 + 2^x + x^(-2);
  end powers;

  function quotients
    input Real x, y;
    output Real r = x/y + 1/(x + y) - (x - y)/(x*y);
  end quotients;

  function choices
    input Real x, y;
    output Real r = (if x > y then x^2 else y*x) + max(x, y)*min(x, 2*y) + abs(x - y) + mod(x, 10)*rem(y, 10);
  end choices;

  function loops
    input Real x;
    input Integer n;
    output Real r;
  protected
    Real term;
  algorithm
    r := 1;
    term := 1;
    for i in 1:n loop
      term := term*x/i;
      r := r + term;
    end for;
  end loops;

  function newton "Square root by iteration, left by break or return"
    input Real a;
    output Real x;
  protected
    Real next;
    Integer steps;
  algorithm
    x := a;
    steps := 0;
    while true loop
      next := (x + a/x)/2;
      steps := steps + 1;
      if steps > 40 then
        x := next;
        return;
      elseif steps > 30 then
        break;
      end if;
      x := next;
    end while;
  end newton;

  function branches
    input Real x, y;
    input Boolean forward;
    output Real r;
  algorithm
    r := 5;
    if forward then
      r := x*y;
      r := r*r;
    elseif x > y then
      r := x;
    else
      r := 3;
    end if;
    r := r + y;
  end branches;

  function vectors
    input Real v[:];
    input Real k;
    output Real r[size(v, 1)];
  protected
    Real w[size(v, 1)];
  algorithm
    w := k*v;
    for i in 1:size(v, 1) loop
      w[i] := w[i]*v[i] + i;
    end for;
    r := cat(1, w[2:end], {sum(v)}) - 2*v + fill(k, size(v, 1)) .* v;
  end vectors;

  function matrices
    input Real A[3, 3];
    input Real v[3];
    output Real r[3] = A*v + transpose(A)*cross(v, A[1, :]) + skew(v)*v + A^2*v + outerProduct(v, v)*A[:, 2] + diagonal(v)*v;
    output Real s = v*A*v + sum(A) + product(v);
  end matrices;

  function reductions
    input Real v[:];
    output Real r = sum(v[i]^2 for i in 1:size(v, 1)) + product(x + 1 for x in v) + max(v) - min(v[i]*i for i in 1:size(v, 1)) + product(v);
  end reductions;

  function comprehensions
    input Real x;
    input Integer n;
    output Real r[n, 2] = {{x^i, sin(i*x)} for i in 1:n};
  end comprehensions;

  function throughValues
    input Real x, y;
    output Real r;
  algorithm
    r := 0;
    for v in {x, y, x*y} loop
      r := r + v^2;
    end for;
  end throughValues;

  function ranges
    input Real x, y;
    output Real r = sum(linspace(x, y, 4)) + sum({x, 2, y}*{1, x, y}) + max({{x, y}, {y, 3*x}});
  end ranges;

  function results
    input Real x;
    output Integer n = 3;
    output Real a = x^2;
    output Real b;
    output Real v[2];
  algorithm
    b := sin(x);
    v := {x, x^3};
  end results;

  function manyResults
    input Real x;
    output Real r;
  protected
    Integer n;
    Real a, b, v[2];
  algorithm
    (n, a, , v) := results(x^2);
    (, , b) := results(3);
    r := n*a + b*x + v*v;
  end manyResults;

  function records
    input State s;
    input Real k;
    output State r;
  protected
    State t;
  algorithm
    t := State(p = s.p*k, T = s.T, phase = s.phase);
    t.T[1] := t.p*s.T[2];
    t.phase := 4;
    r := t;
    r.p := r.p + sum(t.T)*t.phase;
  end records;

  function recursive
    input Real x;
    input Integer n;
    output Real r = if n <= 0 then 1 else x*recursive(x, n - 1) + n;
  end recursive;

  function calls
    input Real x, y;
    output Real r = quotients(x^2, y)*elementary(y, x) + quotients(2, 3);
  end calls;

  function given "With a derivative that says so"
    input Real x, y;
    input Real k;
    output Real r = k*x^2*y;
    annotation(derivative(zeroDerivative = k) = given_k, derivative = given_der);
  end given;

  function given_k
    input Real x, y, k, der_x, der_y;
    output Real der_r = k*(2*x*y*der_x + x^2*der_y);
  end given_k;

  function given_der
    input Real x, y, k, der_x, der_y, der_k;
    output Real der_r = k*(2*x*y*der_x + x^2*der_y) + der_k*x^2*y;
  end given_der;

  function usesGiven
    input Real x, k;
    output Real r = given(x, 3*x, 2) + given(x, x^2, k);
  end usesGiven;

  function partials
    input Real x, y;
    output Real r = elementary_x(x, y)*y + elementary_xy(x^2, y);
  end partials;
  function elementary_x = der(elementary, x);
  function elementary_xy = der(elementary, x, y);
end Of;

model Calls
  Of.State s = Of.State(p = 1, T = {1, 2}, phase = 1);
  Real y[20];
  Real v[3] = Of.vectors({1, 2, 3}, 1);
  Real m[3] = Of.matrices(identity(3), {1, 2, 3});
  Real c[2, 2] = Of.comprehensions(1, 2);
  Of.State r = Of.records(s, 1);
equation
  y[1] = Of.elementary(1, 1);
  y[2] = Of.inverse(1, 1);
  y[3] = Of.powers(1, 1, 1);
  y[4] = Of.quotients(1, 1);
  y[5] = Of.choices(1, 1);
  y[6] = Of.loops(1, 3);
  y[7] = Of.newton(1);
  y[8] = Of.branches(1, 2, true);
  y[9] = Of.reductions({1, 2});
  y[10] = Of.throughValues(1, 2);
  y[11] = Of.ranges(1, 2);
  y[12] = Of.manyResults(1);
  y[13] = Of.recursive(1, 2);
  y[14] = Of.calls(1, 1);
  y[15] = Of.usesGiven(1, 1);
  y[16] = Of.partials(1, 1);
  y[17] = Of.given(1, 1, 1);
  y[18] = 0;
  y[19] = 0;
  y[20] = 0;
end Calls;
