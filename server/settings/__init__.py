"""Settings: environment variables `KEYSTEAD_*`, typed and checked before anything starts.

The rule: every setting is declared once, in `settings`, with its type, default and meaning.
"""
