//! Times, quotas, decisions, questions, registration and the reveal, by requests and commands.

use super::*;

/// A program in C that stops short of the goal.
const SHORT: &str = "int puts(const char*); int main() { puts(\"ll\"); return 0; }";

#[test]
fn a_quota_is_answered_with_the_next_time() {
    let rules = "[office]\nlimit = { every = \"10m\" }\n";
    let (folder, tokens) = club_with(&["ada"], rules);
    let site = Site::start(&folder, &[]);
    let ada = site.with(&tokens[0]);
    let page = ada.submit("main.c", SOLVES);
    let refused = ada.submit_with(&[("main.c", SHORT.as_bytes())], "");
    assert_eq!(refused.code, 429, "{}", refused.body);
    let seconds: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=600).contains(&seconds), "{seconds}");
    assert!(refused.body.contains("the next one from 20"), "{}", refused.body);
    assert!(ada.page("/submit").contains("the next one from 20"), "the form says so, too");
    assert_eq!(ada.submit("main.c", SOLVES), page, "the same upload is no other one");
    folder.file("main.c", SHORT);
    folder.judge(["office", "submit", "club", "ada", "main.c"]).exits(2).says(["one submission in 600 s"]);
    assert!(folder.read("club/results/journal.jsonl").matches("\"submitted\"").count() == 1);
}

#[test]
fn the_times_of_a_contest_are_those_of_its_file_unless_extended() {
    let (folder, tokens) = club_with(&["ada"], "[office]\nopens = 2099-01-01T00:00:00+01:00\n");
    let site = Site::start(&folder, &[]);
    let ada = site.with(&tokens[0]);
    let early = ada.submit_with(&[("main.c", SOLVES.as_bytes())], "");
    assert_eq!((early.code, early.body.contains("2098-12-31T23:00:00Z")), (403, true), "{}", early.body);
    let extend =
        |options: &[&str]| folder.judge(["office", "extend", "club"].into_iter().chain(options.iter().copied()));
    assert!(extend(&["--opens", "2020-01-01T00:00:00Z", "--because", " "]).exits(2).message().contains("reason"));
    extend(&["--opens", "2020-01-01T00:00:00Z", "--closes", "2020-01-02T00:00:00Z", "--because", "we began early"])
        .exits(0);
    let page = ada.submit("main.c", SOLVES);
    assert!(ada.page(&page).contains("Late: it came after the end"));
    assert!(site.visitor().page("/").contains("we began early"));
    let printed = folder.judge(["office", "admit", "club", "1", "--because", "fine"]).exits(0).stdout;
    assert!(printed.starts_with("ada.1: "), "{printed}");
    ada.until(&page, "25/4");
    let organiser = site.with(site.organiser.as_ref().unwrap());
    let bad = organiser.post_form("/office/clock", "action=extend&closes=tomorrow&because=x");
    assert_eq!((bad.code, bad.body.contains("invalid time")), (422, true));
    let done = organiser.post_form("/office/clock", "action=extend&closes=2100-01-01T00%3A00%3A00Z&because=more+time");
    assert_eq!(done.code, 303, "{}", done.body);
    ada.submit("main.c", SHORT);
    ada.until("/submissions/2", "Not solved");
}

/// A contest of two rounds. These tables have the times of each round.
fn two_rounds(office: &str, first: &str, last: &str) -> String {
    format!(
        "[office]\n{office}\n[[board]]\nname = \"FAR\"\nfile = \"near.txt\"\n\
         [[round]]\nname = \"First\"\nboards = [\"NEAR\"]\n{first}\n[[round]]\nname = \"Final\"\nboards = [\"FAR\"]\n{last}\n"
    )
}

