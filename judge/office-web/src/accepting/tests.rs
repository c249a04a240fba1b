//! Uploads while the disk is full, or a quota is used up.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http_body::Frame;
use judge_contest::office::{OfficeRules, Quotas};

use super::*;
use crate::trial::{Space, ask, request, site};

const FORM: &str = "--b\r\nContent-Disposition: form-data; name=\"code\"; filename=\"a.c\"\r\n\r\nint\r\n--b--\r\n";

/// A request body that panics when it is read.
struct Unread;

impl http_body::Body for Unread {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        panic!("the upload is read")
    }
}

#[tokio::test]
async fn a_full_disk_refuses_an_upload_unread() {
    let folder = tempfile::tempdir().unwrap();
    for problems in [1, 2] {
        let (site, cookie, token) = site(&folder.path().join(format!("full{problems}")), problems, |_| Ok(60 << 20));
        let basic = format!("Basic {}", STANDARD.encode(format!("ada:{token}")));
        let interface = format!("/api/contests/{}/submissions", site.id());
        let mut ways = vec![("/submit", (header::COOKIE, &*cookie)), (&*interface, (header::AUTHORIZATION, &*basic))];
        if problems > 1 {
            ways.push(("/problems/p1/submit", (header::COOKIE, &*cookie)));
        }
        for (path, who) in ways {
            let (code, retry, text) = ask(&site, request("POST", path, who, Body::new(Unread))).await;
            assert_eq!((code, retry.as_deref()), (StatusCode::SERVICE_UNAVAILABLE, Some("60")), "{path}: {text}");
            assert!(text.contains(FULL), "{path}: {text}");
        }
        let (code, _, text) = ask(&site, request("GET", "/readyz", (header::COOKIE, "x=y"), Body::empty())).await;
        assert_eq!((code, &*text), (StatusCode::SERVICE_UNAVAILABLE, "the disk is full\n"));
    }
    // With room, and where the free space is unknown, the same is accepted.
    let enough: [(&str, Space); 2] =
        [("room", |_| Ok(64 << 20)), ("unknown", |_| Err(io::Error::other("no such call")))];
    for (name, space) in enough {
        let (site, cookie, _) = site(&folder.path().join(name), 1, space);
        let sent = request("POST", "/submit", (header::COOKIE, &cookie), Body::from(FORM));
        let (code, _, text) = ask(&site, sent).await;
        assert_eq!(code, StatusCode::SEE_OTHER, "{name}: {text}");
    }
}

#[tokio::test]
async fn a_used_up_quota_names_the_time_to_every_client() {
    let folder = tempfile::tempdir().unwrap();
    let (site, cookie, token) = site(folder.path(), 1, |_| Ok(1 << 30));
    let limit = Quotas { every: Some(600), ..Quotas::default() };
    site.first().office.set_rules(&OfficeRules { limit, ..OfficeRules::default() }).unwrap();
    let basic = format!("Basic {}", STANDARD.encode(format!("ada:{token}")));
    let (interface, id) = (format!("/api/contests/{}/submissions", site.id()), site.first().part.id.clone());
    let field =
        |name: &str, value: &str| format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    let kattis = field("script", "true") + &field("problem", &id);
    let (cookie, basic) = ((header::COOKIE, &*cookie), (header::AUTHORIZATION, &*basic));
    let (code, _, text) =
        ask(&site, request("POST", "/submit", cookie.clone(), Body::from(kattis.clone() + FORM))).await;
    assert_eq!(code, StatusCode::OK, "{text}");
    let another = FORM.replace("int", "char");
    for (path, who, fields) in [("/submit", &cookie, &*kattis), ("/submit", &cookie, ""), (&interface, &basic, "")] {
        let body = Body::from(fields.to_owned() + &another);
        let (code, retry, text) = ask(&site, request("POST", path, who.clone(), body)).await;
        assert_eq!((code, retry.as_deref()), (StatusCode::TOO_MANY_REQUESTS, Some("600")), "{path}: {text}");
    }
}
