//! Tests of quantised matrices against models that GPTQModel and compressed-tensors have written
//! (`tests/golden/README.md`).

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use super::golden::{assert_close, path};
use super::*;
use crate::config::{Packing, Quantisation};
use crate::files::Tensors;
use crate::generate::{BatchRow, Decoder};
use crate::kernels::Panels;

/// Directories and cases.
const CASES: [(&str, &str); 8] = [
    ("quantised", "gptq"),
    ("quantised", "gptq-v2"),
    ("quantised", "gptq-reordered"),
    ("quantised", "gptq-8"),
    ("quantised", "awq"),
    ("compressed", "groups"),
    ("compressed", "zero-points"),
    ("compressed", "channels"),
];

fn files((directory, case): (&str, &str)) -> (String, Vec<u8>) {
    let case_directory = path(directory).join(case);
    (
        std::fs::read_to_string(case_directory.join("config.json")).unwrap(),
        std::fs::read(case_directory.join("model.safetensors")).unwrap(),
    )
}

fn expected(directory: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path(directory).join("expected.json")).unwrap()).unwrap()
}

/// Returns each quantised matrix by name: its rows and its width.
fn matrices((directory, case): (&str, &str)) -> Vec<(String, Vec<Vec<f32>>)> {
    let (config, bytes) = files((directory, case));
    let config = ModelConfig::from_json(&config).unwrap();
    let shards = [("model.safetensors", &bytes[..])];
    let tensors = Tensors::of_files(&config, &shards).unwrap();
    let names = expected(directory)["cases"][case]["weights"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let read = |name: String| {
        let (inputs, outputs) = match name.split('.').nth(4).unwrap() {
            "down_proj" => (config.intermediate_size, config.hidden_size),
            "gate_proj" | "up_proj" => (config.hidden_size, config.intermediate_size),
            "k_proj" | "v_proj" => (config.hidden_size, config.kv_heads * config.head_dim),
            _ => (config.hidden_size, config.heads * config.head_dim),
        };
        let matrix = tensors.matrix(&name, outputs, inputs).unwrap();
        let row = |output| {
            let mut values = vec![0.0; inputs];
            matrix.read_row(output, &mut values);
            values
        };
        (name, (0..outputs).map(row).collect())
    };
    names.into_iter().map(read).collect()
}

#[test]
fn matrices_are_those_of_the_files_author() {
    for (directory, case) in CASES {
        let (expected, matrices) = (expected(directory), matrices((directory, case)));
        assert_eq!(matrices.len(), 14, "seven in each of two layers");
        for (name, rows) in matrices {
            let hash = fnv1a(rows.into_iter().flatten().flat_map(f32::to_le_bytes));
            assert_eq!(hash, expected["cases"][case]["weights"][&name].as_str().unwrap(), "{case} {name}");
        }
    }
}

#[test]
fn logits_are_those_of_transformers_with_the_same_matrices() {
    let pool = ComputePool::new(2);
    for (directory, case) in CASES {
        let (expected, (config, bytes)) = (expected(directory), files((directory, case)));
        let tokens: Vec<u32> = serde_json::from_value(expected["tokens"].clone()).unwrap();
        let logits: Vec<f32> = serde_json::from_value(expected["cases"][case]["logits"].clone()).unwrap();
        let size = logits.iter().map(|logit| logit.abs()).fold(0.0, f32::max);
        // Four bits keep the weights of symmetric groups. Those of the others are rounded once more, to random matrices'
        // loss.
        let four_bits = ["gptq", "groups"].contains(&case).then_some((WeightFormat::Int4, 0.05));
        let formats = [(WeightFormat::F32, 1e-5), (WeightFormat::Bf16, 0.05), (WeightFormat::Int8, 0.1)];
        for (format, tolerance) in formats.into_iter().chain(four_bits) {
            let base = BaseModel::load(&config, &[("model.safetensors", &bytes)], format, &pool).unwrap();
            let mut decoder = Decoder::new(pool.clone(), base, 64);
            let sequence = decoder.add_sequence();
            let row = |(position, token): (usize, &u32)| {
                let want_logits = position + 1 == tokens.len();
                BatchRow { token: *token, position, sequence, adapter: None, want_logits }
            };
            let rows: Vec<_> = tokens.iter().enumerate().map(row).collect();
            let found = decoder.forward(&rows).unwrap().row(0).to_vec();
            assert_close(&found, &logits, tolerance * size, &format!("{case} {format}"));
        }
    }
}

/// Numbers from -8 to 7 around a zero point of 8, in groups of whole blocks.
#[test]
fn four_bits_of_symmetric_groups_stay_as_they_are() {
    let pool = ComputePool::new(2);
    for (name, rows) in [("quantised", "gptq"), ("compressed", "groups")].into_iter().flat_map(matrices) {
        let width = rows[0].len();
        let fill = |column: usize, values: &mut [f32]| values.copy_from_slice(&rows[column]);
        let panels = Panels::pack(&pool, WeightFormat::Int4, width, &[rows.len()], &fill);
        for (column, row) in rows.iter().enumerate() {
            let mut packed = vec![0.0; width];
            panels.column(column, &mut packed);
            assert_eq!(&packed, row, "{name} {column}");
        }
    }
}

#[test]
fn biases_of_zeros_are_ignored_and_others_are_not() {
    let pool = ComputePool::new(1);
    let (config, bytes) = files(("quantised", "gptq"));
    let with = |name: &str, values: [u16; 64]| {
        let values = values.map(u16::to_le_bytes);
        let plain = SafeTensors::deserialize(&bytes).unwrap();
        let mut tensors = plain.tensors();
        tensors.push((name.to_owned(), TensorView::new(Dtype::F16, vec![64], values.as_flattened()).unwrap()));
        let bytes = safetensors::serialize(tensors, None).unwrap();
        BaseModel::load(&config, &[("model.safetensors", &bytes)], WeightFormat::Bf16, &pool)
    };
    let name = "model.layers.0.self_attn.o_proj.bias";
    with(name, [0; 64]).unwrap();
    let error = with(name, [0x3c00; 64]).unwrap_err().to_string();
    assert!(error.contains(name), "{error}");
    let error = with("model.layers.0.self_attn.o_proj.weight", [0; 64]).unwrap_err().to_string();
    assert!(error.contains("self_attn.o_proj"), "both a plain matrix and a quantised one: {error}");
}

#[test]
fn parts_that_do_not_belong_together_are_rejected() {
    let changed_in = |case, suffix: &str, dtype, shape: &[usize], data: &[u8]| {
        let (config, bytes) = files(case);
        let config = ModelConfig::from_json(&config).unwrap();
        let plain = SafeTensors::deserialize(&bytes).unwrap();
        let changed = format!("model.layers.1.mlp.down_proj.{suffix}");
        let tensors = plain.tensors().into_iter().filter(|(name, _)| *name != changed);
        let view = (!data.is_empty()).then(|| (changed.clone(), TensorView::new(dtype, shape.to_vec(), data).unwrap()));
        let bytes = safetensors::serialize(tensors.chain(view), None).unwrap();
        let error = Tensors::of_files(&config, &[("model.safetensors", &bytes)]).err().unwrap().to_string();
        assert!(error.contains(&changed), "{error}");
        error
    };
    let compressed = |suffix: &str, dtype, shape: &[usize], data: &[u8]| {
        changed_in(("compressed", "zero-points"), suffix, dtype, shape, data)
    };
    assert!(compressed("weight_zero_point", Dtype::I32, &[], &[]).contains("missing"));
    assert!(compressed("weight_scale", Dtype::BF16, &[2, 64], &[0; 256]).contains("[64, 64]"));
    assert!(compressed("weight_zero_point", Dtype::I32, &[2, 8], &[0; 64]).contains("[8, 2]"));
    let changed = |suffix: &str, dtype, shape: &[usize], data: &[u8]| {
        changed_in(("quantised", "gptq"), suffix, dtype, shape, data)
    };
    let (four, words) = ([0; 4 * 64 * 2], [0; 128 * 4]);
    assert!(changed("qzeros", Dtype::I32, &[], &[]).contains("missing"));
    assert!(changed("scales", Dtype::F16, &[], &[]).contains("missing"));
    assert!(changed("scales", Dtype::I16, &[4, 64], &four).contains("I16"));
    assert!(changed("qzeros", Dtype::I32, &[8, 16], &words).contains("[4, 8]"));
    assert!(
        changed("scales", Dtype::F16, &[256], &four).contains("[256]; quantised weights and their scales have two")
    );
    let far = [4, 0, 0, 0].repeat(128);
    assert!(changed("g_idx", Dtype::I32, &[128], &far).contains("group 4"));
    let negative = [255; 4].repeat(128);
    assert!(changed("g_idx", Dtype::I32, &[128], &negative).contains("4 groups"));
    assert!(changed("g_idx", Dtype::I32, &[64, 2], &words).contains("[128]"));
}

#[test]
fn groups_without_indices_are_runs_of_inputs() {
    let (config, bytes) = files(("quantised", "gptq"));
    let config = ModelConfig::from_json(&config).unwrap();
    assert_eq!(config.quantisation, Some(Quantisation { packing: Packing::Gptq { zeros_less_one: true }, bits: 4 }));
    let plain = SafeTensors::deserialize(&bytes).unwrap();
    let without = plain.tensors().into_iter().filter(|(name, _)| !name.ends_with("g_idx"));
    let without = safetensors::serialize(without, None).unwrap();
    let name = "model.layers.0.mlp.down_proj.weight";
    let row = |bytes: &[u8]| {
        let mut values = vec![0.0; 128];
        let tensors = Tensors::of_files(&config, &[("model.safetensors", bytes)]).unwrap();
        tensors.matrix(name, 64, 128).unwrap().read_row(5, &mut values);
        values
    };
    assert_eq!(row(&without), row(&bytes));
}
