//! Sums of products of elements of fields, which are reduced once: in expressions and in sums along an axis.

use crate::common::region::{agree_module, all_agree, entries, plan_and_code, sum_of};

const FIELDS: [&str; 5] = ["babybear", "babybear_mont", "koalabear_mont", "mersenne31", "goldilocks"];

#[test]
fn in_expressions() {
    let text = "
x = FIELD[37] parameter(0)
y = FIELD[37] parameter(1)
z = FIELD[] parameter(2)
b = FIELD[37] broadcast(z), dimensions={}
xy = FIELD[37] multiply(x, y)
xb = FIELD[37] multiply(x, b)
yy = FIELD[37] multiply(y, y)
bb = FIELD[37] multiply(b, b)
s = FIELD[37] add(xy, xb)
t = FIELD[37] subtract(x, yy)
u = FIELD[37] subtract(s, t)
v = FIELD[37] add(bb, u)
ROOT r = FIELD[37] subtract(y, v)
---
x = FIELD[37] parameter(0)
y = FIELD[37] parameter(1)
xy = FIELD[37] multiply(x, y)
yy = FIELD[37] multiply(y, y)
s = FIELD[37] add(xy, yy)
d = FIELD[37] subtract(xy, yy)
ROOT r = (FIELD[37], FIELD[37]) tuple(s, d)
";
    all_agree(&FIELDS.iter().flat_map(|f| entries(&text.replace("FIELD", f))).collect::<Vec<_>>());
}

/// Products in the vectors of a loop: two for x·y and y·y, and two for the one reduction.
#[test]
fn two_products_have_one_reduction() {
    let [_, code] = plan_and_code(
        "x = babybear_mont[64] parameter(0)\ny = babybear_mont[64] parameter(1)\n\
         xy = babybear_mont[64] multiply(x, y)\nyy = babybear_mont[64] multiply(y, y)\n\
         ROOT r = babybear_mont[64] subtract(xy, yy)",
    );
    assert_eq!(code.matches("mulwide").count(), 2 * 4, "{code}");
}

/// Along either axis, of lengths that fill no vector, with several products and where not all are products.
#[test]
fn in_reductions() {
    for field in FIELDS {
        for (dims, kept, reduced) in [
            ("9", "", "0"),
            ("100", "", "0"),
            ("3,1000", "3", "1"),
            ("9000", "", "0"),
            ("300,20", "20", "0"),
            ("600,3", "3", "0"),
        ] {
            let values = if dims == "9000" { &["d"][..] } else { &["xy", "d", "m"] };
            for value in values {
                let lines = format!(
                    "  xy = {field}[{dims}] multiply(x, y)
  yy = {field}[{dims}] multiply(y, y)
  d = {field}[{dims}] subtract(xy, yy)
  m = {field}[{dims}] subtract(xy, y)"
                );
                let text = sum_of(field, (dims, kept, reduced), &lines, value);
                agree_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            }
        }
    }
}

/// In plain storage one factor is brought to Montgomery form: x once for all products by it, c outside of the loop.
#[test]
fn products_by_one_element_share_its_correction() {
    let [_, code] = plan_and_code(
        "x = babybear[64] parameter(0)\nc = babybear[] parameter(1)\n\
         b = babybear[64] broadcast(c), dimensions={}\n\
         x2 = babybear[64] multiply(x, x)\ns2 = babybear[64] subtract(x2, b)\n\
         x3 = babybear[64] multiply(s2, x)\ns3 = babybear[64] subtract(x3, b)\n\
         ROOT r = babybear[64] multiply(s3, x)",
    );
    let products = 3 + 1;
    assert_eq!(code.matches("mulwide").count(), products * 6, "{code}");
}
