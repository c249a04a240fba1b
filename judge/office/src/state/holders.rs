//! The holders of tokens.

use std::collections::BTreeMap;
use std::sync::Arc;

use judge_core::fingerprint::Hash;
use serde::{Deserialize, Serialize};

use super::State;
use crate::people::People;

/// The name of the first organiser.
pub const ORGANISER: &str = "organiser";

/// The tokens that are valid, by their SHA-256.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Access {
    /// The tokens of each organiser, by name.
    pub organisers: BTreeMap<String, Vec<Hash>>,
    /// The tokens of each team.
    pub teams: BTreeMap<String, Vec<Hash>>,
    /// The token of the public link with which anyone can add a team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registration: Option<Hash>,
}

/// The holder of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    /// An organiser, by name. An organiser may do everything.
    Organiser(String),
    /// A team, by its name.
    Team(String),
}

impl State {
    /// The tokens that are valid.
    pub fn access(&self) -> &Arc<Access> {
        &self.access
    }

    /// Sets the tokens that are valid.
    pub fn set_access(&mut self, access: Arc<Access>) {
        self.access = access;
    }

    /// The personal data of teams.
    pub fn people(&self) -> &Arc<People> {
        &self.people
    }

    /// Sets the personal data of teams.
    pub fn set_people(&mut self, people: Arc<People>) {
        self.people = people;
    }

    /// Tests whether a team has a valid token.
    pub fn has_token(&self, team: &str) -> bool {
        self.access.teams.get(team).is_some_and(|tokens| !tokens.is_empty())
    }

    /// The holder of the token with this hash. All hashes are compared, in a time that does not depend on where they
    /// differ.
    pub fn holder(&self, hash: &Hash) -> Option<Holder> {
        let mut holder = None;
        for (name, tokens) in &self.access.organisers {
            for known in tokens {
                if same(known, hash) {
                    holder = Some(Holder::Organiser(name.clone()));
                }
            }
        }
        for (name, tokens) in &self.access.teams {
            for known in tokens {
                if same(known, hash) && self.teams.contains_key(&**name) {
                    holder = Some(Holder::Team(name.clone()));
                }
            }
        }
        holder
    }
}

/// Compares two hashes in a time that does not depend on where they differ.
pub(crate) fn same(a: &Hash, b: &Hash) -> bool {
    let (a, b) = (a.to_string(), b.to_string());
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}
