/** The remedies of refused requests in French, by their causes. `{name}` stands for a value of the refusal. */

import type { Remedies } from "../types";

export const remedies: Remedies = {
  INVALID_FIELDS: "Le paramètre {parameter} manque, est mal formé ou trop long. Corrigez les paramètres du programme.",
  REDIRECT_URI_NOT_REGISTERED:
    "La redirect_uri reçue est {value}. N’importe qui peut en envoyer une : si c’est celle de l’application, ajoutez-la à la lettre à ses URI de redirection. Une adresse http:// d’un réseau privé nécessite aussi allows_http.",
  POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED:
    "La post_logout_redirect_uri reçue est {value}. N’importe qui peut en envoyer une : si c’est celle de l’application, ajoutez-la à la lettre à ses URI de redirection après une déconnexion. Une adresse http:// d’un réseau privé nécessite aussi allows_http.",
  KIND_WITHOUT_SIGN_IN:
    "Personne ne se connecte à une application de ce type. Ajoutez-en une autre du type WEB, BROWSER ou NATIVE.",
  PKCE_MISSING:
    "Le programme n’envoie pas de PKCE. Activez-le dans le programme. S’il ne le peut pas, mettez pkce à APPLICATION_PKCE_PKCE_OR_NONCE : un nonce protège alors le code. Pour un programme sans nonce, mettez-le à APPLICATION_PKCE_NONE : seul le secret protège alors un code volé.",
  CODE_CHALLENGE_MISSING: "Le programme n’envoie pas de code_challenge. Corrigez les paramètres du programme.",
  CODE_CHALLENGE_METHOD: "La code_challenge_method reçue est « {value} ». Réglez le programme sur S256.",
  CODE_CHALLENGE_MALFORMED: "Le code_challenge n’est pas un SHA-256 en base64url. Mettez le programme à jour.",
  NOT_PUSHED:
    "L’application doit déposer ses demandes d’autorisation (PAR), et le programme ne le fait pas. Activez PAR dans le programme, ou cessez de l’exiger.",
  REQUEST_NOT_SUPPORTED: "Le programme envoie un objet de demande. Désactivez-le dans le programme.",
  REQUEST_URI_NOT_SUPPORTED:
    "Le programme envoie une request_uri qui n’a pas été obtenue ici. Désactivez-la dans le programme.",
  AUTHORIZATION_REQUEST_EXPIRED:
    "La request_uri a été utilisée plus de 90 secondes après son émission, ou par une autre application. Reconnectez-vous.",
  UNSUPPORTED_RESPONSE_TYPE:
    "Le response_type reçu est « {value} ». Réglez le programme sur le flux par code d’autorisation : code.",
  UNSUPPORTED_RESPONSE_MODE: "Le response_mode reçu est « {value} ». Réglez le programme sur query ou form_post.",
  PROMPT:
    "Le prompt reçu est « {value} ». Réglez le programme sur none, login, consent ou select_account, ou sur rien.",
  INVALID_SCOPE:
    "Le scope reçu est « {value} ». Demandez-en moins dans le programme, ou ajoutez à l’application ceux dont il a besoin.",
  SCOPE_MALFORMED:
    "Le scope reçu est « {value} » et contient un caractère qu’aucun scope ne peut avoir. Corrigez les paramètres du programme.",
  INVALID_TARGET:
    "La resource reçue est « {value} ». Elle doit être, à la lettre, l’identifiant d’une application du type RESOURCE dans l’organisation de l’application, ou d’une application pour toutes les organisations : ajoutez-la, ou corrigez le programme. Une demande de jeton nomme l’une de celles de l’autorisation.",
  CLAIMS: "Le paramètre claims n’est pas le JSON d’OpenID Connect. Corrigez les paramètres du programme.",
  ID_TOKEN_HINT:
    "Le id_token_hint est celui d’une autre application ou d’un autre utilisateur. Déconnectez-vous du programme, puis reconnectez-vous.",
  UNMET_AUTHENTICATION_REQUIREMENTS:
    "Le programme exige une connexion que l’utilisateur n’a pas faite. L’utilisateur se connecte avec une clé d’accès, ou le programme exige moins.",
  LOGIN_REQUIRED:
    "Le programme a demandé sans page (prompt=none), et l’utilisateur devait se connecter. Le programme demande ensuite avec une page : il n’y a rien à corriger.",
  CONSENT_REQUIRED:
    "Le programme a demandé sans page (prompt=none), et l’utilisateur devait donner son accord. Le programme demande ensuite avec une page, ou l’application est marquée comme la vôtre.",
  INTERACTION_REQUIRED:
    "Le programme a demandé sans page (prompt=none), et il en fallait une. Le programme demande ensuite avec une page : il n’y a rien à corriger.",
  ACCESS_DENIED: "L’utilisateur a annulé. Il n’y a rien à corriger.",
  APPLICATION_NOT_ALLOWED:
    "L’utilisateur n’est dans aucun des groupes, ou n’est pas dans l’organisation, que l’application admet. Ajoutez l’utilisateur à un groupe, ou admettez plus d’utilisateurs.",
  EMAIL_REQUIRED: "L’utilisateur n’a pas d’adresse e-mail, et l’application en exige une. Ajoutez-la à l’utilisateur.",
  MESSAGE_TOO_LARGE:
    "Les paramètres sont trop longs pour une URL. Raccourcissez state, scope ou nonce dans le programme.",
  INVALID_CLIENT:
    "La signature ou un claim de la client_assertion est incorrect. Comparez sa clé avec celle de l’application, ses iss et sub avec l’ID client, et les horloges.",
  SECRET_MISSING:
    "Le programme n’envoie pas de secret. Saisissez-y un secret de l’application : créez-en un nouveau s’il est perdu.",
  SECRET_WRONG: "Le secret n’est pas celui de l’application. Créez-en un nouveau, et saisissez-le dans le programme.",
  SECRET_NOT_EXPECTED:
    "Le programme envoie un secret, et l’application n’en a pas. Retirez-le du programme, ou ajoutez de nouveau l’application avec le type WEB.",
  ASSERTION_MISSING:
    "L’application s’authentifie par private_key_jwt, et le programme n’envoie pas d’assertion. Réglez le programme sur private_key_jwt, ou l’application sur un secret.",
  ASSERTION_NOT_EXPECTED:
    "Le programme envoie une assertion, et l’application ne s’authentifie pas par private_key_jwt. Réglez les deux sur la même méthode.",
  ASSERTION_AUDIENCE:
    "L’audience de l’assertion est le point de terminaison des jetons. Réglez le programme sur l’émetteur, ou acceptez aussi le point de terminaison.",
  CLIENT_KEYS_UNREACHABLE:
    "Les clés à la jwks_uri de l’application n’ont pas pu être lues. Ouvrez-la depuis le serveur : elle doit répondre en https, sans redirection.",
  UNAUTHORIZED_CLIENT: "Le grant_type reçu est « {value} », qu’une application de ce type ne peut pas utiliser.",
  UNSUPPORTED_GRANT_TYPE:
    "Le grant_type reçu est « {value} », qui n’est pas pris en charge. Réglez le programme sur le flux par code d’autorisation.",
  CODE_INVALID:
    "Le code avait déjà été utilisé ou avait expiré au bout d’une minute, ou la redirect_uri ou le code_verifier n’était pas celui de l’autorisation. Reconnectez-vous ; si cela se répète, comparez les adresses et les horloges des serveurs du programme.",
  REFRESH_TOKEN_INVALID:
    "Le jeton d’actualisation a expiré, a été révoqué ou a été remplacé. L’utilisateur se reconnecte.",
  SIGN_IN_ENDED:
    "La session de l’utilisateur est terminée, ou l’application n’admet plus l’utilisateur. L’utilisateur se reconnecte.",
  DEVICE_CODE_INVALID: "Le code de l’appareil est inconnu ou a déjà été utilisé. Recommencez sur l’appareil.",
  EXPIRED_TOKEN: "Personne n’a approuvé l’appareil en dix minutes. Recommencez sur celui-ci.",
  INVALID_SUBJECT_TOKEN:
    "Le subject_token ne correspond pas aux émetteurs de charges de travail de l’application. Comparez ses iss, aud, sub et claims : la ligne du journal indique la différence.",
  WORKLOAD_ISSUER_UNREACHABLE:
    "Les clés de l’émetteur de charges de travail n’ont pas pu être lues. Ouvrez son document de découverte depuis le serveur.",
  LOGOUT_REQUEST_INVALID:
    "Le id_token_hint n’est pas un jeton d’identité de ce serveur, ou est celui d’une autre application. Le programme doit envoyer celui qu’il a reçu.",
  INVALID_TOKEN:
    "Le jeton d’accès n’est plus valable, par exemple parce que sa session est terminée, ou il est destiné à une ressource. L’utilisateur se reconnecte.",
  INSUFFICIENT_SCOPE: "Le jeton d’accès n’a pas le scope openid. Demandez-le dans le programme.",
  TWO_HOSTS: "La requête nommait deux hôtes. Le proxy doit envoyer celui du client.",
  SIGN_IN_NEEDED:
    "Un programme ou un script a demandé sans le cookie d’une connexion. Il n’y a rien à corriger, sauf si des personnes voient ceci.",
  SIGN_IN_EXPIRED: "La connexion a duré trop longtemps, ou son code a déjà été utilisé. Rouvrez la page.",
  SIGN_IN_REFUSED: "La connexion s’est terminée sans code. Son propre refus se trouve à côté de celui-ci.",
  ANOTHER_BROWSER:
    "Le navigateur n’a pas conservé le cookie du gate. Vérifiez que le proxy transmet set-cookie et que la page est servie en https.",
};
