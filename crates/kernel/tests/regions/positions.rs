//! Indices that the program computes of iotas and constants.

use super::common::Rng;
use super::common::region::{all_agree, region_of};

/// A gather of elements of `x` at computed places: `index` defines `n` of the iotas `i`, along rows, and `j`, along columns.
fn gather(dtype: &str, (rows, columns, elements): (i64, i64, i64), index: &str) -> String {
    format!(
        "x = f32[{elements}] parameter(0)\ni = {dtype}[{rows},{columns}] iota(), iota_dimension=0\n\
         j = {dtype}[{rows},{columns}] iota(), iota_dimension=1\n{index}\n\
         ROOT r = f32[{rows},{columns}] gather(x, n), offset_dims={{}}, collapsed_slice_dims={{0}}, \
         start_index_map={{0}}, index_vector_dim=2, slice_sizes={{1}}"
    )
}

/// The loads of `x`, without the conditions under which they are made.
fn loads(entry: &str) -> Vec<String> {
    let text = region_of(entry).to_string();
    let load = |line: &str| {
        let (_, rest) = line.split_once("in0[")?;
        Some(rest.split(']').next()?.to_string())
    };
    text.lines().filter_map(load).collect()
}

fn constants(dtype: &str, values: &[i64]) -> String {
    let one = |v: &i64| {
        let name = format!("c{}", v.to_string().replace('-', "m"));
        format!(
            "s{name} = {dtype}[] constant({v})\n{name} = {dtype}[6,40] broadcast(s{name}), dimensions={{}}\n"
        )
    };
    values.iter().map(one).collect()
}

fn loads_of(elements: i64, values: &[i64], index: &str) -> Vec<String> {
    let entry = gather("s32", (6, 40, elements), &format!("{}{index}", constants("s32", values)));
    all_agree(std::slice::from_ref(&entry));
    loads(&entry)
}

#[test]
fn arithmetic_of_iotas_is_a_place() {
    let windows = "a = s32[6,40] multiply(i, c4)\nn = s32[6,40] add(a, j)";
    assert_eq!(loads_of(60, &[4], windows), ["4*d0 + d1"]);
    let halves = "a = s32[6,40] shift-right-arithmetic(j, c1)\nb = s32[6,40] multiply(i, c20)\nn = s32[6,40] add(a, b)";
    assert_eq!(loads_of(120, &[1, 20], halves).len(), 1);
    // Along rows a remainder stays one.
    let rows = "a = s32[6,40] add(i, c2)\nb = s32[6,40] remainder(a, c6)\nm = s32[6,40] multiply(b, c40)\n\
                n = s32[6,40] add(m, j)";
    assert_eq!(loads_of(240, &[2, 6, 40], rows), ["d1 + 40*(d0 + 2) mod 6"]);
}

#[test]
fn what_begins_again_along_a_line_is_two_pieces() {
    let rolled = "a = s32[6,40] add(j, c3)\nn = s32[6,40] remainder(a, c40)";
    assert_eq!(loads_of(40, &[3, 40], rolled), ["d1 + 3", "d1 - 37"]);
    let from_the_end = "a = s32[6,40] subtract(j, c1)\nb = s32[6,40] add(a, c40)\n\
                        p = pred[6,40] compare(a, c0), direction=LT\nn = s32[6,40] select(p, b, a)";
    assert_eq!(loads_of(40, &[0, 1, 40], from_the_end), ["d1 + 39", "d1 - 1"]);
    let edge = "a = s32[6,40] subtract(j, c2)\nb = s32[6,40] maximum(a, c0)\nn = s32[6,40] minimum(b, c30)";
    assert_eq!(loads_of(40, &[0, 2, 30], edge), ["0", "d1 - 2", "30"]);
    // Downwards, and by a remainder that is raised where it is negative.
    let down = "a = s32[6,40] subtract(c5, j)\nb = s32[6,40] remainder(a, c40)\nm = s32[6,40] add(b, c40)\n\
                p = pred[6,40] compare(b, c0), direction=LT\nq = pred[6,40] compare(b, c0), direction=NE\n\
                o = pred[6,40] and(p, q)\nn = s32[6,40] select(o, m, b)";
    assert_eq!(loads_of(40, &[0, 5, 40], down), ["-1*d1 + 45", "-1*d1 + 5"]);
}

