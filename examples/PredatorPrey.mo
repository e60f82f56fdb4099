model PredatorPrey "Hares and lynxes (Lotka and Volterra)"
  parameter Real birth = 1.1 "Growth of the hares without lynxes";
  parameter Real hunt = 0.4 "Hares caught per lynx and hare";
  parameter Real gain = 0.1 "Lynxes raised per lynx and hare";
  parameter Real death = 0.4 "Decline of the lynxes without hares";
  Real hares(start = 10, fixed = true);
  Real lynxes(start = 10, fixed = true);
equation
  der(hares) = (birth - hunt*lynxes)*hares;
  der(lynxes) = (gain*hares - death)*lynxes;
  annotation(experiment(StopTime = 50));
end PredatorPrey;
