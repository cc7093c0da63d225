//! The rules one by one, by direct calls. Whole modules with faults in them are in `tests/hlo/verify`.

use super::*;
use crate::attrs::*;
use crate::devices::{DeviceArray, DeviceGroups, DeviceOrder};
use crate::dtype::DType::{self, *};
use crate::ids::{CompId, InstrId};
use crate::instruction::{Instruction, Origin};
use crate::module::{Computation, Header};

/// A module whose computation 0 adds two scalars of `dtype`.
fn module(dtype: DType) -> Module {
    let scalar = Shape::scalar(dtype);
    let instr = |name: &str, opcode, operands, attrs| {
        Instruction::new(name, opcode, scalar.clone(), operands, attrs, Origin::default())
    };
    let instrs = vec![
        instr("a", Opcode::Parameter, vec![], Attrs::Parameter(0)),
        instr("b", Opcode::Parameter, vec![], Attrs::Parameter(1)),
        instr("s", Opcode::Add, vec![InstrId(0), InstrId(1)], Attrs::None),
    ];
    let add = Computation { name: "add".into(), instrs, root: InstrId(2), execution_thread: None };
    Module {
        name: "m".into(),
        computations: vec![add],
        entry: CompId(0),
        header: Header::default(),
        sources: vec![],
    }
}

fn ask(opcode: Opcode, attrs: Attrs, operands: &[&Shape]) -> Result<String, String> {
    infer(&module(F32), opcode, &attrs, operands).map(|s| s.to_string()).map_err(|e| e.0)
}

#[track_caller]
fn gives(opcode: Opcode, attrs: Attrs, operands: &[&Shape], expected: &str) {
    assert_eq!(ask(opcode, attrs, operands).as_deref(), Ok(expected));
}

#[track_caller]
fn refuses(opcode: Opcode, attrs: Attrs, operands: &[&Shape], part: &str) {
    let error = ask(opcode, attrs, operands).expect_err("a fault");
    assert!(error.contains(part), "{error:?} lacks {part:?}");
}

fn f32s(dims: &[i64]) -> Shape {
    Shape::array(F32, dims)
}

#[test]
fn elementwise() {
    let (m, v, s) = (f32s(&[2, 3]), f32s(&[3]), f32s(&[]));
    let pred = Shape::array(Pred, [2, 3]);
    gives(Opcode::Tanh, Attrs::None, &[&m], "f32[2,3]");
    gives(Opcode::IsFinite, Attrs::None, &[&m], "pred[2,3]");
    gives(Opcode::Add, Attrs::None, &[&pred, &pred], "pred[2,3]");
    gives(Opcode::Abs, Attrs::None, &[&Shape::array(C64, [2])], "f32[2]");
    gives(Opcode::Clamp, Attrs::None, &[&s, &m, &m], "f32[2,3]");
    gives(Opcode::Select, Attrs::None, &[&Shape::scalar(Pred), &m, &m], "f32[2,3]");
    refuses(Opcode::Add, Attrs::None, &[&m, &v], "same dimensions");
    refuses(Opcode::Add, Attrs::None, &[&m, &Shape::array(Bf16, [2, 3])], "one element type");
    refuses(Opcode::Add, Attrs::None, &[&m], "takes 2 operands, not 1");
    refuses(Opcode::Subtract, Attrs::None, &[&pred, &pred], "needs numbers");
    refuses(Opcode::ShiftLeft, Attrs::None, &[&m, &m], "needs integers");
    refuses(Opcode::Select, Attrs::None, &[&m, &m, &m], "pred");
    let eq = Attrs::Compare { direction: Direction::Eq, order: CompareOrder::Default };
    gives(Opcode::Compare, eq, &[&m, &m], "pred[2,3]");
    refuses(Opcode::Compare, Attrs::None, &[&m, &m], "attributes");
    refuses(Opcode::Tanh, Attrs::None, &[&Shape::Tuple(vec![m.clone()])], "needs an array");
}

#[test]
fn what_must_be_declared_says_so() {
    let x = f32s(&[4]);
    refuses(Opcode::Reshape, Attrs::None, &[&x], "needs its shape stated");
    assert!(must_be_declared(Opcode::Iota) && !must_be_declared(Opcode::Slice));
}

