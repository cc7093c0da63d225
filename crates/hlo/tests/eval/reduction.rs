//! reduce in its strict order, scan, batch normalisation.

use super::{floats, module, noise, run};
use lawson_hlo::DType;
use lawson_hlo::eval::{Options, evaluate};

fn add(dtype: &str) -> String {
    format!(
        "add {{ a = {dtype}[] parameter(0)\n b = {dtype}[] parameter(1)\n ROOT r = {dtype}[] add(a, b) }}\n"
    )
}

/// Reduces `values`, shaped as `dims`, over `over`, from `init`.
fn sum(dtype: DType, dims: &[i64], over: &[i64], values: &[f32], init: f64) -> Vec<f32> {
    let kept: Vec<String> =
        (0..dims.len()).filter(|d| !over.contains(&(*d as i64))).map(|d| dims[d].to_string()).collect();
    let list = |dims: &[i64]| dims.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    let text = format!(
        "{}ENTRY e {{ x = {dtype}[{}] parameter(0)
                     i = {dtype}[] parameter(1)
                     ROOT r = {dtype}[{}] reduce(x, i), dimensions={{{}}}, to_apply=add }}",
        add(dtype.name()),
        list(dims),
        kept.join(","),
        list(over),
    );
    let wide: Vec<f64> = values.iter().map(|&v| v as f64).collect();
    let args = [floats(dtype, dims, &wide), floats(dtype, &[], &[init])];
    let result = evaluate(&module(&text), &args, &Options::default()).unwrap();
    result.expect_array().scalars().map(|s| s.as_f64() as f32).collect()
}

#[test]
fn each_set_of_dimensions() {
    let reduce = |dims: &str, shape: &str| {
        run(&format!(
            "{}ENTRY e {{ x = s32[2,3,2] constant({{{{{{1,2}},{{3,4}},{{5,6}}}},{{{{7,8}},{{9,10}},{{11,12}}}}}})
                         i = s32[] constant(100)
                         ROOT r = s32[{shape}] reduce(x, i), dimensions={{{dims}}}, to_apply=add }}",
            add("s32")
        ))
    };
    assert_eq!(reduce("0", "3,2"), "108, 110, 112, 114, 116, 118");
    assert_eq!(reduce("1", "2,2"), "109, 112, 127, 130");
    assert_eq!(reduce("2", "2,3"), "103, 107, 111, 115, 119, 123");
    assert_eq!(reduce("0,2", "3"), "118, 126, 134");
    assert_eq!(reduce("0,1,2", ""), "178");
    assert_eq!(reduce("", "2,3,2"), "101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112");
}

#[test]
fn a_reduction_of_nothing_is_init() {
    let text = format!(
        "{}ENTRY e {{ x = f32[2,0] constant({{{{}}, {{}}}})
                     i = f32[] constant(-0)
                     ROOT r = f32[2] reduce(x, i), dimensions={{1}}, to_apply=add }}",
        add("f32")
    );
    assert_eq!(run(&text), "-0, -0");
}

/// The order for rows, written out a second time: 4096 to a chunk, 64 lanes halved, chunks joined by pairs.
fn row_order(x: &[f32]) -> f32 {
    let mut chunks: Vec<f32> = x
        .chunks(4096)
        .map(|chunk| {
            let mut lanes: Vec<Option<f32>> = vec![None; 64];
            let join = |a: Option<f32>, b: Option<f32>| match (a, b) {
                (Some(a), Some(b)) => Some(a + b),
                (a, b) => a.or(b),
            };
            chunk.iter().enumerate().for_each(|(k, &v)| lanes[k % 64] = join(lanes[k % 64], Some(v)));
            for h in [32, 16, 8, 4, 2, 1] {
                lanes = (0..h).map(|j| join(lanes[j], lanes[j + h])).collect();
            }
            lanes[0].unwrap()
        })
        .collect();
    while chunks.len() > 1 {
        chunks = chunks.chunks(2).map(|pair| pair.iter().copied().reduce(|a, b| a + b).unwrap()).collect();
    }
    chunks[0]
}

/// The order for columns: 256 to a chunk from left to right, chunks joined by pairs.
fn column_order(x: &[f32]) -> f32 {
    let mut chunks: Vec<f32> =
        x.chunks(256).map(|c| c.iter().copied().reduce(|a, b| a + b).unwrap()).collect();
    while chunks.len() > 1 {
        chunks = chunks.chunks(2).map(|pair| pair.iter().copied().reduce(|a, b| a + b).unwrap()).collect();
    }
    chunks[0]
}

