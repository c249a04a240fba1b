//! Tokens: 256 random bits that identify a team or an organiser. The office stores only their hashes.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use judge_core::fingerprint::{Hash, sha256_of};

use crate::OfficeError;

/// A token. It has no `Debug`, so that tokens do not appear in messages.
pub struct Token(String);

impl Token {
    /// A new token of 256 bits from the system's random numbers.
    ///
    /// # Errors
    /// [`OfficeError::Random`] if the system provides none.
    pub fn random() -> Result<Self, OfficeError> {
        let mut bits = [0; 32];
        getrandom::fill(&mut bits).map_err(|error| OfficeError::Random(error.to_string()))?;
        Ok(Self(URL_SAFE_NO_PAD.encode(bits)))
    }

    /// The hash of the token, which the office stores.
    pub fn hash(&self) -> Hash {
        Self::hash_of(&self.0)
    }

    /// The hash of a token that a client sent.
    pub fn hash_of(shown: &str) -> Hash {
        sha256_of(shown.as_bytes()).parse().expect("a hash of 64 digits")
    }
}

/// The token in the form for its owner: 43 characters that need no escape in a link.
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_that_differ_have_the_hash_of_their_characters() {
        let (one, two) = (Token::random().unwrap(), Token::random().unwrap());
        assert_ne!(one.to_string(), two.to_string());
        assert_eq!(one.to_string().len(), 43);
        assert_eq!(Token::hash_of(&one.to_string()), one.hash());
        assert_ne!(one.hash(), two.hash());
    }
}
