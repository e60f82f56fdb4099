//! Compiled models that are kept in a folder: found again as long as their sources are the same, and only then.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rhei::{Compilation, Disk, Experiment, Session};

/// A folder of a test's own, with a library in it and a place for compiled models.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache").join(test);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("lib/Parts")).unwrap();
        let folder = Folder(path);
        folder.write("lib/Parts/package.mo", "package Parts end Parts;");
        folder.write(
            "lib/Parts/Twice.mo",
            "within Parts; block Twice input Real u; output Real y = 2*u; end Twice;",
        );
        folder.write(
            "m.mo",
            "model M parameter Integer n = 1; parameter Real k = 1; Real x[n]; Parts.Twice twice(u = k);
             equation for i in 1:n loop x[i] = i*twice.y; end for; end M;",
        );
        folder
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    /// Asks a new session, as another process would.
    fn ask(&self, settings: &[&str]) -> Compilation {
        let session = Session::in_world(Arc::new(Disk), vec![self.0.join("lib")]);
        let settings: Vec<String> = settings.iter().map(|text| text.to_string()).collect();
        let file = self.0.join("m.mo");
        session.with_cache(self.0.join("kept")).check(file.to_str().unwrap(), None, &settings).unwrap()
    }

    fn kept(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.0.join("kept")).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

fn is_known(compilation: &Compilation) -> bool {
    compilation.timings.iter().any(|(pass, _)| *pass == "cache")
}

/// The last element of `x`, and whether the model had been compiled before.
fn answer(compilation: &Compilation) -> (f64, bool) {
    let model = compilation.model().unwrap_or_else(|| panic!("{:?}", compilation.diagnostics));
    let last = model.variables().iter().filter(|v| v.name.starts_with("x[")).count();
    let results = model.simulate(&Experiment::default()).unwrap();
    (results.last(&format!("x[{last}]")).unwrap(), is_known(compilation))
}

#[test]
fn an_unchanged_model_is_not_compiled_again() {
    let folder = Folder::new("unchanged");
    let first = folder.ask(&[]);
    assert_eq!(answer(&first), (2.0, false));
    let second = folder.ask(&[]);
    assert_eq!(answer(&second), (2.0, true));
    assert_eq!((second.size, &second.name), (first.size, &first.name));
    assert_eq!(second.files.len(), first.files.len());
    assert_eq!(folder.kept().len(), 1);
}

#[test]
fn any_change_of_what_it_is_made_of_is_seen() {
    let folder = Folder::new("changed");
    folder.ask(&[]);
    folder.write(
        "lib/Parts/Twice.mo",
        "within Parts; block Twice input Real u; output Real y = 3*u; end Twice;",
    );
    assert_eq!(answer(&folder.ask(&[])), (3.0, false));
    assert_eq!(answer(&folder.ask(&[])), (3.0, true));
    // a class that hides the one of the library: nothing that was read has changed
    folder.write(
        "m.mo",
        "package Parts block Twice input Real u; output Real y = 5*u; end Twice; end Parts;
         model M Real x[1] = {twice.y}; Parts.Twice twice(u = 1); end M;",
    );
    assert_eq!(answer(&folder.ask(&[])), (5.0, false));
    // what had been looked for in vain
    let folder = Folder::new("appeared");
    folder.ask(&[]);
    folder.write("lib/Parts/package.order", "Twice\n");
    assert!(!is_known(&folder.ask(&[])));
    fs::remove_file(folder.0.join("lib/Parts/Twice.mo")).unwrap();
    assert!(folder.ask(&[]).has_errors());
}

#[test]
fn settings_are_values_of_the_kept_model_or_keep_one_of_their_own() {
    let folder = Folder::new("settings");
    assert_eq!(answer(&folder.ask(&["k=5"])), (10.0, false));
    assert_eq!(answer(&folder.ask(&["k=7"])), (14.0, true));
    assert_eq!(folder.kept().len(), 1, "values of a run are none of the model");
    assert_eq!(answer(&folder.ask(&["n=3"])), (6.0, false));
    assert_eq!(answer(&folder.ask(&["n=3"])), (6.0, true));
    assert_eq!(answer(&folder.ask(&["n=3", "k=2"])), (12.0, false));
    assert_eq!(answer(&folder.ask(&["n=3", "k=2"])), (12.0, true));
    let wrong = folder.ask(&["q=3"]);
    assert!(wrong.blames_settings && wrong.model().is_none());
    assert_eq!(wrong.diagnostics[0].id, "setting-unknown");
}

#[test]
fn mistakes_are_not_kept() {
    let folder = Folder::new("mistakes");
    folder.write("m.mo", "model M Real x = y; end M;");
    assert!(folder.ask(&[]).has_errors());
    assert!(folder.ask(&[]).has_errors());
    assert!(!folder.0.join("kept").exists());
}

#[test]
fn a_damaged_entry_is_as_good_as_none() {
    let folder = Folder::new("damaged");
    folder.ask(&[]);
    let entry = folder.kept().remove(0);
    let whole = fs::read(&entry).unwrap();
    for length in [0, 10, 30, whole.len() / 2, whole.len() - 1] {
        fs::write(&entry, &whole[..length]).unwrap();
        assert_eq!(answer(&folder.ask(&[])), (2.0, false), "{length} bytes");
        assert!(fs::read(&entry).unwrap().len() > length, "it was not written anew");
    }
    for place in (0..whole.len()).step_by(7) {
        let mut changed = whole.clone();
        changed[place] ^= 4;
        fs::write(&entry, &changed).unwrap();
        assert_eq!(answer(&folder.ask(&[])), (2.0, false), "byte {place}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_to_harms_nothing() {
    let folder = Folder::new("blocked");
    folder.write("kept", "a file where the folder should be");
    assert_eq!(answer(&folder.ask(&[])), (2.0, false));
    assert_eq!(answer(&folder.ask(&[])), (2.0, false));
}
