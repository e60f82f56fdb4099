//! A compiled model as bytes: a file for other machines, and for the next run on this one.
//!
//! Written is what the structural passes leave, the equations and how they are solved; code is generated anew by whoever reads it, since
//! code belongs to a machine. With it goes what people are told: declarations, diagnostics, and the lines of source text that messages may
//! quote ([`Excerpts`]). Numbers keep their bits, so that a run of the model that was read has those of a run of the model that was written.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `MAGIC` |
//! | 8 | the build that wrote it; no other one reads it |
//! | 8 | length of the content |
//! | 16 | XXH3 (128 bits) of all other bytes |
//! | the rest | the content: `postcard`, compressed by LZ4 |

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use rhei_equations::{Equations, Partition, VarId};
use rhei_external::{is_pure, is_settled};
use rhei_flat::{Declarations, Tables};
use rhei_model::{CompiledModel, CompiledPart};
use rhei_solvable::{Schedule, Solvable, Ticking};
use rhei_source::{Diagnostic, Excerpts, Files, spans_written};
use rhei_structure::{Modes, TickingModes};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::deep::with_deep_stack;
use crate::solved::Solved;
use crate::ticking_modes::TickingPart;

/// The first bytes of a model file; the third line end catches transfers that change line ends.
const MAGIC: [u8; 8] = *b"rhei\r\n\x1a\n";
/// The build of this program, by its sources.
pub const BUILD: &str = env!("RHEI_BUILD");
/// Magic, build, length and checksum.
const HEADER: usize = 40;
/// LZ4 shrinks to a 255th at best: a longer content is none that was written.
const MOST_SHRUNK: usize = 255;
/// Source text between the quoted lines, beyond which a file is none that was written: all libraries together have a hundredth of it.
const MOST_TEXT: usize = 1 << 32;

/// A model that can run, with all that goes along with it.
#[derive(Debug)]
pub struct PortableModel {
    /// The model.
    pub compiled: Arc<CompiledModel>,
    /// Its variables as they are declared.
    pub declarations: Declarations,
    /// Warnings and notes of its compilation.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that diagnostics speak of.
    pub files: Files,
}

/// Why bytes are no model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongModelFile {
    /// Something else altogether.
    Foreign,
    /// Written by another build of this program.
    OtherBuild,
    /// Less than was written, or changed on the way.
    Damaged,
}

impl WrongModelFile {
    /// What to tell, `name` being that of the file.
    pub fn diagnostic(self, name: &str) -> Diagnostic {
        match self {
            WrongModelFile::Foreign => {
                let said = Diagnostic::error("model-file-foreign", format!("`{name}` is no compiled model"));
                said.with_note("`rhei compile` writes one")
            }
            WrongModelFile::OtherBuild => {
                let message = format!("`{name}` was compiled by another version of rhei");
                let note = "a compiled model belongs to the version that wrote it: compile it anew";
                Diagnostic::error("model-file-version", message).with_note(note)
            }
            WrongModelFile::Damaged => {
                let message = format!("`{name}` is damaged: it is not as it was written");
                let note = "it was cut off or changed on the way: copy it again, or compile it anew";
                Diagnostic::error("model-file-damaged", message).with_note(note)
            }
        }
    }
}

impl fmt::Display for WrongModelFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WrongModelFile::Foreign => "no compiled model",
            WrongModelFile::OtherBuild => "compiled by another version of rhei",
            WrongModelFile::Damaged => "damaged",
        })
    }
}

impl std::error::Error for WrongModelFile {}

/// All that a file holds; borrowed to be written, owned once it was read.
#[derive(Serialize, Deserialize)]
struct Content<'a> {
    model: Part<'a>,
    /// The equations of all modes.
    modes: Option<Cow<'a, Equations>>,
    ticking: Vec<TickingContent<'a>>,
    /// The functions that equations refer to, each once: most share them.
    functions: Vec<Cow<'a, Tables>>,
    /// The place in `functions` of all equations, in the order of [`Content::equations`].
    functions_of: Vec<usize>,
    start_notes: Vec<Diagnostic>,
    is_refused_at_start: bool,
    declarations: Cow<'a, Declarations>,
    diagnostics: Vec<Diagnostic>,
    /// Values of parameters that were set.
    set: Vec<(VarId, f64)>,
}

/// Equations, and how they are solved.
#[derive(Serialize, Deserialize)]
struct Part<'a> {
    equations: Cow<'a, Equations>,
    solvable: Cow<'a, Solvable>,
}

/// A clocked partition.
#[derive(Serialize, Deserialize)]
struct TickingContent<'a> {
    part: Part<'a>,
    schedule: Cow<'a, Schedule>,
    /// The equations of all its modes.
    modes: Option<Cow<'a, Partition>>,
}

