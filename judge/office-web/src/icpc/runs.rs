//! The runs of a judgement. Their JSON is created when it is sent: a contest has up to a million runs, and most are never
//! requested.

use std::sync::Arc;

use judge_office::view::judgements::Run;
use serde_json::json;

use super::object::{Kind, Object};
use super::times::{absolute, relative, seconds};

/// The data that all runs of a judgement share.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct JudgementContext {
    /// The identifier of the judgement, which equals the identifier of its submission.
    pub(super) id: String,
    /// The start of the contest, in seconds since the beginning of 1970 in UTC.
    pub(super) start: u64,
    /// True if the viewer sees the times of runs.
    pub(super) times: bool,
}

/// The runs of a judgement that a viewer sees, in their order.
#[derive(Debug)]
pub(super) struct Runs {
    pub(super) of: Arc<JudgementContext>,
    pub(super) all: Vec<Run>,
}

impl JudgementContext {
    /// The identifier of a run by its number.
    pub(super) fn run_id(&self, ordinal: usize) -> String {
        format!("{}-{ordinal}", self.id)
    }

    /// A run as an object.
    pub(super) fn object(&self, run: &Run) -> Object {
        let id = self.run_id(run.ordinal);
        let mut json = json!({
            "id": id,
            "judgement_id": self.id,
            "ordinal": run.ordinal,
            "judgement_type_id": run.outcome.id(),
            "time": absolute(run.at),
            "contest_time": relative(run.at, self.start),
        });
        if let Some(wall) = run.wall_us.filter(|_| self.times) {
            json["run_time"] = seconds(wall);
        }
        Object::new(Kind::Runs, id, &json)
    }
}

impl Runs {
    /// The run with an identifier.
    pub(super) fn find(&self, id: &str) -> Option<&Run> {
        let ordinal = id.strip_prefix(&*self.of.id)?.strip_prefix('-')?;
        self.all.iter().find(|run| run.ordinal.to_string() == ordinal)
    }
}
