//! The Contest API of the ICPC that `judge serve` has, by requests as clients send them, and its scoreboard, which a program
//! that shares no code with judge recomputes from the event feed.

mod feed;
mod scoreboard;
mod several;
mod submissions;

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use judge_office::intake;

use crate::second_opinion::has_python;
use crate::serve::{Answer, form_of};
use crate::site::{SOLVES, Site, TIMEOUT, club};
use crate::support::*;

/// The contest in both versions of the interface.
const CONTEST: &str = "/api/contests/club";
const EARLIER: &str = "/api/v4/contests/club";

/// One who asks with a name and a token, or nobody.
#[derive(Clone, Copy)]
pub(crate) struct Caller<'a> {
    site: &'a Site,
    shown: Option<(&'a str, &'a str)>,
}

impl Site {
    fn public(&self) -> Caller<'_> {
        Caller { site: self, shown: None }
    }

    pub(crate) fn as_team<'a>(&'a self, team: &'a str, token: &'a str) -> Caller<'a> {
        Caller { site: self, shown: Some((team, token)) }
    }

    fn as_organiser(&self) -> Caller<'_> {
        Caller { site: self, shown: Some(("organiser", self.organiser.as_deref().unwrap())) }
    }
}

impl Caller<'_> {
    fn authorization(&self) -> String {
        let basic = |(team, token): (&str, &str)| STANDARD.encode(format!("{team}:{token}"));
        self.shown.map_or(String::new(), |shown| format!("Authorization: Basic {}\r\n", basic(shown)))
    }

    fn ask(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        self.site.visitor().request(method, path, &(self.authorization() + headers), body)
    }

    fn code(&self, path: &str) -> u16 {
        self.ask("GET", path, "", b"").code
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let answer = self.ask("GET", path, "", b"");
        assert_eq!(answer.code, 200, "{path}: {}", answer.body);
        serde_json::from_str(&answer.body).unwrap_or_else(|error| panic!("{path}: {error}: {}", answer.body))
    }

    /// Sends files as DOMjudge's client and `curl -F` do.
    fn post_files(&self, fields: &[(&str, &str)], files: &[(&str, &[u8])]) -> Answer {
        let body = form_of(fields, "code[]", files);
        let path = format!("{CONTEST}/submissions");
        self.ask("POST", &path, "Content-Type: multipart/form-data; boundary=b\r\n", &body)
    }

    fn send(&self, method: &str, path: &str, object: &Value) -> Answer {
        self.ask(method, path, "Content-Type: application/json\r\n", object.to_string().as_bytes())
    }

    /// Submits one file, and returns the number.
    fn submit(&self, name: &str, text: &str) -> String {
        let answer = self.post_files(&[("problem", "club")], &[(name, text.as_bytes())]);
        assert_eq!(answer.code, 200, "{}", answer.body);
        serde_json::from_str::<Value>(&answer.body).unwrap()["id"].as_str().unwrap().to_owned()
    }

    /// Waits for the judgement of a submission to end.
    pub(crate) fn judged(&self, id: &str) -> Value {
        let judgement = || self.get(&format!("{CONTEST}/judgements?submission_id={id}"))[0].clone();
        let ended = || Some(judgement()).filter(|judgement| judgement["end_time"].is_string());
        wait_for(|| format!("submission {id}: {}", judgement()), ended)
    }

    /// The events that there are.
    fn events(&self, more: &str) -> Vec<Value> {
        let answer = self.ask("GET", &format!("{CONTEST}/event-feed?stream=false{more}"), "", b"");
        assert_eq!(answer.code, 200, "{}", answer.body);
        answer.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn archive(files: &[(&str, &str)]) -> String {
    let files: Vec<(String, Vec<u8>)> = files.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect();
    STANDARD.encode(intake::bundle(&files).unwrap().1)
}

#[test]
fn both_versions_differ_only_where_they_must() {
    let (folder, tokens) = club(&["ada", "a+b"]);
    let site = Site::start(&folder, &[]);
    for (base, version) in [
        ("/api", "2026-01"),
        ("/api/", "2026-01"),
        ("/api/2026-01", "2026-01"),
        ("/api/v4", "2023-06"),
        ("/api/2023-06/", "2023-06"),
    ] {
        assert_eq!(site.public().get(base)["version"], version, "{base}");
    }
    let contest = site.public().get(CONTEST);
    assert_eq!(site.public().get(&format!("{CONTEST}/")), contest);
    assert_eq!(
        (&contest["id"], &contest["shortname"], &contest["scoreboard_type"]),
        (&json!("club"), &json!("club"), &json!("score"))
    );
    let strict = site.public().get("/api/contests?strict=1");
    assert!(strict[0].get("shortname").is_none() && strict[0].get("scoreboard_thaw_time").is_some(), "{strict}");
    assert!(site.public().get(EARLIER).get("scoreboard_thaw_time").is_none());
    let problem = |contest: &str| site.public().get(&format!("{contest}/problems/club"));
    assert_eq!((&problem(CONTEST)["code_limit"], problem(EARLIER).get("code_limit")), (&json!(1024), None));
    assert_eq!(problem(CONTEST)["test_data_count"], 1);
    let teams = site.public().get(&format!("{CONTEST}/teams"));
    let ids: Vec<&str> = teams.as_array().unwrap().iter().map(|team| team["id"].as_str().unwrap()).collect();
    assert!(ids[0].starts_with("team-") && ids[1] == "ada" && teams[0]["name"] == "a+b", "{teams}");
    let languages = site.public().get(&format!("{CONTEST}/languages"));
    let c = languages.as_array().unwrap().iter().find(|language| language["id"] == "c").unwrap();
    assert_eq!(c["extensions"], json!(["c"]));
    let ada = site.as_team("ada", &tokens[0]);
    assert_eq!(ada.get(&format!("{CONTEST}/account"))["team_id"], "ada");
    assert_eq!(site.as_organiser().get(&format!("{CONTEST}/account"))["type"], "admin");
    let can = |caller: Caller<'_>, contest: &str| caller.get(&format!("{contest}/access"))["capabilities"].clone();
    assert_eq!(can(site.public(), CONTEST), json!([]));
    assert!(can(ada, CONTEST).as_array().unwrap().contains(&json!("team_submit")));
    assert_eq!(site.public().get(&format!("{CONTEST}/scoreboard"))["rows"].as_array().unwrap().len(), 2);
}

#[test]
fn clarifications_are_those_that_a_reader_of_the_site_sees() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let (ada, bob) = (site.as_team("ada", &tokens[0]), site.as_team("bob", &tokens[1]));
    let path = format!("{CONTEST}/clarifications");
    let sent = |caller: Caller<'_>, object: Value| {
        let answer = caller.send("POST", &path, &object);
        (answer.code, serde_json::from_str::<Value>(&answer.body).unwrap())
    };
    let (code, question) = sent(ada, json!({ "text": "Is the board solvable?", "problem_id": "club" }));
    assert_eq!((code, &question["id"], &question["from_team_id"]), (200, &json!("1"), &json!("ada")));
    assert_eq!(sent(site.as_organiser(), json!({ "text": "Yes.", "reply_to_id": "1", "to_team_ids": ["ada"] })).0, 200);
    let (code, everybody) =
        sent(site.as_organiser(), json!({ "text": "All boards are solvable.", "reply_to_id": "1" }));
    assert_eq!((code, &everybody["reply_to_id"], &everybody["from_team_id"]), (200, &json!("1"), &Value::Null));
    let read = |caller: Caller<'_>, contest: &str| -> Vec<Value> {
        caller.get(&format!("{contest}/clarifications")).as_array().unwrap().clone()
    };
    assert_eq!(read(ada, CONTEST).len(), 3);
    // Nobody else has the question, nor a reference to it.
    for other in [bob, site.public()] {
        let texts: Vec<_> =
            read(other, CONTEST).iter().map(|one| (one["text"].clone(), one["reply_to_id"].clone())).collect();
        assert_eq!(texts, [(json!("All boards are solvable."), Value::Null)]);
        assert!(other.events("").iter().all(|event| !event.to_string().contains("Is the board")));
    }
    assert_eq!(
        (&read(ada, CONTEST)[1]["to_team_ids"], &read(ada, EARLIER)[1]["to_team_id"]),
        (&json!(["ada"]), &json!("ada"))
    );
    assert!(site.with(&tokens[0]).page("/clarifications").contains("All boards are solvable."));
    let refused = |caller: Caller<'_>, object: Value, code: u16| assert_eq!(sent(caller, object).0, code);
    refused(ada, json!({ "text": "?", "to_team_ids": ["bob"] }), 400);
    refused(ada, json!({ "text": "?", "from_team_id": "bob" }), 400);
    refused(ada, json!({ "text": "?", "id": "9" }), 400);
    refused(ada, json!({ "problem_id": "club" }), 400);
    refused(ada, json!({ "text": "?", "problem_id": "chess" }), 400);
    refused(site.as_organiser(), json!({ "text": "!", "to_team_ids": ["cleo"] }), 400);
    refused(site.as_organiser(), json!({ "text": "!", "reply_to_id": "3" }), 400);
    refused(site.public(), json!({ "text": "?" }), 401);
}

