from typing import Any

from sqlalchemy import Row

from tsudoi.core.db.interface import Tx
from tsudoi.core.runtime import Runtime
from tsudoi.shops.identity.service import proving


def mail_is_still_true(_runtime: Runtime, tx: Tx, mail: Row[Any]) -> bool:
    """The check of a mail with a link or a code, right before its content goes out."""
    return proving.mail_is_still_true(tx, mail)
