/** The texts of presets and recipes in Polish. `{issuer}` stands for the issuer. */

import type { Notes } from "../types";

export const notes: Notes = {
  "preset.auth0": "Host to domena dzierżawy, na przykład example.eu.auth0.com, lub Twoja własna.",
  "preset.authelia": "Authelia wymaga klienta w swoim pliku konfiguracyjnym, ze skrótem sekretu.",
  "preset.authentik":
    "authentik nie oznacza żadnego adresu jako zweryfikowany, chyba że robi to scope mapping. Przypisz dostawcy klucz podpisu: bez niego podpisuje sekretem, co nie jest akceptowane.",
  "preset.cognito": "Zezwól klientowi aplikacji na zakresy openid, profile i email oraz na kod autoryzacji.",
  "preset.gitlab": "Zezwól aplikacji na zakresy openid, profile i email.",
  "preset.gitlab-self-managed": "Zezwól aplikacji na zakresy openid, profile i email.",
  "preset.google":
    "Ogranicz organizacje Google (hd) nowych osób: ktoś, kto odszedł z firmy, może mieć konto Google z jej dawnym adresem.",
  "preset.keycloak": "Włącz Client authentication i Standard flow. Wersje przed 17 mają /auth przed /realms.",
  "preset.keystead": "Dodaj tam aplikację rodzaju WEB z URI przekierowania tego dostawcy.",
  "preset.microsoft":
    "Jedna dzierżawa, wskazana przez jej ID. Przy `common` lub `organizations` dowolna dzierżawa mogłaby podać dowolnego użytkownika: SetOIDCConfig odrzuca tych wystawców oraz wystawcę `consumers`. Dzierżawa kont osobistych to 9188040d-6c67-4c5b-b112-36a304b66dad. Dodaj oświadczenie `auth_time` do tokena ID aplikacji (Token configuration, Add optional claim): Entra wymienia to oświadczenie, więc bez niego żadne logowanie nie jest uznawane za niedawne.",
  "preset.okta": "Host to host organizacji, na przykład example.okta.com, której serwer autoryzacji jest pytany.",
  "preset.onelogin":
    "OneLogin nie oznacza żadnego adresu jako zweryfikowany. Ustaw punkt końcowy tokenów aplikacji na Basic.",
  "preset.zitadel": "Host to host instancji, na przykład example.zitadel.cloud.",
  "kind.gitlab-self-managed": "własny serwer",
  "kind.keystead": "inna instancja",
  "kind.microsoft": "Entra ID",
  "unsupported.apple": "Sekretem klienta jest JWT, który wygasa.",
  "unsupported.github": "To nie jest dostawca OpenID: nie wydaje tokenów ID.",
  "recipe.apache":
    "Dołącz keystead.conf do konfiguracji Apache. Żaden plik witryny nie może mieć URI przekierowania. Programy za Apache otrzymują oświadczenia jako zmienne środowiskowe, na przykład OIDC_CLAIM_sub. Link do /callback?logout=https%3A%2F%2F i hosta wylogowuje, także z Keystead.",
  "recipe.argo-cd":
    "Sekret należy do obiektu Secret argocd-secret, pod kluczem oidc.keystead.clientSecret. Członkowie grupy argocd-admins z Keystead otrzymują rolę admin.",
  "recipe.django-allauth": "Wylogowanie z django-allauth kończy tylko jego własną sesję.",
  "recipe.envoy":
    "Envoy weryfikuje tokeny dostępu wywołujących; nikt się w nim nie loguje. Klienci podają identyfikator w parametrze resource. Klaster keystead ma adres Keystead.",
  "recipe.flask-appbuilder":
    "W Superset plik to superset_config.py, a ostatnie ustawienie to CUSTOM_SECURITY_MANAGER = KeysteadSecurity, z klasą bazową SupersetSecurityManager; w Airflow z dostawcą FAB webserver_config.py i SECURITY_MANAGER_CLASS = KeysteadSecurity, z klasą bazową FabAirflowSecurityManagerOverride.",
  "recipe.gitea": "Nazwa źródła uwierzytelniania jest częścią URI przekierowania.",
  "recipe.gitlab": "Uruchom potem gitlab-ctl reconfigure. Wylogowanie z GitLab kończy tylko jego własną sesję.",
  "recipe.grafana": "Członkowie grupy grafana-admins z Keystead administrują Grafaną.",
  "recipe.headscale":
    "Headscale 0.27 i nowsze odrzuca użytkowników, których adresu nie oznaczono jako zweryfikowany, chyba że email_verified_required ma wartość false.",
  "recipe.immich": "Aplikacja mobilna wraca przez override, ponieważ aplikacja rodzaju web nie ma adresów app.immich:.",
  "recipe.jenkins":
    "Wtyczka to oic-auth (OpenID Connect Authentication); tekst jest przeznaczony dla Configuration as Code.",
  "recipe.jupyterhub":
    "Każda osoba, którą aplikacja dopuszcza, otrzymuje serwer; członkowie grupy admins administrują hubem.",
  "recipe.kafka":
    "Maszyny JVM brokerów i klientów wymagają właściwości systemowej -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={issuer}/oauth/token,{issuer}/.well-known/jwks.json. Kafka zna podmiot z oświadczenia sub, czyli identyfikatora klienta.",
  "recipe.kubernetes":
    "Host nie jest używany: kubelogin nasłuchuje na komputerze użytkownika. Serwer API odczytuje nazwę użytkownika i grupy z tokenów ID.",
  "recipe.minio":
    "MinIO odczytuje oświadczenie z tokena ID: użytkownicy otrzymują zasady o nazwach swoich grup. Host to host konsoli.",
  "recipe.mozilla-django-oidc":
    "Użytkownicy Django są znajdowani po adresie e-mail, więc każdy użytkownik Keystead go potrzebuje.",
  "recipe.nextauth": "Ustawienia dotyczą next-auth 4. Jego wylogowanie kończy tylko jego własną sesję.",
  "recipe.nextcloud":
    "Aplikacja to user_oidc. Nazwa dostawcy, keystead, jest częścią adresu wylogowania kanałem zwrotnym.",
  "recipe.node-red":
    "Zainstaluj passport-openidconnect obok settings.js: npm install passport-openidconnect. Każda osoba, którą aplikacja dopuszcza, może zmieniać przepływy, więc ogranicz ją do grupy. Wylogowanie z Node-RED kończy tylko jego własną sesję.",
  "recipe.oauth2-proxy":
    "Użytkownicy bez adresu e-mail nie mogą się zalogować. Adresy ustawione przez administratora nie są zweryfikowane; bez insecure_oidc_allow_unverified_email logują się tylko użytkownicy ze zweryfikowanym adresem. Wylogowanie pod /oauth2/sign_out kończy tylko jego własną sesję.",
  "recipe.openid-client": "Cały program jest w docs/applications.md.",
  "recipe.social-auth-app-django": "Wylogowanie z Django kończy tylko jego własną sesję.",
  "recipe.spring-boot": "Klasa wylogowuje także z Keystead i kończy sesje, które kończą się w Keystead.",
  "recipe.spring-boot-resource-server":
    "Spring Security odrzuca typ at+jwt, więc tokeny dostępu tego zasobu mają typ JWT. Jego klienci podają identyfikator w parametrze resource.",
  "recipe.streamlit": "Program wywołuje st.login() i st.logout(). Wylogowanie kończy także sesję w Keystead.",
  "recipe.synapse":
    "Synapse odczytuje oświadczenia z tokena ID, a userinfo pyta tylko wtedy, gdy wskazuje to user_profile_method.",
  "recipe.vault": "Adres na localhost to adres `vault login -method=oidc`. OpenBao przyjmuje te same ustawienia.",
  "recipe.vaultwarden":
    "Vaultwarden nadal pyta o swoje hasło główne. Keystead nie oznacza adresów jako zweryfikowane, więc użytkownicy nie są dopasowywani po adresie.",
  "where.argo-cd.0": "ConfigMap argocd-cm",
  "where.argo-cd.1": "Secret argocd-secret",
  "where.argo-cd.2": "ConfigMap argocd-rbac-cm",
  "where.envoy.0": "http_filters w envoy.yaml",
  "where.gitea.0": "Powłoka na serwerze Gitea",
  "where.immich.0": "Administration, Settings, OAuth; lub plik konfiguracyjny",
  "where.kubernetes.0": "AuthenticationConfiguration serwera API",
  "where.minio.0": "Środowisko minio server",
  "where.nextcloud.0": "Powłoka na serwerze Nextcloud",
  "where.openid-client.0": "Moduł programu",
  "where.openid-client.1": "Środowisko programu",
  "where.vault.0": "Powłoka z tokenem administratora Vault",
};
