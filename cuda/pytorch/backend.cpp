// SPDX-License-Identifier: MIT
// Tensors on "cuda" for a PyTorch that was built for CPUs. Their memory is that of the checker's device, which this
// process shares: kernels of extensions find it where they find any memory from cudaMalloc(), and every operator of
// PyTorch itself runs the code for CPUs in place, on tensors of the CPU that stand for the same memory.
#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <cuda_runtime_api.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/library.h>

#include <cstring>
#include <utility>
#include <vector>

namespace {

using at::Tensor;
using c10::IValue;

void free_memory(void* pointer) { cudaFree(pointer); }

c10::DataPtr new_memory(size_t size) {
  void* pointer = nullptr;
  if (size > 0) {
    TORCH_CHECK(cudaMalloc(&pointer, size) == cudaSuccess, "the device of weakspot has no ", size, " bytes left");
  }
  return {pointer, pointer, &free_memory, c10::Device(c10::DeviceType::CUDA, 0)};
}

// Some versions of PyTorch ask for a constant allocator, others do not; some for copies.
struct DeviceAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t size) const { return new_memory(size); }
  c10::DataPtr allocate(size_t size) { return new_memory(size); }
  c10::DeleterFnPtr raw_deleter() const override { return &free_memory; }
  void copy_data(void* to, const void* from, std::size_t size) const { std::memcpy(to, from, size); }
};

DeviceAllocator allocator;

// One device with one stream.
struct Guard final : c10::impl::DeviceGuardImplInterface {
  static c10::Device device() { return {c10::DeviceType::CUDA, 0}; }
  static c10::Stream stream() { return c10::Stream(c10::Stream::DEFAULT, device()); }

  c10::DeviceType type() const override { return c10::DeviceType::CUDA; }
  c10::Device exchangeDevice(c10::Device) const override { return device(); }
  c10::Device getDevice() const override { return device(); }
  void setDevice(c10::Device) const override {}
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::Stream getStream(c10::Device) const noexcept override { return stream(); }
  c10::Stream getDefaultStream(c10::Device) const override { return stream(); }
  c10::Stream exchangeStream(c10::Stream) const noexcept override { return stream(); }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
};

C10_REGISTER_GUARD_IMPL(CUDA, Guard)

// Gradients ask for it. Its number of devices stays 0, since there are no generators for them.
struct CUDAHooks final : at::CUDAHooksInterface {
  explicit CUDAHooks(at::CUDAHooksArgs) {}
  void initCUDA() const override {}
  bool hasCUDA() const override { return true; }
  bool hasPrimaryContext(int64_t) const override { return true; }
  int64_t current_device() const override { return 0; }
};

using at::CUDAHooksRegistry;
using at::RegistererCUDAHooksRegistry;
REGISTER_CUDA_HOOKS(CUDAHooks)

Tensor to_device(const Tensor& host) {
  Tensor device = at::detail::empty_strided_generic(host.sizes(), host.strides(), &allocator,
                                                    c10::DispatchKeySet(c10::DispatchKey::CUDA), host.scalar_type());
  if (host.numel() > 0) std::memcpy(device.data_ptr(), host.data_ptr(), device.storage().nbytes());
  return device;
}

// One call of an operator: its tensors on the device are replaced by tensors of the CPU, and these put back.
class HostCall {
 public:
  HostCall(const c10::OperatorHandle& op, torch::jit::Stack& stack) : op_(op), stack_(stack) {}

