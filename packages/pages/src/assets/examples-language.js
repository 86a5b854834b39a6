// Keeps the language of the examples that the reader chose, in this browser. A browser may forbid to store it.
const KEY = 'gatehouse:examples';

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(language) {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // The choice then holds for this page only.
  }
}

const language = kept();
for (const choice of document.querySelectorAll('input[name="examples"]')) {
  if (choice.value === language) choice.checked = true;
  choice.addEventListener('change', () => keep(choice.value));
}
