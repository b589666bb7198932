"""Checks files against a grammar in CDDL.

Usage: check_grammar.py GRAMMAR FILE...

Needs the environment that setup-venv makes. Prints a line for each file: its name, and either "ok"
or what does not fit. The status is 1 if a file does not fit the grammar's first rule.
"""

import sys
from pathlib import Path

from cddl_verifier import Validator


def main(grammar, names):
    validator = Validator(Path(grammar))
    status = 0
    for name in names:
        result = validator.validate(Path(name).read_bytes())
        if result.valid:
            print(f"{name}: ok")
        else:
            faults = [f"{found.path_text}: {found.message}" for found in result.diagnostics]
            print(f"{name}: " + "; ".join(faults).replace("\n", " "))
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
