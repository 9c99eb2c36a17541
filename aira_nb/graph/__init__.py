"""Graphs that are walked: name links between passages, and the memory's own three layers."""

from aira_nb.graph.memory import MemoryGraph
from aira_nb.graph.walk import Graph, Step, forward_push, power_iteration

__all__ = ["Graph", "MemoryGraph", "Step", "forward_push", "power_iteration"]
