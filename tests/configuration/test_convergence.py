"""Whatever an organization has, one run makes it what a file says."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.configuration.files import Configured

_NAMES = st.sampled_from(["a", "b", "on", "1"])
_GROUPS = st.dictionaries(
    _NAMES, st.fixed_dictionaries({}, optional={"display_name": st.sampled_from(["A", "", "ß"])})
)
_APPLICATION = st.fixed_dictionaries(
    {"kind": st.just("APPLICATION_KIND_NATIVE")},
    optional={
        "first_party": st.booleans(),
        "scopes": st.lists(st.sampled_from(["openid", "groups", "email"]), unique=True),
        "pkce": st.sampled_from(["APPLICATION_PKCE_UNSPECIFIED", "APPLICATION_PKCE_REQUIRED"]),
        "access_token_lifetime_seconds": st.sampled_from([0, 60, 300]),
    },
)


@given(
    contents=st.lists(
        st.fixed_dictionaries(
            {"groups": _GROUPS, "applications": st.dictionaries(_NAMES, _APPLICATION, max_size=3)}
        ),
        min_size=2,
        max_size=3,
    )
)
@settings(
    derandomize=True,
    deadline=None,
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
async def test_the_last_file_wins(org: Configured, contents: list[dict[str, object]]) -> None:
    for content in contents:
        applied = await org.apply(content, prunes=True)
        assert applied.succeeded, applied.errors

    assert await org.paths(contents[-1], prunes=True) == []
    assert await org.paths(await org.export(is_whole=True), prunes=True) == []
