//! Pieces that have much in common, evaluated together: butterflies, rotations, interleaved components.

use super::common::region::{agree_as_planned, agree_in_place, chosen, entries};
use lawson_kernel::lower::lower;
use lawson_kernel::region::Kind;

/// Rotations, butterflies and their like. All of them are worth evaluating together on a processor.
const TOGETHER: &str = "
x = f32[33,2,70] parameter(0)
c = f32[70] parameter(1)
s = f32[70] parameter(2)
a = f32[33,1,70] slice(x), slice={[0:33],[0:1],[0:70]}
b = f32[33,1,70] slice(x), slice={[0:33],[1:2],[0:70]}
cb = f32[33,1,70] broadcast(c), dimensions={2}
sb = f32[33,1,70] broadcast(s), dimensions={2}
ac = f32[33,1,70] multiply(a, cb)
bs = f32[33,1,70] multiply(b, sb)
as = f32[33,1,70] multiply(a, sb)
bc = f32[33,1,70] multiply(b, cb)
l = f32[33,1,70] subtract(ac, bs)
r = f32[33,1,70] add(as, bc)
ROOT y = f32[33,2,70] concatenate(l, r), dimensions={1}
---
x = f32[5,140] parameter(0)
a = f32[5,70] slice(x), slice={[0:5],[0:70]}
b = f32[5,70] slice(x), slice={[0:5],[70:140]}
e = f32[5,70] exponential(a)
t = f32[5,70] tanh(b)
l = f32[5,70] add(e, t)
r = f32[5,70] subtract(e, t)
ROOT y = f32[5,140] concatenate(l, r), dimensions={1}
---
x = babybear_mont[9,4,17] parameter(0)
a = babybear_mont[9,1,17] slice(x), slice={[0:9],[0:1],[0:17]}
b = babybear_mont[9,1,17] slice(x), slice={[0:9],[1:2],[0:17]}
c = babybear_mont[9,1,17] slice(x), slice={[0:9],[2:3],[0:17]}
d = babybear_mont[9,1,17] slice(x), slice={[0:9],[3:4],[0:17]}
i = babybear_mont[] constant(1728404513)
ib = babybear_mont[9,1,17] broadcast(i), dimensions={}
ac = babybear_mont[9,1,17] add(a, c)
amc = babybear_mont[9,1,17] subtract(a, c)
bd = babybear_mont[9,1,17] add(b, d)
bmd0 = babybear_mont[9,1,17] subtract(b, d)
bmd = babybear_mont[9,1,17] multiply(bmd0, ib)
y0 = babybear_mont[9,1,17] add(ac, bd)
y1 = babybear_mont[9,1,17] add(amc, bmd)
y2 = babybear_mont[9,1,17] subtract(ac, bd)
y3 = babybear_mont[9,1,17] subtract(amc, bmd)
ROOT y = babybear_mont[9,4,17] concatenate(y0, y1, y2, y3), dimensions={1}
---
x = f32[83] parameter(0)
e = f32[83] exponential(x)
t = f32[83] tanh(x)
a = f32[83] add(e, t)
b = f32[83] multiply(e, t)
c = f32[83] subtract(e, t)
ar = f32[83,1] reshape(a)
br = f32[83,1] reshape(b)
cr = f32[83,1] reshape(c)
ROOT y = f32[83,3] concatenate(ar, br, cr), dimensions={1}
---
x = f64[7,83] parameter(0)
e = f64[7,83] exponential(x)
t = f64[7,83] tanh(x)
a = f64[7,83] add(e, t)
b = f64[7,83] multiply(e, t)
ar = f64[7,83,1] reshape(a)
br = f64[7,83,1] reshape(b)
ab = f64[7,83,2] concatenate(ar, br), dimensions={2}
ROOT y = f64[7,166] reshape(ab)
---
x = bf16[64] parameter(0)
e = bf16[64] exponential(x)
t = bf16[64] tanh(x)
a = bf16[64] add(e, t)
b = bf16[64] multiply(e, t)
c = bf16[64] subtract(e, t)
d = bf16[64] maximum(e, t)
ar = bf16[64,1] reshape(a)
br = bf16[64,1] reshape(b)
cr = bf16[64,1] reshape(c)
dr = bf16[64,1] reshape(d)
v = bf16[64,4] concatenate(ar, br, cr, dr), dimensions={1}
ROOT y = bf16[4,64] transpose(v), dimensions={1,0}
---
x = f32[40,100] parameter(0)
e = f32[40,100] exponential(x)
t = f32[40,100] tanh(e)
n = f32[40,100] negate(t)
l = f32[80,100] concatenate(e, t), dimensions={0}
r = f32[80,100] concatenate(n, t), dimensions={0}
ROOT y = (f32[80,100], f32[80,100]) tuple(l, r)
---
x = f32[6,50] parameter(0)
p = f32[] parameter(1)
e = f32[6,50] exponential(x)
t = f32[6,50] tanh(e)
n = f32[6,50] negate(t)
c = f32[12,50] concatenate(t, n), dimensions={0}
ROOT y = f32[12,50] reverse(c), dimensions={0}
---
x = f32[9,6,50] parameter(0)
i = s32[] parameter(1)
z = s32[] constant(0)
d = f32[1,6,50] dynamic-slice(x, i, z, z), dynamic_slice_sizes={1,6,50}
r = f32[6,50] reshape(d)
e = f32[6,50] exponential(r)
t = f32[6,50] tanh(e)
n = f32[6,50] negate(t)
ROOT y = f32[12,50] concatenate(t, n), dimensions={0}
";

