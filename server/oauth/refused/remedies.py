"""The remedies of refusals: a sentence for the administrator, and the setting that is one.

The rule: a value that came with a request is a proposal of anybody. A setting is proposed only if
it is valid, and the sentence says what must be true before it is set.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from server.application.configuration import ApplicationKind, ApplicationPKCE
from server.application.resources import check_scope
from server.application.store import Application
from server.oauth.refused.causes import Cause
from server.oauth.refused.store import KeptRefusal
from server.validation.uris import check_redirect_uri, is_private_http, is_web

# Fields of an application and their new values.
Setting = Mapping[str, Any]

_PROGRAM: Final = "Correct the settings of the program."
TEXTS: Final[Mapping[str, str]] = {
    Cause.INVALID_FIELDS: "The parameter {parameter} is missing, malformed or too long."
    f" {_PROGRAM}",
    Cause.REDIRECT_URI_NOT_REGISTERED: "The redirect_uri that came is {value}. Anybody can send"
    " one: if it is the application's, add it to its redirect URIs, to the letter. An http://"
    " address of a private network also needs allows_http.",
    Cause.POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED: "The post_logout_redirect_uri that came is"
    " {value}. Anybody can send one: if it is the application's, add it to its post-logout redirect"
    " URIs, to the letter. An http:// address of a private network also needs allows_http.",
    Cause.KIND_WITHOUT_SIGN_IN: "An application of this kind signs nobody in. Add another one of"
    " the kind WEB, BROWSER or NATIVE.",
    Cause.PKCE_MISSING: "The program sends no PKCE. Switch it on there. If it cannot, set pkce to"
    " APPLICATION_PKCE_PKCE_OR_NONCE: a nonce then protects a code. For a program without a nonce,"
    " set it to APPLICATION_PKCE_NONE: the secret alone then protects a stolen code.",
    Cause.CODE_CHALLENGE_MISSING: f"The program sends no code_challenge. {_PROGRAM}",
    Cause.CODE_CHALLENGE_METHOD: "The code_challenge_method that came is '{value}'. Set the program"
    " to S256.",
    Cause.CODE_CHALLENGE_MALFORMED: "The code_challenge is no SHA-256 in base64url. Update the"
    " program.",
    Cause.NOT_PUSHED: "The application must push its requests, and the program does not. Switch"
    " pushed authorization requests on there, or no longer require them.",
    Cause.REQUEST_NOT_SUPPORTED: "The program sends a request object. Switch it off there.",
    Cause.REQUEST_URI_NOT_SUPPORTED: "The program sends a request_uri that was not pushed here."
    " Switch it off there.",
    Cause.AUTHORIZATION_REQUEST_EXPIRED: "The request_uri was used 90 seconds after it was pushed,"
    " or by another application. Sign in again.",
    Cause.UNSUPPORTED_RESPONSE_TYPE: "The response_type that came is '{value}'. Set the program to"
    " the authorization code flow: code.",
    Cause.UNSUPPORTED_RESPONSE_MODE: "The response_mode that came is '{value}'. Set the program to"
    " query or form_post.",
    Cause.PROMPT: "The prompt that came is '{value}'. Set the program to none, login, consent or"
    " select_account, or to nothing.",
    Cause.INVALID_SCOPE: "The scope that came is '{value}'. Request fewer in the program, or add"
    " those that it needs to the application.",
    Cause.SCOPE_MALFORMED: "The scope that came is '{value}', which has a character that no scope"
    f" may have. {_PROGRAM}",
    Cause.INVALID_TARGET: "The resource that came is '{value}'. It must be the identifier, to the"
    " letter, of an application of the kind RESOURCE in the application's organization, or of one"
    " for all organizations: add it, or correct the program. A token request names one of those of"
    " the authorization.",
    Cause.CLAIMS: f"The parameter claims is not the JSON of OpenID Connect. {_PROGRAM}",
    Cause.ID_TOKEN_HINT: "The id_token_hint is of another application, or of another user. Sign out"
    " of the program and sign in again.",
    Cause.UNMET_AUTHENTICATION_REQUIREMENTS: "The program requires a sign-in that the user has not"
    " given. The user signs in with a passkey, or the program requires less.",
    Cause.LOGIN_REQUIRED: "The program asked without a page (prompt=none), and the user had to sign"
    " in. The program then asks with a page: there is nothing to correct.",
    Cause.CONSENT_REQUIRED: "The program asked without a page (prompt=none), and the user had to"
    " agree. The program then asks with a page, or the application is of the first party.",
    Cause.INTERACTION_REQUIRED: "The program asked without a page (prompt=none), which was needed."
    " The program then asks with a page: there is nothing to correct.",
    Cause.ACCESS_DENIED: "The user canceled. There is nothing to correct.",
    Cause.APPLICATION_NOT_ALLOWED: "The user is in none of the groups, or not in the organization,"
    " that the application admits. Add the user to a group, or admit more users.",
    Cause.EMAIL_REQUIRED: "The user has no mail address, which the application requires. Add it to"
    " the user.",
    Cause.MESSAGE_TOO_LARGE: "The parameters are too long for a URL. Shorten state, scope or nonce"
    " in the program.",
    Cause.INVALID_CLIENT: "The signature or a claim of the client_assertion is wrong. Compare its"
    " key with the application, its iss and sub with the client ID, and the clocks.",
    Cause.SECRET_MISSING: "The program sends no secret. Enter one of the application there: create"
    " a new one if it is lost.",
    Cause.SECRET_WRONG: "The secret is none of the application's. Create a new one, and enter it in"
    " the program.",
    Cause.SECRET_NOT_EXPECTED: "The program sends a secret, and the application has none. Remove"
    " the secret there, or add the application again with the kind WEB.",
    Cause.ASSERTION_MISSING: "The application authenticates by private_key_jwt, and the program"
    " sends no assertion. Set the program to private_key_jwt, or the application to a secret.",
    Cause.ASSERTION_NOT_EXPECTED: "The program sends an assertion, and the application does not"
    " authenticate by private_key_jwt. Set both to the same method.",
    Cause.ASSERTION_AUDIENCE: "The audience of the assertion is the token endpoint. Set the program"
    " to the issuer, or accept the endpoint, too.",
    Cause.CLIENT_KEYS_UNREACHABLE: "The keys at the jwks_uri of the application could not be read."
    " Open it from the server: it must answer over https, without a redirect.",
    Cause.UNAUTHORIZED_CLIENT: "The grant_type that came is '{value}', which an application of this"
    " kind cannot use.",
    Cause.UNSUPPORTED_GRANT_TYPE: "The grant_type that came is '{value}', which is not supported."
    " Set the program to the authorization code flow.",
    Cause.CODE_INVALID: "The code was used before or had expired after a minute, or the"
    " redirect_uri or code_verifier was another one than at the authorization. Sign in again; if"
    " it repeats, compare the addresses and the clocks of the program's servers.",
    Cause.REFRESH_TOKEN_INVALID: "The refresh token has expired, was revoked or was replaced. The"
    " user signs in again.",
    Cause.SIGN_IN_ENDED: "The session of the user has ended, or the application no longer admits"
    " the user. The user signs in again.",
    Cause.DEVICE_CODE_INVALID: "The device code is unknown or was used. Start again on the device.",
    Cause.EXPIRED_TOKEN: "Nobody approved the device within ten minutes. Start again on it.",
    Cause.INVALID_SUBJECT_TOKEN: "The subject_token does not fit the workload issuers of the"
    " application. Compare its iss, aud, sub and claims: the log line has the one that differs.",
    Cause.WORKLOAD_ISSUER_UNREACHABLE: "The keys of the workload issuer could not be read. Open its"
    " discovery document from the server.",
    Cause.LOGOUT_REQUEST_INVALID: "The id_token_hint is no ID token of this server, or of another"
    " application. Let the program send the one that it got.",
    Cause.INVALID_TOKEN: "The access token has ended, with its session for example, or is meant for"
    " a resource. The user signs in again.",
    Cause.INSUFFICIENT_SCOPE: "The access token has not the scope openid. Request it in the"
    " program.",
    Cause.TWO_HOSTS: "The request named two hosts. Let the proxy send the one of the client.",
    Cause.SIGN_IN_NEEDED: "A program or script asked without the cookie of a sign-in. There is"
    " nothing to correct, unless people see this.",
    Cause.SIGN_IN_EXPIRED: "The sign-in took too long, or its code was used. Open the page again.",
    Cause.SIGN_IN_REFUSED: "The sign-in ended without a code. Its own refusal is beside this one.",
    Cause.ANOTHER_BROWSER: "The browser did not keep the cookie of the gate. Check that the proxy"
    " passes set-cookie on, and that the page is served over https.",
}


def text_of(refusal: KeptRefusal) -> str:
    """The sentence for the administrator."""
    text = TEXTS.get(refusal.reason, _PROGRAM)  # a newer server may have other reasons
    return text.format(parameter=refusal.parameter, value=refusal.value)


def setting_of(refusal: KeptRefusal, application: Application) -> Setting:
    """The setting that mends the cause, if it is one; otherwise empty.

    It may weaken the application, so nobody sets it without a question.
    """
    proposed = _SETTINGS.get(refusal.reason)
    return proposed(refusal, application) if proposed else {}


# The protection of codes that asks for less than another one.
_LESS: Final[Mapping[str, str]] = {
    ApplicationPKCE.REQUIRED: ApplicationPKCE.PKCE_OR_NONCE,
    ApplicationPKCE.PKCE_OR_NONCE: ApplicationPKCE.NONE,
}


def _less_pkce(_refusal: KeptRefusal, application: Application) -> Setting:
    less = _LESS.get(application.configuration.pkce)
    if less is None or application.kind != ApplicationKind.WEB:
        return {}
    return {"pkce": f"APPLICATION_PKCE_{less}"}


def _further_uri(field: str) -> Callable[[KeptRefusal, Application], Setting]:
    def further(refusal: KeptRefusal, application: Application) -> Setting:
        registered = getattr(application.configuration, field)
        takes_uris = application.kind in (ApplicationKind.WEB, ApplicationKind.BROWSER)
        takes_uris = is_web(refusal.value) if takes_uris else application.kind == "NATIVE"
        if is_private_http(refusal.value) and not application.configuration.allows_http:
            return {}
        try:
            check_redirect_uri(refusal.value)
        except ValueError:
            return {}
        is_new = refusal.value not in registered
        return {field: (*registered, refusal.value)} if takes_uris and is_new else {}

    return further


def _further_scopes(refusal: KeptRefusal, application: Application) -> Setting:
    allowed = application.configuration.scopes
    requested = [each for each in dict.fromkeys(refusal.value.split()) if each not in allowed]
    try:
        for each in requested:
            check_scope(each)
    except ValueError:
        return {}
    return {"scopes": (*allowed, *requested)} if requested else {}


_SETTINGS: Final[Mapping[str, Callable[[KeptRefusal, Application], Setting]]] = {
    Cause.REDIRECT_URI_NOT_REGISTERED: _further_uri("redirect_uris"),
    Cause.POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED: _further_uri("post_logout_redirect_uris"),
    Cause.PKCE_MISSING: _less_pkce,
    Cause.NOT_PUSHED: lambda _refusal, _of: {"requires_pushed_authorization_requests": False},
    Cause.INVALID_SCOPE: _further_scopes,
    Cause.ASSERTION_AUDIENCE: lambda _refusal, _of: {"allows_token_endpoint_audience": True},
}
