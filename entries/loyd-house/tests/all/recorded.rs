//! The recorded certificates and the record book: each certificate belongs to a board of the book and has its bound. Small
//! claims are checked here, by both programs; `results/house.md` has the commands and times for the others.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use house_check::Limits;
use loyd_house::answer::one_line;
use loyd_house::certificate::Certificate;
use loyd_kit::Board;

#[test]
fn the_record_book_has_the_bounds_of_the_certificates() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let boards = project.join("tests-boards/loyd");
    let mut book = csv::Reader::from_path(boards.join("best-known.csv")).unwrap();
    let rows: HashMap<String, HashMap<String, String>> = book
        .deserialize::<HashMap<String, String>>()
        .map(|row| row.map(|row| (row["board"].clone(), row)).unwrap())
        .collect();
    let (mut kept, mut searched) = (0, 0);
    for file in fs::read_dir(project.join("results/house")).unwrap() {
        let path = file.unwrap().path();
        let certificate = Certificate::read(&path).unwrap();
        certificate.consistent().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.file_stem().unwrap().to_str().unwrap();
        let board: Board = fs::read_to_string(boards.join(format!("{name}.txt"))).unwrap().parse().unwrap();
        assert_eq!(certificate.board, one_line(&board), "{name}");
        assert_eq!(rows[name]["reproducible_bound"], certificate.bound.to_string(), "{name}");
        assert!(rows[name]["moves"].parse::<usize>().unwrap() <= certificate.answer.len(), "{name}");
        kept += 1;
        if certificate.tables.iter().all(|table| table.tiles.len() < 6) {
            certificate.check(2, |_| {}).unwrap_or_else(|error| panic!("{name}: {error}"));
            let text = fs::read_to_string(&path).unwrap();
            let checked = house_check::check_certificate(&text, &Limits::default(), &mut |_| ()).unwrap();
            assert!(checked.complete(), "{name}: {checked:?}");
            searched += 1;
        }
    }
    assert!(kept >= 9 && searched >= 3, "{kept} kept, {searched} searched again");
    let mut claims = 0;
    for (name, row) in &rows {
        let bound = |column: &str| row[column].parse::<u8>().unwrap();
        let (moves, proved, reproducible) = (bound("moves"), bound("lower_bound"), bound("reproducible_bound"));
        assert!(proved <= reproducible && reproducible <= moves, "{name}");
        let shortest = if proved == moves {
            "yes"
        } else if reproducible == moves {
            "reproducible"
        } else {
            "no"
        };
        assert_eq!(row["proved_shortest"], shortest, "{name}");
        if proved <= 26 {
            let board = fs::read_to_string(boards.join(format!("{name}.txt"))).unwrap();
            let checked = house_check::check_claim(&board, proved, &Limits::default(), &mut |_| ()).unwrap();
            assert!(checked.complete(), "{name}: {checked:?}");
            claims += 1;
        }
    }
    assert!(claims >= 10, "{claims}");
}
