/** The refusals of the server in Spanish, by their reasons. `{name}` stands for a value of the metadata of the refusal. */

import type { Refusals } from "../types";

export const refusals: Refusals = {
  APPLICATION_GRANT_NOT_FOUND:
    "El usuario no ha dado acceso a esta aplicación, o el acceso ya ha terminado. Vuelve a cargar la lista.",
  APPLICATION_ID_ALREADY_USED:
    "Una aplicación de esta instalación tiene o ha tenido este ID. Los ID nunca se reutilizan. Elige otro.",
  APPLICATION_NOT_FOUND:
    "Esta organización no tiene esa aplicación. Comprueba la lista de aplicaciones y la organización elegida.",
  APPLICATION_SECRET_NOT_FOUND: "La aplicación ya no tiene este secreto. Vuelve a cargar la página.",
  APPLICATION_WITHOUT_PEOPLE:
    "La aplicación no obtiene claims de usuarios. Solo los obtienen las aplicaciones web, en el navegador y en un dispositivo.",
  APPLICATION_WITHOUT_SECRETS:
    "La aplicación no se autentica con un secreto. En una aplicación web o un servicio, elige un método con secreto, o usa su clave.",
  ATTRIBUTE_DEFINITION_ALREADY_EXISTS: "Elige otro nombre.",
  ATTRIBUTE_DEFINITION_NOT_FOUND: "El atributo se ha eliminado. Vuelve a cargar la lista.",
  BRAND_NOT_FOUND: "No hay ninguna marca definida. Define una.",
  CAPTURED_MAIL_NOT_FOUND: "El correo no se capturó, o su mensaje ya no está guardado.",
  CAPTURED_MAIL_UNREADABLE:
    "El mensaje no se puede descifrar. Todos los servidores de esta base de datos necesitan las mismas claves.",
  CANNOT_LOCK_YOURSELF: "No puedes bloquear tu propio usuario. Pídeselo a otro administrador.",
  CERTIFICATE_ALREADY_ADDED:
    "El certificado ya pertenece a un token. Revoca primero ese token, o haz que emitan otro certificado.",
  CERTIFICATE_NOT_PRESENTED:
    "La conexión no demuestra que tengas la clave privada del certificado. Pide a un propietario de la instancia que lo añada.",
  CHALLENGE_EXPIRED: "La confirmación ha tardado demasiado. Vuelve a empezar desde el principio.",
  CHALLENGE_USED: "Esta confirmación ya se ha completado. Vuelve a empezar desde el principio.",
  CONCURRENT_CHANGE: "Alguien ha cambiado lo mismo en el mismo momento. Vuelve a intentarlo.",
  CREDENTIAL_ALREADY_REGISTERED: "Esta llave de acceso ya está registrada. Usa otro dispositivo.",
  CREDENTIAL_MALFORMED: "La respuesta del dispositivo está dañada. Vuelve a intentarlo o usa otro.",
  CREDENTIAL_NOT_VERIFIED: "Esta llave de acceso no pertenece a este registro. Vuelve a empezar desde el principio.",
  DATABASE_UNAVAILABLE:
    "El servidor no puede acceder a su base de datos en este momento. Vuelve a intentarlo enseguida.",
  DEADLINE_EXCEEDED: "La llamada no ha terminado a tiempo. Vuelve a intentarlo.",
  DEFAULT_ORGANIZATION: "Esta es la organización predeterminada. No se puede eliminar.",
  DELIVERY_ALREADY_SENT: "El destino ha aceptado la entrega. No hay nada más que hacer.",
  DELIVERY_CANCELLED: "La entrega se canceló porque se eliminó su destino.",
  DELIVERY_NOT_FOUND: "Esta organización no tiene esa entrega. Vuelve a cargar la lista.",
  DNS_UNAVAILABLE:
    "Los servidores DNS no han respondido. Vuelve a intentarlo más tarde. Si se repite, comprueba el DNS del dominio.",
  EMAIL_SET_BY_OTHERS:
    "Alguien sin todos los derechos del usuario ha establecido su dirección de correo. Comprueba la dirección y guárdala otra vez.",
  ENCRYPTION_KEY_REPLACED:
    "Este servidor no puede guardar secretos porque su clave se ha reemplazado. Los operadores deben reiniciarlo con las claves actuales.",
  EVENTS_ARCHIVED: "Los eventos más antiguos están archivados. Pide los archivos a los operadores.",
  GROUP_ALREADY_EXISTS: "Elige otro nombre.",
  GROUP_MEMBER_NOT_FOUND:
    "El usuario no es miembro del grupo, o esta organización no tiene ese grupo. Vuelve a cargar la lista.",
  GROUP_NOT_FOUND: "Esta organización no tiene ese grupo. Comprueba la lista de grupos y la organización elegida.",
  IDEMPOTENCY_ANSWER_UNREADABLE:
    "El cambio se ha hecho, pero su respuesta no se puede leer. Vuelve a cargar la página.",
  IDEMPOTENCY_KEY_REUSED: "Dos cambios tenían la misma clave. Vuelve a cargar la página e inténtalo de nuevo.",
  IDP_LINK_NOT_FOUND: "El usuario ya no tiene este vínculo. Vuelve a cargar la lista.",
  IDP_NAME_NOT_UNIQUE:
    "Varios proveedores de identidad de la organización tienen este nombre. Indica el ID del proveedor.",
  IDP_NOT_FOUND: "Esta organización no tiene ese proveedor de identidad. Comprueba la lista y la organización elegida.",
  INVALID_FIELDS: "Corrige los campos que muestran un error.",
  LAST_INSTANCE_OWNER: "Haz primero a otro usuario propietario de la instancia sin fin, o desbloquea a uno.",
  LAST_SECRET: "El webhook solo tiene esta clave. Crea otra primero.",
  LINK_EXPIRED: "El enlace ha caducado. Crea uno nuevo.",
  LINK_REPLACED: "Un enlace más reciente ha reemplazado a este. Usa el más reciente.",
  LINK_USED: "Con este enlace ya se registró una llave de acceso. Crea uno nuevo.",
  LOG_RESTORED:
    "Se han perdido eventos hasta este punto: la base de datos se restauró desde una copia de seguridad. Vuelve a cargar la página.",
  MADE_BY_OTHERS:
    "Puede que usuarios bloqueados, o sin los derechos de este rol, tengan credenciales de este usuario. Compruébalas y concede el rol de forma que terminen las credenciales creadas por otros.",
  MAIL_ALREADY_SENT: "El correo ya se ha enviado. No hay nada más que hacer.",
  MAIL_CANCELLED: "El correo se canceló porque su contenido ya no es actual.",
  MAIL_CAPTURED:
    "Ningún correo sale de este servidor, porque KEYSTEAD_MAIL_CAPTURE está activado. Haz la prueba sin destinatario.",
  MAIL_DOMAIN_ALREADY_EXISTS: "La organización ya tiene este dominio de correo. Está en la lista.",
  MAIL_DOMAIN_NOT_FOUND: "El dominio de correo se ha eliminado. Vuelve a cargar la lista.",
  MAIL_DOMAIN_NOT_PROVEN:
    "Ningún registro TXT {record_name} tiene el valor {record_value}. Encontrado: {found}. Publica el registro en el DNS del dominio y vuelve a intentarlo: los servidores DNS a veces conservan una respuesta antigua durante horas.",
  MAIL_DOMAIN_PROVEN_ELSEWHERE:
    "Otra organización de este servidor ha verificado el dominio de correo. Quita su registro TXT del DNS para que solo el tuyo tenga este nombre.",
  MAIL_NOT_FOUND: "Este correo ya no existe. Vuelve a cargar la lista.",
  MAIL_TEXT_NOT_FOUND: "No hay ningún texto propio para este correo en este idioma. Vuelve a cargar la lista.",
  MAIL_SECRET_ERASED: "El enlace del correo se borró cuando falló el envío. Crea un enlace nuevo.",
  MALFORMED_MESSAGE: "El servidor no puede leer el mensaje. Vuelve a cargar la página.",
  MESSAGE_TOO_LARGE: "El mensaje es demasiado grande. Usa valores más cortos o una imagen más pequeña.",
  METHOD_NOT_IMPLEMENTED: "Este servidor aún no puede hacerlo. Vuelve a cargar la página.",
  OIDC_CLIENT_SECRET_REQUIRED:
    "El secreto de cliente guardado solo vale para el emisor y el ID de cliente con los que se estableció. Introduce el secreto otra vez con este cambio.",
  OIDC_CLIENT_SECRET_UNREADABLE:
    "El secreto de cliente guardado no se puede descifrar. Introdúcelo otra vez, o pide a los operadores que restauren las claves que faltan.",
  OIDC_CONFIG_NOT_FOUND: "El proveedor de identidad no tiene configuración de OpenID Connect. Establécela.",
  ORGANIZATION_ALREADY_EXISTS: "Elige otro nombre.",
  ORGANIZATION_HAS_USERS: "La organización aún tiene usuarios. Elimínalos primero.",
  ORGANIZATION_NOT_FOUND: "Esta organización no existe. Comprueba la lista de organizaciones.",
  IDENTIFIER_ALREADY_USED: "Usa otro.",
  ORIGIN_ALREADY_USED: "Elimínalo allí o usa otro.",
  PASSKEY_NOT_FOUND: "El usuario ya no tiene esta llave de acceso. Vuelve a cargar la lista.",
  PASSKEY_UNKNOWN: "El servidor no conoce esta llave de acceso. Usa otra.",
  PERMISSION_DENIED:
    "No tienes derecho a hacerlo. Pide a los administradores de la organización un rol que lo permita.",
  PROFILE_KEPT: "Pide a un administrador que cambie tus datos.",
  PUSH_SECRET_UNREADABLE: "Una clave del webhook no se puede descifrar. Crea otra y elimina esta.",
  RATE_LIMITED: "Ha habido demasiadas llamadas en poco tiempo. Espera un momento.",
  REAUTHENTICATION_REQUIRED:
    "Para esto debes haber iniciado sesión en los últimos minutos. Confirma tu identidad con una llave de acceso.",
  RECOVERY_NOT_ALLOWED: "La recuperación por correo no está permitida aquí. Crea un enlace.",
  ROLE_OUTLASTS_YOURS: "Tu propio rol termina antes. Elige un fin que no sea posterior.",
  SEQUENCE_UNKNOWN: "El registro es más corto que antes: la base de datos se restauró. Vuelve a cargar la página.",
  SESSION_NOT_FOUND: "Esta sesión ya ha terminado. Vuelve a cargar la lista.",
  SHUTTING_DOWN: "Este servidor se está apagando. Vuelve a intentarlo enseguida.",
  SIGNING_KEY_UNAVAILABLE:
    "El servidor no tiene ninguna clave de firma legible. Inténtalo más tarde o avisa a los operadores.",
  SIGN_IN_FAILED: "No se ha podido iniciar sesión. Vuelve a intentarlo o usa otra llave de acceso.",
  SMTP_CONFIG_ALREADY_EXISTS: "Ya hay una configuración SMTP. Vuelve a cargar la página y cámbiala.",
  SMTP_CONFIG_MISSING: "Crea primero una configuración SMTP.",
  SMTP_CONFIG_NOT_FOUND: "No hay ninguna configuración SMTP. Crea una.",
  SMTP_OAUTH_BOUND:
    "Los ajustes de OAuth solo valen para el servidor de correo, el cifrado y el buzón para los que se establecieron. Elimínalos antes del cambio y vuelve a establecerlos después.",
  SMTP_OAUTH_NOT_FOUND: "OAuth no está configurado para el correo.",
  SMTP_OAUTH_SECRET_REQUIRED:
    "El secreto guardado solo vale para el punto de conexión de tokens, el ID de cliente y el buzón para los que se estableció. Introdúcelo otra vez con el cambio.",
  SMTP_OAUTH_SECRET_UNREADABLE:
    "El secreto de OAuth guardado no se puede descifrar. Introdúcelo otra vez, o da las mismas claves a todos los servidores (`keystead doctor` indica las que faltan).",
  SMTP_PASSWORD_REQUIRED:
    "La contraseña guardada solo vale para el servidor, el cifrado y el usuario con los que se estableció. Introdúcela otra vez con este cambio.",
  SMTP_PASSWORD_UNREADABLE:
    "La contraseña guardada no se puede descifrar. Introdúcela otra vez, o pide a los operadores que restauren las claves que faltan.",
  SMTP_USER_REQUIRED:
    "La configuración SMTP no tiene usuario y, por tanto, no necesita contraseña. Introduce los dos a la vez.",
  STREAM_NOT_READ: "La conexión era demasiado lenta. Vuelve a cargar la página.",
  SUBSCRIPTION_NOT_FOUND: "Esta organización no tiene ese webhook. Comprueba la lista y la organización elegida.",
  SUBSCRIPTION_SECRET_NOT_FOUND: "El webhook ya no tiene esta clave. Vuelve a cargar la página.",
  TOKEN_NOT_FOUND: "El usuario ya no tiene este token. Vuelve a cargar la lista.",
  TOO_MANY_ATTEMPTS: "Con este enlace se ha empezado a registrar una llave de acceso demasiadas veces. Crea uno nuevo.",
  TOO_MANY_ATTRIBUTE_DEFINITIONS: "La organización tiene el número máximo de atributos. Elimina uno primero.",
  TOO_MANY_CEREMONIES: "Hay demasiados registros de este usuario sin terminar. Espera diez minutos a que caduquen.",
  TOO_MANY_IDEMPOTENCY_KEYS: "Has hecho demasiados cambios en un día. Inténtalo más tarde.",
  TOO_MANY_MAIL_DOMAINS: "La organización tiene el número máximo de dominios de correo. Elimina uno.",
  TOO_MANY_MAILS: "Se han enviado demasiados correos a esta dirección, o aún están en espera. Inténtalo más tarde.",
  TOO_MANY_MAKERS:
    "Tu llave de acceso o tu token procede de las credenciales de muchos otros usuarios. Usa uno que hayas creado tú.",
  TOO_MANY_MEMBERS: "El grupo tiene el número máximo de miembros. Quita algunos o crea otro grupo.",
  TOO_MANY_PASSKEYS: "El usuario tiene el número máximo de llaves de acceso. Elimina una que ya no se use.",
  TOO_MANY_SECRETS: "La aplicación tiene el número máximo de secretos. Elimina el que ya no use.",
  TOO_MANY_SUBSCRIPTIONS: "La organización tiene el número máximo de webhooks. Elimina uno.",
  TOO_MANY_SUBSCRIPTION_SECRETS: "El webhook tiene el número máximo de claves. Elimina la que el destino ya no use.",
  TOO_MANY_TOKENS: "El usuario tiene el número máximo de tokens. Revoca los que no hagan falta.",
  UNAUTHENTICATED: "Tu sesión ha terminado. Inicia sesión de nuevo.",
  USER_ALREADY_EXISTS: "Elige otro nombre de usuario.",
  USER_HAS_NO_EMAIL: "Introduce una dirección de correo, o muestra el enlace y entrégalo en persona.",
  USER_LOCKED: "El usuario está bloqueado. Desbloquéalo primero.",
  USER_NOT_FOUND: "Este usuario no existe. Comprueba la lista de usuarios.",
  USER_NOT_VERIFIED:
    "El dispositivo no ha confirmado tu identidad. Desbloquéalo con el PIN, la huella digital o la cara.",
  WORKLOAD_ISSUER_UNREACHABLE: "Las claves del emisor no se pueden leer en este momento. Inténtalo más tarde.",
  "violation.CONTAINS_LINK":
    "Quite los enlaces, las direcciones web y las direcciones de correo: el enlace del correo sigue siendo el único. Ponga un espacio después de cada punto.",
  "violation.CONTROL_CHARACTERS": "Quite los saltos de línea y los caracteres de control.",
  "violation.EMPTY": "Introduzca un valor.",
  "violation.HTTPS_REQUIRED": "Introduzca una URL que empiece por https://.",
  "violation.INVALID_LANGUAGE": "Introduzca un código de idioma como en o pt-BR.",
  "violation.INVALID_MAIL_ADDRESS": "Introduzca una dirección de correo como name@example.com.",
  "violation.INVALID_TIME": "Introduzca una fecha entre los años 1 y 9999.",
  "violation.INVALID_TIME_ZONE": "Introduzca una zona horaria como Europe/Berlin.",
  "violation.INVISIBLE_CHARACTERS": "Quite los caracteres invisibles.",
  "violation.MISSING_PLACE": "Añada los marcadores que deben estar en el texto.",
  "violation.NO_VISIBLE_CHARACTER": "Introduzca al menos un carácter visible.",
  "violation.OUTER_WHITE_SPACE": "Quite los espacios del principio y del final.",
  "violation.TIME_PASSED": "Indique un momento futuro.",
  "violation.TOO_LONG": "Introduzca como máximo {number} caracteres.",
  "violation.TOO_MANY_ENTRIES": "Introduzca como máximo {number} entradas.",
  "violation.TOO_MANY_LINES": "Escriba como máximo {number} líneas.",
  "violation.TOO_SMALL": "Introduzca como mínimo {number}.",
  "violation.UNKNOWN_PLACE": "Use llaves solo para los marcadores que se indican arriba.",
};
