//! The objects of the Contest API as JSON.

use std::collections::{BTreeMap, BTreeSet};

use judge_contest::office::Feedback;
use judge_core::journal::ContestState;
use judge_office::EXECUTABLE;
use judge_office::line::Message;
use judge_office::people::Person;
use judge_office::state::{State, Submission};
use judge_office::view::Viewer;
use judge_office::view::judgements::{Judgement, JudgementType, Judgements, is_pass_fail};
use serde_json::{Value, json};

use super::feed::SnapshotInput as Moment;
use super::identifiers::{GROUP, group_id, organisation_id, team_id};
use super::object::{Kind, Object};
use super::runs::{JudgementContext, Runs};
use super::schedule::Schedule;
use super::times::{absolute, duration, relative, seconds};
use super::version::Version;
use crate::app::App;
use crate::named::{self, Named};
use crate::site::Site;
use crate::statement::{self, PDF};
use crate::verdicts::{name_of, shown};

/// The language of a submission that is not shown yet.
pub(super) const HIDDEN: &str = "hidden";
/// The contest. `strict` leaves out properties that DOMjudge's client needs but the interface does not have.
pub(super) fn contest(site: &Site, state: &State, version: Version, strict: bool) -> Value {
    let (schedule, id) = (Schedule::of(state), site.id());
    let contents = site.app().open_contest.contents();
    let name = &contents.plan.name;
    let end = schedule.start + schedule.duration();
    let frozen = schedule.freeze.map(|freeze| duration(end.saturating_sub(freeze)));
    let mut contest = json!({
        "id": id,
        "name": name,
        "formal_name": name,
        "start_time": absolute(schedule.start),
        "duration": duration(schedule.duration()),
        "scoreboard_freeze_duration": frozen,
        "scoreboard_type": if is_pass_fail(&contents) { "pass-fail" } else { "score" },
    });
    if is_pass_fail(&contents) {
        let minutes = state.rules().cost_of_rejection();
        contest["penalty_time"] = match version {
            Version::V2023 => json!(minutes),
            Version::V2026 => json!(duration(minutes * 60)),
        };
    }
    if version == Version::V2026 {
        contest["scoreboard_thaw_time"] = json!(schedule.thawed.map(absolute));
    }
    if !strict {
        contest["shortname"] = json!(id);
        contest["allow_submit"] = json!(true);
    }
    contest
}

/// The state of the contest at this time.
pub(super) fn state(state: &State, now: u64) -> Value {
    let [started, frozen, ended, thawed, finalised] = Schedule::of(state).past(now).map(|at| at.map(absolute));
    json!({
        "started": started,
        "frozen": frozen,
        "ended": ended,
        "thawed": thawed,
        "finalized": finalised,
        "end_of_updates": null,
    })
}

