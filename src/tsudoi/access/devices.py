"""What a browser says of itself, in words that an administrator recognises. Pure."""

_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "Chromebook",
    "Macintosh": "Mac",
    "Linux": "Linux",
}
# In this order, because most browsers also call themselves by the names of the later ones.
_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "Vivaldi": "Vivaldi",
    "SamsungBrowser": "Samsung Internet",
    "Line/": "LINE",
    "FxiOS": "Firefox",
    "Firefox": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
_LONGEST = 40


def device_in_words(user_agent: str) -> str:
    """`WindowsのChrome`, or the name that a program gives itself."""
    system = next((name for mark, name in _SYSTEMS.items() if mark in user_agent), None)
    browser = next((name for mark, name in _BROWSERS.items() if mark in user_agent), None)
    if system and browser:
        return f"{system}の{browser}"
    name = "".join(letter for letter in user_agent.partition("/")[0] if letter.isprintable())[:_LONGEST].strip()
    return system or browser or (f"プログラム（{name}）" if name else "不明な端末")
