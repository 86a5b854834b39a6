// A form is sent once, also by a double click: the answer to the first of two would be lost, and with it a token's secret.
let isSent = false;
document.addEventListener('submit', (event) => {
  if (isSent) event.preventDefault();
  isSent = true;
});
// The browser goes back to a page as it was left.
addEventListener('pageshow', () => {
  isSent = false;
});
