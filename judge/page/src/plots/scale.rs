//! Scales: from values to pixels, with ticks. Pure.
//!
//! A [`Scale`] is linear or logarithmic. [`Bands`] divide a range into equal shares. Ticks are multiples of 1, 2 or 5
//! times a power of ten (Heckbert, "Nice numbers for graph labels", Graphics Gems, 1990).
//!
//! The values come from untrusted files, so nothing here depends on their size: a domain is corrected when the scale is
//! created, and ticks are counted before they are created.

/// The most ticks that are created. About as many as requested are nice, so no drawing has more.
const MAX_TICKS: usize = 64;
/// The least extent of a domain as a share of its largest value. In a narrower one, ticks would be equal after
/// rounding.
const NARROWEST: f64 = 1e-9;
/// The smallest and the largest value on a logarithmic scale; their squares and quotients are ordinary numbers.
const MIN: f64 = 1e-150;
const MAX: f64 = 1e150;

/// The kind of a scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Linear,
    Log,
}

/// A scale from values to pixels, in either direction. Values outside its domain are moved to its ends.
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
    /// The size of one share.
    pub(super) step: f64,
}

impl Scale {
    /// Creates a linear scale from `low..=high` to pixels. A domain that is empty or almost empty is widened. A domain
    /// with an end that is not a number becomes 0 to 1.
    pub(super) fn linear(domain: (f64, f64), range: (f64, f64)) -> Self {
        let (low, high) = match domain {
            (low, high) if low.is_finite() && high.is_finite() => (low.clamp(-MAX, MAX), high.clamp(-MAX, MAX)),
            _ => (0.0, 1.0),
        };
        let narrowest = (low.abs().max(high.abs()) * NARROWEST).max(MIN);
        let domain = match high - low {
            extent if extent > narrowest => (low, high),
            _ => (low - narrowest.max(0.5), low.max(high) + narrowest.max(0.5)),
        };
        Self { kind: Kind::Linear, domain, range }
    }

    /// Creates a logarithmic scale from `low..=high`, both above 0, to pixels. An empty domain is widened. A domain
    /// that does not begin above 0 gets a linear scale.
    pub(super) fn log(domain: (f64, f64), range: (f64, f64)) -> Self {
        let (low, high) = domain;
        if !(low > 0.0 && high.is_finite()) {
            return Self::linear(domain, range);
        }
        let (low, high) = (low.clamp(MIN, MAX), high.clamp(MIN, MAX));
        let domain = if high > low * (1.0 + NARROWEST) { (low, high) } else { (low / 2.0, low * 2.0) };
        Self { kind: Kind::Log, domain, range }
    }

    /// Widens the domain to the ticks around it, so that an axis ends on a label.
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

    /// Converts a value to pixels.
    pub(super) fn at(&self, figure: f64) -> f64 {
        let (low, high) = self.domain;
        let figure = figure.clamp(low, high);
        let share = match self.kind {
            Kind::Linear => (figure - low) / (high - low),
            Kind::Log => (figure / low).ln() / (high / low).ln(),
        };
        self.range.0 + share * (self.range.1 - self.range.0)
    }

    /// Returns true if a value is within the domain.
    pub(super) fn contains(&self, figure: f64) -> bool {
        (self.domain.0..=self.domain.1).contains(&figure)
    }

    /// Returns the smallest and the largest value.
    pub(super) fn domain(&self) -> (f64, f64) {
        self.domain
    }

    /// Returns the pixels of both ends, first of the smallest value.
    pub(super) fn range(&self) -> (f64, f64) {
        self.range
    }

    /// Returns about `about` nice values within the domain. On a logarithmic scale, they are powers of ten if there are
    /// at least three, otherwise 1, 2 and 5 times powers of ten; below one decade, they are as on a linear scale.
    pub(super) fn ticks(&self, about: usize) -> Vec<f64> {
        let (low, high) = self.domain;
        if self.kind == Kind::Linear || self.decades() < 1.0 {
            return multiples(step(high - low, about), low, high);
        }
        let powers = in_decades(low, high, &[1.0]);
        match powers.len() {
            0..3 => in_decades(low, high, &[1.0, 2.0, 5.0]),
            // A scale over very many decades labels every second, third … of them.
            many => powers.into_iter().step_by(many.div_ceil(about.max(2))).collect(),
        }
    }

    fn decades(&self) -> f64 {
        (self.domain.1 / self.domain.0).log10()
    }
}

impl Bands {
    /// Creates shares of size `step`, the first of which begins at `start`.
    pub(super) fn new(start: f64, step: f64) -> Self {
        Self { start, step }
    }

