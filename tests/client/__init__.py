"""keystead_client against real servers, and against a server with chosen failures."""
