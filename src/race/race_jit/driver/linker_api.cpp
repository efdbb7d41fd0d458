// SPDX-License-Identifier: MIT
// The driver's interface: the linker of device code. One text of PTX is what programs give it; what it makes is the
// same text in the form of machine code.
#include <cstring>
#include <list>
#include <string>

#include "base/file.h"
#include "race_jit/driver/api.h"
#include "race_jit/driver/image.h"
#include "race_jit/host/host_device.h"

namespace weakspot::race_jit::driver {
namespace {

enum InputType : int { kMachineCode, kPtxText, kFatBinary };

struct LinkState {
  std::string ptx, made;
};

Result add_input(LinkState* state, const Image& image) {
  if (image.kind == Image::Kind::bad) return kInvalidImage;
  if (image.kind == Image::Kind::machine_code) return not_modelled("cuLinkAddData of machine code");
  if (!state->ptx.empty()) return not_modelled("cuLinkAddData of several texts of PTX");
  state->ptx = image.text;
  return kSuccess;
}

unsigned architecture() { return static_cast<unsigned>(host_device->architecture()); }

}  // namespace

void use_linker_api() {}

extern "C" {

Result cuLinkCreate_v2(unsigned, const int*, void**, LinkState** state) {
  if (state == nullptr) return kInvalidValue;
  *state = new LinkState();
  return kSuccess;
}
Result cuLinkAddData_v2(LinkState* state, int type, const void* data, std::size_t size, const char*, unsigned,
                        const int*, void**) {
  if (state == nullptr || data == nullptr) return kInvalidValue;
  if (type > kFatBinary) return not_modelled("cuLinkAddData of objects or libraries");
  return add_input(state, image_in({static_cast<const char*>(data), size}, architecture()));
}
Result cuLinkAddFile_v2(LinkState* state, int type, const char* path, unsigned, const int*, void**) {
  if (state == nullptr || path == nullptr) return kInvalidValue;
  if (type > kFatBinary) return not_modelled("cuLinkAddFile of objects or libraries");
  const base::Result<std::string> bytes = base::read_file(path);
  return bytes ? add_input(state, image_in(*bytes, architecture())) : kFileNotFound;
}
Result cuLinkComplete(LinkState* state, void** image, std::size_t* size) {
  if (state == nullptr || state->ptx.empty()) return kInvalidValue;
  state->made = image_with_ptx(state->ptx);
  if (image != nullptr) *image = state->made.data();
  if (size != nullptr) *size = state->made.size();
  return kSuccess;
}
Result cuLinkDestroy(LinkState* state) {
  delete state;
  return kSuccess;
}

}  // extern "C"

}  // namespace weakspot::race_jit::driver
