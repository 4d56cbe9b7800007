"""The loop of a chat: a line is a question or a command; a turn may be stopped, and no error ends the chat."""

from agent.front.chat.commands import Leave, command
from agent.front.chat.talk import Talk
from agent.front.output import fault
from agent.threads.turns import STOPPED
from store.errors import Exit, OverheardError, ToolError


def run(talk: Talk) -> Exit:
    """Take lines until there are none, or /exit."""
    while (line := talk.read(talk.prompt())) is not None:
        try:
            if line.startswith("/"):
                command(talk, line)
            elif line:
                talk.question(line)
        except Leave:
            break
        except (OverheardError, ToolError) as error:
            talk.screen.warn(str(error))
        except BrokenPipeError:
            raise
        except Exception:
            fault()
        except KeyboardInterrupt:
            kept = bool(talk.dialogue.turns) and talk.dialogue.turns[-1]["status"] == STOPPED
            note = "stopped, and the question is kept" if kept else "stopped"
            talk.screen.note(f"{note}; ask the next question, or leave with Ctrl-D")
    return Exit.DONE
