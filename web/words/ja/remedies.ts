/** The remedies of refused requests in Japanese, by their causes. `{name}` stands for a value of the refusal. */

import type { Remedies } from "../types";

export const remedies: Remedies = {
  INVALID_FIELDS:
    "パラメーター {parameter} がないか、形式が正しくないか、長すぎます。プログラムの設定を修正してください。",
  REDIRECT_URI_NOT_REGISTERED:
    "受信した redirect_uri は {value} です。これは誰でも送信できます。アプリケーションのものである場合は、完全に同じ文字列をリダイレクト URI に追加してください。プライベートネットワークの http:// アドレスには allows_http も必要です。",
  POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED:
    "受信した post_logout_redirect_uri は {value} です。これは誰でも送信できます。アプリケーションのものである場合は、完全に同じ文字列をサインアウト後のリダイレクト URI に追加してください。プライベートネットワークの http:// アドレスには allows_http も必要です。",
  KIND_WITHOUT_SIGN_IN:
    "この種類のアプリケーションには誰もサインインできません。種類が WEB、BROWSER、NATIVE のいずれかである別のアプリケーションを追加してください。",
  PKCE_MISSING:
    "プログラムが PKCE を送信していません。プログラムで有効にしてください。できない場合は、pkce を APPLICATION_PKCE_PKCE_OR_NONCE に設定してください。この場合、nonce がコードを保護します。nonce のないプログラムでは APPLICATION_PKCE_NONE に設定してください。この場合、盗まれたコードを保護するのはシークレットだけになります。",
  CODE_CHALLENGE_MISSING: "プログラムが code_challenge を送信していません。プログラムの設定を修正してください。",
  CODE_CHALLENGE_METHOD: "受信した code_challenge_method は「{value}」です。プログラムで S256 を設定してください。",
  CODE_CHALLENGE_MALFORMED: "code_challenge が base64url の SHA-256 ではありません。プログラムを更新してください。",
  NOT_PUSHED:
    "このアプリケーションでは認可リクエストの事前送信（PAR）が必須ですが、プログラムが事前送信していません。プログラムで PAR を有効にするか、必須の設定を解除してください。",
  REQUEST_NOT_SUPPORTED: "プログラムがリクエストオブジェクトを送信しています。プログラムで無効にしてください。",
  REQUEST_URI_NOT_SUPPORTED:
    "プログラムが、このサーバーで発行されていない request_uri を送信しています。プログラムで無効にしてください。",
  AUTHORIZATION_REQUEST_EXPIRED:
    "request_uri が発行から 90 秒を過ぎて使用されたか、別のアプリケーションによって使用されました。もう一度サインインしてください。",
  UNSUPPORTED_RESPONSE_TYPE:
    "受信した response_type は「{value}」です。プログラムで認可コードフロー（code）を設定してください。",
  UNSUPPORTED_RESPONSE_MODE:
    "受信した response_mode は「{value}」です。プログラムで query または form_post を設定してください。",
  PROMPT:
    "受信した prompt は「{value}」です。プログラムで none、login、consent、select_account のいずれかを設定するか、何も設定しないでください。",
  INVALID_SCOPE:
    "受信した scope は「{value}」です。プログラムで要求するスコープを減らすか、必要なスコープをアプリケーションに追加してください。",
  SCOPE_MALFORMED:
    "受信した scope は「{value}」で、スコープに使用できない文字が含まれています。プログラムの設定を修正してください。",
  INVALID_TARGET:
    "受信した resource は「{value}」です。アプリケーションの組織にある種類 RESOURCE のアプリケーション、またはすべての組織向けの RESOURCE の識別子と完全に一致する必要があります。それを追加するか、プログラムを修正してください。トークンリクエストでは、認可に含まれるもののいずれかを指定します。",
  CLAIMS: "パラメーター claims が OpenID Connect の JSON ではありません。プログラムの設定を修正してください。",
  ID_TOKEN_HINT:
    "id_token_hint が別のアプリケーションまたは別のユーザーのものです。プログラムからサインアウトし、もう一度サインインしてください。",
  UNMET_AUTHENTICATION_REQUIREMENTS:
    "プログラムが求めるサインインを、ユーザーが行っていません。ユーザーがパスキーでサインインするか、プログラムの要求を緩めてください。",
  LOGIN_REQUIRED:
    "プログラムがページなし（prompt=none）で要求しましたが、ユーザーはサインインが必要でした。プログラムは続いてページありで要求します。修正は不要です。",
  CONSENT_REQUIRED:
    "プログラムがページなし（prompt=none）で要求しましたが、ユーザーは同意が必要でした。プログラムが続いてページありで要求するか、アプリケーションを自社のものとして設定してください。",
  INTERACTION_REQUIRED:
    "プログラムがページなし（prompt=none）で要求しましたが、ページが必要でした。プログラムは続いてページありで要求します。修正は不要です。",
  ACCESS_DENIED: "ユーザーがキャンセルしました。修正は不要です。",
  APPLICATION_NOT_ALLOWED:
    "ユーザーが、アプリケーションで許可されているグループのいずれにも属していないか、許可されている組織に属していません。ユーザーをグループに追加するか、許可するユーザーを増やしてください。",
  EMAIL_REQUIRED: "アプリケーションにはメールアドレスが必要ですが、ユーザーにありません。ユーザーに追加してください。",
  MESSAGE_TOO_LARGE: "パラメーターが URL には長すぎます。プログラムで state、scope、nonce を短くしてください。",
  INVALID_CLIENT:
    "client_assertion の署名またはクレームが正しくありません。鍵をアプリケーションの鍵と、iss と sub をクライアント ID と比較し、時計も確認してください。",
  SECRET_MISSING:
    "プログラムがシークレットを送信していません。アプリケーションのシークレットをプログラムに入力してください。紛失した場合は新しく作成してください。",
  SECRET_WRONG: "シークレットがアプリケーションのものではありません。新しく作成し、プログラムに入力してください。",
  SECRET_NOT_EXPECTED:
    "プログラムがシークレットを送信していますが、アプリケーションにシークレットはありません。プログラムから削除するか、アプリケーションを種類 WEB で追加し直してください。",
  ASSERTION_MISSING:
    "アプリケーションは private_key_jwt で認証しますが、プログラムがアサーションを送信していません。プログラムで private_key_jwt を設定するか、アプリケーションでシークレットを設定してください。",
  ASSERTION_NOT_EXPECTED:
    "プログラムがアサーションを送信していますが、アプリケーションは private_key_jwt で認証しません。両方に同じ方式を設定してください。",
  ASSERTION_AUDIENCE:
    "アサーションの audience がトークンエンドポイントです。プログラムで発行者を設定するか、このエンドポイントも許可してください。",
  CLIENT_KEYS_UNREACHABLE:
    "アプリケーションの jwks_uri にある鍵を読み取れませんでした。サーバーからこのアドレスを開いて確認してください。リダイレクトなしで https で応答する必要があります。",
  UNAUTHORIZED_CLIENT: "受信した grant_type は「{value}」です。この種類のアプリケーションでは使用できません。",
  UNSUPPORTED_GRANT_TYPE:
    "受信した grant_type は「{value}」ですが、サポートされていません。プログラムで認可コードフローを設定してください。",
  CODE_INVALID:
    "コードが使用済みであるか、1 分で期限切れになったか、redirect_uri または code_verifier が認可のときと異なります。もう一度サインインしてください。繰り返す場合は、プログラムのサーバーのアドレスと時計を確認してください。",
  REFRESH_TOKEN_INVALID:
    "リフレッシュトークンが期限切れであるか、取り消されたか、置き換えられました。ユーザーはもう一度サインインします。",
  SIGN_IN_ENDED:
    "ユーザーのセッションが終了したか、アプリケーションがユーザーを許可しなくなりました。ユーザーはもう一度サインインします。",
  DEVICE_CODE_INVALID: "デバイスコードが不明であるか、使用済みです。デバイスで最初からやり直してください。",
  EXPIRED_TOKEN: "10 分以内にデバイスが承認されませんでした。デバイスで最初からやり直してください。",
  INVALID_SUBJECT_TOKEN:
    "subject_token が、アプリケーションのワークロード発行者のいずれにも合いません。iss、aud、sub、クレームを比較してください。異なるものはログの行に表示されます。",
  WORKLOAD_ISSUER_UNREACHABLE:
    "ワークロード発行者の鍵を読み取れませんでした。サーバーからディスカバリードキュメントを開いて確認してください。",
  LOGOUT_REQUEST_INVALID:
    "id_token_hint がこのサーバーの ID トークンではないか、別のアプリケーションのものです。プログラムは受け取ったものを送信する必要があります。",
  INVALID_TOKEN:
    "アクセストークンが、セッションの終了などにより無効になったか、リソース向けのものです。ユーザーはもう一度サインインします。",
  INSUFFICIENT_SCOPE: "アクセストークンにスコープ openid がありません。プログラムで要求してください。",
  TWO_HOSTS:
    "リクエストに 2 つのホストが含まれています。プロキシがクライアントのホストを送信するように設定してください。",
  SIGN_IN_NEEDED:
    "プログラムまたはスクリプトが、サインインの Cookie なしで要求しました。ユーザーにこれが表示されていなければ、修正は不要です。",
  SIGN_IN_EXPIRED: "サインインに時間がかかりすぎたか、コードが使用済みです。ページをもう一度開いてください。",
  SIGN_IN_REFUSED: "サインインがコードなしで終了しました。サインイン自体の拒否が、この近くに表示されています。",
  ANOTHER_BROWSER:
    "ブラウザーが gate の Cookie を保持しませんでした。プロキシが set-cookie を転送していること、ページが https で配信されていることを確認してください。",
};
