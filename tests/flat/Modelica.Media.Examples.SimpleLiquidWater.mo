record 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'
  Real p;
  Real T;
end 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState';

function 'Modelica.Media.Common.smoothStep'
  input Real x;
  input Real y1;
  input Real y2;
  input Real x_small = 1e-5;
  output Real y;
algorithm
  y := smooth(1, if x > x_small then y1 else if x < -x_small then y2 else if abs(x_small) > 0 then x/x_small*((x/x_small)^2 - 3)*(y2 - y1)/4 + (y1 + y2)/2 else (y1 + y2)/2);
  annotation(Inline = true, smoothOrder = 1);
end 'Modelica.Media.Common.smoothStep';

function 'Modelica.Media.Interfaces.PartialSimpleMedium.dynamicViscosity'
  input 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState' state;
  output Real eta;
algorithm
  eta := 0.001;
end 'Modelica.Media.Interfaces.PartialSimpleMedium.dynamicViscosity';

function 'Modelica.Media.Interfaces.PartialSimpleMedium.setSmoothState'
  input Real x;
  input 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState' state_a;
  input 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState' state_b;
  input Real x_small;
  output 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState' state;
algorithm
  state := 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('Modelica.Media.Common.smoothStep'(x, state_a.p, state_b.p, x_small), 'Modelica.Media.Common.smoothStep'(x, state_a.T, state_b.T, x_small));
end 'Modelica.Media.Interfaces.PartialSimpleMedium.setSmoothState';

function 'Modelica.Media.Interfaces.PartialSimpleMedium.specificEnthalpy_pTX'
  input Real p;
  input Real T;
  input Real[:] X;
  output Real h;
algorithm
  h := 4184.0*(T - 273.15);
end 'Modelica.Media.Interfaces.PartialSimpleMedium.specificEnthalpy_pTX';

function 'Modelica.Media.Interfaces.PartialSimpleMedium.specificHeatCapacityCv'
  input 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState' state;
  output Real cv;
algorithm
  cv := 4184.0;
end 'Modelica.Media.Interfaces.PartialSimpleMedium.specificHeatCapacityCv';

function 'Modelica.Units.Conversions.to_bar'
  input Real Pa;
  output Real bar;
algorithm
  bar := Pa/100000.0;
  annotation(Inline = true);
end 'Modelica.Units.Conversions.to_bar';

function 'Modelica.Units.Conversions.to_degC'
  input Real Kelvin;
  output Real Celsius;
algorithm
  Celsius := Kelvin + (-273.15);
  annotation(Inline = true);
end 'Modelica.Units.Conversions.to_degC';

