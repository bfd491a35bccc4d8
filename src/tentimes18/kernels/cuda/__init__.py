"""The kernels for a GPU: CUDA text in files of its own, compiled by whoever runs it (`solve.cuda`)."""
