//! Tiles of a matrix unit: AMX, whose instruction `tdpbf16ps` multiplies sixteen rows by sixteen columns over sixteen words of k.
//!
//! Of each element it computes two chains that begin at zero, one over the lower halves of the words and one over the upper ones;
//! their sum is added to the element. With words of the steps (k, k + 2), these are the chains of a block of
//! [`Order::Blocks`](crate::kernels::products::Order). It treats subnormal numbers as zero, as `vdpbf16ps` does.
//!
//! The compiler keeps no values in tiles, so each block of assembly loads its own, and stores what it computed. Only the shapes
//! of tiles stay from `configure` to `release`.

use std::arch::asm;

use super::simd::LANES;

/// Number of words in a row of a tile, and of rows in a tile.
pub(crate) const TILE: usize = LANES;
/// Size in bytes of a row of a tile.
const ROW: usize = TILE * size_of::<u32>();

/// The AMX-TILE and AMX-BF16 instructions. A value exists only on a CPU that has them, in a process that may use them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tiles(());

/// Factors of a block with sixteen columns: their scales, their minima, and the sums of the block's rows, as chains with weights of 1.
pub(crate) type BlockFactors = [[f32; LANES]; 3];

/// Product of a block with sixteen columns.
pub(crate) type BlockProduct = [[f32; LANES]; TILE];

/// Left factor of a product of tiles: rows of whole blocks of [`TILE`] words.
#[derive(Clone, Copy)]
pub(crate) struct TileRows {
    pub(crate) start: *const u32,
    /// Distance from one row to the next.
    pub(crate) row: usize,
}

/// Shapes of the eight tiles, as `ldtilecfg` reads them.
#[repr(C, align(64))]
struct Configuration {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

impl Tiles {
    /// Returns the unit if this CPU has it and the system permits its use.
    pub(crate) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f") && has_amx() && is_enabled();
        if has && !request_permission() {
            tracing::info!("the system permits no use of the processor's AMX unit; AVX-512 is used in its place");
            return None;
        }
        has.then_some(Self(()))
    }

    /// Sets the shapes of this thread's tiles: those of left factors and results have so many rows, and a block has so many words
    /// of k.
    #[inline]
    pub(crate) fn configure(self, rows: usize, words: usize) {
        let mut configuration =
            Configuration { palette: 1, start_row: 0, reserved: [0; 14], row_bytes: [0; 16], rows: [0; 16] };
        // Four results, two left factors, two right factors.
        let bytes = words * size_of::<u32>();
        let tiles = [(rows, ROW); 4].into_iter().chain([(rows, bytes); 2]).chain([(words, ROW); 2]);
        for (tile, (rows, bytes)) in tiles.enumerate() {
            (configuration.rows[tile], configuration.row_bytes[tile]) = (rows as u8, bytes as u16);
        }
        // SAFETY: a value of `Tiles` exists only where the instructions may be used, and the configuration is 64 bytes.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &configuration, options(nostack, readonly, preserves_flags)) };
    }

    /// Gives the tiles back, so that the system saves none of them when it switches threads.
    #[inline]
    pub(crate) fn release(self) {
        // SAFETY: as above.
        unsafe { asm!("tilerelease", options(nostack, nomem, preserves_flags)) };
    }

