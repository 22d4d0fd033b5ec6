/** The refusals of the server in Japanese, by their reasons. `{name}` stands for a value of the metadata of the refusal. */

import type { Refusals } from "../types";

export const refusals: Refusals = {
  APPLICATION_GRANT_NOT_FOUND:
    "ユーザーはこのアプリケーションにアクセスを許可していないか、アクセス権はすでに終了しています。一覧を再読み込みしてください。",
  APPLICATION_ID_ALREADY_USED:
    "この環境のアプリケーションがこの ID を使用しているか、以前使用していました。ID は再利用されません。別の ID を選択してください。",
  APPLICATION_NOT_FOUND:
    "この組織にこのアプリケーションはありません。アプリケーションの一覧と、選択している組織を確認してください。",
  APPLICATION_SECRET_NOT_FOUND: "アプリケーションにこのシークレットはもうありません。ページを再読み込みしてください。",
  APPLICATION_WITHOUT_PEOPLE:
    "このアプリケーションはユーザーのクレームを受け取りません。受け取るのは、Web アプリケーション、ブラウザー内のアプリケーション、デバイス上のアプリのみです。",
  APPLICATION_WITHOUT_SECRETS:
    "このアプリケーションはシークレットで認証しません。Web アプリケーションまたはサービスの場合は、シークレットを使う方式を選択するか、アプリケーションの鍵を使用してください。",
  ATTRIBUTE_DEFINITION_ALREADY_EXISTS: "別の名前を選択してください。",
  ATTRIBUTE_DEFINITION_NOT_FOUND: "この属性は削除されています。一覧を再読み込みしてください。",
  BRAND_NOT_FOUND: "ブランドが設定されていません。設定してください。",
  CAPTURED_MAIL_NOT_FOUND: "このメールは捕捉されていないか、メッセージがもう保存されていません。",
  CAPTURED_MAIL_UNREADABLE: "メッセージを復号できません。このデータベースを使うすべてのサーバーに、同じ鍵が必要です。",
  CANNOT_LOCK_YOURSELF: "自分自身をロックすることはできません。別の管理者に依頼してください。",
  CERTIFICATE_ALREADY_ADDED:
    "この証明書はすでに別のトークンに属しています。先にそのトークンを取り消すか、別の証明書を発行してもらってください。",
  CERTIFICATE_NOT_PRESENTED:
    "この接続では、証明書の秘密鍵を持っていることを確認できません。インスタンスオーナーに追加を依頼してください。",
  CHALLENGE_EXPIRED: "確認に時間がかかりすぎました。最初からやり直してください。",
  CHALLENGE_USED: "この確認はすでに完了しています。最初からやり直してください。",
  CONCURRENT_CHANGE: "ほかの人が同時に同じものを変更しました。もう一度お試しください。",
  CREDENTIAL_ALREADY_REGISTERED: "このパスキーはすでに登録されています。別のデバイスを使用してください。",
  CREDENTIAL_MALFORMED: "デバイスからの応答が壊れています。もう一度試すか、別のデバイスを使用してください。",
  CREDENTIAL_NOT_VERIFIED: "このパスキーはこの登録のものではありません。最初からやり直してください。",
  DATABASE_UNAVAILABLE: "現在サーバーがデータベースに接続できません。しばらくしてから、もう一度お試しください。",
  DEADLINE_EXCEEDED: "呼び出しが時間内に完了しませんでした。もう一度お試しください。",
  DEFAULT_ORGANIZATION: "これはデフォルトの組織です。削除できません。",
  DELIVERY_ALREADY_SENT: "送信先は配信を受け取りました。対応は不要です。",
  DELIVERY_CANCELLED: "送信先が削除されたため、配信は取り消されました。",
  DELIVERY_NOT_FOUND: "この組織にこの配信はありません。一覧を再読み込みしてください。",
  DNS_UNAVAILABLE:
    "DNS サーバーが応答しませんでした。後でもう一度お試しください。解決しない場合は、ドメインの DNS を確認してください。",
  EMAIL_SET_BY_OTHERS:
    "ユーザーの権限をすべては持たない人が、メールアドレスを設定しました。アドレスを確認し、もう一度保存してください。",
  ENCRYPTION_KEY_REPLACED:
    "鍵が置き換えられたため、このサーバーは秘密の情報を保存できません。運用者が現在の鍵で再起動する必要があります。",
  EVENTS_ARCHIVED: "古いイベントはアーカイブされています。運用者にアーカイブを依頼してください。",
  GROUP_ALREADY_EXISTS: "別の名前を選択してください。",
  GROUP_MEMBER_NOT_FOUND:
    "ユーザーがこのグループのメンバーではないか、この組織にこのグループがありません。一覧を再読み込みしてください。",
  GROUP_NOT_FOUND: "この組織にこのグループはありません。グループの一覧と、選択している組織を確認してください。",
  IDEMPOTENCY_ANSWER_UNREADABLE: "変更は行われましたが、応答を読み取れません。ページを再読み込みしてください。",
  IDEMPOTENCY_KEY_REUSED: "2 つの変更に同じキーが使われました。ページを再読み込みして、もう一度お試しください。",
  IDP_LINK_NOT_FOUND: "ユーザーにこの連携はもうありません。一覧を再読み込みしてください。",
  IDP_NAME_NOT_UNIQUE: "この組織には、この名前の ID プロバイダーが複数あります。プロバイダーの ID を指定してください。",
  IDP_NOT_FOUND: "この組織にこの ID プロバイダーはありません。一覧と、選択している組織を確認してください。",
  INVALID_FIELDS: "エラーが表示されている項目を修正してください。",
  LAST_INSTANCE_OWNER:
    "先に別のユーザーを期限なしのインスタンスオーナーにするか、ロックされているインスタンスオーナーのロックを解除してください。",
  LAST_SECRET: "この Webhook の鍵はこれだけです。先に別の鍵を作成してください。",
  LINK_EXPIRED: "リンクの有効期限が切れています。新しいリンクを作成してください。",
  LINK_REPLACED: "新しいリンクがあるため、このリンクは使えません。最新のリンクを使用してください。",
  LINK_USED: "このリンクではすでにパスキーが登録されています。新しいリンクを作成してください。",
  LOG_RESTORED:
    "データベースがバックアップから復元されたため、この位置までのイベントは失われました。ページを再読み込みしてください。",
  MADE_BY_OTHERS:
    "ロックされているユーザー、またはこのロールの権限を持たないユーザーが、このユーザーの認証情報を持っている可能性があります。認証情報を確認し、ほかの人が作成した認証情報を終了させる方法でロールを付与してください。",
  MAIL_ALREADY_SENT: "メールはすでに送信されています。対応は不要です。",
  MAIL_CANCELLED: "内容が古くなったため、メールは取り消されました。",
  MAIL_CAPTURED:
    "KEYSTEAD_MAIL_CAPTURE が有効なため、このサーバーからメールは送信されません。宛先なしでテストしてください。",
  MAIL_DOMAIN_ALREADY_EXISTS: "このメールドメインはすでに組織に追加されています。一覧で確認してください。",
  MAIL_DOMAIN_NOT_FOUND: "このメールドメインは削除されています。一覧を再読み込みしてください。",
  MAIL_DOMAIN_NOT_PROVEN:
    "値が {record_value} の TXT レコード {record_name} がありません。見つかった値：{found}。ドメインの DNS でレコードを公開してから、もう一度お試しください。DNS サーバーには、古い応答が数時間残ることがあります。",
  MAIL_DOMAIN_PROVEN_ELSEWHERE:
    "このサーバーの別の組織が、このメールドメインの所有権を確認しています。その組織の TXT レコードを DNS から削除し、この名前のレコードが自分のものだけになるようにしてください。",
  MAIL_NOT_FOUND: "このメールはもうありません。一覧を再読み込みしてください。",
  MAIL_TEXT_NOT_FOUND: "このメールには、この言語の独自の文面がありません。一覧を再読み込みしてください。",
  MAIL_SECRET_ERASED: "送信に失敗したときに、メール内のリンクは消去されました。新しいリンクを作成してください。",
  MALFORMED_MESSAGE: "サーバーがメッセージを読み取れません。ページを再読み込みしてください。",
  MESSAGE_TOO_LARGE: "メッセージが大きすぎます。値を短くするか、小さい画像を使用してください。",
  METHOD_NOT_IMPLEMENTED: "このサーバーはこの操作にまだ対応していません。ページを再読み込みしてください。",
  OIDC_CLIENT_SECRET_REQUIRED:
    "保存されているクライアントシークレットは、設定時の発行者とクライアント ID に対してのみ有効です。この変更と一緒に、もう一度シークレットを入力してください。",
  OIDC_CLIENT_SECRET_UNREADABLE:
    "保存されているクライアントシークレットを復号できません。入力し直すか、不足している鍵の復旧を運用者に依頼してください。",
  OIDC_CONFIG_NOT_FOUND: "この ID プロバイダーに OpenID Connect の設定がありません。設定してください。",
  ORGANIZATION_ALREADY_EXISTS: "別の名前を選択してください。",
  ORGANIZATION_HAS_USERS: "この組織にはまだユーザーがいます。先にユーザーを削除してください。",
  ORGANIZATION_NOT_FOUND: "この組織は存在しません。組織の一覧を確認してください。",
  IDENTIFIER_ALREADY_USED: "別の識別子を使用してください。",
  ORIGIN_ALREADY_USED: "そちらのオリジンを削除するか、別のオリジンを使用してください。",
  PASSKEY_NOT_FOUND: "ユーザーにこのパスキーはもうありません。一覧を再読み込みしてください。",
  PASSKEY_UNKNOWN: "サーバーにこのパスキーは登録されていません。別のパスキーを使用してください。",
  PERMISSION_DENIED: "この操作を行う権限がありません。権限のあるロールの付与を、組織の管理者に依頼してください。",
  PROFILE_KEPT: "プロフィールの変更を管理者に依頼してください。",
  PUSH_SECRET_UNREADABLE: "Webhook の鍵の 1 つを復号できません。別の鍵を作成し、この鍵を削除してください。",
  RATE_LIMITED: "短時間の呼び出しが多すぎます。しばらくお待ちください。",
  REAUTHENTICATION_REQUIRED: "この操作には、数分以内のサインインが必要です。パスキーで本人確認をしてください。",
  RECOVERY_NOT_ALLOWED: "ここではメールによる復元は許可されていません。リンクを作成してください。",
  ROLE_OUTLASTS_YOURS: "あなた自身のロールの期限のほうが先です。それより後にならない期限を選んでください。",
  SEQUENCE_UNKNOWN: "ログが以前より短くなっています。データベースが復元されました。ページを再読み込みしてください。",
  SESSION_NOT_FOUND: "このセッションはすでに終了しています。一覧を再読み込みしてください。",
  SHUTTING_DOWN: "このサーバーは終了処理中です。しばらくしてから、もう一度お試しください。",
  SIGNING_KEY_UNAVAILABLE: "サーバーに読み取れる署名鍵がありません。後でもう一度試すか、運用者に連絡してください。",
  SIGN_IN_FAILED: "サインインできませんでした。もう一度試すか、別のパスキーを使用してください。",
  SMTP_CONFIG_ALREADY_EXISTS: "SMTP 設定はすでにあります。ページを再読み込みして、その設定を変更してください。",
  SMTP_CONFIG_MISSING: "先に SMTP 設定を追加してください。",
  SMTP_CONFIG_NOT_FOUND: "SMTP 設定がありません。追加してください。",
  SMTP_OAUTH_BOUND:
    "OAuth の設定は、設定時のメールサーバー、暗号化、メールボックスに対してのみ有効です。変更前に OAuth の設定を削除し、変更後に設定し直してください。",
  SMTP_OAUTH_NOT_FOUND: "メールに OAuth は設定されていません。",
  SMTP_OAUTH_SECRET_REQUIRED:
    "保存されているシークレットは、設定時のトークンエンドポイント、クライアント ID、メールボックスに対してのみ有効です。この変更と一緒に入力し直してください。",
  SMTP_OAUTH_SECRET_UNREADABLE:
    "保存されている OAuth のシークレットを復号できません。入力し直すか、すべてのサーバーに同じ鍵を設定してください（`keystead doctor` で不足している鍵を確認できます）。",
  SMTP_PASSWORD_REQUIRED:
    "保存されているパスワードは、設定時のサーバー、暗号化、ユーザーに対してのみ有効です。この変更と一緒に、もう一度パスワードを入力してください。",
  SMTP_PASSWORD_UNREADABLE:
    "保存されているパスワードを復号できません。入力し直すか、不足している鍵の復旧を運用者に依頼してください。",
  SMTP_USER_REQUIRED: "SMTP 設定にユーザーがないため、パスワードは不要です。両方を一緒に入力してください。",
  STREAM_NOT_READ: "接続が遅すぎました。ページを再読み込みしてください。",
  SUBSCRIPTION_NOT_FOUND: "この組織にこの Webhook はありません。一覧と、選択している組織を確認してください。",
  SUBSCRIPTION_SECRET_NOT_FOUND: "Webhook にこの鍵はもうありません。ページを再読み込みしてください。",
  TOKEN_NOT_FOUND: "ユーザーにこのトークンはもうありません。一覧を再読み込みしてください。",
  TOO_MANY_ATTEMPTS: "このリンクでのパスキー登録の試行回数が上限を超えました。新しいリンクを作成してください。",
  TOO_MANY_ATTRIBUTE_DEFINITIONS: "組織の属性数が上限に達しています。先に 1 つ削除してください。",
  TOO_MANY_CEREMONIES: "このユーザーの完了していない登録が多すぎます。期限が切れるまで 10 分お待ちください。",
  TOO_MANY_IDEMPOTENCY_KEYS: "1 日の変更数が上限を超えました。後でもう一度お試しください。",
  TOO_MANY_MAIL_DOMAINS: "組織のメールドメイン数が上限に達しています。1 つ削除してください。",
  TOO_MANY_MAILS: "このアドレスに送信済みまたは送信待ちのメールが多すぎます。後でもう一度お試しください。",
  TOO_MANY_MAKERS:
    "使用中のパスキーまたはトークンは、多数のほかのユーザーの認証情報を経由して作成されています。自分で作成したものを使用してください。",
  TOO_MANY_MEMBERS: "グループのメンバー数が上限に達しています。メンバーを削除するか、別のグループを追加してください。",
  TOO_MANY_PASSKEYS: "ユーザーのパスキー数が上限に達しています。不要なパスキーを削除してください。",
  TOO_MANY_SECRETS:
    "アプリケーションのシークレット数が上限に達しています。使用していないシークレットを削除してください。",
  TOO_MANY_SUBSCRIPTIONS: "組織の Webhook 数が上限に達しています。1 つ削除してください。",
  TOO_MANY_SUBSCRIPTION_SECRETS: "Webhook の鍵の数が上限に達しています。送信先で使用していない鍵を削除してください。",
  TOO_MANY_TOKENS: "ユーザーのトークン数が上限に達しています。不要なトークンを取り消してください。",
  UNAUTHENTICATED: "セッションが終了しました。もう一度サインインしてください。",
  USER_ALREADY_EXISTS: "別のユーザー名を選択してください。",
  USER_HAS_NO_EMAIL: "メールアドレスを入力するか、リンクを表示して自分で渡してください。",
  USER_LOCKED: "ユーザーはロックされています。先にロックを解除してください。",
  USER_NOT_FOUND: "このユーザーは存在しません。ユーザーの一覧を確認してください。",
  USER_NOT_VERIFIED:
    "デバイスで本人確認が行われませんでした。PIN、指紋、または顔でデバイスのロックを解除してください。",
  WORKLOAD_ISSUER_UNREACHABLE: "現在、発行者の鍵を読み取れません。後でもう一度お試しください。",
  "violation.CONTAINS_LINK":
    "リンク、Web アドレス、メールアドレスを取り除いてください。メールのリンクは 1 つだけです。ピリオドの後には空白を入れてください。",
  "violation.CONTROL_CHARACTERS": "改行と制御文字を取り除いてください。",
  "violation.EMPTY": "値を入力してください。",
  "violation.HTTPS_REQUIRED": "https:// で始まる URL を入力してください。",
  "violation.INVALID_LANGUAGE": "en や pt-BR のような言語タグを入力してください。",
  "violation.INVALID_MAIL_ADDRESS": "name@example.com のようなメールアドレスを入力してください。",
  "violation.INVALID_TIME": "1 年から 9999 年までの日時を入力してください。",
  "violation.INVALID_TIME_ZONE": "Europe/Berlin のようなタイムゾーンを入力してください。",
  "violation.INVISIBLE_CHARACTERS": "見えない文字を取り除いてください。",
  "violation.MISSING_PLACE": "本文に必要な差し込みを追加してください。",
  "violation.NO_VISIBLE_CHARACTER": "見える文字を 1 文字以上入力してください。",
  "violation.OUTER_WHITE_SPACE": "先頭と末尾の空白を取り除いてください。",
  "violation.TIME_PASSED": "未来の日時を指定してください。",
  "violation.TOO_LONG": "{number} 文字以内で入力してください。",
  "violation.TOO_MANY_ENTRIES": "{number} 件以内で入力してください。",
  "violation.TOO_MANY_LINES": "{number} 行以内で入力してください。",
  "violation.TOO_SMALL": "{number} 以上の値を入力してください。",
  "violation.UNKNOWN_PLACE": "波かっこは、上に示した差し込みにだけ使用してください。",
};
