import { type Mutation, mutation } from '../mutation.ts';

const PAGES = 'packages/pages/src';
const FORM_TOKEN = `${PAGES}/forms/form-token.ts`;
const CROSS_SITE = 'packages/http/src/cross-site.ts';
const VISIT = `${PAGES}/visit.ts`;
const DRAFT = `${PAGES}/forms/draft.ts`;
const SITE = `${PAGES}/site/site.ts`;
const COOKIES = `${PAGES}/http/cookies.ts`;
const PAGE_ANSWER = `${PAGES}/http/page-answer.ts`;
const HTML = `${PAGES}/html.ts`;

/** Pages for browsers, and what browsers send for other sites: requirements 61 to 65, and 76. */
export const PAGE_MUTATIONS: readonly Mutation[] = [
  mutation([61, 62, 76], 'Any origin may send a form.', [
    { file: VISIT, find: ': origin === site.origin,', replace: ': true,' },
    { file: CROSS_SITE, find: 'return from.origin !== own &&', replace: 'return false &&' },
  ]),
  mutation([76], 'Requests for other sites have effects.', {
    file: 'packages/http/src/request-handler.ts',
    find: 'isCrossSite(request.node) ?',
    replace: 'isCrossSite(request.node) && false ?',
  }),
  mutation([76], 'A host name of another site that leads here counts as our own.', {
    file: CROSS_SITE,
    find: "return from.protocol === 'https:' ||",
    replace: "return from.protocol !== '' ||",
  }),
  mutation([76], 'A link of another site extends the session and consumes the notice for the next page.', {
    file: VISIT,
    find: 'isOtherOrigin(fetchSite) : origin !== site.origin',
    replace: 'false : false',
  }),
  mutation([61], 'A form without an origin counts as one of ours.', {
    file: VISIT,
    find: "? fetchSite === 'same-origin'",
    replace: '? true',
  }),
  mutation([61], 'The token of a form is not compared.', {
    file: FORM_TOKEN,
    find: '  return isSame(token, formToken(key, purpose));',
    replace: '  return formToken(key, purpose) !== `${token} `;',
  }),
  mutation([61], 'The token of a form is valid in every session.', {
    file: FORM_TOKEN,
    find: "createHmac('sha256', key)",
    replace: "createHmac('sha256', key.slice(0, 0))",
  }),
  mutation([61], 'The token of a form is valid for every path.', [
    {
      file: FORM_TOKEN,
      find: "authenticate(key, 'form', [path, target]);",
      replace: "authenticate(key, 'form', [path.slice(0, 0), target]);",
    },
    {
      file: FORM_TOKEN,
      find: "authenticate(key, 'form', [path, target, String(user)])",
      replace: "authenticate(key, 'form', [path.slice(0, 0), target, String(user)])",
    },
  ]),
  mutation([61], 'Unknown fields of a form are ignored, and the last of two equal ones counts.', {
    file: `${PAGES}/forms/form-body.ts`,
    find: "if (!known.has(name) || (length > 1 && fields[name]?.type !== 'checkbox')) return err('malformed_body');",
    replace: ';',
  }),
  mutation([61], 'A form can be sent by other methods than POST.', {
    file: 'packages/http/src/request-handler.ts',
    find: 'found.place.handlers.get(request.method) ??',
    replace: "found.place.handlers.get(request.method) ?? found.place.handlers.get('POST') ??",
  }),
  mutation([61], 'Typed values are kept together with passwords.', {
    file: DRAFT,
    find: '.filter(([name]) => !isSecret(fields[name] ?? {}))',
    replace: '',
  }),
  mutation([61], 'Values that another browser typed are shown.', {
    file: DRAFT,
    find: "!isAuthentic(mac, key, 'draft', [written])",
    replace: 'mac.length !== key.length',
  }),
  mutation([62], 'Without PUBLIC_URL any host is accepted.', {
    file: SITE,
    find: 'host === undefined || Number(port) !== socket.localPort || !URL.canParse(`http://${host}`)',
    replace: 'host === port',
  }),
  mutation([62], 'Without PUBLIC_URL a proxy on the same machine is accepted.', {
    file: SITE,
    find: 'return !Object.keys(headers).some((name) => FORWARDED.test(name));',
    replace: 'return true;',
  }),
  mutation([62], 'With PUBLIC_URL any host will do.', {
    file: SITE,
    find: "asked === host || asked === withPort ? site : 'other_host'",
    replace: "asked !== '' || asked === withPort ? site : 'other_host'",
  }),
  mutation([63], 'Pages have no policy for their content.', {
    file: PAGE_ANSWER,
    find: "  ['content-security-policy', CONTENT_SECURITY_POLICY],\n",
    replace: '',
  }),
  mutation([63], 'Origins that may call the API may read pages.', {
    file: 'packages/http/src/respond.ts',
    find: 'if (corsHeaders && !answer.isSameOrigin)',
    replace: 'if (corsHeaders)',
  }),
  mutation([63], 'Browsers are never asked to stay with https.', {
    file: PAGE_ANSWER,
    find: 'return site?.isSecure ? [...HEADERS, STRICT_TRANSPORT] : HEADERS;',
    replace: 'return site?.isSecure ? [...HEADERS] : HEADERS;',
  }),
  mutation([63], 'Subdomains and plain HTTP can set the cookies.', {
    file: COOKIES,
    find: "${isSecure ? '__Host-' : ''}",
    replace: "${isSecure ? '' : ''}",
  }),
  mutation([64], 'Texts are HTML.', {
    file: HTML,
    find: 'return escaping(strings, ...values.map(visible));',
    replace: 'return escaping.raw(strings, ...values.map(visible));',
  }),
  mutation([64], 'Invisible characters are sent as they are.', {
    file: HTML,
    find: "if (typeof value === 'string') return replaceInvisible(value);",
    replace: "if (typeof value === 'string') return value;",
  }),
  mutation([65], 'A sign-in leads to any address that begins with a slash.', {
    file: `${PAGES}/http/own-path.ts`,
    find: 'isCanonical(path) && QUERY.test(query)',
    replace: "isCanonical('/') && text.startsWith('/') && (query === '' || QUERY.test(query))",
  }),
];
