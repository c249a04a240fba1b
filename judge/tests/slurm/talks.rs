//! Referees that talk to entries, on nodes.

use crate::cluster::Cluster;
use crate::contest::{cells, exits, runs};
use crate::support::*;

/// It asks twice and accepts the double, in the protocol of the Kattis format.
const REFEREE: &str = r#"n=$(cat "$1"); echo "$n"; read -r double || exit 43
echo thanks; read -r end
[ "$double" = "$((n + n))" ] || { echo "no double" > "$3judgemessage.txt"; exit 43; }
exit 42
"#;

fn write(folder: &Folder) {
    folder.script("referee", REFEREE);
    folder.file("2.txt", "2\n");
    folder.file("21.txt", "21\n");
    let mut text = "name = \"Doubles\"\ngame = \"external\"\nlimit = \"60s\"\n[referee]\ncommand = \"referee\"\n\
                    protocol = \"kattis\"\ntalk = true\n[[board]]\nname = \"A\"\nfile = \"2.txt\"\n\
                    [[board]]\nname = \"B\"\nfile = \"21.txt\"\n"
        .to_owned();
    for (name, script) in [
        ("doubles", "read -r n; echo $((n + n)); read -r thanks; [ \"$thanks\" = thanks ]"),
        ("squares", "read -r n; echo $((n * n)); read -r thanks"),
        ("crashes", "read -r n; exit 3"),
        ("waits", "read -r n; read -r never"),
    ] {
        folder.script(name, script);
        text += &entry(name, &[name]);
    }
    folder.file("contest.toml", text);
}

#[test]
fn talks_are_held_on_nodes_as_they_are_here() {
    let Some(cluster) = Cluster::start() else { return };
    let (here, there) = (Folder::new(), Folder::new());
    write(&here);
    write(&there);
    let run = ["run", "--out", "out", "--format", "json"];
    let expected = cells(&here.judge(run).exits(0).stdout);
    let (table, _) = exits(cluster.judge(&there, run.into_iter().chain(["--engine", "slurm"])), 0);
    assert_eq!(cells(&table), expected);
    assert!(expected[&("doubles".into(), "B".into())].contains("AC"), "{expected:?}");
    assert!(expected[&("waits".into(), "A".into())].contains("TIM"), "{expected:?}");
    let made = runs(&there.read("out/journal.jsonl"));
    assert!(made.len() == 8 && made.iter().all(|(_, node)| node.starts_with('n') && node != "none"), "{made:?}");
    // The transcripts arrived with the outcomes.
    let shown = there.judge(["replay", "out", "doubles", "B"]).exits(0).stdout;
    let lines: Vec<&str> = shown.lines().filter(|line| line.contains("referee") || line.contains("entry")).collect();
    for (who, message) in [("referee", "21"), ("entry", "42"), ("referee", "thanks")] {
        assert!(lines.iter().any(|line| line.contains(who) && line.ends_with(message)), "{who}: {message}\n{shown}");
    }
    there.judge(["verify", "out"]).exits(0);
}
