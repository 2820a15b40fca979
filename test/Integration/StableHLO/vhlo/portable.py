"""Ops of stablehlo as ops of vhlo: with their versions, all attributes written out, structs spread, and functions named by strings.

This is what stablehlo-translate --serialize does, written from the version log and the definitions of vhlo, for tests."""
from generic_text import Op, Unsupported

INT = lambda value: ("int", value, ("i", 64))
STRING = lambda value: ("string", value)
BOOL = lambda value: ("bool", value)
EMPTY = ("array", [])


def tensor(numbers, element=("i", 64)):
    shape = [len(numbers)]
    return ("dense", [str(n) for n in numbers], ("tensor", shape, element, None))


ENUM = lambda kind, name: ("enum", kind, name)
#: Attributes that an op has in vhlo though the text leaves them out.
DEFAULTS = {
    "cholesky": {"lower": BOOL(False)},
    "compare": {"compare_type": ENUM("comparison_type", "NOTYPE")},
    "composite": {"composite_attributes": ("dict", []), "version": ("int", 0, ("i", 32))},
    "custom_call": {"has_side_effect": BOOL(False), "backend_config": STRING(""), "api_version": ("int", 1, ("i", 32)),
                    "called_computations": EMPTY, "operand_layouts": EMPTY, "result_layouts": EMPTY, "output_operand_aliases": EMPTY},
    "dot": {"precision_config": EMPTY},
    "dot_general": {"precision_config": EMPTY},
    "convolution": {"precision_config": EMPTY},
    "dynamic_conv": {"precision_config": EMPTY},
    "dynamic_broadcast_in_dim": {"known_expanding_dimensions": tensor([]), "known_nonexpanding_dimensions": tensor([])},
    "dynamic_gather": {"indices_are_sorted": BOOL(False)},
    "gather": {"indices_are_sorted": BOOL(False)},
    "infeed": {"infeed_config": STRING(""), "layout": EMPTY},
    "outfeed": {"outfeed_config": STRING("")},
    "recv": {"is_host_transfer": BOOL(False), "source_target_pairs": ("dense", None, ("tensor", [0, 2], ("i", 64), None))},
    "send": {"is_host_transfer": BOOL(False), "source_target_pairs": ("dense", None, ("tensor", [0, 2], ("i", 64), None))},
    "scatter": {"indices_are_sorted": BOOL(False), "unique_indices": BOOL(False)},
    "sort": {"dimension": INT(-1), "is_stable": BOOL(False)},
    "all_gather": {"use_global_device_ids": BOOL(False)},
    "all_reduce": {"use_global_device_ids": BOOL(False)},
    "reduce_scatter": {"use_global_device_ids": BOOL(False)},
    "func": {"sym_visibility": STRING(""), "arg_attrs": EMPTY, "res_attrs": EMPTY},
}
MATH = ("cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "rsqrt", "sine", "sqrt",
        "tan", "tanh")
CHANNELS = ("all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute", "reduce_scatter")


def spread(op, name, attributes, version):
    """Structs as several attributes."""
    take = lambda key: dict(attributes.pop(key)[2])
    if name == "dot_general":
        fields = take("dot_dimension_numbers")
        for key in ("lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions", "rhs_contracting_dimensions"):
            attributes[key] = tensor(fields.get(key, []))
        if version >= (1, 6):
            none = ("type", ("none",))
            attributes.update(lhs_precision_type=none, rhs_precision_type=none, accumulation_type=none, lhs_component_count=INT(-1),
                              rhs_component_count=INT(-1), num_primitive_operations=INT(-1),
                              allow_imprecise_accumulation=BOOL(False))
    elif name in ("gather", "dynamic_gather"):
        fields = take("dimension_numbers")
        batched = ("operand_batching_dims", "start_indices_batching_dims")
        for key in ("offset_dims", "collapsed_slice_dims", "start_index_map") + (batched if version >= (1, 1) else ()):
            attributes[key] = tensor(fields.pop(key, []))
        attributes["index_vector_dim"] = INT(fields.pop("index_vector_dim", 0))
        if fields:
            raise Unsupported(f"{fields} before 1.1")
    elif name == "scatter":
        fields = take("scatter_dimension_numbers")
        batched = ("input_batching_dims", "scatter_indices_batching_dims")
        for key in ("update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims") + (batched if version >= (1, 1) else ()):
            attributes[key] = tensor(fields.pop(key, []))
        attributes["index_vector_dim"] = INT(fields.pop("index_vector_dim", 0))
        if fields:
            raise Unsupported(f"{fields} before 1.1")
    elif name in ("convolution", "dynamic_conv"):
        spatial = convolution(attributes, take("dimension_numbers")["sides"])
        ones, zeros = ["1"] * spatial, [["0", "0"]] * spatial
        pairs = ("tensor", [spatial, 2], ("i", 64), None)
        for key in ("window_strides", "lhs_dilation", "rhs_dilation"):
            attributes.setdefault(key, tensor(ones))
        attributes.setdefault("window_reversal", tensor(["false"] * spatial, ("i", 1)))
        if name == "convolution" or version < (0, 20):
            attributes.setdefault("padding", ("dense", zeros, pairs))
    elif name in ("send", "recv"):
        fields = take("channel_handle")
        attributes.update(channel_id=INT(fields["handle"]), channel_type=INT(fields["type"]))
    elif name in CHANNELS:
        fields = take("channel_handle") if "channel_handle" in attributes else {"handle": 0}
        attributes["channel_id"] = INT(fields["handle"])


