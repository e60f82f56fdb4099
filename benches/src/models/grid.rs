//! A square grid of resistors: one loop that holds everything.

/// `n` times `n` nodes, a resistor between neighbours, a source at one corner and the ground at the other. `law` is that of a resistor
/// between `v` and `i`, with parameters `R`, `a` and `b`.
pub fn grid(n: usize, law: &str) -> String {
    format!(
        "model Grid
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Resistor
    Pin p, n;
    Real v, i;
    parameter Real R = 1, a = 0.1, b = 1;
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
    {law};
  end Resistor;
  model Node
    Pin left, right, up, down;
    Real v = left.v;
  equation
    connect(left, right);
    connect(left, up);
    connect(left, down);
  end Node;
  model Source
    Pin p;
    parameter Real u = 10;
  equation
    p.v = u*(1 + 0.5*sin(time));
  end Source;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  parameter Integer n = {n};
  Node node[n, n];
  Resistor across[n, n - 1], along[n - 1, n];
  Source source;
  Ground ground;
  Real x(start = 0, fixed = true);
equation
  for i in 1:n, j in 1:n - 1 loop
    connect(node[i, j].right, across[i, j].p);
    connect(across[i, j].n, node[i, j + 1].left);
    connect(node[j, i].down, along[j, i].p);
    connect(along[j, i].n, node[j + 1, i].up);
  end for;
  connect(source.p, node[1, 1].left);
  connect(ground.p, node[n, n].right);
  der(x) = across[1, 1].i - x;
end Grid;
"
    )
}
