//! Nothing that strangers write runs in the page or breaks it.

use serde_json::{Value, json};

use crate::hostile_contest::{BOARD, ENTRIES, EVIL, Strangers, report};
use crate::page::{Page, address};
use crate::support::Folder;

/// The elements of the page, with the names of their attributes but without texts and values; of a write-up no more than
/// that it is there, for its author decides how it is built.
const STRUCTURE: &str = "
    const walk = element => element.matches('.write-up') ? ['write-up'] : [
        [element.localName, element.id, element.getAttribute('class'), element.getAttributeNames().sort().join(' ')].join('|'),
        ...[...element.children].flatMap(walk), '/' + element.localName];
    return walk(document.documentElement)";

#[track_caller]
fn assert_untouched(page: &Page, address: &str) {
    assert_eq!(page.run("return window.ran === undefined"), json!(true), "{}", page.run("return window.ran"));
    assert_eq!(page.console(), Vec::<String>::new());
    assert!(page.requests().iter().all(|url| url == address), "only the page itself is asked for");
}

#[test]
fn a_hostile_contest_has_the_page_of_its_harmless_twin() {
    let [hostile, harmless] = [Strangers::Hostile, Strangers::Harmless].map(|strangers| {
        let folder = Folder::new();
        let file = report(&folder, strangers);
        let page = Page::open(&file);
        let mut trees = vec![page.run(STRUCTURE)];
        assert!(trees[0].as_array().unwrap().len() > 300, "there is a page to compare");
        for entry in ENTRIES {
            page.open_cell(entry, BOARD);
            trees.push(page.run(STRUCTURE));
            page.close_viewer();
        }
        page.use_everything("chatter", BOARD);
        assert_untouched(&page, &address(&file));
        trees
    });
    for (hostile, harmless) in hostile.iter().zip(&harmless) {
        assert_same(hostile, harmless);
    }
}

/// The first difference, for thousands of elements say nothing.
#[track_caller]
fn assert_same(hostile: &Value, harmless: &Value) {
    let [hostile, harmless] = [hostile, harmless].map(|tree| tree.as_array().unwrap());
    let differ = hostile.iter().zip(harmless).position(|(hostile, harmless)| hostile != harmless);
    let at = differ.map(|place| (&hostile[place.saturating_sub(8)..=place], &harmless[place]));
    assert_eq!(at, None, "the hostile page, then what its twin has in that place");
    assert_eq!(hostile.len(), harmless.len());
}

#[test]
fn what_an_entry_printed_is_shown_as_text() {
    let folder = Folder::new();
    let file = report(&folder, Strangers::Hostile);
    let page = Page::open(&file);
    for entry in ENTRIES {
        page.open_cell(entry, BOARD);
        let shown = page.find("#viewer").text();
        if ["crash", "chatter", "flood"].contains(&entry) {
            let visible = EVIL.split('\u{0}').next().unwrap().trim();
            assert!(shown.contains(visible), "{entry}: {shown}");
        }
        let control = |c: char| c.is_control() && !c.is_whitespace();
        assert!(!shown.contains(control), "{entry}: {shown:?}");
        page.close_viewer();
    }
    assert_untouched(&page, &address(&file));
}

#[test]
fn a_write_up_is_no_more_than_text_and_leads_nowhere_but_to_the_web() {
    let folder = Folder::new();
    let page = Page::open(&report(&folder, Strangers::Hostile));
    let elements = page.run(
        "return [...document.querySelectorAll('.write-up div *')].map(element =>
            [element.localName, ...element.getAttributeNames().map(name => name + '=' + element.getAttribute(name))])",
    );
    let elements: Vec<Vec<String>> = serde_json::from_value(elements).unwrap();
    assert!(elements.len() > 50, "there are write-ups");
    for element in &elements {
        let (name, attributes) = element.split_first().unwrap();
        let plain =
            "h1 h2 h3 h4 h5 h6 p a em strong code pre ul ol li blockquote br hr table thead tbody tr th td del bdi div";
        assert!(plain.split(' ').any(|plain| plain == name), "{element:?}");
        for attribute in attributes {
            let web = attribute.starts_with("href=http://") || attribute.starts_with("href=https://");
            let harmless =
                ["rel=", "class=", "dir=", "start=", "scope="].iter().any(|name| attribute.starts_with(name));
            assert!(web || harmless, "{element:?}");
        }
    }
    // What is not taken at its word can still be read.
    let text = page.run("return document.querySelector('.write-up div').textContent");
    assert!(text.as_str().unwrap().contains("<script>window.ran = 'block'</script>"), "{text}");
}
