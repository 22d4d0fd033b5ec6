/** The remedies of refused requests in Spanish, by their causes. `{name}` stands for a value of the refusal. */

import type { Remedies } from "../types";

export const remedies: Remedies = {
  INVALID_FIELDS:
    "Falta el parámetro {parameter}, está mal formado o es demasiado largo. Corrige la configuración del programa.",
  REDIRECT_URI_NOT_REGISTERED:
    "La redirect_uri recibida es {value}. Cualquiera puede enviar una: si es de la aplicación, añádela letra por letra a sus URI de redirección. Una dirección http:// de una red privada también necesita allows_http.",
  POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED:
    "La post_logout_redirect_uri recibida es {value}. Cualquiera puede enviar una: si es de la aplicación, añádela letra por letra a sus URI de redirección tras cerrar sesión. Una dirección http:// de una red privada también necesita allows_http.",
  KIND_WITHOUT_SIGN_IN:
    "En una aplicación de este tipo nadie inicia sesión. Añade otra del tipo WEB, BROWSER o NATIVE.",
  PKCE_MISSING:
    "El programa no envía PKCE. Actívalo allí. Si no puede, pon pkce en APPLICATION_PKCE_PKCE_OR_NONCE: entonces un nonce protege el código. Si el programa no envía nonce, ponlo en APPLICATION_PKCE_NONE: entonces solo el secreto protege un código robado.",
  CODE_CHALLENGE_MISSING: "El programa no envía code_challenge. Corrige la configuración del programa.",
  CODE_CHALLENGE_METHOD: "El code_challenge_method recibido es «{value}». Configura el programa con S256.",
  CODE_CHALLENGE_MALFORMED: "El code_challenge no es un SHA-256 en base64url. Actualiza el programa.",
  NOT_PUSHED:
    "La aplicación debe enviar antes sus solicitudes de autorización (PAR), y el programa no lo hace. Activa PAR en el programa o deja de exigirlo.",
  REQUEST_NOT_SUPPORTED: "El programa envía un objeto de solicitud. Desactívalo allí.",
  REQUEST_URI_NOT_SUPPORTED: "El programa envía una request_uri que no se obtuvo aquí. Desactívala allí.",
  AUTHORIZATION_REQUEST_EXPIRED:
    "La request_uri se usó más de 90 segundos después de emitirse, o la usó otra aplicación. Vuelve a iniciar sesión.",
  UNSUPPORTED_RESPONSE_TYPE:
    "El response_type recibido es «{value}». Configura el programa con el flujo de código de autorización: code.",
  UNSUPPORTED_RESPONSE_MODE: "El response_mode recibido es «{value}». Configura el programa con query o form_post.",
  PROMPT:
    "El prompt recibido es «{value}». Configura el programa con none, login, consent o select_account, o con nada.",
  INVALID_SCOPE:
    "El scope recibido es «{value}». Pide menos ámbitos en el programa, o añade a la aplicación los que necesita.",
  SCOPE_MALFORMED:
    "El scope recibido es «{value}» y tiene un carácter que ningún ámbito puede tener. Corrige la configuración del programa.",
  INVALID_TARGET:
    "El resource recibido es «{value}». Debe ser, letra por letra, el identificador de una aplicación del tipo RESOURCE de la organización de la aplicación, o de una para todas las organizaciones: añádela o corrige el programa. Una solicitud de token nombra uno de los de la autorización.",
  CLAIMS: "El parámetro claims no es el JSON de OpenID Connect. Corrige la configuración del programa.",
  ID_TOKEN_HINT:
    "El id_token_hint es de otra aplicación o de otro usuario. Cierra la sesión del programa y vuelve a iniciarla.",
  UNMET_AUTHENTICATION_REQUIREMENTS:
    "El programa exige un inicio de sesión que el usuario no ha hecho. El usuario inicia sesión con una llave de acceso, o el programa exige menos.",
  LOGIN_REQUIRED:
    "El programa preguntó sin página (prompt=none) y el usuario tenía que iniciar sesión. El programa pregunta después con una página: no hay nada que corregir.",
  CONSENT_REQUIRED:
    "El programa preguntó sin página (prompt=none) y el usuario tenía que dar su consentimiento. El programa pregunta después con una página, o la aplicación se marca como propia.",
  INTERACTION_REQUIRED:
    "El programa preguntó sin página (prompt=none) y hacía falta una. El programa pregunta después con una página: no hay nada que corregir.",
  ACCESS_DENIED: "El usuario canceló. No hay nada que corregir.",
  APPLICATION_NOT_ALLOWED:
    "El usuario no está en ninguno de los grupos, o no está en la organización, que la aplicación admite. Añade el usuario a un grupo o admite a más usuarios.",
  EMAIL_REQUIRED: "El usuario no tiene dirección de correo, y la aplicación la exige. Añádela al usuario.",
  MESSAGE_TOO_LARGE: "Los parámetros son demasiado largos para una URL. Acorta state, scope o nonce en el programa.",
  INVALID_CLIENT:
    "La firma o un claim de la client_assertion es incorrecto. Compara su clave con la de la aplicación, sus iss y sub con el ID de cliente, y los relojes.",
  SECRET_MISSING:
    "El programa no envía ningún secreto. Introduce allí uno de la aplicación: crea uno nuevo si se ha perdido.",
  SECRET_WRONG: "El secreto no es de la aplicación. Crea uno nuevo e introdúcelo en el programa.",
  SECRET_NOT_EXPECTED:
    "El programa envía un secreto y la aplicación no tiene ninguno. Quítalo allí, o vuelve a añadir la aplicación con el tipo WEB.",
  ASSERTION_MISSING:
    "La aplicación se autentica con private_key_jwt y el programa no envía ninguna aserción. Configura el programa con private_key_jwt, o la aplicación con un secreto.",
  ASSERTION_NOT_EXPECTED:
    "El programa envía una aserción y la aplicación no se autentica con private_key_jwt. Configura ambos con el mismo método.",
  ASSERTION_AUDIENCE:
    "La audiencia de la aserción es el endpoint de tokens. Configura el programa con el emisor, o acepta también el endpoint.",
  CLIENT_KEYS_UNREACHABLE:
    "No se pudieron leer las claves de la jwks_uri de la aplicación. Ábrela desde el servidor: debe responder por https, sin redirección.",
  UNAUTHORIZED_CLIENT: "El grant_type recibido es «{value}», que una aplicación de este tipo no puede usar.",
  UNSUPPORTED_GRANT_TYPE:
    "El grant_type recibido es «{value}», que no es compatible. Configura el programa con el flujo de código de autorización.",
  CODE_INVALID:
    "El código ya se había usado o había caducado al cabo de un minuto, o la redirect_uri o el code_verifier no eran los de la autorización. Vuelve a iniciar sesión; si se repite, compara las direcciones y los relojes de los servidores del programa.",
  REFRESH_TOKEN_INVALID:
    "El token de actualización ha caducado, se ha revocado o se ha sustituido. El usuario vuelve a iniciar sesión.",
  SIGN_IN_ENDED:
    "La sesión del usuario ha terminado, o la aplicación ya no admite al usuario. El usuario vuelve a iniciar sesión.",
  DEVICE_CODE_INVALID: "El código del dispositivo es desconocido o ya se usó. Empieza de nuevo en el dispositivo.",
  EXPIRED_TOKEN: "Nadie aprobó el dispositivo en diez minutos. Empieza de nuevo en él.",
  INVALID_SUBJECT_TOKEN:
    "El subject_token no se ajusta a los emisores de cargas de trabajo de la aplicación. Compara sus iss, aud, sub y claims: la línea del registro indica la diferencia.",
  WORKLOAD_ISSUER_UNREACHABLE:
    "No se pudieron leer las claves del emisor de cargas de trabajo. Abre su documento de descubrimiento desde el servidor.",
  LOGOUT_REQUEST_INVALID:
    "El id_token_hint no es un token de ID de este servidor, o es de otra aplicación. El programa debe enviar el que recibió.",
  INVALID_TOKEN:
    "El token de acceso ya no vale, por ejemplo porque su sesión terminó, o es para un recurso. El usuario vuelve a iniciar sesión.",
  INSUFFICIENT_SCOPE: "El token de acceso no tiene el ámbito openid. Pídelo en el programa.",
  TWO_HOSTS: "La solicitud indicaba dos hosts. El proxy debe enviar el del cliente.",
  SIGN_IN_NEEDED:
    "Un programa o script preguntó sin la cookie de un inicio de sesión. No hay nada que corregir, salvo que lo vean personas.",
  SIGN_IN_EXPIRED: "El inicio de sesión tardó demasiado, o su código ya se usó. Vuelve a abrir la página.",
  SIGN_IN_REFUSED: "El inicio de sesión terminó sin código. Su propio rechazo está junto a este.",
  ANOTHER_BROWSER:
    "El navegador no guardó la cookie del gate. Comprueba que el proxy transmite set-cookie y que la página se sirve por https.",
};
