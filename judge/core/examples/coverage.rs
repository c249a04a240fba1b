//! Simulates how often the intervals of a comparison cover the true value, and how often its tests err.
//!
//! `cargo run --release -p judge-core --example coverage [SAMPLES]` prints the figures of `results/coverage.csv`. The
//! samples are drawn from two distributions of paired differences: a normal one, and a skewed one as solvers have it, in
//! which one difference of twenty is a failure. Tests are judged on differences without an effect, so their signs are
//! random. For comparison there is the percentile bootstrap of the mean, which outputs had before.

#![allow(clippy::disallowed_macros, reason = "an example prints")]

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use judge_core::compare::SIGNIFICANT;
use judge_core::compare::statistics::{holm, median_interval, resampled, sign_flip_test, sign_test};

/// Sizes of the samples: boards.
const SIZES: [usize; 6] = [5, 6, 10, 20, 50, 200];
/// Differences per unit: they are whole numbers, as moves and billionths are.
const UNIT: f64 = 1e6;
/// The pairs of a family in the simulation of Holm's correction.
const FAMILY: usize = 10;
/// Samples per row of the table.
const SAMPLES: usize = 2_000;

/// The distribution that simulated differences between two entries are drawn from.
#[derive(Clone, Copy)]
pub(crate) enum Distribution {
    /// Normal, with mean and median 0.3 and standard deviation 1.
    Normal,
    /// Log-normal for boards that both solve, and a failure of the second on one of twenty.
    Skewed,
}

impl Distribution {
    fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Skewed => "skewed",
        }
    }

    fn draw(self, random: &mut ChaCha8Rng) -> f64 {
        match self {
            Self::Normal => 0.3 + normal(random),
            Self::Skewed if random.random_range(0..20) == 0 => 10.0,
            Self::Skewed => normal(random).exp(),
        }
    }

    /// The true mean and median.
    fn truth(self) -> (f64, f64) {
        match self {
            Self::Normal => (0.3, 0.3),
            // The median is the quantile 10/19 of the log-normal part: exp(0.066012).
            Self::Skewed => (0.05 * 10.0 + 0.95 * 0.5f64.exp(), 0.066_011_812_f64.exp()),
        }
    }

    fn sample(self, size: usize, random: &mut ChaCha8Rng) -> Vec<f64> {
        (0..size).map(|_| self.draw(random)).collect()
    }
}

/// Draws a standard normal number (Box and Muller 1958).
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (radius, angle): (f64, f64) = (1.0 - random.random::<f64>(), random.random());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

#[allow(clippy::cast_possible_truncation, reason = "the values are small")]
fn whole(value: f64) -> i64 {
    (value * UNIT).round() as i64
}

fn main() {
    let samples = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(SAMPLES);
    println!(
        "| differences | boards | interval of the median | bootstrap of the mean | sign test | sign-flip test | any of {FAMILY}, Holm |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for distribution in [Distribution::Normal, Distribution::Skewed] {
        for size in SIZES {
            let shares = simulate(distribution, size, samples);
            let shares = shares.map(|share| share.map_or("none".into(), |share| format!("{:.1} %", share * 100.0)));
            println!("| {} | {size} | {} |", distribution.name(), shares.join(" | "));
        }
    }
}

/// Returns the coverage of both intervals, the errors of both tests, and the errors of a family of sign-flip tests;
/// `None` if there is no interval.
pub(crate) fn simulate(distribution: Distribution, size: usize, samples: usize) -> [Option<f64>; 5] {
    let mut random = ChaCha8Rng::seed_from_u64(1995);
    let (true_mean, true_median) = distribution.truth();
    let [mut covered, mut bootstrapped, mut intervals, mut signs, mut flips, mut families] = [0usize; 6];
    for sample in 0..samples as u64 {
        let values = distribution.sample(size, &mut random);
        let wide: Vec<i128> = values.iter().map(|&value| i128::from(whole(value))).collect();
        if let Some(interval) = median_interval(&wide) {
            intervals += 1;
            covered += usize::from((interval.low..=interval.high).contains(&(true_median * UNIT)));
        }
        let mean = |chosen: &[usize]| Some(chosen.iter().map(|&at| values[at]).sum::<f64>() / size as f64);
        let range = resampled(size, sample, mean);
        bootstrapped += usize::from(range.is_some_and(|range| (range.low..=range.high).contains(&true_mean)));
        // Without an effect a difference is as likely as its opposite.
        let mut null = || -> Vec<i64> {
            let signed = distribution.sample(size, &mut random).into_iter();
            signed.map(|value| if random.random() { whole(value) } else { -whole(value) }).collect()
        };
        let family: Vec<Vec<i64>> = (0..FAMILY).map(|_| null()).collect();
        let wins = family[0].iter().filter(|value| **value > 0).count();
        signs += usize::from(sign_test(wins, size - wins).is_some_and(|p| p < SIGNIFICANT));
        let flips_of = |values: &Vec<i64>| sign_flip_test(&[values.iter().copied().map(i128::from).collect()], sample);
        let p: Vec<Option<f64>> = family.iter().map(flips_of).collect();
        flips += usize::from(p[0].is_some_and(|p| p < SIGNIFICANT));
        families += usize::from(holm(&p).into_iter().flatten().any(|p| p < SIGNIFICANT));
    }
    let share = |count: usize| count as f64 / samples as f64;
    let coverage = (intervals > 0).then(|| covered as f64 / intervals as f64);
    [coverage, Some(share(bootstrapped)), Some(share(signs)), Some(share(flips)), Some(share(families))]
}
