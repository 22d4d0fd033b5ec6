/** The texts of presets and recipes in French. `{issuer}` stands for the issuer. */

import type { Notes } from "../types";

export const notes: Notes = {
  "preset.auth0": "L’hôte est le domaine du locataire, tel que example.eu.auth0.com, ou le vôtre.",
  "preset.authelia": "Authelia a besoin du client dans son fichier de configuration, avec le hachage du secret.",
  "preset.authentik":
    "authentik n’indique d’aucune adresse qu’elle est vérifiée, sauf par un scope mapping. Donnez une clé de signature au fournisseur : sans elle, il signe avec le secret, ce qui n’est pas accepté.",
  "preset.cognito":
    "Autorisez pour le client d’application les scopes openid, profile et email, ainsi que l’octroi par code d’autorisation.",
  "preset.gitlab": "Autorisez pour l’application les scopes openid, profile et email.",
  "preset.gitlab-self-managed": "Autorisez pour l’application les scopes openid, profile et email.",
  "preset.google":
    "Limitez les organisations Google (hd) des nouvelles personnes : une personne qui a quitté une entreprise peut avoir un compte Google avec son ancienne adresse.",
  "preset.keycloak":
    "Activez Client authentication et Standard flow. Les versions antérieures à 17 ont /auth avant /realms.",
  "preset.keystead": "Ajoutez-y une application du type WEB, avec l’URI de redirection de ce fournisseur.",
  "preset.microsoft":
    "Un seul locataire, par son ID. Avec `common` ou `organizations`, n’importe quel locataire pourrait nommer n’importe quel utilisateur : SetOIDCConfig refuse ces émetteurs, et celui de `consumers`. Le locataire des comptes personnels est 9188040d-6c67-4c5b-b112-36a304b66dad. Ajoutez le claim `auth_time` au jeton d’identité de l’application (Token configuration, Add optional claim) : Entra annonce ce claim, donc sans lui aucune connexion n’est considérée comme récente.",
  "preset.okta":
    "L’hôte est celui de l’organisation, tel que example.okta.com, dont le serveur d’autorisation est interrogé.",
  "preset.onelogin":
    "OneLogin n’indique d’aucune adresse qu’elle est vérifiée. Réglez le point de terminaison des jetons de l’application sur Basic.",
  "preset.zitadel": "L’hôte est celui de l’instance, tel que example.zitadel.cloud.",
  "kind.gitlab-self-managed": "auto-hébergé",
  "kind.keystead": "une autre instance",
  "kind.microsoft": "Entra ID",
  "unsupported.apple": "Son secret client est un JWT qui expire.",
  "unsupported.github": "Ce n’est pas un fournisseur OpenID : il ne donne pas de jetons d’identité.",
  "recipe.apache":
    "Incluez keystead.conf dans la configuration d’Apache. Aucun fichier du site ne doit avoir l’URI de redirection. Les programmes derrière Apache reçoivent les claims comme variables d’environnement, telles que OIDC_CLAIM_sub. Un lien vers /callback?logout=https%3A%2F%2F et l’hôte déconnecte, y compris de Keystead.",
  "recipe.argo-cd":
    "Le secret va dans le Secret argocd-secret, sous la clé oidc.keystead.clientSecret. Les membres du groupe argocd-admins de Keystead obtiennent le rôle admin.",
  "recipe.django-allauth": "La déconnexion de django-allauth ne termine que sa propre session.",
  "recipe.envoy":
    "Envoy vérifie les jetons d’accès des appelants ; personne ne s’y connecte. Les clients nomment l’identifiant dans le paramètre resource. Le cluster keystead a l’adresse de Keystead.",
  "recipe.flask-appbuilder":
    "Dans Superset, le fichier est superset_config.py et le dernier paramètre est CUSTOM_SECURITY_MANAGER = KeysteadSecurity, de la classe de base SupersetSecurityManager ; dans Airflow avec le fournisseur FAB, webserver_config.py et SECURITY_MANAGER_CLASS = KeysteadSecurity, de la classe de base FabAirflowSecurityManagerOverride.",
  "recipe.gitea": "Le nom de la source d’authentification fait partie de l’URI de redirection.",
  "recipe.gitlab":
    "Exécutez ensuite gitlab-ctl reconfigure. La déconnexion de GitLab ne termine que sa propre session.",
  "recipe.grafana": "Les membres du groupe grafana-admins de Keystead administrent Grafana.",
  "recipe.headscale":
    "Headscale 0.27 et les versions suivantes refusent les utilisateurs dont l’adresse n’est pas déclarée vérifiée, sauf si email_verified_required est false.",
  "recipe.immich":
    "L’application mobile revient par l’override, car une application du type web n’a pas d’adresse app.immich:.",
  "recipe.jenkins":
    "Le plugin est oic-auth (OpenID Connect Authentication) ; le texte est destiné à Configuration as Code.",
  "recipe.jupyterhub":
    "Toutes les personnes que l’application admet obtiennent un serveur ; les membres du groupe admins administrent le hub.",
  "recipe.kafka":
    "Les JVM des brokers et des clients ont besoin de la propriété système -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={issuer}/oauth/token,{issuer}/.well-known/jwks.json. Kafka connaît le principal par le claim sub, qui est l’ID client.",
  "recipe.kubernetes":
    "L’hôte n’est pas utilisé : kubelogin écoute sur la machine de l’utilisateur. Le serveur d’API lit le nom d’utilisateur et les groupes dans les jetons d’identité.",
  "recipe.minio":
    "MinIO lit le claim dans le jeton d’identité : les utilisateurs obtiennent les politiques qui portent les noms de leurs groupes. L’hôte est celui de la console.",
  "recipe.mozilla-django-oidc":
    "Les utilisateurs de Django sont trouvés par leur adresse e-mail ; chaque utilisateur de Keystead en a donc besoin.",
  "recipe.nextauth": "Les paramètres sont ceux de next-auth 4. Sa déconnexion ne termine que sa propre session.",
  "recipe.nextcloud":
    "L’application est user_oidc. Le nom du fournisseur, keystead, fait partie de l’adresse de la déconnexion par canal arrière.",
  "recipe.node-red":
    "Installez passport-openidconnect à côté de settings.js : npm install passport-openidconnect. Toutes les personnes que l’application admet peuvent modifier les flux ; limitez-la donc à un groupe. La déconnexion de Node-RED ne termine que sa propre session.",
  "recipe.oauth2-proxy":
    "Les utilisateurs sans adresse e-mail ne peuvent pas se connecter. Les adresses qu’un administrateur a saisies ne sont pas vérifiées ; sans insecure_oidc_allow_unverified_email, seuls les utilisateurs dont l’adresse est vérifiée se connectent. La déconnexion à /oauth2/sign_out ne termine que sa propre session.",
  "recipe.openid-client": "docs/applications.md contient un programme entier.",
  "recipe.social-auth-app-django": "La déconnexion de Django ne termine que sa propre session.",
  "recipe.spring-boot":
    "La classe déconnecte aussi de Keystead, et termine les sessions qui se terminent dans Keystead.",
  "recipe.spring-boot-resource-server":
    "Spring Security refuse le type at+jwt, donc les jetons d’accès de cette ressource ont le type JWT. Ses clients nomment l’identifiant dans le paramètre resource.",
  "recipe.streamlit":
    "Le programme appelle st.login() et st.logout(). La déconnexion termine aussi la session dans Keystead.",
  "recipe.synapse":
    "Synapse lit les claims du jeton d’identité, et n’interroge userinfo que si user_profile_method le demande.",
  "recipe.vault":
    "L’adresse sur localhost est celle de `vault login -method=oidc`. OpenBao accepte les mêmes paramètres.",
  "recipe.vaultwarden":
    "Vaultwarden demande toujours son mot de passe maître. Keystead ne déclare pas que les adresses sont vérifiées ; les utilisateurs ne sont donc pas associés par adresse.",
  "where.argo-cd.0": "ConfigMap argocd-cm",
  "where.argo-cd.1": "Secret argocd-secret",
  "where.argo-cd.2": "ConfigMap argocd-rbac-cm",
  "where.envoy.0": "http_filters de envoy.yaml",
  "where.gitea.0": "Un shell sur le serveur de Gitea",
  "where.immich.0": "Administration, Settings, OAuth ; ou le fichier de configuration",
  "where.kubernetes.0": "AuthenticationConfiguration du serveur d’API",
  "where.minio.0": "L’environnement de minio server",
  "where.nextcloud.0": "Un shell sur le serveur de Nextcloud",
  "where.openid-client.0": "Un module du programme",
  "where.openid-client.1": "L’environnement du programme",
  "where.vault.0": "Un shell avec le jeton d’un administrateur de Vault",
};
