//! Tests of the form and the list of submissions of a site.

use axum::body::Body;
use axum::http::header;

use super::*;
use crate::tests::{ask, request, site};

#[test]
fn a_form_asks_for_the_problem_only_if_there_are_several() {
    let named = |id: &str, letter: &str, name: &str| Named {
        key: id.into(),
        id: id.into(),
        letter: letter.into(),
        name: name.into(),
    };
    let all = [named("loyd", "A", "Tiles"), named("ufo", "B", "Moves & more")];
    let languages = [("C".to_owned(), "c".to_owned())].into();
    let form = |problems: &[Named], named: &str| markup(problems, &languages, named, None).into_string();
    let one = form(&all[..1], "");
    assert!(!one.contains("name=\"problem\"") && one.contains("by the ending of the files"), "{one}");
    let both = form(&all, "ufo");
    for option in [
        "<option value=\"\">choose</option>",
        "<option value=\"loyd\">A: <bdi>Tiles</bdi></option>",
        "<option value=\"ufo\" selected>B: <bdi>Moves &amp; more</bdi></option>",
    ] {
        assert!(both.contains(option), "{option} {both}");
    }
}

#[tokio::test]
async fn one_form_takes_submissions_to_all_problems_and_one_list_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let (site, cookie, _) = site(folder.path(), 2, |_| Ok(1 << 30));
    let post = async |path: &str, problem: &str, file: &str| {
        let field = format!("--b\r\nContent-Disposition: form-data; name=\"problem\"\r\n\r\n{problem}\r\n");
        let text = format!(
            "--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{file}\"\r\n\r\n{file}\r\n--b--\r\n"
        );
        ask(&site, request("POST", path, (header::COOKIE, &cookie), Body::from(field + &text))).await
    };
    for (problem, file, code, says) in [
        ("p1", "one.py", 303, ""),
        ("A", "two.c", 303, ""),
        ("p1", "three.c", 303, ""),
        ("", "four.c", 422, "name the problem; this contest has `p0`, `p1`"),
        ("p7", "five.c", 422, "unknown problem `p7`"),
        ("p0", "six.txt", 422, "Not accepted"),
    ] {
        let (found, _, text) = post("/submit", problem, file).await;
        assert!(found.as_u16() == code && text.contains(says), "{file}: {found} {text}");
    }
    let get = async |path: &str| ask(&site, request("GET", path, (header::COOKIE, &cookie), Body::empty())).await;
    let (_, _, list) = get("/mine").await;
    for (letter, number, file) in [('B', 1, "one.py"), ('A', 2, "two.c"), ('B', 3, "three.c")] {
        assert!(list.contains(&format!("<td>{letter}</td>")) && list.contains(file), "{list}");
        let address = format!("submissions/{number}");
        assert!(list.contains(&format!("href=\"{address}\"")), "{list}");
        assert_eq!(get(&format!("/{address}")).await.0, StatusCode::OK);
    }
    assert!(!list.contains("four.c") && !list.contains("six.txt"), "{list}");
    // The server does this every second.
    site.app().boards.refresh(site.app().now());
    let (_, _, form) = get("/submit?problem=p1").await;
    assert!(form.contains("<option value=\"p1\" selected>"), "{form}");
    for (path, says) in [
        ("/", "href=\"problems/p1/\""),
        ("/problems/p0/", "href=\"submit?problem=p0\""),
        ("/problems/p1/board", "href=\"problems/p1/board.csv\""),
        ("/board", "<th scope=\"col\" class=\"figure\"><bdi>B</bdi></th>"),
        // Its own row, and the language that its files decide.
        ("/board", "<tr class=\"own\" data-name=\"ada\">"),
        ("/submissions/2", "<dt>Language</dt><dd><bdi>C</bdi></dd>"),
    ] {
        let (code, _, page) = get(path).await;
        assert!(code == StatusCode::OK && page.contains("href=\"mine\"") && page.contains(says), "{path}: {page}");
    }
    assert_eq!(get("/problems/p7/").await.0, StatusCode::NOT_FOUND);
    let public = ask(&site, request("GET", "/board", (header::COOKIE, ""), Body::empty())).await.2;
    assert!(public.contains("data-name=\"ada\"") && !public.contains("class=\"own\""), "{public}");
}
