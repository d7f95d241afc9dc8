"""Diagnosis: what is wrong in a session, who is at fault, how sure that is, what to do. No I/O.

The engine:

* ``rule``       what a rule is, and the hooks by which it sees a session; ``finding`` what it says
* ``case``       what a rule may look at; ``listing`` what the server has listed
* ``checker``    the rules at work on one session; ``reading`` on a whole recording, fast, by letting
  pass what is ``plain``
* ``causes``     which finding explains which; ``registry`` all rules, in order
* ``report``     the verdict and the life line; ``digest`` what is kept to hold sessions against each other
* ``settings``   thresholds and severities; ``config`` and ``baseline`` the files that set them

The rules, a family a file; a rule's docstring is its help page. ``facts`` is what they share.

* FRM            ``frames``, ``lines``, ``encoding``
* RPC            ``envelope``, ``ids``, ``notifications``, ``methods``, ``shapes``, ``errors``
* LIF            ``early``, ``lifecycle``, ``handshake``, ``negotiation``, ``waiting``, ``silence``
* CAP, CAN, PRG  ``capabilities``, ``cancellation``, ``progress``
* TOL, RES       ``tools``, ``pages``, ``schemas``, ``results``, ``retries``
* MOD            ``modern``, ``unasked``, ``round_trips``, ``subscriptions``
* PRF            ``performance``
* PRO, TAP       ``start``, ``exits``, ``shutdown``, ``instances``, ``tap``
* SEC            ``secrets``, ``catalogue``, ``injection``
"""
