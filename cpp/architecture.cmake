# Which instruction set the native core is compiled for.
#
# A build from source is for the machine it is built on: x86-64-v3 (AVX2, BMI2) where that runs,
# since bitboards gain up to a third from it. A wheel for others sets GLAUX_ARCH=x86-64-v2. The
# extension refuses to load, with a sentence, on a processor that lacks what it was compiled for.
if(GLAUX_ARCH STREQUAL "auto")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT CMAKE_CROSSCOMPILING)
    file(WRITE ${CMAKE_BINARY_DIR}/runs_v3.cpp
      "int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"bmi2\") ? 0 : 1; }\n")
    try_run(GLAUX_RUNS_V3 GLAUX_COMPILES_V3 ${CMAKE_BINARY_DIR}/probe ${CMAKE_BINARY_DIR}/runs_v3.cpp)
    if(GLAUX_COMPILES_V3 AND GLAUX_RUNS_V3 EQUAL 0)
      set(GLAUX_MARCH x86-64-v3)
    else()
      set(GLAUX_MARCH x86-64-v2)
    endif()
  endif()
else()
  set(GLAUX_MARCH ${GLAUX_ARCH})
endif()
message(STATUS "native core for: ${GLAUX_MARCH}")