/// Whether the planner evaluates the pieces of an entry together.
fn is_together(entry: &str) -> bool {
    let (region, ..) = chosen(entry).expect("a kernel");
    matches!(region.stages[..], [ref stage] if matches!(stage.kind, Kind::Pieces(_)))
}

#[test]
fn what_pieces_have_in_common_is_evaluated_once() {
    for entry in entries(TOGETHER) {
        assert!(is_together(&entry), "apart:\n{entry}");
        if let Err(error) = agree_as_planned(&entry) {
            panic!("{error}\n{entry}");
        }
    }
}

#[test]
fn pieces_of_their_own_stay_apart() {
    let apart = "
x = f32[300] parameter(0)
y = f32[300] parameter(1)
e = f32[300] exponential(x)
t = f32[300] tanh(y)
ROOT r = f32[600] concatenate(e, t), dimensions={0}
---
x = f32[300] parameter(0)
y = f32[199] parameter(1)
e = f32[300] exponential(x)
f = f32[199] slice(e), slice={[0:199]}
t = f32[199] add(y, f)
ROOT r = f32[499] concatenate(e, t), dimensions={0}
---
x = f32[30,8] parameter(0)
e = f32[30,8] exponential(x)
n = f32[30,8] negate(e)
ROOT r = f32[30,16] concatenate(e, n), dimensions={1}
---
x = f32[32,48] parameter(0)
at = s32[10,1] parameter(1)
g = f32[10,48] gather(x, at), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,48}
e = f32[10,48] exponential(g)
n = f32[10,48] negate(e)
ROOT r = f32[20,48] concatenate(e, n), dimensions={0}
";
    for entry in entries(apart) {
        assert!(!is_together(&entry), "together:\n{entry}");
        if let Err(error) = agree_as_planned(&entry) {
            panic!("{error}\n{entry}");
        }
    }
}

/// Vectors of three components side by side: elements of three vectors take turns in memory.
const COMPONENTS: &str = "
x = f32[64] parameter(0)
e = f32[64] exponential(x)
t = f32[64] tanh(x)
a = f32[64] add(e, t)
b = f32[64] multiply(e, t)
c = f32[64] subtract(e, t)
ar = f32[64,1] reshape(a)
br = f32[64,1] reshape(b)
cr = f32[64,1] reshape(c)
ROOT y = f32[64,3] concatenate(ar, br, cr), dimensions={1}";

#[test]
fn components_side_by_side_are_stored_as_whole_vectors() {
    let (region, plan, _) = chosen(COMPONENTS).expect("a kernel");
    let code = lower(&region, &plan, "k").expect("a kernel").to_string();
    let stores: Vec<&str> = code.lines().filter(|l| l.trim_start().starts_with("store")).collect();
    assert_eq!(stores.len(), 3, "{code}");
    assert!(!code.contains("iota"), "a scatter:\n{code}");
    // Each vector is shuffled once, and each result chosen from the three lane by lane.
    assert_eq!(code.matches("shuffle").count(), 3 + 6, "{code}");
}

/// Pieces that have nothing in common, but take turns in memory.
#[test]
fn stacks_are_stored_as_whole_vectors() {
    let stack = "
x = f32[83] parameter(0)
y = f32[83] parameter(1)
z = f32[83] parameter(2)
xr = f32[83,1] reshape(x)
yr = f32[83,1] reshape(y)
zr = f32[83,1] reshape(z)
ROOT r = f32[83,3] concatenate(xr, yr, zr), dimensions={1}";
    assert!(is_together(stack));
    agree_as_planned(stack).unwrap();
    // Rows of 40 elements are whole vectors by themselves.
    let rows = stack.replace("[83]", "[83,40]").replace("[83,1]", "[83,1,40]").replace("[83,3]", "[83,3,40]");
    assert!(!is_together(&rows));
}

#[test]
fn butterflies_work_in_the_memory_of_their_input() {
    let butterfly = "
x = f32[40,2,64] parameter(0)
a = f32[40,1,64] slice(x), slice={[0:40],[0:1],[0:64]}
b = f32[40,1,64] slice(x), slice={[0:40],[1:2],[0:64]}
l = f32[40,1,64] add(a, b)
r = f32[40,1,64] subtract(a, b)
ROOT y = f32[40,2,64] concatenate(l, r), dimensions={1}";
    agree_in_place(butterfly, &[(0, 0)]).unwrap();
    // Stockham's order reads and writes different elements at a point.
    let stockham = butterfly.replace(
        "ROOT y = f32[40,2,64] concatenate(l, r), dimensions={1}",
        "ROOT y = f32[80,1,64] concatenate(l, r), dimensions={0}",
    );
    assert!(is_together(&stockham));
    assert_eq!(agree_in_place(&stockham, &[(0, 0)]), Err("no input is taken over".into()));
}

#[test]
fn pieces_of_an_update_go_where_it_goes() {
    // One step of a wavelet transform, into a corner of a larger array.
    let haar = "x = f32[40,64] parameter(0)
z = s32[] constant(0)
a = f32[40,32] slice(x), slice={[0:40],[0:64:2]}
b = f32[40,32] slice(x), slice={[0:40],[1:64:2]}
l = f32[40,32] add(a, b)
r = f32[40,32] subtract(a, b)
u = f32[40,64] concatenate(l, r), dimensions={1}
t = f32[70,100] parameter(1)
ROOT y = f32[70,100] dynamic-update-slice(t, u, z, z)";
    assert!(is_together(haar));
    assert_eq!(agree_as_planned(haar), Ok(()));
    // Where data says where the update goes, it is one.
    let moved = haar.replace("z = s32[] constant(0)", "z = s32[] parameter(2)");
    assert!(!is_together(&moved));
}
