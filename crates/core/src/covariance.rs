//! Running covariance of two quantities observed together (Welford, 1962; Pébay, 2008).

use crate::Moments;
#[cfg(not(feature = "std"))]
use crate::arithmetic::Rounded as _;

/// Means, variances and covariance of pairs of numbers that come one by one.
///
/// ```
/// let pairs: spinney_core::Covariance = [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)].into_iter().collect();
/// assert!((pairs.covariance() - 4.0 / 3.0).abs() < 1e-12);
/// assert!((pairs.correlation().unwrap() - 1.0).abs() < 1e-12);
/// assert!((pairs.slope().unwrap() - 0.5).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Covariance {
    first: Moments,
    second: Moments,
    products: f64,
}

impl Covariance {
    /// Adds a pair.
    #[inline]
    pub fn add(&mut self, first: f64, second: f64) {
        let before = first - self.first.mean();
        self.first.add(first);
        self.second.add(second);
        self.products += before * (second - self.second.mean());
    }

    /// Takes in the pairs of `other`.
    #[inline]
    pub fn merge(&mut self, other: &Self) {
        let (ours, theirs) = (self.count() as f64, other.count() as f64);
        if theirs == 0.0 {
            return;
        }
        let apart = (other.first.mean() - self.first.mean()) * (other.second.mean() - self.second.mean());
        self.products += other.products + apart * (ours * theirs / (ours + theirs));
        self.first.merge(&other.first);
        self.second.merge(&other.second);
    }

    /// How many pairs there were.
    #[inline]
    pub fn count(&self) -> u64 {
        self.first.count()
    }

    /// Mean and variance of the first numbers.
    #[inline]
    pub fn first(&self) -> &Moments {
        &self.first
    }

    /// Mean and variance of the second numbers.
    #[inline]
    pub fn second(&self) -> &Moments {
        &self.second
    }

    /// Population covariance: the sum of products of deviations over n; 0 without any pairs.
    #[inline]
    pub fn covariance(&self) -> f64 {
        if self.count() == 0 { 0.0 } else { self.products / self.count() as f64 }
    }

    /// Sample covariance: the sum of products of deviations over n − 1; 0 below two pairs.
    #[inline]
    pub fn sample_covariance(&self) -> f64 {
        if self.count() < 2 { 0.0 } else { self.products / (self.count() - 1) as f64 }
    }

    /// Pearson's correlation in [−1, 1]; `None` if one of the quantities never varied.
    #[inline]
    pub fn correlation(&self) -> Option<f64> {
        let scale = self.first.variance().sqrt() * self.second.variance().sqrt();
        (scale > 0.0).then(|| (self.covariance() / scale).clamp(-1.0, 1.0))
    }

    /// How much the first quantity changes with the second: covariance / variance of the second.
    ///
    /// It is the coefficient of a control variate that leaves the least variance (Lavenberg and Welch, 1981). `None` if
    /// the second quantity never varied.
    #[inline]
    pub fn slope(&self) -> Option<f64> {
        let variance = self.second.variance();
        (variance > 0.0).then(|| self.covariance() / variance)
    }
}

impl FromIterator<(f64, f64)> for Covariance {
    #[inline]
    fn from_iter<T: IntoIterator<Item = (f64, f64)>>(pairs: T) -> Self {
        let mut covariance = Self::default();
        pairs.into_iter().for_each(|(first, second)| covariance.add(first, second));
        covariance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn anscombes_first_set() {
        // Anscombe (1973), The American Statistician 27: correlation 0.816, slope of y on x 0.500, variance of x 11.
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let pairs: Covariance = y.into_iter().zip(x).collect();
        assert!((pairs.second().sample_variance() - 11.0).abs() < 1e-12);
        // NumPy 2.4.6: cov, corrcoef, polyfit.
        assert!((pairs.sample_covariance() - 5.501).abs() < 1e-12);
        assert!((pairs.covariance() - 5.501 * 10.0 / 11.0).abs() < 1e-12);
        assert!((pairs.correlation().unwrap() - 0.816_420_516_344_84).abs() < 1e-12);
        assert!((pairs.slope().unwrap() - 0.500_090_909_090_909_1).abs() < 1e-12);
    }

    #[test]
    fn what_never_varies_has_no_correlation() {
        assert_eq!(Covariance::default().correlation(), None);
        let constant: Covariance = [(1.0, 2.0), (3.0, 2.0)].into_iter().collect();
        assert_eq!((constant.correlation(), constant.slope(), constant.covariance()), (None, None, 0.0));
    }

    proptest! {
        #[test]
        fn merging_is_adding_one_by_one(
            values in prop::collection::vec((-1e3f64..1e3, -1e3f64..1e3), 0..60),
            cut in 0usize..60,
        ) {
            let cut = cut.min(values.len());
            let mut merged: Covariance = values[..cut].iter().copied().collect();
            merged.merge(&values[cut..].iter().copied().collect());
            let whole: Covariance = values.iter().copied().collect();
            prop_assert_eq!(merged.count(), whole.count());
            prop_assert!((merged.covariance() - whole.covariance()).abs() < 1e-6);
            prop_assert!(whole.correlation().is_none_or(|correlation| correlation.abs() <= 1.0));
        }
    }
}
