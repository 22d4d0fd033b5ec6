"""The web port: grpc-web and JSON over the same methods as the native port, and the pages.

`port` runs uvicorn, `app` is the application on it, `grpcweb` and `json` are the two protocols, and
`oauth` spells the methods of OAuthService. `call` makes the `Call` of a request for all of them.

The rule: this package uses the seam (`server.rpc`) and no feature.
"""
