//! Forms of the text that recorded programs do not have, by what they compute.

// Each test uses a part of it.
#[allow(dead_code)]
mod support;

use lawson_hlo::eval::{Options, evaluate};
use lawson_hlo::verify::verify;
use lawson_hlo::{Scalar, Value};
use lawson_stablehlo::read_text;

/// The elements of the only result of a program without arguments.
fn computed(text: &str) -> Vec<f64> {
    let module = read_text(text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(verify(&module), Ok(()));
    let result = evaluate(&module, &[], &Options::default()).expect("a result");
    let Value::Array(array) = result else { panic!("one array") };
    array.scalars().map(Scalar::as_f64).collect()
}

/// A program of these operations, the last of which gives `%r`.
fn main(ty: &str, ops: &str) -> String {
    format!("func.func @main() -> {ty} {{\n{ops}\nreturn %r : {ty}\n}}\n")
}

#[test]
fn literals() {
    let of =
        |literal: &str, ty: &str| computed(&main(ty, &format!("%r = stablehlo.constant {literal} : {ty}")));
    assert_eq!(of("dense<[[1, -2], [0x7F, 4]]>", "tensor<2x2xi32>"), [1.0, -2.0, 127.0, 4.0]);
    assert_eq!(of("dense<2.5>", "tensor<3xbf16>"), [2.5; 3]);
    assert_eq!(of("dense<[0x3F800000, 1.0e-2]>", "tensor<2xf32>"), [1.0, f64::from(0.01f32)]);
    assert_eq!(of("dense<\"0x0000803F00000040\">", "tensor<2xf32>"), [1.0, 2.0]);
    assert_eq!(of("dense<\"0x05\">", "tensor<3xi1>"), [1.0, 0.0, 1.0]);
    assert_eq!(of("dense<true>", "tensor<2xi1>"), [1.0, 1.0]);
    assert_eq!(of("dense<[-8, 7]>", "tensor<2xi4>"), [-8.0, 7.0]);
    assert_eq!(of("dense<18446744073709551615>", "tensor<ui64>"), [u64::MAX as f64]);
    assert!(of("dense<>", "tensor<2x0xf32>").is_empty());
    assert!(of("dense<0xFFC00000>", "tensor<f32>")[0].is_nan());
}

#[test]
fn resources_stand_at_the_end() {
    let text = main("tensor<2xf32>", "%r = stablehlo.constant dense_resource<big> : tensor<2xf32>")
        + "{-#\n  dialect_resources: {\n    builtin: {\n      big: \"0x040000000000803F00000040\"\n    }\n  }\n#-}\n";
    assert_eq!(computed(&text), [1.0, 2.0]);
}

#[test]
fn aliases_are_found_wherever_they_stand() {
    let text = "#dims = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>\n"
        .to_string()
        + &main(
            "tensor<f32>",
            "%a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32> loc(#here)\n\
             %r = \"stablehlo.dot_general\"(%a, %a) <{dot_dimension_numbers = #dims}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32> loc(#here)",
        )
        + "#there = loc(\"model.py\":7:3 to :9)\n#here = loc(\"dot\"(callsite(#there at #there)))\n";
    assert_eq!(computed(&text), [5.0]);
    let module = read_text(&text).expect("a module");
    let dot = module.entry().root();
    assert_eq!(module.locations(&dot.origin), ["model.py:7".into()]);
    assert_eq!(module.sources[dot.origin.sources()[0] as usize].line, 4);
}

/// The innermost of a hundred calls is the line that counts.
#[test]
fn stacks_of_calls_may_be_deep() {
    let frames: String =
        (1..100).map(|i| format!("#c{i} = loc(callsite(#c{} at #outer))\n", i - 1)).collect();
    let text = main("tensor<f32>", "%r = stablehlo.constant dense<1.0> : tensor<f32> loc(#c99)")
        + "#c0 = loc(\"inner.py\":3:0)\n#outer = loc(\"outer.py\":4:0)\n"
        + &frames;
    let module = read_text(&text).expect("a module");
    assert_eq!(module.locations(&module.entry().root().origin), ["inner.py:3".into()]);
}

#[test]
fn regions_use_values_from_outside() {
    let text = main(
        "tensor<f32>",
        "%x = stablehlo.constant dense<3.0> : tensor<f32>\n%y = stablehlo.multiply %x, %x : tensor<f32>\n\
         %zero = stablehlo.constant dense<0> : tensor<i32>\n%n = stablehlo.constant dense<4> : tensor<i32>\n\
         %w:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<f32>\n cond {\n\
         %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\nstablehlo.return %c : tensor<i1>\n\
         } do {\n%one = stablehlo.constant dense<1> : tensor<i32>\n%j = stablehlo.add %i, %one : tensor<i32>\n\
         %p = stablehlo.compare EQ, %i, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n\
         %t = \"stablehlo.if\"(%p) ({\n%u = stablehlo.add %s, %y : tensor<f32>\n\"stablehlo.return\"(%u) : (tensor<f32>) -> ()\n\
         }, {\nstablehlo.return %s : tensor<f32>\n}) : (tensor<i1>) -> tensor<f32>\n\
         stablehlo.return %j, %t : tensor<i32>, tensor<f32>\n}\n%r = stablehlo.add %w#1, %y : tensor<f32>",
    );
    assert_eq!(computed(&text), [21.0]);
}

#[test]
fn tuples_and_several_results() {
    let text = main(
        "tensor<f32>",
        "%a = stablehlo.constant dense<2.0> : tensor<f32>\n%b = stablehlo.constant dense<3.0> : tensor<f32>\n\
         %t = stablehlo.tuple %a, %b : tuple<tensor<f32>, tensor<f32>>\n\
         %c = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>\n\
         %d:2 = stablehlo.optimization_barrier %c, %a : tensor<f32>, tensor<f32>\n%e:2 = call @both(%d#0, %d#1) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)\n\
         %r = stablehlo.subtract %e#0, %e#1 : tensor<f32>",
    ) + "func.func private @both(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {\n  return %y, %x : tensor<f32>, tensor<f32>\n}\n";
    assert_eq!(computed(&text), [-1.0]);
}

/// As StableHLO's interpreter and XLA have it; JAX compares with zero where it means both parts.
#[test]
fn a_complex_number_is_true_by_its_real_part() {
    let ops = "%x = stablehlo.constant dense<[(1.0, 0.0), (0.0, 1.0), (0.0, 0.0)]> : tensor<3xcomplex<f32>>\n\
               %r = stablehlo.convert %x : (tensor<3xcomplex<f32>>) -> tensor<3xi1>";
    assert_eq!(computed(&main("tensor<3xi1>", ops)), [1.0, 0.0, 0.0]);
}

#[test]
fn composites_are_taken_whole_or_called() {
    let of = |name: &str| {
        main(
            "tensor<f32>",
            &format!(
                "%x = stablehlo.constant dense<0.5> : tensor<f32>\n%r = stablehlo.composite \"{name}\" %x {{decomposition = @f}} : (tensor<f32>) -> tensor<f32>"
            ),
        ) + "func.func private @f(%x: tensor<f32>) -> tensor<f32> {\n  %y = stablehlo.add %x, %x : tensor<f32>\n  return %y : tensor<f32>\n}\n"
    };
    assert_eq!(computed(&of("my.double")), [1.0]);
    assert!((computed(&of("chlo.erf"))[0] - 0.520_499_877_8).abs() < 1e-6);
}

/// Where the formulas change, and at the ends of their ranges.
#[test]
fn functions_of_chlo() {
    let of = |op: &str, x: &[f64]| {
        let n = x.len();
        let list: Vec<String> = x.iter().map(|x| format!("0x{:016X}", x.to_bits())).collect();
        let ty = format!("tensor<{n}xf64>");
        let ops = format!(
            "%x = stablehlo.constant dense<[{}]> : {ty}\n%r = chlo.{op} %x : {ty} -> {ty}",
            list.join(", ")
        );
        computed(&main(&ty, &ops))
    };
    let near = |found: Vec<f64>, wanted: &[f64]| {
        for (f, w) in found.iter().zip(wanted) {
            assert!(
                f == w || f.is_nan() && w.is_nan() || ((f - w) / w).abs() < 1e-12,
                "{found:?} {wanted:?}"
            );
        }
    };
    let inf = f64::INFINITY;
    let x = [-30.0, -1.0, 0.0, 0.999, 1.001, 7.999, 8.001, 26.0, 40.0, f64::NAN];
    let wanted = [
        2.0,
        1.842_700_792_949_714_8,
        1.0,
        0.157_714_729_793_503_1,
        0.156_884_514_521_923_73,
        1.140_672_330_945_445_7e-29,
        1.104_476_662_771_063_6e-29,
        5.663_192_408_856_145e-296,
        0.0,
        f64::NAN,
    ];
    near(of("erfc", &x), &wanted);
    near(
        of("erf_inv", &[0.0, 0.5, -0.5, 0.999_999, 1.0, -1.0, 2.0, 1e-300]),
        &[
            0.0,
            0.476_936_276_204_469_9,
            -0.476_936_276_204_469_9,
            3.458_910_737_275_499,
            inf,
            -inf,
            f64::NAN,
            8.862_269_254_527_58e-301,
        ],
    );
    near(
        of("lgamma", &[0.5, 1.5, 10.0, -0.5, 0.0, -2.0, inf]),
        &[
            0.572_364_942_924_700_1,
            -0.120_782_237_635_245_26,
            12.801_827_480_081_469,
            1.265_512_123_484_645_4,
            inf,
            inf,
            inf,
        ],
    );
    near(
        of("digamma", &[1.0, 0.25, -0.5, 0.0, -3.0]),
        &[-0.577_215_664_901_532_9, -4.227_453_533_376_265, 0.036_489_973_978_576_52, f64::NAN, f64::NAN],
    );
    near(
        of("bessel_i1e", &[0.0, 1.0, -1.0, 19.9, 20.1]),
        &[
            0.0,
            0.207_910_415_349_708_47,
            -0.207_910_415_349_708_47,
            0.087_717_102_131_706_08,
            0.087_296_851_843_201_6,
        ],
    );
}

#[test]
fn approximate_top_k_is_exact_and_in_the_total_order() {
    let of = |result: usize, direction: &str, initial: &str| {
        computed(&format!(
            "func.func @before(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>) -> tensor<i1> {{
             %0 = stablehlo.compare {direction}, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
             stablehlo.return %0 : tensor<i1>
             }}
             func.func @main() -> tensor<2x3x{ty}> {{
             %x = stablehlo.constant dense<[[-0.0, 7.0, 0.0, 3.0], [1.0, 0xFFC00000, -2.0, 1.0]]> : tensor<2x4xf32>
             %i = stablehlo.iota dim = 1 : tensor<2x4xi32>
             %f = stablehlo.constant dense<{initial}> : tensor<f32>
             %n = stablehlo.constant dense<-1> : tensor<i32>
             %r:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %f, %n) {{called_computations = [@before],
               mhlo.backend_config = {{reduction_dim = 1 : i64, top_k = 3 : i64}}}} :
               (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
             return %r#{result} : tensor<2x3x{ty}>
             }}",
            ty = if result == 0 { "f32" } else { "i32" },
        ))
    };
    assert_eq!(of(0, "GT", "0xFF800000"), [7.0, 3.0, 0.0, 1.0, 1.0, -2.0]);
    assert_eq!(of(1, "GT", "0xFF800000"), [1.0, 3.0, 2.0, 0.0, 3.0, 2.0]);
    // The NaN is negative: the least of all.
    assert_eq!(of(1, "LT", "0x7F800000"), [0.0, 2.0, 3.0, 1.0, 2.0, 0.0]);
}

