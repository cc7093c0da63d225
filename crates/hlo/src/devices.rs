//! Which devices: arrays of device numbers, and the groups that collectives work in.
//!
//! Device numbers are those of replicas, of partitions, or of both flattened; [`crate::attrs::Collective`] says which.
//! Nothing here takes memory or time in the number of devices where the text does not list them: `[8,4]<=[32]` of any
//! size is a formula. Values from a parser may be wrong in every way; [`DeviceArray::check`] and
//! [`DeviceGroups::check`] say how, and functions of a wrong value give `None` or something, and never panic.

use rustc_hash::FxHashSet;

/// Numbers of devices, arranged as an array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DeviceArray {
    /// Extents, major first.
    pub dims: Vec<i64>,
    pub devices: DeviceOrder,
}

/// The devices of an array in row-major order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DeviceOrder {
    /// `0,2,1,3`
    Listed(Vec<i64>),
    /// `<=[2,2]T(1,0)`: 0, 1, 2 … as an array of extents `reshape`, whose dimension `transpose[i]` becomes dimension i.
    Iota { reshape: Vec<i64>, transpose: Vec<usize> },
}

impl DeviceArray {
    /// How many devices; `None` if 64 bits cannot tell.
    pub fn count(&self) -> Option<i64> {
        product(&self.dims)
    }

    /// The devices that are listed; none of a formula.
    pub fn listed(&self) -> &[i64] {
        match &self.devices {
            DeviceOrder::Listed(list) => list,
            DeviceOrder::Iota { .. } => &[],
        }
    }

    /// The device at a position in row-major order.
    pub fn device_at(&self, position: i64) -> Option<i64> {
        match &self.devices {
            DeviceOrder::Listed(list) => list.get(usize::try_from(position).ok()?).copied(),
            DeviceOrder::Iota { reshape, transpose } => {
                let (mut rest, mut device) = (position, 0i64);
                for &dim in transpose.iter().rev() {
                    let extent = positive(*reshape.get(dim)?)?;
                    let stride = product(&reshape[dim + 1..])?;
                    device = device.checked_add((rest % extent).checked_mul(stride)?)?;
                    rest /= extent;
                }
                (position >= 0 && rest == 0).then_some(device)
            }
        }
    }

    /// The position of a device in row-major order, if it is there.
    pub fn position_of(&self, device: i64) -> Option<i64> {
        match &self.devices {
            DeviceOrder::Listed(list) => list.iter().position(|&d| d == device).map(|i| i as i64),
            DeviceOrder::Iota { reshape, transpose } => {
                if device < 0 || device >= product(reshape)? {
                    return None;
                }
                transpose.iter().try_fold(0i64, |position, &dim| {
                    let extent = positive(*reshape.get(dim)?)?;
                    let index = device / positive(product(&reshape[dim + 1..])?)? % extent;
                    position.checked_mul(extent)?.checked_add(index)
                })
            }
        }
    }

    /// The index of a device in each dimension, if it is there.
    pub fn index_of(&self, device: i64) -> Option<Vec<i64>> {
        let mut rest = self.position_of(device)?;
        let mut index = vec![0; self.dims.len()];
        for (i, &extent) in index.iter_mut().zip(&self.dims).rev() {
            let extent = positive(extent)?;
            *i = rest % extent;
            rest /= extent;
        }
        Some(index)
    }

    /// Every device once, and as many as the extents say. Gives their number.
    ///
    /// # Errors
    /// What is wrong, as the end of a sentence.
    pub fn check(&self) -> Result<i64, String> {
        let count = extents(&self.dims)?;
        match &self.devices {
            DeviceOrder::Listed(list) => {
                if list.len() as i64 != count {
                    return Err(format!("lists {} devices for {count} places", list.len()));
                }
                distinct(list.iter().copied())?;
            }
            DeviceOrder::Iota { reshape, transpose } => {
                let found = extents(reshape)?;
                if found != count {
                    return Err(format!("has {found} devices for {count} places"));
                }
                let mut dims = transpose.clone();
                dims.sort_unstable();
                if !dims.iter().copied().eq(0..reshape.len()) {
                    return Err(format!("cannot transpose {} dimensions by {transpose:?}", reshape.len()));
                }
            }
        }
        Ok(count)
    }
}

