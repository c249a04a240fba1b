//! The objects of the feed and the collections.

use std::sync::Arc;

use serde_json::Value;

/// A type of objects. They are ordered by references: the objects that an object names come before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Contest,
    JudgementTypes,
    Languages,
    Problems,
    Groups,
    Organizations,
    Teams,
    Submissions,
    Judgements,
    Runs,
    Clarifications,
    State,
}

impl Kind {
    /// The types whose objects form collections.
    pub(super) const COLLECTIONS: [Self; 10] = [
        Self::JudgementTypes,
        Self::Languages,
        Self::Problems,
        Self::Groups,
        Self::Organizations,
        Self::Teams,
        Self::Submissions,
        Self::Judgements,
        Self::Runs,
        Self::Clarifications,
    ];

    /// Its name in events and addresses.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Contest => "contest",
            Self::JudgementTypes => "judgement-types",
            Self::Languages => "languages",
            Self::Problems => "problems",
            Self::Groups => "groups",
            Self::Organizations => "organizations",
            Self::Teams => "teams",
            Self::Submissions => "submissions",
            Self::Judgements => "judgements",
            Self::Runs => "runs",
            Self::Clarifications => "clarifications",
            Self::State => "state",
        }
    }
}

/// An object: its JSON, and its identifier. The contest and its state have no identifier in events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Object {
    pub(super) kind: Kind,
    pub(super) id: Option<Arc<str>>,
    pub(super) json: Arc<str>,
}

impl Object {
    pub(super) fn new(kind: Kind, id: impl Into<Option<String>>, json: &Value) -> Self {
        Self { kind, id: id.into().map(Arc::from), json: json.to_string().into() }
    }
}
