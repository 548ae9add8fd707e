//! The page `docs/graph-model.md`: what the graph holds, told from the tables of the model.
//!
//! The prose stands here, the facts come from the tables. A value of a column is put in words by a `match` without a
//! fallback, so that a value the model gains cannot be left out of the page.

mod edges;
mod ids;
mod nodes;
mod properties;

/// The whole page.
pub(super) fn page() -> String {
    [INTRODUCTION, &ids::section(), LIFETIME, &nodes::section(), &edges::section(), &properties::section()].concat()
}

const INTRODUCTION: &str = "\
# The graph model

> This page is generated from the tables in `crates/model` by `cargo xtask generate`. Change the tables and run the
> command; an edit made here is lost.

The trust graph says what AI agents **can** do. Its nodes are the things of an estate: agents, the tool servers they
trust, tools, data, secrets, machines, configuration files, AI services. Its edges are the relations that matter to
an attacker: who trusts whom, what offers what, which secret opens which door. An edge points the way in which access
and control flow, so the typical chain reads

```text
agent -> tool server -> tool -> data
```

and an attack path is a chain of edges that somebody who holds its beginning can follow to its end. A few relations
are walked the other way, or both ways: whoever can write a configuration file steers the servers that it defines,
although the edge leads from the server to the file. The tables below say so for every kind of edge.

Collectors look at the world and write down what they see in scan documents. Only **observed** kinds may stand in a
document. Everything else is worked out from the observed facts, anew for every state of the graph: **derived** edges
say what follows from them, **shortcuts** are derived edges that stand for a chain of others, and **synthetic** nodes
group what belongs together. A document that contains one of these is refused, because a conclusion without its facts
cannot be checked.

";

const LIFETIME: &str = "\
## How long facts live

Every fact, node or edge, knows the scans that saw it. A fact is retired when a later scan looked where it ought to be
and did not find it, and for no other reason:

- A document of ours says which machine it speaks for (`meta.extra.origin`) and what it read to the end
  (`meta.extra.covers`): configuration files, servers, agents, or a host and port. Only facts of the same collector and
  the same origin, below something covered and not seen again, are retired. So a scan of a single file, of a single
  server, or one that was interrupted never retires the rest.
- A document of another producer says neither. It is taken to cover just those parents whose children it lists: a
  server whose tools it shows, a configuration file whose servers it shows, an agent whose skills it shows. The edge
  kinds for which this holds are called *listing* below.
- In a document of several collectors (`scan`), each fact counts as seen by its own kind's collector. The tables name
  that collector.

Each edge kind has an **anchor**: the end whose coverage decides about it. Some anchors also **hold** the other end:
what is held stands below its holder, and goes when the last edge that holds it goes.

Documents take effect in the order of their timestamps, then of their scan ids; a timestamp that cannot be read, or
that lies in the future, is replaced by the time of ingest. Retired is not forgotten: history and differences between
scans keep what was. Derived edges have no lifetime of their own; they are there as long as what they follow from.

";

#[cfg(test)]
mod tests {
    use tracehound_model::{EdgeKind, NodeKind, PROPERTIES};

    use super::*;

    #[test]
    fn every_kind_and_property_of_the_tables_is_on_the_page() {
        let page = page();
        let names = NodeKind::ALL.iter().map(|kind| kind.name());
        let names = names.chain(EdgeKind::ALL.iter().map(|kind| kind.name()));
        for name in names.chain(PROPERTIES.iter().map(|property| property.key)) {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
    }

    #[test]
    fn the_page_says_first_that_it_is_generated() {
        let top: Vec<String> = page().lines().take(4).map(str::to_owned).collect();
        assert!(top.concat().contains("`cargo xtask generate`"));
    }

    #[test]
    fn every_table_row_has_as_many_cells_as_its_head() {
        let page = page();
        let cells = |line: &str| line.replace("\\|", "").matches('|').count();
        for table in page.split("\n\n").filter(|part| part.starts_with('|')) {
            let mut lines = table.lines();
            let head = lines.next().map(cells);
            assert!(lines.all(|line| Some(cells(line)) == head), "{table}");
        }
    }
}
