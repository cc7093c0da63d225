//! Cases that have no derivative, or are about the batch alone: integers, indices of every form, control flow.

use crate::cases::{Case, Input::*};
use lawson_hlo::Opcode::{self, *};

pub fn cases() -> Vec<Case> {
    let mut all = elementwise();
    all.extend(indices());
    all.extend(movement());
    all.extend(combining());
    all.extend(control());
    all.extend(fields());
    all.extend(decompositions());
    all
}

fn decompositions() -> Vec<Case> {
    let lu = "a = f64[2,3,3] parameter(0)\n\
              ROOT y = (f64[2,3,3], s32[2,3], s32[2,3]) custom-call(a), custom_call_target=\"lawson.lu\"";
    let qr = "a = f64[4,3] parameter(0)\nf = (f64[4,3], f64[3]) custom-call(a), custom_call_target=\"Qr\"\n\
              p = f64[4,3] get-tuple-element(f), index=0\nt = f64[3] get-tuple-element(f), index=1\n\
              ROOT q = f64[4,3] custom-call(p, t), custom_call_target=\"ProductOfElementaryHouseholderReflectors\"";
    [lu, qr].map(|body| Case::new(Linalg, body, &[Between(-1.0, 1.0)])).into()
}

fn elementwise() -> Vec<Case> {
    let mut all = Vec::new();
    let numbers = || Exactly(vec![3, -7, 12, 5, 0, 100]);
    let small = || Exactly(vec![1, 2, 0, 3, 31, 4]);
    let unary = |op: Opcode, from: &str, to: &str| {
        format!("x = {from}[2,3] parameter(0)\nROOT y = {to}[2,3] {op}(x)")
    };
    for op in [CountLeadingZeros, PopulationCount, Not, Abs, Sign, Negate] {
        all.push(Case::new(op, &unary(op, "s32", "s32"), &[numbers()]));
    }
    all.push(Case::new(IsFinite, &unary(IsFinite, "f64", "pred"), &[Between(-1.0, 1.0)]));
    all.push(Case::new(Convert, &unary(Convert, "s32", "f32"), &[numbers()]));
    for op in [And, Or, Xor, MulHi, ShiftLeft, ShiftRightArithmetic, ShiftRightLogical, Remainder, Divide] {
        let body = format!("a = s32[6] parameter(0)\nb = s32[6] parameter(1)\nROOT y = s32[6] {op}(a, b)");
        all.push(Case::new(op, &body, &[numbers(), small()]));
    }
    for direction in ["EQ", "LT", "GE"] {
        let body = format!(
            "a = s32[6] parameter(0)\nb = s32[6] parameter(1)\n\
             ROOT y = pred[6] compare(a, b), direction={direction}"
        );
        all.push(Case::new(Compare, &body, &[numbers(), small()]));
    }
    let scalars = "p = pred[] parameter(0)\na = f64[] parameter(1)\nb = f64[] parameter(2)\n\
                   ROOT y = f64[] select(p, a, b)";
    let x = Between(-1.0, 1.0);
    all.push(Case::new(Select, scalars, &[Exactly(vec![1]), x.clone(), x.clone()]));
    let clamp = "l = s32[] parameter(0)\nx = s32[] parameter(1)\nh = s32[6] parameter(2)\n\
                 y = s32[6] broadcast(x), dimensions={}\nROOT z = s32[6] clamp(l, y, h)";
    all.push(Case::new(Clamp, clamp, &[Exactly(vec![1]), Exactly(vec![4]), numbers()]));
    let map = "a = f64[] parameter(0)\nROOT y = f64[] map(a), dimensions={}, to_apply=f";
    let f = "f { a = f64[] parameter(0)\n ROOT r = f64[] sine(a) }";
    all.push(Case::new(Map, map, std::slice::from_ref(&x)).with(f));
    for (from, to, dims) in [("f64[2]", "u32[2,2]", ""), ("u32[3,2]", "u64[3]", ""), ("s32[2]", "u32[2]", "")]
    {
        let body = format!("x = {from} parameter(0)\nROOT y = {to} bitcast-convert(x){dims}");
        let input = match from {
            "f64[2]" => x.clone(),
            "s32[2]" => Exactly(vec![7, -1]),
            _ => Exactly(vec![1, 2, 3, 4, 5, 6]),
        };
        all.push(Case::new(BitcastConvert, &body, &[input]));
    }
    all
}

