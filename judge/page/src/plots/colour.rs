//! Colours and marks, which distinguish series for every colour vision and in print.
//!
//! Only `plots.css` contains colours. On a page its rules apply, so that a drawing follows the light or dark scheme. A
//! drawing saved alone has no rules and uses the attributes, which have the light colours. Everything is drawn in
//! `currentColor`, so that a class and one attribute on a group colour all of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use maud::{Markup, html};

use super::text::px;

/// The number of series with their own colour and mark; later ones are drawn as [`Colour::Rest`].
pub(super) const SERIES: usize = 10;
/// The steps of a scale of shades, from little to much.
pub(super) const SHADES: usize = 7;
/// The steps of either side of a scale with a middle.
pub(super) const SIDES: usize = 3;

/// The style sheet of all drawings.
const STYLE: &str = include_str!("../plots.css");

/// The light colours by class name, from the first rule of [`STYLE`].
static LIGHT: LazyLock<BTreeMap<&'static str, &'static str>> = LazyLock::new(|| {
    let rule = STYLE.split('}').next().unwrap_or_default();
    rule.lines().filter_map(|line| line.trim().strip_prefix("--")?.strip_suffix(';')?.split_once(": ")).collect()
});

/// The dash patterns of series in turn, in pixels.
const DASHES: [Option<&str>; 5] = [None, Some("7 3"), Some("2 3"), Some("9 3 2 3"), Some("4 2")];

/// The colour of a part of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    /// Text and equally strong parts.
    Text,
    /// Less important text and marks.
    Faint,
    /// Lines of axes and grids, which stay behind the data.
    Rule,
    /// The background, for parts that cover others.
    Ground,
    /// A series with its own colour, from 0.
    Series(usize),
    /// A series without its own colour.
    Rest,
    /// The lines of hatched parts, on which text can be written.
    Hatch,
    /// A shade, from 0 (little) to [`SHADES`] - 1 (much).
    Shade(usize),
    /// A number of boards, from 0 (few) to [`SHADES`] - 1 (all).
    Count(usize),
    /// Text on a shade of this number.
    OnShade(usize),
    /// More wins than losses, from 0 (a few) to [`SIDES`] - 1 (many).
    Win(usize),
    /// More losses than wins, from 0 (a few) to [`SIDES`] - 1 (many).
    Loss(usize),
}

impl Colour {
    /// Returns the ink of a series that may have no colour.
    pub(super) fn from_series(series: Option<usize>) -> Self {
        series.map_or(Self::Rest, Self::Series)
    }

    /// Returns its class, which is also the name of its colour.
    pub(super) fn class(self) -> String {
        match self {
            Self::Text => "plot-text".into(),
            Self::Faint => "plot-faint".into(),
            Self::Rule => "plot-rule".into(),
            Self::Ground => "plot-ground".into(),
            Self::Series(index) => format!("series-{}", index % SERIES + 1),
            Self::Rest => "series-rest".into(),
            Self::Hatch => "plot-hatch".into(),
            Self::Shade(step) => format!("shade-{}", step.min(SHADES - 1) + 1),
            Self::Count(step) => format!("count-{}", step.min(SHADES - 1) + 1),
            Self::OnShade(step) => format!("on-shade-{}", step.min(SHADES - 1) + 1),
            Self::Win(step) => format!("win-{}", step.min(SIDES - 1) + 1),
            Self::Loss(step) => format!("loss-{}", step.min(SIDES - 1) + 1),
        }
    }

    /// Returns its value for a light background, as `#rrggbb`.
    pub(super) fn colour(self) -> &'static str {
        LIGHT.get(self.class().as_str()).copied().unwrap_or("#000000")
    }

    /// Draws a body in this ink.
    pub(super) fn draw(self, body: &Markup) -> Markup {
        html! { g class=(self.class()) color=(self.colour()) { (body) } }
    }

    /// Writes text in this ink.
    pub(super) fn write(self, body: &Markup) -> Markup {
        html! { g class=(self.class()) color=(self.colour()) fill="currentColor" { (body) } }
    }

    /// Draws filled paths in this ink, each with a rim in the background colour that separates overlapping ones.
    pub(super) fn marks(self, body: &Markup) -> Markup {
        html! {
            g class={ (self.class()) " plot-rim" } color=(self.colour())
                stroke=(Self::Ground.colour()) stroke-width="0.8" { (body) }
        }
    }
}

/// Defines the pattern of hatched parts of a drawing.
pub(super) fn pattern(id: &str) -> Markup {
    html! {
        defs {
            pattern id={ (id) "-hatch" } width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" {
                (Colour::Hatch.draw(&html! { path d="M0 0v4" fill="none" stroke="currentColor" stroke-width="2" {} }))
            }
        }
    }
}

