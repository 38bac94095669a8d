//! Tests of every kernel against a plain reference in double precision, and of all instruction sets against each other,
//! bit by bit.

mod products;
mod recurrent;
mod training;

use super::attention::{AttentionShape, AttentionSpan, LayerPages, PAGE, PagePart, attention};
use super::attention_backward::{AttentionBackward, attention_backward_in_steps, backward_scores_len, turned_len};
use super::products::{Factor, SmallProduct, small_products};
use super::rows::*;
use super::*;
use crate::kernels::pool::ComputePool;
use crate::tests::noise;

fn values(count: usize, seed: u64) -> Vec<f32> {
    let mut noise = noise(seed);
    (0..count).map(|_| 2.0 * noise()).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// Runs `f` with every instruction set and returns the result, which must be the same for all.
fn same(f: impl Fn(InstructionSet) -> Vec<f32>) -> Vec<f32> {
    let sets = InstructionSet::available();
    let expected = f(sets[0]);
    for set in &sets[1..] {
        assert_eq!(bits(&f(*set)), bits(&expected), "{} differs from {}", set.name(), sets[0].name());
    }
    expected
}

fn assert_close(found: &[f32], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let limit = tolerance * expected.abs().max(1.0);
        assert!((f64::from(*found) - expected).abs() <= limit, "[{i}] {found} instead of {expected}");
    }
}

fn double(x: &[f32]) -> Vec<f64> {
    x.iter().map(|x| f64::from(*x)).collect()
}

/// Returns the central differences of `sum(dy * f(x))` for every `x`.
fn differences(x: &[f32], dy: &[f32], f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let at = |i: usize, step: f64| {
        let mut x = double(x);
        x[i] += step;
        f(&x).iter().zip(dy).map(|(y, d)| y * f64::from(*d)).sum::<f64>()
    };
    (0..x.len()).map(|i| (at(i, 1e-6) - at(i, -1e-6)) / 2e-6).collect()
}

fn softmax_reference(x: &[f64]) -> Vec<f64> {
    let sum: f64 = x.iter().map(|x| x.exp()).sum();
    x.iter().map(|x| x.exp() / sum).collect()
}

#[test]
fn large_buffers_are_zero_and_aligned() {
    // Larger than a huge page, and not a multiple of a page.
    let mut buffer = Buffer::new((5 << 20) / 4 + 3);
    assert!(buffer.as_ptr().addr().is_multiple_of(64) && buffer.iter().all(|x| *x == 0.0));
    buffer.fill(1.0);
    buffer.reserve(buffer.len() + 1);
    assert!(buffer.len() == (5 << 20) / 4 + 4 && buffer.iter().all(|x| *x == 0.0));
}

#[test]
fn dot_products() {
    for len in [0, 1, 15, 16, 17, 100] {
        let (x, y) = (values(len, 1), values(len, 2));
        let expected: f64 = double(&x).iter().zip(double(&y)).map(|(x, y)| x * y).sum();
        assert_close(&same(|set| vec![dot(set, &x, &y)]), &[expected], 1e-5);
    }
}

#[test]
fn rms_norm_and_its_gradient() {
    let (width, eps) = (24, 1e-6);
    let pad = |values: Vec<f32>| -> Vec<f32> { values.into_iter().chain([0.0; 8]).collect() };
    let (x, weight, dy) = (pad(values(width, 1)), pad(values(width, 2)), pad(values(width, 3)));
    let reference = |x: &[f64]| -> Vec<f64> {
        let mean = x[..width].iter().map(|x| x * x).sum::<f64>() / width as f64;
        x.iter().zip(&weight).map(|(x, w)| x / (mean + f64::from(eps)).sqrt() * f64::from(*w)).collect()
    };
    let y = same(|set| {
        let mut y = vec![9.0; 32];
        rms_norm(set, &x, RmsNorm { weight: &weight, width, eps }, &mut y);
        y
    });
    assert_close(&y, &reference(&double(&x)), 1e-6);
    let mut expected = differences(&x, &dy, reference);
    for accumulate in [false, true] {
        let dx = same(|set| {
            let mut dx = vec![if accumulate { 0.5 } else { 9.0 }; 32];
            rms_norm_backward(set, &x, RmsNorm { weight: &weight, width, eps }, &dy, &mut dx, accumulate);
            dx
        });
        assert_close(&dx[..width], &expected[..width], 1e-5);
        expected.iter_mut().for_each(|g| *g += 0.5);
    }
}

