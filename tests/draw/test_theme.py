"""Colours: distinguishable for colour-blind readers, with readable text on all of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from slidelab.draw.theme import DARK, LIGHT, THEMES, get_theme, luminance, mix, text_colour, word_colours
from slidelab.errors import NotationError

# Machado, Oliveira and Fernandes (2009), complete dichromacy, on linear red, green and blue.
EYES = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def perceived(colour: str, eye: str) -> NDArray[np.float64]:
    """Return the CIELAB coordinates of a colour for a kind of eye."""
    channels = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(EYES[eye] @ linear, 0, 1) / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one: str, other: str, eye: str) -> float:
    return float(np.linalg.norm(perceived(one, eye) - perceived(other, eye)))


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("name", THEMES)
def test_colours_are_distinguishable(name: str, eye: str) -> None:
    theme = THEMES[name]
    assert min(distance(a, b, eye) for a, b in combinations(theme.palette, 2)) > 8
    assert distance(theme.piece, theme.other_end, eye) > 10
    assert distance(theme.piece, theme.well, eye) > 12
    assert distance(theme.well, theme.tray, eye) > 5


def contrast(one: str, other: str) -> float:
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_text_is_readable(name: str) -> None:
    theme = THEMES[name]
    for colour in (*theme.palette, theme.piece, theme.other_end):
        assert contrast(text_colour(colour), colour) > 3  # WCAG for large text
    assert contrast(theme.ink, theme.paper) > 7


WORDS = st.text("abcdefgh", min_size=1, max_size=3)
WORDS |= st.sampled_from(
    ["red", "Red", "pink", "violet", "purple", "teal", "mint", "grey", "gray", "orange", "white"]
)


@given(st.lists(WORDS, min_size=1, max_size=90), st.sampled_from(sorted(THEMES)))
def test_every_word_has_a_colour_of_its_own(words: list[str], name: str) -> None:
    colours = word_colours(words, get_theme(name))
    assert list(colours) == list(dict.fromkeys(words))
    assert len(set(colours.values())) == len(colours)


def test_words_that_name_colours() -> None:
    assert word_colours(["Red", "red"], DARK)["Red"] == DARK.palette[1]
    assert word_colours(["white"])["white"] == "#ffffff"


@given(st.floats(0, 1))
def test_mixing_is_symmetric(share: float) -> None:
    assert luminance(mix("#000000", "#ffffff", share)) == pytest.approx(
        luminance(mix("#ffffff", "#000000", 1 - share)), abs=0.01
    )


@pytest.mark.parametrize("bad", ["", "Light", None, 3])
def test_unknown_themes(bad: Any) -> None:
    with pytest.raises(NotationError, match="expected a theme"):
        get_theme(bad)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"paper": 'white"/><script>'}, "expected a colour such as #4477aa"),
        ({"ink": "white"}, "expected a colour"),
        ({"palette": ("#ffffff",)}, "expected a palette of 8 colours, got 1"),
        ({"palette": ("#FFFFFF",) * 8}, "expected a colour"),
        ({"edge_width": float("nan")}, "expected an edge of 0 to 0.2 cells"),
    ],
)
def test_custom_themes_are_checked(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        replace(LIGHT, **changed)
    assert get_theme(replace(LIGHT, paper="#eeeeee")).paper == "#eeeeee"