#[test]
fn scans_of_chlo() {
    // Running sums along the second dimension, and how often a sum was made.
    let scan = |how: &str, result: &str, ty: &str| {
        let ops = format!(
            "%x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
             %i = stablehlo.constant dense<0> : tensor<2xi32>
             %n = stablehlo.constant dense<0> : tensor<i32>
             %all:3 = chlo.scan(%x) inits(%i, %n) dimension=1 {how} {{
             ^bb0(%a: tensor<2xi32>, %sum: tensor<2xi32>, %count: tensor<i32>):
               %0 = stablehlo.add %a, %sum : tensor<2xi32>
               %1 = stablehlo.constant dense<1> : tensor<i32>
               %2 = stablehlo.add %count, %1 : tensor<i32>
               stablehlo.return %0, %0, %2 : tensor<2xi32>, tensor<2xi32>, tensor<i32>
             }} : (tensor<2x3xi32>, tensor<2xi32>, tensor<i32>) -> (tensor<2x3xi32>, tensor<2xi32>, tensor<i32>)
             %r = stablehlo.reshape %all#{result} : ({ty}) -> {ty}"
        );
        computed(&main(ty, &ops))
    };
    assert_eq!(scan("", "0", "tensor<2x3xi32>"), [1.0, 3.0, 6.0, 4.0, 9.0, 15.0]);
    let backwards = "attributes {is_reverse = true}";
    assert_eq!(scan(backwards, "0", "tensor<2x3xi32>"), [6.0, 5.0, 3.0, 15.0, 11.0, 6.0]);
    assert_eq!(scan(backwards, "1", "tensor<2xi32>"), [6.0, 15.0]);
    assert_eq!(scan("", "2", "tensor<i32>"), [3.0]);
}

