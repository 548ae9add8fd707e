//! Tables in Markdown.

/// A table: its head, then its rows, each with as many cells as the head.
pub(super) fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut text = row(&head.map(str::to_owned));
    text.push_str(&"|---".repeat(N));
    text.push_str("|\n");
    for cells in rows {
        text.push_str(&row(&cells));
    }
    text
}

/// Text as code.
pub(super) fn code(text: &str) -> String {
    format!("`{text}`")
}

fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// A bar or a line end inside a cell would end it.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_its_columns_whatever_the_cells_hold() {
        let rows = [["a|b".to_owned(), " two\nlines ".to_owned()]];
        assert_eq!(table(["Name", "Meaning"], rows), "| Name | Meaning |\n|---|---|\n| a\\|b | two lines |\n");
    }
}
