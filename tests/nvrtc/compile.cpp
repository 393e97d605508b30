// Compiles headers and kernels with NVRTC, as programs do that generate kernels at run time. It
// needs neither a GPU nor a driver.
//
//     nvrtc_compile --arch sm_80 --arch sm_90a --include include axe/axe.hpp kernel.cu
//
// Headers (.hpp) are compiled with using directives for axe's namespaces and with a kernel: all
// together for every --arch, and each alone for the last --arch. Each .cu is compiled for every
// --arch.
#include <nvrtc.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

struct kernel {
  std::string path;
  std::vector<std::string> instances;
};

struct request {
  std::vector<std::string> architectures;
  std::vector<std::string> include_folders;
  std::vector<std::string> headers;
  std::vector<kernel> kernels;
  std::string single;
  bool default_device = false;
  unsigned long alone = 1;
};

///     --include FOLDER      a folder in which includes are searched
///     --alone 5             compiles every fifth .hpp alone, others each day, and 0 none
///     --default-device      unmarked functions and generic lambdas are device functions
///     --single HEADER       replaces a kernel's includes of axe/ by HEADER and inserts
///                           the text of quoted includes
///     --instance 'f<float>' instantiates a template of the kernel file before it. Without this
///                           option a template is only parsed
bool read(int argc, char** argv, request& out) {
  for (int i = 1; i < argc; ++i) {
    std::string const word = argv[i];
    bool const option = word == "--arch" || word == "--include" || word == "--single" ||
                        word == "--instance" || word == "--alone";
    if (option && i + 1 == argc) return false;
    if (word == "--arch")
      out.architectures.emplace_back(argv[++i]);
    else if (word == "--include")
      out.include_folders.emplace_back(argv[++i]);
    else if (word == "--alone")
      out.alone = std::strtoul(argv[++i], nullptr, 10);
    else if (word == "--single")
      out.single = argv[++i];
    else if (word == "--instance" && !out.kernels.empty())
      out.kernels.back().instances.emplace_back(argv[++i]);
    else if (word == "--default-device")
      out.default_device = true;
    else if (word.ends_with(".cu") || word.ends_with(".cuh"))
      out.kernels.push_back({word, {}});
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

// The first lines of a log. A mistake in a header makes the same long log for every program.
std::string shortened(std::string const& log) {
  std::istringstream lines(log);
  std::string out, line;
  int count = 0;
  while (std::getline(lines, line))
    if (++count <= 12) out += line + '\n';
  return count <= 12 ? out : out + "(" + std::to_string(count - 12) + " more lines)\n";
}

// The kernel uses names that CUDA declares in the global namespace. No name of axe may hide one of
// them or conflict with it.
constexpr char const users_program[] = R"(
namespace axe { inline namespace AXE_NAMESPACE { namespace axes {} namespace literals {} } }
using namespace axe;
using namespace axe::axes;
using namespace axe::literals;
extern "C" __global__ void kernel(float4* out, dim3 blocks, int n) {
  dim3 const at(threadIdx.x, blockIdx.x * blockDim.x);
  uint3 const corner{at.x, min(at.y, blocks.y), static_cast<unsigned>(max(n, warpSize))};
  __syncthreads();
  out[corner.x] = make_float4(fmaf(1.0f, 2.0f, 3.0f), 0, 0, static_cast<float>(corner.z + gridDim.z));
}
)";

struct job {
  std::string name, source, architecture;
  std::vector<std::string> instances;
};

bool compiles(job const& what, request const& asked) {
  std::vector<std::string> options = {"--std=c++20", "--gpu-architecture=" + what.architecture};
  for (std::string const& folder : asked.include_folders)
    options.push_back("--include-path=" + folder);
  if (asked.default_device) options.push_back("--device-as-default-execution-space");
  std::vector<char const*> raw;
  for (std::string const& option : options) raw.push_back(option.c_str());

  nvrtcProgram program = nullptr;
  auto const started = std::chrono::steady_clock::now();
  nvrtcResult result =
      nvrtcCreateProgram(&program, what.source.c_str(), what.name.c_str(), 0, nullptr, nullptr);
  std::string log;
  for (std::string const& each : what.instances)
    if (result == NVRTC_SUCCESS) result = nvrtcAddNameExpression(program, each.c_str());
  if (result == NVRTC_SUCCESS) {
    result = nvrtcCompileProgram(program, static_cast<int>(raw.size()), raw.data());
    log = log_of(program);
    nvrtcDestroyProgram(&program);
  }
  double const seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();

  // A warning counts as a failure, because a user's build may turn warnings into errors. One is
  // allowed: NVRTC 13.5 keeps a recursion of `places` in device code, and ptxas then prints the
  // size of the stack.
  bool const stack = log.starts_with("ptxas warning : Stack size for entry function") &&
                     log.find('\n') == std::string::npos;
  bool const good = result == NVRTC_SUCCESS && (log.empty() || stack);
  std::ostringstream line;
  line << (good ? "ok     " : "FAILED ") << what.architecture << "  " << std::fixed
       << std::setprecision(2) << seconds << " s  " << what.name << '\n';
  if (!good) line << nvrtcGetErrorString(result) << '\n' << shortened(log);
  std::cout << line.str() << std::flush;
  return good;
}

/// Reads the text of a kernel. If `single` is not empty, one include of this header replaces all
/// includes of axe's headers, and the text of quoted includes is inserted.
bool read_kernel(std::string const& path, std::string const& single, std::vector<std::string>& seen,
                 std::string& out) {
  if (std::find(seen.begin(), seen.end(), path) != seen.end()) return true;
  seen.push_back(path);
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    return false;
  }
  if (single.empty()) {
    std::ostringstream text;
    text << file.rdbuf();
    out = text.str();
    return true;
  }
  if (seen.size() == 1) out += "#include <" + single + ">\n";
  for (std::string line; std::getline(file, line);) {
    if (line == "#pragma once" || line.starts_with("#include <axe/")) continue;
    if (line.starts_with("#include \"")) {
      std::string const name = line.substr(10, line.find('"', 10) - 10);
      if (!read_kernel(path.substr(0, path.rfind('/') + 1) + name, single, seen, out)) return false;
    } else {
      out += line + '\n';
    }
  }
  return true;
}

