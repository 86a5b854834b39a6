// Takes the code of a link from behind the # of the address, and removes it from the address and the history. A link that is
// opened in a tab which already shows the page changes only this part, and loads nothing.
function take() {
  const code = location.hash.slice(1);
  if (!/^gh[a-z]_/.test(code)) return;
  const field = document.querySelector('input#code');
  if (!field) {
    // The second form has no field for another code, so the first one is opened. The query makes the browser load it.
    location.replace(`${location.pathname}?new#${code}`);
    return;
  }
  history.replaceState(null, '', location.pathname);
  field.value = code;
  document.querySelector('#code-said').textContent = 'Your code is filled in. Continue.';
}
take();
addEventListener('hashchange', take);
