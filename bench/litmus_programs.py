# SPDX-License-Identifier: MIT
"""Litmus tests as programs: a kernel of CUDA with inline PTX, or an entry of PTX.

A test, in the form of `weakspot convert --to json`, becomes a kernel: a thread of the launch for each thread of the
test, an instruction for each access and fence, and an array `kept` for the registers that outcomes name. What has no
form here raises LeftOut.
"""
import collections
import re

ORDERS = {"plain": "weak", "relaxed": "relaxed", "acquire": "acquire", "release": "release", "acq_rel": "acq_rel"}
SCOPES = {"wg": "cta", "cluster": "cluster", "dev": "gpu", "sys": "sys", "workgroup": "cta", "device": "gpu",
          "system": "sys"}
COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
COMPUTE = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "shl": "<<"}
# The types of locations, and their names in CUDA.
TYPES = {"s8": "signed char", "u8": "unsigned char", "s16": "short", "u16": "unsigned short", "s32": "int",
         "u32": "unsigned", "b32": "unsigned", "s64": "long long", "u64": "unsigned long long",
         "b64": "unsigned long long"}
REDUCED = ("add", "and", "or", "xor", "min", "max", "inc", "dec")  # by `red`, without the old value


class LeftOut(Exception):
    """A word of the test that is not printed."""


def known(item, *keys):
    for key in item:
        if key not in keys:
            raise LeftOut(key)


def width(type_):
    return int(re.search(r"\d+", type_).group())


def type_of(item, default="s32"):
    type_ = item.get("type", default)
    if type_ == "pred":
        return "u32"
    if type_ not in TYPES:
        raise LeftOut(f"type {type_}")
    return type_


class Cuda:
    """Writes the statements of a thread; `v_NAME` is a register."""

    def __init__(self, program, number):
        self.program, self.number, self.lines, self.guard = program, number, [], ""

    def add(self, text):
        self.lines.append(f"if ({self.guard}) {{ {text} }}" if self.guard else text)

    def value(self, value, wide):
        if isinstance(value, int):
            return f"{value}LL" if wide else str(value)
        return f"v_{value}"

    def address(self, location, index):
        return f"(char*)loc_{location} + v_{index}" if index else f"loc_{location}"

    def memory(self, opcode, target, address, values, bits):
        letter = "l" if bits == 64 else "r"
        # A constraint is that of the register, not of the access: ld.u8 into a wide one extends.
        wide = [v in self.program.wide(self.number) if isinstance(v, str) else bits == 64 for v in values]
        inputs = [f'"l"({self.address(*address)})'] + [f'"{"l" if w else letter}"({self.value(v, w)})'
                                                       for v, w in zip(values, wide)]
        places = [f"%{n + (target is not None)}" for n in range(len(inputs))]
        outputs = "" if target is None else f'"={"l" if target in self.program.wide(self.number) else letter}"(v_{target})'
        words = ([] if target is None else ["%0"]) + [f"[{places[0]}]"] + places[1:]
        self.add(f'asm volatile("{opcode} {", ".join(words)};" : {outputs} : {", ".join(inputs)} : "memory");')

    def fence(self, opcode):
        self.add(f'asm volatile("{opcode};" ::: "memory");')

    def barrier(self):
        self.add("__syncthreads();")

    def label(self, name):
        self.lines.append(f"{self.program.name}_{self.number}_{name}:;")

    def test(self, op, left, right):
        return f"{self.value(left, False)} {COMPARE[op]} {self.value(right, False)}"

    def branch(self, label, condition):
        goto = f"goto {self.program.name}_{self.number}_{label};"
        self.add(f"if ({self.test(*condition)}) {goto}" if condition else goto)

    def compute(self, target, op, left, right):
        left = self.value(left, False)
        if op in ("mov", "neg", "not"):
            text = {"mov": "", "neg": "-", "not": "~"}[op] + left
        elif op in COMPUTE:
            text = f"{left} {COMPUTE[op]} {self.value(right, False)}"
        else:
            text = f"{left} {COMPARE[op]} {self.value(right, False)}"
        self.add(f"v_{target} = {text};")

    def select(self, target, condition, yes, no):
        self.add(f"v_{target} = {self.test(*condition)} ? {self.value(yes, False)} : {self.value(no, False)};")

    def only_if(self, register, holds):
        self.guard = f"v_{register} {'!=' if holds else '=='} 0"

    def end_guard(self):
        self.guard = ""

    def keep(self, index, register):
        self.lines.append(f"kept[{index}] = v_{register};")


