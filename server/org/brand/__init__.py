"""The look of organizations and of the instance: name, logo, colour, support address.

RPCs: SetBrand, GetBrand, SetInstanceBrand, GetInstanceBrand, GetShownBrand.

The rule: a page is readable in every brand. A colour without the contrast is refused when it is
set.
"""
