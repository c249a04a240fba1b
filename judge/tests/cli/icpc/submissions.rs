//! Submissions by clients.

use super::*;

#[test]
fn a_team_reads_what_became_of_submissions_in_both_forms() {
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
    // One board with 25 tiles at home.
    assert_eq!((&judgement["judgement_type_id"], &judgement["score"]), (&json!("AC"), &json!(25.0)));
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
    for unknown in ["-x", "../bob.1/a.sh", "Main"] {
        refused(ada.post_files(&[("problem", "club"), ("entry_point", unknown)], &main), 400, "entry point");
    }
    refused(ada.post_files(&[("problem", "club")], &[]), 400, "no file");
    refused(ada.post_files(&[("problem", "club")], &[main[0], main[0]]), 400, "twice");
    refused(ada.post_files(&[("problem", "club")], &[("main.c", &vec![b' '; 2 << 20])]), 413, "were sent");
    refused(site.public().post_files(&[("problem", "club")], &main), 401, "token");
    refused(site.as_organiser().post_files(&[("problem", "club")], &main), 403, "only teams");
    refused(site.as_team("bob", &tokens[0]).post_files(&[("problem", "club")], &main), 401, "invalid for this name");
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
