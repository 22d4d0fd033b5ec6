/** All text of the pages in Polish. */

import type { Pages } from "../types";

export const pages: Pages = {
  texts: {
    cancel: "Anuluj",
    tryAgain: "Spróbuj ponownie",
    licences: "Licencje",
    support: "Pomoc przez e-mail",
    unknownTime: "nieznana",
    "address.open": "Otwórz tę stronę pod adresem {host}",
    requestId: "Identyfikator żądania dla pomocy technicznej: ",

    "name.missing": "Wpisz nazwę.",
    "name.tooLong": "Maksymalna liczba znaków: {most}.",
    "name.refused": "Nie można użyć tej nazwy: {violation}.",

    "device.iphone": "iPhone",
    "device.ipad": "iPad",
    "device.androidPhone": "Telefon z Androidem",
    "device.androidTablet": "Tablet z Androidem",
    "device.chromebook": "Chromebook",
    "device.windows": "Komputer z Windows",
    "device.mac": "Mac",
    "device.linux": "Komputer z Linuksem",
    "device.unknown": "Moje urządzenie",
    "device.browserOn": "{browser} ({system})",

    "add.title": "Dodaj klucz dostępu",
    "add.name": "Nazwa tego klucza dostępu",
    "add.nameHint": "Pomoże Ci go później rozpoznać. Może to być na przykład nazwa urządzenia, na którym się znajduje.",
    "add.create": "Utwórz klucz dostępu",
    "add.beginning": "Przygotowywanie…",
    "add.making": "Postępuj zgodnie z instrukcjami na urządzeniu…",
    "add.saving": "Zapisywanie klucza dostępu…",
    "add.introduction":
      "Klucz może być zapisany na urządzeniu, w kluczu bezpieczeństwa lub w menedżerze haseł. Wybierzesz to w następnym kroku.",

    "link.checking": "Sprawdzanie linku…",
    "link.invitedBy": "{inviter} zaprasza Cię do organizacji {organization}. ",
    "link.invited": "Masz zaproszenie do organizacji {organization}. ",
    "link.invitedToUse": "Po dołączeniu możesz korzystać z aplikacji {application}. ",
    "link.purpose": "Klucz służy do logowania się na konto {account} w usłudze {service}. ",
    "link.accountWithName": "{displayName} ({userName})",
    "link.advantage":
      "Dzięki kluczowi dostępu logujesz się odciskiem palca, twarzą lub kodem PIN urządzenia. Nie ma hasła, które trzeba pamiętać i które można ukraść.",
    "link.kept": "Twój link do otwarcia w innej przeglądarce",
    "link.reloadedTitle": "Otwórz link jeszcze raz",
    "link.reloaded": "Po odświeżeniu ta strona usuwa link, aby nikt inny go tu nie znalazł.",
    "link.reloadedNext":
      "Otwórz go ponownie z wiadomości e-mail. Link działa do momentu dodania klucza dostępu lub do upływu terminu ważności.",
    "link.otherwise": "Użyj tokena dostępu",
    "link.readyTitle": "Klucz dostępu jest gotowy",
    "link.ready": "Dodano klucz „{name}” do Twojego konta.",
    "link.readySignIn": "Zaloguj się",
    "link.readyContinue": "Dalej",
    "link.readyReturn": "Przejdź do {host}",
    "link.readyConsole": "Otwórz konsolę",
    "link.readyAccount": "Otwórz swoje konto",
    "link.readySecond":
      "Dodaj jeszcze jeden klucz dostępu na drugim urządzeniu na wypadek utraty tego. Możesz to zrobić po zalogowaniu na stronie swojego konta.",
    "link.readyUsed": "Otwarty link został już wykorzystany.",

    "token.label": "Token dostępu",
    "token.hint": "Zaczyna się od kst_. Jest przechowywany tylko do wylogowania lub zamknięcia tej karty.",
    "token.show": "Pokaż moje klucze dostępu",
    "token.title": "Twoje klucze dostępu",
    "token.introduction":
      "Masz link do dodania klucza dostępu? Otwórz go z wiadomości e-mail. Aby zobaczyć swoje klucze dostępu, wpisz token dostępu.",
    "token.malformed": "Wpisz token, który zaczyna się od kst_.",
    "token.signingIn": "Logowanie…",
    "token.signedInAs": "Zalogowano jako {name}",
    "token.signedOut": "Wylogowano Cię. Sam token jest ważny, dopóki nie wygaśnie lub nie zostanie unieważniony.",
    signOut: "Wyloguj się",

    "passkeys.label": "Klucze dostępu",
    "passkeys.none": "Nie masz jeszcze żadnych kluczy dostępu.",
    "passkeys.add": "Dodaj klucz dostępu",
    "passkeys.added": "Dodano klucz „{name}”.",
    "passkeys.renamed": "Zmieniono nazwę na „{name}”.",
    "passkeys.removed": "Usunięto klucz „{name}”.",
    "passkeys.missing": "Ten klucz dostępu został w międzyczasie usunięty.",

    "passkey.keptBy": "Przechowuje",
    "passkey.where": "Miejsce",
    "passkey.oneDevice": "tylko na jednym urządzeniu",
    "passkey.synced": "synchronizowany między urządzeniami",
    "passkey.canSync": "na jednym urządzeniu, z możliwością synchronizacji",
    "passkey.former": "Poprzedni adres",
    "passkey.added": "Dodano",
    "passkey.lastUsed": "Ostatnie użycie",
    "passkey.notUsed": "jeszcze nieużywany",
    "passkey.rename": "Zmień nazwę",
    "passkey.renameOne": "Zmień nazwę: {name}",
    "passkey.remove": "Usuń",
    "passkey.removeOne": "Usuń: {name}",

    "rename.title": "Zmień nazwę tego klucza dostępu",
    "rename.name": "Nazwa",
    "rename.hint": "Pomoże Ci go później rozpoznać.",
    "rename.save": "Zapisz",
    "remove.title": "Usunąć ten klucz dostępu?",
    "remove.consequence":
      "Logowanie kluczem „{name}” nie będzie już możliwe. Urządzenie może przechowywać swoją część klucza, dopóki nie usuniesz jej także tam.",
    "remove.lost": "Klucz zgubiono lub skradziono",
    "remove.lostHint":
      "Zakończy się też dostęp aplikacji i stracą ważność tokeny dostępu, które powstały dzięki temu kluczowi.",
    "ends.these": "Zostaną zakończone:",
    "ends.sessions": "Sesje: {count}",
    "ends.applications": "Dostęp aplikacji: {count}",
    "ends.tokens": "Tokeny dostępu: {count}",
    "ends.nothing": "Nie zakończy się żadna sesja ani żaden dostęp.",
    "remove.only":
      "To Twój jedyny klucz dostępu. Bez niego możesz stracić możliwość logowania: najpierw dodaj inny klucz.",

    "start.title": "Witamy",
    "start.loading": "Chwileczkę…",
    "start.introduction": "Zaloguj się, aby zobaczyć swoje konto, klucze dostępu i urządzenia, na których trwa sesja.",
    "start.account": "Przejdź do konta",

    "signIn.title": "Zaloguj się",
    "signIn.returnToConsole": "Po zalogowaniu otworzy się konsola.",
    "signIn.returnTo": "Po zalogowaniu przejdziesz do {host}.",
    "signIn.introduction": "Użyj odcisku palca, twarzy lub kodu PIN urządzenia.",
    "signIn.account": "Wybierz konto",
    "signIn.accountHint": "Wybierz klucz dostępu, który proponuje przeglądarka.",
    "signIn.button": "Zaloguj się kluczem dostępu",
    "signIn.preparing": "Przygotowywanie…",
    "signIn.asking": "Postępuj zgodnie z instrukcjami na urządzeniu…",
    "signIn.completing": "Logowanie…",
    "signIn.signedOut": "Wylogowano Cię.",
    "signIn.ended": "Twoja sesja się zakończyła. Aby kontynuować, zaloguj się ponownie.",
    "signIn.help": "Masz problem z logowaniem?",
    "signIn.helpPhone":
      "Masz klucz dostępu na telefonie? Naciśnij przycisk i wybierz inne urządzenie, a pojawi się kod do zeskanowania.",
    "signIn.helpFirst": "Nie masz jeszcze klucza dostępu? Otwórz link z wiadomości e-mail o Twoim koncie.",
    "former.hint": "Czy Twój klucz dostępu powstał, gdy ta usługa działała pod adresem {domain}?",
    "former.button": "Użyj klucza dostępu z {domain}",
    "former.title": "Twój klucz dostępu z {domain}",
    "former.lead": "Użyj go tutaj, pod poprzednim adresem. Potem od razu wrócisz do {host}.",
    "move.title": "Jeszcze jeden klucz dostępu",
    "move.lead":
      "Twój klucz dostępu pochodzi z poprzedniego adresu: {former}. Dodaj klucz dla {domain}, bo poprzedni może przestać działać.",
    "move.later": "Nie teraz",
    "signIn.lost": "Nie masz już klucza dostępu?",

    "provider.or": "lub",
    "provider.more": "Więcej dostawców",
    "provider.signIn": "Zaloguj się przez {name}",
    "provider.link": "Połącz z {name}",
    "provider.returned": "Chwileczkę",
    "provider.linking": "Łączenie…",
    "provider.toAccount": "Wróć do konta",
    "provider.linkedAt": "Połączono",
    "provider.subject": "Tam znany jako",
    "provider.unlink": "Odłącz",
    "provider.unlinkOne": "Odłącz: {name}",
    "provider.unlinkTitle": "Odłączyć tego dostawcę?",
    "provider.unlinkConsequence":
      "Logowanie przez {name} nie będzie już możliwe, a sesje rozpoczęte w ten sposób zostaną zakończone. Twoje konto u dostawcy pozostanie.",
    "provider.onlyWay": "Nie masz klucza dostępu. Bez niego możesz stracić możliwość logowania: najpierw dodaj klucz.",
    "provider.unlinked": "Odłączono: {name}.",
    "provider.linked": "Dostawca jest połączony. Od teraz możesz się przez niego logować.",

    "links.label": "Inne sposoby logowania",
    "links.hint": "Możesz się też logować przez połączonych dostawców.",
    "links.none": "Połącz konto, które masz gdzie indziej, aby się nim logować.",

    "recovery.title": "Odzyskaj konto",
    "recovery.introduction":
      "Jeśli Twoja organizacja na to pozwala, otrzymasz e-mailem link do zarejestrowania nowego klucza dostępu. W przeciwnym razie poproś administratora o link.",
    "recovery.off":
      "Twoja organizacja nie wysyła linków osobom, które straciły klucze dostępu. Poproś administratora lub osobę, od której masz zaproszenie, o link do zarejestrowania nowego klucza dostępu.",
    "mailForm.address": "Adres e-mail",
    "recovery.addressHint": "Adres przypisany do Twojego konta.",
    "mailForm.noAddress": "Wpisz adres e-mail w postaci nazwa@example.com.",
    "mailForm.button": "Wyślij link",
    "mailForm.sending": "Wysyłanie…",
    "signIn.back": "Wróć do logowania",
    "mailForm.sent": "Sprawdź pocztę",
    "recovery.ifKnown": "Jeśli ten adres należy do konta, które można odzyskać e-mailem, link jest już w drodze.",
    "recovery.open": "Działa jeden raz, przez 30 minut. Otwórz go na urządzeniu, na którym chcesz się logować.",
    "recovery.noMail":
      "Po kilku minutach nadal nie ma wiadomości? Poszukaj wcześniejszej w folderze ze spamem lub poproś administratora o link.",

    "signUp.title": "Utwórz konto",
    "signUp.introduction": "Otrzymasz e-mailem link, który tworzy konto.",
    "signUp.addressHint": "Na ten adres otrzymasz link.",
    "signUp.name": "Imię i nazwisko",
    "signUp.nameHint": "Zobaczą je inne osoby. Możesz zostawić to pole puste.",
    "signUp.sent": "Link jest w drodze.",
    "signUp.open": "Działa przez 24 godziny. Otwórz go na urządzeniu, na którym chcesz się logować.",
    "signUp.noMail": "Po kilku minutach nadal nie ma wiadomości? Sprawdź folder ze spamem i wpisany adres.",
    "signUp.confirmTitle": "Utwórz konto",
    "signUp.confirmText":
      "Twój adres e-mail jest potwierdzony. Utwórz konto, a następnie dodaj klucz dostępu do logowania.",
    "signUp.confirm": "Utwórz konto",

    "connect.title": "Połącz urządzenie",
    "connect.introduction": "Wpisz kod, który pokazuje urządzenie.",
    "connect.code": "Kod",
    "connect.codeHint": "Osiem liter, na przykład WDJB-MJHT.",
    "connect.noCode": "Wpisz kod.",
    "connect.continue": "Dalej",
    "connect.finding": "Sprawdzanie kodu…",
    "connect.ask": "Połączyć {name} z Twoim kontem?",
    "connect.account": "Zalogowano jako {account}.",
    "connect.isShown": "Czy urządzenie pokazuje ten kod?",
    "connect.yes": "Tak, ten sam kod",
    "connect.no": "Nie",
    "connect.warning":
      "Kod lub link do tej strony pochodzi od kogoś innego? Naciśnij „{no}”: w przeciwnym razie ta osoba uzyska dostęp do Twojego konta.",
    "connect.gets": "Urządzenie uzyska te uprawnienia:",
    "connect.allow": "Zezwól",
    "connect.done": "Urządzenie jest połączone",
    "connect.doneNext": "Kontynuuj na urządzeniu. Możesz zamknąć tę stronę.",
    "connect.denied": "Urządzenie nie uzyskało dostępu",
    "connect.deniedNext": "Możesz zamknąć tę stronę.",

    "account.title": "Twoje konto",
    "account.console": "Konsola",
    "profile.label": "Informacje o Tobie",
    "profile.change": "Zmień swoje dane",
    "profile.changed": "Zmieniono Twoje dane.",
    "profile.displayName": "Nazwa wyświetlana",
    "profile.givenName": "Imię",
    "profile.familyName": "Nazwisko",
    "profile.locale": "Język",
    "profile.localeHint": "Znacznik języka, na przykład en lub pt-BR.",
    "profile.zoneinfo": "Strefa czasowa",
    "profile.zoneinfoHint": "Nazwa, na przykład Europe/London.",
    "profile.picture": "Zdjęcie",
    "profile.pictureHint": "Środek obrazu. Mogą go pokazywać aplikacje, z których korzystasz.",
    "profile.noPicture": "Wybierz plik, który jest obrazem.",
    "profile.removePicture": "Usuń obecne zdjęcie",
    "profile.email": "Adres e-mail",
    "profile.refused": "Serwer odrzucił tę wartość: {violation}.",
    "account.loading": "Wczytywanie konta…",
    "account.passkeysHint": "Każdym z nich możesz się zalogować. Miej dwa, na różnych urządzeniach.",
    "account.noPasskeysHint": "Dodaj klucz, aby móc się ponownie zalogować.",
    "account.onlyProvidersHint": "Dodaj klucz, aby logować się bez dostawcy.",
    "account.formerHint": "Dodaj klucz dla {domain}: klucze z poprzedniego adresu mogą przestać działać.",
    "account.onePasskeyHint": "Masz jeden klucz. Dodaj drugi na innym urządzeniu na wypadek jego utraty.",

    "sessions.label": "Aktywne sesje",
    "sessions.hint":
      "Jeśli nie rozpoznajesz którejś z nich, zakończ ją i usuń klucze dostępu, które nie należą do Ciebie.",
    "sessions.unknownDevice": "Nieznane urządzenie",
    "sessions.current": "To urządzenie",
    "sessions.signedIn": "Logowanie",
    "sessions.lastSeen": "Ostatnia aktywność",
    "sessions.address": "Adres IP",
    "sessions.end": "Wyloguj",
    "sessions.endOne": "Wyloguj: {name}",
    "sessions.ended": "Wylogowano: „{name}”.",
    "sessions.gone": "Ta sesja już się zakończyła.",
    "sessions.everywhere": "Wyloguj się wszędzie",
    "sessions.everywhereTitle": "Wylogować się wszędzie?",
    "sessions.everywhereConsequence":
      "Zakończą się wszystkie Twoje sesje, także ta. Klucze dostępu pozostaną i nadal będą służyć do logowania. Tokeny dostępu i stały dostęp aplikacji będą działać, dopóki ich nie cofniesz.",
    "sessions.only": "Masz sesję tylko na tym urządzeniu.",

    "confirm.title": "Potwierdź, że to Ty",
    "confirm.text": "Od ostatniego logowania minęło trochę czasu. Aby kontynuować, użyj ponownie klucza dostępu.",
    "confirm.button": "Użyj klucza dostępu",
    "confirm.provider": "Zaloguj się ponownie przez dostawcę",
    "confirm.providerText": "Możesz też zalogować się ponownie przez dostawcę, a potem powtórzyć zmianę.",

    "request.host": "pod adresem {host}",
    "request.named": "podaje nazwę „{name}”",
    "request.returnsTo": "wraca do {host}",
    "request.unknownSite":
      "Nikt tutaj nie sprawdził tej aplikacji, a nazwę wybrała sobie sama. Zezwól jej tylko wtedy, gdy znasz {host}.",
    "request.unknownProgram":
      "To program na Twoim urządzeniu. Każdy program może podać, że pochodzi z {host}. Zezwól tylko wtedy, gdy właśnie go uruchamiasz.",
    "request.account": "Konto",
    "request.chooseTitle": "Wybierz konto",
    "request.continue": "Dalej",
    "request.another": "Użyj innego konta",
    "request.otherwise": "Zaloguj się inaczej",
    "request.consentTitle": "Zezwolić na dostęp do Twojego konta?",
    "request.consent": "Jeśli zezwolisz, {name} uzyska te uprawnienia:",
    "request.allow": "Zezwól",
    "request.again": "{name} prosi o ponowne zalogowanie.",
    "request.passkey": "{name} wymaga klucza dostępu z odciskiem palca, twarzą lub kodem PIN urządzenia.",
    "request.back": "Wróć do aplikacji",
    "request.backTo": "Wróć do {host}",
    "request.leaving": "Wracasz do {name}.",
    "request.openTitle": "Kontynuuj w aplikacji",
    "request.openText": "Przeglądarka otwiera {name}. Jeśli nic się nie dzieje, naciśnij przycisk.",
    "request.open": "Otwórz aplikację",
    "request.goBack": "Wstecz",
    "request.reason": "Dla administratora aplikacji: ",
    "logout.title": "Wylogować?",
    "logout.text": "{name} prosi o wylogowanie Cię stąd.",
    "logout.textUnnamed": "Aplikacja prosi o wylogowanie Cię stąd.",
    "logout.stay": "Nie wylogowuj",
    "request.toAccount": "Przejdź do konta",

    "scope.openid": "Ustalenie Twojej tożsamości",
    "scope.profile": "Wgląd w Twoje imię i nazwisko oraz nazwę użytkownika",
    "scope.email": "Wgląd w Twój adres e-mail",
    "scope.groups": "Wgląd w Twoje grupy",
    "scope.offlineAccess": "Utrzymanie dostępu pod Twoją nieobecność",
    "scope.other": "Użycie zakresu „{scope}”",
    "access.resource": "Dostęp dotyczy: {resource}.",
    "access.offline": "Dostęp trwa, dopóki nie cofniesz go na stronie swojego konta.",
    "access.session": "Dostęp kończy się po wylogowaniu. Możesz go cofnąć wcześniej na stronie swojego konta.",

    "grants.label": "Używane aplikacje",
    "grants.hint": "Te aplikacje mają od Ciebie dostęp do Twojego konta.",
    "grants.can": "Uprawnienia",
    "grants.since": "Od",
    "grants.narrow": "Zmień",
    "grants.narrowOne": "Zmień dostęp: {name}",
    "grants.narrowTitle": "Zmień dostęp",
    "grants.narrowQuestion": "Uprawnienia aplikacji {name}:",
    "grants.narrowConsequence":
      "{name} w ciągu kilku minut straci to, co odznaczysz. Zachowa już odczytane dane i może ponownie poprosić o zgodę.",
    "grants.narrowSave": "Zapisz",
    "grants.narrowed": "Zmieniono dostęp aplikacji {name}.",
    "grants.revoke": "Cofnij dostęp",
    "grants.revokeOne": "Cofnij dostęp: {name}",
    "grants.revokeTitle": "Cofnąć dostęp?",
    "grants.revokeConsequence":
      "{name} utraci sesję na Twoim koncie i przy następnym logowaniu ponownie poprosi o zgodę. Zachowa już odczytane dane.",
    "grants.revoked": "{name} nie ma już dostępu.",

    "tokens.label": "Tokeny dostępu",
    "tokens.hint": "Program, który ma token, działa w Twoim imieniu. Usuń tokeny, których nie rozpoznajesz.",
    "tokens.unnamed": "Token bez nazwy",
    "tokens.certificate": "Certyfikat",
    "tokens.created": "Utworzono",
    "tokens.creator": "Utworzone przez",
    "tokens.byYou": "Ciebie",
    "tokens.byOther": "inną osobę",
    "tokens.expires": "Ważny do",
    "tokens.unlimited": "odwołania",
    "tokens.remove": "Usuń",
    "tokens.removeOne": "Usuń token {name}",
    "tokens.removeTitle": "Usunąć ten token?",
    "tokens.removeConsequence": "Programy, które używają tokena „{name}”, od razu stracą dostęp.",
    "tokens.removed": "Usunięto token „{name}”.",
  },

  refusals: {
    LINK_EXPIRED: ["Ten link wygasł", "Linki działają przez ograniczony czas. Poproś nadawcę o nowy link."],
    LINK_USED: [
      "Ten link został już użyty",
      "Dodano nim klucz dostępu, a każdy link pozwala dodać tylko jeden. Jeśli to nie Ty, od razu powiadom administratora. Aby dodać kolejny klucz, poproś o nowy link.",
    ],
    LINK_REPLACED: [
      "Istnieje nowszy link",
      "Po tym linku wysłano do Ciebie kolejny, a działa tylko najnowszy. Otwórz najnowszy.",
    ],
    LINK_TRIED_TOO_OFTEN: ["Zbyt wiele prób użycia tego linku", "Link już nie działa. Poproś nadawcę o nowy link."],
    USER_LOCKED: [
      "To konto jest zablokowane",
      "Do czasu odblokowania nikt nie może się na nie zalogować. Skontaktuj się z administratorem.",
    ],
    RECOVERY_NOT_ALLOWED: [
      "Odzyskiwanie przez e-mail nie jest już możliwe",
      "Organizacja zmieniła to po wysłaniu wiadomości. Poproś administratora o nowy link.",
    ],
    EMAIL_SET_BY_OTHERS: [
      "Ten link jest wstrzymany",
      "Poproś administratora o potwierdzenie Twojego adresu e-mail. Potem otwórz link ponownie.",
    ],
    LINK_INVALID: [
      "Ten link nie działa",
      "Może brakować jego części: otwórz go bezpośrednio z wiadomości lub skopiuj w całości. Jeśli nadal nie działa, poproś nadawcę o nowy link.",
    ],

    USER_CODE_INVALID: [
      "Ten kod nie działa",
      "Porównaj go z kodem na urządzeniu. Każdy kod działa jeden raz, przez dziesięć minut. Urządzenie może pokazać nowy.",
    ],

    TOO_MANY_GRANTS: [
      "Używasz maksymalnej liczby aplikacji",
      "Na stronie swojego konta cofnij dostęp aplikacjom, z których już nie korzystasz, i spróbuj ponownie.",
    ],

    TOO_MANY_ATTEMPTS: [
      "Zbyt wiele nieudanych prób",
      "Rejestracja została zakończona, aby chronić Twoje konto. Zacznij od początku.",
    ],
    TOO_MANY_PASSKEYS: [
      "Masz maksymalną liczbę kluczy dostępu",
      "Usuń klucz, którego już nie używasz, lub poproś o to administratora, a potem spróbuj ponownie.",
    ],
    TOO_MANY_CEREMONIES: ["Zbyt wiele rozpoczętych prób", "Odczekaj dziesięć minut, aż wygasną, i spróbuj ponownie."],
    CEREMONY_ENDED: [
      "Ta rejestracja została zakończona",
      "Została anulowana albo w trakcie tworzenia klucza zmieniono lub usunięto Twoje konto. Nic nie zapisano. Spróbuj ponownie, a jeśli to nie pomoże, skontaktuj się z administratorem.",
    ],
    CHALLENGE_EXPIRED: [
      "Trwało to zbyt długo",
      "Nic nie zapisano. Spróbuj ponownie i zakończ w ciągu dziesięciu minut.",
    ],
    CHALLENGE_USED: [
      "Ta próba została już zakończona",
      "Zapisano w niej klucz dostępu. Jeśli to nie Ty, od razu powiadom administratora.",
    ],
    PASSKEY_NOT_FOUND: ["Nie ma już tego klucza dostępu", "Został w międzyczasie usunięty. Wczytaj listę ponownie."],

    CREDENTIAL_ALREADY_REGISTERED: [
      "Ten klucz dostępu jest już zarejestrowany",
      "Użyj innego urządzenia, klucza bezpieczeństwa lub menedżera haseł, aby utworzyć nowy.",
    ],
    CREDENTIAL_MALFORMED: [
      "Nie można odczytać odpowiedzi urządzenia",
      "Nic nie zapisano. Spróbuj ponownie. Jeśli problem się powtarza, zaktualizuj przeglądarkę lub użyj innego urządzenia.",
    ],
    CREDENTIAL_NOT_VERIFIED: [
      "Nie można zweryfikować odpowiedzi urządzenia",
      "Nic nie zapisano. Spróbuj ponownie. Jeśli problem się powtarza, zaktualizuj przeglądarkę lub użyj innego urządzenia.",
    ],
    ORIGIN_NOT_ALLOWED: [
      "Pod tym adresem nie można dodawać kluczy dostępu",
      "Sprawdź, czy adres w przeglądarce jest tym, który Ci podano. Jeśli tak, ten serwer nie jest dla niego skonfigurowany: powiadom administratora.",
    ],
    USER_NOT_VERIFIED: [
      "Urządzenie nie sprawdziło, czy to Ty",
      "Ustaw na nim kod PIN, odcisk palca lub rozpoznawanie twarzy albo użyj innego urządzenia i spróbuj ponownie.",
    ],
    ALGORITHM_NOT_ALLOWED: [
      "Nie można tu użyć tego rodzaju klucza dostępu",
      "Urządzenie utworzyło klucz nieobsługiwanego rodzaju. Użyj innego urządzenia lub klucza bezpieczeństwa.",
    ],
    ATTESTATION_NOT_ALLOWED: [
      "Nie można tu użyć tego urządzenia",
      "Sposób, w jaki się zidentyfikowało, nie jest akceptowany. Użyj innego urządzenia lub klucza bezpieczeństwa.",
    ],
    INVALID_FIELDS: ["Coś w formularzu nie zostało zaakceptowane", "Zmień nazwę i spróbuj ponownie."],

    UNAUTHENTICATED: [
      "Ten token jest nieprawidłowy",
      "Wygasł, został unieważniony lub jest niekompletny. Zaloguj się innym.",
    ],
    PROFILE_KEPT: [
      "Tymi danymi zarządza Twoja organizacja",
      "Może je zmienić tylko administrator. Skontaktuj się z administratorem.",
    ],
    PERMISSION_DENIED: [
      "Nie masz do tego uprawnień",
      "Twoje konto nie ma wymaganego uprawnienia. Skontaktuj się z administratorem.",
    ],
    USER_NOT_FOUND: ["Nie znaleziono tego konta", "Mogło zostać usunięte. Skontaktuj się z administratorem."],
    NOT_FOUND: ["Nie znaleziono tego konta", "Mogło zostać usunięte. Skontaktuj się z administratorem."],
    RESOURCE_EXHAUSTED: ["Zbyt wiele żądań", "Odczekaj minutę i spróbuj ponownie."],
    UNAVAILABLE: ["Usługa jest teraz niedostępna", "Zwykle trwa to mniej niż minutę. Spróbuj ponownie."],
    DEADLINE_EXCEEDED: ["Usługa zbyt długo nie odpowiada", "Spróbuj ponownie za chwilę."],
    ABORTED: ["Ktoś zmienił to samo w tej samej chwili", "Spróbuj ponownie."],
    UNREACHABLE: ["Nie można połączyć się z usługą", "Sprawdź połączenie i spróbuj ponownie."],
    OFFLINE: ["Jesteś offline", "Połącz się z internetem i spróbuj ponownie."],
    UNKNOWN: ["Coś poszło nie tak", "Spróbuj ponownie. Jeśli problem się powtarza, powiadom administratora."],

    SIGN_IN_FAILED: [
      "Nie udało się zalogować",
      "Spróbuj ponownie lub użyj innego klucza dostępu. Jeśli problem się powtarza, skontaktuj się z administratorem.",
    ],
    PASSKEY_UNKNOWN: [
      "Ten klucz dostępu nie służy już do logowania",
      "Został usunięty z konta. Użyj innego lub poproś administratora o link do dodania nowego.",
    ],
    SIGN_IN_EXPIRED: ["Trwało to zbyt długo", "Spróbuj ponownie i zakończ w ciągu dziesięciu minut."],
    SIGN_IN_USED: ["Ta próba została już zakończona", "Spróbuj ponownie."],
    SIGN_IN_NOT_MADE: [
      "Nie zalogowano",
      "Logowanie anulowano, trwało zbyt długo lub na tym urządzeniu nie ma klucza dostępu do tej usługi. Spróbuj ponownie w dogodnej chwili.",
    ],
    SIGN_IN_UNREADABLE: [
      "Nie można odczytać odpowiedzi urządzenia",
      "Spróbuj ponownie. Jeśli problem się powtarza, zaktualizuj przeglądarkę lub użyj innego urządzenia.",
    ],
    SIGN_IN_NOT_HERE: [
      "Pod tym adresem nie można się zalogować",
      "Sprawdź, czy adres w przeglądarce jest tym, który Ci podano. Jeśli tak, ten serwer nie jest dla niego skonfigurowany: powiadom administratora.",
    ],
    SIGN_IN_NO_WEBAUTHN: [
      "Ta przeglądarka nie obsługuje kluczy dostępu",
      "Użyj aktualnej wersji Chrome, Edge, Firefox lub Safari. Przeglądarki wbudowane w inne aplikacje często ich nie obsługują.",
    ],
    SIGN_IN_INSECURE: [
      "To połączenie nie jest bezpieczne",
      "Przeglądarki używają kluczy dostępu tylko pod bezpiecznymi adresami, czyli zaczynającymi się od https://. Otwórz tę stronę pod takim adresem.",
    ],
    COOKIES_BLOCKED: [
      "Ta przeglądarka blokuje pliki cookie",
      "Zalogowanie utrzymuje plik cookie tego adresu. Zezwól dla niego na pliki cookie i dane witryn w ustawieniach przeglądarki, a potem odśwież stronę.",
    ],
    STORAGE_BLOCKED: [
      "Ta przeglądarka blokuje pamięć witryn",
      "Jest ona potrzebna do przejścia do dostawcy i z powrotem. Zezwól dla tego adresu na pliki cookie i dane witryn w ustawieniach przeglądarki, a potem odśwież stronę.",
    ],
    NOT_CONFIRMED: [
      "Nie potwierdzono, że to Ty",
      "Potwierdzenie anulowano lub trwało zbyt długo. Nic nie zmieniono. Spróbuj ponownie w dogodnej chwili.",
    ],
    SESSION_ENDED: ["Twoja sesja się zakończyła", "Aby kontynuować, zaloguj się ponownie."],

    AUTHORIZATION_REQUEST_EXPIRED: [
      "To logowanie już się zakończyło",
      "Zostało ukończone, trwało ponad dziesięć minut lub jego adres jest niekompletny. Wróć do aplikacji i zacznij od nowa.",
    ],
    UNKNOWN_CLIENT: [
      "Ta aplikacja nie jest tu znana",
      "Nie można kontynuować logowania. Wróć do aplikacji i poproś jej administratora o sprawdzenie client_id.",
    ],
    REDIRECT_URI_NOT_REGISTERED: [
      "Adres powrotu do aplikacji nie jest zarejestrowany",
      "Nie można kontynuować logowania, bo odpowiedź mogłaby trafić do kogoś innego. Wróć do aplikacji i powiadom jej administratora, który może zarejestrować redirect_uri.",
    ],
    CLIENT_METADATA_INVALID: [
      "Opis aplikacji jest nieprawidłowy",
      "Nie można kontynuować logowania. Poproś administratora aplikacji o sprawdzenie dokumentu pod adresem client_id.",
    ],
    CLIENT_METADATA_UNREACHABLE: [
      "Nie można odczytać opisu aplikacji",
      "Dokument pod adresem client_id obecnie nie odpowiada. Wróć do aplikacji i spróbuj ponownie za chwilę.",
    ],
    LOGOUT_NOT_POSSIBLE: [
      "Aplikacja wysłała błędne żądanie wylogowania",
      "Sesja tutaj nadal trwa. Wyloguj się na stronie swojego konta i poproś administratora aplikacji o sprawdzenie id_token_hint i client_id w jej żądaniu.",
    ],
    LOGOUT_REQUEST_INVALID: [
      "To żądanie wylogowania jest nieprawidłowe",
      "Trwało ponad dziesięć minut lub jego adres jest niekompletny. Wróć do aplikacji i wyloguj się ponownie albo wyloguj się na stronie swojego konta.",
    ],
    POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED: [
      "Adres powrotu do aplikacji nie jest zarejestrowany",
      "Sesja nadal trwa. Powiadom administratora aplikacji, który może zarejestrować post_logout_redirect_uri.",
    ],
    AUTHORIZATION_INVALID: [
      "Aplikacja wysłała błędne żądanie",
      "Nie można kontynuować logowania. Wróć do aplikacji i powiadom jej administratora. Po identyfikatorze żądania znajdzie on to żądanie i rozwiązanie.",
    ],
    AUTHORIZATION_FAILED: [
      "Nie można kontynuować logowania",
      "Wróć do aplikacji i zacznij od nowa. Jeśli problem się powtarza, powiadom jej administratora.",
    ],
    ANOTHER_ACCOUNT_REQUIRED: [
      "Aplikacja wymaga innego konta",
      "Nie jest to konto, na które zalogowano Cię tutaj. Użyj konta, które wcześniej służyło w tej aplikacji.",
    ],
    APPLICATION_NOT_ALLOWED: [
      "Twoje konto nie może korzystać z tej aplikacji",
      "Poproś jej administratora o dostęp lub użyj innego konta.",
    ],
    EMAIL_REQUIRED: [
      "Twoje konto nie ma adresu e-mail",
      "Aplikacja go wymaga. Poproś administratora organizacji o dodanie go do Twojego konta.",
    ],
    PASSKEY_REQUIRED: [
      "Ten klucz dostępu nie wystarcza",
      "Aplikacja wymaga klucza używanego z odciskiem palca, twarzą lub kodem PIN urządzenia. Użyj innego klucza dostępu.",
    ],

    SIGN_UP_NOT_ALLOWED: ["Nie można tu utworzyć konta", "Poproś obsługę tej usługi o zaproszenie."],
    SIGN_UP_EXPIRED: [
      "Ten link już nie działa",
      "Jest niekompletny lub ma ponad 24 godziny. Poproś o nowy na stronie logowania.",
    ],
    SIGN_UP_USED: [
      "Ten link został już użyty",
      "Utworzono nim Twoje konto. Zaloguj się kluczem dostępu lub poproś obsługę tej usługi o link.",
    ],
    SIGN_UP_USER_EXISTS: [
      "Masz już konto",
      "Jest na nim ten adres e-mail. Zaloguj się kluczem dostępu. Jeśli go nie masz, strona logowania może wysłać Ci nowy link.",
    ],

    NOT_REGISTERED: [
      "Nie masz tu jeszcze konta",
      "Użyte konto nie jest tu z nikim połączone. Zaloguj się inaczej i je połącz lub poproś administratora o konto.",
    ],
    USER_EXISTS_LINK_FIRST: [
      "Masz już tu konto",
      "Dla bezpieczeństwa nie jest łączone na podstawie nazwy ani adresu e-mail. Zaloguj się kluczem dostępu, a potem połącz tego dostawcę na stronie swojego konta.",
    ],
    ROLES_EXCEED_PROVIDER: [
      "Twoje konto nie korzysta z tego dostawcy",
      "Ma więcej uprawnień niż osoby, które zarządzają dostawcą. Zaloguj się kluczem dostępu.",
    ],
    IDENTITY_LINKED: [
      "To konto jest już połączone",
      "Należy do innego użytkownika lub do Ciebie. Aby to zmienić, zaloguj się przez nie i tam je odłącz.",
    ],
    FLOW_EXPIRED: ["Trwało to zbyt długo", "Nic nie zmieniono. Spróbuj ponownie i zakończ w ciągu dziesięciu minut."],
    FLOW_USED: ["Ta próba została już zakończona", "Nic nie zmieniono. Zacznij od początku."],
    FLOW_LOST: [
      "Nie można tu kontynuować tego logowania",
      "Strona została odświeżona lub logowanie rozpoczęto w innej karcie albo przeglądarce. Nic nie zmieniono. Zacznij od początku.",
    ],
    IDP_DENIED: [
      "Dostawca odmówił logowania",
      "Logowanie anulowano lub dostawca je odrzucił. Spróbuj ponownie lub zaloguj się inaczej.",
    ],
    IDP_DID_NOT_REAUTHENTICATE: [
      "Dostawca nie przeprowadził ponownego logowania",
      "Wykorzystał wcześniejsze logowanie. Nic nie zmieniono. Wyloguj się u dostawcy i spróbuj ponownie.",
    ],
    IDP_UNREACHABLE: [
      "Nie można połączyć się z dostawcą",
      "Zwykle trwa to tylko kilka minut. Spróbuj ponownie lub zaloguj się inaczej.",
    ],
    IDP_NOT_CONFIGURED: [
      "Nie można zalogować się przez tego dostawcę",
      "Nie jest skonfigurowany dla tego adresu lub został usunięty. Zaloguj się inaczej lub powiadom administratora.",
    ],
    IDP_DISABLED: [
      "Ten dostawca jest wyłączony",
      "Obecnie nikt nie może się przez niego zalogować. Zaloguj się inaczej lub skontaktuj się z administratorem.",
    ],
    PROVIDER_NOT_VERIFIED: [
      "Nie udało się zalogować",
      "Nie można było zweryfikować informacji od dostawcy. Spróbuj ponownie. Jeśli problem się powtarza, powiadom administratora.",
    ],

    NotAllowedError: [
      "Nie utworzono klucza dostępu",
      "Operację anulowano, trwała zbyt długo lub nie pozwala na nią urządzenie. Spróbuj ponownie w dogodnej chwili.",
    ],
    InvalidStateError: [
      "To urządzenie ma już Twój klucz dostępu",
      "Możesz się nim zalogować. Aby dodać kolejny, użyj innego urządzenia, klucza bezpieczeństwa lub menedżera haseł.",
    ],
    SecurityError: [
      "Pod tym adresem nie można tworzyć kluczy dostępu",
      "Adres w przeglądarce nie jest tym, do którego należą Twoje klucze dostępu. Otwórz tę stronę pod adresem, który Ci podano.",
    ],
    NotSupportedError: [
      "To urządzenie nie może utworzyć wymaganego klucza dostępu",
      "Użyj innego urządzenia, klucza bezpieczeństwa lub menedżera haseł.",
    ],
    ConstraintError: [
      "To urządzenie nie może sprawdzić, czy to Ty",
      "Ustaw na nim blokadę ekranu, kod PIN lub odcisk palca albo użyj innego urządzenia i spróbuj ponownie.",
    ],
    AbortError: ["Nie ukończono tworzenia klucza dostępu", "Przerwała je inna operacja. Spróbuj ponownie."],
    NO_WEBAUTHN: [
      "Ta przeglądarka nie może tworzyć kluczy dostępu",
      "Użyj aktualnej wersji Chrome, Edge, Firefox lub Safari. Przeglądarki wbudowane w inne aplikacje często tego nie potrafią.",
    ],
    INSECURE_CONTEXT: [
      "To połączenie nie jest bezpieczne",
      "Przeglądarki tworzą klucze dostępu tylko pod bezpiecznymi adresami, czyli zaczynającymi się od https://. Otwórz tę stronę pod takim adresem.",
    ],
  },
};
