// SPDX-License-Identifier: MIT
#pragma once
#include <weakspot/groups.h>
