/** All text of the pages in Spanish. */

import type { Pages } from "../types";

const NEW_LINK = "Pide uno nuevo a la persona que te lo envió.";

export const pages: Pages = {
  texts: {
    cancel: "Cancelar",
    tryAgain: "Reintentar",
    licences: "Licencias",
    support: "Ayuda por correo",
    unknownTime: "desconocido",
    "address.open": "Abrir esta página en {host}",
    requestId: "ID de la solicitud, para el equipo de asistencia: ",

    "name.missing": "Introduce un nombre.",
    "name.tooLong": "Introduce como máximo {most} caracteres.",
    "name.refused": "Este nombre no se acepta. Elige otro.",
    "violation.CONTROL_CHARACTERS": "Quite los saltos de línea y los caracteres de control.",
    "violation.EMPTY": "Introduzca un valor.",
    "violation.INVALID_LANGUAGE": "Introduzca un código de idioma como en o pt-BR.",
    "violation.INVALID_MAIL_ADDRESS": "Introduzca una dirección de correo como name@example.com.",
    "violation.INVALID_TIME_ZONE": "Introduzca una zona horaria como Europe/Berlin.",
    "violation.INVISIBLE_CHARACTERS": "Quite los caracteres invisibles.",
    "violation.NO_VISIBLE_CHARACTER": "Introduzca al menos un carácter visible.",
    "violation.OUTER_WHITE_SPACE": "Quite los espacios del principio y del final.",
    "violation.TOO_LONG": "Introduzca como máximo {number} caracteres.",
    "violation.TOO_MANY_ENTRIES": "Introduzca como máximo {number} entradas.",

    "device.iphone": "iPhone",
    "device.ipad": "iPad",
    "device.androidPhone": "Teléfono Android",
    "device.androidTablet": "Tablet Android",
    "device.chromebook": "Chromebook",
    "device.windows": "PC con Windows",
    "device.mac": "Mac",
    "device.linux": "PC con Linux",
    "device.unknown": "Mi dispositivo",
    "device.browserOn": "{browser} en {system}",

    "add.title": "Añadir una llave de acceso",
    "add.name": "Nombre de esta llave de acceso",
    "add.nameHint": "Para que la reconozcas más adelante, por ejemplo, por el dispositivo en el que está.",
    "add.create": "Crear llave de acceso",
    "add.beginning": "Preparando…",
    "add.making": "Sigue las instrucciones de tu dispositivo…",
    "add.saving": "Guardando tu llave de acceso…",
    "add.introduction":
      "La guarda tu dispositivo, una llave de seguridad o tu gestor de contraseñas; lo eliges a continuación.",

    "link.checking": "Comprobando tu enlace…",
    "link.invitedBy": "{inviter} te invita a {organization}. ",
    "link.invited": "Tienes una invitación a {organization}. ",
    "link.invitedToUse": "Después podrás usar {application}. ",
    "link.purpose": "Sirve para iniciar sesión en la cuenta {account} de {service}. ",
    "link.accountWithName": "{displayName} ({userName})",
    "link.advantage":
      "Con una llave de acceso inicias sesión con la huella digital, la cara o el PIN de tu dispositivo. " +
      "No hay contraseña que recordar ni que te puedan robar.",
    "link.kept": "Tu enlace, para abrirlo en otro navegador",
    "link.reloadedTitle": "Abre tu enlace otra vez",
    "link.reloaded": "Esta página olvida el enlace al volver a cargarse, para que nadie más lo encuentre aquí.",
    "link.reloadedNext":
      "Ábrelo de nuevo desde el correo. Funciona hasta que se añada con él una llave de acceso o hasta que caduque.",
    "link.otherwise": "Usar un token de acceso en su lugar",
    "link.readyTitle": "Tu llave de acceso está lista",
    "link.ready": "«{name}» se ha añadido a tu cuenta.",
    "link.readySignIn": "Iniciar sesión",
    "link.readyContinue": "Continuar",
    "link.readyReturn": "Continuar en {host}",
    "link.readyConsole": "Abrir la consola",
    "link.readyAccount": "Abrir tu cuenta",
    "link.readySecond":
      "Añade otra llave de acceso en un segundo dispositivo, por si pierdes esta. Puedes hacerlo en la página de tu cuenta después de iniciar sesión.",
    "link.readyUsed": "El enlace que has abierto ya se ha usado.",

    "token.label": "Token de acceso",
    "token.hint": "Empieza por kst_ y solo se conserva hasta que cierres la sesión o esta pestaña.",
    "token.show": "Ver mis llaves de acceso",
    "token.title": "Tus llaves de acceso",
    "token.introduction":
      "¿Has recibido un enlace para añadir una llave de acceso? Ábrelo desde el correo. Para ver las llaves de acceso que tienes, introduce un token de acceso.",
    "token.malformed": "Introduce un token que empiece por kst_.",
    "token.signingIn": "Iniciando sesión…",
    "token.signedInAs": "Sesión iniciada como {name}",
    "token.signedOut": "Has cerrado la sesión. El token sigue siendo válido hasta que caduque o se revoque.",
    signOut: "Cerrar sesión",

    "passkeys.label": "Llaves de acceso",
    "passkeys.none": "Aún no tienes llaves de acceso.",
    "passkeys.add": "Añadir una llave de acceso",
    "passkeys.added": "Se ha añadido «{name}».",
    "passkeys.renamed": "El nuevo nombre es «{name}».",
    "passkeys.removed": "Se ha eliminado «{name}».",
    "passkeys.missing": "Esta llave de acceso se ha eliminado entretanto.",

    "passkey.keptBy": "Guardada en",
    "passkey.where": "Dónde",
    "passkey.oneDevice": "solo en un dispositivo",
    "passkey.synced": "sincronizada entre tus dispositivos",
    "passkey.canSync": "en un dispositivo, se puede sincronizar",
    "passkey.former": "Dirección anterior",
    "passkey.added": "Añadida",
    "passkey.lastUsed": "Último uso",
    "passkey.notUsed": "todavía ninguno",
    "passkey.rename": "Cambiar nombre",
    "passkey.renameOne": "Cambiar el nombre de {name}",
    "passkey.remove": "Eliminar",
    "passkey.removeOne": "Eliminar {name}",

    "rename.title": "Cambiar el nombre de esta llave de acceso",
    "rename.name": "Nombre",
    "rename.hint": "Para que la reconozcas más adelante.",
    "rename.save": "Guardar",
    "remove.title": "¿Eliminar esta llave de acceso?",
    "remove.consequence":
      "Ya no podrás iniciar sesión con «{name}». Puede que tu dispositivo conserve su parte hasta que la borres también allí.",
    "remove.lost": "Se ha perdido o la han robado",
    "remove.lostHint":
      "En ese caso terminan también el acceso de las aplicaciones y los tokens de acceso que se obtuvieron con ella.",
    "ends.these": "Terminará lo siguiente:",
    "ends.sessions": "Sesiones: {count}",
    "ends.applications": "Accesos de aplicaciones: {count}",
    "ends.tokens": "Tokens de acceso: {count}",
    "ends.nothing": "No termina ninguna sesión ni ningún acceso.",
    "remove.only":
      "Es tu única llave de acceso. Sin ninguna, es posible que no puedas iniciar sesión: añade otra primero.",

    "start.title": "Te damos la bienvenida",
    "start.loading": "Un momento…",
    "start.introduction":
      "Inicia sesión para ver tu cuenta, tus llaves de acceso y los dispositivos en los que tienes la sesión abierta.",
    "start.account": "Ir a tu cuenta",

    "signIn.title": "Iniciar sesión",
    "signIn.returnToConsole": "Después se abrirá la consola.",
    "signIn.returnTo": "Después continuarás en {host}.",
    "signIn.introduction": "Usa tu huella digital, tu cara o el PIN de tu dispositivo.",
    "signIn.account": "Elige una cuenta",
    "signIn.accountHint": "Elige una de las llaves de acceso que te ofrece aquí el navegador.",
    "signIn.button": "Usar una llave de acceso",
    "signIn.preparing": "Preparando…",
    "signIn.asking": "Sigue las instrucciones de tu dispositivo…",
    "signIn.completing": "Iniciando sesión…",
    "signIn.signedOut": "Has cerrado la sesión.",
    "signIn.ended": "Tu sesión ha terminado. Inicia sesión de nuevo para continuar.",
    "signIn.help": "¿Problemas para entrar?",
    "signIn.helpPhone":
      "¿Tienes la llave de acceso en el teléfono? Pulsa el botón y elige otro dispositivo; aparecerá un código para escanear.",
    "signIn.helpFirst":
      "¿Aún no tienes una llave de acceso? Abre el enlace del correo que recibiste al crearse tu cuenta.",
    "former.hint": "¿Creaste tu llave de acceso cuando este servicio estaba en {domain}?",
    "former.button": "Usar una llave de acceso de {domain}",
    "former.title": "Tu llave de acceso de {domain}",
    "former.lead": "Úsala aquí, en la dirección anterior. Enseguida volverás a {host}.",
    "move.title": "Una llave de acceso más",
    "move.lead":
      "Tu llave de acceso es de {former}, la dirección anterior. Añade una para {domain}: la otra podría dejar de funcionar.",
    "move.later": "Ahora no",
    "signIn.lost": "¿Has perdido tu llave de acceso?",
    "discovery.continue": "Continuar",
    "discovery.looking": "Buscando tu organización…",
    "discovery.choose": "Elige cómo quieres iniciar sesión.",
    "discovery.none":
      "Aquí no hay ninguna organización para direcciones de este dominio. Inicia sesión con tu llave de acceso.",

    "provider.or": "o",
    "provider.more": "Más proveedores",
    "provider.signIn": "Iniciar sesión con {name}",
    "provider.link": "Vincular {name}",
    "provider.returned": "Un momento",
    "provider.linking": "Vinculando…",
    "provider.toAccount": "Volver a tu cuenta",
    "provider.linkedAt": "Vinculado",
    "provider.subject": "Identificado allí como",
    "provider.unlink": "Desvincular",
    "provider.unlinkOne": "Desvincular {name}",
    "provider.unlinkTitle": "¿Desvincular este proveedor?",
    "provider.unlinkConsequence":
      "Ya no podrás iniciar sesión con {name}, y se cerrarán las sesiones que hayas iniciado así. Tu cuenta allí se conserva.",
    "provider.onlyWay":
      "No tienes ninguna llave de acceso. Sin ella, es posible que no puedas volver a iniciar sesión: añade una primero.",
    "provider.unlinked": "{name} se ha desvinculado.",
    "provider.linked": "El proveedor está vinculado. A partir de ahora puedes iniciar sesión con él.",

    "links.label": "Otras formas de iniciar sesión",
    "links.hint": "También puedes iniciar sesión con los proveedores que hayas vinculado.",
    "links.none": "Vincula una cuenta que tengas en otro servicio para iniciar sesión con ella.",

    "recovery.title": "Recuperar tu cuenta",
    "recovery.introduction":
      "Si tu organización lo permite, recibirás por correo un enlace para registrar una nueva llave de acceso. Si no, pide un enlace a tu administrador.",
    "recovery.off":
      "Tu organización no envía enlaces por correo a quienes han perdido sus llaves de acceso. Pide a tu administrador, o a la persona que te invitó, un enlace para registrar una nueva llave de acceso.",
    "mailForm.address": "Dirección de correo",
    "recovery.addressHint": "La que corresponde a tu cuenta.",
    "mailForm.noAddress": "Introduce una dirección de correo como nombre@example.com.",
    "mailForm.button": "Enviar un enlace",
    "mailForm.sending": "Enviando…",
    "signIn.back": "Volver al inicio de sesión",
    "mailForm.sent": "Mira en tu buzón",
    "recovery.ifKnown":
      "Si una cuenta que se puede recuperar por correo tiene esta dirección, el enlace está en camino.",
    "recovery.open":
      "Funciona una vez, durante 30 minutos. Ábrelo en el dispositivo con el que quieras iniciar sesión.",
    "recovery.noMail":
      "¿No llega el correo en unos minutos? Busca uno anterior en la carpeta de correo no deseado o pide un enlace a tu administrador.",

    "signUp.title": "Crear una cuenta",
    "signUp.introduction": "Recibirás por correo un enlace que crea tu cuenta.",
    "signUp.addressHint": "Ahí recibirás el enlace.",
    "signUp.name": "Tu nombre",
    "signUp.nameHint": "Tal como lo verán los demás. Puedes dejarlo en blanco.",
    "signUp.sent": "El enlace está en camino.",
    "signUp.open": "Funciona durante 24 horas. Ábrelo en el dispositivo con el que quieras iniciar sesión.",
    "signUp.noMail":
      "¿No llega el correo en unos minutos? Mira en la carpeta de correo no deseado y comprueba la dirección.",
    "signUp.confirmTitle": "Crea tu cuenta",
    "signUp.confirmText":
      "Tu dirección de correo está confirmada. Crea la cuenta y añade después una llave de acceso para iniciar sesión.",
    "signUp.confirm": "Crear la cuenta",

    "connect.title": "Conectar un dispositivo",
    "connect.introduction": "Introduce el código que muestra el dispositivo.",
    "connect.code": "Código",
    "connect.codeHint": "Ocho letras, como WDJB-MJHT.",
    "connect.noCode": "Introduce el código.",
    "connect.continue": "Continuar",
    "connect.finding": "Buscando el código…",
    "connect.ask": "¿Conectar {name} con tu cuenta?",
    "connect.account": "Has iniciado sesión como {account}.",
    "connect.isShown": "¿Tu dispositivo muestra este código?",
    "connect.yes": "Sí, este código",
    "connect.no": "No",
    "connect.warning":
      "¿Alguien te ha enviado el código o un enlace a esta página? Entonces pulsa {no}: esa persona obtendría acceso a tu cuenta.",
    "connect.gets": "El dispositivo podrá:",
    "connect.allow": "Permitir",
    "connect.done": "Tu dispositivo está conectado",
    "connect.doneNext": "Continúa en el dispositivo. Puedes cerrar esta página.",
    "connect.denied": "El dispositivo no obtiene acceso",
    "connect.deniedNext": "Puedes cerrar esta página.",

    "account.title": "Tu cuenta",
    "account.console": "Consola",
    "profile.label": "Sobre ti",
    "profile.change": "Cambiar tus datos",
    "profile.changed": "Tus datos se han cambiado.",
    "profile.displayName": "Nombre visible",
    "profile.givenName": "Nombre de pila",
    "profile.familyName": "Apellidos",
    "profile.locale": "Idioma",
    "profile.localeHint": "Como código de idioma, por ejemplo, es o pt-BR.",
    "profile.zoneinfo": "Zona horaria",
    "profile.zoneinfoHint": "Como nombre, por ejemplo, Europe/Madrid.",
    "profile.picture": "Foto",
    "profile.pictureHint": "El centro de una imagen. Las aplicaciones que usas pueden mostrarla.",
    "profile.noPicture": "Elige un archivo que sea una imagen.",
    "profile.removePicture": "Eliminar la foto actual",
    "profile.email": "Dirección de correo",
    "profile.refused": "El servidor no acepta este valor. Corrígelo.",
    "profile.listHint": "Un valor por línea.",
    "profile.noNumber": "Introduce un número.",
    "profile.unset": "Sin indicar",
    "profile.yes": "Sí",
    "profile.no": "No",
    "email.change": "Cambiar tu dirección de correo",
    "email.add": "Añadir una dirección de correo",
    "email.verify": "Confirmar tu dirección de correo",
    "email.unverified": "sin confirmar",
    "email.introduction":
      "Se envía un enlace a la dirección. Hasta que lo abras, no cambia nada. Si la dirección es nueva, la actual recibe un aviso.",
    "email.new": "Dirección de correo",
    "email.newHint": "El enlace funciona durante 24 horas.",
    "email.same": "Ya es tu dirección de correo y está confirmada.",
    "email.send": "Enviar un enlace",
    "email.sent": "Se ha enviado un enlace a {address}. Ábrelo donde tengas la sesión abierta.",
    "email.pending": "{address} está pendiente de confirmación: abre el enlace que se envió allí antes del {until}.",
    "email.cancel": "Cancelar este cambio",
    "email.cancelled": "Se ha cancelado el cambio de tu dirección de correo.",
    "email.confirmTitle": "¿Usar esta dirección de correo?",
    "email.confirmText": "{address} pasa a ser la dirección de correo de tu cuenta.",
    "email.confirmAny": "La dirección en la que recibiste el enlace pasa a ser la dirección de correo de tu cuenta.",
    "email.confirm": "Usar esta dirección",
    "email.confirmed": "Tu dirección de correo está confirmada.",
    "account.loading": "Cargando tu cuenta…",
    "account.passkeysHint": "Con cada una puedes iniciar sesión. Ten dos, en dispositivos distintos.",
    "account.noPasskeysHint": "Añade una para poder volver a iniciar sesión.",
    "account.onlyProvidersHint": "Añade una para iniciar sesión sin tu proveedor.",
    "account.formerHint": "Añade una para {domain}: las de la dirección anterior podrían dejar de funcionar.",
    "account.onePasskeyHint": "Tienes una. Añade otra en un segundo dispositivo, por si pierdes esta.",

    "sessions.label": "Dónde tienes la sesión abierta",
    "sessions.hint":
      "Si no reconoces alguna de estas sesiones, ciérrala y elimina las llaves de acceso que no sean tuyas.",
    "sessions.unknownDevice": "Dispositivo desconocido",
    "sessions.current": "Este dispositivo",
    "sessions.signedIn": "Inicio de sesión",
    "sessions.lastSeen": "Última actividad",
    "sessions.address": "Dirección IP",
    "sessions.end": "Cerrar sesión",
    "sessions.endOne": "Cerrar la sesión en {name}",
    "sessions.ended": "Se ha cerrado la sesión en «{name}».",
    "sessions.gone": "Esta sesión ya había terminado.",
    "sessions.everywhere": "Cerrar todas las sesiones",
    "sessions.everywhereTitle": "¿Cerrar todas las sesiones?",
    "sessions.everywhereConsequence":
      "Terminan todas tus sesiones, también esta. Tus llaves de acceso se conservan y con ellas puedes iniciar sesión de nuevo. Siguen vigentes tus tokens de acceso y el acceso de las aplicaciones que dura hasta que lo retires.",
    "sessions.only": "Solo tienes la sesión abierta en este dispositivo.",

    "confirm.title": "Confirma tu identidad",
    "confirm.text": "Iniciaste sesión hace un rato. Vuelve a usar una de tus llaves de acceso para continuar.",
    "confirm.button": "Usar una llave de acceso",
    "confirm.provider": "Iniciar sesión otra vez con tu proveedor",
    "confirm.providerText": "O inicia sesión otra vez con tu proveedor y después repite el cambio.",

    "request.host": "en {host}",
    "request.named": "se presenta como «{name}»",
    "request.returnsTo": "vuelve a {host}",
    "request.unknownSite":
      "Nadie ha revisado aquí esta aplicación. Su nombre lo ha elegido ella misma: permite el acceso solo si conoces {host}.",
    "request.unknownProgram":
      "Es un programa de tu dispositivo. Cualquier programa puede decir que es de {host}: permite el acceso solo si acabas de iniciarlo.",
    "request.account": "Cuenta",
    "request.chooseTitle": "Elige una cuenta",
    "request.continue": "Continuar",
    "request.another": "Usar otra cuenta",
    "request.otherwise": "Iniciar sesión de otra forma",
    "request.consentTitle": "¿Permitir el acceso a tu cuenta?",
    "request.consent": "Si lo permites, {name} podrá:",
    "request.allow": "Permitir",
    "request.again": "{name} te pide que inicies sesión de nuevo.",
    "request.passkey": "{name} pide una llave de acceso con la huella digital, la cara o el PIN de tu dispositivo.",
    "request.back": "Volver a la aplicación",
    "request.backTo": "Volver a {host}",
    "request.leaving": "Vuelves a {name}.",
    "request.openTitle": "Continúa en la aplicación",
    "request.openText": "Tu navegador abre {name}. Si no ocurre nada, pulsa el botón.",
    "request.open": "Abrir la aplicación",
    "request.goBack": "Atrás",
    "request.reason": "Para el administrador de la aplicación: ",
    "logout.title": "¿Cerrar sesión?",
    "logout.text": "{name} pide cerrar tu sesión aquí.",
    "logout.textUnnamed": "Una aplicación pide cerrar tu sesión aquí.",
    "logout.stay": "Mantener la sesión",
    "request.toAccount": "Ir a tu cuenta",

    "scope.openid": "Saber quién eres",
    "scope.profile": "Ver tu nombre y tu nombre de usuario",
    "scope.email": "Ver tu dirección de correo",
    "scope.groups": "Ver los grupos a los que perteneces",
    "scope.offlineAccess": "Mantener el acceso cuando no estés",
    "scope.other": "Usar «{scope}»",
    "access.resource": "El acceso es para {resource}.",
    "access.offline": "El acceso dura hasta que lo retires en la página de tu cuenta.",
    "access.session": "El acceso termina cuando cierras la sesión. Puedes retirarlo antes en la página de tu cuenta.",

    "grants.label": "Aplicaciones que usas",
    "grants.hint": "Les has dado acceso a tu cuenta.",
    "grants.can": "Puede",
    "grants.since": "Desde",
    "grants.narrow": "Cambiar",
    "grants.narrowOne": "Cambiar el acceso de {name}",
    "grants.narrowTitle": "Cambiar el acceso",
    "grants.narrowQuestion": "{name} puede:",
    "grants.narrowConsequence":
      "{name} pierde en unos minutos lo que desmarques. Conserva lo que ya ha leído y puede volver a pedírtelo.",
    "grants.narrowSave": "Guardar",
    "grants.narrowed": "El acceso de {name} se ha cambiado.",
    "grants.revoke": "Retirar acceso",
    "grants.revokeOne": "Retirar el acceso de {name}",
    "grants.revokeTitle": "¿Retirar el acceso?",
    "grants.revokeConsequence":
      "{name} se desconecta de tu cuenta y te volverá a preguntar en el próximo inicio de sesión. Conserva lo que ya ha leído.",
    "grants.revoked": "{name} ya no tiene acceso.",

    "tokens.label": "Tokens de acceso",
    "tokens.hint": "Un programa que tiene uno actúa en tu nombre. Elimina los que no reconozcas.",
    "tokens.unnamed": "Token sin nombre",
    "tokens.certificate": "Certificado",
    "tokens.created": "Creado",
    "tokens.creator": "Por",
    "tokens.byYou": "ti",
    "tokens.byOther": "otra persona",
    "tokens.expires": "Válido hasta",
    "tokens.unlimited": "que lo elimines",
    "tokens.remove": "Eliminar",
    "tokens.removeOne": "Eliminar el token {name}",
    "tokens.removeTitle": "¿Eliminar este token?",
    "tokens.removeConsequence": "Los programas que usan «{name}» se rechazarán de inmediato.",
    "tokens.removed": "Se ha eliminado «{name}».",
  },

  refusals: {
    LINK_EXPIRED: ["Este enlace ha caducado", `Los enlaces funcionan durante un tiempo limitado. ${NEW_LINK}`],
    LINK_USED: [
      "Este enlace ya se ha usado",
      "Con él se añadió una llave de acceso, y cada enlace añade solo una. Si no fuiste tú, avisa de inmediato a tu administrador. " +
        "Para añadir otra llave de acceso, pide un enlace nuevo.",
    ],
    LINK_REPLACED: [
      "Hay un enlace más reciente",
      "Después de este se te envió otro enlace, y solo funciona el más reciente. Abre ese.",
    ],
    LINK_TRIED_TOO_OFTEN: ["Este enlace se ha intentado usar demasiadas veces", `Ya no funciona. ${NEW_LINK}`],
    USER_LOCKED: [
      "Esta cuenta está bloqueada",
      "Nadie puede iniciar sesión con ella hasta que se desbloquee. Consulta a tu administrador.",
    ],
    RECOVERY_NOT_ALLOWED: [
      "La recuperación por correo ya no es posible",
      "Tu organización ha cambiado esto después de que se enviara el correo. Pide un enlace nuevo a tu administrador.",
    ],
    EMAIL_SET_BY_OTHERS: [
      "Este enlace está en espera",
      "Pide a tu administrador que confirme tu dirección de correo. Después, abre el enlace otra vez.",
    ],
    LINK_INVALID: [
      "Este enlace no funciona",
      "Puede que falte una parte: ábrelo directamente desde el correo o cópialo entero. Si sigue sin funcionar, pide uno nuevo a la persona que te lo envió.",
    ],

    USER_CODE_INVALID: [
      "Este código no funciona",
      "Compáralo con el del dispositivo. Cada código funciona una vez, durante diez minutos: el dispositivo puede mostrarte uno nuevo.",
    ],

    TOO_MANY_GRANTS: [
      "Usas el número máximo de aplicaciones",
      "En la página de tu cuenta, retira el acceso de las que ya no uses y vuelve a intentarlo.",
    ],

    TOO_MANY_ATTEMPTS: [
      "Ha habido demasiados intentos fallidos",
      "El registro se ha interrumpido para proteger tu cuenta. Vuelve a empezar desde el principio.",
    ],
    TOO_MANY_PASSKEYS: [
      "Tienes el número máximo de llaves de acceso",
      "Elimina una que ya no uses, o pídeselo a tu administrador, y vuelve a intentarlo.",
    ],
    TOO_MANY_CEREMONIES: [
      "Hay demasiados intentos sin terminar",
      "Espera diez minutos a que caduquen y vuelve a intentarlo.",
    ],
    CEREMONY_ENDED: [
      "Este registro se ha interrumpido",
      "Se canceló, o tu cuenta se cambió o se eliminó, mientras tu dispositivo creaba la llave de acceso. No se ha guardado nada. " +
        "Vuelve a intentarlo; si no funciona, consulta a tu administrador.",
    ],
    CHALLENGE_EXPIRED: [
      "Ha tardado demasiado",
      "No se ha guardado nada. Vuelve a intentarlo y termina en menos de diez minutos.",
    ],
    CHALLENGE_USED: [
      "Este intento ya se había completado",
      "Con él se guardó una llave de acceso. Si no fuiste tú, avisa de inmediato a tu administrador.",
    ],
    PASSKEY_NOT_FOUND: [
      "Esta llave de acceso ya no está aquí",
      "Se ha eliminado entretanto. Vuelve a cargar la lista.",
    ],

    CREDENTIAL_ALREADY_REGISTERED: [
      "Esta llave de acceso ya está registrada",
      "Usa otro dispositivo, otra llave de seguridad u otro gestor de contraseñas para crear una nueva.",
    ],
    CREDENTIAL_MALFORMED: [
      "La respuesta de tu dispositivo no se puede leer",
      "No se ha guardado nada. Vuelve a intentarlo; si se repite, actualiza el navegador o usa otro dispositivo.",
    ],
    CREDENTIAL_NOT_VERIFIED: [
      "No se ha podido verificar la respuesta de tu dispositivo",
      "No se ha guardado nada. Vuelve a intentarlo; si se repite, actualiza el navegador o usa otro dispositivo.",
    ],
    ORIGIN_NOT_ALLOWED: [
      "No se pueden añadir llaves de acceso en esta dirección",
      "Comprueba que la dirección del navegador es la que te dieron. Si lo es, este servidor no está configurado para ella: avisa a tu administrador.",
    ],
    USER_NOT_VERIFIED: [
      "Tu dispositivo no ha comprobado tu identidad",
      "Configura en él un PIN, una huella digital o el reconocimiento facial, o usa otro dispositivo, y vuelve a intentarlo.",
    ],
    ALGORITHM_NOT_ALLOWED: [
      "Este tipo de llave de acceso no se puede usar aquí",
      "Tu dispositivo ha creado una clave de un tipo que no se acepta. Usa otro dispositivo u otra llave de seguridad.",
    ],
    ATTESTATION_NOT_ALLOWED: [
      "Este dispositivo no se puede usar aquí",
      "Se ha identificado de una forma que no se acepta. Usa otro dispositivo u otra llave de seguridad.",
    ],
    INVALID_FIELDS: ["Algún dato del formulario no se acepta", "Cambia el nombre y vuelve a intentarlo."],

    UNAUTHENTICATED: [
      "Este token no es válido",
      "Ha caducado, se ha revocado o no está completo. Inicia sesión con otro.",
    ],
    EMAIL_CHANGE_INVALID: [
      "Este enlace está incompleto",
      "Ábrelo directamente desde el correo o pide otro en «Sobre ti».",
    ],
    EMAIL_CHANGE_OF_OTHER_USER: [
      "Este enlace es de otra cuenta",
      "Inicia sesión en esa cuenta y abre otra vez el enlace del correo.",
    ],
    EMAIL_CHANGE_EXPIRED: ["Este enlace ha caducado", "Pide otro en «Sobre ti»."],
    EMAIL_CHANGE_ENDED: [
      "Este enlace ya no es válido",
      "Ya se ha usado, o el cambio se canceló o se reemplazó por otro. Mira tu dirección de correo en «Sobre ti».",
    ],
    EMAIL_TAKEN: ["Otra cuenta tiene esta dirección de correo", "Usa otra dirección o consulta a tu administrador."],
    EMAIL_FROM_PROVIDER: [
      "Tu dirección de correo viene de tu proveedor de identidad",
      "Cámbiala allí. Aquí se actualizará la próxima vez que inicies sesión con él.",
    ],
    SMTP_CONFIG_MISSING: [
      "No se pueden enviar correos",
      "El servicio aún no tiene servidor de correo. Consulta a tu administrador.",
    ],
    TOO_MANY_MAILS: [
      "Se han enviado demasiados correos a esta dirección",
      "Vuelve a intentarlo dentro de una hora o usa otra dirección.",
    ],
    PROFILE_KEPT: [
      "Tu organización gestiona estos datos",
      "Solo un administrador puede cambiarlos. Consulta a tu administrador.",
    ],
    PERMISSION_DENIED: ["No puedes hacer esto", "A tu cuenta le falta el permiso. Consulta a tu administrador."],
    USER_NOT_FOUND: [
      "No se ha encontrado esta cuenta",
      "Es posible que se haya eliminado. Consulta a tu administrador.",
    ],
    NOT_FOUND: ["No se ha encontrado esta cuenta", "Es posible que se haya eliminado. Consulta a tu administrador."],
    RESOURCE_EXHAUSTED: ["Ha habido demasiadas solicitudes", "Espera un minuto y vuelve a intentarlo."],
    UNAVAILABLE: [
      "El servicio no está disponible en este momento",
      "Suele resolverse en menos de un minuto. Vuelve a intentarlo.",
    ],
    DEADLINE_EXCEEDED: ["El servicio ha tardado demasiado en responder", "Vuelve a intentarlo en un momento."],
    ABORTED: ["Alguien ha cambiado lo mismo en el mismo momento", "Vuelve a intentarlo."],
    UNREACHABLE: ["No se puede acceder al servicio", "Comprueba tu conexión y vuelve a intentarlo."],
    OFFLINE: ["No tienes conexión", "Conéctate a internet y vuelve a intentarlo."],
    UNKNOWN: ["Se ha producido un error", "Vuelve a intentarlo. Si se repite, avisa a tu administrador."],

    SIGN_IN_FAILED: [
      "No se ha podido iniciar sesión",
      "Vuelve a intentarlo o usa otra llave de acceso. Si se repite, consulta a tu administrador.",
    ],
    PASSKEY_UNKNOWN: [
      "Con esta llave de acceso ya no puedes iniciar sesión",
      "Se eliminó de su cuenta. Usa otra o pide a tu administrador un enlace para añadir una nueva.",
    ],
    SIGN_IN_EXPIRED: ["Ha tardado demasiado", "Vuelve a intentarlo y termina en menos de diez minutos."],
    SIGN_IN_USED: ["Este intento ya se había completado", "Vuelve a intentarlo."],
    SIGN_IN_NOT_MADE: [
      "No has iniciado sesión",
      "Se canceló, tardó demasiado o este dispositivo no tiene ninguna llave de acceso para este servicio. Vuelve a intentarlo cuando quieras.",
    ],
    SIGN_IN_UNREADABLE: [
      "La respuesta de tu dispositivo no se puede leer",
      "Vuelve a intentarlo; si se repite, actualiza el navegador o usa otro dispositivo.",
    ],
    SIGN_IN_NOT_HERE: [
      "No puedes iniciar sesión en esta dirección",
      "Comprueba que la dirección del navegador es la que te dieron. Si lo es, este servidor no está configurado para ella: avisa a tu administrador.",
    ],
    SIGN_IN_NO_WEBAUTHN: [
      "Este navegador no puede usar llaves de acceso",
      "Usa una versión actualizada de Chrome, Edge, Firefox o Safari. Los navegadores integrados en otras aplicaciones a menudo no pueden.",
    ],
    SIGN_IN_INSECURE: [
      "Esta conexión no es segura",
      "Los navegadores solo usan llaves de acceso en direcciones seguras, las que empiezan por https://. Abre esta página en una dirección así.",
    ],
    COOKIES_BLOCKED: [
      "Este navegador bloquea las cookies",
      "La sesión se mantiene con una cookie de esta dirección. Permite las cookies y los datos de sitios para ella en la configuración del navegador y vuelve a cargar esta página.",
    ],
    STORAGE_BLOCKED: [
      "Este navegador bloquea el almacenamiento",
      "Es necesario para ir al proveedor y volver. Permite las cookies y los datos de sitios para esta dirección en la configuración del navegador y vuelve a cargar esta página.",
    ],
    NOT_CONFIRMED: [
      "No has confirmado tu identidad",
      "Se canceló o tardó demasiado. No se ha cambiado nada. Vuelve a intentarlo cuando quieras.",
    ],
    SESSION_ENDED: ["Tu sesión ha terminado", "Inicia sesión de nuevo para continuar."],

    AUTHORIZATION_REQUEST_EXPIRED: [
      "Este inicio de sesión ha terminado",
      "Se completó, tardó más de diez minutos o su dirección está incompleta. Vuelve a la aplicación y empieza de nuevo.",
    ],
    UNKNOWN_CLIENT: [
      "Esta aplicación no se conoce aquí",
      "El inicio de sesión no puede continuar. Vuelve a la aplicación y pide a su administrador que compruebe su client_id.",
    ],
    REDIRECT_URI_NOT_REGISTERED: [
      "La dirección para volver a la aplicación no está registrada",
      "El inicio de sesión no puede continuar, porque la respuesta podría llegar a otra persona. Vuelve a la aplicación y avisa a su administrador, que puede registrar su redirect_uri.",
    ],
    CLIENT_METADATA_INVALID: [
      "La descripción de la aplicación no es válida",
      "El inicio de sesión no puede continuar. Pide al administrador de la aplicación que compruebe el documento en su client_id.",
    ],
    CLIENT_METADATA_UNREACHABLE: [
      "No se puede leer la descripción de la aplicación",
      "El documento en su client_id no responde en este momento. Vuelve a la aplicación e inténtalo de nuevo en un momento.",
    ],
    LOGOUT_NOT_POSSIBLE: [
      "La aplicación ha enviado una solicitud incorrecta para cerrar la sesión",
      "Tu sesión sigue abierta aquí. Ciérrala en la página de tu cuenta y pide al administrador de la aplicación que compruebe el id_token_hint y el client_id de su solicitud.",
    ],
    LOGOUT_REQUEST_INVALID: [
      "Esta solicitud para cerrar la sesión no es válida",
      "Tardó más de diez minutos o su dirección está incompleta. Vuelve a la aplicación y cierra la sesión de nuevo, o ciérrala en la página de tu cuenta.",
    ],
    POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED: [
      "La dirección para volver a la aplicación no está registrada",
      "Tu sesión sigue abierta. Avisa al administrador de la aplicación, que puede registrar su post_logout_redirect_uri.",
    ],
    AUTHORIZATION_INVALID: [
      "La aplicación ha enviado una solicitud incorrecta",
      "El inicio de sesión no puede continuar. Vuelve a la aplicación y avisa a su administrador, que puede encontrar esta solicitud y su solución con el ID de la solicitud.",
    ],
    AUTHORIZATION_FAILED: [
      "El inicio de sesión no puede continuar",
      "Vuelve a la aplicación y empieza de nuevo. Si se repite, avisa a su administrador.",
    ],
    ANOTHER_ACCOUNT_REQUIRED: [
      "La aplicación pide otra cuenta",
      "No es la cuenta con la que has iniciado sesión aquí. Usa la que hayas usado antes en la aplicación.",
    ],
    APPLICATION_NOT_ALLOWED: [
      "Tu cuenta no puede usar esta aplicación",
      "Pide acceso a su administrador o usa otra cuenta.",
    ],
    EMAIL_REQUIRED: [
      "Tu cuenta no tiene dirección de correo",
      "La aplicación exige una. Pide al administrador de tu organización que la añada a tu cuenta.",
    ],
    PASSKEY_REQUIRED: [
      "Esta llave de acceso no es suficiente",
      "La aplicación pide una que se use con la huella digital, la cara o el PIN de tu dispositivo. Usa otra llave de acceso.",
    ],

    SIGN_UP_NOT_ALLOWED: [
      "Aquí no puedes crear una cuenta",
      "Pide una invitación a los responsables de este servicio.",
    ],
    SIGN_UP_EXPIRED: [
      "Este enlace ya no funciona",
      "Está incompleto o tiene más de 24 horas. Pide otro en la página de inicio de sesión.",
    ],
    SIGN_UP_USED: [
      "Este enlace ya se ha usado",
      "Con él se creó tu cuenta. Inicia sesión con tu llave de acceso o pide un enlace a los responsables de este servicio.",
    ],
    SIGN_UP_USER_EXISTS: [
      "Ya tienes una cuenta",
      "Tiene esta dirección de correo. Inicia sesión con tu llave de acceso. Si la has perdido, en la página de inicio de sesión puedes pedir un enlace nuevo por correo.",
    ],

    NOT_REGISTERED: [
      "Aún no tienes una cuenta aquí",
      "Nadie tiene vinculada aquí la cuenta que has usado. Inicia sesión de otra forma y vincúlala, o pide una cuenta a tu administrador.",
    ],
    USER_EXISTS_LINK_FIRST: [
      "Ya tienes una cuenta aquí",
      "Por tu seguridad, no se vincula por su nombre ni por su dirección de correo. Inicia sesión con tu llave de acceso y vincula después este proveedor en la página de tu cuenta.",
    ],
    ROLES_EXCEED_PROVIDER: [
      "Tu cuenta no usa este proveedor",
      "Tiene más derechos que las personas que gestionan el proveedor. Inicia sesión con tu llave de acceso.",
    ],
    IDENTITY_LINKED: [
      "Esta cuenta ya está vinculada",
      "Pertenece aquí a otro usuario, o a ti. Para cambiarlo, inicia sesión con ella y desvincúlala allí.",
    ],
    FLOW_EXPIRED: [
      "Ha tardado demasiado",
      "No se ha cambiado nada. Vuelve a intentarlo y termina en menos de diez minutos.",
    ],
    FLOW_USED: ["Este intento ya se había completado", "No se ha cambiado nada. Vuelve a empezar desde el principio."],
    FLOW_LOST: [
      "Este inicio de sesión no puede continuar aquí",
      "La página se volvió a cargar, o empezaste en otra pestaña o en otro navegador. No se ha cambiado nada. Vuelve a empezar desde el principio.",
    ],
    IDP_DENIED: [
      "El proveedor no te ha dejado pasar",
      "Lo cancelaste, o el proveedor lo rechazó. Vuelve a intentarlo o inicia sesión de otra forma.",
    ],
    IDP_DID_NOT_REAUTHENTICATE: [
      "El proveedor no te ha pedido que inicies sesión otra vez",
      "Ha continuado con un inicio de sesión anterior. No se ha cambiado nada. Cierra la sesión en el proveedor y vuelve a intentarlo.",
    ],
    IDP_UNREACHABLE: [
      "No se puede acceder al proveedor",
      "Suele resolverse en unos minutos. Vuelve a intentarlo o inicia sesión de otra forma.",
    ],
    IDP_NOT_CONFIGURED: [
      "No puedes iniciar sesión con este proveedor",
      "No está configurado para esta dirección o se ha eliminado. Inicia sesión de otra forma o avisa a tu administrador.",
    ],
    IDP_DISABLED: [
      "Este proveedor está desactivado",
      "Por ahora nadie puede iniciar sesión con él. Inicia sesión de otra forma o consulta a tu administrador.",
    ],
    PROVIDER_NOT_VERIFIED: [
      "No se ha podido iniciar sesión",
      "No se ha podido verificar la información del proveedor. Vuelve a intentarlo; si se repite, avisa a tu administrador.",
    ],

    NotAllowedError: [
      "No se ha creado ninguna llave de acceso",
      "Se canceló, tardó demasiado o tu dispositivo no lo permite. Vuelve a intentarlo cuando quieras.",
    ],
    InvalidStateError: [
      "Este dispositivo ya tiene una de tus llaves de acceso",
      "Puedes iniciar sesión con la que hay. Para añadir otra, usa un dispositivo, una llave de seguridad o un gestor de contraseñas diferente.",
    ],
    SecurityError: [
      "No se pueden crear llaves de acceso en esta dirección",
      "La dirección del navegador no es la de tus llaves de acceso. Abre esta página en la dirección que te dieron.",
    ],
    NotSupportedError: [
      "Este dispositivo no puede crear la llave de acceso necesaria",
      "Usa otro dispositivo, otra llave de seguridad u otro gestor de contraseñas.",
    ],
    ConstraintError: [
      "Este dispositivo no puede comprobar tu identidad",
      "Configura en él un bloqueo de pantalla, un PIN o una huella digital, o usa otro dispositivo, y vuelve a intentarlo.",
    ],
    AbortError: ["La llave de acceso no se terminó de crear", "Algo la interrumpió. Vuelve a intentarlo."],
    NO_WEBAUTHN: [
      "Este navegador no puede crear llaves de acceso",
      "Usa una versión actualizada de Chrome, Edge, Firefox o Safari. Los navegadores integrados en otras aplicaciones a menudo no pueden.",
    ],
    INSECURE_CONTEXT: [
      "Esta conexión no es segura",
      "Los navegadores solo crean llaves de acceso en direcciones seguras, las que empiezan por https://. Abre esta página en una dirección así.",
    ],
  },
};
