"""The commands, in the order of --help; each works. A new one is a file here and a word below."""

from agent.front.command import Command
from agent.front.commands import (
    ask,
    chat,
    check,
    demo,
    doctor,
    eval_,
    export,
    import_,
    ingest,
    list_,
    models,
    play,
    rm,
    serve_brain,
    show,
    speakers,
    sql,
    trace,
)

COMMANDS: tuple[Command, ...] = (
    demo.COMMAND,
    ingest.COMMAND,
    import_.COMMAND,
    list_.COMMAND,
    show.COMMAND,
    speakers.COMMAND,
    ask.COMMAND,
    chat.COMMAND,
    check.COMMAND,
    play.COMMAND,
    sql.COMMAND,
    export.COMMAND,
    rm.COMMAND,
    models.COMMAND,
    trace.COMMAND,
    serve_brain.COMMAND,
    doctor.COMMAND,
    eval_.COMMAND,
)
