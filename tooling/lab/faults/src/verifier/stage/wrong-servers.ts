import { sabotage } from '../../stage/sabotage.ts';

/** The settings of a server that breaks a promise of its stream, for the sabotage twins. */

/** A new stream says that it tells the last seconds again, and does not. */
export const REPLAYS_NOTHING = sabotage({
  file: '/token-changes/src/token-changes.ts',
  find: 'for (const line of lines) stream.changed(',
  replace: 'for (const line of lines.slice(lines.length)) stream.changed(',
});

/** Proofs are made by a timer, also if nothing was heard. */
export const PROVES_BY_TIMER = sabotage(
  {
    file: '/token-changes/src/token-changes.ts',
    find: 'const unsubscribe = feed.onHeard(proveSoon);',
    replace:
      'const beat = setInterval(proveSoon, 250).unref();\n  const unsubscribe = () => clearInterval(beat);',
  },
  {
    file: '/token-changes/src/token-changes.ts',
    find: 'const proof = heard && isFresh() ? encodeProof(heard) : undefined;',
    replace:
      'const proof = heard && encodeProof({ ...heard, elapsedMs: monotonicClock.elapsedMs(), at: now });',
  },
);

/** Introspection answers from what it read in the last second. */
export const INTROSPECTS_FROM_MEMORY = sabotage({
  file: '/postgres/src/services/introspection-source.ts',
  find: 'find: (credential, token) => find(any, { credential, tokens: [token] }),',
  replace: `find(credential, token) {
    const known = (globalThis.introspected ??= new Map());
    const last = known.get(token);
    if (last !== undefined && performance.now() - last.at < 1000) return last.found;
    const found = find(any, { credential, tokens: [token] });
    known.set(token, { found, at: performance.now() });
    return found;
  },`,
});

/** A stream goes on when the credential of its service has ended. */
export const CHECKS_NO_CREDENTIAL = sabotage({
  file: '/token-changes/src/token-changes.ts',
  find: 'if (!acceptedCredential(known.get(service), caller.credential, now)) end();',
  replace: 'if (acceptedCredential(known.get(service), caller.credential, now) === null) end();',
});

/** A server of an edition that has no stream of changes, tells no token by its id, and names no records of an answer. */
export const OLDER_EDITION = sabotage(
  {
    file: '/api-contract/src/routes/token-changes.ts',
    find: "path: '/api/v1/token-changes',",
    replace: "path: '/api/v1/token-changes-of-a-later-edition',",
  },
  {
    file: '/api-contract/src/routes/token-refreshes.ts',
    find: "path: '/api/v1/token-refreshes',",
    replace: "path: '/api/v1/token-refreshes-of-a-later-edition',",
  },
  {
    file: '/server/src/routes/routes.ts',
    find: "if (body.depends !== '1') return introspected;",
    replace: "if (body.depends !== 'of a later edition') return introspected;",
  },
);
