// Already there: weakspot/device.h is included first.
#pragma once
