# Which instruction set the native core is compiled for.
#
# A build from source is for the machine it is built on: x86-64-v3 (AVX2, BMI2) where that runs,
# since bitboards gain up to a third from it. A wheel is for all machines: that for Linux on x86-64
# has the core twice, and glaux/_core/__init__.py takes the faster one where the processor runs it. The extension
# refuses to load, with a sentence, on a processor that lacks what it was compiled for.
set(GLAUX_V3 OFF)
if(NOT GLAUX_ARCH MATCHES "^(auto|wheel)$")
  set(GLAUX_MARCH ${GLAUX_ARCH})
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT CMAKE_CROSSCOMPILING)
  set(GLAUX_MARCH x86-64-v2)
  if(GLAUX_ARCH STREQUAL "auto")
    file(WRITE ${CMAKE_BINARY_DIR}/runs_v3.cpp
      "int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"bmi2\") ? 0 : 1; }\n")
    try_run(GLAUX_RUNS_V3 GLAUX_COMPILES_V3 ${CMAKE_BINARY_DIR}/probe ${CMAKE_BINARY_DIR}/runs_v3.cpp)
    if(GLAUX_COMPILES_V3 AND GLAUX_RUNS_V3 EQUAL 0)
      set(GLAUX_MARCH x86-64-v3)
    endif()
  elseif(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(GLAUX_V3 ON)
  endif()
endif()
message(STATUS "native core for: ${GLAUX_MARCH}")

# The second core of a wheel: this project once more, in a build of its own, after the first.
function(glaux_add_v3)
  include(ExternalProject)
  set(handed)
  foreach(name CMAKE_BUILD_TYPE CMAKE_CXX_COMPILER CMAKE_CXX_COMPILER_LAUNCHER CMAKE_MAKE_PROGRAM
               CMAKE_OSX_DEPLOYMENT_TARGET GLAUX_WERROR Python_EXECUTABLE Python_INCLUDE_DIR Python_ROOT_DIR)
    if(DEFINED ${name})
      list(APPEND handed -D${name}=${${name}})
    endif()
  endforeach()
  set(staged ${CMAKE_BINARY_DIR}/v3-staged)
  ExternalProject_Add(native_v3
    SOURCE_DIR ${CMAKE_SOURCE_DIR}
    BINARY_DIR ${CMAKE_BINARY_DIR}/v3
    CMAKE_ARGS ${handed} -DGLAUX_ARCH=x86-64-v3
    INSTALL_COMMAND ${CMAKE_COMMAND} --install <BINARY_DIR> --strip --prefix ${staged}
    BUILD_ALWAYS ON
    DEPENDS native)
  install(DIRECTORY ${staged}/glaux/_core/ DESTINATION glaux/_core/x86-64-v3)
endfunction()
