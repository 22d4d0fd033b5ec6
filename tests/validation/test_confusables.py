"""Names that look alike, names that mix scripts, and names that look like an ID."""

import unicodedata
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.validation.confusables import looks_like_id, mixes_scripts, skeletons

pytestmark = pytest.mark.python_differs("unicodedata has another version of Unicode")


@pytest.mark.parametrize(
    "names",
    [
        ("paypal", "p\u0430yp\u0430l", "paypaI", "PAYPAL", "p\uff41ypal"),
        ("paypal", "\u0440\u0430\u0443\u0440\u0430\u04c0"),
        ("modern", "modem", "rnodern"),
        ("o0O", "\u03bf\u043e\u0585"),
        ("caf\u00e9", "cafe\u0301"),
        ("\u0441\u043e\u0441\u043e", "coco"),  # one script each
        ("max", "\u041c\u0410\u0425"),
        ("ice", "\u0406\u0421\u0415"),
    ],
)  # fmt: skip
def test_names_that_look_alike_have_a_skeleton_in_common(names: tuple[str, ...]) -> None:
    assert frozenset.intersection(*map(skeletons, names))


@pytest.mark.parametrize("names", [("ada", "\u0430\u0434\u0430"), ("Bob", "8ob"), ("e", "\u00e9")])
def test_other_names_have_another_one(names: tuple[str, str]) -> None:
    assert not skeletons(names[0]) & skeletons(names[1])


@given(st.text(max_size=20))
def test_a_skeleton_is_the_same_in_every_normal_form(name: str) -> None:
    forms = {skeletons(unicodedata.normalize(form, name)) for form in ("NFC", "NFD", "NFKC")}

    assert forms == {skeletons(name)}


@pytest.mark.parametrize("name", ["p\u0430ypal", "\u03b1da", "ada\u05d0", "\u0410\u0391"])
def test_a_name_of_several_scripts_mixes_them(name: str) -> None:
    assert mixes_scripts(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "ada-1@example.com",
        "caf\u00e9",
        "cafe\u0301",
        "\u0410\u0434\u0430 1",
        "\u65e5\u672c\u30ab\u3072 ok",
        "\ud55c\u6f22a",
    ],
)
def test_a_name_of_one_language_does_not(name: str) -> None:
    assert not mixes_scripts(name)


def test_confusable_identifiers_are_found() -> None:
    own = str(uuid4())

    assert all(map(looks_like_id, (own, own.upper(), own.replace("0", "O").replace("1", "l"))))
    assert not any(map(looks_like_id, (own[:-1], f"x{own}", "ada", uuid4().hex)))
