//! Axes: from values to places, and the ticks people expect, linear or logarithmic.

use crate::numbers;

/// A range of values laid out over a range of coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    from: f64,
    to: f64,
}

/// A value worth a label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) value: f64,
    pub(crate) label: String,
}

impl Axis {
    /// An axis over all usable values; `None` if there are none. A logarithmic axis ignores what is not positive.
    pub(crate) fn over(values: impl IntoIterator<Item = f64>, logarithmic: bool) -> Option<Self> {
        let drawable = |value: &f64| numbers::usable(*value).is_some() && (!logarithmic || *value > 1e-12);
        let (low, high) = values
            .into_iter()
            .filter(drawable)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return None;
        }
        let (low, high) = if logarithmic {
            if high / low < 1.001 { (low / 2.0, high * 2.0) } else { (low, high) }
        } else if high - low <= 1e-9 * low.abs().max(high.abs()) {
            // One value alone gets some air on both sides.
            let air = if low == 0.0 { 1.0 } else { low.abs() / 10.0 };
            (low - air, high + air)
        } else {
            (low, high)
        };
        Some(Self { low, high, logarithmic, from: 0.0, to: 1.0 })
    }

    /// Widens a linear axis outward to whole ticks, but not beyond the limits.
    pub(crate) fn widened(mut self, ticks: usize, limits: (f64, f64)) -> Self {
        if !self.logarithmic {
            // A point exactly on the frame would be drawn half outside.
            let air = (self.high - self.low) * 0.02;
            let (low, high) = (self.low - air, self.high + air);
            // The wider range may ask for a longer step, whose ticks then have to be reached too.
            for _ in 0..2 {
                let step = step(self.high - self.low, ticks);
                self.low = ((low / step).floor() * step).max(limits.0).min(self.low);
                self.high = ((high / step).ceil() * step).min(limits.1).max(self.high);
            }
        }
        self
    }

    /// The same axis from one coordinate to another.
    pub(crate) fn placed(mut self, from: f64, to: f64) -> Self {
        (self.from, self.to) = (from, to);
        self
    }

    /// Where a value stands; values outside stand at the border.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let scale = |value: f64| if self.logarithmic { value.max(self.low).ln() } else { value };
        let share = (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low));
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// At most about so many ticks, at round values.
    pub(crate) fn ticks(&self, most: usize) -> Vec<Tick> {
        let most = most.max(2);
        if self.logarithmic
            && let Some(ticks) = self.logarithmic_ticks(most)
        {
            return ticks;
        }
        let step = step(self.high - self.low, most);
        let largest = self.low.abs().max(self.high.abs());
        let (first, last) = ((self.low / step - 1e-6).ceil(), (self.high / step + 1e-6).floor());
        let number = (last - first).clamp(0.0, 50.0) as usize;
        (0..=number)
            .map(|index| (first + index as f64) * step)
            .map(|value| Tick { value, label: linear_label(value, step, largest) })
            .collect()
    }

    /// Decades, or 1–2–5 within few decades; nothing if the range is too short for round values.
    fn logarithmic_ticks(&self, most: usize) -> Option<Vec<Tick>> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let inside = |value: &f64| *value >= self.low * 0.999 && *value <= self.high * 1.001;
        let values = |mantissas: &[f64], stride: usize| -> Vec<f64> {
            (first..=last)
                .step_by(stride)
                .flat_map(|decade| mantissas.iter().map(move |mantissa| mantissa * 10_f64.powi(decade)))
                .filter(inside)
                .collect()
        };
        let fine = [values(&[1.0, 2.0, 5.0], 1), values(&[1.0, 3.0], 1), values(&[1.0], 1)];
        let chosen = fine
            .into_iter()
            .chain((2..=30).map(|stride| values(&[1.0], stride)))
            .find(|values| values.len() <= most && values.len() >= 2)?;
        Some(chosen.into_iter().map(|value| Tick { value, label: logarithmic_label(value) }).collect())
    }
}

