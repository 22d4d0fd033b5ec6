"""The URIs that applications can have."""

import pytest

from server.validation.uris import (
    check_https_uri,
    check_redirect_uri,
    check_secure_origin,
    is_private_http,
)

pytestmark = pytest.mark.python_differs("urllib.parse refuses more since 3.11.4 and 3.14")

_HOST = "host as browsers write it"
_CHARACTERS = "URI of ASCII characters"
_SEGMENT = "path segment"
_USER = "user information"
_ENCODED = "encoded control character"


@pytest.mark.parametrize(
    "uri",
    [
        "https://app.example.com",
        "https://app.example.com/callback?tenant=a%20b&x=1",
        "https://app.example.com:8443/a/b.c/..d/@user",
        "https://xn--mnchen-3ya.example/cb",
        "https://xn--i-7iq.example/cb",
        "https://192.0.2.1/cb",
        "https://[2001:db8::1]/cb",
        "http://localhost:3000/cb",
        "http://127.0.0.1/cb",
        "http://[::1]:8080/cb",
        "com.example.app:/callback",
        "com.example.app://callback/x",
        "https://app.example.com/" + "x" * 1976,
    ],
)
def test_a_redirect_uri_is_accepted(uri: str) -> None:
    assert check_redirect_uri(uri) == uri


