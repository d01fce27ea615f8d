"""Passwords are hashed on threads of their own, so that slow calls to other systems do not delay log-ins."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from tsudoi.core.passwords import check_password, hash_password

_HASHING = ThreadPoolExecutor(2, thread_name_prefix="hashing")


async def matches(password: str, password_hash: str | None) -> bool:
    return await asyncio.get_running_loop().run_in_executor(_HASHING, check_password, password, password_hash)


async def hashed(password: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(_HASHING, hash_password, password)
