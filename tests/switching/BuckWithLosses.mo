model BuckWithLosses "Buck, with a switch and a diode that are not ideal"
  parameter Real Vin = 24;
  parameter Real small = 1e-4 "Resistance of what conducts, conductance of what does not";
  parameter Real L = 100e-6;
  parameter Real C = 100e-6;
  parameter Real R = 100;
  parameter Real T = 50e-6 "From one pulse to the next";
  parameter Real share = 0.4 "Of the time that the switch is closed";
  Real i(start = 0, fixed = true);
  Real v(start = 0, fixed = true);
  Real vx "Between switch, diode and inductor";
  Real isw;
  Real idiode;
  Real s(start = 0);
  Boolean on = time/T - floor(time/T) < share;
  Boolean off(start = true) = s < 0;
equation
  if on then
    vx = Vin - small*isw;
  else
    isw = small*(Vin - vx);
  end if;
  -vx = if off then s else small*s;
  idiode = if off then small*s else s;
  isw + idiode = i;
  L*der(i) = vx - v;
  C*der(v) = i - v/R;
end BuckWithLosses;
