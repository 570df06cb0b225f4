"""Models that are damaged, or made to do harm: each is refused, and nothing in them is run."""

import hashlib
import json
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rummy_env.baselines.model_card import ModelCard
from rummy_env.baselines.saved import SavedPolicy
from tests.accidents import Explosive
from tests.models import KINDS, SMALL_RULES, asked, untrained


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return untrained(SMALL_RULES, tmp_path / "small.npz")


@pytest.fixture(params=KINDS)
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A model of each kind of network."""
    network, reads = KINDS[request.param]
    return untrained(SMALL_RULES, tmp_path / "small.npz", network=network, reads=reads)


def rewritten(model: Path, **arrays: Any) -> None:
    """Puts arrays in place of some of a model's; None leaves one out."""
    kept = {**SavedPolicy(model).arrays, **arrays}
    np.savez(model, **{name: some for name, some in kept.items() if some is not None})


def test_a_pickle_in_a_model_is_never_run(either: Path, tmp_path: Path) -> None:
    mark, *_, last = tmp_path / "ran", *SavedPolicy(either).arrays
    rewritten(either, **{last: np.array([Explosive(mark)], object)})
    with pytest.raises(ValueError, match=rf"small\.npz: .*'{last}' is object"):
        SavedPolicy(either)
    assert not mark.exists()


def test_numbers_that_overflow_are_refused_before_they_choose(either: Path) -> None:
    huge = {name: some * np.float32(1e38) for name, some in SavedPolicy(either).arrays.items()}
    rewritten(either, **{name: np.clip(some, -3e38, 3e38) for name, some in huge.items()})
    with pytest.raises(ValueError, match=r"small\.npz: its numbers are so large"):
        asked(SavedPolicy(either), SMALL_RULES)


BIAS = np.zeros(16, np.float32)
WRONG_ARRAYS: dict[str, tuple[Any, str]] = {
    "missing": (None, "the array 'bias_0' is missing"),
    "shape": (BIAS[:15], r"'bias_0' is float32\(15,\), not float32\(16,\)"),
    "axes": (BIAS[None], r"'bias_0' is float32\(1, 16\), not"),
    "dtype": (BIAS.astype(np.float64), r"'bias_0' is float64\(16,\), not float32"),
    "text": (np.full(16, "text"), r"'bias_0' is <U4\(16,\), not float32"),
    "NaN": (np.full(16, np.nan, np.float32), "'bias_0' has entries that are not finite"),
    "infinite": (np.full(16, np.inf, np.float32), "'bias_0' has entries that are not finite"),
    "large": (np.zeros(1 << 18, np.float32), "larger than the .* numbers of its card"),
}


@pytest.mark.parametrize("case", WRONG_ARRAYS)
def test_arrays_that_are_not_those_of_the_card_are_refused(model: Path, case: str) -> None:
    array, words = WRONG_ARRAYS[case]
    rewritten(model, bias_0=array)
    with pytest.raises(ValueError, match=rf"small\.npz: .*{words}.*copy both files again"):
        SavedPolicy(model)


def packed(model: Path, content: bytes, method: int = zipfile.ZIP_DEFLATED) -> None:
    """Makes a model of one member, as raw bytes."""
    with zipfile.ZipFile(model, "w", method) as archive:
        archive.writestr("weight_0.npy", content)


def header(shape: str) -> bytes:
    """The head of an array, as a file of NumPy has it."""
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


