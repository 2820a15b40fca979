//===- OneDnnContender.cpp - a benchmark case run by oneDNN -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Each case as one primitive (the MLP as three), with plain activations; weights are reordered to the layout the
// primitive prefers beforehand, outside the timed part, which only flatters oneDNN.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Contender.h"

#include <dnnl.hpp>

#include <cstring>
#include <unordered_map>

// Of GCC's OpenMP library, which Debian's oneDNN is built with whatever compiler this file is built with.
extern "C" void omp_set_num_threads(int);

namespace mica::bench {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;
using Args = std::unordered_map<int, memory>;

constexpr auto kF32 = memory::data_type::f32;

/// One or more primitives executed in order on one stream.
class Primitives : public Contender {
public:
  Primitives() : engine(dnnl::engine::kind::cpu, 0), stream(engine) {}
  const char *name() const override { return "onednn"; }
  void run() override {
    for (auto &[primitive, args] : steps)
      primitive.execute(stream, args);
    stream.wait();
  }
  std::vector<float> result() const override {
    const auto *data = static_cast<const float *>(output.get_data_handle());
    return {data, data + output.get_desc().get_size() / sizeof(float)};
  }

  memory allocate(const memory::desc &desc) {
    storage.push_back(allocateFloats(desc.get_size() / sizeof(float)));
    return {desc, engine, storage.back().get()};
  }
  memory make(const memory::dims &dims, Tag tag, const std::vector<float> *values = nullptr) {
    memory m = allocate({dims, kF32, tag});
    if (values)
      std::memcpy(m.get_data_handle(), values->data(), values->size() * sizeof(float));
    return m;
  }
  /// `m` in the layout `desc` asks for.
  memory reordered(memory m, const memory::desc &desc) {
    if (m.get_desc() == desc)
      return m;
    memory to = allocate(desc);
    dnnl::reorder(m, to).execute(stream, m, to);
    stream.wait();
    return to;
  }
  void step(dnnl::primitive primitive, Args args) { steps.emplace_back(std::move(primitive), std::move(args)); }

  dnnl::engine engine;
  dnnl::stream stream;
  std::vector<std::pair<dnnl::primitive, Args>> steps;
  memory output;

private:
  std::vector<std::shared_ptr<float[]>> storage;
};

std::unique_ptr<Primitives> makeMatmul(const Case &c, const Inputs &inputs) {
  auto p = std::make_unique<Primitives>();
  memory a = p->make({c.m, c.k}, Tag::ab, &inputs.tensors[0]), b = p->make({c.k, c.n}, Tag::ab, &inputs.tensors[1]);
  p->output = p->make({c.m, c.n}, Tag::ab);
  dnnl::matmul::primitive_desc desc(dnnl::matmul::desc(a.get_desc(), b.get_desc(), p->output.get_desc()), p->engine);
  p->step(dnnl::matmul(desc), {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, p->output}});
  return p;
}

std::unique_ptr<Primitives> makeConv2d(const Case &c, const Inputs &inputs) {
  auto p = std::make_unique<Primitives>();
  memory x = p->make({1, c.channels, c.height, c.width}, Tag::nhwc, &inputs.tensors[0]);
  memory w = p->make({c.filters, c.channels, c.kernel, c.kernel}, Tag::hwio, &inputs.tensors[1]);
  p->output = p->make({1, c.filters, c.height, c.width}, Tag::nhwc);
  int64_t pad = c.kernel / 2;
  dnnl::convolution_forward::primitive_desc desc(
      {dnnl::prop_kind::forward_inference,
       dnnl::algorithm::convolution_direct,
       x.get_desc(),
       memory::desc({c.filters, c.channels, c.kernel, c.kernel}, kF32, Tag::any),
       p->output.get_desc(),
       {1, 1},
       {pad, pad},
       {pad, pad}},
      p->engine);
  memory weights = p->reordered(w, desc.weights_desc());
  p->step(dnnl::convolution_forward(desc), {{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, p->output}});
  return p;
}

std::unique_ptr<Primitives> makeSoftmax(const Case &c, const Inputs &inputs) {
  auto p = std::make_unique<Primitives>();
  memory x = p->make({c.m, c.n}, Tag::ab, &inputs.tensors[0]);
  p->output = p->make({c.m, c.n}, Tag::ab);
  dnnl::softmax_forward::primitive_desc desc({dnnl::prop_kind::forward_inference, x.get_desc(), 1}, p->engine);
  p->step(dnnl::softmax_forward(desc), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, p->output}});
  return p;
}

