//! The parsers of input from clients, for fuzzing. Other code does not use them from here.

use judge_office::state::{Holder, State};

use crate::session::{Key, Session};
use crate::{forms, icpc, reveal};

/// A field of a form: its name, the name of its file, and its bytes.
pub type Field = (String, Option<String>, Vec<u8>);

/// The fields of the form in a body of this type; `None` if it is not a form or incomplete.
pub fn form(kind: &str, bytes: &[u8]) -> Option<Vec<Field>> {
    let form = forms::parse(kind, bytes)??;
    Some(form.0.into_iter().map(|field| (field.name, field.file, field.bytes)).collect())
}

/// The step of the reveal that a query names.
pub fn step(query: &str) -> usize {
    reveal::step_of(Some(query))
}

/// The parameters of an address of the Contest API.
pub fn parameters(query: &str) -> Vec<(String, String)> {
    icpc::parameters(Some(query))
}

/// The position that a token names in a feed of this name; `None` if it is not a token of the feed.
pub fn position(feed: &str, token: &str) -> Option<usize> {
    icpc::feed::position(feed, token)
}

/// A cookie for a client with a token, signed with this key; `None` if the token is not valid.
pub fn cookie(key: [u8; 32], token: &str, now: u64, state: &State) -> Option<String> {
    Some(Key(key).seal(&Session::of(token, now, state)?))
}

/// The holder of a cookie; `None` if it is not valid.
pub fn holder(key: [u8; 32], cookie: &str, now: u64, state: &State) -> Option<Holder> {
    Key(key).open(cookie, now, state).map(|session| session.holder)
}
