/** The findings of the view of the system in Polish, by their reasons. `{name}` stands for a value of the finding. */

import type { Findings } from "../types";

export const findings: Findings = {
  "check.readiness": "gotowość",
  "check.settings": "ustawienia",
  "check.relying party": "relying party",
  "check.link page": "strona linków",
  "check.plaintext": "transmisja niezaszyfrowana",
  "check.trusted proxies": "zaufane serwery proxy",
  "check.certificate": "certyfikat",
  "check.client CA": "CA klientów",
  "check.extensions of the certificate": "rozszerzenia certyfikatu",
  "check.data directory": "katalog danych",
  "check.disk space": "miejsce na dysku",
  "check.secret files": "pliki z sekretami",
  "check.database": "baza danych",
  "check.connections": "połączenia",
  "check.clock": "zegar",
  "check.indexes": "indeksy",
  "check.writes": "zapisy",
  "check.Patroni": "Patroni",
  "check.servers": "serwery",
  "check.ES256 signing keys": "klucze podpisujące ES256",
  "check.RS256 signing keys": "klucze podpisujące RS256",
  "check.administrator": "administrator",
  "check.mail": "poczta",
  "check.pushes": "dostarczanie",
  "check.event log": "dziennik zdarzeń",
  "check.checkpoint file": "plik punktów kontrolnych",
  "check.event partitions": "partycje zdarzeń",
  "check.mail sender": "nadawca wiadomości",
  READY: "Serwer przyjmuje wywołania.",
  SETTINGS_VALID: "Wszystkie są prawidłowe.",
  RP_ID_LOCAL:
    "KEYSTEAD_RP_ID to {rp_id}, a serwer nasłuchuje na {address}: klucze dostępu działają tylko w przeglądarkach na tym komputerze.",
  "RP_ID_LOCAL.remedy": "Ustaw KEYSTEAD_RP_ID i KEYSTEAD_RP_ORIGINS na domenę, którą widzą użytkownicy.",
  RP_ID: "{rp_id}, na {origins}.",
  LINK_PAGE_PLAINTEXT: "{page} nie jest udostępniana przez https, więc przeglądarki nie oferują tam kluczy dostępu.",
  "LINK_PAGE_PLAINTEXT.remedy": "Udostępnij ją przez TLS i ustaw KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE_ELSEWHERE: "Linki rejestracyjne otwierają {page}, ale port WWW to {here} na tym komputerze.",
  "LINK_PAGE_ELSEWHERE.remedy": "Podaj {here} jako pierwszy w KEYSTEAD_RP_ORIGINS lub ustaw KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE_FOREIGN:
    "{page} nie leży na żadnym z KEYSTEAD_RP_ORIGINS, więc każda rejestracja przez link jest odrzucana.",
  "LINK_PAGE_FOREIGN.remedy": "Dodaj tam {origin} lub zmień KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE: "Linki rejestracyjne otwierają {page}.",
  PORTS_TLS: "Oba porty używają TLS.",
  PORTS_OPEN: "{ports}: inne komputery łączą się bez szyfrowania, co ujawnia tokeny.",
  "PORTS_OPEN.remedy":
    "Ustaw KEYSTEAD_TLS_CERTIFICATE_FILE i KEYSTEAD_TLS_KEY_FILE, nasłuchuj na 127.0.0.1 lub zezwól na dostęp tylko serwerowi proxy, który kończy TLS.",
  PORTS_LOCAL: "Oba porty są dostępne tylko z tego komputera lub przez zaufany serwer proxy.",
  PROXIES_EVERYWHERE:
    "KEYSTEAD_TRUSTED_PROXIES zawiera {networks}: każdy klient, który łączy się z portem WWW, wybiera adres używany przez limity wywołań i dzienniki.",
  "PROXIES_EVERYWHERE.remedy": "Podaj tylko sieci swoich serwerów proxy.",
  CERTIFICATE_FUTURE: "{file} jest ważny dopiero od {time} UTC, więc klienci go odrzucają.",
  "CERTIFICATE_FUTURE.remedy": "Sprawdź zegar tego komputera lub użyj innego certyfikatu.",
  CERTIFICATE_EXPIRED: "{file} wygasł {time} UTC, więc klienci go odrzucają.",
  "CERTIFICATE_EXPIRED.remedy": "Odnów go; działające serwery przejmują nowe pliki.",
  CERTIFICATE_EXPIRES: "{file} wygasa {time} UTC.",
  "CERTIFICATE_EXPIRES.remedy": "Odnów go; działające serwery przejmują nowe pliki.",
  CERTIFICATE_VALID: "{file} jest ważny do {date}.",
  CLIENT_CA_EXPIRED:
    "Certyfikat w {file} wygasł {time} UTC, więc klienci z certyfikatami tego urzędu nie mogą się połączyć.",
  "CLIENT_CA_EXPIRED.remedy": "Odnów go; działające serwery przejmują nowe pliki.",
  CLIENT_CA_EXPIRES: "Certyfikat w {file} wygasa {time} UTC.",
  "CLIENT_CA_EXPIRES.remedy": "Odnów go; działające serwery przejmują nowe pliki.",
  CLIENT_CA_VALID: "Certyfikat w {file} jest ważny do {date}.",
  EXTENSIONS_MISSING:
    "RFC 5280 wymaga {extension} w {subject} w pliku {file}. Bez tego ścisłe klienty, takie jak Python 3.13, odrzucają certyfikat.",
  "EXTENSIONS_MISSING.remedy": "Wystaw go ponownie, jak pokazuje docs/operating-tls.md.",
  EXTENSIONS: "{file} ma rozszerzenia, których wymaga RFC 5280.",
  FOLDER_CLOSED: "Ten użytkownik nie może zapisywać w {folder} ani go utworzyć.",
  "FOLDER_CLOSED.remedy": "Uruchom Keystead jako jego właściciel lub ustaw KEYSTEAD_DATA_DIR na inny katalog.",
  FOLDER_MISSING: "{folder} nie istnieje; tworzy go serwer.",
  FOLDER_OPEN: "Inni użytkownicy mogą zapisywać w {folder}.",
  "FOLDER_OPEN.remedy": "Uruchom: chmod go-w {folder}",
  FOLDER: "Tylko właściciel może zmieniać {folder}.",
  SPACE_TOO_LITTLE: "Dla wbudowanej bazy danych wolne jest tylko {megabytes} MB: zapisy zawodzą lub wkrótce zaczną.",
  "SPACE_TOO_LITTLE.remedy":
    "Zwolnij miejsce na dysku z {folder} albo zatrzymaj wszystkie serwery, przenieś ten katalog i ustaw KEYSTEAD_DATA_DIR.",
  SPACE_LITTLE:
    "Dla wbudowanej bazy danych wolne jest tylko {megabytes} MB, a przez pewien czas może potrzebować 1000 MB.",
  "SPACE_LITTLE.remedy":
    "Zwolnij miejsce na dysku z {folder} albo zatrzymaj wszystkie serwery, przenieś ten katalog i ustaw KEYSTEAD_DATA_DIR.",
  SPACE: "Dla wbudowanej bazy danych wolne jest {megabytes} MB.",
  SECRET_READABLE: "{name} jest w {path}, który może odczytać każdy użytkownik.",
  "SECRET_READABLE.remedy": "Uruchom: chmod o-r {path}",
  ADMIN_TOKEN_READABLE: "Token pierwszego administratora jest w {path}, który może odczytać każdy użytkownik.",
  "ADMIN_TOKEN_READABLE.remedy": "Uruchom: chmod o-r {path}",
  SECRETS_CLOSED: "Żaden sekret nie jest w pliku, który może odczytać każdy.",
  DATABASE_OLD: "PostgreSQL {version} jest za stary.",
  "DATABASE_OLD.remedy": "Użyj {oldest} lub nowszego.",
  DATABASE: "PostgreSQL {version}, ze schematem tego wydania.",
  CONNECTIONS_TOO_FEW:
    "Procesy robocze: {workers}. Otwierają do {wanted} połączeń, a PostgreSQL zezwala na {allowed}: pod obciążeniem wywołania zawodzą.",
  "CONNECTIONS_TOO_FEW.remedy":
    "Zmniejsz KEYSTEAD_DATABASE_POOL_SIZE lub zwiększ max_connections albo limit połączeń roli lub bazy danych.",
  CONNECTIONS: "Do {wanted} z {allowed} dostępnych.",
  CLOCK_AHEAD:
    "Zegar bazy danych spieszy się o {seconds} s względem zegara tego komputera. JWT sesji mają czas bazy danych: usługi z innym czasem je odrzucają.",
  "CLOCK_AHEAD.remedy": "Zsynchronizuj je przez NTP.",
  CLOCK_BEHIND:
    "Zegar bazy danych spóźnia się o {seconds} s względem zegara tego komputera. JWT sesji mają czas bazy danych: usługi z innym czasem je odrzucają.",
  "CLOCK_BEHIND.remedy": "Zsynchronizuj je przez NTP.",
  CLOCK: "Zegar bazy danych zgadza się z zegarem tego komputera.",
  INDEX_INCOMPLETE: "Indeks {name} jest niepełny i nieużywany: jego tworzenie przerwano.",
  "INDEX_INCOMPLETE.remedy": "Utwórz go ponownie tym poleceniem SQL: reindex index concurrently {name}",
  COMMIT_OFF: "synchronous_commit ma wartość off: awaria powoduje utratę potwierdzonych zapisów.",
  "COMMIT_OFF.remedy": "Ustaw on.",
  COMMIT_LOCAL:
    "synchronous_commit ma wartość local: nie czeka na żaden serwer zapasowy, więc przełączenie awaryjne powoduje utratę potwierdzonych zapisów.",
  "COMMIT_LOCAL.remedy": "Ustaw on.",
  NO_SYNCHRONOUS_STANDBY:
    "KEYSTEAD_DATABASE_URL podaje kilka hostów, ale synchronous_standby_names jest puste: przełączenie awaryjne powoduje utratę potwierdzonych zapisów.",
  "NO_SYNCHRONOUS_STANDBY.remedy": "W Patroni ustaw synchronous_mode i synchronous_mode_strict.",
  WRITES_ON_DISK: "Potwierdzone zapisy są na dysku.",
  WRITES_ON_STANDBY: "Synchroniczny serwer zapasowy ma potwierdzone zapisy.",
  PATRONI_OLD:
    "Patroni tego serwera PostgreSQL jest starsze niż 3.2; `patronictl version` pokazuje wersję. Do wersji 3.0.2 z API v3 etcd zamrożony lider odzyskuje blokadę, a zapisy potwierdzone przez jego następcę przepadają.",
  "PATRONI_OLD.remedy": "Zaktualizuj Patroni do 3.2 lub nowszego.",
  SERVERS_NONE: "Żaden nie działa.",
  SERVERS_WITHOUT_KEY:
    "Te serwery nie mogą przechowywać sekretów, ponieważ `keystead rotate-keys` zastąpiło ich pierwszy klucz: {servers}.",
  "SERVERS_WITHOUT_KEY.remedy": "Uruchom je ponownie z bieżącymi kluczami.",
  SERVERS_WITH_OTHER_KEYS: "Te serwery nie szyfrują pierwszym kluczem z tych ustawień, {key_id}: {servers}.",
  "SERVERS_WITH_OTHER_KEYS.remedy":
    "Uruchom je ponownie z tymi samymi kluczami; do tego czasu `keystead rotate-keys` odmawia.",
  SERVERS: "Działające serwery ({number}): {servers}.",
  SIGNING_KEY_NONE: "Nie ma żadnego do podpisywania JWT.",
  "SIGNING_KEY_NONE.remedy":
    "Uruchom serwer, który doda klucz, gdy tylko nie będzie działał żaden serwer wcześniejszego wydania.",
  SIGNING_KEY_FUTURE:
    "Jedyny należny klucz podpisuje od {time} UTC, czyli w przyszłości: zegar bazy danych jest lub był błędny.",
  "SIGNING_KEY_FUTURE.remedy": "Zsynchronizuj go przez NTP.",
  SIGNING_KEY_OVERDUE: "Następny jest spóźniony od {time} UTC.",
  "SIGNING_KEY_OVERDUE.remedy":
    "Sprawdź, czy serwer działa, i przeczytaj jego dziennik lub uruchom: keystead rotate-signing-key",
  SIGNING_KEY_NEXT: "Następny podpisuje od {time} UTC.",
  SIGNING_KEY: "Następny zostanie opublikowany {date}.",
  OWNER_NONE: "Żaden użytkownik nie ma roli INSTANCE_OWNER.",
  "OWNER_NONE.remedy":
    "Uruchom serwer raz, jeśli baza danych jest nowa; w przeciwnym razie uruchom: keystead user grant USER INSTANCE_OWNER",
  OWNER_WITHOUT_TOKEN: "Żaden użytkownik z rolą INSTANCE_OWNER nie ma ważnego tokena.",
  "OWNER_WITHOUT_TOKEN.remedy": "Uruchom: keystead token create USER",
  OWNERS: "Z ważnym tokenem: {number}.",
  MAIL_NOT_CONFIGURED: "Nie ma konfiguracji SMTP, więc poczta nie jest wysyłana.",
  "MAIL_NOT_CONFIGURED.remedy": "Dodaj ją: keystead smtp add",
  MAILS_UNDELIVERED: "Wiadomości nieudane w ciągu doby: {failed}; spóźnione: {delayed}; ostatni powód to {reason}.",
  "MAILS_UNDELIVERED.remedy": "Zobacz: keystead mail list",
  MAILS_NOT_ATTEMPTED: "Wiadomości nieudane w ciągu doby: {failed}; spóźnione: {delayed}; żadnej nie próbowano wysłać.",
  "MAILS_NOT_ATTEMPTED.remedy": "Sprawdź, czy serwer działa. Zobacz: keystead mail list",
  MAILS: "Konfiguracja SMTP jest ustawiona; żadna wiadomość nie jest spóźniona ani nie zawiodła w ciągu doby.",
  PUSHES_UNDELIVERED:
    "Webhooki i tokeny wylogowania nieudane w ciągu doby: {failed}; ponawiane po nieudanej próbie: {tried_again}; cele bez odpowiedzi: {targets}; ostatni powód to {reason}.",
  "PUSHES_UNDELIVERED.remedy": "Zobacz, z --org: keystead push deliveries",
  PUSHES_TRIED_AGAIN:
    "Webhooki i tokeny wylogowania nieudane w ciągu doby: {failed}; ponawiane po nieudanej próbie: {tried_again}; cele bez odpowiedzi: {targets}.",
  "PUSHES_TRIED_AGAIN.remedy": "Zobacz, z --org: keystead push deliveries",
  PUSHES: "Żaden webhook ani token wylogowania nie zawiódł w ciągu doby i żaden nie jest ponawiany.",
  EVENTS_UNCOVERED: "Wiek zdarzeń, których nie ma w żadnym punkcie kontrolnym, w godzinach: {hours}.",
  "EVENTS_UNCOVERED.remedy":
    "Sprawdź, czy serwer działa i czy jego dziennik wymienia błędy housekeeping, lub uruchom: keystead audit checkpoint",
  EVENTS_COVERED:
    "Każde zdarzenie starsze niż godzina jest w punkcie kontrolnym. Aby je porównać: keystead audit verify",
  CHECKPOINT_LOST:
    "Punktu kontrolnego {number}, który jest w {path}, nie ma już w bazie danych: ktoś go usunął lub przywrócono starszą kopię zapasową.",
  "CHECKPOINT_LOST.remedy":
    "Uruchom: keystead audit verify. Po przywróceniu zatrzymaj serwery i uruchom: keystead restored. Potem przenieś plik, zachowaj go i uruchom serwery.",
  CHECKPOINT_NOT_IN_FILE: "Punktu kontrolnego {number} nie ma w {path}.",
  "CHECKPOINT_NOT_IN_FILE.remedy":
    "Sprawdź, czy serwer na tym komputerze działa z tym ustawieniem i może zapisywać do pliku.",
  CHECKPOINT_FILE: "Baza danych ma ostatni punkt kontrolny z {path}.",
  EVENTS_MISPLACED:
    "Zdarzenia bez partycji swojego miesiąca, od {date}: {events}. Są odczytywane jak zwykle, ale nie można ich zarchiwizować.",
  "EVENTS_MISPLACED.remedy": "Sprawdź zegar bazy danych i czy dziennik wymienia błędy housekeeping.",
};
