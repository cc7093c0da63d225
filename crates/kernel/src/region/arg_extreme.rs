//! Combiners that look for the greatest or least element and its position, as `argmax` is written in HLO.
//!
//! They are recognised by what they choose, however they are written: of two elements with their positions, each of which
//! may come first, be less, equal, greater, or no number. Where the order of combination is free, the choice is made one
//! that the order does not show in:
//!
//! ```text
//! a greater than b, or no number: a; less, or b no number: b
//! equal: the lower position, and the element that has it
//! both no numbers: the same, where the program takes the one that was combined first
//! ```

use super::{Function, Node, NodeId, Region};
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::{DType, Opcode};
use rustc_hash::FxHashMap;

/// What a combiner of elements and positions looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArgExtreme {
    /// Which of its two results is the element; the other one is the position.
    pub element: usize,
    pub greatest: bool,
    pub dtype: DType,
    /// Whether positions decide wherever elements do not, so that elements may be combined in any order.
    pub is_total: bool,
}

impl ArgExtreme {
    /// What a combiner looks for; `None` for any other.
    pub fn of(region: &Region, combiner: &Function) -> Option<ArgExtreme> {
        let [_, _] = combiner.results[..] else { return None };
        let order = region.reachable(&combiner.results);
        if order.len() > MOST_NODES {
            return None;
        }
        (0..2).find_map(|element| of_element(region, combiner, &order, element))
    }

    /// A combiner that looks for the same and whose choice is by positions where elements do not decide.
    pub fn total(self, region: &mut Region, combiner: &Function) -> Function {
        let types = [0, 1].map(|n| region.dtype(combiner.results[n]));
        let (e, p) = (self.element, 1 - self.element);
        let [a, b] = [0, 2].map(|side| region.add(Node::Argument((e + side) as u32), types[e]));
        let [i, j] = [0, 2].map(|side| region.add(Node::Argument((p + side) as u32), types[p]));
        let mut compare = |direction, x, y, dtype| {
            region.add(Node::Compare { direction, order: CompareOrder::Default, dtype, x, y }, DType::Pred)
        };
        let (beats, reaches) = match self.greatest {
            true => (Direction::Gt, Direction::Ge),
            false => (Direction::Lt, Direction::Le),
        };
        let first = compare(Direction::Lt, i, j, types[p]);
        let [beats, reaches] = [beats, reaches].map(|d| compare(d, a, b, types[e]));
        let no_number = compare(Direction::Ne, a, a, types[e]);
        let number = compare(Direction::Eq, b, b, types[e]);
        let mut binary =
            |opcode, x, y| region.add(Node::Binary { opcode, dtype: DType::Pred, x, y }, DType::Pred);
        // Where the first is known to come first, this is `a reaches b, or is no number`.
        let wins = binary(Opcode::Or, beats, first);
        let mut keeps = binary(Opcode::And, reaches, wins);
        if self.dtype.is_float() {
            let wins = binary(Opcode::Or, number, first);
            let wins = binary(Opcode::And, no_number, wins);
            keeps = binary(Opcode::Or, keeps, wins);
        }
        let mut results = [(a, b), (i, j)].map(|(x, y)| {
            let dtype = region.dtype(x);
            region.add(Node::Select { mask: keeps, x, y }, dtype)
        });
        if self.element == 1 {
            results.swap(0, 1);
        }
        Function { arguments: combiner.arguments.clone(), results: results.to_vec() }
    }
}

/// A combiner is a few comparisons; what is longer is not looked at.
const MOST_NODES: usize = 32;

/// How the first of two elements compares with the second.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Less,
    Equal,
    Greater,
    FirstNan,
    SecondNan,
    BothNan,
}

/// Two elements and their positions, of which the first one's is lower or higher.
#[derive(Clone, Copy)]
struct Case {
    element: usize,
    elements: Relation,
    lower: bool,
}

/// What a node of a combiner is in a case.
#[derive(Clone, Copy)]
enum Known {
    Truth(bool),
    Argument(u32),
}

