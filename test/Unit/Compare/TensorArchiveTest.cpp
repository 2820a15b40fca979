//===- TensorArchiveTest.cpp - .npz and .safetensors files ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Every type in both forms, what is taken for what, views, and damage of each kind. Files of other writers are read in
// test/Tools/mica-run/named-tensors.test.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Unit/Support/TemporaryFolder.h"

#include "mica/Compare/TensorArchive.h"
#include "mica/Support/Files.h"

#include <gtest/gtest.h>

using namespace mica;

namespace {

using Archive = std::shared_ptr<const TensorArchive>;
constexpr ArchiveForm kForms[] = {ArchiveForm::Npz, ArchiveForm::Safetensors};

std::string errorOf(std::string_view contents, ArchiveForm form) {
  Result<Archive> archive = TensorArchive::parse(contents, form, "x");
  if (!archive)
    return archive.error().message;
  for (const std::string &name : (*archive)->names())
    if (Result<HostTensor> tensor = (*archive)->read(name); !tensor)
      return tensor.error().message;
  return "";
}

/// A .safetensors file with this header.
std::string safetensors(const std::string &header, const std::string &data) {
  std::string text(8, '\0');
  text[0] = static_cast<char>(header.size() & 0xff);
  text[1] = static_cast<char>(header.size() >> 8);
  return text + header + data;
}

std::string entry(const std::string &dtype, const std::string &shape, const std::string &place) {
  return "{\"dtype\": \"" + dtype + "\", \"shape\": " + shape + ", \"data_offsets\": " + place + "}";
}

std::string errorOfHeader(const std::string &header, const std::string &data) {
  return errorOf(safetensors(header, data), ArchiveForm::Safetensors);
}

HostTensor counted(DType type, std::vector<int64_t> shape) {
  HostTensor tensor(type, std::move(shape));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.setDouble(i, type == DType::I1 ? static_cast<double>(i % 2) : static_cast<double>(i % 7));
  return tensor;
}

TEST(TensorArchiveTest, TheTypeIsCheckedBeforeTheDataIsRead) {
  const HostTensor tensor = counted(DType::F32, {4, 8});
  for (ArchiveForm form : kForms) {
    const NamedTensor named{"a", &tensor};
    const std::string text = *printTensorArchive(form, {&named, 1});
    const Archive archive = *TensorArchive::parse(text, form, "x");
    std::vector<int64_t> seen;
    size_t bytes = 1;
    const auto refuse = [&](const HostTensor &type) {
      seen = type.shape;
      bytes = type.data.size();
      return Status(Error{ErrorCode::InvalidInput, "not wanted", ""});
    };
    EXPECT_EQ(archive->read("a", {}, refuse).error().message, "not wanted");
    EXPECT_EQ(seen, tensor.shape);
    EXPECT_EQ(bytes, 0u);
  }
}

TEST(TensorArchiveTest, EveryTypeRoundTripsInBothForms) {
  TemporaryFolder folder;
  std::vector<HostTensor> tensors;
  for (int i = 0; i <= static_cast<int>(DType::Index); ++i)
    tensors.push_back(counted(static_cast<DType>(i), {2, 3}));
  tensors.push_back(HostTensor(DType::F32, {0, 4}));
  tensors.push_back(counted(DType::F64, {}));
  std::vector<NamedTensor> named;
  for (size_t i = 0; i < tensors.size(); ++i)
    named.push_back({"snapshot." + std::to_string(i) + "/\"weight\"", &tensors[i]});
  for (const char *name : {"t.npz", "t.safetensors"}) {
    const bool lacks128 = std::string_view(name) == "t.safetensors";
    if (lacks128) {
      const Status refused = writeTensorArchive(folder / name, named);
      ASSERT_FALSE(refused.isOk());
      EXPECT_NE(refused.error().message.find("has no type for 2x3xcomplex<f64>"), std::string::npos)
          << refused.error().message;
      std::erase_if(named, [](const NamedTensor &tensor) { return tensor.tensor->dtype == DType::C128; });
    }
    ASSERT_TRUE(writeTensorArchive(folder / name, named).isOk());
    Result<Archive> archive = TensorArchive::open(folder / name);
    ASSERT_TRUE(archive.isOk()) << archive.error().message;
    EXPECT_EQ((*archive)->names().size(), named.size());
    for (const NamedTensor &tensor : named) {
      const DType type = tensor.tensor->dtype;
      Result<HostTensor> read = (*archive)->read(tensor.name, type);
      ASSERT_TRUE(read.isOk()) << read.error().message;
      EXPECT_EQ(read->typeString(), tensor.tensor->typeString());
      EXPECT_EQ(read->data, tensor.tensor->data);
      Result<std::optional<MappedTensor>> view = (*archive)->view(tensor.name, type);
      ASSERT_TRUE(view.isOk());
      EXPECT_EQ(view->has_value(), type != DType::I1 && type != DType::I4) << dtypeName(type);
      if (*view) {
        EXPECT_EQ((*view)->shape, tensor.tensor->shape);
        EXPECT_EQ(std::vector<uint8_t>((*view)->data.begin(), (*view)->data.end()), tensor.tensor->data);
      }
    }
  }
}

TEST(TensorArchiveTest, SafetensorsDataAreAligned) {
  const HostTensor small = counted(DType::I8, {3}), large = counted(DType::F32, {16});
  const std::vector<NamedTensor> named{{"small", &small}, {"large", &large}};
  Result<std::string> text = printTensorArchive(ArchiveForm::Safetensors, named);
  ASSERT_TRUE(text.isOk());
  Result<Archive> archive = TensorArchive::parse(*text, ArchiveForm::Safetensors, "x");
  ASSERT_TRUE(archive.isOk());
  EXPECT_EQ(((*archive)->view("large")->value().data.data() - text->data()) % 64, 0);
  EXPECT_EQ((*archive)->names(), (std::vector<std::string>{"large", "small"}));
}

TEST(TensorArchiveTest, ExpectedTypeChoosesAmongEqualNames) {
  const std::string header = "{\"a\": " + entry("U16", "[1]", "[0, 2]") + ", \"b\": " + entry("U8", "[1]", "[2, 3]") +
                             ", \"c\": " + entry("I8", "[1]", "[3, 4]") + "}";
  const std::string text = safetensors(header, std::string("\x80\x3f\x38\x08", 4));
  Result<Archive> archive = TensorArchive::parse(text, ArchiveForm::Safetensors, "x");
  ASSERT_TRUE(archive.isOk()) << archive.error().message;
  EXPECT_EQ((*archive)->read("a")->dtype, DType::UI16);
  EXPECT_EQ((*archive)->read("a", DType::BF16)->asDouble(0), 1);
  EXPECT_EQ((*archive)->read("b", DType::F8E4M3FN)->asDouble(0), 1);
  EXPECT_EQ((*archive)->read("b", DType::F32)->dtype, DType::UI8);
  EXPECT_EQ((*archive)->read("c", DType::I4).error().message, "x: tensor 'c': element 0 is 8, an i4 is -8 to 7");
}

TEST(TensorArchiveTest, UnknownNamesAreAnswered) {
  const HostTensor tensor = counted(DType::F32, {2});
  const std::vector<NamedTensor> named{{"weight", &tensor}};
  for (ArchiveForm form : kForms) {
    Result<std::string> text = printTensorArchive(form, named);
    Result<Archive> archive = TensorArchive::parse(*text, form, "x");
    ASSERT_TRUE(archive.isOk());
    Result<HostTensor> read = (*archive)->read("wieght");
    EXPECT_EQ(read.error().message, "x: has no tensor 'wieght'");
    EXPECT_EQ(read.error().hint, "did you mean 'weight'? There are: weight");
  }
  const std::vector<NamedTensor> twice{{"a", &tensor}, {"a", &tensor}};
  EXPECT_EQ(printTensorArchive(ArchiveForm::Npz, twice).error().message, "two tensors of one file are called 'a'");
}

TEST(TensorArchiveTest, EveryCutIsFound) {
  const HostTensor a = counted(DType::F32, {2, 2}), b = counted(DType::I64, {3});
  const std::vector<NamedTensor> named{{"a", &a}, {"b", &b}};
  for (ArchiveForm form : kForms) {
    Result<std::string> text = printTensorArchive(form, named);
    EXPECT_EQ(errorOf(*text, form), "");
    for (size_t n = 0; n < text->size(); ++n)
      EXPECT_NE(errorOf(std::string_view(*text).substr(0, n), form), "") << n;
  }
}

TEST(TensorArchiveTest, FlippedBytesOfDataAreFoundInNpz) {
  const HostTensor tensor = counted(DType::F32, {4});
  const std::vector<NamedTensor> named{{"a", &tensor}};
  std::string text = *printTensorArchive(ArchiveForm::Npz, named);
  text[text.find("NUMPY") + 130] ^= 1;
  EXPECT_EQ(errorOf(text, ArchiveForm::Npz), "x: member 'a.npy' does not have the checksum it was written with");
}

TEST(TensorArchiveTest, DamageOfNpzIsNamed) {
  const HostTensor tensor = counted(DType::F32, {4});
  const std::vector<NamedTensor> named{{"a", &tensor}};
  const std::string whole = *printTensorArchive(ArchiveForm::Npz, named);
  auto changed = [&](std::string_view where, size_t at, std::string_view bytes) {
    std::string text = whole;
    text.replace(text.rfind(where) + at, bytes.size(), bytes);
    return errorOf(text, ArchiveForm::Npz);
  };
  EXPECT_EQ(errorOf("", ArchiveForm::Npz), "x: not an .npz file (it does not begin as a zip file does)");
  EXPECT_EQ(errorOf("PK\x03\x04", ArchiveForm::Npz), "x: the directory at its end is missing: it was cut off");
  EXPECT_EQ(changed("PK\5\6", 16, "\xff\xff\xff"), "x: its directory is not where it should be");
  EXPECT_EQ(changed("PK\1\2", 0, "XX"), "x: entry 0 of its directory is cut off or overwritten");
  EXPECT_EQ(changed("PK\1\2", 42, "\x05"), "x: member 'a.npy' is not where the directory says");
  EXPECT_EQ(changed("PK\1\2", 20, "\xff\xff"), "x: member 'a.npy' is cut off");
  EXPECT_EQ(changed("PK\1\2", 24, "\x01"), "x: member 'a.npy' has 144 bytes, should have 1");
  EXPECT_EQ(changed("PK\1\2", 10, "\x0c"),
            "x: member 'a.npy' is compressed by method 12 (0, stored, and 8, deflated, are known)");
  EXPECT_EQ(changed("PK\1\2", 8, "\x01"), "x: member 'a.npy' is encrypted");
  EXPECT_EQ(changed("PK\1\2", 10, "\x08"), "x: member 'a.npy' does not inflate to its 144 bytes");
  std::string bomb = whole;
  bomb.replace(bomb.rfind("PK\1\2") + 10, 1, "\x08");
  bomb.replace(bomb.rfind("PK\1\2") + 24, 4, "\xfe\xff\xff\xff");
  EXPECT_EQ(errorOf(bomb, ArchiveForm::Npz), "x: member 'a.npy' claims 4,294,967,294 bytes from 144");
}

TEST(TensorArchiveTest, DamageOfSafetensorsIsNamed) {
  const std::string good = entry("F32", "[1]", "[0, 4]");
  EXPECT_EQ(errorOfHeader("{\"a\": " + good + "}", "1234"), "");
  EXPECT_EQ(errorOfHeader("{\"__metadata__\": {\"format\": \"pt\"}, \"a\": " + good + "}   ", "1234"), "");
  EXPECT_EQ(errorOf("abc", ArchiveForm::Safetensors),
            "x: not a .safetensors file: 3 bytes, it begins with the 8-byte length of its header");
  EXPECT_EQ(errorOf("PK\x03\x04 and so on", ArchiveForm::Safetensors),
            "x: not a .safetensors file (no header of JSON after its length)");
  EXPECT_EQ(errorOfHeader("{\"a\": " + good + "}", "123"), "x: tensor 'a': ends at byte 4 of the data, which has 3");
  EXPECT_EQ(errorOfHeader("{\"a\": " + good + "}", "12345"), "x: 1 bytes follow the last of its tensors");
  EXPECT_EQ(errorOfHeader("{\"a\": " + entry("F32", "[2]", "[0, 4]") + "}", "1234"),
            "x: tensor 'a': 4 bytes, 2xf32 takes 8");
  EXPECT_EQ(errorOfHeader("{\"a\": " + entry("F32", "[4611686018427387904, 4]", "[0, 4]") + "}", "1234"),
            "x: tensor 'a': a shape of more than 2^63 bytes");
  EXPECT_EQ(errorOfHeader("{\"a\": " + entry("F32", "[1]", "[4, 0]") + "}", "1234"),
            "x: tensor 'a': data_offsets are not the two ends of its place");
  EXPECT_EQ(errorOfHeader("{\"a\": " + good + ", \"b\": " + entry("F32", "[1]", "[2, 6]") + "}", "123456"),
            "x: the places of its tensors overlap at byte 2 of the data");
  EXPECT_EQ(errorOfHeader("{\"a\": " + good + ", \"b\": " + entry("F32", "[1]", "[6, 10]") + "}", "1234567890"),
            "x: the places of its tensors leave a gap at byte 4 of the data");
  EXPECT_EQ(errorOfHeader("{\"a\": {\"dtype\": \"F32\", \"shape\": [1]}}", "1234"), "x: a.data_offsets is missing");
  EXPECT_EQ(errorOfHeader("{\"a\": " + entry("F4", "[2]", "[0, 1]") + "}", "1"),
            "x: tensor 'a' is of type F4, which has no counterpart in Mica");
  EXPECT_NE(errorOfHeader("{\"a\": ", "1234"), "");
}

TEST(TensorArchiveTest, PlacesAreSplitAtTheFirstArchive) {
  EXPECT_EQ(splitArchiveMember("a:b/x.npz:w:0").file, "a:b/x.npz");
  EXPECT_EQ(splitArchiveMember("a:b/x.npz:w:0").tensor, "w:0");
  EXPECT_EQ(splitArchiveMember("a:b.npy").file, "a:b.npy");
  EXPECT_EQ(splitArchiveMember("x.safetensors").tensor, "");
}

} // namespace
