"""The command ``motifnet``."""

import signal
import sys

from ._motifnet import run_command


def main() -> int:
    """Runs the command line with the arguments of the process; gives the code to exit with."""
    # Python only notes a Ctrl-C and acts on it when its own code runs, which here is never.
    # What is ignored at the start, as in the background of a script, stays so.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["motifnet", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