#[test]
fn ragged_products() {
    let product = |dims: &str, lhs: &str, rhs: &str, sizes: &str, types: [&str; 4]| {
        let [l, r, s, result] = types;
        let ops = format!(
            "%l = stablehlo.constant dense<{lhs}> : {l}
             %m = stablehlo.constant dense<{rhs}> : {r}
             %s = stablehlo.constant dense<{sizes}> : {s}
             %r = \"chlo.ragged_dot\"(%l, %m, %s) {{ragged_dot_dimension_numbers = #chlo.ragged_dot<{dims}>,
               precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]}} : ({l}, {r}, {s}) -> {result}"
        );
        computed(&main(result, &ops))
    };
    // Rows in groups of one and two, the fourth in none; each group has a matrix of its own.
    let rows = "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], \
                rhs_group_dimensions = [0]";
    let types = ["tensor<4x2xf32>", "tensor<2x2x1xf32>", "tensor<2xi32>", "tensor<4x1xf32>"];
    let (lhs, rhs) =
        ("[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]", "[[[1.0], [10.0]], [[100.0], [1000.0]]]");
    assert_eq!(product(rows, lhs, rhs, "[1, 2]", types), [21.0, 4300.0, 6500.0, 0.0]);
    // Summands in groups, for each of two members of a batch with groups of its own.
    let summands = "lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], \
                    rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]";
    let types = ["tensor<2x1x3xf32>", "tensor<2x3x1xf32>", "tensor<2x2xi64>", "tensor<2x2x1x1xf32>"];
    let (lhs, rhs) = ("[[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]]", "1.0");
    assert_eq!(product(summands, lhs, rhs, "[[1, 2], [2, 0]]", types), [1.0, 9.0, 5.0, 0.0]);
}

