/** The texts of presets and recipes in Brazilian Portuguese. `{issuer}` stands for the issuer. */

import type { Notes } from "../types";

export const notes: Notes = {
  "preset.auth0": "O host é o domínio do locatário, como example.eu.auth0.com, ou o seu próprio.",
  "preset.authelia": "O Authelia precisa do cliente no arquivo de configuração dele, com o hash do segredo.",
  "preset.authentik":
    "O authentik não declara nenhum endereço como verificado, a menos que um scope mapping faça isso. Dê ao provedor uma chave de assinatura: sem ela, ele assina com o segredo, o que não é aceito.",
  "preset.cognito":
    "Permita para o cliente do app os escopos openid, profile e email e a concessão por código de autorização.",
  "preset.gitlab": "Permita para o aplicativo os escopos openid, profile e email.",
  "preset.gitlab-self-managed": "Permita para o aplicativo os escopos openid, profile e email.",
  "preset.google":
    "Limite as organizações do Google (hd) das pessoas novas: quem saiu de uma empresa pode ter uma conta do Google com o endereço antigo dela.",
  "preset.keycloak":
    "Ative Client authentication e Standard flow. As versões anteriores à 17 têm /auth antes de /realms.",
  "preset.keystead": "Adicione lá um aplicativo do tipo WEB, com a URI de redirecionamento deste provedor.",
  "preset.microsoft":
    "Um só locatário, pelo ID dele. Com `common` ou `organizations`, qualquer locatário poderia indicar qualquer usuário: SetOIDCConfig recusa esses emissores e o de `consumers`. O locatário das contas pessoais é 9188040d-6c67-4c5b-b112-36a304b66dad. Adicione a claim `auth_time` ao token de ID do aplicativo (Token configuration, Add optional claim): o Entra lista essa claim, então sem ela nenhum login conta como recente.",
  "preset.okta": "O host é o da organização, como example.okta.com, cujo servidor de autorização é consultado.",
  "preset.onelogin":
    "O OneLogin não declara nenhum endereço como verificado. Configure o endpoint de tokens do app como Basic.",
  "preset.zitadel": "O host é o da instância, como example.zitadel.cloud.",
  "kind.gitlab-self-managed": "autogerenciado",
  "kind.keystead": "outra instância",
  "kind.microsoft": "Entra ID",
  "unsupported.apple": "O segredo do cliente é um JWT que expira.",
  "unsupported.github": "Não é um provedor OpenID: não fornece tokens de ID.",
  "recipe.apache":
    "Inclua keystead.conf na configuração do Apache. Nenhum arquivo do site pode ter a URI de redirecionamento. Os programas atrás do Apache recebem as claims como variáveis de ambiente, como OIDC_CLAIM_sub. Um link para /callback?logout=https%3A%2F%2F e o host faz a saída, também no Keystead.",
  "recipe.argo-cd":
    "O segredo fica no Secret argocd-secret, sob a chave oidc.keystead.clientSecret. Os membros do grupo argocd-admins do Keystead recebem o papel admin.",
  "recipe.django-allauth": "A saída do django-allauth encerra só a sessão dele.",
  "recipe.envoy":
    "O Envoy verifica os tokens de acesso de quem chama; ninguém entra nele. Os clientes indicam o identificador no parâmetro resource. O cluster keystead tem o endereço do Keystead.",
  "recipe.flask-appbuilder":
    "No Superset, o arquivo é superset_config.py e a última configuração é CUSTOM_SECURITY_MANAGER = KeysteadSecurity, da classe base SupersetSecurityManager; no Airflow com o provedor FAB, webserver_config.py e SECURITY_MANAGER_CLASS = KeysteadSecurity, da classe base FabAirflowSecurityManagerOverride.",
  "recipe.gitea": "O nome da fonte de autenticação faz parte da URI de redirecionamento.",
  "recipe.gitlab": "Depois, execute gitlab-ctl reconfigure. A saída do GitLab encerra só a sessão dele.",
  "recipe.grafana": "Os membros do grupo grafana-admins do Keystead administram o Grafana.",
  "recipe.headscale":
    "O Headscale 0.27 e mais recente recusa usuários cujo endereço não é declarado verificado, a menos que email_verified_required seja false.",
  "recipe.immich": "O app móvel volta pelo override, porque um aplicativo do tipo web não tem endereços app.immich:.",
  "recipe.jenkins": "O plugin é oic-auth (OpenID Connect Authentication); o texto é para Configuration as Code.",
  "recipe.jupyterhub":
    "Todas as pessoas que o aplicativo admite recebem um servidor; os membros do grupo admins administram o hub.",
  "recipe.kafka":
    "As JVMs dos brokers e dos clientes precisam da propriedade de sistema -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={issuer}/oauth/token,{issuer}/.well-known/jwks.json. O Kafka conhece o principal pela claim sub, que é o ID do cliente.",
  "recipe.kubernetes":
    "O host não é usado: o kubelogin escuta na máquina do usuário. O servidor de API lê o nome de usuário e os grupos nos tokens de ID.",
  "recipe.minio":
    "O MinIO lê a claim no token de ID: os usuários recebem as políticas com os nomes dos grupos deles. O host é o do console.",
  "recipe.mozilla-django-oidc":
    "Os usuários do Django são encontrados pelo endereço de e-mail, então cada usuário do Keystead precisa de um.",
  "recipe.nextauth": "As configurações são as do next-auth 4. A saída dele encerra só a sessão dele.",
  "recipe.nextcloud":
    "O app é user_oidc. O nome do provedor, keystead, faz parte do endereço do logout por back-channel.",
  "recipe.node-red":
    "Instale passport-openidconnect ao lado de settings.js: npm install passport-openidconnect. Todas as pessoas que o aplicativo admite podem alterar fluxos, então limite-o a um grupo. A saída do Node-RED encerra só a sessão dele.",
  "recipe.oauth2-proxy":
    "Usuários sem endereço de e-mail não podem entrar. Os endereços definidos por um administrador não são verificados; sem insecure_oidc_allow_unverified_email, só entram usuários com endereço verificado. A saída em /oauth2/sign_out encerra só a sessão dele.",
  "recipe.openid-client": "docs/applications.md tem um programa completo.",
  "recipe.social-auth-app-django": "A saída do Django encerra só a sessão dele.",
  "recipe.spring-boot": "A classe faz a saída também no Keystead e encerra as sessões que terminam no Keystead.",
  "recipe.spring-boot-resource-server":
    "O Spring Security recusa o tipo at+jwt, então os tokens de acesso deste recurso têm o tipo JWT. Os clientes dele indicam o identificador no parâmetro resource.",
  "recipe.streamlit": "O programa chama st.login() e st.logout(). A saída encerra também a sessão no Keystead.",
  "recipe.synapse": "O Synapse lê as claims do token de ID e só consulta userinfo se user_profile_method indicar isso.",
  "recipe.vault":
    "O endereço em localhost é o de `vault login -method=oidc`. O OpenBao aceita as mesmas configurações.",
  "recipe.vaultwarden":
    "O Vaultwarden continua pedindo a senha mestra. O Keystead não declara endereços como verificados, então os usuários não são associados pelo endereço.",
  "where.argo-cd.0": "ConfigMap argocd-cm",
  "where.argo-cd.1": "Secret argocd-secret",
  "where.argo-cd.2": "ConfigMap argocd-rbac-cm",
  "where.envoy.0": "http_filters de envoy.yaml",
  "where.gitea.0": "Um shell no servidor do Gitea",
  "where.immich.0": "Administration, Settings, OAuth; ou o arquivo de configuração",
  "where.kubernetes.0": "AuthenticationConfiguration do servidor de API",
  "where.minio.0": "O ambiente de minio server",
  "where.nextcloud.0": "Um shell no servidor do Nextcloud",
  "where.openid-client.0": "Um módulo do programa",
  "where.openid-client.1": "O ambiente do programa",
  "where.vault.0": "Um shell com o token de um administrador do Vault",
};
