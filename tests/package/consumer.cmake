# The program of each consumer project. It compares the version that CMake found with the headers'
# version.
function(add_consumer version)
  string(REPLACE "." ";" parts ${version})
  list(GET parts 0 major)
  list(GET parts 1 minor)
  list(GET parts 2 patch)
  add_executable(consumer ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/main.cpp)
  target_link_libraries(consumer PRIVATE axe::axe)
  target_compile_definitions(consumer PRIVATE
    CMAKE_SAW_MAJOR=${major} CMAKE_SAW_MINOR=${minor} CMAKE_SAW_PATCH=${patch})
endfunction()

# Tests, examples and install rules of axe must not reach a consumer.
function(add_consumer_of_subproject folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(tests DIRECTORY ${folder} PROPERTY TESTS)
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  if(NOT targets STREQUAL "axe" OR tests OR folders)
    message(FATAL_ERROR
      "axe as a subproject brings targets '${targets}', tests '${tests}', folders '${folders}'")
  endif()
  get_directory_property(version DIRECTORY ${folder} DEFINITION PROJECT_VERSION)
  add_consumer(${version})
endfunction()
