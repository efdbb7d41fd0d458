# SPDX-License-Identifier: MIT
"""A Slurm cluster of our own on loopback, for tests: two nodes, each with fake GPUs."""
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

NODES = ("n1", "n2")
CONFIGURATION = """
ClusterName=weakspot
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdSpoolDir={folder}/spool-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
GresTypes=gpu
ReturnToService=2
SwitchType=switch/none
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=8 Gres=gpu:2
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=8 Gres=gpu:2
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    listeners = [socket.socket() for _ in range(count)]
    for listener in listeners:
        listener.bind(("127.0.0.1", 0))
    ports = [listener.getsockname()[1] for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports


class Slurm:
    """Runs until stop(). `problem` says why there is none."""

    def __init__(self):
        self.processes = []
        self.folder = None
        self.problem = self.missing()
        if self.problem:
            return
        self.folder = Path(tempfile.mkdtemp(prefix="weakspot-slurm-"))
        for name in ("state", *(f"spool-{node}" for node in NODES)):
            (self.folder / name).mkdir()
        (self.folder / "munge.key").write_bytes(secrets.token_bytes(128))
        (self.folder / "munge.key").chmod(0o400)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname(), folder=self.folder, ports=free_ports(3)))
        # Any file will do for a card that nobody opens.
        for card in ("card0", "card1"):
            (self.folder / card).touch()
        (self.folder / "gres.conf").write_text(f"NodeName=n[1-2] Name=gpu File={self.folder}/card[0-1]\n")
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}
        self.start("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket",
                   f"--key-file={self.folder}/munge.key", f"--pid-file={self.folder}/munged.pid",
                   f"--seed-file={self.folder}/munge.seed", f"--log-file={self.folder}/munge.log")
        self.wait_for(lambda: (self.folder / "munge.socket").exists())
        self.start("slurmctld", "-D", "-i")
        for node in NODES:
            self.start("slurmd", "-D", "-N", node)
        self.wait_for(lambda: self.run("sinfo", "-h", "-o", "%t").stdout.decode().split() == ["idle"])

    @staticmethod
    def missing():
        if os.geteuid() != 0:
            return "Slurm with two nodes on one machine needs root"
        for program in ("munged", "slurmctld", "slurmd", "sbatch"):
            if not shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin"):
                return f"{program} is not installed (tools/setup test)"
        return ""

    def start(self, program, *arguments):
        path = shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin")
        with open(self.folder / "log", "ab") as log:
            self.processes.append(subprocess.Popen([path, *arguments], cwd=self.folder, env=self.environment,
                                                   stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def run(self, *command):
        return subprocess.run(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60)

    def wait_for(self, condition):
        for _ in range(300):
            if self.problem or condition():
                return
            time.sleep(0.1)
        self.problem = "Slurm did not start: " + (self.folder / "log").read_text(errors="replace")[-1500:]

    def stop(self):
        if self.folder is None:
            return
        if not self.problem:
            self.run("scancel", "--signal=KILL", "--user=root")
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
