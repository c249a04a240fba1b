//! The office in a browser: a team comes by its link, submits, and sees what becomes of it; the board changes by itself.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::{Duration, Instant};
use std::{env, fs};

use serde_json::json;

use crate::accessibility::assert_accessible;
use crate::page::Page;
use crate::site::{PATIENCE, SOLVES, Site, club};

/// Chooses a file with that text in the form, and submits it.
fn submit(page: &Page, site: &Site, text: &str) {
    page.goto(&format!("http://{}/submit", site.address));
    page.run(&format!(
        "const chosen = new DataTransfer();
         chosen.items.add(new File([{}], 'main.c'));
         document.querySelector('#files').files = chosen.files",
        json!(text)
    ));
    page.named("main button", "button", "Submit").click();
    page.wait("return location.pathname.startsWith('/submissions/')");
}

/// Saves a picture if the folder for pictures is named.
fn picture(page: &Page, name: &str) {
    if let Some(folder) = env::var_os("PICTURES") {
        let path = std::path::Path::new(&folder).join(format!("office-{name}.png"));
        fs::write(path, page.screenshot()).unwrap();
    }
}

#[test]
fn a_team_sees_its_verdicts_without_loading_a_page_again() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let page = Page::open_at(&format!("http://{}/enter#{}", site.address, tokens[0]));
    page.wait("return location.pathname === '/mine'");
    assert_eq!(
        page.run("return location.hash + document.cookie"),
        json!(""),
        "the token is gone, the cookie not for scripts"
    );
    submit(&page, &site, "int main( {");
    page.wait("return document.querySelector('.state').innerText.startsWith('does not build')");
    assert!(page.find("pre").text().contains("error"), "{}", page.find("pre").text());
    picture(&page, "broken");
    submit(&page, &site, SOLVES);
    page.wait(
        "return document.body.innerText.includes('25/4') && document.querySelector('.state').innerText === 'counts'",
    );
    picture(&page, "judged");

    page.goto(&format!("http://{}/board", site.address));
    page.wait("return document.querySelector('tr[data-name=ada]') !== null");
    page.run("window.still = true");
    folder.file("main.c", SOLVES);
    folder.judge(["office", "submit", "club", "bob", "main.c"]).exits(0);
    page.wait("return (document.querySelector('tr[data-name=bob]')?.innerText ?? '').includes('25/4')");
    assert_eq!(page.run("return window.still"), json!(true), "the page was not loaded again");
    folder.judge(["office", "freeze", "club"]).exits(0);
    page.wait("return document.querySelector('.frozen') !== null");
    picture(&page, "frozen");
    let own = format!("http://{}/", site.address);
    let foreign: Vec<String> = page.requests().into_iter().filter(|address| !address.starts_with(&own)).collect();
    assert_eq!(foreign.iter().filter(|address| address.starts_with("http")).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(page.console(), Vec::<String>::new());
}

/// Follows the link of an invitation.
fn enter(page: &Page, site: &Site, token: &str) {
    page.goto(&format!("http://{}/", site.address));
    page.goto(&format!("http://{}/enter#{token}", site.address));
    page.wait("return location.pathname !== '/enter' && document.readyState === 'complete'");
}

#[test]
fn an_evening_goes_from_the_invitation_to_the_reveal() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let organiser = site.organiser.clone().unwrap();
    let at = |path: &str| format!("http://{}{path}", site.address);
    let page = Page::open_at(&at("/"));
    enter(&page, &site, &tokens[0]);
    submit(&page, &site, "int main( {");
    page.wait("return document.querySelector('.state').innerText.startsWith('does not build')");
    submit(&page, &site, SOLVES);
    page.wait("return document.querySelector('.state').innerText === 'counts'");
    let own = page.run("return location.pathname");
    // The replay, in the viewer of the results page.
    page.goto(&at(&format!("{}/replay", own.as_str().unwrap())));
    page.wait("return document.readyState === 'complete'");
    page.open_cell("ada.2", "NEAR");
    picture(&page, "replay");
    assert_eq!(page.console(), Vec::<String>::new());

    enter(&page, &site, &organiser);
    page.goto(&at("/office/clock"));
    page.named("main button", "button", "Freeze the board").click();
    page.wait("return document.body.innerText.includes('Thaw the board')");
    enter(&page, &site, &tokens[1]);
    submit(&page, &site, SOLVES);
    page.wait("return document.querySelector('.state').innerText === 'counts'");
    page.goto(&at("/reveal"));
    assert!(page.find("main").text().contains("nothing to reveal"), "{}", page.find("main").text());

    enter(&page, &site, &organiser);
    page.goto(&at("/office/clock"));
    picture(&page, "clock");
    page.named("main button", "button", "Thaw the board").click();
    page.wait("return document.body.innerText.includes('Freeze the board')");
    page.goto(&at("/reveal"));
    page.wait("return document.body.innerText.includes('as it was frozen')");
    picture(&page, "reveal");
    assert_accessible(&page, "the reveal");
    page.find("#next").click();
    page.wait("return document.body.innerText.includes('has place')");
    let bob = page.run("return document.querySelector('tr[data-name=bob]').innerText");
    assert!(bob.as_str().unwrap().contains("25/4"), "{bob}");

    // A page of another site cannot make the organiser's browser decide anything.
    page.goto(&format!("data:text/html,<form method=post action='{}'></form>", at("/office/freeze")));
    page.run("document.forms[0].submit()");
    page.wait("return location.protocol === 'http:' && document.readyState === 'complete'");
    page.goto(&at("/board"));
    page.wait("return document.querySelector('tr[data-name=ada]') !== null");
    assert_eq!(page.run("return document.querySelector('.frozen')"), json!(null), "another site froze the board");
}

