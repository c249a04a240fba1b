//! A viewer's view of the Contest API at one moment. Parts that are equal for several viewers are shared between them.

use std::sync::Arc;

use judge_office::view::judgements::JudgementType;
use serde_json::Value;

use super::object::{Kind, Object};
use super::runs::Runs;

/// Everything that a viewer sees.
#[derive(Default)]
pub(super) struct Snapshot {
    /// The objects to which submissions refer, in the order of references.
    pub(super) fixed: Arc<Vec<Object>>,
    /// The submissions in the order of their numbers.
    pub(super) submissions: Vec<Arc<Bundle>>,
    pub(super) clarifications: Vec<Object>,
    pub(super) state: Option<Object>,
    /// The state of the contest as a JSON value.
    pub(super) status: Value,
}

/// A submission with its judgement.
pub(super) struct Bundle {
    pub(super) mark: u64,
    pub(super) submission: Object,
    /// The code of its language; `None` if the viewer may not know it.
    pub(super) language: Option<Arc<str>>,
    pub(super) judged: Option<Judged>,
}

/// A judgement with its runs, as an object at its beginning and now.
pub(super) struct Judged {
    pub(super) begun: Object,
    pub(super) now: Object,
    pub(super) runs: Runs,
    /// The time and kind of its end.
    pub(super) ended: Option<(u64, JudgementType)>,
}

impl Bundle {
    /// The time and kind of its judgement's end; `None` if the viewer may not see it.
    pub(super) fn ended(&self) -> Option<(u64, JudgementType)> {
        self.judged.as_ref()?.ended
    }
}

impl Snapshot {
    /// The object of a type with an identifier. For a type without identifiers, `id` is `None`.
    pub(super) fn object(&self, kind: Kind, id: Option<&str>) -> Option<Object> {
        if kind == Kind::Runs {
            let runs = self.submissions.iter().filter_map(|bundle| Some(&bundle.judged.as_ref()?.runs));
            let mut found = runs.filter_map(|runs| Some(runs.of.object(runs.find(id?)?)));
            return found.next();
        }
        let mut at = Place::default();
        while let Some(looked) = self.at(kind, &mut at, &|_| true) {
            if let Some(object) = looked.filter(|object| object.id.as_deref() == id) {
                return Some(object);
            }
        }
        None
    }

    /// The object of a type at a place, which advances. `Some(None)` if the place has no object of this type, and `None` at the
    /// end. Runs of judgements that are not `wanted` are left out.
    pub(super) fn at(&self, kind: Kind, place: &mut Place, wanted: &dyn Fn(&str) -> bool) -> Option<Option<Object>> {
        let here = *place;
        *place = Place { item: here.item + 1, run: 0 };
        match kind {
            Kind::Submissions => Some(Some(self.submissions.get(here.item)?.submission.clone())),
            Kind::Judgements => Some(self.submissions.get(here.item)?.judged.as_ref().map(|judged| judged.now.clone())),
            Kind::Runs => {
                let runs = self.submissions.get(here.item)?.judged.as_ref().map(|judged| &judged.runs);
                let Some(runs) = runs.filter(|runs| wanted(&runs.of.id)) else { return Some(None) };
                let Some(run) = runs.all.get(here.run) else { return Some(None) };
                *place = Place { run: here.run + 1, ..here };
                Some(Some(runs.of.object(run)))
            }
            Kind::Clarifications => Some(Some(self.clarifications.get(here.item)?.clone())),
            Kind::State => Some(Some(self.state.as_slice().get(here.item)?.clone())),
            _ => Some(Some(self.fixed.get(here.item)?.clone()).filter(|object| object.kind == kind)),
        }
    }
}

/// A place in a collection.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    item: usize,
    /// The index of the run in the judgement at this place.
    run: usize,
}
