use std::io::Read;

use super::*;

fn files_in(folder: &Path) -> Vec<String> {
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| name(entry).into_string().unwrap()).collect()
}

#[test]
fn a_file_appears_when_committed_compressed_by_its_ending() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["plain.txt", "packed.txt.gz", "packed.txt.ZST"] {
        let path = folder.path().join(name);
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"hello").unwrap();
        assert!(!path.exists());
        file.commit().unwrap();
        let bytes = fs::read(&path).unwrap();
        let mut text = String::new();
        match name {
            "plain.txt" => bytes.as_slice().read_to_string(&mut text),
            "packed.txt.gz" => {
                flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text)
            }
            _ => zstd::Decoder::new(bytes.as_slice()).unwrap().read_to_string(&mut text),
        }
        .unwrap();
        assert_eq!(text, "hello");
    }
    assert_eq!(files_in(folder.path()).len(), 3);
}

#[test]
fn what_is_not_committed_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.txt");
    fs::write(&path, "old").unwrap();
    let mut file = WholeFile::create(&path).unwrap();
    file.write_all(&vec![b'n'; 3 * BUFFER]).unwrap();
    file.flush().unwrap();
    drop(file);
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(files_in(folder.path()), ["old.txt"]);
}

#[test]
fn what_a_killed_process_left_goes_when_the_file_is_next_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".t.csv.a1b2c3.motifnet-new"), "half of").unwrap();
    let path = folder.path().join("t.csv");
    // The file that is being written is none of the other's leftovers.
    let files = [0, 1].map(|_| WholeFile::create(&path).unwrap());
    assert!(!files_in(folder.path()).contains(&".t.csv.a1b2c3.motifnet-new".to_owned()));
    files.into_iter().for_each(|file| file.commit().unwrap());
    assert_eq!(files_in(folder.path()), ["t.csv"]);
}

