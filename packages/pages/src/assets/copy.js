// Shows the buttons that copy a text: the element that a button names, or else the one before the button. The page hides the
// buttons, because they need this script.
for (const button of document.querySelectorAll('[data-copy]')) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy) ?? button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = 'Selected: copy the text now';
    }
    setTimeout(() => {
      button.textContent = label;
    }, 4000);
  });
}
