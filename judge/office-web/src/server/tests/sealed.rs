//! Tests that the pages of a team hide the results of sealed rounds and of a frozen board.

use judge_contest::office::{OfficeRules, SealedFeedback};

use super::twins::club::{self, Club};
use super::twins::{WATCHER, site_of};
use super::*;

/// The pages of a team about its submissions.
async fn pages_of_team(site: &Arc<Site>, cookie: &str) -> Vec<String> {
    let mut pages = Vec::new();
    for path in ["/mine", "/submissions/1", "/submissions/1?json"] {
        let asked = crate::tests::request("GET", path, (axum::http::header::COOKIE, cookie), axum::body::Body::empty());
        let (code, _, text) = crate::tests::ask(site, asked).await;
        assert_eq!(code, axum::http::StatusCode::OK, "{path}: {text}");
        pages.push(text);
    }
    pages
}

/// If a contest hides sealed rounds, a team sees neither that it is in the final, nor how far the final is judged.
#[tokio::test]
async fn no_page_of_a_team_counts_the_runs_of_a_sealed_round() {
    let rounds = "[[round]]\nname = \"First\"\nboards = [\"X\"]\n[[round]]\nname = \"Final\"\nboards = [\"Y\"]\n";
    let club = Club::of(&[club::CONTEST, rounds].concat());
    let token = club.office.add_team(WATCHER, None).unwrap();
    let (site, cookie) = site_of(&club, &token);
    let sealed = |sealed| club.office.set_rules(&OfficeRules { sealed, ..OfficeRules::default() }).unwrap();
    club.office.submit(&judge_office::Upload::new(WATCHER, "a.c", b"lluu"), None).unwrap();
    club.work();
    let pages = async || pages_of_team(&site, &cookie).await;
    sealed(SealedFeedback::Nothing);
    let before = pages().await;
    club.office.begin_finals().unwrap();
    club.open_contest.open_next_round().unwrap();
    assert_eq!(pages().await, before);
    sealed(SealedFeedback::Code);
    assert!(pages().await[0].contains("Running, 1 of 2"), "the contest shows it");
}

/// By default, a team sees the verdicts on sealed boards. It does not see them while the board is frozen, because the entrants of
/// the final depend on hidden results.
#[tokio::test]
async fn no_page_of_a_team_shows_a_round_that_opens_while_the_board_is_frozen() {
    let rounds = "[[round]]\nname = \"First\"\nboards = [\"X\"]\n[[round]]\nname = \"Final\"\nboards = [\"Y\"]\n";
    let club = Club::of(&[club::CONTEST, rounds].concat());
    let token = club.office.add_team(WATCHER, None).unwrap();
    let (site, cookie) = site_of(&club, &token);
    club.office.submit(&judge_office::Upload::new(WATCHER, "a.c", b"lluu"), None).unwrap();
    club.work();
    club.office.freeze().unwrap();
    let before = pages_of_team(&site, &cookie).await;
    club.office.begin_finals().unwrap();
    club.work();
    assert_eq!(pages_of_team(&site, &cookie).await, before);
    club.office.thaw().unwrap();
    assert!(pages_of_team(&site, &cookie).await[1].contains("sealed: solved"), "the contest shows it");
}
