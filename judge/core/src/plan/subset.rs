//! A plan with some of its entries.

use super::{Entry, Plan};
use crate::shared::Shared;

impl Plan {
    /// A copy with other entries. The entries of this plan are not copied.
    #[must_use]
    pub fn with_entries(&self, entries: Vec<Shared<Entry>>) -> Self {
        let Self {
            name,
            problems,
            isolation,
            readable,
            match_rules,
            scoring,
            ranking,
            repeat,
            boards,
            rounds,
            shown,
            ..
        } = self;
        Self {
            name: name.clone(),
            problems: problems.clone(),
            isolation: *isolation,
            readable: readable.clone(),
            match_rules: match_rules.clone(),
            scoring: scoring.clone(),
            ranking: ranking.clone(),
            repeat: *repeat,
            boards: boards.clone(),
            entries: entries.into_iter().collect(),
            rounds: rounds.clone(),
            shown: shown.clone(),
        }
    }
}
