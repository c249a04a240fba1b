//! The caller, identified by Basic authentication with a team's name and token or by a bearer token, or anonymous. Cookies do not
//! count, so no page of another site can send requests on behalf of a browser.

use std::sync::Arc;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use judge_core::fingerprint::Hash;
use judge_office::state::{Holder, State};
use judge_office::token::Token;
use judge_office::view::Viewer;

use super::answers::{self, failure};
use crate::accepting::later;
use crate::app::App;
use crate::arrival::Client;
use crate::connections;

/// The caller, with the state of the office at that moment.
pub(super) struct Caller {
    pub(super) state: Arc<State>,
    pub(super) holder: Option<Holder>,
    /// The hash of the token.
    pub(super) token: Option<Hash>,
}

impl Caller {
    pub(super) fn viewer(&self) -> Viewer {
        self.holder.clone().map_or(Viewer::Public, Viewer::from)
    }

    pub(super) fn is_organiser(&self) -> bool {
        matches!(self.holder, Some(Holder::Organiser(_)))
    }

    /// The calling team.
    ///
    /// # Errors
    /// The refusal for everyone else.
    pub(super) fn team(&self) -> Result<&str, Response> {
        match &self.holder {
            Some(Holder::Team(team)) => Ok(team),
            Some(Holder::Organiser(_)) => {
                Err(failure(StatusCode::FORBIDDEN, "only teams do this; you are the organiser"))
            }
            None => Err(unknown("this needs the name and the token of a team")),
        }
    }

    /// The name of the calling organiser.
    ///
    /// # Errors
    /// The refusal for everyone else.
    pub(super) fn organiser(&self) -> Result<&str, Response> {
        match &self.holder {
            Some(Holder::Organiser(name)) => Ok(name),
            Some(Holder::Team(_)) => Err(failure(StatusCode::FORBIDDEN, "only the organiser does this")),
            None => Err(unknown("this needs the organiser's token")),
        }
    }
}

/// Identifies the caller.
///
/// # Errors
/// 401 for a token that is not valid, or does not belong to the named team; 429 after too many of them.
pub(super) async fn of(app: &Arc<App>, client: Client, headers: &HeaderMap) -> Result<Caller, Response> {
    let state = answers::state(app).await?;
    let Some(shown) = shown(headers) else { return Ok(Caller { state, holder: None, token: None }) };
    let holder = shown.and_then(|shown| Some((shown.holder(&state)?, Token::hash_of(&shown.token))));
    let Some((holder, token)) = holder else {
        if app.is_guessing(client.0) {
            return Err(later(failure(StatusCode::TOO_MANY_REQUESTS, "too many wrong tokens; try again in a minute")));
        }
        return Err(unknown("this token is invalid for this name"));
    };
    connections::is_of(&holder);
    Ok(Caller { state, holder: Some(holder), token: Some(token) })
}

/// A name and a token from the header `Authorization`.
struct Credentials {
    /// The name, if one is given.
    name: Option<String>,
    token: String,
}

impl Credentials {
    fn holder(&self, state: &State) -> Option<Holder> {
        let holder = state.holder(&Token::hash_of(&self.token))?;
        let name = match &holder {
            Holder::Team(name) | Holder::Organiser(name) => name,
        };
        self.name.as_ref().is_none_or(|shown| shown == name).then_some(holder)
    }
}

/// The credentials in the header of a request. `None` without a header, and `Some(None)` if the header cannot be read.
fn shown(headers: &HeaderMap) -> Option<Option<Credentials>> {
    let value = headers.get(header::AUTHORIZATION)?;
    let read = || {
        let (scheme, rest) = value.to_str().ok()?.split_once(' ')?;
        if scheme.eq_ignore_ascii_case("bearer") {
            return Some(Credentials { name: None, token: rest.trim().to_owned() });
        }
        if !scheme.eq_ignore_ascii_case("basic") {
            return None;
        }
        let decoded = String::from_utf8(STANDARD.decode(rest.trim()).ok()?).ok()?;
        let (name, token) = decoded.split_once(':')?;
        Some(Credentials { name: Some(name.to_owned()), token: token.to_owned() })
    };
    Some(read())
}

fn unknown(reason: &str) -> Response {
    let mut refused = failure(StatusCode::UNAUTHORIZED, reason);
    let ask = header::HeaderValue::from_static("Basic realm=\"judge\", charset=\"UTF-8\"");
    refused.headers_mut().insert(header::WWW_AUTHENTICATE, ask);
    refused
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> Option<Option<(Option<String>, String)>> {
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, value.parse().unwrap());
        shown(&headers).map(|shown| shown.map(|shown| (shown.name, shown.token)))
    }

    #[test]
    fn only_two_schemes_give_a_name_and_a_token() {
        assert!(shown(&HeaderMap::new()).is_none());
        let both = (Some("ada".to_owned()), "to:ken".to_owned());
        assert_eq!(read(&format!("Basic {}", STANDARD.encode("ada:to:ken"))), Some(Some(both)));
        assert_eq!(read("bearer token"), Some(Some((None, "token".to_owned()))));
        for broken in ["Basic", "Basic !", "Basic YWRh", "Digest a", "Basic /w=="] {
            assert_eq!(read(broken), Some(None), "{broken}");
        }
    }
}
