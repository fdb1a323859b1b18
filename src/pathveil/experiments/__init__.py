"""Many runs, tables and figures."""
