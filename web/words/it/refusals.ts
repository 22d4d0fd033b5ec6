/** The refusals of the server in Italian, by their reasons. `{name}` stands for a value of the metadata of the refusal. */

import type { Refusals } from "../types";

export const refusals: Refusals = {
  APPLICATION_GRANT_NOT_FOUND:
    "L’utente non ha dato accesso a questa applicazione, o l’accesso è già terminato. Ricarica l’elenco.",
  APPLICATION_ID_ALREADY_USED:
    "Un’applicazione di questa installazione ha o ha avuto questo ID. Gli ID non vengono mai riutilizzati. Scegline un altro.",
  APPLICATION_NOT_FOUND:
    "Questa organizzazione non ha quell’applicazione. Controlla l’elenco delle applicazioni e l’organizzazione scelta.",
  APPLICATION_SECRET_NOT_FOUND: "L’applicazione non ha più questo segreto. Ricarica la pagina.",
  APPLICATION_WITHOUT_PEOPLE:
    "L’applicazione non ottiene claim di utenti. Li ottengono solo le applicazioni web, nel browser e su un dispositivo.",
  APPLICATION_WITHOUT_SECRETS:
    "L’applicazione non si autentica con un segreto. Per un’applicazione web o un servizio, scegli un metodo con segreto, oppure usa la sua chiave.",
  ATTRIBUTE_DEFINITION_ALREADY_EXISTS: "Scegli un altro nome.",
  ATTRIBUTE_DEFINITION_NOT_FOUND: "L’attributo è stato rimosso. Ricarica l’elenco.",
  BRAND_NOT_FOUND: "Nessun marchio è definito. Definiscine uno.",
  CAPTURED_MAIL_NOT_FOUND: "L’email non è stata catturata, o il suo messaggio non è più conservato.",
  CAPTURED_MAIL_UNREADABLE:
    "Il messaggio non può essere decifrato. Tutti i server di questo database hanno bisogno delle stesse chiavi.",
  CANNOT_LOCK_YOURSELF: "Non puoi bloccare il tuo utente. Chiedilo a un altro amministratore.",
  CERTIFICATE_ALREADY_ADDED:
    "Il certificato appartiene già a un token. Revoca prima quel token, o fai emettere un altro certificato.",
  CERTIFICATE_NOT_PRESENTED:
    "La connessione non dimostra che hai la chiave privata del certificato. Chiedi a un proprietario dell’istanza di aggiungerlo.",
  CHALLENGE_EXPIRED: "La conferma ha richiesto troppo tempo. Ricomincia dall’inizio.",
  CHALLENGE_USED: "Questa conferma è già stata completata. Ricomincia dall’inizio.",
  CONCURRENT_CHANGE: "Qualcuno ha modificato la stessa cosa nello stesso momento. Riprova.",
  CREDENTIAL_ALREADY_REGISTERED: "Questa passkey è già registrata. Usa un altro dispositivo.",
  CREDENTIAL_MALFORMED: "La risposta del dispositivo è danneggiata. Riprova o usane un altro.",
  CREDENTIAL_NOT_VERIFIED: "Questa passkey non appartiene a questa registrazione. Ricomincia dall’inizio.",
  DATABASE_UNAVAILABLE: "Al momento il server non raggiunge il suo database. Riprova tra poco.",
  DEADLINE_EXCEEDED: "La chiamata non è terminata in tempo. Riprova.",
  DEFAULT_ORGANIZATION: "Questa è l’organizzazione predefinita. Non può essere rimossa.",
  DELIVERY_ALREADY_SENT: "La destinazione ha accettato la consegna. Non c’è altro da fare.",
  DELIVERY_CANCELLED: "La consegna è stata annullata perché la sua destinazione è stata rimossa.",
  DELIVERY_NOT_FOUND: "Questa organizzazione non ha quella consegna. Ricarica l’elenco.",
  DNS_UNAVAILABLE:
    "I server DNS non hanno risposto. Riprova più tardi. Se succede ancora, controlla il DNS del dominio.",
  EMAIL_SET_BY_OTHERS:
    "L’indirizzo email è stato impostato da qualcuno che non ha tutti i diritti dell’utente. Controlla l’indirizzo e salvalo di nuovo.",
  ENCRYPTION_KEY_REPLACED:
    "Questo server non può conservare segreti perché la sua chiave è stata sostituita. I gestori del server devono riavviarlo con le chiavi attuali.",
  EVENTS_ARCHIVED: "Gli eventi meno recenti sono archiviati. Chiedi gli archivi ai gestori del server.",
  GROUP_ALREADY_EXISTS: "Scegli un altro nome.",
  GROUP_MEMBER_NOT_FOUND:
    "L’utente non è membro del gruppo, o questa organizzazione non ha quel gruppo. Ricarica l’elenco.",
  GROUP_NOT_FOUND: "Questa organizzazione non ha quel gruppo. Controlla l’elenco dei gruppi e l’organizzazione scelta.",
  IDEMPOTENCY_ANSWER_UNREADABLE: "La modifica è stata eseguita, ma la risposta non è leggibile. Ricarica la pagina.",
  IDEMPOTENCY_KEY_REUSED: "Due modifiche avevano la stessa chiave. Ricarica la pagina e riprova.",
  IDP_LINK_NOT_FOUND: "L’utente non ha più questo collegamento. Ricarica l’elenco.",
  IDP_NAME_NOT_UNIQUE: "Più provider di identità dell’organizzazione hanno questo nome. Indica l’ID del provider.",
  IDP_NOT_FOUND:
    "Questa organizzazione non ha quel provider di identità. Controlla l’elenco e l’organizzazione scelta.",
  INVALID_FIELDS: "Correggi i campi che mostrano un errore.",
  LAST_INSTANCE_OWNER: "Rendi prima un altro utente proprietario dell’istanza senza scadenza, o sbloccane uno.",
  LAST_SECRET: "Il webhook ha solo questa chiave. Creane prima un’altra.",
  LINK_EXPIRED: "Il link è scaduto. Creane uno nuovo.",
  LINK_REPLACED: "Un link più recente ha sostituito questo. Usa il più recente.",
  LINK_USED: "Con questo link è già stata registrata una passkey. Creane uno nuovo.",
  LOG_RESTORED:
    "Gli eventi fino a questo punto sono andati persi: il database è stato ripristinato da un backup. Ricarica la pagina.",
  MADE_BY_OTHERS:
    "Utenti bloccati, o senza i diritti di questo ruolo, potrebbero avere credenziali di questo utente. Controllale e assegna il ruolo in modo che le credenziali create da altri terminino.",
  MAIL_ALREADY_SENT: "L’email è già stata inviata. Non c’è altro da fare.",
  MAIL_CANCELLED: "L’email è stata annullata perché il suo contenuto non è più attuale.",
  MAIL_CAPTURED:
    "Nessuna email lascia questo server, perché KEYSTEAD_MAIL_CAPTURE è attivo. Esegui il test senza destinatario.",
  MAIL_DOMAIN_ALREADY_EXISTS: "L’organizzazione ha già questo dominio email. È nell’elenco.",
  MAIL_DOMAIN_NOT_FOUND: "Il dominio email è stato rimosso. Ricarica l’elenco.",
  MAIL_DOMAIN_NOT_PROVEN:
    "Nessun record TXT {record_name} ha il valore {record_value}. Trovato: {found}. Pubblica il record nel DNS del dominio e riprova: a volte i server DNS conservano per ore una risposta vecchia.",
  MAIL_DOMAIN_PROVEN_ELSEWHERE:
    "Un’altra organizzazione di questo server ha verificato il dominio email. Rimuovi il suo record TXT dal DNS, in modo che solo il tuo abbia questo nome.",
  MAIL_NOT_FOUND: "Questa email non esiste più. Ricarica l’elenco.",
  MAIL_TEXT_NOT_FOUND: "Non c’è un testo personalizzato per questa email in questa lingua. Ricarica l’elenco.",
  MAIL_SECRET_ERASED: "Il link nell’email è stato cancellato quando l’invio non è riuscito. Crea un nuovo link.",
  MALFORMED_MESSAGE: "Il server non può leggere il messaggio. Ricarica la pagina.",
  MESSAGE_TOO_LARGE: "Il messaggio è troppo grande. Usa valori più corti o un’immagine più piccola.",
  METHOD_NOT_IMPLEMENTED: "Questo server non può ancora farlo. Ricarica la pagina.",
  OIDC_CLIENT_SECRET_REQUIRED:
    "Il segreto client salvato vale solo per l’emittente e l’ID client con cui è stato impostato. Inseriscilo di nuovo con questa modifica.",
  OIDC_CLIENT_SECRET_UNREADABLE:
    "Il segreto client salvato non può essere decifrato. Inseriscilo di nuovo, o chiedi ai gestori del server di ripristinare le chiavi mancanti.",
  OIDC_CONFIG_NOT_FOUND: "Il provider di identità non ha impostazioni OpenID Connect. Definiscile.",
  ORGANIZATION_ALREADY_EXISTS: "Scegli un altro nome.",
  ORGANIZATION_HAS_USERS: "L’organizzazione ha ancora utenti. Rimuovili prima.",
  ORGANIZATION_NOT_FOUND: "Questa organizzazione non esiste. Controlla l’elenco delle organizzazioni.",
  IDENTIFIER_ALREADY_USED: "Usane un altro.",
  ORIGIN_ALREADY_USED: "Rimuovila lì o usane un’altra.",
  PASSKEY_NOT_FOUND: "L’utente non ha più questa passkey. Ricarica l’elenco.",
  PASSKEY_UNKNOWN: "Il server non conosce questa passkey. Usane un’altra.",
  PERMISSION_DENIED: "Non ne hai il diritto. Chiedi agli amministratori dell’organizzazione un ruolo che lo consenta.",
  PROFILE_KEPT: "Chiedi a un amministratore di modificare i tuoi dati.",
  PUSH_SECRET_UNREADABLE: "Una chiave del webhook non può essere decifrata. Creane un’altra e rimuovi questa.",
  RATE_LIMITED: "Ci sono state troppe chiamate in poco tempo. Aspetta un momento.",
  REAUTHENTICATION_REQUIRED:
    "Per questa operazione devi aver eseguito l’accesso negli ultimi minuti. Conferma la tua identità con una passkey.",
  RECOVERY_NOT_ALLOWED: "Il recupero via email non è consentito qui. Crea un link.",
  ROLE_OUTLASTS_YOURS: "Il tuo ruolo scade prima. Scegli una scadenza che non sia successiva.",
  SEQUENCE_UNKNOWN: "Il registro è più corto di prima: il database è stato ripristinato. Ricarica la pagina.",
  SESSION_NOT_FOUND: "Questa sessione è già terminata. Ricarica l’elenco.",
  SHUTTING_DOWN: "Questo server si sta arrestando. Riprova tra poco.",
  SIGNING_KEY_UNAVAILABLE:
    "Il server non ha una chiave di firma leggibile. Riprova più tardi o avvisa i gestori del server.",
  SIGN_IN_FAILED: "L’accesso non è riuscito. Riprova o usa un’altra passkey.",
  SMTP_CONFIG_ALREADY_EXISTS: "Esiste già una configurazione SMTP. Ricarica la pagina e modificala.",
  SMTP_CONFIG_MISSING: "Crea prima una configurazione SMTP.",
  SMTP_CONFIG_NOT_FOUND: "Nessuna configurazione SMTP è definita. Creane una.",
  SMTP_OAUTH_BOUND:
    "Le impostazioni OAuth valgono solo per il server di posta, la crittografia e la casella per cui sono state definite. Rimuovile prima della modifica e definiscile di nuovo dopo.",
  SMTP_OAUTH_NOT_FOUND: "OAuth non è configurato per la posta.",
  SMTP_OAUTH_SECRET_REQUIRED:
    "Il segreto salvato vale solo per l’endpoint dei token, l’ID client e la casella per cui è stato impostato. Inseriscilo di nuovo con la modifica.",
  SMTP_OAUTH_SECRET_UNREADABLE:
    "Il segreto OAuth salvato non può essere decifrato. Inseriscilo di nuovo, o dai le stesse chiavi a tutti i server (`keystead doctor` indica quelle mancanti).",
  SMTP_PASSWORD_REQUIRED:
    "La password salvata vale solo per il server, la crittografia e l’utente con cui è stata impostata. Inseriscila di nuovo con questa modifica.",
  SMTP_PASSWORD_UNREADABLE:
    "La password salvata non può essere decifrata. Inseriscila di nuovo, o chiedi ai gestori del server di ripristinare le chiavi mancanti.",
  SMTP_USER_REQUIRED:
    "La configurazione SMTP non ha un utente e quindi non ha bisogno di una password. Inseriscili insieme.",
  STREAM_NOT_READ: "La connessione era troppo lenta. Ricarica la pagina.",
  SUBSCRIPTION_NOT_FOUND: "Questa organizzazione non ha quel webhook. Controlla l’elenco e l’organizzazione scelta.",
  SUBSCRIPTION_SECRET_NOT_FOUND: "Il webhook non ha più questa chiave. Ricarica la pagina.",
  TOKEN_NOT_FOUND: "L’utente non ha più questo token. Ricarica l’elenco.",
  TOO_MANY_ATTEMPTS: "Con questo link la registrazione di una passkey è stata iniziata troppe volte. Creane uno nuovo.",
  TOO_MANY_ATTRIBUTE_DEFINITIONS: "L’organizzazione ha il numero massimo di attributi. Rimuovine prima uno.",
  TOO_MANY_CEREMONIES: "Troppe registrazioni di questo utente sono in corso. Aspetta dieci minuti che scadano.",
  TOO_MANY_IDEMPOTENCY_KEYS: "Hai fatto troppe modifiche in un giorno. Riprova più tardi.",
  TOO_MANY_MAIL_DOMAINS: "L’organizzazione ha il numero massimo di domini email. Rimuovine uno.",
  TOO_MANY_MAILS: "A questo indirizzo sono state inviate troppe email, o sono ancora in attesa. Riprova più tardi.",
  TOO_MANY_MAKERS:
    "La tua passkey o il tuo token deriva dalle credenziali di molti altri utenti. Usane uno creato da te.",
  TOO_MANY_MEMBERS: "Il gruppo ha il numero massimo di membri. Rimuovine alcuni o crea un altro gruppo.",
  TOO_MANY_PASSKEYS: "L’utente ha il numero massimo di passkey. Rimuovine una che non serve più.",
  TOO_MANY_SECRETS: "L’applicazione ha il numero massimo di segreti. Rimuovi quello che non usa più.",
  TOO_MANY_SUBSCRIPTIONS: "L’organizzazione ha il numero massimo di webhook. Rimuovine uno.",
  TOO_MANY_SUBSCRIPTION_SECRETS:
    "Il webhook ha il numero massimo di chiavi. Rimuovi quella che la destinazione non usa più.",
  TOO_MANY_TOKENS: "L’utente ha il numero massimo di token. Revoca quelli che non servono.",
  UNAUTHENTICATED: "La tua sessione è terminata. Accedi di nuovo.",
  USER_ALREADY_EXISTS: "Scegli un altro nome utente.",
  USER_HAS_NO_EMAIL: "Inserisci un indirizzo email, oppure mostra il link e consegnalo di persona.",
  USER_LOCKED: "L’utente è bloccato. Prima sbloccalo.",
  USER_NOT_FOUND: "Questo utente non esiste. Controlla l’elenco degli utenti.",
  USER_NOT_VERIFIED:
    "Il dispositivo non ha confermato la tua identità. Sbloccalo con il PIN, l’impronta digitale o il volto.",
  WORKLOAD_ISSUER_UNREACHABLE: "Al momento le chiavi dell’emittente non possono essere lette. Riprova più tardi.",
  "violation.CONTAINS_LINK":
    "Rimuova link, indirizzi web e indirizzi e-mail: il link dell’e-mail resta l’unico. Dopo un punto, metta uno spazio.",
  "violation.CONTROL_CHARACTERS": "Rimuova gli a capo e i caratteri di controllo.",
  "violation.EMPTY": "Inserisca un valore.",
  "violation.HTTPS_REQUIRED": "Inserisca un URL che inizi con https://.",
  "violation.INVALID_LANGUAGE": "Inserisca un codice di lingua come en o pt-BR.",
  "violation.INVALID_MAIL_ADDRESS": "Inserisca un indirizzo e-mail come name@example.com.",
  "violation.INVALID_TIME": "Inserisca una data tra gli anni 1 e 9999.",
  "violation.INVALID_TIME_ZONE": "Inserisca un fuso orario come Europe/Berlin.",
  "violation.INVISIBLE_CHARACTERS": "Rimuova i caratteri invisibili.",
  "violation.MISSING_PLACE": "Aggiunga i segnaposto che devono essere nel testo.",
  "violation.NO_VISIBLE_CHARACTER": "Inserisca almeno un carattere visibile.",
  "violation.OUTER_WHITE_SPACE": "Rimuova gli spazi all’inizio e alla fine.",
  "violation.TIME_PASSED": "Indichi un momento futuro.",
  "violation.TOO_LONG": "Inserisca al massimo {number} caratteri.",
  "violation.TOO_MANY_ENTRIES": "Inserisca al massimo {number} voci.",
  "violation.TOO_MANY_LINES": "Scriva al massimo {number} righe.",
  "violation.TOO_SMALL": "Inserisca almeno {number}.",
  "violation.UNKNOWN_PLACE": "Usi le parentesi graffe solo per i segnaposto indicati sopra.",
};
