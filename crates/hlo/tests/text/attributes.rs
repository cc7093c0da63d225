//! The attributes of every group of opcodes, there and back, in the order in which XLA prints them.

use crate::{entry, find, round_trip, round_trip_entry};
use lawson_hlo::attrs::{PadDim, SliceDim};
use lawson_hlo::{Attrs, Opcode};

/// Instructions that print exactly as they stand here, given the computations below.
const EXACT: &str = "  p = f32[4,4] parameter(0), parameter_replication={true}, sharding={devices=[2,1]<=[2]}
  i = s32[] parameter(1)
  q = pred[] parameter(2)
  tok = token[] after-all()
  zero = f32[] constant(0)
  idx = s32[2,1] iota(), iota_dimension=0
  b = f32[4] broadcast(zero), dimensions={}
  tr = f32[4,4]{0,1} transpose(p), dimensions={1,0}
  rev = f32[4,4] reverse(p), dimensions={0,1}
  cat = f32[8,4] concatenate(p, p), dimensions={0}
  sl = f32[2,4] slice(p), slice={[0:4:2], [0:4]}
  ds = f32[2,2] dynamic-slice(p, i, i), dynamic_slice_sizes={2,2}
  dus = f32[4,4] dynamic-update-slice(p, ds, i, i)
  pd = f32[6,9] pad(p, zero), padding=1_1x-1_0_2
  ga = f32[2,4] gather(p, idx), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}, indices_are_sorted=true
  gb = f32[4,4] gather(p, idx), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}
  sc = f32[4,4] scatter(p, idx, ga), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, unique_indices=true, to_apply=add
  dot = f32[4,4] dot(p, p), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={highest,highest}, algorithm=dot_bf16_bf16_f32
  im = f32[1,4,4,1] reshape(p)
  ke = f32[1,1,3,3] constant({ { { { 0, 0, 0 }, { 0, 1, 0 }, { 0, 0, 0 } } } })
  cv = f32[1,2,4,1] convolution(im, ke), window={size=3x3 stride=2x1 pad=1_1x1_1 rhs_reversal=1x1}, dim_labels=b01f_io01->b01f, feature_group_count=1
  rd = f32[4] reduce(p, zero), dimensions={1}, to_apply=add
  rw = f32[2,2] reduce-window(p, zero), window={size=2x2 stride=2x2}, to_apply=add
  ss = f32[4,4] select-and-scatter(p, rw, zero), window={size=2x2 stride=2x2}, select=ge, scatter=add
  so = f32[4,4] sort(p), dimensions={1}, is_stable=true, to_apply=ge
  tk = (f32[4,2], s32[4,2]) topk(p), k=2, largest=true
  mp = f32[4,4] map(p, p), dimensions={0,1}, to_apply=add
  cm = pred[4,4] compare(p, p), direction=LE, type=TOTALORDER
  rp = f32[4,4] reduce-precision(p), exponent_bits=5, mantissa_bits=10
  ex = f32[4,4] exponential(p), result_accuracy={tolerance={atol=0,rtol=0,ulps=2}}
  tt = (f32[4], f32[4]) tuple(rd, b)
  el = f32[4] get-tuple-element(tt), index=1
  wh = f32[4] while(rd), condition=always, body=id, backend_config={\"known_trip_count\":{\"n\":\"5\"}}
  c1 = f32[4] conditional(q, rd, b), true_computation=id, false_computation=id
  c2 = f32[4] conditional(i, rd, b, b), branch_computations={id, id, id}
  ca = f32[4] call(rd), to_apply=id, is_composite=true, frontend_attributes={composite.name=\"foo.bar\",a={b = 1 : i32}}
  fu = f32[4] fusion(rd), kind=kInput, calls=id, output_to_operand_aliasing={{}: (0, {})}
  cc = f32[4] custom-call(rd), custom_call_target=\"f \\\"quoted\\\"\", custom_call_has_side_effect=true, called_computations={id}, api_version=API_VERSION_TYPED_FFI, backend_config=\"opaque, text\"
  eh = (f32[4,4], f32[4]) custom-call(p), custom_call_target=\"lawson.eigh\", backend_config={\"lower\":false,\"vectors\":true}
  hq = (f32[4,4], f32[4]) custom-call(p), custom_call_target=\"Qr\"
  rn = f32[4] rng(zero, zero), distribution=rng_uniform
  rb = (u64[2], u32[4]) rng-bit-generator(st), algorithm=rng_three_fry
  rs = u64[1] rng-get-and-update-state(), delta=4096
  bn = f32[4,4] batch-norm-inference(p, b, b, b, b), epsilon=0.001, feature_index=1
  ch = f32[4,4] cholesky(p), lower=true
  ts = f32[4,4] triangular-solve(p, p), left_side=true, lower=true, transpose_a=NO_TRANSPOSE
  tu = f32[4,4] triangular-solve(p, p), lower=true, unit_diagonal=true, transpose_a=TRANSPOSE
  ta = f32[4,4] triangular-solve(p, p), transpose_a=ADJOINT
  ff = c64[4,4] fft(p), fft_type=FFT, fft_length={4}
  fi = c64[4,4] fft(p), fft_type=FFT, fft_length={4}, inner_dimensions=1
  dm = f32[4] domain(rd), domain={kind=\"sharding\", entry={maximal device=0}, exit={maximal device=1}}
  ar = f32[4] all-reduce(rd), channel_id=1, replica_groups=[2,2]<=[2,2]T(1,0), use_global_device_ids=true, to_apply=add
  ag = f32[8] all-gather(rd), replica_groups={{0,1},{2,3}}, constrain_layout=true, dimensions={0}
  cp = f32[4] collective-permute(rd), source_target_pairs={{0,1},{1,0}}
  sd = (f32[4], u32[], token[]) send(rd, tok), channel_id=16, is_host_transfer=true, control-predecessors={ar, cp}
  as = ((f32[4]), f32[4], u32[]) async-start(rd), async_execution_thread=\"parallel\", calls=id
  au = ((f32[4]), f32[4], u32[]) async-update(as)
  ad = f32[4] async-done(au)
  ns = ((f32[4]), f32[4], u32[]) negate-start(rd)
  nd = f32[4] negate-done(ns), metadata={op_type=\"neg\" op_name=\"it's \\\"that\\\"\"}
  pid = u32[] partition-id()
  ob = f32[4] opt-barrier(rd), sharding={replicated}, frontend_attributes={k=\"v\",k2=\"w\"}, metadata={op_name=\"o\"}, backend_config={\"a\":[1,{\"b\":\"}\"}]}
  ROOT end = f32[4] copy(rd)
";

const COMPUTATIONS: &str = "HloModule m
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT z = f32[] add(x, y)
}
ge {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT z = pred[] compare(x, y), direction=GE
}
always {
  x = f32[4] parameter(0)
  ROOT z = pred[] constant(true)
}
id {
  x = f32[4] parameter(0)
  ROOT z = f32[4] copy(x)
}
ENTRY e {
";

#[test]
fn every_group_prints_as_it_was_read() {
    let entry = EXACT
        .replace("rng-bit-generator(st)", "rng-bit-generator(st0)")
        .replace("  rb = ", "  st0 = u64[2] constant({1, 2})\n  rb = ");
    let printed = round_trip(&format!("{COMPUTATIONS}{entry}}}\n"));
    let body = printed.split("ENTRY e {\n").nth(1).expect("an entry");
    for (expected, found) in entry.lines().zip(body.lines()) {
        // A group count of 1 is the default, which goes without saying.
        assert_eq!(found, expected.replace(", feature_group_count=1", ""));
    }
}

#[test]
fn notes_are_kept_and_print_after_the_meaning() {
    let lines = round_trip_entry(
        "x = f32[2] parameter(0)\n\
         y = pred[2] compare(x, x), backend_config={}, metadata={op_name=\"n\", source_line=3}, channel_id=4, direction=EQ, statistics={visualizing_index=1,stat-1=33}",
    );
    assert_eq!(
        lines[1],
        "ROOT y = pred[2] compare(x, x), direction=EQ, channel_id=4, statistics={visualizing_index=1,stat-1=33}, \
         metadata={op_name=\"n\" source_line=3}, backend_config={}"
    );
}

#[test]
fn defaults_need_not_be_written() {
    let module = entry(
        "p = f32[4,4] parameter(0)\nz = f32[] constant(0)\nb = f32[4] broadcast(z)\nd = f32[] dot(b, b), rhs_contracting_dims={0}, lhs_contracting_dims={0}\n\
         s = f32[4,2] slice(p), slice={[0:4], [1:3:1]}\nq = f32[4,5] pad(p, z), padding=0_0x1_0",
    );
    assert_eq!(find(&module, "b").attrs, Attrs::Dims(vec![]));
    let one = SliceDim { start: 1, limit: 3, stride: 1 };
    assert!(matches!(&find(&module, "s").attrs, Attrs::Slice(s) if s[1] == one));
    let pad = PadDim { low: 1, high: 0, interior: 0 };
    assert!(matches!(&find(&module, "q").attrs, Attrs::Pad(p) if p[1] == pad));
}

#[test]
fn asynchronous_forms_keep_their_spelling() {
    let module = entry(
        "x = f32[4] parameter(0)\ns = ((f32[4]), f32[4], u32[]) sine-start(x)\nu = ((f32[4]), f32[4], u32[]) sine-update(s)\nd = f32[4] sine-done(u)",
    );
    assert_eq!(find(&module, "s").opcode, Opcode::AsyncStart);
    assert_eq!(find(&module, "u").opcode, Opcode::AsyncUpdate);
    assert_eq!(find(&module, "d").opcode, Opcode::AsyncDone);
    assert!(module.to_string().contains("sine-update(s)"));
    // These have opcodes of their own.
    let module =
        entry("x = f32[4] parameter(0)\ns = (f32[4], f32[4], u32[]) copy-start(x)\nd = f32[4] copy-done(s)");
    assert_eq!(find(&module, "s").opcode, Opcode::CopyStart);
}

#[test]
fn conditionals_on_pred_are_predicated_however_written() {
    let branches = "t { a = f32[] parameter(0) }\nf { a = f32[] parameter(0) }\n";
    let text = |operand: &str| {
        format!(
            "{branches}ENTRY e {{ p = {operand} parameter(0) x = f32[] parameter(1) c = f32[] conditional(p, x, x), branch_computations={{t, f}} }}"
        )
    };
    for (operand, expected) in [("pred[]", true), ("s32[]", false)] {
        let module = crate::parse(&text(operand));
        assert!(
            matches!(&find(&module, "c").attrs, Attrs::Conditional { predicated, .. } if *predicated == expected)
        );
        round_trip(&text(operand));
    }
}
