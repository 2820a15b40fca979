"""Mica from Python: load an artifact, run it on NumPy arrays and DLPack tensors, get errors that name the operation.

A wrapper of the C API in one file, with ctypes and NumPy only; copy it into your project.

    import mica, numpy as np

    with mica.load("build_output/model") as program, program.context(threads=2) as context:
        print(program.entries["main"])
        y, = context.run(np.ones((4, 8), np.float32))
        print(y.numpy())                        # the library's memory, not a copy

Inputs are read where they lie if they are packed and aligned to 64 bytes (mica.empty() gives such memory, and results have it);
else the library copies them. Arrays of NumPy, tensors of other libraries that speak DLPack (torch, jax), results of an earlier run
and, converted to the argument's type, lists and numbers are taken. Results are Tensor: numpy() is a view of them, and
numpy.from_dlpack, torch.from_dlpack and the like take them as they are.

Everything that fails raises a subclass of mica.Error; see its members. Programs, contexts and invocations are context managers; they
may be closed in any order, and are when nothing refers to them any more. Calls release Python's lock, and a context may be used
by several threads.

The library is found as the system finds libraries (LD_LIBRARY_PATH, ldconfig), or where use_library() says, first thing.
"""
import ctypes
import itertools
import weakref

import numpy as np

_API_VERSION = 3  # MICA_C_API_VERSION of the mica.h that this file was written for


# ---- the structures of mica/C/mica.h and mica/C/DLPack.h -------------------------------------------------------------

class _ErrorPlace(ctypes.Structure):
    _fields_ = [("kernel", ctypes.c_char_p), ("operation", ctypes.c_char_p), ("id", ctypes.c_char_p),
                ("file", ctypes.c_char_p), ("line", ctypes.c_int64), ("column", ctypes.c_int64),
                ("operands", ctypes.c_char_p), ("element", ctypes.c_char_p)]


class _Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char_p), ("hint", ctypes.c_char_p),
                ("place", ctypes.POINTER(_ErrorPlace))]


class _DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("id", ctypes.c_int32)]


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _Device), ("ndim", ctypes.c_int32), ("dtype", _DataType),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", _Deleter), ("flags", ctypes.c_uint64), ("tensor", _DLTensor)]


class _TensorInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dtype", _DataType), ("ndim", ctypes.c_int32),
                ("shape", ctypes.POINTER(ctypes.c_int64))]


class _ContextOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("threads", ctypes.c_int32)]


class _IsolationOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("threads", ctypes.c_int32), ("memory", ctypes.c_uint64),
                ("seconds", ctypes.c_double)]


class _LogOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t)] + [
        (name, ctypes.c_char_p) for name in ("topics", "file", "folder", "format", "kernels", "ranks")]


_Tensors = ctypes.POINTER(ctypes.POINTER(_DLTensor))
_Results = ctypes.POINTER(ctypes.POINTER(_Managed))
_Handle, _Size, _Text, _ErrorOut = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.POINTER(_Error)
_HandleOut = ctypes.POINTER(ctypes.c_void_p)

# Name: (type of the result, types of the arguments). "code": fails with a mica_code and takes a mica_error last.
_FUNCTIONS = {
    "mica_version": (_Text, []),
    "mica_api_version": (ctypes.c_uint32, []),
    "mica_error_clear": (None, [_ErrorOut]),
    "mica_set_switches": ("code", [_Text]),
    "mica_set_logs": ("code", [ctypes.POINTER(_LogOptions)]),
    "mica_program_load": ("code", [_Text, _HandleOut]),
    "mica_program_open": ("code", [_Text, _HandleOut]),
    "mica_program_release": (None, [_Handle]),
    "mica_program_entry_count": (_Size, [_Handle]),
    "mica_program_entry_name": (_Text, [_Handle, _Size]),
    "mica_program_find_entry": ("code", [_Handle, _Text, ctypes.POINTER(_Size)]),
    "mica_program_argument_count": (_Size, [_Handle, _Size]),
    "mica_program_result_count": (_Size, [_Handle, _Size]),
    "mica_program_argument": ("code", [_Handle, _Size, _Size, ctypes.POINTER(_TensorInfo)]),
    "mica_program_result": ("code", [_Handle, _Size, _Size, ctypes.POINTER(_TensorInfo)]),
    "mica_context_create": ("code", [_Handle, ctypes.POINTER(_ContextOptions), _HandleOut]),
    "mica_context_release": (None, [_Handle]),
    "mica_invoke": ("code", [_Handle, _Size, _Tensors, _Size, _Results, _Size]),
    "mica_submit": ("code", [_Handle, _Size, _Tensors, _Size, _HandleOut]),
    "mica_invocation_done": (ctypes.c_int32, [_Handle]),
    "mica_invocation_wait": ("code", [_Handle, _Results, _Size]),
    "mica_invocation_release": (None, [_Handle]),
    "mica_run_isolated": ("code", [_Handle, _Size, ctypes.POINTER(_IsolationOptions), _Tensors, _Size, _Results, _Size]),
}


