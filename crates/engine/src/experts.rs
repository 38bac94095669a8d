//! Feed-forward part of layers with experts: a router chooses a few experts for each row, whose outputs are summed with
//! weights.
//!
//! Each pair of a row and one of its experts is an assignment. Assignments are numbered by expert, then by row, so that
//! an expert computes consecutive rows. A row's experts are added in the order of their numbers, whatever other rows a
//! call has, so its result does not depend on them.

use std::ops::Range;

use super::forward::gated_rows;
use super::kernels::Buffer;
use super::kernels::matmul::matmul;
use super::kernels::parallel::{ROW_BLOCK, for_row_blocks};
use super::kernels::rows::softmax;
use super::layout::Layout;
use super::weights::Experts;
use super::{Activation, ComputePool};

/// Choice of a row's experts by their probabilities.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// Number of experts.
    pub(crate) count: usize,
    /// Number of experts of a row.
    pub(crate) per_token: usize,
    /// Whether the weights of a row's experts are scaled so that their sum is one.
    pub(crate) normalises_weights: bool,
}

/// Assignments of the rows of a call.
pub(crate) struct Routing {
    /// Row of each assignment.
    rows: Vec<usize>,
    /// Weight of each assignment in its row's sum.
    pub(crate) weights: Vec<f32>,
    /// End of each expert's assignments.
    ends: Vec<usize>,
    /// Assignments of each row, in order: `[rows][per_token]`.
    of_rows: Vec<usize>,
    choice: Choice,
    /// Sum of the chosen probabilities of each row, by which they are divided; one if they are not.
    divisors: Vec<f32>,
}

