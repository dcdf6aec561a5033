//! Numbers for people.

/// A value with about four digits that matter: `0.8723`, `12.5`, `1,234`, `3.2e-7`.
pub(crate) fn value(number: f64) -> String {
    let size = number.abs();
    let text = match size {
        _ if !number.is_finite() => {
            return if number.is_nan() { "–".into() } else { "∞".into() };
        }
        0.0 => "0".to_owned(),
        ..1e-4 => format!("{number:.1e}"),
        ..1.0 => trimmed(format!("{number:.4}")),
        ..10.0 => trimmed(format!("{number:.3}")),
        ..1000.0 => trimmed(format!("{number:.2}")),
        ..1e15 => {
            let sign = if number < 0.0 { "-" } else { "" };
            format!("{sign}{}", grouped(size.round() as usize))
        }
        _ => format!("{number:.3e}"),
    };
    text.replace('-', "−")
}

/// A value with its sign: `+0.12`, `−3`.
pub(crate) fn signed(number: f64) -> String {
    let text = value(number);
    if number > 0.0 { format!("+{text}") } else { text }
}

/// A share with four decimals, as accuracies are told: `0.8700`.
pub(crate) fn share(number: f64) -> String {
    format!("{number:.4}").replace('-', "−")
}

/// A mean and how far values are from it: `0.8700 ± 0.0100`.
pub(crate) fn with_spread(mean: f64, spread: Option<f64>) -> String {
    spread.map_or_else(|| share(mean), |spread| format!("{} ± {}", share(mean), share(spread)))
}

/// 1234567 → `1,234,567`.
pub(crate) fn grouped(number: usize) -> String {
    motifnet::io::grouped(number as u64)
}

fn trimmed(text: String) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_long_as_they_need_to_be() {
        let numbers = [0.0, 0.87234, -0.5, 1.0, 12.5, 1234.4, -1e6, 3.21e-7, 4e20, f64::NAN];
        assert_eq!(
            numbers.map(value),
            ["0", "0.8723", "−0.5", "1", "12.5", "1,234", "−1,000,000", "3.2e−7", "4.000e20", "–"]
        );
        assert_eq!([0.25, -0.25, 0.0].map(signed), ["+0.25", "−0.25", "0"]);
        assert_eq!(with_spread(0.87, Some(0.01)), "0.8700 ± 0.0100");
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
