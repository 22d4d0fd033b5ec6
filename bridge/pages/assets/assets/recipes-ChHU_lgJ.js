var e=[{name:`apache`,program:`Apache, mod_auth_openidc`,source:`https://github.com/OpenIDC/mod_auth_openidc/blob/master/auth_openidc.conf`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/callback`],postLogoutRedirectUris:[`https://{host}/`],backchannelLogoutUri:`https://{host}/callback?logout=backchannel`,scopes:[`openid`,`profile`,`email`,`groups`]},settings:[{where:`keystead.conf`,text:`OIDCProviderMetadataURL {issuer}/.well-known/openid-configuration
OIDCClientID {client_id}
OIDCClientSecret {client_secret}
OIDCCryptoPassphrase "another secret of your own"
OIDCRedirectURI https://{host}/callback
OIDCScope "openid profile email groups"
OIDCPKCEMethod S256

<Location />
    AuthType openid-connect
    Require valid-user
</Location>
`}],note:`Include keystead.conf in the configuration of Apache. No file of the site may have the redirect URI. Programs behind Apache get the claims as environment variables, such as OIDC_CLAIM_sub. A link to /callback?logout=https%3A%2F%2F and the host signs out, at Keystead too.`},{name:`argo-cd`,program:`Argo CD`,source:`https://argo-cd.readthedocs.io/en/stable/operator-manual/user-management/#existing-oidc-provider`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/auth/callback`],postLogoutRedirectUris:[`https://{host}`],scopes:[`openid`,`profile`,`email`,`groups`]},settings:[{where:`ConfigMap argocd-cm`,text:`data:
  url: https://{host}
  oidc.config: |
    name: Keystead
    issuer: {issuer}
    clientID: {client_id}
    clientSecret: $oidc.keystead.clientSecret
    requestedScopes: ["openid", "profile", "email", "groups"]
    logoutURL: {issuer}/oauth/logout?id_token_hint={{token}}&post_logout_redirect_uri={{logoutRedirectURL}}
`},{where:`Secret argocd-secret`,text:`stringData:
  oidc.keystead.clientSecret: {client_secret}
`},{where:`ConfigMap argocd-rbac-cm`,text:`data:
  scopes: "[groups]"
  policy.csv: |
    g, argocd-admins, role:admin
`}],note:`The secret belongs into the Secret argocd-secret under the key oidc.keystead.clientSecret. Members of the group argocd-admins of Keystead get the role admin.`},{name:`django-allauth`,program:`Django with django-allauth`,source:`https://docs.allauth.org/en/latest/socialaccount/providers/openid_connect.html`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/accounts/oidc/keystead/login/callback/`],scopes:[`openid`,`profile`,`email`]},settings:[{where:`settings.py`,text:`INSTALLED_APPS += [
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
]
MIDDLEWARE += ["allauth.account.middleware.AccountMiddleware"]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": "keystead",
                "name": "Keystead",
                "client_id": "{client_id}",
                "secret": "{client_secret}",
                "settings": {"server_url": "{issuer}"},
            }
        ],
    }
}
`},{where:`urls.py`,text:`from django.urls import include, path

urlpatterns += [path("accounts/", include("allauth.urls"))]
`}],note:`The sign-out of django-allauth ends its own session only.`},{name:`mozilla-django-oidc`,program:`Django with mozilla-django-oidc`,source:`https://mozilla-django-oidc.readthedocs.io/en/stable/settings.html`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/oidc/callback/`],postLogoutRedirectUris:[`https://{host}/`],scopes:[`openid`,`profile`,`email`]},settings:[{where:`settings.py`,text:`INSTALLED_APPS += ["mozilla_django_oidc"]
AUTHENTICATION_BACKENDS = ["mozilla_django_oidc.auth.OIDCAuthenticationBackend"]
LOGIN_URL = "oidc_authentication_init"
OIDC_RP_CLIENT_ID = "{client_id}"
OIDC_RP_CLIENT_SECRET = "{client_secret}"
OIDC_RP_SCOPES = "openid profile email"
OIDC_RP_SIGN_ALGO = "RS256"
OIDC_OP_AUTHORIZATION_ENDPOINT = "{issuer}/oauth/authorize"
OIDC_OP_TOKEN_ENDPOINT = "{issuer}/oauth/token"
OIDC_OP_USER_ENDPOINT = "{issuer}/oauth/userinfo"
OIDC_OP_JWKS_ENDPOINT = "{issuer}/.well-known/jwks.json"
OIDC_USE_PKCE = True
OIDC_STORE_ID_TOKEN = True
OIDC_OP_LOGOUT_URL_METHOD = f"{__name__}.keystead_logout"


