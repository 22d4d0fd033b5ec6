/** The text of the console in Brazilian Portuguese, without that of its first view. */

import type { ConsoleWords } from "../types";

export const words: ConsoleWords<"pt-BR"> = {
  add: "Adicionar",
  save: "Salvar",
  saved: "Salvo.",
  cancel: "Cancelar",
  close: "Fechar",
  discard: "Descartar alterações",
  nothingChanged: "Nada foi alterado.",
  remove: "Remover",
  removeImage: "Remover a imagem",
  image: "Uma imagem",
  look: "Prévia",
  optional: "(opcional)",
  choose: "Escolha…",
  default: "Padrão",
  nothingToChoose: "Ainda não há nada para escolher.",
  yes: "Sim",
  no: "Não",
  never: "Nunca",
  none: "Nenhum",
  once: "Copie isto agora. Não será mostrado de novo.",
  details: "Detalhes",
  settings: "Configurações",
  state: "Estado",
  created: "Criado",
  changed: "Alterado",
  search: "Pesquisar",

  "conflict.title": "Outra pessoa fez alterações",
  "conflict.text":
    "Depois que você abriu a página, estes campos foram salvos com outros valores. O que você digitou continua aqui.",
  "conflict.field": "Campo",
  "conflict.theirs": "Valor salvo",
  "conflict.mine": "Seu valor",
  "conflict.unchanged": "não alterado",
  "conflict.keepMine": "Salvar meus valores",
  "conflict.takeTheirs": "Descartar meus valores",

  "limit.required": "Digite um valor.",
  "limit.choose": "Escolha uma opção.",
  "limit.maxLength": "Digite no máximo {most} caracteres.",
  "limit.maxItems": "Digite no máximo {most} linhas.",
  "limit.range": "Digite um número de {least} a {most}.",
  "limit.number": "Digite um número inteiro.",
  "limit.pattern": "Este formato não é aceito.",
  "limit.item": "Linha {number}: {text}",
  "limit.pair": "Escreva um nome, = e um valor.",

  "field.name": "Nome",
  "field.displayName": "Nome de exibição",
  "field.userName": "Nome de usuário",
  "field.email": "Endereço de e-mail",
  "field.givenName": "Nome",
  "field.familyName": "Sobrenome",
  "field.locale": "Idioma",
  "hint.locale": "Um código de idioma, como pt-BR ou en.",
  "field.zoneinfo": "Fuso horário",
  "hint.zoneinfo": "Um nome, como America/Sao_Paulo.",
  "field.externalId": "ID em outro sistema",
  "field.keepsProfiles": "Só administradores alteram nomes e idiomas dos usuários",
  "field.allowsMailRecovery": "Recuperação por e-mail",
  "hint.allowsMailRecovery":
    "Usuários sem funções que perderam todas as chaves de acesso podem receber um link por e-mail. Nesse caso, quem tem acesso à caixa de correio deles pode entrar na conta.",

  "field.allowsMailFallback": "E-mails pela instância",
  "hint.allowsMailFallback":
    "Enquanto o servidor de e-mail da organização estiver com falha, o da instância envia os e-mails dela, com o remetente da instância.",
  "field.allowsSignUp": "Cadastro",
  "hint.allowsSignUp":
    "As pessoas se cadastram sozinhas com um link enviado para o endereço de e-mail delas. A página de login com o ID da organização, /signin/?org_id=…, oferece o cadastro.",
  "field.clientMetadataHosts": "Hosts de aplicativos que não precisam ser adicionados",
  "hint.clientMetadataHosts":
    "Um por linha, como app.example.com. Clientes MCP, por exemplo, publicam nesses hosts um documento sobre si. * vale para qualquer host.",

  "organizations.lead": "Usuários, grupos, aplicativos e provedores de identidade pertencem a uma organização.",
  "organizations.add": "Adicionar organização",
  "organizations.default": "Organização padrão",
  "organizations.none": "Não há organizações.",
  "organizations.open": "Abrir",
  "organizations.openOne": "Abrir {name}",
  brand: "Marca",
  "brand.lead": "As páginas a mostram às pessoas desta organização. Campos vazios têm o valor da instância.",
  "brand.instance": "Marca da instância",
  "brand.instanceLead":
    "As páginas a mostram quando a organização não é conhecida. E-mails e janelas de chaves de acesso mostram o nome.",
  "field.color": "Cor",
  "hint.color": "Dos botões e links, como #1a3c6e. Um texto branco sobre ela precisa ser legível.",
  "field.supportAddress": "Endereço de e-mail do suporte",
  "hint.supportAddress": "As páginas o mostram a quem não consegue entrar.",

  removeOne: "Remover {name}",
  removed: "Removido: {name}.",
  role: "Função",
  idp: "Provedor de identidade",
  "role.1": "Tudo, em todas as organizações",
  "role.2": "Tudo nesta organização",
  "role.3": "Usuários e chaves de acesso desta organização",
  "role.4": "Verifica sessões: para um serviço",
  "role.5": "Aplicativos desta organização",
  "role.6": "Consulta se solicitações a aplicativos são permitidas: para um proxy",
  "role.7": "Lê tudo desta organização",
  "role.8": "Ajuda os usuários desta organização: bloqueios, sessões e links de registro",
  "count.sessions": { one: "{count} sessão", other: "{count} sessões" },
  "count.tokens": { one: "{count} token", other: "{count} tokens" },
  "count.passkeys": { one: "{count} chave de acesso", other: "{count} chaves de acesso" },

  "users.add": "Adicionar usuário",
  "users.addLead": "O usuário poderá entrar quando tiver uma chave de acesso: crie um link para ela na próxima página.",
  "users.query": "Nome, endereço de e-mail ou ID",
  "users.onDomain": "{moved} de {users} usuários com uma chave de acesso de um domínio anterior têm uma de {domain}.",
  "users.toUnmoved": "Ver quem não tem",
  "users.unmoved": "Só chaves de acesso de domínios anteriores",
  "users.unmovedLead":
    "Estes usuários de todas as organizações não têm uma chave de acesso do domínio atual. Quando as anteriores deixarem de funcionar, eles só poderão entrar com um provedor de identidade ou com um novo link de registro.",
  "users.allMoved": "Todos têm uma chave de acesso do domínio atual.",
  "users.none": "Esta organização não tem usuários.",
  "users.noneFound": "Ninguém foi encontrado.",
  "users.moved": "{some} de {all} pessoas têm uma chave de acesso.",

  invite: "Convidar pessoas",
  "invite.lead":
    "Cada pessoa se torna um usuário desta organização e recebe um e-mail com um link que adiciona uma chave de acesso.",
  "invite.people": "Pessoas",
  "invite.addresses": "Endereços de e-mail ou uma tabela",
  "invite.addressesHint":
    "Cole endereços, com ou sem nomes, ou células de uma planilha. Você também pode soltar um arquivo aqui.",
  "invite.rest": "Nenhum endereço foi encontrado em: {text}",
  "invite.file": "Ou um arquivo CSV",
  "invite.fileHint": "Com uma linha de nomes de colunas, como Nome, E-mail e Grupos.",
  "invite.persons": { one: "{count} pessoa", other: "{count} pessoas" },
  "invite.columns": "Confira o significado de cada coluna. Vários grupos em uma célula são separados por vírgulas.",
  "invite.column": "Coluna {number}: {name}",
  // Names of columns of spreadsheets in this language, in small letters without spaces and other characters. English is known.
  "columns.email": "enderecodeemail endereçodeemail correio correioeletrônico endereço endereco",
  "columns.userName": "nomedeusuário nomedeusuario usuário usuario login",
  "columns.displayName": "nomedeexibição nomedeexibicao nomecompleto nome",
  "columns.givenName": "primeironome prenome",
  "columns.familyName": "sobrenome últimonome ultimonome",
  "columns.locale": "idioma língua lingua idiomapreferido",
  "columns.externalId": "matrícula matricula idexterno códigodofuncionário",
  "columns.groups": "grupos grupo departamento departamentos setor",
  "invite.ignored": "Ignorar",
  "invite.preview": "As primeiras pessoas da lista",
  "invite.further": { one: "e mais {count}", other: "e mais {count}" },
  "invite.choices": "Grupos e função",
  "invite.choicesLead": "Para todas as pessoas da lista.",
  "invite.noRole": "Sem função",
  "invite.check": "Verificar a lista",
  "invite.checking": "Verificando a lista",
  "invite.importing": "Adicionando usuários",
  "invite.granting": "Concedendo a função",
  "invite.sending": "Enviando convites",
  "invite.good": { one: "{count} pessoa pode ser convidada.", other: "{count} pessoas podem ser convidadas." },
  "invite.send": { one: "Convidar {count} pessoa", other: "Convidar {count} pessoas" },
  "invite.refused": {
    one: "{count} pessoa não pode ser convidada",
    other: "{count} pessoas não podem ser convidadas",
  },
  "invite.refusedShown": "As primeiras {count} são mostradas. O arquivo contém todas.",
  "invite.problem": "Problema",
  "invite.noAddress": "A linha não tem endereço de e-mail.",
  "invite.download": "Baixar como CSV",
  "invite.invited": { one: "{count} pessoa recebe um convite.", other: "{count} pessoas recebem um convite." },
  "invite.before": {
    one: "{count} pessoa recebeu um convite nos últimos 7 dias.",
    other: "{count} pessoas receberam um convite nos últimos 7 dias.",
  },
  "invite.has": {
    one: "{count} pessoa já tem uma chave de acesso.",
    other: "{count} pessoas já têm uma chave de acesso.",
  },
  "invite.others": "Pessoas que já estão aqui",
  "invite.othersLead":
    "Convida todos os usuários sem chave de acesso, exceto os que receberam um convite nos últimos 7 dias.",
  "invite.remind": "Convidar quem não tem chave de acesso",
  "users.all": "Todos",
  "users.active": "Ativo",
  "users.invited": "Convidado, ainda não aceitou",
  "users.role": "Função",
  "users.anyRole": "Com alguma função",
  "users.lastSignIn": "Último login",
  "users.never": "Nunca",
  "users.notFor": "Há mais de {days} dias",
  "users.order": "Ordem",
  "users.byId": "Por ID",
  "users.newest": "Mais novos primeiro",
  "users.latestSignIn": "Login mais recente primeiro",
  "users.earliestSignIn": "Login mais antigo primeiro",
  "users.latestInvitation": "Convite mais recente primeiro",
  "users.select": "Selecionar {name}",
  "users.selectAll": "Selecionar todos os mostrados",
  "users.selection": "Usuários selecionados",
  "users.total": "Usuários: {total}",
  "users.selected": { one: "{count} selecionado", other: "{count} selecionados" },
  "users.addToGroup": "Adicionar a um grupo",
  "users.group": "Grupo",
  "users.noGroups": "Esta organização não tem grupos.",
  "users.remove": "Remover",
  "users.askToLock": { one: "Bloquear {count} usuário?", other: "Bloquear {count} usuários?" },
  "users.askToUnlock": { one: "Desbloquear {count} usuário?", other: "Desbloquear {count} usuários?" },
  "users.askToRemove": { one: "Remover {count} usuário?", other: "Remover {count} usuários?" },
  "users.ok": { one: "Vale para {count} usuário.", other: "Vale para {count} usuários." },
  "users.added": { one: "{count} usuário é membro do grupo.", other: "{count} usuários são membros do grupo." },
  "users.moreRefused": { one: "Mais {count} foi recusado.", other: "Mais {count} foram recusados." },
  "users.done": "Concluído.",
  export: "Exportar como CSV",
  exported: { one: "{count} linha foi exportada.", other: "{count} linhas foram exportadas." },

  "sessions.lead":
    "Onde as pessoas da organização estão conectadas. Uma sessão encerrada é desconectada de todos os aplicativos.",
  "sessions.query": "Nome, dispositivo, endereço IP ou ID",
  "sessions.method": "Forma de login",
  "sessions.user": "Usuário",
  "sessions.none": "Ninguém está conectado.",
  "sessions.noneFound": "Nenhuma sessão foi encontrada.",
  "sessions.again": "Recarregar",
  "sessions.endOne": "Encerrar a sessão de {name}: {device}",
  "sessions.endAll": "Encerrar todas",
  "sessions.endAllOf": "Encerrar todas as sessões de {name}",
  "sessions.endAllTitle": "Encerrar todas as sessões de {name}?",
  "value.SIGN_IN_METHOD_PASSKEY": "Chave de acesso",
  "value.SIGN_IN_METHOD_IDP": "Provedor de identidade",

  "user.details": "Detalhes",
  "user.security": "Credenciais",
  "user.sessions": "Sessões",
  "user.access": "Acesso",
  "user.events": "Linha do tempo",
  "user.remove": "Remover o usuário",
  "user.removeLead": "Encerra todas as formas de login do usuário. Isto não pode ser desfeito.",
  "user.lock": "Bloquear",
  "user.lockLead":
    "Use isto se uma conta puder estar em mãos erradas ou se alguém estiver ausente. Chaves de acesso, funções e grupos são mantidos.",
  "field.reason": "Motivo",
  "hint.reason": "Só para quem gerencia usuários.",
  "user.lockTitle": "Bloquear {name}?",
  "user.lockEnds": "Encerra {sessions} e {tokens}.",
  "user.lockText":
    "A conta é desconectada dos aplicativos, os links para chaves de acesso deixam de funcionar e ninguém pode entrar como este usuário até que você o desbloqueie.",
  "user.lockDone": "{name} não pode mais entrar.",
  "user.locked": "Bloqueado",
  "user.lockedLead": "Ninguém pode entrar como este usuário. Os tokens encerrados com o bloqueio não voltam.",
  "user.lockedSince": "Desde",
  "user.unlock": "Desbloquear",
  "user.unlocked": "{name} pode entrar de novo.",
  "user.removeTitle": "Remover {name}?",
  "user.removed": "Usuário removido: {name}.",
  "user.ends": "Encerra {sessions}, {tokens} e {passkeys}.",
  "user.removeForever": "O nome de usuário fica livre de novo. Os eventos do usuário continuam no log.",
  "user.passkeys": "Chaves de acesso",
  "user.passkeysLead": "Quem tem um link de registro pode adicionar uma chave de acesso e agir como o usuário.",
  "user.formerPasskey": "do domínio anterior {domain}",
  "user.noPasskeys": "O usuário não tem chave de acesso e não pode entrar com uma.",
  "user.lastUsed": "Último uso",
  "user.createLink": "Criar um link",
  "user.mailLink": "Enviar link por e-mail",
  "user.link": "Link de registro",
  "user.linkText":
    "O usuário abre este link e adiciona uma chave de acesso. Ele funciona uma vez; os links anteriores do usuário não funcionam mais.",
  "user.linkMailed": "Um link está a caminho de {address}.",
  "user.links": "Provedores de identidade",
  "user.skipped": "Claims que não serviram",
  "user.noLinks": "O usuário não está vinculado a um provedor de identidade.",
  "user.subject": "ID no provedor",
  "user.tokens": "Tokens de acesso",
  "user.noTokens": "O usuário não tem tokens de acesso.",
  "user.createToken": "Criar um token",
  "user.tokenLead": "Um programa que tem o token age como o usuário, com todas as permissões dele.",
  "user.token": "Token de acesso",
  "field.expiresAt": "Expira",
  "hint.expiresAt": "Sem uma data, o token não expira.",
  "user.unnamed": "Sem nome",
  "user.addWorkload": "Adicionar carga de trabalho",
  "user.workloadLead":
    "Um job de CI ou um pod age como o usuário com os tokens da plataforma em que roda, com todas as permissões do usuário e sem segredo.",
  "field.audienceOfUser": "Público-alvo",
  "hint.audienceOfUser": "O valor para o qual a carga de trabalho solicita o token. Ele termina com o ID do usuário.",
  "user.certificate": "Certificado de cliente",
  "user.addCertificate": "Adicionar certificado de cliente",
  "user.certificateLead":
    "Um serviço que tem a chave do certificado age como o usuário, com todas as permissões dele. O servidor precisa pedir certificados aos clientes.",
  "field.certificate": "Certificado",
  "hint.certificate": "No formato PEM, sem a cadeia e sem a chave.",
  "user.expires": "Expira",
  "user.removePasskeyTitle": "Remover a chave de acesso {name}?",
  "user.endsSessions": { one: "Encerra {count} sessão.", other: "Encerra {count} sessões." },
  "user.lastPasskey":
    "Esta é a última chave de acesso: o usuário precisará de um novo link para entrar com uma chave de acesso.",
  "user.endsApplications": {
    one: "Encerra o acesso de {count} aplicativo.",
    other: "Encerra o acesso de {count} aplicativos.",
  },
  "user.endsTokens": { one: "Revoga {count} token do usuário.", other: "Revoga {count} tokens do usuário." },
  "user.lost": "Ela foi perdida ou roubada",
  "user.lostText": "O acesso de aplicativos e os tokens do usuário que começaram com ela também são encerrados.",
  "user.unlinkTitle": "Remover o vínculo com {name}?",
  "user.revokeTokenTitle": "Remover o token {name}?",
  "user.revokeToken": "Os programas que o usam perdem o acesso imediatamente.",
  "user.noSessions": "O usuário não está conectado em nenhum lugar.",
  "user.device": "Dispositivo",
  "user.unknownDevice": "Dispositivo desconhecido",
  "user.signedIn": "Login",
  "user.lastSeen": "Última atividade",
  "user.thisSession": "Esta sessão",
  "user.end": "Encerrar",
  "user.endOne": "Encerrar a sessão em {name}",
  "user.ended": "Encerrado.",
  "user.endAll": "Encerrar todas as sessões",
  "user.endAllTitle": "Encerrar todas as sessões?",
  "user.endAllRest":
    "Os tokens do próprio usuário e o acesso duradouro de aplicativos continuam. Encerre-os em Credenciais e Acesso.",
  "user.endAllText":
    "Os aplicativos que dependem delas encerram a sessão do usuário. As chaves de acesso são mantidas.",
  "user.rolesLead": "As funções dão permissões no próprio Keystead. Os aplicativos veem os grupos.",
  "user.hasRole": "Concedida",
  "user.grant": "Conceder",
  "user.grantOne": "Conceder {name}",
  "user.revoke": "Revogar",
  "user.revokeOne": "Revogar {name}",
  "user.grantTitle": "Conceder a função {role}?",
  "user.grantText":
    "Todas as credenciais do usuário foram verificadas: nenhuma foi criada por alguém com menos permissões.",
  "user.grantEndingTitle": "Conceder a função {role} e encerrar credenciais?",
  "user.grantEnding":
    "Pessoas com menos permissões do que esta função dá criaram tokens, chaves de acesso ou links do usuário e poderiam usá-los. Eles serão encerrados agora, com as sessões. O usuário pode precisar de um novo link de registro.",
  "user.granted": "A função foi concedida.",
  "user.revokeTitle": "Revogar a função {role}?",
  "user.revokeText":
    "O usuário perde as permissões dela imediatamente. Os links de registro que ele criou são encerrados, assim como os tokens de um serviço sem outra função.",
  "user.revoked": "A função foi revogada.",
  "user.noGroups": "O usuário não está em nenhum grupo.",
  "user.leaveOne": "Remover de {name}",
  "user.grantsLead": "Aplicativos em que o usuário entrou.",
  "user.noGrants": "O usuário não usa nenhum aplicativo.",
  "user.narrowGrant": "Alterar",
  "user.narrowGrantOne": "Alterar o acesso de {name}",
  "user.narrowGrantTitle": "Alterar o acesso de {name}",
  "user.narrowGrantText":
    "Em alguns minutos, o aplicativo perde os escopos que você desmarcar. Ele mantém os dados que já leu e pode pedir o acesso ao usuário de novo.",
  "user.narrowedGrant": "O acesso de {name} foi alterado.",
  "user.revokeGrantTitle": "Encerrar o acesso de {name}?",
  "user.revokeGrantText": "O aplicativo é desconectado desta conta e pedirá o acesso de novo no próximo login.",

  "groups.lead": "Os aplicativos veem os grupos dos usuários e podem admitir somente os membros de alguns deles.",
  "groups.add": "Adicionar grupo",
  "groups.none": "Esta organização não tem grupos.",
  "groups.members": "Membros",
  "groups.noMembers": "O grupo não tem membros.",
  "groups.source": "Origem",
  "groups.ofProvider": "Provedor de identidade",
  "groups.since": "Desde",
  "groups.addMember": "Adicionar membro",
  "groups.added": "Adicionado: {name}.",
  "groups.remove": "Remover o grupo",
  "groups.removeTitle": "Remover o grupo {name}?",
  "groups.removeText": "Participações encerradas: {count}. Os usuários são mantidos.",
  "groups.removeApplications": "Os aplicativos que admitem só este grupo deixam de admitir qualquer pessoa.",
  "groups.manyMembers": "mais de 200",

  secret: "Segredo",
  clientId: "ID do cliente",
  connect: "Integrar",
  "connect.lead":
    "Uma biblioteca OpenID Connect precisa do emissor e do ID do cliente; aplicativos com servidor também precisam de um segredo.",
  "connect.issuer": "Emissor",
  "connect.discovery": "Documento de descoberta",
  "connect.check": "Consulta por HTTP",
  "connect.checkOverGrpc": "Consulta por gRPC",
  "connect.token": "Token do proxy",
  "connect.gateLead": "O proxy consulta o Keystead sobre cada solicitação e só repassa as de pessoas admitidas.",
  test: "Teste",
  "test.run": "Executar o teste",
  "test.succeeded": "Todas as etapas foram concluídas.",
  "test.failed": "Uma etapa falhou.",
  "step.resolve": "Resolver o nome",
  "step.connect": "Conectar",
  "step.greeting": "Saudação",
  "step.tls": "Criptografia",
  "step.token": "Token de acesso",
  "step.auth": "Autenticação no servidor",
  "step.sender": "Remetente",
  "step.message": "Mensagem de teste",
  "step.discovery": "Documento de descoberta",
  "step.keys": "Chaves",
  "step.client": "ID do cliente e segredo",
  "step.answer": "Resposta",

  "field.kind": "Tipo",
  "value.APPLICATION_KIND_WEB": "Aplicativo web com servidor",
  "value.APPLICATION_KIND_BROWSER": "Aplicativo no navegador",
  "value.APPLICATION_KIND_NATIVE": "App em um dispositivo",
  "value.APPLICATION_KIND_SERVICE": "Serviço sem usuários",
  "value.APPLICATION_KIND_GATE": "Atrás de um proxy",
  "value.APPLICATION_KIND_RESOURCE": "API para outros aplicativos",
  "hint.kind": "Não pode ser alterado depois.",
  "field.logo": "Logotipo",
  "hint.logo": "PNG, JPEG ou WebP de no máximo 32 KiB.",
  "field.redirectUris": "URIs de redirecionamento",
  "hint.redirectUris": "Uma por linha. Elas são comparadas caractere por caractere.",
  "field.postLogoutRedirectUris": "URIs de redirecionamento após a saída",
  "hint.postLogoutRedirectUris": "Uma por linha.",
  "field.backchannelLogoutUri": "URI de logout por back-channel",
  "hint.backchannelLogoutUri": "É avisada quando uma sessão termina.",
  "field.origins": "Origens",
  "hint.origins": "Uma por linha, como https://app.example.com.",
  "field.allowsHttp": "Permitir http:// em nomes e endereços privados",
  "hint.allowsHttp": "Qualquer pessoa nessa rede pode ler o que o navegador traz de volta.",
  "field.identifier": "Identificador",
  "hint.identifier": "O aud dos tokens de acesso: a URL da API ou um nome.",
  "field.scopes": "Escopos",
  "hint.scopes": "Um por linha.",
  "field.firstParty": "Pertence a esta organização",
  "hint.firstParty": "O consentimento das pessoas não é pedido.",
  "field.audience": "Quem pode usar",
  "value.APPLICATION_AUDIENCE_UNSPECIFIED": "Usuários desta organização (padrão)",
  "value.APPLICATION_AUDIENCE_ORGANIZATION": "Usuários desta organização",
  "value.APPLICATION_AUDIENCE_ALL": "Usuários de todas as organizações",
  "field.admitsGroupsOnly": "Só membros de alguns grupos",
  "field.allowedGroups": "Grupos admitidos",
  "hint.allowedGroups": "Se nenhum for escolhido, ninguém poderá usá-lo.",
  "field.tokenEndpointAuthMethod": "Autenticação do cliente",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_NONE": "Nenhuma",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_BASIC": "Segredo, no cabeçalho (client_secret_basic)",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_POST": "Segredo, no corpo (client_secret_post)",
  "value.TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT": "Chave privada (private_key_jwt)",
  "field.jwksUri": "URL das chaves públicas",
  "field.jwks": "Chaves públicas",
  "hint.jwks": "Um JWK Set, em vez de uma URL.",
  "field.pkce": "Proteção dos códigos",
  "value.APPLICATION_PKCE_UNSPECIFIED": "PKCE ou um nonce (padrão)",
  "value.APPLICATION_PKCE_REQUIRED": "PKCE",
  "value.APPLICATION_PKCE_PKCE_OR_NONCE": "PKCE ou um nonce",
  "value.APPLICATION_PKCE_NONE": "Nenhum dos dois",
  "field.requiresEmail": "Recusa usuários sem endereço de e-mail",
  "hint.pkce": "Alguns programas não enviam nenhum dos dois. O que um programa envia é verificado em todos os casos.",
  "field.requiresPushedAuthorizationRequests": "Exige solicitações de autorização por PAR (RFC 9126)",
  "field.idTokenAlg": "Assinatura dos tokens de ID",
  "value.ID_TOKEN_ALG_UNSPECIFIED": "RS256 (padrão)",
  "value.ID_TOKEN_ALG_RS256": "RS256",
  "value.ID_TOKEN_ALG_ES256": "ES256",
  "field.omitsIdTokenClaims": "Tokens de ID sem nome, endereço de e-mail e grupos",
  "field.accessTokenTyp": "Tipo dos tokens de acesso (typ)",
  "value.ACCESS_TOKEN_TYP_UNSPECIFIED": "at+jwt (padrão)",
  "value.ACCESS_TOKEN_TYP_AT_JWT": "at+jwt",
  "value.ACCESS_TOKEN_TYP_JWT": "JWT",
  "field.accessTokenLifetimeSeconds": "Validade dos tokens de acesso, em segundos",
  "hint.accessTokenLifetimeSeconds": "De 60 a 3600.",
  "field.refreshTokenLifetimeSeconds": "Tempo máximo sem um novo login, em segundos",
  "field.refreshTokenIdleSeconds": "Tempo até um token de atualização não usado expirar, em segundos",

  "applications.lead": "Programas em que as pessoas entram com o Keystead e serviços sem usuários.",
  "applications.add": "Adicionar aplicativo",
  "applications.addLead": "Todo o resto tem um valor padrão e pode ser alterado depois.",
  "applications.software": "Qual software?",
  "applications.otherSoftware": "Outro programa",
  // TRANSLATE
  "applications.otherSoftwareLead": "Any client of OpenID Connect or OAuth 2.0, an API, or a site behind the gate.",
  // TRANSLATE
  "gallery.another": "Choose another",
  // TRANSLATE
  "gallery.none": "None has these words in its name.",
  "applications.host": "Host do programa",
  "applications.hostLead":
    "Digite o host do programa. Na sua própria máquina, é uma origem, como http://localhost:3000.",
  "applications.softwareSettings": "Configurações de {name}",
  "applications.softwareLead": "Crie um segredo e coloque-o no lugar de CLIENT_SECRET.",
  "applications.none": "Esta organização não tem aplicativos.",
  "applications.chosen": "Se ele vem de outro provedor",
  "field.applicationId": "ID do cliente",
  "hint.applicationId": "Só se o programa mantiver o que já tem. Não pode ser alterado depois.",
  "pattern.applicationId": "Use só A-Z, a-z, 0-9 e ._~-.",
  "field.secret": "Segredo",
  "hint.secret":
    "Só se o programa mantiver o que já tem: pelo menos 32 dígitos hexadecimais ou algo igualmente difícil de adivinhar.",
  "pattern.secret": "Use caracteres ASCII imprimíveis, sem espaços e sem %.",
  "applications.people": "Pessoas",
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
  "field.gateJwtHeader": "Cabeçalho com o JWT",
  "value.GATE_JWT_HEADER_UNSPECIFIED": "authorization (padrão)",
  "value.GATE_JWT_HEADER_AUTHORIZATION": "authorization",
  "value.GATE_JWT_HEADER_X_KEYSTEAD_JWT": "x-keystead-jwt",
  "field.gateIdentityHeaders": "Cabeçalhos com o usuário, o endereço de e-mail e os grupos dele",
  workloads: "Cargas de trabalho",
  "workloads.lead":
    "Jobs de um sistema de CI ou pods de um cluster obtêm tokens como este aplicativo com os tokens do emissor deles, sem segredo.",
  resourceScopes: "Escopos",
  "resourceScopes.lead":
    "O que os aplicativos podem pedir aos usuários. Os usuários concedem o que os grupos deles permitem.",
  "resourceScopes.add": "Adicionar escopo",
  "resourceScopes.oneLead":
    "Os aplicativos o solicitam pelo nome: se você o alterar, altere-o neles também. O acesso será pedido aos usuários de novo.",
  "resourceScopes.none": "A API não tem escopos: um token é suficiente.",
  "resourceScopes.removeTitle": "Remover o escopo {name}?",
  "resourceScopes.remove": "Novos tokens não o terão. Os que já existem o mantêm até expirarem.",
  "field.resourceScopes.name": "Nome",
  "field.resourceScopes.description": "Descrição",
  "hint.resourceScopes.description": "O que ele permite, para quem receber o pedido.",
  "field.resourceScopes.allowedGroups": "Grupos que podem concedê-lo",
  "hint.resourceScopes.allowedGroups": "Se nenhum for escolhido, todos.",
  "connect.apiLead": "A API verifica os tokens de acesso com estas chaves ou consulta por introspecção.",
  "connect.keys": "Chaves",
  "connect.introspection": "Introspecção",
  "workloads.add": "Adicionar cargas de trabalho",
  "workloads.none": "Nenhuma carga de trabalho é admitida.",
  "workloads.removeTitle": "Remover as cargas de trabalho {name}?",
  "workloads.remove": "Elas não recebem mais tokens. Os que elas têm continuam válidos até expirarem.",
  "field.workloads.issuer": "Emissor",
  "hint.workloads.issuer": "Exatamente como na claim iss, por exemplo https://token.actions.githubusercontent.com.",
  "field.workloads.audience": "Público-alvo",
  "hint.workloads.audience": "Um valor que a claim aud precisa conter, como o endereço deste servidor.",
  "field.workloads.subject": "Sujeito",
  "hint.workloads.subject":
    "A claim sub, como repo:example/shop:ref:refs/heads/main. Um * no final vale por quaisquer caracteres.",
  "field.workloads.claims": "Outras claims",
  "hint.workloads.claims": "Uma por linha, como repository_owner_id=4711.",
  application: "Aplicativo",
  requestId: "ID da solicitação",
  refusals: "Recusas recentes",
  "refusals.lead":
    "Dos últimos sete dias. Qualquer pessoa pode enviar uma solicitação com o ID do cliente de um aplicativo.",
  "refusals.none": "Nenhuma solicitação deste aplicativo foi recusada.",
  "refusals.notFound": "Nenhuma solicitação recusada de um aplicativo desta organização tem este ID.",
  "refusals.search": "Encontrar uma solicitação recusada",
  "refusals.remedy": "Solução",
  "refusals.mend": "Alterar a configuração…",
  "refusals.mendTitle": "Alterar o aplicativo?",
  "refusals.set": "Alterar",
  "refusals.mended": "O aplicativo foi alterado.",
  "refusals.weakens": "Isto torna o aplicativo menos rigoroso. Faça isto só se o programa não puder ser alterado.",
  "refusals.anybody": "Qualquer pessoa pode ter enviado este valor. Adicione-o só se ele for do aplicativo.",
  "user.withoutEmail": "Sem um endereço de e-mail, os aplicativos que exigem um recusam este usuário.",
  "applications.secrets": "Segredos",
  "applications.secretsLead":
    "Para substituir um segredo, crie um novo, informe-o ao aplicativo e depois remova o antigo.",
  "applications.noSecrets": "O aplicativo não tem segredos.",
  "applications.createSecret": "Criar um segredo",
  "applications.removeSecretTitle": "Remover o segredo?",
  "applications.removeSecret": "O aplicativo não pode mais usá-lo; os outros segredos continuam funcionando.",
  "applications.lastSecret": "É o único: o aplicativo não recebe tokens até ter outro.",
  "applications.remove": "Remover o aplicativo",
  "applications.removeTitle": "Remover o aplicativo {name}?",
  "applications.removeText":
    "Ninguém mais pode entrar nele com o Keystead, e os tokens de atualização dele são encerrados.",
  "applications.endsSecrets": { one: "Encerra {count} segredo.", other: "Encerra {count} segredos." },

  "field.stylingType": "Aparência do botão",
  "value.STYLING_TYPE_UNSPECIFIED": "Como a página",
  "value.STYLING_TYPE_PROVIDER": "Como o provedor define",
  "idps.button": "Botão de login",
  "idps.buttonLead": "As cores e o logotipo são usados se a aparência do botão for: como o provedor define.",
  "field.backgroundColor": "Cor do fundo",
  "field.textColor": "Cor do texto",
  "hint.backgroundColor": "Como #1a3c6e. Sem as duas cores, o botão tem as da página.",
  "hint.textColor": "Como #ffffff. Precisa ser legível sobre o fundo.",
  "field.autoRegister": "Cadastra novas pessoas",
  "hint.autoRegister": "Um usuário é criado para quem entra com o provedor pela primeira vez.",
  "field.isDisabled": "Desativado",
  "hint.isDisabled":
    "Ninguém pode entrar com ele. As sessões iniciadas com ele são encerradas; os vínculos dos usuários são mantidos.",
  "idps.off": "Desativado",
  "idps.isOff": "Este provedor está desativado: ninguém pode entrar com ele.",
  mappings: "Mapeamento de claims",
  "mappings.lead":
    "Valores que os usuários recebem de claims do provedor. Uma claim que não serve é ignorada, e a página do usuário informa isso.",
  "mappings.add": "Adicionar claim",
  "mappings.none": "Nenhuma claim é mapeada.",
  "mappings.goneGroup": "um grupo removido",
  "field.mappings.claim": "Claim",
  "hint.mappings.claim": "O nome dela. Pontos levam para dentro de objetos, como realm_access.roles.",
  "field.mappings.attribute": "Torna-se",
  "hint.mappings.attribute":
    "display_name, given_name, family_name, locale, zoneinfo, external_id, email, groups ou o nome de um atributo.",
  "field.mappings.when": "Quando",
  "value.IDP_MAPPING_TIME_FIRST_SIGN_IN": "No primeiro login",
  "value.IDP_MAPPING_TIME_EVERY_SIGN_IN": "A cada login",
  "field.mappings.groups": "Grupos por valores da claim",
  "hint.mappings.groups": "Um por linha, como 0d6bd6a0-7a0b=engineers. Sem nenhum, os valores são nomes de grupos.",
  "field.issuer": "Emissor",
  "hint.issuer": "Exatamente como no documento de descoberta do provedor.",
  "pattern.issuer": "Digite um endereço que comece com https://.",
  "field.clientId": "ID do cliente",
  "field.clientSecret": "Segredo do cliente",
  // TRANSLATE
  "field.newClientSecret": "Client secret",
  "hint.clientSecret": "Deixe em branco para manter o que está salvo.",
  "field.autoRegisterMailDomains": "Domínios de e-mail de novas pessoas",
  "hint.autoRegisterMailDomains": "Um por linha. Só pessoas com um endereço verificado de um deles são cadastradas.",
  "field.autoRegisterHostedDomains": "Organizações do Google de novas pessoas",
  "hint.autoRegisterHostedDomains": "Um domínio por linha. Só pessoas de uma dessas organizações (hd) são cadastradas.",
  "field.updateNameAtSignIn": "Atualiza nomes",
  "hint.updateNameAtSignIn": "A cada login, o nome de exibição passa a ser o do provedor.",
  "field.updateEmailAtSignIn": "Atualiza endereços de e-mail",
  "hint.updateEmailAtSignIn": "A cada login, o endereço de e-mail passa a ser o do provedor, se estiver verificado.",
  "idps.lead": "As pessoas desta organização podem entrar com eles.",
  "idps.add": "Adicionar provedor de identidade",
  "idps.addLead": "A próxima página mostra o endereço a registrar no provedor e pede as configurações dele.",
  "idps.none": "Esta organização não tem provedores de identidade.",
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
  "idps.callback": "URI de redirecionamento",
  "idps.callbackLead": "Registre esta URI de redirecionamento no provedor.",
  "idps.admitsAnybody":
    "Qualquer pessoa pode criar uma conta neste provedor e será cadastrada aqui. Limite os domínios de novas pessoas.",
  "idps.noOidc": "Ele ainda não tem configurações do OpenID Connect.",
  "idps.secretStored": "Um segredo do cliente está salvo.",
  "idps.testLead": "Lê o documento de descoberta e as chaves e verifica o cliente, como um login faz.",
  "idps.remove": "Remover o provedor",
  "idps.removeTitle": "Remover o provedor {name}?",
  "idps.removeLinks": "Os vínculos dos usuários com ele são removidos.",
  "idps.removeSessions": "As sessões iniciadas com ele são encerradas.",
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

  "field.senderAddress": "Endereço do remetente",
  "field.senderName": "Nome do remetente",
  "field.host": "Servidor de e-mail",
  "hint.host": "Com a porta, como smtp.example.com:587.",
  "pattern.host": "Digite um servidor e uma porta, como smtp.example.com:587.",
  "field.tls": "Exige criptografia",
  "field.user": "Usuário do servidor de e-mail",
  "field.password": "Senha",
  "hint.password": "Deixe em branco para manter a que está salva.",
  "mail.lead": "O servidor com que esta instância envia e-mails, para todas as organizações.",
  "mail.leadOwn": "E-mails para as pessoas desta organização e o servidor próprio que ela pode ter.",
  "mail.setUp": "Configurar o e-mail",
  "mail.setUpLead": "Sem isto, os links de registro não podem ser enviados por e-mail.",
  "mail.passwordStored": "Uma senha está salva.",
  "mail.templates": "Modelos",
  "mail.templatesLead": "Cada tipo de e-mail como as pessoas o recebem, com exemplos no lugar de nomes e links.",
  "mail.plainText": "Texto simples",
  "mail.outbox": "Caixa de saída",
  "mail.receiver": "Enviar uma mensagem de teste para",
  "mail.testLead": "Testa as configurações salvas etapa por etapa.",
  "mail.remove": "Remover as configurações",
  "mail.removeTitle": "Remover as configurações de e-mail?",
  "mail.removeText":
    "Os e-mails esperam até que uma nova configuração seja feita e falham após dois dias. A senha salva é apagada.",
  "mail.own": "Servidor de e-mail da organização",
  "mail.ownLead":
    "Com ele, os e-mails para os usuários dela vêm deste servidor e deste remetente. Sem ele, vêm dos da instância.",
  "mail.testOwn": "Teste do servidor de e-mail",
  "mail.removeOwnText": "Os e-mails passam a ser enviados pelo servidor da instância. A senha salva é apagada.",
  "mail.show": "Mostrar",
  "mail.showOne": "Mostrar o e-mail para {address}",
  "mail.captured": "E-mail capturado",
  "mail.capturedLead": "Ele foi guardado em vez de ser entregue. Os links dele funcionam, mas não nesta visualização.",
  "mail.removed": "As configurações foram removidas.",
  "field.preset": "Provedor",
  "value.SMTP_TOKEN_PRESET_UNSPECIFIED": "Outro",
  "value.SMTP_TOKEN_PRESET_MICROSOFT": "Microsoft 365",
  "value.SMTP_TOKEN_PRESET_GOOGLE": "Google",
  "field.tenant": "Locatário",
  "hint.tenant": "O ID dele ou um domínio, como contoso.com.",
  "field.tokenEndpoint": "Endpoint de tokens",
  "field.mailScope": "Escopo",
  "field.mailClientId": "ID do cliente",
  "hint.mailClientId": "ID do aplicativo (cliente) na Microsoft. Em branco para uma conta de serviço.",
  "field.mailbox": "Caixa de correio que envia",
  "hint.mailbox": "Se for diferente do usuário do servidor de e-mail.",
  "field.mailClientSecret": "Segredo do cliente",
  "hint.mailClientSecret":
    "Informe um único segredo: este, uma chave ou um token. Deixe tudo em branco para manter o que está salvo.",
  "field.privateKey": "Chave privada",
  "hint.privateKey": "Em PEM, com o certificado dela no caso da Microsoft.",
  "field.serviceAccountKey": "Chave de uma conta de serviço",
  "hint.serviceAccountKey": "O conteúdo do arquivo JSON do Google.",
  "field.refreshToken": "Token de atualização",
  "mail.oauth": "OAuth",
  "mail.oauthLead": "A Microsoft e o Google aceitam tokens de acesso em vez de uma senha.",
  "mail.oauthSet": "Os e-mails são enviados com tokens de acesso. Um segredo está salvo.",
  "mail.removeOAuth": "Remover o OAuth",
  "mail.removeOAuthTitle": "Remover o OAuth?",
  "mail.removeOAuthText":
    "Os e-mails voltam a ser enviados com a senha salva ou sem autenticação. O segredo salvo é apagado.",
  "mail.kind": "E-mail",
  "mail.route": "Servidor",
  "mailRoute.1": "Instância",
  "mailRoute.2": "Organização",
  "mailRoute.3": "Instância, no lugar da organização",
  "mailRoute.4": "Nenhum: capturado",
  "mail.none": "Não há e-mails deste tipo.",
  "delivery.retry": "Tentar de novo",
  "mail.retryOne": "Tentar de novo o e-mail para {address}",
  "delivery.retried": "A próxima tentativa começa agora.",
  "delivery.failures": { one: "{count} tentativa falhou", other: "{count} tentativas falharam" },
  "deliveryState.1": "Aguardando",
  "deliveryState.2": "Enviado",
  "deliveryState.3": "Falhou",
  "deliveryState.4": "Cancelado",
  "push.lead": "Os webhooks avisam outros sistemas sobre os eventos desta organização.",
  "push.add": "Adicionar webhook",
  "push.addLead": "Os eventos são enviados a partir de agora, cada um até que o destino o aceite, por até três dias.",
  "push.none": "Não há webhooks.",
  "push.subscriptions": "Webhooks",
  "push.deliveries": "Entregas",
  "push.noDeliveries": "Não há entregas deste tipo.",
  "push.event": "Evento",
  "push.webhook": "Webhook",
  "push.logout": "Saída de um aplicativo",
  "push.retryOne": "Tentar de novo a entrega {id}",
  "push.testLead": "Envia um evento de teste ao destino, etapa por etapa.",
  "push.key": "Chave do webhook",
  "push.keyLead": "Com ela, o destino verifica que os eventos vêm daqui.",
  "push.secrets": "Chaves",
  "push.secretsLead": "Para substituir uma chave, crie uma segunda, informe-a ao destino e depois remova a primeira.",
  "push.publicKey": "Chave pública",
  "push.createSecret": "Criar: {kind}",
  "push.removeSecretTitle": "Remover a chave?",
  "push.removeSecret": "Os eventos não são mais assinados com ela.",
  "push.remove": "Remover o webhook",
  "push.removeTitle": "Remover o webhook {name}?",
  "push.removeText": "As entregas que aguardam são canceladas.",
  "field.url": "URL",
  "hint.url": "Começa com https://.",
  "field.eventTypes": "Eventos",
  "hint.eventTypes": "Um tipo por linha, como user.added. Sem nenhum, todos os eventos são enviados.",
  "value.SECRET_KIND_HMAC": "Segredo compartilhado (HMAC)",
  "value.SECRET_KIND_ED25519": "Par de chaves (Ed25519)",
  "mailKind.passkey_registration_link": "Link de registro",
  "mailKind.passkey_recovery_link": "Link de recuperação",
  "mailKind.passkey_invitation": "Convite",
  "mailKind.sign_up_link": "Link de cadastro",
  // TRANSLATE
  "mailKind.email_change_link": "Link to a new address",
  // TRANSLATE
  "mailKind.email_change_requested": "Notice of a requested address",
  "mailKind.passkey_added": "Aviso de nova chave de acesso",
  "mailKind.email_changed": "Aviso de novo endereço",
  "mailKind.account_recovered": "Aviso de recuperação",
  "mailKind.idp_linked": "Aviso de novo vínculo",
  "mailKind.idp_unlinked": "Aviso de vínculo removido",
  "mailKind.token_created": "Aviso de novo token de acesso",

  "attributes.lead":
    "Valores que cada usuário pode ter, como um departamento. As claims dos aplicativos podem enviá-los.",
  "attributes.add": "Adicionar atributo",
  "attributes.addLead": "O nome e o tipo não mudam; o nome de exibição pode mudar.",
  "attributes.none": "Nenhum atributo foi declarado.",
  "attributes.type": "Tipo",
  "attributes.remove": "Remover o atributo",
  "attributes.removeTitle": "Remover o atributo {name}?",
  "attributes.removeText": "Todos os usuários perdem os valores dele.",
  "attributes.removeClaims": "Os aplicativos não recebem mais as claims feitas com ele.",
  "field.attributes.name": "Nome",
  "hint.attributes.name": "No máximo 64 letras, dígitos, pontos, hifens e sublinhados. É usado por programas.",
  "field.attributes.type": "Tipo",
  "field.attributes.userAccess": "Acesso dos usuários ao próprio valor",
  "value.ATTRIBUTE_TYPE_TEXT": "Texto",
  "value.ATTRIBUTE_TYPE_NUMBER": "Número",
  "value.ATTRIBUTE_TYPE_BOOLEAN": "Sim ou não",
  "value.ATTRIBUTE_TYPE_TEXT_LIST": "Lista de textos",
  "value.ATTRIBUTE_ACCESS_NONE": "Nenhum",
  "value.ATTRIBUTE_ACCESS_READ": "Ler",
  "value.ATTRIBUTE_ACCESS_WRITE": "Ler e alterar",
  "field.picture": "Foto",
  "hint.picture": "O centro de uma imagem.",
  "user.emailState": "Endereço de e-mail verificado",
  // TRANSLATE
  "user.emailChange": "Mail address that the user requested",
  // TRANSLATE
  "user.emailChangeUntil": "to be confirmed by",
  "emailVerification.UNSPECIFIED": "Não",
  "emailVerification.LINK": "Por um link que foi aberto",
  "emailVerification.PROVIDER": "Por um provedor de identidade",
  "emailVerification.IMPORT": "Por uma importação",
  "emailVerification.ADMINISTRATOR": "Por um administrador",
  claims: "Outras claims",
  "claims.lead": "Claims do token de ID e do userinfo com um atributo do usuário ou um texto fixo, no máximo 20.",
  "claims.add": "Adicionar claim",
  "claims.none": "Há só as claims dos escopos concedidos.",
  "claims.removeTitle": "Remover a claim {name}?",
  "claims.remove": "O aplicativo não a recebe mais.",
  "claims.value": "Valor",
  "field.claims.name": "Nome da claim",
  "field.claims.attribute": "Atributo",
  "hint.claims.attribute":
    "Nome de um atributo ou um campo dos usuários: user_name, display_name, given_name, family_name, locale, zoneinfo ou external_id.",
  "field.claims.text": "Texto fixo",
  "hint.claims.text": "Em vez de um atributo.",
  "field.claims.target": "Onde",
  "value.CLAIM_TARGET_BOTH": "Token de ID e userinfo",
  "value.CLAIM_TARGET_ID_TOKEN": "Token de ID",
  "value.CLAIM_TARGET_USERINFO": "Userinfo",

  "events.lead": "Cada alteração é um evento. Os eventos nunca são alterados.",
  "events.type": "Tipo",
  "events.kind.signIns": "Logins",
  "events.kind.access": "Acesso: funções, grupos, bloqueios",
  "events.kind.credentials": "Chaves de acesso, links, tokens",
  "events.all": "Todos",
  "events.object": "ID do objeto",
  "events.creator": "Causado por",
  "events.since": "Desde",
  "events.allOrganizations": "Todas as organizações",
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
