"""Settings of the environment and the settings file, typed and checked before anything starts.

`settings` declares them. `sources` reads the values; `types`, `urls` and `ports` check them;
`problems` and `unknown` say what is wrong.

The rule: every setting is declared once, in `settings`, with its type, default and meaning.
"""
