model SphericalPendulum "A point of mass 1 on a sphere, high above its equator; nothing says what its states are"
  constant Real g = 9.81;
  parameter Real L = 1;
  Real x(start = 0.6), y(start = 0.3), z(start = 0.74);
  Real vx(start = 0.5), vy(start = -1), vz;
  Real T "force along the rod, per length";
  Real energy = 0.5*(vx^2 + vy^2 + vz^2) + g*z;
  Real residual = x^2 + y^2 + z^2 - L^2;
  Real residual_of_speeds = x*vx + y*vy + z*vz;
equation
  der(x) = vx;
  der(y) = vy;
  der(z) = vz;
  der(vx) = T*x;
  der(vy) = T*y;
  der(vz) = T*z - g;
  x^2 + y^2 + z^2 = L^2;
end SphericalPendulum;
