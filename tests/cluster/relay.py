"""A relay of TCP connections in this process, which notes when each piece of an answer passes."""
import json
import socket
import threading
import time


class Relay:
    """Listens on a port and passes everything on to another one, in both directions."""

    def __init__(self, port):
        self.target, self.passed = port, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            for one in (client, server):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.copy, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self.copy, args=(server, client, True), daemon=True).start()

    def copy(self, source, target, noted):
        try:
            while piece := source.recv(1 << 16):
                if noted:
                    self.passed.append((time.perf_counter(), piece))
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def tokens(self):
        """Returns the ids of the tokens that passed in a stream, each with the time at which its event had passed."""
        found, buffer = [], b""
        for at, piece in list(self.passed):
            buffer += piece
            while b"\n\n" in buffer:
                event, buffer = buffer.split(b"\n\n", 1)
                if b"data: {" not in event:
                    continue
                chunk = json.loads(event[event.index(b"data: {") + 6 :])
                if "token_ids" in str(chunk.get("choices")):
                    found += [(id, at) for choice in chunk["choices"] for id in choice.get("token_ids") or []]
        return found
