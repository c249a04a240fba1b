//! Tests of uploads while the disk is full or a quota is used up.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http_body::Frame;
use judge_contest::office::{OfficeRules, Quotas};

use super::*;
use crate::answers::FULL;
use crate::tests::{NOW, Space, ask, request, site, site_at};

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
        let ways = [("/submit", (header::COOKIE, &*cookie)), (&*interface, (header::AUTHORIZATION, &*basic))];
        for (path, who) in ways {
            let (code, retry, text) = ask(&site, request("POST", path, who, Body::new(Unread))).await;
            assert_eq!((code, retry.as_deref()), (StatusCode::SERVICE_UNAVAILABLE, Some("60")), "{path}: {text}");
            assert!(text.contains(FULL), "{path}: {text}");
        }
        // Other requests of teams and visitors that write are also refused before their body is read.
        let mut forms = vec![
            (format!("/api/contests/{}/clarifications", site.id()), (header::AUTHORIZATION, &*basic)),
            ("/register".to_owned(), (header::COOKIE, "x=y")),
        ];
        for path in ["/clarifications", "/submissions/1/choose", "/submissions/1/cancel"] {
            forms.push((path.to_owned(), (header::COOKIE, &*cookie)));
        }
        let app = site.app();
        let problem = (problems > 1).then_some("p1");
        let upload = judge_office::Upload { problem, ..judge_office::Upload::new("ada", "a.c", b"int") };
        app.office.submit(&upload, Some(&app.open_contest.contents())).unwrap();
        for (path, who) in forms {
            let lines = || std::fs::read(judge_office::log::path_of(app.office.folder())).unwrap();
            let before = lines();
            let (code, retry, text) = ask(&site, request("POST", &path, who, Body::new(Unread))).await;
            assert_eq!((code, retry.as_deref()), (StatusCode::SERVICE_UNAVAILABLE, Some("60")), "{path}: {text}");
            assert!(text.contains(FULL) && lines() == before, "{path}: {text}");
        }
        let (code, _, text) = ask(&site, request("GET", "/readyz", (header::COOKIE, "x=y"), Body::empty())).await;
        assert_eq!((code, &*text), (StatusCode::SERVICE_UNAVAILABLE, "the disk is full\n"));
    }
    // With free space, or if it is unknown, the same upload is accepted.
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
    site.app().office.set_rules(&OfficeRules { limit, ..OfficeRules::default() }).unwrap();
    let basic = format!("Basic {}", STANDARD.encode(format!("ada:{token}")));
    let (interface, id) = (format!("/api/contests/{}/submissions", site.id()), site.app().id.clone());
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

