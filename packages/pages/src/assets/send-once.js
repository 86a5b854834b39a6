// Sends a form once, even on a double click: the response to the first request, and a token's secret in it, would be lost.
let isSent = false;
document.addEventListener('submit', (event) => {
  if (isSent) event.preventDefault();
  isSent = true;
});
// When the user goes back, the browser shows the page as it was left.
addEventListener('pageshow', () => {
  isSent = false;
});
