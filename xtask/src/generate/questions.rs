//! The page of questions: what each asks, takes and answers.

use tracehound_analyze::naming::SETS;
use tracehound_analyze::questions::{self, ColumnKind, Parameter, Question};

use super::markdown::{code, table};

const HEAD: &str = "# Questions

What `tracehound ask` can be asked. This page is made from the tables in `crates/analyze/src/questions` by
`cargo xtask generate`.

```text
tracehound ask                                          all questions, with what they take
tracehound ask agents-shell-access                      the answer as a table
tracehound ask who-can-reach node=critical --format json
tracehound ask blast-radius node=MCPServer:files hops=3 --at 2026-11-01
tracehound ask tool-name-collision --limit 50 --offset 100
```

An answer is complete. A table shows 20 rows unless `--limit` says otherwise, JSON shows all; both tell how many there are. Of
derived connections, such as what agents reach, a node with very many has only the easiest written down; the others are
counted, and an answer that rests on them says how many (`not_written_down`).

## Naming nodes

A parameter that takes nodes takes one or several, separated by commas. Each is

- an id, or at least the first 8 hexadecimal digits of one,
- a name, or an address (URI, endpoint, URL, path, host name, IP address); if several nodes have it, they are listed,
- `Kind:name`, such as `MCPServer:files`,
- `kind:` and a kind, such as `kind:MCPTool`, for all nodes of that kind,
- or a set:

";

pub(super) fn page() -> String {
    let sets = table(["Set", "What is in it"], SETS.iter().map(|set| [code(set.name), set.description.to_owned()]));
    let mut page = format!("{HEAD}{sets}");
    let mut category = None;
    for question in questions::all() {
        if category != Some(question.category) {
            page += &format!("\n## {}\n", question.category.name());
            category = Some(question.category);
        }
        page += &section(question);
    }
    page
}

fn section(question: &Question) -> String {
    let standards: Vec<String> = question.standards.iter().map(|(id, name)| format!("{id} {name}")).collect();
    let columns: Vec<String> = question.columns.iter().map(|column| code(&named(column.name, column.kind))).collect();
    let mut text = format!(
        "\n### {}\n\n{} {}\n\n- severity: {}\n- standards: {}\n- columns: {}\n",
        question.id,
        sentence(question.name),
        question.asks,
        question.severity.name(),
        standards.join("; "),
        columns.join(", ")
    );
    if !question.parameters.is_empty() {
        let rows = question.parameters.iter().map(row);
        text += &format!("\n{}", table(["Parameter", "What it is", "Default", "Example"], rows));
    }
    text
}

fn sentence(name: &str) -> String {
    format!("**{name}.**")
}

/// A column that holds several things is marked.
fn named(name: &str, kind: ColumnKind) -> String {
    match kind {
        ColumnKind::Texts | ColumnKind::Objects => format!("{name}[]"),
        ColumnKind::Text | ColumnKind::Number | ColumnKind::Flag | ColumnKind::Node => name.to_owned(),
    }
}

fn row(parameter: &Parameter) -> [String; 4] {
    let default = parameter.default().map_or_else(|| "has to be given".to_owned(), |default| code(&default));
    [code(parameter.name), parameter.help.to_owned(), default, code(parameter.example)]
}
