//! Reductions that store on the way what maps make of the same elements: one kernel that reads once, with the bits of the
//! interpreter.

use super::common::region::{agree, agree_in_place, all_agree, chosen, entries};
use lawson_kernel::region::{Kind, Region};

/// Values combined and arrays stored by each reduction, with the parts in which it stores each.
fn shape(region: &Region) -> Vec<(usize, Vec<usize>)> {
    let of = |kind: &Kind| match kind {
        Kind::Reduce { values, stored, .. } => {
            Some((values.len(), stored.iter().map(|s| s.parts.len()).collect()))
        }
        _ => None,
    };
    region.stages.iter().filter_map(|s| of(&s.kind)).collect()
}

/// Each entry is one kernel of a single reduction that combines so many values and stores arrays in so many parts; it moves
/// so many bytes.
#[track_caller]
fn stored(text: &str, expected: &[(usize, &[usize], i64)]) {
    let all = entries(text);
    for (entry, &(values, parts, bytes)) in all.iter().zip(expected) {
        let (region, plan, figures) = chosen(entry).unwrap_or_else(|r| panic!("{r}\n{entry}"));
        assert_eq!(shape(&region), [(values, parts.to_vec())], "{entry}\n{region}");
        let moved = figures.bytes_read + figures.bytes_written;
        assert_eq!((plan.groups.len(), moved), (1, bytes), "{entry}\n{region}{plan}");
    }
    assert_eq!(all.len(), expected.len());
    all_agree(&all);
}

#[test]
fn a_map_and_the_sum_of_what_it_makes() {
    stored(
        "  x = f32[9000] parameter(0)
  zero = f32[] constant(0)
  e = f32[9000] exponential(x)
  s = f32[] reduce(e, zero), dimensions={0}, to_apply=add
  ROOT r = (f32[9000], f32[]) tuple(e, s)
---
  x = f32[30,300] parameter(0)
  zero = f32[] constant(0)
  m = f32[30,300] multiply(x, x)
  s = f32[] reduce(m, zero), dimensions={0,1}, to_apply=add
  n = f32[9000] reshape(x)
  g = f32[9000] negate(n)
  ROOT r = (f32[], f32[9000], f32[30,300]) tuple(s, g, m)
---
  x = bf16[5000] parameter(0)
  zero = bf16[] constant(0)
  e = bf16[5000] add(x, x)
  s = bf16[] reduce(e, zero), dimensions={0}, to_apply=add_bf16
  n = bf16[] constant(5000)
  mean = bf16[] divide(s, n)
  ROOT r = (bf16[], bf16[5000]) tuple(mean, e)
---
  x = f32[10] parameter(0)
  low = f32[] constant(-inf)
  e = f32[10] negate(x)
  s = f32[] reduce(e, low), dimensions={0}, to_apply=max
  ROOT r = (f32[10], f32[]) tuple(e, s)",
        &[
            (1, &[1], 9000 * 4 * 2 + 4),
            (1, &[1, 1], 9000 * 4 * 3 + 4),
            (1, &[1], 5000 * 2 * 2 + 2),
            (1, &[1], 10 * 4 * 2 + 4),
        ],
    );
}

/// A table of `n` numbers folded to half as many, and the sums of two halves of these, cut by `halves`.
fn folded(n: i64, halves: [&str; 2]) -> String {
    let (h, q) = (n / 2, n / 4);
    format!(
        "  t = f32[{n}] parameter(0)
  r = f32[] parameter(1)
  zero = f32[] constant(0)
  lo = f32[{h}] slice(t), slice={{[0:{h}]}}
  hi = f32[{h}] slice(t), slice={{[{h}:{n}]}}
  d = f32[{h}] subtract(hi, lo)
  rb = f32[{h}] broadcast(r), dimensions={{}}
  m = f32[{h}] multiply(d, rb)
  new = f32[{h}] add(lo, m)
  a = f32[{q}] slice(new), slice={{{}}}
  b = f32[{q}] slice(new), slice={{{}}}
  s0 = f32[] reduce(a, zero), dimensions={{0}}, to_apply=add
  s1 = f32[] reduce(b, zero), dimensions={{0}}, to_apply=add
  ROOT out = (f32[{h}], f32[], f32[]) tuple(new, s0, s1)",
        halves[0], halves[1]
    )
}

