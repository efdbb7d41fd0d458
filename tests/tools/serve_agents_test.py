# SPDX-License-Identifier: MIT
"""Tests of agents that work over `weakspot serve`: tokens, killed servers, bad requests.

WEAKSPOT_KILLS says how many servers are killed (8).
"""
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import unittest
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))

import fleet_test  # noqa: E402
from json_schema import Schemas  # noqa: E402
from postgres import Postgres  # noqa: E402
from support import PROGRAM, ROOT, needs_program  # noqa: E402

KILLS = int(os.environ.get("WEAKSPOT_KILLS", "8"))
SCHEMAS = Schemas(ROOT / "docs" / "schemas")
PATIENCE = 60  # seconds, for a machine under load


class Server:
    """`weakspot serve` on a port that it keeps when it is started again."""

    def __init__(self, store, folder, *options):
        self.store, self.folder, self.port, self.options = store, folder, 0, options
        self.start()

    def start(self):
        self.log = open(self.folder / "server.log", "ab")
        self.process = subprocess.Popen(
            [str(PROGRAM), "serve", "--store", self.store, "--port", str(self.port), *self.options], cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log)
        line = self.process.stdout.readline().decode().strip()
        if not line:
            raise RuntimeError((self.folder / "server.log").read_text())
        self.port = urlsplit(line).port
        self.url = f"http://127.0.0.1:{self.port}"

    def kill(self, by=signal.SIGKILL):
        self.process.send_signal(by)
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.log.close()
        return status

    def stop(self):
        if self.process.returncode is None:
            self.kill()


