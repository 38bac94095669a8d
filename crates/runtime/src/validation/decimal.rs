//! Exact decimals for `multipleOf`.

/// Returns whether `value` is a multiple of `step`. Both are JSON numbers, or the `Display` of Rust numbers.
pub(super) fn is_multiple(value: &str, step: &str) -> bool {
    exact(value, step).unwrap_or_else(|| {
        // The digits do not fit an exact comparison; compare as floats.
        match (value.parse::<f64>(), step.parse::<f64>()) {
            (Ok(value), Ok(step)) => {
                let ratio = value / step;
                ratio.is_finite() && (ratio - ratio.round()).abs() <= ratio.abs() * f64::EPSILON
            }
            _ => false,
        }
    })
}

/// Compares exactly; `None` if the digits do not fit an `i128`.
fn exact(value: &str, step: &str) -> Option<bool> {
    let (value, value_exponent) = parse(value)?;
    let (step, step_exponent) = parse(step)?;
    if value == 0 {
        return Some(true);
    }
    let common = value_exponent.min(step_exponent);
    let scale = |digits: i128, exponent: i32| {
        let power = 10_i128.checked_pow(u32::try_from(exponent.checked_sub(common)?).ok()?)?;
        digits.checked_mul(power)
    };
    scale(value, value_exponent)?.checked_rem(scale(step, step_exponent)?).map(|rest| rest == 0)
}

/// Returns the digits and their power of ten.
fn parse(text: &str) -> Option<(i128, i32)> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse().ok()?),
        None => (text, 0_i32),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = format!("{whole}{fraction}").parse().ok()?;
    Some((digits, exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        for (value, step) in
            [("0.3", "0.1"), ("1.15", "0.01"), ("4.35", "0.05"), ("1e3", "10"), ("0", "7"), ("-6", "3")]
        {
            assert!(is_multiple(value, step), "{value} {step}");
        }
        for (value, step) in [("0.35", "0.1"), ("1.005", "0.01"), ("7", "2"), ("1e-3", "0.01")] {
            assert!(!is_multiple(value, step), "{value} {step}");
        }
        assert!(is_multiple(&1e300_f64.to_string(), "2"));
        assert!(!is_multiple(&f64::INFINITY.to_string(), "2"));
    }
}
