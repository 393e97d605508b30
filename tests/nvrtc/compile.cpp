// Compiles headers and kernels with NVRTC, as a program that generates its kernels at run time would.
//
//     nvrtc_compile --arch sm_80 --arch sm_90a --include include --include /usr/local/cuda/include axe/axe.hpp kernel.cu
//
// Each .hpp is included by an otherwise empty program; a .cu is compiled as it is. A header is compiled alone for the
// last --arch, and all headers together with each .cu for every --arch: what depends on the architecture shows there.
// No GPU and no driver is needed.
#include <nvrtc.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
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

bool compiles(std::string const& name, std::string const& source, std::string const& architecture,
              request const& asked) {
  std::vector<std::string> options = {"--std=c++20", "--gpu-architecture=" + architecture};
  for (std::string const& folder : asked.include_folders) options.push_back("--include-path=" + folder);
  std::vector<char const*> raw;
  for (std::string const& option : options) raw.push_back(option.c_str());

  nvrtcProgram program = nullptr;
  auto const started = std::chrono::steady_clock::now();
  if (nvrtcCreateProgram(&program, source.c_str(), name.c_str(), 0, nullptr, nullptr) != NVRTC_SUCCESS)
    return false;
  nvrtcResult const result = nvrtcCompileProgram(program, static_cast<int>(raw.size()), raw.data());
  double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  std::string const log = log_of(program);
  nvrtcDestroyProgram(&program);

  // A warning counts as a failure: a user's build may turn warnings into errors.
  bool const good = result == NVRTC_SUCCESS && log.empty();
  std::printf("%s %-7s %5.2f s  %s\n", good ? "ok    " : "FAILED", architecture.c_str(), seconds,
              name.c_str());
  if (!good) std::printf("%s\n%s\n", nvrtcGetErrorString(result), log.c_str());
  std::fflush(stdout);
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  request asked;
  if (!read(argc, argv, asked)) {
    std::fprintf(stderr, "usage: %s --arch sm_90a... --include FOLDER... header.hpp... kernel.cu...\n",
                 argv[0]);
    return 2;
  }

  int failed = 0;
  std::string together;
  for (std::string const& header : asked.headers) {
    std::string const line = "#include <" + header + ">\n";
    failed += !compiles("only " + header, line, asked.architectures.back(), asked);
    together += line;
  }
  for (std::string const& architecture : asked.architectures) {
    if (!together.empty()) failed += !compiles("all headers", together, architecture, asked);
    for (std::string const& path : asked.kernels) {
      std::ifstream file(path);
      std::ostringstream text;
      if (!file || !(text << file.rdbuf())) {
        std::fprintf(stderr, "cannot read %s\n", path.c_str());
        return 2;
      }
      failed += !compiles(path, text.str(), architecture, asked);
    }
  }
  int major = 0, minor = 0;
  nvrtcVersion(&major, &minor);
  std::printf("NVRTC %d.%d: %d failed\n", major, minor, failed);
  return failed != 0;
}
