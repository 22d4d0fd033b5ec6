"""Garbage collection pauses while modules are imported, and only then."""

import gc

import pytest

from server.process.garbage import without_collection

pytestmark = pytest.mark.python_differs("3.12, 3.13 and 3.14 have other garbage collectors")


def test_objects_of_the_block_are_exempt_and_collection_goes_on() -> None:
    with without_collection():
        assert not gc.isenabled()
        imported = [["an object that the collector tracks"]]

    assert gc.isenabled()
    assert not any(each is imported for each in gc.get_objects())


def test_collection_goes_on_after_an_import_that_fails() -> None:
    with pytest.raises(ImportError), without_collection():
        raise ImportError

    assert gc.isenabled()
