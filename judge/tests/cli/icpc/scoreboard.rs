//! The scoreboard, which a program that shares no code with judge recomputes from the event feed.

use super::*;

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
#[ignore = "deep: clients"]
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

/// A contest of two boards that accepts or rejects, and its teams with their tokens.
fn accepting(teams: &[&str]) -> (Folder, Vec<String>) {
    let (folder, tokens) = club(teams);
    for (name, text) in [("one", "1"), ("two", "2")] {
        folder.file(&format!("club/{name}.txt"), text);
        folder.file(&format!("club/{name}.ans"), text);
    }
    let board = |name: &str| {
        let file = name.to_lowercase();
        format!("[[board]]\nname = \"{name}\"\nfile = \"{file}.txt\"\nanswer = \"{file}.ans\"\n")
    };
    let house = "[[entry]]\nname = \"house\"\ncommand = \"./own.sh\"\n";
    let office = "[office]\npenalty = \"7m\"\n";
    let head = "name = \"test\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\nprotocol = \"tokens\"\n";
    folder.file("club/contest.toml", [head, &board("ONE"), &board("TWO"), house, office].concat());
    (folder, tokens)
}

#[test]
#[ignore = "deep: clients"]
fn a_contest_of_accepted_answers_is_ranked_by_the_rules_of_the_icpc() {
    if !has_python() {
        return;
    }
    let (folder, tokens) = accepting(&["ada", "bob", "cleo", "dan"]);
    let site = Site::start(&folder, &[]);
    let callers = ["ada", "bob", "cleo"].into_iter().zip(&tokens).map(|(team, token)| site.as_team(team, token));
    let callers: Vec<Caller<'_>> = callers.collect();
    let mut ends = Vec::new();
    // The second board needs what is in its file. ada has it at once and then loses it; bob has it at the third attempt.
    for (caller, name, text) in [
        (0, "solve.sh", "cat \"$1\""),
        (0, "solve.sh", "echo 1"),
        (1, "solve.sh", "echo 1"),
        (1, "main.c", "no program"),
        (1, "solve.sh", "exit 1"),
        (1, "solve.sh", "cat \"$1\" "),
        (2, "solve.sh", "echo 2"),
    ] {
        let caller = callers[caller];
        let judgement = caller.judged(&caller.submit(name, text));
        assert!(judgement.get("score").is_none(), "{judgement}");
        ends.push(judgement["judgement_type_id"].as_str().unwrap().to_owned());
    }
    assert_eq!(ends, ["AC", "WA", "WA", "CE", "RTE", "AC", "WA"]);
    let (contest, earlier) = (site.public().get(CONTEST), site.public().get(EARLIER));
    assert_eq!((&contest["scoreboard_type"], &contest["penalty_time"]), (&json!("pass-fail"), &json!("0:07:00.000")));
    assert_eq!(earlier["penalty_time"], 7);
    let types = site.public().get(&format!("{CONTEST}/judgement-types"));
    let costs = types.as_array().unwrap().iter().filter(|one| one["penalty"] == true).count();
    assert_eq!(costs, 5, "{types}");
    let rows = |path: &str| site.public().get(&format!("{path}/scoreboard"))["rows"].clone();
    let (now, before) = (rows(CONTEST), rows(EARLIER));
    assert_eq!((&now[0]["team_id"], &now[0]["score"]["num_solved"]), (&json!("ada"), &json!(1)));
    assert_eq!((&now[0]["problems"][0]["num_judged"], &now[1]["problems"][0]["num_judged"]), (&json!(1), &json!(4)));
    let minutes =
        |row: &Value| row["score"]["total_time"].as_u64().unwrap() - row["problems"][0]["time"].as_u64().unwrap();
    assert_eq!((minutes(&before[0]), minutes(&before[1])), (0, 14), "{before}");
    assert_eq!((&now[2]["rank"], &now[3]["rank"]), (&json!(3), &json!(3)));
    assert!(recomputed(&folder, site.public()).starts_with("4 teams, 7 submissions, 0 pending"));
    folder.judge(["office", "freeze", "club"]).exits(0);
    callers[2].judged(&callers[2].submit("solve.sh", "cat \"$1\""));
    assert!(recomputed(&folder, site.public()).starts_with("4 teams, 8 submissions, 1 pending"));
    assert!(recomputed(&folder, callers[2]).starts_with("4 teams, 8 submissions, 0 pending"));
    folder.judge(["office", "disqualify", "club", "ada", "--because", "it copied"]).exits(0);
    wait_for(|| rows(CONTEST).to_string(), || (rows(CONTEST)[0]["team_id"] == "bob").then_some(()));
    // A team that is out has solved nothing, also if all that it has is held. That it is out comes first.
    for number in ["1", "2"] {
        folder.judge(["office", "hold", "club", number, "--because", "look at it"]).exits(0);
    }
    let of_ada = || rows(CONTEST).as_array().unwrap().iter().find(|row| row["team_id"] == "ada").unwrap().clone();
    let message = || of_ada().to_string();
    let of_board = of_ada()["problems"][0].clone();
    assert_eq!(
        (of_ada()["score"]["num_solved"].clone(), of_board["num_pending"].clone()),
        (json!(0), json!(0)),
        "{}",
        message()
    );
    folder.judge(["office", "reinstate", "club", "ada", "--because", "it did not"]).exits(0);
    wait_for(message, || (of_ada()["problems"][0]["num_pending"] == 2).then_some(()));
    folder.judge(["office", "release", "club", "1"]).exits(0);
    wait_for(message, || (of_ada()["score"]["num_solved"] == 1).then_some(()));
}

