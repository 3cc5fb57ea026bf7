import click


@click.group()
def units() -> None: ...
