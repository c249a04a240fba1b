//! The animation of the README: a real run on a terminal, as an SVG without a script.
//!
//!     PICTURE=$PWD/results/pictures/contest.svg cargo test -p judge --test cli animation -- --ignored
//!
//! writes it. Without PICTURE, the deep tier tests that it can be made.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::support::*;
use crate::terminal::{Styled, Terminal};

const ROWS: u16 = 30;
const COLUMNS: u16 = 100;
/// The size of a character's cell, in pixels.
const CELL: (f64, f64) = (7.2, 15.0);
/// How often the screen is looked at, and how long its last state stays.
const EVERY: Duration = Duration::from_millis(150);
const LAST: Duration = Duration::from_secs(6);
/// What takes longer has no place in a README.
const MAX_TIME: Duration = Duration::from_secs(120);
/// A contest that has not ended by then never will, however busy the machine is.
const NEVER: Duration = Duration::from_secs(3600);

/// A state of the screen, and when it appeared.
struct Frame {
    at: Duration,
    rows: Vec<Vec<Styled>>,
}

fn record(folder: &Folder) -> Vec<Frame> {
    let contest = project().join("contest.toml").display().to_string();
    let entries = "shufflemania,scrambloyd,dilloydemma,slowmotion,twobits,tilex,alphabits,slider,escort";
    let arguments = ["run", &contest, "--limit", "1s", "--entries", entries, "--out", "out"];
    let terminal = Terminal::sized(folder, ROWS, COLUMNS, arguments);
    let (begun, mut frames) = (Instant::now(), Vec::<Frame>::new());
    loop {
        let (rows, text) = (terminal.styled(), terminal.text());
        // The line of the shell is not part of it.
        let ended = text.contains("left with ");
        let rows: Vec<Vec<Styled>> =
            rows.into_iter().filter(|row| !row.iter().any(|styled| styled.text.starts_with("left with "))).collect();
        // It begins with the first line, not with an empty screen.
        let written = !frames.is_empty() || rows.iter().any(|row| !row.is_empty());
        if written && frames.last().is_none_or(|last| last.rows != rows) {
            frames.push(Frame { at: begun.elapsed(), rows });
        }
        if ended {
            assert!(text.contains("left with 0"), "{text}");
            return frames;
        }
        assert!(begun.elapsed() < NEVER, "{text}");
        std::thread::sleep(EVERY);
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// The frames side by side, as a strip that moves by one frame at a time. Equal lines are stored once. A reader who sees no
/// animation sees the last frame.
fn svg(frames: &[Frame]) -> String {
    let (width, height) = (CELL.0 * f64::from(COLUMNS) + 16.0, CELL.1 * f64::from(ROWS) + 16.0);
    let mut lines: HashMap<&[Styled], usize> = HashMap::new();
    let (mut stored, mut strip) = (String::new(), String::new());
    for (number, frame) in frames.iter().enumerate() {
        let left = width * f64::from(u32::try_from(number).unwrap());
        writeln!(strip, "<g transform=\"translate({left:.1})\">").unwrap();
        for (row, line) in frame.rows.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
            let next = lines.len();
            let id = *lines.entry(line).or_insert_with(|| {
                write!(stored, "<text id=\"l{next}\">").unwrap();
                for Styled { column, text, class } in line {
                    let x = 8.0 + CELL.0 * f64::from(*column);
                    let length = CELL.0 * f64::from(u32::try_from(text.chars().count()).unwrap());
                    let text = escaped(text);
                    write!(stored, "<tspan x=\"{x:.1}\" textLength=\"{length:.1}\" class=\"{class}\">{text}</tspan>")
                        .unwrap();
                }
                stored += "</text>\n";
                next
            });
            let y = 20.0 + CELL.1 * f64::from(u32::try_from(row).unwrap());
            writeln!(strip, "<use href=\"#l{id}\" y=\"{y:.0}\"/>").unwrap();
        }
        strip += "</g>\n";
    }
    let first = frames.first().unwrap().at;
    let all = (frames.last().unwrap().at - first + LAST).as_secs_f64();
    let moved = |number: usize| -width * f64::from(u32::try_from(number).unwrap());
    let mut steps = String::new();
    for (number, frame) in frames.iter().enumerate() {
        let percent = 100.0 * (frame.at - first).as_secs_f64() / all;
        writeln!(steps, "{percent:.3}% {{ transform: translateX({:.1}px) }}", moved(number)).unwrap();
    }
    let last = moved(frames.len() - 1);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
         aria-label=\"A contest on a terminal, from the first run to the standings\">
<style>
text {{ font: 12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #d8dee9; white-space: pre }}
.b {{ font-weight: bold }} .d {{ opacity: .6 }}
.c1 {{ fill: #e06c75 }} .c2 {{ fill: #98c379 }} .c3 {{ fill: #e5c07b }} .c4 {{ fill: #61afef }} .c5 {{ fill: #c678dd }}
.c6 {{ fill: #56b6c2 }}
.strip {{ transform: translateX({last:.1}px); animation: strip {all:.1}s steps(1, end) infinite }}
@keyframes strip {{
{steps}100% {{ transform: translateX({last:.1}px) }}
}}
@media (prefers-reduced-motion: reduce) {{ .strip {{ animation: none }} }}
</style>
<defs>
{stored}</defs>
<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e2430\"/>
<g class=\"strip\">
{strip}</g>
</svg>
"
    )
}

#[test]
#[ignore = "deep: documents"]
fn animation_of_a_contest() {
    let frames = record(&Folder::new());
    let text = svg(&frames);
    assert!(frames.len() > 10 && text.len() < 500_000, "{} frames, {} bytes", frames.len(), text.len());
    if let Some(picture) = std::env::var_os("PICTURE") {
        assert!(frames.last().unwrap().at < MAX_TIME, "the machine is busy");
        fs::write(picture, text).unwrap();
    }
}

#[test]
fn frames_show_each_line_in_its_place() {
    let styled = |text: &str, class: &'static str| Styled { column: 2, text: text.into(), class: class.into() };
    let same = vec![styled("a < b", "c1 b")];
    let frames = [
        Frame { at: Duration::ZERO, rows: vec![same.clone(), vec![]] },
        Frame { at: Duration::from_secs(2), rows: vec![vec![styled("later", "")], same] },
    ];
    let text = svg(&frames);
    assert_eq!(text.matches("a &lt; b").count(), 1);
    assert_eq!(text.matches("href=\"#l0\"").count(), 2);
    // Two of eight seconds have passed at the second frame, which is one width to the right.
    assert!(text.contains("25.000% { transform: translateX(-736.0px) }"), "{text}");
}
