//! `[match]`: contest files of entries that play each other.

use judge_core::key::RunKey;
use judge_core::matches::{Keep, Life, Schedule};
use judge_core::plan::RankKey;

use super::*;
use crate::office::{Games, Transcripts};

const REFEREE: &str = "[referee]\ncommand = [\"sh\", \"referee.sh\"]\n";

/// A contest of two boards and two entries, with additional lines at its beginning, in `[referee]`, in `[match]`, and at its end.
fn text([head, referee, of_match, end]: [&str; 4]) -> String {
    let boards = "[[board]]\nname = \"X\"\nfile = \"x.txt\"\n[[board]]\nname = \"Y\"\nfile = \"x.txt\"\n";
    let entries = "[[entry]]\nname = \"a\"\ncommand = \"a\"\n[[entry]]\nname = \"b\"\ncommand = \"b\"\n";
    format!(
        "name = \"m\"\ngame = \"external\"\nlimit = \"9s\"\n{head}{REFEREE}{referee}[match]\nseats = 2\n{of_match}{boards}{entries}{end}"
    )
}

fn load(text: &str) -> Result<Contest, String> {
    let folder = Folder::new(text);
    fs::write(folder.0.path().join("x.txt"), "board").unwrap();
    Contest::load(folder.0.path(), &Overrides::default()).map_err(|error| error.reason)
}

#[test]
fn with_an_office_entries_play_once_they_are_called() {
    for (keys, games, transcripts) in [
        ("", Games::AtOnce, Transcripts::Own),
        ("games = \"on-command\"\ntranscripts = \"after-end\"\n", Games::OnCommand, Transcripts::AfterEnd),
        ("games = \"03:05\"\ntranscripts = \"at-once\"\n", Games::Daily(3 * 3600 + 300), Transcripts::AtOnce),
    ] {
        let contest = load(&text(["", "", "", &format!("[office]\n{keys}")])).unwrap();
        assert_eq!((contest.office.rules.games, contest.office.rules.transcripts), (games, transcripts));
        assert!(contest.plan.match_rules.as_ref().unwrap().called && contest.plan.start_order().is_empty());
    }
    let none = text(["", "", "", "[office]\n"]);
    let entries = none.find("[[entry]]").unwrap()..none.find("[office]").unwrap();
    assert!(load(&none.replace(&none[entries], "")).is_ok(), "teams submit all players");
}

#[test]
fn a_match_has_rules_figures_and_games() {
    let contest = load(&text(["", "", "", ""])).unwrap();
    let rules = contest.plan.match_rules.as_deref().unwrap();
    assert_eq!((rules.life, rules.seat_ms(&contest.plan.problems[0].limits)), (Life::Game, 9000));
    assert_eq!(contest.plan.ranking, [RankKey::named("points", &contest.plan.figures()).unwrap()]);
    let game =
        |game: &RunKey| format!("{} {}", game.board, game.seats().map(|seat| &**seat).collect::<Vec<_>>().join("-"));
    let games: Vec<String> = contest.plan.start_order().iter().map(game).collect();
    assert_eq!(games, ["X a-b", "X b-a", "Y a-b", "Y b-a"]);

    let more = "life = \"move\"\nmove = \"2s\"\ngame = \"1m\"\nincrement = \"100ms\"\ndecimals = 1\nmirror = false\n";
    let ranking = "[ranking]\norder = [\"won\", \"faults\"]\n";
    let contest = load(&text(["", "", &format!("{more}keep = \"1MiB\"\n"), ranking])).unwrap();
    let rules = contest.plan.match_rules.as_deref().unwrap();
    let clock = rules.clock;
    assert_eq!((clock.move_ms, clock.game_ms, clock.increment_ms), (Some(2000), Some(60_000), 100));
    assert_eq!(
        (rules.life, rules.decimals, rules.keep),
        (Life::Move, 1, Some(Keep { bytes: 1 << 20, argument: false }))
    );
    assert_eq!(rules.schedule, Schedule::RoundRobin { mirror: false });
    assert_eq!(contest.plan.start_order().len(), 2);
    assert_eq!(RankKey::listed(&contest.plan.ranking), "won faults");

    let keep = "keep = { size = \"2KiB\", argument = true }\n";
    let contest = load(&text(["", "", keep, ""])).unwrap();
    assert_eq!(contest.plan.match_rules.as_ref().unwrap().keep, Some(Keep { bytes: 2048, argument: true }));
    let figures = "[[figure]]\nname = \"area\"\nbetter = \"more\"\ndecimals = 2\n[[figure]]\nname = \"moves\"\n";
    let final_round = "[[round]]\nname = \"r\"\nboards = [\"X\"]\n[[round]]\nname = \"f\"\nboards = [\"Y\"]\nschedule = \"knock-out\"\n";
    let ranking = "[ranking]\norder = [\"points\", \"area\"]\n";
    let plan = load(&text(["", "", "", &format!("{figures}{final_round}{ranking}")])).unwrap().plan;
    let names: Vec<String> = plan.figures().figures.iter().map(|figure| figure.name.to_string()).collect();
    assert_eq!(names, ["points", "area", "moves", "won", "drawn", "lost", "faults", "pairs"]);
    assert_eq!(RankKey::listed(&plan.ranking), "pairs points area");
    assert_eq!(plan.match_rules.as_ref().unwrap().figures.len(), 2);
    let gauntlet = "schedule = \"gauntlet\"\n";
    let house = "[[entry]]\nname = \"h\"\ncommand = \"h\"\ncompeting = false\n";
    let games: Vec<String> =
        load(&text(["", "", gauntlet, house])).unwrap().plan.start_order().iter().map(game).collect();
    assert_eq!(games, ["X a-h", "X h-a", "X b-h", "X h-b", "Y a-h", "Y h-a", "Y b-h", "Y h-b"]);
    let rounds = "[[round]]\nname = \"one\"\nboards = [\"X\"]\n[[round]]\nname = \"two\"\nboards = [\"Y\"]\n";
    let refused = load(&text(["", "", "", &format!("{rounds}{gauntlet}{house}")])).err().unwrap();
    assert_eq!(refused, "[match]: round 2: a gauntlet is for the first round; use round-robin");
    let rounds =
        "[[round]]\nname = \"one\"\nboards = [\"X\"]\n[[round]]\nname = \"two\"\nboards = [\"Y\"]\nmirror = false\n";
    let plan = load(&text(["", "", "", rounds])).unwrap().plan;
    assert_eq!([1, 2].map(|round| plan.count_games(round, 2, 1)), [2, 1]);
}

