//! What Parquet's descriptions are made of.
//!
//! The Parquet library reads a field that it knows as what it should be, whatever the file says that it is, and is then
//! out of step with the file: any bytes may become a list of billions.

/// What a field is.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// One byte.
    Byte,
    /// An integer of any length.
    Number,
    /// A float of eight bytes.
    Float,
    /// Text, or bytes.
    Text,
    /// A truth value, which is its own type.
    Truth,
    /// Values of one shape.
    List(&'static Shape),
    /// Fields with their numbers; others may be there, and are passed over by the library too.
    Struct(&'static [(i16, Shape)]),
}

use Shape::{Byte, Float, List, Number, Struct, Text, Truth};

impl Shape {
    /// Whether a value that is said to be of the type `kind` is this.
    pub(super) fn is(self, kind: u8) -> bool {
        match self {
            Byte => kind == 3,
            Number => (4..=6).contains(&kind),
            Float => kind == 7,
            Text => kind == 8,
            Truth => kind == 1 || kind == 2,
            List(_) => kind == 9,
            Struct(_) => kind == 12,
        }
    }

    /// The shape of what a list has, if it is one.
    pub(super) fn element(self) -> Option<Shape> {
        match self {
            List(element) => Some(*element),
            _ => None,
        }
    }

    /// The shape of a field, if it is known.
    pub(super) fn field(self, number: i16) -> Option<Shape> {
        let Struct(fields) = self else { return None };
        fields.iter().find(|(known, _)| *known == number).map(|(_, shape)| *shape)
    }
}

/// The description at the end of a file.
pub(super) const FILE: Shape = Struct(&[
    (1, Number),
    (2, List(&SCHEMA_ELEMENT)),
    (3, Number),
    (4, List(&ROW_GROUP)),
    (5, List(&KEY_VALUE)),
    (6, Text),
    (7, List(&Struct(&[(1, EMPTY), (2, EMPTY)]))),
    (8, Struct(&[(1, ENCRYPTION), (2, ENCRYPTION)])),
    (9, Text),
]);

/// What stands before a page.
pub(super) const PAGE_HEADER: Shape = Struct(&[
    (1, Number),
    (2, Number),
    (3, Number),
    (4, Number),
    (5, Struct(&[(1, Number), (2, Number), (3, Number), (4, Number), (5, STATISTICS)])),
    (6, EMPTY),
    (7, Struct(&[(1, Number), (2, Number), (3, Truth)])),
    (
        8,
        Struct(&[
            (1, Number),
            (2, Number),
            (3, Number),
            (4, Number),
            (5, Number),
            (6, Number),
            (7, Truth),
            (8, STATISTICS),
        ]),
    ),
]);

const EMPTY: Shape = Struct(&[]);
const KEY_VALUE: Shape = Struct(&[(1, Text), (2, Text)]);
const ENCRYPTION: Shape = Struct(&[(1, Text), (2, Text), (3, Truth)]);
const TIME_UNIT: Shape = Struct(&[(1, EMPTY), (2, EMPTY), (3, EMPTY)]);
const TIME: Shape = Struct(&[(1, Truth), (2, TIME_UNIT)]);

const LOGICAL_TYPE: Shape = Struct(&[
    (1, EMPTY),
    (2, EMPTY),
    (3, EMPTY),
    (4, EMPTY),
    (5, Struct(&[(1, Number), (2, Number)])),
    (6, EMPTY),
    (7, TIME),
    (8, TIME),
    (10, Struct(&[(1, Byte), (2, Truth)])),
    (11, EMPTY),
    (12, EMPTY),
    (13, EMPTY),
    (14, EMPTY),
    (15, EMPTY),
    (16, Struct(&[(1, Byte)])),
    (17, Struct(&[(1, Text)])),
    (18, Struct(&[(1, Text), (2, Number)])),
]);

const SCHEMA_ELEMENT: Shape = Struct(&[
    (1, Number),
    (2, Number),
    (3, Number),
    (4, Text),
    (5, Number),
    (6, Number),
    (7, Number),
    (8, Number),
    (9, Number),
    (10, LOGICAL_TYPE),
]);

const ROW_GROUP: Shape = Struct(&[
    (1, List(&COLUMN_CHUNK)),
    (2, Number),
    (3, Number),
    (4, List(&Struct(&[(1, Number), (2, Truth), (3, Truth)]))),
    (5, Number),
    (6, Number),
    (7, Number),
]);

const COLUMN_CHUNK: Shape = Struct(&[
    (1, Text),
    (2, Number),
    (3, COLUMN),
    (4, Number),
    (5, Number),
    (6, Number),
    (7, Number),
    (8, Struct(&[(1, EMPTY), (2, Struct(&[(1, List(&Text)), (2, Text)]))])),
    (9, Text),
]);

const COLUMN: Shape = Struct(&[
    (1, Number),
    (2, List(&Number)),
    (3, List(&Text)),
    (4, Number),
    (5, Number),
    (6, Number),
    (7, Number),
    (8, List(&KEY_VALUE)),
    (9, Number),
    (10, Number),
    (11, Number),
    (12, STATISTICS),
    (13, List(&Struct(&[(1, Number), (2, Number), (3, Number)]))),
    (14, Number),
    (15, Number),
    (16, Struct(&[(1, Number), (2, List(&Number)), (3, List(&Number))])),
    (17, Struct(&[(1, BOX), (2, List(&Number))])),
]);

const BOX: Shape = Struct(&[
    (1, Float),
    (2, Float),
    (3, Float),
    (4, Float),
    (5, Float),
    (6, Float),
    (7, Float),
    (8, Float),
]);

const STATISTICS: Shape = Struct(&[
    (1, Text),
    (2, Text),
    (3, Number),
    (4, Number),
    (5, Text),
    (6, Text),
    (7, Truth),
    (8, Truth),
    (9, Number),
]);
