//! The pages of a column, looked at before the Parquet library makes room for what they declare.

use std::io::{self, Read};

use parquet::basic::{Compression, Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;

use super::damaged;
use super::delta_lengths::n_lengths;
use super::meter::Meter;
use super::shape::PAGE_HEADER;
use super::shared_file::SharedFile;
use super::thrift::Numbers;

/// A page of this size may be declared by a header alone.
const SMALL_PAGE: u64 = 1 << 20;
/// Beyond that, a page may declare so many bytes for every byte there is; what declares more is decompressed
/// once to see.
const USUAL_RATIO: u64 = 64;

/// Fields of the header of a page: its size after and before decompression, and those of its second version,
/// which compresses values alone.
const FULL_SIZE: i16 = 2;
const SIZE: i16 = 3;
const SECOND_VERSION: i16 = 8;
const LEVEL_SIZES: [i16; 2] = [5, 6];
const IS_COMPRESSED: i16 = 7;

/// Refuses a column with a page whose header lies about its size.
pub(super) fn check_page_headers(
    file: &SharedFile,
    column: &ColumnChunkMetaData,
    meter: &Meter<'_>,
) -> std::result::Result<(), String> {
    let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
    let place = (u64::try_from(start).ok()).zip(u64::try_from(column.compressed_size()).ok());
    let inside = |&(start, length): &(u64, u64)| {
        start.checked_add(length).is_some_and(|end| end <= file.length())
    };
    let Some((mut offset, mut left)) = place.filter(inside) else {
        return Err(damaged(&format!(
            "column {} lies at {start} with {} bytes, in a file of {}",
            column.column_path().string(),
            column.compressed_size(),
            file.length()
        )));
    };
    while left > 0 {
        let header = Numbers::of(file.buffered(offset), left, PAGE_HEADER)
            .map_err(|error| damaged(&error))?;
        let size =
            |field, inner| header.get(field, inner).and_then(|size| u64::try_from(size).ok());
        let sizes = size(FULL_SIZE, 0).zip(size(SIZE, 0));
        let sizes = sizes.filter(|(_, size)| *size <= left - header.n_bytes);
        let (full_size, size_here) = sizes.ok_or_else(|| damaged(&"a page without a size"))?;
        offset += header.n_bytes;
        left -= header.n_bytes + size_here;
        let mut n_bytes = size_here;
        if column.compression() != Compression::UNCOMPRESSED
            && full_size > SMALL_PAGE.max(USUAL_RATIO * size_here)
            && header.get(SECOND_VERSION, IS_COMPRESSED) != Some(0)
        {
            let levels: u64 =
                LEVEL_SIZES.iter().filter_map(|&field| size(SECOND_VERSION, field)).sum();
            let levels = levels.min(size_here);
            let page = file.buffered(offset + levels).take(size_here - levels);
            let most = full_size.min(meter.limit()) + 1;
            n_bytes = levels + decompressed_size(page, column.compression(), most);
            if n_bytes != full_size {
                let message =
                    format!("a page declares {full_size} bytes, but {n_bytes} come out of it");
                return Err(damaged(&message));
            }
        }
        meter.add(n_bytes)?;
        if column.column_type() == Type::BYTE_ARRAY {
            // Texts that differ are kept, and they are not values alone.
            meter.keep(n_bytes)?;
        }
        meter.check_page(full_size.saturating_add(size_here))?;
        offset += size_here;
    }
    Ok(())
}

/// How many bytes come out of a page, up to `most`. Nothing is kept.
fn decompressed_size(page: impl Read, compression: Compression, most: u64) -> u64 {
    let count = |reader: &mut dyn Read| {
        let mut n_bytes = 0;
        let mut block = [0; 1 << 13];
        // What is damaged ends where it is.
        while let Ok(n @ 1..) = reader.read(&mut block) {
            n_bytes += n as u64;
            if n_bytes >= most {
                break;
            }
        }
        n_bytes.min(most)
    };
    match compression {
        Compression::GZIP(_) => {
            count(&mut flate2::bufread::MultiGzDecoder::new(io::BufReader::new(page)))
        }
        Compression::ZSTD(_) => {
            zstd::stream::read::Decoder::new(page).map_or(0, |mut decoder| count(&mut decoder))
        }
        // Snappy cannot make as little of as much, and others are not read at all.
        _ => 0,
    }
}

/// Pages whose numbers of values are backed up by their bytes.
pub(super) struct CheckedPages {
    pages: Box<dyn PageReader>,
    has_levels: bool,
}

impl CheckedPages {
    pub(super) fn new(pages: Box<dyn PageReader>, max_def_level: i16) -> Self {
        Self { pages, has_levels: max_def_level > 0 }
    }

    fn check(&self, page: &Page) -> std::result::Result<(), String> {
        let bytes = page.buffer();
        let n_values = page.num_values() as usize;
        if let Page::DictionaryPage { .. } = page {
            // Every value but a truth value, which needs no dictionary, has a byte at least.
            return match n_values <= bytes.len() {
                true => Ok(()),
                false => Err(format!("a dictionary of {n_values} values in {} bytes", bytes.len())),
            };
        }
        let n_lists = match page.encoding() {
            Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
            Encoding::DELTA_BYTE_ARRAY => 2,
            _ => return Ok(()),
        };
        let start = match page {
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                *def_levels_byte_len as usize + *rep_levels_byte_len as usize
            }
            _ if self.has_levels => {
                let length = bytes.first_chunk().map_or(0, |length| u32::from_le_bytes(*length));
                4 + length as usize
            }
            _ => 0,
        };
        let mut values = bytes.get(start..).unwrap_or_default();
        // As many strings may be empty, and no more.
        let most = n_values.min((1 << 20) + 8 * bytes.len()) as u64;
        for _ in 0..n_lists {
            match n_lengths(&mut values) {
                Some(found) if found <= most => {}
                found => {
                    let found = found.map_or("no".to_owned(), |found| found.to_string());
                    return Err(format!("{found} lengths of strings for {n_values} values"));
                }
            }
        }
        Ok(())
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        if let Some(page) = &page {
            self.check(page).map_err(ParquetError::General)?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}
