"""Neural networks as value functions: the papers' families, trained by PyTorch.

``inference``, ``losses``, ``module``, ``onnx_graph`` and ``optimized`` need the extra ``deep``, and are
imported when the first network is made; the other modules do without.
"""
