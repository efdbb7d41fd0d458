// SPDX-License-Identifier: MIT
#include "store/connection/address.h"

#include <algorithm>

namespace weakspot::store {

bool is_address(std::string_view place) {
  return place.starts_with("postgresql://") || place.starts_with("postgres://");
}

std::string without_password(std::string address) {
  const std::size_t begin = address.find("//");
  const std::size_t end = address.find('@');
  if (begin != std::string::npos && end != std::string::npos) {
    const std::size_t colon = address.find(':', begin);
    if (colon < end) address.erase(colon, end - colon);
  }
  constexpr std::string_view kOption = "password=";
  for (std::size_t at = address.find(kOption); at != std::string::npos; at = address.find(kOption, at + 1)) {
    const std::size_t value = at + kOption.size();
    address.erase(value, std::min(address.find('&', value), address.size()) - value);
  }
  return address;
}

}  // namespace weakspot::store
