"""How each game looks and is spoken of: one TOML file a game, for everybody who shows or sends it."""
