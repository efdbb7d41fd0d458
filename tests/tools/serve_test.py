# SPDX-License-Identifier: MIT
"""Tests of `weakspot serve`: submissions, who may send them, what is shown, and that nothing acknowledged is lost."""
import http.client
import json
import random
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))

from json_schema import Schemas  # noqa: E402
from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

PATIENCE = 60  # seconds, for a machine under load


def hash_of_mp():
    listed = subprocess.run([str(PROGRAM), "show", "MP", "--json"], stdout=subprocess.PIPE, check=True).stdout
    return json.loads(listed)[0]["hash"]




@needs_program
class Served(FolderTest):
    @classmethod
    def setUpClass(cls):
        cls.hash = hash_of_mp()

    def setUp(self):
        super().setUp()
        self.store = self.folder / "results.db"
        self.start()

    def start(self, *options):
        self.server = subprocess.Popen([str(PROGRAM), "serve", "--store", str(self.store), "--port", "0", *options],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(self.server.stdout.close)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        self.port = urlsplit(self.server.stdout.readline().decode().strip()).port

    def connect(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self.addCleanup(connection.close)
        return connection

    def ask(self, method, path, body=None, connection=None, **headers):
        connection = connection or self.connect()
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, f"/api/1/{path}", body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        return answer.status, json.loads(text) if answer.getheader("Content-Type") == "application/json" else text

    def document(self, vendor="v", forbidden=0, number=0):
        outcomes = {"sequential": 990 - forbidden, "weak": 10, "forbidden": forbidden}
        run = {"test": "MP", "hash": self.hash, "environment": 0, "instances": 1000, "seconds": 0.5, "outcomes": outcomes}
        return {"format": 1, "device": {"vendor": vendor, "architecture": "a"}, "seed": number,
                "environments": ["basic"], "runs": [run]}

    def send(self, document, **more):
        body = document if isinstance(document, (bytes, str)) else json.dumps(document)
        return self.ask("POST", "submissions", body, Content_Type="application/json", **more)

    def rows(self, query=""):
        status, value = self.ask("GET", "results" + query)
        self.assertEqual(200, status, value)
        return value["rows"]

    def run_store(self, command, *words):
        done = subprocess.run([str(PROGRAM), "store", command, str(self.store), *words], stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout)

    def test_the_schema_describes_a_submission(self):
        schemas = Schemas(ROOT / "docs" / "schemas")
        self.assertEqual([], schemas.problems(self.document(), "submission.schema.json"))
        for wrong in [{**self.document(), "more": 1}, {**self.document(), "suite": "a" * 65}, {"format": 1}]:
            self.assertNotEqual([], schemas.problems(wrong, "submission.schema.json"))
            self.assertEqual(422, self.send(wrong)[0])
        self.assertEqual(201, self.send(self.document())[0])

    def test_a_row_is_shown_where_five_devices_share_it(self):
        tokens = []
        for number in range(5):
            self.assertEqual([], self.rows())
            status, value = self.send(self.document(number=number))
            self.assertEqual((201, "accepted"), (status, value["state"]))
            tokens.append(value["token"])
        self.send(self.document(vendor="rare"))
        row, = self.rows()
        self.assertEqual(("v", "a", "MP", 5, 5000, 50), tuple(
            row[name] for name in ["vendor", "architecture", "test", "devices", "instances", "weak"]))
        self.assertEqual(1, len(self.rows("?vendor=v&architecture=a&test=MP")))
        self.assertEqual([], self.rows("?vendor=rare"))
        self.assertIn('"v","a","MP"', self.ask("GET", "results.csv")[1])
        # One is deleted: nothing of it is left, and four are too few.
        self.assertEqual((200, {"deleted": True}), self.ask("DELETE", "submissions", Deletion_Token=tokens[0]))
        self.assertEqual(404, self.ask("DELETE", "submissions", Deletion_Token=tokens[0])[0])
        self.assertEqual([], self.rows())

    def test_a_deleted_submission_is_gone_from_the_file(self):
        status, value = self.send(self.document(vendor="peculiarvendor"))
        self.assertEqual(201, status)
        self.assertEqual(200, self.ask("DELETE", "submissions", Deletion_Token=value["token"])[0])
        self.server.send_signal(signal.SIGINT)
        self.assertEqual(0, self.server.wait(PATIENCE))
        for file in self.folder.iterdir():
            self.assertNotIn(b"peculiarvendor", file.read_bytes(), file)
            self.assertNotIn(value["token"].encode(), file.read_bytes(), file)

    def test_forbidden_outcomes_are_private(self):
        for number in range(6):
            status, value = self.send(self.document(forbidden=1, number=number))
            self.assertEqual((201, "withheld"), (status, value["state"]))
        self.assertEqual([], self.rows())
        self.assertEqual(0, self.ask("GET", "status")[1]["submissions"])
        # A person looks at them and releases five, while the server runs.
        listed = self.run_store("submissions", "--json")
        self.assertEqual(6, len(listed))
        self.assertEqual(1, json.loads(listed[0]["document"])["runs"][0]["outcomes"]["forbidden"])
        for one in listed[:5]:
            self.assertEqual([], self.rows())
            release = [str(PROGRAM), "store", "submissions", str(self.store), "--release", one["id"]]
            subprocess.run(release, stdout=subprocess.DEVNULL, check=True)
        row, = self.rows()
        self.assertEqual((5, 5), (row["devices"], row["forbidden"]))

    def test_bad_submissions_are_kept_apart(self):
        good = self.document()
        self.assertEqual(201, self.send(good)[0])
        text = json.dumps(good)
        generator = random.Random(1)
        bodies = [b"", b"{}", b"\xff\xfe", b"[" * 100000, b'{"format":1,"runs":[]}', text[:-1].encode(),
                  text.replace("1000", "1001").encode(), text.replace(self.hash, "0" * 32).encode(),
                  text.replace('"v"', '"\'); drop table submissions; --"').encode(),
                  text.replace("990", '"990"').encode(), text.replace("990", "1e999").encode(),
                  text.replace("basic", "/etc/passwd").encode()]
        for _ in range(200):
            noise = bytearray(text.encode())
            for _ in range(3):
                noise[generator.randrange(len(noise))] = generator.randrange(256)
            bodies.append(bytes(noise))
        stored = 1
        for body in bodies:
            status, value = self.send(body)
            self.assertIn(status, (201, 409, 422), body)
            stored += status == 201
            if status == 422:
                self.assertTrue(value["error"], body)
        self.assertLess(stored, 100, "noise within a free text may pass")
        self.assertEqual(stored, self.ask("GET", "status")[1]["submissions"])
        rejected = self.run_store("submissions", "--state", "rejected", "--json")
        self.assertGreater(len(rejected), 100)
        self.assertTrue(all(one["reason"] for one in rejected))
        self.assertEqual(409, self.send(good)[0], "a replay")
        self.assertEqual(413, self.send(b" " * (1 << 20) + b" ")[0])
        self.assertEqual(415, self.ask("POST", "submissions", text)[0])

    def test_only_our_own_names_and_pages(self):
        for name in ["attacker.example", f"attacker.example:{self.port}", "127.0.0.1"]:
            self.assertEqual(421, self.ask("GET", "status", Host=name)[0], name)
        for origin in ["https://attacker.example", "null"]:
            self.assertEqual(403, self.send(self.document(), Origin=origin)[0], origin)

    def statuses(self, count, **headers):
        answers = [self.ask("POST", "submissions", "{}", Content_Type="application/json", **headers)[0]
                   for _ in range(count)]
        return {status: answers.count(status) for status in set(answers)}

    def test_a_proxy_on_this_machine_is_not_this_machine(self):
        self.assertEqual({422: 30}, self.statuses(30))
        self.assertEqual({422: 20, 429: 10}, self.statuses(30, X_Forwarded_For="203.0.113.7"))
        self.assertEqual({429: 1}, self.statuses(1, X_Forwarded_For="203.0.113.8"), "nobody is believed")
        self.start("--behind-proxy", "127.0.0.1")
        self.assertEqual({422: 20, 429: 10}, self.statuses(30, X_Forwarded_For="203.0.113.7"))
        self.assertEqual({429: 1}, self.statuses(1, X_Forwarded_For="127.0.0.1, 203.0.113.7"), "made up")
        self.assertEqual({422: 1}, self.statuses(1, X_Forwarded_For="203.0.113.8"))

    def test_slow_and_half_open_clients_stall_nobody(self):
        others = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(50)]
        self.addCleanup(lambda: [one.close() for one in others])
        for one in others[::2]:
            one.sendall(b"POST /api/1/submissions HTTP/1.1\r\nContent-Length: 100000\r\n\r\n{")
        for one in others[::4]:
            one.shutdown(socket.SHUT_WR)
        connection = self.connect()
        start = time.monotonic()
        for number in range(20):
            self.assertEqual(201, self.send(self.document(number=number), connection=connection)[0])
        self.assertLess(time.monotonic() - start, 20)

    def test_two_thousand_connections_of_one_address_keep_nobody_out(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY and hard < 2200:
            self.skipTest("this process may not open so many")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2200), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for begun in (b"GET / HT", f"GET /api/1/status HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode()):
            others = []
            for _ in range(2000):
                others.append(socket.create_connection(("127.0.0.1", self.port)))
                others[-1].sendall(begun)
            start = time.monotonic()
            self.assertEqual(200, self.ask("GET", "status")[0])
            self.assertLess(time.monotonic() - start, 10)
            for one in others:
                one.close()

    def test_nothing_acknowledged_is_lost_when_the_server_is_killed(self):
        acknowledged = []

        def sender(first):
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            try:
                for number in range(first, first + 100000):
                    status, value = self.send(self.document(number=number), connection=connection)
                    if status == 201:
                        acknowledged.append(value["token"])
            except (OSError, http.client.HTTPException):
                pass
            finally:
                connection.close()

        threads = [threading.Thread(target=sender, args=(first,)) for first in (0, 1000000)]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        self.server.kill()
        for thread in threads:
            thread.join()
        self.server.wait()
        self.start()
        self.assertGreater(len(acknowledged), 0)
        for token in random.sample(acknowledged, min(50, len(acknowledged))):
            self.assertEqual(200, self.ask("DELETE", "submissions", Deletion_Token=token)[0])

    def test_a_store_of_somebody_else_is_refused(self):
        other = self.folder / "other.db"
        with sqlite3.connect(other) as database:
            database.execute("create table t (a)")
        database.close()
        done = subprocess.run([str(PROGRAM), "serve", "--store", str(other), "--port", "0"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(2, done.returncode, done.stderr)
        done = subprocess.run([str(PROGRAM), "serve", "--store", str(self.folder / "new.db"), "--port", str(self.port)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(3, done.returncode, done.stderr)
        self.assertIn(f"port {self.port} cannot be used", done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