/// `replica_groups=`: who communicates with whom.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DeviceGroups {
    /// `{}`: one group of all.
    All,
    /// `{{0,1},{2,3}}`
    Listed(Vec<Vec<i64>>),
    /// `[2,2]<=[4]`: the groups are the rows.
    Rows(DeviceArray),
}

impl DeviceGroups {
    /// How many groups; all devices are one.
    pub fn group_count(&self) -> usize {
        match self {
            DeviceGroups::All => 1,
            DeviceGroups::Listed(groups) => groups.len(),
            DeviceGroups::Rows(rows) => rows.dims.first().map_or(0, |&n| usize::try_from(n).unwrap_or(0)),
        }
    }

    /// The devices in each group; `None` for [`DeviceGroups::All`], and where groups differ.
    pub fn group_size(&self) -> Option<i64> {
        match self {
            DeviceGroups::All => None,
            DeviceGroups::Listed(groups) => {
                let size = groups.first()?.len();
                groups.iter().all(|g| g.len() == size).then_some(size as i64)
            }
            DeviceGroups::Rows(rows) => rows.dims.get(1).copied(),
        }
    }

    /// The devices of a group in order; none for [`DeviceGroups::All`], whose number is the module's.
    pub fn members(&self, group: usize) -> Box<dyn Iterator<Item = i64> + '_> {
        match self {
            DeviceGroups::All => Box::new(std::iter::empty()),
            DeviceGroups::Listed(groups) => Box::new(groups.get(group).into_iter().flatten().copied()),
            DeviceGroups::Rows(rows) => {
                let size = rows.dims.get(1).copied().unwrap_or(0);
                let first = (group as i64).saturating_mul(size);
                Box::new((first..first.saturating_add(size)).map_while(|i| rows.device_at(i)))
            }
        }
    }

    /// The group that a device is in.
    pub fn group_of(&self, device: i64) -> Option<usize> {
        match self {
            DeviceGroups::All => Some(0),
            DeviceGroups::Listed(groups) => groups.iter().position(|g| g.contains(&device)),
            DeviceGroups::Rows(rows) => {
                let size = positive(*rows.dims.get(1)?)?;
                usize::try_from(rows.position_of(device)? / size).ok()
            }
        }
    }

    /// Groups of at least one, which name each device from 0 up once. Gives their number, `None` for
    /// [`DeviceGroups::All`].
    ///
    /// # Errors
    /// What is wrong, as the end of a sentence.
    pub fn check(&self) -> Result<Option<i64>, String> {
        match self {
            DeviceGroups::All => Ok(None),
            DeviceGroups::Rows(rows) => {
                if rows.dims.len() != 2 {
                    return Err(format!("has {} dimensions: groups have 2", rows.dims.len()));
                }
                rows.check().map(Some)
            }
            DeviceGroups::Listed(groups) => {
                if groups.iter().any(Vec::is_empty) {
                    return Err("has an empty group".into());
                }
                let all = groups.iter().flatten().copied();
                let highest = distinct(all.clone())?;
                let count = all.count() as i64;
                if highest >= count {
                    return Err(format!("names device {highest} and leaves out another of 0 to {highest}"));
                }
                Ok(Some(count))
            }
        }
    }
}

/// The product of extents that are all positive.
fn extents(dims: &[i64]) -> Result<i64, String> {
    if dims.is_empty() || dims.iter().any(|&d| d < 1) {
        return Err(format!("has the extents {dims:?}: each is 1 at least"));
    }
    product(dims).ok_or_else(|| format!("has too many devices: {dims:?}"))
}

fn product(dims: &[i64]) -> Option<i64> {
    dims.iter().try_fold(1i64, |n, &d| n.checked_mul(d))
}

fn positive(n: i64) -> Option<i64> {
    (n > 0).then_some(n)
}

