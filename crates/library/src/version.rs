//! Versions of libraries and their order (MLS chapter 18, version numbering).

use std::cmp::Ordering;
use std::fmt;

/// `4.1.0`, `3.1 Beta 1`, or a text without order.
///
/// Equal are versions with the same numbers, zeros at the end aside, and the same text after them.
#[derive(Clone, Debug)]
pub struct Version {
    text: String,
    /// Without zeros at the end; empty where the version has no order.
    numbers: Vec<u64>,
    rest: String,
}

impl Version {
    /// From the text of an annotation or of the name of a file.
    pub fn parse(text: &str) -> Version {
        let text = text.trim();
        let digits_end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (digits, rest) = text.split_at(digits_end);
        let numbers: Option<Vec<u64>> = digits.split('.').map(|number| number.parse().ok()).collect();
        let (mut numbers, rest) = match numbers {
            Some(numbers) => (numbers, rest.trim()),
            None => (Vec::new(), text),
        };
        while numbers.len() > 1 && numbers.last() == Some(&0) {
            numbers.pop();
        }
        Version { text: text.to_owned(), numbers, rest: rest.to_owned() }
    }

    /// Rank of the text after the numbers: before the release, the release, or a build made of it (`4.0.0+fix`).
    fn stage(&self) -> u8 {
        match self.rest.as_bytes() {
            [] => 1,
            [b'+', ..] => 2,
            _ => 0,
        }
    }

    fn key(&self) -> (&[u64], u8, &str) {
        (&self.numbers, self.stage(), &self.rest)
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Version {}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    /// By numbers, then pre-releases before the release. Versions without order come first, by their text.
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_the_specification_says() {
        let ascending =
            ["Test 1", "2.1 Beta 1", "2.1 Beta 2", "2.1", "2.1.1", "2.10", "3.2.3", "4.0.0+fix", "4.1.0"];
        let versions = ascending.map(Version::parse);
        assert!(versions.is_sorted(), "{versions:?}");
        assert_eq!(Version::parse("4.1"), Version::parse("4.1.0"));
        assert_ne!(Version::parse("4.1"), Version::parse("4.1 Beta"));
        assert_eq!(Version::parse(" 4.1.0 ").to_string(), "4.1.0");
    }
}
