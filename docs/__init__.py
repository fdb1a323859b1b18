"""The site, and the pages of it that are made from the program."""
