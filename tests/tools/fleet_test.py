# SPDX-License-Identifier: MIT
"""Tests of campaigns and agents: killed, stopped, many at once, and with devices that fail.

WEAKSPOT_KILLS says how many agents are killed (8).
"""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from hosts import NETWORK, Hosts  # noqa: E402
from postgres import Postgres  # noqa: E402
from slurm import Slurm  # noqa: E402
from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

KILLS = int(os.environ.get("WEAKSPOT_KILLS", "8"))
ENVIRONMENTS = ["workgroup_size=32", "workgroup_size=64", "workgroup_size=128"]
TESTS = ["MP", "SB", "LB", "2+2W"]


class FleetTest(FolderTest):
    """A test with a folder for stores."""

    def command(self, *arguments):
        return [str(PROGRAM), *(str(argument) for argument in arguments)]

    def weakspot(self, *arguments, expect=0):
        done = subprocess.run(self.command(*arguments), cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=240)
        self.assertEqual(done.returncode, expect, done.stdout.decode() + done.stderr.decode())
        return done.stdout.decode()

    def agent(self, store, *arguments):
        return subprocess.Popen(self.command("agent", "--store", store, *arguments), cwd=self.folder,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def record(self):
        """A file of runs on a fake device, forbidden outcomes among them: what recorded:FILE plays."""
        environments = [word for text in ENVIRONMENTS for word in ("--env", text)]
        self.weakspot("run", *TESTS, "--device", "testing:all", "--no-isolation", "--instances", "100000", *environments,
                      "--brief", "--out", "runs.jsonl", expect=1)

    def plan(self, store, devices, *arguments):
        environments = [word for text in ENVIRONMENTS for word in ("--environments", text)]
        made = self.weakspot("campaign", "init", *TESTS, "--store", store, "--devices", devices, *environments, "--json",
                             *arguments)
        return json.loads(made)

    def report(self, store, expect=1):
        """What the report says, without who made it."""
        report = json.loads(self.weakspot("campaign", "report", "--store", store, "--json", expect=expect))
        return {name: value for name, value in report.items() if name not in ("program", "date", "command")}

    def status(self, store):
        return json.loads(self.weakspot("campaign", "status", "--store", store, "--json"))[0]

    def check_complete(self, store, shards):
        """Every shard is done, and every run is there once."""
        status = self.status(store)
        self.assertTrue(status["over"], status)
        self.assertEqual(sum(one["done"] for one in status["classes"]), shards)
        runs = [json.loads(line) for line in self.weakspot("campaign", "export", "--store", store).splitlines()]
        keys = {(run["hash"], json.dumps(run["parameters"]), run["seed"]) for run in runs}
        self.assertEqual(len(runs), shards)
        self.assertEqual(len(keys), shards)


@needs_program
class Campaigns(FleetTest):
    def test_the_cpu_from_plan_to_report(self):
        made = self.weakspot("campaign", "init", "MP", "SB", "--store", "lab.db", "--devices", "cpu", "--seconds", "20ms",
                             "--seeds", "3")
        self.assertRegex(made, r"^new campaign [0-9a-f]{16}: 2 tests, 1 device class, 6 shards, ")
        again = self.weakspot("campaign", "init", "MP", "SB", "--store", "lab.db", "--devices", "cpu", "--seconds", "20ms",
                              "--seeds", "3")
        self.assertEqual(again.split(), made.replace("new", "known", 1).split())
        ran = self.weakspot("agent", "--store", "lab.db", "--device", "cpu", "--until-done")
        self.assertRegex(ran, r"^cpu: 6 shards, ")
        self.assertRegex(self.weakspot("campaign", "status", "--store", "lab.db"),
                         r"^done campaign [0-9a-f]{16}  MP SB\ndevice class +done running")
        text = self.weakspot("campaign", "report", "--store", "lab.db", "--html", "report.html")
        self.assertIn("6 of 6 shards done", text)
        self.assertRegex(text, r"(?m)^(weak|interleaved|sequential) +MP ")
        self.assertIn("<h1>Campaign of MP SB</h1>", (self.folder / "report.html").read_text())
        self.check_complete("lab.db", 6)

    def test_a_table_fits_the_terminal(self):
        self.plan("lab.db", "cuda,a card with a name that is much too long for a table", "--seconds", "1")
        for line in self.weakspot("campaign", "status", "--store", "lab.db").splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_paused_campaigns_wait(self):
        self.record()
        self.plan("lab.db", "recorded", "--instances", "1000")
        self.weakspot("campaign", "pause", "--store", "lab.db")
        self.weakspot("agent", "--store", "lab.db", "--device", "recorded:runs.jsonl", "--seconds", "300ms")
        self.assertEqual(self.status("lab.db")["classes"][0]["done"], 0)
        self.weakspot("campaign", "resume", "--store", "lab.db")
        self.weakspot("agent", "--store", "lab.db", "--device", "recorded:runs.jsonl", "--until-done")
        self.check_complete("lab.db", 12)

    def test_a_paused_campaign_does_not_hold_agents_of_others(self):
        self.record()
        self.plan("lab.db", "recorded", "--instances", "1000")
        self.weakspot("campaign", "pause", "--store", "lab.db")
        self.plan("lab.db", "recorded", "--instances", "1000", "--name", "other", "--seed", "1", "--seeds", "2")
        self.weakspot("agent", "--store", "lab.db", "--device", "recorded:runs.jsonl", "--until-done")
        statuses = json.loads(self.weakspot("campaign", "status", "--store", "lab.db", "--json"))
        done = {status["name"]: status["over"] for status in statuses}
        self.assertEqual(done.pop("other"), True)
        self.assertEqual(list(done.values()), [False])

    def test_a_device_that_fails_is_quarantined(self):
        self.plan("lab.db", "testing", "--instances", "1000")
        done = subprocess.run(self.command("agent", "--store", "lab.db", "--device", "testing:segv", "--until-done"),
                              cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=120)
        self.assertEqual(done.returncode, 3, done.stderr.decode())
        self.assertIn("testing:segv is quarantined", done.stderr.decode())
        # A good device of the same class does the work.
        self.weakspot("agent", "--store", "lab.db", "--device", "testing:one", "--until-done")
        self.check_complete("lab.db", 12)
        device = json.loads(self.weakspot("campaign", "report", "--store", "lab.db", "--json", expect=1))["quarantined"][0]
        # It shows one outcome of each test, which is a forbidden one for 2+2W.
        self.assertRegex(self.weakspot("campaign", "report", "--store", "lab.db", expect=1),
                         r"(?m)^quarantined device .*/testing:segv: ")
        self.weakspot("campaign", "pardon", "--store", "lab.db", "--device", device["name"])
        self.assertNotIn("quarantined", self.weakspot("campaign", "report", "--store", "lab.db", expect=1))

    def test_killed_agents_lose_nothing(self):
        """On devices that really run, in processes of their own: the CPU and a fake one."""
        moments = random.Random(19)
        for device in ("cpu", "testing:slow"):
            store = device.replace(":", "-") + ".db"
            killed = 0
            while killed < KILLS // 2:
                Path(self.folder / store).unlink(missing_ok=True)
                made = json.loads(self.weakspot("campaign", "init", "MP", "SB", "--store", store, "--devices", device,
                                                "--seconds", "10ms", "--seeds", 40, "--json"))
                while killed < KILLS // 2:
                    agent = self.agent(store, "--device", device, "--until-done", "--lease", "500ms")
                    try:
                        agent.wait(moments.uniform(0.05, 0.5))
                    except subprocess.TimeoutExpired:
                        agent.send_signal(signal.SIGKILL)
                        killed += 1
                    agent.communicate()
                    if agent.returncode == 0:
                        break
                self.weakspot("agent", "--store", store, "--device", device, "--until-done")
                self.check_complete(store, made["shards"])

    def test_errors_are_clear(self):
        for arguments in (["campaign", "status", "--store", "missing.db"],
                          ["campaign", "init", "no-such-test", "--store", "lab.db", "--devices", "cpu"],
                          ["campaign", "init", "MP", "--store", "lab.db", "--devices", "cpu", "--environments", "x=1"]):
            done = subprocess.run(self.command(*arguments), cwd=self.folder, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
            self.assertIn(done.returncode, (2, 3), arguments)
            self.assertIn("error: ", done.stderr.decode())


@needs_program
class DisturbedCampaigns(FleetTest):
    """On recorded devices the same seeds give the same runs: a disturbed campaign must end in the same report."""

    SEEDS = 100
    SHARDS = len(TESTS) * len(ENVIRONMENTS) * SEEDS

    def setUp(self):
        super().setUp()
        self.record()
        calm = self.make("calm")
        self.weakspot("agent", "--store", calm, "--device", "recorded:runs.jsonl", "--until-done")
        self.check_complete(calm, self.SHARDS)
        self.calm = self.report(calm)
        self.assertEqual(self.calm["done"], self.SHARDS)
        self.assertNotEqual(self.calm["findings"], [])

    def place(self, name):
        return name + ".db"

    def make(self, name):
        """The place of a store with the campaign."""
        store = self.place(name)
        self.plan(store, "recorded", "--seconds", "20ms", "--seeds", self.SEEDS)
        return store

    def check_same(self, store):
        self.check_complete(store, self.SHARDS)
        report = self.report(store)
        # Findings name the file of the device and when it ran; everything else must be equal.
        for one in (report, self.calm):
            for finding in one["findings"]:
                finding.pop("replay", None)
                for key in ("started", "device"):
                    finding["first"].pop(key, None)
        self.assertEqual(report, self.calm)

    def test_killed_agents(self):
        moments = random.Random(18)
        killed = stores = 0
        while killed < KILLS:
            stores += 1
            name = self.make(f"killed{stores}")
            while killed < KILLS:
                agent = self.agent(name, "--device", "recorded:runs.jsonl", "--until-done", "--lease", "1s")
                try:
                    agent.wait(moments.uniform(0.005, 0.25))
                except subprocess.TimeoutExpired:
                    agent.send_signal(signal.SIGKILL)
                    killed += 1
                agent.communicate()
                if agent.returncode == 0:
                    break
            self.weakspot("agent", "--store", name, "--device", "recorded:runs.jsonl", "--until-done", "--lease", "1s")
            self.check_same(name)

    def test_eight_agents(self):
        store = self.make("eight")
        agents = [self.agent(store, "--device", "recorded:runs.jsonl", "--until-done", "--name", f"host{i % 2}")
                  for i in range(8)]
        for agent in agents:
            output, _ = agent.communicate(timeout=240)
            self.assertEqual(agent.returncode, 0, output.decode())
        self.check_same(store)

    def test_stopped_agents_give_back(self):
        store = self.make("stopped")
        for _ in range(40):
            agent = self.agent(store, "--device", "recorded:runs.jsonl", "--until-done")
            try:
                agent.wait(0.15)
            except subprocess.TimeoutExpired:
                agent.send_signal(signal.SIGTERM)
            output, _ = agent.communicate(timeout=60)
            # One that was killed before it listened has not claimed anything.
            self.assertIn(agent.returncode, (0, -signal.SIGTERM), output.decode())
            status = self.status(store)
            self.assertEqual(sum(one["running"] for one in status["classes"]), 0)
            if status["over"]:
                break
        self.weakspot("agent", "--store", store, "--device", "recorded:runs.jsonl", "--until-done")
        self.check_same(store)


@needs_program
class OnPostgres(DisturbedCampaigns):
    """The same on a server, which is killed as well."""

    @classmethod
    def setUpClass(cls):
        cls.server = Postgres()
        cls.addClassCleanup(cls.server.stop)
        if cls.server.problem:
            raise unittest.SkipTest(cls.server.problem)

    def setUp(self):
        OnPostgres.databases = getattr(OnPostgres, "databases", 0) + 1
        super().setUp()

    def place(self, name):
        return self.server.database(f"{name}{self.databases}")

    def test_a_killed_server(self):
        moments = random.Random(20)
        killed = stores = 0
        while killed < KILLS // 2:
            stores += 1
            store = self.make(f"server{stores}")
            agents = [self.agent(store, "--device", "recorded:runs.jsonl", "--until-done", "--lease", "2s", "--name",
                                 f"host{i}") for i in range(2)]
            while killed < KILLS // 2 and any(agent.poll() is None for agent in agents):
                time.sleep(moments.uniform(0.02, 0.3))
                self.server.kill()
                killed += 1
                self.server.start()
            for agent in agents:
                output, _ = agent.communicate(timeout=240)
                # An agent that was never answered ends with an error.
                self.assertIn(agent.returncode, (0, 3), output.decode())
            self.weakspot("agent", "--store", store, "--device", "recorded:runs.jsonl", "--until-done", "--lease", "1s")
            self.check_same(store)


@needs_program
class OnSlurm(OnPostgres):
    """Eight agents that Slurm starts on two nodes, with a store on a server."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cluster = Slurm()
        cls.addClassCleanup(cls.cluster.stop)
        if cls.cluster.problem:
            raise unittest.SkipTest(cls.cluster.problem)

    def test_eight_agents(self):
        store = self.make("array")
        submitted = subprocess.run(
            self.command("launch", "slurm", "--store", store, "--jobs", "8", "--gres", "gpu:1", "--device",
                         f"recorded:{self.folder}/runs.jsonl", "--program", PROGRAM, "--log",
                         f"{self.folder}/job-%a.log"),
            cwd=self.folder, env=self.cluster.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertIn(b"Submitted batch job", submitted.stdout, submitted.stderr.decode())
        for _ in range(600):
            if not self.cluster.run("squeue", "-h").stdout.strip():
                break
            time.sleep(0.1)
        logs = [path.read_text() for path in sorted(self.folder.glob("job-*.log"))]
        self.assertEqual(len(logs), 8)
        for log in logs:
            self.assertRegex(log, r"(?m)^recorded:.*: \d+ shards?, ", log)
        self.check_same(store)

    # Those of its parents need no Slurm.
    test_killed_agents = test_stopped_agents_give_back = test_a_killed_server = None


@needs_program
class OnTwoHosts(OnPostgres):
    """Eight agents on two hosts that reach the store through a network."""

    @classmethod
    def setUpClass(cls):
        cls.hosts = Hosts()
        cls.addClassCleanup(cls.hosts.stop)
        if cls.hosts.problem:
            raise unittest.SkipTest(cls.hosts.problem)
        cls.server = Postgres(NETWORK)
        cls.addClassCleanup(cls.server.stop)
        if cls.server.problem:
            raise unittest.SkipTest(cls.server.problem)

    def start(self, store, count):
        agents = []
        for i in range(count):
            host = self.hosts.hosts[i % 2]
            runs = f"runs{i}.jsonl"  # each agent has a device of its own
            shutil.copy(self.folder / "runs.jsonl", self.folder / runs)
            agents.append(subprocess.Popen(
                host.command(self.command("agent", "--store", store.replace("127.0.0.1", host.gateway), "--device",
                                          f"recorded:{runs}", "--until-done", "--lease", "2s")),
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
        return agents

    def wait_for(self, agents):
        for agent in agents:
            output, _ = agent.communicate(timeout=120)
            self.assertEqual(agent.returncode, 0, output.decode())

    def test_eight_agents(self):
        store = self.make("hosts")
        self.wait_for(self.start(store, 8))
        self.check_same(store)
        analysis = json.loads(self.weakspot("analyze", store, "--figures", "devices", "--json"))
        machines = {row["device"].split("/")[0] for row in analysis["device_totals"]}
        self.assertLessEqual(machines, {"host1", "host2"})
        self.assertEqual(sum(row["instances"] for row in analysis["device_totals"]),
                         sum(cell["instances"] for cell in self.calm["cells"]))

    def test_a_host_without_a_network(self):
        """Its shards are claimed by the others when their leases are over; when it is back it goes on."""
        store = self.make("cut")
        agents = self.start(store, 4)
        time.sleep(0.4)
        self.hosts.hosts[0].plug(False)
        time.sleep(3)
        self.hosts.hosts[0].plug(True)
        self.wait_for(agents)
        self.check_same(store)

    # Those of its parents need no hosts.
    test_killed_agents = test_stopped_agents_give_back = test_a_killed_server = None


@needs_program
class Launching(FleetTest):
    def test_the_job_array(self):
        script = self.weakspot("launch", "slurm", "--store", "postgresql://db/it's", "--jobs", "8", "--gres", "gpu:h200:1",
                               "--time", "90min", "--dry-run")
        self.assertIn("#SBATCH --array=0-7\n#SBATCH --gres=gpu:h200:1\n", script)
        self.assertIn("#SBATCH --time=0-01:30:00\n", script)
        self.assertIn("""exec weakspot agent --store 'postgresql://db/it'\\''s' --until-done --name "$name"\n""", script)
        subprocess.run(["bash", "-n"], input=script.encode(), check=True)

    def test_it_is_submitted(self):
        self.write_program("sbatch", "#!/bin/sh\ncat \"$1\" > submitted\necho Submitted batch job 7\n")
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}
        done = subprocess.run(self.command("launch", "slurm", "--store", "postgresql://db/lab"), cwd=self.folder,
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True, timeout=60)
        self.assertEqual(done.stdout.decode(), "Submitted batch job 7\n")
        self.assertIn("--store postgresql://db/lab", (self.folder / "submitted").read_text())


class Deployment(FolderTest):
    def test_the_unit(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd-analyze is not installed")
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", ROOT / "deploy" / "weakspot-agent.service"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        output = done.stdout.decode()
        if "Failed to initialize" in output or "Failed to connect" in output or "Failed to setup" in output:
            self.skipTest(output.strip())
        self.assertNotIn("weakspot-agent.service:", output)

    def test_the_container_file(self):
        """Its instructions are known, and what it copies from the tree is there."""
        known = {"ARG", "FROM", "ENV", "WORKDIR", "COPY", "RUN", "USER", "STOPSIGNAL", "ENTRYPOINT", "CMD"}
        text = (ROOT / "deploy" / "Containerfile").read_text().replace("\\\n", " ")
        stages = set()
        for line in text.splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            word, *rest = line.split()
            self.assertIn(word, known, line)
            if word == "FROM" and "AS" in rest:
                stages.add(rest[-1])
            elif word == "COPY" and rest[0].startswith("--from="):
                self.assertIn(rest[0].removeprefix("--from="), stages)
            elif word == "COPY":
                for source in rest[:-1]:
                    self.assertTrue((ROOT / source).exists(), source)
            elif word in ("ENTRYPOINT", "CMD"):
                self.assertIsInstance(json.loads(" ".join(rest)), list)


if __name__ == "__main__":
    unittest.main()
