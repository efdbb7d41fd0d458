# SPDX-License-Identifier: MIT
"""A server of PostgreSQL of our own on loopback, for tests; it also listens to hosts that a test makes."""
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path


class Postgres:
    """Runs until stop(). `problem` says why there is none."""

    def __init__(self, network=""):
        """`network` may connect as well, such as 198.18.0.0/15."""
        self.listen = "*" if network else "127.0.0.1"
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        self.process = None
        self.problem = "" if found else "PostgreSQL is not installed (tools/setup test)"
        if self.problem:
            return
        self.programs = Path(found[-1]).parent
        self.folder = Path(tempfile.mkdtemp(prefix="weakspot-postgres-"))
        self.user = {}
        if os.geteuid() == 0:
            try:
                owner = pwd.getpwnam("postgres")
            except KeyError:
                self.problem = "PostgreSQL does not run as root, and there is no user postgres"
                return
            self.user = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        self.data = self.folder / "data"
        made = self.run("initdb", "-A", "trust", "-N", "-U", "postgres", "-E", "UTF8", "--locale=C", "-D", self.data)
        if made.returncode != 0:
            self.problem = made.stderr.decode()
            return
        if network:
            with open(self.data / "pg_hba.conf", "a") as rules:
                rules.write(f"host all all {network} trust\n")
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        self.start()

    def run(self, program, *arguments):
        return subprocess.run([self.programs / program, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, **self.user)

    def start(self):
        for _ in range(100):
            with open(self.folder / "log", "ab") as log:
                self.process = subprocess.Popen(
                    [self.programs / "postgres", "-D", self.data, "-p", str(self.port), "-k", self.data,
                     "-c", f"listen_addresses={self.listen}"], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log,
                    stderr=log, **self.user)
            while self.process.poll() is None:
                if self.run("pg_isready", "-h", "127.0.0.1", "-p", str(self.port)).returncode == 0:
                    return
                time.sleep(0.02)
            time.sleep(0.1)  # processes of a server that was killed may still hold its memory
        self.problem = (self.folder / "log").read_text()[-2000:]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def database(self, name):
        """The address of a new, empty database."""
        made = self.run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", name)
        if made.returncode != 0:
            raise RuntimeError(made.stderr.decode())
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def stop(self):
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()
        if not self.problem:
            shutil.rmtree(self.folder, ignore_errors=True)
