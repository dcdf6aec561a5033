//! The one writer of SVG: elements in order, text escaped, numbers short.

use std::fmt::{self, Write};

use crate::markup::escape;
use crate::palette::{INK, PAPER};

/// The letters of all pictures: what the system has, else any without serifs.
const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', sans-serif";
/// How far below the middle of a text its foot is, as not every reader of SVG knows `dominant-baseline`.
const TO_FOOT: &str = "0.35em";

/// A picture that stands alone, being written. Lengths are CSS pixels.
///
/// No element has an `id`, so several pictures can live in one page.
#[derive(Clone, Debug)]
pub(crate) struct Svg {
    text: String,
    open: Vec<&'static str>,
}

/// What an attribute is set to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Number(f64),
    Text(&'a str),
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

/// Attributes by name.
pub(crate) type Attributes<'a> = [(&'a str, Value<'a>)];

impl Svg {
    /// A picture of `width` by `height`, on paper; `label` says what it shows to those who do not see it.
    pub(crate) fn new(width: f64, height: f64, label: &str) -> Self {
        let mut svg = Self::fragment();
        let view = format!("0 0 {} {}", Short(width), Short(height));
        let size = [("width", width.into()), ("height", height.into())];
        let about = [
            ("xmlns", "http://www.w3.org/2000/svg".into()),
            ("viewBox", (&view).into()),
            ("role", "img".into()),
            ("aria-label", label.into()),
            ("font-family", FONTS.into()),
        ];
        svg.group_of("svg", &[&about[..], &size].concat());
        svg.element("rect", &[&size[..], &[("fill", PAPER.into())]].concat());
        svg
    }

    /// A part of a picture, for [`Svg::append`]: where the height is known only in the end.
    pub(crate) fn fragment() -> Self {
        Self { text: String::new(), open: Vec::new() }
    }

    /// Adds a part.
    pub(crate) fn append(&mut self, part: Self) {
        self.text.push_str(&part.finish());
    }

    /// Opens a `<g>`; [`Svg::end`] closes it.
    pub(crate) fn group(&mut self, attributes: &Attributes<'_>) {
        self.group_of("g", attributes);
    }

    fn group_of(&mut self, tag: &'static str, attributes: &Attributes<'_>) {
        self.tag(tag, attributes);
        self.text.push_str(">\n");
        self.open.push(tag);
    }

    /// Closes what was opened last.
    pub(crate) fn end(&mut self) {
        if let Some(tag) = self.open.pop() {
            let _ = writeln!(self.text, "</{tag}>");
        }
    }

    /// An element with nothing in it.
    pub(crate) fn element(&mut self, tag: &str, attributes: &Attributes<'_>) {
        self.tag(tag, attributes);
        self.text.push_str("/>\n");
    }

    /// A datum: an element that says `title` when hovered over.
    pub(crate) fn datum(&mut self, tag: &str, attributes: &Attributes<'_>, title: &str) {
        self.tag(tag, attributes);
        let _ = writeln!(self.text, "><title>{}</title></{tag}>", escape(title));
    }

    /// Words.
    pub(crate) fn words(&mut self, attributes: &Attributes<'_>, words: &str) {
        self.tag("text", attributes);
        let _ = writeln!(self.text, ">{}</text>", escape(words));
    }

    /// A straight line from one place to another.
    pub(crate) fn line(&mut self, [x1, y1, x2, y2]: [f64; 4], color: &str, width: f64) {
        self.dashed_line([x1, y1, x2, y2], color, width, None);
    }

    /// A straight line, in dashes if there are any.
    pub(crate) fn dashed_line(
        &mut self,
        [x1, y1, x2, y2]: [f64; 4],
        color: &str,
        width: f64,
        dashes: Option<&str>,
    ) {
        let ends = [("x1", x1.into()), ("y1", y1.into()), ("x2", x2.into()), ("y2", y2.into())];
        let look = [("stroke", color.into()), ("stroke-width", width.into())];
        let dashes = dashes.map(|dashes| ("stroke-dasharray", dashes.into()));
        self.element("line", &[&ends[..], &look, dashes.as_slice()].concat());
    }

    /// A text whose middle is at the height `y`.
    pub(crate) fn text(&mut self, x: f64, y: f64, text: &str, style: TextStyle) {
        let turn = format!("rotate(-90 {} {})", Short(x), Short(y));
        let place = [("x", x.into()), ("y", y.into()), ("dy", TO_FOOT.into())];
        let look = [
            ("font-size", style.size.into()),
            ("fill", style.color.into()),
            ("text-anchor", style.anchor.word().into()),
        ];
        let turn = style.upright.then_some(("transform", (&turn).into()));
        // It would be in the way of hovering over the datum.
        let clear = style.is_over_datum.then_some(("pointer-events", "none".into()));
        self.words(&[&place[..], &look, turn.as_slice(), clear.as_slice()].concat(), text);
    }

    fn tag(&mut self, tag: &str, attributes: &Attributes<'_>) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "<{tag}");
        for (name, value) in attributes {
            let _ = match value {
                Value::Number(number) => write!(self.text, " {name}=\"{}\"", Short(*number)),
                Value::Text(text) => write!(self.text, " {name}=\"{}\"", escape(text)),
            };
        }
    }

    /// The picture, everything closed.
    pub(crate) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.text
    }
}

