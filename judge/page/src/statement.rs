//! The problem statement on the page.

use bytesize::ByteSize;
use maud::{Markup, PreEscaped, html};

use super::markdown::markdown;
use judge_core::plan::Statement;

/// Renders a statement. A PDF file is named, because the page is one file.
pub(super) fn section(statement: &Statement) -> Markup {
    match statement {
        Statement::Markdown(text) => html! { div dir="auto" { (PreEscaped(markdown(text, 3))) } },
        Statement::Pdf(file) => html! {
            p { "It is a PDF file of " (ByteSize(file.bytes)) ": " code { "files/" (file.sha256) } " in the results directory." }
        },
    }
}

#[cfg(test)]
mod tests {
    use judge_core::plan::StoredFile;

    use super::*;

    #[test]
    fn a_statement_is_shown_and_a_file_is_named() {
        let shown = section(&Statement::Markdown("# Sums\nAdd <b>`a`</b>.".into())).into_string();
        assert_eq!(shown, "<div dir=\"auto\"><h3>Sums</h3>\n<p>Add &lt;b&gt;<code>a</code>&lt;/b&gt;.</p>\n</div>");
        let shown = section(&Statement::Pdf(StoredFile { sha256: "ab".into(), bytes: 2048 })).into_string();
        assert_eq!(shown, "<p>It is a PDF file of 2.0 KiB: <code>files/ab</code> in the results directory.</p>");
    }
}
