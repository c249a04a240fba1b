//! Links, forms, styles and scripts of all pages lead somewhere.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::*;
use crate::site::second_problem;

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
    for contests in [&["club"][..], &["club", "second"]] {
        let (folder, tokens) = club(&["ada"]);
        second_problem(&folder, "second", "Second");
        for text in ["int main( {", SOLVES] {
            folder.file("main.c", text);
            folder.judge(["office", "submit", "club", "ada", "main.c"]).exits(0);
        }
        folder.judge(["office", "judge", "club"]).exits(0);
        folder.judge(["office", "freeze", "club"]).exits(0);
        folder.judge(["office", "thaw", "club"]).exits(0);
        let site = Site::of(&folder, contests, &[]);
        let (ada, organiser) = (site.with(&tokens[0]), site.with(site.organiser.as_ref().unwrap()));
        let below = if contests.len() > 1 { "/problems/club" } else { "" };
        for (visitor, wanted) in [
            (&site.visitor(), &["/board", "/enter"][..]),
            (&ada, &["/clarifications", "/submissions/2/replay", "/submissions/2/answers/NEAR"]),
            (&organiser, &["/office/clock", "/office/submissions/2/diff/1", "/office/contest"]),
        ] {
            let codes = followed(visitor);
            let nowhere: Vec<&String> = codes.iter().filter(|(_, code)| **code == 404).map(|(path, _)| path).collect();
            assert!(nowhere.is_empty(), "{contests:?}: {nowhere:?}");
            // The form serves all problems.
            let form = if wanted.contains(&"/clarifications") { "/submit" } else { "/script.js" };
            for path in
                wanted.iter().map(|path| format!("{below}{path}")).chain(["/style.css", form].map(str::to_owned))
            {
                // A form is sent by POST.
                let code = codes.get(&path).copied();
                assert!(matches!(code, Some(200 | 405)), "{contests:?}: {path} is {code:?} of {codes:?}");
            }
        }
    }
}
