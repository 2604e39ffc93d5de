//! Running mean and variance (Welford, 1962).

/// Mean and variance of numbers that come one by one.
///
/// ```
/// let moments: spinney_core::Moments = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().collect();
/// assert_eq!((moments.mean(), moments.variance()), (5.0, 4.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Adds a number.
    #[inline]
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.number();
        self.squares += before * (value - self.mean);
    }

    /// Takes in the numbers of `other` (Chan, Golub and LeVeque, 1979).
    #[inline]
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let (ours, theirs) = (self.count as f64, other.count as f64);
        let (count, apart) = (ours + theirs, other.mean - self.mean);
        self.count += other.count;
        self.mean += apart * (theirs / count);
        self.squares += other.squares + apart * apart * (ours * theirs / count);
    }

    /// How many numbers there were.
    #[inline]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The count, by way of a signed number, which takes one instruction instead of several.
    #[inline(always)]
    fn number(&self) -> f64 {
        self.count as i64 as f64
    }

    /// Their mean; 0 without any.
    #[inline]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Sum of squared deviations from the mean.
    #[inline]
    pub fn squares(&self) -> f64 {
        self.squares
    }

    /// Population variance: the sum of squared deviations over n.
    #[inline]
    pub fn variance(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.squares / self.number() }
    }

    /// Sample variance: the sum of squared deviations over n − 1.
    #[inline]
    pub fn sample_variance(&self) -> f64 {
        if self.count < 2 { 0.0 } else { self.squares / (self.count - 1) as f64 }
    }
}

impl FromIterator<f64> for Moments {
    #[inline]
    fn from_iter<T: IntoIterator<Item = f64>>(values: T) -> Self {
        let mut moments = Self::default();
        values.into_iter().for_each(|value| moments.add(value));
        moments
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_and_one_number() {
        let mut moments = Moments::default();
        assert_eq!((moments.mean(), moments.variance(), moments.sample_variance()), (0.0, 0.0, 0.0));
        moments.add(3.0);
        assert_eq!((moments.mean(), moments.variance(), moments.sample_variance()), (3.0, 0.0, 0.0));
    }

    proptest! {
        #[test]
        fn merging_is_adding_one_by_one(values in prop::collection::vec(-1e3f64..1e3, 0..60), cut in 0usize..60) {
            let cut = cut.min(values.len());
            let mut merged: Moments = values[..cut].iter().copied().collect();
            merged.merge(&values[cut..].iter().copied().collect());
            let whole: Moments = values.iter().copied().collect();
            prop_assert_eq!(merged.count(), whole.count());
            prop_assert!((merged.mean() - whole.mean()).abs() < 1e-9);
            prop_assert!((merged.variance() - whole.variance()).abs() < 1e-6);
        }
    }
}
