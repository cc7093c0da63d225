//! Elementary functions as Loop IR: the one algorithm of [`lawson_hlo::math`] on vectors of any number of lanes.

use crate::loop_ir::{Bin, Cast, Cmp, CodeBuilder, Elem, Op, Scale, Type, Un, V};
use lawson_hlo::math::{Function, Ops, Ty};

/// Appends the function of `x`, of element F32 or F64.
pub fn function(b: &mut CodeBuilder, f: Function, x: V) -> V {
    let lanes = b.ty_of(x).lanes;
    f.build(&mut Lanes { b, lanes }, x)
}

/// Appends x to the power y.
pub fn pow(b: &mut CodeBuilder, x: V, y: V) -> V {
    let lanes = b.ty_of(x).lanes;
    lawson_hlo::math::pow(&mut Lanes { b, lanes }, x, y)
}

/// Appends the angle of (x, y).
pub fn atan2(b: &mut CodeBuilder, y: V, x: V) -> V {
    let lanes = b.ty_of(x).lanes;
    lawson_hlo::math::atan2(&mut Lanes { b, lanes }, y, x)
}

/// Vectors of this many lanes.
struct Lanes<'a> {
    b: &'a mut CodeBuilder,
    lanes: u32,
}

fn elem(ty: Ty) -> Elem {
    match ty {
        Ty::Mask => Elem::I1,
        Ty::I32 => Elem::I32,
        Ty::I64 => Elem::I64,
        Ty::F32 => Elem::F32,
        Ty::F64 => Elem::F64,
    }
}

macro_rules! binary {
    ($($name:ident => $op:ident),* $(,)?) => {
        $(fn $name(&mut self, a: V, b: V) -> V {
            self.b.bin(Bin::$op, a, b)
        })*
    };
}

macro_rules! compare {
    ($($name:ident => $op:ident),* $(,)?) => {
        $(fn $name(&mut self, a: V, b: V) -> V {
            self.b.cmp(Cmp::$op, a, b)
        })*
    };
}

macro_rules! unary {
    ($($name:ident => $op:ident),* $(,)?) => {
        $(fn $name(&mut self, a: V) -> V {
            self.b.un(Un::$op, a)
        })*
    };
}

impl Lanes<'_> {
    fn cast(&mut self, op: Cast, a: V, to: Elem) -> V {
        self.b.cast(op, a, to)
    }
}

impl Ops for Lanes<'_> {
    type V = V;

    fn ty(&self, v: V) -> Ty {
        match self.b.ty_of(v).elem {
            Elem::I1 => Ty::Mask,
            Elem::F32 => Ty::F32,
            Elem::F64 => Ty::F64,
            Elem::I64 => Ty::I64,
            _ => Ty::I32,
        }
    }

    fn float(&mut self, ty: Ty, value: f64) -> V {
        let bits = if ty == Ty::F32 { (value as f32).to_bits() as u64 } else { value.to_bits() };
        self.b.constant(Type::vector(elem(ty), self.lanes), bits)
    }

    fn int(&mut self, ty: Ty, value: i64) -> V {
        self.b.constant(Type::vector(elem(ty), self.lanes), value as u64)
    }

    binary! {
        fadd => FAdd, fsub => FSub, fmul => FMul, fdiv => FDiv,
        iadd => Add, isub => Sub, imul => Mul, iand => And, ior => Or, ixor => Xor,
        shl => Shl, lshr => LShr, ashr => AShr, mask_and => And, mask_or => Or,
    }
    compare! { feq => FEq, flt => FLt, fle => FLe, ieq => Eq, ilt => Slt, ult => Ult }
    unary! { sqrt => Sqrt, fabs => FAbs, fneg => FNeg, rint => Rint, floor => Floor, mask_not => Not }

    fn fma(&mut self, a: V, b: V, c: V) -> V {
        self.b.op(Op::Fma(a, b, c))
    }

    fn scale(&mut self, value: V, powers: [V; 2], exponent: V, small: V) -> V {
        self.b.op(Op::Scale(Scale { value, powers, exponent, small }))
    }

    fn select(&mut self, m: V, a: V, b: V) -> V {
        self.b.select(m, a, b)
    }

    fn to_bits(&mut self, a: V) -> V {
        let to = self.b.ty_of(a).elem.as_int();
        self.cast(Cast::Bits, a, to)
    }

    fn from_bits(&mut self, a: V) -> V {
        let to = if self.b.ty_of(a).elem == Elem::I32 { Elem::F32 } else { Elem::F64 };
        self.cast(Cast::Bits, a, to)
    }

    fn to_int(&mut self, a: V) -> V {
        let to = self.b.ty_of(a).elem.as_int();
        self.cast(Cast::FloatToSigned, a, to)
    }

    fn to_float(&mut self, a: V) -> V {
        let to = if self.b.ty_of(a).elem == Elem::I32 { Elem::F32 } else { Elem::F64 };
        self.cast(Cast::SignedToFloat, a, to)
    }

    fn narrow(&mut self, a: V) -> V {
        self.cast(Cast::Narrow, a, Elem::F32)
    }

    fn zext(&mut self, a: V) -> V {
        self.cast(Cast::Zext, a, Elem::I64)
    }

    fn trunc(&mut self, a: V) -> V {
        self.cast(Cast::Trunc, a, Elem::I32)
    }

    fn table(&mut self, table: &'static [u64], index: V) -> V {
        let table = self.b.table(table);
        self.b.op(Op::Table { table, index })
    }

    fn if_any(&mut self, m: V, otherwise: V, then: impl FnOnce(&mut Self) -> V) -> V {
        let any = self.b.any(m);
        self.b.open();
        let rare = then(self);
        let chosen = self.b.select(m, rare, otherwise);
        let taken = self.b.close(vec![chosen]);
        self.b.open();
        let skipped = self.b.close(vec![otherwise]);
        self.b.push_if(any, taken, skipped)[0]
    }
}
