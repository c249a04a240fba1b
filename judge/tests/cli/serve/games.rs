//! A contest of matches on the site: teams submit players, which play each other.

use super::Visitor;
use crate::site::{Site, TIMEOUT, tokens_of};
use crate::support::*;

/// The player with the higher number wins. Each seat gets the number of the other one.
const REFEREE: &str = r#"
value() {
    printf 'ask %d 1\n%s\nwait\n' $1 "$2" >&3
    read -r who state lines || exit 1
    [ "$state" = ok ] && read -r said || said=0
    echo "$said"
}
exec 3>&1
one=$(value 1 begin); two=$(value 2 "after $one")
if [ "$one" -gt "$two" ]; then echo end 1 0; elif [ "$one" -lt "$two" ]; then echo end 0 1; else echo end 0 0; fi
"#;

pub(super) fn player(number: u32) -> String {
    format!("while read -r x; do echo {number}; done\n")
}

pub(super) fn club(office: &str) -> (Folder, Vec<String>) {
    let folder = Folder::new();
    folder.file("club/referee.sh", REFEREE);
    folder.file("club/a.txt", "\n");
    let text = "name = \"Higher\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\ncommand = [\"sh\", \"referee.sh\"]\n\
                [match]\nseats = 2\n[[board]]\nname = \"A\"\nfile = \"a.txt\"\n";
    let house = entry("house", &["sh", "-c", "while read -r x; do echo 50; done"]);
    folder.file("club/contest.toml", format!("{text}[office]\n{office}{house}"));
    let added = folder.judge(["team", "add", "club", "ada", "bob"]).exits(0).stdout;
    (folder, tokens_of(&added))
}

/// The addresses of the transcripts on a page of a submission, by the other player.
pub(super) fn transcripts(page: &str) -> Vec<(String, String)> {
    let links = page.split("<a href=\"submissions/").skip(1).filter(|link| link.contains("transcript against"));
    let part = |link: &str, from: &str, to: &str| link.split_once(from).unwrap().1.split(to).next().unwrap().to_owned();
    let one = |link: &str| {
        let path = link.split('"').next().unwrap();
        (part(link, "transcript against ", " on A"), format!("/submissions/{path}"))
    };
    links.map(one).collect()
}

/// Waits until the public board has these places.
pub(super) fn places_become(site: &Site, expected: &[&str]) {
    places_become_for(&site.visitor(), expected);
}