  void run() {
    const auto& arguments = op_.schema().arguments();
    const size_t first = stack_.size() - arguments.size();
    for (size_t i = 0; i < arguments.size(); ++i) {
      const auto* alias = arguments[i].alias_info();
      replace(stack_[first + i], alias != nullptr && alias->isWrite());
    }
    op_.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &stack_);
    for (Stand& stand : stands_) put_back(stand);
    const size_t results = op_.schema().returns().size();
    for (size_t i = stack_.size() - results; i < stack_.size(); ++i) return_value(stack_[i]);
  }

 private:
  struct Stand {
    Tensor device, host;
    bool made = false;  // it has memory of its own
  };

  // All of its memory, since views may reach beyond what the tensor shows of it.
  static Tensor on_cpu(const Tensor& tensor) {
    c10::Storage memory(c10::Storage::use_byte_size_t(), tensor.storage().nbytes(),
                        c10::DataPtr(tensor.storage().data(), c10::Device(c10::DeviceType::CPU)), nullptr, false);
    auto impl = c10::make_intrusive<c10::TensorImpl>(std::move(memory), c10::DispatchKeySet(c10::DispatchKey::CPU),
                                                     tensor.dtype());
    impl->set_storage_offset(tensor.storage_offset());
    impl->set_sizes_and_strides(tensor.sizes(), tensor.strides());
    return Tensor(std::move(impl));
  }

  // An empty tensor that the operator writes may get another size, and then needs memory of its own.
  Tensor stand_for(const Tensor& tensor, bool written) {
    if (!tensor.defined()) return tensor;
    if (!tensor.is_cuda()) {
      given_.push_back(tensor);
      return tensor;
    }
    const auto options = tensor.options().device(at::kCPU);
    Stand stand{tensor, {}, written && tensor.numel() == 0};
    stand.host = stand.made ? at::empty(tensor.sizes(), options) : on_cpu(tensor);
    stands_.push_back(stand);
    return stand.host;
  }

  void replace(IValue& value, bool written) {
    if (value.isTensor()) {
      value = stand_for(value.toTensor(), written);
    } else if (value.isTensorList()) {
      c10::List<Tensor> list;
      for (const Tensor& tensor : value.toTensorVector()) list.push_back(stand_for(tensor, written));
      value = list;
    } else if (value.isOptionalTensorList()) {
      c10::List<c10::optional<Tensor>> list;
      for (const c10::optional<Tensor>& tensor : value.toOptionalTensorVector()) {
        list.push_back(tensor ? c10::optional<Tensor>(stand_for(*tensor, written)) : c10::nullopt);
      }
      value = list;
    } else if (value.isDevice() && value.toDevice().is_cuda()) {
      value = c10::Device(c10::DeviceType::CPU);
      makes_ = true;
    }
  }

  static void put_back(Stand& stand) {
    if (!stand.made || stand.host.sizes() == stand.device.sizes()) return;
    const Tensor fresh = to_device(stand.host);
    c10::TensorImpl* impl = stand.device.unsafeGetTensorImpl();
    impl->set_storage_keep_dtype(fresh.storage());
    impl->set_storage_offset(0);
    impl->set_sizes_and_strides(fresh.sizes(), fresh.strides());
  }

  // A part of the memory of `whole`.
  static Tensor view(const Tensor& whole, const Tensor& part) {
    auto impl = c10::make_intrusive<c10::TensorImpl>(c10::TensorImpl::VIEW, c10::Storage(whole.storage()),
                                                     whole.key_set(), part.dtype());
    impl->set_storage_offset(part.storage_offset());
    impl->set_sizes_and_strides(part.sizes(), part.strides());
    return Tensor(std::move(impl));
  }

  Tensor returned(const Tensor& tensor) const {
    if (!tensor.defined() || !tensor.is_cpu()) return tensor;
    for (const Tensor& given : given_) {
      if (tensor.is_same(given)) return tensor;
    }
    for (const Stand& stand : stands_) {
      if (tensor.is_same(stand.host)) return stand.device;
    }
    for (const Stand& stand : stands_) {
      if (stand.made || stand.host.storage().data() != tensor.storage().data()) continue;
      if (tensor.storage().data() != nullptr) return view(stand.device, tensor);
    }
    return makes_ || !stands_.empty() ? to_device(tensor) : tensor;
  }

  void return_value(IValue& value) const {
    if (value.isTensor()) {
      value = returned(value.toTensor());
    } else if (value.isTensorList()) {
      c10::List<Tensor> list;
      for (const Tensor& tensor : value.toTensorVector()) list.push_back(returned(tensor));
      value = list;
    }
  }

  const c10::OperatorHandle& op_;
  torch::jit::Stack& stack_;
  std::vector<Stand> stands_;
  std::vector<Tensor> given_;  // tensors of the CPU
  bool makes_ = false;         // it was asked for tensors on the device
};

void on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack) { HostCall(op, *stack).run(); }

Tensor empty(c10::IntArrayRef sizes, c10::optional<at::ScalarType> type, c10::optional<at::Layout>,
             c10::optional<at::Device>, c10::optional<bool>, c10::optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(sizes, &allocator, c10::DispatchKeySet(c10::DispatchKey::CUDA),
                                   c10::dtype_or_default(type), format);
}

Tensor empty_strided(c10::IntArrayRef sizes, c10::IntArrayRef strides, c10::optional<at::ScalarType> type,
                     c10::optional<at::Layout>, c10::optional<at::Device>, c10::optional<bool>) {
  return at::detail::empty_strided_generic(sizes, strides, &allocator, c10::DispatchKeySet(c10::DispatchKey::CUDA),
                                           c10::dtype_or_default(type));
}

const Tensor& resize(const Tensor& self, c10::IntArrayRef sizes, c10::optional<at::MemoryFormat>) {
  c10::TensorImpl* impl = self.unsafeGetTensorImpl();
  const size_t before = self.storage().nbytes();
  impl->set_sizes_contiguous(sizes);
  const size_t wanted = static_cast<size_t>(impl->storage_offset() + self.numel()) * self.itemsize();
  if (wanted <= before) return self;
  c10::DataPtr memory = new_memory(wanted);
  if (before > 0) std::memcpy(memory.get(), self.storage().data(), before);
  impl->unsafe_storage().set_data_ptr_noswap(std::move(memory));
  impl->unsafe_storage().set_nbytes(wanted);
  return self;
}

TORCH_LIBRARY_IMPL(_, CUDA, library) { library.fallback(torch::CppFunction::makeFromBoxedFunction<&on_host>()); }

TORCH_LIBRARY_IMPL(aten, CUDA, library) {
  library.impl("empty.memory_format", &empty);
  library.impl("empty_strided", &empty_strided);
  library.impl("resize_", &resize);
  // Those that are the same for all devices, but for what they do inside.
  for (const char* name : {"copy_", "_local_scalar_dense"}) {
    library.impl(name, torch::CppFunction::makeFromBoxedFunction<&on_host>());
  }
}

}  // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
  module.def("synchronize", [] {
    const cudaError_t error = cudaDeviceSynchronize();
    TORCH_CHECK(error == cudaSuccess, "CUDA error: ", cudaGetErrorString(error));
  });
  module.def("properties", [] {
    cudaDeviceProp properties{};
    cudaGetDeviceProperties(&properties, 0);
    return std::make_tuple(std::string(properties.name), properties.major, properties.minor, properties.totalGlobalMem,
                           properties.multiProcessorCount);
  });
}
