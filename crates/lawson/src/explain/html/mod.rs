//! The explanation as one page for browsers, complete in itself: no request leaves it, and a policy in the page
//! sees to that.
//!
//! Pictures are laid out here; the script only shows the details of the kernel that is chosen, by mouse or keyboard.
//! Graphs too large to read collapse: operations to their kernels, kernels to the list. The details of a large module
//! stand in the page as data, of which the script makes those that are asked for. Time and size are near-linear in the
//! module.

mod details;
mod index;
mod picture;
mod residuals;
mod sections;
mod stored;

use super::{Explanation, Graph, text};
use crate::memory::human;
use index::Index;
use std::fmt::Write;
use stored::store;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Nothing is loaded from anywhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

/// Boxes a picture may have and still be read.
const READABLE: usize = 160;

/// Instructions and edges whose details are elements from the beginning.
const EAGER: usize = 4000;

/// Operations up to which the details of each kernel have its graph: of more, the page would be too long to open at once.
const PICTURED: usize = 20_000;

/// One HTML document.
pub fn render(e: &Explanation) -> String {
    let title = escaped(&e.module);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title} · fusion</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    let _ = writeln!(
        out,
        "<header><h1>{title}</h1><p class=\"mono\">{}</p><p>{}</p>{}</header>",
        escaped(&e.signature),
        escaped(&e.machine),
        match &e.compiled[..] {
            [] => String::new(),
            modes => format!("<p>compiled {}</p>", escaped(&text::costs(modes))),
        }
    );
    out += &sections::totals(e);
    out += "<main>\n";
    out += &kernels(e);
    if is_pictured(e) {
        let _ = write!(
            out,
            "<section id=\"times\">\n<h2>Time against the roofline</h2>\n{}</section>\n",
            sections::times(e)
        );
    }
    out += &before(e);
    out += &sections::kept(e);
    out += &sections::fused(e);
    out += &sections::joins(e);
    out += &sections::candidates(e);
    out += &sections::layouts(e);
    out += &sections::tuning(e);
    out += &residuals::section(&e.residuals);
    out += &sections::categories(e);
    out += &sections::passes(e);
    out += "</main>\n";
    let _ = write!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    out
}

/// The kernels as a graph, and beside it the details of the chosen one.
fn kernels(e: &Explanation) -> String {
    let mut out = String::from("<section id=\"after\">\n<h2>Kernels</h2>\n<div class=\"split\">\n");
    out += "<div class=\"pictures\" id=\"kernels\">\n";
    if is_pictured(e) {
        out += "<p class=\"hint\">Choose a kernel to see what it computes: click it, or Tab and Enter.</p>\n";
        for graph in &e.after {
            out += &titled(e, graph, picture::kernels(e, graph));
        }
    } else {
        let _ = writeln!(
            out,
            "<p class=\"hint\"><label>{} kernels are too many for a picture: choose one in the list, or by its number \
             <input id=\"number\" type=\"number\" min=\"0\" max=\"{}\"></label></p>",
            e.kernels.len(),
            e.kernels.len().saturating_sub(1)
        );
        out += &sections::times(e);
    }
    out += "</div>\n<aside id=\"details\" aria-live=\"polite\">\n";
    let index = Index::of(e);
    let pictured = is_collapsed(e) && operations(e) <= PICTURED;
    let articles = (0..e.kernels.len()).map(|k| details::kernel(e, &index, k, pictured));
    if is_large(e) {
        out += "</aside>\n</div>\n</section>\n";
        return out + &store("articles", articles);
    }
    out.extend(articles);
    out + "</aside>\n</div>\n</section>\n"
}

/// The operations that fusion saw, coloured by kernel.
fn before(e: &Explanation) -> String {
    let mut out = String::from("<section id=\"before\">\n<h2>Before fusion</h2>\n");
    if is_collapsed(e) {
        let _ = writeln!(
            out,
            "<p class=\"hint\">{} operations after simplification, collapsed to their kernels: \
             choose a kernel above to see its own.</p>",
            operations(e)
        );
    } else {
        out += "<p class=\"hint\">The operations after simplification; those of one colour share a kernel.</p>\n";
        out += "<div class=\"pictures\">\n";
        for graph in &e.before {
            out += &titled(e, graph, picture::operations(graph));
        }
        out += "</div>\n";
    }
    out + "</section>\n"
}

fn is_pictured(e: &Explanation) -> bool {
    e.after.iter().map(|g| g.nodes.len()).sum::<usize>() <= 2 * READABLE
}

/// Whether details are made when they are asked for.
fn is_large(e: &Explanation) -> bool {
    e.decisions.len() + e.kernels.iter().map(|k| k.instructions.len()).sum::<usize>() > EAGER
}

fn is_collapsed(e: &Explanation) -> bool {
    operations(e) > READABLE
}

fn operations(e: &Explanation) -> usize {
    e.before.iter().map(|g| g.nodes.len()).sum()
}

/// A picture with the name of its computation, where there are several.
fn titled(e: &Explanation, graph: &Graph, picture: String) -> String {
    let single = e.after.len() == 1 && e.before.len() == 1;
    let title =
        if single { String::new() } else { format!("<h3 class=\"mono\">{}</h3>\n", escaped(&graph.title)) };
    format!("{title}<div class=\"scroll\">{picture}</div>\n")
}

/// The hue that marks a kernel; neighbours differ much.
fn hue(kernel: usize) -> usize {
    (kernel * 137 + 210) % 360
}

fn moved(k: &super::Kernel) -> String {
    human(k.bytes_read.saturating_add(k.bytes_written))
}

/// Text as HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;

    #[test]
    fn the_page_has_everything() {
        let page = render(&example());
        for part in [
            "<title>rows.hlo",
            "id=\"kernel-0\"",
            "exp.1 = f32[4096,1024] op(&lt;exp.1&gt;)",
            "train.py:12",
            "a sort reads its whole row before it writes",
            "Sort less.",
            "(unchanged)",
            "one kernel would wait for the other",
            "merge ×2",
            "16.0 MiB need not wait",
            "96.0 MiB",
            "reduction",
        ] {
            assert!(page.contains(part), "{part}");
        }
    }

    #[test]
    fn nothing_is_loaded() {
        let page = render(&example());
        let links = ["http:", "https:", "src=", "href=\"/", "url(", "@import", "<link", "fetch(", "XMLHttp"];
        for link in links {
            assert!(!page.contains(link), "{link}");
        }
        assert!(page.contains("default-src 'none'"));
    }

    #[test]
    fn names_cannot_break_out() {
        let mut e = example();
        e.module = "<script>alert('\"&')</script>".into();
        e.kernels[0].name = "</svg><b>".into();
        e.after[0].nodes[1].name = "</svg><b>".into();
        let page = render(&e);
        assert!(page.contains("&lt;script&gt;alert(&#39;&quot;&amp;&#39;)&lt;/script&gt;"));
        assert!(!page.contains("</svg><b>"));
    }

    #[test]
    fn large_graphs_collapse() {
        let mut e = example();
        e.before = vec![super::super::graph::example(false); READABLE];
        let page = render(&e);
        assert!(page.contains("collapsed to their kernels"));
        // The details show them instead.
        assert!(page.contains("class=\"node operation"));
    }
}
