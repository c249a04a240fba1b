//! The Contest API of the ICPC that `judge serve` has, by requests as clients send them, and its scoreboard, which a program
//! that shares no code with judge recomputes from the event feed.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use judge_office::intake;
use serde_json::{Value, json};

use crate::second_opinion::has_python;
use crate::serve::Answer;
use crate::site::{PATIENCE, SOLVES, Site, club};
use crate::support::{Folder, project};

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
        let mut body = Vec::new();
        for (name, value) in fields {
            let part = format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
            body.extend_from_slice(part.as_bytes());
        }
        for (name, bytes) in files {
            let head = format!("--b\r\nContent-Disposition: form-data; name=\"code[]\"; filename=\"{name}\"\r\n\r\n");
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(b"--b--\r\n");
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
        let begun = Instant::now();
        loop {
            let found = self.get(&format!("{CONTEST}/judgements?submission_id={id}"));
            if let Some(judgement) = found.get(0).filter(|judgement| judgement["end_time"].is_string()) {
                return judgement.clone();
            }
            assert!(begun.elapsed() < PATIENCE, "submission {id}: {found}");
            std::thread::sleep(Duration::from_millis(50));
        }
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
fn both_versions_say_what_they_are_and_differ_where_they_must() {
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
fn a_team_submits_in_both_forms_and_reads_what_became_of_it() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let (ada, bob) = (site.as_team("ada", &tokens[0]), site.as_team("bob", &tokens[1]));
    let answer = ada.post_files(
        &[("problem", "club"), ("language", "c"), ("entry_point", ""), ("team", "ada")],
        &[("main.c", SOLVES.as_bytes())],
    );
    assert_eq!(
        (answer.code, answer.header("location").as_deref()),
        (200, Some("/api/contests/club/submissions/1")),
        "{}",
        answer.body
    );
    let submission: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(
        (&submission["id"], &submission["team_id"], &submission["language_id"]),
        (&json!("1"), &json!("ada"), &json!("c"))
    );
    let judgement = ada.judged("1");
    // One board with 25 tiles at home in 4 moves.
    assert_eq!((&judgement["judgement_type_id"], &judgement["score"]), (&json!("AC"), &json!(24_999_996.0)));
    let run = ada.get(&format!("{CONTEST}/runs/1-1"));
    assert_eq!(
        (&run["judgement_id"], &run["ordinal"], &run["judgement_type_id"]),
        (&json!("1"), &json!(1), &json!("AC"))
    );
    // Several files in an archive, whose first build fails.
    let files = [("main.c", "#include \"a.h\"\nint main() { return f(; }"), ("a.h", "int f();")];
    let object = json!({ "problem_id": "club", "language_id": "c", "files": [{ "data": archive(&files) }] });
    let answer = bob.send("POST", &format!("{EARLIER}/submissions"), &object);
    assert_eq!(answer.code, 200, "{}", answer.body);
    assert_eq!(bob.judged("2")["judgement_type_id"], "CE");
    // Its files are for the team and the organiser.
    let path = format!("{CONTEST}/submissions/2/files");
    assert_eq!(
        [bob.code(&path), site.as_organiser().code(&path), ada.code(&path), site.public().code(&path)],
        [200, 200, 404, 404]
    );
    assert_eq!(bob.get(&format!("{CONTEST}/submissions/2"))["files"][0]["mime"], "application/zip");
    assert_eq!(ada.get(&format!("{CONTEST}/submissions/2"))["files"], json!([]));
    let rows = site.public().get(&format!("{CONTEST}/scoreboard"))["rows"].clone();
    assert_eq!(
        (&rows[0]["team_id"], &rows[0]["rank"], &rows[0]["problems"][0]["num_judged"]),
        (&json!("ada"), &json!(1), &json!(1))
    );
    assert_eq!(
        (&rows[1]["team_id"], &rows[1]["rank"], &rows[1]["score"]["score"]),
        (&json!("bob"), &json!(2), &json!(0.0))
    );
    // Which of several files starts the program is the team's to say.
    let files: [(&str, &[u8]); 2] = [("a.sh", b"exit 1"), ("b.sh", b"echo lluu")];
    let answer = bob.post_files(&[("problem", "A"), ("entry_point", "b.sh")], &files);
    assert!(answer.body.contains("\"entry_point\":\"b.sh\""), "{}", answer.body);
    assert_eq!(bob.judged("3")["judgement_type_id"], "AC");
    // A bearer token does as well as a name with it.
    let bearer = format!("Authorization: Bearer {}\r\n", tokens[0]);
    let account = site.visitor().request("GET", &format!("{CONTEST}/account"), &bearer, b"");
    assert!(account.body.contains("\"ada\""), "{}", account.body);
}

#[test]
fn what_cannot_be_accepted_is_refused_in_the_words_of_the_interface() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let ada = site.as_team("ada", &tokens[0]);
    let main: [(&str, &[u8]); 1] = [("main.c", SOLVES.as_bytes())];
    let refused = |answer: Answer, code: u16, says: &str| {
        let body: Value = serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("{}", answer.body));
        assert_eq!(body["code"], answer.code);
        assert!(answer.code == code && answer.body.contains(says), "{says}: {} {}", answer.code, answer.body);
    };
    refused(ada.post_files(&[("problem", "chess")], &main), 400, "unknown problem");
    refused(ada.post_files(&[("problem", "club"), ("language", "klingon")], &main), 400, "unknown language");
    refused(ada.post_files(&[("problem", "club"), ("language", "hidden")], &main), 400, "unknown language");
    refused(ada.post_files(&[("problem", "club"), ("team", "bob")], &main), 400, "your own team");
    refused(ada.post_files(&[("problem", "club"), ("entry_point", "-x")], &main), 400, "entry point");
    refused(ada.post_files(&[("problem", "club")], &[]), 400, "no file");
    refused(ada.post_files(&[("problem", "club")], &[main[0], main[0]]), 400, "twice");
    refused(ada.post_files(&[("problem", "club")], &[("main.c", &vec![b' '; 2 << 20])]), 413, "were sent");
    refused(site.public().post_files(&[("problem", "club")], &main), 401, "token");
    refused(site.as_organiser().post_files(&[("problem", "club")], &main), 403, "only teams");
    refused(site.as_team("bob", &tokens[0]).post_files(&[("problem", "club")], &main), 401, "not that of this name");
    let path = format!("{CONTEST}/submissions");
    let object =
        json!({ "problem_id": "club", "language_id": "c", "files": [{ "data": archive(&[("main.c", SOLVES)]) }] });
    for (key, value, says) in [
        ("id", json!("7"), "`id` is decided here"),
        ("time", json!("2026-11-01T10:00:00Z"), "`time` is decided here"),
        ("team_id", json!("bob"), "your own team"),
        ("problem_id", json!(null), "`problem_id` is missing"),
        ("language_id", json!(7), "`language_id` must be text"),
        ("files", json!([]), "one zip archive"),
        ("files", json!([{ "data": "!" }]), "not base64"),
        ("files", json!([{ "data": STANDARD.encode("PK") }]), "cannot be read"),
        ("files", json!([{ "data": "", "mime": "text/plain" }]), "zip archive"),
    ] {
        let mut changed = object.clone();
        changed[key] = value;
        refused(ada.send("POST", &path, &changed), 400, says);
    }
    refused(ada.ask("POST", &path, "Content-Type: application/json\r\n", b"{"), 400, "not JSON");
    assert_eq!(site.public().get(&path), json!([]), "nothing was accepted");
    for (path, code) in [
        ("/api/chess", 404),
        ("/api/contests/other", 404),
        ("/api/contests/club/doesnt-exist", 404),
        ("/api/contests/club/submissions/999999", 404),
        ("/api/contests/club/event-feed?since_id=1", 400),
        ("/api/contests/club/event-feed?since_token=1", 400),
        ("/api/contests/club/scoreboard?group_id=none", 400),
        ("/api/contests/club/account", 401),
    ] {
        refused(site.public().ask("GET", path, "", b""), code, "");
    }
    refused(ada.ask("DELETE", &format!("{CONTEST}/submissions/1"), "", b""), 405, "");
    let asked = site.public().ask("GET", &format!("{CONTEST}/account"), "", b"");
    assert!(asked.header("www-authenticate").unwrap().starts_with("Basic "));
    // A cookie counts for nothing here, and a page of another site may not even ask.
    let evil = "Origin: https://evil.example\r\n";
    refused(ada.ask("POST", &path, evil, b""), 403, "another site");
    let codes: Vec<u16> = (0..12).map(|guess| site.as_team("ada", &format!("{guess}")).code(CONTEST)).collect();
    assert_eq!((codes[0], codes[11]), (401, 429), "{codes:?}");
}

