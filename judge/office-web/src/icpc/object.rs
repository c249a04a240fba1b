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
    /// All types, each with its name in events and addresses.
    const ALL: [(Self, &str); 12] = [
        (Self::Contest, "contest"),
        (Self::JudgementTypes, "judgement-types"),
        (Self::Languages, "languages"),
        (Self::Problems, "problems"),
        (Self::Groups, "groups"),
        (Self::Organizations, "organizations"),
        (Self::Teams, "teams"),
        (Self::Submissions, "submissions"),
        (Self::Judgements, "judgements"),
        (Self::Runs, "runs"),
        (Self::Clarifications, "clarifications"),
        (Self::State, "state"),
    ];

    pub(super) fn all() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().map(|(kind, _)| kind)
    }

    /// The types whose objects form collections.
    pub(super) fn collections() -> impl Iterator<Item = Self> {
        Self::all().filter(|kind| !matches!(kind, Self::Contest | Self::State))
    }

    /// The type of the collection with this name.
    pub(super) fn of_collection(name: &str) -> Option<Self> {
        Self::collections().find(|kind| kind.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        Self::ALL[self as usize].1
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
