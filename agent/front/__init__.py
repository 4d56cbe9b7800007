"""The fronts: command line, chat, rendering. They call `ask` and the library, never the graph's nodes."""
