//! Standings and comparisons for papers: as Markdown and LaTeX, and the recipes for `results.csv`.

#![allow(clippy::disallowed_macros, reason = "a test says why it is skipped")]

use crate::support::*;

/// Runs of entries whose names mean something in Markdown and LaTeX.
const HOSTILE: &str = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n\
    a|b,X_1,solved,25,25,90,1,5,1000\n\
    50% & more,X_1,solved,25,25,91,1,5,1000\n\
    \\input{x},X_1,solved,25,25,92,1,5,1000\n\
    $x^2$ #1,X_1,solved,25,25,93,1,5,1000\n\
    **bold** <b>,X_1,solved,25,25,94,1,5,1000\n\
    [link](x) ~`_`,X_1,timed_out,0,25,,,5,1000\n";

/// The cells of the first table of a Markdown text, read by the rules of GitHub: a `|` ends a cell unless a backslash
/// stands in front of it.
fn markdown_table(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cells = |line: &str| {
        let (mut cells, mut cell, mut escaped) = (Vec::new(), String::new(), false);
        for character in line.chars().skip(1) {
            match character {
                '\\' if !escaped => escaped = true,
                '|' if !escaped => cells.push(std::mem::take(&mut cell).trim().to_owned()),
                _ => {
                    escaped = false;
                    cell.push(character);
                }
            }
        }
        cells.into_iter().map(|cell| cell.replace("&lt;", "<").replace("&amp;", "&")).collect()
    };
    lines.map(cells).collect()
}

#[test]
fn a_markdown_table_has_the_rows_and_figures_of_the_json() {
    let folder = Folder::new();
    folder.file("hostile.csv", HOSTILE);
    let recorded = project().join("results/1995-10s").display().to_string();
    for results in ["hostile.csv", &recorded] {
        let json = folder.judge(["rank", results, "--format", "json"]).exits(0).json();
        let text = folder.judge(["rank", results, "--format", "markdown"]).exits(0).stdout;
        let table = markdown_table(&text);
        let rows = json["entries"].as_array().unwrap();
        assert_eq!(table.len(), rows.len() + 2, "{text}");
        let column = |head: &str| table[0].iter().position(|cell| cell.starts_with(head)).unwrap();
        for (cells, row) in table[2..].iter().zip(rows) {
            assert_eq!(cells.len(), table[0].len(), "{text}");
            let name = cells[column("entry")].trim_end_matches(" †").to_owned();
            let place = row["place"].as_u64().map_or(String::new(), |place| place.to_string());
            assert_eq!((Some(&*name), &cells[0]), (row["entry"].as_str(), &place), "{text}");
            let total = cells[column("total")].split('/').map(|figure| figure.parse::<u64>().unwrap().to_string());
            let total: Vec<String> = total.collect();
            let known =
                ["progress", "moves", "tie_break"].map(|figure| row["total"]["figures"][figure].as_str().unwrap());
            assert_eq!(total, known, "{name}");
        }
    }
}

#[test]
fn every_document_of_recorded_results_is_a_paper_that_latex_sets() {
    let folder = Folder::new();
    folder.file("hostile.csv", HOSTILE);
    let [short, long] = ["1995-1s", "1995-10s"].map(|name| project().join("results").join(name).display().to_string());
    let commands: [&[&str]; 5] = [
        &["rank", "hostile.csv"],
        &["rank", &long],
        &["compare", "hostile.csv"],
        &["compare", "hostile.csv", "--pairs"],
        &["compare", &short, &long],
    ];
    let mut paper = String::from("\\documentclass{article}\n\\usepackage{booktabs,graphicx}\n\\begin{document}\n");
    for command in commands {
        let text = folder.judge(command.iter().copied().chain(["--format", "latex"])).exits(0).stdout;
        assert_eq!(text.matches("\\begin{tabular}").count(), text.matches("\\bottomrule\n\\end{tabular}%\n}%").count());
        assert!(text.contains("\\toprule") && !text.contains("\\input"), "{text}");
        // What helps only those who type commands is a comment, as are failures and notes on runs.
        let body = |line: &&str| !line.starts_with('%');
        let odd = text.lines().filter(body).find(|line| line.contains("-{}-") || line.contains(": not solved on "));
        assert_eq!(odd, None, "{text}");
        paper += &text;
    }
    paper += "\\end{document}\n";
    folder.file("paper.tex", &paper);
    let mut latex = Command::new("pdflatex");
    latex.args(["-interaction=nonstopmode", "-halt-on-error", "paper.tex"]).current_dir(folder.path());
    match latex.stdin(Stdio::null()).output() {
        Err(_) => eprintln!("skipped: no pdflatex"),
        Ok(output) => {
            let log = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && folder.path().join("paper.pdf").exists(), "{log}\n{paper}");
            assert!(!log.contains("Overfull"), "no table is wider than the page: {log}");
        }
    }
}