#[test]
fn the_times_and_quotas_of_the_contest_are_those_of_the_interface() {
    let (folder, tokens) = club(&["ada"]);
    let rules =
        "[office]\nopens = 2026-01-01T10:00:00+01:00\ncloses = 2996-01-01T00:00:00Z\n[office.limit]\nevery = \"1h\"\n";
    let contest = folder.read("club/contest.toml");
    folder.file("club/contest.toml", contest + rules);
    let site = Site::start(&folder, &[]);
    let ada = site.as_team("ada", &tokens[0]);
    let contest = site.public().get(CONTEST);
    assert_eq!(contest["start_time"], "2026-01-01T09:00:00.000+00:00");
    let state = site.public().get(&format!("{CONTEST}/state"));
    assert_eq!((&state["started"], &state["ended"]), (&contest["start_time"], &Value::Null));
    ada.submit("main.c", SOLVES);
    let again = ada.post_files(&[("problem", "club")], &[("solve.sh", b"echo lluu")]);
    assert_eq!(again.code, 429, "{}", again.body);
    assert!((3000..=3600).contains(&again.header("retry-after").unwrap().parse::<u64>().unwrap()));
    // What comes late is there, and is not judged.
    folder.judge(["office", "extend", "club", "--closes", "2026-01-02T00:00:00Z", "--because", "a test"]).exits(0);
    assert!(site.public().get(&format!("{CONTEST}/state"))["ended"].is_string());
    assert_eq!(site.public().get(CONTEST)["duration"], "15:00:00.000");
}

