/** The findings of the view of the system in German, by their reasons. `{name}` stands for a value of the finding. */

import type { Findings } from "../types";

export const findings: Findings = {
  "check.readiness": "Bereitschaft",
  "check.settings": "Einstellungen",
  "check.relying party": "Relying Party",
  "check.link page": "Seite der Links",
  "check.plaintext": "Klartext",
  "check.trusted proxies": "vertraute Proxys",
  "check.certificate": "Zertifikat",
  "check.client CA": "Client-CA",
  "check.extensions of the certificate": "Erweiterungen des Zertifikats",
  "check.data directory": "Datenverzeichnis",
  "check.disk space": "Speicherplatz",
  "check.secret files": "Dateien mit Geheimnissen",
  "check.database": "Datenbank",
  "check.connections": "Verbindungen",
  "check.clock": "Uhr",
  "check.indexes": "Indizes",
  "check.writes": "Schreiben",
  "check.Patroni": "Patroni",
  "check.servers": "Server",
  "check.ES256 signing keys": "Signaturschlüssel für ES256",
  "check.RS256 signing keys": "Signaturschlüssel für RS256",
  "check.administrator": "Administrator",
  "check.mail": "E-Mail",
  "check.pushes": "Zustellungen",
  "check.event log": "Ereignisprotokoll",
  "check.checkpoint file": "Prüfpunktdatei",
  "check.event partitions": "Partitionen der Ereignisse",
  "check.mail sender": "Absender der E-Mails",
  READY: "Der Server nimmt Aufrufe an.",
  SETTINGS_VALID: "Alle sind gültig.",
  RP_ID_LOCAL:
    "KEYSTEAD_RP_ID ist {rp_id}, aber der Server lauscht auf {address}: Passkeys funktionieren nur in Browsern auf diesem Rechner.",
  "RP_ID_LOCAL.remedy": "Setzen Sie KEYSTEAD_RP_ID und KEYSTEAD_RP_ORIGINS auf die Domain, die Benutzer sehen.",
  RP_ID: "{rp_id}, auf {origins}.",
  LINK_PAGE_PLAINTEXT: "{page} wird nicht über https ausgeliefert, deshalb bieten Browser dort keine Passkeys an.",
  "LINK_PAGE_PLAINTEXT.remedy": "Liefern Sie die Seite über TLS aus und setzen Sie KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE_ELSEWHERE: "Registrierungslinks öffnen {page}, aber der Web-Port ist {here} auf diesem Rechner.",
  "LINK_PAGE_ELSEWHERE.remedy":
    "Nennen Sie {here} in KEYSTEAD_RP_ORIGINS zuerst, oder setzen Sie KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE_FOREIGN:
    "{page} liegt auf keiner der KEYSTEAD_RP_ORIGINS, deshalb wird jede Registrierung durch einen Link abgewiesen.",
  "LINK_PAGE_FOREIGN.remedy": "Fügen Sie dort {origin} hinzu, oder ändern Sie KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE: "Registrierungslinks öffnen {page}.",
  PORTS_TLS: "Beide Ports verwenden TLS.",
  PORTS_OPEN: "{ports}: Andere Rechner erreichen den Server im Klartext, was Token preisgibt.",
  "PORTS_OPEN.remedy":
    "Setzen Sie KEYSTEAD_TLS_CERTIFICATE_FILE und KEYSTEAD_TLS_KEY_FILE, lauschen Sie auf 127.0.0.1, oder lassen Sie nur einen Proxy, der TLS beendet, an den Port.",
  PORTS_LOCAL: "Beide Ports sind nur von diesem Rechner oder über einen vertrauten Proxy erreichbar.",
  PROXIES_EVERYWHERE:
    "KEYSTEAD_TRUSTED_PROXIES enthält {networks}: Jeder Client, der den Web-Port erreicht, wählt selbst die Adresse, die Ratenbegrenzung und Log benutzen.",
  "PROXIES_EVERYWHERE.remedy": "Nennen Sie nur die Netze Ihrer Proxys.",
  CERTIFICATE_FUTURE: "{file} gilt erst ab {time} UTC, deshalb weisen Clients es ab.",
  "CERTIFICATE_FUTURE.remedy": "Prüfen Sie die Uhr dieses Rechners, oder verwenden Sie ein anderes Zertifikat.",
  CERTIFICATE_EXPIRED: "{file} ist am {time} UTC abgelaufen, deshalb weisen Clients es ab.",
  "CERTIFICATE_EXPIRED.remedy": "Erneuern Sie es; laufende Server übernehmen neue Dateien.",
  CERTIFICATE_EXPIRES: "{file} läuft am {time} UTC ab.",
  "CERTIFICATE_EXPIRES.remedy": "Erneuern Sie es; laufende Server übernehmen neue Dateien.",
  CERTIFICATE_VALID: "{file} gilt bis {date}.",
  CLIENT_CA_EXPIRED:
    "Ein Zertifikat in {file} ist am {time} UTC abgelaufen, deshalb können sich Clients mit Zertifikaten dieser Zertifizierungsstelle nicht verbinden.",
  "CLIENT_CA_EXPIRED.remedy": "Erneuern Sie es; laufende Server übernehmen neue Dateien.",
  CLIENT_CA_EXPIRES: "Ein Zertifikat in {file} läuft am {time} UTC ab.",
  "CLIENT_CA_EXPIRES.remedy": "Erneuern Sie es; laufende Server übernehmen neue Dateien.",
  CLIENT_CA_VALID: "Ein Zertifikat in {file} gilt bis {date}.",
  EXTENSIONS_MISSING:
    "RFC 5280 verlangt {extension} von {subject} in {file}. Ohne sie weisen strenge Clients, etwa Python 3.13, das Zertifikat ab.",
  "EXTENSIONS_MISSING.remedy": "Lassen Sie es neu ausstellen, wie docs/operating-tls.md zeigt.",
  EXTENSIONS: "{file} hat die Erweiterungen, die RFC 5280 verlangt.",
  FOLDER_CLOSED: "Dieser Benutzer kann {folder} weder beschreiben noch anlegen.",
  "FOLDER_CLOSED.remedy":
    "Führen Sie Keystead als Eigentümer aus, oder setzen Sie KEYSTEAD_DATA_DIR auf ein anderes Verzeichnis.",
  FOLDER_MISSING: "{folder} gibt es nicht; der Server legt es an.",
  FOLDER_OPEN: "Andere Benutzer können in {folder} schreiben.",
  "FOLDER_OPEN.remedy": "Führen Sie aus: chmod go-w {folder}",
  FOLDER: "Nur der Eigentümer kann {folder} ändern.",
  SPACE_TOO_LITTLE: "Nur {megabytes} MB sind für die eingebettete Datenbank frei: Schreiben misslingt, oder bald.",
  "SPACE_TOO_LITTLE.remedy":
    "Schaffen Sie Platz auf dem Datenträger von {folder}, oder halten Sie alle Server an, verschieben Sie dieses Verzeichnis und setzen Sie KEYSTEAD_DATA_DIR.",
  SPACE_LITTLE: "Nur {megabytes} MB sind für die eingebettete Datenbank frei, die zeitweise 1000 MB brauchen kann.",
  "SPACE_LITTLE.remedy":
    "Schaffen Sie Platz auf dem Datenträger von {folder}, oder halten Sie alle Server an, verschieben Sie dieses Verzeichnis und setzen Sie KEYSTEAD_DATA_DIR.",
  SPACE: "{megabytes} MB sind für die eingebettete Datenbank frei.",
  SECRET_READABLE: "{name} steht in {path}, was jeder Benutzer lesen kann.",
  "SECRET_READABLE.remedy": "Führen Sie aus: chmod o-r {path}",
  ADMIN_TOKEN_READABLE: "Das Token des ersten Administrators steht in {path}, was jeder Benutzer lesen kann.",
  "ADMIN_TOKEN_READABLE.remedy": "Führen Sie aus: chmod o-r {path}",
  SECRETS_CLOSED: "Kein Geheimnis steht in einer Datei, die jeder lesen kann.",
  DATABASE_OLD: "PostgreSQL {version} ist zu alt.",
  "DATABASE_OLD.remedy": "Verwenden Sie {oldest} oder neuer.",
  DATABASE: "PostgreSQL {version}, mit dem Schema dieser Version.",
  CONNECTIONS_TOO_FEW:
    "Worker-Prozesse: {workers}. Sie öffnen bis zu {wanted} Verbindungen, PostgreSQL erlaubt {allowed}: Unter Last misslingen Aufrufe.",
  "CONNECTIONS_TOO_FEW.remedy":
    "Verringern Sie KEYSTEAD_DATABASE_POOL_SIZE, oder erhöhen Sie max_connections oder das Verbindungslimit der Rolle oder der Datenbank.",
  CONNECTIONS: "Bis zu {wanted} von {allowed} verfügbaren.",
  CLOCK_AHEAD:
    "Die Uhr der Datenbank geht gegenüber der dieses Rechners {seconds} Sekunden vor. Sitzungs-JWTs haben die Zeit der Datenbank: Dienste mit abweichender Uhr weisen sie ab.",
  "CLOCK_AHEAD.remedy": "Gleichen Sie die Uhren per NTP ab.",
  CLOCK_BEHIND:
    "Die Uhr der Datenbank geht gegenüber der dieses Rechners {seconds} Sekunden nach. Sitzungs-JWTs haben die Zeit der Datenbank: Dienste mit abweichender Uhr weisen sie ab.",
  "CLOCK_BEHIND.remedy": "Gleichen Sie die Uhren per NTP ab.",
  CLOCK: "Die Uhr der Datenbank stimmt mit der dieses Rechners überein.",
  INDEX_INCOMPLETE: "Der Index {name} ist unvollständig und wird nicht benutzt: Das Anlegen wurde unterbrochen.",
  "INDEX_INCOMPLETE.remedy": "Legen Sie ihn durch dieses SQL neu an: reindex index concurrently {name}",
  COMMIT_OFF: "synchronous_commit ist off: Bei einem Absturz gehen bestätigte Schreibvorgänge verloren.",
  "COMMIT_OFF.remedy": "Setzen Sie es auf on.",
  COMMIT_LOCAL:
    "synchronous_commit ist local: Es wartet auf keinen Standby, deshalb gehen bei einem Failover bestätigte Schreibvorgänge verloren.",
  "COMMIT_LOCAL.remedy": "Setzen Sie es auf on.",
  NO_SYNCHRONOUS_STANDBY:
    "KEYSTEAD_DATABASE_URL nennt mehrere Hosts, aber synchronous_standby_names ist leer: Bei einem Failover gehen bestätigte Schreibvorgänge verloren.",
  "NO_SYNCHRONOUS_STANDBY.remedy": "Setzen Sie bei Patroni synchronous_mode und synchronous_mode_strict.",
  WRITES_ON_DISK: "Bestätigte Schreibvorgänge sind auf der Festplatte.",
  WRITES_ON_STANDBY: "Ein synchroner Standby hat bestätigte Schreibvorgänge.",
  PATRONI_OLD:
    "Das Patroni dieses PostgreSQL ist älter als 3.2; `patronictl version` zeigt die Version. Bis 3.0.2 mit der API v3 von etcd nimmt ein eingefrorener Leader seine Sperre zurück, und Schreibvorgänge, die sein Nachfolger bestätigt hat, gehen verloren.",
  "PATRONI_OLD.remedy": "Aktualisieren Sie Patroni auf 3.2 oder neuer.",
  SERVERS_NONE: "Es läuft keiner.",
  SERVERS_WITHOUT_KEY:
    "Diese können keine Geheimnisse speichern, weil `keystead rotate-keys` ihren ersten Schlüssel ersetzt hat: {servers}.",
  "SERVERS_WITHOUT_KEY.remedy": "Starten Sie sie mit den aktuellen Schlüsseln neu.",
  SERVERS_WITH_OTHER_KEYS:
    "Diese verschlüsseln nicht mit dem ersten Schlüssel dieser Einstellungen, {key_id}: {servers}.",
  "SERVERS_WITH_OTHER_KEYS.remedy":
    "Starten Sie sie mit denselben Schlüsseln neu; bis dahin weigert sich `keystead rotate-keys`.",
  SERVERS: "Laufende Server ({number}): {servers}.",
  SIGNING_KEY_NONE: "Es gibt keinen, um JWTs zu signieren.",
  "SIGNING_KEY_NONE.remedy":
    "Starten Sie den Server, der einen anlegt, sobald kein Server einer früheren Version mehr läuft.",
  SIGNING_KEY_FUTURE:
    "Der einzige fällige Schlüssel signiert ab {time} UTC, also in der Zukunft: Die Uhr der Datenbank geht oder ging falsch.",
  "SIGNING_KEY_FUTURE.remedy": "Gleichen Sie sie per NTP ab.",
  SIGNING_KEY_OVERDUE: "Der nächste ist seit {time} UTC überfällig.",
  "SIGNING_KEY_OVERDUE.remedy":
    "Prüfen Sie, dass ein Server läuft, und lesen Sie sein Log, oder führen Sie aus: keystead rotate-signing-key",
  SIGNING_KEY_NEXT: "Der nächste signiert ab {time} UTC.",
  SIGNING_KEY: "Der nächste wird am {date} veröffentlicht.",
  OWNER_NONE: "Kein Benutzer hat die Rolle INSTANCE_OWNER.",
  "OWNER_NONE.remedy":
    "Starten Sie den Server einmal, wenn die Datenbank neu ist; führen Sie sonst aus: keystead user grant USER INSTANCE_OWNER",
  OWNER_WITHOUT_TOKEN: "Kein Benutzer mit der Rolle INSTANCE_OWNER hat ein gültiges Token.",
  "OWNER_WITHOUT_TOKEN.remedy": "Führen Sie aus: keystead token create USER",
  OWNERS: "{number} mit einem gültigen Token.",
  MAIL_NOT_CONFIGURED: "Es gibt keine SMTP-Konfiguration, deshalb wird keine E-Mail gesendet.",
  "MAIL_NOT_CONFIGURED.remedy": "Legen Sie eine an: keystead smtp add",
  MAILS_UNDELIVERED:
    "Binnen eines Tages fehlgeschlagene E-Mails: {failed}, überfällige: {delayed}; der letzte Grund war {reason}.",
  "MAILS_UNDELIVERED.remedy": "Siehe: keystead mail list",
  MAILS_NOT_ATTEMPTED:
    "Binnen eines Tages fehlgeschlagene E-Mails: {failed}, überfällige: {delayed}; keine wurde versucht.",
  "MAILS_NOT_ATTEMPTED.remedy": "Prüfen Sie, dass ein Server läuft. Siehe: keystead mail list",
  MAILS:
    "Es gibt eine SMTP-Konfiguration; binnen eines Tages ist keine E-Mail fehlgeschlagen, und keine ist überfällig.",
  PUSHES_UNDELIVERED:
    "Binnen eines Tages fehlgeschlagene Webhooks und Logout-Tokens: {failed}; nach einem Fehlschlag erneut versuchte: {tried_again}; Ziele ohne Antwort: {targets}; der letzte Grund war {reason}.",
  "PUSHES_UNDELIVERED.remedy": "Siehe, mit --org: keystead push deliveries",
  PUSHES_TRIED_AGAIN:
    "Binnen eines Tages fehlgeschlagene Webhooks und Logout-Tokens: {failed}; nach einem Fehlschlag erneut versuchte: {tried_again}; Ziele ohne Antwort: {targets}.",
  "PUSHES_TRIED_AGAIN.remedy": "Siehe, mit --org: keystead push deliveries",
  PUSHES: "Binnen eines Tages ist kein Webhook oder Logout-Token fehlgeschlagen, und keines wird erneut versucht.",
  EVENTS_UNCOVERED: "Alter der ältesten Ereignisse, die in keinem Prüfpunkt sind, in Stunden: {hours}.",
  "EVENTS_UNCOVERED.remedy":
    "Prüfen Sie, dass ein Server läuft und ob sein Log Fehlschläge von housekeeping nennt, oder führen Sie aus: keystead audit checkpoint",
  EVENTS_COVERED:
    "Jedes Ereignis, das älter als eine Stunde ist, ist in einem Prüfpunkt. Zum Vergleichen: keystead audit verify",
  CHECKPOINT_LOST:
    "Der Prüfpunkt {number} aus {path} ist nicht mehr in der Datenbank: Jemand hat ihn entfernt, oder eine ältere Sicherung wurde wiederhergestellt.",
  "CHECKPOINT_LOST.remedy":
    "Führen Sie aus: keystead audit verify. Nach einer Wiederherstellung halten Sie die Server an und führen aus: keystead restored. Verschieben Sie dann die Datei, bewahren Sie sie auf, und starten Sie die Server.",
  CHECKPOINT_NOT_IN_FILE: "Der Prüfpunkt {number} ist nicht in {path}.",
  "CHECKPOINT_NOT_IN_FILE.remedy":
    "Prüfen Sie, dass ein Server dieses Rechners mit der Einstellung läuft und in die Datei schreiben kann.",
  CHECKPOINT_FILE: "Die Datenbank hat den letzten Prüfpunkt aus {path}.",
  EVENTS_MISPLACED:
    "Ereignisse ohne Partition ihres Monats, ab {date}: {events}. Sie werden wie gewohnt gelesen, aber können nicht archiviert werden.",
  "EVENTS_MISPLACED.remedy": "Prüfen Sie die Uhr der Datenbank, und ob das Log Fehlschläge von housekeeping nennt.",
};
