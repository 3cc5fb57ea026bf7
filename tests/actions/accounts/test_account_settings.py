"""Account settings are validated field by field, and each change is recorded.

All problems are reported at once.
"""

from datetime import date

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.audit import activity
from prorata.actions.delivery import send_schedule
from prorata.domain.delivery.send_schedule import when
from prorata.errors import InvalidRequest
from prorata.store.accounts import accounts as stored_accounts
from tests.landlord import Landlord

ALL = Wishes(
    name="Ann's Homes",
    address="1 Main St\nReno, NV 89501",
    contact="ann@homes.example",
    phone="+1 775 555 0100",
    mail_subject="Utilities {month}",
    mail_opening="Hi,\nhere it is.",
    timezone="America/Chicago",
    locale="de-DE",
    currency="EUR",
    payment_terms=30,
    answer_days=7,
    keep_invoices_years=12,
    keep_tenants_years=3,
    keep_bank_files_days=400,
    send_at="09:30",
    mail_on=False,
    mail_hold=15,
    reminders_before="0,3",
    reminders_after="7",
    late_bills="next open month",
    billing_month_rule="SERVICE_END",
    corrections="automatic",
    hold_flagged=True,
    shows_bills=False,
    carry_credits=False,
    automatic="propose",
    automatic_day=28,
    announce_days=30,
    pay_text="By the 5th.",
    pay_holder="Ann Smith",
    pay_iban="DE89370400440532013000",
    pay_bic="COBADEFFXXX",
    pay_routing="",
    pay_number="",
)
WRONG = Wishes(
    name=" ",
    address="x\n" * 9,
    contact="carol@example.com, 518-555-0100",
    phone="ann@example.com",
    mail_subject="{monht}",
    mail_opening="x\n" * 13,
    timezone="Mars/Phobos",
    locale="english",
    currency="JPY",
    payment_terms=366,
    answer_days=91,
    keep_invoices_years=0,
    keep_tenants_years=31,
    keep_bank_files_days=3_651,
    send_at="9:30",
    mail_hold=-1,
    reminders_before="61",
    reminders_after="soon",
    late_bills="never",
    billing_month_rule="someday",
    corrections="sometimes",
    automatic="always",
    automatic_day=29,
    announce_days=366,
    pay_text="x\n" * 7,
    pay_holder="x" * 71,
    pay_iban="DE88370400440532013000",
    pay_bic="COBADE",
    pay_routing="021000012",
    pay_number="123",
)


def test_every_setting_can_be_set_and_the_rest_stays(landlord):
    after = landlord.do(accounts.change_settings, ALL)
    assert {name: getattr(after, name) for name in Wishes._fields} == ALL._asdict()
    again = landlord.do(accounts.change_settings, Wishes(send_at="", address=" "))
    assert again == after._replace(send_at=None, address="", updated_at=again.updated_at)
    assert landlord.read(stored_accounts.find) == again


def test_every_problem_is_named_by_its_field_and_nothing_is_changed(landlord):
    before = landlord.read(stored_accounts.find)
    with pytest.raises(InvalidRequest) as refusal:
        landlord.do(accounts.change_settings, WRONG)
    named = [problem.field for problem in refusal.value.problems]
    assert named == [
        name for name in Wishes._fields if name not in ("mail_on", "hold_flagged", "shows_bills", "carry_credits")
    ]
    assert landlord.read(stored_accounts.find) == before


def test_a_change_is_written_down_with_what_was_before_and_none_where_nothing_changes(landlord):
    landlord.do(accounts.change_settings, Wishes(name="Ann's Homes"))
    landlord.do(accounts.change_settings, Wishes(name=" Ann's Homes "))
    (event,) = [one for one in landlord.see(activity.page) if one.verb == "change settings"]
    assert (event.before["name"], event.after["name"]) == ("landlord", "Ann's Homes")


def test_another_accounts_settings_stay(landlord):
    stranger = Landlord(landlord.database, landlord.clock, name="stranger")
    landlord.do(accounts.change_settings, ALL)
    assert stranger.read(stored_accounts.find) == stranger.account


def test_days_begin_in_the_new_time_zone_at_once(landlord):
    landlord.do(accounts.change_settings, Wishes(timezone="Pacific/Auckland"))
    assert landlord.see(accounts.today) == date(2026, 3, 11)


@pytest.mark.parametrize(
    ("hold", "days", "said"),
    [(0, 0, "at 15:00 today"), (600, 1, "at 15:00 tomorrow"), (1440, 1, "at 15:00 tomorrow")],
)
def test_a_message_leaves_on_the_day_that_is_said(landlord, clock, hold, days, said):
    _at_noon(landlord, clock, send_at="15:00", hold=hold)
    found = landlord.see(_leaving)
    assert (found.days, when(found)) == (days, said)


def test_what_is_held_for_a_day_past_the_time_of_sending_leaves_on_the_day_after_tomorrow(landlord, clock):
    _at_noon(landlord, clock, send_at="08:00", hold=1440)
    assert when(landlord.see(_leaving)) == "at 08:00 on the day after tomorrow"


def _at_noon(landlord, clock, *, send_at, hold):
    landlord.do(accounts.change_settings, Wishes(timezone="UTC", send_at=send_at, mail_hold=hold))
    clock.forward(minutes=(12 * 60 - clock().hour * 60 - clock().minute) % (24 * 60))


def _leaving(tx, caller):
    return send_schedule.of_account(tx, accounts.the_account(tx, caller))