#[test]
fn a_final_round_that_begins_by_itself_is_public_once_it_has_closed() {
    let past = two_rounds("", "closes = 2099-01-01T00:00:00Z", "opens = 2099-01-02T00:00:00+01:00");
    let (folder, tokens) = club_with(&["ada"], &past);
    let site = Site::start(&folder, &[]);
    let (ada, organiser) = (site.with(&tokens[0]), site.with(site.organiser.as_ref().unwrap()));
    let page = ada.submit("main.c", SOLVES);
    ada.until(&page, "counts");
    let home = site.visitor().page("/");
    assert!(home.contains("Final</bdi> opens") && home.contains("2099-01-01T23:00:00Z"), "{home}");
    assert!(organiser.page("/office/clock").contains("They begin by themselves"));
    let extend = |options: &[&str]| {
        let because = ["--because", "we are quick"];
        folder.judge(["office", "extend", "club"].into_iter().chain(options.iter().copied()).chain(because))
    };
    let unknown = extend(&["--round", "Semifinal", "--opens", "2020-01-02T00:00:00Z"]).exits(2).message();
    assert!(unknown.contains("unknown round `Semifinal`; available: First, Final"), "{unknown}");
    let early = extend(&["--round", "Final", "--opens", "2020-01-02T00:00:00Z"]).exits(2).message();
    assert!(early.contains("`opens` of round 2 must not be before `closes` of round 1"), "{early}");
    extend(&["--closes", "2020-01-01T00:00:00Z"]).exits(0);
    let heading = ">FAR<";
    let round = |form: &str| organiser.post_form("/office/clock", &format!("action=extend&because=quick&{form}"));
    assert_eq!(round("round=3&opens=2020-01-02T00%3A00%3A00Z").code, 422);
    assert_eq!(round("round=2&opens=2020-01-02T00%3A00%3A00Z").code, 303);
    organiser.until("/board", heading);
    assert!(!site.visitor().page("/board").contains(heading) && !ada.page("/board").contains(heading), "it is hidden");
    assert!(ada.page(&page).contains("FAR</bdi>, sealed: "), "the contest shows teams the verdict");
    extend(&["--round", "2", "--closes", "2020-01-03T00:00:00Z"]).exits(0);
    site.visitor().until("/board", heading);
    assert!(site.visitor().page("/feed.atom").contains("The results of round 2 are public"));
    let log = folder.read("club/results/journal.jsonl");
    assert!(log.contains("\"event\":\"finals\",\"from\":1577923200"), "{log}");
}

#[test]
fn teams_see_nothing_of_sealed_boards_if_the_contest_says_so() {
    let (folder, tokens) = club_with(&["ada"], &two_rounds("sealed = \"nothing\"", "", ""));
    let site = Site::start(&folder, &[]);
    let (ada, organiser) = (site.with(&tokens[0]), site.with(site.organiser.as_ref().unwrap()));
    let page = ada.submit("main.c", SOLVES);
    ada.until(&page, "counts");
    folder.judge(["office", "begin-finals", "club", "--yes"]).exits(0);
    organiser.until("/board", ">FAR<");
    organiser.until(&page, "<bdi>counts</bdi>");
    for path in [&*page, "/board", "/mine"] {
        assert!(!ada.page(path).contains("FAR") && !ada.page(path).contains("sealed"), "{path}");
    }
    folder.judge(["office", "finalize", "club", "--yes"]).exits(0);
    site.visitor().until("/board", ">FAR<");
    assert!(ada.page(&page).contains("FAR"));
}

#[test]
fn times_of_rounds_that_contradict_each_other_are_refused() {
    let at = |key: &str, day: u32| format!("{key} = 2099-01-{day:02}T00:00:00Z");
    for (office, first, last, reason) in [
        (at("closes", 1), at("closes", 2), String::new(), "`closes` of the first round is in [office], too"),
        (at("closes", 2), String::new(), at("opens", 1), "`opens` of round 2 must not be before `closes` of round 1"),
        (String::new(), String::new(), at("freezes", 1), "round 2 is hidden until it closes, so it cannot freeze"),
        (String::new(), String::new(), "opens = 2099-01-01".into(), "opens must be a date with a time and an offset"),
    ] {
        let (folder, _) = club_with(&["ada"], &two_rounds(&office, &first, &last));
        folder.judge(["office", "list", "club"]).exits(2).says([reason, "contest.toml"]);
    }
}

