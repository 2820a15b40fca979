"""Writes the model of docs/Tutorial.md, colors.onnx, and test_data_set_0 with an image and what the model makes of it.

    python3 docs/examples/tutorial/make.py FOLDER

The expected result is computed here in double precision, from the definition of each operation.
"""
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "test" / "Onnx"))
import model as onnx  # noqa: E402

SIZE, CHANNELS, FEATURES, CLASSES = 8, 3, 4, 3
MEAN, DEVIATION = [0.485, 0.456, 0.406], [0.229, 0.224, 0.175]
random.seed(20261127)
FILTERS = [random.uniform(-0.5, 0.5) for _ in range(FEATURES * CHANNELS * 9)]
WEIGHTS = [random.uniform(-2, 2) for _ in range(FEATURES * CLASSES)]
BIAS = [random.uniform(-0.5, 0.5) for _ in range(CLASSES)]
IMAGE = [random.random() for _ in range(CHANNELS * SIZE * SIZE)]


def expected():
    normal = [(IMAGE[i] - MEAN[i // SIZE**2]) / DEVIATION[i // SIZE**2] for i in range(len(IMAGE))]

    def pixel(c, y, x):
        return normal[(c * SIZE + y) * SIZE + x] if 0 <= y < SIZE and 0 <= x < SIZE else 0.0

    features = []
    for f in range(FEATURES):
        total = 0.0
        for y in range(SIZE):
            for x in range(SIZE):
                total += max(0.0, sum(FILTERS[((f * CHANNELS + c) * 3 + j) * 3 + i] * pixel(c, y + j - 1, x + i - 1)
                                      for c in range(CHANNELS) for j in range(3) for i in range(3)))
        features.append(total / SIZE**2)
    scores = [BIAS[k] + sum(features[f] * WEIGHTS[f * CLASSES + k] for f in range(FEATURES)) for k in range(CLASSES)]
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / sum(powers) for power in powers]


def main():
    folder = pathlib.Path(sys.argv[1])
    data = folder / "test_data_set_0"
    data.mkdir(parents=True, exist_ok=True)
    nodes = [
        onnx.node("Sub", ["image", "mean"], ["centered"], "normalize/subtract"),
        onnx.node("Div", ["centered", "deviation"], ["normal"], "normalize/divide"),
        onnx.node("Conv", ["normal", "filters"], ["edges"], "features/conv", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        onnx.node("Relu", ["edges"], ["positive"], "features/relu"),
        onnx.node("GlobalAveragePool", ["positive"], ["pooled"], "features/pool"),
        onnx.node("Flatten", ["pooled"], ["features"], "features/flatten"),
        onnx.node("Gemm", ["features", "weights", "bias"], ["scores"], "classify/gemm"),
        onnx.node("Softmax", ["scores"], ["colors"], "classify/softmax", axis=1),
    ]
    constants = [
        onnx.floats("mean", [CHANNELS, 1, 1], MEAN),
        onnx.floats("deviation", [CHANNELS, 1, 1], DEVIATION),
        onnx.floats("filters", [FEATURES, CHANNELS, 3, 3], FILTERS),
        onnx.floats("weights", [FEATURES, CLASSES], WEIGHTS),
        onnx.floats("bias", [CLASSES], BIAS),
    ]
    graph = onnx.graph(nodes, [onnx.value("image", [1, CHANNELS, SIZE, SIZE])], [onnx.value("colors", [1, CLASSES])],
                       constants, "colors")
    (folder / "colors.onnx").write_bytes(onnx.model(graph))
    (data / "input_0.pb").write_bytes(onnx.floats("image", [1, CHANNELS, SIZE, SIZE], IMAGE))
    (data / "output_0.pb").write_bytes(onnx.floats("colors", [1, CLASSES], expected()))


main()
