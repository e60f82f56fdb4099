function 'Modelica.Math.BooleanVectors.anyTrue'
  input Boolean[:] b;
  output Boolean result = size(b, 1) > 0 and max(b);
  annotation(Inline = true);
end 'Modelica.Math.BooleanVectors.anyTrue';

model 'Modelica.StateGraph.Examples.FirstExample' "A first simple StateGraph example"
  Boolean 'initialStep.active' "= true, if step is active, otherwise the step is not active";
  parameter Integer 'initialStep.nIn'(min = 0) = 1 "Number of input connections" annotation(Evaluate = true);
  parameter Integer 'initialStep.nOut'(min = 0) = 1 "Number of output connections" annotation(Evaluate = true);
  Boolean 'initialStep.localActive' "= true, if step is active, otherwise the step is not active";
  Boolean[1] 'initialStep.inPort[:].occupied' "= true, if step is active";
  Boolean[1] 'initialStep.inPort[:].set' "= true, if transition fires and step is activated";
  Boolean[1] 'initialStep.outPort[:].available' "= true, if step is active";
  Boolean[1] 'initialStep.outPort[:].reset' "= true, if transition fires and step is deactivated";
protected
  Boolean 'initialStep.outerStatePort.subgraphStatePort.suspend' "= true, if suspend transition of CompositeStep fires";
  Boolean 'initialStep.outerStatePort.subgraphStatePort.resume' "= true, if resume transition of CompositeStep fires";
  Real 'initialStep.outerStatePort.subgraphStatePort.activeStepsDummy' "Dummy variable in order that connector fulfills restriction of connector";
  Real 'initialStep.outerStatePort.subgraphStatePort.activeSteps' "Number of active steps in the CompositeStep";
  Boolean 'initialStep.outerStatePort.localActive' = 'initialStep.localActive';
  Boolean 'initialStep.newActive' "Value of active in the next iteration";
  Boolean 'initialStep.oldActive' "Value of active when CompositeStep was aborted";
public
  Boolean 'transition1.condition' = true "= true, if transition may fire (time varying expression)";
  Boolean 'transition1.localCondition' = 'transition1.condition' "= true, if transition may fire";
  parameter Boolean 'transition1.enableTimer' = true "= true, if timer is enabled" annotation(Evaluate = true);
  parameter Real 'transition1.waitTime'(min = 0, unit = "s", quantity = "Time") = 1 "Wait time before transition fires";
  Real 'transition1.t'(unit = "s", quantity = "Time") "Actual waiting time (transition will fire when t > waitTime)";
  Boolean 'transition1.enableFire' "= true, if all firing conditions are true";
  Boolean 'transition1.fire' "= true, if transition fires";
  Boolean 'transition1.inPort.available' "= true, if step connected to the transition input is active";
  Boolean 'transition1.inPort.reset' "= true, if transition fires and the step connected to the transition input is deactivated";
  Boolean 'transition1.outPort.occupied' "= true, if step connected to the transition output is active";
  Boolean 'transition1.outPort.set' "= true, if transition fires and step connected to the transition output becomes active";
protected
  discrete Real 'transition1.t_start'(unit = "s", quantity = "Time") "Time instant at which the transition would fire, if waitTime would be zero";
  Real 'transition1.t_dummy';
public
  Boolean 'step.active' "= true, if step is active, otherwise the step is not active";
  parameter Integer 'step.nIn'(min = 0) = 1 "Number of input connections" annotation(Evaluate = true);
  parameter Integer 'step.nOut'(min = 0) = 1 "Number of output connections" annotation(Evaluate = true);
  Boolean 'step.localActive' "= true, if step is active, otherwise the step is not active";
  Boolean[1] 'step.inPort[:].occupied' "= true, if step is active";
  Boolean[1] 'step.inPort[:].set' "= true, if transition fires and step is activated";
  Boolean[1] 'step.outPort[:].available' "= true, if step is active";
  Boolean[1] 'step.outPort[:].reset' "= true, if transition fires and step is deactivated";
protected
  Boolean 'step.outerStatePort.subgraphStatePort.suspend' "= true, if suspend transition of CompositeStep fires";
  Boolean 'step.outerStatePort.subgraphStatePort.resume' "= true, if resume transition of CompositeStep fires";
  Real 'step.outerStatePort.subgraphStatePort.activeStepsDummy' "Dummy variable in order that connector fulfills restriction of connector";
  Real 'step.outerStatePort.subgraphStatePort.activeSteps' "Number of active steps in the CompositeStep";
  Boolean 'step.outerStatePort.localActive' = 'step.localActive';
  Boolean 'step.newActive' "Value of active in the next iteration";
  Boolean 'step.oldActive' "Value of active when CompositeStep was aborted";
