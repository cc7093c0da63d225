//! The parts of the page beside the pictures: totals, times, edges, categories, passes.

use super::super::text::{places, time};
use super::super::tuning::{name, summary, verdict};
use super::super::{Candidate, Decision, Explanation, Join, Layout};
use super::details::count;
use super::stored::{SHOWN, table};
use super::{escaped, hue, moved};
use crate::memory::human;
use crate::tuning::Tuned;
use std::fmt::Write;

/// Each category with its meaning.
const CATEGORIES: &[(&str, &str)] = &[
    ("elementwise", "every array is read where the result is written"),
    ("loop", "one iteration space, arrays read through index maps"),
    ("input", "what is made on the way is read straight into a reduction, product or update"),
    ("output", "operations after a reduction or product work on its tile before it is written"),
    ("reduction", "several dependent reductions, staged over the same rows"),
    ("loop-carried", "a whole loop, its state in registers"),
    ("library", "a routine for whole matrices, called and not compiled"),
];

/// The figures of the whole module.
pub fn totals(e: &Explanation) -> String {
    let t = &e.totals;
    let launches = t.launches.map_or("?".into(), |n| n.to_string());
    let percent = |part: u64, whole: u64| format!("{:.0} %", 100.0 * part as f64 / whole.max(1) as f64);
    let card = |value: String, what: &str, more: String| {
        format!("<div class=\"card\"><b>{value}</b><span>{what}</span><small>{more}</small></div>\n")
    };
    let mut out = String::from("<div class=\"cards\">\n");
    out += &card(
        t.kernels.to_string(),
        if t.kernels == 1 { "kernel" } else { "kernels" },
        format!("from {} instructions; launches {launches}, copies {}", t.instructions, t.copies),
    );
    out += &card(
        human(t.bytes_fused),
        "moved by kernels",
        format!(
            "{} unfused: {} saved, {}",
            human(t.bytes_unfused),
            human(t.bytes_saved),
            percent(t.bytes_saved, t.bytes_unfused)
        ),
    );
    out += &card(
        human(t.bytes_saved_formula),
        "saved by the formula Σ size × 2",
        format!(
            "of {}: {}; {} left",
            human(t.bytes_unfused_formula),
            percent(t.bytes_saved_formula, t.bytes_unfused_formula),
            human(t.bytes_fused_formula)
        ),
    );
    let measured: Option<f64> =
        e.kernels.iter().map(|k| Some(k.measured_us? * k.launches? as f64)).sum::<Option<f64>>();
    let measured =
        measured.filter(|us| *us > 0.0).map_or(String::new(), |us| format!("; measured {}", time(us)));
    let bound = if t.bound.is_empty() { String::new() } else { format!("bound by {}", escaped(&t.bound)) };
    out += &card(
        time(t.predicted_us),
        if t.calibrated { "predicted for this machine as measured" } else { "predicted" },
        bound + &measured,
    );
    out += &card(count(t.flops), "operations", String::new());
    out + "</div>\n"
}

/// Every kernel with its time against both sides of the roofline.
pub fn times(e: &Explanation) -> String {
    let all = |k: &super::super::Kernel| k.launches.unwrap_or(1) as f64;
    let whole = |k: &super::super::Kernel| all(k) * k.predicted_us.max(k.measured_us.unwrap_or(0.0));
    let longest = e.kernels.iter().map(whole).fold(1e-9, f64::max);
    let measured = e.kernels.iter().any(|k| k.measured_us.is_some());
    let mut out = String::from(
        "<p class=\"hint\"><span class=\"key memory\"></span>to move the bytes <span class=\"key work\"></span>to do the work \
         <span class=\"key predicted\"></span>predicted with the launch",
    );
    if measured {
        out += " <span class=\"key measured\"></span>measured";
    }
    out += "; all launches of a run together.</p>\n";
    let mut order: Vec<usize> = (0..e.kernels.len()).collect();
    if order.len() > SHOWN {
        // The overview of many begins with those that take most of the time.
        order.sort_by(|&a, &b| whole(&e.kernels[b]).total_cmp(&whole(&e.kernels[a])));
    }
    let row = |n: usize| {
        let k = &e.kernels[n];
        let part = |us: f64| 100.0 * us * all(k) / longest;
        let mut bars = format!(
            "<i class=\"predicted\" style=\"width:{:.2}%\"></i><i class=\"memory\" style=\"width:{:.2}%\"></i>\
             <i class=\"work\" style=\"width:{:.2}%\"></i>",
            part(k.predicted_us),
            part(k.memory_us),
            part(k.work_us)
        );
        let mut told = time(all(k) * k.predicted_us);
        if let Some(us) = k.measured_us {
            bars += &format!("<i class=\"measured\" style=\"left:{:.2}%\"></i>", part(us));
            told += &format!(" → {}", time(all(k) * us));
        }
        format!(
            "<tr><th><button type=\"button\" data-kernel=\"{n}\" aria-controls=\"kernel-{n}\" \
             style=\"--hue:{}\">{n} · {}</button></th><td class=\"mono\">{}</td><td class=\"number\">{}</td>\
             <td class=\"bars\"><div>{bars}</div></td><td class=\"number\">{told}</td></tr>\n",
            hue(n),
            escaped(&k.category),
            escaped(&k.name),
            moved(k)
        )
    };
    out + &table("more-times", "times", ("", 5), order.into_iter().map(row))
}