fn indices() -> Vec<Case> {
    let x = Between(-1.0, 1.0);
    let slice = |dtype: &str| {
        format!(
            "x = f64[5,4] parameter(0)\ni = {dtype}[] parameter(1)\nj = {dtype}[] parameter(2)\n\
             ROOT y = f64[2,4] dynamic-slice(x, i, j), dynamic_slice_sizes={{2,4}}"
        )
    };
    let update = |dtype: &str| {
        format!(
            "x = f64[5,300] parameter(0)\nu = f64[2,290] parameter(1)\ni = {dtype}[] parameter(2)\n\
             j = {dtype}[] parameter(3)\nROOT y = f64[5,300] dynamic-update-slice(x, u, i, j)"
        )
    };
    let vector = "x = f64[5,4] parameter(0)\ni = s32[2] parameter(1)\n\
                  ROOT y = f64[2,3] dynamic-slice(x, i), dynamic_slice_sizes={2,3}";
    let vector_update = "x = f64[5,4] parameter(0)\nu = f64[2,3] parameter(1)\ni = s32[2] parameter(2)\n\
                         ROOT y = f64[5,4] dynamic-update-slice(x, u, i)";
    let scalar = "x = f64[5] parameter(0)\ni = s32[] parameter(1)\n\
                  ROOT y = f64[] gather(x, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, \
                  index_vector_dim=0, slice_sizes={1}";
    let whole = "x = f64[] parameter(0)\nu = f64[] parameter(1)\nROOT y = f64[] dynamic-update-slice(x, u)";
    let mut all = vec![
        Case::new(DynamicSlice, vector, &[x.clone(), Exactly(vec![3, 0])]),
        Case::new(DynamicUpdateSlice, vector_update, &[x.clone(), x.clone(), Exactly(vec![2, -1])]),
        Case::new(DynamicUpdateSlice, whole, &[x.clone(), x.clone()]),
        Case::new(Gather, scalar, &[x.clone(), Exactly(vec![2])]),
    ];
    for (dtype, i, j) in [("u8", 2, 255 - 2), ("s64", 9, -4), ("s8", 120, -100), ("u64", 1, 2)] {
        let starts = [Exactly(vec![i]), Exactly(vec![j])];
        let inputs = [vec![x.clone()], starts.to_vec()].concat();
        all.push(Case::new(DynamicSlice, &slice(dtype), &inputs));
        let inputs = [vec![x.clone(), x.clone()], starts.to_vec()].concat();
        all.push(Case::new(DynamicUpdateSlice, &update(dtype), &inputs));
    }
    all
}

fn movement() -> Vec<Case> {
    let x = &[Between(-1.0, 1.0)];
    vec![
        Case::new(Bitcast, "x = f64[2,6] parameter(0)\nROOT y = f64[3,4] bitcast(x)", x),
        Case::new(Bitcast, "x = f64[2,3] parameter(0)\nROOT y = u32[3,4] bitcast(x)", x),
        Case::new(
            GetDimensionSize,
            "x = f64[2,6] parameter(0)\nn = s32[] get-dimension-size(x), dimensions={1}\n\
             f = f64[] convert(n)\nb = f64[2,6] broadcast(f), dimensions={}\nROOT y = f64[2,6] add(x, b)",
            x,
        ),
        Case::new(
            Pad,
            "x = pred[3] parameter(0)\nv = pred[] parameter(1)\nROOT y = pred[8] pad(x, v), padding=1_2_1",
            &[Exactly(vec![1, 0, 1]), Exactly(vec![1])],
        ),
        Case::new(Transpose, "x = f64[] parameter(0)\nROOT y = f64[] transpose(x), dimensions={}", x),
        Case::new(
            Copy,
            "x = f64[2] parameter(0)\ni = s32[] constant(1)\nt = (f64[2], s32[]) tuple(x, i)\n\
             ROOT c = (f64[2], s32[]) copy(t)",
            x,
        ),
    ]
}

