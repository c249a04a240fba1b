//! A results page, as a browser would see its structure.

/// The elements of a page and of the drawings in it. Nothing that a file contains makes another one.
const ELEMENTS: &[&str] = &[
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "header",
    "main",
    "footer",
    "section",
    "nav",
    "div",
    "span",
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "a",
    "bdi",
    "abbr",
    "em",
    "strong",
    "small",
    "code",
    "pre",
    "kbd",
    "del",
    "sup",
    "br",
    "hr",
    "blockquote",
    "table",
    "caption",
    "thead",
    "tbody",
    "tfoot",
    "tr",
    "th",
    "td",
    "colgroup",
    "col",
    "details",
    "summary",
    "figure",
    "figcaption",
    "dialog",
    "button",
    "label",
    "input",
    "select",
    "option",
    "output",
    "time",
    "template",
    "script",
    "noscript",
    "svg",
    "g",
    "path",
    "pattern",
    "circle",
    "rect",
    "line",
    "text",
    "tspan",
    "desc",
    "defs",
    "use",
    "mark",
];
/// Attributes with coordinates and sizes.
const PLACES: &[&str] = &["d", "x", "y", "cx", "cy", "r", "width", "height", "viewbox", "transform", "stroke-width"];
/// The widest and the highest drawing, in pixels, whatever the figures in it are.
const LARGEST: f64 = 200_000.0;

/// Panics unless a page is inert and well-formed: known elements only, two scripts that are ours, no attribute that runs or
/// fetches something, no coordinate that is no number, and no character that steers.
pub(crate) fn check_page(page: &str) {
    let controls_output = page.chars().find(|&c| judge_core::text::controls_output(c) && c != '\n' && c != '\t');
    assert_eq!(controls_output, None, "a character that steers");
    let (mut rest, mut scripts) = (page, 0);
    while let Some(begin) = rest.find('<') {
        rest = &rest[begin + 1..];
        if let Some(after) = rest.strip_prefix("!DOCTYPE html>") {
            rest = after;
            continue;
        }
        let closing = rest.starts_with('/');
        let tag = rest.strip_prefix('/').unwrap_or(rest);
        let end = tag.find(|c: char| !c.is_ascii_alphanumeric()).expect("a tag ends");
        let name = &tag[..end];
        assert!(ELEMENTS.contains(&name), "element `{name}` in …{}", excerpt(rest));
        rest = check_attributes(name, &tag[end..]);
        if !closing && matches!(name, "script" | "style") {
            let close = format!("</{name}>");
            let end = rest.find(&close).expect("it is closed");
            if name == "script" {
                scripts += 1;
                if scripts == 1 {
                    serde_json::from_str::<serde_json::Value>(&rest[..end]).expect("the data are JSON");
                }
            }
            rest = &rest[end + close.len()..];
        }
    }
    assert_eq!(scripts, 2, "scripts");
}

/// Checks the attributes of a tag, and returns what follows the tag.
fn check_attributes<'p>(element: &str, mut rest: &'p str) -> &'p str {
    loop {
        rest = rest.trim_start_matches([' ', '\n', '/']);
        if let Some(after) = rest.strip_prefix('>') {
            return after;
        }
        let end = rest.find(['=', ' ', '>']).expect("an attribute ends");
        let name = rest[..end].to_ascii_lowercase();
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "-:".contains(c)), "attribute `{name}`");
        rest = &rest[end..];
        let Some(after) = rest.strip_prefix("=\"") else { continue };
        let (value, after) = after.split_once('"').expect("a value ends");
        rest = after;
        let runs =
            name.starts_with("on") || ["style", "src", "srcdoc", "srcset", "action", "formaction"].contains(&&*name);
        assert!(!runs, "attribute `{name}` of {element}: {}", excerpt(value));
        if name == "href" || name == "xlink:href" {
            let scheme = value.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
            let web = scheme.is_some_and(|scheme| ["http", "https"].contains(&&*scheme));
            assert!(value.starts_with('#') || web, "link to `{}`", excerpt(value));
        }
        if PLACES.contains(&&*name) {
            assert!(!value.contains("NaN") && !value.contains("inf"), "{name} of {element}: {}", excerpt(value));
        }
        if element == "svg" && (name == "width" || name == "height") {
            let size: f64 = value.parse().expect("a size is a number");
            assert!((1.0..=LARGEST).contains(&size), "{name} of a drawing is {size}");
        }
    }
}

fn excerpt(text: &str) -> String {
    text.chars().take(200).collect()
}