impl PortableModel {
    /// Whether its sources alone make it what it is: no function that was called for it looked at files or the environment.
    pub fn follows_from_sources(&self) -> bool {
        let looks_around = |name: &str| is_settled(name) && !is_pure(name);
        let functions = &self.compiled.equations.functions.functions;
        !functions
            .iter()
            .filter_map(|function| function.external.as_ref())
            .any(|called| looks_around(&called.name))
    }

    /// The model as bytes, with values for some of its parameters.
    pub fn write(&self, set: &FxHashMap<VarId, f64>) -> Vec<u8> {
        let mut set: Vec<(VarId, f64)> = set.iter().map(|(&v, &value)| (v, value)).collect();
        set.sort_unstable_by_key(|(v, _)| *v);
        let content = Content::of(self, set);
        let (body, spans) = spans_written(|| postcard::to_allocvec(&content));
        let excerpts = postcard::to_allocvec(&Excerpts::new(&self.files, spans));
        let mut all = body.expect("a model has a length, and so can be written");
        all.extend(excerpts.expect("a text has a length, and so can be written"));
        let content = lz4_flex::block::compress(&all);
        let mut bytes = Vec::with_capacity(HEADER + content.len());
        bytes.extend(MAGIC);
        bytes.extend(build());
        bytes.extend((all.len() as u64).to_le_bytes());
        let sum = checksum(&bytes, &content);
        bytes.extend(sum);
        bytes.extend(content);
        bytes
    }

    /// The model that bytes are, with values for some of its parameters.
    pub fn read(bytes: &[u8]) -> Result<(PortableModel, FxHashMap<VarId, f64>), WrongModelFile> {
        PortableModel::read_as(bytes, Verify::All)
    }

    /// The same for bytes that the reader wrote itself: its checksum tells what changed since. What machine code rests on is checked
    /// where it is made, as always.
    pub fn read_own(bytes: &[u8]) -> Result<(PortableModel, FxHashMap<VarId, f64>), WrongModelFile> {
        PortableModel::read_as(bytes, Verify::Checksum)
    }

    fn read_as(
        bytes: &[u8],
        verify: Verify,
    ) -> Result<(PortableModel, FxHashMap<VarId, f64>), WrongModelFile> {
        let content = checked(bytes)?;
        // expressions of functions are trees, as deep as somebody wrote them
        with_deep_stack(|| decoded(&content, verify))
    }
}

/// What is looked at before a model is taken from bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verify {
    /// The checksum, and that nothing refers to what is not there: the bytes may be anybody's.
    All,
    Checksum,
}