#[test]
fn where_answers_are_accepted_the_site_has_the_places_that_programs_get() {
    let (folder, tokens) = accepting(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let callers = [("ada", &tokens[0]), ("bob", &tokens[1])].map(|(team, token)| site.as_team(team, token));
    for (caller, text, end) in
        [(1, "echo 1", "WA"), (1, "cat \"$1\"", "AC"), (0, "cat \"$1\" ", "AC"), (0, "echo 1 # worse", "WA")]
    {
        let judgement = callers[caller].judged(&callers[caller].submit("solve.sh", text));
        assert_eq!(judgement["judgement_type_id"], end);
    }
    let rows = site.public().get(&format!("{CONTEST}/scoreboard"))["rows"].clone();
    let of = |row: &Value| (row["rank"].clone(), row["team_id"].clone(), row["score"]["num_solved"].clone());
    assert_eq!([of(&rows[0]), of(&rows[1])], [(json!(1), json!("ada"), json!(1)), (json!(2), json!("bob"), json!(1))]);
    // The house takes no place.
    let csv = || site.visitor().page("/board.csv");
    let places = || csv().lines().skip(1).map(|line| line.split(',').take(4).collect::<Vec<_>>().join(",")).collect();
    let expected = ["1,ada,3,2", "2,bob,2,2", ",house,,0"];
    wait_for(csv, || Some(places()).filter(|places: &Vec<String>| *places == expected));
    let head = csv().lines().next().unwrap().to_owned();
    assert!(head.ends_with("\"solved\",\"penalty\",\"last\",\"ONE\",\"TWO\",submitted"), "{head}");
    assert!(site.visitor().page("/board").contains("penalty"));
    let ada = site.with(&tokens[0]);
    ada.until("/submissions/3", "<bdi>counts</bdi>");
    ada.until("/submissions/4", "counts instead");
    site.stop();
    let table = folder.judge(["rank", "club/results", "--format", "json"]).exits(0).json();
    let placed = table["entries"].as_array().unwrap().iter().filter(|row| row["place"].is_u64());
    let mut placed: Vec<&str> = placed.map(|row| row["entry"].as_str().unwrap()).collect();
    placed.sort_unstable();
    assert_eq!(placed, ["ada.3", "bob.2", "house"], "{table}");
}