    /// Adds the products of blocks to two by two tiles of results, or sets these.
    ///
    /// # Safety
    /// Tiles must be configured for [`TILE`] rows and words. 32 rows must be readable in `a` at every block, and writable in `c`, with
    /// 32 columns; both vectors of `b` must have every block.
    #[inline(always)]
    pub(crate) unsafe fn multiply_two_by_two(
        self,
        a: TileRows,
        b: [*const u32; 2],
        blocks: usize,
        (c, c_row): (*mut f32, usize),
        accumulate: bool,
    ) {
        // SAFETY: the caller's promise; the registers and memory that change are said.
        unsafe {
            asm!(
                "test {accumulate:e}, {accumulate:e}",
                "jz 2f",
                "tileloadd tmm0, [{c} + {c_row}]",
                "tileloadd tmm1, [{c} + {c_row} + 64]",
                "tileloadd tmm2, [{lower} + {c_row}]",
                "tileloadd tmm3, [{lower} + {c_row} + 64]",
                "jmp 3f",
                "2:",
                "tilezero tmm0",
                "tilezero tmm1",
                "tilezero tmm2",
                "tilezero tmm3",
                "3:",
                "tileloadd tmm4, [{a} + {a_row}]",
                "tileloadd tmm6, [{left} + {b_row}]",
                "tdpbf16ps tmm0, tmm4, tmm6",
                "tileloadd tmm7, [{right} + {b_row}]",
                "tdpbf16ps tmm1, tmm4, tmm7",
                "tileloadd tmm5, [{a_lower} + {a_row}]",
                "tdpbf16ps tmm2, tmm5, tmm6",
                "tdpbf16ps tmm3, tmm5, tmm7",
                "add {a}, 64",
                "add {a_lower}, 64",
                "add {left}, 1024",
                "add {right}, 1024",
                "dec {blocks}",
                "jnz 3b",
                "tilestored [{c} + {c_row}], tmm0",
                "tilestored [{c} + {c_row} + 64], tmm1",
                "tilestored [{lower} + {c_row}], tmm2",
                "tilestored [{lower} + {c_row} + 64], tmm3",
                accumulate = in(reg) u32::from(accumulate),
                c = in(reg) c,
                lower = in(reg) c.wrapping_add(TILE * c_row),
                c_row = in(reg) c_row * size_of::<f32>(),
                a = inout(reg) a.start => _,
                a_lower = inout(reg) a.start.wrapping_add(TILE * a.row) => _,
                a_row = in(reg) a.row * size_of::<u32>(),
                left = inout(reg) b[0] => _,
                right = inout(reg) b[1] => _,
                b_row = in(reg) ROW,
                blocks = inout(reg) blocks => _,
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack),
            );
        }
    }

    /// Computes the product of a block with sixteen columns.
    ///
    /// # Safety
    /// Tiles must be configured for the words of the block. The configured rows must be readable in `a`, and the block in `b`.
    #[inline(always)]
    pub(crate) unsafe fn multiply_block(self, a: TileRows, b: *const u32, product: &mut BlockProduct) {
        // SAFETY: as above.
        unsafe {
            asm!(
                "tileloadd tmm4, [{a} + {a_row}]",
                "tileloadd tmm6, [{b} + {row}]",
                "tilezero tmm0",
                "tdpbf16ps tmm0, tmm4, tmm6",
                "tilestored [{product} + {row}], tmm0",
                a = in(reg) a.start,
                a_row = in(reg) a.row * size_of::<u32>(),
                b = in(reg) b,
                row = in(reg) ROW,
                product = in(reg) product,
                out("tmm0") _, out("tmm4") _, out("tmm6") _,
                options(nostack, preserves_flags),
            );
        }
    }

    /// Adds the products of blocks of `WORDS` words with sixteen columns to the sums of eight or sixteen rows, each times its scales,
    /// rounded once. The number of blocks is that of their factors, a multiple of four. With `MINIMA`, the block's minima times the
    /// sum of its row are then subtracted, likewise. Rows that are not configured get numbers without meaning.
    ///
    /// A tile is stored three blocks after its product began: loads behind a store that still waits for its value wait too where
    /// their addresses look alike to the processor.
    ///
    /// # Safety
    /// As for [`Tiles::multiply_block`], for each block. No more rows may be configured than there are sums.
    #[target_feature(enable = "avx512f")]
    pub(crate) unsafe fn add_blocks<const WORDS: usize, const MINIMA: bool>(
        self,
        a: TileRows,
        b: *const u32,
        sums: &mut [[f32; LANES]],
        factors: &[BlockFactors],
        products: &mut [BlockProduct; 4],
    ) {
        assert!(!factors.is_empty() && factors.len().is_multiple_of(4), "blocks come in fours");
        // `start` begins the product of a block, `finish` adds it.
        macro_rules! start {
            ($tile:literal, $left:literal, $right:literal) => {
                concat!(
                    concat!("tileloadd tmm", $left, ", [{a} + {a_row} + ", $tile, " * {a_step}]\n"),
                    concat!("tileloadd tmm", $right, ", [{b} + {row} + ", $tile, " * {b_step}]\n"),
                    concat!("tilezero tmm", $tile, "\n"),
                    concat!("tdpbf16ps tmm", $tile, ", tmm", $left, ", tmm", $right),
                )
            };
        }
        macro_rules! finish {
            ($tile:literal, $($row:literal)*; $($with_minimum:literal)*) => { concat!(
                concat!("tilestored [{products} + {row} + ", $tile, " * 1024], tmm", $tile, "\n"),
                concat!("vmovups zmm16, [{factors} + ", $tile, " * 192]\n"),
                concat!("vmovups zmm17, [{factors} + ", $tile, " * 192 + 64]"),
                $( concat!("\nvfmadd231ps zmm", $row, ", zmm16, [{products} + ", $tile, " * 1024 + ", $row, " * 64]"), )*
                $( concat!(
                    "\nvfnmadd231ps zmm", $with_minimum, ", zmm17, dword ptr [{factors} + ", $tile, " * 192 + 128 + ",
                    $with_minimum, " * 4]{{1to16}}"
                ), )*
            ) };
        }
        macro_rules! add {
            ($($row:literal)*; $($with_minimum:literal)*) => { asm!(
                $( concat!("vmovups zmm", $row, ", [{sums} + ", $row, " * 64]"), )*
                start!(0, 4, 6),
                start!(1, 5, 7),
                start!(2, 4, 6),
                "dec {fours}",
                "jz 3f",
                "2:",
                start!(3, 5, 7),
                finish!(0, $($row)*; $($with_minimum)*),
                "add {a}, 4 * {a_step}",
                "add {b}, 4 * {b_step}",
                start!(0, 4, 6),
                finish!(1, $($row)*; $($with_minimum)*),
                start!(1, 5, 7),
                finish!(2, $($row)*; $($with_minimum)*),
                start!(2, 4, 6),
                finish!(3, $($row)*; $($with_minimum)*),
                "add {factors}, 4 * 192",
                "dec {fours}",
                "jnz 2b",
                "3:",
                start!(3, 5, 7),
                finish!(0, $($row)*; $($with_minimum)*),
                finish!(1, $($row)*; $($with_minimum)*),
                finish!(2, $($row)*; $($with_minimum)*),
                finish!(3, $($row)*; $($with_minimum)*),
                $( concat!("vmovups [{sums} + ", $row, " * 64], zmm", $row), )*
                a = inout(reg) a.start => _,
                a_row = in(reg) a.row * size_of::<u32>(),
                b = inout(reg) b => _,
                row = in(reg) ROW,
                products = in(reg) products,
                factors = inout(reg) factors.as_ptr() => _,
                sums = in(reg) sums.as_mut_ptr(),
                fours = inout(reg) factors.len() / 4 => _,
                a_step = const WORDS * size_of::<u32>(),
                b_step = const WORDS * ROW,
                out("zmm0") _, out("zmm1") _, out("zmm2") _, out("zmm3") _, out("zmm4") _, out("zmm5") _,
                out("zmm6") _, out("zmm7") _, out("zmm8") _, out("zmm9") _, out("zmm10") _, out("zmm11") _,
                out("zmm12") _, out("zmm13") _, out("zmm14") _, out("zmm15") _, out("zmm16") _, out("zmm17") _,
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack),
            ) };
        }
        // SAFETY: the caller's promise; sums and factors have as many vectors as are read, and there is room for four products.
        unsafe {
            match (sums.len(), MINIMA) {
                (TILE, false) => add!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15;),
                (TILE, true) => {
                    add!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
                }
                (8, false) => add!(0 1 2 3 4 5 6 7;),
                (8, true) => add!(0 1 2 3 4 5 6 7; 0 1 2 3 4 5 6 7),
                _ => unreachable!("eight or sixteen rows"),
            }
        }
    }
}

