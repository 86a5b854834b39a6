import { attributes, type Html, html } from '../html.ts';
import type { Operation, Parameter, Placed } from './description.ts';
import { exampleOf } from './schema.ts';

/**
 * Renders the form with which a reader sends a request that only reads. try-it.js shows the form and sends the request.
 * The fields have no names, so that a browser can put no token into an address, and stores none for later.
 */
export function tryIt({ method, path, operation }: Placed): Html | null {
  if (method !== 'GET' || isStream(operation)) return null;
  const { operationId, security, parameters } = operation;
  const takesToken = security.some((scheme) => 'bearer' in scheme);
  const fields = parameters.filter((each) => each.in !== 'header');
  return html`<form class="try" data-try="${path}" autocomplete="off" hidden><h4>Try it</h4>
<p class="hint">Sends this request from your browser to this server.${takesToken && ' The token is not stored.'}</p>
${takesToken && tokenField(`try-${operationId}`)}${fields.map((each) => parameterField(`try-${operationId}-${each.name}`, each))}<p><button type="submit" class="button">Send request</button></p>
<p role="status"></p><pre tabindex="0" hidden></pre></form>
`;
}

const isStream = ({ responses }: Operation) =>
  Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content);

/** The type is not `password`, because browsers offer to store passwords. reference.css masks the token. */
function tokenField(id: string): Html {
  return html`<div class="field"><label for="${id}">Token</label><input type="text" id="${id}" class="masked" data-token autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="2048"></div>
`;
}

function parameterField(id: string, { name, in: place, required, schema, example }: Parameter): Html {
  const shown = String(example ?? exampleOf(schema, name));
  return html`<div class="field"><label for="${id}">${name}${!required && ' (optional)'}</label><input type="text" id="${id}" data-in="${place}" data-name="${name}"${attributes({ placeholder: shown, required: required === true })} autocomplete="off"></div>
`;
}
