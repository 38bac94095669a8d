//! Readers of blocks of 256 weights whose groups, of eight or four, stand in a table: `IQ1`, `IQ2` and `IQ3`.
//!
//! A grid has the groups that llama.cpp found to matter, as numbers of levels; a block has indices into it, signs and
//! scales.

use std::array::from_fn;

use super::{half, numbers, word};

/// Shift of the weights of `IQ1_S` and `IQ1_M`, in either direction.
const IQ1_SHIFT: f32 = 0.125;

pub(in crate::files) fn iq2_xxs(block: &[u8; 66]) -> [f32; 256] {
    // For each 32 weights four indices, then signs and a scale in a word.
    let word_of = |j: usize| word_of_signs(&block[2 + 8 * j + 4..]);
    let scales: [f32; 8] = from_fn(|j| half(block) * (0.5 + scale_of(word_of(j))) * 0.25);
    let groups = |g: usize| (&IQ2_XXS[usize::from(block[2 + g / 4 * 8 + g % 4])], seven_signs(word_of(g / 4), g % 4));
    with_signs(&scales, groups)
}

pub(in crate::files) fn iq2_xs(block: &[u8; 74]) -> [f32; 256] {
    let (words, scales) = block[2..].split_at(64);
    let groups = |g: usize| {
        let word = usize::from(word(words, g));
        (&IQ2_XS[word & 511], with_parity((word >> 9) as u8))
    };
    with_signs(&sixteen_scales(block, scales), groups)
}

pub(in crate::files) fn iq2_s(block: &[u8; 82]) -> [f32; 256] {
    let (low, rest) = block[2..].split_at(32);
    let (signs, rest) = rest.split_at(32);
    let (high, scales) = rest.split_at(8);
    let high: [u8; 32] = numbers::<2, 1, _>(high);
    with_signs(&sixteen_scales(block, scales), |g| (&IQ2_S[index(low[g], high[g])], signs[g]))
}

/// Returns the scales of each sixteen weights, which have four bits.
fn sixteen_scales(block: &[u8], scales: &[u8]) -> [f32; 16] {
    numbers::<4, 1, _>(scales).map(|scale| half(block) * (0.5 + f32::from(scale)) * 0.25)
}

pub(in crate::files) fn iq3_xxs(block: &[u8; 98]) -> [f32; 256] {
    let (indices, words) = block[2..].split_at(64);
    let word_of = |j: usize| word_of_signs(&words[4 * j..]);
    let scales: [f32; 8] = from_fn(|j| half(block) * (0.5 + scale_of(word_of(j))) * 0.5);
    let groups = |g: usize| {
        // A group is half of eight weights, which share a byte of signs.
        (&IQ3_XXS[usize::from(indices[g])], seven_signs(word_of(g / 8), g / 2 % 4) >> (g % 2 * 4))
    };
    with_signs(&scales, groups)
}

pub(in crate::files) fn iq3_s(block: &[u8; 110]) -> [f32; 256] {
    let (low, rest) = block[2..].split_at(64);
    let (high, rest) = rest.split_at(8);
    let (signs, scales) = rest.split_at(32);
    let scales: [f32; 8] = numbers::<4, 1, _>(scales).map(|scale| half(block) * f32::from(1 + 2 * scale));
    let (high, signs): ([u8; 64], [u8; 64]) = (numbers::<1, 1, _>(high), numbers::<4, 1, _>(signs));
    with_signs(&scales, |g| (&IQ3_S[index(low[g], high[g])], signs[g]))
}

pub(in crate::files) fn iq1_s(block: &[u8; 50]) -> [f32; 256] {
    let (low, words) = block[2..].split_at(32);
    let scales: [f32; 8] = from_fn(|j| half(block) * f32::from(2 * (word(words, j) >> 12 & 7) + 1));
    let groups = |g: usize| {
        let word = word(words, g / 4);
        (index(low[g], (word >> (3 * (g % 4)) & 7) as u8), word & 0x8000 != 0)
    };
    with_shifts(&scales, groups)
}

