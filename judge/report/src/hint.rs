//! The command's texts for the remedies of errors and findings, which the libraries name as data.

use std::path::Path;

use crate::directory;
use judge_core::hint::Hint;
use judge_files::near::did_you_mean;

/// The placeholder for a results directory in messages that do not belong to a directory.
const NO_DIRECTORY: &str = "DIR";

/// A results directory as the argument of a command that a message proposes.
pub(crate) fn argument(results: Option<&Path>) -> String {
    results.map_or(NO_DIRECTORY.into(), directory::argument)
}

/// The text of a remedy, for the end of a message. It names the results directory if the message belongs to one.
fn words(way: &Hint, results: Option<&Path>) -> String {
    let directory = argument(results);
    let with_near = |text: &str, missing: &Path| format!("{text}{}", did_you_mean(missing));
    let text = match way {
        Hint::ContinueOrMove => "; continue it with `judge resume`, or name another directory",
        Hint::ListResults { missing } => return with_near("; `judge runs` lists results directories", missing),
        Hint::JudgeSubmissions { contest } => {
            return format!("; judge its submissions with `judge office judge {}`", argument(Some(contest)));
        }
        Hint::RunAgain { results } => {
            return format!(", and repeat the runs with `judge resume {}`", argument(Some(results)));
        }
        Hint::Convert { results } => {
            return format!("; `judge convert {}` converts it to the present form", argument(Some(results)));
        }
        Hint::DropLine => return format!("; `judge resume {directory}` removes it"),
        Hint::RewriteTable => {
            return format!("; `judge resume {directory}` writes results.csv from the journal");
        }
        Hint::Rejudge => return format!("; `judge rejudge {directory}` referees all answers by the present one"),
        Hint::RejudgeFirst => return format!("; run `judge rejudge {directory}` first, or add --rejudge"),
        Hint::Update => return format!("; `judge update {directory}` makes its runs again"),
        Hint::AskReferee => return format!("; `judge rejudge {directory} --dry-run` asks it again"),
        Hint::RepeatSuspect => "; --repeat-suspect repeats such runs",
        Hint::PublishedHash => "; give the published hash with --hash",
        Hint::NewContest { missing } => {
            return with_near("; name a contest file, or create one with `judge init DIR`", missing);
        }
        Hint::NewBoard { missing } => return with_near("; make boards with `judge boards make`", missing),
        Hint::BoardsFromFiles => "; make them with `judge boards make` and use --on",
        Hint::NameProblem { problems } => return format!("; name one with --problem: {}", problems.join(", ")),
        Hint::Seal => "; `judge seal FILE` prints the first, `sha256sum FILE` the digits of the second",
        Hint::OtherResults => ", or put the results elsewhere with --out",
        Hint::HiddenResults => "; without --out, `judge run` chooses a name that cannot",
        Hint::AllowLinks => "; allow links into a folder with --links FOLDER",
        Hint::GenerateData => "; the package's generators make them with `judge import --generate`",
        Hint::ConvertPolygon { package } => {
            let package = argument(Some(package));
            return format!(": `pipx run p2d --yes --code A -o A.zip {package}`, then unpack A.zip");
        }
        Hint::MakeReadable => "; make more readable with --readable PATH, or everything with --isolation off",
        Hint::RememberElsewhere => "; name another folder with --remember DIR",
        Hint::OtherVersion => "; omit --against, or try it again",
        Hint::BeginOffice => "; begin one with `judge team add`",
        Hint::NameFigures => "; name them with `judge rank`, for example --figure progress=more,moves=less",
        _ => "",
    };
    text.to_owned()
}

/// A text followed by its remedy, if it has one. Commands have a placeholder instead of a results directory;
/// [`with_hint_for`] names the directory.
pub fn with_hint(text: impl std::fmt::Display, way: Option<&Hint>) -> String {
    with_hint_for(text, way, None)
}

/// A text about results, followed by its remedy, if it has one. Commands name the results directory, if there is one.
pub fn with_hint_for(text: impl std::fmt::Display, way: Option<&Hint>, results: Option<&Path>) -> String {
    format!("{text}{}", way.map(|way| words(way, results)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_the_results_directory_for_a_shell() {
        let results = Path::new("my runs/1");
        for (way, message) in [
            (Hint::DropLine, "judge resume 'my runs/1'"),
            (Hint::RewriteTable, "judge resume 'my runs/1'"),
            (Hint::Rejudge, "judge rejudge 'my runs/1'"),
            (Hint::RejudgeFirst, "judge rejudge 'my runs/1'"),
            (Hint::Update, "judge update 'my runs/1'"),
            (Hint::AskReferee, "judge rejudge 'my runs/1' --dry-run"),
            (Hint::Convert { results: results.to_owned() }, "judge convert 'my runs/1'"),
            (Hint::JudgeSubmissions { contest: results.to_owned() }, "judge office judge 'my runs/1'"),
            (Hint::RunAgain { results: results.to_owned() }, "judge resume 'my runs/1'"),
        ] {
            let text = with_hint_for("text", Some(&way), Some(results));
            assert!(text.starts_with("text") && text.contains(&format!("`{message}`")), "{text}");
        }
        assert!(with_hint("text", Some(&Hint::Rejudge)).contains("`judge rejudge DIR`"), "of no directory");
        assert_eq!(with_hint_for("text", None, Some(results)), "text");
    }
}
