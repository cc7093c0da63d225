//! What the emitted code looks like: no contraction, aligned streaming stores, wide registers, no library calls.

use lawson_kernel::loop_ir::{
    Access, Bin, Buf, Cast, Cmp, CodeBuilder, Elem, Half, Kernel, Op, Scale, Type, V,
};
use lawson_llvm::{Compiler, Effort, Error, TargetSpec, phase_symbol};

fn compiler(target: &str) -> Compiler {
    Compiler::new(&TargetSpec::named(target).unwrap(), Effort::Full).unwrap()
}

/// `out[i] = f(x[i])` over 1024 elements of f32 in vectors of `lanes`.
fn map(name: &str, lanes: u32, f: impl FnOnce(&mut CodeBuilder, V) -> V) -> Kernel {
    let mut b = CodeBuilder::new(name);
    let x = b.buffer("x", Elem::F32, 1024, Access::Read);
    let out = b.buffer("out", Elem::F32, 1024, Access::Write);
    b.phase(4, |b, task| {
        let width = b.i64(256);
        let lo = b.mul(task, width);
        let hi = b.add(lo, width);
        b.for_loop(lo, hi, lanes as i64, &[], |b, i, _| {
            let v = b.load(x, i, lanes, None);
            let r = f(b, v);
            b.store(out, i, r, None);
            Vec::new()
        });
    });
    b.finish()
}

#[test]
fn products_and_sums_stay_apart() {
    let kernel = map("k", 16, |b, x| {
        let p = b.bin(Bin::FMul, x, x);
        b.bin(Bin::FAdd, p, x)
    });
    let asm = compiler("zen4").asm_text(&kernel).unwrap();
    assert!(asm.contains("vmulps") && asm.contains("vaddps") && !asm.contains("vfmadd"), "{asm}");
    assert!(asm.contains("zmm"), "{asm}");
    let asm = compiler("haswell").asm_text(&kernel).unwrap();
    assert!(asm.contains("vmulps") && !asm.contains("vfmadd") && !asm.contains("zmm"), "{asm}");
}

#[test]
fn fma_is_one_instruction() {
    let kernel = map("k", 8, |b, x| b.op(lawson_kernel::loop_ir::Op::Fma(x, x, x)));
    for (target, name) in [("zen4", "vfmadd"), ("haswell", "vfmadd"), ("neoverse", "fmla")] {
        let asm = compiler(target).asm_text(&kernel).unwrap();
        assert!(asm.contains(name) && !asm.contains("call"), "{target}: {asm}");
    }
}

/// A branch to what small results need has the instruction on both sides; where there are many, none branches.
#[test]
fn products_with_powers_of_two_are_one_instruction_where_there_is_one() {
    let scaled = |times: usize| {
        map("k", 16, |b, x| {
            (0..times).fold(x, |value, _| {
                let small = b.cmp(Cmp::FLe, value, x);
                b.op(Op::Scale(Scale { value, powers: [x; 2], exponent: x, small }))
            })
        })
    };
    for (target, times, wanted) in
        [("zen4", 1, 2), ("sapphire-rapids", 8, 8), ("haswell", 1, 0), ("haswell", 8, 0)]
    {
        let asm = compiler(target).asm_text(&scaled(times)).unwrap();
        assert_eq!(count(&asm, "vscalefps"), wanted, "{times} on {target}: {asm}");
        assert_eq!(asm.contains("vmulps"), wanted == 0, "{times} on {target}: {asm}");
    }
}