#[test]
fn rope_with_and_without_head_norm_and_its_gradient() {
    for (dim, normed) in [(6, true), (16, true), (64, true), (6, false), (20, false), (64, false)] {
        let stride = usize::next_multiple_of(dim, 16);
        let (x, weight, angles) = (values(stride, 1), values(dim, 2), values(dim / 2, 3));
        let (cos, sin): (Vec<f32>, Vec<f32>) = angles.iter().map(|a| (a.cos(), a.sin())).unzip();
        let norm = HeadNorm { weight: normed.then_some(&weight[..]), eps: 1e-6, cos: &cos, sin: &sin, scale: 0.25 };
        let reference = |x: &[f64]| -> Vec<f64> {
            let mean = x.iter().map(|x| x * x).sum::<f64>() / dim as f64;
            let factor = |w: &f32| if normed { f64::from(*w) / (mean + 1e-6).sqrt() } else { 1.0 };
            let z: Vec<f64> = x.iter().zip(&weight).map(|(x, w)| 0.25 * x * factor(w)).collect();
            let (c, s, half) = (double(&cos), double(&sin), dim / 2);
            let first = (0..half).map(|k| z[k] * c[k] - z[k + half] * s[k]);
            first.chain((0..half).map(|k| z[k + half] * c[k] + z[k] * s[k])).collect()
        };
        let y = same(|set| {
            let mut y = vec![9.0; stride];
            head_norm_rope(set, &x, norm, &mut y);
            y
        });
        assert_close(&y[..dim], &reference(&double(&x[..dim])), 1e-6);
        assert!(y[dim..].iter().all(|y| *y == 0.0));
        let dy = values(dim, 4);
        let dx = same(|set| {
            let mut dx = vec![9.0; stride];
            head_norm_rope_backward(set, &x, norm, &dy, &mut dx);
            dx
        });
        assert_close(&dx[..dim], &differences(&x[..dim], &dy, reference), 1e-5);
        assert!(dx[dim..].iter().all(|dx| *dx == 0.0));
    }
}

type Gated = fn(InstructionSet, &[f32], &[f32], &mut [f32]);
type GatedBackward = fn(InstructionSet, &mut [f32], &mut [f32], &[f32]);
type Kernels = (fn(f64) -> f64, Gated, GatedBackward);

#[test]
fn gated_activations_and_their_gradients() {
    let silu = |x: f64| x / (1.0 + (-x).exp());
    let gelu = |x: f64| 0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3))).tanh());
    let kernels: [Kernels; 2] = [(silu, swiglu, swiglu_backward), (gelu, geglu, geglu_backward)];
    let (mut gate, up, dy) = (values(48, 1), values(48, 2), values(48, 3));
    // Where the functions are 0 and the identity.
    gate[..10].copy_from_slice(&[0.0, -0.0, 4.0, -4.0, 12.0, -12.0, 100.0, -100.0, 1e4, -1e4]);
    let both = [&gate[..], &up[..]].concat();
    for (f, forward, backward) in kernels {
        let reference = |x: &[f64]| -> Vec<f64> { (0..48).map(|i| f(x[i]) * x[i + 48]).collect() };
        let y = same(|set| {
            let mut y = vec![9.0; 48];
            forward(set, &gate, &up, &mut y);
            y
        });
        assert_close(&y, &reference(&double(&both)), 1e-6);
        let gradients = same(|set| {
            let (mut gate, mut up) = (gate.clone(), up.clone());
            backward(set, &mut gate, &mut up, &dy);
            [gate, up].concat()
        });
        assert_close(&gradients, &differences(&both, &dy, reference), 1e-5);
    }
}

#[test]
fn exponentials_are_accurate_over_their_range() {
    for i in 0..1750 {
        let x = -87.0 + i as f32 * 0.1;
        // Two entries with a difference of x: their weights are in the ratio e^x to e^0.
        let stats = log_softmax(&[x.min(0.0), (-x).min(0.0)]);
        let expected = f64::from(-x.abs()).exp().ln_1p();
        assert!((f64::from(stats.log_sum) - expected).abs() < 3e-7, "{x}: {} {expected}", stats.log_sum);
    }
}

