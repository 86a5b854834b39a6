// Sends a form once, even on a double click. A second request would make the browser drop the first answer, with the secret in it.
let isSent = false;
document.addEventListener('submit', (event) => {
  if (isSent) event.preventDefault();
  isSent = true;
});
// A user who comes back to the page by the browser’s history can send the form again.
addEventListener('pageshow', () => {
  isSent = false;
});