/// Where there are instructions for it, sums and products of f16 are computed as such: the second operation takes the first one's result.
#[test]
fn halves_are_computed_as_such_where_there_are_instructions() {
    let mut b = CodeBuilder::new("k");
    let [x, out] =
        [("x", Access::Read), ("out", Access::Write)].map(|(n, a)| b.buffer(n, Elem::I16, 1024, a));
    b.phase(64, |b, task| {
        let width = b.i64(16);
        let at = b.mul(task, width);
        let bits = b.load(x, at, 16, None);
        let wide = b.cast(Cast::HalfToFloat, bits, Elem::F32);
        let product = b.bin(Bin::FMul, wide, wide);
        let rounded = b.cast(Cast::FloatToHalf, product, Elem::I16);
        let again = b.cast(Cast::HalfToFloat, rounded, Elem::F32);
        let sum = b.bin(Bin::FAdd, again, wide);
        let rounded = b.cast(Cast::FloatToHalf, sum, Elem::I16);
        b.store(out, at, rounded, None);
    });
    let kernel = b.finish();
    let asm = compiler("sapphire-rapids").asm_text(&kernel).unwrap();
    assert!(asm.contains("vmulph") && asm.contains("vaddph") && !asm.contains("vcvt"), "{asm}");
    let asm = compiler("zen4").asm_text(&kernel).unwrap();
    assert!(asm.contains("vmulps") && !asm.contains("vaddph") && asm.contains("vcvtps2ph"), "{asm}");
}

/// `vpternlog` makes minus one without memory, but waits for what its register held before.
#[test]
fn one_is_added_without_waiting_for_the_iteration_before() {
    let kernel = map("k", 16, |b, x| {
        let bits = b.cast(Cast::Bits, x, Elem::I32);
        let [one, less] = [1, u64::from(u32::MAX)].map(|n| b.constant(Type::vector(Elem::I32, 16), n));
        let more = b.bin(Bin::Add, bits, one);
        let scaled = b.bin(Bin::Mul, more, bits);
        let sum = b.bin(Bin::Add, scaled, less);
        b.cast(Cast::Bits, sum, Elem::F32)
    });
    let asm = compiler("zen4").asm_text(&kernel).unwrap();
    assert!(asm.contains("zmm") && !asm.contains("vpternlog"), "{asm}");
}

#[test]
fn streaming_stores_are_fenced() {
    let mut b = CodeBuilder::new("k");
    let out = b.buffer("out", Elem::F32, 1024, Access::Write);
    b.phase(64, |b, task| {
        let sixteen = b.i64(16);
        let at = b.mul(task, sixteen);
        let one = b.constant(lawson_kernel::loop_ir::Type::vector(Elem::F32, 16), 1f32.to_bits() as u64);
        b.store_streaming(out, at, one);
    });
    let kernel = b.finish();
    let asm = compiler("zen4").asm_text(&kernel).unwrap();
    assert!(asm.contains("vmovntps") && asm.contains("sfence"), "{asm}");
}

#[test]
fn read_buffers_are_invariant() {
    let ir = compiler("zen4").ir_text(&map("k", 8, |_, x| x)).unwrap();
    assert!(ir.contains("!invariant.load") && ir.contains("!tbaa"), "{ir}");
    assert!(ir.contains(&format!("@{}(ptr", phase_symbol("k", 0))), "{ir}");
}

#[test]
fn objects_do_not_depend_on_what_was_compiled_before() {
    let square = map("square", 16, |b, x| b.bin(Bin::FMul, x, x));
    let narrow = map("narrow", 4, |b, x| b.bin(Bin::FDiv, x, x));
    // Wider than a register, with a constant in memory.
    let wide = map("wide", 64, |b, x| {
        let third = b.constant(Type::vector(Elem::F32, 64), 0x3eaa_aaab);
        b.bin(Bin::FAdd, x, third)
    });
    for target in ["zen4", "haswell", "neoverse"] {
        let used = compiler(target);
        let groups: [&[&Kernel]; 5] = [&[&square], &[&wide, &narrow], &[], &[&narrow], &[&square]];
        for kernels in groups {
            let object = compiler(target).compile(kernels).unwrap();
            assert!(object.starts_with(b"\x7fELF"));
            assert_eq!(used.compile(kernels).unwrap(), object, "{target}");
            // Text in between goes through passes of its own.
            assert!(!used.asm_text(&wide).unwrap().is_empty());
        }
    }
}

#[test]
fn illegal_kernels_are_refused() {
    let mut kernel = map("k", 8, |_, x| x);
    kernel.buffers[0].elem = lawson_kernel::loop_ir::Elem::I8;
    let error = compiler("zen4").compile(&[&kernel]).unwrap_err();
    assert!(matches!(&error, Error::Illegal { name, .. } if name == "k"), "{error}");
}