/// Draws a hatched path, with the pattern of the drawing of this id.
pub(super) fn hatched(id: &str, path: &str) -> Markup {
    html! { path d=(path) fill={ "url(#" (id) "-hatch)" } {} }
}

/// Returns the dash pattern of a series; `None` for a solid line.
pub(super) fn dashes(series: Option<usize>) -> Option<&'static str> {
    series.and_then(|series| DASHES[series % DASHES.len()])
}

/// Returns the outline of a series' mark, about `size` pixels from its middle to its edge.
pub(super) fn mark(series: usize, x: f64, y: f64, size: f64) -> String {
    let s = size;
    // Corners are relative to the middle. All marks have about the same area.
    match series % SERIES {
        0 => circle(x, y, s),
        1 => outline(x, y, s * 0.9, &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]),
        2 => outline(x, y, s * 1.25, &[(0.0, -1.0), (1.0, 0.75), (-1.0, 0.75)]),
        3 => outline(x, y, s * 1.3, &[(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]),
        4 => outline(x, y, s * 1.25, &[(0.0, 1.0), (-1.0, -0.75), (1.0, -0.75)]),
        5 => outline(x, y, s * 1.2, &CROSS),
        6 => outline(x, y, s * 1.2, &CROSS.map(|(a, b)| ((a - b) * 0.75, (a + b) * 0.75))),
        7 => outline(x, y, s * 1.4, &star()),
        8 => outline(x, y, s * 1.25, &[(-1.0, 0.0), (0.75, -1.0), (0.75, 1.0)]),
        _ => outline(x, y, s * 1.25, &[(1.0, 0.0), (-0.75, -1.0), (-0.75, 1.0)]),
    }
}

const CROSS: [(f64, f64); 12] = [
    (-0.4, -1.0),
    (0.4, -1.0),
    (0.4, -0.4),
    (1.0, -0.4),
    (1.0, 0.4),
    (0.4, 0.4),
    (0.4, 1.0),
    (-0.4, 1.0),
    (-0.4, 0.4),
    (-1.0, 0.4),
    (-1.0, -0.4),
    (-0.4, -0.4),
];

fn star() -> [(f64, f64); 10] {
    std::array::from_fn(|point| {
        let (reach, turn) = (if point % 2 == 0 { 1.0 } else { 0.45 }, point as f64 * std::f64::consts::PI / 5.0);
        (reach * turn.sin(), -reach * turn.cos())
    })
}

/// Draws dots in a path as short as possible: each is the round cap of a line of length 0.
pub(super) fn dots(places: impl IntoIterator<Item = (f64, f64)>, radius: f64) -> Markup {
    let mut path = String::new();
    for (x, y) in places {
        write!(path, "M{} {}h0", px(x), px(y)).expect("writing to a string cannot fail");
    }
    html! { path d=(path) fill="none" stroke="currentColor" stroke-linecap="round" stroke-width=(px(2.0 * radius)) {} }
}

/// Returns the path of a circle.
pub(super) fn circle(x: f64, y: f64, radius: f64) -> String {
    let (r, left, across) = (px(radius), px(x - radius), px(2.0 * radius));
    format!("M{left} {}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0-{across} 0z", px(y))
}

