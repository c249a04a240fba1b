//! A site whose standard error nobody reads: a full pipe, as a stopped terminal or a log collector that hangs leaves.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

use crate::site::{SOLVES, Site, TIMEOUT, club};

use crate::support::*;

/// More lines than a pipe and the queue before it have room for.
const REQUESTS: usize = 6000;

/// Asks for a page so many times on one connection.
fn ask(site: &Site, requests: usize) {
    let stream = TcpStream::connect(&site.address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    let mut answers = BufReader::new(&stream);
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", site.address);
    for number in 0..requests {
        (&stream).write_all(request.as_bytes()).unwrap();
        let (mut line, mut length) = (String::new(), 0);
        while line != "\r\n" {
            line.clear();
            assert!(answers.read_line(&mut line).unwrap() > 0, "request {number} is answered");
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        answers.read_exact(&mut body).unwrap();
        assert_eq!(body, b"ok\n", "request {number}");
    }
}

#[test]
fn an_unread_standard_error_stops_nothing() {
    let (folder, tokens) = club(&["ada"]);
    let mut site = Site::started_by(&folder, &[], &[], Stdio::piped());
    let stderr = site.judge.stderr.take().unwrap();
    ask(&site, REQUESTS);
    // Judging has something to say, too.
    let ada = site.with(&tokens[0]);
    let broken = ada.submit("main.c", "int main( {");
    ada.until(&broken, "Compile error: ");
    let page = ada.submit("main.c", SOLVES);
    ada.until(&page, "counts");
    let metrics = site.visitor().page("/metrics");
    let dropped = metrics.lines().find_map(|line| line.strip_prefix("judge_log_lines_dropped_total ")).unwrap();
    assert!(dropped.parse::<u64>().unwrap() > 0, "{metrics}");
    // Its end does not wait either.
    assert!(site.stop().is_empty());
    drop(stderr);
}

#[test]
fn a_log_that_is_read_again_says_what_is_missing() {
    let (folder, _) = club(&["ada"]);
    let mut site = Site::started_by(&folder, &[], &[], Stdio::piped());
    let stderr = site.judge.stderr.take().unwrap();
    ask(&site, REQUESTS);
    let mut lines = BufReader::new(stderr).lines().map(Result::unwrap);
    let message =
        lines.find(|line| line.ends_with(" lines of this log were dropped, because it was not read")).unwrap();
    assert!(message.split(' ').next().unwrap().parse::<u64>().unwrap() > 0, "{message}");
    // From then on, every line is there.
    ask(&site, 10);
    for _ in 0..10 {
        assert!(lines.next().unwrap().contains(" GET /healthz 200 "));
    }
    drop(lines);
    site.stop();
}
