/** The text of the console in Italian, without that of its first view. */

import type { ConsoleWords } from "../types";

export const words: ConsoleWords<"it"> = {
  add: "Aggiungi",
  save: "Salva",
  saved: "Salvato.",
  cancel: "Annulla",
  close: "Chiudi",
  discard: "Scarta le modifiche",
  nothingChanged: "Non è stato modificato nulla.",
  remove: "Rimuovi",
  removeImage: "Rimuovi l’immagine",
  image: "Un’immagine",
  look: "Anteprima",
  optional: "(facoltativo)",
  choose: "Scegli…",
  default: "Predefinito",
  nothingToChoose: "Non c’è ancora nulla da scegliere.",
  yes: "Sì",
  no: "No",
  never: "Mai",
  none: "Nessuno",
  once: "Copialo ora. Non verrà più mostrato.",
  details: "Dettagli",
  settings: "Impostazioni",
  state: "Stato",
  created: "Creato",
  changed: "Modificato",
  search: "Cerca",

  "conflict.title": "Un’altra persona ha apportato una modifica",
  "conflict.text":
    "Dopo che l’hai aperto, questi campi sono stati salvati con altri valori. Ciò che hai inserito è ancora qui.",
  "conflict.field": "Campo",
  "conflict.theirs": "Valore salvato",
  "conflict.mine": "Il tuo valore",
  "conflict.unchanged": "non modificato",
  "conflict.keepMine": "Salva i miei valori",
  "conflict.takeTheirs": "Scarta i miei valori",

  "limit.required": "Inserisci un valore.",
  "limit.choose": "Scegli un valore.",
  "limit.maxLength": "Inserisci al massimo {most} caratteri.",
  "limit.maxItems": "Inserisci al massimo {most} righe.",
  "limit.range": "Inserisci un numero da {least} a {most}.",
  "limit.number": "Inserisci un numero intero.",
  "limit.pattern": "Questo formato non è accettato.",
  "limit.item": "Riga {number}: {text}",
  "limit.pair": "Scrivi un nome, = e un valore.",

  "field.name": "Nome",
  "field.displayName": "Nome visualizzato",
  "field.userName": "Nome utente",
  "field.email": "Indirizzo email",
  "field.givenName": "Nome",
  "field.familyName": "Cognome",
  "field.locale": "Lingua",
  "hint.locale": "Un codice di lingua come it o pt-BR.",
  "field.zoneinfo": "Fuso orario",
  "hint.zoneinfo": "Un nome come Europe/Rome.",
  "field.externalId": "ID in un altro sistema",
  "field.keepsProfiles": "Solo gli amministratori modificano nomi e lingue degli utenti",
  "field.allowsMailRecovery": "Recupero via email",
  "hint.allowsMailRecovery":
    "Gli utenti senza ruoli che hanno perso tutte le passkey possono farsi inviare un link via email. In tal caso la loro casella di posta basta per accedere a loro nome.",

  "field.allowsMailFallback": "Email tramite l’istanza",
  "hint.allowsMailFallback":
    "Quando il server di posta dell’organizzazione non funziona, quello dell’istanza invia le sue email, con il mittente dell’istanza.",
  "field.allowsSignUp": "Creazione di account",
  "hint.allowsSignUp":
    "Le persone creano da sé il proprio account con un link inviato al loro indirizzo email. Lo propone la pagina di accesso con l’ID dell’organizzazione, /signin/?org_id=….",
  "field.clientMetadataHosts": "Host di applicazioni che non occorre aggiungere",
  "hint.clientMetadataHosts":
    "Uno per riga, ad esempio app.example.com. I client MCP, per esempio, vi pubblicano un documento che li descrive. * vale per tutti gli host.",

  "organizations.lead": "Utenti, gruppi, applicazioni e provider di identità appartengono a un’organizzazione.",
  "organizations.add": "Aggiungi un’organizzazione",
  "organizations.default": "Organizzazione predefinita",
  "organizations.none": "Non ci sono organizzazioni.",
  "organizations.open": "Apri",
  "organizations.openOne": "Apri {name}",
  brand: "Marchio",
  "brand.lead":
    "Le pagine lo mostrano alle persone di questa organizzazione. I campi vuoti hanno il valore dell’istanza.",
  "brand.instance": "Marchio dell’istanza",
  "brand.instanceLead":
    "Le pagine lo mostrano dove non è nota nessuna organizzazione. Le email e le finestre delle passkey ne mostrano il nome.",
  "field.color": "Colore",
  "hint.color": "Di pulsanti e link, ad esempio #1a3c6e. Il testo bianco deve essere leggibile su questo colore.",
  "field.supportAddress": "Indirizzo email dell’assistenza",
  "hint.supportAddress": "Le pagine lo mostrano a chi non riesce ad accedere.",

  removeOne: "Rimuovi {name}",
  removed: "Rimozione completata: {name}.",
  role: "Ruolo",
  idp: "Provider di identità",
  "role.1": "Tutto, in ogni organizzazione",
  "role.2": "Tutto in questa organizzazione",
  "role.3": "Utenti e passkey di questa organizzazione",
  "role.4": "Verifica le sessioni: per un servizio",
  "role.5": "Applicazioni di questa organizzazione",
  "role.6": "Chiede informazioni sulle richieste alle applicazioni: per un proxy",
  "role.7": "Legge tutto in questa organizzazione",
  "role.8": "Aiuta gli utenti di questa organizzazione: blocchi, sessioni e link di registrazione",
  "count.sessions": { one: "{count} sessione", other: "{count} sessioni" },
  "count.tokens": { one: "{count} token", other: "{count} token" },
  "count.passkeys": { one: "{count} passkey", other: "{count} passkey" },

  "users.add": "Aggiungi un utente",
  "users.addLead": "L’utente può accedere quando ha una passkey: crea un link per registrarla nella pagina successiva.",
  "users.query": "Nome, indirizzo email o ID",
  "users.onDomain": "{moved} utenti su {users} con una passkey di un dominio precedente ne hanno una di {domain}.",
  "users.toUnmoved": "Vedi chi non ne ha",
  "users.unmoved": "Solo passkey di domini precedenti",
  "users.unmovedLead":
    "Questi utenti di tutte le organizzazioni non hanno passkey del dominio attuale. Quando quelle precedenti non funzioneranno più, potranno accedere soltanto con un provider di identità o con un nuovo link di registrazione.",
  "users.allMoved": "Tutti hanno una passkey del dominio attuale.",
  "users.none": "Questa organizzazione non ha utenti.",
  "users.noneFound": "Nessun utente trovato.",
  "users.moved": "{some} persone su {all} hanno una passkey.",

  invite: "Invita persone",
  "invite.lead":
    "Ogni persona diventa un utente di questa organizzazione e riceve un’email con un link per aggiungere una passkey.",
  "invite.people": "Persone",
  "invite.addresses": "Indirizzi email o una tabella",
  "invite.addressesHint":
    "Incolla indirizzi, con o senza nomi, o celle di un foglio di calcolo. Puoi anche trascinare qui un file.",
  "invite.rest": "Nessun indirizzo trovato in: {text}",
  "invite.file": "O un file CSV",
  "invite.fileHint": "Con una riga di nomi di colonne, ad esempio Nome, Email e Gruppi.",
  "invite.persons": { one: "{count} persona", other: "{count} persone" },
  "invite.columns": "Controlla il significato di ogni colonna. Più gruppi in una cella sono separati da virgole.",
  "invite.column": "Colonna {number}: {name}",
  // Names of columns of spreadsheets in this language, in small letters without spaces and other characters. English is known.
  "columns.email": "indirizzoemail indirizzodiposta indirizzodipostaelettronica posta postaelettronica indirizzo",
  "columns.userName": "nomeutente utente",
  "columns.displayName": "nomecompleto nomevisualizzato nomeecognome nominativo",
  "columns.givenName": "nome nomedibattesimo",
  "columns.familyName": "cognome",
  "columns.locale": "lingua",
  "columns.externalId": "matricola numeromatricola idesterno",
  "columns.groups": "gruppi gruppo",
  "invite.ignored": "Ignora",
  "invite.preview": "Le prime persone dell’elenco",
  "invite.further": { one: "e {count} altra", other: "e altre {count}" },
  "invite.choices": "Gruppi e ruolo",
  "invite.choicesLead": "Per tutte le persone dell’elenco.",
  "invite.noRole": "Nessun ruolo",
  "invite.check": "Controlla l’elenco",
  "invite.checking": "Controllo dell’elenco",
  "invite.importing": "Aggiunta degli utenti",
  "invite.granting": "Assegnazione del ruolo",
  "invite.sending": "Invio degli inviti",
  "invite.good": {
    one: "{count} persona può essere invitata.",
    other: "{count} persone possono essere invitate.",
  },
  "invite.send": { one: "Invita {count} persona", other: "Invita {count} persone" },
  "invite.refused": {
    one: "{count} persona non può essere invitata",
    other: "{count} persone non possono essere invitate",
  },
  "invite.refusedShown": "Sono mostrate le prime {count}. Il file le contiene tutte.",
  "invite.problem": "Problema",
  "invite.noAddress": "La riga non ha un indirizzo email.",
  "invite.download": "Scarica come CSV",
  "invite.invited": {
    one: "{count} persona riceve un invito.",
    other: "{count} persone ricevono un invito.",
  },
  "invite.before": {
    one: "{count} persona ne ha ricevuto uno negli ultimi 7 giorni.",
    other: "{count} persone ne hanno ricevuto uno negli ultimi 7 giorni.",
  },
  "invite.has": { one: "{count} persona ha già una passkey.", other: "{count} persone hanno già una passkey." },
  "invite.others": "Persone già presenti",
  "invite.othersLead":
    "Invita tutti gli utenti senza passkey, tranne quelli che hanno ricevuto un invito negli ultimi 7 giorni.",
  "invite.remind": "Invita tutti quelli senza passkey",
  "users.all": "Tutti",
  "users.active": "Attivo",
  "users.invited": "Invitato, non accettato",
  "users.role": "Ruolo",
  "users.anyRole": "Qualsiasi ruolo",
  "users.lastSignIn": "Ultimo accesso",
  "users.never": "Mai",
  "users.notFor": "Più di {days} giorni fa",
  "users.order": "Ordine",
  "users.byId": "Per ID",
  "users.newest": "Prima i più recenti",
  "users.latestSignIn": "Prima l’accesso più recente",
  "users.earliestSignIn": "Prima l’accesso meno recente",
  "users.latestInvitation": "Prima l’invito più recente",
  "users.select": "Seleziona {name}",
  "users.selectAll": "Seleziona tutti quelli mostrati",
  "users.selection": "Utenti selezionati",
  "users.total": "Utenti: {total}",
  "users.selected": { one: "{count} selezionato", other: "{count} selezionati" },
  "users.addToGroup": "Aggiungi a un gruppo",
  "users.group": "Gruppo",
  "users.noGroups": "Questa organizzazione non ha gruppi.",
  "users.remove": "Rimuovi",
  "users.askToLock": { one: "Bloccare {count} utente?", other: "Bloccare {count} utenti?" },
  "users.askToUnlock": { one: "Sbloccare {count} utente?", other: "Sbloccare {count} utenti?" },
  "users.askToRemove": { one: "Rimuovere {count} utente?", other: "Rimuovere {count} utenti?" },
  "users.ok": { one: "Si applica a {count} utente.", other: "Si applica a {count} utenti." },
  "users.added": { one: "{count} utente è membro del gruppo.", other: "{count} utenti sono membri del gruppo." },
  "users.moreRefused": { one: "{count} altro è rifiutato.", other: "Altri {count} sono rifiutati." },
  "users.done": "Fatto.",
  export: "Esporta come CSV",
  exported: { one: "{count} riga è stata esportata.", other: "{count} righe sono state esportate." },

  "sessions.lead":
    "Dove le persone dell’organizzazione hanno eseguito l’accesso. Una sessione che termina viene chiusa in ogni applicazione.",
  "sessions.query": "Nome, dispositivo, indirizzo IP o ID",
  "sessions.method": "Accesso con",
  "sessions.user": "Utente",
  "sessions.none": "Nessuno ha una sessione aperta.",
  "sessions.noneFound": "Nessuna sessione trovata.",
  "sessions.again": "Ricarica",
  "sessions.endOne": "Termina la sessione di {name}: {device}",
  "sessions.endAll": "Termina tutte",
  "sessions.endAllOf": "Termina tutte le sessioni di {name}",
  "sessions.endAllTitle": "Terminare tutte le sessioni di {name}?",
  "value.SIGN_IN_METHOD_PASSKEY": "Passkey",
  "value.SIGN_IN_METHOD_IDP": "Provider di identità",

  "user.details": "Dettagli",
  "user.security": "Credenziali",
  "user.sessions": "Sessioni",
  "user.access": "Autorizzazioni",
  "user.events": "Cronologia",
  "user.remove": "Rimuovi l’utente",
  "user.removeLead": "Termina tutto ciò con cui l’utente accede. Non si può annullare.",
  "user.lock": "Blocca",
  "user.lockLead":
    "Usalo se un account potrebbe essere nelle mani sbagliate o se qualcuno è assente. Passkey, ruoli e gruppi rimangono.",
  "field.reason": "Motivo",
  "hint.reason": "Solo per le persone che gestiscono gli utenti.",
  "user.lockTitle": "Bloccare {name}?",
  "user.lockEnds": "Termina {sessions} e {tokens}.",
  "user.lockText":
    "Le sessioni nelle applicazioni vengono chiuse, i link per le passkey non funzionano più e nessuno può accedere come questo utente finché non lo sblocchi.",
  "user.lockDone": "L’utente {name} è bloccato.",
  "user.locked": "Bloccato",
  "user.lockedLead":
    "Nessuno può accedere come questo utente. I token terminati con il blocco non vengono ripristinati.",
  "user.lockedSince": "Dal",
  "user.unlock": "Sblocca",
  "user.unlocked": "{name} può accedere di nuovo.",
  "user.removeTitle": "Rimuovere {name}?",
  "user.removed": "L’utente {name} è stato rimosso.",
  "user.ends": "Termina {sessions}, {tokens} e {passkeys}.",
  "user.removeForever": "Il nome utente torna libero. Gli eventi dell’utente restano nel registro.",
  "user.passkeys": "Passkey",
  "user.passkeysLead": "Chiunque abbia un link di registrazione può aggiungere una passkey e agire come l’utente.",
  "user.formerPasskey": "del dominio precedente {domain}",
  "user.noPasskeys": "L’utente non ha passkey e non può usarne una per accedere.",
  "user.lastUsed": "Ultimo uso",
  "user.createLink": "Crea un link",
  "user.mailLink": "Invia un link via email",
  "user.link": "Link di registrazione",
  "user.linkText":
    "L’utente apre questo link e aggiunge una passkey. Funziona una sola volta; i link precedenti dell’utente non sono più validi.",
  "user.linkMailed": "Un link è in arrivo a {address}.",
  "user.links": "Provider di identità",
  "user.skipped": "Claim non adatti",
  "user.noLinks": "L’utente non è collegato a nessun provider di identità.",
  "user.subject": "Soggetto",
  "user.tokens": "Token di accesso",
  "user.noTokens": "L’utente non ha token di accesso.",
  "user.createToken": "Crea un token",
  "user.tokenLead": "Un programma che ha il token agisce come l’utente, con tutti i suoi diritti.",
  "user.token": "Token di accesso",
  "field.expiresAt": "Scadenza",
  "hint.expiresAt": "Senza una data, il token non scade.",
  "user.unnamed": "Senza nome",
  "user.addWorkload": "Aggiungi un carico di lavoro",
  "user.workloadLead":
    "Un job di CI o un pod agisce come l’utente con i token della sua piattaforma, con tutti i diritti dell’utente e senza segreto.",
  "field.audienceOfUser": "Audience",
  "hint.audienceOfUser": "Il valore per cui il carico di lavoro richiede il suo token. Termina con l’ID dell’utente.",
  "user.certificate": "Certificato client",
  "user.addCertificate": "Aggiungi un certificato client",
  "user.certificateLead":
    "Un servizio che ha la chiave del certificato agisce come l’utente, con tutti i suoi diritti. Il server deve richiedere i certificati ai client.",
  "field.certificate": "Certificato",
  "hint.certificate": "In formato PEM, senza la sua catena e la sua chiave.",
  "user.expires": "Scadenza",
  "user.removePasskeyTitle": "Rimuovere la passkey {name}?",
  "user.endsSessions": { one: "Termina {count} sessione.", other: "Termina {count} sessioni." },
  "user.lastPasskey": "È l’ultima passkey: per accedere con una passkey, l’utente ha bisogno di un nuovo link.",
  "user.endsApplications": {
    one: "Revoca l’accesso di {count} applicazione.",
    other: "Revoca l’accesso di {count} applicazioni.",
  },
  "user.endsTokens": { one: "Revoca {count} token dell’utente.", other: "Revoca {count} token dell’utente." },
  "user.lost": "È stata persa o rubata",
  "user.lostText":
    "In tal caso terminano anche gli accessi delle applicazioni e i token dell’utente stesso ottenuti con questa passkey.",
  "user.unlinkTitle": "Rimuovere il collegamento a {name}?",
  "user.revokeTokenTitle": "Rimuovere il token {name}?",
  "user.revokeToken": "I programmi che lo usano vengono respinti immediatamente.",
  "user.noSessions": "L’utente non ha sessioni aperte.",
  "user.device": "Dispositivo",
  "user.unknownDevice": "Dispositivo sconosciuto",
  "user.signedIn": "Accesso",
  "user.lastSeen": "Ultima attività",
  "user.thisSession": "Questa sessione",
  "user.end": "Termina",
  "user.endOne": "Termina la sessione su {name}",
  "user.ended": "Terminata.",
  "user.endAll": "Termina tutte le sessioni",
  "user.endAllTitle": "Terminare tutte le sessioni?",
  "user.endAllRest":
    "Restano validi i token dell’utente stesso e gli accessi duraturi delle applicazioni. Terminali in Credenziali e Autorizzazioni.",
  "user.endAllText": "Le applicazioni che ne dipendono disconnettono l’utente. Le passkey rimangono.",
  "user.rolesLead": "I ruoli danno diritti in Keystead stesso. Le applicazioni vedono invece i gruppi.",
  "user.hasRole": "Assegnato",
  "user.grant": "Assegna",
  "user.grantOne": "Assegna {name}",
  "user.revoke": "Revoca",
  "user.revokeOne": "Revoca {name}",
  "user.grantTitle": "Assegnare il ruolo {role}?",
  "user.grantText":
    "Tutte le credenziali dell’utente sono state controllate: nessuno con meno diritti ne ha creata una.",
  "user.grantEndingTitle": "Assegnare il ruolo {role} e terminare delle credenziali?",
  "user.grantEnding":
    "Persone con meno diritti di quelli dati da questo ruolo hanno creato token, passkey o link dell’utente e potrebbero usarli. Questi terminano ora, con le loro sessioni. L’utente potrebbe aver bisogno di un nuovo link di registrazione.",
  "user.granted": "Il ruolo è stato assegnato.",
  "user.revokeTitle": "Revocare il ruolo {role}?",
  "user.revokeText":
    "L’utente ne perde subito i diritti. Terminano i link di registrazione creati dall’utente, e anche i token di un servizio senza un altro ruolo.",
  "user.revoked": "Il ruolo è stato revocato.",
  "user.noGroups": "L’utente non fa parte di nessun gruppo.",
  "user.leaveOne": "Rimuovi da {name}",
  "user.grantsLead": "Applicazioni a cui l’utente ha eseguito l’accesso.",
  "user.noGrants": "L’utente non usa nessuna applicazione.",
  "user.narrowGrant": "Modifica",
  "user.narrowGrantOne": "Modifica l’accesso di {name}",
  "user.narrowGrantTitle": "Modifica l’accesso di {name}",
  "user.narrowGrantText":
    "L’applicazione perde entro pochi minuti gli ambiti che deselezioni. Conserva i dati che ha già letto e può chiederli di nuovo all’utente.",
  "user.narrowedGrant": "L’accesso di {name} è stato modificato.",
  "user.revokeGrantTitle": "Revocare l’accesso di {name}?",
  "user.revokeGrantText":
    "L’applicazione viene disconnessa da questo account e chiederà di nuovo il consenso al prossimo accesso.",

  "groups.lead": "Le applicazioni vedono i gruppi dei loro utenti e possono ammettere solo i membri di alcuni.",
  "groups.add": "Aggiungi un gruppo",
  "groups.none": "Questa organizzazione non ha gruppi.",
  "groups.members": "Membri",
  "groups.noMembers": "Il gruppo non ha membri.",
  "groups.source": "Origine",
  "groups.ofProvider": "Provider di identità",
  "groups.since": "Dal",
  "groups.addMember": "Aggiungi un membro",
  "groups.added": "{name} ora fa parte del gruppo.",
  "groups.remove": "Rimuovi il gruppo",
  "groups.removeTitle": "Rimuovere il gruppo {name}?",
  "groups.removeText": "Appartenenze che terminano: {count}. Gli utenti rimangono.",
  "groups.removeApplications": "Le applicazioni che ammettono solo questo gruppo non ammetteranno più nessuno.",
  "groups.manyMembers": "più di 200",

  secret: "Segreto",
  clientId: "ID client",
  connect: "Integra",
  "connect.lead":
    "Una libreria OpenID Connect ha bisogno dell’emittente e dell’ID client; le applicazioni con un server hanno bisogno anche di un segreto.",
  "connect.issuer": "Emittente",
  "connect.discovery": "Documento di discovery",
  "connect.check": "Verifica via HTTP",
  "connect.checkOverGrpc": "Verifica via gRPC",
  "connect.token": "Token del proxy",
  "connect.gateLead": "Il proxy interroga Keystead per ogni richiesta e inoltra solo quelle delle persone ammesse.",
  test: "Test",
  "test.run": "Esegui il test",
  "test.succeeded": "Tutti i passaggi sono riusciti.",
  "test.failed": "Un passaggio non è riuscito.",
  "step.resolve": "Risoluzione del nome",
  "step.connect": "Connessione",
  "step.greeting": "Saluto",
  "step.tls": "Crittografia",
  "step.token": "Token di accesso",
  "step.auth": "Accesso al server",
  "step.sender": "Mittente",
  "step.message": "Messaggio di prova",
  "step.discovery": "Documento di discovery",
  "step.keys": "Chiavi",
  "step.client": "ID client e segreto",
  "step.answer": "Risposta",

  "field.kind": "Tipo",
  "value.APPLICATION_KIND_WEB": "Applicazione web con un server",
  "value.APPLICATION_KIND_BROWSER": "Applicazione nel browser",
  "value.APPLICATION_KIND_NATIVE": "App su un dispositivo",
  "value.APPLICATION_KIND_SERVICE": "Servizio senza persone",
  "value.APPLICATION_KIND_GATE": "Dietro un proxy",
  "value.APPLICATION_KIND_RESOURCE": "API per altre applicazioni",
  "hint.kind": "Non può essere modificato in seguito.",
  "field.logo": "Logo",
  "hint.logo": "PNG, JPEG o WebP di al massimo 32 KiB.",
  "field.redirectUris": "URI di reindirizzamento",
  "hint.redirectUris": "Uno per riga. Vengono confrontati alla lettera.",
  "field.postLogoutRedirectUris": "URI di reindirizzamento dopo l’uscita",
  "hint.postLogoutRedirectUris": "Uno per riga.",
  "field.backchannelLogoutUri": "URI di logout back-channel",
  "hint.backchannelLogoutUri": "Viene avvisato quando termina una sessione.",
  "field.origins": "Origini",
  "hint.origins": "Una per riga, ad esempio https://app.example.com.",
  "field.allowsHttp": "Consenti http:// per nomi e indirizzi privati",
  "hint.allowsHttp": "Chiunque in quella rete può leggere ciò che il browser riporta.",
  "field.identifier": "Identificatore",
  "hint.identifier": "L’aud dei suoi token di accesso: l’URL dell’API o un nome.",
  "field.scopes": "Ambiti",
  "hint.scopes": "Uno per riga.",
  "field.firstParty": "Appartiene a questa organizzazione",
  "hint.firstParty": "Alle persone non viene chiesto il consenso.",
  "field.audience": "Chi può usarla",
  "value.APPLICATION_AUDIENCE_UNSPECIFIED": "Utenti di questa organizzazione (predefinito)",
  "value.APPLICATION_AUDIENCE_ORGANIZATION": "Utenti di questa organizzazione",
  "value.APPLICATION_AUDIENCE_ALL": "Utenti di tutte le organizzazioni",
  "field.admitsGroupsOnly": "Solo i membri di alcuni gruppi",
  "field.allowedGroups": "Gruppi ammessi",
  "hint.allowedGroups": "Se non ne è scelto nessuno, nessuno può usarla.",
  "field.tokenEndpointAuthMethod": "Autenticazione del client",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_NONE": "Nessuna",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_BASIC": "Segreto, nell’intestazione (client_secret_basic)",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_POST": "Segreto, nel corpo (client_secret_post)",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT": "Chiave privata (private_key_jwt)",
  "field.jwksUri": "URL delle chiavi pubbliche",
  "field.jwks": "Chiavi pubbliche",
  "hint.jwks": "Un JWK Set, al posto di un URL.",
  "field.pkce": "Protezione dei codici",
  "value.APPLICATION_PKCE_UNSPECIFIED": "PKCE o un nonce (predefinito)",
  "value.APPLICATION_PKCE_REQUIRED": "PKCE",
  "value.APPLICATION_PKCE_PKCE_OR_NONCE": "PKCE o un nonce",
  "value.APPLICATION_PKCE_NONE": "Nessuno dei due",
  "field.requiresEmail": "Rifiuta gli utenti senza indirizzo email",
  "hint.pkce":
    "Alcuni programmi non inviano né l’uno né l’altro. Ciò che un programma invia viene comunque verificato.",
  "field.requiresPushedAuthorizationRequests": "Deve inviare prima le richieste di autorizzazione (RFC 9126)",
  "field.idTokenAlg": "Firma dei token ID",
  "value.ID_TOKEN_ALG_UNSPECIFIED": "RS256 (predefinito)",
  "value.ID_TOKEN_ALG_RS256": "RS256",
  "value.ID_TOKEN_ALG_ES256": "ES256",
  "field.omitsIdTokenClaims": "Token ID senza nome, indirizzo email e gruppi",
  "field.accessTokenTyp": "Tipo dei token di accesso (typ)",
  "value.ACCESS_TOKEN_TYP_UNSPECIFIED": "at+jwt (predefinito)",
  "value.ACCESS_TOKEN_TYP_AT_JWT": "at+jwt",
  "value.ACCESS_TOKEN_TYP_JWT": "JWT",
  "field.accessTokenLifetimeSeconds": "Durata dei token di accesso, in secondi",
  "hint.accessTokenLifetimeSeconds": "Da 60 a 3600.",
  "field.refreshTokenLifetimeSeconds": "Tempo massimo senza un nuovo accesso, in secondi",
  "field.refreshTokenIdleSeconds": "Tempo dopo il quale scade un token di aggiornamento non usato, in secondi",

  "applications.lead": "Programmi a cui le persone accedono con Keystead, e servizi senza persone.",
  "applications.add": "Aggiungi un’applicazione",
  "applications.addLead": "Tutto il resto ha un valore predefinito e può essere modificato in seguito.",
  "applications.software": "Quale software?",
  "applications.otherSoftware": "Un altro programma",
  // TRANSLATE
  "applications.otherSoftwareLead": "Any client of OpenID Connect or OAuth 2.0, an API, or a site behind the gate.",
  // TRANSLATE
  "gallery.another": "Choose another",
  // TRANSLATE
  "gallery.none": "None has these words in its name.",
  "applications.host": "Il suo host",
  "applications.hostLead":
    "Inserisci l’host del programma. Sul tuo computer è un’origine, ad esempio http://localhost:3000.",
  "applications.softwareSettings": "Impostazioni di {name}",
  "applications.softwareLead": "Crea un segreto e inseriscilo al posto di CLIENT_SECRET.",
  "applications.none": "Questa organizzazione non ha applicazioni.",
  "applications.chosen": "Se proviene da un altro provider",
  "field.applicationId": "ID client",
  "hint.applicationId": "Solo se il programma mantiene quello che ha. Non può essere modificato in seguito.",
  "pattern.applicationId": "Usa solo A-Z, a-z, 0-9 e ._~-.",
  "field.secret": "Segreto",
  "hint.secret":
    "Solo se il programma mantiene quello che ha: almeno 32 cifre esadecimali, o qualcosa di altrettanto difficile da indovinare.",
  "pattern.secret": "Usa caratteri ASCII stampabili, senza spazi e %.",
  "applications.people": "Persone",
  // TRANSLATE
  "applications.allEnter": "All users of the organization can sign in to it, unless they are locked.",
  // TRANSLATE
  "applications.groupsEnter": "Members of the chosen groups can sign in to it, unless they are locked.",
  // TRANSLATE
  "applications.claims": "Claims",
  // TRANSLATE
  "applications.claimsOf": "Claims of {name}",
  // TRANSLATE
  "applications.claimsLead": "What the application would get of this user with all its scopes. Nothing was issued.",
  // TRANSLATE
  "applications.notAdmitted": "The application does not admit this user at present.",
  // TRANSLATE
  "applications.idToken": "ID token",
  // TRANSLATE
  "applications.userinfo": "Userinfo",
  // TRANSLATE
  "applications.noSignInClaims":
    "A sign-in adds iat, exp, at_hash, nonce, sid, auth_time, amr and acr to the ID token.",
  // TRANSLATE
  "applications.noOpenid": "The application may not request openid, so it gets no claims.",
  // TRANSLATE
  "applications.nobody": "Nobody can sign in to it.",
  "applications.tokens": "Token",
  "field.gateJwtHeader": "Intestazione con il JWT",
  "value.GATE_JWT_HEADER_UNSPECIFIED": "authorization (predefinito)",
  "value.GATE_JWT_HEADER_AUTHORIZATION": "authorization",
  "value.GATE_JWT_HEADER_X_KEYSTEAD_JWT": "x-keystead-jwt",
  "field.gateIdentityHeaders": "Intestazioni con l’utente, il suo indirizzo email e i suoi gruppi",
  workloads: "Carichi di lavoro",
  "workloads.lead":
    "I job di un sistema di CI, o i pod di un cluster, ottengono token come questa applicazione con i token del loro emittente, senza segreto.",
  resourceScopes: "Ambiti",
  "resourceScopes.lead":
    "Ciò che le applicazioni possono chiedere agli utenti. Gli utenti concedono ciò che i loro gruppi permettono.",
  "resourceScopes.add": "Aggiungi un ambito",
  "resourceScopes.oneLead":
    "Le applicazioni lo richiedono con il suo nome: se lo modifichi, modificalo anche lì. Agli utenti viene chiesto di nuovo il consenso.",
  "resourceScopes.none": "L’API non ha ambiti: basta un token.",
  "resourceScopes.removeTitle": "Rimuovere l’ambito {name}?",
  "resourceScopes.remove": "I nuovi token non lo hanno. Quelli esistenti lo mantengono fino alla scadenza.",
  "field.resourceScopes.name": "Nome",
  "field.resourceScopes.description": "Descrizione",
  "hint.resourceScopes.description": "Ciò che consente, per le persone a cui viene chiesto.",
  "field.resourceScopes.allowedGroups": "Gruppi che possono concederlo",
  "hint.resourceScopes.allowedGroups": "Se non ne è scelto nessuno, tutti.",
  "connect.apiLead": "L’API verifica i token di accesso con queste chiavi, o chiede tramite introspezione.",
  "connect.keys": "Chiavi",
  "connect.introspection": "Introspezione",
  "workloads.add": "Aggiungi carichi di lavoro",
  "workloads.none": "Nessun carico di lavoro è ammesso.",
  "workloads.removeTitle": "Rimuovere i carichi di lavoro {name}?",
  "workloads.remove": "Non ottengono più token. Quelli che hanno restano validi fino alla scadenza.",
  "field.workloads.issuer": "Emittente",
  "hint.workloads.issuer": "Esattamente come nel claim iss, ad esempio https://token.actions.githubusercontent.com.",
  "field.workloads.audience": "Audience",
  "hint.workloads.audience": "Un valore che il claim aud deve contenere, ad esempio l’indirizzo di questo server.",
  "field.workloads.subject": "Soggetto",
  "hint.workloads.subject":
    "Il claim sub, ad esempio repo:example/shop:ref:refs/heads/main. Un * alla fine vale per qualsiasi carattere.",
  "field.workloads.claims": "Altri claim",
  "hint.workloads.claims": "Uno per riga, ad esempio repository_owner_id=4711.",
  application: "Applicazione",
  requestId: "ID richiesta",
  refusals: "Rifiuti recenti",
  "refusals.lead": "Degli ultimi sette giorni. Chiunque può inviare una richiesta con l’ID client di un’applicazione.",
  "refusals.none": "Nessuna richiesta di questa applicazione è stata rifiutata.",
  "refusals.notFound": "Nessuna richiesta rifiutata di un’applicazione di questa organizzazione ha questo ID.",
  "refusals.search": "Trova una richiesta rifiutata",
  "refusals.remedy": "Soluzione",
  "refusals.mend": "Modifica l’impostazione…",
  "refusals.mendTitle": "Modificare l’applicazione?",
  "refusals.set": "Modifica",
  "refusals.mended": "L’applicazione è stata modificata.",
  "refusals.weakens":
    "Questo rende l’applicazione meno rigorosa. Fallo solo se il programma non può essere modificato.",
  "refusals.anybody": "Chiunque potrebbe aver inviato questo valore. Aggiungilo solo se è quello dell’applicazione.",
  "user.withoutEmail": "Senza indirizzo email, le applicazioni che ne richiedono uno rifiutano questo utente.",
  "applications.secrets": "Segreti",
  "applications.secretsLead":
    "Per sostituire un segreto, creane uno nuovo, dallo all’applicazione, poi rimuovi il vecchio.",
  "applications.noSecrets": "L’applicazione non ha segreti.",
  "applications.createSecret": "Crea un segreto",
  "applications.removeSecretTitle": "Rimuovere il segreto?",
  "applications.removeSecret": "L’applicazione non può più usarlo; i suoi altri segreti continuano a funzionare.",
  "applications.lastSecret": "È l’unico: l’applicazione non ottiene token finché non ne ha un altro.",
  "applications.remove": "Rimuovi l’applicazione",
  "applications.removeTitle": "Rimuovere l’applicazione {name}?",
  "applications.removeText": "Nessuno può più accedervi con Keystead, e i suoi token di aggiornamento terminano.",
  "applications.endsSecrets": { one: "Termina {count} segreto.", other: "Termina {count} segreti." },

  "field.stylingType": "Aspetto del pulsante",
  "value.STYLING_TYPE_UNSPECIFIED": "Come la pagina",
  "value.STYLING_TYPE_PROVIDER": "Come definito dal provider",
  "idps.button": "Pulsante di accesso",
  "idps.buttonLead": "I colori e il logo vengono usati se l’aspetto del pulsante è: come definito dal provider.",
  "field.backgroundColor": "Colore dello sfondo",
  "field.textColor": "Colore del testo",
  "hint.backgroundColor": "Ad esempio #1a3c6e. Se manca uno dei due colori, il pulsante ha quelli della pagina.",
  "hint.textColor": "Ad esempio #ffffff. Deve essere leggibile sullo sfondo.",
  "field.autoRegister": "Registra nuove persone",
  "hint.autoRegister": "Chi accede con il provider per la prima volta ottiene un utente.",
  "field.isDisabled": "Disattivato",
  "hint.isDisabled":
    "Nessuno può usarlo per accedere. Le sessioni avviate con questo provider terminano; i collegamenti degli utenti rimangono.",
  "idps.off": "Disattivato",
  "idps.isOff": "Questo provider è disattivato: nessuno può usarlo per accedere.",
  mappings: "Mappatura dei claim",
  "mappings.lead":
    "Valori che gli utenti ottengono dai claim del provider. Un claim non adatto viene ignorato; la pagina dell’utente lo segnala.",
  "mappings.add": "Aggiungi un claim",
  "mappings.none": "Nessun claim è mappato.",
  "mappings.goneGroup": "un gruppo rimosso",
  "field.mappings.claim": "Claim",
  "hint.mappings.claim": "Il suo nome. I punti portano dentro gli oggetti, ad esempio realm_access.roles.",
  "field.mappings.attribute": "Diventa",
  "hint.mappings.attribute":
    "display_name, given_name, family_name, locale, zoneinfo, external_id, email, groups o il nome di un attributo.",
  "field.mappings.when": "Quando",
  "value.IDP_MAPPING_TIME_FIRST_SIGN_IN": "Al primo accesso",
  "value.IDP_MAPPING_TIME_EVERY_SIGN_IN": "A ogni accesso",
  "field.mappings.groups": "Gruppi in base ai valori del claim",
  "hint.mappings.groups":
    "Uno per riga, ad esempio 0d6bd6a0-7a0b=engineers. Se non ce ne sono, i valori sono nomi di gruppi.",
  "field.issuer": "Emittente",
  "hint.issuer": "Esattamente come nel documento di discovery del provider.",
  "pattern.issuer": "Inserisci un indirizzo che inizia con https://.",
  "field.clientId": "ID client",
  "field.clientSecret": "Segreto client",
  // TRANSLATE
  "field.newClientSecret": "Client secret",
  "hint.clientSecret": "Lascialo vuoto per mantenere quello salvato.",
  "field.autoRegisterMailDomains": "Domini email delle nuove persone",
  "hint.autoRegisterMailDomains":
    "Uno per riga. Vengono registrate solo le persone con un indirizzo verificato di uno di questi domini.",
  "field.autoRegisterHostedDomains": "Organizzazioni Google delle nuove persone",
  "hint.autoRegisterHostedDomains":
    "Un dominio per riga. Vengono registrate solo le persone di una di queste organizzazioni (hd).",
  "field.updateNameAtSignIn": "Aggiorna i nomi",
  "hint.updateNameAtSignIn": "A ogni accesso il nome visualizzato diventa quello del provider.",
  "field.updateEmailAtSignIn": "Aggiorna gli indirizzi email",
  "hint.updateEmailAtSignIn": "A ogni accesso l’indirizzo email diventa quello del provider, se è verificato.",
  "idps.lead": "Le persone di questa organizzazione possono usarli per accedere.",
  "idps.add": "Aggiungi un provider di identità",
  "idps.addLead":
    "La pagina successiva mostra l’indirizzo da registrare presso il provider e ne chiede le impostazioni.",
  "idps.none": "Questa organizzazione non ha provider di identità.",
  // TRANSLATE
  "idps.which": "Which provider?",
  // TRANSLATE
  "idps.other": "Another provider",
  // TRANSLATE
  "idps.otherLead": "Any OpenID provider, by its issuer.",
  // TRANSLATE
  "idps.newLead": "The next page shows the redirect URI to register at the provider, and asks for the client.",
  // TRANSLATE
  "idps.page": "What its documentation says",
  // TRANSLATE
  "field.presets.application": "Slug of the application",
  // TRANSLATE
  "pattern.presets.application": "Use A-Z, a-z, 0-9 and ._~- only.",
  // TRANSLATE
  "field.presets.host": "Host",
  // TRANSLATE
  "hint.presets.host": "Without https:// and a path, such as login.example.com.",
  // TRANSLATE
  "pattern.presets.host": "Enter the host alone, in lower case, such as login.example.com.",
  // TRANSLATE
  "field.presets.pool": "ID of the user pool",
  // TRANSLATE
  "hint.presets.pool": "Such as eu-central-1_AbCdEfGhI.",
  // TRANSLATE
  "pattern.presets.pool": "Enter the ID of the user pool, such as eu-central-1_AbCdEfGhI.",
  // TRANSLATE
  "field.presets.realm": "Realm",
  // TRANSLATE
  "pattern.presets.realm": "Enter the realm as its addresses contain it.",
  // TRANSLATE
  "field.presets.region": "Region",
  // TRANSLATE
  "hint.presets.region": "Such as eu-central-1.",
  // TRANSLATE
  "pattern.presets.region": "Enter a region, such as eu-central-1.",
  // TRANSLATE
  "field.presets.subdomain": "Subdomain of the account",
  // TRANSLATE
  "hint.presets.subdomain": "The part before .onelogin.com.",
  // TRANSLATE
  "pattern.presets.subdomain": "Enter the subdomain alone, in lower case.",
  // TRANSLATE
  "field.presets.tenant": "Tenant ID",
  // TRANSLATE
  "hint.presets.tenant": "The directory ID in the overview of the tenant.",
  // TRANSLATE
  "pattern.presets.tenant": "Enter the ID of one tenant, a UUID. With common, any tenant could name any user.",
  // TRANSLATE
  "field.anybody": "Let anybody register",
  // TRANSLATE
  "hint.anybody": "Anybody can get an account at this provider, and would get a user here.",
  // TRANSLATE
  "idps.anybodyRefused": "Limit the domains of new people, or check this box.",
  "idps.callback": "URI di reindirizzamento",
  "idps.callbackLead": "Registra questo URI di reindirizzamento presso il provider.",
  "idps.admitsAnybody":
    "Chiunque può ottenere un account presso questo provider e viene registrato qui. Limita i domini delle nuove persone.",
  "idps.noOidc": "Non ha ancora impostazioni OpenID Connect.",
  "idps.secretStored": "Un segreto client è salvato.",
  "idps.testLead": "Legge il documento di discovery e le chiavi e verifica il client, come avviene in un accesso.",
  "idps.remove": "Rimuovi il provider",
  "idps.removeTitle": "Rimuovere il provider {name}?",
  "idps.removeLinks": "I collegamenti degli utenti a questo provider vengono rimossi.",
  "idps.removeSessions": "Le sessioni avviate con questo provider terminano.",
  // TRANSLATE
  mailDomains: "Mail domains",
  // TRANSLATE
  "mailDomains.lead":
    "Once the organization has proven a domain, the sign-in page leads its addresses to the identity provider, and addresses that the provider has verified count as verified.",
  // TRANSLATE
  "mailDomains.none": "The organization has claimed no mail domain.",
  // TRANSLATE
  "mailDomains.add": "Add a mail domain",
  // TRANSLATE
  "mailDomains.addLead": "The next page shows the TXT record by which you prove that the domain is yours.",
  // TRANSLATE
  "mailDomains.domain": "Domain",
  // TRANSLATE
  "field.mailDomains.domain": "Domain",
  // TRANSLATE
  "hint.mailDomains.domain": "The text after the @ of addresses, such as example.com. Subdomains do not count.",
  // TRANSLATE
  "field.mailDomains.idpId": "Identity provider",
  // TRANSLATE
  "hint.mailDomains.idpId": "Addresses of the domain are led to it, and it alone is trusted for them.",
  // TRANSLATE
  "mailDomains.anyProvider": "Any of the organization",
  // TRANSLATE
  "mailDomains.goneProvider": "A removed provider",
  // TRANSLATE
  "mailDomains.state": "State",
  // TRANSLATE
  "mailDomains.claimed": "Not proven",
  // TRANSLATE
  "mailDomains.proven": "Proven",
  // TRANSLATE
  "mailDomains.missing": "Record missing",
  // TRANSLATE
  "mailDomains.missingText":
    "The TXT record is no longer in DNS. The proof ends when it has been missing for three days: publish it again.",
  // TRANSLATE
  "mailDomains.proof": "Proof",
  // TRANSLATE
  "mailDomains.proofLead":
    "Publish this TXT record where DNS of the domain is managed, and keep it there: the server looks for it every day.",
  // TRANSLATE
  "mailDomains.recordName": "Name of the TXT record",
  // TRANSLATE
  "mailDomains.recordValue": "Value of the TXT record",
  // TRANSLATE
  "mailDomains.provenAt": "Proven",
  // TRANSLATE
  "mailDomains.missedAt": "Missing since",
  // TRANSLATE
  "mailDomains.verify": "Look for the record",
  // TRANSLATE
  "mailDomains.isProven": "The domain {name} is proven.",
  // TRANSLATE
  "mailDomains.remove": "Remove the mail domain",
  // TRANSLATE
  "mailDomains.removeTitle": "Remove the mail domain {name}?",
  // TRANSLATE
  "mailDomains.removeSignIn": "The sign-in page no longer leads addresses of the domain to the organization.",
  // TRANSLATE
  "mailDomains.removeTrust": "Its providers verify no more addresses of the domain. Verified addresses stay verified.",

  "field.senderAddress": "Indirizzo del mittente",
  "field.senderName": "Nome del mittente",
  "field.host": "Server di posta",
  "hint.host": "Con la porta, ad esempio smtp.example.com:587.",
  "pattern.host": "Inserisci un server e una porta, ad esempio smtp.example.com:587.",
  "field.tls": "Richiede la crittografia",
  "field.user": "Utente del server di posta",
  "field.password": "Password",
  "hint.password": "Lasciala vuota per mantenere quella salvata.",
  "mail.lead": "Il server con cui questa istanza invia la posta, per tutte le organizzazioni.",
  "mail.leadOwn": "La posta alle persone di questa organizzazione e il suo eventuale server.",
  "mail.setUp": "Configura la posta",
  "mail.setUpLead": "Senza, i link di registrazione non possono essere inviati via email.",
  "mail.passwordStored": "Una password è salvata.",
  "mail.templates": "Modelli",
  "mail.templatesLead": "Ogni tipo di email come la ricevono le persone, con esempi al posto di nomi e link.",
  "mail.plainText": "Testo normale",
  "mail.outbox": "Posta in uscita",
  "mail.receiver": "Invia un messaggio di prova a",
  "mail.testLead": "Verifica passo per passo le impostazioni salvate.",
  "mail.remove": "Rimuovi le impostazioni",
  "mail.removeTitle": "Rimuovere le impostazioni della posta?",
  "mail.removeText":
    "Le email restano in attesa di una nuova configurazione e falliscono dopo due giorni. La password salvata viene cancellata.",
  "mail.own": "Server di posta dell’organizzazione",
  "mail.ownLead":
    "Le email ai suoi utenti provengono allora da questo server e da questo mittente. Senza, da quelli dell’istanza.",
  "mail.testOwn": "Test del server di posta",
  "mail.removeOwnText":
    "Le email vengono allora inviate dal server dell’istanza. La password salvata viene cancellata.",
  "mail.show": "Mostra",
  "mail.showOne": "Mostra l’email a {address}",
  "mail.captured": "Email catturata",
  "mail.capturedLead":
    "È stata conservata invece di essere consegnata. I suoi link funzionano, ma non in questa vista.",
  "mail.removed": "Le impostazioni sono state rimosse.",
  "field.preset": "Provider",
  "value.SMTP_TOKEN_PRESET_UNSPECIFIED": "Un altro",
  "value.SMTP_TOKEN_PRESET_MICROSOFT": "Microsoft 365",
  "value.SMTP_TOKEN_PRESET_GOOGLE": "Google",
  "field.tenant": "Tenant",
  "hint.tenant": "Il suo ID o un dominio, ad esempio contoso.com.",
  "field.tokenEndpoint": "Endpoint dei token",
  "field.mailScope": "Ambito",
  "field.mailClientId": "ID client",
  "hint.mailClientId": "ID applicazione (client) presso Microsoft. Vuoto per un account di servizio.",
  "field.mailbox": "Casella di posta che invia",
  "hint.mailbox": "Se è diversa dall’utente del server di posta.",
  "field.mailClientSecret": "Segreto client",
  "hint.mailClientSecret":
    "Inserisci un solo segreto: questo, una chiave o un token. Lascia tutto vuoto per mantenere quello salvato.",
  "field.privateKey": "Chiave privata",
  "hint.privateKey": "In PEM; per Microsoft, con il suo certificato.",
  "field.serviceAccountKey": "Chiave di un account di servizio",
  "hint.serviceAccountKey": "Il contenuto del file JSON di Google.",
  "field.refreshToken": "Token di aggiornamento",
  "mail.oauth": "OAuth",
  "mail.oauthLead": "Microsoft e Google accettano token di accesso al posto di una password.",
  "mail.oauthSet": "La posta viene inviata con token di accesso. Un segreto è salvato.",
  "mail.removeOAuth": "Rimuovi OAuth",
  "mail.removeOAuthTitle": "Rimuovere OAuth?",
  "mail.removeOAuthText":
    "La posta viene di nuovo inviata con la password salvata, o senza autenticazione. Il segreto salvato viene cancellato.",
  "mail.kind": "Email",
  "mail.route": "Server",
  "mailRoute.1": "Istanza",
  "mailRoute.2": "Organizzazione",
  "mailRoute.3": "Istanza, al posto dell’organizzazione",
  "mailRoute.4": "Nessuno: catturata",
  "mail.none": "Non ci sono email di questo tipo.",
  "delivery.retry": "Riprova",
  "mail.retryOne": "Riprova l’email a {address}",
  "delivery.retried": "Il prossimo tentativo inizia ora.",
  "delivery.failures": { one: "{count} tentativo fallito", other: "{count} tentativi falliti" },
  "deliveryState.1": "In attesa",
  "deliveryState.2": "Inviata",
  "deliveryState.3": "Non riuscita",
  "deliveryState.4": "Annullata",
  "push.lead": "I webhook segnalano ad altri sistemi gli eventi di questa organizzazione.",
  "push.add": "Aggiungi un webhook",
  "push.addLead":
    "Gli eventi vengono inviati da ora in poi, ciascuno finché la destinazione non lo accetta, per tre giorni.",
  "push.none": "Non ci sono webhook.",
  "push.subscriptions": "Webhook",
  "push.deliveries": "Consegne",
  "push.noDeliveries": "Non ci sono consegne di questo tipo.",
  "push.event": "Evento",
  "push.webhook": "Webhook",
  "push.logout": "Uscita da un’applicazione",
  "push.retryOne": "Riprova la consegna {id}",
  "push.testLead": "Invia alla destinazione un evento di prova, passo per passo.",
  "push.key": "Chiave del webhook",
  "push.keyLead": "Con questa chiave la destinazione verifica che gli eventi provengano da qui.",
  "push.secrets": "Chiavi",
  "push.secretsLead": "Per sostituire una chiave, creane una seconda, dalla alla destinazione, poi rimuovi la prima.",
  "push.publicKey": "Chiave pubblica",
  "push.createSecret": "Crea: {kind}",
  "push.removeSecretTitle": "Rimuovere la chiave?",
  "push.removeSecret": "Gli eventi non vengono più firmati con questa chiave.",
  "push.remove": "Rimuovi il webhook",
  "push.removeTitle": "Rimuovere il webhook {name}?",
  "push.removeText": "Le consegne in attesa vengono annullate.",
  "field.url": "URL",
  "hint.url": "Inizia con https://.",
  "field.eventTypes": "Eventi",
  "hint.eventTypes": "Un tipo per riga, ad esempio user.added. Se non ce ne sono, vengono inviati tutti gli eventi.",
  "value.SECRET_KIND_HMAC": "Segreto condiviso (HMAC)",
  "value.SECRET_KIND_ED25519": "Coppia di chiavi (Ed25519)",
  "mailKind.passkey_registration_link": "Link di registrazione",
  "mailKind.passkey_recovery_link": "Link di recupero",
  "mailKind.passkey_invitation": "Invito",
  "mailKind.sign_up_link": "Link per creare un account",
  // TRANSLATE
  "mailKind.email_change_link": "Link to a new address",
  // TRANSLATE
  "mailKind.email_change_requested": "Notice of a requested address",
  "mailKind.passkey_added": "Avviso di una nuova passkey",
  "mailKind.email_changed": "Avviso di un nuovo indirizzo",
  "mailKind.account_recovered": "Avviso di un recupero",
  "mailKind.idp_linked": "Avviso di un nuovo collegamento",
  "mailKind.idp_unlinked": "Avviso di un collegamento rimosso",
  "mailKind.token_created": "Avviso di un nuovo token di accesso",

  "attributes.lead":
    "Valori che ogni utente può avere, ad esempio un reparto. I claim delle applicazioni possono inviarli.",
  "attributes.add": "Aggiungi un attributo",
  "attributes.addLead": "Il nome e il tipo restano; il nome visualizzato può cambiare.",
  "attributes.none": "Nessun attributo è dichiarato.",
  "attributes.type": "Tipo",
  "attributes.remove": "Rimuovi l’attributo",
  "attributes.removeTitle": "Rimuovere l’attributo {name}?",
  "attributes.removeText": "Tutti gli utenti perdono i loro valori.",
  "attributes.removeClaims": "Le applicazioni non ottengono più i claim che ne derivano.",
  "field.attributes.name": "Nome",
  "hint.attributes.name": "Al massimo 64 lettere, cifre, punti, trattini e trattini bassi. Lo usano i programmi.",
  "field.attributes.type": "Tipo",
  "field.attributes.userAccess": "Accesso degli utenti al proprio valore",
  "value.ATTRIBUTE_TYPE_TEXT": "Testo",
  "value.ATTRIBUTE_TYPE_NUMBER": "Numero",
  "value.ATTRIBUTE_TYPE_BOOLEAN": "Sì o no",
  "value.ATTRIBUTE_TYPE_TEXT_LIST": "Elenco di testi",
  "value.ATTRIBUTE_ACCESS_NONE": "Nessuno",
  "value.ATTRIBUTE_ACCESS_READ": "Lettura",
  "value.ATTRIBUTE_ACCESS_WRITE": "Lettura e modifica",
  "field.picture": "Foto",
  "hint.picture": "La parte centrale di un’immagine.",
  "user.emailState": "Indirizzo email verificato",
  // TRANSLATE
  "user.emailChange": "Mail address that the user requested",
  // TRANSLATE
  "user.emailChangeUntil": "to be confirmed by",
  "emailVerification.UNSPECIFIED": "No",
  "emailVerification.LINK": "Con un link che è stato aperto",
  "emailVerification.PROVIDER": "Da un provider di identità",
  "emailVerification.IMPORT": "Con un’importazione",
  "emailVerification.ADMINISTRATOR": "Da un amministratore",
  claims: "Altri claim",
  "claims.lead": "Claim del token ID e di userinfo con un attributo dell’utente o un testo fisso, al massimo 20.",
  "claims.add": "Aggiungi un claim",
  "claims.none": "Ci sono solo i claim degli ambiti concessi.",
  "claims.removeTitle": "Rimuovere il claim {name}?",
  "claims.remove": "L’applicazione non lo ottiene più.",
  "claims.value": "Valore",
  "field.claims.name": "Nome del claim",
  "field.claims.attribute": "Attributo",
  "hint.claims.attribute":
    "Nome di un attributo, o un campo degli utenti: user_name, display_name, given_name, family_name, locale, zoneinfo o external_id.",
  "field.claims.text": "Testo fisso",
  "hint.claims.text": "Al posto di un attributo.",
  "field.claims.target": "Dove",
  "value.CLAIM_TARGET_BOTH": "Token ID e userinfo",
  "value.CLAIM_TARGET_ID_TOKEN": "Token ID",
  "value.CLAIM_TARGET_USERINFO": "Userinfo",

  "events.lead": "Ogni modifica è un evento. Gli eventi non vengono mai modificati.",
  "events.type": "Tipo",
  "events.kind.signIns": "Accessi",
  "events.kind.access": "Diritti: ruoli, gruppi, blocchi",
  "events.kind.credentials": "Passkey, link, token",
  "events.all": "Tutti",
  "events.object": "ID dell’oggetto",
  "events.creator": "Causato da",
  "events.since": "Dal",
  "events.allOrganizations": "Tutte le organizzazioni",
  // TRANSLATE
  "users.passkeys": "Passkeys",
  // TRANSLATE
  "users.noPasskey": "None",
  // TRANSLATE
  "users.onePasskey": "One",
  // TRANSLATE
  "users.morePasskeys": "Several",
  // TRANSLATE
  "users.within": "Within {days} days",
  // TRANSLATE
  refusedSignIns: "Refused sign-ins",
  // TRANSLATE
  "refusedSignIns.lead":
    "Of users who are known by their passkey or their account at an identity provider, of the last 30 days.",
  // TRANSLATE
  "refusedSignIns.none": "No sign-in was refused.",
  // TRANSLATE
  "refusedSignIns.reason": "Reason",
  // TRANSLATE
  "refusedSignIns.latest": "Latest",
  // TRANSLATE
  "refusedSignIns.network": "Network",
  // TRANSLATE
  "refusedSignIns.CHALLENGE_USED": "The sign-in was sent twice",
  // TRANSLATE
  "refusedSignIns.CREDENTIAL_MALFORMED": "The answer of the passkey is malformed",
  // TRANSLATE
  "refusedSignIns.FLOW_EXPIRED": "The sign-in took too long",
  // TRANSLATE
  "refusedSignIns.FLOW_USED": "The sign-in was sent twice",
  // TRANSLATE
  "refusedSignIns.IDP_DISABLED": "The identity provider is disabled",
  // TRANSLATE
  "refusedSignIns.ORIGIN_NOT_ALLOWED": "On a page of another address",
  // TRANSLATE
  "refusedSignIns.ROLES_EXCEED_PROVIDER": "The roles are higher than those that the provider may sign in",
  // TRANSLATE
  "refusedSignIns.SIGN_IN_FAILED": "The passkey did not prove itself",
  // TRANSLATE
  "refusedSignIns.USER_LOCKED": "The user is locked out",
  // TRANSLATE
  "refusedSignIns.USER_NOT_VERIFIED": "The passkey did not verify its user",
  // TRANSLATE
  "users.inviteAgain": "Invite again",
  // TRANSLATE
  // TRANSLATE
  "users.inviteMany": { one: "Invite {count} user again?", other: "Invite {count} users again?" },
  // TRANSLATE
  // TRANSLATE
  "users.manyHavePasskey": {
    one: "{count} user has a passkey, and gets no mail.",
    other: "{count} users have a passkey, and get no mail.",
  },
  // TRANSLATE
  "events.exportedFirst": "The latest {count} events were saved. The command keystead audit --csv saves more.",
  // TRANSLATE
  "groups.total": "Groups: {total}",
  // TRANSLATE
  "groups.noneFound": "No group is found.",
  // TRANSLATE
  "applications.total": "Applications: {total}",
  // TRANSLATE
  "applications.noneFound": "No application is found.",
  // TRANSLATE
  "sessions.total": "Sessions: {total}",
  // TRANSLATE
  "mail.total": "Mails: {total}",
  // TRANSLATE
  "push.total": "Deliveries: {total}",
  // TRANSLATE
  "figures.active7": "Active in 7 days",
  // TRANSLATE
  "figures.active30": "Active in 30 days",
  // TRANSLATE
  "figures.onePasskey": "With one passkey only",
  // TRANSLATE
  "figures.locked": "Locked out",
  // TRANSLATE
  "figures.sessions": "Sessions now",
  // TRANSLATE
  "figures.attention": "Needs attention",
  // TRANSLATE
  "figures.token": "The token {name} expires",
  // TRANSLATE
  "figures.certificate": "The client certificate {name} expires",
  // TRANSLATE
  "figures.moreTokens": {
    one: "{count} more token expires within 30 days",
    other: "{count} more tokens expire within 30 days",
  },
  // TRANSLATE
  "figures.signIns": "Sign-ins by day",
  // TRANSLATE
  "figures.signInsLead": "Of the last 30 days, in UTC.",
  // TRANSLATE
  "figures.toSignIns": "All sign-ins",
  // TRANSLATE
  "figures.day": "Day",
  // TRANSLATE
  "figures.succeeded": "Sign-ins",
  // TRANSLATE
  "figures.refused": "Refused",
  // TRANSLATE
  "figures.signInsOfDay": "{count} sign-ins, {refused} refused",
  // TRANSLATE
  "figures.steps": "First steps",
  // TRANSLATE
  "figures.stepsLead": "You are the only user so far. Figures appear here with the second one.",
  // TRANSLATE
  "figures.stepPeople": "Invite people",
  // TRANSLATE
  "figures.stepMail": "Set up mail",
  // TRANSLATE
  "figures.stepApplication": "Connect the first application",
  // TRANSLATE
  "figures.stepProvider": "Let people sign in with accounts they have",
  // TRANSLATE
  "figures.stepBrand": "Set name, logo and colour",
  // TRANSLATE
  "figures.stepDone": "Done",
  // TRANSLATE
  "figures.invited": "Invited, not accepted",
  // TRANSLATE
  "figures.toRefused": "Refused sign-ins",
  // TRANSLATE
  "figures.mails": { one: "{count} mail could not be delivered", other: "{count} mails could not be delivered" },
  // TRANSLATE
  "figures.deliveries": {
    one: "{count} webhook or logout token could not be delivered",
    other: "{count} webhooks or logout tokens could not be delivered",
  },
  // TRANSLATE
  "figures.refusals": {
    one: "{count} request of an application was refused",
    other: "{count} requests of an application were refused",
  },
};