#[test]
fn errors_name_the_file_and_what_would_help() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no/such/file.txt");
    let message = WholeFile::create(&missing).unwrap_err().to_string();
    assert!(message.contains("no/such/file.txt: the folder"), "{message}");
    assert!(message.ends_with("no/such does not exist; create it first"), "{message}");
    let message = WholeFile::create(folder.path()).unwrap_err().to_string();
    assert!(message.ends_with("is a folder; name a file in it"), "{message}");
    assert!(WholeFile::create(Path::new("")).is_err());
    assert!(WholeFile::create(Path::new("/")).is_err());
    assert!(WholeFile::create(&folder.path().join("x\0y")).is_err());
    let long = "x".repeat(256);
    let said = WholeFile::create(&folder.path().join(long)).unwrap_err().to_string();
    assert!(said.ends_with("; choose a shorter or plainer name"), "{said}");
    let locked = folder.path().join("locked.txt");
    fs::write(&locked, "").unwrap();
    let mut permissions = fs::metadata(&locked).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&locked, permissions).unwrap();
    assert!(matches!(WholeFile::create(&locked), Err(WriteError::ReadOnly(_))));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_cannot_be_committed() {
    let mut file = WholeFile::create(Path::new("/dev/full")).unwrap();
    assert!(file.write_all(&vec![0; 2 * BUFFER]).is_err());
    assert!(file.write_all(b"after the failure").is_ok());
    assert!(file.commit().is_err());
    let mut file = WholeFile::create(Path::new("/dev/full")).unwrap();
    file.write_all(b"little").unwrap();
    let message = file.commit().unwrap_err().to_string();
    assert!(message.starts_with("/dev/full: cannot write: "), "{message}");
    assert!(message.ends_with("; free some space or choose another disk"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn after_a_failure_positions_go_on_as_if_there_was_none() {
    let mut file = WholeFile::create(Path::new("/dev/full")).unwrap();
    file.write_all(b"fits the buffer").unwrap();
    assert!(file.write_all(&vec![0; 2 * BUFFER]).is_err());
    let position = file.stream_position().unwrap();
    assert_eq!(position, 15);
    file.write_all(b"more").unwrap();
    assert_eq!(file.stream_position().unwrap(), position + 4);
    assert_eq!(file.seek(SeekFrom::Start(3)).unwrap(), 3);
    assert!(file.commit().is_err());
}

#[cfg(target_os = "linux")]
#[test]
fn a_descriptor_is_written_after_what_its_file_holds_and_not_moved_about_in() {
    use std::os::fd::AsRawFd;
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("notes.txt"), folder.path().join("link"));
    let mut notes = File::options().create(true).append(true).open(&path).unwrap();
    notes.write_all(b"header ").unwrap();
    std::os::unix::fs::symlink(format!("/dev/fd/{}", notes.as_raw_fd()), &link).unwrap();
    let mut file = WholeFile::create(&link).unwrap();
    file.write_all(b"rows ").unwrap();
    file.commit().unwrap();
    notes.write_all(b"footer").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "header rows footer");
    let mut file = WholeFile::create(&link).unwrap();
    assert_eq!(file.seek(SeekFrom::Start(0)).unwrap_err().kind(), io::ErrorKind::NotSeekable);
    drop(file);
    assert_eq!(fs::read_to_string(&path).unwrap(), "header rows footer");
}

#[cfg(unix)]
#[test]
fn every_name_that_the_disk_takes_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let names = [1, 100, 101, 233, 234, 235, 255].map(|n_bytes| "x".repeat(n_bytes));
    // Cut between letters: the hidden name of these would end within one.
    let names = names.into_iter().chain(["ü".repeat(127), format!("x{}", "ü".repeat(127))]);
    for name in names {
        let path = folder.path().join(&name);
        for text in ["old", "new"] {
            let mut file = WholeFile::create(&path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.commit().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "{name}");
        }
        assert_eq!(files_in(folder.path()), [name]);
        fs::remove_file(path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    fs::write(&real, "old").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let mut file = WholeFile::create(&link).unwrap();
    file.write_all(b"new").unwrap();
    file.commit().unwrap();
    assert_eq!(fs::read_to_string(&real).unwrap(), "new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[cfg(unix)]
#[test]
fn a_link_to_what_is_not_there_yet_is_filled_at_its_end() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("inner")).unwrap();
    symlink("second", path("first")).unwrap();
    symlink("inner/real", path("second")).unwrap();
    let write = |name: &str| {
        let mut file = WholeFile::create(&path(name))?;
        file.write_all(b"new").unwrap();
        file.commit()
    };
    write("first").unwrap();
    assert_eq!(fs::read_to_string(path("inner/real")).unwrap(), "new");
    assert_eq!(fs::metadata(path("first")).unwrap().permissions().mode() & 0o111, 0);
    assert!(["first", "second"].map(path).iter().all(|link| link.is_symlink()));
    symlink("no/folder", path("astray")).unwrap();
    let said = write("astray").unwrap_err().to_string();
    assert!(said.ends_with("/no does not exist; create it first"), "{said}");
    symlink("round", path("round")).unwrap();
    let said = write("round").unwrap_err().to_string();
    assert!(said.ends_with("its links lead to each other"), "{said}");
}

#[cfg(unix)]
#[test]
fn under_a_name_of_ours_there_is_a_file_or_nothing() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("secret"), "mine").unwrap();
    symlink(path("secret"), path("link")).unwrap();
    symlink(path("nowhere"), path("dangling")).unwrap();
    symlink("/dev/null", path("device")).unwrap();
    for name in ["link", "dangling", "device"] {
        let refused = WholeFile::create(Place::within(folder.path(), name));
        assert!(matches!(refused, Err(WriteError::IsLink(_))), "{name}");
    }
    assert_eq!(fs::read_to_string(path("secret")).unwrap(), "mine");
    // A link that comes in between is replaced, and not written through.
    let mut file = WholeFile::create(Place::within(folder.path(), "new")).unwrap();
    symlink(path("secret"), path("new")).unwrap();
    file.write_all(b"ours").unwrap();
    file.commit().unwrap();
    assert_eq!(fs::read_to_string(path("secret")).unwrap(), "mine");
    assert_eq!(fs::read_to_string(path("new")).unwrap(), "ours");
    let device = WholeFile::create(Place::within(Path::new("/dev"), "null"));
    assert!(matches!(device, Err(WriteError::IsNoFile(_))));
}

#[cfg(target_os = "linux")]
#[test]
fn of_several_files_none_appears_unless_all_are_complete() {
    let folder = tempfile::tempdir().unwrap();
    let begin = |path: &Path| {
        let mut file = WholeFile::create(path).unwrap();
        file.write_all(b"little").unwrap();
        file
    };
    let path = folder.path().join("first");
    assert!(WholeFile::commit_all([begin(&path), begin(Path::new("/dev/full"))]).is_err());
    assert_eq!(files_in(folder.path()).len(), 0);
    WholeFile::commit_all([begin(&path)]).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "little");
}
