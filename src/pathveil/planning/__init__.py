"""May this go out? What outsiders would read of all that was released."""
