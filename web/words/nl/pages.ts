/** All text of the pages in Dutch. */

import type { Pages } from "../types";

const NEW_LINK = "Vraag een nieuwe aan de persoon die je de link heeft gestuurd.";

export const pages: Pages = {
  texts: {
    cancel: "Annuleren",
    tryAgain: "Opnieuw proberen",
    licences: "Licenties",
    support: "Hulp via e-mail",
    unknownTime: "onbekend",
    "address.open": "Open deze pagina op {host}",
    requestId: "Verzoek-ID, voor ondersteuning: ",

    "name.missing": "Voer een naam in.",
    "name.tooLong": "Voer maximaal {most} tekens in.",
    "name.refused": "De naam wordt niet geaccepteerd: {violation}.",
    "violation.CONTROL_CHARACTERS": "Verwijder regeleinden en besturingstekens.",
    "violation.EMPTY": "Vul een waarde in.",
    "violation.INVALID_LANGUAGE": "Vul een taalcode in, zoals en of pt-BR.",
    "violation.INVALID_MAIL_ADDRESS": "Vul een mailadres in, zoals name@example.com.",
    "violation.INVALID_TIME_ZONE": "Vul een tijdzone in, zoals Europe/Berlin.",
    "violation.INVISIBLE_CHARACTERS": "Verwijder onzichtbare tekens.",
    "violation.NO_VISIBLE_CHARACTER": "Vul minstens één zichtbaar teken in.",
    "violation.OUTER_WHITE_SPACE": "Verwijder spaties aan het begin en het eind.",
    "violation.TOO_LONG": "Vul hoogstens {number} tekens in.",
    "violation.TOO_MANY_ENTRIES": "Vul hoogstens {number} items in.",

    "device.iphone": "iPhone",
    "device.ipad": "iPad",
    "device.androidPhone": "Android-telefoon",
    "device.androidTablet": "Android-tablet",
    "device.chromebook": "Chromebook",
    "device.windows": "Windows-computer",
    "device.mac": "Mac",
    "device.linux": "Linux-computer",
    "device.unknown": "Mijn apparaat",
    "device.browserOn": "{browser} op {system}",

    "add.title": "Passkey toevoegen",
    "add.name": "Naam van deze passkey",
    "add.nameHint": "Zodat je hem later herkent, bijvoorbeeld aan het apparaat waarop hij staat.",
    "add.create": "Passkey maken",
    "add.beginning": "Voorbereiden…",
    "add.making": "Volg de instructies van je apparaat…",
    "add.saving": "Je passkey wordt opgeslagen…",
    "add.introduction":
      "Hij wordt bewaard op je apparaat, op een beveiligingssleutel of in je wachtwoordmanager. Je kiest dat zo meteen.",

    "link.checking": "Je link wordt gecontroleerd…",
    "link.invitedBy": "{inviter} nodigt je uit voor {organization}. ",
    "link.invited": "Je bent uitgenodigd voor {organization}. ",
    "link.invitedToUse": "Daarna kun je {application} gebruiken. ",
    "link.purpose": "Je logt ermee in op het account {account} bij {service}. ",
    "link.accountWithName": "{displayName} ({userName})",
    "link.advantage":
      "Met een passkey log je in met je vingerafdruk, je gezicht of de pincode van je apparaat. " +
      "Er is geen wachtwoord om te onthouden, en ook geen om te stelen.",
    "link.kept": "Je link, om in een andere browser te openen",
    "link.reloadedTitle": "Open je link opnieuw",
    "link.reloaded":
      "Deze pagina vergeet de link als ze opnieuw wordt geladen, zodat niemand anders de link hier vindt.",
    "link.reloadedNext":
      "Open de link opnieuw vanuit de e-mail. De link werkt totdat er een passkey mee is toegevoegd of totdat hij verloopt.",
    "link.otherwise": "Een toegangstoken gebruiken",
    "link.readyTitle": "Je passkey is klaar",
    "link.ready": "“{name}” is toegevoegd aan je account.",
    "link.readySignIn": "Inloggen",
    "link.readyContinue": "Doorgaan",
    "link.readyReturn": "Doorgaan naar {host}",
    "link.readyConsole": "Console openen",
    "link.readyAccount": "Je account openen",
    "link.readySecond":
      "Voeg op een tweede apparaat nog een passkey toe, voor het geval je deze kwijtraakt. Dat kan op je accountpagina nadat je bent ingelogd.",
    "link.readyUsed": "De link die je hebt geopend, kan niet meer worden gebruikt.",

    "token.label": "Toegangstoken",
    "token.hint": "Het begint met kst_ en wordt alleen bewaard tot je uitlogt of dit tabblad sluit.",
    "token.show": "Mijn passkeys tonen",
    "token.title": "Je passkeys",
    "token.introduction":
      "Heb je een link gekregen om een passkey toe te voegen? Open die vanuit de e-mail. Voer een toegangstoken in om de passkeys te zien die je al hebt.",
    "token.malformed": "Voer een token in dat begint met kst_.",
    "token.signingIn": "Inloggen…",
    "token.signedInAs": "Ingelogd als {name}",
    "token.signedOut": "Je bent uitgelogd. Het token zelf blijft geldig totdat het verloopt of wordt ingetrokken.",
    signOut: "Uitloggen",

    "passkeys.label": "Passkeys",
    "passkeys.none": "Je hebt nog geen passkeys.",
    "passkeys.add": "Passkey toevoegen",
    "passkeys.added": "“{name}” is toegevoegd.",
    "passkeys.renamed": "De naam is nu “{name}”.",
    "passkeys.removed": "“{name}” is verwijderd.",
    "passkeys.missing": "Deze passkey is intussen verwijderd.",

    "passkey.keptBy": "Bewaard door",
    "passkey.where": "Plaats",
    "passkey.oneDevice": "op maar één apparaat",
    "passkey.synced": "gesynchroniseerd tussen je apparaten",
    "passkey.canSync": "op één apparaat, kan worden gesynchroniseerd",
    "passkey.former": "Vorig adres",
    "passkey.added": "Toegevoegd",
    "passkey.lastUsed": "Laatst gebruikt",
    "passkey.notUsed": "nog niet",
    "passkey.rename": "Naam wijzigen",
    "passkey.renameOne": "Naam van {name} wijzigen",
    "passkey.remove": "Verwijderen",
    "passkey.removeOne": "{name} verwijderen",

    "rename.title": "Naam van deze passkey wijzigen",
    "rename.name": "Naam",
    "rename.hint": "Zodat je hem later herkent.",
    "rename.save": "Opslaan",
    "remove.title": "Deze passkey verwijderen?",
    "remove.consequence":
      "Je kunt dan niet meer inloggen met “{name}”. Je apparaat bewaart zijn deel misschien totdat je het daar ook verwijdert.",
    "remove.lost": "Hij is verloren of gestolen",
    "remove.lostHint":
      "Dan eindigen ook de toegang van applicaties en de toegangstokens die met deze passkey zijn begonnen.",
    "ends.these": "Dit eindigt:",
    "ends.sessions": "Sessies: {count}",
    "ends.applications": "Toegang van applicaties: {count}",
    "ends.tokens": "Toegangstokens: {count}",
    "ends.nothing": "Er eindigt geen sessie en geen toegang.",
    "remove.only":
      "Dit is je enige passkey. Zonder passkey kun je misschien niet meer inloggen: voeg er eerst nog een toe.",

    "start.title": "Welkom",
    "start.loading": "Een ogenblik…",
    "start.introduction": "Log in om je account, je passkeys en de apparaten waarop je bent ingelogd te zien.",
    "start.account": "Naar je account",

    "signIn.title": "Inloggen",
    "signIn.returnToConsole": "Daarna opent de console.",
    "signIn.returnTo": "Daarna ga je verder naar {host}.",
    "signIn.introduction": "Gebruik je vingerafdruk, je gezicht of de pincode van je apparaat.",
    "signIn.account": "Kies een account",
    "signIn.accountHint": "Kies een passkey die je browser hier aanbiedt.",
    "signIn.button": "Inloggen met een passkey",
    "signIn.preparing": "Voorbereiden…",
    "signIn.asking": "Volg de instructies van je apparaat…",
    "signIn.completing": "Je wordt ingelogd…",
    "signIn.signedOut": "Je bent uitgelogd.",
    "signIn.ended": "Je sessie is beëindigd. Log opnieuw in om door te gaan.",
    "signIn.help": "Lukt inloggen niet?",
    "signIn.helpPhone":
      "Staat je passkey op je telefoon? Gebruik de knop en kies een ander apparaat; er verschijnt een code om te scannen.",
    "signIn.helpFirst": "Nog geen passkey? Open de link in de e-mail die je bij je account hebt gekregen.",
    "former.hint": "Is je passkey gemaakt toen deze dienst nog op {domain} stond?",
    "former.button": "Een passkey van {domain} gebruiken",
    "former.title": "Je passkey van {domain}",
    "former.lead": "Gebruik hem hier, op het vorige adres. Je gaat meteen terug naar {host}.",
    "move.title": "Nog een passkey",
    "move.lead":
      "Je passkey is van {former}, het vorige adres. Voeg er een toe voor {domain}: de andere werkt op termijn misschien niet meer.",
    "move.later": "Niet nu",
    "signIn.lost": "Passkey kwijt?",
    "discovery.continue": "Doorgaan",
    "discovery.looking": "Je organisatie wordt gezocht…",
    "discovery.choose": "Kies hoe je wilt inloggen.",
    "discovery.none": "Hier is geen organisatie voor adressen van dit domein. Log in met je passkey.",

    "provider.or": "of",
    "provider.more": "Meer providers",
    "provider.signIn": "Inloggen met {name}",
    "provider.link": "{name} koppelen",
    "provider.returned": "Een ogenblik",
    "provider.linking": "Koppelen…",
    "provider.toAccount": "Terug naar je account",
    "provider.linkedAt": "Gekoppeld",
    "provider.subject": "Daar bekend als",
    "provider.unlink": "Ontkoppelen",
    "provider.unlinkOne": "{name} ontkoppelen",
    "provider.unlinkTitle": "Deze provider ontkoppelen?",
    "provider.unlinkConsequence":
      "Je kunt dan niet meer inloggen met {name}, en waar je dat hebt gedaan, word je uitgelogd. Je account bij die provider blijft bestaan.",
    "provider.onlyWay":
      "Je hebt geen passkey. Zonder passkey kun je misschien niet meer inloggen: voeg er eerst een toe.",
    "provider.unlinked": "{name} is ontkoppeld.",
    "provider.linked": "De provider is gekoppeld. Je kunt er vanaf nu mee inloggen.",

    "links.label": "Andere manieren om in te loggen",
    "links.hint": "Je kunt ook inloggen met providers die je hebt gekoppeld.",
    "links.none": "Koppel een account dat je ergens anders hebt, om daarmee in te loggen.",

    "recovery.title": "Je account herstellen",
    "recovery.introduction":
      "Als je organisatie dat toestaat, krijg je per e-mail een link om een nieuwe passkey te registreren. Vraag anders je beheerder om een link.",
    "recovery.off":
      "Je organisatie stuurt geen links per e-mail naar mensen die hun passkeys kwijt zijn. Vraag je beheerder, of de persoon die je heeft uitgenodigd, om een link om een nieuwe passkey te registreren.",
    "mailForm.address": "E-mailadres",
    "recovery.addressHint": "Het adres dat bij je account hoort.",
    "mailForm.noAddress": "Voer een e-mailadres in, zoals naam@example.com.",
    "mailForm.button": "Link sturen",
    "mailForm.sending": "Verzenden…",
    "signIn.back": "Terug naar inloggen",
    "mailForm.sent": "Kijk in je mailbox",
    "recovery.ifKnown": "Als een account dat per e-mail kan worden hersteld dit adres heeft, is er een link onderweg.",
    "recovery.open": "De link werkt één keer, 30 minuten lang. Open hem op het apparaat waarmee je wilt inloggen.",
    "recovery.noMail":
      "Na enkele minuten nog geen e-mail? Zoek in je spammap naar een eerdere, of vraag je beheerder om een link.",

    "signUp.title": "Account aanmaken",
    "signUp.introduction": "Je krijgt per e-mail een link waarmee je account wordt aangemaakt.",
    "signUp.addressHint": "Je krijgt de link op dit adres.",
    "signUp.name": "Je naam",
    "signUp.nameHint": "Zoals anderen die zien. Je mag dit leeg laten.",
    "signUp.sent": "Er is een link onderweg.",
    "signUp.open": "De link werkt 24 uur. Open hem op het apparaat waarmee je wilt inloggen.",
    "signUp.noMail": "Na enkele minuten nog geen e-mail? Kijk in je spammap en controleer het adres.",
    "signUp.confirmTitle": "Je account aanmaken",
    "signUp.confirmText":
      "Je e-mailadres is bevestigd. Maak het account aan en voeg daarna een passkey toe om mee in te loggen.",
    "signUp.confirm": "Account aanmaken",

    "connect.title": "Apparaat verbinden",
    "connect.introduction": "Voer de code in die het apparaat toont.",
    "connect.code": "Code",
    "connect.codeHint": "Acht letters, zoals WDJB-MJHT.",
    "connect.noCode": "Voer de code in.",
    "connect.continue": "Doorgaan",
    "connect.finding": "De code wordt opgezocht…",
    "connect.ask": "{name} verbinden met je account?",
    "connect.account": "Je bent ingelogd als {account}.",
    "connect.isShown": "Toont je apparaat deze code?",
    "connect.yes": "Ja, deze code",
    "connect.no": "Nee",
    "connect.warning":
      "Heeft iemand je de code of een link naar deze pagina gestuurd? Kies dan {no}: die persoon zou toegang krijgen tot je account.",
    "connect.gets": "Het apparaat kan:",
    "connect.allow": "Toestaan",
    "connect.done": "Je apparaat is verbonden",
    "connect.doneNext": "Ga verder op het apparaat. Je kunt deze pagina sluiten.",
    "connect.denied": "Het apparaat krijgt geen toegang",
    "connect.deniedNext": "Je kunt deze pagina sluiten.",

    "account.title": "Je account",
    "account.console": "Console",
    "profile.label": "Over jou",
    "profile.change": "Je gegevens wijzigen",
    "profile.changed": "Je gegevens zijn gewijzigd.",
    "profile.displayName": "Weergavenaam",
    "profile.givenName": "Voornaam",
    "profile.familyName": "Achternaam",
    "profile.locale": "Taal",
    "profile.localeHint": "Een taalcode, zoals nl of pt-BR.",
    "profile.zoneinfo": "Tijdzone",
    "profile.zoneinfoHint": "Een naam, zoals Europe/Amsterdam.",
    "profile.picture": "Foto",
    "profile.pictureHint": "Het midden van een afbeelding. Applicaties die je gebruikt, kunnen de foto tonen.",
    "profile.noPicture": "Kies een afbeeldingsbestand.",
    "profile.removePicture": "De huidige foto verwijderen",
    "profile.email": "E-mailadres",
    "profile.refused": "De server accepteert deze waarde niet: {violation}.",
    "profile.listHint": "Eén waarde per regel.",
    "profile.noNumber": "Voer een getal in.",
    "profile.unset": "Niet opgegeven",
    "profile.yes": "Ja",
    "profile.no": "Nee",
    "email.change": "Je e-mailadres wijzigen",
    "email.add": "E-mailadres toevoegen",
    "email.verify": "Je e-mailadres bevestigen",
    "email.unverified": "niet bevestigd",
    "email.introduction":
      "Je krijgt een link op het adres. Totdat je die opent, verandert er niets. Gaat het om een nieuw adres, dan krijgt je huidige adres een melding.",
    "email.new": "E-mailadres",
    "email.newHint": "De link werkt 24 uur.",
    "email.same": "Dit is al je e-mailadres, en het is bevestigd.",
    "email.send": "Link sturen",
    "email.sent": "Er is een link gestuurd naar {address}. Open hem waar je bent ingelogd.",
    "email.pending": "{address} wacht op je bevestiging: open de link die daarheen is gestuurd, uiterlijk {until}.",
    "email.cancel": "Deze wijziging annuleren",
    "email.cancelled": "De wijziging van je e-mailadres is geannuleerd.",
    "email.confirmTitle": "Dit e-mailadres gebruiken?",
    "email.confirmText": "{address} wordt het e-mailadres van je account.",
    "email.confirmAny": "Het adres waarop je de link hebt gekregen, wordt het e-mailadres van je account.",
    "email.confirm": "Dit adres gebruiken",
    "email.confirmed": "Je e-mailadres is bevestigd.",
    "account.loading": "Je account wordt geladen…",
    "account.passkeysHint": "Met elke passkey kun je inloggen. Zorg dat je er twee hebt, op verschillende apparaten.",
    "account.noPasskeysHint": "Voeg er een toe, zodat je weer kunt inloggen.",
    "account.onlyProvidersHint": "Voeg er een toe om zonder je provider in te loggen.",
    "account.formerHint":
      "Voeg er een toe voor {domain}: die van het vorige adres werken op termijn misschien niet meer.",
    "account.onePasskeyHint":
      "Je hebt er één. Voeg er op een ander apparaat nog een toe, voor het geval je deze kwijtraakt.",

    "sessions.label": "Waar je bent ingelogd",
    "sessions.hint": "Herken je een van deze sessies niet? Log die uit en verwijder de passkeys die niet van jou zijn.",
    "sessions.unknownDevice": "Onbekend apparaat",
    "sessions.current": "Dit apparaat",
    "sessions.signedIn": "Ingelogd",
    "sessions.lastSeen": "Laatst actief",
    "sessions.address": "IP-adres",
    "sessions.end": "Uitloggen",
    "sessions.endOne": "{name} uitloggen",
    "sessions.ended": "“{name}” is uitgelogd.",
    "sessions.gone": "Deze sessie was al beëindigd.",
    "sessions.everywhere": "Overal uitloggen",
    "sessions.everywhereTitle": "Overal uitloggen?",
    "sessions.everywhereConsequence":
      "Al je sessies eindigen, ook deze. Je passkeys blijven, en je kunt er weer mee inloggen. Je toegangstokens en de toegang van applicaties die duurt totdat jij die beëindigt, blijven ook.",
    "sessions.only": "Je bent alleen op dit apparaat ingelogd.",

    "confirm.title": "Bevestig dat jij het bent",
    "confirm.text": "Je bent een tijd geleden ingelogd. Gebruik opnieuw een van je passkeys om door te gaan.",
    "confirm.button": "Passkey gebruiken",
    "confirm.provider": "Opnieuw inloggen met je provider",
    "confirm.providerText": "Of log opnieuw in met je provider en herhaal daarna de wijziging.",

    "request.host": "op {host}",
    "request.named": "noemt zich “{name}”",
    "request.returnsTo": "gaat terug naar {host}",
    "request.unknownSite":
      "Niemand hier heeft deze applicatie gecontroleerd. Ze heeft haar naam zelf gekozen: sta dit alleen toe als je {host} kent.",
    "request.unknownProgram":
      "Dit is een programma op je apparaat. Elk programma kan zeggen dat het van {host} is: sta dit alleen toe als je het zelf net hebt gestart.",
    "request.account": "Account",
    "request.chooseTitle": "Kies een account",
    "request.continue": "Doorgaan",
    "request.another": "Ander account gebruiken",
    "request.otherwise": "Anders inloggen",
    "request.consentTitle": "Toegang tot je account toestaan?",
    "request.consent": "Als je dit toestaat, kan {name}:",
    "request.allow": "Toestaan",
    "request.again": "{name} vraagt je om opnieuw in te loggen.",
    "request.passkey": "{name} vraagt om een passkey met de vingerafdruk, het gezicht of de pincode van je apparaat.",
    "request.back": "Terug naar de applicatie",
    "request.backTo": "Terug naar {host}",
    "request.leaving": "Je gaat terug naar {name}.",
    "request.openTitle": "Ga verder in de applicatie",
    "request.openText": "Je browser opent {name}. Gebruik de knop als er niets gebeurt.",
    "request.open": "Applicatie openen",
    "request.goBack": "Terug",
    "request.reason": "Voor de beheerder van de applicatie: ",
    "logout.title": "Uitloggen?",
    "logout.text": "{name} vraagt om je hier uit te loggen.",
    "logout.textUnnamed": "Een applicatie vraagt om je hier uit te loggen.",
    "logout.stay": "Ingelogd blijven",
    "request.toAccount": "Naar je account",

    "scope.openid": "Weten wie je bent",
    "scope.profile": "Je naam en je gebruikersnaam zien",
    "scope.email": "Je e-mailadres zien",
    "scope.groups": "De groepen zien waar je bij hoort",
    "scope.offlineAccess": "Ingelogd blijven als je er niet bent",
    "scope.other": "“{scope}” gebruiken",
    "access.resource": "De toegang is voor {resource}.",
    "access.offline": "De toegang duurt totdat je die beëindigt op je accountpagina.",
    "access.session": "De toegang eindigt als je uitlogt. Je kunt die eerder beëindigen op je accountpagina.",

    "grants.label": "Applicaties die je gebruikt",
    "grants.hint": "Je hebt deze applicaties toegang gegeven tot je account.",
    "grants.can": "Kan",
    "grants.since": "Sinds",
    "grants.narrow": "Wijzigen",
    "grants.narrowOne": "Toegang van {name} wijzigen",
    "grants.narrowTitle": "Toegang wijzigen",
    "grants.narrowQuestion": "{name} kan:",
    "grants.narrowConsequence":
      "{name} verliest binnen enkele minuten wat je uitvinkt. De applicatie houdt wat al is gelezen en kan het je opnieuw vragen.",
    "grants.narrowSave": "Opslaan",
    "grants.narrowed": "De toegang van {name} is gewijzigd.",
    "grants.revoke": "Toegang beëindigen",
    "grants.revokeOne": "Toegang van {name} beëindigen",
    "grants.revokeTitle": "Toegang beëindigen?",
    "grants.revokeConsequence":
      "{name} wordt uitgelogd van je account en vraagt je bij de volgende keer inloggen opnieuw om toegang. De applicatie houdt wat al is gelezen.",
    "grants.revoked": "{name} heeft geen toegang meer.",

    "tokens.label": "Toegangstokens",
    "tokens.hint": "Een programma met een toegangstoken handelt namens jou. Verwijder tokens die je niet herkent.",
    "tokens.unnamed": "Token zonder naam",
    "tokens.certificate": "Certificaat",
    "tokens.created": "Aangemaakt",
    "tokens.creator": "Door",
    "tokens.byYou": "jou",
    "tokens.byOther": "iemand anders",
    "tokens.expires": "Geldig tot",
    "tokens.unlimited": "je het verwijdert",
    "tokens.remove": "Verwijderen",
    "tokens.removeOne": "Token {name} verwijderen",
    "tokens.removeTitle": "Dit token verwijderen?",
    "tokens.removeConsequence": "Programma’s die “{name}” gebruiken, worden meteen geweigerd.",
    "tokens.removed": "“{name}” is verwijderd.",
  },

  refusals: {
    LINK_EXPIRED: ["Deze link is verlopen", `Links werken maar een beperkte tijd. ${NEW_LINK}`],
    LINK_USED: [
      "Deze link is al gebruikt",
      "Er is een passkey mee toegevoegd, en met elke link kan dat één keer. Was jij dat niet? Waarschuw dan meteen je beheerder. " +
        "Vraag een nieuwe link als je nog een passkey wilt toevoegen.",
    ],
    LINK_REPLACED: [
      "Er is een nieuwere link",
      "Na deze link is er nog een naar je gestuurd, en alleen de nieuwste werkt. Open die.",
    ],
    LINK_TRIED_TOO_OFTEN: ["Deze link is te vaak geprobeerd", `De link werkt niet meer. ${NEW_LINK}`],
    USER_LOCKED: [
      "Dit account is geblokkeerd",
      "Niemand kan ermee inloggen totdat het is gedeblokkeerd. Neem contact op met je beheerder.",
    ],
    RECOVERY_NOT_ALLOWED: [
      "Herstel via e-mail is niet meer mogelijk",
      "Je organisatie heeft dat gewijzigd nadat de e-mail was verstuurd. Vraag je beheerder om een nieuwe link.",
    ],
    EMAIL_SET_BY_OTHERS: [
      "Deze link is opgeschort",
      "Vraag je beheerder om je e-mailadres te bevestigen. Open de link daarna opnieuw.",
    ],
    LINK_INVALID: [
      "Deze link werkt niet",
      "Misschien ontbreekt er een deel: open de link direct vanuit de e-mail of kopieer hem helemaal. Werkt hij dan nog niet, vraag dan een nieuwe aan de persoon die je de link heeft gestuurd.",
    ],

    USER_CODE_INVALID: [
      "Deze code werkt niet",
      "Vergelijk de code met het apparaat. Elke code werkt één keer, tien minuten lang: het apparaat kan een nieuwe tonen.",
    ],

    TOO_MANY_GRANTS: [
      "Je gebruikt het maximale aantal applicaties",
      "Beëindig op je accountpagina de toegang van applicaties die je niet meer gebruikt en probeer het opnieuw.",
    ],

    TOO_MANY_ATTEMPTS: [
      "Er waren te veel mislukte pogingen",
      "De registratie is gestopt om je account te beschermen. Begin opnieuw.",
    ],
    TOO_MANY_PASSKEYS: [
      "Je hebt het maximale aantal passkeys",
      "Verwijder er een die je niet meer gebruikt, of vraag dat aan je beheerder, en probeer het opnieuw.",
    ],
    TOO_MANY_CEREMONIES: [
      "Er staan nog te veel pogingen open",
      "Wacht tien minuten totdat ze zijn verlopen en probeer het opnieuw.",
    ],
    CEREMONY_ENDED: [
      "Deze registratie is gestopt",
      "De registratie is geannuleerd, of je account is gewijzigd of verwijderd, terwijl je apparaat de passkey maakte. Er is niets opgeslagen. " +
        "Probeer het opnieuw. Lukt dat niet, neem dan contact op met je beheerder.",
    ],
    CHALLENGE_EXPIRED: [
      "Dat duurde te lang",
      "Er is niets opgeslagen. Probeer het opnieuw en rond het binnen tien minuten af.",
    ],
    CHALLENGE_USED: [
      "Deze poging is al afgerond",
      "Er is een passkey mee opgeslagen. Was jij dat niet? Waarschuw dan meteen je beheerder.",
    ],
    PASSKEY_NOT_FOUND: ["Deze passkey bestaat niet meer", "Hij is intussen verwijderd. Laad de lijst opnieuw."],

    CREDENTIAL_ALREADY_REGISTERED: [
      "Deze passkey is al geregistreerd",
      "Gebruik een ander apparaat, een andere beveiligingssleutel of een andere wachtwoordmanager om een nieuwe te maken.",
    ],
    CREDENTIAL_MALFORMED: [
      "Het antwoord van je apparaat kan niet worden gelezen",
      "Er is niets opgeslagen. Probeer het opnieuw. Gebeurt het nog een keer, werk dan de browser bij of gebruik een ander apparaat.",
    ],
    CREDENTIAL_NOT_VERIFIED: [
      "Het antwoord van je apparaat kon niet worden geverifieerd",
      "Er is niets opgeslagen. Probeer het opnieuw. Gebeurt het nog een keer, werk dan de browser bij of gebruik een ander apparaat.",
    ],
    ORIGIN_NOT_ALLOWED: [
      "Op dit adres kunnen geen passkeys worden toegevoegd",
      "Controleer of het adres in de browser het adres is dat je hebt gekregen. Klopt het, dan is deze server er niet voor ingesteld: meld dit aan je beheerder.",
    ],
    USER_NOT_VERIFIED: [
      "Je apparaat heeft niet gecontroleerd dat jij het bent",
      "Stel er een pincode, een vingerafdruk of gezichtsherkenning op in, of gebruik een ander apparaat, en probeer het opnieuw.",
    ],
    ALGORITHM_NOT_ALLOWED: [
      "Dit soort passkey kan hier niet worden gebruikt",
      "Je apparaat heeft een sleutel gemaakt van een soort die niet wordt geaccepteerd. Gebruik een ander apparaat of een andere beveiligingssleutel.",
    ],
    ATTESTATION_NOT_ALLOWED: [
      "Dit apparaat kan hier niet worden gebruikt",
      "Het heeft zich bekendgemaakt op een manier die niet wordt geaccepteerd. Gebruik een ander apparaat of een andere beveiligingssleutel.",
    ],
    INVALID_FIELDS: ["Iets in het formulier wordt niet geaccepteerd", "Wijzig de naam en probeer het opnieuw."],

    UNAUTHENTICATED: [
      "Dit token is niet geldig",
      "Het is verlopen, ingetrokken of onvolledig. Log in met een ander token.",
    ],
    EMAIL_CHANGE_INVALID: [
      "Deze link is onvolledig",
      "Open hem zoals hij in de e-mail staat, of vraag onder “Over jou” een nieuwe aan.",
    ],
    EMAIL_CHANGE_OF_OTHER_USER: [
      "Deze link hoort bij een ander account",
      "Log in op dat account en open de link in de e-mail opnieuw.",
    ],
    EMAIL_CHANGE_EXPIRED: ["Deze link is verlopen", "Vraag onder “Over jou” een nieuwe aan."],
    EMAIL_CHANGE_ENDED: [
      "Deze link werkt niet meer",
      "Hij is al gebruikt, of de wijziging is geannuleerd of vervangen. Bekijk je e-mailadres onder “Over jou”.",
    ],
    EMAIL_TAKEN: [
      "Een ander account heeft dit e-mailadres",
      "Gebruik een ander adres of neem contact op met je beheerder.",
    ],
    EMAIL_FROM_PROVIDER: [
      "Je e-mailadres komt van je identiteitsprovider",
      "Wijzig het daar. Het wordt overgenomen als je de volgende keer met de provider inlogt.",
    ],
    SMTP_CONFIG_MISSING: [
      "Er kan geen e-mail worden verstuurd",
      "De dienst heeft nog geen mailserver. Neem contact op met je beheerder.",
    ],
    TOO_MANY_MAILS: [
      "Er zijn te veel e-mails naar dit adres gestuurd",
      "Probeer het over een uur opnieuw of gebruik een ander adres.",
    ],
    PROFILE_KEPT: [
      "Je organisatie beheert deze gegevens",
      "Alleen een beheerder kan ze wijzigen. Neem contact op met je beheerder.",
    ],
    PERMISSION_DENIED: ["Je mag dit niet doen", "Je account heeft dit recht niet. Neem contact op met je beheerder."],
    USER_NOT_FOUND: ["Dit account is niet gevonden", "Misschien is het verwijderd. Neem contact op met je beheerder."],
    NOT_FOUND: ["Dit account is niet gevonden", "Misschien is het verwijderd. Neem contact op met je beheerder."],
    RESOURCE_EXHAUSTED: ["Er waren te veel verzoeken", "Wacht een minuut en probeer het opnieuw."],
    UNAVAILABLE: ["De dienst is nu niet beschikbaar", "Dit is meestal binnen een minuut voorbij. Probeer het opnieuw."],
    DEADLINE_EXCEEDED: ["De dienst reageerde te langzaam", "Probeer het zo meteen opnieuw."],
    ABORTED: ["Iemand heeft op hetzelfde moment hetzelfde gewijzigd", "Probeer het opnieuw."],
    UNREACHABLE: ["De dienst is niet bereikbaar", "Controleer je verbinding en probeer het opnieuw."],
    OFFLINE: ["Je bent offline", "Maak verbinding met internet en probeer het opnieuw."],
    UNKNOWN: ["Er is iets misgegaan", "Probeer het opnieuw. Gebeurt het nog een keer, meld dit dan aan je beheerder."],

    SIGN_IN_FAILED: [
      "Inloggen is niet gelukt",
      "Probeer het opnieuw of gebruik een andere passkey. Gebeurt het nog een keer, neem dan contact op met je beheerder.",
    ],
    PASSKEY_UNKNOWN: [
      "Je kunt met deze passkey niet meer inloggen",
      "Hij is uit het account verwijderd. Gebruik een andere of vraag je beheerder om een link om een nieuwe toe te voegen.",
    ],
    SIGN_IN_EXPIRED: ["Dat duurde te lang", "Probeer het opnieuw en rond het binnen tien minuten af."],
    SIGN_IN_USED: ["Deze poging is al afgerond", "Probeer het opnieuw."],
    SIGN_IN_NOT_MADE: [
      "Je bent niet ingelogd",
      "Het inloggen is geannuleerd of duurde te lang, of dit apparaat heeft geen passkey voor deze dienst. Probeer het opnieuw wanneer je wilt.",
    ],
    SIGN_IN_UNREADABLE: [
      "Het antwoord van je apparaat kan niet worden gelezen",
      "Probeer het opnieuw. Gebeurt het nog een keer, werk dan de browser bij of gebruik een ander apparaat.",
    ],
    SIGN_IN_NOT_HERE: [
      "Je kunt op dit adres niet inloggen",
      "Controleer of het adres in de browser het adres is dat je hebt gekregen. Klopt het, dan is deze server er niet voor ingesteld: meld dit aan je beheerder.",
    ],
    SIGN_IN_NO_WEBAUTHN: [
      "Deze browser kan geen passkeys gebruiken",
      "Gebruik een actuele versie van Chrome, Edge, Firefox of Safari. Browsers binnen andere apps kunnen het vaak niet.",
    ],
    SIGN_IN_INSECURE: [
      "Deze verbinding is niet beveiligd",
      "Browsers gebruiken passkeys alleen op beveiligde adressen, die met https:// beginnen. Open deze pagina op zo’n adres.",
    ],
    COOKIES_BLOCKED: [
      "Deze browser blokkeert cookies",
      "Je blijft ingelogd dankzij een cookie van dit adres. Sta in de instellingen van de browser cookies en sitegegevens toe voor dit adres en laad deze pagina opnieuw.",
    ],
    STORAGE_BLOCKED: [
      "Deze browser blokkeert opslag",
      "Die is nodig voor de weg naar de provider en terug. Sta in de instellingen van de browser cookies en sitegegevens toe voor dit adres en laad deze pagina opnieuw.",
    ],
    NOT_CONFIRMED: [
      "Je hebt niet bevestigd dat jij het bent",
      "De bevestiging is geannuleerd of duurde te lang. Er is niets gewijzigd. Probeer het opnieuw wanneer je wilt.",
    ],
    SESSION_ENDED: ["Je sessie is beëindigd", "Log opnieuw in om door te gaan."],

    AUTHORIZATION_REQUEST_EXPIRED: [
      "Deze inlogpoging is beëindigd",
      "Ze is al afgerond, duurde langer dan tien minuten, of het adres is onvolledig. Ga terug naar de applicatie en begin opnieuw.",
    ],
    UNKNOWN_CLIENT: [
      "Deze applicatie is hier niet bekend",
      "Het inloggen kan niet doorgaan. Ga terug naar de applicatie en vraag de beheerder ervan om de client_id te controleren.",
    ],
    REDIRECT_URI_NOT_REGISTERED: [
      "De weg terug naar de applicatie is niet geregistreerd",
      "Het inloggen kan niet doorgaan, omdat het antwoord bij iemand anders terecht zou kunnen komen. Ga terug naar de applicatie en meld dit aan de beheerder ervan, die de redirect_uri kan registreren.",
    ],
    CLIENT_METADATA_INVALID: [
      "De beschrijving van de applicatie is niet geldig",
      "Het inloggen kan niet doorgaan. Vraag de beheerder van de applicatie om het document op de client_id te controleren.",
    ],
    CLIENT_METADATA_UNREACHABLE: [
      "De beschrijving van de applicatie kan niet worden gelezen",
      "Het document op de client_id reageert op dit moment niet. Ga terug naar de applicatie en probeer het zo meteen opnieuw.",
    ],
    LOGOUT_NOT_POSSIBLE: [
      "De applicatie heeft een onjuist verzoek om uit te loggen gestuurd",
      "Je bent hier nog ingelogd. Log uit op je accountpagina en vraag de beheerder van de applicatie om de id_token_hint en de client_id van het verzoek te controleren.",
    ],
    LOGOUT_REQUEST_INVALID: [
      "Dit verzoek om uit te loggen is niet geldig",
      "Het duurde langer dan tien minuten, of het adres is onvolledig. Ga terug naar de applicatie en log opnieuw uit, of log uit op je accountpagina.",
    ],
    POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED: [
      "De weg terug naar de applicatie is niet geregistreerd",
      "Je bent nog ingelogd. Meld dit aan de beheerder van de applicatie, die de post_logout_redirect_uri kan registreren.",
    ],
    AUTHORIZATION_INVALID: [
      "De applicatie heeft een onjuist verzoek gestuurd",
      "Het inloggen kan niet doorgaan. Ga terug naar de applicatie en meld dit aan de beheerder ervan, die dit verzoek en de oplossing vindt met de verzoek-ID.",
    ],
    AUTHORIZATION_FAILED: [
      "Het inloggen kan niet doorgaan",
      "Ga terug naar de applicatie en begin opnieuw. Gebeurt het nog een keer, meld dit dan aan de beheerder ervan.",
    ],
    ANOTHER_ACCOUNT_REQUIRED: [
      "De applicatie vraagt om een ander account",
      "Het is niet het account waarmee je hier bent ingelogd. Gebruik het account dat je eerder bij de applicatie hebt gebruikt.",
    ],
    APPLICATION_NOT_ALLOWED: [
      "Je account mag deze applicatie niet gebruiken",
      "Vraag de beheerder van de applicatie om toegang of gebruik een ander account.",
    ],
    EMAIL_REQUIRED: [
      "Je account heeft geen e-mailadres",
      "De applicatie vereist er een. Vraag de beheerder van je organisatie om het aan je account toe te voegen.",
    ],
    PASSKEY_REQUIRED: [
      "Deze passkey is niet voldoende",
      "De applicatie vraagt om een passkey die wordt gebruikt met de vingerafdruk, het gezicht of de pincode van je apparaat. Gebruik een andere passkey.",
    ],

    SIGN_UP_NOT_ALLOWED: [
      "Je kunt hier geen account aanmaken",
      "Vraag de beheerders van deze dienst om een uitnodiging.",
    ],
    SIGN_UP_EXPIRED: [
      "Deze link werkt niet meer",
      "De link is onvolledig of ouder dan 24 uur. Vraag op de inlogpagina een andere aan.",
    ],
    SIGN_UP_USED: [
      "Deze link is al gebruikt",
      "Je account is ermee aangemaakt. Log in met je passkey of vraag de beheerders van deze dienst om een link.",
    ],
    SIGN_UP_USER_EXISTS: [
      "Je hebt al een account",
      "Het heeft dit e-mailadres. Log in met je passkey. Ben je die kwijt, dan kan de inlogpagina je een nieuwe link mailen.",
    ],

    NOT_REGISTERED: [
      "Er is hier nog geen account voor je",
      "Niemand hier is gekoppeld aan het account dat je hebt gebruikt. Log op een andere manier in en koppel het, of vraag je beheerder om een account.",
    ],
    USER_EXISTS_LINK_FIRST: [
      "Je hebt hier al een account",
      "Voor je veiligheid wordt het niet gekoppeld op basis van naam of e-mailadres. Log in met je passkey en koppel deze provider daarna op je accountpagina.",
    ],
    ROLES_EXCEED_PROVIDER: [
      "Je account gebruikt deze provider niet",
      "Het heeft meer rechten dan de mensen die de provider beheren. Log in met je passkey.",
    ],
    IDENTITY_LINKED: [
      "Dit account is al gekoppeld",
      "Het hoort hier bij een andere gebruiker, of bij jou. Om dat te wijzigen, log je ermee in en ontkoppel je het daar.",
    ],
    FLOW_EXPIRED: [
      "Dat duurde te lang",
      "Er is niets gewijzigd. Probeer het opnieuw en rond het binnen tien minuten af.",
    ],
    FLOW_USED: ["Deze poging is al afgerond", "Er is niets gewijzigd. Begin opnieuw."],
    FLOW_LOST: [
      "Je kunt hier niet verder met inloggen",
      "De pagina is opnieuw geladen, of je bent begonnen in een ander tabblad of een andere browser. Er is niets gewijzigd. Begin opnieuw.",
    ],
    IDP_DENIED: [
      "De provider heeft je niet doorgelaten",
      "Je hebt geannuleerd, of de provider heeft geweigerd. Probeer het opnieuw of log op een andere manier in.",
    ],
    IDP_DID_NOT_REAUTHENTICATE: [
      "De provider heeft je niet opnieuw laten inloggen",
      "Hij ging verder met een eerdere sessie. Er is niets gewijzigd. Log uit bij de provider en probeer het opnieuw.",
    ],
    IDP_UNREACHABLE: [
      "De provider is niet bereikbaar",
      "Dit is meestal binnen enkele minuten voorbij. Probeer het opnieuw of log op een andere manier in.",
    ],
    IDP_NOT_CONFIGURED: [
      "Je kunt met deze provider niet inloggen",
      "Hij is niet ingesteld voor dit adres of is verwijderd. Log op een andere manier in of meld dit aan je beheerder.",
    ],
    IDP_DISABLED: [
      "Deze provider is uitgeschakeld",
      "Op dit moment kan niemand ermee inloggen. Log op een andere manier in of neem contact op met je beheerder.",
    ],
    PROVIDER_NOT_VERIFIED: [
      "Inloggen is niet gelukt",
      "De informatie van de provider kon niet worden geverifieerd. Probeer het opnieuw. Gebeurt het nog een keer, meld dit dan aan je beheerder.",
    ],

    NotAllowedError: [
      "Er is geen passkey gemaakt",
      "Het is geannuleerd, duurde te lang of is op je apparaat niet toegestaan. Probeer het opnieuw wanneer je wilt.",
    ],
    InvalidStateError: [
      "Dit apparaat heeft al een passkey van jou",
      "Je kunt inloggen met de passkey die erop staat. Gebruik voor nog een passkey een ander apparaat, een andere beveiligingssleutel of een andere wachtwoordmanager.",
    ],
    SecurityError: [
      "Op dit adres kunnen geen passkeys worden gemaakt",
      "Het adres in de browser is niet het adres van je passkeys. Open deze pagina op het adres dat je hebt gekregen.",
    ],
    NotSupportedError: [
      "Dit apparaat kan de benodigde passkey niet maken",
      "Gebruik een ander apparaat, een beveiligingssleutel of een wachtwoordmanager.",
    ],
    ConstraintError: [
      "Dit apparaat kan niet controleren dat jij het bent",
      "Stel er schermvergrendeling, een pincode of een vingerafdruk op in, of gebruik een ander apparaat, en probeer het opnieuw.",
    ],
    AbortError: ["De passkey is niet afgemaakt", "Iets anders heeft het onderbroken. Probeer het opnieuw."],
    NO_WEBAUTHN: [
      "Deze browser kan geen passkeys maken",
      "Gebruik een actuele versie van Chrome, Edge, Firefox of Safari. Browsers binnen andere apps kunnen het vaak niet.",
    ],
    INSECURE_CONTEXT: [
      "Deze verbinding is niet beveiligd",
      "Browsers maken passkeys alleen op beveiligde adressen, die met https:// beginnen. Open deze pagina op zo’n adres.",
    ],
  },
};