#[test]
fn softmax_and_its_gradient() {
    for valid in [1, 15, 16, 33, 48] {
        let (x, dy) = (values(48, 1), values(48, 2));
        let p = same(|set| {
            let mut row = x.clone();
            softmax(set, &mut row, valid);
            row
        });
        assert_close(&p[..valid], &softmax_reference(&double(&x[..valid])), 1e-6);
        assert!(p[valid..].iter().all(|p| *p == 0.0));
        let delta = p.iter().zip(&dy).map(|(p, d)| p * d).sum();
        let dx = same(|set| {
            let mut dp = dy.clone();
            softmax_backward(set, &p, &mut dp, delta, valid);
            dp
        });
        assert_close(&dx[..valid], &differences(&x[..valid], &dy[..valid], softmax_reference), 1e-5);
        assert!(dx[valid..].iter().all(|dx| *dx == 0.0));
        for set in InstructionSet::available() {
            let constants = softmax(set, &mut x.clone(), valid);
            for part in [0..valid, 0..valid / 2, valid / 2..valid] {
                let (mut found, mut gradient) = (x[part.clone()].to_vec(), dy[part.clone()].to_vec());
                softmax_part_backward(set, &mut found, &mut gradient, constants, delta);
                let expected = [&p[part.clone()], &dx[part.clone()]].map(bits);
                assert_eq!([bits(&found), bits(&gradient)], expected, "{part:?} of {valid} with {}", set.name());
            }
        }
    }
}

#[test]
fn log_softmax_of_rows_of_any_length() {
    for len in [1, 16, 77, 100] {
        let mut logits = values(len, 5);
        logits.iter_mut().for_each(|x| *x *= 5.0);
        let p = softmax_reference(&double(&logits));
        let entropy: f64 = -p.iter().map(|p| p * p.ln()).sum::<f64>();
        let target = len / 2;
        let found = same(|set| {
            let stats = log_softmax_with(set, &logits);
            vec![stats.logprob(logits[target]), stats.entropy]
        });
        assert_close(&found, &[p[target].ln(), entropy], 1e-5);
    }
}

#[test]
fn log_softmax_at_the_edges() {
    let masked = same(|set| {
        let stats = log_softmax_with(set, &[f32::NEG_INFINITY, 1.0, f32::NEG_INFINITY, 1.0]);
        vec![stats.logprob(1.0), stats.entropy, stats.logprob(f32::NEG_INFINITY)]
    });
    assert_close(&masked[..2], &[0.5f64.ln(), 2f64.ln()], 1e-6);
    assert_eq!(masked[2], f32::NEG_INFINITY);
    for invalid in [f32::NAN, f32::INFINITY] {
        for at in [0, 5, 18] {
            let mut logits = values(19, 1);
            logits[at] = invalid;
            for set in InstructionSet::available() {
                assert!(log_softmax_with(set, &logits).logprob(logits[1]).is_nan());
            }
        }
    }
}

/// Returns one element of a product as specified: one chain of fused multiply-adds.
fn chain(start: f32, terms: impl Iterator<Item = (f32, f32)>) -> f32 {
    terms.fold(start, |sum, (a, b)| a.mul_add(b, sum))
}

