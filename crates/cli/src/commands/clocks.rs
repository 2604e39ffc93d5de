//! What the clocks of a match have seen.

use serde_json::json;
use spinney_search::Clock;
use spinney_search::timekeeper::Course;
use std::time::Duration;

/// Counts over all games of a match.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clocks {
    /// Games that A and B lost on time.
    lost: [u64; 2],
    overrun: Duration,
    least_left: Option<Duration>,
}

impl Clocks {
    /// Adds a game, and which agent lost it on time.
    pub fn add(&mut self, flag: Option<usize>, course: &Course) {
        if let Some(agent) = flag {
            self.lost[agent] += 1;
        }
        self.overrun = self.overrun.max(course.overrun);
        self.least_left = self.least_left.into_iter().chain(course.least_left).min();
    }

    /// Adds the keys of the JSON object.
    pub fn write(&self, clock: &Clock, line: &mut serde_json::Value) {
        line["clock"] = json!(clock.to_string());
        line["lost_on_time_a"] = json!(self.lost[0]);
        line["lost_on_time_b"] = json!(self.lost[1]);
        line["longest_overrun_ms"] = json!(milliseconds(self.overrun));
        line["least_left_ms"] = json!(self.least_left.map(milliseconds));
    }

    /// In a line.
    pub fn words(&self, clock: &Clock) -> String {
        let [a, b] = self.lost;
        let least =
            self.least_left.map_or(String::new(), |least| format!(", {:.1} ms least left", milliseconds(least)));
        format!("clock {clock}: lost on time A {a}, B {b}; longest overrun {:.1} ms{least}", milliseconds(self.overrun))
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted() {
        let course = |overrun, least| Course {
            overrun: Duration::from_millis(overrun),
            least_left: Some(Duration::from_millis(least)),
            ..Course::default()
        };
        let mut clocks = Clocks::default();
        clocks.add(None, &course(3, 20));
        clocks.add(Some(1), &course(2, 0));
        clocks.add(Some(1), &course(1, 7));
        let clock = "0.05+0.005".parse().unwrap();
        assert_eq!(
            clocks.words(&clock),
            "clock 0.05+0.005: lost on time A 0, B 2; longest overrun 3.0 ms, 0.0 ms least left"
        );
        let mut line = json!({});
        clocks.write(&clock, &mut line);
        assert_eq!((line["lost_on_time_a"].as_u64(), line["lost_on_time_b"].as_u64()), (Some(0), Some(2)));
    }
}
