//! `judge team`: the teams that take part in a contest.

mod list;

use std::io::Write;
use std::path::{Path, PathBuf};

use super::office_folder::{clock, done, failure, judged, office_of, own_entries};
use super::{DONE, Done, Failure, notice};
use judge_contest::Contest;
use judge_core::date::Date;
use judge_core::text::printable;
use judge_files::regular;
use judge_office::Office;
use judge_office::people::Person;
use judge_office::token::Token;
use judge_report::layout::{Column, Grid};
use list::Teams;

/// The largest list of teams, in bytes.
const MAX_LIST_BYTES: u64 = 16 << 20;

/// The teams of a contest and their tokens
///
/// A team enters by its link, which ends with its token. It is printed once: the office stores only the token's hash.
/// Teams can be added and revoked at any time, even while other commands use the office.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    Add(Add),
    /// Give a team a new link; the earlier link becomes invalid
    Renew {
        /// Folder of the contest
        contest: PathBuf,

        /// Name of the team
        team: String,

        #[command(flatten)]
        links: Links,
    },
    /// Invalidate the link of a team; its submissions stay
    Revoke {
        /// Folder of the contest
        contest: PathBuf,

        /// Name of the team
        team: String,
    },
    /// Erase the name, the contact, the organisation and the group of a team; its submissions stay
    Forget {
        /// Folder of the contest
        contest: PathBuf,

        /// Name of the team
        team: String,
    },
    /// List the teams
    List {
        /// Folder of the contest
        contest: PathBuf,
    },
}

/// Add teams, and print an invitation link for each
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge team add my-contest ada bob cleo
  judge team add my-contest --csv teams.csv --url https://contest.example.org

A list is CSV with commas, semicolons or tabs, with the columns team, name and contact; without headings they are in this
order, and name and contact may be missing. With headings it can also have the columns organisation and group, which the
board shows. All this is in office/people.json, from which `judge team forget` erases it. Either all teams of a list are
added or none.")]
pub(super) struct Add {
    /// Folder of the contest
    contest: PathBuf,

    /// Names of the teams: letters, digits and _ + -
    #[arg(required_unless_present = "csv")]
    teams: Vec<String>,

    /// Add the teams of this CSV file
    #[arg(long, value_name = "FILE", conflicts_with = "teams")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    links: Links,
}

/// The address with which links begin.
#[derive(Debug, clap::Args)]
pub(super) struct Links {
    /// Address of the site as browsers have it; without it, links begin with the path
    #[arg(long, value_name = "URL", value_parser = address)]
    url: Option<String>,
}

impl Links {
    /// The link to a page that asks for a token. Browsers do not send the part after the `#`.
    pub(super) fn to(&self, page: &str, token: &Token) -> String {
        format!("{}/{page}#{token}", self.url.as_deref().unwrap_or_default())
    }

    /// Explains how to complete printed links that begin with a path.
    pub(super) fn explain(&self) {
        if self.url.is_none() {
            super::say("put the address of the site before each, as `judge serve` prints it, or use --url");
        }
    }
}

/// An address of a site, without a slash at its end.
fn address(text: &str) -> Result<String, String> {
    let address = text.strip_suffix('/').unwrap_or(text);
    let host = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    match host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '?', '#', '@', ' '])) {
        true => Ok(address.to_owned()),
        false => Err("expected an address such as https://contest.example.org".to_owned()),
    }
}

impl Command {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        match self {
            Self::Add(args) => args.execute(out),
            Self::Renew { contest, team, links } => {
                let token = open(&contest)?.renew_token(&team).map_err(failure)?;
                writeln!(out, "{team} {}", links.to("enter", &token))?;
                links.explain();
                Ok(DONE)
            }
            Self::Revoke { contest, team } => done(open(&contest)?.revoke(&team)),
            Self::Forget { contest, team } => done(open(&contest)?.forget(&team)),
            Self::List { contest } => list(&open(&contest)?, out),
        }
    }
}

impl Add {
    fn execute(self, out: &mut dyn Write) -> Done {
        let rows = match &self.csv {
            Some(file) => read(file)?,
            None => self.teams.into_iter().map(|team| (team, None)).collect(),
        };
        let folder = office_of(&self.contest)?;
        // Loaded before the office is created, so that a contest that cannot be judged gets none.
        let plan = match judged(&self.contest)? {
            Some(contents) => contents.plan.clone(),
            None => Contest::load_without_boards(&self.contest).map_err(Failure::input)?.plan,
        };
        let office = Office::create(&folder, clock()).map_err(failure)?.with_entries(own_entries(&plan));
        for (team, token) in office.add_teams(rows).map_err(failure)? {
            writeln!(out, "{team} {}", self.links.to("enter", &token))?;
        }
        self.links.explain();
        Ok(DONE)
    }
}

/// The teams of a CSV file.
fn read(file: &Path) -> Result<Vec<(String, Option<Person>)>, Failure> {
    let refuse = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", file.display()));
    let bytes = regular::open(file).and_then(|file| regular::read_file(file, MAX_LIST_BYTES));
    let bytes = bytes.map_err(|error| refuse(&error))?;
    let list = Teams::read(&bytes).map_err(|reason| refuse(&reason))?;
    if !list.unread.is_empty() {
        notice(format!("not read of {}: {}", file.display(), list.unread.join(", ")));
    }
    Ok(list.teams)
}

fn list(office: &Office, out: &mut dyn Write) -> Done {
    let (state, people) = (office.state().map_err(failure)?, office.people().map_err(failure)?);
    let of = |team: &str, field: fn(&Person) -> &String| {
        people.get(team).map_or_else(String::new, |person| printable(field(person)))
    };
    let teams = || state.teams().iter();
    let access = |team: &str| if state.has_token(team) { "open".to_owned() } else { "revoked".to_owned() };
    let mut columns = vec![
        Column::new("team", teams().map(|(name, _)| name.to_string())),
        Column::new("name", teams().map(|(name, _)| of(name, |person| &person.name))),
    ];
    // Most lists have no organisations and groups.
    if people.values().any(|person| !person.organisation.is_empty()) {
        columns.push(Column::new("organisation", teams().map(|(name, _)| of(name, |person| &person.organisation))));
    }
    if people.values().any(|person| !person.group.is_empty()) {
        columns.push(Column::new("group", teams().map(|(name, _)| of(name, |person| &person.group))));
    }
    columns.extend([
        Column::new("since", teams().map(|(_, team)| Date::from_unix(team.since).to_string())),
        Column::new("submissions", teams().map(|(_, team)| team.submissions.len().to_string())).right(),
        Column::new("access", teams().map(|(name, _)| access(name))),
    ]);
    let mut grid = Grid::new(columns);
    grid.fit(super::width());
    writeln!(out, "{grid}")?;
    Ok(DONE)
}

fn open(contest: &Path) -> Result<Office, Failure> {
    Office::open(&office_of(contest)?, clock()).map_err(failure)
}
