from tsudoi.core.names import has_unseen, name_key

_LONGEST = 100


def username_fault(name: str) -> str | None:
    """Why nobody may get this name, for a person; None: it is fine.

    Two names must not look the same in the audit trail, where a colon stands before the name.
    """
    if not 1 <= len(name) <= _LONGEST:
        return f"ユーザー名は1〜{_LONGEST}文字にしてください。"
    if ":" in name or has_unseen(name):
        return "ユーザー名には、空白、コロン、目に見えない文字を使えません。"
    return None


def look_alike(name: str, existing: list[str]) -> str | None:
    """The existing name that people cannot tell from this one: only width, case of letters or invisible characters
    differ. Older names may have such characters.
    """
    if name in existing:
        return name
    key = name_key(name, nfkc=True)
    return next((other for other in existing if name_key(other, nfkc=True) == key), None)
