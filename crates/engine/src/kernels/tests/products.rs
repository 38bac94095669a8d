//! Tests of products with packed weights: each element is summed in the order that its format specifies, on every instruction
//! set.

use proptest::prelude::*;

use super::*;
use crate::kernels::formats::{Source, Weights};
use crate::kernels::products::{Blocking, FactorLayout, LowRankTerm, matmul, matmul_in_blocks};

/// Returns the bf16 nearest to `x`, found by comparing distances; zero below 2^-56.
fn to_bf16(x: f32) -> f32 {
    if x.abs() < 2f32.powi(-56) {
        return 0.0;
    }
    let below = x.to_bits() & 0xffff_0000;
    let (down, up) = (f32::from_bits(below), f32::from_bits(below + 0x1_0000));
    // The value after the largest bf16 counts as 2^128.
    let distance_up = if up.is_infinite() { 2f64.powi(128) } else { f64::from(up.abs()) } - f64::from(x.abs());
    let distance_down = f64::from(x.abs()) - f64::from(down.abs());
    let odd = below & 0x1_0000 != 0;
    if distance_up < distance_down || distance_up == distance_down && odd { up } else { down }
}

/// Returns a packed matrix and its stored weights, `[depth][columns]`.
fn packed(pool: &ComputePool, format: WeightFormat, depth: usize, segments: &[usize], w: &[f32]) -> (Panels, Vec<f32>) {
    let columns: usize = segments.iter().sum();
    let panels = Panels::pack(pool, format, depth, segments, &|column, values| {
        (0..depth).for_each(|k| values[k] = w[k * columns + column]);
    });
    assert_eq!((panels.format(), panels.depth(), panels.columns()), (format.into(), depth, columns));
    let mut stored = vec![0.0; depth * columns];
    for column in 0..columns {
        let mut values = vec![0.0; depth];
        panels.column(column, &mut values);
        (0..depth).for_each(|k| stored[k * columns + column] = values[k]);
    }
    (panels, stored)
}

/// Returns the sum of products of a block: that of the even pairs of k plus that of the odd ones, both in order from zero.
fn block(terms: &[(f32, f32)]) -> f32 {
    let of = |parity: usize| {
        let pairs = terms.chunks(2).skip(parity).step_by(2);
        chain(0.0, pairs.flatten().map(|(x, w)| (to_bf16(*x), to_bf16(*w))))
    };
    of(0) + of(1)
}

/// Returns `start + x w` for a column of w, as the format specifies it.
fn product(panels: &Panels, start: Option<f32>, x: &[f32], column: usize) -> f32 {
    let mut weights = vec![0.0; x.len()];
    panels.column(column, &mut weights);
    let terms: Vec<_> = x.iter().copied().zip(weights).collect();
    match (panels.source(), panels.format()) {
        (_, MatrixFormat::F32) => chain(start.unwrap_or(0.0), terms.into_iter()),
        (Source::Packed(Weights::Grouped(grouped)), _) => {
            let panel = panels.panels.iter().rfind(|panel| panel.column <= column).unwrap();
            let neighbours = if panel.format == MatrixFormat::INT6 { 16 } else { 32 };
            (0..x.len()).step_by(neighbours).fold(start.unwrap_or(0.0), |sum, first| {
                let group = first..x.len().min(first + neighbours);
                let (ones, terms): (Vec<_>, Vec<_>) =
                    group.map(|k| ((x[k], 1.0), (x[k], grouped.number(k, column).number))).unzip();
                let of_group = grouped.number(first, column);
                let sum = f32::mul_add(of_group.scale, block(&terms), sum);
                if panel.format.has_minima() { f32::mul_add(-of_group.minimum, block(&ones), sum) } else { sum }
            })
        }
        _ => {
            let start = start.filter(|start| start.abs() >= 2f32.powi(-103) || start.is_nan()).unwrap_or(0.0);
            terms.chunks(32).fold(start, |sum, terms| sum + block(terms))
        }
    }
}

