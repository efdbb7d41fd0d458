# SPDX-License-Identifier: MIT
"""Random litmus tests in JSON: scopes, orders, fences, sizes, read-modify-writes, branches and barriers, mixed."""
import random

TYPES = ["s32"] * 6 + ["u32", "s64", "u64", "s8", "u8", "s16", "u16"]
SCOPES = ["wg", "dev", "dev", "sys"]
UPDATES = ["exch", "add", "cas", "min", "max", "and", "or", "xor", "inc", "dec"]


def bits(type_):
    return int(type_[1:])


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.name = f"random-{seed}"

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def test(self):
        self.locations = {name: self.pick(TYPES) for name in "xyz"[:2 + self.chance(30)]}
        self.clusters = self.chance(15)
        count = self.pick([2, 2, 2, 3, 3, 4])
        threads = [self.thread(number, count) for number in range(count)]
        self.add_barriers(threads)
        observe = [{"type": "variable", "thread": number, "id": r["name"]}
                   for number, thread in enumerate(threads) for r in thread["registers"]]
        observe += [{"type": "memory", "id": name} for name in self.locations]
        wanted = [{**one, "value": self.pick([0, 1, 1, 2])} for one in
                  self.random.sample(observe, min(len(observe), self.pick([2, 2, 3])))]
        return {"testName": self.name, "arch": "ptx", "threads": threads, "observe": observe,
                "locations": [{"name": name, "type": type_} for name, type_ in self.locations.items()],
                "condition": {"quantifier": "exists",
                              "proposition": {"type": "op", "op": "and", "conditions": wanted}}}

    def thread(self, number, count):
        self.registers, self.labels, actions = [], 0, []
        for _ in range(self.pick([1, 2, 2, 3]) if count > 2 else self.pick([2, 3, 3, 4])):
            actions += self.instruction()
        place = {"workgroup": self.pick([0, 1, 1, 2])}
        place["cluster"] = place["workgroup"] // 2 if self.clusters else place["workgroup"]
        return {"actions": actions, "registers": self.registers, **place}

    def register(self, type_):
        name = f"r{len(self.registers)}"
        self.registers.append({"name": name, "type": "s64" if bits(type_) == 64 else "s32"})
        return name

    # A register of that size, or a number.
    def value(self, type_):
        fit = [r["name"] for r in self.registers if (r["type"] == "s64") == (bits(type_) == 64)]
        return self.pick(fit) if fit and self.chance(25) else self.pick([1, 1, 2])

    def scope(self):
        return "cluster" if self.clusters and self.chance(30) else self.pick(SCOPES)

    def access(self, strong, ordered):
        """The order, scope and location of an access."""
        where = {"memoryLocation": self.pick(sorted(self.locations))}
        if not strong and self.chance(30):
            return {**where, "memoryOrder": "plain"}
        if not strong and self.chance(10):
            return {**where, "memoryOrder": "relaxed", "scope": "sys", "tags": ["vol"]}
        return {**where, "memoryOrder": self.pick(["relaxed", "relaxed"] + ordered), "scope": self.scope()}

    def instruction(self):
        kind = self.pick(["read"] * 5 + ["write"] * 5 + ["rmw"] * 2 + ["fence"] * 3 + ["branch"])
        if kind == "read":
            access = self.access(False, ["acquire"])
            return [{"action": "read", "variable": self.register(self.locations[access["memoryLocation"]]), **access}]
        if kind == "write":
            access = self.access(False, ["release"])
            return [{"action": "write", "value": self.value(self.locations[access["memoryLocation"]]), **access}]
        if kind == "rmw":
            return self.update()
        if kind == "fence":
            if self.chance(15):
                return [{"action": "fence", "kind": "membar", "scope": self.pick(SCOPES)}]
            return [{"action": "fence", "memoryOrder": self.pick(["sc", "acq_rel", "acq_rel", "acquire", "release"]),
                     "scope": self.scope()}]
        if not self.registers:
            return self.instruction()
        self.labels += 1
        label = f"L{self.labels}"
        skipped = self.instruction()
        return [{"action": "branch", "label": label,
                 "condition": {"op": self.pick(["eq", "ne"]), "left": self.pick(self.registers)["name"],
                               "right": self.pick([0, 1])}}] + skipped + [{"action": "label", "label": label}]

    def update(self):
        fit = [name for name, type_ in self.locations.items() if bits(type_) >= 32]
        if not fit:
            return self.instruction()
        access = {**self.access(True, ["acquire", "release", "acq_rel"]), "memoryLocation": self.pick(fit)}
        type_ = self.locations[access["memoryLocation"]]
        op = self.pick([op for op in UPDATES if bits(type_) == 32 or op not in ("inc", "dec")])
        made = {"action": "rmw", "op": op, "value": self.value(type_), **access}
        if op == "cas":
            made["expected"] = self.pick([0, 1])
        # Without the old value an update is a reduction, which cannot acquire.
        if op == "cas" or made["memoryOrder"] in ("acquire", "acq_rel") or self.chance(70):
            made["variable"] = self.register(type_)
        return [made]

    def add_barriers(self, threads):
        """The threads of a workgroup come to the same number, outside of branches."""
        for group in {thread["workgroup"] for thread in threads}:
            for _ in range(self.pick([0, 0, 1, 1, 2])):
                for thread in (one for one in threads if one["workgroup"] == group):
                    inside, places = False, [len(thread["actions"])]
                    for at, action in enumerate(thread["actions"]):
                        if not inside:
                            places.append(at)
                        inside = action["action"] == "branch" or (inside and action["action"] != "label")
                    thread["actions"].insert(self.pick(places), {"action": "barrier"})


def random_test(seed):
    return Maker(seed).test()
