//! The office as a web site, tested by requests of clients.

mod desk;
mod games;
mod hostile;
mod kills;
mod links;
mod outside;
mod processors;
mod rejudging;
mod rules;
mod talks;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::site::{SOLVES, Site, TIMEOUT, club, tokens_of};
use crate::support::*;

impl Site {
    pub(crate) fn visitor(&self) -> Visitor<'_> {
        Visitor { site: self, cookie: None }
    }

    /// A visitor who has entered with a token.
    pub(crate) fn with(&self, token: &str) -> Visitor<'_> {
        let mut visitor = self.visitor();
        let answer = visitor.post_form("/enter", &format!("token={token}"));
        assert_eq!(answer.code, 303, "{}", answer.body);
        let cookie = answer.header("set-cookie").unwrap();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        visitor.cookie = Some(cookie.split(';').next().unwrap().to_owned());
        visitor
    }
}

pub(crate) struct Visitor<'a> {
    site: &'a Site,
    cookie: Option<String>,
}

pub(crate) struct Answer {
    pub(crate) code: u16,
    head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned()).next()
    }
}

impl Visitor<'_> {
    pub(crate) fn request(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let host = &self.site.address;
        let host = if headers.contains("Host: ") { String::new() } else { format!("Host: {host}\r\n") };
        let cookie = self.cookie.as_ref().map_or(String::new(), |cookie| format!("Cookie: {cookie}\r\n"));
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\n{host}{cookie}{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        let mut stream = TcpStream::connect(&self.site.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        // The site may refuse before it has read the body.
        stream.write_all(body).ok();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok();
        let text = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{method} {path}: {text}"));
        let code = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { code, head: head.to_owned(), body: body.to_owned() }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "", b"")
    }

    pub(crate) fn page(&self, path: &str) -> String {
        let answer = self.get(path);
        assert_eq!(answer.code, 200, "{path}: {}", answer.body);
        answer.body
    }

    fn post_form(&self, path: &str, form: &str) -> Answer {
        self.request("POST", path, "Content-Type: application/x-www-form-urlencoded\r\n", form.as_bytes())
    }

    fn submit_with(&self, files: &[(&str, &[u8])], headers: &str) -> Answer {
        let body = form_of(&[], "files", files);
        let headers = format!("Content-Type: multipart/form-data; boundary=b\r\n{headers}");
        self.request("POST", "/submit", &headers, &body)
    }

    /// The cookie that the visitor sends.
    pub(crate) fn cookie(&self) -> &str {
        self.cookie.as_deref().unwrap()
    }

    /// Submits a file, and returns the path of its page.
    pub(crate) fn submit(&self, name: &str, text: &str) -> String {
        let answer = self.submit_with(&[(name, text.as_bytes())], "");
        assert_eq!(answer.code, 303, "{}", answer.body);
        answer.header("location").unwrap()
    }

    /// Requests a page until it contains a text.
    pub(crate) fn until(&self, path: &str, says: &str) -> String {
        let begun = Instant::now();
        loop {
            let page = self.page(path);
            if page.contains(says) {
                return page;
            }
            assert!(begun.elapsed() < TIMEOUT, "{path} does not say {says}: {page}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// A form with the boundary `b`, these fields, and files that share the name of a field.
pub(crate) fn form_of(fields: &[(&str, &str)], of_files: &str, files: &[(&str, &[u8])]) -> Vec<u8> {
    let head = |name: &str, more: &str| format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"{more}\r\n\r\n");
    let fields = fields.iter().map(|(name, value)| (head(name, ""), value.as_bytes()));
    let files = files.iter().map(|(name, bytes)| (head(of_files, &format!("; filename=\"{name}\"")), *bytes));
    let mut body = Vec::new();
    for (head, content) in fields.chain(files) {
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--b--\r\n");
    body
}

/// A club whose contest file has more at its end.
fn club_with(teams: &[&str], more: &str) -> (Folder, Vec<String>) {
    let (folder, tokens) = club(teams);
    let file = folder.read("club/contest.toml");
    folder.file("club/contest.toml", file + more);
    (folder, tokens)
}

#[test]
fn a_corrected_submission_is_on_the_board_after_a_restart() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let ada = site.with(&tokens[0]);
    let broken = ada.submit("main.c", "int main( {");
    let page = ada.until(&broken, "Compile error: ");
    assert!(page.contains("error:") && page.contains("main.c"), "the compiler's output: {page}");
    let fixed = ada.submit("main.c", SOLVES);
    let page = ada.until(&fixed, "25/4");
    assert!(page.contains("Solved") && !page.contains("error:"), "{page}");
    assert_eq!(ada.submit("main.c", SOLVES), fixed, "the same upload is the same submission");
    assert_eq!(ada.page(&format!("{fixed}/files")), SOLVES);
    assert!(ada.page(&format!("{fixed}/answers/NEAR")).contains(">lluu</pre>"));
    for none in ["/answers/FAR", "/answers/..", "/answers/%00"] {
        assert_eq!(ada.get(&format!("{fixed}{none}")).code, 404, "{none}");
    }
    let list = ada.page("/mine");
    assert!([&broken, &fixed].iter().all(|page| list.contains(page.trim_start_matches('/'))), "{list}");
    let csv = site.visitor().until("/board.csv", ",ada,2,2,0,");
    assert!(csv.contains("\n1,") && csv.contains(",house,"), "{csv}");
    let log = folder.read("club/results/journal.jsonl");
    let line = log.lines().rfind(|line| line.contains("\"submitted\"")).unwrap();
    let at = line.split_once("\"at\":\"").unwrap().1.split('"').next().unwrap();
    let row = csv.lines().find(|row| row.contains(",ada,")).unwrap();
    assert!(csv.lines().next().unwrap().ends_with(",submitted") && row.ends_with(&format!(",{at}")), "{at}: {csv}");
    assert!(site.visitor().page("/board").contains(&format!("<time datetime=\"{at}\">")), "with dates");
    let cookie = ada.cookie.clone();
    assert!(site.stop().is_empty(), "the organiser's link is printed once");
    let ranked = folder.judge(["rank", "club/results", "--format", "csv"]).exits(0).stdout;
    assert!(ranked.contains("ada.2"), "the same without the office: {ranked}");
    folder.judge(["verify", "club/results"]).exits(0);

    let site = Site::start(&folder, &["--feedback", "score"]);
    assert_eq!(site.organiser, None);
    let ada = Visitor { site: &site, cookie };
    let page = ada.page(&fixed);
    assert!(page.contains("In all") && !page.contains("25/4\""), "{page}");
    assert_eq!(ada.get(&format!("{fixed}/answers/NEAR")).code, 404);
    assert!(!site.visitor().page("/board.csv").contains("NEAR"), "boards are not shown");
    folder.judge(["team", "revoke", "club", "ada"]).exits(0);
    assert_eq!(ada.get(&fixed).code, 303, "a session ends with its token");
}

#[test]
fn an_evening_on_the_web_is_as_the_document_says() {
    for (document, heading) in
        [("README.md", "Let teams submit"), ("docs/office.md", "An evening with your club on the web")]
    {
        let text = std::fs::read_to_string(project().join(document)).unwrap();
        let section = text.split(&format!("## {heading}\n")).nth(1).unwrap().split("\n#").next().unwrap();
        let lines = section.lines().filter_map(|line| line.strip_prefix("    "));
        let lines: Vec<&str> = lines.map(|line| line.split(" # ").next().unwrap().trim()).collect();
        assert!((3..=6).contains(&lines.len()), "{lines:?}");
        let (commands, others): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| line.starts_with("judge "));
        let (last, before) = commands.split_last().unwrap();
        assert_eq!(*last, "judge serve club");
        let folder = Folder::new();
        let given = |command: &&str| folder.judge(command.split(' ').skip(1)).exits(0).stdout;
        let printed: Vec<String> = before.iter().map(given).collect();
        let tokens = tokens_of(printed.last().unwrap());
        assert_eq!(tokens.len(), 3, "{printed:?}");
        // The site is on any free port instead of 8080.
        let site = Site::start(&folder, &[]);
        let ada = site.with(&tokens[0]);
        let page = match &others[..] {
            [] => ada.submit("solve.sh", &folder.read("club/entries/solve.sh")),
            [curl] => submit_by_curl(&site, &folder, curl, &tokens[0]),
            more => panic!("{document}: {more:?}"),
        };
        ada.until(&page, "counts");
        site.visitor().until("/board.csv", ",ada,1,1,0,");
    }
}

/// Sends the request of a document's `curl` command with this token, and returns the path of the submission's page.
fn submit_by_curl(site: &Site, folder: &Folder, command: &str, token: &str) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    let ["curl", "-u", shown, "-F", form, address] = words[..] else { panic!("{command}") };
    let shown = STANDARD.encode(shown.replace("TOKEN", token));
    let (field, file) = form.split_once("=@").unwrap();
    let body = form_of(&[], field, &[(file.rsplit('/').next().unwrap(), folder.read(file).as_bytes())]);
    let headers = format!("Authorization: Basic {shown}\r\nContent-Type: multipart/form-data; boundary=b\r\n");
    let path = address.strip_prefix("http://127.0.0.1:8080").unwrap();
    let answer = site.visitor().request("POST", path, &headers, &body);
    assert_eq!(answer.code, 200, "{}", answer.body);
    let submission: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
    format!("/submissions/{}", submission["id"].as_str().unwrap())
}

#[test]
fn a_frozen_board_shows_the_public_that_something_came_and_its_team_what_became_of_it() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let organiser = site.with(site.organiser.as_ref().unwrap());
    let (public, bob) = (site.visitor(), site.with(&tokens[1]));
    assert!(organiser.page("/office").contains("Freeze the board"));
    assert_eq!(organiser.post_form("/office/freeze", "").code, 303);
    let page = bob.submit("main.c", SOLVES);
    bob.until(&page, "25/4");
    bob.until("/board.csv", ",bob,1,1,0,");
    organiser.until("/board.csv", ",bob,1,1,0,");
    let seen = public.until("/board.csv", ",bob,");
    assert!(seen.contains("\n,bob,,1,1,,"), "{seen}");
    assert!(public.page("/board").contains("The board is frozen"));
    folder.judge(["office", "thaw", "club"]).exits(0);
    public.until("/board.csv", ",bob,1,1,0,");
}

