//! What occurs in kernels, by names that the closed enumerations of Loop IR give: a variant that is added to one does not compile
//! here before it has a name, and then has to occur.

use lawson_kernel::loop_ir::{Access, Buf, Elem, Kernel, Op, Stmt, Store};
use std::collections::BTreeSet;

/// A function that names each variant, and the list of all names.
macro_rules! named {
    ($function:ident, $list:ident, $of:ty { $($variant:pat => $name:literal),+ $(,)? }) => {
        fn $function(of: &$of) -> &'static str {
            match of {
                $($variant => $name),+
            }
        }

        const $list: &[&str] = &[$($name),+];
    };
}

named!(op_name, OPS, Op {
    Op::Const { .. } => "constant",
    Op::Iota(_) => "iota",
    Op::Splat { .. } => "splat",
    Op::Bin(..) => "binary operation",
    Op::WithCarry(..) => "operation with a carry",
    Op::Un(..) => "unary operation",
    Op::Fma(..) => "fma",
    Op::Scale(..) => "scale",
    Op::Cmp(..) => "comparison",
    Op::Select(..) => "select",
    Op::Cast { .. } => "cast",
    Op::Load { mask: None, .. } => "load",
    Op::Load { mask: Some(_), .. } => "masked load",
    Op::Extract(..) => "extract",
    Op::Shuffle { .. } => "shuffle",
    Op::Pack(_) => "pack",
    Op::Regroup { .. } => "regroup",
    Op::Word(..) => "word",
    Op::Join(_) => "join",
    Op::Madd52(..) => "madd52",
    Op::DotBytes(..) => "dotbytes",
    Op::DotBf16(..) => "dotbf16",
    Op::Any(_) => "any",
    Op::First(_) => "first",
    Op::Table { .. } => "table",
});

named!(stmt_name, STMTS, Stmt {
    Stmt::Let(..) => "let",
    Stmt::Store(Store { streaming: true, .. }) => "streaming store",
    Stmt::Store(Store { mask: Some(_), .. }) => "masked store",
    Stmt::Store(_) => "store",
    Stmt::Prefetch { .. } => "prefetch",
    Stmt::Barrier => "barrier",
    Stmt::MatrixProduct(_) => "product of matrices",
    Stmt::TileProduct(_) => "product of tiles",
    Stmt::CarryChain(_) => "chain of carries",
    Stmt::LoadMatrices { .. } => "load of matrices",
    Stmt::CopyAsync(_) => "asynchronous copy",
    Stmt::GroupCopies => "group of copies",
    Stmt::AwaitCopies(None) => "wait for copies",
    Stmt::AwaitCopies(Some(_)) => "wait for groups of copies",
    Stmt::For { .. } => "for",
    Stmt::If { .. } => "if",
    Stmt::While { .. } => "while",
});

named!(buf_name, BUFS, Buf {
    Buf::Global(_) => "array of the caller",
    Buf::Local(_) => "array of the task",
    Buf::Cell { .. } => "array of a table",
});

named!(access_name, ACCESSES, Access {
    Access::Read => "read",
    Access::Write => "written",
    Access::ReadWrite => "read and written",
    Access::Scratch => "scratch",
});

/// An operation with its own name, the element of its first operand (of its result where there is none) and that of its result,
/// and the lanes of its first operand.
pub type Typed = (&'static str, Elem, Elem, u32);

/// What occurs in kernels.
#[derive(Default)]
pub struct Occurring {
    names: BTreeSet<&'static str>,
    pub typed: BTreeSet<Typed>,
}

impl Occurring {
    pub fn add(&mut self, kernel: &Kernel) {
        self.names.extend(kernel.buffers.iter().map(|b| access_name(&b.access)));
        for phase in &kernel.phases {
            self.stmts(kernel, &phase.body);
        }
    }

    /// Names of variants that occur in none.
    pub fn missing(&self) -> Vec<&'static str> {
        let all = [OPS, STMTS, BUFS, ACCESSES].concat();
        all.into_iter().filter(|name| !self.names.contains(name)).collect()
    }

    fn stmts(&mut self, kernel: &Kernel, stmts: &[Stmt]) {
        for stmt in stmts {
            self.names.insert(stmt_name(stmt));
            match stmt {
                Stmt::Let(v, op) => {
                    self.names.insert(op_name(op));
                    if let Op::Load { buf, .. } = op {
                        self.names.insert(buf_name(buf));
                    }
                    let (own, operand) = match *op {
                        Op::Bin(op, a, _) => (op.name(), a),
                        Op::WithCarry(op, a, ..) => (op.name(), a),
                        Op::Un(op, a) => (op.name(), a),
                        Op::Cmp(op, a, _) => (op.name(), a),
                        Op::Cast { op, value, .. } => (op.name(), value),
                        Op::Madd52(half, a, ..) => (half.name(), a),
                        _ => (op_name(op), *v),
                    };
                    let from = kernel.ty(operand);
                    self.typed.insert((own, from.elem, kernel.ty(*v).elem, from.lanes));
                }
                Stmt::Store(Store { buf, .. }) => {
                    self.names.insert(buf_name(buf));
                }
                other => other.blocks().for_each(|block| self.stmts(kernel, &block.stmts)),
            }
        }
    }
}