#[test]
fn functions_that_are_called_once_have_the_place_of_the_call() {
    let module = |calls: &str| {
        let text = format!(
            "module @m {{
               func.func private @inner(%a: tensor<2xf32>) -> tensor<2xf32> {{
                 %0 = stablehlo.exponential %a : tensor<2xf32> loc(\"exp\")
                 return %0 : tensor<2xf32>
               }}
               func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
                 {calls}
                 return %y : tensor<2xf32>
               }}
             }}"
        );
        read_text(&text).expect("a module")
    };
    let call = |to: &str, of: &str, line: u32| {
        format!(
            "{to} = call @inner({of}) : (tensor<2xf32>) -> tensor<2xf32> loc(\"jit(f)/jit(inner)\"(\"train.py\":{line}:1))\n"
        )
    };
    let place = |module: &lawson_hlo::Module| {
        let source = module.sources.iter().find(|s| s.name.starts_with("exp")).expect("the operation");
        source.location.clone()
    };
    let once = module(&call("%y", "%x", 7));
    assert_eq!(place(&once).as_deref(), Some("train.py:7"));
    assert!(lawson_hlo::text::print(&once).contains("op_name=\"jit(f)/jit(inner)/exp\""));
    let twice = module(&(call("%z", "%x", 7) + &call("%y", "%z", 8)));
    assert_eq!(place(&twice), None);
}

