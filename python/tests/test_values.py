"""Tests layouts and other answers as Python values."""

import copy
import pickle

import pytest

import axe

TILE = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"


def test_a_layout_is_its_text():
    tile = axe.Layout(TILE)
    assert str(tile) == TILE and repr(tile) == f"axe.Layout({TILE!r})"
    assert tile == axe.Layout(TILE.replace(",", ", ")) and tile != axe.Layout("S[8:1]")
    assert hash(tile) == hash(axe.Layout(TILE)) and len({tile, axe.Layout(TILE)}) == 1
    assert eval(repr(tile)) == tile
    with pytest.raises(AttributeError):
        tile.text = "S[8:1]"
    assert tile.axes == ("lane", "warp", "reg") and tile.shape == (128,)


def test_equal_maps_need_not_be_equal_values():
    a, b = axe.Layout("S[(2,4):(4,1)]"), axe.Layout("S[8:1]")
    assert a != b and a.equivalent(b) and axe.equivalent(a, "S[8:1]")
    assert a.canonicalize() == b


def test_an_expression_is_a_layout_if_its_value_is_one():
    assert axe.Layout("tile(S[(2,3):(3,1)], (2,3), S[(8,8):(8,1)], (8,8))").size() == 384
    with pytest.raises(axe.Error, match="3 is not a layout"):
        axe.Layout("3")


def test_values_survive_pickling():
    tile = axe.Layout(TILE)
    for again in (pickle.loads(pickle.dumps(tile)), copy.deepcopy(tile)):
        assert again == tile and again.span("lane") == 32
    axe.axis("mesh_p", "device")
    axe.axis("p", "device")
    reduced = axe.Layout("S[4:1@mesh_p]").__reduce__()
    assert list(reduced[1][3]) == ["mesh_p"]  # not p, which this layout does not name
    assert pickle.loads(pickle.dumps(axe.Layout("S[4:1@mesh_p]"))).span("mesh_p") == 4
    linear = axe.linear("S[(8,4):(4@lane,1@lane)]", (8, 4))
    assert pickle.loads(pickle.dumps(linear)) == linear


def test_arguments_are_python_values():
    tile = axe.Layout(TILE)
    found = tile.places((8, 16), (2, 9))
    assert found == [{"lane": 8, "warp": 6, "reg": 1}, {"lane": 8, "warp": 10, "reg": 1}]
    assert tile.elements((8, 16), {"lane": 8, "warp": 6}) == ((2, 8), (2, 9))
    assert axe.elements("S[4:-1]", 4, {"m": -3}) == ((3,),)
    assert axe.slice("S[(8,8):(100,1)]", 64, slice(4, 20)).text == "S[(2,2,4):(100,96,1)] + 4"
    assert axe.slice("S[(8,8):(8,1)]", (8, 8), (slice(2, 5), range(0, 8))).size() == 24
    assert axe.coverage("S[32:1@lane]", {"lane": 32}).coverage == "once"
    assert axe.coverage("S[8:1@lane]", lane=32).place.lane == 8
    assert axe.group_many("S[16:1]", [(2, 8), (4, 4)]).size() == 16
    assert axe.inverse("S[(8,4):(4@lane,1@lane)]", ("lane",)).size() == 32
    numpy = pytest.importorskip("numpy")
    assert axe.size(axe.Layout("S[8:1]")) == 8
    assert axe.group("S[8:1]", (numpy.int64(2), numpy.int32(4)))


def test_a_place_names_an_axis():
    # {} would restrict no axis, but the text of a place without an axis is a place on m.
    for function in (axe.elements, axe.owned_by):
        with pytest.raises(axe.Error, match="names at least one axis"):
            function("S[(2,2):(1@lane,1)]", (2, 2), {})


def test_functions_are_methods_of_their_first_argument():
    assert axe.CuteLayout("(4,2):(1,4)").composition("(2,4):(4,1)") == axe.cute.composition(
        axe.CuteLayout("(4,2):(1,4)"), "(2,4):(4,1)")
    assert axe.cute.to_axe("(4,2):(1,4)").text == "S[(2,4):(4,1)]"
    linear = axe.Layout("S[(8,4):(4@lane,1@lane)]").linear((8, 4))
    assert linear.rank() == 5 and axe.linear.rank(linear) == 5
    access = axe.ldmatrix_rows(16)
    assert access == axe.Access("ldmatrix_rows(16)")
    assert axe.shared_memory("S[(8,64):(64,1)]", (8, 64), access).conflicts == 8
    swizzled = axe.conflict_free_layout("S[(8,64):(64,1)]", (8, 64), access)
    assert swizzled.conflicts((8, 64), access) == 1 and axe.Swizzle("swizzle(3,3,3)").B == 3


def test_a_refusal_has_its_sentence_rule_and_numbers():
    with pytest.raises(axe.Refused) as caught:
        axe.group("S[(4,2):(1,8)]", (3, 3))
    refused = caught.value
    assert refused.rule == "shape_does_not_fit" and refused.numbers == (9, 8)
    assert refused.operation == "group" and str(refused) == refused.sentence
    with pytest.raises(axe.Refused) as caught:
        axe.Layout("S[4:-1]").cosize()
    assert caught.value.numbers == (-3,) and caught.value.axes == ("m",)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.rule, again.numbers) == (caught.value.rule, caught.value.numbers)


def test_a_mistake_has_its_position():
    with pytest.raises(axe.Malformed) as caught:
        axe.span("S[8:1]", "lnae")
    assert "did you mean lane?" in str(caught.value) and caught.value.position == 13
    with pytest.raises(axe.Malformed):
        axe.Layout("S[(2,4):(4,1]")
    with pytest.raises(TypeError):
        axe.size(1.5)
    with pytest.raises(TypeError):
        axe.elements("S[8:1@lane]", 8, {"lane": "x"})


def test_every_function_of_the_table_is_documented():
    for name, _, words, *_ in axe._axe.table():
        found = axe
        for part in name.split("."):
            found = getattr(found, part)
        assert words in found.__doc__


def test_a_layout_is_drawn_and_printed_as_a_table():
    tile = axe.Layout(TILE)
    assert "<svg" in tile.svg((8, 16)) and tile._repr_svg_().startswith("<svg")
    assert axe.Layout("S[4:1] + R[(1000000,1000000):(3,2000003)]")._repr_svg_() is None
    assert axe.Layout("S[(2,2):(2,1)]").table((2, 2)).count("\n") >= 2


def test_a_plan_has_its_text_and_its_fields():
    copy = {"from_": "global", "to": "shared", "shape": (64, 64)}
    plan = axe.plan.copy("S[(64,64):(4096,1)]", "S[(64,64):(64,1)]", **copy)
    assert axe.plan.copy("S[(64,64):(4096,1)]", "S[(64,64):(64,1)]", json=True, **copy) == plan
    assert str(plan) == plan.text and len(vars(plan)) > 2
    with pytest.raises(axe.Error, match="no memory space is called 'nowhere'"):
        axe.plan.copy("S[8:1]", "S[8:1]", from_="nowhere", to="shared")
    operand = axe.mma_shared_layout(16, 128, (64, 64))
    product = axe.plan.mma(operand, operand, axe.wgmma.accumulator(64), shape=(64, 64, 64),
                           a="shared", b="shared")
    assert product.instruction.startswith("wgmma")
