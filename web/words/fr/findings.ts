/** The findings of the view of the system in French, by their reasons. `{name}` stands for a value of the finding. */

import type { Findings } from "../types";

export const findings: Findings = {
  "check.readiness": "disponibilité",
  "check.settings": "paramètres",
  "check.relying party": "relying party",
  "check.link page": "page des liens",
  "check.plaintext": "texte en clair",
  "check.trusted proxies": "proxys de confiance",
  "check.certificate": "certificat",
  "check.client CA": "AC des clients",
  "check.extensions of the certificate": "extensions du certificat",
  "check.data directory": "répertoire de données",
  "check.disk space": "espace disque",
  "check.secret files": "fichiers de secrets",
  "check.database": "base de données",
  "check.connections": "connexions",
  "check.clock": "horloge",
  "check.indexes": "index",
  "check.writes": "écritures",
  "check.Patroni": "Patroni",
  "check.servers": "serveurs",
  "check.ES256 signing keys": "clés de signature ES256",
  "check.RS256 signing keys": "clés de signature RS256",
  "check.administrator": "administrateur",
  "check.mail": "e-mail",
  "check.pushes": "envois",
  "check.event log": "journal des événements",
  "check.checkpoint file": "fichier des points de contrôle",
  "check.event partitions": "partitions des événements",
  "check.mail sender": "expéditeur des e-mails",
  READY: "Le serveur accepte les appels.",
  SETTINGS_VALID: "Tous sont valides.",
  RP_ID_LOCAL:
    "KEYSTEAD_RP_ID est {rp_id}, alors que le serveur écoute sur {address} : les clés d’accès ne fonctionnent que dans les navigateurs de cette machine.",
  "RP_ID_LOCAL.remedy": "Mettez dans KEYSTEAD_RP_ID et KEYSTEAD_RP_ORIGINS le domaine que voient les utilisateurs.",
  RP_ID: "{rp_id}, sur {origins}.",
  LINK_PAGE_PLAINTEXT: "{page} n’est pas servie en https, donc les navigateurs n’y proposent pas de clés d’accès.",
  "LINK_PAGE_PLAINTEXT.remedy": "Servez-la en TLS et définissez KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE_ELSEWHERE: "Les liens d’enregistrement ouvrent {page}, mais le port web est {here} sur cette machine.",
  "LINK_PAGE_ELSEWHERE.remedy":
    "Nommez {here} en premier dans KEYSTEAD_RP_ORIGINS, ou définissez KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE_FOREIGN:
    "{page} n’est sur aucune des KEYSTEAD_RP_ORIGINS, donc tout enregistrement par un lien est refusé.",
  "LINK_PAGE_FOREIGN.remedy": "Ajoutez-y {origin}, ou modifiez KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE: "Les liens d’enregistrement ouvrent {page}.",
  PORTS_TLS: "Les deux ports utilisent TLS.",
  PORTS_OPEN: "{ports} : d’autres machines y accèdent en clair, ce qui expose les jetons.",
  "PORTS_OPEN.remedy":
    "Définissez KEYSTEAD_TLS_CERTIFICATE_FILE et KEYSTEAD_TLS_KEY_FILE, écoutez sur 127.0.0.1, ou n’y laissez accéder qu’un proxy qui termine TLS.",
  PORTS_LOCAL: "Les deux ports ne sont accessibles que depuis cette machine ou par un proxy de confiance.",
  PROXIES_EVERYWHERE:
    "KEYSTEAD_TRUSTED_PROXIES contient {networks} : chaque client qui atteint le port web choisit l’adresse qu’utilisent les limites de débit et les journaux.",
  "PROXIES_EVERYWHERE.remedy": "Ne nommez que les réseaux de vos proxys.",
  CERTIFICATE_FUTURE: "{file} n’est valable qu’à partir du {time} UTC, donc les clients le refusent.",
  "CERTIFICATE_FUTURE.remedy": "Vérifiez l’horloge de cette machine, ou utilisez un autre certificat.",
  CERTIFICATE_EXPIRED: "{file} a expiré le {time} UTC, donc les clients le refusent.",
  "CERTIFICATE_EXPIRED.remedy": "Renouvelez-le ; les serveurs en marche reprennent les nouveaux fichiers.",
  CERTIFICATE_EXPIRES: "{file} expire le {time} UTC.",
  "CERTIFICATE_EXPIRES.remedy": "Renouvelez-le ; les serveurs en marche reprennent les nouveaux fichiers.",
  CERTIFICATE_VALID: "{file} est valable jusqu’au {date}.",
  CLIENT_CA_EXPIRED:
    "Un certificat de {file} a expiré le {time} UTC, donc les clients avec des certificats de cette autorité ne peuvent pas se connecter.",
  "CLIENT_CA_EXPIRED.remedy": "Renouvelez-le ; les serveurs en marche reprennent les nouveaux fichiers.",
  CLIENT_CA_EXPIRES: "Un certificat de {file} expire le {time} UTC.",
  "CLIENT_CA_EXPIRES.remedy": "Renouvelez-le ; les serveurs en marche reprennent les nouveaux fichiers.",
  CLIENT_CA_VALID: "Un certificat de {file} est valable jusqu’au {date}.",
  EXTENSIONS_MISSING:
    "RFC 5280 exige {extension} de {subject} dans {file}. Sans elle, les clients stricts, tels que Python 3.13, refusent le certificat.",
  "EXTENSIONS_MISSING.remedy": "Faites-le émettre de nouveau, comme le montre docs/operating-tls.md.",
  EXTENSIONS: "{file} a les extensions qu’exige RFC 5280.",
  FOLDER_CLOSED: "Cet utilisateur ne peut ni écrire dans {folder} ni le créer.",
  "FOLDER_CLOSED.remedy":
    "Exécutez Keystead en tant que propriétaire, ou mettez KEYSTEAD_DATA_DIR sur un autre répertoire.",
  FOLDER_MISSING: "{folder} n’existe pas ; le serveur le crée.",
  FOLDER_OPEN: "D’autres utilisateurs peuvent écrire dans {folder}.",
  "FOLDER_OPEN.remedy": "Exécutez : chmod go-w {folder}",
  FOLDER: "Seul son propriétaire peut modifier {folder}.",
  SPACE_TOO_LITTLE:
    "Seuls {megabytes} Mo sont libres pour la base de données intégrée : les écritures échouent, ou vont bientôt échouer.",
  "SPACE_TOO_LITTLE.remedy":
    "Libérez de l’espace sur le disque de {folder}, ou arrêtez tous les serveurs, déplacez ce répertoire et définissez KEYSTEAD_DATA_DIR.",
  SPACE_LITTLE:
    "Seuls {megabytes} Mo sont libres pour la base de données intégrée, qui peut avoir besoin de 1000 Mo pendant un temps.",
  "SPACE_LITTLE.remedy":
    "Libérez de l’espace sur le disque de {folder}, ou arrêtez tous les serveurs, déplacez ce répertoire et définissez KEYSTEAD_DATA_DIR.",
  SPACE: "{megabytes} Mo sont libres pour la base de données intégrée.",
  SECRET_READABLE: "{name} est dans {path}, que chaque utilisateur peut lire.",
  "SECRET_READABLE.remedy": "Exécutez : chmod o-r {path}",
  ADMIN_TOKEN_READABLE: "Le jeton du premier administrateur est dans {path}, que chaque utilisateur peut lire.",
  "ADMIN_TOKEN_READABLE.remedy": "Exécutez : chmod o-r {path}",
  SECRETS_CLOSED: "Aucun secret n’est dans un fichier que tout le monde peut lire.",
  DATABASE_OLD: "PostgreSQL {version} est trop ancien.",
  "DATABASE_OLD.remedy": "Utilisez {oldest} ou plus récent.",
  DATABASE: "PostgreSQL {version}, avec le schéma de cette version.",
  CONNECTIONS_TOO_FEW:
    "Processus de travail : {workers}. Ils ouvrent jusqu’à {wanted} connexions, PostgreSQL en permet {allowed} : des appels échouent sous charge.",
  "CONNECTIONS_TOO_FEW.remedy":
    "Diminuez KEYSTEAD_DATABASE_POOL_SIZE, ou augmentez max_connections ou la limite de connexions du rôle ou de la base de données.",
  CONNECTIONS: "Jusqu’à {wanted} sur {allowed} disponibles.",
  CLOCK_AHEAD:
    "L’horloge de la base de données avance de {seconds} secondes sur celle de cette machine. Les JWT de session ont l’heure de la base de données : les services dont l’horloge diffère les refusent.",
  "CLOCK_AHEAD.remedy": "Synchronisez-les par NTP.",
  CLOCK_BEHIND:
    "L’horloge de la base de données retarde de {seconds} secondes sur celle de cette machine. Les JWT de session ont l’heure de la base de données : les services dont l’horloge diffère les refusent.",
  "CLOCK_BEHIND.remedy": "Synchronisez-les par NTP.",
  CLOCK: "L’horloge de la base de données concorde avec celle de cette machine.",
  INDEX_INCOMPLETE: "L’index {name} est incomplet et n’est pas utilisé : sa création a été interrompue.",
  "INDEX_INCOMPLETE.remedy": "Recréez-le par ce SQL : reindex index concurrently {name}",
  COMMIT_OFF: "synchronous_commit est off : un plantage perd des écritures confirmées.",
  "COMMIT_OFF.remedy": "Mettez-le à on.",
  COMMIT_LOCAL:
    "synchronous_commit est local : il n’attend aucun serveur de secours, donc un basculement perd des écritures confirmées.",
  "COMMIT_LOCAL.remedy": "Mettez-le à on.",
  NO_SYNCHRONOUS_STANDBY:
    "KEYSTEAD_DATABASE_URL nomme plusieurs hôtes, mais synchronous_standby_names est vide : un basculement perd des écritures confirmées.",
  "NO_SYNCHRONOUS_STANDBY.remedy": "Avec Patroni, définissez synchronous_mode et synchronous_mode_strict.",
  WRITES_ON_DISK: "Les écritures confirmées sont sur le disque.",
  WRITES_ON_STANDBY: "Un serveur de secours synchrone a les écritures confirmées.",
  PATRONI_OLD:
    "Le Patroni de ce PostgreSQL est antérieur à 3.2 ; `patronictl version` affiche sa version. Jusqu’à 3.0.2 avec l’API v3 d’etcd, un leader qui était figé reprend son verrou, et les écritures que son successeur a confirmées sont perdues.",
  "PATRONI_OLD.remedy": "Mettez Patroni à niveau vers 3.2 ou plus récent.",
  SERVERS_NONE: "Aucun n’est en marche.",
  SERVERS_WITHOUT_KEY:
    "Ceux-ci ne peuvent pas stocker de secrets, car `keystead rotate-keys` a remplacé leur première clé : {servers}.",
  "SERVERS_WITHOUT_KEY.remedy": "Redémarrez-les avec les clés actuelles.",
  SERVERS_WITH_OTHER_KEYS: "Ceux-ci ne chiffrent pas avec la première clé de ces paramètres, {key_id} : {servers}.",
  "SERVERS_WITH_OTHER_KEYS.remedy": "Redémarrez-les avec les mêmes clés ; jusque-là, `keystead rotate-keys` refuse.",
  SERVERS: "Serveurs en cours d’exécution ({number}) : {servers}.",
  SIGNING_KEY_NONE: "Il n’y en a aucune pour signer des JWT.",
  "SIGNING_KEY_NONE.remedy":
    "Démarrez le serveur, qui en ajoute une dès qu’aucun serveur d’une version antérieure n’est en marche.",
  SIGNING_KEY_FUTURE:
    "La seule clé due signe à partir du {time} UTC, qui est dans le futur : l’horloge de la base de données est ou était fausse.",
  "SIGNING_KEY_FUTURE.remedy": "Synchronisez-la par NTP.",
  SIGNING_KEY_OVERDUE: "La prochaine est en retard depuis le {time} UTC.",
  "SIGNING_KEY_OVERDUE.remedy":
    "Vérifiez qu’un serveur est en marche et lisez son journal, ou exécutez : keystead rotate-signing-key",
  SIGNING_KEY_NEXT: "La prochaine signe à partir du {time} UTC.",
  SIGNING_KEY: "La prochaine est publiée le {date}.",
  OWNER_NONE: "Aucun utilisateur n’a le rôle INSTANCE_OWNER.",
  "OWNER_NONE.remedy":
    "Démarrez le serveur une fois si la base de données est nouvelle ; sinon, exécutez : keystead user grant USER INSTANCE_OWNER",
  OWNER_WITHOUT_TOKEN: "Aucun utilisateur avec le rôle INSTANCE_OWNER n’a de jeton valable.",
  "OWNER_WITHOUT_TOKEN.remedy": "Exécutez : keystead token create USER",
  OWNERS: "{number} avec un jeton valable.",
  MAIL_NOT_CONFIGURED: "Aucune configuration SMTP n’est définie, donc aucun e-mail n’est envoyé.",
  "MAIL_NOT_CONFIGURED.remedy": "Ajoutez-en une : keystead smtp add",
  MAILS_UNDELIVERED:
    "E-mails échoués en un jour : {failed} ; en retard : {delayed} ; la dernière raison était {reason}.",
  "MAILS_UNDELIVERED.remedy": "Voir : keystead mail list",
  MAILS_NOT_ATTEMPTED: "E-mails échoués en un jour : {failed} ; en retard : {delayed} ; aucun n’a été tenté.",
  "MAILS_NOT_ATTEMPTED.remedy": "Vérifiez qu’un serveur est en marche. Voir : keystead mail list",
  MAILS: "Une configuration SMTP est définie ; aucun e-mail n’est en retard ni n’a échoué en un jour.",
  PUSHES_UNDELIVERED:
    "Webhooks et jetons de déconnexion échoués en un jour : {failed} ; retentés après un échec : {tried_again} ; cibles sans réponse : {targets} ; la dernière raison était {reason}.",
  "PUSHES_UNDELIVERED.remedy": "Voir, avec --org : keystead push deliveries",
  PUSHES_TRIED_AGAIN:
    "Webhooks et jetons de déconnexion échoués en un jour : {failed} ; retentés après un échec : {tried_again} ; cibles sans réponse : {targets}.",
  "PUSHES_TRIED_AGAIN.remedy": "Voir, avec --org : keystead push deliveries",
  PUSHES: "Aucun webhook ni jeton de déconnexion n’a échoué en un jour ni n’est retenté.",
  EVENTS_UNCOVERED: "Âge des événements qui ne sont dans aucun point de contrôle, en heures : {hours}.",
  "EVENTS_UNCOVERED.remedy":
    "Vérifiez qu’un serveur est en marche et si son journal nomme des échecs de housekeeping, ou exécutez : keystead audit checkpoint",
  EVENTS_COVERED:
    "Chaque événement de plus d’une heure est dans un point de contrôle. Pour les comparer : keystead audit verify",
  CHECKPOINT_LOST:
    "Le point de contrôle {number}, que contient {path}, n’est plus dans la base de données : il a été supprimé, ou une sauvegarde plus ancienne a été restaurée.",
  "CHECKPOINT_LOST.remedy":
    "Exécutez : keystead audit verify. Après une restauration, arrêtez les serveurs, exécutez : keystead restored. Déplacez ensuite le fichier, conservez-le, et démarrez les serveurs.",
  CHECKPOINT_NOT_IN_FILE: "Le point de contrôle {number} n’est pas dans {path}.",
  "CHECKPOINT_NOT_IN_FILE.remedy":
    "Vérifiez qu’un serveur de cette machine fonctionne avec ce paramètre et peut écrire dans le fichier.",
  CHECKPOINT_FILE: "La base de données a le dernier point de contrôle de {path}.",
  EVENTS_MISPLACED:
    "Événements sans partition de leur mois, à partir du {date} : {events}. Ils sont lus comme d’habitude et ne peuvent pas être archivés.",
  "EVENTS_MISPLACED.remedy":
    "Vérifiez l’horloge de la base de données, et si le journal nomme des échecs de housekeeping.",
};
