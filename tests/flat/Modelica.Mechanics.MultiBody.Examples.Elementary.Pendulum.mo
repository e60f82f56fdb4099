type 'Modelica.Mechanics.MultiBody.Types.GravityTypes' = enumeration(NoGravity, UniformGravity, PointGravity);

record 'Modelica.Mechanics.MultiBody.Frames.Orientation'
  Real[3, 3] T;
  Real[3] w;
end 'Modelica.Mechanics.MultiBody.Frames.Orientation';

function 'Modelica.Math.Vectors.length'
  input Real[:] v;
  output Real result;
algorithm
  result := sqrt(v*v);
  annotation(Inline = true);
end 'Modelica.Math.Vectors.length';

function 'Modelica.Math.Vectors.normalize'
  input Real[:] v;
  input Real eps = 100*2.220446049250313e-16;
  output Real[size(v, 1)] result;
algorithm
  result := smooth(0, if 'Modelica.Math.Vectors.length'(v) >= eps then v/'Modelica.Math.Vectors.length'(v) else v/eps);
  annotation(Inline = true);
end 'Modelica.Math.Vectors.normalize';

function 'Modelica.Math.Vectors.normalizeWithAssert'
  input Real[:] v;
  output Real[size(v, 1)] result;
algorithm
  assert('Modelica.Math.Vectors.length'(v) > 0.0, "Vector v={0,0,0} shall be normalized (= v/sqrt(v*v)), but this results in a division by zero.
Provide a non-zero vector!");
  result := v/'Modelica.Math.Vectors.length'(v);
  annotation(Inline = true);
end 'Modelica.Math.Vectors.normalizeWithAssert';

function 'Modelica.Math.cos'
  input Real u;
  output Real y;
algorithm
  y := cos(u);
  annotation(Inline = true);
end 'Modelica.Math.cos';

function 'Modelica.Math.sin'
  input Real u;
  output Real y;
algorithm
  y := sin(u);
  annotation(Inline = true);
end 'Modelica.Math.sin';

function 'Modelica.Mechanics.MultiBody.Frames.Internal.resolve1_der'
  input 'Modelica.Mechanics.MultiBody.Frames.Orientation' R;
  input Real[3] v2;
  input Real[3] v2_der;
  output Real[3] v1_der;
algorithm
  v1_der := 'Modelica.Mechanics.MultiBody.Frames.resolve1'(R, v2_der + cross(R.w, v2));
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.Frames.Internal.resolve1_der';

function 'Modelica.Mechanics.MultiBody.Frames.Internal.resolve2_der'
  input 'Modelica.Mechanics.MultiBody.Frames.Orientation' R;
  input Real[3] v1;
  input Real[3] v1_der;
  output Real[3] v2_der;
algorithm
  v2_der := 'Modelica.Mechanics.MultiBody.Frames.resolve2'(R, v1_der) - cross(R.w, 'Modelica.Mechanics.MultiBody.Frames.resolve2'(R, v1));
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.Frames.Internal.resolve2_der';

function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.from_T'
  input Real[3, 3] T;
  input Real[4] Q_guess = 'Modelica.Mechanics.MultiBody.Frames.Quaternions.nullRotation'();
  output Real[4] Q;
protected
  Real t;
algorithm
  if T[3, 3] < 0 then
    if T[1, 1] > T[2, 2] then
      t := 1 + T[1, 1] - T[2, 2] - T[3, 3];
      Q := {t, T[1, 2] + T[2, 1], T[3, 1] + T[1, 3], T[2, 3] - T[3, 2]};
    else
      t := 1 - T[1, 1] + T[2, 2] - T[3, 3];
      Q := {T[1, 2] + T[2, 1], t, T[2, 3] + T[3, 2], T[3, 1] - T[1, 3]};
    end if;
  else
    if T[1, 1] < -T[2, 2] then
      t := 1 - T[1, 1] - T[2, 2] + T[3, 3];
      Q := {T[3, 1] + T[1, 3], T[2, 3] + T[3, 2], t, T[1, 2] - T[2, 1]};
    else
      t := 1 + T[1, 1] + T[2, 2] + T[3, 3];
      Q := {T[2, 3] - T[3, 2], T[3, 1] - T[1, 3], T[1, 2] - T[2, 1], t};
    end if;
  end if;
  Q := Q*0.5/sqrt(t);
  if Q*Q_guess < 0 then
    Q := -Q;
  end if;
end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.from_T';

function 'Modelica.Mechanics.MultiBody.Frames.Quaternions.nullRotation'
  output Real[4] Q;
algorithm
  Q := {0, 0, 0, 1};
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.Frames.Quaternions.nullRotation';

function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.absoluteRotation'
  input Real[3, 3] T1;
  input Real[3, 3] T_rel;
  output Real[3, 3] T2;
algorithm
  T2 := T_rel*T1;
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.absoluteRotation';

function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'
  input Integer axis;
  input Real angle;
  output Real[3, 3] T;
algorithm
  T := if axis == 1 then {{1, 0, 0}, {0, 'Modelica.Math.cos'(angle), 'Modelica.Math.sin'(angle)}, {0, -'Modelica.Math.sin'(angle), 'Modelica.Math.cos'(angle)}} else if axis == 2 then {{'Modelica.Math.cos'(angle), 0, -'Modelica.Math.sin'(angle)}, {0, 1, 0}, {'Modelica.Math.sin'(angle), 0, 'Modelica.Math.cos'(angle)}} else {{'Modelica.Math.cos'(angle), 'Modelica.Math.sin'(angle), 0}, {-'Modelica.Math.sin'(angle), 'Modelica.Math.cos'(angle), 0}, {0, 0, 1}};
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation';

function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.from_nxy'
  input Real[3] n_x;
  input Real[3] n_y;
  output Real[3, 3] T;
protected
  Real[3] e_x = if 'Modelica.Math.Vectors.length'(n_x) < 1e-10 then {1, 0, 0} else 'Modelica.Math.Vectors.normalize'(n_x, 100*2.220446049250313e-16);
  Real[3] e_y = if 'Modelica.Math.Vectors.length'(n_y) < 1e-10 then {0, 1, 0} else 'Modelica.Math.Vectors.normalize'(n_y, 100*2.220446049250313e-16);
  Real[3] n_z_aux = cross(e_x, e_y);
  Real[3] n_y_aux = if n_z_aux*n_z_aux > 1e-6 then e_y else if abs(e_x[1]) > 1e-6 then {0, 1, 0} else {1, 0, 0};
  Real[3] e_z_aux = cross(e_x, n_y_aux);
  Real[3] e_z = 'Modelica.Math.Vectors.normalize'(e_z_aux, 100*2.220446049250313e-16);
algorithm
  T := {e_x, cross(e_z, e_x), e_z};
end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.from_nxy';

function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve1'
  input Real[3, 3] T;
  input Real[3] v2;
  output Real[3] v1;
algorithm
  v1 := transpose(T)*v2;
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve1';

function 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve2'
  input Real[3, 3] T;
  input Real[3] v1;
  output Real[3] v2;
algorithm
  v2 := T*v1;
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve2';

function 'Modelica.Mechanics.MultiBody.Frames.absoluteRotation'
  input 'Modelica.Mechanics.MultiBody.Frames.Orientation' R1;
  input 'Modelica.Mechanics.MultiBody.Frames.Orientation' R_rel;
  output 'Modelica.Mechanics.MultiBody.Frames.Orientation' R2;
algorithm
  R2 := 'Modelica.Mechanics.MultiBody.Frames.Orientation'(R_rel.T*R1.T, 'Modelica.Mechanics.MultiBody.Frames.resolve2'(R_rel, R1.w) + R_rel.w);
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.Frames.absoluteRotation';

function 'Modelica.Mechanics.MultiBody.Frames.angularVelocity2'
  input 'Modelica.Mechanics.MultiBody.Frames.Orientation' R;
  output Real[3] w;
algorithm
  w := R.w;
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.Frames.angularVelocity2';

function 'Modelica.Mechanics.MultiBody.Frames.axesRotations'
  input Integer[3] sequence = {1, 2, 3};
  input Real[3] angles;
  input Real[3] der_angles;
  output 'Modelica.Mechanics.MultiBody.Frames.Orientation' R;
algorithm
  R := 'Modelica.Mechanics.MultiBody.Frames.Orientation'('Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'(sequence[3], angles[3])*'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'(sequence[2], angles[2])*'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'(sequence[1], angles[1]), 'Modelica.Mechanics.MultiBody.Frames.axis'(sequence[3])*der_angles[3] + 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve2'('Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'(sequence[3], angles[3]), 'Modelica.Mechanics.MultiBody.Frames.axis'(sequence[2])*der_angles[2]) + 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve2'('Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'(sequence[3], angles[3])*'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.axisRotation'(sequence[2], angles[2]), 'Modelica.Mechanics.MultiBody.Frames.axis'(sequence[1])*der_angles[1]));
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.Frames.axesRotations';

function 'Modelica.Mechanics.MultiBody.Frames.axis'
  input Integer axis;
  output Real[3] e;
algorithm
  e := if axis == 1 then {1, 0, 0} else if axis == 2 then {0, 1, 0} else {0, 0, 1};
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.Frames.axis';

function 'Modelica.Mechanics.MultiBody.Frames.nullRotation'
  output 'Modelica.Mechanics.MultiBody.Frames.Orientation' R;
algorithm
  R := 'Modelica.Mechanics.MultiBody.Frames.Orientation'(identity(3), zeros(3));
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.Frames.nullRotation';

function 'Modelica.Mechanics.MultiBody.Frames.planarRotation'
  input Real[3] e;
  input Real angle;
  input Real der_angle;
  output 'Modelica.Mechanics.MultiBody.Frames.Orientation' R;
algorithm
  R := 'Modelica.Mechanics.MultiBody.Frames.Orientation'(outerProduct(e, e) + (identity(3) - outerProduct(e, e))*'Modelica.Math.cos'(angle) - skew(e)*'Modelica.Math.sin'(angle), e*der_angle);
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.Frames.planarRotation';

function 'Modelica.Mechanics.MultiBody.Frames.resolve1'
  input 'Modelica.Mechanics.MultiBody.Frames.Orientation' R;
  input Real[3] v2;
  output Real[3] v1;
algorithm
  v1 := transpose(R.T)*v2;
  annotation(derivative(noDerivative = R) = 'Modelica.Mechanics.MultiBody.Frames.Internal.resolve1_der');
end 'Modelica.Mechanics.MultiBody.Frames.resolve1';

function 'Modelica.Mechanics.MultiBody.Frames.resolve2'
  input 'Modelica.Mechanics.MultiBody.Frames.Orientation' R;
  input Real[3] v1;
  output Real[3] v2;
algorithm
  v2 := R.T*v1;
  annotation(derivative(noDerivative = R) = 'Modelica.Mechanics.MultiBody.Frames.Internal.resolve2_der');
end 'Modelica.Mechanics.MultiBody.Frames.resolve2';

function 'Modelica.Mechanics.MultiBody.Frames.to_Q'
  input 'Modelica.Mechanics.MultiBody.Frames.Orientation' R;
  input Real[4] Q_guess = 'Modelica.Mechanics.MultiBody.Frames.Quaternions.nullRotation'();
  output Real[4] Q;
algorithm
  Q := 'Modelica.Mechanics.MultiBody.Frames.Quaternions.from_T'(R.T, Q_guess);
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.Frames.to_Q';

function 'Modelica.Mechanics.MultiBody.World.gravityAcceleration'
  input Real[3] r;
  output Real[3] gravity;
  input 'Modelica.Mechanics.MultiBody.Types.GravityTypes' gravityType;
  input Real[3] g;
  input Real mu;
algorithm
  gravity := if gravityType == 'Modelica.Mechanics.MultiBody.Types.GravityTypes'.UniformGravity then g else if gravityType == 'Modelica.Mechanics.MultiBody.Types.GravityTypes'.PointGravity then -mu/(r*r)*(r/'Modelica.Math.Vectors.length'(r)) else zeros(3);
  annotation(Inline = true);
end 'Modelica.Mechanics.MultiBody.World.gravityAcceleration';

function 'Modelica.Units.Conversions.to_unit1'
  input Real r;
  output Real result;
algorithm
  result := r;
  annotation(Inline = true);
end 'Modelica.Units.Conversions.to_unit1';

model 'Modelica.Mechanics.MultiBody.Examples.Elementary.Pendulum' "Simple pendulum with one revolute joint and one body"
  Real[3] 'world.frame_b.r_0'(each unit = "m", each quantity = "Length") "Position vector from world frame to the connector frame origin, resolved in world frame";
  Real[3, 3] 'world.frame_b.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'world.frame_b.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'world.frame_b.f'(each unit = "N", each quantity = "Force") "Cut-force resolved in connector frame";
  Real[3] 'world.frame_b.t'(each unit = "N.m", each quantity = "Torque") "Cut-torque resolved in connector frame";
  parameter Boolean 'world.enableAnimation' = true "= true, if animation of all components is enabled" annotation(Evaluate = true);
  parameter Boolean 'world.animateWorld' = true "= true, if world coordinate system shall be visualized" annotation(Evaluate = true);
  parameter Boolean 'world.animateGravity' = true "= true, if gravity field shall be visualized (acceleration vector or field center)" annotation(Evaluate = true);
  parameter Boolean 'world.animateGround' = false "= true, if ground plane shall be visualized" annotation(Evaluate = true);
  parameter String 'world.label1' = "x" "Label of horizontal axis in icon";
  parameter String 'world.label2' = "y" "Label of vertical axis in icon";
  parameter 'Modelica.Mechanics.MultiBody.Types.GravityTypes' 'world.gravityType' = 'Modelica.Mechanics.MultiBody.Types.GravityTypes'.UniformGravity "Type of gravity field" annotation(Evaluate = true);
  parameter Real 'world.g'(unit = "m/s2", quantity = "Acceleration") = 9.80665 "Constant gravity acceleration";
  parameter Real[3] 'world.n'(each unit = "1") = {0, -1, 0} "Direction of gravity resolved in world frame (gravity = g*n/length(n))" annotation(Evaluate = true);
  parameter Real 'world.mu'(min = 0, unit = "m3/s2") = 398600441800000.0 "Gravity field constant (default = field constant of earth)";
  parameter Boolean 'world.driveTrainMechanics3D' = true "= true, if 3-dim. mechanical effects of Parts.Mounting1D/Rotor1D/BevelGear1D shall be taken into account";
  parameter Real 'world.axisLength'(min = 0, unit = "m", quantity = "Length") = 'world.nominalLength'/2 "Length of world axes arrows";
  parameter Real 'world.axisDiameter'(min = 0, unit = "m", quantity = "Length") = 'world.axisLength'/'world.defaultFrameDiameterFraction' "Diameter of world axes arrows";
  parameter Boolean 'world.axisShowLabels' = true "= true, if labels shall be shown" annotation(Evaluate = true);
  Integer[3] 'world.axisColor_x'(each min = 0, each max = 255) = {0, 0, 0} "Color of x-arrow";
  Integer[3] 'world.axisColor_y'(each min = 0, each max = 255) = 'world.axisColor_x';
  Integer[3] 'world.axisColor_z'(each min = 0, each max = 255) = 'world.axisColor_x' "Color of z-arrow";
  parameter Real[3] 'world.gravityArrowTail'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of world frame to arrow tail, resolved in world frame";
  parameter Real 'world.gravityArrowLength'(unit = "m", quantity = "Length") = 'world.axisLength'/2 "Length of gravity arrow";
  parameter Real 'world.gravityArrowDiameter'(min = 0, unit = "m", quantity = "Length") = 'world.gravityArrowLength'/'world.defaultWidthFraction' "Diameter of gravity arrow";
  Integer[3] 'world.gravityArrowColor'(each min = 0, each max = 255) = {0, 230, 0} "Color of gravity arrow";
  parameter Real 'world.gravitySphereDiameter'(min = 0, unit = "m", quantity = "Length") = 12742000 "Diameter of sphere representing gravity center (default = mean diameter of earth)";
  Integer[3] 'world.gravitySphereColor'(each min = 0, each max = 255) = {0, 230, 0} "Color of gravity sphere";
  parameter Real[3] 'world.groundAxis_u'(each unit = "1") = {1, 0, 0} "Vector along 1st axis (called u) of ground plane, resolved in world frame (should be perpendicular to gravity direction)" annotation(Evaluate = true);
  parameter Real 'world.groundLength_u'(unit = "m", quantity = "Length") = 2 "Length of ground plane along groundAxis_u";
  parameter Real 'world.groundLength_v'(unit = "m", quantity = "Length") = 'world.groundLength_u' "Length of ground plane perpendicular to groundAxis_u";
  Integer[3] 'world.groundColor'(each min = 0, each max = 255) = {200, 200, 200} "Color of ground plane";
  parameter Real 'world.nominalLength'(unit = "m", quantity = "Length") = 1 "Nominal length of multi-body system" annotation(Evaluate = true);
  parameter Real 'world.defaultAxisLength'(unit = "m", quantity = "Length") = 'world.nominalLength'/5 "Default for length of a frame axis (but not world frame)";
  parameter Real 'world.defaultJointLength'(unit = "m", quantity = "Length") = 'world.nominalLength'/10 "Default for the fixed length of a shape representing a joint";
  parameter Real 'world.defaultJointWidth'(unit = "m", quantity = "Length") = 'world.nominalLength'/20 "Default for the fixed width of a shape representing a joint";
  parameter Real 'world.defaultForceLength'(unit = "m", quantity = "Length") = 'world.nominalLength'/10 "Default for the fixed length of a shape representing a force (e.g., damper)";
  parameter Real 'world.defaultForceWidth'(unit = "m", quantity = "Length") = 'world.nominalLength'/20 "Default for the fixed width of a shape representing a force (e.g., spring, bushing)";
  parameter Real 'world.defaultBodyDiameter'(unit = "m", quantity = "Length") = 0.1111111111111111 "Default for diameter of sphere representing the center of mass of a body" annotation(Evaluate = true);
  parameter Real 'world.defaultWidthFraction' = 20 "Default for shape width as a fraction of shape length (e.g., for Parts.FixedTranslation)";
  parameter Real 'world.defaultArrowDiameter'(unit = "m", quantity = "Length") = 'world.nominalLength'/40 "Default for arrow diameter (e.g., of forces, torques, sensors)";
  parameter Real 'world.defaultFrameDiameterFraction' = 40 "Default for arrow diameter of a coordinate system as a fraction of axis length";
  parameter Real 'world.defaultSpecularCoefficient'(min = 0) = 0.7 "Default reflection of ambient light (= 0: light is completely absorbed)";
  parameter Real 'world.defaultN_to_m'(min = 0, unit = "N/m") = 1000 "Default scaling of force arrows (length = force/defaultN_to_m)";
  parameter Real 'world.defaultNm_to_m'(min = 0, unit = "N.m/m") = 1000 "Default scaling of torque arrows (length = torque/defaultNm_to_m)";
protected
  parameter Real 'world.headLength'(unit = "m", quantity = "Length") = min('world.axisLength', 'world.axisDiameter'*5.0);
  parameter Real 'world.headWidth'(unit = "m", quantity = "Length") = 'world.axisDiameter'*3.0;
  parameter Real 'world.lineLength'(unit = "m", quantity = "Length") = max(0, 'world.axisLength' - 'world.headLength');
  parameter Real 'world.lineWidth'(unit = "m", quantity = "Length") = 'world.axisDiameter';
  parameter Real 'world.scaledLabel'(unit = "m", quantity = "Length") = 3.0*'world.axisDiameter';
  parameter Real 'world.labelStart'(unit = "m", quantity = "Length") = 1.05*'world.axisLength';
  parameter String 'world.x_arrowLine.shapeType' = "cylinder" "Type of shape (box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, <external shape>)";
  Real[3, 3] 'world.x_arrowLine.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'world.x_arrowLine.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'world.x_arrowLine.r'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3] 'world.x_arrowLine.r_shape'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of object frame to shape origin, resolved in object frame";
  Real[3] 'world.x_arrowLine.lengthDirection' = {1, 0, 0} "Vector in length direction, resolved in object frame";
  Real[3] 'world.x_arrowLine.widthDirection' = {0, 1, 0} "Vector in width direction, resolved in object frame";
  Real 'world.x_arrowLine.length'(unit = "m", quantity = "Length") = 'world.lineLength' "Length of visual object";
  Real 'world.x_arrowLine.width'(unit = "m", quantity = "Length") = 'world.lineWidth' "Width of visual object";
  Real 'world.x_arrowLine.height'(unit = "m", quantity = "Length") = 'world.lineWidth' "Height of visual object";
  Real 'world.x_arrowLine.extra' = 0.0 "Additional size data for some of the shape types";
  Real[3] 'world.x_arrowLine.color' = 'world.axisColor_x' "Color of shape";
  Real 'world.x_arrowLine.specularCoefficient'(min = 0) = 0 "Reflection of ambient light (= 0: light is completely absorbed)";
  parameter String 'world.x_arrowHead.shapeType' = "cone" "Type of shape (box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, <external shape>)";
  Real[3, 3] 'world.x_arrowHead.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'world.x_arrowHead.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'world.x_arrowHead.r'(each unit = "m", each quantity = "Length") = {'world.lineLength', 0, 0} "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3] 'world.x_arrowHead.r_shape'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of object frame to shape origin, resolved in object frame";
  Real[3] 'world.x_arrowHead.lengthDirection' = {1, 0, 0} "Vector in length direction, resolved in object frame";
  Real[3] 'world.x_arrowHead.widthDirection' = {0, 1, 0} "Vector in width direction, resolved in object frame";
  Real 'world.x_arrowHead.length'(unit = "m", quantity = "Length") = 'world.headLength' "Length of visual object";
  Real 'world.x_arrowHead.width'(unit = "m", quantity = "Length") = 'world.headWidth' "Width of visual object";
  Real 'world.x_arrowHead.height'(unit = "m", quantity = "Length") = 'world.headWidth' "Height of visual object";
  Real 'world.x_arrowHead.extra' = 0.0 "Additional size data for some of the shape types";
  Real[3] 'world.x_arrowHead.color' = 'world.axisColor_x' "Color of shape";
  Real 'world.x_arrowHead.specularCoefficient'(min = 0) = 0 "Reflection of ambient light (= 0: light is completely absorbed)";
  Real[3, 3] 'world.x_label.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'world.x_label.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'world.x_label.r'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3] 'world.x_label.r_lines'(each unit = "m", each quantity = "Length") = {'world.labelStart', 0, 0} "Position vector from origin of object frame to the origin of 'lines' frame, resolved in object frame";
  Real[3] 'world.x_label.n_x'(each unit = "1") = {1, 0, 0} "Vector in direction of x-axis of 'lines' frame, resolved in object frame";
  Real[3] 'world.x_label.n_y'(each unit = "1") = {0, 1, 0} "Vector in direction of y-axis of 'lines' frame, resolved in object frame";
  Real[2, 2, 2] 'world.x_label.lines'(each unit = "m", each quantity = "Length") = 'world.scaledLabel'*{{{0, 0}, {1, 1}}, {{0, 1}, {1, 0}}} "List of start and end points of cylinders resolved in an x-y frame defined by n_x, n_y, e.g., {[0,0;1,1], [0,1;1,0], [2,0; 3,1]}";
  Real 'world.x_label.diameter'(min = 0, unit = "m", quantity = "Length") = 'world.axisDiameter' "Diameter of the cylinders defined by lines";
  Integer[3] 'world.x_label.color'(each min = 0, each max = 255) = 'world.axisColor_x' "Color of cylinders";
  Real 'world.x_label.specularCoefficient'(min = 0) = 0 "Reflection of ambient light (= 0: light is completely absorbed)";
  parameter Integer 'world.x_label.n' = 2 "Number of cylinders" annotation(Evaluate = true);
  Real[3, 3] 'world.x_label.R_rel' = 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.from_nxy'('world.x_label.n_x', 'world.x_label.n_y');
  Real[3, 3] 'world.x_label.R_lines' = 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.absoluteRotation'('world.x_label.R.T', 'world.x_label.R_rel');
  Real[3] 'world.x_label.r_abs'(each unit = "m", each quantity = "Length") = 'world.x_label.r' + 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve1'('world.x_label.R.T', 'world.x_label.r_lines');
  parameter String[2] 'world.x_label.cylinders[:].shapeType' = fill("cylinder", 2) "Type of shape (box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, <external shape>)";
  Real[2, 3, 3] 'world.x_label.cylinders[:].R.T' "Transformation matrix from world frame to local frame";
  Real[2, 3] 'world.x_label.cylinders[:].R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[2, 3] 'world.x_label.cylinders[:].r'(each unit = "m", each quantity = "Length") = {'world.x_label.r_abs' + 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve1'('world.x_label.R_lines', vector(['world.x_label.lines'[i, 1, :]; 0])) for i in 1:'world.x_label.n'} "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[2, 3] 'world.x_label.cylinders[:].r_shape'(each unit = "m", each quantity = "Length") = {{0, 0, 0} for i in 1:2} "Position vector from origin of object frame to shape origin, resolved in object frame";
  Real[2, 3] 'world.x_label.cylinders[:].lengthDirection' = {'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve1'('world.x_label.R_rel', vector(['world.x_label.lines'[i, 2, :] - 'world.x_label.lines'[i, 1, :]; 0])) for i in 1:'world.x_label.n'} "Vector in length direction, resolved in object frame";
  Real[2, 3] 'world.x_label.cylinders[:].widthDirection' = fill({0, 1, 0}, 2) "Vector in width direction, resolved in object frame";
  Real[2] 'world.x_label.cylinders[:].length'(each unit = "m", each quantity = "Length") = {'Modelica.Math.Vectors.length'('world.x_label.lines'[i, 2, :] - 'world.x_label.lines'[i, 1, :]) for i in 1:'world.x_label.n'} "Length of visual object";
  Real[2] 'world.x_label.cylinders[:].width'(each unit = "m", each quantity = "Length") = fill('world.x_label.diameter', 2) "Width of visual object";
  Real[2] 'world.x_label.cylinders[:].height'(each unit = "m", each quantity = "Length") = fill('world.x_label.diameter', 2) "Height of visual object";
  Real[2] 'world.x_label.cylinders[:].extra' = {0.0 for i in 1:2} "Additional size data for some of the shape types";
  Real[2, 3] 'world.x_label.cylinders[:].color' = fill('world.x_label.color', 2) "Color of shape";
  Real[2] 'world.x_label.cylinders[:].specularCoefficient'(each min = 0) = fill('world.x_label.specularCoefficient', 2) "Reflection of ambient light (= 0: light is completely absorbed)";
  parameter String 'world.y_arrowLine.shapeType' = "cylinder" "Type of shape (box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, <external shape>)";
  Real[3, 3] 'world.y_arrowLine.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'world.y_arrowLine.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'world.y_arrowLine.r'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3] 'world.y_arrowLine.r_shape'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of object frame to shape origin, resolved in object frame";
  Real[3] 'world.y_arrowLine.lengthDirection' = {0, 1, 0} "Vector in length direction, resolved in object frame";
  Real[3] 'world.y_arrowLine.widthDirection' = {1, 0, 0} "Vector in width direction, resolved in object frame";
  Real 'world.y_arrowLine.length'(unit = "m", quantity = "Length") = 'world.lineLength' "Length of visual object";
  Real 'world.y_arrowLine.width'(unit = "m", quantity = "Length") = 'world.lineWidth' "Width of visual object";
  Real 'world.y_arrowLine.height'(unit = "m", quantity = "Length") = 'world.lineWidth' "Height of visual object";
  Real 'world.y_arrowLine.extra' = 0.0 "Additional size data for some of the shape types";
  Real[3] 'world.y_arrowLine.color' = 'world.axisColor_y' "Color of shape";
  Real 'world.y_arrowLine.specularCoefficient'(min = 0) = 0 "Reflection of ambient light (= 0: light is completely absorbed)";
  parameter String 'world.y_arrowHead.shapeType' = "cone" "Type of shape (box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, <external shape>)";
  Real[3, 3] 'world.y_arrowHead.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'world.y_arrowHead.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'world.y_arrowHead.r'(each unit = "m", each quantity = "Length") = {0, 'world.lineLength', 0} "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3] 'world.y_arrowHead.r_shape'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of object frame to shape origin, resolved in object frame";
  Real[3] 'world.y_arrowHead.lengthDirection' = {0, 1, 0} "Vector in length direction, resolved in object frame";
  Real[3] 'world.y_arrowHead.widthDirection' = {1, 0, 0} "Vector in width direction, resolved in object frame";
  Real 'world.y_arrowHead.length'(unit = "m", quantity = "Length") = 'world.headLength' "Length of visual object";
  Real 'world.y_arrowHead.width'(unit = "m", quantity = "Length") = 'world.headWidth' "Width of visual object";
  Real 'world.y_arrowHead.height'(unit = "m", quantity = "Length") = 'world.headWidth' "Height of visual object";
  Real 'world.y_arrowHead.extra' = 0.0 "Additional size data for some of the shape types";
  Real[3] 'world.y_arrowHead.color' = 'world.axisColor_y' "Color of shape";
  Real 'world.y_arrowHead.specularCoefficient'(min = 0) = 0 "Reflection of ambient light (= 0: light is completely absorbed)";
  Real[3, 3] 'world.y_label.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'world.y_label.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'world.y_label.r'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3] 'world.y_label.r_lines'(each unit = "m", each quantity = "Length") = {0, 'world.labelStart', 0} "Position vector from origin of object frame to the origin of 'lines' frame, resolved in object frame";
  Real[3] 'world.y_label.n_x'(each unit = "1") = {0, 1, 0} "Vector in direction of x-axis of 'lines' frame, resolved in object frame";
  Real[3] 'world.y_label.n_y'(each unit = "1") = {-1, 0, 0} "Vector in direction of y-axis of 'lines' frame, resolved in object frame";
  Real[2, 2, 2] 'world.y_label.lines'(each unit = "m", each quantity = "Length") = 'world.scaledLabel'*{{{0, 0}, {1, 1.5}}, {{0, 1.5}, {0.5, 0.75}}} "List of start and end points of cylinders resolved in an x-y frame defined by n_x, n_y, e.g., {[0,0;1,1], [0,1;1,0], [2,0; 3,1]}";
  Real 'world.y_label.diameter'(min = 0, unit = "m", quantity = "Length") = 'world.axisDiameter' "Diameter of the cylinders defined by lines";
  Integer[3] 'world.y_label.color'(each min = 0, each max = 255) = 'world.axisColor_y' "Color of cylinders";
  Real 'world.y_label.specularCoefficient'(min = 0) = 0 "Reflection of ambient light (= 0: light is completely absorbed)";
  parameter Integer 'world.y_label.n' = 2 "Number of cylinders" annotation(Evaluate = true);
  Real[3, 3] 'world.y_label.R_rel' = 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.from_nxy'('world.y_label.n_x', 'world.y_label.n_y');
  Real[3, 3] 'world.y_label.R_lines' = 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.absoluteRotation'('world.y_label.R.T', 'world.y_label.R_rel');
  Real[3] 'world.y_label.r_abs'(each unit = "m", each quantity = "Length") = 'world.y_label.r' + 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve1'('world.y_label.R.T', 'world.y_label.r_lines');
  parameter String[2] 'world.y_label.cylinders[:].shapeType' = fill("cylinder", 2) "Type of shape (box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, <external shape>)";
  Real[2, 3, 3] 'world.y_label.cylinders[:].R.T' "Transformation matrix from world frame to local frame";
  Real[2, 3] 'world.y_label.cylinders[:].R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[2, 3] 'world.y_label.cylinders[:].r'(each unit = "m", each quantity = "Length") = {'world.y_label.r_abs' + 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve1'('world.y_label.R_lines', vector(['world.y_label.lines'[i, 1, :]; 0])) for i in 1:'world.y_label.n'} "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[2, 3] 'world.y_label.cylinders[:].r_shape'(each unit = "m", each quantity = "Length") = {{0, 0, 0} for i in 1:2} "Position vector from origin of object frame to shape origin, resolved in object frame";
  Real[2, 3] 'world.y_label.cylinders[:].lengthDirection' = {'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve1'('world.y_label.R_rel', vector(['world.y_label.lines'[i, 2, :] - 'world.y_label.lines'[i, 1, :]; 0])) for i in 1:'world.y_label.n'} "Vector in length direction, resolved in object frame";
  Real[2, 3] 'world.y_label.cylinders[:].widthDirection' = fill({0, 1, 0}, 2) "Vector in width direction, resolved in object frame";
  Real[2] 'world.y_label.cylinders[:].length'(each unit = "m", each quantity = "Length") = {'Modelica.Math.Vectors.length'('world.y_label.lines'[i, 2, :] - 'world.y_label.lines'[i, 1, :]) for i in 1:'world.y_label.n'} "Length of visual object";
  Real[2] 'world.y_label.cylinders[:].width'(each unit = "m", each quantity = "Length") = fill('world.y_label.diameter', 2) "Width of visual object";
  Real[2] 'world.y_label.cylinders[:].height'(each unit = "m", each quantity = "Length") = fill('world.y_label.diameter', 2) "Height of visual object";
  Real[2] 'world.y_label.cylinders[:].extra' = {0.0 for i in 1:2} "Additional size data for some of the shape types";
  Real[2, 3] 'world.y_label.cylinders[:].color' = fill('world.y_label.color', 2) "Color of shape";
  Real[2] 'world.y_label.cylinders[:].specularCoefficient'(each min = 0) = fill('world.y_label.specularCoefficient', 2) "Reflection of ambient light (= 0: light is completely absorbed)";
  parameter String 'world.z_arrowLine.shapeType' = "cylinder" "Type of shape (box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, <external shape>)";
  Real[3, 3] 'world.z_arrowLine.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'world.z_arrowLine.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'world.z_arrowLine.r'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3] 'world.z_arrowLine.r_shape'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of object frame to shape origin, resolved in object frame";
  Real[3] 'world.z_arrowLine.lengthDirection' = {0, 0, 1} "Vector in length direction, resolved in object frame";
  Real[3] 'world.z_arrowLine.widthDirection' = {0, 1, 0} "Vector in width direction, resolved in object frame";
  Real 'world.z_arrowLine.length'(unit = "m", quantity = "Length") = 'world.lineLength' "Length of visual object";
  Real 'world.z_arrowLine.width'(unit = "m", quantity = "Length") = 'world.lineWidth' "Width of visual object";
  Real 'world.z_arrowLine.height'(unit = "m", quantity = "Length") = 'world.lineWidth' "Height of visual object";
  Real 'world.z_arrowLine.extra' = 0.0 "Additional size data for some of the shape types";
  Real[3] 'world.z_arrowLine.color' = 'world.axisColor_z' "Color of shape";
  Real 'world.z_arrowLine.specularCoefficient'(min = 0) = 0 "Reflection of ambient light (= 0: light is completely absorbed)";
  parameter String 'world.z_arrowHead.shapeType' = "cone" "Type of shape (box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, <external shape>)";
  Real[3, 3] 'world.z_arrowHead.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'world.z_arrowHead.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'world.z_arrowHead.r'(each unit = "m", each quantity = "Length") = {0, 0, 'world.lineLength'} "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3] 'world.z_arrowHead.r_shape'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of object frame to shape origin, resolved in object frame";
  Real[3] 'world.z_arrowHead.lengthDirection' = {0, 0, 1} "Vector in length direction, resolved in object frame";
  Real[3] 'world.z_arrowHead.widthDirection' = {0, 1, 0} "Vector in width direction, resolved in object frame";
  Real 'world.z_arrowHead.length'(unit = "m", quantity = "Length") = 'world.headLength' "Length of visual object";
  Real 'world.z_arrowHead.width'(unit = "m", quantity = "Length") = 'world.headWidth' "Width of visual object";
  Real 'world.z_arrowHead.height'(unit = "m", quantity = "Length") = 'world.headWidth' "Height of visual object";
  Real 'world.z_arrowHead.extra' = 0.0 "Additional size data for some of the shape types";
  Real[3] 'world.z_arrowHead.color' = 'world.axisColor_z' "Color of shape";
  Real 'world.z_arrowHead.specularCoefficient'(min = 0) = 0 "Reflection of ambient light (= 0: light is completely absorbed)";
  Real[3, 3] 'world.z_label.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'world.z_label.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'world.z_label.r'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3] 'world.z_label.r_lines'(each unit = "m", each quantity = "Length") = {0, 0, 'world.labelStart'} "Position vector from origin of object frame to the origin of 'lines' frame, resolved in object frame";
  Real[3] 'world.z_label.n_x'(each unit = "1") = {0, 0, 1} "Vector in direction of x-axis of 'lines' frame, resolved in object frame";
  Real[3] 'world.z_label.n_y'(each unit = "1") = {0, 1, 0} "Vector in direction of y-axis of 'lines' frame, resolved in object frame";
  Real[3, 2, 2] 'world.z_label.lines'(each unit = "m", each quantity = "Length") = 'world.scaledLabel'*{{{0, 0}, {1, 0}}, {{0, 1}, {1, 1}}, {{0, 1}, {1, 0}}} "List of start and end points of cylinders resolved in an x-y frame defined by n_x, n_y, e.g., {[0,0;1,1], [0,1;1,0], [2,0; 3,1]}";
  Real 'world.z_label.diameter'(min = 0, unit = "m", quantity = "Length") = 'world.axisDiameter' "Diameter of the cylinders defined by lines";
  Integer[3] 'world.z_label.color'(each min = 0, each max = 255) = 'world.axisColor_z' "Color of cylinders";
  Real 'world.z_label.specularCoefficient'(min = 0) = 0 "Reflection of ambient light (= 0: light is completely absorbed)";
  parameter Integer 'world.z_label.n' = 3 "Number of cylinders" annotation(Evaluate = true);
  Real[3, 3] 'world.z_label.R_rel' = 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.from_nxy'('world.z_label.n_x', 'world.z_label.n_y');
  Real[3, 3] 'world.z_label.R_lines' = 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.absoluteRotation'('world.z_label.R.T', 'world.z_label.R_rel');
  Real[3] 'world.z_label.r_abs'(each unit = "m", each quantity = "Length") = 'world.z_label.r' + 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve1'('world.z_label.R.T', 'world.z_label.r_lines');
  parameter String[3] 'world.z_label.cylinders[:].shapeType' = fill("cylinder", 3) "Type of shape (box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, <external shape>)";
  Real[3, 3, 3] 'world.z_label.cylinders[:].R.T' "Transformation matrix from world frame to local frame";
  Real[3, 3] 'world.z_label.cylinders[:].R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3, 3] 'world.z_label.cylinders[:].r'(each unit = "m", each quantity = "Length") = {'world.z_label.r_abs' + 'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve1'('world.z_label.R_lines', vector(['world.z_label.lines'[i, 1, :]; 0])) for i in 1:'world.z_label.n'} "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3, 3] 'world.z_label.cylinders[:].r_shape'(each unit = "m", each quantity = "Length") = {{0, 0, 0} for i in 1:3} "Position vector from origin of object frame to shape origin, resolved in object frame";
  Real[3, 3] 'world.z_label.cylinders[:].lengthDirection' = {'Modelica.Mechanics.MultiBody.Frames.TransformationMatrices.resolve1'('world.z_label.R_rel', vector(['world.z_label.lines'[i, 2, :] - 'world.z_label.lines'[i, 1, :]; 0])) for i in 1:'world.z_label.n'} "Vector in length direction, resolved in object frame";
  Real[3, 3] 'world.z_label.cylinders[:].widthDirection' = fill({0, 1, 0}, 3) "Vector in width direction, resolved in object frame";
  Real[3] 'world.z_label.cylinders[:].length'(each unit = "m", each quantity = "Length") = {'Modelica.Math.Vectors.length'('world.z_label.lines'[i, 2, :] - 'world.z_label.lines'[i, 1, :]) for i in 1:'world.z_label.n'} "Length of visual object";
  Real[3] 'world.z_label.cylinders[:].width'(each unit = "m", each quantity = "Length") = fill('world.z_label.diameter', 3) "Width of visual object";
  Real[3] 'world.z_label.cylinders[:].height'(each unit = "m", each quantity = "Length") = fill('world.z_label.diameter', 3) "Height of visual object";
  Real[3] 'world.z_label.cylinders[:].extra' = {0.0 for i in 1:3} "Additional size data for some of the shape types";
  Real[3, 3] 'world.z_label.cylinders[:].color' = fill('world.z_label.color', 3) "Color of shape";
  Real[3] 'world.z_label.cylinders[:].specularCoefficient'(each min = 0) = fill('world.z_label.specularCoefficient', 3) "Reflection of ambient light (= 0: light is completely absorbed)";
  parameter Real 'world.gravityHeadLength'(unit = "m", quantity = "Length") = min('world.gravityArrowLength', 'world.gravityArrowDiameter'*4.0);
  parameter Real 'world.gravityHeadWidth'(unit = "m", quantity = "Length") = 'world.gravityArrowDiameter'*3.0;
  parameter Real 'world.gravityLineLength'(unit = "m", quantity = "Length") = max(0, 'world.gravityArrowLength' - 'world.gravityHeadLength');
  parameter String 'world.gravityArrowLine.shapeType' = "cylinder" "Type of shape (box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, <external shape>)";
  Real[3, 3] 'world.gravityArrowLine.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'world.gravityArrowLine.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'world.gravityArrowLine.r'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3] 'world.gravityArrowLine.r_shape'(each unit = "m", each quantity = "Length") = 'world.gravityArrowTail' "Position vector from origin of object frame to shape origin, resolved in object frame";
  Real[3] 'world.gravityArrowLine.lengthDirection' = 'world.n' "Vector in length direction, resolved in object frame";
  Real[3] 'world.gravityArrowLine.widthDirection' = {0, 1, 0} "Vector in width direction, resolved in object frame";
  Real 'world.gravityArrowLine.length'(unit = "m", quantity = "Length") = 'world.gravityLineLength' "Length of visual object";
  Real 'world.gravityArrowLine.width'(unit = "m", quantity = "Length") = 'world.gravityArrowDiameter' "Width of visual object";
  Real 'world.gravityArrowLine.height'(unit = "m", quantity = "Length") = 'world.gravityArrowDiameter' "Height of visual object";
  Real 'world.gravityArrowLine.extra' = 0.0 "Additional size data for some of the shape types";
  Real[3] 'world.gravityArrowLine.color' = 'world.gravityArrowColor' "Color of shape";
  Real 'world.gravityArrowLine.specularCoefficient'(min = 0) = 0 "Reflection of ambient light (= 0: light is completely absorbed)";
  parameter String 'world.gravityArrowHead.shapeType' = "cone" "Type of shape (box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, <external shape>)";
  Real[3, 3] 'world.gravityArrowHead.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'world.gravityArrowHead.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'world.gravityArrowHead.r'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3] 'world.gravityArrowHead.r_shape'(each unit = "m", each quantity = "Length") = 'world.gravityArrowTail' + 'Modelica.Math.Vectors.normalize'('world.n', 100*2.220446049250313e-16)*'world.gravityLineLength' "Position vector from origin of object frame to shape origin, resolved in object frame";
  Real[3] 'world.gravityArrowHead.lengthDirection' = 'world.n' "Vector in length direction, resolved in object frame";
  Real[3] 'world.gravityArrowHead.widthDirection' = {0, 1, 0} "Vector in width direction, resolved in object frame";
  Real 'world.gravityArrowHead.length'(unit = "m", quantity = "Length") = 'world.gravityHeadLength' "Length of visual object";
  Real 'world.gravityArrowHead.width'(unit = "m", quantity = "Length") = 'world.gravityHeadWidth' "Width of visual object";
  Real 'world.gravityArrowHead.height'(unit = "m", quantity = "Length") = 'world.gravityHeadWidth' "Height of visual object";
  Real 'world.gravityArrowHead.extra' = 0.0 "Additional size data for some of the shape types";
  Real[3] 'world.gravityArrowHead.color' = 'world.gravityArrowColor' "Color of shape";
  Real 'world.gravityArrowHead.specularCoefficient'(min = 0) = 0 "Reflection of ambient light (= 0: light is completely absorbed)";
