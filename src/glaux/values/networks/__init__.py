"""Neural networks as value functions: the papers' families, trained by PyTorch.

None of these modules needs the extra ``deep`` to be imported, except ``module``, ``onnx_graph`` and
``inference``, which ``network`` imports when the first network is made.
"""
