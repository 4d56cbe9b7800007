"""A short meeting, written down by hand: three voices, five sounds, moods; for brains to be asked about."""

from store import recordings, streams
from store.catalog import Catalog, catalog
from store.database import Database
from store.record import Emotion, Event, Segment, Turn

# start, speaker, text; each segment lasts until 300 ms before the next.
SAID = """
0.0|Ada|Good morning, shall we start? I am recording this for Nora, who cannot be here.
5.2|Ben|Morning. My train was late again, sorry.
9.0|Chloe|Fine by me, I have until eleven.
12.4|Ada|First point, the launch. We planned it for the third of May.
18.0|Ben|That will not work. The payment module still fails in one test out of ten.
24.5|Ada|One out of ten? Last week you told us it was fixed.
29.0|Ben|It was fixed on the old server. The new server has a different certificate, and the bank rejects it.
36.8|Chloe|So the certificate is the problem, not the module?
40.1|Ben|Yes, the certificate. We wait for the bank to accept the new one, and they need two weeks.
47.0|Ada|Then I propose that we postpone the launch to the seventeenth of May.
52.3|Chloe|The seventeenth is a public holiday in Norway. Take the eighteenth.
57.9|Ada|Good, the eighteenth of May then. Any objections? No. Decided.
64.0|Ben|Thank you, that helps a lot.
67.1|Ada|Second point, the budget. Chloe?
70.0|Chloe|We have spent forty thousand of fifty five thousand euros. The rest must last until September.
78.4|Ben|I would like to hire a tester for three months, that is about nine thousand.
84.6|Chloe|I am against it. If we hire a tester, there is nothing left for the trade fair.
91.0|Ada|I see it differently. Without a tester we will postpone again, and that costs more than the fair.
98.2|Chloe|The trade fair brought us eleven customers last year, Ada. Eleven!
104.0|Ben|And half of them left because of the payment module.
108.5|Chloe|That is not fair, Ben.
111.0|Ada|Let us not argue. We decide about the tester next week, when Nora is back.
117.3|Ben|All right. Next week.
120.0|Ada|Third point, the office. The lift is broken and the heating is loud.
126.0|Chloe|The landlord promised to repair the lift by Friday. I called him yesterday.
132.2|Ben|He promised that in January too.
135.5|Ada|Could we move? There is a free floor in the building of the library.
141.0|Chloe|The rent there is two thousand one hundred a month, three hundred more than here.
148.4|Ben|I would pay that just for a lift that works.
152.9|Ada|Ben, can you ask the library for a visit?
156.7|Ben|I will write to them today.
160.0|Chloe|That is my phone, sorry. I have to take this.
164.2|Ada|No problem, we are nearly done.
167.5|Ben|One more thing, the invoice from the designer. Eight hundred euros, and nobody paid it.
174.8|Ada|I thought Chloe had paid it.
177.5|Ben|She says she never got it.
181.0|Ada|Then send it to her again, please. Thank you both, see you next week.
187.0|Ben|Bye.
"""
END = 189_000
EVENTS = (
    Event(8_000, 8_900, "Door", 0.81),
    Event(110_500, 110_950, "Door", 0.64),
    Event(122_000, 124_000, "Drill", 0.72),
    Event(157_500, 160_500, "Telephone bell ringing", 0.93),
    Event(187_600, 188_900, "Laughter", 0.77),
)
FELT = {
    24.5: "anger",
    64.0: "happiness",
    84.6: "anger",
    98.2: "anger",
    108.5: "sadness",
    132.2: "anger",
    187.0: "happiness",
}


def segments() -> list[Segment]:
    rows = [line.split("|") for line in SAID.strip().splitlines()]
    starts = [round(float(start) * 1000) for start, _, _ in rows] + [END + 300]
    return [
        Segment(t0, after - 300, text, who, score=0.9)
        for t0, after, (_, who, text) in zip(starts, starts[1:], rows, strict=False)
    ]


def meeting(database: Database, *, emotions: bool = True) -> Catalog:
    """Put the meeting into a library and give its catalog."""
    said = segments()
    felt = [Emotion(s.t0, s.t1, FELT.get(s.t0 / 1000, "neutral"), 0.8, s.speaker) for s in said]
    new = recordings.NewRecording("c0ffee00" + "0" * 56, "Monday meeting", "import", END)
    with database.writing() as connection:
        recording = recordings.add(connection, new)
        given = {"speaker": [Turn(s.t0, s.t1, str(s.speaker), 0.9) for s in said], "transcript": said, "events": EVENTS}
        for kind, rows in (given | ({"emotion": felt} if emotions else {})).items():
            version = streams.new_version(connection, recording.id, kind, streams.Source("hand", {}))  # type: ignore[arg-type]
            streams.publish(connection, version, list(rows))  # type: ignore[call-overload]
        connection.execute("UPDATE recording SET heard_ms = duration_ms, state = 'ready' WHERE id = ?", (recording.id,))
    with database.reader() as connection:
        return catalog(connection, recordings.every(connection))
