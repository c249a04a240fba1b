//! A small site for tests: contests of one board, without processes, whose requests are function calls.

use std::fs;
use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use judge_contest::conduct::{Beginning, Conduct};
use judge_contest::{Contest, Overrides};
use judge_office::judging::results_of;
use judge_office::{Clock, FOLDER, Office};

use crate::app::{AccessLog, App, Part};
use crate::options::{Options, Problem};
use crate::router;
use crate::site::{Site, problem_id};

pub(crate) const CONTEST: &str = "name = \"test\"\ngame = \"loyd\"\nlimit = \"10s\"\n[[board]]\nname = \"X\"\nfile = \"x.txt\"\n\
                       [[entry]]\nname = \"house\"\ncommand = \"house/solve\"\n";
pub(crate) const ADDRESS: &str = "127.0.0.1:1";
/// The time of the clock, unless a test sets it.
pub(crate) const NOW: u64 = 1_795_435_200;

/// A function that returns the free space of a disk.
pub(crate) type Space = fn(&Path) -> io::Result<u64>;

/// A contest with an office in a folder. Files that are there stay as they are.
fn problem(folder: &Path, clock: Clock) -> Problem {
    fs::create_dir_all(folder.join("house")).unwrap();
    fs::create_dir_all(results_of(folder)).unwrap();
    for (name, text) in
        [("x.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT"), ("house/solve", "#!/bin/sh\n"), ("contest.toml", CONTEST)]
    {
        if !folder.join(name).exists() {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    let contest = Contest::load(folder, &Overrides::default()).unwrap();
    let with = Beginning { contest_file: "../contest.toml".into(), ..Beginning::default() };
    let conduct = Conduct::begin(contest, &results_of(folder), with, || None).unwrap();
    let office = Office::create(&folder.join(FOLDER), clock).unwrap();
    Problem { office: Arc::new(office), conduct: Arc::new(conduct), judging: judge_office::judging::Handle::default() }
}

/// A site with this number of problems on a disk with this space, with its team's cookie and token.
pub(crate) fn site(folder: &Path, problems: usize, space: Space) -> (Arc<Site>, String, String) {
    site_behind(folder, problems, space, Vec::new())
}

/// A site with this number of problems on a disk with this space, behind proxies, with its team's cookie and token.
pub(crate) fn site_behind(
    folder: &Path,
    problems: usize,
    space: Space,
    proxies: Vec<IpAddr>,
) -> (Arc<Site>, String, String) {
    made(folder, problems, space, proxies, Arc::new(|| NOW))
}

/// A site of one problem whose clock the test sets.
pub(crate) fn site_at(folder: &Path, clock: Clock) -> (Arc<Site>, String, String) {
    made(folder, 1, |_| Ok(1 << 30), Vec::new(), clock)
}

fn made(
    folder: &Path,
    problems: usize,
    space: Space,
    proxies: Vec<IpAddr>,
    clock: Clock,
) -> (Arc<Site>, String, String) {
    let mut problems = (0..problems).map(|number| problem(&folder.join(format!("p{number}")), clock.clone()));
    let (first, listen) = (problems.next().unwrap(), ADDRESS.parse().unwrap());
    let token = first.office.add_team("ada", None).unwrap().to_string();
    let others: Vec<Problem> = problems.collect();
    let part = Part { id: problem_id(&first), number: 0, of: 1 + others.len() };
    let options = Options { listen, public_url: None, proxies, feedback: None, name: None, processor: None };
    let log = AccessLog { line: Arc::new(|_: &str| {}), dropped: Arc::new(|| 0) };
    let mut app = App::new(first, part, options, log).unwrap();
    app.space = space;
    let (_, cookie) = app.enter(&token, &app.state().unwrap()).unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    (Arc::new(Site::new(app, others).unwrap()), cookie, token)
}

/// The answer to a GET with a cookie.
pub(crate) async fn get(site: &Arc<Site>, path: &str, cookie: &str) -> axum::response::Response<Body> {
    let service = TowerToHyperService::new(router::router(site));
    service.call(request("GET", path, (header::COOKIE, cookie), Body::empty())).await.unwrap()
}

/// The code, the time after which to retry, and the text of the answer to a request.
pub(crate) async fn ask(site: &Arc<Site>, request: Request) -> (StatusCode, Option<String>, String) {
    let service = TowerToHyperService::new(router::router(site));
    let answer = service.call(request).await.unwrap();
    let retry = answer.headers().get(header::RETRY_AFTER).map(|retry| retry.to_str().unwrap().to_owned());
    let (head, body) = answer.into_parts();
    (head.status, retry, String::from_utf8(to_bytes(body, 1 << 20).await.unwrap().to_vec()).unwrap())
}

pub(crate) fn request(method: &str, path: &str, who: (header::HeaderName, &str), body: Body) -> Request {
    let head = Request::builder().method(method).uri(path).header(header::HOST, ADDRESS).header(who.0, who.1);
    head.header(header::CONTENT_TYPE, "multipart/form-data; boundary=b").body(body).unwrap()
}