#[test]
fn names_must_differ() {
    let kernel = map("k", 8, |_, x| x);
    let error = compiler("zen4").compile(&[&kernel, &kernel]).unwrap_err();
    assert!(matches!(error, Error::DuplicateName(n) if n == "k"));
}

#[test]
fn unknown_targets_are_refused() {
    let spec = TargetSpec { triple: "sparc-unknown-none".into(), ..TargetSpec::named("zen4").unwrap() };
    assert!(matches!(Compiler::new(&spec, Effort::Full), Err(Error::Target { .. })));
}

#[test]
fn scalar_masks_branch() {
    let mut b = CodeBuilder::new("k");
    let x: Buf = b.buffer("x", Elem::I16, 8, Access::ReadWrite);
    b.phase(1, |b, task| {
        let mask = b.bool(true);
        let other = b.constant(lawson_kernel::loop_ir::Type::scalar(Elem::I1), 0);
        let mask = b.op(lawson_kernel::loop_ir::Op::Bin(Bin::Or, mask, other));
        let v = b.load(x, task, 1, Some(mask));
        b.store(x, task, v, Some(mask));
    });
    assert!(!compiler("neoverse").compile(&[&b.finish()]).unwrap().is_empty());
}

/// `out = f(x, y)` on one vector or scalar of each, of as many words as the function gives.
fn words(ty: Type, inputs: i64, f: impl FnOnce(&mut CodeBuilder, &[V], &[V]) -> Vec<V>) -> Kernel {
    let mut b = CodeBuilder::new("k");
    let [x, y] = ["x", "y"].map(|name| b.buffer(name, ty.elem, inputs * ty.lanes as i64, Access::Read));
    let out = b.buffer("out", ty.elem, 64 * ty.lanes as i64, Access::ReadWrite);
    b.phase(1, |b, _| {
        let mut load = |buf: Buf, word: i64| {
            let at = b.i64(word * ty.lanes as i64);
            b.load(buf, at, ty.lanes, None)
        };
        let [xs, ys] = [x, y].map(|buf| (0..inputs).map(|word| load(buf, word)).collect::<Vec<V>>());
        for (i, word) in f(b, &xs, &ys).into_iter().enumerate() {
            let at = b.i64(i as i64 * ty.lanes as i64);
            b.store(out, at, word, None);
        }
    });
    b.finish()
}

/// How many instructions of the assembly have a name that begins so.
fn count(asm: &str, name: &str) -> usize {
    asm.lines().filter(|l| l.split_whitespace().next().is_some_and(|word| word.starts_with(name))).count()
}

#[test]
fn both_words_of_a_product_are_one_multiplication() {
    for (op, on_x86) in [(Bin::UMulHi, "mul"), (Bin::SMulHi, "imul")] {
        let kernel = words(Type::scalar(Elem::I64), 1, |b, x, y| {
            vec![b.bin(Bin::Mul, x[0], y[0]), b.bin(op, x[0], y[0])]
        });
        for target in ["haswell", "zen4"] {
            let asm = compiler(target).asm_text(&kernel).unwrap();
            assert_eq!((count(&asm, "mul") + count(&asm, "imul"), count(&asm, on_x86)), (1, 1), "{asm}");
        }
    }
}

#[test]
fn a_chain_of_carries_stays_in_the_flag() {
    type Link = fn(&mut CodeBuilder, V, V, V) -> (V, V);
    // Four words, and what is carried out of the last.
    let chain = |link: Link| {
        words(Type::scalar(Elem::I64), 4, |b, xs, ys| {
            let (mut words, mut carry) = (Vec::new(), b.bool(false));
            for (&x, &y) in xs.iter().zip(ys) {
                let (word, out) = link(b, x, y, carry);
                words.push(word);
                carry = out;
            }
            words.push(b.cast(Cast::Zext, carry, Elem::I64));
            words
        })
    };
    let (sum, difference) = (chain(CodeBuilder::add_carry), chain(CodeBuilder::sub_borrow));
    for (target, add, subtract) in [
        ("zen4", ["addq", "adcq"], ["subq", "sbbq"]),
        ("haswell", ["addq", "adcq"], ["subq", "sbbq"]),
        ("neoverse", ["adds", "adcs"], ["subs", "sbcs"]),
    ] {
        for (kernel, names) in [(&sum, add), (&difference, subtract)] {
            let asm = compiler(target).asm_text(kernel).unwrap();
            // The flag becomes a number once, at the end.
            let taken = count(&asm, "set") + count(&asm, "cset");
            assert_eq!((names.map(|n| count(&asm, n)), taken), ([1, 3], 1), "{target}: {asm}");
        }
    }
}