pub(in crate::files) fn iq1_m(block: &[u8; 56]) -> [f32; 256] {
    let (low, rest) = block.split_at(32);
    let (high, words) = rest.split_at(16);
    // The scale of all is in the upper four bits of four words, those of sixteen weights in three bits each.
    let scale = (0..4).fold(0, |bits, j| bits | word(words, j) >> 12 << (4 * j));
    let scale = half(&u16::to_le_bytes(scale));
    let scales: [f32; 16] = from_fn(|j| scale * f32::from(2 * (word(words, j / 4) >> (3 * (j % 4)) & 7) + 1));
    let high: [u8; 32] = numbers::<4, 1, _>(high);
    with_shifts(&scales, |g| (index(low[g], high[g] & 7), high[g] & 8 != 0))
}

/// Returns the weights of groups with a scale for some of them: level times scale, negative where a bit of the second
/// part is set.
#[inline(always)]
fn with_signs<'a, const SCALES: usize, const SIZE: usize>(
    scales: &[f32; SCALES],
    groups: impl Fn(usize) -> (&'a [i8; SIZE], u8),
) -> [f32; 256] {
    let mut weights = [0.0; 256];
    for (g, weights) in weights.as_chunks_mut().0.iter_mut().enumerate() {
        let ((levels, signs), scale) = (groups(g), scales[g * SIZE / (256 / SCALES)]);
        *weights = from_fn::<_, SIZE, _>(|i| {
            let weight = scale * f32::from(levels[i]);
            if signs >> i & 1 == 1 { -weight } else { weight }
        });
    }
    weights
}

/// Returns the weights of groups of [`IQ1`]: level, shifted down if the second part says so and else up, times scale.
#[inline(always)]
fn with_shifts<const SCALES: usize>(scales: &[f32; SCALES], groups: impl Fn(usize) -> (usize, bool)) -> [f32; 256] {
    let mut weights = [0.0; 256];
    for (g, weights) in weights.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let ((index, is_down), scale) = (groups(g), scales[g * 8 / (256 / SCALES)]);
        let shift = if is_down { -IQ1_SHIFT } else { IQ1_SHIFT };
        *weights = from_fn(|i| scale * (f32::from(IQ1[index][i]) + shift));
    }
    weights
}

/// Returns the index with its lower and upper bits.
#[inline(always)]
fn index(low: u8, high: u8) -> usize {
    usize::from(low) | usize::from(high) << 8
}

/// Returns a word with the signs of four times eight weights, seven bits each, and a scale.
#[inline(always)]
fn word_of_signs(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.as_chunks().0[0])
}

/// Returns the scale in such a word.
#[inline(always)]
fn scale_of(word: u32) -> f32 {
    (word >> 28) as f32
}

/// Returns the signs of eight weights in such a word.
#[inline(always)]
fn seven_signs(word: u32, part: usize) -> u8 {
    with_parity((word >> (7 * part) & 127) as u8)
}

/// Returns seven signs and the eighth, with which they are even in number.
#[inline(always)]
fn with_parity(signs: u8) -> u8 {
    signs | (signs.count_ones() as u8 & 1) << 7
}

/// Returns a grid. A group is a number whose digits, the lowest first, are indices of `levels`. Each digit of `steps`
/// says how far the next group is from the last, from 0 to 14; `f` is 15 without a group.
const fn grid<const GROUPS: usize, const SIZE: usize>(levels: &[i8], steps: &str) -> [[i8; SIZE]; GROUPS] {
    let (mut grid, mut group, mut last, mut at) = ([[0; SIZE]; GROUPS], 0, 0, 0);
    while at < steps.len() {
        let digit = steps.as_bytes()[at];
        let step = if digit <= b'9' { digit - b'0' } else { digit - b'a' + 10 };
        (last, at) = (last + step as usize, at + 1);
        if step < 15 {
            let (mut rest, mut i) = (last, 0);
            while i < SIZE {
                grid[group][i] = levels[rest % levels.len()];
                (rest, i) = (rest / levels.len(), i + 1);
            }
            group += 1;
        }
    }
    assert!(group == GROUPS, "every group has a step");
    grid
}

/// Levels of `IQ2`.
const IQ2_LEVELS: [i8; 3] = [8, 25, 43];

