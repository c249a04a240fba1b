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

/// The template of the help, with these commands.
pub(super) fn template(commands: clap::Command) -> String {
    let (mut text, header) = (String::new(), clap::builder::Styles::styled());
    let header = header.get_header();
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
        #[cfg(all(feature = "sandbox", feature = "serve"))]
        assert_eq!(grouped, commands);
        #[cfg(not(all(feature = "sandbox", feature = "serve")))]
        assert!(commands.iter().all(|command| grouped.contains(command)));
    }
}
