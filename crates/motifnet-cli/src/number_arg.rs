//! Numbers on the command line that not every number can be.

use std::str::FromStr;

/// A parser of numbers that `fits`; any other text is told what is `wanted`.
pub(crate) fn number<T: FromStr + 'static>(
    wanted: &'static str,
    fits: fn(&T) -> bool,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| text.parse().ok().filter(fits).ok_or_else(|| format!("give {wanted}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_told_what_is_wanted() {
        let share = number("a share", |x: &f64| (0.0..=1.0).contains(x));
        assert_eq!([share("0"), share("0.5"), share("1")], [Ok(0.0), Ok(0.5), Ok(1.0)]);
        for wrong in ["-0.1", "1.1", "nan", "inf", "half", ""] {
            assert_eq!(share(wrong), Err("give a share".to_owned()), "{wrong}");
        }
    }
}