public
  Real 'rev.axis.phi'(unit = "rad", displayUnit = "deg", quantity = "Angle") "Absolute rotation angle of flange";
  Real 'rev.axis.tau'(unit = "N.m", quantity = "Torque") "Cut torque in the flange";
  Real 'rev.support.phi'(unit = "rad", displayUnit = "deg", quantity = "Angle") "Absolute rotation angle of flange";
  Real 'rev.support.tau'(unit = "N.m", quantity = "Torque") "Cut torque in the flange";
  Real[3] 'rev.frame_a.r_0'(each unit = "m", each quantity = "Length") "Position vector from world frame to the connector frame origin, resolved in world frame";
  Real[3, 3] 'rev.frame_a.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'rev.frame_a.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'rev.frame_a.f'(each unit = "N", each quantity = "Force") "Cut-force resolved in connector frame";
  Real[3] 'rev.frame_a.t'(each unit = "N.m", each quantity = "Torque") "Cut-torque resolved in connector frame";
  Real[3] 'rev.frame_b.r_0'(each unit = "m", each quantity = "Length") "Position vector from world frame to the connector frame origin, resolved in world frame";
  Real[3, 3] 'rev.frame_b.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'rev.frame_b.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'rev.frame_b.f'(each unit = "N", each quantity = "Force") "Cut-force resolved in connector frame";
  Real[3] 'rev.frame_b.t'(each unit = "N.m", each quantity = "Torque") "Cut-torque resolved in connector frame";
  parameter Boolean 'rev.useAxisFlange' = true "= true, if axis flange is enabled" annotation(Evaluate = true);
  parameter Boolean 'rev.animation' = true "= true, if animation shall be enabled (show axis as cylinder)" annotation(Evaluate = true);
  parameter Real[3] 'rev.n'(each unit = "1") = {0, 0, 1} "Axis of rotation resolved in frame_a (= same as in frame_b)" annotation(Evaluate = true);
  parameter Real 'rev.cylinderLength'(min = 0, unit = "m", quantity = "Length") = 'world.defaultJointLength' "Length of cylinder representing the joint axis";
  parameter Real 'rev.cylinderDiameter'(min = 0, unit = "m", quantity = "Length") = 'world.defaultJointWidth' "Diameter of cylinder representing the joint axis";
  Integer[3] 'rev.cylinderColor'(each min = 0, each max = 255) = {255, 0, 0} "Color of cylinder representing the joint axis";
  Real 'rev.specularCoefficient'(min = 0) = 'world.defaultSpecularCoefficient' "Reflection of ambient light (= 0: light is completely absorbed)";
  parameter StateSelect 'rev.stateSelect' = StateSelect.prefer "Priority to use joint angle phi and w=der(phi) as states" annotation(Evaluate = true);
  Real 'rev.phi'(start = 0, fixed = true, unit = "rad", displayUnit = "deg", quantity = "Angle", stateSelect = StateSelect.prefer) "Relative rotation angle from frame_a to frame_b";
  Real 'rev.w'(start = 0, fixed = true, unit = "rad/s", quantity = "AngularVelocity", stateSelect = StateSelect.prefer) "First derivative of angle phi (relative angular velocity)";
  Real 'rev.a'(start = 0, unit = "rad/s2", quantity = "AngularAcceleration") "Second derivative of angle phi (relative angular acceleration)";
  Real 'rev.tau'(unit = "N.m", quantity = "Torque") "Driving torque in direction of axis of rotation";
  Real 'rev.angle'(unit = "rad", displayUnit = "deg", quantity = "Angle") "= phi";
