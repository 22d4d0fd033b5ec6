/** The refusals of the server in French, by their reasons. `{name}` stands for a value of the metadata of the refusal. */

import type { Refusals } from "../types";

export const refusals: Refusals = {
  APPLICATION_GRANT_NOT_FOUND:
    "L’utilisateur n’a pas donné d’accès à cette application, ou cet accès a déjà pris fin. Rechargez la liste.",
  APPLICATION_ID_ALREADY_USED:
    "Une application de cette installation a ou a eu cet ID. Les ID ne sont jamais réutilisés. Choisissez-en un autre.",
  APPLICATION_NOT_FOUND:
    "Cette organisation n’a pas cette application. Vérifiez la liste des applications et l’organisation choisie.",
  APPLICATION_SECRET_NOT_FOUND: "L’application n’a plus ce secret. Rechargez la page.",
  APPLICATION_WITHOUT_PEOPLE:
    "L’application n’obtient pas de claims d’utilisateurs. Seules les applications web, dans le navigateur ou sur un appareil en obtiennent.",
  APPLICATION_WITHOUT_SECRETS:
    "L’application ne s’authentifie pas avec un secret. Pour une application web ou un service, choisissez une méthode avec secret, ou utilisez sa clé.",
  ATTRIBUTE_DEFINITION_ALREADY_EXISTS: "Choisissez un autre nom.",
  ATTRIBUTE_DEFINITION_NOT_FOUND: "L’attribut a été supprimé. Rechargez la liste.",
  BRAND_NOT_FOUND: "Aucune marque n’est définie. Définissez-en une.",
  CAPTURED_MAIL_NOT_FOUND: "L’e-mail n’a pas été capturé, ou son message n’est plus conservé.",
  CAPTURED_MAIL_UNREADABLE:
    "Le message ne peut pas être déchiffré. Tous les serveurs de cette base de données ont besoin des mêmes clés.",
  CANNOT_LOCK_YOURSELF: "Vous ne pouvez pas vous verrouiller vous-même. Demandez-le à un autre administrateur.",
  CERTIFICATE_ALREADY_ADDED:
    "Le certificat appartient déjà à un jeton. Révoquez d’abord celui-ci, ou faites émettre un autre certificat.",
  CERTIFICATE_NOT_PRESENTED:
    "La connexion ne prouve pas que vous avez la clé privée du certificat. Demandez à un propriétaire de l’instance de l’ajouter.",
  CHALLENGE_EXPIRED: "La confirmation a pris trop de temps. Recommencez depuis le début.",
  CHALLENGE_USED: "Cette confirmation est déjà terminée. Recommencez depuis le début.",
  CONCURRENT_CHANGE: "Quelqu’un a modifié la même chose au même moment. Réessayez.",
  CREDENTIAL_ALREADY_REGISTERED: "Cette clé d’accès est déjà enregistrée. Utilisez un autre appareil.",
  CREDENTIAL_MALFORMED: "La réponse de l’appareil est endommagée. Réessayez, ou utilisez-en un autre.",
  CREDENTIAL_NOT_VERIFIED: "Cette clé d’accès n’appartient pas à cet enregistrement. Recommencez depuis le début.",
  DATABASE_UNAVAILABLE: "Le serveur ne joint pas sa base de données pour l’instant. Réessayez dans un moment.",
  DEADLINE_EXCEEDED: "L’appel ne s’est pas terminé à temps. Réessayez.",
  DEFAULT_ORGANIZATION: "C’est l’organisation par défaut. Elle ne peut pas être supprimée.",
  DELIVERY_ALREADY_SENT: "La cible a accepté l’envoi. Il n’y a plus rien à faire.",
  DELIVERY_CANCELLED: "L’envoi a été annulé parce que sa cible a été supprimée.",
  DELIVERY_NOT_FOUND: "Cette organisation n’a pas cet envoi. Rechargez la liste.",
  DNS_UNAVAILABLE:
    "Les serveurs DNS n’ont pas répondu. Réessayez plus tard. Si cela se reproduit, vérifiez le DNS du domaine.",
  EMAIL_SET_BY_OTHERS:
    "Quelqu’un qui n’a pas tous les droits de l’utilisateur a défini son adresse e-mail. Vérifiez l’adresse et enregistrez-la de nouveau.",
  ENCRYPTION_KEY_REPLACED:
    "Ce serveur ne peut conserver aucun secret, car sa clé a été remplacée. Les exploitants doivent le redémarrer avec les clés actuelles.",
  EVENTS_ARCHIVED: "Les événements plus anciens sont archivés. Demandez les archives aux exploitants.",
  GROUP_ALREADY_EXISTS: "Choisissez un autre nom.",
  GROUP_MEMBER_NOT_FOUND:
    "L’utilisateur n’est pas membre du groupe, ou cette organisation n’a pas ce groupe. Rechargez la liste.",
  GROUP_NOT_FOUND: "Cette organisation n’a pas ce groupe. Vérifiez la liste des groupes et l’organisation choisie.",
  IDEMPOTENCY_ANSWER_UNREADABLE: "La modification est faite, mais sa réponse est illisible. Rechargez la page.",
  IDEMPOTENCY_KEY_REUSED: "Deux modifications avaient la même clé. Rechargez la page et réessayez.",
  IDP_LINK_NOT_FOUND: "L’utilisateur n’a plus cette association. Rechargez la liste.",
  IDP_NAME_NOT_UNIQUE: "Plusieurs fournisseurs d’identité de l’organisation ont ce nom. Indiquez l’ID du fournisseur.",
  IDP_NOT_FOUND: "Cette organisation n’a pas ce fournisseur d’identité. Vérifiez la liste et l’organisation choisie.",
  INVALID_FIELDS: "Corrigez les champs qui portent une erreur.",
  LAST_INSTANCE_OWNER:
    "Faites d’abord d’un autre utilisateur un propriétaire de l’instance sans date de fin, ou déverrouillez-en un.",
  LAST_SECRET: "Le webhook n’a que cette clé. Créez-en d’abord une autre.",
  LINK_EXPIRED: "Le lien a expiré. Créez-en un nouveau.",
  LINK_REPLACED: "Un lien plus récent a remplacé celui-ci. Utilisez le plus récent.",
  LINK_USED: "Une clé d’accès a déjà été enregistrée avec ce lien. Créez-en un nouveau.",
  LOG_RESTORED:
    "Des événements jusqu’à cet endroit sont perdus : la base de données a été restaurée depuis une sauvegarde. Rechargez la page.",
  MADE_BY_OTHERS:
    "Des utilisateurs verrouillés, ou sans les droits de ce rôle, peuvent avoir des identifiants de cet utilisateur. Vérifiez-les, et accordez le rôle de façon à mettre fin aux identifiants créés par d’autres.",
  MAIL_ALREADY_SENT: "L’e-mail est déjà envoyé. Il n’y a plus rien à faire.",
  MAIL_CANCELLED: "L’e-mail a été annulé parce que son contenu n’est plus d’actualité.",
  MAIL_CAPTURED:
    "Aucun e-mail ne quitte ce serveur, car KEYSTEAD_MAIL_CAPTURE est activé. Faites le test sans destinataire.",
  MAIL_DOMAIN_ALREADY_EXISTS: "L’organisation revendique déjà ce domaine e-mail. Il est dans la liste.",
  MAIL_DOMAIN_NOT_FOUND: "Le domaine e-mail a été supprimé. Rechargez la liste.",
  MAIL_DOMAIN_NOT_PROVEN:
    "Aucun enregistrement TXT {record_name} n’a la valeur {record_value}. Trouvé : {found}. Publiez l’enregistrement dans le DNS du domaine, puis réessayez : les serveurs DNS gardent parfois une ancienne réponse pendant des heures.",
  MAIL_DOMAIN_PROVEN_ELSEWHERE:
    "Une autre organisation de ce serveur a validé ce domaine e-mail. Supprimez du DNS l’enregistrement TXT de cette organisation, afin que seul le vôtre porte ce nom.",
  MAIL_NOT_FOUND: "Cet e-mail n’existe plus. Rechargez la liste.",
  MAIL_TEXT_NOT_FOUND: "Il n’y a pas de texte personnalisé pour cet e-mail dans cette langue. Rechargez la liste.",
  MAIL_SECRET_ERASED: "Le lien de l’e-mail a été effacé quand l’envoi a échoué. Créez un nouveau lien.",
  MALFORMED_MESSAGE: "Le serveur ne peut pas lire le message. Rechargez la page.",
  MESSAGE_TOO_LARGE: "Le message est trop grand. Utilisez des valeurs plus courtes ou une image plus petite.",
  METHOD_NOT_IMPLEMENTED: "Ce serveur ne sait pas encore le faire. Rechargez la page.",
  OIDC_CLIENT_SECRET_REQUIRED:
    "Le secret client enregistré ne vaut que pour l’émetteur et l’ID client avec lesquels il a été défini. Saisissez-le de nouveau avec cette modification.",
  OIDC_CLIENT_SECRET_UNREADABLE:
    "Le secret client enregistré ne peut pas être déchiffré. Saisissez-le de nouveau, ou demandez aux exploitants de rétablir les clés manquantes.",
  OIDC_CONFIG_NOT_FOUND: "Le fournisseur d’identité n’a pas de paramètres OpenID Connect. Définissez-les.",
  ORGANIZATION_ALREADY_EXISTS: "Choisissez un autre nom.",
  ORGANIZATION_HAS_USERS: "L’organisation a encore des utilisateurs. Supprimez-les d’abord.",
  ORGANIZATION_NOT_FOUND: "Cette organisation n’existe pas. Vérifiez la liste des organisations.",
  IDENTIFIER_ALREADY_USED: "Utilisez-en un autre.",
  ORIGIN_ALREADY_USED: "Supprimez-la dans l’autre application, ou utilisez-en une autre.",
  PASSKEY_NOT_FOUND: "L’utilisateur n’a plus cette clé d’accès. Rechargez la liste.",
  PASSKEY_UNKNOWN: "Le serveur ne connaît pas cette clé d’accès. Utilisez-en une autre.",
  PERMISSION_DENIED: "Vous n’en avez pas le droit. Demandez aux administrateurs de l’organisation un rôle qui l’a.",
  PROFILE_KEPT: "Demandez à un administrateur de modifier vos informations.",
  PUSH_SECRET_UNREADABLE: "Une clé du webhook ne peut pas être déchiffrée. Créez-en une autre, et supprimez celle-ci.",
  RATE_LIMITED: "Il y a eu trop d’appels en peu de temps. Patientez un moment.",
  REAUTHENTICATION_REQUIRED:
    "Pour cela, vous devez vous être connecté dans les dernières minutes. Confirmez votre identité avec une clé d’accès.",
  RECOVERY_NOT_ALLOWED: "La récupération par e-mail n’est pas autorisée ici. Créez un lien.",
  ROLE_OUTLASTS_YOURS: "Votre propre rôle prend fin plus tôt. Choisissez une fin qui ne soit pas postérieure.",
  SEQUENCE_UNKNOWN: "Le journal est plus court qu’avant : la base de données a été restaurée. Rechargez la page.",
  SESSION_NOT_FOUND: "Cette session est déjà terminée. Rechargez la liste.",
  SHUTTING_DOWN: "Ce serveur est en train de s’arrêter. Réessayez dans un moment.",
  SIGNING_KEY_UNAVAILABLE:
    "Le serveur n’a pas de clé de signature lisible. Réessayez plus tard, ou prévenez les exploitants.",
  SIGN_IN_FAILED: "La connexion a échoué. Réessayez, ou utilisez une autre clé d’accès.",
  SMTP_CONFIG_ALREADY_EXISTS: "Il y a déjà une configuration SMTP. Rechargez la page et modifiez celle-ci.",
  SMTP_CONFIG_MISSING: "Créez d’abord une configuration SMTP.",
  SMTP_CONFIG_NOT_FOUND: "Aucune configuration SMTP n’est définie. Créez-en une.",
  SMTP_OAUTH_BOUND:
    "Les paramètres OAuth ne valent que pour le serveur de messagerie, le chiffrement et la boîte aux lettres avec lesquels ils ont été définis. Supprimez-les avant la modification, et définissez-les de nouveau ensuite.",
  SMTP_OAUTH_NOT_FOUND: "OAuth n’est pas configuré pour les e-mails.",
  SMTP_OAUTH_SECRET_REQUIRED:
    "Le secret enregistré ne vaut que pour le point de terminaison des jetons, l’ID client et la boîte aux lettres avec lesquels il a été défini. Saisissez-le de nouveau avec la modification.",
  SMTP_OAUTH_SECRET_UNREADABLE:
    "Le secret OAuth enregistré ne peut pas être déchiffré. Saisissez-le de nouveau, ou donnez les mêmes clés à tous les serveurs (`keystead doctor` nomme celles qui manquent).",
  SMTP_PASSWORD_REQUIRED:
    "Le mot de passe enregistré ne vaut que pour le serveur, le chiffrement et l’utilisateur avec lesquels il a été défini. Saisissez-le de nouveau avec cette modification.",
  SMTP_PASSWORD_UNREADABLE:
    "Le mot de passe enregistré ne peut pas être déchiffré. Saisissez-le de nouveau, ou demandez aux exploitants de rétablir les clés manquantes.",
  SMTP_USER_REQUIRED:
    "La configuration SMTP n’a pas d’utilisateur, et n’a donc pas besoin de mot de passe. Saisissez les deux ensemble.",
  STREAM_NOT_READ: "La connexion était trop lente. Rechargez la page.",
  SUBSCRIPTION_NOT_FOUND: "Cette organisation n’a pas ce webhook. Vérifiez la liste et l’organisation choisie.",
  SUBSCRIPTION_SECRET_NOT_FOUND: "Le webhook n’a plus cette clé. Rechargez la page.",
  TOKEN_NOT_FOUND: "L’utilisateur n’a plus ce jeton. Rechargez la liste.",
  TOO_MANY_ATTEMPTS:
    "L’enregistrement d’une clé d’accès a été commencé trop souvent avec ce lien. Créez-en un nouveau.",
  TOO_MANY_ATTRIBUTE_DEFINITIONS: "L’organisation a le nombre maximal d’attributs. Supprimez-en d’abord un.",
  TOO_MANY_CEREMONIES: "Trop d’enregistrements de cet utilisateur sont en cours. Attendez dix minutes qu’ils expirent.",
  TOO_MANY_IDEMPOTENCY_KEYS: "Vous avez fait trop de modifications en un jour. Réessayez plus tard.",
  TOO_MANY_MAIL_DOMAINS: "L’organisation a le nombre maximal de domaines e-mail. Supprimez-en un.",
  TOO_MANY_MAILS: "Trop d’e-mails ont été envoyés à cette adresse, ou sont en attente. Réessayez plus tard.",
  TOO_MANY_MAKERS:
    "Votre clé d’accès ou votre jeton provient des identifiants de nombreux autres utilisateurs. Utilisez-en un que vous avez créé vous-même.",
  TOO_MANY_MEMBERS: "Le groupe a le nombre maximal de membres. Retirez-en, ou créez un autre groupe.",
  TOO_MANY_PASSKEYS: "L’utilisateur a le nombre maximal de clés d’accès. Supprimez-en une qui ne sert plus.",
  TOO_MANY_SECRETS: "L’application a le nombre maximal de secrets. Supprimez celui qu’elle n’utilise plus.",
  TOO_MANY_SUBSCRIPTIONS: "L’organisation a le nombre maximal de webhooks. Supprimez-en un.",
  TOO_MANY_SUBSCRIPTION_SECRETS: "Le webhook a le nombre maximal de clés. Supprimez celle que la cible n’utilise plus.",
  TOO_MANY_TOKENS: "L’utilisateur a le nombre maximal de jetons. Révoquez ceux qui ne servent plus.",
  UNAUTHENTICATED: "Votre session a pris fin. Connectez-vous de nouveau.",
  USER_ALREADY_EXISTS: "Choisissez un autre nom d’utilisateur.",
  USER_HAS_NO_EMAIL: "Saisissez une adresse e-mail, ou faites afficher le lien et remettez-le vous-même.",
  USER_LOCKED: "L’utilisateur est verrouillé. Déverrouillez-le d’abord.",
  USER_NOT_FOUND: "Cet utilisateur n’existe pas. Vérifiez la liste des utilisateurs.",
  USER_NOT_VERIFIED:
    "L’appareil n’a pas confirmé votre identité. Déverrouillez-le par code PIN, empreinte digitale ou visage.",
  WORKLOAD_ISSUER_UNREACHABLE: "Les clés de l’émetteur ne peuvent pas être lues pour l’instant. Réessayez plus tard.",
  "violation.CONTAINS_LINK":
    "Supprimez les liens, les adresses web et les adresses e-mail : le lien de l’e-mail reste le seul. Mettez une espace après chaque point.",
  "violation.CONTROL_CHARACTERS": "Supprimez les retours à la ligne et les caractères de contrôle.",
  "violation.EMPTY": "Saisissez une valeur.",
  "violation.HTTPS_REQUIRED": "Saisissez une URL qui commence par https://.",
  "violation.INVALID_LANGUAGE": "Saisissez un code de langue tel que en ou pt-BR.",
  "violation.INVALID_MAIL_ADDRESS": "Saisissez une adresse e-mail comme name@example.com.",
  "violation.INVALID_TIME": "Saisissez une date entre les années 1 et 9999.",
  "violation.INVALID_TIME_ZONE": "Saisissez un fuseau horaire tel que Europe/Berlin.",
  "violation.INVISIBLE_CHARACTERS": "Supprimez les caractères invisibles.",
  "violation.MISSING_PLACE": "Ajoutez les emplacements qui doivent figurer dans le texte.",
  "violation.NO_VISIBLE_CHARACTER": "Saisissez au moins un caractère visible.",
  "violation.OUTER_WHITE_SPACE": "Supprimez les espaces au début et à la fin.",
  "violation.TIME_PASSED": "Indiquez un moment dans le futur.",
  "violation.TOO_LONG": "Saisissez au plus {number} caractères.",
  "violation.TOO_MANY_ENTRIES": "Saisissez au plus {number} éléments.",
  "violation.TOO_MANY_LINES": "Écrivez au plus {number} lignes.",
  "violation.TOO_SMALL": "Saisissez au moins {number}.",
  "violation.UNKNOWN_PLACE": "N’utilisez les accolades que pour les emplacements indiqués ci-dessus.",
};
