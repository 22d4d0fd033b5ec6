/** The texts of presets and recipes in Italian. `{issuer}` stands for the issuer. */

import type { Notes } from "../types";

export const notes: Notes = {
  "preset.auth0": "L’host è il dominio del tenant, ad esempio example.eu.auth0.com, o il tuo.",
  "preset.authelia": "Authelia ha bisogno del client nel suo file di configurazione, con l’hash del segreto.",
  "preset.authentik":
    "authentik non dichiara verificato nessun indirizzo, a meno che lo faccia uno scope mapping. Assegna al provider una chiave di firma: senza, firma con il segreto, che non è accettato.",
  "preset.cognito":
    "Consenti per il client dell’app gli ambiti openid, profile ed email, e la concessione con codice di autorizzazione.",
  "preset.gitlab": "Consenti per l’applicazione gli ambiti openid, profile ed email.",
  "preset.gitlab-self-managed": "Consenti per l’applicazione gli ambiti openid, profile ed email.",
  "preset.google":
    "Limita le organizzazioni Google (hd) delle persone nuove: chi ha lasciato un’azienda può avere un account Google con il vecchio indirizzo.",
  "preset.keycloak":
    "Attiva Client authentication e Standard flow. Le versioni precedenti alla 17 hanno /auth prima di /realms.",
  "preset.keystead": "Aggiungi lì un’applicazione del tipo WEB, con l’URI di reindirizzamento di questo provider.",
  "preset.microsoft":
    "Un solo tenant, con il suo ID. Con `common` o `organizations`, qualsiasi tenant potrebbe indicare qualsiasi utente: SetOIDCConfig rifiuta questi emittenti, e quello di `consumers`. Il tenant degli account personali è 9188040d-6c67-4c5b-b112-36a304b66dad. Aggiungi il claim `auth_time` al token ID dell’applicazione (Token configuration, Add optional claim): Entra elenca questo claim, quindi senza di esso nessun accesso è considerato recente.",
  "preset.okta":
    "L’host è quello dell’organizzazione, ad esempio example.okta.com, il cui server di autorizzazione viene interrogato.",
  "preset.onelogin":
    "OneLogin non dichiara verificato nessun indirizzo. Imposta l’endpoint dei token dell’app su Basic.",
  "preset.zitadel": "L’host è quello dell’istanza, ad esempio example.zitadel.cloud.",
  "kind.gitlab-self-managed": "autogestito",
  "kind.keystead": "un’altra istanza",
  "kind.microsoft": "Entra ID",
  "unsupported.apple": "Il suo segreto client è un JWT che scade.",
  "unsupported.github": "Non è un provider OpenID: non fornisce token ID.",
  "recipe.apache":
    "Includi keystead.conf nella configurazione di Apache. Nessun file del sito può avere l’URI di reindirizzamento. I programmi dietro Apache ricevono i claim come variabili d’ambiente, ad esempio OIDC_CLAIM_sub. Un link a /callback?logout=https%3A%2F%2F e all’host esegue l’uscita, anche da Keystead.",
  "recipe.argo-cd":
    "Il segreto va nel Secret argocd-secret, con la chiave oidc.keystead.clientSecret. I membri del gruppo argocd-admins di Keystead ottengono il ruolo admin.",
  "recipe.django-allauth": "L’uscita da django-allauth termina solo la sua sessione.",
  "recipe.envoy":
    "Envoy verifica i token di accesso dei chiamanti; nessuno vi accede. I client indicano l’identificatore nel parametro resource. Il cluster keystead ha l’indirizzo di Keystead.",
  "recipe.flask-appbuilder":
    "In Superset il file è superset_config.py e l’ultima impostazione è CUSTOM_SECURITY_MANAGER = KeysteadSecurity, della classe base SupersetSecurityManager; in Airflow con il provider FAB, webserver_config.py e SECURITY_MANAGER_CLASS = KeysteadSecurity, della classe base FabAirflowSecurityManagerOverride.",
  "recipe.gitea": "Il nome della sorgente di autenticazione fa parte dell’URI di reindirizzamento.",
  "recipe.gitlab": "Esegui poi gitlab-ctl reconfigure. L’uscita da GitLab termina solo la sua sessione.",
  "recipe.grafana": "I membri del gruppo grafana-admins di Keystead amministrano Grafana.",
  "recipe.headscale":
    "Headscale 0.27 e successivi rifiutano gli utenti il cui indirizzo non è dichiarato verificato, a meno che email_verified_required sia false.",
  "recipe.immich":
    "L’app mobile ritorna tramite l’override, perché un’applicazione del tipo web non ha indirizzi app.immich:.",
  "recipe.jenkins": "Il plugin è oic-auth (OpenID Connect Authentication); il testo è per Configuration as Code.",
  "recipe.jupyterhub":
    "Tutte le persone che l’applicazione ammette ottengono un server; i membri del gruppo admins amministrano l’hub.",
  "recipe.kafka":
    "Le JVM dei broker e dei client hanno bisogno della proprietà di sistema -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={issuer}/oauth/token,{issuer}/.well-known/jwks.json. Kafka riconosce il principal dal claim sub, che è l’ID client.",
  "recipe.kubernetes":
    "L’host non viene usato: kubelogin è in ascolto sul computer dell’utente. Il server API legge il nome utente e i gruppi dai token ID.",
  "recipe.minio":
    "MinIO legge il claim dal token ID: gli utenti ottengono le policy con i nomi dei loro gruppi. L’host è quello della console.",
  "recipe.mozilla-django-oidc":
    "Gli utenti di Django vengono trovati con il loro indirizzo email, quindi ogni utente di Keystead ne ha bisogno.",
  "recipe.nextauth": "Le impostazioni sono quelle di next-auth 4. La sua uscita termina solo la sua sessione.",
  "recipe.nextcloud":
    "L’app è user_oidc. Il nome del provider, keystead, fa parte dell’indirizzo del logout back-channel.",
  "recipe.node-red":
    "Installa passport-openidconnect accanto a settings.js: npm install passport-openidconnect. Tutte le persone che l’applicazione ammette possono modificare i flussi, quindi limitala a un gruppo. L’uscita da Node-RED termina solo la sua sessione.",
  "recipe.oauth2-proxy":
    "Gli utenti senza indirizzo email non possono accedere. Gli indirizzi impostati da un amministratore non sono verificati; senza insecure_oidc_allow_unverified_email accedono solo gli utenti con un indirizzo verificato. L’uscita in /oauth2/sign_out termina solo la sua sessione.",
  "recipe.openid-client": "docs/applications.md contiene un programma intero.",
  "recipe.social-auth-app-django": "L’uscita da Django termina solo la sua sessione.",
  "recipe.spring-boot": "La classe esegue l’uscita anche da Keystead, e termina le sessioni che terminano in Keystead.",
  "recipe.spring-boot-resource-server":
    "Spring Security rifiuta il tipo at+jwt, quindi i token di accesso di questa risorsa hanno il tipo JWT. I suoi client indicano l’identificatore nel parametro resource.",
  "recipe.streamlit": "Il programma chiama st.login() e st.logout(). L’uscita termina anche la sessione in Keystead.",
  "recipe.synapse": "Synapse legge i claim del token ID, e interroga userinfo solo se user_profile_method lo richiede.",
  "recipe.vault":
    "L’indirizzo su localhost è quello di `vault login -method=oidc`. OpenBao usa le stesse impostazioni.",
  "recipe.vaultwarden":
    "Vaultwarden chiede comunque la sua password principale. Keystead non dichiara verificati gli indirizzi, quindi gli utenti non vengono associati in base all’indirizzo.",
  "where.argo-cd.0": "ConfigMap argocd-cm",
  "where.argo-cd.1": "Secret argocd-secret",
  "where.argo-cd.2": "ConfigMap argocd-rbac-cm",
  "where.envoy.0": "http_filters di envoy.yaml",
  "where.gitea.0": "Una shell sul server di Gitea",
  "where.immich.0": "Administration, Settings, OAuth; o il file di configurazione",
  "where.kubernetes.0": "AuthenticationConfiguration del server API",
  "where.minio.0": "L’ambiente di minio server",
  "where.nextcloud.0": "Una shell sul server di Nextcloud",
  "where.openid-client.0": "Un modulo del programma",
  "where.openid-client.1": "L’ambiente del programma",
  "where.vault.0": "Una shell con il token di un amministratore di Vault",
};