#[test]
fn products_of_low_halves_are_one_instruction() {
    for (op, name) in [(Bin::UMulWide, "vpmuludq"), (Bin::SMulWide, "vpmuldq")] {
        // Also where only the low half of the product is stored.
        let kernel = words(Type::vector(Elem::I64, 4), 1, |b, x, y| {
            let product = b.bin(op, x[0], y[0]);
            let mask = b.constant(Type::vector(Elem::I64, 4), 0xffff_ffff);
            vec![b.bin(Bin::And, product, mask)]
        });
        for target in ["haswell", "zen4"] {
            let asm = compiler(target).asm_text(&kernel).unwrap();
            let shifts = count(&asm, "vpsra") + count(&asm, "vpsll") + count(&asm, "vpmull");
            assert_eq!((count(&asm, name), shifts), (1, 0), "{target}: {asm}");
        }
    }
}

#[test]
fn products_by_a_power_of_two_less_one_are_one_instruction() {
    let ty = Type::vector(Elem::I64, 4);
    let kernel = words(ty, 1, |b, x, _| {
        let factor = b.constant(ty, 0xffff_ffff);
        vec![b.bin(Bin::UMulWide, x[0], factor)]
    });
    for target in ["haswell", "zen4"] {
        let asm = compiler(target).asm_text(&kernel).unwrap();
        let others = ["vpsub", "vpsll", "vpmull"].map(|name| count(&asm, name));
        assert_eq!((count(&asm, "vpmuludq"), others), (1, [0; 3]), "{target}: {asm}");
    }
}

/// Keys of sorts, of whose vector half counts. LLVM 19's instruction selection ends the process here for processors that it
/// takes to shuffle across lanes slowly ([`TargetSpec`] says that they do not).
#[test]
fn bits_of_sums_become_high_words() {
    for target in ["zen4", "skylake-avx512", "haswell"] {
        let mut b = CodeBuilder::new("k");
        let x = b.buffer("x", Elem::F32, 8, Access::Read);
        let out = b.buffer("out", Elem::I64, 8, Access::Write);
        b.phase(1, |b, _| {
            let zero = b.i64(0);
            let x = b.load(x, zero, 8, None);
            let sum = b.bin(Bin::FAdd, x, x);
            let key = b.cast(Cast::Bits, sum, Elem::I32);
            let key = b.cast(Cast::Sext, key, Elem::I64);
            let ty = b.ty_of(key);
            let [half, three, least] = [32, 3, i64::MIN as u64].map(|bits| b.constant(ty, bits));
            let word = b.bin(Bin::Shl, key, half);
            let each = b.op(Op::Iota(ty));
            let counts = b.cmp(Cmp::Slt, each, three);
            let word = b.select(counts, word, least);
            b.store(out, zero, word, None);
        });
        let kernel = b.finish();
        compiler(target).asm_text(&kernel).unwrap();
    }
}

