//! What each refusal means, what its reader can do, and where a test reaches it: the one table of all of them.
//!
//! A new variant gets an entry here; a test compares the two. `docs/fusion.md` is made from
//! it (`cargo xtask docs`).

/// A refusal for its readers.
pub struct About {
    pub name: &'static str,
    pub meaning: &'static str,
    /// What the user can change, if anything.
    pub cure: &'static str,
    /// The file that decides it, from the root of the repository; where several do, the one most users meet.
    pub code: &'static str,
    /// A text test of fusion whose expected verdicts hold `kept, NAME` (any will do), or `path.rs::test`.
    pub test: &'static str,
}

/// Text tests that several entries share.
const REFUSAL: &str = "tests/hlo/fusion/refusal.hlo";
const CONTRACTION: &str = "tests/hlo/fusion/contraction.hlo";
const MULTI_OUTPUT: &str = "tests/hlo/fusion/multi_output.hlo";
const STAGES: &str = "crates/kernel/tests/regions/nests.rs::what_crosses_rows_is_refused_by_name";

/// Every refusal.
pub const CATALOGUE: &[About] = &[
    About {
        name: "Unsupported",
        meaning: "No kernel can be made of this operation: communication between devices, linear algebra, transforms.",
        cure: "Compute it outside, or in terms of other operations.",
        code: "crates/kernel/src/region/build/value.rs",
        test: "crates/opt/tests/refusals.rs::what_no_kernel_does_is_refused_by_name",
    },
    About {
        name: "UnsupportedType",
        meaning: "Kernels do not compute on this element type: complex numbers, 8-bit floats, arrays of bounded size.",
        cure: "Convert to a type that is supported (pred, s8 to s64, u8 to u64, f16, bf16, f32, f64).",
        code: "crates/opt/src/fusion/role.rs",
        test: REFUSAL,
    },
    About {
        name: "Host",
        meaning: "The operation steers kernels instead of being part of one: a loop, a branch, a call of a library.",
        cure: "Express small branches as `select`; loops whose body works lane by lane become one kernel by \
               themselves, with the loops in it.",
        code: "crates/opt/src/fusion/role.rs",
        test: REFUSAL,
    },
    About {
        name: "Barrier",
        meaning: "An `opt-barrier` stands between the two; it stops motion and fusion, which is what it is for.",
        cure: "Remove `jax.lax.optimization_barrier`, or `jax.checkpoint` where it makes one.",
        code: "crates/opt/src/fusion/role.rs",
        test: REFUSAL,
    },
    About {
        name: "SideEffect",
        meaning: "The operation acts on the world outside, so it happens once, in order, between kernels.",
        cure: "Mark a custom call that is a pure function as having no side effect.",
        code: "crates/opt/src/fusion/role.rs",
        test: REFUSAL,
    },
    About {
        name: "ControlDependence",
        meaning: "`control-predecessors` fix when the operation runs; inside a kernel that could not be kept.",
        cure: "Remove the control dependence if only values matter.",
        code: "crates/opt/src/fusion/role.rs",
        test: REFUSAL,
    },
    About {
        name: "Recomputes",
        meaning: "Several kernels read the value. Each would compute it again, and it is not cheap enough for that.",
        cure: "Let its users share one kernel: same shape, no reduction or product between them. Fusing them may be the \
               business of another pass; see the other verdicts on this value.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: REFUSAL,
    },
    About {
        name: "ReusesElements",
        meaning: "The consumer reads each element several times (through a broadcast, a window, a product), and \
                  computing it each time costs more than reading it from memory.",
        cure: "None is needed: the value is small beside the work it saves.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: REFUSAL,
    },
    About {
        name: "SecondHero",
        meaning: "A kernel has one loop nest around one reduction, product, sort or update, unless reductions over the \
                  same rows can be staged; here there are two that cannot.",
        cure: "Reduce over the same axes, so that the two share their rows.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: "tests/hlo/fusion/reduction.hlo",
    },
    About {
        name: "NeedsWholeOperand",
        meaning: "The operation reads all of its operand before it writes anything: a sort, a scatter.",
        cure: "Move elementwise work before it, where it can be computed as elements are read.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: REFUSAL,
    },
    About {
        name: "NotInPlace",
        meaning: "The value is ready only when its kernel's loop nest has ended, and the consumer reads it at other \
                  positions: after a transpose, a slice, a shifted index.",
        cure: "Do elementwise work before moving elements, not after.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: CONTRACTION,
    },
    About {
        name: "OtherRows",
        meaning: "Stages of a kernel share one row of the index space at a time; this consumer needs other rows of \
                  what is made in the same kernel.",
        cure: "Reduce over the same axes in each step, and keep the others in the same order.",
        code: "crates/kernel/src/plan/rows.rs",
        test: STAGES,
    },
    About {
        name: "NotStaged",
        meaning: "Stages of a row are maps, reductions and products; this one is of another kind, or has no elements.",
        cure: "None is needed: it has a kernel of its own kind.",
        code: "crates/kernel/src/plan/nest/form.rs",
        test: STAGES,
    },
    About {
        name: "TileTooLarge",
        meaning: "What stages hand to each other rests in the cache of one core; a row of this program needs more.",
        cure: "Shorter rows, or a narrower type for what is kept between the stages.",
        code: "crates/kernel/src/plan/nest/form.rs",
        test: STAGES,
    },
    About {
        name: "FewRows",
        meaning: "Rows are what threads share; with so few of them one kernel would leave threads idle, and kernels that \
                  split each row are faster.",
        cure: "A larger batch.",
        code: "crates/kernel/src/plan/nest/form.rs",
        test: STAGES,
    },
    About {
        name: "CodeSize",
        meaning: "Kernels longer than the cap compile slowly and run out of registers.",
        cure: "None is needed: chains are cut where few values live.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: "crates/opt/tests/fusion.rs::long_chains_are_cut_by_code_size",
    },
    About {
        name: "LiveValues",
        meaning: "One kernel would need more values at once than the machine has registers: putting them aside and \
                  fetching them again would cost more than the bytes it saves.",
        cure: "Make the kernels with fewer running values, such as fewer reductions of one array; or plan for a machine \
               with more registers.",
        code: "crates/opt/src/fusion/join/price.rs",
        test: "crates/opt/tests/pressure.rs::reductions_share_a_kernel_while_registers_hold_their_values",
    },
    About {
        name: "TooManyArrays",
        meaning: "Each array needs an address register and a stream of the prefetcher; both are few.",
        cure: "Stack arrays that are always used together.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: "crates/opt/tests/fusion.rs::wide_chains_are_cut_by_their_arrays",
    },
    About {
        name: "SeveralResults",
        meaning: "The producer makes several arrays at once (a variadic reduction, a sort of pairs), and the \
                  consumer's kernel writes one.",
        cure: "Use a reduction with one result where the others are not needed.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: "tests/hlo/fusion/reduction.hlo",
    },
    About {
        name: "SeveralPhases",
        meaning: "A segment table joins independent kernels into one launch without a barrier between them; one that \
                  needs a second phase, to join its partial results, cannot be among them.",
        cure: "None is needed: such a kernel is large enough to be worth a launch of its own.",
        code: "crates/kernel/src/plan/segments.rs",
        test: "crates/kernel/tests/regions/segments.rs::parts_of_several_phases_are_refused",
    },
    About {
        name: "UpdatedInPlace",
        meaning: "The array is overwritten where it stands; a kernel that also read its old values would need a copy.",
        cure: "Read before the update, or do not use the old array afterwards.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: "tests/hlo/fusion/update.hlo",
    },
    About {
        name: "CostsMore",
        meaning: "By the cost model the fused kernel would take longer: what is saved in memory is paid in repeated work.",
        cure: "`--fusion max` fuses wherever it is legal, to see whether the model is right.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: REFUSAL,
    },
    About {
        name: "NothingBeside",
        meaning: "Kernels that know nothing of each other share a launch if they are as far from the end, or from the \
                  beginning, as each other; this one has no such neighbour.",
        cure: "None is needed: there is nothing to share.",
        code: "crates/opt/src/fusion/horizontal/mod.rs",
        test: "crates/opt/tests/horizontal.rs::what_stays_alone_says_why",
    },
    About {
        name: "LongByItself",
        meaning: "The kernel runs so much longer than a launch takes that sharing one gains next to nothing.",
        cure: "None is needed.",
        code: "crates/opt/src/fusion/horizontal/judge.rs",
        test: "crates/opt/tests/horizontal.rs::what_stays_alone_says_why",
    },
    About {
        name: "WouldWait",
        meaning: "A third kernel needs the result of the one and feeds the other, so no single kernel can stand for both.",
        cure: "None, unless that third kernel can join them.",
        code: "crates/opt/src/fusion/join/clusters.rs",
        test: MULTI_OUTPUT,
    },
    About {
        name: "SearchLimit",
        meaning: "Whether two kernels wait for each other is a question about all that stands between them; it is given \
                  up where that is too much, so that planning stays near-linear.",
        cure: "Compute values near to where they are used.",
        code: "crates/opt/src/fusion/join/clusters.rs",
        test: "crates/opt/tests/joins.rs::a_value_of_many_users_is_given_up",
    },
    About {
        name: "TooManyTries",
        meaning: "So many joins of this kernel have been tried and refused that no more are, so that planning stays \
                  near-linear.",
        cure: "None is needed: the reasons of the joins that were tried stand in the report.",
        code: "crates/opt/src/fusion/join/mod.rs",
        test: "crates/opt/tests/joins.rs::a_value_of_many_users_is_given_up",
    },
    About {
        name: "NotFaster",
        meaning: "By the cost model one kernel would take longer than the two: it repeats work, or its arrays do not fit \
                  the cache together.",
        cure: "`--fusion max` joins wherever it is legal, to see whether the model is right.",
        code: "crates/opt/src/fusion/join/price.rs",
        test: "tests/hlo/fusion/merger.hlo",
    },
    About {
        name: "RaisesPeakMemory",
        meaning: "One kernel would need its arrays at the same time, and the peak of memory would rise above that of the \
                  program without fusion.",
        cure: "Smaller batches; or let results that are needed late be computed late.",
        code: "crates/opt/src/fusion/join/mod.rs",
        test: MULTI_OUTPUT,
    },
    About {
        name: "Forbidden",
        meaning: "The frontend attribute `no_fuse` on the instruction forbids it.",
        cure: "Remove the attribute.",
        code: "crates/opt/src/fusion/role.rs",
        test: "tests/hlo/fusion/wishes.hlo",
    },
    About {
        name: "CrossLane",
        meaning: "A loop becomes one kernel if each lane goes its own way from trip to trip; here an operation of the \
                  body takes values from one lane to another.",
        cure: "Move sums over lanes, shifts and transposes out of the loop, or keep them to values that depend on no lane.",
        code: "crates/kernel/src/region/build/instances.rs",
        test: "tests/hlo/fusion/loop.hlo",
    },
    About {
        name: "LaneNotAbsorbing",
        meaning: "The loop runs until every lane has ended, and a lane that has ended would go on changing: its state is \
                  not select(p, new, old) with the p of the condition.",
        cure: "Keep the state of ended lanes with `jnp.where(active, new, old)`.",
        code: "crates/kernel/src/region/build/while_loop/absorb.rs",
        test: "tests/hlo/fusion/loop.hlo",
    },
    About {
        name: "LargeState",
        meaning: "The state of a lane lives in registers, and this one is too large.",
        cure: "Carry less, or make the large axis part of the lanes.",
        code: "crates/kernel/src/region/build/instances.rs",
        test: "tests/hlo/fusion/loop.hlo",
    },
    About {
        name: "ManyLoops",
        meaning: "Loops in the body of a loop that works lane by lane stay loops within its kernel, in one another too; \
                  but not so many of them.",
        cure: "None is needed: the loops within it have kernels of their own.",
        code: "crates/kernel/src/region/build/while_loop/parts.rs",
        test: "crates/kernel/tests/loops/nested.rs::more_loops_than_the_limit_are_refused",
    },
    About {
        name: "LargeConstant",
        meaning: "The constant is data: it is stored once in the executable and read like a parameter.",
        cure: "None is needed.",
        code: "crates/opt/src/fusion/role.rs",
        test: REFUSAL,
    },
    About {
        name: "SwitchedOff",
        meaning: "`--fusion` switches this kind of fusion off.",
        cure: "Leave the switch away.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: REFUSAL,
    },
    About {
        name: "NoFuel",
        meaning: "`--fuel` lets the pass make no more decisions.",
        cure: "Leave `--fuel` away; it is for finding the decision at fault (`lawson bisect`).",
        code: "crates/opt/src/fusion/join/mod.rs",
        test: REFUSAL,
    },
];

