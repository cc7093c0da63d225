//! Chains of carries: of one link and of several, of which each word is stored.

use lawson_kernel::loop_ir::{Access, CodeBuilder, Elem, Kernel, Link};

/// More than one block has warps for, the last one not full.
const TASKS: i64 = 11;

/// Tasks of so many lanes.
pub fn kernel(lanes: u32) -> Kernel {
    let mut b = CodeBuilder::new(format!("chains_of_{lanes}"));
    let elements = TASKS * i64::from(lanes);
    let inputs = ["x", "y", "z"].map(|name| b.buffer(name, Elem::I32, elements, Access::Read));
    b.phase(TASKS, |b, task| {
        let each = b.i64(lanes.into());
        let at = b.mul(task, each);
        let [x, y, z] = inputs.map(|input| b.load(input, at, lanes, None));
        let chains = [
            vec![Link::Add(x, y)],
            vec![Link::High(x, y, z)],
            vec![
                Link::Low(x, y, z),
                Link::High(x, y, x),
                Link::Low(x, z, y),
                Link::High(z, x, z),
                Link::Add(y, y),
            ],
            vec![Link::Add(x, y), Link::High(x, x, y), Link::Low(z, y, z), Link::Add(z, x)],
            vec![Link::Sub(x, y), Link::Sub(y, x), Link::Sub(z, z), Link::Sub(z, x)],
        ];
        for (n, word) in chains.map(|links| b.carry_chain(links)).into_iter().flatten().enumerate() {
            let to = b.buffer(format!("word{n}"), Elem::I32, elements, Access::Write);
            b.store(to, at, word, None);
        }
    });
    b.finish()
}
