"""An OpenTelemetry collector that discards all spans.

`python -m bench.collector` takes OTLP over gRPC, says which port it serves, logs each export, and
ends with SIGTERM.
"""

import json
from concurrent import futures

import grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as pb
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as pb_grpc


class _Discarding(pb_grpc.TraceServiceServicer):
    def Export(
        self, request: pb.ExportTraceServiceRequest, _context: object
    ) -> pb.ExportTraceServiceResponse:
        spans = sum(
            len(scope.spans) for each in request.resource_spans for scope in each.scope_spans
        )
        print(json.dumps({"event": "export", "spans": spans}), flush=True)
        return pb.ExportTraceServiceResponse()


def _serve() -> None:
    server = grpc.server(futures.ThreadPoolExecutor(1))
    pb_grpc.add_TraceServiceServicer_to_server(_Discarding(), server)  # type: ignore[no-untyped-call]
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(json.dumps({"event": "serving gRPC", "port": port}), flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    _serve()
