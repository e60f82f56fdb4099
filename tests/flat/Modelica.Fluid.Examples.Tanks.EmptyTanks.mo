type 'Modelica.Fluid.Types.Dynamics' = enumeration(DynamicFreeInitial, FixedInitial, SteadyStateInitial, SteadyState);

record 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'
  Real p;
  Real T;
end 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState';

function 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.m_flow_of_dp_fric'
  input Real dp_fric;
  input Real rho_a;
  input Real rho_b;
  input Real mu_a;
  input Real mu_b;
  input Real length;
  input Real diameter;
  input Real crossArea;
  input Real Re1;
  input Real Re2;
  input Real Delta;
  output Real m_flow;
  output Real dm_flow_ddp_fric;
protected
  Real mu;
  Real rho;
  Real lambda2;
  Real Re;
  Real dRe_ddp;
  Real aux1;
  Real aux2;
algorithm
  if dp_fric >= 0 then
    rho := rho_a;
    mu := mu_a;
  else
    rho := rho_b;
    mu := mu_b;
  end if;
  lambda2 := abs(dp_fric)*2*diameter^3*rho/(length*mu*mu);
  aux1 := 2*diameter^3*rho/(length*mu^2);
  Re := lambda2/64;
  dRe_ddp := aux1/64;
  if Re > Re1 then
    Re := -2*sqrt(lambda2)*'Modelica.Math.log10'(2.51/sqrt(lambda2) + 0.27*Delta);
    aux2 := sqrt(aux1*abs(dp_fric));
    dRe_ddp := 1/log(10)*(-2*log(2.51/aux2 + 0.27*Delta)*aux1/(2*aux2) + 2*2.51/(2*abs(dp_fric)*(2.51/aux2 + 0.27*Delta)));
    if Re < Re2 then
      (Re, dRe_ddp) := 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.m_flow_of_dp_fric.interpolateInRegion2_withDerivative'(lambda2, Re1, Re2, Delta, dp_fric);
    end if;
  end if;
  m_flow := crossArea/diameter*mu*(if dp_fric >= 0 then Re else -Re);
  dm_flow_ddp_fric := crossArea/diameter*mu*dRe_ddp;
  annotation(smoothOrder = 1);
end 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.m_flow_of_dp_fric';

function 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.m_flow_of_dp_fric.interpolateInRegion2_withDerivative'
  input Real lambda2;
  input Real Re1;
  input Real Re2;
  input Real Delta;
  input Real dp_fric;
  output Real Re;
  output Real dRe_ddp;
protected
  Real x1 = 'Modelica.Math.log10'(64*Re1);
  Real y1 = 'Modelica.Math.log10'(Re1);
  Real y1d = 1;
  Real aux2 = Delta/3.7 + 5.74/Re2^0.9;
  Real aux3 = 'Modelica.Math.log10'(aux2);
  Real L2 = 0.25*(Re2/aux3)^2;
  Real aux4 = 2.51/sqrt(L2) + 0.27*Delta;
  Real aux5 = -2*sqrt(L2)*'Modelica.Math.log10'(aux4);
  Real x2 = 'Modelica.Math.log10'(L2);
  Real y2 = 'Modelica.Math.log10'(aux5);
  Real y2d = 0.5 + 2.51/log(10)/(aux5*aux4);
  Real x = 'Modelica.Math.log10'(lambda2);
  Real y;
  Real dy_dx;
algorithm
  (y, dy_dx) := 'Modelica.Fluid.Utilities.cubicHermite_withDerivative'(x, x1, x2, y1, y2, y1d, y2d);
  Re := 10^y;
  dRe_ddp := Re/abs(dp_fric)*dy_dx;
  annotation(smoothOrder = 1);
end 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.m_flow_of_dp_fric.interpolateInRegion2_withDerivative';

function 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.massFlowRate_dp_staticHead'
  input Real dp;
  input Real rho_a;
  input Real rho_b;
  input Real mu_a;
  input Real mu_b;
  input Real length;
  input Real diameter;
  input Real g_times_height_ab;
  input Real crossArea = 3.141592653589793*diameter^2/4;
  input Real roughness = 2.5e-5;
  input Real dp_small = 1;
  input Real Re_turbulent = 4000;
  output Real m_flow;
protected
  Real Delta = roughness/diameter;
  Real Re;
  Real Re1 = min((745*'Modelica.Math.exp'(if Delta <= 0.0065 then 1 else 0.0065/Delta))^0.97, Re_turbulent);
  Real Re2 = Re_turbulent;
  Real dp_a;
  Real dp_b;
  Real m_flow_a;
  Real m_flow_b;
  Real dm_flow_ddp_fric_a;
  Real dm_flow_ddp_fric_b;
  Real dp_grav_a = g_times_height_ab*rho_a;
  Real dp_grav_b = g_times_height_ab*rho_b;
  Real m_flow_zero = 0;
  Real dp_zero = (dp_grav_a + dp_grav_b)/2;
  Real dm_flow_ddp_fric_zero;
algorithm
  dp_a := max(dp_grav_a, dp_grav_b) + dp_small;
  dp_b := min(dp_grav_a, dp_grav_b) - dp_small;
  if dp >= dp_a then
    m_flow := 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.m_flow_of_dp_fric'(dp - dp_grav_a, rho_a, rho_b, mu_a, mu_b, length, diameter, crossArea, Re1, Re2, Delta);
  elseif dp <= dp_b then
    m_flow := 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.m_flow_of_dp_fric'(dp - dp_grav_b, rho_a, rho_b, mu_a, mu_b, length, diameter, crossArea, Re1, Re2, Delta);
  else
    (m_flow_a, dm_flow_ddp_fric_a) := 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.m_flow_of_dp_fric'(dp_a - dp_grav_a, rho_a, rho_b, mu_a, mu_b, length, diameter, crossArea, Re1, Re2, Delta);
    (m_flow_b, dm_flow_ddp_fric_b) := 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal.m_flow_of_dp_fric'(dp_b - dp_grav_b, rho_a, rho_b, mu_a, mu_b, length, diameter, crossArea, Re1, Re2, Delta);
    (m_flow, dm_flow_ddp_fric_zero) := 'Modelica.Fluid.Utilities.regFun3'(dp_zero, dp_b, dp_a, m_flow_b, m_flow_a, dm_flow_ddp_fric_b, dm_flow_ddp_fric_a);
    if dp > dp_zero then
      m_flow := 'Modelica.Fluid.Utilities.regFun3'(dp, dp_zero, dp_a, m_flow_zero, m_flow_a, dm_flow_ddp_fric_zero, dm_flow_ddp_fric_a);
    else
      m_flow := 'Modelica.Fluid.Utilities.regFun3'(dp, dp_b, dp_zero, m_flow_b, m_flow_zero, dm_flow_ddp_fric_b, dm_flow_ddp_fric_zero);
    end if;
  end if;
  annotation(smoothOrder = 1);
end 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.massFlowRate_dp_staticHead';

function 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.pressureLoss_m_flow'
  input Real m_flow;
  input Real rho_a;
  input Real rho_b;
  input Real mu_a;
  input Real mu_b;
  input Real length;
  input Real diameter;
  input Real crossArea = 3.141592653589793*diameter^2/4;
  input Real roughness = 2.5e-5;
  input Real m_flow_small = 0.01;
  input Real Re_turbulent = 4000;
  output Real dp;
protected
  Real Delta = roughness/diameter;
  Real Re1 = min(745*'Modelica.Math.exp'(if Delta <= 0.0065 then 1 else 0.0065/Delta), Re_turbulent);
  Real Re2 = Re_turbulent;
  Real mu;
  Real rho;
  Real Re;
  Real lambda2;
algorithm
  rho := if m_flow >= 0 then rho_a else rho_b;
  mu := if m_flow >= 0 then mu_a else mu_b;
  Re := diameter*abs(m_flow)/(crossArea*mu);
  lambda2 := if Re <= Re1 then 64*Re else if Re >= Re2 then 0.25*(Re/'Modelica.Math.log10'(Delta/3.7 + 5.74/Re^0.9))^2 else 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.pressureLoss_m_flow.interpolateInRegion2'(Re, Re1, Re2, Delta);
  dp := length*mu*mu/(2*rho*diameter*diameter*diameter)*(if m_flow >= 0 then lambda2 else -lambda2);
  annotation(smoothOrder = 1);
end 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.pressureLoss_m_flow';

function 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.pressureLoss_m_flow.interpolateInRegion2'
  input Real Re;
  input Real Re1;
  input Real Re2;
  input Real Delta;
  output Real lambda2;
protected
  Real x1 = 'Modelica.Math.log10'(Re1);
  Real y1 = 'Modelica.Math.log10'(64*Re1);
  Real yd1 = 1;
  Real aux1 = 0.5/'Modelica.Math.log'(10)*5.74*0.9;
  Real aux2 = Delta/3.7 + 5.74/Re2^0.9;
  Real aux3 = 'Modelica.Math.log10'(aux2);
  Real L2 = 0.25*(Re2/aux3)^2;
  Real aux4 = 2.51/sqrt(L2) + 0.27*Delta;
  Real aux5 = -2*sqrt(L2)*'Modelica.Math.log10'(aux4);
  Real x2 = 'Modelica.Math.log10'(Re2);
  Real y2 = 'Modelica.Math.log10'(L2);
  Real yd2 = 2 + 4*aux1/(aux2*aux3*Re2^0.9);
  Real diff_x = x2 - x1;
  Real m = (y2 - y1)/diff_x;
  Real c2 = (3*m - 2*yd1 - yd2)/diff_x;
  Real c3 = (yd1 + yd2 - 2*m)/(diff_x*diff_x);
  Real dx = 'Modelica.Math.log10'(Re/Re1);
algorithm
  lambda2 := 64*Re1*(Re/Re1)^(yd1 + dx*(c2 + dx*c3));
  annotation(Inline = false, smoothOrder = 5);
end 'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.pressureLoss_m_flow.interpolateInRegion2';

function 'Modelica.Fluid.Utilities.cubicHermite_withDerivative'
  input Real x;
  input Real x1;
  input Real x2;
  input Real y1;
  input Real y2;
  input Real y1d;
  input Real y2d;
  output Real y;
  output Real dy_dx;
protected
  Real h;
  Real t;
  Real h00;
  Real h10;
  Real h01;
  Real h11;
  Real h00d;
  Real h10d;
  Real h01d;
  Real h11d;
  Real aux3;
  Real aux2;
algorithm
  h := x2 - x1;
  if abs(h) > 0 then
    t := (x - x1)/h;
    aux3 := t^3;
    aux2 := t^2;
    h00 := 2*aux3 - 3*aux2 + 1;
    h10 := aux3 - 2*aux2 + t;
    h01 := -2*aux3 + 3*aux2;
    h11 := aux3 - aux2;
    h00d := 6*(aux2 - t);
    h10d := 3*aux2 - 4*t + 1;
    h01d := 6*(t - aux2);
    h11d := 3*aux2 - 2*t;
    y := y1*h00 + h*y1d*h10 + y2*h01 + h*y2d*h11;
    dy_dx := y1*h00d/h + y1d*h10d + y2*h01d/h + y2d*h11d;
  else
    y := (y1 + y2)/2;
    dy_dx := sign(y2 - y1)*1.7976931348623157e308;
  end if;
  annotation(smoothOrder = 3);
end 'Modelica.Fluid.Utilities.cubicHermite_withDerivative';

function 'Modelica.Fluid.Utilities.evaluatePoly3_derivativeAtZero'
  input Real x;
  input Real x1;
  input Real y1;
  input Real y1d;
  input Real y0d;
  output Real y;
protected
  Real a1;
  Real a2;
  Real a3;
  Real xx;
algorithm
  a1 := x1*y0d;
  a2 := 3*y1 - x1*y1d - 2*a1;
  a3 := y1 - a2 - a1;
  xx := x/x1;
  y := xx*(a1 + xx*(a2 + xx*a3));
  annotation(smoothOrder = 3);
end 'Modelica.Fluid.Utilities.evaluatePoly3_derivativeAtZero';

function 'Modelica.Fluid.Utilities.regFun3'
  input Real x;
  input Real x0;
  input Real x1;
  input Real y0;
  input Real y1;
  input Real y0d;
  input Real y1d;
  output Real y;
  output Real c;
protected
  Real h0;
  Real Delta0;
  Real xstar;
  Real mu;
  Real eta;
  Real omega;
  Real rho;
  Real theta0;
  Real mu_tilde;
  Real eta_tilde;
  Real xi1;
  Real xi2;
  Real a1;
  Real a2;
  Real const12;
  Real const3;
  Real aux01;
  Real aux02;
  Boolean useSingleCubicPolynomial = false;
