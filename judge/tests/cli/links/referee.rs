//! What a referee's keys name, with links in the way.

use std::fs;
use std::path::Path;

use super::{SECRET, Site};
use crate::support::entry;

#[test]
fn links_in_the_folder_of_a_referee_lead_nowhere() {
    Site::each(|site| {
        let head = |keys: &str| {
            let isolation = site.isolation;
            format!(
                "name = \"x\"\ngame = \"external\"\nlimit = \"2s\"\nbuild_isolation = \"{isolation}\"\n[referee]\n\
                 protocol = \"exit\"\n{keys}\n[[board]]\nname = \"NEAR\"\nfile = \"board.txt\"\n"
            )
        };
        let says = "cat \"${4#file:}\" >&2; cat \"${4#file:}\"; exit 0";
        site.folder.script("referee/rules", says);
        for target in [Path::new("../home/secret"), &site.path("home/secret")] {
            site.link("referee/data", target);
            site.link("referee/bin", "../home");
            let data = format!("file:{}", site.path("referee/data").display());
            for (number, keys) in [
                format!("command = \"referee/rules\"\nargs = [{data:?}]\nreadable = [\"referee/data\"]"),
                format!("command = \"referee/rules\"\nargs = [{:?}]", site.path("referee/data")),
                "command = \"referee/data\"".into(),
                "command = \"referee/bin/secret\"".into(),
                "command = \"referee/bin/rules\"\nbuild = \"echo stolen > referee/bin/rules; echo stolen > home/x\""
                    .into(),
                "command = \"referee/rules\"\nfolder = \"referee/bin\"\nbuild = \"echo stolen > referee/bin/x\"".into(),
                "command = \"referee/rules\"\nbuild = \"cat home/secret referee/data; false\"".into(),
            ]
            .into_iter()
            .enumerate()
            {
                site.folder.file("contest.toml", head(&keys) + &entry("rival", &["sh", "-c", "echo lluu"]));
                site.close();
                let out = format!("out{number}");
                let ran = site.judge(&["run", "--isolation", site.isolation, "--out", &out]);
                site.is_tight(&keys, &ran, &out);
                // A word that is not shown is only a word.
                assert!(ran.code != Some(0) || number == 1, "{keys}: {}", ran.printed);
                assert_eq!(fs::read_to_string(site.path("home/secret")).unwrap(), SECRET, "{keys}");
                let made = ["home/rules", "home/x"].map(|name| site.path(name).exists());
                assert_eq!(made, [false; 2], "{keys}");
                fs::remove_dir_all(site.path(&out)).ok();
            }
        }
    });
}
