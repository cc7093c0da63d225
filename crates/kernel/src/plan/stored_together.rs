//! How many neighbouring rows a warp takes before it stores what each of them has one of, on a graphics processor: memory moves
//! sectors, and a result that is stored by itself moves a whole one.

use crate::region::Region;
use crate::target::Target;
use lawson_hlo::DType;

/// What memory moves at least.
const SECTOR: i64 = 32;
/// Of so many bytes that a row moves, one may go with its results for nothing.
const SHARE: i64 = 32;
/// Tasks' work of all these rows at the most: beside more of it a sector is nothing, while others wait for work.
const WORK: i64 = 32;
/// The most rows: a lane of a warp has the results of each.
const MOST: i64 = 32;

/// The types of the outputs that are such results of stages.
pub(super) fn results(region: &Region, of_row: impl Fn(&(u32, u32)) -> bool) -> Vec<DType> {
    let outputs = region.output_sources.iter().zip(&region.outputs);
    outputs.filter(|(key, _)| of_row(key)).map(|(_, array)| array.dtype).collect()
}

/// As few of `rows` that lie side by side as waste little, a power of two; 1 where each may store its own results of these types.
/// `count` are all rows of the region, `work` is that of each.
pub(super) fn rows(
    region: &Region,
    results: &[DType],
    (rows, count): (i64, i64),
    work: i64,
    target: &Target,
) -> i64 {
    if target.gpu.is_none() || results.is_empty() || count == 0 {
        return 1;
    }
    let bytes = |elements: i64, dtype: DType| elements.saturating_mul(dtype.size() as i64);
    let arrays = region.inputs.iter().chain(&region.outputs);
    let all = arrays.fold(0i64, |sum, a| sum.saturating_add(bytes(a.elements, a.dtype)));
    let wasted = |together: i64| {
        let of = |&dtype: &DType| {
            let stored = bytes(together, dtype);
            (stored + SECTOR - 1) / SECTOR * SECTOR - stored
        };
        results.iter().map(of).sum::<i64>()
    };
    let enough = |together: i64| SHARE * wasted(together) <= together * (all / count);
    let most = rows.min(MOST).min(WORK * target.task() / work.max(1)).max(1);
    let choices = || std::iter::successors(Some(1), |n| Some(2 * n)).take_while(|&n| n <= most);
    choices().find(|&n| enough(n)).or(choices().last()).unwrap_or(1)
}
