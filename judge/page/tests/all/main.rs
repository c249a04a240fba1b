//! The example of the README, executed.

#[allow(dead_code, reason = "the test calls what `main` calls")]
#[path = "../../examples/page.rs"]
mod page;

#[test]
fn the_example_writes_the_page_of_a_table() {
    let csv = "entry,board,verdict,progress,full,moves,tie_break,limit_ms\n<b>,EASY,solved,25,25,12,1,10000\n";
    let mut html = Vec::new();
    page::page("results.csv", csv.as_bytes(), &mut html).expect("a file of runs");
    let html = String::from_utf8(html).expect("text");
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("&lt;b&gt;"), "names are escaped");
    assert!(page::page("results.csv", &b"nonsense\n"[..], &mut Vec::new()).is_err());
}
