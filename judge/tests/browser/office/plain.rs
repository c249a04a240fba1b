//! The office in a browser that runs no script.

use super::*;
use crate::site::TIMEOUT;

use crate::support::*;

/// Loads a page again until its main part contains a text, as a reader without script does.
fn reload_until(page: &Page, says: &str) {
    let begun = Instant::now();
    // The main part is missing while another page loads.
    let shown = || page.run("return document.querySelector('main')?.innerText ?? ''").as_str().unwrap().to_owned();
    while !shown().contains(says) {
        assert!(begun.elapsed() < TIMEOUT, "{says} is not in {}", shown());
        std::thread::sleep(Duration::from_millis(100));
        page.command("refresh", &json!({}));
    }
}

/// Types the token of an invitation, whose link alone does nothing without script.
fn enter(page: &Page, site: &Site, token: &str) {
    page.goto(&format!("http://{}/", site.address));
    page.goto(&format!("http://{}/enter#{token}", site.address));
    assert_eq!(page.run("return location.pathname + location.hash.length"), json!("/enter44"), "no script runs");
    page.find("#token").run(&format!("arguments[0].value = {}", json!(token)));
    press(page, "Enter");
    page.wait("return location.pathname !== '/enter' && document.readyState === 'complete'");
}

fn press(page: &Page, button: &str) {
    page.named("main button", "button", button).click();
}

#[test]
fn an_evening_goes_from_the_invitation_to_the_reveal_without_script() {
    let (folder, tokens) = evening();
    let site = Site::start(&folder, &[]);
    let organiser = site.organiser.clone().unwrap();
    let at = |path: &str| format!("http://{}{path}", site.address);
    let page = Page::open_at(&at("/"));
    page.devtools("Emulation.setScriptExecutionDisabled", &json!({"value": true}));
    enter(&page, &site, &tokens[0]);
    submit(&page, &site, BROKEN);
    reload_until(&page, "Compile error");
    assert!(page.find("pre").text().contains("error"), "{}", page.find("pre").text());
    submit(&page, &site, SOLVES);
    reload_until(&page, "Accepted; counts");
    assert!(page.find("main").text().contains("25/4"), "{}", page.find("main").text());
    assert_fits(&page, "verdict without script", Some("plain-verdict"));
    page.named("main a", "link", "Replay its answers").click();
    page.wait("return location.pathname.endsWith('/replay')");
    let answers = page.find("main").text();
    assert!(["ada.2", "NEAR", "22/4"].iter().all(|shown| answers.contains(shown)), "{answers}");
    assert_fits(&page, "answers without script", None);
    // Without script, the answer in the viewer can be read as text.
    page.goto(&at("/submissions/2"));
    page.named("main a", "link", "NEAR as text").click();
    page.wait("return location.pathname.endsWith('/answers/NEAR')");
    assert_eq!(page.find("main pre").text(), "lluu");
    assert_fits(&page, "an answer without script", Some("plain-answer"));
    page.goto(&at("/clarifications"));
    page.find("#text").run("arguments[0].value = 'May I guess?'");
    press(&page, "Ask");
    reload_until(&page, "May I guess?");

    enter(&page, &site, &organiser);
    page.goto(&at("/office/clock"));
    press(&page, "Freeze the board");
    reload_until(&page, "Thaw the board");
    page.goto(&at("/clarifications"));
    page.find("[id^=text-]").run("arguments[0].value = 'You may.'");
    press(&page, "Answer this team");
    reload_until(&page, "You may.");
    enter(&page, &site, &tokens[1]);
    submit(&page, &site, SOLVES);
    reload_until(&page, "Accepted; counts");
    page.named("header button", "button", "Leave").click();
    page.wait("return location.pathname === '/'");
    page.goto(&at("/board"));
    reload_until(&page, "1 pending");
    assert!(page.find("main").text().contains("The board is frozen"));
    assert_fits(&page, "frozen board without script", None);

    enter(&page, &site, &organiser);
    page.goto(&at("/office/clock"));
    press(&page, "Thaw the board");
    reload_until(&page, "Freeze the board");
    page.goto(&at("/reveal"));
    assert!(page.find("main").text().contains("as it was frozen"));
    page.find("#next").click();
    page.wait("return location.search === '?step=1'");
    let row = page.find("tr[data-name=bob]").text();
    assert!(page.find(".frozen").text().contains("bob has place") && row.contains("25/4"), "{row}");
    assert_fits(&page, "reveal without script", None);
}
