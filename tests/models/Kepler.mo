model Kepler "A planet of eccentricity 0.6, from its perihelion; the period is 2 pi"
  parameter Real e = 0.6;
  Real r[2](start = {1 - e, 0}, each fixed = true);
  Real v[2](start = {0, sqrt((1 + e)/(1 - e))}, each fixed = true);
  Real distance;
equation
  distance = sqrt(r[1]^2 + r[2]^2);
  der(r) = v;
  der(v) = -r/distance^3;
end Kepler;
