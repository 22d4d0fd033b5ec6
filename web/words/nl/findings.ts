/** The findings of the view of the system in Dutch, by their reasons. `{name}` stands for a value of the finding. */

import type { Findings } from "../types";

export const findings: Findings = {
  "check.readiness": "gereedheid",
  "check.settings": "instellingen",
  "check.relying party": "relying party",
  "check.link page": "pagina van de links",
  "check.plaintext": "onversleuteld verkeer",
  "check.trusted proxies": "vertrouwde proxy’s",
  "check.certificate": "certificaat",
  "check.client CA": "CA van clients",
  "check.extensions of the certificate": "extensies van het certificaat",
  "check.data directory": "gegevensmap",
  "check.disk space": "schijfruimte",
  "check.secret files": "bestanden met geheimen",
  "check.database": "database",
  "check.connections": "verbindingen",
  "check.clock": "klok",
  "check.indexes": "indexen",
  "check.writes": "schrijfacties",
  "check.Patroni": "Patroni",
  "check.servers": "servers",
  "check.ES256 signing keys": "ondertekeningssleutels voor ES256",
  "check.RS256 signing keys": "ondertekeningssleutels voor RS256",
  "check.administrator": "beheerder",
  "check.mail": "e-mail",
  "check.pushes": "bezorgingen",
  "check.event log": "gebeurtenissenlogboek",
  "check.checkpoint file": "controlepuntbestand",
  "check.event partitions": "partities van gebeurtenissen",
  "check.mail sender": "afzender van e-mails",
  READY: "De server neemt aanroepen aan.",
  SETTINGS_VALID: "Alles is geldig.",
  RP_ID_LOCAL:
    "KEYSTEAD_RP_ID is {rp_id}, terwijl de server luistert op {address}: passkeys werken alleen in browsers op deze machine.",
  "RP_ID_LOCAL.remedy": "Zet KEYSTEAD_RP_ID en KEYSTEAD_RP_ORIGINS op het domein dat gebruikers zien.",
  RP_ID: "{rp_id}, op {origins}.",
  LINK_PAGE_PLAINTEXT: "{page} wordt niet via https geleverd, dus bieden browsers daar geen passkeys aan.",
  "LINK_PAGE_PLAINTEXT.remedy": "Lever de pagina via TLS en stel KEYSTEAD_PASSKEY_PAGE_URL in.",
  LINK_PAGE_ELSEWHERE: "Registratielinks openen {page}, maar de webpoort is {here} op deze machine.",
  "LINK_PAGE_ELSEWHERE.remedy": "Noem {here} als eerste in KEYSTEAD_RP_ORIGINS, of stel KEYSTEAD_PASSKEY_PAGE_URL in.",
  LINK_PAGE_FOREIGN: "{page} staat op geen van KEYSTEAD_RP_ORIGINS, dus wordt elke registratie via een link geweigerd.",
  "LINK_PAGE_FOREIGN.remedy": "Voeg daar {origin} toe, of wijzig KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE: "Registratielinks openen {page}.",
  PORTS_TLS: "Beide poorten gebruiken TLS.",
  PORTS_OPEN: "{ports}: andere machines bereiken dit onversleuteld, wat tokens blootlegt.",
  "PORTS_OPEN.remedy":
    "Stel KEYSTEAD_TLS_CERTIFICATE_FILE en KEYSTEAD_TLS_KEY_FILE in, luister op 127.0.0.1, of laat alleen een proxy die TLS beëindigt erbij.",
  PORTS_LOCAL: "Beide poorten zijn alleen bereikbaar vanaf deze machine of via een vertrouwde proxy.",
  PROXIES_EVERYWHERE:
    "KEYSTEAD_TRUSTED_PROXIES bevat {networks}: elke client die de webpoort bereikt, kiest het adres dat snelheidslimieten en logs gebruiken.",
  "PROXIES_EVERYWHERE.remedy": "Noem alleen de netwerken van je proxy’s.",
  CERTIFICATE_FUTURE: "{file} is pas geldig vanaf {time} UTC, dus weigeren clients het.",
  "CERTIFICATE_FUTURE.remedy": "Controleer de klok van deze machine, of gebruik een ander certificaat.",
  CERTIFICATE_EXPIRED: "{file} is verlopen op {time} UTC, dus weigeren clients het.",
  "CERTIFICATE_EXPIRED.remedy": "Vernieuw het; draaiende servers nemen nieuwe bestanden over.",
  CERTIFICATE_EXPIRES: "{file} verloopt op {time} UTC.",
  "CERTIFICATE_EXPIRES.remedy": "Vernieuw het; draaiende servers nemen nieuwe bestanden over.",
  CERTIFICATE_VALID: "{file} is geldig tot {date}.",
  CLIENT_CA_EXPIRED:
    "Een certificaat in {file} is verlopen op {time} UTC, dus kunnen clients met certificaten van deze autoriteit geen verbinding maken.",
  "CLIENT_CA_EXPIRED.remedy": "Vernieuw het; draaiende servers nemen nieuwe bestanden over.",
  CLIENT_CA_EXPIRES: "Een certificaat in {file} verloopt op {time} UTC.",
  "CLIENT_CA_EXPIRES.remedy": "Vernieuw het; draaiende servers nemen nieuwe bestanden over.",
  CLIENT_CA_VALID: "Een certificaat in {file} is geldig tot {date}.",
  EXTENSIONS_MISSING:
    "RFC 5280 eist {extension} van {subject} in {file}. Zonder die extensie weigeren strikte clients, zoals Python 3.13, het certificaat.",
  "EXTENSIONS_MISSING.remedy": "Laat het opnieuw uitgeven, zoals docs/operating-tls.md laat zien.",
  EXTENSIONS: "{file} heeft de extensies die RFC 5280 eist.",
  FOLDER_CLOSED: "Deze gebruiker kan {folder} niet beschrijven of aanmaken.",
  "FOLDER_CLOSED.remedy": "Draai Keystead als de eigenaar, of zet KEYSTEAD_DATA_DIR op een andere map.",
  FOLDER_MISSING: "{folder} bestaat niet; de server maakt de map aan.",
  FOLDER_OPEN: "Andere gebruikers kunnen schrijven in {folder}.",
  "FOLDER_OPEN.remedy": "Voer uit: chmod go-w {folder}",
  FOLDER: "Alleen de eigenaar kan {folder} wijzigen.",
  SPACE_TOO_LITTLE: "Er is maar {megabytes} MB vrij voor de ingebouwde database: schrijven mislukt, of binnenkort.",
  "SPACE_TOO_LITTLE.remedy":
    "Maak ruimte vrij op de schijf van {folder}, of stop alle servers, verplaats die map en stel KEYSTEAD_DATA_DIR in.",
  SPACE_LITTLE: "Er is maar {megabytes} MB vrij voor de ingebouwde database, die tijdelijk 1000 MB nodig kan hebben.",
  "SPACE_LITTLE.remedy":
    "Maak ruimte vrij op de schijf van {folder}, of stop alle servers, verplaats die map en stel KEYSTEAD_DATA_DIR in.",
  SPACE: "Er is {megabytes} MB vrij voor de ingebouwde database.",
  SECRET_READABLE: "{name} staat in {path}, dat elke gebruiker kan lezen.",
  "SECRET_READABLE.remedy": "Voer uit: chmod o-r {path}",
  ADMIN_TOKEN_READABLE: "Het token van de eerste beheerder staat in {path}, dat elke gebruiker kan lezen.",
  "ADMIN_TOKEN_READABLE.remedy": "Voer uit: chmod o-r {path}",
  SECRETS_CLOSED: "Geen geheim staat in een bestand dat iedereen kan lezen.",
  DATABASE_OLD: "PostgreSQL {version} is te oud.",
  "DATABASE_OLD.remedy": "Gebruik {oldest} of nieuwer.",
  DATABASE: "PostgreSQL {version}, met het schema van deze versie.",
  CONNECTIONS_TOO_FEW:
    "Workerprocessen: {workers}. Ze openen tot {wanted} verbindingen, PostgreSQL staat er {allowed} toe: onder belasting mislukken aanroepen.",
  "CONNECTIONS_TOO_FEW.remedy":
    "Verlaag KEYSTEAD_DATABASE_POOL_SIZE, of verhoog max_connections of de verbindingslimiet van de rol of database.",
  CONNECTIONS: "Tot {wanted} van {allowed} beschikbare.",
  CLOCK_AHEAD:
    "De klok van de database loopt {seconds} seconden voor op die van deze machine. Sessie-JWT’s hebben de tijd van de database: diensten met een afwijkende klok weigeren ze.",
  "CLOCK_AHEAD.remedy": "Synchroniseer ze via NTP.",
  CLOCK_BEHIND:
    "De klok van de database loopt {seconds} seconden achter op die van deze machine. Sessie-JWT’s hebben de tijd van de database: diensten met een afwijkende klok weigeren ze.",
  "CLOCK_BEHIND.remedy": "Synchroniseer ze via NTP.",
  CLOCK: "De klok van de database komt overeen met die van deze machine.",
  INDEX_INCOMPLETE: "De index {name} is onvolledig en wordt niet gebruikt: het aanmaken werd onderbroken.",
  "INDEX_INCOMPLETE.remedy": "Maak hem opnieuw aan met deze SQL: reindex index concurrently {name}",
  COMMIT_OFF: "synchronous_commit is off: bij een crash gaan bevestigde schrijfacties verloren.",
  "COMMIT_OFF.remedy": "Zet het op on.",
  COMMIT_LOCAL:
    "synchronous_commit is local: het wacht op geen standby, dus gaan bij een failover bevestigde schrijfacties verloren.",
  "COMMIT_LOCAL.remedy": "Zet het op on.",
  NO_SYNCHRONOUS_STANDBY:
    "KEYSTEAD_DATABASE_URL noemt meerdere hosts, maar synchronous_standby_names is leeg: bij een failover gaan bevestigde schrijfacties verloren.",
  "NO_SYNCHRONOUS_STANDBY.remedy": "Stel bij Patroni synchronous_mode en synchronous_mode_strict in.",
  WRITES_ON_DISK: "Bevestigde schrijfacties staan op schijf.",
  WRITES_ON_STANDBY: "Een synchrone standby heeft de bevestigde schrijfacties.",
  PATRONI_OLD:
    "De Patroni van deze PostgreSQL is ouder dan 3.2; `patronictl version` toont de versie. Tot en met 3.0.2 met API v3 van etcd neemt een leider die bevroren was zijn lock terug, en gaan schrijfacties die zijn opvolger heeft bevestigd verloren.",
  "PATRONI_OLD.remedy": "Werk Patroni bij naar 3.2 of nieuwer.",
  SERVERS_NONE: "Er draait er geen.",
  SERVERS_WITHOUT_KEY:
    "Deze kunnen geen geheimen opslaan, omdat `keystead rotate-keys` hun eerste sleutel heeft vervangen: {servers}.",
  "SERVERS_WITHOUT_KEY.remedy": "Start ze opnieuw met de huidige sleutels.",
  SERVERS_WITH_OTHER_KEYS: "Deze versleutelen niet met de eerste sleutel van deze instellingen, {key_id}: {servers}.",
  "SERVERS_WITH_OTHER_KEYS.remedy":
    "Start ze opnieuw met dezelfde sleutels; tot die tijd weigert `keystead rotate-keys`.",
  SERVERS: "Draaiende servers ({number}): {servers}.",
  SIGNING_KEY_NONE: "Er is er geen om JWT’s te ondertekenen.",
  "SIGNING_KEY_NONE.remedy":
    "Start de server, die er een toevoegt zodra er geen server van een eerdere versie meer draait.",
  SIGNING_KEY_FUTURE:
    "De enige sleutel die aan de beurt is, ondertekent vanaf {time} UTC, in de toekomst: de klok van de database loopt of liep verkeerd.",
  "SIGNING_KEY_FUTURE.remedy": "Synchroniseer die via NTP.",
  SIGNING_KEY_OVERDUE: "De volgende is te laat sinds {time} UTC.",
  "SIGNING_KEY_OVERDUE.remedy":
    "Controleer of er een server draait en lees zijn log, of voer uit: keystead rotate-signing-key",
  SIGNING_KEY_NEXT: "De volgende ondertekent vanaf {time} UTC.",
  SIGNING_KEY: "De volgende wordt op {date} gepubliceerd.",
  OWNER_NONE: "Geen gebruiker heeft de rol INSTANCE_OWNER.",
  "OWNER_NONE.remedy":
    "Start de server één keer als de database nieuw is, voer anders uit: keystead user grant USER INSTANCE_OWNER",
  OWNER_WITHOUT_TOKEN: "Geen gebruiker met de rol INSTANCE_OWNER heeft een geldig token.",
  "OWNER_WITHOUT_TOKEN.remedy": "Voer uit: keystead token create USER",
  OWNERS: "{number} met een geldig token.",
  MAIL_NOT_CONFIGURED: "Er is geen SMTP-configuratie, dus wordt er geen e-mail verstuurd.",
  "MAIL_NOT_CONFIGURED.remedy": "Voeg er een toe: keystead smtp add",
  MAILS_UNDELIVERED:
    "E-mails die binnen een dag zijn mislukt: {failed}; te laat: {delayed}; de laatste reden was {reason}.",
  "MAILS_UNDELIVERED.remedy": "Zie: keystead mail list",
  MAILS_NOT_ATTEMPTED:
    "E-mails die binnen een dag zijn mislukt: {failed}; te laat: {delayed}; geen ervan is geprobeerd.",
  "MAILS_NOT_ATTEMPTED.remedy": "Controleer of er een server draait. Zie: keystead mail list",
  MAILS: "Er is een SMTP-configuratie; er is geen e-mail te laat of binnen een dag mislukt.",
  PUSHES_UNDELIVERED:
    "Webhooks en logout-tokens die binnen een dag zijn mislukt: {failed}; opnieuw geprobeerd na een mislukking: {tried_again}; doelen zonder antwoord: {targets}; de laatste reden was {reason}.",
  "PUSHES_UNDELIVERED.remedy": "Zie, met --org: keystead push deliveries",
  PUSHES_TRIED_AGAIN:
    "Webhooks en logout-tokens die binnen een dag zijn mislukt: {failed}; opnieuw geprobeerd na een mislukking: {tried_again}; doelen zonder antwoord: {targets}.",
  "PUSHES_TRIED_AGAIN.remedy": "Zie, met --org: keystead push deliveries",
  PUSHES: "Geen webhook of logout-token is binnen een dag mislukt of wordt opnieuw geprobeerd.",
  EVENTS_UNCOVERED: "Leeftijd van gebeurtenissen die in geen controlepunt staan, in uren: {hours}.",
  "EVENTS_UNCOVERED.remedy":
    "Controleer of er een server draait en of zijn log mislukkingen van housekeeping noemt, of voer uit: keystead audit checkpoint",
  EVENTS_COVERED:
    "Elke gebeurtenis van meer dan een uur oud staat in een controlepunt. Om ze te vergelijken: keystead audit verify",
  CHECKPOINT_LOST:
    "Controlepunt {number}, dat in {path} staat, is niet meer in de database: iemand heeft het verwijderd, of er is een oudere back-up teruggezet.",
  "CHECKPOINT_LOST.remedy":
    "Voer uit: keystead audit verify. Stop na het terugzetten de servers en voer uit: keystead restored. Verplaats dan het bestand, bewaar het en start de servers.",
  CHECKPOINT_NOT_IN_FILE: "Controlepunt {number} staat niet in {path}.",
  "CHECKPOINT_NOT_IN_FILE.remedy":
    "Controleer of een server van deze machine met deze instelling draait en naar het bestand kan schrijven.",
  CHECKPOINT_FILE: "De database heeft het laatste controlepunt van {path}.",
  EVENTS_MISPLACED:
    "Gebeurtenissen zonder partitie van hun maand, vanaf {date}: {events}. Ze worden gewoon gelezen en kunnen niet worden gearchiveerd.",
  "EVENTS_MISPLACED.remedy": "Controleer de klok van de database, en of de log mislukkingen van housekeeping noemt.",
};
