-- compatible since: 29
-- Attestation statements prove nothing without trusted roots (decision 18).
alter table passkeys
    drop column attestation_type,
    drop column attestation_trusted;
