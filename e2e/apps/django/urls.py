"""The pages of the project: who is signed in, and buttons that send forms."""

from django.contrib.auth.views import LogoutView
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.urls import path, reverse


def _who(request: HttpRequest) -> HttpResponse:
    user = request.user
    return HttpResponse(f"{user.get_username()} {getattr(user, 'email', '')}")


def _go(request: HttpRequest) -> HttpResponse:
    """A button for the view that the query names, with its arguments."""
    view, *arguments = request.META["QUERY_STRING"].split("/")
    action = reverse(view, args=arguments)
    return HttpResponse(
        f'<form method="post" action="{action}">'
        f'<input type="hidden" name="csrfmiddlewaretoken" value="{get_token(request)}">'
        "<button>Continue</button></form>"
    )


urlpatterns = [
    path("sign-out", LogoutView.as_view(), name="sign-out"),
    path("", _who),
    path("whoami", _who),
    path("go", _go),
]
