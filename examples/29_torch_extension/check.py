"""Loads the operator and checks it. Shapes and errors are checked everywhere, values only on a GPU.

check.py libaxe_torch.so
"""

import sys

import torch

torch.ops.load_library(sys.argv[1])
rms_norm = torch.ops.axe.rms_norm
bf16 = torch.bfloat16


def fails(sentence, *arguments):
    try:
        rms_norm(*arguments)
    except RuntimeError as error:
        assert sentence in str(error), error
        return
    raise AssertionError(f"accepted, but should say: {sentence}")


x = torch.empty(7, 5, 2560, dtype=bf16, device="meta")
weight = torch.empty(2560, dtype=bf16, device="meta")
assert rms_norm(x, weight, 1e-6).shape == x.shape and rms_norm(x, weight, 1e-6).dtype == bf16
fails("a weight for each column", x, weight[:8], 1e-6)
fails("tensors of bfloat16", x.float(), weight, 1e-6)
long = torch.empty(1, 9000, dtype=bf16, device="meta")
fails("rows of 1 to 8192 columns", long, long[0], 1e-6)


class Norm(torch.nn.Module):
    def forward(self, x, weight):
        return rms_norm(x, weight, 1e-6)


# Fails if the operator makes the number of rows a constant.
torch.export.export(Norm(), (x, weight), dynamic_shapes=({0: torch.export.Dim("rows")}, None))

if torch.cuda.is_available():
    for shape in [(7, 2560), (3, 1001), (2, 3, 7168), (0, 8)]:
        x = torch.randn(shape, dtype=bf16, device="cuda")
        weight = torch.randn(shape[-1], dtype=bf16, device="cuda")
        y = x.float() * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6) * weight.float()
        torch.testing.assert_close(rms_norm(x, weight, 1e-6).float(), y, rtol=1 / 250, atol=1e-6)
    whole = torch.randn(1 + 2 * 64, dtype=bf16, device="cuda")
    x, weight = whole[1:].view(2, 64), torch.ones(64, dtype=bf16, device="cuda")
    # The data of x begins at byte 2, so it is not aligned for vectors.
    assert torch.equal(rms_norm(x, weight, 1e-6), rms_norm(x.clone(), weight, 1e-6))
print("right" if torch.cuda.is_available() else "right; no GPU: values are not compared")