fn decoded(content: &[u8], verify: Verify) -> Result<(PortableModel, FxHashMap<VarId, f64>), WrongModelFile> {
    let damaged = |_| WrongModelFile::Damaged;
    let (content, rest): (Content<'static>, &[u8]) = postcard::take_from_bytes(content).map_err(damaged)?;
    let excerpts: Excerpts = postcard::from_bytes(rest).map_err(damaged)?;
    let files = excerpts.into_files(MOST_TEXT).ok_or(WrongModelFile::Damaged)?;
    content.into_model(files, verify).ok_or(WrongModelFile::Damaged)
}

/// The content of a file whose header is right and whose checksum holds.
fn checked(bytes: &[u8]) -> Result<Vec<u8>, WrongModelFile> {
    if !bytes.starts_with(&MAGIC) {
        // an empty file, or one that ends within the first bytes, may have been one
        return Err(if MAGIC.starts_with(bytes) { WrongModelFile::Damaged } else { WrongModelFile::Foreign });
    }
    let (header, content) = bytes.split_at_checked(HEADER).ok_or(WrongModelFile::Damaged)?;
    if header[8..16] != build() {
        return Err(WrongModelFile::OtherBuild);
    }
    let (head, sum) = header.split_at(24);
    if checksum(head, content) != sum {
        return Err(WrongModelFile::Damaged);
    }
    let length = u64::from_le_bytes(head[16..].try_into().expect("the header has its length"));
    let length = usize::try_from(length).ok().filter(|&n| n / MOST_SHRUNK <= content.len());
    lz4_flex::block::decompress(content, length.ok_or(WrongModelFile::Damaged)?)
        .map_err(|_| WrongModelFile::Damaged)
}

fn build() -> [u8; 8] {
    u64::from_str_radix(BUILD, 16).expect("the build is sixteen hexadecimal digits").to_le_bytes()
}

fn checksum(head: &[u8], content: &[u8]) -> [u8; 16] {
    let mut hasher = Xxh3::new();
    hasher.update(head);
    hasher.update(content);
    hasher.digest128().to_le_bytes()
}

impl<'a> Content<'a> {
    fn of(model: &'a PortableModel, set: Vec<(VarId, f64)>) -> Content<'a> {
        let compiled = &*model.compiled;
        let mut content = Content {
            model: Part::of(compiled),
            modes: compiled.modes.as_ref().map(|modes| Cow::Borrowed(modes.equations())),
            ticking: compiled.parts.iter().map(|part| TickingContent::of(part)).collect(),
            functions: Vec::new(),
            functions_of: Vec::new(),
            start_notes: compiled.start_notes.clone(),
            is_refused_at_start: compiled.is_refused_at_start,
            declarations: Cow::Borrowed(&model.declarations),
            diagnostics: model.diagnostics.clone(),
            set,
        };
        let (mut functions, mut functions_of): (Vec<&'a Arc<Tables>>, Vec<usize>) = Default::default();
        for tables in content.tables() {
            let known = functions.iter().position(|known| Arc::ptr_eq(known, tables));
            functions_of.push(known.unwrap_or(functions.len()));
            if known.is_none() {
                functions.push(tables);
            }
        }
        content.functions = functions.into_iter().map(|tables| Cow::Borrowed(&**tables)).collect();
        content.functions_of = functions_of;
        content
    }

    /// The functions of all equations, in the order of [`Content::equations`].
    fn tables(&self) -> Vec<&'a Arc<Tables>> {
        fn of<'a>(equations: &Cow<'a, Equations>) -> Option<&'a Arc<Tables>> {
            match equations {
                Cow::Borrowed(equations) => Some(&equations.functions),
                Cow::Owned(_) => None,
            }
        }
        let ticking = self.ticking.iter().flat_map(|part| {
            let modes = part.modes.as_ref().and_then(|modes| match modes {
                Cow::Borrowed(partition) => Some(&partition.equations.functions),
                Cow::Owned(_) => None,
            });
            [of(&part.part.equations), modes]
        });
        let modes = self.modes.as_ref().and_then(of);
        [of(&self.model.equations), modes].into_iter().chain(ticking).flatten().collect()
    }

    /// All equations: those of the model, of its modes, of each clocked partition, and of the modes of that.
    fn equations(&mut self) -> Vec<&mut Equations> {
        let mut all = vec![self.model.equations.to_mut()];
        all.extend(self.modes.as_mut().map(Cow::to_mut));
        for part in &mut self.ticking {
            all.push(part.part.equations.to_mut());
            all.extend(part.modes.as_mut().map(|modes| &mut modes.to_mut().equations));
        }
        all
    }

    /// The model with its code; nothing where something refers to what is not there.
    fn into_model(mut self, files: Files, verify: Verify) -> Option<(PortableModel, FxHashMap<VarId, f64>)> {
        let functions = std::mem::take(&mut self.functions);
        let functions: Vec<Arc<Tables>> =
            functions.into_iter().map(|tables| Arc::new(tables.into_owned())).collect();
        let functions_of = std::mem::take(&mut self.functions_of);
        let equations = self.equations();
        if equations.len() != functions_of.len() {
            return None;
        }
        for (equations, place) in equations.into_iter().zip(functions_of) {
            equations.functions = functions.get(place)?.clone();
            if verify == Verify::All {
                equations.verify().ok()?;
            }
        }
        let Part { equations, solvable } = self.model;
        let (equations, solvable) = (equations.into_owned(), solvable.into_owned());
        if verify == Verify::All {
            solvable.verify(&equations).ok()?;
        }
        let solved = Solved {
            equations,
            solvable,
            ticking: self.ticking.into_iter().map(TickingContent::into_part).collect::<Option<_>>()?,
            modes: match self.modes {
                Some(equations) => Some(Modes::with_guards(equations.into_owned())?),
                None => None,
            },
            start_notes: self.start_notes,
            is_refused_at_start: self.is_refused_at_start,
        };
        let model = PortableModel {
            compiled: Arc::new(solved.generate()),
            declarations: self.declarations.into_owned(),
            diagnostics: self.diagnostics,
            files,
        };
        Some((model, self.set.into_iter().collect()))
    }
}

impl<'a> Part<'a> {
    fn of(model: &'a CompiledModel) -> Part<'a> {
        Part { equations: Cow::Borrowed(&model.equations), solvable: Cow::Borrowed(&model.solvable) }
    }
}

impl<'a> TickingContent<'a> {
    fn of(part: &'a CompiledPart) -> TickingContent<'a> {
        TickingContent {
            part: Part::of(&part.model),
            schedule: Cow::Borrowed(&part.schedule),
            modes: part.modes.as_ref().map(|modes| Cow::Borrowed(modes.partition())),
        }
    }

    fn into_part(self) -> Option<TickingPart> {
        let Part { equations, solvable } = self.part;
        let ticking = Ticking {
            equations: equations.into_owned(),
            solvable: solvable.into_owned(),
            schedule: self.schedule.into_owned(),
        };
        let modes = match self.modes {
            Some(partition) => Some(TickingModes::with_guards(partition.into_owned())?),
            None => None,
        };
        Some(TickingPart { ticking, modes })
    }
}
