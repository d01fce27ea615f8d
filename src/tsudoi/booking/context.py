"""Booking: staff with their PINs, slots, and reservations that cannot be overbooked."""

from datetime import timedelta

from tsudoi.access.registration import (
    Clockwork,
    Context,
    NavigationItem,
    PageMount,
    Sender,
    SettingsSwitch,
    Tag,
    TelephoneKind,
    in_batches,
    in_transaction,
)
from tsudoi.booking import audit_names
from tsudoi.booking.accounts import endpoints as accounts
from tsudoi.booking.checkout.endpoints import office as office_payments
from tsudoi.booking.checkout.endpoints import own as own_payments
from tsudoi.booking.checkout.endpoints import webhook as stripe_webhook
from tsudoi.booking.checkout.jobs.reconciling import reconcile_by_the_clock
from tsudoi.booking.checkout.jobs.tasks import do_due_tasks
from tsudoi.booking.coverage import endpoints as coverage
from tsudoi.booking.coverage_reminders import endpoints as coverage_reminders
from tsudoi.booking.coverage_reminders import jobs as reminding
from tsudoi.booking.coverage_reminders.queries import unsent_reminders
from tsudoi.booking.coverage_reminders.rules import MAIL_SUBJECT
from tsudoi.booking.coverage_reminders.service.sending import RECIPIENTS, mail_is_still_true
from tsudoi.booking.departments import endpoints as departments
from tsudoi.booking.imports import endpoints as imports
from tsudoi.booking.login import endpoints as login
from tsudoi.booking.login.service import forget_expired, forget_old_devices
from tsudoi.booking.my_reservations.jobs import visitor_reservations
from tsudoi.booking.notices import endpoints as notices
from tsudoi.booking.notices.queries.facts import reader_of
from tsudoi.booking.payments.jobs import stripe_client
from tsudoi.booking.payments.service.tasks import TASKS
from tsudoi.booking.person_records.queries import STAFF_CHECKS, STAFF_RECORDS
from tsudoi.booking.person_records.service import STAFF_TABLES
from tsudoi.booking.pins.jobs import PinHasher
from tsudoi.booking.pins.service import forget_old_attempts
from tsudoi.booking.planning.endpoints import many as many_slots
from tsudoi.booking.planning.endpoints import slots as planned_slots
from tsudoi.booking.profile import endpoints as profile
from tsudoi.booking.reception import endpoints as reception
from tsudoi.booking.reservations.endpoints import calendar, open_slots
from tsudoi.booking.reservations.endpoints import office as office_reservations
from tsudoi.booking.reservations.endpoints import own as own_reservations
from tsudoi.booking.reservations.queries.waiting import PROMOTED
from tsudoi.booking.reservations.service.holds import give_back_expired
from tsudoi.booking.reservations.service.waiting import expire
from tsudoi.booking.staffs.queries import known_staff
from tsudoi.booking.switch import REQUIRED_SETTINGS
from tsudoi.booking.types import endpoints as types

CONTEXT = Context(
    name="booking",
    routers=(
        # This router is the first, because it is called most.
        own_reservations.bookings,
        open_slots.router,
        login.router,
        login.door,
        # This one comes before the reservations, because `123.ics` is no id.
        calendar.router,
        calendar.keys,
        own_reservations.router,
        own_reservations.changes,
        own_reservations.waits,
        own_payments.router,
        stripe_webhook.router,
        profile.router,
        departments.public,
        # This one comes before the single slots, because `calendar` is no slot id.
        many_slots.router,
        planned_slots.router,
        office_reservations.files,
        office_reservations.router,
        office_payments.files,
        office_payments.router,
        reception.router,
        coverage.router,
        notices.own,
        notices.lists,
        notices.router,
        coverage_reminders.router,
        imports.router,
        accounts.router,
        departments.router,
        types.router,
    ),
    tags=(Tag("booking", "Staff of a hospital, slots, and their reservations."),),
    navigation=(
        NavigationItem("receive", "予約", "/booking", "booking"),
        NavigationItem("receive", "受付", "/reception", "reception"),
        NavigationItem("people", "職員", "/staffs", "staffs"),
        NavigationItem("tell", "通知", "/notifications", "notifications"),
    ),
    switches=(
        SettingsSwitch(
            "payments",
            lambda settings: settings.payments_on,
            (NavigationItem("receive", "決済", "/payments", "payments"),),
        ),
    ),
    parts=(PinHasher.of, stripe_client, reader_of),
    outboxes={"payment_tasks": TASKS, "coverage_reminders": RECIPIENTS},
    senders=(Sender("payment_tasks", do_due_tasks), Sender("coverage_reminders", reminding.send_due)),
    pages=(PageMount("/staff", "staff"),),
    body_limits={
        imports.PATH: imports.LARGEST_FILE,
        imports.REJECTED_PATH: imports.LARGEST_FILE,
        stripe_webhook.PATH: stripe_webhook.LARGEST_BODY,
    },
    promised_messages=unsent_reminders,
    telephone_kinds={PROMOTED: TelephoneKind("キャンセル待ちからの予約", "/notifications?query={id}", "reservation")},
    mail_checks={MAIL_SUBJECT: mail_is_still_true},
    known_people=known_staff,
    visitor_reservations=visitor_reservations,
    member_pages=("reservations",),
    person_sources=(STAFF_RECORDS,),
    person_tables=STAFF_TABLES,
    drift_checks=STAFF_CHECKS,
    clockwork=(
        Clockwork("give_back_expired_holds", timedelta(minutes=1), in_transaction(give_back_expired)),
        Clockwork("finish_coverage_push_log", timedelta(minutes=1), reminding.finish_log),
        Clockwork("reconcile_payments", timedelta(hours=1), reconcile_by_the_clock),
        Clockwork("expire_waiting_places", timedelta(minutes=10), in_transaction(expire)),
        Clockwork("forget_old_pin_attempts", timedelta(hours=1), in_batches(forget_old_attempts)),
        Clockwork(
            "forget_expired_staff_sessions",
            timedelta(hours=1),
            in_batches(forget_expired, lambda settings: settings.keep_sessions_days),
        ),
        Clockwork("forget_old_staff_devices", timedelta(hours=1), in_batches(forget_old_devices)),
    ),
    audit_actions=audit_names.ACTIONS,
    audit_subjects=audit_names.SUBJECTS,
    audit_fields=audit_names.FIELDS,
    audit_actors={"stripe": "Stripe（支払い）"},
    required_settings=REQUIRED_SETTINGS,
    off_without_settings=True,
)
