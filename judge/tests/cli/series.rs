//! The months of the series in `contests/potm`: published rows, pages and boards, referees, and their second programs.

use crate::second_opinion::has_python;
use crate::support::*;

/// The months, by their folders.
const MONTHS: &str = "aimless chomp crozzle elbonia-lottery inverse-boggle loaps moo numbersgame nuts-alone nuts-for-all odometerfun pahtum pegged powersaw quilts reset scenic-tour suitcase wordsearch";

fn months() -> std::str::Split<'static, char> {
    MONTHS.split(' ')
}

#[test]
fn every_month_is_a_contest_to_start_from() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    for month in months() {
        folder.judge(["init", "--like", month, month]).exits(0);
        let checked = folder.judge(["check", month]).exits(0).stdout;
        assert!(checked.ends_with("no problem found\n"), "{month}: {checked}");
    }
    let refused = folder.judge(["init", "--like", "pegged", "pegged"]).exits(2).message();
    assert!(refused.contains("pegged/contest.toml: already exists; name another folder"), "{refused}");
}

/// The rows of the gallery, `docs/puzzles.md`: picture, puzzle, kind and keys.
fn gallery() -> Vec<Vec<String>> {
    let page = fs::read_to_string(project().join("docs/puzzles.md")).unwrap();
    let rows = page.lines().filter(|line| line.contains("](gallery/"));
    rows.map(|row| row.trim_matches(['|', ' ']).split(" | ").map(str::to_owned).collect()).collect()
}

/// The parts of a text between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_page_of_each_month_names_its_sources_and_its_contest_the_origin_of_each_board() {
    let mut series = csv::Reader::from_path(project().join("contests/potm/series.csv")).unwrap();
    let heads = series.headers().unwrap().clone();
    let at = |name: &str| heads.iter().position(|head| head == name).unwrap();
    let mut read = 0;
    for month in series.records().map(Result::unwrap).filter(|month| months().any(|name| name == &month[at("folder")]))
    {
        let file = |name: &str| fs::read_to_string(folder_of(&month[at("folder")]).join(name)).unwrap();
        let (page, contest) = (file("README.md"), file("contest.toml"));
        for source in month[at("sources")].split(' ') {
            assert!(page.contains(&format!("`{source}`")), "{}: {source}", &month[at("month")]);
        }
        let (_, boards) = contest.split_once("[[board]]").unwrap();
        let (boards, entries) = boards.split_once("[[entry]]").unwrap();
        for board in boards.split("[[board]]") {
            assert!(board.contains("note = \""), "{}: {board}", &month[at("month")]);
        }
        let entries: Vec<&str> = entries.split("[[entry]]").collect();
        assert!(entries.len() > 1 && entries.iter().all(|entry| entry.contains("strategy = \"")), "{entries:?}");
        read += 1;
    }
    assert_eq!(read, months().count());
}

#[test]
fn the_gallery_shows_each_puzzle_with_its_picture_and_keys() {
    let folders = fs::read_dir(project().join("contests/potm")).unwrap().map(|item| item.unwrap());
    let folders = folders.filter(|item| item.path().is_dir()).map(|item| item.file_name().into_string().unwrap());
    assert_eq!(folders.collect::<BTreeSet<_>>(), months().map(str::to_owned).collect());
    let mut shown = Vec::new();
    for row in gallery() {
        let [picture, puzzle, kind, keys] = &row[..] else { panic!("four columns: {row:?}") };
        let inside = |text: &str, from: &str| text.split_once(from).unwrap().1.split(')').next().unwrap().to_owned();
        let picture = inside(picture, "](");
        let name = picture.strip_prefix("gallery/").unwrap().strip_suffix(".svg").unwrap().to_owned();
        let svg = fs::read_to_string(project().join("docs").join(&picture)).unwrap();
        assert!(svg.len() < 8 << 10, "{picture} has {} bytes", svg.len());
        assert!(svg.starts_with("<svg ") && svg.contains("prefers-color-scheme:dark"), "{picture}");
        assert!(
            ["<script", "href", "url(", "<image", "onload"].iter().all(|active| !svg.contains(active)),
            "{picture}"
        );
        let month = months().any(|month| month == name);
        let page = inside(puzzle, "](");
        let contest = if month { page.replace("README.md", "contest.toml") } else { page };
        assert!(!month || contest == format!("../contests/potm/{name}/contest.toml"), "{row:?}");
        let contest = fs::read_to_string(project().join("docs").join(contest)).unwrap();
        for key in quoted(keys) {
            let sets = |line: &str| line == key || line.split(" = ").next() == Some(key);
            assert!(contest.lines().any(sets), "{name} has no {key}");
        }
        assert!(!quoted(keys).is_empty() && kind.len() > 20, "{row:?}");
        shown.push(name);
    }
    assert_eq!(shown[0], "loyd", "LOYD is the first thing a reader meets");
    let games = judge_core::games::GAMES.iter().map(|game| game.name);
    assert_eq!(shown.iter().map(|name| &**name).collect::<BTreeSet<_>>(), games.chain(months()).collect());
    assert_eq!(shown.len(), months().count() + judge_core::games::GAMES.len(), "{shown:?}");
}

