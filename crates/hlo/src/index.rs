//! Indexing maps.
