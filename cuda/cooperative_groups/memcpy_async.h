#pragma once
#include <weakspot/groups.h>
