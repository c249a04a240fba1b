//! Games on the nodes of a cluster.

use crate::cluster::{Cluster, text, wait_until};
use crate::contest::{TIMEOUT, cells, exits, recorded, spawn};
use crate::support::*;

/// The player with the higher number wins.
const REFEREE: &str = r#"
exec 3>&1
value() {
    printf 'ask %d 1\ngo\nwait\n' $1 >&3
    read -r seat state lines || exit 1
    if [ "$state" = ok ]; then read -r said; else said=0; fi
    echo "$said"
}
one=$(value 1); two=$(value 2)
if [ "$one" -gt "$two" ]; then echo end 1 0; elif [ "$one" -lt "$two" ]; then echo end 0 1; else echo end 0 0; fi
"#;

/// Four entries on two boards, which answer after that many seconds. `life` is the setting of the same name.
fn write(folder: &Folder, life: &str, seconds: &str) {
    folder.file("referee.sh", REFEREE);
    folder.file("a.txt", "\n");
    let mut text = format!(
        "name = \"Higher\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\ncommand = [\"sh\", \"referee.sh\"]\n\
         [match]\nseats = 2\nlife = \"{life}\"\n"
    );
    for board in ["A", "B"] {
        text += &format!("[[board]]\nname = \"{board}\"\nfile = \"a.txt\"\n");
    }
    for number in [10, 20, 30, 40] {
        let player = format!("while read -r x; do sleep {seconds}; echo {number}; done");
        text += &entry(&format!("p{number}"), &["sh", "-c", &player]);
    }
    folder.file("contest.toml", text);
}

/// The games in a journal, with the nodes that played them.
fn games(journal: &str) -> Vec<(String, String)> {
    let lines: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let machines: Vec<&Value> = lines.iter().filter(|line| line["line"] == "machine").collect();
    let of_game = |game: &Value| {
        let machine = machines[usize::try_from(game["machine"].as_u64().unwrap_or(0)).unwrap()];
        let node = machine["node"].as_str().unwrap_or("none").to_owned();
        (format!("{} {} {}", game["entry"], game["against"], game["board"]), node)
    };
    lines.iter().filter(|line| line["line"] == "run").map(of_game).collect()
}

#[test]
fn a_round_robin_on_two_nodes_loses_no_game_when_one_of_them_dies() {
    let Some(cluster) = Cluster::start() else { return };
    for life in ["game", "move"] {
        let here = Folder::new();
        write(&here, life, "0");
        let here = cells(&here.judge(["run", "--out", "out", "--format", "json"]).exits(0).stdout);
        let folder = Folder::new();
        write(&folder, life, "0.5");
        let out = folder.path().join("out").display().to_string();
        let journal = folder.path().join("out/journal.jsonl");
        let slurm = ["run", "--engine", "slurm", "--sbatch", "-p like", "--batch", "60s", "--out", &out];
        let mut judge = spawn(cluster.judge(&folder, slurm), &folder);
        wait_until("games", TIMEOUT, || recorded(&text(&journal)) > 1);
        // First a node is killed with all its tasks, then also the judge.
        cluster.kill_node(1);
        let before = recorded(&text(&journal));
        wait_until("a further game", TIMEOUT, || recorded(&text(&journal)) > before);
        judge.kill().unwrap();
        judge.wait().unwrap();
        cluster.start_node(1);
        let (table, messages) = exits(cluster.judge(&folder, ["resume", &out, "--format", "json"]), 0);
        assert_eq!(cells(&table), here, "{life}: {messages}");
        let played = games(&folder.read("out/journal.jsonl"));
        let keys: BTreeSet<&String> = played.iter().map(|(game, _)| game).collect();
        assert_eq!((played.len(), keys.len()), (24, 24), "{life}: every game is there once: {messages}");
        let nodes: BTreeSet<&String> = played.iter().map(|(_, node)| node).collect();
        assert!(nodes.iter().all(|node| ["n1", "n2"].contains(&node.as_str())) && !nodes.is_empty(), "{nodes:?}");
        exits(cluster.judge(&folder, ["verify", &out]), 0);
        wait_until("nothing is left", TIMEOUT, || processes_naming(folder.path()).is_empty());
    }
}
