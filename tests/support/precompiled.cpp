// The source that the precompiled Catch2 header belongs to. Nothing is in it.