def keystead_logout(request):
    from urllib.parse import urlencode

    return "{issuer}/oauth/logout?" + urlencode({
        "id_token_hint": request.session["oidc_id_token"],
        "post_logout_redirect_uri": "https://{host}/",
    })
`},{where:`urls.py`,text:`from django.urls import include, path

urlpatterns += [path("oidc/", include("mozilla_django_oidc.urls"))]
`}],note:`Users of Django are found by their mail address, so each user of Keystead needs one.`},{name:`social-auth-app-django`,program:`Django with social-auth-app-django`,source:`https://python-social-auth.readthedocs.io/en/latest/backends/oidc.html`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/complete/oidc/`],scopes:[`openid`,`profile`,`email`]},settings:[{where:`settings.py`,text:`INSTALLED_APPS += ["social_django"]
AUTHENTICATION_BACKENDS = ["social_core.backends.open_id_connect.OpenIdConnectAuth"]
SOCIAL_AUTH_OIDC_OIDC_ENDPOINT = "{issuer}"
SOCIAL_AUTH_OIDC_KEY = "{client_id}"
SOCIAL_AUTH_OIDC_SECRET = "{client_secret}"
SOCIAL_AUTH_OIDC_USE_PKCE = True
`},{where:`urls.py`,text:`from django.urls import include, path

urlpatterns += [path("", include("social_django.urls", namespace="social"))]
`}],note:`The sign-out of Django ends its own session only.`},{name:`envoy`,program:`Envoy, jwt_authn`,source:`https://www.envoyproxy.io/docs/envoy/latest/configuration/http/http_filters/jwt_authn_filter`,application:{kind:`APPLICATION_KIND_RESOURCE`,identifier:`https://{host}`},settings:[{where:`http_filters of envoy.yaml`,text:`- name: envoy.filters.http.jwt_authn
  typed_config:
    "@type": type.googleapis.com/envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication
    providers:
      keystead:
        issuer: {issuer}
        audiences: ["https://{host}"]
        remote_jwks:
          http_uri: { uri: "{issuer}/.well-known/jwks.json", cluster: keystead, timeout: 5s }
          cache_duration: 300s
        forward: true
    rules:
      - match: { prefix: / }
        requires: { provider_name: keystead }
`}],note:`Envoy verifies the access tokens of callers; it signs nobody in. Clients name the identifier in the parameter resource. The cluster keystead has the address of Keystead.`},{name:`flask-appbuilder`,program:`Flask-AppBuilder (Superset, Airflow)`,source:`https://flask-appbuilder.readthedocs.io/en/latest/security.html#authentication-oauth`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/oauth-authorized/keystead`],postLogoutRedirectUris:[`https://{host}/`],scopes:[`openid`,`profile`,`email`,`groups`]},settings:[{where:`config.py`,text:`from flask_appbuilder.security.manager import AUTH_OAUTH
from flask_appbuilder.security.sqla.manager import SecurityManager

AUTH_TYPE = AUTH_OAUTH
AUTH_USER_REGISTRATION = True
AUTH_USER_REGISTRATION_ROLE = "Public"
AUTH_ROLES_SYNC_AT_LOGIN = True
AUTH_ROLES_MAPPING = {"admins": ["Admin"]}  # the group "admins" of Keystead
LOGOUT_REDIRECT_URL = (
    "{issuer}/oauth/logout?client_id={client_id}&post_logout_redirect_uri=https://{host}/"
)
OAUTH_PROVIDERS = [
    {
        "name": "keystead",
        "icon": "fa-key",
        "token_key": "access_token",
        "remote_app": {
            "client_id": "{client_id}",
            "client_secret": "{client_secret}",
            "server_metadata_url": "{issuer}/.well-known/openid-configuration",
            "api_base_url": "{issuer}/oauth/",
            "client_kwargs": {
                "scope": "openid profile email groups",
                "code_challenge_method": "S256",
            },
        },
    }
]


