//! The permissions and the identity of a caller.

use axum::response::Response;
use judge_office::state::Holder;
use serde_json::{Value, json};

use super::callers::Caller;
use super::identifiers::{organiser_id, team_id};
use super::object::Kind;
use super::version::Version;

/// The properties of each type of objects that callers see. The second list is only in 2026-01.
fn properties(kind: Kind) -> (&'static [&'static str], &'static [&'static str]) {
    match kind {
        Kind::Contest => (
            &["id", "name", "formal_name", "start_time", "duration", "scoreboard_freeze_duration", "scoreboard_type"],
            &["scoreboard_thaw_time"],
        ),
        Kind::JudgementTypes => (&["id", "name", "solved"], &[]),
        Kind::Languages => (&["id", "name", "entry_point_required", "extensions"], &[]),
        Kind::Problems => (
            &["id", "label", "name", "ordinal", "time_limit", "test_data_count", "statement"],
            &["memory_limit", "code_limit"],
        ),
        Kind::Groups => (&["id", "name"], &[]),
        Kind::Organizations => (&["id", "name", "formal_name"], &[]),
        Kind::Teams => (&["id", "name", "label", "group_ids", "organization_id"], &[]),
        Kind::Submissions => {
            (&["id", "language_id", "problem_id", "team_id", "time", "contest_time", "entry_point", "files"], &[])
        }
        Kind::Judgements => (
            &[
                "id",
                "submission_id",
                "judgement_type_id",
                "start_time",
                "start_contest_time",
                "end_time",
                "end_contest_time",
                "max_run_time",
            ],
            &[],
        ),
        Kind::Runs => {
            (&["id", "judgement_id", "ordinal", "judgement_type_id", "time", "contest_time", "run_time"], &[])
        }
        Kind::Clarifications => {
            (&["id", "from_team_id", "reply_to_id", "problem_id", "text", "time", "contest_time"], &["to_team_ids"])
        }
        Kind::State => (&["started", "frozen", "ended", "thawed", "finalized", "end_of_updates"], &[]),
    }
}

/// The properties that only contests of accepted answers have, and the properties that only other contests have.
fn of_scoring(kind: Kind) -> (&'static [&'static str], &'static [&'static str]) {
    match kind {
        Kind::Contest => (&["penalty_time"], &[]),
        Kind::JudgementTypes => (&["penalty"], &[]),
        Kind::Judgements => (&[], &["score"]),
        _ => (&[], &[]),
    }
}

/// The capabilities of the caller, and the properties that it sees.
pub(super) fn access(caller: &Caller, version: Version, pass_fail: bool) -> Value {
    let asks = match version {
        Version::V2023 => "team_clar",
        Version::V2026 => "post_clar",
    };
    let capabilities: Vec<&str> = match &caller.holder {
        None => Vec::new(),
        Some(Holder::Team(_)) => vec!["team_submit", asks],
        Some(Holder::Organiser(_)) if version == Version::V2023 => vec!["contest_thaw"],
        Some(Holder::Organiser(_)) => vec!["contest_thaw", "post_clar"],
    };
    let endpoint = |kind: Kind| {
        let (both, later) = properties(kind);
        let more: &[&str] = match (version, kind) {
            (Version::V2026, _) => later,
            (Version::V2023, Kind::Clarifications) => &["to_team_id"],
            (Version::V2023, _) => &[],
        };
        let (accepted, scored) = of_scoring(kind);
        let scoring = if pass_fail { accepted } else { scored };
        let properties: Vec<&&str> = both.iter().chain(more).chain(scoring).collect();
        (!properties.is_empty()).then(|| json!({ "type": kind.name(), "properties": properties }))
    };
    json!({ "capabilities": capabilities, "endpoints": Kind::all().filter_map(endpoint).collect::<Vec<Value>>() })
}

/// The account of the caller.
///
/// # Errors
/// 401 without a token.
pub(super) fn account(caller: &Caller) -> Result<Value, Response> {
    match &caller.holder {
        Some(Holder::Organiser(name)) => Ok(json!({ "id": organiser_id(name), "username": name, "type": "admin" })),
        _ => {
            let team = caller.team()?;
            Ok(json!({ "id": team_id(team), "username": team, "type": "team", "team_id": team_id(team) }))
        }
    }
}
