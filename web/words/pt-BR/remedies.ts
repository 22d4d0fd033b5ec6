/** The remedies of refused requests in Brazilian Portuguese, by their causes. `{name}` stands for a value of the refusal. */

import type { Remedies } from "../types";

export const remedies: Remedies = {
  INVALID_FIELDS:
    "O parâmetro {parameter} está ausente, malformado ou longo demais. Corrija as configurações do programa.",
  REDIRECT_URI_NOT_REGISTERED:
    "A redirect_uri recebida é {value}. Qualquer pessoa pode enviar uma: se for do aplicativo, adicione-a, caractere por caractere, às URIs de redirecionamento dele. Um endereço http:// de uma rede privada também precisa de allows_http.",
  POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED:
    "A post_logout_redirect_uri recebida é {value}. Qualquer pessoa pode enviar uma: se for do aplicativo, adicione-a, caractere por caractere, às URIs de redirecionamento após a saída. Um endereço http:// de uma rede privada também precisa de allows_http.",
  KIND_WITHOUT_SIGN_IN: "Ninguém entra em um aplicativo deste tipo. Adicione outro do tipo WEB, BROWSER ou NATIVE.",
  PKCE_MISSING:
    "O programa não envia PKCE. Ative-o lá. Se ele não puder, defina pkce como APPLICATION_PKCE_PKCE_OR_NONCE: um nonce então protege o código. Para um programa sem nonce, defina como APPLICATION_PKCE_NONE: só o segredo então protege um código roubado.",
  CODE_CHALLENGE_MISSING: "O programa não envia code_challenge. Corrija as configurações do programa.",
  CODE_CHALLENGE_METHOD: "O code_challenge_method recebido é “{value}”. Configure o programa com S256.",
  CODE_CHALLENGE_MALFORMED: "O code_challenge não é um SHA-256 em base64url. Atualize o programa.",
  NOT_PUSHED:
    "O aplicativo precisa enviar antes as solicitações de autorização (PAR), e o programa não faz isso. Ative o PAR no programa ou deixe de exigi-lo.",
  REQUEST_NOT_SUPPORTED: "O programa envia um objeto de solicitação. Desative isso lá.",
  REQUEST_URI_NOT_SUPPORTED: "O programa envia uma request_uri que não foi obtida aqui. Desative isso lá.",
  AUTHORIZATION_REQUEST_EXPIRED:
    "A request_uri foi usada mais de 90 segundos depois de emitida, ou por outro aplicativo. Entre de novo.",
  UNSUPPORTED_RESPONSE_TYPE:
    "O response_type recebido é “{value}”. Configure o programa com o fluxo de código de autorização: code.",
  UNSUPPORTED_RESPONSE_MODE: "O response_mode recebido é “{value}”. Configure o programa com query ou form_post.",
  PROMPT:
    "O prompt recebido é “{value}”. Configure o programa com none, login, consent ou select_account, ou com nada.",
  INVALID_SCOPE:
    "O scope recebido é “{value}”. Solicite menos escopos no programa ou adicione ao aplicativo os que ele precisa.",
  SCOPE_MALFORMED:
    "O scope recebido é “{value}” e tem um caractere que nenhum escopo pode ter. Corrija as configurações do programa.",
  INVALID_TARGET:
    "O resource recebido é “{value}”. Ele precisa ser, caractere por caractere, o identificador de um aplicativo do tipo RESOURCE na organização do aplicativo, ou de um para todas as organizações: adicione-o ou corrija o programa. Uma solicitação de token cita um dos que estão na autorização.",
  CLAIMS: "O parâmetro claims não é o JSON do OpenID Connect. Corrija as configurações do programa.",
  ID_TOKEN_HINT: "O id_token_hint é de outro aplicativo ou de outro usuário. Saia do programa e entre de novo.",
  UNMET_AUTHENTICATION_REQUIREMENTS:
    "O programa exige um login que o usuário não fez. O usuário entra com uma chave de acesso, ou o programa exige menos.",
  LOGIN_REQUIRED:
    "O programa perguntou sem uma página (prompt=none), e o usuário precisava entrar. O programa então pergunta com uma página: não há nada a corrigir.",
  CONSENT_REQUIRED:
    "O programa perguntou sem uma página (prompt=none), e o usuário precisava concordar. O programa então pergunta com uma página, ou o aplicativo é marcado como próprio.",
  INTERACTION_REQUIRED:
    "O programa perguntou sem uma página (prompt=none), e uma página era necessária. O programa então pergunta com uma página: não há nada a corrigir.",
  ACCESS_DENIED: "O usuário cancelou. Não há nada a corrigir.",
  APPLICATION_NOT_ALLOWED:
    "O usuário não está em nenhum dos grupos, ou não está na organização, que o aplicativo admite. Adicione o usuário a um grupo ou admita mais usuários.",
  EMAIL_REQUIRED: "O usuário não tem endereço de e-mail, e o aplicativo exige um. Adicione-o ao usuário.",
  MESSAGE_TOO_LARGE: "Os parâmetros são longos demais para uma URL. Encurte state, scope ou nonce no programa.",
  INVALID_CLIENT:
    "A assinatura ou uma claim da client_assertion está errada. Compare a chave com a do aplicativo, iss e sub com o ID do cliente, e os relógios.",
  SECRET_MISSING:
    "O programa não envia nenhum segredo. Digite nele um segredo do aplicativo: crie um novo se ele se perdeu.",
  SECRET_WRONG: "O segredo não é do aplicativo. Crie um novo e digite-o no programa.",
  SECRET_NOT_EXPECTED:
    "O programa envia um segredo, e o aplicativo não tem nenhum. Remova-o do programa ou adicione o aplicativo de novo com o tipo WEB.",
  ASSERTION_MISSING:
    "O aplicativo se autentica com private_key_jwt, e o programa não envia uma asserção. Configure o programa com private_key_jwt ou o aplicativo com um segredo.",
  ASSERTION_NOT_EXPECTED:
    "O programa envia uma asserção, e o aplicativo não se autentica com private_key_jwt. Configure os dois com o mesmo método.",
  ASSERTION_AUDIENCE:
    "A audiência da asserção é o endpoint de tokens. Configure o programa com o emissor ou aceite também o endpoint.",
  CLIENT_KEYS_UNREACHABLE:
    "Não foi possível ler as chaves na jwks_uri do aplicativo. Abra-a a partir do servidor: ela precisa responder por https, sem redirecionamento.",
  UNAUTHORIZED_CLIENT: "O grant_type recebido é “{value}”, que um aplicativo deste tipo não pode usar.",
  UNSUPPORTED_GRANT_TYPE:
    "O grant_type recebido é “{value}”, que não é aceito. Configure o programa com o fluxo de código de autorização.",
  CODE_INVALID:
    "O código já tinha sido usado ou tinha expirado depois de um minuto, ou a redirect_uri ou o code_verifier não era o da autorização. Entre de novo; se isso se repetir, compare os endereços e os relógios dos servidores do programa.",
  REFRESH_TOKEN_INVALID: "O token de atualização expirou, foi revogado ou substituído. O usuário entra de novo.",
  SIGN_IN_ENDED:
    "A sessão do usuário foi encerrada, ou o aplicativo não admite mais o usuário. O usuário entra de novo.",
  DEVICE_CODE_INVALID: "O código do dispositivo é desconhecido ou já foi usado. Comece de novo no dispositivo.",
  EXPIRED_TOKEN: "Ninguém aprovou o dispositivo em dez minutos. Comece de novo nele.",
  INVALID_SUBJECT_TOKEN:
    "O subject_token não corresponde aos emissores de cargas de trabalho do aplicativo. Compare iss, aud, sub e claims: a linha do log indica a diferença.",
  WORKLOAD_ISSUER_UNREACHABLE:
    "Não foi possível ler as chaves do emissor de cargas de trabalho. Abra o documento de descoberta dele a partir do servidor.",
  LOGOUT_REQUEST_INVALID:
    "O id_token_hint não é um token de ID deste servidor, ou é de outro aplicativo. O programa precisa enviar o que recebeu.",
  INVALID_TOKEN:
    "O token de acesso não vale mais, por exemplo porque a sessão dele foi encerrada, ou é destinado a um recurso. O usuário entra de novo.",
  INSUFFICIENT_SCOPE: "O token de acesso não tem o escopo openid. Solicite-o no programa.",
  TWO_HOSTS: "A solicitação citou dois hosts. O proxy precisa enviar o do cliente.",
  SIGN_IN_NEEDED:
    "Um programa ou script perguntou sem o cookie de um login. Não há nada a corrigir, a menos que pessoas vejam isto.",
  SIGN_IN_EXPIRED: "O login demorou demais, ou o código dele já foi usado. Abra a página de novo.",
  SIGN_IN_REFUSED: "O login terminou sem um código. A recusa dele está ao lado desta.",
  ANOTHER_BROWSER:
    "O navegador não guardou o cookie do gate. Verifique se o proxy repassa set-cookie e se a página é servida por https.",
};
