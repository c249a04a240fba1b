//! The example that reads a file inside a folder.

#[allow(dead_code, reason = "the test calls what `main` calls")]
#[path = "../../examples/inside.rs"]
mod inside;

#[test]
fn the_example_reads_only_what_is_inside() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("in")).unwrap();
    std::fs::write(folder.path().join("in/file"), "text").unwrap();
    std::fs::write(folder.path().join("secret"), "secret").unwrap();
    std::os::unix::fs::symlink("../secret", folder.path().join("in/link")).unwrap();
    let read = |path: &str| inside::read(&folder.path().join("in"), path);
    assert_eq!(read("file").unwrap(), "text");
    for path in ["../secret", "link", "/etc/hostname", ".", "missing"] {
        assert!(read(path).is_err(), "{path}");
    }
}
