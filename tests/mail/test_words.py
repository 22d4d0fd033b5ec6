"""The words of mails in each language: all texts, places, plurals and times."""

import time
from datetime import UTC, datetime, timedelta

import pytest

from server.mail.outbox import MailKind
from server.mail.rendering import Templates
from server.mail.words import words
from server.org.brand.shown import ShownBrand
from server.values.languages import LANGUAGES, first_known, plural

_WEDNESDAY = datetime(2026, 3, 4, 9, 5, tzinfo=UTC)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", MailKind)
def test_every_mail_is_in_every_language_with_the_same_facts(language: str, kind: MailKind) -> None:
    templates = Templates(reply_to=None, folder=None)

    mail = templates.preview(kind, ShownBrand("Acme Ltd"), {}, language=language)
    english = templates.preview(kind, ShownBrand("Acme Ltd"), {}, language="en")

    assert f'<html lang="{language}">' in mail.html
    assert (mail.text == english.text) is (language == "en")
    assert (mail.subject == english.subject) is (language == "en")
    assert "Acme Ltd" in mail.subject
    for fact in ("ada@example.com", "Acme Ltd", "https://id.example.com", "Orders", "Grace"):
        assert (fact in mail.text) is (fact in english.text)
        assert (fact in mail.html) is (fact in english.html)
    assert "{" not in mail.text


@pytest.mark.parametrize(
    ("locale", "language"),
    [("fr-CA", "fr"), ("en", "en"), ("DE", "de"), ("", "de"), ("tlh", "de")],
)
def test_a_user_without_a_known_language_gets_mails_in_that_of_the_instance(
    locale: str, language: str
) -> None:
    templates = Templates(reply_to=None, folder=None, language="de")

    assert templates.language_of(locale) == language


# Of CLDR's plural rules (https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html).
@pytest.mark.parametrize(
    ("language", "categories"),
    [
        ("en", {0: "other", 1: "one", 2: "other", 21: "other"}),
        ("fr", {0: "one", 1: "one", 2: "other"}),
        ("pt-BR", {0: "one", 1: "one", 2: "other"}),
        ("es", {0: "other", 1: "one", 2: "other"}),
        (
            "pl",
            {0: "many", 1: "one", 2: "few", 4: "few", 5: "many", 12: "many", 14: "many"}
            | {21: "many", 22: "few", 112: "many", 122: "few"},
        ),
        ("ja", {0: "other", 1: "other", 2: "other"}),
        ("zh-Hans", {1: "other"}),
    ],
)
def test_numbers_have_the_categories_of_cldr(language: str, categories: dict[int, str]) -> None:
    assert {count: plural(language, count) for count in categories} == categories


@pytest.mark.parametrize(
    ("language", "moment", "spans"),
    [
        (
            "en",
            "Wednesday, 4 March 2026, 09:05 UTC",
            ["1 minute", "90 minutes", "24 hours", "2 days"],
        ),
        (
            "de",
            "Mittwoch, 4. März 2026, 09:05 Uhr UTC",
            ["1 Minute", "90 Minuten", "24 Stunden", "2 Tage"],
        ),
    ],
)
def test_times_are_written_as_the_language_does(
    language: str, moment: str, spans: list[str]
) -> None:
    found = words(language)
    minutes = (1, 90, 24 * 60, 48 * 60)

    assert found.moment(_WEDNESDAY) == moment
    assert [found.span(timedelta(minutes=each)) for each in minutes] == spans


@pytest.mark.parametrize(
    ("ranges", "language"),
    [
        (["de-AT"], "de"),
        (["DE"], "de"),
        (["sv", "de-1996"], "de"),
        (["en-GB", "de"], "en"),
        (["fr-CA"], "fr"),
        (["den"], None),
        (["", "*"], None),
        ([], None),
    ],
)
def test_a_preference_leads_to_a_language(ranges: list[str], language: str | None) -> None:
    assert first_known(ranges) == language


def test_a_range_of_many_subtags_takes_little_time() -> None:
    began = time.process_time()

    assert first_known(["x-" * 30_000, "de-" + "a-" * 30_000]) == "de"

    assert time.process_time() - began < 0.5
