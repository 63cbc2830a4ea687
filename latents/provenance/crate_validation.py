"""Validate a crate against its profiles; run by `latents crate-check` in its own environment.

python -m latents.provenance.crate_validation figures/fig9.crate.zip required

The validator would fetch the vocabulary of RO-Crate 1.1 from the web; version 0.13 of `rocrate`
holds a copy of it, so that no network is needed.
"""

import json
import subprocess
import sys
import tempfile
from importlib.metadata import distribution
from pathlib import Path

import requests
from requests_cache import CachedSession
from urllib3 import HTTPResponse

PROFILES = ("process-run-crate", "workflow-run-crate", "provenance-run-crate")
VALIDATOR = Path(sys.executable).with_name("rocrate-validator")


def store_vocabulary(cache: Path) -> None:
    """Store the vocabulary of RO-Crate as if it had been fetched."""
    place = distribution("rocrate").locate_file("rocrate/data/ro-crate.jsonld")
    text = Path(str(place)).read_bytes()
    response = requests.Response()
    response.url = json.loads(text)["@id"]
    response.request = requests.Request("GET", response.url).prepare()
    response.status_code, response._content = 200, text
    response.headers["Content-Type"] = "application/ld+json"
    response.raw = HTTPResponse(request_url=response.url)
    CachedSession(str(cache)).cache.save_response(response)


def is_valid(crate: Path, profile: str, severity: str, cache: Path) -> bool:
    options = ["--offline", "--cache-path", str(cache), "--no-paging", "--verbose"]
    options += ["--profile-identifier", profile, "--requirement-severity", severity]
    done = subprocess.run([VALIDATOR, "--disable-color", "validate", *options, str(crate)])
    return done.returncode == 0


def validate(crate: Path, severity: str) -> int:
    """Print the verdict on every profile; return 0 if the crate is valid under all of them."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder, "cache")
        store_vocabulary(cache)
        valid = {profile: is_valid(crate, profile, severity, cache) for profile in PROFILES}
    for profile, verdict in valid.items():
        print(f"{profile}, {severity}: {'valid' if verdict else 'not valid'}")
    return 0 if all(valid.values()) else 1


if __name__ == "__main__":
    sys.exit(validate(Path(sys.argv[1]), sys.argv[2]))
