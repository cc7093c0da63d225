//! Statements within statements.

use super::{Block, Cast, Kernel, Op, Phase, Stmt};

impl Stmt {
    /// The blocks within it, in the order in which they stand.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        let [first, second] = match self {
            Stmt::For { body, .. } => [Some(body), None],
            Stmt::If { then: a, otherwise: b, .. } | Stmt::While { cond: a, body: b, .. } => {
                [Some(a), Some(b)]
            }
            Stmt::Let(..)
            | Stmt::Store(_)
            | Stmt::Prefetch { .. }
            | Stmt::Barrier
            | Stmt::MatrixProduct(_)
            | Stmt::TileProduct(_)
            | Stmt::CarryChain(_)
            | Stmt::LoadMatrices { .. }
            | Stmt::CopyAsync(_)
            | Stmt::GroupCopies
            | Stmt::AwaitCopies(_) => [None, None],
        };
        first.into_iter().chain(second)
    }

    /// Whether only machines with units that multiply matrices have it.
    fn is_of_units(&self) -> bool {
        matches!(
            self,
            Stmt::MatrixProduct(_)
                | Stmt::LoadMatrices { .. }
                | Stmt::CopyAsync(_)
                | Stmt::GroupCopies
                | Stmt::AwaitCopies(_)
        )
    }
}

impl Kernel {
    /// Whether it has statements for units that multiply matrices, or for what feeds them.
    pub fn needs_matrix_units(&self) -> bool {
        self.phases.iter().any(|phase| phase.has(&Stmt::is_of_units))
    }
}

impl Phase {
    /// Whether it multiplies matrices in memory.
    pub fn has_tile_products(&self) -> bool {
        self.has(&|stmt| matches!(stmt, Stmt::TileProduct(_)))
    }

    /// Operations [`Op::Scale`] in its code.
    pub fn scales(&self) -> usize {
        self.count(&|stmt| matches!(stmt, Stmt::Let(_, Op::Scale(_))))
    }

    /// Whether it rounds numbers to f16.
    pub fn rounds_to_halves(&self) -> bool {
        self.has(&|stmt| matches!(stmt, Stmt::Let(_, Op::Cast { op: Cast::FloatToHalf, .. })))
    }

    fn has(&self, is: &dyn Fn(&Stmt) -> bool) -> bool {
        self.count(is) > 0
    }

    fn count(&self, is: &dyn Fn(&Stmt) -> bool) -> usize {
        fn within(stmts: &[Stmt], is: &dyn Fn(&Stmt) -> bool) -> usize {
            let nested = |stmt: &Stmt| stmt.blocks().map(|block| within(&block.stmts, is)).sum::<usize>();
            stmts.iter().map(|stmt| usize::from(is(stmt)) + nested(stmt)).sum()
        }
        within(&self.body, is)
    }
}
