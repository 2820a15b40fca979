#include <string>

// The same with other names.
using Lines = int;

int countOfWordsOfTheLongestAmongAllParagraphsOfAll(const std::vector<std::vector<int>> &paragraphs, int bound) {
  int most = 0;
  for (const std::vector<int> &paragraph : paragraphs) {
    int words = static_cast<int>(paragraph.size());
    if (words > bound || words < 0)
      continue;
    // What is empty at its end does not count.
    while (words > 0 && paragraph[words - 1] == 0)
      --words;
    most = words > most ? words : most;
  }
  return most + bound;
}
