//! Every page of the office, on every screen, in both colour schemes, and for each kind of visitor.

use super::*;
use crate::site::several;

/// Opens these pages below an address one after the other, and checks each.
#[track_caller]
fn assert_all_fine(page: &Page, base: &str, paths: &str) {
    for path in paths.split(' ') {
        page.goto(&format!("{base}{path}"));
        assert_fine(page, path, None);
    }
}

/// Hands in a program by command.
fn hand_in(folder: &Folder, contest: &str, team: &str, text: &str) {
    folder.file("main.c", text);
    folder.judge(["office", "submit", contest, team, "main.c"]).exits(0);
}

const PUBLIC: &str = "/ /enter /board /board?big /clarifications /register /nowhere";
const TEAM: &str = "/submit /mine /submissions/1 /submissions/2 /submissions/2/replay /submissions/2/answers/NEAR /submissions/9 /clarifications";
const OFFICE: &str = "/office /office/submissions /office/submissions/2/diff/1 /office/submissions/3/diff/2 /office/teams /office/log /office/clock /office/rejudging /clarifications /submissions/1 /submissions/2 /submissions/2/replay /submit";

/// A contest with submissions of every kind, questions, an answer and a notice: all of them judged.
fn used() -> (Folder, Vec<String>, Site) {
    let (folder, tokens) = evening();
    let rounds =
        "\n[[round]]\nname = \"Evening\"\nboards = [\"NEAR\"]\n[[round]]\nname = \"Final\"\nboards = [\"TURN\"]\n";
    folder.file("club/contest.toml", folder.read("club/contest.toml") + rounds);
    let broken = format!("#include <stdio.h>\n{BROKEN}\n");
    hand_in(&folder, "club", "ada", &broken);
    hand_in(&folder, "club", "ada", &format!("/* {} */\n{SOLVES}\n", "a long line ".repeat(40)));
    hand_in(&folder, "club", "ada", SHORT);
    hand_in(&folder, "club", "bob", SOLVES);
    folder.judge(["office", "judge", "club"]).exits(0);
    folder.judge(["office", "hold", "club", "4", "--because", "one moment"]).exits(0);
    folder.judge(["office", "notice", "club", "Lunch is ready."]).exits(0);
    folder.judge(["office", "disqualify", "club", "cleo", "--because", "it copied ada.2"]).exits(0);
    folder.judge(["office", "extend", "club", "--closes", "2999-01-01T00:00:00Z", "--because", "rain"]).exits(0);
    let site = Site::start(&folder, &[]);
    (folder, tokens, site)
}

#[test]
fn pages_for_everybody_are_fine() {
    let (folder, _, site) = used();
    let base = format!("http://{}", site.address);
    let page = Page::open_at(&base);
    assert_all_fine(&page, &base, PUBLIC);
    page.goto(&format!("{base}/enter"));
    page.find("#token").run("arguments[0].value = 'not-a-token'");
    page.named("main button", "button", "Enter").click();
    page.wait("return document.querySelector('.refused') !== null && document.readyState === 'complete'");
    assert_fine(&page, "a wrong token", None);
    folder.judge(["office", "freeze", "club"]).exits(0);
    page.goto(&format!("{base}/board"));
    page.wait("return document.querySelector('.frozen') !== null");
    assert_all_fine(&page, &base, "/board /board?big /");
    folder.judge(["office", "thaw", "club"]).exits(0);
    folder.judge(["office", "finalize", "club", "--yes"]).exits(0);
    page.goto(&format!("{base}/board"));
    page.wait("return document.querySelector('.frozen') === null");
    assert_all_fine(&page, &base, "/reveal /reveal?step=1 /reveal?step=99 /");
}

