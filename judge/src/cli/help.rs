//! The help of `judge` itself: its commands in groups.

use super::width;
use judge_report::layout::explained;

/// The most columns of the help.
pub(super) const WIDTH: usize = 100;

/// The commands, in groups by what a reader wants to do.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Run a contest", &["init", "check", "run", "resume", "update", "rejudge", "rule", "restore"]),
    (
        "Read results",
        &["runs", "rank", "games", "compare", "season", "report", "figure", "replay", "verify", "convert"],
    ),
    ("Write a solver", &["try", "validate"]),
    ("Make boards, import problem packages", &["boards", "seal", "import"]),
    ("Judge submissions of teams", &["serve", "team", "office"]),
    ("Set up", &["doctor", "completions", "man", "help"]),
];

/// The first commands for a new user.
const FIRST: &str = "  judge init my-contest                a small contest; its file explains every key
  judge run my-contest                 run it, and print the table
  judge try board.txt -- ./my-solver   run a solver as a contest does, and see where it fails
  judge help run                       the options of a command, with examples
";

/// The template of the help, with these commands.
pub(super) fn template(commands: clap::Command) -> String {
    let header = clap::builder::Styles::styled();
    let header = header.get_header();
    let mut text = format!("\n{header}Begin:{header:#}\n{FIRST}");
    for (group, names) in GROUPS {
        let commands = names.iter().filter_map(|name| Some((*name, about(&commands, name)?)));
        let lines: Vec<String> = commands
            .map(|(name, about)| explained(&format!("  {name:13}"), &about, Some(width().unwrap_or(WIDTH).min(WIDTH))))
            .collect();
        if !lines.is_empty() {
            text += &format!("\n{header}{group}:{header:#}\n{}\n", lines.join("\n"));
        }
    }
    format!("{{about}}\n\n{{usage-heading}} {{usage}}\n{text}\n{header}Options:{header:#}\n{{options}}{{after-help}}")
}

/// The sentence about a command; `None` if this `judge` was built without it.
fn about(commands: &clap::Command, name: &str) -> Option<String> {
    if name == "help" {
        return Some("Print the help of a command".into());
    }
    Some(commands.find_subcommand(name)?.get_about()?.to_string())
}

/// The example in a command's help that has the most options of these words and of the missing arguments. `None` if the
/// words name no command.
pub(super) fn example(cli: &clap::Command, words: &[String], missing: &[String]) -> Option<String> {
    let named = words.iter().try_fold(cli, |command, word| command.find_subcommand(word).ok_or(command));
    let (Ok(command) | Err(command)) = named;
    let help = command.get_after_help()?.to_string();
    let options: Vec<&str> = words.iter().chain(missing).filter_map(|word| word.split(['=', ' ']).next()).collect();
    let shared = |example: &str| {
        example.split(' ').filter(|word| word.starts_with("--") && word.len() > 2 && options.contains(word)).count()
    };
    let examples = help.lines().filter_map(|line| line.strip_prefix("  ").filter(|line| line.starts_with("judge ")));
    // Of equal ones the first, without its remark.
    let closest = examples.rev().max_by_key(|example| shared(example))?;
    Some(closest.split("   ").next().unwrap_or(closest).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let cli = <super::super::Cli as clap::CommandFactory>::command();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut commands: Vec<&str> =
            cli.get_subcommands().filter(|command| !command.is_hide_set()).map(clap::Command::get_name).collect();
        commands.push("help");
        grouped.sort_unstable();
        commands.sort_unstable();
        #[cfg(feature = "sandbox")]
        assert_eq!(grouped, commands);
        #[cfg(not(feature = "sandbox"))]
        assert!(commands.iter().all(|command| grouped.contains(command)));
    }
}