/// Every edge that was not fused, with the refusal and what would have to be otherwise.
pub fn kept(e: &Explanation) -> String {
    let mut kept: Vec<&Decision> = e.decisions.iter().filter(|d| !d.fused).collect();
    // What would save most first.
    kept.sort_by(|a, b| b.us_saved.total_cmp(&a.us_saved));
    let mut out = format!(
        "<section id=\"kept\">\n<h2>Edges not fused <span class=\"tag\">{}</span></h2>\n",
        kept.len()
    );
    if kept.is_empty() {
        return out
            + "<p class=\"hint\">Every edge between two operations is inside a kernel.</p>\n</section>\n";
    }
    let head = "<tr><th>edge</th><th>refusal</th><th>why, and what would help</th><th>from</th></tr>\n";
    let row = |d: &Decision| {
        format!(
            "<tr><td class=\"mono\">{} → {}</td><td><span class=\"tag\">{}</span></td><td>{}<br>\
             <span class=\"cure\">{}</span></td><td class=\"mono\">{}</td></tr>\n",
            escaped(&d.producer),
            escaped(&d.consumer),
            escaped(d.refusal.as_deref().unwrap_or_default()),
            escaped(&d.reason),
            escaped(d.counterfactual.as_deref().unwrap_or_default()),
            escaped(&d.places.join(", "))
        )
    };
    out += &table("more-kept", "", (head, 4), kept.into_iter().map(row));
    out + "</section>\n"
}

/// Every edge that was fused, with what it saves.
pub fn fused(e: &Explanation) -> String {
    let fused: Vec<&Decision> = e.decisions.iter().filter(|d| d.fused).collect();
    let saved: u64 = fused.iter().map(|d| d.bytes_saved).sum();
    let mut out = format!(
        "<section id=\"fused\">\n<h2>Edges fused <span class=\"tag\">{}</span></h2>\n<details><summary>{} not \
         moved; by the formula {}</summary>\n",
        fused.len(),
        human(saved),
        human(fused.iter().map(|d| d.bytes_saved_formula).sum())
    );
    let head = "<tr><th>edge</th><th>pass</th><th>saves</th><th>by the formula</th><th>time</th></tr>\n";
    let row = |d: &Decision| {
        format!(
            "<tr><td class=\"mono\">{} → {}</td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td></tr>\n",
            escaped(&d.producer),
            escaped(&d.consumer),
            escaped(&d.pass),
            human(d.bytes_saved),
            human(d.bytes_saved_formula),
            time(d.us_saved)
        )
    };
    out += &table("more-fused", "", (head, 5), fused.into_iter().map(row));
    out + "</details>\n</section>\n"
}

/// Pairs of whole kernels that passes looked at.
pub fn joins(e: &Explanation) -> String {
    if e.joins.is_empty() {
        return String::new();
    }
    let joined = e.joins.iter().filter(|j| j.joined).count();
    let mut out = format!(
        "<section id=\"joins\">\n<h2>Pairs of kernels <span class=\"tag\">{}</span></h2>\n<details><summary>{joined} \
         joined, {} left apart</summary>\n",
        e.joins.len(),
        e.joins.len() - joined
    );
    let head = "<tr><th>kernels</th><th>pass</th><th>verdict</th></tr>\n";
    let row = |j: &Join| {
        let verdict = match &j.refusal {
            None => "joined".to_owned(),
            Some(refusal) => {
                format!("<span class=\"tag\">{}</span> {}", escaped(refusal), escaped(&j.reason))
            }
        };
        format!(
            "<tr><td class=\"mono\">{} + {}</td><td>{}</td><td>{verdict}</td></tr>\n",
            escaped(&j.kernels[0]),
            escaped(&j.kernels[1]),
            escaped(&j.pass)
        )
    };
    out += &table("more-joins", "", (head, 3), e.joins.iter().map(row));
    out + "</details>\n</section>\n"
}

