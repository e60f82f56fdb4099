//! One constraint over all states.

/// So many stores that a common flow keeps at a given total: all but one of them are states.
pub fn tied(stores: usize) -> String {
    format!(
        "model Tied
  constant Integer n = {stores};
  Real x[n];
  Real supply;
equation
  for i in 1:n loop
    der(x[i]) = supply - x[i];
  end for;
  sum(x) = sin(time);
end Tied;
"
    )
}
