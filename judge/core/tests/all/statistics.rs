//! The promises of intervals and tests, by a small simulation. `results/statistics.md` has the large one.

#[path = "../../examples/coverage.rs"]
#[allow(dead_code, reason = "its main function writes the table of the large simulation")]
mod coverage;

use coverage::{Distribution, simulate};

const SAMPLES: usize = 300;

#[test]
#[ignore = "deep: oracles"]
fn statistics_err_as_rarely_as_they_promise() {
    // Four standard deviations of a share of the samples.
    let off = |share: f64| 4.0 * (share * (1.0 - share) / SAMPLES as f64).sqrt();
    for distribution in [Distribution::Normal, Distribution::Skewed] {
        for size in [5, 6, 10, 20] {
            let [covered, bootstrapped, signs, flips, families] = simulate(distribution, size, SAMPLES);
            assert_eq!(covered.is_some(), size > 5, "no interval below six boards");
            assert!(covered.is_none_or(|share| share > 0.95 - off(0.95)), "{size}: {covered:?}");
            for errors in [signs, flips, families] {
                assert!(errors.is_some_and(|share| share < 0.05 + off(0.05)), "{size}: {errors:?}");
            }
            if size == 5 {
                assert_eq!((signs, flips), (Some(0.0), Some(0.0)), "five boards decide nothing");
                assert!(bootstrapped.is_some_and(|share| share < 0.9), "the bootstrap of few boards covers too little");
            }
        }
    }
}
