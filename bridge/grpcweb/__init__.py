"""grpc-web over the methods of the seam: an application on top of sonora, and the frames."""