class KeysteadSecurity(SecurityManager):
    def get_oauth_user_info(self, provider, response):
        claims = self.oauth_remotes[provider].userinfo()
        return {
            "username": claims["preferred_username"],
            "email": claims.get("email", ""),
            "first_name": claims.get("name", ""),
            "last_name": "",
            "role_keys": claims.get("groups", []),
        }


FAB_SECURITY_MANAGER_CLASS = f"{__name__}.KeysteadSecurity"
`}],note:`In Superset the file is superset_config.py and the last setting is CUSTOM_SECURITY_MANAGER = KeysteadSecurity, of the base class SupersetSecurityManager; in Airflow with the FAB provider webserver_config.py and SECURITY_MANAGER_CLASS = KeysteadSecurity, of the base class FabAirflowSecurityManagerOverride.`},{name:`gitea`,program:`Gitea`,source:`https://docs.gitea.com/administration/command-line#admin`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/user/oauth2/keystead/callback`],scopes:[`openid`,`profile`,`email`,`groups`]},settings:[{where:`A shell on the server of Gitea`,text:`gitea admin auth add-oauth --name keystead --provider openidConnect \\
  --key "{client_id}" --secret "{client_secret}" \\
  --auto-discover-url {issuer}/.well-known/openid-configuration \\
  --scopes profile --scopes email --scopes groups --group-claim-name groups
`}],note:`The name of the authentication source is a part of the redirect URI.`},{name:`gitlab`,program:`GitLab`,source:`https://docs.gitlab.com/administration/auth/oidc/`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/users/auth/openid_connect/callback`],scopes:[`openid`,`profile`,`email`]},settings:[{where:`/etc/gitlab/gitlab.rb`,text:`gitlab_rails['omniauth_allow_single_sign_on'] = ['openid_connect']
gitlab_rails['omniauth_block_auto_created_users'] = false
gitlab_rails['omniauth_providers'] = [
  {
    name: "openid_connect",
    label: "Keystead",
    args: {
      name: "openid_connect",
      scope: ["openid", "profile", "email"],
      response_type: "code",
      issuer: "{issuer}",
      discovery: true,
      client_auth_method: "basic",
      uid_field: "sub",
      pkce: true,
      client_options: {
        identifier: "{client_id}",
        secret: "{client_secret}",
        redirect_uri: "https://{host}/users/auth/openid_connect/callback"
      }
    }
  }
]
`}],note:`Run gitlab-ctl reconfigure afterwards. The sign-out of GitLab ends its own session only.`},{name:`grafana`,program:`Grafana`,source:`https://grafana.com/docs/grafana/latest/setup-grafana/configure-access/configure-authentication/generic-oauth/`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/login/generic_oauth`],postLogoutRedirectUris:[`https://{host}/login`],scopes:[`openid`,`profile`,`email`,`groups`,`offline_access`]},settings:[{where:`grafana.ini`,text:`[server]
root_url = https://{host}/

[auth]
signout_redirect_url = {issuer}/oauth/logout?client_id={client_id}&post_logout_redirect_uri=https://{host}/login

[auth.generic_oauth]
enabled = true
name = Keystead
client_id = {client_id}
client_secret = {client_secret}
scopes = openid profile email groups offline_access
auth_url = {issuer}/oauth/authorize
token_url = {issuer}/oauth/token
api_url = {issuer}/oauth/userinfo
use_pkce = true
use_refresh_token = true
login_attribute_path = preferred_username
role_attribute_path = contains(groups[*], 'grafana-admins') && 'Admin' || 'Viewer'
`}],note:`Members of the group grafana-admins of Keystead administer Grafana.`},{name:`headscale`,program:`Headscale`,source:`https://headscale.net/stable/ref/oidc/`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/oidc/callback`],scopes:[`openid`,`profile`,`email`,`groups`]},settings:[{where:`config.yaml`,text:`oidc:
  only_start_if_oidc_is_available: true
  issuer: "{issuer}"
  client_id: "{client_id}"
  client_secret: "{client_secret}"
  scope: ["openid", "profile", "email", "groups"]
  email_verified_required: false
  pkce:
    enabled: true
    method: S256
