//! `judge season`: several contests, from their tables to a table of authors.

use crate::support::*;

/// A table of a contest without runs, as another program may write it.
fn month(name: &str, rows: &[(&str, &str, u32)]) -> String {
    let row = |(entry, author, points): &(&str, &str, u32)| format!("{entry},{author},{name},valid,{points},1000,5\n");
    format!("entry,author,board,verdict,ups,limit_ms,wall_ms\n{}", rows.iter().map(row).collect::<String>())
}

#[test]
fn a_season_is_added_up_from_tables_and_the_winner_waits() {
    let folder = Folder::new();
    let contests = [
        ("may", [("snail", "Ann", 9), ("hare", "Bob", 7), ("crab", "=Cat", 5)]),
        ("june", [("snail2", "Ann", 9), ("fox", "Bob", 8), ("crab", "=Cat", 8)]),
    ];
    for (name, rows) in &contests {
        folder.file(&format!("{name}-runs.csv"), month(name, rows));
        let refused = folder.judge(["season", &format!("{name}-runs.csv")]).exits(2).message();
        assert!(refused.contains("do not say what decides places; rank it by `judge rank FILE"), "{refused}");
        let table = folder.judge(["rank", &format!("{name}-runs.csv"), "--figure", "ups=more", "--format", "csv"]);
        folder.file(&format!("{name}.csv"), table.exits(0).stdout);
    }
    let files = ["may.csv", "june.csv"];
    let csv = |more: &[&str]| {
        let words = ["season"].iter().chain(&files).chain(more).copied().chain(["--format", "csv"]);
        folder.judge(words.collect::<Vec<_>>()).exits(0).stdout
    };
    assert_eq!(csv(&[]), "place,author,may,june,wins,total\n1,Ann,1,1,2,2\n2,Bob,2,2,0,4\n3,'=Cat,3,2,0,5\n");
    assert_eq!(
        csv(&["--points", "5,3,1", "--winners-wait", "1"]),
        "place,author,may,june,wins,total\n1,Bob,2,1,1,8\n2,'=Cat,3,1,1,6\n3,Ann,1,waits,1,5\n"
    );
    let table =
        folder.judge(["season", "may.csv", "june.csv", "--points", "5,3,1", "--winners-wait", "1"]).exits(0).stdout;
    assert!(table.starts_with("Bob leads after 2 contests with 8 and 1 win\n"), "{table}");
    contains(&table, ["†: the winner of an earlier contest", "Bob won june and takes no place in the next contest"]);
    let json = folder.judge(["season", "may.csv", "june.csv", "--format", "json"]).exits(0).json();
    assert_eq!(
        (&json["format"], &json["rows"][0]["author"], &json["rows"][0]["total"]),
        (&1.into(), &"Ann".into(), &2.into())
    );
    let page = folder.judge(["season", "may.csv", "june.csv", "--format", "html"]).exits(0).stdout;
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<td>Ann</td>"), "{page}");
}

#[test]
fn the_published_months_of_the_series_make_a_season() {
    let folder = Folder::new();
    let published = ["aimless", "crozzle", "pegged", "quilts"].map(|name| format!("results/potm/{name}-published.csv"));
    let published = published.map(|name| project().join(name).display().to_string());
    let words = ["season"].into_iter().chain(published.iter().map(String::as_str)).chain(["--format", "json"]);
    let json = folder.judge(words.collect::<Vec<_>>()).exits(0).json();
    let contests = json["contests"].as_array().unwrap();
    assert_eq!(contests.len(), 4);
    let winners = json["rows"].as_array().unwrap().iter().filter(|row| row["wins"] == 1);
    assert!(winners.map(|row| row["author"].as_str().unwrap()).any(|author| author == "Ben Nye"), "{json}");
}
