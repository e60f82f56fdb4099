model FeedbackLinearisation "A reactor that is led from one concentration to another by the inverse of its model"
  model Reactor "A tank in which a substance reacts and gets hot; after Föllinger, Nichtlineare Regelungen II"
    parameter Real p = 1 "Off from what it is thought to be";
    input Real Tc(unit = "K") "Temperature of the coolant";
    Real c(unit = "mol/l") "Concentration";
    Real T(unit = "K") "Temperature inside";
    Real gamma = c*(1.05e14*p/0.848)*exp(-34.2894*308.5/T) "How fast it reacts";
  equation
    60*der(c) = 0.2674*p*(0.848 - c) - 0.848*gamma;
    60*der(T) = -1.815*p*T + 0.4682*p*308.5*gamma + 308.5*p*(1.815 - 1.5476) + 1.5476*p*Tc;
  end Reactor;
  parameter Real f = 1/300 "How fast it shall go, in Hz";
  Reactor plant(p = 1.1, Tc = hold(inverse.Tc), c(start = 0.848*0.58, fixed = true), T(start = 308.5*1.01, fixed = true));
  Reactor inverse(c = reinit(sample(plant.c, ticks)), T = reinit(sample(plant.T, ticks))) "Turned round: Tc from c";
  Clock ticks = Clock(Clock(1), "ExplicitEuler");
  Real wanted = sample(0.24, ticks);
  Real x[3](each start = 0.49, each fixed = true) "A filter with critical damping";
  Real c(start = 0.49) "What c is to be";
  Real dc "Its derivative";
  Real e[2](start = {0.848*0.58, 0}, each fixed = true) "c, and its derivative, if the plant were as its model is";
  Real promised = hold(e[1]);
  Real alone(start = 0.848*0.58, fixed = true) "A plant that is only told the temperature at which it would be there at last";
  Real aloneT(start = 308.5*1.01, fixed = true);
protected
  parameter Real w = 2*3.141592653589793*f;
  Real g = alone*(1.05e14*1.1/0.848)*exp(-34.2894*308.5/aloneT);
equation
  der(x) = (cat(1, {wanted}, x[1:2]) - x)*w/sqrt(2^(1/3) - 1);
  der(c) = dc;
  der(dc) = w^2*(x[3] - inverse.c) - 2*w*dc;
  inverse.c = c;
  der(e) = {e[2], w^2*(x[3] - e[1]) - 2*w*e[2]};
  60*der(alone) = 0.2674*1.1*(0.848 - alone) - 0.848*g;
  60*der(aloneT) = -1.815*1.1*aloneT + 0.4682*1.1*308.5*g + 308.5*1.1*(1.815 - 1.5476) + 1.5476*1.1*308.5;
  annotation(experiment(StopTime = 600, Interval = 1));
end FeedbackLinearisation;
