// Sends the requests of the reference to this server, and shows the responses. A token is in its field and in the header
// `Authorization` only, and leaves the fields when the page is left.
const SHOWN_HEADERS = [
  'content-type',
  'etag',
  'retry-after',
  'www-authenticate',
  'x-request-id',
  'x-token-expires-at',
  'x-gatehouse-user',
  'x-gatehouse-account',
  'x-gatehouse-role',
  'x-gatehouse-token',
  'x-gatehouse-scopes',
];
const MAX_SHOWN = 20_000;

/** Ends the requests that are under way when the page is left. */
let leaving = new AbortController();

const forms = [...document.querySelectorAll('form[data-try]')];
const tokens = forms.flatMap((form) => [...form.querySelectorAll('[data-token]')]);

/** The address that the fields of a form lead to, on this server. */
function addressOf(form) {
  const fields = [...form.querySelectorAll('[data-in]')];
  const typed = (name) => fields.find((field) => field.dataset.name === name)?.value.trim() ?? '';
  const path = form.dataset.try.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(typed(name)));
  const address = new URL(path, location.origin);
  for (const { dataset, value } of fields)
    if (dataset.in === 'query' && value.trim() !== '') address.searchParams.set(dataset.name, value.trim());
  return address;
}

async function send(address, token) {
  if (address.origin !== location.origin) throw new TypeError('another server');
  // The session of the page has no part in it.
  const response = await fetch(address, {
    headers: token === '' ? {} : { authorization: `Bearer ${token}` },
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    signal: leaving.signal,
  });
  const headers = SHOWN_HEADERS.filter((name) => response.headers.has(name)).map(
    (name) => `${name}: ${response.headers.get(name)}`,
  );
  return [`${response.status} ${response.statusText}`, ...headers, '', readable(await response.text())]
    .join('\n')
    .trim();
}

function readable(body) {
  let text = body;
  try {
    text = JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // It is no JSON, and shown as it is.
  }
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… (${text.length} characters)` : text;
}

for (const form of forms) {
  const state = form.querySelector('[role="status"]');
  const shown = form.querySelector('pre');
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const token = form.querySelector('[data-token]')?.value.trim() ?? '';
    if (!/^[\x21-\x7e]*$/.test(token)) {
      state.textContent = 'A token has no spaces, and ASCII characters only.';
      return;
    }
    state.textContent = 'Sending …';
    try {
      shown.textContent = await send(addressOf(form), token);
      shown.hidden = false;
      state.textContent = `Response: ${shown.textContent.split('\n')[0]}`;
    } catch {
      shown.hidden = true;
      state.textContent = 'The server did not respond. Try again.';
    }
  });
}

// A token that is pasted once serves all forms of the page.
for (const field of tokens)
  field.addEventListener('input', () => {
    for (const other of tokens) other.value = field.value;
  });

// Also before the browser keeps the page for the button Back.
addEventListener('pagehide', () => {
  leaving.abort();
  leaving = new AbortController();
  for (const form of forms) {
    form.reset();
    const shown = form.querySelector('pre');
    shown.textContent = '';
    shown.hidden = true;
    form.querySelector('[role="status"]').textContent = '';
  }
});
