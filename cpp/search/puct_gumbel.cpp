// Gumbel AlphaZero (Danihelka and others, "Policy improvement by planning with Gumbel", 2022), as mctx's
// gumbel_muzero_policy has it.
//
// With few simulations a root that spreads its visits by PUCT may learn nothing of most actions. Instead,
// draw m actions without replacement from the policy (the m highest of g(a) + ln P(a), with Gumbel noise g),
// and find the best of them by sequential halving: all get the same number of visits, the worse half by
//   g(a) + ln P(a) + sigma(q(a)),  sigma(q) = (c_visit + max n) c_scale q
// is dropped, and so on until two are left; the simulations are shared out equally between the rounds.
// Without noise (g = 0, in play) it is the best of the m likeliest actions.
//
// An action without visits has a completed q, the mix of the state's own value and the visited actions' mean
// by their priors; all q are rescaled to [0, 1] over the state's actions. The improved policy
//   pi'(a) ~ P(a) exp(sigma(q(a)))
// is what the network learns, and below the root the action is taken whose visits are the farthest behind
// it: the highest pi'(a) - n(a) / (1 + N).
//
// Differs from mctx: the tree is used again, so visits at the root are counted from the begin of the search
// for the halving, and all of them for q. A limit of time does not say how many simulations there will be:
// then the plan is for 64, and whenever it is done there is a new one that is twice as long.
#include <algorithm>
#include <cmath>
#include <limits>

#include "search/puct.h"

namespace glaux {
namespace {

constexpr std::uint64_t first_plan = 64;
// A plan is as long as the limit says, up to a length that nobody waits for; then comes another one.
constexpr std::uint64_t longest_plan = 1 << 20;

// For each simulation in turn, how often the action that it takes has been visited before: the sequence of
// sequential halving over `considered` actions.
std::vector<std::uint32_t> halving(std::uint64_t simulations, std::uint64_t considered) {
  std::vector<std::uint32_t> sequence;
  sequence.reserve(simulations);
  std::uint64_t rounds = 1;  // log2 of considered, rounded up
  while (std::uint64_t{1} << rounds < considered) ++rounds;
  const std::uint64_t fewest = std::min(considered, std::uint64_t{2});
  std::uint32_t visits = 0;
  for (std::uint64_t left = considered; sequence.size() < simulations; left = std::max(left / 2, fewest)) {
    const std::uint64_t each = std::max(std::uint64_t{1}, simulations / (rounds * left));
    for (std::uint64_t i = 0; i < each; ++i, ++visits) sequence.insert(sequence.end(), left, visits);
  }
  sequence.resize(simulations);
  return sequence;
}

double logit(const MctsEdge& edge) {
  return std::log(static_cast<double>(std::max(edge.prior, std::numeric_limits<float>::min())));
}

std::vector<double> softmax(std::vector<double> logits) {
  const double highest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (double& x : logits) sum += x = std::exp(x - highest);
  for (double& x : logits) x /= sum;
  return logits;
}

}  // namespace

std::uint32_t Puct::since_plan(std::size_t edge) const {
  return plan_.empty() ? 0 : tree_.node(root_).edges[edge].n - plan_base_[edge];
}

void Puct::plan_halving() {
  const Node& root = tree_.node(root_);
  const std::uint64_t limit = std::min(limits_.iterations, limits_.evaluations);
  std::uint64_t simulations = plan_.empty() ? first_plan : 2 * plan_.size();
  if (limit != std::numeric_limits<std::uint64_t>::max()) {
    simulations = limit > statistics_.iterations ? limit - statistics_.iterations : 1;
  }
  const std::uint64_t considered =
      std::min(static_cast<std::uint32_t>(options_.gumbel_considered), root.edge_count);
  plan_ = halving(std::min(simulations, longest_plan), considered);
  plan_base_.clear();
  for (const Edge& edge : root) plan_base_.push_back(edge.n);
}

// How many the plan has left for the next batch; a plan that is done is followed by another one.
std::size_t Puct::simulations_left() {
  const Node& root = tree_.node(root_);
  if (root.label.n == 0) return 1;
  if (plan_.empty() || simulations_done() >= plan_.size()) plan_halving();
  return plan_.size() - simulations_done();
}

std::size_t Puct::simulations_done() const {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < tree_.node(root_).edge_count; ++i) sum += since_plan(i);
  return sum;
}

Puct::Edge& Puct::select_halving(Node& root) {
  const std::vector<double> scores = halving_scores(root, plan_[simulations_done()]);
  return best(
      root, [&](const Edge& edge) { return std::pair(!avoided(root, edge), scores[&edge - root.begin()]); });
}

// Of the actions that were visited so often since the plan was made; minus infinity for the others.
std::vector<double> Puct::halving_scores(const Node& root, std::uint32_t considered_visit) const {
  std::vector<double> scores = completed(root);
  for (std::size_t i = 0; i < root.edge_count; ++i) {
    scores[i] += logit(root.edges[i]) + (noise_.empty() ? 0 : noise_[i]);
    if (since_plan(i) != considered_visit) scores[i] = -std::numeric_limits<double>::infinity();
  }
  return scores;
}

Puct::Edge& Puct::select_improved(Node& node) {
  const std::vector<double> probabilities = improved(node);
  return best(node, [&](const Edge& edge) {
    const double share = edge.n / static_cast<double>(node.label.n);
    return std::pair(!avoided(node, edge), probabilities[&edge - node.begin()] - share);
  });
}

std::vector<double> Puct::improved(const Node& node) const {
  std::vector<double> logits = completed(node);
  for (std::size_t i = 0; i < node.edge_count; ++i) logits[i] += logit(node.edges[i]);
  return softmax(std::move(logits));
}

// sigma of the completed q of all actions, for the player to move.
std::vector<double> Puct::completed(const Node& node) const {
  const int sign = glaux::sign(node.player);
  double visits = 0, sum = 0, mean = 0;
  std::uint32_t most = 0;
  for (const Edge& edge : node) {
    if (edge.n == 0) continue;
    const double prior = static_cast<double>(std::max(edge.prior, std::numeric_limits<float>::min()));
    visits += edge.n;
    sum += prior;
    mean += prior * sign * edge.q();
    most = std::max(most, edge.n);
  }
  const double own = sign * static_cast<double>(node.label.own);
  const double mixed = (own + (sum > 0 ? visits * mean / sum : 0)) / (visits + 1);
  std::vector<double> all;
  for (const Edge& edge : node) all.push_back(edge.n > 0 ? sign * edge.q() : mixed);
  const auto [low, high] = std::minmax_element(all.begin(), all.end());
  const double least = *low, range = std::max(*high - *low, 1e-8);
  const double scale = (options_.gumbel_visits + most) * options_.gumbel_scale;
  for (double& q : all) q = scale * (q - least) / range;
  return all;
}

}  // namespace glaux
