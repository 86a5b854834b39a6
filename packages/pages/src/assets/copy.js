// Shows the buttons that copy a text. The page hides them, because they need this script.
for (const button of document.querySelectorAll('[data-copy]')) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
      button.textContent = 'Selected: copy the text now';
    }
    setTimeout(() => {
      button.textContent = label;
    }, 4000);
  });
}
