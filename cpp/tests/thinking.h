// Every kind of search, driven hard: what the native tests and the fuzz targets share.
#pragma once

#include <memory>
#include <vector>

#include "search/search.h"

// One of the searches, by a number below search_kinds: with and without completion, to a depth and as deep
// as the limits allow, with each of MCTS's leaves, PUCT with both roots, one by one and in batches, RAVE,
// principal variation search with and without reductions.
inline constexpr int search_kinds = 15;
inline constexpr int rave_kind = 12;  // UCT that plays random matches of its own
std::unique_ptr<glaux::Search> make_search(int kind, const glaux::GamePointer& game,
                                           const std::shared_ptr<const glaux::TerminalValue>& terminal_value,
                                           std::size_t memory, std::uint64_t seed = 0);

// Thinks about a state that is not terminal; every second number of evaluations leaves iterations whole.
void think(glaux::Search& search, const std::byte* state, glaux::Evaluator& evaluator,
           std::uint64_t evaluations);

// All that can be asked of the search about a state.
void read_everything(const glaux::Search& search, const std::byte* state);
