# SPDX-License-Identifier: MIT
"""Uses an extension of PyTorch, and loads another one after that."""
import sys
from pathlib import Path

import torch
from torch.utils.cpp_extension import load

HERE = Path(__file__).parent
build = sys.argv[1]

racy = load("torch_racy", [str(HERE / "torch_racy.cu")], build_directory=build)
values = torch.arange(100, dtype=torch.float32, device="cuda")
racy.total(values)
load("torch_repaired", [str(HERE / "torch_repaired.cu")], build_directory=build, is_python_module=False)
weights = torch.ones(100, requires_grad=True)
result = torch.ops.weakspot_test.total(values * 2 + weights.cuda().detach())
print(result, float(result), torch.cuda.is_available(), values.device)
(weights.cuda() * values).sum().backward()
print(weights.grad[:3].tolist(), values.cpu().numpy()[:2], values[values > 97].tolist(), values.reshape(2, 50)[1, :2])
