//! Kinds of files, told apart by the endings of their names.

use std::fmt;
use std::path::Path;

/// What there is for each ending, in the order in which people are told of them.
pub struct ByEnding<T: 'static>(pub &'static [(&'static str, T)]);

impl<T> ByEnding<T> {
    /// What there is for the ending of this path.
    pub fn of(&self, path: &Path) -> Option<&T> {
        let ending = path.extension()?.to_str()?;
        self.0.iter().find(|(known, _)| *known == ending).map(|(_, of)| of)
    }
}

/// All endings: `.csv or .mat`.
impl<T> fmt::Display for ByEnding<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (ending, _)) in self.0.iter().enumerate() {
            let before = match place {
                0 => "",
                _ if place + 1 == self.0.len() => " or ",
                _ => ", ",
            };
            write!(f, "{before}.{ending}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_decides_and_all_are_listed() {
        let kinds = ByEnding(&[("csv", 1), ("mat", 2), ("json", 3)]);
        assert_eq!(kinds.of(Path::new("a.b/out.mat")), Some(&2));
        assert_eq!(kinds.of(Path::new("out.csv.partial")), None);
        assert_eq!(kinds.of(Path::new("csv")), None);
        assert_eq!(kinds.to_string(), ".csv, .mat or .json");
        assert_eq!(ByEnding(&[("svg", ())]).to_string(), ".svg");
    }
}
