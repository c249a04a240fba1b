//! The recorded certificates: each belongs to a board of the record book and has its bound. Those with small tables are
//! searched again; `house check-certificate` does so for the others, in up to four minutes each.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use loyd_house::answer::one_line;
use loyd_house::certificate::Certificate;
use loyd_kit::Board;

#[test]
fn recorded_certificates_are_consistent_and_the_record_book_has_their_bounds() {
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
        assert_eq!(rows[name]["lower_bound"], certificate.bound.to_string(), "{name}");
        assert!(rows[name]["moves"].parse::<usize>().unwrap() <= certificate.answer.len(), "{name}");
        kept += 1;
        if certificate.tables.iter().all(|table| table.tiles.len() < 6) {
            certificate.check(2, |_| {}).unwrap_or_else(|error| panic!("{name}: {error}"));
            searched += 1;
        }
    }
    assert!(kept >= 9 && searched >= 3, "{kept} kept, {searched} searched again");
}
