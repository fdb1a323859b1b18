"""Parse, call one verb, show."""
