//! The figures of a page as separate files.

use std::io;

use super::data::Data;
use super::plot::Plot;
use super::plots::Plots;
use super::source::PageSource;
use judge_core::compare::Source;

/// A figure of the page as one SVG file, complete without the page's style and with the light colours.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drawing {
    /// Its short name, such as `gaps`.
    pub name: String,
    /// Its title, a phrase without a full stop.
    pub title: String,
    /// The contents of an SVG file that needs no other file.
    pub svg: String,
}

impl Drawing {
    fn new(figure: Plot) -> Self {
        let name = figure.id.strip_prefix("plot-").unwrap_or(&figure.id).to_owned();
        Self { name, title: figure.title, svg: without_games(&figure.svg.0) }
    }
}

/// Draws the figures of the page of these sources, in its order.
///
/// # Errors
///
/// The outputs of the sources cannot be read.
pub fn drawings(sources: &[PageSource]) -> io::Result<Vec<Drawing>> {
    let Data { curves, improvements, .. } = Data::from_sources(sources)?;
    let compared: Vec<&Source> = sources.iter().map(PageSource::source).collect();
    let Plots { figures, race, .. } = Plots::new(&compared, &curves, &improvements);
    Ok(race.into_iter().chain(figures).map(Drawing::new).collect())
}

/// Leaves out the lists of games, which only the page's script reads.
fn without_games(svg: &str) -> String {
    let mut parts = svg.split("<g data-of=");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let tag = part.split('>').next().unwrap_or_default();
        match part.strip_prefix(tag).and_then(|rest| rest.strip_prefix("></g>")) {
            Some(rest) if tag.contains(" data-games=") => text + rest,
            _ => text + "<g data-of=" + part,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::results::Results;

    #[test]
    fn a_drawing_is_a_file_without_the_lists_of_the_script() {
        let csv = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n\
                   a,X,solved,9,9,1,1,5,10000\na,Y,solved,9,9,1,1,5,10000\nb,X,solved,9,9,2,1,5,10000\nb,Y,timed_out,0,9,,,5,10000\n";
        let results = Results::read_csv("test", csv.as_bytes()).unwrap();
        let drawings = drawings(&[Source { name: "test".into(), results }.into()]).unwrap();
        let names: Vec<&str> = drawings.iter().map(|drawing| drawing.name.as_str()).collect();
        assert_eq!(
            names,
            ["race", "scores", "moves", "gaps", "profile", "cactus", "time", "portfolio", "head-to-head"]
        );
        for Drawing { name, svg, .. } in &drawings {
            assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>"), "{name}");
            assert!(!svg.contains("data-games") && svg.matches("<g").count() == svg.matches("</g>").count(), "{name}");
        }
    }

    #[test]
    fn only_lists_are_left_out() {
        let svg = r#"<svg><g data-of="0-1"><text>a&gt;</text></g><g data-of="0-1" data-games="1,2,3"></g><g data-of="0-2"></g></svg>"#;
        assert_eq!(without_games(svg), r#"<svg><g data-of="0-1"><text>a&gt;</text></g><g data-of="0-2"></g></svg>"#);
    }
}
