//! Executes PTX on the host and watches what it does: what LLVM's NVPTX back end writes for sm_75 to sm_90 (PTX 6.3 to
//! 8.5), thread by thread, so that kernels can be tested where there is no GPU.
//!
//! ```
//! use lawson_ptx::{Memory, Module, Options, Param};
//!
//! let module = Module::parse(
//!     ".version 7.0
//!     .target sm_80
//!     .address_size 64
//!     .visible .entry fill(.param .u64 out)
//!     {
//!         .reg .b32 %r<2>;
//!         .reg .b64 %rd<4>;
//!         ld.param.u64 %rd1, [out];
//!         mov.u32 %r1, %tid.x;
//!         mul.wide.u32 %rd2, %r1, 4;
//!         add.s64 %rd3, %rd1, %rd2;
//!         st.global.u32 [%rd3], %r1;
//!         ret;
//!     }",
//! )?;
//! let mut memory = Memory::new();
//! let out = memory.alloc("out", 4 * 64);
//! let counters =
//!     module.launch("fill", [1, 1, 1], [64, 1, 1], &[Param::Pointer(out)], &mut memory, &Options::default())?;
//! assert_eq!(memory.read(out + 4 * 9, 4)?, 9u32.to_le_bytes());
//! assert_eq!(counters.global.written.sectors, 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The order of execution
//!
//! A few blocks are under way at once ([`Options::resident_blocks`]); [`Options::seed`] decides which blocks, which of
//! them goes on, which of its warps, and for how many instructions. The lanes of a warp are together until a branch
//! divides them; they meet again where all ways from it lead (its nearest post-dominator), and which way goes first is
//! random too. So a lane must not wait for what another lane of its warp does on another way. Registers that nothing has written hold a pattern of the seed.
//!
//! # Values
//!
//! Those that the PTX ISA defines, with one rounding, denormal numbers kept unless `.ftz` says otherwise. Where the ISA
//! leaves a value open, this crate has one: NaN results are 0x7fffffff in `f32` and 0x7fff in halves; in `f64` a NaN
//! that goes in comes out quiet and others are 0xfff8000000000000; integers divided by zero give all ones, and the
//! dividend as the remainder. NaN becomes the integer 0, or that with the bit of the sign alone where a type of 64 bits
//! takes part (PTX 9.0 says so, older versions 0). Approximate functions (`ex2.approx` and its like) give the rounded
//! exact value, `mma` adds in `f64` and rounds then: a device differs in the bounds that the ISA states. `atom.add.f32`
//! flushes denormal numbers where the text says `.global`. `mul.f32` and `add.f32` without a rounding mode are not fused
//! here, while an assembler may fuse them: [`Counters::contractible`] counts them.
//!
//! # Faults
//!
//! A [`Fault`] names kernel, line, block and thread. An access has to lie in one allocation or variable, at a multiple
//! of its size (of the whole vector). Global, shared and local memory has to be written before it is read, byte by byte;
//! the destination of a `cp.async` counts as not written until it was waited for. Shared memory is new for each block.
//! All lanes of the mask of a shuffle, vote or `bar.warp.sync` have to be there with the same mask, lanes that the block
//! does not have included; a shuffle may read from lanes of the mask only. All threads of a block have to be at
//! the same `bar.sync`: a thread that has ended, or waits at another line, makes it divergent. Constants are not written.
//!
//! # Races
//!
//! Two accesses of different threads to one byte of shared or global memory, at least one of them a write, have to be
//! ordered. In a block they are by
//!
//! - a `bar.sync` between them, or
//! - for lanes of one warp, a `bar.warp.sync` whose mask has both. Going in step is no order, nor are shuffles and votes.
//!
//! Between blocks of one launch they are if the first block has a fence (`membar.gl`, `fence…gpu`) behind its access and
//! then a strong write (an atomic, volatile, relaxed or release), and the second a strong read of that location, then
//! a fence, before its own. A fence covers what its thread did before, what its block did before its last
//! barrier, and, where all threads of a block have a fence and then a barrier, all that came before; the reader's fence
//! counts for its whole block, at once. Barriers for more than one block are not known. Launches are ordered.
//!
//! Not ordered and no race are
//!
//! - writes of the same value: threads may compute the same element. They may also read back what they have written that
//!   way, if they are in at most two warps; others may not read it;
//! - strong accesses among themselves. A plain access and a strong one are a race like two plain ones, unless
//!   [`Options::relaxed_reads`] is set: LLVM begins loops around `atom.cas` with a plain read.
//!
//! What `ld.global.nc` reads may not be written in the whole launch, before or after. Where several blocks wrote a byte,
//! all with the same value, an order made by fences is not followed: reading it in that launch counts as a race.
//!
//! # What is refused
//!
//! Instructions that are not known are listed by [`Module::refused`], and running into one is a fault. Among them:
//! rounding modes of arithmetic other than `.rn`, calls by address, `brx.idx`, textures and surfaces, `wgmma`, `tma`,
//! clusters and `mbarrier`, `wmma`, 8-bit floats, barriers for a part of a block. Text that is no PTX is an [`Error`].

mod counters;
mod decode;
mod error;
mod fault;
mod lanes;
mod launch;
mod lex;
mod matrix;
mod memory;
mod module;
mod parse;
mod program;
mod race;
mod soft;
mod text;
mod types;

pub use counters::{Banks, Class, Counters, Flow, Traffic};
pub use error::Error;
pub use fault::{Fault, FaultKind};
pub use launch::{Options, Param};
pub use memory::{Memory, MemoryError};
pub use module::Module;
pub use program::Space;
