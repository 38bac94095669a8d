//! Matrices of all experts of a layer in one tensor.

/// Maximum number of experts of a tensor.
pub(super) const MAX_EXPERTS: usize = 256 * 1024;

/// Returns the matrices of a tensor `[experts, rows, columns]`: name, shape and bytes of each. `part` is the name within the experts,
/// such as `down_proj.weight`. Of gate and up projections in one, the first half of an expert's rows are those of the gate.
///
/// # Panics
/// If there are no bytes, or no experts.
pub(super) fn experts_of<'a>(
    layer: &str,
    part: &str,
    [experts, rows, columns]: [usize; 3],
    data: &'a [u8],
) -> Vec<(String, Vec<usize>, &'a [u8])> {
    let matrices = data.chunks_exact(data.len() / experts).enumerate();
    let name = |expert: usize, part: &str| format!("{layer}.experts.{expert}.{part}");
    match part.strip_prefix("gate_up_proj") {
        Some(kind) if rows.is_multiple_of(2) => {
            let halves = matrices.flat_map(|(expert, data)| {
                let (gate, up) = data.split_at(data.len() / 2);
                [("gate_proj", gate), ("up_proj", up)].map(|(part, data)| (expert, format!("{part}{kind}"), data))
            });
            halves.map(|(expert, part, data)| (name(expert, &part), vec![rows / 2, columns], data)).collect()
        }
        _ => matrices.map(|(expert, data)| (name(expert, part), vec![rows, columns], data)).collect(),
    }
}