#[test]
fn matrix_products_have_the_order_of_their_format() {
    let shapes = [
        (1, 7, vec![16]),
        (5, 64, vec![48, 16]),
        (17, 100, vec![64, 80]),
        (200, 33, vec![32, 16]),
        (3, 4200, vec![16]),
        (13, 519, vec![80, 48]),
    ];
    for ((rows, depth, segments), format) in shapes.iter().flat_map(|shape| WeightFormat::ALL.map(|f| (shape, f))) {
        let (rows, depth, columns, first) = (*rows, *depth, segments.iter().sum::<usize>(), segments[0]);
        let (x, w) = (values(rows * depth, 1), values(depth * columns, 2));
        let (left, mut right, start) = (values(rows * 5, 3), values(5 * columns, 4), values(rows * columns, 5));
        right.iter_mut().for_each(|value| *value = to_bf16(*value));
        let (reference, _) = packed(&ComputePool::new(1), format, depth, segments, &w);
        let mut in_panels = Vec::new();
        let mut column = 0;
        for width in
            segments.iter().flat_map(|&segment| (0..segment).step_by(PANEL).map(move |at| PANEL.min(segment - at)))
        {
            (0..5).for_each(|k| in_panels.extend_from_slice(&right[k * columns + column..][..width]));
            column += width;
        }
        let in_bf16: Vec<u16> = in_panels.iter().map(|value| bf16_bits(*value)).collect();
        for accumulate in [false, true] {
            for threads in [1, 2] {
                let y = same(|set| {
                    let pool = ComputePool::with_instruction_set(threads, set);
                    let (panels, _) = packed(&pool, format, depth, segments, &w);
                    let layouts = [
                        (Factor::F32(&right), FactorLayout::Rows(columns)),
                        (Factor::F32(&in_panels), FactorLayout::Panels(0)),
                        (Factor::Bf16(&in_bf16), FactorLayout::Panels(0)),
                    ];
                    let [y, other, third] = layouts.map(|(right, right_layout)| {
                        let term = LowRankTerm {
                            rows: rows / 2..rows,
                            columns: 0..first,
                            depth: 5,
                            left: &left,
                            left_stride: 5,
                            right,
                            right_layout,
                        };
                        let mut y = start.clone();
                        matmul(&pool, rows, &x, &panels, &mut y, accumulate, &[term]);
                        y
                    });
                    assert_eq!(bits(&y), bits(&other), "the layout of a factor does not show");
                    assert_eq!(bits(&y), bits(&third), "nor does its storage");
                    y
                });
                for (i, y) in y.iter().enumerate() {
                    let (row, column) = (i / columns, i % columns);
                    let x = &x[row * depth..][..depth];
                    let mut expected = product(&reference, accumulate.then_some(start[i]), x, column);
                    if row >= rows / 2 && column < first {
                        let terms = (0..5).map(|k| (left[row * 5 + k], right[k * columns + column]));
                        expected = chain(expected, terms);
                    }
                    assert_eq!(y.to_bits(), expected.to_bits(), "{format} {rows}x{depth}x{columns} [{row}, {column}]");
                }
            }
        }
    }
}

#[test]
fn blocks_do_not_show() {
    let (rows, depth, segments, columns) = (75, 131, [80, 16], 96);
    let (x, w, start) = (values(rows * depth, 1), values(depth * columns, 2), values(rows * columns, 3));
    let (left, right) = (values(rows * 3, 4), values(3 * columns, 5));
    for format in WeightFormat::ALL {
        for accumulate in [false, true] {
            same(|set| {
                let pool = ComputePool::with_instruction_set(2, set);
                let (panels, _) = packed(&pool, format, depth, &segments, &w);
                let term = LowRankTerm {
                    rows: 10..rows,
                    columns: 0..columns,
                    depth: 3,
                    left: &left,
                    left_stride: 3,
                    right: Factor::F32(&right),
                    right_layout: FactorLayout::Rows(columns),
                };
                let mut expected = start.clone();
                matmul(&pool, rows, &x, &panels, &mut expected, accumulate, std::slice::from_ref(&term));
                let short = if format == WeightFormat::F32 { 2 } else { 96 };
                for (rows_of_task, panels_of_task, block, round) in
                    [(12, 2, 32, 64), (75, 1, 64, 64), (7, 3, short, 131), (2, 1, 64, 131)]
                {
                    let blocking = Blocking { rows: rows_of_task, panels: panels_of_task, depth: block, round };
                    let (terms, mut y) = (std::slice::from_ref(&term), start.clone());
                    matmul_in_blocks(&pool, rows, &x, &panels, &mut y, accumulate, terms, Some(blocking));
                    assert_eq!(bits(&y), bits(&expected), "{format} {blocking:?}");
                }
                expected
            });
        }
    }
}