/// The objects to which submissions refer, in the order of references. The submissions that the viewer sees have these
/// languages.
pub(super) fn fixed(
    site: &Site,
    moment: &Moment,
    viewer: &Viewer,
    version: Version,
    used: &BTreeSet<&str>,
) -> Vec<Object> {
    let (state, contents, _) = moment;
    let mut objects = vec![Object::new(Kind::Contest, None, &contest(site, state, version, true))];
    let mut add = |kind: Kind, object: Value| {
        let id = object["id"].as_str().map(str::to_owned);
        objects.push(Object::new(kind, id, &object));
    };
    let feedback = site.app().feedback(state);
    for outcome in JudgementType::all() {
        let solved = outcome == JudgementType::Accepted;
        let mut of_outcome = json!({ "id": outcome.id(), "name": name_of(outcome, feedback), "solved": solved });
        if is_pass_fail(contents) {
            of_outcome["penalty"] = json!(outcome.is_rejected());
        }
        add(Kind::JudgementTypes, of_outcome);
    }
    for (id, name, extensions) in languages_of_all(site, used) {
        let language = json!({ "id": id, "name": name, "entry_point_required": false, "extensions": extensions });
        add(Kind::Languages, language);
    }
    for (named, ordinal) in named::all(site.app(), contents).iter().zip(1..) {
        let mut problem = problem(named, ordinal, contents, version);
        if statement::stored(site.app(), state, *viewer == Viewer::Organiser, named).is_some() {
            let href = format!("contests/{}/problems/{}/statement", site.id(), named.id);
            problem["statement"] = json!([{ "href": href, "filename": statement::file_name(&named.id), "mime": PDF }]);
        }
        add(Kind::Problems, problem);
    }
    add(Kind::Groups, json!({ "id": GROUP, "name": "Teams" }));
    let of_teams = |of: fn(&Person) -> &String| -> BTreeSet<&String> {
        let people = state.teams().keys().filter_map(|team| state.people().get(&**team));
        people.map(of).filter(|name| !name.is_empty()).collect()
    };
    for group in of_teams(|person| &person.group) {
        add(Kind::Groups, json!({ "id": group_id(group), "name": group }));
    }
    for name in of_teams(|person| &person.organisation) {
        add(Kind::Organizations, json!({ "id": organisation_id(name), "name": name, "formal_name": name }));
    }
    for team in state.teams().keys() {
        let person = state.people().get(&**team);
        let given = |of: fn(&Person) -> &String| person.map(of).filter(|name| !name.is_empty());
        let groups: Vec<String> =
            [GROUP.to_owned()].into_iter().chain(given(|person| &person.group).map(|group| group_id(group))).collect();
        let mut object = json!({ "id": team_id(team), "name": **team, "label": **team, "group_ids": groups });
        if let Some(name) = given(|person| &person.organisation) {
            object["organization_id"] = json!(organisation_id(name));
        }
        add(Kind::Teams, object);
    }
    objects
}

fn problem(named: &Named, ordinal: u32, contents: &ContestState, version: Version) -> Value {
    let limits = contents.plan.problems.with_id(&named.key).map(|problem| problem.limits).unwrap_or_default();
    let mut problem = json!({
        "id": named.id,
        "label": named.letter,
        "name": named.name,
        "ordinal": ordinal,
        "time_limit": seconds(limits.wall_ms.saturating_mul(1000)),
        "test_data_count": Judgements::boards(contents, &named.key).len(),
    });
    if version == Version::V2026 {
        problem["code_limit"] = json!(judge_office::MAX_UPLOAD_BYTES / 1024);
        if let Some(memory) = limits.memory_bytes {
            problem["memory_limit"] = json!(memory >> 20);
        }
    }
    problem
}

/// The languages, including those of submissions that arrived when the contest file allowed other ones.
fn languages_of_all(site: &Site, used: &BTreeSet<&str>) -> Vec<(String, String, Vec<String>)> {
    let all = languages(site.app()).into_iter().map(|(code, name, extensions)| (code, (name, extensions)));
    let mut known: BTreeMap<String, (String, Vec<String>)> = all.collect();
    for &code in used {
        let named = || (site.app().office.language_name(code).to_owned(), vec![code.to_owned()]);
        known.entry(code.to_owned()).or_insert_with(named);
    }
    known.into_iter().map(|(code, (name, extensions))| (code, name, extensions)).collect()
}

/// The languages, each with its code, name and endings.
pub(super) fn languages(app: &App) -> Vec<(String, String, Vec<String>)> {
    let mut known: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
    for language in app.office.languages() {
        let (_, endings) = known.entry(language.code.clone()).or_insert((language.name, BTreeSet::new()));
        // A language that only a first line distinguishes has no ending.
        if language.marker.is_none() {
            endings.extend(language.endings.iter().map(|ending| ending.trim_start_matches('.').to_owned()));
        }
    }
    known.insert(EXECUTABLE.to_owned(), ("Executable".to_owned(), BTreeSet::from(["bin".to_owned()])));
    known.insert(HIDDEN.to_owned(), ("Not shown".to_owned(), BTreeSet::new()));
    let with_ending = |(code, (name, mut endings)): (String, (String, BTreeSet<String>))| {
        if endings.is_empty() {
            // Clients refuse a language without an ending.
            endings.insert(code.clone());
        }
        (code, name, endings.into_iter().collect())
    };
    known.into_iter().map(with_ending).collect()
}

