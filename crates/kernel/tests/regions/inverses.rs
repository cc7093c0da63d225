//! Inverses of elements of fields, which vectors compute together: of zeros too, wherever they stand in a kernel.

use crate::common::region::{
    agree_in_place, agree_module, all_agree, entries, plan_and_code, plan_of, sum_of,
};
use lawson_hlo::DType;

/// One entry for each field whose elements have another width or way to multiply.
fn of_fields(text: &str) -> Vec<String> {
    let fields = ["babybear", "koalabear_mont", "mersenne31", "goldilocks", "goldilocks_mont"];
    fields.into_iter().flat_map(|field| entries(&text.replace("FIELD", field))).collect()
}

#[test]
fn every_field_has_joint_inverses() {
    for field in DType::ALL.iter().filter(|d| d.field().is_some()) {
        let plan = plan_of(&format!("x = {field}[300] parameter(0)\nROOT r = {field}[300] inverse(x)"));
        assert!(plan.contains("1 inverse of 20 vectors at once"), "{field}: {plan}");
    }
    let alone = plan_of("x = babybear[8] parameter(0)\nROOT r = babybear[8] inverse(x)");
    assert!(!alone.contains("at once"), "{alone}");
}

/// Of all lengths: less than a vector, vectors that overlap, more than a block.
#[test]
fn with_what_makes_and_reads_them() {
    all_agree(&of_fields(
        "
x = FIELD[5] parameter(0)
ROOT r = FIELD[5] inverse(x)
---
x = FIELD[130] parameter(0)
y = FIELD[130] parameter(1)
z = FIELD[] parameter(2)
b = FIELD[130] broadcast(z), dimensions={}
s = FIELD[130] add(y, b)
q = FIELD[130] divide(x, s)
p = FIELD[130] divide(y, s)
d = FIELD[130] subtract(q, p)
ROOT r = (FIELD[130], FIELD[130]) tuple(d, q)
---
x = FIELD[3,137] parameter(0)
y = FIELD[3,137] parameter(1)
i = FIELD[3,137] inverse(x)
s = FIELD[3,137] add(i, y)
ROOT r = FIELD[3,137] inverse(s)
",
    ));
    let blocks = "x = koalabear_mont[9000] parameter(0)\ny = koalabear_mont[9000] parameter(1)\n\
                  ROOT r = koalabear_mont[9000] divide(x, y)";
    all_agree(&[blocks.to_string()]);
}

/// What a block of several inverses is made of is no more than that of one, and they use the same operands.
#[test]
fn several_share_the_first_level_cache() {
    let text = |count: usize| {
        let each = (0..count).map(|n| {
            format!("p{n} = babybear[20000] parameter({n})\ni{n} = babybear[20000] inverse(p{n})\n")
        });
        let all: Vec<String> = (0..count).map(|n| format!("i{n}")).collect();
        let shapes = vec!["babybear[20000]"; count].join(", ");
        format!("{}ROOT r = ({shapes}) tuple({})", each.collect::<String>(), all.join(", "))
    };
    for (count, vectors) in [(2, 128), (3, 84), (4, 64), (8, 32)] {
        let [plan, code] = plan_and_code(&text(count));
        assert!(plan.contains(&format!("{count} inverses of {vectors} vectors at once")), "{plan}");
        let of = |name: &str| code.lines().filter(|l| l.contains("local") && l.contains(name)).count();
        assert_eq!((of("operands"), of("inverses")), (1, count), "{code}");
    }
    all_agree(&[text(3).replace("20000", "3100")]);
}

/// Pieces of which not all have an inverse, conditions, and elements that do not lie side by side.
#[test]
fn in_parts_of_a_loop() {
    all_agree(&of_fields(
        "
x = FIELD[70] parameter(0)
y = FIELD[45] parameter(1)
i = FIELD[70] inverse(x)
ROOT r = FIELD[115] concatenate(i, y), dimensions={0}
---
x = FIELD[40] parameter(0)
z = FIELD[] parameter(1)
i = FIELD[40] inverse(x)
ROOT r = FIELD[61] pad(i, z), padding=5_16
---
x = FIELD[20,33] parameter(0)
t = FIELD[33,20] transpose(x), dimensions={1,0}
ROOT r = FIELD[33,20] inverse(t)
---
x = FIELD[90] parameter(0)
s = FIELD[30] slice(x), slice={[1:90:3]}
v = FIELD[30] reverse(s), dimensions={0}
ROOT r = FIELD[30] inverse(v)
",
    ));
}

#[test]
fn in_the_memory_of_what_is_inverted() {
    for n in [64, 77, 300] {
        let entry = format!(
            "x = babybear[{n}] parameter(0)\ny = babybear[{n}] parameter(1)\n\
             ROOT r = babybear[{n}] divide(x, y)"
        );
        agree_in_place(&entry, &[(0, 1)]).expect("the same elements");
    }
}

/// Along the reduced axis a chunk shares them; and in the rows of a nest.
#[test]
fn in_sums() {
    for field in ["babybear", "koalabear_mont", "mersenne31", "goldilocks", "goldilocks_mont"] {
        for (dims, kept, reduced) in [
            ("100", "", "0"),
            ("3,1000", "3", "1"),
            ("5000", "", "0"),
            ("7,96", "", "0,1"),
            ("40,20", "20", "0"),
        ] {
            let quotient = format!("  q = {field}[{dims}] divide(y, x)");
            let text = sum_of(field, (dims, kept, reduced), &quotient, "q");
            agree_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        }
        let nest = format!(
            "HloModule m
add {{ a = {field}[] parameter(0)
  b = {field}[] parameter(1)
  ROOT r = {field}[] add(a, b) }}
ENTRY e {{
  x = {field}[6,150] parameter(0)
  z = {field}[] constant(0)
  s = {field}[6] reduce(x, z), dimensions={{1}}, to_apply=add
  b = {field}[6,150] broadcast(s), dimensions={{0}}
  d = {field}[6,150] subtract(x, b)
  ROOT r = {field}[6,150] inverse(d)
}}"
        );
        agree_module(&nest).unwrap_or_else(|e| panic!("{e}\n{nest}"));
    }
}
