//! What is said about clocks (MLS §16).

use expect_test::expect;

use crate::check;

#[test]
fn a_sampled_value_with_its_past() {
    check(
        "model M Real u = time; Real s = sample(u, Clock(1, 10)); Real y(start = 0) = previous(y) + s; Real h = hold(y); end M;",
        expect![[r#"
              unknown u
              unknown s
              unknown y(start = 0)
              unknown h
              given discrete sample(u)
              previous discrete pre(y)(start = 0)
              given discrete hold(y)(start = 0)
            equation
              u = time
              s = sample(u)
              y = pre(y) + s
              h = hold(y)
            clock
              clock Clock(1, 10) = 1/10
              sample sample(u) = u, Clock(1, 10)
              hold hold(y) = y
              remember pre(y)
        "#]],
    );
}

#[test]
fn a_clocked_when() {
    check(
        "model M Integer n(start = 0); equation when Clock(1, 2) then n = previous(n) + 1; end when; end M;",
        expect![[r#"
              unknown Integer n(start = 0)
              previous Integer pre(n)(start = 0)
            equation
              n = pre(n) + 1
            clock
              clock Clock(1, 2) = 1/2
              equation 1, Clock(1, 2)
              remember pre(n)
        "#]],
    );
}

#[test]
fn clocks_made_from_clocks() {
    check(
        "model M Clock c = Clock(1, 10); Clock d = subSample(c, 2); Clock e = shiftSample(d, 1, 2); Real x = sample(time, e); end M;",
        expect![[r#"
              unknown x
              unknown the value of(time)
              given discrete sample(time)
            equation
              the value of(time) = time
              x = sample(time)
            clock
              clock c
              clock d
              clock e
              clock Clock(1, 10) = 1/10
              clock subSample(c, …) = subSample(c, 2)
              clock shiftSample(d, …) = shiftSample(d, 1, 2)
              same c, Clock(1, 10)
              same d, subSample(c, …)
              same e, shiftSample(d, …)
              sample sample(time) = the value of(time), e
        "#]],
    );
}

#[test]
fn from_clock_to_clock() {
    check(
        "model M Real s = sample(time, Clock(1, 10)); Real t = superSample(s, 2); Real n = noClock(t) + sample(time, Clock(1, 7)); end M;",
        expect![[r#"
              unknown s
              unknown t
              unknown n
              unknown the value of(time)
              given discrete sample(time)
              given discrete superSample(s)
              given discrete noClock(t)
              unknown the value of(time) #2
              given discrete sample(time) #2
            equation
              the value of(time) = time
              s = sample(time)
              t = superSample(s)
              the value of(time) #2 = time
              n = noClock(t) + sample(time) #2
            clock
              clock Clock(1, 10) = 1/10
              clock Clock(1, 7) = 1/7
              sample sample(time) = the value of(time), Clock(1, 10)
              superSample superSample(s) = s, 2
              noClock noClock(t) = t
              sample sample(time) #2 = the value of(time) #2, Clock(1, 7)
        "#]],
    );
}

#[test]
fn questions_about_the_clock() {
    check(
        "model M Real s = sample(time, Clock(0.1)); Real y = s*interval(s); Boolean f = firstTick(s); end M;",
        expect![[r#"
              unknown s
              unknown y
              unknown Boolean f
              parameter the interval of a clock:(0.1)(fixed) = 0.1
              unknown the value of(time)
              given discrete sample(time)
              given discrete interval()
              given Boolean firstTick()
            equation
              the value of(time) = time
              s = sample(time)
              y = s*interval()
              f = firstTick()
            clock
              clock Clock(…) = interval(the interval of a clock:(0.1))
              sample sample(time) = the value of(time), Clock(…)
              interval interval() = s
              firstTick firstTick() = s
        "#]],
    );
}

#[test]
fn a_clock_of_events() {
    check(
        "model M Real x(start = 0, fixed = true); Real y(start = 0); equation der(x) = 1; when Clock(x > 1) then y = previous(y) + 1; end when; end M;",
        expect![[r#"
              unknown x(start = 0, fixed)
              unknown y(start = 0)
              derivative der(x)
              given discrete nudge (x > 1)
              unknown Boolean (x > 1)
              parameter the first interval of a clock:(0)(fixed) = 0
              previous discrete pre(y)(start = 0)
            equation
              der(x) = 1
              (x > 1) = x - 1 + nudge (x > 1) > 0
              y = pre(y) + 1
            event
              relation (x > 1) = x - 1 > 0, nudge (x > 1)
            clock
              clock Clock(…) = event((x > 1), the first interval of a clock:(0))
              equation 3, Clock(…)
              remember pre(y)
        "#]],
    );
}
