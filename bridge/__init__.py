"""The web port: grpc-web and JSON over the very handlers of the native port. Not there yet."""
