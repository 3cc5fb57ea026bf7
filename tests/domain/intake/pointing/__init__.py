"""Tests of bills that are read by what a person pointed at on earlier ones."""