fn combining() -> Vec<Case> {
    let numbers = || Exactly(vec![3, -7, 12, 5, 0, 100]);
    let x = Between(-1.0, 1.0);
    let least = "x = s32[2,3] parameter(0)\nc = s32[] parameter(1)\n\
                 ROOT y = s32[2] reduce(x, c), dimensions={1}, to_apply=least";
    let by = "least { a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT r = s32[] minimum(a, b) }";
    let half = "x = f16[2,3] parameter(0)\nc = f16[] parameter(1)\n\
                ROOT y = f16[2] reduce(x, c), dimensions={1}, to_apply=sum";
    let sum = "sum { a = f16[] parameter(0)\n b = f16[] parameter(1)\n ROOT r = f16[] add(a, b) }";
    let digits = "x = f64[3] parameter(0)\nc = f64[] parameter(1)\n\
                  ROOT y = f64[] reduce(x, c), dimensions={0}, to_apply=digits";
    let digits_by = "digits { a = f64[] parameter(0)\n b = f64[] parameter(1)\n ten = f64[] constant(10)\n
                     m = f64[] multiply(a, ten)\n ROOT r = f64[] add(m, b) }";
    let argmax = "x = f64[3,4] parameter(0)\ni = s32[3,4] iota(), iota_dimension=1\nc = f64[] parameter(1)\n\
                  k = s32[] constant(0)\n\
                  ROOT y = (f64[3], s32[3]) reduce(x, i, c, k), dimensions={1}, to_apply=argmax";
    let wide = "a = s8[2,3] parameter(0)\nb = s8[3] parameter(1)\n\
                ROOT y = s32[2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    let bits =
        "s = u64[2] parameter(0)\nROOT y = (u64[2], u32[2,3]) rng-bit-generator(s), algorithm=rng_three_fry";
    let inference = "x = f64[2,3,2] parameter(0)\ns = f64[3] parameter(1)\no = f64[3] constant({1, 2, 3})\n\
                     m = f64[3] constant({0, 1, 2})\nv = f64[3] constant({1, 2, 3})\n\
                     ROOT y = f64[2,3,2] batch-norm-inference(x, s, o, m, v), epsilon=0.01, feature_index=1";
    let training = "x = f64[2,3,2] parameter(0)\ns = f64[2] parameter(1)\no = f64[2] constant({1, 2})\n\
                    ROOT y = (f64[2,3,2], f64[2], f64[2]) batch-norm-training(x, s, o), epsilon=0.01, feature_index=2";
    let scan = "x = f64[4,3] parameter(0)\nz = f64[4] parameter(1)\nc = f64[3] parameter(2)\n\
                ROOT y = (f64[4,3], f64[3]) scan(x, z, c), dimensions={0}, num_carries=1, to_apply=step";
    let step = "step { x = f64[3] parameter(0)\n z = f64[] parameter(1)\n c = f64[3] parameter(2)\n
                b = f64[3] broadcast(z), dimensions={}\n m = f64[3] multiply(x, b)\n n = f64[3] add(m, c)\n
                ROOT r = (f64[3], f64[3]) tuple(m, n) }";
    vec![
        Case::new(Reduce, least, &[numbers(), Exactly(vec![2])]).with(by),
        Case::new(Reduce, half, &[x.clone(), x.clone()]).with(sum),
        Case::new(Reduce, digits, &[x.clone(), x.clone()]).with(digits_by),
        Case::new(Reduce, argmax, &[Distinct, x.clone()]),
        Case::new(Dot, wide, &[Exactly(vec![1, -2, 3, 100, 5, 6]), Exactly(vec![100, 2, -3])]),
        Case::new(RngBitGenerator, bits, &[Exactly(vec![1, 2])]),
        Case::new(BatchNormInference, inference, &[x.clone(), x.clone()]),
        Case::new(BatchNormTraining, training, &[x.clone(), x.clone()]),
        Case::new(Scan, scan, &[x.clone(), x.clone(), x]).with(step),
    ]
}