protected
  parameter Real[3] 'rev.e'(each unit = "1") = 'Modelica.Math.Vectors.normalizeWithAssert'('rev.n') "Unit vector in direction of rotation axis, resolved in frame_a (= same as in frame_b)";
  Real[3, 3] 'rev.R_rel.T' "Transformation matrix from world frame to local frame";
  Real[3] 'rev.R_rel.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  parameter String 'rev.cylinder.shapeType' = "cylinder" "Type of shape (box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, <external shape>)";
  Real[3, 3] 'rev.cylinder.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'rev.cylinder.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'rev.cylinder.r'(each unit = "m", each quantity = "Length") = 'rev.frame_a.r_0' "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3] 'rev.cylinder.r_shape'(each unit = "m", each quantity = "Length") = -'rev.e'*('rev.cylinderLength'/2) "Position vector from origin of object frame to shape origin, resolved in object frame";
  Real[3] 'rev.cylinder.lengthDirection' = 'rev.e' "Vector in length direction, resolved in object frame";
  Real[3] 'rev.cylinder.widthDirection' = {0, 1, 0} "Vector in width direction, resolved in object frame";
  Real 'rev.cylinder.length'(unit = "m", quantity = "Length") = 'rev.cylinderLength' "Length of visual object";
  Real 'rev.cylinder.width'(unit = "m", quantity = "Length") = 'rev.cylinderDiameter' "Width of visual object";
  Real 'rev.cylinder.height'(unit = "m", quantity = "Length") = 'rev.cylinderDiameter' "Height of visual object";
  Real 'rev.cylinder.extra' = 0.0 "Additional size data for some of the shape types";
  Real[3] 'rev.cylinder.color' = 'rev.cylinderColor' "Color of shape";
  Real 'rev.cylinder.specularCoefficient'(min = 0) = 'rev.specularCoefficient' "Reflection of ambient light (= 0: light is completely absorbed)";
  parameter Real 'rev.fixed.phi0'(unit = "rad", displayUnit = "deg", quantity = "Angle") = 0 "Fixed offset angle of housing";
  Real 'rev.fixed.flange.phi'(unit = "rad", displayUnit = "deg", quantity = "Angle") "Absolute rotation angle of flange";
  Real 'rev.fixed.flange.tau'(unit = "N.m", quantity = "Torque") "Cut torque in the flange";
  Real 'rev.internalAxis.tau'(unit = "N.m", quantity = "Torque") = 'rev.tau' "External support torque (must be computed via torque balance in model where InternalSupport is used; = flange.tau)";
  Real 'rev.internalAxis.phi'(unit = "rad", displayUnit = "deg", quantity = "Angle") "External support angle (= flange.phi)";
  Real 'rev.internalAxis.flange.phi'(unit = "rad", displayUnit = "deg", quantity = "Angle") "Absolute rotation angle of flange";
  Real 'rev.internalAxis.flange.tau'(unit = "N.m", quantity = "Torque") "Cut torque in the flange";
