#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small compiler for the files that compile-check writes, with mistakes on demand.

It knows straight-line functions of atomic loads, stores, exchanges, additions and fences, and writes the documented
mappings: of C++, OpenCL C or CUDA to PTX (PTX ISA, "Memory Consistency Model"), to AArch64 or to SPIR-V, and of WGSL to
SPIR-V. So tests need no real compiler.

  wrong_compiler.py TARGET [MISTAKE] [-S] -o OUT IN

  TARGET   ptx, aarch64, spirv
  MISTAKE  acquire      an acquire load is a plain one
           rmw          a read-modify-write that acquires and releases does neither
           scope        every scope is the workgroup's (ptx, spirv)
           plain        an atomic load is not atomic (WGSL)
           barrier      a barrier orders no storage buffers (WGSL)
           hang         does not end
           crash        ends by a signal
           warn         compiles correctly, and warns
           crash-on-sc  crashes on a function with a seq_cst fence
           garbage      writes something that is not assembly
           cut          writes half of its output
"""
import os
import re
import signal
import sys
import time

import wrong_spirv

SCOPES = {"memory_scope_work_group": "cta", "memory_scope_device": "gpu", "memory_scope_all_svm_devices": "sys"}
CALL = re.compile(r"(?:int (\w+) = )?atomic_(load|store|exchange|fetch_add)_explicit\(([^)]*)\);")
FENCE = re.compile(r"atomic_(?:thread|work_item)_fence\(([^)]*)\);")
RESULT = re.compile(r"(wsout_\w+) = (\w+);")
PLAIN = re.compile(r"(?:int (\w+) = )?\*(\w+)(?: = (\w+))?;")


class Function:
    def __init__(self, name, lines, mistake):
        self.name, self.lines, self.mistake = name, lines, mistake

    def parts(self):
        """Yields (kind, target, location, value, order, scope) for each statement."""
        for line in self.lines:
            call, fence, result = CALL.search(line), FENCE.search(line), RESULT.search(line)
            if call:
                target, kind, arguments = call.groups()
                words = [word.strip() for word in arguments.split(",")]
                value = None if kind == "load" else words.pop(1)
                scope = SCOPES[words[2]] if len(words) > 2 else "gpu"
                yield kind, target, words[0], value, words[1].removeprefix("memory_order_"), scope
            elif fence:
                words = [word.strip() for word in fence.group(1).split(",")]
                scope = SCOPES[words[2]] if len(words) > 2 else "gpu"
                yield "fence", None, None, None, words[len(words) > 1].removeprefix("memory_order_"), scope
            elif plain := PLAIN.search(line):
                target, location, value = plain.groups()
                yield "store" if value else "load", target, location, value, "relaxed", "gpu"
            elif result:
                yield "result", None, result.group(1), result.group(2), None, None
            else:
                sys.exit(f"error: cannot compile '{line.strip()}' in {self.name}")


def ptx(function):
    registers = {}
    code = []

    def register(name):
        return registers.setdefault(name, f"%r{len(registers) + 1}")

    def operand(text):
        return text if re.fullmatch(r"-?\d+", text) else register(text)

    for kind, target, location, value, order, scope in function.parts():
        scope = "cta" if function.mistake == "scope" else scope
        if kind == "fence":
            code.append(f"fence.{'sc' if order == 'seq_cst' else 'acq_rel'}.{scope};")
            continue
        if kind == "result":
            code.append(f"st.global.u32 [{location}], {register(value)};")
            continue
        if order == "seq_cst":
            code.append(f"fence.sc.{scope};")
        if kind == "load":
            acquire = order in ("acquire", "seq_cst") and function.mistake != "acquire"
            code.append(f"ld.{'acquire' if acquire else 'relaxed'}.{scope}.global.u32 {register(target)}, [{location}];")
        elif kind == "store":
            release = "release" if order == "release" else "relaxed"
            code.append(f"st.{release}.{scope}.global.u32 [{location}], {operand(value)};")
        else:
            word = {"seq_cst": "acq_rel"}.get(order, order)
            word = "relaxed" if function.mistake == "rmw" and word == "acq_rel" else word
            op = "exch.b32" if kind == "exchange" else "add.u32"
            old = register(target or "unused")
            code.append(f"atom.{word}.{scope}.global.{op} {old}, [{location}], {operand(value)};")
    body = "".join(f"\t{line}\n" for line in code)
    return f".visible .func {function.name}()\n{{\n\t.reg .b32 %r<9>;\n{body}\tret;\n}}\n"


def aarch64(function):
    numbers = {}
    code = []

    def register(name):
        return f"w{numbers.setdefault(name, len(numbers) + 9)}"

    def operand(text):
        if not re.fullmatch(r"-?\d+", text):
            return register(text)
        code.append(f"mov w8, #{text}")
        return "w8"

    for kind, target, location, value, order, _ in function.parts():
        if kind == "fence":
            code.append("dmb ishld" if order == "acquire" else "dmb ish")
            continue
        source = operand(value) if value else None
        code.extend([f"adrp x7, {location}", f"add x7, x7, :lo12:{location}"])
        if kind == "result":
            code.append(f"str {source}, [x7]")
        elif kind == "load":
            acquire = order in ("acquire", "seq_cst") and function.mistake != "acquire"
            code.append(f"{'ldar' if acquire else 'ldr'} {register(target)}, [x7]")
        elif kind == "store":
            code.append(f"{'stlr' if order in ('release', 'seq_cst') else 'str'} {source}, [x7]")
        else:
            suffix = {"relaxed": "", "acquire": "a", "release": "l"}.get(order, "al")
            suffix = "" if function.mistake == "rmw" and suffix == "al" else suffix
            word = "swp" if kind == "exchange" else "ldadd"
            code.append(f"{word}{suffix} {source}, {register(target or 'unused')}, [x7]")
    body = "".join(f"\t{line}\n" for line in code)
    return f"{function.name}:\n{body}\tret\n\t.size {function.name}, .-{function.name}\n"


def functions_in(text, mistake):
    for match in re.finditer(r"void (\w+)\(void\) \{\n(.*?)^\}", text, re.S | re.M):
        yield Function(match.group(1), match.group(2).splitlines(), mistake)


def main():
    target = sys.argv[1]
    mistake = sys.argv[2] if not sys.argv[2].startswith("-") else ""
    out = sys.argv[sys.argv.index("-o") + 1]
    with open(sys.argv[-1], encoding="utf-8") as source:
        text = source.read()
    functions = list(functions_in(text, mistake))
    if mistake == "hang":
        time.sleep(600)
    if mistake == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if mistake == "warn":
        print("tests.c:1:1: warning: this compiler is not a real one", file=sys.stderr)
    for function in functions:
        if mistake == "crash-on-sc" and any(part[0] == "fence" and part[4] == "seq_cst" for part in function.parts()):
            print(f"fatal error: error in backend: no fence\nIn function: {function.name}", file=sys.stderr)
            os.abort()
    if mistake == "garbage":
        code = b"hello\n"
    elif target == "spirv":
        code = wrong_spirv.wgsl(text, mistake) if sys.argv[-1].endswith(".wgsl") else wrong_spirv.opencl(functions)
    else:
        head = ".version 8.5\n.target sm_70\n.address_size 64\n" if target == "ptx" else "\t.text\n"
        code = (head + "".join(map(ptx if target == "ptx" else aarch64, functions))).encode()
    if mistake == "cut":
        code = code[:len(code) // 2 | 1]
    with open(out, "wb") as result:
        result.write(code)


main()
