model Buck "A buck converter that comes to discontinuous conduction"
  parameter Real Vin = 24;
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
    vx = Vin;
  else
    isw = 0;
  end if;
  -vx = if off then s else 0;
  idiode = if off then 0 else s;
  isw + idiode = i;
  L*der(i) = vx - v;
  C*der(v) = i - v/R;
end Buck;
