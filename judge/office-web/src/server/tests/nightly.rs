//! Tests of players that wait for the time of day at which they play, while the site and its judging run. The test sets the clock.

use std::sync::atomic::Ordering;

use judge_contest::office::{Games, OfficeRules};

use super::twins::club::{Club, MATCHES};
use super::twins::{TEST_TIMEOUT, WATCHER, site_of};
use super::*;

/// Waits until the page of a submission contains a text, while another thread judges the contest.
async fn until(site: &Arc<Site>, cookie: &str, path: &str, wanted: &str) {
    let shown = async || {
        let asked = crate::tests::request("GET", path, (axum::http::header::COOKIE, cookie), axum::body::Body::empty());
        crate::tests::ask(site, asked).await.2
    };
    let waits = async {
        while !shown().await.contains(wanted) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    if tokio::time::timeout(TEST_TIMEOUT, waits).await.is_err() {
        panic!("{path} does not say {wanted}: {}", shown().await);
    }
}

/// While the site and its judging run, the clock reaches the time at which new players play, on two days.
#[tokio::test]
async fn each_day_at_its_time_the_players_that_came_before_it_play() {
    let club = Arc::new(Club::of(&MATCHES.replace("[office]\n", "[office]\ngames = \"03:00\"\n")));
    let day = 86_400;
    club.office.set_rules(&OfficeRules { games: Games::Daily(3 * 3600), ..OfficeRules::default() }).unwrap();
    let midnight = club.now.load(Ordering::SeqCst) / day * day + day;
    let at = |hours: u64| club.now.store(midnight + hours * 3600, Ordering::SeqCst);
    let token = club.office.add_team(WATCHER, None).unwrap();
    let (site, cookie) = site_of(&club, &token);
    at(0);
    let stop = Arc::new(judge_job::StopFlag::default());
    let judging = std::thread::spawn({
        let (club, stop) = (club.clone(), stop.clone());
        move || club.work_until(&stop, true)
    });
    let submit = |text: &str| {
        club.office.submit(&judge_office::Upload::new(WATCHER, "a.c", text.as_bytes()), None).unwrap();
    };
    // All games that were played, including those that no longer count.
    let games = || {
        let journal = std::fs::read_to_string(club.open_contest.results().join("journal.jsonl")).unwrap();
        journal.lines().filter(|line| line.starts_with("{\"line\":\"run\"")).count()
    };
    submit("first");
    let page = async |number: u32, wanted: &str| until(&site, &cookie, &format!("/submissions/{number}"), wanted).await;
    page(1, "it plays from 03:00 UTC on").await;
    // One second before the time.
    club.now.store(midnight + 3 * 3600 - 1, Ordering::SeqCst);
    submit("second one");
    page(2, "it plays from 03:00 UTC on").await;
    assert_eq!(games(), 0);
    at(3);
    page(2, "Counts").await;
    page(1, "counts instead").await;
    assert_eq!(games(), 2, "in both seats against the entry of the organiser");
    // A submission at that time or later plays on the next day, even if the clock skips far beyond the time.
    submit("third, longer");
    page(3, "it plays from 03:00 UTC on").await;
    at(26);
    page(2, "Counts").await;
    page(3, "it plays from 03:00 UTC on").await;
    assert_eq!(games(), 2);
    at(30);
    page(3, "Counts").await;
    assert_eq!(games(), 4, "no game is played twice");
    stop.request();
    judging.join().unwrap();
}
