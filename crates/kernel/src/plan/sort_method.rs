//! The ways to sort a row, and what each weighs.

use crate::rates::Rates;

/// What happens in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortMethod {
    /// It is sorted by merging runs between two arrays.
    Merge,
    /// Its keys are sorted in vectors, which networks merge.
    Vectors(Sorted),
    /// Lanes run along it; what exceeds the least of the first elements so far is put in its place among them.
    Select,
    /// Rows lie side by side along this loop axis; every element is put in its place among the first so far.
    SelectInLanes(usize),
    /// Rows lie side by side along this loop axis; those of a vector are turned, and their keys sorted in vectors.
    Turned(usize, Sorted),
    /// Rows lie side by side along this loop axis; a network sorts the vectors of their keys.
    SortInLanes(usize, Sorted),
    /// Lanes run along it; the last element wanted is found bit by bit, by counting, and those wanted are put in order by
    /// their ranks. With a floor, elements that cannot be wanted are left out first.
    Threshold { floor: bool },
}

/// What is sorted in vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sorted {
    /// The keys, of which the elements come back, of so many bytes.
    Keys(u32),
    /// Each key of 32 bits with its place below it in a word.
    KeysAndPlaces,
}

impl Sorted {
    /// Bytes of each number.
    pub fn bytes(self) -> u32 {
        match self {
            Sorted::Keys(bytes) => bytes,
            Sorted::KeysAndPlaces => 8,
        }
    }

    fn is_wide(self) -> bool {
        self.bytes() > 4
    }
}

impl SortMethod {
    /// What it weighs for each element of rows of `length`, of which `kept` are kept, of so many arrays.
    pub fn weight(self, rates: &Rates, (length, kept): (i64, i64), arrays: usize, lanes: u32) -> i64 {
        match self {
            SortMethod::Merge => rates.sort(length, arrays),
            SortMethod::Vectors(sorted) => {
                rates.sort_in_vectors(length, lanes as i64, sorted.is_wide())
                    + rates.gather * (arrays as i64 - 1)
            }
            SortMethod::Select => rates.select(length, kept),
            SortMethod::SelectInLanes(_) => rates.select_in_lanes(kept),
            SortMethod::Turned(_, sorted) => {
                rates.sort_in_vectors(length, lanes as i64, sorted.is_wide()) + 2 * rates.load
            }
            SortMethod::SortInLanes(_, sorted) => rates.sort_in_lanes(length, sorted.is_wide()),
            SortMethod::Threshold { floor } => rates.select_by_counting((length, kept), floor),
        }
    }
}