/// The smallest of 1, 2, 5 times a power of ten that cuts the span into at most so many parts.
fn step(span: f64, parts: usize) -> f64 {
    let raw = (span / parts.max(1) as f64).max(1e-300);
    let power = 10_f64.powf(raw.log10().floor());
    let mantissa = [1.0, 2.0, 5.0, 10.0].into_iter().find(|mantissa| mantissa * power >= raw * 0.999_999);
    mantissa.unwrap_or(10.0) * power
}

fn linear_label(value: f64, step: f64, largest: f64) -> String {
    if value.abs() < step / 2.0 {
        return "0".to_owned();
    }
    let decimals = |step: f64| (-step.log10() - 1e-9).ceil().clamp(0.0, 9.0) as usize;
    match largest {
        _ if largest >= 1e10 || step < 1e-6 => format!("{value:.1e}").replace('-', "−"),
        _ if largest >= 1e6 && step >= 1e3 => format!("{}M", numbers::fixed(value / 1e6, decimals(step / 1e6))),
        _ if largest >= 1e4 && step >= 1e2 => format!("{}k", numbers::fixed(value / 1e3, decimals(step / 1e3))),
        _ => numbers::fixed(value, decimals(step)),
    }
}

fn logarithmic_label(value: f64) -> String {
    let (scaled, unit) = match value {
        _ if !(1e-3..9.99e9).contains(&value) => return format!("{value:.0e}").replace('-', "−"),
        _ if value >= 0.999e6 => (value / 1e6, "M"),
        _ if value >= 0.999e3 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let text = numbers::fixed(scaled, if scaled < 0.995 { 3 } else { 0 });
    let text = if text.contains('.') { text.trim_end_matches('0') } else { &text };
    format!("{text}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, logarithmic: bool) -> String {
        let axis = Axis::over([low, high], logarithmic).unwrap();
        axis.ticks(6).into_iter().map(|tick| tick.label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(42.0, 68.0, false), "45 50 55 60 65");
        assert_eq!(labels(0.0, 1.0, false), "0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(labels(-0.01, 0.01, false), "−0.010 −0.005 0 0.005 0.010");
        assert_eq!(labels(1.0, 5.0, false), "1 2 3 4 5");
        assert_eq!(labels(0.3, 0.7, false), "0.3 0.4 0.5 0.6 0.7");
        assert_eq!(labels(1e6, 1.02e6, false), "1.000M 1.005M 1.010M 1.015M 1.020M");
        assert_eq!(labels(0.0, 30_000.0, false), "0 5k 10k 15k 20k 25k 30k");
        assert_eq!(labels(100.0, 100_000.0, true), "100 1k 10k 100k");
        assert_eq!(labels(1_000.0, 30_000.0, true), "1k 2k 5k 10k 20k");
        assert_eq!(labels(0.01, 2.0, true), "0.01 0.03 0.1 0.3 1");
        assert_eq!(labels(110.0, 140.0, true), "110 115 120 125 130 135 140");
    }

    #[test]
    fn widened_axes_end_at_ticks() {
        for (low, high) in [(0.297, 0.39), (47.9, 62.1), (-3.0, 11.0)] {
            let axis = Axis::over([low, high], false).unwrap().widened(5, (f64::NEG_INFINITY, f64::INFINITY));
            let ticks = axis.ticks(5);
            assert!((ticks[0].value - axis.low).abs() < 1e-9, "{ticks:?} {axis:?}");
            assert!((ticks[ticks.len() - 1].value - axis.high).abs() < 1e-9, "{ticks:?} {axis:?}");
        }
    }

    #[test]
    fn single_values_and_nonsense() {
        assert!(Axis::over([f64::NAN, f64::INFINITY], false).is_none());
        assert!(Axis::over([0.0, -3.0], true).is_none());
        let axis = Axis::over([5.0], false).unwrap().placed(0.0, 100.0);
        assert!((axis.place(5.0) - 50.0).abs() < 1e-9);
        assert_eq!(axis.place(1e9), 100.0);
    }
}