`}],note:`Headscale 0.27 and newer refuse users whose address is not claimed as verified, unless email_verified_required is false.`},{name:`immich`,program:`Immich`,source:`https://docs.immich.app/administration/oauth/`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/auth/login`,`https://{host}/user-settings`,`https://{host}/api/oauth/mobile-redirect`],scopes:[`openid`,`profile`,`email`]},settings:[{where:`Administration, Settings, OAuth; or the configuration file`,text:`{
  "oauth": {
    "enabled": true,
    "autoRegister": true,
    "buttonText": "Sign in with Keystead",
    "issuerUrl": "{issuer}",
    "clientId": "{client_id}",
    "clientSecret": "{client_secret}",
    "scope": "openid profile email",
    "tokenEndpointAuthMethod": "client_secret_post",
    "signingAlgorithm": "RS256",
    "mobileOverrideEnabled": true,
    "mobileRedirectUri": "https://{host}/api/oauth/mobile-redirect"
  }
}
`}],note:`The mobile app comes back by the override, since an application of the kind web has no app.immich: address.`},{name:`jenkins`,program:`Jenkins`,source:`https://github.com/jenkinsci/oic-auth-plugin/blob/master/docs/configuration/README.md`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/securityRealm/finishLogin`],postLogoutRedirectUris:[`https://{host}/OicLogout`],scopes:[`openid`,`profile`,`email`,`groups`]},settings:[{where:`jenkins.yaml`,text:`jenkins:
  securityRealm:
    oic:
      clientId: "{client_id}"
      clientSecret: "{client_secret}"
      serverConfiguration:
        wellKnown:
          wellKnownOpenIDConfigurationUrl: "{issuer}/.well-known/openid-configuration"
          scopesOverride: "openid profile email groups"
      userNameField: "preferred_username"
      fullNameFieldName: "name"
      emailFieldName: "email"
      groupsFieldName: "groups"
      logoutFromOpenidProvider: true
      postLogoutRedirectUrl: "https://{host}/OicLogout"
      properties: ["pkce"]
`}],note:`The plugin is oic-auth (OpenID Connect Authentication); the text is for Configuration as Code.`},{name:`jupyterhub`,program:`JupyterHub`,source:`https://oauthenticator.readthedocs.io/en/latest/tutorials/provider-specific-setup/providers/generic.html`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/hub/oauth_callback`],postLogoutRedirectUris:[`https://{host}/hub/login`],scopes:[`openid`,`profile`,`email`,`groups`,`offline_access`]},settings:[{where:`jupyterhub_config.py`,text:`c.JupyterHub.authenticator_class = "generic-oauth"
c.GenericOAuthenticator.login_service = "Keystead"
c.GenericOAuthenticator.client_id = "{client_id}"
c.GenericOAuthenticator.client_secret = "{client_secret}"
c.GenericOAuthenticator.oauth_callback_url = "https://{host}/hub/oauth_callback"
c.GenericOAuthenticator.authorize_url = "{issuer}/oauth/authorize"
c.GenericOAuthenticator.token_url = "{issuer}/oauth/token"
c.GenericOAuthenticator.userdata_url = "{issuer}/oauth/userinfo"
c.GenericOAuthenticator.logout_redirect_url = (
    "{issuer}/oauth/logout?client_id={client_id}"
    "&post_logout_redirect_uri=https://{host}/hub/login"
)
c.GenericOAuthenticator.scope = ["openid", "profile", "email", "groups", "offline_access"]
c.GenericOAuthenticator.username_claim = "preferred_username"
c.GenericOAuthenticator.allow_all = True
c.GenericOAuthenticator.manage_groups = True
c.GenericOAuthenticator.auth_state_groups_key = "oauth_user.groups"
c.GenericOAuthenticator.admin_groups = {"admins"}
c.GenericOAuthenticator.enable_auth_state = True  # needs JUPYTERHUB_CRYPT_KEY
`}],note:`Everybody whom the application admits gets a server; members of the group admins administer the hub.`},{name:`kafka`,program:`Kafka, OAUTHBEARER`,source:`https://kafka.apache.org/documentation/#security_sasl_oauthbearer_clientcredentials`,application:{kind:`APPLICATION_KIND_SERVICE`,scopes:[`kafka`]},settings:[{where:`client.properties`,text:`security.protocol=SASL_SSL
sasl.mechanism=OAUTHBEARER
sasl.oauthbearer.token.endpoint.url={issuer}/oauth/token
sasl.login.callback.handler.class=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler
sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required \\
  clientId="{client_id}" clientSecret="{client_secret}" scope="kafka";
