model KalmanFilter "How fast a cart goes, from noisy measurements of where it is"
  constant Real pi = 3.141592653589793;
  Real s(start = 0, fixed = true) "Where the cart is";
  Real v(start = 0, fixed = true) "How fast it goes";
  Real push = if time < 2 then 1 else if time < 4 then -0.5 else sin(time) "Known to the filter";
  Real wind = 0.2*cos(2*time) "Not known to it";
  Real noise = 0.05*sin(137*time) + 0.04*sin(511*time + 1) + 0.03*cos(977*time);
  Model filter(y = sample(s + noise, ticks), u = sample(push));
  Clock ticks = Clock(Clock(1, 20), "ExplicitEuler");
  Real measured = hold(filter.y) "Position, as it is seen";
  Real position = hold(filter.s) "Position, as it is thought to be";
  Real speed = hold(filter.v) "Speed, as it is thought to be";

  model Model "The cart inside the filter: its states are set from what is measured, and from what was thought before"
    input Real y;
    input Real u;
    parameter Real q = 0.04 "Power of what is not known of the forces";
    parameter Real r = 0.0025 "Variance of a measurement";
    Real s(start = 0) = reinit(sp + k[1]*(y - sp));
    Real v(start = 0) = reinit(vp + k[2]*(y - sp));
    Real a(start = 0) "Acceleration";
    Real sp "Predicted position";
    Real vp "Predicted speed";
    Real P[2, 2](start = [1, 0; 0, 1]) "Covariance of what is thought";
    Real M[2, 2] "Covariance of what is predicted";
    Real k[2] "How much a measurement counts";
  protected
    Real h = interval();
  equation
    der(s) = v;
    der(v) = u - 0.1*v;
    a = der(v);
    sp = previous(s) + h*previous(v);
    vp = previous(v) + h*previous(a);
    M[1, 1] = previous(P[1, 1]) + h*(previous(P[1, 2]) + previous(P[2, 1])) + h^2*previous(P[2, 2]);
    M[1, 2] = previous(P[1, 2]) + h*previous(P[2, 2]);
    M[2, 1] = previous(P[2, 1]) + h*previous(P[2, 2]);
    M[2, 2] = previous(P[2, 2]) + h*q;
    k = M[:, 1]/(M[1, 1] + r);
    P = [(1 - k[1])*M[1, 1], (1 - k[1])*M[1, 2]; M[2, 1] - k[2]*M[1, 1], M[2, 2] - k[2]*M[1, 2]];
  end Model;
equation
  der(s) = v;
  der(v) = push + wind - 0.1*v;
  annotation(experiment(StopTime = 10, Interval = 0.01));
end KalmanFilter;
