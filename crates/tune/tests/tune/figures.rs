//! The figures of a tuning.

use spinney_report::Curve;
use spinney_tune::regression::Observation;
use spinney_tune::report::curves;
use spinney_tune::space::{Parameter, Range, Setting, Space};

#[test]
fn games_are_gathered_by_part_of_the_range() {
    let number = Range::Number { from: 0.0, to: 1.0, is_logarithmic: false };
    let words = Range::Words(vec!["a".to_string(), "b".to_string()]);
    let space = Space::new(vec![
        Parameter { name: "c".to_string(), range: number },
        Parameter { name: "w".to_string(), range: words },
    ])
    .unwrap();
    let game =
        |c: f64, w: f64, points: f64| Observation { setting: Setting { values: vec![c, w] }, points, games: 2.0 };
    let mut observations = vec![game(0.95, 0.0, 2.0)];
    for _ in 0..4 {
        observations.extend([game(0.02, 0.0, 1.0), game(0.04, 1.0, 2.0)]);
    }
    let curves = curves(&space, &observations, &Setting { values: vec![0.5, 1.0] });
    let games = |curve: &Curve| curve.series[1].points.iter().map(|point| (point.x, point.y)).collect::<Vec<_>>();
    // One pair in the last part is too few; the first part has a mean score of ¾.
    assert_eq!(games(&curves[0]), [(0.03, 75.0)]);
    assert_eq!(games(&curves[1]), [(1.0, 60.0), (2.0, 100.0)]);
    assert_eq!(curves[1].x_label, "1 = a, 2 = b");
    assert_eq!((curves[0].series[0].points.len(), curves[1].series[0].points.len()), (61, 2));
    assert_eq!(curves[0].series[0].label, "model, w = b");
}
