import { type Mutation, mutation } from '../mutation.ts';

const OPENID = 'packages/openid/src';
const REDEEM = `${OPENID}/redeem.ts`;
const SETTINGS = `${OPENID}/settings.ts`;
const LOG_OUT = `${OPENID}/log-out-token.ts`;
const INSTALLATION = 'packages/installation/src';
const FILE = `${INSTALLATION}/settings/identity-providers`;

/** The exchanges with identity providers: requirements 166 to 175. */
export const OPENID_MUTATIONS: readonly Mutation[] = [
  mutation([166], 'The state of an answer is not checked.', {
    file: REDEEM,
    find: 'expectedState: request.state,',
    replace: 'expectedState: openid.skipStateCheck,',
  }),
  mutation([166], 'The nonce of an ID token is not checked.', {
    file: REDEEM,
    find: 'expectedNonce: request.nonce,',
  }),
  mutation([166], 'The code verifier is sent as the challenge.', {
    file: `${OPENID}/authorization-address.ts`,
    find: "code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),\n    code_challenge_method: 'S256',",
    replace: "code_challenge: codeVerifier,\n    code_challenge_method: 'plain',",
  }),
  mutation([167], 'The issuer in the answer is ignored.', [
    {
      file: REDEEM,
      find: 'for (const [name, value] of query) address',
      replace: "for (const [name, value] of query) if (name !== 'iss') address",
    },
    {
      file: `${OPENID}/discovery.ts`,
      find: 'document.authorization_response_iss_parameter_supported === true',
      replace: "document.authorization_response_iss_parameter_supported === 'never'",
    },
  ]),
  mutation([167], 'The discovery document may be of another issuer.', {
    file: `${OPENID}/discovery.ts`,
    find: 'if (document.issuer !== issuer) {',
    replace: 'if (document.issuer === undefined) {',
  }),
  mutation([168], 'The signature of an ID token is not verified.', {
    file: REDEEM,
    find: 'await keys.verifyWith(exchange, (key) => compactVerify(idToken, key, { algorithms: SIGNATURE_ALGORITHMS }));',
    replace: 'void [keys, exchange, idToken, compactVerify, SIGNATURE_ALGORITHMS];',
  }),
  mutation([168], 'A shared secret may sign.', {
    file: SETTINGS,
    find: "['RS256', 'PS256',",
    replace: "['HS256', 'RS256', 'PS256',",
  }),
  mutation([168], 'Only the first key is tried for a token without a key id.', {
    file: `${OPENID}/provider-keys.ts`,
    find: 'if (!(failed instanceof errors.JWSSignatureVerificationFailed)) throw failed;',
    replace: 'throw failed;',
  }),
  mutation([169], 'An ID token is accepted for a day after it expired.', {
    file: SETTINGS,
    find: 'CLOCK_TOLERANCE_S = 30',
    replace: 'CLOCK_TOLERANCE_S = 86_400',
  }),
  mutation([169], 'An ID token may have been issued to another client.', {
    file: REDEEM,
    find: 'azp !== undefined && azp !== clientId',
    replace: "azp === '' && clientId === ''",
  }),
  mutation([169], 'It is not checked when a person authenticated.', {
    file: REDEEM,
    find: '...(request.mustAuthenticate ? { maxAge: secondsSince(request.begunAt, clock) } : {}),',
  }),
  mutation([169], 'A person who must authenticate is not asked to.', {
    file: `${OPENID}/authorization-address.ts`,
    find: "mustAuthenticate ? { prompt: 'login', max_age: '0' } : {}",
    replace: 'mustAuthenticate ? {} : {}',
  }),
  mutation([170], 'The text "true" verifies an email.', {
    file: `${OPENID}/person.ts`,
    find: 'claims.email_verified === true',
    replace: '`${claims.email_verified}` === "true"',
  }),
  mutation([170], 'Groups that were left out are read as none.', {
    file: `${OPENID}/person.ts`,
    find: "claim) ? 'too-many' : null",
    replace: 'claim) ? [] : null',
  }),
  mutation([170], 'An address is verified by what is said of another one.', {
    file: `${OPENID}/person.ts`,
    find: '{ ...more, ...claims, email, email_verified }',
    replace: '{ ...more, ...claims }',
  }),
  mutation([170], 'Any text is a subject.', {
    file: `${OPENID}/person.ts`,
    find: "if (typeof sub === 'string' && /^[\\x20-\\x7e]{1,255}$/.test(sub)) return sub;",
    replace: "if (typeof sub === 'string') return sub;",
  }),
  mutation([170], 'The provider’s own answer wins over the ID token.', {
    file: `${OPENID}/person.ts`,
    find: '{ ...more, ...claims, email, email_verified }',
    replace: '{ ...claims, ...more }',
  }),
  mutation([171], 'Any host may have http.', {
    file: `${OPENID}/safe-address.ts`,
    find: "url.protocol === 'http:' && LOOPBACK.test(url.hostname)",
    replace: "url.protocol === 'http:' || LOOPBACK.test(url.hostname)",
  }),
  mutation([171], 'An issuer with https may name this machine with http.', {
    file: `${OPENID}/safe-address.ts`,
    find: "isLocal && `${issuer}`.startsWith('http:') ? url",
    replace: "isLocal && `${issuer}`.startsWith('http') ? url",
  }),
  mutation([171], 'Any certificate is accepted.', {
    file: `${OPENID}/bounded-fetch.ts`,
    find: "import { ExchangeError } from './exchange-error.ts';",
    replace:
      "import { ExchangeError } from './exchange-error.ts';\nprocess.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';",
  }),
  mutation([171], 'Redirects are followed.', {
    file: `${OPENID}/bounded-fetch.ts`,
    find: "redirect: 'manual', signal",
    replace: "redirect: 'follow', signal",
  }),
  mutation([172], 'A provider is contacted when the server starts.', {
    file: `${OPENID}/open-id-providers.ts`,
    find: '  async function clientFor(exchange: Exchange) {',
    replace:
      '  void discovered.get().catch(() => undefined);\n\n  async function clientFor(exchange: Exchange) {',
  }),
  mutation([172], 'The time limit of a request is 20 times as long.', {
    file: `${OPENID}/bounded-fetch.ts`,
    find: 'AbortSignal.timeout(limitMs)',
    replace: 'AbortSignal.timeout(limitMs * 20)',
  }),
  mutation([172], 'A provider that did not answer is asked again at once.', {
    file: `${OPENID}/bounded-fetch.ts`,
    find: 'pausedUntil = clock.elapsedMs() + limits.pauseMs;',
    replace: 'pausedUntil = clock.elapsedMs() - limits.pauseMs;',
  }),
  mutation([172], 'Any number of exchanges go on at the same time.', {
    file: `${OPENID}/open-id-providers.ts`,
    find: "createFairQueue<'any'>({ concurrency,",
    replace: "createFairQueue<'any'>({ concurrency: concurrency + 1000,",
  }),
  mutation([172], 'Log-outs take the places of sign-ins.', {
    file: `${OPENID}/open-id-providers.ts`,
    find: "        'logOuts',\n",
  }),
  mutation([172], 'An answer may be large.', {
    file: SETTINGS,
    find: 'bytes: 256 * 1024,',
    replace: 'bytes: 64 * 1024 * 1024,',
  }),
  mutation([173], 'A log-out token may be for another client.', {
    file: LOG_OUT,
    find: 'audience: provider.clientId,',
  }),
  mutation([173], 'A log-out token may be old.', {
    file: LOG_OUT,
    find: 'maxTokenAge: LONGEST_AGE_S,',
  }),
  mutation([173], 'A log-out token may have a nonce, as an ID token.', {
    file: LOG_OUT,
    find: "if (payload.nonce !== undefined) throw malformed('has a nonce, as only ID tokens have');",
  }),
  mutation([173], 'The keys are read again for each token of an unknown key.', {
    file: SETTINGS,
    find: 'freshKeysMs: 5000,',
    replace: 'freshKeysMs: 0,',
  }),
  mutation([174], 'A file with a secret may be read by other users.', {
    file: `${INSTALLATION}/settings/secret-file.ts`,
    find: 'if (exposure !== undefined) return err(exposure);',
  }),
  mutation([174], 'A message repeats what is beside a mistake.', {
    file: `${FILE}/providers-file.ts`,
    find: "err(place === undefined ? 'is not JSON' : `is not JSON at ${place}`)",
    replace: 'err(`is not JSON ${place}: ${error}`)',
  }),
  mutation([174], 'A client secret is read once.', {
    file: `${INSTALLATION}/identity-providers.ts`,
    find: 'clientSecret: follow(value, readAgain, onProblem)',
    replace: 'clientSecret: (void [follow, readAgain, onProblem], () => value)',
  }),
  mutation([174], 'The log repeats any text of a provider.', {
    file: `${OPENID}/exchange-error.ts`,
    find: "typeof text === 'string' && /^[\\w.:/{}-]{1,200}$/.test(text)",
    replace: "typeof text === 'string'",
  }),
  mutation([175], 'Users may be created without rules for roles.', {
    file: `${FILE}/provider-fields.ts`,
    find: 'createUsersIn !== null && roles === null',
    replace: 'createUsersIn === 0 && roles === null',
  }),
  mutation([175], 'Two providers may have the same issuer.', {
    file: `${FILE}/providers-file.ts`,
    find: "of ['id', 'issuer'] as const",
    replace: "of ['id'] as const",
  }),
  mutation([175], 'An unknown field is ignored.', {
    file: `${FILE}/fields.ts`,
    find: 'if (!Object.hasOwn(fields, name))',
    replace: 'if (!Object.hasOwn(fields, name) && name in instead)',
  }),
];
