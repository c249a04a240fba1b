//! The event feed, and what it must not give away.

use super::*;

#[test]
fn a_feed_that_goes_on_after_a_token_has_every_known_object() {
    let (folder, tokens) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    let ada = site.as_team("ada", &tokens[0]);
    let mut stream = TcpStream::connect(&site.address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
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
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
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

#[test]
fn a_thaw_by_the_interface_shows_everybody_everything() {
    let (folder, tokens) = club(&["ada", "bob", "cleo"]);
    let site = Site::start(&folder, &[]);
    let callers =
        [("ada", &tokens[0]), ("bob", &tokens[1]), ("cleo", &tokens[2])].map(|(team, token)| site.as_team(team, token));
    callers[0].submit("solve.sh", "echo llu");
    callers[0].judged("1");
    site.public().events("");
    folder.judge(["office", "freeze", "club"]).exits(0);
    let after = [("main.c", SOLVES), ("main.c", "int main() { return 1; }"), ("solve.sh", "if then")];
    for (caller, (name, text)) in callers.iter().zip(after) {
        caller.judged(&caller.submit(name, text));
    }
    let judgements = |caller: Caller<'_>| caller.get(&format!("{CONTEST}/judgements"));
    let counts = [site.public(), site.as_team("ada", &tokens[0]), site.as_organiser()];
    assert_eq!(counts.map(|caller| judgements(caller).as_array().unwrap().len()), [1, 2, 4], "its own, and all");
    let public = |what: &str| site.public().get(&format!("{CONTEST}/{what}")).to_string();
    contains(public("submissions"), ["\"language_id\":\"hidden\""]);
    contains(public("scoreboard"), ["num_pending\":1"]);
    // A thaw by the interface: everybody sees everything, and the feed says so.
    let patch = |caller: &Caller<'_>, key: &str, time: Option<&str>| {
        caller.send("PATCH", CONTEST, &json!({ "id": "club", key: time }))
    };
    let thaw = |time: &str| patch(&site.as_organiser(), "scoreboard_thaw_time", Some(time));
    assert_eq!(patch(&callers[0], "scoreboard_thaw_time", None).code, 403);
    assert_eq!(thaw("2999-01-01T00:00:00Z").code, 403);
    let thawed = thaw("2026-11-01T10:00:00.000+01:00");
    assert_eq!(thawed.code, 200, "{}", thawed.body);
    assert_eq!(thaw("2026-11-01T10:00:00Z").code, 403, "it is thawed");
    assert_eq!(patch(&site.as_organiser(), "start_time", None).code, 403);
    assert_eq!(judgements(site.public()), judgements(site.as_organiser()));
    let events = site.public().events("");
    let ended = events.iter().filter(|event| event["type"] == "judgements" && event["data"]["end_time"].is_string());
    assert_eq!(ended.count(), 4);
    assert!(events.last().unwrap()["data"]["thawed"].is_string());
}