#[test]
fn lanes_of_two_vectors_in_turns_are_one_instruction_under_a_mask() {
    let ty = Type::vector(Elem::I32, 16);
    for (first, name) in [(0, "vmovsldup"), (1, "vmovshdup")] {
        let lanes: Vec<u32> = (0..16).map(|i| i / 2 * 2 + first + i % 2 * 16).collect();
        // Of integers, and of what may be anything.
        let shuffled = |sums: bool| {
            let lanes = lanes.clone();
            words(ty, 1, move |b, x, y| {
                let [x, y] = if sums {
                    [b.bin(Bin::Add, x[0], y[0]), b.bin(Bin::Sub, x[0], y[0])]
                } else {
                    [x[0], y[0]]
                };
                vec![b.op(Op::Shuffle { a: x, b: y, lanes })]
            })
        };
        for kernel in [shuffled(false), shuffled(true)] {
            let asm = compiler("zen4").asm_text(&kernel).unwrap();
            let masked = asm.lines().filter(|l| l.contains(name) && l.contains("{%k")).count();
            let others = ["vperm", "vpshuf", "vpblend", "vshuf"].map(|name| count(&asm, name));
            assert_eq!((masked, others), (1, [0; 4]), "{asm}");
        }
    }
}

#[test]
fn two_levels_of_shuffles_are_hidden_from_the_next_by_no_instruction() {
    // The neighbours of each element, as often as asked for: as many levels of shuffles.
    let shuffled = |levels: usize| {
        map("k", 16, |b, x| {
            (0..levels).fold(x, |x, n| {
                let moved = (0..16).map(|l| (l * (2 * n as u32 + 3) + 1) % 32).collect();
                b.op(Op::Shuffle { a: x, b: x, lanes: moved })
            })
        })
    };
    let fences = |ir: &str| ir.matches("call <16 x float> @llvm.arithmetic.fence").count();
    for (levels, expected) in [(1, 0), (2, 1), (3, 1), (4, 2)] {
        let ir = compiler("zen4").ir_text(&shuffled(levels)).unwrap();
        assert_eq!(fences(&ir), expected, "{levels} levels: {ir}");
    }
    let asm = compiler("zen4").asm_text(&shuffled(4)).unwrap();
    assert!(!asm.contains("call"), "{asm}");
    let ir = compiler("neoverse").ir_text(&shuffled(4)).unwrap();
    assert_eq!(fences(&ir), 0, "{ir}");
}

#[test]
fn greatest_and_least_integers_are_hidden_by_no_instruction() {
    let extreme = |op: Bin| {
        map("k", 16, |b, x| {
            let x = b.cast(Cast::Bits, x, Elem::I32);
            let three = b.constant(Type::scalar(Elem::I32), 3);
            let three = b.widen_to(three, 16);
            let made = b.bin(op, x, three);
            b.cast(Cast::Bits, made, Elem::F32)
        })
    };
    let all =
        [(Bin::SMax, "vpmaxsd"), (Bin::SMin, "vpminsd"), (Bin::UMax, "vpmaxud"), (Bin::UMin, "vpminud")];
    for (op, name) in all {
        let ir = compiler("zen4").ir_text(&extreme(op)).unwrap();
        assert_eq!(ir.matches("call <16 x float> @llvm.arithmetic.fence").count(), 1, "{ir}");
        let asm = compiler("zen4").asm_text(&extreme(op)).unwrap();
        assert_eq!((count(&asm, name), count(&asm, "call"), count(&asm, "vmov")), (1, 0, 1), "{asm}");
    }
}

#[test]
fn high_words_of_vectors_are_products_of_32_bits() {
    // Even and odd lanes apart; and the four products of halves.
    for (ty, products) in [(Type::vector(Elem::I32, 8), 2), (Type::vector(Elem::I64, 4), 4)] {
        let kernel = words(ty, 1, |b, x, y| vec![b.bin(Bin::UMulHi, x[0], y[0])]);
        for target in ["haswell", "zen4"] {
            let asm = compiler(target).asm_text(&kernel).unwrap();
            assert_eq!((count(&asm, "vpmuludq"), count(&asm, "vpmull")), (products, 0), "{target}: {asm}");
        }
    }
}

#[test]
fn limbs_of_products_are_one_instruction_where_there_is_one() {
    let kernel = words(Type::vector(Elem::I64, 8), 2, |b, xs, ys| {
        [Half::Low, Half::High].map(|half| b.op(Op::Madd52(half, xs[0], ys[0], xs[1]))).to_vec()
    });
    for (target, expected) in [("zen4", 1), ("icelake-server", 1), ("skylake-avx512", 0), ("haswell", 0)] {
        let asm = compiler(target).asm_text(&kernel).unwrap();
        let found = (count(&asm, "vpmadd52luq"), count(&asm, "vpmadd52huq"));
        assert_eq!(found, (expected, expected), "{target}: {asm}");
    }
}

