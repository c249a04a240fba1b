//! The table of the sources: its commands print what its rows state, and what it refers to exists. Statements that no
//! other test holds are checked here.

use std::collections::HashMap;
use std::mem;

use crate::support::*;

/// The words that begin the last cell of a row.
const STATUSES: [&str; 4] = ["equal", "corrected", "not checkable", "not done"];

/// A row of the table.
struct Row {
    line: String,
    source: String,
    statement: String,
    place: String,
    reproduced: String,
    status: String,
}

fn rows() -> Vec<Row> {
    let mut table = csv::Reader::from_path(project().join("results/sources.csv")).unwrap();
    let row = |record: csv::StringRecord| {
        let [source, place, statement, reproduced, status] = [0, 1, 2, 3, 4].map(|column| record[column].to_owned());
        Row { line: record.iter().collect::<Vec<_>>().join(" | "), source, statement, place, reproduced, status }
    };
    table.records().map(|record| row(record.unwrap())).collect()
}

/// The texts between backquotes, each with the text up to the next one.
fn code(cell: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = cell.split('`').collect();
    assert!(parts.len() % 2 == 1, "a backquote is missing: {cell}");
    parts[1..].chunks(2).map(|pair| (pair[0], pair[1].trim())).collect()
}

/// The commands of a row, each with the text that its output must contain; `None` where the row says `(slow)`.
fn commands(row: &Row) -> Vec<(&str, Option<&str>)> {
    let code = code(&row.reproduced);
    let commands = code.iter().enumerate().filter(|(_, (text, _))| text.starts_with("judge "));
    commands
        .map(|(index, &(command, after))| match after.split_whitespace().next() {
            Some("→") => (command, Some(code[index + 1].0)),
            Some("(slow)") | Some("(slow),") | Some("(slow);") => (command, None),
            _ => panic!("`{command}` needs → and a text of its output, or (slow): {}", row.line),
        })
        .collect()
}

