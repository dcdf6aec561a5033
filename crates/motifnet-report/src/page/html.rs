//! A page in HTML.

use std::collections::HashSet;
use std::fmt::Write;

use super::{Block, HeadlineNumber, Page, Section};
use crate::markup::escape;
use crate::palette::{ACCENT, GRID, INK, MUTED, PAPER};
use crate::{Figure, Table, slug};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Nothing is loaded, from nowhere; pictures are made of the page's own.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data: blob:";

/// The colours of figures and the style's names for them.
const COLORS: [(&str, &str); 5] =
    [(INK, "ink"), (MUTED, "muted"), (GRID, "grid"), (PAPER, "paper"), (ACCENT, "accent")];

pub(super) fn page(page: &Page) -> String {
    let mut html = Html { text: String::new(), ids: HashSet::new() };
    let sections = html.name_sections(&page.sections);
    html.head(page);
    html.navigation(&sections);
    html.add("<main id=\"content\">\n");
    for (id, section) in sections {
        html.section(&id, section);
    }
    html.add("</main>\n");
    html.foot();
    html.text
}

struct Html {
    text: String,
    /// Those that are taken.
    ids: HashSet<String>,
}

impl Html {
    fn add(&mut self, markup: &str) {
        self.text += markup;
    }

    /// An id of letters, digits and hyphens that no other element has.
    fn id(&mut self, name: &str) -> String {
        let base = slug(name);
        let mut id = base.clone();
        let mut number = 1;
        while !self.ids.insert(id.clone()) {
            number += 1;
            id = format!("{base}-{number}");
        }
        id
    }

