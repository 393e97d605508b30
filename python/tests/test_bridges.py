"""Tests layouts from and to Triton, TIRx and DLPack. Compares with the packages of Triton and TIRx
if they are installed.
"""

import random

import numpy
import pytest

import axe

FRAGMENT = "S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)]"


def test_a_layout_is_read_from_and_written_as_text_of_triton():
    text = ("#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], "
            "warp = [], block = []}>")
    layout = axe.from_triton(text)
    assert layout.equivalent(FRAGMENT)
    assert axe.to_triton_text(layout, (16, 8)) == text
    assert axe.from_triton(axe.to_triton_text("S[(4,8):(8,1)]", (4, 8))).equivalent(
        "S[(4,8):(8,1)]")


def test_a_register_that_repeats_another_is_a_replica():
    layout = axe.from_triton(
        "#ttg.linear<{register = [[1], [0]], lane = [[2]], warp = [[0]], block = []}>")
    found = {(p["reg"], p["lane"], p["warp"]) for p in layout.places((4,), (3,))}
    assert found == {(1, 1, 0), (1, 1, 1), (3, 1, 0), (3, 1, 1)}


def test_a_blocked_encoding_is_read_for_its_shape():
    text = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>"
    layout = axe.from_triton(text, (32, 16))
    assert layout.size() == 512 and layout.span("lane") == 32 and layout.span("warp") == 4
    assert layout.places((32, 16), (9, 6)) == [{"warp": 1, "lane": 5, "reg": 2}]
    assert axe.from_triton(text, (64, 32)).span("reg") == 16
    with pytest.raises(axe.Error, match="needs the extents"):
        axe.from_triton(text)


BLOCKED = "sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]"


def test_a_blocked_encoding_has_several_ctas_as_a_cga_layout():
    of_one = f"#ttg.blocked<{{{BLOCKED}, CTAsPerCGA = [1, 1], CTASplitNum = [1, 1], CTAOrder = [1, 0]}}>"
    blocked = axe.from_triton(f"#ttg.blocked<{{{BLOCKED}}}>", (64, 32))
    assert axe.from_triton(of_one, (64, 32)) == blocked
    divided = axe.from_triton(f"#ttg.blocked<{{{BLOCKED}, CGALayout = [[1, 0]]}}>", (64, 16))
    assert divided.places((64, 16), (41, 6)) == [{"cta_x": 1, "warp": 1, "lane": 5, "reg": 2}]
    with pytest.raises(axe.Error, match="several CTAs as a CGALayout"):
        axe.from_triton(of_one.replace("CTAsPerCGA = [1", "CTAsPerCGA = [2"), (64, 32))


def test_an_encoding_with_a_parent_uses_its_own_layout():
    linear = "#ttg.linear<{register = [[0, 1]], lane = [[1, 0]], warp = [], block = []}>"
    assert axe.from_triton(f"#alias = {linear}") == axe.from_triton(linear)
    assert axe.from_triton(f"#ttg.slice<{{dim = 0, parent = {linear}}}>",
                           (2,)).text == "S[2:1@reg] + R[2:1@lane]"
    operand = f"#ttg.dot_op<{{opIdx = 0, parent = #ttg.blocked<{{{BLOCKED}}}>}}>"
    assert axe.from_triton(operand, (32, 16)).span("reg") == 16
    with pytest.raises(axe.Error, match="expected an encoding"):
        axe.from_triton("#ttg.slice<{dim = 0, parent = #blocked}>", (64, 32))


def test_a_blocked_encoding_needs_one_power_of_two_for_each_dimension():
    for wrong in ("sizePerThread = [4]", "sizePerThread = [1, 3]", "sizePerThread = [1, 0]"):
        with pytest.raises(axe.Error, match="needs 2 powers of two"):
            axe.from_triton(f"#ttg.blocked<{{{BLOCKED.replace('sizePerThread = [1, 4]', wrong)}}}>",
                            (64, 32))


