"""Ratios against named peers, each measured in one run: `make bench`, or `python -m bench --help`."""