`},{where:`server.properties`,text:`sasl.enabled.mechanisms=OAUTHBEARER
listener.name.sasl_ssl.oauthbearer.sasl.server.callback.handler.class=org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler
listener.name.sasl_ssl.oauthbearer.sasl.oauthbearer.jwks.endpoint.url={issuer}/.well-known/jwks.json
listener.name.sasl_ssl.oauthbearer.sasl.oauthbearer.expected.issuer={issuer}
listener.name.sasl_ssl.oauthbearer.sasl.oauthbearer.expected.audience={client_id}
listener.name.sasl_ssl.oauthbearer.sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;
`}],note:`The JVMs of brokers and clients need the system property -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={issuer}/oauth/token,{issuer}/.well-known/jwks.json. Kafka knows the principal by the claim sub, which is the client ID.`},{name:`kubernetes`,program:`Kubernetes, kubelogin`,source:`https://github.com/int128/kubelogin/blob/master/docs/usage.md`,application:{kind:`APPLICATION_KIND_NATIVE`,redirectUris:[`http://localhost:8000`],scopes:[`openid`,`profile`,`email`,`groups`,`offline_access`]},settings:[{where:`AuthenticationConfiguration of the API server`,text:`apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
  - issuer:
      url: {issuer}
      audiences: ["{client_id}"]
    claimMappings:
      username: { claim: sub, prefix: "keystead:" }
      groups: { claim: groups, prefix: "keystead:" }
`},{where:`~/.kube/config`,text:`users:
  - name: keystead
    user:
      exec:
        apiVersion: client.authentication.k8s.io/v1
        command: kubectl
        args:
          - oidc-login
          - get-token
          - --oidc-issuer-url={issuer}
          - --oidc-client-id={client_id}
          - --oidc-extra-scope=profile
          - --oidc-extra-scope=groups
          - --oidc-extra-scope=offline_access
        interactiveMode: IfAvailable
`}],note:`The host is not used: kubelogin listens on the machine of the user. The API server reads user name and groups from ID tokens.`},{name:`minio`,program:`MinIO`,source:`https://min.io/docs/minio/linux/reference/minio-server/settings/iam/openid.html`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/oauth_callback`],scopes:[`openid`,`profile`,`email`,`groups`]},settings:[{where:`The environment of minio server`,text:`MINIO_BROWSER_REDIRECT_URL=https://{host}
MINIO_IDENTITY_OPENID_CONFIG_URL={issuer}/.well-known/openid-configuration
MINIO_IDENTITY_OPENID_CLIENT_ID={client_id}
MINIO_IDENTITY_OPENID_CLIENT_SECRET={client_secret}
MINIO_IDENTITY_OPENID_SCOPES=openid,profile,email,groups
MINIO_IDENTITY_OPENID_CLAIM_NAME=groups
MINIO_IDENTITY_OPENID_REDIRECT_URI=https://{host}/oauth_callback
MINIO_IDENTITY_OPENID_DISPLAY_NAME=Keystead
`}],note:`MinIO reads the claim from the ID token: users get the policies with the names of their groups. The host is that of the console.`},{name:`nextauth`,program:`NextAuth`,source:`https://next-auth.js.org/configuration/providers/oauth`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/api/auth/callback/keystead`],scopes:[`openid`,`profile`,`email`]},settings:[{where:`pages/api/auth/[...nextauth].js`,text:`import NextAuth from "next-auth";

