//! The pages of `motifnet report` and `motifnet reproduce`, opened in a browser as a reader opens it: from disk.
//!
//! Where there is no Chromium the tests say so and are skipped; `cargo xtask test` installs it if it can.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod chromium;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use chromium::Chromium;
use serde_json::Value;
use tempfile::TempDir;

/// The most bytes that a page may have.
const MOST_BYTES: u64 = 5_000_000;
const PHONE: u32 = 375;

fn motifnet(folder: &Path, words: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_motifnet"));
    let output = command.args(words).current_dir(folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "motifnet {words:?}\n{said}");
}

/// A folder with the page of a run, that of two, and that of the paper's evaluation, made once.
fn pages() -> &'static (TempDir, [PathBuf; 3]) {
    static PAGES: OnceLock<(TempDir, [PathBuf; 3])> = OnceLock::new();
    PAGES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let generate = [
            "generate", "dsbm", "--blocks", "40,40,40", "--connect",
            "0.02,0.2,0.02;0.02,0.02,0.2;0.2,0.02,0.02", "--seed", "1", "--labels", "l.csv", "-o", "a.tsv",
        ];
        motifnet(root, &generate);
        // Names are data, and data may be hostile.
        let labels = std::fs::read_to_string(root.join("l.csv")).unwrap();
        let evil = "<script>window.harmed=1</script>";
        let lines = labels.lines().map(|line| match line.strip_suffix(",2") {
            Some(node) => format!("{node},{evil}\n"),
            None => format!("{line}\n"),
        });
        std::fs::write(root.join("l.csv"), lines.collect::<String>()).unwrap();
        std::fs::write(
            root.join("dataset.toml"),
            "name = 'ring'\narcs = 'a.tsv'\nlabels = 'l.csv#block'\nfeatures = 'one-hot'\nsplit = '30/20/50'\n",
        )
        .unwrap();
        let train = |model: &str, out: &str| {
            let words = [
                "train", ".", "--model", model, "--repeat", "2", "--epochs", "30", "--width", "8",
                "--max-features", "20", "--out", out,
            ];
            motifnet(root, &words);
        };
        train("motifnet-m", "m");
        train("gcn", "g");
        motifnet(root, &["report", "m"]);
        motifnet(root, &["report", "m", "g", "-o", "both.html"]);
        let reproduce = ["reproduce", "--nodes", "300", "--orders", "1,2", "--splits", "2"];
        motifnet(root, &[&reproduce[..], &["--epochs", "3", "--out", "r"]].concat());
        let pages =
            [root.join("m/report.html"), root.join("both.html"), root.join("r/report.html")];
        (folder, pages)
    })
}

/// Opens each page at a size and has it looked at; says so where there is no browser.
fn look(width: u32, check: impl Fn(&mut Chromium, &Path)) {
    let Some(program) = chromium::find() else {
        eprintln!("skipped: there is no Chromium on the path");
        return;
    };
    let mut browser = Chromium::start(&program);
    for page in &pages().1 {
        browser.resize(width, 800);
        browser.open(page);
        check(&mut browser, page);
        assert_eq!(browser.errors, [] as [&str; 0], "{}: the console has errors", page.display());
    }
}

fn is_true(browser: &mut Chromium, expression: &str) {
    assert_eq!(browser.value(expression), Value::Bool(true), "{expression}");
}

#[test]
fn every_figure_is_there_and_not_empty() {
    look(1100, |browser, page| {
        assert!(page.metadata().unwrap().len() < MOST_BYTES, "{}", page.display());
        let figures = browser.value(
            "[...document.querySelectorAll('figure')].map(figure => {
                const svg = figure.querySelector('.plot svg');
                const { width, height } = svg.getBoundingClientRect();
                const marks = [...svg.querySelectorAll('[data-value]')];
                const seen = marks.filter(mark => {
                    const box = mark.getBoundingClientRect();
                    return box.width > 0 && box.height > 0;
                });
                const named = figure.getAttribute('aria-labelledby').split(' ')
                    .concat(figure.getAttribute('aria-describedby').split(' '))
                    .every(id => document.getElementById(id).textContent.trim().length > 0);
                return { id: figure.id, width, height, marks: marks.length, seen: seen.length, named };
            })",
        );
        let figures = figures.as_array().unwrap();
        assert!(figures.len() >= 3, "{}: {} figures", page.display(), figures.len());
        for figure in figures {
            let size = |of: &str| figure[of].as_f64().unwrap();
            assert!(size("width") > 200.0 && size("height") > 60.0, "{figure}");
            assert!(size("marks") >= 1.0 && size("seen") == size("marks"), "{figure}");
            assert_eq!(figure["named"], true, "{figure}");
        }
        is_true(browser, "window.harmed === undefined");
        // Headings go down one by one.
        is_true(
            browser,
            "[...document.querySelectorAll('h1,h2,h3')].map(h => +h.tagName[1])
                .every((level, at, all) => at === 0 ? level === 1 : level <= all[at - 1] + 1)",
        );
    });
}

