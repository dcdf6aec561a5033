//! Known data sets, fetched from a server on this machine. No test asks any other.

use std::io::{Cursor, Write};
use std::time::{Duration, Instant};

use crate::loopback::{Loopback, Reply};
use crate::support::Folder;

const VOTES: &str = "/data/wiki-Vote.txt.gz";
const HERE: &str = "home/data/wiki-vote";

/// A graph larger than what is read at a time.
fn votes() -> Vec<u8> {
    let header = "# FromNodeId\tToNodeId\n".to_owned();
    let arcs = (0..20_000).map(|node| format!("{node}\t{}\n", (node * 7 + 1) % 20_000));
    (header + &arcs.collect::<String>()).into_bytes()
}

fn server() -> Loopback {
    Loopback::serving(&[(VOTES, &votes())])
}

fn fetch_words(server: &Loopback, name: &str) -> String {
    format!("data fetch {name} --mirror {}", server.url())
}

/// Runs a fetch that must fail with exit code 1; gives what it said.
fn refused(folder: &Folder, server: &Loopback, name: &str) -> String {
    let output = folder.run(&fetch_words(server, name));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(output.stdout.is_empty());
    folder.redact(&said).replace(&server.url(), "[server]")
}

/// The files in the folder of a data set.
fn names(folder: &Folder, inside: &str) -> Vec<String> {
    let folder = folder.path(inside);
    let files = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_fetched_data_set_is_found_and_read() {
    let (folder, server) = (Folder::new(), server());
    let said = folder.ok(&fetch_words(&server, "wiki-vote"));
    insta::assert_snapshot!(folder.redact(&said), @"
    data set  wiki-vote
    folder    [folder]/home/data/wiki-vote
    file      wiki-Vote.txt.gz (217.8 kB, fetched)
    licence   none stated
    cite      Leskovec, Huttenlocher, Kleinberg: Signed Networks in Social Media, CHI 2010
    ");
    assert_eq!(names(&folder, HERE), ["dataset.toml", "fetched.toml", "wiki-Vote.txt.gz"]);
    let found = folder.ok("data where wiki-vote");
    assert_eq!(folder.redact(&found), format!("[folder]/{HERE}\n"));
    assert_eq!(folder.json("data where wiki-vote")["name"], "wiki-vote");
    assert_eq!(folder.json(&format!("census {}", found.trim_end()))["graph"]["n_arcs"], 20_000);
}

#[test]
fn what_is_here_needs_no_network() {
    let (folder, server) = (Folder::new(), server());
    let words = fetch_words(&server, "wiki-vote");
    let first = folder.json(&words);
    drop(server);
    let again = folder.json(&words);
    let file = |report: &serde_json::Value| report["datasets"][0]["files"][0].clone();
    assert_eq!(file(&first)["origin"], "fetched");
    assert_eq!(file(&again)["origin"], "here");
    assert_eq!(file(&first)["sha256"], file(&again)["sha256"]);
    assert_eq!(file(&again)["bytes"], votes().len());
}

#[test]
fn a_hash_that_is_believed_is_told_once() {
    let (folder, server) = (Folder::new(), server());
    let words = fetch_words(&server, "wiki-vote");
    let said = |output: std::process::Output| String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said(folder.run(&words)),
        "note: wiki-Vote.txt.gz of wiki-vote: no SHA-256 was known; that of this fetch is recorded \
         and will be asked for from now on\n"
    );
    assert_eq!(said(folder.run(&words)), "");
}

#[test]
fn cut_connections_are_taken_up_and_busy_servers_asked_again() {
    let (folder, server) = (Folder::new(), server());
    server.then(&[Reply::CutAfter(100_000), Reply::Status(500)]);
    folder.ok(&fetch_words(&server, "wiki-vote"));
    let ranges: Vec<_> = server.requests().into_iter().map(|request| request.range).collect();
    let rest = Some("bytes=100000-".to_owned());
    assert_eq!(ranges, [None, rest.clone(), rest]);
    assert!(folder.text(&format!("{HERE}/wiki-Vote.txt.gz")).into_bytes() == votes());
}

#[test]
fn a_fetch_that_is_killed_leaves_a_part_and_the_next_takes_it_up() {
    let (folder, server) = (Folder::new(), server());
    server.then(&[Reply::StallAfter(70_000)]);
    let mut child = folder.start(&fetch_words(&server, "wiki-vote"));
    let part = folder.path(&format!("{HERE}/wiki-Vote.txt.gz.part"));
    let start = Instant::now();
    while std::fs::metadata(&part).map_or(0, |part| part.len()) < 70_000 {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing comes");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // With the lock of a process that is gone, which is in nobody's way.
    let left = [".lock", "wiki-Vote.txt.gz.part", "wiki-Vote.txt.gz.part.toml"];
    assert_eq!(names(&folder, HERE), left);
    assert_eq!(folder.run("data where wiki-vote").status.code(), Some(1));
    server.requests();
    let report = folder.json(&fetch_words(&server, "wiki-vote"));
    assert_eq!(report["datasets"][0]["files"][0]["origin"], "resumed");
    assert_eq!(server.requests()[0].range.as_deref(), Some("bytes=70000-"));
    assert!(folder.text(&format!("{HERE}/wiki-Vote.txt.gz")).into_bytes() == votes());
}

#[test]
fn two_commands_at_once_make_one_file() {
    let (folder, server) = (Folder::new(), server());
    let words = fetch_words(&server, "wiki-vote");
    let mut children: Vec<_> = (0..3).map(|_| folder.start(&words)).collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(server.requests().len(), 1);
    assert!(folder.text(&format!("{HERE}/wiki-Vote.txt.gz")).into_bytes() == votes());
    assert_eq!(names(&folder, HERE), ["dataset.toml", "fetched.toml", "wiki-Vote.txt.gz"]);
}

#[test]
fn what_servers_do_wrong_is_told() {
    let folder = Folder::new();
    let telegram = "/SherylHYX/pytorch_geometric_signed_directed/\
                    ecdf3fcf94b148ae9350c848e7774915495170d9/datasets/telegram/telegram_adj.npz";
    let server = Loopback::serving(&[(VOTES, &votes()), (telegram, &[0; 16_233])]);
    let mut said = String::new();
    // The right length, but not the bytes.
    said += &refused(&folder, &server, "telegram");
    server.put(telegram, &[0; 16_234]);
    said += &refused(&folder, &server, "telegram");
    said += &refused(&folder, &server, "soc-epinions1");
    server.then(&vec![Reply::Redirect(VOTES.to_owned()); 9]);
    said += &refused(&folder, &server, "wiki-vote");
    let server = Loopback::serving(&[(VOTES, &vec![0; 4_000_001])]);
    said += &refused(&folder, &server, "wiki-vote");
    insta::assert_snapshot!(said);
    for name in ["telegram", "soc-epinions1", "wiki-vote"] {
        assert!(!folder.path(&format!("home/data/{name}")).exists(), "{name}");
    }
}

#[test]
fn nobody_who_answers_is_told() {
    let folder = Folder::new();
    // A port that was free a moment ago, and that nobody listens to.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let output = folder.run(&format!("data fetch wiki-vote --mirror http://{gone}"));
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("/data/wiki-Vote.txt.gz: cannot be reached: "), "{said}");
    assert!(said.contains("; check the network and try again"), "{said}");
}

#[test]
fn a_file_that_has_changed_since_is_refused() {
    let (folder, server) = (Folder::new(), server());
    folder.ok(&fetch_words(&server, "wiki-vote"));
    std::fs::remove_file(folder.path(&format!("{HERE}/wiki-Vote.txt.gz"))).unwrap();
    server.put(VOTES, b"0\t1\n");
    let upstream = refused(&folder, &server, "wiki-vote");
    folder.put(&format!("{HERE}/wiki-Vote.txt.gz"), "mine");
    let here = refused(&folder, &server, "wiki-vote");
    insta::assert_snapshot!(upstream + &here);
    assert_eq!(folder.text(&format!("{HERE}/wiki-Vote.txt.gz")), "mine");
}

#[test]
fn a_file_comes_out_of_its_archive() {
    let gml = "graph [\n  directed 1\n  node [ id 1 value 0 ]\n  node [ id 2 value 1 ]\n  \
               edge [ source 1 target 2 ]\n]\n";
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [("polblogs.txt", "about"), ("polblogs.gml", gml)] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    let zip = zip.finish().unwrap().into_inner();
    let (folder, path) = (Folder::new(), "/~mejn/netdata/polblogs.zip");
    let server = Loopback::serving(&[(path, &zip)]);
    folder.ok(&format!("{} --to sets", fetch_words(&server, "polblogs")));
    assert_eq!(folder.text("sets/polblogs/polblogs.gml"), gml);
    let left = ["dataset.toml", "fetched.toml", "polblogs.gml"];
    assert_eq!(names(&folder, "sets/polblogs"), left);
    assert_eq!(folder.json("inspect sets/polblogs")["graph"]["n_nodes"], 2);
    assert!(!folder.path("home").exists());
}

#[test]
fn what_came_before_a_failure_is_told() {
    let (folder, server) = (Folder::new(), server());
    let said = refused(&folder, &server, "wiki-vote soc-epinions1");
    assert!(said.contains("wiki-vote is in [folder]/home/data/wiki-vote\n"), "{said}");
    assert!(said.contains("error: [server]/data/soc-Epinions1.txt.gz: "), "{said}");
    folder.ok("data where wiki-vote");
}

#[test]
fn the_list_says_what_is_here() {
    let folder = Folder::new();
    insta::assert_snapshot!("data_list", folder.redact(&folder.ok("data list")));
    folder.ok(&fetch_words(&server(), "wiki-vote"));
    let list = folder.json("data list");
    for known in list["datasets"].as_array().unwrap() {
        assert_eq!(known["folder"].is_string(), known["name"] == "wiki-vote", "{known}");
    }
    let row = folder.ok("data list");
    let row = row.lines().find(|line| line.starts_with("wiki-vote ")).unwrap();
    assert!(row.contains("  yes "), "{row}");
}

#[test]
fn what_was_not_fetched_is_nowhere() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.refused("data where cora-ml"), @"
    $ motifnet data where cora-ml
    error: cora-ml is not in [folder]/home/data/cora-ml, or not all of it
    hint: motifnet data fetch cora-ml
    [exit code 1]
    ");
}