public
  Boolean 'transition2.condition' = true "= true, if transition may fire (time varying expression)";
  Boolean 'transition2.localCondition' = 'transition2.condition' "= true, if transition may fire";
  parameter Boolean 'transition2.enableTimer' = true "= true, if timer is enabled" annotation(Evaluate = true);
  parameter Real 'transition2.waitTime'(min = 0, unit = "s", quantity = "Time") = 1 "Wait time before transition fires";
  Real 'transition2.t'(unit = "s", quantity = "Time") "Actual waiting time (transition will fire when t > waitTime)";
  Boolean 'transition2.enableFire' "= true, if all firing conditions are true";
  Boolean 'transition2.fire' "= true, if transition fires";
  Boolean 'transition2.inPort.available' "= true, if step connected to the transition input is active";
  Boolean 'transition2.inPort.reset' "= true, if transition fires and the step connected to the transition input is deactivated";
  Boolean 'transition2.outPort.occupied' "= true, if step connected to the transition output is active";
  Boolean 'transition2.outPort.set' "= true, if transition fires and step connected to the transition output becomes active";
protected
  discrete Real 'transition2.t_start'(unit = "s", quantity = "Time") "Time instant at which the transition would fire, if waitTime would be zero";
  Real 'transition2.t_dummy';
public
  Boolean 'stateGraphRoot.suspend' = false "= true, if suspend transition of CompositeStep fires";
  Boolean 'stateGraphRoot.resume' = false "= true, if resume transition of CompositeStep fires";
  Boolean 'stateGraphRoot.subgraphStatePort.suspend' "= true, if suspend transition of CompositeStep fires";
  Boolean 'stateGraphRoot.subgraphStatePort.resume' "= true, if resume transition of CompositeStep fires";
  Real 'stateGraphRoot.subgraphStatePort.activeStepsDummy' "Dummy variable in order that connector fulfills restriction of connector";
  Real 'stateGraphRoot.subgraphStatePort.activeSteps' "Number of active steps in the CompositeStep";
  Integer 'stateGraphRoot.activeSteps' "Number of active steps within the stategraph";
initial equation
  pre('initialStep.newActive') = pre('initialStep.localActive');
  pre('initialStep.oldActive') = pre('initialStep.localActive');
  'initialStep.active' = true;
  pre('transition1.t_start') = time;
  pre('transition1.enableFire') = false;
  pre('step.newActive') = pre('step.localActive');
  pre('step.oldActive') = pre('step.localActive');
  'step.active' = false;
  pre('transition2.t_start') = time;
  pre('transition2.enableFire') = false;