#[test]
fn the_contest_file_decides_what_teams_see_of_the_judging() {
    // The answer stops short of the goal. Checks the verdict, the figures, and the link to the answers.
    for (feedback, verdict, figures) in [("full", true, true), ("verdicts", true, false), ("score", false, false)] {
        let (folder, tokens) = club_with(&["ada"], &format!("[office]\nfeedback = \"{feedback}\"\n"));
        let site = Site::start(&folder, &[]);
        let ada = site.with(&tokens[0]);
        let path = ada.submit("main.c", SHORT);
        let page = ada.until(&path, "In all");
        let page = if verdict { ada.until(&path, "Not solved") } else { page };
        assert_eq!(page.contains("NEAR"), verdict, "{feedback}: {page}");
        assert_eq!(page.contains("Not solved"), verdict, "{feedback}: {page}");
        let shown = [page.contains("<th scope=\"col\" class=\"figure\">time"), page.contains("Replay its answers")];
        assert_eq!(shown, [figures; 2], "{feedback}: {page}");
        assert_eq!(ada.get(&format!("{path}/replay")).code, if figures { 200 } else { 404 }, "{feedback}");
        assert_eq!(site.visitor().until("/board.csv", "ada").contains("NEAR"), figures, "{feedback}");
        let organiser = site.with(site.organiser.as_ref().unwrap());
        assert!(organiser.page(&path).contains("NEAR") && organiser.page("/board.csv").contains("NEAR"));
    }
}

#[test]
fn the_organiser_decides_on_submissions_teams_and_boards() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let (ada, bob) = (site.with(&tokens[0]), site.with(&tokens[1]));
    let organiser = site.with(site.organiser.as_ref().unwrap());
    let (first, second) = (ada.submit("main.c", SHORT), ada.submit("main.c", SOLVES));
    ada.until(&second, "counts");
    let decide =
        |action: &str| organiser.post_form("/office/submissions/2", &format!("action={action}&because=a+test"));
    assert_eq!(decide("ignore").code, 303);
    ada.until(&second, "Ignored: a test");
    ada.until(&first, "counts");
    assert_eq!((decide("ignore").code, decide("explode").code), (422, 422));
    assert_eq!(decide("consider").code, 303);
    ada.until(&second, "counts");
    let diff = organiser.page("/office/submissions/2/diff/1");
    assert!(diff.contains("- int puts") && diff.contains("+ int puts") && diff.contains("lluu"), "{diff}");
    let ruled = organiser.post_form("/office/submissions/2/rule", "board=NEAR&because=copied");
    assert_eq!(ruled.code, 303, "{}", ruled.body);
    ada.until(&second, "copied");
    assert_eq!(organiser.post_form("/office/contest", "action=disqualify&name=ada&because=cheating").code, 303);
    site.visitor().until("/board", "out: ");
    let board = site.visitor().page("/board");
    assert!(board.contains("cheating"), "{board}");
    folder.judge(["office", "reinstate", "club", "ada", "--because", "a mistake"]).exits(0);
    folder.judge(["office", "strike", "club", "NEAR", "--because", "too near"]).exits(0);
    organiser.until("/office/clock", "is struck: ");
    assert_eq!(organiser.post_form("/office/contest", "action=unstrike&name=NEAR&because=back").code, 303);
    // Teams cannot do any of this.
    let forbidden = ["/office/submissions/2", "/office/submissions/2/rule", "/office/contest", "/office/clock"];
    for path in forbidden {
        assert_eq!(bob.post_form(path, "action=ignore&because=x").code, 404, "{path}");
        assert_eq!(site.visitor().post_form(path, "action=ignore&because=x").code, 404, "{path}");
    }
    assert_eq!(bob.get("/office/submissions/2/diff/1").code, 404);
    assert_eq!(bob.post_form("/submissions/2/cancel", "").code, 404);
    drop(site);
    folder.judge(["rank", "club/results", "--format", "csv"]).exits(0).shows(["ada.2"]);
    folder.judge(["verify", "club/results"]).exits(0);
}

