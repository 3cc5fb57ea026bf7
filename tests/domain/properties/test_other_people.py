"""Tests of units for which a file names other people than the stored tenants."""

from datetime import date

from prorata.domain.labels import same
from prorata.domain.properties.unit_differences import OtherPeople, Resident, other_people
from prorata.domain.properties.unit_files import FileTenant, FileUnit

TODAY = date(2026, 12, 1)
HALL = Resident("t_1", "Paul Hall", "2025-01-01", None)
DANA = FileTenant(5, "Dana Whitfield", None, date(2026, 12, 1))


def compared(*named: FileTenant, stored: tuple[Resident, ...] = (HALL,)) -> OtherPeople | None:
    unit = FileUnit(5, "3A", None, None, None, None, named)
    return other_people(unit, ("Maple Court", "3A"), {same(one.name): one for one in stored}, TODAY)


def said(*named: FileTenant, stored: tuple[Resident, ...] = (HALL,)) -> str:
    found = compared(*named, stored=stored)
    return found.effect() if found else ""


def called(name: str, move_out: date | None = None) -> FileTenant:
    return FileTenant(5, name, None, None, move_out)


def test_who_lives_in_a_unit_that_the_file_calls_vacant_stays() -> None:
    assert said() == "Paul Hall stays. If Paul Hall moved out, enter the last day first."
    assert said(called("Eve", date(2026, 11, 30))) == said(), "she lived there before"
    assert said(called("PAUL HALL", date(2026, 11, 30))) == "", "that day is a difference of its own"
    assert said(stored=(HALL._replace(last="2026-12-01"),)) == "", "today is the last day"


def test_who_lives_in_a_unit_for_which_the_file_names_others_shares_the_bill_with_them() -> None:
    assert said(DANA) == (
        "Paul Hall stays. Dana Whitfield is added and shares the bill. If Paul Hall moved out, enter the last day first."
    )
    roommates = HALL, HALL._replace(name="Amy Hall")
    assert said(called("Amy Hall"), DANA, stored=roommates) == said(DANA), "one of several was replaced"
    assert said(DANA, stored=roommates).endswith("If any of them moved out, enter the last day first.")


def test_who_leaves_before_the_next_tenant_moves_in_is_no_difference() -> None:
    leaving = (HALL._replace(last="2026-12-31"),)
    assert said(DANA._replace(move_in=date(2026, 12, 31)), stored=leaving) == ""
    assert said(DANA, stored=leaving).startswith("Paul Hall stays. Dana Whitfield is added and shares the bill.")
    assert said(stored=(HALL._replace(first="2027-01-01"),)) == "", "nobody lives there yet"


def test_whom_the_file_still_lists_after_the_move_out_is_not_added_again() -> None:
    gone = (HALL._replace(last="2026-10-31"),)
    not_again = "Paul Hall has moved out and isn’t added again. If that’s wrong, change the last day."
    assert said(called("Paul Hall"), stored=gone) == not_again
    assert said(called("Paul Hall", date(2026, 10, 30)), stored=gone) == ""
    eve = Resident("t_2", "Eve", "2026-11-01", None)
    assert said(called("Paul Hall"), stored=(*gone, eve)) == (
        f"Eve stays. If Eve moved out, enter the last day first. {not_again}"
    )


def test_a_file_may_omit_roommates_and_tenants_altogether() -> None:
    assert compared(called("Paul Hall"), stored=(HALL, HALL._replace(name="Amy Hall"))) is None
    unit = FileUnit(5, "3A", None, None, None, None, (), lists_tenants=False)
    assert other_people(unit, ("Maple Court", "3A"), {"paul hall": HALL}, TODAY) is None
