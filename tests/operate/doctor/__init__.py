"""Every check on a sound installation and on one with the problem."""
