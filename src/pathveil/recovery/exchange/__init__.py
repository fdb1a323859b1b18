"""The secure exchange: the field, the shares, the wire, the parties. Extra ``mpc``.

``pathveil.recovery.secure`` is the door; nothing else imports these modules at start-up.
"""
