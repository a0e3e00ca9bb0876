"""The papers' experiments: files that say what is compared, and all that runs, judges and reports them."""
