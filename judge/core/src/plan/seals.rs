//! Seals: published hashes of secret boards.
//!
//! A plain seal is the SHA-256 of the board's file. A person who guesses the board can confirm the guess with it. A salted seal
//! is the SHA-256 of a salt followed by the file. The salt is a line of random digits, which is secret until the round opens.

use sha2::{Digest as _, Sha256};

use crate::fingerprint::hexadecimal;

/// The beginning of a plain seal.
pub const SEAL: &str = "sha256:";
/// The beginning of a salted seal.
pub const SALTED_SEAL: &str = "salted-sha256:";
/// The end of the name of the file with a board's salt. It is in the folder of the board's file.
pub const SALT_END: &str = ".salt";
/// Hexadecimal digits of a salt and of a hash.
const DIGITS: usize = 64;

/// Reads a seal as published. It returns the hash of a plain seal, and the hash with its prefix for a salted one; `None` for
/// other texts.
pub fn parse_seal(text: &str) -> Option<String> {
    let (beginning, hash) = match text.strip_prefix(SALTED_SEAL) {
        Some(hash) => (SALTED_SEAL, hash),
        None => ("", text.strip_prefix(SEAL)?),
    };
    is_hash(hash).then(|| format!("{beginning}{}", hash.to_ascii_lowercase()))
}

/// A seal in its published form.
pub fn published_seal(seal: &str) -> String {
    if is_salted(seal) { seal.to_owned() } else { format!("{SEAL}{seal}") }
}

/// Tests whether a seal is salted.
pub fn is_salted(seal: &str) -> bool {
    seal.starts_with(SALTED_SEAL)
}

/// The salted seal of a board. The pieces are the contents of its file.
pub fn salted_seal<'a>(salt: &str, pieces: impl IntoIterator<Item = &'a [u8]>) -> String {
    let hash = pieces.into_iter().fold(Sha256::new_with_prefix(salt), |hash, piece| hash.chain_update(piece));
    format!("{SALTED_SEAL}{}", hexadecimal(hash))
}

/// A new salt from these random bytes: one line with its newline.
pub fn salt_of(random: &[u8; DIGITS / 2]) -> String {
    let mut salt: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    salt.push('\n');
    salt
}

/// Tests whether a text is a salt.
pub fn is_salt(text: &str) -> bool {
    text.strip_suffix('\n').is_some_and(is_hash)
}

fn is_hash(text: &str) -> bool {
    text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::sha256_of;

    #[test]
    fn a_salted_seal_is_the_hash_of_salt_and_board() {
        let salt = salt_of(&[0xa5; 32]);
        assert!(is_salt(&salt) && !is_salt(salt.trim_end()) && !is_salt("") && !is_salt(&"g".repeat(64)));
        let seal = salted_seal(&salt, [&b"a bo"[..], b"ard\n"]);
        assert_eq!(seal, format!("salted-sha256:{}", sha256_of(format!("{salt}a board\n").as_bytes())));
        assert_eq!(parse_seal(&seal).as_deref(), Some(&*seal));
        assert_eq!(published_seal(&seal), seal);
    }

    #[test]
    fn a_plain_seal_is_the_hash_of_the_board() {
        let plain = sha256_of(b"a board\n");
        assert_eq!(parse_seal(&format!("sha256:{}", plain.to_uppercase())).as_deref(), Some(&*plain));
        assert_eq!(published_seal(&plain), format!("sha256:{plain}"));
    }

    #[test]
    fn other_texts_are_no_seals() {
        let plain = sha256_of(b"a board\n");
        for wrong in ["", "sha256:12", "salted-sha256:", "md5:1", &plain, &format!("salted-sha256:{}g", &plain[1..])] {
            assert_eq!(parse_seal(wrong), None, "{wrong}");
        }
    }
}
