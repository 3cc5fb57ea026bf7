"""Tests of `prorata member`, `prorata account settings` and `prorata account invite`."""

from datetime import date

from prorata import wiring
from prorata.actions.accounts import own_profile, sign_in
from prorata.actions.delivery import deliveries
from prorata.domain.mail.delivery_reports import DeliveryReport, RecipientReport
from prorata.settings import read_settings
from prorata.store.accounts import accounts
from prorata.store.mail import messages as mail
from tests.adapters.files.test_logos import picture
from tests.cli.running import Command
from tests.landlord import Landlord, MovableClock

OF_ANN = ("--account", "ann@example.com")


def test_members_are_invited_by_a_link_listed_and_removed(command: Command) -> None:
    command.account()

    link = command.ok("member", "invite", *OF_ANN, "--email", "Bo@Example.com", "--role", "manager")

    assert link.startswith("http://127.0.0.1:8000/join/link_")
    ann, bo = command.ok("member", "list", *OF_ANN).splitlines()
    assert ("owner" in ann, "ann@example.com" in ann) == (True, True)
    assert ("manager" in bo, "invited until" in bo, "bo@example.com" in bo) == (True, True, True)
    assert "needs an owner" in command.refused("member", "remove", *OF_ANN, "ann@example.com")
    assert "no member" in command.refused("member", "remove", *OF_ANN, "bo@example.com")
    assert "already" in command.refused("member", "invite", *OF_ANN, "--email", "ann@example.com", "--role", "viewer")


def test_the_list_says_of_whom_an_invitation_came_back(command: Command) -> None:
    command.account()
    link = command.ok("member", "invite", *OF_ANN, "--email", "bo@example.com", "--role", "manager")
    settings = read_settings(command.settings, command.folder / "no.env")
    link_id = wiring.link_addresses(settings).signer.read("invite", link.strip().rpartition("/")[2])
    assert link_id is not None
    report = DeliveryReport((RecipientReport("failed", diagnostic="No such user."),))
    with wiring.opened(settings) as database:
        (account,) = database.read(accounts.everyone)
        (message,) = database.read(lambda tx: mail.with_link(tx, account.id, link_id))
        database.write(lambda tx: deliveries.note_report(tx, message.id, report))
    _, bo, said = command.ok("member", "list", *OF_ANN).splitlines()
    assert "bo@example.com" in bo
    assert said == "    The message to this address did not arrive: No such user."


def test_the_link_that_is_printed_sets_a_new_password_without_a_mail_server(command: Command) -> None:
    command.account()

    link = command.ok("member", "reset-link", *OF_ANN, "ANN@example.com")

    settings = read_settings(command.settings, command.folder / "no.env")
    link_id = wiring.link_addresses(settings).signer.read("reset", link.rpartition("/")[2])
    with wiring.opened(settings) as database:
        database.write(lambda tx: own_profile.reset(tx, link_id, password_hash="new"))
        ann = database.read(lambda tx: sign_in.look_up(tx, "ann@example.com"))
    assert ann is not None
    assert ann.password_hash == "new"
    assert command.ok("check") == "No problems were found in the stored data."


def test_who_lost_the_app_is_let_in_without_its_codes(on_sqlite: Command) -> None:
    on_sqlite.account()
    settings = read_settings(on_sqlite.settings, on_sqlite.folder / "no.env")
    assert "/reset/" in on_sqlite.ok("member", "reset-link", *OF_ANN, "--no-second-factor", "ann@example.com")
    with wiring.opened(settings) as database:
        ann = database.read(lambda tx: sign_in.look_up(tx, "ann@example.com"))
    assert ann is not None
    assert not ann.has_second_factor


def test_how_an_account_works_is_seen_and_set(command: Command) -> None:
    command.account()
    settings = ("account", "settings", *OF_ANN)

    said = command.ok(
        *settings, "--send-at", "09:30", "--timezone", "America/Chicago", "--payment-terms", "30", "--answer-days", "7"
    )

    assert said == command.ok(*settings)
    lines = dict(line.split(maxsplit=1) for line in said.splitlines() if " " in line.strip())
    assert (lines["send-at"], lines["timezone"], lines["payment-terms"]) == ("09:30", "America/Chicago", "30")
    assert lines["answer-days"] == "7"
    assert "send-at        at once" in command.ok(*settings, "--send-at", "")
    assert "time of day" in command.refused(*settings, "--send-at", "9.30", code=2)
    assert command.ok("check") == "No problems were found in the stored data."


