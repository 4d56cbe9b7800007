"""The chat: one question a line, stages as they happen, evidence to play, and a way back from a question too vague.

It keeps a recording, a brain and the last reply; all else is in the library. Ctrl-C stops a turn, Ctrl-D leaves.
"""
