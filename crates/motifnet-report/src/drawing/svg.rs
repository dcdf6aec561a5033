//! A writer of SVG: elements in order, text escaped, numbers short.

use std::fmt::{self, Write};

/// A picture that stands alone, being written.
///
/// No element has an `id`, so several pictures can live in one page.
pub(super) struct Svg {
    text: String,
    open: Vec<&'static str>,
}

/// What an attribute is set to.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
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
pub(super) type Attributes<'a> = [(&'a str, Value<'a>)];

impl Svg {
    /// A picture of `width` by `height`; `label` says what it shows to those who do not see it.
    pub(super) fn new(width: f64, height: f64, label: &str) -> Self {
        let mut svg = Self::fragment();
        let view = format!("0 0 {} {}", Short(width), Short(height));
        svg.group_of(
            "svg",
            &[
                ("xmlns", "http://www.w3.org/2000/svg".into()),
                ("viewBox", (&view).into()),
                ("width", width.into()),
                ("height", height.into()),
                ("role", "img".into()),
                ("aria-label", label.into()),
                ("font-family", "sans-serif".into()),
            ],
        );
        svg
    }

    /// A part of a picture, for [`Svg::append`]: where the height is known only in the end.
    pub(super) fn fragment() -> Self {
        Self { text: String::new(), open: Vec::new() }
    }

    /// Adds a part.
    pub(super) fn append(&mut self, part: Self) {
        self.text.push_str(&part.finish());
    }

    /// Opens a `<g>`; [`Svg::end`] closes it.
    pub(super) fn group(&mut self, attributes: &Attributes<'_>) {
        self.group_of("g", attributes);
    }

    fn group_of(&mut self, tag: &'static str, attributes: &Attributes<'_>) {
        self.tag(tag, attributes);
        self.text.push_str(">\n");
        self.open.push(tag);
    }

    /// Closes what was opened last.
    pub(super) fn end(&mut self) {
        if let Some(tag) = self.open.pop() {
            let _ = writeln!(self.text, "</{tag}>");
        }
    }

    /// An element with nothing in it.
    pub(super) fn element(&mut self, tag: &str, attributes: &Attributes<'_>) {
        self.tag(tag, attributes);
        self.text.push_str("/>\n");
    }

    /// A datum: an element that says `title` when hovered over.
    pub(super) fn datum(&mut self, tag: &str, attributes: &Attributes<'_>, title: &str) {
        self.tag(tag, attributes);
        let _ = writeln!(self.text, "><title>{}</title></{tag}>", Escaped(title));
    }

    /// Words.
    pub(super) fn words(&mut self, attributes: &Attributes<'_>, words: &str) {
        self.tag("text", attributes);
        let _ = writeln!(self.text, ">{}</text>", Escaped(words));
    }

    fn tag(&mut self, tag: &str, attributes: &Attributes<'_>) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "<{tag}");
        for (name, value) in attributes {
            let _ = match value {
                Value::Number(number) => write!(self.text, " {name}=\"{}\"", Short(*number)),
                Value::Text(text) => write!(self.text, " {name}=\"{}\"", Escaped(text)),
            };
        }
    }

    /// The picture, everything closed.
    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.text
    }
}

/// A number with at most two digits after the point, and none that say nothing.
///
/// A number that is not finite is written as 0: no place is better than a picture that nobody can
/// open.
pub(super) struct Short(pub(super) f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = if self.0.is_finite() { (100.0 * self.0).round() } else { 0.0 };
        let digits = format!("{:.2}", hundredths / 100.0);
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if digits == "-0" { "0" } else { digits })
    }
}

/// Text as it may stand in elements and attributes; what XML cannot have at all is replaced by �.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\t' | '\n' | '\r' => f.write_char(' ')?,
                '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                character => f.write_char(character)?,
            }
        }
        Ok(())
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
        let expected = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 20.5\" \
            width=\"10\" height=\"20.5\" role=\"img\" aria-label=\"a &quot;b&quot; &amp; c\" \
            font-family=\"sans-serif\">\n<g fill=\"&quot;&gt;&lt;script&gt;\">\n\
            <circle r=\"1.25\"><title>&lt;/title&gt;&lt;x&gt;\u{fffd}</title></circle>\n\
            <text>a&lt;b</text>\n</g>\n</svg>\n";
        assert_eq!(svg.finish(), expected);
    }
}