/// Kernels that might share a launch.
pub fn candidates(e: &Explanation) -> String {
    if e.candidates.len() < 2 {
        return String::new();
    }
    let joined = e.candidates.iter().filter(|c| c.joined).count();
    let mut out = format!(
        "<section id=\"candidates\">\n<h2>Launches <span class=\"tag\">{}</span></h2>\n<details><summary>{joined} \
         kernels share a launch, {} have their own</summary>\n",
        e.candidates.len(),
        e.candidates.len() - joined
    );
    let row = |c: &Candidate| {
        let tag = c.refusal.as_ref().map(|r| format!("<span class=\"tag\">{}</span> ", escaped(r)));
        format!(
            "<tr><td class=\"mono\">{}</td><td>{}{}</td></tr>\n",
            escaped(&c.kernel),
            tag.unwrap_or_default(),
            escaped(&c.reason)
        )
    };
    let head = "<tr><th>kernel</th><th>verdict</th></tr>\n";
    out += &table("more-candidates", "", (head, 2), e.candidates.iter().map(row));
    out + "</details>\n</section>\n"
}

/// Arrays between kernels that lie in another order.
pub fn layouts(e: &Explanation) -> String {
    if e.layouts.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "<section id=\"layouts\">\n<h2>Layouts <span class=\"tag\">{}</span></h2>\n",
        e.layouts.len()
    );
    let row = |l: &Layout| {
        format!(
            "<tr><td class=\"mono\">{}</td><td class=\"mono\">{}</td><td>{}</td><td>{}</td></tr>\n",
            escaped(&l.array),
            escaped(&l.shape),
            time(l.us),
            time(l.us_in_order)
        )
    };
    let head = "<tr><th>array</th><th>lies as</th><th>kernels around it</th><th>in order</th></tr>\n";
    out += &table("more-layouts", "", (head, 4), e.layouts.iter().map(row));
    out + "</section>\n"
}

/// The plans that were measured.
pub fn tuning(e: &Explanation) -> String {
    let Some(t) = &e.tuning else { return String::new() };
    let mut out = format!(
        "<section id=\"tuning\">\n<h2>Plans tried <span class=\"tag\">{}</span></h2>\n<p class=\"hint\">{}</p>\n",
        t.kernels.len(),
        escaped(&summary(t))
    );
    let row = |(k, n): (&Tuned, usize)| {
        let c = &k.candidates[n];
        let [first, why] = match n {
            0 => [escaped(&places(&k.sites)), escaped(&verdict(k))],
            _ => Default::default(),
        };
        let mark = if n == k.chosen { " ✓" } else { "" };
        format!(
            "<tr><td>{first}</td><td>{}{mark}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{why}</td></tr>\n",
            escaped(name(c)),
            time(c.predicted_us),
            c.measured_us.map_or("not measured".into(), time)
        )
    };
    let rows: Vec<_> = t.kernels.iter().flat_map(|k| (0..k.candidates.len()).map(move |n| (k, n))).collect();
    let head = "<tr><th>kernel</th><th>plan</th><th>predicted</th><th>measured</th><th>chosen</th></tr>\n";
    out += &table("more-tuning", "", (head, 5), rows.into_iter().map(row));
    out + "</section>\n"
}

/// The categories of fusion, and how many kernels are of each.
pub fn categories(e: &Explanation) -> String {
    let mut out = String::from("<section id=\"categories\">\n<h2>Fusion categories</h2>\n<table>\n");
    for (name, meaning) in CATEGORIES {
        let kernels = e.kernels.iter().filter(|k| k.category == *name).count();
        let class = if kernels == 0 { " class=\"none\"" } else { "" };
        let _ = writeln!(
            out,
            "<tr{class}><th>{name}</th><td class=\"number\">{kernels}</td><td>{meaning}</td></tr>"
        );
    }
    out + "</table>\n</section>\n"
}

/// What each pass changed.
pub fn passes(e: &Explanation) -> String {
    let mut out = String::from(
        "<section id=\"passes\">\n<h2>Passes</h2>\n<div class=\"scroll\"><table>\n<tr><th>pass</th>\
         <th>instructions</th><th>rules</th></tr>\n",
    );
    for p in &e.passes {
        if !p.changed {
            let _ = writeln!(
                out,
                "<tr class=\"none\"><th>{}</th><td colspan=\"2\">(unchanged)</td></tr>",
                escaped(&p.name)
            );
            continue;
        }
        let rules: Vec<String> = p.rules.iter().map(|(rule, n)| format!("{} ×{n}", escaped(rule))).collect();
        let _ = writeln!(
            out,
            "<tr><th>{}</th><td class=\"number\">{} → {}</td><td>{}</td></tr>",
            escaped(&p.name),
            p.instructions_before,
            p.instructions_after,
            rules.join(", ")
        );
    }
    out + "</table></div>\n</section>\n"
}