bool plan(request const& asked, std::vector<job>& jobs) {
  std::string together;
  auto const today = static_cast<std::size_t>(std::time(nullptr) / (24 * 60 * 60));
  for (std::size_t k = 0; k < asked.headers.size(); ++k) {
    std::string const line = "#include <" + asked.headers[k] + ">\n";
    if (asked.alone != 0 && (k + today) % asked.alone == 0)
      jobs.push_back(
          {"only " + asked.headers[k], line + users_program, asked.architectures.back(), {}});
    together += line;
  }
  for (std::string const& architecture : asked.architectures) {
    if (!together.empty())
      jobs.push_back({"all headers", together + users_program, architecture, {}});
    for (auto const& [path, instances] : asked.kernels) {
      std::vector<std::string> seen;
      std::string text;
      if (!read_kernel(path, asked.single, seen, text)) return false;
      jobs.push_back({path, text, architecture, instances});
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  request asked;
  std::vector<job> jobs;
  if (!read(argc, argv, asked)) {
    std::fprintf(stderr,
                 "usage: %s --arch sm_90a... --include FOLDER... [--alone N] [--default-device] "
                 "[--single HEADER] header.hpp... kernel.cu [--instance NAME]...\n",
                 argv[0]);
    return 2;
  }
  if (!plan(asked, jobs)) return 2;

  // NVRTC compiles one program at a time in each process, even with several threads. So this forks
  // one process per core, or N processes under `./run test --jobs N`.
  char const* const asked_jobs = std::getenv("AXE_JOBS");
  std::size_t const processes = asked_jobs ? std::max(1ul, std::strtoul(asked_jobs, nullptr, 10))
                                           : std::max(1u, std::thread::hardware_concurrency());
  for (std::size_t first = 0; first < processes; ++first) {
    pid_t const child = fork();
    if (child < 0) {
      std::perror("fork");
      return 1;
    }
    if (child == 0) {
      int failed = 0;
      for (std::size_t i = first; i < jobs.size(); i += processes)
        failed += !compiles(jobs[i], asked);
      std::_Exit(std::min(failed, 100));
    }
  }
  int failed = 0;
  for (int status = 0; wait(&status) > 0;) failed += WIFEXITED(status) ? WEXITSTATUS(status) : 1;

  int major = 0, minor = 0;
  nvrtcVersion(&major, &minor);
  std::printf("NVRTC %d.%d: %zu programs, %d failed\n", major, minor, jobs.size(), failed);
  return failed != 0;
}
