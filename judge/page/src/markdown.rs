//! Markdown of an author as HTML: headings, lists, tables, code. Markup in it stays text, and nothing is fetched.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

use judge_core::text::printable_lines;

/// The most characters of a text.
const MAX: usize = 64 * 1024;

/// Renders a text in Markdown as harmless HTML, up to a maximum number of characters. Its headings begin at level `top`, from 1
/// to 6.
pub fn markdown(text: &str, top: usize) -> String {
    let cut = text.char_indices().nth(MAX).map(|(end, _)| end);
    let shown = printable_lines(&text[..cut.unwrap_or(text.len())]);
    let mut rendered = String::new();
    let mut no_link = false;
    let events = Parser::new_ext(&shown, Options::ENABLE_TABLES).filter_map(|event| harmless(event, top, &mut no_link));
    html::push_html(&mut rendered, events);
    if cut.is_some() {
        rendered.push_str("<p>… the rest of this text is left out.</p>");
    }
    rendered
}

/// Returns the event if it is safe on the page, or a safe form of it, or `None`. `no_link` is true until the end of a
/// removed link.
fn harmless<'a>(event: Event<'a>, top: usize, no_link: &mut bool) -> Option<Event<'a>> {
    Some(match event {
        // Cleaned again, as an entity such as `&#x202e;` becomes a character only here.
        Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => Event::Text(shown(&text)),
        Event::Code(text) => Event::Code(shown(&text)),
        // An image would be fetched; its description stays.
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => return None,
        Event::Start(Tag::Link { dest_url, .. }) if is_web(&dest_url) => {
            let nothing = CowStr::Borrowed("");
            Event::Start(Tag::Link { link_type: LinkType::Inline, dest_url, title: nothing.clone(), id: nothing })
        }
        Event::Start(Tag::Link { .. }) => {
            *no_link = true;
            return None;
        }
        Event::End(TagEnd::Link) if std::mem::take(no_link) => return None,
        // Code is not coloured, so the language after a fence is dropped.
        Event::Start(Tag::CodeBlock(_)) => Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)),
        // Headings are below the heading of the whole text.
        Event::Start(Tag::Heading { level, .. }) => {
            Event::Start(Tag::Heading { level: below(level, top), id: None, classes: Vec::new(), attrs: Vec::new() })
        }
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(below(level, top))),
        other => other,
    })
}

fn shown<'a>(text: &str) -> CowStr<'a> {
    printable_lines(text).into_owned().into()
}

/// The level of a heading. Levels 1 and 2 become `top`, as many texts use level 1 only for their title.
fn below(level: HeadingLevel, top: usize) -> HeadingLevel {
    HeadingLevel::try_from(top + (level as usize).max(2) - 2).unwrap_or(HeadingLevel::H6)
}

fn is_web(address: &str) -> bool {
    let scheme = address.split(':').next().unwrap_or_default();
    address.contains("://") && ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_that_could_run_or_be_fetched_becomes_text() {
        let rendered = |text: &str| markdown(text, 4);
        assert_eq!(rendered("<script>alert(1)</script>"), "&lt;script&gt;alert(1)&lt;/script&gt;");
        assert_eq!(rendered("a <b onclick=x>c</b>"), "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n");
        assert_eq!(rendered("![x](http://a/b.png)"), "<p>x</p>\n");
        assert_eq!(rendered("[x](https://a/b \"t\")"), "<p><a href=\"https://a/b\">x</a></p>\n");
        for address in
            ["javascript:alert(1)", "JaVaScRiPt://%0aalert(1)", "data:text/html,x", "file:///etc/passwd", "//a/b"]
        {
            assert_eq!(rendered(&format!("[x]({address})")), "<p>x</p>\n", "{address}");
        }
        assert_eq!(rendered("# a"), "<h4>a</h4>\n");
        assert_eq!(markdown("# a\n## b\n### c\n###### d", 2), "<h2>a</h2>\n<h2>b</h2>\n<h3>c</h3>\n<h6>d</h6>\n");
        assert_eq!(rendered("###### a"), "<h6>a</h6>\n");
        assert_eq!(rendered("a\u{1b}[2J"), "<p>a\u{fffd}[2J</p>\n");
        // An entity is harmless, too.
        let fenced = "```&#x202e;\n\t&#x202e;\u{202e}\n```";
        assert_eq!(rendered(fenced), "<pre><code>\t&amp;#x202e;\u{fffd}\n</code></pre>\n");
        assert_eq!(
            rendered("a&#x202e;&#8238;&#27;b `\u{9b}`"),
            "<p>a\u{fffd}\u{fffd}\u{fffd}b <code>\u{fffd}</code></p>\n"
        );
    }

    #[test]
    fn an_endless_text_is_cut_with_a_note() {
        let rendered = markdown(&"word ".repeat(1 << 20), 4);
        assert!(rendered.len() < 2 * MAX && rendered.ends_with("left out.</p>"), "{}", rendered.len());
    }
}
