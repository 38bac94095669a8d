use std::io::{BufReader, Cursor, Read};

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::config::{LearningRates, OverlongRows};
use crate::dataset::{DataLine, DatasetError};
use crate::golden::Tiny;
use crate::sft::{SftReader, SftRows};

const MAX: usize = 64;

fn prepare(text: &str, config: &SftConfig) -> Result<PreparedSft, PrepareSftError> {
    let tiny = Tiny::new();
    let tokenizer = SftTokenizer::new(&tiny.model(), config, MAX).expect("a known template");
    prepare_sft(text.as_bytes(), DatasetLimits::default(), config.clone(), &tokenizer, &|| true)
}

fn row(completion: &str) -> String {
    let messages = json!([{"role": "user", "content": "q"}, {"role": "assistant", "content": completion}]);
    json!({ "messages": messages }).to_string() + "\n"
}

fn lines(rows: &[SftRow]) -> Vec<u32> {
    rows.iter().map(|row| row.line).collect()
}

#[test]
fn batches_keep_file_order_and_a_short_last_one() {
    let text = row("yes").repeat(5);
    for (batch_size, sizes) in [(2, vec![2, 2, 1]), (1, vec![1; 5]), (4, vec![4, 1]), (100, vec![5])] {
        let prepared = prepare(&text, &SftConfig { batch_size, ..SftConfig::default() }).unwrap();
        let batches: Vec<_> = (0..prepared.steps()).map(|index| prepared.batch(index)).collect();
        assert_eq!(batches.iter().map(|batch| batch.len()).collect::<Vec<_>>(), sizes);
        assert_eq!(lines(&batches.concat()), [1, 2, 3, 4, 5]);
        assert_eq!(prepared.config.learning_rate.at(prepared.steps() - 1), 5e-5);
    }
    assert_eq!(prepare("", &SftConfig::default()).unwrap().steps(), 0);
}

#[test]
fn each_batch_has_its_learning_rate() {
    let text = row("yes").repeat(5);
    let config =
        |rates: &[f64]| SftConfig { learning_rate: LearningRates::PerBatch(rates.to_vec()), ..SftConfig::default() };
    assert_eq!(prepare(&text, &config(&[1.0, 0.0, 3.0, 4.0])).unwrap().steps(), 3);
    let error = prepare(&text, &config(&[1.0])).unwrap_err().to_string();
    assert!(error.contains("1 values") && error.contains("3 batches"), "{error}");
}

#[test]
fn rows_left_out_keep_their_position_and_are_told_with_their_line() {
    let asked = json!({"messages": [{"role": "user", "content": "q"}]}).to_string() + "\n";
    let long = row(&"no ".repeat(60));
    let text = row("yes") + &long + "\n" + &asked + &long + &row("yes");
    let prepared = prepare(&text, &SftConfig::default()).unwrap();
    let dropped = |index: usize| prepared.batch(index).iter().map(SftRow::is_dropped).collect::<Vec<_>>();
    assert_eq!([dropped(0), dropped(1), dropped(2)], [vec![false, true], vec![true, true], vec![false]]);
    let told = |line, reason| DroppedRow { data: DataUse::Training, line, reason };
    let expected = SftStatistics {
        rows: 5,
        dropped: 3,
        dropped_rows: vec![
            told(2, DropReason::TooLong),
            told(4, DropReason::NoAssistantTurn),
            told(5, DropReason::TooLong),
        ],
        ..SftStatistics::default()
    };
    assert_eq!(prepared.statistics, expected);
    let cutting = SftConfig { overlong_rows: OverlongRows::Truncate, ..SftConfig::default() };
    let prepared = prepare(&text, &cutting).unwrap();
    assert_eq!((prepared.statistics.dropped, prepared.statistics.truncated), (1, 2));
    assert_eq!(prepared.batch(0)[1].tokens as usize, MAX);
    let many = prepare(&asked.repeat(50), &SftConfig::default()).unwrap().statistics;
    assert_eq!((many.dropped, many.dropped_rows.len()), (50, DROPPED_ROWS_TOLD));
}

#[test]
fn the_first_bad_line_fails_the_whole() {
    let error = prepare(&(row("yes") + "{"), &SftConfig::default()).unwrap_err();
    assert!(
        matches!(error, PrepareSftError::Dataset(DatasetError::Json { at: DataLine { line: 2, .. }, .. })),
        "{error}"
    );
    let image = json!({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}).to_string();
    let error = prepare(&(row("yes") + "\n" + &image + "\n{"), &SftConfig::default()).unwrap_err().to_string();
    assert!(error.starts_with("line 3 of the training data: messages[0]"), "{error}");
}

