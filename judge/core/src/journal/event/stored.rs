//! The header as it is in a file.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::Header;
use crate::fingerprint::{Hashes, KeptFiles};
use crate::journal::FORMAT;
use crate::key::{Name, RunKey};
use crate::plan::{Overrides, Plan};
use crate::shared::Shared;
use crate::withdrawal::Withdrawal;

/// The header as it is written. Its order refers to the plan by indices.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredHeader {
    format: u32,
    judge: String,
    contest_file: PathBuf,
    overrides: Overrides,
    plan: Shared<Plan>,
    order: Vec<Planned>,
    programs: BTreeMap<String, Hashes>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    kept: BTreeMap<String, KeptFiles>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    withdrawn: BTreeMap<String, Withdrawal>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    struck: BTreeMap<String, String>,
}

/// A run of round 1.
enum Planned {
    /// The indices of its entry and its board in the plan, and its repeat. The file omits the repeat if it is 1.
    Indices(usize, usize, u32),
    /// The key of the run, in format 2.
    Key(RunKey),
}

impl Serialize for Planned {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Indices(entry, board, 1) => (entry, board).serialize(serializer),
            Self::Indices(entry, board, repeat) => (entry, board, repeat).serialize(serializer),
            Self::Key(key) => key.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Planned {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Planned;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the indices of an entry and a board, or a run")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Planned, A::Error> {
                let mut next = || seq.next_element()?.ok_or_else(|| A::Error::custom("expected two indices"));
                let (entry, board) = (next()?, next()?);
                Ok(Planned::Indices(entry, board, seq.next_element()?.unwrap_or(1)))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Planned, A::Error> {
                RunKey::deserialize(MapAccessDeserializer::new(map)).map(Planned::Key)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

impl From<Header> for StoredHeader {
    fn from(header: Header) -> Self {
        let Header { judge, contest_file, overrides, plan, .. } = header;
        let Header { order, programs, kept, path, comment, withdrawn, struck, .. } = header;
        let indices = |names: &mut dyn Iterator<Item = &String>| -> HashMap<String, usize> {
            names.cloned().enumerate().map(|(index, name)| (name, index)).collect()
        };
        let entries = indices(&mut plan.entries.iter().map(|entry| &entry.name));
        let boards = indices(&mut plan.boards.iter().map(|board| &board.name));
        let order = order.into_iter().map(|key| match (entries.get(&*key.entry), boards.get(&*key.board)) {
            (Some(&entry), Some(&board)) if key.round == 1 && key.against.is_none() => {
                Planned::Indices(entry, board, key.repeat)
            }
            _ => Planned::Key(key),
        });
        let order = order.collect();
        Self {
            format: FORMAT,
            judge,
            contest_file,
            overrides,
            plan,
            order,
            programs,
            kept,
            path,
            comment,
            withdrawn,
            struck,
        }
    }
}

impl TryFrom<StoredHeader> for Header {
    type Error = String;

    fn try_from(stored: StoredHeader) -> Result<Self, String> {
        let StoredHeader { judge, contest_file, overrides, plan, .. } = stored;
        let StoredHeader { order, programs, kept, path, comment, withdrawn, struck, .. } = stored;
        let entries: Vec<Name> = plan.entries.iter().map(|entry| Arc::from(&*entry.name)).collect();
        let boards: Vec<Name> = plan.boards.iter().map(|board| Arc::from(&*board.name)).collect();
        let key = |planned| match planned {
            Planned::Indices(entry, board, repeat) => match (entries.get(entry), boards.get(board)) {
                (Some(entry), Some(board)) => Ok(RunKey { repeat, ..RunKey::new(1, entry.clone(), board.clone()) }),
                _ => Err(format!("run [{entry},{board}] is planned, but the plan has no such entry or board")),
            },
            Planned::Key(key) => Ok(key),
        };
        let order = order.into_iter().map(key).collect::<Result<_, _>>()?;
        Ok(Self { judge, contest_file, overrides, plan, order, programs, kept, path, comment, withdrawn, struck })
    }
}
