type 'Modelica.Electrical.Digital.Interfaces.Logic' = enumeration('U', 'X', '0', '1', 'Z', 'W', 'L', 'H', '-');

model 'Modelica.Electrical.Digital.Examples.HalfAdder' "Adding circuit for binary numbers without input carry bit"
  parameter 'Modelica.Electrical.Digital.Interfaces.Logic'[4] 'a.x' = {'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0'} "Vector of values";
  parameter Real[4] 'a.t' = {1, 2, 3, 4} "Vector of corresponding time points";
  parameter 'Modelica.Electrical.Digital.Interfaces.Logic' 'a.y0' = 'Modelica.Electrical.Digital.Interfaces.Logic'.'0' "Initial output value";
  parameter Integer 'a.n' = 4 "Table size" annotation(Evaluate = true);
  'Modelica.Electrical.Digital.Interfaces.Logic' 'a.y';
  parameter 'Modelica.Electrical.Digital.Interfaces.Logic'[2] 'b.x' = {'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0'} "Vector of values";
  parameter Real[2] 'b.t' = {2, 4} "Vector of corresponding time points";
  parameter 'Modelica.Electrical.Digital.Interfaces.Logic' 'b.y0' = 'Modelica.Electrical.Digital.Interfaces.Logic'.'0' "Initial output value";
  parameter Integer 'b.n' = 2 "Table size" annotation(Evaluate = true);
  'Modelica.Electrical.Digital.Interfaces.Logic' 'b.y';
  parameter Real 'Adder.delayTime' = 0.3 "Delay time";
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.b';
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.s';
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.a';
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.c';
  parameter Integer 'Adder.AND.n'(min = 2) = 2 "Number of inputs" annotation(Evaluate = true);
  'Modelica.Electrical.Digital.Interfaces.Logic'[2] 'Adder.AND.x' "Connector of Digital input signal vector";
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.AND.y' "Connector of Digital output signal";
  parameter Real 'Adder.AND.tLH'(start = 0, unit = "s", quantity = "Time") = 'Adder.delayTime' "Rise inertial delay";
  parameter Real 'Adder.AND.tHL'(start = 0, unit = "s", quantity = "Time") = 'Adder.delayTime' "Fall inertial delay";
  parameter 'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.AND.y0' = 'Modelica.Electrical.Digital.Interfaces.Logic'.'U' "Initial value of output";
  parameter Integer 'Adder.AND.G1.n'(min = 2) = 2 "Number of inputs" annotation(Evaluate = true);
  'Modelica.Electrical.Digital.Interfaces.Logic'[2] 'Adder.AND.G1.x' "Connector of Digital input signal vector";
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.AND.G1.y' "Connector of Digital output signal";
protected
  'Modelica.Electrical.Digital.Interfaces.Logic'[2] 'Adder.AND.G1.auxiliary'(each start = 'Modelica.Electrical.Digital.Interfaces.Logic'.'U');
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.AND.G1.auxiliary_n'(start = 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', fixed = true);
public
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.AND.G2.x'(start = 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', fixed = true) "Connector of Digital input signal";
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.AND.G2.y'(start = 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', fixed = true) "Connector of Digital output signal";
  parameter Real 'Adder.AND.G2.tLH'(start = 0, unit = "s", quantity = "Time") = 'Adder.AND.tLH' "Rise inertial delay";
  parameter Real 'Adder.AND.G2.tHL'(start = 0, unit = "s", quantity = "Time") = 'Adder.AND.tHL' "Fall inertial delay";
  parameter 'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.AND.G2.y0' = 'Adder.AND.y0' "Initial value of output";
protected
  constant Integer[9, 9] 'Adder.AND.G2.delayTable' = {{0, 0, -1, 1, 0, 0, -1, 1, 0}, {0, 0, -1, 1, 0, 0, -1, 1, 0}, {1, 1, 0, 1, 1, 1, 0, 1, 1}, {-1, -1, -1, 0, -1, -1, -1, 0, -1}, {0, 0, -1, 1, 0, 0, -1, 1, 0}, {0, 0, -1, 1, 0, 0, -1, 1, 0}, {1, 1, 0, 1, 1, 1, 0, 1, 1}, {-1, -1, -1, 0, -1, -1, -1, 0, -1}, {0, 0, -1, 1, 0, 0, -1, 1, 0}} "Specification of delay according to signal change";
  Real 'Adder.AND.G2.delayTime'(unit = "s", quantity = "Time");
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.AND.G2.y_auxiliary'(start = 'Adder.AND.G2.y0', fixed = true);
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.AND.G2.y_old'(start = 'Adder.AND.G2.y0', fixed = true);
  Integer 'Adder.AND.G2.lh';
  discrete Real 'Adder.AND.G2.t_next'(unit = "s", quantity = "Time");
