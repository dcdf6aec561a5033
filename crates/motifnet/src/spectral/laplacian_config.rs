//! Which Laplacian of a motif matrix.

use crate::choice::words;

/// Which polynomial of the normalised matrix N.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LaplacianForm {
    /// Δ = I − N.
    Plain,
    /// Δ̃ = 2Δ/λ − I, that is −N for λ = 2: what polynomial filters work on.
    #[default]
    Rescaled,
}

words!(LaplacianForm, "laplacian", Plain = "plain", Rescaled = "rescaled");

/// How the matrix W is divided by its degrees; a degree of zero divides to zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Normalization {
    /// N = D^-½ W D^-½ with D = diag(W 1); for `out` D_out^-½ A D_in^-½, for `in` its transpose.
    #[default]
    Symmetric,
    /// N = D⁻¹ W, whose rows add up to 1; for `out` D_out⁻¹ A, for `in` D_in⁻¹ Aᵀ.
    RandomWalk,
}

words!(Normalization, "normalization", Symmetric = "symmetric", RandomWalk = "random-walk");

/// The λ that the rescaled Laplacian 2Δ/λ − I divides by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LambdaMax {
    /// λ = 2, which no eigenvalue of Δ is above.
    #[default]
    Two,
    /// The largest eigenvalue of Δ, to a residual of 10⁻⁶; for `out` and `in`, whose Δ is not
    /// symmetric, its largest singular value. The same for both normalisations of a symmetric W,
    /// since they are similar. Costs a few hundred products with the operator, or more where
    /// the largest eigenvalues lie close together.
    Exact,
}

words!(LambdaMax, "lambda_max", Two = "two", Exact = "exact");

/// What a Laplacian is: by default the rescaled one, normalised symmetrically, with λ = 2.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct LaplacianConfig {
    /// Which polynomial of the normalised matrix.
    #[serde(rename = "laplacian")]
    pub form: LaplacianForm,
    /// How the matrix is divided by its degrees.
    pub normalization: Normalization,
    /// What the rescaled form divides by; the plain one has no use for it.
    pub lambda_max: LambdaMax,
}

impl From<LaplacianForm> for LaplacianConfig {
    /// That form, the rest by default.
    fn from(form: LaplacianForm) -> Self {
        Self { form, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_choices_and_wrong_ones_are_answered_with_the_right_ones() {
        for choice in Normalization::ALL {
            assert_eq!(choice.name().parse(), Ok(choice));
        }
        for choice in LambdaMax::ALL {
            assert_eq!(choice.name().parse(), Ok(choice));
        }
        let message = "1.5".parse::<LambdaMax>().unwrap_err().to_string();
        assert_eq!(message, "\"1.5\" is not a choice of `lambda_max`; the choices are two, exact");
    }
}
