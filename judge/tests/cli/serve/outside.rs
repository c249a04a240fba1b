//! Contacts of the site with other machines: only with a reverse proxy in front of it.

#![allow(clippy::disallowed_macros, reason = "a test says why it is skipped")]

use super::*;

use crate::support::*;

#[test]
fn the_address_of_a_client_is_believed_from_the_given_proxy_alone() {
    let (folder, _) = club(&["ada"]);
    let ask = |site: &Site, message: &str| {
        let guess = "Content-Type: application/x-www-form-urlencoded\r\n";
        let headers = format!("X-Forwarded-For: {message}\r\n{guess}");
        site.visitor().request("POST", "/enter", &headers, b"token=guess").code
    };
    let site = Site::start(&folder, &["--proxy", "127.0.0.1"]);
    // The proxy appends the address of the client. The text before it is untrusted. Enough guesses that ten of them are
    // in one minute.
    let codes: Vec<u16> = (0..25).map(|guess| ask(&site, &format!("203.0.113.{guess}, 192.0.2.7"))).collect();
    assert!(codes[0] == 403 && codes.contains(&429), "{codes:?}");
    assert_eq!(ask(&site, "192.0.2.8"), 403, "another client behind the same proxy");
    site.stop();
    let log = folder.read("access.log");
    assert!(log.contains("192.0.2.7 POST /enter 429 ") && !log.contains("203.0.113."), "{log}");
    for options in [&[][..], &["--proxy", "192.0.2.1"]] {
        let site = Site::start(&folder, options);
        let codes: Vec<u16> = (0..25).map(|guess| ask(&site, &format!("198.51.100.{guess}"))).collect();
        assert!(codes[0] == 403 && codes.contains(&429), "{options:?}: {codes:?}");
        site.stop();
    }
    let log = folder.read("access.log");
    assert!(log.contains("127.0.0.1 POST /enter 429 ") && !log.contains("198.51.100."), "{log}");
}

/// Traces the system calls by which a site contacts others, into a file; `None` if processes cannot be traced.
fn traced(site: &Site, file: &std::path::Path) -> Option<std::process::Child> {
    let mut strace = Command::new("strace");
    strace.args(["-f", "-e", "trace=connect,accept4", "-o"]).arg(file).args(["-p", &site.judge.id().to_string()]);
    let mut strace = strace.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().ok()?;
    let mut message = BufReader::new(strace.stderr.take().unwrap()).lines().map_while(Result::ok);
    if message.any(|line| line.contains(" attached")) {
        // It also reports each new process.
        std::thread::spawn(move || message.for_each(drop));
        return Some(strace);
    }
    strace.wait().unwrap();
    None
}

#[test]
fn the_site_opens_no_connection_for_a_submission() {
    let (folder, tokens) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    let file = folder.path().join("trace");
    let Some(mut strace) = traced(&site, &file) else {
        assert!(std::env::var_os("REQUIRE_STRACE").is_none(), "no process can be traced here");
        eprintln!("skipped: no process can be traced here");
        return;
    };
    let ada = site.with(&tokens[0]);
    ada.until(&ada.submit("main.c", SOLVES), "counts");
    site.visitor().until("/board.csv", ",ada,1,1,0,");
    site.stop();
    assert!(strace.wait().unwrap().success());
    let trace = folder.read("trace");
    assert!(trace.contains("accept4("), "the site is traced: {trace}");
    let out: Vec<&str> = trace.lines().filter(|line| line.contains("connect(") && line.contains("AF_INET")).collect();
    assert_eq!(out, Vec::<&str>::new());
}

#[test]
#[ignore = "deep: siege"]
fn the_head_of_a_request_that_does_not_come_is_not_waited_for() {
    let (folder, _) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    let mut stream = TcpStream::connect(&site.address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHo").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("the site closes the connection");
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408 "), "{answer}");
}
