"""The web port: grpc-web and JSON over the very handlers of the native port, and the pages.

`port` runs uvicorn, `app` is the application on it, `grpcweb` and `transcoding` are the two ways to
call a method. It knows the seam (`server.rpc.methods`) and no feature.
"""
