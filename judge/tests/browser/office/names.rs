//! Long names on a small phone: they wrap, and leave room for the table.

use super::*;
use crate::site::{several, tokens_of};

/// A small phone.
const PHONE: (u32, u32) = (360, 780);

#[test]
fn names_of_45_letters_do_not_break_a_phone() {
    let (folder, _) = club(&["ada"]);
    let (long, school) = ("a".repeat(45), "Institute_of_Unbreakable_Words_and_Very_Long_Names");
    folder.file("teams.csv", format!("team,organisation,group\n{long},{school},{}\n", "Juniors".repeat(5)));
    folder.judge(["team", "add", "club", "--csv", "teams.csv"]).exits(0);
    let source = "main".repeat(10) + ".c";
    folder.file(&source, SOLVES);
    for problems in [1, 2] {
        let mut submit = vec!["office", "submit", "club", &long, &source];
        if problems > 1 {
            // Another contest with the same teams.
            std::fs::remove_dir_all(folder.path().join("club/results")).unwrap();
            std::fs::remove_dir_all(folder.path().join("club/office")).unwrap();
            several(
                &folder,
                "Two",
                &[("club", "Club"), ("other", "Another problem with a rather long name of its own")],
            );
            folder.judge(["team", "add", "club", "--csv", "teams.csv"]).exits(0);
            submit.extend(["--problem", "club"]);
        }
        let token = tokens_of(&folder.judge(["team", "renew", "club", &long]).exits(0).stdout).remove(0);
        folder.judge(submit).exits(0);
        folder.judge(["office", "judge", "club"]).exits(0);
        let site = Site::start(&folder, &[]);
        let page = Page::open_at(&format!("http://{}/enter#{token}", site.address));
        page.wait("return location.pathname === '/mine' && document.readyState === 'complete'");
        for (path, name) in [
            ("/board", "board"),
            ("/mine", "mine"),
            ("/submit", "submit"),
            ("/", "home"),
            ("/submissions/1", "submission"),
            ("/problems/club/board", "board-of-problem"),
        ] {
            page.goto(&format!("http://{}{path}", site.address));
            page.device(PHONE.0, PHONE.1);
            if let Some(folder) = env::var_os("PICTURES") {
                let path = std::path::Path::new(&folder).join(format!("names-{problems}-{name}.png"));
                fs::write(path, page.screenshot()).unwrap();
            }
            let wide = page.run("return document.documentElement.scrollWidth");
            assert!(wide.as_u64().is_some_and(|wide| wide <= u64::from(PHONE.0)), "{path} has {wide} pixels");
            // A table shows more than the names.
            let names =
                "[...document.querySelectorAll('tbody th[scope=row], tbody .name')].map((cell) => cell.offsetWidth)";
            let widest = page.run(&format!("return Math.max(0, ...{names})"));
            assert!(widest.as_f64().is_some_and(|widest| widest <= 180.0), "{path}: a name has {widest} pixels");
        }
        page.screen(1280, 900);
    }
}
