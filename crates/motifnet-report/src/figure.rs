//! A picture and what is said of it.

/// A picture: an SVG that stands alone, with its title, a caption and what it shows in words.
///
/// Its SVG is drawn in the colours of the light theme; those of the [palette](crate::INK) are
/// replaced by a page in the dark. A datum that has a value carries it as a `<title>` child, which
/// is what hovering shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What its file and its place in a page are called: lower-case words joined by `-`.
    pub name: String,
    /// What it shows, in a few words.
    pub title: String,
    /// How to read it.
    pub caption: String,
    /// What is to be seen in it, for those who cannot see it.
    pub description: String,
    /// The picture.
    pub svg: String,
}

/// Words as they stand in the name of a figure: lower case, joined by `-`.
///
/// ```
/// assert_eq!(motifnet_report::slug("Head 2, order 1"), "head-2-order-1");
/// ```
pub fn slug(words: &str) -> String {
    let parts = words.split(|letter: char| !letter.is_ascii_alphanumeric());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let slug = parts.join("-").to_ascii_lowercase();
    // A name may have no letter of this alphabet.
    if slug.is_empty() { "figure".to_owned() } else { slug }
}
