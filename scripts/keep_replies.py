"""Keep a finished run's replies as a fixture that tests play again, with the scores it reached as floors.

    python -m scripts.keep_replies DIR tests/data/models/NAME.json

Look at DIR/replies.md first: what is kept holds the tests to these scores from then on.
"""

import json
import sys
from pathlib import Path

from agent.evals.models.kept import gather


def main(arguments: list[str]) -> None:
    """Write the fixture."""
    folder, path = map(Path, arguments)
    kept = gather(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(kept, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{path}: {len(kept['replies'])} questions of {kept['model']}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
