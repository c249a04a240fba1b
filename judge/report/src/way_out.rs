//! The words of the command for ways out of errors and findings, which the libraries name as data.

use std::path::Path;

use judge_core::way_out::WayOut;
use judge_files::near::did_you_mean;

/// The way out in the words of the command, to be put at the end of a message.
fn words(way: &WayOut) -> String {
    let with_near = |text: &str, missing: &Path| format!("{text}{}", did_you_mean(missing));
    let text = match way {
        WayOut::ContinueOrMove => "; continue it with --resume, or name another directory",
        WayOut::ListResults { missing } => return with_near("; `judge runs` lists results directories", missing),
        WayOut::RunAgain { results } => {
            let results = results.display().to_string();
            return format!(", and repeat the runs with `judge run --resume {}`", shell_words::quote(&results));
        }
        WayOut::DropLine => "; `judge run --resume` removes it",
        WayOut::RewriteTable => "; `judge run --resume` writes results.csv from the journal",
        WayOut::Rejudge => "; `judge rejudge DIR` referees all answers by the present one",
        WayOut::RejudgeFirst => "; run `judge rejudge DIR` first, or add --rejudge",
        WayOut::AskReferee => "; `judge rejudge --dry-run` asks it again",
        WayOut::RepeatSuspect => "; --repeat-suspect repeats such runs",
        WayOut::PublishedHash => "; give the published hash with --hash",
        WayOut::NewContest { missing } => {
            return with_near("; name a contest file, or create one with `judge init DIR`", missing);
        }
        WayOut::NewBoard { missing } => return with_near("; make boards with `judge boards make`", missing),
        WayOut::BoardsFromFiles => "; make them with `judge boards make` and use --on",
        WayOut::Seal => "; `judge seal FILE` prints the first, `sha256sum FILE` the digits of the second",
        WayOut::OtherResults => ", or put the results elsewhere with --out",
        WayOut::AllowLinks => "; allow links into a folder with --links FOLDER",
        _ => "",
    };
    text.to_owned()
}

/// A text with the words for its way out, if it has one.
pub fn with_way_out(text: impl std::fmt::Display, way: Option<&WayOut>) -> String {
    format!("{text}{}", way.map(words).unwrap_or_default())
}