public
  parameter Real 'Adder.XOR.tLH'(start = 0, unit = "s", quantity = "Time") = 'Adder.delayTime' "Rise inertial delay";
  parameter Real 'Adder.XOR.tHL'(start = 0, unit = "s", quantity = "Time") = 'Adder.delayTime' "Fall inertial delay";
  parameter 'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.XOR.y0' = 'Modelica.Electrical.Digital.Interfaces.Logic'.'U' "Initial value of output";
  parameter Integer 'Adder.XOR.n'(min = 2) = 2 "Number of inputs" annotation(Evaluate = true);
  'Modelica.Electrical.Digital.Interfaces.Logic'[2] 'Adder.XOR.x' "Connector of Digital input signal vector";
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.XOR.y' "Connector of Digital output signal";
  parameter Integer 'Adder.XOR.G1.n'(min = 2) = 2 "Number of inputs" annotation(Evaluate = true);
  'Modelica.Electrical.Digital.Interfaces.Logic'[2] 'Adder.XOR.G1.x' "Connector of Digital input signal vector";
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.XOR.G1.y' "Connector of Digital output signal";
protected
  'Modelica.Electrical.Digital.Interfaces.Logic'[2] 'Adder.XOR.G1.auxiliary'(each start = 'Modelica.Electrical.Digital.Interfaces.Logic'.'U');
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.XOR.G1.auxiliary_n'(start = 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', fixed = true);
public
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.XOR.G2.x'(start = 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', fixed = true) "Connector of Digital input signal";
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.XOR.G2.y'(start = 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', fixed = true) "Connector of Digital output signal";
  parameter Real 'Adder.XOR.G2.tLH'(start = 0, unit = "s", quantity = "Time") = 'Adder.XOR.tLH' "Rise inertial delay";
  parameter Real 'Adder.XOR.G2.tHL'(start = 0, unit = "s", quantity = "Time") = 'Adder.XOR.tHL' "Fall inertial delay";
  parameter 'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.XOR.G2.y0' = 'Adder.XOR.y0' "Initial value of output";
protected
  constant Integer[9, 9] 'Adder.XOR.G2.delayTable' = {{0, 0, -1, 1, 0, 0, -1, 1, 0}, {0, 0, -1, 1, 0, 0, -1, 1, 0}, {1, 1, 0, 1, 1, 1, 0, 1, 1}, {-1, -1, -1, 0, -1, -1, -1, 0, -1}, {0, 0, -1, 1, 0, 0, -1, 1, 0}, {0, 0, -1, 1, 0, 0, -1, 1, 0}, {1, 1, 0, 1, 1, 1, 0, 1, 1}, {-1, -1, -1, 0, -1, -1, -1, 0, -1}, {0, 0, -1, 1, 0, 0, -1, 1, 0}} "Specification of delay according to signal change";
  Real 'Adder.XOR.G2.delayTime'(unit = "s", quantity = "Time");
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.XOR.G2.y_auxiliary'(start = 'Adder.XOR.G2.y0', fixed = true);
  'Modelica.Electrical.Digital.Interfaces.Logic' 'Adder.XOR.G2.y_old'(start = 'Adder.XOR.G2.y0', fixed = true);
  Integer 'Adder.XOR.G2.lh';
  discrete Real 'Adder.XOR.G2.t_next'(unit = "s", quantity = "Time");
