"""The API of STORES 予約 (version 202101): reading customers and reservations."""
