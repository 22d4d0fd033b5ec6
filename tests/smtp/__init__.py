"""The SMTP configuration."""