#[test]
fn a_team_decides_which_of_its_submissions_counts() {
    let (folder, tokens) = club_with(&["ada"], "[office]\ncounts = \"chosen\"\n");
    for text in [SOLVES, SHORT, "int x;"] {
        folder.file("main.c", text);
        folder.judge(["office", "submit", "club", "ada", "main.c"]).exits(0);
    }
    folder.judge(["office", "hold", "club", "ada.3", "--because", "one moment"]).exits(0);
    let site = Site::start(&folder, &[]);
    let ada = site.with(&tokens[0]);
    assert!(ada.page("/submissions/3").contains("one moment"));
    assert_eq!(ada.post_form("/submissions/3/cancel", "").code, 303);
    assert!(ada.page("/submissions/3").contains("Cancelled"));
    let admitted = folder.judge(["office", "admit", "club", "ada.3"]).exits(2);
    assert!(admitted.message().contains("submission 3 was taken back by its team"), "{}", admitted.message());
    ada.until("/submissions/1", "25/4");
    ada.until("/submissions/2", "counts");
    assert_eq!(ada.post_form("/submissions/1/cancel", "").code, 422, "it is judged");
    assert_eq!(ada.post_form("/submissions/1/choose", "").code, 303);
    ada.until("/submissions/2", "ada.1 counts instead");
    site.visitor().until("/board.csv", ",ada,1,3,0,");
}

#[test]
fn a_team_named_like_a_formula_is_text_in_the_csv_of_the_board() {
    let (folder, tokens) = club(&["+1+1"]);
    let site = Site::start(&folder, &[]);
    let team = site.with(&tokens[0]);
    team.until(&team.submit("main.c", SOLVES), "counts");
    site.visitor().until("/board.csv", ",'+1+1,1,1,0,");
}

#[test]
fn answers_or_notices_reach_one_team_or_all() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let (ada, bob, public) = (site.with(&tokens[0]), site.with(&tokens[1]), site.visitor());
    let organiser = site.with(site.organiser.as_ref().unwrap());
    assert_eq!(ada.post_form("/clarifications", "text=May+I+%3Cb%3Eguess%3C%2Fb%3E%3F").code, 303);
    assert_eq!(public.post_form("/clarifications", "text=x").code, 303, "who is nobody is asked to enter");
    let questions = organiser.page("/clarifications");
    assert!(questions.contains("May I &lt;b&gt;guess") && !questions.contains("<b>guess"), "{questions}");
    organiser.post_form("/office/clarifications", "question=1&action=claim");
    assert!(organiser.page("/clarifications").contains("organiser</bdi> is about to answer it"));
    organiser.post_form("/office/clarifications", "question=1&action=answer&text=You+may.");
    assert!(ada.page("/clarifications").contains("You may."));
    assert!(!bob.page("/clarifications").contains("You may.") && !bob.page("/clarifications").contains("guess"));
    folder.judge(["office", "answer", "club", "1", "Guesses are allowed.", "--all"]).exits(0);
    organiser.post_form("/office/clarifications", "action=notice&text=Lunch+%26+tea");
    for reader in [&ada, &bob, &public] {
        let page = reader.page("/clarifications");
        assert!(page.contains("Guesses are allowed.") && page.contains("Lunch &amp; tea"), "{page}");
    }
    assert!(!public.page("/clarifications").contains("guess</b>"), "nobody else sees the question");
    let feed = public.page("/feed.atom");
    assert!(feed.contains("Lunch &amp; tea") && !feed.contains("You may."), "{feed}");
    folder.judge(["office", "questions", "club"]).exits(0).shows(["answered by organiser", "to ada"]);
    let claim = |question: &str| folder.judge(["office", "claim", "club", question, "--by", "Eve"]);
    assert_eq!(claim("1").exits(0).stdout, "organiser was about to answer it\n");
    assert!(folder.judge(["office", "questions", "club"]).exits(0).stdout.contains("answered by Eve"));
    assert!(claim("99").exits(2).message().contains("99"));
    assert_eq!(bob.post_form("/office/clarifications", "question=1&action=answer&text=x").code, 404);
}

