"""grpc-web over the wrapped handlers of the seam: sonora, completed, and its frames."""
