-- compatible since: 44

-- The own texts of mails of an organization, and those of the instance, which has the empty `org_id` and whose owner is
-- the default organization.
create table mail_texts (
    org_id        text collate "C" not null,
    mail_text_id  text collate "C" not null,
    owner         text collate "C" not null,
    subject       text             not null,
    title         text             not null,
    text          text             not null,
    button        text             not null,
    sequence      bigint           not null,
    creation_date timestamptz      not null,
    change_date   timestamptz      not null,
    primary key (org_id, mail_text_id)
);