# ---- errors ----------------------------------------------------------------------------------------------------------

class Error(Exception):
    """What failed. Where an operation of the program did, the members say which; else they are empty.

    message, hint: in words, with what to try next; operation, id: "mica.div" and its id; file, line, column: where it was written;
    kernel: the kernel that ran it; operands, element: of an origin of NaN or a failed division, "7, 0" and "[0, 4]".
    """

    def __init__(self, message, hint="", operation="", id="", file="", line=0, column=0, kernel="",
                 operands="", element=""):
        super().__init__(message + (f"\nhint: {hint}" if hint else ""))
        self.message, self.hint = message, hint
        self.operation, self.id, self.kernel = operation, id, kernel
        self.file, self.line, self.column = file, line, column
        self.operands, self.element = operands, element


class InvalidInput(Error, ValueError):
    """An argument, input or value is wrong."""


class NotFound(Error):
    """A file, entry or symbol does not exist."""


class Damaged(Error):
    """A file is truncated or inconsistent."""


class Unsupported(Error):
    """This library or machine cannot serve it."""


class SystemRefused(Error):
    """Memory, disk, permission."""


class CheckFailed(Error):
    """A task failed while it ran; its context takes no further work."""


class Hang(Error):
    """No progress."""


class InternalError(Error):
    """Mica's own fault."""


_ERRORS = [None, InvalidInput, NotFound, Damaged, Unsupported, SystemRefused, CheckFailed, Hang, InternalError]


class _Library:
    """The functions of libmica.so, those that can fail raising an Error."""

    def __init__(self, path):
        loaded = ctypes.CDLL(path)
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(loaded, name)
            function.restype = ctypes.c_int if result == "code" else result
            function.argtypes = arguments + ([_ErrorOut] if result == "code" else [])
            setattr(self, name, self._checked(function) if result == "code" else function)
        if self.mica_api_version() < _API_VERSION:
            raise ImportError(f"{path} has version {self.mica_api_version()} of the C API, mica.py needs {_API_VERSION}")

    def _checked(self, function):
        def call(*arguments):
            error = _Error()
            code = function(*arguments, ctypes.byref(error))
            if code:
                raise self._error(code, error)

        return call

    def _error(self, code, error):
        text = lambda value: (value or b"").decode(errors="replace")
        place = {}
        if error.place:
            at = error.place.contents
            place = dict(kernel=text(at.kernel), operation=text(at.operation), id=text(at.id), file=text(at.file),
                         line=at.line, column=at.column, operands=text(at.operands), element=text(at.element))
        kind = _ERRORS[code] if 0 < code < len(_ERRORS) else InternalError
        raised = kind(text(error.message), text(error.hint), **place)
        self.mica_error_clear(ctypes.byref(error))
        return raised


_library = None


def use_library(path="libmica.so.2"):
    """Names the library to use, before anything else is called."""
    global _library
    _library = _Library(path)


def _mica():
    if _library is None:
        use_library()
    return _library


def version():
    """The library's, "0.1.0"."""
    return _mica().mica_version().decode()


def set_switches(switches):
    """Sets switches such as "nan-check,op-log-level=debug" (docs/Environment.md) for the contexts that are made from now on."""
    _mica().mica_set_switches(switches.encode())


