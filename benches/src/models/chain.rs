//! A chain of rigid links.

/// Links of length 1 and mass 1 that hang on each other and swing a little, in Cartesian coordinates: each is confined by its length,
/// and its speed by the derivative of that. With `has_fixed_states` the horizontal coordinates are demanded as states, which
/// is a regular choice for as long as no link comes to lie flat; without it the run chooses.
pub fn chain(links: usize, has_fixed_states: bool) -> String {
    let wish = if has_fixed_states { "(each stateSelect = StateSelect.always)" } else { "" };
    let (mut xs, mut ys, mut dys) = (Vec::new(), Vec::new(), Vec::new());
    let (mut x, mut y) = (0.0, 0.0);
    for i in 0..links {
        let angle = 0.1 * (1.0 + (i as f64).sin());
        x += angle.sin();
        y -= angle.cos();
        xs.push(format!("{x:.9}"));
        ys.push(format!("{y:.9}"));
        dys.push(format!("{:.9}", -angle.cos()));
    }
    let (xs, ys, dys, next) = (xs.join(", "), ys.join(", "), dys.join(", "), links + 1);
    format!(
        "model Chain
  Real x[{links}]{wish}, y[{links}](start = {{{ys}}}), vx[{links}]{wish}, vy[{links}];
  Real T[{next}], dx[{links}], dy[{links}](start = {{{dys}}});
initial equation
  x = {{{xs}}};
  vx = zeros({links});
equation
  T[{next}] = 0;
  for i in 1:{links} loop
    dx[i] = x[i] - (if i > 1 then x[max(i - 1, 1)] else 0);
    dy[i] = y[i] - (if i > 1 then y[max(i - 1, 1)] else 0);
    der(x[i]) = vx[i];
    der(y[i]) = vy[i];
    der(vx[i]) = (if i < {links} then T[i + 1]*dx[min(i + 1, {links})] else 0) - T[i]*dx[i];
    der(vy[i]) = (if i < {links} then T[i + 1]*dy[min(i + 1, {links})] else 0) - T[i]*dy[i] - 9.81;
    dx[i]^2 + dy[i]^2 = 1;
  end for;
end Chain;
"
    )
}
