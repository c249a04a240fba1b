//! Lists of teams as spreadsheets write them: CSV with commas, semicolons or tabs, with headings or without.

use std::fmt::Display;

use judge_core::names;
use judge_core::text::printable;
use judge_office::people::Person;

/// Headings of each column, in lower case and without spaces, `-` and `_`.
const TEAM: &[&str] = &["team", "teams", "id", "teamid", "login", "user", "username", "handle", "account"];
const NAME: &[&str] = &["name", "names", "fullname", "teamname", "displayname", "members"];
const CONTACT: &[&str] = &["contact", "contacts", "email", "mail", "emailaddress"];
const ORGANISATION: &[&str] =
    &["organisation", "organization", "affiliation", "institution", "university", "school", "company", "club"];
const GROUP: &[&str] = &["group", "groups", "category", "division"];
/// Characters that may separate the cells of a row.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// A list of teams.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Teams {
    pub(super) teams: Vec<(String, Option<Person>)>,
    /// Headings of columns that were not read.
    pub(super) unread: Vec<String>,
}

/// The places of the columns in a row.
struct Columns {
    team: usize,
    /// Those of the fields of a [`Person`], in their order.
    person: [Option<usize>; 4],
    unread: Vec<String>,
}

impl Teams {
    /// Reads a list. The error is a fragment, with the line that it is about.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
            at(line, "not UTF-8; save the list as CSV in UTF-8")
        })?;
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let count = |separator: &u8| first.bytes().filter(|byte| byte == separator).count();
        // Of equally frequent ones the first.
        let separator = SEPARATORS.into_iter().rev().max_by_key(count).unwrap_or(b',');
        let mut reader = csv::ReaderBuilder::new();
        let reader = reader.trim(csv::Trim::All).delimiter(separator).has_headers(false).flexible(true);
        let mut rows = Vec::new();
        for record in reader.from_reader(text.as_bytes()).records() {
            let record = record.map_err(|error| error.to_string())?;
            let line = record.position().map_or(0, |position| usize::try_from(position.line()).unwrap_or(usize::MAX));
            if record.iter().any(|cell| !cell.is_empty()) {
                rows.push((line, record.iter().map(str::to_owned).collect::<Vec<String>>()));
            }
        }
        let Some((line, head)) = rows.first() else { return Err(NO_TEAM.into()) };
        let columns = Columns::from_head(head, &rows[1..]).map_err(|reason| at(*line, reason))?;
        let headed = columns.is_some();
        let columns =
            columns.unwrap_or(Columns { team: 0, person: [Some(1), Some(2), None, None], unread: Vec::new() });
        let width = if headed { head.len() } else { 3 };
        let mut list = Self { unread: columns.unread, ..Self::default() };
        for (line, row) in rows.iter().skip(usize::from(headed)) {
            let cell = |column: usize| row.get(column).cloned().unwrap_or_default();
            if row.iter().skip(width).any(|cell| !cell.is_empty()) {
                let cells = row.len();
                return Err(at(*line, format!("{cells} cells, but the list has {width} columns")));
            }
            // An unclosed quotation mark makes all later teams part of its cell.
            if let Some(cell) = row.iter().find(|cell| cell.contains(char::is_control)) {
                let cell: String = printable(cell).chars().take(40).collect();
                return Err(at(
                    *line,
                    format!("a line end or another hidden character in `{cell}`; is a quotation mark not closed?"),
                ));
            }
            let team = cell(columns.team);
            names::usable("team", &team).map_err(|error| at(*line, error))?;
            if list.teams.iter().any(|(other, _)| *other == team) {
                return Err(at(*line, format!("the team {team} is there twice")));
            }
            let [name, contact, organisation, group] =
                columns.person.map(|column| column.map(cell).unwrap_or_default());
            let person = Person { name, contact, organisation, group };
            let person = Some(person).filter(|person| *person != Person::default());
            list.teams.push((team, person));
        }
        if list.teams.is_empty() { Err(NO_TEAM.into()) } else { Ok(list) }
    }
}

const NO_TEAM: &str = "no team in it; expected a row for each, with the columns team, name and contact";

fn at(line: usize, reason: impl Display) -> String {
    format!("line {line}: {reason}")
}