def set_logs(topics=None, file=None, folder=None, format=None, kernels=None, ranks=None):
    """What the library says of its work, and where: as the MICA_LOGS variables, whose values None leaves in force."""
    options = _LogOptions(ctypes.sizeof(_LogOptions), *[
        None if value is None else str(value).encode() for value in (topics, file, folder, format, kernels, ranks)])
    _mica().mica_set_logs(ctypes.byref(options))


# ---- element types ---------------------------------------------------------------------------------------------------

_CODES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 6: "bool", 10: "float8_e4m3fn", 12: "float8_e5m2"}
_KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}
_EXTENSIONS = {"bfloat16": 4, "float8_e4m3fn": 10, "float8_e5m2": 12}  # types of ml_dtypes


def _type_name(dtype):
    name = _CODES.get(dtype.code, f"code{dtype.code}_")
    return name if name in _EXTENSIONS or name == "bool" else f"{name}{dtype.bits}"


def _numpy_type(dtype):
    """The type of NumPy's whose elements lie in memory as those of `dtype`."""
    name = _type_name(dtype)
    if name in _EXTENSIONS:
        try:
            import ml_dtypes
        except ImportError:
            raise TypeError(f"NumPy has no {name}: install ml_dtypes, or take the bits with Tensor.bits()") from None
        return np.dtype(getattr(ml_dtypes, name))
    return np.dtype(name)


def _dl_type(dtype):
    code = _EXTENSIONS.get(dtype.name, _KINDS.get(dtype.kind))
    if code is None or not dtype.isnative:
        raise TypeError(f"elements of type {dtype} cannot be handed to Mica")
    return _DataType(code, 8 * dtype.itemsize, 1)


class TensorType:
    """Type of an argument or result: name (may be empty), dtype as text ("float32"), shape with -1 for any size."""

    def __init__(self, info):
        self.name = info.name.decode()
        self.dtype = _type_name(info.dtype)
        self.shape = tuple(info.shape[:info.ndim])
        self._dtype = _DataType(info.dtype.code, info.dtype.bits, info.dtype.lanes)

    def __repr__(self):
        sizes = ["?" if size < 0 else str(size) for size in self.shape]
        return (self.name + ": " if self.name else "") + "x".join(sizes + [self.dtype])


class Entry:
    """An entry of a program: name, arguments and results, lists of TensorType."""

    def __init__(self, program, index):
        library, handle = _mica(), program._open()
        self.name, self._index = library.mica_program_entry_name(handle, index).decode(), index

        def types(count, describe):
            infos = [_TensorInfo() for _ in range(count(handle, index))]
            for i, info in enumerate(infos):
                describe(handle, index, i, ctypes.byref(info))
            return [TensorType(info) for info in infos]

        self.arguments = types(library.mica_program_argument_count, library.mica_program_argument)
        self.results = types(library.mica_program_result_count, library.mica_program_result)

    def __repr__(self):
        texts = lambda types: ", ".join(map(repr, types))
        return f"{self.name}({texts(self.arguments)}) -> ({texts(self.results)})"


# ---- tensors ---------------------------------------------------------------------------------------------------------

def empty(shape, dtype=np.float32):
    """An array of NumPy aligned to 64 bytes, so that as an input it is not copied. Contents are undefined."""
    dtype, shape = np.dtype(dtype), (shape,) if isinstance(shape, int) else tuple(shape)
    size = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
    memory = np.empty(size + 64, np.uint8)
    offset = -memory.ctypes.data % 64
    return memory[offset:offset + size].view(dtype).reshape(shape)


class _View:
    """What NumPy makes an array of, and keeps as its base."""

    def __init__(self, tensor, dtype):
        # Types of ml_dtypes have no letter of their own: they cross as integers and are looked at anew.
        letters = dtype.str if dtype.kind in "iufb" else f"<u{dtype.itemsize}"
        self.tensor = tensor
        self.__array_interface__ = dict(version=3, shape=tensor.shape, typestr=letters, data=(tensor._dl.data, False))