fn of_element(region: &Region, combiner: &Function, order: &[NodeId], element: usize) -> Option<ArgExtreme> {
    use Relation::*;
    let dtype = region.dtype(combiner.results[element]);
    let position = region.dtype(combiner.results[1 - element]);
    let is_float = dtype.is_float();
    if !(is_float || dtype.is_integer()) || !position.is_integer() {
        return None;
    }
    // Whether the element and the position of the first are chosen.
    let chosen = |elements: Relation, lower: bool| {
        let case = Case { element, elements, lower };
        let known = outcomes(region, order, case)?;
        let of = |n: usize| match known.get(&combiner.results[n]) {
            Some(&Known::Argument(k)) if k as usize % 2 == n => Some(k < 2),
            _ => None,
        };
        Some((of(element)?, of(1 - element)?))
    };
    let both = |elements: Relation| Some([chosen(elements, true)?, chosen(elements, false)?]);
    let greatest = match (both(Greater)?, both(Less)?) {
        ([(true, true), (true, true)], [(false, false), (false, false)]) => true,
        ([(false, false), (false, false)], [(true, true), (true, true)]) => false,
        _ => return None,
    };
    let [lower, higher] = both(Equal)?;
    if (lower.1, higher.1) != (true, false) {
        return None;
    }
    let mut is_total = true;
    if is_float {
        if both(FirstNan)? != [(true, true); 2] || both(SecondNan)? != [(false, false); 2] {
            return None;
        }
        // Equal floats may be zeros of either sign.
        let by_position = [(true, true), (false, false)];
        is_total = [lower, higher] == by_position && both(BothNan)? == by_position;
    }
    Some(ArgExtreme { element, greatest, dtype, is_total })
}

/// What the nodes of a combiner, operands first, are in a case; `None` where something else than the case decides.
fn outcomes(region: &Region, order: &[NodeId], case: Case) -> Option<FxHashMap<NodeId, Known>> {
    let mut known: FxHashMap<NodeId, Known> = FxHashMap::default();
    for &id in order {
        let truth = |id: NodeId| match known.get(&id) {
            Some(&Known::Truth(t)) => Some(t),
            _ => None,
        };
        let argument = |id: NodeId| match known.get(&id) {
            Some(&Known::Argument(n)) => Some(n),
            _ => None,
        };
        let outcome = match *region.node(id) {
            Node::Argument(n) => Known::Argument(n),
            Node::Compare { direction, order, x, y, .. } if order != CompareOrder::TotalOrder => {
                Known::Truth(case.compare(direction, argument(x)?, argument(y)?)?)
            }
            Node::Binary { opcode, x, y, .. } => {
                let (x, y) = (truth(x)?, truth(y)?);
                Known::Truth(match opcode {
                    Opcode::And => x && y,
                    Opcode::Or => x || y,
                    Opcode::Xor => x != y,
                    _ => return None,
                })
            }
            Node::Unary { opcode: Opcode::Not, x, .. } => Known::Truth(!truth(x)?),
            Node::Select { mask, x, y } => *known.get(&if truth(mask)? { x } else { y })?,
            _ => return None,
        };
        known.insert(id, outcome);
    }
    Some(known)
}

