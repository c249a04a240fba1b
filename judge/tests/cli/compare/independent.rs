//! Two recorded runs against a calculation that shares nothing with the judge.

use super::*;
use crate::support::{board, contest, entry};

/// Moves of every solved run of a `results.csv`; `None` for a run that did not solve its board.
fn moves(folder: &Folder, run: &str) -> BTreeMap<(String, String), Option<i64>> {
    let text = folder.read(&format!("{run}/results.csv"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.deserialize().map(|row| {
        let row: BTreeMap<String, String> = row.unwrap();
        let moves = (row["verdict"] == "solved").then(|| row["moves"].parse().unwrap());
        ((row["entry"].clone(), row["board"].clone()), moves)
    });
    rows.collect()
}

/// Two-sided p of the sign test, by counting all ways in which that many coins may fall.
fn sign_test(wins: u32, losses: u32) -> f64 {
    let coins = wins + losses;
    let uneven = |heads: u32| heads.abs_diff(coins - heads);
    let ways = (0..1u32 << coins).filter(|fall| uneven(fall.count_ones()) >= uneven(wins)).count();
    ways as f64 / f64::from(1 << coins)
}

/// Records a run of two entries on the six boards: each solves a board in four moves and as many detours of two as it
/// is told, or not at all.
fn record(folder: &Folder, out: &str, entries: [(&str, [Option<usize>; 6]); 2]) {
    let answers = ["lluu", "lulu", "luul", "uull", "ulul", "ullu"];
    let boards: Vec<String> = (1..=6).map(|number| board(&format!("near-end-{number}"))).collect();
    let names = ["N1", "N2", "N3", "N4", "N5", "N6"];
    let mut text = contest(&names.into_iter().zip(boards.iter().map(String::as_str)).collect::<Vec<_>>());
    for (name, detours) in entries {
        let cases = boards.iter().zip(answers).zip(detours).map(|((board, answer), detours)| {
            let position = std::fs::read_to_string(board).unwrap().split_whitespace().collect::<String>();
            let answer = detours.map_or("l".to_owned(), |detours| "lr".repeat(detours) + answer);
            format!("{position}) echo {answer};;\n")
        });
        let script = format!("case \"$(tr -d '\\n ' < \"$1\")\" in\n{}esac", cases.collect::<String>());
        folder.script(name, &script);
        text += &entry(name, &[&format!("./{name}")]);
    }
    folder.file("contest.toml", text);
    folder.judge(["run", "--out", out]).exits(0);
}

#[test]
#[ignore = "deep: clients"]
fn two_recorded_runs_give_the_figures_of_an_independent_calculation() {
    let folder = Folder::new();
    let detours = |figures: [usize; 6]| figures.map(Some);
    let gappy = [Some(2), None, Some(1), Some(3), Some(0), None];
    record(&folder, "one", [("a", detours([3, 0, 4, 1, 5, 2])), ("b", gappy)]);
    record(&folder, "two", [("a", detours([1, 0, 2, 6, 0, 1])), ("b", detours([2, 2, 2, 2, 2, 2]))]);
    let told = folder.judge(["compare", "one", "two", "--format", "json"]).exits(0).json();
    let mut lines = Vec::new();
    for kind in ["pairs", "changes"] {
        lines.extend(told[kind].as_array().unwrap());
    }
    assert_eq!(lines.len(), 4, "a and b in each run, a and b from one to two");
    for pair in lines {
        let [first, second] = ["first", "second"].map(|side| {
            let name = |key: &str| pair[side][key].as_str().unwrap();
            let moves = moves(&folder, name("run"));
            moves
                .into_iter()
                .filter(|((entry, _), _)| entry == name("entry"))
                .map(|(_, moves)| moves)
                .collect::<Vec<_>>()
        });
        assert_eq!((first.len(), second.len()), (6, 6));
        let better = |a: &[Option<i64>], b: &[Option<i64>]| {
            // An unsolved board is worse than any number of moves; all of these have equal progress.
            let worst = |moves: Option<i64>| moves.unwrap_or(i64::MAX);
            u32::try_from(a.iter().zip(b).filter(|(a, b)| worst(**a) < worst(**b)).count()).unwrap()
        };
        let (wins, losses) = (better(&first, &second), better(&second, &first));
        let differences: Vec<i64> = first.iter().zip(&second).filter_map(|(a, b)| Some((*b)? - (*a)?)).collect();
        assert_eq!(pair["first_better"], wins);
        assert_eq!(pair["second_better"], losses);
        assert_eq!(pair["ties"], 6 - wins - losses);
        assert_eq!(pair["moves"]["boards"], differences.len());
        let close = |figure: &Value, expected: f64| {
            assert!((figure.as_f64().unwrap() - expected).abs() <= 1e-12, "{figure} {expected}: {pair:#}");
        };
        close(&pair["moves"]["mean"], differences.iter().sum::<i64>() as f64 / differences.len() as f64);
        close(&pair["sign_test"]["p"], sign_test(wins, losses));
        // Of six boards, the interval is from the least to the greatest difference; of fewer there is none.
        let interval = &pair["moves"]["interval"];
        if let (6, Some(least), Some(most)) = (differences.len(), differences.iter().min(), differences.iter().max()) {
            close(&interval["low"], *least as f64);
            close(&interval["high"], *most as f64);
        } else {
            assert_eq!(*interval, Value::Null);
        }
    }
}
