"""The paper's evaluation: declared sweeps, tables, figures, report."""
