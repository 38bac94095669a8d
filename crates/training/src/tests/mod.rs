//! Training beside that of PyTorch.

mod pytorch;