#[test]
fn a_row_does_not_depend_on_the_others() {
    const ROWS: usize = 70;
    let (depth, segments, columns) = (37, [80, 16], 96);
    let (x, w) = (values(ROWS * depth, 1), values(depth * columns, 2));
    for format in WeightFormat::ALL {
        let (reference, _) = packed(&ComputePool::new(1), format, depth, &segments, &w);
        let element = |i: usize| product(&reference, None, &x[i / columns * depth..][..depth], i % columns);
        let expected: Vec<u32> = (0..ROWS * columns).map(|i| element(i).to_bits()).collect();
        for set in InstructionSet::available() {
            let pool = ComputePool::with_instruction_set(2, set);
            let (panels, _) = packed(&pool, format, depth, &segments, &w);
            for rows in 1..=ROWS {
                let mut y = vec![f32::NAN; rows * columns];
                matmul(&pool, rows, &x, &panels, &mut y, false, &[]);
                assert!(bits(&y) == expected[..rows * columns], "{format}, {rows} rows, {}", set.name());
            }
        }
    }
}

#[test]
fn weights_are_stored_as_the_format_says() {
    let (depth, columns) = (70, 80);
    let mut weights = values(depth * columns, 3);
    // Groups of very different magnitudes, one of them zero, and ties of the rounding to bf16.
    for (i, weight) in weights.iter_mut().enumerate() {
        *weight *= [1.0, 1e-20, 1e20, 0.0, 1e-3][i % columns % 5];
    }
    weights[0] = f32::from_bits(0x3f80_8000);
    weights[16] = f32::from_bits(0x3f81_8000);
    for format in WeightFormat::ALL {
        let stored =
            same(|set| packed(&ComputePool::with_instruction_set(2, set), format, depth, &[64, 16], &weights).1);
        for (i, (stored, weight)) in stored.iter().zip(&weights).enumerate() {
            match format {
                WeightFormat::F32 => assert_eq!(stored, weight),
                WeightFormat::Bf16 | WeightFormat::File => assert_eq!(*stored, to_bf16(*weight)),
                WeightFormat::Int8 | WeightFormat::Int4 => {
                    let (column, group) = (i % columns, i / columns / 32 * 32);
                    let largest =
                        (group..depth.min(group + 32)).map(|k| weights[k * columns + column].abs()).fold(0.0, f32::max);
                    // Half a step, which is an f16, and the rounding to bf16. Four bits have -8 but no 8, so a value of
                    // 8 steps becomes 7, and the step has five significant bits.
                    let steps = if format == WeightFormat::Int8 { 127.0 } else { 8.0 };
                    let half = if format == WeightFormat::Int8 { 0.5 } else { 1.25 };
                    let limit = half * largest / steps * 1.002 + weight.abs() / 256.0 + steps * 2f32.powi(-25);
                    if largest > steps * 65504.0 {
                        assert!(stored.is_finite(), "a scale is finite");
                        continue;
                    }
                    assert!((stored - weight).abs() <= limit, "{stored} for {weight}, largest {largest}");
                    assert!(
                        format == WeightFormat::Int8 || to_bf16(*stored) == *stored,
                        "the backward pass has the same weights"
                    );
                }
            }
        }
    }
}

/// Columns of random blocks of 256 weights and more, each of sixteen in another format.
struct Mixture(Vec<Vec<u8>>);

impl StoredColumns for Mixture {
    fn column(&self, column: usize) -> Option<&[u8]> {
        Some(&self.0[column])
    }
}