#[test]
fn reading_stops_when_told_to() {
    let tiny = Tiny::new();
    let tokenizer = SftTokenizer::new(&tiny.model(), &SftConfig::default(), MAX).unwrap();
    let text = row("yes").repeat(5);
    let outcome = prepare_sft(text.as_bytes(), DatasetLimits::default(), SftConfig::default(), &tokenizer, &|| false);
    assert!(matches!(outcome, Err(PrepareSftError::Stopped)));
}

#[test]
fn validation_rows_are_spread_evenly_and_batches_are_made_of_the_others() {
    let text = row("yes").repeat(8);
    let split = |fraction| SftConfig { validation_split: Some(fraction), ..SftConfig::default() };
    let prepared = prepare(&text, &split(0.25)).unwrap();
    assert_eq!(lines(&prepared.validation), [4, 8]);
    assert_eq!(lines(prepared.batch(1)), [3, 5]);
    assert_eq!((prepared.steps(), prepared.statistics.validation, prepared.statistics.rows), (3, 2, 8));
    assert_eq!(lines(&prepare(&text, &split(0.4)).unwrap().validation), [3, 5, 8]);
    assert_eq!(lines(&prepare(&text, &split(0.1)).unwrap().validation), [0; 0]);
    let long = row(&"no ".repeat(60));
    let prepared = prepare(&(row("yes") + &long + &row("yes") + &row("no")), &split(0.5)).unwrap();
    assert_eq!((lines(&prepared.validation), lines(&prepared.training)), (vec![4], vec![1, 3]));
    assert_eq!(prepared.statistics.dropped, 1);
}

#[test]
fn validations_come_at_the_end_and_every_so_often() {
    let text = row("yes").repeat(50);
    let after = |config: SftConfig| {
        let prepared = prepare(&text, &SftConfig { batch_size: 1, ..config }).unwrap();
        (0..prepared.steps()).filter(|index| prepared.validates_after(*index)).collect::<Vec<_>>()
    };
    let config = SftConfig { validation_split: Some(0.5), ..SftConfig::default() };
    assert_eq!(after(config.clone()), [2, 5, 8, 11, 14, 17, 20, 23, 24]);
    assert_eq!(after(SftConfig { validation_every: Some(10), ..config.clone() }), [9, 19, 24]);
    assert_eq!(after(SftConfig { validation_every: Some(1000), ..config }), [24]);
    assert_eq!(after(SftConfig { validation_every: Some(1), ..SftConfig::default() }), [0; 0]);
}

#[test]
fn the_second_reading_gives_what_the_first_measured_in_any_order() {
    let config = SftConfig { overlong_rows: OverlongRows::Truncate, ..SftConfig::default() };
    let tiny = Tiny::new();
    let tokenizer = || SftTokenizer::new(&tiny.model(), &config, MAX).unwrap();
    let text = "\u{feff}".to_owned() + &row("yes no") + "\n" + &row(&"no ".repeat(60)) + &row("naïve ☃");
    let prepared = prepare(&text, &config).unwrap();
    let mut rows = SftReader::new(Cursor::new(text.as_bytes()), None, DatasetLimits::default(), tokenizer());
    for row in prepared.training.iter().rev().chain(&prepared.training) {
        let sequence = rows.sequence(row).unwrap();
        assert_eq!((sequence.tokens.len(), sequence.trained_tokens()), (row.tokens as usize, row.trained as usize));
    }
    let other = text.replace("yes no", "yes  !");
    let mut rows = SftReader::new(Cursor::new(other.as_bytes()), None, DatasetLimits::default(), tokenizer());
    assert!(matches!(rows.sequence(&prepared.training[0]), Err(PrepareSftError::Changed(DataLine { line: 1, .. }))));
}

#[test]
fn epochs_repeat_the_batches() {
    let text = row("yes").repeat(5);
    let config = |learning_rate| SftConfig { epochs: 3, learning_rate, ..SftConfig::default() };
    let prepared = prepare(&text, &config(LearningRates::Constant(1.0))).unwrap();
    let batches: Vec<_> = (0..prepared.steps()).map(|index| lines(prepared.batch(index))).collect();
    assert_eq!(batches, [[1, 2].as_slice(), &[3, 4], &[5]].repeat(3));
    let error = prepare(&text, &config(LearningRates::PerBatch(vec![1.0; 8]))).unwrap_err().to_string();
    assert!(error.contains("8 values") && error.contains("9 batches"), "{error}");
    assert_eq!(prepare("", &config(LearningRates::Constant(1.0))).unwrap().steps(), 0);
}

