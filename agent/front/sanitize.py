"""The one `sanitize` of everything Overheard did not write itself, as every front uses it."""

from tools.sanitize import escaped_json, one_line, sanitize

__all__ = ["escaped_json", "one_line", "sanitize"]