model 'Modelica.Media.Examples.SimpleLiquidWater' "Example for Water.SimpleLiquidWater medium model"
  constant Real pressureRate(unit = "Pa/s", displayUnit = "bar/s", quantity = "PressureSlope") = 10000.0;
  parameter Real V(unit = "m3", quantity = "Volume") = 1 "Volume";
  parameter Real H_flow_ext(unit = "W", quantity = "EnthalpyFlowRate") = 1000000.0 "Constant enthalpy flow rate into the volume";
  Real 'medium.p'(min = 0.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure", stateSelect = StateSelect.default) "Absolute pressure of medium";
  Real[0] 'medium.Xi'(start = fill(0.0, 0), each min = 0, each max = 1, each unit = "1", each quantity = "MassFraction") "Structurally independent mass fractions";
  Real 'medium.h'(unit = "J/kg", quantity = "SpecificEnergy") "Specific enthalpy of medium";
  Real 'medium.d'(start = 1, min = 0, max = 100000.0, nominal = 1, unit = "kg/m3", displayUnit = "g/cm3", quantity = "Density") "Density of medium";
  Real 'medium.T'(start = 300, fixed = true, min = 1, max = 10000.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature", stateSelect = StateSelect.default) "Temperature of medium";
  Real[1] 'medium.X'(start = {1.0}, each min = 0, each max = 1, each nominal = 0.1, each unit = "kg/kg", each quantity = "MassFraction") "Mass fractions (= (component mass)/total mass  m_i/m)";
  Real 'medium.u'(min = -100000000.0, max = 100000000.0, nominal = 1000000.0, unit = "J/kg", quantity = "SpecificEnergy") "Specific internal energy of medium";
  Real 'medium.R_s'(start = 1000.0, min = 0, max = 10000000.0, nominal = 1000.0, unit = "J/(kg.K)", quantity = "SpecificHeatCapacity") "Gas constant (of mixture if applicable)";
  Real 'medium.MM'(min = 0.001, max = 0.25, nominal = 0.032, unit = "kg/mol", quantity = "MolarMass") "Molar mass (of mixture or single fluid)";
  Real 'medium.state.p'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") "Absolute pressure of medium";
  Real 'medium.state.T'(start = 288.15, min = 1, max = 10000.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Temperature of medium";
  parameter Boolean 'medium.preferredMediumStates' = false "= true, if StateSelect.prefer shall be used for the independent property variables of the medium" annotation(Evaluate = true);
  parameter Boolean 'medium.standardOrderComponents' = true "If true, and reducedX = true, the last element of X will be computed from the other ones" annotation(Evaluate = true);
  Real 'medium.T_degC'(unit = "degC", quantity = "ThermodynamicTemperature") = 'Modelica.Units.Conversions.to_degC'('medium.T') "Temperature of medium in [degC]";
  Real 'medium.p_bar'(unit = "bar", quantity = "Pressure") = 'Modelica.Units.Conversions.to_bar'('medium.p') "Absolute pressure of medium in [bar]";
  Real 'medium2.p'(min = 0.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure", stateSelect = StateSelect.default) "Absolute pressure of medium";
  Real[0] 'medium2.Xi'(start = fill(0.0, 0), each min = 0, each max = 1, each unit = "1", each quantity = "MassFraction") "Structurally independent mass fractions";
  Real 'medium2.h'(unit = "J/kg", quantity = "SpecificEnergy") "Specific enthalpy of medium";
  Real 'medium2.d'(start = 1, min = 0, max = 100000.0, nominal = 1, unit = "kg/m3", displayUnit = "g/cm3", quantity = "Density") "Density of medium";
  Real 'medium2.T'(start = 288.15, min = 1, max = 10000.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature", stateSelect = StateSelect.default) "Temperature of medium";
  Real[1] 'medium2.X'(start = {1.0}, each min = 0, each max = 1, each nominal = 0.1, each unit = "kg/kg", each quantity = "MassFraction") "Mass fractions (= (component mass)/total mass  m_i/m)";
  Real 'medium2.u'(min = -100000000.0, max = 100000000.0, nominal = 1000000.0, unit = "J/kg", quantity = "SpecificEnergy") "Specific internal energy of medium";
  Real 'medium2.R_s'(start = 1000.0, min = 0, max = 10000000.0, nominal = 1000.0, unit = "J/(kg.K)", quantity = "SpecificHeatCapacity") "Gas constant (of mixture if applicable)";
  Real 'medium2.MM'(min = 0.001, max = 0.25, nominal = 0.032, unit = "kg/mol", quantity = "MolarMass") "Molar mass (of mixture or single fluid)";
  Real 'medium2.state.p'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") "Absolute pressure of medium";
  Real 'medium2.state.T'(start = 288.15, min = 1, max = 10000.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Temperature of medium";
  parameter Boolean 'medium2.preferredMediumStates' = false "= true, if StateSelect.prefer shall be used for the independent property variables of the medium" annotation(Evaluate = true);
  parameter Boolean 'medium2.standardOrderComponents' = true "If true, and reducedX = true, the last element of X will be computed from the other ones" annotation(Evaluate = true);
  Real 'medium2.T_degC'(unit = "degC", quantity = "ThermodynamicTemperature") = 'Modelica.Units.Conversions.to_degC'('medium2.T') "Temperature of medium in [degC]";
  Real 'medium2.p_bar'(unit = "bar", quantity = "Pressure") = 'Modelica.Units.Conversions.to_bar'('medium2.p') "Absolute pressure of medium in [bar]";
  Real 'state.p'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") "Absolute pressure of medium";
  Real 'state.T'(start = 288.15, min = 1, max = 10000.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Temperature of medium";
  Real m_flow_ext2;
  Real der_p;
  Real der_T;
  Real m(start = 1.0, min = 0, unit = "kg", quantity = "Mass");
  Real U(unit = "J", quantity = "Energy");
  Real m_flow_ext(min = -100000.0, max = 100000.0, unit = "kg/s", quantity = "MassFlowRate.SimpleLiquidWater");
  Real eta(start = 0.001, min = 0, max = 100000000.0, nominal = 0.001, unit = "Pa.s", quantity = "DynamicViscosity") = 'Modelica.Media.Interfaces.PartialSimpleMedium.dynamicViscosity'('Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('state.p', 'state.T'));
  Real cv(start = 1000.0, min = 0, max = 10000000.0, nominal = 1000.0, unit = "J/(kg.K)", quantity = "SpecificHeatCapacity") = 'Modelica.Media.Interfaces.PartialSimpleMedium.specificHeatCapacityCv'('Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('state.p', 'state.T'));
equation
  'medium.Xi' = 'medium.X'[1:0];
  'medium.X' = {1.0};
  for i in 1:1 loop
    assert('medium.X'[i] >= -1e-5 and 'medium.X'[i] <= 1 + 1e-5, "Mass fraction X[" + String(i) + "] = " + String('medium.X'[i]) + "of substance " + "SimpleLiquidWater" + "
of medium " + "SimpleLiquidWater" + " is not in the range 0..1");
  end for;
  assert('medium.p' >= 0.0, "Pressure (= " + String('medium.p') + " Pa) of medium \"" + "SimpleLiquidWater" + "\" is negative
(Temperature = " + String('medium.T') + " K)");
  assert('medium.T' >= 272.15 and 'medium.T' <= 403.15, "
Temperature T (= " + String('medium.T') + " K) is not
in the allowed range (" + String(272.15) + " K <= T <= " + String(403.15) + " K)
required from medium model \"" + "SimpleLiquidWater" + "\".
");
  'medium.h' = 'Modelica.Media.Interfaces.PartialSimpleMedium.specificEnthalpy_pTX'('medium.p', 'medium.T', 'medium.X');
  'medium.u' = 4184.0*('medium.T' - 273.15);
  'medium.d' = 995.586;
  'medium.R_s' = 0;
  'medium.MM' = 0.018015268;
  'medium.state.T' = 'medium.T';
  'medium.state.p' = 'medium.p';
  'medium2.Xi' = 'medium2.X'[1:0];
  'medium2.X' = {1.0};
  for i in 1:1 loop
    assert('medium2.X'[i] >= -1e-5 and 'medium2.X'[i] <= 1 + 1e-5, "Mass fraction X[" + String(i) + "] = " + String('medium2.X'[i]) + "of substance " + "SimpleLiquidWater" + "
of medium " + "SimpleLiquidWater" + " is not in the range 0..1");
  end for;
  assert('medium2.p' >= 0.0, "Pressure (= " + String('medium2.p') + " Pa) of medium \"" + "SimpleLiquidWater" + "\" is negative
(Temperature = " + String('medium2.T') + " K)");
  assert('medium2.T' >= 272.15 and 'medium2.T' <= 403.15, "
Temperature T (= " + String('medium2.T') + " K) is not
in the allowed range (" + String(272.15) + " K <= T <= " + String(403.15) + " K)
required from medium model \"" + "SimpleLiquidWater" + "\".
");
  'medium2.h' = 'Modelica.Media.Interfaces.PartialSimpleMedium.specificEnthalpy_pTX'('medium2.p', 'medium2.T', 'medium2.X');
  'medium2.u' = 4184.0*('medium2.T' - 273.15);
  'medium2.d' = 995.586;
  'medium2.R_s' = 0;
  'medium2.MM' = 0.018015268;
  'medium2.state.T' = 'medium2.T';
  'medium2.state.p' = 'medium2.p';
  'medium.p' = 100000.0;
  m = 'medium.d'*V;
  U = m*'medium.u';
  der(m) = m_flow_ext;
  der(U) = H_flow_ext;
  'medium2.p' = pressureRate*time;
  'medium2.T' = 330;
  m_flow_ext2 = time - 30;
  'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('state.p', 'state.T') = 'Modelica.Media.Interfaces.PartialSimpleMedium.setSmoothState'(m_flow_ext2, 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('medium.state.p', 'medium.state.T'), 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('medium2.state.p', 'medium2.state.T'), 10);
  der_p = der('state.p');
  der_T = der('state.T');
  annotation(experiment(StopTime = 100.0), __rhei(paths = true));
end 'Modelica.Media.Examples.SimpleLiquidWater';