FILES: dict[str, tuple[Callable[[Path], Any], str]] = {
    "no archive": (lambda path: path.write_text("no zip"), "is not a zip"),
    "empty": (lambda path: path.write_bytes(b""), "is not a zip"),
    "npy": (lambda path: path.write_bytes(header("(16,)") + bytes(64)), "is not a zip"),
    "another archive": (lambda path: packed(path, b"here"), "magic string"),
    "bomb": (lambda path: packed(path, bytes(1 << 25)), "'weight_0' is larger than"),
    "absurd shape": (lambda path: packed(path, header(f"({1 << 50},)")), "'weight_0' is float32"),
    "no shape": (lambda path: packed(path, header("'much'")), "shape is not valid"),
    "cut short": (lambda path: packed(path, header("(609, 16)")), "EOF|expected"),
    "lzma": (lambda path: packed(path, b"", zipfile.ZIP_LZMA), "in a way that is not read"),
    "version": (
        lambda path: packed(path, header("(16,)").replace(b"\x01\x00", b"\x03\x00", 1)),
        "of another version",
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_holds_no_model_is_refused_without_a_warning(model: Path, case: str) -> None:
    spoil, words = FILES[case]
    spoil(model)
    with pytest.raises(ValueError, match=rf"small\.npz: is no model.*{words}"):
        SavedPolicy(model)


def test_a_damaged_file_is_refused_or_plays_but_never_breaks(either: Path) -> None:
    whole, rng, refused = either.read_bytes(), np.random.default_rng(1), 0
    ends = [*range(400), *range(len(whole) - 800, len(whole))]
    for _ in range(300):
        spoiled = bytearray(whole)
        for place in rng.choice(ends, 3):
            spoiled[place] = rng.integers(256)
        either.write_bytes(spoiled)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                played = asked(SavedPolicy(either), SMALL_RULES)
            except ValueError:
                refused += 1
            else:
                assert len(played)
    assert refused > 250


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def suits(**sizes: Any) -> dict[str, Any]:
    """A network of suits, as a card tells it."""
    return {"kind": "suits", "suit": 6, "pooled": 8, "card": 4, **sizes}


CARDS: dict[str, tuple[str | Callable[[dict[str, Any]], Any], str]] = {
    "nothing": ("", "Expecting value"),
    "binary": ("\udcff", "can't decode"),
    "list": ("[]", "a card is a JSON object"),
    "other JSON": ('{"variant": "basic"}', "format=None: this version reads format 2"),
    "deep": (nested(100_000), "recursion"),
    "large": (" " * (2 << 20), "larger than 1,048,576 bytes"),
    "format": (lambda card: card.update(format=1), "format=1: this version reads format 2"),
    "no network": (lambda card: card.pop("network"), "needs 'network', a dict, not None"),
    "no reads": (lambda card: card.pop("reads"), "needs 'reads', a str, not None"),
    "reads": (
        lambda card: card.update(reads="all"),
        "reads='all': give one of 'plain', 'hints', 'outs'",
    ),
    "options": (lambda card: card.update(options=[]), r"needs 'options', a dict, not \[\]"),
    "nested": (
        lambda card: card.update(notes=json.loads(nested(900))),
        "needs 'notes', a str, not|recursion",
    ),
    "kind": (lambda card: card["network"].update(kind="rnn"), "kind='rnn': give one of 'mlp'"),
    "no kind": (lambda card: card["network"].pop("kind"), "kind=None: give one of 'mlp'"),
    "unknown size": (lambda card: card["network"].update(width=3), "unexpected .* 'width'"),
    "no sizes": (lambda card: card["network"].pop("hidden"), "missing .* 'hidden'"),
    "units": (lambda card: card["network"].update(hidden=[0]), "hidden=0: give a whole number"),
    "more units": (lambda card: card["network"].update(hidden=[10**9]), "hidden=1000000000: give"),
    "layers": (lambda card: card["network"].update(hidden=[1] * 99), "give at most 32 whole"),
    "text for units": (lambda card: card["network"].update(hidden="16"), "give at most 32 whole"),
    "activation": (lambda card: card["network"].update(activation="os"), "activation='os': give"),
    "suits": (lambda card: card["network"].update(kind="suits"), "unexpected .* 'hidden'"),
    "suit": (lambda card: card.update(network=suits(suit=0)), "suit=0: give a whole number"),
    "pooled": (lambda card: card.update(network=suits(pooled=10**9)), "pooled=1000000000: give"),
    "card": (lambda card: card.update(network=suits(card="16")), "card='16': give a whole number"),
    "critic": (lambda card: card.update(critic=5), "critic 5: .*must be a mapping"),
    "no critic": (lambda card: card.update(critic={"units": 3}), "critic .*unexpected .* 'units'"),
    "points": (lambda card: card.update(critic={"points": "1"}), "points='1': give a number above"),
    "counts": (lambda card: card.update(critic={"counts": "tricks"}), "counts='tricks': "),
    "critic's units": (lambda card: card.update(critic={"suit": 0}), "suit=0: give a whole number"),
    "no layout": (lambda card: card.pop("actions"), "actions: give digest and parts"),
    "no parts": (lambda card: card["actions"].update(parts=3), "actions: give digest and parts"),
    "a part": (lambda card: card["actions"]["parts"].append([1]), "actions: give digest and parts"),
    "a name": (lambda card: card["actions"]["parts"].append([1, 1, ""]), "name 1 .* must be text"),
    "a width": (
        lambda card: card["observation"]["parts"][0].__setitem__(1, 10**9),
        "width of 'hand'=1000000000: give a whole number from 1",
    ),
    "edited": (
        lambda card: card["observation"]["parts"][0].__setitem__(2, "it is gone"),
        "observation: the digest is not that of the parts",
    ),
}


@pytest.mark.parametrize("case", CARDS)
def test_a_card_that_cannot_be_read_is_named(model: Path, case: str) -> None:
    change, words = CARDS[case]
    path = ModelCard.path(model)
    if isinstance(change, str):
        path.write_bytes(change.encode(errors="surrogateescape"))
    else:
        card = json.loads(path.read_text())
        change(card)
        path.write_text(json.dumps(card))
    with pytest.raises(ValueError, match=rf"small\.json: .*({words}).*needs the card"):
        SavedPolicy(model)


@pytest.mark.parametrize(
    ("network", "size"),
    [
        ({"kind": "mlp", "hidden": [1 << 14] * 32, "activation": "relu"}, r"8,\d{3},\d{3},\d{3}"),
        (suits(suit=1 << 14, pooled=1 << 14, card=1 << 14), r"1,\d{3},\d{3},\d{3}"),
    ],
    ids=KINDS,
)
def test_a_network_too_large_is_refused_before_the_arrays_are_read(
    model: Path, network: dict[str, Any], size: str
) -> None:
    path = ModelCard.path(model)
    card = json.loads(path.read_text())
    path.write_text(json.dumps({**card, "network": network}))
    with pytest.raises(ValueError, match=rf"a network of {size} numbers; at most"):
        SavedPolicy(model)


def test_a_card_of_another_network_is_not_that_of_the_arrays(model: Path) -> None:
    path = ModelCard.path(model)
    card = json.loads(path.read_text())
    path.write_text(json.dumps({**card, "network": suits()}))
    with pytest.raises(ValueError, match=r"small\.npz: .*the array 'suit_cards' is missing"):
        SavedPolicy(model)


LAYOUTS: dict[str, tuple[str, list[tuple[str, int, str]]]] = {
    "no planes": ("observation", [("phase", 3, "now")]),
    "planes alone": ("observation", [("hand", 52, "held")]),
    "more actions than told": ("actions", [("discard", 1, "Ac, 2c, 3c")]),
    "fewer actions than told": ("actions", [("discard", 3, "Ac")]),
    "kinds without end": ("actions", [(f"kind_{i}", 1, "Ac") for i in range(1 << 15)]),
}
"""Layouts that no network of suits is made for."""


@pytest.mark.parametrize("case", LAYOUTS)
def test_a_layout_that_suits_do_not_fit_is_refused(tmp_path: Path, case: str) -> None:
    network, reads = KINDS["suits"]
    model = untrained(SMALL_RULES, tmp_path / "small.npz", network=network, reads=reads)
    what, parts = LAYOUTS[case]
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    path = ModelCard.path(model)
    card = json.loads(path.read_text())
    path.write_text(json.dumps({**card, what: {"digest": digest, "parts": parts}}))
    with pytest.raises(ValueError, match=r"small\.(npz|json): "):
        SavedPolicy(model)


def test_a_model_without_its_card_is_refused(either: Path) -> None:
    ModelCard.path(either).unlink()
    with pytest.raises(ValueError, match=r"small\.json is missing, the card"):
        SavedPolicy(either)


@pytest.mark.parametrize("name", ["none.npz", "small", "small.json", "."])
def test_a_path_that_is_no_model_is_refused(model: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"no such model; give the path of a \.npz"):
        SavedPolicy(model.parent / name)
