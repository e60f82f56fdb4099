//! An instance of a model as text, and broken ones.

use std::sync::Arc;

use expect_test::expect;
use rhei_library::Library;
use rhei_semantics::instantiate;
use rhei_source::InMemory;

#[test]
fn the_tree_of_a_model_is_readable_and_a_broken_one_is_found() {
    let library = Library::new(Arc::new(InMemory::default()), Vec::new());
    let text = "\
package P
  connector Pin Real v; flow Real i; end Pin;
  model R parameter Real R = 1; Pin p; Pin n; equation p.v - n.v = R*p.i; p.i + n.i = 0; end R;
  model M R r[2](R = {1, 2}); Real x(start = 1, fixed = true); equation connect(r[1].n, r[2].p); der(x) = -x; end M;
end P;
";
    library.load_text("p.mo", text);
    let class = library.find("P.M").unwrap();
    let (instance, said) = instantiate(&library, class);
    let mut instance = instance.unwrap_or_else(|| panic!("{said:?}"));
    instance.verify().unwrap();
    expect![[r#"
        instance of P.M
          P.R r[2]
            parameter Real[2] 'r[:].R' = {1, 2}
            connector P.Pin p
              Real[2] 'r[:].p.v'
              Real[2] 'r[:].p.i'
            connector P.Pin n
              Real[2] 'r[:].n.v'
              Real[2] 'r[:].n.i'
          Real x(start = 1, fixed = true)
        3 equations, 0 initial equations, 0 algorithms, 1 connections
    "#]]
    .assert_eq(&instance.to_string());

    instance.sections.connections[0].left.subscripts.pop();
    assert_eq!(
        instance.verify().unwrap_err().to_string(),
        "n has 1 dimensions and is connected with 0 subscripts"
    );
    let last = instance.components.len() - 1;
    instance.components[last].variable = instance.components[2].variable;
    assert_eq!(instance.verify().unwrap_err().to_string(), "x is a variable that is not its own");
}
