// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/arguments/guest_arguments.h"

#include <ATen/ops/empty.h>
#include <c10/core/StorageImpl.h>

#include <stdexcept>

#include "core/engine/guest/values.h"

namespace wb {

Stack ArgumentReader::read(std::size_t count, const c10::FunctionSchema& schema) {
  Stack arguments;
  for (std::size_t i = 0; i < count; ++i) {
    const c10::TypePtr type = i < schema.arguments().size() ? schema.arguments()[i].type() : nullptr;
    arguments.push_back(readValue(from_, type, [this](ByteReader& from) { return tensor(from); }));
  }
  return arguments;
}

at::Tensor ArgumentReader::tensor(ByteReader& from) {
  const auto number = from.get<std::uint32_t>();
  const auto offset = from.get<std::uint64_t>(), bytes = from.get<std::uint64_t>();
  const auto first = from.get<std::int64_t>();
  const TensorShape shape = readShape(from);
  const at::Device device = shape.onDevice ? device_ : at::Device(at::kCPU);
  at::Tensor made = at::empty({0}, at::TensorOptions().dtype(shape.type).device(device));
  made.set_(storage(number, offset, bytes, device), first, shape.sizes, shape.strides);
  if (shape.conjugate) made._set_conj(true);
  if (shape.negative) made._set_neg(true);
  if (shape.wrapped) made.unsafeGetTensorImpl()->set_wrapped_number(true);
  return made;
}

/// Tensors of one storage share it here too.
c10::Storage ArgumentReader::storage(std::uint32_t number, std::uint64_t offset, std::uint64_t bytes,
                                     at::Device device) {
  const auto known = storages_.find({number, offset});
  if (known != storages_.end()) return known->second;
  at::DataPtr data(nullptr, device);
  if (const auto memory = memories_.find(number); memory != memories_.end()) {
    const std::uint64_t size = memory->second->size();
    if (offset > size || bytes > size - offset)
      throw std::runtime_error("an argument reaches beyond its memory");
    auto* const keeps = new std::shared_ptr<SharedMemory>(memory->second);
    data = at::DataPtr(
        memory->second->data() + offset, keeps,
        [](void* kept) { delete static_cast<std::shared_ptr<SharedMemory>*>(kept); }, device);
  }
  c10::Storage made(c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), bytes,
                                                          std::move(data), nullptr, false));
  storages_.emplace(std::pair(number, offset), made);
  return made;
}

}  // namespace wb