/// Loads a page again until it says something, as a reader without script does.
fn reload_until(page: &Page, says: &str) {
    let begun = Instant::now();
    while !page.find("main").text().contains(says) {
        assert!(begun.elapsed() < PATIENCE, "{says} is not in {}", page.find("main").text());
        std::thread::sleep(Duration::from_millis(100));
        page.command("refresh", &json!({}));
    }
}

#[test]
fn a_team_needs_no_script_to_enter_submit_read_and_ask() {
    let (folder, tokens) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    let at = |path: &str| format!("http://{}{path}", site.address);
    let page = Page::open_at(&at("/"));
    page.devtools("Emulation.setScriptExecutionDisabled", &json!({"value": true}));
    page.goto(&at(&format!("/enter#{}", tokens[0])));
    assert_eq!(page.run("return location.pathname + location.hash.length"), json!("/enter44"), "no script runs");
    page.run(&format!("document.querySelector('#token').value = {}", json!(tokens[0])));
    page.named("main button", "button", "Enter").click();
    page.wait("return location.pathname === '/mine' && document.readyState === 'complete'");
    submit(&page, &site, SOLVES);
    reload_until(&page, "25/4");
    page.goto(&at("/board"));
    reload_until(&page, "25/4");
    page.goto(&at("/clarifications"));
    page.run("document.querySelector('#text').value = 'May I guess?'");
    page.named("main button", "button", "Ask").click();
    reload_until(&page, "May I guess?");
}

/// A site on another port of this machine with one page, which has a form for each of these addresses.
fn another_site(targets: &[String]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let forms: String = targets.iter().map(|target| format!("<form method=post action='{target}'></form>")).collect();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let read = stream.read(&mut [0; 4096]).unwrap_or_default();
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close";
            if read > 0 {
                write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{forms}", forms.len()).ok();
            }
        }
    });
    address
}

#[test]
fn a_page_of_another_port_can_neither_submit_nor_freeze() {
    let (folder, tokens) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    let organiser = site.organiser.clone().unwrap();
    let at = |path: &str| format!("http://{}{path}", site.address);
    let page = Page::open_at(&at("/"));
    let paths = ["/submit", "/office/freeze"];
    let other = another_site(&paths.map(at));
    for (form, token) in [&tokens[0], &organiser].into_iter().enumerate() {
        enter(&page, &site, token);
        // Browsers send the cookie with it: a port makes no other site.
        page.goto(&format!("http://{other}/"));
        page.run(&format!("document.forms[{form}].submit()"));
        page.wait(&format!("return location.host === '{}' && document.readyState === 'complete'", site.address));
        assert!(page.find("main").text().contains("a page of another site sent this form"), "{}", paths[form]);
        let code = page.run("return performance.getEntriesByType('navigation')[0].responseStatus");
        assert_eq!(code, json!(403), "{}", paths[form]);
    }
    page.goto(&at("/board"));
    assert_eq!(page.run("return document.querySelector('.frozen')"), json!(null));
}

#[test]
fn every_page_of_the_office_is_accessible() {
    let (folder, tokens) = club(&["ada", "bob"]);
    folder.file("main.c", SOLVES);
    folder.judge(["office", "submit", "club", "ada", "main.c"]).exits(0);
    let site = Site::start(&folder, &[]);
    let organiser = site.organiser.clone().unwrap();
    let at = |path: &str| format!("http://{}{path}", site.address);
    let page = Page::open_at(&at("/"));
    let public = ["/", "/enter", "/board", "/board?big", "/clarifications", "/register", "/nowhere"];
    let team = ["/submit", "/mine", "/submissions/1", "/clarifications"];
    let office = [
        "/office",
        "/office/submissions",
        "/office/teams",
        "/office/log",
        "/office/clock",
        "/office/rejudging",
        "/clarifications",
        "/submissions/1",
    ];
    for (token, paths) in [(None, &public[..]), (Some(&tokens[0]), &team), (Some(&organiser), &office)] {
        if let Some(token) = token {
            page.goto(&at("/"));
            page.goto(&at(&format!("/enter#{token}")));
            page.wait("return location.pathname !== '/enter' && document.readyState === 'complete'");
        }
        for path in paths {
            page.goto(&at(path));
            for scheme in ["light", "dark"] {
                page.colours(scheme);
                assert_accessible(&page, &format!("{path}, {scheme}"));
            }
            for (width, height) in [(390, 844), (820, 1180), (1440, 900)] {
                page.device(width, height);
                let wide = page.run("return document.documentElement.scrollWidth - innerWidth");
                assert_eq!(wide, json!(0), "{path} is wider than {width} pixels");
                picture(&page, &format!("{width}{}", path.replace(['/', '?'], "-")));
            }
            page.screen(1280, 900);
        }
    }
}
