/** The findings of the view of the system in Spanish, by their reasons. `{name}` stands for a value of the finding. */

import type { Findings } from "../types";

export const findings: Findings = {
  "check.readiness": "disponibilidad",
  "check.settings": "configuración",
  "check.relying party": "relying party",
  "check.link page": "página de los enlaces",
  "check.plaintext": "texto sin cifrar",
  "check.trusted proxies": "proxies de confianza",
  "check.certificate": "certificado",
  "check.client CA": "CA de clientes",
  "check.extensions of the certificate": "extensiones del certificado",
  "check.data directory": "directorio de datos",
  "check.disk space": "espacio en disco",
  "check.secret files": "archivos con secretos",
  "check.database": "base de datos",
  "check.connections": "conexiones",
  "check.clock": "reloj",
  "check.indexes": "índices",
  "check.writes": "escrituras",
  "check.Patroni": "Patroni",
  "check.servers": "servidores",
  "check.ES256 signing keys": "claves de firma ES256",
  "check.RS256 signing keys": "claves de firma RS256",
  "check.administrator": "administrador",
  "check.mail": "correo",
  "check.pushes": "envíos",
  "check.event log": "registro de eventos",
  "check.checkpoint file": "archivo de puntos de control",
  "check.event partitions": "particiones de eventos",
  "check.mail sender": "remitente del correo",
  READY: "El servidor acepta llamadas.",
  SETTINGS_VALID: "Todo es válido.",
  RP_ID_LOCAL:
    "KEYSTEAD_RP_ID es {rp_id}, pero el servidor escucha en {address}: las llaves de acceso solo funcionan en navegadores de esta máquina.",
  "RP_ID_LOCAL.remedy": "Pon en KEYSTEAD_RP_ID y KEYSTEAD_RP_ORIGINS el dominio que ven los usuarios.",
  RP_ID: "{rp_id}, en {origins}.",
  LINK_PAGE_PLAINTEXT: "{page} no se sirve por https, así que los navegadores no ofrecen allí llaves de acceso.",
  "LINK_PAGE_PLAINTEXT.remedy": "Sírvela por TLS y define KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE_ELSEWHERE: "Los enlaces de registro abren {page}, pero el puerto web es {here} en esta máquina.",
  "LINK_PAGE_ELSEWHERE.remedy":
    "Nombra {here} en primer lugar en KEYSTEAD_RP_ORIGINS, o define KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE_FOREIGN:
    "{page} no está en ninguno de KEYSTEAD_RP_ORIGINS, así que se rechaza todo registro mediante un enlace.",
  "LINK_PAGE_FOREIGN.remedy": "Añade allí {origin}, o cambia KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE: "Los enlaces de registro abren {page}.",
  PORTS_TLS: "Ambos puertos usan TLS.",
  PORTS_OPEN: "{ports}: otras máquinas acceden sin cifrado, lo que expone los tokens.",
  "PORTS_OPEN.remedy":
    "Define KEYSTEAD_TLS_CERTIFICATE_FILE y KEYSTEAD_TLS_KEY_FILE, escucha en 127.0.0.1, o deja que solo acceda un proxy que termine TLS.",
  PORTS_LOCAL: "Solo se puede acceder a ambos puertos desde esta máquina o a través de un proxy de confianza.",
  PROXIES_EVERYWHERE:
    "KEYSTEAD_TRUSTED_PROXIES contiene {networks}: cada cliente que llega al puerto web elige la dirección que usan los límites de frecuencia y los registros.",
  "PROXIES_EVERYWHERE.remedy": "Nombra solo las redes de tus proxies.",
  CERTIFICATE_FUTURE: "{file} solo es válido a partir de {time} UTC, así que los clientes lo rechazan.",
  "CERTIFICATE_FUTURE.remedy": "Comprueba el reloj de esta máquina, o usa otro certificado.",
  CERTIFICATE_EXPIRED: "{file} caducó el {time} UTC, así que los clientes lo rechazan.",
  "CERTIFICATE_EXPIRED.remedy": "Renuévalo; los servidores en ejecución adoptan los archivos nuevos.",
  CERTIFICATE_EXPIRES: "{file} caduca el {time} UTC.",
  "CERTIFICATE_EXPIRES.remedy": "Renuévalo; los servidores en ejecución adoptan los archivos nuevos.",
  CERTIFICATE_VALID: "{file} es válido hasta el {date}.",
  CLIENT_CA_EXPIRED:
    "Un certificado de {file} caducó el {time} UTC, así que los clientes con certificados de esta autoridad no pueden conectarse.",
  "CLIENT_CA_EXPIRED.remedy": "Renuévalo; los servidores en ejecución adoptan los archivos nuevos.",
  CLIENT_CA_EXPIRES: "Un certificado de {file} caduca el {time} UTC.",
  "CLIENT_CA_EXPIRES.remedy": "Renuévalo; los servidores en ejecución adoptan los archivos nuevos.",
  CLIENT_CA_VALID: "Un certificado de {file} es válido hasta el {date}.",
  EXTENSIONS_MISSING:
    "RFC 5280 exige {extension} de {subject} en {file}. Sin ella, los clientes estrictos, como Python 3.13, rechazan el certificado.",
  "EXTENSIONS_MISSING.remedy": "Haz que se emita de nuevo, como muestra docs/operating-tls.md.",
  EXTENSIONS: "{file} tiene las extensiones que exige RFC 5280.",
  FOLDER_CLOSED: "Este usuario no puede escribir en {folder} ni crearlo.",
  "FOLDER_CLOSED.remedy": "Ejecuta Keystead como su propietario, o pon KEYSTEAD_DATA_DIR en otro directorio.",
  FOLDER_MISSING: "{folder} no existe; el servidor lo crea.",
  FOLDER_OPEN: "Otros usuarios pueden escribir en {folder}.",
  "FOLDER_OPEN.remedy": "Ejecuta: chmod go-w {folder}",
  FOLDER: "Solo su propietario puede cambiar {folder}.",
  SPACE_TOO_LITTLE:
    "Solo hay {megabytes} MB libres para la base de datos integrada: las escrituras fallan, o pronto lo harán.",
  "SPACE_TOO_LITTLE.remedy":
    "Libera espacio en el disco de {folder}, o detén todos los servidores, mueve ese directorio y define KEYSTEAD_DATA_DIR.",
  SPACE_LITTLE:
    "Solo hay {megabytes} MB libres para la base de datos integrada, que puede necesitar 1000 MB durante un tiempo.",
  "SPACE_LITTLE.remedy":
    "Libera espacio en el disco de {folder}, o detén todos los servidores, mueve ese directorio y define KEYSTEAD_DATA_DIR.",
  SPACE: "Hay {megabytes} MB libres para la base de datos integrada.",
  SECRET_READABLE: "{name} está en {path}, que todos los usuarios pueden leer.",
  "SECRET_READABLE.remedy": "Ejecuta: chmod o-r {path}",
  ADMIN_TOKEN_READABLE: "El token del primer administrador está en {path}, que todos los usuarios pueden leer.",
  "ADMIN_TOKEN_READABLE.remedy": "Ejecuta: chmod o-r {path}",
  SECRETS_CLOSED: "Ningún secreto está en un archivo que todos puedan leer.",
  DATABASE_OLD: "PostgreSQL {version} es demasiado antiguo.",
  "DATABASE_OLD.remedy": "Usa {oldest} o posterior.",
  DATABASE: "PostgreSQL {version}, con el esquema de esta versión.",
  CONNECTIONS_TOO_FEW:
    "Procesos de trabajo: {workers}. Abren hasta {wanted} conexiones y PostgreSQL permite {allowed}: las llamadas fallan bajo carga.",
  "CONNECTIONS_TOO_FEW.remedy":
    "Reduce KEYSTEAD_DATABASE_POOL_SIZE, o aumenta max_connections o el límite de conexiones del rol o de la base de datos.",
  CONNECTIONS: "Hasta {wanted} de {allowed} disponibles.",
  CLOCK_AHEAD:
    "El reloj de la base de datos va {seconds} segundos por delante del de esta máquina. Los JWT de sesión llevan la hora de la base de datos: los servicios cuyo reloj difiere los rechazan.",
  "CLOCK_AHEAD.remedy": "Sincronízalos por NTP.",
  CLOCK_BEHIND:
    "El reloj de la base de datos va {seconds} segundos por detrás del de esta máquina. Los JWT de sesión llevan la hora de la base de datos: los servicios cuyo reloj difiere los rechazan.",
  "CLOCK_BEHIND.remedy": "Sincronízalos por NTP.",
  CLOCK: "El reloj de la base de datos coincide con el de esta máquina.",
  INDEX_INCOMPLETE: "El índice {name} está incompleto y no se usa: su creación se interrumpió.",
  "INDEX_INCOMPLETE.remedy": "Créalo de nuevo con este SQL: reindex index concurrently {name}",
  COMMIT_OFF: "synchronous_commit es off: un fallo pierde escrituras confirmadas.",
  "COMMIT_OFF.remedy": "Ponlo en on.",
  COMMIT_LOCAL:
    "synchronous_commit es local: no espera a ninguna réplica, así que una conmutación por error pierde escrituras confirmadas.",
  "COMMIT_LOCAL.remedy": "Ponlo en on.",
  NO_SYNCHRONOUS_STANDBY:
    "KEYSTEAD_DATABASE_URL nombra varios hosts, pero synchronous_standby_names está vacío: una conmutación por error pierde escrituras confirmadas.",
  "NO_SYNCHRONOUS_STANDBY.remedy": "Con Patroni, define synchronous_mode y synchronous_mode_strict.",
  WRITES_ON_DISK: "Las escrituras confirmadas están en disco.",
  WRITES_ON_STANDBY: "Una réplica síncrona tiene las escrituras confirmadas.",
  PATRONI_OLD:
    "El Patroni de este PostgreSQL es anterior a 3.2; `patronictl version` muestra su versión. Hasta 3.0.2 con la API v3 de etcd, un líder congelado recupera su bloqueo, y se pierden las escrituras que confirmó su sucesor.",
  "PATRONI_OLD.remedy": "Actualiza Patroni a 3.2 o posterior.",
  SERVERS_NONE: "Ninguno está en ejecución.",
  SERVERS_WITHOUT_KEY:
    "Estos no pueden guardar secretos, porque `keystead rotate-keys` sustituyó su primera clave: {servers}.",
  "SERVERS_WITHOUT_KEY.remedy": "Reinícialos con las claves actuales.",
  SERVERS_WITH_OTHER_KEYS: "Estos no cifran con la primera clave de esta configuración, {key_id}: {servers}.",
  "SERVERS_WITH_OTHER_KEYS.remedy":
    "Reinícialos con las mismas claves; hasta entonces, `keystead rotate-keys` se niega.",
  SERVERS: "Servidores en ejecución ({number}): {servers}.",
  SIGNING_KEY_NONE: "No hay ninguna para firmar JWT.",
  "SIGNING_KEY_NONE.remedy":
    "Inicia el servidor, que añade una en cuanto no haya servidores de una versión anterior en ejecución.",
  SIGNING_KEY_FUTURE:
    "La única clave vigente firma a partir de {time} UTC, que está en el futuro: el reloj de la base de datos va o iba mal.",
  "SIGNING_KEY_FUTURE.remedy": "Sincronízalo por NTP.",
  SIGNING_KEY_OVERDUE: "La siguiente lleva retraso desde {time} UTC.",
  "SIGNING_KEY_OVERDUE.remedy":
    "Comprueba que un servidor está en ejecución y lee su registro, o ejecuta: keystead rotate-signing-key",
  SIGNING_KEY_NEXT: "La siguiente firma a partir de {time} UTC.",
  SIGNING_KEY: "La siguiente se publica el {date}.",
  OWNER_NONE: "Ningún usuario tiene el rol INSTANCE_OWNER.",
  "OWNER_NONE.remedy":
    "Inicia el servidor una vez si la base de datos es nueva; si no, ejecuta: keystead user grant USER INSTANCE_OWNER",
  OWNER_WITHOUT_TOKEN: "Ningún usuario con el rol INSTANCE_OWNER tiene un token válido.",
  "OWNER_WITHOUT_TOKEN.remedy": "Ejecuta: keystead token create USER",
  OWNERS: "{number} con un token válido.",
  MAIL_NOT_CONFIGURED: "No hay configuración SMTP, así que no se envía correo.",
  "MAIL_NOT_CONFIGURED.remedy": "Añade una: keystead smtp add",
  MAILS_UNDELIVERED: "Correos fallidos en un día: {failed}; con retraso: {delayed}; el último motivo fue {reason}.",
  "MAILS_UNDELIVERED.remedy": "Consulta: keystead mail list",
  MAILS_NOT_ATTEMPTED: "Correos fallidos en un día: {failed}; con retraso: {delayed}; no se intentó enviar ninguno.",
  "MAILS_NOT_ATTEMPTED.remedy": "Comprueba que un servidor está en ejecución. Consulta: keystead mail list",
  MAILS: "Hay una configuración SMTP; ningún correo lleva retraso ni falló en un día.",
  PUSHES_UNDELIVERED:
    "Webhooks y tokens de cierre de sesión fallidos en un día: {failed}; reintentados tras un fallo: {tried_again}; destinos sin respuesta: {targets}; el último motivo fue {reason}.",
  "PUSHES_UNDELIVERED.remedy": "Consulta, con --org: keystead push deliveries",
  PUSHES_TRIED_AGAIN:
    "Webhooks y tokens de cierre de sesión fallidos en un día: {failed}; reintentados tras un fallo: {tried_again}; destinos sin respuesta: {targets}.",
  "PUSHES_TRIED_AGAIN.remedy": "Consulta, con --org: keystead push deliveries",
  PUSHES: "Ningún webhook ni token de cierre de sesión falló en un día ni se reintenta.",
  EVENTS_UNCOVERED: "Antigüedad de los eventos que no están en ningún punto de control, en horas: {hours}.",
  "EVENTS_UNCOVERED.remedy":
    "Comprueba que un servidor está en ejecución y si su registro menciona fallos de housekeeping, o ejecuta: keystead audit checkpoint",
  EVENTS_COVERED:
    "Todos los eventos de hace más de una hora están en un punto de control. Para compararlos: keystead audit verify",
  CHECKPOINT_LOST:
    "El punto de control {number}, que está en {path}, ya no está en la base de datos: alguien lo eliminó, o se restauró una copia anterior.",
  "CHECKPOINT_LOST.remedy":
    "Ejecuta: keystead audit verify. Tras una restauración, detén los servidores y ejecuta: keystead restored. Después aparta el archivo, consérvalo e inicia los servidores.",
  CHECKPOINT_NOT_IN_FILE: "El punto de control {number} no está en {path}.",
  "CHECKPOINT_NOT_IN_FILE.remedy":
    "Comprueba que un servidor de esta máquina funciona con este ajuste y puede escribir en el archivo.",
  CHECKPOINT_FILE: "La base de datos tiene el último punto de control de {path}.",
  EVENTS_MISPLACED:
    "Eventos sin partición de su mes, desde el {date}: {events}. Se leen como siempre y no se pueden archivar.",
  "EVENTS_MISPLACED.remedy": "Comprueba el reloj de la base de datos y si el registro menciona fallos de housekeeping.",
};
