"""Shops: shops with their secrets and parameters, customers who prove who they are, tickets (document 004)."""

from datetime import timedelta

from tsudoi.access.registration import Clockwork, Context, NavigationItem, Sender, Tag, in_batches, in_transaction
from tsudoi.shops import audit_names
from tsudoi.shops.api_data.service import api_comm_of
from tsudoi.shops.connectivity import endpoints as connectivity
from tsudoi.shops.customers import endpoints as customers
from tsudoi.shops.identity.endpoints import help_api, help_pages, verifying
from tsudoi.shops.identity.endpoints import liff as identity_in_line
from tsudoi.shops.identity.jobs import mail_is_still_true
from tsudoi.shops.identity.service.proving import IDENTITY_PROOF, forget_mail_texts
from tsudoi.shops.linked_customers.jobs import reservations_at_stores
from tsudoi.shops.links import jobs as link_notices
from tsudoi.shops.links.queries import unsent_notices
from tsudoi.shops.links.service.sending import LINK_NOTICES, forget_texts
from tsudoi.shops.overview import endpoints as overview
from tsudoi.shops.parameters import endpoints as parameters
from tsudoi.shops.person_records.queries import CUSTOMER_CHECKS, CUSTOMER_RECORDS
from tsudoi.shops.person_records.service import CUSTOMER_TABLES
from tsudoi.shops.secrets import endpoints as secrets
from tsudoi.shops.secrets.service.keeping import key_ring_of
from tsudoi.shops.secrets.service.rotating import forget_expired_proofs
from tsudoi.shops.snapshots.service import forget_ended
from tsudoi.shops.switch import REQUIRED_SETTINGS

CONTEXT = Context(
    name="shops",
    routers=(
        help_pages.router,
        verifying.router,
        help_api.router,
        identity_in_line.router,
        overview.router,
        secrets.router,
        parameters.router,
        connectivity.router,
        customers.router,
    ),
    tags=(Tag("shops", "Shops, their secrets and parameters, customers' links."),),
    parts=(key_ring_of, api_comm_of),
    outboxes={"link_notices": LINK_NOTICES},
    senders=(Sender("link_notices", link_notices.send_due),),
    promised_messages=unsent_notices,
    mail_checks={IDENTITY_PROOF: mail_is_still_true},
    visitor_reservations=reservations_at_stores,
    member_pages=("reservations", "shops"),
    clockwork=(
        Clockwork(
            "forget_link_notices",
            timedelta(hours=6),
            in_batches(forget_texts, lambda settings: settings.keep_message_texts_days),
        ),
        Clockwork("finish_link_push_log", timedelta(minutes=1), link_notices.finish_log),
        Clockwork("forget_ended_snapshots", timedelta(minutes=5), in_batches(forget_ended)),
        Clockwork("forget_identity_mails", timedelta(minutes=5), in_transaction(forget_mail_texts)),
        Clockwork("forget_expired_proofs", timedelta(minutes=10), in_batches(forget_expired_proofs)),
    ),
    navigation=(
        NavigationItem("receive", "店舗", "/shops", "shops"),
        NavigationItem("people", "お客さま", "/customers", "customers"),
        NavigationItem("manage", "外部との接続", "/connections", "connections"),
    ),
    audit_actions=audit_names.ACTIONS,
    audit_subjects=audit_names.SUBJECTS,
    audit_fields=audit_names.FIELDS,
    required_settings=REQUIRED_SETTINGS,
    off_without_settings=True,
    person_sources=(CUSTOMER_RECORDS,),
    person_tables=CUSTOMER_TABLES,
    drift_checks=CUSTOMER_CHECKS,
)