@pytest.mark.parametrize(
    ("uri", "problem"),
    [
        ("", _CHARACTERS),
        ("https://", _HOST),
        ("https:///cb", _HOST),
        ("//app.example.com/cb", "begin with https"),
        ("/cb", "begin with https"),
        ("app.example.com/cb", "begin with https"),
        ("javascript:alert(1)", "begin with https"),
        ("https://xn--a.example/", _HOST),
        ("https://app.xn--.example/", _HOST),
        ("https://xn--app-.example/", _HOST),
        ("data:text/html,x", "begin with https"),
        ("myapp:/cb", "begin with https"),
        ("com..app:/cb", "begin with https"),
        ("Com.Example:/cb", "begin with https"),
        ("HTTPS://app.example.com/cb", "begin with https"),
        ("com.example.app:", "path"),
        ("com.example.app:?x", "path"),
        ("com.example.app://a@b/cb", _USER),
        ("com.example.app:/a/../b", _SEGMENT),
        ("https://app.example.com/cb#x", "fragment"),
        ("https://app.example.com/cb#", "fragment"),
        ("https://user@app.example.com/cb", _USER),
        ("https://user:secret@app.example.com/cb", _USER),
        ("https://app.example.com@evil.example/cb", _USER),
        ("https://app.example.com\\@evil.example/cb", _CHARACTERS),
        ("https://app.example.com\\cb", _CHARACTERS),
        ("https://app.example.com/c b", _CHARACTERS),
        ("https://app.example.com/cb\n", _CHARACTERS),
        ("https://app.example.com/\t", _CHARACTERS),
        ("https://app.example.com/\x00", _CHARACTERS),
        ("https://b\u00fccher.example/cb", _CHARACTERS),
        ("https://app.example.com/%zz", _CHARACTERS),
        ("https://app.example.com/a%", _CHARACTERS),
        ('https://app.example.com/"', _CHARACTERS),
        ("https://app.example.com/<x>", _CHARACTERS),
        ("https://APP.example.com/cb", _HOST),
        ("https://app.example.com./cb", _HOST),
        ("https://app.example.com:443/cb", _HOST),
        ("https://app.example.com:0443/cb", _HOST),
        ("https://app.example.com:/cb", _HOST),
        ("https://app.example.com:70000/cb", _HOST),
        ("https://app..example.com/cb", _HOST),
        ("https://*.example.com/cb", _HOST),
        ("https://%61pp.example.com/cb", _HOST),
        ("https://127.1/cb", _HOST),
        ("https://2130706433/cb", _HOST),
        ("https://0x7f.0.0.1/cb", _HOST),
        ("https://127.0.0.0x1/cb", _HOST),
        ("https://127.0.0.01/cb", _HOST),
        ("https://[0:0:0:0:0:0:0:1]/cb", _HOST),
        ("https://[::1/cb", _HOST),
        ("http://app.example.com/cb", "except on 127.0.0.1"),
        ("http://localhost.evil.example/cb", "except on 127.0.0.1"),
        ("http://127.0.0.2/cb", "except on 127.0.0.1"),
        ("http://app.localhost/cb", "except on 127.0.0.1"),
        ("http://localhost:80/cb", _HOST),
        ("https://app.example.com/a/../cb", _SEGMENT),
        ("https://app.example.com/./cb", _SEGMENT),
        ("https://app.example.com/..", _SEGMENT),
        ("https://app.example.com/a/%2e%2E/cb", _SEGMENT),
        ("https://app.example.com/a/.%2e?x", _SEGMENT),
        ("https://app.example.com/a%2f..%2fb", _SEGMENT),
        ("https://app.example.com/%2e", _SEGMENT),
        ("https://app.example.com/a%5c..%5cb", _ENCODED),
        ("https://app.example.com/a%0Ab", _ENCODED),
        ("https://app.example.com/a%00", _ENCODED),
        ("https://app.example.com/" + "x" * 1977, "at most 2000"),
    ],
)
def test_a_redirect_uri_that_leads_elsewhere_is_refused(uri: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        check_redirect_uri(uri)


@pytest.mark.parametrize(
    "host",
    [
        *("grafana", "grafana:3000", "a.internal", "a.b.local", "nas.lan", "x.home.arpa"),
        *("10.1.2.3", "172.16.0.1:8080", "172.31.255.255", "192.168.1.2", "[fd00::1]"),
    ],
)
def test_http_is_accepted_on_private_names_and_addresses(host: str) -> None:
    assert is_private_http(check_redirect_uri(f"http://{host}/cb"))
    assert not is_private_http(check_redirect_uri(f"https://{host}/cb"))
    with pytest.raises(ValueError, match=r"except on 127\.0\.0\.1"):
        check_secure_origin(f"http://{host}")


@pytest.mark.parametrize(
    "host",
    [
        *(
            "grafana.com",
            "a.internal.com",
            "internal.example",
            "a.localdomain",
            "home.arpa.example",
        ),
        *("11.0.0.1", "172.32.0.1", "192.169.1.2", "169.254.169.254"),
        *("[fe80::1]", "[2001:db8::1]"),
    ],
)
def test_http_is_refused_on_public_names_and_addresses(host: str) -> None:
    with pytest.raises(ValueError, match=r"except on 127\.0\.0\.1"):
        check_redirect_uri(f"http://{host}/cb")


def test_http_on_this_machine_and_private_schemes_are_not_meant() -> None:
    for uri in ("http://localhost:3000/", "http://127.0.0.1/", "http://[::1]/", "com.example:/"):
        assert not is_private_http(uri)


@pytest.mark.parametrize(
    "uri", ["http://localhost/logout", "com.example.app:/x", "https://a@b/", "https://a.example/.."]
)
def test_the_server_connects_only_to_https(uri: str) -> None:
    assert check_https_uri("https://app.example.com/logout?x")
    with pytest.raises(ValueError, match="must"):
        check_https_uri(uri)


@pytest.mark.parametrize(
    "origin",
    [
        *("https://app.example.com/", "https://app.example.com?x", "http://app.example.com"),
        *("https://a@b.example", "com.example.app:/", "https://APP.example.com", "null", ""),
    ],
)
def test_an_origin_is_that_of_pages_over_https(origin: str) -> None:
    assert check_secure_origin("https://app.example.com:8443")
    assert check_secure_origin("http://localhost:8080")
    with pytest.raises(ValueError, match="must"):
        check_secure_origin(origin)
