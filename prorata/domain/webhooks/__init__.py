"""Events, and the programs that are told of them: the rules."""
