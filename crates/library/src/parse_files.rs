//! Many files at once, for their syntax alone: read and parsed on all processors.

use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;
use rhei_source::{Diagnostic, FileId, Files, World, decode};

use crate::UnreadableFile;
use crate::encoding::encoding_warning;

/// The files, and their diagnostics in the same order; trees are not kept.
pub fn parse_files(world: &dyn World, paths: &[PathBuf]) -> Result<(Files, Vec<Diagnostic>), UnreadableFile> {
    let parse = |(place, path): (usize, &PathBuf)| {
        let bytes = world.read(path).map_err(|source| UnreadableFile { path: path.clone(), source })?;
        let decoded = decode(bytes);
        let file = FileId(place as u32);
        let mut said: Vec<Diagnostic> = encoding_warning(world, path, file, &decoded).into_iter().collect();
        let text: Arc<str> = decoded.text.into();
        said.extend(rhei_syntax::parse(file, text.clone()).diagnostics);
        Ok((text, said))
    };
    // all of them before the first failure is looked at: which one that is must not depend on the processors
    let parsed: Vec<Result<_, UnreadableFile>> = paths.par_iter().enumerate().map(parse).collect();
    let (mut files, mut diagnostics) = (Files::default(), Vec::new());
    for (path, parsed) in paths.iter().zip(parsed) {
        let (text, said) = parsed?;
        files.add(path, text);
        diagnostics.extend(said);
    }
    Ok((files, diagnostics))
}