#[test]
fn slices_are_exact_at_the_edges() {
    let slice = |start, limit, stride| Attrs::Slice(vec![SliceDim { start, limit, stride }]);
    let x = f32s(&[10]);
    gives(Opcode::Slice, slice(1, 10, 3), &[&x], "f32[3]");
    gives(Opcode::Slice, slice(4, 4, i64::MAX), &[&x], "f32[0]");
    refuses(Opcode::Slice, slice(0, 11, 1), &[&x], "[0:11]");
    refuses(Opcode::Slice, slice(5, 4, 1), &[&x], "[5:4]");
    refuses(Opcode::Slice, slice(0, 4, 0), &[&x], "stride 0");
    let huge = f32s(&[i64::MAX]);
    gives(Opcode::Slice, slice(0, i64::MAX, i64::MAX), &[&huge], "f32[1]");
}

#[test]
fn padding_crops_and_never_overflows() {
    let pad = |low, high, interior| Attrs::Pad(vec![PadDim { low, high, interior }]);
    let (x, z) = (f32s(&[4]), f32s(&[]));
    gives(Opcode::Pad, pad(1, -2, 2), &[&x, &z], "f32[9]");
    gives(Opcode::Pad, pad(2, 0, 5), &[&f32s(&[0]), &z], "f32[2]");
    refuses(Opcode::Pad, pad(-3, -2, 0), &[&x, &z], "leaves -1");
    refuses(Opcode::Pad, pad(i64::MAX, 0, 0), &[&x, &z], "too many");
    refuses(Opcode::Pad, pad(0, 0, i64::MAX), &[&x, &z], "too many");
    refuses(Opcode::Pad, pad(0, 0, -1), &[&x, &z], "negative interior");
}

#[test]
fn dynamic_slices_take_scalars_or_a_vector() {
    let (x, i) = (f32s(&[5, 7]), Shape::scalar(S32));
    let sizes = || Attrs::DynamicSlice(vec![2, 7]);
    gives(Opcode::DynamicSlice, sizes(), &[&x, &i, &i], "f32[2,7]");
    gives(Opcode::DynamicSlice, sizes(), &[&x, &Shape::array(U32, [2])], "f32[2,7]");
    refuses(Opcode::DynamicSlice, sizes(), &[&x, &i], "2 start indices, not 1");
    refuses(Opcode::DynamicSlice, Attrs::DynamicSlice(vec![6, 7]), &[&x, &i, &i], "dimension 0");
    gives(Opcode::DynamicUpdateSlice, Attrs::None, &[&x, &f32s(&[1, 7]), &i, &i], "f32[5,7]");
    refuses(Opcode::DynamicUpdateSlice, Attrs::None, &[&x, &f32s(&[1, 8]), &i, &i], "writes 8");
    refuses(Opcode::DynamicUpdateSlice, Attrs::None, &[&f32s(&[])], "lacks operand 1");
}

#[test]
fn dot_orders_batch_then_free() {
    let dims = DotDims {
        lhs_contracting: vec![1],
        rhs_contracting: vec![2],
        lhs_batch: vec![2],
        rhs_batch: vec![0],
    };
    let (a, b) = (f32s(&[3, 4, 9]), f32s(&[9, 5, 4]));
    let dot = Attrs::Dot(Box::new(dims.clone()));
    gives(Opcode::Dot, dot.clone(), &[&a, &b], "f32[9,3,5]");
    refuses(Opcode::Dot, dot, &[&a, &f32s(&[8, 5, 4])], "pairs dimension 2");
    let twice = DotDims { lhs_batch: vec![1], rhs_batch: vec![2], ..dims };
    refuses(Opcode::Dot, Attrs::Dot(Box::new(twice)), &[&a, &b], "twice");

    let (s8, m) = (Shape::array(S8, [2, 2]), module(F32));
    let plain = DotDims { lhs_contracting: vec![1], rhs_contracting: vec![0], ..Default::default() };
    let plain = Attrs::Dot(Box::new(plain));
    let declared = |d| check(&m, Opcode::Dot, &plain, &[&s8, &s8], &Shape::array(d, [2, 2]));
    assert_eq!(declared(S32), Ok(()));
    assert!(declared(Pred).is_err());
}