#[test]
fn halves_are_stored_side_by_side() {
    let all = [
        folded(20000, ["[0:5000]", "[5000:10000]"]),
        folded(20000, ["[0:10000:2]", "[1:10000:2]"]),
        folded(68, ["[0:17]", "[17:34]"]),
        folded(40000, ["[0:10000]", "[10000:20000]"]),
    ];
    let bytes = |n: i64| (n + n / 2) * 4 + 4 + 8;
    let expected = [20000, 20000, 68, 40000].map(|n| (2, &[2usize][..], bytes(n)));
    stored(&all.join("\n---\n"), &expected);
}

#[test]
fn halves_as_rows_of_a_reshape() {
    let entry = "  t = f32[40000] parameter(0)
  r = f32[] parameter(1)
  zero = f32[] constant(0)
  lo = f32[20000] slice(t), slice={[0:20000]}
  hi = f32[20000] slice(t), slice={[20000:40000]}
  d = f32[20000] subtract(hi, lo)
  rb = f32[20000] broadcast(r), dimensions={}
  m = f32[20000] multiply(d, rb)
  new = f32[20000] add(lo, m)
  v = f32[2,10000] reshape(new)
  s = f32[2] reduce(v, zero), dimensions={1}, to_apply=add
  ROOT out = (f32[20000], f32[2]) tuple(new, s)";
    // As few rows as that fit in a nest too, so the form is asked for.
    agree(entry).unwrap();
    let large = entry.replace("40000", "4000000").replace("20000", "2000000").replace("10000]", "1000000]");
    let (region, _, figures) = chosen(&large).expect("a kernel");
    assert_eq!(shape(&region), [(1, vec![1])], "{region}");
    assert_eq!(figures.bytes_read + figures.bytes_written, 6000000 * 4 + 4 + 8);
}

#[test]
fn two_tables_and_three_sums_of_their_products() {
    let fold = |t: &str| {
        format!(
            "  {t}lo = f32[9000] slice({t}), slice={{[0:9000]}}
  {t}hi = f32[9000] slice({t}), slice={{[9000:18000]}}
  {t}d = f32[9000] subtract({t}hi, {t}lo)
  {t}m = f32[9000] multiply({t}d, rb)
  {t}n = f32[9000] add({t}lo, {t}m)
  {t}0 = f32[4500] slice({t}n), slice={{[0:4500]}}
  {t}1 = f32[4500] slice({t}n), slice={{[4500:9000]}}
  {t}2 = f32[4500] subtract({t}1, {t}0)"
        )
    };
    let sum = |n: i64| {
        format!(
            "  p{n} = f32[4500] multiply(a{n}, b{n})
  s{n} = f32[] reduce(p{n}, zero), dimensions={{0}}, to_apply=add"
        )
    };
    let entry = format!(
        "  a = f32[18000] parameter(0)
  b = f32[18000] parameter(1)
  r = f32[] parameter(2)
  zero = f32[] constant(0)
  rb = f32[9000] broadcast(r), dimensions={{}}
{}
{}
{}
{}
{}
  ROOT out = (f32[9000], f32[9000], f32[], f32[], f32[]) tuple(an, bn, s0, s1, s2)",
        fold("a"),
        fold("b"),
        sum(0),
        sum(1),
        sum(2)
    );
    stored(&entry, &[(3, &[2, 2], 54000 * 4 + 4 + 12)]);
}

#[test]
fn large_arrays_are_stored_past_the_caches() {
    let entry = |n: i64| {
        format!(
            "  x = f32[{n}] parameter(0)
  zero = f32[] constant(0)
  m = f32[{n}] multiply(x, x)
  s = f32[] reduce(m, zero), dimensions={{0}}, to_apply=add
  ROOT r = (f32[{n}], f32[]) tuple(m, s)"
        )
    };
    let streams = |n: i64| chosen(&entry(n)).expect("a kernel").1.to_string().contains("streaming stores");
    assert!(streams(1 << 24) && !streams(1 << 16) && !streams((1 << 24) + 1));
}

