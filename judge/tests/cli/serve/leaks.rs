//! Public answers while the board is frozen. Two contests that differ only after the freeze must give the same bytes.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;

/// Programs that solve, fall short, make an illegal move, or print nothing. The last one cannot be built.
const PROGRAMS: [(&str, &str); 5] = [
    ("solve", "#!/bin/sh\necho lluu\n"),
    ("solve", "#!/bin/sh\necho ll\n"),
    ("solve", "#!/bin/sh\necho lx\n"),
    ("solve", "#!/bin/sh\nexit 3\n"),
    ("solve.sh", "if then\n"),
];
const PUBLIC: [&str; 8] =
    ["/", "/board", "/board?big", "/board.csv", "/feed.atom", "/clarifications", "/reveal", "/submissions/1"];

/// Text without moments, times of runs, and the mark of a disturbed run, which always differ between two contests.
fn timeless(text: &str) -> String {
    let text = text.replace(NOTE, "");
    let words: Vec<&str> = text.split_inclusive([' ', '\n', '<', '>', '"', ',']).collect();
    let is_date = |word: &str| word.len() >= 10 && word.starts_with("20") && word[4..].starts_with('-');
    let is_clock = |word: &str| word.len() >= 5 && word.as_bytes()[2] == b':';
    let is_number = |word: &str| word.trim_end().parse::<f64>().is_ok();
    let mut masked = String::new();
    for (index, word) in words.iter().enumerate() {
        let unit = words.get(index + 1).is_some_and(|next| next.starts_with("ms") || next.starts_with("s<"));
        match is_date(word) || is_clock(word) || (unit && is_number(word)) {
            true => masked.push_str("TIME "),
            false => masked.push_str(&word.replace('?', "")),
        }
    }
    masked.replace("TIME ms", "TIME").replace("TIME s<", "TIME<")
}

