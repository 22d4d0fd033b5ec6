"""The read table `mail_texts` and every statement on it.

The texts of the instance have the empty `org_id`, and the default organization as their owner.
"""

from dataclasses import dataclass
from typing import Final

from server.access.authorizer import organization_not_found
from server.access.checked_append import IS_ADMITTED_LOCKED
from server.log.append import Projections, append
from server.log.projection import inserted
from server.org.mail_texts.events import MailTextRemoved, MailTextSet
from server.org.store import MOVED
from server.store.rows import Details, Query, columns_of
from server.store.statement import statement
from server.values.errors import NotFound

_OF = "case when (event.payload->>'of_instance')::boolean then '' else event.aggregate_id end"

PROJECTIONS: Projections = {
    MailTextSet: [
        inserted("mail_texts", MailTextSet, but=["of_instance"], org_id=_OF, owner="aggregate_id")
        + """
        on conflict (org_id, mail_text_id) do update set
            subject = excluded.subject, title = excluded.title, text = excluded.text,
            button = excluded.button, sequence = excluded.sequence,
            change_date = excluded.change_date""",
        MOVED,
    ],
    MailTextRemoved: [
        f"""
        delete from mail_texts using event
        where mail_texts.org_id = {_OF}
            and mail_texts.mail_text_id = event.payload->>'mail_text_id'""",
        MOVED,
    ],
}

mail_text_not_found: Final = NotFound(
    "mail_text",
    "No own text is set for this kind of mail and language. List the own texts with ListMailTexts.",
)

# Sets an own text.
SET: Final = append(
    MailTextSet,
    target="""
    select organizations.id, organizations.id as owner, organizations.sequence,
        mail_text.creation_date, null::timestamptz as change_date, true as changed
    from organizations
    left join mail_texts as mail_text on mail_text.org_id = :organization_id
        and mail_text.mail_text_id = :mail_text_id
    where organizations.id = :owner for update of organizations""",
    projections=PROJECTIONS,
    missing=("owner", organization_not_found),
    admission=IS_ADMITTED_LOCKED,
)

# Removes an own text.
REMOVE: Final = append(
    MailTextRemoved,
    target="""
    select organizations.id, organizations.id as owner, organizations.sequence,
        mail_text.creation_date, null::timestamptz as change_date, true as changed
    from organizations
    join mail_texts as mail_text on mail_text.org_id = :organization_id
        and mail_text.mail_text_id = :mail_text_id
    where organizations.id = :owner for update of organizations, mail_text""",
    projections=PROJECTIONS,
    missing=("mail_text_id", mail_text_not_found),
    admission=IS_ADMITTED_LOCKED,
)


@dataclass(frozen=True, slots=True)
class MailText:
    """A stored own text. Empty fields are not replaced."""

    mail_text_id: str
    subject: str
    title: str
    text: str
    button: str
    details: Details


_COLUMNS = columns_of(MailText)

# The own texts of an organization, or of the instance.
LIST: Final = Query(
    f"select {_COLUMNS} from mail_texts where org_id = :organization_id order by mail_text_id",
    MailText,
)

# Those with some IDs.
LIST_SOME: Final = Query(
    f"""
select {_COLUMNS} from mail_texts
where org_id = :organization_id and mail_text_id = any(:mail_text_ids::text[])""",
    MailText,
)

# Locks an own text, and before it its organization as the changes do, for a precondition.
LOCK_SEQUENCE: Final = statement("""
select mail_text.sequence
from organizations join mail_texts as mail_text on mail_text.owner = organizations.id
where mail_text.org_id = :organization_id and mail_text.mail_text_id = :mail_text_id
for update""")
