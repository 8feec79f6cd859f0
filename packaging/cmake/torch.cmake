# SPDX-License-Identifier: Apache-2.0
# Imported targets for the LibTorch of a pip wheel, without the wheel's own TorchConfig.cmake (which needs nvcc, enables
# the CUDA language and breaks on C++20 with CMake 3.25). Nothing here imports torch, and no RPATH points into the
# wheel: the worker opens it.
set(WB_PYTHON "" CACHE FILEPATH "Python whose torch wheel is built against (default: the set-up's virtual environment)")
if(NOT WB_PYTHON)
  set(_data "$ENV{XDG_DATA_HOME}")
  if(NOT _data)
    set(_data "$ENV{HOME}/.local/share")
  endif()
  set(WB_PYTHON "${_data}/warpbench/venv-torch-2.11.0/bin/python")
endif()
execute_process(COMMAND "${WB_PYTHON}" -c
  "import importlib.util as u, os; s = u.find_spec('torch'); print(os.path.dirname(s.origin) if s else '', end='')"
  OUTPUT_VARIABLE WB_TORCH_ROOT ERROR_QUIET)
if(NOT EXISTS "${WB_TORCH_ROOT}/lib/libtorch_cpu.so")
  message(FATAL_ERROR "torch 2.11 not found for '${WB_PYTHON}'. Run packaging/setup build, give -DWB_PYTHON=…, or "
                      "build without the worker: -DWB_ENGINE=OFF.")
endif()
file(STRINGS "${WB_TORCH_ROOT}/version.py" _version REGEX "^__version__ = ")
string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+[^']*" WB_TORCH_VERSION "${_version}")
if(NOT WB_TORCH_VERSION MATCHES "^2\\.11\\.")
  message(FATAL_ERROR "torch ${WB_TORCH_VERSION} at ${WB_TORCH_ROOT}: Warpbench needs 2.11")
endif()
message(STATUS "torch ${WB_TORCH_VERSION} at ${WB_TORCH_ROOT}")

foreach(_library c10 torch_cpu)
  add_library(WbTorch::${_library} SHARED IMPORTED)
  set_target_properties(WbTorch::${_library} PROPERTIES
    IMPORTED_LOCATION "${WB_TORCH_ROOT}/lib/lib${_library}.so"
    IMPORTED_SONAME "lib${_library}.so"
    INTERFACE_INCLUDE_DIRECTORIES "${WB_TORCH_ROOT}/include;${WB_TORCH_ROOT}/include/torch/csrc/api/include")
endforeach()
target_link_libraries(WbTorch::torch_cpu INTERFACE WbTorch::c10)
# Linkers look into the needed libraries of shared libraries (cudart, cupti …): leave those alone.
target_link_options(WbTorch::c10 INTERFACE LINKER:--allow-shlib-undefined)

# CUDA's headers (cuda.h, nvrtc.h, cupti) come in the wheels beside torch.
get_filename_component(_site "${WB_TORCH_ROOT}" DIRECTORY)
add_library(wb_cuda_headers INTERFACE)
target_include_directories(wb_cuda_headers SYSTEM INTERFACE "${_site}/nvidia/cu13/include")
if(NOT EXISTS "${_site}/nvidia/cu13/include/cuda.h")
  message(FATAL_ERROR "cuda.h not found in ${_site}/nvidia/cu13/include: the torch wheel's CUDA packages are missing")
endif()
