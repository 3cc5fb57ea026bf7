"""Locations: the checkout, the two environments, the data kept between runs, and our ports."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
PEERS_BIN = ROOT / ".venv" / "peers" / "bin"
PEERS = ROOT / "benchmarks" / "peers"
LOAD_SCRIPT = ROOT / "benchmarks" / "load.lua"
KEPT = ROOT / ".venv" / "bench"
"""Built data and the figures of the last whole run; `make clean` takes it away with the environment."""
RESULTS = ROOT / "benchmarks" / "RESULTS.md"
NOTES = ROOT / "benchmarks" / "notes.md"

WEB_PORTS = (8200, 8299)
POSTGRESQL_PORTS = (5600, 5699)
REDIS_PORTS = (6400, 6499)
