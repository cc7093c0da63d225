//! Arrays whose elements lie with strides, to and from row-major ones.

/// Strides in bytes of an array that lies dense, its dimensions from minor to major in this order.
pub fn dense(dims: &[i64], minor_to_major: impl IntoIterator<Item = usize>, size: usize) -> Vec<i64> {
    let mut strides = vec![0; dims.len()];
    let mut step = size as i64;
    for d in minor_to_major {
        strides[d] = step;
        step = step.saturating_mul(dims[d].max(1));
    }
    strides
}

/// Whether these are the strides of row-major order; those of dimensions of one element do not matter.
pub fn is_row_major(dims: &[i64], strides: &[i64], size: usize) -> bool {
    let expected = dense(dims, (0..dims.len()).rev(), size);
    let mut each = dims.iter().zip(strides.iter().zip(&expected));
    dims.contains(&0) || each.all(|(&dim, (found, expected))| dim == 1 || found == expected)
}

/// The bytes that elements of this size occupy, as offsets from the first element; nothing where they overflow.
pub fn span(dims: &[i64], strides: &[i64], size: usize) -> Option<(isize, isize)> {
    if dims.contains(&0) {
        return Some((0, 0));
    }
    let (mut low, mut high) = (0i64, size as i64);
    for (dim, stride) in dims.iter().zip(strides) {
        let reach = stride.checked_mul(dim.checked_sub(1)?)?;
        low = low.checked_add(reach.min(0))?;
        high = high.checked_add(reach.max(0))?;
    }
    Some((isize::try_from(low).ok()?, isize::try_from(high).ok()?))
}

/// Calls `f` with the offset of each run of elements that lie one after the other, in row-major order, and its length in
/// bytes, all equal.
fn runs(dims: &[i64], strides: &[i64], size: usize, mut f: impl FnMut(i64, usize)) {
    if dims.contains(&0) {
        return;
    }
    // Trailing dimensions that lie dense are one run.
    let (mut outer, mut run) = (dims.len(), size as i64);
    while outer > 0 && (dims[outer - 1] == 1 || strides[outer - 1] == run) {
        outer -= 1;
        run *= dims[outer];
    }
    let (dims, strides) = (&dims[..outer], &strides[..outer]);
    let mut index = vec![0; outer];
    let mut offset = 0;
    loop {
        f(offset, run as usize);
        let mut d = outer;
        loop {
            if d == 0 {
                return;
            }
            d -= 1;
            index[d] += 1;
            offset += strides[d];
            if index[d] < dims[d] {
                break;
            }
            offset -= strides[d] * dims[d];
            index[d] = 0;
        }
    }
}

/// Copies the elements to row-major order. `first` is where the first one begins in `from`, which holds all.
pub fn gather(from: &[u8], first: i64, dims: &[i64], strides: &[i64], size: usize, to: &mut [u8]) {
    let mut at = 0;
    runs(dims, strides, size, |offset, run| {
        let start = (first + offset) as usize;
        copy(&from[start..start + run], &mut to[at..at + run]);
        at += run;
    });
}

/// Copies elements in row-major order to where they lie with strides.
pub fn scatter(from: &[u8], dims: &[i64], strides: &[i64], size: usize, to: &mut [u8]) {
    let mut at = 0;
    runs(dims, strides, size, |offset, run| {
        let start = offset as usize;
        copy(&from[at..at + run], &mut to[start..start + run]);
        at += run;
    });
}

/// Single elements are copied as words.
fn copy(from: &[u8], to: &mut [u8]) {
    match from.len() {
        1 => to[0] = from[0],
        4 => to[..4].copy_from_slice(&from[..4]),
        8 => to[..8].copy_from_slice(&from[..8]),
        _ => to.copy_from_slice(from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposed_arrays_come_and_go() {
        let column_major = dense(&[2, 3], [0, 1], 2);
        assert_eq!(column_major, [2, 4]);
        assert!(!is_row_major(&[2, 3], &column_major, 2) && is_row_major(&[1, 3], &[77, 2], 2));
        let from = [1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6, 0];
        let mut to = [0; 12];
        gather(&from, 0, &[2, 3], &column_major, 2, &mut to);
        assert_eq!(to, [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]);
        let mut back = [0; 12];
        scatter(&to, &[2, 3], &column_major, 2, &mut back);
        assert_eq!(back, from);
    }

    #[test]
    fn reversed_arrays_begin_at_their_end() {
        assert_eq!(span(&[3], &[-4], 4), Some((-8, 4)));
        let from: Vec<u8> = [1u32, 2, 3].iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut to = [0; 12];
        gather(&from, 8, &[3], &[-4], 4, &mut to);
        assert_eq!(to.chunks(4).map(|c| c[0]).collect::<Vec<_>>(), [3, 2, 1]);
    }

    #[test]
    fn scalars_empty_arrays_and_rows_apart() {
        assert_eq!(span(&[], &[], 8), Some((0, 8)));
        assert_eq!(span(&[0, 5], &[40, 8], 8), Some((0, 0)));
        assert_eq!(span(&[i64::MAX, 2], &[i64::MAX, 1], 1), None);
        let mut to = [0; 4];
        gather(&[1, 2, 9, 3, 4, 9], 0, &[2, 2], &[3, 1], 1, &mut to);
        assert_eq!(to, [1, 2, 3, 4]);
        gather(&[], 0, &[0, 2], &[3, 1], 1, &mut []);
    }
}