impl Case {
    /// Whether a comparison of two arguments holds: both are elements, or both are positions.
    fn compare(self, direction: Direction, x: u32, y: u32) -> Option<bool> {
        use Relation::*;
        if x % 2 != y % 2 {
            return None;
        }
        let first = match (x as usize % 2 == self.element, self.lower) {
            (true, _) => self.elements,
            (false, true) => Less,
            (false, false) => Greater,
        };
        // As the first of the comparison compares with its second.
        let relation = match (x < 2, y < 2) {
            (true, false) => first,
            (false, true) => match first {
                Less => Greater,
                Greater => Less,
                FirstNan => SecondNan,
                SecondNan => FirstNan,
                Equal | BothNan => first,
            },
            (true, true) if matches!(first, FirstNan | BothNan) => BothNan,
            (false, false) if matches!(first, SecondNan | BothNan) => BothNan,
            _ => Equal,
        };
        let ordered = |holds: [bool; 3]| match relation {
            Less => holds[0],
            Equal => holds[1],
            Greater => holds[2],
            FirstNan | SecondNan | BothNan => direction == Direction::Ne,
        };
        Some(ordered(match direction {
            Direction::Lt => [true, false, false],
            Direction::Le => [true, true, false],
            Direction::Eq => [false, true, false],
            Direction::Ne => [true, false, true],
            Direction::Ge => [false, true, true],
            Direction::Gt => [false, false, true],
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::Kind;
    use crate::region::build::{Cut, build};

    /// The region of a reduction with this combiner of elements and s32 positions.
    fn region(dtype: &str, combiner: &str) -> Region {
        let text = format!(
            "HloModule m\nc {{ a = {dtype}[] parameter(0)\ni = s32[] parameter(1)\nb = {dtype}[] parameter(2)\n\
             j = s32[] parameter(3)\n{combiner} }}\n\
             ENTRY e {{ x = {dtype}[4,100] parameter(0)\np = s32[4,100] iota(), iota_dimension=1\n\
             v = {dtype}[] constant(0)\nw = s32[] constant(0)\n\
             ROOT r = ({dtype}[4], s32[4]) reduce(x, p, v, w), dimensions={{1}}, to_apply=c }}"
        );
        let module = lawson_hlo::text::parse(&text).expect("valid");
        let computation = module.entry();
        let cut = Cut { computation, inputs: &computation.parameters(), roots: &[computation.root] };
        build(&module, "r", cut).expect("a region")
    }

    fn found(region: &Region) -> Option<ArgExtreme> {
        let Kind::Reduce { combiner, .. } = &region.stages[0].kind else { panic!("no reduction") };
        ArgExtreme::of(region, combiner)
    }

    /// As JAX writes it; of equal elements the element of the second is taken.
    const JAX: &str = "g = pred[] compare(a, b), direction=GT\nn = pred[] compare(a, a), direction=NE\n\
        o = pred[] or(g, n)\nq = pred[] compare(a, b), direction=EQ\nl = pred[] compare(i, j), direction=LT\n\
        t = pred[] and(q, l)\nu = pred[] or(o, t)\nx = TYPE[] select(o, a, b)\ny = s32[] select(u, i, j)\n\
        ROOT r = (TYPE[], s32[]) tuple(x, y)";

    #[test]
    fn combiners_are_recognised_by_what_they_choose() {
        let of = |dtype: &str, text: &str| found(&region(dtype, &text.replace("TYPE", dtype)));
        let jax = of("f32", JAX).expect("argmax");
        assert_eq!((jax.element, jax.greatest, jax.is_total), (0, true, false));
        assert!(of("s8", JAX).expect("argmax").is_total, "integers have no NaN and one zero");
        let least = JAX.replace("direction=GT", "direction=LT");
        assert!(!of("f64", &least).expect("argmin").greatest);
        // What is chosen is that, by other means.
        let other = "g = pred[] compare(b, a), direction=LE\nm = pred[] compare(b, a), direction=LT\n\
            l = pred[] compare(j, i), direction=GT\nk = pred[] not(l)\nh = pred[] not(m)\nf = pred[] and(h, k)\n\
            c = pred[] not(f)\nd = pred[] and(g, c)\nx = s32[] select(d, a, b)\ny = s32[] select(d, i, j)\n\
            ROOT r = (s32[], s32[]) tuple(x, y)";
        assert!(of("s32", other).expect("argmax").greatest);
    }

    #[test]
    fn what_chooses_otherwise_is_not_recognised() {
        let of = |dtype: &str, text: &str| found(&region(dtype, &text.replace("TYPE", dtype)));
        for (from, to) in [
            // The last of equal elements; a NaN that loses; the other position; a comparison of positions alone.
            ("compare(i, j), direction=LT", "compare(i, j), direction=GT"),
            ("compare(a, a), direction=NE", "compare(b, b), direction=NE"),
            ("select(u, i, j)", "select(u, j, i)"),
            ("compare(a, b), direction=GT", "compare(i, j), direction=GT"),
        ] {
            assert_eq!(of("f32", &JAX.replace(from, to)), None, "{to}");
        }
        let total = JAX.replace("direction=GT", "direction=GT, type=TOTALORDER");
        assert_eq!(of("f32", &total), None);
    }

    #[test]
    fn a_total_choice_is_one() {
        for dtype in ["f32", "bf16", "s64"] {
            for direction in ["direction=GT", "direction=LT"] {
                let mut region =
                    region(dtype, &JAX.replace("TYPE", dtype).replace("direction=GT", direction));
                let before = found(&region).expect("an extreme");
                let Kind::Reduce { combiner, .. } = region.stages[0].kind.clone() else { unreachable!() };
                let total = before.total(&mut region, &combiner);
                let after = ArgExtreme::of(&region, &total);
                assert_eq!(after, Some(ArgExtreme { is_total: true, ..before }));
            }
        }
    }
}