#[test]
fn products_with_blocks_of_files_have_the_order_of_each_matrix() {
    let (depth, formats) = (2 * 256, BlockFormat::ALL.map(MatrixFormat::Blocks));
    // Panels of four vectors and of fewer.
    let segments: Vec<Segment> = [80, 48, 64, 32, 16, 80, 16, 32].into_iter().zip(formats).collect();
    let columns: usize = segments.iter().map(|(width, _)| width).sum();
    let mut noise = crate::testing::noise(9);
    let mut file = Vec::new();
    for (width, format) in &segments {
        let layout = format.blocks().unwrap().layout();
        for _ in 0..*width {
            let bytes = depth / layout.file_weights * layout.file_bytes;
            let mut bytes: Vec<u8> = (0..bytes).map(|_| (128.0 * (noise() + 1.0)) as u8).collect();
            // Scales and minima of all signs and magnitudes, some of them subnormal, and all finite.
            for block in bytes.chunks_exact_mut(layout.file_bytes) {
                let halves = block[layout.file_scale..].as_chunks_mut::<2>().0;
                halves.iter_mut().take(format.blocks().unwrap().halves()).for_each(|half| half[1] &= 0xbf);
            }
            file.push(bytes);
        }
    }
    let file = Mixture(file);
    let pack = |pool: &ComputePool| Panels::pack_stored(pool, depth, &segments, &file);
    let panels = pack(&ComputePool::new(2));
    let transposed = panels.transposed(&ComputePool::new(1));
    for rows in [1, 2, 3, 4, 7, 9, 70, 200] {
        let (x, start) = (values(rows * depth, 1), values(rows * columns, 2));
        for accumulate in [false, true] {
            let y = same(|set| {
                let mut y = start.clone();
                let pool = ComputePool::with_instruction_set(2, set);
                matmul(&pool, rows, &x, &pack(&pool), &mut y, accumulate, &[]);
                y
            });
            for (i, y) in y.iter().enumerate() {
                let (row, column) = (i / columns, i % columns);
                let expected = product(&panels, accumulate.then(|| start[i]), &x[row * depth..][..depth], column);
                assert_eq!(y.to_bits(), expected.to_bits(), "{rows} rows, [{row}, {column}]");
            }
        }
        // Backwards they are products with weights that are rounded to bf16.
        let x = values(rows * columns, 3);
        let y = same(|set| {
            let mut y = vec![f32::NAN; rows * depth];
            matmul(&ComputePool::with_instruction_set(2, set), rows, &x, &transposed, &mut y, false, &[]);
            y
        });
        for (k, y) in y[..depth].iter().enumerate() {
            assert_eq!(*y, product(&transposed, None, &x[..columns], k), "{rows} rows");
        }
    }
}

#[test]
fn panels_can_be_transposed() {
    let (depth, columns) = (80, 96);
    let w = values(depth * columns, 4);
    for format in WeightFormat::ALL {
        let pool = ComputePool::new(2);
        let (panels, stored) = packed(&pool, format, depth, &[80, 16], &w);
        let transposed = panels.transposed(&pool);
        assert_eq!((transposed.depth(), transposed.columns(), transposed.format()), (columns, depth, format.into()));
        assert_eq!(transposed.bytes(), MatrixFormat::from(format).transposed_bytes(depth, columns));
        for k in 0..depth {
            let mut values = vec![0.0; columns];
            transposed.column(k, &mut values);
            assert_eq!(values, stored[k * columns..][..columns]);
        }
        for rows in [1, 5, 70] {
            let x = super::values(rows * columns, 6);
            let y = same(|set| {
                let mut y = vec![f32::NAN; rows * depth];
                matmul(&ComputePool::with_instruction_set(2, set), rows, &x, &transposed, &mut y, false, &[]);
                y
            });
            let element = |i: usize| product(&transposed, None, &x[i / depth * columns..][..columns], i % depth);
            assert_eq!(
                bits(&y),
                (0..rows * depth).map(|i| element(i).to_bits()).collect::<Vec<_>>(),
                "{format}, {rows} rows"
            );
        }
    }
}

#[test]
fn each_format_takes_the_memory_it_promises() {
    let w = values(64 * 64, 5);
    let set = InstructionSet::available().into_iter().find(|set| !set.compresses()).expect("plain Rust");
    let pool = ComputePool::with_instruction_set(1, set);
    let bytes = WeightFormat::ALL.map(|format| packed(&pool, format, 64, &[64], &w).0.bytes());
    let scales = 64 * 64 / 32 * 2;
    // Weights that come from no file are bf16 in the format of the file.
    assert_eq!(bytes, [64 * 64 * 4, 64 * 64 * 2, 64 * 64 + scales, 64 * 64 / 2 + scales, 64 * 64 * 2]);
}