    /// Returns the beginning of a share, counted from 0.
    pub(super) fn begin(&self, index: usize) -> f64 {
        self.start + self.step * index as f64
    }

    /// Returns the middle of a share, counted from 0.
    pub(super) fn middle(&self, index: usize) -> f64 {
        self.begin(index) + self.step / 2.0
    }
}

/// Returns the nice step for about `about` ticks over an extent above 0.
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

/// Returns every multiple of a step from `low` to `high`, with a tolerance for rounding errors; at most [`MAX_TICKS`].
fn multiples(step: f64, low: f64, high: f64) -> Vec<f64> {
    let tolerance = step * 1e-9;
    let (first, last) = (((low - tolerance) / step).ceil(), ((high + tolerance) / step).floor());
    // The sum turns -0 into 0.
    let ticks = (0..MAX_TICKS).map(|tick| first + tick as f64).take_while(|tick| *tick <= last);
    ticks.map(|tick| tick * step + 0.0).collect()
}

/// Returns these multiples of powers of ten from `low` to `high`, two values of a logarithmic scale.
fn in_decades(low: f64, high: f64, multiples: &[f64]) -> Vec<f64> {
    #[allow(clippy::cast_possible_truncation, reason = "the scale has 300 decades")]
    let [first, last] = [low, high].map(|end| end.log10().floor() as i32);
    let powers = (first..=last.saturating_add(1)).map(|power| 10f64.powi(power));
    let ticks = powers.flat_map(|power| multiples.iter().map(move |multiple| multiple * power));
    ticks.filter(|tick| *tick >= low * (1.0 - 1e-9) && *tick <= high * (1.0 + 1e-9)).collect()
}

/// Returns the largest of 1, 2 and 5 times powers of ten that is not above a value above 0.
fn nice_below(figure: f64) -> f64 {
    let power = 10f64.powf(figure.log10().floor());
    let share = figure / power * (1.0 + 1e-9);
    power * [5.0, 2.0].into_iter().find(|step| *step <= share).unwrap_or(1.0)
}

/// Returns the smallest of 1, 2 and 5 times powers of ten that is not below a value above 0.
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
    fn a_linear_scale_clamps_at_its_ends() {
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
    fn an_empty_domain_is_widened() {
        let linear = Scale::linear((7.0, 7.0), (0.0, 100.0));
        assert_eq!((linear.at(7.0), linear.ticks(5).contains(&7.0)), (50.0, true));
        let log = Scale::log((80.0, 80.0), (0.0, 100.0));
        assert!(near(log.at(80.0), 50.0) && !log.ticks(5).is_empty());
    }

    #[test]
    fn ticks_within_the_range_are_nice() {
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
    fn no_value_makes_many_ticks_or_a_place_that_is_no_number() {
        let odd = [
            0.0,
            -0.0,
            1.0,
            5e-324,
            1e-300,
            -7.5,
            1e15,
            9_007_199_254_740_991.0,
            9_007_199_254_740_993.0,
            1.8e19,
            -1e300,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        for (low, high) in odd.into_iter().flat_map(|low| odd.map(|high| (low, high))) {
            for scale in [Scale::linear((low, high), (0.0, 100.0)), Scale::log((low, high), (0.0, 100.0))] {
                for scale in [scale, scale.nice(5), scale.nice(0)] {
                    let ticks = [scale.ticks(5), scale.ticks(8), scale.ticks(0)];
                    let distinct = |ticks: &Vec<f64>| ticks.windows(2).all(|two| two[0] < two[1]);
                    assert!(
                        ticks.iter().all(|ticks| ticks.len() <= MAX_TICKS && distinct(ticks)),
                        "{scale:?}: {ticks:?}"
                    );
                    let mut places = odd.iter().chain(&ticks[0]).map(|value| scale.at(*value));
                    assert!(places.all(|place| place.is_nan() || (-0.1..=100.1).contains(&place)), "{scale:?}");
                    assert!(!scale.at(low.clamp(-1e9, 1e9)).is_nan() || low.is_nan(), "{scale:?}");
                    assert!(ticks[0].iter().all(|tick| !scale.at(*tick).is_nan()), "{scale:?}");
                }
            }
        }
        // 2^53 and its neighbour differ by less than a step of their axis.
        let narrow = Scale::linear((9_007_199_254_740_991.0, 9_007_199_254_740_992.0), (0.0, 100.0)).nice(6);
        assert!((2..=12).contains(&narrow.ticks(6).len()), "{:?}", narrow.ticks(6));
    }

    #[test]
    fn bands_are_equal_shares() {
        let bands = Bands::new(10.0, 20.0);
        assert_eq!((bands.begin(0), bands.middle(0), bands.begin(3)), (10.0, 20.0, 70.0));
    }
}
