//! Parquet files by the Parquet library's own writer, with every compression and encoding that is read.

use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::seed::Seed;

/// Arcs with weights.
pub(super) fn arc_tables() -> Vec<Seed> {
    let integers = "REQUIRED INT64 source; OPTIONAL INT32 target; REQUIRED DOUBLE weight;";
    let text = "REQUIRED BYTE_ARRAY source (UTF8); OPTIONAL BYTE_ARRAY target (UTF8);";
    let unsigned = "REQUIRED INT64 source (UINT_64); OPTIONAL INT32 target (UINT_8);";
    let plain = || WriterProperties::builder().set_dictionary_enabled(false);
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let delta = |encoding| plain().set_encoding(encoding);
    vec![
        Seed::new("integers", table(integers, WriterProperties::builder())),
        Seed::new("text", table(text, WriterProperties::builder())),
        Seed::new("unsigned", table(unsigned, WriterProperties::builder())),
        Seed::new("plain", table(integers, plain())),
        Seed::new("snappy", table(integers, plain().set_compression(Compression::SNAPPY))),
        Seed::new(
            "gzip",
            table(text, plain().set_compression(Compression::GZIP(Default::default()))),
        ),
        Seed::new("zstd", table(text, plain().set_compression(zstd))),
        Seed::new("lengths", table(text, delta(Encoding::DELTA_LENGTH_BYTE_ARRAY))),
        Seed::new(
            "prefixes, second version",
            table(
                text,
                delta(Encoding::DELTA_BYTE_ARRAY)
                    .set_writer_version(WriterVersion::PARQUET_2_0)
                    .set_compression(zstd),
            ),
        ),
    ]
}

/// Facts about the nodes 0 to 3.
pub(super) fn node_tables() -> Vec<Seed> {
    let schema = "REQUIRED INT64 node; OPTIONAL INT32 value; REQUIRED DOUBLE weight;";
    let text = "REQUIRED INT64 node; OPTIONAL BYTE_ARRAY value (UTF8);";
    let days = "REQUIRED INT64 node; OPTIONAL INT32 value (DATE);";
    vec![
        Seed::new("parquet", table(schema, WriterProperties::builder())),
        Seed::new("parquet text", table(text, WriterProperties::builder())),
        Seed::new("parquet days", table(days, WriterProperties::builder())),
    ]
}

/// Four rows of 0, 1, 2, 3 in every column of a table; text begins with an n.
fn table(schema: &str, properties: parquet::file::properties::WriterPropertiesBuilder) -> Vec<u8> {
    let properties = properties.set_statistics_enabled(EnabledStatistics::None).build();
    let schema = parse_message_type(&format!("message t {{ {schema} }}")).expect("a schema");
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))
        .expect("a Parquet file in memory");
    let mut group = writer.next_row_group().expect("a row group");
    let levels = Some([1i16; 4]);
    while let Some(mut column) = group.next_column().expect("a column") {
        let written = match column.untyped() {
            ColumnWriter::Int32ColumnWriter(column) => {
                column.write_batch(&[0, 1, 2, 3], levels.as_ref().map(|levels| &levels[..]), None)
            }
            ColumnWriter::Int64ColumnWriter(column) => {
                column.write_batch(&[0, 1, 2, 3], None, None)
            }
            ColumnWriter::DoubleColumnWriter(column) => {
                column.write_batch(&[0.0, 1.0, 2.5, -3.0], None, None)
            }
            ColumnWriter::ByteArrayColumnWriter(column) => {
                let texts = ["n0", "n1", "n22", "n3"].map(Into::into);
                let is_optional = column.get_descriptor().max_def_level() > 0;
                column.write_batch(
                    &texts,
                    levels.as_ref().filter(|_| is_optional).map(|l| &l[..]),
                    None,
                )
            }
            _ => panic!("a column of a type that no seed has"),
        };
        written.expect("rows");
        column.close().expect("a whole column");
    }
    group.close().expect("a whole row group");
    writer.into_inner().expect("a whole file")
}
