"""Settings of the environment and the settings file, typed and checked before anything starts.

The rule: every setting is declared once, in `settings`, with its type, default and meaning.
"""