/// The table without the column of the time, and without moments.
fn timeless_csv(text: &str) -> String {
    let is_moment = |cell: &str| cell.len() == 20 && cell.starts_with("20") && cell.ends_with('Z');
    let line = |line: &str| -> String {
        let cells = line.split(',').enumerate();
        let cells = cells.map(|(column, cell)| if column == 5 || is_moment(cell) { "TIME" } else { cell });
        cells.collect::<Vec<_>>().join(",").replace('?', "")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The sorted lines of the feed, as moments decide their order, without the moment in a name.
fn timeless_feed(text: &str) -> String {
    let without = |line: &str| match line.split_once("#board-frozen-") {
        Some((before, after)) => {
            before.to_owned() + "#board-frozen" + after.trim_start_matches(|c: char| c.is_ascii_digit())
        }
        None => line.to_owned(),
    };
    let mut lines: Vec<String> = text.lines().map(without).collect();
    lines.sort();
    timeless(&lines.join("\n"))
}

/// The explanation of the mark of a disturbed run.
const NOTE: &str = "<p class=\"about\">?: other processes disturbed the run, so its time is unreliable.</p>";

/// The public answers of a site: code, names of headers, and the body without times.
fn public(site: &Site) -> Vec<(String, u16, Vec<String>, String)> {
    let answer = |path: &&str| {
        let answer = site.visitor().get(path);
        let names = answer.head.lines().filter_map(|line| line.split_once(": ")).map(|(name, _)| name.to_lowercase());
        let text = answer.body.replace(&site.address, "ADDRESS");
        let body = match *path {
            csv if csv.ends_with(".csv") => timeless_csv(&text),
            "/feed.atom" => timeless_feed(&text),
            _ => timeless(&text),
        };
        ((*path).to_owned(), answer.code, names.collect(), body)
    };
    PUBLIC.iter().map(answer).collect()
}

#[test]
#[ignore = "deep: leaks"]
fn contests_that_differ_after_the_freeze_give_the_public_the_same_bytes() {
    let mut hidden = 0;
    for seed in 0..3 {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let before: Vec<(usize, usize)> =
            (0..1 + dice.random_range(0..4)).map(|_| (dice.random_range(0..3), dice.random_range(0..5))).collect();
        let after: Vec<(usize, [usize; 2])> = (0..2 + dice.random_range(0..3))
            .map(|_| {
                let (team, first) = (dice.random_range(0..3), dice.random_range(0..5));
                (team, [first, (first + 1 + dice.random_range(0..4)) % 5])
            })
            .collect();
        let teams = ["ada", "bob", "cleo"];
        let twins = [0, 1].map(|twin| {
            // Time does not count, so that places are equal on all machines.
            let (folder, tokens) = club_with(&teams, "[ranking]\norder = [\"progress\", \"moves\"]\n");
            let site = Site::start(&folder, &[]);
            let submit = |number: usize, team: usize, program: usize| {
                let (name, text) = PROGRAMS[program];
                let path = site.with(&tokens[team]).submit(name, &format!("{text}# {number}\n"));
                let judged = |page: &str| !page.contains("data-fresh");
                let begun = Instant::now();
                while !judged(&site.with(&tokens[team]).page(&path)) {
                    assert!(begun.elapsed() < PATIENCE, "{path}");
                    std::thread::sleep(Duration::from_millis(50));
                }
            };
            for (number, &(team, program)) in before.iter().enumerate() {
                submit(number, team, program);
            }
            folder.judge(["office", "freeze", "club"]).exits(0);
            for (number, &(team, programs)) in after.iter().enumerate() {
                submit(100 + number, team, programs[twin]);
            }
            let all = before.len() + after.len();
            let visible = |csv: &str| -> usize {
                let count = |line: &str| line.split(',').nth(3)?.parse::<usize>().ok();
                csv.lines().filter_map(count).sum()
            };
            let begun = Instant::now();
            while visible(&site.visitor().page("/board.csv")) < all {
                assert!(begun.elapsed() < PATIENCE, "the board counts what came");
                std::thread::sleep(Duration::from_millis(50));
            }
            let organiser = site.with(site.organiser.as_ref().unwrap()).page("/board.csv");
            (public(&site), timeless_csv(&organiser))
        });
        let [(one, own), (two, other)] = twins;
        assert_eq!(one, two, "seed {seed}");
        hidden += usize::from(own != other);
        let csv = &one.iter().find(|(path, ..)| path == "/board.csv").unwrap().3;
        assert!(csv.contains("ada") || csv.contains("bob") || csv.contains("cleo"), "{csv}");
    }
    assert!(hidden >= 2, "{hidden} organisers see that the twins differ");
}

/// The public answers of a site of games and of its Contest API, and those to a team about its own player, the first
/// submission.
fn of_games(site: &Site, token: &str) -> Vec<(String, u16, Vec<String>, String)> {
    let api = ["scoreboard", "judgements", "submissions", "runs", "teams"];
    let (visitor, team) = (site.visitor(), site.with(token));
    let mut all = public(site);
    for path in api.map(|path| format!("/api/contests/club/{path}")) {
        let answer = visitor.get(&path);
        // Moments and tokens of events differ between contests.
        let values = answer
            .body
            .split([',', '{', '}', '[', ']'])
            .filter(|value| !value.contains("time\":") && !value.contains("token"));
        let values: Vec<&str> = values.collect();
        all.push((path, answer.code, Vec::new(), timeless(&values.join(" "))));
    }
    let own = team.page("/submissions/1");
    let transcripts = games::transcripts(&own).into_iter().map(|(_, path)| path);
    for path in ["/submissions/1", "/mine", "/board"].map(str::to_owned).into_iter().chain(transcripts) {
        let answer = team.get(&path);
        // Times of moves differ between games.
        let body = answer.body.replace(NOTE, "");
        let text: String =
            body.split(' ').filter(|word| !word.starts_with('+') && word.parse::<f64>().is_err()).collect();
        all.push((path, answer.code, Vec::new(), timeless(&text)));
    }
    all
}

#[test]
#[ignore = "deep: leaks"]
fn games_that_differ_after_the_freeze_give_others_the_same_bytes() {
    let twins = [80, 20].map(|hidden| {
        let (folder, tokens) = games::club("");
        let site = Site::start(&folder, &[]);
        let [ada, bob] = [0, 1].map(|team| site.with(&tokens[team]));
        bob.until(&bob.submit("main.sh", &games::player(60)), "Counts");
        let first = ada.submit("main.sh", &games::player(40));
        ada.until(&first, "Counts");
        games::places_become(&site, &["1 bob", "2 house", "3 ada"]);
        folder.judge(["office", "freeze", "club"]).exits(0);
        ada.until(&ada.submit("main.sh", &games::player(hidden)), "Counts");
        let begun = Instant::now();
        let count =
            |csv: &str| csv.lines().any(|line| line.starts_with("3,ada,") && line.split(',').nth(3) == Some("2"));
        while !count(&site.visitor().page("/board.csv")) {
            assert!(begun.elapsed() < PATIENCE, "the board counts what came");
            std::thread::sleep(Duration::from_millis(50));
        }
        // The organiser sees the current places.
        let places = if hidden == 80 { ["1 ada", "2 bob", "3 house"] } else { ["1 bob", "2 house", "3 ada"] };
        games::places_become_for(&site.with(site.organiser.as_ref().unwrap()), &places);
        (of_games(&site, &tokens[1]), bob.page("/submissions/1"))
    });
    let [(one, page), (other, _)] = twins;
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one, other);
    }
    assert_eq!(one.len(), other.len());
    assert_eq!(page.matches("played; its result is hidden").count(), 2, "{page}");
    let csv = &one.iter().find(|(path, ..)| path == "/board.csv").unwrap().3;
    assert!(csv.lines().nth(1).unwrap().starts_with("1,bob,"), "{csv}");
}
