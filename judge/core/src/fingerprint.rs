//! Fingerprints of files: their size and SHA-256.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use judge_job::count_text;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};

/// Size of a SHA-256 in bytes.
const BYTES: usize = 32;
const HEX: &[u8; 16] = b"0123456789abcdef";

/// A SHA-256. Its text is hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash([u8; BYTES]);

/// The size of a file and the hash of its contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Size of the contents in bytes.
    pub bytes: u64,
    /// The hash of its contents.
    pub sha256: Hash,
}

/// SHA-256 of the files of a program in hexadecimal, by name.
pub type Hashes = BTreeMap<String, String>;

/// The files of a program, by their names in [`Hashes`], that the results directory has as `files/SHA256`.
pub type KeptFiles = Vec<String>;

impl Fingerprint {
    /// The fingerprint of the rest of a reader. It is read in pieces.
    ///
    /// # Errors
    ///
    /// The reader's error.
    pub fn from_reader(reader: impl Read) -> io::Result<Self> {
        Self::copied(reader, io::sink())
    }

    /// The fingerprint of the rest of a reader, which is also copied to a writer.
    ///
    /// # Errors
    ///
    /// The reader's or the writer's error.
    pub fn copied(mut reader: impl Read, mut to: impl io::Write) -> io::Result<Self> {
        const PIECE: usize = 1 << 16;
        let (mut hash, mut bytes, mut piece) = (Sha256::new(), 0u64, vec![0; PIECE]);
        loop {
            match reader.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => {
                    hash.update(&piece[..read]);
                    to.write_all(&piece[..read])?;
                    bytes += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self { bytes, sha256: Hash::from_sha256(hash) })
    }

    /// The difference to another fingerprint of the same file, as a fragment. A difference in size comes first, because it is
    /// easier to understand.
    pub fn difference(&self, now: &Self) -> Option<String> {
        if self.bytes != now.bytes {
            let bytes = count_text(now.bytes, "byte", "bytes");
            return Some(format!("has {bytes}, {} were recorded", self.bytes));
        }
        let differs = || format!("has the SHA-256 {}, {} was recorded", now.sha256, self.sha256);
        (self.sha256 != now.sha256).then(differs)
    }
}

/// The SHA-256 of bytes in hexadecimal.
pub fn sha256_of(bytes: &[u8]) -> String {
    hexadecimal(Sha256::new_with_prefix(bytes))
}

/// The SHA-256 in hexadecimal of the rest of a reader. It is read in pieces.
///
/// # Errors
///
/// The reader's error.
pub fn sha256_of_reader(reader: impl Read) -> io::Result<String> {
    Ok(Fingerprint::from_reader(reader)?.sha256.to_string())
}

/// A finished hash in hexadecimal.
pub(crate) fn hexadecimal(hash: Sha256) -> String {
    Hash::from_sha256(hash).to_string()
}

impl Hash {
    /// Takes the digest of everything that was added to `hash`.
    pub(crate) fn from_sha256(hash: Sha256) -> Self {
        Self(hash.finalize().into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 2 * BYTES];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        }
        f.pad(std::str::from_utf8(&digits).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The refusal of a text that is not a SHA-256, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid SHA-256 `{0}`; expected 64 hexadecimal digits")]
pub struct HashError(String);

impl FromStr for Hash {
    type Err = HashError;

    fn from_str(text: &str) -> Result<Self, HashError> {
        let refused = || HashError(text.to_owned());
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != BYTES || !rest.is_empty() {
            return Err(refused());
        }
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let mut hash = [0; BYTES];
        for (byte, [high, low]) in hash.iter_mut().zip(pairs) {
            *byte = digit(*high).zip(digit(*low)).map(|(high, low)| high << 4 | low).ok_or_else(refused)?;
        }
        Ok(Self(hash))
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn a_fingerprint_has_the_known_hash() {
        // From FIPS 180-4.
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let mut copy = Vec::new();
        let abc = Fingerprint::copied(&b"abc"[..], &mut copy).unwrap();
        assert_eq!((abc.bytes, abc.sha256.to_string().as_str(), &*copy), (3, known, &b"abc"[..]));
        let json = serde_json::to_string(&abc).unwrap();
        assert_eq!(json, format!("{{\"bytes\":3,\"sha256\":\"{known}\"}}"));
        assert_eq!(serde_json::from_str::<Fingerprint>(&json).unwrap(), abc);
        assert_eq!(known.to_uppercase().parse(), Ok(abc.sha256));
        for bad in ["", "ba78", &known[1..], &format!("{known}0"), &known.replace('f', "g"), &known.replace('f', "é")]
        {
            assert!(bad.parse::<Hash>().unwrap_err().to_string().contains("64 hexadecimal digits"), "{bad}");
        }
    }

    #[test]
    fn a_difference_names_the_size_before_the_hash() {
        let of = |text: &str| Fingerprint::from_reader(text.as_bytes()).unwrap();
        assert_eq!(of("abc").difference(&of("abc")), None);
        assert_eq!(of("abc").difference(&of("ab")).unwrap(), "has 2 bytes, 3 were recorded");
        assert!(of("abc").difference(&of("abd")).unwrap().starts_with("has the SHA-256 a52d159f"));
    }

    #[test]
    fn bytes_and_a_reader_of_them_have_the_same_hash() {
        // From FIPS 180-4.
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_of(b"abc"), known);
        assert_eq!(sha256_of_reader(&b"abc"[..]).unwrap(), known);
    }
}
