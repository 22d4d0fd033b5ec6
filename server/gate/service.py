"""The RPC method of the gate: converts messages, and calls the decision."""

from keystead.gate.v1 import gate_service_pb2 as pb
from keystead.gate.v1 import gate_service_pb2_grpc as pb_grpc
from server.gate import decisions
from server.gate.commands import Gate
from server.gate.decisions import Allowed, Decision, Denied
from server.gate.forwarded import Check
from server.oauth.refused.recorder import Refusable, Refusals
from server.rpc.call import AnyCall
from server.rpc.messages import Nested
from server.validation.fields import Commands, read

COMMANDS: Commands = {"Check": Check}
# Of google.rpc.Code.
_OK, _PERMISSION_DENIED, _UNAUTHENTICATED = 0, 7, 16
_SIGNING_IN = (302, 401)


class GateService(pb_grpc.GateServiceServicer):
    """See `keystead/gate/v1/gate_service.proto`."""

    def __init__(self, gate: Gate, refused: Refusals) -> None:
        self._gate = gate
        self._refused = refused

    async def Check(self, request: pb.CheckRequest, call: AnyCall) -> pb.CheckResponse:
        http = request.attributes.request.http
        given = {
            "method": http.method,
            "scheme": http.scheme,
            "host": http.host,
            "path": http.path,
            "headers": tuple((each.key.lower(), each.value) for each in http.headers),
        }
        command = read(Check, {"attributes": {"request": {"http": given}}})
        asked = command.attributes.request.http
        decision = await self._gate.check(asked, organization_id=call.organization_id)
        if isinstance(decision, Denied) and decision.cause:
            refusable = Refusable("gate", decision.client_id, asked, call.organization_id)
            await self._refused.note(call, refusable, decision.cause)
            decision = decisions.with_request_id(decision, call.request_id)
        return _response(decision)


def _response(decision: Decision) -> pb.CheckResponse:
    if isinstance(decision, Allowed):
        return pb.CheckResponse(status=_status(_OK), ok_response=_allowed(decision))
    code = _UNAUTHENTICATED if decision.status in _SIGNING_IN else _PERMISSION_DENIED
    return pb.CheckResponse(status=_status(code), denied_response=_denied(decision))


def _status(code: int) -> Nested:
    return {"code": code}


def _allowed(decision: Allowed) -> Nested:
    return {
        "headers": [
            {
                "header": {"key": name, "value": value},
                "append_action": pb.HEADER_APPEND_ACTION_OVERWRITE_IF_EXISTS_OR_ADD,
            }
            for name, value in decision.headers.items()
        ],
        "headers_to_remove": decision.removed,
    }


def _denied(decision: Denied) -> Nested:
    return {
        "status": _status(decision.status),
        "headers": [{"header": {"key": name, "value": value}} for name, value in decision.headers],
        "body": decision.body,
    }
