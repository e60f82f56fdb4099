package Units
  type Length = Real(final quantity = "Length", unit = "m", min = 0);
  type Level = enumeration(low "below", middle, high);
  constant Length size = 2.5;
  constant Real gains[Level] = {1, 10, 100};
  constant Integer counts[:] = integer({i^2 - i for i in 1:3});
end Units;
model Lengths
  import U = Units;
  import Units.Level;
  parameter Integer n(min = 1) = 3;
  parameter Units.Length l[n] = fill(U.size, n);
  Real x[n](start = l, each fixed = true);
  Real y[Level] = Units.gains*time;
  final parameter Real total = sum(l[i]*i for i in 1:n);
equation
  for i in 1:n loop
    der(x[i]) = if i > 1 then x[i - 1] - x[i] else -x[i];
  end for;
end Lengths;
//---
package Functions
  function scan
    input Real x[:];
    input Integer from = 1;
    output Real y[size(x, 1)];
    output Integer n;
  protected
    Real last = 0;
  algorithm
    n := 0;
    for i in from:size(x, 1) loop
      last := last + x[i];
      y[i] := last;
      if last > 100 then
        break;
      elseif last < -100 then
        return;
      end if;
      n := n + 1;
    end for;
    while n > 10 loop
      n := n - 1;
    end while;
    annotation(Inline = false, smoothOrder = 1);
  end scan;
  partial function Law
    input Real x;
    output Real y;
  end Law;
  function line
    extends Law;
    input Real k = 2;
  algorithm
    y := k*x;
  end line;
  function steeper = line(k = 5);
  function at
    input Law law;
    input Real x[:];
    output Real y[size(x, 1)] = {law(x[i]) for i in 1:size(x, 1)};
  algorithm
  end at;
  function outside
    input Real x;
    output Real y;
  external "C" y = outside_c(x, size({x}, 1)) annotation(Library = {"a", "b"});
  end outside;
  function factorial
    input Integer n;
    output Integer y;
  algorithm
    y := if n < 2 then 1 else n*factorial(n - 1);
  end factorial;
end Functions;
model Calls
  parameter Real a[3] = Functions.scan({1, 2, 3});
  parameter Real b[2] = Functions.at(function Functions.line(k = 3), {1, 2});
  parameter Real c = Functions.steeper(2) + Functions.factorial(n = 5);
  Real d[Functions.factorial(3)] = fill(Functions.outside(time), 6);
  Real e;
  Integer m;
equation
  (, m) = Functions.scan(a, from = 2);
  e = max(a) + min({c, e}) + noEvent(if time > 1 then 1 else 2);
end Calls;
//---
connector Pin
  Real v;
  flow Real i;
end Pin;
partial model TwoPin
  Pin p;
  Pin n;
  Real v = p.v - n.v;
  Real i = p.i;
equation
  p.i + n.i = 0;
end TwoPin;
model Resistor
  extends TwoPin;
  parameter Real R(start = 1) = 10;
equation
  v = R*i;
end Resistor;
model Capacitor
  extends TwoPin(v(start = 1, fixed = true));
  parameter Real C = 1;
equation
  C*der(v) = i;
end Capacitor;
model Source
  extends TwoPin;
  replaceable function signal = sin constrainedby sin;
  outer World world;
equation
  v = world.amplitude*sin(time);
end Source;
model World
  parameter Real amplitude = 5;
end World;
model Circuit
  inner World world(amplitude = 3);
  parameter Integer n = 2;
  parameter Boolean grounded = true;
  replaceable model Load = Resistor constrainedby TwoPin;
  Load load[n](R = {1, 2});
  Capacitor c(C = 2, v.start = 4);
  Source s;
  Resistor extra if not grounded;
equation
  connect(s.p, load[1].p);
  for i in 1:n - 1 loop
    connect(load[i].n, load[i + 1].p);
  end for;
  connect(load[n].n, c.p);
  connect(c.n, s.n);
  if grounded then
    s.n.v = 0;
  end if;
  connect(extra.p, s.p);
end Circuit;
//---
operator record Complex
  Real re;
  Real im;
  encapsulated operator 'constructor'
    import Complex;
    function fromReal
      input Real re;
      input Real im = 0;
      output Complex c(re = re, im = im);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator function '+'
    import Complex;
    input Complex a;
    input Complex b;
    output Complex c = Complex(a.re + b.re, a.im + b.im);
  algorithm
  end '+';
  encapsulated operator '*'
    import Complex;
    function multiply
      input Complex a;
      input Complex b;
      output Complex c = Complex(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    algorithm
    end multiply;
  end '*';
end Complex;
model Phasors
  record Pair
    Complex a;
    Complex b[2] = {a, a};
  end Pair;
  constant Complex j = Complex(0, 1);
  parameter Pair pair = Pair(a = 2 + 3*j);
  Complex z = pair.b[1] + pair.a*j;
  Complex sums[2] = {z, j} + pair.b;
  Real re[2] = sums.re;
end Phasors;
//---
package Media
  partial package Medium
    constant Integer nX = 1;
    replaceable record State
      Real T;
      Real X[nX];
    end State;
    replaceable partial function h
      input State state;
      output Real h;
    end h;
  end Medium;
  package Water
    extends Medium(nX = 2);
    redeclare record extends State
      Real p = 1e5;
    end State;
    redeclare function extends h
    algorithm
      h := 4180*state.T + sum(state.X);
    end h;
  end Water;
end Media;
model Volume
  replaceable package Medium = Media.Medium constrainedby Media.Medium;
  Medium.State state(T(start = 300, fixed = true), X = fill(0.5, Medium.nX));
  Real h = Medium.h(state);
equation
  der(state.T) = 1;
end Volume;
model Plant
  Volume v(redeclare package Medium = Media.Water);
  Volume w[2](redeclare package Medium = Media.Water, state(each T.start = 310));
end Plant;
//---
block Controller
  input Real u;
  output Real y;
  parameter Real k[2, 2] = [1, 2; 3, 4];
  Boolean on(start = false, fixed = true);
  discrete Real held;
  String name = "controller " + String(k[1, end], significantDigits = 3);
protected
  Real matrix[2, 2] = transpose(k)*k .+ 1;
  Integer count(start = 0);
initial equation
  held = 0;
initial algorithm
  count := 0;
algorithm
  when {on, time > 1} then
    count := pre(count) + 1;
  elsewhen not on then
    count := 0;
  end when;
equation
  on = u > 0.5 and not (y < 0 or y > 1);
  when sample(0, 0.1) then
    held = u*matrix[1, 1];
    reinit(y, 0);
  end when;
  der(y) = (held - y)/max(k);
  assert(y < 1e6, "too large");
end Controller;
