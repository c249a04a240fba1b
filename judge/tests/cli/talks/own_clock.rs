//! The chess clock in every tier: whose time passes when the wall-clock limit is reached.

use super::{external, run};
use crate::support::*;

/// A referee that does what the entry tells it.
const REFEREE: &str = r#"read -r what
case $what in
think) sleep 100 ;;
stop) kill -STOP $$ ;;
slow) sleep 3; echo go; cat > rest; exit 42 ;;
ask) echo go; cat > rest; exit 42 ;;
listen) read -r never; exit 42 ;;
*) exit 43 ;;
esac
"#;

const JUD: (&str, &str) = ("JUD", "it took more time for its moves than its `limit` allows");
const TIM: (&str, &str) = ("TIM", "its own clock ran out");

/// Name of an entry, its script, and its cell with the reason.
const ENTRIES: &[(&str, &str, (&str, &str))] = &[
    ("1-thinks", "echo think; read x", JUD),
    ("1-stopped", "echo stop; read x", JUD),
    ("1-slow-before", "echo slow; read x; sleep 100", JUD),
    ("3-thinks", "echo ask; read x; sleep 100", TIM),
    ("3-silent", "sleep 100", TIM),
    ("3-half-a-line", "printf think; sleep 100", TIM),
    ("3-one-line-of-two", "echo listen; sleep 100", TIM),
];

fn blamed(isolation: &str, user: Option<u32>) {
    if user.is_some() && !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = Folder::new();
    let entries: Vec<(&str, &str)> = ENTRIES.iter().map(|(name, script, _)| (*name, *script)).collect();
    let keys = "protocol = \"kattis\"\ntalk = true\nclock = \"own\"\nlimit = \"1s\"\n";
    external(&folder, keys, REFEREE, &[("A", "a board\n")], &entries);
    folder.file("contest.toml", folder.read("contest.toml").replace("limit = \"10s\"", "limit = \"1500ms\""));
    folder.open_to_all(&[]);
    let table = run(&folder, isolation, user);
    let tier = table["isolation"][0].as_str().unwrap().to_owned();
    let rows = table["entries"].as_array().unwrap();
    assert_eq!(rows.len(), ENTRIES.len());
    let mut wrong = Vec::new();
    for row in rows {
        let (name, run) = (row["entry"].as_str().unwrap(), &row["runs"][0]);
        let (.., (cell, words)) = ENTRIES.iter().find(|(known, ..)| *known == name).unwrap();
        let found = run["cell"].as_str().unwrap();
        if !found.ends_with(cell) || !run.to_string().contains(words) {
            wrong.push(format!("{name}: expected {cell} {words:?}, got {run}"));
        }
    }
    assert!(wrong.is_empty(), "{tier}:\n{}", wrong.join("\n"));
    assert_eq!(processes_naming(folder.path()), Vec::<String>::new(), "{tier}: somebody survived");
}

siege! { blamed;
    the_own_clock_decides_in_the_strongest_tier("auto", None)
    the_own_clock_decides_in_the_strongest_tier_of_an_ordinary_user("auto", Some(65534))
    the_own_clock_decides_under_landlock("landlock", None)
    the_own_clock_decides_under_landlock_of_an_ordinary_user("landlock", Some(65533))
    the_own_clock_decides_in_a_process_group("off", None)
    the_own_clock_decides_in_a_process_group_of_an_ordinary_user("off", Some(65532))
}