/// What `judge rank` prints of a published row, without the column of times where none was published.
const PUBLISHED: [(&str, &str); 13] = [
    ("aimless", "Spelunker 5768/942 8320/1316 8996/1387 23084 3645 1771"),
    ("crozzle", "jigsaw 212/280/646 212 280 646 794.83"),
    ("elbonia-lottery", "LOTO_WINNER 9/642 9 642"),
    ("inverse-boggle", "SnakePit 352/81 352 81 601.35"),
    ("moo", "SplitMoo 7 9 8 24"),
    ("odometerfun", "odomatic 1000 1000 494 405 89"),
    ("pegged", "PegTheSnail 734/1 506/0 528/0 1768 1"),
    ("powersaw", "Yalta 275/42/277.241/1.359 7/22/458.643/451.062 23/22/475.103/451.719 305"),
    ("quilts", "GrannysGhost 7.372881/26/870/118 7.372881 26 870 118 594.64"),
    ("reset", "driveL 1879997 1879997 274 232 42"),
    ("reset", "heres_a_shot 1879997 1879997 2303 1860 443"),
    ("reset", "Miles_Ahead 1879997 1879997 2523 1328 1195"),
    ("wordsearch", "Genetic_grouper 1215/230 1215 230"),
];

fn folder_of(month: &str) -> PathBuf {
    project().join("contests/potm").join(month)
}