    fn name_sections<'a>(&mut self, sections: &'a [Section]) -> Vec<(String, &'a Section)> {
        self.ids.extend(["content", "theme", "tip"].map(str::to_owned));
        sections.iter().map(|section| (self.id(&section.name), section)).collect()
    }

    fn head(&mut self, page: &Page) {
        let (title, lead) = (escape(&page.title), escape(&page.lead));
        let version = env!("CARGO_PKG_VERSION");
        let _ = write!(
            self.text,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"generator\" content=\"motifnet {version}\">\n\
             <link rel=\"icon\" href=\"data:,\">\n\
             <title>{title}</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#content\">Skip to the content</a>\n\
             <header>\n<div>\n<h1>{title}</h1>\n<p class=\"lead\">{lead}</p>\n</div>\n\
             <button id=\"theme\" type=\"button\" hidden>Theme: auto</button>\n</header>\n",
            recolored()
        );
    }

    fn navigation(&mut self, sections: &[(String, &Section)]) {
        self.add("<nav aria-label=\"Sections\">\n<ul>\n");
        for (id, section) in sections {
            let title = escape(&section.title);
            let _ = writeln!(self.text, "<li><a href=\"#{id}\">{title}</a></li>");
        }
        self.add("</ul>\n</nav>\n");
    }

    fn section(&mut self, id: &str, section: &Section) {
        let title = escape(&section.title);
        let _ = writeln!(
            self.text,
            "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{title}</h2>"
        );
        section.blocks.iter().for_each(|block| self.block(block));
        self.add("</section>\n");
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading(text) => self.element("h3", text),
            Block::Prose(text) => self.element("p", text),
            Block::Note(text) => {
                let text = escape(text);
                let _ = writeln!(self.text, "<p class=\"note\" role=\"note\">{text}</p>");
            }
            Block::Headline(numbers) => self.headline(numbers),
            Block::Facts(facts) => self.facts(facts),
            Block::Table(table) => self.table(table),
            Block::Figure(figure, values) => self.figure(figure, values.as_ref()),
            Block::Listing { title, text } => {
                let (title, text) = (escape(title), escape(text));
                let _ = writeln!(
                    self.text,
                    "<details>\n<summary>{title}</summary>\n<div class=\"scroll\" tabindex=\"0\" \
                     role=\"region\" aria-label=\"{title}\"><pre>{text}</pre></div>\n</details>"
                );
            }
        }
    }

    fn element(&mut self, tag: &str, text: &str) {
        let text = escape(text);
        let _ = writeln!(self.text, "<{tag}>{text}</{tag}>");
    }

    fn headline(&mut self, numbers: &[HeadlineNumber]) {
        self.add("<dl class=\"headline\">\n");
        for HeadlineNumber { label, value, note } in numbers {
            let [label, value, note] = [label, value, note].map(|text| escape(text));
            let note = match note.is_empty() {
                true => String::new(),
                false => format!("<dd class=\"about\">{note}</dd>"),
            };
            let _ = writeln!(
                self.text,
                "<div><dt>{label}</dt><dd class=\"number\">{value}</dd>{note}</div>"
            );
        }
        self.add("</dl>\n");
    }

    fn facts(&mut self, facts: &[(String, String)]) {
        self.add("<dl class=\"facts\">\n");
        for (name, value) in facts {
            let (name, value) = (escape(name), escape(value));
            let _ = writeln!(self.text, "<div><dt>{name}</dt><dd>{value}</dd></div>");
        }
        self.add("</dl>\n");
    }

    fn table(&mut self, table: &Table) {
        let id = self.id("table");
        let _ = writeln!(
            self.text,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"{id}\">\n<table>\n\
             <caption id=\"{id}\">{}</caption>\n<thead>\n<tr>",
            escape(&table.caption)
        );
        let class = |is_numeric: bool| if is_numeric { " class=\"numeric\"" } else { "" };
        for column in &table.columns {
            let (class, name) = (class(column.is_numeric), escape(&column.name));
            let _ = match name.is_empty() {
                true => writeln!(self.text, "<td></td>"),
                false => writeln!(self.text, "<th scope=\"col\"{class}>{name}</th>"),
            };
        }
        self.add("</tr>\n</thead>\n<tbody>\n");
        for row in &table.rows {
            self.add("<tr>");
            for (place, (cell, column)) in row.iter().zip(&table.columns).enumerate() {
                let (class, cell) = (class(column.is_numeric), escape(cell));
                let _ = match place {
                    0 => write!(self.text, "<th scope=\"row\"{class}>{cell}</th>"),
                    _ => write!(self.text, "<td{class}>{cell}</td>"),
                };
            }
            self.add("</tr>\n");
        }
        self.add("</tbody>\n</table>\n</div>\n");
    }

    fn figure(&mut self, figure: &Figure, values: Option<&Table>) {
        let id = self.id(&figure.name);
        let [title, caption, description] =
            [&figure.title, &figure.caption, &figure.description].map(|text| escape(text));
        let _ = write!(
            self.text,
            "<figure id=\"{id}\" aria-labelledby=\"{id}-title\" aria-describedby=\"{id}-description\">\n\
             <figcaption>\n<p class=\"title\" id=\"{id}-title\">{title}</p>\n<p>{caption}</p>\n\
             </figcaption>\n\
             <div class=\"plot\" tabindex=\"0\" role=\"group\" aria-label=\"{title}\" \
             aria-describedby=\"{id}-description\">\n{}</div>\n\
             <p class=\"unseen\" id=\"{id}-description\">{description}</p>\n",
            figure.svg
        );
        if let Some(values) = values {
            self.add("<details>\n<summary>Values</summary>\n");
            self.table(values);
            self.add("</details>\n");
        }
        self.add("</figure>\n");
    }

    fn foot(&mut self) {
        let version = env!("CARGO_PKG_VERSION");
        let _ = write!(
            self.text,
            "<footer><p>Made by motifnet {version}. The page is complete: it loads nothing.</p></footer>\n\
             <div id=\"tip\" role=\"status\" aria-live=\"polite\" hidden></div>\n\
             <script>\n{SCRIPT}</script>\n</body>\n</html>\n"
        );
    }
}

