/** The refusals of the server in Polish, by their reasons. `{name}` stands for a value of the metadata of the refusal. */

import type { Refusals } from "../types";

export const refusals: Refusals = {
  APPLICATION_GRANT_NOT_FOUND:
    "Użytkownik nie przyznał tej aplikacji dostępu lub dostęp już się zakończył. Wczytaj listę ponownie.",
  APPLICATION_ID_ALREADY_USED:
    "Aplikacja tej instalacji ma lub miała ten identyfikator. Identyfikatorów nie używa się ponownie. Wybierz inny.",
  APPLICATION_NOT_FOUND: "Ta organizacja nie ma takiej aplikacji. Sprawdź listę aplikacji i wybraną organizację.",
  APPLICATION_SECRET_NOT_FOUND: "Aplikacja nie ma już tego sekretu. Odśwież stronę.",
  APPLICATION_WITHOUT_PEOPLE:
    "Aplikacja nie otrzymuje oświadczeń o użytkownikach. Otrzymują je tylko aplikacje internetowe, aplikacje w przeglądarce i aplikacje na urządzeniu.",
  APPLICATION_WITHOUT_SECRETS:
    "Aplikacja nie uwierzytelnia się sekretem. W przypadku aplikacji internetowej lub usługi wybierz metodę z sekretem albo użyj jej klucza.",
  ATTRIBUTE_DEFINITION_ALREADY_EXISTS: "Wybierz inną nazwę.",
  ATTRIBUTE_DEFINITION_NOT_FOUND: "Atrybut został usunięty. Wczytaj listę ponownie.",
  BRAND_NOT_FOUND: "Marka nie jest ustawiona. Ustaw ją.",
  CAPTURED_MAIL_NOT_FOUND: "Wiadomość nie została przechwycona lub jej treść nie jest już przechowywana.",
  CAPTURED_MAIL_UNREADABLE:
    "Nie można odszyfrować wiadomości. Wszystkie serwery tej bazy danych muszą mieć te same klucze.",
  CANNOT_LOCK_YOURSELF: "Nie możesz zablokować własnego konta. Poproś o to innego administratora.",
  CERTIFICATE_ALREADY_ADDED:
    "Certyfikat należy już do innego tokena. Najpierw unieważnij ten token lub poproś o wystawienie innego certyfikatu.",
  CERTIFICATE_NOT_PRESENTED:
    "Połączenie nie dowodzi, że masz klucz prywatny certyfikatu. Poproś właściciela instancji o jego dodanie.",
  CHALLENGE_EXPIRED: "Potwierdzenie trwało zbyt długo. Zacznij od początku.",
  CHALLENGE_USED: "To potwierdzenie zostało już zakończone. Zacznij od początku.",
  CONCURRENT_CHANGE: "Ktoś zmienił to samo w tej samej chwili. Spróbuj ponownie.",
  CREDENTIAL_ALREADY_REGISTERED: "Ten klucz dostępu jest już zarejestrowany. Użyj innego urządzenia.",
  CREDENTIAL_MALFORMED: "Odpowiedź urządzenia jest uszkodzona. Spróbuj ponownie lub użyj innego urządzenia.",
  CREDENTIAL_NOT_VERIFIED: "Ten klucz dostępu nie należy do tej rejestracji. Zacznij od początku.",
  DATABASE_UNAVAILABLE: "Serwer nie może teraz połączyć się z bazą danych. Spróbuj ponownie za chwilę.",
  DEADLINE_EXCEEDED: "Wywołanie nie zakończyło się na czas. Spróbuj ponownie.",
  DELIVERY_ALREADY_SENT: "Odbiorca przyjął wysyłkę. Nie trzeba nic robić.",
  DELIVERY_CANCELLED: "Wysyłkę anulowano, ponieważ usunięto jej odbiorcę.",
  DELIVERY_NOT_FOUND: "Ta organizacja nie ma takiej wysyłki. Wczytaj listę ponownie.",
  DNS_UNAVAILABLE:
    "Serwery DNS nie odpowiedziały. Spróbuj ponownie później. Jeśli problem nie zniknie, sprawdź DNS domeny.",
  EMAIL_SET_BY_OTHERS:
    "Adres e-mail ustawiła osoba, która nie ma wszystkich uprawnień użytkownika. Sprawdź adres i zapisz go ponownie.",
  ENCRYPTION_KEY_REPLACED:
    "Ten serwer nie może zapisywać danych poufnych, ponieważ zmieniono jego klucz. Operator musi uruchomić go ponownie z aktualnymi kluczami.",
  EVENTS_ARCHIVED: "Starsze zdarzenia są zarchiwizowane. Poproś operatora o archiwum.",
  GROUP_ALREADY_EXISTS: "Wybierz inną nazwę.",
  GROUP_MEMBER_NOT_FOUND:
    "Użytkownik nie jest członkiem grupy lub ta organizacja nie ma takiej grupy. Wczytaj listę ponownie.",
  GROUP_NOT_FOUND: "Ta organizacja nie ma takiej grupy. Sprawdź listę grup i wybraną organizację.",
  IDEMPOTENCY_ANSWER_UNREADABLE: "Zmianę wprowadzono, ale nie można odczytać odpowiedzi. Odśwież stronę.",
  IDEMPOTENCY_KEY_REUSED: "Dwie zmiany miały ten sam klucz. Odśwież stronę i spróbuj ponownie.",
  IDP_LINK_NOT_FOUND: "Użytkownik nie ma już tego połączenia. Wczytaj listę ponownie.",
  IDP_NAME_NOT_UNIQUE: "Organizacja ma kilku dostawców tożsamości o tej nazwie. Podaj identyfikator dostawcy.",
  IDP_NOT_FOUND: "Ta organizacja nie ma takiego dostawcy tożsamości. Sprawdź listę i wybraną organizację.",
  INVALID_FIELDS: "Popraw pola oznaczone błędem.",
  LAST_INSTANCE_OWNER:
    "Najpierw nadaj rolę właściciela instancji innemu użytkownikowi lub odblokuj jednego z właścicieli.",
  LAST_SECRET: "Webhook ma tylko ten klucz. Najpierw utwórz kolejny.",
  LINK_EXPIRED: "Link wygasł. Utwórz nowy.",
  LINK_REPLACED: "Ten link zastąpiono nowszym. Użyj najnowszego.",
  LINK_USED: "Tym linkiem zarejestrowano już klucz dostępu. Utwórz nowy.",
  LOG_RESTORED: "Zdarzenia do tego miejsca przepadły: bazę danych przywrócono z kopii zapasowej. Odśwież stronę.",
  MADE_BY_OTHERS:
    "Zablokowani użytkownicy lub użytkownicy bez uprawnień tej roli mogą mieć dane logowania tego użytkownika. Sprawdź je i nadaj rolę tak, aby dane utworzone przez innych straciły ważność.",
  MAIL_ALREADY_SENT: "Wiadomość została już wysłana. Nie trzeba nic robić.",
  MAIL_CANCELLED: "Wiadomość anulowano, ponieważ jej treść jest nieaktualna.",
  MAIL_CAPTURED:
    "Z tego serwera nie wychodzi żadna poczta, ponieważ włączono KEYSTEAD_MAIL_CAPTURE. Przeprowadź test bez odbiorcy.",
  MAIL_DOMAIN_ALREADY_EXISTS: "Organizacja ma już tę domenę e-mail. Znajdziesz ją na liście.",
  MAIL_DOMAIN_NOT_FOUND: "Domena e-mail została usunięta. Wczytaj listę ponownie.",
  MAIL_DOMAIN_NOT_PROVEN:
    "Żaden rekord TXT {record_name} nie ma wartości {record_value}. Znaleziono: {found}. Opublikuj rekord w DNS domeny i spróbuj ponownie: serwery DNS czasem przechowują starą odpowiedź przez kilka godzin.",
  MAIL_DOMAIN_PROVEN_ELSEWHERE:
    "Inna organizacja na tym serwerze zweryfikowała tę domenę e-mail. Usuń z DNS jej rekord TXT, aby tę nazwę miał tylko Twój rekord.",
  MAIL_NOT_FOUND: "Nie ma już tej wiadomości. Wczytaj listę ponownie.",
  MAIL_SECRET_ERASED: "Link w wiadomości usunięto, gdy wysyłka się nie powiodła. Utwórz nowy link.",
  MALFORMED_MESSAGE: "Serwer nie może odczytać komunikatu. Odśwież stronę.",
  MESSAGE_TOO_LARGE: "Komunikat jest zbyt duży. Użyj krótszych wartości lub mniejszego obrazu.",
  METHOD_NOT_IMPLEMENTED: "Ten serwer jeszcze tego nie obsługuje. Odśwież stronę.",
  OIDC_CLIENT_SECRET_REQUIRED:
    "Zapisany sekret klienta jest ważny tylko dla wystawcy i identyfikatora klienta, z którymi go ustawiono. Wpisz go ponownie razem z tą zmianą.",
  OIDC_CLIENT_SECRET_UNREADABLE:
    "Nie można odszyfrować zapisanego sekretu klienta. Wpisz go ponownie lub poproś operatora o przywrócenie brakujących kluczy.",
  OIDC_CONFIG_NOT_FOUND: "Dostawca tożsamości nie ma ustawień OpenID Connect. Wprowadź je.",
  ORGANIZATION_ALREADY_EXISTS: "Wybierz inną nazwę.",
  ORGANIZATION_NOT_FOUND: "Nie ma takiej organizacji. Sprawdź listę organizacji.",
  IDENTIFIER_ALREADY_USED: "Użyj innego.",
  ORIGIN_ALREADY_USED: "Usuń je tam lub użyj innego.",
  PASSKEY_NOT_FOUND: "Użytkownik nie ma już tego klucza dostępu. Wczytaj listę ponownie.",
  PASSKEY_UNKNOWN: "Serwer nie zna tego klucza dostępu. Użyj innego.",
  PERMISSION_DENIED: "Nie masz do tego uprawnień. Poproś administratora organizacji o rolę, która je daje.",
  PROFILE_KEPT: "Poproś administratora o zmianę Twoich danych.",
  PUSH_SECRET_UNREADABLE: "Nie można odszyfrować klucza webhooka. Utwórz inny i usuń ten.",
  RATE_LIMITED: "Zbyt wiele wywołań w krótkim czasie. Odczekaj chwilę.",
  REAUTHENTICATION_REQUIRED: "Wymaga to logowania w ciągu ostatnich kilku minut. Potwierdź kluczem dostępu, że to Ty.",
  RECOVERY_NOT_ALLOWED: "Odzyskiwanie przez e-mail jest tu niedozwolone. Utwórz link.",
  SEQUENCE_UNKNOWN: "Dziennik jest krótszy niż wcześniej: bazę danych przywrócono. Odśwież stronę.",
  SESSION_NOT_FOUND: "Ta sesja już się zakończyła. Wczytaj listę ponownie.",
  SHUTTING_DOWN: "Ten serwer jest właśnie zamykany. Spróbuj ponownie za chwilę.",
  SIGNING_KEY_UNAVAILABLE: "Serwer nie ma czytelnego klucza podpisu. Spróbuj później lub powiadom operatora.",
  SIGN_IN_FAILED: "Nie udało się zalogować. Spróbuj ponownie lub użyj innego klucza dostępu.",
  SMTP_CONFIG_ALREADY_EXISTS: "Konfiguracja SMTP już istnieje. Odśwież stronę i zmień ją.",
  SMTP_CONFIG_MISSING: "Najpierw dodaj konfigurację SMTP.",
  SMTP_CONFIG_NOT_FOUND: "Brak konfiguracji SMTP. Dodaj ją.",
  SMTP_OAUTH_BOUND:
    "Ustawienia OAuth są ważne tylko dla serwera poczty, szyfrowania i skrzynki, dla których je wprowadzono. Usuń je przed zmianą, a potem wprowadź ponownie.",
  SMTP_OAUTH_NOT_FOUND: "OAuth nie jest skonfigurowany dla poczty.",
  SMTP_OAUTH_SECRET_REQUIRED:
    "Zapisany sekret jest ważny tylko dla punktu końcowego tokenów, identyfikatora klienta i skrzynki, dla których go ustawiono. Wpisz go ponownie razem ze zmianą.",
  SMTP_OAUTH_SECRET_UNREADABLE:
    "Nie można odszyfrować zapisanego sekretu OAuth. Wpisz go ponownie lub nadaj wszystkim serwerom te same klucze (`keystead doctor` wskazuje brakujące).",
  SMTP_PASSWORD_REQUIRED:
    "Zapisane hasło jest ważne tylko dla serwera, szyfrowania i użytkownika, z którymi je ustawiono. Wpisz je ponownie razem z tą zmianą.",
  SMTP_PASSWORD_UNREADABLE:
    "Nie można odszyfrować zapisanego hasła. Wpisz je ponownie lub poproś operatora o przywrócenie brakujących kluczy.",
  SMTP_USER_REQUIRED: "Konfiguracja SMTP nie ma użytkownika, więc nie potrzebuje hasła. Wpisz oba razem.",
  STREAM_NOT_READ: "Połączenie było zbyt wolne. Odśwież stronę.",
  SUBSCRIPTION_NOT_FOUND: "Ta organizacja nie ma takiego webhooka. Sprawdź listę i wybraną organizację.",
  SUBSCRIPTION_SECRET_NOT_FOUND: "Webhook nie ma już tego klucza. Odśwież stronę.",
  TOKEN_NOT_FOUND: "Użytkownik nie ma już tego tokena. Wczytaj listę ponownie.",
  TOO_MANY_ATTEMPTS: "Zbyt wiele razy rozpoczęto tym linkiem rejestrację klucza dostępu. Utwórz nowy.",
  TOO_MANY_ATTRIBUTE_DEFINITIONS: "Organizacja ma maksymalną liczbę atrybutów. Najpierw usuń jeden.",
  TOO_MANY_CEREMONIES: "Użytkownik ma zbyt wiele rozpoczętych rejestracji. Odczekaj dziesięć minut, aż wygasną.",
  TOO_MANY_IDEMPOTENCY_KEYS: "Zbyt wiele Twoich zmian w ciągu jednego dnia. Spróbuj później.",
  TOO_MANY_MAIL_DOMAINS: "Organizacja ma maksymalną liczbę domen e-mail. Usuń jedną.",
  TOO_MANY_MAILS: "Na ten adres wysłano zbyt wiele wiadomości lub zbyt wiele czeka na wysłanie. Spróbuj później.",
  TOO_MANY_MAKERS:
    "Twój klucz dostępu lub token powstał dzięki danym logowania wielu innych użytkowników. Użyj klucza lub tokena utworzonego przez Ciebie.",
  TOO_MANY_MEMBERS: "Grupa ma maksymalną liczbę członków. Usuń niektórych lub dodaj kolejną grupę.",
  TOO_MANY_PASSKEYS: "Użytkownik ma maksymalną liczbę kluczy dostępu. Usuń ten, który nie jest już potrzebny.",
  TOO_MANY_SECRETS: "Aplikacja ma maksymalną liczbę sekretów. Usuń ten, którego już nie używa.",
  TOO_MANY_SUBSCRIPTIONS: "Organizacja ma maksymalną liczbę webhooków. Usuń jeden.",
  TOO_MANY_SUBSCRIPTION_SECRETS: "Webhook ma maksymalną liczbę kluczy. Usuń ten, którego odbiorca już nie używa.",
  TOO_MANY_TOKENS: "Użytkownik ma maksymalną liczbę tokenów. Unieważnij te, które nie są potrzebne.",
  UNAUTHENTICATED: "Twoja sesja się zakończyła. Zaloguj się ponownie.",
  USER_ALREADY_EXISTS: "Wybierz inną nazwę użytkownika.",
  USER_HAS_NO_EMAIL: "Wpisz adres e-mail lub wyświetl link i przekaż go samodzielnie.",
  USER_LOCKED: "Użytkownik jest zablokowany. Najpierw go odblokuj.",
  USER_NOT_FOUND: "Nie ma takiego użytkownika. Sprawdź listę użytkowników.",
  USER_NOT_VERIFIED: "Urządzenie nie potwierdziło, że to Ty. Odblokuj je kodem PIN, odciskiem palca lub twarzą.",
  WORKLOAD_ISSUER_UNREACHABLE: "Nie można teraz odczytać kluczy wystawcy. Spróbuj ponownie później.",
  "violation.CONTROL_CHARACTERS": "Usuń znaki nowego wiersza i znaki sterujące.",
  "violation.EMPTY": "Podaj wartość.",
  "violation.HTTPS_REQUIRED": "Podaj adres URL, który zaczyna się od https://.",
  "violation.INVALID_LANGUAGE": "Podaj kod języka, taki jak en lub pt-BR.",
  "violation.INVALID_MAIL_ADDRESS": "Podaj adres e-mail, taki jak name@example.com.",
  "violation.INVALID_TIME": "Podaj czas w latach od 1 do 9999.",
  "violation.INVALID_TIME_ZONE": "Podaj strefę czasową, taką jak Europe/Berlin.",
  "violation.INVISIBLE_CHARACTERS": "Usuń niewidoczne znaki.",
  "violation.NO_VISIBLE_CHARACTER": "Podaj co najmniej jeden widoczny znak.",
  "violation.OUTER_WHITE_SPACE": "Usuń spacje na początku i na końcu.",
  "violation.TOO_LONG": "Podaj najwyżej {number} znaków.",
  "violation.TOO_MANY_ENTRIES": "Podaj najwyżej {number} pozycji.",
  "violation.TOO_SMALL": "Podaj co najmniej {number}.",
};
