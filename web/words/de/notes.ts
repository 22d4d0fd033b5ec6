/** The texts of presets and recipes in German. `{issuer}` stands for the issuer. */

import type { Notes } from "../types";

export const notes: Notes = {
  "preset.auth0": "Der Host ist die Domain des Mandanten, etwa example.eu.auth0.com, oder Ihre eigene.",
  "preset.authelia": "Authelia braucht den Client in seiner Konfigurationsdatei, mit dem Hash des Geheimnisses.",
  "preset.authentik":
    "authentik bestätigt keine Adresse als geprüft, außer durch ein Scope-Mapping. Geben Sie dem Provider einen Signaturschlüssel: Ohne ihn signiert er mit dem Geheimnis, was nicht akzeptiert wird.",
  "preset.cognito":
    "Erlauben Sie für den App-Client die Scopes openid, profile und email und den Authorization Code Grant.",
  "preset.gitlab": "Erlauben Sie für die Anwendung die Scopes openid, profile und email.",
  "preset.gitlab-self-managed": "Erlauben Sie für die Anwendung die Scopes openid, profile und email.",
  "preset.google":
    "Begrenzen Sie die Google-Organisationen (hd) neuer Personen: Wer ein Unternehmen verlassen hat, kann ein Google-Konto mit der alten Adresse haben.",
  "preset.keycloak":
    "Schalten Sie Client authentication und Standard flow ein. Versionen vor 17 haben /auth vor /realms.",
  "preset.keystead": "Legen Sie dort eine Anwendung der Art WEB an, mit der Redirect-URI dieses Anbieters.",
  "preset.microsoft":
    "Ein Mandant, durch seine ID. Mit `common` oder `organizations` könnte jeder Mandant jeden Benutzer nennen: SetOIDCConfig weist diese Aussteller ab, und den von `consumers`. Der Mandant der persönlichen Konten ist 9188040d-6c67-4c5b-b112-36a304b66dad. Fügen Sie den Claim `auth_time` dem ID-Token der Anwendung hinzu (Token configuration, Add optional claim): Entra führt diesen Claim auf, ohne ihn gilt also keine Anmeldung als frisch.",
  "preset.okta": "Der Host ist der der Organisation, etwa example.okta.com; ihr Autorisierungsserver wird gefragt.",
  "preset.onelogin": "OneLogin bestätigt keine Adresse als geprüft. Stellen Sie den Token-Endpunkt der App auf Basic.",
  "preset.zitadel": "Der Host ist der der Instanz, etwa example.zitadel.cloud.",
  "kind.gitlab-self-managed": "selbst betrieben",
  "kind.keystead": "eine andere Instanz",
  "kind.microsoft": "Entra ID",
  "unsupported.apple": "Sein Client-Geheimnis ist ein JWT, das abläuft.",
  "unsupported.github": "Es ist kein OpenID-Provider: Es gibt keine ID-Tokens aus.",
  "recipe.apache":
    "Binden Sie keystead.conf in die Konfiguration von Apache ein. Unter der Redirect-URI darf keine Datei der Website liegen. Programme hinter Apache bekommen die Claims als Umgebungsvariablen, etwa OIDC_CLAIM_sub. Ein Link auf /callback?logout=https%3A%2F%2F und den Host meldet ab, auch bei Keystead.",
  "recipe.argo-cd":
    "Das Geheimnis gehört in das Secret argocd-secret, unter dem Schlüssel oidc.keystead.clientSecret. Mitglieder der Gruppe argocd-admins von Keystead bekommen die Rolle admin.",
  "recipe.django-allauth": "Das Abmelden von django-allauth beendet nur dessen eigene Sitzung.",
  "recipe.envoy":
    "Envoy prüft die Access-Tokens der Aufrufer; es meldet niemanden an. Clients nennen den Bezeichner im Parameter resource. Der Cluster keystead hat die Adresse von Keystead.",
  "recipe.flask-appbuilder":
    "In Superset ist die Datei superset_config.py, und die letzte Einstellung ist CUSTOM_SECURITY_MANAGER = KeysteadSecurity, mit der Basisklasse SupersetSecurityManager; in Airflow mit dem FAB-Provider webserver_config.py und SECURITY_MANAGER_CLASS = KeysteadSecurity, mit der Basisklasse FabAirflowSecurityManagerOverride.",
  "recipe.gitea": "Der Name der Authentifizierungsquelle ist ein Teil der Redirect-URI.",
  "recipe.gitlab":
    "Führen Sie danach gitlab-ctl reconfigure aus. Das Abmelden von GitLab beendet nur dessen eigene Sitzung.",
  "recipe.grafana": "Mitglieder der Gruppe grafana-admins von Keystead verwalten Grafana.",
  "recipe.headscale":
    "Headscale ab 0.27 weist Benutzer ab, deren Adresse nicht als geprüft bestätigt ist, außer email_verified_required ist false.",
  "recipe.immich":
    "Die mobile App kommt über den Override zurück, da eine Anwendung der Art Web keine Adresse mit app.immich: hat.",
  "recipe.jenkins": "Das Plugin ist oic-auth (OpenID Connect Authentication); der Text ist für Configuration as Code.",
  "recipe.jupyterhub":
    "Alle, die die Anwendung zulässt, bekommen einen Server; Mitglieder der Gruppe admins verwalten den Hub.",
  "recipe.kafka":
    "Die JVMs von Brokern und Clients brauchen die System-Property -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={issuer}/oauth/token,{issuer}/.well-known/jwks.json. Kafka kennt den Principal am Claim sub, also der Client-ID.",
  "recipe.kubernetes":
    "Der Host wird nicht benutzt: kubelogin lauscht auf dem Rechner des Benutzers. Der API-Server liest Benutzernamen und Gruppen aus ID-Tokens.",
  "recipe.minio":
    "MinIO liest den Claim aus dem ID-Token: Benutzer bekommen die Policies mit den Namen ihrer Gruppen. Der Host ist der der Konsole.",
  "recipe.mozilla-django-oidc":
    "Benutzer von Django werden an ihrer E-Mail-Adresse erkannt, daher braucht jeder Benutzer von Keystead eine.",
  "recipe.nextauth": "Die Einstellungen sind die von next-auth 4. Dessen Abmelden beendet nur seine eigene Sitzung.",
  "recipe.nextcloud":
    "Die App ist user_oidc. Der Name des Anbieters, keystead, ist ein Teil der Adresse für Back-Channel-Logout.",
  "recipe.node-red":
    "Installieren Sie passport-openidconnect neben settings.js: npm install passport-openidconnect. Alle, die die Anwendung zulässt, können Flows ändern; lassen Sie deshalb nur eine Gruppe zu. Das Abmelden von Node-RED beendet nur dessen eigene Sitzung.",
  "recipe.oauth2-proxy":
    "Benutzer ohne E-Mail-Adresse können sich nicht anmelden. Adressen, die ein Administrator gesetzt hat, sind nicht geprüft; ohne insecure_oidc_allow_unverified_email melden sich nur Benutzer mit geprüfter Adresse an. Das Abmelden unter /oauth2/sign_out beendet nur dessen eigene Sitzung.",
  "recipe.openid-client": "docs/applications.md hat ein ganzes Programm.",
  "recipe.social-auth-app-django": "Das Abmelden von Django beendet nur dessen eigene Sitzung.",
  "recipe.spring-boot": "Die Klasse meldet auch bei Keystead ab, und beendet Sitzungen, die bei Keystead enden.",
  "recipe.spring-boot-resource-server":
    "Spring Security weist den Typ at+jwt ab, daher haben die Access-Tokens dieser Ressource den Typ JWT. Ihre Clients nennen den Bezeichner im Parameter resource.",
  "recipe.streamlit":
    "Das Programm ruft st.login() und st.logout() auf. Das Abmelden beendet auch die Sitzung bei Keystead.",
  "recipe.synapse":
    "Synapse liest die Claims des ID-Tokens und fragt userinfo nur, wenn user_profile_method es verlangt.",
  "recipe.vault":
    "Die Adresse auf localhost ist die von `vault login -method=oidc`. OpenBao nimmt dieselben Einstellungen.",
  "recipe.vaultwarden":
    "Vaultwarden fragt weiter nach seinem Master-Passwort. Keystead bestätigt keine Adressen als geprüft, daher werden Benutzer nicht über die Adresse zugeordnet.",
  "where.argo-cd.0": "ConfigMap argocd-cm",
  "where.argo-cd.1": "Secret argocd-secret",
  "where.argo-cd.2": "ConfigMap argocd-rbac-cm",
  "where.envoy.0": "http_filters in envoy.yaml",
  "where.gitea.0": "Eine Shell auf dem Server von Gitea",
  "where.immich.0": "Administration, Settings, OAuth; oder die Konfigurationsdatei",
  "where.kubernetes.0": "AuthenticationConfiguration des API-Servers",
  "where.minio.0": "Die Umgebung von minio server",
  "where.nextcloud.0": "Eine Shell auf dem Server von Nextcloud",
  "where.openid-client.0": "Ein Modul des Programms",
  "where.openid-client.1": "Die Umgebung des Programms",
  "where.vault.0": "Eine Shell mit dem Token eines Administrators von Vault",
};
