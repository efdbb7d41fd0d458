# SPDX-License-Identifier: MIT
"""Random small programs with barriers of all levels, and their text.

A program never deadlocks. Barriers come in rounds: a round is one barrier of one group (a warp, a
workgroup, a cluster), and everybody in the group meets it after the same earlier rounds. So a
barrier of one level stands before, after and beside those of the others.
"""
from dataclasses import dataclass, field, replace
from math import factorial, prod

# The levels of a placement from the outermost on, and the scopes that name them.
LEVELS = {"ptx": ("dev", "cluster", "wg", "sg"), "opencl": ("dev", "wg", "sg"), "vulkan": ("dev", "qf", "wg", "sg")}


@dataclass(frozen=True)
class Op:
    """One instruction. Fields that a kind does not have keep their defaults."""
    kind: str  # ld, st, fence or bar
    order: str = ""
    scope: str = ""  # of an access or fence; of a barrier, the memory it orders
    loc: str = ""
    value: int = 0
    reg: str = ""
    level: str = ""  # of a barrier: who meets
    number: int = 0
    part: str = ""  # of a barrier: arrive or wait, or nothing for both
    classes: tuple = ()  # storage classes or memories that a fence, barrier or atomic orders
    space: str = ""  # the storage class of an access (Vulkan)
    av: bool = False
    vis: bool = False
    nonpriv: bool = False
    instance: tuple = ()  # of a barrier: operations with the same one meet

    def text(self):
        words = [self.kind]
        if self.kind == "bar":
            words += [self.part] if self.part else []
            words += [self.level] if self.level != "wg" else []
            words += [self.order] if self.order else []
            words += ["mem" + self.scope] if self.scope else []
        else:
            words += [self.order] if self.order != "rlx" else []
            words += [self.scope] if self.scope and self.scope != "dev" else []
        words += [word for word, there in (("nonpriv", self.nonpriv), ("av", self.av), ("vis", self.vis)) if there]
        words += [self.space] if self.space else []
        words += ["sem" + name for name in self.classes]
        head = ".".join(words)
        if self.kind == "ld":
            return f"{head} {self.reg}, {self.loc}"
        if self.kind == "st":
            return f"{head} {self.loc}, {self.value}"
        return f"{head} {self.number}" if self.kind == "bar" and self.number else head


@dataclass
class Program:
    arch: str
    places: list  # for each thread the instance of each level, outermost first
    threads: list  # for each thread its Ops
    shared: tuple = ()  # locations in the memory of a workgroup
    guards: dict = field(default_factory=dict)  # thread: (index of a load, value that lets it go on)
    partial: bool = False  # a thread ends without meeting a barrier that others wait at

    def level(self, scope):
        """How many levels two threads must share to be in one instance of a scope."""
        return 0 if scope == "sys" else LEVELS[self.arch].index(scope) + 1

    def together(self, a, b, scope):
        depth = self.level(scope)
        return self.places[a][:depth] == self.places[b][:depth]

    def registers(self):
        return [(t, op.reg) for t, ops in enumerate(self.threads) for op in ops if op.kind == "ld"]

    def tree(self):
        """The scope tree, all levels written out."""
        def nest(members, depth):
            if depth == len(LEVELS[self.arch]):
                return " ".join(f"P{t}" for t in members)
            groups = {}
            for t in members:
                groups.setdefault(self.places[t][depth], []).append(t)
            return " ".join(f"({LEVELS[self.arch][depth]} {nest(group, depth + 1)})" for group in groups.values())
        return nest(range(len(self.threads)), 0)

    def text(self, name, question):
        columns = []
        for t, ops in enumerate(self.threads):
            column = []
            for index, op in enumerate(ops):
                column.append(op.text())
                if t in self.guards and self.guards[t][0] == index:
                    column.append(f"bne {op.reg}, {self.guards[t][1]}, end")
            columns.append([f"P{t}"] + column + (["end:"] if t in self.guards else []))
        widths = [max(map(len, column)) for column in columns]
        rows = []
        for row in range(max(map(len, columns))):
            cells = [(column[row] if row < len(column) else "").ljust(width) for column, width in zip(columns, widths)]
            rows.append(" " + " | ".join(cells) + " ;")
        init = ["{ " + " ".join(f"shared {name};" for name in self.shared) + " }"] if self.shared else []
        asked = "locations [" + " ".join(f"{t}:{reg};" for t, reg in self.registers()) + "]"
        return "\n".join([f"weakspot {name}", f"Arch={self.arch}", *init, *rows, f"scopes {self.tree()}", asked,
                          f"exists ({question})"]) + "\n"


