"""The kernels for a graphics card: CUDA text in files of its own, compiled by whoever runs it (`solve.cuda`)."""