#[test]
fn single_rows_side_by_side_are_what_each_is_alone() {
    for (columns, depth) in [(16, 130), (32, 7), (32, 1)] {
        let (a, b) = (values(9 * depth, 1), values(9 * depth * columns, 2));
        let narrow: Vec<u16> = b.iter().map(|value| bf16_bits(*value)).collect();
        for bf16 in [false, true] {
            let rounded = |k: usize| if bf16 { round_to_bf16(b[k]) } else { b[k] };
            let c = same(|set| {
                let mut c = vec![1.0; 9 * columns];
                let products = c.chunks_exact_mut(columns).enumerate().map(|(i, c)| {
                    let part = i * depth * columns..(i + 1) * depth * columns;
                    SmallProduct {
                        rows: 1,
                        columns,
                        depth,
                        a: &a[i * depth..][..depth],
                        a_strides: (depth, 1),
                        b: if bf16 { Factor::Bf16(&narrow[part]) } else { Factor::F32(&b[part]) },
                        b_stride: columns,
                        c,
                        c_stride: columns,
                        accumulate: false,
                    }
                });
                small_products(&ComputePool::with_instruction_set(2, set), products.collect());
                c
            });
            for (at, c) in c.iter().enumerate() {
                let (i, column) = (at / columns, at % columns);
                let chain =
                    |sum: f32, k: usize| a[i * depth + k].mul_add(rounded((i * depth + k) * columns + column), sum);
                assert_eq!(c.to_bits(), (0..depth).fold(0.0, chain).to_bits(), "product {i}, column {column}");
            }
        }
    }
}

#[test]
fn small_products_of_strided_factors() {
    // The left factor is read transposed, as for weight gradients.
    let (rows, columns, depth) = (9, 80, 130);
    let (a, b, start) = (values(depth * 20, 1), values(depth * 90, 2), values(rows * 96, 3));
    let c = same(|set| {
        let pool = ComputePool::with_instruction_set(2, set);
        let (mut c, mut second) = (start.clone(), vec![1.0; 16]);
        let product = SmallProduct {
            rows,
            columns,
            depth,
            a: &a[3..],
            a_strides: (1, 20),
            b: Factor::F32(&b),
            b_stride: 90,
            c: &mut c,
            c_stride: 96,
            accumulate: true,
        };
        let other = SmallProduct {
            rows: 1,
            columns: 16,
            depth: 1,
            a: &[2.0],
            a_strides: (1, 1),
            b: Factor::F32(&b),
            b_stride: 16,
            c: &mut second,
            c_stride: 16,
            accumulate: false,
        };
        small_products(&pool, vec![product, other]);
        assert!(second.iter().zip(&b).all(|(c, b)| *c == 2.0 * b));
        c
    });
    for row in 0..rows {
        for column in 0..96 {
            let i = row * 96 + column;
            let terms = (0..depth).map(|k| (a[3 + k * 20 + row], b[k * 90 + column]));
            let expected = if column < columns { chain(start[i], terms) } else { start[i] };
            assert_eq!(c[i].to_bits(), expected.to_bits());
        }
    }
}

const SHAPE: AttentionShape = AttentionShape { heads: 4, kv_heads: 2, head_stride: 16, gated: false, bf16: false };
const SHAPES: [AttentionShape; 2] = [SHAPE, AttentionShape { bf16: true, ..SHAPE }];

/// Stores keys and values `[positions, kv_heads * 16]` in parts: the first position in a slot of the first page, the
/// following positions after it. The layer begins 7 values into each page, and unwritten slots hold NaN, except for the
/// slot before the first position.
fn pages(shape: AttentionShape, keys: &[f32], values: &[f32], first_slot: usize) -> (Vec<Buffer>, Vec<PagePart>) {
    let positions = keys.len() / 32;
    let head = |head: usize| 7 + shape.keys_offset(head)..7 + shape.keys_offset(head + 1);
    let page = |index| {
        let mut page = Buffer::new(7 + shape.page_len());
        page.fill(f32::from_bits(u32::MAX)); // NaN in both halves of a pair, too
        if index == 0 && first_slot > 0 {
            (0..2).for_each(|i| shape.write_slot(&mut page[head(i)], first_slot - 1, &[9.0; 16], &[9.0; 16]));
        }
        page
    };
    let mut pages: Vec<Buffer> = (0..(first_slot + positions).div_ceil(PAGE)).map(page).collect();
    let mut parts: Vec<PagePart> = Vec::new();
    for position in 0..positions {
        let (index, slot) = ((first_slot + position) / PAGE, (first_slot + position) % PAGE);
        match parts.last_mut() {
            Some(part) if part.page == index => part.positions += 1,
            _ => parts.push(PagePart { page: index, slot, position, positions: 1 }),
        }
        for i in 0..2 {
            let own = position * 32 + i * 16..position * 32 + (i + 1) * 16;
            shape.write_slot(&mut pages[index][head(i)], slot, &keys[own.clone()], &values[own]);
        }
    }
    (pages, parts)
}