public
  'Modelica.Electrical.Digital.Interfaces.Logic'[1] 's.x';
  Real[1] 's.y';
  parameter Integer 's.n'(start = 1, min = 1) = 1 "Signal width" annotation(Evaluate = true);
  parameter Real 's.value_U'(start = 0.5) = 0.5 "Value for digital U (uninitialized)";
  parameter Real 's.value_X'(start = 0.5) = 0.5 "Value for digital X (Forcing Unknown)";
  parameter Real 's.value_0'(start = 0) = 0 "Value for digital 0 (Forcing 0)";
  parameter Real 's.value_1'(start = 1) = 1 "Value for digital 1 (Forcing 1)";
  parameter Real 's.value_Z'(start = 0.5) = 0.5 "Value for digital Z (High Impedance)";
  parameter Real 's.value_W'(start = 0.5) = 0.5 "Value for digital W (Weak    Unknown)";
  parameter Real 's.value_L'(start = 0) = 0 "Value for digital L (Weak 0)";
  parameter Real 's.value_H'(start = 1) = 1 "Value for digital H (Weak 1)";
  parameter Real 's.value_m'(start = 0.5) = 0.5 "Value for digital m (Do not care)";
  'Modelica.Electrical.Digital.Interfaces.Logic'[1] 'c.x';
  Real[1] 'c.y';
  parameter Integer 'c.n'(start = 1, min = 1) = 1 "Signal width" annotation(Evaluate = true);
  parameter Real 'c.value_U'(start = 0.5) = 0.5 "Value for digital U (uninitialized)";
  parameter Real 'c.value_X'(start = 0.5) = 0.5 "Value for digital X (Forcing Unknown)";
  parameter Real 'c.value_0'(start = 0) = 0 "Value for digital 0 (Forcing 0)";
  parameter Real 'c.value_1'(start = 1) = 1 "Value for digital 1 (Forcing 1)";
  parameter Real 'c.value_Z'(start = 0.5) = 0.5 "Value for digital Z (High Impedance)";
  parameter Real 'c.value_W'(start = 0.5) = 0.5 "Value for digital W (Weak    Unknown)";
  parameter Real 'c.value_L'(start = 0) = 0 "Value for digital L (Weak 0)";
  parameter Real 'c.value_H'(start = 1) = 1 "Value for digital H (Weak 1)";
  parameter Real 'c.value_m'(start = 0.5) = 0.5 "Value for digital m (Do not care)";
