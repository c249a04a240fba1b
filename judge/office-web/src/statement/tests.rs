//! Tests of statements: their readers, their times, and their formats.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::to_bytes;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use judge_contest::office::{OfficeRules, Times};

use super::*;
use crate::tests::{CONTEST, NOW, ask, get, request, site_at};

#[tokio::test]
async fn a_statement_is_read_from_the_opening_on() {
    for (name, text) in [("about.md", "# Sums\n![x](http://a/b.png) <script>"), ("about.pdf", "%PDF-1.7 <script>")] {
        let (folder, opens) = (tempfile::tempdir().unwrap(), NOW + 60);
        let own = folder.path().join("p0");
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join(name), text).unwrap();
        fs::write(own.join("contest.toml"), format!("statement = \"{name}\"\n{CONTEST}")).unwrap();
        let now = Arc::new(AtomicU64::new(NOW));
        let clock = now.clone();
        let (site, cookie, team) = site_at(folder.path(), Arc::new(move || clock.load(Ordering::SeqCst)));
        let times = Times { opens: Some(opens), ..Times::default() };
        site.app().office.set_rules(&OfficeRules { times, ..OfficeRules::default() }).unwrap();
        let token = site.app().office.first_organiser().unwrap().unwrap().to_string();
        let (_, organiser) = site.app().log_in(&token, &site.app().state().unwrap()).unwrap();
        let page = async |path: &str, cookie: &str| {
            let (code, _, text) =
                ask(&site, request("GET", path, (header::COOKIE, cookie), axum::body::Body::empty())).await;
            (code, text)
        };
        let paths = ["/statement", if name == "about.pdf" { "/statement.pdf" } else { "/statement" }];
        for path in paths {
            for cookie in ["", &cookie] {
                assert_eq!(page(path, cookie).await.0, StatusCode::NOT_FOUND, "{path}");
            }
            assert_eq!(page(path, &organiser).await.0, StatusCode::OK, "{path}");
        }
        assert!(!page("/", &cookie).await.1.contains("Problem statement"));
        // Clients read it when people do.
        let basic = |name: &str, token: &str| format!("Basic {}", STANDARD.encode(format!("{name}:{token}")));
        let callers = [basic("ada", &team), basic("organiser", &token)];
        let by_clients = async |version: &str, caller: &str| {
            let asked = async |path: &str| {
                let path = format!("/api/{version}/contests/p0/problems/p0{path}");
                ask(&site, request("GET", &path, (header::AUTHORIZATION, caller), axum::body::Body::empty())).await
            };
            let problem: serde_json::Value = serde_json::from_str(&asked("").await.2).unwrap();
            let (code, _, file) = asked("/statement").await;
            assert_eq!(code == StatusCode::OK, problem.get("statement").is_some(), "{problem} {file}");
            assert!(code == StatusCode::OK || file.contains("\"code\":404"), "{file}");
            (problem["statement"].to_string(), file)
        };
        let listed =
            "[{\"filename\":\"p0.pdf\",\"href\":\"contests/p0/problems/p0/statement\",\"mime\":\"application/pdf\"}]";
        for version in ["2026-01", "2023-06"] {
            assert_eq!(by_clients(version, &callers[0]).await.0, "null");
            let (of_organiser, file) = by_clients(version, &callers[1]).await;
            let expected = if name == "about.pdf" { (listed, text) } else { ("null", &*file) };
            assert_eq!((&*of_organiser, &*file), expected);
        }
        now.store(opens, Ordering::SeqCst);
        if name == "about.pdf" {
            assert_eq!(by_clients("2026-01", &callers[0]).await, (listed.to_owned(), text.to_owned()));
        }
        let (home, alone) = (page("/", "").await.1, page("/statement", "").await.1);
        if name == "about.md" {
            for (text, heading) in [(&home, "<h3>Sums</h3>"), (&alone, "<h2>Sums</h2>")] {
                assert!(text.contains(heading) && text.contains("<p>x &lt;script&gt;</p>"), "{text}");
            }
            assert_eq!(page("/statement.pdf", "").await.0, StatusCode::NOT_FOUND);
            continue;
        }
        assert!(home.contains("href=\"statement.pdf\"") && alone.contains("href=\"statement.pdf\""), "{home} {alone}");
        let answer = get(&site, "/statement.pdf", "").await;
        let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("content-type"), "application/pdf");
        assert_eq!(header("content-disposition"), "attachment; filename=\"p0.pdf\"");
        assert_eq!((&*header("content-security-policy"), &*header("x-content-type-options")), (POLICY, "nosniff"));
        assert_eq!(to_bytes(answer.into_body(), 1 << 20).await.unwrap(), text.as_bytes());
    }
}
