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
