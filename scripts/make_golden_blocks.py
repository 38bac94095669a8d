"""Makes tests/golden/gguf/blocks.json: blocks of every quantised type of GGUF, and hashes of their values as f32.

    python scripts/make_golden_blocks.py        # with gguf 0.19.0 and numpy 2.4.6

The values are those of the package gguf, which belongs to llama.cpp; those of Q1_0 and Q2_0, which it cannot read,
follow llama.cpp's ggml-quants.c. Bytes are random but for `scales`, the bytes of scales of whole blocks: sensible ones
in the first two blocks, then zeros, the smallest, the largest, infinities and NaN. A hash is that of a block's values in
little-endian order, with one pattern of bits for all NaN.
"""

import json
import pathlib

import gguf
import numpy

from make_golden_gguf import fnv1a

PLACE = pathlib.Path(__file__).parent.parent / "tests/golden/gguf/blocks.json"
HALVES = [0x0000, 0x8000, 0x0001, 0x83FF, 0x7BFF, 0xFBFF, 0x7C00, 0xFE00]
EXPONENTS = [0, 1, 2, 3, 126, 127, 254, 255]
FLOATS = [0x00, 0x01, 0x07, 0x08, 0x7E, 0x7F, 0x80, 0xFF]
# Number, elements and bytes of a block, positions of scales.
TYPES = {
    "Q4_0": (2, 32, 18, [0]), "Q4_1": (3, 32, 20, [0, 2]), "Q5_0": (6, 32, 22, [0]), "Q5_1": (7, 32, 24, [0, 2]),
    "Q8_0": (8, 32, 34, [0]), "Q2_K": (10, 256, 84, [80, 82]), "Q3_K": (11, 256, 110, [108]),
    "Q4_K": (12, 256, 144, [0, 2]), "Q5_K": (13, 256, 176, [0, 2]), "Q6_K": (14, 256, 210, [208]),
    "IQ2_XXS": (16, 256, 66, [0]), "IQ2_XS": (17, 256, 74, [0]), "IQ3_XXS": (18, 256, 98, [0]),
    "IQ1_S": (19, 256, 50, [0]), "IQ4_NL": (20, 32, 18, [0]), "IQ3_S": (21, 256, 110, [0]),
    "IQ2_S": (22, 256, 82, [0]), "IQ4_XS": (23, 256, 136, [0]), "IQ1_M": (29, 256, 56, [48]),
    "TQ1_0": (34, 256, 54, [52]), "TQ2_0": (35, 256, 66, [64]), "MXFP4": (39, 32, 17, [0]),
    "NVFP4": (40, 64, 36, [0, 1, 2, 3]), "Q1_0": (41, 128, 18, [0]), "Q2_0": (42, 64, 18, [0]),
}


def values(kind, number, blocks):
    if kind in ("Q1_0", "Q2_0"):
        scale, bits = blocks[:, :2].copy().view(numpy.float16).astype(numpy.float32), 1 if kind == "Q1_0" else 2
        shifts = numpy.arange(0, 8, bits, dtype=numpy.uint8)
        numbers = (blocks[:, 2:, None] >> shifts & (1 << bits) - 1).reshape(len(blocks), -1).astype(numpy.float32)
        return numpy.where(numbers == 1, scale, -scale) if bits == 1 else (numbers - numpy.float32(1)) * scale
    return gguf.quants.dequantize(blocks, gguf.GGMLQuantizationType(number)).astype(numpy.float32)


def scale_bytes(kind, positions):
    if kind == "IQ1_M":  # The upper halves of these have the f16.
        return [49, 51, 53, 55]
    width = 1 if kind in ("MXFP4", "NVFP4") else 2
    return [position + byte for position in positions for byte in range(width)]


def set_scale(block, kind, position, bits):
    if kind == "IQ1_M":
        for word, byte in enumerate(scale_bytes(kind, [])):
            block[byte] = block[byte] & 15 | (bits >> 4 * word & 15) << 4
    elif kind in ("MXFP4", "NVFP4"):
        block[position] = bits
    else:
        block[position:position + 2] = bits & 255, bits >> 8


def main():
    expected = {}
    for kind, (number, elements, size, positions) in TYPES.items():
        random = numpy.random.default_rng(number)
        extremes, one = {"MXFP4": (EXPONENTS, 127), "NVFP4": (FLOATS, 0x38)}.get(kind, (HALVES, 0x3C00))
        blocks = random.integers(0, 256, (2 + len(extremes), size), dtype=numpy.uint8)
        for position in positions:
            for block in blocks[:2]:
                set_scale(block, kind, position, one)
        # Weights of a model: a standard deviation of about 0.05.
        factor = 0.05 / values(kind, number, blocks[:2]).std()
        if kind == "MXFP4":
            own = 127 + round(numpy.log2(factor))
        elif kind == "NVFP4":
            own = 0x38 + 8 * round(numpy.log2(factor))
        else:
            own = int(numpy.float16(factor).view(numpy.uint16))
        for index, position in enumerate(positions):
            # Scales of one block have extremes in another order each.
            for block, bits in zip(blocks, [own, own, *extremes[index:], *extremes[:index]]):
                set_scale(block, kind, position, bits)
        with numpy.errstate(all="ignore"):
            found = values(kind, number, blocks)
        assert found.shape == (len(blocks), elements) and abs(found[:2].std() / 0.05 - 1) < 0.5, kind
        bits = numpy.where(numpy.isnan(found), numpy.uint32(0x7FC00000), found.view(numpy.uint32))
        expected[kind] = {
            "number": number, "elements": elements, "scales": scale_bytes(kind, positions),
            "blocks": [bytes(block).hex() for block in blocks],
            "fnv1a": [fnv1a(row.astype("<u4").tobytes()) for row in bits],
        }
    PLACE.write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