fn attention_reference(x: &[f64], rows: usize, window: usize) -> Vec<f64> {
    let (query, rest) = x.split_at(rows * 64);
    let (keys, values) = rest.split_at(rows * 32);
    let mut out = vec![0.0; rows * 64];
    for row in 0..rows {
        for head in 0..4 {
            let kv = head / 2;
            let score = |j: usize| (0..16).map(|k| query[row * 64 + head * 16 + k] * keys[j * 32 + kv * 16 + k]).sum();
            let first = (row + 1).saturating_sub(window);
            let p = softmax_reference(&(first..=row).map(score).collect::<Vec<f64>>());
            for k in 0..16 {
                out[row * 64 + head * 16 + k] =
                    p.iter().zip(first..).map(|(p, j)| p * values[j * 32 + kv * 16 + k]).sum::<f64>();
            }
        }
    }
    out
}

#[test]
fn attention_in_any_cut() {
    let rows = 131;
    let (query, keys, values) = (values(rows * 64, 1), values(rows * 32, 2), values(rows * 32, 3));
    let run = |set, shape, cuts: &[usize], first_slot: usize, window: usize| {
        let (pages, parts) = pages(shape, &keys, &values, first_slot);
        let pool = ComputePool::with_instruction_set(2, set);
        let mut out = vec![9.0; rows * 64];
        let mut start = 0;
        for &end in cuts {
            let span = AttentionSpan { first_row: 0, rows: end - start, start, parts: 0..parts.len() };
            let layer = LayerPages { pages: &pages, offset: 7, parts: &parts, window };
            let (part, mut constants) = (start * 64..end * 64, vec![0.0; (end - start) * 8]);
            attention(&pool, shape, layer, &[span], &query[part.clone()], &mut out[part], &mut constants);
            start = end;
        }
        out
    };
    let x = [&query[..], &keys, &values].concat();
    let rounded: Vec<f32> = x.iter().map(|x| round_to_bf16(*x)).collect();
    let single: Vec<usize> = (1..=rows).collect();
    for window in [usize::MAX, 131, 130, 64, 23, 1] {
        // Beside that of queries, keys and values, the rounding of a probability changes it by 2^-9 of itself at most, and
        // values reach 4.
        for (shape, (x, difference)) in SHAPES.into_iter().zip([(&x, 1e-5), (&rounded, 2f64.powi(-7))]) {
            let reference = attention_reference(&double(x), rows, window);
            let whole = same(|set| run(set, shape, &[rows], 0, window));
            assert_close(&whole, &reference, difference);
            for cuts in [&[1, 2, 50, 64, 65, 131][..], &single] {
                for first_slot in [0, 1, 16, 37, 63] {
                    let found = run(InstructionSet::best(), shape, cuts, first_slot, window);
                    assert_eq!(
                        bits(&found),
                        bits(&whole),
                        "{shape:?}: {cuts:?} from slot {first_slot}, window {window}"
                    );
                }
            }
        }
    }
}

/// Returns three sequences of 70, 90 and 66 positions, and one of a single position. The second branches from the first
/// after 41 positions, the third from the second after 65.
fn attention_tree() -> (Vec<AttentionSpan>, Vec<PagePart>, [Vec<usize>; 4]) {
    let span = |first_row, rows, start, parts| AttentionSpan { first_row, rows, start, parts };
    let spans = vec![span(0, 70, 0, 0..2), span(70, 49, 41, 2..4), span(119, 1, 65, 4..7), span(120, 1, 0, 7..8)];
    let part = |page, slot, position, positions| PagePart { page, slot, position, positions };
    let parts = vec![
        part(0, 0, 0, 64),
        part(1, 0, 64, 6),
        part(0, 0, 0, 41),
        part(1, 6, 41, 49),
        part(0, 0, 0, 41),
        part(1, 6, 41, 24),
        part(1, 55, 65, 1),
        part(1, 56, 0, 1),
    ];
    let paths =
        [(0..70).collect(), (0..41).chain(70..119).collect(), (0..41).chain(70..94).chain([119]).collect(), vec![120]];
    (spans, parts, paths)
}