#[test]
fn groups_of_devices_in_all_forms() {
    let of = |groups: &str| {
        let text = format!(
            "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\n  %r = \"stablehlo.collective_broadcast\"(%x) \
             <{{replica_groups = {groups}}}> : (tensor<4xf32>) -> tensor<4xf32>\n  return %r : tensor<4xf32>\n}}\n"
        );
        read_text(&text).map(|module| module.to_string()).map_err(|e| e.to_string())
    };
    for same in ["dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>", "[[0, 1], [2, 3]]"] {
        let module = of(same).expect(same);
        assert!(module.contains("replica_groups={{0,1},{2,3}}"), "{module}");
    }
    for all in ["dense<> : tensor<0x0xi64>", "[]", "array<i64>"] {
        assert!(of(all).expect(all).contains("replica_groups={}"));
    }
    for unknown in ["array<i64: 0, 1>", "[0, 1]", "dense<[0, 1]> : tensor<2xi64>", "7"] {
        assert!(of(unknown).expect_err(unknown).contains("groups of devices in this form"));
    }
}

#[test]
fn bits_of_truth_values_and_halves_of_complex_numbers_are_cast() {
    let of = |constant: &str, from: &str, to: &str| {
        let constant = format!("%x = stablehlo.constant {constant} : {from}\n");
        computed(&main(to, &format!("{constant}%r = stablehlo.bitcast_convert %x : ({from}) -> {to}")))
    };
    let bits = "dense<[[true, false, true, true, false, false, false, false], [false, false, false, false, false, false, false, true]]>";
    assert_eq!(of(bits, "tensor<2x8xi1>", "tensor<2xui8>"), [13.0, 128.0]);
    assert_eq!(of(bits, "tensor<2x8xi1>", "tensor<2xi8>"), [13.0, -128.0]);
    assert_eq!(of("dense<6>", "tensor<i4>", "tensor<4xi1>"), [0.0, 1.0, 1.0, 0.0]);
    let one = of("dense<1.0>", "tensor<f32>", "tensor<32xi1>");
    assert!(one.iter().enumerate().all(|(i, &bit)| (bit == 1.0) == (23..30).contains(&i)), "{one:?}");
    assert_eq!(of("dense<true>", "tensor<3xi1>", "tensor<3xi8>"), [1.0; 3]);
    // The halves of 2.0 in 64 bits are 0 and 0x40000000, which is 2.0 in 32 bits; those of -2.0 the same with its sign.
    let halved = |part: &str| {
        let ops = "%c = stablehlo.constant dense<[(2.0, -2.0)]> : tensor<1xcomplex<f64>>\n\
             %h = stablehlo.bitcast_convert %c : (tensor<1xcomplex<f64>>) -> tensor<1x2xcomplex<f32>>\n";
        let part = format!("%r = stablehlo.{part} %h : (tensor<1x2xcomplex<f32>>) -> tensor<1x2xf32>");
        computed(&main("tensor<1x2xf32>", &(ops.to_string() + &part)))
    };
    assert_eq!((halved("real"), halved("imag")), (vec![0.0, 0.0], vec![2.0, -2.0]));
    let whole = |part: &str| {
        let ops = "%c = stablehlo.constant dense<[[(0.0, 2.0), (0.0, -2.0)]]> : tensor<1x2xcomplex<f32>>\n\
             %h = stablehlo.bitcast_convert %c : (tensor<1x2xcomplex<f32>>) -> tensor<1xcomplex<f64>>\n";
        let part = format!("%r = stablehlo.{part} %h : (tensor<1xcomplex<f64>>) -> tensor<1xf64>");
        computed(&main("tensor<1xf64>", &(ops.to_string() + &part)))
    };
    assert_eq!((whole("real"), whole("imag")), (vec![2.0], vec![-2.0]));
}
