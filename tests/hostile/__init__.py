"""What nobody should send, sent to a whole server in a process of its own."""