/// Serves the true files where they are to be had: the hashes of the catalogue are theirs, and what
/// is fetched is learnt from at once.
#[test]
fn real_files_have_the_hashes_of_the_catalogue() {
    let Some(data) = std::env::var_os("MOTIFNET_DATA").map(std::path::PathBuf::from) else {
        eprintln!("skipped: MOTIFNET_DATA is not set");
        return;
    };
    let folder = Folder::new();
    let mirror = Loopback::serving(&[]);
    let list = folder.json("data list");
    let mut n_served = 0;
    for known in list["datasets"].as_array().unwrap() {
        let name = known["name"].as_str().unwrap();
        let files = known["files"].as_array().unwrap();
        // In another place there may be another form of the same graph, under the same name.
        let content = |file: &serde_json::Value| {
            let path = data.join(name).join(file["name"].as_str().unwrap());
            let bytes = std::fs::read(path).ok()?;
            (file["bytes"] == bytes.len()).then_some(bytes)
        };
        let Some(contents) = files.iter().map(content).collect::<Option<Vec<_>>>() else {
            continue;
        };
        for (file, bytes) in files.iter().zip(contents) {
            let url = file["url"].as_str().unwrap();
            let path = url.splitn(4, '/').nth(3).unwrap();
            mirror.put(&format!("/{path}"), &bytes);
        }
        folder.ok(&fetch_words(&mirror, name));
        let graph = &folder.json(&format!("inspect home/data/{name}"))["graph"];
        assert_eq!(
            (&graph["n_nodes"], &graph["n_arcs"]),
            (&known["nodes"], &known["arcs"]),
            "{name}"
        );
        n_served += 1;
    }
    assert!(n_served > 0, "MOTIFNET_DATA has none of the files");
    folder.ok("train home/data/telegram --epochs 2");
}
