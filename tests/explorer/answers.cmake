# Makes the questions of the explorer's subjects, and asks the module and the program.
execute_process(COMMAND ${NODE} ${CMAKE_CURRENT_LIST_DIR}/questions.mjs ${SITE}
  OUTPUT_FILE ${FOLDER}/questions.json COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${NODE} ${CMAKE_CURRENT_LIST_DIR}/answers.mjs ${SITE}/explorer.wasm ${AXE}
  ${FOLDER}/questions.json 10000 COMMAND_ERROR_IS_FATAL ANY)
