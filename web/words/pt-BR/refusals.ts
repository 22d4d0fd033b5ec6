/** The refusals of the server in Brazilian Portuguese, by their reasons. `{name}` stands for a value of the metadata of the refusal. */

import type { Refusals } from "../types";

export const refusals: Refusals = {
  APPLICATION_GRANT_NOT_FOUND:
    "O usuário não deu acesso a este aplicativo, ou o acesso já foi encerrado. Recarregue a lista.",
  APPLICATION_ID_ALREADY_USED:
    "Um aplicativo desta instância tem ou já teve este ID. IDs nunca são reutilizados. Escolha outro.",
  APPLICATION_NOT_FOUND:
    "Esta organização não tem este aplicativo. Confira a lista de aplicativos e a organização escolhida.",
  APPLICATION_SECRET_NOT_FOUND: "O aplicativo não tem mais este segredo. Recarregue a página.",
  APPLICATION_WITHOUT_PEOPLE:
    "O aplicativo não recebe claims de usuários. Só aplicativos web, aplicativos no navegador e apps em um dispositivo as recebem.",
  APPLICATION_WITHOUT_SECRETS:
    "O aplicativo não se autentica com um segredo. Para um aplicativo web ou um serviço, escolha um método com segredo ou use a chave dele.",
  ATTRIBUTE_DEFINITION_ALREADY_EXISTS: "Escolha outro nome.",
  ATTRIBUTE_DEFINITION_NOT_FOUND: "O atributo foi removido. Recarregue a lista.",
  BRAND_NOT_FOUND: "Nenhuma marca está definida. Defina uma.",
  CAPTURED_MAIL_NOT_FOUND: "O e-mail não foi capturado, ou a mensagem dele não está mais guardada.",
  CAPTURED_MAIL_UNREADABLE:
    "Não é possível descriptografar a mensagem. Todos os servidores deste banco de dados precisam das mesmas chaves.",
  CANNOT_LOCK_YOURSELF: "Você não pode bloquear a si mesmo. Peça isso a outro administrador.",
  CERTIFICATE_ALREADY_ADDED:
    "O certificado já pertence a um token. Revogue esse token primeiro ou emita outro certificado.",
  CERTIFICATE_NOT_PRESENTED:
    "A conexão não prova que você tem a chave privada do certificado. Peça a um proprietário da instância que o adicione.",
  CHALLENGE_EXPIRED: "A confirmação demorou demais. Comece de novo.",
  CHALLENGE_USED: "Esta confirmação já foi concluída. Comece de novo.",
  CONCURRENT_CHANGE: "Alguém alterou a mesma coisa ao mesmo tempo. Tente de novo.",
  CREDENTIAL_ALREADY_REGISTERED: "Esta chave de acesso já está registrada. Use outro dispositivo.",
  CREDENTIAL_MALFORMED: "A resposta do dispositivo está corrompida. Tente de novo ou use outro dispositivo.",
  CREDENTIAL_NOT_VERIFIED: "Esta chave de acesso não pertence a este registro. Comece de novo.",
  DATABASE_UNAVAILABLE: "O servidor não consegue acessar o banco de dados agora. Tente de novo daqui a pouco.",
  DEADLINE_EXCEEDED: "A chamada não terminou a tempo. Tente de novo.",
  DEFAULT_ORGANIZATION: "Esta é a organização padrão. Ela não pode ser removida.",
  DELIVERY_ALREADY_SENT: "O destino aceitou a entrega. Não é preciso fazer mais nada.",
  DELIVERY_CANCELLED: "A entrega foi cancelada porque o destino dela foi removido.",
  DELIVERY_NOT_FOUND: "Esta organização não tem esta entrega. Recarregue a lista.",
  DNS_UNAVAILABLE:
    "Os servidores DNS não responderam. Tente de novo mais tarde. Se o problema continuar, verifique o DNS do domínio.",
  EMAIL_SET_BY_OTHERS:
    "Alguém sem todas as permissões do usuário definiu o endereço de e-mail dele. Confira o endereço e salve-o de novo.",
  ENCRYPTION_KEY_REPLACED:
    "Este servidor não pode guardar segredos, porque a chave dele foi substituída. Os operadores precisam reiniciá-lo com as chaves atuais.",
  EVENTS_ARCHIVED: "Os eventos mais antigos estão arquivados. Peça os arquivos aos operadores.",
  GROUP_ALREADY_EXISTS: "Escolha outro nome.",
  GROUP_MEMBER_NOT_FOUND:
    "O usuário não é membro do grupo, ou esta organização não tem este grupo. Recarregue a lista.",
  GROUP_NOT_FOUND: "Esta organização não tem este grupo. Confira a lista de grupos e a organização escolhida.",
  IDEMPOTENCY_ANSWER_UNREADABLE: "A alteração foi feita, mas não é possível ler a resposta dela. Recarregue a página.",
  IDEMPOTENCY_KEY_REUSED: "Duas alterações tinham a mesma chave. Recarregue a página e tente de novo.",
  IDP_LINK_NOT_FOUND: "O usuário não tem mais este vínculo. Recarregue a lista.",
  IDP_NAME_NOT_UNIQUE: "Vários provedores de identidade da organização têm este nome. Informe o ID do provedor.",
  IDP_NOT_FOUND: "Esta organização não tem este provedor de identidade. Confira a lista e a organização escolhida.",
  INVALID_FIELDS: "Altere os campos que mostram um erro.",
  LAST_INSTANCE_OWNER: "Primeiro, torne outro usuário proprietário da instância sem término ou desbloqueie um.",
  LAST_SECRET: "O webhook só tem esta chave. Crie outra primeiro.",
  LINK_EXPIRED: "O link expirou. Crie um novo.",
  LINK_REPLACED: "Um link mais recente substituiu este. Use o mais recente.",
  LINK_USED: "Uma chave de acesso já foi registrada com este link. Crie um novo.",
  LOG_RESTORED:
    "Eventos até este ponto foram perdidos: o banco de dados foi restaurado de um backup. Recarregue a página.",
  MADE_BY_OTHERS:
    "Usuários bloqueados, ou sem as permissões desta função, podem ter credenciais deste usuário. Verifique-as e conceda a função de modo que as credenciais criadas por outras pessoas sejam encerradas.",
  MAIL_ALREADY_SENT: "O e-mail já foi enviado. Não é preciso fazer mais nada.",
  MAIL_CANCELLED: "O e-mail foi cancelado porque o conteúdo dele está desatualizado.",
  MAIL_CAPTURED:
    "Nenhum e-mail sai deste servidor, porque KEYSTEAD_MAIL_CAPTURE está ativado. Faça o teste sem destinatário.",
  MAIL_DOMAIN_ALREADY_EXISTS: "A organização já reivindicou este domínio de e-mail. Ele está na lista.",
  MAIL_DOMAIN_NOT_FOUND: "O domínio de e-mail foi removido. Recarregue a lista.",
  MAIL_DOMAIN_NOT_PROVEN:
    "Nenhum registro TXT {record_name} tem o valor {record_value}. Encontrado: {found}. Publique o registro no DNS do domínio e tente de novo: às vezes, os servidores DNS guardam uma resposta antiga por horas.",
  MAIL_DOMAIN_PROVEN_ELSEWHERE:
    "Outra organização deste servidor verificou o domínio de e-mail. Remova do DNS o registro TXT dela, para que só o seu tenha este nome.",
  MAIL_NOT_FOUND: "Este e-mail não existe mais. Recarregue a lista.",
  MAIL_TEXT_NOT_FOUND: "Não há texto próprio para este e-mail neste idioma. Recarregue a lista.",
  MAIL_SECRET_ERASED: "O link do e-mail foi apagado quando o envio falhou. Crie um novo link.",
  MALFORMED_MESSAGE: "O servidor não consegue ler a mensagem. Recarregue a página.",
  MESSAGE_TOO_LARGE: "A mensagem é grande demais. Use valores mais curtos ou uma imagem menor.",
  METHOD_NOT_IMPLEMENTED: "Este servidor ainda não consegue fazer isto. Recarregue a página.",
  OIDC_CLIENT_SECRET_REQUIRED:
    "O segredo do cliente salvo só vale para o emissor e o ID do cliente com que foi definido. Digite-o de novo com esta alteração.",
  OIDC_CLIENT_SECRET_UNREADABLE:
    "Não é possível descriptografar o segredo do cliente salvo. Digite-o de novo ou peça aos operadores que restaurem as chaves que faltam.",
  OIDC_CONFIG_NOT_FOUND: "O provedor de identidade não tem configurações do OpenID Connect. Defina-as.",
  ORGANIZATION_ALREADY_EXISTS: "Escolha outro nome.",
  ORGANIZATION_HAS_USERS: "A organização ainda tem usuários. Remova-os primeiro.",
  ORGANIZATION_NOT_FOUND: "Esta organização não existe. Confira a lista de organizações.",
  IDENTIFIER_ALREADY_USED: "Use outro.",
  ORIGIN_ALREADY_USED: "Remova-a do outro aplicativo ou use outra.",
  PASSKEY_NOT_FOUND: "O usuário não tem mais esta chave de acesso. Recarregue a lista.",
  PASSKEY_UNKNOWN: "O servidor não conhece esta chave de acesso. Use outra.",
  PERMISSION_DENIED:
    "Você não tem permissão para isto. Peça aos administradores da organização uma função que a tenha.",
  PROFILE_KEPT: "Peça a um administrador que altere seus dados.",
  PUSH_SECRET_UNREADABLE: "Não é possível descriptografar uma chave do webhook. Crie outra e remova esta.",
  RATE_LIMITED: "Houve chamadas demais em pouco tempo. Espere um momento.",
  REAUTHENTICATION_REQUIRED:
    "Para isto, você precisa ter entrado nos últimos minutos. Confirme com uma chave de acesso que é você.",
  RECOVERY_NOT_ALLOWED: "A recuperação por e-mail não é permitida aqui. Crie um link.",
  ROLE_OUTLASTS_YOURS: "Sua própria função termina antes. Escolha um término que não seja posterior.",
  SEQUENCE_UNKNOWN: "O log está mais curto do que antes: o banco de dados foi restaurado. Recarregue a página.",
  SESSION_NOT_FOUND: "Esta sessão já foi encerrada. Recarregue a lista.",
  SHUTTING_DOWN: "Este servidor está sendo desligado. Tente de novo daqui a pouco.",
  SIGNING_KEY_UNAVAILABLE:
    "O servidor não tem uma chave de assinatura legível. Tente mais tarde ou avise os operadores.",
  SIGN_IN_FAILED: "O login falhou. Tente de novo ou use outra chave de acesso.",
  SMTP_CONFIG_ALREADY_EXISTS: "Já existe uma configuração SMTP. Recarregue a página e altere-a.",
  SMTP_CONFIG_MISSING: "Crie uma configuração SMTP primeiro.",
  SMTP_CONFIG_NOT_FOUND: "Nenhuma configuração SMTP está definida. Crie uma.",
  SMTP_OAUTH_BOUND:
    "As configurações de OAuth só valem para o servidor de e-mail, a criptografia e a caixa de correio com que foram definidas. Remova-as antes da alteração e defina-as de novo depois.",
  SMTP_OAUTH_NOT_FOUND: "O OAuth não está configurado para o e-mail.",
  SMTP_OAUTH_SECRET_REQUIRED:
    "O segredo salvo só vale para o endpoint de tokens, o ID do cliente e a caixa de correio com que foi definido. Digite-o de novo com a alteração.",
  SMTP_OAUTH_SECRET_UNREADABLE:
    "Não é possível descriptografar o segredo de OAuth salvo. Digite-o de novo ou dê as mesmas chaves a todos os servidores (`keystead doctor` informa as que faltam).",
  SMTP_PASSWORD_REQUIRED:
    "A senha salva só vale para o servidor, a criptografia e o usuário com que foi definida. Digite-a de novo com esta alteração.",
  SMTP_PASSWORD_UNREADABLE:
    "Não é possível descriptografar a senha salva. Digite-a de novo ou peça aos operadores que restaurem as chaves que faltam.",
  SMTP_USER_REQUIRED: "A configuração SMTP não tem usuário e, por isso, não precisa de senha. Digite os dois juntos.",
  STREAM_NOT_READ: "A conexão estava lenta demais. Recarregue a página.",
  SUBSCRIPTION_NOT_FOUND: "Esta organização não tem este webhook. Confira a lista e a organização escolhida.",
  SUBSCRIPTION_SECRET_NOT_FOUND: "O webhook não tem mais esta chave. Recarregue a página.",
  TOKEN_NOT_FOUND: "O usuário não tem mais este token. Recarregue a lista.",
  TOO_MANY_ATTEMPTS: "O registro de uma chave de acesso foi iniciado vezes demais com este link. Crie um novo.",
  TOO_MANY_ATTRIBUTE_DEFINITIONS: "A organização atingiu o número máximo de atributos. Remova um primeiro.",
  TOO_MANY_CEREMONIES: "Há registros demais deste usuário em andamento. Espere dez minutos, até que eles expirem.",
  TOO_MANY_IDEMPOTENCY_KEYS: "Você fez alterações demais em um dia. Tente mais tarde.",
  TOO_MANY_MAIL_DOMAINS: "A organização atingiu o número máximo de domínios de e-mail. Remova um.",
  TOO_MANY_MAILS: "E-mails demais foram enviados a este endereço ou ainda aguardam envio. Tente mais tarde.",
  TOO_MANY_MAKERS:
    "Sua chave de acesso ou seu token surgiu de credenciais de muitos outros usuários. Use um que você mesmo criou.",
  TOO_MANY_MEMBERS: "O grupo atingiu o número máximo de membros. Remova alguns ou crie outro grupo.",
  TOO_MANY_PASSKEYS: "O usuário atingiu o número máximo de chaves de acesso. Remova uma que não é mais usada.",
  TOO_MANY_SECRETS: "O aplicativo atingiu o número máximo de segredos. Remova o que ele não usa mais.",
  TOO_MANY_SUBSCRIPTIONS: "A organização atingiu o número máximo de webhooks. Remova um.",
  TOO_MANY_SUBSCRIPTION_SECRETS: "O webhook atingiu o número máximo de chaves. Remova a que o destino não usa mais.",
  TOO_MANY_TOKENS: "O usuário atingiu o número máximo de tokens. Revogue os que não são mais usados.",
  UNAUTHENTICATED: "Sua sessão foi encerrada. Entre de novo.",
  USER_ALREADY_EXISTS: "Escolha outro nome de usuário.",
  USER_HAS_NO_EMAIL: "Informe um endereço de e-mail, ou mostre o link e o entregue você mesmo.",
  USER_LOCKED: "O usuário está bloqueado. Desbloqueie-o primeiro.",
  USER_NOT_FOUND: "Este usuário não existe. Confira a lista de usuários.",
  USER_NOT_VERIFIED: "O dispositivo não confirmou que é você. Desbloqueie-o com o PIN, a impressão digital ou o rosto.",
  WORKLOAD_ISSUER_UNREACHABLE: "Não é possível ler as chaves do emissor no momento. Tente mais tarde.",
  "violation.CONTAINS_LINK":
    "Remova links, endereços da web e endereços de e-mail: o link do e-mail continua sendo o único. Depois de um ponto, coloque um espaço.",
  "violation.CONTROL_CHARACTERS": "Remova quebras de linha e caracteres de controle.",
  "violation.EMPTY": "Insira um valor.",
  "violation.HTTPS_REQUIRED": "Insira um URL que comece com https://.",
  "violation.INVALID_LANGUAGE": "Insira um código de idioma como en ou pt-BR.",
  "violation.INVALID_MAIL_ADDRESS": "Insira um endereço de e-mail como name@example.com.",
  "violation.INVALID_TIME": "Insira uma data entre os anos 1 e 9999.",
  "violation.INVALID_TIME_ZONE": "Insira um fuso horário como Europe/Berlin.",
  "violation.INVISIBLE_CHARACTERS": "Remova caracteres invisíveis.",
  "violation.MISSING_PLACE": "Adicione os marcadores que devem estar no texto.",
  "violation.NO_VISIBLE_CHARACTER": "Insira pelo menos um caractere visível.",
  "violation.OUTER_WHITE_SPACE": "Remova os espaços no início e no fim.",
  "violation.TIME_PASSED": "Informe um momento no futuro.",
  "violation.TOO_LONG": "Insira no máximo {number} caracteres.",
  "violation.TOO_MANY_ENTRIES": "Insira no máximo {number} itens.",
  "violation.TOO_MANY_LINES": "Escreva no máximo {number} linhas.",
  "violation.TOO_SMALL": "Insira no mínimo {number}.",
  "violation.UNKNOWN_PLACE": "Use chaves somente para os marcadores indicados acima.",
};
