/** The text of the console in French, without that of its first view. */

import type { ConsoleWords } from "../types";

export const words: ConsoleWords<"fr"> = {
  add: "Ajouter",
  save: "Enregistrer",
  saved: "Enregistré.",
  cancel: "Annuler",
  close: "Fermer",
  discard: "Abandonner les modifications",
  nothingChanged: "Rien n’a été modifié.",
  remove: "Supprimer",
  removeImage: "Supprimer l’image",
  image: "Une image",
  look: "Aperçu",
  optional: "(facultatif)",
  choose: "Choisir…",
  default: "Par défaut",
  nothingToChoose: "Il n’y a encore rien à choisir.",
  yes: "Oui",
  no: "Non",
  never: "Jamais",
  none: "Aucun",
  once: "Copiez ceci maintenant. Il ne sera plus affiché.",
  details: "Détails",
  settings: "Paramètres",
  state: "État",
  created: "Créé",
  changed: "Modifié",
  search: "Rechercher",

  "conflict.title": "Quelqu’un d’autre a fait une modification",
  "conflict.text":
    "Depuis que vous l’avez ouvert, ces champs ont été enregistrés avec d’autres valeurs. Vos saisies sont toujours là.",
  "conflict.field": "Champ",
  "conflict.theirs": "Valeur enregistrée",
  "conflict.mine": "Votre saisie",
  "conflict.unchanged": "non modifié",
  "conflict.keepMine": "Enregistrer mes saisies",
  "conflict.takeTheirs": "Abandonner mes saisies",

  "limit.required": "Saisissez une valeur.",
  "limit.choose": "Choisissez une valeur.",
  "limit.maxLength": "Saisissez au plus {most} caractères.",
  "limit.maxItems": "Saisissez au plus {most} lignes.",
  "limit.range": "Saisissez un nombre de {least} à {most}.",
  "limit.number": "Saisissez un nombre entier.",
  "limit.pattern": "Cette forme n’est pas acceptée.",
  "limit.item": "Ligne {number} : {text}",
  "limit.pair": "Écrivez un nom, = et une valeur.",

  "field.name": "Nom",
  "field.displayName": "Nom affiché",
  "field.userName": "Nom d’utilisateur",
  "field.email": "Adresse e-mail",
  "field.givenName": "Prénom",
  "field.familyName": "Nom de famille",
  "field.locale": "Langue",
  "hint.locale": "Un code de langue tel que fr ou pt-BR.",
  "field.zoneinfo": "Fuseau horaire",
  "hint.zoneinfo": "Un nom tel que Europe/Paris.",
  "field.externalId": "ID dans un autre système",
  "field.keepsProfiles": "Seuls les administrateurs modifient les noms et les langues des utilisateurs",
  "field.allowsMailRecovery": "Récupération par e-mail",
  "hint.allowsMailRecovery":
    "Les utilisateurs sans rôle qui ont perdu toutes leurs clés d’accès peuvent se faire envoyer un lien par e-mail. Leur boîte aux lettres suffit alors pour se connecter en leur nom.",

  "field.allowsMailFallback": "E-mails par l’instance",
  "hint.allowsMailFallback":
    "Quand le serveur de messagerie de l’organisation est en panne, celui de l’instance envoie ses e-mails, avec l’expéditeur de l’instance.",
  "field.allowsSignUp": "Inscription",
  "hint.allowsSignUp":
    "Les personnes s’inscrivent elles-mêmes par un lien envoyé à leur adresse e-mail. La page de connexion avec l’ID de l’organisation, /signin/?org_id=…, le propose.",
  "field.clientMetadataHosts": "Hôtes d’applications à ne pas ajouter une à une",
  "hint.clientMetadataHosts":
    "Un par ligne, tel que app.example.com. Les clients MCP, par exemple, y publient un document à leur sujet. * vaut pour tous les hôtes.",

  "organizations.lead":
    "Les utilisateurs, les groupes, les applications et les fournisseurs d’identité appartiennent à une organisation.",
  "organizations.add": "Ajouter une organisation",
  "organizations.default": "Organisation par défaut",
  "organizations.none": "Il n’y a aucune organisation.",
  "organizations.open": "Ouvrir",
  "organizations.openOne": "Ouvrir {name}",
  brand: "Marque",
  "brand.lead":
    "Les pages la montrent aux personnes de cette organisation. Les champs vides ont la valeur de l’instance.",
  "brand.instance": "Marque de l’instance",
  "brand.instanceLead":
    "Les pages la montrent là où aucune organisation n’est connue. Les e-mails et les dialogues des clés d’accès en montrent le nom.",
  "field.color": "Couleur",
  "hint.color": "Des boutons et des liens, telle que #1a3c6e. Un texte blanc doit y être lisible.",
  "field.supportAddress": "Adresse e-mail de l’assistance",
  "hint.supportAddress": "Les pages la montrent aux personnes qui n’arrivent pas à se connecter.",

  removeOne: "Supprimer {name}",
  removed: "{name} a été supprimé.",
  role: "Rôle",
  idp: "Fournisseur d’identité",
  "role.1": "Tout, dans toutes les organisations",
  "role.2": "Tout dans cette organisation",
  "role.3": "Utilisateurs et clés d’accès de cette organisation",
  "role.4": "Vérifie les sessions : pour un service",
  "role.5": "Applications de cette organisation",
  "role.6": "S’informe sur les requêtes vers les applications : pour un proxy",
  "role.7": "Lit tout dans cette organisation",
  "role.8": "Aide les utilisateurs de cette organisation : verrouillages, sessions et liens d’enregistrement",
  "count.sessions": { one: "{count} session", other: "{count} sessions" },
  "count.tokens": { one: "{count} jeton", other: "{count} jetons" },
  "count.passkeys": { one: "{count} clé d’accès", other: "{count} clés d’accès" },

  "users.add": "Ajouter un utilisateur",
  "users.addLead":
    "L’utilisateur peut se connecter dès qu’il a une clé d’accès : créez un lien pour elle sur la page suivante.",
  "users.query": "Nom, adresse e-mail ou ID",
  "users.onDomain": "{moved} utilisateurs sur {users} avec une clé d’accès d’un ancien domaine en ont une de {domain}.",
  "users.toUnmoved": "Voir qui n’en a pas",
  "users.unmoved": "Clés d’accès d’anciens domaines seulement",
  "users.unmovedLead":
    "Ces utilisateurs de toutes les organisations n’ont pas de clé d’accès du domaine actuel. Quand les anciennes prendront fin, ils ne pourront plus se connecter qu’avec un fournisseur d’identité ou un nouveau lien d’enregistrement.",
  "users.allMoved": "Tout le monde a une clé d’accès du domaine actuel.",
  "users.none": "Cette organisation n’a aucun utilisateur.",
  "users.noneFound": "Personne n’a été trouvé.",
  "users.moved": "{some} personnes sur {all} ont une clé d’accès.",

  invite: "Inviter des personnes",
  "invite.lead":
    "Chaque personne devient un utilisateur de cette organisation, et reçoit un e-mail avec un lien qui ajoute une clé d’accès.",
  "invite.people": "Personnes",
  "invite.addresses": "Adresses e-mail ou tableau",
  "invite.addressesHint":
    "Collez des adresses, avec ou sans noms, ou des cellules d’un tableur. Un fichier peut être déposé ici.",
  "invite.rest": "Aucune adresse n’a été trouvée dans : {text}",
  "invite.file": "Ou un fichier CSV",
  "invite.fileHint": "Avec une ligne de noms de colonnes, tels que Nom, E-mail et Groupes.",
  "invite.persons": { one: "{count} personne", other: "{count} personnes" },
  "invite.columns":
    "Vérifiez la signification de chaque colonne. Plusieurs groupes dans une cellule sont séparés par des virgules.",
  "invite.column": "Colonne {number} : {name}",
  // Names of columns of spreadsheets in this language, in small letters without spaces and other characters. English is known.
  "columns.email": "courriel adressecourriel adresseemail adresseélectronique adresse mél",
  "columns.userName": "nomdutilisateur utilisateur identifiant",
  "columns.displayName": "nomaffiché nomcomplet",
  "columns.givenName": "prénom prenom",
  "columns.familyName": "nom nomdefamille",
  "columns.locale": "langue languepréférée",
  "columns.externalId": "matricule numérodepersonnel idexterne",
  "columns.groups": "groupes groupe services",
  "invite.ignored": "Ignorer",
  "invite.preview": "Les premières personnes de la liste",
  "invite.further": { one: "et {count} autre", other: "et {count} autres" },
  "invite.choices": "Groupes et rôle",
  "invite.choicesLead": "Pour toutes les personnes de la liste.",
  "invite.noRole": "Aucun rôle",
  "invite.check": "Vérifier la liste",
  "invite.checking": "Vérification de la liste",
  "invite.importing": "Ajout des utilisateurs",
  "invite.granting": "Attribution du rôle",
  "invite.sending": "Envoi des invitations",
  "invite.good": { one: "{count} personne peut être invitée.", other: "{count} personnes peuvent être invitées." },
  "invite.send": { one: "Inviter {count} personne", other: "Inviter {count} personnes" },
  "invite.refused": {
    one: "{count} personne ne peut pas être invitée",
    other: "{count} personnes ne peuvent pas être invitées",
  },
  "invite.refusedShown": "Les {count} premières sont affichées. Le fichier les a toutes.",
  "invite.problem": "Problème",
  "invite.noAddress": "La ligne n’a pas d’adresse e-mail.",
  "invite.download": "Télécharger en CSV",
  "invite.invited": {
    one: "{count} personne reçoit une invitation.",
    other: "{count} personnes reçoivent une invitation.",
  },
  "invite.before": {
    one: "{count} personne en a reçu une ces 7 derniers jours.",
    other: "{count} personnes en ont reçu une ces 7 derniers jours.",
  },
  "invite.has": {
    one: "{count} personne a déjà une clé d’accès.",
    other: "{count} personnes ont déjà une clé d’accès.",
  },
  "invite.others": "Personnes déjà présentes",
  "invite.othersLead":
    "Invite tous les utilisateurs sans clé d’accès, sauf ceux qui ont reçu une invitation ces 7 derniers jours.",
  "invite.remind": "Inviter tous ceux sans clé d’accès",
  "users.all": "Tous",
  "users.active": "Actif",
  "users.invited": "Invité, pas encore accepté",
  "users.role": "Rôle",
  "users.anyRole": "Tous les rôles",
  "users.lastSignIn": "Dernière connexion",
  "users.never": "Jamais",
  "users.notFor": "Il y a plus de {days} jours",
  "users.order": "Ordre",
  "users.byId": "Par ID",
  "users.newest": "Les plus récents d’abord",
  "users.latestSignIn": "Connexion la plus récente d’abord",
  "users.earliestSignIn": "Connexion la plus ancienne d’abord",
  "users.latestInvitation": "Invitation la plus récente d’abord",
  "users.select": "Sélectionner {name}",
  "users.selectAll": "Sélectionner tous ceux qui sont affichés",
  "users.selection": "Utilisateurs sélectionnés",
  "users.total": "Utilisateurs : {total}",
  "users.selected": { one: "{count} sélectionné", other: "{count} sélectionnés" },
  "users.addToGroup": "Ajouter à un groupe",
  "users.group": "Groupe",
  "users.noGroups": "Cette organisation n’a aucun groupe.",
  "users.remove": "Supprimer",
  "users.askToLock": { one: "Verrouiller {count} utilisateur ?", other: "Verrouiller {count} utilisateurs ?" },
  "users.askToUnlock": { one: "Déverrouiller {count} utilisateur ?", other: "Déverrouiller {count} utilisateurs ?" },
  "users.askToRemove": { one: "Supprimer {count} utilisateur ?", other: "Supprimer {count} utilisateurs ?" },
  "users.ok": { one: "Concerne {count} utilisateur.", other: "Concerne {count} utilisateurs." },
  "users.added": {
    one: "{count} utilisateur est membre du groupe.",
    other: "{count} utilisateurs sont membres du groupe.",
  },
  "users.moreRefused": { one: "{count} autre est refusé.", other: "{count} autres sont refusés." },
  "users.done": "Terminé.",
  export: "Exporter en CSV",
  exported: { one: "{count} ligne a été exportée.", other: "{count} lignes ont été exportées." },

  "sessions.lead":
    "Où les personnes de l’organisation sont connectées. Une session qui prend fin est déconnectée de chaque application.",
  "sessions.query": "Nom, appareil, adresse IP ou ID",
  "sessions.method": "Connecté avec",
  "sessions.user": "Utilisateur",
  "sessions.none": "Personne n’est connecté.",
  "sessions.noneFound": "Aucune session n’a été trouvée.",
  "sessions.again": "Recharger",
  "sessions.endOne": "Mettre fin à la session de {name} : {device}",
  "sessions.endAll": "Mettre fin à toutes",
  "sessions.endAllOf": "Mettre fin à toutes les sessions de {name}",
  "sessions.endAllTitle": "Mettre fin à toutes les sessions de {name} ?",
  "value.SIGN_IN_METHOD_PASSKEY": "Clé d’accès",
  "value.SIGN_IN_METHOD_IDP": "Fournisseur d’identité",

  "user.details": "Détails",
  "user.security": "Identifiants",
  "user.sessions": "Sessions",
  "user.access": "Accès",
  "user.events": "Chronologie",
  "user.remove": "Supprimer l’utilisateur",
  "user.removeLead": "Met fin à tout ce par quoi l’utilisateur se connecte. C’est irréversible.",
  "user.lock": "Verrouiller",
  "user.lockLead":
    "À utiliser si un compte est peut-être en de mauvaises mains, ou si quelqu’un est absent. Les clés d’accès, les rôles et les groupes restent.",
  "field.reason": "Motif",
  "hint.reason": "Seulement pour les personnes qui gèrent les utilisateurs.",
  "user.lockTitle": "Verrouiller {name} ?",
  "user.lockEnds": "Met fin à {sessions} et {tokens}.",
  "user.lockText":
    "Les applications sont déconnectées, les liens pour les clés d’accès ne fonctionnent plus, et personne ne peut se connecter en tant que cet utilisateur tant que vous ne le déverrouillez pas.",
  "user.lockDone": "{name} est verrouillé.",
  "user.locked": "Verrouillé",
  "user.lockedLead":
    "Personne ne peut se connecter en tant que cet utilisateur. Les jetons qui ont pris fin avec le verrouillage ne reviennent pas.",
  "user.lockedSince": "Depuis",
  "user.unlock": "Déverrouiller",
  "user.unlocked": "{name} peut se connecter de nouveau.",
  "user.removeTitle": "Supprimer {name} ?",
  "user.removed": "{name} a été supprimé.",
  "user.ends": "Met fin à {sessions}, {tokens} et {passkeys}.",
  "user.removeForever":
    "Le nom d’utilisateur est de nouveau libre. Les événements de l’utilisateur restent dans le journal.",
  "user.passkeys": "Clés d’accès",
  "user.passkeysLead":
    "Quiconque a un lien d’enregistrement peut ajouter une clé d’accès et agir en tant que l’utilisateur.",
  "user.formerPasskey": "de l’ancien domaine {domain}",
  "user.noPasskeys": "L’utilisateur n’a pas de clé d’accès, et ne peut pas se connecter avec une clé.",
  "user.lastUsed": "Dernière utilisation",
  "user.createLink": "Créer un lien",
  "user.mailLink": "Envoyer un lien par e-mail",
  "user.link": "Lien d’enregistrement",
  "user.linkText":
    "L’utilisateur ouvre ce lien et ajoute une clé d’accès. Il fonctionne une fois ; les liens précédents de l’utilisateur ont pris fin.",
  "user.linkMailed": "Un lien est en route vers {address}.",
  "user.links": "Fournisseurs d’identité",
  "user.skipped": "Claims qui ne convenaient pas",
  "user.noLinks": "L’utilisateur n’est associé à aucun fournisseur d’identité.",
  "user.subject": "Sujet",
  "user.tokens": "Jetons d’accès",
  "user.noTokens": "L’utilisateur n’a aucun jeton d’accès.",
  "user.createToken": "Créer un jeton",
  "user.tokenLead": "Un programme qui a le jeton agit en tant que l’utilisateur, avec tous ses droits.",
  "user.token": "Jeton d’accès",
  "field.expiresAt": "Expire",
  "hint.expiresAt": "Sans date, le jeton n’expire pas.",
  "user.unnamed": "Sans nom",
  "user.addWorkload": "Ajouter une charge de travail",
  "user.workloadLead":
    "Une tâche d’intégration continue ou un pod agit en tant que l’utilisateur par les jetons de sa plateforme, avec tous ses droits et sans secret.",
  "field.audienceOfUser": "Audience",
  "hint.audienceOfUser":
    "La valeur pour laquelle la charge de travail demande son jeton. Elle se termine par l’ID de l’utilisateur.",
  "user.certificate": "Certificat client",
  "user.addCertificate": "Ajouter un certificat client",
  "user.certificateLead":
    "Un service qui a la clé du certificat agit en tant que l’utilisateur, avec tous ses droits. Le serveur doit demander des certificats aux clients.",
  "field.certificate": "Certificat",
  "hint.certificate": "Au format PEM, sans sa chaîne et sans sa clé.",
  "user.expires": "Expire",
  "user.removePasskeyTitle": "Supprimer la clé d’accès {name} ?",
  "user.endsSessions": { one: "Met fin à {count} session.", other: "Met fin à {count} sessions." },
  "user.lastPasskey":
    "C’est la dernière clé d’accès : l’utilisateur a besoin d’un nouveau lien pour se connecter avec une clé.",
  "user.endsApplications": {
    one: "Met fin à l’accès de {count} application.",
    other: "Met fin à l’accès de {count} applications.",
  },
  "user.endsTokens": {
    one: "Révoque {count} jeton de l’utilisateur.",
    other: "Révoque {count} jetons de l’utilisateur.",
  },
  "user.lost": "Elle a été perdue ou volée",
  "user.lostText":
    "L’accès d’applications et les propres jetons de l’utilisateur qui ont commencé avec elle prennent alors fin aussi.",
  "user.unlinkTitle": "Supprimer l’association à {name} ?",
  "user.revokeTokenTitle": "Supprimer le jeton {name} ?",
  "user.revokeToken": "Les programmes qui l’utilisent sont aussitôt refusés.",
  "user.noSessions": "L’utilisateur n’est connecté nulle part.",
  "user.device": "Appareil",
  "user.unknownDevice": "Appareil inconnu",
  "user.signedIn": "Connecté",
  "user.lastSeen": "Dernière activité",
  "user.thisSession": "Cette session",
  "user.end": "Mettre fin",
  "user.endOne": "Mettre fin à la session sur {name}",
  "user.ended": "Terminé.",
  "user.endAll": "Mettre fin à toutes les sessions",
  "user.endAllTitle": "Mettre fin à toutes les sessions ?",
  "user.endAllRest":
    "Les propres jetons de l’utilisateur et l’accès durable d’applications continuent. Mettez-y fin sous Identifiants et Accès.",
  "user.endAllText": "Les applications qui en dépendent déconnectent l’utilisateur. Les clés d’accès restent.",
  "user.rolesLead": "Les rôles donnent des droits dans Keystead même. Les applications voient les groupes.",
  "user.hasRole": "Accordé",
  "user.grant": "Accorder",
  "user.grantOne": "Accorder {name}",
  "user.revoke": "Retirer",
  "user.revokeOne": "Retirer {name}",
  "user.grantTitle": "Accorder le rôle {role} ?",
  "user.grantText":
    "Tous les identifiants de l’utilisateur ont été vérifiés : personne ayant moins de droits n’en a créé un.",
  "user.grantEndingTitle": "Accorder le rôle {role}, et mettre fin à des identifiants ?",
  "user.grantEnding":
    "Des personnes ayant moins de droits que n’en donne ce rôle ont créé des jetons, des clés d’accès ou des liens de l’utilisateur, et pourraient les utiliser. Ceux-ci prennent fin maintenant, avec leurs sessions. L’utilisateur peut avoir besoin d’un nouveau lien d’enregistrement.",
  "user.granted": "Le rôle a été accordé.",
  "user.revokeTitle": "Retirer le rôle {role} ?",
  "user.revokeText":
    "L’utilisateur perd aussitôt ses droits. Les liens d’enregistrement que l’utilisateur a créés prennent fin, ainsi que les jetons d’un service sans autre rôle.",
  "user.revoked": "Le rôle a été retiré.",
  "user.noGroups": "L’utilisateur n’est dans aucun groupe.",
  "user.leaveOne": "Retirer de {name}",
  "user.grantsLead": "Applications auxquelles l’utilisateur s’est connecté.",
  "user.noGrants": "L’utilisateur n’utilise aucune application.",
  "user.narrowGrant": "Modifier",
  "user.narrowGrantOne": "Modifier l’accès de {name}",
  "user.narrowGrantTitle": "Modifier l’accès de {name}",
  "user.narrowGrantText":
    "L’application perd en quelques minutes les scopes que vous décochez. Elle garde les données qu’elle a déjà lues, et peut redemander l’accès à l’utilisateur.",
  "user.narrowedGrant": "L’accès de {name} a été modifié.",
  "user.revokeGrantTitle": "Mettre fin à l’accès de {name} ?",
  "user.revokeGrantText": "L’application est déconnectée de ce compte, et redemande l’accès à la prochaine connexion.",

  "groups.lead":
    "Les applications voient les groupes de leurs utilisateurs, et peuvent n’admettre que les membres de certains.",
  "groups.add": "Ajouter un groupe",
  "groups.none": "Cette organisation n’a aucun groupe.",
  "groups.members": "Membres",
  "groups.noMembers": "Le groupe n’a aucun membre.",
  "groups.source": "Origine",
  "groups.ofProvider": "Fournisseur d’identité",
  "groups.since": "Depuis",
  "groups.addMember": "Ajouter un membre",
  "groups.added": "{name} a été ajouté.",
  "groups.remove": "Supprimer le groupe",
  "groups.removeTitle": "Supprimer le groupe {name} ?",
  "groups.removeText": "Met fin à des appartenances : {count}. Les utilisateurs restent.",
  "groups.removeApplications": "Les applications qui n’admettent que ce groupe n’admettent alors plus personne.",
  "groups.manyMembers": "plus de 200",

  secret: "Secret",
  clientId: "ID client",
  connect: "Intégrer",
  "connect.lead":
    "Une bibliothèque OpenID Connect a besoin de l’émetteur et de l’ID client ; les applications avec un serveur ont aussi besoin d’un secret.",
  "connect.issuer": "Émetteur",
  "connect.discovery": "Document de découverte",
  "connect.check": "Vérification par HTTP",
  "connect.checkOverGrpc": "Vérification par gRPC",
  "connect.token": "Jeton du proxy",
  "connect.gateLead": "Le proxy interroge Keystead à chaque requête, et ne transmet que celles des personnes admises.",
  test: "Test",
  "test.run": "Lancer le test",
  "test.succeeded": "Toutes les étapes ont réussi.",
  "test.failed": "Une étape a échoué.",
  "step.resolve": "Résolution du nom",
  "step.connect": "Connexion",
  "step.greeting": "Salutation",
  "step.tls": "Chiffrement",
  "step.token": "Jeton d’accès",
  "step.auth": "Authentification auprès du serveur",
  "step.sender": "Expéditeur",
  "step.message": "Message de test",
  "step.discovery": "Document de découverte",
  "step.keys": "Clés",
  "step.client": "ID client et secret",
  "step.answer": "Réponse",

  "field.kind": "Type",
  "value.APPLICATION_KIND_WEB": "Application web avec un serveur",
  "value.APPLICATION_KIND_BROWSER": "Application dans le navigateur",
  "value.APPLICATION_KIND_NATIVE": "Application sur un appareil",
  "value.APPLICATION_KIND_SERVICE": "Service sans personnes",
  "value.APPLICATION_KIND_GATE": "Derrière un proxy",
  "value.APPLICATION_KIND_RESOURCE": "API pour d’autres applications",
  "hint.kind": "Ne peut pas être modifié ensuite.",
  "field.logo": "Logo",
  "hint.logo": "PNG, JPEG ou WebP d’au plus 32 Kio.",
  "field.redirectUris": "URI de redirection",
  "hint.redirectUris": "Une par ligne. Elles sont comparées à la lettre.",
  "field.postLogoutRedirectUris": "URI de redirection après une déconnexion",
  "hint.postLogoutRedirectUris": "Une par ligne.",
  "field.backchannelLogoutUri": "URI de déconnexion par canal arrière",
  "hint.backchannelLogoutUri": "Elle est informée quand une session prend fin.",
  "field.origins": "Origines",
  "hint.origins": "Une par ligne, telle que https://app.example.com.",
  "field.allowsHttp": "Autoriser http:// pour les noms et adresses privés",
  "hint.allowsHttp": "Toute personne de ce réseau peut lire ce que le navigateur rapporte.",
  "field.identifier": "Identifiant",
  "hint.identifier": "L’aud de ses jetons d’accès : l’URL de l’API, ou un nom.",
  "field.scopes": "Scopes",
  "hint.scopes": "Un par ligne.",
  "field.firstParty": "Appartient à cette organisation",
  "hint.firstParty": "Le consentement des personnes n’est pas demandé.",
  "field.audience": "Qui peut l’utiliser",
  "value.APPLICATION_AUDIENCE_UNSPECIFIED": "Utilisateurs de cette organisation (par défaut)",
  "value.APPLICATION_AUDIENCE_ORGANIZATION": "Utilisateurs de cette organisation",
  "value.APPLICATION_AUDIENCE_ALL": "Utilisateurs de toutes les organisations",
  "field.admitsGroupsOnly": "Seulement les membres de certains groupes",
  "field.allowedGroups": "Groupes admis",
  "hint.allowedGroups": "Si aucun n’est choisi, personne ne peut l’utiliser.",
  "field.tokenEndpointAuthMethod": "Authentification du client",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_NONE": "Aucune",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_BASIC": "Secret, dans l’en-tête (client_secret_basic)",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_POST": "Secret, dans le corps (client_secret_post)",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT": "Clé privée (private_key_jwt)",
  "field.jwksUri": "URL des clés publiques",
  "field.jwks": "Clés publiques",
  "hint.jwks": "Un JWK Set, à la place d’une URL.",
  "field.pkce": "Protection des codes",
  "value.APPLICATION_PKCE_UNSPECIFIED": "PKCE ou un nonce (par défaut)",
  "value.APPLICATION_PKCE_REQUIRED": "PKCE",
  "value.APPLICATION_PKCE_PKCE_OR_NONCE": "PKCE ou un nonce",
  "value.APPLICATION_PKCE_NONE": "Ni l’un ni l’autre",
  "field.requiresEmail": "Refuse les utilisateurs sans adresse e-mail",
  "hint.pkce":
    "Certains programmes n’envoient ni l’un ni l’autre. Ce qu’un programme envoie est contrôlé dans tous les cas.",
  "field.requiresPushedAuthorizationRequests": "Doit déposer ses demandes d’autorisation (RFC 9126)",
  "field.idTokenAlg": "Signature des jetons d’identité",
  "value.ID_TOKEN_ALG_UNSPECIFIED": "RS256 (par défaut)",
  "value.ID_TOKEN_ALG_RS256": "RS256",
  "value.ID_TOKEN_ALG_ES256": "ES256",
  "field.omitsIdTokenClaims": "Jetons d’identité sans nom, adresse e-mail et groupes",
  "field.accessTokenTyp": "Type des jetons d’accès (typ)",
  "value.ACCESS_TOKEN_TYP_UNSPECIFIED": "at+jwt (par défaut)",
  "value.ACCESS_TOKEN_TYP_AT_JWT": "at+jwt",
  "value.ACCESS_TOKEN_TYP_JWT": "JWT",
  "field.accessTokenLifetimeSeconds": "Durée de vie des jetons d’accès, en secondes",
  "hint.accessTokenLifetimeSeconds": "De 60 à 3600.",
  "field.refreshTokenLifetimeSeconds": "Durée maximale sans nouvelle connexion, en secondes",
  "field.refreshTokenIdleSeconds": "Durée après laquelle un jeton d’actualisation inutilisé expire, en secondes",

  "applications.lead": "Programmes auxquels les personnes se connectent avec Keystead, et services sans personnes.",
  "applications.add": "Ajouter une application",
  "applications.addLead": "Tout le reste a une valeur par défaut et peut être modifié ensuite.",
  "applications.software": "Quel logiciel ?",
  "applications.otherSoftware": "Un autre programme",
  // TRANSLATE
  "applications.otherSoftwareLead": "Any client of OpenID Connect or OAuth 2.0, an API, or a site behind the gate.",
  // TRANSLATE
  "gallery.another": "Choose another",
  // TRANSLATE
  "gallery.none": "None has these words in its name.",
  "applications.host": "Son hôte",
  "applications.hostLead":
    "Saisissez l’hôte du programme. Sur votre propre machine, c’est une origine, telle que http://localhost:3000.",
  "applications.softwareSettings": "Paramètres de {name}",
  "applications.softwareLead": "Créez un secret, et mettez-le à la place de CLIENT_SECRET.",
  "applications.none": "Cette organisation n’a aucune application.",
  "applications.chosen": "Si elle vient ici d’un autre fournisseur",
  "field.applicationId": "ID client",
  "hint.applicationId": "Seulement si le programme garde celui qu’il a. Il ne peut pas être modifié ensuite.",
  "pattern.applicationId": "N’utilisez que A-Z, a-z, 0-9 et ._~-.",
  "field.secret": "Secret",
  "hint.secret":
    "Seulement si le programme garde celui qu’il a : au moins 32 chiffres hexadécimaux, ou aussi difficile à deviner.",
  "pattern.secret": "Utilisez des caractères ASCII imprimables, sans espaces ni %.",
  "applications.people": "Personnes",
  // TRANSLATE
  "applications.allEnter": "All users of the organization can sign in to it, unless they are locked.",
  // TRANSLATE
  "applications.groupsEnter": "Members of the chosen groups can sign in to it, unless they are locked.",
  // TRANSLATE
  "applications.claims": "Claims",
  // TRANSLATE
  "applications.claimsOf": "Claims of {name}",
  // TRANSLATE
  "applications.claimsLead": "What the application would get of this user with all its scopes. Nothing was issued.",
  // TRANSLATE
  "applications.notAdmitted": "The application does not admit this user at present.",
  // TRANSLATE
  "applications.idToken": "ID token",
  // TRANSLATE
  "applications.userinfo": "Userinfo",
  // TRANSLATE
  "applications.noSignInClaims":
    "A sign-in adds iat, exp, at_hash, nonce, sid, auth_time, amr and acr to the ID token.",
  // TRANSLATE
  "applications.noOpenid": "The application may not request openid, so it gets no claims.",
  // TRANSLATE
  "applications.nobody": "Nobody can sign in to it.",
  "applications.tokens": "Jetons",
  "field.gateJwtHeader": "En-tête avec le JWT",
  "value.GATE_JWT_HEADER_UNSPECIFIED": "authorization (par défaut)",
  "value.GATE_JWT_HEADER_AUTHORIZATION": "authorization",
  "value.GATE_JWT_HEADER_X_KEYSTEAD_JWT": "x-keystead-jwt",
  "field.gateIdentityHeaders": "En-têtes avec l’utilisateur, son adresse e-mail et ses groupes",
  workloads: "Charges de travail",
  "workloads.lead":
    "Les tâches d’un système d’intégration continue, ou les pods d’une grappe, obtiennent des jetons de cette application avec les jetons de leur émetteur, sans secret.",
  resourceScopes: "Scopes",
  "resourceScopes.lead":
    "Ce que les applications peuvent demander aux utilisateurs. Les utilisateurs accordent ce que leurs groupes permettent.",
  "resourceScopes.add": "Ajouter un scope",
  "resourceScopes.oneLead":
    "Les applications le demandent par son nom : si vous le modifiez, modifiez-le aussi chez elles. Les utilisateurs sont de nouveau interrogés.",
  "resourceScopes.none": "L’API n’a pas de scopes : un jeton suffit.",
  "resourceScopes.removeTitle": "Supprimer le scope {name} ?",
  "resourceScopes.remove": "Les nouveaux jetons ne l’ont pas. Ceux qui existent le gardent jusqu’à leur expiration.",
  "field.resourceScopes.name": "Nom",
  "field.resourceScopes.description": "Description",
  "hint.resourceScopes.description": "Ce qu’il permet, pour les personnes interrogées.",
  "field.resourceScopes.allowedGroups": "Groupes qui peuvent l’accorder",
  "hint.resourceScopes.allowedGroups": "Si aucun n’est choisi, tout le monde.",
  "connect.apiLead": "L’API vérifie les jetons d’accès avec ces clés, ou interroge par introspection.",
  "connect.keys": "Clés",
  "connect.introspection": "Introspection",
  "workloads.add": "Ajouter des charges de travail",
  "workloads.none": "Aucune charge de travail n’est admise.",
  "workloads.removeTitle": "Supprimer les charges de travail {name} ?",
  "workloads.remove": "Elles n’obtiennent plus de jetons. Ceux qu’elles ont restent valables jusqu’à leur expiration.",
  "field.workloads.issuer": "Émetteur",
  "hint.workloads.issuer": "Exactement comme dans le claim iss, tel que https://token.actions.githubusercontent.com.",
  "field.workloads.audience": "Audience",
  "hint.workloads.audience": "Une valeur que le claim aud doit contenir, telle que l’adresse de ce serveur.",
  "field.workloads.subject": "Sujet",
  "hint.workloads.subject":
    "Le claim sub, tel que repo:example/shop:ref:refs/heads/main. Un * à la fin remplace n’importe quels caractères.",
  "field.workloads.claims": "Autres claims",
  "hint.workloads.claims": "Un par ligne, tel que repository_owner_id=4711.",
  application: "Application",
  requestId: "Identifiant de requête",
  refusals: "Refus récents",
  "refusals.lead":
    "Ceux des sept derniers jours. N’importe qui peut envoyer une demande avec l’ID client d’une application.",
  "refusals.none": "Aucune demande de cette application n’a été refusée.",
  "refusals.notFound": "Aucune demande refusée d’une application de cette organisation n’a cet identifiant.",
  "refusals.search": "Trouver une demande refusée",
  "refusals.remedy": "Remède",
  "refusals.mend": "Modifier le paramètre…",
  "refusals.mendTitle": "Modifier l’application ?",
  "refusals.set": "Modifier",
  "refusals.mended": "L’application a été modifiée.",
  "refusals.weakens":
    "Cela rend l’application moins stricte. Ne le faites que si le programme ne peut pas être modifié.",
  "refusals.anybody":
    "N’importe qui peut avoir envoyé cette valeur. Ne l’ajoutez que si elle est celle de l’application.",
  "user.withoutEmail": "Sans adresse e-mail, les applications qui en exigent une refusent cet utilisateur.",
  "applications.secrets": "Secrets",
  "applications.secretsLead":
    "Pour remplacer un secret, créez-en un nouveau, donnez-le à l’application, puis supprimez l’ancien.",
  "applications.noSecrets": "L’application n’a aucun secret.",
  "applications.createSecret": "Créer un secret",
  "applications.removeSecretTitle": "Supprimer le secret ?",
  "applications.removeSecret": "L’application ne peut plus l’utiliser ; ses autres secrets fonctionnent toujours.",
  "applications.lastSecret": "C’est le seul : l’application n’obtient plus de jetons tant qu’elle n’en a pas un autre.",
  "applications.remove": "Supprimer l’application",
  "applications.removeTitle": "Supprimer l’application {name} ?",
  "applications.removeText":
    "Personne ne peut plus s’y connecter avec Keystead, et ses jetons d’actualisation prennent fin.",
  "applications.endsSecrets": { one: "Met fin à {count} secret.", other: "Met fin à {count} secrets." },

  "field.stylingType": "Apparence du bouton",
  "value.STYLING_TYPE_UNSPECIFIED": "Comme la page",
  "value.STYLING_TYPE_PROVIDER": "Comme le fournisseur la définit",
  "idps.button": "Bouton de connexion",
  "idps.buttonLead":
    "Les couleurs et le logo sont utilisés si l’apparence du bouton est : comme le fournisseur la définit.",
  "field.backgroundColor": "Couleur du fond",
  "field.textColor": "Couleur du texte",
  "hint.backgroundColor": "Telle que #1a3c6e. Sans les deux couleurs, le bouton a celles de la page.",
  "hint.textColor": "Telle que #ffffff. Elle doit être lisible sur le fond.",
  "field.autoRegister": "Inscrit les nouvelles personnes",
  "hint.autoRegister":
    "Toute personne qui se connecte pour la première fois avec le fournisseur obtient un utilisateur.",
  "field.isDisabled": "Désactivé",
  "hint.isDisabled":
    "Personne ne peut se connecter avec lui. Les sessions ouvertes avec lui prennent fin ; les associations des utilisateurs restent.",
  "idps.off": "Désactivé",
  "idps.isOff": "Ce fournisseur est désactivé : personne ne peut se connecter avec lui.",
  mappings: "Correspondance des claims",
  "mappings.lead":
    "Valeurs que les utilisateurs obtiennent de claims du fournisseur. Un claim qui ne convient pas est ignoré ; la page de l’utilisateur le dit.",
  "mappings.add": "Ajouter un claim",
  "mappings.none": "Aucun claim n’a de correspondance.",
  "mappings.goneGroup": "un groupe supprimé",
  "field.mappings.claim": "Claim",
  "hint.mappings.claim": "Son nom. Les points mènent dans les objets, comme realm_access.roles.",
  "field.mappings.attribute": "Devient",
  "hint.mappings.attribute":
    "display_name, given_name, family_name, locale, zoneinfo, external_id, email, groups, ou le nom d’un attribut.",
  "field.mappings.when": "Quand",
  "value.IDP_MAPPING_TIME_FIRST_SIGN_IN": "À la première connexion",
  "value.IDP_MAPPING_TIME_EVERY_SIGN_IN": "À chaque connexion",
  "field.mappings.groups": "Groupes par valeurs du claim",
  "hint.mappings.groups":
    "Un par ligne, tel que 0d6bd6a0-7a0b=engineers. Sans aucun, les valeurs sont des noms de groupes.",
  "field.issuer": "Émetteur",
  "hint.issuer": "Exactement comme dans le document de découverte du fournisseur.",
  "pattern.issuer": "Saisissez une adresse qui commence par https://.",
  "field.clientId": "ID client",
  "field.clientSecret": "Secret client",
  // TRANSLATE
  "field.newClientSecret": "Client secret",
  "hint.clientSecret": "Laissez vide pour garder celui qui est enregistré.",
  "field.autoRegisterMailDomains": "Domaines e-mail des nouvelles personnes",
  "hint.autoRegisterMailDomains":
    "Un par ligne. Seules les personnes avec une adresse vérifiée de l’un d’eux sont inscrites.",
  "field.autoRegisterHostedDomains": "Organisations Google des nouvelles personnes",
  "hint.autoRegisterHostedDomains":
    "Un domaine par ligne. Seules les personnes de l’une de ces organisations (hd) sont inscrites.",
  "field.updateNameAtSignIn": "Met à jour les noms",
  "hint.updateNameAtSignIn": "Chaque connexion règle le nom affiché sur celui du fournisseur.",
  "field.updateEmailAtSignIn": "Met à jour les adresses e-mail",
  "hint.updateEmailAtSignIn": "Chaque connexion règle l’adresse e-mail sur celle du fournisseur, si elle est vérifiée.",
  "idps.lead": "Les personnes de cette organisation peuvent se connecter avec eux.",
  "idps.add": "Ajouter un fournisseur d’identité",
  "idps.addLead": "La page suivante montre l’adresse à enregistrer chez le fournisseur, et demande ses paramètres.",
  "idps.none": "Cette organisation n’a aucun fournisseur d’identité.",
  // TRANSLATE
  "idps.which": "Which provider?",
  // TRANSLATE
  "idps.other": "Another provider",
  // TRANSLATE
  "idps.otherLead": "Any OpenID provider, by its issuer.",
  // TRANSLATE
  "idps.newLead": "The next page shows the redirect URI to register at the provider, and asks for the client.",
  // TRANSLATE
  "idps.page": "What its documentation says",
  // TRANSLATE
  "field.presets.application": "Slug of the application",
  // TRANSLATE
  "pattern.presets.application": "Use A-Z, a-z, 0-9 and ._~- only.",
  // TRANSLATE
  "field.presets.host": "Host",
  // TRANSLATE
  "hint.presets.host": "Without https:// and a path, such as login.example.com.",
  // TRANSLATE
  "pattern.presets.host": "Enter the host alone, in lower case, such as login.example.com.",
  // TRANSLATE
  "field.presets.pool": "ID of the user pool",
  // TRANSLATE
  "hint.presets.pool": "Such as eu-central-1_AbCdEfGhI.",
  // TRANSLATE
  "pattern.presets.pool": "Enter the ID of the user pool, such as eu-central-1_AbCdEfGhI.",
  // TRANSLATE
  "field.presets.realm": "Realm",
  // TRANSLATE
  "pattern.presets.realm": "Enter the realm as its addresses contain it.",
  // TRANSLATE
  "field.presets.region": "Region",
  // TRANSLATE
  "hint.presets.region": "Such as eu-central-1.",
  // TRANSLATE
  "pattern.presets.region": "Enter a region, such as eu-central-1.",
  // TRANSLATE
  "field.presets.subdomain": "Subdomain of the account",
  // TRANSLATE
  "hint.presets.subdomain": "The part before .onelogin.com.",
  // TRANSLATE
  "pattern.presets.subdomain": "Enter the subdomain alone, in lower case.",
  // TRANSLATE
  "field.presets.tenant": "Tenant ID",
  // TRANSLATE
  "hint.presets.tenant": "The directory ID in the overview of the tenant.",
  // TRANSLATE
  "pattern.presets.tenant": "Enter the ID of one tenant, a UUID. With common, any tenant could name any user.",
  // TRANSLATE
  "field.anybody": "Let anybody register",
  // TRANSLATE
  "hint.anybody": "Anybody can get an account at this provider, and would get a user here.",
  // TRANSLATE
  "idps.anybodyRefused": "Limit the domains of new people, or check this box.",
  "idps.callback": "URI de redirection",
  "idps.callbackLead": "Enregistrez cette URI de redirection chez le fournisseur.",
  "idps.admitsAnybody":
    "N’importe qui peut obtenir un compte chez ce fournisseur, et est inscrit ici. Limitez les domaines des nouvelles personnes.",
  "idps.noOidc": "Il n’a pas encore de paramètres OpenID Connect.",
  "idps.secretStored": "Un secret client est enregistré.",
  "idps.testLead": "Lit le document de découverte et les clés, et vérifie le client, comme le fait une connexion.",
  "idps.remove": "Supprimer le fournisseur",
  "idps.removeTitle": "Supprimer le fournisseur {name} ?",
  "idps.removeLinks": "Les associations des utilisateurs avec lui sont supprimées.",
  "idps.removeSessions": "Les sessions ouvertes avec lui prennent fin.",
  // TRANSLATE
  mailDomains: "Mail domains",
  // TRANSLATE
  "mailDomains.lead":
    "Once the organization has proven a domain, the sign-in page leads its addresses to the identity provider, and addresses that the provider has verified count as verified.",
  // TRANSLATE
  "mailDomains.none": "The organization has claimed no mail domain.",
  // TRANSLATE
  "mailDomains.add": "Add a mail domain",
  // TRANSLATE
  "mailDomains.addLead": "The next page shows the TXT record by which you prove that the domain is yours.",
  // TRANSLATE
  "mailDomains.domain": "Domain",
  // TRANSLATE
  "field.mailDomains.domain": "Domain",
  // TRANSLATE
  "hint.mailDomains.domain": "The text after the @ of addresses, such as example.com. Subdomains do not count.",
  // TRANSLATE
  "field.mailDomains.idpId": "Identity provider",
  // TRANSLATE
  "hint.mailDomains.idpId": "Addresses of the domain are led to it, and it alone is trusted for them.",
  // TRANSLATE
  "mailDomains.anyProvider": "Any of the organization",
  // TRANSLATE
  "mailDomains.goneProvider": "A removed provider",
  // TRANSLATE
  "mailDomains.state": "State",
  // TRANSLATE
  "mailDomains.claimed": "Not proven",
  // TRANSLATE
  "mailDomains.proven": "Proven",
  // TRANSLATE
  "mailDomains.missing": "Record missing",
  // TRANSLATE
  "mailDomains.missingText":
    "The TXT record is no longer in DNS. The proof ends when it has been missing for three days: publish it again.",
  // TRANSLATE
  "mailDomains.proof": "Proof",
  // TRANSLATE
  "mailDomains.proofLead":
    "Publish this TXT record where DNS of the domain is managed, and keep it there: the server looks for it every day.",
  // TRANSLATE
  "mailDomains.recordName": "Name of the TXT record",
  // TRANSLATE
  "mailDomains.recordValue": "Value of the TXT record",
  // TRANSLATE
  "mailDomains.provenAt": "Proven",
  // TRANSLATE
  "mailDomains.missedAt": "Missing since",
  // TRANSLATE
  "mailDomains.verify": "Look for the record",
  // TRANSLATE
  "mailDomains.isProven": "The domain {name} is proven.",
  // TRANSLATE
  "mailDomains.remove": "Remove the mail domain",
  // TRANSLATE
  "mailDomains.removeTitle": "Remove the mail domain {name}?",
  // TRANSLATE
  "mailDomains.removeSignIn": "The sign-in page no longer leads addresses of the domain to the organization.",
  // TRANSLATE
  "mailDomains.removeTrust": "Its providers verify no more addresses of the domain. Verified addresses stay verified.",

  "field.senderAddress": "Adresse de l’expéditeur",
  "field.senderName": "Nom de l’expéditeur",
  "field.host": "Serveur de messagerie",
  "hint.host": "Avec son port, tel que smtp.example.com:587.",
  "pattern.host": "Saisissez un serveur et un port, tels que smtp.example.com:587.",
  "field.tls": "Exige le chiffrement",
  "field.user": "Utilisateur du serveur de messagerie",
  "field.password": "Mot de passe",
  "hint.password": "Laissez vide pour garder celui qui est enregistré.",
  "mail.lead": "Le serveur par lequel cette instance envoie les e-mails, pour toutes les organisations.",
  "mail.leadOwn": "Les e-mails aux personnes de cette organisation, et le serveur qu’elle peut avoir en propre.",
  "mail.setUp": "Configurer les e-mails",
  "mail.setUpLead": "Sans cela, les liens d’enregistrement ne peuvent pas être envoyés par e-mail.",
  "mail.passwordStored": "Un mot de passe est enregistré.",
  "mail.templates": "Modèles",
  "mail.templatesLead":
    "Chaque type d’e-mail tel que les personnes le reçoivent, avec des exemples à la place des noms et des liens.",
  "mail.plainText": "Texte brut",
  "mail.outbox": "Boîte d’envoi",
  "mail.receiver": "Envoyer un message de test à",
  "mail.testLead": "Teste étape par étape les paramètres enregistrés.",
  "mail.remove": "Supprimer les paramètres",
  "mail.removeTitle": "Supprimer les paramètres de messagerie ?",
  "mail.removeText":
    "Les e-mails attendent une nouvelle configuration, et échouent après deux jours. Le mot de passe enregistré est effacé.",
  "mail.own": "Serveur de messagerie de l’organisation",
  "mail.ownLead":
    "Les e-mails à ses utilisateurs viennent alors de ce serveur et de cet expéditeur. Sans lui, de ceux de l’instance.",
  "mail.testOwn": "Test du serveur de messagerie",
  "mail.removeOwnText":
    "Les e-mails sont alors envoyés par le serveur de l’instance. Le mot de passe enregistré est effacé.",
  "mail.show": "Afficher",
  "mail.showOne": "Afficher l’e-mail à {address}",
  "mail.captured": "E-mail capturé",
  "mail.capturedLead": "Il a été gardé au lieu d’être envoyé. Ses liens fonctionnent, mais pas dans cette vue.",
  "mail.removed": "Les paramètres ont été supprimés.",
  "field.preset": "Fournisseur",
  "value.SMTP_TOKEN_PRESET_UNSPECIFIED": "Un autre",
  "value.SMTP_TOKEN_PRESET_MICROSOFT": "Microsoft 365",
  "value.SMTP_TOKEN_PRESET_GOOGLE": "Google",
  "field.tenant": "Locataire",
  "hint.tenant": "Son ID ou un domaine, tel que contoso.com.",
  "field.tokenEndpoint": "Point de terminaison des jetons",
  "field.mailScope": "Scope",
  "field.mailClientId": "ID client",
  "hint.mailClientId": "ID d’application (client) chez Microsoft. Vide pour un compte de service.",
  "field.mailbox": "Boîte aux lettres qui envoie",
  "hint.mailbox": "Si elle diffère de l’utilisateur du serveur de messagerie.",
  "field.mailClientSecret": "Secret client",
  "hint.mailClientSecret":
    "Donnez un seul secret : celui-ci, une clé ou un jeton. Laissez tout vide pour garder celui qui est enregistré.",
  "field.privateKey": "Clé privée",
  "hint.privateKey": "En PEM, avec son certificat pour Microsoft.",
  "field.serviceAccountKey": "Clé d’un compte de service",
  "hint.serviceAccountKey": "Le contenu du fichier JSON de Google.",
  "field.refreshToken": "Jeton d’actualisation",
  "mail.oauth": "OAuth",
  "mail.oauthLead": "Microsoft et Google acceptent des jetons d’accès à la place d’un mot de passe.",
  "mail.oauthSet": "Les e-mails sont envoyés avec des jetons d’accès. Un secret est enregistré.",
  "mail.removeOAuth": "Supprimer OAuth",
  "mail.removeOAuthTitle": "Supprimer OAuth ?",
  "mail.removeOAuthText":
    "Les e-mails sont de nouveau envoyés avec le mot de passe enregistré, ou sans authentification. Le secret enregistré est effacé.",
  "mail.kind": "E-mail",
  "mail.route": "Serveur",
  "mailRoute.1": "Instance",
  "mailRoute.2": "Organisation",
  "mailRoute.3": "Instance, à la place de l’organisation",
  "mailRoute.4": "Aucun : capturé",
  "mail.none": "Il n’y a aucun e-mail de ce genre.",
  "delivery.retry": "Réessayer",
  "mail.retryOne": "Réessayer l’e-mail à {address}",
  "delivery.retried": "Le prochain essai commence maintenant.",
  "delivery.failures": { one: "{count} essai manqué", other: "{count} essais manqués" },
  "deliveryState.1": "En attente",
  "deliveryState.2": "Envoyé",
  "deliveryState.3": "Échoué",
  "deliveryState.4": "Annulé",
  "push.lead": "Les webhooks signalent à d’autres systèmes les événements de cette organisation.",
  "push.add": "Ajouter un webhook",
  "push.addLead":
    "Les événements sont envoyés à partir de maintenant, chacun jusqu’à ce que la cible l’ait accepté, pendant trois jours.",
  "push.none": "Il n’y a aucun webhook.",
  "push.subscriptions": "Webhooks",
  "push.deliveries": "Envois",
  "push.noDeliveries": "Il n’y a aucun envoi de ce genre.",
  "push.event": "Événement",
  "push.webhook": "Webhook",
  "push.logout": "Déconnexion d’une application",
  "push.retryOne": "Réessayer l’envoi {id}",
  "push.testLead": "Envoie à la cible un événement de test, étape par étape.",
  "push.key": "Clé du webhook",
  "push.keyLead": "La cible vérifie avec elle que les événements viennent d’ici.",
  "push.secrets": "Clés",
  "push.secretsLead":
    "Pour remplacer une clé, créez-en une deuxième, donnez-la à la cible, puis supprimez la première.",
  "push.publicKey": "Clé publique",
  "push.createSecret": "Créer : {kind}",
  "push.removeSecretTitle": "Supprimer la clé ?",
  "push.removeSecret": "Les événements ne sont plus signés avec elle.",
  "push.remove": "Supprimer le webhook",
  "push.removeTitle": "Supprimer le webhook {name} ?",
  "push.removeText": "Les envois en attente sont annulés.",
  "field.url": "URL",
  "hint.url": "Commence par https://.",
  "field.eventTypes": "Événements",
  "hint.eventTypes": "Un type par ligne, tel que user.added. Sans aucun, tous les événements sont envoyés.",
  "value.SECRET_KIND_HMAC": "Secret partagé (HMAC)",
  "value.SECRET_KIND_ED25519": "Paire de clés (Ed25519)",
  "mailKind.passkey_registration_link": "Lien d’enregistrement",
  "mailKind.passkey_recovery_link": "Lien de récupération",
  "mailKind.passkey_invitation": "Invitation",
  "mailKind.sign_up_link": "Lien d’inscription",
  // TRANSLATE
  "mailKind.email_change_link": "Link to a new address",
  // TRANSLATE
  "mailKind.email_change_requested": "Notice of a requested address",
  "mailKind.passkey_added": "Avis d’une nouvelle clé d’accès",
  "mailKind.email_changed": "Avis d’une nouvelle adresse",
  "mailKind.account_recovered": "Avis d’une récupération",
  "mailKind.idp_linked": "Avis d’une nouvelle association",
  "mailKind.idp_unlinked": "Avis d’une association supprimée",
  "mailKind.token_created": "Avis d’un nouveau jeton d’accès",

  "attributes.lead":
    "Valeurs que chaque utilisateur peut avoir, telles qu’un service. Les claims des applications peuvent les envoyer.",
  "attributes.add": "Ajouter un attribut",
  "attributes.addLead": "Le nom et le type restent ; le nom affiché peut changer.",
  "attributes.none": "Aucun attribut n’est déclaré.",
  "attributes.type": "Type",
  "attributes.remove": "Supprimer l’attribut",
  "attributes.removeTitle": "Supprimer l’attribut {name} ?",
  "attributes.removeText": "Tous les utilisateurs perdent leurs valeurs.",
  "attributes.removeClaims": "Les applications n’obtiennent plus les claims qui en sont faits.",
  "field.attributes.name": "Nom",
  "hint.attributes.name":
    "Au plus 64 lettres, chiffres, points, traits d’union et traits de soulignement. Les programmes l’utilisent.",
  "field.attributes.type": "Type",
  "field.attributes.userAccess": "Accès des utilisateurs à leur propre valeur",
  "value.ATTRIBUTE_TYPE_TEXT": "Texte",
  "value.ATTRIBUTE_TYPE_NUMBER": "Nombre",
  "value.ATTRIBUTE_TYPE_BOOLEAN": "Oui ou non",
  "value.ATTRIBUTE_TYPE_TEXT_LIST": "Liste de textes",
  "value.ATTRIBUTE_ACCESS_NONE": "Aucun",
  "value.ATTRIBUTE_ACCESS_READ": "Lire",
  "value.ATTRIBUTE_ACCESS_WRITE": "Lire et modifier",
  "field.picture": "Photo",
  "hint.picture": "Le centre d’une image.",
  "user.emailState": "Adresse e-mail vérifiée",
  // TRANSLATE
  "user.emailChange": "Mail address that the user requested",
  // TRANSLATE
  "user.emailChangeUntil": "to be confirmed by",
  "emailVerification.UNSPECIFIED": "Non",
  "emailVerification.LINK": "Par un lien qui a été ouvert",
  "emailVerification.PROVIDER": "Par un fournisseur d’identité",
  "emailVerification.IMPORT": "Par une importation",
  "emailVerification.ADMINISTRATOR": "Par un administrateur",
  claims: "Autres claims",
  "claims.lead":
    "Claims du jeton d’identité et de userinfo avec un attribut de l’utilisateur ou un texte fixe, au plus 20.",
  "claims.add": "Ajouter un claim",
  "claims.none": "Il n’y a que les claims des scopes accordés.",
  "claims.removeTitle": "Supprimer le claim {name} ?",
  "claims.remove": "L’application ne l’obtient plus.",
  "claims.value": "Valeur",
  "field.claims.name": "Nom du claim",
  "field.claims.attribute": "Attribut",
  "hint.claims.attribute":
    "Nom d’un attribut, ou un champ des utilisateurs : user_name, display_name, given_name, family_name, locale, zoneinfo ou external_id.",
  "field.claims.text": "Texte fixe",
  "hint.claims.text": "À la place d’un attribut.",
  "field.claims.target": "Où",
  "value.CLAIM_TARGET_BOTH": "Jeton d’identité et userinfo",
  "value.CLAIM_TARGET_ID_TOKEN": "Jeton d’identité",
  "value.CLAIM_TARGET_USERINFO": "Userinfo",

  "events.lead": "Chaque modification est un événement. Les événements ne sont jamais modifiés.",
  "events.type": "Type",
  "events.kind.signIns": "Connexions",
  "events.kind.access": "Accès : rôles, groupes, verrouillages",
  "events.kind.credentials": "Clés d’accès, liens, jetons",
  "events.all": "Tous",
  "events.object": "ID de l’objet",
  "events.creator": "Causé par",
  "events.since": "Depuis",
  "events.allOrganizations": "Toutes les organisations",
  // TRANSLATE
  "users.passkeys": "Passkeys",
  // TRANSLATE
  "users.noPasskey": "None",
  // TRANSLATE
  "users.onePasskey": "One",
  // TRANSLATE
  "users.morePasskeys": "Several",
  // TRANSLATE
  "users.within": "Within {days} days",
  // TRANSLATE
  refusedSignIns: "Refused sign-ins",
  // TRANSLATE
  "refusedSignIns.lead":
    "Of users who are known by their passkey or their account at an identity provider, of the last 30 days.",
  // TRANSLATE
  "refusedSignIns.none": "No sign-in was refused.",
  // TRANSLATE
  "refusedSignIns.reason": "Reason",
  // TRANSLATE
  "refusedSignIns.latest": "Latest",
  // TRANSLATE
  "refusedSignIns.network": "Network",
  // TRANSLATE
  "refusedSignIns.CHALLENGE_USED": "The sign-in was sent twice",
  // TRANSLATE
  "refusedSignIns.CREDENTIAL_MALFORMED": "The answer of the passkey is malformed",
  // TRANSLATE
  "refusedSignIns.FLOW_EXPIRED": "The sign-in took too long",
  // TRANSLATE
  "refusedSignIns.FLOW_USED": "The sign-in was sent twice",
  // TRANSLATE
  "refusedSignIns.IDP_DISABLED": "The identity provider is disabled",
  // TRANSLATE
  "refusedSignIns.ORIGIN_NOT_ALLOWED": "On a page of another address",
  // TRANSLATE
  "refusedSignIns.ROLES_EXCEED_PROVIDER": "The roles are higher than those that the provider may sign in",
  // TRANSLATE
  "refusedSignIns.SIGN_IN_FAILED": "The passkey did not prove itself",
  // TRANSLATE
  "refusedSignIns.USER_LOCKED": "The user is locked out",
  // TRANSLATE
  "refusedSignIns.USER_NOT_VERIFIED": "The passkey did not verify its user",
  // TRANSLATE
  "users.inviteAgain": "Invite again",
  // TRANSLATE
  // TRANSLATE
  "users.inviteMany": { one: "Invite {count} user again?", other: "Invite {count} users again?" },
  // TRANSLATE
  // TRANSLATE
  "users.manyHavePasskey": {
    one: "{count} user has a passkey, and gets no mail.",
    other: "{count} users have a passkey, and get no mail.",
  },
  // TRANSLATE
  "events.exportedFirst": "The latest {count} events were saved. The command keystead audit --csv saves more.",
  // TRANSLATE
  "groups.total": "Groups: {total}",
  // TRANSLATE
  "groups.noneFound": "No group is found.",
  // TRANSLATE
  "applications.total": "Applications: {total}",
  // TRANSLATE
  "applications.noneFound": "No application is found.",
  // TRANSLATE
  "sessions.total": "Sessions: {total}",
  // TRANSLATE
  "mail.total": "Mails: {total}",
  // TRANSLATE
  "push.total": "Deliveries: {total}",
  // TRANSLATE
  "figures.active7": "Active in 7 days",
  // TRANSLATE
  "figures.active30": "Active in 30 days",
  // TRANSLATE
  "figures.onePasskey": "With one passkey only",
  // TRANSLATE
  "figures.locked": "Locked out",
  // TRANSLATE
  "figures.sessions": "Sessions now",
  // TRANSLATE
  "figures.attention": "Needs attention",
  // TRANSLATE
  "figures.token": "The token {name} expires",
  // TRANSLATE
  "figures.certificate": "The client certificate {name} expires",
  // TRANSLATE
  "figures.moreTokens": {
    one: "{count} more token expires within 30 days",
    other: "{count} more tokens expire within 30 days",
  },
  // TRANSLATE
  "figures.signIns": "Sign-ins by day",
  // TRANSLATE
  "figures.signInsLead": "Of the last 30 days, in UTC.",
  // TRANSLATE
  "figures.toSignIns": "All sign-ins",
  // TRANSLATE
  "figures.day": "Day",
  // TRANSLATE
  "figures.succeeded": "Sign-ins",
  // TRANSLATE
  "figures.refused": "Refused",
  // TRANSLATE
  "figures.signInsOfDay": "{count} sign-ins, {refused} refused",
  // TRANSLATE
  "figures.steps": "First steps",
  // TRANSLATE
  "figures.stepsLead": "You are the only user so far. Figures appear here with the second one.",
  // TRANSLATE
  "figures.stepPeople": "Invite people",
  // TRANSLATE
  "figures.stepMail": "Set up mail",
  // TRANSLATE
  "figures.stepApplication": "Connect the first application",
  // TRANSLATE
  "figures.stepProvider": "Let people sign in with accounts they have",
  // TRANSLATE
  "figures.stepBrand": "Set name, logo and colour",
  // TRANSLATE
  "figures.stepDone": "Done",
  // TRANSLATE
  "figures.invited": "Invited, not accepted",
  // TRANSLATE
  "figures.toRefused": "Refused sign-ins",
  // TRANSLATE
  "figures.mails": { one: "{count} mail could not be delivered", other: "{count} mails could not be delivered" },
  // TRANSLATE
  "figures.deliveries": {
    one: "{count} webhook or logout token could not be delivered",
    other: "{count} webhooks or logout tokens could not be delivered",
  },
  // TRANSLATE
  "figures.refusals": {
    one: "{count} request of an application was refused",
    other: "{count} requests of an application were refused",
  },
};
