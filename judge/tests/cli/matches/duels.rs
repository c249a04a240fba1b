//! A program that plays against an entry until it is clear which one is better.

use super::*;

#[test]
fn a_new_version_plays_an_entry_until_one_is_better() {
    let folder = Folder::new();
    let heaps: Vec<String> = (5..17).map(|heap| format!("H{heap}")).collect();
    nim(&folder, &[("ones", ONES), ("perfect", PERFECT)], "");
    let mut text = folder.read("contest.toml");
    text.truncate(text.find("[[board]]").unwrap());
    for heap in &heaps {
        folder.file(&format!("{heap}.txt"), format!("{}\n", &heap[1..]));
        text += &format!("[[board]]\nname = \"{heap}\"\nfile = \"{heap}.txt\"\n");
    }
    text += &entry("ones", &["sh", "-c", ONES]);
    text += &entry("perfect", &["sh", "-c", PERFECT]);
    folder.file("contest.toml", text);
    let new = |against: &str, program: &str, more: &[&str]| {
        let mut args = vec!["try", "--contest", ".", "--progress", "none", "--against", against];
        args.extend(more);
        args.extend(["--", "sh", "-c", program]);
        folder.judge(args).exits(0).stdout
    };
    // It wins from both seats on most heaps, and the others are drawn: each seat wins once.
    let better = new("ones", PERFECT, &["--json"]);
    let better: Value = serde_json::from_str(&better).unwrap();
    assert_eq!((&better["answer"], &better["lost"]), (&"better".into(), &0.into()));
    assert!(better["lead"].as_f64().unwrap() > 0.5 && better["boards"].as_u64().unwrap() < 12, "{better}");
    assert!(new("perfect", ONES, &[]).starts_with("worse: -"));
    // The same program on each side of both games: nothing is decided.
    let same = new("perfect", PERFECT, &["--out", "kept"]);
    assert!(
        same.starts_with(
            "not decided: +0.000 points per game (+0.000 to +0.000) against perfect; 0 of 12 boards won, 12 drawn"
        ),
        "{same}"
    );
    assert_eq!(games(&folder, "kept").len(), 24);
    // On some boards.
    let some = new("ones", PERFECT, &["H5", "H6"]);
    assert!(some.contains("2 of 2 boards won"), "{some}");
    for wrong in [&["--against", "nobody"][..], &["--against", "ones", "--keep", "x"]] {
        folder.judge(["try", "--contest", "."].iter().chain(wrong).copied().chain(["--", "true"])).exits(2);
    }
}