algorithm
  assert(x0 < x1, "regFun3(): Data points not sorted appropriately (x0 = " + String(x0) + " > x1 = " + String(x1) + "). Please flip arguments.");
  if y0d*y1d >= 0 then
  else
    assert(abs(y0d) < 2.220446049250313e-16 or abs(y1d) < 2.220446049250313e-16, "regFun3(): Derivatives at data points do not allow co-monotone interpolation, as both are non-zero, of opposite sign and have an absolute value larger than machine eps (y0d = " + String(y0d) + ", y1d = " + String(y1d) + "). Please correct arguments.");
  end if;
  h0 := x1 - x0;
  Delta0 := (y1 - y0)/h0;
  if abs(Delta0) <= 0 then
    y := y0 + Delta0*(x - x0);
    c := 0;
  elseif abs(y1d + y0d - 2*Delta0) < 100*2.220446049250313e-16 then
    y := y0 + (x - x0)*(y0d + (x - x0)/h0*(-2*y0d - y1d + 3*Delta0 + (x - x0)*(y0d + y1d - 2*Delta0)/h0));
    aux01 := (x0 + x1)/2;
    c := 3*(y0d + y1d - 2*Delta0)*(aux01 - x0)^2/h0^2 + 2*(-2*y0d - y1d + 3*Delta0)*(aux01 - x0)/h0 + y0d;
  else
    xstar := 1/3*(-3*x0*y0d - 3*x0*y1d + 6*x0*Delta0 - 2*h0*y0d - h0*y1d + 3*h0*Delta0)/(-y0d - y1d + 2*Delta0);
    mu := xstar - x0;
    eta := x1 - xstar;
    omega := 3*(y0d + y1d - 2*Delta0)*(xstar - x0)^2/h0^2 + 2*(-2*y0d - y1d + 3*Delta0)*(xstar - x0)/h0 + y0d;
    aux01 := 0.25*sign(Delta0)*min(abs(omega), abs(Delta0));
    if abs(y0d - y1d) <= 100*2.220446049250313e-16 then
      aux02 := y0d;
      if y1 > y0 + y0d*(x1 - x0) then
        useSingleCubicPolynomial := true;
      end if;
    elseif abs(y1d + y0d - 2*Delta0) < 100*2.220446049250313e-16 then
      aux02 := (6*Delta0*(y1d + y0d - 3/2*Delta0) - y1d*y0d - y1d^2 - y0d^2)*(if y1d + y0d - 2*Delta0 >= 0 then 1 else -1)*1.7976931348623157e308;
    else
      aux02 := (6*Delta0*(y1d + y0d - 3/2*Delta0) - y1d*y0d - y1d^2 - y0d^2)/(3*(y1d + y0d - 2*Delta0));
    end if;
    if (mu > 0 and eta < h0 and Delta0*omega <= 0 or abs(aux01) < abs(aux02) and aux02*Delta0 >= 0 or abs(aux01) < abs(0.1*Delta0)) and not useSingleCubicPolynomial then
      c := aux01;
      if abs(c) < abs(aux02) and aux02*Delta0 >= 0 then
        c := aux02;
      end if;
      if abs(c) < abs(0.1*Delta0) then
        c := 0.1*Delta0;
      end if;
      theta0 := (y0d*mu + y1d*eta)/h0;
      if abs(theta0 - c) < 1e-6*abs(c) then
        c := (1 - 1e-6)*theta0;
      end if;
      rho := 3*(Delta0 - c)/(theta0 - c);
      mu_tilde := rho*mu;
      eta_tilde := rho*eta;
      xi1 := x0 + mu_tilde;
      xi2 := x1 - eta_tilde;
      a1 := (y0d - c)/max(mu_tilde^2, 100*2.220446049250313e-16);
      a2 := (y1d - c)/max(eta_tilde^2, 100*2.220446049250313e-16);
      const12 := y0 - a1/3*(x0 - xi1)^3 - c*x0;
      const3 := y1 - a2/3*(x1 - xi2)^3 - c*x1;
      if x < xi1 then
        y := a1/3*(x - xi1)^3 + c*x + const12;
      elseif x < xi2 then
        y := c*x + const12;
      else
        y := a2/3*(x - xi2)^3 + c*x + const3;
      end if;
    else
      y := y0 + (x - x0)*(y0d + (x - x0)/h0*(-2*y0d - y1d + 3*Delta0 + (x - x0)*(y0d + y1d - 2*Delta0)/h0));
      aux01 := (x0 + x1)/2;
      c := 3*(y0d + y1d - 2*Delta0)*(aux01 - x0)^2/h0^2 + 2*(-2*y0d - y1d + 3*Delta0)*(aux01 - x0)/h0 + y0d;
    end if;
  end if;
  annotation(smoothOrder = 1);
end 'Modelica.Fluid.Utilities.regFun3';

function 'Modelica.Fluid.Utilities.regSquare2'
  input Real x;
  input Real x_small = 0.01;
  input Real k1 = 1;
  input Real k2 = 1;
  input Boolean use_yd0 = false;
  input Real yd0 = 1;
  output Real y;
algorithm
  y := smooth(2, if x >= x_small then k1*x^2 else if x <= -x_small then -k2*x^2 else if k1 >= k2 then 'Modelica.Fluid.Utilities.regSquare2.regSquare2_utility'(x, x_small, k1, k2, use_yd0, yd0) else -'Modelica.Fluid.Utilities.regSquare2.regSquare2_utility'(-x, x_small, k2, k1, use_yd0, yd0));
  annotation(smoothOrder = 2);
end 'Modelica.Fluid.Utilities.regSquare2';

function 'Modelica.Fluid.Utilities.regSquare2.regSquare2_utility'
  input Real x;
  input Real x1;
  input Real k1;
  input Real k2;
  input Boolean use_yd0 = false;
  input Real yd0 = 1;
  output Real y;
protected
  Real x2;
  Real y1;
  Real y2;
  Real y1d;
  Real y2d;
  Real w;
  Real w1;
  Real w2;
  Real y0d;
  Real ww;
algorithm
  x2 := -x1;
  if x <= x2 then
    y := -k2*x^2;
  else
    y1 := k1*x1^2;
    y2 := -k2*x2^2;
    y1d := k1*2*x1;
    y2d := -k2*2*x2;
    if use_yd0 then
      y0d := yd0;
    else
      w := x2/x1;
      y0d := ((3*y2 - x2*y2d)/w - (3*y1 - x1*y1d)*w)/(2*x1*(1 - w));
    end if;
    w1 := sqrt(5)*k1*x1;
    w2 := sqrt(5)*k2*abs(x2);
    ww := 0.9*(if w1 < w2 then w1 else w2);
    if ww < y0d then
      y0d := ww;
    end if;
    y := if x >= 0 then 'Modelica.Fluid.Utilities.evaluatePoly3_derivativeAtZero'(x, x1, y1, y1d, y0d) else 'Modelica.Fluid.Utilities.evaluatePoly3_derivativeAtZero'(x, x2, y2, y2d, y0d);
  end if;
  annotation(smoothOrder = 2);
end 'Modelica.Fluid.Utilities.regSquare2.regSquare2_utility';

function 'Modelica.Fluid.Utilities.regStep'
  input Real x;
  input Real y1;
  input Real y2;
  input Real x_small = 1e-5;
  output Real y;
algorithm
  y := smooth(1, if x > x_small then y1 else if x < -x_small then y2 else if x_small > 0 then x/x_small*((x/x_small)^2 - 3)*(y2 - y1)/4 + (y1 + y2)/2 else (y1 + y2)/2);
end 'Modelica.Fluid.Utilities.regStep';

function 'Modelica.Math.exp'
  input Real u;
  output Real y;
algorithm
  y := exp(u);
  annotation(Inline = true);
end 'Modelica.Math.exp';

function 'Modelica.Math.log'
  input Real u;
  output Real y;
algorithm
  y := log(u);
  annotation(Inline = true);
end 'Modelica.Math.log';

function 'Modelica.Math.log10'
  input Real u;
  output Real y;
algorithm
  y := log10(u);
  annotation(Inline = true);
end 'Modelica.Math.log10';

function 'Modelica.Media.Interfaces.PartialMedium.density_pTX'
  input Real p;
  input Real T;
  input Real[:] X;
  output Real d;
algorithm
  d := 'Modelica.Media.Interfaces.PartialSimpleMedium.density'('Modelica.Media.Interfaces.PartialSimpleMedium.setState_pTX'(p, T, X));
end 'Modelica.Media.Interfaces.PartialMedium.density_pTX';

function 'Modelica.Media.Interfaces.PartialSimpleMedium.density'
  input 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState' state;
  output Real d;
algorithm
  d := 995.586;
end 'Modelica.Media.Interfaces.PartialSimpleMedium.density';

function 'Modelica.Media.Interfaces.PartialSimpleMedium.dynamicViscosity'
  input 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState' state;
  output Real eta;
algorithm
  eta := 0.001;
end 'Modelica.Media.Interfaces.PartialSimpleMedium.dynamicViscosity';

function 'Modelica.Media.Interfaces.PartialSimpleMedium.pressure'
  input 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState' state;
  output Real p;
algorithm
  p := state.p;
end 'Modelica.Media.Interfaces.PartialSimpleMedium.pressure';

function 'Modelica.Media.Interfaces.PartialSimpleMedium.setState_pTX'
  input Real p;
  input Real T;
  input Real[:] X = {1.0};
  output 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState' state;
algorithm
  state := 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'(p, T);
end 'Modelica.Media.Interfaces.PartialSimpleMedium.setState_pTX';

function 'Modelica.Media.Interfaces.PartialSimpleMedium.setState_phX'
  input Real p;
  input Real h;
  input Real[:] X = {1.0};
  output 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState' state;
algorithm
  state := 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'(p, 273.15 + h/4184.0);
end 'Modelica.Media.Interfaces.PartialSimpleMedium.setState_phX';

function 'Modelica.Media.Interfaces.PartialSimpleMedium.specificEnthalpy_pTX'
  input Real p;
  input Real T;
  input Real[:] X;
  output Real h;
algorithm
  h := 4184.0*(T - 273.15);
end 'Modelica.Media.Interfaces.PartialSimpleMedium.specificEnthalpy_pTX';

function 'Modelica.Media.Interfaces.PartialSimpleMedium.temperature'
  input 'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState' state;
  output Real T;
algorithm
  T := state.T;
end 'Modelica.Media.Interfaces.PartialSimpleMedium.temperature';

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

