"""Many machines: a Ray cluster that plays for a program here (docs/cluster.md).

``connecting.py`` joins a cluster, ``tasks.py`` has calls made there that need nothing but their arguments,
and ``crew.py`` has objects that live there. Ray is an optional dependency, and only this package knows it.
"""