#[test]
fn formats_are_read_by_name() {
    for format in WeightFormat::ALL {
        assert_eq!(format.to_string().parse::<WeightFormat>().unwrap(), format);
    }
    assert!("fp8".parse::<WeightFormat>().unwrap_err().to_string().contains("f32, bf16, int8, int4 or file"));
}

/// Generates numbers of any magnitude and sign, including subnormal ones and zero, whose products of products are
/// finite.
fn any_number() -> impl Strategy<Value = f32> {
    let any_below = |exponent: u32| {
        any::<u32>().prop_map(move |bits| f32::from_bits(bits & 0x807f_ffff | ((bits >> 23 & 0xff) % exponent) << 23))
    };
    prop_oneof![any_below(150), any_below(80), -2f32..2.0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 64 } else { 4096 }))]

    /// This includes inputs for which bf16 hardware flushes subnormal numbers and plain arithmetic does not.
    #[test]
    fn bits_are_equal_on_every_instruction_set(
        x in prop::collection::vec(any_number(), 3 * 9),
        w in prop::collection::vec(any_number(), 9 * 16),
        start in prop::collection::vec(any_number(), 3 * 16),
        accumulate: bool,
    ) {
        for format in WeightFormat::ALL {
            let (reference, _) = packed(&ComputePool::new(1), format, 9, &[16], &w);
            let mut found = Vec::new();
            for set in InstructionSet::available() {
                let pool = ComputePool::with_instruction_set(1, set);
                let (panels, _) = packed(&pool, format, 9, &[16], &w);
                let mut y = start.clone();
                matmul(&pool, 3, &x, &panels, &mut y, accumulate, &[]);
                let mut fewer = start.clone();
                matmul(&pool, 2, &x, &panels, &mut fewer, accumulate, &[]);
                prop_assert_eq!(bits(&fewer)[..2 * 16].to_vec(), bits(&y)[..2 * 16].to_vec(), "{} {}", format, set.name());
                found.push(bits(&y));
            }
            let expected: Vec<u32> = (0..3 * 16)
                .map(|i| {
                    product(&reference, accumulate.then_some(start[i]), &x[i / 16 * 9..][..9], i % 16).to_bits()
                })
                .collect();
            for (found, set) in found.iter().zip(InstructionSet::available()) {
                prop_assert_eq!(found, &expected, "{} {}", format, set.name());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Shapes that cut tiles, blocks and vectors anywhere; some factors are zero, subnormal, huge or infinite.
    #[test]
    fn bits_of_any_shape_are_equal_on_every_instruction_set(
        rows in 1_usize..=70,
        depth in 1_usize..=200,
        vectors in 1_usize..=6,
        seed: u64,
        has_special: bool,
        accumulate: bool,
    ) {
        let columns = vectors * 16;
        let special = [0.0, -0.0, 1e-40, -1e-40, 3e30, f32::INFINITY, f32::NEG_INFINITY];
        let mut noise = crate::testing::noise(seed);
        let mut numbers = |count: usize, special: &[f32]| -> Vec<f32> {
            let mut number = || match noise() {
                kind if kind > 0.98 && !special.is_empty() => special[(noise().abs() * special.len() as f32) as usize % special.len()],
                other => other,
            };
            (0..count).map(|_| number()).collect()
        };
        let all = if has_special { &special[..] } else { &[] };
        let (x, start) = (numbers(rows * depth, all), numbers(rows * columns, all));
        let w = numbers(depth * columns, &all[..all.len().min(4)]);
        for format in WeightFormat::ALL {
            same(|set| {
                let pool = ComputePool::with_instruction_set(2, set);
                let (panels, _) = packed(&pool, format, depth, &[columns], &w);
                let mut y = start.clone();
                matmul(&pool, rows, &x, &panels, &mut y, accumulate, &[]);
                y
            });
        }
    }
}
