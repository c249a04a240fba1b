//! The identifiers of teams, groups and organisations: their names, if those are valid identifiers, or else derived ones.

use judge_office::state::State;
use sha2::{Digest as _, Sha256};

/// The identifier of the group to which all teams belong.
pub(super) const GROUP: &str = "teams";
/// The most characters of an identifier.
const MAX_ID: usize = 36;
/// The beginnings of derived identifiers of teams, groups, organisations and organisers. They replace names that are not valid
/// identifiers.
const DERIVED_PREFIXES: [&str; 4] = ["team-", "group-", "org-", "organiser-"];
/// The number of bytes of the hash after the beginning.
const HASH: usize = 15;

/// The identifier of a team. No two teams have the same one: a name that looks like a derived identifier is never used directly.
/// The hash is too long to find two names with the same hash.
pub(super) fn team_id(team: &str) -> String {
    identifier(DERIVED_PREFIXES[0], team)
}

/// The identifier of a group of teams.
pub(super) fn group_id(group: &str) -> String {
    if group == GROUP { derived(DERIVED_PREFIXES[1], group) } else { identifier(DERIVED_PREFIXES[1], group) }
}

/// The identifier of an organisation.
pub(super) fn organisation_id(name: &str) -> String {
    identifier(DERIVED_PREFIXES[2], name)
}

/// The identifier of an organiser.
pub(super) fn organiser_id(name: &str) -> String {
    identifier(DERIVED_PREFIXES[3], name)
}

/// The team with an identifier.
pub(super) fn team_of<'s>(id: &str, state: &'s State) -> Option<&'s str> {
    state.teams().keys().map(|team| &**team).find(|team| team_id(team) == id)
}

/// Tests whether a team is in the group with an identifier.
pub(super) fn is_in(group: &str, team: &str, state: &State) -> bool {
    let own = state.people().get(team).map(|person| &person.group).filter(|group| !group.is_empty());
    group == GROUP || own.is_some_and(|own| group_id(own) == group)
}

fn identifier(prefix: &str, name: &str) -> String {
    let plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter));
    if plain && !name.is_empty() && name.len() <= MAX_ID && !name.starts_with('-') && !is_derived(name) {
        return name.to_owned();
    }
    derived(prefix, name)
}

fn derived(prefix: &str, name: &str) -> String {
    let hash = Sha256::digest(name.as_bytes());
    let digits: String = hash.iter().take(HASH).map(|byte| format!("{byte:02x}")).collect();
    format!("{prefix}{digits}")
}

/// Tests whether a text has the form of a derived identifier, of this or earlier versions, in upper or lower case.
fn is_derived(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    DERIVED_PREFIXES
        .iter()
        .filter_map(|prefix| text.strip_prefix(prefix))
        .any(|digits| [16, 2 * HASH].contains(&digits.len()) && digits.chars().all(|digit| digit.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_has_an_identifier_that_every_client_takes() {
        assert_eq!(team_id("ada_7"), "ada_7");
        for odd in ["a+b", "-a", &"a".repeat(37), "\u{e9}milie"] {
            let id = team_id(odd);
            assert!(id.len() == 35 && id.starts_with("team-"), "{odd}: {id}");
        }
        assert_ne!(team_id("a+b"), team_id("a+c"));
    }

    #[test]
    fn no_team_can_have_the_identifier_of_another_one_as_its_name() {
        for name in ["team-1", "team-blue", "team-0123456789abcdeg", "team", "team-"] {
            assert_eq!(team_id(name), name);
        }
        let of_zoe = team_id("zo\u{eb}");
        for taken in [&of_zoe, &team_id(&of_zoe), &of_zoe.to_uppercase(), &of_zoe[..21]] {
            let id = team_id(taken);
            assert!(id != of_zoe && id != *taken && id.starts_with("team-"), "{taken}: {id}");
        }
    }

    #[test]
    fn groups_and_organisations_have_identifiers_apart_from_that_of_all_teams() {
        assert_eq!((group_id("juniors"), organisation_id("MIT")), ("juniors".to_owned(), "MIT".to_owned()));
        for (id, prefix) in
            [(group_id(GROUP), "group-"), (group_id("Year 9"), "group-"), (organisation_id("KTH Stockholm"), "org-")]
        {
            assert!(id.starts_with(prefix) && id.len() <= MAX_ID && is_derived(&id), "{id}");
        }
    }
}
