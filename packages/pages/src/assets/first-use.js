// Listens to the server, and shows when the new token is first used.
const shown = document.querySelector('[data-first-use]');
const stream = new EventSource(shown.dataset.firstUse);
const again = document.querySelector('[data-look-again]');
stream.addEventListener('open', () => {
  again.hidden = true;
});
stream.addEventListener('use', ({ data }) => {
  const { state, text } = JSON.parse(data);
  shown.dataset.state = state;
  shown.textContent = text;
});
stream.addEventListener('end', () => {
  stream.close();
  again.hidden = shown.dataset.state === 'used';
});
// After an error the browser reconnects by itself. Until then, the page shows the link to the page of the token.
stream.addEventListener('error', () => {
  again.hidden = false;
});
