//! Sizes as people write and read them.

/// Reads a size: a number of bytes, or of KiB, MiB or GiB.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic() || character == ' ');
    let unit = text.get(digits.len()..).unwrap_or_default().trim();
    let factor: u64 = match unit {
        "" | "B" => 1,
        "KiB" | "K" | "k" => 1 << 10,
        "MiB" | "M" => 1 << 20,
        "GiB" | "G" => 1 << 30,
        other => return Err(format!("`{other}` is not a unit; use KiB, MiB or GiB")),
    };
    let number: u64 = digits.parse().map_err(|_| format!("`{text}` is not a size such as 104857600 or 100MiB"))?;
    number.checked_mul(factor).ok_or_else(|| format!("`{text}` is too large"))
}

/// Shows a size in the largest unit that leaves at least one.
pub(crate) fn show(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match UNITS.iter().find(|(_, size)| bytes >= *size) {
        Some((unit, size)) => format!("{:.1} {unit}", bytes as f64 / *size as f64),
        None => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_and_without_units() {
        assert_eq!(parse("1000"), Ok(1000));
        assert_eq!(parse("100MiB"), Ok(100 << 20));
        assert_eq!(parse("2 GiB"), Ok(2 << 30));
        assert!(parse("ten").is_err() && parse("1 parsec").is_err() && parse("-1").is_err());
        assert!(parse("99999999999999999999").is_err() && parse("99999999999GiB").is_err());
    }

    #[test]
    fn sizes_are_shown_in_a_fitting_unit() {
        assert_eq!(show(10), "10 B");
        assert_eq!(show(1536), "1.5 KiB");
        assert_eq!(show(100 << 20), "100.0 MiB");
    }
}
