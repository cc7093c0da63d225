//! The explanation as JSON. Field names are a contract: scripts rely on them.

use super::{
    Candidate, Compiled, Decision, Explanation, Join, Kernel, Layout, PassOutcome, Repeat, Repeated, Totals,
    crossing, residuals, tuning,
};
use serde_json::{Map, Value, json};

/// One JSON object.
pub fn render(e: &Explanation) -> Value {
    let mut all = json!({
        "module": e.module,
        "signature": e.signature,
        "machine": e.machine,
        "kernels": e.kernels.iter().map(kernel).collect::<Vec<_>>(),
        "decisions": e.decisions.iter().map(decision).collect::<Vec<_>>(),
        "totals": totals(&e.totals),
        "joins": e.joins.iter().map(join).collect::<Vec<_>>(),
        "candidates": e.candidates.iter().map(candidate).collect::<Vec<_>>(),
        "repeated": e.repeated.iter().map(repeated).collect::<Vec<_>>(),
        "layouts": e.layouts.iter().map(layout).collect::<Vec<_>>(),
        "residuals": residuals::to_json(&e.residuals),
        "arrays": e.residence.as_ref().map(crossing::to_json),
        "mode": e.mode,
        "compiled": e.compiled.iter().map(compiled).collect::<Vec<_>>(),
        "passes": e.passes.iter().map(pass).collect::<Vec<_>>(),
    });
    if let Some(tuning) = &e.tuning {
        all["tuning"] = tuning::to_json(tuning);
    }
    all
}

fn kernel(k: &Kernel) -> Value {
    json!({
        "name": k.name,
        "kind": k.kind,
        "category": k.category,
        "phases": k.phases,
        "launches": k.launches,
        "instructions": k.instructions.iter().map(|i| &i.name).collect::<Vec<_>>(),
        "bytes_read": k.bytes_read,
        "bytes_written": k.bytes_written,
        "flops": k.flops,
        "predicted_us": k.predicted_us,
        "memory_us": k.memory_us,
        "work_us": k.work_us,
        "measured_us": k.measured_us,
        "live_values": k.live,
        "code": k.code,
        "occupancy": k.occupancy,
        "plan": k.plan,
        "places": k.places,
    })
}

fn layout(l: &Layout) -> Value {
    json!({ "array": l.array, "shape": l.shape, "us_in_order": l.us_in_order, "us": l.us })
}

fn decision(d: &Decision) -> Value {
    json!({
        "producer": d.producer,
        "consumer": d.consumer,
        "fused": d.fused,
        "pass": d.pass,
        "refusal": d.refusal,
        "reason": d.reason,
        "counterfactual": d.counterfactual,
        "bytes_saved": d.bytes_saved,
        "bytes_saved_formula": d.bytes_saved_formula,
        "us_saved": d.us_saved,
        "places": d.places,
        "ground": d.ground.map(|g| g.name()),
        "would_save_bytes": d.would_save_bytes,
        "would_save_us": d.would_save_us,
        "from_kernels": d.from_kernels,
        "to_kernels": d.to_kernels,
    })
}

fn repeated(r: &Repeated) -> Value {
    let how = match r.how {
        Repeat::Again => "again",
        Repeat::Parts => "parts",
    };
    json!({ "instruction": r.instruction, "kernels": r.kernels, "how": how })
}

fn join(j: &Join) -> Value {
    json!({
        "pass": j.pass,
        "kernels": j.kernels,
        "joined": j.joined,
        "refusal": j.refusal,
        "reason": j.reason,
    })
}

fn candidate(c: &Candidate) -> Value {
    json!({"kernel": c.kernel, "joined": c.joined, "refusal": c.refusal, "reason": c.reason})
}

fn compiled(c: &Compiled) -> Value {
    json!({"mode": c.mode, "kernels": c.kernels, "planning_ms": c.planning_ms, "code_ms": c.code_ms})
}

fn pass(p: &PassOutcome) -> Value {
    json!({
        "name": p.name,
        "changed": p.changed,
        "instructions_before": p.instructions_before,
        "instructions_after": p.instructions_after,
        "rules": p.rules.iter().map(|(rule, n)| (rule.clone(), json!(n))).collect::<Map<_, _>>(),
    })
}

fn totals(t: &Totals) -> Value {
    json!({
        "instructions": t.instructions,
        "kernels": t.kernels,
        "launches": t.launches,
        "copies": t.copies,
        "bytes_unfused": t.bytes_unfused,
        "bytes_fused": t.bytes_fused,
        "bytes_saved": t.bytes_saved,
        "bytes_saved_formula": t.bytes_saved_formula,
        "bytes_unfused_formula": t.bytes_unfused_formula,
        "bytes_fused_formula": t.bytes_fused_formula,
        "flops": t.flops,
        "predicted_us": t.predicted_us,
        "calibrated": t.calibrated,
        "bound": t.bound,
    })
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;

    fn keys(value: &Value) -> Vec<&str> {
        value.as_object().map(|o| o.keys().map(String::as_str).collect()).unwrap_or_default()
    }

    #[test]
    fn the_contract_fields_come_first_in_order() {
        let value = render(&example());
        let kernel =
            "name kind category phases launches instructions bytes_read bytes_written flops predicted_us";
        let decision = "producer consumer fused pass refusal reason counterfactual bytes_saved bytes_saved_formula us_saved";
        assert_eq!(keys(&value["kernels"][0])[..10].join(" "), kernel);
        assert_eq!(keys(&value["decisions"][0])[..10].join(" "), decision);
        for total in ["bytes_unfused", "bytes_fused", "bytes_saved", "bytes_saved_formula"] {
            assert!(value["totals"][total].is_u64(), "{total}");
        }
    }

    #[test]
    fn what_is_unknown_is_null() {
        let value = render(&example());
        assert!(value["totals"]["launches"].is_null());
        assert!(value["decisions"][0]["refusal"].is_null());
        assert_eq!(value["decisions"][1]["refusal"], "Sort");
    }
}
