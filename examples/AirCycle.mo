package AirCycleParts "The three-wheel bootstrap air cycle of an aircraft"
  // Bleed air at 220 °C and 2.5 bar is cooled, compressed, cooled again and expanded before it enters the cabin. The turbine drives
  // compressor and fan on one shaft; four heat exchangers cool by ram air, or by the air that has been cooled already. Nothing of this
  // stores energy in the model: the speed of the shaft and the temperatures of the heat exchangers are where their balances are zero.

  connector Inlet "Air that comes in"
    input Real m(unit = "kg/s");
    input Real p(unit = "Pa");
    input Real T(unit = "K");
  end Inlet;

  connector Outlet "Air that goes out"
    output Real m(unit = "kg/s");
    output Real p(unit = "Pa");
    output Real T(unit = "K");
  end Outlet;

  connector Axle "Drives, or is driven"
    Real w(unit = "rad/s");
    flow Real tau(unit = "N.m");
  end Axle;

  partial model Equilibrium "How something is found that rises where its balance is positive"
    parameter Real start = 1;
    parameter Real size = 1 "what counts as one";
    parameter Real storage = 1 "what would be stored in one unit";
    input Real f;
    output Real x(start = start, nominal = size);
  end Equilibrium;

  model Balanced "by a balance: only where it ends counts"
    extends Equilibrium;
  equation
    balance(x) = f;
  end Balanced;

  model Stored "by a small storage: an artificial state"
    extends Equilibrium(x(fixed = true));
  equation
    storage*der(x) = f;
  end Stored;

  model Plain "by its equation alone"
    extends Equilibrium;
  equation
    0 = f;
  end Plain;

  model Air "Properties of air at a point"
    input Real m, p, T;
    Real cp "heat capacity, J/(kg.K)";
    Real rho "density";
    Real mu "viscosity";
    Real lambda "heat conductivity";
  equation
    cp = 1002.5 + 2.75e-4*(T - 200)^2;
    rho = p/(287.05*T);
    mu = 1.716e-5*noEvent(abs(T)/273.15)^0.7;
    lambda = 0.0241*noEvent(abs(T)/273.15)^0.8;
  end Air;

  model Source "Air of given state"
    parameter Real m = 0.5, p = 2.5e5, T = 493.15;
    Outlet b(m = m, p = p, T = T);
  end Source;

  model Ram "Air from outside, warmer and colder in turn"
    parameter Real swing = 10 "K";
    Inlet flow_ "how much the fan draws";
    Outlet b(m = flow_.m, p = 1e5, T = 288.15 + swing*sin(0.02*time));
  end Ram;

  model HeatExchanger "Two streams and a wall between them"
    replaceable model Rest = Balanced constrainedby Equilibrium;
    parameter Real area = 8 "m2";
    parameter Real hydraulic = 4e-3 "diameter of its channels";
    parameter Real start = 300;
    Inlet hot, cold;
    Outlet cooled, heated;
    Air hotAir(m = hot.m, p = hot.p, T = hot.T), coldAir(m = cold.m, p = cold.p, T = cold.T);
    Rest wall(start = start, size = 300, storage = 20, f = fromHot - toCold);
    Real fromHot, toCold "W";
    Real hotReynolds, coldReynolds, hotNusselt, coldNusselt, hotTransfer, coldTransfer;
    Real hotUnits, coldUnits "number of transfer units";
  equation
    hotReynolds = noEvent(abs(hot.m))*hydraulic/(0.02*hotAir.mu);
    coldReynolds = noEvent(abs(cold.m))*hydraulic/(0.02*coldAir.mu);
    hotNusselt = 3.66 + 0.02*hotReynolds^0.8;
    coldNusselt = 3.66 + 0.02*coldReynolds^0.8;
    hotTransfer = hotNusselt*hotAir.lambda/hydraulic;
    coldTransfer = coldNusselt*coldAir.lambda/hydraulic;
    hotUnits = hotTransfer*area/(noEvent(max(hot.m, 1e-3))*hotAir.cp);
    coldUnits = coldTransfer*area/(noEvent(max(cold.m, 1e-3))*coldAir.cp);
    cooled.T = wall.x + (hot.T - wall.x)*exp(-hotUnits);
    heated.T = wall.x + (cold.T - wall.x)*exp(-coldUnits);
    cooled.m = hot.m;
    heated.m = cold.m;
    cooled.p = hot.p - 200*hot.m^2/hotAir.rho;
    heated.p = cold.p - 50*cold.m^2/coldAir.rho;
    fromHot = hot.m*hotAir.cp*(hot.T - cooled.T);
    toCold = cold.m*coldAir.cp*(heated.T - cold.T);
  end HeatExchanger;

  model Compressor
    parameter Real radius = 0.05, eta = 0.75;
    Inlet a;
    Outlet b;
    Axle axle;
    Air air(m = a.m, p = a.p, T = a.T);
    Real tip "speed of the tip", work "J/kg", rise "of temperature", ratio "of pressures", power;
  equation
    tip = radius*axle.w;
    work = 0.9*tip^2;
    rise = work/air.cp;
    ratio = (1 + eta*rise/a.T)^3.5;
    b.T = a.T + rise;
    b.p = ratio*a.p;
    b.m = a.m;
    power = a.m*work;
    axle.tau = power/axle.w;
  end Compressor;

  model Turbine
    parameter Real radius = 0.055, eta = 0.8, exit = 1.05e5 "Pa";
    Inlet a;
    Outlet b;
    Axle axle;
    Air air(m = a.m, p = a.p, T = a.T);
    Real ratio, ideal "speed of the jet", run "of the wheel, relative to it", efficiency, drop, power;
  equation
    ratio = exit/a.p;
    ideal = sqrt(2*air.cp*a.T*noEvent(max(1 - noEvent(max(ratio, 1e-3))^0.2857, 1e-3)));
    run = radius*axle.w/ideal;
    efficiency = eta*4*run*(1 - run);
    drop = efficiency*ideal^2/(2*air.cp);
    b.T = a.T - drop;
    b.p = exit;
    b.m = a.m;
    power = a.m*air.cp*drop;
    axle.tau = -power/axle.w;
  end Turbine;

  model Fan
    parameter Real k = 2e-4 "kg", load = 1.1e-7;
    Outlet drawn "what it draws through the heat exchangers";
    Axle axle;
    Real power;
  equation
    drawn.m = k*axle.w;
    drawn.p = 1e5;
    drawn.T = 288.15;
    power = load*axle.w^3;
    axle.tau = power/axle.w;
  end Fan;

  model Shaft "Whatever acts on it is in balance"
    replaceable model Rest = Balanced constrainedby Equilibrium;
    parameter Real start = 1000;
    Axle turbine, compressor, fan;
    Rest speed(start = start, size = 1000, storage = 1e-4, f = turbine.tau + compressor.tau + fan.tau);
  equation
    turbine.w = speed.x;
    compressor.w = speed.x;
    fan.w = speed.x;
  end Shaft;

  model Cabin "What is worth a state"
    Inlet a;
    Real T(start = 295, fixed = true, unit = "K");
  equation
    2e5*der(T) = a.m*1005*(a.T - T) + 4000;
  end Cabin;

  model Cycle
    replaceable model Rest = Balanced constrainedby Equilibrium;
    parameter Real w0 = 1000 "where the search for the speed begins", T0 = 300 "and for the temperatures";
    Source bleed;
    Ram ram;
    HeatExchanger primary(redeclare model Rest = Rest, start = T0), main(redeclare model Rest = Rest, start = T0);
    HeatExchanger reheater(redeclare model Rest = Rest, start = T0, area = 3);
    HeatExchanger condenser(redeclare model Rest = Rest, start = T0, area = 3);
    Compressor compressor;
    Turbine turbine;
    Fan fan;
    Shaft shaft(redeclare model Rest = Rest, start = w0);
    Cabin cabin;
  equation
    connect(bleed.b, primary.hot);
    connect(primary.cooled, compressor.a);
    connect(compressor.b, main.hot);
    connect(main.cooled, reheater.hot);
    connect(reheater.cooled, condenser.hot);
    connect(condenser.cooled, reheater.cold);
    connect(reheater.heated, turbine.a);
    connect(turbine.b, condenser.cold);
    connect(condenser.heated, cabin.a);
    connect(fan.drawn, ram.flow_);
    connect(ram.b, main.cold);
    connect(main.heated, primary.cold);
    connect(turbine.axle, shaft.turbine);
    connect(compressor.axle, shaft.compressor);
    connect(fan.axle, shaft.fan);
    annotation(experiment(StopTime = 600));
  end Cycle;

  model WithStorages "The same with five artificial states"
    extends Cycle(redeclare model Rest = Stored);
    annotation(experiment(StopTime = 600));
  end WithStorages;

  model WithoutHelp "The same with nothing but its equations"
    extends Cycle(redeclare model Rest = Plain);
    annotation(experiment(StopTime = 600));
  end WithoutHelp;
end AirCycleParts;

model AirCycle "The air cycle, its equilibria found by balances"
  extends AirCycleParts.Cycle;
  annotation(experiment(StopTime = 600));
end AirCycle;
