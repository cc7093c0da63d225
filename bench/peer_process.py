"""A peer in a process of its own, which reads commands and answers each, one JSON object a line. Its first answer says that it is ready.

Between its answers the process is stopped: threads of libraries that wait for work in a loop, as OpenBLAS's do for a tenth of a
second and longer, would take a core from the peer whose turn it is."""

import ctypes
import json
import select
import signal
import subprocess

PR_SET_PDEATHSIG = 1


class PeerProcess:
    """`options` are those of subprocess.Popen. One that takes longer than `longest` seconds over an answer is begun anew."""

    def __init__(self, command, log, longest, **options):
        self.command, self.log, self.longest = command, open(log, "w"), longest
        prepare, libc = options.pop("preexec_fn", None), ctypes.CDLL(None)

        def before():
            # Nobody would wake a stopped process whose benchmark has ended.
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if prepare:
                prepare()

        self.options = dict(options, preexec_fn=before)
        self.begin()

    def begin(self):
        self.took_too_long = False
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True, **self.options)
        # Before it answers for the first time nothing is begun anew.
        self.ready = self.line() or {}

    def line(self):
        """The next answer; None when the process has ended, or took too long and was ended."""
        # An answer is one line, so nothing of it waits in the buffer of the text.
        if not select.select([self.process.stdout], [], [], self.longest)[0]:
            self.took_too_long = True
            self.process.kill()
            self.process.wait()
            return None
        line = self.process.stdout.readline()
        self.process.send_signal(signal.SIGSTOP)
        return json.loads(line) if line else None

    def ask(self, **command):
        self.process.send_signal(signal.SIGCONT)
        try:
            print(json.dumps(command), file=self.process.stdin, flush=True)
        except BrokenPipeError:
            pass
        answer = self.line()
        if answer is not None:
            return answer
        if not self.took_too_long:
            return {"error": f"its process ended; {self.log.name} says why"}
        self.begin()
        return {"error": f"it took longer than {self.longest} s"}

    def end(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.close()
        self.process.wait()
        self.log.close()
