/** The remedies of refused requests in Italian, by their causes. `{name}` stands for a value of the refusal. */

import type { Remedies } from "../types";

export const remedies: Remedies = {
  INVALID_FIELDS:
    "Il parametro {parameter} manca, è malformato o troppo lungo. Correggi le impostazioni del programma.",
  REDIRECT_URI_NOT_REGISTERED:
    "La redirect_uri ricevuta è {value}. Chiunque può inviarne una: se è dell’applicazione, aggiungila alla lettera ai suoi URI di reindirizzamento. Un indirizzo http:// di una rete privata richiede anche allows_http.",
  POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED:
    "La post_logout_redirect_uri ricevuta è {value}. Chiunque può inviarne una: se è dell’applicazione, aggiungila alla lettera ai suoi URI di reindirizzamento dopo l’uscita. Un indirizzo http:// di una rete privata richiede anche allows_http.",
  KIND_WITHOUT_SIGN_IN:
    "A un’applicazione di questo tipo non accede nessuno. Aggiungine un’altra del tipo WEB, BROWSER o NATIVE.",
  PKCE_MISSING:
    "Il programma non invia PKCE. Attivalo lì. Se non può, imposta pkce su APPLICATION_PKCE_PKCE_OR_NONCE: un nonce protegge allora il codice. Per un programma senza nonce, impostalo su APPLICATION_PKCE_NONE: solo il segreto protegge allora un codice rubato.",
  CODE_CHALLENGE_MISSING: "Il programma non invia code_challenge. Correggi le impostazioni del programma.",
  CODE_CHALLENGE_METHOD: "Il code_challenge_method ricevuto è “{value}”. Imposta il programma su S256.",
  CODE_CHALLENGE_MALFORMED: "Il code_challenge non è uno SHA-256 in base64url. Aggiorna il programma.",
  NOT_PUSHED:
    "L’applicazione deve inviare prima le richieste di autorizzazione (PAR), e il programma non lo fa. Attiva PAR nel programma, oppure non richiederlo più.",
  REQUEST_NOT_SUPPORTED: "Il programma invia un oggetto di richiesta. Disattivalo lì.",
  REQUEST_URI_NOT_SUPPORTED: "Il programma invia una request_uri che non è stata ottenuta qui. Disattivala lì.",
  AUTHORIZATION_REQUEST_EXPIRED:
    "La request_uri è stata usata oltre 90 secondi dopo l’emissione, o da un’altra applicazione. Accedi di nuovo.",
  UNSUPPORTED_RESPONSE_TYPE:
    "Il response_type ricevuto è “{value}”. Imposta il programma sul flusso con codice di autorizzazione: code.",
  UNSUPPORTED_RESPONSE_MODE: "Il response_mode ricevuto è “{value}”. Imposta il programma su query o form_post.",
  PROMPT:
    "Il prompt ricevuto è “{value}”. Imposta il programma su none, login, consent o select_account, o su nessun valore.",
  INVALID_SCOPE:
    "Lo scope ricevuto è “{value}”. Richiedi meno ambiti nel programma, oppure aggiungi all’applicazione quelli di cui ha bisogno.",
  SCOPE_MALFORMED:
    "Lo scope ricevuto è “{value}” e ha un carattere che nessun ambito può avere. Correggi le impostazioni del programma.",
  INVALID_TARGET:
    "La resource ricevuta è “{value}”. Deve essere, alla lettera, l’identificatore di un’applicazione del tipo RESOURCE nell’organizzazione dell’applicazione, o di una per tutte le organizzazioni: aggiungila, o correggi il programma. Una richiesta di token ne indica una tra quelle dell’autorizzazione.",
  CLAIMS: "Il parametro claims non è il JSON di OpenID Connect. Correggi le impostazioni del programma.",
  ID_TOKEN_HINT:
    "L’id_token_hint è di un’altra applicazione o di un altro utente. Esci dal programma e accedi di nuovo.",
  UNMET_AUTHENTICATION_REQUIREMENTS:
    "Il programma richiede un accesso che l’utente non ha fatto. L’utente accede con una passkey, oppure il programma richiede meno.",
  LOGIN_REQUIRED:
    "Il programma ha chiesto senza una pagina (prompt=none), e l’utente doveva accedere. Il programma chiede poi con una pagina: non c’è nulla da correggere.",
  CONSENT_REQUIRED:
    "Il programma ha chiesto senza una pagina (prompt=none), e l’utente doveva acconsentire. Il programma chiede poi con una pagina, oppure l’applicazione è contrassegnata come propria.",
  INTERACTION_REQUIRED:
    "Il programma ha chiesto senza una pagina (prompt=none), che era necessaria. Il programma chiede poi con una pagina: non c’è nulla da correggere.",
  ACCESS_DENIED: "L’utente ha annullato. Non c’è nulla da correggere.",
  APPLICATION_NOT_ALLOWED:
    "L’utente non è in nessuno dei gruppi, o non è nell’organizzazione, che l’applicazione ammette. Aggiungi l’utente a un gruppo, o ammetti più utenti.",
  EMAIL_REQUIRED: "L’utente non ha un indirizzo email, e l’applicazione lo richiede. Aggiungilo all’utente.",
  MESSAGE_TOO_LARGE: "I parametri sono troppo lunghi per un URL. Accorcia state, scope o nonce nel programma.",
  INVALID_CLIENT:
    "La firma o un claim della client_assertion è errato. Confronta la sua chiave con quella dell’applicazione, i suoi iss e sub con l’ID client, e gli orologi.",
  SECRET_MISSING:
    "Il programma non invia alcun segreto. Inseriscine lì uno dell’applicazione: creane uno nuovo se è andato perso.",
  SECRET_WRONG: "Il segreto non è dell’applicazione. Creane uno nuovo e inseriscilo nel programma.",
  SECRET_NOT_EXPECTED:
    "Il programma invia un segreto, e l’applicazione non ne ha. Rimuovilo lì, o aggiungi di nuovo l’applicazione con il tipo WEB.",
  ASSERTION_MISSING:
    "L’applicazione si autentica con private_key_jwt, e il programma non invia alcuna asserzione. Imposta il programma su private_key_jwt, o l’applicazione su un segreto.",
  ASSERTION_NOT_EXPECTED:
    "Il programma invia un’asserzione, e l’applicazione non si autentica con private_key_jwt. Imposta entrambi sullo stesso metodo.",
  ASSERTION_AUDIENCE:
    "L’audience dell’asserzione è l’endpoint dei token. Imposta il programma sull’emittente, oppure accetta anche l’endpoint.",
  CLIENT_KEYS_UNREACHABLE:
    "Non è stato possibile leggere le chiavi alla jwks_uri dell’applicazione. Aprila dal server: deve rispondere tramite https, senza reindirizzamento.",
  UNAUTHORIZED_CLIENT: "Il grant_type ricevuto è “{value}”, che un’applicazione di questo tipo non può usare.",
  UNSUPPORTED_GRANT_TYPE:
    "Il grant_type ricevuto è “{value}”, che non è supportato. Imposta il programma sul flusso con codice di autorizzazione.",
  CODE_INVALID:
    "Il codice era già stato usato o era scaduto dopo un minuto, oppure la redirect_uri o il code_verifier non era quello dell’autorizzazione. Accedi di nuovo; se si ripete, confronta gli indirizzi e gli orologi dei server del programma.",
  REFRESH_TOKEN_INVALID:
    "Il token di aggiornamento è scaduto, è stato revocato o sostituito. L’utente accede di nuovo.",
  SIGN_IN_ENDED:
    "La sessione dell’utente è terminata, o l’applicazione non ammette più l’utente. L’utente accede di nuovo.",
  DEVICE_CODE_INVALID: "Il codice del dispositivo è sconosciuto o è già stato usato. Ricomincia sul dispositivo.",
  EXPIRED_TOKEN: "Nessuno ha approvato il dispositivo entro dieci minuti. Ricomincia sul dispositivo.",
  INVALID_SUBJECT_TOKEN:
    "Il subject_token non corrisponde agli emittenti dei carichi di lavoro dell’applicazione. Confronta i suoi iss, aud, sub e claim: la riga del log indica quello che differisce.",
  WORKLOAD_ISSUER_UNREACHABLE:
    "Non è stato possibile leggere le chiavi dell’emittente dei carichi di lavoro. Apri il suo documento di discovery dal server.",
  LOGOUT_REQUEST_INVALID:
    "L’id_token_hint non è un token ID di questo server, o è di un’altra applicazione. Il programma deve inviare quello che ha ricevuto.",
  INVALID_TOKEN:
    "Il token di accesso non è più valido, per esempio perché la sua sessione è terminata, o è destinato a una risorsa. L’utente accede di nuovo.",
  INSUFFICIENT_SCOPE: "Il token di accesso non ha l’ambito openid. Richiedilo nel programma.",
  TWO_HOSTS: "La richiesta indicava due host. Il proxy deve inviare quello del client.",
  SIGN_IN_NEEDED:
    "Un programma o uno script ha chiesto senza il cookie di un accesso. Non c’è nulla da correggere, a meno che lo vedano delle persone.",
  SIGN_IN_EXPIRED: "L’accesso è durato troppo, o il suo codice è già stato usato. Apri di nuovo la pagina.",
  SIGN_IN_REFUSED: "L’accesso è terminato senza un codice. Il suo rifiuto è accanto a questo.",
  ANOTHER_BROWSER:
    "Il browser non ha conservato il cookie del gate. Controlla che il proxy inoltri set-cookie e che la pagina sia servita tramite https.",
};