/// Returns the gradients of queries, keys and values for the spans of a tree and their parts.
/// `operands` are queries, keys, queries, keys and values side by side, output, its gradient, and the constants of the softmaxes.
fn attention_gradients(
    pool: &ComputePool,
    (spans, parts): (&[AttentionSpan], &[PagePart]),
    window: usize,
    operands: [&[f32]; 6],
    (step, chunk): (usize, usize),
    shape: AttentionShape,
) -> Vec<f32> {
    let [query, key, qkv, out, d_out, constants] = operands;
    let rows = qkv.len() / 128;
    let mut d_qkv = vec![f32::NAN; qkv.len()];
    let pass = AttentionBackward {
        rows,
        spans,
        parts,
        window,
        query,
        key,
        qkv,
        out,
        constants,
        d_out,
        d_qkv: &mut d_qkv,
        turned: &mut vec![f32::NAN; turned_len(rows, shape)],
        scores: &mut vec![f32::NAN; backward_scores_len(rows, shape, pool.threads())],
    };
    attention_backward_in_steps(pool, shape, pass, step, chunk);
    d_qkv
}

#[test]
fn spans_of_odd_rows_have_room_for_their_gradient() {
    const SPANS: usize = 5;
    for length in [1, 3] {
        let rows = SPANS * length;
        let spans: Vec<_> = (0..SPANS)
            .map(|i| AttentionSpan { first_row: i * length, rows: length, start: 0, parts: i..i + 1 })
            .collect();
        let parts: Vec<_> =
            (0..SPANS).map(|i| PagePart { page: 0, slot: i * length, position: 0, positions: length }).collect();
        let (query, key, qkv) = (values(rows * 64, 1), values(rows * 32, 2), values(rows * 128, 3));
        let (out, d_out, constants) = (values(rows * 64, 4), values(rows * 64, 5), vec![1.0; rows * 8]);
        for shape in SHAPES {
            let operands = [&query, &key, &qkv, &out, &d_out, &constants].map(|x| &x[..]);
            let pool = ComputePool::new(1);
            let d_qkv = attention_gradients(&pool, (&spans, &parts), usize::MAX, operands, (usize::MAX, 1), shape);
            assert!(d_qkv.iter().all(|x| x.is_finite()), "{SPANS} spans of {length}: {shape:?}");
        }
    }
}

#[test]
fn the_gradient_over_many_pages_does_not_depend_on_chunks() {
    // A sequence of 600 positions, and a branch after 301 of them.
    let rows = 650;
    let span = |first_row, rows, start, parts| AttentionSpan { first_row, rows, start, parts };
    let spans = [span(0, 600, 0, 0..10), span(600, 50, 301, 10..17)];
    let part = |page, slot, position, positions| PagePart { page, slot, position, positions };
    let whole = |page| part(page, 0, page * PAGE, PAGE);
    let own = (0..9).map(whole).chain([part(9, 0, 576, 24)]);
    let branch = (0..4).map(whole).chain([part(4, 0, 256, 45), part(9, 24, 301, 40), part(10, 0, 341, 10)]);
    let parts: Vec<PagePart> = own.chain(branch).collect();
    let (query, key, qkv) = (values(rows * 64, 1), values(rows * 32, 2), values(rows * 128, 3));
    let (out, d_out, constants) = (values(rows * 64, 4), values(rows * 64, 5), vec![1.0; rows * 8]);
    let operands = [&query, &key, &qkv, &out, &d_out, &constants].map(|x| &x[..]);
    for (shape, window) in SHAPES.into_iter().flat_map(|shape| [(shape, usize::MAX), (shape, 100)]) {
        let gradients = |set, threads, sizes| {
            let pool = ComputePool::with_instruction_set(threads, set);
            attention_gradients(&pool, (&spans, &parts), window, operands, sizes, shape)
        };
        let expected = same(|set| gradients(set, 2, (1 << 20, 4)));
        assert!(expected.iter().all(|x| x.is_finite()));
        for (threads, sizes) in [(1, (1, 1)), (3, (1 << 16, 2)), (2, (1, 3))] {
            let found = gradients(InstructionSet::best(), threads, sizes);
            assert_eq!(bits(&found), bits(&expected), "{threads} threads, step and chunk {sizes:?}, {shape:?}");
        }
    }
}

