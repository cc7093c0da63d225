//! `sharding=`: how the arrays of an instruction are divided among devices.
//!
//! XLA's HLO sharding: one for an array, and a flat list of them for a tuple, one for each of its arrays and tokens.

use crate::devices::DeviceArray;
use crate::mesh::NamedSharding;

/// The sharding of an instruction's result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sharding {
    /// `{replicated}`: of an array, or of every array of a tuple.
    Single(ArraySharding),
    /// `{{replicated}, {maximal device=0}}`: of the leaves of a tuple in order.
    Tuple(Vec<ArraySharding>),
}

impl Sharding {
    /// The sharding of a leaf of the shape, by its number in order.
    pub fn leaf(&self, number: usize) -> Option<&ArraySharding> {
        match self {
            Sharding::Single(one) => Some(one),
            Sharding::Tuple(all) => all.get(number),
        }
    }

    /// The shardings as they are written.
    pub fn parts(&self) -> &[ArraySharding] {
        match self {
            Sharding::Single(one) => std::slice::from_ref(one),
            Sharding::Tuple(all) => all,
        }
    }
}

/// The sharding of one array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArraySharding {
    pub kind: ShardingKind,
    /// `shard_as 1`, `shard_like 1`: arrays of one group get shardings that fit each other.
    pub group: Option<ShardGroup>,
    /// Keys and values of `metadata={…}`, as in [`crate::instruction::Notes`]; several in one list.
    pub metadata: Vec<Vec<(String, String)>>,
}

impl From<ShardingKind> for ArraySharding {
    fn from(kind: ShardingKind) -> ArraySharding {
        ArraySharding { kind, group: None, metadata: Vec::new() }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ShardingKind {
    /// Every device has the whole array.
    Replicated,
    /// The program itself says what each device does.
    Manual,
    /// To be found.
    Unknown,
    /// Each device has a summand.
    Unreduced,
    /// One device has the whole array.
    Maximal {
        device: i64,
    },
    Tiled(Tiling),
    /// `{mesh['x'=2], [{'x'}, {}]}`
    Named(Box<NamedSharding>),
}

/// `{devices=[2,1,2]<=[4] last_tile_dim_replicate}`: the array is cut in each dimension into as many tiles of one
/// extent as the device array has places there; the last ones may be padded.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tiling {
    /// One dimension for each of the array, then one for each of `subgroups`.
    pub devices: DeviceArray,
    /// What devices that differ in a last dimension do with their common tile.
    pub subgroups: Vec<Subgroup>,
}

/// `last_tile_dims={…}`; `last_tile_dim_replicate` is one dimension of [`Subgroup::Replicated`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subgroup {
    Replicated,
    Manual,
    Maximal,
    Unreduced,
}

impl Subgroup {
    pub const ALL: [Subgroup; 4] =
        [Subgroup::Replicated, Subgroup::Manual, Subgroup::Maximal, Subgroup::Unreduced];

    pub fn name(self) -> &'static str {
        match self {
            Subgroup::Replicated => "replicated",
            Subgroup::Manual => "manual",
            Subgroup::Maximal => "maximal",
            Subgroup::Unreduced => "unreduced",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShardGroup {
    /// Exactly the same sharding.
    As(i64),
    /// A sharding that a propagation makes alike.
    Like(i64),
}

impl Tiling {
    /// The number of tiles along each dimension of an array of this rank.
    pub fn tiles(&self) -> &[i64] {
        let dims = &self.devices.dims;
        &dims[..dims.len().saturating_sub(self.subgroups.len())]
    }

    /// The extents of a tile of an array with these extents; `None` where the ranks differ.
    pub fn tile_dims(&self, dims: &[i64]) -> Option<Vec<i64>> {
        let tiles = self.tiles();
        if tiles.len() != dims.len() || tiles.iter().any(|&n| n < 1) {
            return None;
        }
        // Rounded up: there are no negative extents in a verified shape.
        Some(dims.iter().zip(tiles).map(|(&d, &n)| d / n + (d % n > 0) as i64).collect())
    }

    /// Which tile a device has: its number in each dimension of the array.
    pub fn tile_of(&self, device: i64) -> Option<Vec<i64>> {
        let mut index = self.devices.index_of(device)?;
        index.truncate(self.tiles().len());
        Some(index)
    }
}

impl ArraySharding {
    /// Whether an array of this rank can be divided so among `devices` devices, if it is known how many there are.
    ///
    /// # Errors
    /// What is wrong, as the end of a sentence.
    pub fn check(&self, rank: usize, devices: Option<i64>) -> Result<(), String> {
        match &self.kind {
            ShardingKind::Replicated
            | ShardingKind::Manual
            | ShardingKind::Unknown
            | ShardingKind::Unreduced => Ok(()),
            ShardingKind::Maximal { device } => match devices {
                _ if *device < 0 => Err(format!("names device {device}")),
                Some(n) if *device >= n => Err(format!("names device {device} of {n}")),
                _ => Ok(()),
            },
            ShardingKind::Named(named) => {
                let count = named.check(rank)?;
                // The mesh without axes is that of every number of devices.
                match devices.filter(|&n| n != count && !named.mesh.axes.is_empty()) {
                    Some(n) => Err(format!("has {count} devices of {n}")),
                    None => Ok(()),
                }
            }
            ShardingKind::Tiled(tiling) => {
                let count = tiling.devices.check()?;
                let places = tiling.devices.dims.len();
                let (wanted, last) = (rank + tiling.subgroups.len(), tiling.subgroups.len());
                if places != wanted {
                    return Err(format!(
                        "has {places} dimensions of devices for {rank} of the array and {last} last ones"
                    ));
                }
                let Some(n) = devices else { return Ok(()) };
                if n != count {
                    return Err(format!("has {count} devices of {n}"));
                }
                match tiling.devices.listed().iter().find(|&&d| d >= n) {
                    Some(beyond) => Err(format!("names device {beyond} of {n}")),
                    None => Ok(()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::DeviceOrder;

    #[test]
    fn devices_know_their_tile() {
        // Four tiles of two rows each, the devices of a pair with the same columns.
        let order = DeviceOrder::Iota { reshape: vec![2, 4], transpose: vec![1, 0] };
        let devices = DeviceArray { dims: vec![4, 1, 2], devices: order };
        let tiling = Tiling { devices, subgroups: vec![Subgroup::Replicated] };
        assert_eq!(tiling.tiles(), [4, 1]);
        assert_eq!(tiling.tile_dims(&[7, 3]), Some(vec![2, 3]));
        assert_eq!(tiling.tile_dims(&[7]), None);
        for device in 0..8 {
            assert_eq!(tiling.tile_of(device), Some(vec![device % 4, 0]));
        }
        assert_eq!(tiling.tile_of(8), None);
        let sharding = ArraySharding::from(ShardingKind::Tiled(tiling));
        assert_eq!((sharding.check(2, Some(8)), sharding.check(2, None)), (Ok(()), Ok(())));
        assert!(sharding.check(3, None).unwrap_err().contains("3 dimensions of devices"));
        assert!(sharding.check(2, Some(4)).unwrap_err().contains("8 devices of 4"));
    }
}
