"""Numbers in sentences."""


def counted(number: int, singular: str, plural: str = "") -> str:
    """The number with its words: "1 event is", "2 events are". By default the plural adds an s."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"
