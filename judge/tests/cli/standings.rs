//! Standings of every kind of contest, recomputed from single runs by a program that shares no code with the judge.
//! Skipped without Python, unless `REQUIRE_SCIPY` is set.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::second_opinion::has_python;
use crate::support::*;

const HEAD: &str = "round,round_name,entry,competing,board,repeat,verdict,progress,full,moves,tie_break,score,wall_us,limit_ms,\
                    exit_code,failed_at,token,reason,withdrawn,disqualified,struck,group,scoring,ranking\n";

/// The column `scoring` of answers that are accepted or not.
const ACCEPTED: &str = r#"{"figures":[]}"#;

/// A kind of game: its column `scoring`, and rankings.
type Game = (&'static str, &'static [&'static str]);

const SCORED: &[&str] = &["score time", "score", "relative score", "relative", "time", "solved score"];

const GAMES: &[Game] = &rows! {
    ("", &["progress moves tie_break time", "moves", "tie_break moves", "time", "relative", "relative time", "solved time", "progress"]),
    (r#"{"figures":[{"name":"score","better":"more","decimals":1}]}"#, SCORED),
    (r#"{"figures":[{"name":"score","better":"less","decimals":1}]}"#, SCORED),
    (r#"{"figures":[{"name":"score","better":"more","decimals":0,"full":"60"}]}"#, SCORED),
    (
        r#"{"figures":[{"name":"score","better":"more","decimals":1}],"groups":[{"name":"g","aggregate":"min"},{"name":"h","aggregate":"max"}]}"#,
        SCORED,
    ),
    (ACCEPTED, &["solved time", "solved", "relative", "time"]),
};

/// The verdict of a run with its figures: progress, of, moves, tie-break, score, time, limit, exit code, failed at, token
/// and reason.
fn run((scoring, _): Game, dice: &mut ChaCha8Rng) -> String {
    let (us, limit) = (1_000 * (1 + dice.random_range(0..4)) + dice.random_range(0..2) * 600, 4_000);
    let replayed = |verdict: &str, progress: u64, moves: u64, score: &str, rest: &str| {
        let of = if scoring.is_empty() { 25 } else { 1 };
        format!("{verdict},{progress},{of},{moves},{},{score},{us},{limit},{rest}", moves % 3)
    };
    let points = 5 * dice.random_range(0..14);
    let decimals = if scoring.contains("\"decimals\":1") { ".5" } else { "" };
    match dice.random_range(0..12) {
        0 => format!("timed_out,,,,,,4000500,{limit},,,,"),
        1 => format!("crashed,,,,,,{us},{limit},3,,,"),
        2 => format!("could_not_start,,,,,,,{limit},,,,no such file"),
        3 if scoring.is_empty() => replayed("illegal_move", dice.random_range(0..25), 9, "", ",4,x,no move"),
        3 => replayed("wrong", 0, 0, "", ",,,no"),
        4 if dice.random_ratio(1, 3) => format!("judge_error,,,,,,,{limit},,,,the disk is full"),
        5 if dice.random_ratio(1, 3) => "missing,,,,,,,,,,,".into(),
        4..=6 if scoring.is_empty() => replayed("unsolved", dice.random_range(0..25), 7, "", ",,,"),
        4..=6 if scoring == ACCEPTED => replayed("wrong", 0, 0, "", ",,,no"),
        _ if scoring.contains("full") && points >= 60 => replayed("solved", 1, 0, &points.to_string(), ",,,"),
        _ if !scoring.is_empty() && scoring != ACCEPTED => {
            replayed("valid", 0, 0, &format!("{points}{decimals}"), ",,,")
        }
        _ if scoring.is_empty() => replayed("solved", 25, 8 + dice.random_range(0..3), "", ",,,"),
        _ => replayed("solved", 1, 0, "", ",,,"),
    }
}

/// A contest as a file of runs.
fn contest(game: Game, ranking: &str, dice: &mut ChaCha8Rng) -> String {
    let rounds = 1 + dice.random_range(0..3);
    let entries = 1 + dice.random_range(0..6);
    let boards = 1 + dice.random_range(0..4usize);
    let mut text = HEAD.to_owned();
    let field = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    for entry in 0..entries {
        let competing = if dice.random_ratio(1, 6) { "no" } else { "yes" };
        let (withdrawn, disqualified) = match dice.random_range(0..9) {
            0 => ("ill", ""),
            1 => ("", "copied"),
            _ => ("", ""),
        };
        let reached = 1 + dice.random_range(0..rounds);
        for round in 1..=reached {
            for board in 0..boards {
                // The last board of the first round is struck in one contest of four.
                let struck =
                    if ranking.len().is_multiple_of(4) && round == 1 && board == 3 { "a misprint" } else { "" };
                let group = if game.0.contains("groups") { ["g", "h", ""][board % 3] } else { "" };
                for repeat in 1..=if dice.random_ratio(1, 5) { 2 } else { 1 } {
                    let run = run(game, dice);
                    text += &format!(
                        "{round},R{round},e{entry},{competing},B{round}{board},{repeat},{run},{withdrawn},{disqualified},\
                         {struck},{group},{},{ranking}\n",
                        field(game.0)
                    );
                }
            }
        }
    }
    text
}

#[test]
#[ignore = "deep: clients"]
fn another_program_finds_the_same_standings_in_every_kind_of_contest() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let mut dice = ChaCha8Rng::seed_from_u64(1995);
    let mut names = Vec::new();
    for game in GAMES {
        for ranking in game.1 {
            for _ in 0..4 {
                let name = format!("contest-{}", names.len());
                folder.file(&format!("{name}.csv"), contest(*game, ranking, &mut dice));
                for (format, file) in [("json", ".json"), ("csv", ".table.csv"), ("plain", ".plain")] {
                    let printed = folder.judge(["rank", &format!("{name}.csv"), "--format", format]).exits(0).stdout;
                    folder.file(&(name.clone() + file), printed);
                }
                names.push(name);
            }
        }
    }
    let script = project().join("judge/tests/cli/standings/recompute.py");
    let output = Command::new("python3").arg(script).args(&names).current_dir(folder.path()).output().unwrap();
    let message = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{message}{}", String::from_utf8_lossy(&output.stderr));
    let figures: usize = message.split(' ').next().and_then(|number| number.parse().ok()).unwrap();
    assert!(figures > 5_000, "{message}");
}