/// The output of a Python program of the project.
fn python(program: &str, args: &[&str]) -> String {
    let mut command = Command::new("python3");
    command.arg("-B").arg(project().join(program)).args(args).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The cells of a table CSV: per entry its name and the columns of boards, without their names.
fn cells(table: &str) -> Vec<Vec<String>> {
    let mut lines = table.lines();
    let heads: Vec<&str> = lines.next().unwrap().split(',').collect();
    let first = heads.iter().position(|head| *head == "competing").unwrap() + 1;
    let boards = heads[first..].iter().take_while(|head| head.chars().any(char::is_uppercase)).count();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for line in lines {
        let columns: Vec<&str> = line.split(',').collect();
        rows.push([&columns[1..2], &columns[first..first + boards]].concat().into_iter().map(str::to_owned).collect());
    }
    rows.sort();
    rows
}

/// The lines of the layout of 1995, as words.
fn lines(folder: &Folder, results: &str) -> Vec<String> {
    let plain = folder.judge(["rank", results, "--format", "plain"]).exits(0).stdout;
    let lines = plain.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn published_rows_print_as_published() {
    let folder = Folder::new();
    for (month, row) in PUBLISHED {
        let table = project().join(format!("results/potm/{month}-published.csv")).display().to_string();
        let found = lines(&folder, &table);
        assert!(found.iter().any(|line| line.starts_with(row)), "{month}: {row}\n{found:?}");
        // What is written is read again.
        folder.file("again.csv", folder.judge(["rank", &table, "--format", "csv"]).exits(0).stdout);
        assert_eq!(lines(&folder, "again.csv"), found, "{month}");
    }
}

/// A contest whose referee gives the figures of the published cells of a month, and the rows that it should print. Figures that
/// the judge measures are left out.
fn contest_of(folder: &Folder, month: &str) -> Vec<String> {
    let path = project().join(format!("results/potm/{month}-published.csv"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    let heads = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let at = |name: &str| (0..heads.len()).rev().find(|&column| heads[column] == *name).unwrap();
    let declared: Value = serde_json::from_str(&rows[0][at("declaration")]).unwrap();
    let scoring = &declared["scoring"];
    let all = scoring["figures"].as_array().unwrap();
    let boards = at("competing") + 1..at(all[0]["name"].as_str().unwrap());
    let given: Vec<&Value> = all.iter().filter(|figure| figure.get("from").is_none()).collect();
    let gives = |name: &&Value| given.iter().any(|figure| figure["name"] == **name);
    let [cell, total] = ["cell", "total"].map(|key| scoring[key].as_array().unwrap().iter().filter(gives));
    let [cell, total]: [Vec<&Value>; 2] = [cell.collect(), total.collect()];
    let mut text = format!(
        "name = \"{month}\"\ngame = \"external\"\nlimit = \"10s\"\nisolation = \"off\"\n[referee]\n\
         protocol = \"native\"\ncommand = \"./referee\"\n[table]\ncell = {}\ntotal = {}\n",
        json!(cell),
        json!(total)
    );
    for figure in &given {
        text += "[[figure]]\n";
        for (key, value) in figure.as_object().unwrap() {
            text += &format!("{key} = {value}\n");
        }
    }
    folder.script("referee", "cp \"$2\" \"$3/ruling.json\"");
    for column in boards.clone() {
        folder.file(&format!("{column}.txt"), format!("{column}\n"));
        text += &format!("[[board]]\nname = \"{}\"\nfile = \"{column}.txt\"\n", &heads[column]);
    }
    let mut expected = Vec::new();
    for row in &rows {
        let name = &row[at("entry")];
        let ruling = |column: usize| {
            let figures = scoring["cell"].as_array().unwrap().iter().zip(row[column].split('/'));
            let figures = figures.filter(|(name, _)| gives(name)).map(|(name, value)| {
                // What is cut loses any further digits.
                let cut = given.iter().any(|figure| figure["name"] == *name && figure["round"] == "down");
                let more = if value.contains('.') { "99" } else { ".99" };
                (name.as_str().unwrap().to_owned(), json!(format!("{value}{}", if cut { more } else { "" })))
            });
            let figures: serde_json::Map<String, Value> = figures.collect();
            json!({"format": 1, "verdict": "valid", "figures": figures}).to_string()
        };
        let cases = boards.clone().map(|column| format!("{column}) echo '{}' ;;\n", ruling(column)));
        folder.script(
            &format!("{name}.sh"),
            &format!("read -r n <\"$1\"\ncase $n in\n{}esac", cases.collect::<String>()),
        );
        text += &entry(name, &[&format!("./{name}.sh")]);
        let totals = total.iter().map(|name| row[at(name.as_str().unwrap())].to_owned());
        let words =
            [name.to_owned()].into_iter().chain(boards.clone().map(|board| row[board].to_owned())).chain(totals);
        expected.push(words.collect::<Vec<_>>().join(" "));
    }
    folder.file("contest.toml", text);
    expected
}

#[test]
fn a_contest_prints_the_rows_that_were_published() {
    let months: BTreeSet<&str> = PUBLISHED.iter().map(|(month, _)| *month).collect();
    for month in months {
        let folder = Folder::new();
        let expected = contest_of(&folder, month);
        folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
        let found = lines(&folder, "out");
        for row in &expected {
            assert!(found.iter().any(|line| line.starts_with(row)), "{month}: {row}\n{found:?}");
        }
    }
}

#[test]
fn pictures_boards_and_tables_of_the_series_are_what_their_programs_make() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let results = project().join("results/potm");
    for month in months() {
        folder.file(&format!("{month}.csv"), fs::read(results.join(format!("{month}.csv"))).unwrap());
    }
    python("contests/potm/series.py", &[folder.path().to_str().unwrap()]);
    for (month, _) in PUBLISHED {
        let name = format!("{month}-published.csv");
        assert!(folder.read(&name) == fs::read_to_string(results.join(&name)).unwrap(), "{name}");
    }
    python("contests/potm/pictures.py", &[folder.path().to_str().unwrap()]);
    for row in gallery() {
        let name = row[0].split("gallery/").nth(1).unwrap().trim_end_matches(')');
        assert!(folder.read(name) == fs::read_to_string(project().join("docs/gallery").join(name)).unwrap(), "{name}");
    }
    let mut made = 0;
    for month in months() {
        for board in fs::read_dir(folder_of(month).join("boards")).unwrap().map(|item| item.unwrap().path()) {
            let name = board.file_stem().unwrap().to_str().unwrap();
            if let Some(seed) = name.strip_prefix("seed-") {
                let again = python(&format!("contests/potm/{month}/referee.py"), &["make", seed]);
                assert!(again == fs::read_to_string(&board).unwrap(), "{month}: {name}");
                made += 1;
            }
        }
    }
    assert!(made > 20, "{made} boards");
}

#[test]
fn referees_of_the_series_rule() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let rules = |month: &str, board: &str, answer: &str, code: i32| {
        let contest = folder_of(month).display().to_string();
        let run = folder.judge(["validate", "--contest", &contest, board, answer]).exits(code);
        run.stdout + &run.stderr
    };
    let shortest = "2,2e 2,3s 2,6s 3,6w 4,2n 3,2e 3,4e 3,6s";
    assert!(rules("pegged", "APART", shortest, 0).contains("moves 8, dist 4"));
    // The board without a solution, and a set of tickets that misses a draw.
    assert!(rules("suitcase", "WITHOUT", "none", 0).contains("moves 0"));
    assert!(rules("suitcase", "SEED-5", "none", 1).contains("there is a way"));
    assert!(rules("elbonia-lottery", "N37", "1 2 3 4 5 6 7", 1).contains("the draw 31 32 33 34 35 36 37 has fewer"));
    assert!(rules("nuts-alone", "SEED-1", "7 12", 1).contains("33 nuts are left after 1 moves"));
    // No line but the first, which cuts the wood into areas of 4950 and 5050.
    assert!(rules("powersaw", "SEED-1", "", 0).contains("diff 100, pieces 2, largest 5050.000, smallest 4950.000"));
}

#[test]
fn recorded_months_are_whole_and_have_the_tables_beside_them() {
    let folder = Folder::new();
    for month in months() {
        let results = project().join("results/potm").join(month).display().to_string();
        folder.judge(["verify", &results]).exits(0);
        let table = folder.judge(["rank", &results, "--format", "csv"]).exits(0).stdout;
        assert!(table == fs::read_to_string(format!("{results}.csv")).unwrap(), "{month}: {table}");
        let page = fs::read_to_string(format!("{results}/report.html")).unwrap();
        assert!(cells(&table).iter().all(|row| page.contains(&row[0])), "{month}");
    }
}

#[test]
#[ignore = "deep: documents"]
fn the_recorded_tables_of_the_series_are_those_of_their_contests() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    for month in months() {
        let contest = folder_of(month).display().to_string();
        folder.judge(["run", &contest, "--out", month, "--progress", "none", "--format", "plain"]).exits(0);
        let table = folder.judge(["rank", month, "--format", "csv"]).exits(0).stdout;
        let recorded = fs::read_to_string(project().join(format!("results/potm/{month}.csv"))).unwrap();
        assert_eq!(cells(&table), cells(&recorded), "{month}");
    }
}

#[test]
#[ignore = "deep: proofs"]
fn the_small_proofs_of_the_series_are_found_again() {
    if !has_python() {
        return;
    }
    let proofs = python("contests/potm/proofs.py", &[]);
    assert_eq!(proofs, fs::read_to_string(project().join("contests/potm/proofs.txt")).unwrap());
}

/// True if a program can be started.
fn there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|run| run.status.success())
}

/// The number of months, of these or of all, whose referee and second checker agree on this many answers or games each.
fn agreeing(count: &str, months: &[&str]) -> usize {
    let (folder, contests) = (Folder::new(), project().join("contests/potm"));
    let args = [&[contests.to_str().unwrap(), folder.path().to_str().unwrap(), count][..], months].concat();
    let printed = python("judge/tests/potm/compare.py", &args);
    printed.matches(", no difference\n").count()
}

#[test]
#[ignore = "deep: oracles"]
fn second_checkers_of_the_series_agree_with_the_referees() {
    if !has_python() || !there("cc") || !there("perl") {
        return;
    }
    assert_eq!(agreeing("300", &[]), months().count());
}

#[test]
fn second_checkers_agree_on_some_games() {
    if !has_python() || !there("cc") || !there("perl") {
        return;
    }
    let months = ["chomp", "loaps", "numbersgame", "nuts-for-all", "pahtum"];
    assert_eq!(agreeing("120", &months), months.len());
}

/// A figure of a declaration in JSON.
fn figure(name: &str, better: &str, more: &Value) -> Value {
    let mut figure = json!({"name": name, "better": better});
    figure.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    figure
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
    folder.judge(["check"]).exits(2).says(["entry odomatic", "none.c"]);
}
