# SPDX-License-Identifier: MIT
"""What the specifications allow a program to end with, by enumerating executions.

Written from the texts alone: "Memory Consistency Model", "barrier", "bar.warp.sync" and "barrier.cluster" of the PTX
ISA; "Memory Consistency Model" of the OpenCL 3.0 API; the appendix "Memory Model" of Vulkan. The judge shares no rule
with this file. A relation is a list of rows; bit b of row a says that a is related to b.
"""
from dataclasses import dataclass
from itertools import combinations, permutations, product

from oracle.program import Op


@dataclass(eq=False)
class Event:
    thread: int
    op: Op
    place: str = ""  # the location; in shared memory with its workgroup
    role: str = ""  # entry and exit of a barrier (OpenCL), av and vis (Vulkan)
    after: bool = False  # behind the guard of its thread

    read = property(lambda self: self.op.kind == "ld" and not self.role)
    write = property(lambda self: self.op.kind == "st" and not self.role)
    access = property(lambda self: self.read or self.write)
    atomic = property(lambda self: self.access and self.op.order != "na")
    release = property(lambda self: self.op.order in ("rel", "acqrel", "sc"))
    acquire = property(lambda self: self.op.order in ("acq", "acqrel", "sc"))


@dataclass
class Answer:
    outcomes: set  # tuples of the registers' values, in the order of Program.registers
    race: bool = False


def decide(program):
    return {"ptx": Ptx, "opencl": OpenCl, "vulkan": Vulkan}[program.arch](program).decide()


def close(rows):
    """The transitive closure."""
    rows = list(rows)
    for k in range(len(rows)):
        row = rows[k]
        for i, other in enumerate(rows):
            if other >> k & 1:
                rows[i] = other | row
    return rows


def cyclic(rows):
    return any(row >> i & 1 for i, row in enumerate(close(rows)))


def unite(*relations):
    return [a | b for a, b in zip(relations[0], unite(*relations[1:]))] if len(relations) > 1 else relations[0]


class Model:
    """The enumeration of executions. A model says what its executions add, and which are consistent."""

    def __init__(self, program):
        self.program = program
        self.all = self.events()

    def events(self):
        found = []
        for t, ops in enumerate(self.program.threads):
            guard = self.program.guards.get(t, (len(ops), 0))[0]
            for index, op in enumerate(ops):
                place = op.loc
                if op.loc in self.program.shared:
                    place += str(self.program.places[t][:self.program.level("wg")])
                found += [Event(t, op, place, role, index > guard) for role in self.roles(op)]
        return found

    def roles(self, op):
        """The events of an instruction in their order, "" for itself."""
        return ("",)

    def decide(self):
        answer = Answer(set())
        guarded = sorted(self.program.guards)
        for taken in product((True, False), repeat=len(guarded)):
            goes_on = dict(zip(guarded, taken))
            self.run = [event for event in self.all if not event.after or goes_on[event.thread]]
            self.size = len(self.run)
            self.prepare()
            reads = [i for i, event in enumerate(self.run) if event.read]
            # None stands for the initial value, which is 0.
            sources = []
            for r in reads:
                writes = self.writes_to(self.run[r].place)
                sources.append([None, *(w for w in range(self.size) if writes >> w & 1)])
            for chosen in product(*sources):
                self.source = dict(zip(reads, chosen))
                values = {(self.run[r].thread, self.run[r].op.reg): self.run[w].op.value if w is not None else 0
                          for r, w in self.source.items()}
                if any((values[t, self.program.threads[t][index].reg] == value) != goes_on[t]
                       for t, (index, value) in self.program.guards.items()):
                    continue
                outcome = tuple(values.get(register, 0) for register in self.program.registers())
                if outcome in answer.outcomes and (answer.race or not self.races):
                    continue
                for race in self.consistent():
                    answer.outcomes.add(outcome)
                    answer.race |= race
                    if race or not self.races:
                        break
        return answer

    races = True

    def prepare(self):
        """Everything that does not depend on who reads from whom."""
        self.po = self.relate(lambda a, b: a.thread == b.thread, lambda i, j: i < j)

    def relate(self, events, indices=lambda i, j: True):
        return [sum(1 << j for j, b in enumerate(self.run) if i != j and indices(i, j) and events(a, b))
                for i, a in enumerate(self.run)]

    def pairs(self, of, related):
        """The unordered pairs of events of a kind that are related."""
        return [(i, j) for i, j in combinations([i for i, event in enumerate(self.run) if of(event)], 2)
                if related(self.run[i], self.run[j])]

    def include(self, a, b):
        """Whether the scopes of two operations include each other's thread."""
        return all(self.program.together(a.thread, b.thread, event.op.scope) for event in (a, b))

    def rows(self, edges=()):
        rows = [0] * self.size
        for i, j in edges:
            rows[i] |= 1 << j
        return rows

    def reads_from(self):
        return self.rows((w, r) for r, w in self.source.items() if w is not None)

    def from_reads(self, later):
        """Reads before the writes that are later than the one they read, or than the initial value."""
        rows = self.rows()
        for r, w in self.source.items():
            rows[r] = later[w] if w is not None else self.writes_to(self.run[r].place)
        return rows

    def writes_to(self, place):
        return sum(1 << w for w, event in enumerate(self.run) if event.write and event.place == place)

    def meets(self, a, b):
        return a.op.kind == b.op.kind == "bar" and a.op.instance == b.op.instance and a.thread != b.thread


