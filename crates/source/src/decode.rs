//! Bytes to text: UTF-8 with or without byte order mark, or Latin-1.
//!
//! MLS §13.4.1 (mapping to a file system) wants UTF-8; files of older libraries are Latin-1. A file that is no UTF-8 is
//! read as Latin-1, in which every byte is a character; the caller is informed, and decides whether to report it.

/// Text with findings on the way.
#[derive(Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text, a leading byte order mark included: the tree of a file gives back the file.
    pub text: String,
    /// Offset of the first byte that is no UTF-8, where the file was read as Latin-1.
    pub latin1_from: Option<usize>,
}

/// The text of a file.
pub fn decode(bytes: Vec<u8>) -> Decoded {
    match String::from_utf8(bytes) {
        Ok(text) => Decoded { text, latin1_from: None },
        Err(error) => {
            let latin1_from = Some(error.utf8_error().valid_up_to());
            Decoded { text: error.as_bytes().iter().map(|&b| char::from(b)).collect(), latin1_from }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_stays_and_latin1_is_recognised() {
        assert_eq!(decode("Größe".into()), Decoded { text: "Größe".into(), latin1_from: None });
        assert_eq!(decode(b"Gr\xf6\xdfe".to_vec()), Decoded { text: "Größe".into(), latin1_from: Some(2) });
    }
}