/// Refuses devices that repeat or are negative; gives the highest, −1 for none.
fn distinct(devices: impl Iterator<Item = i64>) -> Result<i64, String> {
    let mut seen = FxHashSet::default();
    let mut highest = -1;
    for device in devices {
        if device < 0 {
            return Err(format!("names device {device}"));
        }
        if !seen.insert(device) {
            return Err(format!("names device {device} twice"));
        }
        highest = highest.max(device);
    }
    Ok(highest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iota(dims: &[i64], reshape: &[i64], transpose: &[usize]) -> DeviceArray {
        let devices = DeviceOrder::Iota { reshape: reshape.to_vec(), transpose: transpose.to_vec() };
        DeviceArray { dims: dims.to_vec(), devices }
    }

    #[test]
    fn formulas_give_the_devices_that_a_list_would() {
        for (array, list) in [
            (iota(&[2, 2], &[4], &[0]), vec![0, 1, 2, 3]),
            (iota(&[2, 2], &[2, 2], &[1, 0]), vec![0, 2, 1, 3]),
            (iota(&[3, 2], &[2, 3], &[1, 0]), vec![0, 3, 1, 4, 2, 5]),
            (iota(&[8], &[2, 2, 2], &[2, 0, 1]), vec![0, 2, 4, 6, 1, 3, 5, 7]),
        ] {
            assert_eq!(array.check(), Ok(list.len() as i64));
            let listed = DeviceArray { devices: DeviceOrder::Listed(list.clone()), ..array.clone() };
            for (position, &device) in (0..).zip(&list) {
                assert_eq!(array.device_at(position), Some(device), "{array:?}");
                assert_eq!(array.position_of(device), Some(position), "{array:?}");
                assert_eq!(array.index_of(device), listed.index_of(device), "{array:?}");
            }
            for outside in [-1, list.len() as i64] {
                assert_eq!((array.device_at(outside), array.position_of(outside)), (None, None));
            }
        }
        assert_eq!(iota(&[3, 2], &[2, 3], &[1, 0]).index_of(4), Some(vec![1, 1]));
    }

    #[test]
    fn groups_are_asked_one_by_one() {
        let million = 1_000_000;
        let rows = DeviceGroups::Rows(iota(&[million, million], &[million * million], &[0]));
        assert_eq!(rows.check(), Ok(Some(million * million)));
        assert_eq!((rows.group_count(), rows.group_size()), (1_000_000, Some(million)));
        assert_eq!(rows.members(7).take(2).collect::<Vec<_>>(), [7_000_000, 7_000_001]);
        assert_eq!(rows.group_of(7_000_001), Some(7));
        let listed = DeviceGroups::Listed(vec![vec![0, 2], vec![1]]);
        assert_eq!((listed.check(), listed.group_size(), listed.group_of(1)), (Ok(Some(3)), None, Some(1)));
        assert_eq!(listed.members(0).collect::<Vec<_>>(), [0, 2]);
        assert_eq!((DeviceGroups::All.check(), DeviceGroups::All.group_of(5)), (Ok(None), Some(0)));
    }

    #[test]
    fn what_is_wrong_is_said_and_never_panics() {
        let wild = [i64::MIN, -1, 0, 1, 3, i64::MAX];
        for a in wild {
            for b in wild {
                for transpose in [vec![], vec![0], vec![1, 0], vec![7, 7]] {
                    let array = iota(&[a, b], &[b, a], &transpose);
                    let legal = a.min(b) > 0 && a.checked_mul(b).is_some() && transpose == [1, 0];
                    assert_eq!(array.check().is_ok(), legal, "{array:?}");
                    let groups = DeviceGroups::Rows(array.clone());
                    for n in wild {
                        let _ = (array.device_at(n), array.index_of(n), groups.group_of(n));
                        let _ = groups.members(n as usize).take(3).count();
                    }
                }
                let listed = DeviceGroups::Listed(vec![vec![a], vec![b]]);
                assert_eq!(listed.check().is_ok(), a.min(b) == 0 && a.max(b) == 1, "{listed:?}");
            }
        }
        let error = |groups: Vec<Vec<i64>>| DeviceGroups::Listed(groups).check().unwrap_err();
        assert!(error(vec![vec![0], vec![]]).contains("empty group"));
        assert!(error(vec![vec![0, 1], vec![1]]).contains("device 1 twice"));
        assert!(error(vec![vec![0, 2]]).contains("leaves out"));
    }
}
