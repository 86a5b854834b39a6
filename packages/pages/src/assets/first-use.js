// Shows the first use of a new token as soon as it is known.
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
// The browser connects again by itself, unless it was told to stop.
stream.addEventListener('error', () => {
  again.hidden = false;
});