#[test]
fn pages_for_teams_are_fine() {
    let (_folder, tokens, site) = used();
    let base = format!("http://{}", site.address);
    let page = Page::open_at(&base);
    enter(&page, &site, &tokens[0]);
    assert_all_fine(&page, &base, TEAM);
    page.goto(&format!("{base}/submissions/2/answers/TURN"));
    assert!(page.find("main").text().contains("there is no such submission"), "its board is sealed");
    page.goto(&format!("{base}/clarifications"));
    page.find("#text").run("arguments[0].value = 'May I guess?'");
    page.named("main button", "button", "Ask").click();
    page.wait("return document.body.innerText.includes('Your question')");
    assert_fine(&page, "an own question", None);
    // Without a file it is refused.
    page.goto(&format!("{base}/submit"));
    page.run("document.querySelector('#files').required = false");
    page.named("main button", "button", "Submit").click();
    page.wait("return document.querySelector('.refused') !== null && document.readyState === 'complete'");
    assert_fine(&page, "a refused submission", None);
}

#[test]
fn pages_for_the_organiser_are_fine() {
    let (folder, tokens, site) = used();
    let base = format!("http://{}", site.address);
    let page = Page::open_at(&base);
    enter(&page, &site, &tokens[1]);
    page.goto(&format!("{base}/clarifications"));
    page.find("#text").run("arguments[0].value = 'May I guess?'");
    page.named("main button", "button", "Ask").click();
    page.wait("return document.body.innerText.includes('Your question')");
    enter(&page, &site, site.organiser.as_ref().unwrap());
    assert_all_fine(&page, &base, OFFICE);
    let diff = "return document.querySelector('main pre').innerText";
    page.goto(&format!("{base}/office/submissions/3/diff/2"));
    let lines = page.run(diff);
    assert!(lines.as_str().unwrap().lines().any(|line| line.starts_with("- ")), "{lines}");
    page.goto(&format!("{base}/office/teams"));
    page.named("main button", "button", "New link for cleo").click();
    page.wait("return document.querySelector('code.link') !== null && document.readyState === 'complete'");
    assert_fine(&page, "a new link", None);
    page.goto(&format!("{base}/office/rejudging"));
    page.named("main button", "button", "See what would change").click();
    page.wait(
        "return document.body.innerText.includes('Asked') || document.body.innerText.includes('were refereed again')",
    );
    page.wait("return document.body.innerText.includes('were refereed again')");
    assert_fine(&page, "what would change", None);
    folder.judge(["office", "begin-finals", "club", "--yes"]).exits(0);
    assert_all_fine(&page, &base, "/office/clock /submissions/2");
}

#[test]
fn pages_of_several_problems_are_fine() {
    let (folder, tokens) = club(&["ada", "bob"]);
    several(
        &folder,
        "Two problems",
        &[("club", "Club"), ("second", "A second problem with a long name, as they have")],
    );
    for text in [BROKEN, SOLVES, SHORT] {
        folder.file("main.c", text);
        folder.judge(["office", "submit", "club", "ada", "main.c", "--problem", "club"]).exits(0);
    }
    folder.judge(["office", "judge", "club"]).exits(0);
    let site = Site::start(&folder, &[]);
    let base = format!("http://{}", site.address);
    let page = Page::open_at(&base);
    let open = "/ /board /board?big /nowhere /problems/club/ /problems/second/board /clarifications";
    assert_all_fine(&page, &base, open);
    enter(&page, &site, &tokens[0]);
    assert_all_fine(&page, &base, open);
    assert_all_fine(&page, &base, "/submit /mine /submissions/2 /submissions/2/replay");
    enter(&page, &site, site.organiser.as_ref().unwrap());
    assert_all_fine(&page, &base, open);
    assert_all_fine(&page, &base, "/office /office/submissions /office/teams /office/clock");
    assert_all_fine(&page, &base, "/office/rejudging /office/submissions/3/diff/2 /office/log");
    // The page of differences exists and has its contents.
    page.goto(&format!("{base}/office/submissions/3/diff/2"));
    assert!(page.find("main pre").text().contains("- "), "{}", page.find("main").text());
}
