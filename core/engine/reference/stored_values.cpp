// SPDX-License-Identifier: Apache-2.0
#include "core/engine/reference/stored_values.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "core/engine/reference/tensor_factory.h"
#include "core/model/operators/dtype.h"

namespace wb {
namespace {

constexpr std::size_t headerBytes = 64, dtypeBytes = 16;
constexpr std::uint64_t mostTensors = 1 << 16, mostDimensions = 64;
constexpr std::string_view magic = "WBVALUE1";

/// Reads numbers one after the other and remembers whether it went beyond the end.
class Cursor {
 public:
  Cursor(std::span<const std::byte> bytes, std::uint64_t at)
      : bytes_(bytes), at_(at), good_(at <= bytes.size()) {}
  std::span<const std::byte> take(std::uint64_t count) {
    good_ = good_ && count <= bytes_.size() - at_;
    if (!good_) return {};
    at_ += count;
    return bytes_.subspan(at_ - count, count);
  }
  template <class T>
  T number() {
    T value{};
    if (const auto raw = take(sizeof value); good_) std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }
  std::vector<std::int64_t> numbers(std::uint64_t count) {
    std::vector<std::int64_t> values;
    for (std::uint64_t i = 0; i < count && good_; ++i) values.push_back(number<std::int64_t>());
    return values;
  }
  [[nodiscard]] bool good() const { return good_; }

 private:
  std::span<const std::byte> bytes_;
  std::uint64_t at_;
  bool good_;
};

/// Whether the tensor lies within its memory; senseless numbers do not.
bool fits(const StoredTensor& tensor, std::uint64_t memoryBytes, std::uint64_t itemBytes) {
  if (tensor.offset < 0 || memoryBytes % itemBytes != 0) return false;
  std::int64_t last = tensor.offset;
  bool empty = false;
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    const std::int64_t size = tensor.sizes[i], stride = tensor.strides[i];
    if (size < 0 || stride < 0) return false;
    empty = empty || size == 0;
    std::int64_t step = 0;
    if (size > 0 &&
        (__builtin_mul_overflow(size - 1, stride, &step) || __builtin_add_overflow(last, step, &last)))
      return false;
  }
  return empty ? memoryBytes == 0 : static_cast<std::uint64_t>(last) < memoryBytes / itemBytes;
}

/// Gives the tensors of a call their numbers, in the order of its text.
void number(const Literal& literal, std::map<const Literal*, std::size_t>& numbers) {
  if (literal.kind == Literal::Kind::call && literal.text == "T") {
    numbers.emplace(&literal, numbers.size());
    return;
  }
  for (const Literal& item : literal.items) number(item, numbers);
}

at::Tensor copyOf(const StoredTensor& stored, const TensorRequest& request) {
  const auto options = at::TensorOptions().dtype(*scalarType(stored.dtype)).device(request.device);
  if (stored.bytes.empty()) return at::empty_strided(stored.sizes, stored.strides, options);
  const auto itemBytes = static_cast<std::int64_t>(findDType(stored.dtype)->bytes);
  at::Tensor values =
      at::empty({static_cast<std::int64_t>(stored.bytes.size()) / itemBytes}, options.device(at::kCPU));
  std::memcpy(values.data_ptr(), stored.bytes.data(), stored.bytes.size());
  return values.to(request.device).as_strided(stored.sizes, stored.strides, stored.offset);
}

}  // namespace

Result<StoredValues> StoredValues::open(const std::filesystem::path& file) {
  const auto failed = [&](int error) {
    return Error{Stage::check,
                 fmt::format("the stored values {} cannot be read: {}", file.string(),
                             std::generic_category().message(error)),
                 "load the suite again, which makes them again"};
  };
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return failed(errno);
  struct stat facts {};
  void* address = MAP_FAILED;
  int error = ::fstat(descriptor, &facts) == 0 ? 0 : errno;
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (error == 0 && size < headerBytes) error = EINVAL;
  if (error == 0) {
    address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED) error = errno;
  }
  ::close(descriptor);
  if (error != 0) return failed(error);
  StoredValues values(file, {static_cast<const std::byte*>(address), size});
  Cursor header(values.bytes_, 0);
  const auto mark = header.take(magic.size());
  header.take(16);
  values.records_ = header.number<std::uint64_t>();
  values.table_ = header.number<std::uint64_t>();
  const auto whole = header.number<std::uint64_t>();
  if (std::memcmp(mark.data(), magic.data(), magic.size()) != 0) return values.damaged("of another kind");
  if (whole != size || values.table_ > size ||
      values.records_ > (size - values.table_) / sizeof(std::uint64_t))
    return values.damaged("cut short");
  return values;
}

StoredValues::StoredValues(StoredValues&& other) noexcept
    : file_(std::move(other.file_)),
      bytes_(std::exchange(other.bytes_, {})),
      records_(other.records_),
      table_(other.table_) {}

StoredValues::~StoredValues() {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): munmap takes what mmap gave
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

Error StoredValues::damaged(std::string_view what) const {
  return Error{Stage::check, fmt::format("the stored values {} are {}", file_.string(), what),
               "delete the file and load the suite again, which makes it again"};
}

Result<std::vector<StoredTensor>> StoredValues::record(std::uint64_t index) const {
  if (index >= records_) return damaged(fmt::format("without a record {}", index));
  const auto start = Cursor(bytes_, table_ + index * sizeof(std::uint64_t)).number<std::uint64_t>();
  Cursor cursor(bytes_, start);
  const auto count = cursor.number<std::uint64_t>();
  if (!cursor.good() || count > mostTensors) return damaged("damaged");
  std::vector<StoredTensor> tensors;
  for (std::uint64_t i = 0; i < count; ++i) {
    StoredTensor tensor;
    const auto name = cursor.take(dtypeBytes);
    const auto rank = cursor.number<std::uint64_t>();
    if (!cursor.good() || rank > mostDimensions) return damaged("damaged");
    const std::string_view padded(reinterpret_cast<const char*>(name.data()), name.size());  // NOLINT
    tensor.dtype = padded.substr(0, padded.find('\0'));
    tensor.sizes = cursor.numbers(rank);
    tensor.strides = cursor.numbers(rank);
    tensor.offset = cursor.number<std::int64_t>();
    const auto offset = cursor.number<std::uint64_t>(), size = cursor.number<std::uint64_t>();
    const DType* dtype = findDType(tensor.dtype);
    if (!cursor.good() || dtype == nullptr || !scalarType(tensor.dtype) || offset > bytes_.size() ||
        size > bytes_.size() - offset || !fits(tensor, size, dtype->bytes))
      return damaged("damaged");
    tensor.bytes = bytes_.subspan(offset, size);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

TensorSource storedTensors(const Literal& call, const std::vector<StoredTensor>& stored) {
  std::map<const Literal*, std::size_t> numbers;
  number(call, numbers);
  return [numbers = std::move(numbers), &stored](const TensorRequest& request) {
    const auto found = numbers.find(&request.spelling);
    if (found == numbers.end() || numbers.size() != stored.size())
      throw std::invalid_argument(
          fmt::format("{} tensors are stored, {} in the call", stored.size(), numbers.size()));
    const StoredTensor& tensor = stored[found->second];
    if (tensor.sizes != request.literal.shape ||
        scalarType(tensor.dtype) != scalarType(request.literal.dtype))
      throw std::invalid_argument(fmt::format("stored is T([{}], {}), not what the call says",
                                              fmt::join(tensor.sizes, ", "), tensor.dtype));
    return copyOf(tensor, request);
  };
}

}  // namespace wb
