/** All text of the pages in French. */

import type { Pages } from "../types";

const NEW_LINK = "Demandez-en un nouveau à la personne qui vous l’a envoyé.";

export const pages: Pages = {
  texts: {
    cancel: "Annuler",
    tryAgain: "Réessayer",
    licences: "Licences",
    support: "Aide par e-mail",
    unknownTime: "inconnu",
    "address.open": "Ouvrir cette page sur {host}",
    requestId: "Identifiant de requête, pour l’assistance : ",

    "name.missing": "Saisissez un nom.",
    "name.tooLong": "Saisissez au plus {most} caractères.",
    "name.refused": "Le nom n’est pas accepté : {violation}.",
    "violation.CONTROL_CHARACTERS": "Supprimez les retours à la ligne et les caractères de contrôle.",
    "violation.EMPTY": "Saisissez une valeur.",
    "violation.INVALID_LANGUAGE": "Saisissez un code de langue tel que en ou pt-BR.",
    "violation.INVALID_MAIL_ADDRESS": "Saisissez une adresse e-mail comme name@example.com.",
    "violation.INVALID_TIME_ZONE": "Saisissez un fuseau horaire tel que Europe/Berlin.",
    "violation.INVISIBLE_CHARACTERS": "Supprimez les caractères invisibles.",
    "violation.NO_VISIBLE_CHARACTER": "Saisissez au moins un caractère visible.",
    "violation.OUTER_WHITE_SPACE": "Supprimez les espaces au début et à la fin.",
    "violation.TOO_LONG": "Saisissez au plus {number} caractères.",
    "violation.TOO_MANY_ENTRIES": "Saisissez au plus {number} éléments.",

    "device.iphone": "iPhone",
    "device.ipad": "iPad",
    "device.androidPhone": "Téléphone Android",
    "device.androidTablet": "Tablette Android",
    "device.chromebook": "Chromebook",
    "device.windows": "Ordinateur Windows",
    "device.mac": "Mac",
    "device.linux": "Ordinateur Linux",
    "device.unknown": "Mon appareil",
    "device.browserOn": "{browser} sur {system}",

    "add.title": "Ajouter une clé d’accès",
    "add.name": "Nom de cette clé d’accès",
    "add.nameHint": "Pour la reconnaître plus tard, par exemple par l’appareil où elle se trouve.",
    "add.create": "Créer la clé d’accès",
    "add.beginning": "Préparation…",
    "add.making": "Suivez les instructions de votre appareil…",
    "add.saving": "Enregistrement de votre clé d’accès…",
    "add.introduction":
      "Votre appareil, une clé de sécurité ou votre gestionnaire de mots de passe la conserve ; vous choisissez ensuite.",

    "link.checking": "Vérification de votre lien…",
    "link.invitedBy": "{inviter} vous invite à rejoindre {organization}. ",
    "link.invited": "Vous êtes invité à rejoindre {organization}. ",
    "link.invitedToUse": "Vous pourrez ensuite utiliser {application}. ",
    "link.purpose": "Elle vous connecte au compte {account} chez {service}. ",
    "link.accountWithName": "{displayName} ({userName})",
    "link.advantage":
      "Avec une clé d’accès, vous vous connectez par empreinte digitale, visage ou code PIN de votre appareil. " +
      "Il n’y a aucun mot de passe à retenir, et aucun à voler.",
    "link.kept": "Votre lien, pour l’ouvrir dans un autre navigateur",
    "link.reloadedTitle": "Ouvrez de nouveau votre lien",
    "link.reloaded": "Cette page oublie un lien quand elle est rechargée, afin que personne d’autre ne le trouve ici.",
    "link.reloadedNext":
      "Ouvrez-le de nouveau depuis l’e-mail. Il fonctionne jusqu’à ce qu’une clé d’accès ait été ajoutée avec lui, ou jusqu’à son expiration.",
    "link.otherwise": "Utiliser plutôt un jeton d’accès",
    "link.readyTitle": "Votre clé d’accès est prête",
    "link.ready": "« {name} » a été ajoutée à votre compte.",
    "link.readySignIn": "Se connecter",
    "link.readyContinue": "Continuer",
    "link.readyReturn": "Continuer vers {host}",
    "link.readyConsole": "Ouvrir la console",
    "link.readyAccount": "Ouvrir votre compte",
    "link.readySecond":
      "Ajoutez une autre clé d’accès sur un deuxième appareil, au cas où vous perdriez celle-ci. Vous pouvez le faire sur la page de votre compte après vous être connecté.",
    "link.readyUsed": "Le lien que vous avez ouvert ne peut plus servir.",

    "token.label": "Jeton d’accès",
    "token.hint": "Il commence par kst_ et n’est gardé que jusqu’à la déconnexion ou la fermeture de cet onglet.",
    "token.show": "Afficher mes clés d’accès",
    "token.title": "Vos clés d’accès",
    "token.introduction":
      "Avez-vous reçu un lien pour ajouter une clé d’accès ? Ouvrez-le depuis l’e-mail. Pour voir les clés d’accès que vous avez, saisissez un jeton d’accès.",
    "token.malformed": "Saisissez un jeton qui commence par kst_.",
    "token.signingIn": "Connexion…",
    "token.signedInAs": "Connecté en tant que {name}",
    "token.signedOut": "Vous êtes déconnecté. Le jeton lui-même reste valable jusqu’à son expiration ou sa révocation.",
    signOut: "Se déconnecter",

    "passkeys.label": "Clés d’accès",
    "passkeys.none": "Vous n’avez pas encore de clé d’accès.",
    "passkeys.add": "Ajouter une clé d’accès",
    "passkeys.added": "« {name} » a été ajoutée.",
    "passkeys.renamed": "Renommée en « {name} ».",
    "passkeys.removed": "« {name} » a été supprimée.",
    "passkeys.missing": "Cette clé d’accès a été supprimée entre-temps.",

    "passkey.keptBy": "Conservée par",
    "passkey.where": "Emplacement",
    "passkey.oneDevice": "sur un seul appareil",
    "passkey.synced": "synchronisée entre vos appareils",
    "passkey.canSync": "sur un appareil, peut être synchronisée",
    "passkey.former": "Ancienne adresse",
    "passkey.added": "Ajoutée",
    "passkey.lastUsed": "Dernière utilisation",
    "passkey.notUsed": "pas encore",
    "passkey.rename": "Renommer",
    "passkey.renameOne": "Renommer {name}",
    "passkey.remove": "Supprimer",
    "passkey.removeOne": "Supprimer {name}",

    "rename.title": "Renommer cette clé d’accès",
    "rename.name": "Nom",
    "rename.hint": "Pour la reconnaître plus tard.",
    "rename.save": "Enregistrer",
    "remove.title": "Supprimer cette clé d’accès ?",
    "remove.consequence":
      "Vous ne pourrez plus vous connecter avec « {name} ». Votre appareil peut garder sa partie jusqu’à ce que vous l’y supprimiez aussi.",
    "remove.lost": "Elle a été perdue ou volée",
    "remove.lostHint":
      "L’accès d’applications et les jetons d’accès qui ont commencé avec elle prennent alors fin aussi.",
    "ends.these": "Ceci prend fin :",
    "ends.sessions": "Sessions : {count}",
    "ends.applications": "Accès d’applications : {count}",
    "ends.tokens": "Jetons d’accès : {count}",
    "ends.nothing": "Aucune session et aucun accès ne prennent fin.",
    "remove.only":
      "C’est votre seule clé d’accès. Sans elle, vous ne pourrez peut-être plus vous connecter : ajoutez-en d’abord une autre.",

    "start.title": "Bienvenue",
    "start.loading": "Un instant…",
    "start.introduction": "Connectez-vous pour voir votre compte, vos clés d’accès et où vous êtes connecté.",
    "start.account": "Vers votre compte",

    "signIn.title": "Se connecter",
    "signIn.returnToConsole": "La console s’ouvre ensuite.",
    "signIn.returnTo": "Vous continuez ensuite vers {host}.",
    "signIn.introduction": "Utilisez votre empreinte digitale, votre visage ou le code PIN de votre appareil.",
    "signIn.account": "Choisir un compte",
    "signIn.accountHint": "Choisissez une clé d’accès que votre navigateur propose ici.",
    "signIn.button": "Se connecter avec une clé d’accès",
    "signIn.preparing": "Préparation…",
    "signIn.asking": "Suivez les instructions de votre appareil…",
    "signIn.completing": "Connexion…",
    "signIn.signedOut": "Vous êtes déconnecté.",
    "signIn.ended": "Votre session a pris fin. Connectez-vous de nouveau pour continuer.",
    "signIn.help": "Des difficultés à vous connecter ?",
    "signIn.helpPhone":
      "Votre clé d’accès est sur votre téléphone ? Appuyez sur le bouton et choisissez un autre appareil ; un code à scanner apparaît.",
    "signIn.helpFirst": "Pas encore de clé d’accès ? Ouvrez le lien de l’e-mail que vous avez reçu avec votre compte.",
    "former.hint": "Votre clé d’accès a-t-elle été créée quand ce service était à l’adresse {domain} ?",
    "former.button": "Utiliser une clé d’accès de {domain}",
    "former.title": "Votre clé d’accès de {domain}",
    "former.lead": "Utilisez-la ici, à l’ancienne adresse. Vous revenez aussitôt à {host}.",
    "move.title": "Une clé d’accès de plus",
    "move.lead":
      "Votre clé d’accès est celle de {former}, l’ancienne adresse. Ajoutez-en une pour {domain} : l’autre pourrait cesser de fonctionner.",
    "move.later": "Pas maintenant",
    "signIn.lost": "Vous avez perdu votre clé d’accès ?",
    "discovery.continue": "Continuer",
    "discovery.looking": "Recherche de votre organisation…",
    "discovery.choose": "Choisissez comment vous connecter.",
    "discovery.none":
      "Ici, aucune organisation ne connecte les adresses de ce domaine. Connectez-vous avec votre clé d’accès.",

    "provider.or": "ou",
    "provider.more": "Plus de fournisseurs",
    "provider.signIn": "Se connecter avec {name}",
    "provider.link": "Associer {name}",
    "provider.returned": "Un instant",
    "provider.linking": "Association…",
    "provider.toAccount": "Retour à votre compte",
    "provider.linkedAt": "Associé",
    "provider.subject": "Connu là-bas sous le nom",
    "provider.unlink": "Dissocier",
    "provider.unlinkOne": "Dissocier {name}",
    "provider.unlinkTitle": "Dissocier ce fournisseur ?",
    "provider.unlinkConsequence":
      "Vous ne pourrez plus vous connecter avec {name}, et là où vous l’avez fait, vous êtes déconnecté. Votre compte là-bas reste.",
    "provider.onlyWay":
      "Vous n’avez pas de clé d’accès. Sans elle, vous ne pourrez peut-être plus vous connecter : ajoutez-en d’abord une.",
    "provider.unlinked": "{name} est dissocié.",
    "provider.linked": "Le fournisseur est associé. Vous pouvez désormais vous connecter avec lui.",

    "links.label": "Autres moyens de se connecter",
    "links.hint": "Les fournisseurs que vous avez associés vous connectent aussi.",
    "links.none": "Associez un compte que vous avez ailleurs pour vous connecter avec lui.",

    "recovery.title": "Récupérer votre compte",
    "recovery.introduction":
      "Si votre organisation l’autorise, vous recevez par e-mail un lien pour enregistrer une nouvelle clé d’accès. Sinon, demandez un lien à votre administrateur.",
    "recovery.off":
      "Votre organisation n’envoie pas de liens par e-mail aux personnes qui ont perdu leurs clés d’accès. Demandez à votre administrateur, ou à la personne qui vous a invité, un lien pour enregistrer une nouvelle clé d’accès.",
    "mailForm.address": "Adresse e-mail",
    "recovery.addressHint": "Celle de votre compte.",
    "mailForm.noAddress": "Saisissez une adresse e-mail telle que nom@example.com.",
    "mailForm.button": "Envoyer un lien",
    "mailForm.sending": "Envoi…",
    "signIn.back": "Retour à la connexion",
    "mailForm.sent": "Consultez votre boîte aux lettres",
    "recovery.ifKnown": "Si un compte récupérable par e-mail a cette adresse, un lien est en route.",
    "recovery.open":
      "Il fonctionne une fois, pendant 30 minutes. Ouvrez-le sur l’appareil avec lequel vous voulez vous connecter.",
    "recovery.noMail":
      "Pas d’e-mail après quelques minutes ? Cherchez-en un plus ancien dans vos indésirables, ou demandez un lien à votre administrateur.",

    "signUp.title": "Créer un compte",
    "signUp.introduction": "Vous recevez par e-mail un lien qui crée votre compte.",
    "signUp.addressHint": "Vous y recevez le lien.",
    "signUp.name": "Votre nom",
    "signUp.nameHint": "Tel que les autres le voient. Vous pouvez le laisser vide.",
    "signUp.sent": "Un lien est en route.",
    "signUp.open": "Il fonctionne pendant 24 heures. Ouvrez-le sur l’appareil avec lequel vous voulez vous connecter.",
    "signUp.noMail": "Pas d’e-mail après quelques minutes ? Regardez dans vos indésirables, et vérifiez l’adresse.",
    "signUp.confirmTitle": "Créer votre compte",
    "signUp.confirmText":
      "Votre adresse e-mail est confirmée. Créez le compte, puis ajoutez une clé d’accès pour vous connecter.",
    "signUp.confirm": "Créer le compte",

    "connect.title": "Connecter un appareil",
    "connect.introduction": "Saisissez le code que l’appareil affiche.",
    "connect.code": "Code",
    "connect.codeHint": "Huit lettres, comme WDJB-MJHT.",
    "connect.noCode": "Saisissez le code.",
    "connect.continue": "Continuer",
    "connect.finding": "Recherche du code…",
    "connect.ask": "Connecter {name} à votre compte ?",
    "connect.account": "Vous êtes connecté en tant que {account}.",
    "connect.isShown": "Votre appareil affiche-t-il ce code ?",
    "connect.yes": "Oui, ce code",
    "connect.no": "Non",
    "connect.warning":
      "Quelqu’un vous a-t-il envoyé le code ou un lien vers cette page ? Alors appuyez sur {no} : cette personne obtiendrait l’accès à votre compte.",
    "connect.gets": "L’appareil peut :",
    "connect.allow": "Autoriser",
    "connect.done": "Votre appareil est connecté",
    "connect.doneNext": "Continuez sur l’appareil. Vous pouvez fermer cette page.",
    "connect.denied": "L’appareil n’obtient aucun accès",
    "connect.deniedNext": "Vous pouvez fermer cette page.",

    "account.title": "Votre compte",
    "account.console": "Console",
    "profile.label": "À propos de vous",
    "profile.change": "Modifier vos informations",
    "profile.changed": "Vos informations ont été modifiées.",
    "profile.displayName": "Nom affiché",
    "profile.givenName": "Prénom",
    "profile.familyName": "Nom de famille",
    "profile.locale": "Langue",
    "profile.localeHint": "Sous forme de code de langue, tel que fr ou pt-BR.",
    "profile.zoneinfo": "Fuseau horaire",
    "profile.zoneinfoHint": "Sous forme de nom, tel que Europe/Paris.",
    "profile.picture": "Photo",
    "profile.pictureHint": "Le centre d’une image. Les applications que vous utilisez peuvent l’afficher.",
    "profile.noPicture": "Choisissez un fichier qui est une image.",
    "profile.removePicture": "Supprimer la photo actuelle",
    "profile.email": "Adresse e-mail",
    "profile.refused": "Le serveur refuse cette valeur : {violation}.",
    "profile.listHint": "Une valeur par ligne.",
    "profile.noNumber": "Saisissez un nombre.",
    "profile.unset": "Non renseigné",
    "profile.yes": "Oui",
    "profile.no": "Non",
    "email.change": "Modifier votre adresse e-mail",
    "email.add": "Ajouter une adresse e-mail",
    "email.verify": "Confirmer votre adresse e-mail",
    "email.unverified": "non confirmée",
    "email.introduction":
      "Un lien est envoyé à cette adresse. Tant que vous ne l’ouvrez pas, rien ne change. Si l’adresse est nouvelle, votre adresse actuelle reçoit un avis.",
    "email.new": "Adresse e-mail",
    "email.newHint": "Le lien fonctionne pendant 24 heures.",
    "email.same": "C’est déjà votre adresse e-mail, et elle est confirmée.",
    "email.send": "Envoyer un lien",
    "email.sent": "Un lien a été envoyé à {address}. Ouvrez-le là où vous êtes connecté.",
    "email.pending": "{address} attend votre confirmation : ouvrez le lien qui y a été envoyé, avant le {until}.",
    "email.cancel": "Annuler cette modification",
    "email.cancelled": "La modification de votre adresse e-mail a été annulée.",
    "email.confirmTitle": "Utiliser cette adresse e-mail ?",
    "email.confirmText": "{address} devient l’adresse e-mail de votre compte.",
    "email.confirmAny": "L’adresse à laquelle vous avez reçu le lien devient l’adresse e-mail de votre compte.",
    "email.confirm": "Utiliser cette adresse",
    "email.confirmed": "Votre adresse e-mail est confirmée.",
    "account.loading": "Chargement de votre compte…",
    "account.passkeysHint": "Chacune vous connecte. Gardez-en deux, sur des appareils différents.",
    "account.noPasskeysHint": "Ajoutez-en une, pour pouvoir vous connecter de nouveau.",
    "account.onlyProvidersHint": "Ajoutez-en une pour vous connecter sans votre fournisseur.",
    "account.formerHint":
      "Ajoutez-en une pour {domain} : celles de l’ancienne adresse pourraient cesser de fonctionner.",
    "account.onePasskeyHint":
      "Vous en avez une. Ajoutez-en une deuxième sur un autre appareil, au cas où vous perdriez celle-ci.",

    "sessions.label": "Où vous êtes connecté",
    "sessions.hint":
      "Si vous ne reconnaissez pas l’une de ces sessions, déconnectez-la, et supprimez les clés d’accès qui ne sont pas les vôtres.",
    "sessions.unknownDevice": "Appareil inconnu",
    "sessions.current": "Cet appareil",
    "sessions.signedIn": "Connecté",
    "sessions.lastSeen": "Dernière activité",
    "sessions.address": "Adresse IP",
    "sessions.end": "Déconnecter",
    "sessions.endOne": "Déconnecter {name}",
    "sessions.ended": "« {name} » est déconnecté.",
    "sessions.gone": "Cette session avait déjà pris fin.",
    "sessions.everywhere": "Se déconnecter partout",
    "sessions.everywhereTitle": "Se déconnecter partout ?",
    "sessions.everywhereConsequence":
      "Toutes vos sessions prennent fin, celle-ci aussi. Vos clés d’accès restent et vous connectent de nouveau. Vos jetons d’accès, et l’accès d’applications qui dure jusqu’à ce que vous y mettiez fin, continuent.",
    "sessions.only": "Vous n’êtes connecté que sur cet appareil.",

    "confirm.title": "Confirmez votre identité",
    "confirm.text":
      "Vous vous êtes connecté il y a un certain temps. Utilisez de nouveau une de vos clés d’accès pour continuer.",
    "confirm.button": "Utiliser une clé d’accès",
    "confirm.provider": "Se reconnecter avec votre fournisseur",
    "confirm.providerText": "Ou reconnectez-vous avec votre fournisseur, puis répétez la modification.",

    "request.host": "à l’adresse {host}",
    "request.named": "se nomme « {name} »",
    "request.returnsTo": "revient à {host}",
    "request.unknownSite":
      "Personne ici n’a vérifié cette application. Elle choisit elle-même son nom : ne l’autorisez que si vous connaissez {host}.",
    "request.unknownProgram":
      "C’est un programme de votre appareil. Tout programme peut prétendre venir de {host} : ne l’autorisez que si vous venez de le lancer.",
    "request.account": "Compte",
    "request.chooseTitle": "Choisir un compte",
    "request.continue": "Continuer",
    "request.another": "Utiliser un autre compte",
    "request.otherwise": "Se connecter autrement",
    "request.consentTitle": "Autoriser l’accès à votre compte ?",
    "request.consent": "Si vous l’autorisez, {name} peut :",
    "request.allow": "Autoriser",
    "request.again": "{name} vous demande de vous connecter de nouveau.",
    "request.passkey":
      "{name} demande une clé d’accès avec l’empreinte digitale, le visage ou le code PIN de votre appareil.",
    "request.back": "Retour à l’application",
    "request.backTo": "Retour à {host}",
    "request.leaving": "Vous revenez à {name}.",
    "request.openTitle": "Continuez dans l’application",
    "request.openText": "Votre navigateur ouvre {name}. Si rien ne se passe, appuyez sur le bouton.",
    "request.open": "Ouvrir l’application",
    "request.goBack": "Retour",
    "request.reason": "Pour l’administrateur de l’application : ",
    "logout.title": "Se déconnecter ?",
    "logout.text": "{name} demande à vous déconnecter ici.",
    "logout.textUnnamed": "Une application demande à vous déconnecter ici.",
    "logout.stay": "Rester connecté",
    "request.toAccount": "Aller à votre compte",

    "scope.openid": "Savoir qui vous êtes",
    "scope.profile": "Voir votre nom et votre nom d’utilisateur",
    "scope.email": "Voir votre adresse e-mail",
    "scope.groups": "Voir les groupes dont vous faites partie",
    "scope.offlineAccess": "Rester connectée en votre absence",
    "scope.other": "Utiliser « {scope} »",
    "access.resource": "L’accès vaut pour {resource}.",
    "access.offline": "L’accès dure jusqu’à ce que vous y mettiez fin sur la page de votre compte.",
    "access.session":
      "L’accès prend fin quand vous vous déconnectez. Vous pouvez y mettre fin plus tôt sur la page de votre compte.",

    "grants.label": "Applications que vous utilisez",
    "grants.hint": "Vous leur avez donné accès à votre compte.",
    "grants.can": "Peut",
    "grants.since": "Depuis",
    "grants.narrow": "Modifier",
    "grants.narrowOne": "Modifier l’accès de {name}",
    "grants.narrowTitle": "Modifier l’accès",
    "grants.narrowQuestion": "{name} peut :",
    "grants.narrowConsequence":
      "{name} perd en quelques minutes ce que vous décochez. L’application garde ce qu’elle a déjà lu, et peut vous redemander l’accès.",
    "grants.narrowSave": "Enregistrer",
    "grants.narrowed": "L’accès de {name} a été modifié.",
    "grants.revoke": "Mettre fin à l’accès",
    "grants.revokeOne": "Mettre fin à l’accès de {name}",
    "grants.revokeTitle": "Mettre fin à l’accès ?",
    "grants.revokeConsequence":
      "{name} est déconnectée de votre compte, et vous redemande l’accès à la prochaine connexion. L’application garde ce qu’elle a déjà lu.",
    "grants.revoked": "{name} n’a plus accès.",

    "tokens.label": "Jetons d’accès",
    "tokens.hint": "Un programme qui en a un agit en votre nom. Supprimez ceux que vous ne reconnaissez pas.",
    "tokens.unnamed": "Jeton sans nom",
    "tokens.certificate": "Certificat",
    "tokens.created": "Créé",
    "tokens.creator": "Par",
    "tokens.byYou": "vous",
    "tokens.byOther": "quelqu’un d’autre",
    "tokens.expires": "Valable jusqu’à",
    "tokens.unlimited": "sa suppression",
    "tokens.remove": "Supprimer",
    "tokens.removeOne": "Supprimer le jeton {name}",
    "tokens.removeTitle": "Supprimer ce jeton ?",
    "tokens.removeConsequence": "Les programmes qui utilisent « {name} » sont aussitôt refusés.",
    "tokens.removed": "« {name} » a été supprimé.",
  },

  refusals: {
    LINK_EXPIRED: ["Ce lien a expiré", `Les liens fonctionnent pendant un temps limité. ${NEW_LINK}`],
    LINK_USED: [
      "Ce lien a déjà servi",
      "Une clé d’accès a été ajoutée avec lui, et chaque lien en ajoute une. Si ce n’était pas vous, prévenez immédiatement votre administrateur. " +
        "Pour ajouter une autre clé d’accès, demandez un nouveau lien.",
    ],
    LINK_REPLACED: [
      "Il y a un lien plus récent",
      "Un autre lien vous a été envoyé après celui-ci, et seul le plus récent fonctionne. Ouvrez celui-là.",
    ],
    LINK_TRIED_TOO_OFTEN: ["Ce lien a été essayé trop souvent", `Il ne fonctionne plus. ${NEW_LINK}`],
    USER_LOCKED: [
      "Ce compte est verrouillé",
      "Personne ne peut s’y connecter tant qu’il n’est pas déverrouillé. Adressez-vous à votre administrateur.",
    ],
    RECOVERY_NOT_ALLOWED: [
      "La récupération par e-mail n’est plus possible",
      "Votre organisation l’a modifié depuis l’envoi de l’e-mail. Demandez un nouveau lien à votre administrateur.",
    ],
    EMAIL_SET_BY_OTHERS: [
      "Ce lien est en attente",
      "Demandez à votre administrateur de confirmer votre adresse e-mail. Ouvrez ensuite de nouveau le lien.",
    ],
    LINK_INVALID: [
      "Ce lien ne fonctionne pas",
      "Il en manque peut-être une partie : ouvrez-le directement depuis l’e-mail, ou copiez-le en entier. S’il ne fonctionne toujours pas, demandez-en un nouveau à la personne qui vous l’a envoyé.",
    ],

    USER_CODE_INVALID: [
      "Ce code ne fonctionne pas",
      "Comparez-le avec l’appareil. Chaque code fonctionne une fois, pendant dix minutes : l’appareil peut en afficher un nouveau.",
    ],

    TOO_MANY_GRANTS: [
      "Vous utilisez le nombre maximal d’applications",
      "Mettez fin, sur la page de votre compte, à l’accès de celles que vous n’utilisez plus, puis réessayez.",
    ],

    TOO_MANY_ATTEMPTS: [
      "Il y a eu trop d’essais manqués",
      "L’enregistrement a été arrêté pour protéger votre compte. Recommencez depuis le début.",
    ],
    TOO_MANY_PASSKEYS: [
      "Vous avez le nombre maximal de clés d’accès",
      "Supprimez-en une que vous n’utilisez plus, ou demandez-le à votre administrateur, puis réessayez.",
    ],
    TOO_MANY_CEREMONIES: [
      "Trop d’essais sont encore en cours",
      "Attendez dix minutes qu’ils expirent, puis réessayez.",
    ],
    CEREMONY_ENDED: [
      "Cet enregistrement a été arrêté",
      "Il a été annulé, ou votre compte a été modifié ou supprimé, pendant que votre appareil créait la clé d’accès. Rien n’a été enregistré. " +
        "Réessayez ; si cela ne fonctionne pas, adressez-vous à votre administrateur.",
    ],
    CHALLENGE_EXPIRED: [
      "Cela a pris trop de temps",
      "Rien n’a été enregistré. Réessayez, et terminez en moins de dix minutes.",
    ],
    CHALLENGE_USED: [
      "Cet essai est déjà terminé",
      "Une clé d’accès a été enregistrée avec lui. Si ce n’était pas vous, prévenez immédiatement votre administrateur.",
    ],
    PASSKEY_NOT_FOUND: ["Cette clé d’accès n’est plus ici", "Elle a été supprimée entre-temps. Rechargez la liste."],

    CREDENTIAL_ALREADY_REGISTERED: [
      "Cette clé d’accès est déjà enregistrée",
      "Utilisez un autre appareil, une autre clé de sécurité ou un autre gestionnaire de mots de passe pour en créer une nouvelle.",
    ],
    CREDENTIAL_MALFORMED: [
      "Votre appareil a donné une réponse illisible",
      "Rien n’a été enregistré. Réessayez ; si cela se reproduit, mettez le navigateur à jour ou utilisez un autre appareil.",
    ],
    CREDENTIAL_NOT_VERIFIED: [
      "La réponse de votre appareil n’a pas pu être vérifiée",
      "Rien n’a été enregistré. Réessayez ; si cela se reproduit, mettez le navigateur à jour ou utilisez un autre appareil.",
    ],
    ORIGIN_NOT_ALLOWED: [
      "Les clés d’accès ne peuvent pas être ajoutées à cette adresse",
      "Vérifiez que l’adresse dans le navigateur est celle qui vous a été donnée. Si c’est le cas, ce serveur n’est pas configuré pour elle : prévenez votre administrateur.",
    ],
    USER_NOT_VERIFIED: [
      "Votre appareil n’a pas vérifié votre identité",
      "Configurez-y un code PIN, une empreinte digitale ou la reconnaissance faciale, ou utilisez un autre appareil, puis réessayez.",
    ],
    ALGORITHM_NOT_ALLOWED: [
      "Ce type de clé d’accès ne peut pas être utilisé ici",
      "Votre appareil a créé une clé d’un type qui n’est pas accepté. Utilisez un autre appareil ou une autre clé de sécurité.",
    ],
    ATTESTATION_NOT_ALLOWED: [
      "Cet appareil ne peut pas être utilisé ici",
      "Il s’est identifié d’une façon qui n’est pas acceptée. Utilisez un autre appareil ou une autre clé de sécurité.",
    ],
    INVALID_FIELDS: ["Une saisie du formulaire n’est pas acceptée", "Modifiez le nom, puis réessayez."],

    UNAUTHENTICATED: [
      "Ce jeton n’est pas valable",
      "Il a expiré, a été révoqué ou n’est pas complet. Connectez-vous avec un autre.",
    ],
    EMAIL_CHANGE_INVALID: [
      "Ce lien est incomplet",
      "Ouvrez-le tel qu’il est dans l’e-mail, ou demandez-en un autre sous « À propos de vous ».",
    ],
    EMAIL_CHANGE_OF_OTHER_USER: [
      "Ce lien est celui d’un autre compte",
      "Connectez-vous à cet autre compte, puis ouvrez de nouveau le lien depuis l’e-mail.",
    ],
    EMAIL_CHANGE_EXPIRED: ["Ce lien a expiré", "Demandez-en un autre sous « À propos de vous »."],
    EMAIL_CHANGE_ENDED: [
      "Ce lien n’est plus valable",
      "Il a déjà servi, ou la modification a été annulée ou remplacée. Votre adresse e-mail figure sous « À propos de vous ».",
    ],
    EMAIL_TAKEN: [
      "Un autre compte a cette adresse e-mail",
      "Utilisez une autre adresse, ou adressez-vous à votre administrateur.",
    ],
    EMAIL_FROM_PROVIDER: [
      "Votre adresse e-mail vient de votre fournisseur d’identité",
      "Modifiez-la chez lui. Elle sera reprise ici à votre prochaine connexion avec ce fournisseur.",
    ],
    SMTP_CONFIG_MISSING: [
      "Aucun e-mail ne peut être envoyé",
      "Le service n’a pas encore de serveur de messagerie. Adressez-vous à votre administrateur.",
    ],
    TOO_MANY_MAILS: [
      "Trop d’e-mails ont été envoyés à cette adresse",
      "Réessayez dans une heure, ou utilisez une autre adresse.",
    ],
    PROFILE_KEPT: [
      "Votre organisation gère ces informations",
      "Seul un administrateur peut les modifier. Adressez-vous à votre administrateur.",
    ],
    PERMISSION_DENIED: [
      "Vous n’en avez pas le droit",
      "Votre compte n’a pas la permission. Adressez-vous à votre administrateur.",
    ],
    USER_NOT_FOUND: ["Ce compte est introuvable", "Il a peut-être été supprimé. Adressez-vous à votre administrateur."],
    NOT_FOUND: ["Ce compte est introuvable", "Il a peut-être été supprimé. Adressez-vous à votre administrateur."],
    RESOURCE_EXHAUSTED: ["Il y a eu trop de requêtes", "Attendez une minute, puis réessayez."],
    UNAVAILABLE: [
      "Le service n’est pas disponible pour l’instant",
      "Cela dure en général moins d’une minute. Réessayez.",
    ],
    DEADLINE_EXCEEDED: ["Le service a mis trop de temps à répondre", "Réessayez dans un moment."],
    ABORTED: ["Quelqu’un a modifié la même chose au même moment", "Réessayez."],
    UNREACHABLE: ["Le service est injoignable", "Vérifiez votre connexion, puis réessayez."],
    OFFLINE: ["Vous êtes hors ligne", "Connectez-vous à internet, puis réessayez."],
    UNKNOWN: ["Une erreur s’est produite", "Réessayez. Si cela se reproduit, prévenez votre administrateur."],

    SIGN_IN_FAILED: [
      "Vous n’avez pas pu être connecté",
      "Réessayez, ou utilisez une autre clé d’accès. Si cela se reproduit, adressez-vous à votre administrateur.",
    ],
    PASSKEY_UNKNOWN: [
      "Cette clé d’accès ne vous connecte plus",
      "Elle a été supprimée de son compte. Utilisez-en une autre, ou demandez à votre administrateur un lien pour en ajouter une nouvelle.",
    ],
    SIGN_IN_EXPIRED: ["Cela a pris trop de temps", "Réessayez, et terminez en moins de dix minutes."],
    SIGN_IN_USED: ["Cet essai est déjà terminé", "Réessayez."],
    SIGN_IN_NOT_MADE: [
      "Vous n’avez pas été connecté",
      "La connexion a été annulée, a pris trop de temps, ou cet appareil n’a pas de clé d’accès pour ce service. Réessayez quand vous serez prêt.",
    ],
    SIGN_IN_UNREADABLE: [
      "Votre appareil a donné une réponse illisible",
      "Réessayez ; si cela se reproduit, mettez le navigateur à jour ou utilisez un autre appareil.",
    ],
    SIGN_IN_NOT_HERE: [
      "Vous ne pouvez pas vous connecter à cette adresse",
      "Vérifiez que l’adresse dans le navigateur est celle qui vous a été donnée. Si c’est le cas, ce serveur n’est pas configuré pour elle : prévenez votre administrateur.",
    ],
    SIGN_IN_NO_WEBAUTHN: [
      "Ce navigateur ne peut pas utiliser de clés d’accès",
      "Utilisez une version à jour de Chrome, Edge, Firefox ou Safari. Les navigateurs intégrés à d’autres applications en sont souvent incapables.",
    ],
    SIGN_IN_INSECURE: [
      "Cette connexion n’est pas sécurisée",
      "Les navigateurs n’utilisent les clés d’accès qu’à des adresses sécurisées, celles qui commencent par https://. Ouvrez cette page à une telle adresse.",
    ],
    COOKIES_BLOCKED: [
      "Ce navigateur bloque les cookies",
      "Vous restez connecté grâce à un cookie de cette adresse. Autorisez pour elle les cookies et les données de site dans les réglages du navigateur, puis rechargez cette page.",
    ],
    STORAGE_BLOCKED: [
      "Ce navigateur bloque le stockage",
      "L’aller et retour chez le fournisseur en a besoin. Autorisez pour cette adresse les cookies et les données de site dans les réglages du navigateur, puis rechargez cette page.",
    ],
    NOT_CONFIRMED: [
      "Vous n’avez pas confirmé votre identité",
      "La confirmation a été annulée ou a pris trop de temps. Rien n’a été modifié. Réessayez quand vous serez prêt.",
    ],
    SESSION_ENDED: ["Votre session a pris fin", "Connectez-vous de nouveau pour continuer."],

    AUTHORIZATION_REQUEST_EXPIRED: [
      "Cette connexion a pris fin",
      "Elle a été terminée, a duré plus de dix minutes, ou son adresse est incomplète. Retournez à l’application et recommencez.",
    ],
    UNKNOWN_CLIENT: [
      "Cette application n’est pas connue ici",
      "La connexion ne peut pas continuer. Retournez à l’application, et dites à son administrateur de vérifier son client_id.",
    ],
    REDIRECT_URI_NOT_REGISTERED: [
      "Le retour vers l’application n’est pas enregistré",
      "La connexion ne peut pas continuer, car la réponse pourrait aller à quelqu’un d’autre. Retournez à l’application, et prévenez son administrateur, qui peut enregistrer sa redirect_uri.",
    ],
    CLIENT_METADATA_INVALID: [
      "La description de l’application n’est pas valable",
      "La connexion ne peut pas continuer. Dites à l’administrateur de l’application de vérifier le document de son client_id.",
    ],
    CLIENT_METADATA_UNREACHABLE: [
      "La description de l’application ne peut pas être lue",
      "Le document de son client_id ne répond pas pour l’instant. Retournez à l’application et réessayez dans un moment.",
    ],
    LOGOUT_NOT_POSSIBLE: [
      "L’application a envoyé une demande de déconnexion incorrecte",
      "Vous êtes toujours connecté ici. Déconnectez-vous sur la page de votre compte, et dites à l’administrateur de l’application de vérifier l’id_token_hint et le client_id de sa demande.",
    ],
    LOGOUT_REQUEST_INVALID: [
      "Cette demande de déconnexion n’est pas valable",
      "Elle a duré plus de dix minutes, ou son adresse est incomplète. Retournez à l’application et déconnectez-vous de nouveau, ou déconnectez-vous sur la page de votre compte.",
    ],
    POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED: [
      "Le retour vers l’application n’est pas enregistré",
      "Vous êtes toujours connecté. Prévenez l’administrateur de l’application, qui peut enregistrer sa post_logout_redirect_uri.",
    ],
    AUTHORIZATION_INVALID: [
      "L’application a envoyé une demande incorrecte",
      "La connexion ne peut pas continuer. Retournez à l’application, et prévenez son administrateur, qui trouve cette demande et son remède par l’identifiant de requête.",
    ],
    AUTHORIZATION_FAILED: [
      "La connexion ne peut pas continuer",
      "Retournez à l’application et recommencez. Si cela se reproduit, prévenez son administrateur.",
    ],
    ANOTHER_ACCOUNT_REQUIRED: [
      "L’application demande un autre compte",
      "Ce n’est pas celui avec lequel vous êtes connecté ici. Utilisez le compte que vous aviez utilisé auparavant dans l’application.",
    ],
    APPLICATION_NOT_ALLOWED: [
      "Votre compte n’a pas le droit d’utiliser cette application",
      "Demandez l’accès à son administrateur, ou utilisez un autre compte.",
    ],
    EMAIL_REQUIRED: [
      "Votre compte n’a pas d’adresse e-mail",
      "L’application en exige une. Demandez à l’administrateur de votre organisation de l’ajouter à votre compte.",
    ],
    PASSKEY_REQUIRED: [
      "Cette clé d’accès ne suffit pas",
      "L’application en demande une qui s’utilise avec l’empreinte digitale, le visage ou le code PIN de votre appareil. Utilisez une autre clé d’accès.",
    ],

    SIGN_UP_NOT_ALLOWED: [
      "Vous ne pouvez pas créer de compte ici",
      "Demandez une invitation aux responsables de ce service.",
    ],
    SIGN_UP_EXPIRED: [
      "Ce lien ne fonctionne plus",
      "Il est incomplet, ou date de plus de 24 heures. Demandez-en un autre sur la page de connexion.",
    ],
    SIGN_UP_USED: [
      "Ce lien a déjà servi",
      "Il a créé votre compte. Connectez-vous avec votre clé d’accès, ou demandez un lien aux responsables de ce service.",
    ],
    SIGN_UP_USER_EXISTS: [
      "Vous avez déjà un compte",
      "Il a cette adresse e-mail. Connectez-vous avec votre clé d’accès. Si vous l’avez perdue, la page de connexion peut vous envoyer un nouveau lien par e-mail.",
    ],

    NOT_REGISTERED: [
      "Il n’y a pas encore de compte pour vous ici",
      "Personne ici n’est associé au compte que vous avez utilisé. Connectez-vous autrement et associez-le, ou demandez un compte à votre administrateur.",
    ],
    USER_EXISTS_LINK_FIRST: [
      "Vous avez déjà un compte ici",
      "Pour votre sécurité, il n’est pas associé par son nom ou son adresse e-mail. Connectez-vous avec votre clé d’accès, puis associez ce fournisseur sur la page de votre compte.",
    ],
    ROLES_EXCEED_PROVIDER: [
      "Votre compte n’utilise pas ce fournisseur",
      "Il a plus de droits que les personnes qui gèrent le fournisseur. Connectez-vous avec votre clé d’accès.",
    ],
    IDENTITY_LINKED: [
      "Ce compte est déjà associé",
      "Il appartient ici à un autre utilisateur, ou à vous. Pour changer cela, connectez-vous avec lui et dissociez-le.",
    ],
    FLOW_EXPIRED: [
      "Cela a pris trop de temps",
      "Rien n’a été modifié. Réessayez, et terminez en moins de dix minutes.",
    ],
    FLOW_USED: ["Cet essai est déjà terminé", "Rien n’a été modifié. Recommencez depuis le début."],
    FLOW_LOST: [
      "Cette connexion ne peut pas continuer ici",
      "La page a été rechargée, ou vous avez commencé dans un autre onglet ou navigateur. Rien n’a été modifié. Recommencez depuis le début.",
    ],
    IDP_DENIED: [
      "Le fournisseur ne vous a pas laissé passer",
      "Vous avez annulé, ou il a refusé. Réessayez, ou connectez-vous autrement.",
    ],
    IDP_DID_NOT_REAUTHENTICATE: [
      "Le fournisseur ne vous a pas fait vous reconnecter",
      "Il a poursuivi une connexion antérieure. Rien n’a été modifié. Déconnectez-vous chez le fournisseur, et réessayez.",
    ],
    IDP_UNREACHABLE: [
      "Le fournisseur est injoignable",
      "Cela dure en général quelques minutes. Réessayez, ou connectez-vous autrement.",
    ],
    IDP_NOT_CONFIGURED: [
      "Vous ne pouvez pas vous connecter avec ce fournisseur",
      "Il n’est pas configuré pour cette adresse, ou a été supprimé. Connectez-vous autrement, ou prévenez votre administrateur.",
    ],
    IDP_DISABLED: [
      "Ce fournisseur est désactivé",
      "Pour l’instant, personne ne peut se connecter avec lui. Connectez-vous autrement, ou adressez-vous à votre administrateur.",
    ],
    PROVIDER_NOT_VERIFIED: [
      "Vous n’avez pas pu être connecté",
      "Les informations du fournisseur n’ont pas pu être vérifiées. Réessayez ; si cela se reproduit, prévenez votre administrateur.",
    ],

    NotAllowedError: [
      "Aucune clé d’accès n’a été créée",
      "La création a été annulée, a pris trop de temps, ou votre appareil ne la permet pas. Réessayez quand vous serez prêt.",
    ],
    InvalidStateError: [
      "Cet appareil a déjà une de vos clés d’accès",
      "Vous pouvez vous connecter avec celle qui s’y trouve. Pour en ajouter une autre, utilisez un autre appareil, une autre clé de sécurité ou un autre gestionnaire de mots de passe.",
    ],
    SecurityError: [
      "Les clés d’accès ne peuvent pas être créées à cette adresse",
      "L’adresse dans le navigateur n’est pas celle de vos clés d’accès. Ouvrez cette page à l’adresse qui vous a été donnée.",
    ],
    NotSupportedError: [
      "Cet appareil ne peut pas créer la clé d’accès nécessaire",
      "Utilisez un autre appareil, une autre clé de sécurité ou un autre gestionnaire de mots de passe.",
    ],
    ConstraintError: [
      "Cet appareil ne peut pas vérifier votre identité",
      "Configurez-y un verrouillage d’écran, un code PIN ou une empreinte digitale, ou utilisez un autre appareil, puis réessayez.",
    ],
    AbortError: ["La clé d’accès n’a pas été terminée", "Autre chose l’a interrompue. Réessayez."],
    NO_WEBAUTHN: [
      "Ce navigateur ne peut pas créer de clés d’accès",
      "Utilisez une version à jour de Chrome, Edge, Firefox ou Safari. Les navigateurs intégrés à d’autres applications en sont souvent incapables.",
    ],
    INSECURE_CONTEXT: [
      "Cette connexion n’est pas sécurisée",
      "Les navigateurs ne créent des clés d’accès qu’à des adresses sécurisées, celles qui commencent par https://. Ouvrez cette page à une telle adresse.",
    ],
  },
};
