within Test.Everything; // where this file belongs
/* Every production of the grammar at least once. */
final package Everything "All of it" + " in one"
  extends Icons.Package;
  import Modelica.Constants.pi;
  import SI = Modelica.Units.SI "renamed";
  import Modelica.Math.*;
  import Modelica.Math.{sin, cos, tan};

  type Voltage = Real(final quantity = "ElectricPotential", unit = "V") annotation(absoluteValue = true);
  type Empty = enumeration(:);
  type Level = enumeration(low "little", middle, high "much" annotation(choice = 3)) "how much";
  type Vector = input Real[3];
  function df = der(.Everything.f, x, y) "derivative";

  encapsulated partial model Base "a base"
    input Real u(start = 1, fixed = true) = 2;
    replaceable Medium m[n](each k = 1) constrainedby Media.Partial(p(final start = 3)) "medium" annotation(Dialog);
    replaceable package P = Q(a = 1, redeclare type T = Real) constrainedby R;
  end Base;

  expandable connector Bus
    flow SI.Current i;
    stream Real h_outflow;
  end Bus;

  operator record Complex
    Real re, im;
    encapsulated operator '+'
      function add
        input Complex a, b;
        output Complex c = Complex(a.re + b.re, a.im + b.im);
      algorithm
        annotation(Inline = true);
      end add;
    end '+';
    operator function '*' = multiply;
  end Complex;

  impure function now "time of day"
    output Real t;
    external "C" t = clock(0, 1.5e-3) annotation(Include = "#include <time.h>");
  end now;

  pure function f
    extends Modelica.Icons.Function;
    input Real x[:, size(x, 1)];
    output Real y, z;
  protected
    Integer i := 0;
    constant Boolean flags[2] = {true, false};
  algorithm
    (y, z) := g(x, h = function k(a = 1, b = 2), n = 3);
    (, z) := g(x);
    for i in 1:2:10, j loop
      if i > 3 and not j <= 4 or flags[1] then
        break;
      elseif i == 3 then
        y := -x[end, 1] ^ 2 / .5;
      else
        return;
      end if;
    end for;
    while y < 10 loop
      y := y + 1;
    end while "loop";
    when sample(0, 1) then
      z := pre(z);
    elsewhen {a, b} then
      der(z) := 0;
    end when;
    assert(y <> 0, "y must not be 0");
    y := (f(x))[1] + (a.b).c;
  end f;

  model extends Inherited(k = 1) "changed"
  end Inherited;

  model Main
    extends Base(break x, break connect(a.p, b.n), u(start = 3) = break, redeclare final replaceable model M = N) annotation(Documentation(info = "<html>
      a \"long\" text
    </html>"));
    redeclare final inner outer parameter Real p[3] = [1, 2; 3, 4] if use_p "conditional" annotation(Evaluate = true);
    discrete output Integer k;
    'quoted name \' with ()' q, r[n, 2](a(b(c = 1)));
    .Modelica.Units.SI.Time t = time;
  public
    Real x;
  protected
    Real y = sum(a[i] * b[j] for i in 1:n, j in {1, 2});
    Real z[2] = {i ^ 2 for i in 1:2};
  initial equation
    x = 0;
  initial algorithm
    y := 1;
  equation
    der(x) = -x + (if initial() then 1 elseif x > 1 then 2 else 3) "description" annotation(foo = 1);
    if a then
      x = 1;
    elseif b then
    else
      y = 2;
    end if;
    for i loop
      connect(a[i].p, .b.n[1, :]) annotation(Line(points = {{-1, 0}, {1, 0}}));
    end for;
    when x > 0 then
      reinit(x, pure(rand()));
    elsewhen x < 0 then
      Connections.branch(a.R, b.R);
    end when;
    (a, , b) = f(x);
    x .+ y .- z = a .* b ./ c .^ d;
    0 = (1.e5 - 13. * 1E-3) + .25e2;
    annotation(Icon(graphics = {Text(extent = {{0, 0}, {1, 1}}, textString = "%name")}), experiment(StopTime = 1));
  end Main;
  annotation(version = "1.0");
end Everything;
