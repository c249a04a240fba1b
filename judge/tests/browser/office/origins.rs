//! Pages of other sites that a visitor of the office has open.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use super::*;

/// A site on another port of this machine with one page of this HTML. Returns its port.
fn another_site(html: String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close";
            // A browser opens spare connections without using them.
            if stream.read(&mut [0; 4096]).unwrap_or_default() > 0 {
                write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{html}", html.len()).ok();
            }
        }
    });
    port
}

#[test]
fn a_page_of_another_origin_can_neither_decide_nor_read_nor_frame() {
    let (folder, tokens) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    let organiser = site.organiser.clone().unwrap();
    let at = |path: &str| format!("http://{}{path}", site.address);
    let page = Page::open_at(&at("/"));
    let paths = ["/submit", "/leave", "/clarifications", "/office/freeze", "/office/clock", "/office/teams"];
    let forms: String = paths.iter().map(|path| format!("<form method=post action='{}'></form>", at(path))).collect();
    let port = another_site(format!("<!doctype html><title>Another site</title>{forms}"));
    // Browsers send the cookie from another port, which is another origin of the same site, and not from another site.
    for other in [format!("http://127.0.0.1:{port}/"), format!("http://localhost:{port}/")] {
        for (form, path) in paths.iter().enumerate() {
            let (token, own) =
                if path.starts_with("/office") { (&organiser, "/office") } else { (&tokens[0], "/mine") };
            enter(&page, &site, token);
            page.goto(&other);
            page.run(&format!("document.forms[{form}].submit()"));
            page.wait(&format!("return location.host === '{}' && document.readyState === 'complete'", site.address));
            let text = page.find("main").text();
            assert!(text.contains("a page of another site sent this form"), "{other} {path}: {text}");
            let code = page.run("return performance.getEntriesByType('navigation')[0].responseStatus");
            assert_eq!(code, json!(403), "{other} {path}");
            page.goto(&at(own));
            assert_eq!(page.run("return location.pathname"), json!(own), "still inside after {other} {path}");
        }
        // The organiser's browser is at the other page now.
        page.goto(&other);
        page.console();
        for path in ["/office", "/office/log", "/live", "/api/contests/club/submissions"] {
            let read = page.run_async(&format!(
                "const done = arguments[0];
                 fetch({}, {{credentials: 'include'}}).then(() => done('read'), () => done('refused'))",
                json!(at(path))
            ));
            assert_eq!(read, json!("refused"), "{other} {path}");
        }
        page.console();
        page.run_async(&format!(
            "const done = arguments[0], frame = document.createElement('iframe');
             frame.addEventListener('load', () => done());
             frame.src = {};
             document.body.append(frame)",
            json!(at("/office/clock"))
        ));
        let message = page.console().join("\n");
        assert!(message.contains("frame-ancestors") || message.contains("X-Frame-Options"), "{other}: {message}");
    }
    page.goto(&at("/board"));
    assert_eq!(page.run("return document.querySelector('.frozen')"), json!(null), "another site froze the board");
    let log = folder.read("club/results/journal.jsonl");
    assert!(
        !["submitted", "message", "frozen"].iter().any(|line| log.contains(&format!("\"event\":\"{line}\""))),
        "{log}"
    );
    // A page without an origin cannot decide anything either.
    enter(&page, &site, &organiser);
    page.goto(&format!("data:text/html,<form method=post action='{}'></form>", at("/office/freeze")));
    page.run("document.forms[0].submit()");
    page.wait("return location.protocol === 'http:' && document.readyState === 'complete'");
    assert!(page.find("main").text().contains("a page of another site sent this form"));
    assert_fits(&page, "a refused form", Some("other-origin"));
}