/// The words of a command line; double quotes hold words together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Everything the command prints, in one line.
fn output(command: &str) -> String {
    let words = words(command);
    let judge = Command::new(env!("CARGO_BIN_EXE_judge"))
        .args(&words[1..])
        .current_dir(project())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    squeezed(&[judge.stdout, judge.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).join(" "))
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_row_is_whole() {
    let rows = rows();
    assert!(rows.len() >= 200, "{} rows", rows.len());
    let mut seen = BTreeSet::new();
    for row in &rows {
        assert!(!row.place.is_empty() && !row.statement.is_empty(), "{}", row.line);
        assert!(STATUSES.iter().any(|status| row.status.starts_with(status)), "unknown status: {}", row.line);
        assert!(
            row.status != "corrected" && row.status != "not checkable" && row.status != "not done",
            "why? {}",
            row.line
        );
        assert!(row.status != "equal" || !row.reproduced.is_empty(), "equal to what? {}", row.line);
        assert!(seen.insert((&row.source, &row.place, &row.statement)), "duplicate row: {}", row.line);
        assert!(!row.line.contains('@'), "an address: {}", row.line);
    }
}

#[test]
fn the_page_counts_the_rows() {
    let page = fs::read_to_string(project().join("results/sources.md")).unwrap();
    let rows = rows();
    let sources: BTreeSet<&str> = rows.iter().map(|row| row.source.as_str()).collect();
    for source in sources {
        let of_source = || rows.iter().filter(|row| row.source == source);
        let counts = STATUSES.map(|status| of_source().filter(|row| row.status.starts_with(status)).count());
        let [equal, corrected, not_checkable, not_done] = counts;
        let all = of_source().count();
        let line = format!("| `{source}` | {all} | {equal} | {corrected} | {not_checkable} | {not_done} |\n");
        assert!(page.contains(&line), "results/sources.md needs the line {line}");
    }
}

#[test]
fn every_command_prints_what_its_row_states() {
    let rows = rows();
    let tested: Vec<(&str, &str)> =
        rows.iter().flat_map(commands).filter_map(|(command, expected)| Some((command, expected?))).collect();
    assert!(tested.len() >= 100, "{} commands", tested.len());
    // Several rows may name one command.
    let mut printed: HashMap<&str, String> = HashMap::new();
    for (command, _) in &tested {
        printed.entry(command).or_insert_with(|| output(command));
    }
    let wrong: Vec<String> = tested
        .into_iter()
        .map(|(command, expected)| (command, expected, &printed[command]))
        .filter(|(_, expected, printed)| !printed.contains(&squeezed(expected)))
        .map(|(command, expected, printed)| format!("`{command}` does not print `{expected}` but: {printed}\n"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn everything_that_a_row_names_exists() {
    for row in rows() {
        let mut file = String::new();
        let mut is_output = false;
        for (text, after) in [code(&row.reproduced), code(&row.status)].concat() {
            if mem::replace(&mut is_output, after.starts_with('→')) {
                continue;
            }
            let is_path = text.contains('/') && !text.contains([' ', '>']);
            let is_name = text.contains('_') && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if is_path {
                assert!(project().join(text).exists(), "{text} does not exist: {}", row.line);
                text.clone_into(&mut file);
            } else if is_name && file.ends_with(".rs") {
                let source = fs::read_to_string(project().join(&file)).unwrap();
                assert!(source.contains(&format!("fn {text}(")), "no `{text}` in {file}: {}", row.line);
            }
        }
    }
}

/// The moves that the write-up of the n-game prints for n = 3.
const PRINTED: &str = "34 53 65 46 24 12 31 53 75 67 46 24 32 53 45";

/// The first answer of a depth-first search: black pieces before red ones, a move before a hop. Squares count from 1, as
/// in the source; `row` has a 1 for a black piece, a 2 for a red one, and 0 for the empty square.
fn n_game(row: &mut [u8], moves: &mut Vec<(usize, usize)>) -> bool {
    let n = (row.len() - 2) / 2;
    if row[1..=n].iter().all(|piece| *piece == 2) && row[n + 2..].iter().all(|piece| *piece == 1) {
        return true;
    }
    for colour in [1, 2] {
        for from in (1..row.len()).filter(|from| row[*from] == colour).collect::<Vec<_>>() {
            for distance in [1, 2] {
                let to = if colour == 1 { from + distance } else { from.saturating_sub(distance) };
                // Square 0 is none.
                let free = to > 0 && row.get(to) == Some(&0);
                let legal = free && (distance == 1 || row[(from + to) / 2] == 3 - colour);
                if !legal {
                    continue;
                }
                row.swap(from, to);
                moves.push((from, to));
                if n_game(row, moves) {
                    return true;
                }
                moves.pop();
                row.swap(from, to);
            }
        }
    }
    false
}

#[test]
fn every_pair_of_the_n_game_has_the_moves_of_the_article() {
    let found = (1..=8).map(|n: usize| {
        let mut row = vec![0; 2 * n + 2];
        row[1..=n].fill(1);
        row[n + 2..].fill(2);
        let mut moves = Vec::new();
        assert!(n_game(&mut row, &mut moves), "{n}");
        (n, moves)
    });
    let printed = PRINTED.split(' ').map(|both| both.parse::<usize>().unwrap()).map(|both| (both / 10, both % 10));
    for (n, moves) in found.chain([(3, printed.collect())]) {
        assert_eq!(moves.len(), n * (n + 2), "{n}");
        // The piece on each square, named by the square where it began.
        let mut row: Vec<Option<usize>> = (0..=2 * n + 1).map(|square| (square != n + 1).then_some(square)).collect();
        let (mut hops, mut slides) = (vec![0; 2 * n + 2], vec![0; 2 * n + 2]);
        for (from, to) in moves {
            let piece = row[from].take().unwrap();
            assert_eq!(row[to].replace(piece), None);
            *(if from.abs_diff(to) == 2 { &mut hops[piece] } else { &mut slides[piece] }) += 1;
        }
        for black in 1..=n {
            // Pieces of one colour keep their order, so partners are n + 1 squares apart and change places.
            let red = black + n + 1;
            assert_eq!((row[red], row[black]), (Some(black), Some(red)));
            assert_eq!(hops[black] + hops[red], n, "n = {n}: the pair that began on {black} and {red}");
            assert_eq!(slides[black] + slides[red], 2, "n = {n}: the pair that began on {black} and {red}");
        }
    }
}

#[test]
fn published_totals_are_the_sums_of_their_cells() {
    let mut table = csv::Reader::from_path(project().join("results/published-1995.csv")).unwrap();
    let headers = table.headers().unwrap().clone();
    let mut tiles_at_illegal_moves = Vec::new();
    for record in table.records() {
        let record = record.unwrap();
        let field = |name: &str| &record[headers.iter().position(|header| header == name).unwrap()];
        let cells = ["FOXY", "AID", "TYPO", "FAQ", "WARN"].map(|board| field(board).split_once('/').unwrap());
        let sum = |numbers: [&str; 5]| numbers.iter().filter_map(|number| number.parse::<u32>().ok()).sum::<u32>();
        assert_eq!(field("moves"), sum(cells.map(|(_, moves)| moves)).to_string(), "{}", field("entry"));
        let more = field("tiles").parse::<u32>().unwrap() - sum(cells.map(|(tiles, _)| tiles));
        let illegal = cells.iter().filter(|(_, moves)| *moves == "ILL").count();
        if illegal > 0 {
            tiles_at_illegal_moves.push((field("entry").to_owned(), illegal, more));
        } else {
            assert_eq!(more, 0, "{}", field("entry"));
        }
    }
    assert_eq!(tiles_at_illegal_moves, [("lwr".to_owned(), 1, 5), ("detangler".to_owned(), 2, 12)]);
}

/// The places that the empty spot can go to from a spot, each once: a transport beside the centre is a slide.
fn exits(empty: usize) -> Vec<usize> {
    let (row, column) = (empty / 5, empty % 5);
    let mut to = Vec::new();
    to.extend((row > 0).then(|| empty - 5));
    to.extend((row < 4).then_some(empty + 5));
    to.extend((column > 0).then(|| empty - 1));
    to.extend((column < 4).then_some(empty + 1));
    if empty != 12 && !to.contains(&12) {
        to.push(12);
    }
    to
}

#[test]
fn a_position_has_about_three_and_a_third_moves_that_lead_on() {
    // Sequences by where the empty spot came from and where it is; none takes the last move back.
    let mut sequences = [[1.0_f64; 25]; 25];
    let mut growth = 0.0;
    for _ in 0..200 {
        let mut next = [[0.0; 25]; 25];
        for (came_from, empty) in (0..25).flat_map(|came_from| (0..25).map(move |empty| (came_from, empty))) {
            for to in exits(empty).into_iter().filter(|&to| to != came_from) {
                next[empty][to] += sequences[came_from][empty];
            }
        }
        growth = next.iter().flatten().sum::<f64>();
        sequences = next.map(|row| row.map(|count| count / growth));
    }
    assert!((3.285..3.295).contains(&growth), "{growth}");
}

/// A board of Loyd's Dilemma, tiles numbered in order and the empty spot 24.
type Loyd = [u8; 25];

/// The boards that one move leads to, or those that one move leads from.
fn beside(board: &Loyd, backwards: bool) -> Vec<Loyd> {
    let empty = board.iter().position(|&tile| tile == 24).unwrap();
    let others = if backwards { (0..25).filter(|&from| exits(from).contains(&empty)).collect() } else { exits(empty) };
    let swapped = |other: usize| {
        let mut next = *board;
        next.swap(empty, other);
        next
    };
    others.into_iter().map(swapped).collect()
}

/// The boards within this many moves of these, with the least number of moves.
fn within(moves: u32, start: Loyd, backwards: bool) -> HashMap<Loyd, u32> {
    let mut found = HashMap::from([(start, 0)]);
    let mut last = vec![start];
    for count in 1..=moves {
        let next = last.iter().flat_map(|board| beside(board, backwards)).collect::<BTreeSet<_>>();
        last = next.into_iter().filter(|board| !found.contains_key(board)).collect();
        found.extend(last.iter().map(|board| (*board, count)));
    }
    found
}

#[test]
fn backward_ends_take_twelve_to_fifteen_moves() {
    let perfection: Loyd = std::array::from_fn(|spot| u8::try_from(spot).unwrap());
    let near = within(8, perfection, true);
    // The 24 ways in which S, T, X and the empty spot can stand on the last four spots.
    let spots = [18, 19, 23, 24];
    let orders = (0..256).map(|number| [number / 64, number / 16 % 4, number / 4 % 4, number % 4]);
    let ends = orders.filter(|order| (0..4).all(|tile| order.contains(&tile))).map(|order| {
        let mut board = perfection;
        spots.iter().zip(order).for_each(|(&spot, tile)| board[spot] = perfection[spots[tile]]);
        board
    });
    let least = |end| within(7, end, false).iter().filter_map(|(board, moves)| Some(moves + near.get(board)?)).min();
    let mut lengths: Vec<u32> = ends.map(|end| least(end).unwrap()).collect();
    lengths.sort_unstable();
    let (forward, backward) = lengths.split_at(12);
    assert_eq!(forward, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
    assert_eq!(backward, [12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15]);
}

#[test]
fn a_board_of_six_moves_has_a_manhattan_sum_of_eight() {
    let board: Loyd = b"+ACDEFGHIJKLBMNPQRSOUVWXT".map(|symbol| if symbol == b'+' { 24 } else { symbol - b'A' });
    let perfection: Loyd = std::array::from_fn(|spot| u8::try_from(spot).unwrap());
    assert_eq!(within(6, perfection, true).get(&board), Some(&6));
    let distance = |spot: usize, tile: u8| {
        let home = usize::from(tile);
        (spot / 5).abs_diff(home / 5) + (spot % 5).abs_diff(home % 5)
    };
    let sum: usize = (0..25).filter(|&spot| board[spot] != 24).map(|spot| distance(spot, board[spot])).sum();
    assert_eq!(sum, 8);
    // What slider counts, but for its pairs: the tile in the centre may be transported to the empty spot.
    let saved = distance(12, board[12]) - (1 + distance(0, board[12]));
    assert_eq!(sum - saved, 7);
}
