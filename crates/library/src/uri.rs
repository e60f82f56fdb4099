//! Resources of libraries: `modelica:/Modelica/Resources/x.txt` to a path (MLS §13.6).

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use rhei_source::Diagnostic;
use smol_str::SmolStr;

use crate::file_names::{decode, stems};
use crate::{ClassId, Library, NotFound, split_name};

/// A URI that leads to no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriError {
    /// As it is written.
    pub uri: String,
    /// Its fault.
    pub fault: UriFault,
}

/// Why a URI leads to no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UriFault {
    /// It is not written as a URI is.
    Malformed,
    /// It begins with something else than `modelica:` or `file:`: this.
    UnknownScheme(String),
    /// Its library is not there.
    NotFound(Box<NotFound>),
    /// Its library, of this name, was not read from a file, so it has no folder.
    NoFolder(SmolStr),
    /// It leaves this folder of its library by `..`.
    OutsideLibrary(PathBuf),
    /// It names a file by way of `..`.
    Climbs,
}

impl UriError {
    /// The diagnostic; the caller that knows the place of the URI adds it.
    pub fn diagnostic(&self) -> Diagnostic {
        let uri = &self.uri;
        let usual = "a resource is named as `modelica:/Library/Resources/file` or `file:///folder/file`";
        match &self.fault {
            UriFault::Malformed => {
                Diagnostic::error("uri-malformed", format!("`{uri}` does not name a resource"))
                    .with_note(usual)
            }
            UriFault::UnknownScheme(scheme) => {
                Diagnostic::error("uri-malformed", format!("`{scheme}:` of `{uri}` is not known"))
                    .with_note(usual)
            }
            UriFault::NotFound(not_found) => {
                let mut diagnostic = not_found.diagnostic();
                diagnostic.message = format!("{}, which `{uri}` names", diagnostic.message);
                diagnostic
            }
            UriFault::NoFolder(library) => {
                let why = "which was not read from a file and has none";
                Diagnostic::error("uri-malformed", format!("`{uri}` names a resource of `{library}`, {why}"))
            }
            UriFault::OutsideLibrary(folder) => {
                let message = format!("`{uri}` leaves the folder of its library by `..`");
                Diagnostic::error("uri-outside-library", message)
                    .with_note(format!("resources lie in `{}`", folder.display()))
            }
            UriFault::Climbs => Diagnostic::error("uri-outside-library", format!("`{uri}` contains `..`"))
                .with_note("name the file by its path without `..`"),
        }
    }
}

impl std::fmt::Display for UriError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.diagnostic().message)
    }
}

impl std::error::Error for UriError {}

impl Library {
    /// The path of a resource, named in the text of class `from`. Whether something is there is not looked at.
    ///
    /// The folder of `A.B` is the folder `B` in that of `A`, however `A.B` is stored. A library names itself, even where
    /// another one of its name would be found first.
    pub fn resolve_uri(&self, uri: &str, from: ClassId) -> Result<PathBuf, UriError> {
        self.resolve(uri, from).map_err(|fault| UriError { uri: uri.into(), fault })
    }

    fn resolve(&self, uri: &str, from: ClassId) -> Result<PathBuf, UriFault> {
        let (scheme, rest) = uri.split_once(':').ok_or(UriFault::Malformed)?;
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        let rest = rest.strip_prefix('/').ok_or(UriFault::Malformed)?;
        match scheme.to_ascii_lowercase().as_str() {
            "modelica" => self.resolve_modelica(rest, from),
            "file" => resolve_file(rest),
            _ => Err(UriFault::UnknownScheme(scheme.into())),
        }
    }

    fn resolve_modelica(&self, rest: &str, from: ClassId) -> Result<PathBuf, UriFault> {
        let rest = rest.strip_prefix('/').unwrap_or(rest); // `modelica://` is deprecated, and what most libraries write
        let (package, resource) = rest.split_once('/').unwrap_or((rest, ""));
        let package = decode(package).ok_or(UriFault::Malformed)?;
        let resource = decode(resource).ok_or(UriFault::Malformed)?;
        let names = split_name(&package);
        if names.contains(&"") {
            return Err(UriFault::Malformed);
        }
        let own = self.top_of(from);
        let library =
            if self.name(own) == names[0] { own } else { self.find(names[0]).map_err(UriFault::NotFound)? };
        let folder = self.resource_folder(library);
        let mut path = folder.ok_or_else(|| UriFault::NoFolder(self.name(library).clone()))?;
        // a quoted name may contain slashes, its file name does not
        let mut within: Vec<Cow<'_, str>> = names[1..].iter().filter_map(|name| stems(name).next()).collect();
        for segment in segments(&resource) {
            match segment {
                "" | "." => {}
                ".." => {
                    if within.pop().is_none() {
                        return Err(UriFault::OutsideLibrary(path));
                    }
                }
                drive if cfg!(windows) && drive.contains(':') => return Err(UriFault::OutsideLibrary(path)),
                segment => within.push(Cow::Borrowed(segment)),
            }
        }
        path.extend(within.iter().map(|segment| &**segment));
        if resource.ends_with('/') {
            path.push(""); // a folder stays one: paths are put after it as text
        }
        Ok(path)
    }

    /// Folder of a top-level class's resources: its own folder, or that of its file.
    fn resource_folder(&self, library: ClassId) -> Option<PathBuf> {
        let class = self.class(library);
        if let Some(folder) = &class.folder {
            return Some(folder.clone());
        }
        let state = self.state();
        let path = &state.files.get(class.file).path;
        state.file_of_path.contains_key(path).then(|| path.parent().unwrap_or(Path::new("")).to_owned())
    }
}

fn resolve_file(rest: &str) -> Result<PathBuf, UriFault> {
    // `file:///a` and `file:/a` are on this machine, `file://host/a` need not be
    let path = match rest.strip_prefix('/') {
        None => rest,
        Some(rest) => {
            let local = rest.strip_prefix("localhost").unwrap_or(rest);
            local.strip_prefix('/').ok_or(UriFault::Malformed)?
        }
    };
    let path = decode(path).ok_or(UriFault::Malformed)?;
    if segments(&path).any(|segment| segment == "..") {
        return Err(UriFault::Climbs);
    }
    let drive = cfg!(windows) && path.as_bytes().get(1) == Some(&b':');
    Ok(PathBuf::from(if drive { path } else { format!("/{path}") }))
}

/// The parts between slashes, whatever the system takes for a slash.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split(|c| c == '/' || (cfg!(windows) && c == '\\'))
}
