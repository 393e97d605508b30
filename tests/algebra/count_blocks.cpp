// Counts the basic blocks that run in sources compiled with -fsanitize-coverage=trace-pc. This file
// itself must be compiled without that option.

unsigned long long blocks_run = 0;

extern "C" void __sanitizer_cov_trace_pc();
extern "C" void __sanitizer_cov_trace_pc() { ++blocks_run; }
