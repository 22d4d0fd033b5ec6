/** The findings of the view of the system in Italian, by their reasons. `{name}` stands for a value of the finding. */

import type { Findings } from "../types";

export const findings: Findings = {
  "check.readiness": "disponibilità",
  "check.settings": "impostazioni",
  "check.relying party": "relying party",
  "check.link page": "pagina dei link",
  "check.plaintext": "testo in chiaro",
  "check.trusted proxies": "proxy attendibili",
  "check.certificate": "certificato",
  "check.client CA": "CA dei client",
  "check.extensions of the certificate": "estensioni del certificato",
  "check.data directory": "directory dei dati",
  "check.disk space": "spazio su disco",
  "check.secret files": "file con segreti",
  "check.database": "database",
  "check.connections": "connessioni",
  "check.clock": "orologio",
  "check.indexes": "indici",
  "check.writes": "scritture",
  "check.Patroni": "Patroni",
  "check.servers": "server",
  "check.ES256 signing keys": "chiavi di firma ES256",
  "check.RS256 signing keys": "chiavi di firma RS256",
  "check.administrator": "amministratore",
  "check.mail": "email",
  "check.pushes": "invii",
  "check.event log": "registro degli eventi",
  "check.checkpoint file": "file dei punti di controllo",
  "check.event partitions": "partizioni degli eventi",
  "check.mail sender": "mittente delle email",
  READY: "Il server accetta chiamate.",
  SETTINGS_VALID: "Sono tutte valide.",
  RP_ID_LOCAL:
    "KEYSTEAD_RP_ID è {rp_id}, mentre il server è in ascolto su {address}: le passkey funzionano solo nei browser di questo computer.",
  "RP_ID_LOCAL.remedy": "Imposta KEYSTEAD_RP_ID e KEYSTEAD_RP_ORIGINS sul dominio che vedono gli utenti.",
  RP_ID: "{rp_id}, su {origins}.",
  LINK_PAGE_PLAINTEXT: "{page} non è servita tramite https, quindi i browser non vi offrono passkey.",
  "LINK_PAGE_PLAINTEXT.remedy": "Servila tramite TLS e imposta KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE_ELSEWHERE: "I link di registrazione aprono {page}, ma la porta web è {here} su questo computer.",
  "LINK_PAGE_ELSEWHERE.remedy":
    "Indica {here} per primo in KEYSTEAD_RP_ORIGINS, oppure imposta KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE_FOREIGN:
    "{page} non è su nessuno dei KEYSTEAD_RP_ORIGINS, quindi ogni registrazione tramite link viene rifiutata.",
  "LINK_PAGE_FOREIGN.remedy": "Aggiungi lì {origin}, oppure modifica KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE: "I link di registrazione aprono {page}.",
  PORTS_TLS: "Entrambe le porte usano TLS.",
  PORTS_OPEN: "{ports}: altri computer vi accedono in chiaro, il che espone i token.",
  "PORTS_OPEN.remedy":
    "Imposta KEYSTEAD_TLS_CERTIFICATE_FILE e KEYSTEAD_TLS_KEY_FILE, resta in ascolto su 127.0.0.1, oppure consenti l’accesso solo a un proxy che termina TLS.",
  PORTS_LOCAL: "Entrambe le porte sono raggiungibili solo da questo computer o tramite un proxy attendibile.",
  PROXIES_EVERYWHERE:
    "KEYSTEAD_TRUSTED_PROXIES contiene {networks}: ogni client che raggiunge la porta web sceglie l’indirizzo usato dai limiti di frequenza e dai log.",
  "PROXIES_EVERYWHERE.remedy": "Indica solo le reti dei tuoi proxy.",
  CERTIFICATE_FUTURE: "{file} è valido solo dal {time} UTC, quindi i client lo rifiutano.",
  "CERTIFICATE_FUTURE.remedy": "Controlla l’orologio di questo computer, oppure usa un altro certificato.",
  CERTIFICATE_EXPIRED: "{file} è scaduto il {time} UTC, quindi i client lo rifiutano.",
  "CERTIFICATE_EXPIRED.remedy": "Rinnovalo; i server in esecuzione adottano i nuovi file.",
  CERTIFICATE_EXPIRES: "{file} scade il {time} UTC.",
  "CERTIFICATE_EXPIRES.remedy": "Rinnovalo; i server in esecuzione adottano i nuovi file.",
  CERTIFICATE_VALID: "{file} è valido fino al {date}.",
  CLIENT_CA_EXPIRED:
    "Un certificato in {file} è scaduto il {time} UTC, quindi i client con certificati di questa autorità non possono connettersi.",
  "CLIENT_CA_EXPIRED.remedy": "Rinnovalo; i server in esecuzione adottano i nuovi file.",
  CLIENT_CA_EXPIRES: "Un certificato in {file} scade il {time} UTC.",
  "CLIENT_CA_EXPIRES.remedy": "Rinnovalo; i server in esecuzione adottano i nuovi file.",
  CLIENT_CA_VALID: "Un certificato in {file} è valido fino al {date}.",
  EXTENSIONS_MISSING:
    "RFC 5280 richiede {extension} di {subject} in {file}. Senza, i client rigorosi, ad esempio Python 3.13, rifiutano il certificato.",
  "EXTENSIONS_MISSING.remedy": "Fallo emettere di nuovo, come mostra docs/operating-tls.md.",
  EXTENSIONS: "{file} ha le estensioni richieste da RFC 5280.",
  FOLDER_CLOSED: "Questo utente non può scrivere in {folder} né crearla.",
  "FOLDER_CLOSED.remedy": "Esegui Keystead come proprietario, oppure imposta KEYSTEAD_DATA_DIR su un’altra directory.",
  FOLDER_MISSING: "{folder} non esiste; la crea il server.",
  FOLDER_OPEN: "Altri utenti possono scrivere in {folder}.",
  "FOLDER_OPEN.remedy": "Esegui: chmod go-w {folder}",
  FOLDER: "Solo il proprietario può modificare {folder}.",
  SPACE_TOO_LITTLE:
    "Solo {megabytes} MB sono liberi per il database integrato: le scritture non riescono, o presto non riusciranno.",
  "SPACE_TOO_LITTLE.remedy":
    "Libera spazio sul disco di {folder}, oppure arresta tutti i server, sposta quella directory e imposta KEYSTEAD_DATA_DIR.",
  SPACE_LITTLE: "Solo {megabytes} MB sono liberi per il database integrato, che per un po’ può averne bisogno di 1000.",
  "SPACE_LITTLE.remedy":
    "Libera spazio sul disco di {folder}, oppure arresta tutti i server, sposta quella directory e imposta KEYSTEAD_DATA_DIR.",
  SPACE: "{megabytes} MB sono liberi per il database integrato.",
  SECRET_READABLE: "{name} è in {path}, che ogni utente può leggere.",
  "SECRET_READABLE.remedy": "Esegui: chmod o-r {path}",
  ADMIN_TOKEN_READABLE: "Il token del primo amministratore è in {path}, che ogni utente può leggere.",
  "ADMIN_TOKEN_READABLE.remedy": "Esegui: chmod o-r {path}",
  SECRETS_CLOSED: "Nessun segreto è in un file che tutti possono leggere.",
  DATABASE_OLD: "PostgreSQL {version} è troppo vecchio.",
  "DATABASE_OLD.remedy": "Usa {oldest} o successivo.",
  DATABASE: "PostgreSQL {version}, con lo schema di questa versione.",
  CONNECTIONS_TOO_FEW:
    "Processi di lavoro: {workers}. Aprono fino a {wanted} connessioni, PostgreSQL ne consente {allowed}: sotto carico le chiamate non riescono.",
  "CONNECTIONS_TOO_FEW.remedy":
    "Riduci KEYSTEAD_DATABASE_POOL_SIZE, oppure aumenta max_connections o il limite di connessioni del ruolo o del database.",
  CONNECTIONS: "Fino a {wanted} di {allowed} disponibili.",
  CLOCK_AHEAD:
    "L’orologio del database è avanti di {seconds} secondi rispetto a quello di questo computer. I JWT di sessione hanno l’ora del database: i servizi con un orologio diverso li rifiutano.",
  "CLOCK_AHEAD.remedy": "Sincronizzali tramite NTP.",
  CLOCK_BEHIND:
    "L’orologio del database è indietro di {seconds} secondi rispetto a quello di questo computer. I JWT di sessione hanno l’ora del database: i servizi con un orologio diverso li rifiutano.",
  "CLOCK_BEHIND.remedy": "Sincronizzali tramite NTP.",
  CLOCK: "L’orologio del database concorda con quello di questo computer.",
  INDEX_INCOMPLETE: "L’indice {name} è incompleto e non viene usato: la sua creazione è stata interrotta.",
  "INDEX_INCOMPLETE.remedy": "Crealo di nuovo con questo SQL: reindex index concurrently {name}",
  COMMIT_OFF: "synchronous_commit è off: un arresto anomalo perde scritture confermate.",
  "COMMIT_OFF.remedy": "Impostalo su on.",
  COMMIT_LOCAL:
    "synchronous_commit è local: non attende nessuno standby, quindi un failover perde scritture confermate.",
  "COMMIT_LOCAL.remedy": "Impostalo su on.",
  NO_SYNCHRONOUS_STANDBY:
    "KEYSTEAD_DATABASE_URL indica più host, ma synchronous_standby_names è vuoto: un failover perde scritture confermate.",
  "NO_SYNCHRONOUS_STANDBY.remedy": "Con Patroni, imposta synchronous_mode e synchronous_mode_strict.",
  WRITES_ON_DISK: "Le scritture confermate sono su disco.",
  WRITES_ON_STANDBY: "Uno standby sincrono ha le scritture confermate.",
  PATRONI_OLD:
    "Il Patroni di questo PostgreSQL è precedente a 3.2; `patronictl version` ne mostra la versione. Fino a 3.0.2 con l’API v3 di etcd, un leader che era bloccato si riprende il lock, e le scritture confermate dal suo successore vanno perse.",
  "PATRONI_OLD.remedy": "Aggiorna Patroni a 3.2 o successivo.",
  SERVERS_NONE: "Nessuno è in esecuzione.",
  SERVERS_WITHOUT_KEY:
    "Questi non possono memorizzare segreti, perché `keystead rotate-keys` ha sostituito la loro prima chiave: {servers}.",
  "SERVERS_WITHOUT_KEY.remedy": "Riavviali con le chiavi attuali.",
  SERVERS_WITH_OTHER_KEYS: "Questi non cifrano con la prima chiave di queste impostazioni, {key_id}: {servers}.",
  "SERVERS_WITH_OTHER_KEYS.remedy": "Riavviali con le stesse chiavi; fino ad allora `keystead rotate-keys` si rifiuta.",
  SERVERS: "Server in esecuzione ({number}): {servers}.",
  SIGNING_KEY_NONE: "Non ce n’è nessuna per firmare JWT.",
  "SIGNING_KEY_NONE.remedy":
    "Avvia il server, che ne aggiunge una non appena nessun server di una versione precedente è in esecuzione.",
  SIGNING_KEY_FUTURE:
    "L’unica chiave in vigore firma dal {time} UTC, che è nel futuro: l’orologio del database è o era sbagliato.",
  "SIGNING_KEY_FUTURE.remedy": "Sincronizzalo tramite NTP.",
  SIGNING_KEY_OVERDUE: "La prossima è in ritardo dal {time} UTC.",
  "SIGNING_KEY_OVERDUE.remedy":
    "Controlla che un server sia in esecuzione e leggi il suo log, oppure esegui: keystead rotate-signing-key",
  SIGNING_KEY_NEXT: "La prossima firma dal {time} UTC.",
  SIGNING_KEY: "La prossima viene pubblicata il {date}.",
  OWNER_NONE: "Nessun utente ha il ruolo INSTANCE_OWNER.",
  "OWNER_NONE.remedy":
    "Avvia il server una volta se il database è nuovo, altrimenti esegui: keystead user grant USER INSTANCE_OWNER",
  OWNER_WITHOUT_TOKEN: "Nessun utente con il ruolo INSTANCE_OWNER ha un token valido.",
  "OWNER_WITHOUT_TOKEN.remedy": "Esegui: keystead token create USER",
  OWNERS: "{number} con un token valido.",
  MAIL_NOT_CONFIGURED: "Non è impostata alcuna configurazione SMTP, quindi non viene inviata alcuna email.",
  "MAIL_NOT_CONFIGURED.remedy": "Aggiungine una: keystead smtp add",
  MAILS_UNDELIVERED:
    "Email non riuscite in un giorno: {failed}; in ritardo: {delayed}; l’ultimo motivo è stato {reason}.",
  "MAILS_UNDELIVERED.remedy": "Vedi: keystead mail list",
  MAILS_NOT_ATTEMPTED: "Email non riuscite in un giorno: {failed}; in ritardo: {delayed}; nessuna è stata tentata.",
  "MAILS_NOT_ATTEMPTED.remedy": "Controlla che un server sia in esecuzione. Vedi: keystead mail list",
  MAILS: "È impostata una configurazione SMTP; nessuna email è in ritardo o non riuscita in un giorno.",
  PUSHES_UNDELIVERED:
    "Webhook e token di logout non riusciti in un giorno: {failed}; ritentati dopo un errore: {tried_again}; destinazioni senza risposta: {targets}; l’ultimo motivo è stato {reason}.",
  "PUSHES_UNDELIVERED.remedy": "Vedi, con --org: keystead push deliveries",
  PUSHES_TRIED_AGAIN:
    "Webhook e token di logout non riusciti in un giorno: {failed}; ritentati dopo un errore: {tried_again}; destinazioni senza risposta: {targets}.",
  "PUSHES_TRIED_AGAIN.remedy": "Vedi, con --org: keystead push deliveries",
  PUSHES: "In un giorno non è fallito alcun webhook o token di logout, e nessuno viene ritentato.",
  EVENTS_UNCOVERED: "Età degli eventi che non sono in alcun punto di controllo, in ore: {hours}.",
  "EVENTS_UNCOVERED.remedy":
    "Controlla che un server sia in esecuzione e se il suo log indica errori di housekeeping, oppure esegui: keystead audit checkpoint",
  EVENTS_COVERED: "Ogni evento di oltre un’ora fa è in un punto di controllo. Per confrontarli: keystead audit verify",
  CHECKPOINT_LOST:
    "Il punto di controllo {number}, contenuto in {path}, non è più nel database: qualcuno lo ha rimosso, o è stato ripristinato un backup precedente.",
  "CHECKPOINT_LOST.remedy":
    "Esegui: keystead audit verify. Dopo un ripristino, arresta i server ed esegui: keystead restored. Poi sposta il file, conservalo e avvia i server.",
  CHECKPOINT_NOT_IN_FILE: "Il punto di controllo {number} non è in {path}.",
  "CHECKPOINT_NOT_IN_FILE.remedy":
    "Controlla che un server di questo computer sia in esecuzione con questa impostazione e possa scrivere nel file.",
  CHECKPOINT_FILE: "Il database ha l’ultimo punto di controllo di {path}.",
  EVENTS_MISPLACED:
    "Eventi senza partizione del loro mese, dal {date}: {events}. Vengono letti come al solito e non possono essere archiviati.",
  "EVENTS_MISPLACED.remedy": "Controlla l’orologio del database, e se il log indica errori di housekeeping.",
};