fn control() -> Vec<Case> {
    let x = Between(-1.0, 1.0);
    // Doubles x while it is below the limit, and counts; `k` stays as it is.
    let until =
        "body { s = (s32[], f64[2], f64[], f64[2]) parameter(0)\n i = s32[] get-tuple-element(s), index=0\n
                 x = f64[2] get-tuple-element(s), index=1\n l = f64[] get-tuple-element(s), index=2\n
                 k = f64[2] get-tuple-element(s), index=3\n o = s32[] constant(1)\n j = s32[] add(i, o)\n
                 y = f64[2] add(x, x)\n z = f64[2] add(y, k)\n
                 ROOT r = (s32[], f64[2], f64[], f64[2]) tuple(j, z, l, k) }
                 condition { s = (s32[], f64[2], f64[], f64[2]) parameter(0)\n
                 x = f64[2] get-tuple-element(s), index=1\n l = f64[] get-tuple-element(s), index=2\n
                 a = f64[1] slice(x), slice={[0:1]}\n b = f64[] reshape(a)\n
                 ROOT r = pred[] compare(b, l), direction=LT }";
    let loops = "x = f64[2] parameter(0)\nl = f64[] parameter(1)\nk = f64[2] parameter(2)\ni = s32[] constant(0)\n\
                 t = (s32[], f64[2], f64[], f64[2]) tuple(i, x, l, k)\n\
                 ROOT w = (s32[], f64[2], f64[], f64[2]) while(t), condition=condition, body=body";
    // A sum over rows, as a scan: the counter stays the same for all examples.
    let rows = "body { s = (s32[], f64[2], f64[4,2], f64[4,2]) parameter(0)\n
                i = s32[] get-tuple-element(s), index=0\n c = f64[2] get-tuple-element(s), index=1\n
                xs = f64[4,2] get-tuple-element(s), index=2\n ys = f64[4,2] get-tuple-element(s), index=3\n
                z = s32[] constant(0)\n row = f64[1,2] dynamic-slice(xs, i, z), dynamic_slice_sizes={1,2}\n
                x = f64[2] reshape(row)\n d = f64[2] add(c, x)\n e = f64[1,2] reshape(d)\n
                zs = f64[4,2] dynamic-update-slice(ys, e, i, z)\n o = s32[] constant(1)\n j = s32[] add(i, o)\n
                ROOT r = (s32[], f64[2], f64[4,2], f64[4,2]) tuple(j, d, xs, zs) }
                condition { s = (s32[], f64[2], f64[4,2], f64[4,2]) parameter(0)\n
                i = s32[] get-tuple-element(s), index=0\n n = s32[] constant(4)\n
                ROOT r = pred[] compare(i, n), direction=LT }";
    let scan = "c = f64[2] parameter(0)\nxs = f64[4,2] parameter(1)\ni = s32[] constant(0)\nz = f64[] constant(0)\n\
                ys = f64[4,2] broadcast(z), dimensions={}\n\
                t = (s32[], f64[2], f64[4,2], f64[4,2]) tuple(i, c, xs, ys)\n\
                w = (s32[], f64[2], f64[4,2], f64[4,2]) while(t), condition=condition, body=body\n\
                a = f64[2] get-tuple-element(w), index=1\nb = f64[4,2] get-tuple-element(w), index=3\n\
                ROOT r = (f64[2], f64[4,2]) tuple(a, b)";
    let bare = "body { x = f64[] parameter(0)\n ROOT y = f64[] add(x, x) }
                condition { x = f64[] parameter(0)\n l = f64[] constant(10)\n
                ROOT r = pred[] compare(x, l), direction=LT }";
    let branches = "up { x = f64[2] parameter(0)\n ROOT y = f64[2] add(x, x) }
                    down { t = (f64[2], f64[]) parameter(0)\n x = f64[2] get-tuple-element(t), index=0\n
                    s = f64[] get-tuple-element(t), index=1\n b = f64[2] broadcast(s), dimensions={}\n
                    ROOT y = f64[2] multiply(x, b) }";
    let either = "p = pred[] parameter(0)\nx = f64[2] parameter(1)\ns = f64[] parameter(2)\n\
                  t = (f64[2], f64[]) tuple(x, s)\n\
                  ROOT y = f64[2] conditional(p, x, t), true_computation=up, false_computation=down";
    let many =
        "one { x = f64[2] parameter(0)\n i = s32[] constant(1)\n ROOT t = (f64[2], s32[]) tuple(x, i) }
                two { x = f64[2] parameter(0)\n y = f64[2] sine(x)\n i = s32[] constant(2)\n
                ROOT t = (f64[2], s32[]) tuple(y, i) }
                three { x = f64[2] parameter(0)\n y = f64[2] cosine(x)\n i = s32[] constant(3)\n
                ROOT t = (f64[2], s32[]) tuple(y, i) }";
    let switch = "i = s32[] parameter(0)\nx = f64[2] parameter(1)\nz = f64[2] parameter(2)\n\
                  ROOT y = (f64[2], s32[]) conditional(i, x, z, x), branch_computations={one, two, three}";
    let mut all = vec![
        Case::new(While, loops, &[Between(0.1, 1.0), Between(2.0, 60.0), Between(0.0, 1.0)]).with(until),
        Case::new(While, scan, &[x.clone(), x.clone()]).with(rows),
        Case::new(
            While,
            "x = f64[] parameter(0)\nROOT w = f64[] while(x), condition=condition, body=body",
            &[Between(0.1, 12.0)],
        )
        .with(bare),
        Case::new(Conditional, either, &[Exactly(vec![1]), x.clone(), x.clone()]).with(branches),
    ];
    for first in [-1, 0, 1, 2] {
        all.push(Case::new(Conditional, switch, &[Exactly(vec![first]), x.clone(), x.clone()]).with(many));
    }
    all
}

