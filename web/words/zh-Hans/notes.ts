/** The texts of presets and recipes in Simplified Chinese. `{issuer}` stands for the issuer. */

import type { Notes } from "../types";

export const notes: Notes = {
  "preset.auth0": "主机是租户的域名，例如 example.eu.auth0.com，或您自己的域名。",
  "preset.authelia": "Authelia 需要在其配置文件中包含该客户端以及密钥的哈希。",
  "preset.authentik":
    "除非使用 scope mapping，authentik 不会声明任何地址已验证。请为提供商设置签名密钥：否则它会使用客户端密钥签名，这不会被接受。",
  "preset.cognito": "请为应用客户端允许权限范围 openid、profile 和 email，以及授权码授权方式。",
  "preset.gitlab": "请为该应用允许权限范围 openid、profile 和 email。",
  "preset.gitlab-self-managed": "请为该应用允许权限范围 openid、profile 和 email。",
  "preset.google": "请限制新人员的 Google 组织 (hd)：已离开公司的人可能拥有使用其旧地址的 Google 帐号。",
  "preset.keycloak": "请开启 Client authentication 和 Standard flow。17 之前的版本在 /realms 前有 /auth。",
  "preset.keystead": "请在那里添加一个类型为 WEB 的应用，并填写此提供商的重定向 URI。",
  "preset.microsoft":
    "通过 ID 指定的单个租户。使用 `common` 或 `organizations` 时，任何租户都可以冒充任何用户：SetOIDCConfig 会拒绝这些颁发者以及 `consumers` 的颁发者。个人帐户的租户是 9188040d-6c67-4c5b-b112-36a304b66dad。请将声明 `auth_time` 添加到应用的 ID 令牌（Token configuration，Add optional claim）：Entra 声明支持它，因此缺少它时，任何登录都不算最近的登录。",
  "preset.okta": "主机是组织的主机，例如 example.okta.com，将向其授权服务器发出请求。",
  "preset.onelogin": "OneLogin 不会声明任何地址已验证。请将应用的令牌端点设为 Basic。",
  "preset.zitadel": "主机是实例的主机，例如 example.zitadel.cloud。",
  "kind.gitlab-self-managed": "自行管理",
  "kind.keystead": "另一个实例",
  "kind.microsoft": "Entra ID",
  "unsupported.apple": "其客户端密钥是会过期的 JWT。",
  "unsupported.github": "它不是 OpenID 提供商：不颁发 ID 令牌。",
  "recipe.apache":
    "请在 Apache 的配置中包含 keystead.conf。网站的任何文件都不能占用重定向 URI。Apache 后面的程序以环境变量的形式获得声明，例如 OIDC_CLAIM_sub。指向 /callback?logout=https%3A%2F%2F 加主机的链接会退出登录，也会退出 Keystead。",
  "recipe.argo-cd":
    "密钥放在 Secret argocd-secret 的键 oidc.keystead.clientSecret 下。Keystead 群组 argocd-admins 的成员获得角色 admin。",
  "recipe.django-allauth": "django-allauth 的退出登录只结束其自己的会话。",
  "recipe.envoy":
    "Envoy 验证调用方的访问令牌；没有人在其中登录。客户端在参数 resource 中指定标识符。集群 keystead 使用 Keystead 的地址。",
  "recipe.flask-appbuilder":
    "在 Superset 中，文件是 superset_config.py，最后一项设置是 CUSTOM_SECURITY_MANAGER = KeysteadSecurity，基类为 SupersetSecurityManager；在使用 FAB 提供程序的 Airflow 中，则是 webserver_config.py 和 SECURITY_MANAGER_CLASS = KeysteadSecurity，基类为 FabAirflowSecurityManagerOverride。",
  "recipe.gitea": "身份验证源的名称是重定向 URI 的一部分。",
  "recipe.gitlab": "之后请运行 gitlab-ctl reconfigure。GitLab 的退出登录只结束其自己的会话。",
  "recipe.grafana": "Keystead 群组 grafana-admins 的成员管理 Grafana。",
  "recipe.headscale":
    "Headscale 0.27 及更高版本会拒绝地址未声明为已验证的用户，除非 email_verified_required 为 false。",
  "recipe.immich": "移动应用通过 override 返回，因为 Web 类型的应用没有 app.immich: 地址。",
  "recipe.jenkins": "插件是 oic-auth (OpenID Connect Authentication)；文本用于 Configuration as Code。",
  "recipe.jupyterhub": "应用允许的所有人都会获得一个服务器；群组 admins 的成员管理 hub。",
  "recipe.kafka":
    "代理节点 (broker) 和客户端的 JVM 需要系统属性 -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={issuer}/oauth/token,{issuer}/.well-known/jwks.json。Kafka 通过声明 sub（即客户端 ID）识别主体。",
  "recipe.kubernetes": "不使用主机：kubelogin 在用户的电脑上监听。API 服务器从 ID 令牌读取用户名和群组。",
  "recipe.minio": "MinIO 从 ID 令牌读取声明：用户获得与其群组同名的策略。主机是其控制台的主机。",
  "recipe.mozilla-django-oidc": "Django 的用户通过邮箱地址查找，因此 Keystead 的每个用户都需要邮箱地址。",
  "recipe.nextauth": "这些设置适用于 next-auth 4。其退出登录只结束其自己的会话。",
  "recipe.nextcloud": "应用是 user_oidc。提供商的名称 keystead 是后端通道退出登录地址的一部分。",
  "recipe.node-red":
    "请在 settings.js 旁安装 passport-openidconnect：npm install passport-openidconnect。应用允许的所有人都可以更改流程，因此请将其限制为一个群组。Node-RED 的退出登录只结束其自己的会话。",
  "recipe.oauth2-proxy":
    "没有邮箱地址的用户无法登录。管理员设置的地址未经验证；没有 insecure_oidc_allow_unverified_email 时，只有地址已验证的用户可以登录。/oauth2/sign_out 的退出登录只结束其自己的会话。",
  "recipe.openid-client": "docs/applications.md 中有完整的程序。",
  "recipe.social-auth-app-django": "Django 的退出登录只结束其自己的会话。",
  "recipe.spring-boot": "该类也会退出 Keystead，并结束在 Keystead 中结束的会话。",
  "recipe.spring-boot-resource-server":
    "Spring Security 拒绝类型 at+jwt，因此此资源的访问令牌类型为 JWT。其客户端在参数 resource 中指定标识符。",
  "recipe.streamlit": "程序调用 st.login() 和 st.logout()。退出登录也会结束 Keystead 的会话。",
  "recipe.synapse": "Synapse 读取 ID 令牌的声明，仅当 user_profile_method 指定时才请求 userinfo。",
  "recipe.vault": "localhost 上的地址用于 `vault login -method=oidc`。OpenBao 使用相同的设置。",
  "recipe.vaultwarden": "Vaultwarden 仍会要求输入其主密码。Keystead 不声明地址已验证，因此不会按地址匹配用户。",
  "where.argo-cd.0": "ConfigMap argocd-cm",
  "where.argo-cd.1": "Secret argocd-secret",
  "where.argo-cd.2": "ConfigMap argocd-rbac-cm",
  "where.envoy.0": "envoy.yaml 的 http_filters",
  "where.gitea.0": "Gitea 服务器上的 shell",
  "where.immich.0": "Administration、Settings、OAuth；或配置文件",
  "where.kubernetes.0": "API 服务器的 AuthenticationConfiguration",
  "where.minio.0": "minio server 的环境",
  "where.nextcloud.0": "Nextcloud 服务器上的 shell",
  "where.openid-client.0": "程序的一个模块",
  "where.openid-client.1": "程序的环境",
  "where.vault.0": "持有 Vault 管理员令牌的 shell",
};