#[test]
fn the_live_board_sends_the_rows_that_changed() {
    let (folder, tokens) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    let mut stream = TcpStream::connect(&site.address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    write!(stream, "GET /live HTTP/1.1\r\nHost: {}\r\n\r\n", site.address).unwrap();
    let mut events = BufReader::new(stream).lines().map(Result::unwrap);
    let first = events.find(|line| line.starts_with("data: ")).unwrap();
    assert!(first.contains("\"table\":"), "{first}");
    site.with(&tokens[0]).submit("main.c", SOLVES);
    let row = events.find(|line| line.starts_with("data: ") && line.contains("25/4") && line.contains("ada")).unwrap();
    assert!(row.contains("\"order\":[\"house\",\"ada\"]") || row.contains("\"order\":[\"ada\",\"house\"]"), "{row}");
}

#[test]
fn strangers_other_sites_and_wrong_tokens_get_nothing() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let (ada, bob, public) = (site.with(&tokens[0]), site.with(&tokens[1]), site.visitor());
    let page = ada.submit("main.c", SOLVES);
    for foreign in [
        page.clone(),
        format!("{page}/files"),
        "/submissions/7".into(),
        "/office".into(),
        "/office/log".into(),
        format!("{page}/answers/NEAR"),
    ] {
        assert_eq!(bob.get(&foreign).code, 404, "{foreign}");
    }
    assert_eq!(public.get(&page).code, 303);
    let main: [(&str, &[u8]); 1] = [("main.c", SOLVES.as_bytes())];
    for headers in
        ["Origin: https://evil.example\r\n", "Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n"]
    {
        assert_eq!(bob.submit_with(&main, headers).code, 403, "{headers}");
    }
    assert_eq!(public.request("GET", "/", "Host: evil.example\r\n", b"").code, 421);
    let answer = public.get("/");
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(answer.header("referrer-policy").unwrap(), "no-referrer");
    // Too many guesses are refused.
    let codes: Vec<u16> = (0..12).map(|guess| public.post_form("/enter", &format!("token={guess}")).code).collect();
    assert_eq!((codes[0], codes[11]), (403, 429), "{codes:?}");
    let (log, office) = (folder.read("access.log"), folder.read("club/results/journal.jsonl"));
    for token in &tokens {
        assert!(!log.contains(token) && !office.contains(token));
    }
    assert!(log.contains(" POST /submit 303 ") && !log.contains("evil"), "{log}");
}

