//! A comparison for programs: CSV and JSON.

use insta::assert_snapshot;

use super::compared;

#[test]
fn as_csv() {
    assert_snapshot!(compared(&["old.csv", "new.csv", "--entries", "steady,wild", "--only-differences", "--format", "csv"]), @r#"
    row,kind,first_run,first,second_run,second,first_better,ties,second_better,missing,untold,both_solved,mean_difference,interval_low,interval_high,seed,sign_test_p,board,reconstruction,outcome,first_cell,second_cell,moves_difference,first_time_us,second_time_us,time_ratio
    pair,entries,old,steady,old,wild,4,0,3,0,0,1,-20.0,,,1995,1.0,,,,,,,,,0.8695650869565218
    board,entries,old,steady,old,wild,,,,,,,,,,,,A,no,second,25/110,25/90,-20,6000000,4999999,0.8333331666666667
    board,entries,old,steady,old,wild,,,,,,,,,,,,B,no,first,25/104,0/TIM,,6000000,10000000,1.6666666666666667
    board,entries,old,steady,old,wild,,,,,,,,,,,,C,no,first,25/97,12/40,,6000000,4999999,0.8333331666666667
    board,entries,old,steady,old,wild,,,,,,,,,,,,D,no,first,25/120,7/44,,6000000,4999999,0.8333331666666667
    board,entries,old,steady,old,wild,,,,,,,,,,,,E,no,first,25/100,0/ILL,,6000000,4999999,0.8333331666666667
    board,entries,old,steady,old,wild,,,,,,,,,,,,F,no,second,0/TIM,0/ILL,,10000000,4999999,0.4999999
    board,entries,old,steady,old,wild,,,,,,,,,,,,G,no,second,0/CRA,25/100,,6000000,4999999,0.8333331666666667
    pair,change,old,steady,new,steady,1,3,3,0,0,5,-5.2,-14.2,0.4,1995,0.625,,,,,,,,,2.0
    board,change,old,steady,new,steady,,,,,,,,,,,,A,no,first,25/110,25/111,1,6000000,12000000,2.0
    board,change,old,steady,new,steady,,,,,,,,,,,,B,no,second,25/104,25/99,-5,6000000,12000000,2.0
    board,change,old,steady,new,steady,,,,,,,,,,,,D,no,second,25/120,25/98,-22,6000000,12000000,2.0
    board,change,old,steady,new,steady,,,,,,,,,,,,G,no,second,0/CRA,0/ILL,,6000000,12000000,2.0
    "#);
}

#[test]
fn as_json() {
    let text = compared(&["old.csv", "new.csv", "--entries", "steady", "--only-differences", "--format", "json"]);
    assert_snapshot!(text, @r#"
    {
      "game": "loyd",
      "headings": {
        "progress": "tiles home",
        "moves": "moves",
        "tie_break": "transports"
      },
      "bootstrap": {
        "seed": 1995,
        "resamples": 10000,
        "confidence": 0.95
      },
      "runs": [
        {
          "run": "old",
          "contest": "Test",
          "limit_ms": 10000,
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
          "reconstruction": false,
          "runs": 2
        },
        {
          "board": "B",
          "reconstruction": false,
          "runs": 2
        },
        {
          "board": "C",
          "reconstruction": false,
          "runs": 2
        },
        {
          "board": "D",
          "reconstruction": false,
          "runs": 2
        },
        {
          "board": "E",
          "reconstruction": false,
          "runs": 2
        },
        {
          "board": "F",
          "reconstruction": false,
          "runs": 2
        },
        {
          "board": "G",
          "reconstruction": false,
          "runs": 2
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
          "untold": 0,
          "both_solved": 5,
          "mean_difference": -5.2,
          "interval": {
            "low": -14.2,
            "high": 0.4
          },
          "sign_test_p": 0.625,
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
                "time_us": 6000000
              },
              "second": {
                "cell": "25/111",
                "solved": true,
                "progress": 25,
                "moves": 111,
                "tie_break": 3,
                "time_us": 12000000
              },
              "moves_difference": 1,
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
                "time_us": 6000000
              },
              "second": {
                "cell": "25/99",
                "solved": true,
                "progress": 25,
                "moves": 99,
                "tie_break": 2,
                "time_us": 12000000
              },
              "moves_difference": -5,
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
                "time_us": 6000000
              },
              "second": {
                "cell": "25/98",
                "solved": true,
                "progress": 25,
                "moves": 98,
                "tie_break": 2,
                "time_us": 12000000
              },
              "moves_difference": -22,
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
                "time_us": 6000000
              },
              "second": {
                "cell": "0/ILL",
                "solved": false,
                "progress": 7,
                "moves": null,
                "tie_break": null,
                "time_us": 12000000
              },
              "moves_difference": null,
              "time_ratio": 2.0
            }
          ]
        }
      ],
      "agreement": [],
      "stability": [],
      "clock": [
        {
          "run": "old",
          "limit_ms": 10000,
          "ended_before_half": [],
          "went_on": [
            "steady"
          ],
          "untold": []
        },
        {
          "run": "new",
          "limit_ms": 20000,
          "ended_before_half": [],
          "went_on": [
            "steady"
          ],
          "untold": []
        }
      ],
      "across_limits": null
    }
    "#);
}
