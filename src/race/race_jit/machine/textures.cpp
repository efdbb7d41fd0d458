// SPDX-License-Identifier: MIT
#include "race_jit/machine/textures.h"

#include "race_jit/machine/machine.h"
#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {

std::uint64_t Textures::add(const Texture& texture) {
  textures_[next_] = texture;
  return next_++;
}

const Texture* Textures::find(std::uint64_t handle) const {
  auto found = textures_.find(handle);
  return found == textures_.end() ? nullptr : &found->second;
}

int texture_fact(const Texture& texture, TextureFact fact) {
  const Surface& surface = texture.surface;
  switch (fact) {
    case kTextureWidth:
      return static_cast<int>(surface.width);
    case kTextureHeight:
      return static_cast<int>(surface.height);
    case kTextureDepth:
      return static_cast<int>(surface.depth);
    case kChannelBits:
      return surface.format.x;
    case kChannels:
      return static_cast<int>(surface.channels());
    case kChannelKind:
      return surface.format.f;
    case kLinearFilter:
      return texture.how.filterMode == cudaFilterModeLinear ? 1 : 0;
    case kNormalizedCoordinates:
      return texture.how.normalizedCoords;
    case kAddressModeX:
    case kAddressModeY:
    case kAddressModeZ: {
      // Coordinates that are not normalised can only be clamped or cut off at the border.
      const cudaTextureAddressMode mode = texture.how.addressMode[fact - kAddressModeX];
      return texture.how.normalizedCoords != 0 || mode == cudaAddressModeBorder ? mode : cudaAddressModeClamp;
    }
    case kNormalizedFloat:
      return texture.how.readMode == cudaReadModeNormalizedFloat ? 1 : 0;
  }
  return 0;
}

namespace {

const Texture* texture_of(std::uint64_t handle, const char* what, std::uint32_t site) {
  if (const Texture* found = core->device().textures().find(handle)) return found;
  weakspot_not_modelled(what, static_cast<std::uint32_t>(race::Effect::memory), site);
  return nullptr;
}

bool inside(int at, std::uint64_t size) { return at >= 0 && static_cast<std::uint64_t>(at) < size; }

constexpr const char* kNoTexture = "a texture that the host did not create (it reads as zeros)";
constexpr const char* kNoSurface = "a surface that the host did not create";

}  // namespace

extern "C" {

const void* weakspot_texel(std::uint64_t handle, int x, int y, int z, std::uint32_t site) {
  InRuntime guard;
  const Texture* texture = texture_of(handle, kNoTexture, site);
  if (texture == nullptr) return nullptr;
  const Surface& surface = texture->surface;
  if (!inside(x, surface.width) || !inside(y, surface.height) || !inside(z, surface.depth)) return nullptr;
  const auto row = static_cast<std::uint64_t>(z) * surface.height + static_cast<std::uint64_t>(y);
  return surface.data + row * surface.pitch + static_cast<std::uint64_t>(x) * surface.texel_bytes();
}

void* weakspot_surface(std::uint64_t handle, int x, int y, int z, int size, std::uint32_t site) {
  InRuntime guard;
  const Texture* texture = texture_of(handle, kNoSurface, site);
  if (texture == nullptr) return nullptr;
  const Surface& surface = texture->surface;
  const std::uint64_t row_bytes = surface.width * surface.texel_bytes();
  if (!inside(x, row_bytes) || row_bytes - static_cast<std::uint64_t>(x) < static_cast<std::uint64_t>(size) ||
      !inside(y, surface.height) || !inside(z, surface.depth)) {
    is_valid_access(nullptr, static_cast<std::uint64_t>(size), false, site);  // a trap on a GPU
    return nullptr;
  }
  const auto row = static_cast<std::uint64_t>(z) * surface.height + static_cast<std::uint64_t>(y);
  return surface.data + row * surface.pitch + static_cast<std::uint64_t>(x);
}

int weakspot_texture_fact(std::uint64_t handle, int fact, std::uint32_t site) {
  InRuntime guard;
  const Texture* texture = texture_of(handle, kNoTexture, site);
  return texture == nullptr ? 1 : texture_fact(*texture, static_cast<TextureFact>(fact));
}

}  // extern "C"

std::vector<HookSymbol> texture_hook_symbols() {
  return {
#define HOOK(name) {#name, reinterpret_cast<void*>(&name)}
      HOOK(weakspot_texel),
      HOOK(weakspot_surface),
      HOOK(weakspot_texture_fact),
#undef HOOK
  };
}

}  // namespace weakspot::race_jit
