//! Scales: from figures to places in a drawing, with the ticks that people expect beside them. Pure.
//!
//! A [`Scale`] is linear or logarithmic; [`Bands`] give each of a number of things an equal share. Ticks are multiples
//! of 1, 2 or 5 times a power of ten (Heckbert, "Nice numbers for graph labels", Graphics Gems, 1990).

/// How figures lie along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Linear,
    Log,
}

/// A scale from figures to pixels. It may run either way; figures outside its domain fall on its ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    kind: Kind,
    domain: (f64, f64),
    range: (f64, f64),
}

/// Equal shares of a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bands {
    start: f64,
    /// The share of one.
    pub(super) step: f64,
}

impl Scale {
    /// A linear scale of `low` to `high` onto pixels; a domain without extent is given some.
    pub(super) fn linear(domain: (f64, f64), range: (f64, f64)) -> Self {
        let (low, high) = domain;
        let domain = if high > low { domain } else { (low - 0.5, low + 0.5) };
        Self { kind: Kind::Linear, domain, range }
    }

    /// A logarithmic scale of `low` to `high`, both above 0, onto pixels; a domain without extent is given some.
    pub(super) fn log(domain: (f64, f64), range: (f64, f64)) -> Self {
        let (low, high) = domain;
        assert!(low > 0.0, "a logarithmic scale begins above 0, not at {low}");
        let domain = if high > low { domain } else { (low / 2.0, low * 2.0) };
        Self { kind: Kind::Log, domain, range }
    }

    /// The same scale with its domain grown to the ticks around it, so that an axis ends on a label.
    pub(super) fn nice(mut self, about: usize) -> Self {
        let (low, high) = self.domain;
        if self.kind == Kind::Linear {
            let step = step(high - low, about);
            self.domain = ((low / step).floor() * step, (high / step).ceil() * step);
        } else if self.decades() >= 1.0 {
            self.domain = (nice_below(low), nice_above(high));
        } else {
            let step = step(high - low, about);
            let floor = (low / step).floor() * step;
            self.domain = (if floor > 0.0 { floor } else { low }, (high / step).ceil() * step);
        }
        self
    }

    /// The place of a figure in pixels.
    pub(super) fn at(&self, figure: f64) -> f64 {
        let (low, high) = self.domain;
        let figure = figure.clamp(low, high);
        let share = match self.kind {
            Kind::Linear => (figure - low) / (high - low),
            Kind::Log => (figure / low).ln() / (high / low).ln(),
        };
        self.range.0 + share * (self.range.1 - self.range.0)
    }

    /// Whether a figure is within the domain.
    pub(super) fn holds(&self, figure: f64) -> bool {
        (self.domain.0..=self.domain.1).contains(&figure)
    }

    /// The pixels from one end to the other, the first figure's end first.
    pub(super) fn range(&self) -> (f64, f64) {
        self.range
    }

    /// Nice figures within the domain, about that many; of a logarithmic scale powers of ten where it has three or
    /// more, else 1, 2 and 5 times one, and over less than a decade figures as far apart as on a linear scale.
    pub(super) fn ticks(&self, about: usize) -> Vec<f64> {
        let (low, high) = self.domain;
        if self.kind == Kind::Linear || self.decades() < 1.0 {
            return multiples(step(high - low, about), low, high);
        }
        let powers = in_decades(low, high, &[1.0]);
        match powers.len() {
            0..3 => in_decades(low, high, &[1.0, 2.0, 5.0]),
            // A scale over very many decades names every second, third … of them.
            many => powers.into_iter().step_by(many.div_ceil(about.max(2))).collect(),
        }
    }

    fn decades(&self) -> f64 {
        (self.domain.1 / self.domain.0).log10()
    }
}

impl Bands {
    /// `count` shares, each `step` wide, the first of which begins at `start`.
    pub(super) fn new(start: f64, step: f64) -> Self {
        Self { start, step }
    }

    /// Where a share begins, counted from 0.
    pub(super) fn begin(&self, index: usize) -> f64 {
        self.start + self.step * index as f64
    }

    /// The middle of a share, counted from 0.
    pub(super) fn middle(&self, index: usize) -> f64 {
        self.begin(index) + self.step / 2.0
    }
}

/// The nice step for about that many ticks over an extent above 0.
fn step(extent: f64, about: usize) -> f64 {
    let rough = extent / about.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let nice = match rough / power {
        share if share < 1.5 => 1.0,
        share if share < 3.5 => 2.0,
        share if share < 7.5 => 5.0,
        _ => 10.0,
    };
    nice * power
}

/// Every multiple of a step from `low` to `high`, with some tolerance for what halves and tenths lose in a float.
fn multiples(step: f64, low: f64, high: f64) -> Vec<f64> {
    let hair = step * 1e-9;
    let mut ticks = Vec::new();
    let mut tick = ((low - hair) / step).ceil();
    while tick * step <= high + hair {
        // Without the sum -0 would be a tick of its own.
        ticks.push(tick * step + 0.0);
        tick += 1.0;
    }
    ticks
}

