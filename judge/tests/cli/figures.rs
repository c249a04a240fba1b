//! `judge figure`: a figure of the page as a file.

use crate::support::*;

fn recorded(name: &str) -> String {
    project().join("results").join(name).display().to_string()
}

#[test]
#[ignore = "deep: documents"]
fn every_figure_of_the_page_can_be_written_alone() {
    let folder = Folder::new();
    let [short, long] = ["1995-1s", "1995-10s"].map(recorded);
    let page = folder.judge(["report", &short, &long, "-o", "-"]).exits(0).stdout;
    let ids = page.split("<figure id=\"plot-").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
    let ids: Vec<String> = ids.collect();
    assert!(ids.len() >= 10 && ids.contains(&"changes".to_owned()), "{ids:?}");
    for id in &ids {
        let file = format!("{id}.svg");
        let printed = folder.judge(["figure", id, &short, &long, "-o", &file]).exits(0).stdout;
        assert_eq!(printed, format!("{file}\n"));
        let svg = folder.read(&file);
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>\n"), "{id}");
        // Complete without a style sheet, and without what only the page's script reads.
        assert!(svg.contains("color=\"#") && !svg.contains("data-games") && !svg.contains("var("), "{id}");
        assert!(svg.contains(&format!("<title id=\"plot-{id}-svg-title\">")), "{id}");
        assert_eq!(folder.judge(["figure", id, &short, &long]).exits(0).stdout, svg, "{id}");
    }
}

#[test]
#[ignore = "deep: documents"]
fn a_figure_that_is_not_there_is_refused_with_those_that_are() {
    let folder = Folder::new();
    let results = recorded("1995-10s");
    let refused = folder.judge(["figure", "cactuss", &results]).exits(2).stderr;
    let all = "race, scores, moves, gaps, profile, cactus, time, progress, portfolio, head-to-head";
    let message = format!("unknown figure `cactuss`; did you mean `cactus`? available: {all}");
    assert!(refused.contains(&message), "{refused}");
    let refused = folder.judge(["figure", "race", &results, "-o", "none/race.svg"]).exits(2).stderr;
    assert_eq!(refused, "judge: none/race.svg: no such folder; name a file in a folder that exists with -o\n");
}