/// The program of a recipe: the code block below the heading with the name of the tool.
fn recipe(tool: &str) -> String {
    let page = std::fs::read_to_string(project().join("docs/recipes.md")).unwrap();
    let section = page.split("\n## ").find(|section| section.starts_with(&format!("{tool}\n"))).unwrap();
    let block = section.split("```").nth(1).unwrap();
    block.split_once('\n').unwrap().1.to_owned()
}

/// A Python that has a module.
fn python_with(module: &str) -> Option<String> {
    let look = format!("import importlib.util, sys; sys.exit(importlib.util.find_spec('{module}') is None)");
    let installed = ["python3", "/usr/bin/python3"].map(str::to_owned);
    std::env::var("CLIENTS_PYTHON")
        .into_iter()
        .chain(installed)
        .find(|python| Command::new(python).args(["-c", &look]).output().is_ok_and(|output| output.status.success()))
}

/// What a recipe prints is what `judge rank` has in JSON, for names that are like figures or missing values, too.
fn prints_the_totals_of_the_json(recipe: &str, begin: &[&str]) {
    let folder = Folder::new();
    copy_folder(&project().join("results/1995-10s"), &folder.path().join("runs/1"));
    let file = folder.path().join("runs/1/results.csv");
    let names = r#"entry,board,verdict,figures,full,wall_us,limit_ms
007,1,solved,"{""progress"":""25"",""moves"":""90"",""tie_break"":""1""}",25,5,1000
007,02,timed_out,,,5,1000
NA,1,solved,"{""progress"":""25"",""moves"":""91"",""tie_break"":""2""}",25,5,1000
NA,02,solved,"{""progress"":""25"",""moves"":""92"",""tie_break"":""3""}",25,5,1000
"#;
    for csv in [std::fs::read_to_string(&file).unwrap(), names.to_owned()] {
        std::fs::write(&file, csv).unwrap();
        let mut command = Command::new(begin[0]);
        let output = command.args(&begin[1..]).arg(recipe).current_dir(folder.path()).output().unwrap();
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        let mut sums: Vec<&str> = printed.lines().filter(|line| !line.is_empty()).collect();
        let json = folder.judge(["rank", "runs/1/results.csv", "--format", "json"]).exits(0).json();
        let figures = json["entries"].as_array().unwrap().iter().map(|row| {
            let total = ["progress", "moves", "tie_break"].map(|name| row["total"]["figures"][name].as_str().unwrap());
            format!("{},{}", row["entry"].as_str().unwrap(), total.join(","))
        });
        let mut figures: Vec<String> = figures.collect();
        sums.sort_unstable();
        figures.sort_unstable();
        assert_eq!(sums, figures, "{recipe}\n{printed}");
    }
}

#[test]
#[ignore = "deep: clients"]
fn the_recipe_for_pandas_prints_the_totals_of_the_json() {
    let python = python_with("pandas");
    assert!(python.is_some() || std::env::var_os("REQUIRE_PANDAS").is_none(), "no Python with pandas");
    let Some(python) = python else {
        eprintln!("skipped: no pandas");
        return;
    };
    prints_the_totals_of_the_json(&recipe("pandas"), &[&python, "-c"]);
}

#[test]
#[ignore = "deep: clients"]
fn the_recipe_for_r_prints_the_totals_of_the_json() {
    if Command::new("Rscript").arg("--version").output().is_err() {
        eprintln!("skipped: no Rscript");
        return;
    }
    prints_the_totals_of_the_json(&recipe("R"), &["Rscript", "-e"]);
}

#[test]
#[ignore = "deep: clients"]
fn the_recipe_for_duckdb_prints_the_totals_of_the_json() {
    let python = python_with("duckdb");
    assert!(python.is_some() || std::env::var_os("REQUIRE_DUCKDB").is_none(), "no Python with duckdb");
    if let Some(python) = python {
        let run = "import csv, duckdb, sys; rows = duckdb.sql(sys.argv[1]).fetchall(); \
                   csv.writer(sys.stdout, lineterminator='\\n').writerows(rows)";
        prints_the_totals_of_the_json(&recipe("DuckDB"), &[&python, "-c", run]);
    } else if Command::new("duckdb").arg("--version").output().is_ok() {
        prints_the_totals_of_the_json(&recipe("DuckDB"), &["duckdb", "-csv", "-noheader", "-c"]);
    } else {
        eprintln!("skipped: no duckdb");
    }
}
