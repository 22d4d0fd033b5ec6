/** All text of the pages in English; every other language has the same keys. `{name}` stands for a value. */

const NEW_LINK = "Ask the person who sent it to you for a new one.";

/** The texts of a language. */
export interface Catalogue {
  readonly texts: Readonly<Record<keyof typeof en.texts, string>>;
  readonly refusals: Readonly<Record<keyof typeof en.refusals, readonly [title: string, text: string]>>;
}

export const en = {
  texts: {
    cancel: "Cancel",
    tryAgain: "Try again",
    licences: "Licences",
    support: "Help by mail",
    unknownTime: "not known",
    "address.open": "Open this page at {host}",
    requestId: "Request ID, for support: ",

    "name.missing": "Enter a name.",
    "name.tooLong": "Enter at most {most} characters.",
    "name.refused": "The name {violation}.",

    "device.iphone": "iPhone",
    "device.ipad": "iPad",
    "device.androidPhone": "Android phone",
    "device.androidTablet": "Android tablet",
    "device.chromebook": "Chromebook",
    "device.windows": "Windows computer",
    "device.mac": "Mac",
    "device.linux": "Linux computer",
    "device.unknown": "My device",
    "device.browserOn": "{browser} on {system}",

    "add.title": "Add a passkey",
    "add.name": "Name of this passkey",
    "add.nameHint": "So that you recognise it later, for example by the device it is on.",
    "add.create": "Create passkey",
    "add.beginning": "Preparing…",
    "add.making": "Follow the instructions of your device…",
    "add.saving": "Saving your passkey…",
    "add.introduction": "Your device, a security key or your password manager stores it; you choose next.",

    "link.checking": "Checking your link…",
    "link.invitedBy": "{inviter} invites you to {organization}. ",
    "link.invited": "You are invited to {organization}. ",
    "link.invitedToUse": "You can then use {application}. ",
    "link.purpose": "It signs you in to the account {account} at {service}. ",
    "link.accountWithName": "{displayName} ({userName})",
    "link.advantage":
      "With a passkey you sign in by fingerprint, face, or the PIN of your device. There is no password to remember, " +
      "and none to steal.",
    "link.kept": "Your link, to open it in another browser",
    "link.reloadedTitle": "Open your link again",
    "link.reloaded": "This page forgets a link when it is reloaded, so that nobody else finds it here.",
    "link.reloadedNext":
      "Open it again from the mail. It works until a passkey was added with it, or until it expires.",
    "link.otherwise": "Use an access token instead",
    "link.readyTitle": "Your passkey is ready",
    "link.ready": "“{name}” was added to your account.",
    "link.readySignIn": "Sign in",
    "link.readyContinue": "Continue",
    "link.readyReturn": "Continue to {host}",
    "link.readyConsole": "Open the console",
    "link.readyAccount": "Open your account",
    "link.readySecond":
      "Add another passkey on a second device, in case you lose this one. You can do that on your account page after you sign in.",
    "link.readyUsed": "The link that you opened is used up.",

    "token.label": "Access token",
    "token.hint": "It begins with kst_ and is kept only until you sign out or close this tab.",
    "token.show": "Show my passkeys",
    "token.title": "Your passkeys",
    "token.introduction":
      "Did you get a link to add a passkey? Open it from the mail. To see the passkeys that you have, enter an access token.",
    "token.malformed": "Enter a token that begins with kst_.",
    "token.signingIn": "Signing in…",
    "token.signedInAs": "Signed in as {name}",
    "token.signedOut": "You are signed out. The token itself stays valid until it expires or is revoked.",
    signOut: "Sign out",

    "passkeys.label": "Passkeys",
    "passkeys.none": "You have no passkeys yet.",
    "passkeys.add": "Add a passkey",
    "passkeys.added": "“{name}” was added.",
    "passkeys.renamed": "Renamed to “{name}”.",
    "passkeys.removed": "“{name}” was removed.",
    "passkeys.missing": "This passkey was removed in the meantime.",

    "passkey.keptBy": "Kept by",
    "passkey.where": "Where",
    "passkey.oneDevice": "on one device only",
    "passkey.synced": "synced between your devices",
    "passkey.canSync": "on one device, can be synced",
    "passkey.former": "Former address",
    "passkey.added": "Added",
    "passkey.lastUsed": "Last used",
    "passkey.notUsed": "not yet",
    "passkey.rename": "Rename",
    "passkey.renameOne": "Rename {name}",
    "passkey.remove": "Remove",
    "passkey.removeOne": "Remove {name}",

    "rename.title": "Rename this passkey",
    "rename.name": "Name",
    "rename.hint": "So that you recognise it later.",
    "rename.save": "Save",
    "remove.title": "Remove this passkey?",
    "remove.consequence":
      "You will no longer be able to sign in with “{name}”. Your device may keep its part until you delete it there as well.",
    "remove.lost": "It was lost or stolen",
    "remove.lostHint": "Then the access of applications and the access tokens that began with it end, too.",
    "ends.these": "This ends:",
    "ends.sessions": "Sessions: {count}",
    "ends.applications": "Access of applications: {count}",
    "ends.tokens": "Access tokens: {count}",
    "ends.nothing": "No session and no access ends.",
    "remove.only": "This is your only passkey. Without one you may not be able to sign in: add another one first.",

    "start.title": "Welcome",
    "start.loading": "One moment…",
    "start.introduction": "Sign in to see your account, your passkeys and where you are signed in.",
    "start.account": "To your account",

    "signIn.title": "Sign in",
    "signIn.returnToConsole": "Afterwards the console opens.",
    "signIn.returnTo": "Afterwards you go on to {host}.",
    "signIn.introduction": "Use your fingerprint, your face, or the PIN of your device.",
    "signIn.account": "Account or mail address",
    "signIn.accountHint":
      "Choose a passkey that your browser offers here. A mail address leads to the sign-in of your organization.",
    "signIn.button": "Sign in with a passkey",
    "signIn.preparing": "Preparing…",
    "signIn.asking": "Follow the instructions of your device…",
    "signIn.completing": "Signing you in…",
    "signIn.signedOut": "You are signed out.",
    "signIn.ended": "Your session has ended. Sign in again to continue.",
    "signIn.help": "Trouble signing in?",
    "signIn.helpPhone":
      "Is your passkey on your phone? Press the button and choose another device; a code to scan appears.",
    "signIn.helpFirst": "No passkey yet? Open the link in the mail that you got with your account.",
    "former.hint": "Was your passkey made when this service was at {domain}?",
    "former.button": "Use a passkey of {domain}",
    "former.title": "Your passkey of {domain}",
    "former.lead": "Use it here, at the former address. You go back to {host} at once.",
    "move.title": "One more passkey",
    "move.lead": "Your passkey is of {former}, the former address. Add one for {domain}: the other may stop working.",
    "move.later": "Not now",
    "signIn.lost": "Lost your passkey?",

    "discovery.continue": "Continue",
    "discovery.looking": "Looking for your organization…",
    "discovery.choose": "Choose how to sign in.",
    "discovery.none": "No organization signs in addresses of this domain here. Sign in with your passkey.",
    "provider.or": "or",
    "provider.more": "More providers",
    "provider.signIn": "Sign in with {name}",
    "provider.link": "Link {name}",
    "provider.returned": "One moment",
    "provider.linking": "Linking…",
    "provider.toAccount": "Back to your account",
    "provider.linkedAt": "Linked",
    "provider.subject": "Known there as",
    "provider.unlink": "Unlink",
    "provider.unlinkOne": "Unlink {name}",
    "provider.unlinkTitle": "Unlink this provider?",
    "provider.unlinkConsequence":
      "You will no longer be able to sign in with {name}, and where you did, you are signed out. Your account there stays.",
    "provider.onlyWay": "You have no passkey. Without one you may not be able to sign in again: add one first.",
    "provider.unlinked": "{name} is unlinked.",
    "provider.linked": "The provider is linked. You can sign in with it from now on.",

    "links.label": "Other ways to sign in",
    "links.hint": "Providers that you have linked sign you in, too.",
    "links.none": "Link an account that you have elsewhere to sign in with it.",

    "recovery.title": "Recover your account",
    "recovery.introduction":
      "If your organization allows it, you get a link by mail to register a new passkey. Otherwise, ask your administrator for a link.",
    "recovery.off":
      "Your organization sends no links by mail to people who have lost their passkeys. Ask your administrator, or the person who invited you, for a link to register a new passkey.",
    "mailForm.address": "Mail address",
    "recovery.addressHint": "The one that belongs to your account.",
    "mailForm.noAddress": "Enter a mail address like name@example.com.",
    "mailForm.button": "Send a link",
    "mailForm.sending": "Sending…",
    "signIn.back": "Back to signing in",
    "mailForm.sent": "Look into your mailbox",
    "recovery.ifKnown": "If an account that can be recovered by mail has this address, a link is on its way.",
    "recovery.open": "It works once, and for 30 minutes. Open it on the device that you want to sign in with.",
    "recovery.noMail":
      "No mail after some minutes? Look for an earlier one in your spam folder, or ask your administrator for a link.",

    "signUp.title": "Create an account",
    "signUp.introduction": "You get a link by mail that creates your account.",
    "signUp.addressHint": "You get the link there.",
    "signUp.name": "Your name",
    "signUp.nameHint": "As other people see it. You can leave it out.",
    "signUp.sent": "A link is on its way.",
    "signUp.open": "It works for 24 hours. Open it on the device that you want to sign in with.",
    "signUp.noMail": "No mail after some minutes? Look into your spam folder, and check the address.",
    "signUp.confirmTitle": "Create your account",
    "signUp.confirmText": "Your mail address is confirmed. Create the account, then add a passkey to sign in with.",
    "signUp.confirm": "Create the account",

    "connect.title": "Connect a device",
    "connect.introduction": "Enter the code that the device shows.",
    "connect.code": "Code",
    "connect.codeHint": "Eight letters, like WDJB-MJHT.",
    "connect.noCode": "Enter the code.",
    "connect.continue": "Continue",
    "connect.finding": "Looking the code up…",
    "connect.ask": "Connect {name} with your account?",
    "connect.account": "You are signed in as {account}.",
    "connect.isShown": "Does your device show this code?",
    "connect.yes": "Yes, this code",
    "connect.no": "No",
    "connect.warning":
      "Did somebody send you the code or a link to this page? Then press {no}: that person would get access to your account.",
    "connect.gets": "The device can:",
    "connect.allow": "Allow",
    "connect.done": "Your device is connected",
    "connect.doneNext": "Go on at the device. You can close this page.",
    "connect.denied": "The device gets no access",
    "connect.deniedNext": "You can close this page.",

    "account.title": "Your account",
    "account.console": "Console",
    "profile.label": "About you",
    "profile.change": "Change your details",
    "profile.changed": "Your details were changed.",
    "profile.displayName": "Shown name",
    "profile.givenName": "Given name",
    "profile.familyName": "Family name",
    "profile.locale": "Language",
    "profile.localeHint": "As a language tag, such as en or pt-BR.",
    "profile.zoneinfo": "Time zone",
    "profile.zoneinfoHint": "As a name, such as Europe/London.",
    "profile.picture": "Picture",
    "profile.pictureHint": "The middle of an image. Applications that you use can show it.",
    "profile.noPicture": "Choose a file that is an image.",
    "profile.removePicture": "Remove the present picture",
    "profile.email": "Mail address",
    "profile.refused": "The server refuses this: it {violation}.",
    "account.loading": "Loading your account…",
    "account.passkeysHint": "Each one signs you in. Keep two, on different devices.",
    "account.noPasskeysHint": "Add one, so that you can sign in again.",
    "account.onlyProvidersHint": "Add one to sign in without your provider.",
    "account.formerHint": "Add one for {domain}: those of the former address may stop working.",
    "account.onePasskeyHint": "You have one. Add a second on another device, in case you lose this one.",

    "sessions.label": "Where you are signed in",
    "sessions.hint": "If you do not recognise one of these, sign it out, and remove the passkeys that are not yours.",
    "sessions.unknownDevice": "Unknown device",
    "sessions.current": "This device",
    "sessions.signedIn": "Signed in",
    "sessions.lastSeen": "Last active",
    "sessions.address": "IP address",
    "sessions.end": "Sign out",
    "sessions.endOne": "Sign out {name}",
    "sessions.ended": "“{name}” is signed out.",
    "sessions.gone": "This session had ended already.",
    "sessions.everywhere": "Sign out everywhere",
    "sessions.everywhereTitle": "Sign out everywhere?",
    "sessions.everywhereConsequence":
      "All of your sessions end, this one too. Your passkeys stay, and sign you in again. Your access tokens and the access of applications that lasts until you end it go on.",
    "sessions.only": "You are signed in on this device only.",

    "confirm.title": "Confirm that it is you",
    "confirm.text": "You signed in a while ago. Use one of your passkeys again to continue.",
    "confirm.button": "Use a passkey",
    "confirm.provider": "Sign in with your provider again",
    "confirm.providerText": "Or sign in with your provider again, and then repeat the change.",

    "request.host": "at {host}",
    "request.named": "calls itself “{name}”",
    "request.returnsTo": "returns to {host}",
    "request.unknownSite":
      "Nobody here has checked this application. Its name is its own choice: allow it only if you know {host}.",
    "request.unknownProgram":
      "This is a program on your device. Every program can say that it is from {host}: allow it only if you have just started it.",
    "request.account": "Account",
    "request.chooseTitle": "Choose an account",
    "request.continue": "Continue",
    "request.another": "Use another account",
    "request.otherwise": "Sign in another way",
    "request.consentTitle": "Allow access to your account?",
    "request.consent": "If you allow it, {name} can:",
    "request.allow": "Allow",
    "request.again": "{name} asks you to sign in again.",
    "request.passkey": "{name} asks for a passkey with the fingerprint, the face or the PIN of your device.",
    "request.back": "Back to the application",
    "request.backTo": "Back to {host}",
    "request.leaving": "You go back to {name}.",
    "request.openTitle": "Go on in the application",
    "request.openText": "Your browser opens {name}. If nothing happens, press the button.",
    "request.open": "Open the application",
    "request.goBack": "Back",
    "request.reason": "For the administrator of the application: ",
    "logout.title": "Sign out?",
    "logout.text": "{name} asks to sign you out here.",
    "logout.textUnnamed": "An application asks to sign you out here.",
    "logout.stay": "Stay signed in",
    "request.toAccount": "Go to your account",

    "scope.openid": "Know who you are",
    "scope.profile": "See your name and your user name",
    "scope.email": "See your mail address",
    "scope.groups": "See the groups that you belong to",
    "scope.offlineAccess": "Stay signed in when you are not there",
    "scope.other": "Use “{scope}”",
    "access.resource": "The access is for {resource}.",
    "access.offline": "The access lasts until you end it on your account page.",
    "access.session": "The access ends when you sign out. You can end it earlier on your account page.",

    "grants.label": "Applications you use",
    "grants.hint": "You have given these access to your account.",
    "grants.can": "Can",
    "grants.since": "Since",
    "grants.narrow": "Change",
    "grants.narrowOne": "Change the access of {name}",
    "grants.narrowTitle": "Change the access",
    "grants.narrowQuestion": "{name} can:",
    "grants.narrowConsequence":
      "{name} loses what you clear within minutes. It keeps what it has already read, and can ask you again.",
    "grants.narrowSave": "Save",
    "grants.narrowed": "The access of {name} was changed.",
    "grants.revoke": "End access",
    "grants.revokeOne": "End the access of {name}",
    "grants.revokeTitle": "End the access?",
    "grants.revokeConsequence":
      "{name} is signed out of your account, and asks you again at the next sign-in. It keeps what it has already read.",
    "grants.revoked": "{name} no longer has access.",

    "tokens.label": "Access tokens",
    "tokens.hint": "A program that has one acts as you. Remove those that you do not recognise.",
    "tokens.unnamed": "Token without a name",
    "tokens.certificate": "Certificate",
    "tokens.created": "Created",
    "tokens.creator": "By",
    "tokens.byYou": "you",
    "tokens.byOther": "somebody else",
    "tokens.expires": "Valid until",
    "tokens.unlimited": "you remove it",
    "tokens.remove": "Remove",
    "tokens.removeOne": "Remove the token {name}",
    "tokens.removeTitle": "Remove this token?",
    "tokens.removeConsequence": "Programs that use “{name}” are refused at once.",
    "tokens.removed": "“{name}” was removed.",
  },

  refusals: {
    LINK_EXPIRED: ["This link has expired", `Links work for a limited time. ${NEW_LINK}`],
    LINK_USED: [
      "This link has been used",
      "A passkey was added with it, and each link adds one. If that was not you, tell your administrator at once. " +
        "To add another passkey, ask for a new link.",
    ],
    LINK_REPLACED: [
      "There is a newer link",
      "Another link was sent to you after this one, and only the newest works. Open that one.",
    ],
    LINK_TRIED_TOO_OFTEN: ["This link was tried too often", `It no longer works. ${NEW_LINK}`],
    USER_LOCKED: ["This account is locked", "Nobody can sign in with it until it is unlocked. Ask your administrator."],
    RECOVERY_NOT_ALLOWED: [
      "Recovery by mail is no longer possible",
      "Your organization has changed that since the mail was sent. Ask your administrator for a new link.",
    ],
    EMAIL_SET_BY_OTHERS: [
      "This link is on hold",
      "Ask your administrator to confirm your mail address. Then open the link again.",
    ],
    LINK_INVALID: [
      "This link does not work",
      "Part of it may be missing: open it directly from the mail, or copy all of it. If it still does not work, ask the person who sent it to you for a new one.",
    ],

    USER_CODE_INVALID: [
      "This code does not work",
      "Compare it with the device. Each code works once, and for ten minutes: the device can show you a new one.",
    ],

    TOO_MANY_GRANTS: [
      "You use the maximum number of applications",
      "End the access of those that you no longer use on your account page, then try again.",
    ],

    TOO_MANY_ATTEMPTS: [
      "There were too many failed attempts",
      "The registration was ended to protect your account. Try again from the start.",
    ],
    TOO_MANY_PASSKEYS: [
      "You have the maximum number of passkeys",
      "Remove one that you no longer use, or ask your administrator to, then try again.",
    ],
    TOO_MANY_CEREMONIES: [
      "Too many attempts are still open",
      "Wait ten minutes, until they have expired, then try again.",
    ],
    CEREMONY_ENDED: [
      "This registration was ended",
      "It was cancelled, or your account was changed or removed, while your device made the passkey. Nothing was saved. " +
        "Try again; if that does not work, ask your administrator.",
    ],
    CHALLENGE_EXPIRED: ["That took too long", "Nothing was saved. Try again, and finish within ten minutes."],
    CHALLENGE_USED: [
      "This attempt was already completed",
      "A passkey was saved with it. If that was not you, tell your administrator at once.",
    ],
    PASSKEY_NOT_FOUND: ["This passkey is no longer here", "It was removed in the meantime. Load the list again."],

    CREDENTIAL_ALREADY_REGISTERED: [
      "This passkey is registered already",
      "Use another device, security key or password manager to make a new one.",
    ],
    CREDENTIAL_MALFORMED: [
      "Your device gave an answer that cannot be read",
      "Nothing was saved. Try again; if it happens again, update the browser or use another device.",
    ],
    CREDENTIAL_NOT_VERIFIED: [
      "Your device's answer could not be verified",
      "Nothing was saved. Try again; if it happens again, update the browser or use another device.",
    ],
    ORIGIN_NOT_ALLOWED: [
      "Passkeys cannot be added at this address",
      "Check that the address in the browser is the one you were given. If it is, this server is not set up for it: tell your administrator.",
    ],
    USER_NOT_VERIFIED: [
      "Your device did not check that it is you",
      "Set up a PIN, a fingerprint or face recognition on it, or use another device, then try again.",
    ],
    ALGORITHM_NOT_ALLOWED: [
      "This kind of passkey cannot be used here",
      "Your device made a key of a kind that is not accepted. Use another device or security key.",
    ],
    ATTESTATION_NOT_ALLOWED: [
      "This device cannot be used here",
      "It identified itself in a way that is not accepted. Use another device or security key.",
    ],
    INVALID_FIELDS: ["Something in the form is not accepted", "Change the name, then try again."],

    UNAUTHENTICATED: [
      "This token is not valid",
      "It has expired, was revoked, or is not complete. Sign in with another one.",
    ],
    PROFILE_KEPT: [
      "Your organization keeps these details",
      "Only an administrator can change them. Ask your administrator.",
    ],
    PERMISSION_DENIED: ["You may not do this", "Your account lacks the permission. Ask your administrator."],
    USER_NOT_FOUND: ["This account was not found", "It may have been removed. Ask your administrator."],
    NOT_FOUND: ["This account was not found", "It may have been removed. Ask your administrator."],
    RESOURCE_EXHAUSTED: ["There were too many requests", "Wait a minute, then try again."],
    UNAVAILABLE: ["The service is not available right now", "This is usually over within a minute. Try again."],
    DEADLINE_EXCEEDED: ["The service took too long to answer", "Try again in a moment."],
    ABORTED: ["Somebody changed the same thing at the same moment", "Try again."],
    UNREACHABLE: ["The service cannot be reached", "Check your connection, then try again."],
    OFFLINE: ["You are offline", "Connect to the internet, then try again."],
    UNKNOWN: ["Something went wrong", "Try again. If it happens again, tell your administrator."],

    SIGN_IN_FAILED: [
      "You could not be signed in",
      "Try again, or use another passkey. If it happens again, ask your administrator.",
    ],
    PASSKEY_UNKNOWN: [
      "This passkey no longer signs you in",
      "It was removed from its account. Use another one, or ask your administrator for a link to add a new one.",
    ],
    SIGN_IN_EXPIRED: ["That took too long", "Try again, and finish within ten minutes."],
    SIGN_IN_USED: ["This attempt was already completed", "Try again."],
    SIGN_IN_NOT_MADE: [
      "You were not signed in",
      "It was cancelled, took too long, or this device has no passkey for this service. Try again when you are ready.",
    ],
    SIGN_IN_UNREADABLE: [
      "Your device gave an answer that cannot be read",
      "Try again; if it happens again, update the browser or use another device.",
    ],
    SIGN_IN_NOT_HERE: [
      "You cannot sign in at this address",
      "Check that the address in the browser is the one you were given. If it is, this server is not set up for it: tell your administrator.",
    ],
    SIGN_IN_NO_WEBAUTHN: [
      "This browser cannot use passkeys",
      "Use an up-to-date Chrome, Edge, Firefox or Safari. Browsers inside other apps often cannot.",
    ],
    SIGN_IN_INSECURE: [
      "This connection is not secure",
      "Browsers use passkeys on secure addresses only, those that begin with https://. Open this page at such an address.",
    ],
    COOKIES_BLOCKED: [
      "This browser blocks cookies",
      "You stay signed in by a cookie of this address. Allow cookies and site data for it in the settings of the browser, then load this page again.",
    ],
    STORAGE_BLOCKED: [
      "This browser blocks storage",
      "The way to the provider and back needs it. Allow cookies and site data for this address in the settings of the browser, then load this page again.",
    ],
    NOT_CONFIRMED: [
      "You did not confirm that it is you",
      "It was cancelled or took too long. Nothing was changed. Try again when you are ready.",
    ],
    SESSION_ENDED: ["Your session has ended", "Sign in again to continue."],

    AUTHORIZATION_REQUEST_EXPIRED: [
      "This sign-in has ended",
      "It was completed, took longer than ten minutes, or its address is incomplete. Go back to the application and start again.",
    ],
    UNKNOWN_CLIENT: [
      "This application is not known here",
      "The sign-in cannot continue. Go back to the application, and tell its administrator to check its client_id.",
    ],
    REDIRECT_URI_NOT_REGISTERED: [
      "The way back to the application is not registered",
      "The sign-in cannot continue, because the answer might go to somebody else. Go back to the application, and tell its administrator, who can register its redirect_uri.",
    ],
    CLIENT_METADATA_INVALID: [
      "The description of the application is not valid",
      "The sign-in cannot continue. Tell the administrator of the application to check the document at its client_id.",
    ],
    CLIENT_METADATA_UNREACHABLE: [
      "The description of the application cannot be read",
      "The document at its client_id does not answer at the moment. Go back to the application and try again in a moment.",
    ],
    LOGOUT_NOT_POSSIBLE: [
      "The application has sent a wrong request to sign out",
      "You are still signed in here. Sign out on the page of your account, and tell the administrator of the application to check the id_token_hint and the client_id of its request.",
    ],
    LOGOUT_REQUEST_INVALID: [
      "This request to sign out is not valid",
      "It took longer than ten minutes, or its address is incomplete. Go back to the application and sign out again, or sign out on the page of your account.",
    ],
    POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED: [
      "The way back to the application is not registered",
      "You are still signed in. Tell the administrator of the application, who can register its post_logout_redirect_uri.",
    ],
    AUTHORIZATION_INVALID: [
      "The application has sent a wrong request",
      "The sign-in cannot continue. Go back to the application, and tell its administrator, who finds this request and its remedy by the request ID.",
    ],
    AUTHORIZATION_FAILED: [
      "The sign-in cannot continue",
      "Go back to the application and start again. If it happens again, tell its administrator.",
    ],
    ANOTHER_ACCOUNT_REQUIRED: [
      "The application asks for another account",
      "It is not the one that you are signed in with here. Use the account that you used at the application before.",
    ],
    APPLICATION_NOT_ALLOWED: [
      "Your account may not use this application",
      "Ask its administrator for access, or use another account.",
    ],
    EMAIL_REQUIRED: [
      "Your account has no mail address",
      "The application requires one. Ask the administrator of your organization to add it to your account.",
    ],
    PASSKEY_REQUIRED: [
      "This passkey does not suffice",
      "The application asks for one that is used with the fingerprint, the face or the PIN of your device. Use another passkey.",
    ],

    SIGN_UP_NOT_ALLOWED: [
      "You cannot create an account here",
      "Ask the people who run this service for an invitation.",
    ],
    SIGN_UP_EXPIRED: [
      "This link does not work any more",
      "It is incomplete, or older than 24 hours. Ask for another one on the sign-in page.",
    ],
    SIGN_UP_USED: [
      "This link was used already",
      "It has created your account. Sign in with your passkey, or ask the people who run this service for a link.",
    ],
    SIGN_UP_USER_EXISTS: [
      "You have an account already",
      "It has this mail address. Sign in with your passkey. If you have lost it, the sign-in page can mail you a new link.",
    ],

    NOT_REGISTERED: [
      "There is no account for you here yet",
      "Nobody here is linked to the account that you used. Sign in another way and link it, or ask your administrator for an account.",
    ],
    USER_EXISTS_LINK_FIRST: [
      "You have an account here already",
      "For your safety, it is not linked by its name or mail address. Sign in with your passkey, then link this provider on your account page.",
    ],
    ROLES_EXCEED_PROVIDER: [
      "Your account does not use this provider",
      "It has more rights than the people who manage the provider. Sign in with your passkey.",
    ],
    IDENTITY_LINKED: [
      "This account is linked already",
      "It belongs to another user here, or to you. To change that, sign in with it and unlink it there.",
    ],
    FLOW_EXPIRED: ["That took too long", "Nothing was changed. Try again, and finish within ten minutes."],
    FLOW_USED: ["This attempt was already completed", "Nothing was changed. Try again from the start."],
    FLOW_LOST: [
      "This sign-in cannot be continued here",
      "The page was reloaded, or you began in another tab or browser. Nothing was changed. Try again from the start.",
    ],
    IDP_DENIED: [
      "The provider did not let you through",
      "You cancelled, or it refused. Try again, or sign in another way.",
    ],
    IDP_DID_NOT_REAUTHENTICATE: [
      "The provider did not let you sign in again",
      "It went on with an earlier sign-in. Nothing was changed. Sign out at the provider, and try again.",
    ],
    IDP_UNREACHABLE: [
      "The provider cannot be reached",
      "This is usually over within a few minutes. Try again, or sign in another way.",
    ],
    IDP_NOT_CONFIGURED: [
      "You cannot sign in with this provider",
      "It is not set up for this address, or was removed. Sign in another way, or tell your administrator.",
    ],
    IDP_DISABLED: [
      "This provider is switched off",
      "At present nobody can sign in with it. Sign in another way, or ask your administrator.",
    ],
    PROVIDER_NOT_VERIFIED: [
      "You could not be signed in",
      "The information from the provider could not be verified. Try again; if it happens again, tell your administrator.",
    ],

    NotAllowedError: [
      "No passkey was made",
      "It was cancelled, took too long, or your device does not allow it. Try again when you are ready.",
    ],
    InvalidStateError: [
      "This device has a passkey of yours already",
      "You can sign in with the one that is there. To add another, use a different device, security key or password manager.",
    ],
    SecurityError: [
      "Passkeys cannot be made at this address",
      "The address in the browser is not the one that your passkeys are for. Open this page at the address you were given.",
    ],
    NotSupportedError: [
      "This device cannot make the passkey that is needed",
      "Use another device, security key or password manager.",
    ],
    ConstraintError: [
      "This device cannot check that it is you",
      "Set up a screen lock, a PIN or a fingerprint on it, or use another device, then try again.",
    ],
    AbortError: ["The passkey was not finished", "Something else interrupted it. Try again."],
    NO_WEBAUTHN: [
      "This browser cannot make passkeys",
      "Use an up-to-date Chrome, Edge, Firefox or Safari. Browsers inside other apps often cannot.",
    ],
    INSECURE_CONTEXT: [
      "This connection is not secure",
      "Browsers make passkeys on secure addresses only, those that begin with https://. Open this page at such an address.",
    ],
  },
} as const;