#[test]
fn rows_sum_in_the_strict_order() {
    for n in [1, 3, 63, 64, 65, 1000, 4096, 4097, 13_000, 20_481] {
        let x = noise(2 * n);
        let expected: Vec<f32> = x.chunks(n).map(|row| 0.25 + row_order(row)).collect();
        assert_eq!(sum(DType::F32, &[2, n as i64], &[1], &x, 0.25), expected, "{n}");
    }
}

#[test]
fn columns_sum_in_the_strict_order() {
    for n in [1, 2, 255, 256, 257, 1000, 1281] {
        let x = noise(2 * n);
        let column = |c: usize| x.iter().copied().skip(c).step_by(2).collect::<Vec<_>>();
        let expected = [0.25 + column_order(&column(0)), 0.25 + column_order(&column(1))];
        assert_eq!(sum(DType::F32, &[n as i64, 2], &[0], &x, 0.25), expected, "{n}");
    }
}

#[test]
fn several_reduced_dimensions_count_row_major() {
    // Dimensions 0 and 2 of [20, 3, 40]: k = 40·i + j, in the order for rows.
    let x = noise(20 * 3 * 40);
    let line = |c: usize| (0..800).map(|k| x[(k / 40) * 120 + c * 40 + k % 40]).collect::<Vec<_>>();
    let expected: Vec<f32> = (0..3).map(|c| row_order(&line(c))).collect();
    assert_eq!(sum(DType::F32, &[20, 3, 40], &[0, 2], &x, 0.0), expected);
    // The order in which the text lists them does not matter.
    assert_eq!(sum(DType::F32, &[20, 3, 40], &[2, 0], &x, 0.0), expected);
}

#[test]
fn an_unreduced_dimension_of_one_still_counts_as_minor() {
    let x = noise(1000);
    assert_eq!(sum(DType::F32, &[1000, 1], &[0], &x, 0.0), [column_order(&x)]);
    assert_eq!(sum(DType::F32, &[1000, 1], &[0, 1], &x, 0.0), [row_order(&x)]);
}

#[test]
fn half_sums_accumulate_in_f32_and_round_once() {
    // 3000 ones: f16 alone would stop at 2048, bf16 at 256.
    let ones = vec![1.0; 3000];
    assert_eq!(sum(DType::F16, &[3000], &[0], &ones, 0.0), [3000.0]);
    assert_eq!(sum(DType::Bf16, &[3000, 1], &[0], &ones, 0.0), [3008.0]);
    assert_eq!(sum(DType::F16, &[2], &[0], &[65504.0, 65504.0], -65504.0), [65504.0]);
}

#[test]
fn a_half_reducer_that_looks_at_bits_stays_half() {
    // bf16 1 is 0x3f80; the reducer adds the bits as integers.
    let text = "f { a = bf16[] parameter(0)
                    b = bf16[] parameter(1)
                    c = u16[] bitcast-convert(a)
                    d = u16[] bitcast-convert(b)
                    e = u16[] or(c, d)
                    ROOT r = bf16[] bitcast-convert(e) }
                ENTRY e { x = bf16[2] constant({1, 2})
                          i = bf16[] constant(0)
                          ROOT r = bf16[] reduce(x, i), dimensions={0}, to_apply=f }";
    assert_eq!(run(text), "inf");
}

#[test]
fn integers_wrap_in_their_type() {
    assert_eq!(
        run(&format!(
            "{}ENTRY e {{ x = s8[3] constant({{127, 127, 127}})
                         i = s8[] constant(0)
                         ROOT r = s8[] reduce(x, i), dimensions={{0}}, to_apply=add }}",
            add("s8")
        )),
        "125"
    );
}

#[test]
fn arguments_of_the_maximum() {
    assert_eq!(
        run("f { a = f32[] parameter(0)
                 i = s32[] parameter(1)
                 b = f32[] parameter(2)
                 j = s32[] parameter(3)
                 gt = pred[] compare(b, a), direction=GT
                 eq = pred[] compare(b, a), direction=EQ
                 lt = pred[] compare(j, i), direction=LT
                 tie = pred[] and(eq, lt)
                 c = pred[] or(gt, tie)
                 x = f32[] select(c, b, a)
                 n = s32[] select(c, j, i)
                 ROOT r = (f32[], s32[]) tuple(x, n) }
             ENTRY e { x = f32[2,4] constant({{1, 5, 2, 5}, {-1, -1, -3, -2}})
                       i = s32[2,4] iota(), iota_dimension=1
                       z = f32[] constant(-inf)
                       m = s32[] constant(9)
                       ROOT r = (f32[2], s32[2]) reduce(x, i, z, m), dimensions={1}, to_apply=f }"),
        "(5, -1; 1, 0)"
    );
}

