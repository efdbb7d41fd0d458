# SPDX-License-Identifier: MIT
"""Two hosts on one machine, for tests: network namespaces, each with a cable to this one and a name of its own."""
import os
import shutil
import subprocess

# Addresses for tests of networks (RFC 2544), which no real network has.
NETWORK = "198.18.0.0/15"


class Host:
    def __init__(self, number):
        self.name = f"host{number}"
        self.space = f"weakspot-{os.getpid()}-{number}"
        self.cable = f"ws{os.getpid()}-{number}"
        self.gateway = f"198.18.{number}.1"  # this machine, as the host sees it
        self.address = f"198.18.{number}.2"

    def start(self):
        inner = self.cable + "i"
        for arguments in (["netns", "add", self.space],
                          ["link", "add", self.cable, "type", "veth", "peer", "name", inner, "netns", self.space],
                          ["addr", "add", self.gateway + "/30", "dev", self.cable],
                          ["link", "set", self.cable, "up"],
                          ["-n", self.space, "addr", "add", self.address + "/30", "dev", inner],
                          ["-n", self.space, "link", "set", inner, "up"]):
            done = subprocess.run(["ip", *arguments], stderr=subprocess.PIPE)
            if done.returncode != 0:
                return f"ip {' '.join(arguments)}: {done.stderr.decode().strip()}"
        return ""

    def command(self, command):
        """The command, to be run on the host."""
        return ["ip", "netns", "exec", self.space, "unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"',
                self.name, *command]

    def plug(self, is_in):
        """Pulls the cable out, or puts it back."""
        subprocess.run(["ip", "link", "set", self.cable, "up" if is_in else "down"], check=True)

    def stop(self):
        # The cable goes with its inner end.
        subprocess.run(["ip", "netns", "del", self.space], stderr=subprocess.DEVNULL)


class Hosts:
    """Live until stop(). `problem` says why there are none."""

    def __init__(self, count=2):
        self.hosts = []
        self.problem = ""
        if os.geteuid() != 0:
            self.problem = "network namespaces need root"
        elif not shutil.which("ip"):
            self.problem = "ip is not installed (tools/setup test)"
        for number in range(1, count + 1):
            if not self.problem:
                self.hosts.append(Host(number))
                self.problem = self.hosts[-1].start()

    def stop(self):
        for host in self.hosts:
            host.stop()