/// Returns whether the CPU has the instructions.
fn has_amx() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    const AMX: u32 = 1 << 22 | 1 << 24;
    __cpuid(0).eax >= 7 && __cpuid_count(7, 0).edx & AMX == AMX
}

/// Returns whether the system keeps the state of tiles.
fn is_enabled() -> bool {
    #[target_feature(enable = "xsave")]
    fn states() -> u64 {
        // SAFETY: the register is there wherever `xsave` is enabled.
        unsafe { std::arch::x86_64::_xgetbv(0) }
    }
    const TILES: u64 = 1 << 17 | 1 << 18;
    // SAFETY: the instruction was detected.
    is_x86_feature_detected!("xsave") && unsafe { states() } & TILES == TILES
}

/// Requests Linux's permission to use tiles, for all threads of this process, and returns whether it is given.
#[cfg(target_os = "linux")]
fn request_permission() -> bool {
    use std::ffi::{c_int, c_long};
    const ARCH_PRCTL: c_long = 158;
    const REQUEST: c_int = 0x1023;
    const TILE_DATA: c_long = 18;
    unsafe extern "C" {
        fn syscall(number: c_long, ...) -> c_long;
    }
    // SAFETY: the call reads no memory, and changes nothing but the permission.
    unsafe { syscall(ARCH_PRCTL, REQUEST, TILE_DATA) == 0 }
}

/// Other systems are not asked.
#[cfg(not(target_os = "linux"))]
fn request_permission() -> bool {
    false
}