def generate(arch, rng):
    """A random program with at least one load and one store."""
    while True:
        program = _Draft(arch, rng).make()
        loads = [op.loc for ops in program.threads for op in ops if op.kind == "ld"]
        stores = [op.loc for ops in program.threads for op in ops if op.kind == "st"]
        # Executions to enumerate: a source for each load, an order of the stores to each location.
        work = prod(stores.count(name) + 1 for name in loads)
        work *= prod(factorial(stores.count(name)) for name in set(stores))
        fences = sum(op.order == "sc" for ops in program.threads for op in ops)
        if loads and stores and work <= 1500 and fences <= 3 and assign_instances(program):
            return program


def assign_instances(program):
    """Runs the barriers, gives each the instance that it belongs to, and says whether all threads end.

    Who has ended is not waited for: PTX waits for "non-exited threads".
    """
    threads = program.threads
    at = [0] * len(threads)
    rounds = {}
    arrived = [{} for _ in threads]  # thread: barrier: whether it has come to this round

    def key(t, op):
        return op.level, program.places[t][:program.level(op.level)], op.number

    def passes(t, op):
        """Moves on over an operation; a barrier only if nobody is missing."""
        if op.kind != "bar":
            return True
        barrier = key(t, op)
        if op.part != "wait":
            if not op.instance:
                arrived[t][barrier] = True
                threads[t][at[t]] = replace(op, instance=barrier + (rounds.get(barrier, 0),))
            if op.part == "arrive":
                return True
        elif not op.instance:
            arrival = [other for other in threads[t][:at[t]] if other.kind == "bar" and other.level == op.level][-1]
            threads[t][at[t]] = replace(op, instance=arrival.instance)
        return rounds.get(barrier, 0) > threads[t][at[t]].instance[-1]

    def complete():
        for barrier in {barrier for come in arrived for barrier, there in come.items() if there}:
            members = [t for t in range(len(threads)) if program.places[t][:len(barrier[1])] == barrier[1]]
            if all(arrived[t].get(barrier) or at[t] == len(threads[t]) for t in members):
                program.partial |= not all(arrived[t].get(barrier) for t in members)
                rounds[barrier] = rounds.get(barrier, 0) + 1
                for t in members:
                    arrived[t][barrier] = False
                return True
        return False

    for t, ops in enumerate(threads):
        threads[t] = [replace(op, instance=()) if op.kind == "bar" else op for op in ops]
    while True:
        moved = False
        for t, ops in enumerate(threads):
            while at[t] < len(ops) and passes(t, ops[at[t]]):
                at[t] += 1
                moved = True
        if not complete() and not moved:
            return all(at[t] == len(ops) for t, ops in enumerate(threads))