#[test]
fn the_feed_has_every_object_once_it_is_known_and_goes_on_after_a_token() {
    let (folder, tokens) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    let ada = site.as_team("ada", &tokens[0]);
    let mut stream = TcpStream::connect(&site.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET {CONTEST}/event-feed HTTP/1.1\r\nHost: {}\r\n\r\n", site.address).unwrap();
    // Lines of the transfer encoding are between those of the feed.
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    let mut next = |wanted: &dyn Fn(&Value) -> bool| {
        lines
            .by_ref()
            .filter(|line| line.starts_with('{'))
            .map(|line| serde_json::from_str(&line).unwrap())
            .find(|event| wanted(event))
            .unwrap()
    };
    let is = |kind: &'static str| move |event: &Value| event["type"] == kind;
    assert_eq!(next(&is("contest"))["id"], Value::Null);
    next(&is("state"));
    ada.submit("main.c", SOLVES);
    assert_eq!(next(&is("submissions"))["data"]["language_id"], "c");
    assert_eq!(next(&is("judgements"))["data"]["judgement_type_id"], Value::Null, "it has begun");
    assert_eq!(next(&is("runs"))["data"]["judgement_id"], "1");
    let ended = next(&|event| event["type"] == "judgements" && event["data"]["end_time"].is_string());
    assert_eq!(ended["data"]["judgement_type_id"], "AC");
    // A client that lost its connection goes on after its token.
    let all = site.public().events("");
    let at = all.iter().position(|event| event["type"] == "submissions").unwrap();
    let token = all[at]["token"].as_str().unwrap();
    assert_eq!(site.public().events(&format!("&since_token={token}")), all[at + 1..]);
    // References lead back, and each object is as its collection has it.
    let mut known: Vec<(&str, &str)> = Vec::new();
    for event in &all {
        let data = &event["data"];
        for (key, kind) in [
            ("team_id", "teams"),
            ("language_id", "languages"),
            ("problem_id", "problems"),
            ("submission_id", "submissions"),
            ("judgement_id", "judgements"),
            ("judgement_type_id", "judgement-types"),
        ] {
            if let Some(id) = data[key].as_str() {
                assert!(known.contains(&(kind, id)), "{event} before its {kind}");
            }
        }
        known.push((event["type"].as_str().unwrap(), event["id"].as_str().unwrap_or_default()));
    }
    for kind in ["teams", "submissions", "judgements", "runs", "languages", "judgement-types"] {
        for object in site.public().get(&format!("{CONTEST}/{kind}")).as_array().unwrap() {
            let last = all.iter().rfind(|event| event["type"] == kind && event["id"] == object["id"]).unwrap();
            assert_eq!(&last["data"], object);
        }
    }
    // Nothing happens, and the connection shows that it is there.
    let alive = lines.find(|line| line.is_empty() || line == "\r").is_some();
    assert!(alive);
    // After a restart the token is of no use, and the client begins anew.
    site.stop();
    let site = Site::start(&folder, &[]);
    assert_eq!(site.public().code(&format!("{CONTEST}/event-feed?since_token={token}")), 400);
    assert_eq!(site.public().get(&format!("{CONTEST}/judgements/1"))["judgement_type_id"], "AC");
}

#[test]
fn a_feed_ends_with_the_token_of_its_team() {
    let (folder, tokens) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    let mut stream = TcpStream::connect(&site.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let authorization = site.as_team("ada", &tokens[0]).authorization();
    write!(
        stream,
        "GET {CONTEST}/event-feed HTTP/1.1\r\nHost: {}\r\n{authorization}Connection: close\r\n\r\n",
        site.address
    )
    .unwrap();
    let mut lines = BufReader::new(stream).lines();
    assert!(lines.by_ref().any(|line| line.unwrap().contains("\"type\":\"state\"")));
    folder.judge(["team", "revoke", "club", "ada"]).exits(0);
    // It ends, with or without an orderly end of the encoding.
    assert!(lines.take_while(Result::is_ok).flatten().all(|line| !line.contains("\"type\":\"submissions\"")));
}

/// Everything that the public can get, with times, which differ between contests that are held one after the other, and the
/// names of feeds taken out.
fn public_bytes(site: &Site) -> String {
    let mut all = String::new();
    for base in [CONTEST, EARLIER] {
        let kinds = [
            "state",
            "scoreboard",
            "submissions",
            "judgements",
            "runs",
            "teams",
            "languages",
            "problems",
            "access",
            "clarifications",
        ];
        for path in kinds
            .map(|kind| format!("{base}/{kind}"))
            .into_iter()
            .chain([base.to_owned(), format!("{base}/event-feed?stream=false")])
        {
            let answer = site.public().ask("GET", &path, "", b"");
            assert_eq!(answer.code, 200, "{path}");
            writeln!(all, "{path}\n{}", answer.body).unwrap();
        }
    }
    without_times(&all)
}

fn without_times(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    // Values of these keys are times, lengths of runs, or the names of feeds.
    while let Some(at) = rest.find("\":") {
        let (before, after) = rest.split_at(at + 2);
        out.push_str(before);
        let key = before[..at].rsplit('"').next().unwrap();
        let is_time = key.contains("time")
            || ["started", "frozen", "ended", "thawed", "token", "scoreboard_freeze_duration"].contains(&key);
        let end = after.find([',', '}']).unwrap_or(after.len());
        if is_time && !after.starts_with("null") {
            out.push('T');
            rest = &after[end..];
        } else {
            rest = after;
        }
    }
    out + rest
}

#[test]
fn contests_that_differ_after_the_freeze_have_the_same_public_bytes() {
    let after: [&[(&str, &str)]; 2] = [
        &[("main.c", SOLVES), ("main.c", "int main() { return 1; }"), ("solve.sh", "echo lluu")],
        &[("solve.sh", "if then"), ("main.sh", "echo lx"), ("main.c", "int main( {")],
    ];
    let bytes = after.map(|files| {
        let (folder, tokens) = club(&["ada", "bob", "cleo"]);
        let site = Site::start(&folder, &[]);
        let callers = [("ada", &tokens[0]), ("bob", &tokens[1]), ("cleo", &tokens[2])]
            .map(|(team, token)| site.as_team(team, token));
        callers[0].submit("solve.sh", "echo llu");
        callers[0].judged("1");
        site.public().events("");
        folder.judge(["office", "freeze", "club"]).exits(0);
        // One change at a time, as the order of public events follows from that of public changes.
        let ids: Vec<String> = callers
            .iter()
            .zip(files)
            .map(|(caller, (name, text))| {
                let id = caller.submit(name, text);
                site.public().events("");
                id
            })
            .collect();
        for (caller, id) in callers.iter().zip(&ids) {
            caller.judged(id);
        }
        let seen = site.public().get(&format!("{CONTEST}/judgements"));
        assert_eq!(seen.as_array().unwrap().len(), 1, "{seen}");
        assert_eq!(callers[0].get(&format!("{CONTEST}/judgements")).as_array().unwrap().len(), 2, "its own");
        assert_eq!(site.as_organiser().get(&format!("{CONTEST}/judgements")).as_array().unwrap().len(), 4);
        let frozen = public_bytes(&site);
        // A thaw by the interface: everybody sees everything, and the feed says so.
        let thaw = |time: &str| {
            site.as_organiser().send("PATCH", CONTEST, &json!({ "id": "club", "scoreboard_thaw_time": time }))
        };
        assert_eq!(callers[0].send("PATCH", CONTEST, &json!({ "id": "club", "scoreboard_thaw_time": null })).code, 403);
        assert_eq!(thaw("2999-01-01T00:00:00Z").code, 403);
        let thawed = thaw("2026-11-01T10:00:00.000+01:00");
        assert_eq!(thawed.code, 200, "{}", thawed.body);
        assert_eq!(thaw("2026-11-01T10:00:00Z").code, 403, "it is thawed");
        assert_eq!(site.as_organiser().send("PATCH", CONTEST, &json!({ "id": "club", "start_time": null })).code, 403);
        let seen = |caller: Caller<'_>| caller.get(&format!("{CONTEST}/judgements"));
        assert_eq!(seen(site.public()), seen(site.as_organiser()));
        let events = site.public().events("");
        let ended =
            events.iter().filter(|event| event["type"] == "judgements" && event["data"]["end_time"].is_string());
        assert_eq!(ended.count(), 4);
        assert!(events.last().unwrap()["data"]["thawed"].is_string());
        frozen
    });
    assert_eq!(bytes[0], bytes[1]);
    assert!(bytes[0].contains("\"language_id\":\"hidden\"") && bytes[0].contains("num_pending\":1"), "{}", bytes[0]);
}

#[test]
fn questions_and_answers_are_those_of_the_site_and_private_as_there() {
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
}

/// Compares the scoreboard with what the other program makes of the feed of the same caller.
fn recomputed(folder: &Folder, caller: Caller<'_>) -> String {
    for (name, path) in [("feed.ndjson", "event-feed?stream=false"), ("scoreboard.json", "scoreboard")] {
        folder.file(name, caller.ask("GET", &format!("{CONTEST}/{path}"), "", b"").body);
    }
    let mut python = Command::new("python3");
    python.arg(project().join("judge/tests/cli/scoreboard.py")).args(["feed.ndjson", "scoreboard.json"]);
    let output = python.current_dir(folder.path()).stdin(Stdio::null()).output().unwrap();
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success(), "{printed}");
    printed
}

#[test]
fn the_scoreboard_is_what_follows_from_the_feed() {
    if !has_python() {
        return;
    }
    let (folder, tokens) = club(&["ada", "bob", "cleo", "dan"]);
    let site = Site::start(&folder, &[]);
    let callers =
        [("ada", &tokens[0]), ("bob", &tokens[1]), ("cleo", &tokens[2])].map(|(team, token)| site.as_team(team, token));
    let [ada, bob, cleo] = callers;
    for (caller, name, text) in [
        (ada, "solve.sh", "echo llu"),
        (ada, "solve.sh", "echo lluu"),
        (ada, "solve.sh", "if then"),
        (bob, "main.c", SOLVES),
        (bob, "solve.sh", "echo lx"),
        (cleo, "solve.sh", "exit 1"),
    ] {
        caller.judged(&caller.submit(name, text));
    }
    let printed = recomputed(&folder, site.public());
    assert!(printed.starts_with("4 teams, 6 submissions, 0 pending"), "{printed}");
    folder.judge(["office", "freeze", "club"]).exits(0);
    bob.judged(&bob.submit("main.c", SOLVES));
    cleo.judged(&cleo.submit("solve.sh", "echo llu"));
    assert!(recomputed(&folder, site.public()).starts_with("4 teams, 8 submissions, 2 pending"));
    assert!(recomputed(&folder, bob).starts_with("4 teams, 8 submissions, 1 pending"));
    assert!(recomputed(&folder, site.as_organiser()).starts_with("4 teams, 8 submissions, 0 pending"));
}
