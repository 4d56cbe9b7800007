"""Every text that is sent to a model is a file here, one for each node that talks to one.

A file is filled in one pass, so that nothing inside a value is ever taken for a variable.
"""

import re
from pathlib import Path

_VARIABLE = re.compile(r"\{\{(\w+)\}\}")


def load(name: str, **values: str) -> str:
    """Give the prompt `name`.md with its {{variables}} filled; KeyError when one is undefined or a value unused."""
    text = (Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8").strip()
    wanted = set(_VARIABLE.findall(text))
    if wanted != values.keys():
        missing, unused = sorted(wanted - values.keys()), sorted(values.keys() - wanted)
        raise KeyError(f"prompt {name}: undefined {missing}, not used {unused}")
    return _VARIABLE.sub(lambda found: values[found[1]], text)
