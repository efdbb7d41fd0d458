// SPDX-License-Identifier: MIT
// The driver's interface: streams and events.
#include <cstring>

#include "race_jit/driver/api.h"
#include "race_jit/driver/runtime_calls.h"
#include "race_jit/host/host_device.h"

namespace weakspot::race_jit::driver {
namespace {

Result ask_capture(Stream stream, int* status, unsigned long long* id, cudaGraph_t* graph, const cudaGraphNode_t** last,
                   std::size_t* count) {
  if (status == nullptr) return kInvalidValue;
  return result_of(cudaStreamGetCaptureInfo_v2(stream, status, id, graph, last, count));
}

// A word that a stream writes.
template <typename Word>
Result write_word(Stream stream, DevicePointer to, Word value) {
  void* pointer = pointer_of(to);
  if (!host_device->is_accessible(pointer, sizeof value)) return kInvalidValue;
  const cudaError_t result = host_device->submit(stream, false);
  std::memcpy(pointer, &value, sizeof value);
  return result_of(result);
}

}  // namespace

void use_stream_api() {}

extern "C" {

Result cuStreamCreate(Stream* stream, unsigned flags) {
  return stream == nullptr ? kInvalidValue : result_of(cudaStreamCreateWithFlags(stream, flags));
}
Result cuStreamCreateWithPriority(Stream* stream, unsigned flags, int) { return cuStreamCreate(stream, flags); }
Result cuStreamDestroy_v2(Stream stream) { return result_of(cudaStreamDestroy(stream)); }
Result cuStreamSynchronize(Stream stream) { return result_of(cudaStreamSynchronize(stream)); }
Result cuStreamQuery(Stream stream) { return result_of(cudaStreamQuery(stream)); }
Result cuStreamWaitEvent(Stream stream, Event event, unsigned flags) {
  return result_of(cudaStreamWaitEvent(stream, event, flags));
}
Result cuStreamAddCallback(Stream stream, void (*function)(Stream, Result, void*), void* argument, unsigned) {
  if (function == nullptr) return kInvalidValue;
  function(stream, kSuccess, argument);
  return kSuccess;
}
Result cuStreamGetPriority(Stream, int* priority) {
  *priority = 0;
  return kSuccess;
}
Result cuStreamGetFlags(Stream, unsigned* flags) {
  *flags = 0;
  return kSuccess;
}
Result cuStreamGetCtx(Stream, Context* context) {
  current_context(context);
  return kSuccess;
}
Result cuStreamGetDevice(Stream, Device* device) {
  *device = 0;
  return kSuccess;
}
Result cuStreamGetId(Stream stream, unsigned long long* id) {
  *id = stream_id(stream);
  return kSuccess;
}
Result cuStreamAttachMemAsync(Stream, DevicePointer, std::size_t, unsigned) { return kSuccess; }
Result cuStreamCopyAttributes(Stream, Stream) { return kSuccess; }
Result cuStreamGetAttribute(Stream, int, void* value) {
  std::memset(value, 0, 64);
  return kSuccess;
}
Result cuStreamSetAttribute(Stream, int, const void*) { return kSuccess; }
Result cuStreamWriteValue32_v2(Stream stream, DevicePointer to, std::uint32_t value, unsigned) {
  return write_word(stream, to, value);
}
Result cuStreamWriteValue64_v2(Stream stream, DevicePointer to, std::uint64_t value, unsigned) {
  return write_word(stream, to, value);
}

Result cuStreamBeginCapture_v2(Stream stream, int mode) { return result_of(cudaStreamBeginCapture(stream, mode)); }
Result cuStreamEndCapture(Stream stream, cudaGraph_t* graph) { return result_of(cudaStreamEndCapture(stream, graph)); }
Result cuStreamIsCapturing(Stream stream, int* status) { return result_of(cudaStreamIsCapturing(stream, status)); }
Result cuStreamGetCaptureInfo_v2(Stream stream, int* status, unsigned long long* id, cudaGraph_t* graph,
                                 const cudaGraphNode_t** last, std::size_t* count) {
  return ask_capture(stream, status, id, graph, last, count);
}
Result cuStreamGetCaptureInfo_v3(Stream stream, int* status, unsigned long long* id, cudaGraph_t* graph,
                                 const cudaGraphNode_t** last, const void** edges, std::size_t* count) {
  if (edges != nullptr) *edges = nullptr;
  return ask_capture(stream, status, id, graph, last, count);
}
Result cuThreadExchangeStreamCaptureMode(int* mode) {
  *mode = 0;
  return kSuccess;
}

Result cuEventCreate(Event* event, unsigned flags) {
  return event == nullptr ? kInvalidValue : result_of(cudaEventCreateWithFlags(event, flags));
}
Result cuEventDestroy_v2(Event event) { return result_of(cudaEventDestroy(event)); }
Result cuEventRecord(Event event, Stream stream) { return result_of(cudaEventRecord(event, stream)); }
Result cuEventRecordWithFlags(Event event, Stream stream, unsigned) {
  return result_of(cudaEventRecord(event, stream));
}
Result cuEventQuery(Event event) { return result_of(cudaEventQuery(event)); }
Result cuEventSynchronize(Event event) { return result_of(cudaEventSynchronize(event)); }
Result cuEventElapsedTime(float* milliseconds, Event start, Event end) {
  return result_of(cudaEventElapsedTime(milliseconds, start, end));
}
Result cuEventElapsedTime_v2(float* milliseconds, Event start, Event end) {
  return result_of(cudaEventElapsedTime(milliseconds, start, end));
}

}  // extern "C"

}  // namespace weakspot::race_jit::driver
