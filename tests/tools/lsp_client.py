# SPDX-License-Identifier: MIT
"""A client of the language server for tests: frames, requests, and what the server has sent."""
import json
import queue
import subprocess
import threading


def framed(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Client:
    """Starts a server and talks to it. Messages that are not replies to ask() are kept in `heard`."""

    def __init__(self, command, timeout=60):
        self.timeout = timeout
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.messages = queue.Queue()
        self.heard = []
        self.last_id = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        stream = self.process.stdout
        while True:
            length = None
            while (line := stream.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length is None:
                self.messages.put(None)
                return
            self.messages.put(json.loads(stream.read(length)))

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(framed({"jsonrpc": "2.0", **message}))

    def notify(self, method, params=None):
        self.send({"method": method, "params": params or {}})

    def start_request(self, method, params=None):
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params or {}})
        return self.last_id

    def next_message(self):
        message = self.messages.get(timeout=self.timeout)
        if message is None:
            raise EOFError("the server has ended")
        return message

    def reply(self, request):
        while True:
            message = self.next_message()
            if message.get("id") == request and "method" not in message:
                return message
            self.heard.append(message)

    def ask(self, method, params=None):
        return self.reply(self.start_request(method, params))

    def diagnostics(self, uri, version):
        """What is published about this version of a document."""
        def wanted(message):
            params = message.get("params") or {}
            return (message.get("method") == "textDocument/publishDiagnostics" and params.get("uri") == uri
                    and params.get("version") == version)
        while True:
            for message in self.heard:
                if wanted(message):
                    return message["params"]["diagnostics"]
            self.heard.append(self.next_message())

    def initialize(self, options=None, capabilities=None):
        reply = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities or {},
                                        "initializationOptions": options or {}})
        self.notify("initialized")
        return reply["result"]

    def open(self, uri, text, language="litmus"):
        self.notify("textDocument/didOpen",
                    {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}})

    def end(self):
        """Asks the server to end; its exit code."""
        self.ask("shutdown")
        self.notify("exit")
        return self.wait()

    def wait(self):
        self.process.stdin.close()
        code = self.process.wait(timeout=self.timeout)
        self.process.stdout.close()
        return code

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            stream.close()