def test_layout_reads_the_notations_of_others():
    assert axe.Layout("(8,4):(1,8)") == axe.Layout("S[(4,8):(8,1)]")
    of_tirx = axe.Layout("T.TileLayout(T.S[(8, 4):(4 @ Axis.laneid, 1 @ Axis.laneid)])")
    assert of_tirx == axe.Layout("S[(8,4):(4@lane,1@lane)]")
    of_triton = axe.Layout("{lane: 1 -> (1); reg: 1 -> (0)} to (dim0: 2)")
    assert of_triton.text == "S[2:1@lane] + R[2:1@reg]"
    assert axe.Layout("{dim0: 1 -> (2)} to (m: 4)").text == "S[2:2]"
    shared = "!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #smem>"
    assert axe.Layout(shared).text == "swizzle(M=3,B=3,S=3) o S[4096:1]"
    assert axe.program("notation", shared,
                       as_="tirx") == "T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[4096:1]))\n"
    with pytest.raises(axe.Error, match="not a layout"):
        axe.Layout("lane")


def test_triton_has_no_offsets():
    with pytest.raises(axe.Refused, match="has an offset"):
        axe.to_triton_text("S[8:-1@lane] + 7@lane", (8,))


def test_a_shape_for_triton_is_a_shape():
    with pytest.raises(axe.Malformed, match="nothing is called zz"):
        axe.to_triton_text("S[32:1@lane]", "zz")
    with pytest.raises(axe.Error, match="is not a shape, but of kind axes"):
        axe.to_triton_text("S[32:1@lane]", ("lane",))


def test_the_installed_triton_agrees():
    module = pytest.importorskip("triton._C.libtriton.linear_layout")
    draw = random.Random(22)
    for _ in range(200):
        rows, columns = 1 << draw.randint(1, 4), 1 << draw.randint(1, 4)
        bits = [[1 << k, 0] for k in range(rows.bit_length() - 1)] + [
            [0, 1 << k] for k in range(columns.bit_length() - 1)]
        draw.shuffle(bits)
        cuts = sorted(draw.randint(0, len(bits)) for _ in range(2))
        bases = [("register", bits[: cuts[0]]), ("lane", bits[cuts[0] : cuts[1]]),
                 ("warp", bits[cuts[1] :]), ("block", [])]
        theirs = module.LinearLayout.from_bases(bases, ["dim0", "dim1"], [rows, columns], False)
        ours = axe.from_triton(theirs)
        assert axe.to_triton(ours, (rows, columns)) == theirs
        i, j = draw.randrange(rows), draw.randrange(columns)
        names = (("register", "reg"), ("lane", "lane"), ("warp", "warp"))
        place = {n: int(ours.places(a, shape=(rows, columns))[i, j]) for n, a in names}
        assert dict(theirs.apply({**place, "block": 0})) == {"dim0": i, "dim1": j}


def test_a_linear_layout_may_name_its_dimensions_in_any_order():
    class Theirs:  # the two properties of Triton's LinearLayout that from_triton reads
        bases = [("register", [[1, 0], [2, 0]]), ("lane", [[0, 1]])]
        out_dims = [("dim1", 4), ("dim0", 2)]

    assert axe.from_triton(Theirs) == axe.Layout("S[(2,4):(1@lane,1@reg)]")


@pytest.mark.parametrize("text", ["S[8:1]", "S[(8,4):(4@lane,1@lane)] + R[2:4@warp] + 5@warp",
                                  "swizzle(3,3,3) o S[(64,64):(64,1)]"])
def test_a_layout_written_for_tirx_reads_back(text):
    layout = axe.Layout(text)
    assert axe.from_tirx(layout.to_tirx()) == layout


def test_text_of_tirx_may_use_a_declared_axis():
    axe.axis("tirx_mesh", "device")
    layout = axe.Layout("S[4:1@tirx_mesh]")
    assert axe.from_tirx(layout.to_tirx()) == layout
    with pytest.raises(axe.Malformed, match="there is no axis"):
        axe.from_tirx("T.TileLayout(T.S[4:1 @ Axis.lnae])")


