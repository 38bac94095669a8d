use proptest::prelude::*;

use super::*;
use crate::testing::Writer;

fn file() -> Vec<u8> {
    Writer::new("llama")
        .number("a", 7)
        .short("b", 3)
        .float("c", 0.5)
        .flag("d", true)
        .texts("e", &["x", "", "yz"])
        .integers("f", &[-1, 2])
        .floats("g", &[1.5])
        .flags("h", &[true, false])
        .values("t", &[2, 3], &[0.0; 6])
        .tensor("u", &[4], 1, vec![0; 8])
        .bytes()
}

#[test]
fn values_are_read_as_they_were_written() {
    let file = file();
    let Header { metadata, tensors, data } = Header::read(&file).unwrap();
    assert_eq!(metadata.text("general.architecture"), Ok(Some("llama")));
    assert_eq!([metadata.count("a"), metadata.count("b"), metadata.count("z")], [Ok(Some(7)), Ok(Some(3)), Ok(None)]);
    assert_eq!([metadata.number("c"), metadata.number("a")], [Ok(Some(0.5)), Ok(Some(7.0))]);
    assert_eq!(metadata.flag("d"), Ok(Some(true)));
    assert_eq!(metadata.texts("e"), Ok(Some(vec!["x", "", "yz"])));
    assert_eq!(metadata.integers("f"), Ok(Some(vec![-1, 2])));
    assert_eq!(metadata.numbers("g"), Ok(Some(vec![1.5])));
    assert_eq!(metadata.flags("h"), Ok(Some(vec![true, false])));
    let expected = [
        TensorInfo { name: "t", shape: vec![2, 3], element: 0, offset: 0 },
        TensorInfo { name: "u", shape: vec![4], element: 1, offset: 32 },
    ];
    assert_eq!(tensors, expected);
    assert_eq!(file.len(), data + 64);
}

#[test]
fn a_value_of_another_kind_is_named() {
    let file = file();
    let metadata = Header::read(&file).unwrap().metadata;
    for (error, message) in [
        (metadata.count("c").unwrap_err(), "c is 0.5, not a whole number of at least 0"),
        (metadata.text("a").unwrap_err(), "a is 7, not a text"),
        (metadata.texts("f").unwrap_err(), "f is a list of 2 values, not a list of texts"),
        (metadata.flag("e").unwrap_err(), "e is a list of 3 values, not true or false"),
        (metadata.number("d").unwrap_err(), "d is true, not a number"),
    ] {
        assert_eq!(error.to_string(), message);
    }
    let infinite = Writer::new("llama").float("a", f32::INFINITY).bytes();
    assert_eq!(
        Header::read(&infinite).unwrap().metadata.number("a").unwrap_err().to_string(),
        "a is inf, not a number"
    );
}

#[test]
fn impossible_headers_are_errors() {
    let list = |kind: u32, count: u64| [&[9, kind].map(u32::to_le_bytes).concat()[..], &count.to_le_bytes()].concat();
    for (bytes, message) in [
        (list(8, u64::MAX), "the file ends in the middle of a metadata value"),
        (list(6, u64::MAX), "the file ends in the middle of a metadata value"),
        (list(9, 1), "a metadata value is a list of type 9"),
        (13_u32.to_le_bytes().to_vec(), "a metadata value has the unknown type 13"),
    ] {
        let file = Writer::new("llama").raw("k", bytes).bytes();
        assert_eq!(Header::read(&file).unwrap_err().to_string(), message);
    }
    for alignment in [0, 3, 1 << 17] {
        let file = Writer::new("llama").number("general.alignment", alignment).bytes();
        assert!(matches!(Header::read(&file), Err(HeaderError::Invalid(reason)) if reason.contains("no power of two")));
    }
    let mut counts = file();
    counts[8..16].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(Header::read(&counts).unwrap_err().to_string().ends_with("tensors; the limit is 262144"));
    let mut twice = file();
    let at = twice.windows(9).position(|window| window == b"\x01\0\0\0\0\0\0\0b").unwrap() + 8;
    twice[at] = b'a';
    assert_eq!(Header::read(&twice).unwrap_err().to_string(), "the metadata has a twice");
    let file = file();
    let data = Header::read(&file).unwrap().data;
    for end in 4..file.len() {
        // The header may end before its padding does.
        assert!(Header::read(&file[..end]).is_err() || end + ALIGNMENT > data, "{end} of {} bytes", file.len());
    }
}

proptest! {
    #[test]
    fn damage_is_an_error_or_another_header(changes in prop::collection::vec((4usize..200, any::<u8>()), 1..6)) {
        let mut file = file();
        for (offset, byte) in changes {
            file[offset] = byte;
        }
        if let Ok(header) = Header::read(&file) {
            prop_assert!(header.tensors.len() <= file.len());
            if let Ok(Some(texts)) = header.metadata.texts("e") {
                prop_assert!(texts.len() <= file.len());
            }
        }
    }
}