model 'Modelica.Fluid.Examples.Tanks.EmptyTanks' "Show the treatment of empty tanks"
  Real 'tank1.level'(start = 'tank1.level_start_eps', min = 0, unit = "m", quantity = "Length", stateSelect = StateSelect.prefer) "Level height of tank";
  Real 'tank1.V'(unit = "m3", quantity = "Volume", stateSelect = StateSelect.never) "Actual tank volume";
  parameter Real 'tank1.height'(min = 0, unit = "m", quantity = "Length") = 1.1 "Height of tank";
  parameter Real 'tank1.crossArea'(unit = "m2", quantity = "Area") = 1 "Area of tank";
  parameter Real 'tank1.p_ambient'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") = 'system.p_ambient' "Tank surface pressure";
  parameter Real 'tank1.T_ambient'(start = 288.15, min = 1, max = 10000.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") = 'system.T_ambient' "Tank surface Temperature";
  parameter Real 'tank1.level_start'(min = 0, unit = "m", quantity = "Length") = 1 "Start value of tank level";
  Real 'tank1.fluidVolume'(unit = "m3", quantity = "Volume") = 'tank1.V' "Volume";
  parameter 'Modelica.Fluid.Types.Dynamics' 'tank1.energyDynamics' = 'Modelica.Fluid.Types.Dynamics'.FixedInitial "Formulation of energy balance" annotation(Evaluate = true);
  parameter 'Modelica.Fluid.Types.Dynamics' 'tank1.massDynamics' = 'Modelica.Fluid.Types.Dynamics'.FixedInitial "Formulation of mass balance" annotation(Evaluate = true);
  parameter 'Modelica.Fluid.Types.Dynamics' 'tank1.substanceDynamics' = 'Modelica.Fluid.Types.Dynamics'.FixedInitial "Formulation of substance balance" annotation(Evaluate = true);
  parameter 'Modelica.Fluid.Types.Dynamics' 'tank1.traceDynamics' = 'Modelica.Fluid.Types.Dynamics'.FixedInitial "Formulation of trace substance balance" annotation(Evaluate = true);
  parameter Real 'tank1.p_start'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") = 'tank1.p_ambient' "Start value of pressure";
  parameter Boolean 'tank1.use_T_start' = true "= true, use T_start, otherwise h_start" annotation(Evaluate = true);
  parameter Real 'tank1.T_start'(start = 288.15, min = 1, max = 10000.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") = 'system.T_start' "Start value of temperature";
  parameter Real 'tank1.h_start'(min = -10000000000.0, max = 10000000000.0, nominal = 1000000.0, unit = "J/kg", quantity = "SpecificEnergy") = 'Modelica.Media.Interfaces.PartialSimpleMedium.specificEnthalpy_pTX'('tank1.p_start', 'tank1.T_start', 'tank1.X_start') "Start value of specific enthalpy";
  parameter Real[1] 'tank1.X_start'(each min = 0, each max = 1, each nominal = 0.1, each unit = "kg/kg", each quantity = "MassFraction") = {1.0} "Start value of mass fractions m_i/m";
  parameter Real[0] 'tank1.C_start'(each start = 1.0, each min = 0.0) = fill(0.0, 0) "Start value of trace substances";
  Real 'tank1.medium.p'(start = 'tank1.p_start', min = 0.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure", stateSelect = StateSelect.prefer) "Absolute pressure of medium";
  Real[0] 'tank1.medium.Xi'(start = 'tank1.X_start'[1:0], each min = 0, each max = 1, each unit = "1", each quantity = "MassFraction") "Structurally independent mass fractions";
  Real 'tank1.medium.h'(start = 'tank1.h_start', unit = "J/kg", quantity = "SpecificEnergy") "Specific enthalpy of medium";
  Real 'tank1.medium.d'(start = 1, min = 0, max = 100000.0, nominal = 1, unit = "kg/m3", displayUnit = "g/cm3", quantity = "Density") "Density of medium";
  Real 'tank1.medium.T'(start = 'tank1.T_start', min = 1, max = 10000.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature", stateSelect = StateSelect.prefer) "Temperature of medium";
  Real[1] 'tank1.medium.X'(start = {1.0}, each min = 0, each max = 1, each nominal = 0.1, each unit = "kg/kg", each quantity = "MassFraction") "Mass fractions (= (component mass)/total mass  m_i/m)";
  Real 'tank1.medium.u'(min = -100000000.0, max = 100000000.0, nominal = 1000000.0, unit = "J/kg", quantity = "SpecificEnergy") "Specific internal energy of medium";
  Real 'tank1.medium.R_s'(start = 1000.0, min = 0, max = 10000000.0, nominal = 1000.0, unit = "J/(kg.K)", quantity = "SpecificHeatCapacity") "Gas constant (of mixture if applicable)";
  Real 'tank1.medium.MM'(min = 0.001, max = 0.25, nominal = 0.032, unit = "kg/mol", quantity = "MolarMass") "Molar mass (of mixture or single fluid)";
  Real 'tank1.medium.state.p'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") "Absolute pressure of medium";
  Real 'tank1.medium.state.T'(start = 288.15, min = 1, max = 10000.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Temperature of medium";
  parameter Boolean 'tank1.medium.preferredMediumStates' = true "= true, if StateSelect.prefer shall be used for the independent property variables of the medium" annotation(Evaluate = true);
  parameter Boolean 'tank1.medium.standardOrderComponents' = true "If true, and reducedX = true, the last element of X will be computed from the other ones" annotation(Evaluate = true);
  Real 'tank1.medium.T_degC'(unit = "degC", quantity = "ThermodynamicTemperature") = 'Modelica.Units.Conversions.to_degC'('tank1.medium.T') "Temperature of medium in [degC]";
  Real 'tank1.medium.p_bar'(unit = "bar", quantity = "Pressure") = 'Modelica.Units.Conversions.to_bar'('tank1.medium.p') "Absolute pressure of medium in [bar]";
  Real 'tank1.U'(unit = "J", quantity = "Energy") "Internal energy of fluid";
  Real 'tank1.m'(min = 0, unit = "kg", quantity = "Mass") "Mass of fluid";
  Real[0] 'tank1.mXi'(each min = 0, each unit = "kg", each quantity = "Mass") "Masses of independent components in the fluid";
  Real[0] 'tank1.mC'(each min = 0, each unit = "kg", each quantity = "Mass") "Masses of trace substances in the fluid";
  Real[0] 'tank1.C'(each start = 1.0, each min = 0.0) "Trace substance mixture content";
  Real 'tank1.mb_flow'(unit = "kg/s", quantity = "MassFlowRate") "Mass flows across boundaries";
  Real[0] 'tank1.mbXi_flow'(each unit = "kg/s", each quantity = "MassFlowRate") "Substance mass flows across boundaries";
  Real[0] 'tank1.mbC_flow'(each unit = "kg/s") "Trace substance mass flows across boundaries";
  Real 'tank1.Hb_flow'(unit = "W", quantity = "EnthalpyFlowRate") "Enthalpy flow across boundaries or energy source/sink";
  Real 'tank1.Qb_flow'(unit = "W", quantity = "Power") "Heat flow across boundaries or energy source/sink";
  Real 'tank1.Wb_flow'(unit = "W", quantity = "Power") "Work flow across boundaries or source term";
protected
  parameter Boolean 'tank1.initialize_p' = false "= true to set up initial equations for pressure" annotation(Evaluate = true);
  Real[0] 'tank1.mC_scaled'(min = fill(2.220446049250313e-16, 0)) "Scaled masses of trace substances in the fluid";
public
  parameter Integer 'tank1.nPorts' = 1 "Number of ports" annotation(Evaluate = true);
  Real[1] 'tank1.ports[:].m_flow'(each min = -100000.0, each max = 100000.0, each unit = "kg/s", each quantity = "MassFlowRate.SimpleLiquidWater") "Mass flow rate from the connection point into the component";
  Real[1] 'tank1.ports[:].p'(each start = 100000.0, each min = 0, each max = 100000000.0, each nominal = 100000.0, each unit = "Pa", each displayUnit = "bar", each quantity = "Pressure") "Thermodynamic pressure in the connection point";
  Real[1] 'tank1.ports[:].h_outflow'(each min = -10000000000.0, each max = 10000000000.0, each nominal = 1000000.0, each unit = "J/kg", each quantity = "SpecificEnergy") "Specific thermodynamic enthalpy close to the connection point if m_flow < 0";
  Real[1, 0] 'tank1.ports[:].Xi_outflow'(each min = 0, each max = 1, each nominal = 0.1, each unit = "kg/kg", each quantity = "MassFraction") "Independent mixture mass fractions m_i/m close to the connection point if m_flow < 0";
  Real[1, 0] 'tank1.ports[:].C_outflow'(each start = 1.0, each min = 0.0) "Properties c_i/m close to the connection point if m_flow < 0";
  parameter Boolean 'tank1.use_portsData' = true "= false to neglect pressure loss and kinetic energy" annotation(Evaluate = true);
  parameter Real[1] 'tank1.portsData[:].diameter'(each min = 0, each unit = "m", each quantity = "Length") = {0.1} "Inner (hydraulic) diameter of inlet/outlet port";
  parameter Real[1] 'tank1.portsData[:].height'(each min = 0, each unit = "m", each quantity = "Length") = {0.001} "Height over the bottom of the vessel";
  parameter Real[1] 'tank1.portsData[:].zeta_out'(min = {0 for i in 1:1}) = {0.5} "Hydraulic resistance out of vessel, default 0.5 for small diameter mounted flush with the wall";
  parameter Real[1] 'tank1.portsData[:].zeta_in'(min = {0 for i in 1:1}) = {1.04} "Hydraulic resistance into vessel, default 1.04 for small diameter mounted flush with the wall";
  parameter Real 'tank1.m_flow_nominal'(min = -100000.0, max = 100000.0, unit = "kg/s", quantity = "MassFlowRate.SimpleLiquidWater") = 100.0*'system.m_flow_small' "Nominal value for mass flow rates in ports";
  parameter Real 'tank1.m_flow_small'(min = 0, unit = "kg/s", quantity = "MassFlowRate") = 'system.m_flow_small' "Regularization range at zero mass flow rate";
  parameter Boolean 'tank1.use_Re' = false "= true, if turbulent region is defined by Re, otherwise by m_flow_small" annotation(Evaluate = true);
  Real[1] 'tank1.ports_H_flow'(each min = -100000000.0, each max = 100000000.0, each nominal = 1000.0, each unit = "W", each quantity = "EnthalpyFlowRate");
  Real[1, 0] 'tank1.ports_mXi_flow'(each min = -100000.0, each max = 100000.0, each unit = "kg/s", each quantity = "MassFlowRate.SimpleLiquidWater");
  Real[0] 'tank1.sum_ports_mXi_flow'(each min = -100000.0, each max = 100000.0, each unit = "kg/s", each quantity = "MassFlowRate.SimpleLiquidWater") "Substance mass flows through ports";
  Real[1, 0] 'tank1.ports_mC_flow'(each unit = "kg/s");
  Real[0] 'tank1.sum_ports_mC_flow'(each unit = "kg/s") "Trace substance mass flows through ports";
  parameter Boolean 'tank1.use_HeatTransfer' = false "= true to use the HeatTransfer model" annotation(Evaluate = true);
  parameter Integer 'tank1.heatTransfer.n' = 1 "Number of heat transfer segments" annotation(Evaluate = true);
  Real[1] 'tank1.heatTransfer.states[:].p'(each start = 100000.0, each min = 0, each max = 100000000.0, each nominal = 100000.0, each unit = "Pa", each displayUnit = "bar", each quantity = "Pressure") "Absolute pressure of medium";
  Real[1] 'tank1.heatTransfer.states[:].T'(each start = 288.15, each min = 1, each max = 10000.0, each nominal = 300, each unit = "K", each displayUnit = "degC", each quantity = "ThermodynamicTemperature") "Temperature of medium";
  Real[1] 'tank1.heatTransfer.surfaceAreas'(each unit = "m2", each quantity = "Area") = {'tank1.crossArea' + 2*sqrt('tank1.crossArea'*3.141592653589793)*'tank1.level'} "Heat transfer areas";
  Real[1] 'tank1.heatTransfer.Q_flows'(each unit = "W", each quantity = "Power") "Heat flow rates";
  parameter Boolean 'tank1.heatTransfer.use_k' = false "= true to use k value for thermal isolation" annotation(Evaluate = true);
  parameter Real 'tank1.heatTransfer.k'(unit = "W/(m2.K)", quantity = "CoefficientOfHeatTransfer") = 0 "Heat transfer coefficient to ambient" annotation(Evaluate = true);
  parameter Real 'tank1.heatTransfer.T_ambient'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") = 'system.T_ambient' "Ambient temperature";
  Real[1] 'tank1.heatTransfer.heatPorts[:].T'(each start = 288.15, each min = 0.0, each nominal = 300, each unit = "K", each displayUnit = "degC", each quantity = "ThermodynamicTemperature") "Port temperature";
  Real[1] 'tank1.heatTransfer.heatPorts[:].Q_flow'(each unit = "W", each quantity = "Power") "Heat flow rate (positive if flowing from outside into the component)";
  Real[1] 'tank1.heatTransfer.Ts'(each start = 288.15, each min = 1, each max = 10000.0, each nominal = 300, each unit = "K", each displayUnit = "degC", each quantity = "ThermodynamicTemperature") = {'Modelica.Media.Interfaces.PartialSimpleMedium.temperature'(({'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('tank1.heatTransfer.states[:].p'[j], 'tank1.heatTransfer.states[:].T'[j]) for j in 1:1})[i]) for i in 1:1} "Temperatures defined by fluid states";
  Real[1] 'tank1.portInDensities'(each start = 1, each min = 0, each max = 100000.0, each nominal = 1, each unit = "kg/m3", each displayUnit = "g/cm3", each quantity = "Density") "Densities of the fluid at the device boundary";
  Real[1] 'tank1.portVelocities'(each unit = "m/s", each quantity = "Velocity") "Velocities of fluid flow at device boundary";
  Real[1] 'tank1.ports_E_flow'(each unit = "W", each quantity = "Power") "Flow of kinetic and potential energy at device boundary";
  Real[1] 'tank1.s'(each start = 'tank1.fluidLevel_max') "Curve parameters for port flows vs. port pressures; for further details see, Modelica Tutorial: Ideal switching devices";
  Real[1] 'tank1.ports_penetration' "Penetration of port with fluid, depending on fluid level and port diameter";
  Real[1] 'tank1.portAreas'(each unit = "m2", each quantity = "Area") = {3.141592653589793/4*'tank1.portsData_diameter'[i]^2 for i in 1:'tank1.nPorts'};
  Real[1] 'tank1.vessel_ps_static'(each start = 100000.0, each min = 0, each max = 100000000.0, each nominal = 100000.0, each unit = "Pa", each displayUnit = "bar", each quantity = "Pressure") "Static pressures inside the vessel at the height of the corresponding ports, zero flow velocity";
  constant Real 'tank1.Re_turbulent'(unit = "1", quantity = "ReynoldsNumber") = 100 "cf. suddenExpansion";
  Real[1] 'tank1.m_flow_turbulent'(each unit = "kg/s", each quantity = "MassFlowRate");
protected
  Real 'tank1.fluidLevel'(min = 0, unit = "m", quantity = "Length") = 'tank1.level' "Level of fluid in the vessel for treating heights of ports";
  parameter Real 'tank1.fluidLevel_max'(min = 0, unit = "m", quantity = "Length") = 'tank1.height' "Maximum level of fluid in the vessel";
  parameter Real 'tank1.vesselArea'(unit = "m2", quantity = "Area") = 'tank1.crossArea' "Area of the vessel used to relate to cross flow area of ports";
  Real[1] 'tank1.portsData_diameter_internal' = 'tank1.portsData[:].diameter';
  Real[1] 'tank1.portsData_height_internal' = 'tank1.portsData[:].height';
  Real[1] 'tank1.portsData_zeta_in_internal' = 'tank1.portsData[:].zeta_in';
  Real[1] 'tank1.portsData_zeta_out_internal' = 'tank1.portsData[:].zeta_out';
  Real[1] 'tank1.portsData_diameter';
  Real[1] 'tank1.portsData_height';
  Real[1] 'tank1.portsData_zeta_in';
  Real[1] 'tank1.portsData_zeta_out';
  Boolean[1] 'tank1.regularFlow'(each start = true);
  Boolean[1] 'tank1.inFlow'(each start = false);
  parameter Real 'tank1.level_start_eps'(min = 0, unit = "m", quantity = "Length") = max('tank1.level_start', 2.220446049250313e-16);
public
  parameter Boolean 'pipe.allowFlowReversal' = true "= true to allow flow reversal, false restricts to design direction (port_a -> port_b)" annotation(Evaluate = true);
  Real 'pipe.port_a.m_flow'(min = -1.7976931348623157e308, max = 100000.0, unit = "kg/s", quantity = "MassFlowRate.SimpleLiquidWater") "Mass flow rate from the connection point into the component";
  Real 'pipe.port_a.p'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") "Thermodynamic pressure in the connection point";
  Real 'pipe.port_a.h_outflow'(min = -10000000000.0, max = 10000000000.0, nominal = 1000000.0, unit = "J/kg", quantity = "SpecificEnergy") "Specific thermodynamic enthalpy close to the connection point if m_flow < 0";
  Real[0] 'pipe.port_a.Xi_outflow'(each min = 0, each max = 1, each nominal = 0.1, each unit = "kg/kg", each quantity = "MassFraction") "Independent mixture mass fractions m_i/m close to the connection point if m_flow < 0";
  Real[0] 'pipe.port_a.C_outflow'(each start = 1.0, each min = 0.0) "Properties c_i/m close to the connection point if m_flow < 0";
  Real 'pipe.port_b.m_flow'(min = -100000.0, max = 1.7976931348623157e308, unit = "kg/s", quantity = "MassFlowRate.SimpleLiquidWater") "Mass flow rate from the connection point into the component";
  Real 'pipe.port_b.p'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") "Thermodynamic pressure in the connection point";
  Real 'pipe.port_b.h_outflow'(min = -10000000000.0, max = 10000000000.0, nominal = 1000000.0, unit = "J/kg", quantity = "SpecificEnergy") "Specific thermodynamic enthalpy close to the connection point if m_flow < 0";
  Real[0] 'pipe.port_b.Xi_outflow'(each min = 0, each max = 1, each nominal = 0.1, each unit = "kg/kg", each quantity = "MassFraction") "Independent mixture mass fractions m_i/m close to the connection point if m_flow < 0";
  Real[0] 'pipe.port_b.C_outflow'(each start = 1.0, each min = 0.0) "Properties c_i/m close to the connection point if m_flow < 0";
protected
  parameter Boolean 'pipe.port_a_exposesState' = false "= true if port_a exposes the state of a fluid volume";
  parameter Boolean 'pipe.port_b_exposesState' = false "= true if port_b.p exposes the state of a fluid volume";
  parameter Boolean 'pipe.showDesignFlowDirection' = true "= false to hide the arrow in the model icon";
public
  parameter Real 'pipe.nParallel'(min = 1) = 1 "Number of identical parallel pipes";
  parameter Real 'pipe.length'(unit = "m", quantity = "Length") = 1 "Length";
  parameter Boolean 'pipe.isCircular' = true "= true, if cross sectional area is circular" annotation(Evaluate = true);
  parameter Real 'pipe.diameter'(min = 0, unit = "m", quantity = "Length") = 0.1 "Diameter of circular pipe";
  parameter Real 'pipe.crossArea'(unit = "m2", quantity = "Area") = 3.141592653589793*'pipe.diameter'*'pipe.diameter'/4 "Inner cross section area";
  parameter Real 'pipe.perimeter'(min = 0, unit = "m", quantity = "Length") = 3.141592653589793*'pipe.diameter' "Inner perimeter";
  parameter Real 'pipe.roughness'(min = 0, unit = "m", displayUnit = "mm", quantity = "Length") = 2.5e-5 "Average height of surface asperities (default: smooth steel pipe)";
  parameter Real 'pipe.V'(unit = "m3", quantity = "Volume") = 'pipe.crossArea'*'pipe.length'*'pipe.nParallel' "Volume size";
  parameter Real 'pipe.height_ab'(unit = "m", quantity = "Length") = -1 "Height(port_b) - Height(port_a)";
  parameter Real 'pipe.p_a_start'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") = 'system.p_start' "Start value of pressure at port a";
  parameter Real 'pipe.p_b_start'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") = 'pipe.p_a_start' "Start value of pressure at port b";
  parameter Real 'pipe.m_flow_start'(min = -100000.0, max = 100000.0, unit = "kg/s", quantity = "MassFlowRate.SimpleLiquidWater") = 0.0 "Start value for mass flow rate" annotation(Evaluate = true);
  parameter Boolean 'pipe.flowModel.from_dp' = true "= true, use m_flow = f(dp), otherwise dp = f(m_flow)" annotation(Evaluate = true);
  parameter Integer 'pipe.flowModel.n' = 2 "Number of discrete flow volumes" annotation(Evaluate = true);
  Real[2] 'pipe.flowModel.states[:].p'(each start = 100000.0, each min = 0, each max = 100000000.0, each nominal = 100000.0, each unit = "Pa", each displayUnit = "bar", each quantity = "Pressure") "Absolute pressure of medium";
  Real[2] 'pipe.flowModel.states[:].T'(each start = 288.15, each min = 1, each max = 10000.0, each nominal = 300, each unit = "K", each displayUnit = "degC", each quantity = "ThermodynamicTemperature") "Temperature of medium";
  Real[2] 'pipe.flowModel.vs'(each unit = "m/s", each quantity = "Velocity") = {'pipe.port_a.m_flow'/'Modelica.Media.Interfaces.PartialSimpleMedium.density'('Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('pipe.flowModel.states[:].p'[1], 'pipe.flowModel.states[:].T'[1]))/'pipe.flowModel.crossAreas'[1], -'pipe.port_b.m_flow'/'Modelica.Media.Interfaces.PartialSimpleMedium.density'('Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('pipe.flowModel.states[:].p'[2], 'pipe.flowModel.states[:].T'[2]))/'pipe.flowModel.crossAreas'[2]}/'pipe.nParallel' "Mean velocities of fluid flow";
  parameter Real 'pipe.flowModel.nParallel' = 'pipe.nParallel' "Number of identical parallel flow devices";
  Real[2] 'pipe.flowModel.crossAreas'(each unit = "m2", each quantity = "Area") = {'pipe.crossArea', 'pipe.crossArea'} "Cross flow areas at segment boundaries";
  Real[2] 'pipe.flowModel.dimensions'(each unit = "m", each quantity = "Length") = {4*'pipe.crossArea'/'pipe.perimeter', 4*'pipe.crossArea'/'pipe.perimeter'} "Characteristic dimensions for fluid flow (diameters for pipe flow)";
  Real[2] 'pipe.flowModel.roughnesses'(each min = 0, each unit = "m", each displayUnit = "mm", each quantity = "Length") = {'pipe.roughness', 'pipe.roughness'} "Average height of surface asperities";
  Real[1] 'pipe.flowModel.dheights'(each unit = "m", each quantity = "Length") = {'pipe.height_ab'} "Height(states[2:n]) - Height(states[1:n-1])";
  parameter Real 'pipe.flowModel.g'(unit = "m/s2", quantity = "Acceleration") = 'system.g' "Constant gravity acceleration";
  parameter Boolean 'pipe.flowModel.allowFlowReversal' = true "= true, if flow reversal is enabled, otherwise restrict flow to design direction (states[1] -> states[n+1])" annotation(Evaluate = true);
  parameter 'Modelica.Fluid.Types.Dynamics' 'pipe.flowModel.momentumDynamics' = 'Modelica.Fluid.Types.Dynamics'.SteadyState "Formulation of momentum balance" annotation(Evaluate = true);
  parameter Real 'pipe.flowModel.m_flow_start'(min = -100000.0, max = 100000.0, unit = "kg/s", quantity = "MassFlowRate.SimpleLiquidWater") = 0.0 "Start value of mass flow rates" annotation(Evaluate = true);
  parameter Real 'pipe.flowModel.p_a_start'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") = 'pipe.p_a_start' "Start value for p[1] at design inflow";
  parameter Real 'pipe.flowModel.p_b_start'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") = 'pipe.p_b_start' "Start value for p[n+1] at design outflow";
  parameter Integer 'pipe.flowModel.m' = 1 "Number of flow segments" annotation(Evaluate = true);
  Real[1] 'pipe.flowModel.pathLengths'(each unit = "m", each quantity = "Length") = {'pipe.length'} "Lengths along flow path";
  Real[1] 'pipe.flowModel.m_flows'(each start = 'pipe.flowModel.m_flow_start', each min = -1.7976931348623157e308, each max = 100000.0, each unit = "kg/s", each quantity = "MassFlowRate.SimpleLiquidWater", each stateSelect = StateSelect.default) "Mass flow rates between states";
  Real[1] 'pipe.flowModel.Is'(each unit = "kg.m/s", each quantity = "Momentum") "Momenta of flow segments";
  Real[1] 'pipe.flowModel.Ib_flows'(each unit = "N", each quantity = "Force") "Flow of momentum across boundaries";
  Real[1] 'pipe.flowModel.Fs_p'(each unit = "N", each quantity = "Force") "Pressure forces";
  Real[1] 'pipe.flowModel.Fs_fg'(each unit = "N", each quantity = "Force") "Friction and gravity forces";
  parameter Boolean 'pipe.flowModel.useUpstreamScheme' = true "= false to average upstream and downstream properties across flow segments" annotation(Evaluate = true);
  parameter Boolean 'pipe.flowModel.use_Ib_flows' = false "= true to consider differences in flow of momentum through boundaries" annotation(Evaluate = true);
  Real[2] 'pipe.flowModel.rhos'(each start = 1, each min = 0, each max = 100000.0, each nominal = 1, each unit = "kg/m3", each displayUnit = "g/cm3", each quantity = "Density") = {'Modelica.Media.Interfaces.PartialSimpleMedium.density'(({'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('pipe.flowModel.states[:].p'[j], 'pipe.flowModel.states[:].T'[j]) for j in 1:2})[i]) for i in 1:2};
  Real[1] 'pipe.flowModel.rhos_act'(each start = 1, each min = 0, each max = 100000.0, each nominal = 1, each unit = "kg/m3", each displayUnit = "g/cm3", each quantity = "Density") "Actual density per segment";
  Real[2] 'pipe.flowModel.mus'(each start = 0.001, each min = 0, each max = 100000000.0, each nominal = 0.001, each unit = "Pa.s", each quantity = "DynamicViscosity") = {'Modelica.Media.Interfaces.PartialSimpleMedium.dynamicViscosity'(({'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('pipe.flowModel.states[:].p'[j], 'pipe.flowModel.states[:].T'[j]) for j in 1:2})[i]) for i in 1:2};
  Real[1] 'pipe.flowModel.mus_act'(each start = 0.001, each min = 0, each max = 100000000.0, each nominal = 0.001, each unit = "Pa.s", each quantity = "DynamicViscosity") "Actual viscosity per segment";
  Real[1] 'pipe.flowModel.dps_fg'(each start = ('pipe.flowModel.p_a_start' - 'pipe.flowModel.p_b_start')/('pipe.flowModel.n' - 1), each unit = "Pa", each displayUnit = "bar", each quantity = "Pressure") "Pressure drop between states";
  parameter Real 'pipe.flowModel.Re_turbulent'(unit = "1", quantity = "ReynoldsNumber") = 4000 "Start of turbulent regime, depending on type of flow device" annotation(Evaluate = true);
  parameter Boolean 'pipe.flowModel.show_Res' = false "= true, if Reynolds numbers are included for plotting" annotation(Evaluate = true);
protected
  parameter Boolean 'pipe.flowModel.use_rho_nominal' = false "= true, if rho_nominal is used, otherwise computed from medium" annotation(Evaluate = true);
  parameter Real 'pipe.flowModel.rho_nominal'(min = 0.0, unit = "kg/m3", displayUnit = "g/cm3", quantity = "Density") = 'Modelica.Media.Interfaces.PartialMedium.density_pTX'(101325.0, 293.15, {1.0}) "Nominal density (e.g., rho_liquidWater = 995, rho_air = 1.2)";
  parameter Boolean 'pipe.flowModel.use_mu_nominal' = false "= true, if mu_nominal is used, otherwise computed from medium" annotation(Evaluate = true);
  parameter Real 'pipe.flowModel.mu_nominal'(min = 0, unit = "Pa.s", quantity = "DynamicViscosity") = 'Modelica.Media.Interfaces.PartialSimpleMedium.dynamicViscosity'('Modelica.Media.Interfaces.PartialSimpleMedium.setState_pTX'(101325.0, 293.15, {1.0})) "Nominal dynamic viscosity (e.g., mu_liquidWater = 1e-3, mu_air = 1.8e-5)";
public
  Real[1] 'pipe.flowModel.pathLengths_internal'(each unit = "m", each quantity = "Length") = 'pipe.flowModel.pathLengths' "pathLengths used internally; to be defined by extending class";
  Real[1] 'pipe.flowModel.Res_turbulent_internal'(each unit = "1", each quantity = "ReynoldsNumber") = 'pipe.flowModel.Re_turbulent'*ones('pipe.flowModel.n' - 1) "Re_turbulent used internally; to be defined by extending class";
  parameter Real 'pipe.flowModel.dp_nominal'(start = 1, fixed = false, min = 0.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") "Nominal pressure loss (only for nominal models)";
  parameter Real 'pipe.flowModel.m_flow_nominal'(unit = "kg/s", quantity = "MassFlowRate") = 100.0*'pipe.flowModel.m_flow_small' "Nominal mass flow rate";
  parameter Real 'pipe.flowModel.m_flow_small'(unit = "kg/s", quantity = "MassFlowRate") = 'system.m_flow_small' "Within regularization if |m_flows| < m_flow_small (may be wider for large discontinuities in static head)";
protected
  parameter Real 'pipe.flowModel.dp_small'(start = 1, fixed = false, min = 0.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") "Within regularization if |dp| < dp_small (may be wider for large discontinuities in static head)";
  parameter Boolean 'pipe.flowModel.constantPressureLossCoefficient' = false "= true, if the pressure loss does not depend on fluid states" annotation(Evaluate = true);
  parameter Boolean 'pipe.flowModel.continuousFlowReversal' = false "= true, if the pressure loss is continuous around zero flow" annotation(Evaluate = true);
  Real[1] 'pipe.flowModel.diameters'(each unit = "m", each quantity = "Length") = 0.5*('pipe.flowModel.dimensions'[1:'pipe.flowModel.n' - 1] + 'pipe.flowModel.dimensions'[2:'pipe.flowModel.n']) "Mean diameters between segments";
  Real 'pipe.flowModel.dp_fric_nominal'(min = 0.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") = sum({'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.pressureLoss_m_flow'('pipe.flowModel.m_flow_nominal'/'pipe.flowModel.nParallel', 'pipe.flowModel.rho_nominal', 'pipe.flowModel.rho_nominal', 'pipe.flowModel.mu_nominal', 'pipe.flowModel.mu_nominal', 'pipe.flowModel.pathLengths_internal'[i], 'pipe.flowModel.diameters'[i], (('pipe.flowModel.crossAreas'[1:'pipe.flowModel.n' - 1] + 'pipe.flowModel.crossAreas'[2:'pipe.flowModel.n'])/2)[i], (('pipe.flowModel.roughnesses'[1:'pipe.flowModel.n' - 1] + 'pipe.flowModel.roughnesses'[2:'pipe.flowModel.n'])/2)[i], 'pipe.flowModel.m_flow_small'/'pipe.flowModel.nParallel', 'pipe.flowModel.Res_turbulent_internal'[i]) for i in 1:1}) "Pressure loss for nominal conditions";
public
  Real 'tank2.level'(start = 'tank2.level_start_eps', min = 0, unit = "m", quantity = "Length", stateSelect = StateSelect.prefer) "Level height of tank";
  Real 'tank2.V'(unit = "m3", quantity = "Volume", stateSelect = StateSelect.never) "Actual tank volume";
  parameter Real 'tank2.height'(min = 0, unit = "m", quantity = "Length") = 1.1 "Height of tank";
  parameter Real 'tank2.crossArea'(unit = "m2", quantity = "Area") = 1 "Area of tank";
  parameter Real 'tank2.p_ambient'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") = 'system.p_ambient' "Tank surface pressure";
  parameter Real 'tank2.T_ambient'(start = 288.15, min = 1, max = 10000.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") = 'system.T_ambient' "Tank surface Temperature";
  parameter Real 'tank2.level_start'(min = 0, unit = "m", quantity = "Length") = 0.001 "Start value of tank level";
  Real 'tank2.fluidVolume'(unit = "m3", quantity = "Volume") = 'tank2.V' "Volume";
  parameter 'Modelica.Fluid.Types.Dynamics' 'tank2.energyDynamics' = 'Modelica.Fluid.Types.Dynamics'.FixedInitial "Formulation of energy balance" annotation(Evaluate = true);
  parameter 'Modelica.Fluid.Types.Dynamics' 'tank2.massDynamics' = 'Modelica.Fluid.Types.Dynamics'.FixedInitial "Formulation of mass balance" annotation(Evaluate = true);
  parameter 'Modelica.Fluid.Types.Dynamics' 'tank2.substanceDynamics' = 'Modelica.Fluid.Types.Dynamics'.FixedInitial "Formulation of substance balance" annotation(Evaluate = true);
  parameter 'Modelica.Fluid.Types.Dynamics' 'tank2.traceDynamics' = 'Modelica.Fluid.Types.Dynamics'.FixedInitial "Formulation of trace substance balance" annotation(Evaluate = true);
  parameter Real 'tank2.p_start'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") = 'tank2.p_ambient' "Start value of pressure";
  parameter Boolean 'tank2.use_T_start' = true "= true, use T_start, otherwise h_start" annotation(Evaluate = true);
  parameter Real 'tank2.T_start'(start = 288.15, min = 1, max = 10000.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") = 'system.T_start' "Start value of temperature";
  parameter Real 'tank2.h_start'(min = -10000000000.0, max = 10000000000.0, nominal = 1000000.0, unit = "J/kg", quantity = "SpecificEnergy") = 'Modelica.Media.Interfaces.PartialSimpleMedium.specificEnthalpy_pTX'('tank2.p_start', 'tank2.T_start', 'tank2.X_start') "Start value of specific enthalpy";
  parameter Real[1] 'tank2.X_start'(each min = 0, each max = 1, each nominal = 0.1, each unit = "kg/kg", each quantity = "MassFraction") = {1.0} "Start value of mass fractions m_i/m";
  parameter Real[0] 'tank2.C_start'(each start = 1.0, each min = 0.0) = fill(0.0, 0) "Start value of trace substances";
  Real 'tank2.medium.p'(start = 'tank2.p_start', min = 0.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure", stateSelect = StateSelect.prefer) "Absolute pressure of medium";
  Real[0] 'tank2.medium.Xi'(start = 'tank2.X_start'[1:0], each min = 0, each max = 1, each unit = "1", each quantity = "MassFraction") "Structurally independent mass fractions";
  Real 'tank2.medium.h'(start = 'tank2.h_start', unit = "J/kg", quantity = "SpecificEnergy") "Specific enthalpy of medium";
  Real 'tank2.medium.d'(start = 1, min = 0, max = 100000.0, nominal = 1, unit = "kg/m3", displayUnit = "g/cm3", quantity = "Density") "Density of medium";
  Real 'tank2.medium.T'(start = 'tank2.T_start', min = 1, max = 10000.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature", stateSelect = StateSelect.prefer) "Temperature of medium";
  Real[1] 'tank2.medium.X'(start = {1.0}, each min = 0, each max = 1, each nominal = 0.1, each unit = "kg/kg", each quantity = "MassFraction") "Mass fractions (= (component mass)/total mass  m_i/m)";
  Real 'tank2.medium.u'(min = -100000000.0, max = 100000000.0, nominal = 1000000.0, unit = "J/kg", quantity = "SpecificEnergy") "Specific internal energy of medium";
  Real 'tank2.medium.R_s'(start = 1000.0, min = 0, max = 10000000.0, nominal = 1000.0, unit = "J/(kg.K)", quantity = "SpecificHeatCapacity") "Gas constant (of mixture if applicable)";
  Real 'tank2.medium.MM'(min = 0.001, max = 0.25, nominal = 0.032, unit = "kg/mol", quantity = "MolarMass") "Molar mass (of mixture or single fluid)";
  Real 'tank2.medium.state.p'(start = 100000.0, min = 0, max = 100000000.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") "Absolute pressure of medium";
  Real 'tank2.medium.state.T'(start = 288.15, min = 1, max = 10000.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "Temperature of medium";
  parameter Boolean 'tank2.medium.preferredMediumStates' = true "= true, if StateSelect.prefer shall be used for the independent property variables of the medium" annotation(Evaluate = true);
  parameter Boolean 'tank2.medium.standardOrderComponents' = true "If true, and reducedX = true, the last element of X will be computed from the other ones" annotation(Evaluate = true);
  Real 'tank2.medium.T_degC'(unit = "degC", quantity = "ThermodynamicTemperature") = 'Modelica.Units.Conversions.to_degC'('tank2.medium.T') "Temperature of medium in [degC]";
  Real 'tank2.medium.p_bar'(unit = "bar", quantity = "Pressure") = 'Modelica.Units.Conversions.to_bar'('tank2.medium.p') "Absolute pressure of medium in [bar]";
  Real 'tank2.U'(unit = "J", quantity = "Energy") "Internal energy of fluid";
  Real 'tank2.m'(min = 0, unit = "kg", quantity = "Mass") "Mass of fluid";
  Real[0] 'tank2.mXi'(each min = 0, each unit = "kg", each quantity = "Mass") "Masses of independent components in the fluid";
  Real[0] 'tank2.mC'(each min = 0, each unit = "kg", each quantity = "Mass") "Masses of trace substances in the fluid";
  Real[0] 'tank2.C'(each start = 1.0, each min = 0.0) "Trace substance mixture content";
  Real 'tank2.mb_flow'(unit = "kg/s", quantity = "MassFlowRate") "Mass flows across boundaries";
  Real[0] 'tank2.mbXi_flow'(each unit = "kg/s", each quantity = "MassFlowRate") "Substance mass flows across boundaries";
  Real[0] 'tank2.mbC_flow'(each unit = "kg/s") "Trace substance mass flows across boundaries";
  Real 'tank2.Hb_flow'(unit = "W", quantity = "EnthalpyFlowRate") "Enthalpy flow across boundaries or energy source/sink";
  Real 'tank2.Qb_flow'(unit = "W", quantity = "Power") "Heat flow across boundaries or energy source/sink";
  Real 'tank2.Wb_flow'(unit = "W", quantity = "Power") "Work flow across boundaries or source term";
protected
  parameter Boolean 'tank2.initialize_p' = false "= true to set up initial equations for pressure" annotation(Evaluate = true);
  Real[0] 'tank2.mC_scaled'(min = fill(2.220446049250313e-16, 0)) "Scaled masses of trace substances in the fluid";
public
  parameter Integer 'tank2.nPorts' = 1 "Number of ports" annotation(Evaluate = true);
  Real[1] 'tank2.ports[:].m_flow'(each min = -100000.0, each max = 100000.0, each unit = "kg/s", each quantity = "MassFlowRate.SimpleLiquidWater") "Mass flow rate from the connection point into the component";
  Real[1] 'tank2.ports[:].p'(each start = 100000.0, each min = 0, each max = 100000000.0, each nominal = 100000.0, each unit = "Pa", each displayUnit = "bar", each quantity = "Pressure") "Thermodynamic pressure in the connection point";
  Real[1] 'tank2.ports[:].h_outflow'(each min = -10000000000.0, each max = 10000000000.0, each nominal = 1000000.0, each unit = "J/kg", each quantity = "SpecificEnergy") "Specific thermodynamic enthalpy close to the connection point if m_flow < 0";
  Real[1, 0] 'tank2.ports[:].Xi_outflow'(each min = 0, each max = 1, each nominal = 0.1, each unit = "kg/kg", each quantity = "MassFraction") "Independent mixture mass fractions m_i/m close to the connection point if m_flow < 0";
  Real[1, 0] 'tank2.ports[:].C_outflow'(each start = 1.0, each min = 0.0) "Properties c_i/m close to the connection point if m_flow < 0";
  parameter Boolean 'tank2.use_portsData' = true "= false to neglect pressure loss and kinetic energy" annotation(Evaluate = true);
  parameter Real[1] 'tank2.portsData[:].diameter'(each min = 0, each unit = "m", each quantity = "Length") = {0.1} "Inner (hydraulic) diameter of inlet/outlet port";
  parameter Real[1] 'tank2.portsData[:].height'(each min = 0, each unit = "m", each quantity = "Length") = {0.5} "Height over the bottom of the vessel";
  parameter Real[1] 'tank2.portsData[:].zeta_out'(min = {0 for i in 1:1}) = {0.5} "Hydraulic resistance out of vessel, default 0.5 for small diameter mounted flush with the wall";
  parameter Real[1] 'tank2.portsData[:].zeta_in'(min = {0 for i in 1:1}) = {1.04} "Hydraulic resistance into vessel, default 1.04 for small diameter mounted flush with the wall";
  parameter Real 'tank2.m_flow_nominal'(min = -100000.0, max = 100000.0, unit = "kg/s", quantity = "MassFlowRate.SimpleLiquidWater") = 100.0*'system.m_flow_small' "Nominal value for mass flow rates in ports";
  parameter Real 'tank2.m_flow_small'(min = 0, unit = "kg/s", quantity = "MassFlowRate") = 'system.m_flow_small' "Regularization range at zero mass flow rate";
  parameter Boolean 'tank2.use_Re' = false "= true, if turbulent region is defined by Re, otherwise by m_flow_small" annotation(Evaluate = true);
  Real[1] 'tank2.ports_H_flow'(each min = -100000000.0, each max = 100000000.0, each nominal = 1000.0, each unit = "W", each quantity = "EnthalpyFlowRate");
  Real[1, 0] 'tank2.ports_mXi_flow'(each min = -100000.0, each max = 100000.0, each unit = "kg/s", each quantity = "MassFlowRate.SimpleLiquidWater");
  Real[0] 'tank2.sum_ports_mXi_flow'(each min = -100000.0, each max = 100000.0, each unit = "kg/s", each quantity = "MassFlowRate.SimpleLiquidWater") "Substance mass flows through ports";
  Real[1, 0] 'tank2.ports_mC_flow'(each unit = "kg/s");
  Real[0] 'tank2.sum_ports_mC_flow'(each unit = "kg/s") "Trace substance mass flows through ports";
  parameter Boolean 'tank2.use_HeatTransfer' = false "= true to use the HeatTransfer model" annotation(Evaluate = true);
  parameter Integer 'tank2.heatTransfer.n' = 1 "Number of heat transfer segments" annotation(Evaluate = true);
  Real[1] 'tank2.heatTransfer.states[:].p'(each start = 100000.0, each min = 0, each max = 100000000.0, each nominal = 100000.0, each unit = "Pa", each displayUnit = "bar", each quantity = "Pressure") "Absolute pressure of medium";
  Real[1] 'tank2.heatTransfer.states[:].T'(each start = 288.15, each min = 1, each max = 10000.0, each nominal = 300, each unit = "K", each displayUnit = "degC", each quantity = "ThermodynamicTemperature") "Temperature of medium";
  Real[1] 'tank2.heatTransfer.surfaceAreas'(each unit = "m2", each quantity = "Area") = {'tank2.crossArea' + 2*sqrt('tank2.crossArea'*3.141592653589793)*'tank2.level'} "Heat transfer areas";
  Real[1] 'tank2.heatTransfer.Q_flows'(each unit = "W", each quantity = "Power") "Heat flow rates";
  parameter Boolean 'tank2.heatTransfer.use_k' = false "= true to use k value for thermal isolation" annotation(Evaluate = true);
  parameter Real 'tank2.heatTransfer.k'(unit = "W/(m2.K)", quantity = "CoefficientOfHeatTransfer") = 0 "Heat transfer coefficient to ambient" annotation(Evaluate = true);
  parameter Real 'tank2.heatTransfer.T_ambient'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") = 'system.T_ambient' "Ambient temperature";
  Real[1] 'tank2.heatTransfer.heatPorts[:].T'(each start = 288.15, each min = 0.0, each nominal = 300, each unit = "K", each displayUnit = "degC", each quantity = "ThermodynamicTemperature") "Port temperature";
  Real[1] 'tank2.heatTransfer.heatPorts[:].Q_flow'(each unit = "W", each quantity = "Power") "Heat flow rate (positive if flowing from outside into the component)";
  Real[1] 'tank2.heatTransfer.Ts'(each start = 288.15, each min = 1, each max = 10000.0, each nominal = 300, each unit = "K", each displayUnit = "degC", each quantity = "ThermodynamicTemperature") = {'Modelica.Media.Interfaces.PartialSimpleMedium.temperature'(({'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('tank2.heatTransfer.states[:].p'[j], 'tank2.heatTransfer.states[:].T'[j]) for j in 1:1})[i]) for i in 1:1} "Temperatures defined by fluid states";
  Real[1] 'tank2.portInDensities'(each start = 1, each min = 0, each max = 100000.0, each nominal = 1, each unit = "kg/m3", each displayUnit = "g/cm3", each quantity = "Density") "Densities of the fluid at the device boundary";
  Real[1] 'tank2.portVelocities'(each unit = "m/s", each quantity = "Velocity") "Velocities of fluid flow at device boundary";
  Real[1] 'tank2.ports_E_flow'(each unit = "W", each quantity = "Power") "Flow of kinetic and potential energy at device boundary";
  Real[1] 'tank2.s'(each start = 'tank2.fluidLevel_max') "Curve parameters for port flows vs. port pressures; for further details see, Modelica Tutorial: Ideal switching devices";
  Real[1] 'tank2.ports_penetration' "Penetration of port with fluid, depending on fluid level and port diameter";
  Real[1] 'tank2.portAreas'(each unit = "m2", each quantity = "Area") = {3.141592653589793/4*'tank2.portsData_diameter'[i]^2 for i in 1:'tank2.nPorts'};
  Real[1] 'tank2.vessel_ps_static'(each start = 100000.0, each min = 0, each max = 100000000.0, each nominal = 100000.0, each unit = "Pa", each displayUnit = "bar", each quantity = "Pressure") "Static pressures inside the vessel at the height of the corresponding ports, zero flow velocity";
  constant Real 'tank2.Re_turbulent'(unit = "1", quantity = "ReynoldsNumber") = 100 "cf. suddenExpansion";
  Real[1] 'tank2.m_flow_turbulent'(each unit = "kg/s", each quantity = "MassFlowRate");
protected
  Real 'tank2.fluidLevel'(min = 0, unit = "m", quantity = "Length") = 'tank2.level' "Level of fluid in the vessel for treating heights of ports";
  parameter Real 'tank2.fluidLevel_max'(min = 0, unit = "m", quantity = "Length") = 'tank2.height' "Maximum level of fluid in the vessel";
  parameter Real 'tank2.vesselArea'(unit = "m2", quantity = "Area") = 'tank2.crossArea' "Area of the vessel used to relate to cross flow area of ports";
  Real[1] 'tank2.portsData_diameter_internal' = 'tank2.portsData[:].diameter';
  Real[1] 'tank2.portsData_height_internal' = 'tank2.portsData[:].height';
  Real[1] 'tank2.portsData_zeta_in_internal' = 'tank2.portsData[:].zeta_in';
  Real[1] 'tank2.portsData_zeta_out_internal' = 'tank2.portsData[:].zeta_out';
  Real[1] 'tank2.portsData_diameter';
  Real[1] 'tank2.portsData_height';
  Real[1] 'tank2.portsData_zeta_in';
  Real[1] 'tank2.portsData_zeta_out';
  Boolean[1] 'tank2.regularFlow'(each start = true);
  Boolean[1] 'tank2.inFlow'(each start = false);
  parameter Real 'tank2.level_start_eps'(min = 0, unit = "m", quantity = "Length") = max('tank2.level_start', 2.220446049250313e-16);
public
  parameter Real 'system.p_ambient'(min = 0.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") = 101325 "Default ambient pressure";
  parameter Real 'system.T_ambient'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") = 293.15 "Default ambient temperature";
  parameter Real 'system.g'(unit = "m/s2", quantity = "Acceleration") = 9.80665 "Constant gravity acceleration";
  parameter Boolean 'system.allowFlowReversal' = true "= false to restrict to design flow direction (port_a -> port_b)" annotation(Evaluate = true);
  parameter 'Modelica.Fluid.Types.Dynamics' 'system.energyDynamics' = 'Modelica.Fluid.Types.Dynamics'.FixedInitial "Default formulation of energy balances" annotation(Evaluate = true);
  parameter 'Modelica.Fluid.Types.Dynamics' 'system.massDynamics' = 'Modelica.Fluid.Types.Dynamics'.FixedInitial "Default formulation of mass balances" annotation(Evaluate = true);
  parameter 'Modelica.Fluid.Types.Dynamics' 'system.substanceDynamics' = 'Modelica.Fluid.Types.Dynamics'.FixedInitial "Default formulation of substance balances" annotation(Evaluate = true);
  parameter 'Modelica.Fluid.Types.Dynamics' 'system.traceDynamics' = 'Modelica.Fluid.Types.Dynamics'.FixedInitial "Default formulation of trace substance balances" annotation(Evaluate = true);
  parameter 'Modelica.Fluid.Types.Dynamics' 'system.momentumDynamics' = 'Modelica.Fluid.Types.Dynamics'.SteadyState "Default formulation of momentum balances, if options available" annotation(Evaluate = true);
  parameter Real 'system.m_flow_start'(unit = "kg/s", quantity = "MassFlowRate") = 0 "Default start value for mass flow rates" annotation(Evaluate = true);
  parameter Real 'system.p_start'(min = 0.0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") = 'system.p_ambient' "Default start value for pressures";
  parameter Real 'system.T_start'(start = 288.15, min = 0.0, nominal = 300, unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") = 'system.T_ambient' "Default start value for temperatures";
  parameter Boolean 'system.use_eps_Re' = false "= true to determine turbulent region automatically using Reynolds number" annotation(Evaluate = true);
  parameter Real 'system.m_flow_nominal'(unit = "kg/s", quantity = "MassFlowRate") = 100.0*'system.m_flow_small' "Default nominal mass flow rate";
  parameter Real 'system.eps_m_flow'(min = 0) = 0.0001 "Regularization of zero flow for |m_flow| < eps_m_flow*m_flow_nominal";
  parameter Real 'system.dp_small'(min = 0, nominal = 100000.0, unit = "Pa", displayUnit = "bar", quantity = "Pressure") = 1 "Default small pressure drop for regularization of laminar and zero flow";
  parameter Real 'system.m_flow_small'(min = 0, unit = "kg/s", quantity = "MassFlowRate") = 0.01 "Default small mass flow rate for regularization of laminar and zero flow";
initial equation
  'tank1.medium.T' = 'tank1.T_start';
  'tank1.medium.Xi' = 'tank1.X_start'[1:0];
  'tank1.mC_scaled' = 'tank1.m'*'tank1.C_start'[1:0]./fill(0.0, 0);
  'tank1.level' = 'tank1.level_start_eps';
  'pipe.flowModel.dp_small' = 'system.dp_small';
  'pipe.flowModel.dp_nominal' = 1000.0*'pipe.flowModel.dp_small';
  'tank2.medium.T' = 'tank2.T_start';
  'tank2.medium.Xi' = 'tank2.X_start'[1:0];
  'tank2.mC_scaled' = 'tank2.m'*'tank2.C_start'[1:0]./fill(0.0, 0);
  'tank2.level' = 'tank2.level_start_eps';
equation
  'tank1.medium.Xi' = 'tank1.medium.X'[1:0];
  'tank1.medium.X' = {1.0};
  for i in 1:1 loop
    assert('tank1.medium.X'[i] >= -1e-5 and 'tank1.medium.X'[i] <= 1 + 1e-5, "Mass fraction X[" + String(i) + "] = " + String('tank1.medium.X'[i]) + "of substance " + "SimpleLiquidWater" + "
of medium " + "SimpleLiquidWater" + " is not in the range 0..1");
  end for;
  assert('tank1.medium.p' >= 0.0, "Pressure (= " + String('tank1.medium.p') + " Pa) of medium \"" + "SimpleLiquidWater" + "\" is negative
(Temperature = " + String('tank1.medium.T') + " K)");
  assert('tank1.medium.T' >= 272.15 and 'tank1.medium.T' <= 403.15, "
Temperature T (= " + String('tank1.medium.T') + " K) is not
in the allowed range (" + String(272.15) + " K <= T <= " + String(403.15) + " K)
required from medium model \"" + "SimpleLiquidWater" + "\".
");
  'tank1.medium.h' = 'Modelica.Media.Interfaces.PartialSimpleMedium.specificEnthalpy_pTX'('tank1.medium.p', 'tank1.medium.T', 'tank1.medium.X');
  'tank1.medium.u' = 4184.0*('tank1.medium.T' - 273.15);
  'tank1.medium.d' = 995.586;
  'tank1.medium.R_s' = 0;
  'tank1.medium.MM' = 0.018015268;
  'tank1.medium.state.T' = 'tank1.medium.T';
  'tank1.medium.state.p' = 'tank1.medium.p';
  {'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('tank1.heatTransfer.states[:].p'[i], 'tank1.heatTransfer.states[:].T'[i]) for i in 1:1} = {'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('tank1.medium.state.p', 'tank1.medium.state.T')};
  'tank1.heatTransfer.Q_flows' = 'tank1.heatTransfer.heatPorts[:].Q_flow';
  'tank1.heatTransfer.Ts' = 'tank1.heatTransfer.heatPorts[:].T';
  assert(not ('tank1.energyDynamics' <> 'Modelica.Fluid.Types.Dynamics'.SteadyState and 'tank1.massDynamics' == 'Modelica.Fluid.Types.Dynamics'.SteadyState) or true, "Bad combination of dynamics options and Medium not conserving mass if fluidVolume is fixed.");
  'tank1.m' = 'tank1.fluidVolume'*'tank1.medium.d';
  'tank1.mXi' = 'tank1.m'*'tank1.medium.Xi';
  'tank1.U' = 'tank1.m'*'tank1.medium.u';
  'tank1.mC' = 'tank1.m'*'tank1.C';
  der('tank1.U') = 'tank1.Hb_flow' + 'tank1.Qb_flow' + 'tank1.Wb_flow';
  der('tank1.m') = 'tank1.mb_flow';
  der('tank1.mXi') = 'tank1.mbXi_flow';
  der('tank1.mC_scaled') = 'tank1.mbC_flow'./fill(0.0, 0);
  'tank1.mC' = 'tank1.mC_scaled'.*fill(0.0, 0);
  'tank1.mb_flow' = sum('tank1.ports[:].m_flow');
  'tank1.mbXi_flow' = 'tank1.sum_ports_mXi_flow';
  'tank1.mbC_flow' = 'tank1.sum_ports_mC_flow';
  'tank1.Hb_flow' = sum('tank1.ports_H_flow') + sum('tank1.ports_E_flow');
  'tank1.Qb_flow' = 'tank1.heatTransfer.Q_flows'[1];
  for i in 1:'tank1.nPorts' loop
    assert(({1})[i] <= 1, "
each ports[i] of volume can at most be connected to one component.
If two or more connections are present, ideal mixing takes
place with these connections, which is usually not the intention
of the modeller. Increase nPorts to add an additional port.
");
  end for;
  assert('tank1.fluidLevel' <= 'tank1.fluidLevel_max', "Vessel is overflowing (fluidLevel > fluidLevel_max = " + String('tank1.fluidLevel') + ")");
  for i in 1:'tank1.nPorts' loop
    'tank1.portInDensities'[i] = 'Modelica.Media.Interfaces.PartialSimpleMedium.density'('Modelica.Media.Interfaces.PartialSimpleMedium.setState_phX'('tank1.vessel_ps_static'[i], ({'pipe.port_a.h_outflow'})[i], ({fill(0.0, 0)})[i, :]));
    'tank1.portVelocities'[i] = smooth(0, 'tank1.ports[:].m_flow'[i]/'tank1.portAreas'[i]/'Modelica.Media.Interfaces.PartialSimpleMedium.density'('Modelica.Media.Interfaces.PartialSimpleMedium.setState_phX'('tank1.vessel_ps_static'[i], ({if 'tank1.ports[:].m_flow'[1] > 0.0 then 'pipe.port_a.h_outflow' else 'tank1.ports[:].h_outflow'[1]})[i], ({fill(0.0, 0)})[i, :])));
    'tank1.ports_penetration'[i] = 'Modelica.Fluid.Utilities.regStep'('tank1.fluidLevel' - 'tank1.portsData_height'[i] - 0.1*'tank1.portsData_diameter'[i], 1, 0.001, 0.1*'tank1.portsData_diameter'[i]);
    'tank1.m_flow_turbulent'[i] = 'tank1.m_flow_small';
    'tank1.regularFlow'[i] = 'tank1.fluidLevel' >= 'tank1.portsData_height'[i];
    'tank1.inFlow'[i] = not 'tank1.regularFlow'[i] and ('tank1.s'[i] > 0 or 'tank1.portsData_height'[i] >= 'tank1.fluidLevel_max');
    if 'tank1.regularFlow'[i] then
      'tank1.ports[:].p'[i] = 'tank1.vessel_ps_static'[i] + 0.5/'tank1.portAreas'[i]^2*'Modelica.Fluid.Utilities.regSquare2'('tank1.ports[:].m_flow'[i], 'tank1.m_flow_turbulent'[i], ('tank1.portsData_zeta_in'[i] - 1 + 'tank1.portAreas'[i]^2/'tank1.vesselArea'^2)/'tank1.portInDensities'[i]*'tank1.ports_penetration'[i], ('tank1.portsData_zeta_out'[i] + 1 - 'tank1.portAreas'[i]^2/'tank1.vesselArea'^2)/'tank1.medium.d'/'tank1.ports_penetration'[i], false, 1);
      'tank1.s'[i] = 'tank1.fluidLevel' - 'tank1.portsData_height'[i];
    elseif 'tank1.inFlow'[i] then
      'tank1.ports[:].p'[i] = 'tank1.vessel_ps_static'[i];
      'tank1.s'[i] = 'tank1.ports[:].m_flow'[i];
    else
      'tank1.ports[:].m_flow'[i] = 0;
      'tank1.s'[i] = ('tank1.ports[:].p'[i] - 'tank1.vessel_ps_static'[i])/101325.0*('tank1.portsData_height'[i] - 'tank1.fluidLevel');
    end if;
    'tank1.ports[:].h_outflow'[i] = 'tank1.medium.h';
    'tank1.ports[:].Xi_outflow'[i, :] = 'tank1.medium.Xi';
    'tank1.ports[:].C_outflow'[i, :] = 'tank1.C';
    'tank1.ports_H_flow'[i] = smooth(0, 'tank1.ports[:].m_flow'[i]*({if 'tank1.ports[:].m_flow'[1] > 0.0 then 'pipe.port_a.h_outflow' else 'tank1.ports[:].h_outflow'[1]})[i]);
    'tank1.ports_E_flow'[i] = 'tank1.ports[:].m_flow'[i]*(0.5*'tank1.portVelocities'[i]*'tank1.portVelocities'[i] + 'system.g'*'tank1.portsData_height'[i]);
    'tank1.ports_mXi_flow'[i, :] = smooth(0, 'tank1.ports[:].m_flow'[i]*({fill(0.0, 0)})[i, :]);
    'tank1.ports_mC_flow'[i, :] = smooth(0, 'tank1.ports[:].m_flow'[i]*({fill(0.0, 0)})[i, :]);
  end for;
  for i in 1:0 loop
    'tank1.sum_ports_mXi_flow'[i] = sum('tank1.ports_mXi_flow'[:, i]);
  end for;
  for i in 1:0 loop
    'tank1.sum_ports_mC_flow'[i] = sum('tank1.ports_mC_flow'[:, i]);
  end for;
  'tank1.V' = 'tank1.crossArea'*'tank1.level';
  'tank1.medium.p' = 'tank1.p_ambient';
  'tank1.Wb_flow' = 0;
  for i in 1:'tank1.nPorts' loop
    'tank1.vessel_ps_static'[i] = max(0, 'tank1.level' - 'tank1.portsData_height'[i])*'system.g'*'tank1.medium.d' + 'tank1.p_ambient';
  end for;
  assert('tank1.level' > 0, "Fluid level is too low; the energy balance equation becomes singular when the tank is completely empty.");
  {'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('pipe.flowModel.states[:].p'[i], 'pipe.flowModel.states[:].T'[i]) for i in 1:2} = {'Modelica.Media.Interfaces.PartialSimpleMedium.setState_phX'('pipe.port_a.p', 'tank1.ports[:].h_outflow'[1], fill(0.0, 0)), 'Modelica.Media.Interfaces.PartialSimpleMedium.setState_phX'('pipe.port_b.p', 'tank2.ports[:].h_outflow'[1], fill(0.0, 0))};
  'pipe.flowModel.Is' = {'pipe.flowModel.m_flows'[i]*'pipe.flowModel.pathLengths'[i] for i in 1:'pipe.flowModel.m'};
  zeros('pipe.flowModel.m') = 'pipe.flowModel.Ib_flows' - 'pipe.flowModel.Fs_p' - 'pipe.flowModel.Fs_fg';
  for i in 1:'pipe.flowModel.n' - 1 loop
    'pipe.flowModel.rhos_act'[i] = noEvent(if 'pipe.flowModel.m_flows'[i] > 0 then 'pipe.flowModel.rhos'[i] else 'pipe.flowModel.rhos'[i + 1]);
    'pipe.flowModel.mus_act'[i] = noEvent(if 'pipe.flowModel.m_flows'[i] > 0 then 'pipe.flowModel.mus'[i] else 'pipe.flowModel.mus'[i + 1]);
  end for;
  'pipe.flowModel.Ib_flows' = zeros('pipe.flowModel.n' - 1);
  'pipe.flowModel.Fs_p' = 'pipe.flowModel.nParallel'*{0.5*('pipe.flowModel.crossAreas'[i] + 'pipe.flowModel.crossAreas'[i + 1])*('Modelica.Media.Interfaces.PartialSimpleMedium.pressure'('Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('pipe.flowModel.states[:].p'[i + 1], 'pipe.flowModel.states[:].T'[i + 1])) - 'Modelica.Media.Interfaces.PartialSimpleMedium.pressure'('Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('pipe.flowModel.states[:].p'[i], 'pipe.flowModel.states[:].T'[i]))) for i in 1:'pipe.flowModel.n' - 1};
  'pipe.flowModel.dps_fg' = {'pipe.flowModel.Fs_fg'[i]/'pipe.flowModel.nParallel'*2/('pipe.flowModel.crossAreas'[i] + 'pipe.flowModel.crossAreas'[i + 1]) for i in 1:'pipe.flowModel.n' - 1};
  for i in 1:'pipe.flowModel.n' - 1 loop
    assert('pipe.flowModel.m_flows'[i] > -'pipe.flowModel.m_flow_small' or 'pipe.flowModel.allowFlowReversal', "Reversing flow occurs even though allowFlowReversal is false");
  end for;
  'pipe.flowModel.m_flows' = homotopy({'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.massFlowRate_dp_staticHead'('pipe.flowModel.dps_fg'[i], ('pipe.flowModel.rhos'[1:'pipe.flowModel.n' - 1])[i], ('pipe.flowModel.rhos'[2:'pipe.flowModel.n'])[i], ('pipe.flowModel.mus'[1:'pipe.flowModel.n' - 1])[i], ('pipe.flowModel.mus'[2:'pipe.flowModel.n'])[i], 'pipe.flowModel.pathLengths_internal'[i], 'pipe.flowModel.diameters'[i], ('pipe.flowModel.g'*'pipe.flowModel.dheights')[i], (('pipe.flowModel.crossAreas'[1:'pipe.flowModel.n' - 1] + 'pipe.flowModel.crossAreas'[2:'pipe.flowModel.n'])/2)[i], (('pipe.flowModel.roughnesses'[1:'pipe.flowModel.n' - 1] + 'pipe.flowModel.roughnesses'[2:'pipe.flowModel.n'])/2)[i], 'pipe.flowModel.dp_small'/('pipe.flowModel.n' - 1), 'pipe.flowModel.Res_turbulent_internal'[i]) for i in 1:1}*'pipe.flowModel.nParallel', 'pipe.flowModel.m_flow_nominal'/'pipe.flowModel.dp_nominal'*('pipe.flowModel.dps_fg' - 'pipe.flowModel.g'*'pipe.flowModel.dheights'*'pipe.flowModel.rho_nominal'));
  assert('pipe.length' >= 'pipe.height_ab', "Parameter length must be greater or equal height_ab.");
  'pipe.port_a.m_flow' = 'pipe.flowModel.m_flows'[1];
  0 = 'pipe.port_a.m_flow' + 'pipe.port_b.m_flow';
  'pipe.port_a.Xi_outflow' = fill(0.0, 0);
  'pipe.port_b.Xi_outflow' = fill(0.0, 0);
  'pipe.port_a.C_outflow' = fill(0.0, 0);
  'pipe.port_b.C_outflow' = fill(0.0, 0);
  'pipe.port_b.h_outflow' = 'tank1.ports[:].h_outflow'[1] - 'system.g'*'pipe.height_ab';
  'pipe.port_a.h_outflow' = 'tank2.ports[:].h_outflow'[1] + 'system.g'*'pipe.height_ab';
  'tank2.medium.Xi' = 'tank2.medium.X'[1:0];
  'tank2.medium.X' = {1.0};
  for i in 1:1 loop
    assert('tank2.medium.X'[i] >= -1e-5 and 'tank2.medium.X'[i] <= 1 + 1e-5, "Mass fraction X[" + String(i) + "] = " + String('tank2.medium.X'[i]) + "of substance " + "SimpleLiquidWater" + "
of medium " + "SimpleLiquidWater" + " is not in the range 0..1");
  end for;
  assert('tank2.medium.p' >= 0.0, "Pressure (= " + String('tank2.medium.p') + " Pa) of medium \"" + "SimpleLiquidWater" + "\" is negative
(Temperature = " + String('tank2.medium.T') + " K)");
  assert('tank2.medium.T' >= 272.15 and 'tank2.medium.T' <= 403.15, "
Temperature T (= " + String('tank2.medium.T') + " K) is not
in the allowed range (" + String(272.15) + " K <= T <= " + String(403.15) + " K)
required from medium model \"" + "SimpleLiquidWater" + "\".
");
  'tank2.medium.h' = 'Modelica.Media.Interfaces.PartialSimpleMedium.specificEnthalpy_pTX'('tank2.medium.p', 'tank2.medium.T', 'tank2.medium.X');
  'tank2.medium.u' = 4184.0*('tank2.medium.T' - 273.15);
  'tank2.medium.d' = 995.586;
  'tank2.medium.R_s' = 0;
  'tank2.medium.MM' = 0.018015268;
  'tank2.medium.state.T' = 'tank2.medium.T';
  'tank2.medium.state.p' = 'tank2.medium.p';
  {'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('tank2.heatTransfer.states[:].p'[i], 'tank2.heatTransfer.states[:].T'[i]) for i in 1:1} = {'Modelica.Media.Interfaces.PartialSimpleMedium.ThermodynamicState'('tank2.medium.state.p', 'tank2.medium.state.T')};
  'tank2.heatTransfer.Q_flows' = 'tank2.heatTransfer.heatPorts[:].Q_flow';
  'tank2.heatTransfer.Ts' = 'tank2.heatTransfer.heatPorts[:].T';
  assert(not ('tank2.energyDynamics' <> 'Modelica.Fluid.Types.Dynamics'.SteadyState and 'tank2.massDynamics' == 'Modelica.Fluid.Types.Dynamics'.SteadyState) or true, "Bad combination of dynamics options and Medium not conserving mass if fluidVolume is fixed.");
  'tank2.m' = 'tank2.fluidVolume'*'tank2.medium.d';
  'tank2.mXi' = 'tank2.m'*'tank2.medium.Xi';
  'tank2.U' = 'tank2.m'*'tank2.medium.u';
  'tank2.mC' = 'tank2.m'*'tank2.C';
  der('tank2.U') = 'tank2.Hb_flow' + 'tank2.Qb_flow' + 'tank2.Wb_flow';
  der('tank2.m') = 'tank2.mb_flow';
  der('tank2.mXi') = 'tank2.mbXi_flow';
  der('tank2.mC_scaled') = 'tank2.mbC_flow'./fill(0.0, 0);
  'tank2.mC' = 'tank2.mC_scaled'.*fill(0.0, 0);
  'tank2.mb_flow' = sum('tank2.ports[:].m_flow');
  'tank2.mbXi_flow' = 'tank2.sum_ports_mXi_flow';
  'tank2.mbC_flow' = 'tank2.sum_ports_mC_flow';
  'tank2.Hb_flow' = sum('tank2.ports_H_flow') + sum('tank2.ports_E_flow');
  'tank2.Qb_flow' = 'tank2.heatTransfer.Q_flows'[1];
  for i in 1:'tank2.nPorts' loop
    assert(({1})[i] <= 1, "
each ports[i] of volume can at most be connected to one component.
If two or more connections are present, ideal mixing takes
place with these connections, which is usually not the intention
of the modeller. Increase nPorts to add an additional port.
");
  end for;
  assert('tank2.fluidLevel' <= 'tank2.fluidLevel_max', "Vessel is overflowing (fluidLevel > fluidLevel_max = " + String('tank2.fluidLevel') + ")");
  for i in 1:'tank2.nPorts' loop
    'tank2.portInDensities'[i] = 'Modelica.Media.Interfaces.PartialSimpleMedium.density'('Modelica.Media.Interfaces.PartialSimpleMedium.setState_phX'('tank2.vessel_ps_static'[i], ({'pipe.port_b.h_outflow'})[i], ({fill(0.0, 0)})[i, :]));
    'tank2.portVelocities'[i] = smooth(0, 'tank2.ports[:].m_flow'[i]/'tank2.portAreas'[i]/'Modelica.Media.Interfaces.PartialSimpleMedium.density'('Modelica.Media.Interfaces.PartialSimpleMedium.setState_phX'('tank2.vessel_ps_static'[i], ({if 'tank2.ports[:].m_flow'[1] > 0.0 then 'pipe.port_b.h_outflow' else 'tank2.ports[:].h_outflow'[1]})[i], ({fill(0.0, 0)})[i, :])));
    'tank2.ports_penetration'[i] = 'Modelica.Fluid.Utilities.regStep'('tank2.fluidLevel' - 'tank2.portsData_height'[i] - 0.1*'tank2.portsData_diameter'[i], 1, 0.001, 0.1*'tank2.portsData_diameter'[i]);
    'tank2.m_flow_turbulent'[i] = 'tank2.m_flow_small';
    'tank2.regularFlow'[i] = 'tank2.fluidLevel' >= 'tank2.portsData_height'[i];
    'tank2.inFlow'[i] = not 'tank2.regularFlow'[i] and ('tank2.s'[i] > 0 or 'tank2.portsData_height'[i] >= 'tank2.fluidLevel_max');
    if 'tank2.regularFlow'[i] then
      'tank2.ports[:].p'[i] = 'tank2.vessel_ps_static'[i] + 0.5/'tank2.portAreas'[i]^2*'Modelica.Fluid.Utilities.regSquare2'('tank2.ports[:].m_flow'[i], 'tank2.m_flow_turbulent'[i], ('tank2.portsData_zeta_in'[i] - 1 + 'tank2.portAreas'[i]^2/'tank2.vesselArea'^2)/'tank2.portInDensities'[i]*'tank2.ports_penetration'[i], ('tank2.portsData_zeta_out'[i] + 1 - 'tank2.portAreas'[i]^2/'tank2.vesselArea'^2)/'tank2.medium.d'/'tank2.ports_penetration'[i], false, 1);
      'tank2.s'[i] = 'tank2.fluidLevel' - 'tank2.portsData_height'[i];
    elseif 'tank2.inFlow'[i] then
      'tank2.ports[:].p'[i] = 'tank2.vessel_ps_static'[i];
      'tank2.s'[i] = 'tank2.ports[:].m_flow'[i];
    else
      'tank2.ports[:].m_flow'[i] = 0;
      'tank2.s'[i] = ('tank2.ports[:].p'[i] - 'tank2.vessel_ps_static'[i])/101325.0*('tank2.portsData_height'[i] - 'tank2.fluidLevel');
    end if;
    'tank2.ports[:].h_outflow'[i] = 'tank2.medium.h';
    'tank2.ports[:].Xi_outflow'[i, :] = 'tank2.medium.Xi';
    'tank2.ports[:].C_outflow'[i, :] = 'tank2.C';
    'tank2.ports_H_flow'[i] = smooth(0, 'tank2.ports[:].m_flow'[i]*({if 'tank2.ports[:].m_flow'[1] > 0.0 then 'pipe.port_b.h_outflow' else 'tank2.ports[:].h_outflow'[1]})[i]);
    'tank2.ports_E_flow'[i] = 'tank2.ports[:].m_flow'[i]*(0.5*'tank2.portVelocities'[i]*'tank2.portVelocities'[i] + 'system.g'*'tank2.portsData_height'[i]);
    'tank2.ports_mXi_flow'[i, :] = smooth(0, 'tank2.ports[:].m_flow'[i]*({fill(0.0, 0)})[i, :]);
    'tank2.ports_mC_flow'[i, :] = smooth(0, 'tank2.ports[:].m_flow'[i]*({fill(0.0, 0)})[i, :]);
  end for;
  for i in 1:0 loop
    'tank2.sum_ports_mXi_flow'[i] = sum('tank2.ports_mXi_flow'[:, i]);
  end for;
  for i in 1:0 loop
    'tank2.sum_ports_mC_flow'[i] = sum('tank2.ports_mC_flow'[:, i]);
  end for;
  'tank2.V' = 'tank2.crossArea'*'tank2.level';
  'tank2.medium.p' = 'tank2.p_ambient';
  'tank2.Wb_flow' = 0;
  for i in 1:'tank2.nPorts' loop
    'tank2.vessel_ps_static'[i] = max(0, 'tank2.level' - 'tank2.portsData_height'[i])*'system.g'*'tank2.medium.d' + 'tank2.p_ambient';
  end for;
  assert('tank2.level' > 0, "Fluid level is too low; the energy balance equation becomes singular when the tank is completely empty.");
  'tank1.portsData_diameter' = 'tank1.portsData_diameter_internal';
  'tank1.portsData_height' = 'tank1.portsData_height_internal';
  'tank1.portsData_zeta_in' = 'tank1.portsData_zeta_in_internal';
  'tank1.portsData_zeta_out' = 'tank1.portsData_zeta_out_internal';
  'tank2.portsData_diameter' = 'tank2.portsData_diameter_internal';
  'tank2.portsData_height' = 'tank2.portsData_height_internal';
  'tank2.portsData_zeta_in' = 'tank2.portsData_zeta_in_internal';
  'tank2.portsData_zeta_out' = 'tank2.portsData_zeta_out_internal';
  'tank1.ports[:].p'[1] = 'pipe.port_a.p';
  'pipe.port_b.p' = 'tank2.ports[:].p'[1];
  'tank1.ports[:].m_flow'[1] + 'pipe.port_a.m_flow' = 0.0;
  'pipe.port_b.m_flow' + 'tank2.ports[:].m_flow'[1] = 0.0;
  'tank1.heatTransfer.heatPorts[:].Q_flow' = fill(0.0, 1);
  'tank2.heatTransfer.heatPorts[:].Q_flow' = fill(0.0, 1);
  annotation(experiment(StopTime = 50.0), __rhei(paths = true));
end 'Modelica.Fluid.Examples.Tanks.EmptyTanks';
