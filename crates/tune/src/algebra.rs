//! The little linear algebra that a regression with a few dozen terms needs.

/// A symmetric positive definite matrix, row by row, taken apart as L Lᵀ (Cholesky).
#[derive(Clone, Debug)]
pub struct Factored {
    size: usize,
    /// The lower triangle L; what is above the diagonal is not used.
    lower: Vec<f64>,
}

impl Factored {
    /// `None` if the matrix is not positive definite.
    pub fn new(mut matrix: Vec<f64>, size: usize) -> Option<Self> {
        debug_assert_eq!(matrix.len(), size * size);
        for column in 0..size {
            for row in column..size {
                let known: f64 = (0..column).map(|at| matrix[row * size + at] * matrix[column * size + at]).sum();
                let rest = matrix[row * size + column] - known;
                if row == column {
                    if rest.is_nan() || rest <= 0.0 {
                        return None;
                    }
                    matrix[row * size + column] = rest.sqrt();
                } else {
                    matrix[row * size + column] = rest / matrix[column * size + column];
                }
            }
        }
        Some(Self { size, lower: matrix })
    }

    /// The vector y with L y = v.
    fn forward(&self, vector: &[f64]) -> Vec<f64> {
        let mut solved = Vec::with_capacity(self.size);
        for (row, value) in vector.iter().enumerate() {
            let known: f64 = (0..row).map(|at| self.lower[row * self.size + at] * solved[at]).sum();
            solved.push((value - known) / self.lower[row * self.size + row]);
        }
        solved
    }

    /// The vector x with A x = v.
    pub fn solve(&self, vector: &[f64]) -> Vec<f64> {
        let mut solved = self.forward(vector);
        for row in (0..self.size).rev() {
            let known: f64 = (row + 1..self.size).map(|at| self.lower[at * self.size + row] * solved[at]).sum();
            solved[row] = (solved[row] - known) / self.lower[row * self.size + row];
        }
        solved
    }

    /// vᵀ A⁻¹ v: the variance of a linear form where A is the precision.
    pub fn variance(&self, vector: &[f64]) -> f64 {
        self.forward(vector).iter().map(|value| value * value).sum()
    }
}

/// The sum of products.
pub fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A = [[4, 2], [2, 5]] = L Lᵀ with L = [[2, 0], [1, 2]]; A (1, 2)ᵀ = (8, 12)ᵀ.
    #[test]
    fn a_system_by_hand() {
        let factored = Factored::new(vec![4.0, 2.0, 2.0, 5.0], 2).unwrap();
        assert_eq!(factored.solve(&[8.0, 12.0]), [1.0, 2.0]);
        // A⁻¹ = [[5, −2], [−2, 4]] / 16.
        assert_eq!(factored.variance(&[1.0, 0.0]), 5.0 / 16.0);
        assert_eq!(factored.variance(&[1.0, 1.0]), 5.0 / 16.0);
        assert!(Factored::new(vec![1.0, 2.0, 2.0, 1.0], 2).is_none());
    }
}
