//! A contest of several problems in one file.

use super::*;
use crate::site::{several, tokens_of};

/// The problems of the club.
const TWO: [(&str, &str); 2] = [("club", "Club"), ("other", "Other")];

impl Site {
    /// The identifier of the contest.
    pub(crate) fn contest_id(&self) -> String {
        self.public().get("/api/contests")[0]["id"].as_str().unwrap().to_owned()
    }
}

impl Caller<'_> {
    /// What is at an address of the contest.
    fn of(&self, path: &str) -> Value {
        self.get(&format!("/api/contests/{}/{path}", self.site.contest_id()))
    }

    fn submit_to(&self, problem: &str, text: &str) -> Answer {
        let body = form_of(&[("problem", problem)], "code[]", &[("solve.c", text.as_bytes())]);
        let path = format!("/api/contests/{}/submissions", self.site.contest_id());
        self.ask("POST", &path, "Content-Type: multipart/form-data; boundary=b\r\n", &body)
    }

    /// Submits, waits for the end of the judgement, and returns both.
    fn judged_for(&self, problem: &str, text: &str) -> (Value, Value) {
        let answer = self.submit_to(problem, text);
        assert_eq!(answer.code, 200, "{}", answer.body);
        let submission: Value = serde_json::from_str(&answer.body).unwrap();
        let path = format!("judgements?submission_id={}", submission["id"].as_str().unwrap());
        let judgement = || self.of(&path)[0].clone();
        let ended = || Some(judgement()).filter(|judgement| judgement["end_time"].is_string());
        let judgement = wait_for(|| format!("{submission}: {}", judgement()), ended);
        (submission, judgement)
    }
}

/// Short of the goal in one move.
const NEAR: &str = "int puts(const char*); int main() { puts(\"llu\"); return 0; }";

