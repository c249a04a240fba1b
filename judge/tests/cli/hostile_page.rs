//! Untrusted text is only text in the page: the page of a hostile contest has the structure of its harmless twin.
//! `tests/browser/hostile.rs` watches the same pages in a browser.

use std::sync::OnceLock;

use crate::hostile::{Strangers, report, report_of_unknown_game};
use crate::support::*;

/// The page of the hostile contest. The first test that needs it makes it.
fn hostile_page() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| page_of(report, Strangers::Hostile))
}

fn page_of(report: impl Fn(&Folder, Strangers) -> PathBuf, strangers: Strangers) -> String {
    let folder = Folder::new();
    fs::read_to_string(report(&folder, strangers)).unwrap()
}

/// Every tag of a page with the names of its attributes, in order; what a `script` or `style` holds is no markup.
/// A write-up is built by its author, so of one only the element that holds it is kept; nor is a drawing, which long names
/// make another one.
fn tags(page: &str) -> Vec<String> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some(begin) = rest.find('<') {
        let end = begin + rest[begin..].find('>').expect("a tag ends");
        let tag = &rest[begin + 1..end];
        // Values may contain untrusted text; a quotation mark inside one is escaped.
        let skeleton: String = tag.split('"').step_by(2).collect::<Vec<_>>().join("\"");
        rest = &rest[end + 1..];
        let name = skeleton.split([' ', '\n']).next().unwrap().to_owned();
        if ["script", "style"].contains(&name.as_str()) {
            let close = format!("</{name}>");
            rest = &rest[rest.find(&close).expect("it is closed")..];
        }
        let ends_before = match name.as_str() {
            "svg" => Some("</svg>"),
            _ if tag.contains("class=\"write-up\"") => Some("</section>"),
            _ => None,
        };
        if let Some(end) = ends_before {
            rest = &rest[rest.find(end).expect("it is closed")..];
            tags.push(name);
        } else {
            tags.push(skeleton);
        }
    }
    tags
}

#[test]
#[ignore = "deep: siege"]
fn a_hostile_contest_has_the_page_of_its_harmless_twin() {
    assert_twins(hostile_page(), &page_of(report, Strangers::Harmless));
}

#[test]
#[ignore = "deep: siege"]
fn a_hostile_file_of_an_unknown_game_has_the_page_of_its_harmless_twin() {
    let [hostile, harmless] =
        [Strangers::Hostile, Strangers::Harmless].map(|strangers| page_of(report_of_unknown_game, strangers));
    assert_twins(&hostile, &harmless);
}

#[track_caller]
fn assert_twins(hostile: &str, harmless: &str) {
    let (tags, of_twin) = (tags(hostile), tags(harmless));
    assert!(tags.len() > 200, "there is a page to compare");
    let differ = tags.iter().zip(&of_twin).position(|(tag, of_twin)| tag != of_twin);
    assert_eq!(differ.map(|place| (&tags[place.saturating_sub(8)..=place], &of_twin[place])), None);
    assert_eq!(tags.len(), of_twin.len());

    // Characters that steer a terminal or turn the direction of a whole page do not come through.
    let controls_output = |c: char| c.is_control() && c != '\n' && c != '\t';
    assert_eq!(hostile.find(controls_output).map(|place| hostile[place..].chars().take(20).collect::<String>()), None);
    // Names without end are cut: about twelve of a megabyte, and as many more where tables repeat them.
    assert!(hostile.len() < harmless.len() + (1 << 20), "{} bytes", hostile.len());
}

#[test]
#[ignore = "deep: siege"]
fn the_policy_of_the_page_lets_only_its_own_script_through() {
    let page = hostile_page();
    let (_, policy) = page.split_once("http-equiv=\"Content-Security-Policy\" content=\"").unwrap();
    let policy = policy.split_once('"').unwrap().0.replace("&#39;", "'");
    for (number, directive) in policy.split("; ").enumerate() {
        let (name, sources) = directive.split_once(' ').unwrap();
        match name {
            "default-src" => assert_eq!((number, sources), (0, "'none'")),
            "base-uri" | "form-action" => assert_eq!(sources, "'none'"),
            "img-src" => assert_eq!(sources, "data:"),
            "script-src" | "style-src" => assert!(sources.split(' ').all(|source| source.starts_with("'sha256-"))),
            _ => panic!("{directive} was not thought of"),
        }
    }
    // It stands before anything that it could be meant for, and only one counts.
    let place = page.find("Content-Security-Policy").unwrap();
    assert!(["<style", "<script", "<title", "<body"].iter().all(|tag| page.find(tag).unwrap() > place));
}
