// SPDX-License-Identifier: MIT
#pragma once
#include <cuda_pipeline_primitives.h>
#include <weakspot/pipeline.h>
