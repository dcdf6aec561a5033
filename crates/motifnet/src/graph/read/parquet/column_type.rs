//! What the stored numbers of a column mean, and what they may be read as.

use parquet::basic::{ConvertedType, LogicalType};
use parquet::schema::types::ColumnDescriptor;

/// What a column is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadAs {
    /// Node ids.
    Ids,
    /// Weights of arcs.
    Weights,
    /// Features of nodes: numbers that are those that are meant.
    Features,
    /// Text about nodes. Days and moments stay numbers, whose order a split by time goes by.
    Values,
}

/// Refuses a column that holds lists, or whose stored numbers are not the numbers that are meant.
pub(super) fn check(descr: &ColumnDescriptor, read_as: ReadAs) -> Result<(), String> {
    if descr.max_rep_level() > 0 {
        let name = descr.path().string();
        return Err(format!("column {name} holds lists; one value a row is needed"));
    }
    match (meaning(descr), read_as) {
        (None, _) => Ok(()),
        (Some("DECIMAL"), ReadAs::Values) => Err(refused_values(descr, "DECIMAL")),
        (Some(meaning), ReadAs::Features) => Err(refused_values(descr, meaning)),
        (Some(_), ReadAs::Values) => Ok(()),
        (Some(meaning), ReadAs::Ids) => Err(format!(
            "column {} of type {meaning} cannot hold node ids; cast it to integers or strings",
            descr.path().string()
        )),
        (Some(meaning), ReadAs::Weights) => Err(format!(
            "column {} of type {meaning} cannot hold weights; cast it to floats, or pass --weight \
             none to read no weights",
            descr.path().string()
        )),
    }
}

/// What a table of facts about nodes says of a column that it cannot read.
pub(super) fn refused_values(descr: &ColumnDescriptor, kind: &str) -> String {
    format!(
        "column {} of type {kind} cannot be read; cast it to integers, floats or strings",
        descr.path().string()
    )
}

/// What stored values stand for, if not for themselves: the digits of a decimal are stored without its point, and
/// dates and times as days or parts of seconds.
fn meaning(descr: &ColumnDescriptor) -> Option<&'static str> {
    match (descr.logical_type_ref(), descr.converted_type()) {
        (Some(LogicalType::Decimal(_)), _) | (_, ConvertedType::DECIMAL) => Some("DECIMAL"),
        (Some(LogicalType::Date), _) | (_, ConvertedType::DATE) => Some("DATE"),
        (Some(LogicalType::Time(_)), _)
        | (_, ConvertedType::TIME_MILLIS | ConvertedType::TIME_MICROS) => Some("TIME"),
        (Some(LogicalType::Timestamp(_)), _)
        | (_, ConvertedType::TIMESTAMP_MILLIS | ConvertedType::TIMESTAMP_MICROS) => {
            Some("TIMESTAMP")
        }
        // Types of a Parquet that is yet to come.
        (Some(LogicalType::_Unknown { .. }), _) => Some("UNKNOWN"),
        _ => None,
    }
}

/// Whether integers are stored without a sign.
pub(super) fn is_unsigned(descr: &ColumnDescriptor) -> bool {
    let converted = matches!(
        descr.converted_type(),
        ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64
    );
    let logical = descr.logical_type_ref().is_some_and(
        |logical| matches!(logical, LogicalType::Integer(integer) if !integer.is_signed),
    );
    converted || logical
}
