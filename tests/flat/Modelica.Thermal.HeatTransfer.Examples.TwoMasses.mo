function 'Modelica.Units.Conversions.to_degC'
  input Real Kelvin;
  output Real Celsius;
algorithm
  Celsius := Kelvin + (-273.15);
  annotation(Inline = true);
end 'Modelica.Units.Conversions.to_degC';

model 'Modelica.Thermal.HeatTransfer.Examples.TwoMasses' "Simple conduction demo"
  parameter Real T_final_K(start = 288.15, fixed = false, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Projected final temperature";
  parameter Real 'mass1.C'(unit = "J/K", quantity = "HeatCapacity") = 15 "Heat capacity of element (= cp*m)";
  Real 'mass1.T'(start = 373.15, fixed = true, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Temperature of element";
  Real 'mass1.der_T'(start = 0, unit = "K/s", quantity = "TemperatureSlope") "Time derivative of temperature (= der(T))";
  Real 'mass1.port.T'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Port temperature";
  Real 'mass1.port.Q_flow'(unit = "W", quantity = "Power") "Heat flow rate (positive if flowing from outside into the component)";
  parameter Real 'mass2.C'(unit = "J/K", quantity = "HeatCapacity") = 15 "Heat capacity of element (= cp*m)";
  Real 'mass2.T'(start = 273.15, fixed = true, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Temperature of element";
  Real 'mass2.der_T'(start = 0, unit = "K/s", quantity = "TemperatureSlope") "Time derivative of temperature (= der(T))";
  Real 'mass2.port.T'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Port temperature";
  Real 'mass2.port.Q_flow'(unit = "W", quantity = "Power") "Heat flow rate (positive if flowing from outside into the component)";
  Real 'conduction.Q_flow'(unit = "W", quantity = "Power") "Heat flow rate from port_a -> port_b";
  Real 'conduction.dT'(unit = "K", quantity = "ThermodynamicTemperature") "port_a.T - port_b.T";
  Real 'conduction.port_a.T'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Port temperature";
  Real 'conduction.port_a.Q_flow'(unit = "W", quantity = "Power") "Heat flow rate (positive if flowing from outside into the component)";
  Real 'conduction.port_b.T'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Port temperature";
  Real 'conduction.port_b.Q_flow'(unit = "W", quantity = "Power") "Heat flow rate (positive if flowing from outside into the component)";
  parameter Real 'conduction.G'(unit = "W/K", quantity = "ThermalConductance") = 10 "Constant thermal conductance of material";
  Real 'Tsensor1.T'(unit = "degC") "Absolute temperature in degree Celsius as output signal";
  Real 'Tsensor1.port.T'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Port temperature";
  Real 'Tsensor1.port.Q_flow'(unit = "W", quantity = "Power") "Heat flow rate (positive if flowing from outside into the component)";
  Real 'Tsensor2.T'(unit = "degC") "Absolute temperature in degree Celsius as output signal";
  Real 'Tsensor2.port.T'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Port temperature";
  Real 'Tsensor2.port.Q_flow'(unit = "W", quantity = "Power") "Heat flow rate (positive if flowing from outside into the component)";
initial equation
  T_final_K = ('mass1.T'*'mass1.C' + 'mass2.T'*'mass2.C')/('mass1.C' + 'mass2.C');
equation
  'mass1.T' = 'mass1.port.T';
  'mass1.der_T' = der('mass1.T');
  'mass1.C'*der('mass1.T') = 'mass1.port.Q_flow';
  'mass2.T' = 'mass2.port.T';
  'mass2.der_T' = der('mass2.T');
  'mass2.C'*der('mass2.T') = 'mass2.port.Q_flow';
  'conduction.dT' = 'conduction.port_a.T' - 'conduction.port_b.T';
  'conduction.port_a.Q_flow' = 'conduction.Q_flow';
  'conduction.port_b.Q_flow' = -'conduction.Q_flow';
  'conduction.Q_flow' = 'conduction.G'*'conduction.dT';
  'Tsensor1.T' = 'Modelica.Units.Conversions.to_degC'('Tsensor1.port.T');
  'Tsensor1.port.Q_flow' = 0;
  'Tsensor2.T' = 'Modelica.Units.Conversions.to_degC'('Tsensor2.port.T');
  'Tsensor2.port.Q_flow' = 0;
  'mass1.port.T' = 'conduction.port_a.T';
  'conduction.port_a.T' = 'Tsensor1.port.T';
  'conduction.port_b.T' = 'mass2.port.T';
  'mass2.port.T' = 'Tsensor2.port.T';
  'mass1.port.Q_flow' + 'conduction.port_a.Q_flow' + 'Tsensor1.port.Q_flow' = 0.0;
  'conduction.port_b.Q_flow' + 'mass2.port.Q_flow' + 'Tsensor2.port.Q_flow' = 0.0;
  annotation(experiment(StopTime = 1.0, Interval = 0.001), __rhei(paths = true));
end 'Modelica.Thermal.HeatTransfer.Examples.TwoMasses';