def test_how_tenants_pay_is_set_and_what_is_wrong_names_its_option_and_changes_nothing(command: Command) -> None:
    command.account()
    settings = ("account", "settings", *OF_ANN)
    said = command.ok(
        *settings, "--pay-text", "By the 5th.", "--iban", "de89 3704 0044 0532 0130 00", "--bic", "cobadeff"
    )
    assert "pay-iban       DE89370400440532013000" in said
    assert "pay-bic        COBADEFF" in said

    wrong = command.refused(*settings, "--iban", "DE88370400440532013000", "--routing-number", "021000012", code=2)
    assert "--iban: This is not a valid IBAN" in wrong
    assert "--routing-number: This is not a valid routing number" in wrong
    assert "--account-number: Enter" in wrong
    assert "--account-number: Enter an IBAN" in command.refused(
        *settings, "--routing-number", "021000021", "--account-number", "12345678", code=2
    )
    assert command.ok(*settings) == said
    american = ("--account-holder", "Ann", "--routing-number", "021000021", "--account-number", "12345678")
    assert "pay-number     12345678" in command.ok(*settings, "--iban", "", "--bic", "", *american)


def test_a_logo_and_a_color_are_set_and_taken_off(command: Command) -> None:
    command.account()
    settings = ("account", "settings", *OF_ANN)
    logo, none = command.folder / "logo.png", command.folder / "none.png"
    logo.write_bytes(picture(300, 100))
    none.write_text("no picture", encoding="ascii")
    said = command.ok(*settings, "--logo", str(logo), "--color", "#C00000")
    assert said.startswith("logo           yes\ncolor          #c00000\n")
    assert "picture can’t be read" in command.refused(*settings, "--logo", str(none), code=2)
    assert "too pale" in command.refused(*settings, "--color", "#ffcc00", code=2)
    assert command.ok(*settings) == said
    assert command.ok(*settings, "--no-logo", "--color", "").startswith("logo           no\ncolor\n")
    assert command.ok("check") == "No problems were found in the stored data."


def test_corrections_that_wait_are_placed_by_the_setting_only_where_that_is_said(on_sqlite: Command) -> None:
    on_sqlite.account()
    with wiring.opened(read_settings(on_sqlite.settings, on_sqlite.folder / "no.env")) as database:
        landlord = Landlord(database, MovableClock())
        house = landlord.property_()
        landlord.tenant(landlord.unit(house, "1"), "Cy")
        for cents in (50_00, 10_00):  # the second is late
            landlord.bill(house, cents, on=date(2026, 3, 20))
            landlord.set_status(house, "1", "SENT", "2026-03")
    settings = ("account", "settings", "--account", landlord.account.id)

    said = on_sqlite.refused(*settings, "--corrections", "automatic", code=2)

    assert (
        "1 correction: $10.00 to be charged, $0.00 to be given back. Nothing was changed. To place them, add --yes."
        in said
    )
    assert "corrections    ask" in on_sqlite.ok(*settings)
    assert "corrections    automatic" in on_sqlite.ok(*settings, "--corrections", "automatic", "--yes")
    assert on_sqlite.ok("check") == "No problems were found in the stored data."


def test_an_operator_invites_somebody_to_open_an_account(on_sqlite: Command) -> None:
    on_sqlite.account()
    assert on_sqlite.ok("account", "invite", "--email", "Bo@example.com").startswith(
        "http://127.0.0.1:8000/sign-up?invite="
    )


def test_who_has_lost_the_mailbox_signs_in_with_another_address(command: Command) -> None:
    command.account()
    assert "Enter an e-mail address" in command.refused("member", "set-email", *OF_ANN, "ann@example.com", "ann")

    said = command.ok("member", "set-email", *OF_ANN, "ANN@example.com", "Ann@New.example")

    assert "signs in with ann@new.example from now on." in said
    assert "ann@new.example" in command.ok("member", "list", "--account", "ann@new.example")
    gone = ("member", "set-email", "--account", "ann@new.example", "ann@example.com", "bo@example.com")
    assert "no member" in command.refused(*gone)
