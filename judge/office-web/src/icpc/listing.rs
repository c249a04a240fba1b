//! Collections of the Contest API as JSON, made part by part.

use std::sync::Arc;

use serde_json::Value;

use super::bundle::{Place, Snapshot};
use super::object::Kind;

/// The bytes of a part of a collection. The last object of a part may exceed them.
const PART_BYTES: usize = 64 << 10;
/// The objects that are looked at for a part, most of which a parameter may leave out.
const PART_LOOKS: usize = 20_000;

/// A collection as JSON, which is made part by part: only the one that is sent next takes memory.
pub(super) struct Listing {
    snapshot: Arc<Snapshot>,
    kind: Kind,
    /// Names and values such as `submission_id` and `17`: objects that have another value are left out.
    wanted: Vec<(String, String)>,
    place: Place,
    /// What comes before the next object.
    before: &'static str,
    ended: bool,
}

impl Listing {
    pub(super) fn new(snapshot: Arc<Snapshot>, kind: Kind, parameters: &[(String, String)]) -> Self {
        let wanted = parameters.iter().filter(|(name, _)| name.ends_with("_id")).cloned().collect();
        Self { snapshot, kind, wanted, place: Place::default(), before: "[", ended: false }
    }

    /// The next part, which may be empty; `None` after the last one.
    pub(super) fn part(&mut self) -> Option<String> {
        if self.ended {
            return None;
        }
        let mut text = String::new();
        for _ in 0..PART_LOOKS {
            let of_judgement =
                |id: &str| self.wanted.iter().filter(|(name, _)| name == "judgement_id").all(|(_, value)| value == id);
            let Some(object) = self.snapshot.at(self.kind, &mut self.place, &of_judgement) else {
                self.ended = true;
                // Without any object, nothing was opened yet.
                text.push_str(if self.before == "[" { "[]" } else { "]" });
                break;
            };
            if let Some(object) = object.filter(|object| self.fits(&object.json)) {
                text.push_str(self.before);
                text.push_str(&object.json);
                self.before = ",";
            }
            if text.len() >= PART_BYTES {
                break;
            }
        }
        Some(text)
    }

    /// Tests whether nothing comes any more.
    pub(super) fn is_over(&self) -> bool {
        self.ended
    }

    fn fits(&self, json: &str) -> bool {
        if self.wanted.is_empty() {
            return true;
        }
        let object: Value = serde_json::from_str(json).unwrap_or_default();
        let same =
            |(name, value): &(String, String)| object.get(name).is_none_or(|found| found.as_str() == Some(value));
        self.wanted.iter().all(same)
    }
}