class ServedCampaign(fleet_test.FleetTest):
    SEEDS = 40
    SHARDS = len(fleet_test.TESTS) * len(fleet_test.ENVIRONMENTS) * SEEDS

    def setUp(self):
        super().setUp()
        self.record()
        self.store = self.place("lab")
        self.campaign = self.plan(self.store, "recorded", "--seconds", "20ms", "--seeds", self.SEEDS)["campaign"]
        self.token = self.new_token("node")
        (self.folder / "token").write_text(self.token + "\n")
        self.server = Server(self.store, self.folder)
        self.addCleanup(self.server.stop)

    def place(self, name):
        return name + ".db"

    def new_token(self, name):
        return self.weakspot("serve", "--store", self.store, "--new-token", name).strip()

    def command_of_agent(self, *arguments):
        return self.command("agent", "--server", self.server.url, "--token", "token", "--device", "recorded:runs.jsonl",
                            *arguments)

    def over_http(self, *arguments):
        return subprocess.Popen(self.command_of_agent(*arguments), cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def ask(self, method, path, body=None, token=None, kind="application/json"):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        headers = {"Content-Type": kind}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        try:
            connection.request(method, f"/api/1/{path}", body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            is_json = answer.getheader("Content-Type") == "application/json"
            return answer.status, json.loads(text) if is_json else text
        finally:
            connection.close()

    def work(self, name, value, token=None):
        body = value if isinstance(value, (bytes, str)) else json.dumps(value)
        status, answer = self.ask("POST", f"work/{name}", body, self.token if token is None else token)
        if status == 200 and name != "release":
            for said in (json.loads(body), answer):
                self.assertEqual([], SCHEMAS.problems(said, "work.schema.json"))
        return status, answer

    def claim(self, token=None, **more):
        request = {"agent": "a/1", "device": "a/d", "device_classes": ["recorded"], "campaign": "", "most": 1,
                   "lease": 60000, **more}
        return self.work("claim", request, token)


@needs_program
class Agents(ServedCampaign):
    SEEDS = 4
    SHARDS = len(fleet_test.TESTS) * len(fleet_test.ENVIRONMENTS) * SEEDS

    def test_a_campaign_over_a_server_ends_as_with_the_store(self):
        other = self.place("other")
        self.plan(other, "recorded", "--seconds", "20ms", "--seeds", self.SEEDS)
        self.weakspot("agent", "--store", other, "--device", "recorded:runs.jsonl", "--until-done")
        agent = self.over_http("--until-done", "--name", "host1")
        output = agent.communicate(timeout=PATIENCE)[0].decode()
        self.assertEqual(0, agent.returncode, output)
        self.assertRegex(output, rf"^recorded:runs.jsonl: {self.SHARDS} shards, ")
        self.check_complete(self.store, self.SHARDS)
        mine, theirs = self.report(self.store), self.report(other)
        for report in (mine, theirs):
            for finding in report["findings"]:
                finding["first"].pop("started", None)
        self.assertEqual(mine, theirs)

    def test_a_device_that_fails_is_quarantined(self):
        self.plan(self.store, "testing", "--instances", "1000")
        done = subprocess.run(
            self.command("agent", "--server", self.server.url, "--token", "token", "--device", "testing:segv",
                         "--until-done", "--name", "box"), cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=2 * PATIENCE)
        self.assertEqual(3, done.returncode, done.stderr.decode())
        self.assertIn("testing:segv is quarantined", done.stderr.decode())
        device = next(one for one in self.ask("GET", "campaigns")[1]["campaigns"] if one["campaign"] != self.campaign)
        self.assertEqual(0, device["classes"][0]["running"], "the rest was given back")
        answer = self.claim(device="box/testing:segv")[1]
        self.assertEqual([], answer["claims"])
        self.assertNotEqual("", answer["quarantined"])

    def test_tokens_are_made_listed_and_revoked(self):
        self.assertRegex(self.token, r"^[0-9a-f]{32}$")
        self.weakspot("serve", "--store", self.store, "--new-token", "node", expect=2)
        self.weakspot("serve", "--store", self.store, "--new-token", "no/de", expect=2)
        second = self.new_token("node2")
        self.assertRegex(self.weakspot("serve", "--store", self.store, "--tokens"), r"^node  \d{4}-\d\d-\d\d\nnode2  ")
        time.sleep(1.1)
        question = {"campaign": "", "device_classes": ["recorded"]}
        self.assertEqual((200, {"over": False}), self.work("over", question, second))
        self.weakspot("serve", "--store", self.store, "--revoke-token", "node2")
        self.weakspot("serve", "--store", self.store, "--revoke-token", "node2", expect=2)
        time.sleep(1.1)
        self.assertEqual(401, self.work("over", question, second)[0])
        self.assertEqual(401, self.ask("POST", "work/over", json.dumps(question))[0])
        self.assertEqual(200, self.work("over", question)[0])
        for file in self.folder.iterdir():
            if file.name != "token" and file.is_file():
                self.assertNotIn(self.token.encode(), file.read_bytes(), file)

    def test_an_agent_whose_token_is_revoked_ends(self):
        self.weakspot("campaign", "pause", "--store", self.store)
        agent = self.over_http()
        time.sleep(1)
        self.weakspot("serve", "--store", self.store, "--revoke-token", "node")
        output = agent.communicate(timeout=PATIENCE)[0].decode()
        self.assertEqual(2, agent.returncode, output)
        self.assertIn("agents need a token", output)

    def test_errors_are_clear(self):
        wrong = self.folder / "wrong"
        wrong.write_text("0" * 32)
        for arguments, sentence, code in (
                (["--server", self.server.url, "--token", "wrong"], "agents need a token", 2),
                (["--server", self.server.url, "--token", "missing"], "missing", 2),
                (["--server", self.server.url], "WEAKSPOT_TOKEN", 2),
                (["--server", "https://lab.example", "--token", "wrong"], "tunnel", 2),
                (["--server", "http://127.0.0.1:1", "--token", "wrong"], "cannot be reached", 3),
                (["--server", self.server.url, "--store", self.store], "either --store or --server", 2),
                ([], "either --store or --server", 2)):
            done = subprocess.run(self.command("agent", "--device", "recorded:runs.jsonl", "--until-done", *arguments),
                                  cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=PATIENCE)
            self.assertIn(sentence, done.stderr.decode(), arguments)
            self.assertEqual(code, done.returncode, done.stderr.decode())

    def test_bad_results_are_refused_and_good_ones_stored_once(self):
        status, value = self.claim(most=3)
        self.assertEqual(200, status, value)
        first, second, third = value["claims"]
        runs = {}
        for line in (self.folder / "runs.jsonl").read_text().splitlines():
            run = json.loads(line)
            runs.setdefault(run["hash"], []).append(run)
        shard = json.loads(first["document"])
        mine, elsewhere = sorted(runs[shard["test"]], key=lambda run: run["environment"] != shard["environment"])[:2]
        record = {**mine, "seed": shard["first_seed"], "device": "d"}

        def result(record, claim=first, **more):
            sent = {**{key: claim[key] for key in ("campaign", "shard", "attempt")}, "device": "a/d",
                    "device_class": "recorded", "seconds": 0.02, "records": [json.dumps(record)], **more}
            return {"agent": "a/1", "shards": [sent]}

        other = {**record, "hash": "0" * 32}
        more = {**record, "instances": record["instances"] + 1}
        for bad in (result(other), result(more), result({**record, "seed": 10**6}), result({}),
                    result({**elsewhere, "seed": record["seed"], "device": "d"}), result(record, claim=second),
                    result({**record, "seed": record["seed"] + 1}), result({**record, "device": "cuda:0"}),
                    result(record, device_class="cuda"), result(record, records=[]),
                    result(record, records=[json.dumps(record)] * 2), result(record, records=["nonsense"]),
                    result(record, attempt=-1), result(record, seconds="1"), result(record, extra=1), result(record, campaign="none"),
                    result(record, device="x" * 201), {"agent": "a/1"}, [], "", b"\xff", "[" * 100000):
            status, value = self.work("finish", bad)
            self.assertEqual(422, status, bad)
            self.assertTrue(value["error"])
        self.assertEqual(0, self.status(self.store)["classes"][0]["done"])
        # The same shard a second time, and a third by another attempt that never was.
        self.assertEqual((200, {"finished": ["stored"]}), self.work("finish", result(record)))
        self.assertEqual((200, {"finished": ["already stored"]}), self.work("finish", result(record)))
        self.assertEqual((200, {"finished": ["lease lost"]}), self.work("finish", result(record, attempt=7)))
        self.assertEqual(1, self.status(self.store)["classes"][0]["done"])
        # The lease of another token's agent.
        thief = self.new_token("thief")
        time.sleep(1.1)
        held = [{key: claim[key] for key in ("campaign", "shard", "attempt")} for claim in (second, third)]
        stolen = self.work("extend", {"agent": "a/1", "attempts": held, "lease": 1000}, thief)
        self.assertEqual((200, {"lost": held}), stolen)
        self.assertEqual(200, self.work("release", {"agent": "a/1", "attempts": held}, thief)[0])
        self.assertEqual(2, self.status(self.store)["classes"][0]["running"])
        # Nor does it end the lease, or blame a device that is not its own.
        shard = json.loads(second["document"])
        record = {**next(run for run in runs[shard["test"]] if run["environment"] == shard["environment"]),
                  "seed": shard["first_seed"], "device": "d"}
        self.assertEqual((200, {"finished": ["lease lost"]}), self.work("finish", result(record, second), thief))
        failure = {"agent": "a/1", **held[0], "device": "a/d", "test": "MP", "reason": "made up"}
        self.assertTrue(self.work("fail", failure, thief)[1]["lease_lost"])
        for _ in range(3):
            own = self.claim(token=thief, agent="b/1")[1]["claims"][0]
            self.work("fail", {**failure, "agent": "b/1", **{key: own[key] for key in held[0]}}, thief)
        again = self.claim()[1]
        self.assertEqual(("", 1), (again["quarantined"], len(again["claims"])))
        held.append({key: again["claims"][0][key] for key in held[0]})
        self.assertEqual((200, {"lost": []}), self.work("extend", {"agent": "a/1", "attempts": held, "lease": 1000}))
        self.assertEqual((200, {}), self.work("release", {"agent": "a/1", "attempts": held}))
        self.assertEqual(0, self.status(self.store)["classes"][0]["running"])

    def test_noise_is_refused_and_the_server_lives(self):
        generator = random.Random(3)
        text = json.dumps({"agent": "a/1", "device": "a/d", "device_classes": ["recorded"], "campaign": "", "most": 1,
                           "lease": 1000})
        for name in ("claim", "extend", "finish", "fail", "release", "over"):
            for _ in range(60):
                noise = bytearray(text.encode())
                for _ in range(3):
                    noise[generator.randrange(len(noise))] = generator.randrange(256)
                status, value = self.work(name, bytes(noise))
                self.assertIn(status, (200, 422) if name == "claim" else (422,), noise)
        for method, path, expected in (("GET", "work/claim", 405), ("POST", "work/nothing", 404),
                                       ("GET", "work/plan/none", 404), ("GET", "work/plan/", 404),
                                       ("POST", f"work/plan/{self.campaign}", 405)):
            self.assertEqual(expected, self.ask(method, path, "{}", self.token)[0], path)
        self.assertEqual(415, self.ask("POST", "work/over", text, self.token, "text/plain")[0])
        status, plan = self.ask("GET", f"work/plan/{self.campaign}", token=self.token)
        self.assertEqual(4, len(plan["tests"]))

    def test_large_bodies_need_a_token(self):
        large = b" " * ((1 << 20) + 1)
        self.assertEqual(413, self.work("over", large, "0" * 32)[0])
        self.assertEqual(422, self.work("over", large)[0])
        with socket.create_connection(("127.0.0.1", self.server.port)) as one:
            one.sendall(f"POST /api/1/work/over HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                        f"Authorization: Bearer {self.token}\r\nContent-Length: 99999999999\r\n\r\n".encode())
            self.assertIn(b" 413 ", one.recv(4096))

    def test_a_server_that_is_stopped_and_started_again(self):
        agent = self.over_http("--until-done", "--lease", "2s")
        time.sleep(0.1)
        self.server.kill(signal.SIGTERM)
        time.sleep(1)
        self.server.start()
        output = agent.communicate(timeout=PATIENCE)[0].decode()
        self.assertIn(agent.returncode, (0, 3), output)
        self.weakspot("agent", "--store", self.store, "--device", "recorded:runs.jsonl", "--until-done")
        self.check_complete(self.store, self.SHARDS)


class Listener:
    """Hears the events of a campaign."""

    def __init__(self, server, campaign):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        self.socket.sendall(f"GET /api/1/campaigns/{campaign}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                            "\r\n".encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.headers = {}
        while (line := self.file.readline().strip()):
            name, value = line.decode().split(": ", 1)
            self.headers[name.lower()] = value

    def next(self):
        """The data of the next event, ":" for a comment, None at the end."""
        while True:
            line = self.file.readline()
            if not line:
                return None
            if line.startswith(b":"):
                return ":"
            if line.startswith(b"data: "):
                return json.loads(line[6:])

    def close(self):
        self.file.close()
        self.socket.close()


@needs_program
class Watching(ServedCampaign):
    SEEDS = 4
    SHARDS = len(fleet_test.TESTS) * len(fleet_test.ENVIRONMENTS) * SEEDS

    def listen(self):
        listener = Listener(self.server, self.campaign)
        self.addCleanup(listener.close)
        return listener

    def run_agent(self):
        self.weakspot("agent", "--store", self.store, "--device", "recorded:runs.jsonl", "--until-done")

    def test_a_campaign_is_watched_live(self):
        status, value = self.ask("GET", "campaigns")
        self.assertEqual((200, [self.campaign]), (status, [one["campaign"] for one in value["campaigns"]]))
        self.assertEqual([], SCHEMAS.problems(value["campaigns"], "campaign-status.schema.json"))
        listener = self.listen()
        self.assertEqual((200, "text/event-stream"), (listener.status, listener.headers["content-type"]))
        first = listener.next()
        self.assertEqual((0, self.SHARDS), (first["classes"][0]["done"], first["classes"][0]["left"]))
        self.run_agent()
        event = first
        while not event["over"]:
            event = listener.next()
        self.assertEqual(self.SHARDS, event["classes"][0]["done"])
        self.assertEqual(0, self.server.kill(signal.SIGTERM))
        while listener.next() is not None:
            pass

    def test_slow_and_half_open_listeners_stall_nobody(self):
        deaf = [self.listen() for _ in range(99)]
        for one in deaf[::3]:
            one.socket.shutdown(socket.SHUT_WR)
        listener = self.listen()
        self.assertEqual(200, listener.status)
        self.run_agent()
        event = listener.next()
        while event == ":" or not event["over"]:
            event = listener.next()
        # Those that left made room; with all places taken the next one is refused.
        more = [self.listen() for _ in range(60)]
        self.assertIn(503, [one.status for one in more])
        self.assertIn(200, [one.status for one in more])

    def test_runs_with_filters_and_files(self):
        self.run_agent()
        status, value = self.ask("GET", f"runs?campaign={self.campaign}&test=MP&class=recorded")
        self.assertEqual((200, None), (status, value["next"]))
        self.assertEqual(len(fleet_test.ENVIRONMENTS) * self.SEEDS, len(value["rows"]))
        self.assertEqual([], SCHEMAS.problems(value, "runs.schema.json"))
        seen, after = set(), 0
        while after is not None:
            value = self.ask("GET", f"runs?most=7&after={after}")[1]
            seen |= {row["id"] for row in value["rows"]}
            after = value["next"]
        self.assertEqual(self.SHARDS, len(seen))
        table = self.ask("GET", "runs.csv?model=none")[1]
        self.assertEqual(1, table.count("\n"))
        lines = self.ask("GET", "runs.jsonl")[1].splitlines()
        exported = self.weakspot("campaign", "export", "--store", self.store).splitlines()
        self.assertEqual(sorted(exported), sorted(lines))
        report = self.ask("GET", f"campaigns/{self.campaign}/report.html")[1]
        self.assertIn("<h1>Campaign of ", report)
        status, analysis = self.ask("GET", "analysis.html")
        self.assertEqual(200, status, analysis)
        self.assertIn("<svg", analysis)
        self.assertNotIn("<script", analysis)
        self.assertEqual(400, self.ask("GET", "runs?nothing=1")[0])
        for path in ("campaigns/none/report.html", "campaigns/report.html", "campaigns/events", "campaigns/", "campaigns//",
                     "campaigns//events", "campaigns//report.html", "campaigns/none", "campaigns/%2e%2e/events", "runs/",
                     "analysis.html/"):
            self.assertEqual(404, self.ask("GET", path)[0], path)

    def test_a_public_server_shows_runs_only_with_a_token(self):
        self.run_agent()
        self.server.stop()
        self.server = Server(self.store, self.folder, "--public")
        self.addCleanup(self.server.stop)
        self.assertEqual(200, self.ask("GET", "campaigns")[0])
        for path in ("runs", "runs.csv", "runs.jsonl", "analysis.html", f"campaigns/{self.campaign}/report.html"):
            self.assertEqual(401, self.ask("GET", path)[0], path)
            self.assertEqual(200, self.ask("GET", path, token=self.token)[0], path)


@needs_program
class KilledServers(ServedCampaign):
    """The server is killed at random moments while agents work: nothing acknowledged is lost or counted twice."""

    def test_a_disturbed_campaign_ends_as_a_calm_one(self):
        calm = self.place("calm")
        self.plan(calm, "recorded", "--seconds", "20ms", "--seeds", self.SEEDS)
        self.weakspot("agent", "--store", calm, "--device", "recorded:runs.jsonl", "--until-done")
        expected = self.comparable(calm)
        moments = random.Random(21)
        killed = rounds = 0
        while killed < KILLS:
            rounds += 1
            if rounds > 1:
                self.server.stop()
                self.store = self.place(f"lab{rounds}")
                self.plan(self.store, "recorded", "--seconds", "20ms", "--seeds", self.SEEDS)
                (self.folder / "token").write_text(self.new_token("node"))
                self.server = Server(self.store, self.folder)
                self.addCleanup(self.server.stop)
            agents = [self.over_http("--until-done", "--lease", "1s", "--name", f"host{i}") for i in range(2)]
            while killed < KILLS and any(agent.poll() is None for agent in agents):
                time.sleep(moments.uniform(0.01, 0.4))
                self.server.kill()
                killed += 1
                time.sleep(moments.uniform(0, 0.1))
                self.server.start()
            for agent in agents:
                output = agent.communicate(timeout=240)[0].decode()
                # An agent that was never answered ends with an error.
                self.assertIn(agent.returncode, (0, 3), output)
            agent = self.over_http("--until-done", "--lease", "1s")
            output = agent.communicate(timeout=240)[0].decode()
            self.assertEqual(0, agent.returncode, output)
            self.check_complete(self.store, self.SHARDS)
            self.assertEqual(expected, self.comparable(self.store))

    def comparable(self, store):
        report = self.report(store)
        for finding in report["findings"]:
            finding["first"].pop("started", None)
        return report


@needs_program
class KilledServersOnPostgres(KilledServers):
    """The same with PostgreSQL behind the server, which is killed as well."""

    @classmethod
    def setUpClass(cls):
        cls.postgres = Postgres()
        cls.addClassCleanup(cls.postgres.stop)
        if cls.postgres.problem:
            raise unittest.SkipTest(cls.postgres.problem)

    def place(self, name):
        KilledServersOnPostgres.databases = getattr(KilledServersOnPostgres, "databases", 0) + 1
        return self.postgres.database(f"{name}_{self.databases}")

    def test_postgresql_itself_is_killed(self):
        agents = [self.over_http("--until-done", "--lease", "1s", "--name", f"host{i}") for i in range(2)]
        for _ in range(3):
            time.sleep(0.15)
            self.postgres.kill()
            self.postgres.start()
        for agent in agents:
            output = agent.communicate(timeout=240)[0].decode()
            self.assertIn(agent.returncode, (0, 3), output)
        agent = self.over_http("--until-done", "--lease", "1s")
        output = agent.communicate(timeout=240)[0].decode()
        self.assertEqual(0, agent.returncode, output)
        self.check_complete(self.store, self.SHARDS)


if __name__ == "__main__":
    unittest.main()
