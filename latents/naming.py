"""How a module and its class share a name."""


def class_name(module: str) -> str:
    """`dip_vae` -> `DipVae`: a module's class carries the module's name."""
    return "".join(word.capitalize() for word in module.split("_"))
