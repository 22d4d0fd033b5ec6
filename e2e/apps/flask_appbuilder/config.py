"""A configuration that knows nothing of Keystead."""

SECRET_KEY = "of this test"
SQLALCHEMY_DATABASE_URI = "sqlite:///program.db"
