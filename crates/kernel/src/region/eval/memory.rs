//! The arrays of a region while it is evaluated, and the points of spaces.

use crate::region::Region;
use lawson_hlo::Literal;
use lawson_hlo::eval::scalar::{self, Value};

/// Why a region has no value: a fault of the region or of its arguments, in words.
pub type Fault = String;

/// The elements of an array; `None` are not written yet.
pub type Words = Vec<Option<Value>>;

/// The arrays of a region while it is evaluated.
pub struct Memory {
    pub inputs: Vec<Words>,
    pub outputs: Vec<Words>,
    /// The results of each stage; loops write to outputs instead.
    pub results: Vec<Vec<Words>>,
    /// The arrays of the lane at hand.
    pub private: Vec<Words>,
}

impl Memory {
    /// Outputs that start as inputs are copies of them, others are not written.
    pub fn new(region: &Region, inputs: &[Literal]) -> Memory {
        let inputs: Vec<Words> =
            inputs.iter().map(|l| scalar::values(l).into_iter().map(Some).collect()).collect();
        let mut outputs: Vec<Words> =
            region.outputs.iter().map(|a| vec![None; a.elements.max(0) as usize]).collect();
        for &(output, input) in &region.aliases {
            outputs[output as usize] = inputs[input as usize].clone();
        }
        let results = region.stages.iter().map(|s| vec![Vec::new(); s.results.len()]).collect();
        let mut memory = Memory { inputs, outputs, results, private: Vec::new() };
        memory.enter_lane(region);
        memory
    }

    /// Begins a lane: nothing is written of what it has for itself.
    pub fn enter_lane(&mut self, region: &Region) {
        self.private = region.private.iter().map(|a| vec![None; a.elements.max(0) as usize]).collect();
    }
}

/// The indices of all points of a space, row-major.
pub fn points(space: &[i64]) -> impl Iterator<Item = Vec<i64>> + use<> {
    let space = space.to_vec();
    let count: i64 = space.iter().map(|&n| n.max(0)).product();
    (0..count).map(move |mut n| {
        let mut point = vec![0; space.len()];
        for (index, &extent) in point.iter_mut().zip(&space).rev() {
            (*index, n) = (n % extent, n / extent);
        }
        point
    })
}
