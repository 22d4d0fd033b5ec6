"""User names, whose users are created, locked, unlocked and removed."""

from typing import Any, Self
from uuid import uuid4

from chaos.objects.subject import CALL_SECONDS, Hand, Subject, by_chance, chosen
from keystead.user.v1 import user_service_pb2 as pb


class UserName(Subject):
    """A name that at most one user has."""

    model = "user"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._user_ids: list[str] = []

    @classmethod
    async def created(cls, hand: Hand, before: Self | None) -> Self:
        return cls(f"user-{uuid4().hex}")

    async def step(self, hand: Hand) -> Any:
        admin = hand.admin
        if not self._user_ids or by_chance(0.15):
            creation = pb.CreateUserRequest(user_name=self.name)
            call = admin.call(admin.users.CreateUser, creation, timeout=CALL_SECONDS)
            created = await self.make(
                hand, "create", call, answer=lambda created: str(created.user_id)
            )
            if created is not None:
                self._user_ids.append(created.user_id)
            return created
        latest = self._user_ids[-2:]
        user_id = latest[chosen(len(latest))]
        if by_chance(0.5):
            server, stale = hand.reader
            read = pb.GetUserRequest(user_id=user_id)
            call = server.call(server.users.GetUser, read, timeout=CALL_SECONDS)
            return await self.make(
                hand, "read", call, argument=user_id, answer=_state, stale_seconds=stale
            )
        name, method, request = [
            ("lock", admin.users.LockUser, pb.LockUserRequest(user_id=user_id)),
            ("unlock", admin.users.UnlockUser, pb.UnlockUserRequest(user_id=user_id)),
            ("remove", admin.users.RemoveUser, pb.RemoveUserRequest(user_id=user_id)),
        ][chosen(3)]
        call = admin.call(method, request, timeout=CALL_SECONDS)
        return await self.make(hand, name, call, argument=user_id)


def _state(found: pb.GetUserResponse) -> str:
    return "LOCKED" if found.user.HasField("locked_at") else "OK"