equation
  'initialStep.outerStatePort.subgraphStatePort.activeSteps' = if 'initialStep.outerStatePort.localActive' then 1.0 else 0.0;
  for i in 1:'initialStep.nIn' loop
    assert(({1})[i] <= 1, "Connector is connected to more than one transition (this is not allowed)");
  end for;
  for i in 1:'initialStep.nOut' loop
    assert(({1})[i] <= 1, "Connector is connected to more than one transition (this is not allowed)");
  end for;
  'initialStep.localActive' = pre('initialStep.newActive');
  'initialStep.newActive' = if 'initialStep.outerStatePort.subgraphStatePort.resume' then 'initialStep.oldActive' else ('Modelica.Math.BooleanVectors.anyTrue'('initialStep.inPort[:].set') or 'initialStep.localActive' and not 'Modelica.Math.BooleanVectors.anyTrue'('initialStep.outPort[:].reset')) and not 'initialStep.outerStatePort.subgraphStatePort.suspend';
  when 'initialStep.outerStatePort.subgraphStatePort.suspend' then
    'initialStep.oldActive' = 'initialStep.localActive';
  end when;
  for i in 1:'initialStep.nIn' loop
    'initialStep.inPort[:].occupied'[i] = if i == 1 then 'initialStep.localActive' else 'initialStep.inPort[:].occupied'[i - 1] or 'initialStep.inPort[:].set'[i - 1];
  end for;
  for i in 1:'initialStep.nOut' loop
    'initialStep.outPort[:].available'[i] = if i == 1 then 'initialStep.localActive' else 'initialStep.outPort[:].available'[i - 1] and not 'initialStep.outPort[:].reset'[i - 1];
  end for;
  'initialStep.active' = 'initialStep.localActive';
  assert(1 == 1, "Connector inPort is not connected to exactly one other connector");
  assert(1 == 1, "Connector outPort is not connected to exactly one other connector");
  when 'transition1.enableFire' then
    'transition1.t_start' = time;
  end when;
  'transition1.t_dummy' = time - 'transition1.t_start';
  'transition1.t' = if 'transition1.enableFire' then 'transition1.t_dummy' else 0;
  'transition1.fire' = 'transition1.enableFire' and time >= 'transition1.t_start' + 'transition1.waitTime';
  'transition1.enableFire' = 'transition1.localCondition' and 'transition1.inPort.available' and not 'transition1.outPort.occupied';
  'transition1.inPort.reset' = 'transition1.fire';
  'transition1.outPort.set' = 'transition1.fire';
  'step.outerStatePort.subgraphStatePort.activeSteps' = if 'step.outerStatePort.localActive' then 1.0 else 0.0;
  for i in 1:'step.nIn' loop
    assert(({1})[i] <= 1, "Connector is connected to more than one transition (this is not allowed)");
  end for;
  for i in 1:'step.nOut' loop
    assert(({1})[i] <= 1, "Connector is connected to more than one transition (this is not allowed)");
  end for;
  'step.localActive' = pre('step.newActive');
  'step.newActive' = if 'step.outerStatePort.subgraphStatePort.resume' then 'step.oldActive' else ('Modelica.Math.BooleanVectors.anyTrue'('step.inPort[:].set') or 'step.localActive' and not 'Modelica.Math.BooleanVectors.anyTrue'('step.outPort[:].reset')) and not 'step.outerStatePort.subgraphStatePort.suspend';
  when 'step.outerStatePort.subgraphStatePort.suspend' then
    'step.oldActive' = 'step.localActive';
  end when;
  for i in 1:'step.nIn' loop
    'step.inPort[:].occupied'[i] = if i == 1 then 'step.localActive' else 'step.inPort[:].occupied'[i - 1] or 'step.inPort[:].set'[i - 1];
  end for;
  for i in 1:'step.nOut' loop
    'step.outPort[:].available'[i] = if i == 1 then 'step.localActive' else 'step.outPort[:].available'[i - 1] and not 'step.outPort[:].reset'[i - 1];
  end for;
  'step.active' = 'step.localActive';
  assert(1 == 1, "Connector inPort is not connected to exactly one other connector");
  assert(1 == 1, "Connector outPort is not connected to exactly one other connector");
  when 'transition2.enableFire' then
    'transition2.t_start' = time;
  end when;
  'transition2.t_dummy' = time - 'transition2.t_start';
  'transition2.t' = if 'transition2.enableFire' then 'transition2.t_dummy' else 0;
  'transition2.fire' = 'transition2.enableFire' and time >= 'transition2.t_start' + 'transition2.waitTime';
  'transition2.enableFire' = 'transition2.localCondition' and 'transition2.inPort.available' and not 'transition2.outPort.occupied';
  'transition2.inPort.reset' = 'transition2.fire';
  'transition2.outPort.set' = 'transition2.fire';
  'stateGraphRoot.suspend' = 'stateGraphRoot.subgraphStatePort.suspend';
  'stateGraphRoot.resume' = 'stateGraphRoot.subgraphStatePort.resume';
  'stateGraphRoot.subgraphStatePort.activeStepsDummy' = 0;
  'stateGraphRoot.activeSteps' = -integer('stateGraphRoot.subgraphStatePort.activeSteps');
  'initialStep.outerStatePort.subgraphStatePort.suspend' = 'stateGraphRoot.subgraphStatePort.suspend';
  'stateGraphRoot.subgraphStatePort.suspend' = 'step.outerStatePort.subgraphStatePort.suspend';
  'initialStep.outerStatePort.subgraphStatePort.resume' = 'stateGraphRoot.subgraphStatePort.resume';
  'stateGraphRoot.subgraphStatePort.resume' = 'step.outerStatePort.subgraphStatePort.resume';
  'initialStep.outerStatePort.subgraphStatePort.activeStepsDummy' = 'stateGraphRoot.subgraphStatePort.activeStepsDummy';
  'stateGraphRoot.subgraphStatePort.activeStepsDummy' = 'step.outerStatePort.subgraphStatePort.activeStepsDummy';
  'initialStep.outPort[:].available'[1] = 'transition1.inPort.available';
  'initialStep.outPort[:].reset'[1] = 'transition1.inPort.reset';
  'transition1.outPort.occupied' = 'step.inPort[:].occupied'[1];
  'transition1.outPort.set' = 'step.inPort[:].set'[1];
  'step.outPort[:].available'[1] = 'transition2.inPort.available';
  'step.outPort[:].reset'[1] = 'transition2.inPort.reset';
  'transition2.outPort.occupied' = 'initialStep.inPort[:].occupied'[1];
  'transition2.outPort.set' = 'initialStep.inPort[:].set'[1];
  'initialStep.outerStatePort.subgraphStatePort.activeSteps' + 'stateGraphRoot.subgraphStatePort.activeSteps' + 'step.outerStatePort.subgraphStatePort.activeSteps' = 0.0;
  annotation(experiment(StopTime = 5.5), __rhei(paths = true));
end 'Modelica.StateGraph.Examples.FirstExample';
