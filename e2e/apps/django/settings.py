"""A project of Django that knows nothing of Keystead."""

from pathlib import Path

DEBUG = True
ALLOWED_HOSTS = ["*"]
SECRET_KEY = "of this test"
ROOT_URLCONF = "urls"
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": Path(__file__).with_name("db.sqlite3"),
    }
}
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "/whoami"
STATIC_URL = "static/"
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
