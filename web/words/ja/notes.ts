/** The texts of presets and recipes in Japanese. `{issuer}` stands for the issuer. */

import type { Notes } from "../types";

export const notes: Notes = {
  "preset.auth0": "ホストは、example.eu.auth0.com などのテナントのドメインか、独自のドメインです。",
  "preset.authelia":
    "Authelia では、設定ファイルにシークレットのハッシュとともにクライアントを登録する必要があります。",
  "preset.authentik":
    "authentik は、scope mapping を使わない限り、どのアドレスも確認済みと表明しません。プロバイダーに署名鍵を設定してください。設定しない場合はシークレットで署名され、受け付けられません。",
  "preset.cognito": "アプリクライアントで、スコープ openid、profile、email と認可コードグラントを許可してください。",
  "preset.gitlab": "アプリケーションでスコープ openid、profile、email を許可してください。",
  "preset.gitlab-self-managed": "アプリケーションでスコープ openid、profile、email を許可してください。",
  "preset.google":
    "新しいユーザーの Google 組織（hd）を制限してください。会社を辞めた人が、その会社の古いアドレスの Google アカウントを持っている場合があります。",
  "preset.keycloak":
    "Client authentication と Standard flow を有効にしてください。17 より前のリリースでは、/realms の前に /auth が付きます。",
  "preset.keystead":
    "そちらで、このプロバイダーのリダイレクト URI を指定して、種類が WEB のアプリケーションを追加してください。",
  "preset.microsoft":
    "ID で指定する 1 つのテナントです。`common` または `organizations` では、どのテナントも任意のユーザーを名乗れるため、SetOIDCConfig はこれらの発行者と `consumers` の発行者を拒否します。個人アカウントのテナントは 9188040d-6c67-4c5b-b112-36a304b66dad です。アプリケーションの ID トークンにクレーム `auth_time` を追加してください（Token configuration、Add optional claim）。Entra はこのクレームを対応済みとしているため、ない場合はどのサインインも最近のものと見なされません。",
  "preset.okta": "ホストは example.okta.com などの組織のホストで、その認可サーバーに問い合わせます。",
  "preset.onelogin":
    "OneLogin は、どのアドレスも確認済みと表明しません。アプリのトークンエンドポイントを Basic に設定してください。",
  "preset.zitadel": "ホストは example.zitadel.cloud などのインスタンスのホストです。",
  "kind.gitlab-self-managed": "セルフマネージド",
  "kind.keystead": "別のインスタンス",
  "kind.microsoft": "Entra ID",
  "unsupported.apple": "クライアントシークレットが、期限切れになる JWT です。",
  "unsupported.github": "OpenID プロバイダーではなく、ID トークンを発行しません。",
  "recipe.apache":
    "keystead.conf を Apache の設定に含めてください。リダイレクト URI と同じパスのファイルがサイトにあってはなりません。Apache の背後のプログラムは、OIDC_CLAIM_sub などの環境変数でクレームを受け取ります。/callback?logout=https%3A%2F%2F にホストを続けたリンクでサインアウトでき、Keystead からもサインアウトします。",
  "recipe.argo-cd":
    "シークレットは、Secret argocd-secret のキー oidc.keystead.clientSecret に入れます。Keystead のグループ argocd-admins のメンバーはロール admin を受け取ります。",
  "recipe.django-allauth": "django-allauth のサインアウトで終了するのは、django-allauth のセッションだけです。",
  "recipe.envoy":
    "Envoy は呼び出し元のアクセストークンを検証します。サインインは行いません。クライアントはパラメーター resource で識別子を指定します。クラスター keystead のアドレスは Keystead のものです。",
  "recipe.flask-appbuilder":
    "Superset では、ファイルは superset_config.py、最後の設定は CUSTOM_SECURITY_MANAGER = KeysteadSecurity、基底クラスは SupersetSecurityManager です。FAB プロバイダーを使う Airflow では、webserver_config.py と SECURITY_MANAGER_CLASS = KeysteadSecurity で、基底クラスは FabAirflowSecurityManagerOverride です。",
  "recipe.gitea": "認証ソースの名前はリダイレクト URI の一部です。",
  "recipe.gitlab":
    "その後、gitlab-ctl reconfigure を実行してください。GitLab のサインアウトで終了するのは、GitLab のセッションだけです。",
  "recipe.grafana": "Keystead のグループ grafana-admins のメンバーが Grafana を管理します。",
  "recipe.headscale":
    "Headscale 0.27 以降は、email_verified_required が false でない限り、アドレスが確認済みと表明されていないユーザーを拒否します。",
  "recipe.immich":
    "種類が Web のアプリケーションは app.immich: のアドレスを持てないため、モバイルアプリは override で戻ります。",
  "recipe.jenkins":
    "プラグインは oic-auth（OpenID Connect Authentication）です。テキストは Configuration as Code 用です。",
  "recipe.jupyterhub":
    "アプリケーションで許可されている全員がサーバーを使用できます。グループ admins のメンバーがハブを管理します。",
  "recipe.kafka":
    "ブローカーとクライアントの JVM には、システムプロパティ -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={issuer}/oauth/token,{issuer}/.well-known/jwks.json が必要です。Kafka はクレーム sub（クライアント ID）でプリンシパルを識別します。",
  "recipe.kubernetes":
    "ホストは使用しません。kubelogin はユーザーのコンピューターで待ち受けます。API サーバーは ID トークンからユーザー名とグループを読み取ります。",
  "recipe.minio":
    "MinIO は ID トークンからクレームを読み取ります。ユーザーは、所属するグループと同じ名前のポリシーを受け取ります。ホストはコンソールのホストです。",
  "recipe.mozilla-django-oidc":
    "Django のユーザーはメールアドレスで照合されるため、Keystead の各ユーザーにメールアドレスが必要です。",
  "recipe.nextauth": "設定は next-auth 4 のものです。サインアウトで終了するのは、next-auth のセッションだけです。",
  "recipe.nextcloud":
    "アプリは user_oidc です。プロバイダーの名前 keystead は、バックチャネルログアウトのアドレスの一部です。",
  "recipe.node-red":
    "settings.js と同じ場所に passport-openidconnect をインストールしてください: npm install passport-openidconnect。アプリケーションで許可されている全員がフローを変更できるため、グループに限定してください。Node-RED のサインアウトで終了するのは、Node-RED のセッションだけです。",
  "recipe.oauth2-proxy":
    "メールアドレスのないユーザーはサインインできません。管理者が設定したアドレスは確認済みではありません。insecure_oidc_allow_unverified_email がない場合、確認済みのアドレスを持つユーザーだけがサインインできます。/oauth2/sign_out のサインアウトで終了するのは、oauth2-proxy のセッションだけです。",
  "recipe.openid-client": "完全なプログラムは docs/applications.md にあります。",
  "recipe.social-auth-app-django": "Django のサインアウトで終了するのは、Django のセッションだけです。",
  "recipe.spring-boot": "このクラスは Keystead からもサインアウトし、Keystead で終了したセッションを終了します。",
  "recipe.spring-boot-resource-server":
    "Spring Security はタイプ at+jwt を拒否するため、このリソースのアクセストークンのタイプは JWT です。クライアントはパラメーター resource で識別子を指定します。",
  "recipe.streamlit":
    "プログラムは st.login() と st.logout() を呼び出します。サインアウトすると、Keystead のセッションも終了します。",
  "recipe.synapse":
    "Synapse は ID トークンのクレームを読み取り、user_profile_method で指定した場合だけ userinfo に問い合わせます。",
  "recipe.vault": "localhost のアドレスは `vault login -method=oidc` のものです。OpenBao でも同じ設定を使用できます。",
  "recipe.vaultwarden":
    "Vaultwarden は引き続きマスターパスワードを求めます。Keystead はアドレスを確認済みと表明しないため、ユーザーはアドレスで照合されません。",
  "where.argo-cd.0": "ConfigMap argocd-cm",
  "where.argo-cd.1": "Secret argocd-secret",
  "where.argo-cd.2": "ConfigMap argocd-rbac-cm",
  "where.envoy.0": "envoy.yaml の http_filters",
  "where.gitea.0": "Gitea のサーバーのシェル",
  "where.immich.0": "Administration、Settings、OAuth、または設定ファイル",
  "where.kubernetes.0": "API サーバーの AuthenticationConfiguration",
  "where.minio.0": "minio server の環境",
  "where.nextcloud.0": "Nextcloud のサーバーのシェル",
  "where.openid-client.0": "プログラムのモジュール",
  "where.openid-client.1": "プログラムの環境",
  "where.vault.0": "Vault の管理者のトークンを持つシェル",
};