/// The entry of a refusal's name.
pub fn about(name: &str) -> Option<&'static About> {
    CATALOGUE.iter().find(|a| a.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The variants of the enum, read from its text: it has no list of them.
    fn variants() -> Vec<&'static str> {
        let text = include_str!("../refusal.rs");
        let body = text.split("pub enum Refusal {").nth(1).and_then(|t| t.split("\n}").next());
        let lines = body.expect("the enum").lines().map(str::trim);
        let word = |l: &'static str| l.split(|c: char| !c.is_alphanumeric()).next();
        lines.filter(|l| l.starts_with(|c: char| c.is_ascii_uppercase())).filter_map(word).collect()
    }

    #[test]
    fn every_variant_has_its_entry_in_crates_kernel_src_refusal_catalogue() {
        let names: Vec<&str> = CATALOGUE.iter().map(|a| a.name).collect();
        let missing: Vec<&str> = variants().into_iter().filter(|v| !names.contains(v)).collect();
        assert!(missing.is_empty(), "add to crates/kernel/src/refusal/catalogue.rs: {}", missing.join(", "));
        let gone: Vec<&&str> = names.iter().filter(|n| !variants().contains(n)).collect();
        assert!(gone.is_empty() && names.len() == variants().len(), "no variants, or twice: {gone:?}");
    }
}
