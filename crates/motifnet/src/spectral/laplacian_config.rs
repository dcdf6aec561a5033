//! Which Laplacian of a motif matrix.

use std::fmt;
use std::str::FromStr;

use crate::motif::UnknownChoice;

/// Which polynomial of the normalised matrix N.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LaplacianForm {
    /// Δ = I − N.
    Plain,
    /// Δ̃ = 2Δ/λ − I, that is −N for λ = 2: what polynomial filters work on.
    #[default]
    Rescaled,
}

impl LaplacianForm {
    /// Both forms.
    pub const ALL: [Self; 2] = [Self::Plain, Self::Rescaled];

    /// The word for it on the command line and in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Rescaled => "rescaled",
        }
    }
}

impl fmt::Display for LaplacianForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no Laplacian.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is not a Laplacian; there are plain and rescaled")]
pub struct UnknownForm(pub String);

impl FromStr for LaplacianForm {
    type Err = UnknownForm;

    fn from_str(word: &str) -> Result<Self, UnknownForm> {
        let found = Self::ALL.into_iter().find(|form| form.name() == word);
        found.ok_or_else(|| UnknownForm(word.to_owned()))
    }
}

/// How the matrix W is divided by its degrees; a degree of zero divides to zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Normalization {
    /// N = D^-½ W D^-½ with D = diag(W 1); for `out` D_out^-½ A D_in^-½, for `in` its transpose.
    #[default]
    Symmetric,
    /// N = D⁻¹ W, whose rows add up to 1; for `out` D_out⁻¹ A, for `in` D_in⁻¹ Aᵀ.
    RandomWalk,
}

impl Normalization {
    /// Both normalisations.
    pub const ALL: [Self; 2] = [Self::Symmetric, Self::RandomWalk];

    /// The word for it in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Symmetric => "symmetric",
            Self::RandomWalk => "random-walk",
        }
    }
}

impl fmt::Display for Normalization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Normalization {
    type Err = UnknownChoice;

    fn from_str(word: &str) -> Result<Self, UnknownChoice> {
        let found = Self::ALL.into_iter().find(|choice| choice.name() == word);
        found.ok_or_else(|| UnknownChoice {
            choice: "normalization",
            found: word.to_owned(),
            allowed: Self::ALL.map(Self::name).join(", "),
        })
    }
}

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

impl LambdaMax {
    /// Both choices.
    pub const ALL: [Self; 2] = [Self::Two, Self::Exact];

    /// The word for it in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Two => "two",
            Self::Exact => "exact",
        }
    }
}

impl fmt::Display for LambdaMax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for LambdaMax {
    type Err = UnknownChoice;

    fn from_str(word: &str) -> Result<Self, UnknownChoice> {
        let found = Self::ALL.into_iter().find(|choice| choice.name() == word);
        found.ok_or_else(|| UnknownChoice {
            choice: "lambda_max",
            found: word.to_owned(),
            allowed: Self::ALL.map(Self::name).join(", "),
        })
    }
}

/// What a Laplacian is: by default the rescaled one, normalised symmetrically, with λ = 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LaplacianConfig {
    /// Which polynomial of the normalised matrix.
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
