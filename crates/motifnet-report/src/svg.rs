//! SVG, written mark by mark.

use std::fmt::Write;

use crate::palette::{INK, PAPER};

/// The letters of all pictures: what the system has, else any without serifs.
const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', sans-serif";

/// Where a text stands, seen from its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextStyle {
    pub(crate) anchor: Anchor,
    pub(crate) size: f64,
    pub(crate) color: &'static str,
    /// Read from below.
    pub(crate) upright: bool,
}

impl TextStyle {
    pub(crate) fn new(anchor: Anchor, size: f64) -> Self {
        Self { anchor, size, color: INK, upright: false }
    }

    pub(crate) fn in_color(self, color: &'static str) -> Self {
        Self { color, ..self }
    }

    pub(crate) fn upright(self) -> Self {
        Self { upright: true, ..self }
    }
}

/// A picture that is being written. Lengths are CSS pixels.
#[derive(Clone, Debug)]
pub(crate) struct Svg {
    pub(crate) width: f64,
    pub(crate) height: f64,
    body: String,
}

impl Svg {
    pub(crate) fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    /// Adds what is SVG already.
    pub(crate) fn raw(&mut self, markup: &str) {
        self.body += markup;
    }

    pub(crate) fn line(&mut self, [x1, y1, x2, y2]: [f64; 4], color: &str, width: f64) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(length);
        let width = length(width);
        let _ = writeln!(
            self.body,
            r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{color}" stroke-width="{width}"/>"#
        );
    }

    /// A text whose middle is at the height `y`.
    pub(crate) fn text(&mut self, x: f64, y: f64, text: &str, style: TextStyle) {
        let anchor = match style.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let [x, y, size] = [x, y, style.size].map(length);
        let turn = match style.upright {
            true => format!(r#" transform="rotate(-90 {x} {y})""#),
            false => String::new(),
        };
        let (color, text) = (style.color, escape(text));
        // Not every reader of SVG knows `dominant-baseline`.
        let _ = writeln!(
            self.body,
            r#"<text x="{x}" y="{y}" dy="0.35em" font-size="{size}" fill="{color}" text-anchor="{anchor}"{turn}>{text}</text>"#
        );
    }

    /// The picture, on paper, with what it is called for those who cannot see it.
    pub(crate) fn finish(self, label: &str) -> String {
        let [width, height] = [self.width, self.height].map(length);
        let label = escape(label);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{label}\" \
             font-family=\"{FONTS}\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// About how wide a text is: digits and most letters of the usual fonts are some 0.55 em.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    0.56 * size * text.chars().count() as f64
}

/// A text cut to about `width`, with a mark where it was.
pub(crate) fn shortened(text: &str, size: f64, width: f64) -> String {
    let most = ((width / (0.56 * size)) as usize).max(2);
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// A length with at most two decimals.
pub(crate) fn length(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text as it stands in markup, within quotes or without. Control characters, which XML forbids, become �.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            '\t' | '\n' | '\r' => escaped.push(character),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_stays_text() {
        assert_eq!(escape("<b a='1'>&\"\u{0}"), "&lt;b a=&#39;1&#39;&gt;&amp;&quot;\u{fffd}");
        let mut svg = Svg::new(10.0, 10.0);
        svg.text(1.0, 2.0, "</text><script>", TextStyle::new(Anchor::Start, 12.0));
        let svg = svg.finish("\"><script>");
        assert!(!svg.contains("<script"), "{svg}");
    }

    #[test]
    fn lengths_are_short() {
        assert_eq!([1.0, 0.126, -0.001, 12.5].map(length), ["1", "0.13", "0", "12.5"]);
        assert_eq!(shortened("abcdefgh", 10.0, 23.0), "abc…");
        assert_eq!(shortened("abc", 10.0, 23.0), "abc");
    }
}
