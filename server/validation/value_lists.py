"""Lists of texts in messages, each of which is checked."""

from collections.abc import Callable, Collection
from typing import Annotated, Final

from pydantic import AfterValidator, BeforeValidator, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from server.values.errors import WrongValueError

MAX_VALUES: Final = 50

# Of a list of a message. None: the command does not set it.
Values = Annotated[
    tuple[str, ...] | None,
    BeforeValidator(lambda values: None if values is None else tuple(values)),
]


def each(check: Callable[[str], object]) -> AfterValidator:
    """A validator of a list of different texts, which reports every wrong one with its index."""

    def check_all(values: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if values is None:
            return None
        if len(values) > MAX_VALUES:
            raise WrongValueError("TOO_MANY_ENTRIES", f"must have at most {MAX_VALUES} entries")
        problems = [
            _problem_at(index, problem)
            for index, value in enumerate(values)
            if (problem := _problem(check, value, before=values[:index]))
        ]
        if problems:
            raise ValidationError.from_exception_data("values", problems)
        return values

    return AfterValidator(check_all)


def _problem(
    check: Callable[[str], object], value: str, *, before: Collection[str]
) -> ValueError | None:
    try:
        check(value)
    except ValueError as error:
        return error
    return ValueError("must not be listed twice") if value in before else None


def _problem_at(index: int, problem: ValueError) -> InitErrorDetails:
    error = PydanticCustomError("value_error", "{error}", {"error": problem})
    return InitErrorDetails(type=error, loc=(index,), input=None)
