//! Sessions are signed cookies, so the server stores nothing. A session names the token with which it began, and ends when this
//! token is revoked.

use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use judge_files::regular;
use judge_office::Office;
use judge_office::state::{Holder, State};
use judge_office::token::Token;
use sha2::{Digest as _, Sha256};

use crate::options::ServeError;

/// The name of the key's file in the office's folder.
const FILE_NAME: &str = "session.key";
/// The seconds that a session lasts.
const SESSION_SECONDS: u64 = 14 * 24 * 3600;
/// The length of a block of SHA-256.
const BLOCK: usize = 64;

/// The session of a client that sent a valid token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Session {
    pub(crate) holder: Holder,
    /// The hash of the token.
    token: String,
    /// The time of its end, in seconds since the beginning of 1970 in UTC.
    until: u64,
}

impl Session {
    /// The session of a client with this token; `None` if the token is not valid.
    pub(crate) fn of(token: &str, now: u64, state: &State) -> Option<Self> {
        let hash = Token::hash_of(token);
        let holder = state.holder(&hash)?;
        Some(Self { holder, token: hash.to_string(), until: now + SESSION_SECONDS })
    }

    /// Tests whether the session is over, by its time or because its token was revoked. Long responses check this repeatedly.
    pub(crate) fn is_over(&self, now: u64, state: &State) -> bool {
        self.until <= now || self.token.parse().map_or(true, |hash| state.holder(&hash).is_none())
    }

    pub(crate) fn team(&self) -> Option<&str> {
        match &self.holder {
            Holder::Team(team) => Some(team),
            Holder::Organiser(_) => None,
        }
    }

    /// The name of the organiser.
    pub(crate) fn organiser(&self) -> Option<&str> {
        match &self.holder {
            Holder::Team(_) => None,
            Holder::Organiser(name) => Some(name),
        }
    }

    pub(crate) fn is_organiser(&self) -> bool {
        self.organiser().is_some()
    }
}

/// The key that signs sessions.
#[derive(Clone)]
pub(crate) struct Key(pub(crate) [u8; 32]);

impl Key {
    /// The key in the office's folder. A missing key is created. A new key ends all sessions.
    pub(crate) fn of(office: &Path) -> Result<Self, ServeError> {
        let path = office.join(FILE_NAME);
        let failed = |error| ServeError::Key { path: path.clone(), error };
        match regular::read(&path, 1024) {
            Ok(bytes) => {
                let bytes = bytes.try_into();
                return bytes.map(Self).map_err(|_| failed(io::Error::other("not 32 bytes; remove it")));
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            Err(_) => {}
        }
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|error| failed(io::Error::other(error.to_string())))?;
        let made = tempfile::NamedTempFile::new_in(office).and_then(|mut aside| {
            aside.write_all(&key)?;
            aside.as_file().set_permissions(Permissions::from_mode(0o600))?;
            Ok(aside)
        });
        let aside = match made {
            Ok(aside) => aside,
            // On a full disk, the key is not stored, so sessions end with this server.
            Err(error) if matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => {
                return Ok(Self(key));
            }
            Err(error) => return Err(failed(error)),
        };
        match aside.persist_noclobber(&path) {
            // Another server was faster.
            Err(refused) if refused.error.kind() == io::ErrorKind::AlreadyExists => Self::of(office),
            Err(refused) => Err(failed(refused.error)),
            Ok(_) => {
                fs::metadata(&path).map_err(failed)?;
                Ok(Self(key))
            }
        }
    }

    /// The value of a cookie.
    pub(crate) fn seal(&self, session: &Session) -> String {
        let signed = format!("{}.{}", session.until, session.token);
        let code = URL_SAFE_NO_PAD.encode(hmac(&self.0, signed.as_bytes()));
        format!("{signed}.{code}")
    }

