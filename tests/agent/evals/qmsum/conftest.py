"""Three academic meetings of the split that is for tuning."""

from pathlib import Path

import pytest

from agent.evals.qmsum.meetings import Meeting, meetings

NAMES = ("Bed006", "Bmr009", "Bro012")


@pytest.fixture(scope="session")
def few(data: Path) -> list[Meeting]:
    found = {meeting.name: meeting for meeting in meetings(data / "qmsum" / "train")}
    return [found[name] for name in NAMES]
