//! The heat equation on a rod, by finite differences.

/// The text of a rod of so many nodes, warm at one end and insulated at the other.
pub fn heat(nodes: usize) -> String {
    format!(
        "model Heat
  parameter Integer n = {nodes};
  parameter Real a = 0.01*n^2;
  Real T[n](each start = 0, each fixed = true);
equation
  der(T[1]) = a*(1 - 2*T[1] + T[2]);
  for i in 2:n-1 loop
    der(T[i]) = a*(T[i - 1] - 2*T[i] + T[i + 1]);
  end for;
  der(T[n]) = a*(T[n - 1] - T[n]);
  annotation(experiment(StopTime = 10));
end Heat;
"
    )
}
