//! Inductors in a row, with a resistor each, and switches between them that are thrown in groups of twenty: each group changes
//! twenty equations.

/// How many switches a group has.
pub const GROUP: usize = 20;

/// The text of a row with about so many equations; `thrown` says when the groups are open, as an array of conditions by `g`.
pub fn switches(equations: usize, thrown: &str) -> String {
    let inductors = equations / 5;
    let groups = (inductors - 1) / GROUP;
    format!(
        "model Switches
  parameter Real L[{inductors}] = {{0.1 + 0.001*mod(k, 97) for k in 1:{inductors}}};
  parameter Real R[{inductors}] = {{0.5 + 0.003*mod(k, 89) for k in 1:{inductors}}};
  Real p[{inductors}](start = {{sin(k) for k in 1:{inductors}}}, each fixed = true);
  Real i[{inductors}];
  Real u[{inductors}];
  Real heat[{inductors}];
  Real v[{inductors}];
  Boolean open[{groups}] = {{{thrown} for g in 1:{groups}}};
equation
  v[1] = 0;
  for k in 1:{inductors} loop
    p[k] = L[k]*i[k];
    u[k] = R[k]*i[k];
    heat[k] = u[k]*i[k];
    der(p[k]) = v[k] - (if k < {inductors} then v[min(k + 1, {inductors})] else 0) - u[k];
  end for;
  for k in 1:{inductors} - 1 loop
    if open[min(div(k - 1, {GROUP}) + 1, {groups})] and k <= {groups}*{GROUP} then
      i[k] = i[k + 1];
    else
      v[k + 1] = 0;
    end if;
  end for;
end Switches;
"
    )
}
