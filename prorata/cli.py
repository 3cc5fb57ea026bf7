"""placeholder until wiring exists"""


def main() -> None: ...
