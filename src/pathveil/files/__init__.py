"""Values to files and back. Readers treat every file as hostile.

Size limits, no pickles, no entity expansion, everything checked, and the place of the fault at the
start of each message.
"""
