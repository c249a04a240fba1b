//! `people.json`: the names that people chose, their contacts, and their organisations. It is not part of a chain, so it can be
//! erased.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The name of the file in the office's folder.
pub const FILE_NAME: &str = "people.json";

/// The personal data of a team.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Person {
    /// Name for people; empty if the team gave none.
    pub name: String,
    /// Their contact, such as an address; empty if unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub contact: String,
    /// Their organisation, which the board shows, such as a school; empty if unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub organisation: String,
    /// Their group, which the board shows, such as a division; empty if they have none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub group: String,
}

/// The personal data of all teams, by team.
pub type People = BTreeMap<String, Person>;