    /// The session of a cookie; `None` if it was not created with this key, is over, or its token is revoked.
    pub(crate) fn open(&self, cookie: &str, now: u64, state: &State) -> Option<Session> {
        let (signed, code) = cookie.rsplit_once('.')?;
        let code = URL_SAFE_NO_PAD.decode(code).ok()?;
        let expected = hmac(&self.0, signed.as_bytes());
        let differ = code.iter().zip(&expected).fold(0, |differ, (a, b)| differ | (a ^ b));
        if code.len() != expected.len() || differ != 0 {
            return None;
        }
        let (until, token) = signed.split_once('.')?;
        let until = until.parse().ok().filter(|&until: &u64| until > now)?;
        let holder = state.holder(&token.parse().ok()?)?;
        Some(Session { holder, token: token.to_owned(), until })
    }
}

/// HMAC with SHA-256, see RFC 2104, for keys of at most a block.
fn hmac(key: &[u8; 32], message: &[u8]) -> [u8; 32] {
    let padded = |with: u8| -> Vec<u8> { (0..BLOCK).map(|at| key.get(at).copied().unwrap_or(0) ^ with).collect() };
    let inner = Sha256::new().chain_update(padded(0x36)).chain_update(message).finalize();
    Sha256::new().chain_update(padded(0x5c)).chain_update(inner).finalize().into()
}

/// The organiser who makes a decision, for the record.
pub(crate) struct By(String);

impl By {
    /// The organiser of a session.
    pub(crate) fn of(session: &Session) -> Self {
        Self(session.organiser().unwrap_or_default().to_owned())
    }

    /// The office, with this organiser as the author of changes.
    pub(crate) fn at(&self, office: &Office) -> Office {
        office.by(&self.0)
    }

    pub(crate) fn name(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use judge_office::Office;

    use super::*;

    #[test]
    fn the_code_is_that_of_the_rfc() {
        // RFC 4231, test case 1. Its key of 20 bytes is padded with zeros in any case.
        let mut key = [0; 32];
        key[..20].fill(0x0b);
        let hex: String = hmac(&key, b"Hi There").iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    }

    #[test]
    fn a_session_ends_with_its_time_its_token_or_its_key() {
        let folder = tempfile::tempdir().unwrap();
        let office = Office::create(&folder.path().join("office"), Arc::new(|| 1000)).unwrap();
        let token = office.add_team("ada", None).unwrap().to_string();
        let (key, state) = (Key::of(office.folder()).unwrap(), office.state().unwrap());
        assert_eq!(Session::of("not valid", 1000, &state), None);
        let session = Session::of(&token, 1000, &state).unwrap();
        let cookie = key.seal(&session);
        assert!(!cookie.contains(&token));
        assert_eq!(key.open(&cookie, 1000, &state), Some(session.clone()));
        let again = Key::of(office.folder()).unwrap();
        assert!(again.open(&cookie, 1000 + SESSION_SECONDS - 1, &state).is_some());
        assert!(again.open(&cookie, 1000 + SESSION_SECONDS, &state).is_none());
        for at in 0..cookie.len() {
            let mut changed = cookie.clone().into_bytes();
            changed[at] ^= 1;
            let changed = String::from_utf8(changed).unwrap();
            // The last character has unused bits.
            let opened = key.open(&changed, 1000, &state);
            assert!(opened.is_none() || at + 1 == cookie.len(), "{changed}");
        }
        fs::remove_file(office.folder().join(FILE_NAME)).unwrap();
        assert!(Key::of(office.folder()).unwrap().open(&cookie, 1000, &state).is_none());
        assert!(
            !session.is_over(1000 + SESSION_SECONDS - 1, &state) && session.is_over(1000 + SESSION_SECONDS, &state)
        );
        office.revoke("ada").unwrap();
        assert!(session.is_over(1000, &office.state().unwrap()));
        assert!(key.open(&cookie, 1000, &office.state().unwrap()).is_none());
    }
}
