"""Operations on an installation as a whole: first start, rebuild, housekeeping, diagnosis.

The rule: nothing here serves a call.
"""