equation
  'Adder.AND.G1.auxiliary'[1] = 'Adder.AND.G1.x'[1];
  for i in 1:'Adder.AND.G1.n' - 1 loop
    'Adder.AND.G1.auxiliary'[i + 1] = ({{'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'U'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X'}})[Integer('Adder.AND.G1.auxiliary'[i]), Integer('Adder.AND.G1.x'[i + 1])];
  end for;
  'Adder.AND.G1.auxiliary_n' = 'Adder.AND.G1.auxiliary'['Adder.AND.G1.n'];
  'Adder.AND.G1.y' = pre('Adder.AND.G1.auxiliary_n');
  'Adder.XOR.G1.auxiliary'[1] = 'Adder.XOR.G1.x'[1];
  for i in 1:'Adder.XOR.G1.n' - 1 loop
    'Adder.XOR.G1.auxiliary'[i + 1] = ({{'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'U'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'1', 'Modelica.Electrical.Digital.Interfaces.Logic'.'0', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X'}, {'Modelica.Electrical.Digital.Interfaces.Logic'.'U', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X', 'Modelica.Electrical.Digital.Interfaces.Logic'.'X'}})[Integer('Adder.XOR.G1.auxiliary'[i]), Integer('Adder.XOR.G1.x'[i + 1])];
  end for;
  'Adder.XOR.G1.auxiliary_n' = 'Adder.XOR.G1.auxiliary'['Adder.XOR.G1.n'];
  'Adder.XOR.G1.y' = pre('Adder.XOR.G1.auxiliary_n');
  for i in 1:'s.n' loop
    's.y'[i] = if 's.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'U' then 's.value_U' else if 's.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'X' then 's.value_X' else if 's.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'0' then 's.value_0' else if 's.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'1' then 's.value_1' else if 's.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'Z' then 's.value_Z' else if 's.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'W' then 's.value_W' else if 's.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'L' then 's.value_L' else if 's.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'H' then 's.value_H' else 's.value_m';
  end for;
  for i in 1:'c.n' loop
    'c.y'[i] = if 'c.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'U' then 'c.value_U' else if 'c.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'X' then 'c.value_X' else if 'c.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'0' then 'c.value_0' else if 'c.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'1' then 'c.value_1' else if 'c.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'Z' then 'c.value_Z' else if 'c.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'W' then 'c.value_W' else if 'c.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'L' then 'c.value_L' else if 'c.x'[i] == 'Modelica.Electrical.Digital.Interfaces.Logic'.'H' then 'c.value_H' else 'c.value_m';
  end for;
  'Adder.AND.x' = 'Adder.AND.G1.x';
  'Adder.AND.y' = 'Adder.AND.G2.y';
  'Adder.AND.G1.y' = 'Adder.AND.G2.x';
  'Adder.XOR.x' = 'Adder.XOR.G1.x';
  'Adder.XOR.G1.y' = 'Adder.XOR.G2.x';
  'Adder.XOR.G2.y' = 'Adder.XOR.y';
  'Adder.AND.y' = 'Adder.c';
  'Adder.XOR.y' = 'Adder.s';
  'Adder.b' = 'Adder.AND.x'[1];
  'Adder.AND.x'[1] = 'Adder.XOR.x'[1];
  'Adder.a' = 'Adder.XOR.x'[2];
  'Adder.XOR.x'[2] = 'Adder.AND.x'[2];
  'b.y' = 'Adder.b';
  'a.y' = 'Adder.a';
  'Adder.s' = 's.x'[1];
  'Adder.c' = 'c.x'[1];
algorithm
  if initial() then
    assert('a.n' > 0, "Invalid size of table (n < 1)");
    for i in 1:'a.n' loop
    end for;
  end if;
  'a.y' := 'a.y0';
  for i in 1:'a.n' loop
    if time >= 'a.t'[i] then
      'a.y' := 'a.x'[i];
    end if;
  end for;
algorithm
  if initial() then
    assert('b.n' > 0, "Invalid size of table (n < 1)");
    for i in 1:'b.n' loop
    end for;
  end if;
  'b.y' := 'b.y0';
  for i in 1:'b.n' loop
    if time >= 'b.t'[i] then
      'b.y' := 'b.x'[i];
    end if;
  end for;
algorithm
  when {initial(), ('Adder.AND.G2.tLH' > 0 or 'Adder.AND.G2.tHL' > 0) and change('Adder.AND.G2.x') and not initial()} then
    'Adder.AND.G2.y_old' := if initial() or pre('Adder.AND.G2.y') == 'Modelica.Electrical.Digital.Interfaces.Logic'.'U' then 'Adder.AND.G2.y0' else pre('Adder.AND.G2.y');
    'Adder.AND.G2.lh' := 'Adder.AND.G2.delayTable'[Integer('Adder.AND.G2.y_old'), Integer('Adder.AND.G2.x')];
    'Adder.AND.G2.delayTime' := if 'Adder.AND.G2.lh' > 0 then 'Adder.AND.G2.tLH' else if 'Adder.AND.G2.lh' < 0 then 'Adder.AND.G2.tHL' else 0;
    'Adder.AND.G2.t_next' := time + 'Adder.AND.G2.delayTime';
    if 'Adder.AND.G2.lh' == 0 or abs('Adder.AND.G2.delayTime') < 2.2250738585072014e-308 then
      'Adder.AND.G2.y_auxiliary' := 'Adder.AND.G2.x';
    end if;
  elsewhen time >= 'Adder.AND.G2.t_next' then
    'Adder.AND.G2.y_auxiliary' := 'Adder.AND.G2.x';
  end when;
  'Adder.AND.G2.y' := if 'Adder.AND.G2.tLH' > 0 or 'Adder.AND.G2.tHL' > 0 then 'Adder.AND.G2.y_auxiliary' else 'Adder.AND.G2.x';
algorithm
  when {initial(), ('Adder.XOR.G2.tLH' > 0 or 'Adder.XOR.G2.tHL' > 0) and change('Adder.XOR.G2.x') and not initial()} then
    'Adder.XOR.G2.y_old' := if initial() or pre('Adder.XOR.G2.y') == 'Modelica.Electrical.Digital.Interfaces.Logic'.'U' then 'Adder.XOR.G2.y0' else pre('Adder.XOR.G2.y');
    'Adder.XOR.G2.lh' := 'Adder.XOR.G2.delayTable'[Integer('Adder.XOR.G2.y_old'), Integer('Adder.XOR.G2.x')];
    'Adder.XOR.G2.delayTime' := if 'Adder.XOR.G2.lh' > 0 then 'Adder.XOR.G2.tLH' else if 'Adder.XOR.G2.lh' < 0 then 'Adder.XOR.G2.tHL' else 0;
    'Adder.XOR.G2.t_next' := time + 'Adder.XOR.G2.delayTime';
    if 'Adder.XOR.G2.lh' == 0 or abs('Adder.XOR.G2.delayTime') < 2.2250738585072014e-308 then
      'Adder.XOR.G2.y_auxiliary' := 'Adder.XOR.G2.x';
    end if;
  elsewhen time >= 'Adder.XOR.G2.t_next' then
    'Adder.XOR.G2.y_auxiliary' := 'Adder.XOR.G2.x';
  end when;
  'Adder.XOR.G2.y' := if 'Adder.XOR.G2.tLH' > 0 or 'Adder.XOR.G2.tHL' > 0 then 'Adder.XOR.G2.y_auxiliary' else 'Adder.XOR.G2.x';
  annotation(experiment(StopTime = 5.0), __rhei(paths = true));
end 'Modelica.Electrical.Digital.Examples.HalfAdder';