#[test]
fn dots_of_bytes_are_one_instruction_where_there_is_one() {
    let kernel =
        words(Type::vector(Elem::I32, 16), 1, |b, xs, ys| vec![b.op(Op::DotBytes(xs[0], ys[0], xs[0]))]);
    for (target, expected) in [("zen4", 1), ("icelake-server", 1), ("skylake-avx512", 0), ("haswell", 0)] {
        let asm = compiler(target).asm_text(&kernel).unwrap();
        assert_eq!(count(&asm, "vpdpbusd"), expected, "{target}: {asm}");
    }
}

#[test]
fn in_halves_no_vector_is_wider_than_half() {
    let sum = map("k", 16, |b, v| b.bin(Bin::FAdd, v, v));
    let (i32s, i64s) = (Type::vector(Elem::I32, 16), Type::vector(Elem::I64, 8));
    let dots = words(i32s, 1, |b, xs, ys| vec![b.op(Op::DotBytes(xs[0], ys[0], xs[0]))]);
    let limbs = words(i64s, 2, |b, xs, ys| vec![b.op(Op::Madd52(Half::Low, xs[0], ys[0], xs[1]))]);
    let wide = words(i64s, 1, |b, xs, ys| vec![b.bin(Bin::UMulHi, xs[0], ys[0])]);
    for (mut kernel, name, twice) in [
        (sum, "vaddps", 2),
        (dots, "vpdpbusd", 2),
        (limbs, "vpmadd52luq", 2),
        (wide, "vpmuludq", 8),
        (picked(64), "vpermi2", 0),
    ] {
        kernel.phases[0].halves = true;
        let asm = compiler("zen4").asm_text(&kernel).unwrap();
        assert!(!asm.contains("zmm"), "{asm}");
        assert_eq!(count(&asm, name), twice, "{asm}");
    }
}

/// `out[i] = table[n[i]]` over 1024 elements.
fn picked(len: i64) -> Kernel {
    let mut b = CodeBuilder::new("k");
    let table = b.buffer("table", Elem::F32, len, Access::Read);
    let n = b.buffer("n", Elem::I64, 1024, Access::Read);
    let out = b.buffer("out", Elem::F32, 1024, Access::Write);
    b.phase(64, |b, task| {
        let width = b.i64(16);
        let at = b.mul(task, width);
        let index = b.load(n, at, 16, None);
        let v = b.load(table, index, 16, None);
        b.store(out, at, v, None);
    });
    b.finish()
}

#[test]
fn short_arrays_are_looked_up_in_vectors() {
    for (len, picks) in [(1, 1), (32, 1), (33, 2), (65, 3), (128, 4), (129, 0)] {
        for (target, picks) in [("zen4", picks), ("skylake-avx512", picks), ("haswell", 0)] {
            let asm = compiler(target).asm_text(&picked(len)).unwrap();
            let found = count(&asm, "vpermi2") + count(&asm, "vpermt2");
            assert_eq!(found, picks, "{len} on {target}: {asm}");
            assert!(picks == 0 || !asm.contains("gather"), "{len} on {target}: {asm}");
        }
    }
}

/// `out[i] = x[first + d[i]]` over 1024 elements, where `distances` makes a vector `d` from where it is.
fn apart(lanes: u32, distances: impl Fn(&mut CodeBuilder, Buf, V) -> V) -> Kernel {
    let mut b = CodeBuilder::new("k");
    let x = b.buffer("x", Elem::F32, 1 << 20, Access::Read);
    let n = b.buffer("n", Elem::I32, 1024, Access::Read);
    let out = b.buffer("out", Elem::F32, 1024, Access::Write);
    b.phase(64, |b, task| {
        let width = b.i64(lanes as i64);
        let at = b.mul(task, width);
        let d = distances(b, n, at);
        let first = b.widen_to(at, lanes);
        let offsets = b.add(first, d);
        let v = b.load(x, offsets, lanes, None);
        b.store(out, at, v, None);
    });
    b.finish()
}

