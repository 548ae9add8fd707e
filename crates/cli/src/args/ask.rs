//! Arguments of `tracehound ask`.

use clap::Args;

use super::At;

#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// The question; `list`, or nothing, shows them all
    #[arg(value_name = "NAME")]
    pub(crate) question: Option<String>,
    /// What the question is about; the list says what each takes
    #[arg(value_name = "KEY=VALUE", value_parser = parameter)]
    pub(crate) parameters: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) at: At,
    /// How many rows to show [default: 20 in a table, all in JSON]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    /// How many rows to leave out first
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) offset: u64,
}

/// Reads `key=value`.
fn parameter(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("a parameter is written as key=value, such as node=files")?;
    if key.trim().is_empty() || value.trim().is_empty() {
        return Err("a parameter is written as key=value, and neither is empty".to_owned());
    }
    Ok((key.trim().to_owned(), value.to_owned()))
}
