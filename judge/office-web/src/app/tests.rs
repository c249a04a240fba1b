//! Tests of wrong tokens from a shared address.

use axum::body::Body;
use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

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
async fn wrong_tokens_of_an_address_keep_no_right_one_out() {
    let folder = tempfile::tempdir().unwrap();
    let (site, _, token) = site(folder.path(), 1, |_| Ok(1 << 30));
    let link = site.app().office.open_registration(99).unwrap().to_string();
    let account = format!("/api/contests/{}/account", site.id());
    // For each way to enter: its address, the code for a right token, and the code for a wrong one.
    let ways = [
        ("/enter", StatusCode::SEE_OTHER, StatusCode::FORBIDDEN),
        ("/login", StatusCode::OK, StatusCode::FORBIDDEN),
        ("/register", StatusCode::OK, StatusCode::UNPROCESSABLE_ENTITY),
        (&*account, StatusCode::OK, StatusCode::UNAUTHORIZED),
    ];
    let shown = async |path: &str, token: &str, team: &str| {
        let (method, who, body) = match path {
            "/enter" => ("POST", "-".to_owned(), form(&[("token", token)])),
            "/login" => ("POST", "-".to_owned(), form(&[("user", "ada"), ("token", token)])),
            "/register" => ("POST", "-".to_owned(), form(&[("team", team), ("token", token)])),
            _ => ("GET", format!("Basic {}", STANDARD.encode(format!("ada:{token}"))), Body::empty()),
        };
        let name = if who == "-" { header::USER_AGENT } else { header::AUTHORIZATION };
        let (code, retry, text) = ask(&site, request(method, path, (name, &who), body)).await;
        assert_eq!(retry.is_some(), code == StatusCode::TOO_MANY_REQUESTS, "{path}: {text}");
        code
    };
    for (path, right, wrong) in ways {
        site.app().failures.lock().unwrap().counts.clear();
        for guess in 0..MAX_FAILURES {
            assert_eq!(shown(path, &guess.to_string(), "guest").await, wrong, "{path}");
        }
        assert_eq!(shown(path, "one more", "guest").await, StatusCode::TOO_MANY_REQUESTS, "{path}");
        let token = if path == "/register" { &link } else { &token };
        for team in ["bob", "cleo"] {
            assert_eq!(shown(path, token, team).await, right, "{path}");
        }
        assert_eq!(shown(path, "another", "guest").await, StatusCode::TOO_MANY_REQUESTS, "{path}");
    }
}

#[test]
fn an_identifier_has_only_what_clients_take() {
    for (folder, id) in [("/x/club", "club"), ("/x/a b", "a-b"), ("/", "contest"), ("/x/..y.", "y")] {
        assert_eq!(identifier(Path::new(folder)), id, "{folder}");
    }
}
