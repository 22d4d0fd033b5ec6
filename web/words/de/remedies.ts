/** The remedies of refused requests in German, by their causes. `{name}` stands for a value of the refusal. */

import type { Remedies } from "../types";

export const remedies: Remedies = {
  INVALID_FIELDS:
    "Der Parameter {parameter} fehlt, ist falsch aufgebaut oder zu lang. Berichtigen Sie die Einstellungen des Programms.",
  REDIRECT_URI_NOT_REGISTERED:
    "Die gesendete redirect_uri ist {value}. Jeder kann eine senden: Wenn sie zur Anwendung gehört, fügen Sie sie Zeichen für Zeichen ihren Redirect-URIs hinzu. Eine Adresse mit http:// in einem privaten Netz braucht auch allows_http.",
  POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED:
    "Die gesendete post_logout_redirect_uri ist {value}. Jeder kann eine senden: Wenn sie zur Anwendung gehört, fügen Sie sie Zeichen für Zeichen ihren Redirect-URIs nach der Abmeldung hinzu. Eine Adresse mit http:// in einem privaten Netz braucht auch allows_http.",
  KIND_WITHOUT_SIGN_IN:
    "An einer Anwendung dieser Art meldet sich niemand an. Legen Sie eine weitere der Art WEB, BROWSER oder NATIVE an.",
  PKCE_MISSING:
    "Das Programm sendet kein PKCE. Schalten Sie es dort ein. Wenn es das nicht kann, setzen Sie pkce auf APPLICATION_PKCE_PKCE_OR_NONCE: Dann schützt eine Nonce den Code. Bei einem Programm ohne Nonce setzen Sie es auf APPLICATION_PKCE_NONE: Dann schützt nur das Geheimnis einen gestohlenen Code.",
  CODE_CHALLENGE_MISSING: "Das Programm sendet keine code_challenge. Berichtigen Sie die Einstellungen des Programms.",
  CODE_CHALLENGE_METHOD: "Die gesendete code_challenge_method ist „{value}“. Stellen Sie das Programm auf S256.",
  CODE_CHALLENGE_MALFORMED: "Die code_challenge ist kein SHA-256 in base64url. Aktualisieren Sie das Programm.",
  NOT_PUSHED:
    "Die Anwendung muss ihre Autorisierungsanfragen vorab übermitteln (PAR), und das Programm tut das nicht. Schalten Sie PAR dort ein, oder verlangen Sie es nicht mehr.",
  REQUEST_NOT_SUPPORTED: "Das Programm sendet ein Request-Objekt. Schalten Sie das dort aus.",
  REQUEST_URI_NOT_SUPPORTED:
    "Das Programm sendet eine request_uri, die nicht von diesem Server stammt. Schalten Sie das dort aus.",
  AUTHORIZATION_REQUEST_EXPIRED:
    "Die request_uri wurde später als 90 Sekunden nach ihrer Ausgabe benutzt, oder von einer anderen Anwendung. Melden Sie sich neu an.",
  UNSUPPORTED_RESPONSE_TYPE:
    "Der gesendete response_type ist „{value}“. Stellen Sie das Programm auf den Authorization Code Flow: code.",
  UNSUPPORTED_RESPONSE_MODE:
    "Der gesendete response_mode ist „{value}“. Stellen Sie das Programm auf query oder form_post.",
  PROMPT:
    "Der gesendete prompt ist „{value}“. Stellen Sie das Programm auf none, login, consent oder select_account, oder auf nichts.",
  INVALID_SCOPE:
    "Der gesendete scope ist „{value}“. Lassen Sie das Programm weniger anfordern, oder fügen Sie der Anwendung die Scopes hinzu, die es braucht.",
  SCOPE_MALFORMED:
    "Der gesendete scope ist „{value}“ und hat ein Zeichen, das in keinem Scope stehen darf. Berichtigen Sie die Einstellungen des Programms.",
  INVALID_TARGET:
    "Die gesendete resource ist „{value}“. Sie muss Zeichen für Zeichen der Bezeichner einer Anwendung der Art RESOURCE sein, in der Organisation der Anwendung oder für alle Organisationen: Legen Sie sie an, oder berichtigen Sie das Programm. Eine Token-Anfrage nennt eine aus der Autorisierung.",
  CLAIMS:
    "Der Parameter claims ist nicht das JSON von OpenID Connect. Berichtigen Sie die Einstellungen des Programms.",
  ID_TOKEN_HINT:
    "Der id_token_hint gehört zu einer anderen Anwendung oder einem anderen Benutzer. Melden Sie sich vom Programm ab und wieder an.",
  UNMET_AUTHENTICATION_REQUIREMENTS:
    "Das Programm verlangt eine Anmeldung, die der Benutzer nicht geleistet hat. Der Benutzer meldet sich mit einem Passkey an, oder das Programm verlangt weniger.",
  LOGIN_REQUIRED:
    "Das Programm fragte ohne Seite (prompt=none), und der Benutzer musste sich anmelden. Das Programm fragt dann mit einer Seite: Es ist nichts zu berichtigen.",
  CONSENT_REQUIRED:
    "Das Programm fragte ohne Seite (prompt=none), und der Benutzer musste zustimmen. Das Programm fragt dann mit einer Seite, oder die Anwendung gilt als eigene.",
  INTERACTION_REQUIRED:
    "Das Programm fragte ohne Seite (prompt=none), und eine Seite war nötig. Das Programm fragt dann mit einer Seite: Es ist nichts zu berichtigen.",
  ACCESS_DENIED: "Der Benutzer hat abgebrochen. Es ist nichts zu berichtigen.",
  APPLICATION_NOT_ALLOWED:
    "Der Benutzer ist in keiner der Gruppen oder nicht in der Organisation, die die Anwendung zulässt. Nehmen Sie den Benutzer in eine Gruppe auf, oder lassen Sie mehr Benutzer zu.",
  EMAIL_REQUIRED:
    "Der Benutzer hat keine E-Mail-Adresse, und die Anwendung verlangt eine. Tragen Sie sie beim Benutzer ein.",
  MESSAGE_TOO_LARGE: "Die Parameter sind zu lang für eine URL. Kürzen Sie state, scope oder nonce im Programm.",
  INVALID_CLIENT:
    "Die Signatur oder ein Claim der client_assertion ist falsch. Vergleichen Sie den Schlüssel mit dem der Anwendung, iss und sub mit der Client-ID, und die Uhren.",
  SECRET_MISSING:
    "Das Programm sendet kein Geheimnis. Tragen Sie dort eines der Anwendung ein: Erstellen Sie ein neues, wenn es verloren ist.",
  SECRET_WRONG: "Das Geheimnis gehört nicht zur Anwendung. Erstellen Sie ein neues, und tragen Sie es im Programm ein.",
  SECRET_NOT_EXPECTED:
    "Das Programm sendet ein Geheimnis, und die Anwendung hat keines. Entfernen Sie es dort, oder legen Sie die Anwendung neu an, mit der Art WEB.",
  ASSERTION_MISSING:
    "Die Anwendung weist sich mit private_key_jwt aus, und das Programm sendet keine Assertion. Stellen Sie das Programm auf private_key_jwt, oder die Anwendung auf ein Geheimnis.",
  ASSERTION_NOT_EXPECTED:
    "Das Programm sendet eine Assertion, und die Anwendung weist sich nicht mit private_key_jwt aus. Stellen Sie beide auf dasselbe Verfahren.",
  ASSERTION_AUDIENCE:
    "Die Audience der Assertion ist der Token-Endpunkt. Stellen Sie das Programm auf den Aussteller, oder akzeptieren Sie auch den Endpunkt.",
  CLIENT_KEYS_UNREACHABLE:
    "Die Schlüssel an der jwks_uri der Anwendung konnten nicht gelesen werden. Öffnen Sie die Adresse vom Server aus: Sie muss über https antworten, ohne Weiterleitung.",
  UNAUTHORIZED_CLIENT: "Der gesendete grant_type ist „{value}“, den eine Anwendung dieser Art nicht benutzen kann.",
  UNSUPPORTED_GRANT_TYPE:
    "Der gesendete grant_type ist „{value}“, der nicht unterstützt wird. Stellen Sie das Programm auf den Authorization Code Flow.",
  CODE_INVALID:
    "Der Code wurde schon benutzt oder war nach einer Minute abgelaufen, oder redirect_uri oder code_verifier war eine andere als bei der Autorisierung. Melden Sie sich neu an; wiederholt es sich, vergleichen Sie die Adressen und die Uhren der Server des Programms.",
  REFRESH_TOKEN_INVALID: "Das Refresh-Token ist abgelaufen, widerrufen oder ersetzt. Der Benutzer meldet sich neu an.",
  SIGN_IN_ENDED:
    "Die Sitzung des Benutzers ist beendet, oder die Anwendung lässt den Benutzer nicht mehr zu. Der Benutzer meldet sich neu an.",
  DEVICE_CODE_INVALID: "Der Gerätecode ist unbekannt oder wurde schon benutzt. Beginnen Sie am Gerät von vorn.",
  EXPIRED_TOKEN: "Niemand hat das Gerät innerhalb von zehn Minuten bestätigt. Beginnen Sie am Gerät von vorn.",
  INVALID_SUBJECT_TOKEN:
    "Das subject_token passt zu keinem Workload-Aussteller der Anwendung. Vergleichen Sie iss, aud, sub und Claims: Die Log-Zeile nennt die Abweichung.",
  WORKLOAD_ISSUER_UNREACHABLE:
    "Die Schlüssel des Workload-Ausstellers konnten nicht gelesen werden. Öffnen Sie sein Discovery-Dokument vom Server aus.",
  LOGOUT_REQUEST_INVALID:
    "Der id_token_hint ist kein ID-Token dieses Servers, oder das einer anderen Anwendung. Das Programm muss das senden, das es erhalten hat.",
  INVALID_TOKEN:
    "Das Access-Token gilt nicht mehr, etwa weil seine Sitzung beendet ist, oder es ist für eine Ressource bestimmt. Der Benutzer meldet sich neu an.",
  INSUFFICIENT_SCOPE: "Das Access-Token hat den Scope openid nicht. Fordern Sie ihn im Programm an.",
  TWO_HOSTS: "Die Anfrage nannte zwei Hosts. Der Proxy muss den des Clients senden.",
  SIGN_IN_NEEDED:
    "Ein Programm oder Skript fragte ohne das Cookie einer Anmeldung. Es ist nichts zu berichtigen, außer Personen sehen dies.",
  SIGN_IN_EXPIRED:
    "Die Anmeldung hat zu lange gedauert, oder ihr Code wurde schon benutzt. Öffnen Sie die Seite noch einmal.",
  SIGN_IN_REFUSED: "Die Anmeldung endete ohne Code. Ihre eigene Abweisung steht neben dieser.",
  ANOTHER_BROWSER:
    "Der Browser hat das Cookie des Gates nicht behalten. Prüfen Sie, dass der Proxy set-cookie weitergibt und dass die Seite über https ausgeliefert wird.",
};