#[test]
fn teams_add_themselves_by_a_link_as_long_as_it_is_open() {
    let (folder, _) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    let public = site.visitor();
    assert_eq!(public.post_form("/register", "team=eve&token=x").code, 422);
    let url = ["--url", "https://contest.example/"];
    let open = ["office", "registration", "club", "--most", "1"].into_iter().chain(url);
    let link = folder.judge(open).exits(0).stdout;
    let token = link.trim().strip_prefix("https://contest.example/register#").unwrap();
    let welcome = public.post_form("/register", &format!("team=eve&token={token}"));
    assert_eq!(welcome.code, 200, "{}", welcome.body);
    let link = welcome.body.split_once("/enter#").unwrap().1.split('<').next().unwrap();
    site.with(link).submit("main.c", SOLVES);
    assert_eq!(public.post_form("/register", &format!("team=fay&token={token}")).code, 422, "one team at most");
    // A team cannot get the name of an entry of the contest file.
    let refused = public.post_form("/register", &format!("team=House&token={token}"));
    assert!(refused.code == 422 && refused.body.contains("has the entry `house`"), "{}", refused.body);
    let refused = folder.judge(["team", "add", "club", "house"]).exits(2).stderr;
    assert!(refused.contains("the contest file has the entry `house`; choose another name than `house`"), "{refused}");
    assert!(!folder.read("club/results/journal.jsonl").contains(token) && !folder.read("access.log").contains(token));
    folder.judge(["office", "registration", "club", "--close"]).exits(0);
}

#[test]
fn the_answers_of_a_submission_are_replayed_for_its_team_alone() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let (ada, bob) = (site.with(&tokens[0]), site.with(&tokens[1]));
    let own = ada.submit("main.c", SOLVES);
    let foreign = bob.submit("main.c", SHORT);
    ada.until(&own, "Replay its answers");
    bob.until(&foreign, "Replay its answers");
    let replay = ada.get(&format!("{own}/replay"));
    assert!(replay.code == 200 && replay.body.contains("ada.1") && replay.body.contains("id=\"data\""));
    for others in ["bob", "own.sh", "\"house\"", ">house<"] {
        assert!(!replay.body.contains(others), "{others} is on it");
    }
    let policy = replay.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src 'sha256-") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(bob.get(&format!("{own}/replay")).code, 404);
    assert_eq!(site.visitor().get(&format!("{own}/replay")).code, 303);
}

#[test]
fn the_reveal_goes_from_the_last_place_to_the_first_after_the_thaw() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let (ada, bob, public) = (site.with(&tokens[0]), site.with(&tokens[1]), site.visitor());
    ada.until(&ada.submit("main.c", SHORT), "counts");
    folder.judge(["office", "freeze", "club"]).exits(0);
    bob.until(&bob.submit("main.c", SOLVES), "counts");
    ada.until(&ada.submit("main.c", SOLVES), "counts");
    assert_eq!(public.get("/reveal").code, 404, "nothing is revealed while the board is frozen");
    folder.judge(["office", "thaw", "club"]).exits(0);
    let step = |number: usize| public.page(&format!("/reveal?step={number}"));
    let row = |page: &str, team: &str| {
        let start = page.find(&format!("data-name=\"{team}\"")).unwrap_or_else(|| panic!("{team}: {page}"));
        page[start..].split("</tr>").next().unwrap().to_owned()
    };
    let frozen = step(0);
    assert!(row(&frozen, "bob").contains("1 pending") && !row(&frozen, "ada").contains("25/4"), "{frozen}");
    let first = step(1);
    assert!(row(&first, "bob").contains("25/4") && !row(&first, "ada").contains("25/4"), "{first}");
    assert!(first.contains("has place "), "{first}");
    let last = step(2);
    assert!(row(&last, "ada").contains("25/4") && last.contains("This is the result."), "{last}");
    assert_eq!(public.get("/reveal?step=3").code, 404);
}