#[test]
fn the_theme_can_be_changed() {
    look(1100, |browser, _| {
        let colors = "(() => {
            const of = (query, what) => getComputedStyle(document.querySelector(query))[what];
            return [of('body', 'backgroundColor'), of('body', 'color'), of('.plot svg rect', 'fill'),
                of('.plot svg text', 'fill')].join('; ');
        })()";
        let click = "document.getElementById('theme').click(), document.getElementById('theme').textContent";
        let mut seen = Vec::new();
        for theme in ["light", "dark", "auto"] {
            assert_eq!(browser.value(click), format!("Theme: {theme}"));
            seen.push(browser.value(colors).as_str().unwrap().to_owned());
        }
        let [light, dark, auto] = &seen[..] else { unreachable!() };
        assert_eq!(light, auto, "a browser without wishes is light");
        for (light, dark) in light.split("; ").zip(dark.split("; ")) {
            assert_ne!(light, dark, "{seen:?}");
        }
        assert!(light.starts_with("rgb(255, 255, 255)"), "{light}");
    });
}

#[test]
fn paper_is_light_and_has_no_buttons() {
    look(1100, |browser, _| {
        browser.value("document.documentElement.dataset.theme = 'dark'");
        browser.print(true);
        is_true(
            browser,
            "getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'",
        );
        is_true(
            browser,
            "[...document.querySelectorAll('nav, button, #tip')].every(e => e.getClientRects().length === 0)",
        );
        is_true(browser, "document.querySelector('.plot svg').getBoundingClientRect().width > 200");
        browser.print(false);
        is_true(
            browser,
            "getComputedStyle(document.body).backgroundColor !== 'rgb(255, 255, 255)'",
        );
    });
}

#[test]
fn values_are_told_to_the_mouse_and_to_the_keyboard() {
    const TIP: &str =
        "document.getElementById('tip').hidden ? '' : document.getElementById('tip').textContent";
    look(1100, |browser, _| {
        let n = browser.value("document.querySelectorAll('.plot').length").as_u64().unwrap();
        for plot in 0..n {
            let mark =
                format!("document.querySelectorAll('.plot')[{plot}].querySelector('[data-value]')");
            // The middle of its topmost spot: bars have theirs in the middle, lines on their points.
            let place = browser.value(&format!(
                "(() => {{ const mark = {mark};
                    mark.scrollIntoView({{ block: 'center', behavior: 'instant' }});
                    const box = mark.getBoundingClientRect();
                    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
                    return [x, y, document.elementFromPoint(x, y)?.closest('[data-value]')?.dataset.value ?? '']; }})()"
            ));
            let expected = place[2].as_str().unwrap();
            assert!(!expected.is_empty(), "plot {plot}: nothing to point at: {place}");
            browser.point_at(1.0, 1.0);
            assert_eq!(browser.value(TIP), "");
            browser.point_at(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
            assert_eq!(browser.value(TIP), expected, "plot {plot}");
            browser.point_at(1.0, 1.0);
        }
        // By keys: the first value, then another, then none.
        browser.value("document.querySelector('.plot').focus()");
        browser.press("Escape");
        browser.press("ArrowRight");
        let first = browser.value(TIP);
        browser.press("ArrowDown");
        let second = browser.value(TIP);
        assert!(first != "" && second != "" && first != second, "{first} {second}");
        browser.press("Escape");
        assert_eq!(browser.value(TIP), "");
    });
}

#[test]
fn a_phone_scrolls_no_page_sideways() {
    look(PHONE, |browser, _| {
        let widths = browser.value("[document.documentElement.scrollWidth, innerWidth]");
        assert_eq!(widths[1], PHONE);
        assert!(widths[0].as_u64() <= Some(u64::from(PHONE)), "{widths}");
        // What is wider scrolls in a box of its own that keys reach.
        is_true(
            browser,
            "[...document.querySelectorAll('.scroll, .plot')].every(box => box.tabIndex === 0 &&
                box.getBoundingClientRect().right <= innerWidth)",
        );
    });
}

#[test]
fn every_value_and_picture_can_be_had_without_a_mouse() {
    look(1100, |browser, _| {
        is_true(
            browser,
            "[...document.querySelectorAll('figure')].every(figure =>
                figure.querySelectorAll('.tools button').length === 2)",
        );
        // What is saved has its titles and its own colours again.
        let saved = browser.value(
            "new Promise(done => {
                URL.createObjectURL = blob => { blob.text().then(done); return '#'; };
                HTMLAnchorElement.prototype.click = () => {};
                document.querySelector('.tools button').click();
            })",
        );
        let saved = saved.as_str().unwrap();
        assert!(saved.starts_with("<svg xmlns=") && saved.contains("<title>"), "{saved}");
        assert!(!saved.contains("data-value") && saved.contains("#1f2328"), "{saved}");
    });
}
