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
    DemoFriend("ケン🎣", follows=True),
    DemoFriend("髙橋　美咲", follows=True),
    DemoFriend("Emi Tanaka", follows=True),
    DemoFriend("伊藤商店（伊藤 勝）", follows=True),
    DemoFriend("中村 千代", follows=True),
    DemoFriend("小林 大輔", follows=False),
    DemoFriend("勅使河原 龍之介", follows=False),
)