#[test]
fn what_cannot_be_accepted_is_refused_with_its_reason() {
    let (folder, tokens) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    let ada = site.with(&tokens[0]);
    for (files, code, reason) in [
        (&[][..], 422, "no file was chosen"),
        (&[("a.unknown", &b"x"[..])][..], 422, "no known language"),
        (&[("main.c", &vec![b' '; 2 << 20][..])][..], 413, "were sent"),
        (&[("a.zip", &b"PK\x03\x04 broken"[..])][..], 422, "cannot be read"),
    ] {
        let refused = ada.submit_with(files, "");
        assert_eq!(refused.code, code, "{reason}: {}", refused.body);
        assert!(refused.body.contains(reason), "{reason}: {}", refused.body);
    }
    let odd = ada.request("POST", "/submit", "Content-Type: text/plain\r\n", b"x");
    assert_eq!(odd.code, 415);
    let page = ada.request("POST", "/submit", "Content-Type: multipart/form-data; boundary=b\r\n", b"--b\r\nhalf");
    assert_eq!(page.code, 400);
    assert!(ada.page("/mine").contains("Nothing was submitted yet"));
}

#[test]
fn one_address_has_no_more_than_its_share_of_connections() {
    let (folder, _) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    let half = || {
        let mut stream = TcpStream::connect(&site.address).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHo").unwrap();
        stream
    };
    let mut waiting: Vec<TcpStream> = (0..64).map(|_| half()).collect();
    // The next connection is answered, and the first one is closed for it.
    assert_eq!(site.visitor().page("/healthz"), "ok\n");
    waiting[0].set_read_timeout(Some(TIMEOUT)).unwrap();
    // Closed, with or without a reset, and without an answer.
    assert!(matches!(waiting[0].read(&mut [0; 1]), Ok(0) | Err(_)));
}