class _Draft:
    """A program in the making."""

    def __init__(self, arch, rng):
        self.arch, self.rng = arch, rng
        self.count = rng.choice((2, 2, 3, 3, 4))
        self.locations = ("x", "y", "z")[:rng.choice((1, 2, 2, 2, 3))]
        self.program = Program(arch, self.place(), [[] for _ in range(self.count)])
        self.budget = [rng.choice((1, 2, 2, 3)) for _ in range(self.count)]
        names = (*self.locations, "f")
        self.values = dict.fromkeys(names, 0)
        self.tame = rng.random() < 0.5  # scopes that reach everybody
        # Locations that one thread stores to and the others read, so that outcomes tell who waited for whom.
        self.owners = {name: rng.randrange(self.count) if rng.random() < 0.6 else None for name in self.locations}
        self.kinds = {name: rng.choice(("plain", "atomic", "atomic")) for name in names} | {"f": "atomic"}
        second = rng.choice(("sc0", "sc1"))
        self.spaces = {name: rng.choice(("sc0", "sc0", second)) for name in names}
        if arch == "opencl" and self.widest("sg") in ("sg", "wg") and rng.random() < 0.5:
            self.program.shared = tuple(name for name in names if rng.random() < 0.5)
        self.fixed_scope = {name: self.atomic_scope(name) for name in names}
        self.sure = 0.95 if self.tame else 0.7  # how often what is needed to communicate is there (Vulkan)

    def make(self):
        rng = self.rng
        if self.arch == "ptx":
            self.round = self.ptx_round
        else:
            self.round = self.plain_round
        for _ in range(rng.choice((1, 1, 2, 2, 3))):
            for t in range(self.count):
                self.accesses(t, rng.choice((0, 1, 1, 2)))
            self.round()
        if rng.random() < (0.3 if self.arch == "ptx" else 0.5):
            self.hand_over()
        for t in range(self.count):
            self.accesses(t, rng.choice((0, 1, 1, 2)))
        self.number_registers()
        if self.arch == "ptx":
            self.drop_barriers()
        else:
            self.guard()
        return self.program

    def place(self):
        """Each thread shares some outer levels with the one before it."""
        depths = len(LEVELS[self.arch])
        weights = {"ptx": (1, 3, 6, 5, 6), "opencl": (1, 4, 5, 6), "vulkan": (0, 1, 4, 5, 6)}[self.arch]
        places = [(0,) * depths]
        while len(places) < self.count:
            split = self.rng.choices(range(depths + 1), weights)[0]
            last = places[-1]
            # The instance numbers are unique within a level, so that places compare by their beginnings.
            places.append(tuple(n if depth < split else max(p[depth] for p in places) + 1
                                for depth, n in enumerate(last)))
        return places

    def widest(self, low):
        """The narrowest scope, from one on, that holds all threads."""
        scopes = [*reversed(LEVELS[self.arch]), "sys"]
        for scope in scopes[scopes.index(low):]:
            if all(self.program.together(0, t, scope) for t in range(self.count)):
                return scope
        raise AssertionError

    def scope(self, least="sg"):
        scopes = [*reversed(LEVELS[self.arch])] + (["sys"] if self.arch != "vulkan" else [])
        if self.tame and self.rng.random() < 0.85:
            return self.widest(least)
        return self.rng.choice(scopes[scopes.index(least):])

    def atomic_scope(self, name):
        if name in self.program.shared:
            return self.rng.choice(("sg", "wg", "wg"))
        return self.scope("wg" if self.arch == "ptx" else "sg")

    def classes(self):
        rng = self.rng
        if self.arch == "opencl":
            if not self.program.shared:
                return ("global",) if rng.random() < 0.9 else ("shared",)
            return rng.choice((("global",), ("shared",), ("global", "shared"), ("global", "shared")))
        if self.arch == "vulkan":
            if rng.random() < (0.93 if self.tame else 0.3):
                return tuple(sorted(set(self.spaces.values())))
            return rng.choice((("sc0",), ("sc1",), ("sc0", "sc1"), ("sc0", "sc1")))
        return ()

    def accesses(self, t, count):
        for _ in range(min(count, self.budget[t])):
            self.budget[t] -= 1
            if self.rng.random() < 0.2:
                self.program.threads[t].append(self.fence())
            self.program.threads[t].append(self.access(t))
        if self.rng.random() < 0.12:
            self.program.threads[t].append(self.fence())

    def access(self, t):
        rng = self.rng
        name = rng.choice(self.locations)
        owner = self.owners[name]
        return self.make_access(rng.choice(("ld", "st")) if owner is None else "st" if owner == t else "ld", name)

    def hand_over(self):
        """A flag from one thread to another: the barrier before it may be its release."""
        rng = self.rng
        giver, taker = rng.sample(range(self.count), 2)
        give = [self.make_access("st", "f")]
        take = [self.make_access("ld", "f"), self.make_access("ld", rng.choice(self.locations))]
        self.program.threads[giver] += ([self.fence()] if rng.random() < 0.3 else []) + give
        self.program.threads[taker] += take[:1] + ([self.fence()] if rng.random() < 0.4 else []) + take[1:]

    def make_access(self, kind, name):
        rng = self.rng
        if kind == "st":
            self.values[name] += 1
        basic = Op(kind, loc=name, value=self.values[name])
        if self.arch == "vulkan":
            basic = replace(basic, space=self.spaces[name])
        plain = self.kinds[name] == "plain" if self.arch != "ptx" or rng.random() < 0.8 else rng.random() < 0.5
        if plain:
            if self.arch != "vulkan":
                return replace(basic, order="na")
            return replace(basic, order="na", nonpriv=rng.random() < 0.95, av=kind == "st" and rng.random() < 0.3,
                           vis=kind == "ld" and rng.random() < 0.3)
        order = rng.choice(("rlx", "rlx", {"ld": "acq", "st": "rel"}[kind]))
        scope = self.fixed_scope[name] if rng.random() < 0.7 else self.atomic_scope(name)
        atomic = replace(basic, order=order, scope=scope)
        if self.arch == "vulkan" and order != "rlx":
            atomic = replace(atomic, classes=self.classes(), av=kind == "st" and rng.random() < self.sure,
                             vis=kind == "ld" and rng.random() < self.sure)
        return atomic

    def fence(self):
        rng = self.rng
        if self.arch == "ptx":
            return Op("fence", rng.choice(("acqrel", "acqrel", "sc", "sc", "acq", "rel")), self.scope("wg"))
        order = rng.choice(("acqrel", "acq", "rel"))
        classes = self.classes()
        if self.arch == "opencl":
            scope = rng.choice(("sg", "wg", "wg")) if "shared" in classes else self.scope()
            return Op("fence", order, scope, classes=classes)
        return Op("fence", order, self.scope(), classes=classes, av=order != "acq" and rng.random() < self.sure,
                  vis=order != "rel" and rng.random() < self.sure)

    def group(self, levels):
        """A level and the threads of one of its groups, rarely a thread alone."""
        for _ in range(4):
            level = self.rng.choice(levels)
            one = self.rng.randrange(self.count)
            group = [t for t in range(self.count) if self.program.together(one, t, level)]
            if len(group) > 1:
                break
        return level, group

    def ptx_round(self):
        rng = self.rng
        level, group = self.group(("sg", "wg", "wg", "cluster", "cluster"))
        number = rng.choice((0, 0, 1)) if level == "wg" else 0
        if level == "cluster" and rng.random() < 0.7:
            self.split_round(group)
            return
        quiet = rng.choice(group) if level == "wg" and len(group) > 1 and rng.random() < 0.15 else None
        for t in group:
            self.program.threads[t].append(Op("bar", level=level, number=number, part="arrive" if t == quiet else ""))

    def split_round(self, group):
        """Arrivals at a cluster barrier and, after further instructions, the waits."""
        rng = self.rng
        for t in group:
            order = rng.choice(("", "", "rlx", "rlx"))
            if order and rng.random() < 0.5:
                self.program.threads[t].append(self.fence())
                if rng.random() < 0.3:
                    self.accesses(t, 1)
            self.program.threads[t].append(Op("bar", order, level="cluster", part="arrive"))
        for t in group:
            self.accesses(t, rng.choice((0, 0, 1)))
        if rng.random() < 0.25:
            level, inner = self.group(("sg", "wg"))
            for t in inner:
                self.program.threads[t].append(Op("bar", level=level))
        for t in group:
            self.program.threads[t].append(Op("bar", level="cluster", part="wait"))

    def plain_round(self):
        rng = self.rng
        level, group = self.group(("sg", "wg", "wg"))
        classes = self.classes()
        number = rng.choice((0, 0, 1)) if self.arch == "vulkan" else 0
        if self.arch == "opencl":
            scope = rng.choice(("sg", "wg", "wg")) if "shared" in classes else self.scope()
            bar = Op("bar", scope=scope, level=level, classes=classes)
        else:
            order = rng.choice(("acqrel", "acqrel", "acqrel", "acq", "rel", ""))
            bar = Op("bar", level=level, number=number)
            if order:
                bar = replace(bar, order=order, scope=self.scope(), classes=classes,
                              av=order != "acq" and rng.random() < self.sure,
                              vis=order != "rel" and rng.random() < self.sure)
        for t in group:
            if self.arch == "vulkan" and not bar.order and rng.random() < 0.5:
                # Memory barriers around a control barrier that orders nothing itself.
                self.program.threads[t].append(self.fence())
            self.program.threads[t].append(bar)
            if self.arch == "vulkan" and not bar.order and rng.random() < 0.5:
                self.program.threads[t].append(self.fence())

    def number_registers(self):
        for t, ops in enumerate(self.program.threads):
            loads = 0
            for index, op in enumerate(ops):
                if op.kind == "ld":
                    ops[index] = replace(op, reg=f"r{loads}")
                    loads += 1

    def drop_barriers(self):
        """One thread may end without its last barrier of a workgroup or cluster, which the others do not wait for.

        A lane that its warp's barrier names must come, so those stay. A barrier is not met again after an arrival
        that nobody waits for: which round it would count for is not defined.
        """
        rng = self.rng
        if rng.random() < 0.2:
            ops = self.program.threads[rng.randrange(self.count)]
            last = max((index for index, op in enumerate(ops) if op.kind == "bar"), default=None)
            if last is not None and ops[last].level != "sg":
                del ops[last]
        for t, ops in enumerate(self.program.threads):
            quiet = set()
            kept = self.program.threads[t] = []
            for op in ops:
                if op.kind != "bar" or op.level != "wg" or op.number not in quiet:
                    kept.append(op)
                if op.part == "arrive" and op.level == "wg":
                    quiet.add(op.number)

    def guard(self):
        """Lets a thread go on only if a load saw a certain store, where only loads and fences follow."""
        for t, ops in enumerate(self.program.threads):
            for index, op in enumerate(ops):
                after = ops[index + 1:]
                if (op.kind == "ld" and op.order != "na" and self.values[op.loc] and self.rng.random() < 0.8
                        and any(later.kind == "ld" for later in after)
                        and all(later.kind in ("ld", "fence") for later in after)):
                    self.program.guards[t] = (index, self.rng.randint(1, self.values[op.loc]))
                    break