def convolution(attributes, sides):
    names = (("input", "b", "batch", "f", "feature"), ("kernel", "i", "input_feature", "o", "output_feature"),
             ("output", "b", "batch", "f", "feature"))
    for side, (prefix, first, first_name, second, second_name) in zip(sides, names):
        attributes[f"{prefix}_{first_name}_dimension"] = INT(side.index(first))
        attributes[f"{prefix}_{second_name}_dimension"] = INT(side.index(second))
        spatial = [side.index(str(i)) for i in range(len(side) - 2)]
        attributes[f"{prefix}_spatial_dimensions"] = tensor(spatial)
    return len(sides[0]) - 2


def window(op, name, attributes):
    """Windows have all their fields."""
    if name not in ("reduce_window", "select_and_scatter"):
        return
    rank = len(op.operand_types[0][1])
    ones = tensor(["1"] * rank)
    attributes.setdefault("window_dimensions", ones)
    attributes.setdefault("window_strides", ones)
    if name == "reduce_window":
        attributes.setdefault("base_dilations", ones)
        attributes.setdefault("window_dilations", ones)
    attributes.setdefault("padding", ("dense", [["0", "0"]] * rank, ("tensor", [rank, 2], ("i", 64), None)))


def version_of(name, version):
    second = {"gather": (1, 1), "dynamic_gather": (1, 1), "scatter": (1, 1), "dot_general": (1, 6), "all_gather": (1, 5),
              "all_reduce": (1, 5), "all_to_all": (1, 5), "send": (1, 12), "recv": (1, 12), "dynamic_conv": (0, 20)}
    second.update({op: (1, 10) for op in MATH}, exponential=(1, 9))
    return 2 if name in second and version >= second[name] else 1


def is_discardable(op, key):
    """Whether an op has the attribute beside those that it is defined with, so that it is stored in a dictionary."""
    return "." in key or op.startswith("vhlo.custom_call") and key != "call_target_name" and key not in DEFAULTS["custom_call"]


def plain(attribute):
    """Lists are tensors, symbols strings, marks booleans."""
    if attribute[0] == "list":
        return tensor(attribute[2], attribute[1])
    if attribute[0] == "symbol":
        return STRING(attribute[1])
    if attribute[0] == "unit":
        return BOOL(True)
    if attribute[0] == "array":
        return ("array", [plain(element) for element in attribute[1]])
    if attribute[0] == "dict":
        return ("dict", [(key, plain(value)) for key, value in attribute[1]])
    return attribute


def convert(op, version):
    """`op`, of a module, with all that it contains, for readers of `version` such as (1, 13)."""
    dialect, name = op.name.split(".", 1)
    attributes = dict(op.attributes)
    regions = [(arguments, [convert(inner, version) for inner in ops]) for arguments, ops in op.regions]
    if dialect == "builtin":
        return Op(op.name, op.operands, attributes, regions, op.operand_types, op.result_types, op.results)
    if dialect not in ("stablehlo", "func"):
        raise Unsupported(op.name)
    for key, value in DEFAULTS.get(name, {}).items():
        attributes.setdefault(key, value)
    spread(op, name, attributes, version)
    window(op, name, attributes)
    number = version_of(name, version)
    if number == 1 and name in ("send", "recv"):
        attributes.pop("source_target_pairs")
    if number == 1 and name in ("all_gather", "all_reduce", "all_to_all") and len(op.operands) != 1:
        raise Unsupported("several operands before 1.5")
    if name == "dynamic_conv" and number == 2:
        attributes.pop("padding", None)
    if name in MATH:
        accuracy = attributes.pop("result_accuracy", None) or ("struct", "result_accuracy", {
            "atol": ("float", "0.0", ("f64",)), "rtol": ("float", "0.0", ("f64",)), "ulps": 0,
            "mode": ENUM("result_accuracy_mode", "DEFAULT")})
        if number == 2:
            attributes["result_accuracy"] = accuracy
    return Op(f"vhlo.{name}_v{number}", op.operands, {key: plain(value) for key, value in attributes.items()}, regions,
              op.operand_types, op.result_types, op.results)
