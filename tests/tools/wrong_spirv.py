# SPDX-License-Identifier: MIT
"""Writes SPIR-V for straight-line functions of OpenCL C or WGSL, with mistakes on demand."""
import re
import struct

SCOPES = {"sys": 0, "gpu": 1, "cta": 2}
ORDERS = {"relaxed": 0, "acquire": 2, "release": 4, "acq_rel": 8, "seq_cst": 16}
UPDATES = {"exchange": 229, "fetch_add": 234}
CROSS_WORKGROUP, UNIFORM, ACQUIRE_RELEASE = 0x200, 0x40, 8
FUNCTION_CONTROL, STORAGE_BUFFER, CROSS_WORKGROUP_CLASS = 0, 12, 5


class Module:
    """The words of a module; identifiers are made on demand."""

    def __init__(self, opencl):
        self.opencl = opencl
        self.next_id = 0
        self.known = {}
        self.names, self.types, self.code = [], [], []
        self.entries = []
        self.int = self.declare("int", 21, [32, 0])
        self.void = self.declare("void", 19, [])
        self.function_type = self.declare("function", 33, [self.void])
        if opencl:
            self.pointer = self.declare("pointer", 32, [CROSS_WORKGROUP_CLASS, self.int])
        else:
            struct_type = self.declare("block", 30, [self.int])
            self.block = self.declare("block pointer", 32, [STORAGE_BUFFER, struct_type])
            self.pointer = self.declare("pointer", 32, [STORAGE_BUFFER, self.int])

    def new(self):
        self.next_id += 1
        return self.next_id

    @staticmethod
    def words(opcode, operands):
        return [(len(operands) + 1) << 16 | opcode, *operands]

    @staticmethod
    def string(text):
        data = text.encode() + b"\0"
        data += b"\0" * (-len(data) % 4)
        return list(struct.unpack(f"<{len(data) // 4}I", data))

    def declare(self, name, opcode, operands):
        self.known[name] = self.new()
        self.types += self.words(opcode, [self.known[name], *operands])
        return self.known[name]

    def constant(self, number):
        name = f"constant {number}"
        if name not in self.known:
            self.known[name] = self.new()
            self.types += self.words(43, [self.int, self.known[name], number & 0xffffffff])
        return self.known[name]

    def variable(self, symbol, binding=None):
        """A variable of the file; in WGSL, that of a binding."""
        if symbol not in self.known:
            self.known[symbol] = self.new()
            kind = self.pointer if self.opencl else self.block
            storage = CROSS_WORKGROUP_CLASS if self.opencl else STORAGE_BUFFER
            self.types += self.words(59, [kind, self.known[symbol], storage])
            if binding is None:
                self.names += self.words(71, [self.known[symbol], 41, *self.string(symbol), 1])
            else:
                self.names += self.words(71, [self.known[symbol], 33, binding])
        return self.known[symbol]

    def address(self, symbol):
        if self.opencl:
            return self.variable(symbol)
        place = self.new()
        zero = self.constant(0)
        self.code += self.words(65, [self.pointer, place, self.variable(symbol), zero])
        return place

    def put(self, opcode, operands):
        self.code += self.words(opcode, operands)

    def put_value(self, opcode, operands):
        value = self.new()
        self.code += self.words(opcode, [self.int, value, *operands])
        return value

    def begin(self, name):
        identifier = self.new()
        if self.opencl:
            self.names += self.words(71, [identifier, 41, *self.string(name), 0])
        else:
            self.entries += self.words(15, [5, identifier, *self.string(name)])
        self.code += self.words(54, [self.void, identifier, FUNCTION_CONTROL, self.function_type])
        self.put(248, [self.new()])

    def end(self):
        self.put(253, [])
        self.put(56, [])

    def data(self):
        model = [2, 2] if self.opencl else [0, 1]
        body = self.words(14, model) + self.entries + self.names + self.types + self.code
        header = [0x07230203, 0x00010000, 0, self.next_id + 1, 0]
        return struct.pack(f"<{len(header) + len(body)}I", *header, *body)