#[test]
fn what_teams_do_not_see_on_the_site_is_not_in_the_interface() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &["--feedback", "verdicts"]);
    let (ada, bob) = (site.as_team("ada", &tokens[0]), site.as_team("bob", &tokens[1]));
    let id = ada.submit("main.c", SOLVES);
    assert!(ada.judged(&id).get("max_run_time").is_none());
    let runs = |caller: Caller<'_>| caller.get(&format!("{CONTEST}/runs"));
    assert!(runs(ada)[0].get("run_time").is_none() && runs(ada)[0]["judgement_type_id"] == "AC");
    assert_eq!((runs(bob), runs(site.public())), (json!([]), json!([])));
    assert!(runs(site.as_organiser())[0]["run_time"].is_number());
    // What a rejected answer failed by: for its team and the number of Kattis' clients, and for others.
    for (feedback, own, number, others) in
        [("full", "RTE", 9, "RTE"), ("verdicts", "RTE", 9, "WA"), ("score", "WA", 14, "WA")]
    {
        let (folder, tokens) = club(&["ada", "bob"]);
        let site = Site::start(&folder, &["--feedback", feedback]);
        let (ada, bob) = (site.as_team("ada", &tokens[0]), site.as_team("bob", &tokens[1]));
        let id = ada.submit("main.c", "int main(void) { __builtin_trap(); }");
        let end = |caller: Caller<'_>| caller.judged(&id)["judgement_type_id"].as_str().unwrap().to_owned();
        let ends = [ada, bob, site.public(), site.as_organiser()].map(end);
        assert_eq!(ends, [own, others, others, "RTE"], "{feedback}");
        let kattis: Value = serde_json::from_str(&site.with(&tokens[0]).page("/submissions/1?json")).unwrap();
        assert_eq!(kattis["status_id"], number, "{kattis}");
        let text = kattis["row_html"].as_str().unwrap();
        assert_eq!(
            (text.contains("Run-time error"), text.contains("Not accepted")),
            (own == "RTE", own == "WA"),
            "{text}"
        );
    }
}

