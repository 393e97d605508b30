#include "text/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

namespace text {

namespace {

/// Writes all bytes. Returns 0 or the errno of the failure.
int write_all(int file, std::string_view content) {
  while (!content.empty()) {
    ssize_t const written = ::write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Returns the permissions of the old file or, without one, those that a new file gets.
mode_t permissions(std::optional<struct stat> const& old) {
  if (old) return old->st_mode & 07777;
  mode_t const mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

int write_in_place(std::string const& path, std::string_view content) {
  int const file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  int const failed = write_all(file, content);
  return ::close(file) != 0 && failed == 0 ? errno : failed;
}

int replace(std::filesystem::path const& target, std::optional<struct stat> const& old,
            std::string_view content) {
  // The folder may be writable although the file is read-only. Renaming would then replace the
  // file.
  if (old && ::access(target.c_str(), W_OK) != 0) return errno;
  std::string temporary = (target.parent_path() / ".axe-XXXXXX").string();
  int const file = ::mkstemp(temporary.data());
  if (file < 0) return errno;
  int failed = write_all(file, content);
  if (failed == 0 && ::fchmod(file, permissions(old)) != 0) failed = errno;
  // Some file systems report a full disk only here.
  if (failed == 0 && ::fsync(file) != 0) failed = errno;
  if (::close(file) != 0 && failed == 0) failed = errno;
  if (failed == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) failed = errno;
  if (failed != 0) ::unlink(temporary.c_str());
  return failed;
}

}  // namespace

std::string write_whole_file(std::string const& path, std::string_view content) {
  // With the signal ignored, a file-size limit becomes an error of write().
  std::signal(SIGXFSZ, SIG_IGN);
  struct stat found{};
  std::optional<struct stat> old;
  if (::stat(path.c_str(), &found) == 0) old = found;
  int failed = 0;
  if (old && !S_ISREG(old->st_mode)) {
    failed = write_in_place(path, content);
  } else {
    // If the path is a symbolic link, its target is replaced.
    std::error_code unresolved;
    std::filesystem::path const target = std::filesystem::weakly_canonical(path, unresolved);
    failed = unresolved ? unresolved.value() : replace(target, old, content);
  }
  return failed == 0 ? "" : "cannot write " + path + ": " + std::strerror(failed);
}

}  // namespace text
