//! The page writes nothing to the console and requests nothing, for any action of its reader.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc;

use crate::contests::{SMALL, mixed};
use crate::page::{Page, address};
use crate::support::*;

/// Uses every control, then checks that the console is empty and only the page was requested.
#[track_caller]
fn assert_quiet(page: &Page, address: &str, [entry, board]: [&str; 2]) {
    page.use_everything(entry, board);
    assert_eq!(page.console(), Vec::<String>::new());
    let requests = page.requests();
    let (own, others): (Vec<&String>, Vec<&String>) = requests.iter().partition(|url| *url == address);
    assert_eq!(others, Vec::<&String>::new(), "only the page itself is requested");
    assert_eq!(own.len(), 1, "the page is requested once");
}

#[test]
fn a_page_of_any_game_is_quiet() {
    for small in &SMALL {
        let folder = Folder::new();
        let file = small.report(&folder);
        let page = Page::open(&file);
        assert_quiet(&page, &address(&file), ["straight", &small.boards[0].to_uppercase()]);
    }
}

#[test]
fn a_page_with_every_verdict_is_as_quiet() {
    let folder = Folder::new();
    let file = mixed(&folder);
    let page = Page::open(&file);
    assert_quiet(&page, &address(&file), ["python", "NEAR"]);
}

#[test]
fn a_page_on_a_web_server_requests_nothing_else() {
    let folder = Folder::new();
    let (address, requests) = serve(&mixed(&folder));
    let page = Page::open_at(&address);
    assert_quiet(&page, &address, ["python", "NEAR"]);
    let requests: Vec<String> = requests.try_iter().collect();
    assert_eq!(requests, ["GET /report.html HTTP/1.1"]);
}

/// Serves one file, and returns its address and the received requests.
fn serve(file: &Path) -> (String, mpsc::Receiver<String>) {
    let page = std::fs::read(file).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/report.html", listener.local_addr().unwrap());
    let (sender, requests) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = String::new();
            BufReader::new(&stream).take(4096).read_line(&mut request).unwrap();
            if request.is_empty() {
                // A browser opens spare connections without using them.
                continue;
            }
            if sender.send(request.trim_end().to_owned()).is_err() {
                return;
            }
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                page.len()
            );
            // The browser may have closed the connection.
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&page)).ok();
        }
    });
    (address, requests)
}
