//! Ten families of equations, each over one range: what arrays and loops make of a few lines of text.

/// The text of a model of about so many equations in ten families: a row of cells, a loop around them, arrays.
pub fn families(equations: usize) -> String {
    let n = equations / 10;
    format!(
        "connector Port
  Real T;
  flow Real Q;
end Port;

model Cell
  Port a;
  Port b;
  parameter Real C = 1;
  parameter Real G = 10;
  Real T(start = 1, fixed = true);
equation
  C*der(T) = a.Q + b.Q;
  a.Q = G*(a.T - T);
  b.Q = G*(b.T - T);
end Cell;

model Families
  parameter Integer n = {n};
  Cell cell[n];
  Real x[n](each start = 1, each fixed = true);
  Real y[n];
  Real z[n];
  Real u[n](each start = 0, each fixed = true);
  Real w[n];
equation
  for i in 1:n-1 loop
    connect(cell[i].b, cell[i + 1].a);
  end for;
  for i in 1:n loop
    der(x[i]) = cell[i].T - x[i] + y[i];
    y[i] = sin(time + x[i])*i/n;
    z[i] = x[i]^2 + cell[i].T;
    w[i] = z[i] - u[i];
  end for;
  der(u) = w - 2*u;
end Families;
"
    )
}