#[test]
fn convolution_with_groups_and_dilation() {
    let conv = ConvDims {
        window: vec![WindowDim { stride: 2, pad_low: 1, base_dilation: 2, ..WindowDim::of_size(3) }],
        input_batch: 0,
        input_feature: 2,
        input_spatial: vec![1],
        kernel_input_feature: 1,
        kernel_output_feature: 2,
        kernel_spatial: vec![0],
        output_batch: 0,
        output_feature: 2,
        output_spatial: vec![1],
        feature_group_count: 2,
        batch_group_count: 1,
    };
    let (x, k) = (f32s(&[4, 5, 6]), f32s(&[3, 3, 8]));
    let of = |c: &ConvDims| Attrs::Convolution(Box::new(c.clone()));
    // 5 dilated to 9, padded to 10; the window of 3 has 8 places, every second one counts.
    gives(Opcode::Convolution, of(&conv), &[&x, &k], "f32[4,4,8]");
    refuses(Opcode::Convolution, of(&conv), &[&x, &f32s(&[3, 2, 8])], "6 input features");
    refuses(Opcode::Convolution, of(&conv), &[&x, &f32s(&[3, 3, 7])], "7 output features");
    refuses(Opcode::Convolution, of(&conv), &[&x, &f32s(&[2, 3, 8])], "window size 3");
    let grouped = ConvDims { feature_group_count: 1, batch_group_count: 2, ..conv.clone() };
    gives(Opcode::Convolution, of(&grouped), &[&x, &f32s(&[3, 6, 8])], "f32[2,4,8]");
    let mut wild = conv.clone();
    wild.window[0].stride = 0;
    refuses(Opcode::Convolution, of(&wild), &[&x, &k], "stride 0");
    wild.window[0] = WindowDim { pad_low: i64::MAX, ..WindowDim::of_size(3) };
    refuses(Opcode::Convolution, of(&wild), &[&x, &k], "too large");
    wild.window[0] = WindowDim { window_dilation: i64::MAX, ..WindowDim::of_size(3) };
    refuses(Opcode::Convolution, of(&wild), &[&x, &k], "too large");
    let mut label = conv;
    label.output_spatial[0] = 2;
    refuses(Opcode::Convolution, of(&label), &[&x, &k], "twice in output dim_labels");
}

#[test]
fn reductions_check_their_reducer() {
    let reduce = |dims: &[usize]| Attrs::Reduce { dims: dims.to_vec(), to_apply: CompId(0) };
    let (x, z) = (f32s(&[2, 3, 4]), f32s(&[]));
    gives(Opcode::Reduce, reduce(&[2, 0]), &[&x, &z], "f32[3]");
    gives(Opcode::Reduce, reduce(&[]), &[&x, &z], "f32[2,3,4]");
    // An accumulator of more precision than the operands.
    gives(Opcode::Reduce, reduce(&[0, 1, 2]), &[&Shape::array(Bf16, [2, 3, 4]), &z], "f32[]");
    refuses(Opcode::Reduce, reduce(&[3]), &[&x, &z], "dimension 3");
    refuses(Opcode::Reduce, reduce(&[1, 1]), &[&x, &z], "twice");
    refuses(Opcode::Reduce, reduce(&[0]), &[&Shape::array(S32, [2]), &Shape::scalar(S32)], "of s32");
    refuses(Opcode::Reduce, reduce(&[0]), &[&x, &x, &z, &z], "take 4 parameters, not 2");
    refuses(Opcode::Reduce, reduce(&[0]), &[&x], "not 1 operands");
    refuses(Opcode::Reduce, reduce(&[0]), &[&x, &x], "scalar initial values");
    let missing = Attrs::Reduce { dims: vec![0], to_apply: CompId(7) };
    refuses(Opcode::Reduce, missing, &[&x, &z], "does not exist");
    let window = vec![WindowDim { stride: 2, ..WindowDim::of_size(2) }; 3];
    let window = Attrs::ReduceWindow { window, to_apply: CompId(0) };
    gives(Opcode::ReduceWindow, window, &[&x, &z], "f32[1,1,2]");
}

