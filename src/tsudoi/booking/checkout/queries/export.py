"""The office's file of payments."""

from tsudoi.booking.checkout.queries.office import office_payment, payment_rows
from tsudoi.booking.checkout.rules.listing import COLUMNS, cells
from tsudoi.booking.checkout.schemas import PaymentExport
from tsudoi.booking.reservations.queries.export import file_content
from tsudoi.core.db.interface import ReadTx


def payment_file(tx: ReadTx, asked: PaymentExport) -> bytes:
    rows = (cells(office_payment(row, tx.now)) for row in payment_rows(tx, asked))
    return file_content("支払い", COLUMNS, rows, asked)
