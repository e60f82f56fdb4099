//! Versions that libraries have, replace, and ask for (MLS chapter 18, version handling).

use rhei_source::{Diagnostic, Span};
use rhei_syntax::ast;
use smol_str::SmolStr;

use crate::store::State;
use crate::version::Version;
use crate::{ClassId, Library};

/// Version of a library, and the versions that it replaces or converts.
#[derive(Debug, Default)]
pub(crate) struct Release {
    pub(crate) version: Option<Version>,
    /// `conversion(noneFromVersion = …)`: it can be used in their place.
    pub(crate) replaces: Vec<Version>,
    /// `conversion(from(version = …))`: after a conversion of the user's classes.
    pub(crate) converts: Vec<Version>,
}

/// A library that is asked for, and where.
struct Used {
    name: SmolStr,
    version: Version,
    span: Span,
}

impl Library {
    /// The version that the outermost class around `class` has.
    pub fn version(&self, class: ClassId) -> Option<Version> {
        release(self.definition(self.top_of(class))).version
    }

    /// Whether the libraries that the outermost class around `class` names in `uses` are there in a version that fits.
    ///
    /// One that is not there at all is nothing to complain about until a class of it is missed. The `package.mo` of each is read.
    pub fn check_uses(&self, class: ClassId) -> Vec<Diagnostic> {
        let top = self.top_of(class);
        uses(self.definition(top)).into_iter().filter_map(|used| self.check_use(top, &used)).collect()
    }

    fn check_use(&self, user: ClassId, used: &Used) -> Option<Diagnostic> {
        let library = self.top_level(&used.name)?;
        let found = release(self.definition(library));
        let (name, wanted) = (&used.name, &used.version);
        if found.version.as_ref() == Some(wanted) || found.replaces.contains(wanted) {
            return None;
        }
        let version = found.version.as_ref().map_or("one without version".into(), ToString::to_string);
        let message =
            format!("`{}` uses {name} {wanted}, and the {name} found is {version}", self.name(user));
        let why = if found.converts.contains(wanted) {
            format!(
                "classes made for {name} {wanted} have to be converted first: names and parameters may differ"
            )
        } else {
            format!("{name} {version} does not say that it can stand in for {wanted}")
        };
        let path = self.files().get(self.file(library)).path.display().to_string();
        Some(
            Diagnostic::warning("library-version", message)
                .at(used.span, "asked for here")
                .with_note(why)
                .with_note(format!("it was found in `{path}`")),
        )
    }

    /// Notes which versions a top-level class asks for; those asked for first win.
    pub(crate) fn want_used_versions(&self, state: &mut State, class: ClassId) {
        for used in uses(self.definition(class)) {
            state.wanted_versions.entry(used.name).or_insert(used.version);
        }
    }
}

/// The version annotations of a library.
pub(crate) fn release(class: ast::ClassDefinition<'_>) -> Release {
    let Some(annotation) = class.annotation() else { return Release::default() };
    let mut release = Release { version: None, ..Release::default() };
    release.version = annotation.find("version").and_then(|version| versions(version).into_iter().next());
    for conversion in annotation.find("conversion").into_iter().flat_map(arguments) {
        match name(conversion).as_deref() {
            Some("noneFromVersion") => release.replaces.extend(versions(conversion)),
            Some("from") => {
                let from =
                    arguments(conversion).filter(|argument| name(*argument).as_deref() == Some("version"));
                release.converts.extend(from.flat_map(versions));
            }
            _ => {}
        }
    }
    release
}

fn uses(class: ast::ClassDefinition<'_>) -> Vec<Used> {
    let uses = class.annotation().and_then(|annotation| annotation.find("uses"));
    let mut found = Vec::new();
    for library in uses.into_iter().flat_map(arguments) {
        let version = arguments(library).find(|argument| name(*argument).as_deref() == Some("version"));
        if let (Some(name), Some(version)) = (name(library), version)
            && let [wanted] = &versions(version)[..]
        {
            found.push(Used { name: name.into(), version: wanted.clone(), span: library.span() });
        }
    }
    found
}

fn name(argument: ast::ElementModification<'_>) -> Option<String> {
    argument.name().map(|name| name.to_string())
}

fn arguments<'t>(
    argument: ast::ElementModification<'t>,
) -> impl Iterator<Item = ast::ElementModification<'t>> {
    let inner = argument.modification().into_iter().flat_map(ast::Modification::arguments);
    inner.filter_map(|argument| match argument {
        ast::Argument::Modification(modification) => Some(modification),
        _ => None,
    })
}

/// `= "4.1.0"` or `= {"3.1", "3.2"}`
fn versions(argument: ast::ElementModification<'_>) -> Vec<Version> {
    let text = |value: ast::Expression<'_>| match value {
        ast::Expression::String(text) => Some(Version::parse(&text.value())),
        _ => None,
    };
    match argument.modification().and_then(ast::Modification::value) {
        Some(ast::Expression::Array(array)) => array.elements().filter_map(text).collect(),
        value => value.and_then(text).into_iter().collect(),
    }
}
