# Products of a batch of 8192 rows with the weights of well-known models, rows x columns x depth:
# `BENCH weights` stands for all of them.
#
# A layer has four products: query, key and value; attention output; gate and up (GPT-3: one
# matrix); down. With hidden size h, intermediate size i, q query heads and k key-value heads of d
# elements their (columns, depth) are ((q+2k)d, h), (h, qd), (2i, h) and (h, i). Source: the models'
# published configurations (config.json; GPT-3: "Language Models are Few-Shot Learners", table 2.1).
set(AXE_WEIGHT_SHAPES)
function(axe_weights h i q k d gates)
  math(EXPR qkv "(${q} + 2 * ${k}) * ${d}")
  math(EXPR o "${q} * ${d}")
  math(EXPR up "${gates} * ${i}")
  set(shapes ${AXE_WEIGHT_SHAPES} 8192x${qkv}x${h} 8192x${h}x${o} 8192x${up}x${h} 8192x${h}x${i})
  list(REMOVE_DUPLICATES shapes)
  set(AXE_WEIGHT_SHAPES ${shapes} PARENT_SCOPE)
endfunction()
axe_weights(4096 12288 32 8 128 2)      # Qwen3-8B
axe_weights(5120 25600 64 8 128 2)      # Qwen3-32B
axe_weights(4096 14336 32 8 128 2)      # LLaMA-3.1-8B
axe_weights(8192 28672 64 8 128 2)      # LLaMA-3.1-70B
axe_weights(16384 53248 128 8 128 2)    # LLaMA-3.1-405B
axe_weights(3584 14336 16 8 256 2)      # Gemma-2-9B
axe_weights(4608 36864 32 16 128 2)     # Gemma-2-27B
axe_weights(12288 49152 96 96 128 1)    # GPT-3
