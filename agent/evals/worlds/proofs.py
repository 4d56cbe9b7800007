"""A refusal's proof is believed only when it can be had again: every count by its own SQL, behind the same fence."""

from agent.library import Library
from agent.reply import Reply
from store import recordings
from store.catalog import catalog
from tools.call import Session


def broken(reply: Reply, library: Library) -> str | None:
    """Say what does not hold about a refusal's counts; None when all come out the same again."""
    refusal = reply.refusal
    if refusal is None:
        return None
    written = refusal.searched.get("sql", {})
    if set(written) != set(refusal.counts):
        return f"counts of {sorted(refusal.counts)} with SQL for {sorted(written)}"
    with library.database.reader() as connection:
        scope = catalog(connection, [recordings.find(connection, one) for one in refusal.searched["recordings"]])
    with Session(library.database, scope) as session:
        for name, sql in written.items():
            again = session.recount(sql, refusal.searched.get("keywords", ()))
            if again != refusal.counts[name]:
                return f"{name}: {refusal.counts[name]} was told, {again} is found"
    return _not_shown(reply)


def _not_shown(reply: Reply) -> str | None:
    """Say what a proof does not show: that nothing fits, and which constraints cannot hold together."""
    refusal = reply.refusal
    if refusal is None or refusal.reason not in ("not_said_by_speaker", "speaker_absent_in_range"):
        return None
    if refusal.counts.get("all") != 0:
        return f"refused although {refusal.counts.get('all')} rows fit"
    if not refusal.searched.get("minimal"):
        return "no constraint is named that cannot hold"
    return None
