//! What each refusal means, what its reader can do, and where a test reaches it: the one table of all of them.
//!
//! A new variant gets an entry here; a test compares the two. `docs/fusion.md` is made from
//! it (`cargo xtask docs`).

/// A refusal for its readers: one sentence what, one why, one what to do.
pub struct About {
    pub name: &'static str,
    pub ground: Ground,
    pub what: &'static str,
    pub why: &'static str,
    /// What the user can change, if anything.
    pub cure: &'static str,
    /// The file that decides it, from the root of the repository; where several do, the one most users meet.
    pub code: &'static str,
    /// A text test of fusion whose expected verdicts hold `kept, NAME` (any will do), or `path.rs::test`.
    pub test: &'static str,
}

/// What kind of reason a refusal is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ground {
    /// No kernel can compute both.
    Legality,
    /// One kernel is expected to take longer, so that nothing would be saved.
    Cost,
    /// A limit on size, memory or planning time.
    Limit,
    /// The program or an option asks for it.
    Request,
}

impl Ground {
    /// The stable name that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Ground::Legality => "legality",
            Ground::Cost => "cost",
            Ground::Limit => "limit",
            Ground::Request => "request",
        }
    }

    /// For the summary of a report: `17 because …`.
    pub fn because(self) -> &'static str {
        match self {
            Ground::Legality => "no kernel can compute both",
            Ground::Cost => "separate kernels are faster",
            Ground::Limit => "a limit is reached",
            Ground::Request => "the program or an option asks for it",
        }
    }
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
        ground: Ground::Legality,
        what: "No kernel can be made of this operation: communication between devices, transforms.",
        why: "Lawson has no code for it on this device.",
        cure: "Compute it outside the program, or write it in terms of other operations.",
        code: "crates/kernel/src/region/build/value.rs",
        test: "crates/opt/tests/refusals.rs::what_no_kernel_does_is_refused_by_name",
    },
    About {
        name: "UnsupportedType",
        ground: Ground::Legality,
        what: "The operation works on elements that kernels do not compute on: complex numbers or extensions of fields \
               that it does not compute part by part, or arrays of bounded size.",
        why: "Kernels have code for pred, integers, floats and prime fields; what consists of several of them is split \
              into its parts before, where the operation has a form in parts.",
        cure: "Compute on the parts (`real`, `imag`), or on arrays of static shape.",
        code: "crates/opt/src/fusion/role.rs",
        test: REFUSAL,
    },
    About {
        name: "Host",
        ground: Ground::Legality,
        what: "The operation runs beside kernels instead of being part of one: a loop, a branch, a routine of \
               linear algebra.",
        why: "Its body or routine runs as kernels and steps of its own.",
        cure: "Write small branches as `select`; a loop becomes one kernel by itself if its instances (the \
               elements it treats independently) do not read each other.",
        code: "crates/opt/src/fusion/role.rs",
        test: REFUSAL,
    },
    About {
        name: "Barrier",
        ground: Ground::Request,
        what: "An `opt-barrier` stands between the two operations.",
        why: "The barrier tells compilers to move and fuse nothing across it.",
        cure: "Remove `jax.lax.optimization_barrier`, or the `jax.checkpoint` that makes one.",
        code: "crates/opt/src/fusion/role.rs",
        test: REFUSAL,
    },
    About {
        name: "SideEffect",
        ground: Ground::Request,
        what: "The operation acts on the world outside the program.",
        why: "It has to happen once and in order, which holds only between kernels.",
        cure: "Mark a custom call that is a pure function as having no side effect.",
        code: "crates/opt/src/fusion/role.rs",
        test: REFUSAL,
    },
    About {
        name: "ControlDependence",
        ground: Ground::Request,
        what: "`control-predecessors` fix when the operation runs.",
        why: "Inside a kernel that order could not be kept.",
        cure: "Remove the control dependence if only values matter.",
        code: "crates/opt/src/fusion/role.rs",
        test: REFUSAL,
    },
    About {
        name: "Recomputes",
        ground: Ground::Cost,
        what: "Several kernels use the value, and fused, each of them would compute it again.",
        why: "The operation is too expensive, or repeated too often, for that to be faster than one write and \
              several reads.",
        cure: "Nothing has to change; its users share one computation where they are one kernel, which needs the same \
               shape and no reduction or product between them.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: REFUSAL,
    },
    About {
        name: "ReusesElements",
        ground: Ground::Cost,
        what: "The consumer reads each element several times: through a broadcast, a window, a product.",
        why: "Computing the element each time costs more than reading it from memory.",
        cure: "Nothing has to change.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: REFUSAL,
    },
    About {
        name: "SecondHero",
        ground: Ground::Legality,
        what: "Each of the two operations needs a loop nest of its own: a reduction, a product, a sort, a \
               loop, or what reads the result of one at other positions.",
        why: "A kernel has one loop nest, or several where all of them work on the same rows one row at a \
              time.",
        cure: "Reduce over the same axes in both, so that they share their rows.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: "tests/hlo/fusion/reduction.hlo",
    },
    About {
        name: "NeedsWholeOperand",
        ground: Ground::Legality,
        what: "The producer, a sort or a scatter, reads all of its operand before it writes.",
        why: "So its results are ready only at the end of its kernel, and nothing can be computed on them \
              there.",
        cure: "Move elementwise work before it, where it is computed as elements are read.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: REFUSAL,
    },
    About {
        name: "NotInPlace",
        ground: Ground::Legality,
        what: "The consumer reads the value at other positions than its kernel makes it at: after a transpose, \
               a slice, a shifted index.",
        why: "The elements it needs at one point of the loop nest are not there yet.",
        cure: "Do elementwise work before elements are moved, not after.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: CONTRACTION,
    },
    About {
        name: "OtherRows",
        ground: Ground::Legality,
        what: "Operations of one kernel work on one row at a time, and the consumer needs other rows of the \
               producer.",
        why: "Those rows are not there while this one is computed.",
        cure: "Reduce over the same axes in each step, and keep the others in the same order. An array and the \
               reduction of all its elements, or of each half, share a kernel.",
        code: "crates/kernel/src/plan/rows.rs",
        test: STAGES,
    },
    About {
        name: "NotStaged",
        ground: Ground::Legality,
        what: "The operation cannot be one of several that work row by row in one kernel.",
        why: "Only elementwise operations, reductions and products with at least one element can.",
        cure: "Nothing has to change: it has a kernel of its own.",
        code: "crates/kernel/src/plan/nest/form.rs",
        test: STAGES,
    },
    About {
        name: "TileTooLarge",
        ground: Ground::Limit,
        what: "What the operations of a row hand to each other does not fit the cache of one core.",
        why: "From farther away it would be read as slowly as from another kernel.",
        cure: "Use shorter rows, or a narrower type for what is kept.",
        code: "crates/kernel/src/plan/nest/form.rs",
        test: STAGES,
    },
    About {
        name: "FewRows",
        ground: Ground::Cost,
        what: "Rows are what a kernel divides its work by, and there are few of them.",
        why: "A plan is made to keep all cores of a machine busy, whatever runs it, and kernels that also \
              divide each row do so.",
        cure: "Use a larger batch.",
        code: "crates/kernel/src/plan/nest/form.rs",
        test: STAGES,
    },
    About {
        name: "CodeSize",
        ground: Ground::Limit,
        what: "The kernel would be longer than the cap on operations.",
        why: "Long kernels compile slowly and run out of registers.",
        cure: "Nothing has to change: long chains are cut where the fewest bytes cross.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: "crates/opt/tests/fusion.rs::long_chains_are_cut_by_code_size",
    },
    About {
        name: "LiveValues",
        ground: Ground::Cost,
        what: "One kernel would need more values at once than the machine has registers.",
        why: "Storing values and loading them again would cost more than fusion saves.",
        cure: "Use fewer running values, such as reductions of one array, or a machine with more registers.",
        code: "crates/opt/src/fusion/join/price.rs",
        test: "crates/opt/tests/pressure.rs::reductions_share_a_kernel_while_registers_hold_their_values",
    },
    About {
        name: "ManyPieces",
        ground: Ground::Limit,
        what: "One kernel would choose among many pieces of arrays by their index.",
        why: "A kernel that joins arrays (a concatenation, a pad, an update of a slice) has code for each piece and looks at \
              many of them at each point; a long concatenation by itself is copied by the runtime, without code.",
        cure: "Keep the pieces in one array from the beginning: write `jax.vmap` or a batched operation in place of a \
               list that is stacked.",
        code: "crates/opt/src/fusion/role.rs",
        test: "tests/hlo/fusion/pieces.hlo",
    },
    About {
        name: "TooManyArrays",
        ground: Ground::Limit,
        what: "The kernel would read and write more arrays than the cap.",
        why: "Each array needs an address register and a stream of the prefetcher, and both are few.",
        cure: "Stack arrays that are always used together.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: "crates/opt/tests/fusion.rs::wide_chains_are_cut_by_their_arrays",
    },
    About {
        name: "SeveralResults",
        ground: Ground::Legality,
        what: "The producer makes several arrays at once: a variadic reduction, a sort of pairs.",
        why: "Fusion of single operations makes kernels of one result.",
        cure: "Use an operation with one result where the others are not needed.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: "tests/hlo/fusion/reduction.hlo",
    },
    About {
        name: "SeveralPhases",
        ground: Ground::Legality,
        what: "The kernel has steps that wait for each other, such as partial results and their combination.",
        why: "Kernels that share a launch have no barrier between them.",
        cure: "Nothing has to change: such a kernel is large enough to be worth a launch of its own.",
        code: "crates/kernel/src/plan/segments.rs",
        test: "crates/kernel/tests/regions/segments.rs::parts_of_several_phases_are_refused",
    },
    About {
        name: "TilesOfBlocks",
        ground: Ground::Legality,
        what: "On a graphics processor the kernel is a product whose tiles all warps of a block share.",
        why: "Warps of a joint launch have tasks of their own, and would read the operands of such a product again and again.",
        cure: "Nothing has to change: sharing tiles saves many times what the launch costs.",
        code: "crates/kernel/src/plan/segments.rs",
        test: "crates/kernel/tests/regions/segments.rs::products_with_tiles_of_blocks_are_refused",
    },
    About {
        name: "UpdatedInPlace",
        ground: Ground::Legality,
        what: "One kernel would overwrite the array while the other operation still reads its old values.",
        why: "It would have to copy the array first, which costs more than it saves.",
        cure: "Read before the update, or do not use the old array afterwards.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: "tests/hlo/fusion/update.hlo",
    },
    About {
        name: "CostsMore",
        ground: Ground::Cost,
        what: "The cost model expects the consumer's kernel to lose more time by computing the value than it \
               saves by not reading it.",
        why: "The value would be computed more often than once for each element.",
        cure: "Nothing has to change; `--fusion max` fuses wherever it is legal, to see whether the model is right.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: REFUSAL,
    },
    About {
        name: "NothingBeside",
        ground: Ground::Cost,
        what: "The kernel has a launch of its own.",
        why: "Small kernels share a launch only if they are equally far from the end of the program, or from \
              its beginning, so that none waits for another.",
        cure: "Nothing has to change: there is nothing to share.",
        code: "crates/opt/src/fusion/horizontal/mod.rs",
        test: "crates/opt/tests/horizontal.rs::what_stays_alone_says_why",
    },
    About {
        name: "LongByItself",
        ground: Ground::Cost,
        what: "The kernel runs so much longer than a launch takes that it is not put in one launch with \
               others.",
        why: "Sharing a launch saves at most the time of that launch.",
        cure: "Nothing has to change.",
        code: "crates/opt/src/fusion/horizontal/judge.rs",
        test: "crates/opt/tests/horizontal.rs::what_stays_alone_says_why",
    },
    About {
        name: "ReplacesState",
        ground: Ground::Cost,
        what: "The kernel makes a large state of a loop anew, element by element, and is not put in one launch with \
               others: as a part of a launch it would need a second place for the state.",
        why: "Two places that take turns need twice the cache, which costs more than a launch saves.",
        cure: "Nothing has to change.",
        code: "crates/opt/src/fusion/horizontal/judge.rs",
        test: "crates/opt/tests/states.rs::a_large_state_has_a_launch_of_its_own",
    },
    About {
        name: "WouldWait",
        ground: Ground::Legality,
        what: "A third kernel needs the result of the one and feeds the other.",
        why: "One kernel for both would have to run before and after the third.",
        cure: "Only fusing the third kernel too would help; the verdicts on its edges say why it is not.",
        code: "crates/opt/src/fusion/join/between.rs",
        test: MULTI_OUTPUT,
    },
    About {
        name: "SearchLimit",
        ground: Ground::Limit,
        what: "It was not decided whether the two kernels wait for each other.",
        why: "All that stands between them would have to be looked at, and planning time is kept near-linear.",
        cure: "Compute values near to where they are used.",
        code: "crates/opt/src/fusion/join/between.rs",
        test: "crates/opt/tests/joins.rs::a_long_search_is_given_up",
    },
    About {
        name: "TooManyTries",
        ground: Ground::Limit,
        what: "The kernel was not tried with this neighbour.",
        why: "Many others were tried before and refused, and planning time is kept near-linear.",
        cure: "Nothing has to change: the report has the reasons of those that were tried.",
        code: "crates/opt/src/fusion/join/mod.rs",
        test: "crates/opt/tests/joins.rs::a_value_of_many_users_is_given_up",
    },
    About {
        name: "NotFaster",
        ground: Ground::Cost,
        what: "The cost model expects one kernel to take at least as long as the separate kernels.",
        why: "It would repeat work, or leave cores or vector lanes idle; plans do not depend on `--threads`, so \
              times are compared for one thread.",
        cure: "Nothing has to change; `--fusion max` fuses wherever it is legal, to see whether the model is right.",
        code: "crates/opt/src/fusion/join/price.rs",
        test: "tests/hlo/fusion/merger.hlo",
    },
    About {
        name: "RaisesPeakMemory",
        ground: Ground::Limit,
        what: "One kernel would need its arrays at the same time, and the peak of memory would rise.",
        why: "Fusion never needs more memory than the program without it.",
        cure: "Use smaller batches, or compute late what is needed late.",
        code: "crates/opt/src/fusion/join/mod.rs",
        test: MULTI_OUTPUT,
    },
    About {
        name: "Forbidden",
        ground: Ground::Request,
        what: "The instruction has the frontend attribute `lawson.fuse=\"no_fuse\"`.",
        why: "The attribute makes it a kernel of its own.",
        cure: "Remove the attribute.",
        code: "crates/opt/src/fusion/role.rs",
        test: "tests/hlo/fusion/wishes.hlo",
    },
    About {
        name: "CrossLane",
        ground: Ground::Legality,
        what: "A `while` loop becomes one kernel if its instances, the elements of its state that could each \
               run a loop of their own, are independent; here an operation of its body combines several.",
        why: "Each instance runs all its iterations in one lane of a vector and does not see the others.",
        cure: "Move sums, shifts and transposes over instances out of the loop, or apply them only to values \
               that are the same for all.",
        code: "crates/kernel/src/region/build/instances.rs",
        test: "tests/hlo/fusion/loop.hlo",
    },
    About {
        name: "LaneNotAbsorbing",
        ground: Ground::Legality,
        what: "The loop runs until all its instances have ended, and an instance that has ended goes on \
               changing meanwhile.",
        why: "In one kernel an instance stops at its own end, so its result would differ.",
        cure: "Keep the state of ended instances: `jnp.where(active, new, old)` with the condition of the \
               loop.",
        code: "crates/kernel/src/region/build/while_loop/absorb.rs",
        test: "tests/hlo/fusion/loop.hlo",
    },
    About {
        name: "LargeState",
        ground: Ground::Limit,
        what: "The loop's state for each instance is larger than the cap.",
        why: "In one kernel it lives in registers.",
        cure: "Carry less, or make the large axis one of the instances.",
        code: "crates/kernel/src/region/build/instances.rs",
        test: "tests/hlo/fusion/loop.hlo",
    },
    About {
        name: "ManyLoops",
        ground: Ground::Limit,
        what: "The body of a loop that would be one kernel holds more loops than the cap.",
        why: "Loops in a body stay loops of the same kernel, and its code would become too long.",
        cure: "Nothing has to change: the loops within it have kernels of their own.",
        code: "crates/kernel/src/region/build/while_loop/parts.rs",
        test: "crates/kernel/tests/loops/nested.rs::more_loops_than_the_limit_are_refused",
    },
    About {
        name: "LargeConstant",
        ground: Ground::Legality,
        what: "The producer is an array constant whose elements differ.",
        why: "It is stored once with the program and read like a parameter; only constants of one repeated \
              value are part of the code.",
        cure: "Nothing has to change: nothing is computed, so nothing is saved.",
        code: "crates/opt/src/fusion/role.rs",
        test: REFUSAL,
    },
    About {
        name: "SwitchedOff",
        ground: Ground::Request,
        what: "`--fusion` switches this kind of fusion off.",
        why: "The option asks for it.",
        cure: "Leave the option away.",
        code: "crates/opt/src/fusion/instruction/grow.rs",
        test: REFUSAL,
    },
    About {
        name: "NoFuel",
        ground: Ground::Request,
        what: "`--fuel` lets the pass make no more decisions.",
        why: "The option asks for it.",
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