public
  Real 'damper.phi_rel'(start = 0, nominal = if 'damper.phi_nominal' >= 2.220446049250313e-16 then 'damper.phi_nominal' else 1, unit = "rad", displayUnit = "deg", quantity = "Angle", stateSelect = StateSelect.prefer) "Relative rotation angle (= flange_b.phi - flange_a.phi)";
  Real 'damper.w_rel'(start = 0, unit = "rad/s", quantity = "AngularVelocity", stateSelect = StateSelect.prefer) "Relative angular velocity (= der(phi_rel))";
  Real 'damper.a_rel'(start = 0, unit = "rad/s2", quantity = "AngularAcceleration") "Relative angular acceleration (= der(w_rel))";
  Real 'damper.tau'(unit = "N.m", quantity = "Torque") "Torque between flanges (= flange_b.tau)";
  Real 'damper.flange_a.phi'(unit = "rad", displayUnit = "deg", quantity = "Angle") "Absolute rotation angle of flange";
  Real 'damper.flange_a.tau'(unit = "N.m", quantity = "Torque") "Cut torque in the flange";
  Real 'damper.flange_b.phi'(unit = "rad", displayUnit = "deg", quantity = "Angle") "Absolute rotation angle of flange";
  Real 'damper.flange_b.tau'(unit = "N.m", quantity = "Torque") "Cut torque in the flange";
  parameter Real 'damper.phi_nominal'(min = 0.0, unit = "rad", displayUnit = "rad", quantity = "Angle") = 0.0001 "Nominal value of phi_rel (used for scaling)";
  parameter StateSelect 'damper.stateSelect' = StateSelect.prefer "Priority to use phi_rel and w_rel as states" annotation(Evaluate = true);
  parameter Real 'damper.d'(start = 0, min = 0, unit = "N.m.s/rad", quantity = "RotationalDampingConstant") = 0.1 "Damping constant";
  parameter Boolean 'damper.useHeatPort' = false "= true, if heatPort is enabled" annotation(Evaluate = true);
  Real 'damper.lossPower'(unit = "W", quantity = "Power") "Loss power leaving component via heatPort (> 0, if heat is flowing out of component)";
  Real[3] 'body.frame_a.r_0'(each unit = "m", each quantity = "Length") "Position vector from world frame to the connector frame origin, resolved in world frame";
  Real[3, 3] 'body.frame_a.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'body.frame_a.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'body.frame_a.f'(each unit = "N", each quantity = "Force") "Cut-force resolved in connector frame";
  Real[3] 'body.frame_a.t'(each unit = "N.m", each quantity = "Torque") "Cut-torque resolved in connector frame";
  parameter Boolean 'body.animation' = true "= true, if animation shall be enabled (show cylinder and sphere)" annotation(Evaluate = true);
  parameter Real[3] 'body.r_CM'(start = {0, 0, 0}, each unit = "m", each quantity = "Length") = {0.5, 0, 0} "Vector from frame_a to center of mass, resolved in frame_a";
  parameter Real 'body.m'(start = 1, min = 0, unit = "kg", quantity = "Mass") = 1.0 "Mass of rigid body";
  parameter Real 'body.I_11'(min = 0, unit = "kg.m2", quantity = "MomentOfInertia") = 0.001 "Element (1,1) of inertia tensor";
  parameter Real 'body.I_22'(min = 0, unit = "kg.m2", quantity = "MomentOfInertia") = 0.001 "Element (2,2) of inertia tensor";
  parameter Real 'body.I_33'(min = 0, unit = "kg.m2", quantity = "MomentOfInertia") = 0.001 "Element (3,3) of inertia tensor";
  parameter Real 'body.I_21'(min = -1.7976931348623157e308, unit = "kg.m2", quantity = "MomentOfInertia") = 0 "Element (2,1) of inertia tensor";
  parameter Real 'body.I_31'(min = -1.7976931348623157e308, unit = "kg.m2", quantity = "MomentOfInertia") = 0 "Element (3,1) of inertia tensor";
  parameter Real 'body.I_32'(min = -1.7976931348623157e308, unit = "kg.m2", quantity = "MomentOfInertia") = 0 "Element (3,2) of inertia tensor";
  Real[3] 'body.r_0'(start = {0, 0, 0}, each unit = "m", each quantity = "Length", each stateSelect = StateSelect.avoid) "Position vector from origin of world frame to origin of frame_a";
  Real[3] 'body.v_0'(start = {0, 0, 0}, each unit = "m/s", each quantity = "Velocity", each stateSelect = StateSelect.avoid) "Absolute velocity of frame_a, resolved in world frame (= der(r_0))";
  Real[3] 'body.a_0'(start = {0, 0, 0}, each unit = "m/s2", each quantity = "Acceleration") "Absolute acceleration of frame_a resolved in world frame (= der(v_0))";
  parameter Boolean 'body.angles_fixed' = false "= true, if angles_start are used as initial values, else as guess values" annotation(Evaluate = true);
  parameter Real[3] 'body.angles_start'(each unit = "rad", each displayUnit = "deg", each quantity = "Angle") = {0, 0, 0} "Initial values of angles to rotate world frame around 'sequence_start' axes into frame_a";
  parameter Integer[3] 'body.sequence_start'(min = {1, 1, 1}, max = {3, 3, 3}) = {1, 2, 3} "Sequence of rotations to rotate world frame into frame_a at initial time" annotation(Evaluate = true);
  parameter Boolean 'body.w_0_fixed' = false "= true, if w_0_start are used as initial values, else as guess values" annotation(Evaluate = true);
  parameter Real[3] 'body.w_0_start'(each unit = "rad/s", each quantity = "AngularVelocity") = {0, 0, 0} "Initial or guess values of angular velocity of frame_a resolved in world frame";
  parameter Boolean 'body.z_0_fixed' = false "= true, if z_0_start are used as initial values, else as guess values" annotation(Evaluate = true);
  parameter Real[3] 'body.z_0_start'(each unit = "rad/s2", each quantity = "AngularAcceleration") = {0, 0, 0} "Initial values of angular acceleration z_0 = der(w_0)";
  parameter Real 'body.sphereDiameter'(min = 0, unit = "m", quantity = "Length") = 0.1111111111111111 "Diameter of sphere" annotation(Evaluate = true);
  Integer[3] 'body.sphereColor'(each min = 0, each max = 255) = {0, 128, 255} "Color of sphere";
  parameter Real 'body.cylinderDiameter'(min = 0, unit = "m", quantity = "Length") = 'body.sphereDiameter'/3.0 "Diameter of cylinder";
  Integer[3] 'body.cylinderColor'(each min = 0, each max = 255) = 'body.sphereColor' "Color of cylinder";
  Real 'body.specularCoefficient'(min = 0) = 'world.defaultSpecularCoefficient' "Reflection of ambient light (= 0: light is completely absorbed)";
  parameter Boolean 'body.enforceStates' = false "= true, if absolute variables of body object shall be used as states (StateSelect.always)" annotation(Evaluate = true);
  parameter Boolean 'body.useQuaternions' = true "= true, if quaternions shall be used as potential states otherwise use 3 angles as potential states" annotation(Evaluate = true);
  parameter Integer[3] 'body.sequence_angleStates'(min = {1, 1, 1}, max = {3, 3, 3}) = {1, 2, 3} "Sequence of rotations to rotate world frame into frame_a around the 3 angles used as potential states" annotation(Evaluate = true);
  parameter Real[3, 3] 'body.I'(each unit = "kg.m2", each quantity = "MomentOfInertia") = {{'body.I_11', 'body.I_21', 'body.I_31'}, {'body.I_21', 'body.I_22', 'body.I_32'}, {'body.I_31', 'body.I_32', 'body.I_33'}} "Inertia tensor";
  parameter Real[3, 3] 'body.R_start.T' = ('Modelica.Mechanics.MultiBody.Frames.axesRotations'('body.sequence_start', 'body.angles_start', zeros(3))).T "Transformation matrix from world frame to local frame";
  parameter Real[3] 'body.R_start.w'(each unit = "rad/s", each quantity = "AngularVelocity") = ('Modelica.Mechanics.MultiBody.Frames.axesRotations'('body.sequence_start', 'body.angles_start', zeros(3))).w "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'body.w_a'(start = 'Modelica.Mechanics.MultiBody.Frames.resolve2'('Modelica.Mechanics.MultiBody.Frames.Orientation'('body.R_start.T', 'body.R_start.w'), 'body.w_0_start'), fixed = {false, false, false}, each unit = "rad/s", each quantity = "AngularVelocity", each stateSelect = StateSelect.avoid) "Absolute angular velocity of frame_a resolved in frame_a";
  Real[3] 'body.z_a'(start = 'Modelica.Mechanics.MultiBody.Frames.resolve2'('Modelica.Mechanics.MultiBody.Frames.Orientation'('body.R_start.T', 'body.R_start.w'), 'body.z_0_start'), fixed = {false, false, false}, each unit = "rad/s2", each quantity = "AngularAcceleration") "Absolute angular acceleration of frame_a resolved in frame_a";
  Real[3] 'body.g_0'(each unit = "m/s2", each quantity = "Acceleration") "Gravity acceleration resolved in world frame";
