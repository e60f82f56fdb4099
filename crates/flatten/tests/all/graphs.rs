//! Overconstrained connections (MLS §9.4).

use expect_test::expect;

use super::check;

const ANGLES: &str = r#"
    record Direction
      Real c; Real s;
      function equalityConstraint
        input Direction a; input Direction b; output Real residue[1];
      algorithm residue := {a.c*b.s - a.s*b.c};
      end equalityConstraint;
    end Direction;
    connector Flange Direction d; Real x; flow Real f; flow Real t; end Flange;
    model World Flange b; equation Connections.root(b.d); b.d.c = 1; b.d.s = 0; b.x = 0; end World;
    model Bar Flange a; Flange b;
    equation
      Connections.branch(a.d, b.d);
      b.x = a.x + 1; a.f + b.f = 0; a.t + b.t = 0;
      if Connections.rooted(a.d) then b.d = a.d; else a.d = b.d; end if;
    end Bar;
    model Free Flange a;
    equation
      Connections.potentialRoot(a.d, 2);
      if Connections.isRoot(a.d) then a.d.c = 1; a.d.s = 0; end if;
      a.f = 0; a.t = 0;
    end Free;
"#;

fn angles(model: &str) -> String {
    format!("{ANGLES}{model}")
}

#[test]
fn a_chain_is_a_tree() {
    check(
        &angles("model M World w; Bar p; Bar q; equation connect(w.b, p.a); connect(q.b, p.b); end M;"),
        expect![[r#"
            record Direction
              Real c;
              Real s;
            end Direction;

            model M
              Real 'w.b.d.c';
              Real 'w.b.d.s';
              Real 'w.b.x';
              Real 'w.b.f';
              Real 'w.b.t';
              Real 'p.a.d.c';
              Real 'p.a.d.s';
              Real 'p.a.x';
              Real 'p.a.f';
              Real 'p.a.t';
              Real 'p.b.d.c';
              Real 'p.b.d.s';
              Real 'p.b.x';
              Real 'p.b.f';
              Real 'p.b.t';
              Real 'q.a.d.c';
              Real 'q.a.d.s';
              Real 'q.a.x';
              Real 'q.a.f';
              Real 'q.a.t';
              Real 'q.b.d.c';
              Real 'q.b.d.s';
              Real 'q.b.x';
              Real 'q.b.f';
              Real 'q.b.t';
            equation
              'w.b.d.c' = 1;
              'w.b.d.s' = 0;
              'w.b.x' = 0;
              'p.b.x' = 'p.a.x' + 1;
              'p.a.f' + 'p.b.f' = 0;
              'p.a.t' + 'p.b.t' = 0;
              Direction('p.b.d.c', 'p.b.d.s') = Direction('p.a.d.c', 'p.a.d.s');
              'q.b.x' = 'q.a.x' + 1;
              'q.a.f' + 'q.b.f' = 0;
              'q.a.t' + 'q.b.t' = 0;
              Direction('q.a.d.c', 'q.a.d.s') = Direction('q.b.d.c', 'q.b.d.s');
              'w.b.x' = 'p.a.x';
              'q.b.x' = 'p.b.x';
              'w.b.f' + 'p.a.f' = 0.0;
              'w.b.t' + 'p.a.t' = 0.0;
              'q.b.f' + 'p.b.f' = 0.0;
              'q.b.t' + 'p.b.t' = 0.0;
              'q.a.f' = 0.0;
              'q.a.t' = 0.0;
              'w.b.d.c' = 'p.a.d.c';
              'w.b.d.s' = 'p.a.d.s';
              'q.b.d.c' = 'p.b.d.c';
              'q.b.d.s' = 'p.b.d.s';
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn a_circle_is_opened() {
    check(
        &angles(
            "model M World w; Bar p; Bar q; equation connect(w.b, p.a); connect(w.b, q.a); connect(p.b, q.b); end M;",
        ),
        expect![[r#"
            record Direction
              Real c;
              Real s;
            end Direction;

            function 'Direction.equalityConstraint'
              input Direction a;
              input Direction b;
              output Real[1] residue;
            algorithm
              residue := {a.c*b.s - a.s*b.c};
            end 'Direction.equalityConstraint';

            model M
              Real 'w.b.d.c';
              Real 'w.b.d.s';
              Real 'w.b.x';
              Real 'w.b.f';
              Real 'w.b.t';
              Real 'p.a.d.c';
              Real 'p.a.d.s';
              Real 'p.a.x';
              Real 'p.a.f';
              Real 'p.a.t';
              Real 'p.b.d.c';
              Real 'p.b.d.s';
              Real 'p.b.x';
              Real 'p.b.f';
              Real 'p.b.t';
              Real 'q.a.d.c';
              Real 'q.a.d.s';
              Real 'q.a.x';
              Real 'q.a.f';
              Real 'q.a.t';
              Real 'q.b.d.c';
              Real 'q.b.d.s';
              Real 'q.b.x';
              Real 'q.b.f';
              Real 'q.b.t';
            equation
              'w.b.d.c' = 1;
              'w.b.d.s' = 0;
              'w.b.x' = 0;
              'p.b.x' = 'p.a.x' + 1;
              'p.a.f' + 'p.b.f' = 0;
              'p.a.t' + 'p.b.t' = 0;
              Direction('p.b.d.c', 'p.b.d.s') = Direction('p.a.d.c', 'p.a.d.s');
              'q.b.x' = 'q.a.x' + 1;
              'q.a.f' + 'q.b.f' = 0;
              'q.a.t' + 'q.b.t' = 0;
              Direction('q.b.d.c', 'q.b.d.s') = Direction('q.a.d.c', 'q.a.d.s');
              'w.b.x' = 'p.a.x';
              'p.a.x' = 'q.a.x';
              'p.b.x' = 'q.b.x';
              'w.b.f' + 'p.a.f' + 'q.a.f' = 0.0;
              'w.b.t' + 'p.a.t' + 'q.a.t' = 0.0;
              'p.b.f' + 'q.b.f' = 0.0;
              'p.b.t' + 'q.b.t' = 0.0;
              'w.b.d.c' = 'p.a.d.c';
              'w.b.d.s' = 'p.a.d.s';
              'w.b.d.c' = 'q.a.d.c';
              'w.b.d.s' = 'q.a.d.s';
              'Direction.equalityConstraint'(Direction('p.b.d.c', 'p.b.d.s'), Direction('q.b.d.c', 'q.b.d.s')) = fill(0.0, 1);
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn without_a_root_a_potential_one_is_taken() {
    check(
        &angles("model M Free f[2]; Bar p; equation connect(f[1].a, p.a); connect(f[2].a, p.b); end M;"),
        expect![[r#"
            record Direction
              Real c;
              Real s;
            end Direction;

            model M
              Real[2] 'f[:].a.d.c';
              Real[2] 'f[:].a.d.s';
              Real[2] 'f[:].a.x';
              Real[2] 'f[:].a.f';
              Real[2] 'f[:].a.t';
              Real 'p.a.d.c';
              Real 'p.a.d.s';
              Real 'p.a.x';
              Real 'p.a.f';
              Real 'p.a.t';
              Real 'p.b.d.c';
              Real 'p.b.d.s';
              Real 'p.b.x';
              Real 'p.b.f';
              Real 'p.b.t';
            equation
              'f[:].a.d.c'[1] = 1;
              'f[:].a.d.s'[1] = 0;
              for i in 1:2 loop
                'f[:].a.f'[i] = 0;
              end for;
              for i in 1:2 loop
                'f[:].a.t'[i] = 0;
              end for;
              'p.b.x' = 'p.a.x' + 1;
              'p.a.f' + 'p.b.f' = 0;
              'p.a.t' + 'p.b.t' = 0;
              Direction('p.b.d.c', 'p.b.d.s') = Direction('p.a.d.c', 'p.a.d.s');
              'f[:].a.x'[1] = 'p.a.x';
              'f[:].a.x'[2] = 'p.b.x';
              'f[:].a.f'[1] + 'p.a.f' = 0.0;
              'f[:].a.t'[1] + 'p.a.t' = 0.0;
              'f[:].a.f'[2] + 'p.b.f' = 0.0;
              'f[:].a.t'[2] + 'p.b.t' = 0.0;
              'f[:].a.d.c'[1] = 'p.a.d.c';
              'f[:].a.d.s'[1] = 'p.a.d.s';
              'f[:].a.d.c'[2] = 'p.b.d.c';
              'f[:].a.d.s'[2] = 'p.b.d.s';
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}

#[test]
fn types_can_be_overdetermined_too() {
    check(
        "type Angle extends Real;
           function equalityConstraint input Angle a; input Angle b; output Real residue[0]; algorithm end equalityConstraint;
         end Angle;
         connector Plug Angle theta; Real v; flow Real i; end Plug;
         model Source Plug p; equation Connections.root(p.theta); p.theta = time; p.v = 1; end Source;
         model M Source a; Source b; equation connect(a.p, b.p); end M;",
        expect![[r#"
            model M
              Real 'a.p.theta';
              Real 'a.p.v';
              Real 'a.p.i';
              Real 'b.p.theta';
              Real 'b.p.v';
              Real 'b.p.i';
            equation
              'a.p.theta' = time;
              'a.p.v' = 1;
              'b.p.theta' = time;
              'b.p.v' = 1;
              'a.p.v' = 'b.p.v';
              'a.p.i' + 'b.p.i' = 0.0;
              annotation(__rhei(paths = true));
            end M;
        "#]],
    );
}
