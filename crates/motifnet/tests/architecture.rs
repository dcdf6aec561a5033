//! The architecture, held as code: the order of the modules, and what the library never does.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

/// The modules in the order of the data flow; each may use only itself and those before it.
const MODULES: [&str; 14] = [
    "choice",
    "progress",
    "threads",
    "memory",
    "io",
    "graph",
    "dense",
    "sparse",
    "motif",
    "spectral",
    "data",
    "nn",
    "train",
    "experiment",
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every source file of the library, with the module it belongs to.
fn sources() -> Vec<(String, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let inside = path.strip_prefix(&root).unwrap();
                let module = inside.iter().next().unwrap().to_str().unwrap();
                let module = module.trim_end_matches(".rs").to_owned();
                let text = std::fs::read_to_string(&path).unwrap();
                sources.push((module, path, text));
            }
        }
    }
    sources
}

/// The modules that `text` names as `crate::module` or `crate::{module, …}`.
fn modules_named(text: &str) -> Vec<&str> {
    let mut named = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let list = rest.strip_prefix('{').and_then(|list| list.split('}').next());
        for path in list.unwrap_or(rest).split(',') {
            let end = path.trim().find(|c: char| !c.is_alphanumeric() && c != '_');
            named.push(&path.trim()[..end.unwrap_or(path.trim().len())]);
            if list.is_none() {
                break;
            }
        }
    }
    named
}

#[test]
fn no_module_uses_one_after_it() {
    let order = |module: &str| MODULES.iter().position(|&known| known == module);
    for (module, path, text) in sources().into_iter().filter(|(module, ..)| module != "lib") {
        let own = order(&module).unwrap_or_else(|| panic!("{module} is not in the module order"));
        for used in modules_named(&text) {
            let used_order = order(used).unwrap_or_else(|| {
                panic!("{} names crate::{used}, which is no module", path.display())
            });
            assert!(used_order <= own, "{} of {module} uses {used}", path.display());
        }
    }
}

#[test]
fn the_check_sees_back_edges() {
    assert_eq!(modules_named("use crate::motif::X;"), ["motif"]);
    assert_eq!(modules_named("use crate::{io, graph::DiGraph};"), ["io", "graph"]);
}

#[test]
fn the_documents_list_the_modules_in_this_order() {
    let library = std::fs::read_to_string(repository().join("crates/motifnet/src/lib.rs")).unwrap();
    let architecture = std::fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    for (document, text) in [("lib.rs", library), ("ARCHITECTURE.md", architecture)] {
        let listed = text.lines().filter_map(|line| {
            let line = line.trim_start_matches("//!").trim_start();
            MODULES
                .into_iter()
                .find(|module| line.strip_prefix(module).is_some_and(|rest| rest.starts_with("  ")))
        });
        assert_eq!(listed.collect::<Vec<_>>(), MODULES, "in {document}");
    }
}

/// Unsafe code stands in one module of the command's program, which only the compiler's lint could hold if that could
/// make exceptions.
#[test]
fn no_crate_but_the_program_may_have_unsafe_code() {
    let crates = repository().join("crates");
    let mut roots: Vec<PathBuf> = std::fs::read_dir(crates)
        .unwrap()
        .map(|entry| entry.unwrap().path().join("src/lib.rs"))
        .collect();
    roots.push(repository().join("xtask/src/main.rs"));
    for root in roots {
        let text = std::fs::read_to_string(&root).unwrap();
        assert!(text.contains("#![forbid(unsafe_code)]"), "{} may be unsafe", root.display());
    }
    let program = repository().join("crates/motifnet-cli/src");
    let main = std::fs::read_to_string(program.join("main.rs")).unwrap();
    let net = std::fs::read_to_string(program.join("memory_net.rs")).unwrap();
    assert!(![main, net].iter().any(|text| text.contains("unsafe")), "beside allocator.rs");
}

#[test]
fn the_library_never_prints() {
    for (_, path, text) in sources() {
        let code = text.split("#[cfg(test)]").next().unwrap();
        for word in ["println!", "print!(", "eprintln!", "dbg!"] {
            assert!(!code.contains(word), "{} has {word}", path.display());
        }
    }
}
