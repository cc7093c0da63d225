//! Which units of a core do the work of a stage: it loads, divides and computes at the same time, as far as it looks ahead.

use crate::rates::Rates;
use crate::region::{Node, NodeId, Region};
use lawson_hlo::Opcode;

/// Of what the less busy units do, in percent, what is done while the busiest one works: fitted to the kernels of the benchmark.
const AT_ONCE: i64 = 75;

/// Work of a stage by the unit that does it.
#[derive(Default)]
pub(super) struct Units {
    loads: i64,
    /// Divisions and square roots of floats, whose unit takes several cycles for each.
    divisions: i64,
    rest: i64,
}

impl Units {
    /// Adds so many evaluations of a node that weighs so much.
    pub fn add(&mut self, (region, id): (&Region, NodeId), times: i64, weight: i64, rates: &Rates) {
        let node = region.node(id);
        let divided = match *node {
            Node::Unary { opcode: Opcode::Sqrt | Opcode::Rsqrt, dtype, .. }
            | Node::Binary { opcode: Opcode::Divide, dtype, .. }
                if dtype.is_float() =>
            {
                weight
            }
            // Made of an exponential and a division.
            Node::Unary { opcode: Opcode::Logistic, dtype, .. } => {
                rates.weight(Opcode::Divide, dtype).min(weight)
            }
            _ => 0,
        };
        let unit = if matches!(node, Node::Load { .. }) { &mut self.loads } else { &mut self.rest };
        *unit = unit.saturating_add(times.saturating_mul(weight - divided));
        self.divisions = self.divisions.saturating_add(times.saturating_mul(divided));
    }

    /// Work that takes no time of its own.
    pub fn at_once(&self) -> i64 {
        let all = self.loads.saturating_add(self.divisions).saturating_add(self.rest);
        let busiest = self.loads.max(self.divisions).max(self.rest);
        ((all - busiest) as f64 * AT_ONCE as f64 / 100.0) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_of_what_the_less_busy_units_do_take_no_time() {
        let at_once = |loads, divisions, rest| Units { loads, divisions, rest }.at_once();
        assert_eq!(at_once(0, 0, 100), 0);
        assert_eq!(at_once(40, 100, 60), 75);
        assert_eq!(at_once(40, 0, 100), 30);
    }
}