#[test]
fn a_referee_that_names_the_program_of_an_entry_is_noticed() {
    let entry = "[[entry]]\nname = \"c\"\ncommand = [\"sh\", \"entries/player.sh\"]\n";
    for (script, found) in [
        ("echo end 1 0", false),
        ("sh entries/player.sh", true),
        ("sh \"$DIR/player.sh\"", true),
        ("echo my-player.sh player.sh2", false),
    ] {
        let folder = Folder::new(&text(["", "", "", entry]));
        let at = |name: &str| folder.0.path().join(name);
        fs::create_dir(at("entries")).unwrap();
        for (name, text) in [("x.txt", "board"), ("referee.sh", script), ("entries/player.sh", "echo 1")] {
            fs::write(at(name), text).unwrap();
        }
        let contest = Contest::load(folder.0.path(), &Overrides::default()).unwrap();
        let findings = crate::check::programs(&contest, Some("/usr/bin:/bin"), &Default::default());
        let notice = "referee.sh names entries/player.sh of entry c; the judge starts entries";
        let noticed = findings.iter().any(|finding| finding.finding.starts_with(notice));
        assert_eq!(noticed, found, "{script}: {findings:?}");
    }
}

#[test]
fn keys_that_fit_no_match_are_refused() {
    for (lines, expected) in rows! {
        (["input = \"stdin\"\n", "", "", ""], "input does not fit [match]: entries know what the referee asks them"),
        (["repeat = 2\n", "", "", ""], "repeat does not fit [match]: for more games, add boards"),
        (["", "", "", "[[figure]]\nname = \"x\"\nfrom = \"time\"\n"], "from does not fit [match]: a figure has name, better and decimals"),
        (["", "", "", "[[figure]]\nname = \"x\"\nfull = 3\n"], "full does not fit [match]"),
        (["", "", "", "[[figure]]\nname = \"won\"\n"], "games have a figure `won`; choose another name"),
        (["", "", "", "[[figure]]\nname = \"x\"\n[[figure]]\nname = \"x\"\n"], "games have a figure `x`"),
        (["", "", "", "[table]\ncell = [\"won\"]\n"], "[table] does not fit [match]"),
        (["", "", "", "[[group]]\nname = \"g\"\n"], "[[group]] does not fit [match]"),
        (["", "", "", "[answers]\nstream = true\n"], "[answers] does not fit [match]"),
        (
            ["", "", "", "[office]\n[[round]]\nname = \"r\"\nboards = [\"X\", \"Y\"]\n"],
            "[[round]] does not fit [match] with [office]: players come as long as teams submit",
        ),
        (["", "", "schedule = \"all\"\n", "[office]\n"], "with [office], [match] needs a number of seats, and a round robin or a gauntlet"),
        (["", "", "", "[office]\ncounts = \"best\"\n"], "in [match], the latest player of a team counts; remove counts"),
        (["", "", "", "[office]\ngames = \"24:00\"\n"], "games must be \"at-once\", \"on-command\", or a time of the day in UTC such as \"03:00\""),
        (["", "protocol = \"tokens\"\n", "", ""], "protocol does not fit [match], whose referee has a protocol of its own"),
        (["", "talk = true\n", "", ""], "talk does not fit [match]"),
        (["", "passes = 3\n", "", ""], "passes does not fit [match]"),
        (["", "repeat = 2\n", "", ""], "repeat does not fit [match], whose referee"),
        (["", "on_crash = \"reject\"\n", "", ""], "on_crash does not fit [match]"),
        (["", "", "life = \"day\"\n", ""], "life must be \"game\" or \"move\", not \"day\""),
        (["", "", "move = \"0s\"\n", ""], "move must not be zero"),
        (["", "", "increment = \"1s\"\n", ""], "increment adds to the time of a game; it needs the key `game`"),
        (["", "", "decimals = 99\n", ""], "decimals must be 0 to 9, not 99"),
        (["", "", "keep = \"0B\"\n", ""], "keep: a folder of no bytes"),
        (["", "", "keep = \"much\"\n", ""], "keep: invalid size `much`"),
        (["", "", "schedule = \"swiss\"\n", ""], "unknown schedule `swiss`; available: round-robin, knock-out, all, gauntlet"),
        (["", "", "tie = \"seed\"\n", ""], "tie is for schedule = \"knock-out\""),
        (["", "", "schedule = \"knock-out\"\ntie = \"dice\"\n", ""], "tie must be \"seed\" or \"games\", not \"dice\""),
        (["", "", "schedule = \"knock-out\"\nmirror = false\n", ""], "in a knock-out each pair plays in both seats"),
        (
            [
                "",
                "",
                "schedule = \"knock-out\"\n",
                "[[round]]\nname = \"r\"\nboards = [\"X\", \"Y\"]\nadvance = \"tied\"\n",
            ],
            "round 1: the winners of a knock-out go on; omit advance",
        ),
        (
            [
                "",
                "",
                "",
                "[[round]]\nname = \"r\"\nboards = [\"X\", \"Y\"]\nschedule = \"knock-out\"\nadvance = \"all\"\n",
            ],
            "the winners of a knock-out go on; omit advance",
        ),
        (["", "", "schedule = \"gauntlet\"\n", ""], "a game has 2 seats, and 0 of 2 entries do not compete"),
        (["", "", "", "[ranking]\norder = [\"points\", \"time\"]\n"], "matches have no `time`; rank by points, won, lost, faults, or a [[figure]]"),
        (["", "", "", "[ranking]\norder = [\"drawn\"]\n"], "of figure `drawn` neither more nor less is better"),
        (["", "", "", "answers = \"x.txt\"\n"], "an entry with answers executes nothing"),
    } {
        let found = load(&text(lines)).map(drop).unwrap_err();
        assert!(found.contains(expected), "expected `{expected}`, found `{found}`");
    }
    let usual = text(["", "", "", ""]);
    for (from, to, expected) in [
        ("seats = 2", "seats = 1", "seats must be 2 to 100, or \"all\", not 1"),
        ("seats = 2", "seats = \"both\"", "seats must be 2 to 100, or \"all\", not \"both\""),
        ("seats = 2", "seats = \"all\"\nschedule = \"knock-out\"", "round 1: in a knock-out, a game has 2 seats"),
        ("seats = 2", "seats = 3", "a game has 3 seats, and the contest 2 entries"),
        ("game = \"external\"", "game = \"loyd\"", "[match] is only for game = \"external\""),
        ("[match]\nseats = 2\n", "", "missing key `protocol`"),
    ] {
        let found = load(&usual.replace(from, to)).map(drop).unwrap_err();
        assert!(found.contains(expected), "expected `{expected}`, found `{found}`");
    }
    let schedule = "[[round]]\nname = \"one\"\nboards = [\"X\", \"Y\"]\nschedule = \"round-robin\"\n";
    let alone = text(["", "protocol = \"exit\"\n", "", schedule]).replace("[match]\nseats = 2\n", "");
    assert!(load(&alone).map(drop).unwrap_err().contains("schedule of a round needs a table [match]"));
    // One game more than a million is refused.
    let entry = |number: usize| format!("[[entry]]\nname = \"e{number}\"\ncommand = \"e\"\n");
    let many = text(["", "", "", &(0..999).map(entry).collect::<String>()]);
    assert!(load(&many).map(drop).unwrap_err().contains("round 1 has more than 1000000 games"));
    let mut overrides = Overrides::default();
    overrides.repeat = Some(2);
    let folder = Folder::new(&usual);
    fs::write(folder.0.path().join("x.txt"), "board").unwrap();
    let repeated = Contest::load(folder.0.path(), &overrides).map(drop).unwrap_err().reason;
    assert!(repeated.contains("games of a match are not repeated"), "{repeated}");
}