class Ptx(Model):
    races = False

    def strong(self, event):
        return event.op.kind == "fence" or event.atomic

    def morally_strong(self, a, b):
        """Chapter "Morally strong operations"; there is one proxy and one size."""
        if a.access and b.access and a.place != b.place:
            return False
        return a.thread == b.thread or self.strong(a) and self.strong(b) and self.include(a, b)

    def prepare(self):
        super().prepare()
        self.strong_pairs = self.relate(self.morally_strong)
        self.same_place = self.relate(lambda a, b: a.access and b.access and a.place == b.place)
        self.fences = self.pairs(lambda e: e.op.kind == "fence" and e.op.order == "sc", self.morally_strong)
        self.write_pairs = self.pairs(lambda e: e.write, self.morally_strong)
        self.barriers = self.relate(self.barrier_synchronizes)
        self.releases, self.acquires = self.patterns()

    def barrier_synchronizes(self, a, b):
        """bar.sync, bar.arrive and bar.warp.sync with a bar.sync of one instance; an arrival with a wait.

        "The optional .relaxed qualifier on barrier.cluster.arrive specifies that there are no memory ordering and
        visibility guarantees" for what came before; the manual's example has a fence before such an arrival, so it
        makes a release pattern with the fence, as a relaxed write does.
        """
        if b.op.kind != "bar" or b.op.part == "arrive" or a.thread == b.thread:
            return False
        if a.op.kind == "bar":
            return a.op.instance == b.op.instance and a.op.part != "wait" and a.op.order != "rlx"
        if a.op.kind != "fence" or not a.release or b.op.level != "cluster":
            return False
        behind = self.run[self.run.index(a):]
        return (self.program.together(a.thread, b.thread, a.op.scope)
                and any(c.thread == a.thread and c.op.kind == "bar" and c.op.order == "rlx"
                        and c.op.instance == b.op.instance for c in behind))

    def patterns(self):
        """For each write the first operations of release patterns it ends, for each read the last of acquire ones."""
        releases, acquires = {}, {}
        for i, event in enumerate(self.run):
            if not event.atomic:
                continue
            mates = range(i) if event.write else range(i + 1, self.size)
            found = [j for j in mates if self.run[j].thread == event.thread
                     and (self.run[j].op.kind == "fence" or self.run[j].place == event.place and self.run[j].atomic)
                     and (self.run[j].release and not self.run[j].read if event.write
                          else self.run[j].acquire and not self.run[j].write)]
            if event.write:
                releases[i] = found + ([i] if event.release else [])
            else:
                acquires[i] = found + ([i] if event.acquire else [])
        return releases, acquires

    def consistent(self):
        observed = self.rows((w, r) for r, w in self.source.items()
                             if w is not None and self.strong_pairs[w] >> r & 1)
        synchronizes = self.rows((x, y) for r, w in self.source.items() if w is not None and observed[w] >> r & 1
                                 for x in self.releases.get(w, ()) for y in self.acquires.get(r, ())
                                 if self.strong_pairs[x] >> y & 1)
        fixed = unite(self.po, self.barriers, synchronizes)
        for order in product((False, True), repeat=len(self.fences)):
            fence_sc = [(j, i) if turned else (i, j) for turned, (i, j) in zip(order, self.fences)]
            base = close(unite(fixed, self.rows(fence_sc)))
            # Fence-SC: the order of two fences cannot contradict causality.
            if any(base[j] >> i & 1 for i, j in fence_sc):
                continue
            if self.orders_writes(observed, base):
                yield False
                return

    def orders_writes(self, observed, base):
        """Whether some coherence order satisfies the axioms."""
        cause = list(base)
        for w in range(self.size):
            for r in range(self.size):
                if observed[w] >> r & 1:
                    cause[w] |= base[r]
        cause = [row & same for row, same in zip(cause, self.same_place)]
        # Causality: a read that precedes a write cannot read from it.
        if any(w is not None and cause[r] >> w & 1 for r, w in self.source.items()):
            return False
        caused = [row & self.all_writes() if self.run[i].write else 0 for i, row in enumerate(cause)]
        com_rf = self.reads_from()
        for turns in product((False, True), repeat=len(self.write_pairs)):
            chosen = self.rows((j, i) if turned else (i, j) for turned, (i, j) in zip(turns, self.write_pairs))
            later = close(unite(caused, chosen))
            if any(row >> i & 1 for i, row in enumerate(later)):
                continue
            fr = self.from_reads(later)
            # Causality: a read cannot read from a write that precedes one which causally precedes the read.
            if any(fr[r] >> w & 1 and cause[w] >> r & 1 for r in self.source for w in range(self.size)):
                continue
            # Sequential consistency per location.
            com = [row & strong for row, strong in zip(unite(com_rf, later, fr), self.strong_pairs)]
            po_loc = [row & same for row, same in zip(self.po, self.same_place)]
            if not cyclic(unite(com, po_loc)):
                return True
        return False

    def all_writes(self):
        return sum(1 << i for i, event in enumerate(self.run) if event.write)


