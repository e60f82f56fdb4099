//! A chain of links with angles as wished states.

/// Links of length 1 that hang on each other, in Cartesian coordinates, each with an angle that is preferred as a state, and the mean of
/// their positions: constraints tie positions, angles and unknowns that are no candidates, and one holds all positions.
pub fn links(links: usize) -> String {
    format!(
        "model Links
  constant Integer n = {links};
  Real x[n](start = {{0.6*i for i in 1:n}}), y[n](start = {{-0.8*i for i in 1:n}}), vx[n], vy[n];
  Real X[n + 1], Y[n + 1], F[n + 1];
  Real phi[n](each stateSelect = StateSelect.prefer, each start = asin(0.6));
  Real mean(stateSelect = StateSelect.prefer);
equation
  X = cat(1, {{0}}, x);
  Y = cat(1, {{0}}, y);
  F[n + 1] = 0;
  mean = sum(x)/n;
  for i in 1:n loop
    der(x[i]) = vx[i];
    der(y[i]) = vy[i];
    der(vx[i]) = (if i < n then F[i + 1]*(X[min(i + 2, n + 1)] - X[i + 1]) else 0) - F[i]*(X[i + 1] - X[i]);
    der(vy[i]) = (if i < n then F[i + 1]*(Y[min(i + 2, n + 1)] - Y[i + 1]) else 0) - F[i]*(Y[i + 1] - Y[i]) - 9.81;
    (X[i + 1] - X[i])^2 + (Y[i + 1] - Y[i])^2 = 1;
    X[i + 1] - X[i] = sin(phi[i]);
  end for;
end Links;
"
    )
}
