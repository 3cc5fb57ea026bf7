"""English."""

from prorata.domain.mail_words.words import Words

_ASK = "If you have a question, or think that something is wrong,"

ENGLISH = Words(
    language="en",
    hello="Hello {name},",
    hello_nobody="Hello,",
    subject_invoice="Your utility invoice for {month} ({place})",
    subject_again="Once more: your utility invoice for {month} ({place})",
    subject_before_due="Reminder: your utility invoice for {month} is due on {due}",
    subject_due_today="Your utility invoice for {month} is due today",
    subject_overdue="Overdue: your utility invoice for {month}",
    invoice_due="Here is your utility invoice for {month}. Please pay {amount} by {due}.",
    invoice_credit="Here is your utility invoice for {month}. You have a credit of {amount}: there is nothing to pay.",
    invoice_nothing="Here is your utility invoice for {month}. There is nothing to pay.",
    before_due="Your utility invoice for {month} is due on {due}. {amount} is still to be paid.",
    due_today="Your utility invoice for {month} is due today. {amount} is still to be paid.",
    overdue="Your utility invoice for {month} was due on {due}, and {amount} is still to be paid. "
    "Please pay it as soon as you can.",
    again="You have had this invoice before; we are sending it once more.",
    already_paid="If you have already paid, thank you: there is nothing more to do.",
    number="Invoice",
    property="Property",
    unit="Unit",
    month="Month",
    to_pay="To pay",
    credit="Credit",
    due="Due",
    pay="Pay {amount} online",
    how_to_pay="To find out how to pay, please contact {biller}: {contact}",
    how_to_pay_ask="To find out how to pay, please contact {biller}.",
    attached="The invoice is attached as a PDF. It lists every charge and says how your share was worked out.",
    ask_by_reply=f"{_ASK} just reply to this e-mail.",
    ask_contact=f"{_ASK} please contact {{biller}}: {{contact}}",
    ask_biller=f"{_ASK} please contact {{biller}}.",
    regards="Kind regards,",
    note="This e-mail was sent automatically on behalf of {biller}.",
    subject_verify="Confirm your e-mail address",
    subject_reset="Set a new password",
    subject_invite="You are invited to the account {account}",
    verify="Please confirm that this is your e-mail address. An account was opened with it in Prorata.",
    reset="A new password was asked for, for your access to Prorata.",
    invite="{inviter} invites you to the account {account} in Prorata, where the utility bills of rental properties "
    "are split and sent to their tenants.",
    invite_nobody="You are invited to the account {account} in Prorata, where the utility bills of rental properties "
    "are split and sent to their tenants.",
    open_verify="Confirm the address",
    open_reset="Set a new password",
    open_invite="Accept the invitation",
    link_once="The link works once, and for a limited time.",
    not_asked="If you did not expect this e-mail, you need not do anything.",
    not_asked_reset="If you did not ask for this, you need not do anything: your password stays as it is.",
    account_note="This e-mail was sent automatically by Prorata.",
)
