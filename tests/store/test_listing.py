import pytest

from store.listing import listed


@pytest.mark.parametrize(
    ("count", "line"),
    [(0, ""), (1, "1"), (3, "1, 2, 3"), (4, "1, 2, 3 and 1 more"), (9, "1, 2, 3 and 6 more")],
)
def test_a_list_is_one_line_of_the_first_few(count: int, line: str) -> None:
    assert listed(range(1, count + 1), 3) == line
