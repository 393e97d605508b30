#include <axe/axe.hpp>

using namespace axe::literals;

int main() { return axe::size("S[(8,4):(4@lane,1@lane)]"_axe) == 32 ? 0 : 1; }