export default NextAuth({
  providers: [
    {
      id: "keystead",
      name: "Keystead",
      type: "oauth",
      wellKnown: "{issuer}/.well-known/openid-configuration",
      clientId: process.env.KEYSTEAD_CLIENT_ID,
      clientSecret: process.env.KEYSTEAD_CLIENT_SECRET,
      authorization: { params: { scope: "openid profile email" } },
      idToken: true,
      checks: ["pkce", "state"],
      profile: ({ sub, name, preferred_username, email }) => ({ id: sub, name: name ?? preferred_username, email }),
    },
  ],
});
`},{where:`.env.local`,text:`NEXTAUTH_URL=https://{host}
NEXTAUTH_SECRET=a random text of your own, which signs the cookies of NextAuth
KEYSTEAD_CLIENT_ID={client_id}
KEYSTEAD_CLIENT_SECRET={client_secret}
`}],note:`The settings are those of next-auth 4. Its sign-out ends its own session only.`},{name:`nextcloud`,program:`Nextcloud`,source:`https://github.com/nextcloud/user_oidc`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/apps/user_oidc/code`,`https://{host}/index.php/apps/user_oidc/code`],postLogoutRedirectUris:[`https://{host}/`,`https://{host}/index.php/`],backchannelLogoutUri:`https://{host}/index.php/apps/user_oidc/backchannel-logout/keystead`,scopes:[`openid`,`profile`,`email`,`groups`]},settings:[{where:`A shell on the server of Nextcloud`,text:`php occ app:install user_oidc
php occ user_oidc:provider keystead --clientid="{client_id}" --clientsecret="{client_secret}" \\
  --discoveryuri={issuer}/.well-known/openid-configuration --scope="openid profile email groups" \\
  --unique-uid=0 --mapping-uid=sub --mapping-display-name=name --mapping-email=email \\
  --group-provisioning=1 --mapping-groups=groups
`}],note:`The app is user_oidc. The name of the provider, keystead, is a part of the address of the back-channel logout.`},{name:`node-red`,program:`Node-RED`,source:`https://nodered.org/docs/user-guide/runtime/securing-node-red#oauthopenid-based-authentication`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/auth/strategy/callback`],scopes:[`openid`,`profile`,`email`]},settings:[{where:`settings.js`,text:`module.exports.adminAuth = {
  type: "strategy",
  strategy: {
    name: "openidconnect",
    label: "Sign in with Keystead",
    icon: "fa-key",
    strategy: require("passport-openidconnect").Strategy,
    options: {
      issuer: "{issuer}",
      authorizationURL: "{issuer}/oauth/authorize",
      tokenURL: "{issuer}/oauth/token",
      userInfoURL: "{issuer}/oauth/userinfo",
      clientID: "{client_id}",
      clientSecret: "{client_secret}",
      callbackURL: "https://{host}/auth/strategy/callback",
      scope: ["profile", "email"],
      nonce: true,
      verify: (issuer, profile, done) => done(null, profile),
    },
  },
  users: async (username) => ({ username, permissions: "*" }),
};
`}],note:`Install passport-openidconnect beside settings.js: npm install passport-openidconnect. Everybody whom the application admits can change flows, so limit it to a group. The sign-out of Node-RED ends its own session only.`},{name:`openid-client`,program:`Node.js, openid-client`,source:`https://github.com/panva/openid-client`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/callback`],postLogoutRedirectUris:[`https://{host}/`],scopes:[`openid`,`profile`,`email`]},settings:[{where:`A module of the program`,text:`import * as client from "openid-client";

export const config = await client.discovery(new URL("{issuer}"), "{client_id}", process.env.CLIENT_SECRET);

