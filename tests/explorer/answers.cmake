# Makes the command lines of the explorer (questions.mjs), and runs them with the module and with
# the program (answers.mjs).
execute_process(COMMAND ${NODE} ${CMAKE_CURRENT_LIST_DIR}/questions.mjs ${SITE}
  OUTPUT_FILE ${FOLDER}/questions.json COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${NODE} ${CMAKE_CURRENT_LIST_DIR}/answers.mjs ${SITE}/explorer.wasm ${AXE}
  ${FOLDER}/questions.json 10000 COMMAND_ERROR_IS_FATAL ANY)
