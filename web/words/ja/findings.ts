/** The findings of the view of the system in Japanese, by their reasons. `{name}` stands for a value of the finding. */

import type { Findings } from "../types";

export const findings: Findings = {
  "check.readiness": "準備状態",
  "check.settings": "設定",
  "check.relying party": "リライングパーティ",
  "check.link page": "リンクのページ",
  "check.plaintext": "平文の通信",
  "check.trusted proxies": "信頼するプロキシ",
  "check.certificate": "証明書",
  "check.client CA": "クライアント CA",
  "check.extensions of the certificate": "証明書の拡張",
  "check.data directory": "データディレクトリ",
  "check.disk space": "ディスク容量",
  "check.secret files": "シークレットのファイル",
  "check.database": "データベース",
  "check.connections": "接続",
  "check.clock": "時計",
  "check.indexes": "インデックス",
  "check.writes": "書き込み",
  "check.Patroni": "Patroni",
  "check.servers": "サーバー",
  "check.ES256 signing keys": "ES256 の署名鍵",
  "check.RS256 signing keys": "RS256 の署名鍵",
  "check.administrator": "管理者",
  "check.mail": "メール",
  "check.pushes": "配信",
  "check.event log": "イベントログ",
  "check.checkpoint file": "チェックポイントのファイル",
  "check.event partitions": "イベントのパーティション",
  "check.mail sender": "メールの差出人",
  READY: "サーバーは呼び出しを受け付けています。",
  SETTINGS_VALID: "すべて有効です。",
  RP_ID_LOCAL:
    "KEYSTEAD_RP_ID は {rp_id} ですが、サーバーは {address} で待ち受けています。パスキーは、このコンピューターのブラウザーでのみ機能します。",
  "RP_ID_LOCAL.remedy": "KEYSTEAD_RP_ID と KEYSTEAD_RP_ORIGINS を、ユーザーに見えるドメインに設定してください。",
  RP_ID: "{rp_id}（{origins}）。",
  LINK_PAGE_PLAINTEXT: "{page} が https で配信されていないため、ブラウザーはそこでパスキーを提供しません。",
  "LINK_PAGE_PLAINTEXT.remedy": "TLS で配信し、KEYSTEAD_PASSKEY_PAGE_URL を設定してください。",
  LINK_PAGE_ELSEWHERE: "登録リンクは {page} を開きますが、Web ポートはこのコンピューターの {here} です。",
  "LINK_PAGE_ELSEWHERE.remedy":
    "KEYSTEAD_RP_ORIGINS の先頭に {here} を指定するか、KEYSTEAD_PASSKEY_PAGE_URL を設定してください。",
  LINK_PAGE_FOREIGN: "{page} が KEYSTEAD_RP_ORIGINS のいずれにもないため、リンクによる登録はすべて拒否されます。",
  "LINK_PAGE_FOREIGN.remedy": "そこに {origin} を追加するか、KEYSTEAD_PASSKEY_PAGE_URL を変更してください。",
  LINK_PAGE: "登録リンクは {page} を開きます。",
  PORTS_TLS: "両方のポートが TLS を使用しています。",
  PORTS_OPEN: "{ports}: ほかのコンピューターから平文でアクセスできるため、トークンが漏れるおそれがあります。",
  "PORTS_OPEN.remedy":
    "KEYSTEAD_TLS_CERTIFICATE_FILE と KEYSTEAD_TLS_KEY_FILE を設定するか、127.0.0.1 で待ち受けるか、TLS を終端するプロキシだけにアクセスを許可してください。",
  PORTS_LOCAL: "両方のポートには、このコンピューターからか、信頼するプロキシ経由でのみアクセスできます。",
  PROXIES_EVERYWHERE:
    "KEYSTEAD_TRUSTED_PROXIES に {networks} があります。Web ポートにアクセスできるすべてのクライアントが、レート制限とログに使われるアドレスを選べます。",
  "PROXIES_EVERYWHERE.remedy": "プロキシのネットワークだけを指定してください。",
  CERTIFICATE_FUTURE: "{file} は {time} UTC から有効になるため、クライアントは拒否します。",
  "CERTIFICATE_FUTURE.remedy": "このコンピューターの時計を確認するか、別の証明書を使用してください。",
  CERTIFICATE_EXPIRED: "{file} は {time} UTC に期限切れになったため、クライアントは拒否します。",
  "CERTIFICATE_EXPIRED.remedy": "更新してください。実行中のサーバーは新しいファイルを取り込みます。",
  CERTIFICATE_EXPIRES: "{file} は {time} UTC に期限切れになります。",
  "CERTIFICATE_EXPIRES.remedy": "更新してください。実行中のサーバーは新しいファイルを取り込みます。",
  CERTIFICATE_VALID: "{file} は {date} まで有効です。",
  CLIENT_CA_EXPIRED:
    "{file} の証明書が {time} UTC に期限切れになったため、この認証局の証明書を持つクライアントは接続できません。",
  "CLIENT_CA_EXPIRED.remedy": "更新してください。実行中のサーバーは新しいファイルを取り込みます。",
  CLIENT_CA_EXPIRES: "{file} の証明書が {time} UTC に期限切れになります。",
  "CLIENT_CA_EXPIRES.remedy": "更新してください。実行中のサーバーは新しいファイルを取り込みます。",
  CLIENT_CA_VALID: "{file} の証明書は {date} まで有効です。",
  EXTENSIONS_MISSING:
    "RFC 5280 では、{file} の {subject} に {extension} が必要です。ない場合、Python 3.13 などの厳格なクライアントは証明書を拒否します。",
  "EXTENSIONS_MISSING.remedy": "docs/operating-tls.md のとおりに再発行してください。",
  EXTENSIONS: "{file} には RFC 5280 が求める拡張があります。",
  FOLDER_CLOSED: "このユーザーは {folder} への書き込みも作成もできません。",
  "FOLDER_CLOSED.remedy": "Keystead を所有者として実行するか、KEYSTEAD_DATA_DIR を別のディレクトリに設定してください。",
  FOLDER_MISSING: "{folder} は存在しません。サーバーが作成します。",
  FOLDER_OPEN: "ほかのユーザーが {folder} に書き込めます。",
  "FOLDER_OPEN.remedy": "実行: chmod go-w {folder}",
  FOLDER: "{folder} を変更できるのは所有者だけです。",
  SPACE_TOO_LITTLE:
    "組み込みデータベースの空き容量は {megabytes} MB だけです。書き込みが失敗するか、まもなく失敗します。",
  "SPACE_TOO_LITTLE.remedy":
    "{folder} のディスクの空き容量を増やすか、すべてのサーバーを停止してそのディレクトリを移動し、KEYSTEAD_DATA_DIR を設定してください。",
  SPACE_LITTLE:
    "組み込みデータベースの空き容量は {megabytes} MB だけです。一時的に 1000 MB が必要になることがあります。",
  "SPACE_LITTLE.remedy":
    "{folder} のディスクの空き容量を増やすか、すべてのサーバーを停止してそのディレクトリを移動し、KEYSTEAD_DATA_DIR を設定してください。",
  SPACE: "組み込みデータベースの空き容量は {megabytes} MB です。",
  SECRET_READABLE: "{name} は {path} にあり、すべてのユーザーが読み取れます。",
  "SECRET_READABLE.remedy": "実行: chmod o-r {path}",
  ADMIN_TOKEN_READABLE: "最初の管理者のトークンは {path} にあり、すべてのユーザーが読み取れます。",
  "ADMIN_TOKEN_READABLE.remedy": "実行: chmod o-r {path}",
  SECRETS_CLOSED: "誰でも読み取れるファイルにシークレットはありません。",
  DATABASE_OLD: "PostgreSQL {version} は古すぎます。",
  "DATABASE_OLD.remedy": "{oldest} 以降を使用してください。",
  DATABASE: "PostgreSQL {version}、スキーマはこのリリースのものです。",
  CONNECTIONS_TOO_FEW:
    "ワーカープロセスは {workers} 個です。最大 {wanted} 個の接続を開きますが、PostgreSQL が許可するのは {allowed} 個です。負荷時に呼び出しが失敗します。",
  "CONNECTIONS_TOO_FEW.remedy":
    "KEYSTEAD_DATABASE_POOL_SIZE を小さくするか、max_connections、またはロールかデータベースの接続数の上限を大きくしてください。",
  CONNECTIONS: "使用可能な {allowed} 個のうち最大 {wanted} 個。",
  CLOCK_AHEAD:
    "データベースの時計が、このコンピューターの時計より {seconds} 秒進んでいます。セッション JWT の時刻はデータベースのものであるため、時計がずれているサービスは拒否します。",
  "CLOCK_AHEAD.remedy": "NTP で同期してください。",
  CLOCK_BEHIND:
    "データベースの時計が、このコンピューターの時計より {seconds} 秒遅れています。セッション JWT の時刻はデータベースのものであるため、時計がずれているサービスは拒否します。",
  "CLOCK_BEHIND.remedy": "NTP で同期してください。",
  CLOCK: "データベースの時計は、このコンピューターの時計と一致しています。",
  INDEX_INCOMPLETE: "インデックス {name} は作成が中断されたため不完全で、使用されていません。",
  "INDEX_INCOMPLETE.remedy": "次の SQL で作成し直してください: reindex index concurrently {name}",
  COMMIT_OFF: "synchronous_commit が off です。クラッシュすると、確認済みの書き込みが失われます。",
  "COMMIT_OFF.remedy": "on に設定してください。",
  COMMIT_LOCAL:
    "synchronous_commit が local です。スタンバイを待たないため、フェイルオーバーすると確認済みの書き込みが失われます。",
  "COMMIT_LOCAL.remedy": "on に設定してください。",
  NO_SYNCHRONOUS_STANDBY:
    "KEYSTEAD_DATABASE_URL に複数のホストがありますが、synchronous_standby_names が空です。フェイルオーバーすると確認済みの書き込みが失われます。",
  "NO_SYNCHRONOUS_STANDBY.remedy": "Patroni では synchronous_mode と synchronous_mode_strict を設定してください。",
  WRITES_ON_DISK: "確認済みの書き込みはディスクにあります。",
  WRITES_ON_STANDBY: "確認済みの書き込みは同期スタンバイにあります。",
  PATRONI_OLD:
    "この PostgreSQL の Patroni は 3.2 より古いバージョンです。バージョンは `patronictl version` で確認できます。3.0.2 以前で etcd の API v3 を使う場合、停止していたリーダーがロックを取り戻し、後継のリーダーが確認した書き込みが失われます。",
  "PATRONI_OLD.remedy": "Patroni を 3.2 以降に更新してください。",
  SERVERS_NONE: "実行中のものはありません。",
  SERVERS_WITHOUT_KEY:
    "次のサーバーは、最初の鍵が `keystead rotate-keys` で置き換えられたため、シークレットを保存できません: {servers}。",
  "SERVERS_WITHOUT_KEY.remedy": "現在の鍵で再起動してください。",
  SERVERS_WITH_OTHER_KEYS: "次のサーバーは、この設定の最初の鍵 {key_id} で暗号化していません: {servers}。",
  "SERVERS_WITH_OTHER_KEYS.remedy": "同じ鍵で再起動してください。それまで `keystead rotate-keys` は実行できません。",
  SERVERS: "実行中のサーバー（{number}）: {servers}。",
  SIGNING_KEY_NONE: "JWT に署名する鍵がありません。",
  "SIGNING_KEY_NONE.remedy":
    "サーバーを起動してください。以前のリリースのサーバーが実行されなくなりしだい、鍵を追加します。",
  SIGNING_KEY_FUTURE:
    "期限の来た唯一の鍵が署名を始めるのは {time} UTC で、未来の時刻です。データベースの時計が正しくないか、正しくありませんでした。",
  "SIGNING_KEY_FUTURE.remedy": "NTP で同期してください。",
  SIGNING_KEY_OVERDUE: "次の鍵は {time} UTC から遅れています。",
  "SIGNING_KEY_OVERDUE.remedy":
    "サーバーが実行中であることを確認してログを読むか、次を実行してください: keystead rotate-signing-key",
  SIGNING_KEY_NEXT: "次の鍵は {time} UTC から署名します。",
  SIGNING_KEY: "次の鍵は {date} に公開されます。",
  OWNER_NONE: "ロール INSTANCE_OWNER を持つユーザーがいません。",
  "OWNER_NONE.remedy":
    "新しいデータベースの場合は、サーバーを一度起動してください。それ以外の場合は、次を実行してください: keystead user grant USER INSTANCE_OWNER",
  OWNER_WITHOUT_TOKEN: "ロール INSTANCE_OWNER を持つユーザーに、有効なトークンがありません。",
  "OWNER_WITHOUT_TOKEN.remedy": "実行: keystead token create USER",
  OWNERS: "有効なトークンを持つ管理者: {number} 人。",
  MAIL_NOT_CONFIGURED: "SMTP 設定がないため、メールは送信されません。",
  "MAIL_NOT_CONFIGURED.remedy": "追加してください: keystead smtp add",
  MAILS_UNDELIVERED: "1 日以内に失敗したメール: {failed} 件、遅延: {delayed} 件。最後の理由は {reason} です。",
  "MAILS_UNDELIVERED.remedy": "確認: keystead mail list",
  MAILS_NOT_ATTEMPTED: "1 日以内に失敗したメール: {failed} 件、遅延: {delayed} 件。送信はまだ試みられていません。",
  "MAILS_NOT_ATTEMPTED.remedy": "サーバーが実行中であることを確認してください。確認: keystead mail list",
  MAILS: "SMTP 設定があり、遅延しているメールや 1 日以内に失敗したメールはありません。",
  PUSHES_UNDELIVERED:
    "1 日以内に失敗した Webhook とログアウトトークン: {failed} 件、失敗後に再試行中: {tried_again} 件、応答のない送信先: {targets} 件。最後の理由は {reason} です。",
  "PUSHES_UNDELIVERED.remedy": "--org を付けて確認: keystead push deliveries",
  PUSHES_TRIED_AGAIN:
    "1 日以内に失敗した Webhook とログアウトトークン: {failed} 件、失敗後に再試行中: {tried_again} 件、応答のない送信先: {targets} 件。",
  "PUSHES_TRIED_AGAIN.remedy": "--org を付けて確認: keystead push deliveries",
  PUSHES: "1 日以内に失敗した、または再試行中の Webhook やログアウトトークンはありません。",
  EVENTS_UNCOVERED: "{hours} 時間前のイベントが、どのチェックポイントにも含まれていません。",
  "EVENTS_UNCOVERED.remedy":
    "サーバーが実行中であること、ログに housekeeping の失敗がないことを確認するか、次を実行してください: keystead audit checkpoint",
  EVENTS_COVERED:
    "1 時間より古いイベントは、すべてチェックポイントに含まれています。照合するには: keystead audit verify",
  CHECKPOINT_LOST:
    "{path} にあるチェックポイント {number} が、データベースにありません。誰かが削除したか、古いバックアップが復元されました。",
  "CHECKPOINT_LOST.remedy":
    "実行: keystead audit verify。復元した場合は、サーバーを停止して keystead restored を実行してください。その後、ファイルを別の場所に移して保管し、サーバーを起動してください。",
  CHECKPOINT_NOT_IN_FILE: "チェックポイント {number} が {path} にありません。",
  "CHECKPOINT_NOT_IN_FILE.remedy":
    "このコンピューターのサーバーがこの設定で実行中であり、ファイルに書き込めることを確認してください。",
  CHECKPOINT_FILE: "データベースには {path} の最後のチェックポイントがあります。",
  EVENTS_MISPLACED:
    "{date} 以降の {events} 件のイベントに、その月のパーティションがありません。通常どおり読み取れますが、アーカイブできません。",
  "EVENTS_MISPLACED.remedy": "データベースの時計と、ログに housekeeping の失敗がないことを確認してください。",
};