#[test]
fn a_team_of_an_older_contest_that_is_named_like_an_entry_has_its_own_score() {
    let (folder, _) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    // Commands refuse such a team now.
    let office = judge_office::Office::open(&folder.path().join("club/office"), std::sync::Arc::new(|| 1_795_435_200));
    let token = office.unwrap().add_team("house", None).unwrap().to_string();
    let house = site.as_team("house", &token);
    let id = house.submit("main.c", SOLVES);
    let score = house.judged(&id)["score"].clone();
    let rows = site.public().get(&format!("{CONTEST}/scoreboard"))["rows"].clone();
    let row = rows.as_array().unwrap().iter().find(|row| row["team_id"] == "house").unwrap();
    assert!(score.as_f64().unwrap() > 0.0 && row["score"]["score"] == score, "{score} {rows}");
    assert_eq!((&row["rank"], rows.as_array().unwrap().len()), (&json!(1), 2), "{rows}");
}

#[test]
fn submissions_keep_their_language_when_the_contest_file_allows_others() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let file = folder.read("club/contest.toml");
    let own =
        "[[language]]\ncode = \"own\"\nname = \"My own\"\nendings = [\".own\"]\nrun = [\"sh\", \"{folder}/{main}\"]\n";
    folder.file("club/contest.toml", [&file, "[office]\nlanguages = [\"c\", \"own\"]\n", own].concat());
    let site = Site::start(&folder, &[]);
    let (ada, bob) = (site.as_team("ada", &tokens[0]), site.as_team("bob", &tokens[1]));
    for (name, text) in [("main.c", SOLVES), ("a.own", "echo lluu")] {
        ada.judged(&ada.submit(name, text));
    }
    let named = bob.post_files(&[("problem", "club"), ("language", "c")], &[("main.c", SOLVES.as_bytes())]);
    assert_eq!(named.code, 200, "{}", named.body);
    let organiser = site.organiser.clone();
    site.stop();
    folder.file("club/contest.toml", file + "[office]\nlanguages = [\"cpp\"]\n");
    let mut site = Site::start(&folder, &[]);
    site.organiser.clone_from(&organiser);
    let list = |caller: Caller<'_>, what: &str, key: &str| -> Vec<String> {
        let all = caller.get(&format!("{CONTEST}/{what}"));
        all.as_array().unwrap().iter().map(|one| one[key].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(list(site.public(), "submissions", "language_id"), ["c", "own", "c"]);
    assert_eq!(list(site.public(), "languages", "id"), ["c", "cpp", "executable", "hidden", "own"]);
    assert_eq!(list(site.public(), "languages", "name"), ["C", "C++", "Executable", "Not shown", "own"]);
    // Nobody can submit in them, and while the board is frozen, they are no sign of what is hidden.
    let late = site.as_team("bob", &tokens[1]).post_files(&[("language", "c")], &[("main.c", b"1")]);
    assert_eq!(late.code, 400, "{}", late.body);
    folder.judge(["office", "freeze", "club"]).exits(0);
    site.stop();
    let late =
        "[[language]]\ncode = \"late\"\nname = \"Late\"\nendings = [\".late\"]\nrun = [\"sh\", \"{folder}/{main}\"]\n";
    folder.file("club/contest.toml", folder.read("club/contest.toml").replace("\"cpp\"", "\"cpp\", \"late\"") + late);
    let mut site = Site::start(&folder, &[]);
    site.organiser = organiser.clone();
    let id = site.as_team("bob", &tokens[1]).submit("a.late", "echo lluu");
    site.as_team("bob", &tokens[1]).judged(&id);
    site.stop();
    folder.file("club/contest.toml", folder.read("club/contest.toml").replace(", \"late\"", "").replace(late, ""));
    let mut site = Site::start(&folder, &[]);
    site.organiser = organiser;
    let code = "late".to_owned();
    assert!(!list(site.public(), "languages", "id").contains(&code));
    assert!(list(site.as_organiser(), "languages", "id").contains(&code));
    folder.judge(["office", "thaw", "club"]).exits(0);
    assert!(list(site.public(), "languages", "id").contains(&code));
}
