//! Uploads while the disk is full.

use std::convert::Infallible;
use std::fs;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http_body::Frame;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use judge_contest::conduct::{Beginning, Conduct};
use judge_contest::{Contest, Overrides};
use judge_office::judging::results_of;
use judge_office::{FOLDER, Office};

use super::*;
use crate::app::Part;
use crate::options::{Options, Problem};
use crate::router;
use crate::site::{Site, problem_id};

const CONTEST: &str = "name = \"test\"\ngame = \"loyd\"\nlimit = \"10s\"\n[[board]]\nname = \"X\"\nfile = \"x.txt\"\n\
                       [[entry]]\nname = \"house\"\ncommand = \"house/solve\"\n";
const ADDRESS: &str = "127.0.0.1:1";
const FORM: &str = "--b\r\nContent-Disposition: form-data; name=\"code\"; filename=\"a.c\"\r\n\r\nint\r\n--b--\r\n";

/// How much space a disk has.
type Space = fn(&Path) -> io::Result<u64>;

/// A contest with an office in a new folder.
fn problem(folder: &Path) -> Problem {
    fs::create_dir_all(folder.join("house")).unwrap();
    fs::create_dir_all(results_of(folder)).unwrap();
    for (name, text) in
        [("x.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT"), ("house/solve", "#!/bin/sh\n"), ("contest.toml", CONTEST)]
    {
        fs::write(folder.join(name), text).unwrap();
    }
    let contest = Contest::load(folder, &Overrides::default()).unwrap();
    let with = Beginning { contest_file: "../contest.toml".into(), ..Beginning::default() };
    let conduct = Conduct::begin(contest, &results_of(folder), with, || None).unwrap();
    let office = Office::create(&folder.join(FOLDER), Arc::new(|| 1_795_435_200)).unwrap();
    Problem { office: Arc::new(office), conduct: Arc::new(conduct), judging: judge_office::judging::Handle::default() }
}

/// A site of so many problems on a disk with so much space, with its team's cookie and token.
fn site(folder: &Path, problems: usize, space: Space) -> (Arc<Site>, String, String) {
    let mut problems = (0..problems).map(|number| problem(&folder.join(format!("p{number}"))));
    let (first, listen) = (problems.next().unwrap(), ADDRESS.parse().unwrap());
    let token = first.office.add_team("ada", None).unwrap().to_string();
    let others: Vec<Problem> = problems.collect();
    let part = Part { id: problem_id(&first), number: 0, of: 1 + others.len() };
    let options =
        Options { listen, public_url: None, proxies: Vec::new(), feedback: None, name: None, processor: None };
    let mut app = App::new(first, part, options, Arc::new(|_: &str| {})).unwrap();
    app.space = space;
    let (_, cookie) = app.enter(&token, &app.state().unwrap()).unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    (Arc::new(Site::new(app, others).unwrap()), cookie, token)
}

/// A request body that panics when it is read.
struct Unread;

impl http_body::Body for Unread {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        panic!("the upload is read")
    }
}

/// The code, the time after which to try again, and the text of the answer to a request.
async fn ask(site: &Arc<Site>, request: Request) -> (StatusCode, Option<String>, String) {
    let service = TowerToHyperService::new(router::router(site));
    let answer = service.call(request).await.unwrap();
    let retry = answer.headers().get(header::RETRY_AFTER).map(|retry| retry.to_str().unwrap().to_owned());
    let (head, body) = answer.into_parts();
    (head.status, retry, String::from_utf8(to_bytes(body, 1 << 20).await.unwrap().to_vec()).unwrap())
}

fn request(method: &str, path: &str, who: (header::HeaderName, &str), body: Body) -> Request {
    let head = Request::builder().method(method).uri(path).header(header::HOST, ADDRESS).header(who.0, who.1);
    head.header(header::CONTENT_TYPE, "multipart/form-data; boundary=b").body(body).unwrap()
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
