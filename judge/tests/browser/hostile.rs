//! Nothing in untrusted text runs in the page or breaks it.

use crate::contests::made_once;
use crate::hostile_contest::{self, BOARD, ENTRIES, EVIL, Strangers, report_of_unknown_game};
use crate::page::{OPENED, Page, address};
use crate::support::*;

/// A script that lists the elements of the page with their attribute names, but no texts and values. It ignores the
/// class of tables that fit, as names decide that. Write-ups, drawings and answers are listed without their contents:
/// an author decides the elements of a write-up, long names change a drawing, and the current move is marked in an
/// answer.
const STRUCTURE: &str = "
    const walk = element => element.matches('.write-up, figure svg, pre') ? [element.localName] : [
        [element.localName, element.id, element.getAttribute('class')?.replace(/ fits\\b/, ''), element.getAttributeNames().sort().join(' ')].join('|'),
        ...[...element.children].flatMap(walk), '/' + element.localName];
    return walk(document.documentElement)";

/// Puts the page of the hostile contest into a folder.
fn report(folder: &Folder, strangers: Strangers) -> PathBuf {
    let name = match strangers {
        Strangers::Hostile => "hostile",
        Strangers::Harmless => "harmless",
    };
    made_once(name, folder, |folder| hostile_contest::report(folder, strangers))
}

#[track_caller]
fn assert_untouched(page: &Page, address: &str) {
    assert_eq!(page.run("return window.ran === undefined"), json!(true), "{}", page.run("return window.ran"));
    assert_eq!(page.console(), Vec::<String>::new());
    assert!(page.requests().iter().all(|url| url == address), "only the page itself is requested");
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

/// Compares two lists and reports the first difference.
#[track_caller]
fn assert_same(hostile: &Value, harmless: &Value) {
    let [hostile, harmless] = [hostile, harmless].map(|tree| tree.as_array().unwrap());
    let differ = hostile.iter().zip(harmless).position(|(hostile, harmless)| hostile != harmless);
    let at = differ.map(|place| (&hostile[place.saturating_sub(8)..=place], &harmless[place]));
    assert_eq!(at, None, "the hostile page, then the same position in its twin");
    assert_eq!(hostile.len(), harmless.len());
}

#[test]
fn a_hostile_file_of_an_unknown_game_runs_nothing() {
    let folder = Folder::new();
    let file = report_of_unknown_game(&folder, Strangers::Hostile);
    let page = Page::open(&file);
    for cell in page.all("#standings a.cell") {
        cell.click();
        page.wait(OPENED);
        page.close_viewer();
    }
    assert_untouched(&page, &address(&file));
}

#[test]
fn the_output_of_an_entry_is_shown_as_text() {
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
        assert_built_of(&elements(&page, "#viewer pre *"), "mark span", "class");
        let control = |c: char| c.is_control() && !c.is_whitespace();
        assert!(!shown.contains(control), "{entry}: {shown:?}");
        page.close_viewer();
    }
    assert_untouched(&page, &address(&file));
}

/// Returns every element of a selector, with its attributes as `name=value`.
fn elements(page: &Page, css: &str) -> Vec<Vec<String>> {
    let script = format!(
        "return [...document.querySelectorAll({css:?})].map(element =>
            [element.localName, ...element.getAttributeNames().map(name => name + '=' + element.getAttribute(name))])"
    );
    serde_json::from_value(page.run(&script)).unwrap()
}

/// Checks that all elements and attributes are in these lists, except for links to the web.
#[track_caller]
fn assert_built_of(elements: &[Vec<String>], names: &str, attributes: &str) {
    for element in elements {
        let (name, its) = element.split_first().unwrap();
        assert!(names.split(' ').any(|allowed| allowed == name), "{element:?}");
        for attribute in its {
            let (name, value) = attribute.split_once('=').unwrap();
            let web = name == "href" && (value.starts_with("http://") || value.starts_with("https://"));
            assert!(web || attributes.split(' ').any(|allowed| allowed == name), "{element:?}");
        }
    }
}

#[test]
fn a_write_up_has_only_text_and_links_to_the_web() {
    let page = Page::made(|folder| report(folder, Strangers::Hostile));
    let of_write_ups = elements(&page, ".write-up div *");
    assert!(of_write_ups.len() > 50, "there are write-ups");
    let names = "h1 h2 h3 h4 h5 h6 p a em strong code pre ul ol li blockquote br hr table thead tbody tr th td";
    assert_built_of(&of_write_ups, names, "rel class dir start");
    // Markup that is not interpreted is still readable.
    let text = page.run("return document.querySelector('.write-up div').textContent");
    assert!(text.as_str().unwrap().contains("<script>window.ran = 'block'</script>"), "{text}");
}

#[test]
fn a_drawing_of_hostile_names_has_only_lines_and_text() {
    let page = Page::made(|folder| report(folder, Strangers::Hostile));
    let of_drawings = elements(&page, "figure svg, figure svg *");
    assert!(of_drawings.len() > 50, "there are drawings");
    let names = "svg title desc defs pattern g path line rect circle polyline polygon text tspan";
    let attributes = "id class data-of data-games xmlns viewBox role aria-label aria-labelledby aria-describedby aria-hidden color cx cy d \
                      dominant-baseline dy fill fill-opacity font-family font-size font-weight height opacity patternTransform patternUnits points r \
                      rx stroke stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity stroke-width text-anchor \
                      transform width x x1 x2 y y1 y2";
    assert_built_of(&of_drawings, names, attributes);
}
