/** The remedies of refused requests in Simplified Chinese, by their causes. `{name}` stands for a value of the refusal. */

import type { Remedies } from "../types";

export const remedies: Remedies = {
  INVALID_FIELDS: "参数 {parameter} 缺失、格式不正确或过长。请更正程序的设置。",
  REDIRECT_URI_NOT_REGISTERED:
    "收到的 redirect_uri 是 {value}。任何人都可以发送：如果它属于该应用，请将其逐字符添加到应用的重定向 URI 中。专用网络的 http:// 地址还需要 allows_http。",
  POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED:
    "收到的 post_logout_redirect_uri 是 {value}。任何人都可以发送：如果它属于该应用，请将其逐字符添加到应用的退出登录后的重定向 URI 中。专用网络的 http:// 地址还需要 allows_http。",
  KIND_WITHOUT_SIGN_IN: "没有人会登录这种类型的应用。请另外添加一个类型为 WEB、BROWSER 或 NATIVE 的应用。",
  PKCE_MISSING:
    "程序未发送 PKCE。请在程序中启用。如果程序不支持，请将 pkce 设为 APPLICATION_PKCE_PKCE_OR_NONCE：这样由 nonce 保护授权码。如果程序没有 nonce，请设为 APPLICATION_PKCE_NONE：这样只有密钥能保护被盗的授权码。",
  CODE_CHALLENGE_MISSING: "程序未发送 code_challenge。请更正程序的设置。",
  CODE_CHALLENGE_METHOD: "收到的 code_challenge_method 是“{value}”。请在程序中设为 S256。",
  CODE_CHALLENGE_MALFORMED: "code_challenge 不是 base64url 编码的 SHA-256。请更新程序。",
  NOT_PUSHED: "该应用必须推送授权请求 (PAR)，但程序没有这样做。请在程序中启用 PAR，或不再要求推送。",
  REQUEST_NOT_SUPPORTED: "程序发送了请求对象。请在程序中停用。",
  REQUEST_URI_NOT_SUPPORTED: "程序发送的 request_uri 不是由此服务器颁发的。请在程序中停用。",
  AUTHORIZATION_REQUEST_EXPIRED: "request_uri 在颁发 90 秒之后才使用，或由其他应用使用。请重新登录。",
  UNSUPPORTED_RESPONSE_TYPE: "收到的 response_type 是“{value}”。请在程序中设为授权码流程：code。",
  UNSUPPORTED_RESPONSE_MODE: "收到的 response_mode 是“{value}”。请在程序中设为 query 或 form_post。",
  PROMPT: "收到的 prompt 是“{value}”。请在程序中设为 none、login、consent 或 select_account，或留空。",
  INVALID_SCOPE: "收到的 scope 是“{value}”。请在程序中减少请求的权限范围，或将其需要的权限范围添加到应用。",
  SCOPE_MALFORMED: "收到的 scope 是“{value}”，其中包含权限范围不允许的字符。请更正程序的设置。",
  INVALID_TARGET:
    "收到的 resource 是“{value}”。它必须与应用所在组织中某个 RESOURCE 类型的应用或面向所有组织的此类应用的标识符逐字符相同：请添加该应用，或更正程序。令牌请求须指定授权中的某一个。",
  CLAIMS: "参数 claims 不是 OpenID Connect 的 JSON。请更正程序的设置。",
  ID_TOKEN_HINT: "id_token_hint 属于其他应用或其他用户。请退出程序并重新登录。",
  UNMET_AUTHENTICATION_REQUIREMENTS: "程序要求的登录方式用户并未完成。请用户使用通行密钥登录，或降低程序的要求。",
  LOGIN_REQUIRED: "程序以无页面方式 (prompt=none) 发出请求，但用户需要登录。程序随后会以有页面的方式请求：无需更正。",
  CONSENT_REQUIRED:
    "程序以无页面方式 (prompt=none) 发出请求，但用户需要同意。程序随后会以有页面的方式请求，或将该应用设为自有应用。",
  INTERACTION_REQUIRED:
    "程序以无页面方式 (prompt=none) 发出请求，但需要显示页面。程序随后会以有页面的方式请求：无需更正。",
  ACCESS_DENIED: "用户已取消。无需更正。",
  APPLICATION_NOT_ALLOWED: "用户不在该应用允许的任何群组中，或不在其允许的组织中。请将用户添加到群组，或允许更多用户。",
  EMAIL_REQUIRED: "该应用要求邮箱地址，但用户没有。请为用户添加。",
  MESSAGE_TOO_LARGE: "参数过长，无法放入 URL。请在程序中缩短 state、scope 或 nonce。",
  INVALID_CLIENT:
    "client_assertion 的签名或某项声明不正确。请将其密钥与应用的密钥、iss 和 sub 与客户端 ID 进行比较，并检查时钟。",
  SECRET_MISSING: "程序未发送密钥。请在程序中输入该应用的密钥：如果已丢失，请创建新密钥。",
  SECRET_WRONG: "该密钥不属于此应用。请创建新密钥并在程序中输入。",
  SECRET_NOT_EXPECTED: "程序发送了密钥，但该应用没有密钥。请在程序中删除密钥，或以 WEB 类型重新添加该应用。",
  ASSERTION_MISSING:
    "该应用通过 private_key_jwt 进行身份验证，但程序未发送断言。请将程序设为 private_key_jwt，或将应用设为使用密钥。",
  ASSERTION_NOT_EXPECTED: "程序发送了断言，但该应用不通过 private_key_jwt 进行身份验证。请将两者设为相同的方式。",
  ASSERTION_AUDIENCE: "断言的受众 (aud) 是令牌端点。请在程序中设为颁发者，或同时接受该端点。",
  CLIENT_KEYS_UNREACHABLE:
    "无法读取该应用 jwks_uri 处的密钥。请从服务器打开该地址：它必须通过 https 响应，且不能重定向。",
  UNAUTHORIZED_CLIENT: "收到的 grant_type 是“{value}”，这种类型的应用不能使用。",
  UNSUPPORTED_GRANT_TYPE: "收到的 grant_type 是“{value}”，不受支持。请在程序中设为授权码流程。",
  CODE_INVALID:
    "授权码已被使用，或一分钟后已过期，或者 redirect_uri 或 code_verifier 与授权时不同。请重新登录；如果反复出现，请比较程序各服务器的地址和时钟。",
  REFRESH_TOKEN_INVALID: "刷新令牌已过期、已撤销或已被替换。请用户重新登录。",
  SIGN_IN_ENDED: "用户的会话已结束，或该应用不再允许此用户。请用户重新登录。",
  DEVICE_CODE_INVALID: "设备代码未知或已被使用。请在设备上重新开始。",
  EXPIRED_TOKEN: "十分钟内没有人批准该设备。请在设备上重新开始。",
  INVALID_SUBJECT_TOKEN:
    "subject_token 与该应用的工作负载颁发者不符。请比较其 iss、aud、sub 和声明：日志行会指出不同之处。",
  WORKLOAD_ISSUER_UNREACHABLE: "无法读取工作负载颁发者的密钥。请从服务器打开其发现文档。",
  LOGOUT_REQUEST_INVALID: "id_token_hint 不是此服务器的 ID 令牌，或属于其他应用。程序必须发送它收到的 ID 令牌。",
  INVALID_TOKEN: "访问令牌已失效（例如其会话已结束），或是用于某个资源的。请用户重新登录。",
  INSUFFICIENT_SCOPE: "访问令牌没有权限范围 openid。请在程序中请求。",
  TWO_HOSTS: "请求中指定了两个主机。请让代理发送客户端的主机。",
  SIGN_IN_NEEDED: "某个程序或脚本在没有登录 Cookie 的情况下发出请求。除非有人看到此情况，否则无需更正。",
  SIGN_IN_EXPIRED: "登录用时过长，或其授权码已被使用。请重新打开页面。",
  SIGN_IN_REFUSED: "登录结束时没有授权码。登录本身的拒绝记录在此记录旁边。",
  ANOTHER_BROWSER: "浏览器未保留 gate 的 Cookie。请检查代理是否转发 set-cookie，以及页面是否通过 https 提供。",
};