#[test]
fn uploads_that_never_end_are_few_and_small() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let (ada, bob) = (site.with(&tokens[0]), site.with(&tokens[1]));
    // The sender is unknown, so all connections can send this at once.
    let long = format!("token={}", "x".repeat(20_000));
    for path in ["/enter", "/login", "/register"] {
        let refused = site.visitor().post_form(path, &long);
        assert_eq!(refused.code, 413, "{path}: {}", refused.body);
    }
    let begin = |visitor: &Visitor<'_>, path: &str, kind: &str| {
        let mut stream = TcpStream::connect(&site.address).unwrap();
        let (host, cookie) = (&site.address, visitor.cookie.as_deref().unwrap_or_default());
        let head = format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nContent-Type: {kind}\r\n");
        // Chunks without an end and without a length.
        write!(stream, "{head}Transfer-Encoding: chunked\r\n\r\n4000\r\n{}\r\n", "x".repeat(0x4000)).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream
    };
    let form = "multipart/form-data; boundary=b";
    let mut under_way: Vec<TcpStream> = (0..4).map(|_| begin(&ada, "/submit", form)).collect();
    let begun = Instant::now();
    let answer = loop {
        let answer = ada.submit_with(&[("main.c", SOLVES.as_bytes())], "");
        if answer.code == 429 {
            break answer;
        }
        // It arrived before one of the others, which was then refused.
        under_way.push(begin(&ada, "/submit", form));
        assert!(begun.elapsed() < TIMEOUT, "{}: {}", answer.code, answer.body);
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(answer.body.contains("4 uploads of your team are under way"), "{}", answer.body);
    assert!(answer.header("retry-after").is_some());
    bob.submit("main.c", SOLVES);
    drop(under_way);
    let begun = Instant::now();
    while ada.submit_with(&[("main.c", SOLVES.as_bytes())], "").code != 303 {
        assert!(begun.elapsed() < TIMEOUT, "uploads that were broken off count no more");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_others_could_read_on_the_way_is_not_served() {
    let (folder, _) = club(&["ada"]);
    let refused = |options: &[&str]| {
        let args = ["serve", "club"].into_iter().chain(options.iter().copied());
        folder.judge(args).exits(2).message()
    };
    let open = refused(&["--listen", "0.0.0.0:0"]);
    assert!(open.contains("is not encrypted") && open.contains("--public-url https://"), "{open}");
    let plain = refused(&["--listen", "0.0.0.0:0", "--public-url", "http://contest.example"]);
    assert!(plain.contains("is not encrypted"), "{plain}");
    let odd = refused(&["--public-url", "contest.example"]);
    assert!(odd.contains("unusable public address"), "{odd}");
}

#[test]
fn the_organisers_pages_manage_teams() {
    let (folder, _) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    let organiser = site.with(site.organiser.as_ref().unwrap());
    let page = organiser.post_form("/office/teams", "team=cleo&action=add");
    let token = page.body.split_once("/enter#").unwrap().1.split('<').next().unwrap();
    let cleo = site.with(token);
    assert!(cleo.page("/submit").contains("Submit"));
    let again = organiser.post_form("/office/teams", "team=cleo&action=add");
    assert_eq!((again.code, again.body.contains("Not done")), (422, true), "{}", again.body);
    assert_eq!(organiser.post_form("/office/teams", "team=cleo&action=revoke").code, 200);
    assert_eq!(cleo.get("/submit").code, 303);
    let figures = organiser.page("/metrics");
    for figure in ["judge_queue{state=\"queued\"} 0", "judge_builds{outcome=\"failed\"} 0", "# TYPE judge_runs gauge"] {
        assert!(figures.contains(figure), "{figure}: {figures}");
    }
    let asked_through_a_proxy = site.visitor().request("GET", "/metrics", "X-Forwarded-For: 192.0.2.1\r\n", b"");
    assert_eq!(asked_through_a_proxy.code, 404);
    assert!(organiser.page("/office/log").contains("cleo"));
    let link = folder.judge(["office", "link", "club"]).exits(0).stdout;
    assert_eq!(organiser.get("/office").code, 404, "a new link makes the one before void");
    assert!(link.starts_with("/enter#"), "{link}");
    assert!(site.with(&tokens_of(&link)[0]).page("/office").contains("Freeze the board"));
}
