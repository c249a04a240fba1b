//! Rows that the Programmer of the Month published, printed as they were, from a table and from a contest.
//!
//! The figures are facts of pages of 1993 to 1999; each month names its page.

use serde_json::{Value, json};

use crate::support::{Folder, entry};

/// A month: its figures, and the rows that were published.
struct Month {
    name: &'static str,
    /// `[[figure]]` and the lists, as a contest file has them.
    declared: &'static str,
    /// The figures and lists as the `declaration` of a table.
    declaration: fn() -> Value,
    boards: &'static [&'static str],
    rows: &'static [Row],
}

struct Row {
    entry: &'static str,
    /// What a referee gave on each board, by the names of figures.
    given: &'static [&'static [(&'static str, &'static str)]],
    /// The cells and totals as they were published.
    printed: &'static str,
    /// The totals of all figures in the order of their declaration, for a table: cells do not show all of them.
    totals: &'static str,
}

fn figure(name: &str, better: &str, more: &Value) -> Value {
    let mut figure = json!({"name": name, "better": better});
    figure.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    figure
}

const MONTHS: &[Month] = &[
    // potm.tripod.com/AIMLESS/whoami.html
    Month {
        name: "AIMLESS 8/96",
        declared: "[[figure]]\nname = \"moves\"\nbetter = \"more\"\n[[figure]]\nname = \"ups\"\nbetter = \"more\"\n",
        declaration: || {
            json!({"ranking": ["moves", "ups"], "scoring": {
                "figures": [
                    figure("moves", "more", &json!({})), figure("ups", "more", &json!({})),
                    figure("secs", "neither", &json!({"from": "time", "unit": 1_000_000})),
                ],
                "cell": ["moves", "ups"], "total": ["moves", "ups", "secs"],
            }})
        },
        boards: &["amaze.me", "multiplic", "potm.bldg"],
        rows: &[Row {
            entry: "Spelunker",
            given: &[
                &[("moves", "5768"), ("ups", "942")],
                &[("moves", "8320"), ("ups", "1316")],
                &[("moves", "8996"), ("ups", "1387")],
            ],
            printed: "5768/942 8320/1316 8996/1387 23084 3645",
            totals: "23084,3645,1771",
        }],
    },
    // potm.tripod.com/PEGGED/whoami.html
    Month {
        name: "PEGGED 4/97",
        declared: "[[figure]]\nname = \"moves\"\nbetter = \"less\"\n[[figure]]\nname = \"dist\"\nbetter = \"less\"\n",
        declaration: || {
            json!({"ranking": ["moves", "dist"], "scoring": {
                "figures": [figure("moves", "less", &json!({})), figure("dist", "less", &json!({}))],
            }})
        },
        boards: &["smiley", "ruler", "killer"],
        rows: &[Row {
            entry: "PegTheSnail",
            given: &[
                &[("moves", "734"), ("dist", "1")],
                &[("moves", "506"), ("dist", "0")],
                &[("moves", "528"), ("dist", "0")],
            ],
            printed: "734/1 506/0 528/0 1768 1",
            totals: "1768,1",
        }],
    },
    // potm.tripod.com/QUILTS/whoami.html
    Month {
        name: "QUILTS 12/98",
        declared: "[[figure]]\nname = \"RATIO\"\nbetter = \"more\"\ndecimals = 6\n[[figure]]\nname = \"COLS\"\nbetter = \"less\"\n\
                   [[figure]]\nname = \"AR\"\n[[figure]]\nname = \"PER\"\n[table]\ncell = [\"RATIO\"]\n\
                   total = [\"RATIO\", \"COLS\", \"AR\", \"PER\"]\n",
        declaration: || {
            json!({"ranking": ["RATIO", "COLS"], "scoring": {
                "figures": [
                    figure("RATIO", "more", &json!({"decimals": 6})), figure("COLS", "less", &json!({})),
                    figure("AR", "neither", &json!({})), figure("PER", "neither", &json!({})),
                ],
                "cell": ["RATIO"], "total": ["RATIO", "COLS", "AR", "PER"],
            }})
        },
        boards: &["final"],
        rows: &[Row {
            entry: "GrannysGhost",
            given: &[&[("RATIO", "7.3728813559"), ("COLS", "26"), ("AR", "870"), ("PER", "118")]],
            printed: "7.372881 7.372881 26 870 118",
            totals: "7.372881,26,870,118",
        }],
    },
    // potm.tripod.com/CROZZLE/whoami.html
    Month {
        name: "CROZZLE 4/96",
        declared: "[[figure]]\nname = \"words\"\nbetter = \"more\"\n[[figure]]\nname = \"conns\"\nbetter = \"more\"\n\
                   [[figure]]\nname = \"lettr\"\nbetter = \"more\"\n",
        declaration: || {
            json!({"ranking": ["words", "conns", "lettr"], "scoring": {
                "figures": [
                    figure("words", "more", &json!({})), figure("conns", "more", &json!({})),
                    figure("lettr", "more", &json!({})),
                    figure("secs", "less", &json!({"from": "time", "unit": 1_000_000, "decimals": 2})),
                ],
                "cell": ["words", "conns", "lettr"], "total": ["words", "conns", "lettr", "secs"],
            }})
        },
        boards: &["page"],
        rows: &[Row {
            entry: "jigsaw",
            given: &[&[("words", "212"), ("conns", "280"), ("lettr", "646")]],
            printed: "212/280/646 212 280 646",
            totals: "212,280,646,794.83",
        }],
    },
    // potm.tripod.com/POWERSAW/best.answers.html: the differences are cut, not rounded.
    Month {
        name: "POWERSAW 9/99",
        declared: "[[figure]]\nname = \"diff\"\nbetter = \"less\"\nround = \"down\"\n",
        declaration: || json!({"ranking": ["diff"], "scoring": {"figures": [figure("diff", "less", &json!({"round": "down"}))]}}),
        boards: &["sliver", "midway", "950"],
        rows: &[Row {
            entry: "Yalta",
            given: &[&[("diff", "275.882")], &[("diff", "7.581")], &[("diff", "23.384")]],
            printed: "275 7 23 305",
            totals: "305",
        }],
    },
];