class Tensor:
    """A result. It owns its memory, which lives as long as it or anything made of it: numpy(), numpy.from_dlpack(tensor), ..."""

    def __init__(self, managed):
        self._dl = managed.contents.tensor  # shape and strides are the managed tensor's
        address = ctypes.cast(managed, ctypes.c_void_p).value
        self._release = weakref.finalize(self, managed.contents.deleter, address)
        self._release.atexit = False

    @property
    def shape(self):
        return tuple(self._dl.shape[:self._dl.ndim])

    @property
    def dtype(self):
        """As text: "float32"."""
        return _type_name(self._dl.dtype)

    def numpy(self):
        """An array of NumPy that is this memory, not a copy."""
        dtype = _numpy_type(self._dl.dtype)
        return np.asarray(_View(self, dtype)).view(dtype)

    def bits(self):
        """The same as unsigned integers: for types that NumPy does not have, such as bfloat16."""
        return np.asarray(_View(self, np.dtype(f"uint{self._dl.dtype.bits}")))

    def __array__(self, dtype=None, copy=None):
        array = self.numpy()
        if (dtype is not None and array.dtype != dtype) or copy:
            return array.astype(array.dtype if dtype is None else dtype)
        return array

    def __repr__(self):
        return f"mica.Tensor({'x'.join(map(str, self.shape + (self.dtype,)))})"

    def __dlpack_device__(self):
        return (1, 0)  # the CPU

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        # NumPy makes the capsule, which keeps the array, which keeps this tensor.
        if dl_device not in (None, (1, 0)):
            raise BufferError(f"the tensor is on the CPU, not on {dl_device}")
        array = self.numpy().copy() if copy else self.numpy()
        try:
            return array.__dlpack__(max_version=max_version)
        except TypeError:  # NumPy before 2.1
            return array.__dlpack__()


_capsule_is = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))


def _input(value, wanted):
    """A _DLTensor of `value`, and what has to live as long as it. `wanted`: the argument's TensorType, or None."""
    if isinstance(value, Tensor):
        return value._dl, value
    if not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__"):
        capsule = value.__dlpack__()
        if not _capsule_is(capsule, b"dltensor"):
            raise TypeError(f"{type(value).__name__}.__dlpack__() gave no tensor")
        # The structure begins with the tensor. The capsule, which is not renamed, stays the owner.
        return _DLTensor.from_address(_capsule_pointer(capsule, b"dltensor")), capsule
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
    else:
        array = np.asarray(value, None if wanted is None else _numpy_type(wanted._dtype))
    # Scalars have no order; ascontiguousarray would make them vectors.
    array = array if array.ndim == 0 else np.ascontiguousarray(array)
    shape = (ctypes.c_int64 * max(array.ndim, 1))(*array.shape)
    tensor = _DLTensor(data=array.ctypes.data, device=_Device(1, 0), ndim=array.ndim, dtype=_dl_type(array.dtype), shape=shape)
    return tensor, (array, shape)


# ---- programs, contexts, invocations ---------------------------------------------------------------------------------

class _Closable:
    """Something of the library's that is released once, by close(), by the end of a with block, or when it is forgotten."""

    def __init__(self, handle, release):
        self._handle = handle
        self._close = weakref.finalize(self, release, handle)

    def close(self):
        self._close()

    def _open(self):
        if not self._close.alive:
            raise ValueError(f"this {type(self).__name__.lower()} is closed")
        return self._handle

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, *_):
        self.close()


def _inputs(entry, values):
    """Pointers to `values` as the arguments of `entry`, and what has to live as long as they are used."""
    wanted = entry.arguments + [None] * max(0, len(values) - len(entry.arguments))
    inputs = [_input(value, each) for value, each in zip(values, wanted)]
    return (ctypes.POINTER(_DLTensor) * max(len(inputs), 1))(*[ctypes.pointer(tensor) for tensor, _ in inputs]), inputs


