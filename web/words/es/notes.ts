/** The texts of presets and recipes in Spanish. `{issuer}` stands for the issuer. */

import type { Notes } from "../types";

export const notes: Notes = {
  "preset.auth0": "El host es el dominio del inquilino, como example.eu.auth0.com, o el tuyo propio.",
  "preset.authelia": "Authelia necesita el cliente en su archivo de configuración, con el hash del secreto.",
  "preset.authentik":
    "authentik no indica de ninguna dirección que esté verificada, salvo que lo haga un scope mapping. Asigna al proveedor una clave de firma: sin ella firma con el secreto, lo que no se acepta.",
  "preset.cognito":
    "Permite para el cliente de la aplicación los ámbitos openid, profile y email, y la concesión con código de autorización.",
  "preset.gitlab": "Permite para la aplicación los ámbitos openid, profile y email.",
  "preset.gitlab-self-managed": "Permite para la aplicación los ámbitos openid, profile y email.",
  "preset.google":
    "Limita las organizaciones de Google (hd) de las personas nuevas: quien ha dejado una empresa puede tener una cuenta de Google con la dirección antigua.",
  "preset.keycloak":
    "Activa Client authentication y Standard flow. Las versiones anteriores a la 17 tienen /auth antes de /realms.",
  "preset.keystead": "Añade allí una aplicación del tipo WEB, con la URI de redirección de este proveedor.",
  "preset.microsoft":
    "Un solo inquilino, por su ID. Con `common` u `organizations`, cualquier inquilino podría nombrar a cualquier usuario: SetOIDCConfig rechaza estos emisores, y el de `consumers`. El inquilino de las cuentas personales es 9188040d-6c67-4c5b-b112-36a304b66dad. Añade el claim `auth_time` al token de ID de la aplicación (Token configuration, Add optional claim): Entra anuncia este claim, así que sin él ningún inicio de sesión cuenta como reciente.",
  "preset.okta":
    "El host es el de la organización, como example.okta.com, a cuyo servidor de autorización se pregunta.",
  "preset.onelogin":
    "OneLogin no indica de ninguna dirección que esté verificada. Pon el endpoint de tokens de la aplicación en Basic.",
  "preset.zitadel": "El host es el de la instancia, como example.zitadel.cloud.",
  "kind.gitlab-self-managed": "autogestionado",
  "kind.keystead": "otra instancia",
  "kind.microsoft": "Entra ID",
  "unsupported.apple": "Su secreto de cliente es un JWT que caduca.",
  "unsupported.github": "No es un proveedor de OpenID: no entrega tokens de ID.",
  "recipe.apache":
    "Incluye keystead.conf en la configuración de Apache. Ningún archivo del sitio puede tener la URI de redirección. Los programas detrás de Apache reciben los claims como variables de entorno, como OIDC_CLAIM_sub. Un enlace a /callback?logout=https%3A%2F%2F y el host cierra la sesión, también en Keystead.",
  "recipe.argo-cd":
    "El secreto va en el Secret argocd-secret, con la clave oidc.keystead.clientSecret. Los miembros del grupo argocd-admins de Keystead reciben el rol admin.",
  "recipe.django-allauth": "El cierre de sesión de django-allauth solo termina su propia sesión.",
  "recipe.envoy":
    "Envoy verifica los tokens de acceso de quienes llaman; en él nadie inicia sesión. Los clientes indican el identificador en el parámetro resource. El clúster keystead tiene la dirección de Keystead.",
  "recipe.flask-appbuilder":
    "En Superset el archivo es superset_config.py y el último ajuste es CUSTOM_SECURITY_MANAGER = KeysteadSecurity, de la clase base SupersetSecurityManager; en Airflow con el proveedor FAB, webserver_config.py y SECURITY_MANAGER_CLASS = KeysteadSecurity, de la clase base FabAirflowSecurityManagerOverride.",
  "recipe.gitea": "El nombre de la fuente de autenticación forma parte de la URI de redirección.",
  "recipe.gitlab":
    "Ejecuta después gitlab-ctl reconfigure. El cierre de sesión de GitLab solo termina su propia sesión.",
  "recipe.grafana": "Los miembros del grupo grafana-admins de Keystead administran Grafana.",
  "recipe.headscale":
    "Headscale 0.27 y posteriores rechazan a los usuarios cuya dirección no se declara verificada, salvo que email_verified_required sea false.",
  "recipe.immich":
    "La aplicación móvil vuelve mediante el override, ya que una aplicación del tipo web no tiene direcciones app.immich:.",
  "recipe.jenkins": "El plugin es oic-auth (OpenID Connect Authentication); el texto es para Configuration as Code.",
  "recipe.jupyterhub":
    "Todas las personas que la aplicación admite reciben un servidor; los miembros del grupo admins administran el hub.",
  "recipe.kafka":
    "Las JVM de los brokers y de los clientes necesitan la propiedad del sistema -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={issuer}/oauth/token,{issuer}/.well-known/jwks.json. Kafka conoce al principal por el claim sub, que es el ID de cliente.",
  "recipe.kubernetes":
    "El host no se usa: kubelogin escucha en la máquina del usuario. El servidor de la API lee el nombre de usuario y los grupos de los tokens de ID.",
  "recipe.minio":
    "MinIO lee el claim del token de ID: los usuarios reciben las políticas con los nombres de sus grupos. El host es el de la consola.",
  "recipe.mozilla-django-oidc":
    "Los usuarios de Django se encuentran por su dirección de correo, así que cada usuario de Keystead necesita una.",
  "recipe.nextauth": "Los ajustes son los de next-auth 4. Su cierre de sesión solo termina su propia sesión.",
  "recipe.nextcloud":
    "La aplicación es user_oidc. El nombre del proveedor, keystead, forma parte de la dirección del cierre de sesión por canal trasero.",
  "recipe.node-red":
    "Instala passport-openidconnect junto a settings.js: npm install passport-openidconnect. Todas las personas que la aplicación admite pueden cambiar flujos, así que limítala a un grupo. El cierre de sesión de Node-RED solo termina su propia sesión.",
  "recipe.oauth2-proxy":
    "Los usuarios sin dirección de correo no pueden iniciar sesión. Las direcciones que ha puesto un administrador no están verificadas; sin insecure_oidc_allow_unverified_email, solo inician sesión los usuarios con una dirección verificada. El cierre de sesión en /oauth2/sign_out solo termina su propia sesión.",
  "recipe.openid-client": "docs/applications.md tiene un programa completo.",
  "recipe.social-auth-app-django": "El cierre de sesión de Django solo termina su propia sesión.",
  "recipe.spring-boot":
    "La clase cierra la sesión también en Keystead, y termina las sesiones que terminan en Keystead.",
  "recipe.spring-boot-resource-server":
    "Spring Security rechaza el tipo at+jwt, así que los tokens de acceso de este recurso tienen el tipo JWT. Sus clientes indican el identificador en el parámetro resource.",
  "recipe.streamlit":
    "El programa llama a st.login() y st.logout(). El cierre de sesión termina también la sesión en Keystead.",
  "recipe.synapse":
    "Synapse lee los claims del token de ID, y solo consulta userinfo si lo indica user_profile_method.",
  "recipe.vault": "La dirección en localhost es la de `vault login -method=oidc`. OpenBao usa los mismos ajustes.",
  "recipe.vaultwarden":
    "Vaultwarden sigue pidiendo su contraseña maestra. Keystead no afirma que las direcciones estén verificadas, así que los usuarios no se emparejan por dirección.",
  "where.argo-cd.0": "ConfigMap argocd-cm",
  "where.argo-cd.1": "Secret argocd-secret",
  "where.argo-cd.2": "ConfigMap argocd-rbac-cm",
  "where.envoy.0": "http_filters de envoy.yaml",
  "where.gitea.0": "Una shell en el servidor de Gitea",
  "where.immich.0": "Administration, Settings, OAuth; o el archivo de configuración",
  "where.kubernetes.0": "AuthenticationConfiguration del servidor de la API",
  "where.minio.0": "El entorno de minio server",
  "where.nextcloud.0": "Una shell en el servidor de Nextcloud",
  "where.openid-client.0": "Un módulo del programa",
  "where.openid-client.1": "El entorno del programa",
  "where.vault.0": "Una shell con el token de un administrador de Vault",
};
