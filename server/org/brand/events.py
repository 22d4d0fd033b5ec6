"""The event of brands."""

from server.log.event import Event, ForOperators, Shown, event


@event("organization.brand_set")
class BrandSet(Event):
    """The brand of an organization, or of the instance, was set; the event contains all of it."""

    of_instance: Shown[bool]
    name: Shown[str]
    # base64
    logo: ForOperators[str]
    color: Shown[str]
    support_address: Shown[str]
