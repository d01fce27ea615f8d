"""The made-up people of the demo. Their ids are fixed, so that a second start finds the same people."""

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DemoFriend:
    name: str
    follows: bool

    @property
    def user_id(self) -> str:
        return "U" + hashlib.sha256(self.name.encode()).hexdigest()[:32]


FRIENDS = (
    DemoFriend("山田 太郎", follows=True),
    DemoFriend("佐藤 花子", follows=True),
    DemoFriend("鈴木 一郎", follows=True),
    DemoFriend("高橋 美咲", follows=False),
    DemoFriend("ケン🎣", follows=False),
)
