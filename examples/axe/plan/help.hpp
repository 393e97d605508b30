// The text of axe plan --help.
#pragma once

namespace program {

inline constexpr char const help_of_plans[] =
    R"(usage: axe plan copy FROM TO --from SPACE --to SPACE [--shape 64,64] [options]
       axe plan tma GLOBAL SHARED --tensor 4096,4096 --shape 128,64 [--do load] [options]
       axe plan mma A B C --shape M,N,K [--a SPACE] [--b SPACE] [--c SPACE] [--sum f32] [options]
       axe plan convert FROM TO [--type bf16]
       axe plan reduce LAYOUT --over 1 [--shape 16,8] [--fold plus] [options]
       axe plan reshard SRC DST --mesh y=2,x=4 --shape 64,64 [--summands 2,3] [options]

Prints how a tile is copied, multiplied or reduced, how it is converted to another register
layout, or how a tensor moves to another sharding: the instruction, how often it runs, the
addresses of each thread, the registers, descriptors and tensor maps. Lists each declined
candidate with its reason. SPACE is global, shared, registers or, for mma only, tensor.
Defaults are in parentheses.

all kinds:
  --type bf16          the element type (bf16; reduce and reshard: f32); mma: of A, and of B
                       without --b-type
  --json               one line of JSON
  --steps N            the step limit of expressions, and of convert and reshard (1000000)
  -o FILE.svg          copy, tma, convert, reshard: draws the plan
copy, tma, mma, reduce:
  --arch sm_90a        sm_80, sm_89, sm_90, sm_90a or sm_100a
copy, mma:
  --force ldmatrix.x4  only this instruction; mma: mma.sync, wgmma or tcgen05
copy:
  --scope warp         the threads that copy together: thread, warp, warpgroup or a number
                       of threads (thread)
  --async              only asynchronous instructions: cp.async, cp.async.bulk, tensor copies
  --tensor 4096,4096   the shape of the tensor in global memory; --shape is a tile of it
  --edges 1,1          one N for each dimension: if the tensor ends inside the tile, it ends
                       after a multiple of N elements; 0: it never ends inside the tile
  --outside zero       stores zeros where the tensor ends inside the tile (skip)
  --reduction add      a tensor store combines its elements with those in memory
  --cache evict_first  evict_first, evict_last, no_allocate or read_only
  --partition LAYOUT   the thread and register of each element
  --alignment BYTES    alignment of the first element on both sides (16; in shared memory
                       128, or the period of the swizzle if it is longer)
tma:
  --tensor 4096,4096   the shape of the tensor; --shape is that of the tile
  --do load            load, multicast, store or reduce
  --reduction add      add, min, max, inc, dec, and, or, xor
reduce:
  --over 0,1           the dimensions to reduce
  --fold plus          plus, minimum, maximum, or `another` for any other operation
reshard:
  --mesh y=2,x=4       declares the device axes, slowest first
  --shape 64,64        the padded shape of the tensor
  --summands 2,3       the extents of the leading dimensions of SRC, which hold summands
  --real 61,64         the extents of the tensor without padding
  --levels y           devices with the same coordinate on y form a node; several names
                       nest, outermost first
  --scratch 4096       the most elements in the buffers of a device: those that it receives in
                       one step, and those in tmp0; larger plans run slice by slice
  --messages           prints only the copies and sums, a line each, for other programs

examples:
  axe plan copy 'S[(64,64):(4096,1)]' 'S[(64,64):(64,1)]' --shape 64,64 --from global --to shared
  axe plan copy 'S[64:1]' 'S[64:1]' --from global --to shared --scope warp --async --json
  axe plan tma 'S[(4096,4096):(4096,1)]' 'S[(128,64):(64,1)]' --tensor 4096,4096 --shape 128,64
  axe plan mma 'mma.a(16,8,16,16)' 'mma.b(16,8,16,16)' 'mma.accumulator(16,8,16,16)' --shape 16,8,16
  axe plan convert 'S[(4,8):(1@reg,1@lane)]' 'S[(8,4):(1@lane,1@reg)]'
  axe plan reduce 'mma.accumulator(16,8,16,16)' --over 1
  axe plan reshard 'S[(2,4,8):(1@y,8,1)]' 'S[(8,4,2):(2,1@x,1)]' --mesh y=2,x=4 --shape 8,8
)";

}  // namespace program
