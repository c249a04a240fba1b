//! The office in a browser: a team comes by its link, submits, and sees what becomes of it; the board changes by itself.

use std::{env, fs};

use serde_json::json;

use crate::accessibility::assert_accessible;
use crate::page::Page;
use crate::site::{SOLVES, Site, club};

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
            page.phone();
            let wide = page.run("return document.documentElement.scrollWidth - innerWidth");
            assert_eq!(wide, json!(0), "{path} is wider than a phone");
            picture(&page, &format!("phone{}", path.replace(['/', '?'], "-")));
            page.screen(1280, 900);
        }
    }
}
