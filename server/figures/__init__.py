"""The figures of an organization: its users, sessions, sign-ins by day, and things to attend to.

RPCs: GetOrganizationFigures.

The rule: no call counts more than `MOST_COUNTED` users, and no past day of the log twice. The
numbers of users beyond are those of `organization_days`, which housekeeping counts once a day.
"""
