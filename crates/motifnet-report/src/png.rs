//! Pictures as pixels.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};

/// Why an SVG cannot be turned into pixels.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// No SVG.
    #[error("the picture is no SVG: {0}")]
    Svg(#[from] usvg::Error),
    /// Too large, or without any size.
    #[error("a picture of {width} × {height} pixels cannot be made; choose another scale")]
    Size {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// The pixels cannot be packed.
    #[error("the picture cannot be packed: {0}")]
    Encoding(String),
}

/// An SVG as a PNG, `scale` pixels for every pixel of the SVG.
///
/// All text is set in fonts that the crate brings, so a picture is the same on every machine; letters that
/// neither has (Chinese, say) are left out.
///
/// # Errors
/// If it is no SVG, or too large.
pub fn to_png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let options = usvg::Options {
        font_family: FAMILY.to_owned(),
        fontdb: fonts(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options)?;
    let pixels = |length: f32| (length * scale).ceil() as u32;
    let (width, height) = (pixels(tree.size().width()), pixels(tree.size().height()));
    let mut pixmap = Pixmap::new(width, height).ok_or(PngError::Size { width, height })?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
}

/// The font of letters; signs that it lacks are taken from the other.
const FAMILY: &str = "Ubuntu";

fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
        fonts.load_font_data(epaint_default_fonts::HACK_REGULAR.to_vec());
        fonts.set_sans_serif_family(FAMILY);
        Arc::new(fonts)
    };
    FONTS.get_or_init(load).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(inside: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"20\" \
             font-family=\"system-ui, sans-serif\"><rect width=\"100\" height=\"20\" fill=\"#fff\"/>{inside}</svg>"
        )
    }

    /// How many pixels are dark.
    fn ink(png: &[u8]) -> usize {
        let pixels = Pixmap::decode_png(png).unwrap();
        pixels.pixels().iter().filter(|pixel| pixel.red() < 128).count()
    }

    #[test]
    fn text_is_there_without_any_font_of_the_system() {
        let blank = to_png(&svg(""), 1.0).unwrap();
        assert_eq!(ink(&blank), 0);
        for text in ["Motif", "0.87", "→", "±", "Σ", "−"] {
            let text = svg(&format!("<text x=\"2\" y=\"15\" font-size=\"14\">{text}</text>"));
            assert!(ink(&to_png(&text, 2.0).unwrap()) > 5, "{text}");
        }
    }

    #[test]
    fn scale_is_pixels_for_a_pixel() {
        let png = to_png(&svg(""), 2.0).unwrap();
        let pixels = Pixmap::decode_png(&png).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (200, 40));
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        assert!(matches!(to_png("<p>", 1.0), Err(PngError::Svg(_))));
        assert!(matches!(to_png(&svg(""), 0.0), Err(PngError::Size { .. })));
    }
}
