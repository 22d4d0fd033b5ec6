/** All text of the pages in Japanese. */

import type { Pages } from "../types";

export const pages: Pages = {
  texts: {
    cancel: "キャンセル",
    tryAgain: "再試行",
    licences: "ライセンス",
    support: "メールで問い合わせ",
    unknownTime: "不明",
    "address.open": "{host} でこのページを開く",
    requestId: "リクエスト ID（サポート用）：",

    "name.missing": "名前を入力してください。",
    "name.tooLong": "{most} 文字以内で入力してください。",
    "name.refused": "この名前は使用できません：{violation}",

    "device.iphone": "iPhone",
    "device.ipad": "iPad",
    "device.androidPhone": "Android スマートフォン",
    "device.androidTablet": "Android タブレット",
    "device.chromebook": "Chromebook",
    "device.windows": "Windows パソコン",
    "device.mac": "Mac",
    "device.linux": "Linux パソコン",
    "device.unknown": "マイデバイス",
    "device.browserOn": "{system} の {browser}",

    "add.title": "パスキーを追加",
    "add.name": "このパスキーの名前",
    "add.nameHint": "後で見分けられるように、保存先のデバイス名などを入力してください。",
    "add.create": "パスキーを作成",
    "add.beginning": "準備しています…",
    "add.making": "デバイスの指示に従ってください…",
    "add.saving": "パスキーを保存しています…",
    "add.introduction":
      "パスキーは、デバイス、セキュリティキー、またはパスワードマネージャーに保存されます。保存先は次の画面で選択します。",

    "link.checking": "リンクを確認しています…",
    "link.invitedBy": "{inviter} さんから {organization} に招待されています。",
    "link.invited": "{organization} に招待されています。",
    "link.invitedToUse": "参加すると、{application} を使用できます。",
    "link.purpose": "このパスキーで、{service} のアカウント {account} にサインインできます。",
    "link.accountWithName": "{displayName}（{userName}）",
    "link.advantage":
      "パスキーを使うと、指紋、顔、またはデバイスの PIN でサインインできます。パスワードを覚える必要がなく、盗まれる心配もありません。",
    "link.kept": "別のブラウザーで開くためのリンク",
    "link.reloadedTitle": "リンクをもう一度開いてください",
    "link.reloaded": "ほかの人に見られないように、このページを再読み込みするとリンクの情報は消去されます。",
    "link.reloadedNext":
      "メールからもう一度開いてください。リンクは、パスキーを追加するか有効期限が切れるまで使用できます。",
    "link.otherwise": "代わりにアクセストークンを使用",
    "link.readyTitle": "パスキーの準備ができました",
    "link.ready": "「{name}」をアカウントに追加しました。",
    "link.readySignIn": "サインイン",
    "link.readyContinue": "続行",
    "link.readyReturn": "{host} に進む",
    "link.readyConsole": "コンソールを開く",
    "link.readyAccount": "アカウントを開く",
    "link.readySecond":
      "このデバイスを失くした場合に備えて、2 台目のデバイスにもパスキーを追加してください。サインイン後にアカウントページで追加できます。",
    "link.readyUsed": "開いたリンクは使用済みです。",

    "token.label": "アクセストークン",
    "token.hint": "kst_ で始まります。サインアウトするか、このタブを閉じるまでの間だけ保持されます。",
    "token.show": "パスキーを表示",
    "token.title": "パスキー",
    "token.introduction":
      "パスキーを追加するためのリンクを受け取った場合は、メールから開いてください。登録済みのパスキーを確認するには、アクセストークンを入力してください。",
    "token.malformed": "kst_ で始まるトークンを入力してください。",
    "token.signingIn": "サインインしています…",
    "token.signedInAs": "{name} としてサインイン中",
    "token.signedOut": "サインアウトしました。トークン自体は、有効期限が切れるか取り消されるまで有効です。",
    signOut: "サインアウト",

    "passkeys.label": "パスキー",
    "passkeys.none": "パスキーはまだありません。",
    "passkeys.add": "パスキーを追加",
    "passkeys.added": "「{name}」を追加しました。",
    "passkeys.renamed": "名前を「{name}」に変更しました。",
    "passkeys.removed": "「{name}」を削除しました。",
    "passkeys.missing": "このパスキーはすでに削除されています。",

    "passkey.keptBy": "保管場所",
    "passkey.where": "同期",
    "passkey.oneDevice": "1 台のデバイスのみ",
    "passkey.synced": "デバイス間で同期",
    "passkey.canSync": "1 台のデバイスのみ（同期可能）",
    "passkey.former": "以前のアドレス",
    "passkey.added": "追加日",
    "passkey.lastUsed": "最終使用日",
    "passkey.notUsed": "未使用",
    "passkey.rename": "名前を変更",
    "passkey.renameOne": "{name} の名前を変更",
    "passkey.remove": "削除",
    "passkey.removeOne": "{name} を削除",

    "rename.title": "パスキーの名前を変更",
    "rename.name": "名前",
    "rename.hint": "後で見分けられる名前にしてください。",
    "rename.save": "保存",
    "remove.title": "このパスキーを削除しますか？",
    "remove.consequence":
      "「{name}」ではサインインできなくなります。デバイス側のパスキーは、デバイスでも削除するまで残ることがあります。",
    "remove.lost": "紛失した、または盗まれた",
    "remove.lostHint":
      "このパスキーを使って許可したアプリケーションのアクセス権と、作成したアクセストークンも無効になります。",
    "ends.these": "次のものが終了します：",
    "ends.sessions": "セッション：{count} 件",
    "ends.applications": "アプリケーションのアクセス権：{count} 件",
    "ends.tokens": "アクセストークン：{count} 件",
    "ends.nothing": "終了するセッションやアクセス権はありません。",
    "remove.only":
      "これは唯一のパスキーです。削除するとサインインできなくなる可能性があります。先に別のパスキーを追加してください。",

    "start.title": "ようこそ",
    "start.loading": "お待ちください…",
    "start.introduction": "サインインすると、アカウント、パスキー、サインイン中のデバイスを確認できます。",
    "start.account": "アカウントを開く",

    "signIn.title": "サインイン",
    "signIn.returnToConsole": "サインインするとコンソールが開きます。",
    "signIn.returnTo": "サインインすると {host} に移動します。",
    "signIn.introduction": "指紋、顔、またはデバイスの PIN を使用します。",
    "signIn.account": "アカウントを選択",
    "signIn.accountHint": "ブラウザーの候補からパスキーを選択してください。",
    "signIn.button": "パスキーでサインイン",
    "signIn.preparing": "準備しています…",
    "signIn.asking": "デバイスの指示に従ってください…",
    "signIn.completing": "サインインしています…",
    "signIn.signedOut": "サインアウトしました。",
    "signIn.ended": "セッションが終了しました。続行するには、もう一度サインインしてください。",
    "signIn.help": "サインインできない場合",
    "signIn.helpPhone":
      "パスキーがスマートフォンにある場合は、ボタンを押して別のデバイスを選択し、表示されるコードを読み取ってください。",
    "signIn.helpFirst": "パスキーがまだない場合は、アカウントの案内メールにあるリンクを開いてください。",
    "former.hint": "このサービスが {domain} にあったときに作成したパスキーをお使いですか？",
    "former.button": "{domain} のパスキーを使用",
    "former.title": "{domain} のパスキー",
    "former.lead": "以前のアドレスであるこのページで使用してください。その後すぐに {host} に戻ります。",
    "move.title": "パスキーをもう 1 つ追加",
    "move.lead":
      "お使いのパスキーは、以前のアドレス {former} のものです。使えなくなる可能性があるため、{domain} のパスキーを追加してください。",
    "move.later": "後で",
    "signIn.lost": "パスキーを紛失した場合",
    "discovery.continue": "続行",
    "discovery.looking": "組織を検索しています…",
    "discovery.choose": "サインイン方法を選択してください。",
    "discovery.none":
      "このドメインのアドレスでサインインできる組織は、ここにはありません。パスキーでサインインしてください。",

    "provider.or": "または",
    "provider.more": "その他のプロバイダー",
    "provider.signIn": "{name} でサインイン",
    "provider.link": "{name} と連携",
    "provider.returned": "お待ちください",
    "provider.linking": "連携しています…",
    "provider.toAccount": "アカウントに戻る",
    "provider.linkedAt": "連携日",
    "provider.subject": "連携先での ID",
    "provider.unlink": "連携を解除",
    "provider.unlinkOne": "{name} との連携を解除",
    "provider.unlinkTitle": "このプロバイダーとの連携を解除しますか？",
    "provider.unlinkConsequence":
      "{name} ではサインインできなくなり、{name} を使ったセッションからサインアウトされます。{name} のアカウントは削除されません。",
    "provider.onlyWay":
      "パスキーがありません。解除すると再びサインインできなくなる可能性があります。先にパスキーを追加してください。",
    "provider.unlinked": "{name} との連携を解除しました。",
    "provider.linked": "プロバイダーと連携しました。今後はこのプロバイダーでサインインできます。",

    "links.label": "その他のサインイン方法",
    "links.hint": "連携したプロバイダーでもサインインできます。",
    "links.none": "ほかのサービスのアカウントと連携すると、そのアカウントでサインインできます。",

    "recovery.title": "アカウントの復元",
    "recovery.introduction":
      "組織で許可されている場合は、新しいパスキーを登録するためのリンクがメールで届きます。許可されていない場合は、管理者にリンクを依頼してください。",
    "recovery.off":
      "この組織では、パスキーを紛失したユーザーにメールでリンクを送信していません。新しいパスキーを登録するためのリンクを、管理者または招待した人に依頼してください。",
    "mailForm.address": "メールアドレス",
    "recovery.addressHint": "アカウントに登録されているメールアドレスです。",
    "mailForm.noAddress": "name@example.com のような形式のメールアドレスを入力してください。",
    "mailForm.button": "リンクを送信",
    "mailForm.sending": "送信しています…",
    "signIn.back": "サインインに戻る",
    "mailForm.sent": "メールを確認してください",
    "recovery.ifKnown": "メールで復元できるアカウントにこのアドレスが登録されていれば、まもなくリンクが届きます。",
    "recovery.open": "リンクは 1 回のみ、30 分間有効です。サインインするデバイスで開いてください。",
    "recovery.noMail":
      "数分待ってもメールが届かない場合は、迷惑メールフォルダーに以前のメールがないか確認するか、管理者にリンクを依頼してください。",

    "signUp.title": "アカウントを作成",
    "signUp.introduction": "アカウントを作成するためのリンクがメールで届きます。",
    "signUp.addressHint": "このアドレスにリンクが届きます。",
    "signUp.name": "名前",
    "signUp.nameHint": "ほかの人に表示されます。省略できます。",
    "signUp.sent": "リンクを送信しました。",
    "signUp.open": "リンクは 24 時間有効です。サインインするデバイスで開いてください。",
    "signUp.noMail": "数分待ってもメールが届かない場合は、迷惑メールフォルダーと入力したアドレスを確認してください。",
    "signUp.confirmTitle": "アカウントの作成",
    "signUp.confirmText":
      "メールアドレスを確認しました。アカウントを作成し、サインインに使うパスキーを追加してください。",
    "signUp.confirm": "アカウントを作成",

    "connect.title": "デバイスを接続",
    "connect.introduction": "デバイスに表示されているコードを入力してください。",
    "connect.code": "コード",
    "connect.codeHint": "WDJB-MJHT のような 8 文字の英字です。",
    "connect.noCode": "コードを入力してください。",
    "connect.continue": "続行",
    "connect.finding": "コードを確認しています…",
    "connect.ask": "{name} をアカウントに接続しますか？",
    "connect.account": "{account} としてサインインしています。",
    "connect.isShown": "デバイスに次のコードが表示されていますか？",
    "connect.yes": "はい、同じコードです",
    "connect.no": "いいえ",
    "connect.warning":
      "このコードやこのページのリンクがほかの人から送られてきた場合は、「{no}」を押してください。続行すると、その人があなたのアカウントにアクセスできるようになります。",
    "connect.gets": "デバイスに許可する操作：",
    "connect.allow": "許可",
    "connect.done": "デバイスを接続しました",
    "connect.doneNext": "デバイスで操作を続けてください。このページは閉じてかまいません。",
    "connect.denied": "デバイスの接続を拒否しました",
    "connect.deniedNext": "このページは閉じてかまいません。",

    "account.title": "アカウント",
    "account.console": "コンソール",
    "profile.label": "プロフィール",
    "profile.change": "プロフィールを変更",
    "profile.changed": "プロフィールを変更しました。",
    "profile.displayName": "表示名",
    "profile.givenName": "名",
    "profile.familyName": "姓",
    "profile.locale": "言語",
    "profile.localeHint": "en や pt-BR などの言語タグで入力してください。",
    "profile.zoneinfo": "タイムゾーン",
    "profile.zoneinfoHint": "Europe/London などの名前で入力してください。",
    "profile.picture": "プロフィール画像",
    "profile.pictureHint": "画像の中央部分が使われます。使用するアプリケーションに表示されることがあります。",
    "profile.noPicture": "画像ファイルを選択してください。",
    "profile.removePicture": "現在の画像を削除",
    "profile.email": "メールアドレス",
    "profile.refused": "サーバーで受け付けられませんでした：{violation}",
    "profile.listHint": "1 行に 1 つ入力してください。",
    "profile.noNumber": "数値を入力してください。",
    "profile.unset": "未設定",
    "profile.yes": "はい",
    "profile.no": "いいえ",
    "email.change": "メールアドレスを変更",
    "email.add": "メールアドレスを追加",
    "email.verify": "メールアドレスを確認",
    "email.unverified": "未確認",
    "email.introduction":
      "入力したアドレスにリンクを送信します。リンクを開くまで、何も変更されません。新しいアドレスにする場合は、現在のアドレスにもお知らせが届きます。",
    "email.new": "メールアドレス",
    "email.newHint": "リンクは 24 時間有効です。",
    "email.same": "このメールアドレスはすでに登録され、確認済みです。",
    "email.send": "リンクを送信",
    "email.sent": "{address} にリンクを送信しました。サインイン中のブラウザーで開いてください。",
    "email.pending": "{address} は確認待ちです。{until} までに、メールで届いたリンクを開いてください。",
    "email.cancel": "この変更をキャンセル",
    "email.cancelled": "メールアドレスの変更をキャンセルしました。",
    "email.confirmTitle": "このメールアドレスを使用しますか？",
    "email.confirmText": "{address} がアカウントのメールアドレスになります。",
    "email.confirmAny": "リンクが届いたアドレスが、アカウントのメールアドレスになります。",
    "email.confirm": "このアドレスを使用",
    "email.confirmed": "メールアドレスを確認しました。",
    "account.loading": "アカウントを読み込んでいます…",
    "account.passkeysHint":
      "どのパスキーでもサインインできます。異なるデバイスに 2 つ用意しておくことをおすすめします。",
    "account.noPasskeysHint": "再びサインインできるように、パスキーを追加してください。",
    "account.onlyProvidersHint": "パスキーを追加すると、プロバイダーを使わずにサインインできます。",
    "account.formerHint":
      "{domain} のパスキーを追加してください。以前のアドレスのパスキーは使えなくなる可能性があります。",
    "account.onePasskeyHint": "パスキーは 1 つだけです。紛失に備えて、別のデバイスにもう 1 つ追加してください。",

    "sessions.label": "サインイン中のデバイス",
    "sessions.hint":
      "心当たりのないデバイスがある場合は、サインアウトさせ、自分のものではないパスキーを削除してください。",
    "sessions.unknownDevice": "不明なデバイス",
    "sessions.current": "このデバイス",
    "sessions.signedIn": "サインイン日時",
    "sessions.lastSeen": "最終アクティブ",
    "sessions.address": "IP アドレス",
    "sessions.end": "サインアウト",
    "sessions.endOne": "{name} からサインアウト",
    "sessions.ended": "「{name}」からサインアウトしました。",
    "sessions.gone": "このセッションはすでに終了しています。",
    "sessions.everywhere": "すべてサインアウト",
    "sessions.everywhereTitle": "すべてのデバイスからサインアウトしますか？",
    "sessions.everywhereConsequence":
      "このセッションも含め、すべてのセッションが終了します。パスキーは残り、引き続きサインインに使用できます。アクセストークンと、自分で取り消すまで続くアプリケーションのアクセス権は有効なままです。",
    "sessions.only": "このデバイスでのみサインインしています。",

    "confirm.title": "本人確認",
    "confirm.text": "サインインしてから時間が経っています。続行するには、もう一度パスキーを使用してください。",
    "confirm.button": "パスキーを使用",
    "confirm.provider": "プロバイダーでもう一度サインイン",
    "confirm.providerText": "または、プロバイダーでもう一度サインインしてから、変更をやり直してください。",

    "request.host": "ホスト：{host}",
    "request.named": "アプリケーションが名乗る名前：「{name}」",
    "request.returnsTo": "戻り先：{host}",
    "request.unknownSite":
      "このアプリケーションは、ここでは誰も確認していません。名前はアプリケーション自身が付けたものです。{host} を知っている場合にのみ許可してください。",
    "request.unknownProgram":
      "これはお使いのデバイス上のプログラムです。どのプログラムでも {host} のものだと名乗ることができます。自分で今起動した場合にのみ許可してください。",
    "request.account": "アカウント",
    "request.chooseTitle": "アカウントを選択",
    "request.continue": "続行",
    "request.another": "別のアカウントを使用",
    "request.otherwise": "別の方法でサインイン",
    "request.consentTitle": "アカウントへのアクセスを許可しますか？",
    "request.consent": "許可すると、{name} は次のことができるようになります：",
    "request.allow": "許可",
    "request.again": "{name} がもう一度サインインするよう求めています。",
    "request.passkey": "{name} が、指紋、顔、またはデバイスの PIN で確認するパスキーを求めています。",
    "request.back": "アプリケーションに戻る",
    "request.backTo": "{host} に戻る",
    "request.leaving": "{name} に戻ります。",
    "request.openTitle": "アプリケーションで続行",
    "request.openText": "ブラウザーで {name} を開きます。何も起こらない場合は、ボタンを押してください。",
    "request.open": "アプリケーションを開く",
    "request.goBack": "戻る",
    "request.reason": "アプリケーションの管理者向けの情報：",
    "logout.title": "サインアウトしますか？",
    "logout.text": "{name} がサインアウトを求めています。",
    "logout.textUnnamed": "アプリケーションがサインアウトを求めています。",
    "logout.stay": "サインインしたままにする",
    "request.toAccount": "アカウントを開く",

    "scope.openid": "本人であることの確認",
    "scope.profile": "名前とユーザー名の表示",
    "scope.email": "メールアドレスの表示",
    "scope.groups": "所属するグループの表示",
    "scope.offlineAccess": "不在時のサインイン状態の維持",
    "scope.other": "「{scope}」の使用",
    "access.resource": "アクセス先：{resource}",
    "access.offline": "アクセス権は、アカウントページで取り消すまで続きます。",
    "access.session": "アクセス権は、サインアウトすると終了します。その前にアカウントページで取り消すこともできます。",

    "grants.label": "使用中のアプリケーション",
    "grants.hint": "アカウントへのアクセスを許可したアプリケーションです。",
    "grants.can": "許可した操作",
    "grants.since": "許可日",
    "grants.narrow": "変更",
    "grants.narrowOne": "{name} のアクセス権を変更",
    "grants.narrowTitle": "アクセス権の変更",
    "grants.narrowQuestion": "{name} に許可する操作：",
    "grants.narrowConsequence":
      "選択を外した操作は、数分以内に {name} からできなくなります。{name} がすでに読み取った情報は残り、再び許可を求められることがあります。",
    "grants.narrowSave": "保存",
    "grants.narrowed": "{name} のアクセス権を変更しました。",
    "grants.revoke": "アクセス権を取り消す",
    "grants.revokeOne": "{name} のアクセス権を取り消す",
    "grants.revokeTitle": "アクセス権を取り消しますか？",
    "grants.revokeConsequence":
      "{name} はあなたのアカウントからサインアウトされ、次回のサインイン時に再び許可を求めます。すでに読み取った情報は残ります。",
    "grants.revoked": "{name} のアクセス権を取り消しました。",

    "tokens.label": "アクセストークン",
    "tokens.hint": "トークンを持つプログラムは、あなたとして動作します。心当たりのないトークンは削除してください。",
    "tokens.unnamed": "名前のないトークン",
    "tokens.certificate": "証明書",
    "tokens.created": "作成日",
    "tokens.creator": "作成者",
    "tokens.byYou": "自分",
    "tokens.byOther": "ほかの人",
    "tokens.expires": "有効期限",
    "tokens.unlimited": "削除するまで",
    "tokens.remove": "削除",
    "tokens.removeOne": "トークン {name} を削除",
    "tokens.removeTitle": "このトークンを削除しますか？",
    "tokens.removeConsequence": "「{name}」を使用するプログラムは、すぐにアクセスできなくなります。",
    "tokens.removed": "「{name}」を削除しました。",
  },

  refusals: {
    LINK_EXPIRED: [
      "このリンクは有効期限が切れています",
      "リンクには有効期限があります。送信した人に新しいリンクを依頼してください。",
    ],
    LINK_USED: [
      "このリンクは使用済みです",
      "このリンクでパスキーが追加されました。追加できるパスキーは、リンク 1 つにつき 1 つです。心当たりがない場合は、すぐに管理者に連絡してください。別のパスキーを追加するには、新しいリンクを依頼してください。",
    ],
    LINK_REPLACED: [
      "新しいリンクがあります",
      "このリンクの後に別のリンクが送信されています。使えるのは最新のリンクだけです。最新のリンクを開いてください。",
    ],
    LINK_TRIED_TOO_OFTEN: [
      "このリンクの試行回数が上限を超えました",
      "このリンクはもう使えません。送信した人に新しいリンクを依頼してください。",
    ],
    USER_LOCKED: [
      "このアカウントはロックされています",
      "ロックが解除されるまで、誰もサインインできません。管理者に問い合わせてください。",
    ],
    RECOVERY_NOT_ALLOWED: [
      "メールによる復元はできなくなりました",
      "メールの送信後に、組織の設定が変更されました。管理者に新しいリンクを依頼してください。",
    ],
    EMAIL_SET_BY_OTHERS: [
      "このリンクは保留中です",
      "管理者にメールアドレスの確認を依頼してから、もう一度リンクを開いてください。",
    ],
    LINK_INVALID: [
      "このリンクは使えません",
      "一部が欠けている可能性があります。メールから直接開くか、リンク全体をコピーしてください。それでも使えない場合は、送信した人に新しいリンクを依頼してください。",
    ],

    USER_CODE_INVALID: [
      "このコードは使えません",
      "デバイスの表示と見比べてください。コードは 1 回のみ、10 分間有効です。新しいコードはデバイスで表示できます。",
    ],

    TOO_MANY_GRANTS: [
      "使用できるアプリケーション数の上限に達しています",
      "使わなくなったアプリケーションのアクセス権をアカウントページで取り消してから、もう一度お試しください。",
    ],

    TOO_MANY_ATTEMPTS: [
      "失敗した回数が上限を超えました",
      "アカウントを保護するため、登録を終了しました。最初からやり直してください。",
    ],
    TOO_MANY_PASSKEYS: [
      "パスキー数の上限に達しています",
      "使わなくなったパスキーを自分で削除するか、管理者に削除を依頼してから、もう一度お試しください。",
    ],
    TOO_MANY_CEREMONIES: [
      "完了していない試行が多すぎます",
      "期限が切れるまで 10 分待ってから、もう一度お試しください。",
    ],
    CEREMONY_ENDED: [
      "この登録は終了しました",
      "デバイスがパスキーを作成している間に、登録がキャンセルされたか、アカウントが変更または削除されました。何も保存されていません。もう一度お試しください。解決しない場合は、管理者に問い合わせてください。",
    ],
    CHALLENGE_EXPIRED: ["時間切れになりました", "何も保存されていません。もう一度試し、10 分以内に完了してください。"],
    CHALLENGE_USED: [
      "この試行はすでに完了しています",
      "この試行でパスキーが保存されました。心当たりがない場合は、すぐに管理者に連絡してください。",
    ],
    PASSKEY_NOT_FOUND: ["このパスキーはもうありません", "すでに削除されています。一覧を再読み込みしてください。"],

    CREDENTIAL_ALREADY_REGISTERED: [
      "このパスキーはすでに登録されています",
      "別のデバイス、セキュリティキー、またはパスワードマネージャーで新しいパスキーを作成してください。",
    ],
    CREDENTIAL_MALFORMED: [
      "デバイスからの応答を読み取れません",
      "何も保存されていません。もう一度お試しください。繰り返し発生する場合は、ブラウザーを更新するか、別のデバイスを使用してください。",
    ],
    CREDENTIAL_NOT_VERIFIED: [
      "デバイスからの応答を検証できませんでした",
      "何も保存されていません。もう一度お試しください。繰り返し発生する場合は、ブラウザーを更新するか、別のデバイスを使用してください。",
    ],
    ORIGIN_NOT_ALLOWED: [
      "このアドレスではパスキーを追加できません",
      "ブラウザーのアドレスが、案内されたものと同じか確認してください。同じ場合は、サーバーがこのアドレスに対応するよう設定されていません。管理者に連絡してください。",
    ],
    USER_NOT_VERIFIED: [
      "デバイスで本人確認が行われませんでした",
      "デバイスで PIN、指紋、または顔認証を設定するか、別のデバイスを使用して、もう一度お試しください。",
    ],
    ALGORITHM_NOT_ALLOWED: [
      "この種類のパスキーは使用できません",
      "デバイスが作成した鍵の種類は受け付けられません。別のデバイスまたはセキュリティキーを使用してください。",
    ],
    ATTESTATION_NOT_ALLOWED: [
      "このデバイスは使用できません",
      "デバイスの証明方法が受け付けられません。別のデバイスまたはセキュリティキーを使用してください。",
    ],
    INVALID_FIELDS: ["入力内容に受け付けられないものがあります", "名前を変更して、もう一度お試しください。"],

    UNAUTHENTICATED: [
      "このトークンは無効です",
      "有効期限が切れているか、取り消されたか、一部が欠けています。別のトークンでサインインしてください。",
    ],
    EMAIL_CHANGE_INVALID: [
      "リンクが不完全です",
      "メールのリンクをそのまま開くか、「プロフィール」で新しいリンクを送信してください。",
    ],
    EMAIL_CHANGE_OF_OTHER_USER: [
      "これは別のアカウントのリンクです",
      "そのアカウントにサインインしてから、メールのリンクをもう一度開いてください。",
    ],
    EMAIL_CHANGE_EXPIRED: ["リンクの有効期限が切れています", "「プロフィール」で新しいリンクを送信してください。"],
    EMAIL_CHANGE_ENDED: [
      "このリンクはもう使えません",
      "使用済みか、変更がキャンセルされたか、新しい変更に置き換えられています。「プロフィール」でメールアドレスを確認してください。",
    ],
    EMAIL_TAKEN: [
      "このメールアドレスは別のアカウントで使われています",
      "別のアドレスを使用するか、管理者に問い合わせてください。",
    ],
    EMAIL_FROM_PROVIDER: [
      "メールアドレスは ID プロバイダーから取得されています",
      "ID プロバイダーで変更してください。次回そのプロバイダーでサインインしたときに反映されます。",
    ],
    SMTP_CONFIG_MISSING: [
      "メールを送信できません",
      "このサービスにはメールサーバーがまだ設定されていません。管理者に問い合わせてください。",
    ],
    TOO_MANY_MAILS: [
      "このアドレスに送信したメールが多すぎます",
      "1 時間後にもう一度試すか、別のアドレスを使用してください。",
    ],
    PROFILE_KEPT: ["この情報は組織が管理しています", "変更できるのは管理者のみです。管理者に依頼してください。"],
    PERMISSION_DENIED: ["この操作は許可されていません", "アカウントに権限がありません。管理者に問い合わせてください。"],
    USER_NOT_FOUND: [
      "このアカウントは見つかりませんでした",
      "削除された可能性があります。管理者に問い合わせてください。",
    ],
    NOT_FOUND: ["このアカウントは見つかりませんでした", "削除された可能性があります。管理者に問い合わせてください。"],
    RESOURCE_EXHAUSTED: ["リクエストが多すぎます", "1 分待ってから、もう一度お試しください。"],
    UNAVAILABLE: ["現在サービスを利用できません", "通常は 1 分以内に復旧します。もう一度お試しください。"],
    DEADLINE_EXCEEDED: ["サービスの応答に時間がかかりすぎました", "しばらくしてから、もう一度お試しください。"],
    ABORTED: ["ほかの人が同時に同じものを変更しました", "もう一度お試しください。"],
    UNREACHABLE: ["サービスに接続できません", "接続を確認して、もう一度お試しください。"],
    OFFLINE: ["オフラインです", "インターネットに接続して、もう一度お試しください。"],
    UNKNOWN: ["問題が発生しました", "もう一度お試しください。繰り返し発生する場合は、管理者に連絡してください。"],

    SIGN_IN_FAILED: [
      "サインインできませんでした",
      "もう一度試すか、別のパスキーを使用してください。繰り返し発生する場合は、管理者に問い合わせてください。",
    ],
    PASSKEY_UNKNOWN: [
      "このパスキーではサインインできなくなりました",
      "アカウントから削除されています。別のパスキーを使用するか、新しいパスキーを追加するためのリンクを管理者に依頼してください。",
    ],
    SIGN_IN_EXPIRED: ["時間切れになりました", "もう一度試し、10 分以内に完了してください。"],
    SIGN_IN_USED: ["この試行はすでに完了しています", "もう一度お試しください。"],
    SIGN_IN_NOT_MADE: [
      "サインインしませんでした",
      "キャンセルされたか、時間切れになったか、このデバイスにこのサービスのパスキーがありません。準備ができたら、もう一度お試しください。",
    ],
    SIGN_IN_UNREADABLE: [
      "デバイスからの応答を読み取れません",
      "もう一度お試しください。繰り返し発生する場合は、ブラウザーを更新するか、別のデバイスを使用してください。",
    ],
    SIGN_IN_NOT_HERE: [
      "このアドレスではサインインできません",
      "ブラウザーのアドレスが、案内されたものと同じか確認してください。同じ場合は、サーバーがこのアドレスに対応するよう設定されていません。管理者に連絡してください。",
    ],
    SIGN_IN_NO_WEBAUTHN: [
      "このブラウザーではパスキーを使用できません",
      "最新の Chrome、Edge、Firefox、または Safari を使用してください。ほかのアプリに内蔵されたブラウザーでは、多くの場合使用できません。",
    ],
    SIGN_IN_INSECURE: [
      "この接続は安全ではありません",
      "ブラウザーでパスキーを使用できるのは、https:// で始まる安全なアドレスだけです。そのようなアドレスでこのページを開いてください。",
    ],
    COOKIES_BLOCKED: [
      "このブラウザーは Cookie をブロックしています",
      "サインイン状態の維持には、このアドレスの Cookie が必要です。ブラウザーの設定で Cookie とサイトデータを許可してから、ページを再読み込みしてください。",
    ],
    STORAGE_BLOCKED: [
      "このブラウザーはストレージをブロックしています",
      "プロバイダーとの間を移動するために必要です。ブラウザーの設定でこのアドレスの Cookie とサイトデータを許可してから、ページを再読み込みしてください。",
    ],
    NOT_CONFIRMED: [
      "本人確認が完了しませんでした",
      "キャンセルされたか、時間切れになりました。何も変更されていません。準備ができたら、もう一度お試しください。",
    ],
    SESSION_ENDED: ["セッションが終了しました", "続行するには、もう一度サインインしてください。"],

    AUTHORIZATION_REQUEST_EXPIRED: [
      "このサインインは終了しました",
      "すでに完了したか、10 分を超えたか、アドレスの一部が欠けています。アプリケーションに戻って、最初からやり直してください。",
    ],
    UNKNOWN_CLIENT: [
      "このアプリケーションは登録されていません",
      "サインインを続行できません。アプリケーションに戻り、client_id を確認するようアプリケーションの管理者に伝えてください。",
    ],
    REDIRECT_URI_NOT_REGISTERED: [
      "アプリケーションへの戻り先が登録されていません",
      "応答が第三者に渡るおそれがあるため、サインインを続行できません。アプリケーションに戻り、redirect_uri を登録するようアプリケーションの管理者に伝えてください。",
    ],
    CLIENT_METADATA_INVALID: [
      "アプリケーションの情報が無効です",
      "サインインを続行できません。client_id にあるドキュメントを確認するよう、アプリケーションの管理者に伝えてください。",
    ],
    CLIENT_METADATA_UNREACHABLE: [
      "アプリケーションの情報を読み取れません",
      "client_id にあるドキュメントが現在応答していません。アプリケーションに戻り、しばらくしてからもう一度お試しください。",
    ],
    LOGOUT_NOT_POSSIBLE: [
      "アプリケーションから誤ったサインアウト要求が送信されました",
      "まだサインインしたままです。アカウントページからサインアウトし、要求の id_token_hint と client_id を確認するようアプリケーションの管理者に伝えてください。",
    ],
    LOGOUT_REQUEST_INVALID: [
      "このサインアウト要求は無効です",
      "10 分を超えたか、アドレスの一部が欠けています。アプリケーションに戻ってもう一度サインアウトするか、アカウントページからサインアウトしてください。",
    ],
    POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED: [
      "アプリケーションへの戻り先が登録されていません",
      "まだサインインしたままです。post_logout_redirect_uri を登録するよう、アプリケーションの管理者に伝えてください。",
    ],
    AUTHORIZATION_INVALID: [
      "アプリケーションから誤った要求が送信されました",
      "サインインを続行できません。アプリケーションに戻り、アプリケーションの管理者に連絡してください。管理者は、リクエスト ID からこの要求と対処方法を確認できます。",
    ],
    AUTHORIZATION_FAILED: [
      "サインインを続行できません",
      "アプリケーションに戻って、最初からやり直してください。繰り返し発生する場合は、アプリケーションの管理者に連絡してください。",
    ],
    ANOTHER_ACCOUNT_REQUIRED: [
      "アプリケーションが別のアカウントを求めています",
      "現在サインインしているアカウントではありません。以前そのアプリケーションで使用したアカウントを使用してください。",
    ],
    APPLICATION_NOT_ALLOWED: [
      "このアカウントではこのアプリケーションを使用できません",
      "アプリケーションの管理者にアクセス権を依頼するか、別のアカウントを使用してください。",
    ],
    EMAIL_REQUIRED: [
      "アカウントにメールアドレスがありません",
      "このアプリケーションにはメールアドレスが必要です。アカウントに追加するよう、組織の管理者に依頼してください。",
    ],
    PASSKEY_REQUIRED: [
      "このパスキーでは不十分です",
      "アプリケーションは、指紋、顔、またはデバイスの PIN で確認するパスキーを求めています。別のパスキーを使用してください。",
    ],

    SIGN_UP_NOT_ALLOWED: ["ここではアカウントを作成できません", "サービスの運営者に招待を依頼してください。"],
    SIGN_UP_EXPIRED: [
      "このリンクはもう使えません",
      "一部が欠けているか、24 時間を過ぎています。サインインページで新しいリンクを依頼してください。",
    ],
    SIGN_UP_USED: [
      "このリンクは使用済みです",
      "このリンクでアカウントが作成されました。パスキーでサインインするか、サービスの運営者にリンクを依頼してください。",
    ],
    SIGN_UP_USER_EXISTS: [
      "アカウントはすでにあります",
      "このメールアドレスのアカウントがあります。パスキーでサインインしてください。紛失した場合は、サインインページから新しいリンクをメールで受け取れます。",
    ],

    NOT_REGISTERED: [
      "アカウントがまだありません",
      "使用したアカウントと連携しているユーザーはいません。別の方法でサインインして連携するか、管理者にアカウントの作成を依頼してください。",
    ],
    USER_EXISTS_LINK_FIRST: [
      "アカウントはすでにあります",
      "安全のため、名前やメールアドレスだけでは連携されません。パスキーでサインインしてから、アカウントページでこのプロバイダーと連携してください。",
    ],
    ROLES_EXCEED_PROVIDER: [
      "このアカウントではこのプロバイダーを使用できません",
      "プロバイダーを管理する人よりも強い権限があるためです。パスキーでサインインしてください。",
    ],
    IDENTITY_LINKED: [
      "このアカウントはすでに連携されています",
      "別のユーザーまたは自分と連携されています。変更するには、そのアカウントでサインインし、連携を解除してください。",
    ],
    FLOW_EXPIRED: ["時間切れになりました", "何も変更されていません。もう一度試し、10 分以内に完了してください。"],
    FLOW_USED: ["この試行はすでに完了しています", "何も変更されていません。最初からやり直してください。"],
    FLOW_LOST: [
      "このサインインはここでは続行できません",
      "ページが再読み込みされたか、別のタブやブラウザーで開始されています。何も変更されていません。最初からやり直してください。",
    ],
    IDP_DENIED: [
      "プロバイダーで許可されませんでした",
      "キャンセルしたか、プロバイダーに拒否されました。もう一度試すか、別の方法でサインインしてください。",
    ],
    IDP_DID_NOT_REAUTHENTICATE: [
      "プロバイダーで再サインインが行われませんでした",
      "プロバイダーは以前のサインインをそのまま使用しました。何も変更されていません。プロバイダーからサインアウトして、もう一度お試しください。",
    ],
    IDP_UNREACHABLE: [
      "プロバイダーに接続できません",
      "通常は数分以内に復旧します。もう一度試すか、別の方法でサインインしてください。",
    ],
    IDP_NOT_CONFIGURED: [
      "このプロバイダーではサインインできません",
      "このアドレス用に設定されていないか、削除されています。別の方法でサインインするか、管理者に連絡してください。",
    ],
    IDP_DISABLED: [
      "このプロバイダーは無効になっています",
      "現在、誰もこのプロバイダーでサインインできません。別の方法でサインインするか、管理者に問い合わせてください。",
    ],
    PROVIDER_NOT_VERIFIED: [
      "サインインできませんでした",
      "プロバイダーからの情報を検証できませんでした。もう一度お試しください。繰り返し発生する場合は、管理者に連絡してください。",
    ],

    NotAllowedError: [
      "パスキーは作成されませんでした",
      "キャンセルされたか、時間切れになったか、デバイスで許可されていません。準備ができたら、もう一度お試しください。",
    ],
    InvalidStateError: [
      "このデバイスにはすでにパスキーがあります",
      "すでにあるパスキーでサインインできます。別のパスキーを追加するには、別のデバイス、セキュリティキー、またはパスワードマネージャーを使用してください。",
    ],
    SecurityError: [
      "このアドレスではパスキーを作成できません",
      "ブラウザーのアドレスが、パスキーの対象となるアドレスと異なります。案内されたアドレスでこのページを開いてください。",
    ],
    NotSupportedError: [
      "このデバイスでは必要なパスキーを作成できません",
      "別のデバイス、セキュリティキー、またはパスワードマネージャーを使用してください。",
    ],
    ConstraintError: [
      "このデバイスでは本人確認ができません",
      "デバイスで画面ロック、PIN、または指紋を設定するか、別のデバイスを使用して、もう一度お試しください。",
    ],
    AbortError: ["パスキーの作成が完了しませんでした", "ほかの処理によって中断されました。もう一度お試しください。"],
    NO_WEBAUTHN: [
      "このブラウザーではパスキーを作成できません",
      "最新の Chrome、Edge、Firefox、または Safari を使用してください。ほかのアプリに内蔵されたブラウザーでは、多くの場合使用できません。",
    ],
    INSECURE_CONTEXT: [
      "この接続は安全ではありません",
      "ブラウザーでパスキーを作成できるのは、https:// で始まる安全なアドレスだけです。そのようなアドレスでこのページを開いてください。",
    ],
  },
};