/// Rules that put the theme's colours in the place of the figures' own.
fn recolored() -> String {
    let rule = |(hex, name): (&str, &str)| {
        format!(
            ".plot svg [fill=\"{hex}\"] {{ fill: var(--{name}) }}\n\
             .plot svg [stroke=\"{hex}\"] {{ stroke: var(--{name}) }}\n"
        )
    };
    COLORS.map(rule).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVIL: &str = "<script>alert(1)</script>\"'&";

    fn evil() -> Page {
        let text = || EVIL.to_owned();
        let mut table = Table::new(EVIL, [EVIL], [EVIL]);
        table.row([text(), text()]);
        let figure = Figure {
            name: text(),
            title: text(),
            caption: text(),
            description: text(),
            svg: "<svg></svg>".to_owned(),
        };
        let number = HeadlineNumber { label: text(), value: text(), note: text() };
        let blocks = vec![
            Block::Heading(text()),
            Block::Prose(text()),
            Block::Note(text()),
            Block::Headline(vec![number]),
            Block::Facts(vec![(text(), text())]),
            Block::Table(table.clone()),
            Block::Figure(Box::new(figure.clone()), Some(table.clone())),
            Block::Figure(Box::new(figure), None),
            Block::Listing { title: text(), text: text() },
        ];
        let section =
            |name: &str| Section { name: name.into(), title: text(), blocks: blocks.clone() };
        let sections = vec![section("a"), section("a"), section("content"), section(EVIL)];
        Page { title: text(), lead: text(), sections }
    }

    #[test]
    fn what_names_say_is_shown_and_not_obeyed() {
        let html = evil().to_html();
        assert!(!html.contains("<script>alert"), "markup got through");
        assert!(!html.contains("\"'&\""), "a quote ends an attribute");
        assert_eq!(html.matches("<script>").count(), 1, "the page's own");
    }

    #[test]
    fn ids_are_unique() {
        let html = evil().to_html();
        let mut seen = HashSet::new();
        for id in html.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(seen.insert(id), "{id} is there twice");
        }
        for part in html.split("aria-labelledby=\"").skip(1) {
            let id = part.split('"').next().unwrap();
            assert!(seen.contains(id), "{id} is nowhere");
        }
        assert_eq!(evil().figures().count(), 8);
    }

    #[test]
    fn nothing_is_loaded() {
        let html = evil().to_html();
        for from in ["http://", "https://", "src=", "url(", "@import"] {
            // The policy speaks of sources, an SVG names its language.
            let own = html.matches("http://www.w3.org").count();
            let n = html.matches(from).count() - if from == "http://" { own } else { 0 };
            assert_eq!(n, 0, "{from}");
        }
    }

    #[test]
    fn every_colour_of_figures_is_of_the_theme() {
        for (hex, name) in COLORS {
            assert!(STYLE.contains(&format!("--{name}: light-dark({hex}, ")), "{name}");
        }
    }

    /// Red, green and blue, from 0 to 1.
    fn parts(hex: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0)
    }

    /// WCAG 2's contrast of two colours.
    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let light = |color: [f64; 3]| {
            let part = |at: usize| {
                let value = color[at];
                if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2)
        };
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_can_be_read_in_both_themes() {
        let of = |name: &str| -> [[f64; 3]; 2] {
            let rest = STYLE.split(&format!("--{name}: light-dark(")).nth(1).expect(name);
            let (light, rest) = rest.split_once(", ").unwrap();
            [light, rest.split(')').next().unwrap()].map(parts)
        };
        for ground in ["paper", "raised"] {
            for theme in [0, 1] {
                for text in ["ink", "muted", "accent"] {
                    let found = contrast(of(text)[theme], of(ground)[theme]);
                    assert!(found >= 4.5, "{text} on {ground}, theme {theme}: {found:.2}");
                }
                for mark in crate::CATEGORIES {
                    let found = contrast(parts(mark), of(ground)[theme]);
                    assert!(found >= 3.0, "{mark} on {ground}, theme {theme}: {found:.2}");
                }
            }
        }
        // Numbers in the darkest cell of a heat map.
        for theme in [0, 1] {
            let [ink, paper, accent] = ["ink", "paper", "accent"].map(|name| of(name)[theme]);
            let dark = crate::chart::DARKEST_NUMBERED;
            let cell = [0, 1, 2].map(|at| dark * accent[at] + (1.0 - dark) * paper[at]);
            assert!(contrast(ink, cell) >= 4.5, "theme {theme}: {:.2}", contrast(ink, cell));
        }
        assert!((contrast([0.0; 3], [1.0; 3]) - 21.0).abs() < 1e-9);
    }
}