class OpenCl(Model):
    def roles(self, op):
        return ("entry", "exit") if op.kind == "bar" else ("",)

    def is_fence(self, event):
        return event.op.kind in ("fence", "bar")

    def releases(self, event):
        return event.role == "entry" if event.role else event.release

    def acquires(self, event):
        return event.role == "exit" if event.role else event.acquire

    def memories(self, event):
        if event.access:
            return ("shared",) if event.op.loc in self.program.shared else ("global",)
        return event.op.classes

    def inclusive(self, a, b):
        """"They have the same scope P" and are within it."""
        return a.op.scope == b.op.scope and self.program.together(a.thread, b.thread, a.op.scope)

    def prepare(self):
        super().prepare()
        self.memory = {name: [name in self.memories(event) for event in self.run] for name in ("global", "shared")}
        self.sequenced = {name: [row & sum(1 << j for j in range(self.size) if of[j]) if of[i] else 0
                                 for i, row in enumerate(self.po)] for name, of in self.memory.items()}
        # The entry fence of a barrier synchronizes with the exit fences of all others.
        met = self.relate(lambda a, b: self.meets(a, b) and a.role == "entry" and b.role == "exit")
        self.met = {name: [row if of[i] else 0 for i, row in enumerate(met)] for name, of in self.memory.items()}
        self.conflicts = self.pairs(lambda e: e.access, lambda a, b: a.place == b.place and a.thread != b.thread and (
            a.write or b.write) and not (a.atomic and b.atomic and self.inclusive(a, b)))

    def consistent(self):
        atomics = {}
        for i, event in enumerate(self.run):
            if event.write and event.atomic:
                atomics.setdefault(event.place, []).append(i)
        for orders in product(*(permutations(writes) for writes in atomics.values())):
            happens = self.happens_before(orders)
            if happens is None:
                continue
            later = self.rows((w, v) for order in orders for i, w in enumerate(order) for v in order[i + 1:])
            if self.coherent(happens, later) and self.visible(happens):
                yield any(not (happens[i] >> j & 1 or happens[j] >> i & 1) for i, j in self.conflicts)

    def release_sequence(self, head, order):
        """The head and the writes of its thread that follow it at once in the modification order."""
        found = [head]
        for w in order[order.index(head) + 1:]:
            if self.run[w].thread != self.run[head].thread:
                break
            found.append(w)
        return found

    def happens_before(self, orders):
        """Global and local happens-before, each between its own actions; None if one has a cycle."""
        edges = {"global": set(), "shared": set()}
        readers = {}
        for r, w in self.source.items():
            readers.setdefault(w, []).append(r)
        for order in orders:
            for x in order:
                for r in [r for w in self.release_sequence(x, order) for r in readers.get(w, ())]:
                    self.synchronize(x, r, edges)
        fences = [i for i, event in enumerate(self.run) if self.is_fence(event)]
        both = [i for i in fences if self.memory["global"][i] and self.memory["shared"][i]]
        crossed = {(a, b) for pairs in edges.values() for a, b in pairs if a in both and b in both}
        result = [0] * self.size
        for name, pairs in edges.items():
            closed = close(unite(self.sequenced[name], self.met[name], self.rows(pairs | crossed)))
            if any(row >> i & 1 for i, row in enumerate(closed)):
                return None
            accesses = [event.access and self.memory[name][i] for i, event in enumerate(self.run)]
            result = [row | (new if accesses[i] else 0) for i, (row, new) in enumerate(zip(result, closed))]
        return result

    def synchronize(self, x, r, edges):
        """What synchronizes because r reads from the release sequence, perhaps a hypothetical one, of x."""
        write, read = self.run[x], self.run[r]
        name = self.memories(write)[0]
        of = self.memory[name]
        before = [i for i in range(x) if self.run[i].thread == write.thread and self.is_fence(self.run[i])
                  and of[i] and self.releases(self.run[i])]
        behind = [i for i in range(r, self.size) if self.run[i].thread == read.thread and self.is_fence(self.run[i])
                  and of[i] and self.acquires(self.run[i])]
        heads = before + ([x] if write.release else [])
        tails = behind + ([r] if read.atomic and read.acquire else [])
        edges[name].update((a, b) for a in heads for b in tails if self.inclusive(self.run[a], self.run[b]))

    def coherent(self, happens, later):
        """The four requirements of coherence, on atomic objects."""
        atomic = [event.atomic for event in self.run]
        com = unite(self.reads_from(), later, self.from_reads(later))
        reach = close([row if atomic[i] else 0 for i, row in enumerate(com)])
        return not any(reach[i] >> j & 1 and happens[j] >> i & 1 for i in range(self.size) for j in range(self.size))

    def visible(self, happens):
        """A non-atomic read takes its value from a visible side effect."""
        for r, w in self.source.items():
            if self.run[r].atomic:
                continue
            if w is not None and not happens[w] >> r & 1:
                return False
            between = self.writes_to(self.run[r].place) if w is None else happens[w] & self.writes_to(self.run[r].place)
            if any(between >> v & 1 and happens[v] >> r & 1 for v in range(self.size)):
                return False
        return True


