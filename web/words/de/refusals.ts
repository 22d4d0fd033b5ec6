/** The refusals of the server in German, by their reasons. `{name}` stands for a value of the metadata of the refusal. */

import type { Refusals } from "../types";

export const refusals: Refusals = {
  APPLICATION_GRANT_NOT_FOUND:
    "Der Benutzer hat dieser Anwendung keinen Zugriff gegeben, oder er ist schon beendet. Laden Sie die Liste neu.",
  APPLICATION_ID_ALREADY_USED:
    "Eine Anwendung dieser Installation hat oder hatte diese ID. IDs werden nie wieder benutzt. Wählen Sie eine andere.",
  APPLICATION_NOT_FOUND:
    "Diese Organisation hat die Anwendung nicht. Prüfen Sie die Liste der Anwendungen und die gewählte Organisation.",
  APPLICATION_SECRET_NOT_FOUND: "Die Anwendung hat dieses Secret nicht mehr. Laden Sie die Seite neu.",
  APPLICATION_WITHOUT_PEOPLE:
    "Die Anwendung bekommt keine Claims von Benutzern. Nur die Arten Web, Browser und App auf einem Gerät bekommen sie.",
  APPLICATION_WITHOUT_SECRETS:
    "Die Anwendung weist sich nicht mit einem Secret aus. Wählen Sie bei einer Anwendung der Art Web oder Dienst ein Verfahren mit Secret, oder verwenden Sie ihren Schlüssel.",
  ATTRIBUTE_DEFINITION_ALREADY_EXISTS: "Wählen Sie einen anderen Namen.",
  ATTRIBUTE_DEFINITION_NOT_FOUND: "Das Attribut wurde entfernt. Laden Sie die Liste neu.",
  BRAND_NOT_FOUND: "Es ist keine Marke festgelegt. Legen Sie eine fest.",
  CAPTURED_MAIL_NOT_FOUND: "Die E-Mail wurde nicht abgefangen, oder ihre Nachricht ist nicht mehr gespeichert.",
  CAPTURED_MAIL_UNREADABLE:
    "Die Nachricht kann nicht entschlüsselt werden. Alle Server dieser Datenbank brauchen dieselben Schlüssel.",
  CANNOT_LOCK_YOURSELF:
    "Sie können sich nicht selbst sperren. Bitten Sie eine andere Person aus der Administration darum.",
  CERTIFICATE_ALREADY_ADDED:
    "Das Zertifikat gehört schon zu einem Token. Widerrufen Sie zuerst dieses, oder lassen Sie ein anderes ausstellen.",
  CERTIFICATE_NOT_PRESENTED:
    "Die Verbindung beweist nicht, dass Sie den privaten Schlüssel des Zertifikats haben. Bitten Sie einen Inhaber der Instanz, es hinzuzufügen.",
  CHALLENGE_EXPIRED: "Die Bestätigung hat zu lange gedauert. Beginnen Sie von vorn.",
  CHALLENGE_USED: "Diese Bestätigung wurde schon abgeschlossen. Beginnen Sie von vorn.",
  CONCURRENT_CHANGE: "Jemand hat im selben Moment dasselbe geändert. Versuchen Sie es erneut.",
  CREDENTIAL_ALREADY_REGISTERED: "Dieser Passkey ist schon registriert. Verwenden Sie ein anderes Gerät.",
  CREDENTIAL_MALFORMED:
    "Die Antwort des Geräts ist beschädigt. Versuchen Sie es erneut, oder verwenden Sie ein anderes.",
  CREDENTIAL_NOT_VERIFIED: "Dieser Passkey gehört nicht zu dieser Registrierung. Beginnen Sie von vorn.",
  DATABASE_UNAVAILABLE: "Der Server erreicht seine Datenbank gerade nicht. Versuchen Sie es gleich noch einmal.",
  DEADLINE_EXCEEDED: "Der Aufruf wurde nicht rechtzeitig fertig. Versuchen Sie es erneut.",
  DEFAULT_ORGANIZATION: "Dies ist die Standardorganisation. Sie kann nicht entfernt werden.",
  DELIVERY_ALREADY_SENT: "Das Ziel hat die Zustellung angenommen. Es ist nichts mehr zu tun.",
  DELIVERY_CANCELLED: "Die Zustellung wurde abgebrochen, weil ihr Ziel entfernt wurde.",
  DELIVERY_NOT_FOUND: "Diese Organisation hat die Zustellung nicht. Laden Sie die Liste neu.",
  DNS_UNAVAILABLE:
    "Die DNS-Server haben nicht geantwortet. Versuchen Sie es später erneut. Bleibt es dabei, prüfen Sie das DNS der Domain.",
  EMAIL_SET_BY_OTHERS:
    "Jemand ohne alle Rechte des Benutzers hat seine E-Mail-Adresse gesetzt. Prüfen Sie die Adresse, und speichern Sie sie erneut.",
  ENCRYPTION_KEY_REPLACED:
    "Dieser Server kann nichts Geheimes speichern, weil sein Schlüssel ersetzt wurde. Die Betreiber müssen ihn mit den aktuellen Schlüsseln neu starten.",
  EVENTS_ARCHIVED: "Ältere Ereignisse sind archiviert. Bitten Sie die Betreiber um die Archive.",
  GROUP_ALREADY_EXISTS: "Wählen Sie einen anderen Namen.",
  GROUP_MEMBER_NOT_FOUND:
    "Der Benutzer ist kein Mitglied der Gruppe, oder diese Organisation hat die Gruppe nicht. Laden Sie die Liste neu.",
  GROUP_NOT_FOUND:
    "Diese Organisation hat die Gruppe nicht. Prüfen Sie die Liste der Gruppen und die gewählte Organisation.",
  IDEMPOTENCY_ANSWER_UNREADABLE:
    "Die Änderung ist geschehen, aber ihre Antwort ist nicht lesbar. Laden Sie die Seite neu.",
  IDEMPOTENCY_KEY_REUSED:
    "Zwei Änderungen hatten denselben Schlüssel. Laden Sie die Seite neu, und versuchen Sie es erneut.",
  IDP_LINK_NOT_FOUND: "Der Benutzer hat diese Verknüpfung nicht mehr. Laden Sie die Liste neu.",
  IDP_NAME_NOT_UNIQUE:
    "Mehrere Identity-Provider der Organisation haben diesen Namen. Geben Sie die ID des Providers an.",
  IDP_NOT_FOUND:
    "Diese Organisation hat den Identity-Provider nicht. Prüfen Sie die Liste und die gewählte Organisation.",
  INVALID_FIELDS: "Ändern Sie die Felder, bei denen ein Fehler steht.",
  LAST_INSTANCE_OWNER:
    "Machen Sie zuerst einen anderen Benutzer ohne Ende zum Inhaber der Instanz, oder entsperren Sie einen.",
  LAST_SECRET: "Der Webhook hat nur diesen Schlüssel. Erstellen Sie zuerst einen weiteren.",
  LINK_EXPIRED: "Der Link ist abgelaufen. Erstellen Sie einen neuen.",
  LINK_REPLACED: "Ein neuerer Link hat diesen ersetzt. Verwenden Sie den neuesten.",
  LINK_USED: "Mit diesem Link wurde schon ein Passkey registriert. Erstellen Sie einen neuen.",
  LOG_RESTORED:
    "Ereignisse bis zu dieser Stelle sind verloren: Die Datenbank wurde aus einer Sicherung wiederhergestellt. Laden Sie die Seite neu.",
  MADE_BY_OTHERS:
    "Gesperrte Benutzer, oder solche ohne die Rechte dieser Rolle, können Zugangsdaten dieses Benutzers haben. Prüfen Sie diese, und vergeben Sie die Rolle so, dass fremde Zugangsdaten enden.",
  MAIL_ALREADY_SENT: "Die E-Mail ist schon verschickt. Es ist nichts mehr zu tun.",
  MAIL_CANCELLED: "Die E-Mail wurde abgebrochen, weil ihr Inhalt veraltet ist.",
  MAIL_CAPTURED:
    "Keine E-Mail verlässt diesen Server, denn KEYSTEAD_MAIL_CAPTURE ist eingeschaltet. Testen Sie ohne Empfänger.",
  MAIL_DOMAIN_ALREADY_EXISTS: "Die Organisation beansprucht diese Mail-Domain schon. Sie steht in der Liste.",
  MAIL_DOMAIN_NOT_FOUND: "Die Mail-Domain wurde entfernt. Laden Sie die Liste neu.",
  MAIL_DOMAIN_NOT_PROVEN:
    "Kein TXT-Eintrag {record_name} hat den Wert {record_value}. Gefunden: {found}. Veröffentlichen Sie den Eintrag im DNS der Domain, und versuchen Sie es erneut: DNS-Server behalten eine alte Antwort manchmal stundenlang.",
  MAIL_DOMAIN_PROVEN_ELSEWHERE:
    "Eine andere Organisation dieses Servers hat die Mail-Domain nachgewiesen. Entfernen Sie deren TXT-Eintrag aus dem DNS, sodass nur Ihrer diesen Namen hat.",
  MAIL_NOT_FOUND: "Diese E-Mail gibt es nicht mehr. Laden Sie die Liste neu.",
  MAIL_TEXT_NOT_FOUND: "Für diese E-Mail gibt es keinen eigenen Text in dieser Sprache. Laden Sie die Liste neu.",
  MAIL_SECRET_ERASED: "Der Link in der E-Mail wurde gelöscht, als sie scheiterte. Erstellen Sie einen neuen Link.",
  MALFORMED_MESSAGE: "Der Server kann die Nachricht nicht lesen. Laden Sie die Seite neu.",
  MESSAGE_TOO_LARGE: "Die Nachricht ist zu groß. Verwenden Sie kleinere Werte oder ein kleineres Bild.",
  METHOD_NOT_IMPLEMENTED: "Dieser Server kann das noch nicht. Laden Sie die Seite neu.",
  OIDC_CLIENT_SECRET_REQUIRED:
    "Das gespeicherte Client-Secret gilt nur für Aussteller und Client-ID, mit denen es gesetzt wurde. Geben Sie das Secret mit dieser Änderung noch einmal ein.",
  OIDC_CLIENT_SECRET_UNREADABLE:
    "Das gespeicherte Client-Secret kann nicht entschlüsselt werden. Geben Sie es neu ein, oder bitten Sie die Betreiber, die fehlenden Schlüssel wiederherzustellen.",
  OIDC_CONFIG_NOT_FOUND: "Der Identity-Provider hat keine Einstellungen für OpenID Connect. Legen Sie sie fest.",
  ORGANIZATION_ALREADY_EXISTS: "Wählen Sie einen anderen Namen.",
  ORGANIZATION_HAS_USERS: "Die Organisation hat noch Benutzer. Entfernen Sie diese zuerst.",
  ORGANIZATION_NOT_FOUND: "Diese Organisation gibt es nicht. Prüfen Sie die Liste der Organisationen.",
  IDENTIFIER_ALREADY_USED: "Verwenden Sie einen anderen.",
  ORIGIN_ALREADY_USED: "Entfernen Sie ihn dort, oder verwenden Sie einen anderen.",
  PASSKEY_NOT_FOUND: "Der Benutzer hat diesen Passkey nicht mehr. Laden Sie die Liste neu.",
  PASSKEY_UNKNOWN: "Der Server kennt diesen Passkey nicht. Verwenden Sie einen anderen.",
  PERMISSION_DENIED:
    "Ihnen fehlt das Recht dazu. Bitten Sie die Administration der Organisation um eine Rolle, die es hat.",
  PROFILE_KEPT: "Bitten Sie einen Administrator, Ihre Angaben zu ändern.",
  PUSH_SECRET_UNREADABLE:
    "Ein Schlüssel des Webhooks kann nicht entschlüsselt werden. Erstellen Sie einen anderen, und entfernen Sie diesen.",
  RATE_LIMITED: "Es waren zu viele Aufrufe in kurzer Zeit. Warten Sie einen Moment.",
  REAUTHENTICATION_REQUIRED:
    "Dafür müssen Sie sich in den letzten Minuten angemeldet haben. Bestätigen Sie mit einem Passkey, dass Sie es sind.",
  RECOVERY_NOT_ALLOWED: "Wiederherstellung per E-Mail ist hier nicht erlaubt. Erstellen Sie einen Link.",
  ROLE_OUTLASTS_YOURS: "Ihre eigene Rolle endet früher. Wählen Sie ein Ende, das nicht danach liegt.",
  SEQUENCE_UNKNOWN:
    "Das Protokoll ist kürzer als zuvor: Die Datenbank wurde wiederhergestellt. Laden Sie die Seite neu.",
  SESSION_NOT_FOUND: "Diese Sitzung ist schon beendet. Laden Sie die Liste neu.",
  SHUTTING_DOWN: "Dieser Server wird gerade beendet. Versuchen Sie es gleich noch einmal.",
  SIGNING_KEY_UNAVAILABLE:
    "Der Server hat keinen lesbaren Signaturschlüssel. Versuchen Sie es später, oder benachrichtigen Sie die Betreiber.",
  SIGN_IN_FAILED: "Die Anmeldung ist gescheitert. Versuchen Sie es erneut, oder verwenden Sie einen anderen Passkey.",
  SMTP_CONFIG_ALREADY_EXISTS: "Es gibt schon eine SMTP-Konfiguration. Laden Sie die Seite neu, und ändern Sie diese.",
  SMTP_CONFIG_MISSING: "Legen Sie zuerst eine SMTP-Konfiguration an.",
  SMTP_CONFIG_NOT_FOUND: "Es ist keine SMTP-Konfiguration festgelegt. Legen Sie eine an.",
  SMTP_OAUTH_BOUND:
    "Die Einstellungen für OAuth gelten nur für den Mailserver, die Verschlüsselung und das Postfach, für die sie gesetzt wurden. Entfernen Sie sie vor der Änderung, und setzen Sie sie danach wieder.",
  SMTP_OAUTH_NOT_FOUND: "Für E-Mail ist kein OAuth eingerichtet.",
  SMTP_OAUTH_SECRET_REQUIRED:
    "Das gespeicherte Geheimnis gilt nur für den Token-Endpunkt, die Client-ID und das Postfach, für die es gesetzt wurde. Geben Sie es mit der Änderung neu ein.",
  SMTP_OAUTH_SECRET_UNREADABLE:
    "Das gespeicherte Geheimnis von OAuth kann nicht entschlüsselt werden. Geben Sie es neu ein, oder geben Sie allen Servern dieselben Schlüssel (`keystead doctor` nennt die fehlenden).",
  SMTP_PASSWORD_REQUIRED:
    "Das gespeicherte Passwort gilt nur für Server, Verschlüsselung und Benutzer, mit denen es gesetzt wurde. Geben Sie es mit dieser Änderung noch einmal ein.",
  SMTP_PASSWORD_UNREADABLE:
    "Das gespeicherte Passwort kann nicht entschlüsselt werden. Geben Sie es neu ein, oder bitten Sie die Betreiber, die fehlenden Schlüssel wiederherzustellen.",
  SMTP_USER_REQUIRED:
    "Die SMTP-Konfiguration hat keinen Benutzer und braucht deshalb kein Passwort. Geben Sie beide zusammen ein.",
  STREAM_NOT_READ: "Die Verbindung war zu langsam. Laden Sie die Seite neu.",
  SUBSCRIPTION_NOT_FOUND:
    "Diese Organisation hat den Webhook nicht. Prüfen Sie die Liste und die gewählte Organisation.",
  SUBSCRIPTION_SECRET_NOT_FOUND: "Der Webhook hat diesen Schlüssel nicht mehr. Laden Sie die Seite neu.",
  TOKEN_NOT_FOUND: "Der Benutzer hat dieses Token nicht mehr. Laden Sie die Liste neu.",
  TOO_MANY_ATTEMPTS: "Mit diesem Link wurde zu oft ein Passkey begonnen. Erstellen Sie einen neuen.",
  TOO_MANY_ATTRIBUTE_DEFINITIONS: "Die Organisation hat die größte Zahl von Attributen. Entfernen Sie erst eines.",
  TOO_MANY_CEREMONIES:
    "Zu viele Registrierungen dieses Benutzers sind offen. Warten Sie zehn Minuten, bis sie ablaufen.",
  TOO_MANY_IDEMPOTENCY_KEYS: "Sie haben an einem Tag zu viele Änderungen gemacht. Versuchen Sie es später.",
  TOO_MANY_MAIL_DOMAINS: "Die Organisation hat die größte Zahl von Mail-Domains. Entfernen Sie eine.",
  TOO_MANY_MAILS: "An diese Adresse wurden zu viele E-Mails geschickt, oder sie warten noch. Versuchen Sie es später.",
  TOO_MANY_MAKERS:
    "Ihr Passkey oder Token entstand über die Zugangsdaten vieler anderer Benutzer. Verwenden Sie einen, den Sie selbst angelegt haben.",
  TOO_MANY_MEMBERS:
    "Die Gruppe hat die größte Zahl von Mitgliedern. Entfernen Sie welche, oder legen Sie eine weitere Gruppe an.",
  TOO_MANY_PASSKEYS:
    "Der Benutzer hat die größte Zahl von Passkeys. Entfernen Sie einen, der nicht mehr gebraucht wird.",
  TOO_MANY_SECRETS: "Die Anwendung hat die größte Zahl von Secrets. Entfernen Sie das, das sie nicht mehr verwendet.",
  TOO_MANY_SUBSCRIPTIONS: "Die Organisation hat die größte Zahl von Webhooks. Entfernen Sie einen.",
  TOO_MANY_SUBSCRIPTION_SECRETS:
    "Der Webhook hat die größte Zahl von Schlüsseln. Entfernen Sie den, den das Ziel nicht mehr verwendet.",
  TOO_MANY_TOKENS: "Der Benutzer hat die größte Zahl von Tokens. Widerrufen Sie die, die nicht gebraucht werden.",
  UNAUTHENTICATED: "Ihre Sitzung ist beendet. Melden Sie sich neu an.",
  USER_ALREADY_EXISTS: "Wählen Sie einen anderen Benutzernamen.",
  USER_HAS_NO_EMAIL:
    "Tragen Sie eine E-Mail-Adresse ein, oder lassen Sie sich den Link anzeigen und übergeben Sie ihn selbst.",
  USER_LOCKED: "Der Benutzer ist gesperrt. Entsperren Sie ihn zuerst.",
  USER_NOT_FOUND: "Diesen Benutzer gibt es nicht. Prüfen Sie die Liste der Benutzer.",
  USER_NOT_VERIFIED:
    "Das Gerät hat nicht bestätigt, dass Sie es sind. Entsperren Sie es mit PIN, Fingerabdruck oder Gesicht.",
  WORKLOAD_ISSUER_UNREACHABLE:
    "Die Schlüssel des Ausstellers lassen sich zurzeit nicht lesen. Versuchen Sie es später noch einmal.",
  "violation.CONTAINS_LINK":
    "Entfernen Sie Links, Webadressen und E-Mail-Adressen: Der Link der E-Mail bleibt ihr einziger. Setzen Sie nach einem Punkt ein Leerzeichen.",
  "violation.CONTROL_CHARACTERS": "Entfernen Sie Zeilenumbrüche und Steuerzeichen.",
  "violation.EMPTY": "Geben Sie einen Wert ein.",
  "violation.HTTPS_REQUIRED": "Geben Sie eine URL ein, die mit https:// beginnt.",
  "violation.INVALID_LANGUAGE": "Geben Sie ein Sprachkürzel wie en oder pt-BR ein.",
  "violation.INVALID_MAIL_ADDRESS": "Geben Sie eine E-Mail-Adresse wie name@example.com ein.",
  "violation.INVALID_TIME": "Geben Sie eine Zeit in den Jahren 1 bis 9999 ein.",
  "violation.INVALID_TIME_ZONE": "Geben Sie eine Zeitzone wie Europe/Berlin ein.",
  "violation.INVISIBLE_CHARACTERS": "Entfernen Sie unsichtbare Zeichen.",
  "violation.MISSING_PLACE": "Fügen Sie die Platzhalter ein, die im Text stehen müssen.",
  "violation.NO_VISIBLE_CHARACTER": "Geben Sie mindestens ein sichtbares Zeichen ein.",
  "violation.OUTER_WHITE_SPACE": "Entfernen Sie Leerzeichen am Anfang und am Ende.",
  "violation.TIME_PASSED": "Geben Sie einen Zeitpunkt in der Zukunft an.",
  "violation.TOO_LONG": "Geben Sie höchstens {number} Zeichen ein.",
  "violation.TOO_MANY_ENTRIES": "Geben Sie höchstens {number} Einträge ein.",
  "violation.TOO_MANY_LINES": "Schreiben Sie höchstens {number} Zeilen.",
  "violation.TOO_SMALL": "Geben Sie mindestens {number} ein.",
  "violation.UNKNOWN_PLACE": "Verwenden Sie geschweifte Klammern nur für die Platzhalter, die oben stehen.",
};