def test_the_installed_tirx_agrees():
    tirx = pytest.importorskip("tvm.tirx.layout")
    theirs = tirx.TileLayout.from_iters([tirx.Iter(8, 4, "laneid"), tirx.Iter(4, 1, "laneid")],
                                        [tirx.Iter(2, 4, "warpid")], {})
    layout = axe.from_tirx(theirs)
    assert layout == axe.Layout("S[(8,4):(4@lane,1@lane)] + R[2:4@warp]")
    assert layout.to_tirx() == str(theirs)


def test_from_dlpack_has_the_extents_and_strides_of_the_tensor():
    array = numpy.arange(120).reshape(4, 5, 6)
    assert axe.from_dlpack(array).text == "S[((4),(5),(6)):((30),(6),(1))]"
    assert axe.from_dlpack(array[::2, :, ::-1]).text == "S[((2),(5),(6)):((60),(6),(-1))]"
    assert axe.from_dlpack(array).shape == (4, 5, 6)
    assert axe.from_dlpack(numpy.array(3)).size() == 1
    assert axe.from_dlpack(numpy.broadcast_to(numpy.arange(3),
                                              (2, 3))).text == "S[((2),(3)):((0),(1))]"
    with pytest.raises(axe.Refused, match="no elements"):
        axe.from_dlpack(numpy.empty((0, 3)))


def test_a_tensor_that_dlpack_cannot_describe_is_rejected():
    record = numpy.zeros(5, dtype=[("a", "i4"),
                                   ("b", "f8")])  # b has a stride of one and a half elements
    for tensor in ([1, 2], record, record["b"], numpy.zeros(4, ">f4")):
        with pytest.raises(TypeError, match="from_dlpack needs a tensor"):
            axe.from_dlpack(tensor)


def test_view_reads_an_array_through_a_layout():
    memory = numpy.arange(100)
    layout = axe.Layout("S[(4,5):(7,1)] + 3")
    seen = axe.view(memory, layout, (4, 5))
    assert (seen == memory[layout.places("m", shape=(4, 5))]).all()
    seen[0, 0] = -1
    assert memory[3] == -1
    assert axe.from_dlpack(seen).equivalent("S[(4,5):(7,1)]")
    assert axe.view(memory, "S[8:1]", ((2, 2), 2)).shape == (4, 2)
    assert (axe.view(memory, "S[4:-1] + 3", (4,)) == [-1, 2, 1, 0]).all()
    for same in ("S[4:1] + R[1:5]", "S[4:1] + R[3:0]",
                 "swizzle(3,1,3) o S[4:1]"):  # each is the map S[4:1]
        assert (axe.view(memory, same, (4,)) == memory[:4]).all()
    for text, shape in (("swizzle(3,1,3) o S[(2,2):(64,1)]", (2, 2)),
                        ("swizzle(0,1,1) o S[2:1] + 2", (2,))):
        swizzled = axe.Layout(text)  # a swizzle may leave the addresses strided
        expected = memory[swizzled.places("m", shape=shape)]
        assert (axe.view(memory, swizzled, shape) == expected).all()
    assert axe.view(memory, "S[] + 7", ()) == memory[7]
    for text, shape in (("S[(2,2):(4,1)]", (4,)), ("S[200:1]", (200,)), ("S[4:1@lane]", (4,)),
                        ("S[4:1] + R[2:4]", (4,)),
                        ("swizzle(0,1,1) o S[4:1]", (4,)), ("S[4:1] + -3", (4,)),
                        ("S[4:1] + R[1000000000:1]", (4,))):
        with pytest.raises(axe.Refused):
            axe.view(memory, text, shape)
    for apart in (memory[::2], memory.reshape(10, 10).T):
        with pytest.raises(axe.Error, match="C-contiguous"):
            axe.view(apart, "S[4:1]", (4,))
