"""Clustering against known voices, an exhaustive oracle, told numbers, and lengths no full matrix could have."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tools.speaker.recognisers import clustering
from tools.speaker.recognisers.clustering import BLOCK, Bounds, cluster

Array = NDArray[np.float32]


def voices(count: int, each: int, noise: float, seed: int = 0) -> tuple[Array, NDArray[np.int64]]:
    """Unit vectors around `count` random directions, shuffled, and whose they are."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(count, 192))
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    owner = rng.permutation(np.repeat(np.arange(count), each))
    made = centres[owner] + rng.normal(0, noise / np.sqrt(192), (len(owner), 192))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32), owner


def same_partition(one: NDArray[np.int64], two: NDArray[np.int64]) -> bool:
    pairs = len(set(zip(one.tolist(), two.tolist(), strict=True)))
    return pairs == len(set(one.tolist())) == len(set(two.tolist()))


def slow_centroid_linkage(vectors: Array, weights: Array, bounds: Bounds) -> NDArray[np.int64]:
    """Weighted centroid linkage by its definition: the cosine of the weighted sums, over the roots of their surety."""
    groups = [[n] for n in range(len(vectors))]

    def alike(a: list[int], b: list[int]) -> float:
        one, two = ((vectors[group] * weights[group, None]).sum(0) for group in (a, b))
        mass = [float(weights[group].sum()) for group in (a, b)]
        sure = [each / (each + bounds.doubt) for each in mass]
        return float(one @ two / np.linalg.norm(one) / np.linalg.norm(two) / np.sqrt(sure[0] * sure[1]))

    while len(groups) > bounds.fewest:
        value, i, j = max((alike(a, b), -i, -j) for i, a in enumerate(groups) for j, b in enumerate(groups) if i < j)
        if value < bounds.similarity and (bounds.most is None or len(groups) <= bounds.most):
            break
        groups[-i] += groups[-j]
        del groups[-j]
    labels = np.empty(len(vectors), np.int64)
    for label, group in enumerate(groups):
        labels[group] = label
    return labels


@settings(deadline=None)
@given(
    count=st.integers(1, 14),
    seed=st.integers(0, 10_000),
    similarity=st.floats(-0.1, 0.9),
    most=st.none() | st.integers(1, 5),
    fewest=st.integers(1, 3),
    doubt=st.floats(0, 3),
)
def test_it_is_centroid_linkage(
    count: int, seed: int, similarity: float, most: int | None, fewest: int, doubt: float
) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(count, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    weights = rng.uniform(0.1, 5, count).astype(np.float32)
    bounds = Bounds(similarity, min(fewest, most or fewest), most, doubt=doubt)
    found = cluster(vectors, weights, bounds, safe=0.9)
    assert same_partition(found, slow_centroid_linkage(vectors, weights, bounds))


@settings(deadline=None)
@given(
    count=st.integers(1, 60),
    wanted=st.integers(1, 12),
    seed=st.integers(0, 10_000),
    noise=st.floats(0.05, 3),
    block=st.sampled_from([4, 20, BLOCK]),
)
def test_a_number_of_voices_that_is_told_holds(count: int, wanted: int, seed: int, noise: float, block: int) -> None:
    vectors, _ = voices(min(count, 5), -(-count // min(count, 5)), noise, seed)
    weights = np.random.default_rng(seed).uniform(0.05, 5, len(vectors)).astype(np.float32)
    bounds = Bounds(0.5, wanted, wanted, doubt=3.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clustering, "BLOCK", block)
        found = cluster(vectors, weights, bounds, safe=0.7)
    assert len(set(found.tolist())) == min(wanted, len(vectors))


def test_little_speech_is_taken_to_be_less_alike_than_it_sounds() -> None:
    base = np.eye(2, 192, dtype=np.float32)
    short = base[0] * 0.45 + base[1] * np.sqrt(1 - 0.45**2)
    vectors = np.stack([base[0], base[0], short]).astype(np.float32)
    weights = np.array([5, 5, 1], np.float32)
    assert cluster(vectors, weights, Bounds(0.55), safe=0.7).tolist() == [0, 0, 1]
    assert cluster(vectors, weights, Bounds(0.55, doubt=3.0), safe=0.7).tolist() == [0, 0, 0]
    assert cluster(vectors, np.full(3, 60, np.float32), Bounds(0.55, doubt=3.0), safe=0.7).tolist() == [0, 0, 1]


def test_what_is_joined_already_stays_joined() -> None:
    vectors = np.eye(3, 192, dtype=np.float32)[[0, 1, 1, 2]]
    begin = np.array([0, 0, 1, 2])
    assert cluster(vectors, np.ones(4, np.float32), Bounds(0.5), safe=0.9, begin=begin).tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("count", [1, 2, 9, 40])
def test_voices_are_told_apart_over_many_blocks(count: int) -> None:
    vectors, owner = voices(count, 3 * BLOCK // count + 5, noise=0.8)
    assert len(vectors) > 2 * BLOCK
    found = cluster(vectors, np.ones(len(vectors), np.float32), Bounds(0.35), safe=0.6)
    assert same_partition(found, owner)


def test_twenty_thousand_vectors_are_clustered() -> None:
    vectors, owner = voices(12, 1667, noise=0.9)
    found = cluster(vectors, np.ones(len(vectors), np.float32), Bounds(0.35), safe=0.6)
    assert same_partition(found, owner)


def test_no_matrix_exceeds_a_block() -> None:
    vectors, _ = voices(5, 600, noise=0.9)
    tracemalloc.start()
    cluster(vectors, np.ones(len(vectors), np.float32), Bounds(0.35), safe=0.6)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < len(vectors) ** 2 * 4 / 2  # half of the full float32 matrix


def test_a_voice_of_one_vector_stays_a_voice() -> None:
    vectors, owner = voices(3, 200, noise=0.5)
    lone = np.zeros((1, 192), np.float32)
    lone[0, 0] = 1
    found = cluster(np.concatenate([vectors, lone]), np.ones(601, np.float32), Bounds(0.35), safe=0.6)
    assert same_partition(found, np.append(owner, 3))


@pytest.mark.parametrize(("fewest", "most", "wanted"), [(1, None, 4), (4, 4, 4), (1, 2, 2), (6, None, 6), (6, 6, 6)])
def test_the_number_of_voices_can_be_bounded(fewest: int, most: int | None, wanted: int) -> None:
    vectors, _ = voices(4, 20, noise=0.6)
    found = cluster(vectors, np.ones(80, np.float32), Bounds(0.35, fewest, most), safe=0.95)
    assert len(set(found.tolist())) == wanted


def test_nothing_gives_nothing() -> None:
    assert cluster(np.empty((0, 192), np.float32), np.empty(0, np.float32), Bounds(0.3), safe=0.6).tolist() == []