class Program(_Closable):
    """A loaded or opened artifact. entries: its entries by name."""

    def __init__(self, folder, loads=True):
        handle = ctypes.c_void_p()
        make = _mica().mica_program_load if loads else _mica().mica_program_open
        make(str(folder).encode(), ctypes.byref(handle))
        super().__init__(handle, _mica().mica_program_release)
        count = _mica().mica_program_entry_count(handle)
        self.entries = {entry.name: entry for entry in (Entry(self, i) for i in range(count))}

    def context(self, threads=0):
        """What running it needs. threads: that compute, the calling one included; 0: one per CPU."""
        return Context(self, threads)

    def run_isolated(self, *inputs, entry="", threads=0, memory=0, seconds=0.0):
        """Runs `entry` in a confined process of its own and gives its results, a tuple of Tensor.

        memory: bytes of its address space; seconds: of wall time; 0: no limit. A crash raises CheckFailed, a run that takes too long
        Hang, a machine that cannot confine Unsupported.
        """
        chosen = self._entry(entry)
        options = _IsolationOptions(ctypes.sizeof(_IsolationOptions), threads, memory, seconds)
        pointers, alive = _inputs(chosen, inputs)
        count = len(chosen.results)
        results = (ctypes.POINTER(_Managed) * max(count, 1))()
        _mica().mica_run_isolated(self._open(), chosen._index, ctypes.byref(options), pointers, len(alive), results, count)
        return tuple(Tensor(result) for result in results[:count])

    def _entry(self, name):
        index = _Size()
        _mica().mica_program_find_entry(self._open(), name.encode(), ctypes.byref(index))
        return next(itertools.islice(self.entries.values(), index.value, None))


def load(folder):
    """Loads the artifact in `folder`. It is code: load only those you trust."""
    return Program(folder)


def open_program(folder):
    """Opens the artifact in `folder` without loading its code: for its entries, and for Program.run_isolated()."""
    return Program(folder, loads=False)


class Context(_Closable):
    """Threads and memory to run a program with. Its invocations run one after the other."""

    def __init__(self, program, threads=0):
        options, handle = _ContextOptions(ctypes.sizeof(_ContextOptions), threads), ctypes.c_void_p()
        _mica().mica_context_create(program._open(), ctypes.byref(options), ctypes.byref(handle))
        super().__init__(handle, _mica().mica_context_release)
        self._entries, self._find = program.entries, program._entry
        # The program may be closed before the context.
        self._chosen = {"": entry for entry in self._entries.values() if len(self._entries) == 1}

    def _prepare(self, entry, values):
        if entry not in self._chosen:
            self._chosen[entry] = self._entries[entry] if entry in self._entries else self._find(entry)
        chosen = self._chosen[entry]
        return chosen, *_inputs(chosen, values)

    def run(self, *inputs, entry=""):
        """Runs `entry` ("": the only one) and gives its results, a tuple of Tensor."""
        handle = self._open()
        chosen, pointers, alive = self._prepare(entry, inputs)
        count = len(chosen.results)
        results = (ctypes.POINTER(_Managed) * max(count, 1))()
        _mica().mica_invoke(handle, chosen._index, pointers, len(alive), results, count)
        return tuple(Tensor(result) for result in results[:count])

    def submit(self, *inputs, entry=""):
        """Starts `entry` and returns an Invocation at once. Inputs must stay as they are until it is over."""
        handle = self._open()
        chosen, pointers, alive = self._prepare(entry, inputs)
        invocation = ctypes.c_void_p()
        _mica().mica_submit(handle, chosen._index, pointers, len(alive), ctypes.byref(invocation))
        return Invocation(invocation, len(chosen.results), (pointers, alive))


class Invocation(_Closable):
    """A run on its way. Closing it waits for its end."""

    def __init__(self, handle, result_count, inputs):
        super().__init__(handle, lambda handle, inputs=inputs: _mica().mica_invocation_release(handle))
        self._result_count = result_count

    @property
    def done(self):
        """True once wait() would not block."""
        return bool(_mica().mica_invocation_done(self._open()))

    def wait(self):
        """Waits for the end and gives the results, once."""
        results = (ctypes.POINTER(_Managed) * max(self._result_count, 1))()
        _mica().mica_invocation_wait(self._open(), results, self._result_count)
        return tuple(Tensor(result) for result in results[:self._result_count])
