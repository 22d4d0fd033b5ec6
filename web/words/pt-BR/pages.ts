/** All text of the pages in Brazilian Portuguese. */

import type { Pages } from "../types";

const NEW_LINK = "Peça um novo à pessoa que o enviou a você.";

export const pages: Pages = {
  texts: {
    cancel: "Cancelar",
    tryAgain: "Tentar de novo",
    licences: "Licenças",
    support: "Ajuda por e-mail",
    unknownTime: "desconhecido",
    "address.open": "Abrir esta página em {host}",
    requestId: "ID da solicitação, para o suporte: ",

    "name.missing": "Digite um nome.",
    "name.tooLong": "Digite no máximo {most} caracteres.",
    "name.refused": "O nome não foi aceito: {violation}.",

    "device.iphone": "iPhone",
    "device.ipad": "iPad",
    "device.androidPhone": "Celular Android",
    "device.androidTablet": "Tablet Android",
    "device.chromebook": "Chromebook",
    "device.windows": "Computador Windows",
    "device.mac": "Mac",
    "device.linux": "Computador Linux",
    "device.unknown": "Meu dispositivo",
    "device.browserOn": "{browser} no {system}",

    "add.title": "Adicionar uma chave de acesso",
    "add.name": "Nome desta chave de acesso",
    "add.nameHint": "Para você reconhecê-la depois, por exemplo, pelo dispositivo em que ela está.",
    "add.create": "Criar chave de acesso",
    "add.beginning": "Preparando…",
    "add.making": "Siga as instruções do seu dispositivo…",
    "add.saving": "Salvando sua chave de acesso…",
    "add.introduction":
      "Ela fica guardada no seu dispositivo, em uma chave de segurança ou no seu gerenciador de senhas. Você escolhe a seguir.",

    "link.checking": "Verificando seu link…",
    "link.invitedBy": "{inviter} convida você para {organization}. ",
    "link.invited": "Você recebeu um convite para {organization}. ",
    "link.invitedToUse": "Depois, você poderá usar {application}. ",
    "link.purpose": "Com ela, você entra na conta {account} em {service}. ",
    "link.accountWithName": "{displayName} ({userName})",
    "link.advantage":
      "Com uma chave de acesso, você entra usando a impressão digital, o rosto ou o PIN do seu dispositivo. " +
      "Não há senha para lembrar nem para alguém roubar.",
    "link.kept": "Seu link, para abrir em outro navegador",
    "link.reloadedTitle": "Abra seu link de novo",
    "link.reloaded": "Esta página esquece o link quando é recarregada, para que ninguém mais o encontre aqui.",
    "link.reloadedNext":
      "Abra-o de novo a partir do e-mail. Ele funciona até que uma chave de acesso seja adicionada com ele ou até expirar.",
    "link.otherwise": "Usar um token de acesso",
    "link.readyTitle": "Sua chave de acesso está pronta",
    "link.ready": "“{name}” foi adicionada à sua conta.",
    "link.readySignIn": "Entrar",
    "link.readyContinue": "Continuar",
    "link.readyReturn": "Continuar para {host}",
    "link.readyConsole": "Abrir o console",
    "link.readyAccount": "Abrir sua conta",
    "link.readySecond":
      "Adicione outra chave de acesso em um segundo dispositivo, caso você perca esta. Você pode fazer isso na página da sua conta depois de entrar.",
    "link.readyUsed": "O link que você abriu não pode mais ser usado.",

    "token.label": "Token de acesso",
    "token.hint": "Ele começa com kst_ e fica guardado só até você sair ou fechar esta aba.",
    "token.show": "Mostrar minhas chaves de acesso",
    "token.title": "Suas chaves de acesso",
    "token.introduction":
      "Você recebeu um link para adicionar uma chave de acesso? Abra-o a partir do e-mail. Para ver as chaves de acesso que você já tem, digite um token de acesso.",
    "token.malformed": "Digite um token que comece com kst_.",
    "token.signingIn": "Entrando…",
    "token.signedInAs": "Conta conectada: {name}",
    "token.signedOut": "Você saiu da sua conta. O token continua válido até expirar ou ser revogado.",
    signOut: "Sair",

    "passkeys.label": "Chaves de acesso",
    "passkeys.none": "Você ainda não tem chaves de acesso.",
    "passkeys.add": "Adicionar chave de acesso",
    "passkeys.added": "“{name}” foi adicionada.",
    "passkeys.renamed": "O nome agora é “{name}”.",
    "passkeys.removed": "“{name}” foi removida.",
    "passkeys.missing": "Esta chave de acesso já foi removida.",

    "passkey.keptBy": "Guardada por",
    "passkey.where": "Local",
    "passkey.oneDevice": "só em um dispositivo",
    "passkey.synced": "sincronizada entre seus dispositivos",
    "passkey.canSync": "em um dispositivo, pode ser sincronizada",
    "passkey.former": "Endereço anterior",
    "passkey.added": "Adicionada",
    "passkey.lastUsed": "Último uso",
    "passkey.notUsed": "ainda não usada",
    "passkey.rename": "Renomear",
    "passkey.renameOne": "Renomear {name}",
    "passkey.remove": "Remover",
    "passkey.removeOne": "Remover {name}",

    "rename.title": "Renomear esta chave de acesso",
    "rename.name": "Nome",
    "rename.hint": "Para você reconhecê-la depois.",
    "rename.save": "Salvar",
    "remove.title": "Remover esta chave de acesso?",
    "remove.consequence":
      "Você não poderá mais entrar com “{name}”. Seu dispositivo pode guardar a parte dele até que você a exclua lá também.",
    "remove.lost": "Ela foi perdida ou roubada",
    "remove.lostHint": "O acesso de aplicativos e os tokens de acesso que começaram com ela também serão encerrados.",
    "ends.these": "Isto será encerrado:",
    "ends.sessions": "Sessões: {count}",
    "ends.applications": "Acesso de aplicativos: {count}",
    "ends.tokens": "Tokens de acesso: {count}",
    "ends.nothing": "Nenhuma sessão e nenhum acesso será encerrado.",
    "remove.only":
      "Esta é sua única chave de acesso. Sem ela, talvez você não consiga entrar: adicione outra primeiro.",

    "start.title": "Boas-vindas",
    "start.loading": "Um momento…",
    "start.introduction": "Entre para ver sua conta, suas chaves de acesso e onde sua conta está conectada.",
    "start.account": "Ir para sua conta",

    "signIn.title": "Entrar",
    "signIn.returnToConsole": "Depois, o console será aberto.",
    "signIn.returnTo": "Depois, você continuará para {host}.",
    "signIn.introduction": "Use a impressão digital, o rosto ou o PIN do seu dispositivo.",
    "signIn.account": "Escolher uma conta",
    "signIn.accountHint": "Escolha uma chave de acesso que seu navegador oferece aqui.",
    "signIn.button": "Entrar com uma chave de acesso",
    "signIn.preparing": "Preparando…",
    "signIn.asking": "Siga as instruções do seu dispositivo…",
    "signIn.completing": "Entrando…",
    "signIn.signedOut": "Você saiu da sua conta.",
    "signIn.ended": "Sua sessão foi encerrada. Entre de novo para continuar.",
    "signIn.help": "Problemas para entrar?",
    "signIn.helpPhone":
      "Sua chave de acesso está no celular? Use o botão e escolha outro dispositivo. Um código para escanear aparecerá.",
    "signIn.helpFirst": "Ainda não tem uma chave de acesso? Abra o link do e-mail que você recebeu com sua conta.",
    "former.hint": "Sua chave de acesso foi criada quando este serviço ficava em {domain}?",
    "former.button": "Usar uma chave de acesso de {domain}",
    "former.title": "Sua chave de acesso de {domain}",
    "former.lead": "Use-a aqui, no endereço anterior. Você volta para {host} em seguida.",
    "move.title": "Mais uma chave de acesso",
    "move.lead":
      "Sua chave de acesso é de {former}, o endereço anterior. Adicione uma para {domain}: a outra pode parar de funcionar.",
    "move.later": "Agora não",
    "signIn.lost": "Perdeu sua chave de acesso?",
    "discovery.continue": "Continuar",
    "discovery.looking": "Procurando sua organização…",
    "discovery.choose": "Escolha como entrar.",
    "discovery.none":
      "Nenhuma organização aqui usa endereços deste domínio para entrar. Entre com sua chave de acesso.",

    "provider.or": "ou",
    "provider.more": "Mais provedores",
    "provider.signIn": "Entrar com {name}",
    "provider.link": "Vincular {name}",
    "provider.returned": "Um momento",
    "provider.linking": "Vinculando…",
    "provider.toAccount": "Voltar para sua conta",
    "provider.linkedAt": "Vinculado",
    "provider.subject": "Nome no provedor",
    "provider.unlink": "Desvincular",
    "provider.unlinkOne": "Desvincular {name}",
    "provider.unlinkTitle": "Desvincular este provedor?",
    "provider.unlinkConsequence":
      "Você não poderá mais entrar com {name}, e as sessões iniciadas com ele serão encerradas. Sua conta no provedor continua existindo.",
    "provider.onlyWay":
      "Você não tem uma chave de acesso. Sem ela, talvez você não consiga entrar de novo: adicione uma primeiro.",
    "provider.unlinked": "{name} foi desvinculado.",
    "provider.linked": "O provedor foi vinculado. A partir de agora, você pode entrar com ele.",

    "links.label": "Outras formas de entrar",
    "links.hint": "Você também pode entrar com os provedores que vinculou.",
    "links.none": "Vincule uma conta que você tem em outro serviço para entrar com ela.",

    "recovery.title": "Recuperar sua conta",
    "recovery.introduction":
      "Se sua organização permitir, você receberá por e-mail um link para registrar uma nova chave de acesso. Caso contrário, peça um link ao administrador.",
    "recovery.off":
      "Sua organização não envia links por e-mail a quem perdeu as chaves de acesso. Peça ao administrador, ou à pessoa que convidou você, um link para registrar uma nova chave de acesso.",
    "mailForm.address": "Endereço de e-mail",
    "recovery.addressHint": "O endereço da sua conta.",
    "mailForm.noAddress": "Digite um endereço de e-mail como nome@example.com.",
    "mailForm.button": "Enviar link",
    "mailForm.sending": "Enviando…",
    "signIn.back": "Voltar para o login",
    "mailForm.sent": "Confira sua caixa de entrada",
    "recovery.ifKnown": "Se uma conta que pode ser recuperada por e-mail tiver este endereço, um link está a caminho.",
    "recovery.open": "Ele funciona uma vez, por 30 minutos. Abra-o no dispositivo com que você quer entrar.",
    "recovery.noMail":
      "Nenhum e-mail depois de alguns minutos? Procure um e-mail anterior na pasta de spam ou peça um link ao administrador.",

    "signUp.title": "Criar uma conta",
    "signUp.introduction": "Você receberá por e-mail um link que cria sua conta.",
    "signUp.addressHint": "O link será enviado para este endereço.",
    "signUp.name": "Seu nome",
    "signUp.nameHint": "Como as outras pessoas o verão. Você pode deixar em branco.",
    "signUp.sent": "Um link está a caminho.",
    "signUp.open": "Ele funciona por 24 horas. Abra-o no dispositivo com que você quer entrar.",
    "signUp.noMail": "Nenhum e-mail depois de alguns minutos? Veja a pasta de spam e confira o endereço.",
    "signUp.confirmTitle": "Criar sua conta",
    "signUp.confirmText":
      "Seu endereço de e-mail foi confirmado. Crie a conta e adicione uma chave de acesso para entrar.",
    "signUp.confirm": "Criar conta",

    "connect.title": "Conectar um dispositivo",
    "connect.introduction": "Digite o código que o dispositivo mostra.",
    "connect.code": "Código",
    "connect.codeHint": "Oito letras, como WDJB-MJHT.",
    "connect.noCode": "Digite o código.",
    "connect.continue": "Continuar",
    "connect.finding": "Procurando o código…",
    "connect.ask": "Conectar {name} à sua conta?",
    "connect.account": "Conta conectada: {account}.",
    "connect.isShown": "Seu dispositivo mostra este código?",
    "connect.yes": "Sim, este código",
    "connect.no": "Não",
    "connect.warning":
      "Alguém enviou a você o código ou um link para esta página? Então escolha {no}: essa pessoa teria acesso à sua conta.",
    "connect.gets": "O dispositivo poderá:",
    "connect.allow": "Permitir",
    "connect.done": "Seu dispositivo está conectado",
    "connect.doneNext": "Continue no dispositivo. Você pode fechar esta página.",
    "connect.denied": "O dispositivo não terá acesso",
    "connect.deniedNext": "Você pode fechar esta página.",

    "account.title": "Sua conta",
    "account.console": "Console",
    "profile.label": "Sobre você",
    "profile.change": "Alterar seus dados",
    "profile.changed": "Seus dados foram alterados.",
    "profile.displayName": "Nome de exibição",
    "profile.givenName": "Nome",
    "profile.familyName": "Sobrenome",
    "profile.locale": "Idioma",
    "profile.localeHint": "Um código de idioma, como pt-BR ou en.",
    "profile.zoneinfo": "Fuso horário",
    "profile.zoneinfoHint": "Um nome, como America/Sao_Paulo.",
    "profile.picture": "Foto",
    "profile.pictureHint": "O centro de uma imagem. Os aplicativos que você usa podem mostrá-la.",
    "profile.noPicture": "Escolha um arquivo de imagem.",
    "profile.removePicture": "Remover a foto atual",
    "profile.email": "Endereço de e-mail",
    "profile.refused": "O servidor não aceita este valor: {violation}.",
    "profile.listHint": "Um valor por linha.",
    "profile.noNumber": "Digite um número.",
    "profile.unset": "Não informado",
    "profile.yes": "Sim",
    "profile.no": "Não",
    "email.change": "Alterar seu endereço de e-mail",
    "email.add": "Adicionar um endereço de e-mail",
    "email.verify": "Confirmar seu endereço de e-mail",
    "email.unverified": "não confirmado",
    "email.introduction":
      "Um link será enviado para o endereço. Até você abri-lo, nada muda. Se for um endereço novo, o atual receberá um aviso.",
    "email.new": "Endereço de e-mail",
    "email.newHint": "O link funciona por 24 horas.",
    "email.same": "Este já é seu endereço de e-mail, e ele está confirmado.",
    "email.send": "Enviar link",
    "email.sent": "Um link foi enviado para {address}. Abra-o onde sua conta está conectada.",
    "email.pending": "{address} aguarda sua confirmação: abra, até {until}, o link enviado para esse endereço.",
    "email.cancel": "Cancelar esta alteração",
    "email.cancelled": "A alteração do seu endereço de e-mail foi cancelada.",
    "email.confirmTitle": "Usar este endereço de e-mail?",
    "email.confirmText": "{address} será o endereço de e-mail da sua conta.",
    "email.confirmAny": "O endereço em que você recebeu o link será o endereço de e-mail da sua conta.",
    "email.confirm": "Usar este endereço",
    "email.confirmed": "Seu endereço de e-mail foi confirmado.",
    "account.loading": "Carregando sua conta…",
    "account.passkeysHint": "Você pode entrar com qualquer uma delas. Tenha duas, em dispositivos diferentes.",
    "account.noPasskeysHint": "Adicione uma para poder entrar de novo.",
    "account.onlyProvidersHint": "Adicione uma para entrar sem seu provedor.",
    "account.formerHint": "Adicione uma para {domain}: as do endereço anterior podem parar de funcionar.",
    "account.onePasskeyHint": "Você tem uma. Adicione uma segunda em outro dispositivo, caso perca esta.",

    "sessions.label": "Onde sua conta está conectada",
    "sessions.hint":
      "Se você não reconhecer uma destas sessões, desconecte-a e remova as chaves de acesso que não são suas.",
    "sessions.unknownDevice": "Dispositivo desconhecido",
    "sessions.current": "Este dispositivo",
    "sessions.signedIn": "Login",
    "sessions.lastSeen": "Última atividade",
    "sessions.address": "Endereço IP",
    "sessions.end": "Desconectar",
    "sessions.endOne": "Desconectar {name}",
    "sessions.ended": "“{name}” foi desconectado.",
    "sessions.gone": "Esta sessão já tinha sido encerrada.",
    "sessions.everywhere": "Sair de todos os dispositivos",
    "sessions.everywhereTitle": "Sair de todos os dispositivos?",
    "sessions.everywhereConsequence":
      "Todas as suas sessões serão encerradas, inclusive esta. Suas chaves de acesso continuam, e você pode entrar de novo com elas. Seus tokens de acesso e o acesso de aplicativos que dura até você encerrá-lo também continuam.",
    "sessions.only": "Sua conta está conectada só neste dispositivo.",

    "confirm.title": "Confirme que é você",
    "confirm.text": "Já faz um tempo que você entrou. Use uma das suas chaves de acesso de novo para continuar.",
    "confirm.button": "Usar uma chave de acesso",
    "confirm.provider": "Entrar de novo com seu provedor",
    "confirm.providerText": "Ou entre de novo com seu provedor e depois repita a alteração.",

    "request.host": "em {host}",
    "request.named": "apresenta-se como “{name}”",
    "request.returnsTo": "volta para {host}",
    "request.unknownSite":
      "Ninguém aqui verificou este aplicativo. Ele mesmo escolheu o nome que usa: só permita o acesso se você conhecer {host}.",
    "request.unknownProgram":
      "Este é um programa no seu dispositivo. Qualquer programa pode dizer que é de {host}: só permita o acesso se você acabou de abri-lo.",
    "request.account": "Conta",
    "request.chooseTitle": "Escolher uma conta",
    "request.continue": "Continuar",
    "request.another": "Usar outra conta",
    "request.otherwise": "Entrar de outra forma",
    "request.consentTitle": "Permitir o acesso à sua conta?",
    "request.consent": "Se você permitir, {name} poderá:",
    "request.allow": "Permitir",
    "request.again": "{name} pede que você entre de novo.",
    "request.passkey": "{name} pede uma chave de acesso com a impressão digital, o rosto ou o PIN do seu dispositivo.",
    "request.back": "Voltar para o aplicativo",
    "request.backTo": "Voltar para {host}",
    "request.leaving": "Voltando para {name}.",
    "request.openTitle": "Continue no aplicativo",
    "request.openText": "Seu navegador abrirá {name}. Se nada acontecer, use o botão.",
    "request.open": "Abrir o aplicativo",
    "request.goBack": "Voltar",
    "request.reason": "Para o administrador do aplicativo: ",
    "logout.title": "Sair?",
    "logout.text": "{name} pede para encerrar sua sessão aqui.",
    "logout.textUnnamed": "Um aplicativo pede para encerrar sua sessão aqui.",
    "logout.stay": "Continuar conectado",
    "request.toAccount": "Ir para sua conta",

    "scope.openid": "Saber quem você é",
    "scope.profile": "Ver seu nome e seu nome de usuário",
    "scope.email": "Ver seu endereço de e-mail",
    "scope.groups": "Ver os grupos de que você participa",
    "scope.offlineAccess": "Manter o acesso quando você não estiver presente",
    "scope.other": "Usar “{scope}”",
    "access.resource": "O acesso vale para {resource}.",
    "access.offline": "O acesso dura até você encerrá-lo na página da sua conta.",
    "access.session": "O acesso termina quando você sair. Você pode encerrá-lo antes na página da sua conta.",

    "grants.label": "Aplicativos que você usa",
    "grants.hint": "Você permitiu que eles acessem sua conta.",
    "grants.can": "Pode",
    "grants.since": "Desde",
    "grants.narrow": "Alterar",
    "grants.narrowOne": "Alterar o acesso de {name}",
    "grants.narrowTitle": "Alterar o acesso",
    "grants.narrowQuestion": "{name} pode:",
    "grants.narrowConsequence":
      "Em alguns minutos, {name} perde o que você desmarcar. O aplicativo mantém o que já leu e pode pedir o acesso de novo.",
    "grants.narrowSave": "Salvar",
    "grants.narrowed": "O acesso de {name} foi alterado.",
    "grants.revoke": "Encerrar acesso",
    "grants.revokeOne": "Encerrar o acesso de {name}",
    "grants.revokeTitle": "Encerrar o acesso?",
    "grants.revokeConsequence":
      "Sua conta é desconectada de {name}, que pedirá o acesso de novo no próximo login. O aplicativo mantém o que já leu.",
    "grants.revoked": "{name} não tem mais acesso.",

    "tokens.label": "Tokens de acesso",
    "tokens.hint": "Um programa que tem um token age em seu nome. Remova os que você não reconhece.",
    "tokens.unnamed": "Token sem nome",
    "tokens.certificate": "Certificado",
    "tokens.created": "Criado",
    "tokens.creator": "Por",
    "tokens.byYou": "você",
    "tokens.byOther": "outra pessoa",
    "tokens.expires": "Válido até",
    "tokens.unlimited": "você o remover",
    "tokens.remove": "Remover",
    "tokens.removeOne": "Remover o token {name}",
    "tokens.removeTitle": "Remover este token?",
    "tokens.removeConsequence": "Os programas que usam “{name}” perdem o acesso imediatamente.",
    "tokens.removed": "“{name}” foi removido.",
  },

  refusals: {
    LINK_EXPIRED: ["Este link expirou", `Os links funcionam por tempo limitado. ${NEW_LINK}`],
    LINK_USED: [
      "Este link já foi usado",
      "Uma chave de acesso foi adicionada com ele, e cada link adiciona só uma. Se não foi você, avise o administrador imediatamente. " +
        "Para adicionar outra chave de acesso, peça um novo link.",
    ],
    LINK_REPLACED: [
      "Há um link mais recente",
      "Outro link foi enviado a você depois deste, e só o mais recente funciona. Abra o mais recente.",
    ],
    LINK_TRIED_TOO_OFTEN: ["Houve tentativas demais com este link", `Ele não funciona mais. ${NEW_LINK}`],
    USER_LOCKED: [
      "Esta conta está bloqueada",
      "Ninguém pode entrar nela até que seja desbloqueada. Fale com o administrador.",
    ],
    RECOVERY_NOT_ALLOWED: [
      "A recuperação por e-mail não é mais possível",
      "Sua organização mudou isso depois que o e-mail foi enviado. Peça um novo link ao administrador.",
    ],
    EMAIL_SET_BY_OTHERS: [
      "Este link está suspenso",
      "Peça ao administrador que confirme seu endereço de e-mail. Depois, abra o link de novo.",
    ],
    LINK_INVALID: [
      "Este link não funciona",
      "Talvez falte uma parte dele: abra-o diretamente do e-mail ou copie-o por inteiro. Se ele ainda não funcionar, peça um novo à pessoa que o enviou a você.",
    ],

    USER_CODE_INVALID: [
      "Este código não funciona",
      "Compare-o com o do dispositivo. Cada código funciona uma vez, por dez minutos: o dispositivo pode mostrar um novo.",
    ],

    TOO_MANY_GRANTS: [
      "Você atingiu o número máximo de aplicativos",
      "Na página da sua conta, encerre o acesso dos que você não usa mais e tente de novo.",
    ],

    TOO_MANY_ATTEMPTS: [
      "Houve tentativas demais sem sucesso",
      "O registro foi encerrado para proteger sua conta. Comece de novo.",
    ],
    TOO_MANY_PASSKEYS: [
      "Você atingiu o número máximo de chaves de acesso",
      "Remova uma que você não usa mais, ou peça isso ao administrador, e tente de novo.",
    ],
    TOO_MANY_CEREMONIES: [
      "Há tentativas demais ainda abertas",
      "Espere dez minutos, até que elas expirem, e tente de novo.",
    ],
    CEREMONY_ENDED: [
      "Este registro foi encerrado",
      "Ele foi cancelado, ou sua conta foi alterada ou removida, enquanto o dispositivo criava a chave de acesso. Nada foi salvo. " +
        "Tente de novo. Se não funcionar, fale com o administrador.",
    ],
    CHALLENGE_EXPIRED: ["Demorou demais", "Nada foi salvo. Tente de novo e termine em até dez minutos."],
    CHALLENGE_USED: [
      "Esta tentativa já foi concluída",
      "Uma chave de acesso foi salva com ela. Se não foi você, avise o administrador imediatamente.",
    ],
    PASSKEY_NOT_FOUND: ["Esta chave de acesso não existe mais", "Ela já foi removida. Recarregue a lista."],

    CREDENTIAL_ALREADY_REGISTERED: [
      "Esta chave de acesso já está registrada",
      "Use outro dispositivo, outra chave de segurança ou outro gerenciador de senhas para criar uma nova.",
    ],
    CREDENTIAL_MALFORMED: [
      "Não foi possível ler a resposta do seu dispositivo",
      "Nada foi salvo. Tente de novo. Se o problema se repetir, atualize o navegador ou use outro dispositivo.",
    ],
    CREDENTIAL_NOT_VERIFIED: [
      "Não foi possível verificar a resposta do seu dispositivo",
      "Nada foi salvo. Tente de novo. Se o problema se repetir, atualize o navegador ou use outro dispositivo.",
    ],
    ORIGIN_NOT_ALLOWED: [
      "Não é possível adicionar chaves de acesso neste endereço",
      "Verifique se o endereço no navegador é o que você recebeu. Se for, este servidor não está configurado para ele: avise o administrador.",
    ],
    USER_NOT_VERIFIED: [
      "Seu dispositivo não verificou que é você",
      "Configure nele um PIN, uma impressão digital ou o reconhecimento facial, ou use outro dispositivo, e tente de novo.",
    ],
    ALGORITHM_NOT_ALLOWED: [
      "Este tipo de chave de acesso não pode ser usado aqui",
      "Seu dispositivo criou uma chave de um tipo que não é aceito. Use outro dispositivo ou outra chave de segurança.",
    ],
    ATTESTATION_NOT_ALLOWED: [
      "Este dispositivo não pode ser usado aqui",
      "Ele se identificou de uma forma que não é aceita. Use outro dispositivo ou outra chave de segurança.",
    ],
    INVALID_FIELDS: ["Algo no formulário não foi aceito", "Altere o nome e tente de novo."],

    UNAUTHENTICATED: ["Este token não é válido", "Ele expirou, foi revogado ou está incompleto. Entre com outro."],
    EMAIL_CHANGE_INVALID: ["Este link está incompleto", "Abra-o como está no e-mail ou peça outro em “Sobre você”."],
    EMAIL_CHANGE_OF_OTHER_USER: ["Este link é de outra conta", "Entre nessa conta e abra de novo o link do e-mail."],
    EMAIL_CHANGE_EXPIRED: ["Este link expirou", "Peça outro em “Sobre você”."],
    EMAIL_CHANGE_ENDED: [
      "Este link não funciona mais",
      "Ele já foi usado, ou a alteração foi cancelada ou substituída. Veja seu endereço de e-mail em “Sobre você”.",
    ],
    EMAIL_TAKEN: ["Outra conta tem este endereço de e-mail", "Use outro endereço ou fale com o administrador."],
    EMAIL_FROM_PROVIDER: [
      "Seu endereço de e-mail vem do seu provedor de identidade",
      "Altere-o lá. Ele será atualizado aqui no seu próximo login com o provedor.",
    ],
    SMTP_CONFIG_MISSING: [
      "Não é possível enviar e-mails",
      "O serviço ainda não tem um servidor de e-mail. Fale com o administrador.",
    ],
    TOO_MANY_MAILS: [
      "E-mails demais foram enviados a este endereço",
      "Tente de novo daqui a uma hora ou use outro endereço.",
    ],
    PROFILE_KEPT: [
      "Sua organização gerencia estes dados",
      "Só um administrador pode alterá-los. Fale com o administrador.",
    ],
    PERMISSION_DENIED: [
      "Você não pode fazer isto",
      "Sua conta não tem a permissão necessária. Fale com o administrador.",
    ],
    USER_NOT_FOUND: ["Esta conta não foi encontrada", "Talvez ela tenha sido removida. Fale com o administrador."],
    NOT_FOUND: ["Esta conta não foi encontrada", "Talvez ela tenha sido removida. Fale com o administrador."],
    RESOURCE_EXHAUSTED: ["Houve solicitações demais", "Espere um minuto e tente de novo."],
    UNAVAILABLE: ["O serviço não está disponível no momento", "Isso costuma passar em até um minuto. Tente de novo."],
    DEADLINE_EXCEEDED: ["O serviço demorou demais para responder", "Tente de novo daqui a pouco."],
    ABORTED: ["Alguém alterou a mesma coisa ao mesmo tempo", "Tente de novo."],
    UNREACHABLE: ["Não foi possível acessar o serviço", "Verifique sua conexão e tente de novo."],
    OFFLINE: ["Você está off-line", "Conecte-se à internet e tente de novo."],
    UNKNOWN: ["Algo deu errado", "Tente de novo. Se o problema se repetir, avise o administrador."],

    SIGN_IN_FAILED: [
      "Não foi possível entrar",
      "Tente de novo ou use outra chave de acesso. Se o problema se repetir, fale com o administrador.",
    ],
    PASSKEY_UNKNOWN: [
      "Não é mais possível entrar com esta chave de acesso",
      "Ela foi removida da conta. Use outra ou peça ao administrador um link para adicionar uma nova.",
    ],
    SIGN_IN_EXPIRED: ["Demorou demais", "Tente de novo e termine em até dez minutos."],
    SIGN_IN_USED: ["Esta tentativa já foi concluída", "Tente de novo."],
    SIGN_IN_NOT_MADE: [
      "Você não entrou",
      "O login foi cancelado, demorou demais ou este dispositivo não tem uma chave de acesso para este serviço. Tente de novo quando quiser.",
    ],
    SIGN_IN_UNREADABLE: [
      "Não foi possível ler a resposta do seu dispositivo",
      "Tente de novo. Se o problema se repetir, atualize o navegador ou use outro dispositivo.",
    ],
    SIGN_IN_NOT_HERE: [
      "Não é possível entrar neste endereço",
      "Verifique se o endereço no navegador é o que você recebeu. Se for, este servidor não está configurado para ele: avise o administrador.",
    ],
    SIGN_IN_NO_WEBAUTHN: [
      "Este navegador não pode usar chaves de acesso",
      "Use uma versão atualizada do Chrome, Edge, Firefox ou Safari. Navegadores dentro de outros aplicativos muitas vezes não conseguem.",
    ],
    SIGN_IN_INSECURE: [
      "Esta conexão não é segura",
      "Os navegadores só usam chaves de acesso em endereços seguros, que começam com https://. Abra esta página em um endereço assim.",
    ],
    COOKIES_BLOCKED: [
      "Este navegador bloqueia cookies",
      "Um cookie deste endereço mantém sua conta conectada. Nas configurações do navegador, permita cookies e dados do site para este endereço e recarregue esta página.",
    ],
    STORAGE_BLOCKED: [
      "Este navegador bloqueia o armazenamento",
      "Ele é necessário para ir ao provedor e voltar. Nas configurações do navegador, permita cookies e dados do site para este endereço e recarregue esta página.",
    ],
    NOT_CONFIRMED: [
      "Você não confirmou que é você",
      "A confirmação foi cancelada ou demorou demais. Nada foi alterado. Tente de novo quando quiser.",
    ],
    SESSION_ENDED: ["Sua sessão foi encerrada", "Entre de novo para continuar."],

    AUTHORIZATION_REQUEST_EXPIRED: [
      "Este login foi encerrado",
      "Ele já foi concluído, demorou mais de dez minutos ou o endereço está incompleto. Volte para o aplicativo e comece de novo.",
    ],
    UNKNOWN_CLIENT: [
      "Este aplicativo não é conhecido aqui",
      "O login não pode continuar. Volte para o aplicativo e peça ao administrador dele que verifique o client_id.",
    ],
    REDIRECT_URI_NOT_REGISTERED: [
      "O retorno ao aplicativo não está registrado",
      "O login não pode continuar, porque a resposta poderia chegar a outra pessoa. Volte para o aplicativo e avise o administrador dele, que pode registrar a redirect_uri.",
    ],
    CLIENT_METADATA_INVALID: [
      "A descrição do aplicativo não é válida",
      "O login não pode continuar. Peça ao administrador do aplicativo que verifique o documento no client_id.",
    ],
    CLIENT_METADATA_UNREACHABLE: [
      "Não foi possível ler a descrição do aplicativo",
      "O documento no client_id não responde no momento. Volte para o aplicativo e tente de novo daqui a pouco.",
    ],
    LOGOUT_NOT_POSSIBLE: [
      "O aplicativo enviou uma solicitação de saída incorreta",
      "Sua conta continua conectada aqui. Saia na página da sua conta e peça ao administrador do aplicativo que verifique o id_token_hint e o client_id da solicitação.",
    ],
    LOGOUT_REQUEST_INVALID: [
      "Esta solicitação de saída não é válida",
      "Ela demorou mais de dez minutos ou o endereço está incompleto. Volte para o aplicativo e saia de novo, ou saia na página da sua conta.",
    ],
    POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED: [
      "O retorno ao aplicativo não está registrado",
      "Sua conta continua conectada. Avise o administrador do aplicativo, que pode registrar a post_logout_redirect_uri.",
    ],
    AUTHORIZATION_INVALID: [
      "O aplicativo enviou uma solicitação incorreta",
      "O login não pode continuar. Volte para o aplicativo e avise o administrador dele, que encontra esta solicitação e a solução pelo ID da solicitação.",
    ],
    AUTHORIZATION_FAILED: [
      "O login não pode continuar",
      "Volte para o aplicativo e comece de novo. Se o problema se repetir, avise o administrador dele.",
    ],
    ANOTHER_ACCOUNT_REQUIRED: [
      "O aplicativo pede outra conta",
      "A conta conectada aqui não é a esperada. Use a conta que você já usou no aplicativo.",
    ],
    APPLICATION_NOT_ALLOWED: [
      "Sua conta não pode usar este aplicativo",
      "Peça acesso ao administrador do aplicativo ou use outra conta.",
    ],
    EMAIL_REQUIRED: [
      "Sua conta não tem endereço de e-mail",
      "O aplicativo exige um. Peça ao administrador da sua organização que o adicione à sua conta.",
    ],
    PASSKEY_REQUIRED: [
      "Esta chave de acesso não é suficiente",
      "O aplicativo pede uma que seja usada com a impressão digital, o rosto ou o PIN do seu dispositivo. Use outra chave de acesso.",
    ],

    SIGN_UP_NOT_ALLOWED: ["Você não pode criar uma conta aqui", "Peça um convite aos responsáveis por este serviço."],
    SIGN_UP_EXPIRED: [
      "Este link não funciona mais",
      "Ele está incompleto ou tem mais de 24 horas. Peça outro na página de login.",
    ],
    SIGN_UP_USED: [
      "Este link já foi usado",
      "Ele criou sua conta. Entre com sua chave de acesso ou peça um link aos responsáveis por este serviço.",
    ],
    SIGN_UP_USER_EXISTS: [
      "Você já tem uma conta",
      "Ela tem este endereço de e-mail. Entre com sua chave de acesso. Se você a perdeu, a página de login pode enviar um novo link por e-mail.",
    ],

    NOT_REGISTERED: [
      "Ainda não há uma conta para você aqui",
      "Ninguém aqui está vinculado à conta que você usou. Entre de outra forma e vincule-a, ou peça uma conta ao administrador.",
    ],
    USER_EXISTS_LINK_FIRST: [
      "Você já tem uma conta aqui",
      "Para sua segurança, ela não é vinculada só pelo nome ou pelo endereço de e-mail. Entre com sua chave de acesso e vincule este provedor na página da sua conta.",
    ],
    ROLES_EXCEED_PROVIDER: [
      "Sua conta não usa este provedor",
      "Ela tem mais permissões do que as pessoas que gerenciam o provedor. Entre com sua chave de acesso.",
    ],
    IDENTITY_LINKED: [
      "Esta conta já está vinculada",
      "Ela pertence a outro usuário aqui ou a você. Para mudar isso, entre com ela e desvincule-a.",
    ],
    FLOW_EXPIRED: ["Demorou demais", "Nada foi alterado. Tente de novo e termine em até dez minutos."],
    FLOW_USED: ["Esta tentativa já foi concluída", "Nada foi alterado. Comece de novo."],
    FLOW_LOST: [
      "Este login não pode continuar aqui",
      "A página foi recarregada ou você começou em outra aba ou outro navegador. Nada foi alterado. Comece de novo.",
    ],
    IDP_DENIED: [
      "O provedor não autorizou o login",
      "Você cancelou ou o provedor recusou. Tente de novo ou entre de outra forma.",
    ],
    IDP_DID_NOT_REAUTHENTICATE: [
      "O provedor não pediu que você entrasse de novo",
      "Ele continuou um login anterior. Nada foi alterado. Saia da conta no provedor e tente de novo.",
    ],
    IDP_UNREACHABLE: [
      "Não foi possível acessar o provedor",
      "Isso costuma passar em poucos minutos. Tente de novo ou entre de outra forma.",
    ],
    IDP_NOT_CONFIGURED: [
      "Você não pode entrar com este provedor",
      "Ele não está configurado para este endereço ou foi removido. Entre de outra forma ou avise o administrador.",
    ],
    IDP_DISABLED: [
      "Este provedor está desativado",
      "No momento, ninguém pode entrar com ele. Entre de outra forma ou fale com o administrador.",
    ],
    PROVIDER_NOT_VERIFIED: [
      "Não foi possível entrar",
      "Não foi possível verificar as informações do provedor. Tente de novo. Se o problema se repetir, avise o administrador.",
    ],

    NotAllowedError: [
      "Nenhuma chave de acesso foi criada",
      "A criação foi cancelada, demorou demais ou não é permitida pelo seu dispositivo. Tente de novo quando quiser.",
    ],
    InvalidStateError: [
      "Este dispositivo já tem uma chave de acesso sua",
      "Você pode entrar com a que já está nele. Para adicionar outra, use outro dispositivo, outra chave de segurança ou outro gerenciador de senhas.",
    ],
    SecurityError: [
      "Não é possível criar chaves de acesso neste endereço",
      "O endereço no navegador não é o das suas chaves de acesso. Abra esta página no endereço que você recebeu.",
    ],
    NotSupportedError: [
      "Este dispositivo não pode criar a chave de acesso necessária",
      "Use outro dispositivo, uma chave de segurança ou um gerenciador de senhas.",
    ],
    ConstraintError: [
      "Este dispositivo não pode verificar que é você",
      "Configure nele um bloqueio de tela, um PIN ou uma impressão digital, ou use outro dispositivo, e tente de novo.",
    ],
    AbortError: ["A criação da chave de acesso não foi concluída", "Algo a interrompeu. Tente de novo."],
    NO_WEBAUTHN: [
      "Este navegador não pode criar chaves de acesso",
      "Use uma versão atualizada do Chrome, Edge, Firefox ou Safari. Navegadores dentro de outros aplicativos muitas vezes não conseguem.",
    ],
    INSECURE_CONTEXT: [
      "Esta conexão não é segura",
      "Os navegadores só criam chaves de acesso em endereços seguros, que começam com https://. Abra esta página em um endereço assim.",
    ],
  },
};
