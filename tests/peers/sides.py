"""The programs of both sides, which answer batches of questions. axe is started for each batch. The
public implementation stays alive, because its import takes seconds.
"""

import atexit
import json
import os
import select
import subprocess

# Seconds after which a program without an answer counts as hanging.
PATIENCE = 120


class Ours:
    """`axe eval`: each line of input has one line of answer."""

    def __init__(self, command):
        self.command = command

    def ask(self, lines):
        run = subprocess.run(self.command, input="".join(line + "\n" for line in lines),
                             stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, timeout=PATIENCE * 10)
        answers = run.stdout.splitlines()
        if len(answers) != len(lines):
            raise RuntimeError(
                f"{self.command[0]} answered {len(answers)} of {len(lines)} lines, exit code {run.returncode}: {run.stderr[-300:]}")
        return answers


class Theirs:
    """theirs.py, which reads and writes JSON. If it dies or hangs, the current question is answered
    with ["died", why], and theirs.py is started again.
    """

    def __init__(self, command):
        self.command, self.process, self.begun = command, None, b""
        atexit.register(self.stop)

    def start(self):
        self.begun = b""
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def next_line(self):
        """Returns a line, or None at the end of the output or after PATIENCE seconds."""
        out = self.process.stdout.fileno()
        while b"\n" not in self.begun:
            if not select.select([out], [], [], PATIENCE)[0]:
                return None
            more = os.read(out, 1 << 16)
            if not more:
                return None
            self.begun += more
        line, self.begun = self.begun.split(b"\n", 1)
        return line

    def cause(self):
        try:
            return f"exit code {self.process.wait(timeout=5)}"
        except subprocess.TimeoutExpired:
            return f"no answer for {PATIENCE} s"

    def ask(self, questions):
        answers, deaths = [], 0
        while len(answers) < len(questions):
            if self.process is None:
                self.start()
            before = len(answers)
            try:
                self.process.stdin.write(json.dumps(questions[before:]).encode() + b"\n")
                self.process.stdin.flush()
                while len(answers) < len(questions):
                    line = self.next_line()
                    if line is None:
                        break
                    answers.append(json.loads(line))
            except BrokenPipeError:
                pass
            if len(answers) == len(questions):
                break
            answers.append(["died", self.cause()])
            self.stop()
            deaths += 1
            if deaths > 20 and deaths == len(answers):
                raise RuntimeError(f"{' '.join(self.command)} does not run")
        return answers
