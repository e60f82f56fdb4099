model ThreeLoops "Points of mass 1 on rods without mass: a crank, a plate and two rockers that close three loops"
  constant Real g = 9.81;
  // one way to put it together: five points, then three pivots in the frame
  constant Real px[8] = {0.6, 2.0, 3.2, 2.7, 1.4, 0, 3.5, 0};
  constant Real py[8] = {0.8, 1.8, 1.5, 2.6, 3.1, 0, 0, 4};
  // between which of these the rods are; 2, 3 and 4 are the corners of the plate
  constant Integer from[9] = {6, 1, 2, 3, 4, 3, 4, 5, 5};
  constant Integer to[9] = {1, 2, 3, 4, 2, 7, 5, 8, 1};
  parameter Real length[9] = {sqrt((px[from[i]] - px[to[i]])^2 + (py[from[i]] - py[to[i]])^2) for i in 1:9};
  parameter Real guess_x[5] = px[1:5];
  parameter Real guess_y[5] = py[1:5];
  Real x[5](start = guess_x), y[5](start = guess_y);
  Real vx[5], vy[5];
  Real endx[8] = cat(1, x, px[6:8]), endy[8] = cat(1, y, py[6:8]);
  Real dx[9], dy[9] "along the rods";
  Real f[9] "tension of each rod, per length";
  Real energy = sum(0.5*(vx[i]^2 + vy[i]^2) + g*y[i] for i in 1:5);
  Real residual = max(abs(dx[i]^2 + dy[i]^2 - length[i]^2) for i in 1:9);
equation
  for i in 1:9 loop
    dx[i] = endx[to[i]] - endx[from[i]];
    dy[i] = endy[to[i]] - endy[from[i]];
    dx[i]^2 + dy[i]^2 = length[i]^2;
  end for;
  der(x) = vx;
  der(y) = vy;
  for k in 1:5 loop
    der(vx[k]) = sum(if from[i] == k then f[i]*dx[i] elseif to[i] == k then -f[i]*dx[i] else 0 for i in 1:9);
    der(vy[k]) = sum(if from[i] == k then f[i]*dy[i] elseif to[i] == k then -f[i]*dy[i] else 0 for i in 1:9) - g;
  end for;
end ThreeLoops;