/// Like [`places_become`], for the board that a visitor sees.
pub(super) fn places_become_for(visitor: &Visitor<'_>, expected: &[&str]) {
    let begun = Instant::now();
    loop {
        let csv = visitor.page("/board.csv");
        let rows = csv.lines().skip(1).map(|line| line.split(',').take(2).collect::<Vec<_>>().join(" "));
        let rows: Vec<String> = rows.collect();
        if rows == expected {
            return;
        }
        assert!(begun.elapsed() < TIMEOUT, "{expected:?}: {csv}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn players_of_teams_play_each_other_and_a_team_reads_its_own_seat() {
    let (folder, tokens) = club("");
    let site = Site::start(&folder, &[]);
    let (ada, bob) = (site.with(&tokens[0]), site.with(&tokens[1]));
    let first = ada.submit("main.sh", &player(40));
    ada.until(&first, "Counts");
    let of_bob = bob.submit("main.sh", &player(60));
    bob.until(&of_bob, "Counts");
    places_become(&site, &["1 bob", "2 house", "3 ada"]);
    let page = ada.page(&first);
    assert!(page.contains(">lost<") && page.contains(">bob<") && !page.contains("bob.2"), "{page}");
    let (_, game) = transcripts(&page).into_iter().find(|(other, _)| other == "bob").unwrap();
    let seat_of = |visitor: &Visitor<'_>, path: &str| visitor.page(path).split_once("<pre").unwrap().1.to_owned();
    let own = seat_of(&ada, &game);
    assert!(own.contains("40") && own.contains("0 - 1") && !own.contains("after 40"), "{own}");
    // The game is also on the page of the other team, and other submissions do not show it.
    let theirs = game.replace(&first, &of_bob);
    assert!(seat_of(&bob, &theirs).contains("after 40"));
    assert_eq!((ada.get(&theirs).code, site.visitor().get(&game).code), (404, 303));
    assert_eq!(ada.get(&format!("{first}/replay")).code, 404);
    // A later player of a team plays its games, and counts.
    let second = ada.submit("main.sh", &player(70));
    ada.until(&second, "Counts");
    places_become(&site, &["1 ada", "2 bob", "3 house"]);
    assert!(ada.page(&first).contains("ada.3"), "which one counts instead");
    // A frozen board hides results, including those of own games against hidden players.
    folder.judge(["office", "freeze", "club"]).exits(0);
    let of_bob = bob.submit("main.sh", &player(80));
    let page = bob.until(&of_bob, "Counts");
    assert_eq!(transcripts(&page).iter().filter(|(other, _)| other == "ada").count(), 2, "{page}");
    places_become(&site, &["1 ada", "2 bob", "3 house"]);
    let page = ada.page(&second);
    assert_eq!(page.matches("played; its result is hidden").count(), 2, "{page}");
    folder.judge(["office", "thaw", "club"]).exits(0);
    places_become(&site, &["1 bob", "2 ada", "3 house"]);
    assert!(!ada.page(&second).contains("its result is hidden"));
    let api = site.visitor().page("/api/contests/club/scoreboard");
    assert!(api.contains("\"score\":4.0") || api.contains("\"score\":4"), "{api}");
    site.stop();
    folder.judge(["rank", "club/results"]).exits(0).shows(["bob.4", "ada.3", "points of each entry"]);
    folder.judge(["verify", "club/results"]).exits(0);
    play_final(&folder, &["bob.4", "ada.3"]);
}

/// Plays a knock-out between submitted players, which are the entries of a contest file next to that of the site.
fn play_final(folder: &Folder, players: &[&str]) {
    let text = folder.read("club/contest.toml");
    let (of_contest, _) = text.split_once("[office]").unwrap();
    let round = "[[round]]\nname = \"final\"\nboards = [\"A\"]\nschedule = \"knock-out\"\n";
    let entries = players.iter().map(|player| {
        let file = format!("office/entries/{player}/main.sh");
        entry(player.split('.').next().unwrap(), &["bash", &file])
    });
    folder.file("club/final.toml", format!("{of_contest}{round}{}", entries.collect::<String>()));
    let table = folder.judge(["run", "club/final.toml", "--out", "final"]).exits(0).stdout;
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("│ 1 ") || line.starts_with("│ 2 ")).collect();
    assert!(rows.len() == 2 && rows[0].contains(" bob ") && rows[1].contains(" ada "), "{table}");
}

#[test]
fn players_wait_for_the_command_and_read_all_seats_if_the_file_says_so() {
    let (folder, tokens) = club("games = \"on-command\"\ntranscripts = \"at-once\"\n");
    let site = Site::start(&folder, &[]);
    let ada = site.with(&tokens[0]);
    let first = ada.submit("main.sh", &player(40));
    ada.until(&first, "it plays in the next games");
    let message = folder.judge(["office", "play", "club"]).exits(0).stdout;
    assert_eq!(message, "the players up to submission 1 play\n");
    let page = ada.until(&first, "transcript against house");
    let (_, game) = transcripts(&page).remove(0);
    let all = ada.page(&game);
    assert!(all.contains("50") && all.contains("40"), "{all}");
    assert!(folder.judge(["office", "play", "club"]).exits(2).message().contains("nothing was submitted since"));
    let second = ada.submit("main.sh", &player(60));
    ada.until(&second, "it plays in the next games");
    places_become(&site, &["1 house", "2 ada"]);
    let organiser = site.with(site.organiser.as_deref().unwrap());
    assert!(organiser.page("/office").contains("1 player waits for the next games"));
    assert_eq!(organiser.post_form("/office/play", "").code, 303);
    ada.until(&second, "Counts");
    places_become(&site, &["1 ada", "2 house"]);
}