#[test]
fn elements_apart_are_single_loads_where_gathers_are_microcode() {
    let chosen = apart(16, |b, n, at| {
        let narrow = b.load(n, at, 16, None);
        // What is loaded and nothing else is loaded lane by lane.
        let narrow = b.add(narrow, narrow);
        b.cast(Cast::Sext, narrow, Elem::I64)
    });
    let strided = apart(16, |b, _, _| {
        let ty = Type::vector(Elem::I64, 16);
        let (iota, step) = (b.op(Op::Iota(ty)), b.constant(ty, 10));
        b.mul(iota, step)
    });
    for kernel in [&chosen, &strided] {
        for target in ["skylake-avx512", "icelake-server"] {
            let asm = compiler(target).asm_text(kernel).unwrap();
            assert!(count(&asm, "vgather") > 0 && count(&asm, "vinsertps") == 0, "{target}: {asm}");
        }
        let asm = compiler("zen4").asm_text(kernel).unwrap();
        // The first of four elements needs no insert.
        assert_eq!((count(&asm, "vgather"), count(&asm, "vinsertps")), (0, 12), "{asm}");
        let leave = count(&asm, "vpextr") + count(&asm, "vmovq");
        assert_eq!(leave, if std::ptr::eq(kernel, &chosen) { 8 } else { 0 }, "{asm}");
    }
    // A pair is taken apart as it is.
    let pair = apart(2, |b, n, at| {
        let narrow = b.load(n, at, 2, None);
        b.cast(Cast::Sext, narrow, Elem::I64)
    });
    let asm = compiler("zen4").asm_text(&pair).unwrap();
    assert_eq!(count(&asm, "vgather"), 0, "{asm}");
}

/// The targets a child process compiles for, in order.
const TARGETS: &str = "LAWSON_TEST_TARGETS";

/// LLVM's switches hold for the process: whoever comes first must not decide for the others.
#[test]
fn code_for_a_target_does_not_depend_on_the_targets_before_it() {
    if let Ok(targets) = std::env::var(TARGETS) {
        for target in targets.split(',') {
            let kernel = strided_sum();
            println!("<<<{target}\n{}>>>", compiler(target).asm_text(&kernel).unwrap());
        }
        return;
    }
    let code = |targets: &str, wanted: &str| {
        let me = std::env::current_exe().unwrap();
        let name = "code_for_a_target_does_not_depend_on_the_targets_before_it";
        let mut child = std::process::Command::new(me);
        let child = child.args(["--exact", name, "--nocapture"]).env(TARGETS, targets).output().unwrap();
        let text = String::from_utf8(child.stdout).unwrap();
        let (_, rest) = text.split_once(&format!("<<<{wanted}\n")).unwrap();
        rest.split_once(">>>").unwrap().0.to_string()
    };
    let names = ["haswell", "skylake-avx512", "icelake-server", "zen4", "neoverse"];
    for (n, name) in names.into_iter().enumerate() {
        let mut others = names.to_vec();
        others.rotate_left(n + 1);
        let alone = code(name, name);
        assert!(!alone.is_empty());
        assert_eq!(alone, code(&others.join(","), name), "{name}");
    }
}

/// Loops whose addresses loop strength reduction would change.
fn strided_sum() -> Kernel {
    let mut b = CodeBuilder::new("sum");
    let x = b.buffer("x", Elem::F32, 1 << 20, Access::Read);
    let out = b.buffer("out", Elem::F32, 1 << 10, Access::Write);
    b.phase(1 << 10, |b, task| {
        let (zero, end, stride) = (b.i64(0), b.i64(1 << 10), b.i64(1 << 10));
        let first = b.op(Op::Const { ty: Type::scalar(Elem::F32), bits: 0 });
        let sum = b.for_loop(zero, end, 1, &[first], |b, row, sum| {
            let at = b.mul(row, stride);
            let at = b.add(at, task);
            let v = b.load(x, at, 1, None);
            vec![b.bin(Bin::FAdd, sum[0], v)]
        });
        b.store(out, task, sum[0], None);
    });
    b.finish()
}