static IQ2_XXS: [[i8; 8]; 256] = grid(
    &IQ2_LEVELS,
    "\
    02222226242226642626c8264eff0cc2f3ff6fb26a2624ca26c624cef52af92f3ff0f36426c4262f7f9f9fffbaffffa26a8f3c64e6cf38af\
    ff3afff56c4cf5ffcff2ff4effff826f3fdfb4ffff8fff1ffe26f7f182fff58fff32fffff526f3effafdf5ffffff6f9cfff3ffffffff6fff\
    7266426684a26f3f3fd84f98f98aff06cff6f1f7affff0fffff726f34fff5ffc4afffbff2f36462ff66f9fbfff1ffffafffff52f9ffffeff\
    8ffca6ff2ffff0ffff0fffff36f3f9ff0ffafffbff0ff64fffffb2fff1ffffffffeffffffffffffff426f5fdfdccffff4ffffc264ef3ff6f\
    f2ff4f7f5f3ff8fffff7fffffdffffe6c6fff1f7ffafffdfff5f5afffffdffffffffffff0ffefffffffffbff4f7ff0ffffeffffff6ffffff\
    fffffffffff9fff3",
);

static IQ2_XS: [[i8; 8]; 512] = grid(
    &IQ2_LEVELS,
    "\
    0222222222222422222224262224242a222222222262224266426f3222426a264e8f522222224262224224a26f3222426a26a8fd26e42fdf\
    9222222646266cf38226f3fd6f5f36ffe4a22222224262224268226f3222426a26f3c2e224f3f3ff6222426a242c6fd26f3fff9cf7fff326\
    2f1cf5f74fff1ffff8ffc22222226a26f3f3a26f36f1ff2f5ff4f9426f12fff9fdaff2cf1ffff0462af7f5efffdcf9cff842f52222222426\
    22222264626f3222426a26f34f18262e2fff92224242a26f3cf126c6ffea8f76fff126f3488ff4af56f1ff2fffff32224266426f3fd264e2\
    fff7ff0fff5226a8f3af386fff36ffaff2f78cf18ff4fda2fffffff5f926f3c8cf52ffffffceff0f1efffff1f34ffefffffdfff7fff5ffff\
    4ff48ff42224268226f32f722224f3a6ff8f3ff62f1642622ef3f1f5ff0fff1f5ff8fd6f1f7a2f78ffffff6ff468a426f3ef1f9f5fdffffe\
    f5f54fb66ffff4ff82ffeffffff0ffaff8ffff0ff2ff6242a8fff1fff16ff4424f5fdf3ff6ffafffffffff9f5f5a24fff366fff92fff12ff\
    8f1",
);

static IQ2_S: [[i8; 8]; 1024] = grid(
    &IQ2_LEVELS,
    "\
    0222222222222422222224222222242644222222224262224222242426226262224268222224e44488222222242222222222222226222242\
    4262222222224242222222426222426a22224e42426a26f322242222442222222242648e2262224842426a8f3a2842aff4c2222222422422\
    2422222224224424262222222222224222222242622242f12424626462f126f3222422224242222222426222426a2222222426222426a26f\
    342426a26f3fb222224248222426a2f9222426a26f1f7a6f3effa2224222244226228684e226226822626a26f38c4246f92f142222424262\
    22426a26f342426a26e4fd26f3f1ff8462f126fbf3226fffdf7cfdc2f5222222222224222222222226264242622242222226222222242622\
    2426a262226642426a2f922222222222242222222426222426a22222224262224268226f3222426a26f3f76242222426222426c6f3222426\
    a26f3ee26f3fff9222422222224222222242622242f12222222426222426a26f342426a26f12fd2222222426222426a26f3222426a26f3fd\
    26e4fff9222426a268afd26f3fff9f1ffcf5422422242642426c6f3222426a26f3f1e6f3eff2842426a26f3fd26f38f1ef1ffff6f126ffaf\
    5cfbfffff9ffe82224242462622248462f124222242622242f126f124422f126fff1222222248222426a26f3222426a26f38f526f12fff94\
    62f126ff882f9f7fff7f72cf3824222266222426a26f3462f1268ff826f3fff54222426a26f3ee26f3ffc48ff2f1ff426e4fff72ff44ffff\
    fff1f344486226ff86fdf7ff46c42ff042f1426f3ff4e6f1ffffffcfff7f1fff5fff1f5fd2a24ff6f5",
);

