"""Colours: apart for every eye, and readable letters on all of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def seen(colour, eye):
    """CIELAB coordinates of what an eye sees."""
    channels = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(EYES[eye] @ linear, 0, 1) / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def apart(one, other, eye):
    return float(np.linalg.norm(seen(one, eye) - seen(other, eye)))


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("look", THEMES.values(), ids=lambda look: look.name)
def test_colours_stay_apart(look, eye):
    assert min(apart(a, b, eye) for a, b in combinations(look.palette, 2)) > 8
    assert apart(look.piece, look.other_end, eye) > 10
    assert apart(look.piece, look.well, eye) > 12
    assert apart(look.well, look.tray, eye) > 5


def contrast(one, other):
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("look", THEMES.values(), ids=lambda look: look.name)
def test_letters_can_be_read(look):
    for colour in (*look.palette, look.piece, look.other_end):
        assert contrast(text_colour(colour), colour) > 3  # WCAG for large letters
    assert contrast(look.ink, look.paper) > 7


WORDS = st.text("abcdefgh", min_size=1, max_size=3)
WORDS |= st.sampled_from(
    ["red", "Red", "pink", "violet", "purple", "teal", "mint", "grey", "gray", "orange", "white"]
)


@given(st.lists(WORDS, min_size=1, max_size=90), st.sampled_from(sorted(THEMES)))
def test_every_word_has_a_colour_of_its_own(words, look):
    colours = word_colours(words, get_theme(look))
    assert list(colours) == list(dict.fromkeys(words))
    assert len(set(colours.values())) == len(colours)


def test_words_that_name_colours():
    assert word_colours(["Red", "red"], DARK)["Red"] == DARK.palette[1]
    assert word_colours(["white"])["white"] == "#ffffff"


@given(st.floats(0, 1))
def test_mixing_goes_from_one_to_the_other(share):
    assert luminance(mix("#000000", "#ffffff", share)) == pytest.approx(
        luminance(mix("#ffffff", "#000000", 1 - share)), abs=0.01
    )


@pytest.mark.parametrize("bad", ["", "Light", None, 3])
def test_unknown_themes(bad):
    with pytest.raises(NotationError, match="expected a theme"):
        get_theme(bad)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"paper": 'white"/><script>'}, "expected a colour such as #4477aa"),
        ({"ink": "white"}, "expected a colour"),
        ({"palette": ("#ffffff",)}, "expected a palette of 8 colours, got 1"),
        ({"palette": ("#FFFFFF",) * 8}, "expected a colour"),
        ({"edge_width": float("nan")}, "expected an edge of 0 to 0.2 cells"),
    ],
)
def test_themes_of_ones_own_are_checked(changed, said):
    with pytest.raises(NotationError, match=said):
        replace(LIGHT, **changed)
    assert get_theme(replace(LIGHT, paper="#eeeeee")).paper == "#eeeeee"
