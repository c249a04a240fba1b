//! Tests that the board and the Contest API show the same organisations, groups and places.

use judge_office::people::Person;

use super::twins::club::Club;
use super::twins::{WATCHER, site_of};

#[tokio::test]
async fn the_board_and_the_interface_agree_on_places_organisations_and_groups() {
    let club = Club::new();
    let person = |organisation: &str, group: &str| {
        let (organisation, group) = (organisation.to_owned(), group.to_owned());
        Some(Person { organisation, group, ..Person::default() })
    };
    let teams = [("fay", "KTH", "Year 9", "lluu"), ("gus", "KTH", "", "llu"), ("hal", "MIT", "Year 9", "")];
    for (team, organisation, group, source) in teams {
        club.office.add_team(team, person(organisation, group)).unwrap();
        let source = format!("{source}/{team}");
        club.office.submit(&judge_office::Upload::new(team, "a.c", source.as_bytes()), None).unwrap();
    }
    club.work();
    let token = club.office.add_team(WATCHER, None).unwrap();
    let (site, _) = site_of(&club, &token);
    let get = async |path: &str| {
        let asked = crate::tests::request("GET", path, (axum::http::header::COOKIE, ""), axum::body::Body::empty());
        let (code, _, text) = crate::tests::ask(&site, asked).await;
        (code.as_u16(), text)
    };
    let api = async |path: &str| -> serde_json::Value {
        let (code, text) = get(&format!("/api/contests/{}/{path}", site.id())).await;
        assert_eq!(code, 200, "{path}: {text}");
        serde_json::from_str(&text).unwrap()
    };
    let ranks = |scoreboard: &serde_json::Value| -> Vec<(String, u64)> {
        let rows = scoreboard["rows"].as_array().unwrap().iter();
        let submitted = rows.filter(|row| row["problems"][0]["num_judged"] != 0);
        submitted.map(|row| (row["team_id"].as_str().unwrap().to_owned(), row["rank"].as_u64().unwrap())).collect()
    };
    let csv = get("/board.csv").await.1;
    let rows = csv.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    // The entry of the contest file is not a team, and has solved as much as the first team.
    let placed = rows.filter(|row| row[1] != "house").enumerate();
    let placed: Vec<(String, u64)> = placed.map(|(at, row)| (row[1].to_owned(), at as u64 + 1)).collect();
    assert_eq!(placed, ranks(&api("scoreboard").await), "{csv}");
    let fay = csv.lines().find(|line| line.contains(",fay,")).unwrap();
    assert!(fay.ends_with(",\"KTH\",\"Year 9\""), "{csv}");
    let groups = api("groups").await;
    let group = groups[1]["id"].as_str().unwrap();
    assert_eq!((&groups[0]["id"], &groups[1]["name"]), (&"teams".into(), &"Year 9".into()));
    assert_eq!(
        ranks(&api(&format!("scoreboard?group_id={group}")).await),
        [("fay".to_owned(), 1), ("hal".to_owned(), 2)]
    );
    assert_eq!(get(&format!("/api/contests/{}/scoreboard?group_id=none", site.id())).await.0, 400);
    let organisations = api("organizations").await;
    assert_eq!(organisations.as_array().unwrap().iter().map(|one| &one["id"]).collect::<Vec<_>>(), ["KTH", "MIT"]);
    let gus = api("teams/gus").await;
    assert_eq!((&gus["organization_id"], &gus["group_ids"]), (&"KTH".into(), &serde_json::json!(["teams"])));
    let page = get("/board?organisation=KTH&group=").await.1;
    assert!(
        page.contains("<bdi>gus</bdi>") && !page.contains("<bdi>hal</bdi>") && !page.contains("data-live"),
        "{page}"
    );
    // Deleted personal data is no longer shown.
    club.office.forget("hal").unwrap();
    assert_eq!(api("organizations").await.as_array().unwrap().len(), 1);
}
