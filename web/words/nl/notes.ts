/** The texts of presets and recipes in Dutch. `{issuer}` stands for the issuer. */

import type { Notes } from "../types";

export const notes: Notes = {
  "preset.auth0": "De host is het domein van de tenant, zoals example.eu.auth0.com, of je eigen domein.",
  "preset.authelia": "Authelia heeft de client nodig in zijn configuratiebestand, met de hash van het geheim.",
  "preset.authentik":
    "authentik geeft van geen adres aan dat het is geverifieerd, tenzij een scope mapping dat doet. Geef de provider een ondertekeningssleutel: zonder die ondertekent hij met het geheim, wat niet wordt geaccepteerd.",
  "preset.cognito": "Sta voor de app-client de scopes openid, profile en email toe, en de authorization code grant.",
  "preset.gitlab": "Sta voor de applicatie de scopes openid, profile en email toe.",
  "preset.gitlab-self-managed": "Sta voor de applicatie de scopes openid, profile en email toe.",
  "preset.google":
    "Beperk de Google-organisaties (hd) van nieuwe mensen: wie een bedrijf heeft verlaten, kan een Google-account met het oude adres hebben.",
  "preset.keycloak": "Zet Client authentication en Standard flow aan. Versies ouder dan 17 hebben /auth voor /realms.",
  "preset.keystead": "Voeg daar een applicatie van de soort WEB toe, met de omleidings-URI van deze provider.",
  "preset.microsoft":
    "Eén tenant, met zijn ID. Met `common` of `organizations` zou elke tenant elke gebruiker kunnen noemen: SetOIDCConfig weigert deze uitgevers, en die van `consumers`. De tenant van persoonlijke accounts is 9188040d-6c67-4c5b-b112-36a304b66dad. Voeg de claim `auth_time` toe aan het ID-token van de applicatie (Token configuration, Add optional claim): Entra vermeldt deze claim, dus zonder die claim geldt geen enkele inlog als recent.",
  "preset.okta": "De host is die van de organisatie, zoals example.okta.com; haar autorisatieserver wordt gevraagd.",
  "preset.onelogin":
    "OneLogin geeft van geen adres aan dat het is geverifieerd. Zet het token-endpoint van de app op Basic.",
  "preset.zitadel": "De host is die van de instantie, zoals example.zitadel.cloud.",
  "kind.gitlab-self-managed": "zelf beheerd",
  "kind.keystead": "een andere installatie",
  "kind.microsoft": "Entra ID",
  "unsupported.apple": "Het clientgeheim is een JWT die verloopt.",
  "unsupported.github": "Het is geen OpenID-provider: het geeft geen ID-tokens.",
  "recipe.apache":
    "Neem keystead.conf op in de configuratie van Apache. Geen bestand van de site mag de omleidings-URI hebben. Programma’s achter Apache krijgen de claims als omgevingsvariabelen, zoals OIDC_CLAIM_sub. Een link naar /callback?logout=https%3A%2F%2F en de host logt uit, ook bij Keystead.",
  "recipe.argo-cd":
    "Het geheim hoort in de Secret argocd-secret, onder de sleutel oidc.keystead.clientSecret. Leden van de groep argocd-admins van Keystead krijgen de rol admin.",
  "recipe.django-allauth": "Uitloggen bij django-allauth beëindigt alleen zijn eigen sessie.",
  "recipe.envoy":
    "Envoy verifieert de toegangstokens van aanroepers; niemand logt er in. Clients noemen de identificatie in de parameter resource. Het cluster keystead heeft het adres van Keystead.",
  "recipe.flask-appbuilder":
    "In Superset is het bestand superset_config.py en de laatste instelling CUSTOM_SECURITY_MANAGER = KeysteadSecurity, met de basisklasse SupersetSecurityManager; in Airflow met de FAB-provider webserver_config.py en SECURITY_MANAGER_CLASS = KeysteadSecurity, met de basisklasse FabAirflowSecurityManagerOverride.",
  "recipe.gitea": "De naam van de authenticatiebron is een deel van de omleidings-URI.",
  "recipe.gitlab": "Voer daarna gitlab-ctl reconfigure uit. Uitloggen bij GitLab beëindigt alleen zijn eigen sessie.",
  "recipe.grafana": "Leden van de groep grafana-admins van Keystead beheren Grafana.",
  "recipe.headscale":
    "Headscale 0.27 en nieuwer weigert gebruikers van wie het adres niet als geverifieerd is aangegeven, tenzij email_verified_required false is.",
  "recipe.immich":
    "De mobiele app komt terug via de override, omdat een applicatie van de soort web geen adres met app.immich: heeft.",
  "recipe.jenkins": "De plug-in is oic-auth (OpenID Connect Authentication); de tekst is voor Configuration as Code.",
  "recipe.jupyterhub":
    "Iedereen die de applicatie toelaat, krijgt een server; leden van de groep admins beheren de hub.",
  "recipe.kafka":
    "De JVM’s van brokers en clients hebben de systeemeigenschap -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={issuer}/oauth/token,{issuer}/.well-known/jwks.json nodig. Kafka kent de principal aan de claim sub, de client-ID.",
  "recipe.kubernetes":
    "De host wordt niet gebruikt: kubelogin luistert op de machine van de gebruiker. De API-server leest gebruikersnaam en groepen uit ID-tokens.",
  "recipe.minio":
    "MinIO leest de claim uit het ID-token: gebruikers krijgen de policies met de namen van hun groepen. De host is die van de console.",
  "recipe.mozilla-django-oidc":
    "Gebruikers van Django worden gevonden op hun e-mailadres, dus elke gebruiker van Keystead heeft er een nodig.",
  "recipe.nextauth": "De instellingen zijn die van next-auth 4. Uitloggen daar beëindigt alleen zijn eigen sessie.",
  "recipe.nextcloud":
    "De app is user_oidc. De naam van de provider, keystead, is een deel van het adres voor uitloggen via het back-channel.",
  "recipe.node-red":
    "Installeer passport-openidconnect naast settings.js: npm install passport-openidconnect. Iedereen die de applicatie toelaat, kan flows wijzigen, dus beperk de applicatie tot een groep. Uitloggen bij Node-RED beëindigt alleen zijn eigen sessie.",
  "recipe.oauth2-proxy":
    "Gebruikers zonder e-mailadres kunnen niet inloggen. Adressen die een beheerder heeft ingevoerd, zijn niet geverifieerd; zonder insecure_oidc_allow_unverified_email loggen alleen gebruikers met een geverifieerd adres in. Uitloggen op /oauth2/sign_out beëindigt alleen zijn eigen sessie.",
  "recipe.openid-client": "docs/applications.md heeft een volledig programma.",
  "recipe.social-auth-app-django": "Uitloggen bij Django beëindigt alleen zijn eigen sessie.",
  "recipe.spring-boot": "De klasse logt ook uit bij Keystead, en beëindigt sessies die bij Keystead eindigen.",
  "recipe.spring-boot-resource-server":
    "Spring Security weigert het type at+jwt, dus hebben de toegangstokens van deze resource het type JWT. De clients noemen de identificatie in de parameter resource.",
  "recipe.streamlit":
    "Het programma roept st.login() en st.logout() aan. Uitloggen beëindigt ook de sessie bij Keystead.",
  "recipe.synapse":
    "Synapse leest de claims van het ID-token, en vraagt userinfo alleen als user_profile_method dat aangeeft.",
  "recipe.vault":
    "Het adres op localhost is dat van `vault login -method=oidc`. OpenBao gebruikt dezelfde instellingen.",
  "recipe.vaultwarden":
    "Vaultwarden vraagt nog steeds om zijn hoofdwachtwoord. Keystead geeft niet aan dat adressen zijn geverifieerd, dus worden gebruikers niet op adres gekoppeld.",
  "where.argo-cd.0": "ConfigMap argocd-cm",
  "where.argo-cd.1": "Secret argocd-secret",
  "where.argo-cd.2": "ConfigMap argocd-rbac-cm",
  "where.envoy.0": "http_filters van envoy.yaml",
  "where.gitea.0": "Een shell op de server van Gitea",
  "where.immich.0": "Administration, Settings, OAuth; of het configuratiebestand",
  "where.kubernetes.0": "AuthenticationConfiguration van de API-server",
  "where.minio.0": "De omgeving van minio server",
  "where.nextcloud.0": "Een shell op de server van Nextcloud",
  "where.openid-client.0": "Een module van het programma",
  "where.openid-client.1": "De omgeving van het programma",
  "where.vault.0": "Een shell met het token van een beheerder van Vault",
};
