//! `judge rank` on the published table of 1995.

use crate::support::{Folder, project};

/// The twenty data lines as they were published in April 1995.
const PUBLISHED: &str = "\
shufflemania 25/94 25/89 25/98 25/90 25/82 125/0453/062 2928770ms
scrambloyd 25/86 25/87 25/94 25/84 25/78 125/0429/065 1050890ms
dilloydemma 25/104 25/95 25/112 25/104 25/82 125/0497/078 2985100ms
slowmotion 25/112 25/99 25/116 25/110 25/96 125/0533/089 1260620ms
O+PTM_rtll 25/116 25/115 25/128 25/100 25/92 125/0551/090 3000170ms
pinkfLoyd 25/136 25/125 25/128 25/116 25/102 125/0607/092 970690ms
dubious 25/132 25/131 25/140 25/130 25/94 125/0627/102 2116180ms
twobits 25/144 25/137 25/154 25/140 25/136 125/0711/141 710ms
tilex 25/158 25/171 25/182 25/166 25/140 125/0817/136 370ms
Nilssonized 25/290 25/387 25/236 25/250 25/264 125/1427/158 78090ms
alphabits 20/144 25/119 25/144 25/150 25/138 120/0695/149 647000ms
lwr 25/268 25/277 0/ILL 25/258 25/266 105/1069/085 1490ms
slider 25/102 25/91 25/104 25/88 0/TIM 100/0385/051 1485830ms
bittwister 25/110 0/TIM 25/112 25/122 25/106 100/0450/088 799780ms
ramduf 25/154 25/141 0/TIM 25/114 25/136 100/0545/078 1436190ms
Brute.Force 0/TIM 25/231 25/276 25/246 25/208 100/0961/096 622600ms
escort 25/216 15/122 14/171 14/172 25/174 093/0855/109 430ms
snails-pace 16/202 11/88 16/202 18/202 15/202 076/0896/124 2461550ms
10.pound.sledge 25/160 0/TIM 25/148 25/142 0/TIM 075/0450/088 2369780ms
detangler 0/ILL 0/ILL 25/230 0/TIM 25/254 062/0484/053 1034530ms
";

fn published() -> String {
    project().join("results/published-1995.csv").display().to_string()
}

/// Runs of blanks become one.
fn squeezed(text: &str) -> String {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[test]
fn the_published_table_comes_out_line_for_line() {
    let printed = Folder::new().judge(["rank", &published(), "--format", "plain"]).exits(0);
    assert_eq!(squeezed(&printed.stdout), PUBLISHED);
    assert_eq!(printed.stderr, "");
}

#[test]
fn the_order_comes_from_the_figures_and_not_from_the_file() {
    let text = std::fs::read_to_string(published()).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1..].reverse();
    let printed = Folder::new().judge(["rank", "-", "--format", "plain"]).stdin(lines.join("\n")).exits(0);
    assert_eq!(squeezed(&printed.stdout), PUBLISHED);
}
