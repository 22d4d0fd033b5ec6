"""Applications that sign people in with other libraries: `test_relying_parties.py` runs them.

Each has three addresses: `/whoami` shows the claims of the ID token and of userinfo to a person who
is signed in, `/logout` signs the user out, at Keystead too, and `/goodbye` is where that ends.
"""
