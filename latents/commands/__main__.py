"""`python -m latents.commands`: the command line without an installation."""

from latents.commands.main import main

main()