/// A viewer's view of one submission.
#[derive(Clone, Copy)]
pub(super) struct SubmissionAccess<'a> {
    /// The number of the submission.
    pub(super) id: u32,
    /// True if the viewer may have its files.
    pub(super) own: bool,
    /// Its language; `None` if the viewer may not see its result.
    pub(super) language: Option<&'a str>,
    pub(super) feedback: Feedback,
    pub(super) start: u64,
    pub(super) contest: &'a str,
    pub(super) problem: &'a str,
}

pub(super) fn submission(at: u64, submission: &Submission, seen: SubmissionAccess<'_>) -> Object {
    let id = seen.id.to_string();
    // Programs in C and C++ have no entry point.
    let shown = seen.language.is_some_and(|language| language != "c" && language != "cpp");
    let entry_point = submission.entry_point.as_ref().filter(|_| shown);
    let href = format!("contests/{}/submissions/{id}/files", seen.contest);
    let files = json!([{ "href": href, "filename": "files.zip", "mime": "application/zip" }]);
    let json = json!({
        "id": id,
        "language_id": seen.language.unwrap_or(HIDDEN),
        "problem_id": seen.problem,
        "team_id": team_id(&submission.team),
        "time": absolute(at),
        "contest_time": relative(at, seen.start),
        "entry_point": entry_point,
        "files": if seen.own { files } else { json!([]) },
    });
    Object::new(Kind::Submissions, id, &json)
}

/// The judgement of a submission at its beginning, and now.
pub(super) fn judgement(judged: &Judgement, seen: SubmissionAccess<'_>) -> (Object, Object) {
    let (id, start) = (seen.id.to_string(), seen.start);
    let begun = json!({
        "id": id,
        "submission_id": id,
        "judgement_type_id": null,
        "start_time": absolute(judged.begun),
        "start_contest_time": relative(judged.begun, start),
        "end_time": null,
        "end_contest_time": null,
    });
    let mut ended = begun.clone();
    if let Some((at, outcome)) = judged.ended {
        ended["judgement_type_id"] = json!(shown(outcome, seen.feedback).id());
        ended["end_time"] = json!(absolute(at));
        ended["end_contest_time"] = json!(relative(at, start));
        if let Some(score) = judged.score {
            ended["score"] = json!(score.score());
        }
        if let Some(longest) = judged.longest_us().filter(|_| seen.feedback == Feedback::Full) {
            ended["max_run_time"] = seconds(longest);
        }
    }
    let of = |json: &Value| Object::new(Kind::Judgements, id.clone(), json);
    (of(&begun), of(&ended))
}

/// The runs of a judgement; empty for a viewer who sees only the total.
pub(super) fn runs(judged: Judgement, seen: SubmissionAccess<'_>) -> Runs {
    let of = JudgementContext { id: seen.id.to_string(), start: seen.start, times: seen.feedback == Feedback::Full };
    let all = if seen.feedback == Feedback::Score { Vec::new() } else { judged.runs };
    Runs { of: of.into(), all }
}

/// The messages that a viewer can read. A viewer who may not read the question of an answer gets no reference to it.
pub(super) fn clarifications(state: &State, viewer: &Viewer, version: Version, start: u64) -> Vec<Object> {
    let clarification = |at: u64, message: &Message| {
        let asked = message.answers.and_then(|question| state.message(question));
        let asked = asked.filter(|(_, asked)| viewer.reads(asked)).map(|(_, asked)| asked.number.to_string());
        let to = message.to.as_deref().map(team_id);
        let id = message.number.to_string();
        let mut json = json!({
            "id": id,
            "from_team_id": message.from.as_deref().map(team_id),
            "reply_to_id": asked,
            "problem_id": message.problem,
            "text": &*message.text,
            "time": absolute(at),
            "contest_time": relative(at, start),
        });
        match (version, to) {
            (Version::V2023, to) => json["to_team_id"] = json!(to),
            (Version::V2026, Some(to)) => json["to_team_ids"] = json!([to]),
            (Version::V2026, None) => {}
        }
        Object::new(Kind::Clarifications, id, &json)
    };
    let read = state.messages().iter().filter(|(_, message)| viewer.reads(message));
    read.map(|(at, message)| clarification(*at, message)).collect()
}