std::unique_ptr<Primitives> makeLayerNorm(const Case &c, const Inputs &inputs) {
  auto p = std::make_unique<Primitives>();
  memory x = p->make({c.m, c.n}, Tag::ab, &inputs.tensors[0]);
  memory scale = p->make({c.n}, Tag::a, &inputs.tensors[1]), shift = p->make({c.n}, Tag::a, &inputs.tensors[2]);
  p->output = p->make({c.m, c.n}, Tag::ab);
  using dnnl::normalization_flags;
  dnnl::layer_normalization_forward::primitive_desc desc(
      {dnnl::prop_kind::forward_inference, x.get_desc(), 1e-5f,
       normalization_flags::use_scale | normalization_flags::use_shift},
      p->engine);
  p->step(dnnl::layer_normalization_forward(desc),
          {{DNNL_ARG_SRC, x}, {DNNL_ARG_SCALE, scale}, {DNNL_ARG_SHIFT, shift}, {DNNL_ARG_DST, p->output}});
  return p;
}

std::unique_ptr<Primitives> makeGelu(const Case &c, const Inputs &inputs) {
  auto p = std::make_unique<Primitives>();
  memory x = p->make({c.m, c.n}, Tag::ab, &inputs.tensors[0]);
  p->output = p->make({c.m, c.n}, Tag::ab);
  dnnl::eltwise_forward::primitive_desc desc(
      {dnnl::prop_kind::forward_inference, dnnl::algorithm::eltwise_gelu_erf, x.get_desc(), 0.0f, 0.0f}, p->engine);
  p->step(dnnl::eltwise_forward(desc), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, p->output}});
  return p;
}

std::unique_ptr<Primitives> makeMlp(const Case &c, const Inputs &inputs) {
  auto p = std::make_unique<Primitives>();
  memory x = p->make({c.m, c.layers[0]}, Tag::ab, &inputs.tensors[0]);
  for (size_t i = 0; i + 1 < c.layers.size(); ++i) {
    int64_t k = c.layers[i], n = c.layers[i + 1];
    // Ours are [in][out]; inner product takes {out, in}, stored "ba".
    memory w = p->make({n, k}, Tag::ba, &inputs.tensors[1 + 2 * i]),
           b = p->make({n}, Tag::a, &inputs.tensors[2 + 2 * i]);
    memory y = p->make({c.m, n}, Tag::ab);
    dnnl::primitive_attr attr;
    if (i + 2 != c.layers.size()) {
      dnnl::post_ops relu;
      relu.append_eltwise(1.0f, dnnl::algorithm::eltwise_relu, 0.0f, 0.0f);
      attr.set_post_ops(relu);
    }
    dnnl::inner_product_forward::primitive_desc desc({dnnl::prop_kind::forward_inference, x.get_desc(),
                                                      memory::desc({n, k}, kF32, Tag::any), b.get_desc(), y.get_desc()},
                                                     attr, p->engine);
    p->step(dnnl::inner_product_forward(desc), {{DNNL_ARG_SRC, x},
                                                {DNNL_ARG_WEIGHTS, p->reordered(w, desc.weights_desc())},
                                                {DNNL_ARG_BIAS, b},
                                                {DNNL_ARG_DST, y}});
    x = y;
  }
  p->output = x;
  return p;
}

} // namespace

std::unique_ptr<Contender> makeOneDnn(const Case &c, const Inputs &inputs, int threads) {
  omp_set_num_threads(threads);
  switch (c.kind) {
  case Case::Kind::Matmul:
    return makeMatmul(c, inputs);
  case Case::Kind::Conv2d:
    return makeConv2d(c, inputs);
  case Case::Kind::Softmax:
    return makeSoftmax(c, inputs);
  case Case::Kind::LayerNorm:
    return makeLayerNorm(c, inputs);
  case Case::Kind::Gelu:
    return makeGelu(c, inputs);
  case Case::Kind::Mlp:
    return makeMlp(c, inputs);
  case Case::Kind::Block:
    return nullptr;
  }
  return nullptr;
}

} // namespace mica::bench
