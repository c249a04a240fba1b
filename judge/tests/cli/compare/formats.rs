//! A comparison for programs: CSV and JSON.

use insta::assert_snapshot;

use super::compared;

#[test]
fn as_csv() {
    let csv = |rows: &str| {
        let args =
            ["old.csv", "new.csv", "--entries", "steady,wild", "--only-differences", "--format", "csv", "--rows", rows];
        compared(&args)
    };
    assert_snapshot!(csv("pairs"), @"
    kind,first_run,first,second_run,second,first_better,ties,second_better,missing,unknown,family,sign_test_p,sign_test_corrected,sign_test_tests,both_solved,moves_mean,moves_median,moves_low,moves_high,relative_to_best_known_boards,relative_to_best_known_mean,relative_to_best_known_median,relative_to_best_known_low,relative_to_best_known_high,sign_flip_test_p,sign_flip_test_corrected,sign_flip_test_tests,par2_us_mean,seed,time_ratio
    entries,old,steady,old,wild,4,0,3,0,0,1,1.0,1.0,1,1,-20.0,-20.0,,,7,-0.3695387945714286,-0.816666667,-1.0,1.0,0.375,0.375,1,5714285.428571428,1995,0.8695650869565218
    change,old,steady,new,steady,1,3,3,0,0,1,0.625,0.625,1,5,-5.2,0.0,,,7,0.032005607,0.0,-0.007371007,0.183333333,0.5,0.5,1,10000000.0,1995,2.0
    ");
    assert_snapshot!(csv("boards"), @"
    kind,first_run,first,second_run,second,board,reconstruction,outcome,first_cell,second_cell,moves_difference,relative_to_best_known_difference,first_time_us,second_time_us,time_ratio
    entries,old,steady,old,wild,A,no,second,25/110,25/90,-20,0.181818182,6000000,4999999,0.8333331666666667
    entries,old,steady,old,wild,B,no,first,25/104,0/TIM,,-0.951923077,6000000,10000000,1.6666666666666667
    entries,old,steady,old,wild,C,no,first,25/97,12/40,,-1.0,6000000,4999999,0.8333331666666667
    entries,old,steady,old,wild,D,no,first,25/120,7/44,,-0.816666667,6000000,4999999,0.8333331666666667
    entries,old,steady,old,wild,E,no,first,25/100,0/ILL,,-1.0,6000000,4999999,0.8333331666666667
    entries,old,steady,old,wild,F,no,second,0/TIM,0/ILL,,0.0,10000000,4999999,0.4999999
    entries,old,steady,old,wild,G,no,second,0/CRA,25/100,,1.0,6000000,4999999,0.8333331666666667
    change,old,steady,new,steady,A,no,first,25/110,25/111,1,-0.007371007,6000000,12000000,2.0
    change,old,steady,new,steady,B,no,second,25/104,25/99,-5,0.048076923,6000000,12000000,2.0
    change,old,steady,new,steady,D,no,second,25/120,25/98,-22,0.183333333,6000000,12000000,2.0
    change,old,steady,new,steady,G,no,second,0/CRA,0/ILL,,0.0,6000000,12000000,2.0
    ");
}

#[test]
fn as_json() {
    let text = compared(&[
        "old.csv",
        "new.csv",
        "--entries",
        "steady",
        "--only-differences",
        "--format",
        "json",
        "--rows",
        "boards",
    ]);
    assert_snapshot!(text, @r#"
{
  "format": 1,
  "rows": "boards",
  "game": "loyd",
  "headings": {
    "progress": "tiles home",
    "moves": "moves",
    "tie_break": "transports"
  },
  "resampling": {
    "seed": 1995,
    "resamples": 2000,
    "flips": 9999,
    "confidence": 0.95
  },
  "runs": [
    {
      "run": "old",
      "contest": "Test",
      "limit_ms": 10000,
      "begun": null,
      "ranking": [
        "progress",
        "moves",
        "tie_break",
        "time"
      ],
      "boards": 7,
      "entries": [
        "steady"
      ]
    },
    {
      "run": "new",
      "contest": "Test",
      "limit_ms": 20000,
      "begun": null,
      "ranking": [
        "progress",
        "moves",
        "tie_break",
        "time"
      ],
      "boards": 7,
      "entries": [
        "steady"
      ]
    }
  ],
  "boards": [
    {
      "board": "A",
      "round": 1,
      "reconstruction": false,
      "runs": 2
    },
    {
      "board": "B",
      "round": 1,
      "reconstruction": false,
      "runs": 2
    },
    {
      "board": "C",
      "round": 1,
      "reconstruction": false,
      "runs": 2
    },
    {
      "board": "D",
      "round": 1,
      "reconstruction": false,
      "runs": 2
    },
    {
      "board": "E",
      "round": 1,
      "reconstruction": false,
      "runs": 2
    },
    {
      "board": "F",
      "round": 1,
      "reconstruction": false,
      "runs": 2
    },
    {
      "board": "G",
      "round": 1,
      "reconstruction": false,
      "runs": 2
    }
  ],
  "bests": [
    {
      "board": "A",
      "best_known": null,
      "best_here": 90
    },
    {
      "board": "B",
      "best_known": null,
      "best_here": 99
    },
    {
      "board": "C",
      "best_known": null,
      "best_here": 97
    },
    {
      "board": "D",
      "best_known": null,
      "best_here": 98
    },
    {
      "board": "E",
      "best_known": null,
      "best_here": 100
    },
    {
      "board": "F",
      "best_known": null,
      "best_here": null
    },
    {
      "board": "G",
      "best_known": null,
      "best_here": 100
    }
  ],
  "warnings": [],
  "pairs": [],
  "changes": [
    {
      "first": {
        "run": "old",
        "entry": "steady"
      },
      "second": {
        "run": "new",
        "entry": "steady"
      },
      "first_better": 1,
      "ties": 3,
      "second_better": 3,
      "missing": 0,
      "unknown": 0,
      "moves": {
        "boards": 5,
        "mean": -5.2,
        "median": 0.0,
        "interval": null
      },
      "relative_to_best_known": {
        "boards": 7,
        "mean": 0.032005607,
        "median": 0.0,
        "interval": {
          "low": -0.007371007,
          "high": 0.183333333
        }
      },
      "par2_us": {
        "boards": 7,
        "mean": 10000000.0,
        "median": 6000000.0,
        "interval": {
          "low": 6000000.0,
          "high": 20000000.0
        }
      },
      "sign_test": {
        "p": 0.625,
        "corrected": 0.625,
        "tests": 1
      },
      "sign_flip_test": {
        "p": 0.5,
        "corrected": 0.5,
        "tests": 1
      },
      "family": 1,
      "time_ratio": 2.0,
      "boards": [
        {
          "board": "A",
          "reconstruction": false,
          "outcome": "first",
          "first": {
            "cell": "25/110",
            "solved": true,
            "progress": 25,
            "moves": 110,
            "tie_break": 3,
            "time_us": 6000000,
            "relative_to_best_known": 0.818181818
          },
          "second": {
            "cell": "25/111",
            "solved": true,
            "progress": 25,
            "moves": 111,
            "tie_break": 3,
            "time_us": 12000000,
            "relative_to_best_known": 0.810810811
          },
          "moves_difference": 1,
          "relative_to_best_known_difference": -0.007371007,
          "time_ratio": 2.0
        },
        {
          "board": "B",
          "reconstruction": false,
          "outcome": "second",
          "first": {
            "cell": "25/104",
            "solved": true,
            "progress": 25,
            "moves": 104,
            "tie_break": 3,
            "time_us": 6000000,
            "relative_to_best_known": 0.951923077
          },
          "second": {
            "cell": "25/99",
            "solved": true,
            "progress": 25,
            "moves": 99,
            "tie_break": 2,
            "time_us": 12000000,
            "relative_to_best_known": 1.0
          },
          "moves_difference": -5,
          "relative_to_best_known_difference": 0.048076923,
          "time_ratio": 2.0
        },
        {
          "board": "D",
          "reconstruction": false,
          "outcome": "second",
          "first": {
            "cell": "25/120",
            "solved": true,
            "progress": 25,
            "moves": 120,
            "tie_break": 3,
            "time_us": 6000000,
            "relative_to_best_known": 0.816666667
          },
          "second": {
            "cell": "25/98",
            "solved": true,
            "progress": 25,
            "moves": 98,
            "tie_break": 2,
            "time_us": 12000000,
            "relative_to_best_known": 1.0
          },
          "moves_difference": -22,
          "relative_to_best_known_difference": 0.183333333,
          "time_ratio": 2.0
        },
        {
          "board": "G",
          "reconstruction": false,
          "outcome": "second",
          "first": {
            "cell": "0/CRA",
            "solved": false,
            "progress": 0,
            "moves": null,
            "tie_break": null,
            "time_us": 6000000,
            "relative_to_best_known": 0.0
          },
          "second": {
            "cell": "0/ILL",
            "solved": false,
            "progress": 7,
            "moves": null,
            "tie_break": null,
            "time_us": 12000000,
            "relative_to_best_known": 0.0
          },
          "moves_difference": null,
          "relative_to_best_known_difference": 0.0,
          "time_ratio": 2.0
        }
      ]
    }
  ],
  "scores": [
    {
      "run": "old",
      "entries": [
        {
          "entry": "steady",
          "solved": 5,
          "boards": 7,
          "relative_to_best_known": 4.586771562,
          "par2_us": 10000000
        }
      ],
      "groups": [
        [
          "steady"
        ]
      ]
    },
    {
      "run": "new",
      "entries": [
        {
          "entry": "steady",
          "solved": 5,
          "boards": 7,
          "relative_to_best_known": 4.810810811,
          "par2_us": 20000000
        }
      ],
      "groups": [
        [
          "steady"
        ]
      ]
    }
  ],
  "repeats": [],
  "agreement": [],
  "agreement_differences": [],
  "stability": [],
  "clock": [
    {
      "run": "old",
      "limit_ms": 10000,
      "ended_before_half": [],
      "went_on": [
        "steady"
      ],
      "unknown": []
    },
    {
      "run": "new",
      "limit_ms": 20000,
      "ended_before_half": [],
      "went_on": [
        "steady"
      ],
      "unknown": []
    }
  ],
  "across_limits": null
}
"#);
}
