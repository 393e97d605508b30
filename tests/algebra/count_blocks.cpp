// Counts the basic blocks that run in sources compiled with -fsanitize-coverage=trace-pc. Compile
// this one without.

unsigned long long blocks_run = 0;

extern "C" void __sanitizer_cov_trace_pc();
extern "C" void __sanitizer_cov_trace_pc() { ++blocks_run; }
