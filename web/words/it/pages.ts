/** All text of the pages in Italian. */

import type { Pages } from "../types";

const NEW_LINK = "Chiedine uno nuovo alla persona che te lo ha inviato.";

export const pages: Pages = {
  texts: {
    cancel: "Annulla",
    tryAgain: "Riprova",
    licences: "Licenze",
    support: "Aiuto via email",
    unknownTime: "non noto",
    "address.open": "Apri questa pagina su {host}",
    requestId: "ID richiesta, per l’assistenza: ",

    "name.missing": "Inserisci un nome.",
    "name.tooLong": "Inserisci al massimo {most} caratteri.",
    "name.refused": "Questo nome non è accettato. Scegline un altro.",
    "violation.CONTROL_CHARACTERS": "Rimuova gli a capo e i caratteri di controllo.",
    "violation.EMPTY": "Inserisca un valore.",
    "violation.INVALID_LANGUAGE": "Inserisca un codice di lingua come en o pt-BR.",
    "violation.INVALID_MAIL_ADDRESS": "Inserisca un indirizzo e-mail come name@example.com.",
    "violation.INVALID_TIME_ZONE": "Inserisca un fuso orario come Europe/Berlin.",
    "violation.INVISIBLE_CHARACTERS": "Rimuova i caratteri invisibili.",
    "violation.NO_VISIBLE_CHARACTER": "Inserisca almeno un carattere visibile.",
    "violation.OUTER_WHITE_SPACE": "Rimuova gli spazi all’inizio e alla fine.",
    "violation.TOO_LONG": "Inserisca al massimo {number} caratteri.",
    "violation.TOO_MANY_ENTRIES": "Inserisca al massimo {number} voci.",

    "device.iphone": "iPhone",
    "device.ipad": "iPad",
    "device.androidPhone": "Telefono Android",
    "device.androidTablet": "Tablet Android",
    "device.chromebook": "Chromebook",
    "device.windows": "Computer Windows",
    "device.mac": "Mac",
    "device.linux": "Computer Linux",
    "device.unknown": "Il mio dispositivo",
    "device.browserOn": "{browser} su {system}",

    "add.title": "Aggiungi una passkey",
    "add.name": "Nome di questa passkey",
    "add.nameHint": "Per riconoscerla in seguito, ad esempio in base al dispositivo su cui si trova.",
    "add.create": "Crea passkey",
    "add.beginning": "Preparazione…",
    "add.making": "Segui le istruzioni del tuo dispositivo…",
    "add.saving": "Salvataggio della passkey…",
    "add.introduction":
      "Viene salvata dal tuo dispositivo, da una chiave di sicurezza o dal tuo gestore delle password; lo scegli tra poco.",

    "link.checking": "Verifica del link…",
    "link.invitedBy": "{inviter} ti invita a entrare in {organization}. ",
    "link.invited": "Hai ricevuto un invito a entrare in {organization}. ",
    "link.invitedToUse": "Potrai poi usare {application}. ",
    "link.purpose": "Serve per accedere all’account {account} su {service}. ",
    "link.accountWithName": "{displayName} ({userName})",
    "link.advantage":
      "Con una passkey accedi usando l’impronta digitale, il volto o il PIN del tuo dispositivo. " +
      "Non c’è nessuna password da ricordare, e nessuna che possa essere rubata.",
    "link.kept": "Il tuo link, per aprirlo in un altro browser",
    "link.reloadedTitle": "Apri di nuovo il tuo link",
    "link.reloaded": "Quando viene ricaricata, questa pagina dimentica il link, in modo che nessun altro lo trovi qui.",
    "link.reloadedNext":
      "Aprilo di nuovo dall’email. Funziona finché non viene usato per aggiungere una passkey o finché non scade.",
    "link.otherwise": "Usa invece un token di accesso",
    "link.readyTitle": "La tua passkey è pronta",
    "link.ready": "«{name}» è stata aggiunta al tuo account.",
    "link.readySignIn": "Accedi",
    "link.readyContinue": "Continua",
    "link.readyReturn": "Continua su {host}",
    "link.readyConsole": "Apri la console",
    "link.readyAccount": "Apri il tuo account",
    "link.readySecond":
      "Aggiungi un’altra passkey su un secondo dispositivo, nel caso in cui perdessi questa. Puoi farlo nella pagina del tuo account dopo l’accesso.",
    "link.readyUsed": "Il link che hai aperto è stato usato e non è più valido.",

    "token.label": "Token di accesso",
    "token.hint": "Inizia con kst_ e viene conservato solo finché non esci o non chiudi questa scheda.",
    "token.show": "Mostra le mie passkey",
    "token.title": "Le tue passkey",
    "token.introduction":
      "Hai ricevuto un link per aggiungere una passkey? Aprilo dall’email. Per vedere le passkey che hai, inserisci un token di accesso.",
    "token.malformed": "Inserisci un token che inizia con kst_.",
    "token.signingIn": "Accesso in corso…",
    "token.signedInAs": "Accesso eseguito come {name}",
    "token.signedOut": "Disconnessione completata. Il token resta valido finché non scade o viene revocato.",
    signOut: "Esci",

    "passkeys.label": "Passkey",
    "passkeys.none": "Non hai ancora nessuna passkey.",
    "passkeys.add": "Aggiungi una passkey",
    "passkeys.added": "«{name}» è stata aggiunta.",
    "passkeys.renamed": "Il nuovo nome è «{name}».",
    "passkeys.removed": "«{name}» è stata rimossa.",
    "passkeys.missing": "Questa passkey nel frattempo è stata rimossa.",

    "passkey.keptBy": "Salvata in",
    "passkey.where": "Dove",
    "passkey.oneDevice": "solo su un dispositivo",
    "passkey.synced": "sincronizzata tra i tuoi dispositivi",
    "passkey.canSync": "su un dispositivo, può essere sincronizzata",
    "passkey.former": "Indirizzo precedente",
    "passkey.added": "Aggiunta",
    "passkey.lastUsed": "Ultimo uso",
    "passkey.notUsed": "non ancora",
    "passkey.rename": "Rinomina",
    "passkey.renameOne": "Rinomina {name}",
    "passkey.remove": "Rimuovi",
    "passkey.removeOne": "Rimuovi {name}",

    "rename.title": "Rinomina questa passkey",
    "rename.name": "Nome",
    "rename.hint": "Per riconoscerla in seguito.",
    "rename.save": "Salva",
    "remove.title": "Rimuovere questa passkey?",
    "remove.consequence":
      "Non potrai più accedere con «{name}». Il tuo dispositivo potrebbe conservarne la propria parte finché non la elimini anche lì.",
    "remove.lost": "È stata persa o rubata",
    "remove.lostHint":
      "In tal caso terminano anche gli accessi delle applicazioni e i token di accesso ottenuti con questa passkey.",
    "ends.these": "Questo termina:",
    "ends.sessions": "Sessioni: {count}",
    "ends.applications": "Accessi di applicazioni: {count}",
    "ends.tokens": "Token di accesso: {count}",
    "ends.nothing": "Nessuna sessione e nessun accesso terminano.",
    "remove.only": "È la tua unica passkey. Senza, potresti non riuscire ad accedere: aggiungine prima un’altra.",

    "start.title": "Ti diamo il benvenuto",
    "start.loading": "Un momento…",
    "start.introduction":
      "Accedi per vedere il tuo account, le tue passkey e i dispositivi su cui hai eseguito l’accesso.",
    "start.account": "Vai al tuo account",

    "signIn.title": "Accedi",
    "signIn.returnToConsole": "Dopo l’accesso si apre la console.",
    "signIn.returnTo": "Dopo l’accesso prosegui su {host}.",
    "signIn.introduction": "Usa l’impronta digitale, il volto o il PIN del tuo dispositivo.",
    "signIn.account": "Scegli un account",
    "signIn.accountHint": "Scegli una passkey tra quelle che il browser ti propone qui.",
    "signIn.button": "Accedi con una passkey",
    "signIn.preparing": "Preparazione…",
    "signIn.asking": "Segui le istruzioni del tuo dispositivo…",
    "signIn.completing": "Accesso in corso…",
    "signIn.signedOut": "Disconnessione completata.",
    "signIn.ended": "La tua sessione è terminata. Accedi di nuovo per continuare.",
    "signIn.help": "Problemi di accesso?",
    "signIn.helpPhone":
      "La tua passkey è sul telefono? Premi il pulsante e scegli un altro dispositivo; comparirà un codice da inquadrare.",
    "signIn.helpFirst":
      "Non hai ancora una passkey? Apri il link nell’email che hai ricevuto alla creazione del tuo account.",
    "former.hint": "Hai creato la tua passkey quando questo servizio si trovava su {domain}?",
    "former.button": "Usa una passkey di {domain}",
    "former.title": "La tua passkey di {domain}",
    "former.lead": "Usala qui, all’indirizzo precedente. Torni subito su {host}.",
    "move.title": "Ancora una passkey",
    "move.lead":
      "La tua passkey è di {former}, l’indirizzo precedente. Aggiungine una per {domain}: l’altra potrebbe smettere di funzionare.",
    "move.later": "Non ora",
    "signIn.lost": "Hai perso la tua passkey?",
    "discovery.continue": "Continua",
    "discovery.looking": "Ricerca della tua organizzazione…",
    "discovery.choose": "Scegli come accedere.",
    "discovery.none":
      "Qui non c’è nessuna organizzazione per gli indirizzi di questo dominio. Accedi con la tua passkey.",

    "provider.or": "oppure",
    "provider.more": "Altri provider",
    "provider.signIn": "Accedi con {name}",
    "provider.link": "Collega {name}",
    "provider.returned": "Un momento",
    "provider.linking": "Collegamento in corso…",
    "provider.toAccount": "Torna al tuo account",
    "provider.linkedAt": "Collegato",
    "provider.subject": "Identità presso il provider",
    "provider.unlink": "Scollega",
    "provider.unlinkOne": "Scollega {name}",
    "provider.unlinkTitle": "Scollegare questo provider?",
    "provider.unlinkConsequence":
      "Non potrai più accedere con {name}, e le sessioni aperte in questo modo vengono chiuse. Il tuo account presso il provider rimane.",
    "provider.onlyWay": "Non hai nessuna passkey. Senza, potresti non riuscire più ad accedere: aggiungine prima una.",
    "provider.unlinked": "{name} è stato scollegato.",
    "provider.linked": "Il provider è collegato. D’ora in poi puoi usarlo per accedere.",

    "links.label": "Altri modi per accedere",
    "links.hint": "Puoi accedere anche con i provider che hai collegato.",
    "links.none": "Collega un account che hai altrove per usarlo per accedere.",

    "recovery.title": "Recupera il tuo account",
    "recovery.introduction":
      "Se la tua organizzazione lo consente, ricevi via email un link per registrare una nuova passkey. Altrimenti, chiedi un link al tuo amministratore.",
    "recovery.off":
      "La tua organizzazione non invia link via email a chi ha perso le proprie passkey. Chiedi al tuo amministratore, o alla persona che ti ha invitato, un link per registrare una nuova passkey.",
    "mailForm.address": "Indirizzo email",
    "recovery.addressHint": "Quello associato al tuo account.",
    "mailForm.noAddress": "Inserisci un indirizzo email come nome@example.com.",
    "mailForm.button": "Invia un link",
    "mailForm.sending": "Invio in corso…",
    "signIn.back": "Torna all’accesso",
    "mailForm.sent": "Controlla la tua posta",
    "recovery.ifKnown":
      "Se questo indirizzo appartiene a un account che può essere recuperato via email, un link è in arrivo.",
    "recovery.open": "Funziona una sola volta, per 30 minuti. Aprilo sul dispositivo con cui vuoi accedere.",
    "recovery.noMail":
      "Dopo qualche minuto non è arrivata nessuna email? Cercane una precedente nella cartella dello spam o chiedi un link al tuo amministratore.",

    "signUp.title": "Crea un account",
    "signUp.introduction": "Ricevi via email un link che crea il tuo account.",
    "signUp.addressHint": "Il link arriva a questo indirizzo.",
    "signUp.name": "Il tuo nome",
    "signUp.nameHint": "Come lo vedranno gli altri. Puoi lasciarlo vuoto.",
    "signUp.sent": "Un link è in arrivo.",
    "signUp.open": "Funziona per 24 ore. Aprilo sul dispositivo con cui vuoi accedere.",
    "signUp.noMail":
      "Dopo qualche minuto non è arrivata nessuna email? Guarda nella cartella dello spam e controlla l’indirizzo.",
    "signUp.confirmTitle": "Crea il tuo account",
    "signUp.confirmText":
      "Il tuo indirizzo email è confermato. Crea l’account, poi aggiungi una passkey con cui accedere.",
    "signUp.confirm": "Crea l’account",

    "connect.title": "Connetti un dispositivo",
    "connect.introduction": "Inserisci il codice mostrato dal dispositivo.",
    "connect.code": "Codice",
    "connect.codeHint": "Otto lettere, come WDJB-MJHT.",
    "connect.noCode": "Inserisci il codice.",
    "connect.continue": "Continua",
    "connect.finding": "Ricerca del codice…",
    "connect.ask": "Connettere {name} al tuo account?",
    "connect.account": "Hai eseguito l’accesso come {account}.",
    "connect.isShown": "Il tuo dispositivo mostra questo codice?",
    "connect.yes": "Sì, questo codice",
    "connect.no": "No",
    "connect.warning":
      "Qualcuno ti ha inviato il codice o un link a questa pagina? Allora premi {no}: quella persona otterrebbe l’accesso al tuo account.",
    "connect.gets": "Il dispositivo può:",
    "connect.allow": "Consenti",
    "connect.done": "Il tuo dispositivo è connesso",
    "connect.doneNext": "Continua sul dispositivo. Puoi chiudere questa pagina.",
    "connect.denied": "Il dispositivo non ottiene l’accesso",
    "connect.deniedNext": "Puoi chiudere questa pagina.",

    "account.title": "Il tuo account",
    "account.console": "Console",
    "profile.label": "Informazioni su di te",
    "profile.change": "Modifica i tuoi dati",
    "profile.changed": "I tuoi dati sono stati modificati.",
    "profile.displayName": "Nome visualizzato",
    "profile.givenName": "Nome",
    "profile.familyName": "Cognome",
    "profile.locale": "Lingua",
    "profile.localeHint": "Come codice di lingua, ad esempio it o pt-BR.",
    "profile.zoneinfo": "Fuso orario",
    "profile.zoneinfoHint": "Come nome, ad esempio Europe/Rome.",
    "profile.picture": "Foto",
    "profile.pictureHint": "La parte centrale di un’immagine. Le applicazioni che usi possono mostrarla.",
    "profile.noPicture": "Scegli un file che sia un’immagine.",
    "profile.removePicture": "Rimuovi la foto attuale",
    "profile.email": "Indirizzo email",
    "profile.refused": "Il server non accetta questo valore. Correggilo.",
    "profile.listHint": "Un valore per riga.",
    "profile.noNumber": "Inserisci un numero.",
    "profile.unset": "Non indicato",
    "profile.yes": "Sì",
    "profile.no": "No",
    "email.change": "Modifica il tuo indirizzo email",
    "email.add": "Aggiungi un indirizzo email",
    "email.verify": "Conferma il tuo indirizzo email",
    "email.unverified": "non confermato",
    "email.introduction":
      "A questo indirizzo viene inviato un link. Finché non lo apri, non cambia nulla. Se l’indirizzo è nuovo, quello attuale riceve un avviso.",
    "email.new": "Indirizzo email",
    "email.newHint": "Il link funziona per 24 ore.",
    "email.same": "È già il tuo indirizzo email ed è confermato.",
    "email.send": "Invia un link",
    "email.sent": "Un link è stato inviato a {address}. Aprilo dove hai eseguito l’accesso.",
    "email.pending": "{address} è in attesa di conferma: apri il link inviato a questo indirizzo (scadenza: {until}).",
    "email.cancel": "Annulla questa modifica",
    "email.cancelled": "La modifica del tuo indirizzo email è stata annullata.",
    "email.confirmTitle": "Usare questo indirizzo email?",
    "email.confirmText": "{address} diventa l’indirizzo email del tuo account.",
    "email.confirmAny": "L’indirizzo a cui hai ricevuto il link diventa l’indirizzo email del tuo account.",
    "email.confirm": "Usa questo indirizzo",
    "email.confirmed": "Il tuo indirizzo email è confermato.",
    "account.loading": "Caricamento del tuo account…",
    "account.passkeysHint": "Con ciascuna puoi accedere. Tienine due, su dispositivi diversi.",
    "account.noPasskeysHint": "Aggiungine una per poter accedere di nuovo.",
    "account.onlyProvidersHint": "Aggiungine una per accedere senza il tuo provider.",
    "account.formerHint":
      "Aggiungine una per {domain}: quelle dell’indirizzo precedente potrebbero smettere di funzionare.",
    "account.onePasskeyHint":
      "Ne hai una. Aggiungine una seconda su un altro dispositivo, nel caso in cui perdessi questa.",

    "sessions.label": "Dove hai eseguito l’accesso",
    "sessions.hint": "Se non riconosci una di queste sessioni, disconnettila e rimuovi le passkey che non sono tue.",
    "sessions.unknownDevice": "Dispositivo sconosciuto",
    "sessions.current": "Questo dispositivo",
    "sessions.signedIn": "Accesso",
    "sessions.lastSeen": "Ultima attività",
    "sessions.address": "Indirizzo IP",
    "sessions.end": "Disconnetti",
    "sessions.endOne": "Disconnetti {name}",
    "sessions.ended": "La sessione su «{name}» è stata chiusa.",
    "sessions.gone": "Questa sessione era già terminata.",
    "sessions.everywhere": "Disconnetti ovunque",
    "sessions.everywhereTitle": "Disconnettere ovunque?",
    "sessions.everywhereConsequence":
      "Terminano tutte le tue sessioni, compresa questa. Le tue passkey rimangono e ti permettono di accedere di nuovo. Restano validi anche i tuoi token di accesso e gli accessi delle applicazioni che durano finché non li revochi.",
    "sessions.only": "Hai eseguito l’accesso solo su questo dispositivo.",

    "confirm.title": "Conferma la tua identità",
    "confirm.text": "Hai eseguito l’accesso un po’ di tempo fa. Usa di nuovo una delle tue passkey per continuare.",
    "confirm.button": "Usa una passkey",
    "confirm.provider": "Accedi di nuovo con il tuo provider",
    "confirm.providerText": "Oppure accedi di nuovo con il tuo provider e poi ripeti la modifica.",

    "request.host": "su {host}",
    "request.named": "si presenta come «{name}»",
    "request.returnsTo": "torna su {host}",
    "request.unknownSite":
      "Qui nessuno ha verificato questa applicazione. Il nome lo ha scelto da sé: consenti l’accesso solo se conosci {host}.",
    "request.unknownProgram":
      "È un programma sul tuo dispositivo. Qualsiasi programma può dire di essere di {host}: consenti l’accesso solo se l’hai appena avviato.",
    "request.account": "Account",
    "request.chooseTitle": "Scegli un account",
    "request.continue": "Continua",
    "request.another": "Usa un altro account",
    "request.otherwise": "Accedi in un altro modo",
    "request.consentTitle": "Consentire l’accesso al tuo account?",
    "request.consent": "Se lo consenti, {name} può:",
    "request.allow": "Consenti",
    "request.again": "{name} ti chiede di accedere di nuovo.",
    "request.passkey": "{name} richiede una passkey con l’impronta digitale, il volto o il PIN del tuo dispositivo.",
    "request.back": "Torna all’applicazione",
    "request.backTo": "Torna su {host}",
    "request.leaving": "Stai tornando a {name}.",
    "request.openTitle": "Continua nell’applicazione",
    "request.openText": "Il browser apre {name}. Se non succede nulla, premi il pulsante.",
    "request.open": "Apri l’applicazione",
    "request.goBack": "Indietro",
    "request.reason": "Per l’amministratore dell’applicazione: ",
    "logout.title": "Vuoi uscire?",
    "logout.text": "{name} chiede di chiudere la tua sessione qui.",
    "logout.textUnnamed": "Un’applicazione chiede di chiudere la tua sessione qui.",
    "logout.stay": "Non uscire",
    "request.toAccount": "Vai al tuo account",

    "scope.openid": "Sapere chi sei",
    "scope.profile": "Vedere il tuo nome e il tuo nome utente",
    "scope.email": "Vedere il tuo indirizzo email",
    "scope.groups": "Vedere i gruppi di cui fai parte",
    "scope.offlineAccess": "Mantenere l’accesso anche quando non ci sei",
    "scope.other": "Usare «{scope}»",
    "access.resource": "L’accesso è per {resource}.",
    "access.offline": "L’accesso dura finché non lo revochi nella pagina del tuo account.",
    "access.session": "L’accesso termina quando esci. Puoi revocarlo prima nella pagina del tuo account.",

    "grants.label": "Applicazioni che usi",
    "grants.hint": "Hai dato a queste applicazioni l’accesso al tuo account.",
    "grants.can": "Può",
    "grants.since": "Dal",
    "grants.narrow": "Modifica",
    "grants.narrowOne": "Modifica l’accesso di {name}",
    "grants.narrowTitle": "Modifica l’accesso",
    "grants.narrowQuestion": "{name} può:",
    "grants.narrowConsequence":
      "{name} perde entro pochi minuti ciò che deselezioni. Conserva ciò che ha già letto e può chiedertelo di nuovo.",
    "grants.narrowSave": "Salva",
    "grants.narrowed": "L’accesso di {name} è stato modificato.",
    "grants.revoke": "Revoca accesso",
    "grants.revokeOne": "Revoca l’accesso di {name}",
    "grants.revokeTitle": "Revocare l’accesso?",
    "grants.revokeConsequence":
      "{name} viene disconnessa dal tuo account e ti chiederà di nuovo il consenso al prossimo accesso. Conserva ciò che ha già letto.",
    "grants.revoked": "{name} non ha più accesso.",

    "tokens.label": "Token di accesso",
    "tokens.hint": "Un programma che ne ha uno agisce a tuo nome. Rimuovi quelli che non riconosci.",
    "tokens.unnamed": "Token senza nome",
    "tokens.certificate": "Certificato",
    "tokens.created": "Creato",
    "tokens.creator": "Da",
    "tokens.byYou": "te",
    "tokens.byOther": "un’altra persona",
    "tokens.expires": "Scadenza",
    "tokens.unlimited": "nessuna",
    "tokens.remove": "Rimuovi",
    "tokens.removeOne": "Rimuovi il token {name}",
    "tokens.removeTitle": "Rimuovere questo token?",
    "tokens.removeConsequence": "I programmi che usano «{name}» vengono respinti immediatamente.",
    "tokens.removed": "«{name}» è stato rimosso.",
  },

  refusals: {
    LINK_EXPIRED: ["Questo link è scaduto", `I link funzionano per un tempo limitato. ${NEW_LINK}`],
    LINK_USED: [
      "Questo link è già stato usato",
      "È stato usato per aggiungere una passkey, e ogni link ne aggiunge una sola. Se non l’hai fatto tu, avvisa subito il tuo amministratore. " +
        "Per aggiungere un’altra passkey, chiedi un nuovo link.",
    ],
    LINK_REPLACED: [
      "C’è un link più recente",
      "Dopo questo ti è stato inviato un altro link, e funziona solo il più recente. Apri quello.",
    ],
    LINK_TRIED_TOO_OFTEN: ["Questo link è stato provato troppe volte", `Non funziona più. ${NEW_LINK}`],
    USER_LOCKED: [
      "Questo account è bloccato",
      "Nessuno può accedervi finché non viene sbloccato. Rivolgiti al tuo amministratore.",
    ],
    RECOVERY_NOT_ALLOWED: [
      "Il recupero via email non è più possibile",
      "La tua organizzazione ha cambiato questa impostazione dopo l’invio dell’email. Chiedi un nuovo link al tuo amministratore.",
    ],
    EMAIL_SET_BY_OTHERS: [
      "Questo link è in sospeso",
      "Chiedi al tuo amministratore di confermare il tuo indirizzo email. Poi apri di nuovo il link.",
    ],
    LINK_INVALID: [
      "Questo link non funziona",
      "Potrebbe mancarne una parte: aprilo direttamente dall’email o copialo per intero. Se continua a non funzionare, chiedine uno nuovo alla persona che te lo ha inviato.",
    ],

    USER_CODE_INVALID: [
      "Questo codice non funziona",
      "Confrontalo con quello sul dispositivo. Ogni codice funziona una sola volta, per dieci minuti: il dispositivo può mostrartene uno nuovo.",
    ],

    TOO_MANY_GRANTS: [
      "Usi il numero massimo di applicazioni",
      "Nella pagina del tuo account, revoca l’accesso di quelle che non usi più, poi riprova.",
    ],

    TOO_MANY_ATTEMPTS: [
      "Ci sono stati troppi tentativi non riusciti",
      "La registrazione è stata interrotta per proteggere il tuo account. Ricomincia dall’inizio.",
    ],
    TOO_MANY_PASSKEYS: [
      "Hai il numero massimo di passkey",
      "Rimuovine una che non usi più, o chiedi di farlo al tuo amministratore, poi riprova.",
    ],
    TOO_MANY_CEREMONIES: ["Troppi tentativi sono ancora in corso", "Aspetta dieci minuti che scadano, poi riprova."],
    CEREMONY_ENDED: [
      "Questa registrazione è stata interrotta",
      "È stata annullata, oppure il tuo account è stato modificato o rimosso, mentre il dispositivo creava la passkey. Non è stato salvato nulla. " +
        "Riprova; se non funziona, rivolgiti al tuo amministratore.",
    ],
    CHALLENGE_EXPIRED: [
      "È passato troppo tempo",
      "Non è stato salvato nulla. Riprova e completa l’operazione entro dieci minuti.",
    ],
    CHALLENGE_USED: [
      "Questo tentativo era già stato completato",
      "È stato usato per salvare una passkey. Se non l’hai fatto tu, avvisa subito il tuo amministratore.",
    ],
    PASSKEY_NOT_FOUND: ["Questa passkey non c’è più", "Nel frattempo è stata rimossa. Ricarica l’elenco."],

    CREDENTIAL_ALREADY_REGISTERED: [
      "Questa passkey è già registrata",
      "Usa un altro dispositivo, un’altra chiave di sicurezza o un altro gestore delle password per crearne una nuova.",
    ],
    CREDENTIAL_MALFORMED: [
      "La risposta del tuo dispositivo non è leggibile",
      "Non è stato salvato nulla. Riprova; se succede ancora, aggiorna il browser o usa un altro dispositivo.",
    ],
    CREDENTIAL_NOT_VERIFIED: [
      "Non è stato possibile verificare la risposta del tuo dispositivo",
      "Non è stato salvato nulla. Riprova; se succede ancora, aggiorna il browser o usa un altro dispositivo.",
    ],
    ORIGIN_NOT_ALLOWED: [
      "A questo indirizzo non si possono aggiungere passkey",
      "Controlla che l’indirizzo nel browser sia quello che ti è stato dato. Se lo è, questo server non è configurato per quell’indirizzo: avvisa il tuo amministratore.",
    ],
    USER_NOT_VERIFIED: [
      "Il tuo dispositivo non ha verificato la tua identità",
      "Configura sul dispositivo un PIN, l’impronta digitale o il riconoscimento del volto, o usa un altro dispositivo, poi riprova.",
    ],
    ALGORITHM_NOT_ALLOWED: [
      "Questo tipo di passkey non può essere usato qui",
      "Il tuo dispositivo ha creato una chiave di un tipo non accettato. Usa un altro dispositivo o un’altra chiave di sicurezza.",
    ],
    ATTESTATION_NOT_ALLOWED: [
      "Questo dispositivo non può essere usato qui",
      "Si è identificato in un modo non accettato. Usa un altro dispositivo o un’altra chiave di sicurezza.",
    ],
    INVALID_FIELDS: ["Qualcosa nel modulo non è accettato", "Modifica il nome, poi riprova."],

    UNAUTHENTICATED: [
      "Questo token non è valido",
      "È scaduto, è stato revocato o non è completo. Accedi con un altro.",
    ],
    EMAIL_CHANGE_INVALID: [
      "Questo link è incompleto",
      "Aprilo direttamente dall’email o chiedine un altro in «Informazioni su di te».",
    ],
    EMAIL_CHANGE_OF_OTHER_USER: [
      "Questo link è di un altro account",
      "Accedi a quell’account e apri di nuovo il link nell’email.",
    ],
    EMAIL_CHANGE_EXPIRED: ["Questo link è scaduto", "Chiedine un altro in «Informazioni su di te»."],
    EMAIL_CHANGE_ENDED: [
      "Questo link non è più valido",
      "È già stato usato, oppure la modifica è stata annullata o sostituita da un’altra. Controlla il tuo indirizzo email in «Informazioni su di te».",
    ],
    EMAIL_TAKEN: [
      "Un altro account ha questo indirizzo email",
      "Usa un altro indirizzo o rivolgiti al tuo amministratore.",
    ],
    EMAIL_FROM_PROVIDER: [
      "Il tuo indirizzo email proviene dal tuo provider di identità",
      "Modificalo lì. Qui verrà aggiornato al prossimo accesso con il provider.",
    ],
    SMTP_CONFIG_MISSING: [
      "Non è possibile inviare email",
      "Il servizio non ha ancora un server di posta. Rivolgiti al tuo amministratore.",
    ],
    TOO_MANY_MAILS: [
      "A questo indirizzo sono state inviate troppe email",
      "Riprova tra un’ora o usa un altro indirizzo.",
    ],
    PROFILE_KEPT: [
      "Questi dati sono gestiti dalla tua organizzazione",
      "Solo un amministratore può modificarli. Rivolgiti al tuo amministratore.",
    ],
    PERMISSION_DENIED: ["Non puoi farlo", "Al tuo account manca l’autorizzazione. Rivolgiti al tuo amministratore."],
    USER_NOT_FOUND: [
      "Questo account non è stato trovato",
      "Potrebbe essere stato rimosso. Rivolgiti al tuo amministratore.",
    ],
    NOT_FOUND: [
      "Questo account non è stato trovato",
      "Potrebbe essere stato rimosso. Rivolgiti al tuo amministratore.",
    ],
    RESOURCE_EXHAUSTED: ["Ci sono state troppe richieste", "Aspetta un minuto, poi riprova."],
    UNAVAILABLE: ["Al momento il servizio non è disponibile", "Di solito si risolve entro un minuto. Riprova."],
    DEADLINE_EXCEEDED: ["Il servizio ha impiegato troppo tempo a rispondere", "Riprova tra un momento."],
    ABORTED: ["Qualcuno ha modificato la stessa cosa nello stesso momento", "Riprova."],
    UNREACHABLE: ["Il servizio non è raggiungibile", "Controlla la connessione, poi riprova."],
    OFFLINE: ["Sei offline", "Connettiti a internet, poi riprova."],
    UNKNOWN: ["Si è verificato un errore", "Riprova. Se succede ancora, avvisa il tuo amministratore."],

    SIGN_IN_FAILED: [
      "L’accesso non è riuscito",
      "Riprova o usa un’altra passkey. Se succede ancora, rivolgiti al tuo amministratore.",
    ],
    PASSKEY_UNKNOWN: [
      "Con questa passkey non puoi più accedere",
      "È stata rimossa dal suo account. Usane un’altra o chiedi al tuo amministratore un link per aggiungerne una nuova.",
    ],
    SIGN_IN_EXPIRED: ["È passato troppo tempo", "Riprova e completa l’accesso entro dieci minuti."],
    SIGN_IN_USED: ["Questo tentativo era già stato completato", "Riprova."],
    SIGN_IN_NOT_MADE: [
      "L’accesso non è stato eseguito",
      "È stato annullato, ha richiesto troppo tempo oppure questo dispositivo non ha passkey per questo servizio. Riprova quando vuoi.",
    ],
    SIGN_IN_UNREADABLE: [
      "La risposta del tuo dispositivo non è leggibile",
      "Riprova; se succede ancora, aggiorna il browser o usa un altro dispositivo.",
    ],
    SIGN_IN_NOT_HERE: [
      "Non puoi accedere a questo indirizzo",
      "Controlla che l’indirizzo nel browser sia quello che ti è stato dato. Se lo è, questo server non è configurato per quell’indirizzo: avvisa il tuo amministratore.",
    ],
    SIGN_IN_NO_WEBAUTHN: [
      "Questo browser non può usare le passkey",
      "Usa una versione aggiornata di Chrome, Edge, Firefox o Safari. I browser integrati in altre app spesso non possono farlo.",
    ],
    SIGN_IN_INSECURE: [
      "Questa connessione non è sicura",
      "I browser usano le passkey solo su indirizzi sicuri, quelli che iniziano con https://. Apri questa pagina a un indirizzo di questo tipo.",
    ],
    COOKIES_BLOCKED: [
      "Questo browser blocca i cookie",
      "La sessione resta aperta grazie a un cookie di questo indirizzo. Consenti cookie e dati dei siti per questo indirizzo nelle impostazioni del browser, poi ricarica questa pagina.",
    ],
    STORAGE_BLOCKED: [
      "Questo browser blocca l’archiviazione dei dati",
      "È necessaria per andare dal provider e tornare. Consenti cookie e dati dei siti per questo indirizzo nelle impostazioni del browser, poi ricarica questa pagina.",
    ],
    NOT_CONFIRMED: [
      "Non hai confermato la tua identità",
      "L’operazione è stata annullata o ha richiesto troppo tempo. Non è stato modificato nulla. Riprova quando vuoi.",
    ],
    SESSION_ENDED: ["La tua sessione è terminata", "Accedi di nuovo per continuare."],

    AUTHORIZATION_REQUEST_EXPIRED: [
      "Questo accesso non è più in corso",
      "È stato completato, ha richiesto più di dieci minuti oppure il suo indirizzo è incompleto. Torna all’applicazione e ricomincia.",
    ],
    UNKNOWN_CLIENT: [
      "Questa applicazione non è conosciuta qui",
      "L’accesso non può continuare. Torna all’applicazione e chiedi al suo amministratore di controllare il suo client_id.",
    ],
    REDIRECT_URI_NOT_REGISTERED: [
      "L’indirizzo per tornare all’applicazione non è registrato",
      "L’accesso non può continuare, perché la risposta potrebbe arrivare a qualcun altro. Torna all’applicazione e avvisa il suo amministratore, che può registrare il suo redirect_uri.",
    ],
    CLIENT_METADATA_INVALID: [
      "La descrizione dell’applicazione non è valida",
      "L’accesso non può continuare. Chiedi all’amministratore dell’applicazione di controllare il documento al suo client_id.",
    ],
    CLIENT_METADATA_UNREACHABLE: [
      "La descrizione dell’applicazione non può essere letta",
      "Al momento il documento al suo client_id non risponde. Torna all’applicazione e riprova tra un momento.",
    ],
    LOGOUT_NOT_POSSIBLE: [
      "L’applicazione ha inviato una richiesta di uscita errata",
      "La tua sessione qui è ancora aperta. Esci dalla pagina del tuo account e chiedi all’amministratore dell’applicazione di controllare l’id_token_hint e il client_id della richiesta.",
    ],
    LOGOUT_REQUEST_INVALID: [
      "Questa richiesta di uscita non è valida",
      "Ha richiesto più di dieci minuti oppure il suo indirizzo è incompleto. Torna all’applicazione ed esci di nuovo, oppure esci dalla pagina del tuo account.",
    ],
    POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED: [
      "L’indirizzo per tornare all’applicazione non è registrato",
      "La tua sessione è ancora aperta. Avvisa l’amministratore dell’applicazione, che può registrare il suo post_logout_redirect_uri.",
    ],
    AUTHORIZATION_INVALID: [
      "L’applicazione ha inviato una richiesta errata",
      "L’accesso non può continuare. Torna all’applicazione e avvisa il suo amministratore, che può trovare questa richiesta e la soluzione tramite l’ID richiesta.",
    ],
    AUTHORIZATION_FAILED: [
      "L’accesso non può continuare",
      "Torna all’applicazione e ricomincia. Se succede ancora, avvisa il suo amministratore.",
    ],
    ANOTHER_ACCOUNT_REQUIRED: [
      "L’applicazione richiede un altro account",
      "Non è quello con cui hai eseguito l’accesso qui. Usa l’account che hai usato in precedenza nell’applicazione.",
    ],
    APPLICATION_NOT_ALLOWED: [
      "Il tuo account non può usare questa applicazione",
      "Chiedi l’accesso al suo amministratore o usa un altro account.",
    ],
    EMAIL_REQUIRED: [
      "Il tuo account non ha un indirizzo email",
      "L’applicazione ne richiede uno. Chiedi all’amministratore della tua organizzazione di aggiungerlo al tuo account.",
    ],
    PASSKEY_REQUIRED: [
      "Questa passkey non è sufficiente",
      "L’applicazione ne richiede una che si usa con l’impronta digitale, il volto o il PIN del dispositivo. Usa un’altra passkey.",
    ],

    SIGN_UP_NOT_ALLOWED: ["Qui non puoi creare un account", "Chiedi un invito ai responsabili di questo servizio."],
    SIGN_UP_EXPIRED: [
      "Questo link non funziona più",
      "È incompleto o ha più di 24 ore. Chiedine un altro nella pagina di accesso.",
    ],
    SIGN_UP_USED: [
      "Questo link è già stato usato",
      "Ha creato il tuo account. Accedi con la tua passkey o chiedi un link ai responsabili di questo servizio.",
    ],
    SIGN_UP_USER_EXISTS: [
      "Hai già un account",
      "È associato a questo indirizzo email. Accedi con la tua passkey. Se l’hai persa, dalla pagina di accesso puoi ricevere un nuovo link via email.",
    ],

    NOT_REGISTERED: [
      "Qui non hai ancora un account",
      "Qui nessuno è collegato all’account che hai usato. Accedi in un altro modo e collegalo, o chiedi un account al tuo amministratore.",
    ],
    USER_EXISTS_LINK_FIRST: [
      "Qui hai già un account",
      "Per la tua sicurezza, non viene collegato in base al nome o all’indirizzo email. Accedi con la tua passkey, poi collega questo provider nella pagina del tuo account.",
    ],
    ROLES_EXCEED_PROVIDER: [
      "Il tuo account non usa questo provider",
      "Ha più diritti delle persone che gestiscono il provider. Accedi con la tua passkey.",
    ],
    IDENTITY_LINKED: [
      "Questo account è già collegato",
      "Qui appartiene a un altro utente, o a te. Per cambiarlo, accedi con questo account e scollegalo lì.",
    ],
    FLOW_EXPIRED: [
      "È passato troppo tempo",
      "Non è stato modificato nulla. Riprova e completa l’operazione entro dieci minuti.",
    ],
    FLOW_USED: ["Questo tentativo era già stato completato", "Non è stato modificato nulla. Ricomincia dall’inizio."],
    FLOW_LOST: [
      "Questo accesso non può continuare qui",
      "La pagina è stata ricaricata, oppure hai iniziato in un’altra scheda o in un altro browser. Non è stato modificato nulla. Ricomincia dall’inizio.",
    ],
    IDP_DENIED: [
      "Il provider non ti ha fatto passare",
      "Hai annullato, o il provider ha rifiutato. Riprova o accedi in un altro modo.",
    ],
    IDP_DID_NOT_REAUTHENTICATE: [
      "Il provider non ti ha chiesto di accedere di nuovo",
      "Ha proseguito con un accesso precedente. Non è stato modificato nulla. Esci dal provider e riprova.",
    ],
    IDP_UNREACHABLE: [
      "Il provider non è raggiungibile",
      "Di solito si risolve in pochi minuti. Riprova o accedi in un altro modo.",
    ],
    IDP_NOT_CONFIGURED: [
      "Non puoi accedere con questo provider",
      "Non è configurato per questo indirizzo o è stato rimosso. Accedi in un altro modo o avvisa il tuo amministratore.",
    ],
    IDP_DISABLED: [
      "Questo provider è disattivato",
      "Al momento nessuno può usarlo per accedere. Accedi in un altro modo o rivolgiti al tuo amministratore.",
    ],
    PROVIDER_NOT_VERIFIED: [
      "L’accesso non è riuscito",
      "Non è stato possibile verificare le informazioni del provider. Riprova; se succede ancora, avvisa il tuo amministratore.",
    ],

    NotAllowedError: [
      "Non è stata creata nessuna passkey",
      "L’operazione è stata annullata, ha richiesto troppo tempo o non è consentita dal tuo dispositivo. Riprova quando vuoi.",
    ],
    InvalidStateError: [
      "Questo dispositivo ha già una tua passkey",
      "Puoi accedere con quella esistente. Per aggiungerne un’altra, usa un dispositivo, una chiave di sicurezza o un gestore delle password diverso.",
    ],
    SecurityError: [
      "A questo indirizzo non si possono creare passkey",
      "L’indirizzo nel browser non è quello delle tue passkey. Apri questa pagina all’indirizzo che ti è stato dato.",
    ],
    NotSupportedError: [
      "Questo dispositivo non può creare la passkey richiesta",
      "Usa un altro dispositivo, un’altra chiave di sicurezza o un altro gestore delle password.",
    ],
    ConstraintError: [
      "Questo dispositivo non può verificare la tua identità",
      "Configura sul dispositivo il blocco schermo, un PIN o l’impronta digitale, o usa un altro dispositivo, poi riprova.",
    ],
    AbortError: ["La creazione della passkey non è stata completata", "Qualcosa l’ha interrotta. Riprova."],
    NO_WEBAUTHN: [
      "Questo browser non può creare passkey",
      "Usa una versione aggiornata di Chrome, Edge, Firefox o Safari. I browser integrati in altre app spesso non possono farlo.",
    ],
    INSECURE_CONTEXT: [
      "Questa connessione non è sicura",
      "I browser creano le passkey solo su indirizzi sicuri, quelli che iniziano con https://. Apri questa pagina a un indirizzo di questo tipo.",
    ],
  },
};
