//! Feed-forward part of layers with experts: a router chooses a few experts for each row, whose outputs are summed with
//! weights.
//!
//! Each pair of a row and one of its experts is an assignment. Assignments are numbered by expert, then by row, so that
//! an expert computes consecutive rows. A row's experts are added in the order of their numbers, whatever other rows a
//! call has, so its result does not depend on them.

use std::ops::Range;

use super::row_wise::gated_rows;
use crate::config::Activation;
use crate::kernels::products::matmul;
use crate::kernels::rows::softmax;
use crate::kernels::{Buffer, ComputePool, Panels, ROW_BLOCK, for_row_blocks};
use crate::model::{Choice, Experts, Layout};

/// Memory of the experts of a layer.
pub(super) struct ExpertMemory<'a> {
    /// Probabilities of each row's experts.
    pub(super) probabilities: &'a mut Buffer,
    /// Outputs of the gate and up projections.
    pub(super) gate_up: &'a mut Buffer,
    /// Inputs of the down projections.
    pub(super) wide: &'a mut Buffer,
    /// Hidden rows of the assignments.
    pub(super) routed: &'a mut Buffer,
}

/// Assignments of the rows of a call.
pub(super) struct Routing {
    /// Row of each assignment.
    rows: Vec<usize>,
    /// Weight of each assignment in its row's sum.
    pub(super) weights: Vec<f32>,
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
    pub(super) fn new(choice: Choice, rows: usize, probabilities: &[f32], stride: usize) -> Self {
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
            let assignment = ends[expert];
            ends[expert] += 1;
            (of_assignments[assignment], weights[assignment]) = (index / per_token, weight);
            of_rows.push(assignment);
        }
        Self { rows: of_assignments, weights, ends, of_rows, choice, divisors }
    }

    /// Returns the number of assignments.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the assignments of a row, by expert.
    fn of_row(&self, row: usize) -> &[usize] {
        &self.of_rows[row * self.choice.per_token..][..self.choice.per_token]
    }

    /// Returns the experts that have assignments, with these.
    pub(super) fn experts(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let start = |expert: usize| if expert == 0 { 0 } else { self.ends[expert - 1] };
        let ranges = self.ends.iter().enumerate().map(move |(expert, end)| (expert, start(expert)..*end));
        ranges.filter(|(_, range)| !range.is_empty())
    }

    /// Multiplies the rows of each expert's assignments by its weights.
    pub(super) fn multiply<'w>(
        &self,
        pool: &ComputePool,
        rows: &[f32],
        weights: impl Fn(usize) -> &'w Panels,
        output: &mut [f32],
    ) {
        for (expert, range) in self.experts() {
            let weights = weights(expert);
            let (rows, output) =
                (&rows[range.start * weights.depth()..], &mut output[range.start * weights.columns()..]);
            matmul(pool, range.len(), rows, weights, output, false, &[]);
        }
    }

    /// Copies each assignment's row of x, `[rows, stride]`, to `routed`.
    pub(super) fn gather(&self, pool: &ComputePool, stride: usize, x: &[f32], routed: &mut [f32]) {
        for_row_blocks(pool, self.len(), ROW_BLOCK, [(routed, stride)], &|block, [routed]| {
            for (row, routed) in self.rows[block].iter().zip(routed.chunks_exact_mut(stride)) {
                routed.copy_from_slice(&x[row * stride..][..stride]);
            }
        });
    }

    /// Adds each row's assignments, `[assignments, stride]`, to its row of `y`; with their weights if `weighted`.
    pub(super) fn combine(&self, pool: &ComputePool, stride: usize, routed: &[f32], weighted: bool, y: &mut [f32]) {
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
    pub(super) fn probability_gradient(&self, row: usize, by_weight: &[f32], gradient: &mut [f32]) {
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

/// Computes the outputs of each row's experts, `[assignments, hidden]`, and writes them to `routed`.
pub(super) fn experts_forward(
    pool: &ComputePool,
    layout: &Layout,
    experts: &Experts,
    rows: usize,
    normed: &[f32],
    memory: ExpertMemory<'_>,
) -> Routing {
    let ExpertMemory { probabilities, gate_up, wide, routed } = memory;
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
    routing.multiply(pool, routed, |expert| &experts.linears[expert][0].forward, gate_up);
    gated_rows(pool, Activation::Silu, width, routing.len(), gate_up, wide);
    routing.multiply(pool, wide, |expert| &experts.linears[expert][1].forward, routed);
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