def opencl(functions):
    """SPIR-V of OpenCL C, each access as its source has it."""
    module = Module(opencl=True)
    for function in functions:
        registers = {}
        module.begin(function.name)

        def operand(text, known=registers):
            return module.constant(int(text)) if re.fullmatch(r"-?\d+", text) else known[text]

        for kind, target, location, value, order, scope in function.parts():
            if kind == "result":
                module.put(62, [module.address(location), registers[value]])
                continue
            order = "relaxed" if function.mistake == "acquire" and (kind, order) == ("load", "acquire") else order
            order = "relaxed" if function.mistake == "rmw" and order == "acq_rel" else order
            scope = "cta" if function.mistake == "scope" else scope
            if kind == "fence":
                module.put(225, [module.constant(SCOPES[scope]), module.constant(ORDERS[order] | CROSS_WORKGROUP)])
                continue
            where = [module.address(location), module.constant(SCOPES[scope]), module.constant(ORDERS[order])]
            if kind == "load":
                registers[target] = module.put_value(227, where)
            elif kind == "store":
                module.put(228, [*where, operand(value)])
            else:
                registers[target] = module.put_value(UPDATES[kind], [*where, operand(value)])
        module.end()
    return module.data()


BINDING = re.compile(r"@binding\((\d+)\) var<storage, read_write> (\w+):")
WGSL_FUNCTION = re.compile(r"fn (\w+)\(\) \{\n(.*?)^\}", re.S | re.M)
WGSL_LOAD = re.compile(r"(\w+) = atomicLoad\(&(\w+)\);")
WGSL_STORE = re.compile(r"atomicStore\(&(\w+), ([^;]+)\);")
WGSL_UPDATE = re.compile(r"(\w+) = atomic(Exchange|Add)\(&(\w+), ([^;]+)\);")
WGSL_ASSIGN = re.compile(r"(\w+) = ([^;]+);")


def wgsl(text, mistake):
    """SPIR-V of WGSL: relaxed atomics of the device's scope, barriers that order the storage buffers of a workgroup."""
    module = Module(opencl=False)
    for binding, symbol in BINDING.findall(text):
        module.variable(symbol, int(binding))
    for name, body in WGSL_FUNCTION.findall(text):
        registers = {}
        module.begin(name)

        def operand(word, known=registers):
            number = re.fullmatch(r"i32\((-?\d+)\)|(-?\d+)", word)
            return module.constant(int(number.group(1) or number.group(2))) if number else known[word]

        scope = module.constant(SCOPES["cta" if mistake == "scope" else "gpu"])
        none = module.constant(0)
        for line in filter(None, map(str.strip, body.splitlines())):
            if line == "storageBarrier();":
                group = module.constant(SCOPES["cta"])
                semantics = 0x100 if mistake == "barrier" else UNIFORM
                module.put(224, [group, group, module.constant(ACQUIRE_RELEASE | semantics)])
            elif match := WGSL_LOAD.fullmatch(line):
                where = module.address(match.group(2))
                plain = mistake == "plain"
                registers[match.group(1)] = module.put_value(61 if plain else 227,
                                                             [where] if plain else [where, scope, none])
            elif match := WGSL_STORE.fullmatch(line):
                module.put(228, [module.address(match.group(1)), scope, none, operand(match.group(2))])
            elif match := WGSL_UPDATE.fullmatch(line):
                target, kind, symbol, value = match.groups()
                where = module.address(symbol)
                registers[target] = module.put_value(229 if kind == "Exchange" else 234,
                                                     [where, scope, none, operand(value)])
            elif match := re.fullmatch(r"var (\w+): i32 = 0;", line):
                registers[match.group(1)] = module.constant(0)
            elif match := WGSL_ASSIGN.fullmatch(line):
                target, value = match.groups()
                if target.startswith("ws"):
                    module.put(62, [module.address(target), operand(value)])
                elif value.startswith("ws"):
                    registers[target] = module.put_value(61, [module.address(value)])
                else:
                    registers[target] = operand(value)
            else:
                raise SystemExit(f"error: cannot compile '{line}' in {name}")
        module.end()
    return module.data()