fn outline(x: f64, y: f64, size: f64, corners: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (index, (dx, dy)) in corners.iter().enumerate() {
        let pen = if index == 0 { 'M' } else { 'L' };
        write!(path, "{pen}{} {}", px(x + dx * size), px(y + dy * size)).expect("writing to a string cannot fail");
    }
    path + "z"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the colours of a rule of the style sheet, light first.
    fn colours(rule: usize) -> BTreeMap<&'static str, [f64; 3]> {
        let block = STYLE.split(":root {").nth(rule + 1).unwrap().split('}').next().unwrap();
        let lines =
            block.lines().filter_map(|line| line.trim().strip_prefix("--")?.strip_suffix(';')?.split_once(": "));
        lines.map(|(name, colour)| (name, linear(colour))).collect()
    }

    /// Converts `#rrggbb` to linear light, 0 to 1 per channel (IEC 61966-2-1).
    fn linear(colour: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| {
            let share = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// Computes the contrast of two colours (WCAG 2.2, "contrast ratio").
    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let luminance = |[r, g, b]: [f64; 3]| 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        let (a, b) = (luminance(a), luminance(b));
        a.max(b) / a.min(b)
    }

    fn all() -> Vec<Colour> {
        let mut inks = vec![Colour::Text, Colour::Faint, Colour::Rule, Colour::Ground, Colour::Rest, Colour::Hatch];
        inks.extend((0..SERIES).map(Colour::Series));
        inks.extend((0..SHADES).flat_map(|step| [Colour::Shade(step), Colour::OnShade(step), Colour::Count(step)]));
        inks.extend((0..SIDES).flat_map(|step| [Colour::Win(step), Colour::Loss(step)]));
        inks
    }

    #[test]
    fn every_ink_has_a_colour_in_light_and_dark_and_a_rule() {
        let (light, dark) = (colours(0), colours(1));
        for ink in all() {
            let class = ink.class();
            assert!(light.contains_key(class.as_str()) && dark.contains_key(class.as_str()), "{class}");
            assert!(STYLE.contains(&format!(".{class} {{ color: var(--{class}); }}")), "{class}");
            assert_eq!(linear(ink.colour()), light[class.as_str()], "{class}");
        }
    }

    #[test]
    fn series_and_text_contrast_with_the_background() {
        for colours in [colours(0), colours(1)] {
            let against_ground = |ink: Colour| contrast(colours[ink.class().as_str()], colours["plot-ground"]);
            for ink in (0..SERIES).map(Colour::Series).chain([Colour::Rest]) {
                assert!(against_ground(ink) >= 3.0, "{} {}", ink.class(), against_ground(ink));
            }
            assert!(against_ground(Colour::Text) >= 7.0 && against_ground(Colour::Faint) >= 4.5);
        }
    }

    #[test]
    fn text_on_a_shade_is_readable() {
        for colours in [colours(0), colours(1)] {
            for ink in all() {
                if matches!(ink, Colour::Shade(_) | Colour::Win(_) | Colour::Loss(_) | Colour::Hatch) {
                    let text = if let Colour::Shade(step) = ink { Colour::OnShade(step) } else { Colour::Text };
                    let contrast = contrast(colours[ink.class().as_str()], colours[text.class().as_str()]);
                    assert!(contrast >= 4.5, "{} {contrast}", ink.class());
                }
            }
        }
    }

    #[test]
    fn shades_change_in_even_steps_of_one_direction() {
        for (colours, sign) in [(colours(0), -1.0), (colours(1), 1.0)] {
            let shades: Vec<[f64; 3]> =
                (0..SHADES).map(|step| oklab(colours[Colour::Shade(step).class().as_str()])).collect();
            let steps = || shades.windows(2);
            assert!(steps().all(|pair| (pair[1][0] - pair[0][0]) * sign > 0.03), "{shades:?}");
            let apart =
                |pair: &[[f64; 3]]| (0..3).map(|part| (pair[1][part] - pair[0][part]).powi(2)).sum::<f64>().sqrt();
            let (least, most) = steps().map(apart).fold((f64::INFINITY, 0.0f64), |(a, b), c| (a.min(c), b.max(c)));
            assert!(least > 0.08 && most / least < 2.0, "{least} {most}");
        }
    }

    /// Simulations of colour vision deficiencies: G. M. Machado and others, "A physiologically-based model for
    /// simulation of color vision deficiency", 2009, table 1, severity 1; protan, deutan, tritan.
    const DEFICIENCIES: [[[f64; 3]; 3]; 3] = [
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    /// Converts to Björn Ottosson's Oklab, in which distances approximate perceived differences.
    fn oklab([r, g, b]: [f64; 3]) -> [f64; 3] {
        let l = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let m = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let s = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        [
            0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
            1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
            0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
        ]
    }

    fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
        let [a, b] = [a, b].map(oklab);
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    }

    #[test]
    fn series_differ_under_every_colour_vision_deficiency() {
        for colours in [colours(0), colours(1)] {
            let series: Vec<[f64; 3]> =
                (0..SERIES).map(|index| colours[Colour::Series(index).class().as_str()]).collect();
            for matrix in DEFICIENCIES {
                let seen = |colour: [f64; 3]| {
                    matrix.map(|row| (0..3).map(|i| row[i] * colour[i]).sum::<f64>().clamp(0.0, 1.0))
                };
                for (index, a) in series.iter().enumerate() {
                    for (other, b) in series[..index].iter().enumerate() {
                        // About 0.02 is just noticeable.
                        let apart = apart(seen(*a), seen(*b));
                        assert!(apart >= 0.06, "series {} and {}: {apart}", other + 1, index + 1);
                    }
                }
            }
        }
    }

    #[test]
    fn no_two_series_have_the_same_mark() {
        let marks: std::collections::BTreeSet<String> = (0..SERIES).map(|series| mark(series, 0.0, 0.0, 4.0)).collect();
        assert_eq!(marks.len(), SERIES);
    }
}
