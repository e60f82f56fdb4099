//! The chain of inertias and gears as arrays, the ratios a parameter array: what is known of a product of thousands of
//! parameters is asked for.

/// The text of a train of so many wheels.
pub fn train(wheels: usize) -> String {
    let gears = wheels - 1;
    format!(
        "model Train
  parameter Real ratio[{gears}] = {{1 + 0.001*mod(i, 97) for i in 1:{gears}}};
  parameter Real J[{wheels}] = fill(1, {wheels});
  Real phi[{wheels}];
  Real w[{wheels}];
  Real tau[{wheels}];
equation
  der(phi) = w;
  for i in 1:{gears} loop
    phi[i] = ratio[i]*phi[i + 1];
    J[i]*der(w[i]) = tau[i] - tau[i + 1]/ratio[i];
  end for;
  J[{wheels}]*der(w[{wheels}]) = tau[{wheels}];
  tau[1] = sin(time);
end Train;
"
    )
}
