//! The talk of a run with its referee, in the viewer.

use crate::accessibility::assert_accessible;
use crate::contests::own_puzzle;
use crate::page::Page;
use crate::support::*;
use crate::webdriver::key;

/// Numbers of a selector.
fn count(page: &Page, css: &str) -> usize {
    page.all(css).len()
}

/// A page of entries with output that could harm a reader.
fn hostile(folder: &Folder) -> std::path::PathBuf {
    folder.script("referee", "cat > rest; cat rest; exit 42");
    folder.file("a.txt", "<b>board</b>\n");
    let mut contest = "name = \"Hostile\"\ngame = \"external\"\nlimit = \"20s\"\n[referee]\ncommand = \"referee\"\n\
                       protocol = \"kattis\"\ntalk = true\n[[board]]\nname = \"A\"\nfile = \"a.txt\"\n"
        .to_owned();
    for (name, script) in rows! {
        ("html", r#"echo '<img src=x onerror="document.title=1"><script>document.title=1</script></script>'; exec 1>&-"#),
        ("bytes", r"printf '\033[2J\000\377\376\342\200\256 end\n'; exec 1>&-"),
        ("long", "head -c 300000 /dev/zero | tr '\\000' x; exec 1>&-"),
        ("chatter", "for i in 1 2 3 4 5 6 7 8 9; do yes \"line $i\" | head -n 900; sleep 0.01; done; exec 1>&-"),
    } {
        folder.script(name, script);
        contest += &entry(name, &[name]);
    }
    folder.file("contest.toml", contest);
    folder.judge(["run", "--out", "results"]).exits(0);
    folder.judge(["report", "results"]).exits(0);
    folder.path().join("results/report.html")
}

#[test]
fn a_talk_stands_beside_its_positions() {
    let page = Page::made(|folder| own_puzzle(folder, "covered-tiles", "tile-by-tile", "3x3"));
    page.screen(1440, 900);
    page.open_cell("tile-by-tile", "3x3");
    assert!(count(&page, "#viewer .talk .from-referee") > 5 && count(&page, "#viewer .talk .from-entry") > 5);
    let beside = "const [board, talk] = ['.board', '.talk'].map(css => document.querySelector('#viewer ' + css).getBoundingClientRect()); return talk.left >= board.right && talk.top < innerHeight";
    assert_eq!(page.run(beside), json!(true));
    let about =
        page.run("return document.querySelector('#viewer .talk').parentElement.querySelector('.about').textContent");
    let about = about.as_str().unwrap();
    assert!(about.starts_with("Referee: ") && about.contains("; Entry: ") && about.contains(" of thinking"), "{about}");
    // The message that led to a position is marked, and moves with it.
    let now = || {
        page.run("return [...document.querySelectorAll('#viewer .talk li')].findIndex(one => one.matches('.now.from-entry'))")
    };
    page.press(&[key::HOME]);
    assert_eq!(now(), json!(-1));
    page.press(&[key::RIGHT]);
    let first = now().as_i64().unwrap();
    page.press(&[key::RIGHT, key::RIGHT]);
    assert!(first >= 0 && now().as_i64().unwrap() > first);
    // Keys in the search field do not move the replay.
    let at = page.at();
    page.run("document.querySelector('#viewer .search input').focus()");
    let shown = || {
        page.run("return [...document.querySelectorAll('#viewer .talk li')].filter(one => one.checkVisibility()).map(one => one.querySelector('pre').textContent)")
    };
    let all = shown().as_array().unwrap().len();
    let word = page
        .run("return document.querySelector('#viewer .from-entry pre').textContent.trim()")
        .as_str()
        .unwrap()
        .to_owned();
    page.press(&word.chars().map(String::from).collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>());
    let hits = shown();
    let hits = hits.as_array().unwrap();
    assert!(!hits.is_empty() && hits.len() < all, "{} of {all}", hits.len());
    assert!(hits.iter().all(|text| text.as_str().unwrap().contains(&word)), "{word}: {hits:?}");
    let message = page.find("#viewer .search output").text();
    assert_eq!(message, format!("{} of {all} messages", hits.len()));
    page.press(&[" ", key::HOME]);
    assert_eq!(page.at(), at, "the keys belong to the text field");
    assert_eq!(page.console(), Vec::<String>::new());
}

#[test]
fn a_talk_is_accessible() {
    let page = Page::made(|folder| own_puzzle(folder, "covered-tiles", "tile-by-tile", "3x3"));
    for scheme in ["light", "dark"] {
        page.colours(scheme);
        page.open_cell("tile-by-tile", "3x3");
        assert_accessible(&page, &format!("{scheme}, a talk"));
        page.press(&[key::END]);
        assert_accessible(&page, &format!("{scheme}, its last move"));
        page.close_viewer();
    }
    page.phone();
    page.open_cell("tile-by-tile", "3x3");
    assert_accessible(&page, "on a phone");
    let fits = "const { left, right } = document.querySelector('#viewer .talk').getBoundingClientRect(); return left >= 0 && right <= innerWidth";
    assert_eq!(page.run(fits), json!(true));
}

#[test]
fn hostile_messages_are_text() {
    let folder = Folder::new();
    let file = hostile(&folder);
    let page = Page::open(&file);
    let title = page.run("return document.title");
    for name in ["html", "bytes", "long", "chatter"] {
        page.open_cell(name, "A");
        assert!(count(&page, "#viewer .talk li") >= 2, "{name}");
        let names =
            "return [...new Set([...document.querySelectorAll('#viewer .talk *')].map(one => one.localName))].sort()";
        assert_eq!(page.run(names), json!(["b", "li", "ol", "pre", "small"]), "{name}");
        let text = page.run("return document.querySelector('#viewer .talk').textContent");
        let text = text.as_str().unwrap();
        let control = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!text.contains(control), "{name}: {:?}", text.chars().find(|&c| control(c)));
        match name {
            "html" => assert!(text.contains("<img src=x onerror=") && text.contains("</script>"), "{text}"),
            "bytes" => assert!(text.contains(" end"), "{text}"),
            _ => assert!(text.contains("left out") || text.contains("bytes more"), "{name}"),
        }
        page.close_viewer();
    }
    assert_eq!(page.run("return document.title"), title);
    assert_eq!(page.console(), Vec::<String>::new());
    // A page limits the size of dialogues.
    assert!(std::fs::metadata(file).unwrap().len() < 2 << 20);
}
