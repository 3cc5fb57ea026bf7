"""Spanish words."""

from prorata.domain.mail.words.words import Words

_ASK = "Si tiene alguna pregunta o cree que algo no es correcto,"

SPANISH = Words(
    language="es",
    hello="Hola, {name}:",
    hello_nobody="Hola:",
    subject_invoice="Su factura de suministros de {month} ({place})",
    subject_again="De nuevo: su factura de suministros de {month} ({place})",
    subject_before_due="Recordatorio: su factura de suministros de {month} vence el {due}",
    subject_due_today="Su factura de suministros de {month} vence hoy",
    subject_overdue="Pago pendiente: su factura de suministros de {month}",
    subject_receipt="Hemos recibido su pago: factura de suministros de {month}",
    invoice_due="Le enviamos su factura de suministros de {month}. El importe es de {amount} y puede pagarlo hasta "
    "el {due}.",
    invoice_here="Le enviamos su factura de suministros de {month}.",
    invoice_nothing="Le enviamos su factura de suministros de {month}. Por esta factura no tiene que pagar nada.",
    before_due="Su factura de suministros de {month} vence el {due}. Importe pendiente: {amount}.",
    due_today="Su factura de suministros de {month} vence hoy. Importe pendiente: {amount}.",
    overdue="Su factura de suministros de {month} venció el {due}. Importe pendiente: {amount}. Le rogamos que la "
    "pague lo antes posible.",
    again="Ya le habíamos enviado esta factura; se la enviamos una vez más.",
    receipt="Hemos recibido su pago de {received} de la factura de suministros de {month}. Muchas gracias.",
    received={
        "CASH": "{amount} en efectivo el {day}",
        "TRANSFER": "{amount} por transferencia el {day}",
        "CHEQUE": "{amount} con cheque el {day}",
        "CARD": "{amount} con tarjeta el {day}",
        "OTHER": "{amount} el {day}",
    },
    receipt_all="De esta factura no queda nada por pagar.",
    receipt_rest="Quedan por pagar {amount}.",
    correction="Esta factura incluye una corrección de {months}.",
    corrections="Esta factura incluye correcciones de {months}.",
    correction_of="{month}: {amount}",
    already_paid="Si ya ha pagado, muchas gracias: no tiene que hacer nada más.",
    number="Factura",
    property="Inmueble",
    unit="Unidad",
    month="Mes",
    reference="Referencia del pago",
    to_pay="Por pagar",
    credit="Saldo a favor",
    due="Vencimiento",
    pay="Pagar {amount} en línea",
    how_to_pay="Para saber cómo pagar, póngase en contacto con {biller}: {contact}",
    how_to_pay_ask="Para saber cómo pagar, póngase en contacto con {biller}.",
    others="Sus otras facturas pendientes:",
    other_due="{number} ({month}): {amount}, vence el {due}",
    other_overdue="{number} ({month}): {amount}, venció el {due}",
    pay_others="Puede pagar sus otras facturas pendientes de la misma forma. Indique por favor el número de cada una.",
    pay_others_online="Puede pagar cada una de sus otras facturas pendientes con el enlace de su propio correo.",
    see_online="Ver la factura en línea o preguntar algo",
    attached="Encontrará la factura adjunta en PDF, con cada cargo y la explicación de cómo se ha calculado su parte.",
    receipt_attached="Encontrará el comprobante de pago adjunto en PDF.",
    ask_by_reply=f"{_ASK} responda a este correo.",
    ask_contact=f"{_ASK} póngase en contacto con {{biller}}: {{contact}}",
    ask_biller=f"{_ASK} póngase en contacto con {{biller}}.",
    regards="Un cordial saludo,",
    note="Este correo se ha enviado automáticamente en nombre de {biller}.",
    subject_verify="Confirme su dirección de correo",
    subject_reset="Elija una contraseña nueva",
    subject_invite="Le han invitado a la cuenta {account}",
    verify="Confirme, por favor, que esta es su dirección de correo. Se ha indicado en Prorata para iniciar sesión.",
    reset="Se ha solicitado una contraseña nueva para su acceso a Prorata.",
    invite="{inviter} le invita a la cuenta {account} en Prorata, donde los suministros de los inmuebles en alquiler "
    "se reparten y se facturan a los inquilinos.",
    invite_nobody="Le han invitado a la cuenta {account} en Prorata, donde los suministros de los inmuebles en "
    "alquiler se reparten y se facturan a los inquilinos.",
    open_verify="Confirmar la dirección",
    open_reset="Elegir una contraseña nueva",
    open_invite="Aceptar la invitación",
    link_once="El enlace sirve una sola vez y durante {time}.",
    hour="1 hora",
    days="{number} días",
    not_asked="Si no esperaba este correo, no tiene que hacer nada.",
    not_asked_reset="Si no lo ha solicitado usted, no tiene que hacer nada: su contraseña no cambia.",
    subject_login="Su contraseña ha cambiado",
    subject_factor_on="Se ha activado el acceso en dos pasos",
    subject_factor_off="Se ha desactivado el acceso en dos pasos",
    subject_codes="Se han introducido códigos erróneos con su contraseña",
    subject_address="Su dirección de correo ha cambiado",
    login_changed="La contraseña de su acceso a Prorata ha cambiado.",
    factor_on="Se ha activado el acceso en dos pasos para su acceso a Prorata: a partir de ahora se pide un código de "
    "su aplicación.",
    factor_off="Se ha desactivado el acceso en dos pasos para su acceso a Prorata: a partir de ahora basta con su "
    "contraseña.",
    wrong_codes="Alguien ha usado su contraseña y ha introducido varios códigos erróneos en el segundo paso. Nadie ha "
    "entrado.",
    address_changed="A partir de ahora, otra dirección de correo inicia sesión en Prorata en lugar de esta.",
    was_you="Si ha sido usted, no tiene que hacer nada.",
    not_you_login="Si no ha sido usted, elija enseguida una contraseña nueva: al iniciar sesión, pulse «¿Olvidó su "
    "contraseña?».",
    not_you_factor="Si no ha sido usted, alguien conoce su contraseña. Elija enseguida una nueva: al iniciar sesión, "
    "pulse «¿Olvidó su contraseña?». Después avise a quien administra su Prorata.",
    not_you_address="Si no ha sido usted, alguien conoce su contraseña. Avise enseguida a un propietario de la cuenta "
    "o a quien administra su Prorata: pueden eliminar ese acceso.",
    subject_webhook_off="Su webhook se ha desactivado",
    webhook_off="Un webhook de su cuenta de Prorata se ha desactivado: el programa en su dirección no ha aceptado "
    "ningún mensaje durante más de una semana, o ha indicado que no quiere más.",
    turn_webhook_on="Repare el programa y vuelva a activar el webhook en Configuración, Webhooks. Lo ocurrido desde "
    "entonces se enviará en ese momento, hasta 30 días.",
    account_note="Prorata ha enviado este correo automáticamente.",
)
