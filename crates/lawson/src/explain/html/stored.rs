//! Parts of a page that are made when they are asked for, so that a page of any size opens at once.
//!
//! They stand in the page as data: a script of type JSON, one string of HTML a line. Of a long table the first rows are
//! there, a button makes more of them; rows beyond a limit are told by number, so that no page grows without bound.

use serde_json::Value;

/// Rows of a table that are there from the beginning, and that a button adds.
pub const SHOWN: usize = 300;

/// Further rows of a table that stand in the page as data.
const KEPT: usize = 5000;

/// Data that the script of the page makes into elements.
pub fn store(id: &str, parts: impl Iterator<Item = String>) -> String {
    let mut out = format!("<script type=\"application/json\" id=\"{id}\">\n");
    for part in parts {
        // What ends a script, or begins a comment or a script in it, is written in another way.
        let line = Value::from(part).to_string().replace("</", "<\\/");
        out += &line.replace("<!--", "\\u003c!--").replace("<script", "\\u003cscript");
        out.push('\n');
    }
    out + "</script>\n"
}

/// A table with this head and these rows, each a `<tr>` of so many columns; `id` names its data.
pub fn table(
    id: &str,
    class: &str,
    (head, columns): (&str, usize),
    mut rows: impl ExactSizeIterator<Item = String>,
) -> String {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let mut out = format!("<div class=\"scroll\"><table{class}>\n{head}");
    rows.by_ref().take(SHOWN).for_each(|row| out += &row);
    let rest = rows.len();
    if rest == 0 {
        return out + "</table></div>\n";
    }
    let kept = rest.min(KEPT);
    out += &format!(
        "<tr><td colspan=\"{columns}\"><button type=\"button\" data-more=\"{id}\">{kept} more</button></td></tr>\n"
    );
    if rest > kept {
        out += &format!(
            "<tr><td colspan=\"{columns}\">… and {} more, which <code>lawson explain --json</code> tells</td></tr>\n",
            rest - kept
        );
    }
    out + "</table></div>\n" + &store(id, rows.take(kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_tables_are_cut() {
        let rows = |n: usize| table("t", "", ("", 1), (0..n).map(|i| format!("<tr><td>r{i}.</td></tr>")));
        assert!(!rows(SHOWN).contains("data-more"));
        let some = rows(SHOWN + 2);
        assert!(some.contains("2 more</button>") && some.contains("\"<tr><td>r301."), "{some}");
        let (many, more) = (rows(SHOWN + KEPT + 7), rows(SHOWN + KEPT + 1_000_000));
        assert!(many.contains("… and 7 more") && more.contains("… and 1000000 more"));
        assert!(more.len() < many.len() + 100);
    }

    #[test]
    fn data_cannot_break_out() {
        let text = store("t", ["</script><b><script>".to_string(), "<!--\n".to_string()].into_iter());
        assert!(text.matches("</").count() == 1 && text.matches("<script").count() == 1, "{text}");
        assert!(!text.contains("<!--") && text.lines().count() == 4, "{text}");
        let first: String = text.lines().nth(1).and_then(|l| serde_json::from_str(l).ok()).expect("JSON");
        assert_eq!(first, "</script><b><script>");
    }
}