#[test]
fn gather_of_rows_with_a_batch() {
    let g = GatherDims {
        offset_dims: vec![1],
        collapsed_slice_dims: vec![1],
        start_index_map: vec![1],
        operand_batching_dims: vec![0],
        start_indices_batching_dims: vec![0],
        index_vector_dim: 2,
        slice_sizes: vec![1, 1, 5],
        indices_are_sorted: false,
    };
    let (x, i) = (f32s(&[3, 10, 5]), Shape::array(S32, [3, 7, 1]));
    let of = |g: &GatherDims| Attrs::Gather(Box::new(g.clone()));
    gives(Opcode::Gather, of(&g), &[&x, &i], "f32[3,5,7]");
    // A scalar index for each place: no index vector dimension in the indices.
    gives(Opcode::Gather, of(&g), &[&x, &Shape::array(S32, [3, 7])], "f32[3,5,7]");
    refuses(Opcode::Gather, of(&g), &[&x, &Shape::array(S32, [4, 7, 1])], "pairs dimension 0");
    refuses(Opcode::Gather, of(&g), &[&x, &Shape::array(S32, [3, 7, 2])], "index vectors of 2");
    refuses(Opcode::Gather, of(&g), &[&x, &Shape::array(F32, [3, 7, 1])], "integer");
    let wide = GatherDims { slice_sizes: vec![1, 2, 5], ..g.clone() };
    refuses(Opcode::Gather, of(&wide), &[&x, &i], "drops dimension 1");
    let far = GatherDims { offset_dims: vec![3], ..g };
    refuses(Opcode::Gather, of(&far), &[&x, &i], "dimension 3 in offset_dims");
}

#[test]
fn scatter_of_rows() {
    let s = ScatterDims {
        update_window_dims: vec![1],
        inserted_window_dims: vec![0],
        scatter_dims_to_operand_dims: vec![0],
        input_batching_dims: vec![],
        scatter_indices_batching_dims: vec![],
        index_vector_dim: 1,
        indices_are_sorted: false,
        unique_indices: false,
        to_apply: CompId(0),
    };
    let attrs = || Attrs::Scatter(Box::new(s.clone()));
    let (x, i) = (f32s(&[10, 5]), Shape::array(S32, [4, 1]));
    gives(Opcode::Scatter, attrs(), &[&x, &i, &f32s(&[4, 5])], "f32[10,5]");
    gives(Opcode::Scatter, attrs(), &[&x, &i, &f32s(&[4, 3])], "f32[10,5]");
    refuses(Opcode::Scatter, attrs(), &[&x, &i, &f32s(&[4, 6])], "writes 6");
    refuses(Opcode::Scatter, attrs(), &[&x, &i, &f32s(&[3, 5])], "updates for the indices [4]");
    refuses(Opcode::Scatter, attrs(), &[&x, &i], "not 2 operands");
}

#[test]
fn declared_shapes() {
    let m = module(F32);
    let ok = |op, attrs: &Attrs, operands: &[&Shape], declared: Shape| {
        check(&m, op, attrs, operands, &declared).is_ok()
    };
    let x = f32s(&[2, 3]);
    assert!(ok(Opcode::Reshape, &Attrs::None, &[&x], f32s(&[6])));
    assert!(!ok(Opcode::Reshape, &Attrs::None, &[&x], f32s(&[5])));
    assert!(!ok(Opcode::Reshape, &Attrs::None, &[&x], Shape::array(S32, [6])));
    let b = |dims: &[usize]| Attrs::Dims(dims.to_vec());
    assert!(ok(Opcode::Broadcast, &b(&[2, 0]), &[&x], f32s(&[3, 9, 2])));
    assert!(!ok(Opcode::Broadcast, &b(&[0, 0]), &[&x], f32s(&[2, 3])));
    assert!(!ok(Opcode::Broadcast, &b(&[0, 1]), &[&x], f32s(&[2, 4])));
    assert!(ok(Opcode::BitcastConvert, &Attrs::None, &[&x], Shape::array(U8, [2, 3, 4])));
    assert!(ok(Opcode::BitcastConvert, &Attrs::None, &[&Shape::array(U8, [2, 4])], f32s(&[2])));
    assert!(!ok(Opcode::BitcastConvert, &Attrs::None, &[&Shape::array(U8, [2, 3])], f32s(&[2])));
    assert!(ok(Opcode::Convert, &Attrs::None, &[&x], Shape::array(S4, [2, 3])));
    assert!(!ok(Opcode::Convert, &Attrs::None, &[&x], f32s(&[3, 2])));
    assert!(ok(Opcode::Iota, &Attrs::Iota(1), &[], x.clone()));
    assert!(!ok(Opcode::Iota, &Attrs::Iota(2), &[], x.clone()));
    assert!(!ok(Opcode::Add, &Attrs::None, &[&x, &x], f32s(&[6])));
}

