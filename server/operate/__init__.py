"""Operations on a whole installation: first start, rebuild, housekeeping, diagnosis.

The rule: no RPC method calls this package.
"""
