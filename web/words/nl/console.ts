/** The text of the console in Dutch, without that of its first view. */

import type { ConsoleWords } from "../types";

export const words: ConsoleWords<"nl"> = {
  add: "Toevoegen",
  save: "Opslaan",
  saved: "Opgeslagen.",
  cancel: "Annuleren",
  close: "Sluiten",
  discard: "Wijzigingen verwerpen",
  nothingChanged: "Er is niets gewijzigd.",
  remove: "Verwijderen",
  removeImage: "Afbeelding verwijderen",
  image: "Een afbeelding",
  look: "Voorbeeld",
  optional: "(optioneel)",
  choose: "Kies…",
  default: "Standaard",
  nothingToChoose: "Er is nog niets om uit te kiezen.",
  yes: "Ja",
  no: "Nee",
  never: "Nooit",
  none: "Geen",
  once: "Kopieer dit nu. Het wordt niet nog een keer getoond.",
  details: "Gegevens",
  settings: "Instellingen",
  state: "Status",
  created: "Aangemaakt",
  changed: "Gewijzigd",
  search: "Zoeken",

  "conflict.title": "Iemand anders heeft dit gewijzigd",
  "conflict.text": "Sinds je dit hebt geopend, zijn deze velden met andere waarden opgeslagen. Je invoer staat er nog.",
  "conflict.field": "Veld",
  "conflict.theirs": "Nu opgeslagen",
  "conflict.mine": "Je invoer",
  "conflict.unchanged": "niet gewijzigd",
  "conflict.keepMine": "Mijn invoer opslaan",
  "conflict.takeTheirs": "Mijn invoer verwerpen",

  "limit.required": "Voer een waarde in.",
  "limit.choose": "Kies een optie.",
  "limit.maxLength": "Voer maximaal {most} tekens in.",
  "limit.maxItems": "Voer maximaal {most} regels in.",
  "limit.range": "Voer een getal van {least} tot en met {most} in.",
  "limit.number": "Voer een geheel getal in.",
  "limit.pattern": "Deze vorm wordt niet geaccepteerd.",
  "limit.item": "Regel {number}: {text}",
  "limit.pair": "Schrijf een naam, = en een waarde.",

  "field.name": "Naam",
  "field.displayName": "Weergavenaam",
  "field.userName": "Gebruikersnaam",
  "field.email": "E-mailadres",
  "field.givenName": "Voornaam",
  "field.familyName": "Achternaam",
  "field.locale": "Taal",
  "hint.locale": "Een taalcode zoals nl of pt-BR.",
  "field.zoneinfo": "Tijdzone",
  "hint.zoneinfo": "Een naam zoals Europe/Amsterdam.",
  "field.externalId": "ID in een ander systeem",
  "field.keepsProfiles": "Alleen beheerders wijzigen namen en talen van gebruikers",
  "field.allowsMailRecovery": "Herstel via e-mail",
  "hint.allowsMailRecovery":
    "Gebruikers zonder rollen die al hun passkeys kwijt zijn, kunnen een link laten mailen. Wie toegang heeft tot hun mailbox, kan dan op hun account inloggen.",

  "field.allowsMailFallback": "E-mail via de installatie",
  "hint.allowsMailFallback":
    "Als de mailserver van de organisatie niet werkt, verstuurt die van de installatie haar e-mails, met de afzender van de installatie.",
  "field.allowsSignUp": "Zelfregistratie",
  "hint.allowsSignUp":
    "Mensen registreren zichzelf met een link naar hun e-mailadres. De inlogpagina met de ID van de organisatie, /signin/?org_id=…, biedt dit aan.",
  "field.clientMetadataHosts": "Hosts van applicaties die niet hoeven te worden toegevoegd",
  "hint.clientMetadataHosts":
    "Eén per regel, zoals app.example.com. MCP-clients publiceren daar bijvoorbeeld een document over zichzelf. * staat voor elke host.",

  "organizations.lead": "Gebruikers, groepen, applicaties en identiteitsproviders horen bij een organisatie.",
  "organizations.add": "Organisatie toevoegen",
  "organizations.default": "Standaardorganisatie",
  "organizations.none": "Er zijn geen organisaties.",
  "organizations.open": "Openen",
  "organizations.openOne": "{name} openen",
  brand: "Huisstijl",
  "brand.lead":
    "Pagina’s tonen deze huisstijl aan mensen van deze organisatie. Lege velden hebben de waarde van de installatie.",
  "brand.instance": "Huisstijl van de installatie",
  "brand.instanceLead":
    "Pagina’s tonen deze huisstijl als er geen organisatie bekend is. E-mails en vensters van passkeys tonen de naam.",
  "field.color": "Kleur",
  "hint.color": "Van knoppen en links, zoals #1a3c6e. Witte tekst moet erop leesbaar zijn.",
  "field.supportAddress": "E-mailadres voor ondersteuning",
  "hint.supportAddress": "Pagina’s tonen het aan mensen die niet kunnen inloggen.",

  removeOne: "{name} verwijderen",
  removed: "{name} is verwijderd.",
  role: "Rol",
  idp: "Identiteitsprovider",
  "role.1": "Alles, in elke organisatie",
  "role.2": "Alles in deze organisatie",
  "role.3": "Gebruikers en passkeys van deze organisatie",
  "role.4": "Controleert sessies: voor een dienst",
  "role.5": "Applicaties van deze organisatie",
  "role.6": "Vraagt of verzoeken aan applicaties zijn toegestaan: voor een proxy",
  "role.7": "Leest alles van deze organisatie",
  "role.8": "Helpt gebruikers van deze organisatie: blokkeringen, sessies en registratielinks",
  "count.sessions": { one: "{count} sessie", other: "{count} sessies" },
  "count.tokens": { one: "{count} token", other: "{count} tokens" },
  "count.passkeys": { one: "{count} passkey", other: "{count} passkeys" },

  "users.add": "Gebruiker toevoegen",
  "users.addLead":
    "De gebruiker kan inloggen zodra er een passkey is: maak op de volgende pagina een link daarvoor aan.",
  "users.query": "Naam, e-mailadres of ID",
  "users.onDomain": "{moved} van {users} gebruikers met een passkey van een vorig domein hebben er een van {domain}.",
  "users.toUnmoved": "Bekijk wie er geen heeft",
  "users.unmoved": "Alleen passkeys van vorige domeinen",
  "users.unmovedLead":
    "Deze gebruikers van alle organisaties hebben geen passkey van het huidige domein. Als de vorige domeinen wegvallen, kunnen ze hooguit nog inloggen met een identiteitsprovider of een nieuwe registratielink.",
  "users.allMoved": "Iedereen heeft een passkey van het huidige domein.",
  "users.none": "Deze organisatie heeft geen gebruikers.",
  "users.noneFound": "Er is niemand gevonden.",
  "users.moved": "{some} van {all} mensen hebben een passkey.",

  invite: "Mensen uitnodigen",
  "invite.lead":
    "Iedereen wordt gebruiker van deze organisatie en krijgt een e-mail met een link die een passkey toevoegt.",
  "invite.people": "Mensen",
  "invite.addresses": "E-mailadressen of een tabel",
  "invite.addressesHint":
    "Plak adressen, met of zonder namen, of cellen van een spreadsheet. Je kunt hier ook een bestand neerzetten.",
  "invite.rest": "Geen adres gevonden in: {text}",
  "invite.file": "Of een CSV-bestand",
  "invite.fileHint": "Met een regel met kolomnamen, zoals Naam, E-mail en Groepen.",
  "invite.persons": { one: "{count} persoon", other: "{count} personen" },
  "invite.columns":
    "Controleer de betekenis van elke kolom. Meerdere groepen in een cel worden gescheiden door komma’s.",
  "invite.column": "Kolom {number}: {name}",
  // Names of columns of spreadsheets in this language, in small letters without spaces and other characters. English is known.
  "columns.email": "emailadres mailadres adres",
  "columns.userName": "gebruikersnaam gebruiker inlognaam loginnaam",
  "columns.displayName": "weergavenaam naam volledigenaam",
  "columns.givenName": "voornaam roepnaam",
  "columns.familyName": "achternaam familienaam",
  "columns.locale": "taal voorkeurstaal",
  "columns.externalId": "personeelsnummer medewerkernummer externid externeid",
  "columns.groups": "groepen groep afdeling afdelingen",
  "invite.ignored": "Negeren",
  "invite.preview": "De eerste mensen van de lijst",
  "invite.further": { one: "en nog {count}", other: "en nog {count}" },
  "invite.choices": "Groepen en rol",
  "invite.choicesLead": "Voor iedereen op de lijst.",
  "invite.noRole": "Geen rol",
  "invite.check": "Lijst controleren",
  "invite.checking": "De lijst wordt gecontroleerd",
  "invite.importing": "Gebruikers worden toegevoegd",
  "invite.granting": "De rol wordt toegekend",
  "invite.sending": "Uitnodigingen worden verstuurd",
  "invite.good": {
    one: "{count} persoon kan worden uitgenodigd.",
    other: "{count} personen kunnen worden uitgenodigd.",
  },
  "invite.send": { one: "{count} persoon uitnodigen", other: "{count} personen uitnodigen" },
  "invite.refused": {
    one: "{count} persoon kan niet worden uitgenodigd",
    other: "{count} personen kunnen niet worden uitgenodigd",
  },
  "invite.refusedShown": "De eerste {count} worden getoond. Het bestand bevat ze allemaal.",
  "invite.problem": "Probleem",
  "invite.noAddress": "De rij heeft geen e-mailadres.",
  "invite.download": "Downloaden als CSV",
  "invite.invited": {
    one: "{count} persoon krijgt een uitnodiging.",
    other: "{count} personen krijgen een uitnodiging.",
  },
  "invite.before": {
    one: "{count} persoon kreeg er een in de afgelopen 7 dagen.",
    other: "{count} personen kregen er een in de afgelopen 7 dagen.",
  },
  "invite.has": {
    one: "{count} persoon heeft al een passkey.",
    other: "{count} personen hebben al een passkey.",
  },
  "invite.others": "Mensen die hier al zijn",
  "invite.othersLead":
    "Nodigt alle gebruikers zonder passkey uit, behalve wie in de afgelopen 7 dagen een uitnodiging kreeg.",
  "invite.remind": "Iedereen zonder passkey uitnodigen",
  "users.all": "Alle",
  "users.active": "Actief",
  "users.invited": "Uitgenodigd, nog niet geaccepteerd",
  "users.role": "Rol",
  "users.anyRole": "Met een rol",
  "users.lastSignIn": "Laatst ingelogd",
  "users.never": "Nooit",
  "users.notFor": "Meer dan {days} dagen geleden",
  "users.order": "Volgorde",
  "users.byId": "Op ID",
  "users.newest": "Nieuwste eerst",
  "users.latestSignIn": "Laatst ingelogd eerst",
  "users.earliestSignIn": "Langst geleden ingelogd eerst",
  "users.latestInvitation": "Laatst uitgenodigd eerst",
  "users.select": "{name} selecteren",
  "users.selectAll": "Alle getoonde gebruikers selecteren",
  "users.selection": "Geselecteerde gebruikers",
  "users.total": "Gebruikers: {total}",
  "users.selected": { one: "{count} geselecteerd", other: "{count} geselecteerd" },
  "users.addToGroup": "Aan groep toevoegen",
  "users.group": "Groep",
  "users.noGroups": "Deze organisatie heeft geen groepen.",
  "users.remove": "Verwijderen",
  "users.askToLock": { one: "{count} gebruiker blokkeren?", other: "{count} gebruikers blokkeren?" },
  "users.askToUnlock": { one: "{count} gebruiker deblokkeren?", other: "{count} gebruikers deblokkeren?" },
  "users.askToRemove": { one: "{count} gebruiker verwijderen?", other: "{count} gebruikers verwijderen?" },
  "users.ok": { one: "Geldt voor {count} gebruiker.", other: "Geldt voor {count} gebruikers." },
  "users.added": { one: "{count} gebruiker is lid van de groep.", other: "{count} gebruikers zijn lid van de groep." },
  "users.moreRefused": { one: "Nog {count} is geweigerd.", other: "Nog {count} zijn geweigerd." },
  "users.done": "Klaar.",
  export: "Exporteren als CSV",
  exported: { one: "{count} rij is geëxporteerd.", other: "{count} rijen zijn geëxporteerd." },

  "sessions.lead":
    "Waar mensen van de organisatie zijn ingelogd. Een sessie die eindigt, wordt bij elke applicatie uitgelogd.",
  "sessions.query": "Naam, apparaat, IP-adres of ID",
  "sessions.method": "Ingelogd met",
  "sessions.user": "Gebruiker",
  "sessions.none": "Er is niemand ingelogd.",
  "sessions.noneFound": "Er is geen sessie gevonden.",
  "sessions.again": "Opnieuw laden",
  "sessions.endOne": "De sessie van {name} beëindigen: {device}",
  "sessions.endAll": "Alle beëindigen",
  "sessions.endAllOf": "Alle sessies van {name} beëindigen",
  "sessions.endAllTitle": "Alle sessies van {name} beëindigen?",
  "value.SIGN_IN_METHOD_PASSKEY": "Passkey",
  "value.SIGN_IN_METHOD_IDP": "Identiteitsprovider",

  "user.details": "Gegevens",
  "user.security": "Inloggegevens",
  "user.sessions": "Sessies",
  "user.access": "Toegang",
  "user.events": "Tijdlijn",
  "user.remove": "Gebruiker verwijderen",
  "user.removeLead": "Beëindigt alles waarmee de gebruiker inlogt. Dit kan niet ongedaan worden gemaakt.",
  "user.lock": "Blokkeren",
  "user.lockLead":
    "Gebruik dit als een account misschien in verkeerde handen is, of als iemand afwezig is. Passkeys, rollen en groepen blijven.",
  "field.reason": "Reden",
  "hint.reason": "Alleen voor mensen die gebruikers beheren.",
  "user.lockTitle": "{name} blokkeren?",
  "user.lockEnds": "Beëindigt {sessions} en {tokens}.",
  "user.lockText":
    "De gebruiker wordt uitgelogd bij applicaties, links voor passkeys werken niet meer en niemand kan als deze gebruiker inloggen totdat je de gebruiker deblokkeert.",
  "user.lockDone": "{name} is geblokkeerd.",
  "user.locked": "Geblokkeerd",
  "user.lockedLead":
    "Niemand kan als deze gebruiker inloggen. Tokens die met de blokkering zijn beëindigd, komen niet terug.",
  "user.lockedSince": "Sinds",
  "user.unlock": "Deblokkeren",
  "user.unlocked": "{name} kan weer inloggen.",
  "user.removeTitle": "{name} verwijderen?",
  "user.removed": "{name} is verwijderd.",
  "user.ends": "Beëindigt {sessions}, {tokens} en {passkeys}.",
  "user.removeForever": "De gebruikersnaam komt weer vrij. Gebeurtenissen van de gebruiker blijven in het logboek.",
  "user.passkeys": "Passkeys",
  "user.passkeysLead":
    "Iedereen die een registratielink heeft, kan een passkey toevoegen en als de gebruiker handelen.",
  "user.formerPasskey": "van het vorige domein {domain}",
  "user.noPasskeys": "De gebruiker heeft geen passkey en kan dus niet met een passkey inloggen.",
  "user.lastUsed": "Laatst gebruikt",
  "user.createLink": "Link aanmaken",
  "user.mailLink": "Link mailen",
  "user.link": "Registratielink",
  "user.linkText":
    "De gebruiker opent deze link en voegt een passkey toe. De link werkt één keer; eerdere links van de gebruiker werken niet meer.",
  "user.linkMailed": "Er is een link onderweg naar {address}.",
  "user.links": "Identiteitsproviders",
  "user.skipped": "Claims die niet pasten",
  "user.noLinks": "De gebruiker is niet gekoppeld aan een identiteitsprovider.",
  "user.subject": "ID bij de provider",
  "user.tokens": "Toegangstokens",
  "user.noTokens": "De gebruiker heeft geen toegangstoken.",
  "user.createToken": "Token aanmaken",
  "user.tokenLead": "Een programma dat het token heeft, handelt als de gebruiker, met alle rechten van de gebruiker.",
  "user.token": "Toegangstoken",
  "field.expiresAt": "Verloopt",
  "hint.expiresAt": "Zonder tijdstip verloopt het token niet.",
  "user.unnamed": "Zonder naam",
  "user.addWorkload": "Workload toevoegen",
  "user.workloadLead":
    "Een job in CI of een pod handelt als de gebruiker met de tokens van zijn platform, met alle rechten van de gebruiker en zonder geheim.",
  "field.audienceOfUser": "Doelgroep",
  "hint.audienceOfUser": "De waarde waarvoor de workload zijn token aanvraagt. Die eindigt op de ID van de gebruiker.",
  "user.certificate": "Clientcertificaat",
  "user.addCertificate": "Clientcertificaat toevoegen",
  "user.certificateLead":
    "Een dienst die de sleutel van het certificaat heeft, handelt als de gebruiker, met alle rechten van de gebruiker. De server moet clients om certificaten vragen.",
  "field.certificate": "Certificaat",
  "hint.certificate": "In PEM-indeling, zonder keten en zonder sleutel.",
  "user.expires": "Verloopt",
  "user.removePasskeyTitle": "De passkey {name} verwijderen?",
  "user.endsSessions": { one: "Beëindigt {count} sessie.", other: "Beëindigt {count} sessies." },
  "user.lastPasskey":
    "Dit is de laatste passkey: de gebruiker heeft een nieuwe link nodig om weer met een passkey in te loggen.",
  "user.endsApplications": {
    one: "Beëindigt de toegang van {count} applicatie.",
    other: "Beëindigt de toegang van {count} applicaties.",
  },
  "user.endsTokens": {
    one: "Trekt {count} token van de gebruiker in.",
    other: "Trekt {count} tokens van de gebruiker in.",
  },
  "user.lost": "Hij is verloren of gestolen",
  "user.lostText":
    "Dan eindigen ook de toegang van applicaties en de eigen tokens van de gebruiker die met deze passkey zijn begonnen.",
  "user.unlinkTitle": "De koppeling met {name} verwijderen?",
  "user.revokeTokenTitle": "Het token {name} verwijderen?",
  "user.revokeToken": "Programma’s die het gebruiken, worden meteen geweigerd.",
  "user.noSessions": "De gebruiker is nergens ingelogd.",
  "user.device": "Apparaat",
  "user.unknownDevice": "Onbekend apparaat",
  "user.signedIn": "Ingelogd",
  "user.lastSeen": "Laatst actief",
  "user.thisSession": "Deze sessie",
  "user.end": "Beëindigen",
  "user.endOne": "De sessie op {name} beëindigen",
  "user.ended": "Beëindigd.",
  "user.endAll": "Alle sessies beëindigen",
  "user.endAllTitle": "Alle sessies beëindigen?",
  "user.endAllRest":
    "De eigen tokens van de gebruiker en blijvende toegang van applicaties gaan door. Beëindig die onder Inloggegevens en Toegang.",
  "user.endAllText": "Applicaties die ervan afhangen, loggen de gebruiker uit. Passkeys blijven.",
  "user.rolesLead": "Rollen geven rechten in Keystead zelf. Applicaties zien in plaats daarvan groepen.",
  "user.hasRole": "Toegekend",
  "user.grant": "Toekennen",
  "user.grantOne": "{name} toekennen",
  "user.revoke": "Intrekken",
  "user.revokeOne": "{name} intrekken",
  "user.grantTitle": "De rol {role} toekennen?",
  "user.grantText":
    "Alle inloggegevens van de gebruiker zijn gecontroleerd: niemand met minder rechten heeft er een van aangemaakt.",
  "user.grantEndingTitle": "De rol {role} toekennen en inloggegevens beëindigen?",
  "user.grantEnding":
    "Mensen met minder rechten dan deze rol geeft, hebben tokens, passkeys of links van de gebruiker gemaakt en zouden die kunnen gebruiken. Die eindigen nu, met hun sessies. De gebruiker heeft misschien een nieuwe registratielink nodig.",
  "user.granted": "De rol is toegekend.",
  "user.revokeTitle": "De rol {role} intrekken?",
  "user.revokeText":
    "De gebruiker verliest de rechten ervan meteen. Registratielinks die de gebruiker heeft gemaakt, eindigen, en ook de tokens van een dienst zonder andere rol.",
  "user.revoked": "De rol is ingetrokken.",
  "user.noGroups": "De gebruiker zit in geen enkele groep.",
  "user.leaveOne": "Verwijderen uit {name}",
  "user.grantsLead": "Applicaties waarbij de gebruiker heeft ingelogd.",
  "user.noGrants": "De gebruiker gebruikt geen applicaties.",
  "user.narrowGrant": "Wijzigen",
  "user.narrowGrantOne": "Toegang van {name} wijzigen",
  "user.narrowGrantTitle": "Toegang van {name} wijzigen",
  "user.narrowGrantText":
    "De applicatie verliest binnen enkele minuten de scopes die je uitvinkt. Ze houdt de gegevens die al zijn gelezen en kan de gebruiker opnieuw om toegang vragen.",
  "user.narrowedGrant": "De toegang van {name} is gewijzigd.",
  "user.revokeGrantTitle": "Toegang van {name} beëindigen?",
  "user.revokeGrantText":
    "De applicatie wordt uitgelogd van dit account en vraagt bij de volgende keer inloggen opnieuw om toegang.",

  "groups.lead": "Applicaties zien de groepen van hun gebruikers en kunnen alleen leden van bepaalde groepen toelaten.",
  "groups.add": "Groep toevoegen",
  "groups.none": "Deze organisatie heeft geen groepen.",
  "groups.members": "Leden",
  "groups.noMembers": "De groep heeft geen leden.",
  "groups.source": "Bron",
  "groups.ofProvider": "Identiteitsprovider",
  "groups.since": "Sinds",
  "groups.addMember": "Lid toevoegen",
  "groups.added": "{name} is toegevoegd.",
  "groups.remove": "Groep verwijderen",
  "groups.removeTitle": "De groep {name} verwijderen?",
  "groups.removeText": "Beëindigde lidmaatschappen: {count}. De gebruikers blijven.",
  "groups.removeApplications": "Applicaties die alleen deze groep toelaten, laten dan niemand meer toe.",
  "groups.manyMembers": "meer dan 200",

  secret: "Geheim",
  clientId: "Client-ID",
  connect: "Integreren",
  "connect.lead":
    "Een OpenID Connect-bibliotheek heeft de uitgever en de client-ID nodig; applicaties met een server hebben ook een geheim nodig.",
  "connect.issuer": "Uitgever",
  "connect.discovery": "Discovery-document",
  "connect.check": "Controle via HTTP",
  "connect.checkOverGrpc": "Controle via gRPC",
  "connect.token": "Token van de proxy",
  "connect.gateLead":
    "De proxy vraagt Keystead over elk verzoek en stuurt alleen verzoeken door van mensen die worden toegelaten.",
  test: "Test",
  "test.run": "Test uitvoeren",
  "test.succeeded": "Alle stappen zijn gelukt.",
  "test.failed": "Een stap is mislukt.",
  "step.resolve": "Naam opzoeken",
  "step.connect": "Verbinden",
  "step.greeting": "Begroeting",
  "step.tls": "Versleuteling",
  "step.token": "Toegangstoken",
  "step.auth": "Inloggen op de server",
  "step.sender": "Afzender",
  "step.message": "Testbericht",
  "step.discovery": "Discovery-document",
  "step.keys": "Sleutels",
  "step.client": "Client-ID en geheim",
  "step.answer": "Antwoord",

  "field.kind": "Soort",
  "value.APPLICATION_KIND_WEB": "Webapplicatie met een server",
  "value.APPLICATION_KIND_BROWSER": "Applicatie in de browser",
  "value.APPLICATION_KIND_NATIVE": "App op een apparaat",
  "value.APPLICATION_KIND_SERVICE": "Dienst zonder gebruikers",
  "value.APPLICATION_KIND_GATE": "Achter een proxy",
  "value.APPLICATION_KIND_RESOURCE": "API voor andere applicaties",
  "hint.kind": "Dit kan later niet worden gewijzigd.",
  "field.logo": "Logo",
  "hint.logo": "PNG, JPEG of WebP van maximaal 32 KiB.",
  "field.redirectUris": "Omleidings-URI’s",
  "hint.redirectUris": "Eén per regel. Ze worden teken voor teken vergeleken.",
  "field.postLogoutRedirectUris": "Omleidings-URI’s na het uitloggen",
  "hint.postLogoutRedirectUris": "Eén per regel.",
  "field.backchannelLogoutUri": "URI voor uitloggen via back-channel",
  "hint.backchannelLogoutUri": "Krijgt bericht als een sessie eindigt.",
  "field.origins": "Oorsprongen",
  "hint.origins": "Eén per regel, zoals https://app.example.com.",
  "field.allowsHttp": "http:// toestaan voor privénamen en -adressen",
  "hint.allowsHttp": "Iedereen in dat netwerk kan lezen wat de browser terugbrengt.",
  "field.identifier": "Identificatie",
  "hint.identifier": "De aud van de toegangstokens: de URL van de API, of een naam.",
  "field.scopes": "Scopes",
  "hint.scopes": "Eén per regel.",
  "field.firstParty": "Hoort bij deze organisatie",
  "hint.firstParty": "Mensen wordt niet om toestemming gevraagd.",
  "field.audience": "Wie mag dit gebruiken",
  "value.APPLICATION_AUDIENCE_UNSPECIFIED": "Gebruikers van deze organisatie (standaard)",
  "value.APPLICATION_AUDIENCE_ORGANIZATION": "Gebruikers van deze organisatie",
  "value.APPLICATION_AUDIENCE_ALL": "Gebruikers van alle organisaties",
  "field.admitsGroupsOnly": "Alleen leden van bepaalde groepen",
  "field.allowedGroups": "Groepen die worden toegelaten",
  "hint.allowedGroups": "Als er geen is gekozen, mag niemand de applicatie gebruiken.",
  "field.tokenEndpointAuthMethod": "Authenticatie van de client",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_NONE": "Geen",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_BASIC": "Geheim, in de header (client_secret_basic)",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_POST": "Geheim, in de body (client_secret_post)",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT": "Privésleutel (private_key_jwt)",
  "field.jwksUri": "URL van de openbare sleutels",
  "field.jwks": "Openbare sleutels",
  "hint.jwks": "Een JWK Set, in plaats van een URL.",
  "field.pkce": "Bescherming van codes",
  "value.APPLICATION_PKCE_UNSPECIFIED": "PKCE of een nonce (standaard)",
  "value.APPLICATION_PKCE_REQUIRED": "PKCE",
  "value.APPLICATION_PKCE_PKCE_OR_NONCE": "PKCE of een nonce",
  "value.APPLICATION_PKCE_NONE": "Geen van beide",
  "field.requiresEmail": "Weigert gebruikers zonder e-mailadres",
  "hint.pkce":
    "Sommige programma’s sturen geen van beide. Als een programma het meestuurt, wordt het altijd gecontroleerd.",
  "field.requiresPushedAuthorizationRequests": "Autorisatieverzoeken alleen via PAR (RFC 9126)",
  "field.idTokenAlg": "Handtekening van ID-tokens",
  "value.ID_TOKEN_ALG_UNSPECIFIED": "RS256 (standaard)",
  "value.ID_TOKEN_ALG_RS256": "RS256",
  "value.ID_TOKEN_ALG_ES256": "ES256",
  "field.omitsIdTokenClaims": "ID-tokens zonder naam, e-mailadres en groepen",
  "field.accessTokenTyp": "Type van toegangstokens (typ)",
  "value.ACCESS_TOKEN_TYP_UNSPECIFIED": "at+jwt (standaard)",
  "value.ACCESS_TOKEN_TYP_AT_JWT": "at+jwt",
  "value.ACCESS_TOKEN_TYP_JWT": "JWT",
  "field.accessTokenLifetimeSeconds": "Levensduur van toegangstokens, in seconden",
  "hint.accessTokenLifetimeSeconds": "60 tot en met 3600.",
  "field.refreshTokenLifetimeSeconds": "Langste tijd zonder opnieuw inloggen, in seconden",
  "field.refreshTokenIdleSeconds": "Tijd waarna een ongebruikt vernieuwingstoken verloopt, in seconden",

  "applications.lead": "Programma’s waarbij mensen met Keystead inloggen, en diensten zonder gebruikers.",
  "applications.add": "Applicatie toevoegen",
  "applications.addLead": "Al het andere heeft een standaardwaarde en kan later worden gewijzigd.",
  "applications.software": "Welke software?",
  "applications.otherSoftware": "Een ander programma",
  // TRANSLATE
  "applications.otherSoftwareLead": "Any client of OpenID Connect or OAuth 2.0, an API, or a site behind the gate.",
  // TRANSLATE
  "gallery.another": "Choose another",
  // TRANSLATE
  "gallery.none": "None has these words in its name.",
  "applications.host": "Host van het programma",
  "applications.hostLead":
    "Voer de host van het programma in. Op je eigen computer is dat een oorsprong, zoals http://localhost:3000.",
  "applications.softwareSettings": "Instellingen van {name}",
  "applications.softwareLead": "Maak een geheim aan en zet dat op de plaats van CLIENT_SECRET.",
  "applications.none": "Deze organisatie heeft geen applicaties.",
  "applications.chosen": "Als de applicatie van een andere provider komt",
  "field.applicationId": "Client-ID",
  "hint.applicationId": "Alleen als het programma de ID houdt die het al heeft. Dit kan later niet worden gewijzigd.",
  "pattern.applicationId": "Gebruik alleen A-Z, a-z, 0-9 en ._~-.",
  "field.secret": "Geheim",
  "hint.secret":
    "Alleen als het programma het geheim houdt dat het al heeft: minstens 32 hexadecimale cijfers, of net zo moeilijk te raden.",
  "pattern.secret": "Gebruik afdrukbare ASCII-tekens, zonder spaties en %.",
  "applications.people": "Mensen",
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
  "applications.tokens": "Tokens",
  "field.gateJwtHeader": "Header met de JWT",
  "value.GATE_JWT_HEADER_UNSPECIFIED": "authorization (standaard)",
  "value.GATE_JWT_HEADER_AUTHORIZATION": "authorization",
  "value.GATE_JWT_HEADER_X_KEYSTEAD_JWT": "x-keystead-jwt",
  "field.gateIdentityHeaders": "Headers met de gebruiker, het e-mailadres en de groepen",
  workloads: "Workloads",
  "workloads.lead":
    "Jobs van een CI-systeem of pods van een cluster krijgen tokens als deze applicatie met de tokens van hun uitgever, zonder geheim.",
  resourceScopes: "Scopes",
  "resourceScopes.lead":
    "Hier staat wat applicaties aan gebruikers kunnen vragen. Gebruikers kennen toe wat hun groepen toestaan.",
  "resourceScopes.add": "Scope toevoegen",
  "resourceScopes.oneLead":
    "Applicaties vragen de scope aan met de naam: als je die wijzigt, wijzig die dan ook in de applicaties. Gebruikers wordt het opnieuw gevraagd.",
  "resourceScopes.none": "De API heeft geen scopes: een token is genoeg.",
  "resourceScopes.removeTitle": "De scope {name} verwijderen?",
  "resourceScopes.remove": "Nieuwe tokens hebben die niet. Bestaande tokens houden die totdat ze verlopen.",
  "field.resourceScopes.name": "Naam",
  "field.resourceScopes.description": "Beschrijving",
  "hint.resourceScopes.description": "Wat de scope toestaat, voor de mensen aan wie het wordt gevraagd.",
  "field.resourceScopes.allowedGroups": "Groepen die de scope kunnen toekennen",
  "hint.resourceScopes.allowedGroups": "Als er geen is gekozen: iedereen.",
  "connect.apiLead": "De API verifieert toegangstokens met deze sleutels, of vraagt ze na via introspectie.",
  "connect.keys": "Sleutels",
  "connect.introspection": "Introspectie",
  "workloads.add": "Workloads toevoegen",
  "workloads.none": "Er worden geen workloads toegelaten.",
  "workloads.removeTitle": "De workloads {name} verwijderen?",
  "workloads.remove": "Ze krijgen geen tokens meer. Tokens die ze al hebben, blijven geldig totdat ze verlopen.",
  "field.workloads.issuer": "Uitgever",
  "hint.workloads.issuer": "Precies zoals in de claim iss, zoals https://token.actions.githubusercontent.com.",
  "field.workloads.audience": "Doelgroep",
  "hint.workloads.audience": "Een waarde die de claim aud moet bevatten, zoals het adres van deze server.",
  "field.workloads.subject": "Onderwerp (sub)",
  "hint.workloads.subject":
    "De claim sub, zoals repo:example/shop:ref:refs/heads/main. Een * aan het einde staat voor willekeurige tekens.",
  "field.workloads.claims": "Overige claims",
  "hint.workloads.claims": "Eén per regel, zoals repository_owner_id=4711.",
  application: "Applicatie",
  requestId: "Verzoek-ID",
  refusals: "Recente weigeringen",
  "refusals.lead": "Van de afgelopen zeven dagen. Iedereen kan een verzoek sturen met de client-ID van een applicatie.",
  "refusals.none": "Er is geen verzoek van deze applicatie geweigerd.",
  "refusals.notFound": "Geen geweigerd verzoek van een applicatie van deze organisatie heeft deze ID.",
  "refusals.search": "Geweigerd verzoek zoeken",
  "refusals.remedy": "Oplossing",
  "refusals.mend": "Instelling wijzigen…",
  "refusals.mendTitle": "De applicatie wijzigen?",
  "refusals.set": "Wijzigen",
  "refusals.mended": "De applicatie is gewijzigd.",
  "refusals.weakens":
    "Dit maakt de applicatie minder streng. Doe het alleen als het programma niet kan worden gewijzigd.",
  "refusals.anybody": "Iedereen kan deze waarde hebben gestuurd. Voeg die alleen toe als ze van de applicatie is.",
  "user.withoutEmail": "Zonder e-mailadres weigeren applicaties die er een vereisen deze gebruiker.",
  "applications.secrets": "Geheimen",
  "applications.secretsLead":
    "Maak om een geheim te vervangen een nieuw aan, geef het aan de applicatie en verwijder daarna het oude.",
  "applications.noSecrets": "De applicatie heeft geen geheim.",
  "applications.createSecret": "Geheim aanmaken",
  "applications.removeSecretTitle": "Het geheim verwijderen?",
  "applications.removeSecret": "De applicatie kan het niet meer gebruiken; andere geheimen werken nog.",
  "applications.lastSecret": "Het is het enige: de applicatie krijgt geen tokens totdat ze een ander heeft.",
  "applications.remove": "Applicatie verwijderen",
  "applications.removeTitle": "De applicatie {name} verwijderen?",
  "applications.removeText": "Niemand kan er nog met Keystead inloggen, en de vernieuwingstokens ervan eindigen.",
  "applications.endsSecrets": { one: "Beëindigt {count} geheim.", other: "Beëindigt {count} geheimen." },

  "field.stylingType": "Uiterlijk van de knop",
  "value.STYLING_TYPE_UNSPECIFIED": "Zoals de pagina",
  "value.STYLING_TYPE_PROVIDER": "Zoals de provider bepaalt",
  "idps.button": "Inlogknop",
  "idps.buttonLead": "Kleuren en logo worden gebruikt als het uiterlijk van de knop is: zoals de provider bepaalt.",
  "field.backgroundColor": "Achtergrondkleur",
  "field.textColor": "Tekstkleur",
  "hint.backgroundColor": "Zoals #1a3c6e. Zonder beide kleuren heeft de knop die van de pagina.",
  "hint.textColor": "Zoals #ffffff. De tekst moet leesbaar zijn op de achtergrond.",
  "field.autoRegister": "Registreert nieuwe mensen",
  "hint.autoRegister": "Voor wie voor het eerst met de provider inlogt, wordt een gebruiker aangemaakt.",
  "field.isDisabled": "Uitgeschakeld",
  "hint.isDisabled":
    "Niemand kan ermee inloggen. Sessies die ermee zijn gestart, eindigen; koppelingen van gebruikers blijven.",
  "idps.off": "Uitgeschakeld",
  "idps.isOff": "Deze provider is uitgeschakeld: niemand kan ermee inloggen.",
  mappings: "Toewijzing van claims",
  "mappings.lead":
    "Waarden die gebruikers krijgen uit claims van de provider. Een claim die niet past, wordt overgeslagen; de pagina van de gebruiker meldt dat.",
  "mappings.add": "Claim toevoegen",
  "mappings.none": "Er zijn geen claims toegewezen.",
  "mappings.goneGroup": "een verwijderde groep",
  "field.mappings.claim": "Claim",
  "hint.mappings.claim": "De naam ervan. Punten leiden naar binnen in objecten, zoals realm_access.roles.",
  "field.mappings.attribute": "Wordt",
  "hint.mappings.attribute":
    "display_name, given_name, family_name, locale, zoneinfo, external_id, email, groups, of de naam van een attribuut.",
  "field.mappings.when": "Wanneer",
  "value.IDP_MAPPING_TIME_FIRST_SIGN_IN": "Bij de eerste keer inloggen",
  "value.IDP_MAPPING_TIME_EVERY_SIGN_IN": "Bij elke keer inloggen",
  "field.mappings.groups": "Groepen op waarde van de claim",
  "hint.mappings.groups":
    "Eén per regel, zoals 0d6bd6a0-7a0b=engineers. Als er geen is ingevuld, zijn waarden namen van groepen.",
  "field.issuer": "Uitgever",
  "hint.issuer": "Precies zoals in het discovery-document van de provider.",
  "pattern.issuer": "Voer een adres in dat begint met https://.",
  "field.clientId": "Client-ID",
  "field.clientSecret": "Clientgeheim",
  // TRANSLATE
  "field.newClientSecret": "Client secret",
  "hint.clientSecret": "Laat dit leeg om het opgeslagen geheim te houden.",
  "field.autoRegisterMailDomains": "E-maildomeinen van nieuwe mensen",
  "hint.autoRegisterMailDomains":
    "Eén per regel. Alleen mensen met een geverifieerd adres van een ervan worden geregistreerd.",
  "field.autoRegisterHostedDomains": "Google-organisaties van nieuwe mensen",
  "hint.autoRegisterHostedDomains":
    "Eén domein per regel. Alleen mensen van een van deze organisaties (hd) worden geregistreerd.",
  "field.updateNameAtSignIn": "Werkt namen bij",
  "hint.updateNameAtSignIn": "Bij elke keer inloggen wordt de weergavenaam die van de provider.",
  "field.updateEmailAtSignIn": "Werkt e-mailadressen bij",
  "hint.updateEmailAtSignIn":
    "Bij elke keer inloggen wordt het e-mailadres dat van de provider, als het is geverifieerd.",
  "idps.lead": "Mensen van deze organisatie kunnen ermee inloggen.",
  "idps.add": "Identiteitsprovider toevoegen",
  "idps.addLead": "De volgende pagina toont het adres dat je bij de provider registreert en vraagt om de instellingen.",
  "idps.none": "Deze organisatie heeft geen identiteitsproviders.",
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
  "idps.callback": "Omleidings-URI",
  "idps.callbackLead": "Registreer deze omleidings-URI bij de provider.",
  "idps.admitsAnybody":
    "Iedereen kan bij deze provider een account krijgen en wordt hier geregistreerd. Beperk de domeinen van nieuwe mensen.",
  "idps.noOidc": "Er zijn nog geen instellingen voor OpenID Connect.",
  "idps.secretStored": "Er is een clientgeheim opgeslagen.",
  "idps.testLead": "Leest het discovery-document en de sleutels en controleert de client, zoals bij het inloggen.",
  "idps.remove": "Provider verwijderen",
  "idps.removeTitle": "De provider {name} verwijderen?",
  "idps.removeLinks": "Koppelingen van gebruikers ermee worden verwijderd.",
  "idps.removeSessions": "Sessies die ermee zijn gestart, eindigen.",
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

  "field.senderAddress": "Adres van de afzender",
  "field.senderName": "Naam van de afzender",
  "field.host": "Mailserver",
  "hint.host": "Met de poort, zoals smtp.example.com:587.",
  "pattern.host": "Voer een server en een poort in, zoals smtp.example.com:587.",
  "field.tls": "Vereist versleuteling",
  "field.user": "Gebruiker van de mailserver",
  "field.password": "Wachtwoord",
  "hint.password": "Laat dit leeg om het opgeslagen wachtwoord te houden.",
  "mail.lead": "De server waarmee deze installatie e-mail verstuurt, voor alle organisaties.",
  "mail.leadOwn": "E-mail aan mensen van deze organisatie, en de eigen server die ze kan hebben.",
  "mail.setUp": "E-mail instellen",
  "mail.setUpLead": "Anders kunnen registratielinks niet worden gemaild.",
  "mail.passwordStored": "Er is een wachtwoord opgeslagen.",
  "mail.templates": "Sjablonen",
  "mail.templatesLead": "Elk soort e-mail zoals mensen die krijgen, met voorbeelden in plaats van namen en links.",
  "mail.plainText": "Platte tekst",
  "mail.outbox": "Postvak UIT",
  "mail.receiver": "Een testbericht sturen naar",
  "mail.testLead": "Test de opgeslagen instellingen stap voor stap.",
  "mail.remove": "Instellingen verwijderen",
  "mail.removeTitle": "De e-mailinstellingen verwijderen?",
  "mail.removeText":
    "E-mails wachten totdat e-mail weer is ingesteld, en mislukken na twee dagen. Het opgeslagen wachtwoord wordt gewist.",
  "mail.own": "Mailserver van de organisatie",
  "mail.ownLead":
    "E-mails aan de gebruikers komen dan van deze server en deze afzender. Anders komen ze van die van de installatie.",
  "mail.testOwn": "Test van de mailserver",
  "mail.removeOwnText":
    "E-mails worden dan verstuurd door de server van de installatie. Het opgeslagen wachtwoord wordt gewist.",
  "mail.show": "Tonen",
  "mail.showOne": "De e-mail aan {address} tonen",
  "mail.captured": "Opgevangen e-mail",
  "mail.capturedLead": "Deze is bewaard in plaats van bezorgd. De links werken, maar niet in deze weergave.",
  "mail.removed": "De instellingen zijn verwijderd.",
  "field.preset": "Provider",
  "value.SMTP_TOKEN_PRESET_UNSPECIFIED": "Een andere",
  "value.SMTP_TOKEN_PRESET_MICROSOFT": "Microsoft 365",
  "value.SMTP_TOKEN_PRESET_GOOGLE": "Google",
  "field.tenant": "Tenant",
  "hint.tenant": "De ID of een domein ervan, zoals contoso.com.",
  "field.tokenEndpoint": "Tokeneindpunt",
  "field.mailScope": "Scope",
  "field.mailClientId": "Client-ID",
  "hint.mailClientId": "Toepassings-id (client-id) bij Microsoft. Leeg voor een serviceaccount.",
  "field.mailbox": "Mailbox die verstuurt",
  "hint.mailbox": "Als die anders is dan de gebruiker van de mailserver.",
  "field.mailClientSecret": "Clientgeheim",
  "hint.mailClientSecret":
    "Geef één geheim op: dit, een sleutel of een token. Laat alles leeg om het opgeslagen geheim te houden.",
  "field.privateKey": "Privésleutel",
  "hint.privateKey": "In PEM, voor Microsoft met het certificaat.",
  "field.serviceAccountKey": "Sleutel van een serviceaccount",
  "hint.serviceAccountKey": "De inhoud van het JSON-bestand van Google.",
  "field.refreshToken": "Vernieuwingstoken",
  "mail.oauth": "OAuth",
  "mail.oauthLead": "Microsoft en Google accepteren toegangstokens in plaats van een wachtwoord.",
  "mail.oauthSet": "E-mail wordt met toegangstokens verstuurd. Er is een geheim opgeslagen.",
  "mail.removeOAuth": "OAuth verwijderen",
  "mail.removeOAuthTitle": "OAuth verwijderen?",
  "mail.removeOAuthText":
    "E-mail wordt weer met het opgeslagen wachtwoord verstuurd, of zonder inloggen. Het opgeslagen geheim wordt gewist.",
  "mail.kind": "E-mail",
  "mail.route": "Server",
  "mailRoute.1": "Installatie",
  "mailRoute.2": "Organisatie",
  "mailRoute.3": "Installatie, in plaats van de organisatie",
  "mailRoute.4": "Geen: opgevangen",
  "mail.none": "Er zijn geen e-mails van deze soort.",
  "delivery.retry": "Opnieuw proberen",
  "mail.retryOne": "De e-mail aan {address} opnieuw proberen",
  "delivery.retried": "De volgende poging begint nu.",
  "delivery.failures": { one: "{count} mislukte poging", other: "{count} mislukte pogingen" },
  "deliveryState.1": "Wacht",
  "deliveryState.2": "Verstuurd",
  "deliveryState.3": "Mislukt",
  "deliveryState.4": "Geannuleerd",
  "push.lead": "Webhooks melden de gebeurtenissen van deze organisatie aan andere systemen.",
  "push.add": "Webhook toevoegen",
  "push.addLead":
    "Gebeurtenissen worden vanaf nu verstuurd, elke gebeurtenis totdat het doel die heeft geaccepteerd, maximaal drie dagen.",
  "push.none": "Er zijn geen webhooks.",
  "push.subscriptions": "Webhooks",
  "push.deliveries": "Bezorgingen",
  "push.noDeliveries": "Er zijn geen bezorgingen van deze soort.",
  "push.event": "Gebeurtenis",
  "push.webhook": "Webhook",
  "push.logout": "Uitloggen bij een applicatie",
  "push.retryOne": "De bezorging {id} opnieuw proberen",
  "push.testLead": "Stuurt stap voor stap een testgebeurtenis naar het doel.",
  "push.key": "Sleutel van de webhook",
  "push.keyLead": "Het doel verifieert ermee dat gebeurtenissen hiervandaan komen.",
  "push.secrets": "Sleutels",
  "push.secretsLead":
    "Maak om een sleutel te vervangen een tweede aan, geef die aan het doel en verwijder daarna de eerste.",
  "push.publicKey": "Openbare sleutel",
  "push.createSecret": "Aanmaken: {kind}",
  "push.removeSecretTitle": "De sleutel verwijderen?",
  "push.removeSecret": "Gebeurtenissen worden er niet meer mee ondertekend.",
  "push.remove": "Webhook verwijderen",
  "push.removeTitle": "De webhook {name} verwijderen?",
  "push.removeText": "Wachtende bezorgingen worden geannuleerd.",
  "field.url": "URL",
  "hint.url": "Begint met https://.",
  "field.eventTypes": "Gebeurtenissen",
  "hint.eventTypes":
    "Eén type per regel, zoals user.added. Als er geen is ingevuld, worden alle gebeurtenissen verstuurd.",
  "value.SECRET_KIND_HMAC": "Gedeeld geheim (HMAC)",
  "value.SECRET_KIND_ED25519": "Sleutelpaar (Ed25519)",
  "mailKind.passkey_registration_link": "Registratielink",
  "mailKind.passkey_recovery_link": "Herstellink",
  "mailKind.passkey_invitation": "Uitnodiging",
  "mailKind.sign_up_link": "Link voor zelfregistratie",
  // TRANSLATE
  "mailKind.email_change_link": "Link to a new address",
  // TRANSLATE
  "mailKind.email_change_requested": "Notice of a requested address",
  "mailKind.passkey_added": "Melding van een nieuwe passkey",
  "mailKind.email_changed": "Melding van een nieuw adres",
  "mailKind.account_recovered": "Melding van een herstel",
  "mailKind.idp_linked": "Melding van een nieuwe koppeling",
  "mailKind.idp_unlinked": "Melding van een verwijderde koppeling",
  "mailKind.token_created": "Melding van een nieuw toegangstoken",

  "attributes.lead":
    "Waarden die elke gebruiker kan hebben, zoals een afdeling. Claims van applicaties kunnen ze meesturen.",
  "attributes.add": "Attribuut toevoegen",
  "attributes.addLead": "De naam en het type blijven; de weergavenaam kan veranderen.",
  "attributes.none": "Er zijn geen attributen gedeclareerd.",
  "attributes.type": "Type",
  "attributes.remove": "Attribuut verwijderen",
  "attributes.removeTitle": "Het attribuut {name} verwijderen?",
  "attributes.removeText": "Alle gebruikers verliezen hun waarden.",
  "attributes.removeClaims": "Applicaties krijgen de claims die ervan zijn gemaakt niet meer.",
  "field.attributes.name": "Naam",
  "hint.attributes.name":
    "Maximaal 64 letters, cijfers, punten, koppeltekens en lage streepjes. Programma’s gebruiken de naam.",
  "field.attributes.type": "Type",
  "field.attributes.userAccess": "Toegang van gebruikers tot hun eigen waarde",
  "value.ATTRIBUTE_TYPE_TEXT": "Tekst",
  "value.ATTRIBUTE_TYPE_NUMBER": "Getal",
  "value.ATTRIBUTE_TYPE_BOOLEAN": "Ja of nee",
  "value.ATTRIBUTE_TYPE_TEXT_LIST": "Lijst van teksten",
  "value.ATTRIBUTE_ACCESS_NONE": "Geen",
  "value.ATTRIBUTE_ACCESS_READ": "Lezen",
  "value.ATTRIBUTE_ACCESS_WRITE": "Lezen en wijzigen",
  "field.picture": "Foto",
  "hint.picture": "Het midden van een afbeelding.",
  "user.emailState": "E-mailadres geverifieerd",
  // TRANSLATE
  "user.emailChange": "Mail address that the user requested",
  // TRANSLATE
  "user.emailChangeUntil": "to be confirmed by",
  "emailVerification.UNSPECIFIED": "Nee",
  "emailVerification.LINK": "Met een link die is geopend",
  "emailVerification.PROVIDER": "Door een identiteitsprovider",
  "emailVerification.IMPORT": "Door een import",
  "emailVerification.ADMINISTRATOR": "Door een beheerder",
  claims: "Overige claims",
  "claims.lead": "Claims van ID-token en userinfo met een attribuut van de gebruiker of een vaste tekst, maximaal 20.",
  "claims.add": "Claim toevoegen",
  "claims.none": "Er zijn alleen de claims van de toegekende scopes.",
  "claims.removeTitle": "De claim {name} verwijderen?",
  "claims.remove": "De applicatie krijgt de claim niet meer.",
  "claims.value": "Waarde",
  "field.claims.name": "Naam van de claim",
  "field.claims.attribute": "Attribuut",
  "hint.claims.attribute":
    "Naam van een attribuut, of een veld van gebruikers: user_name, display_name, given_name, family_name, locale, zoneinfo of external_id.",
  "field.claims.text": "Vaste tekst",
  "hint.claims.text": "In plaats van een attribuut.",
  "field.claims.target": "Waar",
  "value.CLAIM_TARGET_BOTH": "ID-token en userinfo",
  "value.CLAIM_TARGET_ID_TOKEN": "ID-token",
  "value.CLAIM_TARGET_USERINFO": "Userinfo",

  "events.lead": "Elke wijziging is een gebeurtenis. Gebeurtenissen worden nooit gewijzigd.",
  "events.type": "Soort",
  "events.kind.signIns": "Logins",
  "events.kind.access": "Toegang: rollen, groepen, blokkeringen",
  "events.kind.credentials": "Passkeys, links, tokens",
  "events.all": "Alle",
  "events.object": "ID van het object",
  "events.creator": "Veroorzaakt door",
  "events.since": "Sinds",
  "events.allOrganizations": "Alle organisaties",
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