/** The address that starts a sign-in; keep the checks in the session until the user is back. */
export async function begin() {
  const checks = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: client.randomState() };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: "https://{host}/callback",
    scope: "openid profile email",
    state: checks.expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  return { url, checks };
}
`},{where:`The environment of the program`,text:`CLIENT_SECRET={client_secret}
`}],note:`docs/applications.md has a whole program.`},{name:`oauth2-proxy`,program:`oauth2-proxy`,source:`https://oauth2-proxy.github.io/oauth2-proxy/configuration/overview`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/oauth2/callback`],scopes:[`openid`,`profile`,`email`,`groups`,`offline_access`]},settings:[{where:`oauth2-proxy.cfg`,text:`provider = "oidc"
provider_display_name = "Keystead"
oidc_issuer_url = "{issuer}"
client_id = "{client_id}"
client_secret = "{client_secret}"
redirect_url = "https://{host}/oauth2/callback"
scope = "openid profile email groups offline_access"
code_challenge_method = "S256"
email_domains = ["*"]
insecure_oidc_allow_unverified_email = true
cookie_refresh = "4m"
cookie_secret = "0123456789abcdef0123456789abcdef" # 32 random characters of your own
`}],note:`Users without a mail address cannot sign in. Addresses that an administrator has set are not verified; without insecure_oidc_allow_unverified_email, only users with a verified address sign in. The sign-out at /oauth2/sign_out ends its own session only.`},{name:`pgadmin`,program:`pgAdmin`,source:`https://www.pgadmin.org/docs/pgadmin4/latest/oauth2.html`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/oauth2/authorize`],postLogoutRedirectUris:[`https://{host}/`],scopes:[`openid`,`profile`,`email`]},settings:[{where:`config_local.py`,text:`AUTHENTICATION_SOURCES = ["oauth2"]
OAUTH2_AUTO_CREATE_USER = True
OAUTH2_CONFIG = [
    {
        "OAUTH2_NAME": "keystead",
        "OAUTH2_DISPLAY_NAME": "Keystead",
        "OAUTH2_CLIENT_ID": "{client_id}",
        "OAUTH2_CLIENT_SECRET": "{client_secret}",
        "OAUTH2_SERVER_METADATA_URL": "{issuer}/.well-known/openid-configuration",
        "OAUTH2_API_BASE_URL": "{issuer}/oauth/",
        "OAUTH2_USERINFO_ENDPOINT": "userinfo",
        "OAUTH2_SCOPE": "openid profile email",
        "OAUTH2_CHALLENGE_METHOD": "S256",
        "OAUTH2_RESPONSE_TYPE": "code",
        "OAUTH2_LOGOUT_URL": "{issuer}/oauth/logout?id_token_hint={id_token}"
        "&post_logout_redirect_uri={redirect_uri}",
        "OAUTH2_ICON": "fa-key",
        "OAUTH2_BUTTON_COLOR": "#0b5fff",
    }
]
`}],note:``},{name:`spring-boot-resource-server`,program:`Spring Boot, resource server`,source:`https://docs.spring.io/spring-security/reference/servlet/oauth2/resource-server/jwt.html`,application:{kind:`APPLICATION_KIND_RESOURCE`,identifier:`https://{host}`,accessTokenTyp:`ACCESS_TOKEN_TYP_JWT`},settings:[{where:`src/main/resources/application.properties`,text:`spring.security.oauth2.resourceserver.jwt.issuer-uri={issuer}
spring.security.oauth2.resourceserver.jwt.audiences=https://{host}
`}],note:`Spring Security refuses the type at+jwt, so the access tokens of this resource have the type JWT. Its clients name the identifier in the parameter resource.`},{name:`spring-boot`,program:`Spring Boot, sign-in`,source:`https://docs.spring.io/spring-security/reference/servlet/oauth2/login/core.html`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/login/oauth2/code/keystead`],postLogoutRedirectUris:[`https://{host}/`],backchannelLogoutUri:`https://{host}/logout/connect/back-channel/keystead`,scopes:[`openid`,`profile`,`email`]},settings:[{where:`src/main/resources/application.yaml`,text:`spring:
  security:
    oauth2:
      client:
        registration:
          keystead:
            client-id: "{client_id}"
            client-secret: "{client_secret}"
            scope: openid, profile, email
        provider:
          keystead:
            issuer-uri: {issuer}
            user-name-attribute: preferred_username
`},{where:`src/main/java/com/example/KeysteadSecurity.java`,text:`package com.example;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.web.SecurityFilterChain;

