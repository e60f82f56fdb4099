//! The Modelica Standard Library, where it is laid out.

use std::path::PathBuf;
use std::sync::Arc;

use rhei_library::{ClassId, Library, default_roots};
use rhei_source::{Disk, World};

use crate::counting::Counting;
use crate::{said, shown};

/// The library folder with the standard library, or a line that says it is not there.
fn root(test: &str) -> Option<PathBuf> {
    let root = default_roots(&Disk, [])
        .into_iter()
        .find(|root| Disk.kind(&root.join("Modelica/package.mo")).is_some());
    if root.is_none() {
        eprintln!(
            "skipped {test}: the Modelica Standard Library is not in MODELICAPATH or ~/.rhei/libraries"
        );
    }
    root
}

#[test]
fn a_class_is_found_by_reading_what_is_on_the_way() {
    let Some(root) = root("a_class_is_found_by_reading_what_is_on_the_way") else { return };
    let counting = Arc::new(Counting::new(Disk));
    let library = Library::new(counting.clone(), vec![root]);
    let resistor = library.find("Modelica.Electrical.Analog.Basic.Resistor").unwrap();
    assert!(counting.files_read().len() <= 5, "{:?}", counting.files_read());
    assert!(counting.folders_listed().len() <= 5, "{:?}", counting.folders_listed());
    assert_eq!(said(&library), "");
    assert!(library.definition(resistor).elements().count() > 3);
    assert_eq!(shown(&library, &library.check_uses(resistor)), "", "it uses libraries that lie beside it");
    let resource = library
        .resolve_uri("modelica://Modelica/Resources/Images/Logos/Modelica_Libraries.svg", resistor)
        .unwrap();
    assert!(Disk.kind(&resource).is_some(), "{}", resource.display());
}

#[test]
fn every_class_is_found_and_every_file_is_where_it_says() {
    let Some(root) = root("every_class_is_found_and_every_file_is_where_it_says") else { return };
    let library = Library::new(Arc::new(Disk), vec![root]);
    let mut classes = 0;
    let mut waiting: Vec<ClassId> = ["Modelica", "ModelicaServices", "Complex", "ModelicaTest"]
        .iter()
        .filter_map(|name| library.top_level(name))
        .collect();
    while let Some(class) = waiting.pop() {
        classes += 1;
        for name in library.children(class) {
            let inner = library.child(class, &name);
            let inner = inner.unwrap_or_else(|| panic!("{name} of {}", library.qualified_name(class)));
            assert_eq!(library.class_of(library.definition(inner)), inner);
            waiting.push(inner);
        }
    }
    assert_eq!(said(&library), "");
    assert!(classes > 5000, "{classes}");
}