class Ptx:
    """The same in PTX, where a thread's registers are called `%vN_NAME`."""

    def __init__(self, program, number):
        self.program, self.number, self.lines, self.guard = program, number, [], ""
        self.temporaries = 0

    def add(self, text):
        self.lines.append(f"{self.guard}{text}")

    def register(self, name):
        return f"%v{self.number}_{name}"

    def value(self, value):
        return str(value) if isinstance(value, int) else self.register(value)

    def bits(self, *values):
        return 64 if any(v in self.program.wide(self.number) for v in values if isinstance(v, str)) else 32

    def memory(self, opcode, target, address, values, bits):
        place = f"%loc_{address[0]}"
        if address[1]:
            name = address[1]
            wide = self.register(name)
            if self.bits(name) == 32:
                self.add(f"cvt.s64.s32 %wide, {wide};")
                wide = "%wide"
            self.add(f"add.s64 %place, {place}, {wide};")
            place = "%place"
        words = ([] if target is None else [self.register(target)]) + [f"[{place}]"] + [self.value(v) for v in values]
        self.add(f"{opcode} {', '.join(words)};")

    def fence(self, opcode):
        self.add(f"{opcode};")

    def barrier(self):
        self.add("bar.sync 0;")

    def label(self, name):
        self.lines.append(f"L{self.number}_{name}:")

    def test(self, op, left, right):
        if isinstance(left, int):
            self.add(f"mov.b32 %number, {left};")
            self.lines.append(f"setp.{op}.s32 %holds, %number, {self.value(right)};")
        else:
            self.lines.append(f"setp.{op}.s{self.bits(left, right)} %holds, {self.value(left)}, {self.value(right)};")

    def branch(self, label, condition):
        if condition is None:
            return self.add(f"bra L{self.number}_{label};")
        if self.guard:
            raise LeftOut("guarded branch")
        self.test(*condition)
        self.lines.append(f"@%holds bra L{self.number}_{label};")

    def compute(self, target, op, left, right):
        bits, goal = self.bits(target), self.register(target)
        if op in ("mov", "neg", "not"):
            type_ = "s" if op == "neg" else "b"
            self.add(f"{op}.{type_}{bits} {goal}, {self.value(left)};")
        elif op in COMPUTE:
            word = {"mul": "mul.lo.s", "add": "add.s", "sub": "sub.s"}.get(op, f"{op}.b")
            self.add(f"{word}{bits} {goal}, {self.value(left)}, {self.value(right)};")
        else:
            self.test(op, left, right)
            self.add(f"selp.b{bits} {goal}, 1, 0, %holds;")

    def select(self, target, condition, yes, no):
        self.test(*condition)
        self.add(f"selp.b{self.bits(target)} {self.register(target)}, {self.value(yes)}, {self.value(no)}, %holds;")

    def only_if(self, register, holds):
        self.lines.append(f"setp.ne.s{self.bits(register)} %guard, {self.register(register)}, 0;")
        self.guard = f"@{'' if holds else '!'}%guard "

    def end_guard(self):
        self.guard = ""

    def keep(self, index, register):
        value = self.register(register)
        if self.bits(register) == 32:
            self.lines.append(f"cvt.s64.s32 %wide, {value};")
            value = "%wide"
        self.lines.append(f"st.global.u64 [%kept+{8 * index}], {value};")


