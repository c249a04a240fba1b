//! Links, forms, styles and scripts of all pages have targets that exist.

use std::collections::VecDeque;

use super::*;
use crate::site::several;

use crate::support::*;

/// The addresses that a page names: those of links, files and forms, from the root of the site.
fn named(page: &str) -> BTreeSet<String> {
    let values = |name: &'static str| {
        page.split(name).skip(1).filter_map(|rest| rest.split('"').next()).map(|value| value.replace("&amp;", "&"))
    };
    let base = values("<base href=\"").next().unwrap();
    let all = values(" href=\"").chain(values(" src=\"")).chain(values(" action=\""));
    let own = all.filter(|value| !value.starts_with("data:") && !value.contains("://"));
    own.map(|value| match value.strip_prefix('/') {
        Some(_) => value,
        None => format!("{base}{}", value.trim_start_matches("./")),
    })
    .collect()
}

/// Follows all links from the first page on, and returns the addresses with their codes.
fn followed(visitor: &Visitor<'_>) -> BTreeMap<String, u16> {
    let (mut codes, mut open) = (BTreeMap::new(), VecDeque::from(["/".to_owned()]));
    while let Some(path) = open.pop_front() {
        if codes.contains_key(&path) {
            continue;
        }
        let answer = visitor.get(&path);
        codes.insert(path.clone(), answer.code);
        open.extend(answer.header("location"));
        // The page with the replays names no other page.
        if answer.body.contains("<base href=") {
            open.extend(named(&answer.body));
        }
    }
    codes
}

#[test]
fn no_link_form_style_or_script_leads_nowhere() {
    for problem in [None, Some("second")] {
        let (folder, tokens) = club(&["ada"]);
        if problem.is_some() {
            several(&folder, "Two", &[("first", "First"), ("second", "Second")]);
        }
        for text in ["int main( {", SOLVES] {
            folder.file("main.c", text);
            let named = problem.into_iter().flat_map(|id| ["--problem", id]);
            folder.judge(["office", "submit", "club", "ada", "main.c"].into_iter().chain(named)).exits(0);
        }
        folder.judge(["office", "judge", "club"]).exits(0);
        folder.judge(["office", "freeze", "club"]).exits(0);
        folder.judge(["office", "thaw", "club"]).exits(0);
        let site = Site::start(&folder, &[]);
        let (ada, organiser) = (site.with(&tokens[0]), site.with(site.organiser.as_ref().unwrap()));
        let answer = problem.map_or("NEAR".to_owned(), |id| format!("{id}%2FNEAR"));
        let answer = format!("/submissions/2/answers/{answer}");
        let of_problem = ["/problems/second/", "/problems/second/board", "/problems/second/board.csv"];
        let of_problem = if problem.is_some() { &of_problem[..] } else { &[] };
        for (visitor, wanted) in [
            (&site.visitor(), &["/board", "/enter"][..]),
            (&ada, &["/clarifications", "/submit", "/submissions/2/replay", &answer]),
            (&organiser, &["/office/clock", "/office/submissions/2/diff/1", "/office/contest"]),
        ] {
            let codes = followed(visitor);
            let nowhere: Vec<&String> = codes.iter().filter(|(_, code)| **code == 404).map(|(path, _)| path).collect();
            assert!(nowhere.is_empty(), "{problem:?}: {nowhere:?}");
            for path in wanted.iter().chain(of_problem).chain(&["/style.css", "/script.js"]) {
                // A form is sent by POST.
                let code = codes.get(*path).copied();
                assert!(matches!(code, Some(200 | 405)), "{problem:?}: {path} is {code:?} of {codes:?}");
            }
        }
    }
}
