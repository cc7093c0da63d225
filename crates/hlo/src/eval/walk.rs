//! Row-major walks over an index space that keep several linear positions in step.

/// Yields, for each index of `dims` in row-major order, `start[n] + Σ index·strides[n]` for each of N arrays.
pub struct Walk<const N: usize> {
    dims: Vec<i64>,
    strides: [Vec<i64>; N],
    index: Vec<i64>,
    at: [i64; N],
    left: i64,
}

impl<const N: usize> Walk<N> {
    pub fn new(dims: &[i64], start: [i64; N], strides: [&[i64]; N]) -> Walk<N> {
        Walk {
            dims: dims.to_vec(),
            strides: strides.map(<[i64]>::to_vec),
            index: vec![0; dims.len()],
            at: start,
            left: dims.iter().product(),
        }
    }

    /// The index of the position that comes next.
    pub fn index(&self) -> &[i64] {
        &self.index
    }
}

impl<const N: usize> Iterator for Walk<N> {
    type Item = [i64; N];

    #[inline]
    fn next(&mut self) -> Option<[i64; N]> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let here = self.at;
        for d in (0..self.dims.len()).rev() {
            self.index[d] += 1;
            if self.index[d] < self.dims[d] {
                for n in 0..N {
                    self.at[n] += self.strides[n][d];
                }
                break;
            }
            self.index[d] = 0;
            for n in 0..N {
                self.at[n] -= self.strides[n][d] * (self.dims[d] - 1);
            }
        }
        Some(here)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_a_transpose() {
        let walk = Walk::new(&[2, 3], [0, 10], [&[1, 2], &[-3, 1]]);
        let seen: Vec<[i64; 2]> = walk.collect();
        assert_eq!(seen, [[0, 10], [2, 11], [4, 12], [1, 7], [3, 8], [5, 9]]);
    }

    #[test]
    fn a_scalar_has_one_index_and_an_empty_array_none() {
        assert_eq!(Walk::new(&[], [7], [&[]]).collect::<Vec<_>>(), [[7]]);
        assert_eq!(Walk::new(&[3, 0], [7], [&[1, 1]]).count(), 0);
    }
}
