//! Properties of all drawings: no invented values, no scripts, a size that can be mailed.

use super::{Curve, Plot, PlotData, Source, shown};
use judge_core::results::Results;

/// Creates the data from cells: moves of a solution, `16/202` for an answer short of the goal, a code, or `-`.
pub(super) fn plot_data(rows: &[(&str, &[&str])]) -> PlotData {
    PlotData::from_sources(&[source(rows)], Vec::new())
}

pub(super) fn source(rows: &[(&str, &[&str])]) -> Source {
    let boards: Vec<String> = (0..rows.first().map_or(0, |row| row.1.len())).map(|board| format!("B{board}")).collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = ["entry"].into_iter().chain(boards.iter().map(String::as_str));
    writer.write_record(head.chain(["tiles", "moves", "transports", "total_ms", "declaration"])).unwrap();
    // A table has the declaration once, in its first row.
    let declared =
        r#"{"ranking":["progress","solved","failed","moves","tie_break","unstarted","time"],"goals":[25]}"#.to_owned();
    let mut declarations = std::iter::once(declared).chain(std::iter::repeat(String::new()));
    for (name, cells) in rows {
        let cell = |cell: &&str| match cell.parse::<u64>() {
            Ok(moves) => format!("25/{moves}"),
            Err(_) if cell.contains('/') || *cell == "-" => (*cell).to_owned(),
            Err(_) => format!("0/{cell}"),
        };
        let cells = [(*name).to_owned()].into_iter().chain(cells.iter().map(cell));
        let totals = [const { String::new() }; 4].into_iter().chain(declarations.next());
        writer.write_record(cells.chain(totals)).unwrap();
    }
    let csv = writer.into_inner().unwrap();
    Source { name: "run".into(), results: Results::read_csv("test", &*csv).unwrap() }
}

/// Creates runs as in a journal, with times.
fn runs(entries: usize, boards: usize) -> Source {
    let mut csv = "game,limit_ms,entry,board,verdict,progress,full,moves,tie_break,wall_us\n".to_owned();
    for entry in 0..entries {
        for board in 0..boards {
            let (moves, time) = (80 + board * 7 % 90 + entry * (board % 5), 1000 + 17 * board + 900 * entry * entry);
            csv += &match (entry * 31 + board * 17) % 23 {
                0 => format!("loyd,2000,entry-{entry},board-{board},timed_out,,,,,2000000\n"),
                1 => format!("loyd,2000,entry-{entry},board-{board},unsolved,16,25,{moves},3,{time}\n"),
                _ => format!("loyd,2000,entry-{entry},board-{board},solved,25,25,{moves},3,{time}\n"),
            };
        }
    }
    Source { name: "run".into(), results: Results::read_csv("test", csv.as_bytes()).unwrap() }
}

fn curves(source: &Source) -> Vec<Curve> {
    let curve = |entry: &str, board: &str| Curve {
        source: source.name.clone(),
        entry: entry.into(),
        board: board.into(),
        progress: (0..120).map(|step| (step / 5).min(25)).chain([25]).collect(),
        stride: 1,
        of: 25,
    };
    let rows = source.results.rows.iter();
    rows.flat_map(|row| source.results.boards.iter().map(|board| curve(&row.entry.name, &board.name))).collect()
}

fn figures(sources: &[Source], curves: &[Curve]) -> Vec<Plot> {
    super::Plots::new(&sources.iter().collect::<Vec<_>>(), curves, &[]).figures
}

/// Checks figures: the drawing is XML with finite numbers, and the table is complete.
fn sound(figures: &[Plot]) {
    let often = figures.iter().filter(|figure| !["plot-changes", "plot-progress"].contains(&&*figure.id)).count();
    assert_eq!(often, 8);
    for figure in figures {
        let svg = figure.svg.0.as_str();
        assert!(
            svg.starts_with("<svg") && svg.ends_with("</svg>") && svg.matches("<svg").count() == 1,
            "{}",
            figure.id
        );
        for none in ["NaN", "inf", "style="] {
            assert!(!svg.contains(none), "{} contains {none}", figure.id);
        }
        well_formed(svg);
        assert!(figure.table.rows.iter().all(|row| row.len() == figure.table.head.len()), "{}", figure.id);
        // Two lines of a page.
        assert!(figure.caption.lead.chars().count() <= 170, "{}: {}", figure.id, figure.caption.lead);
    }
}

/// Checks that every element is closed, in order.
fn well_formed(svg: &str) {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None => open.push(tag.split(' ').next().unwrap()),
        }
    }
    assert_eq!(open, [] as [&str; 0]);
}

#[test]
fn any_results_have_figures() {
    sound(&figures(&[], &[]));
    sound(&figures(&[source(&[])], &[]));
    sound(&figures(&[source(&[("alone", &[])])], &[]));
    sound(&figures(&[source(&[("alone", &["10"])])], &[]));
    sound(&figures(&[source(&[("a", &["10"]), ("b", &["10"])])], &[]));
    sound(&figures(&[source(&[("a", &["0", "0"]), ("b", &["0", "7"])])], &[]));
    sound(&figures(&[source(&[("a", &["TIM", "-"]), ("b", &["JUD", "ILL"])])], &[]));
    sound(&figures(&[source(&[("long", &["9007199254740991"]), ("short", &["1"])])], &[]));
    for (entries, boards) in [(1, 1), (1, 30), (30, 1), (3, 5), (70, 3)] {
        let source = runs(entries, boards);
        sound(&figures(std::slice::from_ref(&source), &curves(&source)));
        sound(&figures(&[source.clone(), Source { name: "then".into(), ..source }], &[]));
    }
}

