//! Bytes in use over a program that runs unit by unit, kept up to date while units move.

/// Bytes in use at each moment: ranges are added and taken away, and the most is known at once.
pub struct Profile {
    /// Leaves of the tree, a power of two.
    width: usize,
    /// For each node what is added to all of its range.
    add: Vec<i64>,
    /// The most within a node's range, its own addition included.
    most: Vec<i64>,
}

impl Profile {
    /// Nothing in use at any of `moments`.
    pub fn new(moments: usize) -> Profile {
        let width = moments.max(1).next_power_of_two();
        Profile { width, add: vec![0; 2 * width], most: vec![0; 2 * width] }
    }

    /// The most in use at any moment.
    pub fn peak(&self) -> i64 {
        self.most[1]
    }

    /// What is in use at each moment.
    pub fn all(&self) -> Vec<i64> {
        let mut all = self.add.clone();
        for node in 2..all.len() {
            all[node] += all[node / 2];
        }
        all.split_off(self.width)
    }

    /// Adds `bytes` from moment `first` to `last`, both included.
    pub fn add(&mut self, first: usize, last: usize, bytes: i64) {
        if bytes == 0 || first > last {
            return;
        }
        // The nodes that make up the range, from the leaves up.
        let (mut from, mut to) = (first + self.width, last + self.width + 1);
        while from < to {
            if from % 2 == 1 {
                self.add_to(from, bytes);
                from += 1;
            }
            if to % 2 == 1 {
                to -= 1;
                self.add_to(to, bytes);
            }
            (from, to) = (from / 2, to / 2);
        }
        // Then all that is above its ends, which is above all of them.
        let (mut low, mut high) = ((first + self.width) / 2, (last + self.width) / 2);
        while low > 0 {
            self.settle(low);
            if low != high {
                self.settle(high);
            }
            (low, high) = (low / 2, high / 2);
        }
    }

    fn add_to(&mut self, node: usize, bytes: i64) {
        self.add[node] += bytes;
        self.most[node] += bytes;
    }

    fn settle(&mut self, node: usize) {
        self.most[node] = self.add[node] + self.most[2 * node].max(self.most[2 * node + 1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_follows_what_is_added_and_taken_away() {
        let mut profile = Profile::new(5);
        profile.add(0, 2, 10);
        profile.add(2, 4, 7);
        assert_eq!((profile.peak(), &profile.all()[..5]), (17, &[10, 10, 17, 7, 7][..]));
        profile.add(2, 4, -7);
        profile.add(3, 4, 7);
        assert_eq!(profile.peak(), 10);
        profile.add(4, 3, 100);
        assert_eq!(profile.peak(), 10);
    }
}
