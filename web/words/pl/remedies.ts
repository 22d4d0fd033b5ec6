/** The remedies of refused requests in Polish, by their causes. `{name}` stands for a value of the refusal. */

import type { Remedies } from "../types";

export const remedies: Remedies = {
  INVALID_FIELDS: "Brakuje parametru {parameter}, ma on złą postać lub jest za długi. Popraw ustawienia programu.",
  REDIRECT_URI_NOT_REGISTERED:
    "Otrzymany redirect_uri to {value}. Każdy może go wysłać: jeśli należy do aplikacji, dodaj go co do znaku do jej URI przekierowania. Adres http:// w sieci prywatnej wymaga też allows_http.",
  POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED:
    "Otrzymany post_logout_redirect_uri to {value}. Każdy może go wysłać: jeśli należy do aplikacji, dodaj go co do znaku do jej URI przekierowania po wylogowaniu. Adres http:// w sieci prywatnej wymaga też allows_http.",
  KIND_WITHOUT_SIGN_IN: "Do aplikacji tego rodzaju nikt się nie loguje. Dodaj inną, rodzaju WEB, BROWSER lub NATIVE.",
  PKCE_MISSING:
    "Program nie wysyła PKCE. Włącz je w programie. Jeśli to niemożliwe, ustaw pkce na APPLICATION_PKCE_PKCE_OR_NONCE: kod chroni wtedy nonce. W przypadku programu bez nonce ustaw APPLICATION_PKCE_NONE: skradziony kod chroni wtedy tylko sekret.",
  CODE_CHALLENGE_MISSING: "Program nie wysyła code_challenge. Popraw ustawienia programu.",
  CODE_CHALLENGE_METHOD: "Otrzymana metoda code_challenge_method to „{value}”. Ustaw w programie S256.",
  CODE_CHALLENGE_MALFORMED: "code_challenge nie jest skrótem SHA-256 w base64url. Zaktualizuj program.",
  NOT_PUSHED:
    "Aplikacja musi przekazywać żądania autoryzacji z wyprzedzeniem (PAR), a program tego nie robi. Włącz PAR w programie lub przestań tego wymagać.",
  REQUEST_NOT_SUPPORTED: "Program wysyła obiekt żądania. Wyłącz to w programie.",
  REQUEST_URI_NOT_SUPPORTED: "Program wysyła request_uri, który nie pochodzi z tego serwera. Wyłącz to w programie.",
  AUTHORIZATION_REQUEST_EXPIRED:
    "request_uri użyto później niż 90 sekund po wydaniu lub użyła go inna aplikacja. Zaloguj się ponownie.",
  UNSUPPORTED_RESPONSE_TYPE:
    "Otrzymany response_type to „{value}”. Ustaw w programie przepływ z kodem autoryzacji: code.",
  UNSUPPORTED_RESPONSE_MODE: "Otrzymany response_mode to „{value}”. Ustaw w programie query lub form_post.",
  PROMPT: "Otrzymany prompt to „{value}”. Ustaw w programie none, login, consent lub select_account albo nic.",
  INVALID_SCOPE:
    "Otrzymany scope to „{value}”. Żądaj w programie mniej zakresów lub dodaj do aplikacji te, których potrzebuje.",
  SCOPE_MALFORMED: "Otrzymany scope to „{value}” i ma znak niedozwolony w zakresach. Popraw ustawienia programu.",
  INVALID_TARGET:
    "Otrzymany resource to „{value}”. Musi to być co do znaku identyfikator aplikacji rodzaju RESOURCE w organizacji aplikacji lub aplikacji dla wszystkich organizacji: dodaj ją lub popraw program. Żądanie tokena podaje jeden z identyfikatorów z autoryzacji.",
  CLAIMS: "Parametr claims nie jest JSON-em OpenID Connect. Popraw ustawienia programu.",
  ID_TOKEN_HINT:
    "id_token_hint należy do innej aplikacji lub innego użytkownika. Wyloguj się z programu i zaloguj ponownie.",
  UNMET_AUTHENTICATION_REQUIREMENTS:
    "Program wymaga logowania, którego użytkownik nie przeszedł. Użytkownik loguje się kluczem dostępu lub program wymaga mniej.",
  LOGIN_REQUIRED:
    "Program zapytał bez strony (prompt=none), a użytkownik musiał się zalogować. Program pyta wtedy ze stroną: nie ma nic do poprawienia.",
  CONSENT_REQUIRED:
    "Program zapytał bez strony (prompt=none), a użytkownik musiał wyrazić zgodę. Program pyta wtedy ze stroną albo aplikacja jest oznaczona jako własna.",
  INTERACTION_REQUIRED:
    "Program zapytał bez strony (prompt=none), a strona była potrzebna. Program pyta wtedy ze stroną: nie ma nic do poprawienia.",
  ACCESS_DENIED: "Użytkownik anulował. Nie ma nic do poprawienia.",
  APPLICATION_NOT_ALLOWED:
    "Użytkownik nie należy do żadnej z grup lub do organizacji, które aplikacja dopuszcza. Dodaj użytkownika do grupy lub dopuść więcej użytkowników.",
  EMAIL_REQUIRED: "Użytkownik nie ma adresu e-mail, a aplikacja go wymaga. Dodaj go użytkownikowi.",
  MESSAGE_TOO_LARGE: "Parametry są za długie na adres URL. Skróć w programie state, scope lub nonce.",
  INVALID_CLIENT:
    "Podpis lub oświadczenie w client_assertion jest nieprawidłowy. Porównaj klucz z kluczem aplikacji, iss i sub z identyfikatorem klienta oraz zegary.",
  SECRET_MISSING: "Program nie wysyła sekretu. Wpisz w nim sekret aplikacji: jeśli zaginął, utwórz nowy.",
  SECRET_WRONG: "Sekret nie należy do aplikacji. Utwórz nowy i wpisz go w programie.",
  SECRET_NOT_EXPECTED:
    "Program wysyła sekret, a aplikacja go nie ma. Usuń sekret w programie lub dodaj aplikację ponownie z rodzajem WEB.",
  ASSERTION_MISSING:
    "Aplikacja uwierzytelnia się przez private_key_jwt, a program nie wysyła asercji. Ustaw w programie private_key_jwt lub w aplikacji sekret.",
  ASSERTION_NOT_EXPECTED:
    "Program wysyła asercję, a aplikacja nie uwierzytelnia się przez private_key_jwt. Ustaw w obu tę samą metodę.",
  ASSERTION_AUDIENCE:
    "Odbiorcą (aud) asercji jest punkt końcowy tokenów. Ustaw w programie wystawcę lub akceptuj także punkt końcowy.",
  CLIENT_KEYS_UNREACHABLE:
    "Nie udało się odczytać kluczy spod jwks_uri aplikacji. Otwórz ten adres z serwera: musi odpowiadać przez https, bez przekierowania.",
  UNAUTHORIZED_CLIENT: "Otrzymany grant_type to „{value}”, którego aplikacja tego rodzaju nie może używać.",
  UNSUPPORTED_GRANT_TYPE:
    "Otrzymany grant_type to „{value}”, który nie jest obsługiwany. Ustaw w programie przepływ z kodem autoryzacji.",
  CODE_INVALID:
    "Kod był już użyty lub wygasł po minucie albo redirect_uri lub code_verifier był inny niż przy autoryzacji. Zaloguj się ponownie; jeśli to się powtarza, porównaj adresy i zegary serwerów programu.",
  REFRESH_TOKEN_INVALID:
    "Token odświeżania wygasł, został unieważniony lub zastąpiony. Użytkownik loguje się ponownie.",
  SIGN_IN_ENDED:
    "Sesja użytkownika się zakończyła lub aplikacja już nie dopuszcza użytkownika. Użytkownik loguje się ponownie.",
  DEVICE_CODE_INVALID: "Kod urządzenia jest nieznany lub był już użyty. Zacznij od nowa na urządzeniu.",
  EXPIRED_TOKEN: "Nikt nie zatwierdził urządzenia w ciągu dziesięciu minut. Zacznij na nim od nowa.",
  INVALID_SUBJECT_TOKEN:
    "subject_token nie pasuje do wystawców zadań aplikacji. Porównaj iss, aud, sub i oświadczenia: wiersz dziennika wskazuje różnicę.",
  WORKLOAD_ISSUER_UNREACHABLE:
    "Nie udało się odczytać kluczy wystawcy zadań. Otwórz jego dokument discovery z serwera.",
  LOGOUT_REQUEST_INVALID:
    "id_token_hint nie jest tokenem ID tego serwera lub należy do innej aplikacji. Program musi wysyłać ten, który otrzymał.",
  INVALID_TOKEN:
    "Token dostępu nie jest już ważny, na przykład dlatego, że zakończyła się jego sesja, lub jest przeznaczony dla zasobu. Użytkownik loguje się ponownie.",
  INSUFFICIENT_SCOPE: "Token dostępu nie ma zakresu openid. Zażądaj go w programie.",
  TWO_HOSTS: "Żądanie podawało dwa hosty. Serwer proxy musi wysyłać host klienta.",
  SIGN_IN_NEEDED:
    "Program lub skrypt zapytał bez pliku cookie logowania. Nie ma nic do poprawienia, chyba że widzą to ludzie.",
  SIGN_IN_EXPIRED: "Logowanie trwało zbyt długo lub jego kod był już użyty. Otwórz stronę ponownie.",
  SIGN_IN_REFUSED: "Logowanie zakończyło się bez kodu. Jego własna odmowa jest obok tej.",
  ANOTHER_BROWSER:
    "Przeglądarka nie zachowała pliku cookie gate. Sprawdź, czy serwer proxy przekazuje set-cookie i czy strona jest dostępna przez https.",
};
