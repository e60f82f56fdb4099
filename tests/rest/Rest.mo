package Rest "Models that come to rest, stick or lock; and some that cannot"
  model Ball "The ball of every course: rests by a condition that becomes true while it lies"
    parameter Real e = 0.7;
    parameter Real g = 9.81;
    Real h(start = 1, fixed = true);
    Real v(start = 0, fixed = true);
    Boolean flying(start = true, fixed = true);
    Boolean impact;
    Real v_new(start = 0, fixed = true);
  equation
    impact = h <= 0;
    der(v) = if flying then -g else 0;
    der(h) = v;
    when {h <= 0 and v <= 0, impact} then
      v_new = if edge(impact) then -e*pre(v) else 0;
      flying = v_new > 0;
      reinit(v, v_new);
    end when;
  end Ball;

  model LivelyBall "Four hundred bounces before it rests"
    extends Ball(e = 0.96);
  end LivelyBall;

  model DullBall "Two bounces"
    extends Ball(e = 0.01);
  end DullBall;

  model StuckBall "It does not bounce at all"
    extends Ball(e = 0);
  end StuckBall;

  model HighBall "From a kilometre"
    extends Ball(h(start = 1000, nominal = 1000), v(nominal = 100));
  end HighBall;

  model MicroBall "From a micrometre, with nominal values"
    extends Ball(h(start = 1e-6, nominal = 1e-6), v(nominal = 1e-3));
  end MicroBall;

  model OtherOrder "The same conditions written the other way round, in part in an algorithm"
    Real h(start = 1, fixed = true);
    Real v(start = 0, fixed = true);
    Boolean flying(start = true, fixed = true);
    Boolean above = h > 0;
    Boolean lands = not (v > 0 or above);
    Real v_new(start = 0, fixed = true);
  algorithm
    when {not above, lands} then
      v_new := 0;
      if pre(above) then
        v_new := -0.6*pre(v);
      end if;
      flying := v_new > 0;
    end when;
  equation
    der(v) = if flying then -9.81 else 0;
    der(h) = v;
    when {lands, not above} then
      reinit(v, v_new);
    end when;
  end OtherOrder;

  model Lies "Bounces and rests in branches of one when"
    Real h(start = 1, fixed = true);
    Real v(start = 0, fixed = true);
    Boolean lies(start = false, fixed = true);
  equation
    der(h) = v;
    der(v) = if lies then 0 else -9.81;
    when h < 0 then
      reinit(v, -0.5*pre(v));
      lies = false;
    elsewhen h < 0 and v < 0 then
      reinit(v, 0);
      lies = true;
    end when;
  end Lies;

  model Balloon "Rises, and rests below a ceiling"
    Real h(start = 0, fixed = true);
    Real v(start = 0, fixed = true);
    Boolean free(start = true, fixed = true);
    Boolean touches;
    Real v_new(start = 0, fixed = true);
  equation
    touches = h >= 2;
    der(h) = v;
    der(v) = if free then 1.5 else 0;
    when {touches and v >= 0, touches} then
      v_new = if edge(touches) then -0.5*pre(v) else 0;
      free = v_new < 0;
      reinit(v, v_new);
    end when;
  end Balloon;

  model Lift "A ball on a floor that rises"
    parameter Real up = 0.1;
    Real h(start = 1, fixed = true);
    Real v(start = 0, fixed = true);
    Real gap = h - up*time;
    Boolean flying(start = true, fixed = true);
    Boolean impact;
    Real v_new(start = 0, fixed = true);
  equation
    impact = gap <= 0;
    der(h) = v;
    der(v) = if flying then -9.81 else 0;
    when {gap <= 0 and v <= up, impact} then
      v_new = if edge(impact) then up - 0.7*(pre(v) - up) else up;
      flying = v_new > up;
      reinit(v, v_new);
    end when;
  end Lift;

  model Pressed "A spring presses a mass against a wall"
    Real x(start = 1, fixed = true);
    Real v(start = 0, fixed = true);
    Boolean free(start = true, fixed = true);
    Boolean hits;
    Real v_new(start = 0, fixed = true);
  equation
    hits = x <= 0;
    der(x) = v;
    der(v) = if free then -100*(x + 0.1) - v else 0;
    when {x <= 0 and v <= 0, hits} then
      v_new = if edge(hits) then -0.4*pre(v) else 0;
      free = v_new > 0;
      reinit(v, v_new);
    end when;
  end Pressed;

  model Pendulum "A pendulum beside a wall"
    Real phi(start = 1, fixed = true);
    Real w(start = 0, fixed = true);
    Boolean free(start = true, fixed = true);
    Boolean hits;
    Real w_new(start = 0, fixed = true);
  equation
    hits = phi <= 0.2;
    der(phi) = w;
    der(w) = if free then -9.81*sin(phi) else 0;
    when {hits and w <= 0, hits} then
      w_new = if edge(hits) then -0.3*pre(w) else 0;
      free = w_new > 0;
      reinit(w, w_new);
    end when;
  end Pendulum;

  model TwoBalls "Two balls that hit their floor at the same instants"
    Ball a, b(e = 0.7);
  end TwoBalls;

  model Trapdoor "The floor opens under a ball that lies"
    Real h(start = 1, fixed = true);
    Real v(start = 0, fixed = true);
    Boolean flying(start = true, fixed = true);
    Boolean impact;
    Boolean open = time > 4;
    Real v_new(start = 0, fixed = true);
  equation
    impact = h <= 0;
    der(v) = if flying or open then -9.81 else 0;
    der(h) = v;
    when {h <= 0 and v <= 0, impact} then
      v_new = if edge(impact) then -0.7*pre(v) else 0;
      flying = v_new > 0;
      reinit(v, v_new);
    end when;
  end Trapdoor;

  model Block "A block slides, and sticks"
    Real x(start = 0, fixed = true);
    Real v(start = 2, fixed = true);
    Boolean stuck(start = false, fixed = true);
  equation
    der(x) = v;
    der(v) = if stuck then 0 else -4;
    when v <= 0 then
      stuck = true;
      reinit(v, 0);
    end when;
  end Block;

  model Belt "A block on a belt is taken along"
    Real v(start = 0, fixed = true);
    Real slip = 1 - v;
    Boolean sticks(start = false, fixed = true);
  equation
    der(v) = if sticks then 0 else 0.8;
    when slip <= 0 then
      sticks = true;
      reinit(v, 1);
    end when;
  end Belt;

  model StickSlip "A force that grows and falls moves a block and lets it stick again"
    Real x(start = 0, fixed = true);
    Real v(start = 0, fixed = true);
    Real F = 3*sin(time);
    Boolean moves(start = false, fixed = true);
  equation
    der(x) = v;
    der(v) = if moves then F - 1 else 0;
    when F > 2 then
      moves = true;
    elsewhen v <= 0 and F < 2 then
      moves = false;
      reinit(v, 0);
    end when;
  end StickSlip;

  model Clutch "Two inertias slip until their speeds are the same, and lock"
    Real w1(start = 10, fixed = true);
    Real w2(start = 0, fixed = true);
    Boolean locked(start = false, fixed = true);
    Real M = if locked then 0 else 4;
    Real slip = w1 - w2;
  equation
    2*der(w1) = -M;
    1*der(w2) = M;
    when slip <= 0 then
      locked = true;
    end when;
  end Clutch;

  model Ratchet "Turns one way only"
    Real phi(start = 0, fixed = true);
    Real w(start = 0, fixed = true);
    Boolean caught(start = false, fixed = true);
  equation
    der(phi) = w;
    der(w) = if caught then 0 else cos(2*time) - 0.1;
    when w < 0 then
      caught = true;
      reinit(w, 0);
    elsewhen cos(2*time) > 0.2 then
      caught = false;
    end when;
  end Ratchet;

  model Tank "Fills to its brim, and stays full"
    Real level(start = 0, fixed = true);
    Boolean full(start = false, fixed = true);
  equation
    der(level) = if full then 0 else 0.4;
    when level >= 1 then
      full = true;
    end when;
  end Tank;

  model Latch "A door that falls shut"
    Real phi(start = 1, fixed = true);
    Real w(start = 0, fixed = true);
    Boolean shut(start = false, fixed = true);
  equation
    der(phi) = w;
    der(w) = if shut then 0 else -2 - 0.5*w;
    when phi <= 0 then
      shut = w > -1.9;
      reinit(w, if shut then 0 else -0.5*pre(w));
    end when;
  end Latch;

  model CaughtBelow "Falls through when bounces are too low to be seen, and is caught below"
    Real h(start = 1, fixed = true);
    Real v(start = 0, fixed = true);
    Boolean done(start = false, fixed = true);
  equation
    v = der(h);
    der(v) = if done then 0 else -9.81;
    when {h < 0, h < -1e-3} then
      done = h < -1e-3;
      reinit(v, if done then 0 else -0.8*pre(v));
    end when;
  end CaughtBelow;

  model CaughtByNothing "What waits below bounces it again"
    Real h(start = 1, fixed = true);
    Real v(start = 0, fixed = true);
    Integer low(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -9.81;
    when h <= 0 then
      reinit(v, -0.7*pre(v));
    end when;
    when 2*h <= -0.001 then
      low = pre(low) + 1;
    end when;
  end CaughtByNothing;

  model NoRest "A ball that may only bounce"
    Real h(start = 1, fixed = true);
    Real v(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -9.81;
    when h <= 0 then
      reinit(v, -0.7*pre(v));
    end when;
  end NoRest;

  model NoRestEither "The condition holds while it lies, but bounces it again"
    Real h(start = 1, fixed = true);
    Real v(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -9.81;
    when h <= 0 and v <= 0 then
      reinit(v, -0.7*pre(v));
    end when;
  end NoRestEither;

  model Relay "Leads back to its border from either side"
    Real x(start = 1, fixed = true);
  equation
    der(x) = if x > 0 then -1 else 1;
  end Relay;
end Rest;
