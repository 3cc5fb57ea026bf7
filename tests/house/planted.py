"""Planted offenses, at least one for each rule, and text that only looks like one."""

from typing import NamedTuple

from tests.house import (
    rules_of_citations as citations,
    rules_of_codes as codes,
    rules_of_files as files,
    rules_of_money as money,
    rules_of_rings as rings,
    rules_of_shape as shape,
)
from tests.house.sources import Source

ONE_HASH = " --hash=sha256:" + "0" * 64


DOMAIN, STORE, ACTION = (
    "prorata/domain/bills/bills.py",
    "prorata/store/bills/bills.py",
    "prorata/actions/bills/bills.py",
)
PAGE = "prorata/web/dashboard/bills/bills.py"
TEMPLATE = "prorata/web/dashboard/templates/bills.html"
MONEY, TEST, ROUTE = "prorata/domain/money.py", "tests/web/test_bills.py", "prorata/web/api/bills/bills.py"
LIMITS = "prorata/domain/limits.py"
MIGRATION = "prorata/store/migrations/versions/another.py"
FROM_US = "from prorata.store.database.statements import adds, row_values\n"
FROM_SA = "from sqlalchemy import select\nfrom sqlalchemy.dialects.postgresql import insert as upsert\n"

ALREADY_THERE = [
    Source("prorata/domain/said.py", "NO = 'No, it is not.'\nclass Why(StrEnum):\n    GONE = 'It is gone.'"),
    Source("prorata/domain/bills/flags.py", "from prorata.domain.bills.bills import LINES"),
    Source(MONEY, "def apportion(total, weights): return []"),
    Source(
        "prorata/store/database/statements.py",
        "from sqlalchemy import insert\n"
        "class Statement: ...\n"
        "def adds(table) -> Statement[None]: return Statement(insert(table))\n"
        "def row_values(row) -> dict[str, str]: return {}\n",
    ),
]


class Planted(NamedTuple):
    """A file, and the number of offenses that a rule finds in it.

    A ~ in its text keeps the text from being an offense in this very file.
    """

    rule: object
    path: str
    text: str
    found: int = 1


def route(lines: int) -> str:
    return "@get('/')\ndef show():\n    '''A page.'''\n" + "    step()\n" * lines


def page(kind: str, lines: int) -> str:
    return f"@page('GET', '/')\n{kind} show():\n    '''A page.'''\n" + "    step()\n" * lines


