//! A small site for tests. Its contests start no processes, and its requests are function calls.

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
use judge_contest::open_contest::{OpenContest, StartOptions};
use judge_contest::{Contest, Overrides};
use judge_office::judging::{Handle, results_of};
use judge_office::{Clock, FOLDER, Office};

use crate::app::{AccessLog, App};
use crate::options::{self, Options};
use crate::router;
use crate::site::Site;

pub(crate) const CONTEST: &str = "name = \"test\"\ngame = \"loyd\"\nlimit = \"10s\"\n[[board]]\nname = \"X\"\nfile = \"x.txt\"\n\
                       [[entry]]\nname = \"house\"\ncommand = \"house/solve\"\n";
pub(crate) const ADDRESS: &str = "127.0.0.1:1";
/// The time of the clock, unless a test sets it.
pub(crate) const NOW: u64 = 1_795_435_200;

/// A function that returns the free space of a disk.
pub(crate) type Space = fn(&Path) -> io::Result<u64>;

/// A contest of several problems, `p0` and so on, each with one board.
fn several(problems: usize) -> String {
    let problem = |number| {
        format!("[[problem]]\nid = \"p{number}\"\ngame = \"loyd\"\n[[problem.board]]\nname = \"X\"\nfile = \"x.txt\"\n")
    };
    let problems: String = (0..problems).map(problem).collect();
    format!("name = \"test\"\nlimit = \"10s\"\n{problems}[[entry]]\nname = \"house\"\ncommand = \"house/solve\"\n")
}

/// A site of a contest with this number of problems in the folder `p0`, on a disk with this space. Returns it with its team's
/// cookie and token.
pub(crate) fn site(folder: &Path, problems: usize, space: Space) -> (Arc<Site>, String, String) {
    made(folder, problems, space, Vec::new(), Arc::new(|| NOW))
}

/// A site on a disk with this space, behind proxies. Returns it with its team's cookie and token.
pub(crate) fn site_behind(folder: &Path, space: Space, proxies: Vec<IpAddr>) -> (Arc<Site>, String, String) {
    made(folder, 1, space, proxies, Arc::new(|| NOW))
}

/// A site of one problem whose clock the test sets.
pub(crate) fn site_at(folder: &Path, clock: Clock) -> (Arc<Site>, String, String) {
    made(folder, 1, |_| Ok(1 << 30), Vec::new(), clock)
}

/// Existing files are not changed.
fn made(
    folder: &Path,
    problems: usize,
    space: Space,
    proxies: Vec<IpAddr>,
    clock: Clock,
) -> (Arc<Site>, String, String) {
    let folder = folder.join("p0");
    fs::create_dir_all(folder.join("house")).unwrap();
    fs::create_dir_all(results_of(&folder)).unwrap();
    let text = if problems == 1 { CONTEST.to_owned() } else { several(problems) };
    for (name, text) in
        [("x.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT"), ("house/solve", "#!/bin/sh\n"), ("contest.toml", &*text)]
    {
        if !folder.join(name).exists() {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    let contest = Contest::load(&folder, &Overrides::default()).unwrap();
    let with = StartOptions { contest_file: "../contest.toml".into(), ..StartOptions::default() };
    let open_contest = OpenContest::begin(contest, &results_of(&folder), with, || None).unwrap();
    let office = Arc::new(Office::create(&folder.join(FOLDER), clock).unwrap());
    let token = office.add_team("ada", None).unwrap().to_string();
    let served = options::Contest { office, open_contest: Arc::new(open_contest), judging: Handle::default() };
    let listen = ADDRESS.parse().unwrap();
    let options = Options { listen, public_url: None, proxies, feedback: None, processor: None };
    let log = AccessLog { line: Arc::new(|_: &str| {}), dropped: Arc::new(|| 0) };
    let mut app = App::new(served, options, log).unwrap();
    app.space = space;
    let (_, cookie) = app.log_in(&token, &app.state().unwrap()).unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    (Arc::new(Site::new(app)), cookie, token)
}

/// The response to a GET with a cookie.
pub(crate) async fn get(site: &Arc<Site>, path: &str, cookie: &str) -> axum::response::Response<Body> {
    let service = TowerToHyperService::new(router::router(site));
    service.call(request("GET", path, (header::COOKIE, cookie), Body::empty())).await.unwrap()
}

/// The code, the time after which to retry, and the text of the response to a request.
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