protected
  parameter Real[4] 'body.Q_start'(each unit = "1") = 'Modelica.Mechanics.MultiBody.Frames.to_Q'('Modelica.Mechanics.MultiBody.Frames.Orientation'('body.R_start.T', 'body.R_start.w'), 'Modelica.Mechanics.MultiBody.Frames.Quaternions.nullRotation'()) "Quaternion orientation object from world frame to frame_a at initial time";
  Real[4] 'body.Q'(start = 'body.Q_start', each unit = "1", each stateSelect = StateSelect.avoid) "Quaternion orientation object from world frame to frame_a (dummy value, if quaternions are not used as states)";
  parameter Real[3] 'body.phi_start'(each unit = "rad", each displayUnit = "deg", each quantity = "Angle") = 'body.angles_start' "Potential angle states at initial time";
  Real[3] 'body.phi'(start = 'body.phi_start', each unit = "rad", each displayUnit = "deg", each quantity = "Angle", each stateSelect = StateSelect.avoid) "Dummy or 3 angles to rotate world frame into frame_a of body";
  Real[3] 'body.phi_d'(each unit = "rad/s", each quantity = "AngularVelocity", each stateSelect = StateSelect.avoid) "= der(phi)";
  Real[3] 'body.phi_dd'(each unit = "rad/s2", each quantity = "AngularAcceleration") "= der(phi_d)";
  parameter String 'body.cylinder.shapeType' = "cylinder" "Type of shape (box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, <external shape>)";
  Real[3, 3] 'body.cylinder.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'body.cylinder.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'body.cylinder.r'(each unit = "m", each quantity = "Length") = 'body.frame_a.r_0' "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3] 'body.cylinder.r_shape'(each unit = "m", each quantity = "Length") = {0, 0, 0} "Position vector from origin of object frame to shape origin, resolved in object frame";
  Real[3] 'body.cylinder.lengthDirection' = {'Modelica.Units.Conversions.to_unit1'('body.r_CM'[i]) for i in 1:3} "Vector in length direction, resolved in object frame";
  Real[3] 'body.cylinder.widthDirection' = {0, 1, 0} "Vector in width direction, resolved in object frame";
  Real 'body.cylinder.length'(unit = "m", quantity = "Length") = if 'Modelica.Math.Vectors.length'('body.r_CM') > 'body.sphereDiameter'/2 then 'Modelica.Math.Vectors.length'('body.r_CM') - (if 'body.cylinderDiameter' > 1.1*'body.sphereDiameter' then 'body.sphereDiameter'/2 else 0) else 0 "Length of visual object";
  Real 'body.cylinder.width'(unit = "m", quantity = "Length") = 'body.cylinderDiameter' "Width of visual object";
  Real 'body.cylinder.height'(unit = "m", quantity = "Length") = 'body.cylinderDiameter' "Height of visual object";
  Real 'body.cylinder.extra' = 0.0 "Additional size data for some of the shape types";
  Real[3] 'body.cylinder.color' = 'body.cylinderColor' "Color of shape";
  Real 'body.cylinder.specularCoefficient'(min = 0) = 'body.specularCoefficient' "Reflection of ambient light (= 0: light is completely absorbed)";
  parameter String 'body.sphere.shapeType' = "sphere" "Type of shape (box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, <external shape>)";
  Real[3, 3] 'body.sphere.R.T' "Transformation matrix from world frame to local frame";
  Real[3] 'body.sphere.R.w'(each unit = "rad/s", each quantity = "AngularVelocity") "Absolute angular velocity of local frame, resolved in local frame";
  Real[3] 'body.sphere.r'(each unit = "m", each quantity = "Length") = 'body.frame_a.r_0' "Position vector from origin of world frame to origin of object frame, resolved in world frame";
  Real[3] 'body.sphere.r_shape'(each unit = "m", each quantity = "Length") = 'body.r_CM' - {1, 0, 0}*'body.sphereDiameter'/2 "Position vector from origin of object frame to shape origin, resolved in object frame";
  Real[3] 'body.sphere.lengthDirection' = {1, 0, 0} "Vector in length direction, resolved in object frame";
  Real[3] 'body.sphere.widthDirection' = {0, 1, 0} "Vector in width direction, resolved in object frame";
  Real 'body.sphere.length'(unit = "m", quantity = "Length") = 'body.sphereDiameter' "Length of visual object";
  Real 'body.sphere.width'(unit = "m", quantity = "Length") = 'body.sphereDiameter' "Width of visual object";
  Real 'body.sphere.height'(unit = "m", quantity = "Length") = 'body.sphereDiameter' "Height of visual object";
  Real 'body.sphere.extra' = 0.0 "Additional size data for some of the shape types";
  Real[3] 'body.sphere.color' = 'body.sphereColor' "Color of shape";
  Real 'body.sphere.specularCoefficient'(min = 0) = 'body.specularCoefficient' "Reflection of ambient light (= 0: light is completely absorbed)";