#[test]
fn a_data_set_of_its_own_validates() {
    let tiny = Tiny::new();
    let config = SftConfig { validation_split: Some(0.5), ..SftConfig::default() };
    let tokenizer = || SftTokenizer::new(&tiny.model(), &config, MAX).expect("a known template");
    let (text, other) = (row("yes").repeat(2), row(&"no ".repeat(60)) + &row("naïve ☃"));
    let limits = DatasetLimits::default();
    let mut prepared = prepare(&text, &config).unwrap();
    prepared.validate_on(other.as_bytes(), limits, &tokenizer(), &|| true).unwrap();
    assert_eq!(lines(&prepared.validation), [2, 2]);
    let SftStatistics { rows, dropped, validation, .. } = prepared.statistics;
    assert_eq!((rows, dropped, validation, prepared.steps()), (4, 1, 2, 1));
    assert_eq!(prepared.statistics.dropped_rows[0].data, DataUse::Validation);
    let cursor = |text: &str| Cursor::new(text.as_bytes().to_vec());
    let mut rows = SftReader::new(cursor(&text), Some(cursor(&other)), limits, tokenizer());
    let read = prepared.validation.iter().map(|row| rows.sequence(row).unwrap().tokens).collect::<Vec<_>>();
    assert_ne!(read[0], read[1]);
    let error = prepared.validate_on("{".as_bytes(), limits, &tokenizer(), &|| true).unwrap_err().to_string();
    assert!(error.starts_with("line 1 of the validation data is not valid JSON"), "{error}");
    assert!(matches!(
        prepared.validate_on(other.as_bytes(), limits, &tokenizer(), &|| false),
        Err(PrepareSftError::Stopped)
    ));
}

/// A virtual file of any length that records the reads.
struct Endless {
    line: Vec<u8>,
    left: usize,
    position: usize,
    largest: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.largest = self.largest.max(buffer.len());
        if self.left == 0 {
            return Ok(0);
        }
        let count = (&self.line[self.position..]).read(buffer)?;
        self.position += count;
        if self.position == self.line.len() {
            (self.position, self.left) = (0, self.left - 1);
        }
        Ok(count)
    }
}

#[test]
fn a_row_costs_a_few_bytes_however_long_it_is() {
    assert_eq!(size_of::<SftRow>(), 24);
    let (length, count) = (400_000, 40);
    let mut line = row("yes").into_bytes();
    line.pop();
    // most of a row is an unused field
    line.truncate(line.len() - 1);
    line.extend_from_slice(b",\"padding\":\"");
    line.resize(length, b'x');
    line.extend_from_slice(b"\"}\n");
    let endless = Endless { line, left: count, position: 0, largest: 0 };
    let mut source = BufReader::with_capacity(1 << 16, endless);
    let tiny = Tiny::new();
    let tokenizer = SftTokenizer::new(&tiny.model(), &SftConfig::default(), MAX).unwrap();
    let prepared =
        prepare_sft(&mut source, DatasetLimits::default(), SftConfig::default(), &tokenizer, &|| true).unwrap();
    assert_eq!((prepared.training.len(), prepared.statistics.dropped), (count, 0));
    assert!(prepared.training[count - 1].offset > ((count - 1) * length) as u64);
    // 16 MB were read in pieces of 64 KiB
    assert_eq!(source.get_ref().largest, 1 << 16);
}

proptest! {
    /// Appended rows do not change the split of earlier ones, and the share holds at every length.
    #[test]
    fn validation_rows_follow_from_their_position(fraction in 0.001_f64..=0.5, length in 0_usize..2000) {
        let chosen = (0..length).filter(|index| is_validation(*index, fraction)).count();
        prop_assert_eq!(chosen, (length as f64 * fraction).floor() as usize);
    }

    /// Every row is in exactly one part.
    #[test]
    fn training_and_validation_make_up_the_data(rows in 0_usize..40, batch_size in 1_usize..7, fraction in 0.0_f64..=0.5) {
        let text = row("yes").repeat(rows);
        let config = SftConfig { batch_size, validation_split: Some(fraction), ..SftConfig::default() };
        let prepared = prepare(&text, &config).unwrap();
        let batches: Vec<_> = (0..prepared.steps()).map(|index| prepared.batch(index).to_vec()).collect();
        prop_assert!(batches.iter().rev().skip(1).all(|batch| batch.len() == batch_size));
        prop_assert!(batches.iter().all(|batch| !batch.is_empty()));
        let mut all = [batches.concat(), prepared.validation.clone()].concat();
        all.sort_by_key(|row| row.offset);
        prop_assert_eq!(lines(&all), (1..=rows as u32).collect::<Vec<_>>());
    }
}
