//! What the backward half of a derivative needs of the forward half, as a table of the page.

use super::super::residuals::{Residual, Residuals};
use super::escaped;
use super::stored::table;
use crate::memory::human;

/// The section; nothing where there is nothing to say.
pub fn section(r: &Residuals) -> String {
    if !r.tells() {
        return String::new();
    }
    let mut out = format!(
        "<section id=\"residuals\">\n<h2>Residuals <span class=\"tag\">{}</span></h2>\n<p>{} wait for the backward half, \
         {} if all of them did. Peak of memory between kernels: {}, {} if fusion left it at that.</p>\n",
        r.all.len(),
        human(r.bytes),
        human(r.bytes_if_all_saved),
        human(r.peak),
        human(r.peak_without)
    );
    let row = |r: &Residual| {
        format!(
            "<tr><td class=\"mono\">{}</td><td class=\"mono\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            escaped(&r.value),
            escaped(&r.shape),
            human(r.bytes),
            human(r.stored),
            escaped(&r.fate),
            escaped(&r.reason)
        )
    };
    let head =
        "<tr><th>value</th><th>shape</th><th>size</th><th>waits</th><th>fate</th><th>because</th></tr>\n";
    out += &table("more-residuals", "", (head, 6), r.all.iter().map(row));
    out + "</section>\n"
}
