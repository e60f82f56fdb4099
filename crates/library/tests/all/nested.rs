//! From syntax to ids.

use rhei_library::{ClassId, Library};
use rhei_syntax::{SyntaxKind, ast};

use crate::library;

/// The ids of all definitions of the file of a class, in the order of the text.
fn classes(library: &Library, of: ClassId) -> Vec<ClassId> {
    let nodes = library.tree(library.file(of)).nodes();
    let definitions =
        nodes.filter(|node| node.kind() == SyntaxKind::ClassDefinition).filter_map(ast::View::cast);
    definitions.map(|definition| library.class_of(definition)).collect()
}

#[test]
fn definitions_know_the_class_in_which_their_names_are_looked_up() {
    let library = library(&[]);
    let text = "
        package P
          model A
            replaceable model N = X;
            model Inner
              B b(redeclare model InModification = Y);
            end Inner;
          end A;
          model Short = A(redeclare model InShort = Z(redeclare model Deeper = W));
          model C
            extends A(redeclare model InExtends
              model Local end Local;
            end InExtends);
          end C;
        end P;";
    let top = library.load_text("a.mo", text)[0];
    let names: Vec<String> = classes(&library, top).into_iter().map(|c| library.qualified_name(c)).collect();
    let expected = [
        "P",
        "P.A",
        "P.A.N",
        "P.A.Inner",
        "P.A.Inner.InModification",
        "P.Short",
        "P.InShort",
        "P.Deeper",
        "P.C",
        "P.C.InExtends",
        "P.C.InExtends.Local",
    ];
    assert_eq!(names, expected);
    assert_eq!(library.child(top, "InShort"), None, "a redeclaration is no element of the class around it");
}

#[test]
fn a_definition_has_one_id_however_it_is_reached() {
    let library = library(&[]);
    let top = library.load_text("a.mo", "package P package Q model M end M; end Q; end P;")[0];
    let all = classes(&library, top);
    assert_eq!(library.find("P.Q.M"), Ok(all[2]));
    let definition = library.definition(all[2]);
    assert_eq!(library.class_of_in(definition, top), all[2]);
}

#[test]
fn views_stay_valid_while_more_is_loaded() {
    let library = library(&[]);
    let first = library.load_text("first.mo", "model First end First;")[0];
    let view = library.definition(first);
    for i in 0..1000 {
        library.load_text("more.mo", &format!("model M{i} end M{i};"));
    }
    assert_eq!(view.name().unwrap().text(), "First");
    assert_eq!(library.definition(first), view);
}
