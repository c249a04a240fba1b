//! Figures as PDF and PNG files, drawn from their SVG.

use std::sync::Arc;

use krilla::Document;
use krilla::geom::{Size, Transform};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt as _, SvgSettings};
use resvg::tiny_skia::{self, Pixmap};
use resvg::usvg::fontdb::{Database, Family, Query};
use resvg::usvg::{Options, Tree};

/// Points per pixel: a pixel of CSS is 1/96 inch, as in other programs that read SVG.
const POINTS: f32 = 0.75;
/// Pixels of a PNG file per pixel of the figure, so that its text is sharp in print.
pub(super) const SCALE: f32 = 2.0;

/// A PDF file with one page of the figure's size.
pub(super) fn pdf(svg: &str, title: &str) -> Result<Vec<u8>, String> {
    let tree = tree(svg)?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let mut document = Document::new();
    document.set_metadata(Metadata::new().title(title.to_owned()));
    let page = PageSettings::from_wh(width * POINTS, height * POINTS).zip(Size::from_wh(width, height));
    let (page, size) = page.ok_or("it has no size")?;
    let mut page = document.start_page_with(page);
    let mut surface = page.surface();
    surface.push_transform(&Transform::from_scale(POINTS, POINTS));
    surface.draw_svg(&tree, size, SvgSettings::default()).ok_or("it has something that PDF has not")?;
    surface.pop();
    surface.finish();
    page.finish();
    document.finish().map_err(|error| format!("{error:?}"))
}

/// A PNG file.
pub(super) fn png(svg: &str) -> Result<Vec<u8>, String> {
    let tree = tree(svg)?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or("it has no size")?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or("it is too large")?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

fn tree(svg: &str) -> Result<Tree, String> {
    let options = Options { fontdb: Arc::new(fonts()?), ..Options::default() };
    Tree::from_str(svg, &options).map_err(|error| error.to_string())
}

/// The fonts of the system. Text in a missing family would be left out, so an installed family replaces it.
fn fonts() -> Result<Database, String> {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    let usual = Query { families: &[Family::SansSerif], ..Query::default() };
    if fonts.query(&usual).is_none() {
        let instead = fonts.faces().find(|face| !face.monospaced).or_else(|| fonts.faces().next());
        let family = instead.and_then(|face| Some(face.families.first()?.0.clone()));
        fonts.set_sans_serif_family(
            family.ok_or("no font is installed for its text; install one, such as DejaVu Sans")?,
        );
    }
    Ok(fonts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::compare::Source;
    use judge_core::results::Results;

    #[test]
    fn a_figure_fills_its_page_and_its_text_is_there() {
        let csv = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n\
                   a,X,solved,9,9,1,1,5,10000\nb,X,solved,9,9,2,1,5,10000\n";
        let results = Results::read_csv("test", csv.as_bytes()).unwrap();
        let drawings = judge_page::drawings(&[Source { name: "test".into(), results }.into()]).unwrap();
        for drawing in &drawings {
            let side = |name: &str| {
                let rest = drawing.svg.split(&format!(" {name}=\"")).nth(1).unwrap();
                rest.split('"').next().unwrap().parse::<u32>().unwrap()
            };
            let (width, height) = (side("width"), side("height"));
            let file = pdf(&drawing.svg, &drawing.title).unwrap();
            assert!(file.starts_with(b"%PDF-1.") && file.trim_ascii_end().ends_with(b"%%EOF"), "{}", drawing.name);
            let text = String::from_utf8_lossy(&file).replace(['[', ']'], " ");
            let page = text.split("/MediaBox").nth(1).unwrap().split_whitespace().take(4);
            let page: Vec<f32> = page.map(|number| number.parse().unwrap()).collect();
            #[allow(clippy::cast_precision_loss, reason = "a few thousand")]
            let expected = [0.0, 0.0, width as f32 * POINTS, height as f32 * POINTS];
            assert_eq!(page, expected, "{}", drawing.name);
            assert!(text.contains("/FontFile"), "{}: its fonts are embedded", drawing.name);
            assert_eq!(file, pdf(&drawing.svg, &drawing.title).unwrap(), "{}: equal bytes", drawing.name);

            let file = png(&drawing.svg).unwrap();
            assert!(file.starts_with(b"\x89PNG\r\n\x1a\n"));
            let number = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().unwrap());
            assert_eq!((number(16), number(20)), (2 * width, 2 * height), "{}", drawing.name);
            let drawn = Pixmap::decode_png(&file).unwrap();
            let inks: std::collections::HashSet<_> =
                drawn.pixels().iter().map(|pixel| (pixel.red(), pixel.green())).collect();
            assert!(inks.len() > 8, "{}: edges of letters are smooth", drawing.name);
        }
        assert!(drawings.len() > 3);
    }

    #[test]
    fn what_is_no_figure_is_refused() {
        assert!(pdf("<svg", "t").is_err() && png("text").is_err());
    }
}
