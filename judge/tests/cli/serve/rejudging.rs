//! The organiser's page for refereeing stored answers again, and its effect on the running site.

use super::*;
use crate::support::*;

/// The text on the page of a submission when all its runs have ended and it counts.
const JUDGED: &str = "<bdi>counts</bdi>";

#[test]
fn the_organiser_records_a_seen_change_while_the_site_runs() {
    let folder = Folder::new();
    let referee = "game = \"external\"\n[referee]\ncommand = \"referee\"\nprotocol = \"exit\"\n";
    let board = "[[board]]\nname = \"A\"\nfile = \"a.txt\"\n";
    folder.file("club/a.txt", "x");
    let own = entry("house", &["./own"]);
    folder.file("club/contest.toml", format!("name = \"club\"\nlimit = \"10s\"\n{referee}{board}{own}"));
    folder.script("club/own", "echo 42");
    folder.script("club/referee", "exit 0");
    let added = folder.judge(["team", "add", "club", "ada", "bob"]).exits(0).stdout;
    let tokens = tokens_of(&added);
    let site = Site::start(&folder, &[]);
    let (ada, bob) = (site.with(&tokens[0]), site.with(&tokens[1]));
    let organiser = site.with(site.organiser.as_ref().unwrap());
    let page = ada.submit("solve.sh", "echo 41\n");
    ada.until(&page, JUDGED);
    assert_eq!(ada.get("/office/rejudging").code, 404);
    assert_eq!(ada.post_form("/office/rejudging", "action=ask").code, 404);
    let change = |action: &str| organiser.post_form("/office/rejudging", &format!("action={action}"));
    assert_eq!(change("record").code, 422);

    folder.script("club/referee", r#"read -r a <"$2"; [ "$a" = 42 ] && exit 0; echo "<b>not $a"; exit 1"#);
    assert_eq!(change("ask").code, 303);
    let shown = organiser.until("/office/rejudging", "1 would change");
    assert!(shown.contains("ada.1 on A") && shown.contains("&lt;b&gt;not 41") && !shown.contains("<b>"), "{shown}");
    assert!(!ada.page(&page).contains("not 41"), "nothing is recorded");
    assert_eq!(change("record").code, 303);
    ada.until(&page, "not 41");
    organiser.until("/office/rejudging", "See what would change");
    // The running site judges by the new referee.
    let (good, bad) = (bob.submit("solve.sh", "echo 42\n"), ada.submit("solve.sh", "echo 40\n"));
    assert!(!bob.until(&good, JUDGED).contains("not "));
    ada.until(&bad, "not 40");
    site.stop();
    folder.judge(["verify", "club/results"]).exits(0);
}