#[test]
fn attention_gradient() {
    for window in [usize::MAX, 64, 17] {
        attention_gradient_in_window(window);
    }
}

fn attention_gradient_in_window(window: usize) {
    let rows = 121;
    let (spans, parts, paths) = attention_tree();
    let (query, keys, values, d_out) =
        (values(rows * 64, 1), values(rows * 32, 2), values(rows * 32, 3), values(rows * 64, 4));
    let mut qkv = vec![f32::NAN; rows * 128];
    for (qkv, values) in qkv.chunks_exact_mut(128).zip(values.chunks_exact(32)) {
        qkv[96..].copy_from_slice(values);
    }
    let gradient_in_steps = |set, threads, sizes, shape| {
        let (pages, _) = pages(shape, &keys, &values, 0);
        let pool = ComputePool::with_instruction_set(threads, set);
        let (mut out, mut constants) = (vec![0.0; rows * 64], vec![0.0; rows * 8]);
        let layer = LayerPages { pages: &pages, offset: 7, parts: &parts, window };
        attention(&pool, shape, layer, &spans, &query, &mut out, &mut constants);
        let operands = [&query, &keys, &qkv, &out, &d_out, &constants].map(|x| &x[..]);
        attention_gradients(&pool, (&spans, &parts), window, operands, sizes, shape)
    };
    let [gradient, rounded] = SHAPES.map(|shape| {
        let gradient = same(|set| gradient_in_steps(set, 2, (usize::MAX, 4), shape));
        for (threads, sizes) in [(1, (1, 1)), (2, (1, 2)), (5, (100, 1))] {
            let found = gradient_in_steps(InstructionSet::best(), threads, sizes, shape);
            assert_eq!(bits(&found), bits(&gradient), "{threads} threads, step and chunk {sizes:?}");
        }
        gradient
    });
    let norm = |x: &mut dyn Iterator<Item = f32>| x.map(|x| f64::from(x * x)).sum::<f64>().sqrt();
    let (off, all) =
        (norm(&mut rounded.iter().zip(&gradient).map(|(x, y)| x - y)), norm(&mut gradient.iter().copied()));
    // Each factor is off by 2^-9 of itself at most, sums of their products and their exponentials by more.
    assert!(off > 0.0 && off < 2f64.powi(-6) * all, "the gradient of rounded factors is off by {}", off / all);
    let x = [query, keys, values].concat();
    let of_rows = |x: &[f64], path: &[usize], width: usize| -> Vec<f64> {
        path.iter().flat_map(|row| x[row * width..][..width].to_vec()).collect()
    };
    let loss = |x: &[f64]| -> f64 {
        let (query, rest) = x.split_at(rows * 64);
        let (keys, values) = rest.split_at(rows * 32);
        let of_span = |(span, path): (&AttentionSpan, &Vec<usize>)| -> f64 {
            let x = [of_rows(query, path, 64), of_rows(keys, path, 32), of_rows(values, path, 32)].concat();
            let out = attention_reference(&x, path.len(), window);
            let d_out = &d_out[span.first_row * 64..][..span.rows * 64];
            out[span.start * 64..].iter().zip(d_out).map(|(y, d)| y * f64::from(*d)).sum()
        };
        spans.iter().zip(&paths).map(of_span).sum()
    };
    // Every 61st parameter covers all heads, all parts, both pages and all branches.
    for i in (0..x.len()).step_by(61) {
        let at = |step: f64| {
            let mut x = double(&x);
            x[i] += step;
            loss(&x)
        };
        let expected = (at(1e-5) - at(-1e-5)) / 2e-5;
        let index = match i {
            _ if i < rows * 64 => i / 64 * 128 + i % 64,
            _ if i < rows * 96 => (i - rows * 64) / 32 * 128 + 64 + i % 32,
            _ => (i - rows * 96) / 32 * 128 + 96 + i % 32,
        };
        let found = f64::from(gradient[index]);
        assert!((found - expected).abs() < 1e-4 * expected.abs().max(1.0), "[{i}] {found} instead of {expected}");
    }
}
