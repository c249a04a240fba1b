//! tmp
use std::time::Instant;
use ufo_kit::atlas::{group::Group, solve::solve, table::Table};
fn main() {
    let threads: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    for text in std::env::args().skip(2) {
        let group: Group = text.parse().unwrap();
        let mut lower: Option<Table> = None;
        for letters in 1..=group.letters {
            let g = Group { letters, ..group };
            let t = Instant::now();
            let table = solve(g, lower.as_ref(), threads, |_, _| {}).unwrap();
            let a = t.elapsed();
            let row = table.row(threads);
            println!("{g} {:?} {:?} {:?} MB {}", a, t.elapsed() - a, row, Table::bytes(g) >> 20);
            lower = Some(table);
        }
    }
}
