//! Shardings by the axes of a named mesh: `{mesh['x'=2,'y'=4], [{'x'}, {}], replicated={'y'}}`.

use crate::devices::{DeviceArray, DeviceOrder};
use rustc_hash::FxHashSet;

/// How an array is divided along the axes of a mesh.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NamedSharding {
    pub mesh: Mesh,
    pub placement: Placement,
}

/// Devices as an array whose dimensions have names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Mesh {
    /// One for each dimension of the devices, without quotes; they hold none and no backslashes.
    pub axes: Vec<String>,
    pub devices: DeviceArray,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Placement {
    /// Every device has the whole array.
    Replicated,
    /// The program itself says what each device does.
    Manual,
    /// Each device has a summand.
    Unreduced,
    Axes {
        /// One for each dimension of the array.
        dims: Vec<DimSharding>,
        /// What devices that differ along other axes do with their common tile, where it is stated.
        replicated: Vec<AxisRef>,
        unreduced: Vec<AxisRef>,
        manual: Vec<AxisRef>,
    },
}

/// The axes that divide one dimension, major first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DimSharding {
    pub axes: Vec<AxisRef>,
    /// `?`: a propagation may add axes.
    pub is_open: bool,
}

/// An axis of the mesh, or a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AxisRef {
    /// Its number.
    pub axis: usize,
    /// `:(2)4`: of the axis taken apart into extents 2, 4 and what is left, the second.
    pub part: Option<AxisPart>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AxisPart {
    /// The product of the extents before this one.
    pub before: i64,
    pub size: i64,
}

impl Mesh {
    /// Devices 0, 1, 2 … in row-major order.
    pub fn in_order(axes: Vec<(String, i64)>) -> Mesh {
        let (axes, dims): (Vec<String>, Vec<i64>) = axes.into_iter().unzip();
        let devices = DeviceOrder::Iota { reshape: dims.clone(), transpose: (0..dims.len()).collect() };
        Mesh { axes, devices: DeviceArray { dims, devices } }
    }

    /// Whether it is one of [`Mesh::in_order`].
    pub fn is_in_order(&self) -> bool {
        match &self.devices.devices {
            DeviceOrder::Listed(_) => false,
            DeviceOrder::Iota { reshape, transpose } => {
                *reshape == self.devices.dims && transpose.iter().copied().eq(0..reshape.len())
            }
        }
    }

    /// The extent of an axis or its part.
    pub fn size(&self, axis: AxisRef) -> Option<i64> {
        match axis.part {
            Some(part) => Some(part.size),
            None => self.devices.dims.get(axis.axis).copied(),
        }
    }

    /// Gives the number of devices; a mesh without axes has one.
    fn check(&self) -> Result<i64, String> {
        let mut seen = FxHashSet::default();
        if let Some(twice) = self.axes.iter().find(|&name| !seen.insert(name)) {
            return Err(format!("has the axis {twice} twice"));
        }
        match self.axes.len() == self.devices.dims.len() {
            true if self.axes.is_empty() => Ok(1),
            true => self.devices.check(),
            false => Err(format!("names {} of {} axes", self.axes.len(), self.devices.dims.len())),
        }
    }
}

impl NamedSharding {
    /// The number of tiles along each dimension; `None` where every device has the whole array, or something is wrong.
    pub fn tiles(&self) -> Option<Vec<i64>> {
        let Placement::Axes { dims, .. } = &self.placement else { return None };
        let product =
            |d: &DimSharding| d.axes.iter().try_fold(1i64, |n, &axis| n.checked_mul(self.mesh.size(axis)?));
        dims.iter().map(product).collect()
    }

    /// Whether an array of this rank can be divided so; gives the number of devices.
    ///
    /// # Errors
    /// What is wrong, as the end of a sentence.
    pub fn check(&self, rank: usize) -> Result<i64, String> {
        let count = self.mesh.check()?;
        let Placement::Axes { dims, replicated, unreduced, manual } = &self.placement else {
            return Ok(count);
        };
        let others = [replicated, unreduced, manual].into_iter().flatten();
        let used: Vec<AxisRef> = dims.iter().flat_map(|d| &d.axes).chain(others).copied().collect();
        // Without any axis it is the sharding of every array.
        if dims.len() != rank && !(dims.is_empty() && used.is_empty()) {
            return Err(format!("divides {} dimensions of {rank}", dims.len()));
        }
        self.disjoint(&used)?;
        Ok(count)
    }

    /// Each part of an axis is used once.
    fn disjoint(&self, used: &[AxisRef]) -> Result<(), String> {
        let mut ranges = Vec::with_capacity(used.len());
        for axis in used {
            let Some(&extent) = self.mesh.devices.dims.get(axis.axis) else {
                return Err(format!("uses axis {} of {}", axis.axis, self.mesh.devices.dims.len()));
            };
            let AxisPart { before, size } = axis.part.unwrap_or(AxisPart { before: 1, size: extent });
            let end = before.checked_mul(size).filter(|&end| before > 0 && size > 0 && extent % end == 0);
            let Some(end) = end else {
                return Err(format!("cannot take apart an axis of {extent} by ({before}){size}"));
            };
            ranges.push((axis.axis, before, end));
        }
        ranges.sort_unstable();
        match ranges.windows(2).find(|w| w[0].0 == w[1].0 && w[1].1 < w[0].2) {
            Some(twice) => Err(format!("uses the axis {} twice", self.mesh.axes[twice[0].0])),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sharding(sizes: &[i64], dims: &[&[AxisRef]]) -> NamedSharding {
        let axes = sizes.iter().enumerate().map(|(i, &n)| (format!("a{i}"), n)).collect();
        let dims = dims.iter().map(|axes| DimSharding { axes: axes.to_vec(), is_open: false }).collect();
        let none = Vec::new;
        let placement = Placement::Axes { dims, replicated: none(), unreduced: none(), manual: none() };
        NamedSharding { mesh: Mesh::in_order(axes), placement }
    }

    #[test]
    fn axes_divide_dimensions_once() {
        let whole = |axis| AxisRef { axis, part: None };
        let part = |axis, before, size| AxisRef { axis, part: Some(AxisPart { before, size }) };
        let both = sharding(&[2, 8], &[&[whole(0), part(1, 1, 2)], &[part(1, 2, 4)]]);
        assert_eq!((both.check(2), both.tiles()), (Ok(16), Some(vec![4, 4])));
        assert!(both.check(3).unwrap_err().contains("2 dimensions of 3"));
        for (wrong, message) in [
            (sharding(&[2], &[&[whole(0)], &[whole(0)]]), "the axis a0 twice"),
            (sharding(&[8], &[&[part(0, 1, 4)], &[part(0, 2, 2)]]), "the axis a0 twice"),
            (sharding(&[8], &[&[part(0, 1, 3)], &[]]), "cannot take apart an axis of 8"),
            (sharding(&[8], &[&[part(0, i64::MAX, i64::MAX)], &[]]), "cannot take apart"),
            (sharding(&[8], &[&[whole(1)], &[]]), "uses axis 1 of 1"),
            (sharding(&[i64::MAX, i64::MAX], &[&[], &[]]), "too many devices"),
            (sharding(&[0], &[&[], &[]]), "each is 1 at least"),
        ] {
            assert!(wrong.check(2).unwrap_err().contains(message), "{wrong:?}");
            let _ = wrong.tiles();
        }
        assert_eq!(sharding(&[], &[]).check(2), Ok(1));
    }
}