#[test]
fn a_backup_of_a_running_contest_goes_on_elsewhere() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let ada = site.with(&tokens[0]);
    ada.until(&ada.submit("main.c", SOLVES), "counts");
    let board = site.visitor().until("/board.csv", ",ada,1,1,0,");
    // A submission during the backup is in the copy completely or not at all.
    let running = std::thread::scope(|scope| {
        let bob = scope.spawn(|| site.with(&tokens[1]).submit("main.c", SHORT));
        folder.judge(["office", "backup", "club", "copy"]).exits(0).shows(["uploads are as they came"]);
        bob.join().unwrap()
    });
    assert!(folder.judge(["office", "backup", "club", "copy"]).exits(2).message().contains("exists"));
    assert!(folder.judge(["office", "backup", "club", "club/inside"]).exits(2).message().contains("is inside"));
    site.with(&tokens[1]).until(&running, "counts");
    site.stop();
    std::fs::rename(folder.path().join("club"), folder.path().join("lost")).unwrap();
    std::fs::rename(folder.path().join("copy"), folder.path().join("club")).unwrap();
    let site = Site::start(&folder, &[]);
    assert_eq!(site.organiser, None, "the links of the original are valid");
    let again = site.visitor().until("/board.csv", ",ada,1,1,0,");
    let row = |csv: &str| csv.lines().find(|line| line.contains(",ada,")).unwrap().to_owned();
    assert_eq!(row(&again).split(',').skip(1).collect::<Vec<_>>(), row(&board).split(',').skip(1).collect::<Vec<_>>());
    site.with(&tokens[0]).submit("main.c", SHORT);
    site.stop();
    folder.judge(["verify", "club/results"]).exits(0);
}

#[test]
fn the_command_for_news_hears_of_each_event_once() {
    let command = "cat >> news.txt; echo >> news.txt; if [ -e broken ]; then rm broken; exit 1; fi";
    let (folder, tokens) = club_with(&["ada"], &format!("[notify]\ncommand = \"{command}\"\n"));
    let site = Site::start(&folder, &[]);
    let ada = site.with(&tokens[0]);
    ada.until(&ada.submit("main.c", SOLVES), "counts");
    folder.judge(["office", "notice", "club", "Lunch"]).exits(0);
    let heard = |what: &str| {
        let begun = Instant::now();
        loop {
            let news = std::fs::read_to_string(folder.path().join("club/news.txt")).unwrap_or_default();
            if news.contains(what) {
                return news;
            }
            assert!(begun.elapsed() < TIMEOUT, "{what}: {news}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    heard("\"result-1\"");
    heard("\"message-1\"");
    site.stop();
    let site = Site::start(&folder, &[]);
    folder.judge(["office", "notice", "club", "Tea"]).exits(0);
    let news = heard("\"message-2\"");
    for event in ["\"result-1\"", "\"message-1\"", "\"message-2\""] {
        assert_eq!(news.matches(event).count(), 1, "{event}: {news}");
    }
    drop(site);
}

#[test]
fn only_the_languages_of_the_contest_file_are_built() {
    let language = "[office]\nlanguages = [\"steps\"]\n[[language]]\ncode = \"steps\"\nname = \"Steps\"\nendings = [\".steps\"]\n\
                    needs = [\"sh\"]\nbuild = \"cat {files} > program\"\nrun = [\"sh\", \"{folder}/program\"]\n";
    let (folder, tokens) = club_with(&["ada"], language);
    let site = Site::start(&folder, &[]);
    let ada = site.with(&tokens[0]);
    assert!(ada.page("/submit").contains("Steps") && !ada.page("/submit").contains("Python"));
    let refused = ada.submit_with(&[("main.c", SOLVES.as_bytes())], "");
    assert_eq!((refused.code, refused.body.contains("no known language")), (422, true), "{}", refused.body);
    let page = ada.submit("a.steps", "echo lluu\n");
    ada.until(&page, "25/4");
}

#[test]
fn a_contest_does_not_begin_with_an_entry_that_is_named_like_a_team() {
    let (folder, _) = club(&["ada"]);
    let file = folder.read("club/contest.toml");
    folder.file("club/contest.toml", file.replace("\"house\"", "\"ADA\""));
    for options in [&["--check"][..], &["--listen", "127.0.0.1:0"]] {
        let serve = ["serve", "club"].into_iter().chain(options.iter().copied());
        folder.judge(serve).exits(2).says(["there is the team `ada`, and `ADA` is an entry; rename that entry"]);
    }
    folder.judge(["team", "add", "club", "Ada"]).exits(2).says(["the contest file has the entry `ADA`"]);
}
