"""Progress messages during measurements."""

from benchmarks.processes import Memory
from benchmarks.results import Rounds, ratio, ratio_by_cpu

_COLUMNS = (
    f"{'req/s':>9} {'least':>8} {'most':>8} {'CPU ms':>8} {'db ms':>7} {'Redis':>7} {'busy':>5} "
    f"{'p50 ms':>8} {'p99 ms':>8}"
)


def tell(sentence: str) -> None:
    """Print a sentence without delay."""
    print(sentence, flush=True)


def heading(what: str) -> None:
    """Print a heading before the rounds of a workload."""
    tell(f"\n{what}\n{'':14}{_COLUMNS}")


def rounds(name: str, of: Rounds, first: str, of_first: Rounds) -> None:
    """Print a server's rounds, compared with the first server's unless it is the first."""
    times, by_cpu = ratio(of_first, of).of_medians, ratio_by_cpu(of_first, of).of_medians
    against = f"   {first} is {times:.2f}×, by CPU {by_cpu:.2f}×" if name != first else ""
    half = f"{of.p50.median:>8.2f} {of.p99.median:>8.2f}" if of.p50 and of.p99 else " " * 17
    tell(
        f"  {name:<12}{of.rate:>9,.0f} {of.least:>8,.0f} {of.most:>8,.0f} {of.cpu:>8.3f} {of.database_cpu:>7.3f} "
        f"{of.redis_cpu:>7.3f} {of.busy:>5.2f} {half}{against}{disturbed(of.disturbed)}"
    )


def disturbed(number: int) -> str:
    """Say how many rounds were disturbed."""
    return f", {number} disturbed" if number else ""


def memory(name: str, of: Memory) -> None:
    """Print a worker's memory."""
    tell(
        f"  {name:<12} a worker held {of.most:.0f} MB at most, and holds {of.resident:.0f} MB, "
        f"{of.proportional:.0f} MB by share"
    )
