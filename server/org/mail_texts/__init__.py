"""The own texts of mails of organizations and of the instance.

RPCs of MailService: SetMailText, ListMailTexts, RemoveMailText, PreviewMailText.

The rule: a mail has the own texts of the organization whose mail server delivers it. The server of
the instance delivers no text that an organization wrote (decision 22).
"""
