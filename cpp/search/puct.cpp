#include "search/puct.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/errors.h"

namespace glaux {
namespace {

void require(bool fine, const char* sentence) {
  if (!fine) throw InvalidParameter(sentence);
}

bool not_negative(double x) {
  return x >= 0 && std::isfinite(x);
}

}  // namespace

Puct::Puct(GamePointer game, std::shared_ptr<const TerminalValue> terminal_value, const PuctOptions& options)
    : MctsTree(std::move(game), std::move(terminal_value), options, 2), options_(options) {
  require(not_negative(options.c) && not_negative(options.c_base) && not_negative(options.c_log),
          "The exploration constants c, c_base and c_log must be numbers of at least 0.");
  require(not_negative(options.fpu_reduction) && not_negative(options.virtual_loss),
          "The first-play reduction and the virtual loss must be numbers of at least 0.");
  require(not_negative(options.noise) && not_negative(options.noise_alpha),
          "The noise and its alpha must be numbers of at least 0.");
  require(options.root == RootRule::gumbel || options.noise <= 1, "The share of noise can't be more than 1.");
  require(options.batch >= 1 && options.batch <= most_batch, "A batch has 1 to 65536 states.");
  require(options.gumbel_considered >= 1, "Sequential halving considers at least one action.");
  require(not_negative(options.w_a) && options.playout_share >= 0 && options.playout_share <= 1,
          "The weight of the policy can't be negative, and the share of playouts must be from 0 to 1.");
  require(not_negative(options.gumbel_visits) && not_negative(options.gumbel_scale),
          "The constants of Gumbel's improved policy must be numbers of at least 0.");
}

// The root has edges from the beginning, so that there is always something to decide.
void Puct::begin(const std::byte* root) {
  phase_ = Phase::over;
  set_root(root, [this](NodeId id) { return give_edges(id); });
  const Node& root_node = tree_.node(root_);
  root_proven_ = options_.proven && proof(root_node);
  draw_noise(root_node.edge_count);
  plan_.clear();
  phase_ = Phase::working;
}

void Puct::clear() {
  tree_.clear();
  root_ = no_node;
  phase_ = Phase::over;
}

bool Puct::forget_others(const std::byte* state) {
  phase_ = Phase::over;
  lines_.clear();
  steps_.clear();
  noise_.clear();
  plan_.clear();
  return keep_tree_below(state);
}

bool Puct::over() const {
  const Node& root = tree_.node(root_);
  return statistics_.full || (root.label.n > 0 && (spent() || root_proven_));
}

std::size_t Puct::advance() {
  if (phase_ == Phase::waiting) return leaves_;
  paused_ = false;
  const std::uint64_t pause = statistics_.iterations + iterations_between_pauses;
  while (phase_ != Phase::over) {
    if (over()) {
      phase_ = Phase::over;
      break;
    }
    paused_ = statistics_.iterations >= pause;
    if (paused_) break;
    gather();
    phase_ = Phase::waiting;
    if (leaves_ > 0) return leaves_;
    supply(nullptr, nullptr);  // ends only
  }
  return 0;
}

// How many lines the limits leave for a batch; the root's own value at the least.
std::size_t Puct::room_in_batch() const {
  const std::uint64_t iterations = std::min(limits_.iterations, limits_.evaluations);
  const auto left = [](std::uint64_t most, std::uint64_t spent) { return most > spent ? most - spent : 1; };
  return std::min({static_cast<std::uint64_t>(options_.batch), left(iterations, statistics_.iterations),
                   left(limits_.evaluations, statistics_.evaluations)});
}

void Puct::gather() {
  steps_.clear();
  lines_.clear();
  states_.clear();
  leaves_ = 0;
  struct TakeBack {
    Puct& search;
    ~TakeBack() { search.take_back(); }
  } const take_back{*this};
  std::size_t room = room_in_batch();
  if (options_.root == RootRule::gumbel) room = std::min(room, simulations_left());
  while (lines_.size() < room && walk()) {
  }
}

// Adds a line to the batch; false if there is none to add.
bool Puct::walk() {
  const std::size_t first = steps_.size();
  NodeId at = root_;
  for (;;) {
    Node& node = tree_.node(at);
    if (node.label.n == 0) {
      const auto waits = [at](const Line& line) { return line.leaf == at; };
      if (std::any_of(lines_.begin(), lines_.end(), waits)) return abandon(first);
      if (!give_edges(at)) {
        statistics_.full = true;
        return abandon(first);
      }
      if (options_.proven && prove_leaf(at, first)) break;
      const std::byte* state = tree_.state(at);
      states_.insert(states_.end(), state, state + game_->spec().state_size);
      lines_.push_back({first, steps_.size(), at, 0});
      ++leaves_;
      break;
    }
    Edge& edge = select(at, node);
    steps_.push_back({at, &edge, node.label.w, edge.w});
    if (!visit(at, edge)) {
      statistics_.full = true;
      return abandon(first);
    }
    if (edge.r()) {
      lines_.push_back({first, steps_.size(), no_node, exact(edge)});
      break;
    }
    at = edge.child;
  }
  const int depth = static_cast<int>(steps_.size() - first);
  statistics_.depth = std::max(statistics_.depth, depth);
  if (options_.batch > 1) lose(lines_.back());
  return true;
}

// A new state that is proven by actions that end the match, as by a win, needs no value: its line is exact.
bool Puct::prove_leaf(NodeId id, std::size_t first) {
  if (!see_ends(id)) return false;
  Node& node = tree_.node(id);
  const std::optional<Proof> found = proof(node);
  if (!found) return false;
  root_proven_ |= id == root_;
  node.label.own = found->value;
  count(node.label, static_cast<double>(found->value));
  if (steps_.size() > first) {
    Edge& edge = *steps_.back().edge;
    edge.packed = {edge.action(), found->c, true, false};
  }
  lines_.push_back({first, steps_.size(), no_node, found->value});
  return true;
}

bool Puct::abandon(std::size_t first) {
  steps_.resize(first);
  return false;
}

// Its steps count as visits that were lost by those who moved.
void Puct::lose(const Line& line) {
  for (std::size_t i = line.first; i < line.end; ++i) {
    Node& node = tree_.node(steps_[i].node);
    const double loss = -glaux::sign(node.player) * options_.virtual_loss;
    count(*steps_[i].edge, loss);
    count(node.label, loss);
  }
}

// To the last bit: the last line first.
void Puct::take_back() {
  if (options_.batch == 1) return;
  for (auto line = lines_.rbegin(); line != lines_.rend(); ++line) {
    for (std::size_t i = line->first; i < line->end; ++i) {
      Label& label = tree_.node(steps_[i].node).label;
      Edge& edge = *steps_[i].edge;
      label.w = steps_[i].node_w, --label.n;
      edge.w = steps_[i].edge_w, --edge.n;
    }
  }
}

void Puct::add_legal(std::size_t, LegalActions& legal) const {
  for (const Line& line : lines_) {
    if (line.leaf == no_node) continue;
    for (const Edge& edge : tree_.node(line.leaf)) legal.actions.push_back(edge.action());
    legal.close();
  }
}

void Puct::supply(const float* values, const float* priors) {
  if (phase_ != Phase::waiting) return;  // begun anew meanwhile
  value_leaves(values);
  const double* value = values_.data();
  for (const Line& line : lines_) {
    if (line.leaf == no_node) {
      back_up(line, line.value);
      continue;
    }
    Node& node = tree_.node(line.leaf);
    take_priors(node, priors);
    priors += node.edge_count;
    node.label.own = static_cast<float>(*value);
    count(node.label, *value);
    back_up(line, *value++);
  }
  statistics_.evaluations += leaves_;
  phase_ = Phase::working;
}

// All that can throw, rules in Python for instance, is done here, before the tree changes.
void Puct::value_leaves(const float* values) {
  values_.assign(values, values + leaves_);
  if (options_.playout_share == 0) return;
  const std::size_t size = game_->spec().state_size;
  for (std::size_t i = 0; i < leaves_; ++i) {
    game_->playouts(states_.data() + i * size, 1, rng_, scratch_.data());
    const Result result = game_->status(scratch_.data()).result;
    const double end = static_cast<double>(terminal_value_->value(*game_, scratch_.data(), result));
    values_[i] = options_.playout_share * end + (1 - options_.playout_share) * values_[i];
  }
}

void Puct::back_up(const Line& line, double value) {
  for (std::size_t i = line.first; i < line.end; ++i) {
    count(*steps_[i].edge, value);
    count(tree_.node(steps_[i].node).label, value);
  }
  ++statistics_.iterations;
  if (!options_.proven) return;
  for (std::size_t i = line.end; i-- > line.first && steps_[i].edge->r();) {
    Node& node = tree_.node(steps_[i].node);
    const std::optional<Proof> found = proof(node);
    if (!found) break;
    root_proven_ |= steps_[i].node == root_;
    node.label.own = found->value;
    if (i > line.first) steps_[i - 1].edge->packed = {steps_[i - 1].edge->action(), found->c, true, false};
  }
}

// What the proven actions of a state prove of it: the best result, then the best value among those that have
// it.
std::optional<Puct::Proof> Puct::proof(const Node& node) const {
  const int sign = glaux::sign(node.player);
  bool all = true;
  std::optional<Proof> best;
  for (const Edge& edge : node) {
    if (!edge.r()) {
      all = false;
      continue;
    }
    const Proof seen{edge.c(), exact(edge)};
    if (!best || std::pair(sign * seen.c, static_cast<float>(sign) * seen.value) >
                     std::pair(sign * best->c, static_cast<float>(sign) * best->value)) {
      best = seen;
    }
  }
  return all || (best && best->c == sign) ? best : std::nullopt;
}

Puct::Edge& Puct::select(NodeId id, Node& node) {
  if (options_.root == RootRule::gumbel) return id == root_ ? select_halving(node) : select_improved(node);
  return select_puct(node, id == root_ && !noise_.empty() ? noise_.data() : nullptr);
}

Puct::Edge& Puct::select_puct(Node& node, const double* noise) {
  const int sign = glaux::sign(node.player);
  const double visits = node.label.n - 1;
  double c = options_.c;
  if (options_.c_base > 0) c += options_.c_log * std::log((1 + visits + options_.c_base) / options_.c_base);
  const bool exit = options_.formula == Formula::exit;
  const double exploration = c * std::sqrt(exit ? std::log(std::max(visits, 1.0)) : visits + 1e-8);
  const double first = first_play_value(node);
  const double share = noise == nullptr ? 0 : options_.noise;
  return best(node, [&](const Edge& edge) {
    if (avoided(node, edge)) return -std::numeric_limits<double>::infinity();
    double prior = static_cast<double>(edge.prior);
    if (noise != nullptr) prior = (1 - share) * prior + share * noise[&edge - node.begin()];
    // Most actions of most states have not been taken: their divisions are by 1.
    if (edge.n == 0) return exit ? first + exploration + options_.w_a * prior : first + exploration * prior;
    const double q = sign * edge.q(), n = edge.n;
    return exit ? q + exploration / std::sqrt(n) + options_.w_a * prior / (1 + n)
                : q + exploration * prior / (1 + n);
  });
}

// For the player to move.
double Puct::first_play_value(const Node& node) const {
  if (options_.fpu == FirstPlay::zero) return 0;
  double taken = 0;
  for (const Edge& edge : node) {
    if (edge.n > 0) taken += static_cast<double>(edge.prior);
  }
  return glaux::sign(node.player) * node.label.w / node.label.n - options_.fpu_reduction * std::sqrt(taken);
}

// Dirichlet's distribution is that of gamma variables divided by their sum.
void Puct::draw_noise(std::size_t count) {
  noise_.clear();
  if (options_.noise == 0) return;
  if (options_.root == RootRule::gumbel) {
    for (std::size_t i = 0; i < count; ++i) {
      noise_.push_back(-options_.noise * std::log(-std::log(1 - rng_.uniform())));
    }
    return;
  }
  const double alpha = options_.noise_alpha > 0 ? options_.noise_alpha : 10 / static_cast<double>(count);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += noise_.emplace_back(gamma(alpha));
  // A tiny alpha may leave nothing of all of them.
  for (double& one : noise_) one = sum > 0 ? one / sum : 1 / static_cast<double>(count);
}

// Marsaglia and Tsang, 2000; for alpha < 1 by a power of a uniform number. The normal variable is Box and
// Muller's.
double Puct::gamma(double alpha) {
  const auto uniform = [this] { return 1 - rng_.uniform(); };  // in (0, 1]
  if (alpha < 1) return gamma(alpha + 1) * std::pow(uniform(), 1 / alpha);
  const double d = alpha - 1.0 / 3, scale = 1 / std::sqrt(9 * d);
  for (;;) {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    const double x = radius * std::cos(6.283185307179586 * uniform());
    const double root = 1 + scale * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

}  // namespace glaux
