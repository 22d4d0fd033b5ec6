/** The remedies of refused requests in Dutch, by their causes. `{name}` stands for a value of the refusal. */

import type { Remedies } from "../types";

export const remedies: Remedies = {
  INVALID_FIELDS:
    "De parameter {parameter} ontbreekt, is verkeerd opgebouwd of te lang. Corrigeer de instellingen van het programma.",
  REDIRECT_URI_NOT_REGISTERED:
    "De ontvangen redirect_uri is {value}. Iedereen kan er een sturen: hoort die bij de applicatie, voeg hem dan teken voor teken toe aan haar omleidings-URI’s. Een adres met http:// van een privénetwerk heeft ook allows_http nodig.",
  POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED:
    "De ontvangen post_logout_redirect_uri is {value}. Iedereen kan er een sturen: hoort die bij de applicatie, voeg hem dan teken voor teken toe aan haar omleidings-URI’s na het uitloggen. Een adres met http:// van een privénetwerk heeft ook allows_http nodig.",
  KIND_WITHOUT_SIGN_IN:
    "Bij een applicatie van deze soort logt niemand in. Voeg een andere toe van de soort WEB, BROWSER of NATIVE.",
  PKCE_MISSING:
    "Het programma stuurt geen PKCE. Zet dat daar aan. Kan het dat niet, zet pkce dan op APPLICATION_PKCE_PKCE_OR_NONCE: een nonce beschermt dan de code. Zet het voor een programma zonder nonce op APPLICATION_PKCE_NONE: dan beschermt alleen het geheim een gestolen code.",
  CODE_CHALLENGE_MISSING: "Het programma stuurt geen code_challenge. Corrigeer de instellingen van het programma.",
  CODE_CHALLENGE_METHOD: "De ontvangen code_challenge_method is ‘{value}’. Stel het programma in op S256.",
  CODE_CHALLENGE_MALFORMED: "De code_challenge is geen SHA-256 in base64url. Werk het programma bij.",
  NOT_PUSHED:
    "De applicatie moet haar autorisatieverzoeken vooraf indienen (PAR), en het programma doet dat niet. Zet PAR daar aan, of eis het niet meer.",
  REQUEST_NOT_SUPPORTED: "Het programma stuurt een request-object. Zet dat daar uit.",
  REQUEST_URI_NOT_SUPPORTED: "Het programma stuurt een request_uri die niet van deze server komt. Zet dat daar uit.",
  AUTHORIZATION_REQUEST_EXPIRED:
    "De request_uri is meer dan 90 seconden na de uitgifte gebruikt, of door een andere applicatie. Log opnieuw in.",
  UNSUPPORTED_RESPONSE_TYPE:
    "De ontvangen response_type is ‘{value}’. Stel het programma in op de authorization code flow: code.",
  UNSUPPORTED_RESPONSE_MODE: "De ontvangen response_mode is ‘{value}’. Stel het programma in op query of form_post.",
  PROMPT:
    "De ontvangen prompt is ‘{value}’. Stel het programma in op none, login, consent of select_account, of op niets.",
  INVALID_SCOPE:
    "De ontvangen scope is ‘{value}’. Vraag in het programma minder scopes aan, of voeg aan de applicatie toe wat het programma nodig heeft.",
  SCOPE_MALFORMED:
    "De ontvangen scope is ‘{value}’ en heeft een teken dat in geen scope mag staan. Corrigeer de instellingen van het programma.",
  INVALID_TARGET:
    "De ontvangen resource is ‘{value}’. Die moet teken voor teken de identificatie zijn van een applicatie van de soort RESOURCE in de organisatie van de applicatie, of van een applicatie voor alle organisaties: voeg die toe, of corrigeer het programma. Een tokenverzoek noemt er een van de autorisatie.",
  CLAIMS: "De parameter claims is niet de JSON van OpenID Connect. Corrigeer de instellingen van het programma.",
  ID_TOKEN_HINT:
    "De id_token_hint is van een andere applicatie of van een andere gebruiker. Log uit bij het programma en log opnieuw in.",
  UNMET_AUTHENTICATION_REQUIREMENTS:
    "Het programma eist een inlog die de gebruiker niet heeft gedaan. De gebruiker logt in met een passkey, of het programma eist minder.",
  LOGIN_REQUIRED:
    "Het programma vroeg zonder pagina (prompt=none), en de gebruiker moest inloggen. Het programma vraagt dan met een pagina: er is niets te corrigeren.",
  CONSENT_REQUIRED:
    "Het programma vroeg zonder pagina (prompt=none), en de gebruiker moest toestemming geven. Het programma vraagt dan met een pagina, of de applicatie geldt als eigen applicatie.",
  INTERACTION_REQUIRED:
    "Het programma vroeg zonder pagina (prompt=none), en een pagina was nodig. Het programma vraagt dan met een pagina: er is niets te corrigeren.",
  ACCESS_DENIED: "De gebruiker heeft geannuleerd. Er is niets te corrigeren.",
  APPLICATION_NOT_ALLOWED:
    "De gebruiker zit in geen van de groepen, of niet in de organisatie, die de applicatie toelaat. Voeg de gebruiker toe aan een groep, of laat meer gebruikers toe.",
  EMAIL_REQUIRED: "De gebruiker heeft geen e-mailadres, en de applicatie eist er een. Voeg het toe aan de gebruiker.",
  MESSAGE_TOO_LARGE: "De parameters zijn te lang voor een URL. Maak state, scope of nonce in het programma korter.",
  INVALID_CLIENT:
    "De handtekening of een claim van de client_assertion is onjuist. Vergelijk de sleutel met die van de applicatie, iss en sub met de client-ID, en de klokken.",
  SECRET_MISSING:
    "Het programma stuurt geen geheim. Voer daar een geheim van de applicatie in: maak een nieuw aan als het kwijt is.",
  SECRET_WRONG: "Het geheim is niet van de applicatie. Maak een nieuw aan en voer het in het programma in.",
  SECRET_NOT_EXPECTED:
    "Het programma stuurt een geheim, en de applicatie heeft er geen. Verwijder het daar, of voeg de applicatie opnieuw toe met de soort WEB.",
  ASSERTION_MISSING:
    "De applicatie authenticeert zich met private_key_jwt, en het programma stuurt geen assertion. Stel het programma in op private_key_jwt, of de applicatie op een geheim.",
  ASSERTION_NOT_EXPECTED:
    "Het programma stuurt een assertion, en de applicatie authenticeert zich niet met private_key_jwt. Stel beide in op dezelfde methode.",
  ASSERTION_AUDIENCE:
    "De audience van de assertion is het token-endpoint. Stel het programma in op de uitgever, of accepteer ook het endpoint.",
  CLIENT_KEYS_UNREACHABLE:
    "De sleutels op de jwks_uri van de applicatie konden niet worden gelezen. Open dit adres vanaf de server: het moet via https antwoorden, zonder omleiding.",
  UNAUTHORIZED_CLIENT: "De ontvangen grant_type is ‘{value}’, die een applicatie van deze soort niet kan gebruiken.",
  UNSUPPORTED_GRANT_TYPE:
    "De ontvangen grant_type is ‘{value}’, die niet wordt ondersteund. Stel het programma in op de authorization code flow.",
  CODE_INVALID:
    "De code was al gebruikt of na een minuut verlopen, of de redirect_uri of code_verifier was een andere dan bij de autorisatie. Log opnieuw in; herhaalt het zich, vergelijk dan de adressen en de klokken van de servers van het programma.",
  REFRESH_TOKEN_INVALID: "Het vernieuwingstoken is verlopen, ingetrokken of vervangen. De gebruiker logt opnieuw in.",
  SIGN_IN_ENDED:
    "De sessie van de gebruiker is beëindigd, of de applicatie laat de gebruiker niet meer toe. De gebruiker logt opnieuw in.",
  DEVICE_CODE_INVALID: "De apparaatcode is onbekend of al gebruikt. Begin opnieuw op het apparaat.",
  EXPIRED_TOKEN: "Niemand heeft het apparaat binnen tien minuten goedgekeurd. Begin opnieuw op het apparaat.",
  INVALID_SUBJECT_TOKEN:
    "Het subject_token past bij geen workload-uitgever van de applicatie. Vergelijk iss, aud, sub en claims: de logregel noemt het verschil.",
  WORKLOAD_ISSUER_UNREACHABLE:
    "De sleutels van de workload-uitgever konden niet worden gelezen. Open zijn discovery-document vanaf de server.",
  LOGOUT_REQUEST_INVALID:
    "De id_token_hint is geen ID-token van deze server, of is van een andere applicatie. Het programma moet het token sturen dat het heeft gekregen.",
  INVALID_TOKEN:
    "Het toegangstoken geldt niet meer, bijvoorbeeld omdat zijn sessie is beëindigd, of is bedoeld voor een resource. De gebruiker logt opnieuw in.",
  INSUFFICIENT_SCOPE: "Het toegangstoken heeft de scope openid niet. Vraag die in het programma aan.",
  TWO_HOSTS: "Het verzoek noemde twee hosts. De proxy moet die van de client sturen.",
  SIGN_IN_NEEDED:
    "Een programma of script vroeg zonder de cookie van een inlog. Er is niets te corrigeren, tenzij mensen dit zien.",
  SIGN_IN_EXPIRED: "Het inloggen duurde te lang, of de code ervan was al gebruikt. Open de pagina opnieuw.",
  SIGN_IN_REFUSED: "Het inloggen eindigde zonder code. De weigering ervan staat naast deze.",
  ANOTHER_BROWSER:
    "De browser heeft de cookie van de gate niet bewaard. Controleer of de proxy set-cookie doorgeeft en of de pagina via https wordt geleverd.",
};