class Program:
    """A test as a kernel called `name`. `text(form)` has "cuda" or "ptx"."""

    def __init__(self, test, name):
        known(test, "testName", "description", "testType", "memoryType", "threads", "condition", "expectations", "info",
              "arch", "locations", "observe", "useRMW")
        if test.get("arch", "generic") not in ("generic", "ptx"):
            raise LeftOut(test["arch"])
        self.test, self.name = test, name
        self.types, self.initial = {}, {}
        for location in test.get("locations", []):
            known(location, "name", "type", "initial")
            if not isinstance(location.get("initial", 0), int):
                raise LeftOut("initial address")
            self.types[location["name"]] = type_of(location)
            self.initial[location["name"]] = location.get("initial", 0)
        self.registers = [{} for _ in test["threads"]]  # and their types
        self.starts = [{} for _ in test["threads"]]
        for number, thread in enumerate(test["threads"]):
            known(thread, "actions", "registers", "device", "queueFamily", "cluster", "workgroup", "subgroup")
            for register in thread.get("registers", []):
                known(register, "name", "type", "initial")
                type_ = type_of(register)
                if width(type_) < 32 or not isinstance(register.get("initial", 0), int):
                    raise LeftOut("register")
                self.registers[number][register["name"]] = type_
                self.starts[number][register["name"]] = register.get("initial", 0)
        self.kept = {}      # the index of a register of a thread
        self.observed = []  # locations
        self.condition = self.proposition(test["condition"]["proposition"])
        for one in test.get("observe", []):
            self.proposition({"type": one.get("type", "variable"), "value": 0, **one})
        self.place()
        self.bodies = {"cuda": [], "ptx": []}
        for form, writer in (("cuda", Cuda), ("ptx", Ptx)):
            for number, thread in enumerate(test["threads"]):
                self.bodies[form].append(self.body(writer(self, number), thread, number))
        for name in self.initial:
            self.types.setdefault(name, "s32")

    # ---- the condition, as C has it ----

    def proposition(self, p):
        kind = p.get("type")
        if kind == "op":
            parts = [self.proposition(one) for one in p["conditions"]]
            if p["op"] == "not":
                return f"!({parts[0]})"
            if p["op"] == "implies":
                return f"(!({parts[0]}) || ({parts[1]}))"
            return "(" + {"and": " && ", "or": " || "}[p["op"]].join(parts) + ")"
        if kind in ("true", "false"):
            return "0 == 0" if kind == "true" else "0 == 1"
        known(p, "type", "thread", "id", "value", "compare")
        value = p.get("value")
        if isinstance(value, dict):
            value = self.term({"value": 0, **value})
        elif not isinstance(value, int):
            raise LeftOut("value of the condition")
        return f"{self.term(p)} {COMPARE[p.get('compare', 'eq')]} {value}"

    def term(self, p):
        known(p, "type", "thread", "id", "value", "compare")
        if p["type"] == "variable":
            threads = [p["thread"]] if "thread" in p else range(len(self.test["threads"]))
            for thread in threads:
                if "thread" in p or self.mentions(thread, p["id"]):
                    self.register(thread, p["id"])
                    return f"kept[{self.kept.setdefault((thread, p['id']), len(self.kept))}]"
        if p["type"] == "memory":
            self.location(p["id"])
            if p["id"] not in self.observed:
                self.observed.append(p["id"])
            return f"loc_{p['id']}[0]"
        raise LeftOut(f"condition {p['type']}")

    def mentions(self, thread, register):
        return any(register == a.get(k) for a in self.test["threads"][thread]["actions"] for k in ("variable", "success"))

    # ---- the launch ----

    def place(self):
        threads = self.test["threads"]
        if len({(t.get("device", 0), t.get("queueFamily", 0)) for t in threads}) > 1:
            raise LeftOut("devices")
        inside = self.test.get("testType", "").startswith("intra")
        groups = [t.get("workgroup", 0 if inside else i) for i, t in enumerate(threads)]
        clusters = collections.defaultdict(list)
        for thread, group in zip(threads, groups):
            members = clusters[thread.get("cluster", ("own", group))]
            if group not in members:
                members.append(group)
        self.cluster = max(len(members) for members in clusters.values())
        blocks = {group: row * self.cluster + column for row, members in enumerate(clusters.values())
                  for column, group in enumerate(members)}
        if len(blocks) != sum(len(members) for members in clusters.values()):
            raise LeftOut("one workgroup in several clusters")
        self.grid, self.block = len(clusters) * self.cluster, max(collections.Counter(groups).values())
        self.where, seen = [], collections.Counter()
        self.waits = {}  # by block
        for thread, group in zip(threads, groups):
            self.where.append((blocks[group], seen[group]))
            seen[group] += 1
            waits = sum(a["action"] == "barrier" for a in thread["actions"])
            if self.waits.setdefault(blocks[group], waits) != waits:
                raise LeftOut("barriers of some threads")

    # ---- threads ----

    def wide(self, number):
        return {name for name, type_ in self.registers[number].items() if width(type_) == 64}

    def register(self, number, name, type_="s32"):
        if not isinstance(name, str) or not re.fullmatch(r"\w+", name):
            raise LeftOut("operand")
        self.registers[number].setdefault(name, type_)
        return name

    def value(self, number, value):
        return value if isinstance(value, int) else self.register(number, value)

    def location(self, name):
        if not isinstance(name, str) or not re.fullmatch(r"\w+", name):
            raise LeftOut("address")
        return self.types.setdefault(name, "s32")

    def address(self, number, action):
        self.location(action["memoryLocation"])
        return action["memoryLocation"], self.register(number, action["index"]) if "index" in action else None

    def scope(self, action):
        scope = action.get("scope", "dev")
        if scope not in SCOPES:
            raise LeftOut(f"scope {scope}")
        return SCOPES[scope]

    def qualifiers(self, action):
        if "vol" in action.get("tags", []):
            return "volatile"
        order = action.get("memoryOrder", "relaxed")
        if order not in ORDERS:
            raise LeftOut(f"order {order}")
        return "weak" if order == "plain" else f"{ORDERS[order]}.{self.scope(action)}"

    def body(self, writer, thread, number):
        for action in thread["actions"]:
            guard = action.get("if") or action.get("unless")
            if guard:
                writer.only_if(self.register(number, guard), "if" in action)
            self.line(writer, {k: v for k, v in action.items() if k not in ("if", "unless")}, number)
            writer.end_guard()
        for (of, register), index in self.kept.items():
            if of == number:
                writer.keep(index, self.register(number, register))
        return writer.lines

    def line(self, writer, action, number):
        kind = action["action"]
        if action.get("useRMW"):  # an addition of 0, or an exchange whose old value is dropped
            changed = {key: value for key, value in action.items() if key != "useRMW"}
            op, value = ("add", 0) if kind == "read" else ("exch", action["value"])
            return self.line(writer, {**changed, "action": "rmw", "op": op, "value": value}, number)
        if kind in ("read", "write"):
            target, values = None, []
            if kind == "read":
                known(action, "action", "memoryLocation", "variable", "memoryOrder", "scope", "index", "tags", "type")
            else:
                known(action, "action", "memoryLocation", "value", "memoryOrder", "scope", "index", "tags", "type")
            address = self.address(number, action)
            type_ = type_of(action, self.types[address[0]])
            if width(type_) != width(self.types[address[0]]):
                raise LeftOut("access of another size")
            if kind == "read":
                target = self.register(number, action["variable"])
                self.fits(number, target, type_)
            else:
                values = [self.value(number, action["value"])]
                self.fits(number, values[0], type_)
            opcode = f"{'ld' if kind == 'read' else 'st'}.{self.qualifiers(action)}.global.{type_}"
            return writer.memory(opcode, target, address, values, width(type_))
        if kind == "rmw":
            return self.update(writer, action, number)
        if kind == "fence":
            return writer.fence(self.fence(action))
        if kind == "barrier":
            known(action, "action")
            return writer.barrier()
        if kind == "label":
            return writer.label(action["label"])
        if kind == "branch":
            known(action, "action", "label", "condition")
            return writer.branch(action["label"], self.test_of(number, action["condition"]) if "condition" in action else None)
        if kind == "compute":
            known(action, "action", "op", "variable", "left", "right")
            op = action["op"]
            if op not in COMPUTE and op not in COMPARE and op not in ("mov", "neg", "not"):
                raise LeftOut(op)
            operands = [self.value(number, action[k]) for k in ("left", "right") if k in action]
            target = self.register(number, action["variable"])
            if len({v in self.wide(number) for v in operands + [target] if isinstance(v, str)}) > 1:
                raise LeftOut("registers of several sizes")
            return writer.compute(target, op, operands[0], operands[1] if len(operands) > 1 else None)
        if kind == "select":
            known(action, "action", "variable", "condition", "yes", "no")
            return writer.select(self.register(number, action["variable"]), self.test_of(number, action["condition"]),
                                 self.value(number, action["yes"]), self.value(number, action["no"]))
        raise LeftOut(kind)

    def test_of(self, number, c):
        left, right = self.value(number, c["left"]), self.value(number, c["right"])
        if any(isinstance(v, str) and self.registers[number][v].startswith("u") and c["op"] not in ("eq", "ne")
               for v in (left, right)):
            raise LeftOut("unsigned comparison")
        return c["op"], left, right

    # A wide location needs wide registers; others extend.
    def fits(self, number, value, type_):
        if isinstance(value, str) and (width(type_) == 64) != (value in self.wide(number)):
            raise LeftOut("registers of several sizes")

    def update(self, writer, action, number):
        known(action, "action", "op", "memoryLocation", "variable", "value", "expected", "success", "memoryOrder", "scope")
        op, qualifiers = action["op"], self.qualifiers(action)
        if qualifiers == "weak" or op == "sub":
            raise LeftOut(op if op == "sub" else "plain update")
        address = self.address(number, action)
        location = self.types[address[0]]
        bits = width(location)
        if bits < 32 or (op in ("inc", "dec") and bits == 64):
            raise LeftOut(f"{op} of {bits} bits")
        signed = location[0] == "s"
        type_ = {"exch": f"b{bits}", "and": f"b{bits}", "or": f"b{bits}", "xor": f"b{bits}", "cas": f"b{bits}",
                 "min": f"{'s' if signed else 'u'}{bits}", "max": f"{'s' if signed else 'u'}{bits}"}.get(op, f"u{bits}")
        values = [self.value(number, v) for v in ([action["expected"]] if op == "cas" else []) + [action["value"]]]
        target = action.get("variable")
        for value in values + [target]:
            self.fits(number, value, type_)
        reduces = (target is None and op in REDUCED and "success" not in action and
                   action.get("memoryOrder", "relaxed") in ("relaxed", "release"))
        if target is None and not reduces:
            target = "none" + ("64" if bits == 64 else "")
            self.registers[number].setdefault(target, f"u{bits}")
        opcode = f"{'red' if reduces else 'atom'}.{qualifiers}.global.{op}.{type_}"
        writer.memory(opcode, None if reduces else self.register(number, target), address, values, bits)
        if "success" in action:
            writer.compute(self.register(number, action["success"]), "eq", target, values[0])

    def fence(self, action):
        known(action, "action", "kind", "memoryOrder", "scope")
        scope = self.scope(action)
        kind = action.get("kind", "order")
        if kind == "membar":
            if scope == "cluster":
                raise LeftOut("membar of a cluster")
            return f"membar.{ {'cta': 'cta', 'gpu': 'gl', 'sys': 'sys'}[scope] }"
        order = action.get("memoryOrder", "sc" if kind == "order" else None)
        if kind != "order" or order not in ("sc", "acq_rel", "acquire", "release"):
            raise LeftOut(f"fence {kind} {order}")
        return f"fence.{order}.{scope}"

    # ---- programs ----

    def text(self, form):
        return self.cuda_text() if form == "cuda" else self.ptx_text()

    def declared(self, number):
        for name, type_ in sorted(self.registers[number].items()):
            yield name, type_, self.starts[number].get(name, 0)

    def cuda_text(self, more_parameters="", tail=()):
        """`tail` are statements that each thread of the test comes to in the end."""
        parameters = [f"{TYPES[self.types[name]]}* loc_{name}" for name in sorted(self.types)] + ["long long* kept"]
        lines = [f'extern "C" __global__ void {self.name}({", ".join(parameters)}{more_parameters}) {{']
        for number, ((block, thread), body) in enumerate(zip(self.where, self.bodies["cuda"])):
            lines.append(f"  if (blockIdx.x == {block} && threadIdx.x == {thread}) {{")
            lines += [f"    {'long long' if width(t) == 64 else 'int'} v_{name} = {initial};"
                      for name, t, initial in self.declared(number)]
            lines += [f"    {line}" for line in body + ["of_the_test = true;"] * bool(tail)]
            lines.append("  }")
        for block, thread, waits in self.others():
            lines.append(f"  if (blockIdx.x == {block} && threadIdx.x == {thread}) {{ {'__syncthreads(); ' * waits}}}")
        if tail:
            lines.insert(1, "  bool of_the_test = false;")
            lines += [f"  {line}" for line in ("if (!of_the_test) return;", *tail)]
        return "\n".join(lines + ["}"])

    def others(self):
        """Threads of the launch that the test does not have, and the barriers that they come to."""
        for block, waits in self.waits.items():
            for thread in range(self.block):
                if waits and (block, thread) not in self.where:
                    yield block, thread, waits

    def ptx_text(self):
        names = [f"loc_{name}" for name in sorted(self.types)] + ["kept"]
        lines = [f".visible .entry {self.name}({', '.join(f'.param .u64 {name}' for name in names)})", "{",
                 "  .reg .pred %here, %holds, %guard;", "  .reg .b32 %block, %thread, %number;",
                 f"  .reg .b64 %wide, %place, {', '.join('%' + name for name in names)};"]
        for number in range(len(self.where)):
            for name, type_, _ in self.declared(number):
                lines.append(f"  .reg .b{width(type_)} %v{number}_{name};")
        lines += [f"  ld.param.u64 %{name}, [{name}];" for name in names]
        lines += ["  mov.u32 %block, %ctaid.x;", "  mov.u32 %thread, %tid.x;"]
        parts = [(place, [f"mov.b{width(t)} %v{number}_{name}, {initial};" for name, t, initial in self.declared(number)]
                  + body) for number, (place, body) in enumerate(zip(self.where, self.bodies["ptx"]))]
        parts += [((block, thread), ["bar.sync 0;"] * waits) for block, thread, waits in self.others()]
        for number, ((block, thread), body) in enumerate(parts):
            lines += [f"  setp.ne.u32 %here, %block, {block};", f"  @%here bra SKIP{number};",
                      f"  setp.ne.u32 %here, %thread, {thread};", f"  @%here bra SKIP{number};"]
            lines += [f"  {line}" for line in body] + ["  ret;", f"SKIP{number}:"]
        return "\n".join(lines + ["  ret;", "}"])

    def launch(self):
        cluster = f" cluster={self.cluster}" if self.cluster > 1 else ""
        return f"grid={self.grid} block={self.block}{cluster}"

    def arguments(self):
        return ([f"loc_{name}={TYPES[self.types[name]]}[1] values={self.initial.get(name, 0)}"
                 for name in sorted(self.types)] + [f"kept=long long[{max(len(self.kept), 2)}]"])

    def observables(self):
        """What outcomes name: (the key in a test's outcome, the name of memory in the program, bits)."""
        found = [(f"{thread}:{register}", f"kept[{index}]", width(self.registers[thread][register]))
                 for (thread, register), index in self.kept.items()]
        return found + [(name, f"loc_{name}[0]", width(self.types[name])) for name in self.observed]


PTX_HEAD = ".version 8.6\n.target sm_90\n.address_size 64\n\n"


def values_of(outcome):
    """An outcome such as "0:r0=1; [x]=2;" as a dictionary of numbers."""
    pairs = (part.strip().split("=") for part in outcome.split(";") if part.strip())
    return {name.strip("[] "): value for name, value in pairs}


def number(text, bits):
    return int(text, 0) % (1 << bits)
