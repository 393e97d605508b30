// The main function of every unit test program.
#define CATCH_CONFIG_RUNNER
#include "catch.hpp"

int main(int argc, char* argv[]) {
  Catch::Session session;
#if __has_include(<catch2/catch_all.hpp>)
  session.configData().allowZeroTests = true;  // some programs have only facts
#endif
  return session.run(argc, argv);
}
