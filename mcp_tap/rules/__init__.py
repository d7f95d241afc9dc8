"""Diagnosis: what is wrong in a session, who is at fault, how sure that is, what to do. No I/O.

* ``rule``       what a rule is, and the hooks by which it sees a session; ``finding`` what it says
* ``case``       what a rule may look at; ``listing`` what the server has listed
* ``checker``    the rules at work; ``causes`` which finding explains which; ``registry`` all rules
* ``settings``   thresholds, severities, what is switched off
* ``frames`` …   the rules, a family a file; a rule's docstring is its help page
"""