/// Operations that prime fields have alone, and products of an extension with its field.
fn fields() -> Vec<Case> {
    let numbers = || Exactly(vec![3, 7, 12, 5, 0, 100]);
    let inverse = "x = babybear_mont[2,3] parameter(0)\nROOT y = babybear_mont[2,3] inverse(x)";
    let power = "x = goldilocks[6] parameter(0)\nn = u8[6] parameter(1)\nROOT y = goldilocks[6] power(x, n)";
    let mixed = "x = mersenne31x2[6] parameter(0)\ny = mersenne31[6] parameter(1)\n\
                 a = mersenne31x2[6] multiply(y, x)\nROOT z = mersenne31x2[6] divide(a, y)";
    let dot = "x = babybearx4[2,3] parameter(0)\ny = babybear[3,2] parameter(1)\n\
               ROOT z = babybearx4[2,2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    let reduce = "x = koalabear_mont[2,3] parameter(0)\nc = koalabear_mont[] parameter(1)\n\
                  ROOT y = koalabear_mont[2] reduce(x, c), dimensions={1}, to_apply=times";
    let times = "times { a = koalabear_mont[] parameter(0)\n b = koalabear_mont[] parameter(1)\n
                 ROOT r = koalabear_mont[] multiply(a, b) }";
    let ntt = "x = goldilocks[2,4] parameter(0)\nROOT y = goldilocks[2,4] ntt(x), ntt_type=INTT, ntt_length={4}, coset=7";
    let points = Exactly(vec![3, 7, 12, 5, 0, 100, 1, 2]);
    vec![
        Case::new(Ntt, ntt, &[points]),
        Case::new(Inverse, inverse, &[numbers()]),
        Case::new(Power, power, &[numbers(), Exactly(vec![0, 1, 2, 3, 200, 4])]),
        Case::new(Multiply, mixed, &[numbers(), numbers()]),
        Case::new(Dot, dot, &[numbers(), numbers()]),
        Case::new(Reduce, reduce, &[numbers(), Exactly(vec![2])]).with(times),
    ]
}
