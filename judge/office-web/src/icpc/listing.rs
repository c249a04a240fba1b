//! Collections of the Contest API as JSON, created in parts.

use std::sync::Arc;

use serde_json::Value;

use super::bundle::{Place, Snapshot};
use super::object::Kind;

/// The bytes of a part of a collection. The last object of a part may exceed this limit.
const PART_BYTES: usize = 64 << 10;
/// The most objects that are examined for a part, because a parameter may leave out most of them.
const MAX_EXAMINED: usize = 20_000;

/// A collection as JSON, which is created in parts: only the next part to be sent takes memory.
pub(super) struct Listing {
    snapshot: Arc<Snapshot>,
    kind: Kind,
    /// Names and values such as `submission_id` and `17`. Objects that have another value are left out. An empty value means
    /// objects without a value.
    wanted: Vec<(String, String)>,
    place: Place,
    /// The text before the next object.
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
        for _ in 0..MAX_EXAMINED {
            let of_judgement =
                |id: &str| self.wanted.iter().filter(|(name, _)| name == "judgement_id").all(|(_, value)| value == id);
            let Some(object) = self.snapshot.at(self.kind, &mut self.place, &of_judgement) else {
                self.ended = true;
                // Without any object, no bracket was opened yet.
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

    /// Tests whether there are no further parts.
    pub(super) fn is_over(&self) -> bool {
        self.ended
    }

    fn fits(&self, json: &str) -> bool {
        if self.wanted.is_empty() {
            return true;
        }
        let object: Value = serde_json::from_str(json).unwrap_or_default();
        let same = |(name, value): &(String, String)| match object.get(name) {
            None => true,
            Some(Value::Null) => value.is_empty(),
            Some(found) => found.as_str() == Some(value),
        };
        self.wanted.iter().all(same)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::object::Object;
    use super::*;

    #[test]
    fn an_empty_parameter_finds_the_objects_that_have_no_such_reference() {
        let clarification = |id: &str, from: Value, reply: Value| {
            let json = json!({ "id": id, "from_team_id": from, "reply_to_id": reply });
            Object::new(Kind::Clarifications, id.to_owned(), &json)
        };
        let clarifications = vec![
            clarification("1", json!("ada"), Value::Null),
            clarification("2", Value::Null, json!("1")),
            clarification("3", Value::Null, Value::Null),
        ];
        let snapshot = Arc::new(Snapshot { clarifications, ..Snapshot::default() });
        let found = |parameters: &[(&str, &str)]| {
            let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            let parameters: Vec<_> = parameters.iter().map(own).collect();
            let mut listing = Listing::new(snapshot.clone(), Kind::Clarifications, &parameters);
            let text: String = std::iter::from_fn(|| listing.part()).collect();
            let all: Vec<Value> = serde_json::from_str(&text).unwrap();
            all.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect::<String>()
        };
        assert_eq!(found(&[]), "123");
        assert_eq!(found(&[("from_team_id", "ada")]), "1");
        assert_eq!(found(&[("from_team_id", "")]), "23");
        assert_eq!(found(&[("from_team_id", ""), ("reply_to_id", "")]), "3");
        assert_eq!(found(&[("reply_to_id", "1")]), "2");
        // Objects without the property are found.
        assert_eq!(found(&[("organization_id", "")]), "123");
    }
}