#[test]
fn tuples_and_barriers() {
    let (x, p) = (f32s(&[2]), Shape::scalar(Pred));
    gives(Opcode::Tuple, Attrs::None, &[&x, &p], "(f32[2], pred[])");
    gives(Opcode::OptimizationBarrier, Attrs::None, &[&x, &p], "(f32[2], pred[])");
    let t = Shape::Tuple(vec![x.clone(), p.clone()]);
    gives(Opcode::GetTupleElement, Attrs::TupleIndex(1), &[&t], "pred[]");
    refuses(Opcode::GetTupleElement, Attrs::TupleIndex(2), &[&t], "element 2 of a tuple of 2 elements");
    refuses(Opcode::GetTupleElement, Attrs::TupleIndex(0), &[&x], "needs a tuple");
    gives(Opcode::AddDependency, Attrs::None, &[&x, &Shape::Token], "f32[2]");
}

/// Every opcode with every kind of attributes and odd operands: an answer, never a panic.
#[test]
fn nothing_panics() {
    let m = module(F32);
    let wild = [i64::MIN, -1, 0, 1, i64::MAX];
    let mut attrs = vec![Attrs::None, Attrs::Dims(vec![usize::MAX, 0]), Attrs::TupleIndex(usize::MAX)];
    attrs.extend([Attrs::Iota(usize::MAX), Attrs::TopK { k: i64::MIN, largest: true }]);
    attrs.push(Attrs::Gather(Box::default()));
    attrs.push(Attrs::Dot(Box::new(DotDims { lhs_batch: vec![9], ..Default::default() })));
    attrs.push(Attrs::BatchNorm { epsilon_bits: 0, feature_index: 5 });
    attrs.push(Attrs::Conditional { branches: vec![], predicated: false });
    for lengths in [vec![], vec![0], vec![i64::MIN, i64::MAX], vec![i64::MAX; 4]] {
        for inner in [0, 1, usize::MAX] {
            attrs.push(Attrs::Fft { kind: FftKind::Irfft, lengths: lengths.clone(), inner });
        }
    }
    for dim in [None, Some(0), Some(usize::MAX)] {
        for group in wild {
            let rows = DeviceArray { dims: vec![group, group], devices: DeviceOrder::Listed(vec![group]) };
            attrs.push(Attrs::Collective(Box::new(Collective {
                channel_id: Some(group),
                peers: Peers::Groups(DeviceGroups::Rows(rows)),
                use_global_device_ids: true,
                constrain_layout: false,
                dim,
                to_apply: None,
                rest: vec![],
            })));
        }
    }
    let to_apply = CompId(0);
    for &a in &wild {
        attrs.push(Attrs::DynamicSlice(vec![a]));
        for &b in &wild {
            attrs.push(Attrs::Slice(vec![SliceDim { start: a, limit: b, stride: a }]));
            attrs.push(Attrs::Pad(vec![PadDim { low: a, high: b, interior: b }]));
            let odd = WindowDim { pad_low: a, pad_high: a, base_dilation: b, ..WindowDim::of_size(b) };
            attrs.push(Attrs::ReduceWindow { window: vec![odd], to_apply });
        }
    }
    let mut shapes: Vec<Shape> = wild.iter().map(|&d| f32s(&[d])).collect();
    shapes.extend([f32s(&[]), f32s(&[i64::MAX, i64::MAX]), Shape::Token, Shape::Tuple(vec![])]);
    for &opcode in Opcode::ALL {
        for a in &attrs {
            for x in &shapes {
                let operands = [x, &shapes[5], x, &shapes[3], x];
                for n in 0..=operands.len() {
                    let _ = infer(&m, opcode, a, &operands[..n]);
                    let _ = check(&m, opcode, a, &operands[..n], x);
                }
            }
        }
    }
}
