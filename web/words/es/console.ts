/** The text of the console in Spanish, without that of its first view. */

import type { ConsoleWords } from "../types";

export const words: ConsoleWords<"es"> = {
  add: "Añadir",
  save: "Guardar",
  saved: "Guardado.",
  cancel: "Cancelar",
  close: "Cerrar",
  discard: "Descartar cambios",
  nothingChanged: "No se ha cambiado nada.",
  remove: "Eliminar",
  removeImage: "Eliminar la imagen",
  image: "Una imagen",
  look: "Vista previa",
  optional: "(opcional)",
  choose: "Elegir…",
  default: "Predeterminado",
  nothingToChoose: "Todavía no hay nada que elegir.",
  yes: "Sí",
  no: "No",
  never: "Nunca",
  none: "Ninguno",
  once: "Cópialo ahora. No se volverá a mostrar.",
  details: "Detalles",
  settings: "Configuración",
  state: "Estado",
  created: "Creado",
  changed: "Cambiado",
  search: "Buscar",

  "conflict.title": "Otra persona ha cambiado esto",
  "conflict.text":
    "Desde que lo abriste, estos campos se han guardado con otros valores. Lo que has introducido sigue aquí.",
  "conflict.field": "Campo",
  "conflict.theirs": "Valor guardado",
  "conflict.mine": "Tu valor",
  "conflict.unchanged": "sin cambios",
  "conflict.keepMine": "Guardar mis valores",
  "conflict.takeTheirs": "Descartar mis valores",

  "limit.required": "Introduce un valor.",
  "limit.choose": "Elige uno.",
  "limit.maxLength": "Introduce como máximo {most} caracteres.",
  "limit.maxItems": "Introduce como máximo {most} líneas.",
  "limit.range": "Introduce un número de {least} a {most}.",
  "limit.number": "Introduce un número entero.",
  "limit.pattern": "Este formato no se acepta.",
  "limit.item": "Línea {number}: {text}",
  "limit.pair": "Escribe un nombre, = y un valor.",

  "field.name": "Nombre",
  "field.displayName": "Nombre visible",
  "field.userName": "Nombre de usuario",
  "field.email": "Dirección de correo",
  "field.givenName": "Nombre de pila",
  "field.familyName": "Apellidos",
  "field.locale": "Idioma",
  "hint.locale": "Un código de idioma, como es o pt-BR.",
  "field.zoneinfo": "Zona horaria",
  "hint.zoneinfo": "Un nombre, como Europe/Madrid.",
  "field.externalId": "ID en otro sistema",
  "field.keepsProfiles": "Solo los administradores cambian los nombres y los idiomas de los usuarios",
  "field.allowsMailRecovery": "Recuperación por correo",
  "hint.allowsMailRecovery":
    "Los usuarios sin roles que hayan perdido todas sus llaves de acceso pueden pedir un enlace por correo. Su buzón basta entonces para iniciar sesión en su nombre.",

  "field.allowsMailFallback": "Correo a través de la instancia",
  "hint.allowsMailFallback":
    "Mientras falla el servidor de correo de la organización, el de la instancia envía sus correos, con el remitente de la instancia.",
  "field.allowsSignUp": "Creación de cuentas",
  "hint.allowsSignUp":
    "Las personas crean su propia cuenta con un enlace enviado a su dirección de correo. Lo ofrece la página de inicio de sesión con el ID de la organización, /signin/?org_id=….",
  "field.clientMetadataHosts": "Hosts de aplicaciones que no hace falta añadir",
  "hint.clientMetadataHosts":
    "Uno por línea, como app.example.com. Los clientes MCP, por ejemplo, publican allí un documento sobre sí mismos. * representa todos los hosts.",

  "organizations.lead":
    "Los usuarios, los grupos, las aplicaciones y los proveedores de identidad pertenecen a una organización.",
  "organizations.add": "Añadir una organización",
  "organizations.default": "Organización predeterminada",
  "organizations.none": "No hay organizaciones.",
  "organizations.open": "Abrir",
  "organizations.openOne": "Abrir {name}",
  brand: "Marca",
  "brand.lead":
    "Las páginas la muestran a las personas de esta organización. Los campos vacíos tienen el valor de la instancia.",
  "brand.instance": "Marca de la instancia",
  "brand.instanceLead":
    "Las páginas la muestran donde no se conoce ninguna organización. Los correos y los diálogos de las llaves de acceso muestran el nombre.",
  "field.color": "Color",
  "hint.color": "De los botones y los enlaces, como #1a3c6e. El texto blanco sobre él debe poder leerse.",
  "field.supportAddress": "Dirección de correo de asistencia",
  "hint.supportAddress": "Las páginas la muestran a quienes no pueden iniciar sesión.",

  removeOne: "Eliminar {name}",
  removed: "Se ha eliminado {name}.",
  role: "Rol",
  idp: "Proveedor de identidad",
  "role.1": "Todo, en todas las organizaciones",
  "role.2": "Todo en esta organización",
  "role.3": "Usuarios y llaves de acceso de esta organización",
  "role.4": "Verifica sesiones: para un servicio",
  "role.5": "Aplicaciones de esta organización",
  "role.6": "Consulta las solicitudes a aplicaciones: para un proxy",
  "role.7": "Lee todo en esta organización",
  "role.8": "Ayuda a los usuarios de esta organización: bloqueos, sesiones y enlaces de registro",
  "count.sessions": { one: "{count} sesión", other: "{count} sesiones" },
  "count.tokens": { one: "{count} token", other: "{count} tokens" },
  "count.passkeys": { one: "{count} llave de acceso", other: "{count} llaves de acceso" },

  "users.add": "Añadir un usuario",
  "users.addLead":
    "El usuario puede iniciar sesión cuando tenga una llave de acceso: crea un enlace para ella en la página siguiente.",
  "users.query": "Nombre, dirección de correo o ID",
  "users.onDomain":
    "{moved} de {users} usuarios con una llave de acceso de un dominio anterior tienen una de {domain}.",
  "users.toUnmoved": "Ver quién no tiene ninguna",
  "users.unmoved": "Solo llaves de acceso de dominios anteriores",
  "users.unmovedLead":
    "Estos usuarios de todas las organizaciones no tienen ninguna llave de acceso del dominio actual. Cuando las anteriores dejen de funcionar, solo podrán iniciar sesión con un proveedor de identidad o con un nuevo enlace de registro.",
  "users.allMoved": "Todas las personas tienen una llave de acceso del dominio actual.",
  "users.none": "Esta organización no tiene usuarios.",
  "users.noneFound": "No se ha encontrado a nadie.",
  "users.moved": "{some} de {all} personas tienen una llave de acceso.",

  invite: "Invitar a personas",
  "invite.lead":
    "Cada persona pasa a ser usuario de esta organización y recibe un correo con un enlace que añade una llave de acceso.",
  "invite.people": "Personas",
  "invite.addresses": "Direcciones de correo o una tabla",
  "invite.addressesHint":
    "Pega direcciones, con o sin nombres, o celdas de una hoja de cálculo. También puedes soltar aquí un archivo.",
  "invite.rest": "No se ha encontrado ninguna dirección en: {text}",
  "invite.file": "O un archivo CSV",
  "invite.fileHint": "Con una línea de nombres de columnas, como Nombre, Correo y Grupos.",
  "invite.persons": { one: "{count} persona", other: "{count} personas" },
  "invite.columns": "Comprueba el significado de cada columna. Varios grupos en una celda se separan con comas.",
  "invite.column": "Columna {number}: {name}",
  // Names of columns of spreadsheets in this language, in small letters without spaces and other characters. English is known.
  "columns.email":
    "correo correoelectrónico correoelectronico direccióndecorreo direcciondecorreo direccióndecorreoelectrónico direcciondecorreoelectronico",
  "columns.userName": "nombredeusuario usuario",
  "columns.displayName": "nombrecompleto nombrevisible nombreyapellidos",
  "columns.givenName": "nombre nombredepila nombres",
  "columns.familyName": "apellidos apellido",
  "columns.locale": "idioma lengua",
  "columns.externalId": "númerodeempleado numerodeempleado matrícula matricula idexterno",
  "columns.groups": "grupos grupo",
  "invite.ignored": "Omitir",
  "invite.preview": "Las primeras personas de la lista",
  "invite.further": { one: "y {count} más", other: "y {count} más" },
  "invite.choices": "Grupos y rol",
  "invite.choicesLead": "Para todas las personas de la lista.",
  "invite.noRole": "Ningún rol",
  "invite.check": "Comprobar la lista",
  "invite.checking": "Comprobando la lista",
  "invite.importing": "Añadiendo usuarios",
  "invite.granting": "Concediendo el rol",
  "invite.sending": "Enviando invitaciones",
  "invite.good": { one: "Se puede invitar a {count} persona.", other: "Se puede invitar a {count} personas." },
  "invite.send": { one: "Invitar a {count} persona", other: "Invitar a {count} personas" },
  "invite.refused": {
    one: "No se puede invitar a {count} persona",
    other: "No se puede invitar a {count} personas",
  },
  "invite.refusedShown": "Se muestran las {count} primeras. El archivo las tiene todas.",
  "invite.problem": "Problema",
  "invite.noAddress": "La fila no tiene dirección de correo.",
  "invite.download": "Descargar como CSV",
  "invite.invited": {
    one: "{count} persona recibe una invitación.",
    other: "{count} personas reciben una invitación.",
  },
  "invite.before": {
    one: "{count} persona recibió una en los últimos 7 días.",
    other: "{count} personas recibieron una en los últimos 7 días.",
  },
  "invite.has": {
    one: "{count} persona ya tiene una llave de acceso.",
    other: "{count} personas ya tienen una llave de acceso.",
  },
  "invite.others": "Personas que ya están aquí",
  "invite.othersLead":
    "Invita a todos los usuarios sin llave de acceso, excepto a quienes recibieron una invitación en los últimos 7 días.",
  "invite.remind": "Invitar a todos sin llave de acceso",
  "users.all": "Todos",
  "users.active": "Activo",
  "users.invited": "Invitado, sin aceptar",
  "users.role": "Rol",
  "users.anyRole": "Cualquier rol",
  "users.lastSignIn": "Último inicio de sesión",
  "users.never": "Nunca",
  "users.notFor": "Hace más de {days} días",
  "users.order": "Orden",
  "users.byId": "Por ID",
  "users.newest": "Primero los más recientes",
  "users.latestSignIn": "Primero el inicio de sesión más reciente",
  "users.earliestSignIn": "Primero el inicio de sesión más antiguo",
  "users.latestInvitation": "Primero la invitación más reciente",
  "users.select": "Seleccionar {name}",
  "users.selectAll": "Seleccionar todos los que se muestran",
  "users.selection": "Usuarios seleccionados",
  "users.total": "Usuarios: {total}",
  "users.selected": { one: "{count} seleccionado", other: "{count} seleccionados" },
  "users.addToGroup": "Añadir a un grupo",
  "users.group": "Grupo",
  "users.noGroups": "Esta organización no tiene grupos.",
  "users.remove": "Eliminar",
  "users.askToLock": { one: "¿Bloquear {count} usuario?", other: "¿Bloquear {count} usuarios?" },
  "users.askToUnlock": { one: "¿Desbloquear {count} usuario?", other: "¿Desbloquear {count} usuarios?" },
  "users.askToRemove": { one: "¿Eliminar {count} usuario?", other: "¿Eliminar {count} usuarios?" },
  "users.ok": { one: "Se aplica a {count} usuario.", other: "Se aplica a {count} usuarios." },
  "users.added": {
    one: "{count} usuario es miembro del grupo.",
    other: "{count} usuarios son miembros del grupo.",
  },
  "users.moreRefused": { one: "Se ha rechazado {count} más.", other: "Se han rechazado {count} más." },
  "users.done": "Listo.",
  export: "Exportar como CSV",
  exported: { one: "Se ha exportado {count} fila.", other: "Se han exportado {count} filas." },

  "sessions.lead":
    "Dónde tienen la sesión abierta las personas de la organización. Al terminar una sesión, se cierra en todas las aplicaciones.",
  "sessions.query": "Nombre, dispositivo, dirección IP o ID",
  "sessions.method": "Sesión iniciada con",
  "sessions.user": "Usuario",
  "sessions.none": "Nadie tiene la sesión abierta.",
  "sessions.noneFound": "No se ha encontrado ninguna sesión.",
  "sessions.again": "Volver a cargar",
  "sessions.endOne": "Terminar la sesión de {name}: {device}",
  "sessions.endAll": "Terminar todas",
  "sessions.endAllOf": "Terminar todas las sesiones de {name}",
  "sessions.endAllTitle": "¿Terminar todas las sesiones de {name}?",
  "value.SIGN_IN_METHOD_PASSKEY": "Llave de acceso",
  "value.SIGN_IN_METHOD_IDP": "Proveedor de identidad",

  "user.details": "Detalles",
  "user.security": "Credenciales",
  "user.sessions": "Sesiones",
  "user.access": "Acceso",
  "user.events": "Cronología",
  "user.remove": "Eliminar el usuario",
  "user.removeLead": "Termina todo aquello con lo que el usuario inicia sesión. Esto no se puede deshacer.",
  "user.lock": "Bloquear",
  "user.lockLead":
    "Úsalo si una cuenta puede estar en malas manos o si alguien está ausente. Se conservan las llaves de acceso, los roles y los grupos.",
  "field.reason": "Motivo",
  "hint.reason": "Solo para las personas que gestionan usuarios.",
  "user.lockTitle": "¿Bloquear a {name}?",
  "user.lockEnds": "Termina {sessions} y {tokens}.",
  "user.lockText":
    "Se cierra la sesión en las aplicaciones, los enlaces para llaves de acceso dejan de funcionar y nadie puede iniciar sesión como este usuario hasta que lo desbloquees.",
  "user.lockDone": "Se ha bloqueado a {name}.",
  "user.locked": "Bloqueado",
  "user.lockedLead":
    "Nadie puede iniciar sesión como este usuario. Los tokens que terminaron con el bloqueo no se recuperan.",
  "user.lockedSince": "Desde",
  "user.unlock": "Desbloquear",
  "user.unlocked": "{name} puede iniciar sesión de nuevo.",
  "user.removeTitle": "¿Eliminar a {name}?",
  "user.removed": "Se ha eliminado a {name}.",
  "user.ends": "Termina {sessions}, {tokens} y {passkeys}.",
  "user.removeForever":
    "El nombre de usuario vuelve a quedar libre. Los eventos del usuario permanecen en el registro.",
  "user.passkeys": "Llaves de acceso",
  "user.passkeysLead":
    "Cualquiera que tenga un enlace de registro puede añadir una llave de acceso y actuar como el usuario.",
  "user.formerPasskey": "del dominio anterior {domain}",
  "user.noPasskeys": "El usuario no tiene ninguna llave de acceso y no puede iniciar sesión con una.",
  "user.lastUsed": "Último uso",
  "user.createLink": "Crear un enlace",
  "user.mailLink": "Enviar un enlace",
  "user.link": "Enlace de registro",
  "user.linkText":
    "El usuario abre este enlace y añade una llave de acceso. Funciona una vez; los enlaces anteriores del usuario han terminado.",
  "user.linkMailed": "El enlace está en camino a {address}.",
  "user.links": "Proveedores de identidad",
  "user.skipped": "Claims que no encajaban",
  "user.noLinks": "El usuario no está vinculado a ningún proveedor de identidad.",
  "user.subject": "Sujeto",
  "user.tokens": "Tokens de acceso",
  "user.noTokens": "El usuario no tiene ningún token de acceso.",
  "user.createToken": "Crear un token",
  "user.tokenLead": "Un programa que tiene el token actúa como el usuario, con todos sus derechos.",
  "user.token": "Token de acceso",
  "field.expiresAt": "Caduca",
  "hint.expiresAt": "Sin fecha, el token no caduca.",
  "user.unnamed": "Sin nombre",
  "user.addWorkload": "Añadir una carga de trabajo",
  "user.workloadLead":
    "Una tarea de CI o un pod actúa como el usuario con los tokens de su plataforma, con todos los derechos del usuario y sin secreto.",
  "field.audienceOfUser": "Audiencia",
  "hint.audienceOfUser": "El valor para el que la carga de trabajo solicita su token. Termina con el ID del usuario.",
  "user.certificate": "Certificado de cliente",
  "user.addCertificate": "Añadir certificado de cliente",
  "user.certificateLead":
    "Un servicio que tiene la clave del certificado actúa como el usuario, con todos sus derechos. El servidor debe pedir certificados a los clientes.",
  "field.certificate": "Certificado",
  "hint.certificate": "En formato PEM, sin su cadena ni su clave.",
  "user.expires": "Caduca",
  "user.removePasskeyTitle": "¿Eliminar la llave de acceso {name}?",
  "user.endsSessions": { one: "Termina {count} sesión.", other: "Termina {count} sesiones." },
  "user.lastPasskey": "Es la última llave de acceso: el usuario necesita un enlace nuevo para iniciar sesión con una.",
  "user.endsApplications": {
    one: "Retira el acceso de {count} aplicación.",
    other: "Retira el acceso de {count} aplicaciones.",
  },
  "user.endsTokens": { one: "Revoca {count} token del usuario.", other: "Revoca {count} tokens del usuario." },
  "user.lost": "Se ha perdido o la han robado",
  "user.lostText":
    "En ese caso terminan también el acceso de las aplicaciones y los tokens propios del usuario que se obtuvieron con ella.",
  "user.unlinkTitle": "¿Eliminar el vínculo con {name}?",
  "user.revokeTokenTitle": "¿Eliminar el token {name}?",
  "user.revokeToken": "Los programas que lo usan se rechazarán de inmediato.",
  "user.noSessions": "El usuario no tiene ninguna sesión abierta.",
  "user.device": "Dispositivo",
  "user.unknownDevice": "Dispositivo desconocido",
  "user.signedIn": "Inicio de sesión",
  "user.lastSeen": "Última actividad",
  "user.thisSession": "Esta sesión",
  "user.end": "Terminar",
  "user.endOne": "Terminar la sesión en {name}",
  "user.ended": "Terminada.",
  "user.endAll": "Terminar todas las sesiones",
  "user.endAllTitle": "¿Terminar todas las sesiones?",
  "user.endAllRest":
    "Siguen vigentes los tokens propios del usuario y el acceso duradero de las aplicaciones. Termínalos en Credenciales y Acceso.",
  "user.endAllText":
    "Las aplicaciones que dependen de ellas cierran la sesión del usuario. Las llaves de acceso se conservan.",
  "user.rolesLead": "Los roles dan derechos en el propio Keystead. Las aplicaciones, en cambio, ven los grupos.",
  "user.hasRole": "Concedido",
  "user.grant": "Conceder",
  "user.grantOne": "Conceder {name}",
  "user.revoke": "Retirar",
  "user.revokeOne": "Retirar {name}",
  "user.grantTitle": "¿Conceder el rol {role}?",
  "user.grantText":
    "Se han comprobado todas las credenciales del usuario: nadie con menos derechos ha creado ninguna de ellas.",
  "user.grantEndingTitle": "¿Conceder el rol {role} y terminar credenciales?",
  "user.grantEnding":
    "Personas con menos derechos de los que da este rol han creado tokens, llaves de acceso o enlaces del usuario y podrían usarlos. Estos terminan ahora, con sus sesiones. Puede que el usuario necesite un nuevo enlace de registro.",
  "user.granted": "Se ha concedido el rol.",
  "user.revokeTitle": "¿Retirar el rol {role}?",
  "user.revokeText":
    "El usuario pierde de inmediato sus derechos. Terminan los enlaces de registro que el usuario ha creado y también los tokens de un servicio sin otro rol.",
  "user.revoked": "Se ha retirado el rol.",
  "user.noGroups": "El usuario no está en ningún grupo.",
  "user.leaveOne": "Quitar de {name}",
  "user.grantsLead": "Aplicaciones en las que el usuario ha iniciado sesión.",
  "user.noGrants": "El usuario no usa ninguna aplicación.",
  "user.narrowGrant": "Cambiar",
  "user.narrowGrantOne": "Cambiar el acceso de {name}",
  "user.narrowGrantTitle": "Cambiar el acceso de {name}",
  "user.narrowGrantText":
    "La aplicación pierde en unos minutos los ámbitos que desmarques. Conserva los datos que ya ha leído y puede volver a pedírselos al usuario.",
  "user.narrowedGrant": "Se ha cambiado el acceso de {name}.",
  "user.revokeGrantTitle": "¿Retirar el acceso de {name}?",
  "user.revokeGrantText":
    "La aplicación se desconecta de esta cuenta y volverá a preguntar en el próximo inicio de sesión.",

  "groups.lead": "Las aplicaciones ven los grupos de sus usuarios y pueden admitir solo a los miembros de algunos.",
  "groups.add": "Añadir un grupo",
  "groups.none": "Esta organización no tiene grupos.",
  "groups.members": "Miembros",
  "groups.noMembers": "El grupo no tiene miembros.",
  "groups.source": "Origen",
  "groups.ofProvider": "Proveedor de identidad",
  "groups.since": "Desde",
  "groups.addMember": "Añadir un miembro",
  "groups.added": "Se ha añadido a {name}.",
  "groups.remove": "Eliminar el grupo",
  "groups.removeTitle": "¿Eliminar el grupo {name}?",
  "groups.removeText": "Pertenencias que terminan: {count}. Los usuarios se conservan.",
  "groups.removeApplications": "Las aplicaciones que solo admiten este grupo ya no admitirán a nadie.",
  "groups.manyMembers": "más de 200",

  secret: "Secreto",
  clientId: "ID de cliente",
  connect: "Conectar",
  "connect.lead":
    "Una biblioteca de OpenID Connect necesita el emisor y el ID de cliente; las aplicaciones con servidor necesitan además un secreto.",
  "connect.issuer": "Emisor",
  "connect.discovery": "Documento de descubrimiento",
  "connect.check": "Comprobación por HTTP",
  "connect.checkOverGrpc": "Comprobación por gRPC",
  "connect.token": "Token del proxy",
  "connect.gateLead":
    "El proxy consulta a Keystead sobre cada solicitud y solo deja pasar las de las personas admitidas.",
  test: "Prueba",
  "test.run": "Ejecutar la prueba",
  "test.succeeded": "Todos los pasos se han completado.",
  "test.failed": "Un paso ha fallado.",
  "step.resolve": "Resolver el nombre",
  "step.connect": "Conectar",
  "step.greeting": "Saludo",
  "step.tls": "Cifrado",
  "step.token": "Token de acceso",
  "step.auth": "Iniciar sesión en el servidor",
  "step.sender": "Remitente",
  "step.message": "Mensaje de prueba",
  "step.discovery": "Documento de descubrimiento",
  "step.keys": "Claves",
  "step.client": "ID y secreto de cliente",
  "step.answer": "Respuesta",

  "field.kind": "Tipo",
  "value.APPLICATION_KIND_WEB": "Aplicación web con servidor",
  "value.APPLICATION_KIND_BROWSER": "Aplicación en el navegador",
  "value.APPLICATION_KIND_NATIVE": "Aplicación en un dispositivo",
  "value.APPLICATION_KIND_SERVICE": "Servicio sin personas",
  "value.APPLICATION_KIND_GATE": "Detrás de un proxy",
  "value.APPLICATION_KIND_RESOURCE": "API para otras aplicaciones",
  "hint.kind": "No se puede cambiar más adelante.",
  "field.logo": "Logotipo",
  "hint.logo": "PNG, JPEG o WebP de 32 KiB como máximo.",
  "field.redirectUris": "URI de redirección",
  "hint.redirectUris": "Uno por línea. Se comparan letra por letra.",
  "field.postLogoutRedirectUris": "URI de redirección tras cerrar sesión",
  "hint.postLogoutRedirectUris": "Uno por línea.",
  "field.backchannelLogoutUri": "URI de cierre de sesión por canal secundario",
  "hint.backchannelLogoutUri": "Recibe un aviso cuando termina una sesión.",
  "field.origins": "Orígenes",
  "hint.origins": "Uno por línea, como https://app.example.com.",
  "field.allowsHttp": "Permitir http:// en nombres y direcciones privados",
  "hint.allowsHttp": "Cualquiera en esa red puede leer lo que devuelve el navegador.",
  "field.identifier": "Identificador",
  "hint.identifier": "El aud de sus tokens de acceso: la URL de la API o un nombre.",
  "field.scopes": "Ámbitos",
  "hint.scopes": "Uno por línea.",
  "field.firstParty": "Pertenece a esta organización",
  "hint.firstParty": "No se pide el consentimiento de las personas.",
  "field.audience": "Quién puede usarla",
  "value.APPLICATION_AUDIENCE_UNSPECIFIED": "Usuarios de esta organización (predeterminado)",
  "value.APPLICATION_AUDIENCE_ORGANIZATION": "Usuarios de esta organización",
  "value.APPLICATION_AUDIENCE_ALL": "Usuarios de todas las organizaciones",
  "field.admitsGroupsOnly": "Solo los miembros de algunos grupos",
  "field.allowedGroups": "Grupos admitidos",
  "hint.allowedGroups": "Si no se elige ninguno, nadie puede usarla.",
  "field.tokenEndpointAuthMethod": "Autenticación del cliente",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_NONE": "Ninguna",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_BASIC": "Secreto, en la cabecera (client_secret_basic)",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_POST": "Secreto, en el cuerpo (client_secret_post)",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT": "Clave privada (private_key_jwt)",
  "field.jwksUri": "URL de las claves públicas",
  "field.jwks": "Claves públicas",
  "hint.jwks": "Un JWK Set, en lugar de una URL.",
  "field.pkce": "Protección de los códigos",
  "value.APPLICATION_PKCE_UNSPECIFIED": "PKCE o un nonce (predeterminado)",
  "value.APPLICATION_PKCE_REQUIRED": "PKCE",
  "value.APPLICATION_PKCE_PKCE_OR_NONCE": "PKCE o un nonce",
  "value.APPLICATION_PKCE_NONE": "Ninguno de los dos",
  "field.requiresEmail": "Rechaza a los usuarios sin dirección de correo",
  "hint.pkce": "Algunos programas no envían ninguno de los dos. Lo que un programa envía se exige en todos los casos.",
  "field.requiresPushedAuthorizationRequests": "Debe enviar antes sus solicitudes de autorización (RFC 9126)",
  "field.idTokenAlg": "Firma de los tokens de ID",
  "value.ID_TOKEN_ALG_UNSPECIFIED": "RS256 (predeterminado)",
  "value.ID_TOKEN_ALG_RS256": "RS256",
  "value.ID_TOKEN_ALG_ES256": "ES256",
  "field.omitsIdTokenClaims": "Tokens de ID sin nombre, dirección de correo ni grupos",
  "field.accessTokenTyp": "Tipo de los tokens de acceso (typ)",
  "value.ACCESS_TOKEN_TYP_UNSPECIFIED": "at+jwt (predeterminado)",
  "value.ACCESS_TOKEN_TYP_AT_JWT": "at+jwt",
  "value.ACCESS_TOKEN_TYP_JWT": "JWT",
  "field.accessTokenLifetimeSeconds": "Validez de los tokens de acceso, en segundos",
  "hint.accessTokenLifetimeSeconds": "De 60 a 3600.",
  "field.refreshTokenLifetimeSeconds": "Tiempo máximo sin un nuevo inicio de sesión, en segundos",
  "field.refreshTokenIdleSeconds": "Tiempo tras el que caduca un token de actualización sin usar, en segundos",

  "applications.lead": "Programas en los que las personas inician sesión con Keystead, y servicios sin personas.",
  "applications.add": "Añadir una aplicación",
  "applications.addLead": "Todo lo demás tiene un valor predeterminado y se puede cambiar más adelante.",
  "applications.software": "¿Qué software?",
  "applications.otherSoftware": "Otro programa",
  // TRANSLATE
  "applications.otherSoftwareLead": "Any client of OpenID Connect or OAuth 2.0, an API, or a site behind the gate.",
  // TRANSLATE
  "gallery.another": "Choose another",
  // TRANSLATE
  "gallery.none": "None has these words in its name.",
  "applications.host": "Su host",
  "applications.hostLead":
    "Introduce el host del programa. En tu propia máquina es un origen, como http://localhost:3000.",
  "applications.softwareSettings": "Configuración de {name}",
  "applications.softwareLead": "Crea un secreto y ponlo en el lugar de CLIENT_SECRET.",
  "applications.none": "Esta organización no tiene aplicaciones.",
  "applications.chosen": "Si se traslada aquí desde otro proveedor",
  "field.applicationId": "ID de cliente",
  "hint.applicationId": "Solo si el programa conserva el que tiene. No se puede cambiar más adelante.",
  "pattern.applicationId": "Usa solo A-Z, a-z, 0-9 y ._~-.",
  "field.secret": "Secreto",
  "hint.secret":
    "Solo si el programa conserva el que tiene: al menos 32 dígitos hexadecimales, o algo igual de difícil de adivinar.",
  "pattern.secret": "Usa caracteres ASCII imprimibles, sin espacios ni %.",
  "applications.people": "Personas",
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
  "applications.tokens": "Tokens",
  "field.gateJwtHeader": "Cabecera con el JWT",
  "value.GATE_JWT_HEADER_UNSPECIFIED": "authorization (predeterminado)",
  "value.GATE_JWT_HEADER_AUTHORIZATION": "authorization",
  "value.GATE_JWT_HEADER_X_KEYSTEAD_JWT": "x-keystead-jwt",
  "field.gateIdentityHeaders": "Cabeceras con el usuario, su dirección de correo y sus grupos",
  workloads: "Cargas de trabajo",
  "workloads.lead":
    "Las tareas de un sistema de CI o los pods de un clúster obtienen tokens como esta aplicación con los tokens de su emisor, sin secreto.",
  resourceScopes: "Ámbitos",
  "resourceScopes.lead":
    "Lo que las aplicaciones pueden pedir a los usuarios. Los usuarios conceden lo que sus grupos permiten.",
  "resourceScopes.add": "Añadir un ámbito",
  "resourceScopes.oneLead":
    "Las aplicaciones lo solicitan por su nombre: si lo cambias, cámbialo también en ellas. Se vuelve a preguntar a los usuarios.",
  "resourceScopes.none": "La API no tiene ámbitos: basta con un token.",
  "resourceScopes.removeTitle": "¿Eliminar el ámbito {name}?",
  "resourceScopes.remove": "Los tokens nuevos no lo tienen. Los que existen lo conservan hasta que caduquen.",
  "field.resourceScopes.name": "Nombre",
  "field.resourceScopes.description": "Descripción",
  "hint.resourceScopes.description": "Lo que permite, para las personas a las que se pregunta.",
  "field.resourceScopes.allowedGroups": "Grupos que pueden concederlo",
  "hint.resourceScopes.allowedGroups": "Si no se elige ninguno, todos.",
  "connect.apiLead": "La API verifica los tokens de acceso con estas claves, o pregunta mediante introspección.",
  "connect.keys": "Claves",
  "connect.introspection": "Introspección",
  "workloads.add": "Añadir cargas de trabajo",
  "workloads.none": "No se admite ninguna carga de trabajo.",
  "workloads.removeTitle": "¿Eliminar las cargas de trabajo {name}?",
  "workloads.remove": "Ya no obtienen tokens. Los que tienen siguen siendo válidos hasta que caduquen.",
  "field.workloads.issuer": "Emisor",
  "hint.workloads.issuer":
    "Exactamente como en el claim iss, por ejemplo, https://token.actions.githubusercontent.com.",
  "field.workloads.audience": "Audiencia",
  "hint.workloads.audience": "Un valor que el claim aud debe contener, como la dirección de este servidor.",
  "field.workloads.subject": "Sujeto",
  "hint.workloads.subject":
    "El claim sub, como repo:example/shop:ref:refs/heads/main. Un * al final representa cualquier secuencia de caracteres.",
  "field.workloads.claims": "Otros claims",
  "hint.workloads.claims": "Uno por línea, como repository_owner_id=4711.",
  application: "Aplicación",
  requestId: "ID de la solicitud",
  refusals: "Rechazos recientes",
  "refusals.lead":
    "De los últimos siete días. Cualquiera puede enviar una solicitud con el ID de cliente de una aplicación.",
  "refusals.none": "No se ha rechazado ninguna solicitud de esta aplicación.",
  "refusals.notFound": "Ninguna solicitud rechazada de una aplicación de esta organización tiene este ID.",
  "refusals.search": "Buscar una solicitud rechazada",
  "refusals.remedy": "Solución",
  "refusals.mend": "Cambiar el ajuste…",
  "refusals.mendTitle": "¿Cambiar la aplicación?",
  "refusals.set": "Cambiar",
  "refusals.mended": "Se ha cambiado la aplicación.",
  "refusals.weakens": "Esto hace que la aplicación sea menos estricta. Hazlo solo si el programa no se puede cambiar.",
  "refusals.anybody": "Cualquiera puede haber enviado este valor. Añádelo solo si es el de la aplicación.",
  "user.withoutEmail": "Sin dirección de correo, las aplicaciones que exigen una rechazan a este usuario.",
  "applications.secrets": "Secretos",
  "applications.secretsLead":
    "Para reemplazar un secreto, crea uno nuevo, dáselo a la aplicación y elimina después el antiguo.",
  "applications.noSecrets": "La aplicación no tiene ningún secreto.",
  "applications.createSecret": "Crear un secreto",
  "applications.removeSecretTitle": "¿Eliminar el secreto?",
  "applications.removeSecret": "La aplicación ya no podrá usarlo; sus otros secretos siguen funcionando.",
  "applications.lastSecret": "Es el único: la aplicación no obtendrá tokens hasta que tenga otro.",
  "applications.remove": "Eliminar la aplicación",
  "applications.removeTitle": "¿Eliminar la aplicación {name}?",
  "applications.removeText": "Nadie podrá iniciar sesión en ella con Keystead, y sus tokens de actualización terminan.",
  "applications.endsSecrets": { one: "Termina {count} secreto.", other: "Termina {count} secretos." },

  "field.stylingType": "Aspecto del botón",
  "value.STYLING_TYPE_UNSPECIFIED": "Como la página",
  "value.STYLING_TYPE_PROVIDER": "Como lo define el proveedor",
  "idps.button": "Botón de inicio de sesión",
  "idps.buttonLead": "Los colores y el logotipo se usan si el aspecto del botón es: como lo define el proveedor.",
  "field.backgroundColor": "Color de fondo",
  "field.textColor": "Color del texto",
  "hint.backgroundColor": "Como #1a3c6e. Si falta alguno de los dos colores, el botón tiene los de la página.",
  "hint.textColor": "Como #ffffff. Debe poder leerse sobre el fondo.",
  "field.autoRegister": "Registra a personas nuevas",
  "hint.autoRegister": "Quien inicia sesión con el proveedor por primera vez obtiene un usuario.",
  "field.isDisabled": "Desactivado",
  "hint.isDisabled":
    "Nadie puede iniciar sesión con él. Las sesiones que se iniciaron con él terminan; los vínculos de los usuarios se conservan.",
  "idps.off": "Desactivado",
  "idps.isOff": "Este proveedor está desactivado: nadie puede iniciar sesión con él.",
  mappings: "Asignación de claims",
  "mappings.lead":
    "Valores que los usuarios obtienen de los claims del proveedor. Un claim que no encaja se omite; la página del usuario lo indica.",
  "mappings.add": "Añadir un claim",
  "mappings.none": "No hay claims asignados.",
  "mappings.goneGroup": "un grupo eliminado",
  "field.mappings.claim": "Claim",
  "hint.mappings.claim": "Su nombre. Los puntos llevan al interior de los objetos, como en realm_access.roles.",
  "field.mappings.attribute": "Se convierte en",
  "hint.mappings.attribute":
    "display_name, given_name, family_name, locale, zoneinfo, external_id, email, groups o el nombre de un atributo.",
  "field.mappings.when": "Cuándo",
  "value.IDP_MAPPING_TIME_FIRST_SIGN_IN": "En el primer inicio de sesión",
  "value.IDP_MAPPING_TIME_EVERY_SIGN_IN": "En cada inicio de sesión",
  "field.mappings.groups": "Grupos según los valores del claim",
  "hint.mappings.groups":
    "Uno por línea, como 0d6bd6a0-7a0b=engineers. Si no hay ninguno, los valores son nombres de grupos.",
  "field.issuer": "Emisor",
  "hint.issuer": "Exactamente como en el documento de descubrimiento del proveedor.",
  "pattern.issuer": "Introduce una dirección que empiece por https://.",
  "field.clientId": "ID de cliente",
  "field.clientSecret": "Secreto de cliente",
  // TRANSLATE
  "field.newClientSecret": "Client secret",
  "hint.clientSecret": "Déjalo vacío para conservar el guardado.",
  "field.autoRegisterMailDomains": "Dominios de correo de las personas nuevas",
  "hint.autoRegisterMailDomains":
    "Uno por línea. Solo se registra a personas con una dirección verificada de uno de ellos.",
  "field.autoRegisterHostedDomains": "Organizaciones de Google de las personas nuevas",
  "hint.autoRegisterHostedDomains":
    "Un dominio por línea. Solo se registra a personas de una de estas organizaciones (hd).",
  "field.updateNameAtSignIn": "Actualiza los nombres",
  "hint.updateNameAtSignIn": "En cada inicio de sesión, el nombre visible pasa a ser el del proveedor.",
  "field.updateEmailAtSignIn": "Actualiza las direcciones de correo",
  "hint.updateEmailAtSignIn":
    "En cada inicio de sesión, la dirección de correo pasa a ser la del proveedor, si está verificada.",
  "idps.lead": "Las personas de esta organización pueden iniciar sesión con ellos.",
  "idps.add": "Añadir un proveedor de identidad",
  "idps.addLead":
    "La página siguiente muestra la dirección que hay que registrar en el proveedor y pide su configuración.",
  "idps.none": "Esta organización no tiene proveedores de identidad.",
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
  "idps.callback": "URI de redirección",
  "idps.callbackLead": "Registra este URI de redirección en el proveedor.",
  "idps.admitsAnybody":
    "Cualquiera puede obtener una cuenta en este proveedor y quedar registrado aquí. Limita los dominios de las personas nuevas.",
  "idps.noOidc": "Aún no tiene configuración de OpenID Connect.",
  "idps.secretStored": "Hay un secreto de cliente guardado.",
  "idps.testLead":
    "Lee el documento de descubrimiento y las claves y comprueba el cliente, como lo hace un inicio de sesión.",
  "idps.remove": "Eliminar el proveedor",
  "idps.removeTitle": "¿Eliminar el proveedor {name}?",
  "idps.removeLinks": "Se eliminan los vínculos de los usuarios con él.",
  "idps.removeSessions": "Terminan las sesiones que se iniciaron con él.",
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

  "field.senderAddress": "Dirección del remitente",
  "field.senderName": "Nombre del remitente",
  "field.host": "Servidor de correo",
  "hint.host": "Con su puerto, como smtp.example.com:587.",
  "pattern.host": "Introduce un servidor y un puerto, como smtp.example.com:587.",
  "field.tls": "Exige cifrado",
  "field.user": "Usuario del servidor de correo",
  "field.password": "Contraseña",
  "hint.password": "Déjala vacía para conservar la guardada.",
  "mail.lead": "El servidor con el que esta instancia envía correo, para todas las organizaciones.",
  "mail.leadOwn": "El correo a las personas de esta organización y su servidor propio, si lo tiene.",
  "mail.setUp": "Configurar el correo",
  "mail.setUpLead": "Sin él, los enlaces de registro no se pueden enviar por correo.",
  "mail.passwordStored": "Hay una contraseña guardada.",
  "mail.templates": "Plantillas",
  "mail.templatesLead":
    "Cada tipo de correo tal como lo reciben las personas, con ejemplos en lugar de nombres y enlaces.",
  "mail.plainText": "Texto sin formato",
  "mail.outbox": "Bandeja de salida",
  "mail.receiver": "Enviar un mensaje de prueba a",
  "mail.testLead": "Prueba paso a paso la configuración guardada.",
  "mail.remove": "Eliminar la configuración",
  "mail.removeTitle": "¿Eliminar la configuración de correo?",
  "mail.removeText":
    "Los correos esperan hasta que se configure de nuevo y fallan después de dos días. La contraseña guardada se borra.",
  "mail.own": "Servidor de correo de la organización",
  "mail.ownLead":
    "Los correos a sus usuarios llegan entonces desde este servidor y este remitente. Sin él, desde los de la instancia.",
  "mail.testOwn": "Prueba del servidor de correo",
  "mail.removeOwnText":
    "Los correos se envían entonces con el servidor de la instancia. La contraseña guardada se borra.",
  "mail.show": "Mostrar",
  "mail.showOne": "Mostrar el correo a {address}",
  "mail.captured": "Correo capturado",
  "mail.capturedLead": "Se guardó en lugar de entregarse. Sus enlaces funcionan, pero no en esta vista.",
  "mail.removed": "Se ha eliminado la configuración.",
  "field.preset": "Proveedor",
  "value.SMTP_TOKEN_PRESET_UNSPECIFIED": "Otro",
  "value.SMTP_TOKEN_PRESET_MICROSOFT": "Microsoft 365",
  "value.SMTP_TOKEN_PRESET_GOOGLE": "Google",
  "field.tenant": "Inquilino",
  "hint.tenant": "Su ID o un dominio, como contoso.com.",
  "field.tokenEndpoint": "Punto de conexión de tokens",
  "field.mailScope": "Ámbito",
  "field.mailClientId": "ID de cliente",
  "hint.mailClientId": "Id. de aplicación (cliente) en Microsoft. Vacío para una cuenta de servicio.",
  "field.mailbox": "Buzón que envía",
  "hint.mailbox": "Si es distinto del usuario del servidor de correo.",
  "field.mailClientSecret": "Secreto de cliente",
  "hint.mailClientSecret":
    "Da un solo secreto: este, una clave o un token. Déjalos todos vacíos para conservar el guardado.",
  "field.privateKey": "Clave privada",
  "hint.privateKey": "En PEM; para Microsoft, con su certificado.",
  "field.serviceAccountKey": "Clave de una cuenta de servicio",
  "hint.serviceAccountKey": "El contenido del archivo JSON de Google.",
  "field.refreshToken": "Token de actualización",
  "mail.oauth": "OAuth",
  "mail.oauthLead": "Microsoft y Google aceptan tokens de acceso en lugar de una contraseña.",
  "mail.oauthSet": "El correo se envía con tokens de acceso. Hay un secreto guardado.",
  "mail.removeOAuth": "Eliminar OAuth",
  "mail.removeOAuthTitle": "¿Eliminar OAuth?",
  "mail.removeOAuthText":
    "El correo se envía de nuevo con la contraseña guardada o sin autenticación. El secreto guardado se borra.",
  "mail.kind": "Correo",
  "mail.route": "Servidor",
  "mailRoute.1": "Instancia",
  "mailRoute.2": "Organización",
  "mailRoute.3": "Instancia, en lugar de la organización",
  "mailRoute.4": "Ninguno: capturado",
  "mail.none": "No hay ningún correo así.",
  "delivery.retry": "Reintentar",
  "mail.retryOne": "Reintentar el correo a {address}",
  "delivery.retried": "El siguiente intento empieza ahora.",
  "delivery.failures": { one: "{count} intento fallido", other: "{count} intentos fallidos" },
  "deliveryState.1": "En espera",
  "deliveryState.2": "Enviado",
  "deliveryState.3": "Fallido",
  "deliveryState.4": "Cancelado",
  "push.lead": "Los webhooks avisan a otros sistemas de los eventos de esta organización.",
  "push.add": "Añadir un webhook",
  "push.addLead":
    "Se envían los eventos a partir de ahora, cada uno hasta que el destino lo acepte, durante tres días.",
  "push.none": "No hay webhooks.",
  "push.subscriptions": "Webhooks",
  "push.deliveries": "Entregas",
  "push.noDeliveries": "No hay ninguna entrega así.",
  "push.event": "Evento",
  "push.webhook": "Webhook",
  "push.logout": "Cierre de sesión en una aplicación",
  "push.retryOne": "Reintentar la entrega {id}",
  "push.testLead": "Envía al destino un evento de prueba, paso a paso.",
  "push.key": "Clave del webhook",
  "push.keyLead": "Con ella, el destino verifica que los eventos llegan de aquí.",
  "push.secrets": "Claves",
  "push.secretsLead": "Para reemplazar una clave, crea otra, dásela al destino y elimina después la primera.",
  "push.publicKey": "Clave pública",
  "push.createSecret": "Crear: {kind}",
  "push.removeSecretTitle": "¿Eliminar la clave?",
  "push.removeSecret": "Los eventos ya no se firman con ella.",
  "push.remove": "Eliminar el webhook",
  "push.removeTitle": "¿Eliminar el webhook {name}?",
  "push.removeText": "Se cancelan las entregas en espera.",
  "field.url": "URL",
  "hint.url": "Empieza por https://.",
  "field.eventTypes": "Eventos",
  "hint.eventTypes": "Un tipo por línea, como user.added. Si no hay ninguno, se envían todos los eventos.",
  "value.SECRET_KIND_HMAC": "Secreto compartido (HMAC)",
  "value.SECRET_KIND_ED25519": "Par de claves (Ed25519)",
  "mailKind.passkey_registration_link": "Enlace de registro",
  "mailKind.passkey_recovery_link": "Enlace de recuperación",
  "mailKind.passkey_invitation": "Invitación",
  "mailKind.sign_up_link": "Enlace para crear una cuenta",
  // TRANSLATE
  "mailKind.email_change_link": "Link to a new address",
  // TRANSLATE
  "mailKind.email_change_requested": "Notice of a requested address",
  "mailKind.passkey_added": "Aviso de una nueva llave de acceso",
  "mailKind.email_changed": "Aviso de una nueva dirección",
  "mailKind.account_recovered": "Aviso de una recuperación",
  "mailKind.idp_linked": "Aviso de un nuevo vínculo",
  "mailKind.idp_unlinked": "Aviso de un vínculo eliminado",
  "mailKind.token_created": "Aviso de un nuevo token de acceso",

  "attributes.lead":
    "Valores que puede tener cada usuario, como un departamento. Los claims de las aplicaciones pueden enviarlos.",
  "attributes.add": "Añadir un atributo",
  "attributes.addLead": "El nombre y el tipo no cambian; el nombre visible se puede cambiar.",
  "attributes.none": "No hay atributos declarados.",
  "attributes.type": "Tipo",
  "attributes.remove": "Eliminar el atributo",
  "attributes.removeTitle": "¿Eliminar el atributo {name}?",
  "attributes.removeText": "Todos los usuarios pierden sus valores.",
  "attributes.removeClaims": "Las aplicaciones ya no obtienen los claims que se forman con él.",
  "field.attributes.name": "Nombre",
  "hint.attributes.name": "Como máximo 64 letras, dígitos, puntos, guiones y guiones bajos. Lo usan los programas.",
  "field.attributes.type": "Tipo",
  "field.attributes.userAccess": "Acceso de los usuarios a su propio valor",
  "value.ATTRIBUTE_TYPE_TEXT": "Texto",
  "value.ATTRIBUTE_TYPE_NUMBER": "Número",
  "value.ATTRIBUTE_TYPE_BOOLEAN": "Sí o no",
  "value.ATTRIBUTE_TYPE_TEXT_LIST": "Lista de textos",
  "value.ATTRIBUTE_ACCESS_NONE": "Ninguno",
  "value.ATTRIBUTE_ACCESS_READ": "Leer",
  "value.ATTRIBUTE_ACCESS_WRITE": "Leer y cambiar",
  "field.picture": "Foto",
  "hint.picture": "El centro de una imagen.",
  "user.emailState": "Dirección de correo verificada",
  // TRANSLATE
  "user.emailChange": "Mail address that the user requested",
  // TRANSLATE
  "user.emailChangeUntil": "to be confirmed by",
  "emailVerification.UNSPECIFIED": "No",
  "emailVerification.LINK": "Con un enlace que se abrió",
  "emailVerification.PROVIDER": "Por un proveedor de identidad",
  "emailVerification.IMPORT": "En una importación",
  "emailVerification.ADMINISTRATOR": "Por un administrador",
  claims: "Otros claims",
  "claims.lead": "Claims del token de ID y de userinfo con un atributo del usuario o un texto fijo, 20 como máximo.",
  "claims.add": "Añadir un claim",
  "claims.none": "Solo están los claims de los ámbitos concedidos.",
  "claims.removeTitle": "¿Eliminar el claim {name}?",
  "claims.remove": "La aplicación ya no lo obtiene.",
  "claims.value": "Valor",
  "field.claims.name": "Nombre del claim",
  "field.claims.attribute": "Atributo",
  "hint.claims.attribute":
    "Nombre de un atributo o un campo de los usuarios: user_name, display_name, given_name, family_name, locale, zoneinfo o external_id.",
  "field.claims.text": "Texto fijo",
  "hint.claims.text": "En lugar de un atributo.",
  "field.claims.target": "Dónde",
  "value.CLAIM_TARGET_BOTH": "Token de ID y userinfo",
  "value.CLAIM_TARGET_ID_TOKEN": "Token de ID",
  "value.CLAIM_TARGET_USERINFO": "Userinfo",

  "events.lead": "Cada cambio es un evento. Los eventos nunca se cambian.",
  "events.type": "Tipo",
  "events.kind.signIns": "Inicios de sesión",
  "events.kind.access": "Acceso: roles, grupos, bloqueos",
  "events.kind.credentials": "Llaves de acceso, enlaces, tokens",
  "events.all": "Todos",
  "events.object": "ID del objeto",
  "events.creator": "Causado por",
  "events.since": "Desde",
  "events.allOrganizations": "Todas las organizaciones",
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