#[test]
fn teams_take_part_in_all_problems_of_a_contest() {
    let (folder, tokens) = club(&["ada", "bob"]);
    several(&folder, "Two problems", &TWO);
    let site = Site::start(&folder, &[]);
    let (ada, bob) = (site.as_team("ada", &tokens[0]), site.as_team("bob", &tokens[1]));
    let contest = &site.public().get("/api/contests")[0];
    assert_eq!((&contest["name"], &contest["scoreboard_type"]), (&json!("Two problems"), &json!("score")));
    let problems = site.public().of("problems");
    let known = problems.as_array().unwrap().iter();
    let known: Vec<Value> = known.map(|one| json!([one["id"], one["label"], one["name"], one["ordinal"]])).collect();
    assert_eq!(known[1], json!(["other", "B", "Other", 2]));
    assert_eq!((known.len(), &known[0][0], &known[0][1]), (2, &json!("club"), &json!("A")));
    // The same team in both, by the identifier and by the letter.
    let (first, judged) = ada.judged_for("other", SOLVES);
    assert_eq!(
        (&first["id"], &first["problem_id"], &judged["judgement_type_id"]),
        (&json!("1"), &json!("other"), &json!("AC"))
    );
    let (second, _) = ada.judged_for("A", NEAR);
    assert_eq!((&second["id"], &second["problem_id"]), (&json!("2"), &json!("club")));
    bob.judged_for("other", NEAR);
    let nameless = ada.submit_to("", SOLVES);
    assert_eq!(nameless.code, 400, "{}", nameless.body);
    assert!(nameless.body.contains("name the problem; this contest has `club`, `other`"), "{}", nameless.body);
    // The places are by the sum of the scores.
    let rows = site.public().of("scoreboard")["rows"].clone();
    let figures = |row: &Value| {
        let scores = row["problems"].as_array().unwrap().iter().map(|one| one["score"].as_f64().unwrap());
        (
            row["rank"].as_u64().unwrap(),
            row["team_id"].clone(),
            row["score"]["score"].as_f64().unwrap(),
            scores.sum::<f64>(),
        )
    };
    let [(1, leader, sum, parts), (2, next, _, _)] = [0, 1].map(|row| figures(&rows[row])) else { panic!("{rows}") };
    assert_eq!((leader, next, sum), (json!("ada"), json!("bob"), parts));
    // Files and the feed, by the same numbers.
    let files = format!("/api/contests/{}/submissions/1/files", site.contest_id());
    assert_eq!((ada.code(&files), bob.code(&files)), (200, 404));
    let feed = ada.ask("GET", &format!("/api/contests/{}/event-feed?stream=false", site.contest_id()), "", b"");
    let events: Vec<Value> = feed.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| -> Vec<Value> {
        events.iter().filter(|event| event["type"] == kind).map(|event| event["id"].clone()).collect()
    };
    assert_eq!(of("submissions"), [json!("1"), json!("2"), json!("3")]);
    assert_eq!(of("problems").len(), 2);
    // A question can be about a problem, as is its answer.
    let asked = json!({ "text": "How far?", "problem_id": "other" });
    let asked = ada.send("POST", &format!("/api/contests/{}/clarifications", site.contest_id()), &asked);
    let asked: Value = serde_json::from_str(&asked.body).unwrap();
    assert_eq!((&asked["id"], &asked["problem_id"]), (&json!("1"), &json!("other")), "{asked}");
    let answer = json!({ "text": "As far as you can.", "reply_to_id": "1", "to_team_id": "ada" });
    let answer =
        site.as_organiser().send("POST", &format!("/api/contests/{}/clarifications", site.contest_id()), &answer);
    let answer: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!((&answer["reply_to_id"], &answer["problem_id"]), (&json!("1"), &json!("other")), "{answer}");
    // The pages: one session is valid for all of them.
    let team = site.with(&tokens[0]);
    let home = team.page("/");
    assert!(home.contains("Two problems") && home.contains("submit?problem=other"), "{home}");
    assert!(team.page("/problems/other/").contains("<h1><bdi>B: Other</bdi></h1>"));
    assert!(team.page("/mine").contains("href=\"submissions/1\""));
    assert!(team.page("/clarifications").contains("As far as you can."));
    // The boards of both problems are one row: 23 tiles at home in three moves, and 25 in four.
    team.until("/board", ">048/0007/000<");
    site.stop();
    folder.judge(["rank", "club/results", "--format", "csv"]).exits(0).shows(["\n2,ada,", "\n3,bob,"]);
    // The page has the same rows, with the answers of the entries in them.
    let page = folder.judge(["report", "club/results", "-o", "-"]).exits(0).stdout;
    let rows: Vec<&str> =
        page.split("<h3 id=\"entry-0-").skip(1).map(|row| row.split("</h3>").next().unwrap()).collect();
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(rows[1].contains(">ada<") && rows[2].contains(">bob<"), "{rows:?}");
    assert!(page.contains("<dt>entries</dt><dd><bdi>ada.1, ada.2</bdi></dd>"), "{rows:?}");
    let run = page.split("<tr id=\"cell-0-1-0\">").nth(1).and_then(|row| row.split("</tr>").next()).unwrap();
    assert!(run.contains("stops short of the goal"), "{run}");
    folder.judge(["verify", "club/results"]).exits(0);
}

#[test]
fn a_freeze_and_changed_teams_hold_for_all_problems() {
    let (folder, tokens) = club(&["ada", "bob"]);
    several(&folder, "Two problems", &TWO);
    let site = Site::start(&folder, &[]);
    let (ada, bob) = (site.as_team("ada", &tokens[0]), site.as_team("bob", &tokens[1]));
    ada.judged_for("other", SOLVES);
    folder.judge(["office", "freeze", "club"]).exits(0);
    for problem in ["other", "club"] {
        let (hidden, _) = bob.judged_for(problem, SOLVES);
        let id = hidden["id"].as_str().unwrap();
        assert_eq!(site.public().of(&format!("judgements?submission_id={id}")), json!([]));
        assert_eq!(site.public().of(&format!("submissions/{id}"))["language_id"], "hidden");
    }
    for board in ["/board", "/problems/other/board"] {
        assert!(site.visitor().until(board, "The board is frozen").contains("1 pending"));
    }
    folder.judge(["office", "thaw", "club"]).exits(0);
    for number in [2, 3] {
        let judged = site.public().of(&format!("judgements?submission_id={number}"));
        assert_eq!(judged[0]["judgement_type_id"], "AC");
    }
    // A team that comes later, one whose token is replaced, and one that is out.
    let late = folder.judge(["team", "add", "club", "cleo"]).exits(0).stdout;
    site.as_team("cleo", &tokens_of(&late)[0]).judged_for("other", SOLVES);
    folder.judge(["team", "renew", "club", "ada"]).exits(0);
    assert_eq!(ada.submit_to("other", NEAR).code, 401);
    folder.judge(["office", "disqualify", "club", "bob", "--because", "it copied"]).exits(0);
    site.visitor().until("/problems/other/board", "it copied");
    site.visitor().until("/board", "it copied");
    folder.judge(["office", "reinstate", "club", "bob", "--because", "it had not"]).exits(0);
    let board = || site.visitor().page("/problems/other/board");
    wait_for(board, || (!board().contains("it copied")).then_some(()));
    site.stop();
}

