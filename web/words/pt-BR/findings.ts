/** The findings of the view of the system in Brazilian Portuguese, by their reasons. `{name}` stands for a value of the finding. */

import type { Findings } from "../types";

export const findings: Findings = {
  "check.readiness": "prontidão",
  "check.settings": "configurações",
  "check.relying party": "relying party",
  "check.link page": "página dos links",
  "check.plaintext": "tráfego sem criptografia",
  "check.trusted proxies": "proxies confiáveis",
  "check.certificate": "certificado",
  "check.client CA": "CA dos clientes",
  "check.extensions of the certificate": "extensões do certificado",
  "check.data directory": "diretório de dados",
  "check.disk space": "espaço em disco",
  "check.secret files": "arquivos com segredos",
  "check.database": "banco de dados",
  "check.connections": "conexões",
  "check.clock": "relógio",
  "check.indexes": "índices",
  "check.writes": "gravações",
  "check.Patroni": "Patroni",
  "check.servers": "servidores",
  "check.ES256 signing keys": "chaves de assinatura ES256",
  "check.RS256 signing keys": "chaves de assinatura RS256",
  "check.administrator": "administrador",
  "check.mail": "e-mail",
  "check.pushes": "entregas",
  "check.event log": "registro de eventos",
  "check.checkpoint file": "arquivo de pontos de verificação",
  "check.event partitions": "partições de eventos",
  "check.mail sender": "remetente dos e-mails",
  READY: "O servidor aceita chamadas.",
  SETTINGS_VALID: "Todas são válidas.",
  RP_ID_LOCAL:
    "KEYSTEAD_RP_ID é {rp_id}, mas o servidor escuta em {address}: as chaves de acesso só funcionam em navegadores desta máquina.",
  "RP_ID_LOCAL.remedy": "Defina KEYSTEAD_RP_ID e KEYSTEAD_RP_ORIGINS com o domínio que os usuários veem.",
  RP_ID: "{rp_id}, em {origins}.",
  LINK_PAGE_PLAINTEXT: "{page} não é servida por https, então os navegadores não oferecem chaves de acesso nela.",
  "LINK_PAGE_PLAINTEXT.remedy": "Sirva-a por TLS e defina KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE_ELSEWHERE: "Os links de registro abrem {page}, mas a porta web é {here} nesta máquina.",
  "LINK_PAGE_ELSEWHERE.remedy": "Cite {here} primeiro em KEYSTEAD_RP_ORIGINS ou defina KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE_FOREIGN: "{page} não está em nenhuma das KEYSTEAD_RP_ORIGINS, então todo registro por link é recusado.",
  "LINK_PAGE_FOREIGN.remedy": "Adicione {origin} lá ou altere KEYSTEAD_PASSKEY_PAGE_URL.",
  LINK_PAGE: "Os links de registro abrem {page}.",
  PORTS_TLS: "As duas portas usam TLS.",
  PORTS_OPEN: "{ports}: outras máquinas acessam sem criptografia, o que expõe os tokens.",
  "PORTS_OPEN.remedy":
    "Defina KEYSTEAD_TLS_CERTIFICATE_FILE e KEYSTEAD_TLS_KEY_FILE, escute em 127.0.0.1 ou deixe que só um proxy que termina o TLS tenha acesso.",
  PORTS_LOCAL: "As duas portas só podem ser acessadas desta máquina ou por um proxy confiável.",
  PROXIES_EVERYWHERE:
    "KEYSTEAD_TRUSTED_PROXIES contém {networks}: cada cliente que alcança a porta web escolhe o endereço que os limites de frequência e os logs usam.",
  "PROXIES_EVERYWHERE.remedy": "Cite apenas as redes dos seus proxies.",
  CERTIFICATE_FUTURE: "{file} só é válido a partir de {time} UTC, então os clientes o recusam.",
  "CERTIFICATE_FUTURE.remedy": "Verifique o relógio desta máquina ou use outro certificado.",
  CERTIFICATE_EXPIRED: "{file} expirou em {time} UTC, então os clientes o recusam.",
  "CERTIFICATE_EXPIRED.remedy": "Renove-o; os servidores em execução adotam os arquivos novos.",
  CERTIFICATE_EXPIRES: "{file} expira em {time} UTC.",
  "CERTIFICATE_EXPIRES.remedy": "Renove-o; os servidores em execução adotam os arquivos novos.",
  CERTIFICATE_VALID: "{file} é válido até {date}.",
  CLIENT_CA_EXPIRED:
    "Um certificado em {file} expirou em {time} UTC, então os clientes com certificados desta autoridade não podem se conectar.",
  "CLIENT_CA_EXPIRED.remedy": "Renove-o; os servidores em execução adotam os arquivos novos.",
  CLIENT_CA_EXPIRES: "Um certificado em {file} expira em {time} UTC.",
  "CLIENT_CA_EXPIRES.remedy": "Renove-o; os servidores em execução adotam os arquivos novos.",
  CLIENT_CA_VALID: "Um certificado em {file} é válido até {date}.",
  EXTENSIONS_MISSING:
    "A RFC 5280 exige {extension} de {subject} em {file}. Sem ela, clientes rigorosos, como o Python 3.13, recusam o certificado.",
  "EXTENSIONS_MISSING.remedy": "Faça com que ele seja emitido de novo, como mostra docs/operating-tls.md.",
  EXTENSIONS: "{file} tem as extensões que a RFC 5280 exige.",
  FOLDER_CLOSED: "Este usuário não pode gravar em {folder} nem criá-lo.",
  "FOLDER_CLOSED.remedy":
    "Execute o Keystead como o proprietário dele ou defina KEYSTEAD_DATA_DIR com outro diretório.",
  FOLDER_MISSING: "{folder} não existe; o servidor o cria.",
  FOLDER_OPEN: "Outros usuários podem gravar em {folder}.",
  "FOLDER_OPEN.remedy": "Execute: chmod go-w {folder}",
  FOLDER: "Só o proprietário pode alterar {folder}.",
  SPACE_TOO_LITTLE:
    "Só há {megabytes} MB livres para o banco de dados integrado: as gravações falham, ou logo falharão.",
  "SPACE_TOO_LITTLE.remedy":
    "Libere espaço no disco de {folder}, ou pare todos os servidores, mova esse diretório e defina KEYSTEAD_DATA_DIR.",
  SPACE_LITTLE:
    "Só há {megabytes} MB livres para o banco de dados integrado, que pode precisar de 1000 MB por um tempo.",
  "SPACE_LITTLE.remedy":
    "Libere espaço no disco de {folder}, ou pare todos os servidores, mova esse diretório e defina KEYSTEAD_DATA_DIR.",
  SPACE: "Há {megabytes} MB livres para o banco de dados integrado.",
  SECRET_READABLE: "{name} está em {path}, que todo usuário pode ler.",
  "SECRET_READABLE.remedy": "Execute: chmod o-r {path}",
  ADMIN_TOKEN_READABLE: "O token do primeiro administrador está em {path}, que todo usuário pode ler.",
  "ADMIN_TOKEN_READABLE.remedy": "Execute: chmod o-r {path}",
  SECRETS_CLOSED: "Nenhum segredo está em um arquivo que todos possam ler.",
  DATABASE_OLD: "O PostgreSQL {version} é antigo demais.",
  "DATABASE_OLD.remedy": "Use o {oldest} ou mais recente.",
  DATABASE: "PostgreSQL {version}, com o esquema desta versão.",
  CONNECTIONS_TOO_FEW:
    "Processos de trabalho: {workers}. Eles abrem até {wanted} conexões, e o PostgreSQL permite {allowed}: as chamadas falham sob carga.",
  "CONNECTIONS_TOO_FEW.remedy":
    "Diminua KEYSTEAD_DATABASE_POOL_SIZE ou aumente max_connections ou o limite de conexões da função ou do banco de dados.",
  CONNECTIONS: "Até {wanted} de {allowed} disponíveis.",
  CLOCK_AHEAD:
    "O relógio do banco de dados está {seconds} segundos adiantado em relação ao desta máquina. Os JWTs de sessão têm a hora do banco de dados: os serviços com outro relógio os recusam.",
  "CLOCK_AHEAD.remedy": "Sincronize-os por NTP.",
  CLOCK_BEHIND:
    "O relógio do banco de dados está {seconds} segundos atrasado em relação ao desta máquina. Os JWTs de sessão têm a hora do banco de dados: os serviços com outro relógio os recusam.",
  "CLOCK_BEHIND.remedy": "Sincronize-os por NTP.",
  CLOCK: "O relógio do banco de dados está de acordo com o desta máquina.",
  INDEX_INCOMPLETE: "O índice {name} está incompleto e não é usado: a criação dele foi interrompida.",
  "INDEX_INCOMPLETE.remedy": "Crie-o de novo com este SQL: reindex index concurrently {name}",
  COMMIT_OFF: "synchronous_commit é off: uma falha perde gravações confirmadas.",
  "COMMIT_OFF.remedy": "Defina como on.",
  COMMIT_LOCAL: "synchronous_commit é local: não espera nenhum standby, então um failover perde gravações confirmadas.",
  "COMMIT_LOCAL.remedy": "Defina como on.",
  NO_SYNCHRONOUS_STANDBY:
    "KEYSTEAD_DATABASE_URL cita vários hosts, mas synchronous_standby_names está vazio: um failover perde gravações confirmadas.",
  "NO_SYNCHRONOUS_STANDBY.remedy": "Com o Patroni, defina synchronous_mode e synchronous_mode_strict.",
  WRITES_ON_DISK: "As gravações confirmadas estão no disco.",
  WRITES_ON_STANDBY: "Um standby síncrono tem as gravações confirmadas.",
  PATRONI_OLD:
    "O Patroni deste PostgreSQL é anterior à versão 3.2; `patronictl version` mostra a versão. Até a 3.0.2 com a API v3 do etcd, um líder que estava congelado retoma a trava, e as gravações que o sucessor confirmou se perdem.",
  "PATRONI_OLD.remedy": "Atualize o Patroni para a versão 3.2 ou mais recente.",
  SERVERS_NONE: "Nenhum está em execução.",
  SERVERS_WITHOUT_KEY:
    "Estes não podem guardar segredos, porque `keystead rotate-keys` substituiu a primeira chave deles: {servers}.",
  "SERVERS_WITHOUT_KEY.remedy": "Reinicie-os com as chaves atuais.",
  SERVERS_WITH_OTHER_KEYS: "Estes não criptografam com a primeira chave destas configurações, {key_id}: {servers}.",
  "SERVERS_WITH_OTHER_KEYS.remedy": "Reinicie-os com as mesmas chaves; até lá, `keystead rotate-keys` se recusa.",
  SERVERS: "Servidores em execução ({number}): {servers}.",
  SIGNING_KEY_NONE: "Não há nenhuma para assinar JWTs.",
  "SIGNING_KEY_NONE.remedy":
    "Inicie o servidor, que adiciona uma assim que nenhum servidor de uma versão anterior estiver em execução.",
  SIGNING_KEY_FUTURE:
    "A única chave devida assina a partir de {time} UTC, que está no futuro: o relógio do banco de dados está ou estava errado.",
  "SIGNING_KEY_FUTURE.remedy": "Sincronize-o por NTP.",
  SIGNING_KEY_OVERDUE: "A próxima está atrasada desde {time} UTC.",
  "SIGNING_KEY_OVERDUE.remedy":
    "Verifique se um servidor está em execução e leia o log dele, ou execute: keystead rotate-signing-key",
  SIGNING_KEY_NEXT: "A próxima assina a partir de {time} UTC.",
  SIGNING_KEY: "A próxima será publicada em {date}.",
  OWNER_NONE: "Nenhum usuário tem o papel INSTANCE_OWNER.",
  "OWNER_NONE.remedy":
    "Inicie o servidor uma vez se o banco de dados for novo; caso contrário, execute: keystead user grant USER INSTANCE_OWNER",
  OWNER_WITHOUT_TOKEN: "Nenhum usuário com o papel INSTANCE_OWNER tem um token válido.",
  "OWNER_WITHOUT_TOKEN.remedy": "Execute: keystead token create USER",
  OWNERS: "{number} com um token válido.",
  MAIL_NOT_CONFIGURED: "Nenhuma configuração SMTP está definida, então nenhum e-mail é enviado.",
  "MAIL_NOT_CONFIGURED.remedy": "Adicione uma: keystead smtp add",
  MAILS_UNDELIVERED: "E-mails com falha em um dia: {failed}; atrasados: {delayed}; o último motivo foi {reason}.",
  "MAILS_UNDELIVERED.remedy": "Veja: keystead mail list",
  MAILS_NOT_ATTEMPTED: "E-mails com falha em um dia: {failed}; atrasados: {delayed}; nenhum deles foi tentado.",
  "MAILS_NOT_ATTEMPTED.remedy": "Verifique se um servidor está em execução. Veja: keystead mail list",
  MAILS: "Uma configuração SMTP está definida; nenhum e-mail está atrasado ou falhou em um dia.",
  PUSHES_UNDELIVERED:
    "Webhooks e tokens de logout com falha em um dia: {failed}; em nova tentativa após uma falha: {tried_again}; destinos sem resposta: {targets}; o último motivo foi {reason}.",
  "PUSHES_UNDELIVERED.remedy": "Veja, com --org: keystead push deliveries",
  PUSHES_TRIED_AGAIN:
    "Webhooks e tokens de logout com falha em um dia: {failed}; em nova tentativa após uma falha: {tried_again}; destinos sem resposta: {targets}.",
  "PUSHES_TRIED_AGAIN.remedy": "Veja, com --org: keystead push deliveries",
  PUSHES: "Nenhum webhook ou token de logout falhou em um dia, e nenhum está em nova tentativa.",
  EVENTS_UNCOVERED: "Idade dos eventos que não estão em nenhum ponto de verificação, em horas: {hours}.",
  "EVENTS_UNCOVERED.remedy":
    "Verifique se um servidor está em execução e se o log dele cita falhas de housekeeping, ou execute: keystead audit checkpoint",
  EVENTS_COVERED:
    "Cada evento com mais de uma hora está em um ponto de verificação. Para compará-los: keystead audit verify",
  CHECKPOINT_LOST:
    "O ponto de verificação {number}, que {path} contém, não está mais no banco de dados: alguém o removeu, ou um backup mais antigo foi restaurado.",
  "CHECKPOINT_LOST.remedy":
    "Execute: keystead audit verify. Depois de uma restauração, pare os servidores e execute: keystead restored. Em seguida, mova o arquivo, guarde-o e inicie os servidores.",
  CHECKPOINT_NOT_IN_FILE: "O ponto de verificação {number} não está em {path}.",
  "CHECKPOINT_NOT_IN_FILE.remedy":
    "Verifique se um servidor desta máquina está em execução com a configuração e pode gravar no arquivo.",
  CHECKPOINT_FILE: "O banco de dados tem o último ponto de verificação de {path}.",
  EVENTS_MISPLACED:
    "Eventos sem partição do mês deles, a partir de {date}: {events}. Eles são lidos como sempre e não podem ser arquivados.",
  "EVENTS_MISPLACED.remedy": "Verifique o relógio do banco de dados e se o log cita falhas de housekeeping.",
};
