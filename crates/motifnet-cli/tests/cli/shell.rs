//! What shells and `man` are given.

use crate::support::Folder;

#[test]
fn every_shell_gets_a_script_that_knows_subcommands_and_flags() {
    let folder = Folder::new();
    for (shell, start) in [
        ("bash", "_motifnet() {"),
        ("zsh", "#compdef motifnet"),
        ("fish", "# Print an optspec"),
        ("powershell", "\nusing namespace System.Management.Automation"),
        ("elvish", "\nuse builtin;"),
    ] {
        let script = folder.ok(&format!("completions {shell}"));
        assert!(script.starts_with(start), "{shell}: {}", &script[..200]);
        for word in ["census", "print-space", "class-weights"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        assert_eq!(folder.json(&format!("completions {shell}"))["script"], script);
    }
}

#[cfg(unix)]
#[test]
fn bash_takes_the_script() {
    let folder = Folder::new();
    folder.put("motifnet.bash", folder.ok("completions bash"));
    let line = "source motifnet.bash && COMP_WORDS=(motifnet cen) COMP_CWORD=1 && \
                _motifnet motifnet cen motifnet && echo \"${COMPREPLY[@]}\"";
    let mut bash = std::process::Command::new("bash");
    let Ok(output) = bash.args(["-c", line]).current_dir(folder.path("")).output() else {
        eprintln!("skipped: there is no bash");
        return;
    };
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), "census", "{said}");
}

#[test]
fn the_manual_has_a_page_for_every_subcommand() {
    let folder = Folder::new();
    let page = folder.ok("man");
    assert!(page.contains(".TH motifnet 1"), "{page}");
    assert!(page.contains("motifnet\\-train(1)"), "{page}");

    let found = folder.json("man --out pages");
    let pages: Vec<String> = found["written"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| page.as_str().unwrap().into())
        .collect();
    for name in ["motifnet", "motifnet-tune", "motifnet-generate", "motifnet-generate-rmat"] {
        assert!(pages.contains(&format!("pages/{name}.1")), "{name}: {pages:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path("pages")).unwrap().count(), pages.len());
    assert_eq!(folder.text("pages/motifnet.1"), page);
    let rmat = folder.text("pages/motifnet-generate-rmat.1");
    // Its own options and the common ones.
    assert!(rmat.contains("\\-\\-arcs") && rmat.contains("\\-\\-threads"), "{rmat}");
    // What is there is replaced.
    assert_eq!(folder.ok("man --out pages"), format!("{} pages in pages\n", pages.len()));
}

#[test]
fn shell_commands_explain_themselves_and_refuse() {
    let folder = Folder::with("file", "");
    for (name, words) in [("help_completions", "completions --help"), ("help_man", "man --help")] {
        let said = folder.ok(words);
        let said: String = said.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
        insta::assert_snapshot!(name, said);
    }
    let commands = ["completions", "completions tcsh", "man page", "man --out file"];
    let said: String = commands.iter().map(|words| folder.refused(words)).collect();
    insta::assert_snapshot!("wrong_shell_usage", said);
}
