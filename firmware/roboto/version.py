"""The version of everything in this repository: firmware, simulator and tools."""

VERSION = "0.2.0"
