"""The faults that remove the leader. Each lasts until the cluster is complete again."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from chaos.ha.patroni import Cluster


@asynccontextmanager
async def switch_over(cluster: Cluster) -> AsyncIterator[str]:
    """A planned switch-over to the synchronous standby."""
    await cluster.switch_over()
    yield "asked Patroni to switch over"


@asynccontextmanager
async def kill(cluster: Cluster) -> AsyncIterator[str]:
    """SIGKILL for PostgreSQL and Patroni of the leader; they start again when others lead."""
    leader = await cluster.leader()
    await leader.kill()
    try:
        yield f"killed the leader, {leader.name}"
    finally:
        await leader.start()


@asynccontextmanager
async def freeze(cluster: Cluster) -> AsyncIterator[str]:
    """SIGSTOP for PostgreSQL and Patroni of the leader; they go on when others lead."""
    leader = await cluster.leader()
    leader.freeze()
    try:
        yield f"stopped all processes of the leader, {leader.name}"
    finally:
        leader.thaw()


@asynccontextmanager
async def cut_off(cluster: Cluster) -> AsyncIterator[str]:
    """The leader loses etcd, the other nodes do not, and one of them takes over."""
    leader = await cluster.leader()
    leader.gateway.cut()
    try:
        other = await cluster.leader(but=leader)
        yield f"cut the leader, {leader.name}, off from etcd until {other.name} led"
    finally:
        leader.gateway.mend()


@asynccontextmanager
async def etcd_down(cluster: Cluster) -> AsyncIterator[str]:
    """SIGKILL for etcd, which starts again once the leader has stepped down."""
    await cluster.etcd.kill()
    await cluster.has_no_leader()
    await cluster.etcd.start()
    yield "killed etcd, and started it when the leader had stepped down"


Fault = Callable[[Cluster], AbstractAsyncContextManager[str]]

FAULTS: Mapping[str, Fault] = {
    "switch-over": switch_over,
    "kill": kill,
    "freeze": freeze,
    "cut-off": cut_off,
    "etcd-down": etcd_down,
}
