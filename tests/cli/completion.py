#!/usr/bin/env python3
"""Tests that bash completes the words of a command line with the script of `axe completion bash`.
"""

import shlex
import subprocess
import sys

import program

CASES = (
    (["axe", "ma"], {"map"}),
    (["axe", "--v"], {"--version"}),
    (["axe", "plan", "co"], {"copy", "convert"}),
    (["axe", "plan", "--sc"], {"--scope", "--scratch"}),
    (["axe", "map", "--sh"], {"--shape"}),
    (["axe", "eval", "--js"], {"--json"}),
    (["axe", "draw", "--co"], {"--color"}),
    (["axe", "not"], {"notation"}),
    (["axe", "notation", "--a"], {"--as", "--axis"}),
    (["axe", "eval", "--a"], {"--as", "--axis"}),
    (["axe", "draw", "t"], {"tma"}),
    (["axe", "draw", "re"], {"reshard"}),
    (["axe", "map", "--ax"], {"--axis"}),
    (["axe", "explain", "--s"], {"--steps"}),
    (["axe", "completion", ""], {"bash", "fish", "zsh", "--help"}),
    (["axe", "nowhere", "--"], set()),
)


def completed(script, words):
    quoted = " ".join(map(shlex.quote, words))
    ask = (f"{script}\nCOMP_WORDS=({quoted})\nCOMP_CWORD={len(words) - 1}\n"
           "_axe\nprintf '%s\\n' \"${COMPREPLY[@]}\"")
    done = subprocess.run(["bash", "--norc", "-c", ask], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def main():
    wrong = 0
    script = program.asked("completion", "bash")
    for words, expected in CASES:
        found = completed(script, words)
        if found != expected:
            print(f"{' '.join(words)}: expected {expected}, completed {found}")
            wrong += 1
    if program.asked("completion", "zsh").split("\n", 1)[1] != script:
        print("the script for zsh is not the one for bash")
        wrong += 1
    fish = program.asked("completion", "fish")
    if 'complete -c axe -n "__fish_seen_subcommand_from plan" -a copy\n' not in fish:
        print(f"fish: {fish}")
        wrong += 1
    code, out, err = program.run(["completion", "csh"])
    if code != 2 or out or "bash, zsh or fish" not in err:
        print(f"csh: {code} {out} {err}")
        wrong += 1
    print(f"{len(CASES)} lines, {wrong} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
