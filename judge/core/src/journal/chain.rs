//! The hash chain of a journal: no line can be changed, removed or inserted without breaking the hash of a later one.
//!
//! The last member of every line is `"chain"`: the SHA-256, in hexadecimal, of the `chain` of the previous line, followed by this
//! line without that member and without its newline. The first line follows an empty text.
//!
//! A reader with the last hash can check that a copy is the whole record. Without a hash from elsewhere, the chain shows only
//! damage and careless changes, because a changed journal can be given a new chain.

use sha2::{Digest as _, Sha256};

use crate::fingerprint::hexadecimal;

/// The start of the member, which is the last one of a line.
const MEMBER: &[u8] = b",\"chain\":\"";
/// The end of a line after the hash.
const END: &[u8] = b"\"}\n";
/// Hexadecimal digits of a hash.
const DIGITS: usize = 64;

/// A line that is not the next one of its chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// It does not end with a hash.
    #[error("the line has no hash")]
    NoHash,
    /// Its hash does not follow from the line and those before it.
    #[error("the line was changed, or one before it removed or added: its hash does not match")]
    OtherHash,
}

/// The end of a chain, to which lines can be added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chain {
    /// The hash of the last line; empty before the first.
    last: String,
}

impl Chain {
    /// The hash of the last line in hexadecimal; `None` if no line has one.
    pub fn last(&self) -> Option<&str> {
        Some(&*self.last).filter(|last| !last.is_empty())
    }

    /// Seals a line, which becomes the next one of the chain. It is a JSON object with at least one member, and its newline.
    pub fn seal(&mut self, line: &mut Vec<u8>) {
        line.truncate(line.len() - "\n".len());
        self.last = self.follow(line);
        line.truncate(line.len() - "}".len());
        line.extend_from_slice(MEMBER);
        line.extend_from_slice(self.last.as_bytes());
        line.extend_from_slice(END);
    }

    /// Checks that a line, including its newline, is the next one, and removes its hash.
    ///
    /// # Errors
    /// The line has no hash, or a wrong one.
    pub fn open(&mut self, line: &mut Vec<u8>) -> Result<(), ChainError> {
        let object = line.strip_suffix(END).and_then(|line| line.split_last_chunk::<DIGITS>());
        let Some((object, recorded)) = object.and_then(|(object, hash)| Some((object.strip_suffix(MEMBER)?, *hash)))
        else {
            return Err(ChainError::NoHash);
        };
        line.truncate(object.len());
        line.push(b'}');
        let hash = self.follow(line);
        if hash.as_bytes() != recorded {
            return Err(ChainError::OtherHash);
        }
        self.last = hash;
        Ok(())
    }

    /// The hash of a line, without newline and hash, that follows the last one.
    fn follow(&self, line: &[u8]) -> String {
        hexadecimal(Sha256::new().chain_update(&self.last).chain_update(line))
    }
}