static IQ3_XXS: [[i8; 4]; 256] = grid(
    &[4, 12, 20, 28, 36, 44, 52, 62],
    "\
    0225241279fa2425274327bc822572724a6e4612bff5f4f55bc246f4f1fff6f8f542f6ef125272522b1f92772fff225277ff462e9df1b4ff\
    5ffa4f3f4cfffff2eff227252439ff1223277fc41827612d1df574ffe4ff3ef9f5afcffff92bf8fd7272f6d562e9b2fc25df6f1f0f3ffff1\
    f0f466cfcff1f3f6ffaf6f5be2c4fffff2f5f01f16f2ff0ff1ff7bff3ef6fffff232efff5f8f886f1f8ff1eff28ffbfeb4ff58f8fffff4ff\
    eefff5f12efeff2ff0ff7ff66ffffaff3ff7fff4ffaefff5221f3f1ffeaffcfc5f7def6ff3f1ff12f3ffff8",
);

static IQ3_S: [[i8; 4]; 512] = grid(
    &[1, 3, 5, 7, 9, 11, 13, 15],
    "\
    01132111222146523222527331112414334247d456142133343463222d386432723642d243b4236636f0a2c245642f05b32ef2f0722c245d\
    4f51124122212732e239612324573672e62a3214663a3a7331366145f26b252d27424f673672f0ff943d2fc2527c4f268122212223241272\
    232d13232634334367f933a2572a4a34234925276eb693734fa3759d1bd825afd4f54d2b5fb722237225232a6822752df1a42a6a2cfa7452\
    419246e86547f264d72b5aadf4f4ff22d2bff546643377f1a522765664f52554a5f036c525274ff52f3b1fac2aff3faf2f5f95bb6fa646e4\
    33c6522579ff269a56df851f0d5c663cacff6cf42fffaff22efffa22c2f6f1f17fef7f36b568c5f0fff8ef0e3faf5f6fcffb2fff84392c2c\
    6f17bf02fd34637f2faf93ef7465f9ffcf1ff2f8ff9",
);

/// Grid of `IQ1_S` and `IQ1_M`.
static IQ1: [[i8; 8]; 2048] = grid(
    &[-1, 0, 1],
    "\
    0222223524256228524255242416222156424242221762285242552425665422422332242b228666441f0666211822824411211222222293\
    2222112e4c2622231426624b2425524256485242552425624516813624c2226524255242566335222255242a12451626424213c225362222\
    2224246411111122488262f12285524222428622864251213453112221124226423121122134242211222222221151111212211222112211\
    21121122621181122442112223111321211633284c486222242211222662ae22423711242112114483122442977272222224426643a24255\
    2222566335242552222562467146222211855266522352425642665223524258226811242226862433c6662424213422a231222222652566\
    665165248a24255242562a5242a24283246a24262226552515242a242564265242552425648c4222222f1434412224211224262222112152\
    2222422511b62286a244495a6c39622221151222242222516312422112244221122121111321124112421121522233512222422223112124\
    22434416228634575242422266222663131312422444211112222136242114222f1f12262244ea6211242422424242112628262314262112\
    2111124112221122111111112211242621122442462422824221124295223149162111133222211211121111121111226222112321421111\
    2211111212211221111111211111111112111112213111211113211221112113212121111111331111111111111221342111123432111511\
    2242475222211112211752222463124221126621122111111112211233332111168374141262133111422227321122c822686411222223d8\
    62224261326333126134532642c42b148113d648f012132422222222112112281322111122246222312e1122121123211272123121321155\
    655112422221112142322442112323f0266a2426665852646222213114211224431556213c41d242422413773264242a2425512226524255\
    242562226624222111522635226524255242b246524255242d4c2734224e4c64246221324211215112222222228e42662411431243567462\
    425524223624632242552425152286222222422aa265242552425622d2425524256411664262281562226622224222222245121124282622\
    422266246822222282682b322442848221111211282611246242211211233312211221111111122112332411112112222226432526213121\
    26251413118226a266442213419642682222222112242222221124213226224248998222424c6211d2425524256222b242552425332221f0\
    2332222a5232d421744256426524255242f266263122231116fd222228242621126422112422f164323823321132c44123224242a242b222\
    b24255242584336844242b5d242a242b22d24255242",
);
