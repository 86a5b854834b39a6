// Posts a token that is pasted or typed into a search to its check: no address has it.
const PATH = '/settings/api/check';
async function check(event, text) {
  if (!/v4\.public\.[\w-]{8}|(?<=eyJ[\w-]{8,})\.[\w-]|gh[a-z]_[\w-]{43}/.test(text)) return;
  event.preventDefault();
  const page = new DOMParser().parseFromString(await (await fetch(PATH)).text(), 'text/html');
  const form = page.querySelector(`form[action="${PATH}"]`);
  if (!form) return location.assign(PATH);
  // A field of one line would join the lines, and with them the tokens.
  form.elements.token.value = text.replace(/\s+/g, ' ');
  document.body.append(form);
  form.submit();
}
for (const box of document.querySelectorAll('[type=search]')) {
  box.onpaste = (event) => check(event, event.clipboardData.getData('text'));
  box.form.onsubmit = (event) => check(event, box.value);
}
