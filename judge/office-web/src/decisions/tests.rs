//! Tests that decisions are recorded with the organiser who made them.

use std::fs;

use axum::body::Body;
use axum::http::header;

use super::*;
use crate::tests::{ask, request, site};

/// A form with these fields.
fn form(fields: &[(&str, &str)]) -> Body {
    let part = |(name, value): &(&str, &str)| {
        format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    Body::from(fields.iter().map(part).collect::<String>() + "--b--\r\n")
}

#[tokio::test]
async fn each_organiser_decides_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let (site, team, _) = site(folder.path(), 1, |_| Ok(1 << 30));
    let app = site.app();
    let first = app.office.first_organiser().unwrap().unwrap().to_string();
    let cookie_of = |token: &str| app.log_in(token, &app.state().unwrap()).map(|(_, cookie)| cookie);
    let first = cookie_of(&first).unwrap();
    let post = async |path: &str, cookie: &str, fields: &[(&str, &str)]| {
        let (code, _, text) = ask(&site, request("POST", path, (header::COOKIE, cookie), form(fields))).await;
        (code.as_u16(), text)
    };
    let add = [("organiser", "max"), ("action", "renew")];
    assert_eq!(post("/office/organisers", &team, &add).await.0, 404, "teams have no such page");
    let (code, page) = post("/office/organisers", &first, &add).await;
    let token = page.split_once("/enter#").map(|(_, rest)| rest[..43].to_owned()).expect("a link");
    assert_eq!(code, 200);
    let max = cookie_of(&token).unwrap();
    let (code, _, page) = ask(&site, request("GET", "/office/teams", (header::COOKIE, &max), Body::empty())).await;
    assert!(code == StatusCode::OK && page.contains("<span><bdi>max</bdi></span>"), "{page}");
    // Decisions of the office, of the contest, and without an author.
    for (path, fields) in [
        ("/office/freeze", &[][..]),
        ("/office/contest", &[("action", "strike"), ("name", "X"), ("because", "a misprint")]),
        ("/office/clarifications", &[("action", "notice"), ("text", "Lunch.")]),
    ] {
        assert_eq!(post(path, &max, fields).await.0, 303, "{path}");
    }
    assert_eq!(post("/office/thaw", &first, &[]).await.0, 303);
    assert_eq!(post("/clarifications", &team, &[("text", "When?")]).await.0, 303);
    assert_eq!(post("/office/clarifications", &max, &[("action", "claim"), ("question", "2")]).await.0, 303);
    let (_, _, page) = ask(&site, request("GET", "/clarifications", (header::COOKIE, &first), Body::empty())).await;
    assert!(page.contains("<bdi>max</bdi> is about to answer it"), "{page}");
    let log = fs::read_to_string(judge_office::log::path_of(app.office.folder())).unwrap();
    let by = |what: &str| {
        let line = log.lines().rev().find(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}: {log}"));
        let name = line.split_once("\"by\":\"").and_then(|(_, rest)| rest.split('"').next());
        name.map(str::to_owned)
    };
    let max_decided = || Some("max".to_owned());
    for (what, expected) in [
        ("\"event\":\"frozen\"", max_decided()),
        ("a misprint", max_decided()),
        ("Lunch.", max_decided()),
        ("\"event\":\"thawed\"", Some("organiser".to_owned())),
        ("\"from\":\"ada\"", None),
    ] {
        assert_eq!(by(what), expected, "{what}");
    }
    // Another process reads the log as before.
    let again = judge_office::Office::open(app.office.folder(), std::sync::Arc::new(|| crate::tests::NOW)).unwrap();
    assert!(again.state().unwrap().frozen().is_none());
    let contents = judge_core::journal::read(app.open_contest.results()).unwrap();
    assert_eq!(contents.struck["X"], "a misprint");
    let remove = |name: &'static str| [("organiser", name), ("action", "remove")];
    assert_eq!(post("/office/organisers", &first, &remove("max")).await.0, 200);
    assert!(cookie_of(&token).is_none());
    assert_eq!(post("/office/freeze", &max, &[]).await.0, 404);
    let (code, page) = post("/office/organisers", &first, &remove("organiser")).await;
    assert!(code == 422 && page.contains("only organiser"), "{page}");
}