@Configuration
class KeysteadSecurity {
    @Bean
    SecurityFilterChain signIn(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {
        var signOut = new OidcClientInitiatedLogoutSuccessHandler(clients);
        signOut.setPostLogoutRedirectUri("{baseUrl}/");
        return http
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .oauth2Login(Customizer.withDefaults())
                .logout(logout -> logout.logoutSuccessHandler(signOut))
                .oidcLogout(logout -> logout.backChannel(Customizer.withDefaults()))
                .build();
    }
}
`}],note:`The class signs out at Keystead, too, and ends sessions that end at Keystead.`},{name:`streamlit`,program:`Streamlit`,source:`https://docs.streamlit.io/develop/api-reference/user/st.login`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/oauth2callback`],postLogoutRedirectUris:[`https://{host}/oauth2callback`],scopes:[`openid`,`profile`,`email`]},settings:[{where:`.streamlit/secrets.toml`,text:`[auth]
redirect_uri = "https://{host}/oauth2callback"
cookie_secret = "a random text of your own, which signs the cookies of Streamlit"
client_id = "{client_id}"
client_secret = "{client_secret}"
server_metadata_url = "{issuer}/.well-known/openid-configuration"
client_kwargs = { scope = "openid profile email", code_challenge_method = "S256" }
`}],note:`The program calls st.login() and st.logout(). The sign-out ends the session at Keystead, too.`},{name:`synapse`,program:`Synapse`,source:`https://element-hq.github.io/synapse/latest/openid.html`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/_synapse/client/oidc/callback`],backchannelLogoutUri:`https://{host}/_synapse/client/oidc/backchannel_logout`,scopes:[`openid`,`profile`,`email`]},settings:[{where:`homeserver.yaml`,text:`oidc_providers:
  - idp_id: keystead
    idp_name: Keystead
    issuer: "{issuer}"
    client_id: "{client_id}"
    client_secret: "{client_secret}"
    scopes: ["openid", "profile", "email"]
    backchannel_logout_enabled: true
    user_mapping_provider:
      config:
        localpart_template: "{{ user.preferred_username }}"
        display_name_template: "{{ user.name }}"
        email_template: "{{ user.email }}"
`}],note:`Synapse reads the claims of the ID token, and asks userinfo only if user_profile_method says so.`},{name:`vault`,program:`Vault`,source:`https://developer.hashicorp.com/vault/docs/auth/jwt`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/ui/vault/auth/oidc/oidc/callback`,`http://localhost:8250/oidc/callback`],scopes:[`openid`,`profile`,`email`,`groups`]},settings:[{where:`A shell with the token of an administrator of Vault`,text:`vault auth enable oidc
vault write auth/oidc/config oidc_discovery_url="{issuer}" \\
  oidc_client_id="{client_id}" oidc_client_secret="{client_secret}" default_role="keystead"
vault write auth/oidc/role/keystead role_type="oidc" user_claim="sub" groups_claim="groups" \\
  oidc_scopes="profile,email,groups" token_policies="default" \\
  allowed_redirect_uris="https://{host}/ui/vault/auth/oidc/oidc/callback" \\
  allowed_redirect_uris="http://localhost:8250/oidc/callback"
`}],note:"The address on localhost is that of `vault login -method=oidc`. OpenBao takes the same settings."},{name:`vaultwarden`,program:`Vaultwarden`,source:`https://github.com/dani-garcia/vaultwarden/blob/main/.env.template`,application:{kind:`APPLICATION_KIND_WEB`,redirectUris:[`https://{host}/identity/connect/oidc-signin`],scopes:[`openid`,`profile`,`email`,`offline_access`],accessTokenLifetimeSeconds:600},settings:[{where:`.env`,text:`DOMAIN=https://{host}
SSO_ENABLED=true
SSO_AUTHORITY={issuer}
SSO_CLIENT_ID={client_id}
SSO_CLIENT_SECRET={client_secret}
SSO_SCOPES="email profile offline_access"
SSO_PKCE=true
SSO_SIGNUPS_MATCH_EMAIL=false
SSO_ALLOW_UNKNOWN_EMAIL_VERIFICATION=true
`}],note:`Vaultwarden still asks for its master password. Keystead does not claim that addresses are verified, so users are not matched by address.`}];export{e as RECIPES};