#[test]
fn an_empty_drawing_gives_its_reason() {
    let nothing = figures(&[source(&[("a", &["-"])])], &[]);
    assert!(nothing[0].svg.0.contains("Nothing to draw: no entry has a run on every board."));
    let figures = figures(&[source(&[("a", &["TIM"]), ("b", &["-"])])], &[]);
    let reason = |index: usize, what: &str| assert!(figures[index].svg.0.contains(what), "{}", figures[index].svg.0);
    reason(1, "Nothing to draw: no entry solved a board.");
    reason(3, "Nothing to draw: no entry solved a board.");
    reason(4, "Nothing to draw: no entry solved a board.");
    reason(5, "Nothing to draw: no times are known.");
    // Figures that need answers are left out.
    assert!(figures.iter().all(|figure| figure.id != "plot-progress"));
    // The timed-out run has its code, and the missing one is empty.
    assert_eq!(figures[1].table.rows, [["a", "TIM"], ["b", ""]]);
    assert_eq!(figures[2].table.rows, [["best here", "–"], ["a", "TIM"], ["b", ""]]);
}

#[test]
fn names_are_escaped() {
    let evil = "</text><script>alert(1)</script>\u{202E}\"' onload='x";
    let endless = "x".repeat(1_000_000);
    let source = source(&[(evil, &["10", "20"]), (&endless, &["12", "TIM"]), ("c", &["9", "30"])]);
    let mut source = source;
    for board in &mut source.results.boards {
        board.name = format!("{evil}{}", board.name);
    }
    let scoring = std::sync::Arc::make_mut(&mut source.results.scoring);
    scoring.figures.iter_mut().for_each(|figure| figure.title = Some(evil.to_owned().into()));
    let curves = curves(&source);
    let figures = figures(&[source], &curves);
    sound(&figures);
    for figure in figures {
        let svg = figure.svg.0;
        assert!(!svg.contains("<script") && !svg.contains('\u{202E}'), "{}", figure.id);
        assert!(svg.len() < 60_000, "{}: {} bytes", figure.id, svg.len());
        assert!(figure.table.rows.iter().flatten().all(|cell| cell.len() < 1_000));
    }
}

#[test]
fn entries_of_several_sources_have_qualified_names() {
    let now = runs(3, 5);
    let then = Source { name: "1995".into(), ..now.clone() };
    let data = PlotData::from_sources(&[now, then], Vec::new());
    let names: Vec<&str> = data.entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!((names.len(), names[0], names[3]), (6, "run:entry-1", "1995:entry-1"));
    // Their keys are those of the page's rows.
    let keys: Vec<&str> = data.entries.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys, ["0-0", "0-1", "0-2", "1-0", "1-1", "1-2"]);
}

#[test]
fn entries_and_boards_above_the_limits_are_left_out_with_a_note() {
    let (sources, notes) = shown(&[&runs(65, 2)]);
    assert_eq!(
        (sources[0].results.rows.len(), notes),
        (60, vec!["5 entries are further down the table not drawn.".into()])
    );
    let (sources, notes) = shown(&[&runs(2, 410)]);
    assert_eq!((sources[0].results.boards.len(), sources[0].results.rows[1].cells.len()), (400, 400));
    assert_eq!(notes, ["The first 400 of 410 boards are drawn."]);
}

#[test]
#[ignore = "deep: large"]
fn many_entries_on_many_boards_fit_a_page_that_can_be_mailed() {
    let source = runs(40, 200);
    let curves = curves(&source);
    let figures = figures(&[source], &curves);
    sound(&figures);
    let drawn: usize = figures.iter().map(|figure| figure.svg.0.len()).sum();
    let tables = figures.iter().flat_map(|figure| &figure.table.rows).flatten();
    let tables: usize = tables.map(|cell| cell.len() + "<td></td>".len()).sum();
    // A sixth of the 8 MiB that a page may have.
    assert!(drawn + tables < (8 << 20) / 6, "{drawn} bytes of drawings, {tables} of tables");
}

#[test]
fn boards_of_one_name_that_differ_are_two_with_a_warning() {
    let now = runs(3, 5);
    let mut then = Source { name: "1995".into(), ..now.clone() };
    then.results.boards[0].reconstruction = true;
    then.results.boards[0].known = Some(judge_core::plan::BestKnown { moves: 1, lower_bound: None });
    let data = PlotData::from_sources(&[now.clone(), then.clone()], Vec::new());
    let names: Vec<&str> = data.boards.iter().map(|board| board.name.as_str()).collect();
    assert_eq!(names, ["board-0 (run)", "board-1", "board-2", "board-3", "board-4", "board-0* (1995)"]);
    assert_eq!((data.boards[0].known, data.boards[5].known), (None, Some(1)));
    assert_eq!(data.warnings, ["Reconstructions in some results only, so possibly different boards: board-0."]);
    let plots = super::Plots::new(&[&now, &then], &[], &[]);
    assert_eq!(plots.warnings, data.warnings);
    for figure in &plots.figures {
        assert!(figure.caption.whole().contains(&data.warnings[0]), "{}: {}", figure.id, figure.caption.whole());
    }
}
