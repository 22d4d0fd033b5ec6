"""Sessions, tokens, roles and others end, while two servers and three proxies are asked."""

from chaos.report import Report
from chaos.revocation.run import measure
from chaos.stage import Scale, Stage


async def run(stage: Stage, scale: Scale, report: Report) -> None:
    """Every place refuses within its bound; `python -m chaos.revocation` measures more ends."""
    await measure(stage, report, ends=scale.ends, ends_under_faults=scale.ends // 4)
