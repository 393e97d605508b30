// Compiles headers and kernels with NVRTC, as a program that generates its kernels at run time would.
//
//     nvrtc_compile --arch sm_80 --arch sm_90a --include include --include /usr/local/cuda/include axe/axe.hpp kernel.cu
//
// Each .hpp is included by an otherwise empty program; a .cu is compiled as it is. A header is compiled alone for the
// last --arch, and all headers together with each .cu for every --arch: what depends on the architecture shows there.
// No GPU and no driver is needed.
#include <nvrtc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

struct request {
  std::vector<std::string> architectures;
  std::vector<std::string> include_folders;
  std::vector<std::string> headers;
  std::vector<std::string> kernels;
};

bool read(int argc, char** argv, request& out) {
  for (int i = 1; i < argc; ++i) {
    std::string const word = argv[i];
    bool const option = word == "--arch" || word == "--include";
    if (option && i + 1 == argc) return false;
    if (word == "--arch")
      out.architectures.emplace_back(argv[++i]);
    else if (word == "--include")
      out.include_folders.emplace_back(argv[++i]);
    else if (word.ends_with(".cu"))
      out.kernels.push_back(word);
    else if (word.ends_with(".hpp"))
      out.headers.push_back(word);
    else
      return false;
  }
  return !out.architectures.empty() && !(out.headers.empty() && out.kernels.empty());
}

std::string log_of(nvrtcProgram program) {
  std::size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, '\0');
  nvrtcGetProgramLog(program, log.data());
  while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
  return log;
}

// One program to compile for one architecture, and what came of it.
struct job {
  std::string name, source, architecture;
  bool good = false;
  double seconds = 0;
  std::string log = {};
};

void compile(job& what, request const& asked) {
  std::vector<std::string> options = {"--std=c++20", "--gpu-architecture=" + what.architecture};
  for (std::string const& folder : asked.include_folders) options.push_back("--include-path=" + folder);
  std::vector<char const*> raw;
  for (std::string const& option : options) raw.push_back(option.c_str());

  nvrtcProgram program = nullptr;
  auto const started = std::chrono::steady_clock::now();
  nvrtcResult result =
      nvrtcCreateProgram(&program, what.source.c_str(), what.name.c_str(), 0, nullptr, nullptr);
  if (result == NVRTC_SUCCESS) {
    result = nvrtcCompileProgram(program, static_cast<int>(raw.size()), raw.data());
    what.log = log_of(program);
    nvrtcDestroyProgram(&program);
  }
  what.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  // A warning counts as a failure: a user's build may turn warnings into errors.
  what.good = result == NVRTC_SUCCESS && what.log.empty();
  if (result != NVRTC_SUCCESS) what.log = nvrtcGetErrorString(result) + ("\n" + what.log);
}

bool plan(request const& asked, std::vector<job>& jobs) {
  std::string together;
  for (std::string const& header : asked.headers) {
    std::string const line = "#include <" + header + ">\n";
    jobs.push_back({"only " + header, line, asked.architectures.back()});
    together += line;
  }
  for (std::string const& architecture : asked.architectures) {
    if (!together.empty()) jobs.push_back({"all headers", together, architecture});
    for (std::string const& path : asked.kernels) {
      std::ifstream file(path);
      std::ostringstream text;
      if (!file || !(text << file.rdbuf())) {
        std::fprintf(stderr, "cannot read %s\n", path.c_str());
        return false;
      }
      jobs.push_back({path, text.str(), architecture});
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  request asked;
  std::vector<job> jobs;
  if (!read(argc, argv, asked)) {
    std::fprintf(stderr, "usage: %s --arch sm_90a... --include FOLDER... header.hpp... kernel.cu...\n",
                 argv[0]);
    return 2;
  }
  if (!plan(asked, jobs)) return 2;

  std::atomic<std::size_t> next = 0;
  auto const work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) compile(jobs[i], asked);
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
      workers.emplace_back(work);
  }

  int failed = 0;
  for (job const& done : jobs) {
    failed += !done.good;
    std::printf("%s %-7s %5.2f s  %s\n", done.good ? "ok    " : "FAILED", done.architecture.c_str(),
                done.seconds, done.name.c_str());
    if (!done.good) std::printf("%s\n", done.log.c_str());
  }
  int major = 0, minor = 0;
  nvrtcVersion(&major, &minor);
  std::printf("NVRTC %d.%d: %zu programs, %d failed\n", major, minor, jobs.size(), failed);
  return failed != 0;
}
