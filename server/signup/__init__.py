"""Sign-up: people register themselves in organizations that allow it (decision 19).

`RequestSignUp` mails a link, and `ConfirmSignUp` registers its user. Nothing is stored in between.
"""