#[test]
fn what_a_reduction_cannot_store_has_a_loop_of_its_own() {
    let others = entries(
        "  x = f32[9000] parameter(0)
  zero = f32[] constant(0)
  s = f32[] reduce(x, zero), dimensions={0}, to_apply=add
  c = f32[8000] slice(x), slice={[0:8000]}
  e = f32[8000] exponential(c)
  ROOT r = (f32[8000], f32[]) tuple(e, s)
---
  x = f32[9000] parameter(0)
  zero = f32[] constant(0)
  c = f32[1000] slice(x), slice={[0:1000]}
  s = f32[] reduce(c, zero), dimensions={0}, to_apply=add
  e = f32[9000] exponential(x)
  ROOT r = (f32[9000], f32[]) tuple(e, s)
---
  x = f32[9000] parameter(0)
  y = f32[9000] parameter(1)
  zero = f32[] constant(0)
  s = f32[] reduce(x, zero), dimensions={0}, to_apply=add
  e = f32[9000] exponential(y)
  ROOT r = (f32[9000], f32[]) tuple(e, s)
---
  x = f32[9000] parameter(0)
  zero = f32[] constant(0)
  s = f32[] reduce(x, zero), dimensions={0}, to_apply=add
  w = f32[9000] reverse(x), dimensions={0}
  ROOT r = (f32[9000], f32[]) tuple(w, s)
---
  x = f32[9000] parameter(0)
  y = f32[800] parameter(1)
  zero = f32[] constant(0)
  s = f32[] reduce(x, zero), dimensions={0}, to_apply=add
  c = f32[1] slice(x), slice={[5:6]}
  f = f32[] reshape(c)
  b = f32[800] broadcast(f), dimensions={}
  w = f32[800] multiply(y, b)
  ROOT r = (f32[800], f32[]) tuple(w, s)",
    );
    for entry in &others {
        assert!(chosen(entry).is_err(), "{entry}");
    }
    all_agree(&others);
}

#[test]
fn what_is_stored_may_take_the_place_of_what_is_read() {
    for n in [10, 5000, 20000] {
        let entry = |start: &str| {
            format!(
                "  x = f32[{n}] parameter(0)
  g = f32[{n}] parameter(1)
  zero = f32[] constant(0)
  first = f32[1] slice(x), slice={{[0:1]}}
  other = f32[] reshape(first)
  m = f32[{n}] multiply(x, x)
  y = f32[{n}] subtract(m, g)
  s = f32[] reduce(y, {start}), dimensions={{0}}, to_apply=add
  ROOT r = (f32[{n}], f32[]) tuple(y, s)"
            )
        };
        agree_in_place(&entry("zero"), &[(0, 0)]).unwrap();
        agree_in_place(&entry("other"), &[(0, 1)]).unwrap();
        // What the sum starts from is read after the elements are replaced.
        assert_eq!(agree_in_place(&entry("other"), &[(0, 0)]), Err("no input is taken over".into()));
    }
}

/// Of each shape, sums over all or some of the axes beside arrays of all elements, through reshapes and slices.
#[test]
fn all_shapes_and_axes() {
    let mut all = Vec::new();
    for (dims, reduced, kept) in [
        ("64,70", "0", "70"),
        ("64,70", "1", "64"),
        ("3,5000", "0,1", ""),
        ("3,5000", "1", "3"),
        ("600,3", "0", "3"),
        ("2,300,16", "1", "2,16"),
        ("2,300,17", "0,2", "300"),
        ("7,2,9", "0,1,2", ""),
        ("5,1,33", "2", "5,1"),
        ("1000,2", "1", "1000"),
    ] {
        all.push(format!(
            "  x = f32[{dims}] parameter(0)
  y = f32[{dims}] parameter(1)
  zero = f32[] constant(0)
  low = f32[] constant(-inf)
  a = f32[{dims}] multiply(x, y)
  b = f32[{dims}] subtract(x, y)
  s = f32[{kept}] reduce(a, zero), dimensions={{{reduced}}}, to_apply=add
  t = f32[{kept}] reduce(b, low), dimensions={{{reduced}}}, to_apply=max
  u = f32[{kept}] add(s, t)
  ROOT r = (f32[{dims}], f32[{kept}], f32[{dims}]) tuple(b, u, a)"
        ));
    }
    all_agree(&all);
}
