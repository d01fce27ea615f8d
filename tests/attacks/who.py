"""Everybody who might knock at a route, and what usual kinds of routes tell them."""

WHO = (
    "nobody",
    "header_only",
    "member",
    "admin_cookie",
    "admin_cookie_without_csrf",
    "admin_bearer",
    "staff",
    "staff_0000",
)
EVERYBODY = dict.fromkeys(WHO, 200)
OFFICE_READS = {**dict.fromkeys(WHO, 401), "admin_cookie": 200, "admin_cookie_without_csrf": 200, "admin_bearer": 200}
OFFICE_WRITES = {**dict.fromkeys(WHO, 401), "admin_cookie": 204, "admin_cookie_without_csrf": 403, "admin_bearer": 204}
# Let in, and told that there is no such thing: the tables are empty here.
OFFICE_LOOKS_FOR = {**OFFICE_READS, "admin_cookie": 404, "admin_cookie_without_csrf": 404, "admin_bearer": 404}
OFFICE_WRITES_WRONGLY = {**OFFICE_WRITES, "admin_cookie": 400, "admin_bearer": 400}
OFFICE_CREATES = {**OFFICE_WRITES, "admin_cookie": 201, "admin_bearer": 201}
OFFICE_DOES = {**OFFICE_WRITES, "admin_cookie": 200, "admin_bearer": 200}
OFFICE_CHANGES = {**OFFICE_WRITES, "admin_cookie": 404, "admin_bearer": 404}
OFFICE_QUESTIONS = {**OFFICE_READS, "admin_cookie": 400, "admin_cookie_without_csrf": 400, "admin_bearer": 400}
# The PIN that everybody knows opens nothing but its change.
STAFF = {**dict.fromkeys(WHO, 401), "staff_0000": 428}
STAFF_LOOK_FOR = {**STAFF, "staff": 404}
NOT_REGISTERED = {**dict.fromkeys(WHO, 401), "member": 403}
STAFF_READS = {**STAFF, "staff": 200}
# Let in, and told what is missing in the body.
STAFF_WRITES = {**STAFF, "staff": 400}
# The token in the address is the whole proof, and nobody guesses it.
UNKNOWN_LINK = dict.fromkeys(WHO, 404)
