//! The objects of the Contest API as JSON.

use std::collections::{BTreeMap, BTreeSet};

use judge_contest::office::Feedback;
use judge_core::journal::Contents;
use judge_office::EXECUTABLE;
use judge_office::line::Message;
use judge_office::state::{State, Submission};
use judge_office::view::Viewer;
use judge_office::view::judgements::{Judgement, Judgements, Outcome, is_pass_fail};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::feed::Seen as Moment;
use super::object::{Kind, Object};
use super::runs::{OfJudgement, Runs};
use super::schedule::Schedule;
use super::times::{absolute, duration, relative, seconds};
use super::version::Version;
use crate::app::App;
use crate::site::Site;

/// The identifier of the one group, to which all teams belong.
pub(super) const GROUP: &str = "teams";
/// The language of a submission that is not shown yet.
pub(super) const HIDDEN: &str = "hidden";
/// The most characters of an identifier.
const MAX_ID: usize = 36;
/// The beginning of an identifier that is derived from a name that cannot be an identifier, and the number of bytes of
/// the hash after it.
const MADE: (&str, usize) = ("team-", 15);

/// The identifier of a team: its name, or an identifier derived from the name. No two teams have the same: a name that looks
/// like a derived identifier is not used as one itself, and the hash is too long to find two names with the same hash.
pub(super) fn team_id(team: &str) -> String {
    let plain = team.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter));
    if plain && team.len() <= MAX_ID && !team.starts_with('-') && !is_made(team) {
        return team.to_owned();
    }
    let (prefix, bytes) = MADE;
    let hash = Sha256::digest(team.as_bytes());
    let digits: String = hash.iter().take(bytes).map(|byte| format!("{byte:02x}")).collect();
    format!("{prefix}{digits}")
}

/// Tests whether a text has the form of a derived identifier, of this or earlier versions, in upper or lower case.
fn is_made(text: &str) -> bool {
    let (prefix, bytes) = MADE;
    let text = text.to_ascii_lowercase();
    let digits = text.strip_prefix(prefix).unwrap_or_default();
    [16, 2 * bytes].contains(&digits.len()) && digits.chars().all(|digit| digit.is_ascii_hexdigit())
}

/// The team with an identifier.
pub(super) fn team_of<'s>(id: &str, state: &'s State) -> Option<&'s str> {
    state.teams().keys().map(|team| &**team).find(|team| team_id(team) == id)
}