class Vulkan(Model):
    SETS = (("sc0",), ("sc1",), ("sc0", "sc1"))

    def roles(self, op):
        """Availability comes right before a barrier or atomic that asks for it, visibility right after.

        The availability of a write itself, and the visibility of a read, are taken to be part of them: location order
        leads to them by the reflexive closure of program order. An atomic has them without asking.
        """
        flags = op.kind in ("fence", "bar") or op.order != "na"
        return (("av",) if flags and op.av else ()) + ("",) + (("vis",) if flags and op.vis else ())

    def prepare(self):
        super().prepare()
        self.mutual_pairs = self.pairs(lambda e: e.write and e.atomic, self.mutual)
        self.conflicts = self.pairs(lambda e: e.access, lambda a, b: a.place == b.place and (a.write or b.write)
                                    and not self.mutual(a, b) and a.thread != b.thread)
        self.barrier_edges = self.relate(self.barrier_synchronizes)
        self.orders = {}  # location order by what synchronizes through atomics

    def mutual(self, a, b):
        return a.atomic and b.atomic and a.place == b.place and self.include(a, b)

    def is_barrier(self, event):
        return event.op.kind in ("fence", "bar") and not event.role

    def releases(self, event):
        return not event.role and event.release

    def acquires(self, event):
        return not event.role and event.acquire

    def barrier_synchronizes(self, a, b):
        """Release barrier a, control barrier c, acquire barrier b: a is before or at c, and c before or at b."""
        if not (self.is_barrier(a) and self.is_barrier(b) and self.releases(a) and self.acquires(b)):
            return False
        if a.thread == b.thread or not self.include(a, b):
            return False
        at_a, at_b = self.run.index(a), self.run.index(b)
        return any(self.meets(c, d) and not c.role and not d.role and c.thread == a.thread and d.thread == b.thread
                   and at_a <= i and j <= at_b for i, c in enumerate(self.run) for j, d in enumerate(self.run))

    def consistent(self):
        pairs = frozenset(self.synchronized())
        if pairs not in self.orders:
            happens = self.happens_before(unite(self.barrier_edges, self.rows(pairs)))
            # The text speaks of an order: nothing happens before itself. Barriers that meet are before each other.
            circle = any(event.access and happens[i] >> i & 1 for i, event in enumerate(self.run))
            self.orders[pairs] = None if circle else self.location_order(happens)
        ordered = self.orders[pairs]
        if ordered is None:
            return
        rf = self.reads_from()
        race = any(not (ordered[i] >> j & 1 or ordered[j] >> i & 1) for i, j in self.conflicts)
        for turns in product((False, True), repeat=len(self.mutual_pairs)):
            scoped = self.rows((j, i) if turned else (i, j) for turned, (i, j) in zip(turns, self.mutual_pairs))
            writes = sum(1 << i for i, event in enumerate(self.run) if event.write)
            fr = self.from_reads([row & writes for row in unite(ordered, scoped)])
            if not cyclic(unite(ordered, scoped, rf, fr)):
                yield race
                return

    def synchronized(self):
        """Pairs that synchronize through an atomic write and a read of it. There are no read-modify-writes."""
        for r, w in self.source.items():
            if w is None or not self.mutual(self.run[w], self.run[r]):
                continue
            space = self.run[w].op.space
            heads = [i for i in range(w) if self.run[i].thread == self.run[w].thread and self.is_barrier(self.run[i])
                     and self.releases(self.run[i]) and space in self.run[i].op.classes]
            tails = [i for i in range(r, self.size) if self.run[i].thread == self.run[r].thread
                     and self.is_barrier(self.run[i]) and self.acquires(self.run[i])
                     and space in self.run[i].op.classes]
            heads += [w] if self.releases(self.run[w]) else []
            tails += [r] if self.acquires(self.run[r]) else []
            yield from ((a, b) for a in heads for b in tails if self.include(self.run[a], self.run[b]))

    def happens_before(self, synchronizes):
        """Program order, or inter-thread-happens-before for some set of storage classes."""
        happens = list(self.po)
        for wanted in self.SETS:
            has = [not event.role and set(wanted) <= set(event.op.classes) for event in self.run]
            on = [self.touches(event, wanted) or has[i] for i, event in enumerate(self.run)]
            rows = self.rows()
            for i, row in enumerate(self.po):
                for j in range(self.size):
                    if row >> j & 1 and (on[i] and has[j] and self.releases(self.run[j])
                                         or has[i] and self.acquires(self.run[i]) and on[j]):
                        rows[i] |= 1 << j
                    elif synchronizes[i] >> j & 1 and has[i] and has[j]:
                        rows[i] |= 1 << j
            happens = unite(happens, close(rows))
        return happens

    def touches(self, event, wanted):
        """Whether it is an operation on memory in one of the classes; making available and visible is one."""
        if event.role:
            return bool(set(event.op.classes) & set(wanted))
        return event.access and event.op.space in wanted

    def around(self, event):
        """The memory domains of an agent, as instances of scopes."""
        place = self.program.places[event.thread]
        return {place[:depth] for depth in range(1, len(place) + 1)}

    def domains(self, event):
        """The memory domains that an operation makes writes available to, or visible from, with all smaller ones."""
        return {domain for domain in self.around(event) if len(domain) >= self.program.level(event.op.scope or "dev")}

    def operations(self, kind, access):
        """Events that make a location available or visible: barriers for its storage class, accesses for themselves."""
        return [i for i, event in enumerate(self.run)
                if event.role == kind and access.op.space in event.op.classes
                or event.place == access.place and event.op.kind == {"av": "st", "vis": "ld"}[kind] and not event.role
                and (event.atomic or event.op.av or event.op.vis)]

    def location_order(self, happens):
        rows = self.rows()
        for x, a in enumerate(self.run):
            if not a.access:
                continue
            for y, b in enumerate(self.run):
                if x == y or not b.access or a.place != b.place:
                    continue
                private = not all(event.atomic or event.op.nonpriv for event in (a, b))
                if a.thread == b.thread:
                    related = happens[x] >> y & 1
                elif private:
                    related = False
                elif a.read:
                    related = happens[x] >> y & 1
                else:
                    related = self.reaches(x, y, happens)
                rows[x] |= related << y
        return rows

    def reaches(self, x, y, happens):
        """Whether availability, and visibility to a read, lead from a write to an access of another agent."""
        a, b = self.run[x], self.run[y]
        both = self.around(a) & self.around(b)
        made = self.operations("av", a)
        available = [(i, domain) for i in made for domain in self.domains(self.run[i])
                     if i == x or self.run[i].thread == a.thread and happens[x] >> i & 1]
        # An availability chain goes on with operations to broader domains, by agents of the domain that was reached.
        for i, domain in available:
            available += [(j, wider) for j in made if happens[i] >> j & 1 and domain in self.around(self.run[j])
                          for wider in self.domains(self.run[j]) if len(wider) < len(domain)]
        if b.write:
            return any(happens[i] >> y & 1 and domain in both for i, domain in available)
        seen = self.operations("vis", b)
        visible = [(i, domain) for i in seen for domain in self.domains(self.run[i])
                   if i == y or self.run[i].thread == b.thread and happens[i] >> y & 1]
        # A visibility chain comes from broader domains, by agents of the narrower one.
        for i, domain in visible:
            visible += [(j, wider) for j in seen if happens[j] >> i & 1 and domain in self.around(self.run[j])
                        for wider in self.domains(self.run[j]) if len(wider) < len(domain)]
        return any(happens[i] >> j & 1 and domain == source and domain in both
                   for i, domain in available for j, source in visible)
