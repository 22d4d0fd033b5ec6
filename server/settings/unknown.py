"""Variables that are probably misspelled settings."""

import difflib
import os
from collections.abc import Mapping
from typing import Final

from server.settings.settings import Settings
from server.settings.sources import PREFIX, SETTINGS_FILE

# Variables of the example clients and services (docs/clients.md), often set in the same shell.
_OF_CLIENTS: Final = frozenset({"TOKEN", "TOKEN_FILE", "URL"})


def unknown_variables(environment: Mapping[str, str] = os.environ) -> list[str]:
    """A sentence for every variable that resembles a setting but is none, probably by a typo."""
    known = [name.upper() for name in Settings.model_fields]
    accepted = {*known, *(f"{name}_FILE" for name in known), SETTINGS_FILE.removeprefix(PREFIX)}
    sentences = []
    for name in sorted(environment):
        # Names of settings are case-insensitive.
        prefix, setting = name.upper()[: len(PREFIX)], name.upper()[len(PREFIX) :]
        if setting in accepted | _OF_CLIENTS and prefix == PREFIX:
            continue
        close = difflib.get_close_matches(setting, accepted, n=1)
        is_close = difflib.get_close_matches(prefix, [PREFIX], cutoff=0.8)
        if prefix == PREFIX or (close and is_close):
            hint = (
                f"; did you mean {PREFIX}{close[0]}?"
                if close
                else "; `keystead settings` lists all."
            )
            sentences.append(f"{name} is not a setting{hint}")
    return sentences
