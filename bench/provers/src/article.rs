//! The table of the article: x² − x fused and unfused, from 2^20 to 2^25 elements.

use crate::{table, traced};
use lawson::{DType, jit, random};
use lawson_peers::turns::{Work, take_turns};
use lawson_provers::Failure;
use lawson_provers::run::Run;
use std::time::Duration;

pub fn run(time: Duration) -> Result<(), Failure> {
    table::article();
    for dtype in [DType::BabyBearMont, DType::Bn254SfMont] {
        for digits in 20..=25 {
            let x = random::field(&random::key(16), [1i64 << digits], dtype);
            let lowered = jit(traced::square_less).lower(&x)?;
            let mut runs = Vec::new();
            for fused in [true, false] {
                let mut run = Run::new(lowered.module(), &[&x], fused)?;
                run.run()?;
                runs.push(run);
            }
            drop(x);
            if runs[0].bytes() != runs[1].bytes() {
                return Err(format!("{dtype}, 2^{digits}: fused and unfused results differ").into());
            }
            let mut work: Vec<Work<'_, Failure>> = Vec::new();
            for run in &mut runs {
                work.push(Box::new(|| Ok(run.run()?)));
            }
            table::article_row(dtype.name(), digits, &take_turns(&mut work, time)?);
        }
    }
    Ok(())
}
