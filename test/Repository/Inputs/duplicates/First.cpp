#include <vector>

// A longest row.
int longestRow(const std::vector<std::vector<int>> &rows, int limit) {
  int most = 0;
  for (const std::vector<int> &row : rows) {
    int length = static_cast<int>(row.size());
    if (length > limit || length < 0)
      continue;
    while (length > 0 && row[length - 1] == 0)
      --length;
    most = length > most ? length : most;
  }
  return most + limit;
}
