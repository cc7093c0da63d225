//! Every legal operation, each with the types of its operands and what these must fulfil.

use lawson_kernel::loop_ir::{Bin, Cast, Cmp, Elem, Half, Op, Scale, Type, Un, V, WithCarry, legal};

/// What operands must be for the operation to have a meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    Any,
    /// The second is no zero, and no −1.
    Divisor,
    /// The second is below the width.
    Amount,
    /// The only one is within every integer type, and no NaN.
    Small,
    /// The only one is an index of the table.
    Index,
    /// The only one is a number.
    Number,
}

pub struct Case {
    pub operands: Vec<Type>,
    pub domain: Domain,
    pub op: Box<dyn Fn(&[V]) -> Op>,
}

/// All operations whose first operand has this type, but for those on memory. Tables are those of this number.
pub fn cases(ty: Type, table: u32) -> Vec<Case> {
    let mut all = Cases(Vec::new());
    all.values(ty);
    all.arithmetic(ty);
    all.casts(ty);
    all.lanes(ty, table);
    all.0
}

struct Cases(Vec<Case>);

impl Cases {
    fn case(&mut self, operands: &[Type], op: impl Fn(&[V]) -> Op + 'static) {
        self.within(Domain::Any, operands, op);
    }

    fn within(&mut self, domain: Domain, operands: &[Type], op: impl Fn(&[V]) -> Op + 'static) {
        self.0.push(Case { operands: operands.to_vec(), domain, op: Box::new(op) });
    }

    fn values(&mut self, ty: Type) {
        if ty.elem != Elem::I256 {
            self.case(&[], move |_| Op::Const { ty, bits: 1 });
        }
        if legal::int(ty.elem) {
            self.case(&[], move |_| Op::Iota(ty));
        }
        self.case(&[Type::scalar(ty.elem)], move |v| Op::Splat { scalar: v[0], lanes: ty.lanes });
        let mask = ty.with_elem(Elem::I1);
        self.case(&[mask, ty, ty], |v| Op::Select(v[0], v[1], v[2]));
        self.case(&[Type::scalar(Elem::I1), ty, ty], |v| Op::Select(v[0], v[1], v[2]));
    }

    fn arithmetic(&mut self, ty: Type) {
        for &op in Bin::ALL.iter().filter(|&&op| legal::bin(op, ty.elem)) {
            let domain = match op {
                Bin::SDiv | Bin::UDiv | Bin::SRem | Bin::URem => Domain::Divisor,
                Bin::Shl | Bin::LShr | Bin::AShr => Domain::Amount,
                _ => Domain::Any,
            };
            self.within(domain, &[ty, ty], move |v| Op::Bin(op, v[0], v[1]));
        }
        let carry = ty.with_elem(Elem::I1);
        for &op in WithCarry::ALL.iter().filter(|_| legal::int(ty.elem)) {
            self.case(&[ty, ty, carry], move |v| Op::WithCarry(op, v[0], v[1], v[2]));
        }
        for &op in Un::ALL.iter().filter(|&&op| legal::un(op, ty.elem)) {
            self.case(&[ty], move |v| Op::Un(op, v[0]));
        }
        for &op in Cmp::ALL.iter().filter(|&&op| legal::cmp(op, ty.elem)) {
            self.case(&[ty, ty], move |v| Op::Cmp(op, v[0], v[1]));
        }
        if ty.elem.is_float() {
            self.case(&[ty, ty, ty], |v| Op::Fma(v[0], v[1], v[2]));
            let small = ty.with_elem(Elem::I1);
            self.case(&[ty, ty, ty, ty, small], |v| {
                Op::Scale(Scale { value: v[0], powers: [v[1], v[2]], exponent: v[3], small: v[4] })
            });
        }
        if ty.elem == Elem::I32 {
            self.case(&[ty; 3], |v| Op::DotBytes(v[0], v[1], v[2]));
            self.case(&[ty, ty, ty.with_elem(Elem::F32)], |v| Op::DotBf16(v[0], v[1], v[2]));
        }
        if ty.elem == Elem::I64 {
            self.case(&[ty; 4], |v| Op::Join([v[0], v[1], v[2], v[3]]));
            for &half in Half::ALL {
                self.case(&[ty, ty, ty], move |v| Op::Madd52(half, v[0], v[1], v[2]));
            }
        }
        if ty.elem == Elem::I256 {
            (0..4).for_each(|word| self.case(&[ty], move |v| Op::Word(v[0], word)));
        }
    }

    fn casts(&mut self, ty: Type) {
        for (op, to) in legal::casts(ty.elem) {
            let domain = match op {
                Cast::FloatToSigned | Cast::FloatToUnsigned => Domain::Small,
                // The bits of a NaN are unspecified, and must not reach an integer.
                Cast::Bits | Cast::FloatToHalf if ty.elem.is_float() => Domain::Number,
                _ => Domain::Any,
            };
            self.within(domain, &[ty], move |v| Op::Cast { op, value: v[0], to });
        }
        for &to in Elem::ALL.iter().filter(|&&to| legal::regroup(ty, to)) {
            self.case(&[ty], move |v| Op::Regroup { value: v[0], to });
        }
    }

    fn lanes(&mut self, ty: Type, table: u32) {
        let n = ty.lanes;
        if ty.elem == Elem::I1 {
            self.case(&[ty], |v| Op::Any(v[0]));
        }
        if legal::int(ty.elem) {
            self.within(Domain::Index, &[ty], move |v| Op::Table { table, index: v[0] });
        }
        if n > legal::MAX_MOVED {
            return;
        }
        self.case(&[ty], move |v| Op::Extract(v[0], n - 1));
        self.case(&[ty], move |v| Op::Extract(v[0], n / 3));
        let shuffles: [Vec<u32>; 9] = [
            (0..n).rev().collect(),
            (0..n).map(|i| i / 2 + i % 2 * n).collect(),
            (0..n).map(|i| i * 2).collect(),
            (0..n.div_ceil(2)).map(|i| i + n / 2).collect(),
            if n < 64 { (0..2 * n).collect() } else { vec![0; 64] },
            // One on, with the first of the other vector; exchanged pairs; no order at all.
            (0..n).map(|i| i + 1).collect(),
            (0..n).map(|i| i ^ (n / 2)).collect(),
            (0..n).map(|i| (i * i * 7 + i * 3) % (2 * n)).collect(),
            (0..n.min(4)).map(|i| (i * 11 + 5) % (2 * n)).collect(),
        ];
        for lanes in shuffles {
            self.case(&[ty, ty], move |v| Op::Shuffle { a: v[0], b: v[1], lanes: lanes.clone() });
        }
        let scalar = Type::scalar(ty.elem);
        self.case(&[scalar, scalar], move |v| Op::Pack((0..n).map(|i| v[i as usize % 2]).collect()));
        self.case(&[scalar; 3], move |v| Op::Pack((0..n).map(|i| v[(i * i % 3) as usize]).collect()));
        if ty.elem == Elem::I1 {
            self.case(&[ty], |v| Op::First(v[0]));
        }
    }
}
