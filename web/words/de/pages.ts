/** All text of the pages in German. */

import type { Pages } from "../types";

const NEW_LINK = "Bitten Sie die Person, die ihn geschickt hat, um einen neuen.";

export const pages: Pages = {
  texts: {
    cancel: "Abbrechen",
    tryAgain: "Erneut versuchen",
    licences: "Lizenzen",
    support: "Hilfe per E-Mail",
    unknownTime: "unbekannt",
    "address.open": "Diese Seite unter {host} öffnen",
    requestId: "Vorgangsnummer für den Support: ",

    "name.missing": "Geben Sie einen Namen ein.",
    "name.tooLong": "Geben Sie höchstens {most} Zeichen ein.",
    "name.refused": "Dieser Name wird nicht angenommen. Wählen Sie einen anderen.",
    "violation.CONTROL_CHARACTERS": "Entfernen Sie Zeilenumbrüche und Steuerzeichen.",
    "violation.EMPTY": "Geben Sie einen Wert ein.",
    "violation.INVALID_LANGUAGE": "Geben Sie ein Sprachkürzel wie en oder pt-BR ein.",
    "violation.INVALID_MAIL_ADDRESS": "Geben Sie eine E-Mail-Adresse wie name@example.com ein.",
    "violation.INVALID_TIME_ZONE": "Geben Sie eine Zeitzone wie Europe/Berlin ein.",
    "violation.INVISIBLE_CHARACTERS": "Entfernen Sie unsichtbare Zeichen.",
    "violation.NO_VISIBLE_CHARACTER": "Geben Sie mindestens ein sichtbares Zeichen ein.",
    "violation.OUTER_WHITE_SPACE": "Entfernen Sie Leerzeichen am Anfang und am Ende.",
    "violation.TOO_LONG": "Geben Sie höchstens {number} Zeichen ein.",
    "violation.TOO_MANY_ENTRIES": "Geben Sie höchstens {number} Einträge ein.",

    "device.iphone": "iPhone",
    "device.ipad": "iPad",
    "device.androidPhone": "Android-Telefon",
    "device.androidTablet": "Android-Tablet",
    "device.chromebook": "Chromebook",
    "device.windows": "Windows-Computer",
    "device.mac": "Mac",
    "device.linux": "Linux-Computer",
    "device.unknown": "Mein Gerät",
    "device.browserOn": "{browser} auf {system}",

    "add.title": "Passkey hinzufügen",
    "add.name": "Name des Passkeys",
    "add.nameHint": "Damit Sie ihn wiedererkennen, zum Beispiel am Gerät, auf dem er liegt.",
    "add.create": "Passkey erstellen",
    "add.beginning": "Wird vorbereitet …",
    "add.making": "Folgen Sie den Anweisungen Ihres Geräts …",
    "add.saving": "Ihr Passkey wird gespeichert …",
    "add.introduction":
      "Er wird von diesem Gerät, einem Sicherheitsschlüssel oder Ihrem Passwortmanager erstellt; das wählen Sie als Nächstes.",

    "link.checking": "Ihr Link wird geprüft …",
    "link.invitedBy": "{inviter} lädt Sie zu {organization} ein. ",
    "link.invited": "Sie sind zu {organization} eingeladen. ",
    "link.invitedToUse": "Danach können Sie {application} nutzen. ",
    "link.purpose": "Damit melden Sie sich beim Konto {account} von {service} an. ",
    "link.accountWithName": "{displayName} ({userName})",
    "link.advantage":
      "Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder Geräte-PIN an. Es gibt kein Passwort, das Sie " +
      "sich merken müssen oder das gestohlen werden kann.",
    "link.kept": "Ihr Link, zum Öffnen in einem anderen Browser",
    "link.reloadedTitle": "Öffnen Sie Ihren Link noch einmal",
    "link.reloaded": "Diese Seite vergisst einen Link beim Neuladen, damit ihn hier niemand findet.",
    "link.reloadedNext":
      "Öffnen Sie ihn noch einmal aus der E-Mail. Er gilt, bis damit ein Passkey hinzugefügt wurde oder bis er abläuft.",
    "link.otherwise": "Stattdessen ein Zugriffstoken verwenden",
    "link.readyTitle": "Ihr Passkey ist bereit",
    "link.ready": "„{name}“ wurde zu Ihrem Konto hinzugefügt.",
    "link.readySignIn": "Anmelden",
    "link.readyContinue": "Weiter",
    "link.readyReturn": "Weiter zu {host}",
    "link.readyConsole": "Konsole öffnen",
    "link.readyAccount": "Ihr Konto öffnen",
    "link.readySecond":
      "Falls Sie dieses Gerät verlieren, hilft ein weiterer Passkey auf einem zweiten Gerät. Nach der Anmeldung können Sie ihn auf Ihrer Kontoseite hinzufügen.",
    "link.readyUsed": "Der geöffnete Link ist verbraucht.",

    "token.label": "Zugriffstoken",
    "token.hint": "Es beginnt mit kst_ und wird nur behalten, bis Sie sich abmelden oder diesen Tab schließen.",
    "token.show": "Meine Passkeys anzeigen",
    "token.title": "Ihre Passkeys",
    "token.introduction":
      "Haben Sie einen Link zum Hinzufügen eines Passkeys? Öffnen Sie ihn aus der E-Mail. Um Ihre Passkeys zu sehen, geben Sie ein Zugriffstoken ein.",
    "token.malformed": "Geben Sie ein Token ein, das mit kst_ beginnt.",
    "token.signingIn": "Sie werden angemeldet …",
    "token.signedInAs": "Angemeldet als {name}",
    "token.signedOut": "Sie sind abgemeldet. Das Token selbst gilt, bis es abläuft oder widerrufen wird.",
    signOut: "Abmelden",

    "passkeys.label": "Passkeys",
    "passkeys.none": "Sie haben noch keine Passkeys.",
    "passkeys.add": "Passkey hinzufügen",
    "passkeys.added": "„{name}“ wurde hinzugefügt.",
    "passkeys.renamed": "Umbenannt in „{name}“.",
    "passkeys.removed": "„{name}“ wurde entfernt.",
    "passkeys.missing": "Dieser Passkey wurde inzwischen entfernt.",

    "passkey.keptBy": "Verwahrt von",
    "passkey.where": "Ort",
    "passkey.oneDevice": "nur auf einem Gerät",
    "passkey.synced": "auf Ihren Geräten synchronisiert",
    "passkey.canSync": "auf einem Gerät, synchronisierbar",
    "passkey.former": "Frühere Adresse",
    "passkey.added": "Hinzugefügt",
    "passkey.lastUsed": "Zuletzt benutzt",
    "passkey.notUsed": "noch nicht",
    "passkey.rename": "Umbenennen",
    "passkey.renameOne": "{name} umbenennen",
    "passkey.remove": "Entfernen",
    "passkey.removeOne": "{name} entfernen",

    "rename.title": "Passkey umbenennen",
    "rename.name": "Name",
    "rename.hint": "Damit Sie ihn wiedererkennen.",
    "rename.save": "Speichern",
    "remove.title": "Diesen Passkey entfernen?",
    "remove.consequence":
      "Sie können sich mit „{name}“ nicht mehr anmelden. Auf Ihrem Gerät kann ein Teil bleiben, bis Sie ihn auch dort löschen.",
    "remove.lost": "Verloren oder gestohlen",
    "remove.lostHint": "Dann enden auch der Zugriff von Anwendungen und die Zugangstokens, die damit begonnen haben.",
    "ends.these": "Das beendet:",
    "ends.sessions": "Sitzungen: {count}",
    "ends.applications": "Zugriffe von Anwendungen: {count}",
    "ends.tokens": "Zugangstokens: {count}",
    "ends.nothing": "Es endet keine Sitzung und kein Zugriff.",
    "remove.only":
      "Das ist Ihr einziger Passkey. Ohne Passkey können Sie sich möglicherweise nicht mehr anmelden: Fügen Sie zuerst einen weiteren hinzu.",

    "start.title": "Willkommen",
    "start.loading": "Einen Moment …",
    "start.introduction": "Melden Sie sich an, um Ihr Konto, Ihre Passkeys und Ihre Anmeldungen zu sehen.",
    "start.account": "Zu Ihrem Konto",

    "signIn.title": "Anmelden",
    "signIn.returnToConsole": "Danach öffnet sich die Konsole.",
    "signIn.returnTo": "Danach geht es weiter zu {host}.",
    "signIn.introduction": "Mit Fingerabdruck, Gesicht oder der PIN Ihres Geräts.",
    "signIn.account": "Konto oder Mailadresse",
    "signIn.accountHint":
      "Wählen Sie einen Passkey, den Ihr Browser hier anbietet. Eine Mailadresse führt zur Anmeldung Ihrer Organisation.",
    "signIn.button": "Mit Passkey anmelden",
    "signIn.preparing": "Wird vorbereitet …",
    "signIn.asking": "Folgen Sie den Anweisungen Ihres Geräts …",
    "signIn.completing": "Sie werden angemeldet …",
    "signIn.signedOut": "Sie sind abgemeldet.",
    "signIn.ended": "Ihre Sitzung ist beendet. Melden Sie sich wieder an, um fortzufahren.",
    "signIn.help": "Probleme bei der Anmeldung?",
    "signIn.helpPhone":
      "Ist Ihr Passkey auf Ihrem Telefon? Drücken Sie die Taste und wählen Sie ein anderes Gerät; dann erscheint ein Code zum Scannen.",
    "signIn.helpFirst": "Noch kein Passkey? Öffnen Sie den Link in der E-Mail, die Sie mit Ihrem Konto erhalten haben.",
    "former.hint": "Stammt Ihr Passkey aus der Zeit, als dieser Dienst unter {domain} zu finden war?",
    "former.button": "Passkey von {domain} verwenden",
    "former.title": "Ihr Passkey von {domain}",
    "former.lead": "Verwenden Sie ihn hier, unter der früheren Adresse. Danach geht es sofort zurück zu {host}.",
    "move.title": "Noch ein Passkey",
    "move.lead":
      "Ihr Passkey ist von {former}, der früheren Adresse. Fügen Sie einen für {domain} hinzu: Der andere gilt vielleicht nicht mehr lange.",
    "move.later": "Nicht jetzt",
    "signIn.lost": "Passkey verloren?",

    "discovery.continue": "Weiter",
    "discovery.looking": "Ihre Organisation wird gesucht…",
    "discovery.choose": "Wählen Sie, wie Sie sich anmelden.",
    "discovery.none":
      "Für Adressen dieser Domain meldet hier keine Organisation an. Melden Sie sich mit Ihrem Passkey an.",
    "provider.or": "oder",
    "provider.more": "Weitere Anbieter",
    "provider.signIn": "Mit {name} anmelden",
    "provider.link": "{name} verknüpfen",
    "provider.returned": "Einen Moment",
    "provider.linking": "Wird verknüpft …",
    "provider.toAccount": "Zurück zu Ihrem Konto",
    "provider.linkedAt": "Verknüpft",
    "provider.subject": "Dort bekannt als",
    "provider.unlink": "Trennen",
    "provider.unlinkOne": "{name} trennen",
    "provider.unlinkTitle": "Diesen Anbieter trennen?",
    "provider.unlinkConsequence":
      "Sie können sich mit {name} nicht mehr anmelden und werden überall abgemeldet, wo Sie es damit getan haben. Ihr Konto dort bleibt bestehen.",
    "provider.onlyWay":
      "Sie haben keinen Passkey. Ohne ihn können Sie sich möglicherweise nicht mehr anmelden: Fügen Sie zuerst einen hinzu.",
    "provider.unlinked": "{name} ist getrennt.",
    "provider.linked": "Der Anbieter ist verknüpft. Sie können sich von nun an damit anmelden.",

    "links.label": "Weitere Wege zur Anmeldung",
    "links.hint": "Auch verknüpfte Anbieter melden Sie an.",
    "links.none": "Verknüpfen Sie ein Konto, das Sie anderswo haben, um sich damit anzumelden.",

    "recovery.title": "Konto wiederherstellen",
    "recovery.introduction":
      "Wenn Ihre Organisation es erlaubt, erhalten Sie per E-Mail einen Link, um einen neuen Passkey zu erstellen. Sonst bitten Sie Ihre Administration um einen Link.",
    "recovery.off":
      "Ihre Organisation schickt keine Links per E-Mail, wenn jemand seine Passkeys verloren hat. Bitten Sie Ihre Administration, oder die Person, die Sie eingeladen hat, um einen Link für einen neuen Passkey.",
    "mailForm.address": "E-Mail-Adresse",
    "recovery.addressHint": "Die Adresse, die zu Ihrem Konto gehört.",
    "mailForm.noAddress": "Geben Sie eine E-Mail-Adresse wie name@example.com ein.",
    "mailForm.button": "Link senden",
    "mailForm.sending": "Wird gesendet …",
    "signIn.back": "Zurück zur Anmeldung",
    "mailForm.sent": "Sehen Sie in Ihr Postfach",
    "recovery.ifKnown":
      "Wenn zu dieser Adresse ein Konto gehört, das per E-Mail wiederhergestellt werden kann, ist ein Link unterwegs.",
    "recovery.open":
      "Er gilt einmal und 30 Minuten lang. Öffnen Sie ihn auf dem Gerät, mit dem Sie sich anmelden wollen.",
    "recovery.noMail":
      "Nach einigen Minuten keine E-Mail? Suchen Sie im Spam-Ordner nach einer früheren, oder bitten Sie Ihre Administration um einen Link.",

    "signUp.title": "Konto erstellen",
    "signUp.introduction": "Sie erhalten per E-Mail einen Link, der Ihr Konto erstellt.",
    "signUp.addressHint": "Dorthin wird der Link gesendet.",
    "signUp.name": "Ihr Name",
    "signUp.nameHint": "So, wie andere ihn sehen. Sie können ihn weglassen.",
    "signUp.sent": "Ein Link ist unterwegs.",
    "signUp.open": "Er gilt 24 Stunden lang. Öffnen Sie ihn auf dem Gerät, mit dem Sie sich anmelden wollen.",
    "signUp.noMail": "Nach einigen Minuten keine E-Mail? Suchen Sie im Spam-Ordner, und prüfen Sie die Adresse.",
    "signUp.confirmTitle": "Ihr Konto erstellen",
    "signUp.confirmText":
      "Ihre E-Mail-Adresse ist bestätigt. Erstellen Sie das Konto, und fügen Sie dann einen Passkey zum Anmelden hinzu.",
    "signUp.confirm": "Konto erstellen",

    "connect.title": "Gerät verbinden",
    "connect.introduction": "Geben Sie den Code ein, den das Gerät anzeigt.",
    "connect.code": "Code",
    "connect.codeHint": "Acht Buchstaben, zum Beispiel WDJB-MJHT.",
    "connect.noCode": "Geben Sie den Code ein.",
    "connect.continue": "Weiter",
    "connect.finding": "Der Code wird gesucht…",
    "connect.ask": "{name} mit Ihrem Konto verbinden?",
    "connect.account": "Sie sind angemeldet als {account}.",
    "connect.isShown": "Zeigt Ihr Gerät diesen Code an?",
    "connect.yes": "Ja, diesen Code",
    "connect.no": "Nein",
    "connect.warning":
      "Hat Ihnen jemand den Code oder einen Link zu dieser Seite geschickt? Dann wählen Sie „{no}“: Diese Person bekäme Zugriff auf Ihr Konto.",
    "connect.gets": "Das Gerät kann:",
    "connect.allow": "Erlauben",
    "connect.done": "Ihr Gerät ist verbunden",
    "connect.doneNext": "Machen Sie am Gerät weiter. Diese Seite können Sie schließen.",
    "connect.denied": "Das Gerät erhält keinen Zugriff",
    "connect.deniedNext": "Sie können diese Seite schließen.",

    "account.title": "Ihr Konto",
    "account.console": "Konsole",
    "profile.label": "Über Sie",
    "profile.change": "Angaben ändern",
    "profile.changed": "Ihre Angaben wurden geändert.",
    "profile.displayName": "Angezeigter Name",
    "profile.givenName": "Vorname",
    "profile.familyName": "Nachname",
    "profile.locale": "Sprache",
    "profile.localeHint": "Als Sprachkürzel, etwa de oder pt-BR.",
    "profile.zoneinfo": "Zeitzone",
    "profile.zoneinfoHint": "Als Name, etwa Europe/Berlin.",
    "profile.picture": "Bild",
    "profile.pictureHint": "Die Mitte eines Bildes. Anwendungen, die Sie verwenden, können es zeigen.",
    "profile.noPicture": "Wählen Sie eine Bilddatei.",
    "profile.removePicture": "Das jetzige Bild entfernen",
    "profile.email": "E-Mail-Adresse",
    "profile.refused": "Der Server nimmt das nicht an: {violation}.",
    "profile.listHint": "Ein Eintrag in jeder Zeile.",
    "profile.noNumber": "Geben Sie eine Zahl ein.",
    "profile.unset": "Keine Angabe",
    "profile.yes": "Ja",
    "profile.no": "Nein",
    "email.change": "E-Mail-Adresse ändern",
    "email.add": "E-Mail-Adresse hinzufügen",
    "email.verify": "E-Mail-Adresse bestätigen",
    "email.unverified": "nicht bestätigt",
    "email.introduction":
      "An die Adresse wird ein Link geschickt. Bis Sie ihn öffnen, ändert sich nichts. Ihre bisherige Adresse erhält einen Hinweis auf eine neue.",
    "email.new": "E-Mail-Adresse",
    "email.newHint": "Der Link gilt 24 Stunden.",
    "email.same": "Das ist schon Ihre E-Mail-Adresse, und sie ist bestätigt.",
    "email.send": "Link schicken",
    "email.sent": "An {address} wurde ein Link geschickt. Öffnen Sie ihn dort, wo Sie angemeldet sind.",
    "email.pending":
      "{address} wartet auf Ihre Bestätigung: Öffnen Sie den Link, der dorthin geschickt wurde, bis {until}.",
    "email.cancel": "Diese Änderung abbrechen",
    "email.cancelled": "Die Änderung Ihrer E-Mail-Adresse wurde abgebrochen.",
    "email.confirmTitle": "Diese E-Mail-Adresse verwenden?",
    "email.confirmText": "{address} wird die E-Mail-Adresse Ihres Kontos.",
    "email.confirmAny": "Die Adresse, an der Sie den Link geöffnet haben, wird die E-Mail-Adresse Ihres Kontos.",
    "email.confirm": "Diese Adresse verwenden",
    "email.confirmed": "Ihre E-Mail-Adresse ist bestätigt.",
    "account.loading": "Ihr Konto wird geladen …",
    "account.passkeysHint": "Jeder davon meldet Sie an. Behalten Sie zwei, auf verschiedenen Geräten.",
    "account.noPasskeysHint": "Fügen Sie einen hinzu, damit Sie sich wieder anmelden können.",
    "account.onlyProvidersHint": "Fügen Sie einen hinzu, um sich ohne Ihren Anbieter anzumelden.",
    "account.formerHint":
      "Fügen Sie einen für {domain} hinzu: Die der früheren Adresse gelten vielleicht nicht mehr lange.",
    "account.onePasskeyHint":
      "Sie haben einen. Fügen Sie einen zweiten auf einem anderen Gerät hinzu, falls Sie dieses verlieren.",

    "sessions.label": "Hier sind Sie angemeldet",
    "sessions.hint":
      "Erkennen Sie etwas nicht? Beenden Sie die Sitzung und entfernen Sie Passkeys, die nicht Ihnen gehören.",
    "sessions.unknownDevice": "Unbekanntes Gerät",
    "sessions.current": "Dieses Gerät",
    "sessions.signedIn": "Angemeldet",
    "sessions.lastSeen": "Zuletzt aktiv",
    "sessions.address": "IP-Adresse",
    "sessions.end": "Abmelden",
    "sessions.endOne": "{name} abmelden",
    "sessions.ended": "„{name}“ ist abgemeldet.",
    "sessions.gone": "Diese Sitzung war schon beendet.",
    "sessions.everywhere": "Überall abmelden",
    "sessions.everywhereTitle": "Überall abmelden?",
    "sessions.everywhereConsequence":
      "Alle Ihre Sitzungen enden, auch diese. Ihre Passkeys bleiben und melden Sie wieder an. Ihre Zugangstokens und Zugriffe von Anwendungen, die gelten, bis Sie sie beenden, bleiben.",
    "sessions.only": "Sie sind nur auf diesem Gerät angemeldet.",

    "confirm.title": "Bestätigen Sie, dass Sie es sind",
    "confirm.text":
      "Ihre Anmeldung liegt eine Weile zurück. Verwenden Sie noch einmal einen Ihrer Passkeys, um fortzufahren.",
    "confirm.button": "Passkey verwenden",
    "confirm.provider": "Noch einmal mit Ihrem Anbieter anmelden",
    "confirm.providerText":
      "Oder melden Sie sich noch einmal mit Ihrem Anbieter an, und wiederholen Sie dann die Änderung.",

    "request.host": "unter {host}",
    "request.named": "nennt sich „{name}“",
    "request.returnsTo": "kehrt zu {host} zurück",
    "request.unknownSite":
      "Niemand hat diese Anwendung hier geprüft. Ihren Namen wählt sie selbst: Erlauben Sie es nur, wenn Sie {host} kennen.",
    "request.unknownProgram":
      "Das ist ein Programm auf Ihrem Gerät. Jedes Programm kann sagen, es sei von {host}: Erlauben Sie es nur, wenn Sie es gerade gestartet haben.",
    "request.account": "Konto",
    "request.chooseTitle": "Konto wählen",
    "request.continue": "Weiter",
    "request.another": "Anderes Konto verwenden",
    "request.otherwise": "Anders anmelden",
    "request.consentTitle": "Zugriff auf Ihr Konto erlauben?",
    "request.consent": "Wenn Sie es erlauben, kann {name}:",
    "request.allow": "Erlauben",
    "request.again": "{name} bittet Sie, sich noch einmal anzumelden.",
    "request.passkey": "{name} verlangt einen Passkey mit Fingerabdruck, Gesicht oder PIN Ihres Geräts.",
    "request.back": "Zurück zur Anwendung",
    "request.backTo": "Zurück zu {host}",
    "request.leaving": "Sie kehren zu {name} zurück.",
    "request.openTitle": "Weiter in der Anwendung",
    "request.openText": "Ihr Browser öffnet {name}. Geschieht nichts, drücken Sie die Taste.",
    "request.open": "Anwendung öffnen",
    "request.goBack": "Zurück",
    "request.reason": "Für den Administrator der Anwendung: ",
    "logout.title": "Abmelden?",
    "logout.text": "{name} möchte Sie hier abmelden.",
    "logout.textUnnamed": "Eine Anwendung möchte Sie hier abmelden.",
    "logout.stay": "Angemeldet bleiben",
    "request.toAccount": "Zu Ihrem Konto",

    "scope.openid": "Wissen, wer Sie sind",
    "scope.profile": "Ihren Namen und Ihren Benutzernamen sehen",
    "scope.email": "Ihre E-Mail-Adresse sehen",
    "scope.groups": "Sehen, zu welchen Gruppen Sie gehören",
    "scope.offlineAccess": "Angemeldet bleiben, auch wenn Sie nicht da sind",
    "scope.other": "„{scope}“ verwenden",
    "access.resource": "Der Zugriff gilt für {resource}.",
    "access.offline": "Der Zugriff bleibt, bis Sie ihn auf Ihrer Kontoseite beenden.",
    "access.session": "Der Zugriff endet, wenn Sie sich abmelden. Auf Ihrer Kontoseite können Sie ihn früher beenden.",

    "grants.label": "Anwendungen, die Sie nutzen",
    "grants.hint": "Diesen haben Sie Zugriff auf Ihr Konto gegeben.",
    "grants.can": "Darf",
    "grants.since": "Seit",
    "grants.narrow": "Ändern",
    "grants.narrowOne": "Zugriff von {name} ändern",
    "grants.narrowTitle": "Zugriff ändern",
    "grants.narrowQuestion": "{name} darf:",
    "grants.narrowConsequence":
      "Was Sie abwählen, verliert {name} in wenigen Minuten. Was schon gelesen wurde, bleibt dort; {name} kann Sie wieder fragen.",
    "grants.narrowSave": "Speichern",
    "grants.narrowed": "Der Zugriff von {name} wurde geändert.",
    "grants.revoke": "Zugriff beenden",
    "grants.revokeOne": "Zugriff von {name} beenden",
    "grants.revokeTitle": "Zugriff beenden?",
    "grants.revokeConsequence":
      "{name} wird von Ihrem Konto abgemeldet und fragt Sie bei der nächsten Anmeldung wieder. Was schon gelesen wurde, bleibt dort.",
    "grants.revoked": "{name} hat keinen Zugriff mehr.",

    "tokens.label": "Zugriffstoken",
    "tokens.hint": "Ein Programm, das eines hat, handelt in Ihrem Namen. Entfernen Sie, was Sie nicht kennen.",
    "tokens.unnamed": "Token ohne Namen",
    "tokens.certificate": "Zertifikat",
    "tokens.created": "Erstellt",
    "tokens.creator": "Von",
    "tokens.byYou": "Ihnen",
    "tokens.byOther": "jemand anderem",
    "tokens.expires": "Gültig bis",
    "tokens.unlimited": "Sie es entfernen",
    "tokens.remove": "Entfernen",
    "tokens.removeOne": "Token {name} entfernen",
    "tokens.removeTitle": "Dieses Token entfernen?",
    "tokens.removeConsequence": "Programme, die „{name}“ verwenden, werden sofort abgewiesen.",
    "tokens.removed": "„{name}“ wurde entfernt.",
  },

  refusals: {
    LINK_EXPIRED: ["Dieser Link ist abgelaufen", `Links gelten nur eine bestimmte Zeit. ${NEW_LINK}`],
    LINK_USED: [
      "Dieser Link wurde schon benutzt",
      "Damit wurde ein Passkey hinzugefügt, und jeder Link fügt einen hinzu. Waren Sie das nicht, benachrichtigen Sie sofort " +
        "Ihre Administration. Für einen weiteren Passkey bitten Sie um einen neuen Link.",
    ],
    LINK_REPLACED: [
      "Es gibt einen neueren Link",
      "Nach diesem wurde Ihnen ein weiterer geschickt, und nur der neueste gilt. Öffnen Sie diesen.",
    ],
    LINK_TRIED_TOO_OFTEN: ["Dieser Link wurde zu oft versucht", `Er gilt nicht mehr. ${NEW_LINK}`],
    USER_LOCKED: [
      "Dieses Konto ist gesperrt",
      "Niemand kann sich damit anmelden, bis es entsperrt wird. Wenden Sie sich an Ihre Administration.",
    ],
    RECOVERY_NOT_ALLOWED: [
      "Konten werden hier nicht mehr per E-Mail wiederhergestellt",
      "Ihre Organisation hat das geändert, seit die E-Mail verschickt wurde. Bitten Sie Ihre Administration um einen neuen Link.",
    ],
    EMAIL_SET_BY_OTHERS: [
      "Dieser Link gilt zurzeit nicht",
      "Bitten Sie Ihre Administration, Ihre E-Mail-Adresse zu bestätigen. Öffnen Sie den Link dann erneut.",
    ],
    LINK_INVALID: [
      "Dieser Link funktioniert nicht",
      `Vielleicht fehlt ein Teil: Öffnen Sie ihn direkt aus der E-Mail oder kopieren Sie ihn ganz. Hilft das nicht: ${NEW_LINK}`,
    ],

    USER_CODE_INVALID: [
      "Dieser Code funktioniert nicht",
      "Vergleichen Sie ihn mit dem Gerät. Jeder Code gilt einmal und zehn Minuten lang: Das Gerät kann Ihnen einen neuen anzeigen.",
    ],

    TOO_MANY_GRANTS: [
      "Mehr Anwendungen sind nicht möglich",
      "Beenden Sie auf Ihrer Kontoseite den Zugriff derer, die Sie nicht mehr verwenden. Versuchen Sie es dann erneut.",
    ],

    TOO_MANY_ATTEMPTS: [
      "Das ist zu oft fehlgeschlagen",
      "Die Registrierung wurde zum Schutz Ihres Kontos beendet. Beginnen Sie von vorn.",
    ],
    TOO_MANY_PASSKEYS: [
      "Mehr Passkeys sind nicht möglich",
      "Entfernen Sie einen, den Sie nicht mehr brauchen, oder bitten Sie Ihre Administration darum. Versuchen Sie es dann erneut.",
    ],
    TOO_MANY_CEREMONIES: [
      "Es sind noch zu viele Versuche offen",
      "Warten Sie zehn Minuten, bis sie abgelaufen sind, und versuchen Sie es erneut.",
    ],
    CEREMONY_ENDED: [
      "Diese Registrierung wurde beendet",
      "Sie wurde abgebrochen, oder Ihr Konto wurde geändert oder entfernt, während Ihr Gerät den Passkey erstellte. Es wurde " +
        "nichts gespeichert. Versuchen Sie es erneut; hilft das nicht, fragen Sie Ihre Administration.",
    ],
    CHALLENGE_EXPIRED: [
      "Das hat zu lange gedauert",
      "Es wurde nichts gespeichert. Versuchen Sie es erneut und bleiben Sie unter zehn Minuten.",
    ],
    CHALLENGE_USED: [
      "Dieser Versuch war schon abgeschlossen",
      "Dabei wurde ein Passkey gespeichert. Waren Sie das nicht, benachrichtigen Sie sofort Ihre Administration.",
    ],
    PASSKEY_NOT_FOUND: ["Diesen Passkey gibt es nicht mehr", "Er wurde inzwischen entfernt. Laden Sie die Liste neu."],

    CREDENTIAL_ALREADY_REGISTERED: [
      "Dieser Passkey ist schon registriert",
      "Erstellen Sie einen neuen mit einem anderen Gerät, Sicherheitsschlüssel oder Passwortmanager.",
    ],
    CREDENTIAL_MALFORMED: [
      "Die Antwort Ihres Geräts ist nicht lesbar",
      "Es wurde nichts gespeichert. Versuchen Sie es erneut; sonst aktualisieren Sie den Browser oder nehmen ein anderes Gerät.",
    ],
    CREDENTIAL_NOT_VERIFIED: [
      "Die Antwort Ihres Geräts konnte nicht bestätigt werden",
      "Es wurde nichts gespeichert. Versuchen Sie es erneut; sonst aktualisieren Sie den Browser oder nehmen ein anderes Gerät.",
    ],
    ORIGIN_NOT_ALLOWED: [
      "Unter dieser Adresse geht das nicht",
      "Prüfen Sie, ob die Adresse im Browser die ist, die Sie erhalten haben. Wenn ja, ist dieser Server nicht dafür eingerichtet: Benachrichtigen Sie Ihre Administration.",
    ],
    USER_NOT_VERIFIED: [
      "Ihr Gerät hat nicht geprüft, dass Sie es sind",
      "Richten Sie dort eine PIN, einen Fingerabdruck oder die Gesichtserkennung ein oder nehmen Sie ein anderes Gerät. Versuchen Sie es dann erneut.",
    ],
    ALGORITHM_NOT_ALLOWED: [
      "Diese Art von Passkey wird hier nicht angenommen",
      "Ihr Gerät hat einen Schlüssel anderer Art erstellt. Nehmen Sie ein anderes Gerät oder einen Sicherheitsschlüssel.",
    ],
    ATTESTATION_NOT_ALLOWED: [
      "Dieses Gerät wird hier nicht angenommen",
      "Es weist sich auf eine Art aus, die nicht angenommen wird. Nehmen Sie ein anderes Gerät oder einen Sicherheitsschlüssel.",
    ],
    INVALID_FIELDS: ["Eine Angabe wird nicht angenommen", "Ändern Sie den Namen und versuchen Sie es erneut."],

    UNAUTHENTICATED: [
      "Dieses Token gilt nicht",
      "Es ist abgelaufen, wurde widerrufen oder ist unvollständig. Melden Sie sich mit einem anderen an.",
    ],
    EMAIL_CHANGE_INVALID: [
      "Dieser Link ist unvollständig",
      "Öffnen Sie ihn so, wie er in der Mail steht, oder fordern Sie unter „Über Sie“ einen neuen an.",
    ],
    EMAIL_CHANGE_OF_OTHER_USER: [
      "Dieser Link gehört zu einem anderen Konto",
      "Melden Sie sich in jenem Konto an, und öffnen Sie den Link in der Mail noch einmal.",
    ],
    EMAIL_CHANGE_EXPIRED: ["Dieser Link ist abgelaufen", "Fordern Sie unter „Über Sie“ einen neuen an."],
    EMAIL_CHANGE_ENDED: [
      "Dieser Link gilt nicht mehr",
      "Er wurde schon verwendet, oder die Änderung wurde abgebrochen oder ersetzt. Ihre E-Mail-Adresse steht unter „Über Sie“.",
    ],
    EMAIL_TAKEN: [
      "Ein anderes Konto hat diese E-Mail-Adresse",
      "Verwenden Sie eine andere Adresse, oder fragen Sie Ihren Administrator.",
    ],
    EMAIL_FROM_PROVIDER: [
      "Ihre E-Mail-Adresse kommt von Ihrem Identitätsanbieter",
      "Ändern Sie sie dort. Ihre nächste Anmeldung mit dem Anbieter übernimmt sie.",
    ],
    SMTP_CONFIG_MISSING: [
      "Es können keine E-Mails geschickt werden",
      "Der Dienst hat noch keinen Mailserver. Wenden Sie sich an Ihren Administrator.",
    ],
    TOO_MANY_MAILS: [
      "An diese Adresse gingen zu viele E-Mails",
      "Versuchen Sie es in einer Stunde noch einmal, oder verwenden Sie eine andere Adresse.",
    ],
    PROFILE_KEPT: [
      "Ihre Organisation verwaltet diese Angaben",
      "Nur ein Administrator kann sie ändern. Wenden Sie sich an Ihren Administrator.",
    ],
    PERMISSION_DENIED: ["Das dürfen Sie nicht", "Ihrem Konto fehlt die Berechtigung. Fragen Sie Ihre Administration."],
    USER_NOT_FOUND: [
      "Dieses Konto wurde nicht gefunden",
      "Vielleicht wurde es entfernt. Fragen Sie Ihre Administration.",
    ],
    NOT_FOUND: ["Dieses Konto wurde nicht gefunden", "Vielleicht wurde es entfernt. Fragen Sie Ihre Administration."],
    RESOURCE_EXHAUSTED: ["Das waren zu viele Anfragen", "Warten Sie eine Minute und versuchen Sie es erneut."],
    UNAVAILABLE: [
      "Der Dienst ist gerade nicht verfügbar",
      "Das ist meist nach einer Minute vorbei. Versuchen Sie es erneut.",
    ],
    DEADLINE_EXCEEDED: ["Der Dienst hat zu lange nicht geantwortet", "Versuchen Sie es gleich noch einmal."],
    ABORTED: ["Jemand hat im selben Moment dasselbe geändert", "Versuchen Sie es erneut."],
    UNREACHABLE: ["Der Dienst ist nicht erreichbar", "Prüfen Sie Ihre Verbindung und versuchen Sie es erneut."],
    OFFLINE: ["Sie sind offline", "Verbinden Sie sich mit dem Internet und versuchen Sie es erneut."],
    UNKNOWN: [
      "Etwas ist schiefgegangen",
      "Versuchen Sie es erneut. Hilft das nicht, benachrichtigen Sie Ihre Administration.",
    ],

    SIGN_IN_FAILED: [
      "Die Anmeldung ist fehlgeschlagen",
      "Versuchen Sie es erneut oder mit einem anderen Passkey. Hilft das nicht, fragen Sie Ihre Administration.",
    ],
    PASSKEY_UNKNOWN: [
      "Dieser Passkey meldet Sie nicht mehr an",
      "Er wurde von seinem Konto entfernt. Nehmen Sie einen anderen oder bitten Sie Ihre Administration um einen Link für einen neuen.",
    ],
    SIGN_IN_EXPIRED: ["Das hat zu lange gedauert", "Versuchen Sie es erneut und bleiben Sie unter zehn Minuten."],
    SIGN_IN_USED: ["Dieser Versuch war schon abgeschlossen", "Versuchen Sie es erneut."],
    SIGN_IN_NOT_MADE: [
      "Sie wurden nicht angemeldet",
      "Es wurde abgebrochen, hat zu lange gedauert, oder dieses Gerät hat keinen Passkey für diesen Dienst. Versuchen Sie es erneut, wenn Sie so weit sind.",
    ],
    SIGN_IN_UNREADABLE: [
      "Die Antwort Ihres Geräts ist nicht lesbar",
      "Versuchen Sie es erneut; sonst aktualisieren Sie den Browser oder nehmen ein anderes Gerät.",
    ],
    SIGN_IN_NOT_HERE: [
      "Unter dieser Adresse können Sie sich nicht anmelden",
      "Prüfen Sie, ob die Adresse im Browser die ist, die Sie erhalten haben. Wenn ja, ist dieser Server nicht dafür eingerichtet: Benachrichtigen Sie Ihre Administration.",
    ],
    SIGN_IN_NO_WEBAUTHN: [
      "Dieser Browser kann keine Passkeys verwenden",
      "Nehmen Sie ein aktuelles Chrome, Edge, Firefox oder Safari. Browser in anderen Apps können es oft nicht.",
    ],
    SIGN_IN_INSECURE: [
      "Diese Verbindung ist nicht sicher",
      "Browser verwenden Passkeys nur unter sicheren Adressen, die mit https:// beginnen. Öffnen Sie diese Seite unter einer solchen.",
    ],
    COOKIES_BLOCKED: [
      "Dieser Browser blockiert Cookies",
      "Ein Cookie dieser Adresse hält Sie angemeldet. Erlauben Sie in den Einstellungen des Browsers Cookies und Websitedaten für diese Adresse und laden Sie die Seite neu.",
    ],
    STORAGE_BLOCKED: [
      "Dieser Browser blockiert Speicher",
      "Der Weg zum Anbieter und zurück braucht ihn. Erlauben Sie in den Einstellungen des Browsers Cookies und Websitedaten für diese Adresse und laden Sie die Seite neu.",
    ],
    NOT_CONFIRMED: [
      "Es wurde nicht bestätigt, dass Sie es sind",
      "Es wurde abgebrochen oder hat zu lange gedauert. Nichts wurde geändert. Versuchen Sie es erneut, wenn Sie so weit sind.",
    ],
    SESSION_ENDED: ["Ihre Sitzung ist beendet", "Melden Sie sich wieder an, um fortzufahren."],

    AUTHORIZATION_REQUEST_EXPIRED: [
      "Diese Anmeldung ist beendet",
      "Sie war abgeschlossen, hat länger als zehn Minuten gedauert, oder ihre Adresse ist unvollständig. Gehen Sie zur Anwendung zurück und beginnen Sie von vorn.",
    ],
    UNKNOWN_CLIENT: [
      "Diese Anwendung ist hier nicht bekannt",
      "Die Anmeldung kann nicht fortgesetzt werden. Gehen Sie zur Anwendung zurück und bitten Sie deren Administrator, die client_id zu prüfen.",
    ],
    REDIRECT_URI_NOT_REGISTERED: [
      "Der Rückweg zur Anwendung ist nicht eingetragen",
      "Die Anmeldung kann nicht fortgesetzt werden, denn die Antwort könnte an jemand anderen gehen. Gehen Sie zur Anwendung zurück und bitten Sie deren Administrator, die redirect_uri einzutragen.",
    ],
    CLIENT_METADATA_INVALID: [
      "Die Beschreibung der Anwendung ist ungültig",
      "Die Anmeldung kann nicht fortgesetzt werden. Bitten Sie den Administrator der Anwendung, das Dokument unter ihrer client_id zu prüfen.",
    ],
    CLIENT_METADATA_UNREACHABLE: [
      "Die Beschreibung der Anwendung ist nicht lesbar",
      "Das Dokument unter ihrer client_id antwortet gerade nicht. Gehen Sie zur Anwendung zurück und versuchen Sie es gleich noch einmal.",
    ],
    LOGOUT_NOT_POSSIBLE: [
      "Die Anwendung hat eine falsche Anfrage zum Abmelden geschickt",
      "Sie sind hier weiterhin angemeldet. Melden Sie sich auf der Seite Ihres Kontos ab, und bitten Sie den Administrator der Anwendung, id_token_hint und client_id ihrer Anfrage zu prüfen.",
    ],
    LOGOUT_REQUEST_INVALID: [
      "Diese Anfrage zum Abmelden ist nicht gültig",
      "Sie hat länger als zehn Minuten gedauert, oder ihre Adresse ist unvollständig. Gehen Sie zur Anwendung zurück und melden Sie sich dort noch einmal ab, oder melden Sie sich auf der Seite Ihres Kontos ab.",
    ],
    POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED: [
      "Der Rückweg zur Anwendung ist nicht eingetragen",
      "Sie sind noch angemeldet. Bitten Sie den Administrator der Anwendung, deren post_logout_redirect_uri einzutragen.",
    ],
    AUTHORIZATION_INVALID: [
      "Die Anwendung hat eine falsche Anfrage gesendet",
      "Die Anmeldung kann nicht fortgesetzt werden. Gehen Sie zur Anwendung zurück und bitten Sie deren Administrator um Abhilfe, der diese Anfrage anhand der Vorgangsnummer findet.",
    ],
    AUTHORIZATION_FAILED: [
      "Die Anmeldung kann nicht fortgesetzt werden",
      "Gehen Sie zur Anwendung zurück und beginnen Sie von vorn. Geschieht es wieder, benachrichtigen Sie deren Administrator.",
    ],
    ANOTHER_ACCOUNT_REQUIRED: [
      "Die Anwendung verlangt ein anderes Konto",
      "Es ist nicht das, mit dem Sie hier angemeldet sind. Nehmen Sie das Konto, das Sie in der Anwendung schon verwendet haben.",
    ],
    APPLICATION_NOT_ALLOWED: [
      "Ihr Konto darf diese Anwendung nicht nutzen",
      "Bitten Sie deren Administrator um Zugang, oder nehmen Sie ein anderes Konto.",
    ],
    EMAIL_REQUIRED: [
      "Ihr Konto hat keine Mailadresse",
      "Die Anwendung verlangt eine. Bitten Sie den Administrator Ihrer Organisation, sie Ihrem Konto hinzuzufügen.",
    ],
    PASSKEY_REQUIRED: [
      "Dieser Passkey reicht nicht aus",
      "Die Anwendung verlangt einen, der mit Fingerabdruck, Gesicht oder PIN Ihres Geräts verwendet wird. Nehmen Sie einen anderen Passkey.",
    ],

    SIGN_UP_NOT_ALLOWED: [
      "Sie können hier kein Konto erstellen",
      "Bitten Sie die Betreiber dieses Dienstes um eine Einladung.",
    ],
    SIGN_UP_EXPIRED: [
      "Dieser Link gilt nicht mehr",
      "Er ist unvollständig oder älter als 24 Stunden. Fordern Sie auf der Anmeldeseite einen neuen an.",
    ],
    SIGN_UP_USED: [
      "Dieser Link wurde schon verwendet",
      "Er hat Ihr Konto erstellt. Melden Sie sich mit Ihrem Passkey an, oder bitten Sie die Betreiber dieses Dienstes um einen Link.",
    ],
    SIGN_UP_USER_EXISTS: [
      "Sie haben schon ein Konto",
      "Es hat diese E-Mail-Adresse. Melden Sie sich mit Ihrem Passkey an. Wenn Sie ihn verloren haben, kann Ihnen die Anmeldeseite einen neuen Link senden.",
    ],

    NOT_REGISTERED: [
      "Für Sie gibt es hier noch kein Konto",
      "Niemand hier ist mit dem verwendeten Konto verknüpft. Melden Sie sich anders an und verknüpfen Sie es, oder bitten Sie Ihre Administration um ein Konto.",
    ],
    USER_EXISTS_LINK_FIRST: [
      "Sie haben hier schon ein Konto",
      "Zu Ihrer Sicherheit wird es nicht über Name oder E-Mail-Adresse verknüpft. Melden Sie sich mit Ihrem Passkey an und verknüpfen Sie den Anbieter auf Ihrer Kontoseite.",
    ],
    ROLES_EXCEED_PROVIDER: [
      "Ihr Konto verwendet diesen Anbieter nicht",
      "Es hat mehr Rechte als die Personen, die den Anbieter verwalten. Melden Sie sich mit Ihrem Passkey an.",
    ],
    IDENTITY_LINKED: [
      "Dieses Konto ist schon verknüpft",
      "Es gehört hier zu Ihnen oder zu jemand anderem. Um das zu ändern, melden Sie sich damit an und trennen Sie es dort.",
    ],
    FLOW_EXPIRED: [
      "Das hat zu lange gedauert",
      "Es wurde nichts geändert. Versuchen Sie es erneut und bleiben Sie unter zehn Minuten.",
    ],
    FLOW_USED: ["Dieser Versuch war schon abgeschlossen", "Es wurde nichts geändert. Beginnen Sie von vorn."],
    FLOW_LOST: [
      "Diese Seite kennt den Anfang nicht",
      "Sie wurde neu geladen, oder Sie haben in einem anderen Tab oder Browser begonnen. Es wurde nichts geändert. Beginnen Sie von vorn.",
    ],
    IDP_DENIED: [
      "Der Anbieter hat Sie nicht durchgelassen",
      "Sie haben abgebrochen, oder er hat es abgelehnt. Versuchen Sie es erneut oder melden Sie sich anders an.",
    ],
    IDP_DID_NOT_REAUTHENTICATE: [
      "Der Anbieter hat Sie nicht noch einmal angemeldet",
      "Er hat eine frühere Anmeldung verwendet. Es wurde nichts geändert. Melden Sie sich beim Anbieter ab und versuchen Sie es erneut.",
    ],
    IDP_UNREACHABLE: [
      "Der Anbieter ist nicht erreichbar",
      "Das ist meist nach einigen Minuten vorbei. Versuchen Sie es erneut oder melden Sie sich anders an.",
    ],
    IDP_NOT_CONFIGURED: [
      "Mit diesem Anbieter können Sie sich nicht anmelden",
      "Er ist für diese Adresse nicht oder nicht mehr eingerichtet. Melden Sie sich anders an oder benachrichtigen Sie Ihre Administration.",
    ],
    IDP_DISABLED: [
      "Dieser Anbieter ist ausgeschaltet",
      "Zurzeit kann sich niemand mit ihm anmelden. Melden Sie sich anders an oder fragen Sie Ihre Administration.",
    ],
    PROVIDER_NOT_VERIFIED: [
      "Die Anmeldung ist fehlgeschlagen",
      "Die Auskunft des Anbieters konnte nicht bestätigt werden. Versuchen Sie es erneut; hilft das nicht, benachrichtigen Sie Ihre Administration.",
    ],

    NotAllowedError: [
      "Es wurde kein Passkey erstellt",
      "Es wurde abgebrochen, hat zu lange gedauert, oder Ihr Gerät erlaubt es nicht. Versuchen Sie es erneut, wenn Sie so weit sind.",
    ],
    InvalidStateError: [
      "Dieses Gerät hat schon einen Passkey von Ihnen",
      "Damit können Sie sich anmelden. Für einen weiteren nehmen Sie ein anderes Gerät, einen Sicherheitsschlüssel oder Passwortmanager.",
    ],
    SecurityError: [
      "Unter dieser Adresse können keine Passkeys erstellt werden",
      "Die Adresse im Browser ist nicht die, für die Ihre Passkeys sind. Öffnen Sie diese Seite unter der Adresse, die Sie erhalten haben.",
    ],
    NotSupportedError: [
      "Dieses Gerät kann den nötigen Passkey nicht erstellen",
      "Nehmen Sie ein anderes Gerät, einen Sicherheitsschlüssel oder Passwortmanager.",
    ],
    ConstraintError: [
      "Dieses Gerät kann nicht prüfen, dass Sie es sind",
      "Richten Sie eine Bildschirmsperre, eine PIN oder einen Fingerabdruck ein oder nehmen Sie ein anderes Gerät. Versuchen Sie es dann erneut.",
    ],
    AbortError: ["Der Passkey wurde nicht fertig", "Etwas anderes kam dazwischen. Versuchen Sie es erneut."],
    NO_WEBAUTHN: [
      "Dieser Browser kann keine Passkeys erstellen",
      "Nehmen Sie ein aktuelles Chrome, Edge, Firefox oder Safari. Browser in anderen Apps können es oft nicht.",
    ],
    INSECURE_CONTEXT: [
      "Diese Verbindung ist nicht sicher",
      "Browser erstellen Passkeys nur unter sicheren Adressen, die mit https:// beginnen. Öffnen Sie diese Seite unter einer solchen.",
    ],
  },
};
