model PlanetaryGear "Sun, ring and carrier with inertias, tied by teeth; springs hold ring and carrier"
  parameter Real ratio = 2.5 "teeth of the ring over teeth of the sun";
  parameter Real Js = 0.1;
  parameter Real Jr = 1;
  parameter Real Jc = 0.5;
  parameter Real cr = 20 "spring at the ring";
  parameter Real cc = 50 "spring at the carrier";
  Real sun;
  Real ring(start = 0.3, fixed = true);
  Real carrier(start = -0.2, fixed = true);
  Real ws;
  Real wr(start = 0, fixed = true);
  Real wc(start = 1, fixed = true);
  Real tau "of the teeth, at the sun";
  Real energy = Js*ws^2/2 + Jr*wr^2/2 + Jc*wc^2/2 + cr*ring^2/2 + cc*carrier^2/2;
  Real residual = (1 + ratio)*carrier - sun - ratio*ring;
  Real residual_of_speeds = (1 + ratio)*wc - ws - ratio*wr;
equation
  der(sun) = ws;
  der(ring) = wr;
  der(carrier) = wc;
  Js*der(ws) = tau;
  Jr*der(wr) = ratio*tau - cr*ring;
  Jc*der(wc) = -(1 + ratio)*tau - cc*carrier;
  (1 + ratio)*carrier = sun + ratio*ring;
end PlanetaryGear;
