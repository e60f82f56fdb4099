//! A file of rows that is whole or not there: the part shared by the formats.
//!
//! Rows go to `out.csv.partial` beside the wanted `out.csv`, which takes its name only when it is done. The buffer is written
//! after [`BUFFER`] bytes or [`WAIT`], at the ends of rows. A write that failed half-way is cut off again, so that also on a full
//! disk the partial file ends with a whole row. Only a run that is killed in the midst of a write leaves a piece of a row behind.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::sink::{Kept, WriteError};

/// How much is collected before it goes to the file.
const BUFFER: usize = 1 << 16;
/// How long a row waits at most, as long as steps are taken.
const WAIT: Duration = Duration::from_secs(1);

/// A file being written.
#[derive(Debug)]
pub(crate) struct RowFile {
    file: File,
    /// The partial file and the final one (the same if the target is no regular file, such as `/dev/null`, which
    /// cannot be replaced).
    partial: PathBuf,
    path: PathBuf,
    /// Bytes still to be written.
    waiting: Vec<u8>,
    /// When something was written last.
    written_at: Instant,
    /// How much of the file is written, and how many rows that is.
    length: u64,
    written: Rows,
    /// The same with the buffer.
    taken: Rows,
    state: State,
}

/// Rows, counted.
#[derive(Clone, Copy, Debug, Default)]
struct Rows {
    count: u64,
    /// The time of the last one.
    until: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    /// A write failed: the contents of the partial file stay.
    Failed,
    Done,
}

impl RowFile {
    /// Creates the partial file.
    pub(crate) fn create(path: impl Into<PathBuf>) -> Result<RowFile, WriteError> {
        let path = followed(path.into());
        let metadata = fs::metadata(&path).ok();
        if metadata.as_ref().is_some_and(fs::Metadata::is_dir) {
            let folder = io::Error::from(io::ErrorKind::IsADirectory);
            return Err(WriteError::at("create", &path)(folder));
        }
        let special = metadata.is_some_and(|metadata| !metadata.is_file());
        let partial = if special { path.clone() } else { partial_path(&path) };
        let file = if special { OpenOptions::new().write(true).open(&path) } else { create_locked(&partial) };
        Ok(RowFile {
            file: file.map_err(WriteError::at("create", &partial))?,
            partial,
            path,
            waiting: Vec::with_capacity(BUFFER),
            written_at: Instant::now(),
            length: 0,
            written: Rows::default(),
            taken: Rows::default(),
            state: State::Open,
        })
    }

    /// The buffer to which bytes are added.
    pub(crate) fn waiting(&mut self) -> &mut Vec<u8> {
        &mut self.waiting
    }

    /// How many rows were taken.
    pub(crate) fn rows(&self) -> u64 {
        self.taken.count
    }

    /// The time of the last row that was taken.
    pub(crate) fn last_time(&self) -> f64 {
        self.taken.until
    }

    /// Ends a row of this time in the buffer.
    pub(crate) fn end_row(&mut self, time: f64) {
        self.taken = Rows { count: self.taken.count + 1, until: time };
    }

    /// Whether it is time to write the buffer.
    pub(crate) fn is_due(&self) -> bool {
        let old = || self.written_at.elapsed() >= WAIT;
        self.state == State::Open && (self.waiting.len() >= BUFFER || !self.waiting.is_empty() && old())
    }

    /// Writes the buffer.
    pub(crate) fn flush(&mut self) -> Result<(), WriteError> {
        let bytes = std::mem::take(&mut self.waiting);
        let written = self.file.write_all(&bytes);
        self.checked("write", written)?;
        self.length += bytes.len() as u64;
        self.written = self.taken;
        self.written_at = Instant::now();
        self.waiting = bytes;
        self.waiting.clear();
        Ok(())
    }

    /// Overwrites earlier bytes, such as a count in a header.
    pub(crate) fn overwrite(&mut self, offset: u64, bytes: &[u8]) -> Result<(), WriteError> {
        let written = self
            .file
            .seek(SeekFrom::Start(offset))
            .and_then(|_| self.file.write_all(bytes))
            .and_then(|()| self.file.seek(SeekFrom::Start(self.length)));
        self.checked("write", written).map(|_| ())
    }

    /// The file is as whole as it shall be, and everything is written: it takes its name.
    pub(crate) fn take_place(&mut self) -> Result<PathBuf, WriteError> {
        if self.partial != self.path {
            // A full disk may only show when the data really goes there.
            let synced = self.file.sync_all();
            self.checked("write", synced)?;
            let renamed = fs::rename(&self.partial, &self.path);
            self.checked("rename", renamed)?;
        }
        self.state = State::Done;
        Ok(self.path.clone())
    }

    /// Whether the rows so far shall take the place of the file after a run that ended early: not where there are
    /// none, and not where some could not be written. A partial file without rows is removed.
    pub(crate) fn is_worth_keeping(&mut self) -> bool {
        if self.state == State::Open && self.taken.count == 0 && self.partial != self.path {
            let _ = fs::remove_file(&self.partial);
            self.state = State::Done;
        }
        self.state == State::Open
    }

    /// Whether there is something left to save when the file is dropped.
    pub(crate) fn is_open(&self) -> bool {
        self.state == State::Open
    }

    /// After a failure: cuts off the incomplete part, and reports the rows that are left.
    fn checked<T>(&mut self, action: &'static str, done: io::Result<T>) -> Result<T, WriteError> {
        done.map_err(|source| {
            self.state = State::Failed;
            let mut kept = None;
            if self.partial != self.path {
                let whole = self.file.set_len(self.length).is_ok();
                kept = (whole && self.written.count > 0)
                    .then_some(Kept { rows: self.written.count, until: self.written.until });
                if whole && kept.is_none() {
                    let _ = fs::remove_file(&self.partial);
                }
            }
            WriteError { path: self.partial.clone(), action, source, kept }
        })
    }
}

/// Path of the rows of a file until it is done.
pub fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

/// The target of a link: the file takes the place of that, not of the link.
fn followed(path: PathBuf) -> PathBuf {
    if path.is_symlink() { fs::canonicalize(&path).unwrap_or(path) } else { path }
}

/// An empty file of this process alone: two runs that write to one file would mix their rows.
fn create_locked(partial: &Path) -> io::Result<File> {
    loop {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(partial)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another run is writing it"));
            }
            // a file system without locks
            Err(TryLockError::Error(_)) => {}
        }
        // The other run may have ended between the two: the file then has its name by now, and is not ours.
        if is_at(&file, partial)? {
            file.set_len(0)?;
            return Ok(file);
        }
    }
}

/// Whether an open file is the one at this path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let opened = file.metadata()?;
    Ok(fs::metadata(path).is_ok_and(|there| (there.dev(), there.ino()) == (opened.dev(), opened.ino())))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    Ok(path.exists())
}