equation
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.x_arrowLine.R.T', 'world.x_arrowLine.R.w') = 'Modelica.Mechanics.MultiBody.Frames.nullRotation'();
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.x_arrowHead.R.T', 'world.x_arrowHead.R.w') = 'Modelica.Mechanics.MultiBody.Frames.nullRotation'();
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.x_label.R.T', 'world.x_label.R.w') = 'Modelica.Mechanics.MultiBody.Frames.nullRotation'();
  {'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.x_label.cylinders[:].R.T'[i, :, :], 'world.x_label.cylinders[:].R.w'[i, :]) for i in 1:2} = fill('Modelica.Mechanics.MultiBody.Frames.Orientation'('world.x_label.R.T', 'world.x_label.R.w'), 2);
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.y_arrowLine.R.T', 'world.y_arrowLine.R.w') = 'Modelica.Mechanics.MultiBody.Frames.nullRotation'();
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.y_arrowHead.R.T', 'world.y_arrowHead.R.w') = 'Modelica.Mechanics.MultiBody.Frames.nullRotation'();
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.y_label.R.T', 'world.y_label.R.w') = 'Modelica.Mechanics.MultiBody.Frames.nullRotation'();
  {'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.y_label.cylinders[:].R.T'[i, :, :], 'world.y_label.cylinders[:].R.w'[i, :]) for i in 1:2} = fill('Modelica.Mechanics.MultiBody.Frames.Orientation'('world.y_label.R.T', 'world.y_label.R.w'), 2);
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.z_arrowLine.R.T', 'world.z_arrowLine.R.w') = 'Modelica.Mechanics.MultiBody.Frames.nullRotation'();
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.z_arrowHead.R.T', 'world.z_arrowHead.R.w') = 'Modelica.Mechanics.MultiBody.Frames.nullRotation'();
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.z_label.R.T', 'world.z_label.R.w') = 'Modelica.Mechanics.MultiBody.Frames.nullRotation'();
  {'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.z_label.cylinders[:].R.T'[i, :, :], 'world.z_label.cylinders[:].R.w'[i, :]) for i in 1:3} = fill('Modelica.Mechanics.MultiBody.Frames.Orientation'('world.z_label.R.T', 'world.z_label.R.w'), 3);
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.gravityArrowLine.R.T', 'world.gravityArrowLine.R.w') = 'Modelica.Mechanics.MultiBody.Frames.nullRotation'();
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.gravityArrowHead.R.T', 'world.gravityArrowHead.R.w') = 'Modelica.Mechanics.MultiBody.Frames.nullRotation'();
  assert('Modelica.Math.Vectors.length'('world.n') > 1e-10, "Parameter n of World object is wrong (length(n) > 0 required)");
  'world.frame_b.r_0' = zeros(3);
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('world.frame_b.R.T', 'world.frame_b.R.w') = 'Modelica.Mechanics.MultiBody.Frames.nullRotation'();
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('rev.cylinder.R.T', 'rev.cylinder.R.w') = 'Modelica.Mechanics.MultiBody.Frames.Orientation'('rev.frame_a.R.T', 'rev.frame_a.R.w');
  'rev.fixed.flange.phi' = 'rev.fixed.phi0';
  'rev.internalAxis.flange.tau' = 'rev.internalAxis.tau';
  'rev.internalAxis.flange.phi' = 'rev.internalAxis.phi';
  assert(1 > 0, "Connector frame_a of revolute joint is not connected");
  assert(1 > 0, "Connector frame_b of revolute joint is not connected");
  'rev.angle' = 'rev.phi';
  'rev.w' = der('rev.phi');
  'rev.a' = der('rev.w');
  'rev.frame_b.r_0' = 'rev.frame_a.r_0';
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('rev.R_rel.T', 'rev.R_rel.w') = 'Modelica.Mechanics.MultiBody.Frames.planarRotation'('rev.e', 'rev.phi', 'rev.w');
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('rev.frame_b.R.T', 'rev.frame_b.R.w') = 'Modelica.Mechanics.MultiBody.Frames.absoluteRotation'('Modelica.Mechanics.MultiBody.Frames.Orientation'('rev.frame_a.R.T', 'rev.frame_a.R.w'), 'Modelica.Mechanics.MultiBody.Frames.Orientation'('rev.R_rel.T', 'rev.R_rel.w'));
  'rev.frame_a.f' = -'Modelica.Mechanics.MultiBody.Frames.resolve1'('Modelica.Mechanics.MultiBody.Frames.Orientation'('rev.R_rel.T', 'rev.R_rel.w'), 'rev.frame_b.f');
  'rev.frame_a.t' = -'Modelica.Mechanics.MultiBody.Frames.resolve1'('Modelica.Mechanics.MultiBody.Frames.Orientation'('rev.R_rel.T', 'rev.R_rel.w'), 'rev.frame_b.t');
  'rev.tau' = -'rev.frame_b.t'*'rev.e';
  'rev.phi' = 'rev.internalAxis.phi';
  'damper.phi_rel' = 'damper.flange_b.phi' - 'damper.flange_a.phi';
  'damper.w_rel' = der('damper.phi_rel');
  'damper.a_rel' = der('damper.w_rel');
  'damper.flange_b.tau' = 'damper.tau';
  'damper.flange_a.tau' = -'damper.tau';
  'damper.tau' = 'damper.d'*'damper.w_rel';
  'damper.lossPower' = 'damper.tau'*'damper.w_rel';
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('body.cylinder.R.T', 'body.cylinder.R.w') = 'Modelica.Mechanics.MultiBody.Frames.Orientation'('body.frame_a.R.T', 'body.frame_a.R.w');
  'Modelica.Mechanics.MultiBody.Frames.Orientation'('body.sphere.R.T', 'body.sphere.R.w') = 'Modelica.Mechanics.MultiBody.Frames.Orientation'('body.frame_a.R.T', 'body.frame_a.R.w');
  'body.r_0' = 'body.frame_a.r_0';
  'body.Q' = {0, 0, 0, 1};
  'body.phi' = zeros(3);
  'body.phi_d' = zeros(3);
  'body.phi_dd' = zeros(3);
  'body.g_0' = 'Modelica.Mechanics.MultiBody.World.gravityAcceleration'('body.frame_a.r_0' + 'Modelica.Mechanics.MultiBody.Frames.resolve1'('Modelica.Mechanics.MultiBody.Frames.Orientation'('body.frame_a.R.T', 'body.frame_a.R.w'), 'body.r_CM'), 'world.gravityType', 'world.g'*'Modelica.Math.Vectors.normalizeWithAssert'('world.n'), 'world.mu');
  'body.v_0' = der('body.frame_a.r_0');
  'body.a_0' = der('body.v_0');
  'body.w_a' = 'Modelica.Mechanics.MultiBody.Frames.angularVelocity2'('Modelica.Mechanics.MultiBody.Frames.Orientation'('body.frame_a.R.T', 'body.frame_a.R.w'));
  'body.z_a' = der('body.w_a');
  'body.frame_a.f' = 'body.m'*('Modelica.Mechanics.MultiBody.Frames.resolve2'('Modelica.Mechanics.MultiBody.Frames.Orientation'('body.frame_a.R.T', 'body.frame_a.R.w'), 'body.a_0' - 'body.g_0') + cross('body.z_a', 'body.r_CM') + cross('body.w_a', cross('body.w_a', 'body.r_CM')));
  'body.frame_a.t' = 'body.I'*'body.z_a' + cross('body.w_a', 'body.I'*'body.w_a') + cross('body.r_CM', 'body.frame_a.f');
  'rev.fixed.flange.phi' = 'rev.support.phi';
  'rev.internalAxis.flange.phi' = 'rev.axis.phi';
  'world.frame_b.r_0' = 'rev.frame_a.r_0';
  'damper.flange_b.phi' = 'rev.axis.phi';
  'rev.support.phi' = 'damper.flange_a.phi';
  'body.frame_a.r_0' = 'rev.frame_b.r_0';
  'rev.fixed.flange.tau' - 'rev.support.tau' = 0.0;
  'rev.internalAxis.flange.tau' - 'rev.axis.tau' = 0.0;
  'world.frame_b.f' + 'rev.frame_a.f' = fill(0.0, 3);
  'world.frame_b.t' + 'rev.frame_a.t' = fill(0.0, 3);
  'damper.flange_b.tau' + 'rev.axis.tau' = 0.0;
  'rev.support.tau' + 'damper.flange_a.tau' = 0.0;
  'body.frame_a.f' + 'rev.frame_b.f' = fill(0.0, 3);
  'body.frame_a.t' + 'rev.frame_b.t' = fill(0.0, 3);
  'world.frame_b.R.T' = 'rev.frame_a.R.T';
  'world.frame_b.R.w' = 'rev.frame_a.R.w';
  'body.frame_a.R.T' = 'rev.frame_b.R.T';
  'body.frame_a.R.w' = 'rev.frame_b.R.w';
  annotation(experiment(StopTime = 5.0), __rhei(paths = true));
end 'Modelica.Mechanics.MultiBody.Examples.Elementary.Pendulum';
