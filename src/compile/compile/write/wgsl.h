// SPDX-License-Identifier: MIT
// A thread of a test in WGSL: an entry point whose locations are storage buffers.
#pragma once

#include "base/result.h"
#include "compile/thread_source.h"
#include "litmus/test.h"

namespace weakspot::compile {

// Declarations lack the binding, which the file numbers. Fails if WGSL cannot express the thread, and says why.
base::Result<ThreadSource> wgsl_thread(const litmus::LitmusTest& test, litmus::ThreadId thread);

}  // namespace weakspot::compile