/// Two problems, `a` and `b`, of one board each, whose referee is this script with these keys more.
fn refereed(referee: &str, keys: &str) -> Folder {
    let folder = Folder::new();
    let mut file = "name = \"Answer\"\nlimit = \"30s\"\n".to_owned();
    for problem in ["a", "b"] {
        folder.script(&format!("club/{problem}/referee"), referee);
        folder.file(&format!("club/{problem}/x.txt"), "21\n");
        let head = "game = \"external\"\n[referee]\ncommand = \"./referee\"\nprotocol = \"kattis\"\n";
        let board = "[[board]]\nname = \"X\"\nfile = \"x.txt\"\n";
        folder.file(&format!("club/{problem}/problem.toml"), format!("{head}{keys}{board}"));
        file += &format!("[[problem]]\nid = \"{problem}\"\nfile = \"{problem}/problem.toml\"\n");
    }
    folder.script("club/own.sh", "echo 42");
    folder.file("club/contest.toml", file + &crate::support::entry("house", &["./own.sh"]));
    folder
}

#[test]
fn problems_of_accepted_answers_are_counted_by_the_rules_of_the_icpc() {
    let folder = refereed("[ \"$(cat)\" = 42 ] && exit 42; exit 43", "");
    let added = folder.judge(["team", "add", "club", "ada", "bob"]).exits(0).stdout;
    let tokens = tokens_of(&added);
    let site = Site::start(&folder, &[]);
    let (ada, bob) = (site.as_team("ada", &tokens[0]), site.as_team("bob", &tokens[1]));
    let prints = |text: &str| format!("int puts(const char*); int main() {{ puts(\"{text}\"); return 0; }}");
    bob.judged_for("b", &prints("42"));
    ada.judged_for("a", &prints("41"));
    ada.judged_for("a", &prints("42"));
    ada.judged_for("b", &prints("42"));
    let scoreboard = site.public().of("scoreboard");
    let row = |at: usize| {
        let row = &scoreboard["rows"][at];
        (row["rank"].clone(), row["team_id"].clone(), row["score"]["num_solved"].clone())
    };
    assert_eq!(row(0), (json!(1), json!("ada"), json!(2)), "{scoreboard}");
    assert_eq!(row(1), (json!(2), json!("bob"), json!(1)), "{scoreboard}");
    // One wrong submission costs 20 minutes.
    let total = scoreboard["rows"][0]["score"]["total_time"].as_str().unwrap();
    assert!(total.starts_with("0:2") || total.starts_with("0:3"), "{scoreboard}");
    // The site has the same places, and the same figures.
    let csv = site.visitor().until("/board.csv", "\n1,ada,,3,0,");
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    // The entry of the organiser takes no place.
    let rows: Vec<&Vec<&str>> = rows.iter().filter(|row| row[1] != "house").collect();
    assert_eq!(
        (rows[0][0], rows[0][1], rows[0][6], rows[1][1], rows[1][6]),
        ("1", "ada", "\"2\"", "bob", "\"1\""),
        "{csv}"
    );
    let board = site.visitor().page("/board");
    assert!(board.contains("penalty"), "{board}");
    // A cell has the tries, and who solved a problem first is marked.
    let note = |text: &str| format!(" <span class=\"note\">{text}</span>");
    for tries in ["2 tries", "1 try"] {
        assert!(board.contains(&(note(tries) + &note("first") + "</td>")), "{board}");
    }
    assert!(board.contains("class=\"figure solved first\""), "{board}");
    site.stop();
}

