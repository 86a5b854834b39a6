import { type AssetName, assetPath } from '../assets.ts';
import { type Html, html } from '../html.ts';
import { firstPageFor, REFERENCE, SIGN_OUT } from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { View } from '../view.ts';
import { TOKEN_FIELD } from './form.ts';
import { navigation } from './navigation.ts';

const plainHeader = () =>
  html`<header class="top top-plain"><div class="wide"><a class="brand" href="/">${mark()}<span>Gatehouse</span></a></div></header>`;

function signedInHeader(request: PageRequest): Html {
  const { user, account, formToken } = request;
  return html`<header class="top"><div class="wide">
<a class="brand" href="${firstPageFor(user.role)}">${mark()}<span>Gatehouse</span></a>
<p class="account"><span class="visually-hidden">Account: </span>${account.name}</p>
<p class="who"><span class="visually-hidden">Signed in as </span>${user.email}</p>
<form method="post" action="/sign-out"><input type="hidden" name="${TOKEN_FIELD}" value="${formToken(SIGN_OUT)}"><button type="submit" class="button button-quiet">Sign out</button></form>
</div>
${navigation(request)}</header>`;
}

const mark = () =>
  html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M8 26V14a8 8 0 0 1 16 0v12M13.5 26V14a2.5 2.5 0 0 1 5 0v12M4 26h24"/></svg>`;

/**
 * Renders a view with the frame of every page.
 *
 * @param said a message above the view
 * @param request the request of a signed-in user, whose email the header then shows; undefined for a visitor
 */
export function page(shown: View, said: Html | null = null, request?: PageRequest): Html {
  const { title, above, action, content, width = 'narrow', styles = [], scripts = [] } = shown;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} — Gatehouse</title>
<link rel="icon" type="image/svg+xml" href="${assetPath('icon.svg')}">
${style('style.css')}${styles.map(style)}${scripts.map(script)}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${request ? signedInHeader(request) : plainHeader()}
<main id="content" class="${width}" tabindex="-1">${said}${above}<div class="title"><h1>${title}</h1>${action}</div>
${content}</main>
<footer class="foot"><div class="wide"><p>Gatehouse</p><p><a href="${REFERENCE}">API reference</a></p></div></footer>
</body>
</html>
`;
}

const style = (name: AssetName) => html`<link rel="stylesheet" href="${assetPath(name)}">
`;

const script = (name: AssetName) => html`<script type="module" src="${assetPath(name)}"></script>
`;
