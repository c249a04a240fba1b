//! Many entries, killed at random moments.

use super::*;

/// Each seat says a number, in a process of its own, and the higher one wins.
const HIGHER: &str = r#"
value() {
    printf 'ask %d 1\n%s\nwait\n' $1 "$2" >&3
    read -r who state lines || exit 1
    [ "$state" = ok ] && read -r said || said=0
    echo "$said"
}
exec 3>&1
one=$(value 1 begin); two=$(value 2 "$one")
if [ "$one" -gt "$two" ]; then echo end 1 0; elif [ "$one" -lt "$two" ]; then echo end 0 1; else echo end 0 0; fi
"#;
const ENTRIES: usize = 20;

#[test]
#[ignore = "deep: kills"]
fn a_double_round_robin_of_many_is_played_once_through_kills_at_random_moments() {
    let folder = Folder::new();
    folder.file("referee.sh", HIGHER);
    folder.file("a.txt", "\n");
    let mut text = "name = \"scale\"\ngame = \"external\"\nlimit = \"60s\"\n".to_owned();
    text += "[referee]\ncommand = [\"sh\", \"referee.sh\"]\nlimit = \"60s\"\n[match]\nseats = 2\nlife = \"move\"\n";
    text += "[[board]]\nname = \"A\"\nfile = \"a.txt\"\n";
    let says = |number: usize| format!("read -r x; echo {number}");
    text.extend((0..ENTRIES).map(|number| entry(&format!("p{number:02}"), &["sh", "-c", &says(number)])));
    folder.file("contest.toml", text);
    let recorded = || folder.path().join("out/journal.jsonl").exists().then(|| folder.read("out/journal.jsonl"));
    let count = || recorded().map_or(0, |journal| journal.matches("{\"line\":\"run\"").count());
    let goes_on = || match recorded() {
        Some(_) => &["resume", "out", "--progress", "none"][..],
        None => &["run", "--out", "out", "--progress", "none"],
    };
    let mut dice = ChaCha8Rng::seed_from_u64(53);
    for _ in 0..8 {
        let mut judge = folder.command(goes_on().iter().copied()).spawn().unwrap();
        let (begun, before) = (Instant::now(), count());
        // In the first kills it may be about to write the header; later ones come while games are played.
        let more = dice.random_range(0..40);
        while count() < before + more && begun.elapsed() < Duration::from_secs(100) {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(dice.random_range(0..60)));
        judge.kill().unwrap();
        judge.wait().unwrap();
    }
    folder.judge(goes_on().iter().copied()).exits(0);
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for line in recorded().unwrap().lines().filter(|line| line.starts_with("{\"line\":\"run\"")) {
        let run: Value = serde_json::from_str(line).unwrap();
        *times.entry(format!("{} {}", run["entry"], run["against"])).or_default() += 1;
    }
    assert_eq!((times.len(), times.values().max()), (ENTRIES * (ENTRIES - 1), Some(&1)));
    let document = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    let rows = document["entries"].as_array().unwrap().iter();
    let rows: Vec<String> = rows.map(|row| format!("{} {}", row["entry"], row["total"]["figures"]["points"])).collect();
    let expected = (0..ENTRIES).rev().map(|number| format!("\"p{number:02}\" \"{}\"", 2 * number));
    assert_eq!(rows, expected.collect::<Vec<_>>());
}