impl Routing {
    /// Chooses the experts with the largest probabilities, of two equal ones the first. `probabilities` has rows of
    /// `stride` values.
    pub(crate) fn new(choice: Choice, rows: usize, probabilities: &[f32], stride: usize) -> Self {
        let Choice { count, per_token, normalises_weights } = choice;
        let mut chosen = Vec::with_capacity(rows * per_token);
        let mut divisors = vec![1.0; rows];
        let mut order: Vec<usize> = (0..count).collect();
        for (row, divisor) in divisors.iter_mut().enumerate() {
            let probabilities = &probabilities[row * stride..][..count];
            let larger = |a: &usize, b: &usize| probabilities[*b].total_cmp(&probabilities[*a]).then(a.cmp(b));
            order.select_nth_unstable_by(per_token - 1, larger);
            let best = &mut order[..per_token];
            if normalises_weights {
                best.sort_unstable_by(larger);
                *divisor = best.iter().map(|expert| probabilities[*expert]).sum();
            }
            best.sort_unstable();
            chosen.extend(best.iter().map(|expert| (*expert, probabilities[*expert] / *divisor)));
        }
        // Counting sort by expert, which keeps the order of rows.
        let mut ends = vec![0; count];
        chosen.iter().for_each(|(expert, _)| ends[*expert] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let (mut of_assignments, mut weights) = (vec![0; chosen.len()], vec![0.0; chosen.len()]);
        let mut of_rows = Vec::with_capacity(chosen.len());
        for (index, (expert, weight)) in chosen.into_iter().enumerate() {
            let place = ends[expert];
            ends[expert] += 1;
            (of_assignments[place], weights[place]) = (index / per_token, weight);
            of_rows.push(place);
        }
        Self { rows: of_assignments, weights, ends, of_rows, choice, divisors }
    }

    /// Returns the number of assignments.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the assignments of a row, by expert.
    fn of_row(&self, row: usize) -> &[usize] {
        &self.of_rows[row * self.choice.per_token..][..self.choice.per_token]
    }

    /// Returns the experts that have assignments, with these.
    pub(crate) fn experts(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let start = |expert: usize| if expert == 0 { 0 } else { self.ends[expert - 1] };
        let ranges = self.ends.iter().enumerate().map(move |(expert, end)| (expert, start(expert)..*end));
        ranges.filter(|(_, range)| !range.is_empty())
    }

    /// Copies each assignment's row of x, `[rows, stride]`, to `routed`.
    pub(crate) fn gather(&self, pool: &ComputePool, stride: usize, x: &[f32], routed: &mut [f32]) {
        for_row_blocks(pool, self.len(), ROW_BLOCK, [(routed, stride)], &|block, [routed]| {
            for (row, routed) in self.rows[block].iter().zip(routed.chunks_exact_mut(stride)) {
                routed.copy_from_slice(&x[row * stride..][..stride]);
            }
        });
    }

    /// Adds each row's assignments, `[assignments, stride]`, to its row of `y`; with their weights if `weighted`.
    pub(crate) fn combine(&self, pool: &ComputePool, stride: usize, routed: &[f32], weighted: bool, y: &mut [f32]) {
        for_row_blocks(pool, self.divisors.len(), ROW_BLOCK, [(y, stride)], &|block, [y]| {
            for (row, y) in block.zip(y.chunks_exact_mut(stride)) {
                for &assignment in self.of_row(row) {
                    let weight = if weighted { self.weights[assignment] } else { 1.0 };
                    let routed = &routed[assignment * stride..][..stride];
                    y.iter_mut().zip(routed).for_each(|(y, routed)| *y += weight * routed);
                }
            }
        });
    }

    /// Writes the gradient of a row's probabilities, given that of its assignments' weights.
    pub(crate) fn probability_gradient(&self, row: usize, by_weight: &[f32], gradient: &mut [f32]) {
        gradient.fill(0.0);
        let assignments = self.of_row(row);
        let shared: f32 = match self.choice.normalises_weights {
            true => assignments.iter().map(|assignment| by_weight[*assignment] * self.weights[*assignment]).sum(),
            false => 0.0,
        };
        for &assignment in assignments {
            let expert = self.ends.partition_point(|end| *end <= assignment);
            gradient[expert] = (by_weight[assignment] - shared) / self.divisors[row];
        }
    }
}

/// Computes the outputs of each row's experts, `[assignments, hidden]`, and writes them to `routed`. It leaves the
/// experts' probabilities in `probabilities` and the outputs of their gate and up projections in `gate_up`.
pub(crate) fn experts_forward(
    pool: &ComputePool,
    layout: &Layout,
    experts: &Experts,
    rows: usize,
    normed: &[f32],
    (probabilities, gate_up): (&mut Buffer, &mut Buffer),
    (wide, routed): (&mut Buffer, &mut Buffer),
) -> Routing {
    let (hidden, router) = (layout.hidden.padded_len(), layout.router());
    let (set, count) = (pool.instruction_set(), experts.choice.count);
    matmul(pool, rows, normed, &experts.router.forward, probabilities, false, &[]);
    for_row_blocks(pool, rows, ROW_BLOCK, [(&mut probabilities[..], router)], &|_, [probabilities]| {
        for row in probabilities.chunks_exact_mut(router) {
            softmax(set, row, count);
        }
    });
    let routing = Routing::new(experts.choice, rows, probabilities, router);
    routing.gather(pool, hidden, normed, routed);
    let width = experts.linears[0][1].forward.depth();
    for (expert, range) in routing.experts() {
        let weights = &experts.linears[expert][0].forward;
        let (input, output) = (&routed[range.start * hidden..], &mut gate_up[range.start * 2 * width..]);
        matmul(pool, range.len(), input, weights, output, false, &[]);
    }
    gated_rows(pool, Activation::Silu, width, routing.len(), gate_up, wide);
    for (expert, range) in routing.experts() {
        let weights = &experts.linears[expert][1].forward;
        let (input, output) = (&wide[range.start * width..], &mut routed[range.start * hidden..]);
        matmul(pool, range.len(), input, weights, output, false, &[]);
    }
    routing
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the experts of each row with their weights, and checks that experts and rows agree.
    fn chosen(probabilities: &[&[f32]], per_token: usize, normalises_weights: bool) -> Vec<Vec<(usize, f32)>> {
        let count = probabilities[0].len();
        // Rows are longer than the number of experts.
        let padded: Vec<f32> = probabilities.iter().flat_map(|row| [row, &[9.0; 3][..]].concat()).collect();
        let choice = Choice { count, per_token, normalises_weights };
        let routing = Routing::new(choice, probabilities.len(), &padded, count + 3);
        assert_eq!(routing.len(), probabilities.len() * per_token);
        let mut found = vec![Vec::new(); probabilities.len()];
        for (expert, range) in routing.experts() {
            assert!(routing.rows[range.clone()].is_sorted(), "an expert's rows are in order");
            for assignment in range {
                assert!(routing.of_row(routing.rows[assignment]).contains(&assignment));
                found[routing.rows[assignment]].push((expert, routing.weights[assignment]));
            }
        }
        found
    }

    #[test]
    fn the_likeliest_experts_are_chosen_and_the_first_of_equal_ones() {
        let rows = [&[0.1, 0.4, 0.2, 0.3][..], &[0.25; 4], &[0.3, 0.1, 0.3, 0.3]];
        let expected = [[(1, 0.4), (3, 0.3)], [(0, 0.25), (1, 0.25)], [(0, 0.3), (2, 0.3)]];
        assert_eq!(chosen(&rows, 2, false), expected);
        let normalised = chosen(&rows, 2, true);
        assert_eq!(normalised[0], [(1, 0.4 / (0.4 + 0.3)), (3, 0.3 / (0.4 + 0.3))]);
        assert_eq!(normalised[1], [(0, 0.5), (1, 0.5)]);
        assert_eq!(chosen(&rows[..1], 4, false), [[(0, 0.1), (1, 0.4), (2, 0.2), (3, 0.3)]]);
        assert_eq!(chosen(&[&[1.0]], 1, true), [[(0, 1.0)]]);
    }

    #[test]
    fn values_that_are_not_numbers_choose_some_experts() {
        let found = chosen(&[&[f32::NAN; 5], &[0.0; 5]], 3, true);
        assert!(found.iter().all(|row| row.len() == 3 && row.iter().all(|(_, weight)| weight.is_nan())));
    }

    #[test]
    fn no_rows_have_no_assignments() {
        let routing = Routing::new(Choice { count: 4, per_token: 2, normalises_weights: true }, 0, &[], 16);
        assert!(routing.len() == 0 && routing.experts().next().is_none());
    }
}