#[test]
fn reducers_may_be_any_computation() {
    // A reducer with an array and a loop inside runs the slow way, in f32 for bf16 elements.
    let text = |dtype: &str| {
        format!(
            "cond {{ p = ({dtype}[], s32[]) parameter(0)
                    n = s32[] get-tuple-element(p), index=1
                    two = s32[] constant(2)
                    ROOT r = pred[] compare(n, two), direction=LT }}
             body {{ p = ({dtype}[], s32[]) parameter(0)
                    x = {dtype}[] get-tuple-element(p), index=0
                    n = s32[] get-tuple-element(p), index=1
                    one = s32[] constant(1)
                    m = s32[] add(n, one)
                    half = {dtype}[] constant(0.5)
                    y = {dtype}[] add(x, half)
                    ROOT r = ({dtype}[], s32[]) tuple(y, m) }}
             f {{ a = {dtype}[] parameter(0)
                 b = {dtype}[] parameter(1)
                 ab = {dtype}[] add(a, b)
                 zero = s32[] constant(0)
                 t = ({dtype}[], s32[]) tuple(ab, zero)
                 w = ({dtype}[], s32[]) while(t), condition=cond, body=body
                 ROOT r = {dtype}[] get-tuple-element(w), index=0 }}
             ENTRY e {{ x = {dtype}[3] constant({{256, 1, 1}})
                       i = {dtype}[] constant(0)
                       ROOT r = {dtype}[] reduce(x, i), dimensions={{0}}, to_apply=f }}"
        )
    };
    // Three combinations, each adding 1.
    assert_eq!(run(&text("f32")), "261");
    assert_eq!(run(&text("bf16")), "260");
}

#[test]
fn scan_carries_from_slice_to_slice() {
    let text = |reverse: bool| {
        format!(
            "f {{ x = s32[2] parameter(0)
                 c = s32[2] parameter(1)
                 s = s32[2] add(x, c)
                 ROOT r = (s32[2], s32[2]) tuple(s, s) }}
             ENTRY e {{ x = s32[3,2] constant({{{{1, 2}}, {{3, 4}}, {{5, 6}}}})
                       c = s32[2] constant({{10, 20}})
                       ROOT r = (s32[3,2], s32[2]) scan(x, c), dimensions={{0}}, is_reverse={reverse},
                           num_carries=1, to_apply=f }}"
        )
    };
    assert_eq!(run(&text(false)), "(11, 22, 14, 26, 19, 32; 19, 32)");
    assert_eq!(run(&text(true)), "(19, 32, 18, 30, 15, 26; 19, 32)");
}

#[test]
fn batch_norm_training() {
    let text = "x = f32[2,2] constant({{1, 10}, {3, 30}})
                s = f32[2] constant({2, 1})
                o = f32[2] constant({0.5, 0})
                ROOT r = (f32[2,2], f32[2], f32[2]) batch-norm-training(x, s, o), epsilon=0, feature_index=1";
    assert_eq!(run(text), "(-1.5, -1, 2.5, 1; 2, 20; 1, 100)");
}

#[test]
fn batch_norm_inference_and_grad() {
    let inputs = "x = f32[2,1] constant({{1}, {3}})
                  s = f32[1] constant({2})
                  m = f32[1] constant({2})
                  v = f32[1] constant({4})\n";
    let inference = "o = f32[1] constant({0.5})
                     ROOT r = f32[2,1] batch-norm-inference(x, s, o, m, v), epsilon=0, feature_index=1";
    assert_eq!(run(&format!("{inputs}{inference}")), "-0.5, 1.5");
    // scale' = Σ g·(x−μ)/σ = (−1·1 + 1·3)/2; offset' = Σ g; x' = s/(σ·n)·(n·g − 4 − d·2/4).
    let grad = "g = f32[2,1] constant({{1}, {3}})
                ROOT r = (f32[2,1], f32[1], f32[1]) batch-norm-grad(x, s, m, v, g), epsilon=0, feature_index=1";
    assert_eq!(run(&format!("{inputs}{grad}")), "(-0.75, 0.75; 1; 4)");
}

#[test]
fn results_may_be_tuples_of_one() {
    let text = "f { a = s32[] parameter(0)
                    b = s32[] parameter(1)
                    s = s32[] add(a, b)
                    ROOT r = (s32[]) tuple(s) }
                ENTRY e { x = s32[3] constant({4, 5, 6})
                          i = s32[] constant(0)
                          ROOT r = (s32[]) reduce(x, i), dimensions={0}, to_apply=f }";
    assert_eq!(run(text), "(15)");
}
