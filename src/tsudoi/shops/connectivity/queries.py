from sqlalchemy import select

from tsudoi.core.db.interface import ReadTx
from tsudoi.shops.connectivity.models import ConnectivityCheck
from tsudoi.shops.connectivity.schemas import CheckHistory, CheckItem, target_results

_SHOWN = 30


def check_history(tx: ReadTx) -> CheckHistory:
    table = ConnectivityCheck
    rows = tx.execute(select(*table.__table__.c).order_by(table.id.desc()).limit(_SHOWN))
    return CheckHistory(
        history=[
            CheckItem(
                id=row.id,
                checked_at=row.checked_at_utc,
                code=row.code,
                results=target_results(row.results_json),
                asked_by=row.asked_by,
                request_id=row.request_id,
            )
            for row in rows
        ]
    )