#[test]
fn places_that_wrap_around_or_lie_outside_are_left_to_data() {
    let is_data = |loads: Vec<String>| loads.iter().all(|l| l.contains('s'));
    assert!(is_data(loads_of(60, &[30], "n = s32[6,40] add(j, c30)")));
    assert!(is_data(loads_of(60, &[1], "n = s32[6,40] subtract(i, c1)")));
    let bytes = gather("s8", (6, 40, 128), &format!("{}n = s8[6,40] multiply(j, c5)", constants("s8", &[5])));
    all_agree(std::slice::from_ref(&bytes));
    assert!(is_data(loads(&bytes)));
    let many = "a = s32[6,40] multiply(j, j)\nn = s32[6,40] remainder(a, c40)";
    assert!(is_data(loads_of(40, &[40], many)));
}

/// An index drawn from a seed: lines that define it, and its name.
struct Drawn<'r> {
    rng: &'r mut Rng,
    dtype: &'r str,
    lines: String,
    count: usize,
}

impl Drawn<'_> {
    fn line(&mut self, dtype: &str, value: &str) -> String {
        self.count += 1;
        let name = format!("v{}", self.count);
        self.lines += &format!("{name} = {dtype}[5,37] {value}\n");
        name
    }

    fn constant(&mut self, value: i64) -> String {
        let dtype = self.dtype.to_string();
        self.count += 1;
        self.lines += &format!("c{} = {dtype}[] constant({value})\n", self.count);
        let value = format!("broadcast(c{}), dimensions={{}}", self.count);
        self.line(&dtype, &value)
    }

    fn index(&mut self, depth: u64) -> String {
        let dtype = self.dtype.to_string();
        if depth == 0 {
            return ["i", "j", "j"][self.rng.below(3) as usize].into();
        }
        let x = self.index(depth - 1);
        let small = |rng: &mut Rng| 1 + rng.below(12) as i64;
        let by = |d: &mut Self| {
            let by = small(d.rng);
            d.constant(by)
        };
        let value = match self.rng.below(12) {
            0 => format!("add({x}, {})", by(self)),
            1 => format!("subtract({x}, {})", by(self)),
            2 => format!("multiply({x}, {})", by(self)),
            3 => format!("divide({x}, {})", by(self)),
            4 | 5 => {
                let by = [5, 7, 16, 30, 37, 40][self.rng.below(6) as usize];
                format!("remainder({x}, {})", self.constant(by))
            }
            6 => format!("maximum({x}, {})", by(self)),
            7 => {
                let limit = 20 + small(self.rng);
                format!("minimum({x}, {})", self.constant(limit))
            }
            8 => {
                let mask = (1 << small(self.rng).min(6)) - 1;
                format!("and({x}, {})", self.constant(mask))
            }
            9 => {
                let at = self.rng.below(37) as i64;
                let (limit, by) = (self.constant(at), by(self));
                let direction = ["LT", "LE", "GT", "GE", "EQ", "NE"][self.rng.below(6) as usize];
                let mask = self.line("pred", &format!("compare({x}, {limit}), direction={direction}"));
                let raised = self.line(&dtype, &format!("add({x}, {by})"));
                format!("select({mask}, {raised}, {x})")
            }
            10 => format!("subtract({}, {x})", by(self)),
            _ => {
                let y = self.index(depth - 1);
                format!("add({x}, {y})")
            }
        };
        self.line(&dtype, &value)
    }
}

#[test]
fn random_arithmetic_reads_the_same_elements() {
    let mut rng = Rng(17);
    let (mut all, mut places) = (Vec::new(), 0);
    for _ in 0..400 {
        let dtype = ["s32", "s32", "s64", "u32", "s8", "u8"][rng.below(6) as usize];
        let depth = 1 + rng.below(4);
        let mut drawn = Drawn { rng: &mut rng, dtype, lines: String::new(), count: 0 };
        let name = drawn.index(depth);
        let index = format!("{}n = {dtype}[5,37] copy({name})", drawn.lines);
        let elements = [37, 40, 64, 200][rng.below(4) as usize];
        let entry = gather(dtype, (5, 37, elements), &index);
        places += loads(&entry).iter().all(|l| !l.contains('s')) as usize;
        all.push(entry);
    }
    all_agree(&all);
    assert!(places > 150, "{places} of {} are places", all.len());
}
