"""English words."""

from prorata.domain.mail.words.words import Words

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
    subject_receipt="Your utility invoice for {month}: payment received",
    invoice_due="Here is your utility invoice for {month}. Please pay {amount} by {due}.",
    invoice_credit="Here is your utility invoice for {month}. You have a credit of {amount}, so this "
    "invoice needs no payment.",
    invoice_nothing="Here is your utility invoice for {month}. This invoice needs no payment.",
    before_due="Your utility invoice for {month} is due on {due}. {amount} is still to be paid.",
    due_today="Your utility invoice for {month} is due today. {amount} is still to be paid.",
    overdue="Your utility invoice for {month} was due on {due}, and {amount} is still to be paid. "
    "Please pay it as soon as you can.",
    again="You have had this invoice before; we are sending it once more.",
    receipt="We have received your payment of {received} for your utility invoice for {month}. Thank you.",
    received={
        "CASH": "{amount} in cash on {day}",
        "TRANSFER": "{amount} by bank transfer on {day}",
        "CHEQUE": "{amount} by check on {day}",
        "CARD": "{amount} by card on {day}",
        "OTHER": "{amount} on {day}",
    },
    receipt_all="This invoice is paid in full.",
    receipt_rest="{amount} is still to be paid.",
    receipt_credit="You have a credit of {amount}.",
    correction="This invoice includes a correction for {months}.",
    corrections="This invoice includes corrections for {months}.",
    correction_of="{month}: {amount}",
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
    see_online="See the invoice online, or ask about it",
    attached="The invoice is attached as a PDF. It lists every charge and says how your share was worked out.",
    ask_by_reply=f"{_ASK} just reply to this e-mail.",
    ask_contact=f"{_ASK} please contact {{biller}}: {{contact}}",
    ask_biller=f"{_ASK} please contact {{biller}}.",
    regards="Kind regards,",
    note="This e-mail was sent automatically on behalf of {biller}.",
    subject_verify="Confirm your e-mail address",
    subject_reset="Set a new password",
    subject_invite="You are invited to the account {account}",
    verify="Please confirm that this is your e-mail address. It was entered in Prorata, to sign in with.",
    reset="A new password was asked for, for your access to Prorata.",
    invite="{inviter} invites you to the account {account} in Prorata, where the utility bills of rental properties "
    "are split and sent to their tenants.",
    invite_nobody="You are invited to the account {account} in Prorata, where the utility bills of rental properties "
    "are split and sent to their tenants.",
    open_verify="Confirm the address",
    open_reset="Set a new password",
    open_invite="Accept the invitation",
    link_once="The link works once, and for {time}.",
    hour="1 hour",
    days="{number} days",
    not_asked="If you did not expect this e-mail, you need not do anything.",
    not_asked_reset="If you did not ask for this, you need not do anything: your password stays as it is.",
    subject_login="Your password was changed",
    subject_factor_on="Two-step sign-in was turned on",
    subject_factor_off="Two-step sign-in was turned off",
    subject_codes="Wrong codes were entered with your password",
    subject_address="Your e-mail address was changed",
    login_changed="The password of your access to Prorata was changed.",
    factor_on="Two-step sign-in was turned on for your access to Prorata: from now on signing in takes a code of your "
    "app.",
    factor_off="Two-step sign-in was turned off for your access to Prorata: your password alone signs in from now on.",
    wrong_codes="Somebody signed in with your password, and entered several wrong codes of the second step. "
    "Nobody got in.",
    address_changed="From now on another e-mail address signs in to Prorata in place of this one.",
    was_you="If it was you, you need not do anything.",
    not_you_login="If it was not you, set a new password at once: choose “Forgot your password?” where you sign in.",
    not_you_factor="If it was not you, somebody knows your password. Set a new one at once: choose “Forgot your "
    "password?” where you sign in. Then tell whoever runs your Prorata.",
    not_you_address="If it was not you, somebody knows your password. Tell an owner of your account, or whoever runs "
    "your Prorata, at once: they can remove that access.",
    subject_webhook_off="Your webhook was turned off",
    webhook_off="A webhook of your Prorata account was turned off: the program at its address has taken no message "
    "for over a week, or has said that it wants no more.",
    turn_webhook_on="Mend the program, then turn the webhook on again under Settings, Webhooks. What happened since "
    "is sent then, up to 30 days of it.",
    account_note="This e-mail was sent automatically by Prorata.",
)
