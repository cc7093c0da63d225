//! docs/stablehlo.md lists the operations that are read: `BLESS=1` writes the list anew.

use std::path::Path;

#[test]
fn the_page_lists_the_operations_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/stablehlo.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let head = "| operation | HLO |\n|---|---|\n";
    let (before, listed) = page.split_once(head).expect("the table");
    let row = |(name, opcode): (&str, lawson_hlo::Opcode)| format!("| `{name}` | `{opcode}` |\n");
    let rows: String = lawson_stablehlo::operations().map(row).collect();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, format!("{before}{head}{rows}")).expect("the page is written");
    } else {
        assert_eq!(listed, rows, "BLESS=1 cargo test -p lawson-stablehlo --test docs");
    }
}
