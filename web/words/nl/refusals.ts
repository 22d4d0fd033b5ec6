/** The refusals of the server in Dutch, by their reasons. `{name}` stands for a value of the metadata of the refusal. */

import type { Refusals } from "../types";

export const refusals: Refusals = {
  APPLICATION_GRANT_NOT_FOUND:
    "De gebruiker heeft deze applicatie geen toegang gegeven, of de toegang is al beëindigd. Laad de lijst opnieuw.",
  APPLICATION_ID_ALREADY_USED:
    "Een applicatie van deze installatie heeft of had deze ID. ID’s worden nooit opnieuw gebruikt. Kies een andere.",
  APPLICATION_NOT_FOUND:
    "Deze organisatie heeft deze applicatie niet. Controleer de lijst met applicaties en de gekozen organisatie.",
  APPLICATION_SECRET_NOT_FOUND: "De applicatie heeft dit geheim niet meer. Laad de pagina opnieuw.",
  APPLICATION_WITHOUT_PEOPLE:
    "De applicatie krijgt geen claims van gebruikers. Alleen webapplicaties, applicaties in de browser en apps op een apparaat krijgen die.",
  APPLICATION_WITHOUT_SECRETS:
    "De applicatie authenticeert zich niet met een geheim. Kies bij een webapplicatie of een dienst een methode met een geheim, of gebruik haar sleutel.",
  ATTRIBUTE_DEFINITION_ALREADY_EXISTS: "Kies een andere naam.",
  ATTRIBUTE_DEFINITION_NOT_FOUND: "Het attribuut is verwijderd. Laad de lijst opnieuw.",
  BRAND_NOT_FOUND: "Er is geen huisstijl ingesteld. Stel er een in.",
  CAPTURED_MAIL_NOT_FOUND: "De e-mail is niet opgevangen, of het bericht is niet meer opgeslagen.",
  CAPTURED_MAIL_UNREADABLE:
    "Het bericht kan niet worden ontsleuteld. Alle servers van deze database hebben dezelfde sleutels nodig.",
  CANNOT_LOCK_YOURSELF: "Je kunt jezelf niet blokkeren. Vraag een andere beheerder om dat te doen.",
  CERTIFICATE_ALREADY_ADDED:
    "Het certificaat hoort al bij een token. Trek dat token eerst in of laat een ander certificaat uitgeven.",
  CERTIFICATE_NOT_PRESENTED:
    "De verbinding bewijst niet dat je de privésleutel van het certificaat hebt. Vraag een eigenaar van de installatie om het toe te voegen.",
  CHALLENGE_EXPIRED: "De bevestiging duurde te lang. Begin opnieuw.",
  CHALLENGE_USED: "Deze bevestiging is al afgerond. Begin opnieuw.",
  CONCURRENT_CHANGE: "Iemand heeft op hetzelfde moment hetzelfde gewijzigd. Probeer het opnieuw.",
  CREDENTIAL_ALREADY_REGISTERED: "Deze passkey is al geregistreerd. Gebruik een ander apparaat.",
  CREDENTIAL_MALFORMED:
    "Het antwoord van het apparaat is beschadigd. Probeer het opnieuw of gebruik een ander apparaat.",
  CREDENTIAL_NOT_VERIFIED: "Deze passkey hoort niet bij deze registratie. Begin opnieuw.",
  DATABASE_UNAVAILABLE: "De server kan de database nu niet bereiken. Probeer het zo meteen opnieuw.",
  DEADLINE_EXCEEDED: "De aanroep was niet op tijd klaar. Probeer het opnieuw.",
  DEFAULT_ORGANIZATION: "Dit is de standaardorganisatie. Die kan niet worden verwijderd.",
  DELIVERY_ALREADY_SENT: "Het doel heeft de bezorging geaccepteerd. Er hoeft niets meer te gebeuren.",
  DELIVERY_CANCELLED: "De bezorging is geannuleerd omdat het doel is verwijderd.",
  DELIVERY_NOT_FOUND: "Deze organisatie heeft deze bezorging niet. Laad de lijst opnieuw.",
  DNS_UNAVAILABLE:
    "De DNS-servers hebben niet geantwoord. Probeer het later opnieuw. Blijft dit zo, controleer dan de DNS van het domein.",
  EMAIL_SET_BY_OTHERS:
    "Iemand zonder alle rechten van de gebruiker heeft het e-mailadres ingesteld. Controleer het adres en sla het opnieuw op.",
  ENCRYPTION_KEY_REPLACED:
    "Deze server kan niets geheims opslaan, omdat zijn sleutel is vervangen. De systeembeheerders moeten hem met de huidige sleutels opnieuw starten.",
  EVENTS_ARCHIVED: "Oudere gebeurtenissen zijn gearchiveerd. Vraag de systeembeheerders om de archieven.",
  GROUP_ALREADY_EXISTS: "Kies een andere naam.",
  GROUP_MEMBER_NOT_FOUND:
    "De gebruiker is geen lid van de groep, of deze organisatie heeft deze groep niet. Laad de lijst opnieuw.",
  GROUP_NOT_FOUND: "Deze organisatie heeft deze groep niet. Controleer de lijst met groepen en de gekozen organisatie.",
  IDEMPOTENCY_ANSWER_UNREADABLE:
    "De wijziging is doorgevoerd, maar het antwoord is niet leesbaar. Laad de pagina opnieuw.",
  IDEMPOTENCY_KEY_REUSED:
    "Twee wijzigingen hadden dezelfde sleutel. Laad de pagina opnieuw en probeer het nog een keer.",
  IDP_LINK_NOT_FOUND: "De gebruiker heeft deze koppeling niet meer. Laad de lijst opnieuw.",
  IDP_NAME_NOT_UNIQUE:
    "Meerdere identiteitsproviders van de organisatie hebben deze naam. Geef de ID van de provider op.",
  IDP_NOT_FOUND: "Deze organisatie heeft deze identiteitsprovider niet. Controleer de lijst en de gekozen organisatie.",
  INVALID_FIELDS: "Wijzig de velden waarbij een fout staat.",
  LAST_INSTANCE_OWNER:
    "Maak eerst een andere gebruiker zonder einde eigenaar van de installatie, of deblokkeer er een.",
  LAST_SECRET: "De webhook heeft alleen deze sleutel. Maak eerst een andere aan.",
  LINK_EXPIRED: "De link is verlopen. Maak een nieuwe aan.",
  LINK_REPLACED: "Een nieuwere link heeft deze vervangen. Gebruik de nieuwste.",
  LINK_USED: "Met deze link is al een passkey geregistreerd. Maak een nieuwe aan.",
  LOG_RESTORED:
    "Gebeurtenissen tot aan dit punt zijn verloren: de database is hersteld vanaf een back-up. Laad de pagina opnieuw.",
  MADE_BY_OTHERS:
    "Geblokkeerde gebruikers, of gebruikers zonder de rechten van deze rol, hebben misschien inloggegevens van deze gebruiker. Controleer die, en ken de rol zo toe dat inloggegevens van anderen eindigen.",
  MAIL_ALREADY_SENT: "De e-mail is al verstuurd. Er hoeft niets meer te gebeuren.",
  MAIL_CANCELLED: "De e-mail is geannuleerd omdat de inhoud verouderd is.",
  MAIL_CAPTURED:
    "Er verlaat geen e-mail deze server, want KEYSTEAD_MAIL_CAPTURE is ingeschakeld. Test zonder ontvanger.",
  MAIL_DOMAIN_ALREADY_EXISTS: "De organisatie heeft dit e-maildomein al geclaimd. Het staat in de lijst.",
  MAIL_DOMAIN_NOT_FOUND: "Het e-maildomein is verwijderd. Laad de lijst opnieuw.",
  MAIL_DOMAIN_NOT_PROVEN:
    "Geen TXT-record {record_name} heeft de waarde {record_value}. Gevonden: {found}. Publiceer het record in de DNS van het domein en probeer het opnieuw: DNS-servers onthouden een oud antwoord soms urenlang.",
  MAIL_DOMAIN_PROVEN_ELSEWHERE:
    "Een andere organisatie van deze server heeft het e-maildomein geverifieerd. Verwijder haar TXT-record uit DNS, zodat alleen dat van jou deze naam heeft.",
  MAIL_NOT_FOUND: "Deze e-mail bestaat niet meer. Laad de lijst opnieuw.",
  MAIL_TEXT_NOT_FOUND: "Er is geen eigen tekst voor deze e-mail in deze taal. Laad de lijst opnieuw.",
  MAIL_SECRET_ERASED: "De link in de e-mail is gewist toen het versturen mislukte. Maak een nieuwe link aan.",
  MALFORMED_MESSAGE: "De server kan het bericht niet lezen. Laad de pagina opnieuw.",
  MESSAGE_TOO_LARGE: "Het bericht is te groot. Gebruik kortere waarden of een kleinere afbeelding.",
  METHOD_NOT_IMPLEMENTED: "Deze server kan dit nog niet. Laad de pagina opnieuw.",
  OIDC_CLIENT_SECRET_REQUIRED:
    "Het opgeslagen clientgeheim geldt alleen voor de uitgever en de client-ID waarmee het is ingesteld. Voer het geheim bij deze wijziging opnieuw in.",
  OIDC_CLIENT_SECRET_UNREADABLE:
    "Het opgeslagen clientgeheim kan niet worden ontsleuteld. Voer het opnieuw in, of vraag de systeembeheerders om de ontbrekende sleutels te herstellen.",
  OIDC_CONFIG_NOT_FOUND: "De identiteitsprovider heeft geen instellingen voor OpenID Connect. Stel ze in.",
  ORGANIZATION_ALREADY_EXISTS: "Kies een andere naam.",
  ORGANIZATION_HAS_USERS: "De organisatie heeft nog gebruikers. Verwijder die eerst.",
  ORGANIZATION_NOT_FOUND: "Deze organisatie bestaat niet. Controleer de lijst met organisaties.",
  IDENTIFIER_ALREADY_USED: "Gebruik een andere.",
  ORIGIN_ALREADY_USED: "Verwijder de oorsprong bij die applicatie of gebruik een andere.",
  PASSKEY_NOT_FOUND: "De gebruiker heeft deze passkey niet meer. Laad de lijst opnieuw.",
  PASSKEY_UNKNOWN: "De server kent deze passkey niet. Gebruik een andere.",
  PERMISSION_DENIED: "Je hebt hier geen recht toe. Vraag de beheerders van de organisatie om een rol met dit recht.",
  PROFILE_KEPT: "Vraag een beheerder om je gegevens te wijzigen.",
  PUSH_SECRET_UNREADABLE:
    "Een sleutel van de webhook kan niet worden ontsleuteld. Maak een andere aan en verwijder deze.",
  RATE_LIMITED: "Er waren te veel aanroepen in korte tijd. Wacht even.",
  REAUTHENTICATION_REQUIRED:
    "Hiervoor moet je in de afgelopen minuten hebben ingelogd. Bevestig met een passkey dat jij het bent.",
  RECOVERY_NOT_ALLOWED: "Herstel via e-mail is hier niet toegestaan. Maak een link aan.",
  ROLE_OUTLASTS_YOURS: "Je eigen rol eindigt eerder. Kies een einde dat niet later is.",
  SEQUENCE_UNKNOWN: "Het logboek is korter dan eerst: de database is hersteld. Laad de pagina opnieuw.",
  SESSION_NOT_FOUND: "Deze sessie is al beëindigd. Laad de lijst opnieuw.",
  SHUTTING_DOWN: "Deze server wordt afgesloten. Probeer het zo meteen opnieuw.",
  SIGNING_KEY_UNAVAILABLE:
    "De server heeft geen leesbare ondertekeningssleutel. Probeer het later of waarschuw de systeembeheerders.",
  SIGN_IN_FAILED: "Inloggen is mislukt. Probeer het opnieuw of gebruik een andere passkey.",
  SMTP_CONFIG_ALREADY_EXISTS: "Er is al een SMTP-configuratie. Laad de pagina opnieuw en wijzig die.",
  SMTP_CONFIG_MISSING: "Maak eerst een SMTP-configuratie aan.",
  SMTP_CONFIG_NOT_FOUND: "Er is geen SMTP-configuratie ingesteld. Maak er een aan.",
  SMTP_OAUTH_BOUND:
    "De OAuth-instellingen gelden alleen voor de mailserver, de versleuteling en de mailbox waarvoor ze zijn ingesteld. Verwijder ze vóór de wijziging en stel ze daarna opnieuw in.",
  SMTP_OAUTH_NOT_FOUND: "Voor e-mail is geen OAuth ingesteld.",
  SMTP_OAUTH_SECRET_REQUIRED:
    "Het opgeslagen geheim geldt alleen voor het tokeneindpunt, de client-ID en de mailbox waarvoor het is ingesteld. Voer het bij de wijziging opnieuw in.",
  SMTP_OAUTH_SECRET_UNREADABLE:
    "Het opgeslagen OAuth-geheim kan niet worden ontsleuteld. Voer het opnieuw in, of geef alle servers dezelfde sleutels (`keystead doctor` noemt de ontbrekende).",
  SMTP_PASSWORD_REQUIRED:
    "Het opgeslagen wachtwoord geldt alleen voor de server, de versleuteling en de gebruiker waarmee het is ingesteld. Voer het bij deze wijziging opnieuw in.",
  SMTP_PASSWORD_UNREADABLE:
    "Het opgeslagen wachtwoord kan niet worden ontsleuteld. Voer het opnieuw in, of vraag de systeembeheerders om de ontbrekende sleutels te herstellen.",
  SMTP_USER_REQUIRED:
    "De SMTP-configuratie heeft geen gebruiker en heeft dus geen wachtwoord nodig. Voer beide samen in.",
  STREAM_NOT_READ: "De verbinding was te langzaam. Laad de pagina opnieuw.",
  SUBSCRIPTION_NOT_FOUND: "Deze organisatie heeft deze webhook niet. Controleer de lijst en de gekozen organisatie.",
  SUBSCRIPTION_SECRET_NOT_FOUND: "De webhook heeft deze sleutel niet meer. Laad de pagina opnieuw.",
  TOKEN_NOT_FOUND: "De gebruiker heeft dit token niet meer. Laad de lijst opnieuw.",
  TOO_MANY_ATTEMPTS: "Met deze link is te vaak een passkey begonnen. Maak een nieuwe link aan.",
  TOO_MANY_ATTRIBUTE_DEFINITIONS: "De organisatie heeft het maximale aantal attributen. Verwijder er eerst een.",
  TOO_MANY_CEREMONIES:
    "Er staan te veel registraties van deze gebruiker open. Wacht tien minuten totdat ze zijn verlopen.",
  TOO_MANY_IDEMPOTENCY_KEYS: "Je hebt op één dag te veel wijzigingen gedaan. Probeer het later.",
  TOO_MANY_MAIL_DOMAINS: "De organisatie heeft het maximale aantal e-maildomeinen. Verwijder er een.",
  TOO_MANY_MAILS: "Er zijn te veel e-mails naar dit adres verstuurd, of ze wachten nog. Probeer het later.",
  TOO_MANY_MAKERS:
    "Je passkey of token komt voort uit inloggegevens van veel andere gebruikers. Gebruik er een die je zelf hebt gemaakt.",
  TOO_MANY_MEMBERS: "De groep heeft het maximale aantal leden. Verwijder leden of maak nog een groep aan.",
  TOO_MANY_PASSKEYS: "De gebruiker heeft het maximale aantal passkeys. Verwijder er een die niet meer nodig is.",
  TOO_MANY_SECRETS: "De applicatie heeft het maximale aantal geheimen. Verwijder het geheim dat ze niet meer gebruikt.",
  TOO_MANY_SUBSCRIPTIONS: "De organisatie heeft het maximale aantal webhooks. Verwijder er een.",
  TOO_MANY_SUBSCRIPTION_SECRETS:
    "De webhook heeft het maximale aantal sleutels. Verwijder de sleutel die het doel niet meer gebruikt.",
  TOO_MANY_TOKENS: "De gebruiker heeft het maximale aantal tokens. Trek tokens in die niet meer nodig zijn.",
  UNAUTHENTICATED: "Je sessie is beëindigd. Log opnieuw in.",
  USER_ALREADY_EXISTS: "Kies een andere gebruikersnaam.",
  USER_HAS_NO_EMAIL: "Voer een e-mailadres in, of laat de link tonen en geef die zelf door.",
  USER_LOCKED: "De gebruiker is geblokkeerd. Deblokkeer de gebruiker eerst.",
  USER_NOT_FOUND: "Deze gebruiker bestaat niet. Controleer de lijst met gebruikers.",
  USER_NOT_VERIFIED:
    "Het apparaat heeft niet bevestigd dat jij het bent. Ontgrendel het met pincode, vingerafdruk of gezicht.",
  WORKLOAD_ISSUER_UNREACHABLE: "De sleutels van de uitgever kunnen nu niet worden gelezen. Probeer het later.",
  "violation.CONTAINS_LINK":
    "Verwijder links, webadressen en mailadressen: de link van de mail blijft de enige. Zet na een punt een spatie.",
  "violation.CONTROL_CHARACTERS": "Verwijder regeleinden en besturingstekens.",
  "violation.EMPTY": "Vul een waarde in.",
  "violation.HTTPS_REQUIRED": "Vul een URL in die met https:// begint.",
  "violation.INVALID_LANGUAGE": "Vul een taalcode in, zoals en of pt-BR.",
  "violation.INVALID_MAIL_ADDRESS": "Vul een mailadres in, zoals name@example.com.",
  "violation.INVALID_TIME": "Vul een tijdstip in de jaren 1 tot 9999 in.",
  "violation.INVALID_TIME_ZONE": "Vul een tijdzone in, zoals Europe/Berlin.",
  "violation.INVISIBLE_CHARACTERS": "Verwijder onzichtbare tekens.",
  "violation.MISSING_PLACE": "Voeg de plaatsen toe die in de tekst moeten staan.",
  "violation.NO_VISIBLE_CHARACTER": "Vul minstens één zichtbaar teken in.",
  "violation.OUTER_WHITE_SPACE": "Verwijder spaties aan het begin en het eind.",
  "violation.TIME_PASSED": "Geef een tijdstip in de toekomst op.",
  "violation.TOO_LONG": "Vul hoogstens {number} tekens in.",
  "violation.TOO_MANY_ENTRIES": "Vul hoogstens {number} items in.",
  "violation.TOO_MANY_LINES": "Schrijf hoogstens {number} regels.",
  "violation.TOO_SMALL": "Vul minstens {number} in.",
  "violation.UNKNOWN_PLACE": "Gebruik accolades alleen voor de plaatsen die hierboven staan.",
};