/// Where a text stands, seen from its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextStyle {
    pub(crate) anchor: Anchor,
    pub(crate) size: f64,
    pub(crate) color: &'static str,
    /// Read from below.
    pub(crate) upright: bool,
    /// Whether a datum that tells its value lies under it.
    pub(crate) is_over_datum: bool,
}

impl TextStyle {
    pub(crate) fn new(anchor: Anchor, size: f64) -> Self {
        Self { anchor, size, color: INK, upright: false, is_over_datum: false }
    }

    pub(crate) fn in_color(self, color: &'static str) -> Self {
        Self { color, ..self }
    }

    pub(crate) fn upright(self) -> Self {
        Self { upright: true, ..self }
    }

    pub(crate) fn over_datum(self) -> Self {
        Self { is_over_datum: true, ..self }
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

/// A number with at most two digits after the point, and none that say nothing.
///
/// A number that is not finite is written as 0: no place is better than a picture that nobody can
/// open.
pub(crate) struct Short(pub(crate) f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = if self.0.is_finite() { (100.0 * self.0).round() } else { 0.0 };
        let digits = format!("{:.2}", hundredths / 100.0);
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if digits == "-0" { "0" } else { digits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let short = |number| Short(number).to_string();
        let found = [0.0, -0.001, 12.0, 2.34567, -2.5, 100.0, f64::NAN, f64::INFINITY].map(short);
        assert_eq!(found, ["0", "0", "12", "2.35", "-2.5", "100", "0", "0"]);
    }

    #[test]
    fn text_cannot_break_out() {
        let mut svg = Svg::new(10.0, 20.5, "a \"b\" & c");
        svg.group(&[("fill", "\"><script>".into())]);
        svg.datum("circle", &[("r", 1.25.into())], "</title><x>\u{1}");
        svg.words(&[], "a<b");
        let expected = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 20.5\" role=\"img\" \
            aria-label=\"a &quot;b&quot; &amp; c\" \
            font-family=\"system-ui, -apple-system, &#39;Segoe UI&#39;, sans-serif\" \
            width=\"10\" height=\"20.5\">\n<rect width=\"10\" height=\"20.5\" fill=\"#ffffff\"/>\n\
            <g fill=\"&quot;&gt;&lt;script&gt;\">\n\
            <circle r=\"1.25\"><title>&lt;/title&gt;&lt;x&gt;\u{fffd}</title></circle>\n\
            <text>a&lt;b</text>\n</g>\n</svg>\n";
        assert_eq!(svg.finish(), expected);
    }

    #[test]
    fn texts_stand_upright_and_let_the_pointer_through() {
        let mut svg = Svg::fragment();
        let style = TextStyle::new(Anchor::End, 12.0).in_color("#59636e");
        svg.text(1.0, 2.5, "</text><script>", style.upright().over_datum());
        let expected = "<text x=\"1\" y=\"2.5\" dy=\"0.35em\" font-size=\"12\" fill=\"#59636e\" \
            text-anchor=\"end\" transform=\"rotate(-90 1 2.5)\" pointer-events=\"none\">\
            &lt;/text&gt;&lt;script&gt;</text>\n";
        assert_eq!(svg.finish(), expected);
    }

    #[test]
    fn texts_are_cut_to_a_width() {
        assert_eq!(shortened("abcdefgh", 10.0, 23.0), "abc…");
        assert_eq!(shortened("abc", 10.0, 23.0), "abc");
    }
}
