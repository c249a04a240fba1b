//! Submissions on the site of a contest whose referee talks.

use crate::site::{Site, tokens_of};
use crate::support::*;

/// It sends a number and accepts its double, in the protocol of the Kattis format.
const REFEREE: &str = "echo 21; read -r double; [ \"$double\" = 42 ] && exit 42; \
                       echo no double > \"$3teammessage.txt\"; exit 43";

#[test]
fn a_submission_talks_on_its_way_to_the_verdict() {
    let folder = Folder::new();
    folder.script("club/referee", REFEREE);
    folder.script("club/own.sh", "read -r n; echo $((n + n))");
    folder.file("club/a.txt", "21\n");
    let contest = "name = \"Doubles\"\ngame = \"external\"\nlimit = \"30s\"\n[referee]\ncommand = \"referee\"\n\
                   protocol = \"kattis\"\ntalk = true\n[[board]]\nname = \"A\"\nfile = \"a.txt\"\n";
    folder.file("club/contest.toml", contest.to_owned() + &entry("house", &["./own.sh"]));
    let added = folder.judge(["team", "add", "club", "ada", "bob"]).exits(0).stdout;
    let tokens = tokens_of(&added);
    let site = Site::start(&folder, &[]);
    for (token, operation, cell) in [(&tokens[0], '+', ">AC"), (&tokens[1], '*', ">WRO")] {
        let team = site.with(token);
        let page = team.submit("main.sh", &format!("read -r n\necho $((n {operation} n))\n"));
        team.until(&page, cell);
    }
    site.stop();
    let json = folder.judge(["rank", "club/results", "--format", "json"]).exits(0).json();
    let cell = |name: &str| {
        let rows = json["entries"].as_array().unwrap();
        rows.iter().find(|row| row["entry"] == name).unwrap()["runs"][0]["cell"].as_str().unwrap().to_owned()
    };
    assert_eq!(["house", "ada.1"].map(cell), ["AC", "AC"]);
    assert!(cell("bob.2").contains("WRO"), "{json}");
    folder.judge(["replay", "club/results", "bob.2", "A"]).exits(1).shows(["441"]);
}