/// These multiples of powers of ten from `low` to `high`.
fn in_decades(low: f64, high: f64, multiples: &[f64]) -> Vec<f64> {
    let mut ticks = Vec::new();
    let mut power = 10f64.powf(low.log10().floor());
    while power <= high * (1.0 + 1e-9) {
        ticks.extend(multiples.iter().map(|multiple| multiple * power));
        power *= 10.0;
    }
    ticks.retain(|tick| *tick >= low * (1.0 - 1e-9) && *tick <= high * (1.0 + 1e-9));
    ticks
}

/// The largest of 1, 2 and 5 times powers of ten that is not above a figure above 0.
fn nice_below(figure: f64) -> f64 {
    let power = 10f64.powf(figure.log10().floor());
    let share = figure / power * (1.0 + 1e-9);
    power * [5.0, 2.0].into_iter().find(|step| *step <= share).unwrap_or(1.0)
}

/// The smallest of them that is not below it.
fn nice_above(figure: f64) -> f64 {
    let power = 10f64.powf(figure.log10().floor());
    let share = figure / power * (1.0 - 1e-9);
    power * [1.0, 2.0, 5.0].into_iter().find(|step| *step >= share).unwrap_or(10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9 * b.abs().max(1.0)
    }

    #[test]
    fn a_linear_scale_is_a_straight_line_that_ends_at_its_ends() {
        let scale = Scale::linear((0.0, 10.0), (100.0, 0.0));
        assert_eq!([0.0, 2.5, 10.0, -3.0, 99.0].map(|figure| scale.at(figure)), [100.0, 75.0, 0.0, 100.0, 0.0]);
    }

    #[test]
    fn a_logarithmic_scale_gives_equal_room_to_equal_factors() {
        let scale = Scale::log((1.0, 1000.0), (0.0, 300.0));
        assert!(
            [(1.0, 0.0), (10.0, 100.0), (100.0, 200.0), (1000.0, 300.0)].iter().all(|&(a, b)| near(scale.at(a), b))
        );
        assert!(near(scale.at(2.0) + scale.at(5.0), 100.0));
    }

    #[test]
    fn a_domain_without_extent_gets_some() {
        let linear = Scale::linear((7.0, 7.0), (0.0, 100.0));
        assert_eq!((linear.at(7.0), linear.ticks(5).contains(&7.0)), (50.0, true));
        let log = Scale::log((80.0, 80.0), (0.0, 100.0));
        assert!(near(log.at(80.0), 50.0) && !log.ticks(5).is_empty());
    }

    #[test]
    fn ticks_are_nice_and_within() {
        let linear = |low, high| Scale::linear((low, high), (0.0, 1.0)).ticks(5);
        assert_eq!(linear(0.0, 10.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(linear(-7.0, 12.0), [-5.0, 0.0, 5.0, 10.0]);
        assert_eq!(linear(82.0, 119.0), [85.0, 90.0, 95.0, 100.0, 105.0, 110.0, 115.0]);
        assert!(linear(0.0, 1.0).iter().zip([0.0, 0.2, 0.4, 0.6, 0.8, 1.0]).all(|(a, b)| near(*a, b)));
        let log = |low, high| Scale::log((low, high), (0.0, 1.0)).ticks(6);
        assert!(log(1.0, 5000.0).iter().zip([1.0, 10.0, 100.0, 1000.0]).all(|(a, b)| near(*a, b)));
        assert!(log(3.0, 60.0).iter().zip([5.0, 10.0, 20.0, 50.0]).all(|(a, b)| near(*a, b)));
        assert!(log(1.0, 1.3).iter().zip([1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3]).all(|(a, b)| near(*a, b)));
        assert!(log(1e-3, 1e15).len() <= 7, "{:?}", log(1e-3, 1e15));
    }

    #[test]
    fn a_nice_domain_ends_on_ticks() {
        let linear = Scale::linear((82.0, 119.0), (0.0, 1.0)).nice(5);
        assert_eq!(linear.domain, (80.0, 120.0));
        let log = Scale::log((3.0, 640.0), (0.0, 1.0)).nice(5);
        assert!(near(log.domain.0, 2.0) && near(log.domain.1, 1000.0), "{:?}", log.domain);
        let narrow = Scale::log((1.0, 1.27), (0.0, 1.0)).nice(5);
        assert!(near(narrow.domain.0, 1.0) && near(narrow.domain.1, 1.3), "{:?}", narrow.domain);
        let on_ticks = Scale::log((10.0, 100.0), (0.0, 1.0)).nice(5);
        assert!(near(on_ticks.domain.0, 10.0) && near(on_ticks.domain.1, 100.0), "{:?}", on_ticks.domain);
    }

    #[test]
    fn bands_are_equal_shares() {
        let bands = Bands::new(10.0, 20.0);
        assert_eq!((bands.begin(0), bands.middle(0), bands.begin(3)), (10.0, 20.0, 70.0));
    }
}
