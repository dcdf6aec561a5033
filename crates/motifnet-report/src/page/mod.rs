//! One HTML page that stands alone: no network, no other file.
//!
//! ```text
//! Page { sections: Section { blocks: Block … } } → to_html → report.html
//! ```

mod html;

use crate::{Figure, Table};

/// A page: what it is about, and sections that its navigation lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// What it is about.
    pub title: String,
    /// The sentence below the title.
    pub lead: String,
    /// Its sections.
    pub sections: Vec<Section>,
}

/// A part of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// What links call it: lower-case words joined by `-`.
    pub name: String,
    /// Its heading.
    pub title: String,
    /// What is in it.
    pub blocks: Vec<Block>,
}

/// One thing of a section. All text is plain: markup in it is shown, not obeyed.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading within the section.
    Heading(String),
    /// A paragraph.
    Prose(String),
    /// What is missing, and why; or what to be careful about.
    Note(String),
    /// The few numbers to see first.
    Headline(Vec<HeadlineNumber>),
    /// Names and what they are.
    Facts(Vec<(String, String)>),
    /// A table.
    Table(Table),
    /// A figure, and its values as a table.
    Figure(Box<Figure>, Option<Table>),
    /// Lines of a file, behind their title.
    Listing {
        /// What it is.
        title: String,
        /// The lines.
        text: String,
    },
}

/// One number to see first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeadlineNumber {
    /// What it is.
    pub label: String,
    /// The number.
    pub value: String,
    /// What to know of it; may be empty.
    pub note: String,
}

impl Page {
    /// The figures, in order.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks.filter_map(|block| match block {
            Block::Figure(figure, _) => Some(figure.as_ref()),
            _ => None,
        })
    }

    /// What it says is missing or to be careful about, in order.
    pub fn notes(&self) -> impl Iterator<Item = &str> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks.filter_map(|block| match block {
            Block::Note(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The page as one HTML file.
    ///
    /// Its style and script are in it; a content security policy forbids it to load anything else.
    pub fn to_html(&self) -> String {
        html::page(self)
    }
}

impl Section {
    /// A section without blocks.
    pub fn new(name: impl Into<String>, title: impl Into<String>) -> Self {
        Self { name: name.into(), title: title.into(), blocks: Vec::new() }
    }

    /// Adds a paragraph.
    pub fn prose(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Prose(text.into()));
    }

    /// Says what is missing, and why.
    pub fn note(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Note(text.into()));
    }

    /// Adds a figure, and its values as a table.
    pub fn figure(&mut self, figure: Figure, values: impl Into<Option<Table>>) {
        self.blocks.push(Block::Figure(Box::new(figure), values.into()));
    }
}
