// Headers that most files of the machine include. CMake precompiles them for each target.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "check/cluster_history.hpp"
#include "check/global_history.hpp"
#include "check/strict.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "machine.hpp"
#include "program/assembler.hpp"
#include "state/access.hpp"