impl Columns {
    /// The columns that the first row names; `None` if the row is a team.
    fn from_head(head: &[String], rows: &[(usize, Vec<String>)]) -> Result<Option<Self>, String> {
        let plain = |cell: &String| cell.to_lowercase().replace([' ', '-', '_'], "");
        let find = |names: &[&str]| head.iter().position(|cell| names.contains(&&*plain(cell)));
        let (team, person) = (find(TEAM), [NAME, CONTACT, ORGANISATION, GROUP].map(find));
        let shown = || head.iter().map(|cell| format!("`{}`", printable(cell))).collect::<Vec<_>>().join(", ");
        match team {
            Some(team) => {
                let is_taken = |at: usize| at == team || person.contains(&Some(at));
                let unread = head.iter().enumerate().filter(|(at, cell)| !is_taken(*at) && !cell.is_empty());
                let unread = unread.map(|(_, cell)| printable(cell)).collect();
                Ok(Some(Self { team, person, unread }))
            }
            None if person.iter().any(Option::is_some) => {
                Err(format!("no column `team` among {}; name it so in the first row", shown()))
            }
            None => {
                // If later rows have addresses and the first has none, the first row has headings.
                let has = |row: &[String]| row.iter().any(|cell| cell.contains('@'));
                let is_heading = !has(head) && rows.iter().any(|(_, row)| has(row));
                match is_heading {
                    true => Err(format!("unknown headings {}; expected team, name and contact", shown())),
                    false => Ok(None),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_spreadsheets_are_understood_or_refused_with_their_line() {
        for (list, expected) in [
            ("team,name,contact\nada,Ada,a@x\nbob,,\n", Ok("ada/Ada/a@x bob")),
            ("\u{feff}Team;E-Mail\r\nada;a@x\r\n\r\nbob;b@x\r\n", Ok("ada//a@x bob//b@x")),
            ("Name\tLogin\nAda\tada\n", Ok("ada/Ada/")),
            ("contact,team\na@x,ada\n", Ok("ada//a@x")),
            ("team,affiliation,category\nada,KTH,girls\nbob,,\n", Ok("ada///KTH/girls bob")),
            ("school\nKTH\n", Err("line 1: no column `team` among `school`")),
            ("ada\nbob\n", Ok("ada bob")),
            ("ada;Ada Lovelace;a@x\nbob;Bob;b@x\n", Ok("ada/Ada Lovelace/a@x bob/Bob/b@x")),
            ("team;\"name\"\nada;\"Ada; Countess\"\n", Ok("ada/Ada; Countess/")),
            ("", Err("no team in it")),
            ("team,name\n\n", Err("no team in it")),
            ("name,email\nAda,a@x\n", Err("line 1: no column `team` among `name`, `email`")),
            ("Gruppe;Adresse\nada;a@x\n", Err("line 1: unknown headings `Gruppe`, `Adresse`")),
            ("team\nada\nb b\n", Err("line 3: unusable team name \"b b\"")),
            ("team,name\n,Ada\n", Err("line 2: unusable team name")),
            ("team\nada\nada\n", Err("line 3: the team ada is there twice")),
            ("team\nada,Ada\n", Err("line 2: 2 cells, but the list has 1 columns")),
            (
                "team,name\nada,\"Ada\nbob,Bob\n",
                Err("line 2: a line end or another hidden character in `Ada\u{fffd}bob,Bob`"),
            ),
            ("team,name\nada,\u{1b}[31m\n", Err("line 2: a line end or another hidden character")),
            ("a,b,c,d\n", Err("line 1: 4 cells, but the list has 3 columns")),
        ] {
            let person = |person: &Person| {
                let belongs = [&person.organisation, &person.group].map(|name| name.to_owned()).join("/");
                format!("/{}/{}", person.name, person.contact)
                    + if belongs == "/" { "" } else { "/" }
                    + belongs.trim_matches('/')
            };
            let read = Teams::read(list.as_bytes()).map(|list| {
                let teams =
                    list.teams.iter().map(|(team, who)| team.clone() + &who.as_ref().map(person).unwrap_or_default());
                teams.collect::<Vec<_>>().join(" ")
            });
            match (&read, expected) {
                (Ok(read), Ok(expected)) => assert_eq!(read, expected, "{list}"),
                (Err(reason), Err(expected)) => assert!(reason.contains(expected), "{list}: {reason}"),
                other => panic!("{list}: {other:?}"),
            }
        }
        assert!(Teams::read(b"team,name\nada,Ren\xe9\n").is_err_and(|reason| reason.starts_with("line 2: not UTF-8")));
        assert_eq!(Teams::read(b"team,shoes\nada,x\n").unwrap().unread, ["shoes"]);
    }
}