/// The contest. `strict` leaves out properties that the interface does not have but DOMjudge's client needs.
pub(super) fn contest(site: &Site, state: &State, version: Version, strict: bool) -> Value {
    let (schedule, id) = (Schedule::of(state), site.id());
    let (contents, name) = (site.first().conduct.contents(), site.name());
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
pub(super) fn fixed(site: &Site, moment: &Moment, version: Version, used: &BTreeSet<&str>) -> Vec<Object> {
    let (state, contents, _) = &moment[0];
    let mut objects = vec![Object::new(Kind::Contest, None, &contest(site, state, version, true))];
    let mut add = |kind: Kind, object: Value| {
        let id = object["id"].as_str().map(str::to_owned);
        objects.push(Object::new(kind, id, &object));
    };
    let feedback = site.first().feedback(state);
    for outcome in Outcome::ALL {
        let solved = outcome == Outcome::Accepted;
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
    for (app, (_, contents, _)) in site.apps().iter().zip(moment) {
        add(Kind::Problems, problem(app, contents, version));
    }
    add(Kind::Groups, json!({ "id": GROUP, "name": "Teams" }));
    for team in state.teams().keys() {
        add(Kind::Teams, json!({ "id": team_id(team), "name": **team, "label": **team, "group_ids": [GROUP] }));
    }
    objects
}

fn problem(app: &App, contents: &Contents, version: Version) -> Value {
    let plan = &contents.plan;
    let mut problem = json!({
        "id": app.part.id,
        "label": app.part.label().to_string(),
        "name": plan.name,
        "ordinal": app.part.number + 1,
        "time_limit": seconds(plan.problems[0].limits.wall_ms.saturating_mul(1000)),
        "test_data_count": Judgements::boards(contents).len(),
    });
    if version == Version::V2026 {
        problem["code_limit"] = json!(judge_office::MAX_UPLOAD_BYTES / 1024);
        if let Some(memory) = plan.problems[0].limits.memory_bytes {
            problem["memory_limit"] = json!(memory >> 20);
        }
    }
    problem
}

/// The languages of all problems, each once, and the languages of submissions that arrived when the contest file
/// allowed others.
fn languages_of_all(site: &Site, used: &BTreeSet<&str>) -> Vec<(String, String, Vec<String>)> {
    let mut known = BTreeMap::new();
    for (code, name, extensions) in site.apps().iter().flat_map(|app| languages(app)) {
        known.entry(code).or_insert((name, extensions));
    }
    for &code in used {
        let named = site.apps().iter().map(|app| app.office.language_name(code));
        let name = || { named }.find(|name| *name != code).unwrap_or(code).to_owned();
        known.entry(code.to_owned()).or_insert_with(|| (name(), vec![code.to_owned()]));
    }
    known.into_iter().map(|(code, (name, extensions))| (code, name, extensions)).collect()
}

/// The languages: code, name and endings of each.
pub(super) fn languages(app: &App) -> Vec<(String, String, Vec<String>)> {
    let mut known: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
    for language in app.office.languages() {
        let (_, endings) = known.entry(language.code.clone()).or_insert((language.name, BTreeSet::new()));
        // What only a first line decides is no ending of its own.
        if language.marker.is_none() {
            endings.extend(language.endings.iter().map(|ending| ending.trim_start_matches('.').to_owned()));
        }
    }
    known.insert(EXECUTABLE.to_owned(), ("Executable".to_owned(), BTreeSet::from(["bin".to_owned()])));
    known.insert(HIDDEN.to_owned(), ("Not shown".to_owned(), BTreeSet::new()));
    let with_ending = |(code, (name, mut endings)): (String, (String, BTreeSet<String>))| {
        if endings.is_empty() {
            // Clients refuse a language without any.
            endings.insert(code.clone());
        }
        (code, name, endings.into_iter().collect())
    };
    known.into_iter().map(with_ending).collect()
}

/// A viewer's view of one submission.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    /// The public number of the submission.
    pub(super) id: u64,
    /// True if the viewer may have its files.
    pub(super) own: bool,
    /// Its language; `None` if the viewer may not see its result.
    pub(super) language: Option<&'a str>,
    pub(super) feedback: Feedback,
    pub(super) start: u64,
    pub(super) contest: &'a str,
    pub(super) problem: &'a str,
}

pub(super) fn submission(at: u64, submission: &Submission, seen: Seen<'_>) -> Object {
    let id = seen.id.to_string();
    // Programs in C and C++ have none.
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

/// The outcome of a submission for viewers who see these details. For viewers who see only the total, any answer that is not
/// accepted is wrong, because the kind of failure is that of its first failed board.
pub(crate) fn shown(outcome: Outcome, feedback: Feedback) -> Outcome {
    if feedback == Feedback::Score && outcome.is_rejected() { Outcome::Wrong } else { outcome }
}

/// The name of an outcome in a contest that shows teams these details. If the kind of failure is hidden from some, a rejected
/// answer is not called wrong.
fn name_of(outcome: Outcome, feedback: Feedback) -> &'static str {
    match (outcome, feedback) {
        (Outcome::Wrong, Feedback::Verdicts | Feedback::Score) => "not accepted",
        (outcome, _) => outcome.name(),
    }
}

/// The judgement of a submission at its beginning, and at present.
pub(super) fn judgement(judged: &Judgement, seen: Seen<'_>) -> (Object, Object) {
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
pub(super) fn runs(judged: Judgement, seen: Seen<'_>) -> Runs {
    let of = OfJudgement { id: seen.id.to_string(), start: seen.start, times: seen.feedback == Feedback::Full };
    let all = if seen.feedback == Feedback::Score { Vec::new() } else { judged.runs };
    Runs { of: of.into(), all }
}

/// The messages that a viewer reads. A viewer who may not read the question of an answer gets no reference to it.
pub(super) fn clarifications(app: &App, state: &State, viewer: &Viewer, version: Version, start: u64) -> Vec<Object> {
    let public = |number: u32| app.part.public(number).to_string();
    // What is about the contest as a whole is kept with the first problem.
    let problem = (app.part.number > 0).then_some(&app.part.id);
    let clarification = |at: u64, message: &Message| {
        let asked = message.answers.and_then(|question| state.message(question));
        let asked = asked.filter(|(_, asked)| viewer.reads(asked)).map(|(_, asked)| public(asked.number));
        let to = message.to.as_deref().map(team_id);
        let id = public(message.number);
        let mut json = json!({
            "id": id,
            "from_team_id": message.from.as_deref().map(team_id),
            "reply_to_id": asked,
            "problem_id": problem,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_has_an_identifier_that_every_client_takes() {
        assert_eq!(team_id("ada_7"), "ada_7");
        for odd in ["a+b", "-a", &"a".repeat(37), "\u{e9}milie"] {
            let id = team_id(odd);
            assert!(id.len() == 35 && id.starts_with("team-"), "{odd}: {id}");
        }
        assert_ne!(team_id("a+b"), team_id("a+c"));
    }

    #[test]
    fn no_team_can_have_the_identifier_of_another_one_as_its_name() {
        for name in ["team-1", "team-blue", "team-0123456789abcdeg", "team", "team-"] {
            assert_eq!(team_id(name), name);
        }
        let of_zoe = team_id("zo\u{eb}");
        for taken in [&of_zoe, &team_id(&of_zoe), &of_zoe.to_uppercase(), &of_zoe[..21]] {
            let id = team_id(taken);
            assert!(id != of_zoe && id != *taken && id.starts_with("team-"), "{taken}: {id}");
        }
    }

    #[test]
    fn with_the_total_alone_what_an_answer_failed_by_is_hidden() {
        for outcome in Outcome::ALL {
            let total = shown(outcome, Feedback::Score).id();
            assert_eq!(total, if outcome.is_rejected() { "WA" } else { outcome.id() });
            for more in [Feedback::Full, Feedback::Verdicts] {
                assert_eq!(shown(outcome, more), outcome);
            }
        }
        assert_eq!(shown(Outcome::MemoryLimit, Feedback::Score), Outcome::Wrong);
        // What it is called is true of all that it stands for.
        let wrong = [Feedback::Full, Feedback::Verdicts, Feedback::Score].map(|of| name_of(Outcome::Wrong, of));
        assert_eq!(wrong, ["wrong answer", "not accepted", "not accepted"]);
        assert_eq!(name_of(Outcome::Compile, Feedback::Score), Outcome::Compile.name());
    }
}
