"""What can be reached: analyses, verdicts with certificates, random configurations, and their groups.

Builds on the gain graph. Start with `route.py`, which chooses how a question is answered, then `analysis.py`
and `verdict.py`; `certificate.py` checks verdicts independently.
"""
