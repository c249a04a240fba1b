//! Tests of the one form and the one list of a site.

use axum::body::Body;

use super::*;
use crate::trial::{ask, request, site};

#[test]
fn a_form_asks_for_the_problem_only_if_there_are_several() {
    let choice = |id: &str, letter, name: &str| Choice { id: id.into(), letter, name: name.into() };
    let all = [choice("loyd", 'A', "Tiles"), choice("ufo", 'B', "Moves & more")];
    let languages = [("C".to_owned(), "c".to_owned())].into();
    let form = |choices: &[Choice], named: &str| markup(choices, &languages, named, None).into_string();
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
    for (path, problem, file, code, says) in [
        ("/submit", "p1", "one.py", 303, ""),
        ("/submit", "A", "two.c", 303, ""),
        ("/problems/p1/submit", "", "three.c", 303, ""),
        ("/submit", "", "four.c", 422, "name the problem; this contest has `p0`, `p1`"),
        ("/submit", "p7", "five.c", 422, "unknown problem `p7`"),
        ("/submit", "p0", "six.txt", 422, "Not accepted"),
    ] {
        let (found, _, text) = post(path, problem, file).await;
        assert!(found.as_u16() == code && text.contains(says), "{file}: {found} {text}");
    }
    let get = async |path: &str| ask(&site, request("GET", path, (header::COOKIE, &cookie), Body::empty())).await;
    let (_, _, list) = get("/mine").await;
    for (letter, address, file) in [
        ('B', "/problems/p1/submissions/1", "one.py"),
        ('A', "/problems/p0/submissions/1", "two.c"),
        ('B', "/problems/p1/submissions/2", "three.c"),
    ] {
        assert!(list.contains(&format!("<td>{letter}</td>")) && list.contains(file), "{list}");
        assert!(list.contains(&format!("href=\"{address}\"")), "{list}");
        assert_eq!(get(address).await.0, StatusCode::OK);
    }
    assert!(!list.contains("four.c") && !list.contains("six.txt"), "{list}");
    // Those of each problem lead there, and so does every page.
    for (path, to) in [("/problems/p1/mine", "/mine"), ("/problems/p1/submit", "/submit?problem=p1")] {
        let answer = crate::trial::get(&site, path, &cookie).await;
        assert_eq!(answer.headers()[header::LOCATION], to);
    }
    let (_, _, form) = get("/submit?problem=p1").await;
    assert!(form.contains("<option value=\"p1\" selected>"), "{form}");
    for path in ["/", "/problems/p0/", "/board"] {
        let (_, _, page) = get(path).await;
        assert!(page.contains("href=\"/submit\"") && page.contains("href=\"/mine\""), "{path}: {page}");
    }
}