PLANTED = [
    Planted(
        codes.no_sentence_is_a_key,
        ACTION,
        "from prorata.store.online_payments import provider_events\nNOT_OURS = 'It was not paid through one of our "
        "links.'\nis_told = provider_events.is_any_of_others(tx, account_id, before, NOT_OURS)",
    ),
    Planted(
        codes.no_sentence_is_a_key, ACTION, "from prorata.store.jobs.jobs import find\nfind(tx, why='It is not ours.')"
    ),
    Planted(
        codes.no_sentence_is_a_key,
        ACTION,
        "from prorata.store.jobs.jobs import JobRow, find\njob = find(tx, code)\nrow = JobRow(says='It is not ours.')",
        0,
    ),
    Planted(codes.no_sentence_is_a_key, ACTION, "NOT_OURS = 'It is not ours.'\nis_ours = row.why != NOT_OURS"),
    Planted(
        codes.no_sentence_is_a_key, ACTION, "class R(StrEnum):\n    X = 'It is not ours.'\nis_ours = row.why == R.X"
    ),
    Planted(codes.no_sentence_is_a_key, ACTION, "from prorata.domain.said import Why\nis_so = why == Why.GONE"),
    Planted(codes.no_sentence_is_a_key, ACTION, "class R(Enum):\n    X = 'It is not ours.'\nis_ours = why is R.X", 0),
    Planted(codes.no_sentence_is_a_key, ACTION, "is_ours = not row.why.startswith('It was not paid')"),
    Planted(codes.no_sentence_is_a_key, ACTION, "IT = 'It was not '\nis_ours = not row.why.startswith((IT, 'No'))"),
    Planted(codes.no_sentence_is_a_key, ACTION, "KINDS = {'It is not ours.': 1}\nkind = KINDS[row.why]"),
    Planted(codes.no_sentence_is_a_key, ACTION, "kind = KINDS.get('It is not ours.', 0)\nx = KINDS['It is ours.']", 2),
    Planted(codes.no_sentence_is_a_key, ACTION, "def f(row):\n    no = 'It is not ours.'\n    return row.why == no"),
    Planted(
        codes.no_sentence_is_a_key, ACTION, "def f(row):\n    no = 'It is not ours.'\n    return no is None, no", 0
    ),
    Planted(codes.no_sentence_is_a_key, ACTION, "NO = ('It is not ours.', 'gone')\nis_so = row.why in NO"),
    Planted(codes.no_sentence_is_a_key, ACTION, "NO = frozenset({'It is not ours.', 'gone'})\nis_so = row.why in NO"),
    Planted(codes.no_sentence_is_a_key, ACTION, "is_so = row.why not in frozenset(['It is not ours.', 'gone'])"),
    Planted(codes.no_sentence_is_a_key, ACTION, "NO = Reasons('It is not ours.', a='It is so.')\nis_so = why in NO", 2),
    Planted(codes.no_sentence_is_a_key, ACTION, "PAID = Kind('paid', 'It is not paid.')\nis_so = kind == PAID", 0),
    Planted(codes.no_sentence_is_a_key, STORE, "no = t.c.why.is_distinct_from(literal_column(\"'It was not ours'\"))"),
    Planted(codes.no_sentence_is_a_key, STORE, "tx.run(_ASK, **{'why': 'It is not ours.'})"),
    Planted(codes.no_sentence_is_a_key, ACTION, "is_so = row.why in ('none', f'It is in {currency} by now.')"),
    Planted(codes.no_sentence_is_a_key, ACTION, "from prorata.domain.said import NO\nis_so = why == NO"),
    Planted(
        codes.no_sentence_is_a_key, ACTION, "from prorata.domain import said as its\nis_so = why not in {its.NO, ''}"
    ),
    Planted(codes.no_sentence_is_a_key, STORE, "from prorata.domain.said import NO\ntx.run(_ASK, account=a, asked=NO)"),
    Planted(codes.no_sentence_is_a_key, STORE, "tx.one(_ASK, {'asked': 'Is it so?'})\nq.values(why='It is gone.')", 2),
    Planted(codes.no_sentence_is_a_key, DOMAIN, "match why:\n    case 'It is gone.': ..."),
    Planted(
        codes.no_sentence_is_a_key, ACTION, "row = row._replace(state='to check')\nis_so = row.state == 'to check'", 0
    ),
    Planted(
        codes.no_sentence_is_a_key, ACTION, "is_so = row.why == Reason.PAID_TWICE\nraise Conflict('It is not so.')", 0
    ),
    Planted(codes.no_sentence_is_a_key, MIGRATION, "op.get_bind().run(put, why='It is not ours.')", 0),
    Planted(codes.verbs_of_the_log_are_members_of_their_enum, ACTION, "audit.record(tx, caller, 'add bill', row.id)"),
    Planted(codes.verbs_of_the_log_are_members_of_their_enum, ACTION, "audit.record(tx, caller, verb='add bill')"),
    Planted(
        codes.verbs_of_the_log_are_members_of_their_enum,
        ACTION,
        "audit.record_many(tx, caller, f'mail {state}', rows)\naudit.record(tx, caller, 'a' if b else 'c', row.id)",
        2,
    ),
    Planted(
        codes.verbs_of_the_log_are_members_of_their_enum,
        ACTION,
        "audit.record(tx, caller, Verb.ADD_BILL, 'bill_1')\naudit.record(tx, caller, Verb.of_mail(state), row.id)",
        0,
    ),
    Planted(shape.files_are_at_most_400_lines, DOMAIN, "x = 1\n" * 401),
    Planted(shape.files_are_at_most_400_lines, TEST, "x = 1\n" * 401),
    Planted(shape.files_are_at_most_400_lines, DOMAIN, "x = 1\n" * 400, 0),
    Planted(shape.files_are_at_most_400_lines, MIGRATION, "x = 1\n" * 401, 0),
    Planted(shape.functions_are_at_most_60_lines, DOMAIN, "def long():\n" + "    x = 1\n" * 60),
    Planted(shape.functions_are_at_most_60_lines, DOMAIN, "def long():\n" + "    x = 1\n" * 59, 0),
    Planted(shape.functions_are_at_most_60_lines, MIGRATION, "def upgrade():\n" + "    x = 1\n" * 60, 0),
    Planted(shape.route_bodies_are_at_most_10_lines, ROUTE, route(11)),
    Planted(shape.route_bodies_are_at_most_10_lines, ROUTE, route(10), 0),
    Planted(shape.route_bodies_are_at_most_10_lines, DOMAIN, route(11), 0),
    Planted(shape.page_bodies_are_short, PAGE, page("def", 16)),
    Planted(shape.page_bodies_are_short, PAGE, page("def", 15), 0),
    Planted(shape.page_bodies_are_short, PAGE, page("async def", 21)),
    Planted(shape.page_bodies_are_short, PAGE, page("async def", 20), 0),
    Planted(shape.limits_stand_in_the_list_of_their_ring, DOMAIN, "MOST_BILLS = 5"),
    Planted(shape.limits_stand_in_the_list_of_their_ring, DOMAIN, "LONGEST_A, LARGEST_B = 5, 6", 2),
    Planted(shape.limits_stand_in_the_list_of_their_ring, LIMITS, "MOST_BILLS: int = 5\nMOST_BILLS = 6"),
    Planted(shape.limits_stand_in_the_list_of_their_ring, LIMITS, "MOST_BILLS = 5\nMOST_PAGES = 6", 0),
    Planted(shape.limits_stand_in_the_list_of_their_ring, DOMAIN, "_MOST_BILLS, MOST = 5, 6\n_LARGEST: int = 7", 3),
    Planted(shape.limits_stand_in_the_list_of_their_ring, DOMAIN, "FEWEST_A = 2\n_LEAST = 3\nSHORTEST_B = 4", 3),
    Planted(shape.limits_stand_in_the_list_of_their_ring, DOMAIN, "AT_ONCE = 9\nMOSTLY = 4\nAT_LEAST = 1", 0),
    Planted(
        shape.limits_stand_in_the_list_of_their_ring, next(iter(shape.JUDGES)).partition("::")[0], "FEWEST_DAYS = 2", 0
    ),
    Planted(shape.limits_stand_in_the_list_of_their_ring, TEST, "MOST_BILLS = 5", 0),
    Planted(shape.limits_are_said_by_their_constants, TEMPLATE, "<p>CSV, at most 5 MB.</p>"),
    Planted(shape.limits_are_said_by_their_constants, ACTION, "NO = f'{name} has more than 20 MB.'"),
    Planted(shape.limits_are_said_by_their_constants, ACTION, "MOST = 5\n'''So many (5 MB).'''\nN = f'{MOST} MB'", 0),
    Planted(shape.names_carry_meaning, "prorata/web/money_utils.py", ""),
    Planted(shape.names_carry_meaning, "prorata/helpers/text.py", ""),
    Planted(shape.names_carry_meaning, "prorata/database.py", "", 0),
    Planted(shape.names_carry_meaning, DOMAIN, "class BillManager: ...\nclass BaseBill: ...\nclass PDFService: ...", 3),
    Planted(shape.names_carry_meaning, DOMAIN, "class Baseline: ...\nclass Basement: ...", 0),
    Planted(shape.names_carry_meaning, DOMAIN, "def _helper(): ..."),
    Planted(shape.names_carry_meaning, DOMAIN, "def month_with_most_days(): ...", 0),
    Planted(shape.what_recurs_is_declared, DOMAIN, "def watch(stop):\n    while not stop.wait(5): look()"),
    Planted(shape.what_recurs_is_declared, DOMAIN, "while True:\n    look()\n    time.sleep(5)"),
    Planted(
        shape.what_recurs_is_declared, DOMAIN, "async def f():\n    while 1:\n        await sleep(5)\n        look()"
    ),
    Planted(shape.what_recurs_is_declared, DOMAIN, "while True:\n    if stop.wait(5):\n        break\n    look()"),
    Planted(shape.what_recurs_is_declared, DOMAIN, "W = Recurrence()\nwhile True:\n    sleep(5)", 0),
    Planted(
        shape.what_recurs_is_declared,
        DOMAIN,
        "while True:\n    try:\n        return look()\n    except E:\n        sleep(5)",
        0,
    ),
    Planted(shape.what_recurs_is_declared, DOMAIN, "while not is_there():\n    sleep(0.1)", 0),
    Planted(shape.what_recurs_is_declared, DOMAIN, "W = Recurrence()\nwhile not stop.wait(5): look()", 0),
    Planted(shape.what_recurs_is_declared, DOMAIN, "while not done.wait(): look()", 0),
    Planted(shape.test_names_are_sentences, TEST, "def test_bill_is_read(): ..."),
    Planted(shape.test_names_are_sentences, TEST, "class TestBills:\n    def test_it(self): ..."),
    Planted(shape.test_names_are_sentences, TEST, "def test_a_bill_is_read(): ...", 0),
    Planted(shape.docstrings_begin_with_a_short_sentence, MONEY, f"'''Return{' a cent' * 8}.'''"),
    Planted(shape.docstrings_begin_with_a_short_sentence, MONEY, "class Share:\n    '''What a tenant pays.'''"),
    Planted(shape.docstrings_begin_with_a_short_sentence, MONEY, f"'''A share.\n\nIt has{' a cent' * 8}.'''", 0),
    Planted(shape.nothing_is_left_for_later, "docs/rules.md", "# TO~DO: more"),
    Planted(shape.nothing_is_left_for_later, DOMAIN, "x = 1  # TO~DO later\ny = 2  # FIX~ME", 2),
    Planted(shape.nothing_is_left_for_later, DOMAIN, "def later():\n    raise NotImplementedError"),
    Planted(shape.nothing_is_left_for_later, DOMAIN, "try: unzip()\nexcept NotImplementedError: refuse()", 0),
    Planted(shape.nothing_is_left_for_later, DOMAIN, "def later():\n    pass  # ~stub"),
    Planted(shape.nothing_is_left_for_later, DOMAIN, "def later():\n    '''Soon.'''\n    ..."),
    Planted(shape.nothing_is_left_for_later, DOMAIN, "class Mail(Protocol):\n    def send(self): ...", 0),
    Planted(shape.nothing_is_left_for_later, DOMAIN, "class Tx:\n    @abstractmethod\n    def run(self): ...", 0),
    Planted(shape.tests_pass_fakes_and_patch_nothing_of_ours, TEST, "from unittest.mock import patch", 2),
    Planted(shape.tests_pass_fakes_and_patch_nothing_of_ours, TEST, "def test_of_the_mail_it_sends(mocker): ..."),
    Planted(shape.tests_pass_fakes_and_patch_nothing_of_ours, TEST, "monkeypatch.setattr('prorata.worker.now', fake)"),
    Planted(
        shape.tests_pass_fakes_and_patch_nothing_of_ours,
        TEST,
        "from prorata import worker\nmonkeypatch.setattr(worker, 'now', fake)",
    ),
    Planted(shape.tests_pass_fakes_and_patch_nothing_of_ours, TEST, "monkeypatch.setenv('TZ', 'UTC')", 0),
    Planted(files.tests_of_the_domain_import_what_they_install, "tests/domain/test_money.py", "import msgspec"),
    Planted(
        files.tests_of_the_domain_import_what_they_install,
        "tests/domain/test_money.py",
        "import re\nfrom hypothesis import given\nfrom prorata.domain import money",
        0,
    ),
    Planted(rings.transactions_end_in_the_engine_alone, ACTION, "tx.commit()"),
    Planted(rings.transactions_end_in_the_engine_alone, STORE, "connect().rollback()"),
    Planted(rings.transactions_end_in_the_engine_alone, STORE, "tx.execute('COMMIT')"),
    Planted(
        rings.transactions_end_in_the_engine_alone, STORE, "'''Commit comes later.'''\nx = 'Rollback is not ours'", 0
    ),
    Planted(rings.transactions_end_in_the_engine_alone, "prorata/store/database/engine.py", "tx.commit()", 0),
    Planted(
        rings.pages_read_no_store,
        PAGE,
        "from prorata.store import bills\nfrom prorata.store.bills.bills import find",
        2,
    ),
    Planted(
        rings.pages_read_no_store,
        PAGE,
        "from prorata.store.bills.bills import BillRow\nfrom prorata.store.database.engine import t",
        0,
    ),
    Planted(rings.pages_read_no_store, ACTION, "from prorata.store import bills", 0),
    Planted(rings.sql_lives_in_the_store, ACTION, "q = f'SELECT {x} FROM bill'"),
    Planted(rings.sql_lives_in_the_store, "prorata/web/app.py", "q = 'delete from bill where id = 1'"),
    Planted(rings.sql_lives_in_the_store, "prorata/wiring.py", "import sqlalchemy as sa"),
    Planted(rings.sql_lives_in_the_store, "prorata/web/app.py", "x = 'Select a file from your computer'", 0),
    Planted(rings.sql_lives_in_the_store, STORE, "q = 'SELECT 1'\nimport sqlalchemy", 0),
    Planted(rings.statements_survive_compilation, STORE, "q = select(bill).where(bill.c.id.in_(ids))"),
    Planted(rings.statements_survive_compilation, STORE, "c = Column('n', Integer, default=0, server_default='0')", 2),
    Planted(rings.statements_survive_compilation, STORE, "c = owned_column('n', onupdate=now)"),
    Planted(rings.statements_survive_compilation, STORE, "n = max(counts, default=0)", 0),
    Planted(rings.statements_survive_compilation, MIGRATION, "c = Column('n', server_default='0')", 0),
    Planted(rings.statements_survive_compilation, MIGRATION, "c = Column('n', default=0)"),
    Planted(rings.statements_are_built_once, STORE, FROM_SA + "def one():\n    return run(select(bill))"),
    Planted(rings.statements_are_built_once, STORE, FROM_SA + "def one():\n    return run(upsert(bill))"),
    Planted(rings.statements_are_built_once, STORE, "import sqlalchemy as sa\nf = lambda: sa.text('x')"),
    Planted(rings.statements_are_built_once, STORE, "def one(rows):\n    return run(bill.insert(), rows)"),
    Planted(rings.statements_are_built_once, STORE, FROM_SA + "@cache\ndef one(which):\n    return select(bill)", 0),
    Planted(
        rings.statements_are_built_once, STORE, FROM_SA + "ONE = select(bill)\nALL = [upsert(t) for t in tables]", 0
    ),
    Planted(
        rings.statements_are_built_once, STORE, "def one(x, y):\n    x.update(y)\n    x.insert(0, y)\n    select(x)", 0
    ),
    Planted(
        rings.statements_are_built_once, STORE, FROM_US + "def one():\n    return run(adds(bill), row_values(bill))"
    ),
    Planted(rings.statements_are_built_once, STORE, FROM_US + "ADD = adds(bill)\ndef one(x):\n    row_values(x)", 0),
    Planted(rings.statements_are_built_once, MIGRATION, FROM_SA + "def upgrade():\n    select(bill)", 0),
    Planted(rings.actions_know_neither_database_nor_web, ACTION, "from sqlalchemy.engine import Connection", 2),
    Planted(rings.actions_know_neither_database_nor_web, ACTION, "import litestar.handlers\nimport httpx", 2),
    Planted(
        rings.actions_know_neither_database_nor_web,
        ACTION,
        "from urllib import request\nfrom urllib.parse import quote",
    ),
    Planted(rings.where_invoices_stand_is_written_in_one_place, ACTION, "invoices.save_standing(tx, [after])"),
    Planted(rings.where_invoices_stand_is_written_in_one_place, ACTION, "from a import save_standing as save"),
    Planted(rings.where_invoices_stand_is_written_in_one_place, ACTION, "write = invoices.save_reckoned"),
    Planted(rings.where_invoices_stand_is_written_in_one_place, rings.STANDING, "invoices.save_standing(tx, rows)", 0),
    Planted(
        rings.where_invoices_stand_is_written_in_one_place,
        rings.STANDING,
        "invoices.save_standing(tx, some)\ninvoices.save_standing(tx, others)",
    ),
    Planted(rings.one_statement_writes_the_status_of_invoices, STORE, "_A = saves(invoice, only=('status',))"),
    Planted(rings.one_statement_writes_the_status_of_invoices, STORE, "_A = saves(invoice)\nf(tx, _A)", 2),
    Planted(
        rings.one_statement_writes_the_status_of_invoices,
        STORE,
        "_A = changes(update(invoice).where(_mine).values(status='SENT'))\n_B = update(t.invoice).values({'status': x})",
        2,
    ),
    Planted(
        rings.one_statement_writes_the_status_of_invoices,
        rings.INVOICES,
        "C = ('total', 'status')\n_A = saves(invoice, only=C)\n_B = saves(invoice, only=('status',))\nf(_A)\ng(_A)\nh(_B)",
        3,
    ),
    Planted(
        rings.one_statement_writes_the_status_of_invoices,
        rings.INVOICES,
        "C = ('total', 'status')\n_A = saves(invoice, only=C)\n_B = saves(invoice, only=('total',))\nf(_A)\nh(_B)",
        0,
    ),
    Planted(
        rings.one_statement_writes_the_status_of_invoices,
        STORE,
        "_A = update(invoice).values(payment_link_id=null())\n_B = saves(job)\n_C = update(job).values(status='x')",
        0,
    ),
    Planted(rings.modules_import_in_no_circle, DOMAIN, "def f():\n    from prorata.domain.bills import flags"),
    Planted(rings.modules_import_in_no_circle, DOMAIN, "import prorata.domain.bills.flags"),
    Planted(rings.modules_import_in_no_circle, DOMAIN, "from prorata.domain import said, money", 0),
    Planted(
        rings.modules_import_in_no_circle, "prorata/domain/bills/drafts.py", "from prorata.domain.bills import flags", 0
    ),
    Planted(rings.only_the_command_line_prints, ACTION, "print('done')"),
    Planted(rings.only_the_command_line_prints, "prorata/cli.py", "print('done')", 0),
    Planted(rings.no_part_of_the_program_moves_its_clock, rings.SURROUNDINGS, "REAL = Surroundings()", 0),
    Planted(rings.no_part_of_the_program_moves_its_clock, rings.SURROUNDINGS, "REAL = Surroundings(late)"),
    Planted(
        rings.no_part_of_the_program_moves_its_clock, "prorata/cli/serving.py", "w = surroundings.Surroundings(late)"
    ),
    Planted(rings.no_part_of_the_program_moves_its_clock, "prorata/demo/timeline.py", "around._replace(clock=late)"),
    Planted(rings.no_part_of_the_program_moves_its_clock, "tests/stories/served.py", "Surroundings(clock)", 0),
    Planted(rings.pdfs_are_opened_in_one_place, "prorata/wiring/__init__.py", "import pypdfium2.raw as pdfium"),
    Planted(rings.pdfs_are_opened_in_one_place, "prorata/adapters/intake/pdf_text.py", "import pypdfium2", 0),
    Planted(rings.providers_are_named_where_they_are_made, ACTION, "why = 'Stripe refuses it.'"),
    Planted(rings.providers_are_named_where_they_are_made, TEMPLATE, "<p>Pay by Stripe</p>"),
    Planted(rings.providers_are_named_where_they_are_made, "prorata/wiring/payments.py", "found = {STRIPE: made}", 0),
    Planted(money.nothing_rounds_but_apportion, ACTION, "x = round(y)\nz = total.quantize(cent)", 2),
    Planted(money.nothing_rounds_but_apportion, ACTION, "ground(y)", 0),
    Planted(money.apportion_is_defined_once, DOMAIN, "def apportion(total, weights): return []"),
    Planted(money.apportion_is_defined_once, MONEY, "def apportion(total, weights): return []", 0),
    Planted(
        money.apportion_is_defined_once,
        MONEY,
        "def apportion(): return []\nclass A:\n    def apportion(self): return []",
    ),
    Planted(money.the_domain_divides_only_where_money_is_split, DOMAIN, "a = b // c\na /= 2\nd = divmod(a, 3)", 3),
    Planted(money.the_domain_divides_only_where_money_is_split, DOMAIN, "import math\nx = math.floor(y)"),
    Planted(money.the_domain_divides_only_where_money_is_split, MONEY, "a = b // c", 0),
    Planted(money.nobody_else_divides_money, ACTION, "half = charge.amount // 2\ntotal_cents //= 2", 2),
    Planted(money.nobody_else_divides_money, ROUTE, "x = float(row['n'] + charge.amount)\ny = divmod(cents, 100)", 2),
    Planted(money.nobody_else_divides_money, ROUTE, "pages = -total // limit\nwide = float(width)", 0),
    Planted(money.the_domain_counts_in_no_float, DOMAIN, "x = float(y)\nx = 0.5 * y\nx *= 1.19", 3),
    Planted(money.the_domain_counts_in_no_float, DOMAIN, "weight = Fraction(1, 2)\ncell: str | float\nALIKE = 0.86", 0),
    Planted(money.the_domain_imports_only_the_standard_library, DOMAIN, "import msgspec"),
    Planted(money.the_domain_imports_only_the_standard_library, DOMAIN, "from prorata.errors import Refusal", 2),
    Planted(money.the_domain_imports_only_the_standard_library, DOMAIN, "import random\nfrom os import environ", 3),
    Planted(
        money.the_domain_imports_only_the_standard_library, DOMAIN, "import re\nfrom prorata.domain import bills", 0
    ),
    Planted(money.the_domain_has_no_clock_and_no_dice, DOMAIN, "x = datetime.now()\ny = datetime.date.today()", 2),
    Planted(money.the_domain_has_no_clock_and_no_dice, DOMAIN, "with open(path) as file: ..."),
    Planted(
        money.the_domain_has_no_clock_and_no_dice,
        DOMAIN,
        "def due(today): ...\nx = month.open(today)\nclass A:\n    id: str",
        0,
    ),
    Planted(shape.pages_say_where_their_forms_and_lists_lead, TEMPLATE, '<form method="post"><a href="?page=2">', 2),
    Planted(shape.pages_say_where_their_forms_and_lists_lead, TEMPLATE, """<a href="{{ with(query, page=2) }}">"""),
    Planted(
        shape.pages_say_where_their_forms_and_lists_lead,
        TEMPLATE,
        """<form method="post" action="{{ page_path }}"><a href="/bills{{ with(query, page=2) }}">""",
        0,
    ),
    Planted(files.landed_revisions_stay_as_they_are, next(iter(files.LANDED_REVISIONS)), "revision = 'first'"),
    Planted(files.landed_revisions_stay_as_they_are, MIGRATION, "revision = 'other'"),
    Planted(files.no_file_names_a_place_on_somebodys_machine, "Makefile", "X := /~work/main\nY := /~root\n", 2),
    Planted(files.no_file_names_a_place_on_somebodys_machine, "docs/a.md", "see `/~home/ann/data`"),
    Planted(
        files.no_file_names_a_place_on_somebodys_machine, "docs/a.md", "/usr/lib /workers https://a.example/~work", 0
    ),
    Planted(files.no_file_names_a_registry, "docs/a.md", "see https://py~pi.org/project/x"),
    Planted(files.no_file_names_a_registry, "Makefile", "pip install --index~-url http://mirror.example/simple~/ x", 2),
    Planted(files.no_file_names_a_registry, "Makefile", "uv pip compile --no-emit-index-url", 0),
    Planted(files.requirements_are_pinned_with_hashes, "requirements/run.txt", "a==1 \\\n   " + ONE_HASH + "\n", 0),
    Planted(files.requirements_are_pinned_with_hashes, "requirements/run.txt", "a==1\nb>=2 \\\n" + ONE_HASH, 2),
    Planted(files.requirements_are_pinned_with_hashes, "requirements/run.in", "a @ https://a.example/a.whl"),
    Planted(citations.citations_open, DOMAIN, '"""As agreed (docs/decisions.md#no-such-heading)."""'),
    Planted(citations.citations_open, DOMAIN, '"""See docs/no-such-page.md and docs/adr/9999."""', 2),
    Planted(
        citations.citations_open,
        "docs/rules.md",
        "[a](#nowhere), [b](no-such-page.md) and [c](decisions.md#nowhere)",
        3,
    ),
    Planted(citations.citations_open, DOMAIN, '"""As agreed (docs/decisions.md#rounding, docs/adr/0006)."""', 0),
    Planted(citations.files_that_are_named_exist, DOMAIN, "x = 1  # as actions/no_such_file.py does"),
    Planted(citations.files_that_are_named_exist, DOMAIN, "x = 1  # as domain/money.py does", 0),
    Planted(
        citations.files_that_are_named_exist, "docs/a.md", "`actions/share_rules.change` and `domain/money.split`", 2
    ),
    Planted(citations.files_that_are_named_exist, "docs/a.md", "`domain/money.apportion`, `web/dashboard.kernel`", 0),
    Planted(
        citations.files_that_are_named_exist, "docs/adr/0034-a.md", "as `actions/gone.py` and `store/gone.find` do", 2
    ),
    Planted(
        citations.files_that_are_named_exist, "docs/adr/0033-a.md", "as `actions/gone.py` and `store/gone.find` do", 0
    ),
    Planted(citations.nothing_is_cited_that_is_elsewhere, DOMAIN, '"""As agreed (decisions section 6)."""'),
    Planted(citations.nothing_is_cited_that_is_elsewhere, DOMAIN, '"""It decides 5 things."""', 0),
]
