"""The shops, customers and reservations of STORES 予約, as far as its API shows them."""