/// The table of a contest that was executed: the line of each entry in the layout of 1995, as words.
fn lines(folder: &Folder, results: &str) -> Vec<String> {
    let plain = folder.judge(["rank", results, "--format", "plain"]).exits(0).stdout;
    let lines = plain.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn a_table_prints_the_rows_that_were_published() {
    for month in MONTHS {
        let folder = Folder::new();
        let names: Vec<String> = (month.declaration)()["scoring"]["figures"]
            .as_array()
            .unwrap()
            .iter()
            .map(|figure| figure["name"].as_str().unwrap().to_owned())
            .collect();
        let mut csv = format!("entry,{},{},total_ms,declaration\n", month.boards.join(","), names.join(","));
        let declaration = (month.declaration)().to_string().replace('"', "\"\"");
        for row in month.rows {
            let cells: Vec<&str> = row.printed.split(' ').take(month.boards.len()).collect();
            csv += &format!("{},{},{},,\"{declaration}\"\n", row.entry, cells.join(","), row.totals);
        }
        folder.file("table.csv", csv);
        let found = lines(&folder, "table.csv");
        for (row, line) in month.rows.iter().zip(&found) {
            let begins = format!("{} {}", row.entry, row.printed);
            assert!(line.starts_with(&begins), "{}: {line}", month.name);
        }
        // What is written is read again.
        folder.file("again.csv", folder.judge(["rank", "table.csv", "--format", "csv"]).exits(0).stdout);
        assert_eq!(lines(&folder, "again.csv"), found, "{}", month.name);
    }
}

#[test]
fn a_contest_prints_the_rows_that_were_published() {
    for month in MONTHS {
        let folder = Folder::new();
        folder.script("referee", "cp \"$2\" \"$3/ruling.json\"");
        let mut text = format!(
            "name = \"{}\"\ngame = \"external\"\nlimit = \"10s\"\nisolation = \"off\"\n[referee]\nprotocol = \"native\"\n\
             command = \"./referee\"\n{}",
            month.name, month.declared
        );
        for (number, board) in month.boards.iter().enumerate() {
            folder.file(&format!("{number}.txt"), format!("{number}\n"));
            text += &format!("[[board]]\nname = \"{board}\"\nfile = \"{number}.txt\"\n");
        }
        for row in month.rows {
            let ruling = |given: &[(&str, &str)]| {
                let figures: serde_json::Map<String, Value> =
                    given.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
                json!({"format": 1, "verdict": "valid", "figures": figures}).to_string()
            };
            let cases = row.given.iter().enumerate();
            let cases: String =
                cases.map(|(number, given)| format!("{number}) echo '{}' ;;\n", ruling(given))).collect();
            folder.script(&format!("{}.sh", row.entry), &format!("read -r n <\"$1\"\ncase $n in\n{cases}esac"));
            text += &entry(row.entry, &[&format!("./{}.sh", row.entry)]);
        }
        folder.file("contest.toml", text);
        folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
        for (row, line) in month.rows.iter().zip(lines(&folder, "out")) {
            assert!(line.starts_with(&format!("{} {}", row.entry, row.printed)), "{}: {line}", month.name);
        }
    }
}

/// ODOMETERFUN 1993 and RESET 12/96: characters of the source plus hundredths of a second of CPU time.
/// potm.tripod.com/ODOMETERFUN/whoami.html, potm.tripod.com/RESET/SUMM1-13.html
#[test]
fn the_size_of_the_source_and_cpu_time_make_a_figure_that_decides() {
    let declared = json!({"ranking": ["score1", "score2"], "scoring": {
        "figures": [
            figure("score1", "more", &json!({})),
            figure("chars", "neither", &json!({"from": "size", "total": "max"})),
            figure("hsec", "neither", &json!({"from": "cpu", "unit": 10_000, "round": "down"})),
            figure("score2", "less", &json!({"from": {"add": [["chars", "1"], ["hsec", "1"]]}})),
        ],
        "total": ["score1", "score2", "chars", "hsec"],
    }});
    let folder = Folder::new();
    let rows = [
        ("Miles_Ahead", 1_879_997, 1328, 1195, 2523),
        ("heres_a_shot", 1_879_997, 1860, 443, 2303),
        ("driveL", 1_879_997, 232, 42, 274),
    ];
    let run = |(entry, score, chars, hsec, _): &(&str, u64, u64, u64, u64)| {
        let scoring = declared["scoring"].to_string().replace('"', "\"\"");
        let figures = format!("{{\"\"score1\"\":\"\"{score}\"\"}}");
        format!(
            "{entry},readings,valid,\"{figures}\",{chars},{},600000,600000000,\"{scoring}\",score1 score2\n",
            hsec * 10_000 + 9_999
        )
    };
    let head = "entry,board,verdict,figures,size,cpu_us,limit_ms,wall_us,scoring,ranking\n";
    folder.file("runs.csv", head.to_owned() + &rows.iter().map(run).collect::<String>());
    let expected: Vec<String> = rows
        .iter()
        .rev()
        .map(|(entry, score, chars, hsec, both)| format!("{entry} {score} {score} {both} {chars} {hsec}"))
        .collect();
    folder.file("table.csv", folder.judge(["rank", "runs.csv", "--format", "csv"]).exits(0).stdout);
    for results in ["runs.csv", "table.csv"] {
        for (line, expected) in lines(&folder, results).iter().zip(&expected) {
            assert!(line.starts_with(expected), "{results}: {line}");
        }
    }
    // In a contest the size is that of the source, once, however many boards there are.
    folder.script(
        "referee",
        "echo '{\"format\":1,\"verdict\":\"valid\",\"figures\":{\"score\":1000}}' >\"$3/ruling.json\"",
    );
    folder.file("odometer.txt", "1\n");
    folder.script("odomatic", "echo 1");
    folder.file("odomatic.c", "x".repeat(405));
    let mut text = "name = \"ODOMETERFUN\"\ngame = \"external\"\nlimit = \"10s\"\nisolation = \"off\"\n[referee]\n\
                    protocol = \"native\"\ncommand = \"./referee\"\n[[figure]]\nname = \"score\"\nbetter = \"more\"\n\
                    [[figure]]\nname = \"chars\"\nfrom = \"size\"\ntotal = \"max\"\n\
                    [[figure]]\nname = \"hsec\"\nfrom = \"cpu\"\nunit = \"10ms\"\nround = \"down\"\n\
                    [[figure]]\nname = \"score2\"\nbetter = \"less\"\nadd = { chars = 1, hsec = 1 }\n\
                    [ranking]\norder = [\"score\", \"score2\"]\n"
        .to_owned();
    for board in ["A", "B"] {
        text += &format!("[[board]]\nname = \"{board}\"\nfile = \"odometer.txt\"\n");
    }
    let source = |files: &str| entry("odomatic", &["./odomatic"]) + &format!("source = [{files}]\n");
    folder.file("contest.toml", text.clone() + &source("\"odomatic.c\""));
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    for results in ["out", "out/results.csv"] {
        let json = folder.judge(["rank", results, "--format", "json"]).exits(0).json();
        let total = &json["entries"][0]["total"]["figures"];
        let number = |name: &str| total[name].as_str().unwrap().parse::<u64>().unwrap();
        assert_eq!((number("score"), number("chars")), (2000, 405), "{json}");
        assert_eq!(number("score2"), 405 + number("hsec"), "{json}");
        assert_eq!(json["ranking"], json!(["score", "solved", "failed", "score2"]));
    }
    folder.file("contest.toml", text + &source("\"none.c\""));
    let refused = folder.judge(["check"]).exits(2).message();
    assert!(refused.contains("entry odomatic") && refused.contains("none.c"), "{refused}");
}