#[test]
fn where_fewer_points_are_better_the_scoreboard_has_the_points_in_the_order_of_places() {
    let folder =
        refereed("cat > \"$3/score.txt\"; exit 42", "[[figure]]\nname = \"score\"\nbetter = \"less\"\ndecimals = 3\n");
    let added = folder.judge(["team", "add", "club", "ada", "bob", "cleo"]).exits(0).stdout;
    let tokens = tokens_of(&added);
    let site = Site::start(&folder, &[]);
    let prints = |text: &str| format!("int puts(const char*); int main() {{ puts(\"{text}\"); return 0; }}");
    let submitted =
        [("ada", "a", "30"), ("ada", "b", "170"), ("bob", "a", "10"), ("bob", "b", "100.5"), ("cleo", "a", "5")];
    for (team, problem, points) in submitted {
        let token = &tokens[["ada", "bob", "cleo"].iter().position(|name| *name == team).unwrap()];
        site.as_team(team, token).judged_for(problem, &prints(points));
    }
    // By hand: fewer failures first, of which a problem without a submission is one, then the sum of the points. To programs, more is
    // better.
    let expected = [("bob", -110.5, -10.0, -100.5), ("ada", -200.0, -30.0, -170.0), ("cleo", -5.0, -5.0, 0.0)];
    let scoreboard = site.public().of("scoreboard");
    let rows = scoreboard["rows"].as_array().unwrap();
    let shown: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!([
                row["rank"],
                row["team_id"],
                row["score"]["score"],
                row["problems"][0]["score"],
                row["problems"][1]["score"]
            ])
        })
        .collect();
    let expected: Vec<Value> =
        (1..).zip(expected).map(|(rank, (team, all, a, b))| json!([rank, team, all, a, b])).collect();
    assert_eq!(shown, expected, "{scoreboard}");
    let csv = site.visitor().until("/board.csv", "\n4,cleo,");
    assert!(csv.starts_with("place,team,") && csv.contains("\n2,bob,"), "{csv}");
    let board = site.visitor().page("/board");
    assert!(board.contains(">110.5") && board.contains(">200.0"), "{board}");
    site.stop();
}

#[test]
fn an_answer_reaches_the_team_that_asked_whatever_others_are_named() {
    let (folder, tokens) = club(&["zo\u{eb}"]);
    several(&folder, "Two problems", &TWO);
    let site = Site::start(&folder, &[]);
    let path = format!("/api/contests/{}/clarifications", site.contest_id());
    let zoe = site.as_team("zo\u{eb}", &tokens[0]);
    let asked = zoe.send("POST", &path, &json!({ "text": "May I?" }));
    let asked: Value = serde_json::from_str(&asked.body).unwrap();
    let id = asked["from_team_id"].as_str().unwrap();
    // Names in the form of this version and of those before.
    let impostors = [id, "team-2752b88686847fa5"];
    let added = folder.judge(["team", "add", "club"].into_iter().chain(impostors)).exits(0).stdout;
    let teams = site.public().of("teams");
    let ids: Vec<&str> = teams.as_array().unwrap().iter().map(|team| team["id"].as_str().unwrap()).collect();
    assert_eq!(ids.iter().collect::<std::collections::HashSet<_>>().len(), 3, "{teams}");
    let answer = json!({ "text": "You may.", "reply_to_id": asked["id"], "to_team_ids": [id] });
    assert_eq!(site.as_organiser().send("POST", &path, &answer).code, 200);
    let reads = |caller: Caller<'_>| caller.of("clarifications").to_string().contains("You may.");
    assert!(reads(zoe));
    for (name, token) in impostors.iter().zip(tokens_of(&added)) {
        assert!(!reads(site.as_team(name, &token)), "{name}");
    }
}