#[tokio::test]
async fn a_team_that_asks_or_chooses_without_end_is_told_when_it_may_again() {
    let folder = tempfile::tempdir().unwrap();
    let (site, cookie, token) = site(folder.path(), 1, |_| Ok(1 << 30));
    let limit = Quotas { questions: Some(2), choices: Some(1), ..Quotas::default() };
    let rules = OfficeRules { limit, counts: judge_contest::office::Counts::Chosen, ..OfficeRules::default() };
    let office = &site.app().office;
    office.set_rules(&rules).unwrap();
    for text in [&b"int"[..], b"char"] {
        office.submit(&judge_office::Upload::new("ada", "a.c", text), None).unwrap();
    }
    let basic = format!("Basic {}", STANDARD.encode(format!("ada:{token}")));
    let (cookie, basic) = ((header::COOKIE, &*cookie), (header::AUTHORIZATION, &*basic));
    let sent = async |path: &str, who: &(header::HeaderName, &str), kind: &str, body: &str| {
        let mut request = request("POST", path, who.clone(), Body::from(body.to_owned()));
        request.headers_mut().insert(header::CONTENT_TYPE, kind.parse().unwrap());
        ask(&site, request).await
    };
    let form = "application/x-www-form-urlencoded";
    let (interface, question) = (format!("/api/contests/{}/clarifications", site.id()), r#"{"text": "why?"}"#);
    let used = (StatusCode::TOO_MANY_REQUESTS, Some("3600".to_owned()));
    assert_eq!(sent("/clarifications", &cookie, form, "text=why").await.0, StatusCode::SEE_OTHER);
    let asked = sent(&interface, &basic, "application/json", question).await;
    assert_eq!(asked.0, StatusCode::OK, "{}", asked.2);
    for refused in [
        sent("/clarifications", &cookie, form, "text=why").await,
        sent(&interface, &basic, "application/json", question).await,
    ] {
        assert_eq!((refused.0, refused.1), used, "{}", refused.2);
        assert!(refused.2.contains("too many questions: at most 2 questions in an hour"), "{}", refused.2);
    }
    assert_eq!(sent("/submissions/1/choose", &cookie, form, "").await.0, StatusCode::SEE_OTHER);
    let refused = sent("/submissions/2/choose", &cookie, form, "").await;
    assert_eq!((refused.0, refused.1), used, "{}", refused.2);
}

/// A request body that sets the clock to a time after its last byte.
struct Lasting {
    bytes: Option<Bytes>,
    clock: Arc<AtomicU64>,
    until: u64,
}

impl http_body::Body for Lasting {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = self.bytes.take();
        if bytes.is_some() {
            self.clock.store(self.until, Ordering::SeqCst);
        }
        Poll::Ready(bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

#[tokio::test]
async fn a_submission_arrives_with_its_last_byte_whichever_way_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(AtomicU64::new(NOW));
    let now = clock.clone();
    let (site, cookie, token) = site_at(folder.path(), Arc::new(move || now.load(Ordering::SeqCst)));
    let times = judge_contest::office::Times { closes: Some(NOW + 100), ..Default::default() };
    let office = &site.app().office;
    office.set_rules(&OfficeRules::default().with_round(1, times)).unwrap();
    let (interface, id) = (format!("/api/contests/{}/submissions", site.id()), site.app().id.clone());
    let field =
        |name: &str, value: &str| format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    let kattis = field("script", "true") + &field("problem", &id);
    let basic = format!("Basic {}", STANDARD.encode(format!("ada:{token}")));
    let json = |text: &str| {
        let zip = judge_office::intake::bundle(&[("a.c".to_owned(), text.into()), ("b.c".to_owned(), text.into())]);
        let data = STANDARD.encode(zip.unwrap().1);
        format!(r#"{{"problem_id": "{id}", "language_id": "c", "files": [{{"data": "{data}"}}]}}"#)
    };
    let forms = "multipart/form-data; boundary=b";
    let ways = [
        ("/submit", header::COOKIE, &cookie, forms, ""),
        ("/submit", header::COOKIE, &cookie, forms, &*kattis),
        (&*interface, header::AUTHORIZATION, &basic, forms, ""),
        (&*interface, header::AUTHORIZATION, &basic, "application/json", ""),
    ];
    for (until, late) in [(NOW + 99, false), (NOW + 100, true), (NOW + 150, true)] {
        for (way, (path, name, value, kind, fields)) in (0..).zip(&ways) {
            // The head arrived in time.
            clock.store(NOW + 98, Ordering::SeqCst);
            let text = format!("int v{way}_{until};");
            let body = match *kind {
                "application/json" => json(&text),
                _ => (*fields).to_owned() + &FORM.replace("int", &text),
            };
            let body = Body::new(Lasting { bytes: Some(body.into()), clock: clock.clone(), until });
            let mut request = request("POST", path, (name.clone(), value), body);
            request.headers_mut().insert(header::CONTENT_TYPE, kind.parse().unwrap());
            let (code, _, answer) = ask(&site, request).await;
            assert!(code.is_success() || code == StatusCode::SEE_OTHER, "{path} {kind}: {code} {answer}");
            let state = office.state().unwrap();
            let (at, last) = state.submissions().last().unwrap();
            assert_eq!((*at, last.late), (until, late), "{path} {kind}");
        }
    }
    assert_eq!(office.state().unwrap().submissions().len(), 12);
}

#[tokio::test]
async fn final_results_take_no_submission_whichever_way_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    let (site, cookie, token) = site(folder.path(), 1, |_| Ok(1 << 30));
    let basic = format!("Basic {}", STANDARD.encode(format!("ada:{token}")));
    let interface = format!("/api/contests/{}/submissions", site.id());
    site.app().office.finalise(None).unwrap();
    for (path, who) in [("/submit", (header::COOKIE, &*cookie)), (&*interface, (header::AUTHORIZATION, &*basic))] {
        let (code, _, text) = ask(&site, request("POST", path, who, Body::from(FORM))).await;
        assert_eq!(code, StatusCode::FORBIDDEN, "{path}: {text}");
        assert!(text.contains("the results are final since"), "{path}: {text}");
    }
    let (code, _, text) = ask(&site, request("GET", "/submit", (header::COOKIE, &cookie), Body::empty())).await;
    assert!(code == StatusCode::OK && text.contains("the results are final since"), "{text}");
    assert_eq!(site.app().office.state().unwrap().submissions().len(), 0);
}

#[tokio::test]
async fn a_site_whose_judging_has_stopped_is_not_ready_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (site, cookie, _) = site(folder.path(), 1, |_| Ok(1 << 30));
    let ready = async || ask(&site, request("GET", "/readyz", (header::COOKIE, "x=y"), Body::empty())).await;
    assert_eq!(ready().await.0, StatusCode::OK);
    site.app().judging.stalls("/secret/results: no space left on device");
    site.app().judging.notes(vec!["the program of a <b> has changed".into()]);
    let (code, _, text) = ready().await;
    assert_eq!(code, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(text, "judging has stopped and is tried again; the organiser's page says why\n");
    assert_eq!(ask(&site, request("GET", "/healthz", (header::COOKIE, "x=y"), Body::empty())).await.0, StatusCode::OK);
    // Only the organiser sees the path.
    let organiser = site.app().office.first_organiser().unwrap().unwrap().to_string();
    let (_, own) = site.app().log_in(&organiser, &site.app().state().unwrap()).unwrap();
    let own = own.split(';').next().unwrap();
    let page = async |who: &str| ask(&site, request("GET", "/office", (header::COOKIE, who), Body::empty())).await;
    assert!(page(own).await.2.contains("/secret/results"));
    assert!(page(own).await.2.contains("Notice: the program of a &lt;b&gt; has changed"));
    assert_eq!(page(&cookie).await.0, StatusCode::NOT_FOUND);
}
