//! The commands of a document.

/// A command of a document, and what it shows of the output.
#[derive(Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) line: String,
    pub(crate) output: Option<String>,
}

/// The commands of the `sh` blocks, a line each, and of the `console` blocks, after `$ `.
pub(crate) fn steps(document: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut language = None;
    for line in document.lines() {
        match (line.strip_prefix("```"), language) {
            (Some(_), Some(_)) => language = None,
            (Some(opened), None) => language = Some(opened),
            (None, Some("sh")) if !line.is_empty() && !line.starts_with('#') => {
                steps.push(Step { line: line.to_owned(), output: None });
            }
            // A file that the commands need: its name, then its lines.
            (None, Some("toml")) => match (line.strip_prefix("# "), steps.last_mut()) {
                (Some(name), _) => {
                    let (line, output) = (format!("write {name}"), Some(format!("{line}\n")));
                    steps.push(Step { line, output });
                }
                (None, Some(Step { output: Some(content), .. })) => {
                    *content += &format!("{line}\n")
                }
                (None, _) => panic!("a file without a name: {line}"),
            },
            (None, Some("console")) => match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => {
                    let output = Some(String::new());
                    steps.push(Step { line: command.to_owned(), output });
                }
                (None, Some(Step { output: Some(output), .. })) => *output += &format!("{line}\n"),
                (None, _) => panic!("output without a command: {line}"),
            },
            _ => {}
        }
    }
    steps
}

/// The words of a command; those in double quotes may have blanks.
pub(crate) fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    parts
        .flat_map(|(part, text)| match part % 2 {
            0 => text.split_whitespace().map(str::to_owned).collect(),
            _ => vec![text.to_owned()],
        })
        .collect()
}

#[test]
fn blocks_are_told_apart() {
    let readme = "```sh\n# why\na b\n```\n$ no\n```rust\nno\n```\n```console\n$ c\none\n$ d\n```\n";
    let step = |line: &str, output: Option<&str>| Step {
        line: line.to_owned(),
        output: output.map(str::to_owned),
    };
    assert_eq!(steps(readme), [step("a b", None), step("c", Some("one\n")), step("d", Some(""))]);
    assert_eq!(words("a \"b c\" d"), ["a", "b c", "d"]);
}
