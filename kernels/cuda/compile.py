"""Compiles samplers.cu to PTX with NVRTC: compile.py LIBRARY SOURCE ARCH.

No GPU and no driver are needed. Multiplications and additions stay apart
(--fmad=false), so that the kernels draw the same bits as the CPU.
"""

import ctypes
import os
import sys


def main(library, source, arch):
    nvrtc = ctypes.CDLL(library)

    def check(code, program=None):
        if code == 0:
            return
        nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p
        sys.exit("nvrtc: " + nvrtc.nvrtcGetErrorString(code).decode() + "\n" + log(program))

    def log(program):
        if program is None:
            return ""
        size = ctypes.c_size_t()
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(program, text)
        return text.value.decode()

    program = ctypes.c_void_p()
    with open(source, "rb") as f:
        text = f.read()
    name = os.path.basename(source).encode()
    check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, name, 0, None, None))
    options = [
        "--gpu-architecture=compute_" + arch,
        "--fmad=false",
        "--std=c++14",
        "--diag-suppress=128",  # loops that a template argument rules out
        "--include-path=" + os.path.dirname(os.path.abspath(source)),
    ]
    array = (ctypes.c_char_p * len(options))(*[o.encode() for o in options])
    check(nvrtc.nvrtcCompileProgram(program, len(options), array), program)
    sys.stderr.write(log(program))
    size = ctypes.c_size_t()
    check(nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)))
    ptx = ctypes.create_string_buffer(size.value)
    check(nvrtc.nvrtcGetPTX(program, ptx))
    sys.stdout.write(ptx.value.decode())


main(*sys.argv[1:])
